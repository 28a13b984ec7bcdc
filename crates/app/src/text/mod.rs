//! The design as text in an editor: what a text says, its problems and colors, and the text after an edit of the design.
//! Positions are in UTF-16 units, as editors count them.

mod completions;
mod hover;
mod kept_text;
mod merged_text;
mod reading;
mod rename;
mod spans;
mod symbol;
mod utf16;

pub use completions::{Completions, Offer, PlaceholderOffers, placeholder_offers};
pub use hover::{Hover, Paragraph, hover};
pub use kept_text::{UnitEdit, difference, follow, followed, opened, printed, restored, stored};
pub use merged_text::{aligned, joined, merged};
pub use reading::{Reading, TextIssue};
pub use rename::{name_of, rename_command};
pub use spans::Spans;
pub use symbol::{Symbol, entities_at, symbol_at};
pub use utf16::with_line_ends_of;

/// A design with a line of each common kind. The documentation of the language begins with it.
pub const EXAMPLE: &str = include_str!("example.keyfold");

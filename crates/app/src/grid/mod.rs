//! The logic of the live table: the lines it shows ([`Sheet`]), the lines to render ([`visible_lines`]), keyboard
//! moves ([`Sheet::move_cell`]), column widths. The submodules edit cells. Nothing is drawn here.

pub mod cells;
pub mod column_order;
pub mod copy;
pub mod fill;
mod filter_and_sort;
pub mod find;
mod json_items;
pub mod large_values;
mod lines;
pub mod one_entity;
pub mod paste;
pub mod presence;
pub mod recycle;
mod visible;

pub use filter_and_sort::{SheetBuilder, SheetOptions, SortBy, contains};
pub use lines::{CellMove, CollectionPosition, Line, Sheet};
pub use visible::{columns_between, longest_text, visible_lines};

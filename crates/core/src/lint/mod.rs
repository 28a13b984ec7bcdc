//! The linter: what an expert reviewer would say of a design.
//!
//! - [`lint`] gives all findings of a design; a [`Linter`] gives them again after an edit and does only the work that
//!   the edit asks for: rules of one entity, of its samples and of two entities are cached by the pointers of what they
//!   look at. What one pattern can find is asked again only of entities that changed.
//! - A [`Finding`] has the code of its [`Rule`], a severity, a [`Place`], one line, examples and perhaps a [`Fix`], which
//!   `keyfold_app::fixes` shows before it is done and carries out as one command.
//! - A finding is silenced by an entry of [`Design::silenced`](crate::model::Design) with its code, its place as
//!   text, and a reason.
//! - [`RULES`] is the table of the rules; each stands in a file of `rules/`, alone or with its kin. Their documentation is
//!   in `docs/rules.md`, which [`docs`] reads; it is not in the program.
//!
//! What templates have in common is answered by `template::KeyLanguage`; most pairs are decided before by their literals
//! ([`reach`]).

pub mod docs;
mod expression;
pub mod facts;
mod finding;
mod fix;
mod linter;
mod patterns;
pub mod reach;
mod rule;
mod rules;
mod table;

pub use finding::{Finding, Place, Severity};
pub use fix::Fix;
pub use linter::{Linter, Report, lint};
pub use patterns::{Asked, PatternFacts};
pub use rule::{Check, Context, Found, Rule, Said};
pub use table::{RULES, rule};

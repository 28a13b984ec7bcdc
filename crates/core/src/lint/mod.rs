//! The linter: reports problems in a design, each with a code, a severity, a place and, if possible, a fix.
//!
//! - [`lint`] returns all findings of a design. A [`Linter`] returns them again after an edit and repeats only the
//!   affected work: it caches the findings of one entity, of its samples and of two entities by the pointers of their
//!   inputs. It recomputes what an access pattern can find only for entities that changed.
//! - A [`Finding`] has the code of its [`Rule`], a severity, a [`Place`], a one-line message, examples and an optional
//!   [`Fix`]. `keyfold_app::fixes` previews a fix and applies it as one command.
//! - An entry of [`Design::silenced`](crate::model::Design) silences a finding by its code and its place as text, with
//!   a reason.
//! - [`RULES`] lists the rules. Each file of `rules/` holds one rule or a few related ones. `docs/rules.md` documents
//!   them; [`rule_docs`] parses that file, which is not compiled into the program.
//!
//! `template::KeyLanguage` decides what two templates have in common. [`overlap`](crate::engine::overlap) answers for
//! most pairs earlier, from their literals.
//!
//! ```
//! use keyfold_core::lint::{Severity, lint};
//! use keyfold_core::model::{Design, Entity, EntityId};
//!
//! let mut design = Design::new("shop");
//! design.entities.insert(EntityId(1), Entity::new("Order", 0).into());
//! let report = lint(&design);
//! let finding = report.open().find(|finding| finding.code == "K004").unwrap();
//! assert_eq!(finding.severity, Severity::Error);
//! assert_eq!(finding.place.to_string(), "e1/primary/partition");
//! assert!(!report.passes());
//! ```

mod all_rules;
pub mod entity_facts;
mod expression;
mod finding;
mod fix;
mod group;
mod linter;
mod pattern_facts;
mod rule;
pub mod rule_docs;
mod rules;

pub use all_rules::{RULES, rule};
pub use finding::{Finding, Place, Severity};
pub use fix::Fix;
pub use linter::{Linter, Report, lint};
pub use pattern_facts::{ConditionFacts, PatternFacts};
pub use rule::{Check, Context, Found, NewFinding, Rule};
pub use rules::mergeable_indexes::mergeable_indexes;

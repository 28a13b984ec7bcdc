//! Key templates: text with placeholders, `TENANT#{tenantId}#ORDER#{createdAt:date}`.
//!
//! - [`parse`] turns text into a [`Template`] and a list of errors; it never fails.
//! - [`render`] renders the key of an item, [`render_value`] the value of a key attribute of type S, N or B. A
//!   [`Splice`] updates a rendered key after an edit of one literal.
//! - [`parse_back`] recovers attribute values from a rendered key.
//! - [`KeyLanguage`] is the set of all keys that a template can render. Without samples it answers what two templates
//!   have in common ([`collide`], [`prefix_matches`], [`open_prefix`]), whether keys can be parsed back ([`ambiguity`])
//!   and how long they can get ([`max_length`]).
//!
//! This module knows nothing of entities, indexes and designs: attribute values come from a lookup function, possible
//! values from [`Shapes`].
//!
//! # Example
//!
//! ```
//! use keyfold_core::model::Value;
//! use keyfold_core::template::{DelimiterPolicy, parse, render};
//!
//! let parsed = parse("TENANT#{tenantId}#ORDER#{createdAt:date}");
//! assert!(parsed.errors.is_empty());
//!
//! let tenant = Value::from("acme");
//! let created = Value::from("2026-03-01T09:30:00Z");
//! let lookup = |name: &str| match name {
//!     "tenantId" => Some(&tenant),
//!     "createdAt" => Some(&created),
//!     _ => None,
//! };
//! let key = render(&parsed.template, &DelimiterPolicy::default(), &lookup);
//! assert_eq!(key.as_deref(), Ok("TENANT#acme#ORDER#2026-03-01"));
//! ```

mod analyze;
mod ast;
mod automaton;
mod charset;
mod delimiter_policy;
mod iso_date;
mod key_range;
mod language;
mod modifier;
mod parse;
mod parse_back;
mod render;
mod search;
mod shape;
mod splice;

pub use analyze::{
    Ambiguity, KeyLanguage, ambiguity, collide, max_length, open_prefix, prefix_matches,
};
pub use ast::{Parsed, Placeholder, Segment, Template, TemplateError};
pub use delimiter_policy::{DelimiterPolicy, OnDelimiter};
pub use iso_date::{check_iso, next_day};
pub use key_range::Bound;
pub use modifier::{MODIFIERS, Modifier, fnv1a_64};
pub use parse::parse;
pub use parse_back::{ParseBackError, Recovered, parse_back, parse_back_shaped};
pub use render::{Lookup, RenderError, render, render_condition_value, render_into, render_value};
pub use search::{TooLarge, steps_left, within_steps};
pub use shape::{Form, Shapes, ValueShape};
pub use splice::Splice;

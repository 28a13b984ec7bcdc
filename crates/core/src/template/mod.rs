//! Key templates: text with placeholders, `TENANT#{tenantId}#ORDER#{createdAt:date}`.
//!
//! - [`parse`] turns text into a [`Template`] and a list of errors; it never fails.
//! - [`render`] makes the key of an item, [`render_value`] the value of a key attribute of type S, N or B. A [`Splice`]
//!   makes it of the key before, where an edit changed one literal.
//! - [`parse_back`] takes a rendered key apart again.
//! - [`KeyLanguage`] is the set of all keys that a template can render. It answers, without any sample, what two
//!   templates have in common ([`collide`], [`prefix_matches`], [`open_prefix`]), whether a key can be taken apart
//!   ([`ambiguity`]) and how long it can get ([`max_length`]).
//!
//! Nothing here knows entities, indexes or designs: attributes' values come in through a lookup function,
//! attributes' possible values as [`Shapes`].

mod analyse;
mod ast;
mod automaton;
mod charset;
mod iso;
mod language;
mod modifier;
mod parse;
mod parse_back;
mod policy;
mod range;
mod render;
mod search;
mod shape;
mod splice;

pub use analyse::{
    Ambiguity, KeyLanguage, ambiguity, collide, max_length, open_prefix, prefix_matches,
};
pub use ast::{Parsed, Placeholder, Segment, Template, TemplateError};
pub use iso::check_iso;
pub use modifier::{MODIFIERS, Modifier, fnv1a_64};
pub use parse::parse;
pub use parse_back::{ParseBackError, Recovered, parse_back, parse_back_shaped};
pub use policy::{DelimiterPolicy, OnDelimiter};
pub use range::Bound;
pub use render::{Lookup, RenderError, render, render_into, render_value};
pub use search::TooLarge;
pub use shape::{Form, Shapes, ValueShape};
pub use splice::Splice;

//! Access patterns as they are written: conditions that come from an entity's own templates ([`offers`]), and the
//! fields of a form ([`form`]).

mod convert;
pub mod form;
pub mod offers;

pub use convert::{add_part, remove_part};

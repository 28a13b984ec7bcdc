//! Access patterns as they are written: conditions that come from an entity's own templates ([`offers`]), what is wanted
//! where no key serves it yet ([`wishes`]), the fields of a form ([`form`]), the parameters' values ([`values`]).

mod convert;
mod fields;
pub mod form;
pub mod offers;
pub mod values;
pub mod wishes;

pub use convert::{add_part, remove_part};

//! Access patterns as they are written: conditions that come from an entity's own templates ([`offers`]), the fields of
//! a form ([`form`]), the parameters' values ([`values`]).

mod convert;
pub mod form;
pub mod offers;
pub mod values;

pub use convert::{add_part, remove_part};

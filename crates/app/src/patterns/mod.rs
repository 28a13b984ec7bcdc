//! Access patterns as the user writes them: key conditions from an entity's templates ([`offers`]), requirements
//! that no key serves yet ([`wishes`]), form fields ([`form`]), parameter values ([`values`]).

mod convert;
mod fields;
pub mod form;
pub mod offers;
pub mod values;
pub mod wishes;

pub use convert::{add_part, remove_part};

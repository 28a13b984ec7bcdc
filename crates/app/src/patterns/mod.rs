//! Access patterns as the user writes them: key conditions from an entity's templates ([`offers`]), requirements
//! that no key serves yet ([`requirements`]), forms ([`form`], [`fields`]), parameter values ([`values`], [`range_values`]).

mod convert;
pub mod fields;
pub mod form;
mod names;
pub mod offers;
pub mod range_values;
pub mod requirements;
pub mod values;

pub use convert::{add_part, remove_part};

//! Access patterns as the user writes them: key conditions from an entity's templates ([`key_condition_offers`]), requirements
//! that no key serves yet ([`requirements`]), forms ([`form`], [`fields`]), parameter values ([`parameter_values`], [`range_values`]).

mod convert;
pub mod fields;
pub mod form;
pub mod key_condition_offers;
pub mod parameter_values;
pub mod range_values;
pub mod requirements;
pub(crate) mod shards;
mod suggested_names;

pub use convert::{add_part, choose_entity, remove_part, toggle_entity};

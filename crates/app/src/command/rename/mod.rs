//! Changing an attribute: a new name is carried to every place that knew the old one, a new type to its values.

mod attribute;
mod entity;
mod expression;
mod key;
mod patterns;

pub(super) use attribute::update_attribute;
pub(super) use entity::rename_entity;
pub(super) use key::{rename_key, rename_table_key, rename_type};

//! Rust key builders: one file without dependencies, which a crate includes as a module, or a complete crate, which
//! also has the items and, behind features, serde and aws-sdk-dynamodb (`package`).
//!
//! A `Plan` (contents and names) becomes a `Source` (in the layout of rustfmt). This folder also has the helper
//! functions of the generated file (`support`), of which the file gets only the used ones, and its tests. It does not
//! interpret templates; the generated tests contain the keys that the app renders.

mod conditions;
mod entity_enum;
mod fixed_parts;
mod function_inputs;
pub(super) mod highlight;
mod item_tests;
mod items;
mod key_file;
mod key_tests;
mod keys;
pub(super) mod names;
mod package;
mod patterns;
mod plan;
pub(super) mod source;
mod values;

pub use key_file::rust;
pub use package::rust_crate;

/// Returns the name of an attribute in generated code: `tenant_id` for `tenantId`.
pub fn field_name(attribute: &str) -> String {
    names::snake(attribute, "value")
}

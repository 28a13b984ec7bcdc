//! The inspector: every property of the selected card.

mod add_to_index;
mod attributes;
mod capacity;
mod colors;
mod delete_button;
mod edit;
mod entity;
mod entity_keys;
mod index;
mod index_key;
mod note;
mod replicas;
mod sample_format;
mod section;
mod several;
mod sparse_conditions;
mod subject;
mod table;
mod table_settings;
mod value_fields;
mod volume;

pub use subject::Inspector;

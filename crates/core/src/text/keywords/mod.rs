//! The words of the language, each with what it says: what begins a line, and the words for the values of the model.
//! Parser, printer, completion, hover and the grammar for editors read these tables.

mod inner;
mod lines;
mod values;

pub use inner::{INNER, KEY_ONLY, inner};
pub use lines::{
    BATCH_KEY, BLOCKS, COST_LINES, ENTITY_LINES, EXPORT_FLAGS, EXPORT_SETTINGS, INDEX_SETTINGS,
    OPERATIONS, PATTERN_PARTS, TABLE_SETTINGS, is_list, operation,
};
pub use values::{
    CONSISTENCY, FORMATS, INSIGHTS, STREAMS, TABLE_CLASSES, TYPES, attribute_type, is_format,
    normal, type_word,
};

/// A word and what it says.
pub type Word = (&'static str, &'static str);

//! The targets, by what they read.

mod design;
mod expression;
mod import;
mod items;
mod link;
mod template;
mod text;
mod yaml;

pub use design::design;
pub use expression::{EXPRESSION_WORDS, PARTIQL_WORDS, expression, partiql};
pub use import::{IMPORT_WORDS, import};
pub use items::{DYNAMODB_JSON_WORDS, csv, dynamodb_json};
pub use link::link;
pub use template::{TEMPLATE_WORDS, template};
pub use text::{TEXT_WORDS, text};
pub use yaml::{YAML_WORDS, yaml};

use keyfold_core::library::find;
use keyfold_core::model::Design;
use std::sync::LazyLock;

/// The design that statements and items are read for.
static SHOP: LazyLock<Design> = LazyLock::new(|| {
    let pattern = find("e-commerce").expect("in the library");
    pattern.design().expect("a design")
});

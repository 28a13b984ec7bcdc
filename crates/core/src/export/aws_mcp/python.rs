//! What the package's generator of Python code takes: names and text.

use crate::export::rust::names::{Namespace, function, pascal, snake};
use crate::export::writer::one_line;

/// The keywords of Python 3, and the names that every method has for its object.
const RESERVED: [&str; 37] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "self", "cls",
];

/// The parameters that the generated code adds to a method that reads several items.
const OF_PAGES: [&str; 3] = ["limit", "exclusive_start_key", "skip_invalid_items"];

/// Names that a field of the generated classes hides, so that their own methods or types do not work.
const HIDDEN_BY_FIELD: [&str; 13] = [
    "pk",
    "sk",
    "get_config",
    "get_sk_prefix",
    "build_pk_for_lookup",
    "build_sk_for_lookup",
    "str",
    "int",
    "bool",
    "list",
    "dict",
    "Any",
    "Decimal",
];

/// Names of classes that the generated modules use themselves.
const CLASSES: [&str; 14] = [
    "Any",
    "Attr",
    "BaseModel",
    "BaseRepository",
    "ConfigurableEntity",
    "Decimal",
    "EntityConfig",
    "Key",
    "KeyType",
    "bool",
    "dict",
    "int",
    "list",
    "str",
];

/// The members of the generated repositories' base class, which an access pattern must not replace.
const REPOSITORY: [&str; 10] = [
    "create",
    "get",
    "update",
    "delete",
    "delete_entity",
    "model_class",
    "pkey_name",
    "skey_name",
    "dynamodb",
    "table",
];

/// Whether a parameter can have this name.
pub fn is_parameter(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !RESERVED.contains(&name)
}

/// Whether a field can have this name. Placeholders and access patterns take fields as parameters.
pub fn is_field(name: &str) -> bool {
    is_parameter(name)
        && !HIDDEN_BY_FIELD.contains(&name)
        && !["model_", "build_gsi_", "get_gsi_"]
            .iter()
            .any(|start| name.starts_with(start))
}

/// Whether a text can stand in a literal of the generated code: it is quoted without escapes.
pub fn is_quotable(text: &str) -> bool {
    !text.contains(|c: char| matches!(c, '"' | '\\') || c.is_control())
}

/// A name for the class of an entity; `taken` has the names of the others in capitals, because a constant in capitals
/// belongs to each class.
pub fn class(name: &str, taken: &mut Vec<String>) -> String {
    let is_class = is_parameter(name) && !CLASSES.contains(&name);
    let base = match is_class {
        true => name.to_owned(),
        false => {
            pascal(name, "Entity")
                + if CLASSES.contains(&name) {
                    "Entity"
                } else {
                    ""
                }
        }
    };
    let mut free = base.clone();
    let mut number = 2;
    while taken.contains(&free.to_uppercase()) {
        free = format!("{base}{number}");
        number += 1;
    }
    taken.push(free.to_uppercase());
    free
}

/// The names of the methods of a repository.
pub fn methods() -> Namespace {
    Namespace::without(&[&RESERVED[..], &REPOSITORY[..]].concat())
}

/// The names of the methods of the service for transactions.
pub fn service_methods() -> Namespace {
    Namespace::without(&[&RESERVED[..], &["client", "dynamodb"]].concat())
}

/// The names of the parameters of a method; `is_list`: whether it reads several items.
pub fn parameters(is_list: bool) -> Namespace {
    let own: &[&str] = if is_list { &OF_PAGES } else { &[] };
    Namespace::without(&[&RESERVED[..], own].concat())
}

/// A name for a parameter that is called `name` in the design, for example `from_` for `from`. Uses `empty` if nothing
/// is left of the name.
pub fn parameter(name: &str, empty: &str) -> String {
    match is_parameter(name) || RESERVED.contains(&name) {
        true if RESERVED.contains(&name) => format!("{name}_"),
        true => name.to_owned(),
        false => snake(name, empty),
    }
}

/// The name of an access pattern's method.
pub fn method(name: &str) -> String {
    function(name, "pattern")
}

/// The name of the parameter for an item of an entity.
pub fn item(entity: &str) -> String {
    snake(entity, "item")
}

/// The name that the generated code makes of an index, the end of its methods' names: in snake case, with words that
/// begin at a capital letter after a small one or a digit, or before a small one.
pub fn index(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut text = String::new();
    for (at, c) in chars.iter().enumerate() {
        let after = at.checked_sub(1).map(|at| chars[at]);
        let is_after = after.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        let is_before = chars.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let is_word = at > 0 && c.is_ascii_uppercase() && (is_after || is_before);
        for c in is_word.then_some('_').into_iter().chain([*c]) {
            let c = if c == '-' {
                '_'
            } else {
                c.to_ascii_lowercase()
            };
            if c != '_' || !text.ends_with('_') {
                text.push(c);
            }
        }
    }
    text
}

/// Text that the generated code has in strings and in formatted strings: no quotes and no braces.
pub fn documentation(text: &str) -> String {
    one_line(text)
        .replace('\\', "\\\\")
        .replace('"', "'")
        .replace('{', "<")
        .replace('}', ">")
}

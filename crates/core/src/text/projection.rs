//! The attributes that a read returns: names, and paths such as `address.city`.

use super::cursor::write_name;
use crate::engine::query::expression::{Name, parse_projection};
use crate::model::Design;

/// The path that a word of the line means. The name of an attribute of the design is that name, also where it is not
/// written like this in a path: `first-name`, `set`.
pub fn read(design: &Design, word: String) -> String {
    let mut entities = design.entities.values();
    match entities.any(|entity| entity.attribute(&word).is_some()) {
        true => Name::of(&word).to_string(),
        false => word,
    }
}

/// The word of a path: of a single name the name, if it is read as the same path.
pub fn write(design: &Design, path: &str) -> String {
    let paths = parse_projection(path).unwrap_or_default();
    let name = match paths.as_slice() {
        [only] if only.steps.is_empty() => Some(&only.attribute.text),
        _ => None,
    };
    let same = name.filter(|name| read(design, (*name).clone()) == path);
    write_name(same.map_or(path, String::as_str), &[])
}

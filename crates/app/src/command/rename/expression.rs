//! Names in the expressions of access patterns: filter, condition and update expressions.
//! `status`, `#status` and `"status"` are the attribute `status`, `:status` is the value of the parameter `status`.

use keyfold_core::engine::query::expression::{Name, is_keyword, is_parameter_name};

/// What is renamed in an expression.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    /// The old name.
    pub old: &'a str,
    /// The new one.
    pub new: &'a str,
    /// Whether the old name is the attribute that is renamed.
    pub attribute: bool,
    /// Whether the old name, after a colon, is the parameter that is renamed.
    pub parameter: bool,
}

/// What an expression is like after renaming.
pub(super) struct Renamed {
    /// The expression.
    pub text: String,
    /// Whether it named the parameter by its old name.
    pub had_old_parameter: bool,
    /// Whether it had a parameter of the new name before.
    pub had_new_parameter: bool,
}

/// The expression with the new name. Functions, keywords and what lies inside a map (`address.status`) are left as they
/// are. The error says why the new name cannot stand in an expression.
pub(super) fn rename(text: &str, names: Names<'_>) -> Result<Renamed, String> {
    let mut renamed = Renamed {
        text: String::with_capacity(text.len()),
        had_old_parameter: false,
        had_new_parameter: false,
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    // The last sign that is no space: `#` or `:` only right before a word.
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        if first == '"'
            && let Some((quoted, after)) = rest[1..].split_once('"')
        {
            match names.attribute && quoted == names.old && before != '.' {
                true => {
                    attribute(names.new)?;
                    renamed.text.push_str(&format!("\"{}\"", names.new));
                }
                false => renamed.text.push_str(&rest[..quoted.len() + 2]),
            }
            before = ' ';
            rest = after;
            continue;
        }
        if !is_word(first) {
            renamed.text.push(first);
            rest = &rest[first.len_utf8()..];
            if first == '#' && before == '.' {
                // A part of a map, too.
            } else if !first.is_whitespace() {
                before = first;
            } else if matches!(before, '#' | ':') {
                before = ' ';
            }
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let is_old = word == names.old;
        if before == ':' {
            renamed.had_new_parameter |= word == names.new;
            renamed.had_old_parameter |= is_old;
            match is_old && names.parameter {
                true if !is_parameter_name(names.new) => {
                    return Err(format!(
                        "`{}` cannot be the name of a parameter, which accepts only letters, digits and _",
                        names.new
                    ));
                }
                true => renamed.text.push_str(names.new),
                false => renamed.text.push_str(word),
            }
        } else if is_old && names.attribute && is_attribute(before, word, after) {
            let new = attribute(names.new)?;
            // A sign that was there stays, but before quotes.
            if before == '#' && new.starts_with(['#', '"']) {
                renamed.text.pop();
            }
            renamed.text.push_str(&new);
        } else {
            renamed.text.push_str(word);
        }
        before = ' ';
        rest = after;
    }
    Ok(renamed)
}

/// The paths of a projection with the new name of an attribute. One that becomes equal to another is left out. The error
/// says why the new name cannot stand in an expression.
pub(super) fn rename_paths(paths: &[String], old: &str, new: &str) -> Result<Vec<String>, String> {
    let names = Names {
        old,
        new,
        attribute: true,
        parameter: false,
    };
    let mut all: Vec<String> = Vec::new();
    for path in paths {
        let renamed = rename(path, names)?.text;
        let is_there = || all.contains(&renamed) || paths.contains(&renamed);
        if renamed == *path || !is_there() {
            all.push(renamed);
        }
    }
    Ok(all)
}

/// Whether a word that stands between these is an attribute: not a function, a keyword or a part of a map.
fn is_attribute(before: char, word: &str, after: &str) -> bool {
    let is_function = || after.trim_start().starts_with('(');
    match before {
        '.' => false,
        '#' => true,
        _ => !is_keyword(word) && !is_function(),
    }
}

/// The attribute as it is written in an expression.
fn attribute(name: &str) -> Result<String, String> {
    match name.contains('"') {
        true => Err(format!(
            "`{name}` cannot be part of an expression: it contains a quote"
        )),
        false => Ok(Name::of(name).to_string()),
    }
}

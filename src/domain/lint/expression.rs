//! Which attributes an expression names. Nothing here judges whether DynamoDB would take it.

/// Words of the expression language, in lower case.
const WORDS: [&str; 16] = [
    "and",
    "or",
    "not",
    "between",
    "in",
    "set",
    "remove",
    "add",
    "delete",
    "attribute_exists",
    "attribute_not_exists",
    "attribute_type",
    "begins_with",
    "contains",
    "size",
    "if_not_exists",
];

/// A name in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The attribute's name, without `#`.
    pub attribute: String,
    /// Whether it is written with `#`.
    pub aliased: bool,
}

/// The attributes at the beginning of every path in an expression, in order, each as often as it is named.
pub fn names(text: &str) -> Vec<Name> {
    let mut names = Vec::new();
    let mut rest = text;
    // What stands before the word: `:x` is a value, `a.x` a part of `a`.
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let length = match is_word(c) {
            false => c.len_utf8(),
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        };
        let word = &rest[..length];
        rest = &rest[length..];
        let starts = !c.is_ascii_digit() && before != ':' && before != '.';
        let is_function = rest.trim_start().starts_with('(');
        let known = WORDS.contains(&word.to_lowercase().as_str()) || word == "list_append";
        if is_word(c) && starts && (before == '#' || !(known || is_function)) {
            names.push(Name {
                attribute: word.to_owned(),
                aliased: before == '#',
            });
        }
        before = c;
    }
    names
}

/// The attributes that an update expression changes, whole or in part.
pub fn updated(update: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut clause = String::new();
    for word in update.split_inclusive(|c: char| c.is_whitespace()) {
        let is_clause = matches!(
            word.trim().to_lowercase().as_str(),
            "set" | "remove" | "add" | "delete"
        );
        if is_clause {
            targets(&clause, &mut names);
            clause.clear();
        } else {
            clause.push_str(word);
        }
    }
    targets(&clause, &mut names);
    names
}

/// The first name of each action of a clause; actions are separated by commas outside parentheses.
fn targets(clause: &str, into: &mut Vec<String>) {
    let mut depth = 0;
    let actions = clause.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    for action in actions {
        if let Some(name) = names(action).into_iter().next() {
            into.push(name.attribute);
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

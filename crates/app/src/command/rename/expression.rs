//! Names in the expressions of access patterns: filter, condition and update expressions.
//! `status` and `#status` are the attribute `status`, `:status` is the value of the parameter `status`.

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

/// Words of the expression language. An attribute with such a name stands behind a `#`.
const KEYWORDS: [&str; 9] = [
    "SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN",
];

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
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        if !is_word(first) {
            renamed.text.push(first);
            rest = &rest[first.len_utf8()..];
            if !first.is_whitespace() {
                before = first;
            } else if matches!(before, '#' | ':') {
                before = ' ';
            }
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let is_old = word == names.old;
        let replaced = match before {
            ':' => {
                renamed.had_new_parameter |= word == names.new;
                renamed.had_old_parameter |= is_old;
                is_old && names.parameter
            }
            '.' => false,
            '#' => is_old && names.attribute,
            _ => {
                let function = after.trim_start().starts_with('(');
                let keyword = (KEYWORDS.iter()).any(|other| word.eq_ignore_ascii_case(other));
                is_old && names.attribute && !function && !keyword
            }
        };
        if replaced {
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if names.new.is_empty() || !names.new.chars().all(fits) {
                return Err(format!(
                    "`{}` cannot be part of an expression, which accepts only letters, digits and _",
                    names.new
                ));
            }
            let bare = !matches!(before, '#' | ':');
            let keyword = (KEYWORDS.iter()).any(|other| names.new.eq_ignore_ascii_case(other));
            if bare && (keyword || !names.new.starts_with(|c: char| c.is_ascii_alphabetic())) {
                renamed.text.push('#');
            }
            renamed.text.push_str(names.new);
        } else {
            renamed.text.push_str(word);
        }
        before = ' ';
        rest = after;
    }
    Ok(renamed)
}

//! Divides texts into columns at a delimiter, and finds what they start with.

use std::collections::BTreeMap;

/// The parts of texts at one place.
pub(crate) struct Column<'t> {
    /// Each with the position of its item.
    pub tokens: Vec<(usize, &'t str)>,
    pub is_constant: bool,
}

/// The columns of the texts that have the most usual number of parts, with the same parts empty.
pub(crate) fn columns<'t>(texts: &[(usize, &'t str)], delimiter: &str) -> Vec<Column<'t>> {
    let mut forms: BTreeMap<Vec<bool>, Vec<(usize, Vec<&'t str>)>> = BTreeMap::new();
    for (row, text) in texts {
        let parts: Vec<&str> = text.split(delimiter).collect();
        let form = parts.iter().map(|part| part.is_empty()).collect();
        forms.entry(form).or_default().push((*row, parts));
    }
    let mut usual: Vec<(usize, Vec<&str>)> = Vec::new();
    for rows in forms.into_values() {
        if rows.len() > usual.len() {
            usual = rows;
        }
    }
    let width = usual.first().map_or(0, |(_, parts)| parts.len());
    let column = |place: usize| {
        let tokens: Vec<(usize, &str)> = usual
            .iter()
            .map(|(row, parts)| (*row, parts[place]))
            .collect();
        let is_constant = tokens.iter().all(|(_, token)| *token == tokens[0].1);
        Column {
            tokens,
            is_constant,
        }
    };
    (0..width).map(column).collect()
}

/// The text before the digits that all tokens start with: `v` of `v1` and `v12`; or up to a character that is neither
/// letter nor digit.
pub(crate) fn common_prefix<'t>(tokens: &[(usize, &'t str)]) -> &'t str {
    let Some((_, first)) = tokens.first() else {
        return "";
    };
    let mut end = first.len();
    for (_, token) in tokens {
        let common = (first.char_indices().zip(token.chars()))
            .find(|((_, left), right)| left != right)
            .map_or(first.len().min(token.len()), |((at, _), _)| at);
        end = end.min(common);
    }
    let prefix = &first[..end];
    let letters = prefix.trim_end_matches(|c: char| c.is_ascii_digit());
    let continues = |token: &&str| token[letters.len()..].starts_with(|c: char| c.is_ascii_digit());
    if tokens.iter().all(|(_, token)| continues(token)) {
        return letters;
    }
    letters.trim_end_matches(char::is_alphanumeric)
}

//! Divides texts into columns at a delimiter, and finds what they start with.

use keyfold_core::template::check_iso;
use std::collections::BTreeMap;

/// The parts of texts at one place.
pub(crate) struct Column<'t> {
    /// Each with the position of its item.
    pub tokens: Vec<(usize, &'t str)>,
    pub is_constant: bool,
}

/// The parts of a text between delimiters. A time is one part, whatever its characters: `2026-03-01T09:30:00Z`.
pub(crate) fn parts<'t>(text: &'t str, delimiter: &str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut start = 0;
    loop {
        let rest = &text[start..];
        let end = match time_length(rest, delimiter) {
            Some(length) => Some(length).filter(|length| *length < rest.len()),
            None => rest.find(delimiter),
        };
        let Some(end) = end else {
            parts.push(rest);
            return parts;
        };
        parts.push(&rest[..end]);
        start += end + delimiter.len();
    }
}

/// The length of the date or time that a text starts with, up to a delimiter outside it or the end of the text.
fn time_length(text: &str, delimiter: &str) -> Option<usize> {
    let may_be_time = text.len() >= 10 && text.starts_with(|c: char| c.is_ascii_digit());
    if !may_be_time || !"0123456789-:.TZ+".contains(delimiter) {
        return None;
    }
    let ends = text.match_indices(delimiter).map(|(at, _)| at);
    let ends = ends.filter(|end| *end >= 10).take(6).chain([text.len()]);
    let is_time = |end: &usize| check_iso(&text[..*end]).is_ok();
    ends.filter(is_time).last()
}

/// The columns of the texts that have the most usual number of parts, with the same parts empty.
pub(crate) fn columns<'t>(texts: &[(usize, &'t str)], delimiter: &str) -> Vec<Column<'t>> {
    let mut forms: BTreeMap<Vec<bool>, Vec<(usize, Vec<&'t str>)>> = BTreeMap::new();
    for (row, text) in texts {
        let parts = parts(text, delimiter);
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

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn times_are_one_part() {
        for (text, delimiter, wanted) in [
            (
                "a:2026-03-01T09:30:00Z:b",
                ":",
                &["a", "2026-03-01T09:30:00Z", "b"][..],
            ),
            (
                "2026-03-01T09:30:00.001Z",
                ":",
                &["2026-03-01T09:30:00.001Z"],
            ),
            ("2026-03-01#b", "#", &["2026-03-01", "b"]),
            ("2026-03-01-b", "-", &["2026-03-01", "b"]),
            ("1:2", ":", &["1", "2"]),
            (":", ":", &["", ""]),
            ("", ":", &[""]),
        ] {
            assert_eq!(parts(text, delimiter), wanted, "{text}");
        }
    }
}

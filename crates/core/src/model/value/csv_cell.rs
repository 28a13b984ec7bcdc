//! Values in the cells of a CSV file.
//!
//! A cell holds the text that the live table shows, read in the type of its column. If that text would not read back as
//! the same value, the cell holds DynamoDB JSON instead: `{"S":""}` for an empty string (an empty cell means a missing
//! value), or `{"N":"5"}` in a string column. Text that a spreadsheet would run as a formula is written the same way:
//! `{"S":"=1+1"}` is shown as is and reads back unchanged. OWASP recommends a leading quote instead, which would change
//! the data ("CSV Injection", OWASP).

use super::Value;
use super::attribute_type::AttributeType;
use crate::model::number::Number;
use crate::model::{escape_hidden, is_hidden};

/// Columns that usually name the kind of an item.
const KINDS: [&str; 8] = [
    "type",
    "entity",
    "entitytype",
    "entity_type",
    "_type",
    "_et",
    "__edb_e__",
    "kind",
];

/// The position of the column that names the kinds of items. The types of the other columns are judged for each kind.
pub fn kind_column(names: &[String]) -> Option<usize> {
    let is_kind = |name: &String| KINDS.contains(&name.to_lowercase().as_str());
    names.iter().position(is_kind)
}

impl AttributeType {
    /// The type of a column that no design declares: the one that all plain cells fit, and that keeps what they say
    /// (`007` is no number). A cell such as `{"S":"789"}` makes it a column of strings.
    pub fn of_cells(cells: &[&str]) -> Self {
        let mut plain: Vec<&str> = Vec::with_capacity(cells.len());
        for text in cells {
            match typed(text) {
                Some(Value::S(_)) => return Self::S,
                Some(_) => {}
                None => plain.push(text),
            }
        }
        let is_number = |text: &&str| {
            let number = text.parse::<Number>();
            number.is_ok_and(|number| number.to_string() == **text)
        };
        // Spreadsheets write TRUE.
        let words = ["true", "false"];
        let is_flag = |text: &&str| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        let is_json = |kind, start| {
            let fits =
                |text: &&str| text.starts_with(start) && Value::from_text(kind, text).is_ok();
            plain.iter().all(fits)
        };
        match () {
            () if plain.is_empty() => Self::S,
            () if plain.iter().all(is_number) => Self::N,
            () if plain.iter().all(is_flag) => Self::Bool,
            () if is_json(Self::L, '[') => Self::L,
            () if is_json(Self::M, '{') => Self::M,
            () => Self::S,
        }
    }
}

impl Value {
    /// Writes the value as a cell of a column of this type.
    pub fn to_cell(&self, column: AttributeType) -> String {
        let typed = || escape_hidden(&self.to_dynamodb_json().to_string()).into_owned();
        if self.kind() != column {
            return typed();
        }
        let mut text = self.to_text();
        let survives = match self {
            Self::S(_) => !is_formula(&text) && is_plain(&text),
            _ => {
                text = escape_hidden(&text).into_owned();
                Self::from_cell(column, &text).as_ref() == Ok(&Some(self.clone()))
            }
        };
        if survives { text } else { typed() }
    }

    /// Reads a cell of a column of this type; `None` if it is empty. The error says what to write.
    pub fn from_cell(column: AttributeType, text: &str) -> Result<Option<Self>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        match typed(text) {
            Some(value) => Ok(Some(value)),
            None => Self::from_text(column, text).map(Some),
        }
    }

    /// Whether a cell holds DynamoDB JSON, which overrides the column's type.
    pub fn is_typed_cell(text: &str) -> bool {
        typed(text).is_some()
    }
}

/// Whether a character is hidden, except line ends and tabs, which a cell shows.
fn is_unseen(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\n' | '\r' | '\t')
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(is_unseen) && typed(text).is_none()
}

/// The value of a cell that holds DynamoDB JSON.
fn typed(text: &str) -> Option<Value> {
    if !text.starts_with('{') {
        return None;
    }
    Value::from_dynamodb_json(&serde_json::from_str(text).ok()?).ok()
}

/// Whether a spreadsheet may treat the text as a formula. Signed numbers and telephone numbers are safe.
fn is_formula(text: &str) -> bool {
    let is_number = |rest: &str| {
        rest.chars()
            .all(|c| c.is_ascii_digit() || " .,()/-".contains(c))
    };
    match text.chars().next() {
        Some('=' | '@' | '\t' | '\r' | '\n') => true,
        Some('+' | '-') => !is_number(&text[1..]),
        _ => false,
    }
}

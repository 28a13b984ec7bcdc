//! Values in the cells of a CSV file.
//!
//! A cell holds the text that the live table shows, read in the type of its column. If that text would not read back as
//! the same value, the cell holds DynamoDB JSON instead: `{"S":""}` for an empty string (an empty cell means a missing
//! value), or `{"N":"5"}` in a string column. Text that a spreadsheet would run as a formula is written the same way:
//! `{"S":"=1+1"}` is shown as is and reads back unchanged. OWASP recommends a leading quote instead, which would change
//! the data ("CSV Injection", OWASP).

use super::Value;
use super::attribute_type::AttributeType;
use crate::model::{escape_hidden, is_hidden};

impl Value {
    /// Writes the value as a cell of a column of this type.
    pub fn to_cell(&self, column: AttributeType) -> String {
        let typed = || escape_hidden(&self.to_dynamodb_json().to_string()).into_owned();
        if self.kind() != column {
            return typed();
        }
        let text = self.to_text();
        let survives = match self {
            Self::S(_) => !is_formula(&text) && is_plain(&text),
            _ => Self::from_cell(column, &text).as_ref() == Ok(&Some(self.clone())),
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

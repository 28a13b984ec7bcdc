//! Values in the cells of a CSV file.
//!
//! A cell is the text that the live table shows, read in the type of its column. Where that would not read back as the
//! same value, the cell holds DynamoDB JSON instead, such as `{"S":""}` for an empty text (an empty cell is a value
//! that is not there) or `{"N":"5"}` in a column of texts. A text that a spreadsheet would run as a formula is written
//! in this way too: `{"S":"=1+1"}` is shown as it stands, and read back it is the text that it was. What OWASP
//! recommends instead, a quote before it, would change the data ("CSV Injection", OWASP).

use super::{AttributeType, Value};
use crate::model::{escape_hidden, is_hidden};

impl Value {
    /// The value as a cell of a column of this type.
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

    /// Reads a cell of a column of this type; none if it is empty. The error says what to write.
    pub fn from_cell(column: AttributeType, text: &str) -> Result<Option<Self>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        match typed(text) {
            Some(value) => Ok(Some(value)),
            None => Self::from_text(column, text).map(Some),
        }
    }

    /// Whether a cell holds its type itself, whatever its column's is.
    pub fn is_typed_cell(text: &str) -> bool {
        typed(text).is_some()
    }
}

/// Whether a character is hidden, and no line end or tab, which a cell shows.
fn is_unseen(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\n' | '\r' | '\t')
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(is_unseen) && typed(text).is_none()
}

/// The value of a cell that is DynamoDB JSON.
fn typed(text: &str) -> Option<Value> {
    if !text.starts_with('{') {
        return None;
    }
    Value::from_dynamodb_json(&serde_json::from_str(text).ok()?).ok()
}

/// Whether a spreadsheet might take a text for a formula. A signed number is none, nor is a telephone number.
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

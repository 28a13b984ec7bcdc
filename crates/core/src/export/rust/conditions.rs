//! Writes the conditions of sparse indexes: whether an item is in an index.

use super::items::{ItemField, ItemPlan};
use super::source::{Source, code, quote};
use crate::model::{AttributeType, Condition, IndexEntry, Test};

/// Returns the condition of an entry that no item meets, because it is on an attribute that is not stored.
pub(super) fn never<'e>(item: &ItemPlan, entry: &'e IndexEntry) -> Option<&'e Condition> {
    let is_key_only = |condition: &&Condition| {
        let mut fields = item.fields.iter();
        fields.any(|field| field.key_only && field.attribute == condition.attribute)
    };
    let mut conditions = entry.when.iter().filter(is_key_only);
    conditions.find(|condition| condition.test != Test::Missing)
}

/// Writes the conditions under which an item is in an index, if they depend on an attribute's text or on whether it
/// exists.
pub(super) fn write_conditions(src: &mut Source, item: &ItemPlan, entry: &IndexEntry) {
    for condition in &entry.when {
        let field = item
            .fields
            .iter()
            .find(|field| field.attribute == condition.attribute);
        // What is not stored is missing.
        if field.is_some_and(|field| field.key_only) {
            continue;
        }
        let Some((field, text)) = field.and_then(|field| Some((field, text_of(field)?))) else {
            let is = match (&condition.test, field) {
                (Test::Exists, Some(field)) if field.required => continue,
                (Test::Exists, Some(field)) if field.is_option() => Some(("", "is_none")),
                (Test::Exists, Some(_)) => Some(("", "is_empty")),
                (Test::Missing, Some(field)) if field.is_option() => Some(("", "is_some")),
                (Test::Missing, Some(field)) if !field.required => Some(("!", "is_empty")),
                _ => None,
            };
            if let Some((field, (not, is))) = field.zip(is) {
                src.open(&format!("if {not}self.{}.{is}() {{", field.name));
                src.line("return Ok(None);");
                src.close("}");
                continue;
            }
            src.comment(
                "//",
                &format!(
                    "Does not check the condition on {}.",
                    code(&condition.attribute)
                ),
            );
            continue;
        };
        let list = |texts: &[String]| format!("[{}]", texts.join(", "));
        let (helper, values) = match &condition.test {
            Test::Equals(value) => ("one_of", vec![quote(&value.to_text())]),
            Test::OneOf(values) => (
                "one_of",
                values.iter().map(|value| quote(&value.to_text())).collect(),
            ),
            Test::NotEquals(value) => ("none_of", vec![quote(&value.to_text())]),
            Test::Exists if field.required => continue,
            Test::Exists => ("none_of", Vec::new()),
            Test::Missing => {
                src.open(&format!("if {text}.is_some() {{"));
                src.line("return Ok(None);");
                src.close("}");
                continue;
            }
        };
        src.call(
            &format!("let holds = {helper}("),
            &[text, list(&values)],
            ");",
        );
        src.open("if !holds {");
        src.line("return Ok(None);");
        src.close("}");
    }
}

/// Returns an expression for an attribute's value as an optional text; `None` if it has no text.
fn text_of(field: &ItemField) -> Option<String> {
    let name = &field.name;
    Some(match (field.kind, field.required) {
        (AttributeType::S, true) => format!("Some(self.{name}.as_str())"),
        (AttributeType::S, false) => format!("self.{name}.as_deref()"),
        (AttributeType::N, true) => format!("Some(self.{name}.as_str())"),
        (AttributeType::N, false) => format!("self.{name}.as_ref().map(Number::as_str)"),
        (AttributeType::Bool, true) => format!("Some(truth(self.{name}))"),
        (AttributeType::Bool, false) => format!("self.{name}.map(truth)"),
        _ => return None,
    })
}

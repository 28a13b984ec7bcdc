//! What an author may have meant, where DynamoDB accepts what is written.

use super::parameters::types_in_expressions;
use super::verdict::{Reasons, Verdict};
use crate::engine::key_sources::templates;
use crate::engine::operation_parts::parts;
use crate::engine::query::expression::is_parameter_name;
use crate::model::{AccessPattern, Design, Value};
use crate::template::{self, Segment};

/// Reports values of another type than what an expression compares them with or assigns them to. Such a comparison is
/// false, and such an assignment gives the attribute another type.
pub(super) fn values_of_other_types(
    design: &Design,
    pattern: &AccessPattern,
    reasons: &mut Reasons,
) {
    for (name, value) in &pattern.parameters {
        let asked = types_in_expressions(design, pattern, name);
        let kind = value.kind();
        if let Some(first) = asked.first()
            && !asked.contains(&kind)
            && !matches!(value, Value::Null)
        {
            let text = format!(
                "the value of `:{name}` is a {}, but the expression has it with a {}",
                kind.label(),
                first.label()
            );
            reasons.add(Verdict::Served, text);
        }
    }
}

/// Reports `:from` in a key, where a parameter is `{from}`.
pub(super) fn parameters_in_text(design: &Design, pattern: &AccessPattern, reasons: &mut Reasons) {
    let delimiter = design.delimiter.delimiter.as_str();
    if delimiter.contains(':') {
        return;
    }
    let is_in_entity = |text: &str| {
        let mut entities = design.entities.values();
        entities.any(|entity| templates(design, entity).any(|own| own.text.contains(text)))
    };
    for text in parts(&pattern.operation).templates {
        let template = template::parse(text).template;
        let mut follows_value = false;
        for segment in &template.segments {
            let Segment::Literal { text, .. } = segment else {
                follows_value = true;
                continue;
            };
            // What follows a value directly, such as `:00` after an hour, is text.
            let pieces = match delimiter.is_empty() {
                true => vec![text.as_str()],
                false => text.split(delimiter).collect(),
            };
            for part in pieces.into_iter().skip(usize::from(follows_value)) {
                if let Some(name) = part.strip_prefix(':')
                    && is_parameter_name(name)
                    && !name.starts_with(|c: char| c.is_ascii_digit())
                    && !is_in_entity(part)
                {
                    let text =
                        format!("`:{name}` is text in a key: for a parameter write `{{{name}}}`");
                    reasons.add(Verdict::Served, text);
                }
            }
            follows_value = false;
        }
    }
}

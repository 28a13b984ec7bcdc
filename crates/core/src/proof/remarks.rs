//! What an author may have meant, where DynamoDB accepts what is written.

use super::parameters::type_in_expressions;
use super::verdict::{Reasons, Verdict};
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
        if let Some(asked) = type_in_expressions(design, pattern, name)
            && asked != value.kind()
            && !matches!(value, Value::Null)
        {
            let text = format!(
                "the value of `:{name}` is a {}, but the expression has it with a {}",
                value.kind().label(),
                asked.label()
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
    for text in parts(&pattern.operation).templates {
        let template = template::parse(text).template;
        let literals = template
            .segments
            .iter()
            .filter_map(|segment| match segment {
                Segment::Literal { text, .. } => Some(text.as_str()),
                _ => None,
            });
        for part in literals.flat_map(|text| pieces(text, delimiter)) {
            if let Some(name) = part.strip_prefix(':')
                && is_parameter_name(name)
            {
                let text =
                    format!("`:{name}` is text in a key: for a parameter write `{{{name}}}`");
                reasons.add(Verdict::Served, text);
            }
        }
    }
}

fn pieces<'a>(text: &'a str, delimiter: &str) -> Vec<&'a str> {
    match delimiter.is_empty() {
        true => vec![text],
        false => text.split(delimiter).collect(),
    }
}

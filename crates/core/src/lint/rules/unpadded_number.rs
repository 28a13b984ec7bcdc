//! Numbers in sort keys that sort in a different order as text.

use super::{key_name, place, templates};
use crate::engine::Items;
use crate::engine::padding::Digits;
use crate::lint::entity_facts::{EntityFacts, format_of, is_text};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Rule, Severity};
use crate::model::{Attribute, AttributeType, Format, KeyPart, Number, short};
use crate::template::{Modifier, Segment};

/// A number in a text sort key has no padding.
pub const RULE: Rule = Rule {
    code: "K010",
    name: "unpadded-number",
    severity: Severity::Warning,
    // The samples decide how many digits are needed.
    check: Check::Samples(check),
};

fn check(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    for (entry, key, compiled) in templates(facts) {
        if key.part != KeyPart::Sort || !is_text(key) {
            continue;
        }
        let segments = &compiled.template.segments;
        for (at, segment) in segments.iter().enumerate() {
            let Segment::Placeholder(placeholder) = segment else {
                continue;
            };
            let Some(attribute) = facts.entity.attribute(&placeholder.attribute) else {
                continue;
            };
            let next = match segments.get(at + 1) {
                Some(Segment::Literal { text, .. }) => text.chars().next(),
                Some(_) => Some(char::MAX),
                None => None,
            };
            let orders =
                |modifier: &Modifier| !matches!(modifier, Modifier::Lower | Modifier::Upper);
            if placeholder.modifiers.iter().any(orders) {
                continue;
            }
            let Some(wrong) = wrong(context, attribute, next) else {
                continue;
            };
            let name = &attribute.name;
            let mut digits = wrong.digits;
            digits.add_samples(context.design, facts.id, name);
            let padded = digits.padding().map(|pad| {
                let mut padded = placeholder.clone();
                padded.modifiers = vec![pad];
                padded.to_string()
            });
            let advice = match &padded {
                Some(padded) => format!("Pad it: {padded}."),
                None if digits.negative => "Padding does not help with negative numbers: add an offset, or use a sort key of type N.".to_owned(),
                None => "The numbers have too many digits to pad them: use a sort key of type N.".to_owned(),
            };
            let message = format!(
                "{}: `{name}` in the {} (`{}`) sorts as text, `{}` before `{}`. {advice}",
                facts.name(),
                key_name(context.design, entry, KeyPart::Sort),
                short(&compiled.text),
                wrong.pair[0],
                wrong.pair[1],
            );
            let finding = NewFinding::at(place(facts, entry, KeyPart::Sort), message);
            let finding = finding.span(placeholder.span.clone());
            let mut finding = finding.examples(wrong.pair.to_vec());
            if let Some(padded) = padded
                && attribute.kind == AttributeType::N
            {
                let mut text = compiled.text.clone();
                text.replace_range(placeholder.span.clone(), &padded);
                finding = finding.fix(Fix::SetTemplate {
                    entity: facts.id,
                    index: entry.index,
                    part: KeyPart::Sort,
                    text,
                });
            }
            found.add(finding);
        }
    }
}

/// The digits of numbers of which nothing is known.
const DIGITS: usize = 10;

/// The digits of seconds since 1970, until 2286.
const SECONDS_DIGITS: usize = 10;

struct Wrong {
    /// Two values in the order of text. As numbers, the first is the greater.
    pair: [String; 2],
    /// What the format says of the numbers.
    digits: Digits,
}

/// Returns two values of the attribute that text sorts wrongly, and the digits of its numbers; `None` if the attribute
/// holds no numbers or they sort correctly. `next` is the character after the number.
fn wrong(context: &Context, attribute: &Attribute, next: Option<char>) -> Option<Wrong> {
    let unknown = || Wrong {
        pair: ["10".to_owned(), "9".to_owned()],
        digits: Digits {
            whole: DIGITS,
            decimals: 0,
            negative: false,
        },
    };
    let format = format_of(context.design, attribute);
    let is_number = attribute.kind == AttributeType::N;
    let (least, most, decimals) = match format {
        Some(Format::Integer { min, max }) if min <= max => (*min, *max, 0),
        Some(Format::Decimal { min, max, places }) => {
            let whole = |text: &str| {
                let number: Option<Number> = text.parse().ok();
                let text = number?.to_string();
                let whole = text.split('.').next()?;
                // Parsing turns -0 into 0, but -0.5 is below 0: count its whole part as -1.
                match text.starts_with('-') && whole == "-0" {
                    true => Some(-1),
                    false => whole.parse::<i64>().ok(),
                }
            };
            match (whole(min), whole(max)) {
                (Some(least), Some(most)) => (least, most, usize::from(*places)),
                _ => return is_number.then(unknown),
            }
        }
        Some(Format::OneOf(_) | Format::Constant(_)) => return None,
        _ => return is_number.then(unknown),
    };
    if least > most {
        // No number is in the range.
        return None;
    }
    let length = |value: i64| value.unsigned_abs().to_string().len();
    // Whatever the range, the TTL is in seconds.
    let is_ttl = context.design.table.ttl_attribute.as_ref() == Some(&attribute.name);
    let own = if is_ttl { SECONDS_DIGITS } else { 1 };
    let digits = length(least).max(length(most)).max(own);
    let wrong = |pair| {
        Some(Wrong {
            pair,
            digits: Digits {
                whole: digits,
                decimals,
                negative: least < 0,
            },
        })
    };
    if least < 0 {
        // As text, -1 comes before -2. One negative number before the digits sorts correctly.
        return match most >= -1 && least >= -1 {
            true if length(most) == 1 => None,
            _ if least < -1 => wrong([(least + 1).to_string(), least.to_string()]),
            _ => wrong(["10".to_owned(), "9".to_owned()]),
        };
    }
    if length(least) != length(most) {
        let power = 10_i64.pow(length(least) as u32);
        return wrong([power.to_string(), (power - 1).to_string()]);
    }
    // 4 and 4.5: the character after the number must sort before the point.
    match decimals > 0 && next.is_some_and(|c| c > '.') {
        true => {
            let next = next.unwrap_or_default();
            wrong([format!("{most}.5{next}"), format!("{most}{next}")])
        }
        false => None,
    }
}

//! The line of an attribute.

use super::super::cursor::write_name;
use super::super::description::quoted;
use super::super::keywords::{KEY_ONLY, attribute_type, is_format, type_word};
use super::super::lexer;
use super::super::lower::{DATES, DAY, first_of_sequence, implied, is_day, is_weighted};
use super::super::node::Node;
use super::super::syntax::SyntaxKind;
use super::super::value;
use crate::model::{
    Attribute, AttributeType, Choice, Design, Distribution, EntityId, Format, Value,
};

/// The line of an attribute.
pub fn node(design: &Design, owner: EntityId, attribute: &Attribute) -> Node {
    let node = Node::new(
        attribute.id.to_string(),
        SyntaxKind::Attribute,
        name(attribute),
    );
    let mut rest = kind_and_format(design, owner, attribute);
    if attribute.key_only {
        rest.push(' ');
        rest.push_str(KEY_ONLY);
    }
    node.rest(rest).described(&attribute.description)
}

fn name(attribute: &Attribute) -> String {
    let name = &attribute.name;
    let is_plain = lexer::is_word(name) && !name.ends_with('?') && !name.starts_with('>');
    let mut text = match is_plain {
        true => write_name(name, &["key", "index"]),
        false => quoted(name),
    };
    if !attribute.required {
        text.push('?');
    }
    text
}

fn kind_and_format(design: &Design, owner: EntityId, attribute: &Attribute) -> String {
    let word = type_word(attribute.kind);
    let typed = |format: String| [word, " ", &format].concat();
    let Some(format) = &attribute.format else {
        return word.to_owned();
    };
    match format {
        Format::Reference {
            entity,
            attribute: target,
            distribution,
        } => {
            let text = reference(design, *entity, target, &attribute.name, *distribution);
            match same_kind(design, owner, attribute) {
                true => text,
                false => typed(text),
            }
        }
        Format::OneOf(_) | Format::Constant(_) => {
            let free = values(format, None);
            match implied(format) == Some(attribute.kind) && !free.contains('"') {
                true => free,
                false => typed(values(format, Some(attribute.kind))),
            }
        }
        _ if implied(format) == Some(attribute.kind) => generated(format),
        _ => typed(generated(format)),
    }
}

fn reference(
    design: &Design,
    entity: EntityId,
    target: &str,
    own: &str,
    distribution: Distribution,
) -> String {
    let found = design.entities.get(&entity).map(|entity| &entity.name);
    let mut text = match found {
        // The entity was deleted.
        None => format!("?{entity}"),
        Some(name) if lexer::is_word(name) && !name.contains('.') && !name.starts_with('?') => {
            name.clone()
        }
        Some(name) => quoted(name),
    };
    if target != own {
        text.push('.');
        let is_plain = !target.is_empty() && lexer::is_word(&format!("x.{target}"));
        match is_plain {
            true => text.push_str(target),
            false => text.push_str(&quoted(target)),
        }
    }
    if distribution == Distribution::Skewed {
        text.push_str(" skewed");
    }
    ["-> ", &text].concat()
}

/// Whether a reference has the type that it would have without one: that of the attribute it leads to.
fn same_kind(design: &Design, owner: EntityId, attribute: &Attribute) -> bool {
    let mut kind = None;
    let mut visited = vec![(owner, attribute.name.as_str())];
    let mut format = attribute.format.as_ref();
    while let Some(Format::Reference {
        entity,
        attribute: target,
        ..
    }) = format
    {
        if visited.contains(&(*entity, target)) {
            return false;
        }
        visited.push((*entity, target));
        let found = (design.entities.get(entity)).and_then(|entity| entity.attribute(target));
        kind = kind.or(Some(found.map_or(AttributeType::S, |found| found.kind)));
        format = found.and_then(|found| found.format.as_ref());
    }
    kind == Some(attribute.kind)
}

/// Whether a word means something else at the start of a list of values.
fn is_taken(word: &str) -> bool {
    attribute_type(word).is_some()
        || is_format(word)
        || is_weighted(word)
        || matches!(word, "->" | "=" | KEY_ONLY)
        || word.starts_with('*')
}

fn values(format: &Format, kind: Option<AttributeType>) -> String {
    let write = |value: &Value| value::write(value, kind, &is_taken);
    match format {
        Format::Constant(value) => ["= ", &write(value)].concat(),
        Format::OneOf(choices) => {
            let choice = |choice: &Choice| {
                let value = write(&choice.value);
                match choice.weight {
                    1 => value,
                    weight => format!("{value}*{weight}"),
                }
            };
            let all: Vec<String> = choices.iter().map(choice).collect();
            match &choices[..] {
                [] => "|".to_owned(),
                // The weight says that it is a choice.
                [only] => format!("{}*{}", write(&only.value), only.weight),
                _ => all.join(" | "),
            }
        }
        _ => String::new(),
    }
}

fn generated(format: &Format) -> String {
    let range = |word: &str, from: &str, to: &str| {
        let (from, to) = (write_name(from, &["to"]), write_name(to, &["to"]));
        format!("{word} {from} to {to}")
    };
    match format {
        Format::Ulid => "ulid".to_owned(),
        Format::Ksuid => "ksuid".to_owned(),
        Format::Uuid => "uuid".to_owned(),
        Format::Email => "email".to_owned(),
        Format::PersonName => "person-name".to_owned(),
        Format::Company => "company".to_owned(),
        Format::Word => "word".to_owned(),
        Format::Sentence => "sentence".to_owned(),
        Format::Date { from, to } if (&**from, &**to) == DATES => "date".to_owned(),
        Format::Date { from, to } => range("date", from, to),
        Format::Timestamp { from, to } => timestamp(from, to),
        Format::Integer { min: 1, max: 100 } => "integer".to_owned(),
        Format::Integer { min, max } => format!("integer {min} to {max}"),
        Format::Decimal { min, max, places } => {
            let mut text = "decimal".to_owned();
            if (min.as_str(), max.as_str()) != ("0", "100") {
                let (min, max) = (write_name(min, &["to", "places"]), write_name(max, &["to"]));
                text = format!("decimal {min} to {max}");
            }
            if *places != 2 {
                text.push_str(&format!(" places {places}"));
            }
            text
        }
        Format::Sequence {
            prefix,
            start,
            digits,
        } => {
            let digits_wide = usize::from(*digits);
            let first = format!("{prefix}{start:0digits_wide$}");
            match first_of_sequence(&first).as_ref() == Some(format) {
                true => ["sequence ", &write_name(&first, &[])].concat(),
                false => format!(
                    "sequence prefix {} start {start} digits {digits}",
                    write_name(prefix, &["start", "digits"])
                ),
            }
        }
        Format::OneOf(_) | Format::Constant(_) | Format::Reference { .. } => String::new(),
    }
}

/// A range of times. Whole days are written without their times.
fn timestamp(from: &str, to: &str) -> String {
    let days = (from.strip_suffix(DAY.0)).zip(to.strip_suffix(DAY.1));
    match days.filter(|(from, to)| is_day(from) && is_day(to)) {
        Some(DATES) => "timestamp".to_owned(),
        Some(days) => {
            let (first, last) = (write_name(days.0, &["to"]), write_name(days.1, &["to"]));
            match first.starts_with('"') || last.starts_with('"') {
                false => format!("timestamp {first} to {last}"),
                true => format!("timestamp {} to {}", quoted(from), quoted(to)),
            }
        }
        // Quotes keep what looks like a day as it is.
        None if is_day(from) || is_day(to) => {
            format!("timestamp {} to {}", quoted(from), quoted(to))
        }
        None => format!(
            "timestamp {} to {}",
            write_name(from, &["to"]),
            write_name(to, &["to"])
        ),
    }
}

//! Problems of samples.

use super::templates;
use super::time_order::MAX_SAMPLES;
use crate::engine::key_sources::is_replaced;
use crate::engine::{Items, Problem, ProblemKind, find_duplicate_key};
use crate::lint::entity_facts::{EntityFacts, KeyFacts};
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{Attribute, Format, IndexId, OnDelimiter, SampleId, Value, limits, short};
use crate::template;

/// The first of several samples with the same problem, and their number.
struct Case {
    kind: ProblemKind,
    index: IndexId,
    attribute: String,
    /// The affected attributes of the first sample's item.
    attributes: Vec<String>,
    first: SampleId,
    message: String,
    count: usize,
}

fn cases(
    context: &Context,
    items: &Items,
    wanted: &dyn Fn(ProblemKind, bool) -> bool,
) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (item, count) in items.runs_with_problems() {
        for problem in item.problems() {
            if !wanted(problem.kind, problem.stops())
                || problem.message.contains("contains the delimiter")
            {
                continue;
            }
            let known = cases.iter_mut().find(|case| {
                case.kind == problem.kind
                    && case.index == problem.index
                    && case.attribute == problem.attribute
            });
            match known {
                Some(case) => case.count += count,
                None => cases.push(Case {
                    kind: problem.kind,
                    index: problem.index,
                    attribute: problem.attribute.clone(),
                    attributes: affected_attributes(problem),
                    first: item.id(),
                    message: problem.describe(match problem.index.is_primary() {
                        true => "the table's",
                        false => context.design.index_name(problem.index),
                    }),
                    count,
                }),
            }
        }
    }
    cases
}

fn report(facts: &EntityFacts, case: &Case, what: &str, found: &mut Found) {
    let more = match case.count {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let message = format!("{}: a sample {what}: {}{more}.", facts.name(), case.message);
    let mut finding = NewFinding::at(Place::Sample(facts.id, case.first), message);
    for name in &case.attributes {
        finding = finding.attribute(name);
    }
    found.add(finding);
}

/// Returns the attributes that a problem names: the affected one, and those of its template.
fn affected_attributes(problem: &Problem) -> Vec<String> {
    let mut names = vec![problem.attribute.clone()];
    let template = template::parse(problem.template.as_deref().unwrap_or("")).template;
    let all = || template.attributes().map(str::to_owned);
    let named = all().filter(|name| problem.message.contains(&format!("`{name}`")));
    names.extend(named);
    // A problem of the whole key can come from any of them.
    if names.len() == 1 {
        names.extend(all());
    }
    names
}

/// DynamoDB would not store a sample's item.
pub const NOT_STORED: Rule = Rule {
    code: "S001",
    name: "sample-not-stored",
    severity: Severity::Warning,
    check: Check::Samples(not_stored),
};

fn not_stored(context: &Context, facts: &EntityFacts, items: &Items, found: &mut Found) {
    // `template-error` reports errors of the template itself.
    let wanted = |kind, stops| stops && kind != ProblemKind::Template;
    // Without a key in any sample, `no-primary-key` says it once.
    let has_key = |key: &KeyFacts| {
        let mut samples = context.design.samples_of(facts.id).iter();
        key.value.is_some() || samples.any(|sample| sample.values.contains_key(&key.attribute.name))
    };
    if !facts
        .primary()
        .is_some_and(|entry| entry.keys.iter().all(has_key))
    {
        return;
    }
    for case in cases(context, items, &wanted) {
        report(facts, &case, "cannot be stored", found);
    }
}

/// A sample's value contains the delimiter.
pub const DELIMITER: Rule = Rule {
    code: "S002",
    name: "delimiter-in-sample",
    severity: Severity::Warning,
    check: Check::Samples(delimiter),
};

fn delimiter(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    let policy = &context.design.delimiter;
    if policy.delimiter.is_empty() || policy.on_conflict != OnDelimiter::Reject {
        return;
    }
    let samples = context.design.samples_of(facts.id);
    let mut seen: Vec<&str> = Vec::new();
    for (entry, _, compiled) in templates(facts) {
        if compiled.template.is_single_placeholder() {
            continue;
        }
        for placeholder in compiled.template.placeholders() {
            let name = placeholder.attribute.as_str();
            if seen.contains(&name) || !placeholder.modifiers.is_empty() {
                continue;
            }
            let bad =
                samples
                    .iter()
                    .take(MAX_SAMPLES)
                    .find_map(|sample| match sample.values.get(name) {
                        Some(Value::S(text)) if text.contains(&policy.delimiter) => {
                            Some((sample.id, text.clone()))
                        }
                        _ => None,
                    });
            let Some((sample, text)) = bad else {
                continue;
            };
            seen.push(name);
            let lost = match entry.index.is_primary() {
                true => "cannot be stored".to_owned(),
                false => format!("is not in {}", context.design.index_name(entry.index)),
            };
            let message = format!(
                "{}: `{name}` is `{text}`, which contains the delimiter `{}`, and the design rejects such values: with `{}` the item {lost}. Change the value, or percent-encode the delimiter.",
                facts.name(),
                policy.delimiter,
                short(&compiled.text),
            );
            found.add(NewFinding::at(Place::Sample(facts.id, sample), message).attribute(name));
        }
    }
}

/// Two samples have the same primary key.
pub const SAME_KEY: Rule = Rule {
    code: "S003",
    name: "samples-with-same-key",
    severity: Severity::Warning,
    check: Check::Samples(same_key),
};

fn same_key(context: &Context, facts: &EntityFacts, items: &Items, found: &mut Found) {
    let key = &context.design.table.key;
    let Some([first, second]) = find_duplicate_key(items, key) else {
        return;
    };
    let names = || key.attributes().map(|key| key.name.as_str());
    let texts: Vec<String> = names()
        .filter_map(|name| first.get(name))
        .map(|value| match &*value.value() {
            Value::S(text) => format!("`{text}`"),
            other => format!("`{}`", other.to_dynamodb_json()),
        })
        .collect();
    let message = format!(
        "{}: two samples have the same primary key {}, so one overwrites the other. Add a distinguishing attribute to the primary key, or change a value.",
        facts.name(),
        texts.join(" / "),
    );
    let mut finding = NewFinding::at(Place::Sample(facts.id, second.id()), message);
    for name in names() {
        finding = finding.attribute(name);
    }
    found.add(finding);
}

/// A sample's value has another type than its attribute.
pub const OTHER_TYPE: Rule = Rule {
    code: "S004",
    name: "sample-of-other-type",
    severity: Severity::Info,
    check: Check::Samples(other_type),
};

fn other_type(context: &Context, facts: &EntityFacts, items: &Items, found: &mut Found) {
    for case in cases(context, items, &|kind, _| kind == ProblemKind::OtherType) {
        let what = "has a value of the wrong type";
        report(facts, &case, what, found);
    }
}

/// A template replaces a value of the sample, or two templates write different values.
pub const REPLACED: Rule = Rule {
    code: "S005",
    name: "sample-value-replaced",
    severity: Severity::Warning,
    check: Check::Samples(replaced),
};

fn replaced(context: &Context, facts: &EntityFacts, items: &Items, found: &mut Found) {
    let wanted = |kind, _| matches!(kind, ProblemKind::Conflict | ProblemKind::Replaced);
    for case in cases(context, items, &wanted) {
        report(facts, &case, "has two values for one attribute", found);
    }
}

/// An item is close to the size limit, or a value exceeds the nesting limit.
pub const SIZE: Rule = Rule {
    code: "S006",
    name: "large-item",
    severity: Severity::Warning,
    check: Check::Samples(size),
};

fn size(_: &Context, facts: &EntityFacts, items: &Items, found: &mut Found) {
    for item in items.iter().take(MAX_SAMPLES) {
        let bytes = item.size();
        if bytes > limits::ITEM_BYTES / 4 * 3 && bytes <= limits::ITEM_BYTES {
            let message = format!(
                "{}: an item has {} KB of at most {} KB, and each write costs one unit per KB. Keep large values in S3, or split the item.",
                facts.name(),
                bytes / 1024,
                limits::ITEM_BYTES / 1024,
            );
            found.add(NewFinding::at(Place::Sample(facts.id, item.id()), message));
            return;
        }
    }
    for item in items.iter().take(MAX_SAMPLES) {
        let values = &item.sample().values;
        let deep = values
            .iter()
            .find(|(_, value)| depth(value) > limits::NESTING_LEVELS);
        if let Some((name, _)) = deep {
            let message = format!(
                "{}: `{name}` is nested deeper than {} levels, the limit of DynamoDB. Flatten it.",
                facts.name(),
                limits::NESTING_LEVELS,
            );
            found.add(NewFinding::at(Place::Sample(facts.id, item.id()), message).attribute(name));
            return;
        }
    }
}

/// A sample's value is not one of those that its attribute lists.
pub const UNLISTED: Rule = Rule {
    code: "S008",
    name: "unlisted-sample-value",
    severity: Severity::Info,
    check: Check::Samples(unlisted),
};

fn unlisted(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    for attribute in &facts.entity.attributes {
        if let Some(Format::OneOf(choices)) = &attribute.format {
            let why = |value: &Value| {
                let is_listed = choices.iter().any(|choice| choice.value == *value);
                (!is_listed).then(|| {
                    format!(
                        "is `{}` in a sample, which is not one of the values that the attribute lists. Correct the sample, or add the value to the attribute.",
                        short(&value.to_text()),
                    )
                })
            };
            first_wrong_value(context, facts, attribute, why, found);
        }
    }
}

/// A sample's value is no date, although the attribute's format is one.
pub const NOT_A_DATE: Rule = Rule {
    code: "S009",
    name: "sample-not-a-date",
    severity: Severity::Info,
    check: Check::Samples(not_a_date),
};

fn not_a_date(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    for attribute in &facts.entity.attributes {
        if let Some(Format::Date { .. } | Format::Timestamp { .. }) = &attribute.format {
            let why = |value: &Value| {
                let Value::S(text) = value else {
                    return None;
                };
                template::check_iso(text).err()?;
                // The message of a long text is short.
                let error = template::check_iso(&short(text)).err()?;
                Some(format!(
                    "has a wrong value in a sample: {error}. Correct the sample, or change the format."
                ))
            };
            first_wrong_value(context, facts, attribute, why, found);
        }
    }
}

/// Reports the first sample whose value of an attribute is wrong for its format. `why` says what is wrong, after the name
/// of the attribute. `sample-of-other-type` reports values of another type.
fn first_wrong_value(
    context: &Context,
    facts: &EntityFacts,
    attribute: &Attribute,
    why: impl Fn(&Value) -> Option<String>,
    found: &mut Found,
) {
    let name = &attribute.name;
    let mut samples = context.design.samples_of(facts.id).iter().take(MAX_SAMPLES);
    let wrong = samples.find_map(|sample| {
        let value = sample.values.get(name)?;
        let why = why(value).filter(|_| value.kind() == attribute.kind)?;
        Some((sample.id, why))
    });
    if let Some((sample, why)) = wrong {
        let message = format!("{}: `{name}` {why}", facts.name());
        found.add(NewFinding::at(Place::Sample(facts.id, sample), message).attribute(name));
    }
}

/// Returns the number of nested levels of lists and maps in a value.
fn depth(value: &Value) -> usize {
    match value {
        Value::L(values) => 1 + values.iter().map(depth).max().unwrap_or(0),
        Value::M(values) => 1 + values.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Some samples have no value of a required attribute.
pub const REQUIRED: Rule = Rule {
    code: "S010",
    name: "required-value-missing",
    severity: Severity::Info,
    check: Check::Samples(required),
};

fn required(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    let samples = context.design.samples_of(facts.id);
    // `sample-not-stored` reports values that the primary key needs.
    let is_in_primary = |attribute: &Attribute| {
        let keys = facts.primary().into_iter().flat_map(|entry| &entry.keys);
        keys.filter_map(|key| key.value.as_ref())
            .any(|value| value.template.uses(&attribute.name))
    };
    // A value that a template or the type attribute writes is in the item.
    let is_written = |name: &str| {
        context.design.table.is_type_attribute(name)
            || is_replaced(context.design, &facts.entity, name)
    };
    let required = facts.entity.attributes.iter().filter(|it| it.required);
    for attribute in required.filter(|it| !is_written(&it.name)) {
        let mut missing = samples
            .iter()
            .filter(|sample| !sample.values.contains_key(&attribute.name));
        let Some(first) = missing.next() else {
            continue;
        };
        let count = 1 + missing.count();
        // An attribute without any value has no values yet.
        if count == samples.len() || is_in_primary(attribute) {
            continue;
        }
        let what = match count {
            1 => "a sample has no value".to_owned(),
            count => format!("{count} samples have no value"),
        };
        let message = format!(
            "{}: {what} of `{}`, which is required. Add the value, or make the attribute optional.",
            facts.name(),
            attribute.name
        );
        let place = Place::Sample(facts.id, first.id);
        found.add(NewFinding::at(place, message).attribute(&attribute.name));
    }
}

//! Collisions, prefix bleed and open prefixes against brute force: all keys of small templates over a small alphabet.

use keyfold_core::engine::overlap;
use keyfold_core::lint::entity_facts::Compiled;
use keyfold_core::lint::{Severity, lint};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Choice, DelimiterPolicy, Design, Entity, EntityId,
    Format, IndexEntry, IndexId, OnDelimiter, SortedMap, SortedSet, Value,
};
use keyfold_core::template::{Form, Shapes, Template, ValueShape, render};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

/// The possible values of a placeholder.
#[derive(Debug, Clone)]
enum Values {
    /// One or two of `a` and `#`.
    Chars,
    /// These values.
    OneOf(Vec<&'static str>),
}

impl Values {
    fn all(&self) -> Vec<String> {
        match self {
            Values::OneOf(texts) => texts.iter().map(|text| (*text).to_owned()).collect(),
            Values::Chars => {
                let one = ["a", "#"];
                let mut all: Vec<String> = one.map(str::to_owned).into();
                for first in one {
                    all.extend(one.map(|second| format!("{first}{second}")));
                }
                all
            }
        }
    }

    fn shape(&self) -> ValueShape {
        ValueShape::text(match self {
            Values::OneOf(texts) => Form::OneOf(texts.iter().map(|t| (*t).to_owned()).collect()),
            Values::Chars => Form::Chars {
                allowed: vec!['a'..='a', '#'..='#'],
                min: 1,
                max: Some(2),
            },
        })
    }
}

/// Returns a template's text with the values of its placeholders, each of which has its own attribute.
#[derive(Debug, Clone)]
struct Made {
    text: String,
    values: Vec<(String, Values)>,
}

fn made() -> impl Strategy<Value = Made> {
    let values = prop_oneof![
        Just(Values::Chars),
        Just(Values::OneOf(vec!["a"])),
        Just(Values::OneOf(vec!["A", "aA", "a#"])),
        Just(Values::OneOf(vec!["A", "a"])),
    ];
    let piece = prop_oneof![
        Just(Err("A")),
        Just(Err("#")),
        Just(Err("A#")),
        Just(Err("#A")),
        values.clone().prop_map(Ok),
        values.prop_map(Ok),
    ];
    prop::collection::vec(piece, 1..5).prop_map(|pieces| {
        let (mut text, mut values) = (String::new(), Vec::new());
        for piece in pieces {
            match piece {
                Err(literal) => text.push_str(literal),
                Ok(of) => {
                    let name = format!("v{}", values.len());
                    text += &format!("{{{name}}}");
                    values.push((name, of));
                }
            }
        }
        Made { text, values }
    })
}

/// Returns all keys that the template renders.
fn keys(made: &Made, policy: &DelimiterPolicy) -> SortedSet<String> {
    let template = Template::from(made.text.as_str());
    let rendered = (assignments(made).into_iter())
        .filter_map(|values| render(&template, policy, &|name| values.get(name)).ok());
    rendered.collect()
}

/// Returns all keys of two templates with shared values.
fn key_pairs(one: &Made, other: &Made, policy: &DelimiterPolicy) -> SortedSet<(String, String)> {
    let (left, right) = (
        Template::from(one.text.as_str()),
        Template::from(other.text.as_str()),
    );
    let pair = |values: SortedMap<String, Value>| {
        let side = |template| render(template, policy, &|name| values.get(name)).ok();
        side(&left).zip(side(&right))
    };
    assignments(one).into_iter().filter_map(pair).collect()
}

fn add_entity(
    design: &mut Design,
    name: String,
    values: &[(String, Values)],
    partition: &str,
    sort: &str,
) {
    let mut entity = Entity::new(name, 0);
    for (name, values) in values {
        let id = AttributeId(design.take_id());
        let mut attribute = Attribute::new(id, name.clone(), AttributeType::S);
        let choice = |text: String| Choice {
            value: Value::S(text),
            weight: 1,
        };
        let choices = values.all().into_iter().map(choice).collect();
        attribute.format = Some(Format::OneOf(choices));
        attribute.required = true;
        entity.attributes.push(attribute);
    }
    let entry = IndexEntry::pair(partition, sort);
    entity.keys.insert(IndexId::PRIMARY, entry);
    let id = EntityId(design.take_id());
    design.entities.insert(id, Arc::new(entity));
}

/// Returns all combinations of values of the attributes.
fn assignments(made: &Made) -> Vec<SortedMap<String, Value>> {
    let mut all: Vec<SortedMap<String, Value>> = vec![SortedMap::new()];
    for (name, values) in &made.values {
        let mut more = Vec::new();
        for known in &all {
            for value in values.all() {
                let mut next = known.clone();
                next.insert(name.clone(), Value::S(value));
                more.push(next);
            }
        }
        all = more;
    }
    all
}

fn compiled(made: &Made, policy: &Arc<DelimiterPolicy>) -> Compiled {
    let shapes: Shapes = (made.values.iter())
        .map(|(name, values)| (name.clone(), values.shape()))
        .collect();
    Compiled::new(&made.text, policy, &|name| shapes.get(name).cloned())
}

fn policy() -> impl Strategy<Value = Arc<DelimiterPolicy>> {
    let on = prop_oneof![Just(OnDelimiter::Reject), Just(OnDelimiter::PercentEncode)];
    (prop_oneof![Just("#"), Just(""), Just("A")], on).prop_map(|(delimiter, on_conflict)| {
        Arc::new(DelimiterPolicy {
            delimiter: delimiter.into(),
            on_conflict,
        })
    })
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn common_keys_of_two_templates_match_brute_force(a in made(), b in made(), policy in policy()) {
        let (left, right) = (keys(&a, &policy), keys(&b, &policy));
        let (one, other) = (compiled(&a, &policy), compiled(&b, &policy));
        let meet = left.iter().any(|key| right.contains(key));
        prop_assert_eq!(overlap::meet(&one, &other), Ok(meet), "{:?} {:?}", left, right);
        let begins = left.iter().any(|prefix| right.iter().any(|key| key.starts_with(prefix)));
        prop_assert_eq!(overlap::begins(&one, &other), Ok(begins), "{:?} {:?}", left, right);
        // The examples are keys.
        if let Some(example) = one.language().collides(other.language()).unwrap() {
            prop_assert!(left.contains(&example) && right.contains(&example), "{}", example);
        }
        if let Some(example) = one.language().is_prefix_in(other.language()).unwrap() {
            prop_assert!(right.contains(&example), "{}", example);
            prop_assert!(left.iter().any(|prefix| example.starts_with(prefix)), "{}", example);
        }
        let open = left.iter().any(|short| {
            left.iter().any(|long| long != short && long.starts_with(short.as_str()))
        });
        let found = one.language().open_prefix().unwrap();
        prop_assert_eq!(found.is_some(), open, "{:?} {:?}", found, left);
        let bytes = left.iter().map(String::len).max();
        if let (Some(longest), Some(bytes)) = (one.language().max_length(), bytes) {
            prop_assert_eq!(longest, bytes);
        }
    }

    #[test]
    fn equal_keys_with_shared_attributes_match_brute_force(
        [a, b, c, d] in [made(), made(), made(), made()],
        policy in policy(),
    ) {
        let both = [(&a, &b), (&c, &d)];
        let mut design = Design::new("Brute force");
        design.delimiter = policy.clone();
        for (number, (partition, sort)) in both.into_iter().enumerate() {
            // The sort key uses the attributes of the partition key, as far as there are enough.
            let mut values = partition.values.clone();
            values.extend(sort.values.iter().skip(values.len()).cloned());
            add_entity(&mut design, format!("E{number}"), &values, &partition.text, &sort.text);
        }
        let pairs = |(partition, sort): (&Made, &Made)| {
            let mut values = partition.values.clone();
            values.extend(sort.values.iter().skip(values.len()).cloned());
            let one = Made { text: partition.text.clone(), values: values.clone() };
            let other = Made { text: sort.text.clone(), values };
            key_pairs(&one, &other, &policy)
        };
        let (left, right) = (pairs(both[0]), pairs(both[1]));
        let meets = left.iter().any(|key| right.contains(key));
        let report = lint(&design);
        let said = report.findings.iter().find(|finding| finding.code == "K006");
        // The rule never misses a collision, and a certain finding is true.
        prop_assert!(said.is_some() || !meets);
        if let Some(said) = said && said.severity == Severity::Error {
            prop_assert!(meets, "{:?}", said);
        }
    }

    #[test]
    fn the_equal_keys_rule_matches_brute_force(
        [a, b, c, d] in [made(), made(), made(), made()],
        policy in policy(),
    ) {
        let mut design = Design::new("Brute force");
        design.delimiter = policy.clone();
        for (number, (partition, sort)) in [(&a, &b), (&c, &d)].into_iter().enumerate() {
            // The two templates have separate attributes.
            let apart = |made: &Made, side: &str| Made {
                text: made.text.replace("{v", &format!("{{{side}")),
                values: (made.values.iter())
                    .map(|(name, values)| (name.replace('v', side), values.clone()))
                    .collect(),
            };
            let (partition, sort) = (apart(partition, "p"), apart(sort, "s"));
            let values = [partition.values.clone(), sort.values.clone()].concat();
            add_entity(&mut design, format!("E{number}"), &values, &partition.text, &sort.text);
        }
        let meets = |one: &Made, other: &Made| {
            let (one, other) = (keys(one, &policy), keys(other, &policy));
            one.iter().any(|key| other.contains(key))
        };
        let report = lint(&design);
        let said = report.findings.iter().any(|finding| finding.code == "K006");
        prop_assert_eq!(said, meets(&a, &c) && meets(&b, &d), "{:?}", report.findings);
    }
}

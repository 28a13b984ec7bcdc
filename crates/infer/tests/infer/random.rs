//! Random designs of the usual kind: their items are explained by templates that render every key.

use super::support::*;
use keyfold_core::model::*;
use keyfold_infer::{Item, Schema};
use std::sync::Arc;

/// Random numbers without a source of randomness: a linear congruential generator. Source: Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const NOUNS: [&str; 16] = [
    "Tenant", "User", "Order", "Item", "Product", "Invoice", "Project", "Task", "Comment",
    "Device", "Event", "Session", "Payment", "Team", "Report", "Message",
];

/// A design with two to six entities, one or two indexes, modifiers, sparse indexes and natural keys.
fn design(seed: u64) -> Design {
    let random = &mut Random(seed.wrapping_mul(7919) + 1);
    let mut design = Design::new(format!("Random {seed}"));
    let delimiter = random.of(&["#", "#", "#", "|", ":", "/"]).to_owned();
    Arc::make_mut(&mut design.delimiter).delimiter = delimiter.clone();
    if random.below(4) == 0 {
        Arc::make_mut(&mut design.table).type_attribute = None;
    }
    let mut indexes = Vec::new();
    for number in 1..=1 + random.below(2) {
        let id = IndexId(design.take_id());
        let key = KeySchema::pair(format!("GSI{number}PK"), format!("GSI{number}SK"));
        design.indexes.insert(
            id,
            Arc::new(Index::new(format!("GSI{number}"), IndexKind::Gsi, key)),
        );
        indexes.push(id);
    }
    let lower = random.below(4) == 0;
    let start = random.below(NOUNS.len());
    for number in 0..2 + random.below(5) {
        let noun = NOUNS[(start + number) % NOUNS.len()];
        let parent = NOUNS[(start + random.below(number + 1)) % NOUNS.len()];
        let literal = |noun: &str| {
            if lower {
                noun.to_lowercase()
            } else {
                noun.to_uppercase()
            }
        };
        let own = format!("{}Id", noun.to_lowercase());
        let other = format!("{}Id", parent.to_lowercase());
        let id = EntityId(design.take_id());
        let mut entity = Entity::new(noun, 0);
        let mut add = |design: &mut Design, name: &str, kind, format| {
            let mut attribute = Attribute::new(AttributeId(design.take_id()), name, kind);
            attribute.required = true;
            attribute.format = format;
            entity.attributes.push(attribute);
        };
        let sequence = |prefix: &str| {
            Some(Format::Sequence {
                prefix: prefix.into(),
                start: 1,
                digits: 3,
            })
        };
        add(&mut design, &own, AttributeType::S, sequence(&own[..1]));
        if other != own {
            add(&mut design, &other, AttributeType::S, sequence(&other[..1]));
        }
        let time = |from: &str, to: &str| {
            Some(Format::Timestamp {
                from: from.into(),
                to: to.into(),
            })
        };
        add(
            &mut design,
            "createdAt",
            AttributeType::S,
            time("2025-01-01T00:00:00Z", "2026-12-31T00:00:00Z"),
        );
        let choice = |text: &str| Choice {
            value: Value::from(text),
            weight: 1,
        };
        let status = Format::OneOf(vec![choice("OPEN"), choice("DONE"), choice("LATE")]);
        add(&mut design, "status", AttributeType::S, Some(status));
        add(
            &mut design,
            "score",
            AttributeType::N,
            Some(Format::Integer { min: 0, max: 9999 }),
        );
        add(
            &mut design,
            &format!("{}Name", noun.to_lowercase()),
            AttributeType::S,
            Some(Format::PersonName),
        );
        let d = &delimiter;
        let (noun, parent) = (literal(noun), literal(parent));
        let (partition, sort) = match random.below(4) {
            0 => (format!("{noun}{d}{{{own}}}"), literal("METADATA")),
            1 => (
                format!("{parent}{d}{{{other}}}"),
                format!("{noun}{d}{{{own}}}"),
            ),
            2 => (
                format!("{parent}{d}{{{other}}}{d}{noun}"),
                format!("{{{own}}}"),
            ),
            _ => (
                format!("{parent}{d}{{{other}}}"),
                format!("{noun}{d}{{createdAt:date}}{d}{{{own}}}"),
            ),
        };
        entity
            .keys
            .insert(IndexId::PRIMARY, IndexEntry::pair(partition, sort));
        for index in &indexes {
            let (partition, sort) = match random.below(6) {
                0 => (
                    format!("{noun}_STATUS{d}{{status}}"),
                    "{createdAt}".to_owned(),
                ),
                1 => (
                    format!("{noun}{d}{{createdAt:month}}"),
                    format!("{{createdAt}}{d}{{{own}}}"),
                ),
                2 => (
                    format!("{noun}{d}{{{own}:shard(10)}}"),
                    format!("{{score:desc(6)}}{d}{{{own}}}"),
                ),
                3 => (
                    format!("ALL_{noun}"),
                    format!("{{score:pad(5)}}{d}{{{own}}}"),
                ),
                _ => continue,
            };
            let mut entry = IndexEntry::pair(partition, sort);
            if random.below(4) == 0 {
                let test = Test::Equals(Value::from("OPEN"));
                entry.when.push(Condition {
                    attribute: "status".into(),
                    test,
                });
            }
            entity.keys.insert(*index, entry);
        }
        design.entities.insert(id, Arc::new(entity));
    }
    assert_eq!(validate_invariants(&design), []);
    with_rows(&design, 20, seed)
}

#[test]
fn items_of_random_designs_are_explained_by_templates() {
    let (mut explained, mut all, mut equal) = (0, 0, 0);
    let mut worst: Vec<(usize, String)> = Vec::new();
    for seed in 0..200 {
        let design = design(seed);
        let schema = Schema::of(&design);
        let items: Vec<Item> = items_of(&design)
            .into_iter()
            .map(|(_, item)| item)
            .collect();
        let found = infer_all(&schema, &items);
        let keys: Vec<&str> = schema
            .keys()
            .flat_map(KeySchema::attributes)
            .map(|key| key.name.as_str())
            .collect();
        let mut left = 0;
        for entity in &found.entities {
            // Every key attribute of these designs is written by a template.
            let plain =
                |sample: &&Item| entity.is_rest || keys.iter().any(|key| sample.contains_key(*key));
            left += entity.samples.iter().filter(plain).count();
        }
        explained += items.len() - left;
        all += items.len();
        let (wanted, lines) = (lines_of(&design), lines_found(&found));
        if wanted == lines {
            equal += 1;
        }
        if left > 0 || wanted != lines {
            let minus = wanted
                .iter()
                .filter(|line| !lines.contains(line))
                .map(|line| format!("- {line}"));
            let plus = lines
                .iter()
                .filter(|line| !wanted.contains(line))
                .map(|line| format!("+ {line}"));
            let lines: Vec<String> = minus.chain(plus).collect();
            worst.push((
                left,
                format!("seed {seed}: {left} left\n  {}", lines.join("\n  ")),
            ));
        }
    }
    worst.sort();
    worst
        .iter()
        .rev()
        .take(12)
        .for_each(|(_, text)| println!("{text}"));
    println!("{explained} of {all} items are explained; {equal} of 200 designs are equal");
    assert!(explained * 100 >= all * 95, "{explained} of {all}");
}

//! Profiles: small, and the same however the items are divided and ordered.

use super::support::*;
use keyfold_core::library::patterns;
use keyfold_core::model::{KeySchema, Value};
use keyfold_infer::{EXAMPLES, Item, Profile, Schema, infer, infer_profile};

fn profile(schema: &Schema, items: &[Item]) -> Profile {
    let mut profile = Profile::new(schema.clone(), EXAMPLES);
    items.iter().for_each(|item| profile.add(item));
    profile
}

fn merged(parts: &[Profile]) -> Profile {
    let mut all = parts[0].clone();
    parts[1..]
        .iter()
        .for_each(|part| all.merge(part.clone()).expect("the same table"));
    all
}

/// Items with ever more different words in their keys, so that the groups become coarser.
fn varied(count: usize) -> Vec<Item> {
    let word = |mut n: usize| {
        let mut word = String::new();
        for _ in 0..4 {
            word.push(char::from(b'A' + (n % 26) as u8));
            n /= 26;
        }
        word
    };
    let item = |n: usize| {
        Item::from([
            ("PK".to_owned(), Value::S(format!("{}#{n}", word(n * 7919)))),
            (
                "SK".to_owned(),
                Value::S(format!("{}#{}", word(n), word(n / 3))),
            ),
            (format!("a{}", n % 300), Value::S(n.to_string())),
        ])
    };
    (0..count).map(item).collect()
}

#[test]
fn merging_is_associative_and_independent_of_the_order() {
    let schema = Schema {
        table: "table".into(),
        key: KeySchema::pair("PK", "SK"),
        indexes: Vec::new(),
    };
    for count in [10, 600, 3000] {
        let items = varied(count);
        let whole = profile(&schema, &items);
        let parts: Vec<Profile> = items
            .chunks(count.div_ceil(7))
            .map(|chunk| profile(&schema, chunk))
            .collect();
        let mut backward = parts.clone();
        backward.reverse();
        let nested = merged(&[merged(&parts[..3]), merged(&parts[3..])]);
        let mut reversed = items.clone();
        reversed.reverse();
        for other in [
            merged(&parts),
            merged(&backward),
            nested,
            profile(&schema, &reversed),
        ] {
            assert_eq!(other.items(), count as u64);
            assert!(other == whole, "{count} items");
        }
    }
}

#[test]
fn a_profile_is_read_back_from_its_json() {
    for pattern in patterns() {
        let design = pattern.design().unwrap();
        let items: Vec<Item> = items_of(&design)
            .into_iter()
            .map(|(_, item)| item)
            .collect();
        let profile = profile(&Schema::of(&design), &items);
        let text = serde_json::to_string(&profile).unwrap();
        let back: Profile = serde_json::from_str(&text).unwrap();
        assert!(back == profile, "{}", pattern.name);
    }
}

#[test]
fn the_order_of_the_items_does_not_matter() {
    for pattern in patterns() {
        let design = with_rows(&pattern.design().unwrap(), 12, 3);
        let schema = Schema::of(&design);
        let mut items: Vec<Item> = items_of(&design)
            .into_iter()
            .map(|(_, item)| item)
            .collect();
        let forward = infer(&schema, &items, &[]);
        items.reverse();
        let backward = infer(&schema, &items, &[]);
        assert_eq!(
            lines_found(&forward),
            lines_found(&backward),
            "{}",
            pattern.name
        );
        let attributes = |found: &keyfold_infer::Inferred| -> Vec<_> {
            found
                .entities
                .iter()
                .map(|entity| entity.attributes.clone())
                .collect()
        };
        assert_eq!(
            attributes(&forward),
            attributes(&backward),
            "{}",
            pattern.name
        );
    }
}

#[test]
fn a_profile_shows_the_same_templates_as_all_items() {
    for pattern in patterns() {
        let design = with_rows(&pattern.design().unwrap(), 200, 5);
        let schema = Schema::of(&design);
        let items: Vec<Item> = items_of(&design)
            .into_iter()
            .map(|(_, item)| item)
            .collect();
        let all = infer(&schema, &items, &[]);
        let few = infer_profile(&profile(&schema, &items), &[]);
        assert_eq!(lines_found(&all), lines_found(&few), "{}", pattern.name);
    }
}

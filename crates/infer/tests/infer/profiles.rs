//! Profiles: small, and the same however the items are divided and ordered.

use super::support::*;
use keyfold_core::library::patterns;
use keyfold_core::model::{KeySchema, SortedMap, SortedSet, Value};
use keyfold_infer::{EXAMPLES, Hint, Inferred, Item, Profile, Schema, infer, infer_profile};

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

/// A word of small letters for each number.
fn small_word(mut n: usize) -> String {
    let mut word = String::new();
    for _ in 0..4 {
        word.push(char::from(b'a' + (n % 26) as u8));
        n /= 26;
    }
    word
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
        let few = infer_profile(&profile(&schema, &items));
        assert_eq!(lines_found(&all), lines_found(&few), "{}", pattern.name);
    }
}

/// The lines of the entities that a profile of these items shows.
fn shown_by_profile(items: &[Item]) -> Vec<String> {
    lines_found(&infer_profile(&profile(&table("PK", "SK"), items)))
}

#[test]
fn a_kind_with_few_items_is_found_beside_thousands_of_names() {
    let mut items = Vec::new();
    for n in 0..3000 {
        let name = small_word(n * 7919);
        let (pk, sk) = (format!("{name}#ORDERS"), format!("ORDER#{n}"));
        items.push(item(&[("PK", &pk), ("SK", &sk), ("total", "5")]));
        if n % 300 == 0 {
            let pk = format!("{name}#ACCOUNT");
            items.push(item(&[
                ("PK", &pk),
                ("SK", "PROFILE"),
                ("email", "a@b.example"),
            ]));
        }
    }
    let wanted = [
        "Order 0: {pkValue}#ORDERS | ORDER#{orderId}",
        "Profile 0: {pkValue}#ACCOUNT | PROFILE",
    ];
    assert_eq!(shown_by_profile(&items), wanted);
}

#[test]
fn an_attribute_that_looks_like_a_type_and_has_thousands_of_values_hides_no_kind() {
    let mut items = Vec::new();
    for n in 0..3000 {
        let (pk, model) = (format!("PRODUCT#{n}"), format!("X-{n}"));
        items.push(item(&[("PK", &pk), ("SK", "PRODUCT"), ("model", &model)]));
        if n % 300 == 0 {
            items.push(item(&[
                ("PK", &pk),
                ("SK", "STOCK"),
                ("model", &model),
                ("count", "5"),
            ]));
        }
    }
    let wanted = [
        "Product 0: PRODUCT#{productId} | PRODUCT",
        "Stock 0: PRODUCT#{productId} | STOCK",
    ];
    assert_eq!(shown_by_profile(&items), wanted);
}

#[test]
fn examples_keep_small_collections_and_no_set_is_emptied() {
    let texts =
        |count: usize| -> Value { Value::Ss((0..count).map(|n| format!("text {n}")).collect()) };
    let mut item = item(&[("PK", "A#1"), ("SK", "B")]);
    item.insert("small".into(), texts(2));
    let map = SortedMap::from([("city".to_owned(), Value::from("Rome"))]);
    item.insert("map".into(), Value::M(map));
    item.insert("list".into(), Value::L(vec![Value::Null]));
    let numbers = (1..3).map(|n| n.to_string().parse().unwrap());
    item.insert("numbers".into(), Value::Ns(numbers.collect()));
    let small = item.clone();
    item.insert("large".into(), texts(1000));
    item.insert(
        "bytes".into(),
        Value::Bs(SortedSet::from_iter([vec![1; 2000], vec![2; 3]])),
    );
    item.insert("texts".into(), Value::L(vec![Value::S("x".repeat(2000))]));
    let found = infer_profile(&profile(&table("PK", "SK"), &[item]));
    let mut back = found.items(&table("PK", "SK")).remove(0).1;
    assert_eq!(back.remove("large"), Some(texts(1)));
    assert_eq!(
        back.remove("bytes"),
        Some(Value::Bs(SortedSet::from_iter([vec![1; 1024]])))
    );
    assert_eq!(back.remove("texts"), Some(Value::L(Vec::new())));
    assert_eq!(back, small);
}

#[test]
fn the_estimated_numbers_of_items_add_up() {
    let item = |n: usize| {
        let pk = if n % 4 == 3 {
            format!("a_{n}")
        } else {
            format!("A#{n}")
        };
        item(&[("PK", &pk), ("SK", &format!("{n}"))])
    };
    let items: Vec<Item> = (0..1000).map(item).collect();
    let found = infer_profile(&profile(&table("PK", "SK"), &items));
    let counts = found.entities.iter().map(|entity| entity.count);
    assert_eq!(counts.sum::<u64>(), 1000);
}

#[test]
fn hints_name_the_same_entities_in_any_order_of_the_items() {
    let mut items: Vec<Item> = (0..6)
        .map(|n| {
            item(&[
                ("PK", &format!("U#{n}")),
                ("SK", "M"),
                ("name", "x"),
                ("email", "y"),
            ])
        })
        .collect();
    items.push(item(&[
        ("PK", "U#9"),
        ("SK", "M"),
        ("name", "x"),
        ("email", "y"),
        ("a", ""),
        ("b", ""),
        ("c", ""),
    ]));
    let hint = Hint {
        name: "customer".into(),
        attributes: vec!["name".into(), "email".into()],
        ..Hint::default()
    };
    let names = |items: &[Item]| -> Vec<String> {
        let found: Inferred = infer(&table("PK", "SK"), items, std::slice::from_ref(&hint));
        found
            .entities
            .into_iter()
            .map(|entity| entity.name)
            .collect()
    };
    let forward = names(&items);
    items.reverse();
    assert_eq!(names(&items), forward);
    assert_eq!(forward, ["customer"]);
}

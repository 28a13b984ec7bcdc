//! Copy, paste, and moving a wire to another index.

use crate::commands::{at, saas, sound};
use keyfold_app::announcement::announcement;
use keyfold_app::card_clipboard::{copy, pasted_cards, read};
use keyfold_app::{Command, Document, Refused, apply, diff};
use keyfold_core::library;
use keyfold_core::model::*;
use keyfold_core::model::{SortedMap, SortedSet};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

fn entity_card(design: &Design, name: &str) -> CardId {
    CardId::Entity(design.entity_named(name).unwrap())
}

fn index_card(design: &Design, name: &str) -> CardId {
    CardId::Index(design.index_named(name).unwrap())
}

/// Pastes these cards of `from` into `to` at (1000, 2000).
fn paste(from: &Design, cards: impl IntoIterator<Item = CardId>, to: &Design) -> Design {
    let text = copy(from, &cards.into_iter().collect()).unwrap();
    let clip = Box::new(read(&text).unwrap());
    let after = apply(
        to,
        Command::Paste {
            clip,
            at: at(1000, 2000),
            duplicates: false,
        },
    )
    .unwrap();
    sound(&after);
    after
}

fn keys<'a>(design: &'a Design, entity: &str) -> Vec<(&'a str, Option<&'a str>, Option<&'a str>)> {
    let entity = &design.entities[&design.entity_named(entity).unwrap()];
    (entity.keys.iter())
        .map(|(index, entry)| {
            let (partition, sort) = (entry.partition.as_deref(), entry.sort.as_deref());
            (design.index_name(*index), partition, sort)
        })
        .collect()
}

fn key_names(design: &Design, index: &str) -> Vec<String> {
    let index = design.index_named(index).unwrap();
    (design.indexes[&index].key.attributes())
        .map(|attribute| attribute.name.clone())
        .collect()
}

#[test]
fn a_pasted_entity_equals_the_original_except_for_its_name() {
    let before = saas();
    let after = paste(&before, [entity_card(&before, "User")], &before);
    assert_eq!(
        pasted_cards(&before, &after),
        SortedSet::from([entity_card(&after, "User 2")])
    );
    assert_eq!(keys(&after, "User 2"), keys(&after, "User"));
    let (old, new) = (
        after.entity_named("User").unwrap(),
        after.entity_named("User 2").unwrap(),
    );
    let values = |id| -> Vec<_> {
        let samples = after.samples_of(id).iter();
        samples.map(|sample| &sample.values).collect()
    };
    assert_eq!(values(new), values(old));
    assert!(!values(new).is_empty());
    let attributes = |id| -> Vec<_> {
        let attributes = after.entities[&id].attributes.iter();
        attributes
            .map(|a| (&a.name, a.kind, a.required, &a.format))
            .collect()
    };
    assert_eq!(attributes(new), attributes(old));
    assert_eq!(after.layout[&CardId::Entity(new)], at(1000, 2000));
    let third = paste(&after, [CardId::Entity(new)], &after);
    assert!(third.entity_named("User 3").is_some());
    assert!(third.entity_named("User 2 2").is_none());
}

#[test]
fn pasted_cards_keep_their_relative_positions() {
    let before = saas();
    let cards = [
        entity_card(&before, "User"),
        entity_card(&before, "Project"),
        index_card(&before, "GSI1"),
    ];
    let after = paste(&before, cards, &before);
    let new = [
        entity_card(&after, "User 2"),
        entity_card(&after, "Project 2"),
        index_card(&after, "GSI4"),
    ];
    let places = |design: &Design, cards: [CardId; 3]| cards.map(|card| design.layout[&card]);
    let (old, new) = (places(&before, cards), places(&after, new));
    for (a, b) in old.iter().zip(&new) {
        assert_eq!(
            (a.x - old[0].x, a.y - old[0].y),
            (b.x - new[0].x, b.y - new[0].y)
        );
    }
    assert_eq!(new.iter().map(|point| point.x).min(), Some(1000));
    assert_eq!(new.iter().map(|point| point.y).min(), Some(2000));
}

#[test]
fn a_copied_index_gets_an_unused_name_and_key() {
    let before = saas();
    let user = before.entity_named("User").unwrap();
    let index = *(before.entities[&user].keys.keys())
        .find(|index| !index.is_primary())
        .unwrap();
    let name = before.index_name(index).to_owned();
    let after = paste(
        &before,
        [CardId::Entity(user), CardId::Index(index)],
        &before,
    );
    let names: Vec<_> = keys(&after, "User 2").iter().map(|key| key.0).collect();
    assert!(
        names.contains(&"GSI4") && !names.contains(&name.as_str()),
        "{names:?}"
    );
    assert_eq!(key_names(&after, "GSI4"), ["gsi4pk", "gsi4sk"]);
    assert_eq!(keys(&after, "User"), keys(&before, "User"));
}

#[test]
fn entries_are_pasted_into_the_index_of_the_same_name_or_dropped() {
    let from = saas();
    let user = entity_card(&from, "User");
    let mut to = Design::new("Other");
    let id = IndexId(to.take_id());
    let gsi = |key| Arc::new(Index::new("GSI1", IndexKind::Gsi, key));
    to.indexes.insert(id, gsi(KeySchema::pair("A", "B")));
    let after = paste(&from, [user], &to);
    let expected: Vec<_> = (keys(&from, "User").into_iter())
        .filter(|key| matches!(key.0, "Table" | "GSI1"))
        .collect();
    assert!(expected.len() == 2 && keys(&from, "User").len() > 1);
    assert_eq!(keys(&after, "User"), expected);

    let mut partition_only = KeySchema::pair("A", "B");
    partition_only.sort.clear();
    to.indexes.insert(id, gsi(partition_only));
    let after = paste(&from, [user], &to);
    assert_eq!(keys(&after, "User"), &expected[..1]);
}

#[test]
fn the_pasted_primary_entry_matches_the_tables_key() {
    let from = saas();
    let user = entity_card(&from, "User");
    let mut to = Design::new("Other");
    Arc::make_mut(&mut to.table).key.sort.clear();
    let after = paste(&from, [user], &to);
    assert_eq!(
        keys(&after, "User")[0],
        ("Table", Some("TENANT#{tenantId}"), None)
    );
    let back = paste(&after, [entity_card(&after, "User")], &Design::new("Third"));
    assert_eq!(
        keys(&back, "User"),
        [("Table", Some("TENANT#{tenantId}"), Some("METADATA"))]
    );
}

#[test]
fn pasted_key_attributes_match_the_table_and_have_one_type() {
    let mut from = Design::new("From");
    let mut add = |index: Index| {
        let id = IndexId(from.take_id());
        from.indexes.insert(id, Arc::new(index));
        CardId::Index(id)
    };
    let inverted = add(Index::new(
        "Inverted",
        IndexKind::Gsi,
        KeySchema::pair("SK", "PK"),
    ));
    let status = add(Index::new(
        "status",
        IndexKind::Gsi,
        KeySchema::pair("status", "GSI1PK"),
    ));
    let mut to = Design::new("To");
    Arc::make_mut(&mut to.table).key = KeySchema::pair("pk", "sk");
    let mut number = KeySchema::pair("GSI1PK", "status");
    number.sort[0].kind = KeyType::N;
    let id = IndexId(to.take_id());
    to.indexes
        .insert(id, Arc::new(Index::new("GSI1", IndexKind::Gsi, number)));
    let after = paste(&from, [inverted, status], &to);
    assert_eq!(key_names(&after, "Inverted"), ["sk", "pk"]);
    let status = after.index_named("status").unwrap();
    let key = &after.indexes[&status].key;
    assert_eq!(key.partition[0].kind, KeyType::N);
    assert_eq!(key.sort[0], KeyAttribute::text("GSI1PK"));
}

/// A design in which `Order` references `Customer`, and `Customer` references itself.
fn shop() -> Design {
    let mut design = Design::new("Shop");
    for name in ["Customer", "Order"] {
        let (name, at) = (name.to_owned(), Point::default());
        design = apply(&design, Command::AddEntity { name, at }).unwrap();
    }
    let customer = design.entity_named("Customer").unwrap();
    for name in ["Customer", "Order"] {
        let mut attribute = Attribute::new(AttributeId(0), "who", AttributeType::S);
        attribute.format = Some(Format::Reference {
            entity: customer,
            attribute: "customerId".into(),
            distribution: Distribution::Skewed,
        });
        let id = design.entity_named(name).unwrap();
        design = apply(&design, Command::AddAttribute(id, attribute)).unwrap();
    }
    sound(&design);
    design
}

fn reference(design: &Design, name: &str) -> Option<String> {
    let entity = &design.entities[&design.entity_named(name).unwrap()];
    match &entity.attribute("who").unwrap().format {
        Some(Format::Reference { entity, .. }) => Some(design.entities[entity].name.clone()),
        _ => None,
    }
}

#[test]
fn references_point_to_the_copy_or_to_the_same_name() {
    let shop = shop();
    let both = ["Customer", "Order"].map(|name| entity_card(&shop, name));
    let again = paste(&shop, both, &shop);
    assert_eq!(reference(&again, "Order 2").as_deref(), Some("Customer 2"));
    assert_eq!(
        reference(&again, "Customer 2").as_deref(),
        Some("Customer 2")
    );
    let again = paste(&shop, [both[1]], &shop);
    assert_eq!(reference(&again, "Order 2").as_deref(), Some("Customer"));
    let alone = paste(&shop, [both[1]], &Design::new("Empty"));
    assert_eq!(reference(&alone, "Order"), None);
    assert_eq!(
        alone.entities.len(),
        1,
        "cards that are only referred to are not pasted"
    );
}

#[test]
fn pasting_is_one_undo_step() {
    let design = saas();
    let clip = copy(&design, &SortedSet::from([entity_card(&design, "User")])).unwrap();
    let mut document = Document::new(design.clone());
    let clip = Box::new(read(&clip).unwrap());
    document
        .run(
            Command::Paste {
                clip,
                at: at(0, 0),
                duplicates: false,
            },
            0.0,
        )
        .unwrap();
    assert_eq!(document.undo_label(), Some("paste"));
    document.undo().unwrap();
    assert!(diff(&design, document.design()).is_empty());
}

#[test]
fn a_whole_design_file_can_be_pasted() {
    let placed = saas();
    let mut unplaced = saas();
    unplaced.layout = Arc::default();
    let mut partly = saas();
    let user = entity_card(&partly, "User");
    Arc::make_mut(&mut partly.layout).retain(|card, _| *card != user);
    for from in [placed, unplaced, partly] {
        check_whole_file(&from);
    }
}

fn check_whole_file(from: &Design) {
    let text = keyfold_core::persist::to_json(from);
    let clip = Box::new(read(&text).unwrap());
    let empty = Design::new("Empty");
    let after = apply(
        &empty,
        Command::Paste {
            clip,
            at: at(0, 0),
            duplicates: false,
        },
    )
    .unwrap();
    sound(&after);
    let cards = from.entities.len() + from.indexes.len() + from.notes.len();
    assert_eq!(pasted_cards(&empty, &after).len(), cards);
    for entity in from.entities.values() {
        assert_eq!(keys(&after, &entity.name), keys(from, &entity.name));
    }
}

#[test]
fn only_cards_are_copied() {
    let design = saas();
    assert_eq!(copy(&design, &SortedSet::new()), None);
    let gone = [
        CardId::Index(IndexId::PRIMARY),
        CardId::Entity(EntityId(9999)),
    ];
    assert_eq!(copy(&design, &SortedSet::from(gone)), None);
}

#[test]
fn other_texts_are_refused_with_a_reason() {
    let unplaced = keyfold_core::persist::to_json(&Design::new("Empty"));
    let newer = unplaced.replace("\"keyfold\": 1", "\"keyfold\": 99");
    let unsound = copy(&saas(), &SortedSet::from([entity_card(&saas(), "User")]))
        .unwrap()
        .replace("\"nextId\": ", "\"nextId\": 1, \"x\": ");
    let said: Vec<String> = [
        "",
        "hello",
        "[1]",
        "{}",
        "{\"keyfold\":",
        "{\"keyfold\":\"cards\"}",
        "{\"DataModel\": []}",
        &newer,
        &unplaced,
        &unsound,
    ]
    .iter()
    .map(|text| read(text).unwrap_err())
    .collect();
    insta::assert_debug_snapshot!(said);
    let deep = format!("{{\"keyfold\":{}", "[".repeat(1_000_000));
    assert!(read(&deep).is_err());
    assert!(
        read(&"{".repeat((64 << 20) + 1))
            .unwrap_err()
            .contains("too long")
    );
}

#[test]
fn extreme_positions_do_not_overflow() {
    let mut design = saas();
    let layout = Arc::make_mut(&mut design.layout);
    layout.insert(entity_card(&saas(), "User"), at(i32::MIN, i32::MAX));
    layout.insert(entity_card(&saas(), "Project"), at(i32::MAX, i32::MIN));
    let cards = ["User", "Project"].map(|name| entity_card(&design, name));
    paste(&design, cards, &design);
}

// --- moving a wire -------------------------------------------------------------------------------------------

fn move_wire(design: &Design, entity: &str, from: &str, to: &str) -> Result<Design, Refused> {
    let index = |name: &str| design.index_named(name).unwrap_or(IndexId::PRIMARY);
    apply(
        design,
        Command::MoveWire {
            entity: design.entity_named(entity).unwrap(),
            from: index(from),
            to: index(to),
        },
    )
}

/// `Show` with a condition in `A`, and other indexes.
fn wired() -> Design {
    let name = "Show".to_owned();
    let at = Point::default();
    let mut design = apply(&Design::new("Wires"), Command::AddEntity { name, at }).unwrap();
    let mut numbered = KeySchema::pair("c1", "c2");
    numbered.sort[0].kind = KeyType::N;
    let mut alone = KeySchema::pair("d1", "");
    alone.sort.clear();
    let mut multi = KeySchema::pair("venue", "date");
    multi.sort.push(KeyAttribute::text("hour"));
    let keys = [
        ("AAA", KeySchema::pair("a1", "a2")),
        ("BBB", KeySchema::pair("b1", "b2")),
        ("CCC", numbered),
        ("DDD", alone),
        ("EEE", multi),
        ("FFF", KeySchema::pair("SK", "PK")),
    ];
    for (name, key) in keys {
        let index = Box::new(Index::new(name, IndexKind::Gsi, key));
        design = apply(&design, Command::AddIndex { index, at }).unwrap();
    }
    let show = design.entity_named("Show").unwrap();
    let mut entry = IndexEntry::pair("P#{showId}", "S#{showId}");
    entry.when.push(Condition {
        attribute: "showId".into(),
        test: Test::Exists,
    });
    let index = design.index_named("AAA").unwrap();
    apply(&design, Command::JoinIndex(show, index, entry)).unwrap()
}

#[test]
fn moving_a_wire_keeps_matching_templates() {
    let design = wired();
    let show = design.entity_named("Show").unwrap();
    let cases = [
        ("BBB", (Some("P#{showId}"), Some("S#{showId}"))),
        // There is no number to suggest a sort key from.
        ("CCC", (Some("P#{showId}"), Some(""))),
        ("DDD", (Some("P#{showId}"), None)),
        ("EEE", (None, None)),
        ("FFF", (None, None)),
    ];
    for (to, (partition, sort)) in cases {
        let after = move_wire(&design, "Show", "AAA", to).unwrap();
        sound(&after);
        let keys = keys(&after, "Show");
        assert_eq!(keys[1..], [(to, partition, sort)]);
        let entry = &after.entities[&show].keys[&after.index_named(to).unwrap()];
        assert_eq!(entry.when.len(), 1);
    }
}

#[test]
fn a_wire_that_cannot_be_moved_says_why() {
    let design = move_wire(&wired(), "Show", "AAA", "BBB").unwrap();
    let said: Vec<String> = [
        ("BBB", "BBB"),
        ("AAA", "BBB"),
        ("AAA", "CCC"),
        ("Table", "CCC"),
        ("BBB", "Table"),
    ]
    .into_iter()
    .map(|(from, to)| move_wire(&design, "Show", from, to).unwrap_err().0)
    .collect();
    insta::assert_debug_snapshot!(said);
}

// --- random cards ---------------------------------------------------------------------------------------------

fn any_key() -> impl Strategy<Value = KeySchema> {
    let name = "PK|SK|pk|GSI[1-3]PK|gsi1sk|status|date|LSI1SK";
    let attributes = |most: usize| proptest::collection::btree_set(name, 0..=most);
    (attributes(4), attributes(4), any::<bool>()).prop_map(|(partition, sort, numbers)| {
        let kind = |name: &str| match name {
            "date" if numbers => KeyType::N,
            _ => KeyType::S,
        };
        let side = |names: std::collections::BTreeSet<String>| -> Vec<_> {
            let names = names.into_iter();
            names
                .map(|name| KeyAttribute {
                    kind: kind(&name),
                    name,
                })
                .collect()
        };
        KeySchema {
            partition: side(partition),
            sort: side(sort),
        }
    })
}

/// Random commands, many of them refused, make designs of every kind.
fn any_design() -> impl Strategy<Value = Design> {
    let place = (-999..999_i32, -999..999_i32).prop_map(Point::from);
    let entity = (1_u32..60).prop_map(EntityId);
    let index = (1_u32..60).prop_map(IndexId);
    let name = "[AB]( [0-9]{1,3})?|User( 2)?";
    let text = proptest::option::of("[A-Z]{0,3}#?\\{[a-z]{1,3}\\}|\\PC{0,6}");
    let entry = (text.clone(), text).prop_map(|(partition, sort)| IndexEntry {
        partition,
        sort,
        when: vec![Condition {
            attribute: "status".into(),
            test: Test::Exists,
        }],
    });
    let command = prop_oneof![
        3 => (name, place.clone()).prop_map(|(name, at)| Command::AddEntity { name, at }),
        3 => ("GSI[1-3]|LSI1|status|date|PK2", any_key(), any::<bool>(), place).prop_map(
            |(name, key, local, at)| {
                let kind = if local { IndexKind::Lsi } else { IndexKind::Gsi };
                let index = Box::new(Index::new(name, kind, key));
                Command::AddIndex { index, at }
            }
        ),
        1 => any_key().prop_map(|mut key| {
            key.partition.truncate(1);
            key.sort.truncate(1);
            let table = Box::new(Table { key, ..Table::new("table") });
            Command::UpdateTable { table, field: "key" }
        }),
        3 => (entity.clone(), index, entry).prop_map(|(e, i, entry)| Command::JoinIndex(e, i, entry)),
        1 => (entity.clone(), entity.clone(), "[a-c]|status").prop_map(|(id, entity, name)| {
            let mut attribute = Attribute::new(AttributeId(0), name, AttributeType::S);
            let (attribute_name, distribution) = ("aId".to_owned(), Distribution::Uniform);
            attribute.format = Some(Format::Reference {
                entity,
                attribute: attribute_name,
                distribution,
            });
            Command::AddAttribute(id, attribute)
        }),
        1 => (entity, "[a-c]").prop_map(|(id, name)| {
            Command::AddSample(id, SortedMap::from([(name, Value::Bool(true))]))
        }),
    ];
    let commands = proptest::collection::vec(command, 0..50);
    (0..4_usize, commands).prop_map(|(first, commands)| {
        let mut design = match library::patterns().get(first) {
            Some(pattern) => pattern.design().unwrap(),
            None => Design::new("Any"),
        };
        for command in commands {
            if let Ok(next) = apply(&design, command) {
                design = next;
            }
        }
        design
            .notes
            .insert(NoteId(design.next_id), Arc::new(Note::new("note")));
        design.next_id += 1;
        design
    })
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn anything_can_be_pasted_into_anything(
        from in any_design(),
        to in any_design(),
        bits in any::<u64>(),
        place in (any::<i32>(), any::<i32>()),
    ) {
        prop_assert!(validate_invariants(&from).is_empty());
        let cards: SortedSet<CardId> = (from.cards().skip(1).enumerate())
            .filter(|(number, _)| bits >> (number % 64) & 1 == 1)
            .map(|(_, card)| card)
            .collect();
        if let Some(text) = copy(&from, &cards) {
            let clip = Box::new(read(&text).unwrap());
            let mut document = Document::new(to.clone());
            document.run(Command::Paste { clip, at: place.into(), duplicates: false }, 0.0).unwrap();
            let after = document.design().clone();
            let violations = validate_invariants(&after);
            prop_assert!(violations.is_empty(), "{:#?}", violations);
            let new = pasted_cards(&to, &after);
            prop_assert_eq!(new.len(), cards.len());
            prop_assert!(new.iter().all(|card| after.layout.contains_key(card)));
            document.undo().unwrap();
            prop_assert!(diff(&to, document.design()).is_empty());
        }
    }

    #[test]
    fn duplicates_keep_templates_and_samples(design in any_design(), bits in any::<u64>()) {
        let cards: SortedSet<CardId> = (design.entities.keys().enumerate())
            .filter(|(number, _)| bits >> (number % 64) & 1 == 1)
            .map(|(_, id)| CardId::Entity(*id))
            .collect();
        if let Some(text) = copy(&design, &cards) {
            let clip = Box::new(read(&text).unwrap());
            let after = apply(&design, Command::Paste { clip, at: at(0, 0), duplicates: false }).unwrap();
            let new = pasted_cards(&design, &after);
            for (old, new) in cards.iter().zip(&new) {
                let (CardId::Entity(old), CardId::Entity(new)) = (old, new) else {
                    panic!("{new}");
                };
                prop_assert_eq!(&after.entities[new].keys, &design.entities[old].keys);
                let values = |samples: &[Arc<Sample>]| -> Vec<_> {
                    samples.iter().map(|sample| sample.values.clone()).collect()
                };
                prop_assert_eq!(values(after.samples_of(*new)), values(design.samples_of(*old)));
            }
        }
    }

    #[test]
    fn garbage_is_refused(text in "\\PC{0,40}|\\{\"keyfold\": ?[0-9]\\PC{0,40}\\}?") {
        prop_assert!(read(&text).is_err());
    }

    #[test]
    fn a_damaged_copy_is_refused_or_valid(from in 0..9999_usize, length in 0..40_usize, put in "\\PC{0,4}") {
        let design = saas();
        let mut text = copy(&design, &design.cards().collect()).unwrap();
        let boundary = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at += 1;
            }
            at
        };
        let start = boundary(from % text.len());
        let end = boundary((start + length).min(text.len()));
        text.replace_range(start..end, &put);
        if let Ok(clip) = read(&text) {
            let clip = Box::new(clip);
            if let Ok(after) = apply(&design, Command::Paste { clip, at: at(0, 0), duplicates: false }) {
                let violations = validate_invariants(&after);
                prop_assert!(violations.is_empty(), "{:#?}", violations);
            }
        }
    }
}

#[test]
fn pasting_is_announced_with_names() {
    let design = saas();
    let told = |cards: &[CardId]| {
        let text = copy(&design, &cards.iter().copied().collect()).unwrap();
        let clip = Box::new(read(&text).unwrap());
        let (at, duplicates) = (at(0, 0), false);
        announcement(
            &design,
            &Command::Paste {
                clip,
                at,
                duplicates,
            },
        )
        .unwrap()
    };
    let [user, tenant, gsi] = [
        entity_card(&design, "User"),
        entity_card(&design, "Tenant"),
        index_card(&design, "GSI1"),
    ];
    // The index that the user is in was not copied with it.
    assert_eq!(told(&[user]), "Pasted: User");
    assert_eq!(told(&[user, gsi, tenant]), "Pasted: GSI1, Tenant, User");
    let all: Vec<CardId> = design.cards().collect();
    assert_eq!(told(&all), format!("Pasted: {} cards", all.len() - 1));

    let (clip, at) = (Box::new(design.clone()), at(0, 0));
    let duplicate = Command::Paste {
        clip,
        at,
        duplicates: true,
    };
    assert_eq!(duplicate.label(), "duplicate");
    let said = announcement(&design, &duplicate).unwrap();
    assert!(said.starts_with("Duplicated: "), "{said}");
}

#[test]
fn deleted_access_patterns_are_announced() {
    let design = saas();
    let told = |names: &[&str]| {
        let cards = names.iter().map(|name| entity_card(&design, name));
        let command = Command::Delete(cards.collect());
        let mut document = Document::new(design.clone());
        let said = announcement(&design, &command).unwrap();
        document.run(command, 0.0).unwrap();
        let gone = design.access_patterns.len() - document.design().access_patterns.len();
        (gone, said, document.undo_label().unwrap().to_owned())
    };
    let (gone, said, label) = told(&["User"]);
    assert!(gone > 1, "{gone}");
    assert_eq!(said, format!("User deleted with {gone} access patterns"));
    assert_eq!(label, format!("delete with {gone} access patterns"));

    let mut one = design.clone();
    let user = design.entity_named("User").unwrap();
    let mut kept = false;
    one.access_patterns.retain(|_, pattern| {
        !pattern.entities.contains(&user) || !std::mem::replace(&mut kept, true)
    });
    let command = Command::Delete(vec![entity_card(&one, "User")]);
    assert_eq!(
        announcement(&one, &command).unwrap(),
        "User deleted with 1 access pattern"
    );
    one.access_patterns.clear();
    assert_eq!(announcement(&one, &command).unwrap(), "User deleted");
    assert_eq!(command.label_on(&one), "delete");
}

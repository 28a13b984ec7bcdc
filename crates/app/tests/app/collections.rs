//! Entities that share item collections.

use keyfold_app::collections::{
    MARGIN, TITLE, collection_areas, entity_groups, equal_template_groups,
};
use keyfold_app::placement::card_areas;
use keyfold_app::stress;
use keyfold_app::viewport::{Area, Detail};
use keyfold_core::library;
use keyfold_core::model::*;
use std::sync::Arc;

/// The groups as `template: Entity, Entity`.
fn shown(design: &Design, index: &str) -> Vec<String> {
    let index = design.index_named(index).unwrap_or(IndexId::PRIMARY);
    (entity_groups(design, index).iter())
        .map(|group| {
            let names = group
                .entities
                .iter()
                .map(|id| design.entities[id].name.as_str());
            format!(
                "{}: {}",
                group.partition,
                names.collect::<Vec<_>>().join(", ")
            )
        })
        .collect()
}

fn library(name: &str) -> Design {
    library::find(name).unwrap().design().unwrap()
}

#[test]
fn library_groups() {
    let all = "TENANT#{tenantId}: Tenant, Subscription, User, Project";
    let design = library("saas-multi-tenant");
    assert_eq!(shown(&design, "Table"), [all]);
    assert_eq!(shown(&design, "GSI1"), ["USER_EMAIL#{email}: User"]);
    assert_eq!(shown(&design, "GSI2"), ["USER#{createdBy}: Project"]);
    assert_eq!(shown(&design, "GSI3"), ["TENANT_LIST: Tenant"]);

    let design = library("saas-multi-tenant-overloaded");
    assert_eq!(shown(&design, "Table"), [all]);
    assert_eq!(
        shown(&design, "GSI1"),
        [
            "TENANT_LIST: Tenant",
            "USER_EMAIL#{email}: User",
            "USER#{createdBy}: Project"
        ]
    );

    let design = library("multi-branch-finance");
    assert_eq!(
        shown(&design, "Table"),
        [
            "TENANT#{tenantId}: Tenant",
            "TENANT#{tenantId}#BRANCH: Branch",
            "TENANT#{tenantId}#ACCOUNT: Account",
            "TENANT#{tenantId}#BRANCH#{branchId}#TRANSACTION: Transaction",
            "TENANT#{tenantId}#BRANCH#{branchId}#REPORTING: Report",
        ]
    );
}

/// A design with entities `A`, `B`, ... with these partition key templates, both in the table and in `GSI1`.
fn with_partitions(partitions: &[&str]) -> Design {
    let mut design = Design::new("Any");
    let index = IndexId(design.take_id());
    let key = KeySchema::pair("GSI1PK", "GSI1SK");
    let gsi = Index::new("GSI1", IndexKind::Gsi, key);
    design.indexes.insert(index, Arc::new(gsi));
    for (name, text) in ["A", "B", "C", "D", "E"].into_iter().zip(partitions) {
        let id = EntityId(design.take_id());
        let mut entity = Entity::new(name, 0);
        for index in [IndexId::PRIMARY, index] {
            entity.keys.insert(index, IndexEntry::pair(*text, "x"));
        }
        design.entities.insert(id, Arc::new(entity));
    }
    design
}

fn set_format(design: &mut Design, entity: &str, attribute: &str, format: Format) {
    let id = AttributeId(design.take_id());
    let mut attribute = Attribute::new(id, attribute, AttributeType::S);
    attribute.format = Some(format);
    let entity = design.entity_named(entity).unwrap();
    let entity = design.entities.get_mut(&entity).unwrap();
    Arc::make_mut(entity).attributes.push(attribute);
}

#[test]
fn entities_whose_keys_can_be_equal_are_one_group() {
    let cases: &[(&[&str], &[&str])] = &[
        // Other attribute names, same keys.
        (&["U#{a}", "V#{b}", "U#{c}"], &["U#{a}: A, C", "V#{b}: B"]),
        // `#` cannot be part of a value, so these are different; `|` can.
        (&["U#{a}", "U#{a}#V"], &["U#{a}: A", "U#{a}#V: B"]),
        (&["U|{a}", "U|{a}|V"], &["U|{a}: A, B"]),
        // A constant that the other template can render.
        (&["U#{a}", "U#1", "U#2"], &["U#{a}: A, B, C"]),
        // Two groups connected by a third entity, ordered by the first.
        (&["X#1", "Z", "X#2", "X#{a}"], &["X#1: A, C, D", "Z: B"]),
        (&["X#1", "Y#1", "{a}#1"], &["X#1: A, B, C"]),
        // As displayed, not as typed.
        (&["U#${a}", "U#<b>"], &["U#{a}: A, B"]),
        // Invalid or empty: no items.
        (&["U#{a", "", "U#{a}"], &["U#{a}: C"]),
    ];
    for (partitions, expected) in cases {
        for index in ["Table", "GSI1"] {
            let design = with_partitions(partitions);
            assert_eq!(shown(&design, index), *expected, "{partitions:?}");
        }
    }
}

#[test]
fn formats_distinguish_keys() {
    let mut design = with_partitions(&["{id}", "{day}", "{status}"]);
    assert_eq!(shown(&design, "Table"), ["{id}: A, B, C"]);
    set_format(&mut design, "A", "id", Format::Ulid);
    let (from, to) = ("2026-01-01".to_owned(), "2026-12-31".to_owned());
    set_format(&mut design, "B", "day", Format::Date { from, to });
    let choice = |text: &str| Choice {
        value: Value::S(text.into()),
        weight: 1,
    };
    let choices = Format::OneOf(vec![choice("open"), choice("done")]);
    set_format(&mut design, "C", "status", choices);
    assert_eq!(
        shown(&design, "Table"),
        ["{id}: A", "{day}: B", "{status}: C"]
    );
}

#[test]
fn keys_written_by_another_index_are_grouped() {
    let mut design = with_partitions(&["U#{a}", "V#{a}", "W#{a}"]);
    let mut add = |name: &str, kind: IndexKind, key: KeySchema| {
        let id = IndexId(design.take_id());
        let index = Arc::new(Index::new(name, kind, key));
        design.indexes.insert(id, index);
        for entity in design.entities.values_mut().skip(1) {
            Arc::make_mut(entity).keys.insert(id, IndexEntry::default());
        }
    };
    add("Inverted", IndexKind::Gsi, KeySchema::pair("SK", "PK"));
    add("Local", IndexKind::Lsi, KeySchema::pair("PK", "date"));
    add("Plain", IndexKind::Gsi, KeySchema::pair("status", "date"));
    let mut multi = KeySchema::pair("venue", "date");
    multi.partition.push(KeyAttribute::text("hall"));
    add("Multi", IndexKind::Gsi, multi);
    assert_eq!(shown(&design, "Inverted"), ["x: B, C"]);
    assert_eq!(shown(&design, "Local"), ["V#{a}: B", "W#{a}: C"]);
    assert_eq!(shown(&design, "Plain"), ["{status}: B, C"]);
    assert_eq!(shown(&design, "Multi"), ["venue, hall: B, C"]);
}

#[test]
fn grouping_1000_entities_works() {
    let design = stress::design(1000);
    let found: usize = design
        .index_ids()
        .map(|index| entity_groups(&design, index).len())
        .sum();
    assert!(found > 1000);
}

#[test]
fn in_most_library_patterns_equal_templates_give_the_areas_of_the_analysis() {
    let differs = |pattern: &&library::Pattern| {
        let design = pattern.design().unwrap();
        let cards = card_areas(&design, Detail::All);
        let areas = |groups: Vec<_>| collection_areas(&groups, &cards);
        design.index_ids().any(|index| {
            areas(entity_groups(&design, index)) != areas(equal_template_groups(&design, index))
        })
    };
    let different: Vec<_> = (library::patterns().iter().filter(differs))
        .map(|pattern| pattern.name)
        .collect();
    assert_eq!(different, ["social-network"]);
}

/// A card in between keeps out only the cards beyond it.
#[test]
fn cards_with_nothing_in_between_have_one_area() {
    let design = library("saas-multi-tenant");
    let groups = equal_template_groups(&design, IndexId::PRIMARY);
    let members = &groups[0].entities;
    let area = |x: f64, y: f64| Area {
        x,
        y,
        width: 288.0,
        height: 100.0,
    };
    let mut cards: Vec<(CardId, Area)> = (members.iter().zip([0.0, 300.0, 500.0, 1000.0]))
        .map(|(id, y)| (CardId::Entity(*id), area(0.0, y)))
        .collect();
    let heights = |cards: &[(CardId, Area)]| -> Vec<f64> {
        let found = collection_areas(&groups, cards);
        found[0].areas.iter().map(|area| area.height).collect()
    };
    let around = 2.0 * MARGIN + TITLE;
    assert_eq!(heights(&cards), [1100.0 + around]);
    cards.push((CardId::Note(NoteId(999)), area(0.0, 750.0)));
    assert_eq!(heights(&cards), [600.0 + around, 100.0 + around]);
    cards.push((CardId::Note(NoteId(998)), area(100.0, 150.0)));
    assert_eq!(
        heights(&cards),
        [100.0 + around, 300.0 + around, 100.0 + around]
    );
}

#[test]
fn equal_templates_are_one_group() {
    let design = library("saas-multi-tenant");
    let groups = equal_template_groups(&design, IndexId::PRIMARY);
    assert_eq!(groups, entity_groups(&design, IndexId::PRIMARY));
    assert_eq!(groups[0].entities.len(), 4);
    let mut broken = design.clone();
    let user = broken.entity_named("User").unwrap();
    let entity = Arc::make_mut(broken.entities.get_mut(&user).unwrap());
    entity.keys.get_mut(&IndexId::PRIMARY).unwrap().partition = Some("TENANT#{tenantId".into());
    let groups = equal_template_groups(&broken, IndexId::PRIMARY);
    assert!(!groups[0].entities.contains(&user));
}

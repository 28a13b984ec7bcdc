//! Positions of new cards.

use keyfold_app::geometry::{ENTITY_WIDTH, INDEX_WIDTH};
use keyfold_app::placement::{FILLED_ENTITY_HEIGHT, free_place, stored_area};
use keyfold_app::viewport::{Area, Detail, rounded};
use keyfold_app::{Command, apply, stress};
use keyfold_core::library::patterns;
use keyfold_core::model::*;
use std::sync::Arc;

/// Adds an entity like the keyboard shortcut does: near the center, with room to grow.
fn with_entity(design: Design, number: usize) -> Design {
    let (x, y) = free_place(&design, (400.0, 200.0), ENTITY_WIDTH, FILLED_ENTITY_HEIGHT);
    let name = format!("E{number}");
    let at = rounded(x, y);
    let added = apply(&design, Command::AddEntity { name, at });
    added.expect("a free name")
}

/// Gives each entity keys in two indexes and six attributes.
fn filled_in(mut design: Design) -> Design {
    let indexes: Vec<IndexId> = design.index_ids().take(3).collect();
    let mut next = design.next_id;
    for entity in design.entities.values_mut() {
        let entity = Arc::make_mut(entity);
        for index in &indexes {
            (entity.keys).insert(*index, IndexEntry::pair("A#{a}", "B#{b}"));
        }
        for number in entity.attributes.len()..6 {
            let name = format!("a{number}");
            let attribute = Attribute::new(AttributeId(next), name, AttributeType::S);
            entity.attributes.push(attribute);
            next += 1;
        }
    }
    design.next_id = next;
    design
}

fn areas(design: &Design) -> Vec<Area> {
    (design.cards())
        .filter_map(|card| stored_area(design, card, Detail::All))
        .collect()
}

fn check_apart(design: &Design) {
    let areas = areas(design);
    for (at, one) in areas.iter().enumerate() {
        for other in &areas[at + 1..] {
            assert!(!one.intersects(*other), "{one:?} and {other:?}");
        }
    }
}

/// A table with two indexes, one below the other.
fn three_indexes() -> Design {
    let mut design = Design::new("Any");
    let mut place = |card, y| {
        Arc::make_mut(&mut design.layout).insert(card, Point { x: 500, y });
    };
    place(CardId::Index(IndexId::PRIMARY), 100);
    place(CardId::Index(IndexId(1)), 300);
    place(CardId::Index(IndexId(2)), 500);
    design.next_id = 10;
    for (id, name) in [(1, "GSI1"), (2, "GSI2")] {
        let key = KeySchema::pair(format!("{name}PK"), format!("{name}SK"));
        let index = Index::new(name, IndexKind::Gsi, key);
        design.indexes.insert(IndexId(id), Arc::new(index));
    }
    design
}

#[test]
fn entities_filled_in_later_cover_no_card() {
    let mut design = three_indexes();
    for number in 0..20 {
        design = with_entity(design, number);
    }
    check_apart(&design);
    check_apart(&filled_in(design));
}

#[test]
fn a_new_index_keeps_free_space_below_empty_entities() {
    let mut design = with_entity(three_indexes(), 0);
    let (id, _) = design.entities.last_key_value().expect("added");
    let entity = stored_area(&design, CardId::Entity(*id), Detail::All).expect("placed");
    let below = (entity.x, entity.y + entity.height + 24.0);
    let (x, y) = free_place(&design, below, INDEX_WIDTH, 150.0);
    let key = KeySchema::pair("GSI3PK", "GSI3SK");
    let index = Box::new(Index::new("GSI3", IndexKind::Gsi, key));
    let at = rounded(x, y);
    design = apply(&design, Command::AddIndex { index, at }).expect("a free name");
    check_apart(&filled_in(design));
}

#[test]
fn free_place_prefers_the_wanted_position() {
    let design = three_indexes();
    let place = free_place(&design, (0.0, 100.0), ENTITY_WIDTH, FILLED_ENTITY_HEIGHT);
    assert_eq!(place, (0.0, 100.0));

    let full = stress::design(1000);
    let areas = areas(&full);
    let first = areas[0];
    let (x, y) = free_place(
        &full,
        (first.x, first.y),
        ENTITY_WIDTH,
        FILLED_ENTITY_HEIGHT,
    );
    let new = Area {
        x,
        y,
        width: ENTITY_WIDTH,
        height: FILLED_ENTITY_HEIGHT,
    };
    assert!(areas.iter().all(|area| !area.intersects(new)), "{new:?}");
}

#[test]
fn placed_cards_do_not_overlap_and_indexes_are_on_the_right() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let area =
            |card| stored_area(&design, card, Detail::All).expect("every card has a position");
        let cards: Vec<CardId> = design.cards().collect();
        for (at, card) in cards.iter().enumerate() {
            let one = area(*card);
            for other in cards[at + 1..].iter().map(|other| area(*other)) {
                let beside = one.x + one.width <= other.x || other.x + other.width <= one.x;
                let below = one.y + one.height <= other.y || other.y + other.height <= one.y;
                assert!(
                    beside || below,
                    "{}: {card} {one:?} {other:?}",
                    pattern.name
                );
            }
            if let CardId::Index(_) = card {
                let mut entities = design.entities.keys().map(|id| area(CardId::Entity(*id)));
                assert!(
                    entities.all(|entity| entity.x + entity.width < one.x),
                    "{}",
                    pattern.name
                );
            }
        }
    }
}

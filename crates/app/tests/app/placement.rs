//! Positions of new cards.

use crate::commands::sound;
use keyfold_app::collections::{MARGIN, TITLE};
use keyfold_app::geometry::{ENTITY_WIDTH, INDEX_WIDTH};
use keyfold_app::placement::{FILLED_ENTITY_HEIGHT, card_areas, free_place, stored_area};
use keyfold_app::viewport::{Area, Detail, rounded};
use keyfold_app::{Command, apply, stress};
use keyfold_core::library::patterns;
use keyfold_core::model::*;
use std::sync::Arc;

/// Adds an entity like the keyboard shortcut does: near the center, with room to grow.
fn with_entity(design: Design, number: usize) -> Design {
    let (x, y) = free_place(
        &design,
        (400.0, 200.0),
        (ENTITY_WIDTH, FILLED_ENTITY_HEIGHT),
        None,
    );
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
    let areas = card_areas(design, Detail::All).into_iter();
    areas.map(|(_, area)| area).collect()
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
fn no_card_covers_the_heading_of_a_new_entitys_item_collection() {
    let mut design = three_indexes();
    for number in 0..20 {
        design = with_entity(design, number);
    }
    let entities = design.entities.keys().map(|id| CardId::Entity(*id));
    for card in entities {
        let area = stored_area(&design, card, Detail::All).expect("placed");
        let titled = Area {
            x: area.x - MARGIN,
            y: area.y - MARGIN - TITLE,
            width: area.width + 2.0 * MARGIN,
            height: MARGIN + TITLE,
        };
        for other in design.cards().filter(|other| *other != card) {
            let other = stored_area(&design, other, Detail::All).expect("placed");
            assert!(!other.intersects(titled), "{other:?} on {titled:?}");
        }
    }
}

#[test]
fn a_new_index_keeps_free_space_below_empty_entities() {
    let mut design = with_entity(three_indexes(), 0);
    let (id, _) = design.entities.last_key_value().expect("added");
    let entity = stored_area(&design, CardId::Entity(*id), Detail::All).expect("placed");
    let below = (entity.x, entity.y + entity.height + 24.0);
    let (x, y) = free_place(&design, below, (INDEX_WIDTH, 150.0), None);
    let key = KeySchema::pair("GSI3PK", "GSI3SK");
    let index = Box::new(Index::new("GSI3", IndexKind::Gsi, key));
    let at = rounded(x, y);
    design = apply(&design, Command::AddIndex { index, at }).expect("a free name");
    check_apart(&filled_in(design));
}

#[test]
fn free_place_prefers_the_wanted_position() {
    let design = three_indexes();
    let place = free_place(
        &design,
        (0.0, 100.0),
        (ENTITY_WIDTH, FILLED_ENTITY_HEIGHT),
        None,
    );
    assert_eq!(place, (0.0, 100.0));

    let full = stress::design(1000);
    let areas = areas(&full);
    let first = areas[0];
    let (x, y) = free_place(
        &full,
        (first.x, first.y),
        (ENTITY_WIDTH, FILLED_ENTITY_HEIGHT),
        None,
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
fn cards_of_the_library_do_not_overlap() {
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
        }
    }
}

#[test]
fn a_place_in_sight_is_preferred() {
    let design = three_indexes();
    let seen = Area {
        x: 0.0,
        y: 0.0,
        width: 900.0,
        height: 700.0,
    };
    // Beside the table there is no room for an entity in sight.
    let size = (ENTITY_WIDTH, FILLED_ENTITY_HEIGHT);
    let (x, y) = free_place(&design, (760.0, 100.0), size, Some(seen));
    assert!(
        x + ENTITY_WIDTH <= 484.0 && (0.0..=360.0).contains(&y),
        "{x} {y}"
    );
    let (x, _) = free_place(&design, (760.0, 100.0), size, None);
    assert_eq!(x, 760.0);
}

#[test]
fn entities_added_one_after_the_other_are_no_long_row() {
    let mut design = Design::new("Row");
    let mut last = (0.0, 100.0);
    for number in 0..12 {
        // The canvas above an open panel, scrolled to the last card; a new card is wanted beside that.
        let seen = Area {
            x: last.0 - 300.0,
            y: last.1 - 100.0,
            width: 850.0,
            height: 400.0,
        };
        let wanted = (last.0 + ENTITY_WIDTH + 60.0, last.1);
        let size = (ENTITY_WIDTH, FILLED_ENTITY_HEIGHT);
        let (x, y) = free_place(&design, wanted, size, Some(seen));
        let name = format!("E{number}");
        let at = rounded(x, y);
        design = apply(&design, Command::AddEntity { name, at }).expect("a free name");
        last = (x, y);
    }
    check_apart(&filled_in(design.clone()));
    let all = areas(&design).into_iter().reduce(Area::union).unwrap();
    let aspect = all.width / (all.height + FILLED_ENTITY_HEIGHT);
    assert!(
        (0.5..3.5).contains(&aspect),
        "{} x {}",
        all.width,
        all.height
    );
}

/// Entities in two rows of a column of three each, with a gap of about 60.
fn two_rows() -> Design {
    let mut design = Design::new("Rows");
    for number in 0..6 {
        let at = Point {
            x: number % 3 * 384,
            y: number / 3 * 160,
        };
        let name = format!("E{number}");
        design = apply(&design, Command::AddEntity { name, at }).expect("a free name");
    }
    design
}

fn tops(design: &Design) -> Vec<i32> {
    let ids = design.entities.keys();
    ids.map(|id| design.layout[&CardId::Entity(*id)].y)
        .collect()
}

#[test]
fn what_is_below_a_card_that_grows_moves_down_with_its_row() {
    let design = two_rows();
    let before = tops(&design);
    let first = *design.entities.keys().next().expect("added");
    let card = CardId::Entity(first);
    let height = |design: &Design| {
        stored_area(design, card, Detail::All)
            .expect("placed")
            .height
    };
    let attribute = Attribute::new(AttributeId(0), "total", AttributeType::N);
    let grown = apply(&design, Command::AddAttribute(first, attribute)).expect("a free name");
    let by = height(&grown) - height(&design);
    let down = (by / 8.0).ceil() as i32 * 8;
    let expected: Vec<i32> = before
        .iter()
        .map(|y| if *y > 0 { y + down } else { *y })
        .collect();
    assert_eq!(tops(&grown), expected);
    check_apart(&grown);
    sound(&grown);
    // Nothing moves if nothing grows.
    let renamed = Command::RenameEntity(first, "Other".into());
    assert_eq!(tops(&apply(&grown, renamed).expect("free")), expected);
}

#[test]
fn cards_move_down_once_for_several_edits_that_are_one_step() {
    let mut design = two_rows();
    let first = *design.entities.keys().next().expect("added");
    // A narrow gap below the card, which would widen if the room were made twice.
    let card = CardId::Entity(first);
    let area = stored_area(&design, card, Detail::All).expect("placed");
    let layout = Arc::make_mut(&mut design.layout);
    for place in layout.values_mut().filter(|place| place.y > 0) {
        place.y = (area.height / 8.0).ceil() as i32 * 8 + 16;
    }
    let names = ["total", "note"];
    let add = |name: &&str| {
        let attribute = Attribute::new(AttributeId(0), *name, AttributeType::S);
        Command::AddAttribute(first, attribute)
    };
    let one_by_one = (names.iter().map(add))
        .try_fold(design.clone(), |design, command| apply(&design, command))
        .expect("free names");
    let together = Command::Together {
        label: "add attributes",
        commands: names.iter().map(add).collect(),
    };
    let together = apply(&design, together).expect("free names");
    let gap = |design: &Design| {
        let area = stored_area(design, card, Detail::All).expect("placed");
        f64::from(tops(design)[3]) - area.y - area.height
    };
    assert!((gap(&design)..gap(&design) + 8.0).contains(&gap(&together)));
    assert!(gap(&one_by_one) >= gap(&together));
    check_apart(&together);
    sound(&together);
}

#[test]
fn cards_with_room_above_stay() {
    let mut design = two_rows();
    let first = *design.entities.keys().next().expect("added");
    let all: Vec<CardId> = design.cards().collect();
    // The second row is far below.
    let moves = all.iter().filter_map(|card| {
        let place = design.layout.get(card).filter(|place| place.y > 0)?;
        Some((
            *card,
            Point {
                y: place.y + 400,
                ..*place
            },
        ))
    });
    let moves = Command::Move(moves.collect());
    design = apply(&design, moves).expect("cards exist");
    let before = tops(&design);
    let attribute = Attribute::new(AttributeId(0), "total", AttributeType::N);
    let grown = apply(&design, Command::AddAttribute(first, attribute)).expect("a free name");
    assert_eq!(tops(&grown), before);
}

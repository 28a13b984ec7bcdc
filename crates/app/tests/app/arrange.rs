//! Align, distribute and auto-layout.

use crate::commands::sound;
use keyfold_app::arrange::{Align, Axis, align, auto_layout, distribute};
use keyfold_app::collections::{collection_areas, entity_groups};
use keyfold_app::geometry::area_at;
use keyfold_app::viewport::{Area, Detail};
use keyfold_app::{Command, apply, stress};
use keyfold_core::library;
use keyfold_core::model::*;
use keyfold_test_support::cases;
use keyfold_test_support::github::github;
use proptest::prelude::*;
use std::sync::Arc;

fn area(x: f64, y: f64, width: f64, height: f64) -> Area {
    Area {
        x,
        y,
        width,
        height,
    }
}

fn note(number: u32) -> CardId {
    CardId::Note(NoteId(number))
}

fn three() -> Vec<(CardId, Area)> {
    vec![
        (note(1), area(0.0, 0.0, 100.0, 40.0)),
        (note(2), area(50.0, 300.0, 200.0, 60.0)),
        (note(3), area(500.0, 80.0, 100.0, 20.0)),
    ]
}

fn shown(moves: &[(CardId, Point)]) -> String {
    let shown = |(card, at): &(CardId, Point)| format!("{card} {},{}", at.x, at.y);
    moves.iter().map(shown).collect::<Vec<_>>().join("  ")
}

#[test]
fn align_moves_cards_to_one_line() {
    let cases = [
        (Align::Left, "n2 0,300  n3 0,80"),
        (Align::Center, "n1 250,0  n2 200,300  n3 250,80"),
        (Align::Right, "n1 500,0  n2 400,300"),
        (Align::Top, "n2 50,0  n3 500,0"),
        (Align::Middle, "n1 0,160  n2 50,150  n3 500,170"),
        (Align::Bottom, "n1 0,320  n3 500,340"),
    ];
    for (to, expected) in cases {
        assert_eq!(shown(&align(&three(), to)), expected, "{to:?}");
    }
    assert!(align(&[], Align::Left).is_empty());
}

#[test]
fn distribute_equalizes_gaps_and_keeps_the_ends() {
    // 600 wide, with cards of 400: two gaps of 100.
    assert_eq!(shown(&distribute(&three(), Axis::Horizontal)), "n2 200,300");
    // 360 high, with cards of 120: two gaps of 120; the third card is the second from the top.
    assert_eq!(shown(&distribute(&three(), Axis::Vertical)), "n3 500,160");
    for few in 0..3 {
        assert!(distribute(&three()[..few], Axis::Horizontal).is_empty());
    }
}

fn arranged(design: &Design, detail: Detail) -> Design {
    let moves = auto_layout(design, detail);
    let design = apply(design, Command::Move(moves)).unwrap();
    sound(&design);
    design
}

fn areas(design: &Design, detail: Detail) -> Vec<(CardId, Area)> {
    (design.layout.iter())
        .map(|(card, at)| {
            let place = (f64::from(at.x), f64::from(at.y));
            (*card, area_at(design, *card, place, detail))
        })
        .collect()
}

/// Checks that all cards are on the grid and apart, and that a second layout changes nothing.
fn check_layout(design: &Design, detail: Detail) {
    let areas = areas(design, detail);
    assert_eq!(areas.len(), design.cards().count());
    for (number, (card, area)) in areas.iter().enumerate() {
        assert!(
            area.x % 8.0 == 0.0 && area.y % 8.0 == 0.0,
            "{card} {area:?}"
        );
        for (other_card, other) in &areas[number + 1..] {
            let apart_x = (other.x - area.x - area.width).max(area.x - other.x - other.width);
            let apart_y = (other.y - area.y - area.height).max(area.y - other.y - other.height);
            assert!(
                apart_x >= 96.0 || apart_y >= 32.0,
                "{card} {area:?} and {other_card} {other:?}"
            );
        }
    }
    assert_eq!(auto_layout(design, detail), []);
}

#[test]
fn library_layouts_are_on_the_grid_without_overlaps() {
    for pattern in library::patterns() {
        for detail in [Detail::All, Detail::Keys, Detail::Names] {
            check_layout(&arranged(&pattern.design().unwrap(), detail), detail);
        }
        let mut unplaced = pattern.design().unwrap();
        unplaced.layout = Arc::default();
        check_layout(&arranged(&unplaced, Detail::All), Detail::All);
    }
    check_layout(&arranged(&Design::new("Empty"), Detail::All), Detail::All);
}

#[test]
fn indexes_are_right_of_all_entities() {
    let design = arranged(&stress::design(40), Detail::All);
    let right = |is: fn(&CardId) -> bool| -> Vec<i32> {
        let cards = design.layout.iter().filter(|(card, _)| is(card));
        cards.map(|(_, at)| at.x).collect()
    };
    let entities = right(|card| matches!(card, CardId::Entity(_)));
    let indexes = right(|card| matches!(card, CardId::Index(_)));
    assert!(entities.iter().max() < indexes.iter().min());
}

#[test]
fn an_index_is_near_its_entities() {
    let mut design = Design::new("Wires");
    let at = Point::default();
    for name in ["First", "Second", "Third"] {
        let name = name.to_owned();
        design = apply(&design, Command::AddEntity { name, at }).unwrap();
    }
    for (index, entity) in [("GSI1", "Third"), ("GSI2", "Second"), ("GSI3", "First")] {
        let key = KeySchema::pair(format!("{index}PK"), format!("{index}SK"));
        let add = Command::AddIndexFor {
            index: Box::new(Index::new(index, IndexKind::Gsi, key)),
            at,
            entity: design.entity_named(entity).unwrap(),
            entry: IndexEntry::pair("A", "B"),
        };
        design = apply(&design, add).unwrap();
    }
    let design = arranged(&design, Detail::All);
    assert_eq!(
        names_in_order(&design),
        ["First", "Second", "Third", "GSI3", "Table", "GSI2", "GSI1"]
    );
}

/// Entities of two item collections, added alternately.
fn two_collections() -> Design {
    let mut design = Design::new("Two");
    for number in 0..20 {
        let name = format!("Entity{number}");
        let at = Point {
            x: number * 3,
            y: 0,
        };
        design = apply(
            &design,
            Command::AddEntity {
                name: name.clone(),
                at,
            },
        )
        .unwrap();
        let entity = design.entity_named(&name).unwrap();
        let text = if number % 2 == 0 {
            "USER#{id}"
        } else {
            "SHOP#{id}"
        };
        let partition = Command::SetTemplate {
            entity,
            index: IndexId::PRIMARY,
            part: KeyPart::Partition,
            text: Some(text.into()),
        };
        design = apply(&design, partition).unwrap();
    }
    design
}

fn names_in_order(design: &Design) -> Vec<String> {
    let mut cards: Vec<_> = design.layout.iter().collect();
    cards.sort_by_key(|(_, at)| (at.x, at.y));
    (cards.into_iter())
        .map(|(card, _)| match card {
            CardId::Entity(id) => design.entities[id].name.clone(),
            CardId::Index(id) => design.index_name(*id).to_owned(),
            CardId::Note(id) => id.to_string(),
        })
        .collect()
}

#[test]
fn entities_of_an_item_collection_are_adjacent() {
    let design = arranged(&two_collections(), Detail::All);
    let parities: Vec<usize> = (names_in_order(&design).iter())
        .filter_map(|name| name.strip_prefix("Entity")?.parse::<usize>().ok())
        .map(|number| number % 2)
        .collect();
    let changes = parities
        .windows(2)
        .filter(|pair| pair[0] != pair[1])
        .count();
    assert_eq!((parities.len(), changes), (20, 1), "{parities:?}");
}

/// How many cards moved sideways, and the farthest that one moved up or down.
fn moved(before: &Design, after: &Design) -> (usize, u32) {
    let ways = before.layout.iter().map(|(card, at)| {
        let now = after.layout[card];
        (now.x != at.x, now.y.abs_diff(at.y))
    });
    ways.fold((0, 0), |(count, most), (aside, down)| {
        (count + usize::from(aside), most.max(down))
    })
}

#[test]
fn adding_an_attribute_moves_cards_by_its_height_at_most() {
    for design in [two_collections(), stress::design(200)] {
        let before = arranged(&design, Detail::All);
        for id in before.entities.keys() {
            let attribute = Attribute::new(AttributeId(0), "another", AttributeType::S);
            let changed = apply(&before, Command::AddAttribute(*id, attribute)).unwrap();
            let after = arranged(&changed, Detail::All);
            check_layout_quick(&after);
            let (aside, down) = moved(&before, &after);
            assert!(aside == 0 && down <= 32, "{aside} aside, {down} down");
        }
    }
}

fn check_layout_quick(design: &Design) {
    assert_eq!(auto_layout(design, Detail::All), []);
}

#[test]
fn adding_an_entity_moves_the_others_of_its_row() {
    for design in [two_collections(), stress::design(200)] {
        let before = arranged(&design, Detail::All);
        for place in [(0, 0), (700, 500), (5, 4000), (9000, 9000)] {
            let name = "New".to_owned();
            let at = Point::from(place);
            let changed = apply(&before, Command::AddEntity { name, at }).unwrap();
            let after = arranged(&changed, Detail::All);
            check_layout_quick(&after);
            let (aside, down) = moved(&before, &after);
            assert!(
                aside <= 20 && down <= 300,
                "{aside} of {} aside, {down} down for {place:?}",
                before.layout.len()
            );
        }
    }
}

#[test]
fn entities_added_one_by_one_never_overlap() {
    let mut design = arranged(&two_collections(), Detail::All);
    for number in 0..120 {
        let name = format!("More{number}");
        let at = Point { x: 10, y: 10 };
        design = arranged(
            &apply(&design, Command::AddEntity { name, at }).unwrap(),
            Detail::All,
        );
    }
    check_layout(&design, Detail::All);
    let (width, height) = extent(&design);
    assert!(
        width < 4.0 * height && height < 3.0 * width,
        "{width} x {height}"
    );
}

fn extent(design: &Design) -> (f64, f64) {
    let areas = areas(design, Detail::All);
    let all = areas.into_iter().map(|(_, area)| area).reduce(Area::union);
    let all = all.unwrap();
    (all.width, all.height)
}

#[test]
fn a_layout_of_1000_entities_is_about_square() {
    let design = stress::design(1000);
    let moves = auto_layout(&design, Detail::All);
    let design = apply(&design, Command::Move(moves)).unwrap();
    let (width, height) = extent(&design);
    assert!(
        width < 2.5 * height && height < 1.5 * width,
        "{width} x {height}"
    );
}

/// Designs with entities, indexes and notes at random positions.
fn any_design() -> impl Strategy<Value = Design> {
    let place = (-3000..9000_i32, -3000..9000_i32).prop_map(Point::from);
    let entity = (
        0..6_usize,
        0..64_u8,
        0..12_u32,
        proptest::option::of(place.clone()),
    );
    let entities = proptest::collection::vec(entity, 0..50);
    let indexes = proptest::collection::vec(proptest::option::of(place.clone()), 0..6);
    let notes = proptest::collection::vec(place, 0..3);
    (entities, indexes, notes).prop_map(|(entities, indexes, notes)| {
        let mut design = Design::new("Any");
        let at = |card: CardId, place: Option<Point>, design: &mut Design| {
            if let Some(place) = place {
                Arc::make_mut(&mut design.layout).insert(card, place);
            }
        };
        let mut ids = vec![IndexId::PRIMARY];
        for (number, place) in indexes.into_iter().enumerate() {
            let id = IndexId(design.take_id());
            let (p, s) = (format!("P{number}"), format!("S{number}"));
            let index = Index::new(
                format!("GSI{number}"),
                IndexKind::Gsi,
                KeySchema::pair(p, s),
            );
            design.indexes.insert(id, Arc::new(index));
            ids.push(id);
            at(CardId::Index(id), place, &mut design);
        }
        for (number, (shape, member, attributes, place)) in entities.into_iter().enumerate() {
            let id = EntityId(design.take_id());
            let mut entity = Entity::new(format!("E{number}"), 0);
            for (bit, index) in ids.iter().enumerate() {
                if member >> bit & 1 == 1 {
                    let text = format!("{}#{{id{number}}}", ["A", "B", "C", "D", "E", "F"][shape]);
                    entity.keys.insert(*index, IndexEntry::pair(text, "x"));
                }
            }
            for attribute in 0..attributes {
                let attribute_id = AttributeId(design.take_id());
                let name = format!("a{attribute}");
                let attribute = Attribute::new(attribute_id, name, AttributeType::S);
                entity.attributes.push(attribute);
            }
            design.entities.insert(id, Arc::new(entity));
            at(CardId::Entity(id), place, &mut design);
        }
        for place in notes {
            let id = NoteId(design.take_id());
            design.notes.insert(id, Arc::new(Note::new("x")));
            at(CardId::Note(id), Some(place), &mut design);
        }
        design
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn auto_layout_is_stable_for_any_design(design in any_design()) {
        sound(&design);
        check_layout(&arranged(&design, Detail::All), Detail::All);
    }

    #[test]
    fn auto_layout_is_stable_after_moving_a_card(design in any_design(), card in 0..60_usize, place in (0..4000_i32, 0..4000_i32)) {
        let design = arranged(&design, Detail::All);
        let cards: Vec<CardId> = design.cards().collect();
        let moved = Command::Move(vec![(cards[card % cards.len()], place.into())]);
        let design = apply(&design, moved).unwrap();
        check_layout(&arranged(&design, Detail::All), Detail::All);
    }
}

/// After all cards were arranged, one box is around the entities that share a partition.
#[test]
fn an_arranged_item_collection_is_one_box() {
    let library = library::patterns().iter();
    let library = library.map(|pattern| (pattern.name, pattern.design().unwrap()));
    let mut groups = 0;
    for (name, design) in library.chain([("GitHub", github())]) {
        let design = arranged(&design, Detail::All);
        let found = entity_groups(&design, IndexId::PRIMARY);
        for collection in collection_areas(&found, &areas(&design, Detail::All)) {
            groups += 1;
            assert_eq!(collection.areas.len(), 1, "{name}: {}", collection.name);
        }
    }
    assert!(groups >= 20, "{groups} groups");
}

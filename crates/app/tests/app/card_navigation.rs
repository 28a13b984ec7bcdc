//! Keyboard navigation between cards.

use keyfold_app::card_navigation::Direction::{self, Down, Left, Right, Up};
use keyfold_app::card_navigation::{along_wires, toward};
use keyfold_app::viewport::Area;
use keyfold_core::library;
use keyfold_core::model::*;

fn note(number: u32) -> CardId {
    CardId::Note(NoteId(number))
}

fn cards(places: &[(f64, f64, f64, f64)]) -> Vec<(CardId, Area)> {
    let card = |(number, (x, y, width, height)): (usize, &(f64, f64, f64, f64))| {
        let area = Area {
            x: *x,
            y: *y,
            width: *width,
            height: *height,
        };
        (note(number as u32 + 1), area)
    };
    places.iter().enumerate().map(card).collect()
}

/// Three columns of cards of different heights:
/// ```text
/// 1  3  6
/// 1  4  6
/// 2  5
/// ```
fn columns() -> Vec<(CardId, Area)> {
    cards(&[
        (0.0, 0.0, 288.0, 400.0),
        (0.0, 432.0, 288.0, 200.0),
        (384.0, 0.0, 288.0, 150.0),
        (384.0, 182.0, 288.0, 150.0),
        (384.0, 500.0, 288.0, 150.0),
        (768.0, 0.0, 216.0, 300.0),
    ])
}

#[test]
fn arrows_go_to_the_expected_card() {
    let cases: &[(u32, Direction, Option<u32>)] = &[
        (1, Right, Some(4)),
        (1, Down, Some(2)),
        (1, Left, None),
        (1, Up, None),
        (2, Right, Some(5)),
        (2, Up, Some(1)),
        (3, Down, Some(4)),
        (4, Down, Some(5)),
        (5, Up, Some(4)),
        (4, Left, Some(1)),
        (3, Right, Some(6)),
        (6, Left, Some(3)),
        // No card is straight ahead, but there is one in that direction.
        (5, Right, Some(6)),
        (6, Down, Some(5)),
    ];
    for (from, direction, expected) in cases {
        let found = toward(&columns(), note(*from), *direction);
        assert_eq!(found, expected.map(note), "from {from} {direction:?}");
    }
    assert_eq!(toward(&columns(), note(9), Right), None);
    assert_eq!(toward(&[], note(1), Right), None);
}

#[test]
fn a_card_straight_ahead_is_preferred_to_a_nearer_one_aside() {
    let cards = cards(&[
        (0.0, 0.0, 100.0, 100.0),
        (110.0, 150.0, 100.0, 100.0),
        (200.0, 20.0, 100.0, 100.0),
        (9000.0, 0.0, 100.0, 100.0),
    ]);
    assert_eq!(toward(&cards, note(1), Right), Some(note(3)));
    assert_eq!(toward(&cards, note(3), Right), Some(note(4)));
    assert_eq!(toward(&cards, note(3), Left), Some(note(1)));
}

#[test]
fn wires_lead_from_entities_to_indexes_and_back() {
    let design = library::find("saas-multi-tenant")
        .unwrap()
        .design()
        .unwrap();
    let entity = |name: &str| CardId::Entity(design.entity_named(name).unwrap());
    let index = |name: &str| CardId::Index(design.index_named(name).unwrap());
    let table = CardId::Index(IndexId::PRIMARY);
    assert_eq!(
        along_wires(&design, entity("Tenant")),
        [table, index("GSI3")]
    );
    assert_eq!(along_wires(&design, entity("User")), [table, index("GSI1")]);
    assert_eq!(along_wires(&design, index("GSI2")), [entity("Project")]);
    let all = ["Tenant", "Subscription", "User", "Project"].map(entity);
    assert_eq!(along_wires(&design, table), all);
    assert_eq!(along_wires(&design, note(1)), []);
    assert_eq!(along_wires(&design, CardId::Entity(EntityId(9999))), []);
}

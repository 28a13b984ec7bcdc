//! Routes of wires around cards.

use keyfold_app::arrange::auto_layout;
use keyfold_app::collections::{collection_areas, entity_groups};
use keyfold_app::geometry::{ENTITY_WIDTH, INDEX_WIDTH, WireCurve};
use keyfold_app::placement::card_areas;
use keyfold_app::route::{Lane, Routes, WireRoute, obstacles};
use keyfold_app::viewport::{Area, Detail};
use keyfold_core::library;
use keyfold_core::model::{CardId, Design, IndexId, Point};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

type Place = (f64, f64);

fn route(course: WireCurve, others: &[Area]) -> WireRoute {
    let (from, to) = (course.from, course.to);
    let left = |x: f64, side: f64, width: f64| if side > 0.0 { x - width } else { x };
    let own = [
        area(
            left(from.0, course.leaves, ENTITY_WIDTH),
            from.1 - 60.0,
            ENTITY_WIDTH,
            200.0,
        ),
        area(
            left(to.0, course.enters, INDEX_WIDTH),
            to.1 - 20.0,
            INDEX_WIDTH,
            INDEX_HEIGHT,
        ),
    ];
    keyfold_app::route::route(course, others, &own, Lane::default())
}

fn area(x: f64, y: f64, width: f64, height: f64) -> Area {
    Area {
        x,
        y,
        width,
        height,
    }
}

/// Closely spaced points along an SVG path of the commands M, L, Q and C.
fn points(path: &str) -> Vec<Place> {
    let mut points: Vec<Place> = Vec::new();
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic());
        let (own, next) = rest[1..].split_at(end.unwrap_or(rest.len() - 1));
        rest = next;
        let numbers: Vec<f64> = own.split(' ').map(|n| n.parse().unwrap()).collect();
        let mut control: Vec<Place> = points.last().copied().into_iter().collect();
        control.extend(numbers.chunks(2).map(|pair| (pair[0], pair[1])));
        let expected = match command {
            'M' | 'L' => 1,
            'Q' => 2,
            'C' => 3,
            _ => panic!("{path}"),
        };
        assert_eq!(numbers.len(), 2 * expected, "{path}");
        for step in 0..=200 {
            let t = f64::from(step) / 200.0;
            // De Casteljau's algorithm for any number of control points.
            let mut level = control.clone();
            while level.len() > 1 {
                level = (level.windows(2))
                    .map(|p| {
                        (
                            p[0].0 + (p[1].0 - p[0].0) * t,
                            p[0].1 + (p[1].1 - p[0].1) * t,
                        )
                    })
                    .collect();
            }
            points.push(level[0]);
        }
    }
    points
}

fn crossed(path: &str, obstacles: &[Area]) -> Option<Place> {
    let inside = |(x, y): &Place, area: &Area| {
        // Paths have one decimal, and a bend adds the errors of three points.
        let area = area.grown(-0.2);
        *x > area.x && *x < area.x + area.width && *y > area.y && *y < area.y + area.height
    };
    points(path)
        .into_iter()
        .find(|p| obstacles.iter().any(|area| inside(p, area)))
}

/// Checks that the wire starts and ends at its cards and that its middle is on it.
fn check(course: WireCurve, found: &WireRoute) {
    let points = points(&found.path);
    let near = |a: Place, b: Place| (a.0 - b.0).abs() < 0.2 && (a.1 - b.1).abs() < 0.2;
    assert!(near(points[0], course.from) && near(*points.last().unwrap(), course.to));
    let (x, y) = found.at(0.5);
    let distance = |p: &Place| (p.0 - x).hypot(p.1 - y);
    let nearest = points.iter().map(distance).fold(f64::INFINITY, f64::min);
    assert!(
        nearest < 12.0,
        "{:?} is {nearest} from {}",
        found.at(0.5),
        found.path
    );
}

const INDEX_HEIGHT: f64 = 150.0;

/// Checks that a wire between two cards crosses none of the others.
fn check_free(entity: Place, index: Place, others: &[Area]) -> WireRoute {
    let course = WireCurve::between(entity, 60.0, index);
    let found = route(course, others);
    check(course, &found);
    assert_eq!(crossed(&found.path, others), None, "{found:?}");
    let ends = [
        area(entity.0, entity.1, ENTITY_WIDTH, 200.0),
        area(index.0, index.1, INDEX_WIDTH, INDEX_HEIGHT),
    ];
    assert_eq!(crossed(&found.path, &ends), None, "{found:?}");
    found
}

#[test]
fn a_wire_without_obstacles_has_two_corners() {
    let course = WireCurve::between((0.0, 0.0), 60.0, (600.0, 300.0));
    for obstacles in [&[][..], &[area(0.0, 500.0, 288.0, 100.0)]] {
        let found = route(course, obstacles);
        check(course, &found);
        assert_eq!(found.points().len(), 4, "{found:?}");
    }
}

#[test]
fn a_wire_to_the_same_height_is_straight() {
    let course = WireCurve::between((0.0, 0.0), 60.0, (600.0, 40.0));
    let found = route(course, &[]);
    assert_eq!(*found.points(), [(288.0, 60.0), (600.0, 60.0)]);
}

#[test]
fn a_wire_goes_around_a_card() {
    let between = [area(400.0, -100.0, 288.0, 400.0)];
    let found = check_free((0.0, 0.0), (800.0, 0.0), &between);
    // Above is shorter than below: through a channel, along the top, and back.
    let corners = [
        (288.0, 60.0),
        (304.0, 60.0),
        (304.0, -112.0),
        (784.0, -112.0),
        (784.0, 20.0),
        (800.0, 20.0),
    ];
    assert_eq!(*found.points(), corners);
    assert_eq!(found.at(0.5), (524.0, -112.0));
}

#[test]
fn wires_avoid_cards_in_various_layouts() {
    // Another column in between; the wire goes above, below or between its cards.
    let column = |x: f64, first: f64| -> Vec<Area> {
        let card = |n: i32| area(x, first + f64::from(n) * 232.0, 288.0, 200.0);
        (0..5).map(card).collect()
    };
    for entity_y in [0.0, 150.0, 400.0, 900.0] {
        for index_y in [0.0, 333.0, 1000.0] {
            check_free((0.0, entity_y), (768.0, index_y), &column(384.0, 48.0));
            check_free((768.0, entity_y), (0.0, index_y), &column(384.0, -100.0));
            let mut two = column(384.0, 48.0);
            two.extend(column(768.0, 112.0));
            check_free((0.0, entity_y), (1152.0, index_y), &two);
        }
    }
    // Two cards in a column, with one between them that extends to the right.
    check_free(
        (0.0, 0.0),
        (0.0, 900.0),
        &[area(100.0, 400.0, 288.0, 200.0)],
    );
    check_free(
        (0.0, 900.0),
        (40.0, 0.0),
        &[area(60.0, 400.0, 288.0, 200.0)],
    );
}

/// Parts of wires of different indexes that run side by side with less than `apart` between them, in a design with these
/// positions.
fn close_parts(design: &Design, apart: f64) -> Vec<String> {
    let cards = card_areas(design, Detail::All);
    let boxes = collection_areas(&entity_groups(design, IndexId::PRIMARY), &cards);
    let routes = Routes::new(design, Detail::All, obstacles(&cards, &boxes), None);
    let mut parts = Vec::new();
    for ((entity, index), route) in routes.iter() {
        for pair in route.points().windows(2) {
            parts.push((entity, index, pair[0], pair[1]));
        }
    }
    let cover = |a: (Place, Place), b: (Place, Place)| {
        let overlap = |from: f64, to: f64, other: f64, end: f64| {
            from.max(to).min(other.max(end)) - from.min(to).max(other.min(end)) > 1.0
        };
        let same = |of: f64, other: f64| (of - other).abs() < apart;
        let ((a, b), (c, d)) = (a, b);
        (a.0 == b.0 && c.0 == d.0 && same(a.0, c.0) && overlap(a.1, b.1, c.1, d.1))
            || (a.1 == b.1 && c.1 == d.1 && same(a.1, c.1) && overlap(a.0, b.0, c.0, d.0))
    };
    let mut found = Vec::new();
    for (number, one) in parts.iter().enumerate() {
        for other in &parts[number + 1..] {
            if one.1 != other.1 && cover((one.2, one.3), (other.2, other.3)) {
                found.push(format!("{one:?} {other:?}"));
            }
        }
    }
    found
}

#[test]
fn wires_of_different_indexes_are_seen_as_several() {
    for pattern in library::patterns() {
        let mut design = pattern.design().unwrap();
        design.layout = Arc::default();
        design.layout = Arc::new(auto_layout(&design, Detail::All).into_iter().collect());
        assert_eq!(close_parts(&design, 7.0), [""; 0], "{}", pattern.name);
    }
}

#[test]
fn wires_of_one_index_run_together() {
    let pattern = library::find("saas-multi-tenant-overloaded").unwrap();
    let design = pattern.design().unwrap();
    let cards = card_areas(&design, Detail::All);
    let routes = Routes::new(&design, Detail::All, obstacles(&cards, &[]), None);
    let ends = |index: IndexId| -> Vec<Place> {
        let own = routes.iter().filter(move |((_, other), _)| *other == index);
        own.map(|(_, route)| route.points()[route.points().len() - 1])
            .collect()
    };
    for index in design.index_ids() {
        let ends = ends(index);
        assert!(
            ends.len() > 1 && ends.iter().all(|end| *end == ends[0]),
            "{ends:?}"
        );
    }
}

#[test]
fn a_changed_card_changes_only_wires_near_it() {
    let pattern = library::find("saas-multi-tenant-production").unwrap();
    let mut design = pattern.design().unwrap();
    let routed = |design: &Design, before: Option<&Routes>| {
        let cards = card_areas(design, Detail::All);
        Routes::new(design, Detail::All, obstacles(&cards, &[]), before)
    };
    let first = routed(&design, None);
    let card = CardId::Entity(*design.entities.keys().next().unwrap());
    let place = design.layout[&card];
    let lower = Point {
        y: place.y + 8,
        ..place
    };
    Arc::make_mut(&mut design.layout).insert(card, lower);
    let (next, anew) = (routed(&design, Some(&first)), routed(&design, None));
    for ((wire, route), (_, expected)) in next.iter().zip(anew.iter()) {
        assert_eq!(route, expected, "{wire:?}");
    }
}

#[test]
fn a_wire_keeps_a_distance_from_cards() {
    // A straight wire would pass 2 pixels below the card.
    let over = [area(400.0, -200.0, 288.0, 258.0)];
    let found = check_free((0.0, 0.0), (800.0, -300.0), &over);
    assert_eq!(
        crossed(&found.path, &[over[0].grown(6.0)]),
        None,
        "{found:?}"
    );
}

#[test]
fn a_wire_without_a_free_route_is_a_curve() {
    let course = WireCurve::between((0.0, 0.0), 60.0, (800.0, 0.0));
    let wall = [
        area(390.0, -9000.0, 100.0, 9000.0),
        area(390.0, -10.0, 100.0, 9000.0),
    ];
    let over = [area(200.0, -50.0, 288.0, 300.0)];
    for obstacles in [&wall[..], &over] {
        assert_eq!(route(course, obstacles).path, course.path());
    }
}

#[test]
fn a_wire_goes_around_30_cards() {
    let cards: Vec<Area> = (0..30)
        .map(|n| {
            area(
                400.0 + f64::from(n / 6) * 384.0,
                f64::from(n % 6) * 232.0,
                288.0,
                200.0,
            )
        })
        .collect();
    for step in 0..100 {
        let course = WireCurve::between((0.0, f64::from(step)), 60.0, (2400.0, 500.0));
        assert_ne!(route(course, &cards).path, course.path());
    }
}

#[test]
fn bends_do_not_cross_cards() {
    // The route goes up the right side of the card and turns 2 pixels above it.
    let card = [area(1244.0, 948.0, 288.0, 100.0)];
    let course = WireCurve::between((1196.0, 1100.0), 60.0, (1340.0, 716.0));
    let found = route(course, &card);
    check(course, &found);
    assert_ne!(found.path, course.path());
    assert_eq!(crossed(&found.path, &card), None, "{found:?}");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn routes_other_than_curves_cross_no_card(
        entity in (0..2000_i32, 0..2000_i32),
        index in (0..2000_i32, 0..2000_i32),
        others in proptest::collection::vec((0..2000_i32, 0..2000_i32, 100..300_i32), 0..10),
    ) {
        let place = |(x, y): (i32, i32)| (f64::from(x), f64::from(y));
        let course = WireCurve::between(place(entity), 60.0, place(index));
        let others: Vec<Area> = (others.into_iter())
            .map(|(x, y, height)| area(f64::from(x), f64::from(y), 288.0, f64::from(height)))
            // Cards that cover the ends leave no route.
            .filter(|card| {
                let end = |(x, y): (f64, f64)| area(x - 26.0, y - 26.0, 52.0, 52.0);
                !card.intersects(end(course.from)) && !card.intersects(end(course.to))
            })
            .collect();
        let found = route(course, &others);
        check(course, &found);
        if found.path != course.path() {
            prop_assert_eq!(crossed(&found.path, &others), None);
        }
    }
}

#[test]
fn labels_avoid_taken_areas() {
    let course = WireCurve::between((0.0, 0.0), 60.0, (1000.0, 40.0));
    let found = route(course, &[]);
    let at = |taken: &[Area]| {
        found.label(100.0, 28.0, |label| {
            !taken.iter().any(|area| area.intersects(label))
        })
    };
    let middle = |label: Area| (label.x + label.width / 2.0, label.y + label.height / 2.0);
    assert_eq!(at(&[]).map(middle), Some(found.at(0.5)));
    let over = area(found.at(0.5).0 - 40.0, 0.0, 80.0, 200.0);
    let beside = at(&[over]).unwrap();
    assert!(!beside.intersects(over));
    assert_eq!(middle(beside), found.at(0.35));
    assert_eq!(at(&[area(0.0, 0.0, 1200.0, 200.0)]), None);
    // Around a card too: above it, not in the narrow channel beside it.
    let between = [area(400.0, -100.0, 288.0, 400.0)];
    let around = check_free((0.0, 0.0), (800.0, 0.0), &between);
    let ends = [
        area(0.0, 0.0, 288.0, 200.0),
        area(800.0, 0.0, INDEX_WIDTH, 150.0),
    ];
    let taken = [ends[0], ends[1], between[0].grown(2.0)];
    let is_free = |label: Area| !taken.iter().any(|area| area.intersects(label));
    let label = around.label(200.0, 18.0, is_free).unwrap();
    assert!(is_free(label));
    assert_eq!(middle(label).1, -112.0);
}

#[test]
fn wires_of_the_library_stay_within_the_margin_of_a_fit() {
    // The page fits a design to its window before the code of wires is there.
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        let cards = card_areas(&design, Detail::All);
        let boxes = collection_areas(&entity_groups(&design, IndexId::PRIMARY), &cards);
        let routes = Routes::new(&design, Detail::All, obstacles(&cards, &boxes), None);
        let areas = boxes.iter().flat_map(|collection| collection.areas.clone());
        let areas = areas.chain(cards.iter().map(|(_, area)| *area));
        let seen = areas.reduce(Area::union).unwrap().grown(48.0);
        let wires = routes.area().unwrap_or(seen);
        assert_eq!(seen.union(wires), seen, "{}", pattern.name);
    }
}

//! The arrows of references: which there are, where they lead, and that they run beside wires.

use keyfold_app::arrange::auto_layout;
use keyfold_app::collections::{collection_areas, entity_groups};
use keyfold_app::geometry::{ENTITY_WIDTH, HEAD, WireCurve, attribute_middle};
use keyfold_app::picture::{PictureOptions, svg};
use keyfold_app::placement::{card_areas, stored_area};
use keyfold_app::references::{choose, descriptions, drawn, label};
use keyfold_app::route::{Arrow, Arrows, Routes, obstacles};
use keyfold_app::viewport::{Area, Detail};
use keyfold_app::{apply, stress};
use keyfold_core::engine::generate::{Reference, ReferenceChoice, references};
use keyfold_core::library;
use keyfold_core::model::{CardId, Design, IndexId, Point, validate_invariants};
use std::sync::Arc;

type Place = (f64, f64);

fn pattern(name: &str) -> Design {
    library::find(name).unwrap().design().unwrap()
}

fn routes(design: &Design, detail: Detail) -> Routes {
    let cards = card_areas(design, detail);
    let boxes = collection_areas(&entity_groups(design, IndexId::PRIMARY), &cards);
    Routes::new(design, detail, obstacles(&cards, &boxes), None)
}

fn arrow(reference: &Reference) -> Arrow {
    (reference.entity, reference.attribute.clone())
}

/// The parts of a line: pairs of points.
fn parts(points: &[Place]) -> Vec<(Place, Place)> {
    points.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// All library designs, as they are and arranged anew.
fn designs() -> Vec<Design> {
    let mut all = Vec::new();
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        let mut arranged = design.clone();
        arranged.layout = Arc::default();
        arranged.layout = Arc::new(auto_layout(&arranged, Detail::All).into_iter().collect());
        all.extend([design, arranged]);
    }
    all
}

#[test]
fn arrows_lead_from_the_row_to_the_head_of_the_other_card() {
    let mut count = 0;
    for design in designs() {
        for detail in [Detail::All, Detail::Keys, Detail::Names] {
            let references = drawn(&design);
            let routes = routes(&design, detail);
            let arrows = Arrows::new(&design, detail, &references, &routes, None);
            for reference in &references {
                let (course, route) = arrows.stored(&arrow(reference)).unwrap();
                let area = |id| stored_area(&design, CardId::Entity(id), detail).unwrap();
                let (from, to) = (area(reference.entity), area(reference.target));
                let is_at_side = |x: f64, card: Area| x == card.x || x == card.x + ENTITY_WIDTH;
                assert!(is_at_side(course.from.0, from) && is_at_side(course.to.0, to));
                assert_eq!(course.to.1, to.y + HEAD / 2.0);
                let inside = course.from.1 - from.y;
                assert!(inside > 0.0 && inside < from.height, "{inside}");
                let points = route.points();
                assert_eq!(
                    (points[0], points[points.len() - 1]),
                    (course.from, course.to)
                );
                count += 1;
            }
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn an_arrow_starts_at_the_middle_of_its_row() {
    let design = pattern("saas-multi-tenant");
    for entity in design.entities.values() {
        let all: Vec<f64> = (entity.attributes.iter())
            .map(|attribute| attribute_middle(entity, &attribute.name, Detail::All))
            .collect();
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] == 20.0));
        let height = keyfold_app::geometry::entity_height(entity, Detail::All);
        // Below the last row are 4 pixels and a line.
        assert!(
            (height - all[all.len() - 1] - 14.5).abs() <= 0.5,
            "{all:?} {height}"
        );
    }
}

/// Parts of arrows that run along a wire or over a card that is not theirs.
fn faults(design: &Design) -> (usize, usize, usize) {
    let references = drawn(design);
    let routes = routes(design, Detail::All);
    let arrows = Arrows::new(design, Detail::All, &references, &routes, None);
    let cover = |(a, b): (Place, Place), (c, d): (Place, Place)| {
        let overlap = |from: f64, to: f64, other: f64, end: f64| {
            from.max(to).min(other.max(end)) - from.min(to).max(other.min(end)) > 1.0
        };
        let same = |of: f64, other: f64| (of - other).abs() < 3.0;
        (a.0 == b.0 && c.0 == d.0 && same(a.0, c.0) && overlap(a.1, b.1, c.1, d.1))
            || (a.1 == b.1 && c.1 == d.1 && same(a.1, c.1) && overlap(a.0, b.0, c.0, d.0))
    };
    let (mut covered, mut crossed) = (0, 0);
    for reference in &references {
        let (_, route) = arrows.stored(&arrow(reference)).unwrap();
        let own = parts(&route.points());
        covered += (routes.iter())
            .flat_map(|(_, wire)| parts(&wire.points()))
            .filter(|wire| own.iter().any(|part| cover(*part, *wire)))
            .count();
        let ends = [reference.entity, reference.target].map(CardId::Entity);
        crossed += (card_areas(design, Detail::All).iter())
            .filter(|(card, area)| !ends.contains(card) && route.touches(*area, -1.0))
            .count();
    }
    (references.len(), covered, crossed)
}

#[test]
fn arrows_run_along_no_wire_and_over_no_card() {
    for design in designs() {
        let (_, covered, crossed) = faults(&design);
        assert_eq!((covered, crossed), (0, 0), "{}", design.name);
    }
}

#[test]
fn a_refused_reference_has_no_arrow() {
    let mut design = pattern("saas-multi-tenant");
    let before = drawn(&design);
    let first = before[0].clone();
    let command = choose(&design, &first, ReferenceChoice::Refused).unwrap();
    design = apply(&design, command).unwrap();
    assert_eq!(validate_invariants(&design), []);
    let is_first = |reference: &Reference| arrow(reference) == arrow(&first);
    assert!(references(&design).iter().any(is_first));
    assert!(!drawn(&design).iter().any(is_first));
    assert_eq!(drawn(&design).len(), before.len() - 1);
    let routes = routes(&design, Detail::All);
    let arrows = Arrows::new(&design, Detail::All, &drawn(&design), &routes, None);
    assert!(arrows.stored(&arrow(&first)).is_none());
}

#[test]
fn after_a_move_only_arrows_near_the_card_are_routed_again() {
    let mut design = pattern("saas-multi-tenant-production");
    let references = drawn(&design);
    let routes_before = routes(&design, Detail::All);
    let first = Arrows::new(&design, Detail::All, &references, &routes_before, None);
    let moved = references[0].entity;
    let place = design.layout[&CardId::Entity(moved)];
    let aside = Point {
        x: place.x - 700,
        ..place
    };
    Arc::make_mut(&mut design.layout).insert(CardId::Entity(moved), aside);
    let after = routes(&design, Detail::All);
    let next = Arrows::new(&design, Detail::All, &references, &after, Some(&first));
    let anew = Arrows::new(&design, Detail::All, &references, &after, None);
    for reference in &references {
        let arrow = arrow(reference);
        assert_eq!(next.stored(&arrow), anew.stored(&arrow));
        let (course, route) = next.stored(&arrow).unwrap();
        // While a card is dragged, its arrows have the new ends and the others stay.
        let shown = first.route(&arrow, course, &routes_before);
        assert_eq!(shown.points()[0], course.from);
        let is_touched = [reference.entity, reference.target].contains(&moved);
        if !is_touched && first.stored(&arrow).unwrap().1 == route {
            assert_eq!(*shown, *route);
        }
    }
}

#[test]
fn a_large_design_has_curves() {
    let design = stress::design(250);
    let routes = routes(&design, Detail::All);
    let references = drawn(&design);
    let arrows = Arrows::new(&design, Detail::All, &references, &routes, None);
    for reference in &references {
        let (course, route) = arrows.stored(&arrow(reference)).unwrap();
        assert_eq!(route.path, course.path());
    }
}

#[test]
fn an_entity_says_what_it_refers_to() {
    let design = pattern("saas-multi-tenant");
    let references = drawn(&design);
    let descriptions = descriptions(&design, &references);
    let text: Vec<String> = (descriptions.iter())
        .map(|(id, text)| format!("{} {text}", design.entities[id].name))
        .collect();
    insta::assert_snapshot!(text.join("\n"), @r"
    Subscription refers to Tenant by tenantId
    User refers to Tenant by tenantId
    Project refers to Tenant by tenantId, User by createdBy
    ");
    let labels: Vec<String> = references.iter().map(|one| label(&design, one)).collect();
    insta::assert_snapshot!(labels.join("\n"), @r"
    Subscription.tenantId → Tenant
    User.tenantId → Tenant
    Project.tenantId → Tenant
    Project.createdBy → User
    ");
}

#[test]
fn the_picture_has_the_arrows_if_they_are_switched_on() {
    for dark in [false, true] {
        let design = pattern("saas-multi-tenant");
        let picture = |references| {
            svg(
                &design,
                PictureOptions {
                    dark,
                    references,
                    ..PictureOptions::default()
                },
            )
        };
        let (with, without) = (picture(true), picture(false));
        let document = roxmltree::Document::parse(&with).unwrap();
        let dashed = (document.descendants())
            .filter(|node| node.attribute("stroke-dasharray") == Some("2 3"))
            .count();
        assert_eq!(dashed, drawn(&design).len());
        let titles = document
            .descendants()
            .filter(|node| node.has_tag_name("title"));
        let titles: Vec<&str> = titles.filter_map(|node| node.text()).collect();
        for reference in drawn(&design) {
            assert!(titles.contains(&label(&design, &reference).as_str()));
        }
        assert!(!without.contains('→'));
        assert!(without.len() < with.len());
    }
}

#[test]
fn the_head_of_an_arrow_points_at_the_card() {
    let right = WireCurve::reference((0.0, 0.0), 100.0, (600.0, 0.0));
    assert_eq!(right.head(), "M600.0 20.0l-9 -4.5v9z");
    let left = WireCurve::reference((600.0, 0.0), 100.0, (0.0, 0.0));
    assert_eq!(left.head(), "M288.0 20.0l9 -4.5v9z");
    // Cards above each other are joined on their left, where fewer wires are.
    let above = WireCurve::reference((0.0, 300.0), 100.0, (0.0, 0.0));
    assert_eq!((above.from, above.to), ((0.0, 400.0), (0.0, 20.0)));
    assert_eq!(above.head(), "M0.0 20.0l-9 -4.5v9z");
    // An item of the same entity, such as a manager.
    let own = WireCurve::reference((0.0, 0.0), 100.0, (0.0, 0.0));
    assert_eq!((own.from, own.to), ((0.0, 100.0), (0.0, 20.0)));
}

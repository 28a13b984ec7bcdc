//! Hues of attributes.

use keyfold_app::tints::Tints;
use keyfold_core::library;
use keyfold_core::model::{Design, Entity, SortedSet};
use keyfold_core::template::parse;
use std::sync::Arc;

const HUES: usize = Entity::HUES as usize;

/// The attributes in the design's templates.
fn attributes(design: &Design) -> SortedSet<String> {
    (design.entities.values())
        .flat_map(|entity| entity.keys.values())
        .flat_map(|entry| entry.partition.iter().chain(&entry.sort))
        .flat_map(|template| {
            let parsed = parse(template).template;
            parsed.attributes().map(String::from).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn attributes_get_different_hues_while_there_are_enough() {
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        let mut tints = Tints::of_design(&design);
        let names = attributes(&design);
        let hues: Vec<u8> = names.iter().map(|name| tints.hue_of(name)).collect();
        let different: SortedSet<u8> = hues.iter().copied().collect();
        assert_eq!(different.len(), names.len().min(HUES), "{}", pattern.name);
        // However often and in whatever order they are requested.
        let again: Vec<u8> = names.iter().map(|name| tints.hue_of(name)).collect();
        assert_eq!(hues, again, "{}", pattern.name);
        let mut reversed = Tints::of_design(&design);
        for (name, hue) in names.iter().zip(hues).rev() {
            assert_eq!(reversed.hue_of(name), hue, "{}: {name}", pattern.name);
        }
    }
}

#[test]
fn a_new_attribute_gets_a_least_used_hue() {
    let mut tints = Tints::default();
    let name = |at: usize| format!("attribute{at}");
    let first: Vec<u8> = (0..2 * HUES).map(|at| tints.hue_of(&name(at))).collect();
    for hue in 0..HUES as u8 {
        assert_eq!(first.iter().filter(|&&other| other == hue).count(), 2);
    }
    let again: Vec<u8> = (0..2 * HUES).map(|at| tints.hue_of(&name(at))).collect();
    assert_eq!(first, again);
}

#[test]
fn opening_another_design_keeps_known_hues() {
    let design = |name| library::find(name).unwrap().design().unwrap();
    let (saas, shop) = (design("saas-orders"), design("e-commerce"));
    let shared = ["userId", "orderId"];
    let mut tints = Tints::of_design(&saas);
    let before = shared.map(|name| tints.hue_of(name));
    tints.open_design(&shop);
    assert_eq!(shared.map(|name| tints.hue_of(name)), before);
}

#[test]
fn a_design_that_is_opened_again_has_the_same_hues() {
    let all = library::patterns()
        .iter()
        .map(|pattern| pattern.design().unwrap());
    let all: Vec<Design> = all.collect();
    let mut tints = Tints::default();
    let mut hues_of = |design: &Design| -> Vec<u8> {
        tints.open_design(design);
        let names = attributes(design);
        names.iter().map(|name| tints.hue_of(name)).collect()
    };
    for (design, other) in all.iter().zip(all.iter().skip(1)) {
        let before = hues_of(design);
        hues_of(other);
        assert_eq!(hues_of(design), before, "{}, {}", design.name, other.name);
    }
}

#[test]
fn partial_names_release_their_hue() {
    let mut design = library::find("e-commerce").unwrap().design().unwrap();
    let mut tints = Tints::of_design(&design);
    let id = *design.entities.keys().next().unwrap();
    for typed in 1..40 {
        let entity = Arc::make_mut(design.entities.get_mut(&id).unwrap());
        entity.attributes[0].name = "x".repeat(typed);
        tints.release_unused(&design);
        tints.hue_of(&"x".repeat(typed));
    }
    let names = attributes(&design);
    let hues: SortedSet<u8> = names.iter().map(|name| tints.hue_of(name)).collect();
    assert_eq!(hues.len(), names.len().min(HUES));
}

#[test]
fn the_next_visit_has_the_same_hues() {
    let shop = library::find("e-commerce").unwrap().design().unwrap();
    let mut tints = Tints::default();
    // In another order than that of the design, as if they had been typed.
    let names: Vec<String> = attributes(&shop).into_iter().rev().collect();
    let typed: Vec<u8> = names.iter().map(|name| tints.hue_of(name)).collect();
    let mut later = Tints::of_visit(tints.to_keep());
    later.open_design(&shop);
    let again: Vec<u8> = names.iter().map(|name| later.hue_of(name)).collect();
    assert_eq!(typed, again);
    // What was changed by hand is ignored.
    let bad = [("userId".to_owned(), 200), ("orderId".to_owned(), 3)];
    let read = Tints::of_visit(bad.into_iter().collect());
    assert_eq!(read.to_keep().keys().collect::<Vec<_>>(), ["orderId"]);
}

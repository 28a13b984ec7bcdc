//! Which attributes have which hue.

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
fn attributes_of_a_design_have_hues_of_their_own_as_far_as_there_are_hues() {
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        let mut tints = Tints::of_design(&design);
        let names = attributes(&design);
        let hues: Vec<u8> = names.iter().map(|name| tints.of(name)).collect();
        let different: SortedSet<u8> = hues.iter().copied().collect();
        assert_eq!(different.len(), names.len().min(HUES), "{}", pattern.name);
        // However often and in which order they are asked for.
        let again: Vec<u8> = names.iter().map(|name| tints.of(name)).collect();
        assert_eq!(hues, again, "{}", pattern.name);
        let mut reversed = Tints::of_design(&design);
        for (name, hue) in names.iter().zip(hues).rev() {
            assert_eq!(reversed.of(name), hue, "{}: {name}", pattern.name);
        }
    }
}

#[test]
fn a_new_attribute_has_a_hue_that_the_fewest_have_and_moves_no_other() {
    let mut tints = Tints::default();
    let name = |at: usize| format!("attribute{at}");
    let first: Vec<u8> = (0..2 * HUES).map(|at| tints.of(&name(at))).collect();
    for hue in 0..HUES as u8 {
        assert_eq!(first.iter().filter(|&&other| other == hue).count(), 2);
    }
    let again: Vec<u8> = (0..2 * HUES).map(|at| tints.of(&name(at))).collect();
    assert_eq!(first, again);
}

#[test]
fn another_design_keeps_the_hues_that_are_known() {
    let design = |name| library::find(name).unwrap().design().unwrap();
    let (saas, shop) = (design("saas-orders"), design("e-commerce"));
    let shared = ["userId", "orderId"];
    let mut tints = Tints::of_design(&saas);
    let before = shared.map(|name| tints.of(name));
    tints.open(&shop);
    assert_eq!(shared.map(|name| tints.of(name)), before);
}

#[test]
fn names_that_were_there_while_one_typed_take_no_hue() {
    let mut design = library::find("e-commerce").unwrap().design().unwrap();
    let mut tints = Tints::of_design(&design);
    let id = *design.entities.keys().next().unwrap();
    for typed in 1..40 {
        let entity = Arc::make_mut(design.entities.get_mut(&id).unwrap());
        entity.attributes[0].name = "x".repeat(typed);
        tints.keep(&design);
        tints.of(&"x".repeat(typed));
    }
    let names = attributes(&design);
    let hues: SortedSet<u8> = names.iter().map(|name| tints.of(name)).collect();
    assert_eq!(hues.len(), names.len().min(HUES));
}

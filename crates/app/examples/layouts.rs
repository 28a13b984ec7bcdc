//! Prints the layouts and wires of all library designs and of random designs as JSON, for the comparison with ELK in
//! `benches/layout`.

use keyfold_app::arrange::auto_layout;
use keyfold_app::collections::{collection_areas, entity_groups};
use keyfold_app::placement::stored_area;
use keyfold_app::route::{Routes, obstacles};
use keyfold_app::viewport::{Area, Detail};
use keyfold_core::library;
use keyfold_core::model::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Number of random designs.
const RANDOM: u32 = 50;

fn main() {
    let patterns = library::patterns().iter().map(|pattern| {
        let design = pattern.design().expect("a library design can be read");
        (pattern.name.to_owned(), design)
    });
    let random = (1..=RANDOM).map(|seed| (format!("random {seed}"), random(seed)));
    let all: Vec<Value> = patterns
        .chain(random)
        .map(|(name, design)| shown(&name, design))
        .collect();
    println!("{}", json!(all));
}

/// The cards and wires of a design whose cards have no positions yet; and after two small changes.
fn shown(name: &str, mut design: Design) -> Value {
    design.layout = Arc::default();
    let arranged = arranged(&design);
    let mut shown = drawn(&arranged);
    let changes = [with_attribute(&arranged), with_entity(&arranged)];
    shown["name"] = name.into();
    shown["changes"] = changes
        .iter()
        .map(|design| drawn(&self::arranged(design)))
        .collect();
    shown
}

/// The design with one more attribute in its first entity.
fn with_attribute(design: &Design) -> Design {
    let mut design = design.clone();
    let id = AttributeId(design.take_id());
    if let Some((_, entity)) = design.entities.iter_mut().next() {
        let attribute = Attribute::new(id, "another", AttributeType::S);
        Arc::make_mut(entity).attributes.push(attribute);
    }
    design
}

/// The design with a copy of its first entity, which has no position.
fn with_entity(design: &Design) -> Design {
    let mut design = design.clone();
    let id = EntityId(design.take_id());
    let first = design.entities.values().next().cloned();
    if let Some(first) = first {
        design.entities.insert(id, first);
    }
    design
}

/// The design with all cards arranged.
fn arranged(design: &Design) -> Design {
    let mut design = design.clone();
    let layout: Vec<(CardId, Point)> = auto_layout(&design, Detail::All);
    Arc::make_mut(&mut design.layout).extend(layout);
    design
}

/// The cards and wires of a design.
fn drawn(design: &Design) -> Value {
    let cards: Vec<(CardId, Area)> = (design.cards())
        .filter_map(|card| Some((card, stored_area(design, card, Detail::All)?)))
        .collect();
    let boxes = collection_areas(&entity_groups(design, IndexId::PRIMARY), &cards);
    let routes = Routes::new(design, Detail::All, obstacles(&cards, &boxes), None);
    let cards: Vec<Value> = (cards.into_iter())
        .map(|(card, area)| {
            json!({ "id": card.to_string(), "x": area.x, "y": area.y, "width": area.width, "height": area.height })
        })
        .collect();
    let wires: Vec<Value> = (routes.iter())
        .map(|((entity, index), route)| {
            json!({
                "from": CardId::Entity(entity).to_string(),
                "to": CardId::Index(index).to_string(),
                "points": route.points(),
            })
        })
        .collect();
    json!({ "cards": cards, "wires": wires })
}

/// A random design without samples: 3 to 14 entities in up to 5 indexes, some of them in shared item collections.
fn random(seed: u32) -> Design {
    let mut state = u64::from(seed);
    // The generator of Knuth's MMIX.
    let mut below = move |limit: u32| {
        state = (state.wrapping_mul(6364136223846793005)).wrapping_add(1442695040888963407);
        (state >> 33) as u32 % limit
    };
    let mut design = Design::new(format!("Random {seed}"));
    let mut indexes = Vec::new();
    for number in 1..=below(6) {
        let id = IndexId(design.take_id());
        let key = KeySchema::pair(format!("GSI{number}PK"), format!("GSI{number}SK"));
        let index = Index::new(format!("GSI{number}"), IndexKind::Gsi, key);
        design.indexes.insert(id, Arc::new(index));
        indexes.push(id);
    }
    let (count, collections) = (3 + below(12), 1 + below(5));
    for number in 0..count {
        let id = EntityId(design.take_id());
        let mut entity = Entity::new(format!("Entity{number}"), (number % 12) as u8);
        let shared = below(3) > 0;
        let partition = match shared {
            true => format!("P{}#{{a0}}", below(collections)),
            false => format!("E{number}#{{a0}}"),
        };
        let sort = format!("E{number}#{{a1}}");
        entity
            .keys
            .insert(IndexId::PRIMARY, IndexEntry::pair(partition, sort));
        for index in &indexes {
            if below(3) == 0 {
                let entry = IndexEntry::pair(format!("E{number}#{{a1}}"), "{a0}");
                entity.keys.insert(*index, entry);
            }
        }
        for attribute in 0..2 + below(9) {
            let id = AttributeId(design.take_id());
            let attribute = Attribute::new(id, format!("a{attribute}"), AttributeType::S);
            entity.attributes.push(attribute);
        }
        design.entities.insert(id, Arc::new(entity));
    }
    design
}

//! Large designs for measuring: as many entities as asked for, five indexes, ten items each.

use super::suggest;
use crate::domain::model::{
    Attribute, AttributeId, AttributeType, CardId, Design, Entity, EntityId, Format, IndexEntry,
    IndexId, IndexKind, Point, Sample, SampleId, Value, map_of,
};
use std::sync::Arc;

/// Number of indexes of a stress design.
const INDEXES: usize = 5;
/// Number of samples of each entity.
const SAMPLES: usize = 10;
/// Distance of the cards, in canvas pixels.
const STEP: (i32, i32) = (336, 288);

/// A design with this many entities in a square. Each entity is in one to three of the indexes.
pub fn design(entities: u32) -> Design {
    let mut design = Design::new(format!("Stress {entities}"));
    let columns = f64::from(entities.max(1)).sqrt().ceil() as u32;
    let indexes: Vec<IndexId> = (0..INDEXES)
        .map(|number| {
            let index = suggest::new_index(&design, IndexKind::Gsi);
            let id = IndexId(design.take_id());
            design.indexes.insert(id, Arc::new(index));
            let at = Point {
                x: columns as i32 * STEP.0 + 80,
                y: (number as i32 + 1) * STEP.1,
            };
            Arc::make_mut(&mut design.layout).insert(CardId::Index(id), at);
            id
        })
        .collect();
    let primary = Point {
        x: columns as i32 * STEP.0 + 80,
        y: 0,
    };
    Arc::make_mut(&mut design.layout).insert(CardId::Index(IndexId::PRIMARY), primary);
    for number in 0..entities {
        let id = EntityId(design.take_id());
        let entity = entity(&mut design, number, &indexes);
        let samples = (0..SAMPLES).map(|row| sample(&mut design, number, row));
        let samples: Vec<Arc<Sample>> = samples.collect();
        design.entities.insert(id, Arc::new(entity));
        design.samples.insert(id, Arc::new(samples));
        let at = Point {
            x: (number % columns) as i32 * STEP.0,
            y: (number / columns) as i32 * STEP.1,
        };
        Arc::make_mut(&mut design.layout).insert(CardId::Entity(id), at);
    }
    design
}

fn entity(design: &mut Design, number: u32, indexes: &[IndexId]) -> Entity {
    let mut entity = Entity::new(format!("Entity{number}"), (number % 12) as u8);
    let attributes = [
        ("tenantId", AttributeType::S, None),
        ("id", AttributeType::S, Some(Format::Ulid)),
        ("status", AttributeType::S, None),
        ("createdAt", AttributeType::S, None),
        ("amount", AttributeType::N, None),
    ];
    for (name, kind, format) in attributes {
        let mut attribute = Attribute::new(AttributeId(design.take_id()), name, kind);
        attribute.required = true;
        attribute.format = format;
        entity.attributes.push(attribute);
    }
    entity.keys.insert(
        IndexId::PRIMARY,
        IndexEntry::pair("TENANT#{tenantId}", format!("E{number}#{{id}}")),
    );
    for step in 0..=(number as usize % 3) {
        let index = indexes[(number as usize + step) % indexes.len()];
        entity.keys.insert(
            index,
            IndexEntry::pair(format!("E{number}#{{status}}"), "{createdAt}#{id}"),
        );
    }
    entity
}

fn sample(design: &mut Design, number: u32, row: usize) -> Arc<Sample> {
    let text = |text: String| Value::S(text);
    let values = map_of([
        ("tenantId".to_owned(), text(format!("t-{}", row % 3))),
        ("id".to_owned(), text(format!("{number:05}-{row:03}"))),
        (
            "status".to_owned(),
            text(["new", "open", "done"][row % 3].into()),
        ),
        (
            "createdAt".to_owned(),
            text(format!("2026-01-{:02}T08:00:00Z", row % 28 + 1)),
        ),
        ("amount".to_owned(), Value::N(((row * 25) as i64).into())),
    ]);
    let id = SampleId(design.take_id());
    Arc::new(Sample { id, values })
}

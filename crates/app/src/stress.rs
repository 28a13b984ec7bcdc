//! Large designs for benchmarks: many entities with ten items each ([`design`]), or four entities with many items
//! ([`items`]).

use super::geometry::entity_height;
use super::suggest;
use super::viewport::Detail;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, CardId, Design, Entity, EntityId, Format, IndexEntry,
    IndexId, IndexKind, Point, Sample, SampleId, SortedMap, Value, Values,
};
use keyfold_core::template;
use std::sync::Arc;

/// Number of secondary indexes in a design of many entities.
const INDEXES: usize = 5;
/// Number of samples per entity.
const SAMPLES: usize = 10;
/// The attribute that identifies the items of an entity.
const ID: &str = "id";
/// Distance between cards (right, down), in canvas pixels.
const STEP: (i32, i32) = (336, 288);
/// Ratio of columns to rows of cards, so that the layout fits a window.
const COLUMN_RATIO: f64 = 1.3;
/// Vertical gap between two cards, in canvas pixels.
const GAP: i32 = 32;

/// The largest designs that [`by_name`] makes: entities, items.
const MAX_SIZES: [u32; 2] = [20_000, 500_000];

/// Returns the benchmark design with this name, or `None` for any other text. `1000` has 1000 entities;
/// `items:100000` has 100,000 items. Larger numbers are capped at 20,000 entities and 500,000 items.
pub fn by_name(name: &str) -> Option<Design> {
    let [most_entities, most_items] = MAX_SIZES;
    match name.strip_prefix("items:") {
        Some(count) => Some(items(count.parse::<u32>().ok()?.min(most_items))),
        None => Some(design(name.parse::<u32>().ok()?.min(most_entities))),
    }
}

/// Returns a design with this many entities, laid out in columns. Each entity is in one to three indexes.
pub fn design(entities: u32) -> Design {
    let mut design = Design::new(format!("Stress {entities}"));
    let columns = (f64::from(entities.max(1)) * COLUMN_RATIO).sqrt().ceil() as u32;
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
    let rows: Vec<(String, Values)> = (0..SAMPLES)
        .map(|number| (format!("-{number:03}"), row(number)))
        .collect();
    let mut ends = vec![0; columns as usize];
    for number in 0..entities {
        let id = EntityId(design.take_id());
        let entity = entity(&mut design, number, &indexes);
        let column = number % columns;
        let end = &mut ends[column as usize];
        let at = Point {
            x: column as i32 * STEP.0,
            y: *end,
        };
        *end += entity_height(&entity, Detail::All) as i32 + GAP;
        let prefix = format!("{number:05}");
        let samples = rows.iter().map(|(suffix, values)| {
            let mut values = values.clone();
            if let Some(own) = values.get_mut(ID) {
                *own = Value::S([prefix.as_str(), suffix].concat());
            }
            let id = SampleId(design.take_id());
            Arc::new(Sample { id, values })
        });
        let samples: Vec<Arc<Sample>> = samples.collect();
        design.entities.insert(id, Arc::new(entity));
        design.samples.insert(id, Arc::new(samples));
        Arc::make_mut(&mut design.layout).insert(CardId::Entity(id), at);
    }
    design
}

/// An index with its partition and sort key templates.
type Templates = (IndexId, &'static str, &'static str);

/// Returns a design with this many items: 1% tenants, 4% users, 25% orders, and order lines for the rest. The table
/// has two GSIs.
pub fn items(count: u32) -> Design {
    let mut design = Design::new(format!("Stress {count} items"));
    let indexes = [0, 1].map(|row| {
        let index = suggest::new_index(&design, IndexKind::Gsi);
        let id = IndexId(design.take_id());
        design.indexes.insert(id, Arc::new(index));
        let at = Point {
            x: 2 * STEP.0 + 80,
            y: (row + 1) * STEP.1,
        };
        Arc::make_mut(&mut design.layout).insert(CardId::Index(id), at);
        id
    });
    let (tenants, users, orders) = (count / 100, count / 25, count / 4);
    let lines = count - tenants - users - orders;
    let at = Point {
        x: 2 * STEP.0 + 80,
        y: 0,
    };
    Arc::make_mut(&mut design.layout).insert(CardId::Index(IndexId::PRIMARY), at);
    let [first, second] = indexes;
    let kinds: [(&str, u32, &[Templates]); 4] = [
        (
            "Tenant",
            tenants,
            &[(IndexId::PRIMARY, "TENANT#{tenantId}", "TENANT")],
        ),
        (
            "User",
            users,
            &[
                (IndexId::PRIMARY, "TENANT#{tenantId}", "USER#{userId}"),
                (first, "USER#{userId}", "USER"),
            ],
        ),
        (
            "Order",
            orders,
            &[
                (IndexId::PRIMARY, "TENANT#{tenantId}", "ORDER#{orderId}"),
                (first, "USER#{userId}", "ORDER#{createdAt}#{orderId}"),
                (second, "STATUS#{status}", "{createdAt}#{orderId}"),
            ],
        ),
        (
            "Line",
            lines,
            &[
                (
                    IndexId::PRIMARY,
                    "TENANT#{tenantId}",
                    "ORDER#{orderId}#LINE#{number:pad(3)}",
                ),
                (second, "PRODUCT#{productId}", "{createdAt}#{orderId}"),
            ],
        ),
    ];
    for ((name, count, keys), number) in kinds.into_iter().zip(0..) {
        let id = EntityId(design.take_id());
        let mut entity = Entity::new(name, number as u8);
        for (index, partition, sort) in keys {
            (entity.keys).insert(*index, IndexEntry::pair(*partition, *sort));
        }
        let mut used: Vec<String> = Vec::new();
        for (_, partition, sort) in keys {
            for text in [partition, sort] {
                let template = template::parse(text).template;
                used.extend(template.attributes().map(str::to_owned));
            }
        }
        used.extend(["amount".to_owned()]);
        used.dedup();
        for name in used {
            if entity.attribute(&name).is_none() {
                let kind = match name.as_str() {
                    "number" | "amount" => AttributeType::N,
                    _ => AttributeType::S,
                };
                let id = AttributeId(design.take_id());
                entity.attributes.push(Attribute::new(id, name, kind));
            }
        }
        let samples = (0..count).map(|row| item(&mut design, &entity, row));
        let samples: Vec<Arc<Sample>> = samples.collect();
        design.entities.insert(id, Arc::new(entity));
        design.samples.insert(id, Arc::new(samples));
        let at = Point {
            x: number % 2 * STEP.0,
            y: number / 2 * STEP.1,
        };
        Arc::make_mut(&mut design.layout).insert(CardId::Entity(id), at);
    }
    design
}

/// One sample with a value for each attribute of the entity. The values are spread out, but the same on each call.
fn item(design: &mut Design, entity: &Entity, row: u32) -> Arc<Sample> {
    let scattered = |most: u32| (row.wrapping_mul(2_654_435_761) >> 7) % most;
    let value = |name: &str| match name {
        "tenantId" => Value::S(format!("t-{:04}", scattered(500))),
        "userId" => Value::S(format!("u-{:06}", scattered(20_000))),
        "orderId" => Value::S(format!("o-{:08}", row / 3)),
        "productId" => Value::S(format!("p-{:05}", scattered(3_000))),
        "status" => Value::from(["NEW", "PAID", "SHIPPED", "DONE"][scattered(4) as usize]),
        "createdAt" => Value::S(format!(
            "2026-{:02}-{:02}T08:00:00Z",
            scattered(12) + 1,
            scattered(28) + 1
        )),
        _ => Value::N(i64::from(row % 1000).into()),
    };
    let attributes = entity.attributes.iter();
    let values = SortedMap::from_iter(attributes.map(|a| (a.name.clone(), value(&a.name)))).into();
    let id = SampleId(design.take_id());
    Arc::new(Sample { id, values })
}

fn entity(design: &mut Design, number: u32, indexes: &[IndexId]) -> Entity {
    let mut entity = Entity::new(format!("Entity{number}"), (number % 12) as u8);
    let attributes = [
        ("tenantId", AttributeType::S, None),
        (ID, AttributeType::S, Some(Format::Ulid)),
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

/// The attribute values of row number `row`. The caller sets the identity.
fn row(row: usize) -> Values {
    let text = |text: String| Value::S(text);
    SortedMap::from_iter([
        ("tenantId".to_owned(), text(format!("t-{}", row % 3))),
        (ID.to_owned(), text(String::new())),
        (
            "status".to_owned(),
            text(["new", "open", "done"][row % 3].into()),
        ),
        (
            "createdAt".to_owned(),
            text(format!("2026-01-{:02}T08:00:00Z", row % 28 + 1)),
        ),
        ("amount".to_owned(), Value::N(((row * 25) as i64).into())),
    ])
    .into()
}

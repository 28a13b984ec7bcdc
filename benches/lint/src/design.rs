//! A large design as teams have them: modules of five entities in a table of many tenants, on overloaded GSIs.

use keyfold_core::model::{
    AccessPattern, AccessPatternId, Attribute, AttributeId, AttributeType, Choice, Design, Entity,
    EntityId, Format, Index, IndexEntry, IndexId, IndexKind, ItemKey, KeySchema, Operation, Read,
    Sample, SampleId, SortCondition, SortOperator, SortedMap, Value,
};
use std::sync::Arc;

/// Number of GSIs.
const INDEXES: u32 = 20;
/// Samples of each entity.
const SAMPLES: u32 = 10;

/// Kinds of entities: name, table templates, templates in an index.
const KINDS: [(&str, &str, &str, &str, &str); 5] = [
    (
        "Head",
        "TENANT#{tenantId}",
        "M@#{headId}",
        "TENANT#{tenantId}#M@#{status}",
        "{createdAt}#{headId}",
    ),
    (
        "Part",
        "TENANT#{tenantId}",
        "PARTS@#{headId}#PART#{partId}",
        "TENANT#{tenantId}#PART@#{partId}",
        "{score:pad(6)}",
    ),
    (
        "Event",
        "TENANT#{tenantId}#LOG@#{createdAt:month}",
        "{createdAt}#{eventId}",
        "TENANT#{tenantId}#EVENT@#{eventId}",
        "{createdAt}",
    ),
    (
        "Link",
        "TENANT#{tenantId}#LINK@#{headId}",
        "OTHER#{otherId}",
        "TENANT#{tenantId}#LINK@#{otherId}",
        "OF#{headId}",
    ),
    (
        "Setting",
        "TENANT#{tenantId}",
        "SETTING@#{name}",
        "TENANT#{tenantId}#SETTING@#{name}",
        "{createdAt}",
    ),
];

/// The design with so many entities.
pub fn design(entities: u32) -> Design {
    let mut design = Design::new("Large");
    let indexes: Vec<IndexId> = (1..=INDEXES)
        .map(|number| {
            let key = KeySchema::pair(format!("GSI{number}PK"), format!("GSI{number}SK"));
            let id = IndexId(design.take_id());
            let index = Index::new(format!("GSI{number}"), IndexKind::Gsi, key);
            design.indexes.insert(id, Arc::new(index));
            id
        })
        .collect();
    for number in 0..entities {
        let (kind, module) = (
            KINDS[number as usize % KINDS.len()],
            number / KINDS.len() as u32,
        );
        let of_module = |text: &str| text.replace('@', &module.to_string());
        let mut entity = Entity::new(format!("{}{module}", kind.0), (number % 12) as u8);
        for (name, kind, format) in attributes() {
            let mut attribute = Attribute::new(AttributeId(design.take_id()), name, kind);
            (attribute.required, attribute.format) = (true, format);
            entity.attributes.push(attribute);
        }
        let pair =
            |partition: &str, sort: &str| IndexEntry::pair(of_module(partition), of_module(sort));
        entity.keys.insert(IndexId::PRIMARY, pair(kind.1, kind.2));
        let index = indexes[(number % INDEXES) as usize];
        entity.keys.insert(index, pair(kind.3, kind.4));
        let id = EntityId(design.take_id());
        let (partition, sort) = (of_module(kind.1), of_module(kind.2));
        let prefix = match kind.2.find('{') {
            Some(0) | None => None,
            Some(at) => Some(of_module(&kind.2[..at])),
        };
        design.entities.insert(id, Arc::new(entity));
        let get = Operation::GetItem {
            key: ItemKey {
                partition: partition.clone(),
                sort: Some(sort),
            },
            read: Read::default(),
        };
        let list = query(IndexId::PRIMARY, partition, prefix);
        let look_up = query(index, of_module(kind.3), None);
        for (what, operation) in [("Get", get), ("List", list), ("Look up", look_up)] {
            add_pattern(
                &mut design,
                format!("{what} {}{module}", kind.0),
                id,
                operation,
            );
        }
        let samples = (0..SAMPLES)
            .map(|row| sample(&mut design, number, row))
            .collect();
        design.samples.insert(id, Arc::new(samples));
    }
    design
}

fn attributes() -> [(&'static str, AttributeType, Option<Format>); 9] {
    let text = AttributeType::S;
    let choice = |value: &str| Choice {
        value: Value::from(value),
        weight: 1,
    };
    let statuses = ["draft", "open", "closed"].map(choice).to_vec();
    let times = Format::Timestamp {
        from: "2026-01-01T00:00:00Z".into(),
        to: "2026-12-31T23:59:59Z".into(),
    };
    [
        ("tenantId", text, Some(Format::Uuid)),
        ("headId", text, Some(Format::Ulid)),
        ("partId", text, Some(Format::Ulid)),
        ("otherId", text, Some(Format::Ulid)),
        ("eventId", text, None),
        ("name", text, None),
        ("status", text, Some(Format::OneOf(statuses))),
        ("createdAt", text, Some(times)),
        (
            "score",
            AttributeType::N,
            Some(Format::Integer {
                min: 0,
                max: 999_999,
            }),
        ),
    ]
}

fn query(index: IndexId, partition: String, prefix: Option<String>) -> Operation {
    Operation::Query {
        index,
        partition: vec![partition],
        sort: (prefix.into_iter())
            .map(|value| SortCondition {
                operator: SortOperator::BeginsWith,
                value,
                upper: None,
            })
            .collect(),
        descending: false,
        limit: None,
        read: Read::default(),
    }
}

fn add_pattern(design: &mut Design, name: String, entity: EntityId, operation: Operation) {
    let id = AccessPatternId(design.take_id());
    let pattern = AccessPattern {
        name,
        description: String::new(),
        operation,
        entities: vec![entity],
        sample: None,
        parameters: SortedMap::new(),
        rate: None,
    };
    design.access_patterns.insert(id, Arc::new(pattern));
}

fn sample(design: &mut Design, number: u32, row: u32) -> Arc<Sample> {
    let mut values = SortedMap::new();
    for name in ["tenantId", "headId", "partId", "otherId", "eventId", "name"] {
        values.insert(name.to_owned(), Value::S(format!("{name}-{number}-{row}")));
    }
    values.insert("status".into(), Value::from("open"));
    let time = format!("2026-{:02}-{:02}T09:30:00Z", row % 12 + 1, number % 28 + 1);
    values.insert("createdAt".into(), Value::S(time));
    values.insert("score".into(), Value::from(i64::from(row * 37)));
    Arc::new(Sample {
        id: SampleId(design.take_id()),
        values: values.into(),
    })
}

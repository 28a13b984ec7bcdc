//! Designs that several tests use.

use keyfold_core::model::{
    AccessPattern, AccessPatternId, Attribute, AttributeId, AttributeType, Autoscaling, Billing,
    CardId, Choice, Condition, ContributorInsights, DelimiterPolicy, Design, Distribution,
    Encryption, Entity, EntityId, ExportOptions, Format, Index, IndexEntry, IndexId, IndexKind,
    ItemKey, KeyAttribute, KeySchema, KeyType, KinesisStream, MaxRequestUnits,
    MultiRegionConsistency, Note, NoteId, OnDelimiter, Operation, Point, Projection,
    ProvisionedThroughput, PutShares, Rate, Read, Recovery, Replica, Sample, SampleId, Shape,
    Silenced, Skew, SortCondition, SortOperator, SortedMap, StreamView, Table, TableClass,
    TenantAttribute, Test, Traffic, Value, Volume, WarmThroughput, Workload, WriteAction,
};
use std::sync::Arc;

/// A design in which every field of the model is set and every variant occurs, so that a field that gets lost in a
/// file, a link or an undo is noticed.
pub fn full_design() -> Design {
    let mut design = Design::new("Everything");
    design.description = "Every field is set.".into();
    design.next_id = 1000;
    design.delimiter = Arc::new(DelimiterPolicy {
        delimiter: "::".into(),
        on_conflict: OnDelimiter::PercentEncode,
    });
    design.table = Arc::new(table());
    design.indexes = indexes();
    design.entities = SortedMap::from([
        (EntityId(10), Arc::new(entity())),
        (EntityId(11), Arc::new(Entity::new("Bare", 11))),
    ]);
    design.access_patterns = (operations().into_iter().enumerate())
        .map(|(i, operation)| {
            let pattern = AccessPattern {
                name: format!("Pattern {i}"),
                description: "What it is for.".into(),
                operation,
                entities: vec![EntityId(10), EntityId(11)],
                sample: Some(SampleId(300)),
                parameters: SortedMap::from([("id".to_owned(), Value::from("x"))]),
                rate: Some(12.5),
            };
            (AccessPatternId(100 + i as u32), Arc::new(pattern))
        })
        .collect();
    design.samples = SortedMap::from([(EntityId(10), Arc::new(samples()))]);
    let note = Note {
        text: "Remember\nthis".into(),
        hue: 7,
    };
    design.notes = SortedMap::from([(NoteId(400), Arc::new(note))]);
    design.silenced = Arc::new(vec![Silenced {
        code: "T001".into(),
        place: "e10/i1/partition".into(),
        reason: "Meant.".into(),
    }]);
    design.workload = Arc::new(workload());
    design.layout = Arc::new(SortedMap::from([
        (CardId::Index(IndexId::PRIMARY), Point { x: 0, y: -20 }),
        (CardId::Index(IndexId(1)), Point { x: 10, y: 20 }),
        (CardId::Entity(EntityId(10)), Point { x: 30, y: 40 }),
        (CardId::Note(NoteId(400)), Point { x: 50, y: 60 }),
    ]));
    design
}

/// Export options that all differ from the defaults.
pub fn all_options() -> ExportOptions {
    ExportOptions {
        delete_with_stack: true,
        tenant_policy: true,
        tenant: TenantAttribute::Attribute("orgId".into()),
        tenant_tag: Some("TenantId".into()),
        read_only: true,
        live_functions: true,
        without_tests: true,
        without_sdk: true,
        without_picture: true,
        without_findings: true,
        without_samples: true,
    }
}

fn workload() -> Workload {
    let skew = |values, shape| Skew { values, shape };
    let put = Traffic {
        average: Some(Rate::PerSecond(20.0)),
        puts: Some(PutShares {
            creates: 60.0,
            updates: 30.0,
            deletes: 10.0,
        }),
        items: None,
        failed: Some(2.0),
        parameters: SortedMap::from([("id".to_owned(), skew(None, Shape::Largest(80.0)))]),
    };
    let query = Traffic {
        average: Some(Rate::PerMonth(3e6)),
        puts: None,
        items: Some(25.0),
        failed: None,
        parameters: SortedMap::from([
            ("id".to_owned(), skew(Some(1e5), Shape::Zipf(1.1))),
            ("status".to_owned(), skew(None, Shape::Even)),
        ]),
    };
    Workload {
        patterns: SortedMap::from([(AccessPatternId(100), put), (AccessPatternId(101), query)]),
        entities: SortedMap::from([(
            EntityId(10),
            Volume {
                items: Some(1e6),
                growth: Some(20_000.0),
                retention: Some(90.0),
                bytes: Some(400.0),
            },
        )]),
        region: Some("eu-west-1".into()),
        prices: SortedMap::from([("storage".to_owned(), 0.283)]),
        backup_gb: Some(20.0),
        export_gb: Some(5.0),
    }
}

fn provisioned() -> ProvisionedThroughput {
    ProvisionedThroughput {
        read: 10,
        write: 20,
        read_scaling: Some(Autoscaling::default()),
        write_scaling: Some(Autoscaling {
            min: 1,
            max: 2,
            target_percent: 50,
        }),
    }
}

fn warm() -> WarmThroughput {
    WarmThroughput {
        read: Some(12_000),
        write: Some(4_000),
    }
}

fn table() -> Table {
    Table {
        key: KeySchema::pair("PK", "SK"),
        type_attribute: Some("entity".into()),
        billing: Billing::Provisioned(provisioned()),
        class: TableClass::StandardInfrequentAccess,
        ttl_attribute: Some("expires".into()),
        stream: Some(StreamView::NewAndOldImages),
        recovery: Some(Recovery { days: Some(7) }),
        encryption: Encryption::CustomerManaged("alias/key".into()),
        deletion_protection: true,
        warm_throughput: Some(warm()),
        contributor_insights: Some(ContributorInsights::AccessedAndThrottledKeys),
        kinesis: Some(KinesisStream {
            arn: "arn:aws:kinesis:eu-central-1:123456789012:stream/changes".into(),
            microseconds: true,
        }),
        resource_policy: Some(r#"{"Version": "2012-10-17", "Statement": []}"#.into()),
        tags: SortedMap::from([("team".to_owned(), "core".to_owned())]),
        replicas: vec![Replica {
            region: "eu-west-1".into(),
            kms_key: Some("alias/replica".into()),
        }],
        multi_region_consistency: MultiRegionConsistency::Strong,
        ..Table::new("everything")
    }
}

fn indexes() -> SortedMap<IndexId, Arc<Index>> {
    let number = |name: &str, kind| KeyAttribute {
        name: name.to_owned(),
        kind,
    };
    let gsi = Index {
        projection: Projection::Include(vec!["name".into(), "amount".into()]),
        description: "What it is for.".into(),
        provisioned: Some(provisioned()),
        max_request_units: Some(MaxRequestUnits {
            read: Some(1),
            write: Some(2),
        }),
        warm_throughput: Some(warm()),
        contributor_insights: Some(ContributorInsights::ThrottledKeys),
        ..Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "GSI1SK"))
    };
    let several = KeySchema {
        partition: vec![KeyAttribute::text("tenantId"), KeyAttribute::text("region")],
        sort: vec![number("amount", KeyType::N), number("digest", KeyType::B)],
    };
    let local = KeySchema {
        partition: vec![KeyAttribute::text("PK")],
        sort: vec![number("LSI1SK", KeyType::N)],
    };
    let keys_only = Index {
        projection: Projection::KeysOnly,
        ..Index::new("LSI1", IndexKind::Lsi, local)
    };
    SortedMap::from([
        (IndexId(1), Arc::new(gsi)),
        (
            IndexId(2),
            Arc::new(Index::new("GSI2", IndexKind::Gsi, several)),
        ),
        (IndexId(3), Arc::new(keys_only)),
    ])
}

fn formats() -> Vec<Format> {
    let (from, to) = ("2026-01-01".to_owned(), "2026-12-31".to_owned());
    vec![
        Format::Ulid,
        Format::Ksuid,
        Format::Uuid,
        Format::Email,
        Format::PersonName,
        Format::Company,
        Format::Word,
        Format::Sentence,
        Format::Date {
            from: from.clone(),
            to: to.clone(),
        },
        Format::Timestamp {
            from: from + "T00:00:00Z",
            to: to + "T00:00:00Z",
        },
        Format::Integer { min: -5, max: 5 },
        Format::Decimal {
            min: "-0.5".into(),
            max: "99.5".into(),
            places: 2,
        },
        Format::OneOf(vec![
            Choice {
                value: Value::Bool(true),
                weight: 1,
            },
            Choice {
                value: Value::from(7),
                weight: 3,
            },
        ]),
        Format::Constant(Value::Null),
        Format::Sequence {
            prefix: "x-".into(),
            start: 100,
            digits: 5,
        },
        Format::Reference {
            entity: EntityId(11),
            attribute: "id".into(),
            distribution: Distribution::Skewed,
        },
    ]
}

fn entity() -> Entity {
    let attributes = (formats().into_iter().enumerate()).map(|(i, format)| Attribute {
        required: i % 2 == 0,
        format: Some(format),
        description: "What it means.".into(),
        ..Attribute::new(
            AttributeId(500 + i as u32),
            format!("attribute{i}"),
            AttributeType::ALL[i % AttributeType::ALL.len()],
        )
    });
    let when = [
        Test::Equals(Value::from("PENDING")),
        Test::NotEquals(Value::from(3)),
        Test::OneOf(vec![Value::from("a"), Value::Null]),
        Test::Exists,
        Test::Missing,
    ];
    let entry = IndexEntry {
        when: (when.into_iter())
            .map(|test| Condition {
                attribute: "status".into(),
                test,
            })
            .collect(),
        ..IndexEntry::pair("STATUS::{status}", "{createdAt:date|lower}")
    };
    Entity {
        description: "What it stands for.".into(),
        hue: 5,
        attributes: attributes.collect(),
        keys: SortedMap::from([
            (IndexId::PRIMARY, IndexEntry::pair("X::{id}", "#META")),
            (IndexId(1), entry),
            (IndexId(2), IndexEntry::default()),
        ]),
        ..Entity::new("Full", 0)
    }
}

fn operations() -> Vec<Operation> {
    let key = || ItemKey {
        partition: "X::{id}".into(),
        sort: Some("#META".into()),
    };
    let read = || Read {
        consistent: true,
        filter: Some("attribute_exists(a)".into()),
        projection: vec!["a".into(), "b".into()],
    };
    let condition = || Some("attribute_not_exists(PK)".to_owned());
    let sort = |operator, upper: Option<&str>| SortCondition {
        operator,
        value: "A::{from}".into(),
        upper: upper.map(str::to_owned),
    };
    let put = || WriteAction::PutItem {
        entity: EntityId(10),
        condition: condition(),
    };
    let update = || WriteAction::UpdateItem {
        key: key(),
        update: "SET a = :a".into(),
        condition: condition(),
    };
    let delete = || WriteAction::DeleteItem {
        key: key(),
        condition: condition(),
    };
    let check = WriteAction::ConditionCheck {
        key: key(),
        condition: "attribute_exists(PK)".into(),
    };
    vec![
        Operation::GetItem {
            key: key(),
            read: read(),
        },
        Operation::Query {
            index: IndexId(2),
            partition: vec!["{tenantId}".into(), "{region}".into()],
            sort: vec![
                sort(SortOperator::Equal, None),
                sort(SortOperator::Between, Some("A::{to}")),
            ],
            descending: true,
            limit: Some(10),
            read: read(),
        },
        Operation::Scan {
            index: IndexId::PRIMARY,
            limit: Some(5),
            read: read(),
        },
        Operation::BatchGetItem {
            keys: vec![key(), key()],
            read: read(),
        },
        Operation::TransactGetItems { keys: vec![key()] },
        Operation::TransactWriteItems {
            actions: vec![put(), update(), delete(), check],
        },
        Operation::Write(put()),
        Operation::Write(update()),
        Operation::Write(delete()),
    ]
}

fn samples() -> Vec<Arc<Sample>> {
    let number = |text: &str| Value::N(text.parse().expect("a number"));
    let values = [
        ("text", Value::from("Größe 🦀")),
        ("integer", Value::from(-42)),
        ("decimal", number("1250.75")),
        ("huge", number("9007199254740993")),
        ("bytes", Value::B(vec![0, 255])),
        ("bool", Value::Bool(false)),
        ("null", Value::Null),
        ("list", Value::L(vec![Value::from("a"), Value::L(vec![])])),
        (
            "map",
            Value::M(SortedMap::from([("S".to_owned(), Value::from("x"))])),
        ),
        ("texts", Value::Ss(["b".to_owned(), "a".to_owned()].into())),
    ];
    let full = Sample {
        id: SampleId(300),
        values: values.map(|(name, value)| (name.to_owned(), value)).into(),
    };
    let empty = Sample {
        id: SampleId(301),
        values: keyfold_core::model::Values::new(),
    };
    vec![Arc::new(full), Arc::new(empty)]
}

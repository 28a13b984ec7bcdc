//! Designs from a few lines of text, for tests of the linter.
//!
//! ```text
//! table ttl=expiresAt name=orders-prod type=none key=PK:S,SK:N recovery protection strong replicas=eu-west-1,eu-west-2
//! table provisioned=5:1..10/70,7 limit=100, warm=12000,4000
//! delimiter -                                      tenant tenantId
//! gsi GSI1 GSI1PK GSI1SK include=name,total        lsi ByTime createdAt keys
//! entity Order userId! total:N seq=o-,1,3 note?    name, `!` required, `?` optional, `~` key-only, type, format
//!   in table USER#{userId} / ORDER#{orderId}
//!   in GSI1 STATUS#{status} / {createdAt} when status = PENDING
//!   row userId=u1 total:N=5
//! pattern List: query GSI1 STATUS#{status} / begins_with {createdAt} for Order strong limit=5 filter=.. select=a,b
//! pattern Get: get USER#{userId} / ORDER#{orderId} for Order
//! pattern Pay: update USER#{userId} / ORDER#{orderId} : SET status = :paid
//! pattern All: scan table for Order
//! pattern Place: put Order
//! ```

use keyfold_core::model::{
    AccessPattern, AccessPatternId, Attribute, AttributeId, AttributeType, Autoscaling, Billing,
    Choice, Condition, DelimiterPolicy, Design, Entity, EntityId, Format, Index, IndexEntry,
    IndexId, IndexKind, ItemKey, KeyAttribute, KeySchema, KeyType, MaxRequestUnits,
    MultiRegionConsistency, OnDelimiter, Operation, Projection, ProvisionedThroughput, Read,
    Recovery, Replica, Sample, SampleId, SortCondition, SortOperator, SortedMap, TenantAttribute,
    Test, Value, WarmThroughput, WriteAction,
};
use std::sync::Arc;

/// The design of a text; panics with the line that cannot be read.
pub fn design(text: &str) -> Design {
    let mut design = Design::new("Test");
    let mut last: Option<EntityId> = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        match word {
            "table" => table(&mut design, rest),
            "tenant" => {
                let options = Arc::make_mut(&mut design.export_options);
                options.tenant = TenantAttribute::Attribute(rest.into());
            }
            "delimiter" => {
                design.delimiter = Arc::new(DelimiterPolicy {
                    delimiter: rest.into(),
                    on_conflict: OnDelimiter::Reject,
                });
            }
            "gsi" | "lsi" => index(&mut design, word, rest),
            "entity" => last = Some(entity(&mut design, rest)),
            "in" => entry(&mut design, last.expect("an entity"), rest),
            "row" => row(&mut design, last.expect("an entity"), rest),
            "pattern" => pattern(&mut design, rest),
            _ => panic!("{line}"),
        }
    }
    design
}

fn table(design: &mut Design, rest: &str) {
    let table = Arc::make_mut(&mut design.table);
    for word in rest.split(' ') {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        match name {
            "ttl" => table.ttl_attribute = Some(value.into()),
            "name" => table.name = value.into(),
            "type" => table.type_attribute = None,
            "key" => table.key = key(value),
            "provisioned" => table.billing = Billing::Provisioned(provisioned(value)),
            "limit" => table.billing = Billing::OnDemand(limit(value)),
            "warm" => table.warm_throughput = Some(warm(value)),
            "replicas" => {
                let regions = value.split(',').map(|region| Replica {
                    region: region.into(),
                    kms_key: None,
                });
                table.replicas = regions.collect();
            }
            "strong" => table.multi_region_consistency = MultiRegionConsistency::Strong,
            "recovery" => table.recovery = Some(Recovery::default()),
            "protection" => table.deletion_protection = true,
            "policy" => table.resource_policy = Some(value.into()),
            "owner" => drop(table.tags.insert("owner".into(), value.into())),
            _ => panic!("{rest}"),
        }
    }
}

/// `5,7`: two figures, each of which may be missing.
fn pair(text: &str) -> [Option<&str>; 2] {
    let (read, write) = text.split_once(',').expect("two figures");
    [read, write].map(|figure| (!figure.is_empty()).then_some(figure))
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text}"))
}

fn limit(text: &str) -> MaxRequestUnits {
    let [read, write] = pair(text).map(|figure| figure.map(number));
    MaxRequestUnits { read, write }
}

fn warm(text: &str) -> WarmThroughput {
    let [read, write] = pair(text).map(|figure| figure.map(number));
    WarmThroughput { read, write }
}

/// `5:1..10/70,5`: read and write units, each with its scaling; the defaults without text.
fn provisioned(text: &str) -> ProvisionedThroughput {
    let mut units = ProvisionedThroughput::default();
    if text.is_empty() {
        return units;
    }
    let of = |text: Option<&str>| {
        let text = text.expect("units");
        let (fixed, scaling) = text.split_once(':').unwrap_or((text, ""));
        let scaling = scaling.split_once("..").map(|(min, rest)| {
            let (max, percent) = rest.split_once("/").expect("min..max/percent");
            Autoscaling {
                min: number(min),
                max: number(max),
                target_percent: number(percent),
            }
        });
        (number(fixed), scaling)
    };
    let [read, write] = pair(text).map(of);
    (units.read, units.read_scaling) = read;
    (units.write, units.write_scaling) = write;
    units
}

fn key(text: &str) -> KeySchema {
    let mut attributes = text.split(',').map(|part| {
        let (name, kind) = part.split_once(':').unwrap_or((part, "S"));
        let all = KeyType::ALL.into_iter();
        let kind = all.into_iter().find(|k| k.letter() == kind);
        KeyAttribute {
            name: name.into(),
            kind: kind.expect("a key type"),
        }
    });
    KeySchema {
        partition: vec![attributes.next().expect("a partition key")],
        sort: attributes.collect(),
    }
}

fn index(design: &mut Design, word: &str, rest: &str) {
    let mut words: Vec<&str> = rest.split(' ').collect();
    let mut capacity = Index::new("", IndexKind::Gsi, design.table.key.clone());
    while let Some((name, value)) = words.last().and_then(|word| word.split_once('=')) {
        match name {
            "provisioned" => capacity.provisioned = Some(provisioned(value)),
            "limit" => capacity.max_request_units = Some(limit(value)),
            "warm" => capacity.warm_throughput = Some(warm(value)),
            _ => break,
        }
        words.pop();
    }
    let projection = match words.last().and_then(|word| word.split_once('=')) {
        Some(("include", names)) => Some(Projection::Include(
            names.split(',').map(Into::into).collect(),
        )),
        _ if words.last() == Some(&"keys") => Some(Projection::KeysOnly),
        _ => None,
    };
    if projection.is_some() {
        words.pop();
    }
    let key_of = |names: &[&str]| key(&names.join(","));
    let (kind, key) = match word {
        "gsi" => (IndexKind::Gsi, key_of(&words[1..])),
        _ => (
            IndexKind::Lsi,
            KeySchema {
                partition: design.table.key.partition.clone(),
                sort: key_of(&words[1..]).partition,
            },
        ),
    };
    let mut index = Index {
        name: words[0].into(),
        kind,
        key,
        ..capacity
    };
    index.projection = projection.unwrap_or(Projection::All);
    let id = IndexId(design.take_id());
    design.indexes.insert(id, Arc::new(index));
}

fn entity(design: &mut Design, rest: &str) -> EntityId {
    let id = EntityId(design.take_id());
    let (name, attributes) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut entity = Entity::new(name, 0);
    for word in attributes.split_whitespace() {
        if let Some((format, value)) = word.split_once('=') {
            let format = self::format(design, format, value);
            entity.attributes.last_mut().expect("an attribute").format = Some(format);
            continue;
        }
        let (name, kind) = word.split_once(':').unwrap_or((word, "S"));
        let kind = AttributeType::from_word(kind).expect("a type");
        let attribute = AttributeId(design.take_id());
        let mut attribute = Attribute::new(attribute, name.trim_end_matches(['!', '?', '~']), kind);
        attribute.required = !name.ends_with('?');
        attribute.key_only = name.ends_with('~');
        entity.attributes.push(attribute);
    }
    design.entities.insert(id, Arc::new(entity));
    id
}

fn format(design: &Design, name: &str, value: &str) -> Format {
    let parts: Vec<&str> = value.split(',').collect();
    let number = |at: usize| parts[at].parse::<i64>().expect("a number");
    match name {
        "ulid" => Format::Ulid,
        "uuid" => Format::Uuid,
        "email" => Format::Email,
        "company" => Format::Company,
        "date" => Format::Date {
            from: "2026-01-01".into(),
            to: "2026-12-31".into(),
        },
        "time" => Format::Timestamp {
            from: "2026-01-01T00:00:00Z".into(),
            to: "2026-12-31T23:59:59Z".into(),
        },
        "int" => Format::Integer {
            min: number(0),
            max: number(1),
        },
        "decimal" => Format::Decimal {
            min: parts[0].into(),
            max: parts[1].into(),
            places: number(2) as u8,
        },
        "seq" => Format::Sequence {
            prefix: parts[0].into(),
            start: number(1) as u64,
            digits: number(2) as u8,
        },
        "oneof" => Format::OneOf(
            (parts.iter())
                .map(|part| Choice {
                    value: Value::from(*part),
                    weight: 1,
                })
                .collect(),
        ),
        "ref" => {
            let (entity, attribute) = value.split_once('.').expect("Entity.attribute");
            Format::Reference {
                entity: design.entity_named(entity).expect("an entity"),
                attribute: attribute.into(),
                distribution: Default::default(),
            }
        }
        _ => panic!("{name}={value}"),
    }
}

fn index_of(design: &Design, name: &str) -> IndexId {
    match name {
        "table" => IndexId::PRIMARY,
        name => design.index_named(name).expect("an index"),
    }
}

fn entry(design: &mut Design, id: EntityId, rest: &str) {
    let (rest, when) = match rest.split_once(" when ") {
        Some((rest, when)) => (rest, Some(when)),
        None => (rest, None),
    };
    let (name, templates) = rest.split_once(' ').unwrap_or((rest, ""));
    let index = index_of(design, name);
    let (partition, sort) = match templates.split_once(" / ") {
        Some((partition, sort)) => (partition, Some(sort)),
        None => (templates, None),
    };
    let some = |text: &str| (text != "-" && !text.is_empty()).then(|| text.to_owned());
    let when = when.map(|when| {
        let (attribute, value) = when.split_once(" = ").expect("attribute = value");
        let value = match value {
            "true" => Value::Bool(true),
            text => Value::from(text),
        };
        Condition {
            attribute: attribute.into(),
            test: Test::Equals(value),
        }
    });
    let entry = IndexEntry {
        partition: some(partition),
        sort: sort.and_then(some),
        when: when.into_iter().collect(),
    };
    let entity = design.entities.get_mut(&id).expect("there");
    Arc::make_mut(entity).keys.insert(index, entry);
}

fn row(design: &mut Design, id: EntityId, rest: &str) {
    let mut values = SortedMap::new();
    for word in rest.split(' ') {
        let (name, value) = word.split_once('=').expect("name=value");
        let value = value.replace('_', " ");
        let (name, kind) = name.split_once(':').unwrap_or((name, "S"));
        let kind = AttributeType::from_word(kind).expect("a type");
        let value = Value::from_text(kind, &value).expect("a value");
        values.insert(name.to_owned(), value);
    }
    let sample = SampleId(design.take_id());
    let samples = design.samples.entry(id).or_default();
    Arc::make_mut(samples).push(Arc::new(Sample {
        id: sample,
        values: values.into(),
    }));
}

fn pattern(design: &mut Design, rest: &str) {
    let (name, rest) = rest.split_once(": ").expect("name: operation");
    let (mut rest, mut read) = (rest.to_owned(), Read::default());
    let mut entities = Vec::new();
    for (word, take) in [(" select=", 0), (" filter=", 1), (" for ", 3)] {
        if let Some((before, value)) = rest.clone().split_once(word) {
            match take {
                0 => read.projection = value.split(',').map(Into::into).collect(),
                1 => read.filter = Some(value.into()),
                _ => {
                    entities = (value.split(','))
                        .map(|name| design.entity_named(name).expect("an entity"))
                        .collect();
                }
            }
            rest = before.into();
        }
    }
    let mut parameters = SortedMap::new();
    if let Some((before, values)) = rest.clone().split_once(" with=") {
        for value in values.split(',') {
            let (name, value) = value.split_once('=').expect("name=value");
            parameters.insert(name.to_owned(), Value::S(value.into()));
        }
        rest = before.into();
    }
    let mut limit = None;
    if let Some((before, value)) = rest.clone().split_once(" limit=") {
        limit = Some(value.parse().expect("a number"));
        rest = before.into();
    }
    if let Some(before) = rest.clone().strip_suffix(" strong") {
        read.consistent = true;
        rest = before.into();
    }
    let (what, rest) = rest.split_once(' ').expect("an operation");
    let item = |text: &str| match text.split_once(" / ") {
        Some((partition, sort)) => ItemKey {
            partition: partition.into(),
            sort: Some(sort.into()),
        },
        None => ItemKey {
            partition: text.into(),
            sort: None,
        },
    };
    let operation = match what {
        "get" => Operation::GetItem {
            key: item(rest),
            read,
        },
        "scan" => Operation::Scan {
            index: index_of(design, rest),
            limit,
            read,
        },
        "batch" => {
            let (count, key) = rest.split_once(' ').expect("count key");
            let count = count.parse().expect("a number of keys");
            Operation::BatchGetItem {
                keys: vec![item(key); count],
                read,
            }
        }
        "transact" => Operation::TransactGetItems {
            keys: vec![item(rest)],
        },
        "put" => Operation::Write(WriteAction::PutItem {
            entity: design.entity_named(rest).expect("an entity"),
            condition: None,
        }),
        "update" => {
            let (key, update) = rest.split_once(" : ").expect("key : update");
            Operation::Write(WriteAction::UpdateItem {
                key: item(key),
                update: update.into(),
                condition: None,
            })
        }
        "query" => {
            let (index, condition) = rest.split_once(' ').unwrap_or((rest, ""));
            let (partition, sort) = match condition.split_once(" / ") {
                Some((partition, sort)) => (partition, Some(sort)),
                None => (condition, None),
            };
            Operation::Query {
                index: index_of(design, index),
                partition: vec![partition.into()],
                sort: sort.map(sort_condition).into_iter().collect(),
                descending: false,
                limit,
                read,
            }
        }
        _ => panic!("{what}"),
    };
    let id = AccessPatternId(design.take_id());
    let pattern = AccessPattern {
        name: name.into(),
        description: String::new(),
        operation,
        entities,
        sample: None,
        parameters,
        rate: None,
    };
    design.access_patterns.insert(id, Arc::new(pattern));
}

fn sort_condition(text: &str) -> SortCondition {
    let (symbol, value) = text.split_once(' ').expect("operator value");
    let all = [
        SortOperator::Equal,
        SortOperator::Less,
        SortOperator::GreaterOrEqual,
        SortOperator::Between,
        SortOperator::BeginsWith,
    ];
    let operator = all.into_iter().find(|operator| operator.symbol() == symbol);
    let (value, upper) = match value.split_once(" and ") {
        Some((value, upper)) => (value, Some(upper.to_owned())),
        None => (value, None),
    };
    SortCondition {
        operator: operator.expect("an operator"),
        value: value.into(),
        upper,
    }
}

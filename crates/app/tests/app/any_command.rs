//! Random commands of every kind, for properties that hold after each.

use crate::commands::saas;
use keyfold_app::{
    Command, PatternEdit, SampleEdits, ValueEdit, WorkloadEdit, apply, card_clipboard,
};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::lint::Fix;
use keyfold_core::model::*;
use keyfold_core::proof::{Suggestion, prove};
use proptest::prelude::*;

/// Random commands, to parts that may not exist.
pub fn any_command() -> impl Strategy<Value = Command> {
    let one = prop_oneof![
        1 => any_edit_of_cards(),
        1 => prop_oneof![any_edit_of_settings(), any_edit_of_items(), any_large_edit()],
    ];
    let together = proptest::collection::vec(one.clone(), 1..4).prop_map(|commands| {
        let label = "do several things";
        Command::Together { label, commands }
    });
    prop_oneof![9 => one, 1 => together]
}

fn any_entity() -> impl Strategy<Value = EntityId> + Clone {
    (1_u32..40).prop_map(EntityId)
}

fn any_index() -> impl Strategy<Value = IndexId> + Clone {
    prop_oneof![Just(0_u32), 1_u32..40].prop_map(IndexId)
}

/// Names, colors, descriptions, conditions, notes and settings.
fn any_edit_of_settings() -> impl Strategy<Value = Command> {
    let note = (1_u32..60).prop_map(NoteId);
    let place = (-999..999_i32, -999..999_i32).prop_map(Point::from);
    let value = prop_oneof![
        "\\PC{0,4}".prop_map(Value::S),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
    ];
    let check = prop_oneof![
        value.clone().prop_map(Test::Equals),
        value.clone().prop_map(Test::NotEquals),
        proptest::collection::vec(value, 1..3).prop_map(Test::OneOf),
        Just(Test::Exists),
        Just(Test::Missing),
    ];
    let condition = ("[a-z]{1,3}|role|state", check)
        .prop_map(|(attribute, test)| Condition { attribute, test });
    let delimiter = prop_oneof![Just("#"), Just("::"), Just("|"), Just("")];
    let conflict = prop_oneof![Just(OnDelimiter::Reject), Just(OnDelimiter::PercentEncode)];
    let options = any::<[bool; 4]>().prop_map(|[delete, policy, reads, picture]| ExportOptions {
        delete_with_stack: delete,
        tenant_policy: policy,
        read_only: reads,
        without_picture: picture,
        ..ExportOptions::default()
    });
    let finding = (
        "T001|K00[1-3]|S001",
        "e[1-9]/primary/partition|table|i[1-9]",
    );
    prop_oneof![
        "\\PC{0,6}".prop_map(Command::RenameDesign),
        "[a-z .\n]{0,9}".prop_map(Command::DescribeDesign),
        (any_entity(), "[a-z .\n]{0,9}").prop_map(|(id, text)| Command::DescribeEntity(id, text)),
        (any_entity(), 0_u8..14).prop_map(|(id, hue)| Command::SetHue(id, hue)),
        ("[a-z .\n]{0,9}", place).prop_map(|(text, at)| Command::AddNote { text, at }),
        (note.clone(), "[a-z .\n]{0,9}").prop_map(|(id, text)| Command::SetNoteText(id, text)),
        (note, 0_u8..14).prop_map(|(id, hue)| Command::SetNoteHue(id, hue)),
        (delimiter, conflict).prop_map(|(delimiter, on_conflict)| {
            Command::SetDelimiter(DelimiterPolicy {
                delimiter: delimiter.to_owned(),
                on_conflict,
            })
        }),
        (
            any_entity(),
            any_index(),
            proptest::collection::vec(condition, 0..3)
        )
            .prop_map(|(entity, index, when)| Command::SetConditions(entity, index, when)),
        (any_entity(), any_index(), any_index()).prop_map(|(entity, from, to)| Command::MoveWire {
            entity,
            from,
            to
        }),
        options.prop_map(|options| Command::SetExportOptions {
            options: Box::new(options),
            field: "an option",
        }),
        (finding.0, finding.1, "[a-z ]{0,6}").prop_map(|(code, place, reason)| {
            Command::Silence(Silenced {
                code,
                place,
                reason,
            })
        }),
        (finding.0, finding.1).prop_map(|(code, place)| Command::Unsilence { code, place }),
    ]
}

/// Samples, access patterns and the workload.
fn any_edit_of_items() -> impl Strategy<Value = Command> {
    let sample = (1_u32..60).prop_map(SampleId);
    let pattern = (1_u32..60).prop_map(AccessPatternId);
    let value = proptest::option::of("\\PC{0,4}".prop_map(Value::S));
    let known: Vec<AccessPattern> = (saas().access_patterns.values())
        .map(|pattern| AccessPattern::clone(pattern))
        .collect();
    let new = (proptest::sample::select(known), "\\PC{0,6}", 0_u8..20);
    let new = new.prop_map(|(pattern, name, rate)| AccessPattern {
        name,
        rate: (rate > 0).then(|| f64::from(rate)),
        ..pattern
    });
    let figure = || proptest::option::of((0_u32..2000).prop_map(f64::from));
    let volume = (figure(), figure(), figure()).prop_map(|(items, growth, bytes)| Volume {
        items,
        growth,
        bytes,
        ..Volume::default()
    });
    let traffic = (figure(), figure()).prop_map(|(items, failed)| Traffic {
        items,
        failed: failed.map(|failed| failed / 20.0),
        ..Traffic::default()
    });
    let prices = (proptest::option::of(Just("eu-west-1")), figure());
    prop_oneof![
        (any_entity(), sample.clone(), "[a-z]{0,2}|name|role", value).prop_map(
            |(entity, sample, attribute, value)| {
                let added = SortedMap::from([(attribute.clone(), Value::from("x"))]);
                Command::EditSamples(Box::new(SampleEdits {
                    label: "edit samples",
                    removed: Vec::new(),
                    values: vec![ValueEdit {
                        entity,
                        sample,
                        attribute,
                        value,
                    }],
                    added: vec![(entity, added.into())],
                }))
            }
        ),
        (any_entity(), sample).prop_map(|(entity, sample)| {
            Command::EditSamples(Box::new(SampleEdits {
                label: "edit samples",
                removed: vec![(entity, vec![sample])],
                ..SampleEdits::default()
            }))
        }),
        (new.clone()).prop_map(|new| Command::Pattern(PatternEdit::Add(Box::new(new)))),
        (pattern.clone(), new).prop_map(|(id, new)| {
            Command::Pattern(PatternEdit::Update {
                id,
                pattern: Box::new(new),
                field: "name".to_owned(),
            })
        }),
        (pattern.clone()).prop_map(|id| Command::Pattern(PatternEdit::Duplicate(id))),
        (pattern.clone()).prop_map(|id| Command::Pattern(PatternEdit::Delete(id))),
        (pattern.clone(), 0_usize..9)
            .prop_map(|(id, to)| Command::Pattern(PatternEdit::Move(id, to))),
        (any_entity(), volume).prop_map(|(id, volume)| {
            let field = "volume";
            Command::Workload(WorkloadEdit::Volume { id, volume, field })
        }),
        (pattern, traffic).prop_map(|(id, traffic)| {
            Command::Workload(WorkloadEdit::Traffic {
                id,
                traffic: Box::new(traffic),
                field: "traffic".to_owned(),
            })
        }),
        prices.prop_map(|(region, backup_gb)| {
            let workload = Box::new(Workload {
                region: region.map(str::to_owned),
                backup_gb,
                ..Workload::default()
            });
            let field = "prices".to_owned();
            Command::Workload(WorkloadEdit::Prices { workload, field })
        }),
    ]
}

/// Fixes, suggestions, pasted cards and other versions of the design.
fn any_large_edit() -> impl Strategy<Value = Command> {
    let place = (-999..999_i32, -999..999_i32).prop_map(Point::from);
    let attribute = (1_u32..60).prop_map(AttributeId);
    let fix = prop_oneof![
        (any_entity(), attribute.clone()).prop_map(|(e, a)| Fix::Require(e, a)),
        (any_entity(), attribute.clone()).prop_map(|(e, a)| Fix::Store(e, a)),
        (any_entity(), attribute).prop_map(|(e, a)| Fix::Retype(e, a, AttributeType::N)),
        (any_entity(), "[a-z]{1,3}").prop_map(|(e, name)| Fix::AddAttribute(e, name)),
        any_index().prop_map(Fix::DeleteIndex),
        (any_entity(), any_index()).prop_map(|(e, i)| Fix::LeaveIndex(e, i)),
        any_index().prop_map(|i| Fix::Project(i, Projection::KeysOnly)),
        "[a-z]{1,4}".prop_map(Fix::TypeAttribute),
        Just(Fix::Recovery),
        Just(Fix::DeletionProtection),
        (1_u32..60).prop_map(|id| Fix::Eventual(AccessPatternId(id))),
    ];
    let cards: Vec<CardId> = saas().cards().collect();
    let cards = proptest::sample::subsequence(cards.clone(), 1..=cards.len());
    let clip = cards.prop_filter_map("no cards to paste", |cards| {
        let text = card_clipboard::copy(&saas(), &cards.into_iter().collect())?;
        card_clipboard::read(&text).ok()
    });
    let version = (any_entity(), "[a-z]{0,4}").prop_map(|(id, text)| {
        let version = apply(&saas(), Command::DescribeEntity(id, text));
        Box::new(version.unwrap_or_else(|_| saas()))
    });
    prop_oneof![
        4 => fix.prop_map(keyfold_app::fixes::command),
        1 => (clip, place.clone(), any::<bool>()).prop_map(|(clip, at, duplicates)| Command::Paste {
            clip: Box::new(clip),
            at,
            duplicates,
        }),
        1 => version.prop_map(|design| Command::Replace {
            label: "restore version",
            design,
            text: None,
        }),
        1 => (proptest::sample::select(suggestions()), place).prop_map(|((pattern, suggestion), at)| {
            Command::ApplySuggestion {
                pattern,
                suggestion: Box::new(suggestion),
                at,
            }
        }),
    ]
}

/// Suggestions for access patterns whose key no entity has.
fn suggestions() -> Vec<(AccessPatternId, Suggestion)> {
    let mut design = saas();
    let ids: Vec<AccessPatternId> = design.access_patterns.keys().copied().collect();
    for id in ids {
        let mut pattern = AccessPattern::clone(&design.access_patterns[&id]);
        pattern.operation = Operation::Query {
            index: IndexId::PRIMARY,
            partition: vec!["OTHER#{email}".into()],
            sort: Vec::new(),
            descending: false,
            limit: None,
            read: Read::default(),
        };
        design.access_patterns.insert(id, pattern.into());
    }
    let stored = TableSnapshot::of(&design);
    let mut found = Vec::new();
    for id in design.access_patterns.keys() {
        let proof = prove(&stored, *id).expect("it is there");
        found.extend(proof.suggestions.into_iter().map(|it| (*id, it)));
    }
    assert!(!found.is_empty());
    found
}

/// Cards, keys, attributes and single values.
fn any_edit_of_cards() -> impl Strategy<Value = Command> + Clone {
    let entity = (1_u32..40).prop_map(EntityId);
    let index = prop_oneof![Just(0_u32), 1_u32..40].prop_map(IndexId);
    let text = prop_oneof![
        "[A-Z]{0,3}#?\\{[a-z]{1,3}\\}",
        "\\PC{0,12}",
        Just("{tenantId}".to_owned()),
    ];
    let place = (-999..999_i32, -999..999_i32).prop_map(Point::from);
    let key = prop_oneof![
        ("[A-Z]{1,2}", "[A-Z]{1,2}").prop_map(|(p, s)| KeySchema::pair(p, s)),
        Just(KeySchema {
            partition: vec![KeyAttribute::text("a"), KeyAttribute::text("b")],
            sort: vec![KeyAttribute::text("c"), KeyAttribute::text("d")],
        }),
        Just(KeySchema {
            partition: vec![KeyAttribute::text("PK")],
            sort: vec![],
        }),
    ];
    let any_index =
        ("\\PC{0,5}|GSI[1-9]", key.clone(), any::<bool>()).prop_map(|(name, key, local)| {
            let kind = if local {
                IndexKind::Lsi
            } else {
                IndexKind::Gsi
            };
            Box::new(Index::new(name, kind, key))
        });
    let entry = (
        proptest::option::of(text.clone()),
        proptest::option::of(text.clone()),
    )
        .prop_map(|(partition, sort)| IndexEntry {
            partition,
            sort,
            when: Vec::new(),
        });
    let attribute = (1_u32..60, "[a-z]{0,3}")
        .prop_map(|(id, name)| Attribute::new(AttributeId(id), name, AttributeType::S));
    let part = prop_oneof![Just(KeyPart::Partition), Just(KeyPart::Sort)];
    let card = prop_oneof![
        entity.clone().prop_map(CardId::Entity),
        index.clone().prop_map(CardId::Index),
    ];
    let sample = (1_u32..60).prop_map(SampleId);
    prop_oneof![
        ("\\PC{0,6}", place.clone()).prop_map(|(name, at)| Command::AddEntity { name, at }),
        ("\\PC{0,6}", place.clone()).prop_map(|(name, at)| Command::AddEntity { name, at }),
        (entity.clone(), "\\PC{0,6}").prop_map(|(id, name)| Command::RenameEntity(id, name)),
        (any_index.clone(), place.clone()).prop_map(|(index, at)| Command::AddIndex { index, at }),
        (
            any_index.clone(),
            place.clone(),
            entity.clone(),
            entry.clone()
        )
            .prop_map(|(index, at, entity, entry)| Command::AddIndexFor {
                index,
                at,
                entity,
                entry
            }),
        (index.clone(), any_index).prop_map(|(id, index)| Command::UpdateIndex {
            id,
            index,
            field: "key"
        }),
        ("\\PC{0,5}", key).prop_map(|(name, key)| Command::UpdateTable {
            table: Box::new(Table {
                name,
                key,
                ..Table::new("table")
            }),
            field: "key",
        }),
        (entity.clone(), attribute.clone()).prop_map(|(id, a)| Command::AddAttribute(id, a)),
        (entity.clone(), attribute).prop_map(|(entity, attribute)| Command::UpdateAttribute {
            entity,
            attribute: Box::new(attribute),
            field: "name",
        }),
        (entity.clone(), 1_u32..60)
            .prop_map(|(id, a)| Command::DeleteAttribute(id, AttributeId(a))),
        (entity.clone(), 1_u32..60, any::<bool>()).prop_map(|(id, a, on)| Command::SetKeyOnly(
            id,
            AttributeId(a),
            on
        )),
        (entity.clone(), 1_u32..60, 0_usize..9).prop_map(|(id, a, to)| Command::MoveAttribute(
            id,
            AttributeId(a),
            to
        )),
        (
            entity.clone(),
            index.clone(),
            part,
            proptest::option::of(text.clone())
        )
            .prop_map(|(entity, index, part, text)| Command::SetTemplate {
                entity,
                index,
                part,
                text
            }),
        (entity.clone(), index.clone(), entry)
            .prop_map(|(e, i, entry)| Command::JoinIndex(e, i, entry)),
        (entity.clone(), index).prop_map(|(e, i)| Command::LeaveIndex(e, i)),
        (entity.clone(), "[a-z]{0,2}", "\\PC{0,4}").prop_map(|(id, name, text)| {
            Command::AddSample(id, SortedMap::from([(name, Value::S(text))]))
        }),
        (entity.clone(), sample.clone(), "[a-z]{0,2}").prop_map(|(entity, sample, attribute)| {
            Command::SetValue {
                entity,
                sample,
                attribute,
                value: Some(Value::Bool(true)),
            }
        }),
        (entity, sample).prop_map(|(id, s)| Command::DeleteSamples(vec![(id, vec![s])])),
        (card.clone(), place).prop_map(|(card, at)| Command::Move(vec![(card, at)])),
        card.prop_map(|card| Command::Delete(vec![card])),
    ]
}

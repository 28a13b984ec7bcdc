//! The document's invariants: each violation is found, with its place. Also names and ids.

use keyfold_core::model::design::table_name_for;
use keyfold_core::model::{
    AccessPatternId, Attribute, AttributeId, AttributeType, CardId, Condition, Design, Entity,
    EntityId, Index, IndexEntry, IndexId, KeyAttribute, KeyType, Note, NoteId, Operation, Point,
    Projection, PutShares, Rate, Recovery, Sample, SampleId, Shape, Skew, SortedMap, Test, Traffic,
    Volume, Workload, WriteAction, by_rank, in_order, name, validate_invariants,
};
use keyfold_test_support::designs::full_design;
use std::sync::Arc;

/// Checks the violations of the full design after a change, one per line.
fn check(change: impl Fn(&mut Design), expected: &[&str]) {
    let mut design = full_design();
    change(&mut design);
    let found: Vec<String> = validate_invariants(&design)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(found, expected);
}

fn entity(design: &mut Design) -> &mut Entity {
    Arc::make_mut(design.entities.get_mut(&EntityId(10)).expect("there"))
}

fn index(design: &mut Design, number: u32) -> &mut Index {
    Arc::make_mut(design.indexes.get_mut(&IndexId(number)).expect("there"))
}

fn table(design: &mut Design) -> &mut keyfold_core::model::Table {
    Arc::make_mut(&mut design.table)
}

#[test]
fn the_full_design_and_a_new_design_are_valid() {
    check(|_| {}, &[]);
    assert_eq!(validate_invariants(&Design::new("x")), []);
}

#[test]
fn table_invariants() {
    let most = "a primary key has one partition key attribute and at most one sort key attribute";
    check(|d| d.name = " ".into(), &["name: enter a name"]);
    check(
        |d| table(d).name = "no spaces".into(),
        &[
            "table/name: a space is not allowed in a table or index name: use A-Z, a-z, 0-9, _, . and -",
        ],
    );
    check(
        |d| table(d).key.sort.push(KeyAttribute::text("third")),
        &[
            &format!("table/key: {most}"),
            "entities/e10/keys/primary: a multi-attribute key uses plain attributes, not templates",
        ],
    );
    check(
        |d| table(d).type_attribute = Some("a{b".into()),
        &[
            "table/typeAttribute: `{` is not allowed in an attribute name: key templates cannot refer to it",
        ],
    );
    check(
        |d| table(d).ttl_attribute = Some(String::new()),
        &["table/ttlAttribute: enter an attribute name of 1 to 65535 bytes"],
    );
    check(
        |d| table(d).recovery = Some(Recovery { days: Some(36) }),
        &["table/recovery/days: the point-in-time recovery period is 1 to 35 days"],
    );
    check(
        |d| table(d).tags = (0..51).map(|i| (i.to_string(), String::new())).collect(),
        &["table/tags: a table can have at most 50 tags"],
    );
}

#[test]
fn index_invariants() {
    let gsi = "indexes/i1/key: a GSI has 1 to 4 partition key attributes and at most 4 sort key attributes";
    let lsi = "indexes/i3/key: an LSI has the table's partition key and one sort key attribute of its own";
    check(
        |d| index(d, 1).name = "GSI2".into(),
        &["indexes/i2/name: another index is called `GSI2`"],
    );
    check(|d| index(d, 1).key.partition.clear(), &[gsi]);
    check(
        |d| {
            let many = ["a", "b", "c", "d", "e"].map(KeyAttribute::text);
            index(d, 1).key.sort = many.into();
            entity(d).keys.remove(&IndexId(1));
        },
        &[gsi],
    );
    check(|d| index(d, 3).key.sort.clear(), &[lsi]);
    check(
        |d| index(d, 3).key.partition = vec![KeyAttribute::text("other")],
        &[lsi],
    );
    check(
        |d| index(d, 1).key.sort = vec![KeyAttribute::text("GSI1PK")],
        &["indexes/i1/key: `GSI1PK` occurs twice in one key"],
    );
    check(
        |d| {
            index(d, 1).key.sort = vec![KeyAttribute {
                name: "PK".into(),
                kind: KeyType::N,
            }];
        },
        &[
            "indexes/i1/key: key attribute `PK` has a different type in another key; use one type per attribute",
        ],
    );
    check(
        |d| index(d, 1).key.sort = vec![KeyAttribute::text("x".repeat(256))],
        &["indexes/i1/key: a key attribute name has at most 255 bytes (UTF-8); this one has 256"],
    );
    check(
        |d| index(d, 1).projection = Projection::Include(vec![String::new()]),
        &["indexes/i1/projection: enter a key attribute name of 1 to 255 bytes"],
    );
}

#[test]
fn entity_invariants() {
    check(
        |d| entity(d).name = "Bare".into(),
        &["entities/e11/name: another entity is called `Bare`"],
    );
    check(
        |d| entity(d).hue = 12,
        &["entities/e10/hue: a hue is from 0 to 11"],
    );
    check(
        |d| entity(d).attributes[1].name = "attribute0".into(),
        &["entities/e10/attributes/a501/name: another attribute of Full is called `attribute0`"],
    );
    check(
        |d| entity(d).attributes[1].name = " a".into(),
        &[
            "entities/e10/attributes/a501/name: an attribute name must not start or end with a space",
        ],
    );
    check(
        |d| {
            entity(d).keys.insert(IndexId(99), IndexEntry::default());
        },
        &["entities/e10/keys/i99: there is no such index"],
    );
    check(
        |d| {
            entity(d)
                .keys
                .insert(IndexId(2), IndexEntry::pair("a", "b"));
        },
        &["entities/e10/keys/i2: a multi-attribute key uses plain attributes, not templates"],
    );
    check(
        |d| index(d, 1).key.sort.clear(),
        &["entities/e10/keys/i1: the index has no sort key for this template"],
    );
    check(
        |d| {
            let entry = entity(d).keys.get_mut(&IndexId::PRIMARY).expect("there");
            entry.when.push(Condition {
                attribute: "a".into(),
                test: Test::Exists,
            });
        },
        &["entities/e10/keys/primary: only an entry of a secondary index can have a condition"],
    );
}

#[test]
fn access_pattern_invariants() {
    let pattern = |d: &mut Design, change: &dyn Fn(&mut keyfold_core::model::AccessPattern)| {
        let first = d.access_patterns.values_mut().next().expect("one");
        change(Arc::make_mut(first));
    };
    check(
        |d| pattern(d, &|p| p.name = "Pattern 1".into()),
        &["accessPatterns/p101/name: another access pattern is called `Pattern 1`"],
    );
    check(
        |d| pattern(d, &|p| p.entities = vec![EntityId(99)]),
        &["accessPatterns/p100: there is no entity e99"],
    );
    check(
        |d| pattern(d, &|p| p.sample = Some(SampleId(99))),
        &["accessPatterns/p100: there is no sample s99"],
    );
    check(
        |d| pattern(d, &|p| p.rate = Some(-1.0)),
        &["accessPatterns/p100/rate: a rate must be 0 or more requests per second"],
    );
    check(
        |d| {
            pattern(d, &|p| {
                p.operation = Operation::Scan {
                    index: IndexId(99),
                    limit: None,
                    read: Default::default(),
                }
            });
        },
        &["accessPatterns/p100: there is no index i99"],
    );
    check(
        |d| {
            pattern(d, &|p| {
                let put = WriteAction::PutItem {
                    entity: EntityId(98),
                    condition: None,
                };
                p.operation = Operation::TransactWriteItems { actions: vec![put] };
            });
        },
        &["accessPatterns/p100: there is no entity e98"],
    );
}

#[test]
fn workload_invariants() {
    let workload = |d: &mut Design, change: &dyn Fn(&mut Workload)| {
        change(Arc::make_mut(&mut d.workload));
    };
    let traffic = |d: &mut Design, change: &dyn Fn(&mut Traffic)| {
        let patterns = &mut Arc::make_mut(&mut d.workload).patterns;
        change(patterns.get_mut(&AccessPatternId(100)).expect("there"));
    };
    let at = "workload/patterns/p100";
    for figure in [-1.0, f64::NAN, f64::INFINITY, 1e16] {
        check(
            |d| traffic(d, &|t| t.average = Some(Rate::PerMonth(figure))),
            &[&format!(
                "{at}/average: an average rate must be 0 or more, and at most 10^15"
            )],
        );
    }
    let puts = |creates, updates| PutShares {
        creates,
        updates,
        deletes: 0.0,
    };
    check(
        |d| traffic(d, &|t| t.puts = Some(puts(60.0, 41.0))),
        &[&format!(
            "{at}/puts: the shares of the puts must add up to at most 100%"
        )],
    );
    check(
        |d| traffic(d, &|t| t.puts = Some(puts(-1.0, 41.0))),
        &[&format!("{at}/puts: a share of the puts must be 0 to 100")],
    );
    check(
        |d| traffic(d, &|t| t.failed = Some(101.0)),
        &[&format!(
            "{at}/failed: the percentage of failed writes must be 0 to 100"
        )],
    );
    let skew = |values, shape| {
        move |t: &mut Traffic| {
            let skew = Skew { values, shape };
            t.parameters = SortedMap::from([("id".to_owned(), skew)]);
        }
    };
    check(
        |d| traffic(d, &skew(None, Shape::Zipf(5.5))),
        &[&format!(
            "{at}/parameters/id: a Zipf exponent must be 0 to 5"
        )],
    );
    check(
        |d| traffic(d, &skew(Some(0.0), Shape::Even)),
        &[&format!(
            "{at}/parameters/id: a number of values must be 1 or more, and at most 10^15"
        )],
    );
    // A parameter that the pattern lacks does not count.
    check(
        |d| {
            traffic(d, &|t| {
                let skew = Skew {
                    values: None,
                    shape: Shape::Even,
                };
                t.parameters.insert("lacking".into(), skew);
            });
        },
        &[],
    );
    check(
        |d| traffic(d, &|t| *t = Traffic::default()),
        &[&format!("{at}: leave out an entry without figures")],
    );
    check(
        |d| {
            workload(d, &|w| {
                let volume = Volume {
                    bytes: Some(409_601.0),
                    ..Volume::default()
                };
                w.entities.insert(EntityId(99), volume);
                w.patterns.clear();
            });
        },
        &[
            "workload/entities/e99: there is no such entity",
            "workload/entities/e99/bytes: the size of an item in bytes must be 0 to 409600",
        ],
    );
    check(
        |d| {
            workload(d, &|w| {
                let traffic = w.patterns[&AccessPatternId(100)].clone();
                w.patterns.insert(AccessPatternId(99), traffic);
            });
        },
        &["workload/patterns/p99: there is no such access pattern"],
    );
    check(
        |d| workload(d, &|w| w.region = Some("EU (Ireland)".into())),
        &["workload/region: write a Region as AWS does, such as `eu-west-1`"],
    );
    check(
        |d| {
            workload(d, &|w| {
                w.prices.insert("storage".into(), f64::NAN);
            });
        },
        &["workload/prices/storage: a price in US dollars must be 0 or more, and at most 10^15"],
    );
}

#[test]
fn sample_note_and_layout_invariants() {
    check(
        |d| {
            d.samples.insert(EntityId(99), Arc::default());
        },
        &["samples/e99: there is no such entity"],
    );
    check(
        |d| {
            Arc::make_mut(&mut d.layout).insert(CardId::Entity(EntityId(99)), Point::default());
        },
        &["layout/e99: the card does not exist"],
    );
}

#[test]
fn notes_have_a_hue_and_a_bounded_text() {
    let note = |d: &mut Design, note: Note| {
        d.notes.insert(NoteId(400), Arc::new(note));
    };
    check(
        |d| {
            let long = Note::new("é".repeat(Note::MAX_CHARS + 1));
            note(d, Note { hue: 12, ..long });
        },
        &[
            "notes/n400/hue: a hue is from 0 to 11",
            "notes/n400/text: a note has at most 4000 characters; this one has 4001",
        ],
    );
    check(|d| note(d, Note::new("é".repeat(Note::MAX_CHARS))), &[]);
}

#[test]
fn each_id_belongs_to_one_part() {
    check(
        |d| d.next_id = 400,
        &[
            "entities/e10/attributes/a500: the ID must be below nextId (400)",
            "entities/e10/attributes/a501: the ID must be below nextId (400)",
            "entities/e10/attributes/a502: the ID must be below nextId (400)",
            "entities/e10/attributes/a503: the ID must be below nextId (400)",
            "entities/e10/attributes/a504: the ID must be below nextId (400)",
            "entities/e10/attributes/a505: the ID must be below nextId (400)",
            "entities/e10/attributes/a506: the ID must be below nextId (400)",
            "entities/e10/attributes/a507: the ID must be below nextId (400)",
            "entities/e10/attributes/a508: the ID must be below nextId (400)",
            "entities/e10/attributes/a509: the ID must be below nextId (400)",
            "entities/e10/attributes/a510: the ID must be below nextId (400)",
            "entities/e10/attributes/a511: the ID must be below nextId (400)",
            "entities/e10/attributes/a512: the ID must be below nextId (400)",
            "entities/e10/attributes/a513: the ID must be below nextId (400)",
            "entities/e10/attributes/a514: the ID must be below nextId (400)",
            "entities/e10/attributes/a515: the ID must be below nextId (400)",
            "notes/n400: the ID must be below nextId (400)",
        ],
    );
    let same_number = "another part of the design uses the same ID number";
    check(
        |d| {
            let twice = Attribute::new(AttributeId(10), "twice", AttributeType::S);
            entity(d).attributes.push(twice);
        },
        &[&format!("entities/e10/attributes/a10: {same_number}")],
    );
    check(
        |d| {
            let sample = Sample {
                id: SampleId(1),
                values: Default::default(),
            };
            d.samples
                .insert(EntityId(11), Arc::new(vec![Arc::new(sample)]));
        },
        &[&format!("samples/e11/s1: {same_number}")],
    );
}

#[test]
fn ids_round_trip_as_text() {
    for text in ["primary", "i7", "e7", "n7"] {
        let card: CardId = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(card.to_string(), text);
    }
    for text in [
        "",
        "e",
        "7",
        "e0",
        "e07",
        "e+7",
        "e-7",
        "e7 ",
        "E7",
        "e4294967296",
        "i0",
        "s7",
        "é7",
    ] {
        assert!(text.parse::<CardId>().is_err(), "{text}");
        assert!(text.parse::<EntityId>().is_err(), "{text}");
        assert!(text.parse::<IndexId>().is_err(), "{text}");
    }
}

#[test]
fn generic_names_of_keys_are_told_from_names_of_data() {
    for generic in [
        "PK",
        "sk",
        "GSI1PK",
        "gsi1_sk",
        "HashKey",
        "partitionKey",
        "lsi-3-sk",
        "pk2",
        "key",
        "sortKeys",
    ] {
        assert!(name::is_generic_key(generic), "{generic}");
    }
    for telling in [
        "AccountID",
        "tenantId",
        "State#Date",
        "recordedAt",
        "skill",
        "keyboard",
        "1",
        "",
    ] {
        assert!(!name::is_generic_key(telling), "{telling}");
    }
}

#[test]
fn names_follow_dynamodbs_rules() {
    for good in ["abc", "A.b-c_9", &"x".repeat(255)] {
        assert_eq!(name::check_resource(good), Ok(()), "{good}");
    }
    for bad in ["", "ab", "a/b", "größe", "a b", &"x".repeat(256)] {
        assert!(name::check_resource(bad).is_err(), "{bad}");
    }
    for good in ["a", "größe", "a b", "a.b", "#", "名前", &"x".repeat(65_535)] {
        assert_eq!(name::check_attribute(good), Ok(()), "{good}");
    }
    for bad in [
        "",
        "a:b",
        "a|b",
        "{",
        "}",
        " a",
        "a ",
        "a\nb",
        &"x".repeat(65_536),
    ] {
        assert!(name::check_attribute(bad).is_err(), "{bad}");
    }
    assert_eq!(name::check_key_attribute(&"x".repeat(255)), Ok(()));
    assert!(name::check_key_attribute(&"é".repeat(128)).is_err());
}

#[test]
fn a_design_name_becomes_a_valid_table_name() {
    for (name, expected) in [
        ("Orders", "Orders"),
        ("My shop, 2026!", "My-shop-2026"),
        ("  x  ", "x-table"),
        ("größe", "gr-e"),
        ("名前", "-table"),
        ("", "-table"),
    ] {
        assert_eq!(table_name_for(name), expected, "{name}");
    }
    for name in [
        "x".repeat(400),
        "é x".repeat(200),
        "🦀".repeat(99),
        String::new(),
        "---".into(),
    ] {
        let table = table_name_for(&name);
        assert_eq!(name::check_resource(&table), Ok(()), "{name} -> {table}");
    }
}

#[test]
fn sorting_keeps_the_order_of_equal_values() {
    assert_eq!(in_order([3, 1, 2, 1, 3]), [1, 1, 2, 3, 3]);
    let words = vec!["two", "a", "one", "b", "six"];
    let ranked = by_rank(words, |word| [0, word.len() as u32, 0, 0]);
    assert_eq!(ranked, ["a", "b", "two", "one", "six"]);
}

#[test]
fn file_names_avoid_windows_devices() {
    for (name, stem) in [
        ("CON", "CON-"),
        ("nul", "nul-"),
        ("com1", "com1-"),
        ("LPT9.x", "LPT9-.x"),
        ("aux.keyfold", "aux-.keyfold"),
        ("COM²", "COM²-"),
        ("con .x", "con -.x"),
        ("COM", "COM"),
        ("com10", "com10"),
        ("console", "console"),
        ("orders. ", "orders"),
        ("a<b>c:d\"e/f\\g|h?i*j", "a-b-c-d-e-f-g-h-i-j"),
        ("..", "design"),
    ] {
        assert_eq!(keyfold_core::model::file_stem(name), stem, "{name}");
    }
}

/// Comparing each sample with each removed one takes minutes here.
#[test]
fn many_samples_are_removed_at_once() {
    let mut design = Design::new("Many");
    let entity = EntityId(design.take_id());
    design.entities.insert(entity, Entity::new("Log", 0).into());
    let values = keyfold_core::model::Values::default();
    let samples: Vec<Arc<Sample>> = (0..200_000)
        .map(|_| {
            let id = SampleId(design.take_id());
            let values = values.clone();
            Arc::new(Sample { id, values })
        })
        .collect();
    let gone: Vec<SampleId> = samples.iter().step_by(2).map(|sample| sample.id).collect();
    design.samples.insert(entity, samples.into());
    let start = std::time::Instant::now();
    design.remove_samples(entity, &gone);
    assert_eq!(design.samples_of(entity).len(), 100_000);
    assert!(start.elapsed().as_secs() < 15, "{:?}", start.elapsed());
}

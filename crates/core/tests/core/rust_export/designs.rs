//! The designs for the tests of the Rust export that are not in the library.

use super::build::{
    add_attribute, add_entity, add_index, add_keys, add_pattern, add_sample, query, sound,
};
use keyfold_core::model::{
    AttributeType, Condition, DelimiterPolicy, Design, IndexEntry, IndexId, IndexKind, ItemKey,
    KeyAttribute, KeySchema, KeyType, OnDelimiter, Operation, Read, SortCondition, SortOperator,
    Test, Value, WriteAction,
};
use std::sync::Arc;

/// A design whose names, literals and values have this length.
pub fn wide(length: usize) -> Design {
    let mut design = Design::new("Widths");
    let long = "x".repeat(length);
    let entity = add_entity(&mut design, &format!("E{length}"));
    let name = format!("a{long}");
    for name in [name.as_str(), "b", "c"] {
        add_attribute(&mut design, entity, name, AttributeType::S);
    }
    add_attribute(&mut design, entity, "n", AttributeType::N);
    let (pk, sk) = (
        format!("P#{{{name}}}#{long}"),
        format!("S{length}#{{b}}#{{{name}}}#{{c:upper}}#{{n:desc(9)}}#{{c}}#{long}"),
    );
    add_keys(
        &mut design,
        entity,
        IndexId::PRIMARY,
        IndexEntry::pair(pk.clone(), sk.clone()),
    );
    let values = [
        (name.as_str(), long.as_str()),
        ("b", "b"),
        ("c", long.as_str()),
    ];
    add_sample(&mut design, entity, &values, &[("n", length as i64)]);
    let sort = vec![SortCondition {
        operator: SortOperator::Between,
        value: format!("S{length}#{{b}}#{long}"),
        upper: Some(format!("S{length}#{{{name}}}#{long}")),
    }];
    add_pattern(
        &mut design,
        &format!("p{long}"),
        query(IndexId::PRIMARY, &pk, sort),
    );
    let many: Vec<_> = (0..length.min(24)).map(|n| format!("{{k{n}}}")).collect();
    let many_keys = IndexEntry::pair("M", format!("M#{}", many.join("#")));
    let entity = add_entity(&mut design, &format!("Many{length}"));
    add_keys(&mut design, entity, IndexId::PRIMARY, many_keys);
    let key = ItemKey {
        partition: pk,
        sort: Some(sk),
    };
    let keys = vec![
        key.clone(),
        key,
        ItemKey {
            partition: long.repeat(2),
            sort: Some(long.clone()),
        },
    ];
    add_pattern(
        &mut design,
        &format!("q{long}"),
        Operation::TransactGetItems { keys },
    );
    design
}

/// The policy that rejects a delimiter.
pub fn reject(delimiter: &str) -> DelimiterPolicy {
    DelimiterPolicy {
        delimiter: delimiter.into(),
        on_conflict: OnDelimiter::Reject,
    }
}

/// The policy that encodes a delimiter.
pub fn encode(delimiter: &str) -> DelimiterPolicy {
    DelimiterPolicy {
        delimiter: delimiter.into(),
        on_conflict: OnDelimiter::PercentEncode,
    }
}

/// Names that are keywords, begin with a digit, are equal after case conversion, contain no letters, or have a meaning
/// in Rust or Markdown.
pub fn obstacle_course() -> Design {
    let mut design = Design::new("Obstacle `course` */ \u{202e} \"#\"");
    let gsi = add_index(
        &mut design,
        "gsi-1",
        IndexKind::Gsi,
        KeySchema::pair("GSI-1 pk", "gsi 1 PK"),
    );
    let other = add_index(
        &mut design,
        "Gsi_1",
        IndexKind::Gsi,
        KeySchema::pair("名前", "type"),
    );
    let names = [
        "type",
        "Self",
        "self",
        "2fa",
        "2 fa",
        "user name",
        "userName",
        "UserName",
        "UserNameGsi1",
        "venue's show",
        "名前",
        "!?",
        "Größe",
        "Any",
        "Primary",
        "Key",
        "String",
        "Result",
        "Ok",
        "fmt",
        "part",
        "KeyError",
        "1",
        "crate",
        "async",
        "A very long name of an entity that nobody would ever want to write twice, or once",
    ];
    let attributes = [
        "type",
        "self",
        "2fa",
        "tenantId",
        "tenant_id",
        "TenantID",
        "pk",
        "sk",
        "new",
        "parse",
        "from_city",
        "into_x",
        "名前",
        "!",
        "text",
        "date",
        "field",
        "key",
        "fn",
        "_",
        "Über-größe",
        "name's",
    ];
    for (i, name) in names.iter().enumerate() {
        let entity = add_entity(&mut design, name);
        let description = [
            "",
            "- a list",
            "1. of `things`",
            "> [quote]: x",
            "# title | *b* _c_ \\ `",
            "a\n\n\tb\r\u{202e}",
        ];
        let edit = design
            .entities
            .get_mut(&entity)
            .map(Arc::make_mut)
            .expect("the entity exists");
        edit.description = description[i % description.len()].into();
        let pick = |n: usize| attributes[(i * 5 + n) % attributes.len()];
        for n in 0..5 {
            add_attribute(&mut design, entity, pick(n), AttributeType::S);
        }
        let pair = |prefix: &str| {
            IndexEntry::pair(
                format!("{prefix}{i}\"\\{{{{#{{{}}}#é中", pick(0)),
                format!(
                    "{{{}:lower}}#{{{}}}#{{{}}}#{{{}}}",
                    pick(1),
                    pick(2),
                    pick(3),
                    pick(1)
                ),
            )
        };
        add_keys(&mut design, entity, IndexId::PRIMARY, pair("P"));
        if i % 4 == 1 {
            add_keys(&mut design, entity, gsi, pair("G"));
            add_keys(&mut design, entity, other, pair("H"));
        }
        let values: Vec<_> = (0..5)
            .map(|n| (pick(n), ["v", "Ünï \"q\" \\ \t 中"][n % 2]))
            .collect();
        add_sample(&mut design, entity, &values, &[]);
        let key = ItemKey {
            partition: format!("X#{{{}}}", pick(0)),
            sort: Some(format!("{{{}}}", pick(1))),
        };
        let name = name.to_uppercase() + ["", "!", " pk"][i % 3];
        add_pattern(
            &mut design,
            &name,
            Operation::GetItem {
                key,
                read: Read::default(),
            },
        );
    }
    // Templates that cannot be written, which report the reason.
    let broken = add_entity(&mut design, "Broken");
    add_keys(
        &mut design,
        broken,
        IndexId::PRIMARY,
        IndexEntry::pair("A#{a:nothing}", "B"),
    );
    add_entity(&mut design, "Keyless");
    let listed = add_entity(&mut design, "Listed");
    add_attribute(&mut design, listed, "list", AttributeType::L);
    add_keys(
        &mut design,
        listed,
        IndexId::PRIMARY,
        IndexEntry::pair("A#{list}", "B"),
    );
    let no_sort = IndexEntry {
        partition: Some("A".into()),
        ..IndexEntry::default()
    };
    let half = add_entity(&mut design, "Half");
    add_keys(&mut design, half, IndexId::PRIMARY, no_sort);
    sound(design)
}

/// Keys in which values stand in another case, or shortened, some of them with the delimiter in the part that the key has.
pub fn delimiters_in_values(policy: DelimiterPolicy) -> Design {
    let mut design = Design::new("Delimiters in values");
    let d = policy.delimiter.clone();
    design.delimiter = Arc::new(policy);
    let e = add_entity(&mut design, "Document");
    for name in ["org", "team", "title"] {
        add_attribute(&mut design, e, name, AttributeType::S);
    }
    let pk = ["ORG", "{org:lower}", "{team:upper}"].join(&d);
    let sk = ["DOC", "{title:first(3)|lower}", "{team:first(2)}"].join(&d);
    add_keys(&mut design, e, IndexId::PRIMARY, IndexEntry::pair(pk, sk));
    let inside = ["b", "c"].join(&d);
    let behind = ["Abc", "d"].join(&d);
    let emoji = ["😀", "x"].join(&d);
    let behind_emoji = ["😀😀😀", "x"].join(&d);
    for (org, team, title) in [
        ("Acme", "Red", "ab"),
        ("Acme", "Red", behind.as_str()),
        ("Acme", "Red", behind_emoji.as_str()),
        (inside.as_str(), "red", "ab"),
        ("acme", inside.as_str(), "ab"),
        ("acme", "red", inside.as_str()),
        ("acme", "red", emoji.as_str()),
    ] {
        let texts = [("org", org), ("team", team), ("title", title)];
        add_sample(&mut design, e, &texts, &[]);
    }
    design
}

/// Every modifier and every type of attribute and key, under a policy.
pub fn all_modifiers(policy: DelimiterPolicy) -> Design {
    let mut design = Design::new("All modifiers");
    let d = policy.delimiter.replace('{', "{{").replace('}', "}}");
    design.delimiter = Arc::new(policy);
    let template = |parts: &[&str]| parts.join(&d);
    let number = |name: &str, kind| KeyAttribute {
        name: name.into(),
        kind,
    };
    let numbers = KeySchema {
        partition: vec![KeyAttribute::text("gpk")],
        sort: vec![number("gsk", KeyType::N)],
    };
    let by_number = add_index(&mut design, "ByNumber", IndexKind::Gsi, numbers);
    let bytes = KeySchema {
        partition: vec![number("bpk", KeyType::B)],
        sort: vec![number("shard", KeyType::N)],
    };
    let by_bytes = add_index(&mut design, "ByBytes", IndexKind::Gsi, bytes);

    let e = add_entity(&mut design, "Text");
    for name in ["id", "at", "email"] {
        add_attribute(&mut design, e, name, AttributeType::S);
    }
    let pk = template(&[
        "T",
        "{email:lower}",
        "{at:month}",
        "{id:shard(7)}",
        "{id:first(3)|upper}",
    ]);
    let sk = template(&[
        "T",
        "{at}",
        "{at:date}",
        "{email:upper}",
        "{at:year}",
        "{id}",
        "{id:shard(3)}",
    ]);
    add_keys(&mut design, e, IndexId::PRIMARY, IndexEntry::pair(pk, sk));
    let sparse = IndexEntry {
        when: vec![
            Condition {
                attribute: "email".into(),
                test: Test::Exists,
            },
            Condition {
                attribute: "id".into(),
                test: Test::OneOf(vec!["a".into(), "ünï".into()]),
            },
        ],
        ..IndexEntry::pair(template(&["{email:first(2)}", "{id}"]), "{score}")
    };
    add_attribute(&mut design, e, "score", AttributeType::N);
    add_keys(&mut design, e, by_number, sparse);
    for (id, at, score) in [
        ("ünïß", "2026-03-01T23:30:00-02:00", 5),
        ("abc", "2026-01-01T00:30:00.5+02:00", -7),
        ("ß", "2024-02-29", 0),
        ("100%", "2024-12-31 23:59:60Z", 1200),
        ("İstanbul", "1999-12-31T23:59-0001", 1),
        ("a-b.c:#2", "2026-03-01T12:00Z", 3),
    ] {
        add_sample(
            &mut design,
            e,
            &[("id", id), ("at", at), ("email", "A.b@X")],
            &[("score", score)],
        );
    }

    let e = add_entity(&mut design, "Number");
    for name in ["rank", "seq", "price", "rating"] {
        add_attribute(&mut design, e, name, AttributeType::N);
    }
    add_attribute(&mut design, e, "live", AttributeType::Bool);
    add_attribute(&mut design, e, "code", AttributeType::S);
    let pk = template(&["N", "{seq:pad(12)}", "{live}", "{rating}"]);
    let sk = template(&[
        "{rank:desc(6)}",
        "{price:pad(5,2)}",
        "{rank:pad(8)}",
        "{code:pad(4)}",
        "{rating:shard(5)}",
    ]);
    add_keys(&mut design, e, IndexId::PRIMARY, IndexEntry::pair(pk, sk));
    add_keys(
        &mut design,
        e,
        by_number,
        IndexEntry::pair("{live}", "{price}"),
    );
    for (rank, price, rating) in [
        (0, "0", "4.8"),
        (999_999, "12345.67", "-0.001"),
        (42, "3.5", "1e20"),
    ] {
        let decimal = |text: &str| Value::N(text.parse().expect("a number"));
        let sample = add_sample(
            &mut design,
            e,
            &[("code", "17")],
            &[("rank", rank), ("seq", rank * 1000)],
        );
        for (name, value) in [
            ("price", decimal(price)),
            ("rating", decimal(rating)),
            ("live", Value::Bool(rank > 0)),
        ] {
            sample.values.insert(name.into(), value);
        }
    }

    let e = add_entity(&mut design, "Score");
    add_attribute(&mut design, e, "points", AttributeType::N);
    add_attribute(&mut design, e, "blob", AttributeType::B);
    let pk = template(&["LEADER", "BOARD"]);
    add_keys(
        &mut design,
        e,
        IndexId::PRIMARY,
        IndexEntry::pair(pk, template(&["{points:desc(20)}", "S"])),
    );
    add_keys(
        &mut design,
        e,
        by_bytes,
        IndexEntry::pair("{blob}", "{points:shard(10)}"),
    );
    let sample = add_sample(&mut design, e, &[], &[("points", 1_234_567)]);
    sample
        .values
        .insert("blob".into(), Value::B(vec![0, 34, 92, 200, 65]));

    let e = add_entity(&mut design, "Only derived");
    for name in ["at", "name"] {
        add_attribute(&mut design, e, name, AttributeType::S);
    }
    let pk = template(&["D", "{at:month}", "{name:shard(4)}"]);
    let sk = template(&["{at:date}", "{name:lower}", "{name:first(2)}"]);
    add_keys(&mut design, e, IndexId::PRIMARY, IndexEntry::pair(pk, sk));
    add_sample(
        &mut design,
        e,
        &[("at", "2026-04-10T14:30:00Z"), ("name", "Ärger")],
        &[],
    );

    let e = add_entity(&mut design, "Ambiguous");
    add_keys(
        &mut design,
        e,
        IndexId::PRIMARY,
        IndexEntry::pair("Q{a}{b}", "{a}"),
    );
    add_sample(&mut design, e, &[("a", "1"), ("b", "2")], &[]);
    sound(design)
}

/// Multi-attribute, local and inverted indexes, and every kind of access pattern.
pub fn indexes() -> Design {
    let mut design = Design::new("Tournament");
    let text = |names: &[&str]| {
        names
            .iter()
            .map(|name| KeyAttribute::text(*name))
            .collect::<Vec<_>>()
    };
    let mut sort = text(&["round", "bracket"]);
    sort.push(KeyAttribute {
        name: "matchNumber".into(),
        kind: KeyType::N,
    });
    let multi = KeySchema {
        partition: text(&["tournamentId", "region"]),
        sort,
    };
    let multi = add_index(&mut design, "ByRound", IndexKind::Gsi, multi);
    let local = add_index(
        &mut design,
        "ByDate",
        IndexKind::Lsi,
        KeySchema::pair("PK", "LSI1"),
    );
    let inverted = add_index(
        &mut design,
        "Inverted",
        IndexKind::Gsi,
        KeySchema::pair("SK", "PK"),
    );
    let e = add_entity(&mut design, "Match");
    for name in ["tournamentId", "region", "round", "bracket", "date"] {
        add_attribute(&mut design, e, name, AttributeType::S);
    }
    add_attribute(&mut design, e, "matchNumber", AttributeType::N);
    let pair = IndexEntry::pair("TOURNAMENT#{tournamentId}", "MATCH#{matchNumber:pad(4)}");
    add_keys(&mut design, e, IndexId::PRIMARY, pair);
    add_keys(&mut design, e, multi, IndexEntry::default());
    let sort = IndexEntry {
        sort: Some("{date}".into()),
        ..IndexEntry::default()
    };
    add_keys(&mut design, e, local, sort);
    add_keys(&mut design, e, inverted, IndexEntry::default());
    let twin = add_entity(&mut design, "Game");
    add_keys(
        &mut design,
        twin,
        IndexId::PRIMARY,
        IndexEntry::pair("TOURNAMENT#{id}", "MATCH#{number}"),
    );
    let values = [
        ("tournamentId", "t1"),
        ("region", "EU"),
        ("round", "final"),
        ("bracket", "A"),
        ("date", "2026-05-01"),
    ];
    add_sample(&mut design, e, &values, &[("matchNumber", 7)]);
    let equal = |value: &str| SortCondition {
        operator: SortOperator::Equal,
        value: value.into(),
        upper: None,
    };
    let range = |operator, value: &str| SortCondition {
        operator,
        value: value.into(),
        upper: None,
    };
    let by_round = Operation::Query {
        index: multi,
        partition: vec!["{tournamentId}".into(), "{region}".into()],
        sort: vec![
            equal("{round}"),
            equal("{bracket}"),
            range(SortOperator::GreaterOrEqual, "{matchNumber}"),
        ],
        descending: true,
        limit: Some(20),
        read: Read {
            filter: Some("a > :b".into()),
            ..Read::default()
        },
    };
    add_pattern(&mut design, "Matches of a round", by_round);
    let sort = vec![range(SortOperator::BeginsWith, "MATCH#")];
    add_pattern(
        &mut design,
        "Matches",
        query(IndexId::PRIMARY, "TOURNAMENT#{tournamentId}", sort),
    );
    add_pattern(
        &mut design,
        "Fixed",
        query(IndexId::PRIMARY, "TOURNAMENT#1", Vec::new()),
    );
    let sort = vec![range(SortOperator::Less, "{date}")];
    add_pattern(
        &mut design,
        "Before",
        query(local, "TOURNAMENT#{tournamentId}", sort),
    );
    add_pattern(
        &mut design,
        "All",
        Operation::Scan {
            index: IndexId::PRIMARY,
            limit: None,
            read: Read::default(),
        },
    );
    let key = ItemKey {
        partition: "TOURNAMENT#{tournamentId}".into(),
        sort: Some("MATCH#{matchNumber:pad(4)}".into()),
    };
    let delete = WriteAction::DeleteItem {
        key: key.clone(),
        condition: None,
    };
    add_pattern(&mut design, "Delete", Operation::Write(delete));
    let put = WriteAction::PutItem {
        entity: e,
        condition: None,
    };
    add_pattern(&mut design, "Put", Operation::Write(put.clone()));
    // Another item: a transaction has one action for each.
    let previous = WriteAction::DeleteItem {
        key: ItemKey {
            sort: Some("MATCH#{previousNumber:pad(4)}".into()),
            ..key
        },
        condition: None,
    };
    let actions = vec![put, previous];
    add_pattern(
        &mut design,
        "Replace",
        Operation::TransactWriteItems { actions },
    );
    let keys = vec![
        ItemKey {
            partition: "A".into(),
            sort: Some("B".into()),
        },
        ItemKey {
            partition: "C".into(),
            sort: Some("D".into()),
        },
    ];
    add_pattern(
        &mut design,
        "Two",
        Operation::BatchGetItem {
            keys,
            read: Read::default(),
        },
    );
    sound(design)
}

//! Samples as files: an export can be imported as the same samples.

use keyfold_core::delimited;
use keyfold_core::engine::generate::{Amount, Request, generate, obstacle};
use keyfold_core::export::samples::{csv, dynamodb_json};
use keyfold_core::import::Note;
use keyfold_core::import::samples::{Imported, parts, read};
use keyfold_core::library::{find, patterns};
use keyfold_core::model::*;
use keyfold_test_support::designs::full_design;
use keyfold_test_support::{cases, sample_rows, with_samples};
use proptest::prelude::*;
use std::sync::Arc;

type Rows = Vec<(EntityId, Values)>;

fn saas() -> Design {
    find("saas-multi-tenant")
        .expect("in the library")
        .design()
        .expect("sound")
}

fn entity(design: &Design, name: &str) -> EntityId {
    design.entity_named(name).expect("there is one")
}

/// Imports without any message.
fn smooth(design: &Design, text: &str, into: Option<EntityId>) -> Rows {
    let imported = read(design, text, into).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let said: Vec<String> = imported
        .refused
        .iter()
        .chain(&imported.remarks)
        .map(ToString::to_string)
        .collect();
    assert_eq!(said, Vec::<String>::new(), "{text}");
    imported.added
}

/// The messages of an import.
fn said(imported: &Imported) -> String {
    let refused = imported
        .refused
        .iter()
        .map(|note| format!("refused: {note}\n"));
    let remarks = imported
        .remarks
        .iter()
        .map(|note| format!("remark: {note}\n"));
    refused.chain(remarks).collect()
}

#[test]
fn a_pattern_exports_to_files() {
    let design = saas();
    insta::assert_snapshot!("samples_csv", csv(&design, None));
    insta::assert_snapshot!(
        "samples_csv_of_users",
        csv(&design, Some(entity(&design, "User")))
    );
    insta::assert_snapshot!("samples_json", dynamodb_json(&design, None));
}

#[test]
fn an_entity_without_samples_gives_a_header() {
    let mut design = saas();
    design.samples.clear();
    assert_eq!(
        csv(&design, Some(entity(&design, "User"))),
        "pk,sk,type,gsi1pk,gsi1sk,gsi2pk,gsi2sk,gsi3pk,gsi3sk,tenantId,userId,email,name,role\r\n"
    );
    assert_eq!(dynamodb_json(&design, None), "");
}

#[test]
fn the_library_round_trips() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let able = design
            .entities
            .keys()
            .filter(|id| obstacle(&design, **id).is_none());
        let amounts = able
            .map(|id| Amount {
                entity: *id,
                count: 20,
                per: None,
            })
            .collect();
        let generated = generate(
            &design,
            &Request {
                amounts,
                replace: false,
                seed: 3,
            },
        )
        .expect("it can");
        let mut design = with_samples(&design, &generated.removed, generated.added);
        for with_type in [true, false] {
            if !with_type {
                Arc::make_mut(&mut design.table).type_attribute = None;
            }
            assert_eq!(
                smooth(&design, &csv(&design, None), None),
                sample_rows(&design)
            );
            assert_eq!(
                smooth(&design, &dynamodb_json(&design, None), None),
                sample_rows(&design)
            );
        }
    }
}

#[test]
fn the_only_entity_takes_all_items() {
    let mut design = Design::new("Plain");
    let mut plain = Entity::new("Order", 0);
    plain.attributes = vec![Attribute::new(
        AttributeId(design.take_id()),
        "total",
        AttributeType::N,
    )];
    let id = EntityId(design.take_id());
    design.entities.insert(id, Arc::new(plain));
    // No template and no attribute says what its keys are.
    let item = r#"{"PK": {"S": "a"}, "SK": {"S": "b"}, "other": {"S": "c"}}"#;
    for text in [item, "PK,SK,other\na,b,c\n"] {
        let added = smooth(&design, text, None);
        assert_eq!(added.len(), 1);
        assert_eq!(added[0].0, id);
        assert_eq!(added[0].1.get("other"), Some(&"c".into()));
    }
}

#[test]
fn every_form_of_dynamodb_json_is_read() {
    let design = saas();
    let lines = dynamodb_json(&design, None);
    let expected = sample_rows(&design);
    let bare: Vec<&str> = lines
        .lines()
        .map(|line| &line[r#"{"Item":"#.len()..line.len() - 1])
        .collect();
    let puts: Vec<String> = lines
        .lines()
        .map(|line| format!(r#"{{"PutRequest":{line}}}"#))
        .collect();
    let forms = [
        lines.clone(),
        format!("\u{feff}{}", lines.replace('\n', "\r\n")),
        bare.join("\n"),
        bare.concat(),
        format!("[{}]", bare.join(",")),
        format!("[{}]", lines.trim_end().replace('\n', ",")),
        format!(
            r#"{{"Items": [{}], "Count": 7, "ScannedCount": 7, "ConsumedCapacity": null}}"#,
            bare.join(",\n")
        ),
        format!(r#"{{"saas": [{}]}}"#, puts.join(",")),
        format!(r#"{{"RequestItems": {{"saas": [{}]}}}}"#, puts.join(",")),
        lines.replace(
            "{\"Item\":",
            r#"{"Metadata":{"WriteTimestampMicros":"1"},"Keys":{"pk":{"S":"x"}},"NewImage":"#,
        ),
    ];
    for form in forms {
        assert_eq!(smooth(&design, &form, None), expected, "{form}");
    }
    // Plain JSON, where it is unambiguous.
    let plain = r#"{"pk": "TENANT#t_09", "sk": "USER#u_09", "age": 7, "ok": true, "no": null, "tags": ["a", 1]}"#;
    let values = [
        ("age", Value::from(7)),
        ("no", Value::Null),
        ("ok", Value::Bool(true)),
        ("tags", Value::L(vec!["a".into(), Value::from(1)])),
        ("tenantId", "t_09".into()),
        ("userId", "u_09".into()),
    ];
    let values = values.map(|(name, value)| (name.to_owned(), value)).into();
    assert_eq!(
        smooth(&design, plain, None),
        [(entity(&design, "User"), values)]
    );
}

#[test]
fn csv_from_spreadsheets_is_read() {
    let design = saas();
    let user = entity(&design, "User");
    let row = |values: &[(&str, Value)]| {
        let values = values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        (user, values.collect())
    };
    let expected = vec![
        row(&[
            ("tenantId", "t_01".into()),
            ("userId", "u_07".into()),
            ("name", "Zoe, \"Z\"".into()),
            ("age", Value::from(31)),
        ]),
        row(&[
            ("tenantId", "t_02".into()),
            ("userId", "u_08".into()),
            ("name", "Two\nlines".into()),
            ("vip", Value::Bool(true)),
        ]),
    ];
    let comma = "\u{feff}tenantId,userId,name,age,vip,\r\nt_01,u_07,\"Zoe, \"\"Z\"\"\",31,,\r\n,,,,,\r\nt_02,u_08,\"Two\nlines\",,TRUE,\r\n\r\n";
    let semicolon = "tenantId;userId;name;age;vip\nt_01;u_07;\"Zoe, \"\"Z\"\"\";31\nt_02;u_08;\"Two\nlines\";;true";
    let tab = "tenantId\tuserId\tname\tage\tvip\nt_01\tu_07\t\"Zoe, \"\"Z\"\"\"\t31\nt_02\tu_08\t\"Two\nlines\"\t\ttrue";
    for text in [comma, semicolon, tab] {
        assert_eq!(smooth(&design, text, Some(user)), expected, "{text}");
    }
    // Without a key, the attribute names decide; if several entities fit, the import asks.
    let emails = "email,role,userId,tenantId\na@example.com,admin,u_07,t_01\n";
    assert_eq!(smooth(&design, emails, None)[0].0, user);
    let both = read(&design, "tenantId,plan\nt_01,pro\n", None).expect("it can be read");
    assert_eq!(
        said(&both),
        "refused: line 2: it could be a Tenant or a Subscription\n"
    );
}

#[test]
fn ambiguous_cells_round_trip() {
    let mut design = saas();
    let user = entity(&design, "User");
    let values = [
        "",
        "=1+1",
        "+SUM(A1)",
        "-cmd|' /C calc'!A0",
        "@x",
        "\tx",
        "+1 555 0100",
        "-5",
        "5",
        "true",
        " a ",
        "{\"S\":\"x\"}",
        "{",
        "null",
        "a,b",
        "\"",
        "two\r\nlines",
        "\u{feff}x",
        "=",
        "-",
        "+",
    ];
    let samples = values.iter().map(|text| Sample {
        id: SampleId(design.take_id()),
        values: [
            ("userId", "u"),
            ("tenantId", "t"),
            ("name", text),
            ("free", text),
        ]
        .map(|(name, text)| (name.to_owned(), Value::from(text)))
        .into(),
    });
    let samples = samples.map(Arc::new).collect();
    design.samples = [(user, Arc::new(samples))].into();
    let text = csv(&design, None);
    assert_eq!(smooth(&design, &text, None), sample_rows(&design));
    // Text that a spreadsheet would run as a formula is escaped, but a telephone number is not.
    let cells = delimited::read(&text, ',');
    let plain = |cell: &&String| cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let plain: Vec<&String> = cells.iter().flatten().filter(plain).collect();
    assert_eq!(
        plain,
        ["+1 555 0100", "+1 555 0100", "-5", "-5", "-", "-", "+", "+"]
    );
}

#[test]
fn samples_come_back_from_their_parts() {
    for design in patterns()
        .iter()
        .map(|pattern| pattern.design().expect("sound"))
        .chain([full_design()])
    {
        let all = design.samples.iter();
        let samples: Vec<(EntityId, Sample)> = all
            .flat_map(|(id, samples)| samples.iter().map(|sample| (*id, (**sample).clone())))
            .cycle()
            .take(3000)
            .collect();
        let mut back = Vec::new();
        let mut count = 0;
        loop {
            let (text, next) = parts::write(&samples, back.len());
            let part = parts::read(&text).expect("a part");
            if part.is_empty() {
                break;
            }
            back.extend(part);
            assert_eq!(back.len(), next);
            count += 1;
        }
        assert_eq!(back, samples);
        assert!(count > 1 || samples.is_empty());
    }
    assert_eq!(parts::read("1 2 {\n"), None);
}

#[test]
fn unusable_items_are_listed() {
    let design = saas();
    let mut text = String::new();
    let mut report = |file: &str, into: Option<&str>| {
        let into = into.map(|name| entity(&design, name));
        let report = match read(&design, file, into) {
            Ok(imported) => format!("{} added\n{}", imported.added.len(), said(&imported)),
            Err(error) => format!("error: {error}\n"),
        };
        text.push_str(&format!("{file}\n---\n{report}\n"));
    };
    report("", None);
    report("  \n", None);
    report("[{\"pk\": {\"S\": \"x\"}},\n  oops]", None);
    report("{\"pk\": {\"S\": \"x\"}", None);
    report("3", None);
    report("[3]", None);
    report(
        "{\"Items\": [{\"pk\": {\"S\": \"TENANT#t_1\"}, \"sk\": {\"S\": \"#METADATA\"}}, {\"pk\": {\"S\": \"NOPE#1\"}, \"sk\": {\"S\": \"x\"}}, {\"name\": {\"X\": \"x\"}}, {\"a\": {\"N\": \"x\"}}], \"LastEvaluatedKey\": {}}",
        None,
    );
    report(
        "{\"type\": {\"S\": \"Ghost\"}}\n\n{\"type\": {\"S\": \"Ghost\"}, \"pk\": {\"S\": \"TENANT#1\"}, \"sk\": {\"S\": \"USER#2\"}}",
        None,
    );
    report(
        "{\"saas\": [{\"DeleteRequest\": {\"Key\": {\"pk\": {\"S\": \"x\"}}}}]}",
        None,
    );
    // Keys that differ from what the sample renders.
    report(
        "{\"pk\": {\"S\": \"TENANT#t_1\"}, \"sk\": {\"S\": \"USER#u_1\"}, \"userId\": {\"S\": \"u_2\"}, \"type\": {\"S\": \"User\"}, \"gsi1pk\": {\"S\": \"x\"}}",
        None,
    );
    report(
        "{\"type\": {\"S\": \"User\"}, \"pk\": {\"S\": \"x\"}}",
        None,
    );
    report("userId,name,age\nu_1,a\n\"u_2,b,c\n", Some("User"));
    report("userId,name,userId\nu_1,a,u_2\n", Some("User"));
    report("userId,{bad},x\nu_1,a,u_2\n", Some("User"));
    report("userId,,x\nu_1,,a\nu_2,b,c\n", Some("User"));
    report(
        "tenantId,seats\nt_1,many\nt_2,5\nt_3,\"{\"\"NULL\"\":true}\"\nt_4,5,6\n",
        Some("Subscription"),
    );
    report(
        "pk,sk,seats\nTENANT#t_1,#SUBSCRIPTION,5\nTENANT#t_2,#NOTHING,6\n,,7\n",
        None,
    );
    insta::assert_snapshot!(text);
}

#[test]
fn attributes_that_occur_only_in_a_key_are_recovered() {
    let design = find("multi-branch-finance")
        .expect("in the library")
        .design()
        .expect("sound");
    let key = r#""PK":{"S":"TENANT#a#BRANCH#b#TRANSACTION"},"SK":{"S":"2026-01-15#txn-7"}"#;
    let imported = read(&design, &format!("{{{key}}}"), None).expect("it can be read");
    assert_eq!(
        said(&imported),
        "remark: line 1: `createdAt` is missing; `SK` contains only `2026-01-15` of it, which becomes the value\n"
    );
    let (id, values) = &imported.added[0];
    assert_eq!(*id, entity(&design, "Transaction"));
    let values: Vec<(&str, String)> = values
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_text()))
        .collect();
    let expected = [
        ("branchId", "b"),
        ("createdAt", "2026-01-15"),
        ("tenantId", "a"),
        ("transactionId", "txn-7"),
    ];
    assert_eq!(
        values,
        expected.map(|(name, value)| (name, value.to_owned()))
    );
}

#[test]
fn every_type_of_value_round_trips() {
    let design = full_design();
    for text in [dynamodb_json(&design, None), csv(&design, None)] {
        let imported = read(&design, &text, None).expect("it can be read");
        assert_eq!(imported.added, sample_rows(&design));
        // The samples only lack the attributes of their primary key.
        assert_eq!((imported.refused.len(), imported.remarks.len()), (0, 2));
        let lacks = |note: &Note| note.message.contains("`id` has no value");
        assert!(imported.remarks.iter().all(lacks), "{}", said(&imported));
    }
}

/// Text with many characters that matter.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        r#"[a0{}"\[\]:,=+@ \n-]{0,8}"#,
        any::<String>(),
        Just("{\"S\":\"x\"}".to_owned()),
        Just("TRUE".to_owned())
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Number::from),
        (any::<i32>(), -130..90_i32)
            .prop_map(|(n, e)| format!("{n}e{e}").parse().unwrap_or_default()),
    ];
    let bytes = prop::collection::vec(any::<u8>(), 0..5);
    let leaf = prop_oneof![
        4 => any_text().prop_map(Value::S),
        2 => number.clone().prop_map(Value::N),
        1 => bytes.clone().prop_map(Value::B),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
        1 => prop::collection::btree_set(any_text(), 1..3).prop_map(|all| Value::Ss(all.into_iter().collect())),
        1 => prop::collection::btree_set(number, 1..3).prop_map(|all| Value::Ns(all.into_iter().collect())),
        1 => prop::collection::btree_set(bytes, 1..3).prop_map(|all| Value::Bs(all.into_iter().collect())),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let name = prop_oneof![
            any_text(),
            prop::sample::select(vec!["S", "N", "L", "M"]).prop_map(str::to_owned)
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::L),
            prop::collection::btree_map(name, inner, 0..3)
                .prop_map(|all| Value::M(all.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_values_round_trip(
        samples in prop::collection::vec(prop::collection::btree_map(
            prop::sample::select(vec!["name", "email", "role", "seats", "extra", "=x", "Item", "S", "Items"]).prop_map(str::to_owned),
            any_value(),
            0..6,
        ), 1..8),
    ) {
        let mut design = saas();
        design.access_patterns.clear();
        design.samples.clear();
        let user = entity(&design, "User");
        let samples = samples.into_iter().zip(0..).map(|(mut values, number)| {
            values.insert("userId".into(), Value::S(format!("u{number}")));
            values.insert("tenantId".into(), "t".into());
            Arc::new(Sample { id: SampleId(design.take_id()), values: SortedMap::from_iter(values).into() })
        });
        let samples = samples.collect();
        design.samples.insert(user, Arc::new(samples));
        prop_assert_eq!(smooth(&design, &dynamodb_json(&design, None), None), sample_rows(&design));
        prop_assert_eq!(smooth(&design, &csv(&design, None), None), sample_rows(&design));
        prop_assert_eq!(smooth(&design, &csv(&design, Some(user)), Some(user)), sample_rows(&design));
    }

    #[test]
    fn no_text_makes_the_import_panic(
        text in prop_oneof![
            any_text(),
            r#"[\[{]{1,3}"?(Item|Items|pk|S|PutRequest)?"?:?[\[{]?"?[a-z]?"?[\]},\n]{0,4}"#,
            r#"(pk|sk|type|name)[,;\t](pk|sk|type|age)\n["a,;0\n#]{0,20}"#,
        ],
        into in any::<bool>(),
    ) {
        let design = saas();
        let into = into.then(|| entity(&design, "User"));
        match read(&design, &text, into) {
            Err(error) => prop_assert!(!error.is_empty()),
            Ok(imported) => {
                with_samples(&design, &[], imported.added);
            }
        }
    }
}

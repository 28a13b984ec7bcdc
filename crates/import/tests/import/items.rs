//! Items come back attribute for attribute, or a message says where and why not.

use super::{import, left_out};
use keyfold_core::import::samples;
use keyfold_core::library::find;
use keyfold_core::model::{SortedMap, Value};
use keyfold_import::form::Notes;
use keyfold_import::{ItemValues, items_of_line, read};

/// The attribute `a` of the only item, with the messages.
fn value(text: &str) -> (Option<Value>, Vec<String>) {
    let import =
        read("items.json", text.as_bytes(), None).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut items = import.loose.iter().flat_map(|group| &group.items);
    let value = items.find_map(|item| item.values.get("a").cloned());
    (value, left_out(&import))
}

fn number(text: &str) -> Value {
    Value::N(text.parse().expect("a number"))
}

#[test]
fn values_come_back_as_they_are() {
    let long = "12345678901234567890123456789012345678";
    let fraction = "0.12345678901234567890123456789012345678";
    let map = |name: &str, value: Value| Value::M([(name.to_owned(), value)].into());
    for (written, wanted) in [
        ("{}", Value::M(SortedMap::new())),
        ("[]", Value::L(Vec::new())),
        (long, number(long)),
        (&format!("-{long}"), number(&format!("-{long}"))),
        (
            &format!("[{fraction}, \"1\"]"),
            Value::L(vec![number(fraction), "1".into()]),
        ),
        (
            &format!(r#"{{"x\"1\\": {fraction}}}"#),
            map("x\"1\\", number(fraction)),
        ),
        ("1.5e3", number("1500")),
        // A map of plain JSON may have a member that is called like a type.
        (r#"{"b": {"N": "abc"}}"#, map("b", map("N", "abc".into()))),
        ("null", Value::Null),
        (r#"{"SS": ["x"]}"#, Value::Ss(["x".to_owned()].into())),
    ] {
        for text in [
            format!(r#"{{"Items": [{{"pk": {{"S": "1"}}, "a": {written}}}]}}"#),
            format!(r#"[{{"pk": "1.50", "a": {written}, "z": 2.5}}]"#),
        ] {
            assert_eq!(value(&text), (Some(wanted.clone()), Vec::new()), "{text}");
        }
    }
    for (written, wanted) in [
        (r#"{"M": {}}"#, Value::M(SortedMap::new())),
        (r#"{"M": {"x": {}}}"#, map("x", Value::M(SortedMap::new()))),
        (&format!(r#"{{"N": {fraction}}}"#), number(fraction)),
        (&format!(r#"{{"N": "{long}"}}"#), number(long)),
        (r#"{"NULL": true}"#, Value::Null),
    ] {
        let text = format!(r#"{{"Items": [{{"pk": {{"S": "1"}}, "a": {written}}}]}}"#);
        assert_eq!(value(&text), (Some(wanted), Vec::new()), "{text}");
    }
}

#[test]
fn a_map_of_plain_json_with_one_member_is_no_typed_value() {
    let map = |name: &str, value: Value| Value::M([(name.to_owned(), value)].into());
    for (written, wanted) in [
        (r#"{"S": "small"}"#, map("S", "small".into())),
        (r#"{"M": 3}"#, map("M", 3.into())),
        (r#"{"NS": "north"}"#, map("NS", "north".into())),
        (r#"[{"N": "5"}]"#, Value::L(vec![map("N", "5".into())])),
    ] {
        let text = format!(r#"[{{"pk": "1", "a": {written}}}]"#);
        assert_eq!(value(&text), (Some(wanted), Vec::new()), "{text}");
    }
}

#[test]
fn wrong_values_are_named_with_their_paths() {
    let design = find("saas-multi-tenant").expect("a pattern").design();
    let design = design.expect("a design");
    let mut said = String::new();
    for written in [
        r#"{"L": [{"N": "abc"}]}"#,
        r#"{"M": {"x": {"L": [{"S": "ok"}, {"M": {"y": {"B": "?"}}}]}}}"#,
        r#"{"NULL": false}"#,
        r#"{"L": [{"NULL": false}]}"#,
        r#"{"NS": ["1", "x"]}"#,
        r#"{"SS": ["1", 2]}"#,
        r#"{"BOOL": "maybe"}"#,
        r#"{"S": ["x"]}"#,
        "123456789012345678901234567890123456789",
    ] {
        let text = format!(r#"{{"Items": [{{"pk": {{"S": "TENANT#1"}}, "a": {written}}}]}}"#);
        let error = read("items.json", text.as_bytes(), None).expect_err(&text);
        // Samples are read by the same reader.
        let imported = samples::read(&design, &text, None).expect("JSON");
        let [refused] = imported.refused.as_slice() else {
            panic!("{imported:?}");
        };
        assert_eq!(error, format!("no item can be read. {refused}"));
        said.push_str(&format!("{written}\n  {error}\n"));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn a_line_of_an_export_is_read_as_a_file_is() {
    let mut notes = Notes::default();
    let line = br#"{"Item":{"pk":{"S":"1"},"a":{"NULL":false}}}"#;
    assert_eq!(items_of_line(line, 7, &mut notes), Vec::<ItemValues>::new());
    let said: Vec<String> = notes.0.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["line 7.Item: the item is left out: `a`: expected a value of type NULL, found false"]
    );
}

#[test]
fn rows_that_do_not_fit_are_left_out_whole() {
    let import = import("items.csv", "pk,n,on,\na,1,TRUE,\nb,2,false\nc,3,true,,x\n");
    let items = &import.tables[0].items;
    assert_eq!(items[0].values["on"], Value::Bool(true));
    assert_eq!(items[1].values["n"], number("2"));
    assert_eq!(
        left_out(&import),
        [
            "line 4: the item is left out: the row has 5 fields and the header has 4: quote values that contain the separator"
        ]
    );
}

#[test]
fn large_items_are_read_whole() {
    let many = 20_000;
    // The order of the names is not that of their bytes.
    let names = || (0..many).map(|n: u64| format!("{:08x}", n.wrapping_mul(0x9e37_79b9) as u32));
    let list = |write: &dyn Fn(&str) -> String| -> String {
        names()
            .map(|name| write(&name))
            .collect::<Vec<_>>()
            .join(",")
    };
    let fields = list(&|name| format!(r#""{name}":{{"N":"1"}}"#));
    let texts = list(&|name| format!(r#""{name}""#));
    let numbers = (0..many)
        .rev()
        .map(|n| format!("\"{n}\""))
        .collect::<Vec<_>>()
        .join(",");
    for item in [
        format!(r#"{{"pk":{{"S":"1"}},{fields}}}"#),
        format!(r#"{{"pk":{{"S":"1"}},"a":{{"M":{{{fields}}}}}}}"#),
        format!(r#"{{"pk":{{"S":"1"}},"a":{{"SS":[{texts}]}}}}"#),
        format!(r#"{{"pk":{{"S":"1"}},"a":{{"NS":[{numbers}]}}}}"#),
    ] {
        let import = read("items.json", item.as_bytes(), None).expect("an item");
        assert_eq!(import.loose[0].items.len(), 1);
        let line = format!(r#"{{"Item":{item}}}"#);
        let items = items_of_line(line.as_bytes(), 1, &mut Notes::default());
        assert_eq!(items, [import.loose[0].items[0].values.clone()]);
    }
    let columns = list(&|name| name.to_owned());
    let text = format!("{columns}\n{columns}\n");
    let import = read("a.csv", text.as_bytes(), None).expect("a row");
    assert_eq!(import.loose[0].items[0].values.len() as u64, many);
}

#[test]
fn attributes_that_are_called_like_members_of_answers_stay_attributes() {
    for item in [
        r#"{"a":"1","Items":[{"Sku":"A","Qty":1}]}"#,
        r#"{"a":"1","Items":["x"]}"#,
        r#"{"a":"1","Item":{"Sku":"A"}}"#,
        r#"{"a":"1","Attributes":{"Color":"red"}}"#,
        r#"{"a":"1","dynamodb":{"Version":1}}"#,
        r#"{"a":"1","NewImage":{"Url":"x"},"OldImage":{"Url":"y"}}"#,
        r#"{"a":"1","PutRequest":{"Url":"x"}}"#,
        r#"{"a":"1","Responses":{"q1":"yes","q2":"no"}}"#,
        r#"{"a":"1","Responses":{"q1":["yes"]}}"#,
        r#"{"a":"1","Keys":{"door":"front"}}"#,
    ] {
        for text in [
            format!("[{item}]"),
            format!(r#"{{"Items":[{item}],"Count":1}}"#),
        ] {
            assert_eq!(value(&text), (Some("1".into()), Vec::new()), "{text}");
        }
        let lines = read("a.jsonl", format!("{item}\n{item}").as_bytes(), None).expect(item);
        assert_eq!(lines.loose[0].items.len(), 2, "{item}");
        assert!(lines.loose[0].items[0].values.len() > 1, "{item}");
    }
    let order = r#"{"OrderId":"1","a":"c","Items":[{"Sku":"A","Qty":1}]}"#;
    assert_eq!(value(order), (Some("c".into()), Vec::new()));
}

#[test]
fn answers_of_dynamodb_give_their_items_with_all_that_stands_beside_them() {
    let item = r#"{"a":{"S":"1"}}"#;
    for text in [
        format!(r#"{{"Items":[{item}],"Count":1,"ScannedCount":1,"ConsumedCapacity":null}}"#),
        format!(r#"{{"Items":[{item}],"$metadata":{{"httpStatusCode":200}}}}"#),
        format!(r#"{{"Profile":"dev","Items":[{item}]}}"#),
        r#"{"Item":{"a":"1"},"ResponseMetadata":{"RequestId":"x"}}"#.to_owned(),
        r#"{"Attributes":{"a":"1"},"ItemCollectionMetrics":{}}"#.to_owned(),
        format!(r#"{{"When":"now","Item":{item}}}"#),
        format!(r#"{{"Responses":{{"T":[{item}]}},"UnprocessedKeys":{{}}}}"#),
        format!(
            r#"{{"Records":[{{"eventID":"1","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":{{"Keys":{item},"NewImage":{item},"SequenceNumber":"1","SizeBytes":1,"StreamViewType":"NEW_IMAGE"}},"eventSourceARN":"x","more":1}}]}}"#
        ),
        format!(
            r#"{{"Metadata":{{"WriteTimestampMicros":{{"N":"1"}}}},"Keys":{item},"NewImage":{item}}}"#
        ),
    ] {
        assert_eq!(value(&text), (Some("1".into()), Vec::new()), "{text}");
    }
}

#[test]
fn envelopes_in_envelopes_are_read_in_time() {
    let start = r#"{"x":1,"Item":"#.repeat(100);
    let text = format!("{start}{{\"a\":{{\"S\":\"1\"}}}}{}", "}".repeat(100));
    assert_eq!(value(&text), (Some("1".into()), Vec::new()));
}

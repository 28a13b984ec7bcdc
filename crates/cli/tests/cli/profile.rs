//! Runs `keyfold profile` and `keyfold infer` as a user does.

use super::process::{file, folder, output, refused, run};
use flate2::Compression;
use flate2::write::GzEncoder;
use keyfold_core::export::samples;
use keyfold_core::library;
use std::io::Write as _;

const TABLE: &str = r#"{
  "TableName": "chat",
  "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }, { "AttributeName": "SK", "AttributeType": "S" }],
  "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }, { "AttributeName": "SK", "KeyType": "RANGE" }],
  "BillingMode": "PAY_PER_REQUEST"
}"#;

/// Lines of a table export: rooms and their messages.
fn export(rooms: std::ops::Range<usize>) -> String {
    let room = |room: usize| {
        let key = |sk: &str| format!(r#""PK":{{"S":"ROOM#r{room:03}"}},"SK":{{"S":"{sk}"}}"#);
        let message = |n: usize| {
            let sk = key(&format!("MSG#2026-03-{:02}#m{n}", 1 + n % 28));
            format!(
                "{{\"Item\":{{{sk},\"text\":{{\"S\":\"Hi {n}\"}},\"likes\":{{\"N\":\"{n}\"}}}}}}\n"
            )
        };
        let messages: String = (0..5).map(message).collect();
        format!(
            "{{\"Item\":{{{},\"topic\":{{\"S\":\"Topic {room}\"}}}}}}\n{messages}",
            key("ROOM")
        )
    };
    rooms.map(room).collect()
}

fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn profiles_of_parts_show_the_same_design_as_all_items() {
    let folder = folder("profile");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("table.json"), TABLE).expect("written");
    let whole = output(
        &["infer", "-", "--table", &path("table.json")],
        &export(0..60),
    );
    assert_eq!(output(&["check", "-"], &whole), "");
    let table = path("table.json");
    let mut profiles = Vec::new();
    for (part, rooms) in [0..10, 10..25, 25..60].into_iter().enumerate() {
        let (data, profile) = (
            path(&format!("{part}.json.gz")),
            path(&format!("{part}.profile")),
        );
        std::fs::write(&data, compressed(&export(rooms))).expect("written");
        let said = output(
            &[
                "profile",
                &data,
                "--table",
                &path("table.json"),
                "--out",
                &profile,
            ],
            "",
        );
        assert_eq!(said, "");
        profiles.push(profile);
    }
    let of = |order: &[usize]| {
        let mut arguments = vec!["infer"];
        arguments.extend(order.iter().map(|at| profiles[*at].as_str()));
        arguments.extend(["--table", table.as_str()]);
        output(&arguments, "")
    };
    assert_eq!(of(&[0, 1, 2]), whole);
    assert_eq!(of(&[2, 0, 1]), whole);
    let report = output(
        &[
            "infer",
            &profiles[0],
            &profiles[1],
            &profiles[2],
            "--report",
            "text",
        ],
        "",
    );
    insta::assert_snapshot!(report);
    // A profile of profiles is the profile of their items.
    let merged = output(&["profile", &profiles[1], &profiles[0], &profiles[2]], "");
    let once = output(
        &["profile", "-", "--table", &path("table.json")],
        &export(0..60),
    );
    assert_eq!(merged, once);
    std::fs::remove_dir_all(folder).expect("the folder is removed");
}

#[test]
fn files_without_a_table_show_the_same_design_in_any_order() {
    let user = r#"{"Item":{"PK":{"S":"USER#u1"},"SK":{"S":"PROFILE"}}}"#;
    let order = r#"{"Item":{"PK":{"S":"USER#u1"},"SK":{"S":"ORDER#o1"},"GSI1PK":{"S":"OPEN"},"GSI1SK":{"S":"o1"}}}"#;
    let [user, order] = [("in-order-1.json", user), ("in-order-2.json", order)]
        .map(|(name, text)| file(name, text));
    let (_, forward, said) = run(&["infer", &user, &order], "");
    let (_, backward, _) = run(&["infer", &order, &user], "");
    assert_eq!(forward, backward);
    assert!(
        said.contains("GSI1PK, GSI1SK are taken as the key of an index GSI1"),
        "{said}"
    );
    let (_, profile, _) = run(&["profile", "-"], &export(0..3));
    let (_, whole, _) = run(&["infer", "-"], &export(0..3));
    assert_eq!(output(&["infer", "-"], &profile), whole);
}

#[test]
fn reports_list_items_that_no_template_explains() {
    let mut text = export(0..9);
    let table = TABLE.replace(
        "\"BillingMode\"",
        r#""GlobalSecondaryIndexes": [{ "IndexName": "by-topic", "KeySchema": [{ "AttributeName": "GSI1PK", "KeyType": "HASH" }],
           "Projection": { "ProjectionType": "ALL" } }], "BillingMode""#,
    );
    let table = table.replace("\"SK\", \"AttributeType\": \"S\" }", "\"SK\", \"AttributeType\": \"S\" }, { \"AttributeName\": \"GSI1PK\", \"AttributeType\": \"S\" }");
    for n in 0..30 {
        let topic = if n < 24 {
            format!("TOPIC#t{n}")
        } else {
            format!("?{n}")
        };
        text += &format!(
            "{{\"Item\":{{\"PK\":{{\"S\":\"TOPIC#t{n}\"}},\"SK\":{{\"S\":\"TOPIC\"}},\"topicId\":{{\"S\":\"t{n}\"}},\"GSI1PK\":{{\"S\":\"{topic}\"}}}}}}\n"
        );
    }
    for (pk, sk) in [("*", "1"), ("", "2"), ("4$%", "3"), ("<x>", "<y>")] {
        text += &format!("{{\"Item\":{{\"PK\":{{\"S\":\"{pk}\"}},\"SK\":{{\"S\":\"{sk}\"}}}}}}\n");
    }
    let table = file("profile-examples-table.json", &table);
    insta::assert_snapshot!(output(
        &["infer", "-", "--table", &table, "--report", "text"],
        &text
    ));
    let json = output(
        &["infer", "-", "--table", &table, "--report", "json"],
        &text,
    );
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let entities = report["tables"][0]["inferred"]
        .as_array()
        .expect("entities");
    let rest = entities
        .iter()
        .find(|entity| entity["isExplained"] == false)
        .expect("a rest");
    assert_eq!(rest["examples"].as_array().map(Vec::len), Some(3), "{rest}");
}

#[test]
fn reports_name_the_conditions_of_sparse_indexes() {
    let task = |n: usize| {
        let is_open = !n.is_multiple_of(3);
        let index = format!(r#","GSI1PK":{{"S":"USER#ann{}"}}"#, n % 4);
        let index = if is_open { index } else { String::new() };
        format!(
            r#"{{"Item":{{"PK":{{"S":"TASK#t{n}"}},"SK":{{"S":"TASK"}},"open":{{"BOOL":{is_open}}},"assignee":{{"S":"ann{}"}}{index}}}}}"#,
            n % 4
        ) + "\n"
    };
    let tasks: String = (0..12).map(task).collect();
    let (_, report, _) = run(&["infer", "-", "--report", "text"], &tasks);
    assert!(
        report.contains("GSI1PK = USER#{assignee}: 8 of 8\n    in GSI1 when open = true\n"),
        "{report}"
    );
    let (_, report, _) = run(&["infer", "-", "--report", "json"], &tasks);
    assert!(
        report.contains("\"condition\": \"open = true\""),
        "{report}"
    );
}

#[test]
fn notes_are_counted_and_the_first_are_shown() {
    let text = export(0..1) + &"nonsense\n".repeat(5000);
    let table = file("profile-notes-table.json", TABLE);
    let (code, _, said) = run(&["profile", "-", "--table", &table], &text);
    assert_eq!((code, said.lines().count()), (1, 21));
    assert!(
        said.contains("line 7: ") && said.ends_with("and 4980 more\n"),
        "{said}"
    );
}

#[test]
fn a_part_without_items_has_a_profile() {
    let table = file("profile-empty-table.json", TABLE);
    let nothing = output(&["profile", "-", "--table", &table], "");
    let some = output(&["profile", "-", "--table", &table], &export(0..3));
    let paths = [("nothing.profile", &nothing), ("some.profile", &some)];
    let [nothing, with_items] = paths.map(|(name, text)| file(name, text));
    assert_eq!(output(&["profile", &nothing, &with_items], ""), some);
}

#[test]
fn the_first_items_tell_the_key() {
    let (code, design, err) = run(&["infer", "-"], &export(0..3));
    assert_eq!(code, 0);
    assert!(err.contains("Keyfold assumes `PK`, `SK`"), "{err}");
    assert_eq!(output(&["check", "-"], &design), "");
}

#[test]
fn other_formats_of_items_are_read_whole() {
    let design = library::patterns()[0].design().expect("a design");
    let scan = samples::dynamodb_json(&design, None);
    let array = r#"[{"PK": "USER#u1", "SK": "A", "n": 1}, {"PK": "USER#u2", "SK": "A", "n": 2}]"#;
    let csv = "PK,SK,n\nUSER#u1,A,1\nUSER#u2,A,2\n";
    for text in [scan.as_str(), array, csv] {
        let (code, design, err) = run(&["infer", "-"], text);
        assert_eq!(code, 0, "{err}");
        assert_eq!(output(&["check", "-"], &design), "");
    }
}

#[test]
fn lines_that_are_no_items_are_findings_with_their_place() {
    let text = export(0..1) + "{\"Item\":{\"PK\":{\"N\":\"x\"}}}\n" + &export(1..2) + "nonsense\n";
    let table = file("profile-table.json", TABLE);
    let (code, _, err) = run(&["profile", "-", "--table", &table], &text);
    assert_eq!(code, 1);
    insta::assert_snapshot!(err);
}

#[test]
fn unusable_files_are_refused() {
    let table = file("profile-refused-table.json", TABLE);
    let other = TABLE.replace("\"SK\"", "\"sort\"");
    let of_other = output(
        &[
            "profile",
            "-",
            "--table",
            &file("profile-other.json", &other),
        ],
        &export(0..1),
    );
    let of_other = file("other.profile", &of_other);
    let model = output(
        &["export", "pattern:saas-multi-tenant", "--to", "workbench"],
        "",
    );
    let model = file("profile-model.json", &model);
    let other_table = file("profile-other-table.json", &other);
    let cut_off = file("cut-off.profile", "{\"keyfoldProfile\":1,\"profile\":{");
    let newer = file("newer.profile", "{\"keyfoldProfile\":9,\"profile\":{}}");
    for (arguments, input, wanted) in [
        (&["profile"][..], "", "<FILE>"),
        (&["profile", "-"], "", "standard input: the file is empty"),
        (&["profile", "-"], "hello", "unknown format"),
        (&["infer", "-"], TABLE, "standard input: expected items"),
        (
            &["infer", "-", "--table", "no-such-file"],
            "",
            "no-such-file: cannot read",
        ),
        (
            &["infer", &of_other, "--table", &table],
            "",
            "the profiles are of different tables",
        ),
        (
            &["infer", &model, "--table", &other_table],
            "",
            "has a different key from the items read before it",
        ),
        (
            &["infer", &cut_off],
            "",
            "cut-off.profile: this profile is incomplete or damaged",
        ),
        (&["infer", &newer], "", "newer.profile"),
    ] {
        let said = refused(arguments, input);
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
}

//! Design texts stay plain text in deployed files, with all characters visible.

use keyfold_app::export::all_files;
use keyfold_app::picture::{PictureOptions, svg};
use keyfold_core::export::requests::{Language, request};
use keyfold_core::export::samples::{csv, dynamodb_json};
use keyfold_core::export::{FORMATS, Format};
use keyfold_core::import::samples::read;
use keyfold_core::library;
use keyfold_core::model::{Design, is_hidden, live_parts};
use keyfold_core::persist::{from_json, to_json};
use keyfold_test_support::designs::full_design;
use serde_json::Value;
use std::sync::Arc;

/// One of each kind: direction changes, zero width, line ends, tags, terminal control.
const HIDDEN: &str =
    "\u{202e}\u{2066}\u{2069}\u{200e}\u{61c}\u{200b}\u{feff}\u{2028}\u{e0041}\u{9b}\u{7f}\u{ad}";

/// The design with invisible characters in every text that can have them.
fn hiding(design: &Design) -> Design {
    let mut json: Value = serde_json::from_str(&to_json(design)).unwrap();
    hide(&mut json, "");
    from_json(&json.to_string()).unwrap()
}

fn hide(json: &mut Value, key: &str) {
    match json {
        Value::String(text) => {
            let may = matches!(
                key,
                "description" | "S" | "SS" | "sentence" | "reason" | "constant" | "value" | "text"
            );
            if may {
                text.push_str(HIDDEN);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, key)),
        Value::Object(members) => {
            let is_tags = key == "tags";
            for (key, value) in members.iter_mut() {
                match value {
                    Value::String(text) if is_tags => text.push_str(HIDDEN),
                    value => hide(value, key),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn exports_have_no_invisible_characters() {
    let names = ["saas-multi-tenant-production", "blog", "e-commerce"];
    let mut designs: Vec<Design> = (names.iter())
        .filter_map(|name| library::find(name)?.design().ok())
        .collect();
    designs.push(full_design());
    for design in designs {
        let mut hiding = hiding(&design);
        hiding.name.push_str(HIDDEN);
        for entity in hiding.entities.values_mut() {
            Arc::make_mut(entity).name.push('\u{202e}');
        }
        let mut files: Vec<(String, String)> = Vec::new();
        for format in FORMATS {
            for file in format.files(&hiding) {
                files.push((format!("{} {}", format.name, file.name), file.code.text));
            }
        }
        // The design file is not an export; it round-trips.
        let mut all = all_files(&hiding, PictureOptions::default(), &mut |_, _| {});
        all.retain(|file| !file.name.ends_with(".keyfold.json"));
        for file in all {
            files.push((file.name, file.code.text));
        }
        files.push(("svg".into(), svg(&hiding, PictureOptions::default())));
        files.push(("dynamodb-json".into(), dynamodb_json(&hiding, None)));
        files.push(("csv".into(), csv(&hiding, None)));
        for (name, text) in files {
            let unseen = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t' | '\r');
            let at = text.find(unseen);
            let around = at.map(|at| {
                let start = text.floor_char_boundary(at.saturating_sub(60));
                let end = text.floor_char_boundary((at + 60).min(text.len()));
                format!("{:?}", &text[start..end])
            });
            assert_eq!(around, None, "{name} of {}", design.name);
        }
    }
}

#[test]
fn requests_have_no_invisible_characters() {
    let mut written = [0; Language::ALL.len()];
    let mut refused = 0;
    for name in ["saas-multi-tenant-production", "blog", "e-commerce"] {
        let design = library::find(name).unwrap().design().unwrap();
        let hiding = hiding(&design);
        for pattern in hiding.access_patterns.values() {
            for (count, language) in written.iter_mut().zip(Language::ALL) {
                let text = match request(&hiding, pattern, language) {
                    Ok(code) => code.text,
                    Err(reason) => {
                        let reason = reason.to_string();
                        refused += usize::from(reason.contains("invisible character U+202E"));
                        continue;
                    }
                };
                *count += 1;
                let unseen = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t' | '\r');
                let found = text.chars().find(|c| unseen(*c));
                assert_eq!(found, None, "{language:?} of {}: {text:?}", pattern.name);
            }
        }
    }
    assert!(written[..3].iter().all(|count| *count > 10), "{written:?}");
    // PartiQL has no escapes.
    assert!(refused > 10, "{refused}");
}

#[test]
fn samples_with_invisible_characters_round_trip() {
    let design = hiding(&library::find("blog").unwrap().design().unwrap());
    let mut empty = design.clone();
    empty.samples = Default::default();
    let (id, _) = design.entities.iter().next().unwrap();
    for text in [csv(&design, Some(*id)), dynamodb_json(&design, Some(*id))] {
        let read = read(&empty, &text, Some(*id)).unwrap();
        assert_eq!(read.refused.len(), 0, "{text}");
        let edits: keyfold_app::SampleEdits = read.into();
        let command = keyfold_app::Command::EditSamples(Box::new(edits));
        let back = keyfold_app::apply(&empty, command).unwrap();
        let values = |design: &Design| -> Vec<_> {
            design
                .samples_of(*id)
                .iter()
                .map(|sample| sample.values.clone())
                .collect()
        };
        assert_eq!(values(&back), values(&design));
    }
}

/// A design whose resource policy and tags CloudFormation would evaluate.
fn live() -> Design {
    let mut design = full_design();
    let table = Arc::make_mut(&mut design.table);
    table.replicas.clear();
    table.resource_policy = Some(
        r#"{"Version":"2012-10-17","Statement":[{"Fn::Transform":{"Name":"evil"}},{"Sid":{"Fn::ImportValue":"x"}},
            {"Sid":{"Ref":"AWS::AccountId"}},{"Sid":"\u007b{resolve:secretsmanager:s}}"}]}"#
            .to_owned(),
    );
    table.tags.insert(
        "owner".into(),
        "{{resolve:ssm:/x}}{{RESOLVE:ssm:/y}}".into(),
    );
    Arc::make_mut(&mut design.export_options).delete_with_stack = false;
    Arc::make_mut(&mut design.export_options).live_functions = false;
    design
}

fn deployed(design: &Design) -> Vec<(&'static str, String)> {
    let formats = ["cloudformation", "cloudformation-json", "cdk"];
    let text = |name| {
        let files = Format::named(name).unwrap().files(design);
        (name, files[0].code.text.clone())
    };
    formats.map(text).into()
}

#[test]
fn design_texts_are_inert_in_templates() {
    let mut design = live();
    assert_eq!(live_parts(&design).len(), 2);
    for (name, text) in deployed(&design) {
        let lower = text.to_lowercase();
        assert!(!lower.contains("{{resolve:"), "{name}: {text}");
        for function in [
            "Fn::Transform",
            "Transform:",
            "ImportValue",
            "secretsmanager",
        ] {
            let left: Vec<&str> = text
                .lines()
                .filter(|line| line.contains(function))
                .collect();
            // The comment about what is left out.
            let is_comment = |line: &&str| line.trim_start().starts_with(['#', '/']);
            assert!(left.iter().all(is_comment), "{name}: {left:?}");
        }
        if name == "cloudformation" {
            let said = "ResourcePolicy is omitted, because the design's policy has an error: \
                        CloudFormation would evaluate `Statement/0/Fn::Transform`";
            assert!(text.contains(said), "{text}");
        }
    }
    // Each one alone is detected.
    for policy in [
        r#"{"Statement":[{"Sid":{"Fn::Sub":"x"}}]}"#,
        r#"{"Statement":{"Ref":"x"}}"#,
        r#"{"a":["{{resolve:ssm:x}}"]}"#,
        r#"{"a\u007b\u007bresolve:ssm:x}}":1,"{{resolve:ssm:x}}":2}"#,
        r#"{"Fn::ImportValue":"x"}"#,
    ] {
        Arc::make_mut(&mut design.table).resource_policy = Some(policy.to_owned());
        assert!(
            live_parts(&design).iter().any(|part| part.policy),
            "{policy}"
        );
    }
    // The user can choose to allow them.
    let mut meant = live();
    Arc::make_mut(&mut meant.export_options).live_functions = true;
    assert_eq!(live_parts(&meant), []);
    for (name, text) in deployed(&meant) {
        assert!(text.contains("{{resolve:ssm:/x}}"), "{name}: {text}");
        assert!(text.contains("Transform"), "{name}: {text}");
    }
}

#[test]
fn design_texts_are_inert_in_terraform() {
    let mut design = full_design();
    design.description = "${file(\"/etc/passwd\")} %{ if true }".into();
    let tags = &mut Arc::make_mut(&mut design.table).tags;
    tags.insert("${path.cwd}".into(), "$${x} ${var.secret} %{for}".into());
    tags.insert("back".into(), "\\b\\f".into());
    let text = &Format::named("terraform").unwrap().files(&design)[0]
        .code
        .text;
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    for line in lines.filter(|line| line.contains("secret") || line.contains("path.cwd")) {
        assert!(
            line.contains("$${var.secret}") && line.contains("$${path.cwd}"),
            "{line}"
        );
    }
    assert!(text.contains(r#"= "\\b\\f""#), "{text}");
}

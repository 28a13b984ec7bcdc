//! Sends the copied requests to the engine: the AWS CLI command and the PartiQL statement return what the proof of
//! the access pattern predicts.

use crate::dynamo::{Db, create_table};
use keyfold_core::engine::materialize_all;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::view;
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::export::requests::{Language, request};
use keyfold_core::library::patterns;
use keyfold_core::model::{Design, IndexId, Operation, Projection};
use keyfold_core::proof::{Outcome, prove};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// A table with all items of the design.
fn filled(design: &Design) -> Db {
    let db = create_table(&cloudformation(design).text);
    let items: Vec<_> = materialize_all(design).into_values().collect();
    for row in view(design, IndexId::PRIMARY, &items).rows.iter() {
        db.put(&crate::ours::wire(&row.item.to_map()));
    }
    db
}

/// Parses `aws dynamodb ...` like a shell: the operation, and the options as a request.
fn sent(command: &str) -> (String, Json) {
    let script = format!("aws() {{ printf '%s\\001' \"$@\"; }}\n{command}");
    let mut shell = Command::new("sh")
        .arg("-s")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    shell
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let printed = String::from_utf8(shell.wait_with_output().unwrap().stdout).unwrap();
    let words: Vec<&str> = printed.trim_end_matches('\u{1}').split('\u{1}').collect();
    assert_eq!(words[0], "dynamodb");
    let mut request = json!({});
    let mut rest = words[2..].iter().peekable();
    while let Some(option) = rest.next() {
        let name = pascal(option.trim_start_matches("--"));
        let value = rest.next_if(|next| !next.starts_with("--"));
        match (name.as_str(), value) {
            ("NoPaginate", None) => {}
            ("NoScanIndexForward", None) => request["ScanIndexForward"] = json!(false),
            (_, None) => request[&name] = json!(true),
            (_, Some(text)) if text.starts_with(['{', '[']) => {
                request[&name] = serde_json::from_str(text).unwrap();
            }
            ("Limit", Some(text)) => request[&name] = json!(text.parse::<u32>().unwrap()),
            (_, Some(text)) => request[&name] = json!(text),
        }
    }
    (pascal(words[1]), request)
}

/// `table-name` becomes `TableName`.
fn pascal(words: &str) -> String {
    let upper = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.split('-').map(upper).collect()
}

/// The items that the proof returns, as the index holds them.
fn proved(design: &Design, outcome: &Outcome, operation: &Operation) -> Vec<Json> {
    let Outcome::Read(read) = outcome else {
        panic!("not a read");
    };
    let stored = TableSnapshot::of(design);
    let index = operation.index().unwrap();
    let shown = |item| crate::ours::wire(&stored.shown(index, &[], item));
    read.items.iter().map(shown).collect()
}

fn returned(response: &Json) -> Vec<Json> {
    match response {
        Json::Object(one) if one.contains_key("Items") => {
            response["Items"].as_array().unwrap().clone()
        }
        _ => response
            .get("Item")
            .filter(|item| !item.is_null())
            .cloned()
            .into_iter()
            .collect(),
    }
}

/// The items sorted, because only ties have no order.
fn sorted(mut items: Vec<Json>) -> Vec<String> {
    let mut texts: Vec<String> = items.drain(..).map(|item| item.to_string()).collect();
    texts.sort();
    texts
}

#[test]
fn the_cli_command_returns_what_the_proof_says() {
    let (mut reads, mut writes) = (0, 0);
    for pattern in patterns() {
        let design = pattern.design().unwrap();
        let stored = TableSnapshot::of(&design);
        let db = filled(&design);
        for (id, access) in &design.access_patterns {
            let place = format!("{}: {}", pattern.name, access.name);
            let proof = prove(&stored, *id).unwrap();
            let command = request(&design, access, Language::Cli).unwrap().text;
            let (operation, request) = sent(&command);
            assert_eq!(operation, access.operation.name(), "{place}");
            match &proof.outcome {
                Outcome::Read(read) => {
                    let response = db.ask(&operation, request);
                    let response = response.unwrap_or_else(|error| panic!("{place}: {error}"));
                    let found = returned(&response);
                    let wanted = proved(&design, &proof.outcome, &access.operation);
                    assert_eq!(sorted(found.clone()), sorted(wanted), "{place}");
                    if operation == "Query" {
                        assert_eq!(response["ScannedCount"], json!(read.read), "{place}");
                    }
                    reads += 1;
                }
                // On a table of its own; a condition that fails there is a remark of the proof.
                _ => {
                    let done = filled(&design).ask(&operation, request);
                    let is_condition = matches!(&done, Err(error) if error.contains("onditional"));
                    let remarked = proof.reasons.iter().any(|reason| {
                        reason.text.contains("already exists")
                            || reason.text.contains("rejected on the samples")
                    });
                    assert_eq!(is_condition, remarked, "{place}: {done:?}");
                    assert!(done.is_ok() || is_condition, "{place}: {done:?}");
                    writes += 1;
                }
            }
        }
    }
    assert!(reads > 150 && writes > 30, "{reads} {writes}");
}

#[test]
fn the_statement_returns_what_the_proof_says() {
    let mut count = 0;
    for pattern in patterns() {
        let design = pattern.design().unwrap();
        let stored = TableSnapshot::of(&design);
        let db = filled(&design);
        for (id, access) in &design.access_patterns {
            let (Some(index), Ok(code)) = (
                access.operation.index(),
                request(&design, access, Language::PartiQl),
            ) else {
                continue;
            };
            // A statement has no limit.
            let limited = matches!(&access.operation, Operation::Query { limit: Some(_), .. });
            // The engine returns whole items from an index that projects only some attributes.
            let partial = (design.indexes.get(&index))
                .is_some_and(|index| index.projection != Projection::All);
            if limited || partial {
                continue;
            }
            let place = format!("{}: {}: {}", pattern.name, access.name, code.text);
            let proof = prove(&stored, *id).unwrap();
            let found = db.statement(code.text.trim_end());
            let found = found.unwrap_or_else(|error| panic!("{place}: {error}"));
            let wanted = proved(&design, &proof.outcome, &access.operation);
            assert_eq!(sorted(found), sorted(wanted), "{place}");
            count += 1;
        }
    }
    assert!(count > 120, "{count}");
}

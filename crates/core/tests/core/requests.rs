//! Requests to copy: snapshots of their texts, and checks that shells, node and rustfmt accept them.

use keyfold_core::export::Code;
use keyfold_core::export::requests::{Language, beside_statement, request};
use keyfold_core::library::{find, patterns};
use keyfold_core::model::*;
use keyfold_core::persist;
use keyfold_core::proof::NoRequest;
use keyfold_test_support::designs::full_design;
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Every access pattern of every library design, and of one with awkward names and values, as a request.
fn all(language: Language) -> Vec<(String, Code)> {
    let mut designs: Vec<(String, Design)> = (patterns().iter())
        .map(|pattern| (pattern.name.to_owned(), pattern.design().unwrap()))
        .collect();
    designs.push(("awkward".to_owned(), awkward()));
    let mut found = Vec::new();
    for (name, design) in &designs {
        for access in design.access_patterns.values() {
            let index = access.operation.index();
            let several = (index.and_then(|index| design.key(index)))
                .is_none_or(KeySchema::is_multi_attribute);
            if language == Language::PartiQl && several {
                continue;
            }
            let code = request(design, access, language);
            let place = format!("{name}: {}", access.name);
            let code = code.unwrap_or_else(|error| panic!("{place}: {error}"));
            found.push((place, code));
        }
    }
    found
}

/// All Rust calls as one program, which compiles only if the SDK accepts each call.
pub fn rust_program() -> String {
    let mut program = "#![allow(dead_code, unused_variables)]\n".to_owned();
    for (at, (place, code)) in all(Language::Rust).iter().enumerate() {
        let text = &code.text;
        write!(
            program,
            "\n/// {place}\nasync fn request_{at}(\n    client: &aws_sdk_dynamodb::Client,\n) -> Result<(), Box<dyn std::error::Error>> {{\n{text}    Ok(())\n}}\n"
        )
        .unwrap();
    }
    program
}

/// Values that end quotes, begin commands or have another meaning in one of the languages.
const AWKWARD: &str = "it's \"$HOME\" `id` $(id) \\ \n\t \u{2028} ${x} é 🦀 '; rm -rf /; echo '";

/// A design whose names and values need quotes, with each kind of operation.
fn awkward() -> Design {
    let mut design = find("optimistic-locking").unwrap().design().unwrap();
    let document = design.entity_named("Document").unwrap();
    let table = Arc::make_mut(&mut design.table);
    table.name = "-table".into();
    table.key = KeySchema::pair("P K's", "__proto__");
    design.access_patterns.clear();
    let entity = Arc::make_mut(design.entities.get_mut(&document).unwrap());
    for (name, kind) in [
        ("status", AttributeType::S),
        ("map", AttributeType::M),
        ("big", AttributeType::N),
        ("bytes", AttributeType::B),
        ("sets", AttributeType::L),
        ("__proto__x", AttributeType::Null),
    ] {
        let id = AttributeId(design.next_id);
        design.next_id += 1;
        entity.attributes.push(Attribute::new(id, name, kind));
    }
    let key = ItemKey {
        partition: "DOC#{documentId}".into(),
        sort: Some("CURRENT".into()),
    };
    let value = |json: &str| -> Value { serde_json::from_str(json).unwrap() };
    let parameters = [
        ("documentId", AWKWARD.replace('#', "").as_str().into()),
        ("status", AWKWARD.into()),
        (
            "map",
            value(r#"{"M": {"a": {"L": [{"N": "1"}, {"BOOL": false}]}, "__proto__": {"S": "x"}}}"#),
        ),
        ("big", value(r#"{"N": "12345678901234567890.5"}"#)),
        ("bytes", value(r#"{"B": "AP8iXA=="}"#)),
        (
            "sets",
            value(
                r#"{"L": [{"SS": ["a'b", "c"]}, {"NS": ["1", "22222222222222222222"]}, {"BS": ["AA=="]}]}"#,
            ),
        ),
        ("__proto__x", Value::Null),
        ("gone", value(r#"{"SS": ["x"]}"#)),
        ("version", Value::from(7)),
        ("body", "b".into()),
        ("updatedBy", "u".into()),
        ("updatedAt", "2026-01-01T00:00:00Z".into()),
    ];
    let read = Read {
        consistent: true,
        filter: Some(
            "#status = :status AND NOT (size(body) > :version OR body IN (:body, :status))".into(),
        ),
        projection: vec!["status".into(), "map.a[1]".into()],
    };
    let plain = Read {
        filter: None,
        ..read.clone()
    };
    let condition = Some("attribute_not_exists(#status) OR version = :version".to_owned());
    let sort = SortCondition {
        operator: SortOperator::Between,
        value: "A".into(),
        upper: Some("D#{documentId}".into()),
    };
    let update = WriteAction::UpdateItem {
        key: key.clone(),
        update: "SET #status = if_not_exists(#status, :status), big = big + :big REMOVE body"
            .into(),
        condition: condition.clone(),
    };
    let put = WriteAction::PutItem {
        entity: document,
        condition: condition.clone(),
    };
    let other = ItemKey {
        partition: "OTHER".into(),
        ..key.clone()
    };
    let delete = WriteAction::DeleteItem {
        key: other.clone(),
        condition,
    };
    let check = WriteAction::ConditionCheck {
        key: ItemKey {
            partition: "THIRD".into(),
            ..key.clone()
        },
        condition: "attribute_exists(#status)".into(),
    };
    let operations = [
        Operation::GetItem {
            key: key.clone(),
            read: plain.clone(),
        },
        Operation::Query {
            index: IndexId::PRIMARY,
            partition: vec!["DOC#{documentId}".into()],
            sort: vec![sort],
            descending: true,
            limit: Some(5),
            read: read.clone(),
        },
        Operation::Scan {
            index: IndexId::PRIMARY,
            limit: Some(5),
            read,
        },
        Operation::BatchGetItem {
            keys: vec![key.clone(), other.clone()],
            read: plain,
        },
        Operation::TransactGetItems {
            keys: vec![key, other],
        },
        Operation::Write(put.clone()),
        Operation::Write(update.clone()),
        Operation::Write(delete.clone()),
        Operation::TransactWriteItems {
            actions: vec![
                put,
                WriteAction::UpdateItem {
                    key: ItemKey {
                        partition: "FOURTH".into(),
                        sort: Some("X".into()),
                    },
                    update: "ADD big :big DELETE tags :gone".into(),
                    condition: None,
                },
                delete,
                check,
            ],
        },
    ];
    for operation in operations {
        let id = AccessPatternId(design.take_id());
        let pattern = AccessPattern {
            name: format!("{} {id}", operation.name()),
            description: String::new(),
            operation,
            entities: vec![document],
            sample: None,
            parameters: parameters
                .clone()
                .map(|(name, value)| (name.to_owned(), value))
                .into(),
            rate: None,
        };
        design.access_patterns.insert(id, Arc::new(pattern));
    }
    assert_eq!(validate_invariants(&design), []);
    design
}

#[test]
fn requests_match_their_snapshots() {
    let mut designs: Vec<(&str, Design)> = (patterns().iter())
        .map(|pattern| (pattern.name, pattern.design().unwrap()))
        .collect();
    designs.push(("awkward", awkward()));
    for (name, design) in designs {
        let mut text = String::new();
        // PartiQL has no escape for an invisible character.
        let escapable = persist::to_json(&design).replace('\u{2028}', " ");
        let escapable = persist::from_json(&escapable).unwrap();
        for (id, access) in &design.access_patterns {
            writeln!(text, "===== {}", access.name).unwrap();
            for language in Language::ALL {
                writeln!(text, "--- {}", language.label()).unwrap();
                let design = match language {
                    Language::PartiQl => &escapable,
                    _ => &design,
                };
                let access = &design.access_patterns[id];
                match request(design, access, language) {
                    Ok(code) => text.push_str(&code.text),
                    Err(error) => writeln!(text, "({error})").unwrap(),
                }
            }
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("requests__{}", name.replace('-', "_")), text);
        });
    }
}

/// Runs a program with a text as its input and returns its output.
fn piped(program: &str, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} does not start: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {errors}\n{input}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the arguments that a shell parses from a command, separated by a character that no argument contains.
fn arguments(command: &str) -> Vec<String> {
    // Define `aws` as a function that prints its arguments.
    let script = format!("aws() {{ printf '%s\\001' \"$@\"; }}\n{command}");
    let printed = piped("sh", &["-s"], &script);
    let mut all: Vec<String> = printed.split('\u{1}').map(str::to_owned).collect();
    assert_eq!(all.pop().as_deref(), Some(""));
    all
}

#[test]
fn a_shell_reads_the_commands() {
    for (place, code) in all(Language::Cli) {
        piped("bash", &["-n"], &code.text);
        let arguments = arguments(&code.text);
        assert_eq!(arguments[0], "dynamodb", "{place}");
        let mut rest = arguments[2..].iter().peekable();
        while let Some(option) = rest.next() {
            assert!(option.starts_with("--"), "{place}: {option}");
            let has_value = rest.peek().is_some_and(|next| !next.starts_with("--"));
            let value = if has_value { rest.next() } else { None };
            if let Some(value) = value.filter(|value| value.starts_with(['{', '['])) {
                serde_json::from_str::<Json>(value)
                    .unwrap_or_else(|e| panic!("{place}: {e}: {value}"));
            }
        }
    }
}

#[test]
fn awkward_values_survive_the_shell() {
    let design = awkward();
    let put = (design.access_patterns.values())
        .find(|p| p.operation.name() == "PutItem")
        .unwrap();
    let code = request(&design, put, Language::Cli).unwrap();
    let arguments = arguments(&code.text);
    assert_eq!(
        arguments[..3],
        ["dynamodb", "put-item", "--table-name=-table"]
    );
    let at = arguments
        .iter()
        .position(|argument| argument == "--item")
        .unwrap();
    let item: Json = serde_json::from_str(&arguments[at + 1]).unwrap();
    assert_eq!(item["status"]["S"], AWKWARD);
    assert_eq!(
        item["P K's"]["S"],
        format!("DOC#{}", AWKWARD.replace('#', ""))
    );
    assert_eq!(item["big"]["N"], "12345678901234567890.5");
    assert_eq!(item["bytes"]["B"], "AP8iXA==");
}

#[test]
fn node_reads_the_modules() {
    let directory = directory("javascript");
    let mut names = Vec::new();
    for (number, (_, code)) in all(Language::JavaScript).iter().enumerate() {
        let file = directory.join(format!("request_{number}.mjs"));
        std::fs::write(&file, &code.text).unwrap();
        names.push(file.display().to_string());
    }
    // One program for all: `node --check` would start node once per file.
    let script = format!(
        "import {{ readFileSync }} from 'node:fs';\nimport {{ SourceTextModule }} from 'node:vm';\n\
         for (const name of {}) {{ new SourceTextModule(readFileSync(name, 'utf8'), {{ identifier: name }}); }}\n",
        Json::from(names)
    );
    let file = directory.join("check.mjs");
    std::fs::write(&file, script).unwrap();
    piped(
        "node",
        &[
            "--experimental-vm-modules",
            "--no-warnings",
            file.to_str().unwrap(),
        ],
        "",
    );
}

/// node evaluates the awkward values to the originals.
#[test]
fn node_has_the_same_values() {
    let design = awkward();
    let put = (design.access_patterns.values())
        .find(|p| p.operation.name() == "PutItem")
        .unwrap();
    let code = request(&design, put, Language::JavaScript).unwrap().text;
    let (_, rest) = code.split_once("new PutCommand(").unwrap();
    let input = rest.trim_end().strip_suffix("),\n);").unwrap();
    let script = format!(
        "const NumberValue = {{ from: (text) => ({{ exact: text }}) }};\nconst input = {input};\n\
         const shown = (_, v) => v instanceof Set ? {{ set: [...v] }} : v instanceof Uint8Array ? {{ bytes: [...v] }} : v;\n\
         console.log(JSON.stringify(input.Item, shown));\n"
    );
    let item: Json = serde_json::from_str(&piped("node", &["-"], &script)).unwrap();
    assert_eq!(item["status"], AWKWARD);
    assert_eq!(item["__proto__"], "CURRENT");
    assert_eq!(item["big"]["exact"], "12345678901234567890.5");
    assert_eq!(item["bytes"]["bytes"], serde_json::json!([0, 255, 34, 92]));
    assert_eq!(item["map"]["__proto__"], "x");
    assert_eq!(item["map"]["a"], serde_json::json!([1, false]));
    assert_eq!(item["sets"][0]["set"], serde_json::json!(["a'b", "c"]));
    let exact = serde_json::json!([{ "exact": "1" }, { "exact": "22222222222222222222" }]);
    assert_eq!(item["sets"][1]["set"], exact);
    assert_eq!(item["version"], 7);
    assert_eq!(item["__proto__x"], Json::Null);
}

/// The document client takes the type of a set from its first element, and needs the same type for all.
#[test]
fn all_numbers_of_a_set_are_of_one_type() {
    let mut design = awkward();
    let (id, put) = (design.access_patterns.iter())
        .find(|(_, pattern)| pattern.operation.name() == "PutItem")
        .map(|(id, put)| (*id, put.clone()))
        .unwrap();
    let mut written = |numbers: &str| {
        let mut put = AccessPattern::clone(&put);
        let set = serde_json::from_str(&format!(r#"{{"NS": [{numbers}]}}"#)).unwrap();
        put.parameters.insert("sets".into(), set);
        design.access_patterns.insert(id, Arc::new(put.clone()));
        let text = request(&design, &put, Language::JavaScript).unwrap().text;
        let (_, set) = text.split_once("new Set([").unwrap();
        let (set, _) = set.split_once("])").unwrap();
        set.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(written(r#""2", "1""#), "1, 2");
    assert_eq!(
        written(r#""1", "12345678901234567890""#).trim_end_matches(','),
        "NumberValue.from(\"1\"), NumberValue.from(\"12345678901234567890\")"
    );
}

/// rustfmt parses the calls and changes nothing.
#[test]
fn rustfmt_changes_nothing() {
    for (place, code) in all(Language::Rust) {
        // rustfmt does not lay out code around literals longer than a line.
        let mut program = "async fn request() {\n".to_owned();
        for line in code.text.lines() {
            match line {
                "" => program.push('\n'),
                line => writeln!(program, "    {line}").unwrap(),
            }
        }
        program.push_str("}\n");
        let formatted = piped(
            "rustfmt",
            &[
                "--edition",
                "2021",
                "--config",
                "max_width=104,fn_call_width=60,chain_width=60,array_width=60",
            ],
            &program,
        );
        if place.starts_with("awkward") {
            continue;
        }
        assert_eq!(formatted, program, "{place}");
    }
}

#[test]
fn missing_requests_have_a_reason() {
    let mut design = find("saas-multi-tenant").unwrap().design().unwrap();
    let (id, pattern) = design
        .access_patterns
        .iter()
        .next()
        .map(|(i, p)| (*i, p.clone()))
        .unwrap();
    let mut open = AccessPattern::clone(&pattern);
    open.operation = keyfold_core::proof::read_requirement(&["name"], None, false).unwrap();
    assert_eq!(
        request(&design, &open, Language::Cli),
        Err(NoRequest::NoKey)
    );
    let mut unbound = AccessPattern::clone(&pattern);
    unbound.operation = Operation::Query {
        index: IndexId::PRIMARY,
        partition: vec!["TENANT#{nobody}".into()],
        sort: Vec::new(),
        descending: false,
        limit: None,
        read: Read::default(),
    };
    let error = request(&design, &unbound, Language::Rust).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`nobody` has no value: type one, or choose a sample that has it"
    );
    let update = WriteAction::UpdateItem {
        key: ItemKey {
            partition: "TENANT#{tenantId}".into(),
            sort: Some("#METADATA".into()),
        },
        update: "SET plan = :plan".into(),
        condition: None,
    };
    unbound.operation = Operation::Write(update);
    let error = request(&design, &unbound, Language::PartiQl).unwrap_err();
    assert_eq!(error.to_string(), "UpdateItem has no SELECT statement");
    design.access_patterns.insert(id, Arc::new(unbound));
    // A design with all values does not fail either.
    let full = full_design();
    for pattern in full.access_patterns.values() {
        for language in Language::ALL {
            let _ = request(&full, pattern, language).map_err(|error| error.to_string());
        }
    }
}

fn directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("requests_{name}"));
    std::fs::create_dir_all(&directory).expect("a directory for generated files");
    directory
}

#[test]
fn what_a_statement_cannot_contain_is_said_beside_it() {
    let query = |limit: Option<u32>, consistent: bool| {
        beside_statement(&Operation::Query {
            index: IndexId::PRIMARY,
            partition: vec!["A".into()],
            sort: Vec::new(),
            descending: true,
            limit,
            read: Read {
                consistent,
                ..Read::default()
            },
        })
    };
    assert_eq!(query(None, false), None);
    assert_eq!(
        query(Some(7), false).as_deref(),
        Some("Set `Limit` to 7 in ExecuteStatement: a statement cannot contain it.")
    );
    assert_eq!(
        query(Some(7), true).as_deref(),
        Some(
            "Set `Limit` to 7 and `ConsistentRead` to true in ExecuteStatement: a statement cannot contain it."
        )
    );
    let key = |sort: &str| ItemKey {
        partition: "A".into(),
        sort: Some(sort.into()),
    };
    let batch = |keys: &[&str], consistent: bool| {
        beside_statement(&Operation::BatchGetItem {
            keys: keys.iter().map(|sort| key(sort)).collect(),
            read: Read {
                consistent,
                ..Read::default()
            },
        })
    };
    assert_eq!(
        batch(&["X", "Y"], false).as_deref(),
        Some("Send the statements with BatchExecuteStatement, at most 25 in one call.")
    );
    assert_eq!(
        batch(&["X"], true).as_deref(),
        Some(
            "Send the statements with BatchExecuteStatement, at most 25 in one call. Set `ConsistentRead` to true for each statement: a statement cannot contain it."
        )
    );
    let transaction = beside_statement(&Operation::TransactGetItems {
        keys: vec![key("X"), key("Y")],
    });
    assert_eq!(
        transaction.as_deref(),
        Some("Send the statements in one ExecuteTransaction.")
    );
    let one = beside_statement(&Operation::GetItem {
        key: key("X"),
        read: Read::default(),
    });
    assert_eq!(one, None);
}

//! Runs the commands as a user does.

use keyfold_app::picture::{PictureOptions, svg};
use keyfold_core::export::{FORMATS, cloudformation::cloudformation, rust::rust};
use keyfold_core::library::{find, patterns};
use keyfold_core::slices::finish;
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs `keyfold` and returns its exit code, standard output and standard error.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_keyfold"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let sent = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    drop(sent);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let code = output.status.code().expect("no signal");
    (code, text(output.stdout), text(output.stderr))
}

/// Returns the output of a command that succeeds without remarks.
fn output(arguments: &[&str], input: &str) -> String {
    let (code, out, err) = run(arguments, input);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}: {out}");
    out
}

/// Returns the error of a command that refuses its input.
fn refused(arguments: &[&str], input: &str) -> String {
    let (code, out, err) = run(arguments, input);
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
    err
}

#[test]
fn the_help_and_the_version_are_results() {
    assert!(output(&["--help"], "").contains("keyfold <COMMAND>"));
    assert!(output(&["items", "-h"], "").contains("keyfold items [OPTIONS] <DESIGN>"));
    assert_eq!(
        output(&["-V"], ""),
        concat!("keyfold ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn the_library_is_listed_and_printed() {
    let list = output(&["patterns"], "");
    let mut group = "";
    let mut lines = list.lines();
    for pattern in patterns() {
        if pattern.group != group {
            if !group.is_empty() {
                assert_eq!(lines.next(), Some(""));
            }
            group = pattern.group;
            assert_eq!(lines.next(), Some(group));
        }
        let line = lines.next().expect("a line for each pattern");
        assert!(line.starts_with(&format!("  {} ", pattern.name)), "{line}");
        assert!(line.ends_with(pattern.summary), "{line}");
        assert_eq!(output(&["pattern", pattern.name], ""), pattern.json);
        assert_eq!(
            output(&["check", &format!("pattern:{}", pattern.name)], ""),
            ""
        );
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn items_are_lines_of_dynamodb_json_in_order() {
    insta::assert_snapshot!(
        "items_table",
        output(&["items", "pattern:saas-multi-tenant"], "")
    );
    let index = output(
        &["items", "--index", "GSI2", "pattern:saas-multi-tenant"],
        "",
    );
    insta::assert_snapshot!("items_gsi2", index);
    for line in index.lines() {
        assert!(
            serde_json::from_str::<serde_json::Value>(line).is_ok(),
            "{line}"
        );
    }
}

#[test]
fn a_design_comes_from_a_file_the_library_or_standard_input() {
    let name = "multi-branch-finance";
    let json = find(name).expect("in the library").json;
    let expected = output(&["items", &format!("pattern:{name}")], "");
    assert_eq!(output(&["items", "-"], json), expected);
    let path = std::env::temp_dir().join(format!("keyfold-cli-{}.json", std::process::id()));
    std::fs::write(&path, json).expect("a file can be written");
    assert_eq!(
        output(&["items", path.to_str().expect("UTF-8")], ""),
        expected
    );
    std::fs::remove_file(path).expect("and removed");
}

#[test]
fn an_export_goes_to_standard_output_or_to_a_file() {
    let design = find("multi-branch-finance")
        .expect("in the library")
        .design()
        .expect("sound");
    let exports = [
        ("cloudformation", cloudformation(&design).text),
        ("rust", finish(rust(&design)).text),
        ("svg", svg(&design, PictureOptions::default())),
    ];
    for (format, expected) in exports {
        let arguments = ["export", "pattern:multi-branch-finance", "--to", format];
        assert_eq!(output(&arguments, ""), expected);
        let path =
            std::env::temp_dir().join(format!("keyfold-cli-{}-{format}", std::process::id()));
        let to_file = [
            arguments.as_slice(),
            &["--out", path.to_str().expect("UTF-8")],
        ]
        .concat();
        assert_eq!(output(&to_file, ""), "");
        assert_eq!(
            std::fs::read_to_string(&path).expect("it is there"),
            expected
        );
        std::fs::remove_file(path).expect("and removed");
    }
}

#[test]
fn a_picture_may_be_dark() {
    let design = find("multi-branch-finance")
        .expect("in the library")
        .design()
        .expect("sound");
    let arguments = [
        "export",
        "pattern:multi-branch-finance",
        "--dark",
        "--to",
        "svg",
    ];
    let dark = PictureOptions {
        dark: true,
        ..PictureOptions::default()
    };
    assert_eq!(output(&arguments, ""), svg(&design, dark));
}

#[test]
fn a_projection_is_applied() {
    let json = find("saas-multi-tenant").expect("in the library").json;
    let keys_only = json.replacen("\"projection\": \"all\"", "\"projection\": \"keysOnly\"", 1);
    assert_eq!(
        output(&["items", "-", "--index=GSI1"], &keys_only)
            .lines()
            .next(),
        Some(concat!(
            r#"{"gsi1pk":{"S":"USER_EMAIL#alice@acme.com"},"gsi1sk":{"S":"USER#u_01"},"#,
            r#""pk":{"S":"TENANT#t_01"},"sk":{"S":"USER#u_01"}}"#
        ))
    );
}

#[test]
fn errors_of_a_design_are_reported() {
    let json = find("saas-multi-tenant").expect("in the library").json;
    // Bob gets Alice's ID, the second project an empty ID, and a template an unknown modifier.
    let bad = json
        .replace("\"userId\": \"u_02\"", "\"userId\": \"u_01\"")
        .replace("\"projectId\": \"p_02\"", "\"projectId\": \"\"")
        .replace(
            "USER_EMAIL#{email}\", \"sort",
            "USER_EMAIL#{email:small}\", \"sort",
        );
    let (code, out, err) = run(&["check", "-"], &bad);
    assert_eq!((code, err.as_str()), (1, ""));
    insta::assert_snapshot!("check", out);
    let (code, out, err) = run(&["items", "-"], &bad);
    assert_eq!((code, out.lines().count()), (1, 6));
    insta::assert_snapshot!("items_not_stored", err);
}

#[test]
fn unusable_input_is_refused() {
    let cases: &[&[&str]] = &[
        &[],
        &["--nonsense"],
        &["frobnicate"],
        &["items"],
        &["items", "-", "extra"],
        &["items", "--to", "rust", "-"],
        &["items", "--index"],
        &["patterns", "x"],
        &["pattern", "nope"],
        &["items", "pattern:nope"],
        &["items", "pattern:saas-multi-tenant", "--index", "nope"],
        &["items", "-"],
        &["check", "no/such/file.json"],
        &["export", "pattern:saas-multi-tenant"],
        &["export", "pattern:saas-multi-tenant", "--to", "nope"],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "rust",
            "--dark",
        ],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "csv",
            "--dark",
        ],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "rust",
            "--entity",
            "User",
        ],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "csv",
            "--entity",
            "Nobody",
        ],
        &["generate"],
        &["generate", "pattern:saas-multi-tenant"],
        &["generate", "pattern:saas-multi-tenant", "--each", "many"],
        &["generate", "pattern:saas-multi-tenant", "--count", "User"],
        &[
            "generate",
            "pattern:saas-multi-tenant",
            "--count",
            "Nobody=1",
        ],
        &["generate", "pattern:saas-multi-tenant", "--per", "User=1"],
        &[
            "generate",
            "pattern:saas-multi-tenant",
            "--per",
            "Project:User=1",
        ],
        &[
            "generate",
            "pattern:saas-multi-tenant",
            "--count",
            "User=2000000",
        ],
        &["import-samples", "pattern:saas-multi-tenant"],
        &["import-samples", "-", "-"],
        &["import-samples", "pattern:saas-multi-tenant", "-"],
        &[
            "import-samples",
            "pattern:saas-multi-tenant",
            "no/such/file.csv",
        ],
        &[
            "export",
            "pattern:saas-multi-tenant",
            "--to",
            "rust",
            "--out",
            "no/such/folder/x.rs",
        ],
    ];
    let errors = cases.iter().map(|case| {
        format!(
            "keyfold {}\n  {}",
            case.join(" "),
            refused(case, "{\n  oops\n}")
        )
    });
    insta::assert_snapshot!("unusable_input", errors.collect::<String>());
}

#[cfg(unix)]
#[test]
fn a_file_that_is_not_text_is_refused() {
    let path = std::env::temp_dir().join(format!("keyfold-cli-{}.bin", std::process::id()));
    std::fs::write(&path, [b'{', 0xff]).expect("a file can be written");
    let message = refused(&["check", path.to_str().expect("UTF-8")], "");
    assert!(message.ends_with("not UTF-8 text (byte 1)\n"), "{message}");
    std::fs::remove_file(path).expect("and removed");
}

#[test]
fn exports_are_printed_or_written() {
    for (format, word) in [
        ("cloudformation", "AWS::DynamoDB::Table"),
        ("rust", "pub struct"),
    ] {
        let arguments = ["export", "pattern:saas-multi-tenant", "--to", format];
        let printed = output(&arguments, "");
        assert!(printed.contains(word), "{printed}");

        let path = std::env::temp_dir().join(format!("keyfold-{}-{format}", std::process::id()));
        let file = path.to_str().expect("UTF-8");
        assert_eq!(output(&[&arguments[..], &["--out", file]].concat(), ""), "");
        assert_eq!(std::fs::read_to_string(&path).expect("written"), printed);
        std::fs::remove_file(path).expect("removed");
    }
}

#[test]
fn every_format_is_printed_or_written_to_a_folder() {
    let name = "multi-branch-finance";
    let design = find(name).expect("in the library").design().expect("sound");
    for format in FORMATS {
        let arguments = [
            "export",
            "pattern:multi-branch-finance",
            "--to",
            format.name,
        ];
        let files = format.files(&design);
        let (code, out, err) = run(&arguments, "");
        match files.as_slice() {
            [only] => assert_eq!((code, out, err.as_str()), (0, only.code.text.clone(), "")),
            _ => {
                assert_eq!((code, out.as_str()), (2, ""));
                assert!(
                    err.contains("Name a folder or a .zip file with --out"),
                    "{err}"
                );
            }
        }
        if !format.is_folder() {
            continue;
        }
        let folder =
            std::env::temp_dir().join(format!("keyfold-{}-{}", std::process::id(), format.name));
        let to_folder = [&arguments[..], &["--out", folder.to_str().expect("UTF-8")]].concat();
        assert_eq!(output(&to_folder, ""), "");
        for file in files {
            let text = std::fs::read_to_string(folder.join(&file.name)).expect("it is there");
            assert_eq!(text, file.code.text, "{}", file.name);
        }
        std::fs::remove_dir_all(folder).expect("and removed");
    }
}

#[test]
fn samples_are_generated() {
    let arguments = [
        "generate",
        "pattern:saas-multi-tenant",
        "--replace",
        "--seed=5",
        "--count=Tenant=2",
        "--per=Tenant:User=3",
        "--count=Project=4",
        "--count=Subscription=1",
    ];
    let design = output(&arguments, "");
    assert_eq!(
        output(&arguments, ""),
        design,
        "the same seed gives the same samples"
    );
    assert_eq!(output(&["check", "-"], &design), "");
    assert_eq!(
        output(&["items", "-"], &design).lines().count(),
        2 + 6 + 4 + 1
    );
    let other = output(&[&arguments[..], &["--seed=6"]].concat(), "");
    assert_ne!(other, design);

    // Only 2 of the 3 tenants have no subscription yet.
    let more = [
        "generate",
        "pattern:saas-multi-tenant",
        "--each",
        "3",
        "--count",
        "Tenant=1",
    ];
    let (code, out, err) = run(&more, "");
    assert_eq!(code, 1);
    assert_eq!(
        err,
        "keyfold: Subscription: 2 of 3 rows, because its primary key consists of `tenantId`, which has no more values\n"
    );
    assert_eq!(output(&["check", "-"], &out), "");
    assert_eq!(
        output(&["items", "-"], &out).lines().count(),
        7 + 1 + 2 + 3 + 3
    );
}

#[test]
fn samples_go_to_files_and_come_back() {
    let name = "pattern:multi-branch-finance";
    let design = output(&["generate", name, "--each", "20", "--replace"], "");
    let mut bare: serde_json::Value = serde_json::from_str(&design).expect("JSON");
    bare["samples"] = serde_json::json!({});
    bare["accessPatterns"] = serde_json::json!({});
    let path = |ending: &str| {
        std::env::temp_dir().join(format!("keyfold-samples-{}.{ending}", std::process::id()))
    };
    let (empty, file) = (path("json"), path("txt"));
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    std::fs::write(&empty, bare.to_string()).expect("a file can be written");
    for format in ["csv", "dynamodb-json"] {
        let out = ["export", "-", "--to", format, "--out", &text(&file)];
        assert_eq!(output(&out, &design), "");
        let back = output(&["import-samples", &text(&empty), &text(&file)], "");
        assert_eq!(
            output(&["items", "-"], &back),
            output(&["items", "-"], &design),
            "{format}"
        );
        let users = output(
            &["export", "-", "--to", format, "--entity", "Account"],
            &design,
        );
        let back = output(
            &["import-samples", &text(&empty), "-", "--entity", "Account"],
            &users,
        );
        assert_eq!(output(&["items", "-"], &back).lines().count(), 20);
    }
    std::fs::remove_file(empty).expect("and removed");
    std::fs::remove_file(file).expect("and removed");

    let (code, out, err) = run(
        &[
            "import-samples",
            "pattern:saas-multi-tenant",
            "-",
            "--entity",
            "Subscription",
        ],
        "tenantId,seats\nt_1,many\nt_2,5\n",
    );
    assert_eq!(code, 1);
    assert_eq!(
        err,
        "keyfold: standard input: left out: line 2: `seats`: `many`: not a number; write it like 42, -3.5 or 6.02e23\n"
    );
    assert_eq!(output(&["items", "-"], &out).lines().count(), 8);
}

/// Returns the answers to the queries of a file.
fn query(design: &str, queries: &str) -> serde_json::Value {
    let text = output(&["query", design, &file("queries.json", queries)], "");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn queries_are_answered_in_order_with_primary_keys_or_a_reason() {
    let answers = query(
        "pattern:saas-multi-tenant",
        r##"[
            {"id": "users", "pk": "TENANT#t_01", "sk": {"op": "begins_with", "value": "USER#"}, "forward": false},
            {"id": 2, "index": "GSI1", "pk": {"gsi1pk": {"S": "USER_EMAIL#alice@acme.com"}}},
            {"id": "first", "pk": {"S": "TENANT#t_01"}, "sk": [{"attr": "sk", "op": ">=", "value": "#"}], "limit": 1},
            {"id": "wrong", "pk": "TENANT#t_01", "sk": {"op": "between", "value": "b", "value2": "a"}},
            {"id": "none", "index": "GSI9", "pk": "x"},
            {"id": "scan"}
        ]"##,
    );
    let tenant = |sk: &str| serde_json::json!({ "PK": "TENANT#t_01", "SK": sk });
    assert_eq!(
        answers,
        serde_json::json!([
            { "id": "users", "keys": [tenant("USER#u_02"), tenant("USER#u_01")] },
            { "id": 2, "keys": [tenant("USER#u_01")] },
            { "id": "first", "keys": [tenant("#METADATA")] },
            { "id": "wrong", "keys": [], "error": "`between` on `sk` has the lower bound `b` above the upper bound `a`" },
            { "id": "none", "keys": [], "error": "unknown index `GSI9`. Did you mean `GSI1`?" },
            {
                "id": "scan",
                "keys": [],
                "error": "the partition key `pk` has no value: a Query reads one item collection, so every partition key attribute needs `=`"
            },
        ])
    );
}

#[test]
fn invalid_queries_are_refused_with_their_path() {
    for (queries, message) in [
        (
            "{",
            "standard input: line 1, column 1: this is not JSON: it ends too early",
        ),
        ("{}", "standard input: expected a list of queries"),
        (
            r#"[{"id": 1, "pk": "a"}, {"pk": "a"}]"#,
            "standard input: [1]: `id` is missing",
        ),
        (
            r#"[{"id": 1, "key": "a"}]"#,
            "[0]: unknown member `key`. The members are id, index, pk, sk, forward, limit",
        ),
        (r#"[{"id": 1, "pk": ["a"]}]"#, "[0].pk: write a list as"),
        (
            r#"[{"id": 1, "pk": {"PK": {"X": 1}}}]"#,
            "[0].pk.PK: `X` is not a DynamoDB type",
        ),
        (
            r#"[{"id": 1, "pk": "a", "sk": {"op": "!=", "value": "b"}}]"#,
            "[0].sk.op: expected one of = < <= > >= between begins_with",
        ),
        (
            r#"[{"id": 1, "pk": "a", "sk": [{"op": "="}]}]"#,
            "[0].sk[0]: `value` is missing",
        ),
        (
            r#"[{"id": 1, "pk": "a", "limit": -1}]"#,
            "[0].limit: expected a whole number",
        ),
        (
            r#"[{"id": 1, "pk": "a", "forward": "no"}]"#,
            "[0].forward: expected true or false",
        ),
    ] {
        let error = refused(&["query", "pattern:blog", "-"], queries);
        assert!(error.contains(message), "{queries}: {error}");
    }
    assert!(refused(&["query", "pattern:blog"], "").contains("<QUERIES>"));
    assert!(
        refused(&["query", "-", "-"], "").contains("cannot be both the design and its queries")
    );
}

#[test]
fn prove_reports_verdicts_and_coverage() {
    for pattern in patterns() {
        let (code, out, err) = run(&["prove", &format!("pattern:{}", pattern.name)], "");
        assert_eq!((code, err.as_str()), (0, ""), "{}: {out}", pattern.name);
    }
    for name in ["saas-hierarchy", "e-commerce-sharded", "iot-device-log"] {
        insta::assert_snapshot!(
            format!("prove_{}", name.replace('-', "_")),
            output(&["prove", &format!("pattern:{name}")], "")
        );
    }
    let arguments = ["prove", "pattern:saas-hierarchy", "--format", "json"];
    insta::assert_snapshot!("prove_json", output(&arguments, ""));
    let text = ["prove", "pattern:saas-hierarchy", "--format", "text"];
    assert_eq!(output(&text, ""), output(&text[..2], ""));
}

#[test]
fn an_access_pattern_that_is_not_served_is_a_finding() {
    let file = output(&["pattern", "multi-branch-finance"], "");
    let mut design: serde_json::Value = serde_json::from_str(&file).expect("JSON");
    let patterns = &mut design["accessPatterns"];
    patterns["p45"]["operation"] = serde_json::json!({
        "query": { "index": "i2", "partition": [], "filter": "tenantId = :tenantId" }
    });
    patterns["p41"]["operation"]["query"]["consistent"] = true.into();
    let (code, out, err) = run(&["prove", "-"], &design.to_string());
    assert_eq!((code, err.as_str()), (1, ""));
    insta::assert_snapshot!("prove_not_served", out);
    let (code, out, _) = run(&["prove", "-", "--format=json"], &design.to_string());
    assert_eq!(code, 1);
    let proved: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let verdicts: Vec<&str> = (proved["accessPatterns"].as_array().expect("a list").iter())
        .filter_map(|pattern| pattern["verdict"].as_str())
        .filter(|verdict| *verdict != "served")
        .collect();
    assert_eq!(verdicts, ["impossible", "unserved"]);
}

#[test]
fn prove_refuses_unknown_arguments() {
    let name = "pattern:saas-hierarchy";
    let err = refused(&["prove", name, "--format", "xml"], "");
    let expected =
        "keyfold: invalid value 'xml' for '--format <FORMAT>'\n  [possible values: text, json]\n";
    assert!(err.starts_with(expected), "{err}");
    assert!(refused(&["prove"], "").contains("<DESIGN>"));
    assert!(refused(&["prove", name, "--to", "json"], "").contains("--to"));
    let empty = "{\"accessPatterns\": {}}";
    assert!(refused(&["prove", "-"], empty).contains("standard input"));
}

/// Writes a temporary file and returns its path.
fn file(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file is written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn plan_prints_the_updates_or_the_template_of_one() {
    let design = |name: &str| find(name).expect("a pattern").design().expect("a design");
    let yaml = cloudformation(&design("saas-multi-tenant")).text;
    let template = file("plan.yaml", &yaml);
    let new = "pattern:saas-multi-tenant-overloaded";
    let by_template = output(&["plan", &template, new], "");
    assert!(by_template.contains("Update 2 of 2: delete the index GSI3"));
    assert_eq!(output(&["plan", "-", new], &yaml), by_template);
    let by_design = output(&["plan", "pattern:saas-multi-tenant", new], "");
    assert!(
        by_design.contains("gsi1pk = USER#{createdBy}"),
        "{by_design}"
    );
    assert_eq!(output(&["plan", new, new], ""), "No changes.\n");
    // The last update's template is the new design's.
    let last = output(&["plan", &template, new, "--step", "2"], "");
    assert_eq!(
        last,
        cloudformation(&design("saas-multi-tenant-overloaded")).text
    );
    let json = output(&["plan", &template, new, "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["steps"][0]["kind"], "deleteIndex");
    assert_eq!(json["steps"][1]["name"], "GSI3");
    assert_eq!(json["steps"][1]["template"], last);
    // CloudFormation must replace the table.
    let (code, out, _) = run(&["plan", "pattern:blog", new], "");
    assert_eq!(code, 1);
    assert!(out.starts_with("A new table is required.\n"), "{out}");
}

#[test]
fn plan_and_export_refuse_unusable_input() {
    let blog = "pattern:blog";
    let resources =
        "Resources:\n  A:\n    Type: AWS::DynamoDB::Table\n  B:\n    Type: AWS::DynamoDB::Table\n";
    for (arguments, input, wanted) in [
        (&["plan", blog][..], "", "<NEW>"),
        (&["plan"], "", "<OLD>"),
        (
            &["plan", "-", blog],
            "a: b\n",
            "standard input: not a CloudFormation template",
        ),
        (
            &["plan", "-", blog],
            "a: [\n",
            "standard input: line 2: missing closing bracket",
        ),
        (&["plan", "-", blog], "{]", "standard input: "),
        (
            &["plan", blog, "-"],
            resources,
            "Choose one: A, B (--table ID)",
        ),
        (
            &["plan", blog, "-", "--table", "C"],
            resources,
            "has no table `C`. Its tables: A, B",
        ),
        (
            &["plan", blog, "-", "--table", "B"],
            resources,
            "Resources.B.Properties is missing",
        ),
        (
            &["plan", blog, "pattern:nope"],
            "",
            "unknown pattern `nope`",
        ),
        (
            &["plan", blog, blog, "--step", "1"],
            "",
            "the plan has 0 updates",
        ),
        (
            &["plan", blog, blog, "--format", "xml"],
            "",
            "[possible values: text, json]",
        ),
        (
            &["plan", blog, blog, blog],
            "",
            "unexpected argument 'pattern:blog'",
        ),
        (
            &["export", blog, "--to", "iam", "--tenant-policy"],
            "",
            "--tenant-policy: only for --to cloudformation",
        ),
        (
            &["export", blog, "--to", "cloudformation", "--tenant-policy"],
            "",
            "no tenant attribute",
        ),
    ] {
        let said = refused(arguments, input);
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
    let finance = "pattern:multi-branch-finance";
    let with = output(
        &[
            "export",
            finance,
            "--to",
            "cloudformation-json",
            "--tenant-policy",
        ],
        "",
    );
    assert!(with.contains("AWS::IAM::ManagedPolicy"));
}

#[test]
fn a_policy_that_cannot_isolate_tenants_has_a_remark() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../core/tests/fixtures/iam-prefix.keyfold.json"
    );
    let (code, out, err) = run(&["export", path, "--to", "iam"], "");
    assert_eq!(code, 0);
    assert!(
        out.contains("\"Deny\"") && !out.contains("\"Allow\""),
        "{out}"
    );
    let said = "keyfold: IAM policy: This policy allows nothing, because tenants cannot be isolated: keys of";
    assert!(err.starts_with(said), "{err}");
    assert!(err.contains("a role whose tag is `DOC`"), "{err}");
    let err = refused(
        &["export", path, "--to", "cloudformation", "--tenant-policy"],
        "",
    );
    assert!(err.contains("tenants cannot be isolated"), "{err}");
    let (code, out, _) = run(&["lint", path], "");
    assert!(code == 1 && out.contains("T004"), "{out}");
}

/// Creates an empty temporary folder.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("keyfold-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns the names in a folder, sorted.
fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    names
}

/// Runs a command that cannot write files of more than `kilobytes` KB, as on a full disk.
#[cfg(unix)]
fn run_without_room(kilobytes: u32, arguments: &[&str]) -> (i32, String) {
    let program = env!("CARGO_BIN_EXE_keyfold");
    // `ulimit` counts blocks of 512 or 1024 bytes. Without the trap, the signal would end the program.
    let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$@\"");
    let output = Command::new("bash")
        .args(["-c", &script, "bash", program])
        .args(arguments)
        .output()
        .expect("a shell");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code().expect("no signal"), err)
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_previous_files() {
    let folder = folder("full");
    let design = folder.join("design.json");
    let json = find("saas-multi-tenant").expect("in the library").json;
    std::fs::write(&design, json).expect("a file");
    let path = design.to_str().expect("UTF-8");
    let out = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (zip, several, file) = (out("all.zip"), out("several"), out("keys.rs"));
    std::fs::write(&file, "before").expect("a file");
    for arguments in [
        &["generate", path, "--each", "200", "--out", path][..],
        &["lint", path, "--fix-all", "--out", path],
        &["export", path, "--to", "all", "--out", &zip],
        &["export", path, "--to", "rust-crate", "--out", &several],
        &["export", path, "--to", "rust", "--out", &file],
    ] {
        let (code, err) = run_without_room(1, arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert!(err.contains("cannot write"), "{arguments:?}: {err}");
        let named = [path, &zip, &several, &file]
            .iter()
            .any(|name| err.contains(name));
        assert!(named, "it names the file: {err}");
        assert_eq!(std::fs::read_to_string(&design).expect("it is there"), json);
        assert_eq!(
            std::fs::read_to_string(&file).expect("it is there"),
            "before"
        );
        assert_eq!(names(&folder), ["design.json", "keys.rs"], "{arguments:?}");
    }
    // Without the limit the files are written.
    assert_eq!(
        output(&["generate", path, "--each", "2", "--out", path], ""),
        ""
    );
    assert_ne!(std::fs::read_to_string(&design).expect("it is there"), json);
    assert_eq!(
        output(
            &["export", path, "--to", "rust-crate", "--out", &several],
            ""
        ),
        ""
    );
    // Other files in the folder stay.
    let toml = folder.join("several/Cargo.toml");
    std::fs::write(folder.join("several/mine"), "mine").expect("a file");
    std::fs::write(&toml, "old").expect("a file");
    assert_eq!(
        output(
            &["export", path, "--to", "rust-crate", "--out", &several],
            ""
        ),
        ""
    );
    assert!(folder.join("several/mine").exists());
    assert_ne!(std::fs::read_to_string(&toml).expect("it is there"), "old");
    assert_eq!(names(&folder), ["design.json", "keys.rs", "several"]);
    // A file in place of a folder, and a folder in place of a file.
    let err = refused(&["export", path, "--to", "rust-crate", "--out", &file], "");
    assert!(
        err.contains("keys.rs") && err.contains("needs a folder"),
        "{err}"
    );
    let err = refused(&["export", path, "--to", "rust", "--out", &several], "");
    assert!(
        err.contains("several") && err.contains("is a folder"),
        "{err}"
    );
    std::fs::remove_dir_all(&folder).expect("and removed");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("link");
    let (design, link) = (folder.join("design.json"), folder.join("link.json"));
    std::fs::write(&design, find("blog").expect("in the library").json).expect("a file");
    std::fs::set_permissions(&design, std::fs::Permissions::from_mode(0o640))
        .expect("they are set");
    symlink("design.json", &link).expect("a link");
    let path = link.to_str().expect("UTF-8");
    assert_eq!(
        output(&["generate", path, "--each", "1", "--out", path], ""),
        ""
    );
    assert!(link.symlink_metadata().expect("it is there").is_symlink());
    let mode = design.metadata().expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(
        output(&["export", path, "--to", "rust", "--out", "/dev/null"], ""),
        ""
    );
    assert!(
        std::path::Path::new("/dev/null")
            .metadata()
            .is_ok_and(|null| !null.is_file())
    );
    std::fs::remove_dir_all(&folder).expect("and removed");
}

#[test]
fn an_unusable_output_file_is_refused() {
    let to = |out: &'static str| ["export", "pattern:blog", "--to", "rust", "--out", out];
    assert_eq!(
        output(&to("-"), ""),
        output(&["export", "pattern:blog", "--to", "rust"], "")
    );
    for command in [
        &to("")[..],
        &["generate", "pattern:blog", "--out", ""],
        &["lint", "pattern:blog", "--fix", "--out", ""],
    ] {
        let err = refused(command, "");
        assert!(
            err.contains("write the name of a file, or - for standard output"),
            "{err}"
        );
    }
    let err = refused(&["lint", "pattern:blog", "--fix", "--out", "-"], "");
    assert!(
        err.contains("standard output contains the findings. Name a file"),
        "{err}"
    );
    let err = refused(&to("/nonexistent/folder/keys.rs"), "");
    assert!(
        err.contains("/nonexistent/folder/keys.rs: cannot write"),
        "{err}"
    );
}

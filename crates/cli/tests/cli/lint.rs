//! Runs `keyfold lint` as a user does.

use keyfold_core::library::{find, patterns};
use keyfold_core::lint::{RULES, lint};
use keyfold_core::model::SortedSet;
use keyfold_core::persist::from_json;
use serde_json::Value;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_keyfold"))
        .args(arguments)
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let code = output.status.code().expect("no signal");
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn findings_are_printed_as_text() {
    let (code, out, err) = run(&["lint", "pattern:saas-multi-tenant"]);
    assert_eq!((code, err.as_str()), (1, ""));
    insta::assert_snapshot!("findings_as_text", out);
    // No errors and warnings, or all of them silenced.
    for name in [
        "leaderboard",
        "saas-multi-tenant-production",
        "iot-device-log",
    ] {
        let (code, _, err) = run(&["lint", &format!("pattern:{name}")]);
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
    }
}

#[test]
fn findings_are_printed_as_json_and_sarif() {
    for pattern in patterns() {
        let source = format!("pattern:{}", pattern.name);
        let report = lint(&pattern.design().expect("sound"));
        let (code, out, _) = run(&["lint", &source, "--format", "json"]);
        assert_eq!(code, i32::from(!report.passes()), "{source}");
        let json: Value = serde_json::from_str(&out).expect("JSON");
        let findings = json["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), report.findings.len());
        for (json, finding) in findings.iter().zip(&report.findings) {
            assert_eq!(json["code"], finding.code);
            assert_eq!(json["place"], finding.place.to_string());
            assert_eq!(
                json.get("silenced").and_then(Value::as_str),
                finding.silenced.as_deref()
            );
        }
        let (_, out, _) = run(&["lint", &source, "--format", "sarif"]);
        let sarif: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(sarif["version"], "2.1.0");
        let run = &sarif["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("a list");
        assert_eq!(rules.len(), RULES.len());
        let results = run["results"].as_array().expect("a list");
        assert_eq!(results.len(), report.findings.len());
        let prints: SortedSet<&str> = (results.iter())
            .filter_map(|result| result["partialFingerprints"]["place/v1"].as_str())
            .collect();
        assert_eq!(prints.len(), results.len());
        for result in results {
            let index = result["ruleIndex"].as_u64().expect("a number") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            let region = &result["locations"][0]["physicalLocation"]["region"];
            let line = region["startLine"].as_u64().expect("a line") as usize;
            let text = pattern.json.lines().nth(line - 1).expect("there");
            let place = &result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
            let place = place.as_str().expect("a place");
            let last = place.rsplit('/').next().expect("a part");
            assert!(text.contains(&format!("\"{last}\":")), "{place}: {text}");
            let level = result["level"].as_str();
            assert!(
                matches!(level, Some("error" | "warning" | "note")),
                "{level:?}"
            );
        }
    }
}

#[test]
fn fixes_are_written_to_the_design_file_or_to_another() {
    let folder = std::env::temp_dir().join(format!("keyfold-lint-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("made");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (file, other) = (path("design.json"), path("fixed.json"));
    let json = find("saas-multi-tenant").expect("there").json;
    std::fs::write(&file, json).expect("written");
    // Every fix changes keys.
    let (code, _, err) = run(&["lint", &file, "--fix"]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert_eq!(std::fs::read_to_string(&file).expect("there"), json);
    let (code, out, err) = run(&["lint", &file, "--fix-all", "--out", &other]);
    assert_eq!(code, 0, "{out}");
    assert_eq!(err.lines().count(), 3, "{err}");
    assert_eq!(std::fs::read_to_string(&file).expect("there"), json);
    let fixed = from_json(&std::fs::read_to_string(&other).expect("there")).expect("sound");
    assert_eq!(fixed.indexes.len(), 1);
    assert!(lint(&fixed).passes());
    // By default the fixed design replaces its file.
    let mut unsafe_design = find("optimistic-locking")
        .expect("there")
        .design()
        .expect("sound");
    std::sync::Arc::make_mut(&mut unsafe_design.table).name = "documents-prod".into();
    std::fs::write(&file, keyfold_core::persist::to_json(&unsafe_design)).expect("written");
    let (code, _, err) = run(&["lint", &file, "--fix"]);
    assert_eq!(code, 0, "{err}");
    let fixed = from_json(&std::fs::read_to_string(&file).expect("there")).expect("sound");
    assert!(fixed.table.deletion_protection && err.contains("turn on deletion protection"));
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn unusable_arguments_are_refused() {
    for (arguments, reason) in [
        (&["lint"][..], "<DESIGN>"),
        (
            &["lint", "pattern:blog", "--format", "xml"],
            "[possible values: text, json, sarif]",
        ),
        (
            &["lint", "pattern:blog", "--fix"],
            "pattern:blog: cannot replace the design there. Name a file with --out",
        ),
        (&["lint", "nowhere.json"], "nowhere.json: cannot read"),
    ] {
        let (code, out, err) = run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains(reason), "{err}");
    }
}

#[test]
fn a_template_of_thousands_of_equal_letters_ends_soon() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/repetitive-template.keyfold.json"
    );
    for command in ["lint", "check", "prove"] {
        let began = std::time::Instant::now();
        let (code, out, err) = run(&[command, path]);
        assert!(matches!(code, 0 | 1), "{command}: {err}");
        assert!(!out.is_empty(), "{command}");
        // Before analysis had bounds, it took 18 s and 2.3 GB in a release build.
        let took = began.elapsed().as_secs();
        assert!(took < 15, "{command}: {took} s");
    }
}

#[test]
fn fixes_end_whatever_the_delimiter_is() {
    let source = include_str!("../fixtures/fix-all-never-ends.keyfold.json");
    let hostile = r##""delimiter": "#</script><script>alert(1)</script>""##;
    assert!(source.contains(hostile));
    let delimiters = [
        "#</script><script>alert(1)</script>",
        "{tenantId}",
        "${x}",
        "{{",
        "}",
        "$",
        "<a>",
        "#",
    ];
    for delimiter in delimiters {
        let path = std::env::temp_dir().join(format!("keyfold-fix-all-{}", std::process::id()));
        let text = source.replace(hostile, &format!("\"delimiter\": {delimiter:?}"));
        std::fs::write(&path, &text).expect("a temporary file");
        let (code, out, err) = run(&["lint", "--fix-all", path.to_str().expect("UTF-8")]);
        assert!(matches!(code, 0 | 1), "{delimiter}: {out}{err}");
        let fixed = std::fs::read_to_string(&path).expect("the file");
        std::fs::remove_file(&path).expect("the file");
        let before = from_json(&text).expect("sound");
        let fixed = from_json(&fixed).expect("sound");
        assert!(
            lint(&fixed).open().count() <= lint(&before).open().count(),
            "{delimiter}"
        );
        // A delimiter that a fix adds to a template is literal text, never a placeholder or an error.
        let broken = |finding: &&std::sync::Arc<keyfold_core::lint::Finding>| {
            matches!(finding.code, "K001" | "K002")
        };
        assert_eq!(lint(&fixed).open().filter(broken).count(), 0, "{delimiter}");
    }
}

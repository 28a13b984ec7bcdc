//! Runs `keyfold prove` as a user does.

use super::process::{output, refused, run};
use keyfold_core::library::patterns;

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

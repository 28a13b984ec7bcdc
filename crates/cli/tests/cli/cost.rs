//! Runs `keyfold cost` as a user does.

use super::process::{file, output, refused, run};

#[test]
fn cost_prints_a_report_in_each_format() {
    let shop = "pattern:e-commerce";
    let text = output(&["cost", shop], "");
    assert!(
        text.starts_with("Monthly bill: us-east-1, On-demand, Standard\n"),
        "{text}"
    );
    let ahead = output(&["cost", shop, "--months", "3"], "");
    assert!(ahead.contains("Months ahead"), "{ahead}");
    let markdown = output(&["cost", shop, "--format", "markdown"], "");
    assert!(markdown.starts_with("## Monthly bill"), "{markdown}");
    let csv = output(&["cost", shop, "--format", "csv"], "");
    assert!(csv.contains(",line,of,quantity,price,amount"), "{csv}");
    let json = output(&["cost", shop, "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["bills"].as_array().map(Vec::len), Some(4));
}

#[test]
fn cost_prints_the_difference_of_two_designs() {
    let (old, new) = ("pattern:e-commerce", "pattern:e-commerce-sharded");
    let text = output(&["cost", old, new], "");
    assert!(text.contains("List pending orders of one shard"), "{text}");
    let json = output(&["cost", old, new, "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["after"]["region"], "us-east-1");
}

#[test]
fn cost_uses_the_prices_of_a_file_and_names_its_mistakes() {
    let shop = "pattern:e-commerce";
    let prices = |currency: &str, lines: &str| {
        format!(
            r#"{{"currency": "{currency}", "region": "eu-west-3", "date": "2026-10-01", "lines": {lines}}}"#
        )
    };
    let path = file("prices.json", &prices("USD", r#"{"writeRequests": 1}"#));
    let text = output(&["cost", shop, "--prices", &path], "");
    assert!(text.starts_with("Monthly bill: eu-west-3"), "{text}");
    assert!(text.contains("at least $"), "{text}");
    assert!(text.contains("No price: Read request units"), "{text}");
    for (name, content, wanted) in [
        ("euro.json", prices("EUR", "{}"), "`currency`: EUR"),
        (
            "line.json",
            prices("USD", r#"{"x": 1}"#),
            "`lines.x`: unknown line",
        ),
        (
            "negative.json",
            prices("USD", r#"{"storage": -1}"#),
            "`lines.storage`: -1 is not a price",
        ),
    ] {
        let path = file(name, &content);
        let error = refused(&["cost", shop, "--prices", &path], "");
        assert!(error.contains(wanted) && error.contains(name), "{error}");
    }
}

#[test]
fn cost_reports_figures_that_are_not_usable() {
    let design = output(&["pattern", "e-commerce"], "");
    let mut design: serde_json::Value = serde_json::from_str(&design).expect("JSON");
    design["workload"] = serde_json::json!({ "prices": { "storag": 2.0 } });
    let (code, out, errors) = run(&["cost", "-"], &design.to_string());
    assert_eq!(code, 1, "{errors}");
    assert!(out.contains("Monthly bill"), "{out}");
    assert!(errors.contains("`lines.storag`: unknown line"), "{errors}");
}

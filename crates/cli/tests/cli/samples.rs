//! Runs `keyfold generate` and `keyfold import-samples` as a user does.

use super::process::{output, run};
use keyfold_core::library;

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
        "keyfold: Subscription: 2 of 3 samples, because its primary key consists of `tenantId`, which has no more values\n"
    );
    assert_eq!(output(&["check", "-"], &out), "");
    assert_eq!(
        output(&["items", "-"], &out).lines().count(),
        7 + 1 + 2 + 3 + 3
    );
}

#[test]
fn samples_of_the_library_go_to_files_and_come_back() {
    let path = |ending: &str| {
        std::env::temp_dir().join(format!("keyfold-samples-{}.{ending}", std::process::id()))
    };
    let (empty, file) = (path("json"), path("txt"));
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let items = |design: &str| {
        let text = output(&["items", "-"], design);
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        lines.join("\n")
    };
    for pattern in library::patterns() {
        let name = format!("pattern:{}", pattern.name);
        let design = output(&["pattern", pattern.name], "");
        let mut bare: serde_json::Value = serde_json::from_str(&design).expect("JSON");
        bare["samples"] = serde_json::json!({});
        bare["accessPatterns"] = serde_json::json!({});
        std::fs::write(&empty, bare.to_string()).expect("a file can be written");
        for format in ["csv", "dynamodb-json"] {
            let out = ["export", &name, "--to", format, "--out", &text(&file)];
            assert_eq!(output(&out, ""), "");
            let back = output(&["import-samples", &text(&empty), &text(&file)], "");
            assert_eq!(items(&back), items(&design), "{name} {format}");
        }
    }
    let name = "pattern:multi-branch-finance";
    let design = output(&["generate", name, "--each", "20", "--replace"], "");
    for format in ["csv", "dynamodb-json"] {
        let accounts = output(
            &["export", "-", "--to", format, "--entity", "Account"],
            &design,
        );
        let back = output(
            &["import-samples", name, "-", "--entity", "Account"],
            &accounts,
        );
        let count = |design: &str| output(&["items", "-"], design).lines().count();
        let own = output(&["pattern", "multi-branch-finance"], "");
        assert_eq!(count(&back), count(&own) + 20, "{format}");
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
        "keyfold: standard input: left out: line 2: `seats`: `many`: not a number: type a number such as 42, -3.5 or 6.02e23\n"
    );
    assert_eq!(output(&["items", "-"], &out).lines().count(), 8);
}

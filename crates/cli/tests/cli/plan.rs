//! Runs `keyfold plan` as a user does.

use super::process::{file, output, refused, run};
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::library::find;

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
            "standard input: line 2, column 1: missing value or closing bracket",
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
            "--tenant-policy: works only with --to cloudformation",
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

/// Text has no ids: what is taken as renamed has a note, and a use in other templates is no rename.
#[test]
fn a_plan_of_texts_says_what_it_takes_as_renamed() {
    let text = "table shop (PK, SK)\n\nentity Order\n  customerId string\n  number string\n  key C#{customerId} / O#{number}\n";
    let renamed = text.replace("number", "orderUlid");
    let (old, new) = (
        file("renamed-1.keyfold", text),
        file("renamed-2.keyfold", &renamed),
    );
    let said = output(&["plan", &old, &new], "");
    let note = "Order: `orderUlid` is taken as the new name of `number`. If it is other data, every key with it must be rewritten.";
    assert!(
        said.contains("number becomes orderUlid") && said.contains(note),
        "{said}"
    );
    let (_, diff, _) = run(&["diff", &old, &new], "");
    assert!(diff.contains(note), "{diff}");
    let other = file("renamed-3.keyfold", &renamed.replace("O#{", "ORDER#{"));
    let said = output(&["plan", &old, &other], "");
    assert!(
        said.contains("new primary key") && !said.contains("is taken as"),
        "{said}"
    );
}

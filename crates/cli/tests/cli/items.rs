//! Runs `keyfold items` as a user does.

use super::process::{output, run};
use keyfold_core::library::find;

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

/// A table with two tenants, and a third sample with the key of the first.
const DUPLICATE: &str = "table tenants (PK)

gsi GSI1 (kind)

entity Tenant
  tenantId  string
  kind      string
  plan?     string

  key         T#{tenantId}
  index GSI1

  | tenantId | kind | plan |
  | a        | x    | free |
  | b        | x    | free |
  | a        | x    | pro  |
";

#[test]
fn an_item_that_another_one_overwrites_is_not_listed() {
    for index in [&[][..], &["--index", "GSI1"]] {
        let (code, out, err) = run(&[&["items", "-"][..], index].concat(), DUPLICATE);
        assert_eq!(code, 1);
        assert_eq!(out.lines().count(), 2, "{out}");
        assert!(out.contains("pro"), "{out}");
        assert_eq!(
            err,
            "keyfold: not stored: Tenant, sample 1: Tenant, sample 3 has the same primary key and overwrites it\n"
        );
    }
}

#[test]
fn values_that_dynamodb_refuses_are_named() {
    let text = find("saas-multi-tenant").expect("in the library").json;
    for (value, wanted) in [
        (
            r#""plan": "pro", "tags": {"SS": []}"#,
            "Tenant, sample 1, `tags`: a set has no elements",
        ),
        (
            r#""plan": "pro", "tags": {"L": [{"M": {"a": {"NS": []}}}]}"#,
            "Tenant, sample 1, `tags`: a set has no elements",
        ),
        (
            r#""plan": "pro", "": "x""#,
            "Tenant, sample 1, an attribute has no name",
        ),
    ] {
        let text = text.replacen(r#""plan": "pro""#, value, 1);
        let (code, out, err) = run(&["check", "-"], &text);
        assert_eq!((code, err.as_str()), (1, ""), "{value}");
        assert!(out.contains(wanted), "{value}: {out}");
        let (code, out, _) = run(&["items", "-"], &text);
        assert_eq!((code, out.lines().count()), (1, 6), "{value}");
    }
}

//! Runs `keyfold items` as a user does.

use super::process::output;
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

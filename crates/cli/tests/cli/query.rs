//! Runs `keyfold query` as a user does.

use super::process::{file, refused, run};

/// Returns the exit code and the answers to the queries of a file.
fn query(design: &str, queries: &str) -> (i32, serde_json::Value) {
    let (code, text, err) = run(&["query", design, &file("queries.json", queries)], "");
    assert_eq!(err, "");
    (code, serde_json::from_str(&text).unwrap())
}

#[test]
fn queries_are_answered_in_order_with_primary_keys_or_a_reason() {
    let (code, answers) = query(
        "pattern:saas-multi-tenant",
        r##"[
            {"id": "users", "pk": "TENANT#t_01", "sk": {"op": "begins_with", "value": "USER#"}, "forward": false},
            {"id": 2, "index": "GSI1", "pk": {"gsi1pk": {"S": "USER_EMAIL#alice@acme.com"}}},
            {"id": "first", "pk": {"S": "TENANT#t_01"}, "sk": [{"attr": "sk", "op": ">=", "value": "#"}], "limit": 1},
            {"id": "wrong", "pk": "TENANT#t_01", "sk": {"op": "between", "value": "b", "value2": "a"}},
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
            {
                "id": "scan",
                "keys": [],
                "error": "the partition key `pk` has no value: a Query reads one item collection, so every partition key attribute needs `=`"
            },
        ])
    );
    assert_eq!(code, 1, "two queries have errors");
    let sound = r##"[{"id": 1, "pk": "TENANT#t_01"}]"##;
    assert_eq!(query("pattern:saas-multi-tenant", sound).0, 0);
    let unknown = r#"[{"id": 1, "pk": "x"}, {"id": 2, "index": "GSI9", "pk": "x"}]"#;
    let error = refused(&["query", "pattern:saas-multi-tenant", "-"], unknown);
    let said = "standard input: [1].index: unknown index `GSI9`. Did you mean `GSI1`?";
    assert!(error.contains(said), "{error}");
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

//! Requests that DynamoDB refuses: the engine and we refuse each one, and we give the right reason.

use crate::awkward::text;
use crate::ours;
use crate::queries::Both;
use keyfold_core::model::{Design, Index, IndexKind, KeyType, Projection, Value};
use keyfold_test_support::tables::{filled, key, table, values};
use serde_json::{Value as Json, json};

/// A table with a GSI with one key attribute on each side, a GSI with two and three, and an LSI with a number.
fn design() -> Design {
    let mut local = key(&["PK"], &["count"]);
    local.sort[0].kind = KeyType::N;
    let indexes = [
        Index {
            projection: Projection::KeysOnly,
            ..Index::new("plain", IndexKind::Gsi, key(&["email"], &["SK"]))
        },
        Index::new("many", IndexKind::Gsi, key(&["a", "b"], &["x", "y", "z"])),
        Index::new("local", IndexKind::Lsi, local),
    ];
    let item = values([
        ("PK", text("p")),
        ("SK", text("s")),
        ("email", text("e")),
        ("count", Value::from(1)),
        ("name", text("n")),
        ("tags", Value::Ss(["t".to_owned()].into())),
    ]);
    filled(table(key(&["PK"], &["SK"]), indexes), [item])
}

/// A Query with the values `:p`, `:q` and so on, by their letters.
fn query(condition: &str) -> Json {
    let mut request = json!({ "KeyConditionExpression": condition });
    for letter in ["p", "q", "r", "s", "t"] {
        if condition.contains(&format!(":{letter}")) {
            request["ExpressionAttributeValues"][format!(":{letter}")] = json!({ "S": letter });
        }
    }
    request
}

fn with(mut request: Json, member: &str, value: Json) -> Json {
    request[member] = value;
    request
}

/// A Query with another value for `:q`.
fn valued(condition: &str, value: Json) -> Json {
    let mut request = query(condition);
    request["ExpressionAttributeValues"][":q"] = value;
    request
}

fn filtered(filter: &str) -> Json {
    let mut request = query("PK = :p");
    if filter.contains(":f") {
        request["ExpressionAttributeValues"][":f"] = json!({ "S": "f" });
    }
    with(request, "FilterExpression", json!(filter))
}

#[test]
fn each_impossible_query_is_refused_with_its_reason() {
    let mut both = Both::new("refusals", &design());
    let on = |index: &str, condition: &str| with(query(condition), "IndexName", json!(index));
    let many = |terms: &str| on("many", &format!("a = :p AND b = :q{terms}"));
    let long = format!("PK = :p AND {}", "(".repeat(5000));
    let in_list = |count: usize| {
        let names: Vec<String> = (0..count).map(|at| format!(":f{at}")).collect();
        let mut request = filtered(&format!("title IN ({})", names.join(", ")));
        request["ExpressionAttributeValues"]
            .as_object_mut()
            .unwrap()
            .remove(":f");
        for name in names {
            request["ExpressionAttributeValues"][name] = json!({ "S": "x" });
        }
        request
    };
    let cases = [
        // The partition key.
        (
            query("begins_with(PK, :p)"),
            "only supports `=`, not `begins_with`",
            "not supported",
        ),
        (
            query("PK < :p"),
            "only supports `=`, not `<`",
            "not supported",
        ),
        (
            query("PK BETWEEN :p AND :q"),
            "only supports `=`, not `between`",
            "not supported",
        ),
        (
            query("SK = :s"),
            "the partition key `PK` has no value",
            "missed key schema element",
        ),
        (
            on("many", "a = :p AND x = :q"),
            "the partition key `b` has no value",
            "must have equality",
        ),
        (
            on("many", "a = :p AND b > :q"),
            "the partition key `b` only supports",
            "must have equality",
        ),
        // The sort key.
        (
            many(" AND y = :r"),
            "none on `x` before it",
            "must have equality",
        ),
        (
            many(" AND x = :r AND z = :s"),
            "none on `y` before it",
            "must have equality",
        ),
        (
            many(" AND x > :r AND y = :s"),
            "a range on `x`",
            "must have equality",
        ),
        (
            many(" AND begins_with(x, :r) AND y > :s"),
            "a range on `x`",
            "must have equality",
        ),
        (
            query("PK = :p AND SK BETWEEN :t AND :s"),
            "the lower bound `t` of `BETWEEN` is greater than its upper bound `s`",
            "upper bound",
        ),
        (
            with(
                valued("PK = :p AND begins_with(#c, :q)", json!({ "N": "1" })),
                "IndexName",
                json!("local"),
            ),
            "`begins_with` needs a string or binary",
            "Incorrect operand type",
        ),
        // Not a key condition.
        (
            query("PK = :p AND title = :q"),
            "`title` is not in the key",
            "missed key schema element",
        ),
        (
            query("PK = :p AND SK = :s AND title = :q"),
            "`title` is not in the key",
            "exceeds the number",
        ),
        (
            query("PK = :p AND SK > :q AND SK < :r"),
            "two conditions on `SK`",
            "one condition per key",
        ),
        (query("PK = :p OR SK = :s"), "`OR` is not allowed", " "),
        (
            query("PK = :p AND NOT SK = :s"),
            "`NOT` is not allowed",
            " ",
        ),
        (query("PK = :p AND SK <> :s"), "`<>` is not allowed", " "),
        (
            query("PK = :p AND contains(SK, :s)"),
            "`contains` is not allowed",
            " ",
        ),
        (
            query("PK = :p AND SK.x = :s"),
            "a part of an attribute is not allowed",
            " ",
        ),
        // The values.
        (
            valued("PK = :q", json!({ "N": "1" })),
            "of type S, but the value is of type N",
            "does not match schema type",
        ),
        (
            valued("PK = :p AND SK = :q", json!({ "BOOL": true })),
            "of type S, but the value is of type BOOL",
            "does not match schema type",
        ),
        // Read options.
        (
            with(on("plain", "email = :p"), "ConsistentRead", json!(true)),
            "supports only eventually consistent reads",
            "not supported on global",
        ),
        (
            with(query("PK = :p"), "Limit", json!(0)),
            "the limit is 0",
            "greater than or equal to 1",
        ),
        (
            on("nothing", "PK = :p"),
            "no such index",
            "does not have the specified index",
        ),
        (
            with(
                query("PK = :p"),
                "ExclusiveStartKey",
                json!({ "PK": { "S": "p" } }),
            ),
            "lacks `SK`",
            "starting key is invalid",
        ),
        (
            with(
                query("PK = :p"),
                "ExclusiveStartKey",
                json!({ "PK": { "S": "q" }, "SK": { "S": "s" } }),
            ),
            "outside the range of the key condition",
            "outside query boundaries",
        ),
        // Filters and other expressions.
        (
            filtered("SK = :f"),
            "`SK` is a key attribute",
            "non-primary key",
        ),
        (
            filtered("status = :f"),
            "`status` is a reserved word",
            "reserved keyword",
        ),
        (filtered("title = :g"), "`:g` has no value", "not defined"),
        (
            filtered("#t = :f"),
            "`#t` is not defined in the expression attribute names",
            "not defined",
        ),
        (
            with(
                query("PK = :p"),
                "ExpressionAttributeNames",
                json!({ "#u": "unused" }),
            ),
            "no expression uses the name `#u`",
            "unused",
        ),
        (
            with(valued("PK = :p", json!({ "S": "q" })), "Limit", json!(1)),
            "no expression uses the value `:q`",
            "unused",
        ),
        (filtered("title = :f AND"), "at the end", "Syntax error"),
        (
            filtered("((title = :f))"),
            "remove these redundant parentheses",
            "redundant parentheses",
        ),
        (
            filtered("nothing(title, :f)"),
            "unknown function `nothing`",
            "Invalid function name",
        ),
        (
            filtered("contains(title, title)"),
            "compares `title` with itself",
            "must be distinct",
        ),
        (
            query(&long),
            "has 5012 bytes; DynamoDB allows at most 4096",
            "exceeded the maximum",
        ),
        (in_list(101), "`IN` has 101 values", ""),
        (
            with(
                query("PK = :p"),
                "ProjectionExpression",
                json!("doc, doc.a"),
            ),
            "the paths `doc` and `doc.a` overlap",
            "overlap",
        ),
    ];
    for (mut request, reason, engine_reason) in cases {
        if request["KeyConditionExpression"]
            .as_str()
            .unwrap()
            .contains("#c")
        {
            request["ExpressionAttributeNames"] = json!({ "#c": "count" });
        }
        let ours = ours::ask(&both.stored, "Query", &request)
            .unwrap_err()
            .to_string();
        assert!(ours.contains(reason), "{request}: {ours}");
        match both.db.ask("Query", request.clone()) {
            Err(engine) => assert!(engine.contains(engine_reason), "{request}: {engine}"),
            // The engine does not check it: "Constraints in Amazon DynamoDB" allows up to 100 operands of IN.
            Ok(_) => assert_eq!(engine_reason, "", "{request}"),
        }
    }
    // Just within the limits.
    for request in [
        in_list(100),
        query("(PK = :p) AND (:s <= SK)"),
        many(" AND x = :r AND begins_with(y, :s)"),
        with(on("local", "PK = :p"), "ConsistentRead", json!(true)),
    ] {
        assert!(both.compare("Query", &request).is_some(), "{request}");
    }
}

#[test]
fn invalid_key_values_are_refused() {
    let both = Both::new("refusals", &design());
    // The engine searches and finds nothing: "Constraints in Amazon DynamoDB" gives the lengths.
    let long = |bytes: usize| json!({ "S": "x".repeat(bytes) });
    for (request, reason) in [
        (
            valued("PK = :q", json!({ "S": "" })),
            "the key attribute `PK` is empty",
        ),
        (
            valued("PK = :p AND SK = :q", json!({ "S": "" })),
            "the key attribute `SK` is empty",
        ),
        (
            valued("PK = :q", long(2049)),
            "has 2049 bytes; DynamoDB allows at most 2048",
        ),
        (
            valued("PK = :p AND SK < :q", long(1025)),
            "has 1025 bytes; DynamoDB allows at most 1024",
        ),
    ] {
        let ours = ours::ask(&both.stored, "Query", &request)
            .unwrap_err()
            .to_string();
        assert!(ours.contains(reason), "{ours}");
    }
}

#[test]
fn impossible_reads_are_refused_with_their_reason() {
    let mut both = Both::new("refusals", &design());
    let key = |pk: &str, sk: &str| json!({ "PK": { "S": pk }, "SK": { "S": sk } });
    let keys = |count: usize| {
        (0..count)
            .map(|at| key("p", &at.to_string()))
            .collect::<Vec<_>>()
    };
    let get = |key: Json| json!({ "Key": key });
    for (operation, request, reason) in [
        (
            "GetItem",
            get(json!({ "PK": { "S": "p" } })),
            "the key lacks `SK`",
        ),
        (
            "GetItem",
            get(with(key("p", "s"), "x", json!({ "S": "x" }))),
            "`x` is not in the primary key",
        ),
        ("GetItem", get(key("", "s")), "`PK` is empty"),
        (
            "GetItem",
            get(json!({ "PK": { "N": "1" }, "SK": { "S": "s" } })),
            "of type S, but the value is of type N",
        ),
        (
            "GetItem",
            get(key("p", &"x".repeat(1025))),
            "has 1025 bytes",
        ),
        (
            "GetItem",
            with(get(key("p", "s")), "ProjectionExpression", json!("name")),
            "reserved word",
        ),
        (
            "BatchGetItem",
            json!({ "Keys": keys(101) }),
            "101 keys in a BatchGetItem: DynamoDB allows 1 to 100",
        ),
        (
            "BatchGetItem",
            json!({ "Keys": [key("p", "s"), key("p", "s")] }),
            "occurs twice",
        ),
        (
            "TransactGetItems",
            json!({ "Keys": keys(101) }),
            "101 keys in a TransactGetItems",
        ),
        (
            "TransactGetItems",
            json!({ "Keys": [key("p", "s"), key("p", "s")] }),
            "two actions on the item",
        ),
        ("Scan", json!({ "Limit": 0 }), "the limit is 0"),
        (
            "Scan",
            json!({ "IndexName": "plain", "ConsistentRead": true }),
            "only eventually consistent reads",
        ),
    ] {
        let ours = ours::ask(&both.stored, operation, &request)
            .unwrap_err()
            .to_string();
        assert!(ours.contains(reason), "{operation} {request}: {ours}");
        // The engine refuses it too; otherwise this panics.
        assert!(both.compare(operation, &request).is_none());
    }
    assert!(
        both.compare("BatchGetItem", &json!({ "Keys": keys(100) }))
            .is_some()
    );
    assert!(
        both.compare("TransactGetItems", &json!({ "Keys": keys(100) }))
            .is_some()
    );
    assert_eq!(both.refused, 12);
}

#[test]
fn impossible_writes_are_refused_with_their_reason() {
    let both = Both::new("refusals", &design());
    let key = |sk: &str| json!({ "PK": { "S": "p" }, "SK": { "S": sk } });
    let item = |name: &str, value: Json| json!({ "Item": with(key("s"), name, value) });
    let update = |text: &str, value: Json| {
        let mut request = json!({ "Key": key("s"), "UpdateExpression": text });
        if text.contains(":v") {
            request["ExpressionAttributeValues"] = json!({ ":v": value });
        }
        request
    };
    let text = || json!({ "S": "v" });
    for (operation, request, reason) in [
        (
            "PutItem",
            json!({ "Item": { "PK": { "S": "p" } } }),
            "the key lacks `SK`",
        ),
        (
            "PutItem",
            item("email", json!({ "N": "1" })),
            "`email` is of type S",
        ),
        (
            "PutItem",
            item("email", json!({ "S": "" })),
            "`email` is empty",
        ),
        (
            "PutItem",
            item("big", json!({ "S": "x".repeat(410_000) })),
            "DynamoDB allows at most 400 KB",
        ),
        (
            "PutItem",
            with(
                item("a", text()),
                "ConditionExpression",
                json!("attribute_not_exists(PK)"),
            ),
            "the item does not meet the condition",
        ),
        (
            "UpdateItem",
            update("SET PK = :v", text()),
            "`PK` is part of the primary key",
        ),
        (
            "UpdateItem",
            update("SET a = absent + :v", json!({ "N": "1" })),
            "the item has no attribute `absent`",
        ),
        (
            "UpdateItem",
            update("SET a = :v, a.b = :v", text()),
            "overlap",
        ),
        (
            "UpdateItem",
            update("SET a.b = :v", text()),
            "the item has no attribute `a`",
        ),
        (
            "UpdateItem",
            update("ADD title :v", text()),
            "needs a number or a set",
        ),
        (
            "UpdateItem",
            update("ADD tags :v", json!({ "N": "1" })),
            "value of another type",
        ),
        (
            "UpdateItem",
            update("DELETE tags :v", text()),
            "needs a set",
        ),
        (
            "UpdateItem",
            update("SET a = :v SET b = :v", text()),
            "`SET` occurs twice",
        ),
        (
            "UpdateItem",
            update("SET email = :v", json!({ "N": "1" })),
            "`email` is of type S",
        ),
        (
            "UpdateItem",
            update("REMOVE email, PK", text()),
            "`PK` is part of the primary key",
        ),
        (
            "UpdateItem",
            update("SET a = :v + :v", text()),
            "`+` and `-` need numbers",
        ),
        (
            "UpdateItem",
            update("SET a = contains(b, :v)", text()),
            "`contains` is not allowed here",
        ),
        (
            "DeleteItem",
            with(
                json!({ "Key": key("s") }),
                "ConditionExpression",
                json!("attribute_not_exists(SK)"),
            ),
            "the item does not meet the condition",
        ),
    ] {
        let ours = ours::write(&both.stored, operation, &request)
            .unwrap_err()
            .to_string();
        assert!(ours.contains(reason), "{operation} {request}: {ours}");
        let engine = both.db.ask(operation, request.clone());
        assert!(engine.is_err(), "{operation} {request}");
    }
    let put = |sk: String| json!({ "Put": { "TableName": both.db.table(), "Item": key(&sk) } });
    let puts = |count: usize| (0..count).map(|at| put(at.to_string())).collect::<Vec<_>>();
    let check = json!({ "ConditionCheck": {
        "TableName": both.db.table(), "Key": key("none"), "ConditionExpression": "attribute_exists(PK)",
    } });
    for (actions, reason) in [
        (
            puts(101),
            "101 actions in a TransactWriteItems: DynamoDB allows 1 to 100",
        ),
        (
            vec![put("1".into()), put("1".into())],
            "two actions on the item",
        ),
        (
            vec![put("1".into()), check],
            "nothing is written: action 2: the item does not meet the condition",
        ),
    ] {
        let ours = ours::transact_write(&both.stored, &actions)
            .unwrap_err()
            .to_string();
        assert!(ours.contains(reason), "{ours}");
        let engine = both
            .db
            .ask("TransactWriteItems", json!({ "TransactItems": actions }));
        assert!(engine.is_err(), "{reason}");
    }
    assert!(ours::transact_write(&both.stored, &puts(100)).is_ok());
}

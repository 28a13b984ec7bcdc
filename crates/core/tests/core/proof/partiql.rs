//! PartiQL statements: written statements read back, and invalid ones have an error with its position.

use super::{design, proof_of, query};
use keyfold_core::engine::query::expression::{Name, parse_condition, parse_projection};
use keyfold_core::library::patterns;
use keyfold_core::model::*;
use keyfold_core::proof::Verdict;
use keyfold_core::proof::partiql::{StatementError, read_statement, write_statement};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

/// The operation as far as a statement contains it: without limit and consistency, its filter and projection in
/// canonical form, and a Query for one item of the table as a GetItem.
fn in_a_statement(design: &Design, operation: &Operation) -> Operation {
    let mut operation = operation.clone();
    if let Operation::Query { limit, read, .. } | Operation::Scan { limit, read, .. } =
        &mut operation
    {
        *limit = None;
        canonical(read);
    }
    if let Operation::GetItem { read, .. } = &mut operation {
        canonical(read);
    }
    if let Operation::Query {
        index: IndexId::PRIMARY,
        partition,
        sort,
        descending: false,
        read,
        ..
    } = &operation
        && sort.len() == design.table.key.sort.len()
        && sort.iter().all(|one| one.operator == SortOperator::Equal)
        && read.filter.is_none()
    {
        return Operation::GetItem {
            key: ItemKey {
                partition: partition.concat(),
                sort: sort.first().map(|one| one.value.clone()),
            },
            read: read.clone(),
        };
    }
    operation
}

fn canonical(read: &mut Read) {
    read.consistent = false;
    if let Some(filter) = &read.filter {
        read.filter = Some(parse_condition(filter).unwrap().to_string());
    }
}

#[test]
fn a_number_is_the_value_of_a_numeric_key() {
    let mut shop = design("e-commerce");
    let gsi = shop.index_named("GSI1").unwrap();
    let index = Arc::make_mut(shop.indexes.get_mut(&gsi).unwrap());
    index.key.sort[0].kind = KeyType::N;
    for (sort, written) in [
        ("= 5", "\"GSI1SK\" = 5"),
        (
            "between -1.5 and {to}",
            "\"GSI1SK\" BETWEEN -1.5 AND '{to}'",
        ),
    ] {
        let operation = query(&shop, "GSI1", &["STATUS#1"], &[sort]);
        let text = write_statement(&shop, &operation).unwrap();
        assert!(text.ends_with(written), "{text}");
        assert_eq!(read_statement(&shop, &text), Ok(operation));
    }
    // A text is one, as the operation has it.
    let quoted = "SELECT * FROM shop.GSI1 WHERE GSI1PK = 'STATUS#1' AND GSI1SK = '5'";
    let operation = query(&shop, "GSI1", &["STATUS#1"], &["= 5"]);
    assert_eq!(read_statement(&shop, quoted), Ok(operation));
}

#[test]
fn every_read_of_the_library_round_trips() {
    let mut count = 0;
    for pattern in patterns() {
        let design = pattern.design().unwrap();
        for access in design.access_patterns.values() {
            if access.operation.index().is_none() {
                assert!(write_statement(&design, &access.operation).is_err());
                continue;
            }
            let index = access.operation.index().unwrap();
            if design.key(index).unwrap().is_multi_attribute() {
                assert!(write_statement(&design, &access.operation).is_err());
                continue;
            }
            let text = write_statement(&design, &access.operation).unwrap();
            let read = read_statement(&design, &text);
            let place = format!("{}: {}: {text}", pattern.name, access.name);
            let read = read.unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(read, in_a_statement(&design, &access.operation), "{place}");
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn statements_contain_templates() {
    let shop = design("e-commerce");
    let mut operation = query(&shop, "Table", &["USER#{userId}"], &["begins_with ORDER#"]);
    if let Operation::Query {
        descending, read, ..
    } = &mut operation
    {
        *descending = true;
        read.projection = vec!["status".into(), "total".into()];
        read.filter = Some("#status = :status OR attribute_not_exists(total)".into());
    }
    let text = write_statement(&shop, &operation).unwrap();
    assert_eq!(
        text,
        "SELECT \"status\", \"total\" FROM \"shop\" WHERE \"PK\" = 'USER#{userId}' AND \
         begins_with(\"SK\", 'ORDER#') AND (\"status\" = '{status}' OR \"total\" IS MISSING) \
         ORDER BY \"SK\" DESC"
    );
}

#[test]
fn returned_names_are_written_as_an_expression_needs_them() {
    let shop = design("e-commerce");
    let text = "SELECT \"order-date\", \"set\", city, \"address\".\"post code\"[1] FROM \"shop\" \
                WHERE \"PK\" = 'USER#{userId}'";
    let operation = read_statement(&shop, text).unwrap();
    let projection = &operation.read().unwrap().projection;
    assert_eq!(
        projection,
        &["\"order-date\"", "#set", "city", "address.\"post code\"[1]"]
    );
    assert!(parse_projection(&projection.join(", ")).is_ok());
    let proof = proof_of(&shop, &["Order"], operation);
    assert_ne!(proof.verdict, Verdict::Impossible);
}

#[test]
fn any_layout_is_read() {
    let shop = design("e-commerce");
    let text = "select * from \"shop\".GSI1\nwhere GSI1SK between '2024' and '2025'\n  \
                and GSI1PK='STATUS#{status}' order by GSI1SK asc;";
    let wanted = query(
        &shop,
        "GSI1",
        &["STATUS#{status}"],
        &["between 2024 and 2025"],
    );
    assert_eq!(read_statement(&shop, text), Ok(wanted));
    let scan = read_statement(&shop, "SELECT * FROM \"shop\" WHERE \"total\" > '{least}'");
    let Ok(Operation::Scan { read, .. }) = scan else {
        panic!("{scan:?}");
    };
    assert_eq!(read.filter.as_deref(), Some("#total > :least"));
    let get = "SELECT * FROM \"shop\" WHERE \"SK\" = 'USER#{userId}' AND \"PK\" = 'USER#{userId}'";
    assert_eq!(read_statement(&shop, get).unwrap().name(), "GetItem");
}

#[test]
fn errors_have_a_position() {
    let shop = design("e-commerce");
    let matches = design("tournament-multi-attribute");
    let from = "SELECT * FROM \"shop\"";
    let of = |design: &Design, text: &str| match read_statement(design, text) {
        Err(StatementError { span, message }) => (text[span].to_owned(), message),
        Ok(read) => panic!("{text}: {read:?}"),
    };
    for (text, place, message) in [
        ("", "", "expected SELECT"),
        ("INSERT INTO x", "INSERT", "expected SELECT"),
        (
            "SELECT * FROM other",
            "other",
            "the design's table is `shop`",
        ),
        (
            "SELECT * FROM \"shop\".\"GSI9\"",
            "\"GSI9\"",
            "the design has no index `GSI9`",
        ),
        (
            "SELECT * FROM \"e-commerce",
            "\"e-commerce",
            "missing closing \"",
        ),
        (
            "SELECT * FROM \"shop\" LIMIT 3",
            "LIMIT",
            "unexpected text after the statement",
        ),
        ("SELECT * FROM \"shop\" WHERE PK = ?", "?", "unexpected `?`"),
    ] {
        assert_eq!(of(&shop, text), (place.to_owned(), message.to_owned()));
    }
    for operator in ["AND", "OR"] {
        let many = format!(" {operator} total = 1").repeat(100_000);
        let text = format!("{from} WHERE total = 1{many}");
        let message = "the statement has more than 300 operators, the maximum that DynamoDB allows in a filter";
        assert_eq!(of(&shop, &text), (operator.to_owned(), message.to_owned()));
    }
    for (rest, place, message) in [
        (
            "begins_with(\"PK\", 'USER#')",
            "begins_with(\"PK\", 'USER#')",
            "the partition key `PK` only supports `=`, not `begins_with`",
        ),
        (
            "PK = 'a' AND PK = 'b'",
            "PK = 'b'",
            "two conditions on `PK`",
        ),
        (
            "PK = 'USER#{'",
            "PK = 'USER#{'",
            "this placeholder is not closed",
        ),
        (
            "PK = 'a' ORDER BY total",
            "total",
            "ORDER BY accepts only the sort key",
        ),
        (
            "total = 5 AND PK = 'a'",
            "total = 5",
            "a filter needs parameters. Write '{name}' instead of 5",
        ),
        (
            "PK = 'a' AND total = ",
            "",
            "expected an attribute in double quotes",
        ),
        ("PK 'a'", "'a'", "expected a comparison"),
        ("PK = 1.2.3", "1.2.3", "not a valid DynamoDB number"),
        (
            "PK = 'a' AND \"a \"\"word\"\"\" = '{x}'",
            "\"a \"\"word\"\"\" = '{x}'",
            "`a \"word\"` cannot be part of an expression",
        ),
        ("like(PK, 'a')", "like", "unknown function. Use begins_with"),
        (
            "attribute_type(size(total), '{t}')",
            "size",
            "attribute_type needs an attribute or a value",
        ),
        (
            "PK = 'a' AND total IS NOT NULL",
            "NULL",
            "after IS, write MISSING. To test the type, such as NULL, write attribute_type(\"name\", '{type}')",
        ),
        (
            "PK = 'a' AND total IS 5",
            "5",
            "after IS, write MISSING. To test the type, such as NULL, write attribute_type(\"name\", '{type}')",
        ),
    ] {
        let (found, said) = of(&shop, &format!("{from} WHERE {rest}"));
        assert_eq!(found, place, "{rest}: {said}");
        assert!(said.starts_with(message), "{rest}: {said}");
    }
    let index = "SELECT * FROM tournament.MatchesByRegion WHERE tournamentId = '{tournamentId}'";
    let (place, several) = of(&matches, index);
    assert_eq!(place, "MatchesByRegion");
    assert!(several.starts_with("PartiQL cannot read"), "{several}");
    let mut numbers = design("e-commerce");
    let gsi = numbers.index_named("GSI1").unwrap();
    let gsi = Arc::make_mut(numbers.indexes.get_mut(&gsi).unwrap());
    gsi.key.sort[0].kind = KeyType::N;
    for (text, message) in [
        (
            "GSI1PK = 'a' AND GSI1SK = 'b'",
            "`GSI1SK` is of type N. Write a number or a parameter, such as '{GSI1SK}'",
        ),
        (
            "GSI1PK = 5",
            "`GSI1PK` is of type S. Write text in single quotes, such as '{GSI1PK}'",
        ),
    ] {
        let (_, said) = of(&numbers, &format!("SELECT * FROM shop.GSI1 WHERE {text}"));
        assert_eq!(said, message);
    }
    let deep = format!("{from} WHERE {}PK = 'a'", "NOT ".repeat(100_000));
    assert!(of(&shop, &deep).1.contains("nested too deep"));
}

/// DynamoDB reads these items without a Scan, in one statement. A Query has one value.
#[test]
fn several_values_of_the_partition_key_are_refused() {
    let shop = design("e-commerce");
    let refused = |rest: &str| {
        let text = format!("SELECT * FROM \"shop\" WHERE {rest}");
        let error = read_statement(&shop, &text).unwrap_err();
        (text[error.span].to_owned(), error.message)
    };
    let message = "a Query has one value of the partition key `PK`. Write `=` and send one Query per value. For whole keys of the table, use BatchGetItem";
    for (before, term, after) in [
        ("", "PK IN ['{a}', '{b}']", ""),
        ("", "\"PK\" IN ('{a}')", " AND total > '{t}'"),
        ("", "PK = '{a}' OR PK = '{b}'", ""),
        ("total > '{t}' AND ", "(PK = '{a}' OR PK = '{b}')", ""),
        ("", "(PK IN ['{a}', '{b}'] AND total > '{t}')", ""),
        ("", "PK = '{a}' OR PK IN ['{b}', '{c}'] OR PK = '{d}'", ""),
        (
            "",
            "PK = '{a}' AND SK = '{x}' OR SK = '{y}' AND PK = '{b}'",
            "",
        ),
        ("", "(PK = '{a}' OR PK = '{b}')", " AND SK = '{x}'"),
    ] {
        let (place, said) = refused(&format!("{before}{term}{after}"));
        assert_eq!((&*place, &*said), (term, message));
    }
    // DynamoDB scans for these.
    for scanned in [
        "PK = '{a}' OR total = '{t}'",
        "NOT PK IN ['{a}', '{b}']",
        "NOT PK = '{a}'",
        "SK IN ['{a}', '{b}']",
        "PK IN [total, '{b}']",
    ] {
        let text = format!("SELECT * FROM \"shop\" WHERE {scanned}");
        assert_eq!(
            read_statement(&shop, &text).unwrap().name(),
            "Scan",
            "{scanned}"
        );
    }
    // Parentheses around conditions with AND change nothing.
    let get = "SELECT * FROM \"shop\" WHERE (PK = 'USER#{a}' AND SK = 'X')";
    assert_eq!(read_statement(&shop, get).unwrap().name(), "GetItem");
    // Of an index, only the partition key of the index counts.
    let index = "SELECT * FROM \"shop\".\"GSI1\" WHERE PK IN ['{a}', '{b}']";
    assert_eq!(read_statement(&shop, index).unwrap().name(), "Scan");
    let filter = "SELECT * FROM \"shop\".\"GSI1\" WHERE GSI1PK = 'A' AND PK IN ['{a}', '{b}']";
    assert_eq!(read_statement(&shop, filter).unwrap().name(), "Query");
}

#[test]
fn the_order_by_the_partition_key_is_that_of_a_query() {
    let shop = design("e-commerce");
    let read = |order: &str| {
        let text = format!("SELECT * FROM \"shop\" WHERE PK = 'USER#{{userId}}'{order}");
        let read = read_statement(&shop, &text);
        read.map_err(|error| (text[error.span].to_owned(), error.message))
    };
    assert_eq!(read(" ORDER BY PK"), read(""));
    assert_eq!(read(" ORDER BY \"PK\" ASC"), read(""));
    let message = "all items of the Query have the same `PK`. Order them by the sort key";
    assert_eq!(
        read(" ORDER BY PK DESC"),
        Err(("PK".to_owned(), message.to_owned()))
    );
}

/// A design whose names need quotes.
fn quoted() -> Design {
    let mut design = design("e-commerce");
    let table = Arc::make_mut(&mut design.table);
    table.key = KeySchema::pair("P \"K\"", "S'K");
    design
}

fn some_template() -> impl Strategy<Value = String> {
    "([A-Z#' \"é]|\\{\\{|\\}\\}|\\{[a-z]{1,3}\\}|\\{at:month\\}){1,4}"
        .prop_filter("a template", |text| {
            keyfold_core::template::parse(text).errors.is_empty()
        })
        // The canonical form: `${x}` and `<x>` are other notations of a placeholder.
        .prop_map(|text| keyfold_core::template::parse(&text).template.to_string())
}

fn some_condition() -> impl Strategy<Value = SortCondition> {
    (
        proptest::sample::select(SortOperator::ALL.to_vec()),
        some_template(),
        some_template(),
    )
        .prop_map(|(operator, value, upper)| SortCondition {
            upper: (operator == SortOperator::Between).then_some(upper),
            operator,
            value,
        })
}

fn some_filter() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("total > :a".to_owned()),
        Just("#status = :b".to_owned()),
        Just("attribute_exists(a.b[2])".to_owned()),
        Just("attribute_not_exists(a)".to_owned()),
        Just("size(#name) >= :a".to_owned()),
        Just("contains(tags, :c)".to_owned()),
        Just("begins_with(city, :c)".to_owned()),
        Just("attribute_type(city, :c)".to_owned()),
        Just("attribute_type(:a, :c)".to_owned()),
        Just("total BETWEEN :a AND :b".to_owned()),
        Just("total IN (:a, :b, :c)".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) AND ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) OR ({b})")),
            inner.prop_map(|a| format!("NOT ({a})")),
        ]
    })
}

/// A returned path, as a design writes it: some of its names need a `#` or quotes.
fn some_path() -> impl Strategy<Value = String> {
    let name = "[a-z]{1,4}|set|In|status|_id|order-date|first name|größe|it's";
    let name = name.prop_map(|name| Name::of(&name).to_string());
    let step = prop_oneof![
        name.clone().prop_map(|name| format!(".{name}")),
        Just("[2]".to_owned()),
    ];
    (name, proptest::collection::vec(step, 0..3))
        .prop_map(|(name, steps)| format!("{name}{}", steps.concat()))
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn written_statements_read_back(
        secondary in any::<bool>(),
        partition in some_template(),
        sort in proptest::option::of(some_condition()),
        descending in any::<bool>(),
        filter in proptest::option::of(some_filter()),
        projection in proptest::collection::vec(some_path(), 0..3),
    ) {
        let design = quoted();
        let index = if secondary { design.index_named("GSI1").unwrap() } else { IndexId::PRIMARY };
        let operation = Operation::Query {
            index,
            partition: vec![partition],
            sort: sort.into_iter().collect(),
            descending,
            limit: None,
            read: Read { consistent: false, filter, projection },
        };
        let text = write_statement(&design, &operation).unwrap();
        let read = read_statement(&design, &text);
        // AND is written flat, so compare two filters after writing them again.
        let again = read.as_ref().map(|read| write_statement(&design, read).unwrap());
        prop_assert_eq!(again, Ok(text));
        let (mut read, mut wanted) = (read.unwrap(), in_a_statement(&design, &operation));
        for one in [&mut read, &mut wanted] {
            if let Operation::Query { read, .. } | Operation::GetItem { read, .. } = one {
                read.filter = None;
            }
        }
        prop_assert_eq!(read, wanted);
    }

    #[test]
    fn any_text_is_read_or_rejected_with_a_position(
        text in "(SELECT|FROM|WHERE|AND|OR|NOT|IN|IS|ORDER BY|BETWEEN|\\*|\"PK\"|\"shop\"|'a\\{b\\}'|=|\\(|\\)|,|\\.|[a-z'\"é\\[\\]0-9 ;-]| ){0,24}",
    ) {
        let design = design("e-commerce");
        if let Err(error) = read_statement(&design, &text) {
            prop_assert!(text.get(error.span.clone()).is_some(), "{:?}", error);
            prop_assert!(!error.message.is_empty());
        }
    }
}

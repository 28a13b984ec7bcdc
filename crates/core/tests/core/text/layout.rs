//! The formatter: a fixed point that changes no meaning and loses no comment.

use keyfold_core::text::{format, lower, parse, print};
use keyfold_test_support::any_design::any_design;
use keyfold_test_support::cases;
use proptest::prelude::*;

/// Checks what holds for any text; returns the formatted text.
fn check(text: &str) -> String {
    let tree = parse(text);
    let formatted = format(&tree);
    let again = parse(&formatted);
    assert_eq!(format(&again), formatted, "twice:\n{text}");
    let (before, after) = (lower(&tree, None), lower(&again, None));
    assert_eq!(before.design, after.design, "{text}\n---\n{formatted}");
    let messages = |lowered: &keyfold_core::text::Lowered| {
        lowered
            .problems
            .iter()
            .map(|problem| problem.message.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        messages(&before),
        messages(&after),
        "{text}\n---\n{formatted}"
    );
    let comments = |text: &str| {
        let mut count = text.matches("// c").count();
        count += text.matches("/// d").count();
        count
    };
    assert_eq!(
        comments(text),
        comments(&formatted),
        "{text}\n---\n{formatted}"
    );
    formatted
}

/// Words of the language, in any order.
fn pieces() -> impl Strategy<Value = String> {
    const WORDS: [&str; 64] = [
        "\n",
        "\n",
        "\n",
        "\n  ",
        "\n  ",
        "\n    ",
        " ",
        " ",
        "design",
        "table",
        "gsi",
        "lsi",
        "entity",
        "pattern",
        "silence",
        "exports",
        "canvas",
        "key",
        "index",
        "GSI1",
        "Order",
        "User",
        "(PK, SK)",
        "(",
        ")",
        ",",
        "|",
        "/",
        "->",
        "=",
        "\"",
        "\"a b\"",
        "{a}",
        "{\"N\": \"1\"}",
        "[1]",
        "// c",
        "/// d",
        ">",
        "when",
        "and",
        "string",
        "number",
        "ulid",
        "date",
        "a?",
        "PAID | SHIPPED",
        "x*3",
        "GetItem",
        "Query",
        "TransactWriteItems",
        "PutItem",
        "UpdateItem",
        "condition",
        "update",
        "filter",
        "sample",
        "parameter",
        "rate 1e400",
        "provisioned read 5",
        "tag a = b",
        "replica",
        "12, 5",
        "color 99",
        "\r",
    ];
    let word = prop_oneof![
        8 => (0..WORDS.len()).prop_map(|at| WORDS[at].to_owned()),
        1 => "\\PC{0,4}",
    ];
    prop::collection::vec(word, 0..80).prop_map(|words| words.join(" "))
}

#[test]
fn a_text_of_a_hurried_author() {
    let text = "\u{feff}// The shop.\r\n  table shop(PK,SK)\r\n      ttl   expiresAt // seconds\r\n\r\n\r\n\r\n  gsi GSI1 ( GSI1PK ,GSI1SK)   include total,status\r\n\
        \t/// One per checkout\r\n  entity   Order   \r\n  orderId ulid\r\n    userId?    -> User   // who\r\n status PENDING|PAID*3   |SHIPPED\r\n\
        \"odd name\"?   number\r\n  key   USER#{userId}   /   ORDER#{orderId}\r\n index  GSI1 STATUS#{status} / {orderId}  when status=PENDING\r\n\
        |orderId|userId|status|\r\n|---|---|---|\r\n| 1 | u1 | PAID\r\n    // later: more\r\n\r\n  entity User\r\n userId ulid";
    insta::assert_snapshot!(check(text));
}

#[test]
fn space_at_the_end_of_a_quoted_line_is_not_part_of_the_text() {
    let text = "table t (PK)\n\ncanvas\n  8, 0  note\n    > a \n    >  \n    > b\t\n";
    let formatted = check(text);
    assert!(
        formatted.ends_with("    > a\n    >\n    > b\n"),
        "{formatted}"
    );
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_first_description() {
    let text = "/// A shop.\ndesign Shop\n\ntable shop (PK)\n";
    let marked = format!("\u{feff}{text}");
    assert_eq!(check(&marked), text);
    assert_eq!(lower(&parse(&marked), None).design.description, "A shop.");
}

#[test]
fn a_question_mark_after_a_parenthesis_stays_where_it_is() {
    check("entity E\n  )?  email\n  a?  email\n");
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_printed_design_is_formatted(design in any_design()) {
        let text = print(&design);
        prop_assert_eq!(check(&text), text);
    }

    #[test]
    fn any_words(text in pieces()) {
        check(&text);
    }
}

//! Any text: never a panic, always the same bytes, always a valid design.

use keyfold_core::model::validate_invariants;
use keyfold_core::text::{complete, explain, lower, parse, print};
use keyfold_test_support::any_design::any_design;
use keyfold_test_support::cases;
use proptest::prelude::*;

pub fn check_any(text: &str) {
    let tree = parse(text);
    assert_eq!(tree.text(), text);
    let lowered = lower(&tree, None);
    assert_eq!(validate_invariants(&lowered.design), [], "{text}");
    for problem in &lowered.problems {
        assert!(problem.range.end <= text.len(), "{problem:?}");
        assert!(text.get(problem.range.clone()).is_some(), "{problem:?}");
        // The safeguard against invalid designs, which reports a path of the file.
        assert!(
            problem.range != (0..0) || text.is_empty() || !problem.message.contains('/'),
            "{text}\n{problem:?}"
        );
    }
    for offset in (0..=text.len() + 1).step_by(text.len() / 8 + 1) {
        let offers = complete(&tree, &lowered, offset);
        assert!(text.get(offers.range.clone()).is_some(), "{offers:?}");
        let word = explain(&tree, offset);
        assert!(word.is_none_or(|(range, _)| text.get(range).is_some()));
    }
    let again = lower(&tree, Some(&lowered.design));
    assert_eq!(again.design, lowered.design, "{text}");
}

/// Words of the language, in any order.
pub fn pieces() -> impl Strategy<Value = String> {
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

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn any_characters(text in any::<String>()) {
        check_any(&text);
    }

    #[test]
    fn any_words_of_the_language(text in pieces()) {
        check_any(&text);
    }

    #[test]
    fn any_edits_of_a_text(
        design in any_design(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..30, "\\PC{0,6}|\n"), 1..6),
    ) {
        let mut text = print(&design);
        for (at, length, new) in edits {
            let mut start = at.index(text.len() + 1);
            while !text.is_char_boundary(start) { start -= 1; }
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) { end -= 1; }
            text.replace_range(start..end.max(start), &new);
        }
        check_any(&text);
    }
}

/// Time of a keystroke in a text of 1000 lines. `cargo test --release ... -- --ignored --nocapture` prints it.
#[test]
#[ignore = "a measurement, for a release build"]
fn a_thousand_lines() {
    use std::time::Instant;
    let mut text = "table shop (PK, SK)\n".to_owned();
    for number in 0..59 {
        text.push_str(&format!("\nentity E{number}\n"));
        (0..8).for_each(|at| text.push_str(&format!("  a{at} string /// What it is.\n")));
        text.push_str("  key E#{a0} / E#{a1}\n  | a0 | a1 | a2 |\n  | x  | y  | z  |\n");
        text.push_str(&format!(
            "\npattern P{number}\n  GetItem E#{{a0}} / E#{{a1}}\n  returns E{number}\n"
        ));
    }
    assert_eq!(text.lines().count(), 1004);
    let design = lower(&parse(&text), None).design;
    let mut times: Vec<_> = (0..50)
        .map(|_| {
            let start = Instant::now();
            let lowered = lower(&parse(&text), Some(&design));
            assert!(lowered.design == design);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("parsed and lowered: median {:?}", times[25]);
    let mut moved = design.clone();
    moved.name.push('x');
    let start = Instant::now();
    let updated = keyfold_core::text::update(&text, &design, &moved);
    println!(
        "updated: {:?}, whole: {}",
        start.elapsed(),
        updated.is_whole
    );
}

//! The design as text.

use keyfold_core::model::validate_invariants;
use keyfold_core::text::{
    complete, explain, format, highlights, is_text, lower, parse, print, update,
};

/// Words of the language.
pub const TEXT_WORDS: &[&str] = &[
    "\n",
    "\n  ",
    "\n    ",
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
    "warm-throughput",
    "ttl",
    "note",
];

/// Parses, formats, lowers and prints a text. It always keeps its bytes, and always gives a valid design.
pub fn text(data: &[u8]) -> bool {
    let text = &*String::from_utf8_lossy(data);
    let _ = is_text(text);
    let tree = parse(text);
    assert_eq!(tree.text(), text);
    let lowered = lower(&tree, None);
    assert_eq!(validate_invariants(&lowered.design), [], "{text}");
    for problem in &lowered.problems {
        assert!(text.get(problem.range.clone()).is_some(), "{problem:?}");
        // The safeguard against invalid designs, which reports a path of the file.
        let is_safeguard = problem.range == (0..0) && problem.message.contains('/');
        assert!(text.is_empty() || !is_safeguard, "{text}\n{problem:?}");
    }
    for (range, _) in highlights(&tree) {
        assert!(text.get(range.clone()).is_some(), "{range:?}");
    }
    for offset in (0..=text.len() + 1).step_by(text.len() / 8 + 1) {
        let offers = complete(&tree, &lowered, offset);
        assert!(text.get(offers.range.clone()).is_some(), "{offers:?}");
        let word = explain(&tree, offset);
        assert!(word.is_none_or(|(range, _)| text.get(range).is_some()));
    }
    let again = lower(&tree, Some(&lowered.design));
    assert_eq!(again.design, lowered.design, "{text}");
    let formatted = format(&tree);
    let again = parse(&formatted);
    assert_eq!(format(&again), formatted, "twice:\n{text}");
    assert_eq!(
        lower(&again, None).design,
        lowered.design,
        "{text}\n---\n{formatted}"
    );
    let is_valid = lowered.problems.iter().all(|problem| !problem.is_error);
    if is_valid {
        let mut changed = lowered.design.clone();
        changed.name.push('x');
        let edited = update(text, &lowered.design, &changed).text;
        let read = lower(&parse(&edited), Some(&changed)).design;
        assert_eq!(read, changed, "{text}\n---\n{edited}");
        let printed = print(&lowered.design);
        assert!(
            lower(&parse(&printed), None)
                .problems
                .iter()
                .all(|problem| !problem.is_error)
        );
    }
    is_valid
}

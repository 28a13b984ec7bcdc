//! The examples of `docs/language.md` are texts without errors, in the usual layout.

use keyfold_core::text::{describe, format, lower, parse};

const DOCS: &str = include_str!("../../../../../docs/language.md");

#[test]
fn the_examples_of_the_documentation_are_valid() {
    let examples: Vec<&str> = (DOCS.split("```keyfold\n").skip(1))
        .map(|rest| rest.split("```").next().expect("an end"))
        .collect();
    assert_eq!(examples.len(), 5);
    for example in examples {
        let tree = parse(example);
        let lowered = lower(&tree, None);
        assert_eq!(describe(example, &lowered.problems), "", "{example}");
        assert_eq!(format(&tree), example);
    }
}

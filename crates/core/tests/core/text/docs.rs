//! The examples of `docs/language.md` are texts without errors, in the usual layout.

use keyfold_core::text::{describe, format, keywords, lower, parse};

const DOCS: &str = include_str!("../../../../../docs/language.md");

fn examples() -> Vec<&'static str> {
    (DOCS.split("```keyfold\n").skip(1))
        .map(|rest| rest.split("```").next().expect("an end"))
        .collect()
}

#[test]
fn the_examples_of_the_documentation_are_valid() {
    let examples = examples();
    assert_eq!(examples.len(), 7);
    for example in examples {
        let tree = parse(example);
        let lowered = lower(&tree, None);
        assert_eq!(describe(example, &lowered.problems), "", "{example}");
        assert_eq!(format(&tree), example);
    }
}

#[test]
fn each_word_of_the_language_occurs_in_an_example() {
    let statements: Vec<&str> = (examples().into_iter().flat_map(str::lines))
        .filter(|line| !line.trim_start().starts_with('|'))
        .map(|line| line.split("//").next().expect("one part"))
        .collect();
    let words: Vec<&str> = (statements.iter())
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || "(),%".contains(c)))
        .collect();
    let groups = keywords().into_iter();
    let missing: Vec<(&str, Vec<&str>)> = groups
        .map(|(group, all)| {
            let is_missing = |word: &&str| !words.contains(word);
            (group, all.into_iter().filter(is_missing).collect())
        })
        .filter(|(_, missing): &(&str, Vec<&str>)| !missing.is_empty())
        .collect();
    assert_eq!(missing, []);
}

//! What the words of the language say, and the grammar for editors, which lists them again.

use keyfold_core::lint::RULES;
use keyfold_core::text::{complete, explain, keywords, lower, parse, rule_at};
use serde_json::Value;
use std::collections::BTreeSet;

const GRAMMAR: &str = include_str!("../../../../../editors/keyfold.tmLanguage.json");
const DOCS: &str = include_str!("../../../../../docs/language.md");

/// The words of a text that have a meaning, by line.
fn explained(text: &str) -> String {
    let tree = parse(text);
    let mut out = String::new();
    for line in text.lines() {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let mut meanings = Vec::new();
        for offset in start..start + line.len() {
            if let Some((range, what)) = explain(&tree, offset)
                && range.start == offset
            {
                meanings.push(format!("    {}: {what}\n", &text[range]));
            }
        }
        if !meanings.is_empty() {
            out.push_str(&format!("{line}\n{}", meanings.concat()));
        }
    }
    out
}

#[test]
fn the_words_of_the_documentation_say_what_they_mean() {
    let examples = DOCS.split("```keyfold\n").skip(1);
    let examples = examples.map(|rest| rest.split("```").next().expect("an end"));
    let all: Vec<String> = examples.map(explained).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn names_and_values_are_not_words_of_the_language() {
    // A place in a text, and whether the word there is one of the language.
    for (text, place, is_word) in [
        ("entity E\n  key string", "key", true),
        ("entity E\n  status string", "string", true),
        ("entity E\n  status string", "status", false),
        ("entity E\n  status S", "S", true),
        ("entity E\n  size word | sentence", "word", false),
        ("entity E\n  size list | map", "list", false),
        ("entity E\n  size list*2", "list", false),
        ("entity E\n  size string list | map", "string", true),
        ("entity E\n  size string list | map", "map", false),
        ("entity E\n  n number integer 1 to 5", "integer", true),
        ("entity E\n  n number integer 1 to 5", "to", true),
        ("entity limit", "limit", false),
        ("entity E\n  \"key\" string", "key", false),
        ("table t (PK, SK number)", "number", true),
        ("gsi G (number, S binary) all", "number", false),
        ("gsi G (number, S binary) all", "binary", true),
        ("gsi G (number, S binary) all", "all", true),
        ("gsi all (a / map)", "all", false),
        ("gsi all (a / map)", "map", false),
        ("table t (PK)\n  ttl read", "ttl", true),
        ("table t (PK)\n  PROVISIONED read 5", "PROVISIONED", true),
        ("silence key entity E", "key", false),
        ("silence T001 entity E / key", "key", true),
        ("silence T001 entity E / key", "T001", false),
        ("pattern Query", "Query", false),
        ("pattern P\n  query A", "query", true),
        ("pattern P\n  filter limit > :limit", "limit", false),
        ("pattern P\n  parameter month = 1", "month", false),
        ("pattern P\n  skew values even of 5 values", "values", false),
        ("pattern P\n  skew id even of 5 values", "values", true),
        ("pattern P\n  average 5 per month", "month", true),
        ("wat key", "key", false),
    ] {
        let offset = text.find(place).expect("a place");
        let found = explain(&parse(text), offset);
        assert_eq!(found.is_some(), is_word, "{place} in {text:?}: {found:?}");
    }
}

#[test]
fn each_word_has_a_sentence_and_a_place_in_the_grammar() {
    let grammar: Value = serde_json::from_str(GRAMMAR).expect("JSON");
    let mut patterns = Vec::new();
    collect(&grammar["repository"], &mut patterns);
    let is_end = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_');
    let written: BTreeSet<&str> = patterns
        .iter()
        .flat_map(|text| text.split(is_end))
        .collect();
    let missing: Vec<(&str, &str)> = (keywords().into_iter())
        .flat_map(|(group, words)| words.into_iter().map(move |word| (group, word)))
        .filter(|(_, word)| !written.contains(word))
        .collect();
    assert_eq!(missing, []);
}

/// The regular expressions of a grammar.
fn collect<'v>(value: &'v Value, out: &mut Vec<&'v str>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if matches!(name.as_str(), "match" | "begin" | "end") => {
                        out.push(text);
                    }
                    _ => collect(field, out),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
        _ => {}
    }
}

#[test]
fn offered_words_are_explained_where_they_are_offered() {
    let text = "table t (PK)\n  \ngsi G (A) \n  \nentity E\n  \n  a \n  key X \npattern P\n  \n  Query \n  Query A / \n  \
        Query A \nsilence \nsilence T001 \nexports\n  \n\n";
    let tree = parse(text);
    let lowered = lower(&tree, None);
    let (mut count, mut rules) = (0, 0);
    for offset in 0..text.len() {
        if !text[offset..].starts_with('\n') {
            continue;
        }
        let found = complete(&tree, &lowered, offset);
        for offer in &found.offers {
            // A name, or punctuation.
            let Some(meaning) = found.meaning(offer).filter(|what| !what.is_empty()) else {
                continue;
            };
            let mut with = text.to_owned();
            with.replace_range(found.range.clone(), offer);
            let with_tree = parse(&with);
            // A rule is explained by its name.
            if let Some((_, rule)) = rule_at(&with_tree, found.range.start) {
                assert_eq!((rule.code, rule.name), (offer.as_str(), meaning));
                rules += 1;
                continue;
            }
            assert!(meaning.ends_with('.'), "{offer}: {meaning}");
            if !offer.starts_with(char::is_alphabetic) {
                continue;
            }
            let explained = explain(&with_tree, found.range.start);
            assert_eq!(
                explained.map(|(_, what)| what),
                Some(meaning),
                "{offer}\n{with}"
            );
            count += 1;
        }
    }
    assert!(count > 90, "{count}");
    assert_eq!(rules, RULES.len());
    assert!(rule_at(&parse("silence X999 table"), 10).is_none());
    assert!(rule_at(&parse("silence T001 entity T001"), 21).is_none());
}

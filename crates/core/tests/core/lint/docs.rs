//! The documentation of the rules: `docs/rules.md` has all rules of the table, in order.

use keyfold_core::lint::rule_docs::{HEADINGS, read};
use keyfold_core::lint::{RULES, rule};
use keyfold_core::model::SortedSet;

const DOCS: &str = include_str!("../../../../../docs/rules.md");

#[test]
fn every_rule_is_documented_under_all_headings() {
    let docs = read(DOCS);
    let documented: Vec<(&str, &str)> = docs.iter().map(|doc| (doc.code, doc.name)).collect();
    let rules: Vec<(&str, &str)> = RULES.iter().map(|rule| (rule.code, rule.name)).collect();
    assert_eq!(documented, rules);
    for doc in &docs {
        let headings: Vec<&str> = doc.sections.iter().map(|(heading, _)| *heading).collect();
        assert_eq!(headings, HEADINGS, "{}", doc.code);
        for (heading, text) in &doc.sections {
            assert!(!text.is_empty(), "{} {heading}", doc.code);
        }
        let source = doc.sections.last().expect("a source").1;
        assert!(
            source.contains("Developer Guide") || source.contains("User Guide"),
            "{}",
            doc.code
        );
    }
}

#[test]
fn the_overview_lists_the_rules() {
    let mut table = String::from("| code | rule | severity |\n|---|---|---|\n");
    for rule in RULES {
        let anchor = format!("{}-{}", rule.code.to_lowercase(), rule.name);
        let severity = rule.severity.label();
        table += &format!(
            "| [{}](#{anchor}) | {} | {severity} |\n",
            rule.code, rule.name
        );
    }
    assert!(
        DOCS.contains(&table),
        "docs/rules.md needs this overview:\n{table}"
    );
}

#[test]
fn codes_and_names_are_unique() {
    let codes: SortedSet<&str> = RULES.iter().map(|rule| rule.code).collect();
    let names: SortedSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!((codes.len(), names.len()), (RULES.len(), RULES.len()));
    assert!(
        RULES
            .iter()
            .all(|r| rule(r.code).is_some_and(|same| same.name == r.name))
    );
    assert!(rule("X001").is_none());
}

//! Each rule on bad and good designs (`cases.txt`), and each fix.

use keyfold_core::lint::{Check, Place, RULES, Rule, lint};
use keyfold_core::model::{SortedMap, validate_invariants};
use keyfold_test_support::lint_cases::{cases, design};

#[test]
fn every_rule_has_good_and_bad_cases() {
    let mut seen: SortedMap<String, [usize; 2]> = SortedMap::new();
    for case in cases() {
        assert_eq!(validate_invariants(&case.design), [], "{}", case.title);
        seen.entry(case.code.clone()).or_default()[usize::from(case.bad)] += 1;
        let report = lint(&case.design);
        let said: Vec<_> = (report.findings.iter())
            .filter(|finding| finding.code == case.code)
            .map(|finding| &finding.message)
            .collect();
        assert_eq!(!said.is_empty(), case.bad, "{}: {said:?}", case.title);
    }
    // keyfold_cost checks and tests those of the workload.
    let linted = |rule: &&Rule| !matches!(rule.check, Check::Workload);
    for rule in RULES.iter().filter(linted) {
        let [good, bad] = seen.get(rule.code).copied().unwrap_or_default();
        assert!(good > 0 && bad > 0, "{}: {good} good, {bad} bad", rule.code);
    }
}

#[test]
fn equal_keys_of_many_entities_are_one_finding() {
    let many = cases()
        .into_iter()
        .filter(|case| case.code == "K006" && case.title.contains("many"));
    let mut count = 0;
    for case in many {
        let report = lint(&case.design);
        let found = report
            .findings
            .iter()
            .filter(|finding| finding.code == "K006");
        assert_eq!(found.count(), 1, "{}", case.title);
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn messages() {
    let mut text = String::new();
    for case in cases().iter().filter(|case| case.bad) {
        text += &format!("# {}\n", case.title);
        for finding in &lint(&case.design).findings {
            if finding.code != case.code {
                continue;
            }
            assert!(!finding.message.contains('\n'), "{}", finding.message);
            let place = finding.place;
            let shown = place.describe(&case.design);
            let short = |text: &str, most| -> String { text.chars().take(most).collect() };
            let fix = finding.fix.as_ref().map_or("", |fix| fix.title());
            text += &format!("{} {place} [{shown}] {fix}\n", finding.severity.label());
            text += &format!(
                "  {}\n",
                short(&finding.message.replace(&"x".repeat(100), "x"), 400)
            );
            for example in &finding.examples {
                text += &format!("    {}\n", short(example, 60));
            }
            if !finding.attributes.is_empty() {
                text += &format!("    at {}\n", finding.attributes.join(", "));
            }
            let of_sample = matches!(place, Place::Sample(..));
            assert!(of_sample || finding.attributes.is_empty());
            assert_eq!(place.to_string().parse(), Ok(place));
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn templates_too_large_to_compare_are_reported() {
    let many = "a".repeat(4_000);
    let text = format!(
        "delimiter ##
         entity One! a! b! c! d!
         in table ONE / {{a}}{many}{{b}}##x##{{c}}{many}{{d}}
         entity Two! a! b! c! d!
         in table ONE / {{a}}{many}{{b}}##y##{{c}}{many}{{d}}
         pattern Get: get ONE / {{a}}{many}{{b}}##y##{{c}}{many}{{d}} for Two"
    );
    let report = lint(&design(&text.replace("One!", "One").replace("Two!", "Two")));
    let said = |code: &str, begins: &str| {
        let found = report.findings.iter().any(|finding| {
            finding.code == code
                && finding.message.starts_with(begins)
                && finding
                    .message
                    .contains("would take too much time and memory")
                && finding.message.len() < 1_000
        });
        assert!(found, "{code} {begins}: {:?}", report.findings);
    };
    said("K006", "One and Two may have the same primary key");
    said("A001", "Cannot determine whether `Get` finds One");
}

/// Each of 1,770 pairs takes some 100,000 steps: together they take no more than one edit may, and some are not compared.
#[test]
fn a_lint_is_bounded_as_a_whole() {
    let mut text = String::new();
    for number in 0..60 {
        let letter = char::from(b'a' + (number % 26) as u8).to_string();
        let many = letter.repeat(300 + number);
        text += &format!("entity E{number} a! b!\nin table ONE / {{a}}{many}{{b}}\n");
    }
    let report = lint(&design(&text));
    let gave_up = report.findings.iter().filter(|finding| {
        finding.code == "K006"
            && finding
                .message
                .contains("would take too much time and memory")
    });
    assert!(gave_up.count() > 0);
}

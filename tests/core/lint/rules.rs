//! Each rule on designs that break it and designs that do not (`cases.txt`), and each fix.

use super::build::design;
use keyfold::app::{Command, apply};
use keyfold::domain::lint::{Place, RULES, lint};
use keyfold::domain::model::{Design, SortedMap, validate_invariants};

/// A case: the rule's code, whether it is broken, what is special, the design.
struct Case {
    code: String,
    bad: bool,
    title: String,
    design: Design,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for part in include_str!("cases.txt").split("=== ").skip(1) {
        let (title, body) = part.split_once('\n').expect("a title");
        let (head, what) = title.split_once(": ").unwrap_or((title, ""));
        let (code, kind) = head.split_once(' ').expect("code and kind");
        assert!(matches!(kind, "bad" | "good"), "{title}");
        cases.push(Case {
            code: code.into(),
            bad: kind == "bad",
            title: if what.is_empty() {
                head.into()
            } else {
                title.into()
            },
            design: design(&expanded(body)),
        });
    }
    cases
}

/// `@repeat N line` is so many lines with the number in the place of `@@`; `@N` is a text of so many letters.
fn expanded(body: &str) -> String {
    let mut out = String::new();
    for line in body.lines() {
        if let Some(rest) = line.strip_prefix("@repeat ") {
            let (count, line) = rest.split_once(' ').expect("a count");
            for number in 1..=count.parse::<u32>().expect("a number") {
                out += &format!("{}\n", line.replace("@@", &number.to_string()));
            }
        } else if let Some((before, rest)) = line
            .split_once('@')
            .filter(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let count: usize = rest[..digits].parse().expect("a number");
            out += &format!("{before}{}{}\n", "x".repeat(count), &rest[digits..]);
        } else {
            out += &format!("{line}\n");
        }
    }
    out
}

#[test]
fn every_rule_has_designs_that_break_it_and_designs_that_do_not() {
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
    for rule in RULES {
        let [good, bad] = seen.get(rule.code).copied().unwrap_or_default();
        assert!(good > 0 && bad > 0, "{}: {good} good, {bad} bad", rule.code);
    }
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
fn a_fix_leaves_a_sound_design_and_no_finding_of_its_rule() {
    let mut fixed: SortedMap<String, usize> = SortedMap::new();
    for case in cases().iter().filter(|case| case.bad) {
        let mut design = case.design.clone();
        let open = |design: &Design| {
            let report = lint(design);
            let mut found = report.findings.into_iter();
            found.find(|finding| finding.code == case.code && finding.fix.is_some())
        };
        for round in 0.. {
            assert!(round < 20, "{}: fixes without end", case.title);
            let Some(finding) = open(&design) else {
                break;
            };
            let fix = finding.fix.clone().expect("asked for");
            let preview = keyfold::app::fixes::preview(&design, &fix).expect("carried out");
            assert!(!preview.changes.is_empty(), "{}: {fix:?}", case.title);
            let next = apply(&design, Command::Fix(Box::new(fix))).expect("carried out");
            assert_eq!(next, preview.after);
            assert_eq!(validate_invariants(&next), [], "{}", case.title);
            design = next;
            *fixed.entry(case.code.clone()).or_default() += 1;
        }
        let left: Vec<_> = (lint(&design).findings.iter())
            .filter(|finding| finding.code == case.code)
            .map(|finding| finding.message.clone())
            .collect();
        let had_fix = lint(&case.design)
            .findings
            .iter()
            .any(|f| f.code == case.code && f.fix.is_some());
        assert!(!had_fix || left.is_empty(), "{}: {left:?}", case.title);
        // What a fix does to access patterns leaves none unserved.
        let unserved = |design: &Design| {
            lint(design)
                .findings
                .iter()
                .filter(|f| f.code == "A001")
                .count()
        };
        if !matches!(case.code.as_str(), "I001" | "I002" | "I004") {
            assert!(
                unserved(&design) <= unserved(&case.design),
                "{}: {:#?}",
                case.title,
                lint(&design).findings
            );
        }
    }
    assert!(fixed.len() >= 20, "{fixed:?}");
}

#[test]
fn what_is_too_large_to_be_compared_is_said() {
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
    said(
        "K006",
        "It cannot be ruled out that One and Two have the same key",
    );
    said("A001", "It cannot be told whether `Get` finds One");
}

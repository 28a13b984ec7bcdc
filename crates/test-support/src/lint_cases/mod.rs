//! For each lint rule, designs that break it and designs that do not (`cases.txt`).

mod build;

pub use build::design;
use keyfold_core::model::Design;

/// A case: the rule's code, whether the design breaks it, what is special, the design.
pub struct Case {
    /// The code of the rule.
    pub code: String,
    /// Whether the design breaks the rule.
    pub bad: bool,
    /// What is special about the design.
    pub title: String,
    pub design: Design,
}

/// All cases.
pub fn cases() -> Vec<Case> {
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

/// Expands `@repeat N line` to N lines with the number in place of `@@`, and `@N` to a text of N letters.
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

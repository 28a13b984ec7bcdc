//! The documentation of the rules in `docs/rules.md`. The app serves the file and reads it on demand; it is not
//! compiled into the program.

/// The documentation of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleDoc<'a> {
    /// The rule's code.
    pub code: &'a str,
    /// The rule's name.
    pub name: &'a str,
    /// The headings (see [`HEADINGS`]) with their text in Markdown: paragraphs, lists, code.
    pub sections: Vec<(&'a str, &'a str)>,
}

/// The headings of each rule, in order.
pub const HEADINGS: [&str; 6] = [
    "What it does",
    "Why it is bad",
    "Example",
    "Use instead",
    "Fix safety",
    "Source",
];

/// Returns the rules of a file in the form of `docs/rules.md`: `## K001 template-error`, then `### What it does` and
/// the other headings. Skips any text before the first rule.
pub fn read(text: &str) -> Vec<RuleDoc<'_>> {
    let mut rules: Vec<RuleDoc> = Vec::new();
    for part in text.split("\n## ").skip(1) {
        let mut sections = part.split("\n### ");
        let title = sections.next().unwrap_or("").trim();
        let Some((code, name)) = title.split_once(' ') else {
            continue;
        };
        let sections = sections.map(|section| {
            let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
            (heading.trim(), text.trim())
        });
        rules.push(RuleDoc {
            code,
            name: name.trim(),
            sections: sections.collect(),
        });
    }
    rules
}

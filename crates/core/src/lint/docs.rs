//! The documentation of the rules, as it stands in `docs/rules.md`. The file is served beside the app and read when it
//! is asked for; the program does not hold it.

/// What is said of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleDoc<'a> {
    /// Its code.
    pub code: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its headings (see [`HEADINGS`]) with their text, which is Markdown: paragraphs, lists, code.
    pub sections: Vec<(&'a str, &'a str)>,
}

/// The headings of each rule, in their order.
pub const HEADINGS: [&str; 6] = [
    "What it does",
    "Why is this bad",
    "Example",
    "Use instead",
    "Fix safety",
    "Source",
];

/// The rules of a file in the form of `docs/rules.md`: `## K001 template-error`, below it `### What it does` and the
/// other headings. Whatever stands before the first rule is left out.
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

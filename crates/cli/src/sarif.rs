//! Findings as SARIF 2.1.0, for code scanning. Source: OASIS, "Static Analysis Results Interchange Format (SARIF)
//! Version 2.1.0". The members that code scanning requires are in GitHub Docs, "SARIF support for code scanning".

use crate::source::place;
use keyfold_core::lint::rule_docs::{RuleDoc, read};
use keyfold_core::lint::{Finding, Place, RULES, Report, Severity};
use keyfold_core::model::{Design, IndexId, KeyPart};
use keyfold_core::text::{Lowered, Position, is_text, lower, parse};
use serde_json::{Value, json};
use std::path::Path;

/// The documentation of the rules, which the page serves too.
const DOCS: &str = include_str!("../../../docs/rules.md");

/// Returns all findings; silenced ones are suppressed. `text` is the text of the design file, for line numbers.
pub fn sarif(design: &Design, report: &Report, source: &Path, text: &str) -> String {
    let docs = read(DOCS);
    let rules: Vec<Value> = (RULES.iter())
        .map(|rule| {
            let doc = docs.iter().find(|doc| doc.code == rule.code);
            let first = doc.map_or(rule.name, |doc| section(doc, "What it does"));
            json!({
                "id": rule.code,
                "name": rule.name,
                "shortDescription": { "text": first.split("\n\n").next().unwrap_or(first).replace('\n', " ") },
                "fullDescription": { "text": doc.map_or(rule.name, |doc| section(doc, "Why it is bad")).replace('\n', " ") },
                "help": help(doc, rule.name),
                "defaultConfiguration": { "level": level(rule.severity) },
            })
        })
        .collect();
    let lowered = is_text(text).then(|| lower(&parse(text), Some(design)));
    let uri = uri(&place(source));
    let mut seen: Vec<String> = Vec::new();
    let results: Vec<Value> = (report.findings.iter())
        .map(|finding| {
            let print = format!("{} {}", finding.code, finding.place);
            let number = seen.iter().filter(|other| **other == print).count();
            seen.push(print.clone());
            let index = RULES.iter().position(|rule| rule.code == finding.code);
            let mut result = json!({
                "ruleId": finding.code,
                "ruleIndex": index,
                "level": level(finding.severity),
                "message": { "text": finding.message },
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": { "uri": uri },
                        "region": { "startLine": line(text, lowered.as_ref(), finding) },
                    },
                    "logicalLocations": [{
                        "name": finding.place.describe(design),
                        "fullyQualifiedName": finding.place.to_string(),
                    }],
                }],
                "partialFingerprints": { "place/v1": format!("{print} {number}") },
            });
            if let Some(reason) = &finding.silenced {
                result["suppressions"] = json!([{ "kind": "inSource", "justification": reason }]);
            }
            result
        })
        .collect();
    let all = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "keyfold",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    format!("{all:#}\n")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn section<'a>(doc: &RuleDoc<'a>, heading: &str) -> &'a str {
    let mut found = doc.sections.iter().filter(|(other, _)| *other == heading);
    found.next().map_or("", |(_, text)| text)
}

fn help(doc: Option<&RuleDoc>, name: &str) -> Value {
    let mut text = String::new();
    for (heading, body) in doc.iter().flat_map(|doc| &doc.sections) {
        text += &format!("## {heading}\n\n{body}\n\n");
    }
    let text = if text.is_empty() {
        name
    } else {
        text.trim_end()
    };
    json!({ "text": text, "markdown": text })
}

/// Returns a path as a URI reference: other characters are percent-encoded. Source: RFC 3986, section 2.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => uri.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b':' => uri.push(char::from(byte)),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

/// Returns the line of the design file, from 1, where the place of a finding begins.
fn line(text: &str, lowered: Option<&Lowered>, finding: &Finding) -> usize {
    let Some(lowered) = lowered else {
        return line_of_json(text, finding);
    };
    let range = lowered.range_of(finding.place);
    range.map_or(1, |range| Position::of(text, range.start).line)
}

/// The line in a JSON file. Best effort: it searches for names.
fn line_of_json(text: &str, finding: &Finding) -> usize {
    let begins = |word: &str| format!("\"{word}\":");
    let index = |index: IndexId| match index.is_primary() {
        true => begins("primary"),
        false => begins(&index.to_string()),
    };
    let path: Vec<String> = match finding.place {
        Place::Table => vec![begins("table")],
        Place::Index(id) => vec![begins("indexes"), begins(&id.to_string())],
        Place::Entity(id) => vec![begins("entities"), begins(&id.to_string())],
        Place::Entry(id, at) => vec![begins("entities"), begins(&id.to_string()), index(at)],
        Place::Template(id, at, part) => {
            let part = match part {
                KeyPart::Partition => begins("partition"),
                KeyPart::Sort => begins("sort"),
            };
            vec![begins("entities"), begins(&id.to_string()), index(at), part]
        }
        Place::Attribute(id, attribute) => vec![
            begins("entities"),
            begins(&id.to_string()),
            format!("\"id\": \"{attribute}\""),
        ],
        Place::Sample(id, sample) => vec![
            begins("samples"),
            begins(&id.to_string()),
            format!("\"{sample}\""),
        ],
        Place::Pattern(id) => vec![begins("accessPatterns"), begins(&id.to_string())],
    };
    let mut at = 0;
    for step in path {
        match text[at..].find(&step) {
            Some(more) => at += more,
            None => break,
        }
    }
    text[..at].matches('\n').count() + 1
}

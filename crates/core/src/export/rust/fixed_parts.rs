//! The parts of the generated file that do not depend on its keys: public types (`key_error.rs.in`,
//! `values_and_conditions.rs.in`) and the helper functions of its module `part` (`helpers.rs.in`). The file gets only the
//! used parts of them; unused code would cause compiler warnings.

use super::super::Tag;
use super::function_inputs::may_hold;
use super::highlight::{LINES, highlight};
use super::patterns::has_multi_attribute_queries;
use super::plan::Plan;
use super::source::Source;
use crate::model::{Design, OnDelimiter, SortedSet};
use crate::slices::pause;

const KEY_ERROR: &str = include_str!("key_error.rs.in");
const TYPES: &str = include_str!("values_and_conditions.rs.in");
const HELPERS: &str = include_str!("helpers.rs.in");

/// A section of one of the files: `//= id = name: the helpers it needs`, and its text.
struct Section {
    id: &'static str,
    name: &'static str,
    needs: Vec<&'static str>,
    text: &'static str,
}

fn sections(file: &'static str) -> impl Iterator<Item = Section> {
    file.split("//= ").skip(1).filter_map(|section| {
        let (head, text) = section.split_once('\n')?;
        let (names, needs) = head.split_once(": ").unwrap_or((head, ""));
        let (id, name) = names.split_once(" = ").unwrap_or((names, names));
        Some(Section {
            id,
            name,
            needs: needs.split_whitespace().collect(),
            text,
        })
    })
}

/// Items of `alloc` that the prelude of a crate without `std` lacks: code that uses each, and its path.
const ALLOC: [(&str, &str); 8] = [
    ("Cow", "alloc::borrow::Cow"),
    (".to_owned()", "alloc::borrow::ToOwned"),
    ("BTreeMap<", "alloc::collections::BTreeMap"),
    ("format!(", "alloc::format"),
    ("String", "alloc::string::String"),
    (".to_string()", "alloc::string::ToString"),
    ("vec![", "alloc::vec"),
    ("Vec", "alloc::vec::Vec"),
];

/// Returns the `use` lines that the code needs for items of `alloc`.
pub(super) async fn imports(code: &str) -> Vec<String> {
    let mut used = [false; ALLOC.len()];
    for (at, line) in code.lines().enumerate() {
        if at % LINES == 0 {
            pause().await;
        }
        let plain = without_text(line);
        for ((piece, _), used) in ALLOC.iter().zip(&mut used) {
            *used = *used || uses(&plain, piece);
        }
    }
    let mut lines = Vec::new();
    for ((_, path), used) in ALLOC.iter().zip(used) {
        if used {
            lines.push(format!("use {path};"));
        }
    }
    lines
}

/// Whether the code contains this piece, not as part of a longer name.
fn uses(plain: &str, piece: &str) -> bool {
    plain.match_indices(piece).any(|(at, _)| {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let starts = !piece.starts_with(letter) || !plain[..at].ends_with(letter);
        starts && (!piece.ends_with(letter) || !plain[at + piece.len()..].starts_with(letter))
    })
}

/// Returns the code without comments and string literals.
fn without_text(code: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    let code = highlight(code);
    for (span, tag) in &code.spans {
        if matches!(tag, Tag::Comment | Tag::Text) {
            out.push_str(&code.text[at..span.start]);
            at = span.end;
        }
    }
    out.push_str(&code.text[at..]);
    out
}

/// Returns the wanted sections of a fixed file, separated by blank lines.
pub(super) fn fixed(file: &'static str, wanted: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::new();
    for section in sections(file).filter(|section| wanted(section.id)) {
        if !out.is_empty() && !section.text.starts_with('\n') {
            out.push('\n');
        }
        out.push_str(section.text);
    }
    out
}

/// Writes the public types. `queries`: whether there are functions for access patterns; `numbers`: whether other code
/// uses numbers.
pub(super) fn write_types(src: &mut Source, plan: &Plan, queries: bool, numbers: bool) {
    src.line("");
    src.doc("The primary key of an item: names and values of its attributes.");
    let count = plan.design.table.key.attributes().count();
    src.line(&format!(
        "pub type PrimaryKey = [(&'static str, KeyValue); {count}];"
    ));
    let condition = if has_multi_attribute_queries(plan) {
        "MultiKeyCondition"
    } else {
        "KeyCondition"
    };
    for section in sections(KEY_ERROR).chain(sections(TYPES)) {
        let wanted = match section.id {
            "Number" => numbers || src.uses_numbers(),
            "KeyCondition" | "MultiKeyCondition" => queries && section.id == condition,
            "SortCondition" => queries,
            _ => true,
        };
        if wanted {
            src.line("");
            src.lines(section.text);
        }
    }
}

/// Writes the module `part` with the used helpers.
pub(super) fn write_helpers(src: &mut Source, design: &Design) {
    let policy = &design.delimiter;
    let text = match policy.on_conflict {
        OnDelimiter::Reject => "text_reject",
        OnDelimiter::PercentEncode if may_hold(&policy.delimiter, "%0123456789ABCDEF") => {
            "text_survives"
        }
        OnDelimiter::PercentEncode => "text_encode",
    };
    let mut used: SortedSet<&str> = src.helpers().clone();
    let chosen = |section: &Section| section.name != "text" || section.id == text;
    // A needed helper may come earlier in the file: repeat until nothing is added.
    loop {
        let before = used.len();
        for section in sections(HELPERS).filter(chosen) {
            if used.contains(section.name) {
                used.extend(section.needs);
            }
        }
        if used.len() == before {
            break;
        }
    }
    if used.is_empty() {
        return;
    }
    src.line("");
    src.doc("Checks, writes and parses the parts of keys.");
    src.open("mod part {");
    src.line("use super::*;");
    for section in sections(HELPERS).filter(chosen) {
        if used.contains(section.name) {
            src.line("");
            src.lines(section.text);
        }
    }
    src.close("}");
}

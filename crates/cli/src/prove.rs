//! `keyfold prove`: the verdict of each access pattern, and the coverage matrix.

use crate::formats::ReportFormat;
use crate::outcome::Outcome;
use keyfold_core::counted::counted;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::model::{AccessPattern, AccessPatternId, Design};
use keyfold_core::proof::{
    Cover, Coverage, Outcome as ProofOutcome, Proof, Suggestion, coverage, is_read_requirement,
    prove as prove_pattern,
};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// Proves the access patterns of a design. An unserved access pattern is a finding.
pub fn prove(design: &Design, format: ReportFormat) -> Outcome {
    let write = match format {
        ReportFormat::Text => text,
        ReportFormat::Json => as_json,
    };
    let stored = TableSnapshot::of(design);
    let mut proofs = Vec::new();
    for (id, pattern) in &design.access_patterns {
        if let Some(proof) = prove_pattern(&stored, *id) {
            proofs.push((*id, &**pattern, proof));
        }
    }
    let pairs: Vec<_> = proofs.iter().map(|(id, _, proof)| (*id, proof)).collect();
    let coverage = coverage(design, &pairs);
    Outcome {
        text: write(design, &proofs, &coverage),
        remarks: String::new(),
        findings: proofs
            .iter()
            .any(|(_, _, proof)| !proof.verdict.is_served()),
    }
}

/// An access pattern with its proof.
type ProvenPattern<'a> = (AccessPatternId, &'a AccessPattern, Proof);

fn text(design: &Design, proofs: &[ProvenPattern], coverage: &Coverage) -> String {
    let mut text = String::new();
    for (_, pattern, proof) in proofs {
        let verdict = proof.verdict.label();
        let _ = writeln!(text, "{}: {verdict}", pattern.name);
        let _ = writeln!(text, "  {}", describe_outcome(design, pattern, proof));
        for reason in &proof.reasons {
            let _ = writeln!(text, "  - {}", reason.text);
        }
        for suggestion in &proof.suggestions {
            let _ = writeln!(text, "  > {}", suggestion.text);
        }
    }
    if proofs.is_empty() {
        text.push_str("No access patterns.\n");
    }
    let mut header = vec![String::new()];
    header.extend(
        coverage
            .indexes
            .iter()
            .map(|id| design.index_name(*id).to_owned()),
    );
    let mut rows = vec![header];
    for (id, _, cells) in &coverage.patterns {
        let name = (design.access_patterns.get(id)).map_or("", |pattern| &pattern.name);
        let cells = cells.iter().map(|cover| word(*cover).to_owned());
        rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
    }
    rows.push(Vec::new());
    for (id, cells) in &coverage.entities {
        let name = design.entities.get(id).map_or("", |entity| &entity.name);
        let cells = cells
            .iter()
            .map(|is_in| if *is_in { "in" } else { "-" }.to_owned());
        rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
    }
    text.push('\n');
    text.push_str(&table(&rows));
    for index in &coverage.idle {
        let name = design.index_name(*index);
        let _ = writeln!(text, "\n{name} serves no access pattern.");
    }
    text
}

/// Describes in one line what the access pattern does on the samples.
fn describe_outcome(design: &Design, pattern: &AccessPattern, proof: &Proof) -> String {
    let operation = pattern.operation.name();
    let place = match pattern.operation.index() {
        Some(index) if !index.is_primary() && !is_read_requirement(&pattern.operation) => {
            format!(" on {}", design.index_name(index))
        }
        _ => String::new(),
    };
    let rest = match &proof.outcome {
        ProofOutcome::Nothing => "not run".to_owned(),
        ProofOutcome::Read(read) => {
            let items = counted(read.items.len(), "item", "items");
            let of = match read.read == read.items.len() {
                true => String::new(),
                false => format!(" of {} read", read.read),
            };
            let pages = match read.pages {
                1 => String::new(),
                pages => format!(", {pages} pages"),
            };
            let more = if read.more { ", more may follow" } else { "" };
            format!("{items}{of}{pages}, {}{more}", units(read.units, "read"))
        }
        ProofOutcome::Written(preview) => {
            let mut touched = Vec::new();
            for entry in preview.changes.iter().flat_map(|change| &change.entries) {
                let name = design.index_name(entry.index);
                if entry.units > 0.0 && !touched.contains(&name) {
                    touched.push(name);
                }
            }
            format!(
                "writes to {}, {}",
                touched.join(", "),
                units(preview.units, "write")
            )
        }
    };
    format!("{operation}{place}: {rest}")
}

fn units(units: f64, what: &str) -> String {
    let ending = if units == 1.0 { "" } else { "s" };
    format!("{units} {what} unit{ending}")
}

fn word(cover: Cover) -> &'static str {
    match cover {
        Cover::No => "-",
        Cover::Serves => "serves",
        Cover::Fails => "fails",
        Cover::Writes => "writes",
        Cover::Could => "could",
    }
}

/// Lays out rows in columns, each as wide as its widest cell.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn as_json(design: &Design, proofs: &[ProvenPattern], coverage: &Coverage) -> String {
    let patterns: Vec<Json> = proofs
        .iter()
        .map(|proven| pattern(design, proven))
        .collect();
    let name = |id: &_| design.index_name(*id).to_owned();
    let cells = |cells: &[Cover]| -> Json {
        let pairs = coverage.indexes.iter().zip(cells);
        pairs
            .map(|(id, cover)| (name(id), Json::from(word(*cover))))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let covered = coverage
        .patterns
        .iter()
        .map(|(id, _, row)| (id.to_string(), cells(row)));
    let entities = coverage.entities.iter().map(|(id, row)| {
        let entity = design.entities.get(id).map_or("", |entity| &entity.name);
        let is_in = coverage
            .indexes
            .iter()
            .zip(row)
            .filter(|(_, is_in)| **is_in);
        let names: Vec<String> = is_in.map(|(id, _)| name(id)).collect();
        (entity.to_owned(), Json::from(names))
    });
    let idle: Vec<String> = coverage.idle.iter().map(name).collect();
    let all = json!({
        "accessPatterns": patterns,
        "coverage": {
            "accessPatterns": covered.collect::<serde_json::Map<_, _>>(),
            "entities": entities.collect::<serde_json::Map<_, _>>(),
            "idle": idle,
        },
    });
    format!("{all:#}\n")
}

fn pattern(design: &Design, (id, pattern, proof): &ProvenPattern) -> Json {
    let entity = |id| {
        design
            .entities
            .get(id)
            .map_or("", |entity| entity.name.as_str())
    };
    let reasons: Vec<Json> = (proof.reasons.iter())
        .map(|reason| json!({ "verdict": reason.verdict.name(), "text": reason.text }))
        .collect();
    let reach: Vec<Json> = (proof.reachable.iter())
        .map(|reach| {
            let example: serde_json::Map<String, Json> = (reach.example.iter())
                .map(|(name, value)| (name.clone(), value.as_str().into()))
                .collect();
            json!({ "entity": entity(&reach.entity), "intended": reach.intended, "example": example })
        })
        .collect();
    let parameters: serde_json::Map<String, Json> = (proof.parameters.iter())
        .map(|parameter| {
            let value = parameter.value.as_ref();
            (
                parameter.name.clone(),
                value.map_or(Json::Null, |v| v.to_dynamodb_json()),
            )
        })
        .collect();
    let mut all = json!({
        "id": id.to_string(),
        "name": pattern.name,
        "operation": pattern.operation.name(),
        "verdict": proof.verdict.name(),
        "reasons": reasons,
        "parameters": parameters,
        "reach": reach,
        "suggestions": (proof.suggestions.iter()).map(suggestion).collect::<Vec<_>>(),
    });
    if let Some(index) = pattern.operation.index() {
        all["index"] = design.index_name(index).into();
    }
    match &proof.outcome {
        ProofOutcome::Nothing => {}
        ProofOutcome::Read(read) => {
            let items: Vec<String> = read
                .items
                .iter()
                .map(|item| item.id().to_string())
                .collect();
            all["read"] = json!({
                "items": items,
                "count": read.items.len(),
                "scannedCount": read.read,
                "pages": read.pages,
                "units": read.units,
                "more": read.more,
            });
        }
        ProofOutcome::Written(preview) => {
            let mut entries = Vec::new();
            for entry in preview.changes.iter().flat_map(|change| &change.entries) {
                if entry.units > 0.0 {
                    entries.push(json!({
                        "index": design.index_name(entry.index),
                        "units": entry.units,
                    }));
                }
            }
            all["write"] = json!({ "units": preview.units, "entries": entries });
        }
    }
    all
}

fn suggestion(suggestion: &Suggestion) -> Json {
    suggestion.text.as_str().into()
}

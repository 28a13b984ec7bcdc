//! `keyfold import`: designs of files of other tools.

use crate::args::ImportArgs;
use crate::formats::ReportFormat;
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write, write_several};
use crate::source::{form_of, place, read_bytes};
use keyfold_app::arrange::place_all;
use keyfold_core::export::{Code, File};
use keyfold_core::import::samples::Note;
use keyfold_core::model::{Design, SortedSet, file_stem};
use keyfold_core::persist::to_json;
use keyfold_core::text;
use keyfold_import::source::MAX_BYTES;
use keyfold_import::{Import, combine, design, read};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Prints or writes the designs of the files, or a report on them. What is left out is a finding.
pub fn import(args: &ImportArgs) -> Result<Outcome, Refusal> {
    let mut files = Vec::new();
    for path in &args.files {
        let name = place(path);
        let bytes = read_bytes(path, MAX_BYTES as u64 + 1)?;
        let import = read(&name, &bytes, args.format.0);
        let import = import.map_err(|error| Refusal(format!("{name}: {error}")))?;
        files.push((name, import));
    }
    let name = match files.as_slice() {
        [(name, _)] => Some(name.clone()),
        _ => None,
    };
    let mut import = combine(files);
    let mut left_out = std::mem::take(&mut import.left_out);
    let designs = designs(&import, &mut left_out)?;
    let lines: Vec<String> = left_out
        .iter()
        .map(|note| match &name {
            Some(name) => format!("{name}: {note}"),
            None => note.to_string(),
        })
        .collect();
    if designs.is_empty() {
        let why = lines.join("\n");
        return Err(Refusal(format!("no design can be made:\n{why}")));
    }
    let mut outcome = match (args.report, &args.out) {
        (Some(format), out) => {
            let mut outcome = match out {
                Destination::StandardOutput => Outcome::default(),
                Destination::Path(_) => write_designs(&designs, out)?,
            };
            outcome.text = match format {
                ReportFormat::Text => report(&import, &designs, &lines),
                ReportFormat::Json => format!("{:#}\n", as_json(&import, &designs, &left_out)),
            };
            outcome
        }
        (None, out) => {
            let mut outcome = write_designs(&designs, out)?;
            for line in &lines {
                let _ = writeln!(outcome.remarks, "keyfold: {line}");
            }
            outcome
        }
    };
    outcome.findings = !left_out.is_empty();
    Ok(outcome)
}

/// Makes a design of each table, with positions for its cards.
fn designs(import: &Import, left_out: &mut Vec<Note>) -> Result<Vec<Design>, Refusal> {
    let mut designs = import.designs.clone();
    let mut problems = Vec::new();
    for table in &import.tables {
        match design(table) {
            Ok(made) => {
                left_out.extend(made.left_out);
                designs.push(made.design);
            }
            Err(why) => problems.push((table.place.clone(), why)),
        }
    }
    if let (true, Some((_, why))) = (designs.is_empty(), problems.first()) {
        return Err(Refusal(why.clone()));
    }
    left_out.extend(problems.into_iter().map(|(place, why)| Note {
        place,
        message: format!("the table is left out: {why}"),
    }));
    for design in &mut designs {
        place_all(design);
    }
    Ok(designs)
}

fn write_designs(designs: &[Design], out: &Destination) -> Result<Outcome, Refusal> {
    match (designs, out) {
        ([design], _) => {
            let is_text = form_of(out).unwrap_or(false);
            let content = match is_text {
                true => text::print(design),
                false => to_json(design),
            };
            write(content, out)
        }
        (several, Destination::Path(path)) => write_several(&files(several), path),
        (several, Destination::StandardOutput) => Err(Refusal(format!(
            "the files have {} tables: name a folder or a .zip file with --out",
            several.len()
        ))),
    }
}

/// A file for each design, named after it.
fn files(designs: &[Design]) -> Vec<File> {
    let mut taken = SortedSet::new();
    let mut files = Vec::new();
    for design in designs {
        let stem = file_stem(&design.name);
        let mut name = format!("{stem}.json");
        let mut number = 2;
        while !taken.insert(name.to_lowercase()) {
            name = format!("{stem}-{number}.json");
            number += 1;
        }
        let code = Code {
            text: to_json(design),
            spans: Vec::new(),
        };
        files.push(File { name, code });
    }
    files
}

/// What was found and what was left out, for people.
fn report(import: &Import, designs: &[Design], left_out: &[String]) -> String {
    let mut text = String::new();
    let formats: Vec<&str> = import.formats.iter().map(|format| format.label()).collect();
    let _ = writeln!(text, "Format: {}", formats.join("; "));
    for design in designs {
        let samples: usize = design.samples.values().map(|samples| samples.len()).sum();
        let _ = writeln!(
            text,
            "Table {}: {} indexes, {} entities, {} samples, {} access patterns",
            design.table.name,
            design.indexes.len(),
            design.entities.len(),
            samples,
            design.access_patterns.len()
        );
    }
    if !left_out.is_empty() {
        text.push_str("\nLeft out or changed\n");
    }
    for line in left_out {
        let _ = writeln!(text, "  - {line}");
    }
    text
}

/// The same for programs.
fn as_json(import: &Import, designs: &[Design], left_out: &[Note]) -> Value {
    let formats = import.formats.iter().map(|format| format.name());
    let tables = designs.iter().map(|design| {
        let samples: usize = design.samples.values().map(|samples| samples.len()).sum();
        json!({
            "table": design.table.name,
            "design": design.name,
            "indexes": design.indexes.len(),
            "entities": design.entities.len(),
            "samples": samples,
            "accessPatterns": design.access_patterns.len(),
        })
    });
    let left_out = left_out
        .iter()
        .map(|note| json!({ "place": note.place, "message": note.message }));
    json!({
        "formats": formats.collect::<Value>(),
        "tables": tables.collect::<Value>(),
        "leftOut": left_out.collect::<Value>(),
    })
}

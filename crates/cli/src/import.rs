//! `keyfold import`: designs of files of other tools.

use crate::args::ImportArgs;
use crate::formats::{ImportFormat, ReportFormat};
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write, write_several};
use crate::source::{form_of, place, read_bytes};
use keyfold_app::arrange::place_all;
use keyfold_core::export::{Code, File};
use keyfold_core::import::Note;
use keyfold_core::model::{SortedSet, file_stem};
use keyfold_core::persist::to_json;
use keyfold_core::text;
use keyfold_import::found::{self, Found};
use keyfold_import::source::MAX_BYTES;
use keyfold_import::{Import, combine, read};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Prints or writes the designs of the files, or a report on them. What is left out is a finding.
pub fn import(args: &ImportArgs) -> Result<Outcome, Refusal> {
    let files = read_files(&args.files, args.format)?;
    let name = match files.as_slice() {
        [(name, _)] => Some(name.clone()),
        _ => None,
    };
    let mut import = combine(files);
    let mut left_out = std::mem::take(&mut import.left_out);
    let mut found = found::designs(&import, &mut left_out).map_err(Refusal)?;
    for one in &mut found {
        place_all(&mut one.design);
    }
    let lines = |notes: &[Note]| -> Vec<String> {
        let line = |note: &Note| match &name {
            Some(name) => format!("{name}: {note}"),
            None => note.to_string(),
        };
        notes.iter().map(line).collect()
    };
    let (lost, assumed) = (lines(&left_out), lines(&import.assumed));
    if found.is_empty() {
        let why = lost.join("\n");
        return Err(Refusal(format!("no design can be made:\n{why}")));
    }
    let mut outcome = match (&args.report, &args.out) {
        (Some(_), Destination::StandardOutput) => Outcome::default(),
        (_, out) => write_designs(&found, out)?,
    };
    match args.report {
        Some(ReportFormat::Text) => {
            let formats: Vec<&str> = import.formats.iter().map(|format| format.label()).collect();
            outcome.text = [
                format!("Format: {}\n", formats.join("; ")),
                found::describe(&found),
                found::list("Assumed", &assumed),
                found::list("Left out or changed", &lost),
            ]
            .concat();
        }
        Some(ReportFormat::Json) => {
            let formats = import.formats.iter().map(|format| format.name());
            let report = json!({
                "formats": formats.collect::<Value>(),
                "tables": found::as_json(&found),
                "assumed": found::notes(&import.assumed),
                "leftOut": found::notes(&left_out),
            });
            outcome.text = format!("{report:#}\n");
        }
        None => {
            for line in assumed.iter().chain(&lost) {
                let _ = writeln!(outcome.remarks, "keyfold: {line}");
            }
        }
    }
    outcome.findings = !left_out.is_empty();
    Ok(outcome)
}

/// Reads files, each with its name for messages.
pub fn read_files(
    paths: &[PathBuf],
    format: ImportFormat,
) -> Result<Vec<(String, Import)>, Refusal> {
    let mut files = Vec::new();
    for path in paths {
        let name = place(path);
        let bytes = read_bytes(path, MAX_BYTES as u64 + 1)?;
        let import = read(&name, &bytes, format.0);
        let import = import.map_err(|error| Refusal(format!("{name}: {error}")))?;
        files.push((name, import));
    }
    Ok(files)
}

/// Prints or writes designs: one as the ending of the file says, several as a folder or an archive.
pub fn write_designs(found: &[Found], out: &Destination) -> Result<Outcome, Refusal> {
    match (found, out) {
        ([Found { design, .. }], _) => {
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
fn files(found: &[Found]) -> Vec<File> {
    let mut taken = SortedSet::new();
    let mut files = Vec::new();
    for Found { design, .. } in found {
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

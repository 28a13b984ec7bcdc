//! `keyfold fmt` and `keyfold convert`: designs as text.

use crate::args::{ConvertArgs, FmtArgs, PatternArgs};
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write};
use crate::source::{find_pattern, place, read_source, read_text};
use keyfold_core::persist::to_json;
use keyfold_core::text::{TextProblem, describe, format, is_text, lower, parse, print};
use std::path::Path;

/// Prints the design of a pattern, as JSON or text.
pub fn pattern(args: &PatternArgs) -> Result<Outcome, Refusal> {
    let pattern = find_pattern(&args.name.0)?;
    if !args.text {
        return Ok(Outcome::text(pattern.json));
    }
    let design = pattern.design();
    let design = design.map_err(|error| Refusal(std::format!("{}: {error}", pattern.name)))?;
    Ok(Outcome::text(print(&design)))
}

/// Writes a design in the other form, or in the form of the file to write.
pub fn convert(args: &ConvertArgs) -> Result<Outcome, Refusal> {
    let source = read_source(&args.design)?;
    let text = match &args.out {
        Destination::StandardOutput => match source.is_text() {
            true => to_json(&source.design),
            false => print(&source.design),
        },
        Destination::Path(path) => match path.extension().and_then(|ending| ending.to_str()) {
            // A text stays as it is, with its comments.
            Some("keyfold") if source.is_text() => source.text.clone(),
            Some("keyfold") => print(&source.design),
            Some("json") => to_json(&source.design),
            _ => {
                return Err(Refusal(std::format!(
                    "{}: name a file that ends in .keyfold or .json",
                    path.display()
                )));
            }
        },
    };
    let mut outcome = write(text, &args.out)?;
    outcome.remarks = source.warnings;
    Ok(outcome)
}

/// Formats text, or checks that it is formatted.
pub fn fmt(args: &FmtArgs) -> Result<Outcome, Refusal> {
    let mut outcome = Outcome::default();
    for path in &args.files {
        let text = read_text(path)?;
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if start.starts_with(['{', '[']) {
            return Err(Refusal(std::format!(
                "{}: is JSON. Convert it with `keyfold convert`.",
                place(path)
            )));
        }
        let is_named = path.extension().is_some_and(|ending| ending == "keyfold");
        if path != Path::new("-") && !is_named && !is_text(&text) {
            return Err(Refusal(std::format!(
                "{}: is no Keyfold text: it does not begin with a block such as `table Orders (PK, SK)`, and its name does not end in .keyfold",
                place(path)
            )));
        }
        let formatted = format(&parse(&text));
        let problems = lower(&parse(&text), None).problems;
        outcome.remarks += &described(path, &text, &problems);
        outcome.findings |= args.check && problems.iter().any(|problem| problem.is_error);
        match (args.check, path == Path::new("-")) {
            (true, _) if formatted != text => {
                outcome.text += &std::format!("{}: is not formatted\n", place(path));
                outcome.findings = true;
            }
            (false, true) => outcome.text += &formatted,
            (false, false) if formatted != text => {
                write(formatted, &Destination::Path(path.clone()))?;
            }
            _ => {}
        }
    }
    Ok(outcome)
}

/// The problems of a text, each with its place.
fn described(path: &Path, text: &str, problems: &[TextProblem]) -> String {
    let lines = describe(text, problems);
    let place = place(path);
    (lines.lines())
        .map(|line| std::format!("keyfold: {place}: {line}\n"))
        .collect()
}

//! `keyfold merge`: the edits of two designs that come from one.

use crate::compare_args::MergeArgs;
use crate::formats::TakenSide;
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write};
use crate::source::{Source, form_of, parse_source, read_design_or_text, read_source};
use keyfold_app::merge as merge_designs;
use keyfold_app::text::joined;
use keyfold_compare::{Side, matched_for_merge};
use keyfold_core::model::Design;
use keyfold_core::persist::to_json;
use std::fmt::Write as _;
use std::path::Path;

/// Writes the merged design, or lists the conflicts, which are findings.
pub fn merge(args: &MergeArgs) -> Result<Outcome, Refusal> {
    let out = match &args.out {
        Some(out) => out.clone(),
        None => in_place(&args.ours)?,
    };
    let (mut ours, theirs) = (read_source(&args.ours)?, read_source(&args.theirs)?);
    let base = read_base(&args.base, &ours.design)?;
    ours.design = with_ids_of_base(&base, &ours);
    let theirs_design = with_ids_of_base(&base, &theirs);
    let side = match args.take {
        Some(TakenSide::Theirs) => Side::Theirs,
        Some(TakenSide::Ours) | None => Side::Ours,
    };
    let merged = merge_designs(&base.design, &ours.design, &theirs_design, &|_| side);
    let mut remarks = ours.warnings.clone() + &theirs.warnings;
    for conflict in &merged.conflicts {
        let text = merged.describe(&base.design, &ours.design, conflict);
        let taken = match args.take {
            Some(_) => format!(" (took {})", side.label()),
            None => String::new(),
        };
        let _ = writeln!(remarks, "keyfold: conflict: {text}{taken}");
    }
    if !merged.conflicts.is_empty() && args.take.is_none() {
        remarks.push_str(
            "keyfold: nothing was written. Choose a side with `--take ours` or `--take theirs`.\n",
        );
        return Ok(Outcome {
            findings: true,
            remarks,
            ..Outcome::default()
        });
    }
    let sources = [&base, &ours, &theirs];
    let is_text = form_of(&out).unwrap_or(true) && sources.iter().all(|source| source.is_text());
    // Comments and the order of lines come from both.
    let joined = is_text.then(|| {
        let [base, ours, theirs] = sources.map(Source::design_text);
        joined(&base, &ours, &theirs, &merged.design)
    });
    if let Some(None) = joined {
        remarks.push_str(
            "keyfold: the comments and the order of OURS are kept, those of THEIRS are not\n",
        );
    }
    let text = match joined.flatten() {
        Some(text) => text.text.to_string(),
        None => ours.changed(&merged.design, &out, &mut remarks),
    };
    let outcome = write(text, &out)?;
    Ok(Outcome { remarks, ..outcome })
}

/// The design of one side of a merge with the ids of the base.
fn with_ids_of_base(base: &Source, side: &Source) -> Design {
    let have_ids = !base.is_text() && !side.is_text();
    matched_for_merge(&base.design, &side.design, have_ids)
}

/// The file of our design, which the merge replaces.
fn in_place(ours: &Path) -> Result<Destination, Refusal> {
    let is_file = ours != Path::new("-")
        && !ours
            .to_str()
            .is_some_and(|text| text.starts_with("pattern:"));
    match is_file {
        true => Ok(Destination::Path(ours.to_owned())),
        false => Err(Refusal(
            "OURS is not a file: name the file to write with --out".to_owned(),
        )),
    }
}

/// Reads the design that both sides come from. Git passes an empty file if there is none: then a design without parts.
fn read_base(base: &Path, ours: &Design) -> Result<Source, Refusal> {
    let mut text = read_design_or_text(base)?;
    if text.trim().is_empty() {
        text = to_json(&Design::new(ours.name.clone()));
    }
    parse_source(base, text)
}

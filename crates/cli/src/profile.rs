//! `keyfold profile` and `keyfold infer`: tables of any size, from their items.

use crate::args::{InferArgs, ProfileArgs};
use crate::collected::{Collected, ProfileFile, VERSION};
use crate::formats::ReportFormat;
use crate::import::write_designs;
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write};
use keyfold_app::arrange::place_all;
use keyfold_import::found::{self, Found};
use keyfold_infer::{add_to, infer_profile};
use serde_json::json;

/// Prints or writes the profile of the items of files.
pub fn profile(args: &ProfileArgs) -> Result<Outcome, Refusal> {
    let all = Collected::of(&args.items)?;
    let file = ProfileFile {
        version: VERSION,
        profile: &all.profile,
    };
    let text = serde_json::to_string(&file).map_err(|error| Refusal(error.to_string()))?;
    let outcome = write(text + "\n", &args.items.out)?;
    Ok(all.with_remarks(outcome))
}

/// Prints or writes the design that the items of files or profiles show, or a report on it.
pub fn infer(args: &InferArgs) -> Result<Outcome, Refusal> {
    let all = Collected::of(&args.items)?;
    let inferred = infer_profile(&all.profile);
    let mut design = all.base.clone();
    add_to(&mut design, &inferred);
    place_all(&mut design);
    let found = [Found {
        design,
        inferred: Some(inferred),
    }];
    let mut outcome = match (&args.report, &args.items.out) {
        (Some(_), Destination::StandardOutput) => Outcome::default(),
        (_, out) => write_designs(&found, out)?,
    };
    match args.report {
        Some(ReportFormat::Text) => outcome.text = found::describe(&found),
        Some(ReportFormat::Json) => {
            let report = json!({
                "items": all.profile.items(),
                "tables": found::as_json(&found),
                "assumed": found::notes(&all.assumed),
                "leftOut": found::notes(&all.lost.notes),
            });
            outcome.text = format!("{report:#}\n");
        }
        None => {}
    }
    Ok(all.with_remarks(outcome))
}

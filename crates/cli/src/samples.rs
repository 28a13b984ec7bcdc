//! `keyfold generate` and `keyfold import-samples`: designs with more samples.

use crate::args::{GenerateArgs, ImportSamplesArgs};
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write};
use crate::source::{Source, place, read_source, read_text};
use crate::unknown_names::unknown;
use keyfold_app::{Command, SampleEdits, apply};
use keyfold_core::engine::generate::{self, Amount, Request, obstacle};
use keyfold_core::import::samples::read;
use keyfold_core::model::{Design, EntityId};
use std::fmt::Write as _;

/// Returns the entity with this name.
pub fn entity_named(design: &Design, name: &str) -> Result<EntityId, Refusal> {
    design.entity_named(name).ok_or_else(|| {
        let names = design.entities.values().map(|entity| entity.name.as_str());
        unknown("entity", name, "The design has", names)
    })
}

/// Prints or writes the design with generated samples.
pub fn generate(args: &GenerateArgs) -> Result<Outcome, Refusal> {
    let source = read_source(&args.design)?;
    let design = &source.design;
    let mut remarks = Vec::new();
    let request = Request {
        amounts: amounts(design, args, &mut remarks)?,
        replace: args.replace,
        seed: args.seed,
    };
    let mut generated = generate::generate(design, &request).map_err(Refusal)?;
    remarks.append(&mut generated.remarks);
    edit_samples(&source, generated.into(), &remarks, &args.out)
}

/// Prints or writes the design with the items of a file as samples.
pub fn import(args: &ImportSamplesArgs) -> Result<Outcome, Refusal> {
    let file = place(&args.file);
    if args.design == args.file {
        return Err(Refusal(format!(
            "{file}: cannot be both the design and its samples. Name two files."
        )));
    }
    let source = read_source(&args.design)?;
    let design = &source.design;
    let entity = args.entity.as_ref();
    let entity = entity.map(|name| entity_named(design, name)).transpose()?;
    let imported = read(design, &read_text(&args.file)?, entity)
        .map_err(|error| Refusal(format!("{file}: {error}")))?;
    let refused = imported.refused.iter();
    let remarks: Vec<String> = refused
        .map(|note| format!("{file}: left out: {note}"))
        .chain((imported.remarks.iter()).map(|note| format!("{file}: {note}")))
        .collect();
    edit_samples(&source, imported.into(), &remarks, &args.out)
}

/// Prints or writes the design after an edit of its samples, with remarks. A remark is a finding.
fn edit_samples(
    source: &Source,
    edits: SampleEdits,
    remarks: &[String],
    out: &Destination,
) -> Result<Outcome, Refusal> {
    let design = apply(&source.design, Command::EditSamples(Box::new(edits)))
        .map_err(|refused| Refusal(refused.to_string()))?;
    let mut lost = String::new();
    let text = source.changed(&design, out, &mut lost);
    let mut outcome = write(text, out)?;
    outcome.remarks.push_str(&source.warnings);
    outcome.remarks.push_str(&lost);
    for remark in remarks {
        let _ = writeln!(outcome.remarks, "keyfold: {remark}");
    }
    outcome.findings = !remarks.is_empty();
    Ok(outcome)
}

/// Returns the number of samples for each entity. Entities that `--each` cannot fill get a remark.
fn amounts(
    design: &Design,
    args: &GenerateArgs,
    remarks: &mut Vec<String>,
) -> Result<Vec<Amount>, Refusal> {
    let mut amounts = Vec::new();
    for count in &args.counts {
        amounts.push(Amount {
            entity: entity_named(design, &count.entity)?,
            count: count.count,
            per: None,
        });
    }
    for per in &args.per {
        amounts.push(Amount {
            entity: entity_named(design, &per.entity)?,
            count: per.count,
            per: Some(entity_named(design, &per.parent)?),
        });
    }
    if let Some(count) = args.each {
        for entity in design.entities.keys() {
            if amounts.iter().any(|amount| amount.entity == *entity) {
                continue;
            }
            match obstacle(design, *entity) {
                Some(obstacle) => remarks.push(obstacle),
                None => amounts.push(Amount {
                    entity: *entity,
                    count,
                    per: None,
                }),
            }
        }
    }
    if amounts.is_empty() && remarks.is_empty() {
        return Err(Refusal(
            "nothing to generate. Add --each N, --count ENTITY=N or --per PARENT:ENTITY=N.".into(),
        ));
    }
    Ok(amounts)
}

//! The commands that make samples, and those that write them to files of other programs.

use crate::args::Wanted;
use crate::output::write;
use crate::source::{place, read_design, read_text};
use crate::{Outcome, Refusal};
use keyfold_app::{Command, SampleEdits, apply};
use keyfold_core::engine::generate::{Amount, Request, generate, obstacle};
use keyfold_core::export::samples;
use keyfold_core::import::samples::read;
use keyfold_core::model::{Design, EntityId};
use keyfold_core::persist::to_json;
use std::fmt::Write as _;
use std::path::Path;

/// An export of the samples of an entity, or of all.
type Export = fn(&Design, Option<EntityId>) -> String;

/// The exports of samples, with what `--to` calls them.
pub const EXPORTS: [(&str, Export); 2] = [
    ("csv", samples::csv),
    ("dynamodb-json", samples::dynamodb_json),
];

/// The export of samples that `--to` calls so.
pub fn export_named(name: &str) -> Option<Export> {
    let export = EXPORTS.iter().find(|(other, _)| *other == name);
    export.map(|(_, export)| *export)
}

/// The entity of this name.
pub fn entity_named(design: &Design, name: &str) -> Result<EntityId, Refusal> {
    design.entity_named(name).ok_or_else(|| {
        let names: Vec<&str> = design.entities.values().map(|e| e.name.as_str()).collect();
        Refusal(format!(
            "there is no entity `{name}`; the design has: {}",
            names.join(", ")
        ))
    })
}

/// The design with generated samples.
pub fn generated(design: &Design, wanted: &Wanted, out: Option<&Path>) -> Result<Outcome, Refusal> {
    let mut remarks = Vec::new();
    let request = Request {
        amounts: amounts(design, wanted, &mut remarks)?,
        replace: wanted.replace,
        seed: wanted.seed.unwrap_or(1),
    };
    let mut generated = generate(design, &request).map_err(Refusal)?;
    remarks.append(&mut generated.remarks);
    changed(design, generated.into(), &remarks, out)
}

/// The design with the samples of a file.
pub fn imported(
    design: &Path,
    file: &Path,
    entity: Option<&str>,
    out: Option<&Path>,
) -> Result<Outcome, Refusal> {
    if design == file {
        return Err(Refusal(format!(
            "{}: the design and its samples are two files",
            place(file)
        )));
    }
    let design = read_design(design)?;
    let entity = entity.map(|name| entity_named(&design, name)).transpose()?;
    let imported = read(&design, &read_text(file)?, entity)
        .map_err(|error| Refusal(format!("{}: {error}", place(file))))?;
    let refused = imported.refused.iter();
    let remarks: Vec<String> = refused
        .map(|note| format!("{}: left out: {note}", place(file)))
        .chain(
            imported
                .remarks
                .iter()
                .map(|note| format!("{}: {note}", place(file))),
        )
        .collect();
    changed(&design, imported.into(), &remarks, out)
}

/// The design after a change of its samples, with remarks beside it.
fn changed(
    design: &Design,
    edits: SampleEdits,
    remarks: &[String],
    out: Option<&Path>,
) -> Result<Outcome, Refusal> {
    let design = apply(design, Command::EditSamples(Box::new(edits)))
        .map_err(|refused| Refusal(refused.to_string()))?;
    let mut outcome = write(to_json(&design), out)?;
    for remark in remarks {
        let _ = writeln!(outcome.remarks, "keyfold: {remark}");
    }
    outcome.findings = !remarks.is_empty();
    Ok(outcome)
}

/// What the options ask for, entity by entity. What `--each` cannot have rows is remarked.
fn amounts(
    design: &Design,
    wanted: &Wanted,
    remarks: &mut Vec<String>,
) -> Result<Vec<Amount>, Refusal> {
    let mut amounts = Vec::new();
    for text in &wanted.counts {
        let (name, count) = counted("--count", "ENTITY", text)?;
        amounts.push(Amount {
            entity: entity_named(design, name)?,
            count,
            per: None,
        });
    }
    for text in &wanted.per {
        let (names, count) = counted("--per", "PARENT:ENTITY", text)?;
        let (parent, name) = names
            .split_once(':')
            .ok_or_else(|| Refusal(format!("--per `{text}`: write PARENT:ENTITY=N")))?;
        amounts.push(Amount {
            entity: entity_named(design, name)?,
            count,
            per: Some(entity_named(design, parent)?),
        });
    }
    if let Some(count) = wanted.each {
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
            "`generate` needs --each N, --count ENTITY=N or --per PARENT:ENTITY=N".into(),
        ));
    }
    Ok(amounts)
}

/// What stands before and behind the last `=`.
fn counted<'a>(option: &str, what: &str, text: &'a str) -> Result<(&'a str, u32), Refusal> {
    let parts = text.rsplit_once('=');
    parts
        .and_then(|(name, count)| Some((name, count.parse().ok()?)))
        .ok_or_else(|| Refusal(format!("{option} `{text}`: write {what}=N")))
}

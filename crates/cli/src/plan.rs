//! The change plan on the command line.

use crate::args::Versions;
use crate::output::write;
use crate::source::{find_pattern, place, read_text};
use crate::{Outcome, Refusal};
use keyfold_app::export::read_version;
use keyfold_core::export::change_plan::{
    ChangePlan, DataChange, DataKind, StepKind, Version, change_plan, text,
};
use serde_json::{Value, json};
use std::path::Path;

/// The plan, or the template of one of its updates. There is a finding if the table has to be made anew.
pub fn planned(versions: &Versions) -> Result<Outcome, Refusal> {
    let table = versions.table.as_deref();
    let (old, new) = (
        version(&versions.old, table)?,
        version(&versions.new, table)?,
    );
    let plan = change_plan(&old, &new);
    let printed = match (versions.step, versions.format.as_str()) {
        (Some(number), _) => {
            let step = number.checked_sub(1).and_then(|at| plan.steps.get(at));
            let step = step.ok_or_else(|| {
                Refusal(format!(
                    "--step {number}: the plan has {} updates",
                    plan.steps.len()
                ))
            })?;
            step.template().text
        }
        (None, "text") => text(&plan).text,
        (None, "json") => format!("{:#}\n", as_json(&plan)),
        (None, other) => {
            return Err(Refusal(format!("--format is text or json, not `{other}`")));
        }
    };
    let outcome = write(printed, versions.out.as_deref())?;
    Ok(Outcome {
        findings: !plan.replacement.is_empty(),
        ..outcome
    })
}

/// Reads a design or a template.
fn version(source: &Path, table: Option<&str>) -> Result<Version, Refusal> {
    let name = source
        .to_str()
        .and_then(|text| text.strip_prefix("pattern:"));
    let text = match name {
        Some(name) => find_pattern(name)?.json.to_owned(),
        None => read_text(source)?,
    };
    read_version(&text, table).map_err(|message| {
        let hint = match message.contains("several tables") {
            true => " (--table ID)",
            false => "",
        };
        Refusal(format!("{}: {message}{hint}", place(source)))
    })
}

fn as_json(plan: &ChangePlan) -> Value {
    let steps = plan.steps.iter().map(|step| {
        let (kind, name) = match &step.kind {
            StepKind::Settings => ("settings", None),
            StepKind::CreateIndex(name) => ("createIndex", Some(name)),
            StepKind::DeleteIndex(name) => ("deleteIndex", Some(name)),
            StepKind::AddReplica(region) => ("addReplica", Some(region)),
            StepKind::RemoveReplica(region) => ("removeReplica", Some(region)),
            StepKind::NewTable => ("newTable", None),
            StepKind::Import => ("import", None),
        };
        json!({
            "kind": kind,
            "name": name,
            "changes": step.changes,
            "backfill": step.backfill.iter().map(data).collect::<Value>(),
            "template": step.template().text,
        })
    });
    json!({
        "replacement": plan.replacement,
        "steps": steps.collect::<Value>(),
        "data": plan.data.iter().map(data).collect::<Value>(),
        "remarks": plan.remarks,
    })
}

fn data(change: &DataChange) -> Value {
    let kind = match change.kind {
        DataKind::Add => "add",
        DataKind::AddUnlessThere => "addUnlessThere",
        DataKind::Rewrite => "rewrite",
        DataKind::Move => "move",
        DataKind::Remove => "remove",
        DataKind::Condition => "condition",
        DataKind::Orphaned => "orphaned",
        DataKind::Copy => "copy",
    };
    let attributes = change.attributes.iter().map(|written| {
        json!({ "name": written.attribute, "before": written.before, "after": written.after })
    });
    json!({
        "kind": kind,
        "entity": change.entity,
        "index": change.index,
        "attributes": attributes.collect::<Value>(),
    })
}

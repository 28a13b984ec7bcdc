//! `keyfold plan`: the stack updates from one version of a table to another.

use crate::args::PlanArgs;
use crate::formats::ReportFormat;
use crate::outcome::{Outcome, Refusal};
use crate::output::write;
use crate::source::{parse_source, place, read_design_or_text};
use keyfold_app::export::read_version;
use keyfold_compare::matched_with_remarks;
use keyfold_core::export::change_plan::{
    ChangePlan, DataChange, DataKind, StepKind, Version, change_plan, text,
};
use keyfold_core::persist::to_json;
use keyfold_core::text::is_text;
use serde_json::{Value, json};
use std::path::Path;

/// Prints or writes the plan, or the template of one update. The replacement of the table is a finding.
pub fn plan(args: &PlanArgs) -> Result<Outcome, Refusal> {
    let table = args.table.as_deref();
    let mut warnings = String::new();
    let (old, old_is_text) = read_table(&args.old, table, &mut warnings)?;
    let (mut new, new_is_text) = read_table(&args.new, table, &mut warnings)?;
    if old.has_entities && new.has_entities {
        // Text has no ids: names and content tell what was renamed.
        let have_ids = !old_is_text && !new_is_text;
        let (design, remarks) = matched_with_remarks(&old.design, &new.design, have_ids);
        new.design = design;
        new.remarks.extend(remarks);
    }
    let plan = change_plan(&old, &new);
    let printed = match (args.step, args.format) {
        (Some(number), _) => {
            let step = number.checked_sub(1).and_then(|at| plan.steps.get(at));
            let step = step.ok_or_else(|| {
                let updates = plan.steps.len();
                Refusal(format!("--step {number}: the plan has {updates} updates"))
            })?;
            step.template().text
        }
        (None, ReportFormat::Text) => text(&plan).text,
        (None, ReportFormat::Json) => format!("{:#}\n", as_json(&plan)),
    };
    let outcome = write(printed, &args.out)?;
    Ok(Outcome {
        findings: !plan.replacement.is_empty(),
        remarks: warnings,
        ..outcome
    })
}

/// Reads the table of a design or of a template, and whether it is a design as text. Adds the warnings of the text.
fn read_table(
    source: &Path,
    table: Option<&str>,
    warnings: &mut String,
) -> Result<(Version, bool), Refusal> {
    let mut text = read_design_or_text(source)?;
    let is_text = is_text(&text);
    if is_text {
        // The plan reads designs as JSON, and templates.
        let read = parse_source(source, text)?;
        warnings.push_str(&read.warnings);
        text = to_json(&read.design);
    }
    let version = read_version(&text, table).map_err(|message| {
        let hint = match message.contains("several tables") {
            true => " (--table ID)",
            false => "",
        };
        Refusal(format!("{}: {message}{hint}", place(source)))
    })?;
    Ok((version, is_text))
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
            "first": step.first.iter().map(data).collect::<Value>(),
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
        DataKind::Rename => "rename",
        DataKind::Retype => "retype",
        DataKind::Delimiter => "delimiter",
        DataKind::Unused => "unused",
        DataKind::Remove => "remove",
        DataKind::Condition => "condition",
        DataKind::Store => "store",
        DataKind::KeyOnly => "keyOnly",
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
        "when": change.when,
        "attributes": attributes.collect::<Value>(),
    })
}

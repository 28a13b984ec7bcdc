//! `keyfold diff`: two designs by meaning.

use crate::compare_args::DiffArgs;
use crate::formats::DiffFormat;
use crate::outcome::{Outcome, Refusal};
use crate::output::write;
use crate::source::read_source;
use keyfold_app::comparison::DifferencesPicture;
use keyfold_compare::{Change, ChangeKind, Report, Served, matched_with_remarks};
use keyfold_core::export::change_plan::{sentence, title};
use keyfold_core::lint::Finding;
use serde_json::{Value, json};
use std::sync::Arc;

/// Prints or writes the differences. Any difference is a finding.
pub fn diff(args: &DiffArgs) -> Result<Outcome, Refusal> {
    let (old, new) = (read_source(&args.old)?, read_source(&args.new)?);
    let have_ids = !old.is_text() && !new.is_text();
    let (design, remarks) = matched_with_remarks(&old.design, &new.design, have_ids);
    let mut report = Report::new(&old.design, &design);
    report.remarks = remarks;
    let printed = match args.format {
        DiffFormat::Text => report.text(),
        DiffFormat::Markdown => report.markdown(),
        DiffFormat::Json => format!("{:#}\n", as_json(&report)),
        DiffFormat::Svg => DifferencesPicture::new(&report).svg(Default::default()),
    };
    let outcome = write(printed, &args.out)?;
    Ok(Outcome {
        findings: !report.is_empty(),
        remarks: old.warnings + &new.warnings,
        ..outcome
    })
}

fn as_json(report: &Report) -> Value {
    let effects = &report.effects;
    let keys = effects.keys.iter().map(|effect| {
        let entity = report.new.entities.get(&effect.entity);
        let index = match report.new.index_name(effect.index) {
            "" => report.old.index_name(effect.index),
            name => name,
        };
        json!({
            "entity": entity.map_or("", |entity| &entity.name),
            "index": index,
            "changed": effect.changed,
            "entered": effect.entered,
            "left": effect.left,
        })
    });
    let patterns = effects.patterns.iter().map(|effect| {
        let pattern = report.new.access_patterns.get(&effect.id);
        json!({
            "id": effect.id,
            "name": pattern.map_or("", |pattern| &pattern.name),
            "before": served(&effect.before),
            "after": served(&effect.after),
        })
    });
    let findings = |findings: &[Arc<Finding>]| -> Value {
        let finding = |finding: &Arc<Finding>| {
            json!({
                "code": finding.code,
                "severity": finding.severity.label(),
                "place": finding.place.to_string(),
                "message": finding.message,
            })
        };
        findings.iter().map(finding).collect()
    };
    let plan = &effects.plan;
    let first = plan.steps.iter().flat_map(|step| &step.first);
    let sections = report.sections().into_iter().map(|section| {
        let line = |line: &keyfold_compare::Line| json!({ "kind": line.kind.map(ChangeKind::label), "text": line.text() });
        json!({ "title": section.title, "lines": section.lines.iter().map(line).collect::<Value>() })
    });
    json!({
        "equal": report.is_empty(),
        "changes": report.diff.changes.iter().map(change).collect::<Value>(),
        "effects": {
            "keys": keys.collect::<Value>(),
            "accessPatterns": patterns.collect::<Value>(),
            "findings": {
                "new": findings(&effects.new_findings),
                "gone": findings(&effects.gone_findings),
            },
            "plan": {
                "replacement": plan.replacement,
                "steps": plan.steps.iter().map(|step| title(&step.kind)).collect::<Value>(),
                "data": first.chain(&plan.data).map(sentence).collect::<Value>(),
            },
        },
        "report": sections.collect::<Value>(),
    })
}

fn change(change: &Change) -> Value {
    json!({
        "kind": change.kind().label(),
        "part": change.part.to_string(),
        "path": change.path,
        "before": change.before,
        "after": change.after,
    })
}

fn served(served: &Served) -> Value {
    json!({
        "verdict": served.verdict.name(),
        "read": served.read.map(|(read, _)| read),
        "returned": served.read.map(|(_, returned)| returned),
        "units": served.units,
    })
}

//! The effects in words.

use super::{Line, Report, Section};
use crate::diff::{Change, ChangeKind};
use crate::effects::{KeyEffect, PatternEffect};
use crate::part::Part;
use crate::words::{Piece, pieces};
use keyfold_core::counted::counted;
use keyfold_core::export::change_plan::{DataChange, StepKind, sentence, title};
use keyfold_core::lint::Finding;
use keyfold_core::model::IndexId;

/// The sections of a report that say what the changes do.
pub fn sections(report: &Report) -> Vec<Section> {
    vec![
        Section {
            title: "Keys of items",
            lines: keys(report),
        },
        Section {
            title: "Effects on access patterns",
            lines: report
                .effects
                .patterns
                .iter()
                .map(|effect| pattern(report, effect))
                .collect(),
        },
        Section {
            title: "Findings",
            lines: findings(report),
        },
        Section {
            title: "Deployment",
            lines: deployment(report),
        },
    ]
}

fn words(text: String) -> Vec<Piece> {
    vec![Piece::Words(text)]
}

/// What the change of a template does to items, for the end of its line.
pub fn items_with_another_key(report: &Report, change: &Change) -> Option<String> {
    let Part::Entry(entity, index) = change.part else {
        return None;
    };
    let effects = report.effects.keys.iter();
    let effect = effects
        .into_iter()
        .find(|effect| (effect.entity, effect.index) == (entity, index))?;
    let count = match change.path.first().map(String::as_str) {
        Some("partition") => effect.partition,
        Some("sort") => effect.sort,
        _ => 0,
    };
    let verb = if count == 1 { "gets" } else { "get" };
    (count > 0).then(|| {
        format!(
            "; {} {verb} a different key",
            counted(count, "item", "items")
        )
    })
}

/// The items that get a different key in an index whose templates did not change, or that enter or leave an index.
fn keys(report: &Report) -> Vec<Line> {
    let has_line = |effect: &KeyEffect| {
        report.diff.changes.iter().any(|change| {
            change.part == Part::Entry(effect.entity, effect.index)
                && items_with_another_key(report, change).is_some()
        })
    };
    let mut lines = Vec::new();
    for effect in &report.effects.keys {
        let entity = report.new.entities.get(&effect.entity);
        let name = entity.map_or("", |entity| &entity.name);
        let place = |design: &keyfold_core::model::Design| match effect.index {
            IndexId::PRIMARY => "the table".to_owned(),
            index => design.index_name(index).to_owned(),
        };
        let mut add = |kind, count: usize, verbs: [&str; 2], place: String| {
            if count > 0 {
                let verb = verbs[usize::from(count != 1)];
                let items = counted(count, "item", "items");
                lines.push(Line {
                    kind: Some(kind),
                    part: Some(Part::Entry(effect.entity, effect.index)),
                    pieces: words(format!("{name}: {items} {verb} {place}")),
                });
            }
        };
        if !has_line(effect) {
            let verbs = ["gets a different key in", "get a different key in"];
            add(
                ChangeKind::Changed,
                effect.changed,
                verbs,
                place(&report.new),
            );
        }
        add(
            ChangeKind::Added,
            effect.entered,
            ["enters", "enter"],
            place(&report.new),
        );
        let old = match place(&report.new) {
            name if name.is_empty() => place(&report.old),
            name => name,
        };
        add(ChangeKind::Removed, effect.left, ["leaves", "leave"], old);
    }
    lines
}

fn pattern(report: &Report, effect: &PatternEffect) -> Line {
    let pattern = report.new.access_patterns.get(&effect.id);
    let name = pattern.map_or("", |pattern| &pattern.name);
    let (before, after) = (&effect.before, &effect.after);
    let mut said = Vec::new();
    if before.verdict != after.verdict {
        let (was, is) = (before.verdict.label(), after.verdict.label());
        said.push(format!("was {was}, is {is}"));
    }
    let compared = |verb: &str, before: usize, after: usize| {
        let (count, word) = match after > before {
            true => (after - before, "more"),
            false => (before - after, "fewer"),
        };
        let items = counted(count, &format!("{word} item"), &format!("{word} items"));
        (count > 0).then(|| format!("{verb} {items} ({after}, before {before})"))
    };
    match (before.read, after.read) {
        (Some(before), Some(after)) => {
            said.extend(compared("reads", before.0, after.0));
            said.extend(compared("returns", before.1, after.1));
        }
        (None, Some((read, _))) => said.push(format!("reads {}", counted(read, "item", "items"))),
        (Some(_), None) => said.push("reads no items: it cannot run".to_owned()),
        (None, None) => {}
    }
    if let (Some(before), Some(after)) = (before.units, after.units)
        && before != after
    {
        said.push(format!("takes {after} capacity units, before {before}"));
    }
    Line {
        kind: Some(ChangeKind::Changed),
        part: Some(Part::AccessPattern(effect.id)),
        pieces: words(format!("{name}: {}", said.join("; "))),
    }
}

fn findings(report: &Report) -> Vec<Line> {
    let line = |kind, finding: &Finding| Line {
        kind: Some(kind),
        part: None,
        pieces: pieces(&format!(
            "{} {}: {}",
            finding.code,
            finding.severity.label(),
            finding.message
        )),
    };
    let new = report
        .effects
        .new_findings
        .iter()
        .map(|finding| line(ChangeKind::Added, finding));
    let gone = report.effects.gone_findings.iter();
    new.chain(gone.map(|finding| line(ChangeKind::Removed, finding)))
        .collect()
}

/// The stack updates and the items to write; `keyfold plan` has them in full.
fn deployment(report: &Report) -> Vec<Line> {
    let plan = &report.effects.plan;
    let line = |pieces| Line {
        kind: None,
        part: None,
        pieces,
    };
    let mut lines: Vec<Line> = (plan.replacement.iter())
        .map(|reason| line(pieces(&format!("A new table is required: {reason}"))))
        .collect();
    let of_items = |change: &DataChange| {
        let names: Vec<&str> = (change.attributes.iter())
            .map(|written| written.attribute.as_str())
            .collect();
        let sentence = sentence(change);
        match sentence.strip_suffix(':') {
            Some(text) => format!("{text}: {}", names.join(", ")),
            None => sentence,
        }
    };
    for (number, step) in (1..).zip(&plan.steps) {
        for change in &step.first {
            let text = format!("Before update {number}: {}", of_items(change));
            lines.push(line(words(text)));
        }
        let of = plan.steps.len();
        let changes: Vec<&str> = (step.changes.iter())
            .map(|change| change.trim_end_matches('.'))
            .collect();
        // The reasons for a new table are above.
        let changes = match changes.is_empty() || step.kind == StepKind::NewTable {
            true => String::new(),
            false => format!(" ({})", changes.join("; ")),
        };
        let text = format!("Update {number} of {of}: {}{changes}", title(&step.kind));
        lines.push(line(pieces(&text)));
    }
    for change in &plan.data {
        lines.push(line(words(of_items(change))));
    }
    lines
}

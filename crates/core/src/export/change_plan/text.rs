//! The plan in words, for the command line and the page.

use super::super::writer::{Code, CodeWriter, Tag, one_line};
use super::{ChangePlan, DataChange, DataKind, Step, StepKind};

/// The plan as text: what is replaced, the stack updates, the data, remarks.
pub fn text(plan: &ChangePlan) -> Code {
    let mut out = CodeWriter::new();
    if plan.is_empty() {
        out.put("Nothing changes.").end_line();
    }
    if !plan.replacement.is_empty() {
        out.tag(Tag::Keyword, "The table has to be made anew.")
            .end_line();
    }
    for (number, step) in (1..).zip(&plan.steps) {
        if number > 1 || !plan.replacement.is_empty() {
            out.end_line();
        }
        let head = format!(
            "Update {number} of {}: {}",
            plan.steps.len(),
            title(&step.kind)
        );
        out.tag(Tag::Function, &head).end_line();
        lines(&mut out, &step.changes);
        if !step.backfill.is_empty() {
            out.put("  Items that the index is to hold need its key; they come into it as they are written:")
                .end_line();
            for change in &step.backfill {
                data(&mut out, change);
            }
        }
    }
    if !plan.data.is_empty() {
        if !plan.steps.is_empty() {
            out.end_line();
        }
        let deletes = |step: &Step| matches!(step.kind, StepKind::DeleteIndex(_));
        let title = match plan.steps.iter().any(deletes) {
            true => "Items to write, before an index goes that is still read",
            false => "Items to write",
        };
        out.tag(Tag::Function, title).end_line();
        for change in &plan.data {
            data(&mut out, change);
        }
    }
    if !plan.remarks.is_empty() {
        out.end_line();
        out.tag(Tag::Function, "Remarks").end_line();
        lines(&mut out, &plan.remarks);
    }
    out.finish()
}

/// What a step does, in a few words.
pub(super) fn title(kind: &StepKind) -> String {
    match kind {
        StepKind::Settings => "settings, in place".to_owned(),
        StepKind::CreateIndex(name) => format!("create the index {name}"),
        StepKind::DeleteIndex(name) => format!("delete the index {name}"),
        StepKind::AddReplica(region) => format!("add a replica in {region}"),
        StepKind::RemoveReplica(region) => format!("remove the replica in {region}"),
        StepKind::NewTable => "a new table, in a stack of its own".to_owned(),
        StepKind::Import => "another resource type, by import".to_owned(),
    }
}

fn lines(out: &mut CodeWriter, texts: &[String]) {
    for text in texts {
        out.put("  - ").put(&one_line(text)).end_line();
    }
}

fn data(out: &mut CodeWriter, change: &DataChange) {
    out.put("  - ").put(&one_line(&sentence(change))).end_line();
    if change.kind == DataKind::Copy {
        return;
    }
    for written in &change.attributes {
        out.put("      ")
            .tag(Tag::Key, &one_line(&written.attribute));
        match (&written.before, &written.after) {
            (None, None) => out.put(": a value of its own"),
            (None, Some(after)) => out.put(" = ").tag(Tag::Text, &one_line(after)),
            (Some(before), None) => out.put(", which was ").tag(Tag::Text, &one_line(before)),
            (Some(before), Some(after)) if before == after => {
                out.put(" = ").tag(Tag::Text, &one_line(after))
            }
            (Some(before), Some(after)) => (out.put(": ").tag(Tag::Text, &one_line(before)))
                .put(" becomes ")
                .tag(Tag::Text, &one_line(after)),
        };
        out.end_line();
    }
}

/// What is to be done, in a sentence that ends before the attributes.
pub(super) fn sentence(change: &DataChange) -> String {
    let entity = change.entity.as_deref().unwrap_or("all items");
    let index = match &change.index {
        Some(index) => format!(" ({index})"),
        None => String::new(),
    };
    match change.kind {
        DataKind::Add => format!("{entity}: write what existing items lack{index}:"),
        DataKind::AddUnlessThere => {
            format!("{entity}: write, unless existing items have it{index}:")
        }
        DataKind::Rewrite => format!("{entity}: write anew{index}:"),
        DataKind::Move => {
            format!("{entity}: put each item under its new primary key, delete the old one:")
        }
        DataKind::Remove => {
            format!("{entity}: remove, or the items stay where they were{index}:")
        }
        DataKind::Condition => format!(
            "{entity}: the condition changed under which an item is in the index{index}; write or remove:"
        ),
        DataKind::Orphaned => {
            format!("{entity} is gone from the design: delete its items, or leave them")
        }
        DataKind::Copy => {
            let first = change.attributes.first();
            let name = |name: Option<&String>| name.cloned().unwrap_or_default();
            format!(
                "Copy all items from {} to {}: such as an export to S3 and an import, or a scan and writes while the \
                 application writes to both.",
                name(first.and_then(|first| first.before.as_ref())),
                name(first.and_then(|first| first.after.as_ref()))
            )
        }
    }
}

//! The plan as text, for the command line and the page.

use super::super::writer::{Code, CodeWriter, Tag, one_line};
use super::plan::{ChangePlan, PlanStep, StepKind};
use super::{DataChange, DataKind};

/// Writes the plan as text: reasons for a new table, stack updates, item changes, remarks.
pub fn text(plan: &ChangePlan) -> Code {
    let mut out = CodeWriter::new();
    if plan.is_empty() {
        out.put("No changes.").end_line();
    }
    if !plan.replacement.is_empty() {
        out.tag(Tag::Keyword, "A new table is required.").end_line();
    }
    for (number, step) in (1..).zip(&plan.steps) {
        if number > 1 || !plan.replacement.is_empty() {
            out.end_line();
        }
        if !step.first.is_empty() {
            let head = format!("Before update {number}");
            out.tag(Tag::Function, &head).put(
                ", once no index has these attributes with the old type: deploy the new writers, then write all items again. Until \
                 then, DynamoDB refuses values of the new type, and after this update those of the old one.",
            );
            out.end_line();
            for change in &step.first {
                data(&mut out, change);
            }
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
            out.put("  Items need the key attributes of the index. An item enters the index when you write it:")
                .end_line();
            for change in &step.backfill {
                data(&mut out, change);
            }
        }
    }
    let deletes = |step: &PlanStep| matches!(step.kind, StepKind::DeleteIndex(_));
    let writes = match plan.steps.iter().any(deletes) {
        true => "Items to write before you delete an index that is still read",
        false => "Items to write",
    };
    let mut is_first = plan.steps.is_empty();
    for (title, is_cleanup) in [
        (writes, false),
        ("Last, once nothing reads them anymore", true),
    ] {
        let mut changes = (plan.data.iter())
            .filter(|change| change.is_cleanup() == is_cleanup)
            .peekable();
        if changes.peek().is_none() {
            continue;
        }
        if !is_first {
            out.end_line();
        }
        is_first = false;
        out.tag(Tag::Function, title).end_line();
        for change in changes {
            data(&mut out, change);
        }
    }
    if !plan.remarks.is_empty() {
        out.end_line();
        out.tag(Tag::Function, "Notes").end_line();
        lines(&mut out, &plan.remarks);
    }
    out.finish()
}

/// Returns a short title of a step.
pub fn title(kind: &StepKind) -> String {
    match kind {
        StepKind::Settings => "change settings in place".to_owned(),
        StepKind::CreateIndex(name) => format!("create the index {name}"),
        StepKind::DeleteIndex(name) => format!("delete the index {name}"),
        StepKind::AddReplica(region) => format!("add a replica in {region}"),
        StepKind::RemoveReplica(region) => format!("remove the replica in {region}"),
        StepKind::NewTable => "create a new table, in a separate stack".to_owned(),
        StepKind::Import => "change the resource type, by import".to_owned(),
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
            (None, None) if change.kind.lists_names() => &mut *out,
            (_, Some(after)) if change.kind == DataKind::Rename => {
                out.put(" becomes ").tag(Tag::Key, &one_line(after))
            }
            (None, None) => out.put(": the item's own value"),
            (None, Some(after)) => out.put(" = ").tag(Tag::Text, &one_line(after)),
            (Some(before), None) => out.put(", previously ").tag(Tag::Text, &one_line(before)),
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

/// Returns an instruction, which ends before the attributes.
pub fn sentence(change: &DataChange) -> String {
    let entity = change.entity.as_deref().unwrap_or("All items");
    let when = match &change.when {
        Some(when) => format!(", on items with: {when}"),
        None => String::new(),
    };
    let index = match &change.index {
        Some(index) => format!(" ({index})"),
        None => String::new(),
    };
    match change.kind {
        DataKind::Add => format!("{entity}: write the missing attributes{index}{when}:"),
        DataKind::AddUnlessThere => {
            format!("{entity}: write the attributes, unless existing items have them{index}{when}:")
        }
        DataKind::Rewrite => {
            let readers = match change.index {
                Some(_) => "; until all are, readers must query the old key, too",
                None => "",
            };
            format!("{entity}: rewrite these attributes{index}{when}{readers}:")
        }
        DataKind::Move => format!(
            "{entity}: put each item under its new primary key, let readers switch, then delete the item under the old key, if \
             the two keys differ:"
        ),
        DataKind::Rename => {
            format!(
                "{entity}: copy the values of renamed attributes, and remove the old ones once nothing reads them:"
            )
        }
        DataKind::Retype => {
            format!("{entity}: write these attributes again with another type{index}{when}:")
        }
        DataKind::Delimiter => {
            format!(
                "{entity} with a key value that contains the delimiter or %: write the keys again:"
            )
        }
        DataKind::Remove => {
            format!("{entity}: remove the attributes, or the items stay in the index{index}:")
        }
        DataKind::Condition => {
            let fit = match &change.when {
                Some(when) => format!(
                    "now only items with: {when}. Write these attributes there, and remove them from others"
                ),
                None => "now all items. Write these attributes where they are missing".to_owned(),
            };
            format!("{entity}: the condition of the index entry changed{index}: {fit}:")
        }
        DataKind::Store => {
            format!("{entity}: write these attributes, with the values in the keys:")
        }
        DataKind::KeyOnly => {
            format!("{entity}: remove these attributes, which are only part of keys now:")
        }
        DataKind::Unused => {
            let these = match change.attributes.len() {
                1 => "this attribute",
                _ => "these attributes",
            };
            format!("{entity}: remove {these}, which nothing writes anymore:")
        }
        DataKind::Orphaned => {
            format!("{entity} is no longer in the design: delete its items, or keep them")
        }
        DataKind::Copy => {
            let first = change.attributes.first();
            let name = |name: Option<&String>| name.cloned().unwrap_or_default();
            format!(
                "Copy all items from the old table ({}) to the new table ({}), for example with an export to S3 and an import, or with a Scan while the \
                 application writes to both tables.",
                name(first.and_then(|first| first.before.as_ref())),
                name(first.and_then(|first| first.after.as_ref()))
            )
        }
    }
}

//! What a fix would change, before it does.

use super::super::command::{Command, Refused};
use super::apply::{apply_fix, command};
use keyfold_core::lint::Fix;
use keyfold_core::model::{
    AccessPattern, Design, Index, IndexEntry, ItemKey, Operation, Projection, Value, WriteAction,
};
use keyfold_core::proof::{Verdict, verdict_of_keys};
use keyfold_core::slices::{finish, pause};

/// A fix that was tried.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The design as it would be; its views show the table before and after.
    pub after: Design,
    /// What would be different, in words and as template texts.
    pub changes: Vec<Change>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What it is of: `Order, GSI1 partition key`.
    pub what: String,
    /// As it is; `None`: it is not there.
    pub before: Option<String>,
    /// As it would be; `None`: it would go.
    pub after: Option<String>,
}

/// Tries a fix on a copy of the design.
pub fn preview(design: &Design, fix: &Fix) -> Result<Preview, Refused> {
    let mut after = design.clone();
    apply_fix(&mut after, fix.clone())?;
    let changes = changes(design, &after);
    Ok(Preview { after, changes })
}

/// Fixes of several findings that were tried one after the other.
#[derive(Debug, Clone)]
pub struct AllFixes {
    /// Those that work, each once, in order.
    pub fixes: Vec<Fix>,
    /// What they change together.
    pub preview: Preview,
    /// Why the others do not work.
    pub refused: Vec<Refused>,
}

impl AllFixes {
    /// The command that applies them as one step.
    pub fn command(self) -> Command {
        let title = self.fixes.first().map_or("fix all", Fix::title);
        let commands = self.fixes.into_iter().map(command);
        Command::Together {
            label: title,
            commands: commands.collect(),
        }
    }
}

/// Tries the fixes of several findings on one copy of the design, one after the other. The same fix of two findings counts
/// once, and one that is refused after the earlier ones is left out.
pub fn preview_all(design: &Design, fixes: &[Fix]) -> AllFixes {
    finish(preview_all_in_slices(design.clone(), fixes.to_vec()))
}

/// As [`preview_all`], with a pause before each fix.
pub async fn preview_all_in_slices(design: Design, fixes: Vec<Fix>) -> AllFixes {
    let mut after = design.clone();
    let mut all = Vec::new();
    let mut refused = Vec::new();
    for fix in fixes {
        if all.contains(&fix) {
            continue;
        }
        pause().await;
        // A refused fix may leave a part behind.
        let mut next = after.clone();
        match apply_fix(&mut next, fix.clone()) {
            Ok(()) => {
                after = next;
                all.push(fix);
            }
            Err(why) => refused.push(why),
        }
    }
    let changes = changes(&design, &after);
    AllFixes {
        fixes: all,
        preview: Preview { after, changes },
        refused,
    }
}

/// The differences between a design and a later one.
fn changes(design: &Design, after: &Design) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut differ = |what: String, before: Option<String>, after: Option<String>| {
        if before != after {
            changes.push(Change {
                what,
                before,
                after,
            });
        }
    };
    worse(design, after, &mut differ);
    settings(design, after, &mut differ);
    // No fix adds an index.
    for index in design.index_ids() {
        let name = design.index_name(index);
        if !index.is_primary() {
            let shown = |design: &Design| design.indexes.get(&index).map(|index| shown(index));
            differ(name.to_owned(), shown(design), shown(after));
        }
    }
    for (id, entity) in &after.entities {
        let Some(old) = design.entities.get(id) else {
            continue;
        };
        for attribute in &entity.attributes {
            let text = |attribute: &keyfold_core::model::Attribute| {
                let required = if attribute.required {
                    "required"
                } else {
                    "optional"
                };
                let format = match &attribute.format {
                    Some(keyfold_core::model::Format::Ulid) => ", ULID",
                    _ => "",
                };
                let key_only = if attribute.key_only { ", key-only" } else { "" };
                format!("{}, {required}{key_only}{format}", attribute.kind)
            };
            let what = format!("{}.{}", entity.name, attribute.name);
            differ(
                what,
                old.attribute(&attribute.name).map(text),
                Some(text(attribute)),
            );
        }
        for index in design.index_ids() {
            let (before, now) = (old.keys.get(&index), entity.keys.get(&index));
            let name = design.index_name(index);
            type Side = fn(&IndexEntry) -> Option<String>;
            let sides: [(&str, Side); 2] = [
                ("partition", |entry| entry.partition.clone()),
                ("sort", |entry| entry.sort.clone()),
            ];
            for (part, text) in sides {
                let what = format!("{}, {name} {part} key", entity.name);
                differ(what, before.and_then(text), now.and_then(text));
            }
        }
    }
    for (id, pattern) in &after.access_patterns {
        let old = design.access_patterns.get(id);
        let before = old.map(|pattern| operation(design, pattern));
        let what = format!("access pattern {}", pattern.name);
        differ(what, before, Some(operation(after, pattern)));
        // No fix adds a value.
        for (name, value) in old.iter().flat_map(|old| &old.parameters) {
            let what = format!("access pattern {}, value of `{name}`", pattern.name);
            let now = pattern.parameters.get(name);
            differ(what, Some(value.to_text()), now.map(Value::to_text));
        }
    }
    for (id, pattern) in &design.access_patterns {
        if !after.access_patterns.contains_key(id) {
            let what = format!("access pattern {}", pattern.name);
            differ(what, Some(operation(design, pattern)), None);
        }
    }
    changes
}

/// The access patterns that the fix leaves without what served them: first, since they are easily overlooked.
fn worse(design: &Design, after: &Design, differ: Differ) {
    for (id, pattern) in &after.access_patterns {
        let Some(old) = design.access_patterns.get(id) else {
            continue;
        };
        let [before, now] =
            [(design, old), (after, pattern)].map(|(of, pattern)| verdict_of_keys(of, pattern));
        if now > before {
            let label = |verdict: Verdict| Some(verdict.label().to_owned());
            let what = format!("access pattern {}, verdict", pattern.name);
            differ(what, label(before), label(now));
        }
    }
}

type Differ<'a> = &'a mut dyn FnMut(String, Option<String>, Option<String>);

fn settings(before: &Design, after: &Design, differ: Differ) {
    let (old, new) = (&before.table, &after.table);
    let on = |on: bool| Some(if on { "on" } else { "off" }.to_owned());
    differ(
        "point-in-time recovery".to_owned(),
        on(old.recovery.is_some()),
        on(new.recovery.is_some()),
    );
    differ(
        "deletion protection".to_owned(),
        on(old.deletion_protection),
        on(new.deletion_protection),
    );
    differ(
        "type attribute".to_owned(),
        old.type_attribute.clone(),
        new.type_attribute.clone(),
    );
    if old.billing != new.billing {
        differ("auto scaling of the table".to_owned(), on(false), on(true));
    }
}

fn shown(index: &Index) -> String {
    let projection = match &index.projection {
        Projection::All => "all attributes".to_owned(),
        Projection::KeysOnly => "keys only".to_owned(),
        Projection::Include(names) => names.join(", "),
    };
    let scaled = (index.provisioned.as_ref()).is_some_and(|given| given.write_scaling.is_some());
    let scaling = if scaled { ", auto scaling" } else { "" };
    format!("{}, {projection}{scaling}", index.kind.label())
}

/// An operation in one line: where it reads and with which templates and expressions.
fn operation(design: &Design, pattern: &AccessPattern) -> String {
    let operation = &pattern.operation;
    let mut text = operation.name().to_owned();
    if let Some(index) = operation.index() {
        text += " ";
        text += design.index_name(index);
    }
    let mut add = |more: &str| {
        text += " ";
        text += more;
    };
    let key = |key: &ItemKey| match &key.sort {
        Some(sort) => format!("{} / {sort}", key.partition),
        None => key.partition.clone(),
    };
    match operation {
        Operation::GetItem { key: of, read } => {
            add(&key(of));
            add(if read.consistent { "consistent" } else { "" });
        }
        Operation::Query {
            partition,
            sort,
            read,
            ..
        } => {
            partition.iter().for_each(|text| add(text));
            for condition in sort {
                add(condition.operator.symbol());
                add(&condition.value);
                add(condition.upper.as_deref().unwrap_or(""));
            }
            add(read.filter.as_deref().unwrap_or(""));
            add(if read.consistent { "consistent" } else { "" });
        }
        Operation::Scan { read, .. } => add(read.filter.as_deref().unwrap_or("")),
        Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
            keys.iter().for_each(|of| add(&key(of)));
        }
        Operation::Write(action) => write(action, &key, &mut add),
        Operation::TransactWriteItems { actions } => {
            actions
                .iter()
                .for_each(|action| write(action, &key, &mut add));
        }
    }
    while text.ends_with(' ') {
        text.pop();
    }
    text
}

fn write(action: &WriteAction, key: &dyn Fn(&ItemKey) -> String, add: &mut dyn FnMut(&str)) {
    add(action.name());
    if let Some(of) = action.key() {
        add(&key(of));
    }
    if let Some(update) = action.update() {
        add(update);
    }
    add(action.condition().unwrap_or(""));
}

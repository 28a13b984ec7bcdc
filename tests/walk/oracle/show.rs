//! What the page must show of a design.

use super::{Known, Memory};
use keyfold_app::grid::cells::locked;
use keyfold_app::grid::column_order::ColumnOrder;
use keyfold_app::grid::one_entity::{has_column, only_entity};
use keyfold_app::grid::{Line, Sheet, SheetOptions, SortBy};
use keyfold_app::note::{NOTE_PLACEHOLDER, note_lines, note_name};
use keyfold_app::picture::condition_text;
use keyfold_app::problems::{FindingFilter, Grouping, filtered_findings};
use keyfold_app::viewport::Detail;
use keyfold_core::engine::key_sources::is_in_index;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{ColumnRole, Item, ValueRef, View, materialize_all, view};
use keyfold_core::export::FORMATS;
use keyfold_core::lint::{Place, Severity};
use keyfold_core::model::{CardId, Design, EntityId, IndexId, KeySchema, Note, Projection};
use keyfold_core::proof;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// What is looked at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Looked {
    /// The design file.
    design: String,
    /// How the table or an index is looked at, if it is.
    table: Option<Table>,
    /// How the problems are, if they are.
    problems: Option<Problems>,
    /// Whether verdicts are wanted.
    #[serde(default)]
    verdicts: bool,
    /// The label of the export format that is shown, if one is.
    format: Option<String>,
}

/// How the table or an index is looked at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    index: IndexId,
    #[serde(default)]
    filter: String,
    #[serde(default)]
    without: Vec<EntityId>,
    sort: Option<(String, bool)>,
    /// What was done to the order of the columns and to which are shown, from the first to the last.
    #[serde(default)]
    arranged: Vec<Arranged>,
    /// The numbers of the first line that is wanted and of the one behind the last.
    #[serde(default)]
    lines: (usize, usize),
}

/// A step of arranging columns.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Arranged {
    /// A column was hidden, or shown again.
    Toggle(String),
    /// A column was put to the place of another, when these were the columns in their natural order, the first so
    /// many of which are keys.
    Put(String, String, Vec<String>, usize),
    /// All are shown.
    ShowAll,
}

/// How the problems are looked at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problems {
    #[serde(default)]
    search: String,
    severity: Option<String>,
    kind: Option<char>,
    #[serde(default)]
    grouping: String,
    #[serde(default)]
    silenced: bool,
}

/// What the page must show.
pub fn show(memory: &mut Memory, looked: &Looked) -> Result<Json, String> {
    let known = memory.design(&looked.design)?;
    let design = &known.design;
    let report = known.report();
    let counts = Severity::ALL.map(|severity| (severity.label(), report.count(severity)));
    let table = looked.table.as_ref();
    let table = table.map(|table| lines(&known, table)).transpose()?;
    let problems = looked.problems.as_ref().map(|wanted| found(&known, wanted));
    let verdicts = looked.verdicts.then(|| verdicts(design));
    let format = looked.format.as_ref();
    let files = format.and_then(|label| {
        let format = FORMATS.into_iter().find(|format| format.label == label)?;
        let files = format.files(design).into_iter();
        Some(
            files
                .map(|f| json!([f.name, f.code.text]))
                .collect::<Vec<_>>(),
        )
    });
    Ok(json!({
        "name": design.name,
        "entities": entities(design),
        "indexes": indexes(design),
        "notes": notes(design),
        "patterns": design.access_patterns.iter()
            .map(|(id, p)| json!({ "id": id, "name": p.name, "kind": p.operation.name() }))
            .collect::<Vec<_>>(),
        "counts": counts,
        "open": report.open().count(),
        "table": table,
        "problems": problems,
        "verdicts": verdicts,
        "files": files,
    }))
}

fn place(design: &Design, card: CardId) -> Json {
    json!(design.layout.get(&card))
}

fn entities(design: &Design) -> Vec<Json> {
    let items = materialize_all(design);
    let keys = |entity: &keyfold_core::model::Entity| {
        let mut all = Vec::new();
        for (index, entry) in &entity.keys {
            let schema = design.key(*index);
            let first = |part: fn(&KeySchema) -> Option<&keyfold_core::model::KeyAttribute>| {
                schema.and_then(part).map(|a| a.name.clone())
            };
            let when: Vec<String> = entry.when.iter().map(condition_text).collect();
            all.push(json!({
                "index": index,
                "name": if index.is_primary() { "Table" } else { design.index_name(*index) },
                "partition": [first(|key| key.partition.first()), entry.partition],
                "sort": [first(|key| key.sort.first()), entry.sort],
                "when": when,
                "key": schema.into_iter().flat_map(KeySchema::attributes).map(|a| &a.name)
                    .collect::<Vec<_>>(),
            }));
        }
        all
    };
    (design.entities.iter())
        .map(|(id, entity)| {
            json!({
                "id": id,
                "name": entity.name,
                "description": entity.description,
                "hue": entity.hue,
                "rows": design.samples_of(*id).len(),
                "failing": items.get(id).map_or(0, |items| items.with_problems()),
                "keys": keys(entity),
                "attributes": entity.attributes.iter()
                    .map(|a| json!({
                        "id": a.id, "name": a.name, "kind": a.kind.label(), "word": a.kind.word(),
                        "required": a.required,
                    }))
                    .collect::<Vec<_>>(),
                "place": place(design, CardId::Entity(*id)),
            })
        })
        .collect()
}

fn indexes(design: &Design) -> Vec<Json> {
    let members = |id: IndexId| {
        (design.entities.values())
            .filter(|entity| is_in_index(design, entity, id))
            .count()
    };
    let key = |key: &KeySchema| {
        let side = |attributes: &[keyfold_core::model::KeyAttribute], side: &str| {
            let one =
                |a: &keyfold_core::model::KeyAttribute| json!([side, a.name, a.kind.letter()]);
            attributes.iter().map(one).collect::<Vec<_>>()
        };
        [side(&key.partition, "partition"), side(&key.sort, "sort")].concat()
    };
    let table = json!({
        "id": IndexId::PRIMARY,
        "name": design.table.name,
        "kind": "Table",
        "key": key(&design.table.key),
        "members": members(IndexId::PRIMARY),
        "place": place(design, CardId::Index(IndexId::PRIMARY)),
    });
    let secondary = design.indexes.iter().map(|(id, index)| {
        let foot = match &index.projection {
            Projection::All => "all attributes".to_owned(),
            Projection::KeysOnly => "keys only".to_owned(),
            Projection::Include(names) => format!("keys, {}", names.join(", ")),
        };
        json!({
            "id": id,
            "name": index.name,
            "kind": index.kind.label(),
            "key": key(&index.key),
            "foot": foot,
            "members": members(*id),
            "place": place(design, CardId::Index(*id)),
        })
    });
    std::iter::once(table).chain(secondary).collect()
}

fn notes(design: &Design) -> Vec<Json> {
    let lines = |note: &Note, detail| match note_lines(note, detail).join("\n") {
        none if none.is_empty() => NOTE_PLACEHOLDER.to_owned(),
        lines => lines,
    };
    (design.notes.iter())
        .map(|(id, note)| {
            json!({
                "id": id,
                "text": note.text,
                "label": note_name(note),
                "lines": lines(note, Detail::All),
                "line": lines(note, Detail::Names),
                "hue": note.hue,
                "place": place(design, CardId::Note(*id)),
            })
        })
        .collect()
}

/// The names of an index's columns in their natural order: first those of its view, then what its items have but it
/// does not project. With the number of keys among them and of those that are projected.
fn natural(design: &Design, view: &View) -> (Vec<String>, usize, usize) {
    let is_key = |role: ColumnRole| matches!(role, ColumnRole::Partition | ColumnRole::Sort);
    let mut names: Vec<String> = view
        .columns
        .iter()
        .map(|column| column.name.clone())
        .collect();
    let keys = view
        .columns
        .iter()
        .take_while(|column| is_key(column.role))
        .count();
    let projected = names.len();
    if let Some(content) = &view.content {
        for entity in design
            .entities
            .values()
            .filter(|e| e.keys.contains_key(&view.index))
        {
            let own = entity.attributes.iter().map(|attribute| &attribute.name);
            for name in design.table.type_attribute.iter().chain(own) {
                if !content.shows(name) && !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
    }
    (names, keys, projected)
}

/// The lines of a table or an index.
pub fn sheet(design: &Design, table: &Table) -> Sheet {
    let items: Vec<_> = materialize_all(design).into_values().collect();
    let shown = SheetOptions {
        filter: table.filter.clone(),
        hidden_entities: table.without.iter().copied().collect(),
        sort: table
            .sort
            .clone()
            .map(|(column, descending)| SortBy { column, descending }),
    };
    Sheet::new(Arc::new(view(design, table.index, &items)), &shown)
}

/// The names of the columns that are shown.
pub fn columns(design: &Design, table: &Table, view: &View) -> Vec<String> {
    let (natural, keys, _) = natural(design, view);
    let mut layout = ColumnOrder::default();
    for step in &table.arranged {
        match step {
            Arranged::Toggle(name) => layout.toggle(name),
            Arranged::ShowAll => layout.show_all(),
            Arranged::Put(name, to, natural, keys) => {
                let natural: Vec<&str> = natural.iter().map(String::as_str).collect();
                layout.move_column(name, to, &natural, *keys);
            }
        }
    }
    let names: Vec<&str> = natural.iter().map(String::as_str).collect();
    let order = layout
        .order(&names, keys)
        .into_iter()
        .map(|at| natural[at].clone());
    let without = table.without.iter().copied().collect();
    let only = only_entity(design.entities.keys().copied(), &without);
    let only = only.and_then(|id| design.entities.get(&id));
    let role = |name: &str| {
        let column = view.columns.iter().find(|column| column.name == name);
        column.map_or(ColumnRole::Attribute, |column| column.role)
    };
    let is_shown = |name: &String| {
        let is_of_it = |entity| has_column(design, entity, name, role(name));
        layout.shows(name) && only.is_none_or(|entity| is_of_it(entity))
    };
    order.filter(is_shown).collect()
}

fn lines(known: &Known, table: &Table) -> Result<Json, String> {
    let design = &known.design;
    if design.key(table.index).is_none() {
        return Err(format!("no index {}", table.index));
    }
    let sheet = sheet(design, table);
    let view = sheet.view();
    let (natural, keys, projected) = natural(design, view);
    let columns = columns(design, table, view);
    let (from, to) = table.lines;
    let reason = |item: &Item, collides: bool| {
        let collision = collides.then(|| {
            "Another item has the same primary key. The last write replaces the other item."
                .to_owned()
        });
        let problems = item.problems().iter();
        let problems = problems.map(|problem| problem.describe(design.index_name(problem.index)));
        let all: Vec<String> = collision.into_iter().chain(problems).collect();
        (!all.is_empty()).then(|| all.join(" · "))
    };
    let mark = |item: &Item| {
        let place = Place::Sample(item.entity, item.id());
        known.report().open().any(|finding| finding.place == place)
    };
    let row = |item: &Item, text: Option<String>, severe: bool| {
        let cell = |name: &String| {
            let value = sheet.value(item, name).map(ValueRef::to_value);
            let is_projected = natural
                .iter()
                .position(|n| n == name)
                .is_some_and(|at| at < projected);
            json!([
                value.map(|value| value.to_text()),
                locked(design, item.entity, name).is_some() || !is_projected,
            ])
        };
        json!({
            "sample": item.id(),
            "entity": item.entity,
            "cells": columns.iter().map(cell).collect::<Vec<_>>(),
            "marked": text.is_some() || mark(item),
            "text": text,
            "severe": severe,
        })
    };
    let line = |at: usize| match sheet.line(at)? {
        Line::Row(number) => {
            let found = view.rows.get(number)?;
            let place = sheet.place(at)?;
            let mut line = row(
                &found.item,
                reason(&found.item, found.collides),
                found.collides,
            );
            line["first"] = json!(place.first);
            line["odd"] = json!(place.group % 2 == 1);
            Some(line)
        }
        Line::Refused(number) => {
            let item = &view.failed[number];
            Some(row(item, reason(item, false), true))
        }
        Line::Heading => Some(json!({ "heading": sheet.refused() })),
        Line::Reason(number) => Some(json!({ "reason": reason(&view.failed[number], false) })),
    };
    let lines: Vec<Option<Json>> = (from..to.min(sheet.len())).map(line).collect();
    // Where something can be done with a row.
    let items = (0..sheet.len()).filter_map(|at| sheet.item(at));
    Ok(json!({
        "count": sheet.len(),
        "rows": sheet.rows(),
        "all": view.rows.len(),
        "items": items.map(|item| json!([item.id(), item.entity])).collect::<Vec<_>>(),
        "columns": columns,
        "natural": natural,
        "keys": keys,
        "from": from,
        "lines": lines,
    }))
}

fn found(known: &Known, problems: &Problems) -> Json {
    let severity = |label: &String| Severity::ALL.into_iter().find(|s| s.label() == label);
    let wanted = FindingFilter {
        search: problems.search.clone(),
        severity: problems.severity.as_ref().and_then(severity),
        kind: problems.kind,
        grouping: Grouping::ALL
            .into_iter()
            .find(|grouping| grouping.label() == problems.grouping)
            .unwrap_or_default(),
        silenced: problems.silenced,
    };
    let lines = filtered_findings(&known.design, &known.report().findings, &wanted);
    let line = |line: &keyfold_app::problems::FindingRow| {
        json!({
            "code": line.finding.code,
            "at": line.finding.place.to_string(),
            "number": line.id.2,
            "severity": line.finding.severity.label(),
            "message": line.finding.message,
            "place": line.place,
            "heading": line.heading,
            "fix": line.finding.fix.as_ref().map(|fix| fix.title()),
        })
    };
    Json::Array(lines.iter().map(line).collect())
}

fn verdicts(design: &Design) -> Json {
    let stored = TableSnapshot::of(design);
    let one = |(id, pattern): (&_, &Arc<_>)| {
        let proof = proof::prove_pattern(&stored, pattern);
        json!({
            "id": id,
            "verdict": proof.verdict.label(),
            "name": proof.verdict.name(),
            "served": proof.verdict.is_served(),
            "suggestions": proof.suggestions.iter().map(|s| &s.text).collect::<Vec<_>>(),
        })
    };
    Json::Array(design.access_patterns.iter().map(one).collect())
}

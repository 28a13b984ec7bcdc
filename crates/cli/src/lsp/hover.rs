//! What is at a position: the keys of an entity's samples, what a template renders, what a word says.

use super::document::Document;
use keyfold_app::text::Symbol;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{IndexContent, Item, materialize_all};
use keyfold_core::model::{
    AccessPatternId, AttributeId, Design, EntityId, IndexId, KeyAttribute, KeyPart,
};
use keyfold_core::proof::prove;
use keyfold_core::text::{Part, explain};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use std::ops::Range;

/// The most samples that are shown.
const SAMPLES: usize = 5;

/// What is at a position, as Markdown.
pub fn hover(document: &Document, position: Position) -> Option<Hover> {
    let offset = document.offset(position);
    let (range, text) = match explain(&document.parse, offset) {
        Some((range, what)) => (range, what.to_owned()),
        None => described(document, position)?,
    };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        }),
        range: Some(document.range(range)),
    })
}

fn described(document: &Document, position: Position) -> Option<(Range<usize>, String)> {
    let Symbol { range, part } = document.symbol_at(position)?;
    let design = &document.lowered.design;
    let text = match part {
        Part::Table => table(design),
        Part::Index(id) => index(design, id)?,
        Part::Entity(id) => entity(design, id)?,
        Part::Attribute(id, attribute) => self::attribute(design, id, attribute)?,
        Part::Template(id, index, part) => template(design, id, index, part)?,
        Part::Pattern(id) => pattern(design, id)?,
        Part::Entry(..) | Part::Sample(..) | Part::Note(_) => return None,
    };
    Some((range, text))
}

/// A heading, then paragraphs; empty ones are left out.
fn written(heading: &str, paragraphs: &[String]) -> String {
    let heading = format!("**{heading}**");
    let rest = paragraphs.iter().filter(|text| !text.is_empty());
    let all: Vec<&str> = std::iter::once(&heading)
        .chain(rest)
        .map(String::as_str)
        .collect();
    all.join("\n\n")
}

/// Lines of code; empty for no lines.
fn code(lines: &[String]) -> String {
    match lines.is_empty() {
        true => String::new(),
        false => format!("```text\n{}\n```", lines.join("\n")),
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}.", if count == 1 { one } else { many })
}

/// `PK / SK`
fn key_names(design: &Design, index: IndexId) -> String {
    let names = |key: &[KeyAttribute]| {
        let names: Vec<&str> = key.iter().map(|key| key.name.as_str()).collect();
        names.join(", ")
    };
    let Some(key) = design.key(index) else {
        return String::new();
    };
    match key.sort.is_empty() {
        true => names(&key.partition),
        false => [names(&key.partition), names(&key.sort)].join(" / "),
    }
}

fn table(design: &Design) -> String {
    let key = format!("Primary key `{}`.", key_names(design, IndexId::PRIMARY));
    let entities = counted(design.entities.len(), "entity", "entities");
    written(&design.table.name, &[key, entities])
}

fn index(design: &Design, id: IndexId) -> Option<String> {
    let index = design.indexes.get(&id)?;
    let entities = design.entities.values();
    let members = entities.filter(|entity| entity.keys.contains_key(&id));
    let members: Vec<&str> = members.map(|entity| entity.name.as_str()).collect();
    let members = match members.is_empty() {
        true => "No entity is in this index.".to_owned(),
        false => format!("Entities: {}.", members.join(", ")),
    };
    let key = format!(
        "{} with key `{}`.",
        index.kind.label(),
        key_names(design, id)
    );
    Some(written(
        &index.name,
        &[index.description.clone(), key, members],
    ))
}

fn entity(design: &Design, id: EntityId) -> Option<String> {
    let entity = design.entities.get(&id)?;
    let items = items(design, id);
    let mut paragraphs = vec![entity.description.clone()];
    for index in entity.keys.keys() {
        let Some(content) = IndexContent::new(design, *index) else {
            continue;
        };
        let stored = items.iter().filter(|item| content.holds(item));
        let stored: Vec<String> = (stored.take(SAMPLES))
            .map(|item| {
                let values = content.key().attributes();
                let values = values.filter_map(|key| item.get(&key.name));
                let values: Vec<String> = values.map(|value| value.to_text()).collect();
                values.join(" / ")
            })
            .collect();
        if stored.is_empty() {
            continue;
        }
        let name = design.index_name(*index);
        paragraphs.push(format!("{name}: `{}`", key_names(design, *index)));
        paragraphs.push(code(&stored));
    }
    paragraphs.push(counted(items.len(), "sample", "samples"));
    Some(written(&entity.name, &paragraphs))
}

fn items(design: &Design, id: EntityId) -> Vec<Item> {
    let all = materialize_all(design);
    all.get(&id)
        .map_or(Vec::new(), |items| items.iter().collect())
}

/// Different texts, the first of them.
fn few(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut few: Vec<String> = Vec::new();
    for text in texts {
        if few.len() < SAMPLES && !few.contains(&text) {
            few.push(text);
        }
    }
    few
}

fn attribute(design: &Design, id: EntityId, attribute: AttributeId) -> Option<String> {
    let entity = design.entities.get(&id)?;
    let attribute = entity
        .attributes
        .iter()
        .find(|other| other.id == attribute)?;
    let required = if attribute.required {
        "required"
    } else {
        "optional"
    };
    let kind = format!("Type {}, {required}.", attribute.kind.label());
    let samples = design.samples_of(id).iter();
    let values = samples.filter_map(|sample| sample.values.get(&attribute.name));
    let values = few(values.map(|value| value.to_text()));
    let name = format!("{}.{}", entity.name, attribute.name);
    Some(written(
        &name,
        &[attribute.description.clone(), kind, code(&values)],
    ))
}

fn template(design: &Design, id: EntityId, index: IndexId, part: KeyPart) -> Option<String> {
    let key = design.key(index)?;
    let attributes = match part {
        KeyPart::Partition => &key.partition,
        KeyPart::Sort => &key.sort,
    };
    let name = attributes.first()?.name.as_str();
    let content = IndexContent::new(design, index)?;
    let items = items(design, id);
    let stored = items.iter().filter(|item| content.holds(item));
    let values = few(stored.filter_map(|item| Some(item.get(name)?.to_text())));
    let what = format!(
        "`{name}`, the {} of {}.",
        part.label(),
        design.index_name(index)
    );
    let none = match values.is_empty() {
        true => "No sample renders it.".to_owned(),
        false => String::new(),
    };
    let entity = design.entities.get(&id)?;
    Some(written(&entity.name, &[what, code(&values), none]))
}

fn pattern(design: &Design, id: AccessPatternId) -> Option<String> {
    let pattern = design.access_patterns.get(&id)?;
    let proof = prove(&TableSnapshot::of(design), id)?;
    let reasons = proof
        .reasons
        .iter()
        .map(|reason| format!("- {}", reason.text));
    let reasons: Vec<String> = reasons.collect();
    let verdict = format!("{}: {}.", pattern.operation.name(), proof.verdict.label());
    let name = &pattern.name;
    Some(written(
        name,
        &[pattern.description.clone(), verdict, reasons.join("\n")],
    ))
}

//! What is at a position: the keys of an entity's samples, what a template renders, what a word says.

use super::symbol::{Symbol, symbol_at};
use keyfold_core::counted::counted;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{EntityPlan, IndexContent, Item};
use keyfold_core::model::{
    AccessPatternId, AttributeId, Design, EntityId, IndexId, KeyAttribute, KeyPart,
};
use keyfold_core::proof::prove;
use keyfold_core::text::{Lowered, Parse, Part, explain, rule_at};
use std::ops::Range;

/// The most values that are shown.
const SHOWN: usize = 5;
/// The most samples that are read for it: the answer must come at once.
const SAMPLES: usize = 1000;

/// What is said about a place of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover<Position = usize> {
    /// The bytes that it is about.
    pub range: Range<Position>,
    /// The name of the part; empty for a word of the language.
    pub title: String,
    /// What is said, in order.
    pub paragraphs: Vec<Paragraph>,
}

/// A paragraph of a [`Hover`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paragraph {
    /// A text, with names between backticks.
    Text(String),
    /// Keys or values, one a line.
    Code(Vec<String>),
}

impl<T> Hover<T> {
    /// Returns it as Markdown.
    pub fn markdown(&self) -> String {
        let title = (!self.title.is_empty()).then(|| format!("**{}**", self.title));
        let paragraphs = self.paragraphs.iter().map(|paragraph| match paragraph {
            Paragraph::Text(text) => text.clone(),
            Paragraph::Code(lines) => format!("```text\n{}\n```", lines.join("\n")),
        });
        let all: Vec<String> = title.into_iter().chain(paragraphs).collect();
        all.join("\n\n")
    }
}

/// Returns what is at a byte of a text; `None` if nothing is known.
pub fn hover(parse: &Parse, lowered: &Lowered, offset: usize) -> Option<Hover> {
    if let Some((range, what)) = explain(parse, offset) {
        return Some(Hover {
            range,
            title: String::new(),
            paragraphs: vec![Paragraph::Text(what.to_owned())],
        });
    }
    if let Some((range, rule)) = rule_at(parse, offset) {
        return Some(Hover {
            range,
            title: format!("{} {}", rule.code, rule.name),
            paragraphs: vec![Paragraph::Text(format!(
                "Severity: {}.",
                rule.severity.label()
            ))],
        });
    }
    let Symbol { range, part } = symbol_at(parse, lowered, offset)?;
    let design = &lowered.design;
    let (title, paragraphs) = match part {
        Part::Table => table(design),
        Part::Index(id) => index(design, id)?,
        Part::Entity(id) => entity(design, id)?,
        Part::Attribute(id, attribute) => self::attribute(design, id, attribute)?,
        Part::Template(id, index, part) => template(design, id, index, part)?,
        Part::Pattern(id) => pattern(design, id)?,
        Part::Entry(..) | Part::Sample(..) | Part::Note(_) => return None,
    };
    Some(Hover {
        range,
        title,
        paragraphs: (paragraphs.into_iter())
            .filter(|paragraph| match paragraph {
                Paragraph::Text(text) => !text.is_empty(),
                Paragraph::Code(lines) => !lines.is_empty(),
            })
            .collect(),
    })
}

/// A title and paragraphs; those that are empty are left out.
type Said = (String, Vec<Paragraph>);

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

fn table(design: &Design) -> Said {
    let key = format!("Primary key `{}`.", key_names(design, IndexId::PRIMARY));
    let entities = counted(design.entities.len(), "entity", "entities");
    let entities = Paragraph::Text(entities + ".");
    (
        design.table.name.clone(),
        vec![Paragraph::Text(key), entities],
    )
}

fn index(design: &Design, id: IndexId) -> Option<Said> {
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
    let paragraphs = [index.description.clone(), key, members];
    Some((index.name.clone(), paragraphs.map(Paragraph::Text).to_vec()))
}

fn entity(design: &Design, id: EntityId) -> Option<Said> {
    let entity = design.entities.get(&id)?;
    let items = items(design, id);
    let mut paragraphs = vec![Paragraph::Text(entity.description.clone())];
    for index in entity.keys.keys() {
        let Some(content) = IndexContent::new(design, *index) else {
            continue;
        };
        let stored = items.iter().filter(|item| content.holds(item));
        let stored: Vec<String> = (stored.take(SHOWN))
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
        let key = format!("{name}: `{}`", key_names(design, *index));
        paragraphs.extend([Paragraph::Text(key), Paragraph::Code(stored)]);
    }
    let count = design.samples_of(id).len();
    let samples = counted(count, "sample", "samples");
    paragraphs.push(Paragraph::Text(samples + "."));
    Some((entity.name.clone(), paragraphs))
}

/// The first items of an entity.
fn items(design: &Design, id: EntityId) -> Vec<Item> {
    let plan = EntityPlan::new(design, id);
    let samples = design.samples_of(id).iter().take(SAMPLES);
    samples.map(|sample| plan.item(sample)).collect()
}

/// Different texts, the first of them.
fn few(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut few: Vec<String> = Vec::new();
    for text in texts {
        if few.len() < SHOWN && !few.contains(&text) {
            few.push(text);
        }
    }
    few
}

fn attribute(design: &Design, id: EntityId, attribute: AttributeId) -> Option<Said> {
    let entity = design.entities.get(&id)?;
    let attribute = entity.attribute_by_id(attribute)?;
    let required = if attribute.required {
        "required"
    } else {
        "optional"
    };
    let kind = format!("Type {}, {required}.", attribute.kind.label());
    let samples = design.samples_of(id).iter().take(SAMPLES);
    let values = samples.filter_map(|sample| sample.values.get(&attribute.name));
    let values = few(values.map(|value| value.to_text()));
    let name = format!("{}.{}", entity.name, attribute.name);
    let description = attribute.description.clone();
    let paragraphs = vec![
        Paragraph::Text(description),
        Paragraph::Text(kind),
        Paragraph::Code(values),
    ];
    Some((name, paragraphs))
}

fn template(design: &Design, id: EntityId, index: IndexId, part: KeyPart) -> Option<Said> {
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
    let paragraphs = vec![
        Paragraph::Text(what),
        Paragraph::Code(values),
        Paragraph::Text(none),
    ];
    Some((entity.name.clone(), paragraphs))
}

fn pattern(design: &Design, id: AccessPatternId) -> Option<Said> {
    let pattern = design.access_patterns.get(&id)?;
    let mut paragraphs = vec![
        pattern.description.clone(),
        format!("{}.", pattern.operation.name()),
    ];
    // The verdict of a large design takes time.
    let count: usize = design.samples.values().map(|samples| samples.len()).sum();
    if count <= SAMPLES
        && let Some(proof) = prove(&TableSnapshot::of(design), id)
    {
        paragraphs[1] = format!("{}: {}.", pattern.operation.name(), proof.verdict.label());
        let reasons = proof.reasons.iter();
        let reasons: Vec<String> = reasons.map(|reason| format!("- {}", reason.text)).collect();
        paragraphs.push(reasons.join("\n"));
    }
    let paragraphs = paragraphs.into_iter().map(Paragraph::Text).collect();
    Some((pattern.name.clone(), paragraphs))
}

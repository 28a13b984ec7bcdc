//! The text of a design: every part that differs from its default, in the usual order. `lower` reads the same design
//! from it.

mod attribute;
mod pattern;
mod settings;

use super::cursor::{write_name, write_text};
use super::node::{Node, lines, write};
use super::syntax::SyntaxKind;
use super::value;
use crate::lint::Place;
use crate::model::{
    CardId, Condition, Design, Entity, EntityId, IndexEntry, IndexId, KeyPart, Note, Sample,
    SampleId, Silenced, SortedSet, Test,
};
use std::sync::Arc;

/// Returns the text of a design. Equal designs have equal texts.
pub fn print(design: &Design) -> String {
    write(lines(&nodes(design)))
}

/// Returns what people read of the text of a design: without samples, places on the canvas and options of exports.
pub fn print_schema(design: &Design) -> String {
    let mut design = design.clone();
    design.samples.clear();
    let mut nodes = nodes(&design);
    let is_of_tools = |kind| matches!(kind, SyntaxKind::Canvas | SyntaxKind::Exports);
    nodes.retain(|node| !is_of_tools(node.kind));
    write(lines(&nodes))
}

/// The statements of a design.
pub fn nodes(design: &Design) -> Vec<Node> {
    let name = write_text(&design.name);
    let head = Node::new("design", SyntaxKind::Design, "design").rest(name);
    let mut out = vec![head.described(&design.description), settings::table(design)];
    for (id, index) in &design.indexes {
        out.push(settings::index(*id, index));
    }
    for (id, entity) in &design.entities {
        out.push(entity_node(design, *id, entity));
    }
    for (id, pattern) in &design.access_patterns {
        out.push(pattern::node(design, *id, pattern));
    }
    for (number, silenced) in design.silenced.iter().enumerate() {
        out.push(silence(design, number, silenced));
    }
    out.extend(settings::exports(design));
    out.extend(canvas(design));
    out
}

fn entity_node(design: &Design, id: EntityId, entity: &Entity) -> Node {
    let head = Node::new(id.to_string(), SyntaxKind::Entity, "entity");
    let mut node = head
        .rest(write_text(&entity.name))
        .described(&entity.description);
    for attribute in &entity.attributes {
        node.children.push(attribute::node(design, id, attribute));
    }
    for (index, entry) in &entity.keys {
        node.children.push(key(design, entity, *index, entry));
    }
    let samples = design.samples_of(id);
    if !samples.is_empty() {
        let columns = columns(entity, samples);
        node.children.push(header(&columns));
        for sample in samples {
            node.children.push(sample_row(entity, sample, &columns));
        }
    }
    node
}

/// The attributes that samples have values of: the declared ones in their order, then the others.
pub fn columns(entity: &Entity, samples: &[Arc<Sample>]) -> Vec<String> {
    let mut used: SortedSet<&str> = SortedSet::new();
    for sample in samples {
        for name in sample.values.keys() {
            used.insert(name);
        }
    }
    let declared = entity.attributes.iter().map(|a| a.name.as_str());
    let mut columns: Vec<String> = declared
        .filter(|name| used.contains(*name))
        .map(str::to_owned)
        .collect();
    let others = used.iter().filter(|name| entity.attribute(name).is_none());
    columns.extend(others.map(|name| (*name).to_owned()));
    columns
}

/// The row with the names of the columns.
pub fn header(columns: &[String]) -> Node {
    let mut node = Node::new("columns", SyntaxKind::Row, "");
    node.cells = columns.iter().map(|name| write_cell_text(name)).collect();
    node
}

/// A text in a cell.
pub fn write_cell_text(text: &str) -> String {
    value::write_cell(&crate::model::Value::S(text.to_owned()), None).replace('|', "\\u007c")
}

/// The row of a sample.
pub fn sample_row(entity: &Entity, sample: &Sample, columns: &[String]) -> Node {
    let mut node = Node::new(sample.id.to_string(), SyntaxKind::Row, "");
    node.cells = (columns.iter())
        .map(|name| {
            let kind = entity.attribute(name).map(|attribute| attribute.kind);
            let value = sample.values.get(name);
            value.map_or(String::new(), |value| value::write_cell(value, kind))
        })
        .collect();
    node
}

/// A template, in quotes where it would mean something else.
pub fn template(text: &str) -> String {
    write_name(text, &super::lower::RESERVED)
}

/// `PARTITION / SORT`
pub fn template_pair(partition: Option<&str>, sort: Option<&str>) -> String {
    let mut parts: Vec<String> = partition.map(template).into_iter().collect();
    if let Some(sort) = sort {
        parts.push("/".to_owned());
        parts.push(template(sort));
    }
    parts.join(" ")
}

fn key(design: &Design, entity: &Entity, index: IndexId, entry: &IndexEntry) -> Node {
    let left = match index.is_primary() {
        true => "key".to_owned(),
        false => "index ".to_owned() + &write_name(design.index_name(index), &[]),
    };
    let mut rest = template_pair(entry.partition.as_deref(), entry.sort.as_deref());
    if !entry.when.is_empty() {
        let all: Vec<String> = (entry.when.iter())
            .map(|condition| write_condition(entity, condition))
            .collect();
        let space = if rest.is_empty() { "" } else { " " };
        rest = [&rest, space, "when ", &all.join(" and ")].concat();
    }
    Node::new(index.to_string(), SyntaxKind::Key, left).rest(rest)
}

fn write_condition(entity: &Entity, condition: &Condition) -> String {
    // `a=b exists` without quotes would be read as `a = b`.
    let name = match condition.attribute.contains('=') {
        true => super::description::quoted(&condition.attribute),
        false => write_name(&condition.attribute, &["and", "when"]),
    };
    let declared = entity.attribute(&condition.attribute);
    let kind = declared.map(|attribute| attribute.kind);
    let value = |value| value::write(value, kind, &|word| word == "and");
    match &condition.test {
        Test::Equals(wanted) => format!("{name} = {}", value(wanted)),
        Test::NotEquals(unwanted) => format!("{name} != {}", value(unwanted)),
        Test::OneOf(wanted) => {
            let all: Vec<String> = wanted.iter().map(value).collect();
            format!("{name} in ({})", all.join(", "))
        }
        Test::Exists => format!("{name} exists"),
        Test::Missing => format!("{name} missing"),
    }
}

/// The entity of a sample, and the number of its row.
pub fn sample_place(design: &Design, sample: SampleId) -> Option<(EntityId, usize)> {
    design.samples.iter().find_map(|(entity, samples)| {
        let at = samples.iter().position(|other| other.id == sample)?;
        Some((*entity, at + 1))
    })
}

fn silence(design: &Design, number: usize, silenced: &Silenced) -> Node {
    let place = written_place(design, &silenced.place)
        .unwrap_or_else(|| "place ".to_owned() + &super::description::quoted(&silenced.place));
    let rest = [&write_name(&silenced.code, &[]), " ", &place].concat();
    let key = format!("silence#{number}");
    let node = Node::new(key, SyntaxKind::Silence, "silence").rest(rest);
    node.described(&silenced.reason)
}

/// The place of a finding with names for ids; `None` if a part of it does not exist.
fn written_place(design: &Design, place: &str) -> Option<String> {
    let parsed: Place = place.parse().ok()?;
    // Another spelling of the same place is kept as it is.
    if parsed.to_string() != place {
        return None;
    }
    let name_of = |id: EntityId| {
        let entity = design.entities.get(&id)?;
        Some("entity ".to_owned() + &write_name(&entity.name, &[]))
    };
    let index_of = |id: IndexId| match id.is_primary() {
        true => Some("key".to_owned()),
        false => (design.indexes.get(&id)).map(|index| write_name(&index.name, &["key"])),
    };
    Some(match parsed {
        Place::Table => "table".to_owned(),
        Place::Index(id) => {
            let index = design.indexes.get(&id)?;
            "index ".to_owned() + &write_name(&index.name, &[])
        }
        Place::Entity(id) => name_of(id)?,
        Place::Entry(id, index) => [&name_of(id)?, " / ", &index_of(index)?].concat(),
        Place::Template(id, index, part) => {
            let part = match part {
                KeyPart::Partition => "partition",
                KeyPart::Sort => "sort",
            };
            [&name_of(id)?, " / ", &index_of(index)?, " / ", part].concat()
        }
        Place::Attribute(id, attribute) => {
            let attribute = design.entities.get(&id)?.attribute_by_id(attribute)?;
            [
                &name_of(id)?,
                " attribute ",
                &write_name(&attribute.name, &[]),
            ]
            .concat()
        }
        Place::Sample(id, sample) => {
            let (entity, number) = sample_place(design, sample)?;
            if entity != id {
                return None;
            }
            format!("{} sample {number}", name_of(id)?)
        }
        Place::Pattern(id) => {
            let pattern = design.access_patterns.get(&id)?;
            "pattern ".to_owned() + &write_name(&pattern.name, &[])
        }
    })
}

fn canvas(design: &Design) -> Option<Node> {
    let mut node = Node::new("canvas", SyntaxKind::Canvas, "canvas");
    for card in design.cards() {
        let place = design.layout.get(&card);
        let left = match place {
            Some(at) => format!("{}, {}", at.x, at.y),
            None => "-".to_owned(),
        };
        let mut lines = Vec::new();
        let rest = match card {
            CardId::Index(_) if place.is_none() => continue,
            CardId::Index(id) if id.is_primary() => "table".to_owned(),
            CardId::Index(id) => "index ".to_owned() + &write_name(design.index_name(id), &[]),
            CardId::Entity(id) => {
                let Some(entity) = design.entities.get(&id) else {
                    continue;
                };
                let name = write_name(&entity.name, &[]);
                format!("entity {name} color {}", entity.hue)
            }
            CardId::Note(id) => {
                let Some(note) = design.notes.get(&id) else {
                    continue;
                };
                note_line(note, &mut lines)
            }
        };
        let mut card = Node::new(card.to_string(), SyntaxKind::Card, left).rest(rest);
        card.children = lines;
        node.children.push(card);
    }
    (!node.children.is_empty()).then_some(node)
}

fn note_line(note: &Note, lines: &mut Vec<Node>) -> String {
    let mut rest = "note".to_owned();
    if !note.text.is_empty() {
        match quote_lines(&note.text) {
            Some(quoted) => *lines = quoted,
            None => rest = ["note ", &super::description::quoted(&note.text)].concat(),
        }
    }
    if note.hue != Note::HUE {
        rest.push_str(&format!(" color {}", note.hue));
    }
    rest
}

/// A text as lines that begin with `>`; `None` if they would not show all of it.
pub fn quote_lines(text: &str) -> Option<Vec<Node>> {
    let hides = |c: char| !matches!(c, '\n' | '\t') && crate::model::is_hidden(c);
    let ends_in_space = |line: &str| line.ends_with(char::is_whitespace);
    if text.contains(hides) || text.split('\n').any(ends_in_space) {
        return None;
    }
    let line = |(number, line): (usize, &str)| {
        let text = match line.is_empty() {
            true => ">".to_owned(),
            false => ["> ", line].concat(),
        };
        Node::new(format!("line#{number}"), SyntaxKind::Quote, text)
    };
    Some(text.split('\n').enumerate().map(line).collect())
}

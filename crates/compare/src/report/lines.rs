//! The changes in words, by kind of part.

use super::samples;
use super::{Line, Report, Section};
use crate::diff::{Change, ChangeKind};
use crate::part::Part;
use crate::words::{Piece, field, value};
use keyfold_core::counted::counted;
use keyfold_core::model::{CardId, Design, EntityId, IndexId, short};
use serde_json::Value as Json;

/// Maximum number of names of moved cards.
const MOVED_CARDS: usize = 10;

/// Whether a section is about a part.
type IsIn = fn(&Part) -> bool;

/// The sections of a report that say what changed.
pub fn sections(report: &Report) -> Vec<Section> {
    let titles: [(&'static str, IsIn); 10] = [
        ("Design", |part| {
            matches!(part, Part::Design | Part::Delimiter)
        }),
        ("Table", |part| matches!(part, Part::Table)),
        ("Indexes", |part| matches!(part, Part::Index(_))),
        ("Entities", |part| {
            matches!(
                part,
                Part::Entity(_) | Part::Attribute(..) | Part::Entry(..)
            )
        }),
        ("Access patterns", |part| {
            matches!(part, Part::AccessPattern(_))
        }),
        ("Samples", |part| matches!(part, Part::Sample(..))),
        ("Notes", |part| matches!(part, Part::Note(_))),
        ("Workload", |part| {
            matches!(part, Part::Traffic(_) | Part::Volume(_) | Part::Prices)
        }),
        ("Silenced findings", |part| {
            matches!(part, Part::Silenced(_))
        }),
        ("Export options", |part| matches!(part, Part::ExportOptions)),
    ];
    let mut sections: Vec<Section> = (titles.into_iter())
        .map(|(title, is_in)| {
            let changes = report.diff.changes.iter();
            let changes: Vec<&Change> = changes.filter(|change| is_in(&change.part)).collect();
            let lines = match title {
                "Entities" => entities(report, &changes),
                "Samples" => samples::lines(report, &changes),
                _ => changes
                    .iter()
                    .filter_map(|change| line(report, change))
                    .collect(),
            };
            Section { title, lines }
        })
        .collect();
    sections.push(Section {
        title: "Canvas",
        lines: canvas(report),
    });
    sections
}

/// The lines of entities, each followed by those of what is in it.
fn entities(report: &Report, changes: &[&Change]) -> Vec<Line> {
    let owner = |change: &Change| match change.part {
        Part::Entity(id) | Part::Attribute(id, _) | Part::Entry(id, _) => id,
        _ => EntityId(0),
    };
    let mut sorted = changes.to_vec();
    sorted.sort_by_key(|change| owner(change));
    (sorted.iter())
        .filter_map(|change| line(report, change))
        .collect()
}

/// The line of a change; `None` if another one says it: the attributes of a new entity, the order after an insertion.
fn line(report: &Report, change: &Change) -> Option<Line> {
    let kind = change.kind();
    let (is_new, is_gone) = (
        |part: &Part| crate::part::has(&report.new, part) && !crate::part::has(&report.old, part),
        |part: &Part| crate::part::has(&report.old, part) && !crate::part::has(&report.new, part),
    );
    let is_minor = change.part.is_minor();
    // The line of a new index does not say the templates of its entries.
    let is_entry = matches!(change.part, Part::Entry(..));
    let says = |owner: &Part| {
        is_gone(owner) || is_new(owner) && !(is_entry && matches!(owner, Part::Index(_)))
    };
    if !is_minor && change.part.owners().iter().any(says) {
        return None;
    }
    if change.is_order() && !is_reordered(change) {
        return None;
    }
    let design = if kind == ChangeKind::Removed {
        &report.old
    } else {
        &report.new
    };
    let mut pieces = name(design, &report.old, &change.part);
    pieces.extend(match kind {
        ChangeKind::Changed => changed(report, change),
        _ => whole(design, change),
    });
    Some(Line {
        kind: Some(kind),
        part: Some(change.part.clone()),
        pieces,
    })
}

/// Whether the order of what both designs have differs.
fn is_reordered(change: &Change) -> bool {
    let list = |value: &Option<Json>| value.as_ref().and_then(Json::as_array).cloned();
    let (before, after) = (list(&change.before), list(&change.after));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let [was, is] = [&before, &after].map(|list| list.iter().collect::<rustc_hash::FxHashSet<_>>());
    let before = before.iter().filter(|key| is.contains(key));
    before.ne(after.iter().filter(|key| was.contains(key)))
}

fn words(text: impl Into<String>) -> Piece {
    Piece::Words(text.into())
}

fn code(text: &str) -> Piece {
    Piece::Code(short(text))
}

/// The name of a part, with a colon if a field follows.
pub(super) fn name(design: &Design, old: &Design, part: &Part) -> Vec<Piece> {
    let entity = |id: &EntityId| {
        let entity = design.entities.get(id).or(old.entities.get(id));
        words(entity.map_or_else(|| id.to_string(), |entity| entity.name.clone()))
    };
    match part {
        Part::Design => vec![words("Design")],
        Part::Delimiter => vec![words("Delimiter policy")],
        Part::Table => vec![words("Table")],
        Part::ExportOptions => vec![words("Exports")],
        Part::Index(id) => vec![words(design.index_name(*id))],
        Part::Entity(id) => vec![entity(id)],
        Part::Sample(id, sample) => {
            let mut samples = design.samples_of(*id).iter();
            let place = samples.position(|other| other.id == *sample);
            let number = place.map_or(0, |place| place + 1);
            vec![entity(id), words(format!(", sample {number}"))]
        }
        Part::Attribute(id, attribute) => {
            let owner = design.entities.get(id);
            let attribute = owner.and_then(|owner| owner.attribute_by_id(*attribute));
            let attribute = attribute.map_or("", |attribute| &attribute.name);
            vec![entity(id), words(", attribute "), code(attribute)]
        }
        Part::Entry(id, index) if index.is_primary() => vec![entity(id)],
        Part::Entry(id, index) => {
            let index = match design.index_name(*index) {
                "" => old.index_name(*index),
                name => name,
            };
            vec![entity(id), words(format!(", {index}"))]
        }
        Part::AccessPattern(id) => {
            let pattern = design.access_patterns.get(id);
            vec![words(pattern.map_or("", |pattern| &pattern.name))]
        }
        Part::Note(id) => {
            let note = design.notes.get(id);
            vec![
                words("Note "),
                code(note.map_or("", |note| note.first_line())),
            ]
        }
        Part::Traffic(id) => {
            let pattern = design.access_patterns.get(id);
            let name = pattern.map_or("", |pattern| &pattern.name);
            vec![words(format!("{name}, traffic"))]
        }
        Part::Volume(id) => vec![entity(id), words(", volume")],
        Part::Prices => vec![words("Costs")],
        Part::Silenced(key) => {
            let place = key.place.parse::<keyfold_core::lint::Place>();
            let place = place.map_or_else(|_| key.place.clone(), |place| place.describe(design));
            vec![words(format!("{} at {place}", key.code))]
        }
        Part::Position(card) => vec![words(card_name(design, *card))],
    }
}

fn card_name(design: &Design, card: CardId) -> String {
    match card {
        CardId::Index(id) => design.index_name(id).to_owned(),
        CardId::Entity(id) => {
            let entity = design.entities.get(&id);
            entity.map_or_else(String::new, |entity| entity.name.clone())
        }
        CardId::Note(id) => {
            let note = design.notes.get(&id);
            format!("note “{}”", note.map_or("", |note| note.first_line()))
        }
    }
}

/// What a part that was added or removed is.
fn whole(design: &Design, change: &Change) -> Vec<Piece> {
    let value_of = |field: &str| {
        let json = change
            .after
            .as_ref()
            .or(change.before.as_ref())?
            .get(field)?;
        Some(value(design, &[field.to_owned()], json))
    };
    let mut list = Vec::new();
    let mut add = |word: &str, piece: Option<Piece>| {
        if let Some(piece) = piece {
            list.push(words(
                if list.is_empty() { ": " } else { ", " }.to_owned() + word,
            ));
            list.push(piece);
        }
    };
    match &change.part {
        Part::Index(id) => {
            let kind = design
                .indexes
                .get(id)
                .map_or("", |index| index.kind.label());
            add("", Some(words(kind)));
            add("key ", value_of("key"));
            add("", value_of("projection"));
        }
        Part::Entity(id) => add("", entity_content(design, *id)),
        Part::Attribute(id, attribute) => {
            let owner = design.entities.get(id);
            let attribute = owner.and_then(|owner| owner.attribute_by_id(*attribute));
            add(
                "type ",
                attribute.map(|attribute| words(attribute.kind.label())),
            );
        }
        Part::Entry(..) => {
            add("partition key template ", value_of("partition"));
            add("sort key template ", value_of("sort"));
            add("condition ", value_of("when"));
        }
        Part::AccessPattern(id) => {
            let pattern = design.access_patterns.get(id);
            let operation = pattern.map(|pattern| {
                let on = match pattern.operation.index() {
                    Some(index) => format!(" on {}", design.index_name(index)),
                    None => String::new(),
                };
                words(pattern.operation.name().to_owned() + &on)
            });
            add("", operation);
        }
        Part::Silenced(_) => add("", value_of("reason")),
        Part::Traffic(_) => {
            add("average rate ", value_of("average"));
            add("shares of the puts ", value_of("puts"));
            add("items ", value_of("items"));
            add("failed writes ", value_of("failed"));
        }
        Part::Volume(_) => {
            add("items ", value_of("items"));
            add("growth per month ", value_of("growth"));
            add("retention in days ", value_of("retention"));
            add("item size in bytes ", value_of("bytes"));
        }
        _ => {}
    }
    list
}

/// What is in an entity that was added or removed.
fn entity_content(design: &Design, id: EntityId) -> Option<Piece> {
    let entity = design.entities.get(&id)?;
    let indexes: Vec<&str> = (entity.keys.keys())
        .map(|index| match *index {
            IndexId::PRIMARY => "the table",
            index => design.index_name(index),
        })
        .collect();
    let mut text = counted(entity.attributes.len(), "attribute", "attributes");
    if !indexes.is_empty() {
        text += &format!(", in {}", indexes.join(", "));
    }
    let samples = design.samples_of(id).len();
    if samples > 0 {
        text += &format!(", {}", counted(samples, "sample", "samples"));
    }
    Some(words(text))
}

/// How a field changed.
pub(super) fn changed(report: &Report, change: &Change) -> Vec<Piece> {
    let is_off = |value: &Option<Json>| matches!(value, None | Some(Json::Bool(false)));
    let (before, after) = (&change.before, &change.after);
    let mut list = Vec::new();
    let has_name = matches!(
        change.part,
        Part::Index(_) | Part::Entity(_) | Part::Attribute(..) | Part::AccessPattern(_)
    );
    if has_name
        && change.path == ["name"]
        && let (Some(Json::String(before)), Some(_)) = (before, after)
    {
        return vec![words(": renamed from "), code(before)];
    }
    let (label, own) = field(&change.part, &change.path);
    list.push(words(format!(": {label}")));
    if let Some(own) = own {
        list.push(words(" "));
        list.push(code(&own));
    }
    let mut say = |text: &str| list.push(words(text));
    if change.is_order() && change.path[0] != "attributes" {
        say(" changed");
        return list;
    }
    // An author's own value is no switch.
    let is_switch = change.path.len() == 1 || change.path[0] == "operation";
    match (before, after) {
        // A setting that is on, with defaults only.
        (None, Some(Json::Object(fields))) if fields.is_empty() => say(" switched on"),
        (Some(Json::Object(fields)), None) if fields.is_empty() => say(" switched off"),
        (before, Some(Json::Bool(true))) if is_switch && is_off(before) => say(" switched on"),
        (Some(Json::Bool(true)), after) if is_switch && is_off(after) => say(" switched off"),
        (None, Some(after)) => {
            say(" set to ");
            list.push(value(&report.new, &change.path, after));
        }
        (Some(before), None) => {
            say(" removed, was ");
            list.push(value(&report.old, &change.path, before));
        }
        (Some(before), Some(after)) => {
            let (was, is) = (
                value(&report.old, &change.path, before),
                value(&report.new, &change.path, after),
            );
            if was == is {
                // Long texts that differ behind what is shown, operations, lists of writes.
                say(" changed");
            } else {
                say(" changed from ");
                list.push(was);
                list.push(words(" to "));
                list.push(is);
            }
        }
        (None, None) => {}
    }
    list.extend(super::outcome::items_with_another_key(report, change).map(words));
    list
}

/// The cards of both designs that have another place.
fn canvas(report: &Report) -> Vec<Line> {
    let moved = report
        .diff
        .changes
        .iter()
        .filter_map(|change| match change.part {
            Part::Position(card) if report.old.has_card(card) && report.new.has_card(card) => {
                Some(card_name(&report.new, card))
            }
            _ => None,
        });
    let moved: Vec<String> = moved.collect();
    let text = match moved.len() {
        0 => return Vec::new(),
        count if count > MOVED_CARDS => counted(count, "card", "cards") + " moved",
        _ => format!("Moved: {}", moved.join(", ")),
    };
    vec![Line {
        kind: Some(ChangeKind::Changed),
        part: None,
        pieces: vec![words(text)],
    }]
}

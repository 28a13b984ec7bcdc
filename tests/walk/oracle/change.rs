//! Whether a design is what a gesture's commands make of the design before.

use super::does::{Cell, Does};
use super::show::{self, Table};
use super::{Known, Memory};
use keyfold_app::grid::cells::{Area, Cells, kind, locked};
use keyfold_app::grid::{fill, paste};
use keyfold_app::problems::{FindingFilter, filtered_findings};
use keyfold_app::{Command, Diff, Document, PatternEdit, SampleEdits, apply, fixes, suggest};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Attribute, AttributeId, AttributeType, CardId, Design,
    EntityId, Index, IndexKind, Point, SampleId, Value,
};
use keyfold_core::{engine, persist, proof};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The question.
#[derive(Deserialize)]
pub struct Check {
    /// The design file before the gesture.
    before: String,
    /// The design file after it.
    after: String,
    /// What the gesture does, one after the other. One that is refused changes nothing.
    commands: Vec<Does>,
}

/// Whether the design after the gesture is what its commands make of the design before; if not, what differs.
pub fn check(memory: &mut Memory, check: &Check) -> Result<Json, String> {
    let before = memory.design(&check.before)?;
    let after = memory.design(&check.after)?;
    let mut refused = Vec::new();
    let mut document = Document::new(before.design.clone());
    let mut was_refused = false;
    for does in &check.commands {
        let does = match does {
            Does::IfRefused { then } if was_refused => then,
            Does::IfRefused { .. } => continue,
            does => does,
        };
        let done = command(&before, document.design(), &after.design, does);
        let done = done.and_then(|command| match command {
            // Typing goes without a pause.
            Some(command) => document.run(command, 0.0).map_err(|refused| refused.0),
            None => Ok(Diff::default()),
        });
        was_refused = done.is_err();
        refused.extend(done.err());
        if let Does::Move { cards } = does {
            let mut design = document.design().clone();
            follow(&mut design, &after.design, cards);
            document = Document::new(design);
        }
    }
    let mut design = document.design().clone();
    // Where a new card goes is the page's affair.
    let new: Vec<CardId> = design
        .cards()
        .filter(|card| !before.design.has_card(*card))
        .collect();
    follow(&mut design, &after.design, &new);
    let wanted = persist::to_json(&design);
    let got = persist::to_json(&after.design);
    Ok(json!({
        "same": wanted == got,
        "changes": wanted != check.before,
        "refused": refused,
        "why": (wanted != got).then(|| difference(&wanted, &got)),
    }))
}

/// Puts cards where another design has them.
fn follow(design: &mut Design, other: &Design, cards: &[CardId]) {
    let layout = Arc::make_mut(&mut design.layout);
    for card in cards {
        if let Some(place) = other.layout.get(card) {
            layout.insert(*card, *place);
        }
    }
}

/// The first lines that differ.
fn difference(wanted: &str, got: &str) -> String {
    let (wanted, got): (Vec<&str>, Vec<&str>) = (wanted.lines().collect(), got.lines().collect());
    let same = wanted.iter().zip(&got).take_while(|(a, b)| a == b).count();
    let some = |lines: &[&str]| {
        let lines = lines.iter().skip(same.saturating_sub(1)).take(5);
        lines
            .map(|line| line.trim())
            .collect::<Vec<_>>()
            .join(" ⏎ ")
    };
    format!(
        "line {}: wanted {} | got {}",
        same + 1,
        some(&wanted),
        some(&got)
    )
}

fn entity_of(design: &Design, sample: SampleId) -> Result<EntityId, String> {
    let is_in = |(_, samples): &(&EntityId, &Arc<Vec<_>>)| {
        samples
            .iter()
            .any(|one: &Arc<keyfold_core::model::Sample>| one.id == sample)
    };
    let found = design.samples.iter().find(is_in).map(|(id, _)| *id);
    found.ok_or_else(|| format!("no sample {sample}"))
}

fn by_entity(design: &Design, samples: &[SampleId]) -> Vec<(EntityId, Vec<SampleId>)> {
    let of = |all: &Arc<Vec<Arc<keyfold_core::model::Sample>>>| {
        let ids = all.iter().map(|sample| sample.id);
        ids.filter(|id| samples.contains(id)).collect::<Vec<_>>()
    };
    (design.samples.iter())
        .map(|(entity, all)| (*entity, of(all)))
        .filter(|(_, samples)| !samples.is_empty())
        .collect()
}

/// Changes an attribute as the inspector does.
fn attribute(
    design: &Design,
    entity: EntityId,
    id: AttributeId,
    field: &'static str,
    change: impl FnOnce(&mut Attribute),
) -> Result<Command, String> {
    let found = design.entities.get(&entity).ok_or("no such entity")?;
    let found = found
        .attributes
        .iter()
        .find(|a| a.id == id)
        .ok_or("no such attribute")?;
    let mut attribute = found.clone();
    change(&mut attribute);
    Ok(Command::UpdateAttribute {
        entity,
        attribute: Box::new(attribute),
        field,
    })
}

fn pattern(
    design: &Design,
    id: AccessPatternId,
    change: impl FnOnce(&mut AccessPattern),
) -> Result<Command, String> {
    let mut pattern = AccessPattern::clone(
        design
            .access_patterns
            .get(&id)
            .ok_or("no such access pattern")?,
    );
    change(&mut pattern);
    let pattern = Box::new(pattern);
    Ok(Command::Pattern(PatternEdit::Update {
        id,
        pattern,
        field: "name".into(),
    }))
}

/// Some cells as they are shown, and what is done with them.
fn with_area(
    design: &Design,
    table: &Table,
    (from, to): (&Cell, &Cell),
    edit: impl FnOnce(&Cells, &Area) -> Result<SampleEdits, String>,
) -> Result<Option<Command>, String> {
    let sheet = show::sheet(design, table);
    let columns = show::columns(design, table, sheet.view());
    let cells = Cells::new(design, &sheet, &columns);
    let line = |cell: &Cell| {
        sheet
            .find(cell.0, 0)
            .ok_or_else(|| format!("no line of {}", cell.0))
    };
    let column = |cell: &Cell| {
        columns
            .iter()
            .position(|name| *name == cell.1)
            .ok_or_else(|| format!("no column {}", cell.1))
    };
    let (a, b) = (line(from)?, line(to)?);
    let (c, d) = (column(from)?, column(to)?);
    let lines = (a.min(b)..=a.max(b))
        .filter(|at| sheet.item(*at).is_some())
        .collect();
    let area = Area {
        lines,
        columns: c.min(d)..c.max(d) + 1,
        whole: false,
    };
    let edits = edit(&cells, &area)?;
    Ok((!edits.is_empty()).then(|| Command::EditSamples(Box::new(edits))))
}

fn new_gsi(design: &Design, entity: EntityId, at: Point) -> Command {
    let index = suggest::new_index(design, IndexKind::Gsi);
    let entry = suggest::entry_for(design, entity, &index);
    Command::AddIndexFor {
        index: Box::new(index),
        at,
        entity,
        entry,
    }
}

/// A new GSI from the place from which it goes to where it is: the entity grows, and moves down what is below it.
fn dropped_gsi(design: &Design, after: &Design, entity: EntityId) -> Command {
    let newest = after.indexes.last_key_value();
    let place = |design: &Design| {
        let (id, _) = newest?;
        design.layout.get(&CardId::Index(*id)).copied()
    };
    let end = place(after).unwrap_or_default();
    let from = (0..=50).map(|steps| Point {
        y: end.y.saturating_sub(8 * steps),
        ..end
    });
    let leads = |at: &Point| {
        let next = apply(design, new_gsi(design, entity, *at)).ok();
        next.filter(|next| place(next) == Some(end))
    };
    let all: Vec<_> = from.filter_map(|at| Some((at, leads(&at)?))).collect();
    // From several places it comes to the same one, and moves other cards on its way.
    let same = all.iter().find(|(_, next)| next.layout == after.layout);
    new_gsi(
        design,
        entity,
        same.or(all.first()).map_or(end, |(at, _)| *at),
    )
}

/// The command; `None`: nothing is to be done.
fn command(
    known: &Known,
    design: &Design,
    after: &Design,
    does: &Does,
) -> Result<Option<Command>, String> {
    let at = Point::default();
    Ok(Some(match does {
        Does::RenameDesign { name } => Command::RenameDesign(name.clone()),
        Does::RenameCard { card, name } => match card {
            CardId::Entity(id) => Command::RenameEntity(*id, name.clone()),
            CardId::Index(id) if id.is_primary() => {
                let mut table = keyfold_core::model::Table::clone(&design.table);
                table.name.clone_from(name);
                Command::UpdateTable {
                    table: Box::new(table),
                    field: "name",
                }
            }
            CardId::Index(id) => {
                let mut index = Index::clone(design.indexes.get(id).ok_or("no such index")?);
                index.name.clone_from(name);
                Command::UpdateIndex {
                    id: *id,
                    index: Box::new(index),
                    field: "name",
                }
            }
            CardId::Note(_) => return Ok(None),
        },
        Does::DescribeEntity { entity, text } => Command::DescribeEntity(*entity, text.clone()),
        Does::Hue { entity, hue } => Command::SetHue(*entity, *hue),
        Does::AddNote => Command::AddNote {
            text: String::new(),
            at,
        },
        Does::NoteText { note, text } => {
            let newest = || design.notes.last_key_value().map(|(id, _)| *id);
            let note = note.or_else(newest).ok_or("no such note")?;
            Command::SetNoteText(note, text.clone())
        }
        Does::NoteHue { note, hue } => Command::SetNoteHue(*note, *hue),
        Does::AddEntity => Command::AddEntity {
            name: suggest::entity_name(design),
            at,
        },
        Does::AddIndex { lsi } => {
            let kind = if *lsi { IndexKind::Lsi } else { IndexKind::Gsi };
            Command::AddIndex {
                index: Box::new(suggest::new_index(design, kind)),
                at,
            }
        }
        Does::AddIndexFor { entity } => dropped_gsi(design, after, *entity),
        Does::Join { entity, index } => {
            let joined = design
                .entities
                .get(entity)
                .is_some_and(|e| e.keys.contains_key(index));
            if joined {
                return Ok(None);
            }
            Command::JoinIndex(
                *entity,
                *index,
                suggest::index_entry(design, *entity, *index),
            )
        }
        Does::Leave { entity, index } => Command::LeaveIndex(*entity, *index),
        Does::SetTemplate {
            entity,
            index,
            part,
            text,
        } => Command::SetTemplate {
            entity: *entity,
            index: *index,
            part: (*part).into(),
            text: text.clone(),
        },
        Does::WriteTemplate {
            entity,
            index,
            part,
        } => {
            let part = (*part).into();
            Command::SetTemplate {
                entity: *entity,
                index: *index,
                part,
                text: Some(suggest::template(design, *entity, *index, part)),
            }
        }
        Does::AddAttribute { entity } => {
            let name =
                suggest::attribute_name(design.entities.get(entity).ok_or("no such entity")?);
            Command::AddAttribute(
                *entity,
                Attribute::new(AttributeId(0), name, AttributeType::S),
            )
        }
        Does::AttributeName {
            entity,
            attribute: id,
            name,
        } => attribute(design, *entity, *id, "name", |a| a.name.clone_from(name))?,
        Does::AttributeType {
            entity,
            attribute: id,
            word,
        } => {
            let kind = AttributeType::from_word(word).ok_or("no such type")?;
            attribute(design, *entity, *id, "type", |a| a.kind = kind)?
        }
        Does::Required {
            entity,
            attribute: id,
            on,
        } => attribute(design, *entity, *id, "required", |a| a.required = *on)?,
        Does::DeleteAttribute { entity, attribute } => {
            Command::DeleteAttribute(*entity, *attribute)
        }
        Does::MoveAttribute {
            entity,
            attribute: id,
            by,
        } => {
            let all = &design
                .entities
                .get(entity)
                .ok_or("no such entity")?
                .attributes;
            let at = all
                .iter()
                .position(|a| a.id == *id)
                .ok_or("no such attribute")?;
            match at.checked_add_signed(*by).filter(|to| *to < all.len()) {
                Some(to) => Command::MoveAttribute(*entity, *id, to),
                None => return Ok(None),
            }
        }
        Does::AddRow { entity } => {
            Command::AddSample(*entity, suggest::next_sample(design, *entity))
        }
        Does::SetValue {
            sample,
            attribute,
            text,
        } => {
            let entity = entity_of(design, *sample)?;
            if let Some(why) = locked(design, entity, attribute) {
                return Err(why);
            }
            let items = engine::materialize_all(design);
            let item = items
                .get(&entity)
                .into_iter()
                .flat_map(|items| items.iter())
                .find(|i| i.id() == *sample);
            let item = item.ok_or("no such item")?;
            let value = item.get(attribute);
            let kind = kind(design, entity, attribute, value);
            if value.map_or_else(String::new, |value| value.to_value().to_text()) == *text {
                return Ok(None);
            }
            let value = match text.is_empty() {
                true => None,
                false => Some(Value::from_text(kind, text)?),
            };
            Command::SetValue {
                entity,
                sample: *sample,
                attribute: attribute.clone(),
                value,
            }
        }
        Does::DeleteRows { samples } => Command::DeleteSamples(by_entity(design, samples)),
        Does::DuplicateRows { samples } => {
            let mut added = Vec::new();
            for (entity, ids) in by_entity(design, samples) {
                let rows = design
                    .samples_of(entity)
                    .iter()
                    .filter(|sample| ids.contains(&sample.id));
                let rows = rows.map(|sample| sample.values.clone()).collect();
                let rows = suggest::copied_samples(design, entity, rows).into_iter();
                added.extend(rows.map(|values| (entity, values)));
            }
            Command::EditSamples(Box::new(SampleEdits {
                added,
                ..SampleEdits::default()
            }))
        }
        Does::Clear { table, from, to } => {
            return with_area(design, table, (from, to), |cells, area| {
                Ok(fill::clear(cells, area).edits)
            });
        }
        Does::Fill {
            table,
            from,
            to,
            series,
        } => {
            return with_area(design, table, (from, to), |cells, area| {
                Ok(fill::down(cells, area, *series).edits)
            });
        }
        Does::Paste { table, at, text } => {
            return with_area(design, table, (at, at), |cells, area| {
                let line = area.lines.first().copied().ok_or("no line")?;
                let entity = cells.row(line).map(|(entity, _)| entity);
                Ok(paste::paste(cells, area, entity, text, None)?.edits)
            });
        }
        Does::Delete { cards } => Command::Delete(cards.clone()),
        Does::Move { cards } => {
            let place = |card: &CardId| Some((*card, *after.layout.get(card)?));
            Command::Move(cards.iter().filter_map(place).collect())
        }
        Does::Fix {
            code,
            place,
            number,
        } => {
            let all =
                filtered_findings(design, &known.report().findings, &FindingFilter::default());
            let is_it = |line: &&keyfold_app::problems::FindingRow| {
                line.id.0 == code && line.id.1.to_string() == *place && line.id.2 == *number
            };
            let found = all.iter().find(is_it).ok_or("no such finding")?;
            fixes::command(found.finding.fix.clone().ok_or("it has no fix")?)
        }
        Does::Serve { pattern, number } => {
            let proof = proof::prove(&TableSnapshot::of(design), *pattern)
                .ok_or("no such access pattern")?;
            let suggestion = proof
                .suggestions
                .get(*number)
                .ok_or("no such suggestion")?
                .clone();
            Command::ApplySuggestion {
                pattern: *pattern,
                suggestion: Box::new(suggestion),
                at,
            }
        }
        Does::RenamePattern { pattern: id, name } => {
            pattern(design, *id, |p| p.name.clone_from(name))?
        }
        Does::DuplicatePattern { pattern } => Command::Pattern(PatternEdit::Duplicate(*pattern)),
        Does::DeletePattern { pattern } => Command::Pattern(PatternEdit::Delete(*pattern)),
        Does::MovePattern { pattern, by } => {
            let at = design.access_patterns.range(..*pattern).count();
            match at.checked_add_signed(*by) {
                Some(to) => Command::Pattern(PatternEdit::Move(*pattern, to)),
                None => return Ok(None),
            }
        }
        Does::Duplicate { cards } => {
            let text = keyfold_app::card_clipboard::copy(design, &cards.iter().copied().collect());
            let text = text.ok_or("nothing to copy")?;
            let clip =
                keyfold_app::card_clipboard::read(&text).map_err(|error| error.to_string())?;
            Command::Paste {
                clip: Box::new(clip),
                at,
                duplicates: true,
            }
        }
        Does::IfRefused { .. } => return Ok(None),
    }))
}

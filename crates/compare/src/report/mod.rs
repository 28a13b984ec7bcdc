//! A comparison in words: sections of lines, for the command line and the page, as text and as Markdown.

mod conflict;
mod lines;
mod outcome;
mod samples;
mod write;

pub use conflict::ConflictWords;

use crate::diff::{ChangeKind, Diff, diff};
use crate::effects::{Effects, effects};
use crate::part::Part;
use crate::words::{Piece, pieces};
use keyfold_core::model::{CardId, Design, EntityId, IndexId, SortedMap};
use std::sync::Arc;

/// Two designs, what differs, and what that does.
#[derive(Debug, Clone)]
pub struct Report {
    /// The old design.
    pub old: Design,
    /// The new design, with the ids of the old one.
    pub new: Design,
    /// The changes of fields.
    pub diff: Diff,
    /// What they do; none in a report of changes only.
    pub effects: Effects,
    /// What is not sure: see [`taken_as_renamed`](crate::taken_as_renamed).
    pub remarks: Vec<String>,
}

/// Lines about one kind of part, or of one kind of effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// The lines.
    pub lines: Vec<Line>,
}

/// One difference or effect in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Whether something was added, removed or changed; `None` for what to do next.
    pub kind: Option<ChangeKind>,
    /// The part that it is about; `None` for the deployment.
    pub part: Option<Part>,
    /// The words.
    pub pieces: Vec<Piece>,
}

/// What differs in a picture of two designs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// The cards that differ.
    pub cards: SortedMap<CardId, ChangeKind>,
    /// The wires that differ: entries of entities in the table and in indexes.
    pub wires: SortedMap<(EntityId, IndexId), ChangeKind>,
}

impl Line {
    fn remark(text: &str) -> Line {
        Line {
            kind: None,
            part: None,
            pieces: pieces(text),
        }
    }

    /// The words, with code in backticks.
    pub fn text(&self) -> String {
        write::plain(self)
    }
}

impl ChangeKind {
    /// The sign in front of a line: `+`, `-` or `~`.
    pub fn sign(self) -> &'static str {
        match self {
            ChangeKind::Added => "+",
            ChangeKind::Removed => "-",
            ChangeKind::Changed => "~",
        }
    }

    /// The word for it.
    pub fn label(self) -> &'static str {
        match self {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Changed => "changed",
        }
    }
}

impl Report {
    /// Compares two designs that share ids; see [`align`](crate::align).
    pub fn new(old: &Design, new: &Design) -> Report {
        let mut report = Report::of_changes(old, new);
        report.effects = effects(old, new);
        report
    }

    /// As [`Report::new`], without the effects, which take longer.
    pub fn of_changes(old: &Design, new: &Design) -> Report {
        Report {
            diff: diff(old, new),
            effects: Effects::default(),
            remarks: Vec::new(),
            old: old.clone(),
            new: new.clone(),
        }
    }

    /// Whether the designs are equal.
    pub fn is_empty(&self) -> bool {
        self.diff.is_empty()
    }

    /// All lines, by section; sections without lines are left out.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections = self.changes();
        sections.extend(self.outcome());
        sections
    }

    /// The sections about what changed.
    pub fn changes(&self) -> Vec<Section> {
        let mut sections = lines::sections(self);
        sections.push(Section {
            title: "Notes on the comparison",
            lines: self
                .remarks
                .iter()
                .map(|remark| Line::remark(remark))
                .collect(),
        });
        with_lines(sections)
    }

    /// The sections about what the changes do.
    pub fn outcome(&self) -> Vec<Section> {
        with_lines(outcome::sections(self))
    }

    /// The report as text; `No differences.` for equal designs.
    pub fn text(&self) -> String {
        write::text(&self.sections())
    }

    /// The report as Markdown (CommonMark).
    pub fn markdown(&self) -> String {
        write::markdown(&self.sections())
    }

    /// The new design with the cards and wires that only the old one has, and the marks of those that differ: for a picture.
    /// It can break invariants: two entities can have the same name.
    pub fn picture(&self) -> (Design, Marks) {
        let mut both = self.new.clone();
        let mut marks = Marks::default();
        for change in &self.diff.changes {
            let Some(card) = change.part.card() else {
                continue;
            };
            let kind = match change.part {
                Part::Table | Part::Index(_) | Part::Entity(_) | Part::Note(_) => change.kind(),
                Part::Entry(entity, index) => {
                    let mark = marks.wires.entry((entity, index)).or_insert(change.kind());
                    *mark = (*mark).min(change.kind());
                    ChangeKind::Changed
                }
                _ => ChangeKind::Changed,
            };
            let mark = marks.cards.entry(card).or_insert(kind);
            *mark = (*mark).min(kind);
        }
        let removed = |kind: &ChangeKind| *kind == ChangeKind::Removed;
        for (card, _) in marks.cards.iter().filter(|(_, kind)| removed(kind)) {
            self.bring_back(*card, &mut both);
        }
        for ((id, index), _) in marks.wires.iter().filter(|(_, kind)| removed(kind)) {
            let old = self.old.entities.get(id);
            let entry = old.and_then(|entity| entity.keys.get(index));
            if let (Some(entity), Some(entry)) = (both.entities.get_mut(id), entry) {
                Arc::make_mut(entity).keys.insert(*index, entry.clone());
            }
        }
        // Text may have no places.
        for (card, place) in self.old.layout.iter() {
            if !both.layout.contains_key(card) && both.has_card(*card) {
                Arc::make_mut(&mut both.layout).insert(*card, *place);
            }
        }
        (both, marks)
    }

    fn bring_back(&self, card: CardId, design: &mut Design) {
        match card {
            CardId::Index(id) => {
                design
                    .indexes
                    .extend(self.old.indexes.get(&id).map(|index| (id, index.clone())));
            }
            CardId::Entity(id) => {
                let entity = self.old.entities.get(&id);
                design
                    .entities
                    .extend(entity.map(|entity| (id, entity.clone())));
            }
            CardId::Note(id) => {
                design
                    .notes
                    .extend(self.old.notes.get(&id).map(|note| (id, note.clone())));
            }
        }
    }
}

fn with_lines(mut sections: Vec<Section>) -> Vec<Section> {
    sections.retain(|section| !section.lines.is_empty());
    sections
}

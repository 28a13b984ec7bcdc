//! The canvas: positions and colors of the cards, and the notes. What it leaves out stays where the previous design has it.

use super::super::cursor::{Cursor, Spot};
use super::super::statement::Statement;
use super::blocks::Lower;
use super::identity::Known;
use super::lowered::Part;
use super::table::quoted_lines;
use crate::model::{CardId, Entity, EntityId, IndexId, Layout, Note, NoteId, Point};
use std::sync::Arc;

/// What a line is about.
enum Card {
    Table,
    Index(Spot),
    Entity(Spot),
    Note,
}

impl Lower<'_> {
    /// Reads the canvas. `entities` are in the order of the text.
    pub(super) fn canvas(&mut self, blocks: &[&Statement], entities: &[EntityId]) {
        let mut layout: Layout = (self.previous.layout.iter())
            .filter(|(card, _)| !matches!(card, CardId::Note(_)) && self.design.has_card(**card))
            .map(|(card, at)| (*card, *at))
            .collect();
        let mut colored: Vec<EntityId> = Vec::new();
        let mut notes: Vec<(&Statement, Note, Option<Point>)> = Vec::new();
        if let Some(block) = self.only(blocks, "canvas") {
            Cursor::after(block, 1, &self.problems).finish();
            self.key(block, "canvas");
            let mut placed: Vec<CardId> = Vec::new();
            for line in &block.children {
                self.card(line, &mut layout, &mut placed, &mut colored, &mut notes);
            }
        }
        self.colors(entities, &colored);
        self.notes(notes, &mut layout);
        self.design.layout = Arc::new(layout);
    }

    fn card<'a, 't>(
        &mut self,
        line: &'a Statement<'t>,
        layout: &mut Layout,
        placed: &mut Vec<CardId>,
        colored: &mut Vec<EntityId>,
        notes: &mut Vec<(&'a Statement<'t>, Note, Option<Point>)>,
    ) {
        let mut cursor = Cursor::new(line, &self.problems);
        let mut at = None;
        if !cursor.word("-") {
            let x = cursor.number("a position such as `48, 120`, or `-` for none");
            if x.is_some() && !cursor.punctuation(super::super::syntax::SyntaxKind::Comma) {
                cursor.expected("`,`");
            }
            let y = x
                .is_some()
                .then(|| cursor.number("the second number of the position"));
            at = x.zip(y.flatten()).map(Point::from);
        }
        let card = match () {
            () if cursor.failed => None,
            () if cursor.word("table") => Some(Card::Table),
            () if cursor.word("index") => cursor.name("the name of an index").map(Card::Index),
            () if cursor.word("entity") => cursor.name("the name of an entity").map(Card::Entity),
            () if cursor.word("note") => Some(Card::Note),
            () => {
                cursor.expected("`table`, `index`, `entity` or `note`");
                None
            }
        };
        let is_text = |cursor: &Cursor| {
            (cursor.peek())
                .is_some_and(|token| token.kind == super::super::syntax::SyntaxKind::Quoted)
        };
        let inline = match card {
            Some(Card::Note) if is_text(&cursor) => cursor.name("a text").map(|text| text.text),
            _ => None,
        };
        let mut hue = None;
        if matches!(card, Some(Card::Entity(_) | Card::Note)) && cursor.word("color") {
            let range = cursor.here();
            hue = cursor.number::<u8>("the number of a color");
            if hue.is_some_and(|hue| hue >= Entity::HUES) {
                let message = format!("a color is from 0 to {}", Entity::HUES - 1);
                cursor.error(range, message);
            }
        }
        cursor.finish();
        let Some(card) = card.filter(|_| !cursor.failed) else {
            return;
        };
        let missing = |what: &str, name: &str| {
            format!("the canvas has no {what} `{name}`: remove the line, or rename it")
        };
        let id = match card {
            Card::Table => CardId::Index(IndexId::PRIMARY),
            Card::Index(name) => match self.design.index_named(&name.text) {
                Some(id) => {
                    self.mark(name.range, Part::Index(id), false);
                    CardId::Index(id)
                }
                None => return self.warn(name.range, &missing("index", &name.text)),
            },
            Card::Entity(name) => match self.design.entity_named(&name.text) {
                Some(id) => {
                    self.mark(name.range, Part::Entity(id), false);
                    CardId::Entity(id)
                }
                None => return self.warn(name.range, &missing("entity", &name.text)),
            },
            Card::Note => {
                let text = inline.or_else(|| quoted_lines(line)).unwrap_or_default();
                if let Err(error) = Note::check_text(&text) {
                    return self.error(line.code(), error.to_string());
                }
                let mut note = Note::new(text);
                note.hue = hue.unwrap_or(Note::HUE);
                return notes.push((line, note, at));
            }
        };
        if placed.contains(&id) {
            return self.error(line.code(), "this card is placed twice".to_owned());
        }
        placed.push(id);
        if let Some(at) = at {
            layout.insert(id, at);
        } else {
            layout.remove(&id);
        }
        if let (CardId::Entity(id), Some(hue)) = (id, hue) {
            colored.push(id);
            if let Some(entity) = self.edit_entity(id) {
                entity.hue = hue;
            }
        }
        self.key(line, id.to_string());
    }

    /// The colors of entities without one in the text: the previous ones; for new entities, the least used.
    fn colors(&mut self, entities: &[EntityId], colored: &[EntityId]) {
        let mut counts = [0_usize; Entity::HUES as usize];
        let mut open = Vec::new();
        for id in entities {
            let known = self.previous.entities.get(id).map(|entity| entity.hue);
            let has_color = colored.contains(id);
            let Some(entity) = self.edit_entity(*id) else {
                continue;
            };
            match known {
                _ if has_color => counts[usize::from(entity.hue)] += 1,
                Some(hue) => {
                    entity.hue = hue;
                    counts[usize::from(hue)] += 1;
                }
                None => open.push(*id),
            }
        }
        for id in open {
            let least = counts.iter().min().copied().unwrap_or(0);
            let hue = counts.iter().position(|count| *count == least).unwrap_or(0);
            counts[hue] += 1;
            if let Some(entity) = self.edit_entity(id) {
                entity.hue = hue as u8;
            }
        }
    }

    fn notes(&mut self, notes: Vec<(&Statement, Note, Option<Point>)>, layout: &mut Layout) {
        let place = |at: Option<Point>| at.map_or(String::new(), |at| format!("{},{}", at.x, at.y));
        let old: Vec<_> = (self.previous.notes.iter())
            .map(|(id, note)| {
                let at = self.previous.layout.get(&CardId::Note(*id)).copied();
                (*id, Known::new(&note.text, place(at)))
            })
            .collect();
        let new: Vec<Known> = (notes.iter())
            .map(|(_, note, at)| Known::new(&note.text, place(*at)))
            .collect();
        let ids = self.ids(&new, &old, NoteId);
        for ((line, note, at), id) in notes.into_iter().zip(ids) {
            self.key(line, id.to_string());
            for (number, quote) in line.children.iter().enumerate() {
                self.keys[quote.number] = Some(format!("line#{number}"));
            }
            self.mark(line.code(), Part::Note(id), true);
            self.design.notes.insert(id, Arc::new(note));
            if let Some(at) = at {
                layout.insert(CardId::Note(id), at);
            }
        }
    }
}

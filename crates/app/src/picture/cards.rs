//! Draws the cards of a picture, row by row as on the canvas.

use super::colors::{Color, Hue};
use super::drawing::Drawing;
use super::pen::{MONO, MONO_BOLD, Pen, TextStyle};
use crate::badge::badge;
use crate::fit_text::key::{KeyFont, KeyPiece, KeyText, PieceKind};
use crate::fit_text::{WidestRow, text_width, truncate};
use crate::geometry::{
    ATTRIBUTE_ROW, ENTITY_WIDTH, GROUP, HEAD, INDEX_WIDTH, KEY_ROW, entity_height, entry_rows,
    index_height,
};
use crate::note::{NOTE_FONT, NOTE_LINE, NOTE_PAD, NOTE_WIDTH, note_height, note_lines};
use crate::viewport::Detail;
use keyfold_core::engine::key_sources::is_in_index;
use keyfold_core::model::{
    Attribute, Billing, CardId, Condition, Entity, IndexEntry, IndexId, KeySchema, Note,
    Projection, Test,
};

/// Corner radius of a card.
const ROUND: f64 = 10.0;
/// Corner radius of a note.
const NOTE_ROUND: f64 = 4.0;
/// Padding between a card's edge and its text.
const PAD: f64 = 10.0;
/// Width of a row's label.
const LABEL: f64 = 58.0;
/// Gap after a label.
const GAP: f64 = 8.0;
/// Where the text after a label starts.
const AFTER_LABEL: f64 = PAD + LABEL + GAP;
/// Small font size.
const SMALL: f64 = 11.0;
/// Font of a template.
const FONT: KeyFont = KeyFont {
    size: SMALL,
    chip: 8.0,
};
/// Minimum font size of a template that does not fit. If it still does not fit, it is truncated.
const MIN_FONT: f64 = 8.5;
/// Maximum number of badges in a row of an index card.
const MAX_BADGES: usize = 7;

/// Returns a condition as text, such as `featured = true`.
pub fn condition_text(condition: &Condition) -> String {
    let attribute = &condition.attribute;
    match &condition.test {
        Test::Equals(value) => format!("{attribute} = {}", value.to_text()),
        Test::NotEquals(value) => format!("{attribute} ≠ {}", value.to_text()),
        Test::OneOf(values) => {
            let values: Vec<String> = values.iter().map(|value| value.to_text()).collect();
            format!("{attribute} in {}", values.join(", "))
        }
        Test::Exists => format!("{attribute} exists"),
        Test::Missing => format!("{attribute} is missing"),
    }
}

/// Returns all conditions of an index entry as one text.
pub fn when_text(entry: &IndexEntry) -> String {
    let texts: Vec<String> = entry.when.iter().map(condition_text).collect();
    texts.join(" and ")
}

fn look(fill: Color, size: f64, more: &'static str) -> TextStyle {
    TextStyle { fill, size, more }
}

impl Drawing<'_> {
    /// Draws a card at its position.
    pub(super) fn card(&self, pen: &mut Pen, card: CardId) {
        let Some(place) = self.design.layout.get(&card) else {
            return;
        };
        let at = (f64::from(place.x), f64::from(place.y));
        match card {
            CardId::Entity(id) => {
                if let Some(entity) = self.design.entities.get(&id) {
                    self.entity(pen, at, entity);
                }
            }
            CardId::Index(id) => {
                if let Some(key) = self.design.key(id) {
                    self.index(pen, at, id, key);
                }
            }
            CardId::Note(id) => {
                if let Some(note) = self.design.notes.get(&id) {
                    self.note(pen, at, note);
                }
            }
        }
    }

    /// Starts a card: background, and a header in another color.
    fn begin(&self, pen: &mut Pen, at: (f64, f64), size: (f64, f64), head: Color) {
        pen.raw("<g transform=\"translate(").number(at.0).raw(" ");
        pen.number(at.1).raw(")\">\n");
        pen.rect((0.0, 0.0), size, ROUND, head);
        if size.1 > HEAD {
            let below = (size.0, size.1 - HEAD);
            pen.rect((0.0, HEAD), below, ROUND, self.theme.surface);
            pen.rect((0.0, HEAD), (size.0, ROUND), 0.0, self.theme.surface);
            pen.rule(HEAD - 0.5, size.0, self.theme.line);
        }
    }

    fn end(&self, pen: &mut Pen, size: (f64, f64)) {
        pen.outline((0.0, 0.0), size, ROUND, self.theme.line_field);
        pen.raw("\n</g>\n");
    }

    fn entity(&self, pen: &mut Pen, at: (f64, f64), entity: &Entity) {
        let size = (ENTITY_WIDTH, entity_height(entity, self.detail));
        let hue = self.hue(entity.hue);
        self.begin(pen, at, size, hue.soft);
        // The strip along the top edge, with round corners.
        pen.raw("<path d=\"M0 10a10 10 0 0 1 10-10h268a10 10 0 0 1 10 10v3a10 10 0 0 0-10-10h-268a10 10 0 0 0-10 10z\"");
        pen.raw(" fill=\"").raw(hue.strong).raw("\"/>\n");
        self.badge(pen, (PAD, 11.0), &entity.name, hue);
        let name = look(self.theme.text, 13.0, " font-weight=\"600\"");
        self.line(pen, 40.0, 24.5, ENTITY_WIDTH - 50.0, name, &entity.name);
        if self.detail != Detail::Names {
            let mut y = HEAD;
            let x = self.after_labels(entity);
            for (index, entry) in &entity.keys {
                y = self.entry(pen, (x, y), *index, entry);
                if y < size.1 {
                    pen.rule(y - 0.5, size.0, self.theme.line);
                }
            }
            if self.detail == Detail::All && !entity.attributes.is_empty() {
                for (row, attribute) in entity.attributes.iter().enumerate() {
                    let y = y + 4.0 + row as f64 * ATTRIBUTE_ROW;
                    self.attribute(pen, y, attribute);
                }
            }
        }
        self.end(pen, size);
    }

    /// Draws a note: its lines as on the canvas. If it shows less than its text, the title has the whole text.
    fn note(&self, pen: &mut Pen, at: (f64, f64), note: &Note) {
        let size = (NOTE_WIDTH, note_height(note, self.detail));
        let hue = self.hue(note.hue);
        pen.raw("<g transform=\"translate(").number(at.0).raw(" ");
        pen.number(at.1).raw(")\">\n");
        let lines = note_lines(note, self.detail);
        if lines.last().is_some_and(|line| line.ends_with('…')) {
            pen.title(&note.text);
        }
        pen.rect((0.0, 0.0), size, NOTE_ROUND, hue.chip);
        let top = match self.detail {
            Detail::Names => (size.1 - NOTE_LINE) / 2.0,
            _ => NOTE_PAD,
        };
        let text = look(self.theme.text, NOTE_FONT, "");
        for (number, line) in lines.iter().enumerate() {
            let y = top + number as f64 * NOTE_LINE + 13.0;
            if !line.is_empty() {
                pen.text(NOTE_PAD, y, text, line);
            }
        }
        pen.outline((0.0, 0.0), size, NOTE_ROUND, hue.strong);
        pen.raw("\n</g>\n");
    }

    /// Draws one line of text, truncated to `room`. The full text is in the title.
    fn line(&self, pen: &mut Pen, x: f64, y: f64, room: f64, look: TextStyle, text: &str) {
        let shown = truncate(text, room, look.size);
        if shown == text {
            pen.text(x, y, look, text);
        } else {
            pen.raw("<g>").title(text);
            pen.text(x, y, look, &shown);
            pen.raw("</g>\n");
        }
    }

    fn badge(&self, pen: &mut Pen, (x, y): (f64, f64), name: &str, hue: &Hue) {
        pen.rect((x, y), (22.0, 18.0), 4.0, hue.chip);
        let letters = look(
            hue.text,
            SMALL,
            " font-weight=\"700\" text-anchor=\"middle\" aria-hidden=\"true\"",
        );
        let text = badge(name);
        pen.text(x + 11.0, y + 12.5, letters, &truncate(&text, 22.0, SMALL));
    }

    /// The templates of an index entry, with the names of their key attributes.
    fn templates<'e>(&'e self, index: IndexId, entry: &'e IndexEntry) -> Vec<(&'e str, &'e str)> {
        let key = self.design.key(index);
        let parts = [
            (key.map(|key| &key.partition), &entry.partition),
            (key.map(|key| &key.sort), &entry.sort),
        ];
        (parts.into_iter())
            .filter_map(|(part, text)| {
                let name = (part.and_then(|part| part.first())).map_or("", |a| &a.name);
                Some((name, text.as_deref()?))
            })
            .collect()
    }

    /// Where an entity's templates start: as on the canvas, or directly after the longest label if a template would
    /// not fit.
    fn after_labels(&self, entity: &Entity) -> f64 {
        let mut rows = Vec::new();
        for (index, entry) in &entity.keys {
            let templates = self.templates(*index, entry);
            rows.extend((templates.into_iter()).map(|(name, text)| (name, Some(text))));
            if !entry.when.is_empty() {
                rows.push(("when", None));
            } else if entry.partition.is_none() && entry.sort.is_none() {
                rows.push((self.design.index_name(*index), None));
            }
        }
        let room = ENTITY_WIDTH - PAD - AFTER_LABEL;
        PAD + WidestRow::of(rows, FONT).label_width(LABEL, room) + GAP
    }

    /// Draws an index entry of an entity, from `y` down; text after the labels starts at `x`. Returns where the next
    /// group starts.
    fn entry(&self, pen: &mut Pen, (x, y): (f64, f64), index: IndexId, entry: &IndexEntry) -> f64 {
        let key = self.design.key(index);
        let label = if index.is_primary() {
            look(self.theme.text, SMALL, MONO_BOLD)
        } else {
            look(self.theme.text_2, SMALL, MONO)
        };
        let plain = look(self.theme.text, SMALL, MONO);
        let mut row = y + 4.0;
        for (name, text) in self.templates(index, entry) {
            self.line(pen, PAD, row + 16.0, LABEL, label, name);
            self.template(pen, (x, row), text);
            row += KEY_ROW;
        }
        let room = ENTITY_WIDTH - x - PAD;
        if !entry.when.is_empty() {
            let italic = look(self.theme.text_2, SMALL, " font-style=\"italic\"");
            self.line(pen, PAD, row + 16.0, LABEL, label, "when");
            self.line(pen, x, row + 16.0, room, italic, &when_text(entry));
        } else if entry.partition.is_none() && entry.sort.is_none() {
            let names: Vec<&str> = (key.into_iter().flat_map(KeySchema::attributes))
                .map(|attribute| attribute.name.as_str())
                .collect();
            self.line(
                pen,
                PAD,
                row + 16.0,
                LABEL,
                label,
                self.design.index_name(index),
            );
            self.line(pen, x, row + 16.0, room, plain, &names.join(", "));
        }
        y + entry_rows(entry) as f64 * KEY_ROW + GROUP
    }

    /// Draws a key template from `start` in the row at `y`: literal text, and placeholders as chips.
    fn template(&self, pen: &mut Pen, (start, y): (f64, f64), text: &str) {
        let key = KeyText::of(text);
        let room = ENTITY_WIDTH - start - PAD + 0.01;
        let chips = |piece: &&KeyPiece| matches!(piece.kind, PieceKind::Chip(_));
        let pads = key.pieces.iter().filter(chips).count() as f64 * FONT.chip;
        let letters = key.width(FONT) - pads;
        // Tenths, as in the output.
        let fitting = ((room - pads) / letters.max(1.0) * SMALL * 10.0).floor() / 10.0;
        let size = fitting.clamp(MIN_FONT, SMALL);
        let font = KeyFont { size, ..FONT };
        let is_whole = key.width(font) <= room;
        let key = key.fit(room, font);
        pen.raw("<g>");
        if !is_whole {
            pen.title(text);
        }
        let mut x = start;
        for piece in &key.pieces {
            if let PieceKind::Chip(attribute) = &piece.kind {
                let ground = self.hue_of(attribute).chip;
                pen.rect((x, y + 4.0), (piece.width(font), 16.0), 4.0, ground);
            }
            x += piece.width(font);
        }
        pen.raw("<text").attribute("y", y + 16.0);
        pen.attribute("font-size", size).raw(MONO).raw(">");
        let mut x = start;
        for piece in &key.pieces {
            let (fill, more, pad) = match &piece.kind {
                PieceKind::Literal => (self.theme.text, "", 0.0),
                PieceKind::Broken => (self.theme.error, " text-decoration=\"underline\"", 0.0),
                PieceKind::Chip(attribute) => (self.hue_of(attribute).text, "", FONT.chip / 2.0),
            };
            pen.span(x + pad, look(fill, size, more), &piece.text);
            x += piece.width(font);
        }
        pen.raw("</text></g>\n");
    }

    /// The hue of an attribute's chips.
    fn hue_of(&self, attribute: &str) -> &Hue {
        self.hue(self.tints.borrow_mut().hue_of(attribute))
    }

    fn attribute(&self, pen: &mut Pen, y: f64, attribute: &Attribute) {
        let fill = if attribute.required {
            self.theme.text
        } else {
            self.theme.text_2
        };
        let kind = attribute.kind.label();
        let room = ENTITY_WIDTH - 2.0 * PAD - 8.0 - text_width(kind, SMALL);
        self.line(
            pen,
            PAD,
            y + 14.5,
            room,
            look(fill, 12.0, ""),
            &attribute.name,
        );
        self.at_right(pen, ENTITY_WIDTH, y + 14.0, kind);
    }

    /// Draws a type at the right edge of a card.
    fn at_right(&self, pen: &mut Pen, card: f64, y: f64, kind: &str) {
        let x = card - PAD - text_width(kind, SMALL);
        pen.text(x, y, look(self.theme.text_3, SMALL, MONO), kind);
    }

    /// Draws the card of the table or an index.
    fn index(&self, pen: &mut Pen, at: (f64, f64), id: IndexId, key: &KeySchema) {
        let size = (INDEX_WIDTH, index_height(key, self.detail));
        let index = self.design.indexes.get(&id);
        let (kind, name) = match index {
            Some(index) => (index.kind.label(), index.name.as_str()),
            None => ("Table", self.design.table.name.as_str()),
        };
        let foot = match (
            index.map(|index| &index.projection),
            &self.design.table.billing,
        ) {
            (Some(Projection::All), _) => "all attributes".to_owned(),
            (Some(Projection::KeysOnly), _) => "keys only".to_owned(),
            (Some(Projection::Include(names)), _) => format!("keys + {}", names.join(", ")),
            (None, Billing::OnDemand(_)) => "on-demand".to_owned(),
            (None, Billing::Provisioned(_)) => "provisioned".to_owned(),
        };
        self.begin(pen, at, size, self.theme.surface_2);
        let kind_width = text_width(kind, SMALL) + 12.0;
        pen.outline((PAD, 11.5), (kind_width, 17.0), 4.0, self.theme.line_strong);
        let small = look(
            self.theme.text_2,
            SMALL,
            " font-weight=\"600\" text-anchor=\"middle\"",
        );
        pen.text(PAD + kind_width / 2.0, 23.5, small, kind);
        let x = PAD + kind_width + 8.0;
        let bold = look(self.theme.text, 12.0, MONO_BOLD);
        self.line(pen, x, 24.0, INDEX_WIDTH - PAD - x, bold, name);
        if self.detail != Detail::Names {
            let mut y = HEAD + 4.0;
            let sides = (key.partition.iter().map(|a| ("partition", a)))
                .chain(key.sort.iter().map(|a| ("sort", a)));
            for (side, attribute) in sides {
                pen.text(PAD, y + 16.0, look(self.theme.text_2, SMALL, ""), side);
                let room = INDEX_WIDTH - AFTER_LABEL - PAD - 16.0;
                let text = look(self.theme.text, SMALL, MONO);
                self.line(pen, AFTER_LABEL, y + 16.0, room, text, &attribute.name);
                self.at_right(pen, INDEX_WIDTH, y + 16.0, attribute.kind.letter());
                y += KEY_ROW;
            }
            y += GROUP - 4.0;
            pen.rule(y - 0.5, INDEX_WIDTH, self.theme.line);
            let text = look(self.theme.text_2, 12.0, "");
            self.line(pen, PAD, y + 18.5, INDEX_WIDTH - 2.0 * PAD, text, &foot);
            self.members(pen, y + 28.0, id);
        }
        self.end(pen, size);
    }

    /// Draws the badges of the entities in an index, as many as fit.
    fn members(&self, pen: &mut Pen, y: f64, index: IndexId) {
        let members: Vec<&Entity> = (self.design.entities.values())
            .filter(|entity| is_in_index(self.design, entity, index))
            .map(|entity| &**entity)
            .collect();
        let text = look(self.theme.text_2, SMALL, "");
        if members.is_empty() {
            pen.text(PAD, y + 13.0, text, "no entities");
            return;
        }
        let names: Vec<&str> = members.iter().map(|entity| entity.name.as_str()).collect();
        let shown = if members.len() > MAX_BADGES {
            MAX_BADGES - 1
        } else {
            members.len()
        };
        pen.raw("<g>").title(&names.join(", "));
        for (i, entity) in members.iter().take(shown).enumerate() {
            let x = PAD + i as f64 * 26.0;
            self.badge(pen, (x, y), &entity.name, self.hue(entity.hue));
        }
        if members.len() > shown {
            let more = format!("+{}", members.len() - shown);
            pen.text(PAD + shown as f64 * 26.0, y + 13.0, text, &more);
        }
        pen.raw("</g>\n");
    }
}

//! A key template as a line of text and chips, cut to a width. The last word of its text tells it from the keys that
//! begin alike, `TRANSACTION` in `TENANT#{tenantId}#BRANCH#{branchId}#TRANSACTION`: it stays, what is before is cut. Where
//! more is left out than the end of one name, the ellipsis stands between delimiters, `TENANT#…#TRANSACTION`, so that the
//! rest cannot be read as another key.

use super::{text_width, truncate};
use keyfold_core::template::{self, Segment};

/// Part of the width that the first text keeps with an ellipsis if the last word alone has no room.
const HEAD: f64 = 0.4;
/// How much of a name is shown at least, in characters, with the ellipsis.
const LEAST_NAME: f64 = 4.0;

/// What a piece of a template is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PieceKind {
    /// Fixed text.
    Literal,
    /// A placeholder of this attribute.
    Chip(String),
    /// Text with an error.
    Broken,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPiece {
    /// Its text; that of a placeholder is without braces.
    pub text: String,
    /// What it is.
    pub kind: PieceKind,
}

/// A template in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyText {
    /// All pieces.
    pub pieces: Vec<KeyPiece>,
    /// Where the last word of the text starts, with the delimiter before it: its piece, and the place there. 0 if there is none.
    word: (usize, usize),
}

/// A font: its size, and the width of a chip besides its text, in pixels.
#[derive(Debug, Clone, Copy)]
pub struct KeyFont {
    /// The size.
    pub size: f64,
    /// The padding of a chip, both sides together.
    pub chip: f64,
}

impl KeyText {
    /// The pieces of a template.
    pub fn of(text: &str) -> KeyText {
        let mut pieces: Vec<KeyPiece> = Vec::new();
        for segment in &template::parse(text).template.segments {
            let (text, kind) = match segment {
                Segment::Literal { text, .. } => (text.clone(), PieceKind::Literal),
                Segment::Broken { text, .. } => (text.clone(), PieceKind::Broken),
                Segment::Placeholder(placeholder) => {
                    let source = text.get(placeholder.span.clone()).unwrap_or_default();
                    let modifiers = source.trim_end_matches(['}', '>']).split_once(':');
                    let modifiers = modifiers.map_or(String::new(), |(_, all)| format!(":{all}"));
                    let name = placeholder.attribute.clone();
                    (name.clone() + &modifiers, PieceKind::Chip(name))
                }
            };
            pieces.push(KeyPiece { text, kind });
        }
        let word = (pieces.iter().enumerate().rev())
            .filter(|(_, piece)| piece.kind == PieceKind::Literal)
            .find_map(|(at, piece)| Some((at, last_word(&piece.text)?)));
        KeyText {
            pieces,
            word: word.unwrap_or_default(),
        }
    }

    /// What is before the last word of its text, and the rest. The first is empty if that word begins it.
    fn halves(self) -> [Vec<KeyPiece>; 2] {
        let mut head = self.pieces;
        let (at, start) = self.word;
        let mut tail = head.split_off(at);
        if let Some(first) = tail.first_mut().filter(|_| start > 0) {
            let word = KeyPiece::literal(first.text.split_off(start));
            head.push(std::mem::replace(first, word));
        }
        [head, tail]
    }

    /// The width of the whole.
    pub fn width(&self, font: KeyFont) -> f64 {
        width(&self.pieces, font)
    }

    /// Cuts it to a width. The last word stays, as far as the beginning keeps some characters.
    #[must_use]
    pub fn fit(self, room: f64, font: KeyFont) -> KeyText {
        // A little more, because sums of tenths are not exact.
        if self.width(font) <= room + 0.01 {
            return self;
        }
        let [mut pieces, mut tail] = self.halves();
        let ellipsis = text_width("…", font.size);
        let least = match pieces.first() {
            None => 0.0,
            Some(first) if first.kind == PieceKind::Literal => {
                let begins = (first.width(font) + ellipsis).min(width(&pieces, font));
                if begins <= HEAD * room {
                    begins
                } else {
                    ellipsis
                }
            }
            Some(_) => ellipsis,
        };
        cut(&mut tail, room - least, font);
        if matches!(tail.first(), Some(piece) if piece.text == "…") {
            pieces.clear();
        }
        let left = room - width(&tail, font);
        // Several pieces are cut between them, a single one inside.
        if pieces.len() > 1 && pieces[0].width(font) + ellipsis > left {
            pieces = vec![KeyPiece::literal("…")];
        }
        cut(&mut pieces, left, font);
        let word = (pieces.len(), 0);
        pieces.append(&mut tail);
        KeyText { pieces, word }
    }
}

impl KeyPiece {
    fn literal(text: impl Into<String>) -> KeyPiece {
        KeyPiece {
            text: text.into(),
            kind: PieceKind::Literal,
        }
    }

    /// Cuts its text to a width; of a placeholder the name, its modifiers stay as far as they have room.
    fn cut(&mut self, room: f64, font: KeyFont) {
        let name = match &self.kind {
            PieceKind::Chip(name) => name.len(),
            _ => self.text.len(),
        };
        let (name, modifiers) = self.text.split_at(name);
        let left = room - text_width(modifiers, font.size);
        let is_room = left >= LEAST_NAME * text_width("…", font.size);
        self.text = match is_room && !modifiers.is_empty() {
            true => truncate(name, left, font.size).into_owned() + modifiers,
            false => truncate(&self.text, room, font.size).into_owned(),
        };
    }

    /// Its width.
    pub fn width(&self, font: KeyFont) -> f64 {
        text_width(&self.text, font.size) + self.padding(font)
    }

    fn padding(&self, font: KeyFont) -> f64 {
        match self.kind {
            PieceKind::Chip(_) => font.chip,
            _ => 0.0,
        }
    }
}

fn width(pieces: &[KeyPiece], font: KeyFont) -> f64 {
    pieces.iter().map(|piece| piece.width(font)).sum()
}

/// Where the last word of a text starts, with the delimiter before it.
fn last_word(text: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let through_end = text.trim_end_matches(|c| !is_word(c));
    let before = through_end.trim_end_matches(is_word);
    let start = before.trim_end_matches(|c| !is_word(c)).len();
    (!through_end.is_empty()).then_some(start)
}

/// Cuts pieces that are wider than `room` at their end, with an ellipsis: after a whole piece or the delimiter behind it;
/// inside a piece only if no other one is left out.
fn cut(pieces: &mut Vec<KeyPiece>, room: f64, font: KeyFont) {
    if width(pieces, font) <= room + 0.01 {
        return;
    }
    let ellipsis = text_width("…", font.size);
    let mut left = room;
    for at in 0..pieces.len() {
        let is_last = at + 1 == pieces.len();
        let piece = &mut pieces[at];
        if !is_last && piece.width(font) + ellipsis <= left + 0.01 {
            left -= piece.width(font);
            continue;
        }
        let inside = left - piece.padding(font);
        let is_chip = matches!(piece.kind, PieceKind::Chip(_));
        if at == 0 || is_last && !(is_chip && inside < LEAST_NAME * ellipsis) {
            piece.cut(inside, font);
        } else {
            let word = piece.text.find(|c: char| c.is_alphanumeric());
            let delimiter = piece
                .text
                .get(..word.unwrap_or_default())
                .unwrap_or_default();
            let has_room = !is_chip && text_width(delimiter, font.size) + ellipsis <= left + 0.01;
            let text = if has_room { delimiter } else { "" };
            *piece = KeyPiece::literal(format!("{text}…"));
        }
        pieces.truncate(at + 1);
        return;
    }
}

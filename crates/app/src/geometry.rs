//! Card sizes and wire curves, computed from the design, so that the page never measures elements. The style sheet
//! `canvas.css` repeats the row heights.

use super::note::{NOTE_WIDTH, note_height};
use super::viewport::{Area, Detail};
use keyfold_core::model::{CardId, Design, Entity, IndexEntry, IndexId, KeySchema};

/// Width of an entity card, in canvas pixels.
pub const ENTITY_WIDTH: f64 = 288.0;
/// Width of an index card.
pub const INDEX_WIDTH: f64 = 216.0;
/// Height of a card's header.
pub const HEAD: f64 = 40.0;
/// Height of a row with a template or a key attribute.
pub const KEY_ROW: f64 = 24.0;
/// Height of a row with an attribute.
pub const ATTRIBUTE_ROW: f64 = 20.0;
/// Height of an index card's footer: projection and entity badges.
pub const FOOT: f64 = 56.0;
/// Total space above and below a group of rows, with the line between groups.
pub const GROUP: f64 = 9.0;

/// Length and half the width of an arrow head.
const ARROW_HEAD: (f64, f64) = (9.0, 4.5);

/// Number of rows of an entity's index entry.
pub fn entry_rows(entry: &IndexEntry) -> usize {
    let templates = usize::from(entry.partition.is_some()) + usize::from(entry.sort.is_some());
    (templates + usize::from(!entry.when.is_empty())).max(1)
}

fn entry_height(entry: &IndexEntry) -> f64 {
    entry_rows(entry) as f64 * KEY_ROW + GROUP
}

/// Height of an entity card.
pub fn entity_height(entity: &Entity, detail: Detail) -> f64 {
    if detail == Detail::Names {
        return HEAD;
    }
    let keys: f64 = entity.keys.values().map(entry_height).sum();
    let attributes = match detail {
        Detail::All => entity.attributes.len() as f64 * ATTRIBUTE_ROW,
        _ => 0.0,
    };
    HEAD + keys
        + if attributes > 0.0 {
            attributes + GROUP
        } else {
            0.0
        }
}

/// Height of an index card: header, key attributes, footer.
pub fn index_height(key: &KeySchema, detail: Detail) -> f64 {
    match detail {
        Detail::Names => HEAD,
        _ => HEAD + key.attributes().count() as f64 * KEY_ROW + GROUP + FOOT,
    }
}

/// Distance from the top of an entity card to the middle of its entry in an index.
pub fn entry_middle(entity: &Entity, index: IndexId, detail: Detail) -> f64 {
    if detail == Detail::Names {
        return HEAD / 2.0;
    }
    let before: f64 = (entity.keys.range(..index))
        .map(|(_, entry)| entry_height(entry))
        .sum();
    let own = entity.keys.get(&index).map_or(HEAD, entry_height);
    HEAD + before + own / 2.0
}

/// Distance from the top of an entity card to the middle of an attribute's row; to a place near the lower edge of a card
/// without attribute rows.
pub fn attribute_middle(entity: &Entity, name: &str, detail: Detail) -> f64 {
    let rows = match detail {
        Detail::All => entity.attributes.as_slice(),
        _ => &[],
    };
    let row = rows.iter().position(|attribute| attribute.name == name);
    let below = row.map_or(0.0, |row| (rows.len() - row) as f64 - 0.5);
    entity_height(entity, detail) - GROUP - below * ATTRIBUTE_ROW + GROUP / 2.0
}

/// The curve of a wire from an entity card to an index card, or of a reference to another entity card, between the sides
/// that face each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WireCurve {
    /// Start, at the entity.
    pub from: (f64, f64),
    /// End, at the index.
    pub to: (f64, f64),
    /// Direction in which it leaves the entity: 1 for right, -1 for left.
    pub leaves: f64,
    /// Side on which it enters the index: 1 for right, -1 for left.
    pub enters: f64,
}

impl WireCurve {
    /// Returns the curve from an entity card at `entity`, `down` pixels below its top, to the header of an index
    /// card at `index`.
    pub fn between(entity: (f64, f64), down: f64, index: (f64, f64)) -> WireCurve {
        WireCurve::joining(entity, down, index, INDEX_WIDTH, 1.0)
    }

    /// Returns the curve of a reference from an entity card at `entity`, `down` pixels below its top, to the header of the
    /// entity card at `target`.
    pub fn reference(entity: (f64, f64), down: f64, target: (f64, f64)) -> WireCurve {
        WireCurve::joining(entity, down, target, ENTITY_WIDTH, -1.0)
    }

    /// Cards above each other are joined on the side `stacked`: 1 for right, -1 for left.
    fn joining(
        entity: (f64, f64),
        down: f64,
        card: (f64, f64),
        width: f64,
        stacked: f64,
    ) -> WireCurve {
        let y = (entity.1 + down, card.1 + HEAD / 2.0);
        // A side that faces the other card is only good if the other card is beside this one, not above or below.
        let right_of = card.0 >= entity.0 + ENTITY_WIDTH;
        let left_of = card.0 + width <= entity.0;
        let (leaves, enters) = match (right_of, left_of) {
            (true, _) => (1.0, -1.0),
            (_, true) => (-1.0, 1.0),
            _ => (stacked, stacked),
        };
        let side = |x: f64, width: f64, to: f64| if to > 0.0 { x + width } else { x };
        WireCurve {
            from: (side(entity.0, ENTITY_WIDTH, leaves), y.0),
            to: (side(card.0, width, enters), y.1),
            leaves,
            enters,
        }
    }

    /// Returns the `d` attribute of the arrow head at the end.
    pub fn head(self) -> String {
        let ((x, y), out) = (self.to, self.enters * ARROW_HEAD.0);
        let half = ARROW_HEAD.1;
        format!("M{x:.1} {y:.1}l{out} {}v{}z", -half, 2.0 * half)
    }

    /// The four points of the cubic Bézier curve.
    pub fn points(self) -> [(f64, f64); 4] {
        let ((x1, y1), (x2, y2)) = (self.from, self.to);
        let bend = ((x2 - x1).abs() * 0.5).clamp(32.0, 160.0);
        let (out, back) = (x1 + bend * self.leaves, x2 + bend * self.enters);
        [(x1, y1), (out, y1), (back, y2), (x2, y2)]
    }

    /// Returns the point at `t`, from 0 at the start to 1 at the end.
    pub fn at(self, t: f64) -> (f64, f64) {
        let u = 1.0 - t;
        let weights = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
        let mut place = (0.0, 0.0);
        for (weight, point) in weights.iter().zip(self.points()) {
            place.0 += weight * point.0;
            place.1 += weight * point.1;
        }
        place
    }

    /// Returns the `d` attribute of the SVG path.
    pub fn path(self) -> String {
        let [(x1, y1), (out, _), (back, _), (x2, y2)] = self.points();
        format!("M{x1:.1} {y1:.1}C{out:.1} {y1:.1} {back:.1} {y2:.1} {x2:.1} {y2:.1}")
    }
}

/// Height of a card of the design.
pub fn card_height(design: &Design, card: CardId, detail: Detail) -> f64 {
    match card {
        CardId::Entity(id) => (design.entities.get(&id)).map_or(0.0, |e| entity_height(e, detail)),
        CardId::Index(id) => (design.key(id)).map_or(0.0, |key| index_height(key, detail)),
        CardId::Note(id) => (design.notes.get(&id)).map_or(0.0, |note| note_height(note, detail)),
    }
}

/// The area that a card would cover at this place.
pub fn area_at(design: &Design, card: CardId, place: (f64, f64), detail: Detail) -> Area {
    let width = match card {
        CardId::Entity(_) => ENTITY_WIDTH,
        CardId::Index(_) => INDEX_WIDTH,
        CardId::Note(_) => NOTE_WIDTH,
    };
    Area {
        x: place.0,
        y: place.1,
        width,
        height: card_height(design, card, detail),
    }
}

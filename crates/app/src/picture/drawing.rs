//! Draws the picture: the head, item collections, wires and arrows around the cards, marks of cards that differ; and the
//! scale of its raster image.

use super::super::collections::{
    self, CollectionArea, HEADING_SIZES, NAME_LINE, collection_areas, entity_groups,
};
use super::super::placement::{card_areas, place_missing};
use super::super::references;
use super::super::route::{Arrows, Routes, Wire, WireRoute, obstacles};
use super::super::tints::Tints;
use super::super::viewport::{Area, Detail};
use super::cards;
use super::colors::{self, DARK, LIGHT, Theme};
use super::pen::{MONO, Pen, SANS, TextStyle};
use crate::fit_text::{text_width, truncate};
use keyfold_compare::{ChangeKind, Marks};
use keyfold_core::engine::generate::Reference;
use keyfold_core::model::{CardId, Design, IndexId};
use std::cell::RefCell;

/// Margin around the cards, in pixels.
const MARGIN: f64 = 32.0;

/// Longest side of an image that browsers can make, in pixels.
const MAX_SIDE: f64 = 16_000.0;

/// Maximum number of pixels of an image: browsers make it within seconds and 256 MB.
const MAX_PIXELS: f64 = 64_000_000.0;

/// Options of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PictureOptions {
    /// Whether to use the dark theme.
    pub dark: bool,
    /// How much the cards show.
    pub detail: Detail,
    /// The index whose item collections are shown as groups; `None` for no groups.
    pub groups: Option<IndexId>,
    /// Whether to draw the references between entities.
    pub references: bool,
}

/// Returns the canvas of a design as an SVG document. The same design and options give the same bytes. Cards without
/// a position are on the right of the others; see [`place_missing`].
pub fn svg(design: &Design, options: PictureOptions) -> String {
    svg_of_differences(design, options, &Marks::default())
}

/// Returns the same picture with marked cards and wires: a line in a color of its own, a sign and a word
/// (`keyfold_compare::Report::picture` has both the design and the marks).
pub fn svg_of_differences(design: &Design, options: PictureOptions, marks: &Marks) -> String {
    let mut layers = svg_layers_of_differences(design, options, marks, usize::MAX);
    layers.pop().unwrap_or_default()
}

/// Returns the same picture as several SVG documents of equal size, to be stacked in this order. The first has the
/// background and the wires; each has at most `most` cards. A browser processes several small documents one by one,
/// and an edit changes few of them.
pub fn svg_layers(design: &Design, options: PictureOptions, most: usize) -> Vec<String> {
    svg_layers_of_differences(design, options, &Marks::default(), most)
}

/// Returns the picture of [`svg_of_differences`] as layers, like [`svg_layers`]. The last one has the marks.
pub fn svg_layers_of_differences(
    design: &Design,
    options: PictureOptions,
    marks: &Marks,
    most: usize,
) -> Vec<String> {
    let mut design = design.clone();
    place_missing(&mut design);
    let theme = if options.dark { &DARK } else { &LIGHT };
    let cards: Vec<_> = card_areas(&design, options.detail);
    let drawing = Drawing {
        design: &design,
        theme,
        detail: options.detail,
        references: match options.references {
            true => references::drawn(&design),
            false => Vec::new(),
        },
        tints: RefCell::new(Tints::of_design(&design)),
        grounds: (options.groups).map_or_else(Vec::new, |index| {
            collection_areas(&entity_groups(&design, index), &cards)
        }),
        cards,
        marks,
    };
    let area = drawing.area();
    let obstacles = obstacles(&drawing.cards, &drawing.grounds);
    let routes = Routes::new(&design, options.detail, obstacles, None);
    let wire_marks = drawing.wire_marks(&routes);
    let cards: Vec<CardId> = design.cards().collect();
    // A design without cards still needs one layer.
    let count = cards.len().div_ceil(most).max(1);
    let layer = |at: usize| {
        let mut pen = Pen { out: String::new() };
        drawing.head(&mut pen, area);
        if at == 0 {
            let (place, size) = ((area.x, area.y), (area.width, area.height));
            pen.rect(place, size, 0.0, theme.canvas);
        }
        pen.raw("\n<g").raw(SANS).raw(">\n");
        if at == 0 {
            drawing.collection_areas(&mut pen);
            drawing.wires(&mut pen, &routes, &wire_marks);
        }
        for card in cards.iter().skip(at * most).take(most) {
            drawing.card(&mut pen, *card);
        }
        if at + 1 == count {
            for mark in &wire_marks {
                drawing.wire_mark(&mut pen, mark);
            }
            for (card, kind) in &marks.cards {
                drawing.mark(&mut pen, *card, *kind);
            }
        }
        pen.raw("</g>\n</svg>\n");
        pen.out
    };
    (0..count).map(layer).collect()
}

/// Returns the scale for a PNG of a picture of this size in pixels: 2, or less if a browser cannot make an image
/// that large.
pub fn raster_scale(width: f64, height: f64) -> f64 {
    let (width, height) = (width.max(1.0), height.max(1.0));
    (MAX_SIDE / width.max(height))
        .min((MAX_PIXELS / (width * height)).sqrt())
        .min(2.0)
}

/// A text alternative of the picture.
fn summary(design: &Design) -> String {
    let names = |names: Vec<&str>| match names.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    let entities = (design.entities.values()).map(|entity| entity.name.as_str());
    let indexes = (design.indexes.values()).map(|index| index.name.as_str());
    let mut text = design.description.clone();
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&format!(
        "DynamoDB table {}. Entities: {}. Secondary indexes: {}.",
        design.table.name,
        names(entities.collect()),
        names(indexes.collect())
    ));
    text
}

/// A design that is being drawn.
pub(super) struct Drawing<'a> {
    pub(super) design: &'a Design,
    pub(super) theme: &'a Theme,
    pub(super) detail: Detail,
    /// The drawn references.
    references: Vec<Reference>,
    /// The drawn cards with their areas.
    cards: Vec<(CardId, Area)>,
    /// The drawn groups.
    grounds: Vec<CollectionArea>,
    /// The hues of the attributes.
    pub(super) tints: RefCell<Tints>,
    /// What differs.
    marks: &'a Marks,
}

/// The mark of a wire that differs, on the wire.
struct WireMark {
    wire: Wire,
    kind: ChangeKind,
    area: Area,
}

/// The text of a mark.
fn mark_text(kind: ChangeKind) -> String {
    [kind.sign(), " ", kind.label()].concat()
}

/// Size of a mark in pixels.
fn mark_size(kind: ChangeKind) -> (f64, f64) {
    (text_width(&mark_text(kind), 11.0) + 16.0, 18.0)
}

/// The dashes of what was removed, and of a wire with a condition.
const DASHES: &str = " stroke-dasharray=\"6 4\"";

impl Drawing<'_> {
    /// Writes the start of the document: size, title and description.
    fn head(&self, pen: &mut Pen, area: Area) {
        pen.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
        pen.raw(" aria-labelledby=\"name what\" xml:space=\"preserve\"");
        (pen.attribute("width", area.width)).attribute("height", area.height);
        pen.raw(" viewBox=\"")
            .number(area.x)
            .raw(" ")
            .number(area.y);
        pen.raw(" ").number(area.width).raw(" ").number(area.height);
        pen.raw("\">\n<title id=\"name\">").plain(&self.design.name);
        pen.raw("</title>\n<desc id=\"what\">")
            .plain(&summary(self.design));
        pen.raw("</desc>\n");
    }

    /// Draws the mark of a card that differs, around its outline and over its upper edge.
    fn mark(&self, pen: &mut Pen, card: CardId, kind: ChangeKind) {
        let Some((_, area)) = self.cards.iter().find(|(other, _)| *other == card) else {
            return;
        };
        let hue = self.mark_hue(kind);
        let dashes = match kind {
            ChangeKind::Removed => DASHES,
            ChangeKind::Added | ChangeKind::Changed => "",
        };
        let area = area.grown(2.0);
        pen.raw("<g><rect")
            .attribute("x", area.x)
            .attribute("y", area.y);
        (pen.attribute("width", area.width)).attribute("height", area.height);
        pen.raw(" rx=\"12\" fill=\"none\" stroke-width=\"3\" stroke=\"")
            .raw(hue.strong);
        pen.raw("\"").raw(dashes).raw("/>");
        let (width, _) = mark_size(kind);
        self.mark_chip(
            pen,
            (area.x + area.width - width - 12.0, area.y - 9.0),
            kind,
        );
        pen.raw("</g>\n");
    }

    /// Green, red and ocher; the sign and the word say the same.
    fn mark_hue(&self, kind: ChangeKind) -> &colors::Hue {
        self.hue(match kind {
            ChangeKind::Added => 2,
            ChangeKind::Removed => 6,
            ChangeKind::Changed => 1,
        })
    }

    /// Draws the sign and the word of a mark.
    fn mark_chip(&self, pen: &mut Pen, place: (f64, f64), kind: ChangeKind) {
        let (hue, size) = (self.mark_hue(kind), mark_size(kind));
        pen.rect(place, size, 9.0, hue.chip);
        pen.outline(place, size, 9.0, hue.strong);
        let look = TextStyle {
            fill: hue.text,
            size: 11.0,
            more: " font-weight=\"600\" text-anchor=\"middle\"",
        };
        let x = place.0 + size.0 / 2.0;
        pen.text(x, place.1 + 13.0, look, &mark_text(kind));
    }

    /// Where the marks of wires are: on a part that no other wire has, if possible, and otherwise in the middle.
    fn wire_marks(&self, routes: &Routes) -> Vec<WireMark> {
        let mut marks: Vec<WireMark> = Vec::new();
        for (wire, kind) in &self.marks.wires {
            let Some(route) = routes.stored(self.design, *wire, self.detail) else {
                continue;
            };
            let (width, height) = mark_size(*kind);
            let taken: Vec<Area> = marks.iter().map(|mark| mark.area).collect();
            let alone = |other: Wire| other != *wire;
            let in_lane = |other: Wire| other.1 != wire.1;
            let area = self
                .free_label(routes, &route, width, &taken, alone)
                .or_else(|| self.free_label(routes, &route, width, &taken, in_lane));
            let area = area.unwrap_or_else(|| {
                let (x, y) = route.at(0.5);
                Area {
                    x: x - width / 2.0,
                    y: y - height / 2.0,
                    width,
                    height,
                }
            });
            marks.push(WireMark {
                wire: *wire,
                kind: *kind,
                area,
            });
        }
        marks
    }

    /// Draws the mark of a wire that differs.
    fn wire_mark(&self, pen: &mut Pen, mark: &WireMark) {
        let (id, index) = mark.wire;
        let entity = self.design.entities.get(&id);
        let name = entity.map_or("", |entity| entity.name.as_str());
        let index = self.design.index_name(index);
        pen.raw("<g>")
            .title(&format!("{name}, {index}: {}", mark.kind.label()));
        self.mark_chip(pen, (mark.area.x, mark.area.y), mark.kind);
        pen.raw("</g>\n");
    }

    /// Returns a place for a label of a wire, where there are no cards, no other label, and none of the wires `avoid`.
    fn free_label(
        &self,
        routes: &Routes,
        route: &WireRoute,
        width: f64,
        taken: &[Area],
        avoid: impl Fn(Wire) -> bool,
    ) -> Option<Area> {
        let is_large = routes.is_empty();
        let cards = self.cards.iter().map(|(_, card)| card.grown(2.0));
        route.label(width, 18.0, |area| {
            !taken.iter().any(|other| other.intersects(area))
                && match is_large {
                    true => !cards.clone().any(|card| card.intersects(area)),
                    false => routes.is_free(area, &avoid),
                }
        })
    }

    fn area(&self) -> Area {
        let none = Area {
            x: 0.0,
            y: 0.0,
            width: 0.0,
            height: 0.0,
        };
        let cards = self.cards.iter().map(|(_, area)| area);
        let grounds = self.grounds.iter().flat_map(|ground| &ground.areas);
        let around = cards.chain(grounds).copied().reduce(Area::union);
        around.unwrap_or(none).grown(MARGIN)
    }

    /// Draws the groups with their names.
    fn collection_areas(&self, pen: &mut Pen) {
        for ground in &self.grounds {
            let hue = self.hue(ground.hue);
            for area in &ground.areas {
                let Area {
                    x,
                    y,
                    width,
                    height,
                } = *area;
                pen.raw("<g>");
                pen.raw("<rect").attribute("x", x).attribute("y", y);
                pen.attribute("width", width).attribute("height", height);
                pen.raw(" rx=\"16\" fill=\"").raw(hue.strong);
                pen.raw("\" fill-opacity=\"0.08\" stroke=\"")
                    .raw(hue.strong);
                pen.raw("\" stroke-opacity=\"0.5\"/>");
                let shown = ground.heading(*area, HEADING_SIZES[0]);
                if shown != ground.name {
                    pen.title(&ground.name);
                }
                let look = TextStyle {
                    fill: hue.text,
                    size: HEADING_SIZES[0],
                    more: MONO,
                };
                pen.text(x + collections::MARGIN, y + NAME_LINE, look, &shown);
                pen.raw("</g>\n");
            }
        }
    }

    /// Draws the arrows of the references.
    fn arrows(&self, pen: &mut Pen, routes: &Routes) {
        let arrows = Arrows::new(self.design, self.detail, &self.references, routes, None);
        let color = self.theme.text_2;
        for reference in &self.references {
            let arrow = (reference.entity, reference.attribute.clone());
            let Some((course, route)) = arrows.stored(&arrow) else {
                continue;
            };
            pen.raw("<g>")
                .title(&references::label(self.design, reference));
            pen.raw("<path d=\"").raw(&route.path);
            pen.raw("\" fill=\"none\" stroke-dasharray=\"2 3\" stroke=\"");
            pen.raw(color).raw("\"/><path d=\"").raw(&course.head());
            pen.raw("\" fill=\"").raw(color).raw("\"/></g>\n");
        }
    }

    /// Draws the references and all wires, then the labels of those with a condition.
    fn wires(&self, pen: &mut Pen, routes: &Routes, marks: &[WireMark]) {
        self.arrows(pen, routes);
        pen.raw("<g fill=\"none\" stroke-width=\"1.5\">\n");
        let mut labels = Vec::new();
        for (id, entity) in &self.design.entities {
            for (index, entry) in &entity.keys {
                let Some(wire) = routes.stored(self.design, (*id, *index), self.detail) else {
                    continue;
                };
                let hue = self.hue(entity.hue);
                let mark = self.marks.wires.get(&(*id, *index));
                let stroke = match mark {
                    Some(kind) => self.mark_hue(*kind).strong,
                    None if index.is_primary() => self.theme.text_3,
                    None => hue.strong,
                };
                pen.raw("<path d=\"").raw(&wire.path).raw("\" stroke=\"");
                pen.raw(stroke).raw("\"");
                match mark {
                    Some(_) => _ = pen.raw(" stroke-width=\"3\""),
                    None if index.is_primary() => _ = pen.raw(" stroke-opacity=\"0.85\""),
                    None => {}
                }
                if mark == Some(&ChangeKind::Removed) || !entry.when.is_empty() {
                    pen.raw(DASHES);
                }
                if !entry.when.is_empty() {
                    labels.push((*index, wire, cards::when_text(entry), hue));
                }
                pen.raw("/>\n");
            }
        }
        pen.raw("</g>\n");
        let mut taken: Vec<Area> = marks.iter().map(|mark| mark.area).collect();
        for (index, wire, text, hue) in labels {
            // A long condition gets a second try, truncated. Without a free place, it is only in the card.
            for room in [200.0, 110.0] {
                let shown = truncate(&text, room, 11.0);
                let width = text_width(&shown, 11.0) + 16.0;
                let avoid = |(_, other): Wire| other != index;
                if let Some(area) = self.free_label(routes, &wire, width, &taken, avoid) {
                    taken.push(area);
                    self.label(pen, area, &text, &shown, hue);
                    break;
                }
            }
        }
    }

    fn label(&self, pen: &mut Pen, area: Area, whole: &str, shown: &str, hue: &colors::Hue) {
        let (place, size) = ((area.x, area.y), (area.width, area.height));
        pen.raw("<g>");
        if whole != shown {
            pen.title(whole);
        }
        pen.rect(place, size, 9.0, self.theme.surface);
        pen.outline(place, size, 9.0, hue.strong);
        let look = TextStyle {
            fill: self.theme.text_2,
            size: 11.0,
            more: " font-style=\"italic\" text-anchor=\"middle\"",
        };
        pen.text(area.x + area.width / 2.0, area.y + 13.0, look, shown);
        pen.raw("</g>\n");
    }

    pub(super) fn hue(&self, number: u8) -> &colors::Hue {
        &self.theme.hues[usize::from(number) % self.theme.hues.len()]
    }
}

//! All cards as plain boxes, for the minimap, the overview, hit tests and the marquee. Rebuilt only when a card's
//! place, size or name changes.

use keyfold_app::placement;
use keyfold_app::viewport::{Area, Detail};
use keyfold_core::model::{CardId, Design, Entity};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::sync::Arc;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement};

/// A card as a box.
#[derive(Debug, Clone)]
pub struct CardBox {
    /// The card.
    pub card: CardId,
    /// Its area in the design, in canvas pixels.
    pub area: Area,
    /// The hue of an entity or a note; `None` for other cards.
    pub hue: Option<u8>,
    /// Its name; of a note the first line.
    pub name: Arc<str>,
}

/// The boxes of all cards, from the back to the front.
pub fn card_boxes(design: &Design, detail: Detail) -> Vec<CardBox> {
    (design.cards())
        .filter_map(|card| {
            let (hue, name) = match card {
                CardId::Entity(id) => {
                    let entity = design.entities.get(&id)?;
                    (Some(entity.hue), entity.name.as_str())
                }
                CardId::Index(id) => (None, design.index_name(id)),
                CardId::Note(id) => {
                    let note = design.notes.get(&id)?;
                    (Some(note.hue), note.first_line())
                }
            };
            Some(CardBox {
                card,
                area: placement::stored_area(design, card, detail)?,
                hue,
                name: name.into(),
            })
        })
        .collect()
}

/// The page's colors for drawing, in the current theme.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Colors {
    /// The strong and the soft tone of each hue.
    hues: Vec<(String, String)>,
    /// Text.
    pub text: String,
    /// Cards without a hue.
    pub index: String,
    /// Selected cards.
    pub accent: String,
}

impl Colors {
    /// Whether the colors have not been read from the page yet.
    pub fn is_unknown(&self) -> bool {
        self.hues.is_empty()
    }

    /// The strong and the soft tone of a card.
    pub fn of(&self, hue: Option<u8>) -> (&str, &str) {
        let tones = hue.and_then(|hue| self.hues.get(usize::from(hue)));
        tones.map_or((&self.index, &self.index), |(strong, soft)| (strong, soft))
    }
}

/// Reads the current colors of the style sheet from hidden elements, so that the tokens stay their only source. Reads
/// all at once: each read after a change of the page makes the browser recompute styles.
pub fn colors() -> Colors {
    read_colors().unwrap_or_default()
}

fn read_colors() -> Option<Colors> {
    let hues = (0..Entity::HUES).map(|hue| format!("hue-{hue}"));
    let tones = hues.flat_map(|hue| [(hue.clone(), "--hue-strong"), (hue, "--hue-soft")]);
    let others = ["--text", "--text-3", "--accent"].map(|token| (String::new(), token));
    let probe = document().create_element("div").ok()?;
    probe.set_attribute("hidden", "").ok()?;
    let mut parts = Vec::new();
    for (class, token) in tones.chain(others) {
        let part: HtmlElement = document().create_element("i").ok()?.unchecked_into();
        part.set_class_name(&class);
        (part.style().set_property("color", &format!("var({token})"))).ok()?;
        probe.append_child(&part).ok()?;
        parts.push(part);
    }
    document().body()?.append_child(&probe).ok()?;
    let read = |part: &HtmlElement| {
        let style = window().get_computed_style(part).ok().flatten()?;
        style.get_property_value("color").ok()
    };
    let mut all = parts.iter().map(|part| read(part).unwrap_or_default());
    let mut next = || all.next().unwrap_or_default();
    let colors = Colors {
        hues: (0..Entity::HUES).map(|_| (next(), next())).collect(),
        text: next(),
        index: next(),
        accent: next(),
    };
    probe.remove();
    Some(colors)
}

/// Returns the cleared drawing context of a canvas element of `width` by `height` CSS pixels; `None` if the browser
/// has none.
pub fn pen(
    canvas: &HtmlCanvasElement,
    width: f64,
    height: f64,
) -> Option<CanvasRenderingContext2d> {
    let ratio = window().device_pixel_ratio().clamp(1.0, 2.0);
    let size = ((width * ratio) as u32, (height * ratio) as u32);
    if (canvas.width(), canvas.height()) != size {
        canvas.set_width(size.0);
        canvas.set_height(size.1);
    }
    let pen = canvas.get_context("2d").ok()??;
    let pen: CanvasRenderingContext2d = pen.dyn_into().ok()?;
    pen.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0).ok()?;
    pen.clear_rect(0.0, 0.0, width, height);
    Some(pen)
}

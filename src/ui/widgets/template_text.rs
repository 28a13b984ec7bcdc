//! A key template as text with chips: an attribute has the same tint everywhere.

use crate::ui::dom::tints::tint;
use keyfold_app::fit_text::key::{KeyFont, KeyPiece, KeyText, PieceKind};
use leptos::prelude::*;

/// Size of the smallest font, in CSS pixels; `--text-xs` in `tokens.css`.
pub const SMALL: f64 = 11.0;
/// Font of a template on a card.
pub const FONT: KeyFont = KeyFont {
    size: SMALL,
    chip: 8.0,
};
/// Greatest width of a template that is whole at each zoom: larger text of cards that are zoomed out has less room.
pub const ALWAYS_WHOLE: f64 = 130.0;
/// The room of text of a middle size, as a part of that of the smallest: `.medium` in `canvas.css` has 12 pixels.
const MEDIUM: f64 = SMALL / 12.0;
/// The classes of what is shown at a zoom: in full, in text of a middle size, and in large text.
const SHOWN: [&str; 3] = ["at-full", "at-medium", "at-large"];

/// A template with its placeholders as tinted chips. Broken parts are underlined.
#[component]
pub fn TemplateText(
    /// The template's text.
    #[prop(into)]
    text: String,
    /// Cuts the text to this many CSS pixels in the smallest font, with an ellipsis. A CSS clip would slow every frame of
    /// the canvas.
    #[prop(optional)]
    room: Option<f64>,
) -> impl IntoView {
    let key = KeyText::of(&text);
    let views = |key: KeyText| key.pieces.into_iter().map(piece_view).collect_view();
    // The style sheet shows that of the zoom.
    let content = match room {
        Some(room) if key.width(FONT) > ALWAYS_WHOLE => {
            let mut cuts: Vec<(KeyText, String)> = Vec::new();
            for (room, shown) in [room, room * MEDIUM, ALWAYS_WHOLE].into_iter().zip(SHOWN) {
                let cut = key.clone().fit(room, FONT);
                match cuts.last_mut() {
                    Some((last, classes)) if *last == cut => {
                        *classes = format!("{classes} {shown}");
                    }
                    _ => cuts.push((cut, shown.to_owned())),
                }
            }
            (cuts.into_iter())
                .map(|(cut, classes)| view! { <span class=classes>{views(cut)}</span> })
                .collect_view()
                .into_any()
        }
        _ => views(key).into_any(),
    };
    // The order of the pieces is then that of the field, which shows the braces of placeholders.
    let is_rtl = text.chars().any(is_right_to_left);
    view! {
        <span class="template" class:rtl=is_rtl title=text>
            {content}
        </span>
    }
}

/// Whether a letter belongs to a script that is written from right to left: Hebrew, Arabic and their relatives.
fn is_right_to_left(letter: char) -> bool {
    matches!(
        letter,
        '\u{590}'..='\u{8ff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    )
}

fn piece_view(piece: KeyPiece) -> AnyView {
    let (class, attribute) = match piece.kind {
        PieceKind::Literal => return piece.text.into_any(),
        PieceKind::Broken => ("broken".to_owned(), None),
        PieceKind::Chip(name) => (format!("chip {}", tint(&name)), Some(name)),
    };
    view! {
        <span class=class data-follow=attribute>
            {piece.text}
        </span>
    }
    .into_any()
}

//! A key template as text with chips: the same attribute has the same tint wherever it appears.

use keyfold_app::picture::{text_width, truncate};
use keyfold_app::tints::Tints;
use keyfold_core::model::Design;
use keyfold_core::template::{self, Segment};
use leptos::prelude::*;
use std::cell::RefCell;

/// The smallest font, in CSS pixels; `tokens.css` has it as `--text-xs`.
pub const SMALL: f64 = 11.0;

thread_local! {
    static TINTS: RefCell<Tints> = RefCell::default();
}

/// The tint of an attribute: a hue class, the same for the same name everywhere.
pub fn tint(attribute: &str) -> String {
    format!(
        "hue-{}",
        TINTS.with_borrow_mut(|tints| tints.hue_of(attribute))
    )
}

/// Chooses the tints for a design that is being opened.
pub fn choose_tints(design: &Design) {
    TINTS.with_borrow_mut(|tints| tints.open_design(design));
}

/// Frees the tints of attributes that the design no longer has.
pub fn free_tints(design: &Design) {
    TINTS.with_borrow_mut(|tints| tints.release_unused(design));
}

/// Space that a chip takes besides its text, in CSS pixels.
const CHIP: f64 = 8.0;

/// A template with its placeholders as tinted chips. Broken parts are underlined.
#[component]
pub fn TemplateText(
    /// The template's text.
    #[prop(into)]
    text: String,
    /// Cuts the text to this many CSS pixels of the smallest font, with an ellipsis. A clip of the style sheet would
    /// do as well, but costs every frame of the canvas.
    #[prop(optional)]
    room: Option<f64>,
) -> impl IntoView {
    let mut room = room;
    let mut segments: Vec<AnyView> = Vec::new();
    for segment in &template::parse(&text).template.segments {
        let mut attribute = None;
        let (class, content) = match segment {
            Segment::Literal { text, .. } => (String::new(), text.clone()),
            Segment::Placeholder(placeholder) => {
                let source = text.get(placeholder.span.clone()).unwrap_or_default();
                let modifiers = (source.trim_end_matches(['}', '>']).split_once(':'))
                    .map(|(_, modifiers)| format!(":{modifiers}"));
                let name = placeholder.attribute.clone();
                let class = format!("chip {}", tint(&name));
                attribute = Some(name.clone());
                (class, name + &modifiers.unwrap_or_default())
            }
            Segment::Broken { text, .. } => ("broken".to_owned(), text.clone()),
        };
        let mut shown = content.clone();
        if let Some(room) = &mut room {
            let extra = if class.starts_with("chip") { CHIP } else { 0.0 };
            shown = truncate(&content, *room - extra, SMALL).into_owned();
            *room -= text_width(&content, SMALL) + extra;
        }
        let is_cut = shown != content;
        segments.push(match class.is_empty() {
            true => shown.into_any(),
            false => view! { <span class=class data-follow=attribute>{shown}</span> }.into_any(),
        });
        if is_cut {
            break;
        }
    }
    view! { <span class="template" title=text.clone()>{segments}</span> }
}

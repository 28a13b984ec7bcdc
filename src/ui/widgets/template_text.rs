//! A key template as text with chips: an attribute has the same tint everywhere.

use crate::ui::dom::tints::tint;
use keyfold_app::picture::{text_width, truncate};
use keyfold_core::template::{self, Segment};
use leptos::prelude::*;

/// Size of the smallest font, in CSS pixels; `--text-xs` in `tokens.css`.
pub const SMALL: f64 = 11.0;
/// Width of a chip besides its text, in CSS pixels.
const CHIP: f64 = 8.0;

/// A template with its placeholders as tinted chips. Broken parts are underlined.
#[component]
pub fn TemplateText(
    /// The template's text.
    #[prop(into)]
    text: String,
    /// Truncates the text to this many CSS pixels in the smallest font, with an ellipsis. A CSS clip would slow every
    /// frame of the canvas.
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
            false => view! {
                <span class=class data-follow=attribute>
                    {shown}
                </span>
            }
            .into_any(),
        });
        if is_cut {
            break;
        }
    }
    view! {
        <span class="template" title=text.clone()>
            {segments}
        </span>
    }
}

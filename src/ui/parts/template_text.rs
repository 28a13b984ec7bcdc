//! A key template as text with chips: the same attribute has the same tint wherever it appears.

use crate::domain::template::{self, Segment};
use leptos::prelude::*;

/// The tint of an attribute: a hue class, the same for the same name everywhere.
pub fn tint(attribute: &str) -> String {
    format!("hue-{}", template::fnv1a_64(attribute.as_bytes()) % 12)
}

/// A template with its placeholders as tinted chips. Broken parts are underlined.
#[component]
pub fn TemplateText(
    /// The template's text.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    let segments: Vec<AnyView> = (template::parse(&text).template.segments.iter())
        .map(|segment| segment_view(segment, &text))
        .collect();
    view! { <span class="template" title=text.clone()>{segments}</span> }
}

fn segment_view(segment: &Segment, text: &str) -> AnyView {
    match segment {
        Segment::Literal { text, .. } => view! { <span>{text.clone()}</span> }.into_any(),
        Segment::Placeholder(placeholder) => {
            let source = text.get(placeholder.span.clone()).unwrap_or_default();
            let modifiers = (source.trim_end_matches(['}', '>']).split_once(':'))
                .map(|(_, modifiers)| format!(":{modifiers}"));
            view! {
                <span class=format!("chip {}", tint(&placeholder.attribute))>
                    {placeholder.attribute.clone()}
                    <span class="chip-modifier">{modifiers}</span>
                </span>
            }
            .into_any()
        }
        Segment::Broken { text, .. } => {
            view! { <span class="broken">{text.clone()}</span> }.into_any()
        }
    }
}

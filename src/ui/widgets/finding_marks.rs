//! The marks of findings at cards, fields and access patterns.

use super::icon::{Icon, severity_glyph};
use crate::ui::reactive::erased::Memo;
use crate::ui::state::finding_mark::Mark;
use leptos::prelude::*;

/// The mark of a card: the number of errors and warnings of its entity or index.
#[component]
pub fn CardMark(
    /// The findings.
    mark: Memo<Option<Mark>>,
) -> impl IntoView {
    shown("card-mark", mark)
}

/// The mark of a place in a list.
#[component]
pub fn PlaceMark(
    /// The findings.
    mark: Memo<Option<Mark>>,
) -> impl IntoView {
    shown("place-mark", mark)
}

fn shown(class: &'static str, mark: Memo<Option<Mark>>) -> impl Fn() -> Option<AnyView> {
    move || {
        mark.get().map(|mark| {
            let label = match mark.count {
                1 => "1 finding".to_owned(),
                count => format!("{count} findings"),
            };
            view! {
                <span
                    class=format!("{class} severity {}", mark.severity.label())
                    role="img"
                    aria-label=label
                    title=mark.title
                >
                    <Icon glyph=severity_glyph(mark.severity) />
                    {(mark.count > 1).then_some(mark.count)}
                </span>
            }
            .into_any()
        })
    }
}

/// A button below a field that shows its first finding and leads to the problem.
#[component]
pub fn FieldNote(
    /// The findings.
    mark: Memo<Option<Mark>>,
    /// Shows the problem.
    go: Callback<()>,
) -> impl IntoView {
    move || {
        mark.get().map(|mark| {
            let first = mark.title.lines().next().unwrap_or_default().to_owned();
            let more = match mark.count {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            view! {
                <button
                    type="button"
                    class=format!("field-note severity {}", mark.severity.label())
                    title=mark.title
                    on:click=move |_| go.run(())
                >
                    <Icon glyph=severity_glyph(mark.severity) />
                    <span>{first + &more}</span>
                </button>
            }
            .into_any()
        })
    }
}

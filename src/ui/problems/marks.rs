//! The marks of findings at what they are about: cards, templates, access patterns. All ask `Findings` the same.

use super::super::desk::use_desk;
use super::super::parts::icon::Icon;
use super::super::store::{Mark, use_store};
use super::{severity_glyph, show_problem_at};
use crate::ui::parts::erased::{Memo, memo};
use keyfold_core::lint::{Place, Severity};
use keyfold_core::model::CardId;
use leptos::prelude::*;
use std::ops::Range;

/// The mark of a card: how many warnings and errors there are at what it stands for.
#[component]
pub fn CardMark(
    /// The card.
    card: CardId,
) -> impl IntoView {
    let store = use_store();
    let mark = memo(move |_| store.findings.of_card(card));
    shown("card-mark", mark)
}

/// The mark of a place in a list.
#[component]
pub fn PlaceMark(
    /// The place.
    place: Signal<Option<Place>>,
) -> impl IntoView {
    let store = use_store();
    let mark = memo(move |_| store.findings.at(place.get()?).filter(Mark::is_grave));
    shown("place-mark", mark)
}

fn shown(class: &'static str, mark: Memo<Option<Mark>>) -> impl Fn() -> Option<AnyView> {
    move || {
        mark.get().map(|mark| {
            let label = match mark.count {
                1 => "1 problem".to_owned(),
                count => format!("{count} problems"),
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

/// What is found at a text field, and where in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMark {
    /// The mark.
    pub mark: Mark,
    /// The bytes that are meant by the first finding that says so; none for all of the text.
    pub span: Option<Range<usize>>,
}

impl FieldMark {
    /// The class of a piece of the text: underlined if it is meant.
    pub fn class(&self, piece: Range<usize>) -> &'static str {
        let is_meant = (self.span.as_ref())
            .is_none_or(|span| span.start < piece.end && piece.start < span.end);
        match (is_meant, self.mark.severity) {
            (false, _) => "",
            (_, Severity::Error) => "found error",
            (_, Severity::Warning) => "found warning",
            (_, Severity::Info) => "found info",
        }
    }
}

/// What is found at the text field of a place, kept up to date.
pub fn field_mark(place: Place) -> Memo<Option<FieldMark>> {
    let store = use_store();
    memo(move |_| {
        let mark = store.findings.at(place)?;
        let span = store.findings.report.with(|report| {
            let mut meant = report.open().filter(|finding| finding.place == place);
            meant.find_map(|finding| finding.span.clone())
        });
        Some(FieldMark { mark, span })
    })
}

/// A line below a field that names what is found there and leads to it.
#[component]
pub fn FieldNote(
    /// The place.
    place: Place,
) -> impl IntoView {
    let store = use_store();
    let desk = use_desk();
    let mark = memo(move |_| store.findings.at(place).filter(Mark::is_grave));
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
                    on:click=move |_| show_problem_at(store, desk, place)
                >
                    <Icon glyph=severity_glyph(mark.severity) />
                    <span>{first + &more}</span>
                </button>
            }
            .into_any()
        })
    }
}

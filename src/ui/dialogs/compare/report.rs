//! The lines of a comparison, by section: each with a sign and, for screen readers, a word.

use crate::ui::reactive::erased::For;
use crate::ui::reactive::gradual::gradually;
use keyfold_compare::{Line, Piece, Section};
use keyfold_core::model::shown;
use leptos::prelude::*;

/// The sections of a report.
#[component]
pub(super) fn Sections(
    /// The sections; all have lines.
    sections: Vec<Section>,
) -> impl IntoView {
    let section = |section: Section| {
        let Section { title, lines } = section;
        let count = lines.len();
        let drawn = gradually(move || count);
        view! {
            <h4>{title}</h4>
            <ul class="compare-lines">
                <For each=move || 0..drawn.get() key=|at| *at let(at)>
                    {line(&lines[at])}
                </For>
            </ul>
        }
    };
    sections.into_iter().map(section).collect_view()
}

/// A line with its sign.
pub fn line(line: &Line) -> AnyView {
    let (sign, label) = match line.kind {
        Some(kind) => (kind.sign(), kind.label()),
        None => ("•", ""),
    };
    let word = (!label.is_empty())
        .then(|| view! { <span class="visually-hidden">{format!("{label}: ")}</span> });
    view! {
        <li class=label>
            <span class="compare-sign" aria-hidden="true">
                {sign}
            </span>
            <span>{word} {line.pieces.iter().map(piece).collect::<Vec<_>>()}</span>
        </li>
    }
    .into_any()
}

fn piece(piece: &Piece) -> AnyView {
    match piece {
        Piece::Words(text) => shown(text).into_any(),
        Piece::Code(text) => view! { <code>{shown(text)}</code> }.into_any(),
    }
}

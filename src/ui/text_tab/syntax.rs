//! The words of the language after an example.

use crate::ui::dialogs::modal::Dialog;
use crate::ui::reactive::erased::RwSignal;
use keyfold_app::text::EXAMPLE;
use keyfold_core::text;
use leptos::prelude::*;

/// The dialog.
#[component]
pub(super) fn SyntaxDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <Dialog open=open title="Syntax" class="syntax">
            <p>
                "One statement per line. A block begins at the left margin and ends where the next begins. "
                <code>"//"</code> " begins a comment, " <code>"///"</code>
                " a description. A key is " <code>"PARTITION / SORT"</code> "."
            </p>
            <pre tabindex="0" role="region" aria-label="Example">
                {EXAMPLE}
            </pre>
            {text::reference().into_iter().map(list).collect_view()}
        </Dialog>
    }
}

/// A heading with words and what they say.
fn list((heading, words): (&'static str, Vec<(&'static str, &'static str)>)) -> impl IntoView {
    let rows = (words.into_iter())
        .map(|(word, what)| {
            view! {
                <dt>
                    <code>{word}</code>
                </dt>
                <dd>{what}</dd>
            }
        })
        .collect_view();
    view! {
        <h3>{heading}</h3>
        <dl>{rows}</dl>
    }
}

//! A field for a figure that people write in several ways, such as `3M/month`: the text stays as typed while the document
//! has the figure that it says.

use super::field::{Commit, TextField};
use crate::ui::reactive::erased::{RwSignal, memo};
use leptos::prelude::*;

/// A field for a figure.
#[component]
pub fn FigureField(
    /// Its label.
    #[prop(into)]
    label: Signal<String>,
    /// The document's value.
    #[prop(into)]
    value: Signal<String>,
    /// How the document's value reads after this text is typed; `None` if it is refused.
    kept: Callback<String, Option<String>>,
    /// Stores each new text.
    commit: Commit,
    /// What is assumed while it is empty.
    #[prop(into)]
    placeholder: String,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let shown = memo(move |_| {
        let (value, typed) = (value.get(), typed.get());
        match kept.run(typed.clone()) {
            Some(same) if same == value => typed,
            _ => value,
        }
    });
    let commit = Commit::new(move |text: String| {
        typed.set(text.clone());
        commit.run(text)
    });
    view! { <TextField label=label value=shown commit=commit placeholder=placeholder /> }
}

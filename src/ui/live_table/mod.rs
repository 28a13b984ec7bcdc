//! The live table.

use crate::domain::model::IndexId;
use leptos::prelude::*;

/// The items of the table or an index.
#[component]
pub fn LiveTable(
    /// Which.
    index: IndexId,
) -> impl IntoView {
    let store = super::store::use_store();
    view! { <p>{move || store.view(index).rows.len()}</p> }
}

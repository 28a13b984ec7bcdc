//! Content that is shown once what is above it is painted.

use crate::ui::reactive::erased::{RwSignal, Show};
use crate::ui::reactive::later::View;
use leptos::prelude::*;

/// Shows its content after the next paint: a press is answered by what is above, without the time that this takes. Its
/// container must not show that it is missing.
#[component]
pub fn AfterPaint(
    /// Its content.
    children: ChildrenFn,
) -> impl IntoView {
    let is_painted = RwSignal::new(false);
    View::new().after_paint(move || is_painted.set(true));
    view! { <Show when=move || is_painted.get()>{children()}</Show> }
}

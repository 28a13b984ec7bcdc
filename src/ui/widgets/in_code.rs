//! Sentences that contain names as code.

use keyfold_core::model::capital;
use leptos::prelude::*;

/// A sentence whose names in backticks are shown as code.
pub fn in_code(text: &str) -> Vec<AnyView> {
    let pieces = text.split('`').enumerate();
    pieces
        .map(|(at, piece)| match at % 2 {
            0 if at == 0 => capital(piece).into_any(),
            0 => piece.to_owned().into_any(),
            _ => view! { <code>{piece.to_owned()}</code> }.into_any(),
        })
        .collect()
}

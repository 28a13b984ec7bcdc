//! Texts that contain names as code.

use keyfold_core::model::capital;
use leptos::prelude::*;

/// A text whose names in backticks are shown as code.
pub fn in_code(text: &str) -> Vec<AnyView> {
    let pieces = text.split('`').enumerate();
    pieces
        .map(|(at, piece)| match at % 2 {
            0 => piece.to_owned().into_any(),
            _ => view! { <code>{piece.to_owned()}</code> }.into_any(),
        })
        .collect()
}

/// As [`in_code`], with a capital first letter. Not for a text that can begin with a name of the design.
pub fn sentence_in_code(text: &str) -> Vec<AnyView> {
    in_code(&capital(text))
}

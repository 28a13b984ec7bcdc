//! Sentences that contain names as code.

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

/// Returns a text with a capital first letter.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

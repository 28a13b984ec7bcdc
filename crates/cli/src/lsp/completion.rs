//! Completion: words and names of the language; attributes and modifiers in templates.

use super::document::Document;
use keyfold_app::text::placeholder_offers;
use keyfold_core::text;
use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, Position, TextEdit};
use std::ops::Range;

/// What can be written at a position.
pub fn complete(document: &Document, position: Position) -> Vec<CompletionItem> {
    let offset = document.offset(position);
    let found = text::complete(&document.parse, &document.lowered, offset);
    if found.in_template {
        return in_template(document, found.range);
    }
    let design = &document.lowered.design;
    let offers = found.offers.iter().enumerate().map(|(place, offer)| {
        let meaning = found.meaning(offer);
        let kind = match meaning {
            Some(_) => CompletionItemKind::KEYWORD,
            None if design.index_named(offer).is_some() => CompletionItemKind::STRUCT,
            None => CompletionItemKind::CLASS,
        };
        let range = found.range.clone();
        item(document, place, range, offer.clone(), kind, meaning)
    });
    offers.collect()
}

/// Offers at the end of a template that is being typed.
fn in_template(document: &Document, word: Range<usize>) -> Vec<CompletionItem> {
    let Some(found) = placeholder_offers(&document.text, &document.lowered, word.clone()) else {
        return Vec::new();
    };
    let after = &document.text[word.end..];
    let brace = after.find(|c: char| c.is_whitespace() || matches!(c, '{' | '}'));
    let is_closed = brace.is_some_and(|at| after[at..].starts_with('}'));
    let kind = match found.is_modifier {
        true => CompletionItemKind::FUNCTION,
        false => CompletionItemKind::FIELD,
    };
    let offers = found.offers.into_iter().enumerate().map(|(place, offer)| {
        let range = found.from..word.end;
        let meaning = Some(offer.what).filter(|what| !what.is_empty());
        let mut item = item(document, place, range, offer.name, kind, meaning);
        if let Some(CompletionTextEdit::Edit(edit)) = &mut item.text_edit
            && !is_closed
        {
            edit.new_text.push('}');
        }
        item
    });
    offers.collect()
}

/// An offer. Editors sort by the place among the offers.
fn item(
    document: &Document,
    place: usize,
    range: Range<usize>,
    label: String,
    kind: CompletionItemKind,
    meaning: Option<&str>,
) -> CompletionItem {
    CompletionItem {
        kind: Some(kind),
        detail: meaning.map(str::to_owned),
        sort_text: Some(format!("{place:04}")),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range: document.range(range),
            new_text: label.clone(),
        })),
        label,
        ..CompletionItem::default()
    }
}

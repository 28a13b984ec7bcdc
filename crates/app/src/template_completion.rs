//! Completions while a key template is typed: attributes and modifiers of the placeholder at the caret.

use keyfold_core::template::{MODIFIERS, Segment, parse};
use std::ops::Range;

/// An attribute or modifier name that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialName {
    /// The text up to the caret.
    pub typed: String,
    /// Whether it is a modifier.
    pub is_modifier: bool,
    /// Where it starts, in bytes.
    pub at: usize,
}

/// A proposed completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionItem {
    /// The attribute name, or the modifier with its parameters: `pad(n)`.
    pub name: String,
    /// What the modifier does; empty for an attribute.
    pub what: &'static str,
}

/// The result of an insertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// The whole text.
    pub text: String,
    /// What to select, in UTF-16 units: the argument of a modifier, or the position after the inserted name.
    pub selection: Range<u32>,
}

/// Returns the name at the caret, if the caret is in a placeholder. `caret` is in UTF-16 units.
pub fn partial_name_at(text: &str, caret: u32) -> Option<PartialName> {
    begun_in(&text[..bytes(text, caret)])
}

/// Whether the template is still being typed: a placeholder is not closed, or the one at the caret has an error.
/// `caret` is in UTF-16 units.
pub fn is_unfinished(text: &str, caret: u32) -> bool {
    let parsed = parse(text);
    let is_open = |segment: &Segment| matches!(segment, Segment::Broken { text, .. } if text.contains('{') && !text.ends_with('}'));
    let at_caret = partial_name_at(text, caret).is_some_and(|begun| {
        let touches = |span: &Range<usize>| span.start <= begun.at && begun.at <= span.end;
        (parsed.errors.iter()).any(|error| touches(&error.span))
    });
    at_caret || parsed.template.segments.iter().any(is_open)
}

fn begun_in(before: &str) -> Option<PartialName> {
    let brace = before.rfind('{')?;
    let run = &before[..=brace];
    let braces = run.len() - run.trim_end_matches('{').len();
    let inside = &before[brace + 1..];
    // A doubled brace is literal text.
    if braces.is_multiple_of(2) || inside.contains('}') {
        return None;
    }
    let modifiers = inside.find(':');
    let at = modifiers.and_then(|_| inside.rfind([':', '|']));
    let at = brace + 1 + at.map_or(0, |at| at + 1);
    Some(PartialName {
        typed: before[at..].to_owned(),
        is_modifier: modifiers.is_some(),
        at,
    })
}

/// Returns the matching names: first the exact match, then those that start with the typed text, then, after two
/// letters, those that contain it. Case is ignored.
pub fn completions(begun: &PartialName, attributes: &[String]) -> Vec<CompletionItem> {
    let typed = begun.typed.trim_start().to_lowercase();
    let attribute = |name: &String| CompletionItem {
        name: name.clone(),
        what: "",
    };
    let modifier = |&(name, what): &(&str, &'static str)| CompletionItem {
        name: name.to_owned(),
        what,
    };
    let mut offers: Vec<CompletionItem> = match begun.is_modifier {
        true => MODIFIERS.iter().map(modifier).collect(),
        false => attributes.iter().map(attribute).collect(),
    };
    let place = |offer: &CompletionItem| offer.name.to_lowercase().find(&typed);
    let is_near = |at: usize| at == 0 || typed.len() > 1;
    offers.retain(|offer| place(offer).is_some_and(is_near));
    offers.sort_by_key(|offer| (place(offer) != Some(0), offer.name.to_lowercase() != typed));
    offers
}

/// Inserts a name into a template. `selection` is in UTF-16 units. In a placeholder, the name replaces the one being
/// typed; elsewhere it is inserted as a placeholder.
pub fn insert(text: &str, selection: Range<u32>, name: &str) -> Insertion {
    let start = bytes(text, selection.start);
    let end = bytes(text, selection.end).max(start);
    let (before, after) = (&text[..start], &text[end..]);
    let begun = begun_in(before);
    let is_modifier = begun.as_ref().is_some_and(|begun| begun.is_modifier);
    let mut head = match &begun {
        Some(begun) => before[..begun.at].to_owned(),
        None => format!("{before}{{"),
    };
    let name_at = head.len();
    head.push_str(name);
    // Replace the rest of the name too, up to the character that ends it, if the placeholder is closed.
    let is_closed = |after: &str| {
        let brace = after.find(['{', '}']);
        brace.is_some_and(|at| after[at..].starts_with('}'))
    };
    let rest = match begun {
        Some(_) if is_closed(after) => after.find(['}', ':', '|']).map(|at| &after[at..]),
        _ => None,
    };
    let tail = match rest {
        None => {
            head.push('}');
            after
        }
        Some(rest) => match rest.strip_prefix('}') {
            None => rest,
            Some(behind) => {
                head.push('}');
                behind
            }
        },
    };
    let units = |text: &str| text.encode_utf16().count() as u32;
    let selection = match name.split_once('(').filter(|_| is_modifier) {
        Some((word, argument)) => {
            let from = units(&head[..name_at + word.len() + 1]);
            from..from + units(argument) - 1
        }
        None => units(&head)..units(&head),
    };
    Insertion {
        text: head + tail,
        selection,
    }
}

/// Returns the byte offset of a UTF-16 unit, rounded down to a character; the end if it is beyond.
fn bytes(text: &str, unit: u32) -> usize {
    let mut units = 0;
    let at = text.char_indices().find(|(_, letter)| {
        units += letter.len_utf16() as u32;
        units > unit
    });
    at.map_or(text.len(), |(at, _)| at)
}

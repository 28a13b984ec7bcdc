//! What completes a key template while it is typed: the attributes and the modifiers of the placeholder at the caret.

use keyfold_core::template::{MODIFIERS, Segment, parse};
use std::ops::Range;

/// The name of a placeholder's attribute or modifier that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// What is there up to the caret.
    pub typed: String,
    /// Whether it is the name of a modifier.
    pub is_modifier: bool,
    /// Where it begins, in bytes.
    pub at: usize,
}

/// A name that would complete what is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The attribute's name, or the modifier as it is written: `pad(n)`.
    pub name: String,
    /// What a modifier does; empty for an attribute.
    pub what: &'static str,
}

/// A text after an insertion, and what is selected then, in UTF-16 units as the browser counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inserted {
    /// The whole text.
    pub text: String,
    /// The argument of a modifier, to be typed over; else the empty range behind what was inserted.
    pub selection: Range<u32>,
}

/// What is being typed at the caret (in UTF-16 units), if that is a name in a placeholder.
pub fn begun(text: &str, caret: u32) -> Option<Begun> {
    begun_in(&text[..bytes(text, caret)])
}

/// Whether a template is not typed to its end: a placeholder in it has no end yet, or the one at the caret (in UTF-16
/// units) is wrong still.
pub fn is_unfinished(text: &str, caret: u32) -> bool {
    let parsed = parse(text);
    let is_open = |segment: &Segment| matches!(segment, Segment::Broken { text, .. } if text.contains('{') && !text.ends_with('}'));
    let at_caret = begun(text, caret).is_some_and(|begun| {
        let touches = |span: &Range<usize>| span.start <= begun.at && begun.at <= span.end;
        (parsed.errors.iter()).any(|error| touches(&error.span))
    });
    at_caret || parsed.template.segments.iter().any(is_open)
}

fn begun_in(before: &str) -> Option<Begun> {
    let brace = before.rfind('{')?;
    let run = &before[..=brace];
    let braces = run.len() - run.trim_end_matches('{').len();
    let inside = &before[brace + 1..];
    // A doubled brace is text.
    if braces.is_multiple_of(2) || inside.contains('}') {
        return None;
    }
    let modifiers = inside.find(':');
    let at = modifiers.and_then(|_| inside.rfind([':', '|']));
    let at = brace + 1 + at.map_or(0, |at| at + 1);
    Some(Begun {
        typed: before[at..].to_owned(),
        is_modifier: modifiers.is_some(),
        at,
    })
}

/// The name that is typed, whatever its case; those that go on with it; then, once that is more than a letter, those that
/// have it anywhere.
pub fn offers(begun: &Begun, attributes: &[String]) -> Vec<Offer> {
    let typed = begun.typed.trim_start().to_lowercase();
    let attribute = |name: &String| Offer {
        name: name.clone(),
        what: "",
    };
    let modifier = |&(name, what): &(&str, &'static str)| Offer {
        name: name.to_owned(),
        what,
    };
    let mut offers: Vec<Offer> = match begun.is_modifier {
        true => MODIFIERS.iter().map(modifier).collect(),
        false => attributes.iter().map(attribute).collect(),
    };
    let place = |offer: &Offer| offer.name.to_lowercase().find(&typed);
    let is_near = |at: usize| at == 0 || typed.len() > 1;
    offers.retain(|offer| place(offer).is_some_and(is_near));
    offers.sort_by_key(|offer| (place(offer) != Some(0), offer.name.to_lowercase() != typed));
    offers
}

/// Puts a name into a template in place of the selection, in UTF-16 units: the rest of the name that is being typed there,
/// or a placeholder of its own.
pub fn insert(text: &str, selection: Range<u32>, name: &str) -> Inserted {
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
    // Of the name that is completed, what stands behind the caret goes too, up to the mark that ends it, if its placeholder
    // is closed.
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
    Inserted {
        text: head + tail,
        selection,
    }
}

/// The byte at which a UTF-16 unit of the text begins, or its character; the end for one beyond it.
fn bytes(text: &str, unit: u32) -> usize {
    let mut units = 0;
    let at = text.char_indices().find(|(_, letter)| {
        units += letter.len_utf16() as u32;
        units > unit
    });
    at.map_or(text.len(), |(at, _)| at)
}

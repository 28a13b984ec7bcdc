//! The text of a design that was changed on two sides: the comments and the order of both.

use super::super::{DesignText, diff};
use super::kept_text::follow;
use crate::export::{LineChange, line_diff};
use keyfold_compare::matched_for_merge;
use keyfold_core::model::{CardId, Design, Point};
use keyfold_core::text;
use std::sync::Arc;

/// Returns a text that was read from a file with the ids of a design, and with its places of the cards whose places the
/// text leaves out.
pub fn aligned(text: &DesignText, design: &Design) -> DesignText {
    let mut own = matched_for_merge(design, &text.design, false);
    let is_left_out =
        |(card, _): &(&CardId, &Point)| own.has_card(**card) && !own.layout.contains_key(card);
    let places: Vec<_> = (design.layout.iter().filter(is_left_out))
        .map(|(card, place)| (*card, *place))
        .collect();
    if !places.is_empty() {
        Arc::make_mut(&mut own.layout).extend(places);
    }
    DesignText {
        design: own,
        ..text.clone()
    }
}

/// Returns the text of a merged design. `base` is what both sides changed; both it and `theirs` are as read from a file.
/// What each side changed in comments and order stays. Where that gives no text of the design, it is their text.
pub fn merged(
    base: &DesignText,
    ours: &DesignText,
    theirs: &DesignText,
    design: &Design,
) -> DesignText {
    joined(base, ours, theirs, design).unwrap_or_else(|| now(aligned(theirs, design), design))
}

/// As [`merged`]; `None` where the lines of both give no text of the design. A text with errors keeps the lines that are not
/// in the design yet.
pub fn joined(
    base: &DesignText,
    ours: &DesignText,
    theirs: &DesignText,
    design: &Design,
) -> Option<DesignText> {
    // All three say the same design: what is left is comments, empty lines and order.
    let [base, theirs] = [base, theirs].map(|text| now(aligned(text, design), design));
    let ours = now(ours.clone(), design);
    if ours.text == base.text {
        return Some(theirs);
    }
    if theirs.text == base.text {
        return Some(ours);
    }
    let text = merged_lines(&base.text, &ours.text, &theirs.text);
    let lowered = text::lower(&text::parse(&text), Some(design));
    let drafts = ours.errors + theirs.errors;
    let is_of_design = match lowered.errors() {
        0 => drafts > 0 || diff(&lowered.design, design).is_empty(),
        errors => errors <= drafts,
    };
    is_of_design.then(|| DesignText {
        text: text.into(),
        design: design.clone(),
        // Lines that say more than the design are still a draft.
        errors: lowered.errors().max(drafts.min(1)),
    })
}

fn now(text: DesignText, design: &Design) -> DesignText {
    follow(&text, design).unwrap_or(text)
}

/// What one side did to the lines of the base.
struct Side<'a> {
    /// The lines that it added before each line of the base, and at the end.
    added: Vec<Vec<&'a str>>,
    /// Which lines of the base it kept.
    keeps: Vec<bool>,
}

fn side<'a>(base: &'a str, own: &'a str) -> Side<'a> {
    let (mut added, mut keeps) = (vec![Vec::new()], Vec::new());
    for line in line_diff(base, own) {
        match line.mark {
            LineChange::Added => added.last_mut().expect("never empty").push(line.text),
            mark => {
                keeps.push(mark == LineChange::Same);
                added.push(Vec::new());
            }
        }
    }
    Side { added, keeps }
}

fn merged_lines(base: &str, ours: &str, theirs: &str) -> String {
    let ending = if theirs.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let (ours, theirs) = (side(base, ours), side(base, theirs));
    let mut lines = Vec::new();
    for (at, line) in base.lines().map(Some).chain([None]).enumerate() {
        let (our, their) = (&ours.added[at], &theirs.added[at]);
        lines.extend(our);
        if our != their {
            lines.extend(their);
        }
        lines.extend(line.filter(|_| ours.keeps[at] && theirs.keeps[at]));
    }
    lines.iter().flat_map(|line| [line, ending]).collect()
}

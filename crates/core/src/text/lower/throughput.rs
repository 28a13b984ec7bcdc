//! Capacity, and settings that are one of several words.

use super::super::cursor::Cursor;
use super::super::keywords::{self, INSIGHTS};
use super::super::syntax::SyntaxKind;
use crate::model::{Autoscaling, ContributorInsights, ProvisionedThroughput};

/// Takes one of these words, in AWS's spelling too.
pub(super) fn one_of<T: Copy>(cursor: &mut Cursor, words: &[(&str, T)]) -> Option<T> {
    let token = cursor.peek();
    let normal = token.map(|token| keywords::normal(token.text));
    let found = words
        .iter()
        .find(|(word, _)| normal.as_deref() == Some(*word));
    match found {
        Some((_, value)) => {
            cursor.take();
            Some(*value)
        }
        None => {
            let words: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            cursor.expected(&words.join(" or "));
            None
        }
    }
}

/// The mode of Contributor Insights; the first if none is named.
pub(super) fn insights(cursor: &mut Cursor) -> Option<ContributorInsights> {
    match cursor.is_done() {
        true => Some(ContributorInsights::AccessedAndThrottledKeys),
        false => one_of(cursor, &INSIGHTS),
    }
}

/// `read 5, write 5`, each optional.
pub(super) fn units(cursor: &mut Cursor) -> Option<(Option<u64>, Option<u64>)> {
    let (mut read, mut write) = (None, None);
    while !cursor.is_done() && !cursor.failed {
        match () {
            () if read.is_none() && cursor.word("read") => {
                read = cursor.number("a number of units per second");
            }
            () if write.is_none() && cursor.word("write") => {
                write = cursor.number("a number of units per second");
            }
            () => cursor.expected("`read` or `write` and a number"),
        }
        if !cursor.is_done() && !cursor.punctuation(SyntaxKind::Comma) {
            cursor.expected("`,`");
        }
    }
    (!cursor.failed).then_some((read, write))
}

/// `read 5 autoscaling 5 to 100 at 70%, write 5`
pub(super) fn provisioned(cursor: &mut Cursor) -> Option<ProvisionedThroughput> {
    let mut out = ProvisionedThroughput::default();
    let (mut read, mut write) = (false, false);
    while !cursor.is_done() && !cursor.failed {
        match () {
            () if !read && cursor.word("read") => {
                read = true;
                out.read = cursor.number("a number of capacity units").unwrap_or(5);
                out.read_scaling = autoscaling(cursor);
            }
            () if !write && cursor.word("write") => {
                write = true;
                out.write = cursor.number("a number of capacity units").unwrap_or(5);
                out.write_scaling = autoscaling(cursor);
            }
            () => cursor.expected("`read` or `write` and a number"),
        }
        if !cursor.is_done() && !cursor.punctuation(SyntaxKind::Comma) {
            cursor.expected("`,` or `autoscaling`");
        }
    }
    (!cursor.failed).then_some(out)
}

fn autoscaling(cursor: &mut Cursor) -> Option<Autoscaling> {
    if !cursor.word("autoscaling") {
        return None;
    }
    let mut scaling = Autoscaling {
        min: cursor.number("the minimum units")?,
        ..Autoscaling::default()
    };
    if !cursor.word("to") {
        cursor.expected("`to` and the maximum units");
    }
    scaling.max = cursor.number("the maximum units")?;
    if cursor.word("at") {
        let percent = cursor.peek().map(|token| token.text.trim_end_matches('%'));
        match percent.and_then(|percent| percent.parse().ok()) {
            Some(percent) => {
                cursor.take();
                scaling.target_percent = percent;
            }
            None => cursor.expected("the target utilization, such as `70%`"),
        }
    }
    Some(scaling)
}

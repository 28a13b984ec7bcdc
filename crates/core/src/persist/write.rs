//! Writes a design as a file's text.

use super::migrate::version_of;
use crate::model::Design;
use serde::Serialize;

/// Maximum width of a list or an object on one line.
const WIDTH: usize = 100;

/// Writes a design as a file of the oldest format version that can hold it: JSON with two spaces of indentation and a
/// final line feed.
/// Equal designs give equal bytes, and [`from_json`](super::from_json) reads the same design back.
///
/// Short lists and objects are on one line, and so is every sample, however long: a change of one attribute, sample or
/// canvas position is a one-line diff.
pub fn to_json(design: &Design) -> String {
    // The model has only string keys and no fallible `Serialize`, so this cannot fail.
    let file = File {
        keyfold: version_of(design),
        design,
    };
    let pretty = serde_json::to_string_pretty(&file).unwrap_or_default();
    fold(&pretty)
}

/// Writes a design as [`to_json`] does, but without white space: the shortest text that
/// [`from_json`](super::from_json) reads.
pub fn to_compact_json(design: &Design) -> String {
    let (mut in_string, mut is_escaped) = (false, false);
    let stays = |letter: &char| {
        let is_quote = *letter == '"' && !is_escaped;
        is_escaped = in_string && *letter == '\\' && !is_escaped;
        in_string ^= is_quote;
        in_string || !matches!(letter, ' ' | '\n')
    };
    to_json(design).chars().filter(stays).collect()
}

#[derive(Serialize)]
struct File<'a> {
    keyfold: u64,
    #[serde(flatten)]
    design: &'a Design,
}

/// Puts short lists and objects, and all samples, of pretty-printed JSON on one line each.
fn fold(pretty: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    // Lines in `out` that open a list or an object that is still open.
    let mut open: Vec<usize> = Vec::new();
    let mut in_samples = false;
    for line in pretty.lines() {
        out.push(line.to_owned());
        if open.len() == 1 {
            in_samples = line == r#"  "samples": {"#;
        }
        if line.ends_with(['{', '[']) {
            open.push(out.len() - 1);
        } else if line.trim_start().starts_with(['}', ']']) {
            let start = open.pop().unwrap_or_default();
            // The document itself, its parts and the lists of samples are never folded.
            let is_sample = in_samples && open.len() == 3;
            let may_fold = open.len() >= 2 && !(in_samples && open.len() == 2);
            let width = out[start..]
                .iter()
                .map(|line| line.trim_start().len() + 1)
                .sum::<usize>();
            if may_fold
                && (is_sample || in_samples && open.len() > 3 || width + 2 * open.len() <= WIDTH)
            {
                let folded = join(&out[start..]);
                out.truncate(start);
                out.push(folded);
            }
        }
    }
    out.push(String::new());
    out.join("\n")
}

/// The lines of one list or object, joined to one line.
fn join(lines: &[String]) -> String {
    let space = if lines[0].ends_with('{') { " " } else { "" };
    let inner: Vec<&str> = lines[1..lines.len() - 1]
        .iter()
        .map(|line| line.trim_start())
        .collect();
    let last = lines[lines.len() - 1].trim_start();
    format!("{}{space}{}{space}{last}", lines[0], inner.join(" "))
}

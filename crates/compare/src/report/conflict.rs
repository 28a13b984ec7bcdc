//! Conflicts of a merge in words.

use super::lines::name;
use super::{Line, write};
use crate::merge::{Conflict, Merged, Reason, Side};
use crate::part::{Part, has};
use crate::words::{Piece, field, value};
use keyfold_core::model::Design;
use serde_json::Value as Json;

impl Side {
    /// The word for the side.
    pub fn label(self) -> &'static str {
        match self {
            Side::Ours => "ours",
            Side::Theirs => "theirs",
        }
    }
}

impl Merged {
    /// Describes a conflict in one line: the place, why it is one, and the values of base, ours and theirs.
    pub fn describe(&self, base: &Design, ours: &Design, conflict: &Conflict) -> String {
        let designs = [ours, &self.theirs, base];
        let named = |part: &Part| {
            let design = designs.into_iter().find(|design| has(design, part));
            name(design.unwrap_or(base), base, part)
        };
        let words = |text: String| Piece::Words(text);
        let mut pieces = named(&conflict.part);
        if !conflict.path.is_empty() {
            let (label, own) = field(&conflict.part, &conflict.path);
            pieces.push(words(format!(", {label}")));
            pieces.extend(own.map(|own| words(format!(" {own}"))));
        }
        match &conflict.reason {
            Reason::Deleted(side) => {
                let (deleted, changed) = (side.label(), side.other().label());
                pieces.push(words(format!(
                    ": deleted in {deleted}, changed in {changed}"
                )));
            }
            Reason::Used { deleted, by } => {
                let (deleted, user) = (deleted.label(), deleted.other().label());
                pieces.push(words(format!(": deleted in {deleted}, used in {user} by ")));
                pieces.extend(named(by));
            }
            Reason::BothChanged | Reason::Invalid(_) => {
                if let Reason::Invalid(message) = &conflict.reason {
                    pieces.push(words(format!(": {message}")));
                }
                let values = [
                    ("base", base, &conflict.base),
                    ("ours", ours, &conflict.ours),
                    ("theirs", &self.theirs, &conflict.theirs),
                ];
                let mut separator = ": ";
                for (side, design, json) in values {
                    pieces.push(words(format!("{separator}{side} ")));
                    pieces.push(shown(design, &conflict.path, json.as_ref()));
                    separator = ", ";
                }
            }
        }
        write::plain(&Line {
            kind: None,
            part: None,
            pieces,
        })
    }
}

fn shown(design: &Design, path: &[String], json: Option<&Json>) -> Piece {
    match json {
        None => Piece::Words("none".to_owned()),
        Some(json) => value(design, path, json),
    }
}

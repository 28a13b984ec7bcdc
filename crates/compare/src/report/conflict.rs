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

/// A conflict in words, with code in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConflictWords {
    /// The part and its field.
    pub place: String,
    /// Why it is a conflict; `None` if both sides changed a value, which the values say.
    pub why: Option<String>,
    /// The values of base, ours and theirs; `None` if a side deleted the part.
    pub values: Option<[String; 3]>,
}

impl Merged {
    /// Describes a conflict in one line: the place, why it is one, and the values of base, ours and theirs.
    pub fn describe(&self, base: &Design, ours: &Design, conflict: &Conflict) -> String {
        let names = [Side::Ours, Side::Theirs].map(Side::label);
        let ConflictWords { place, why, values } = self.words(base, ours, conflict, names);
        let mut text = place;
        if let Some(why) = why {
            text += &format!(": {why}");
        }
        if let Some([base, ours, theirs]) = values {
            text += &format!(": base {base}, ours {ours}, theirs {theirs}");
        }
        text
    }

    /// Describes a conflict. `names` are those of our and of their side.
    pub fn words(
        &self,
        base: &Design,
        ours: &Design,
        conflict: &Conflict,
        names: [&str; 2],
    ) -> ConflictWords {
        let designs = [ours, &self.theirs, base];
        let named = |part: &Part| {
            let design = designs.into_iter().find(|design| has(design, part));
            name(design.unwrap_or(base), base, part)
        };
        let mut place = named(&conflict.part);
        if !conflict.path.is_empty() {
            let (label, own) = field(&conflict.part, &conflict.path);
            place.push(Piece::Words(format!(", {label}")));
            place.extend(own.map(|own| Piece::Words(format!(" {own}"))));
        }
        let name_of = |side: Side| names[side as usize];
        let why = match &conflict.reason {
            Reason::BothChanged => None,
            Reason::Invalid(message) => Some(message.clone()),
            Reason::Deleted(side) => {
                let (deleted, changed) = (name_of(*side), name_of(side.other()));
                Some(format!("deleted in {deleted}, changed in {changed}"))
            }
            Reason::Used { deleted, by } => {
                let (side, user) = (name_of(*deleted), name_of(deleted.other()));
                let by = plain(named(by));
                Some(format!("deleted in {side}, used in {user} by {by}"))
            }
        };
        let values = match &conflict.reason {
            Reason::Deleted(_) | Reason::Used { .. } => None,
            Reason::BothChanged | Reason::Invalid(_) => Some([
                shown(base, &conflict.path, conflict.base.as_ref()),
                shown(ours, &conflict.path, conflict.ours.as_ref()),
                shown(&self.theirs, &conflict.path, conflict.theirs.as_ref()),
            ]),
        };
        ConflictWords {
            place: plain(place),
            why,
            values,
        }
    }
}

fn shown(design: &Design, path: &[String], json: Option<&Json>) -> String {
    plain(vec![match json {
        None => Piece::Words("none".to_owned()),
        Some(json) => value(design, path, json),
    }])
}

fn plain(pieces: Vec<Piece>) -> String {
    write::plain(&Line {
        kind: None,
        part: None,
        pieces,
    })
}

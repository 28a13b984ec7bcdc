//! Accepting what the linter says, with a reason.

use super::refused::Refused;
use keyfold_core::lint::Place;
use keyfold_core::model::{Design, Silenced};
use std::sync::Arc;

/// Accepts the findings of a rule at a place; a reason that was there is replaced.
pub(super) fn silence(design: &mut Design, silenced: Silenced) -> Result<(), Refused> {
    if silenced.reason.trim().is_empty() {
        return Err(Refused(
            "enter the reason why the finding is accepted".into(),
        ));
    }
    if silenced.place.parse::<Place>().is_err() || silenced.code.is_empty() {
        return Err(Refused(
            "this finding has no place in the design, so it cannot be silenced".into(),
        ));
    }
    let all = Arc::make_mut(&mut design.silenced);
    let same = |other: &Silenced| other.code == silenced.code && other.place == silenced.place;
    match all.iter_mut().find(|other| same(other)) {
        Some(other) => other.reason = silenced.reason,
        None => all.push(silenced),
    }
    Ok(())
}

/// Takes an acceptance back.
pub(super) fn unsilence(design: &mut Design, code: &str, place: &str) {
    let is_it = |silenced: &Silenced| silenced.code == code && silenced.place == place;
    if design.silenced.iter().any(is_it) {
        Arc::make_mut(&mut design.silenced).retain(|silenced| !is_it(silenced));
    }
}

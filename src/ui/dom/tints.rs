//! The tint of each attribute: the same for the same name everywhere.

use crate::platform::storage::Local;
use keyfold_app::tints::Tints;
use keyfold_app::workspace::Storage as _;
use keyfold_core::model::Design;
use std::cell::RefCell;

/// Where the tints are kept until the next visit.
const KEY: &str = "keyfold:tints";

thread_local! {
    static TINTS: RefCell<Tints> = RefCell::new(of_last_visit());
}

fn of_last_visit() -> Tints {
    let kept = Local.get(KEY);
    let hues = kept.and_then(|text| serde_json::from_str(&text).ok());
    Tints::of_visit(hues.unwrap_or_default())
}

/// Keeps the tints until the next visit, so that a reload changes no color.
pub fn keep_tints() {
    let text = TINTS.with_borrow(|tints| serde_json::to_string(&tints.to_keep()));
    if let Ok(text) = text {
        let _ = Local.set(KEY, &text);
    }
}

/// The tint of an attribute: a hue class, the same for the same name everywhere.
pub fn tint(attribute: &str) -> String {
    format!(
        "hue-{}",
        TINTS.with_borrow_mut(|tints| tints.hue_of(attribute))
    )
}

/// Chooses the tints for a design that is being opened.
pub fn choose_tints(design: &Design) {
    TINTS.with_borrow_mut(|tints| tints.open_design(design));
}

/// Frees the tints of attributes that the design no longer has.
pub fn free_tints(design: &Design) {
    TINTS.with_borrow_mut(|tints| tints.release_unused(design));
}

//! The tint of each attribute: the same for the same name everywhere.

use keyfold_app::tints::Tints;
use keyfold_core::model::Design;
use std::cell::RefCell;

thread_local! {
    static TINTS: RefCell<Tints> = RefCell::default();
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

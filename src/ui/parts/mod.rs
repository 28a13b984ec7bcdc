//! Small pieces that every region uses.

pub mod completion;
pub mod erased;
pub mod field;
pub mod focus;
pub mod gradual;
pub mod icon;
pub mod later;
pub mod picker;
pub mod resize;
pub mod search;
pub mod splitter;
pub mod template_field;
pub mod template_text;

use crate::ui::parts::erased::RwSignal;
use keyfold_app::picture::text_width;

/// Whether a name may be too wide for a card or a row of the outline. Only such names are cut by a clip: each clip costs
/// every frame of the canvas.
pub fn is_long(name: &str) -> bool {
    text_width(name, 13.0) > 120.0
}

/// The value of a `class` attribute: `base`, and those of the others that are on. For an element whose base changes: where
/// Leptos sets it anew, classes of `class:name` are gone until they change themselves.
pub fn classes(base: &str, others: &[(&str, bool)]) -> String {
    let mut classes = base.to_owned();
    for (name, _) in others.iter().filter(|(_, on)| *on) {
        classes.push(' ');
        classes.push_str(name);
    }
    classes
}

/// Sets a signal if that changes it.
pub fn set_if_other<T: PartialEq + Copy + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.get_untracked() != value {
        signal.set(value);
    }
}

//! Small components for all regions. They take values and callbacks and do not use the store.

pub mod after_first_paint;
pub mod after_paint;
pub mod completion_list;
pub mod copy_button;
pub mod field;
pub mod file_picker;
pub mod finding_marks;
pub mod icon;
pub mod in_code;
pub mod late_text;
pub mod layered_picture;
pub mod search_field;
pub mod splitter;
pub mod template_field;
pub mod template_text;

use keyfold_app::fit_text::text_width;

/// Whether a name may be too wide for a card or a row of the outline. Only such names get a CSS clip: each clip slows
/// every frame of the canvas.
pub fn is_long(name: &str) -> bool {
    text_width(name, 13.0) > 120.0
}

/// The value of a `class` attribute: `base` and those of `others` that are on. For elements whose base changes: when
/// Leptos sets it again, classes of `class:name` are lost until they change themselves.
pub fn classes(base: &str, others: &[(&str, bool)]) -> String {
    let mut classes = base.to_owned();
    for (name, _) in others.iter().filter(|(_, on)| *on) {
        classes.push(' ');
        classes.push_str(name);
    }
    classes
}

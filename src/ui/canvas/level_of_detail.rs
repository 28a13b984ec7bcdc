//! The zoom limits that decide how much the canvas draws. What cards show at a zoom of 1 is a choice of the user
//! (`keyfold_app::viewport::Detail`). Text is never below 9 CSS pixels at the lower limit of a level.

use crate::ui::widgets::template_text::SMALL;

/// How much is drawn at a zoom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A card is only its name.
    Far,
    /// Cards show their keys and the names of their attributes in very large text.
    Larger,
    /// Cards show their keys and the names of their attributes in large text.
    Large,
    /// As large, in text of a middle size: more of a long key has room.
    Medium,
    /// Cards show everything, and wires have labels.
    Full,
}

/// Below this zoom, a card is only its head.
pub const FAR: f64 = 0.4;
/// Cards that became boxes below the zoom [`FAR`] become cards again above [`FAR`] times this.
pub const FAR_HYSTERESIS: f64 = 1.1;

impl Level {
    /// Returns the level at a zoom.
    pub fn at(zoom: f64) -> Level {
        match zoom {
            _ if zoom < FAR => Level::Far,
            _ if zoom < 0.57 => Level::Larger,
            _ if zoom < 0.75 => Level::Large,
            _ if zoom < 0.815 => Level::Medium,
            _ => Level::Full,
        }
    }

    /// Size of the text, in canvas pixels; `.large`, `.larger` and `.medium` in `canvas.css` repeat it.
    pub fn text(self) -> f64 {
        match self {
            Level::Far | Level::Larger => 22.5,
            Level::Large => 16.0,
            Level::Medium => 12.0,
            Level::Full => SMALL,
        }
    }
}

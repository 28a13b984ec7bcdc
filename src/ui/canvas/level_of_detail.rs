//! The zoom limits that decide how much the canvas draws. What cards show at a zoom of 1 is a choice of the user
//! (`keyfold_app::viewport::Detail`).

/// Below this zoom, a card is only its head.
pub const FAR: f64 = 0.4;
/// Cards that became boxes below the zoom [`FAR`] become cards again above [`FAR`] times this.
pub const FAR_HYSTERESIS: f64 = 1.1;
/// From this zoom on, wires have labels.
pub const CLOSE: f64 = 0.75;

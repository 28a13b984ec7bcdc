//! What of the canvas is in sight.

use keyfold_app::viewport::{Area, Viewport};

const AREA: Area = Area {
    x: 100.0,
    y: 200.0,
    width: 2000.0,
    height: 400.0,
};

#[test]
fn a_legible_viewport_shows_the_upper_left_corner() {
    let fitting = Viewport::fitting(AREA, 390.0, 600.0);
    assert!(fitting.zoom < 0.2);
    let legible = fitting.legible(AREA, 0.4);
    assert_eq!(legible.zoom, 0.4);
    let seen = legible.visible(390.0, 600.0);
    assert!(seen.x < AREA.x && AREA.x < seen.x + 100.0);
    assert!(seen.y < AREA.y && AREA.y < seen.y + 100.0);
}

#[test]
fn a_viewport_that_is_legible_stays() {
    let fitting = Viewport::fitting(AREA, 1440.0, 900.0);
    assert_eq!(fitting.legible(AREA, 0.4), fitting);
}

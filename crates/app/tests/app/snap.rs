//! Snapping while dragging cards.

use keyfold_app::arrange::Axis;
use keyfold_app::snap::{Snap, SnapGuide, snap};
use keyfold_app::viewport::Area;
use keyfold_test_support::cases;
use proptest::prelude::*;

fn area(x: f64, y: f64, width: f64, height: f64) -> Area {
    Area {
        x,
        y,
        width,
        height,
    }
}

fn guide(axis: Axis, at: f64, from: f64, to: f64) -> SnapGuide {
    SnapGuide { axis, at, from, to }
}

#[test]
fn edges_snap_to_edges() {
    let other = area(100.0, 100.0, 200.0, 50.0);
    // Left edges 5 apart; nothing near on the other axis.
    let found = snap(area(105.0, 400.0, 80.0, 30.0), &[other], 8.0);
    let expected = Snap {
        dx: -5.0,
        dy: 0.0,
        guides: vec![guide(Axis::Vertical, 100.0, 100.0, 430.0)],
    };
    assert_eq!(found, expected);
    // 9 apart is too far.
    let found = snap(area(109.0, 400.0, 80.0, 30.0), &[other], 8.0);
    assert_eq!(found, Snap::default());
}

#[test]
fn centers_snap_and_both_axes_snap_at_once() {
    let others = [area(0.0, 0.0, 200.0, 100.0), area(500.0, 0.0, 40.0, 300.0)];
    // Its center is at (103, 307): 100 is the center of the first card, 300 the end of the second.
    let found = snap(area(73.0, 302.0, 60.0, 10.0), &others, 6.0);
    let expected = Snap {
        dx: -3.0,
        dy: -2.0,
        guides: vec![
            guide(Axis::Vertical, 100.0, 0.0, 310.0),
            guide(Axis::Horizontal, 300.0, 70.0, 540.0),
        ],
    };
    assert_eq!(found, expected);
}

#[test]
fn the_nearest_snap_wins_and_its_guide_spans_all_aligned_cards() {
    let others = [
        area(96.0, 0.0, 40.0, 10.0),
        area(102.0, 200.0, 10.0, 10.0),
        area(102.0, 900.0, 10.0, 10.0),
    ];
    let found = snap(area(101.0, 500.0, 300.0, 40.0), &others, 8.0);
    assert_eq!(found.dx, 1.0);
    assert_eq!(found.guides, [guide(Axis::Vertical, 102.0, 200.0, 910.0)]);
}

#[test]
fn snapping_equalizes_gaps() {
    // Between two cards: 100 and 500 leave 300 for gaps.
    let others = [area(0.0, 0.0, 100.0, 100.0), area(500.0, 0.0, 100.0, 100.0)];
    let found = snap(area(246.0, 20.0, 100.0, 45.0), &others, 6.0);
    let expected = Snap {
        dx: 4.0,
        dy: 0.0,
        guides: vec![
            guide(Axis::Horizontal, 42.5, 100.0, 250.0),
            guide(Axis::Horizontal, 42.5, 350.0, 500.0),
        ],
    };
    assert_eq!(found, expected);
    // After two cards with a gap of 37, below them, and before two.
    let column = [area(0.0, 0.0, 100.0, 100.0), area(17.0, 137.0, 75.0, 100.0)];
    let found = snap(area(30.0, 272.0, 31.0, 66.0), &column, 4.0);
    assert_eq!((found.dx, found.dy), (0.0, 2.0));
    assert_eq!(
        found.guides,
        [
            guide(Axis::Vertical, 45.5, 100.0, 137.0),
            guide(Axis::Vertical, 45.5, 237.0, 274.0),
        ]
    );
    let found = snap(area(30.0, -105.0, 31.0, 66.0), &column, 4.0);
    assert_eq!((found.dx, found.dy), (0.0, 2.0));
}

#[test]
fn snapping_among_1000_cards_works() {
    let others: Vec<Area> = (0..1000)
        .map(|n| {
            area(
                f64::from(n % 32) * 336.0,
                f64::from(n / 32) * 288.0,
                288.0,
                201.0,
            )
        })
        .collect();
    for step in 0..100 {
        let found = snap(
            area(f64::from(step) * 7.3, 91.0, 288.0, 177.0),
            &others,
            6.0,
        );
        assert!(found.dx.abs() <= 6.0);
    }
}

fn any_area() -> impl Strategy<Value = Area> {
    let number = |most: i32| (0..most).prop_map(f64::from);
    (number(600), number(600), number(300), number(300))
        .prop_map(|(x, y, width, height)| area(x, y, width + 1.0, height + 1.0))
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn snapped_areas_are_aligned(
        moving in any_area(),
        others in proptest::collection::vec(any_area(), 0..12),
        tolerance in 1_u8..12,
    ) {
        let tolerance = f64::from(tolerance);
        let found = snap(moving, &others, tolerance);
        prop_assert!(found.dx.abs() <= tolerance && found.dy.abs() <= tolerance);
        prop_assert!(found.dx == 0.0 && found.dy == 0.0 || !found.guides.is_empty());
        prop_assert!(found.guides.iter().all(|guide| guide.from < guide.to));
        let placed = area(moving.x + found.dx, moving.y + found.dy, moving.width, moving.height);
        for (by, across, along) in [
            (found.dx, Axis::Horizontal, Axis::Vertical),
            (found.dy, Axis::Vertical, Axis::Horizontal),
        ] {
            let marks = |area: Area| match across {
                Axis::Horizontal => [area.x, area.x + area.width / 2.0, area.x + area.width],
                Axis::Vertical => [area.y, area.y + area.height / 2.0, area.y + area.height],
            };
            let on = |area: Area, at: f64| marks(area).iter().any(|mark| (mark - at).abs() < 0.1);
            let in_line = found.guides.iter().any(|guide| {
                guide.axis == along
                    && on(placed, guide.at)
                    && others.iter().any(|other| on(*other, guide.at))
            });
            let gaps: Vec<f64> = (found.guides.iter())
                .filter(|guide| guide.axis == across)
                .map(|guide| guide.to - guide.from)
                .collect();
            let equal = gaps.windows(2).any(|pair| (pair[0] - pair[1]).abs() < 0.1);
            prop_assert!(by == 0.0 || in_line || equal, "{:?}", found);
        }
    }
}

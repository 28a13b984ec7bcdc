//! Routes wires around cards and headings. Each index has a lane of its own in each channel between cards: wires of one
//! index run together, those of different indexes side by side.

mod apart;
mod arrows;
mod lanes;
mod search;

pub use arrows::{Arrow, Arrows};
pub use lanes::Lane;

use apart::Parts;
use lanes::lanes;
use search::search;

use super::collections::CollectionArea;
use super::geometry::{WireCurve, entry_middle};
use super::viewport::{Area, Detail};
use keyfold_core::model::{CardId, Design, EntityId, IndexId, SortedMap, by_rank};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// The route of a wire.
#[derive(Debug, Clone, PartialEq)]
pub struct WireRoute {
    /// The `d` attribute of its SVG path.
    pub path: String,
    line: Line,
}

/// The course of a wire.
#[derive(Debug, Clone, PartialEq)]
enum Line {
    Curve(WireCurve),
    /// Corner points.
    Straight(Vec<Position>),
}

/// Positions for a label, best first: fractions of the wire's length.
const SPOTS: [f64; 17] = [
    0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8, 0.15, 0.85, 0.1, 0.9,
];

impl WireRoute {
    /// Returns the point at a fraction of the wire, from 0 at the entity to 1 at the index.
    pub fn at(&self, part: f64) -> Position {
        match &self.line {
            Line::Curve(course) => course.at(part),
            Line::Straight(points) => along(points, part),
        }
    }

    /// Returns the point at a distance from the entity, in pixels.
    pub fn at_distance(&self, by: f64) -> Position {
        self.at(by / self.length().max(by))
    }

    /// Its length, in pixels.
    fn length(&self) -> f64 {
        let pairs = self.points();
        (pairs.windows(2))
            .map(|pair| distance(pair[0], pair[1]))
            .sum()
    }

    /// Returns the corner points; of a curve, points along it.
    pub fn points(&self) -> Cow<'_, [Position]> {
        match &self.line {
            Line::Curve(course) => (0..=STEPS)
                .map(|step| course.at(step as f64 / STEPS as f64))
                .collect(),
            Line::Straight(points) => Cow::Borrowed(points),
        }
    }

    /// Whether the wire comes within `near` pixels of an area.
    pub fn touches(&self, area: Area, near: f64) -> bool {
        let area = area.grown(near);
        let points = self.points();
        (points.windows(2)).any(|pair| segment_crosses(pair[0], pair[1], area))
    }

    /// Returns the area for a label of this size in pixels: on the wire, as near to its middle as possible, centered or
    /// aside, and free by `is_free`. `None` if there is no such area.
    pub fn label(&self, width: f64, height: f64, is_free: impl Fn(Area) -> bool) -> Option<Area> {
        let aside = [0.0, -0.25, 0.25, -0.4, 0.4];
        let spots = aside
            .into_iter()
            .flat_map(|by| SPOTS.map(|part| (by, self.at(part))));
        let mut spots = spots.map(|(by, (x, y))| Area {
            x: x + (by - 0.5) * width,
            y: y - height / 2.0,
            width,
            height,
        });
        spots.find(|area| is_free(*area))
    }
}

/// Wires are routed around cards only in designs with at most this many cards.
pub const MAX_OBSTACLES: usize = 200;

/// A point on the canvas, in pixels.
type Position = (f64, f64);

/// Distance between a wire and the cards that it passes.
const CLEAR: f64 = 12.0;
/// Preferred distance between a wire and other cards.
const NEAR: f64 = 6.0;
/// Straight length before the first turn of a wire.
const STUB: f64 = 16.0;
/// Minimum length before the first turn.
const MIN_STUB: f64 = 13.0;
/// What a corner costs, as a length: a route with fewer corners is worth a small detour.
const CORNER: f64 = 24.0;
/// A wire makes detours of at most this length, in canvas pixels: a longer one is harder to follow than one behind a
/// card. Cards beyond it do not matter.
const REACH: f64 = 640.0;
/// Corner radii, in order of preference: the first one with which the bend crosses no card.
const RADII: [f64; 4] = [10.0, 8.0, 4.0, 0.0];
/// Number of parts of a curve in [`WireRoute::points`].
const STEPS: usize = 24;

/// A wire: an entity's entry in an index.
pub type Wire = (EntityId, IndexId);

/// A card or a heading that wires go around.
pub type Obstacle = (Option<CardId>, Area);

/// Returns what wires go around: the cards, and the headings of the item collections that are shown. Nothing in a
/// large design.
pub fn obstacles(cards: &[(CardId, Area)], collections: &[CollectionArea]) -> Vec<Obstacle> {
    if cards.len() > MAX_OBSTACLES {
        return Vec::new();
    }
    let cards = cards.iter().map(|(card, area)| (Some(*card), *area));
    let headings = collections.iter().flat_map(CollectionArea::headings);
    cards.chain(headings.map(|area| (None, area))).collect()
}

/// The wires of a design.
#[derive(Debug, Default)]
pub struct Routes {
    obstacles: Vec<Obstacle>,
    lanes: SortedMap<IndexId, Lane>,
    wires: SortedMap<Wire, Routed>,
}

/// A wire with what its route was made from.
#[derive(Debug)]
struct Routed {
    course: WireCurve,
    near: Vec<Area>,
    lane: Lane,
    /// Its corner points before it moved away from others; `None` if no way around the cards was found.
    way: Option<Vec<Position>>,
    route: Arc<WireRoute>,
}

impl Routes {
    /// Routes the wires between the stored positions of cards. What did not change since `before` is taken from there.
    /// In a large design, which has no obstacles, there are no routes: [`Routes::route`] then returns curves.
    pub fn new(
        design: &Design,
        detail: Detail,
        obstacles: Vec<Obstacle>,
        before: Option<&Routes>,
    ) -> Routes {
        if obstacles.is_empty() {
            return Routes::default();
        }
        let mut routes = Routes {
            lanes: lanes(design, detail, &obstacles),
            obstacles,
            wires: SortedMap::new(),
        };
        for (id, entity) in &design.entities {
            for index in entity.keys.keys() {
                let wire = (*id, *index);
                let Some(course) = stored_course(design, wire, detail) else {
                    continue;
                };
                let (near, lane) = (routes.near(ends(wire), course), routes.lane(*index));
                let known = before.and_then(|before| before.wires.get(&wire));
                let same = known.filter(|known| {
                    known.course == course && known.lane == lane && known.near == near
                });
                let routed = Routed {
                    way: match same {
                        Some(same) => same.way.clone(),
                        None => way(course, &near, &routes.own(ends(wire), course, course), lane),
                    },
                    // Unless it has moved, it will be the same.
                    route: known
                        .map_or_else(|| Arc::new(direct(course)), |known| known.route.clone()),
                    course,
                    near,
                    lane,
                };
                routes.wires.insert(wire, routed);
            }
        }
        routes.move_apart(design);
        routes
    }

    /// Sets the routes: the ways, with a distance between those of different indexes.
    fn move_apart(&mut self, design: &Design) {
        let mut parts = Parts::default();
        for ((_, index), routed) in &self.wires {
            parts.add_ends(
                routed.way.as_deref().unwrap_or_default(),
                CardId::Index(*index),
            );
        }
        for index in design.index_ids() {
            let wires = self
                .wires
                .iter_mut()
                .filter(|((_, other), _)| *other == index);
            for (_, routed) in wires {
                let Some(mut points) = routed.way.clone() else {
                    if !matches!(&routed.route.line, Line::Curve(known) if *known == routed.course)
                    {
                        routed.route = Arc::new(direct(routed.course));
                    }
                    continue;
                };
                parts.move_apart(&mut points, CardId::Index(index), &routed.near);
                if !matches!(&routed.route.line, Line::Straight(known) if *known == points) {
                    routed.route = Arc::new(straight(points, &routed.near));
                }
            }
        }
    }

    /// Whether all wires and obstacles are the same, so that nothing has to be drawn again.
    pub fn is_same(&self, other: &Routes) -> bool {
        let is_same = |((wire, one), (other_wire, other)): ((&Wire, &Routed), (&Wire, &Routed))| {
            wire == other_wire
                && one.course == other.course
                && Arc::ptr_eq(&one.route, &other.route)
        };
        self.obstacles == other.obstacles
            && self.lanes == other.lanes
            && self.wires.len() == other.wires.len()
            && self.wires.iter().zip(&other.wires).all(is_same)
    }

    /// Returns the route of a wire with these ends.
    pub fn route(&self, wire: Wire, course: WireCurve) -> Arc<WireRoute> {
        match self.wires.get(&wire) {
            Some(routed) if routed.course == course => routed.route.clone(),
            _ if self.obstacles.is_empty() => Arc::new(direct(course)),
            _ => {
                let stored = self.wires.get(&wire).map_or(course, |routed| routed.course);
                let near = self.near(ends(wire), course);
                let own = self.own(ends(wire), course, stored);
                Arc::new(route(course, &near, &own, self.lane(wire.1)))
            }
        }
    }

    /// Returns the route of a wire between the stored positions of its cards; `None` if one has none.
    pub fn stored(&self, design: &Design, wire: Wire, detail: Detail) -> Option<Arc<WireRoute>> {
        Some(self.route(wire, stored_course(design, wire, detail)?))
    }

    /// The wires with their routes.
    pub fn iter(&self) -> impl Iterator<Item = (Wire, &Arc<WireRoute>)> {
        self.wires
            .iter()
            .map(|(wire, routed)| (*wire, &routed.route))
    }

    /// Whether there are no routes: in a large design, or without wires.
    pub fn is_empty(&self) -> bool {
        self.wires.iter().next().is_none()
    }

    /// Number of places where two wires cross.
    pub fn crossings(&self) -> usize {
        let pairs = |points: &[Position]| -> Vec<(Position, Position)> {
            points.windows(2).map(|pair| (pair[0], pair[1])).collect()
        };
        let all: Vec<_> = self
            .iter()
            .map(|(_, route)| pairs(&route.points()))
            .collect();
        let mut count = 0;
        for (number, one) in all.iter().enumerate() {
            for other in &all[number + 1..] {
                for a in one {
                    count += other.iter().filter(|b| segments_cross(*a, **b)).count();
                }
            }
        }
        count
    }

    /// The area around all wires; `None` if there are none.
    pub fn area(&self) -> Option<Area> {
        let points = self
            .iter()
            .flat_map(|(_, route)| route.points().into_owned());
        let areas = points.map(|(x, y)| Area {
            x,
            y,
            width: 0.0,
            height: 0.0,
        });
        areas.reduce(Area::union)
    }

    /// Length of all wires, in canvas pixels.
    pub fn length(&self) -> f64 {
        self.iter().map(|(_, route)| route.length()).sum()
    }

    /// Whether nothing is in an area: no obstacle within 2 pixels, and none of these wires.
    pub fn is_free(&self, area: Area, of: impl Fn(Wire) -> bool) -> bool {
        let grown = area.grown(2.0);
        !(self.obstacles.iter()).any(|(_, other)| other.intersects(grown))
            && !(self.iter()).any(|(wire, route)| of(wire) && route.touches(area, 1.0))
    }

    /// The areas of the cards at the ends of a wire, which has the course `stored` between their stored positions.
    fn own(&self, [first, last]: Ends, course: WireCurve, stored: WireCurve) -> Vec<Area> {
        let ends = [
            (first, course.from, course.leaves, stored.from),
            (last, course.to, course.enters, stored.to),
        ];
        (ends.into_iter())
            .filter_map(|(card, end, side, stored)| {
                let (_, area) = (self.obstacles.iter()).find(|(other, _)| *other == Some(card))?;
                Some(Area {
                    x: if side > 0.0 {
                        end.0 - area.width
                    } else {
                        end.0
                    },
                    // A dragged card has moved.
                    y: area.y + end.1 - stored.1,
                    ..*area
                })
            })
            .collect()
    }

    fn lane(&self, index: IndexId) -> Lane {
        self.lanes.get(&index).copied().unwrap_or_default()
    }

    /// The obstacles that matter for a wire: all in reach, except the cards at its ends.
    fn near(&self, ends: Ends, course: WireCurve) -> Vec<Area> {
        let ends = ends.map(Some);
        let reach = reach(course);
        (self.obstacles.iter())
            .filter(|(card, area)| {
                (card.is_none() || !ends.contains(card)) && area.intersects(reach)
            })
            .map(|(_, area)| *area)
            .collect()
    }
}

/// The cards at the ends of a wire or an arrow.
type Ends = [CardId; 2];

fn ends((entity, index): Wire) -> Ends {
    [CardId::Entity(entity), CardId::Index(index)]
}

/// The stored position of a card.
fn place(design: &Design, card: CardId) -> Option<Position> {
    let point = design.layout.get(&card)?;
    Some((f64::from(point.x), f64::from(point.y)))
}

/// The course of a wire between the stored positions of its cards.
fn stored_course(design: &Design, wire: Wire, detail: Detail) -> Option<WireCurve> {
    let entity = design.entities.get(&wire.0)?;
    let down = entry_middle(entity, wire.1, detail);
    let [from, to] = ends(wire).map(|card| place(design, card));
    Some(WireCurve::between(from?, down, to?))
}

fn reach(course: WireCurve) -> Area {
    let ((x1, y1), (x2, y2)) = (course.from, course.to);
    let between = Area {
        x: x1.min(x2),
        y: y1.min(y2),
        width: (x2 - x1).abs(),
        height: (y2 - y1).abs(),
    };
    between.grown(REACH)
}

/// Returns the route of a wire: the shortest of the orthogonal routes that cross no obstacle, if one is found, otherwise
/// a curve. `own` are the areas of the cards at its ends, `obstacles` those of all others.
pub fn route(course: WireCurve, obstacles: &[Area], own: &[Area], lane: Lane) -> WireRoute {
    match way(course, obstacles, own, lane) {
        Some(points) => straight(points, obstacles),
        None => direct(course),
    }
}

/// Returns the corner points of a wire around the obstacles, at a distance from them if there is room.
fn way(course: WireCurve, obstacles: &[Area], own: &[Area], lane: Lane) -> Option<Vec<Position>> {
    let grown =
        |near: f64| -> Vec<Area> { obstacles.iter().map(|area| area.grown(near)).collect() };
    let way = |near: f64| around(course, &grown(near), near, lane);
    way(NEAR).or_else(|| way(0.0)).or_else(|| {
        let mut all = grown(NEAR);
        all.extend(own.iter().map(|area| area.grown(NEAR)));
        let (columns, rows) = channels(course, &all, NEAR, lane);
        search(course, columns, rows, &all)
    })
}

/// Returns the columns and rows beside the obstacles, which are already enlarged by `near`, in reach of a wire.
fn channels(course: WireCurve, obstacles: &[Area], near: f64, lane: Lane) -> (Vec<f64>, Vec<f64>) {
    let (first, last) = (CLEAR - near + lane.first(), CLEAR - near + lane.last());
    let reach = reach(course);
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for area in obstacles {
        columns.extend([area.x - first, area.x + area.width + first]);
        // Wires of the first index are the highest.
        rows.extend([area.y - last, area.y + area.height + first]);
    }
    columns.retain(|x| *x >= reach.x && *x <= reach.x + reach.width);
    rows.retain(|y| *y >= reach.y && *y <= reach.y + reach.height);
    distinct(&mut rows);
    (columns, rows)
}

fn straight(points: Vec<Position>, obstacles: &[Area]) -> WireRoute {
    WireRoute {
        path: rounded_path(&points, obstacles),
        line: Line::Straight(points),
    }
}

fn direct(course: WireCurve) -> WireRoute {
    WireRoute {
        path: course.path(),
        line: Line::Curve(course),
    }
}

/// Returns the shortest of the routes tried: straight; through one channel between columns; or through a channel
/// between columns at each end, connected by a channel between rows. `obstacles` are already enlarged by `near`.
fn around(course: WireCurve, obstacles: &[Area], near: f64, lane: Lane) -> Option<Vec<Position>> {
    let (from, to) = (course.from, course.to);
    let faces = course.leaves != course.enters && (to.0 - from.0) * course.leaves > 0.0;
    if faces && (from.1 - to.1).abs() < 1.0 && is_free(from, to, obstacles) {
        return Some(vec![from, to]);
    }
    let outward = |offset: f64| from.0 + (STUB + offset) * course.leaves;
    let back = to.0 + (STUB + lane.at_index(course.enters)) * course.enters;
    // The turn at the entity: lower entries of a card turn later on the way up, and earlier on the way down.
    let turn = |y: f64| {
        outward(if y > from.1 {
            lane.last()
        } else {
            lane.first()
        })
    };
    let mut routes: Vec<(f64, [Position; 6])> = Vec::new();
    let mut add = |points: [Position; 6], corners: f64| {
        let pairs = points.windows(2);
        let length: f64 = pairs.map(|pair| distance(pair[0], pair[1])).sum();
        routes.push((length + corners * CORNER, points));
    };
    let mut columns = vec![back, turn(to.1), (from.0 + to.0) / 2.0];
    let (beside, rows) = channels(course, obstacles, near, lane);
    columns.extend(beside);
    for (number, x) in columns.iter().enumerate() {
        // It must leave and enter the cards from outside.
        let is_outside = |end: f64, side: f64| (x - end) * side >= MIN_STUB;
        if is_outside(from.0, course.leaves)
            && is_outside(to.0, course.enters)
            && !columns[..number].contains(x)
        {
            add([from, from, (*x, from.1), (*x, to.1), to, to], 2.0);
        }
    }
    for y in rows {
        for out in [turn(y), from.0 + MIN_STUB * course.leaves] {
            add(
                [from, (out, from.1), (out, y), (back, y), (back, to.1), to],
                4.0,
            );
        }
    }
    let is_way = |points: &[Position; 6]| {
        (points.windows(2)).all(|pair| pair[0] == pair[1] || is_free(pair[0], pair[1], obstacles))
    };
    let routes = by_rank(routes, |(cost, _)| [(cost * 8.0) as u32, 0, 0, 0]);
    let mut points = routes
        .into_iter()
        .find(|(_, points)| is_way(points))?
        .1
        .to_vec();
    points.dedup();
    Some(points)
}

/// Sorts coordinates, to an eighth of a pixel.
fn sorted(values: Vec<f64>) -> Vec<f64> {
    // Another instance of a sort would cost several KB.
    by_rank(values, |value| {
        [((value * 8.0) as i32 as u32) ^ (1 << 31), 0, 0, 0]
    })
}

/// Removes equal numbers; the order stays.
fn distinct(values: &mut Vec<f64>) {
    let mut seen: Vec<f64> = Vec::new();
    values.retain(|value| {
        let is_new = !seen.contains(value);
        if is_new {
            seen.push(*value);
        }
        is_new
    });
}

/// Whether two lines cross in a point inside both.
fn segments_cross((a, b): (Position, Position), (c, d): (Position, Position)) -> bool {
    let side = |p: Position, q: Position, r: Position| {
        (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)
    };
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// Whether a line crosses an area.
fn segment_crosses(from: Position, to: Position, area: Area) -> bool {
    // The fraction of the line, from 0 to 1, that is inside the area on both axes.
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    let sides = [
        (from.0, to.0, area.x, area.x + area.width),
        (from.1, to.1, area.y, area.y + area.height),
    ];
    for (start, end, low, high) in sides {
        let length = end - start;
        if length == 0.0 {
            if start <= low || start >= high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - start) / length, (high - start) / length);
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    enters < leaves
}

/// Whether a horizontal or vertical line crosses no card.
fn is_free(a: Position, b: Position, obstacles: &[Area]) -> bool {
    let (left, right) = (a.0.min(b.0), a.0.max(b.0));
    let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
    !(obstacles.iter()).any(|area| {
        left < area.x + area.width
            && right > area.x
            && top < area.y + area.height
            && bottom > area.y
    })
}

fn distance(a: Position, b: Position) -> f64 {
    (a.0 - b.0).abs() + (a.1 - b.1).abs()
}

/// Returns the point at a fraction of a polyline.
fn along(points: &[Position], part: f64) -> Position {
    let pairs = || points.windows(2).map(|pair| (pair[0], pair[1]));
    let mut left = pairs().map(|(a, b)| distance(a, b)).sum::<f64>() * part;
    for (a, b) in pairs() {
        let length = distance(a, b);
        if length > 0.0 && left <= length {
            return toward(a, b, left);
        }
        left -= length;
    }
    points.first().copied().unwrap_or_default()
}

/// Returns the point `by` pixels from `a` toward `b`, which is in the same row or column.
fn toward(a: Position, b: Position, by: f64) -> Position {
    let part = by / distance(a, b).max(1e-9);
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

/// Returns the SVG path of an orthogonal polyline with round corners.
fn rounded_path(points: &[Position], obstacles: &[Area]) -> String {
    let mut path = String::new();
    let Some((first, last)) = points.first().zip(points.last()) else {
        return path;
    };
    let _ = write!(path, "M{:.1} {:.1}", first.0, first.1);
    for corner in points.windows(3) {
        let [before, at, after] = [corner[0], corner[1], corner[2]];
        let half = distance(before, at).min(distance(at, after)) / 2.0;
        let bend = |radius: f64| (toward(at, before, radius), toward(at, after, radius));
        let bends = RADII.map(|radius| bend(radius.min(half)));
        let (start, end) = (bends.into_iter())
            .find(|(start, end)| is_free(*start, *end, obstacles))
            .unwrap_or((at, at));
        let _ = write!(
            path,
            "L{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            start.0, start.1, at.0, at.1, end.0, end.1
        );
    }
    let _ = write!(path, "L{:.1} {:.1}", last.0, last.1);
    path
}

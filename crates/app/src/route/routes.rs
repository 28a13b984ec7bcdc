//! The routes of all wires of a design, updated from edit to edit.

use super::super::collections::CollectionArea;
use super::super::geometry::{WireCurve, entry_middle};
use super::super::viewport::{Area, Detail};
use super::Position;
use super::apart::Parts;
use super::around::{direct, route, segments_cross, straight, way};
use super::lanes::{Lane, lanes};
use super::wire_route::{Line, WireRoute};
use keyfold_core::model::{CardId, Design, EntityId, IndexId, SortedMap};
use std::sync::Arc;

/// Wires are routed around cards only in designs with at most this many cards.
pub const MAX_OBSTACLES: usize = 200;

/// A wire makes detours of at most this length, in canvas pixels: a longer one is harder to follow than one behind a
/// card. Cards beyond it do not matter.
const REACH: f64 = 640.0;

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
    pub(super) obstacles: Vec<Obstacle>,
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
    pub(super) fn own(
        &self,
        [first, last]: Ends,
        course: WireCurve,
        stored: WireCurve,
    ) -> Vec<Area> {
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
    pub(super) fn near(&self, ends: Ends, course: WireCurve) -> Vec<Area> {
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
pub(super) type Ends = [CardId; 2];

fn ends((entity, index): Wire) -> Ends {
    [CardId::Entity(entity), CardId::Index(index)]
}

/// The stored position of a card.
pub(super) fn place(design: &Design, card: CardId) -> Option<Position> {
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

pub(super) fn reach(course: WireCurve) -> Area {
    let ((x1, y1), (x2, y2)) = (course.from, course.to);
    let between = Area {
        x: x1.min(x2),
        y: y1.min(y2),
        width: (x2 - x1).abs(),
        height: (y2 - y1).abs(),
    };
    between.grown(REACH)
}

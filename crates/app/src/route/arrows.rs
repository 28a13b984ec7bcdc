//! The arrows of references: from the row of the attribute that refers to the card of the entity referred to. They go
//! around cards as wires do, and beside wires, which do not move for them.

use super::apart::Parts;
use super::around::{direct, route, straight, way};
use super::routes::{Ends, Routes, place};
use super::wire_route::WireRoute;
use super::{Lane, Position};
use crate::geometry::{WireCurve, attribute_middle};
use crate::viewport::{Area, Detail};
use keyfold_core::engine::generate::Reference;
use keyfold_core::model::{CardId, Design, EntityId, SortedMap};
use std::sync::Arc;

/// An arrow: an entity and the name of its attribute that refers to another entity.
pub type Arrow = (EntityId, String);

/// The arrows of a design.
#[derive(Debug, Default)]
pub struct Arrows {
    arrows: SortedMap<Arrow, Routed>,
    lane: Lane,
}

/// An arrow with what its route was made from.
#[derive(Debug)]
struct Routed {
    ends: Ends,
    course: WireCurve,
    near: Vec<Area>,
    /// Its corner points before it moved away from others; `None` if no way around the cards was found.
    way: Option<Vec<Position>>,
    route: Arc<WireRoute>,
}

impl Arrows {
    /// Routes the arrows of these references between the stored positions of cards, beside the wires of `routes`. What did
    /// not change since `before` is taken from there.
    pub fn new(
        design: &Design,
        detail: Detail,
        references: &[Reference],
        routes: &Routes,
        before: Option<&Arrows>,
    ) -> Arrows {
        // Beyond the lanes of all indexes.
        let indexes = design.index_ids().count() as u32;
        let lane = Lane {
            rank: indexes,
            count: indexes + 1,
            ..Lane::default()
        };
        let before = before.filter(|before| before.lane == lane);
        let mut parts = Parts::default();
        for ((_, index), route) in routes.iter() {
            parts.add_all(&route.points(), CardId::Index(index));
        }
        let mut arrows: SortedMap<Arrow, Routed> = SortedMap::new();
        for reference in references {
            let arrow = (reference.entity, reference.attribute.clone());
            let Some(course) = stored_course(design, reference, detail) else {
                continue;
            };
            let ends = [reference.entity, reference.target].map(CardId::Entity);
            let near = routes.near(ends, course);
            let known = before.and_then(|before| before.arrows.get(&arrow));
            let same = known.filter(|k| k.ends == ends && k.course == course && k.near == near);
            let way = match same {
                Some(same) => same.way.clone(),
                None if routes.obstacles.is_empty() => None,
                None => way(course, &near, &routes.own(ends, course, course), lane),
            };
            parts.add_ends(way.as_deref().unwrap_or_default(), ends[1]);
            let routed = Routed {
                route: same.map_or_else(|| Arc::new(direct(course)), |same| same.route.clone()),
                ends,
                course,
                near,
                way,
            };
            arrows.insert(arrow, routed);
        }
        for routed in arrows.values_mut() {
            if let Some(mut points) = routed.way.clone() {
                parts.move_apart(&mut points, routed.ends[1], &routed.near);
                if *routed.route.points() != *points {
                    routed.route = Arc::new(straight(points, &routed.near));
                }
            }
        }
        Arrows { arrows, lane }
    }

    /// Returns the route of an arrow with these ends.
    pub fn route(&self, arrow: &Arrow, course: WireCurve, routes: &Routes) -> Arc<WireRoute> {
        match self.arrows.get(arrow) {
            Some(routed) if routed.course == course => routed.route.clone(),
            Some(routed) if !routes.obstacles.is_empty() => {
                let near = routes.near(routed.ends, course);
                let own = routes.own(routed.ends, course, routed.course);
                Arc::new(route(course, &near, &own, self.lane))
            }
            _ => Arc::new(direct(course)),
        }
    }

    /// Returns the course and the route of an arrow between the stored positions of its cards; `None` if one has none.
    pub fn stored(&self, arrow: &Arrow) -> Option<(WireCurve, &WireRoute)> {
        let routed = self.arrows.get(arrow)?;
        Some((routed.course, &routed.route))
    }
}

/// The course of an arrow between the stored positions of its cards.
fn stored_course(design: &Design, reference: &Reference, detail: Detail) -> Option<WireCurve> {
    let entity = design.entities.get(&reference.entity)?;
    let down = attribute_middle(entity, &reference.attribute, detail);
    let ends = [reference.entity, reference.target].map(CardId::Entity);
    let [from, to] = ends.map(|card| place(design, card));
    Some(WireCurve::reference(from?, down, to?))
}

//! Which entities share item collections, found by analyzing their partition key templates, and the areas that show
//! this on the canvas.

use super::fit_text::{text_width, truncate};
use super::viewport::Area;
use keyfold_core::engine::key_sources::stored_template;
use keyfold_core::engine::languages::shapes;
use keyfold_core::model::{CardId, Design, Entity, EntityId, IndexId, IndexKind};
use keyfold_core::template::{self, KeyLanguage, Segment, Shapes, Template};
use std::borrow::Cow;

/// Entities whose items can be in the same item collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityGroup {
    /// The partition key template of the first entity; for a multi-attribute key, its attribute names.
    pub partition: String,
    /// The entities, in id order.
    pub entities: Vec<EntityId>,
}

/// Distance from the cards to the edge of their area, and from the area's left edge to its heading, in canvas pixels.
pub const MARGIN: f64 = 12.0;
/// Height of the heading at the top of an area.
pub const TITLE: f64 = 28.0;
/// Distance from the top of an area to the baseline of its heading.
pub const NAME_LINE: f64 = 28.0;

/// The colored area of entities that share item collections.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectionArea {
    /// The partition key template.
    pub name: String,
    /// The hue.
    pub hue: u8,
    /// One area around all cards; or several, if other cards are in between.
    pub areas: Vec<Area>,
}

/// Font sizes of a heading, in canvas pixels: while cards show all their lines, only their keys, only their names.
pub const HEADING_SIZES: [f64; 3] = [14.0, 22.5, 28.0];

impl CollectionArea {
    /// The name, cut to the width of an area, in a font of this size.
    pub fn heading(&self, area: Area, size: f64) -> Cow<'_, str> {
        truncate(&self.name, area.width - 2.0 * MARGIN, size)
    }

    /// The areas of the headings, in all font sizes.
    pub fn headings(&self) -> impl Iterator<Item = Area> {
        self.areas.iter().map(|area| {
            let widths = HEADING_SIZES.map(|size| text_width(&self.heading(*area, size), size));
            Area {
                x: area.x + MARGIN,
                y: area.y,
                width: widths.into_iter().fold(0.0, f64::max),
                height: TITLE + 4.0,
            }
        })
    }
}

/// Returns the areas of the groups of an index ([`entity_groups`]) that have at least two entities. `cards` are the visible
/// cards.
pub fn collection_areas(groups: &[EntityGroup], cards: &[(CardId, Area)]) -> Vec<CollectionArea> {
    let shared = groups.iter().filter(|group| group.entities.len() > 1);
    let ground = |(number, group): (usize, &EntityGroup)| {
        let is_member = |card: CardId| match card {
            CardId::Entity(id) => group.entities.contains(&id),
            _ => false,
        };
        let members = cards.iter().filter(|(card, _)| is_member(*card));
        let areas: Vec<Area> = members.map(|(_, area)| area.grown(MARGIN)).collect();
        let is_free = |around: Area| {
            let mut others = cards.iter().filter(|(card, _)| !is_member(*card));
            !others.any(|(_, other)| other.intersects(around))
        };
        let around = areas.iter().copied().reduce(Area::union);
        let alone = around.filter(|around| is_free(*around));
        let titled = |area: Area| Area {
            y: area.y - TITLE,
            height: area.height + TITLE,
            ..area
        };
        let areas = match alone {
            Some(around) => vec![around],
            None => joined(areas, is_free),
        };
        CollectionArea {
            name: group.partition.clone(),
            hue: (number * 5 % usize::from(Entity::HUES)) as u8,
            areas: areas.into_iter().map(titled).collect(),
        }
    };
    shared.enumerate().map(ground).collect()
}

/// More areas than these are not joined: each pair of them is tried.
const MOST_JOINED: usize = 12;

/// Joins areas, the closest first, as long as nothing else is in between.
fn joined(mut areas: Vec<Area>, is_free: impl Fn(Area) -> bool) -> Vec<Area> {
    if areas.len() > MOST_JOINED {
        return areas;
    }
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for left in 0..areas.len() {
            for right in left + 1..areas.len() {
                let around = areas[left].union(areas[right]);
                let size = around.width * around.height;
                if best.is_none_or(|(least, ..)| size < least) && is_free(around) {
                    best = Some((size, left, right));
                }
            }
        }
        let Some((_, left, right)) = best else {
            return areas;
        };
        let other = areas.remove(right);
        areas[left] = areas[left].union(other);
    }
}

/// A partition key template, with everything its keys depend on.
struct Partition {
    shown: String,
    shapes: Shapes,
    /// The literal text that every key starts with.
    head: String,
    language: KeyLanguage,
    /// Partitions with the same number share item collections.
    group: usize,
}

/// Groups the entities of an index by the item collections that they share. Two entities are in one group if a key
/// can be the partition key of both, or if further entities connect them. Entities that are not in the index, or
/// whose partition key template is missing or invalid, are left out: they have no items there. Groups are ordered by
/// their first entity.
pub fn entity_groups(design: &Design, index: IndexId) -> Vec<EntityGroup> {
    let mut partitions: Vec<Partition> = Vec::new();
    let mut members: Vec<(EntityId, usize)> = Vec::new();
    for (id, entity) in &design.entities {
        let Some(template) = partition(design, entity, index) else {
            continue;
        };
        let (shown, shapes) = (
            shown(design, index, &template),
            shapes(design, entity, &template),
        );
        let known =
            (partitions.iter()).position(|other| other.shown == shown && other.shapes == shapes);
        let number = known.unwrap_or(partitions.len());
        members.push((*id, number));
        if known.is_none() {
            add(design, &mut partitions, &template, shown, shapes);
        }
    }
    let mut groups: Vec<(usize, EntityGroup)> = Vec::new();
    for (id, number) in members {
        let partition = &partitions[number];
        match groups
            .iter_mut()
            .find(|(group, _)| *group == partition.group)
        {
            Some((_, group)) => group.entities.push(id),
            None => {
                let group = EntityGroup {
                    partition: partition.shown.clone(),
                    entities: vec![id],
                };
                groups.push((partition.group, group));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Adds a partition and merges the groups that it shares a key with.
fn add(
    design: &Design,
    partitions: &mut Vec<Partition>,
    template: &Template,
    shown: String,
    shapes: Shapes,
) {
    let head = match template.segments.first() {
        Some(Segment::Literal { text, .. }) => text.clone(),
        _ => String::new(),
    };
    let group = partitions.len();
    let own = Partition {
        language: KeyLanguage::new(template, &shapes, &design.delimiter),
        shown,
        shapes,
        head,
        group,
    };
    for at in 0..partitions.len() {
        let other = &partitions[at];
        let (old, may) = (
            other.group,
            other.head.starts_with(&own.head) || own.head.starts_with(&other.head),
        );
        if old != group
            && may
            // If the analysis gives up, assume that they share keys.
            && (other.shown == own.shown
                || own.language.collides(&other.language) != Ok(None))
        {
            for partition in partitions.iter_mut().filter(|p| p.group == old) {
                partition.group = group;
            }
        }
    }
    partitions.push(own);
}

/// Returns the template of an entity's partition key in an index, from whichever index entry writes it; for a
/// multi-attribute key, all partition attributes in one template. `None` if there is no template or it has errors.
fn partition(design: &Design, entity: &Entity, index: IndexId) -> Option<Template> {
    let entry = entity.keys.get(&index)?;
    let key = design.key(index)?;
    let is_local = (design.indexes.get(&index)).is_some_and(|i| i.kind == IndexKind::Lsi);
    let text = if is_local {
        entity.keys.get(&IndexId::PRIMARY)?.partition.clone()?
    } else if let Some(text) = &entry.partition {
        text.clone()
    } else if index.is_primary() {
        return None;
    } else {
        let names = key.partition.iter().map(|attribute| &attribute.name);
        let each = names.map(|name| {
            let found = stored_template(design, entity, name);
            found.map_or_else(|| format!("{{{name}}}"), |found| found.text.to_owned())
        });
        each.collect::<Vec<_>>().concat()
    };
    let parsed = template::parse(&text);
    (parsed.errors.is_empty() && !text.is_empty()).then_some(parsed.template)
}

/// As [`entity_groups`], without the analysis: two entities are in one group if their partition key templates are equal.
/// In most designs, the result is the same.
pub fn equal_template_groups(design: &Design, index: IndexId) -> Vec<EntityGroup> {
    let mut groups: Vec<EntityGroup> = Vec::new();
    for (id, entity) in &design.entities {
        let Some(template) = partition(design, entity, index) else {
            continue;
        };
        let partition = shown(design, index, &template);
        match groups.iter_mut().find(|group| group.partition == partition) {
            Some(group) => group.entities.push(*id),
            None => groups.push(EntityGroup {
                partition,
                entities: vec![*id],
            }),
        }
    }
    groups
}

fn shown(design: &Design, index: IndexId, template: &Template) -> String {
    match design.key(index) {
        Some(key) if key.is_multi_attribute() => {
            let names: Vec<&str> = key.partition.iter().map(|a| a.name.as_str()).collect();
            names.join(", ")
        }
        _ => template.to_string(),
    }
}

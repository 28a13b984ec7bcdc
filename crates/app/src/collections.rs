//! Which entities share item collections: whose partition keys can be equal, by analysis of their templates; and the
//! coloured grounds on which they stand on the canvas.

use super::session::Area;
use keyfold_core::engine::languages::{shapes, written_text};
use keyfold_core::model::{CardId, Design, Entity, EntityId, IndexId, IndexKind};
use keyfold_core::template::{self, KeyLanguage, Segment, Shapes, Template};

/// Entities whose items can stand in one item collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The partition template of the first of them, as it is shown; of a multi-attribute key the names of its
    /// attributes.
    pub partition: String,
    /// The entities, in the order of their ids.
    pub entities: Vec<EntityId>,
}

/// How far a ground reaches beyond its cards, in canvas pixels; its name begins as far from its left edge.
pub const MARGIN: f64 = 14.0;
/// Space for a ground's name, at its top.
const TITLE: f64 = 22.0;
/// Distance from a ground's top to the line on which its name is written.
pub const NAME_LINE: f64 = TITLE - 5.0;

/// The entities that share item collections, as they are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    /// The partition template.
    pub name: String,
    /// The hue.
    pub hue: u8,
    /// What is coloured: one area around all cards, or one for each of them where other cards stand between.
    pub areas: Vec<Area>,
}

/// The grounds of an index: of each group of more than one entity, below those of these cards that it has.
pub fn grounds(design: &Design, index: IndexId, cards: &[(CardId, Area)]) -> Vec<Ground> {
    let found = groups(design, index);
    let shared = found.into_iter().filter(|group| group.entities.len() > 1);
    let ground = |(number, group): (usize, Group)| {
        let is_member = |card: CardId| match card {
            CardId::Entity(id) => group.entities.contains(&id),
            _ => false,
        };
        let members = cards.iter().filter(|(card, _)| is_member(*card));
        let areas: Vec<Area> = members.map(|(_, area)| area.grown(MARGIN)).collect();
        let around = areas.iter().copied().reduce(Area::union);
        let alone = around.filter(|around| {
            let mut others = cards.iter().filter(|(card, _)| !is_member(*card));
            !others.any(|(_, other)| other.intersects(*around))
        });
        let titled = |area: Area| Area {
            y: area.y - TITLE,
            height: area.height + TITLE,
            ..area
        };
        let areas = alone.map_or(areas, |around| vec![around]);
        Ground {
            name: group.partition,
            hue: (number * 5 % usize::from(Entity::HUES)) as u8,
            areas: areas.into_iter().map(titled).collect(),
        }
    };
    shared.enumerate().map(ground).collect()
}

/// A partition template, with all that its keys depend on.
struct Partition {
    shown: String,
    shapes: Shapes,
    /// The text with which every key begins.
    head: String,
    language: KeyLanguage,
    /// Partitions with the same number share item collections.
    group: usize,
}

/// The entities of the table or an index by the item collections that they share: two are in one group if some
/// key can be the partition key of both, or if others join them. Entities that are not in the index are left out,
/// and so are those whose partition template is missing or broken, for they have no items there. The groups are in
/// the order of their first entities.
pub fn groups(design: &Design, index: IndexId) -> Vec<Group> {
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
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for (id, number) in members {
        let partition = &partitions[number];
        match groups
            .iter_mut()
            .find(|(group, _)| *group == partition.group)
        {
            Some((_, group)) => group.entities.push(id),
            None => {
                let group = Group {
                    partition: partition.shown.clone(),
                    entities: vec![id],
                };
                groups.push((partition.group, group));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Adds a partition, and makes one group of all that it shares a key with.
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
            // What is not known is not said to be apart.
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

/// The template of an entity's partition key in an index, whoever writes it; for a multi-attribute key one of all
/// its partition attributes. `None` if it has none there, or one with errors.
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
            written_text(design, entity, name).unwrap_or_else(|| format!("{{{name}}}"))
        });
        each.collect::<Vec<_>>().concat()
    };
    let parsed = template::parse(&text);
    (parsed.errors.is_empty() && !text.is_empty()).then_some(parsed.template)
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

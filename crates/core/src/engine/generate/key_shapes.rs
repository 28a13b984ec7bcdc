//! The shapes of primary keys: which attributes of two entities stand at the same place of the same template.

use super::name_meanings::words;
use super::references::References;
use super::uses::Owner;
use crate::model::{EntityId, IndexId, KeyPart};
use crate::template::{Segment, Template};
use rustc_hash::FxHashMap;

/// Stands for a placeholder in a shape, and between the shapes of the two templates of a key.
const HOLE: char = '\0';
const BETWEEN: char = '\u{1}';

/// Maximum number of entities with keys of one shape to compare, so that many of them do not take quadratic time.
const MAX_ALIKE: usize = 16;

/// An entity whose items a key of some shape identifies.
struct Identified {
    entity: EntityId,
    /// The attributes in the placeholders, in order.
    attributes: Vec<String>,
    /// Text of the sort key's template.
    sort: String,
}

/// The entities by the shape of the key that identifies their items: the partition key alone, if the sort key adds no
/// attribute, else both.
#[derive(Default)]
pub(super) struct Shapes(FxHashMap<String, Vec<Identified>>);

/// An attribute, and the entity and attribute at the same place of a key.
pub(super) type Alignment = (String, EntityId, String);

impl Shapes {
    pub fn new(references: &References) -> Shapes {
        let mut shapes = Shapes::default();
        for id in references.design.entities.keys() {
            let Some((partition, sort)) = references.owner(*id).and_then(primary) else {
                continue;
            };
            let mut attributes: Vec<String> = partition.attributes().map(str::to_owned).collect();
            if attributes.is_empty() {
                continue;
            }
            let mut shape = shape(partition);
            if let Some(sort) = sort.filter(|sort| sort.attributes().any(|a| !partition.uses(a))) {
                attributes.extend(sort.attributes().map(str::to_owned));
                shape.push(BETWEEN);
                shape.push_str(&self::shape(sort));
            }
            shapes.0.entry(shape).or_default().push(Identified {
                entity: *id,
                attributes,
                sort: sort.map_or(String::new(), Template::to_string),
            });
        }
        shapes
    }

    /// The attributes of an entity that stand where an attribute that identifies another entity stands, those of the
    /// longest keys first.
    pub fn alignments(&self, owner: &Owner) -> Vec<Alignment> {
        let mut found: Vec<(usize, Alignment)> = Vec::new();
        for (key, partition) in &owner.templates {
            if key.part != KeyPart::Partition || partition.is_broken() {
                continue;
            }
            let is_primary = key.index.is_primary();
            let sort = sort_of(owner, key.index);
            let starts = starts(partition).into_iter().map(|start| (start, false));
            let with_sort = sort.map_or(Vec::new(), |sort| starts_of_sort(partition, sort));
            for ((start, attributes), has_sort) in starts.chain(with_sort) {
                let weight = 2 * attributes.len() + usize::from(is_primary);
                let own_sort = sort.map_or(String::new(), Template::to_string);
                let target = self.best(owner, &start, &attributes, &own_sort, is_primary, has_sort);
                let Some(target) = target else { continue };
                for (own, other) in attributes.iter().zip(&target.attributes) {
                    found.push((weight, (own.clone(), target.entity, other.clone())));
                }
            }
        }
        found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        found.into_iter().map(|(_, alignment)| alignment).collect()
    }

    /// The entity that a key of this shape identifies: of several the one whose attributes' names are the most alike.
    fn best(
        &self,
        owner: &Owner,
        shape: &str,
        attributes: &[String],
        sort: &str,
        is_primary: bool,
        has_sort: bool,
    ) -> Option<&Identified> {
        let identified = self.0.get(shape)?;
        // They are in the order of the entities' ids.
        let place = identified.binary_search_by_key(&owner.id, |other| other.entity);
        let own = place.ok().filter(|_| is_primary);
        let alike = |other: &Identified| {
            let pairs = attributes.iter().zip(&other.attributes);
            pairs
                .map(|(own, other)| likeness(own, other))
                .sum::<usize>()
        };
        let mut best: Option<&Identified> = None;
        // Among entities with the same key the first one does not refer to later ones.
        let candidates = &identified[..own.unwrap_or(identified.len())];
        for other in candidates.iter().take(MAX_ALIKE) {
            if other.entity == owner.id {
                continue;
            }
            // Different attributes, or the same whole key, are alternatives: `ACCOUNT#{user}`, `ACCOUNT#{organization}`.
            let is_alternative =
                own.is_some() && (has_sort || other.attributes != attributes || other.sort == sort);
            if !is_alternative && best.is_none_or(|best| alike(other) > alike(best)) {
                best = Some(other);
            }
        }
        best
    }
}

/// The templates of the primary key, if they can be rendered.
fn primary<'a>(owner: &'a Owner<'_>) -> Option<(&'a Template, Option<&'a Template>)> {
    let mut partitions = owner.templates.iter();
    let (_, partition) =
        partitions.find(|(key, _)| key.index.is_primary() && key.part == KeyPart::Partition)?;
    let sort = sort_of(owner, IndexId::PRIMARY);
    let is_whole = !partition.is_broken() && sort.is_none_or(|sort| !sort.is_broken());
    is_whole.then_some((partition, sort))
}

fn sort_of<'a>(owner: &'a Owner, index: IndexId) -> Option<&'a Template> {
    let mut sorts = owner.templates.iter();
    let found = sorts.find(|(key, _)| key.index == index && key.part == KeyPart::Sort);
    found.map(|(_, template)| template)
}

/// A start of a key's shape, and the attributes in it.
type Start = (String, Vec<String>);

/// The starts of a key that end in its sort key.
fn starts_of_sort(partition: &Template, sort: &Template) -> Vec<(Start, bool)> {
    let whole = shape(partition);
    let starts = starts(sort).into_iter().map(|(start, attributes)| {
        let of_partition = partition.attributes().map(str::to_owned);
        let attributes = of_partition.chain(attributes).collect();
        ((format!("{whole}{BETWEEN}{start}"), attributes), true)
    });
    starts.collect()
}

/// The starts of a template that end with a placeholder and a delimiter, or the template's end.
fn starts(template: &Template) -> Vec<Start> {
    let mut starts = Vec::new();
    let (mut text, mut attributes) = (String::new(), Vec::new());
    for (at, segment) in template.segments.iter().enumerate() {
        match segment {
            Segment::Literal { text: literal, .. } => text.push_str(literal),
            Segment::Broken { .. } => break,
            Segment::Placeholder(placeholder) => {
                text.push(HOLE);
                attributes.push(placeholder.attribute.clone());
                let ends = match template.segments.get(at + 1) {
                    Some(Segment::Literal { text, .. }) => {
                        !text.starts_with(|c: char| c.is_alphanumeric())
                    }
                    next => next.is_none(),
                };
                if ends {
                    starts.push((text.clone(), attributes.clone()));
                }
            }
        }
    }
    starts
}

fn shape(template: &Template) -> String {
    let mut text = String::new();
    for segment in &template.segments {
        match segment {
            Segment::Literal { text: literal, .. } => text.push_str(literal),
            _ => text.push(HOLE),
        }
    }
    text
}

/// How alike two names are: 2 if equal, 1 if they share a word.
fn likeness(own: &str, other: &str) -> usize {
    if own == other {
        return 2;
    }
    let others = words(other);
    usize::from(words(own).iter().any(|word| others.contains(word)))
}

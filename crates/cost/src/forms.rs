//! The form of keys: which entities have keys like those of a request, whatever their placeholders are called.

use keyfold_core::engine::languages::key_templates;
use keyfold_core::model::{AccessPattern, Design, Entity, EntityId, IndexId, ItemKey, entities_of};
use keyfold_core::template::{self, Segment, Template};

/// The templates of these texts.
pub(crate) fn parsed(texts: &[String]) -> Vec<Template> {
    texts
        .iter()
        .map(|text| template::parse(text).template)
        .collect()
}

/// The templates of the partition key of an entity's entries.
pub(crate) fn partition_templates(
    design: &Design,
    entity: &Entity,
    index: IndexId,
) -> Option<Vec<Template>> {
    first_templates(design, entity, index, design.key(index)?.partition.len())
}

/// The templates of the first key attributes of an entity's entries.
pub(crate) fn first_templates(
    design: &Design,
    entity: &Entity,
    index: IndexId,
    count: usize,
) -> Option<Vec<Template>> {
    let mut templates = key_templates(design, entity, index)?;
    templates.truncate(count);
    Some(templates)
}

/// Whether templates differ only in their placeholders.
pub(crate) fn is_of_form(own: &[Template], asked: &[Template]) -> bool {
    let same = |(own, asked): (&Segment, &Segment)| match (own, asked) {
        (Segment::Placeholder(_), Segment::Placeholder(_)) => true,
        (Segment::Literal { text: own, .. }, Segment::Literal { text: asked, .. }) => own == asked,
        _ => false,
    };
    let same = |(own, asked): (&Template, &Template)| {
        own.segments.len() == asked.segments.len()
            && own.segments.iter().zip(&asked.segments).all(same)
    };
    own.len() == asked.len() && own.iter().zip(asked).all(same)
}

/// The entities whose first key attributes have the form of these templates: of the intended ones, or else of all.
fn fitting(
    design: &Design,
    index: IndexId,
    intended: &[EntityId],
    templates: &[Template],
) -> Vec<EntityId> {
    let fits = |id: &EntityId| {
        let entity = design.entities.get(id);
        let own = entity.and_then(|own| first_templates(design, own, index, templates.len()));
        own.is_some_and(|own| is_of_form(&own, templates))
    };
    let among = |ids: &mut dyn Iterator<Item = &EntityId>| -> Vec<EntityId> {
        ids.filter(|id| fits(id)).copied().collect()
    };
    let of_intended = among(&mut intended.iter());
    match of_intended.is_empty() {
        true => among(&mut design.entities.keys()),
        false => of_intended,
    }
}

/// The entities whose partition keys have the form of these templates: of the intended ones, or else of all; the intended
/// ones if there is none.
pub(crate) fn addressed(
    design: &Design,
    index: IndexId,
    intended: &[EntityId],
    templates: &[Template],
) -> Vec<EntityId> {
    let found = fitting(design, index, intended, templates);
    match found.is_empty() {
        true => intended.to_vec(),
        false => found,
    }
}

/// The entity of the item with a primary key: the first one whose keys have its form, or else the only intended one.
pub(crate) fn entity_of_key(
    design: &Design,
    pattern: &AccessPattern,
    key: &ItemKey,
) -> Option<EntityId> {
    let intended: Vec<EntityId> = entities_of(pattern).collect();
    let texts = [Some(key.partition.clone()), key.sort.clone()];
    let templates = parsed(&Vec::from_iter(texts.into_iter().flatten()));
    let found = fitting(design, IndexId::PRIMARY, &intended, &templates);
    found.first().copied().or(match intended[..] {
        [only] => Some(only),
        _ => None,
    })
}

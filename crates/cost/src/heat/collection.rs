//! How many items of an entity a Query finds: those of one item collection, by the same popularity of keys as the heat.

use super::dimensions::Dimensions;
use super::keys::aligned;
use crate::assume::Assumptions;
use crate::forms::{first_templates, is_of_form, parsed, partition_templates};
use keyfold_core::model::{
    AccessPatternId, Design, EntityId, IndexId, SortCondition, SortOperator,
};
use keyfold_core::template::{self, Segment, Template};

/// What a Query fixes of a key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fixed {
    /// The templates of the fixed key attributes. Of a prefix with placeholders, those up to the last placeholder.
    templates: Vec<Template>,
    /// The text after the last placeholder of a prefix, which may be empty; `None` if no prefix is fixed.
    rest: Option<String>,
    /// Whether the Query has a condition that is none of these.
    pub has_range: bool,
}

/// What a Query with these conditions fixes: partition key attributes, sort key attributes by `=`, and the placeholders of
/// a prefix.
pub(crate) fn fixed(partition: &[String], sort: &[SortCondition]) -> Fixed {
    let mut fixed = Fixed {
        templates: parsed(partition),
        ..Fixed::default()
    };
    for condition in sort {
        let mut template = template::parse(&condition.value).template;
        let has_placeholder = template.attributes().next().is_some();
        match condition.operator {
            SortOperator::Equal => fixed.templates.push(template),
            SortOperator::BeginsWith if has_placeholder => {
                let mut rest = String::new();
                if let Some(Segment::Literal { text, .. }) = template.segments.last() {
                    rest.clone_from(text);
                    template.segments.pop();
                }
                fixed.rest = Some(rest);
                fixed.templates.push(template);
            }
            _ => fixed.has_range = true,
        }
    }
    fixed
}

impl Fixed {
    /// The same part of an entity's key; `None` if it has another form.
    fn of(&self, mut own: Vec<Template>) -> Option<Vec<Template>> {
        if let (Some(asked), Some(own)) = (self.templates.last(), own.last_mut())
            && let Some(rest) = &self.rest
        {
            let next = own.segments.get(asked.segments.len());
            let fits = match next {
                Some(Segment::Literal { text, .. }) => text.starts_with(rest),
                Some(_) => false,
                None => rest.is_empty(),
            };
            if !fits {
                return None;
            }
            own.segments.truncate(asked.segments.len());
        }
        is_of_form(&own, &self.templates).then_some(own)
    }
}

/// Items that a request finds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// How many of the entity's items, on average.
    pub items: f64,
    /// The first attribute whose number of values is a guess from the samples.
    pub guessed: Option<String>,
}

/// The items of an entity that have what a Query of an access pattern fixes; `None` if their keys have another form.
pub(crate) fn found(
    design: &Design,
    assumptions: &Assumptions,
    pattern: AccessPatternId,
    (index, entity): (IndexId, EntityId),
    fixed: &Fixed,
) -> Option<Found> {
    let own = design.entities.get(&entity)?;
    let own = fixed.of(first_templates(design, own, index, fixed.templates.len())?)?;
    let entities = [entity];
    let dimensions = |stored: bool| {
        let mut dimensions = Dimensions::new(design, assumptions, index, &entities);
        dimensions.pattern = (!stored).then_some(pattern);
        dimensions.stored = stored;
        dimensions.reader = Some(pattern);
        dimensions
    };
    let asked = dimensions(false).target_of(&fixed.templates, Some(&own));
    let stored = dimensions(true).target_of(&own, Some(&own));
    let levels = aligned(&[
        (asked.popularity, [1.0, 0.0, 0.0]),
        (
            stored.popularity,
            [0.0, 0.0, entries(assumptions, index, entity)],
        ),
    ]);
    let items = levels
        .iter()
        .map(|level| level.count * level.read * level.bytes);
    Some(Found {
        items: items.sum(),
        guessed: asked.guessed.or(stored.guessed),
    })
}

/// The average number of items of an entity in an item collection of the table or an index.
pub(crate) fn mean(
    design: &Design,
    assumptions: &Assumptions,
    (index, entity): (IndexId, EntityId),
) -> Option<Found> {
    let templates = partition_templates(design, design.entities.get(&entity)?, index)?;
    let entities = [entity];
    let mut stored = Dimensions::new(design, assumptions, index, &entities);
    stored.stored = true;
    let stored = stored.target(&templates);
    Some(Found {
        items: entries(assumptions, index, entity) / stored.popularity.values(),
        guessed: stored.guessed,
    })
}

/// The entries of an entity in the table or an index.
fn entries(assumptions: &Assumptions, index: IndexId, entity: EntityId) -> f64 {
    let data = assumptions.entities.get(&entity);
    data.map_or(0.0, |data| data.entries_in(index))
}

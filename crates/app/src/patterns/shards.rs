//! Queries of sharded keys: they give the number of a shard.

use keyfold_core::model::{Design, EntityId, SampleId, Value};
use keyfold_core::template::{self, Modifier, Placeholder, Segment, Template};

/// The parameter of a query that gives the number of a shard.
pub(crate) const SHARD: &str = "shard";

/// The partition key as a query gives it, and what writes its shard. What spreads items over shards does not find
/// them: a query gives the number of the shard, unless it knows the attribute
/// anyway. `is_taken`: the key has another parameter of that name.
pub(super) fn queried_partition(
    partition: &[String],
    is_taken: bool,
) -> (Vec<String>, Option<Template>) {
    let mut templates: Vec<Template> = (partition.iter())
        .map(|text| template::parse(text).template)
        .collect();
    let placeholders: Vec<&Placeholder> =
        templates.iter().flat_map(Template::placeholders).collect();
    let shard = placeholders.iter().find(|own| is_shard(own)).copied();
    let is_known = |shard: &Placeholder| {
        let mut others = placeholders.iter().filter(|other| !is_shard(other));
        others.any(|other| other.attribute == shard.attribute)
    };
    let Some(shard) = shard.filter(|shard| !is_known(shard) && !is_taken) else {
        return (partition.to_vec(), None);
    };
    let shard = shard.clone();
    for segment in templates
        .iter_mut()
        .flat_map(|template| &mut template.segments)
    {
        if let Segment::Placeholder(own) = segment
            && own.attribute == shard.attribute
            && is_shard(own)
        {
            own.attribute = SHARD.to_owned();
            own.modifiers.clear();
        }
    }
    let texts = templates.iter().map(Template::to_string);
    let shard = Template {
        segments: vec![Segment::Placeholder(shard)],
    };
    (texts.collect(), Some(shard))
}

/// Whether a placeholder writes a shard.
pub(super) fn is_shard(placeholder: &Placeholder) -> bool {
    matches!(placeholder.modifiers.last(), Some(Modifier::Shard(_)))
}

/// The shard of an entity's chosen sample, or of its first one with the attribute. `shard` writes it.
pub(crate) fn shard_of(
    design: &Design,
    entity: EntityId,
    chosen: Option<SampleId>,
    shard: &Template,
) -> Option<Value> {
    let samples = design.samples_of(entity);
    let chosen = samples.iter().filter(|sample| Some(sample.id) == chosen);
    chosen.chain(samples).find_map(|sample| {
        let lookup = |name: &str| sample.values.get(name);
        let text = template::render(shard, &design.delimiter, &lookup).ok()?;
        Some(Value::from(text.as_str()))
    })
}

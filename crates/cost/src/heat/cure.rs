//! Write sharding: how many shards a hot key needs, and the edits that add them.
//! Source: "Using write sharding to distribute workloads evenly in your DynamoDB table", Developer Guide.

use super::keys::{Contributor, KeyHeat};
use super::targets::text_of;
use super::utilization;
use crate::CostModel;
use crate::assume::{ASSUMED_PEAK, key_attributes};
use crate::forms::partition_templates;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, EntityId, IndexId, Operation, Rate, Traffic, Value,
};
use keyfold_core::template::{self, Modifier, Segment, Template};
use serde::Serialize;

/// The largest number of shards that is proposed.
const MAX_SHARDS: u32 = 10_000;

/// The parameter of an access pattern that reads a shard.
const SHARD: &str = "{shard}";

/// The load of one part of the hottest key if it is divided into so many: read and write units per second. A Query reads
/// every shard, at least the minimum of a request each.
fn sharded(contributors: &[Contributor], shards: f64) -> (f64, f64) {
    let (mut read, mut write) = (0.0, 0.0);
    for part in contributors {
        let least = if shards > 1.0 {
            part.requests * part.least_read
        } else {
            0.0
        };
        read += (part.read / shards).max(least);
        write += part.write / shards;
    }
    (read, write)
}

/// The smallest number of shards into which the hottest key must be divided so that the load of each fits in one
/// partition; `None` if no number helps, because each request reads every shard.
pub fn shards(contributors: &[Contributor]) -> Option<u32> {
    let fits = |shards: u32| {
        let (read, write) = sharded(contributors, f64::from(shards));
        utilization(read, write) <= 1.0
    };
    if !fits(MAX_SHARDS) {
        return None;
    }
    let (mut low, mut high) = (0, MAX_SHARDS);
    while high - low > 1 {
        let middle = u32::midpoint(low, high);
        match fits(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    Some(high)
}

/// A proposal to shard a partition key.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cure {
    /// The table or the GSI.
    pub index: IndexId,
    /// Number of shards.
    pub shards: u32,
    /// The partition key templates that get a shard.
    pub templates: Vec<TemplateEdit>,
    /// The access patterns that follow.
    pub patterns: Vec<PatternEdit>,
    /// Read units per second of the hottest shard afterwards.
    pub read: f64,
    /// Write units per second of the hottest shard afterwards.
    pub write: f64,
}

/// A change of the partition key template of an entity in the index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TemplateEdit {
    /// The entity.
    pub entity: EntityId,
    /// The template now.
    pub before: String,
    /// The template with the shard.
    pub after: String,
}

/// A change of the partition key template in the operation of an access pattern: of a Query, or of all keys of another
/// operation that have the template.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PatternEdit {
    /// The access pattern.
    pub pattern: AccessPatternId,
    /// The template now.
    pub before: String,
    /// The template with the shard.
    pub after: String,
    /// How many requests replace one: the shards if each must be read, otherwise 1. The rate grows as much.
    pub requests: u32,
}

/// An access pattern that follows a [`Cure`].
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// The access pattern.
    pub pattern: AccessPatternId,
    /// As it shall be.
    pub after: AccessPattern,
    /// Its traffic as it shall be.
    pub traffic: Traffic,
}

impl Cure {
    /// The access patterns that follow, with the shard in their keys. One that reads every shard makes as many requests,
    /// each for a part of the items.
    pub fn follow(&self, design: &Design) -> Vec<Followed> {
        let follow = |edit: &PatternEdit| {
            let mut after = AccessPattern::clone(design.access_patterns.get(&edit.pattern)?);
            let change = |text: &mut String| {
                if *text == edit.before {
                    text.clone_from(&edit.after);
                }
            };
            match &mut after.operation {
                Operation::Query { partition, .. } => partition.iter_mut().for_each(change),
                operation => {
                    for key in operation.keys_mut() {
                        change(&mut key.partition);
                    }
                }
            }
            // Without a value there is no request to count or to prove.
            if edit.after.contains(SHARD)
                && let Some(shard) = self.sample_shard(design)
            {
                let name = SHARD.trim_matches(['{', '}']).to_owned();
                after.parameters.entry(name).or_insert(shard);
            }
            let traffic = design.workload.patterns.get(&edit.pattern).cloned();
            let mut traffic = traffic.unwrap_or_default();
            if edit.requests > 1 {
                fan_out(&mut after, &mut traffic, f64::from(edit.requests));
            }
            Some(Followed {
                pattern: edit.pattern,
                after,
                traffic,
            })
        };
        self.patterns.iter().filter_map(follow).collect()
    }

    /// The shard of the first sample with the key; `None` if there is none.
    fn sample_shard(&self, design: &Design) -> Option<Value> {
        self.templates.iter().find_map(|edit| {
            let template = template::parse(&edit.after).template;
            let shard = template.placeholders().find(|placeholder| {
                let is_shard = |modifier: &Modifier| matches!(modifier, Modifier::Shard(_));
                placeholder.modifiers.iter().any(is_shard)
            })?;
            let alone = Template {
                segments: vec![Segment::Placeholder(shard.clone())],
            };
            let when = &design
                .entities
                .get(&edit.entity)?
                .keys
                .get(&self.index)?
                .when;
            let samples = design.samples.get(&edit.entity)?;
            let sample = samples.iter().find(|sample| {
                (when.iter())
                    .all(|condition| condition.holds(sample.values.get(&condition.attribute)))
            })?;
            let lookup = |name: &str| sample.values.get(name);
            let text = template::render(&alone, &design.delimiter, &lookup);
            text.ok().map(|text| Value::from(text.as_str()))
        })
    }
}

/// Makes so many requests of each.
fn fan_out(pattern: &mut AccessPattern, traffic: &mut Traffic, times: f64) {
    traffic.average = traffic.average.map(|average| match average {
        Rate::PerSecond(rate) => Rate::PerSecond(rate * times),
        Rate::PerMonth(rate) => Rate::PerMonth(rate * times),
    });
    traffic.items = traffic.items.map(|items| items / times);
    match (pattern.rate, traffic.average) {
        (Some(peak), _) => pattern.rate = Some(peak * times),
        // Neither is stated: what is assumed grows as much.
        (None, None) => pattern.rate = Some(ASSUMED_PEAK * times),
        (None, Some(_)) => {}
    }
}

/// Why shards are not proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoShards {
    /// The hottest key does not throttle at the peak.
    NotNeeded,
    /// No number of shards helps: each read takes all of them.
    NoHelp,
    /// The key cannot be sharded: the reason.
    Impossible(String),
}

/// The number of shards that cures a key.
///
/// # Errors
///
/// Why none is proposed.
pub fn needed_shards(model: &CostModel, index: IndexId, heat: &KeyHeat) -> Result<u32, NoShards> {
    let is_hot = heat.hottest.utilization() > 1.0;
    match heat.shards {
        None if is_hot => Err(NoShards::NoHelp),
        Some(shards) if is_hot && shards > 1 => template_edits(model, index, heat, shards)
            .map(|_| shards)
            .map_err(NoShards::Impossible),
        _ => Err(NoShards::NotNeeded),
    }
}

/// Proposes to divide keys of a kind into shards by a hash of the entity's own id.
///
/// # Errors
///
/// Why the keys cannot be sharded.
pub fn cure(
    model: &CostModel,
    index: IndexId,
    heat: &KeyHeat,
    shards: u32,
) -> Result<Cure, String> {
    let design = &model.design;
    let delimiter = literal_delimiter(design);
    let (templates, ids) = template_edits(model, index, heat, shards)?;
    let mut patterns = Vec::new();
    for (id, pattern) in &design.access_patterns {
        let is_query =
            matches!(&pattern.operation, Operation::Query { index: read, .. } if *read == index);
        let texts: Vec<&String> = match &pattern.operation {
            Operation::Query { partition, .. } if is_query => partition.iter().collect(),
            operation if index.is_primary() => operation
                .keys()
                .into_iter()
                .map(|key| &key.partition)
                .collect(),
            _ => Vec::new(),
        };
        let text = texts.into_iter().find(|text| {
            let parsed = template::parse(text).template;
            is_same_kind(std::slice::from_ref(&parsed), heat)
        });
        let Some(before) = text else {
            continue;
        };
        // A key that states its shard takes the new number; one with `{shard}` stays as it is.
        if let Some(after) = with_shards(&template::parse(before).template, shards) {
            patterns.push(PatternEdit {
                pattern: *id,
                before: before.clone(),
                after,
                requests: 1,
            });
            continue;
        }
        if ids.is_empty() {
            continue;
        }
        let keys = pattern.operation.keys();
        let known = ids.iter().find(|name| {
            keys.iter().any(|key| {
                let sort = key.sort.as_deref().unwrap_or_default();
                template::parse(sort).template.uses(name)
            })
        });
        let (shard, requests) = match known {
            Some(name) => (format!("{{{name}:shard({shards})}}"), 1),
            None => (SHARD.to_owned(), if is_query { shards } else { 1 }),
        };
        patterns.push(PatternEdit {
            pattern: *id,
            before: before.clone(),
            after: format!("{before}{delimiter}{shard}"),
            requests,
        });
    }
    let parts = f64::from(shards) / f64::from(heat.present_shards);
    let (read, write) = sharded(&heat.contributors, parts);
    Ok(Cure {
        index,
        shards,
        templates,
        patterns,
        read,
        write,
    })
}

/// The templates that get a shard, and the attributes whose hashes it is.
fn template_edits(
    model: &CostModel,
    index: IndexId,
    heat: &KeyHeat,
    shards: u32,
) -> Result<(Vec<TemplateEdit>, Vec<String>), String> {
    let design = &model.design;
    let delimiter = literal_delimiter(design);
    if design.key(index).is_none_or(|key| key.is_multi_attribute()) {
        return Err("a key of several attributes has no template for a shard".into());
    }
    let mut templates = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    for (id, entity) in &design.entities {
        let Some(own) = partition_templates(design, entity, index) else {
            continue;
        };
        if !is_same_kind(&own, heat) {
            continue;
        }
        if (entity.keys.get(&index)).is_none_or(|entry| entry.partition.is_none()) {
            return Err(format!("no template of `{}` writes this key", entity.name));
        }
        let before = text_of(&own);
        let after = match with_shards(&own[0], shards) {
            Some(after) => after,
            None => {
                let used = |name: &String| own[0].uses(name);
                let Some(name) = key_attributes(entity).into_iter().rfind(|name| !used(name))
                else {
                    return Err(format!(
                        "`{}` has no other attribute in its key",
                        entity.name
                    ));
                };
                let after = format!("{before}{delimiter}{{{name}:shard({shards})}}");
                ids.push(name);
                after
            }
        };
        templates.push(TemplateEdit {
            entity: *id,
            before,
            after,
        });
    }
    if templates.is_empty() {
        return Err("no entity writes this key by a template".into());
    }
    Ok((templates, ids))
}

/// The delimiter as the text of a template before a placeholder.
fn literal_delimiter(design: &Design) -> String {
    design.delimiter.literal("{").unwrap_or_default()
}

/// The number of shards at the end of a template; `None` if it ends in none.
fn last_shard(template: &mut Template) -> Option<&mut u32> {
    let Some(Segment::Placeholder(last)) = template.segments.last_mut() else {
        return None;
    };
    match last.modifiers.last_mut()? {
        Modifier::Shard(count) => Some(count),
        _ => None,
    }
}

/// The number of shards that a partition key template divides its keys into; 1 without.
pub(super) fn present_shards(template: &str) -> u32 {
    let mut template = template::parse(template).template;
    last_shard(&mut template).map_or(1, |count| (*count).max(1))
}

/// The template with another number of shards; `None` if it has no shard yet.
fn with_shards(template: &Template, shards: u32) -> Option<String> {
    let mut template = template.clone();
    *last_shard(&mut template)? = shards;
    Some(template.to_string())
}

/// Whether templates write keys of a kind. A literal may stand where the kind has a placeholder, and the other way
/// round: `STATUS#{status}` writes `STATUS#PENDING`.
fn is_same_kind(templates: &[Template], heat: &KeyHeat) -> bool {
    let kind = template::parse(&heat.template).template;
    let [own] = templates else {
        return false;
    };
    let literal = |template: &Template| template.leading_literal().to_owned();
    let same_length = own.segments.len() == kind.segments.len();
    let same = own
        .segments
        .iter()
        .zip(&kind.segments)
        .all(|pair| match pair {
            (Segment::Placeholder(_), Segment::Placeholder(_)) => true,
            (Segment::Literal { text: left, .. }, Segment::Literal { text: right, .. }) => {
                left == right
            }
            _ => false,
        });
    let (left, right) = (literal(own), literal(&kind));
    let begins = |long: &Template, short: &str| {
        long.is_static() && !short.is_empty() && literal(long).starts_with(short)
    };
    same_length && same
        || !kind.is_static() && begins(own, &right)
        || !own.is_static() && begins(&kind, &left)
}

//! The values of a partition key, placeholder by placeholder: how many there are, and how requests or stored items fall on
//! them.

use super::popularity::Popularity;
use super::targets::{Target, text_of};
use crate::assume::Assumptions;
use crate::forms::{first_templates, is_of_form};
use keyfold_core::model::{
    AccessPatternId, Design, EntityId, Format, IndexId, Shape, Skew, Test, WriteAction,
};
use keyfold_core::template::{Modifier, Placeholder, Segment, Template};
use std::sync::Arc;

/// A placeholder of a partition key with several values.
struct Part {
    attribute: String,
    popularity: Popularity,
    count: Count,
}

/// Where the number of values of a placeholder comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// Shards of a sharded placeholder.
    Shards,
    /// The user, or the format of the attribute.
    Stated,
    /// The samples.
    Guessed,
}

/// The values of a partition key: the kind of key, and how requests fall on them.
pub(super) struct Dimensions<'a> {
    design: &'a Design,
    assumptions: &'a Assumptions,
    index: IndexId,
    entities: &'a [EntityId],
    /// The access pattern whose skews count. Otherwise, those of the writes of the entities.
    pub pattern: Option<AccessPatternId>,
    /// Whether it is about stored items. Otherwise, it is about requests.
    pub stored: bool,
    /// The access pattern that reads the stored items: a number of values that either states counts for both.
    pub reader: Option<AccessPatternId>,
    kind: String,
    /// The first attribute whose number of values is a guess from the samples.
    guessed: Option<String>,
}

impl<'a> Dimensions<'a> {
    pub fn new(
        design: &'a Design,
        assumptions: &'a Assumptions,
        index: IndexId,
        entities: &'a [EntityId],
    ) -> Dimensions<'a> {
        Dimensions {
            design,
            assumptions,
            index,
            entities,
            pattern: None,
            stored: false,
            reader: None,
            kind: String::new(),
            guessed: None,
        }
    }

    /// The key with these templates.
    pub fn target(self, templates: &[Template]) -> Target {
        let own = self.entities.iter().find_map(|id| {
            let entity = self.design.entities.get(id)?;
            let own = first_templates(self.design, entity, self.index, templates.len())?;
            Some(own).filter(|own| is_of_form(own, templates))
        });
        self.target_of(templates, own.as_deref())
    }

    /// As [`Dimensions::target`], with the templates of the entity that has such keys.
    pub fn target_of(mut self, templates: &[Template], own: Option<&[Template]>) -> Target {
        let popularity = Arc::new(self.add_all(templates, own));
        Target {
            action: None,
            kind: self.kind,
            template: text_of(templates),
            guessed: self.guessed,
            popularity,
        }
    }

    fn add_all(&mut self, templates: &[Template], own: Option<&[Template]>) -> Popularity {
        let mut parts = Vec::new();
        for (at, template) in templates.iter().enumerate() {
            if at > 0 {
                self.kind.push_str(" / ");
            }
            let own = own.map(|own| &own[at].segments[..]);
            for (number, segment) in template.segments.iter().enumerate() {
                match segment {
                    Segment::Literal { text, .. } | Segment::Broken { text, .. } => {
                        self.kind.push_str(text);
                    }
                    Segment::Placeholder(placeholder) => {
                        let own = own.and_then(|own| own.get(number));
                        let own = match own {
                            Some(Segment::Placeholder(own)) => own,
                            _ => placeholder,
                        };
                        parts.extend(self.placeholder(placeholder, own));
                    }
                }
            }
        }
        self.combined(&parts)
    }

    /// The popularity of a key with these placeholders. Shards are independent of all values; these may depend on each
    /// other: a flight has one number and one date.
    fn combined(&self, parts: &[Part]) -> Popularity {
        let (shards, values): (Vec<_>, Vec<_>) =
            parts.iter().partition(|part| part.count == Count::Shards);
        let mut names: Vec<&str> = values.iter().map(|part| part.attribute.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let limit = match names.len() {
            0 | 1 => f64::INFINITY,
            _ => self.assumptions.combinations(
                self.design,
                self.entities,
                &names,
                values.iter().all(|part| part.count == Count::Guessed),
            ),
        };
        let popularity = |parts: Vec<&Part>| -> Vec<Popularity> {
            parts
                .into_iter()
                .map(|part| part.popularity.clone())
                .collect()
        };
        let values = Popularity::combined(&popularity(values), limit);
        (popularity(shards).iter()).fold(values, |all, shard| all.and(shard))
    }

    /// What is known of a placeholder's values; `None` for one value. `own` is the placeholder of the entity's template.
    fn placeholder(&mut self, asked: &Placeholder, own: &Placeholder) -> Option<Part> {
        if let Some(value) = self.only_value(&own.attribute) {
            self.kind.push_str(&value);
            return None;
        }
        self.kind.push_str("{}");
        let skew = self
            .skew(&asked.attribute)
            .or_else(|| self.skew(&own.attribute));
        let stated = skew.and_then(|skew| skew.values);
        let stated = stated.or_else(|| self.values_of_others(asked, own));
        let stated = stated.filter(|values| *values >= 1.0);
        let part = |popularity, count| Part {
            attribute: own.attribute.clone(),
            popularity,
            count,
        };
        match own.modifiers.last() {
            // The assumed number of values is that of the samples; what is sharded has more values than shards.
            Some(Modifier::Shard(count)) => {
                let shards = f64::from(*count);
                let values = stated.map_or(shards, |values| values.min(shards));
                return Some(part(Popularity::of(Shape::Even, values), Count::Shards));
            }
            // Requests are for the present day, month or year.
            Some(Modifier::Date | Modifier::Month | Modifier::Year) if !self.stored => return None,
            _ => {}
        }
        let (values, count) = match stated {
            Some(values) => (values, Count::Stated),
            None => {
                let found = (self.assumptions).values_of(self.design, self.entities, own);
                // As many values as items are no heat, but few items to read.
                let is_told = self.reader.is_none()
                    || Assumptions::is_told(self.design, self.entities, &own.attribute);
                if !(found.stated && is_told) && self.guessed.is_none() {
                    self.guessed = Some(own.attribute.clone());
                }
                let count = match found.stated {
                    true => Count::Stated,
                    false => Count::Guessed,
                };
                (found.value, count)
            }
        };
        let popularity = match skew {
            Some(skew) => Popularity::of(skew.shape, values),
            None => (self.as_generated(&own.attribute))
                .unwrap_or_else(|| Popularity::of(Shape::Even, values)),
        };
        Some(part(popularity, count))
    }

    /// The number of values that is stated for the other side of a read: for its requests by the writes of the entities,
    /// for the stored items by the reader.
    fn values_of_others(&self, asked: &Placeholder, own: &Placeholder) -> Option<f64> {
        let reader = self.reader?;
        let others = Dimensions {
            pattern: self.stored.then_some(reader),
            ..Dimensions::new(self.design, self.assumptions, self.index, self.entities)
        };
        let mut names = [&asked.attribute, &own.attribute].into_iter();
        names.find_map(|name| others.skew(name)?.values)
    }

    /// The popularity of an attribute's choices as samples are generated: by their weights. `None` if it has none.
    fn as_generated(&self, attribute: &str) -> Option<Popularity> {
        let mut entities = (self.entities.iter()).filter_map(|id| self.design.entities.get(id));
        let format = entities.find_map(|entity| entity.attribute(attribute)?.format.as_ref())?;
        match format {
            Format::OneOf(choices) => {
                Popularity::weighted(choices.iter().map(|choice| f64::from(choice.weight)))
            }
            _ => None,
        }
    }

    /// The value of an attribute that the condition of the entity's entry fixes.
    fn only_value(&self, attribute: &str) -> Option<String> {
        self.entities.iter().find_map(|id| {
            let entry = self.design.entities.get(id)?.keys.get(&self.index)?;
            let condition = entry.when.iter().find(|when| when.attribute == attribute)?;
            match &condition.test {
                Test::Equals(value) => Some(value.to_text()),
                _ => None,
            }
        })
    }

    fn skew(&self, name: &str) -> Option<Skew> {
        let (design, assumptions) = (self.design, self.assumptions);
        if let Some(pattern) = self.pattern {
            return assumptions.skew(design, pattern, name);
        }
        // Stored items lie as the writes of their entity fall.
        let writes = design.access_patterns.iter().filter(|(_, pattern)| {
            let mut puts = pattern
                .operation
                .actions()
                .iter()
                .filter_map(WriteAction::put);
            puts.any(|put| self.entities.contains(&put))
        });
        let mut skews = writes.filter_map(|(id, _)| assumptions.skew(design, *id, name));
        skews.next()
    }
}

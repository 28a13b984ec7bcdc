//! The number of different values of attributes, and how requests fall on them.

use super::{Assumptions, DAYS_PER_MONTH, Figure, SAMPLES};
use keyfold_core::model::{
    AccessPatternId, Design, Entity, EntityId, Format, IndexId, Skew, SortedSet, Value,
};
use keyfold_core::template::{self, Modifier, Placeholder};

impl Assumptions {
    /// How the requests of an access pattern fall on the values of a parameter.
    pub fn skew(&self, design: &Design, pattern: AccessPatternId, parameter: &str) -> Option<Skew> {
        let traffic = design.workload.patterns.get(&pattern)?;
        traffic.parameters.get(parameter).copied()
    }

    /// The number of different values of an attribute of these entities, and whether it is a guess from the samples.
    pub fn values(&self, design: &Design, entities: &[EntityId], attribute: &str) -> Figure {
        let mut most = Figure::assumed(1.0);
        for id in entities {
            if let Some(entity) = design.entities.get(id) {
                let found = self.values_in(design, *id, entity, attribute);
                if found.value >= most.value {
                    most = found;
                }
            }
        }
        most
    }

    /// The number of different values that a placeholder has in the keys of these entities, with its modifiers.
    pub fn values_of(
        &self,
        design: &Design,
        entities: &[EntityId],
        placeholder: &Placeholder,
    ) -> Figure {
        let whole = self.values(design, entities, &placeholder.attribute);
        let days = match placeholder.modifiers.last() {
            Some(Modifier::Date) => Some(1.0),
            Some(Modifier::Month) => Some(DAYS_PER_MONTH),
            Some(Modifier::Year) => Some(12.0 * DAYS_PER_MONTH),
            Some(Modifier::First(_)) => None,
            _ => return whole,
        };
        let mut most = Figure::assumed(1.0);
        for id in entities {
            let texts = written(design, *id, placeholder);
            let kept = days.and_then(|days| Some(self.entities.get(id)?.days_kept()? / days));
            let found = match kept {
                Some(periods) => Figure::stated(periods.ceil().max(1.0)),
                None if days.is_some() => Figure::assumed(distinct(&texts).max(1.0)),
                None => Figure::assumed(prefixes(&texts)),
            };
            if found.value >= most.value {
                most = found;
            }
        }
        match most.stated || most.value < whole.value {
            true => most,
            false => whole,
        }
    }

    /// Whether the design tells the number of values of an attribute of these entities: by its format, or because it
    /// identifies the items of an entity. Otherwise, the samples tell it.
    pub fn is_told(design: &Design, entities: &[EntityId], attribute: &str) -> bool {
        let mut own = entities.iter().filter_map(|id| design.entities.get(id));
        let format = own.find_map(|entity| entity.attribute(attribute)?.format.as_ref());
        matches!(format, Some(Format::OneOf(_) | Format::Constant(_)))
            || owner(design, attribute).is_some()
    }

    fn values_in(&self, design: &Design, id: EntityId, entity: &Entity, attribute: &str) -> Figure {
        let declared = entity.attribute(attribute);
        match declared.and_then(|declared| declared.format.as_ref()) {
            Some(Format::OneOf(choices)) => return Figure::stated(choices.len().max(1) as f64),
            Some(Format::Constant(_)) => return Figure::stated(1.0),
            _ => {}
        }
        if let Some(owner) = owner(design, attribute) {
            return self.items(owner);
        }
        self.values_of_samples(design, id, &[attribute])
    }

    /// The number of different combinations of values that these attributes have in a sample of an entity.
    fn values_of_samples(&self, design: &Design, id: EntityId, attributes: &[&str]) -> Figure {
        let samples = design.samples_of(id).iter().take(SAMPLES);
        let values = samples.filter_map(|sample| {
            let values = attributes.iter().map(|name| sample.values.get(name));
            let texts = values.map(|value| value.map(Value::to_text));
            texts.collect::<Option<Vec<String>>>()
        });
        let mut distinct: SortedSet<Vec<String>> = SortedSet::new();
        let mut count = 0;
        for value in values {
            distinct.insert(value);
            count += 1;
        }
        match distinct.len() {
            0 => Figure::assumed(1.0),
            // Every sample has another one: as many as items.
            many if many == count => self.items(id),
            many => Figure::assumed(many as f64),
        }
    }

    /// At most this many different combinations of values that several attributes of these entities have. `are_guessed`:
    /// the number of values of each is a guess from the samples.
    pub fn combinations(
        &self,
        design: &Design,
        entities: &[EntityId],
        attributes: &[&str],
        are_guessed: bool,
    ) -> f64 {
        let is_key = |entity: &Entity| {
            let names = key_attributes(entity);
            names.len() == attributes.len()
                && attributes
                    .iter()
                    .all(|name| names.iter().any(|own| own == name))
        };
        // One of these entities is its own owner.
        let own = entities
            .iter()
            .filter(|id| design.entities.get(id).is_some_and(|entity| is_key(entity)));
        let others = design.entities.iter().filter(|(_, entity)| is_key(entity));
        let owner = own.chain(others.map(|(id, _)| id)).next();
        if let Some(items) = owner.map(|id| self.items(*id))
            && (items.stated || are_guessed)
        {
            return items.value;
        }
        let most = entities.iter().map(|id| {
            let items = self.items(*id);
            match () {
                () if are_guessed => self.values_of_samples(design, *id, attributes).value,
                // An item has one combination.
                () if items.stated => items.value,
                () => f64::INFINITY,
            }
        });
        most.reduce(f64::max).unwrap_or(f64::INFINITY)
    }

    /// Items of an entity now, at least one.
    fn items(&self, entity: EntityId) -> Figure {
        let items = self.entities.get(&entity).map(|data| data.items);
        items.map_or(Figure::assumed(1.0), |items| Figure {
            value: items.value.max(1.0),
            ..items
        })
    }
}

/// The texts that a placeholder writes for the samples of an entity.
fn written(design: &Design, id: EntityId, placeholder: &Placeholder) -> Vec<String> {
    let samples = design.samples_of(id).iter().take(SAMPLES);
    let text = |value: &Value| {
        let mut text = value.to_text();
        for modifier in &placeholder.modifiers {
            let mut changed = String::new();
            modifier.write(&text, &mut changed).ok()?;
            text = changed;
        }
        Some(text)
    };
    let texts = samples.filter_map(|sample| text(sample.values.get(&placeholder.attribute)?));
    texts.collect()
}

fn distinct(texts: &[String]) -> f64 {
    texts.iter().collect::<SortedSet<_>>().len() as f64
}

/// The number of different prefixes: as many as the samples have, or, if each has another one, as many as texts with the
/// characters of the samples can have.
fn prefixes(texts: &[String]) -> f64 {
    let found = distinct(texts);
    if found < texts.len() as f64 {
        return found;
    }
    let is_any = |has: fn(&char) -> bool| texts.iter().any(|text| text.chars().any(|c| has(&c)));
    let is_hex = !is_any(|c| !c.is_ascii_hexdigit());
    let alphabet = match is_any(|c| !c.is_ascii_digit()) {
        false => 10.0,
        true if is_hex => 16.0,
        true if !is_any(char::is_ascii_uppercase) || !is_any(char::is_ascii_lowercase) => 36.0,
        true => 62.0,
    };
    let length = texts.iter().map(|text| text.chars().count()).max();
    f64::powi(alphabet, length.unwrap_or(0) as i32)
}

/// The entity that an attribute identifies: the one with the fewest attributes in its primary key, this one last.
fn owner(design: &Design, attribute: &str) -> Option<EntityId> {
    let mut best: Option<(usize, EntityId)> = None;
    for (id, entity) in &design.entities {
        let names = key_attributes(entity);
        let is_last = names.last().is_some_and(|name| name == attribute);
        if is_last && best.is_none_or(|(count, _)| names.len() < count) {
            best = Some((names.len(), *id));
        }
    }
    best.map(|(_, id)| id)
}

/// The attributes in the primary key of an entity, each once, in order.
pub(crate) fn key_attributes(entity: &Entity) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let entry = entity.keys.get(&IndexId::PRIMARY);
    let texts = entry.map(|entry| [&entry.partition, &entry.sort]);
    for text in texts.into_iter().flatten().flatten() {
        for name in template::parse(text).template.attributes() {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

//! What a request of an access pattern costs on average: the request of its proof on the samples, with the stated sizes,
//! numbers of items and shares of puts.

use super::{Units, add, single};
use crate::assume::{Assumptions, Entries, Figure, PatternTraffic};
use keyfold_core::engine::always_rejected::always_rejected;
use keyfold_core::engine::query::{
    Change, Rejection, TRANSACTION_FACTOR, TableSnapshot, Write, write_units,
};
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, EntityId, IndexId, SortedMap, Value, item_size,
};
use keyfold_core::proof::{Binding, Request, bind, request};
use keyfold_core::template;
use serde::Serialize;

/// What a request of an access pattern costs on average.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PatternUnits {
    /// Units of a request.
    pub units: Units,
    /// The items that a request reads, before the filter; 0 for writes.
    pub items: Figure,
    /// The first attribute whose number of values is a guess from the samples, if `items` depends on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guessed: Option<String>,
    /// The write units of each write action, in order; empty for reads.
    #[serde(skip)]
    pub actions: Vec<ActionUnits>,
}

impl PatternUnits {
    pub(super) fn of_read(units: Units, items: Figure) -> PatternUnits {
        PatternUnits {
            units,
            items,
            guessed: None,
            actions: Vec::new(),
        }
    }
}

/// The write units of one action of a request, in the Region of the request.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionUnits {
    /// The entity whose item it writes; `None` if that is not known.
    pub entity: Option<EntityId>,
    /// The units in the table and each index.
    pub write: SortedMap<IndexId, f64>,
}

/// The units of a request of an access pattern of a design, which has the keys and the samples of `stored`, with the values
/// that its proof uses. A write changes the attributes that
/// it sets, and its condition holds except for the share of failed writes. A put that replaces an item by one with
/// other values keeps the keys of its entries: a pattern that moves entries is an UpdateItem.
///
/// # Errors
///
/// Why the access pattern has no request.
pub fn of_pattern(
    stored: &TableSnapshot,
    empty: &TableSnapshot,
    design: &Design,
    id: AccessPatternId,
    assumptions: &Assumptions,
) -> Result<PatternUnits, String> {
    let gone = || "it no longer exists".to_owned();
    let pattern = design.access_patterns.get(&id).ok_or_else(gone)?;
    let traffic = assumptions.patterns.get(&id).ok_or_else(gone)?;
    if let Some(reason) = always_rejected(design, &pattern.operation) {
        return Err(format!("DynamoDB rejects the request: {reason}"));
    }
    let binding = bind(design, pattern);
    let built = request(design, pattern, &binding).map_err(|reason| reason.to_string())?;
    let average = Average {
        stored,
        empty,
        design,
        id,
        pattern,
        traffic,
        assumptions,
    };
    let found = match &built {
        Request::Query(query) => average.query(query),
        Request::Scan(scan) => average.scan(scan),
        Request::Write(_) | Request::TransactWrite(_) => {
            let varied = request(design, pattern, &varied(&binding));
            // Values of other samples may not fit together.
            let varied = varied.ok().and_then(|varied| average.write(&varied).ok());
            varied.map_or_else(|| average.write(&built), Ok)
        }
        keyed => average.by_keys(keyed),
    };
    found.map_err(|rejection| rejection.to_string())
}

/// The binding with other values for what an update sets: it changes something, even where all samples have one value.
fn varied(binding: &Binding) -> Binding {
    let mut varied = binding.clone();
    for name in &binding.unchanged {
        if let Some(value) = varied.values.get_mut(name) {
            *value = another(value);
        }
    }
    varied
}

/// Another value of the same type and about the same size; the same for lists, maps, sets and null.
fn another(value: &Value) -> Value {
    match value {
        Value::S(text) => Value::S(another_text(text)),
        Value::N(number) => {
            let text = another_text(&number.to_string());
            Value::N(text.parse().unwrap_or_default())
        }
        Value::Bool(is) => Value::Bool(!is),
        Value::B(bytes) => Value::B(bytes.iter().map(|byte| byte ^ 1).collect()),
        other => other.clone(),
    }
}

/// Another text with as many letters. A date or time stays one: its last digit changes.
fn another_text(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let last = letters.iter().rposition(char::is_ascii_digit);
    let Some(at) = last.or(letters.len().checked_sub(1)) else {
        return "0".to_owned();
    };
    let is_after_zero = at > 0 && letters[at - 1] == '0';
    letters[at] = match letters[at].to_digit(10) {
        Some(0) => '1',
        Some(1) if is_after_zero => '2',
        Some(digit) => char::from_digit(digit - 1, 10).unwrap_or('0'),
        None if letters[at] == 'x' => 'y',
        None => 'x',
    };
    letters.into_iter().collect()
}

pub(super) struct Average<'a> {
    pub stored: &'a TableSnapshot,
    empty: &'a TableSnapshot,
    pub design: &'a Design,
    pub id: AccessPatternId,
    pub pattern: &'a AccessPattern,
    pub traffic: &'a PatternTraffic,
    pub assumptions: &'a Assumptions,
}

impl Average<'_> {
    /// The stated size of an entity's entries in an index, in bytes; `None` if the samples tell it.
    pub(super) fn stated_bytes(&self, index: IndexId, entity: EntityId) -> Option<usize> {
        let data = self.assumptions.entities.get(&entity)?;
        let content = self.stored.content(index)?;
        (data.bytes.stated && content.shows_all()).then_some(data.bytes.value as usize)
    }

    fn write(&self, request: &Request) -> Result<PatternUnits, Rejection> {
        let (writes, factor) = match request {
            Request::Write(write) => (std::slice::from_ref(write), 1.0),
            Request::TransactWrite(writes) => (&writes[..], TRANSACTION_FACTOR),
            _ => (&[][..], 1.0),
        };
        let mut units = Units::default();
        let mut table = 0.0;
        let mut actions = Vec::new();
        // A failed condition costs the units of the table and changes nothing.
        let done = 1.0 - self.traffic.failed.value;
        for (write, action) in writes.iter().zip(self.pattern.operation.actions()) {
            // A put is measured as the creation of its item.
            let is_put = matches!(write, Write::Put { .. });
            let change = single(if is_put { self.empty } else { self.stored }, write)?;
            let entity = match write {
                Write::Update { entity, .. } => *entity,
                _ => None,
            };
            let entity = (action.put())
                .or(change.before.as_ref().map(|item| item.entity))
                .or(entity);
            let is_check = matches!(write, Write::Check { .. });
            let put = entity.filter(|_| is_put);
            let optional = put.map_or_else(Vec::new, |entity| self.optional(entity));
            let mut written = SortedMap::new();
            for entry in &change.entries {
                let index = entry.index;
                let sizes = [&entry.before, &entry.after];
                let sizes = sizes.map(|side| side.as_ref().map_or(0, item_size));
                let stated = entity.and_then(|entity| self.stated_bytes(index, entity));
                let own = match stated {
                    Some(bytes) if entry.units > 0.0 => {
                        let sampled = write_units(sizes[0].max(sizes[1]));
                        entry.units / sampled * write_units(bytes)
                    }
                    _ => entry.units,
                };
                if index.is_primary() {
                    table += factor * own;
                    add(&mut units.write, index, factor * own);
                    add(&mut written, index, factor * own);
                    if !is_check {
                        add(&mut units.replicated, index, own);
                    }
                    continue;
                }
                if is_check || optional.iter().any(|(other, _)| *other == index) {
                    continue;
                }
                let share = if is_put {
                    self.puts(&change, index)
                } else {
                    1.0
                };
                add(&mut units.write, index, share * own);
                add(&mut units.replicated, index, share * own);
                add(&mut written, index, done * share * own);
            }
            // The sample of the put need not be like most items.
            for (index, entries) in optional {
                let share = entries.share * self.puts(&change, index);
                let own = share * write_units(entries.bytes.ceil() as usize);
                add(&mut units.write, index, own);
                add(&mut units.replicated, index, own);
                add(&mut written, index, done * own);
            }
            actions.push(ActionUnits {
                entity,
                write: written,
            });
        }
        let mut all = Units::default();
        all.add(&units, done);
        add(&mut all.write, IndexId::PRIMARY, (1.0 - done) * table);
        Ok(PatternUnits {
            units: all,
            items: Figure::assumed(0.0),
            guessed: None,
            actions,
        })
    }

    /// The entries of an entity in the indexes that have only some of its items, because optional attributes are in their
    /// keys. None where a chosen sample, a typed value or a condition of the entity says whether an item to put is there.
    fn optional(&self, entity: EntityId) -> Vec<(IndexId, &Entries)> {
        let own = self.stored.design().entities.get(&entity);
        let data = self.assumptions.entities.get(&entity);
        let (Some(own), Some(data), None) = (own, data, self.pattern.sample) else {
            return Vec::new();
        };
        let typed = &self.pattern.parameters;
        let is_typed = |text: &String| {
            let template = template::parse(text).template;
            typed.keys().any(|name| template.uses(name))
        };
        let is_optional = |index: &IndexId, entries: &Entries| {
            let key = own.keys.get(index);
            !index.is_primary()
                && (entries.share > 0.0 && entries.share < 1.0)
                && key.is_none_or(|key| {
                    key.when.is_empty() && !key.partition.iter().chain(&key.sort).any(is_typed)
                })
        };
        let all = data.entries.iter();
        all.filter(|(index, entries)| is_optional(index, entries))
            .map(|(index, entries)| (*index, entries))
            .collect()
    }

    /// The share of puts that write an entry of an index.
    fn puts(&self, created: &Change, index: IndexId) -> f64 {
        let traffic = self.traffic;
        let content = self.stored.content(index);
        let type_attribute = self.stored.design().table.type_attribute.as_ref();
        let entry = created.entries.iter().find(|entry| entry.index == index);
        let entry = entry.and_then(|entry| entry.after.as_ref());
        // Other values show in an entry that has more than keys.
        let has_values = content.zip(entry).is_none_or(|(content, entry)| {
            let is_fixed = |name| content.keys().contains(name) || type_attribute == Some(name);
            entry.keys().any(|name| !is_fixed(name))
        });
        let updates = if has_values {
            traffic.updates.value
        } else {
            0.0
        };
        traffic.creates.value + updates + traffic.deletes.value
    }
}

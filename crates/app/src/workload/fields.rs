//! The fields of forms: which an access pattern has, their texts, and what typed text makes of them.

use super::figures;
use crate::{Command, Refused, WorkloadEdit};
use keyfold_core::engine::operation_parts::value_names;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, EntityId, Operation, PutShares, Skew, Traffic, Volume,
    WriteAction,
};
use keyfold_core::template;
use std::sync::Arc;

/// A field of the traffic of an access pattern. The peak rate is a field of the access pattern itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrafficField {
    /// The average rate.
    Average,
    /// The share of the puts that create an item, in percent.
    Creates,
    /// The share of the puts that change one.
    Updates,
    /// The share of deletes.
    Deletes,
    /// The items that a Query or Scan reads.
    Items,
    /// The share of the writes whose condition fails.
    Failed,
    /// How the requests fall on the values of a parameter.
    Skew(String),
}

impl TrafficField {
    /// The label of the field.
    pub fn label(&self) -> String {
        match self {
            TrafficField::Average => "Average rate".into(),
            TrafficField::Creates => "Creates, %".into(),
            TrafficField::Updates => "Updates, %".into(),
            TrafficField::Deletes => "Deletes, %".into(),
            TrafficField::Items => "Items read".into(),
            TrafficField::Failed => "Failed writes, %".into(),
            TrafficField::Skew(name) => format!("Skew of {name}"),
        }
    }

    /// What undo calls the field.
    fn name(&self) -> String {
        match self {
            TrafficField::Average => "average rate".into(),
            TrafficField::Creates | TrafficField::Updates | TrafficField::Deletes => {
                "shares of the puts".into()
            }
            TrafficField::Items => "items read".into(),
            TrafficField::Failed => "failed writes".into(),
            TrafficField::Skew(name) => format!("skew of {name}"),
        }
    }

    /// What is assumed while the field is empty, in words.
    pub fn assumed(&self) -> &'static str {
        match self {
            TrafficField::Average => "from the peak rate",
            TrafficField::Creates => "100",
            TrafficField::Updates | TrafficField::Deletes | TrafficField::Failed => "0",
            TrafficField::Items => "from items and samples",
            TrafficField::Skew(_) => "even or weighted",
        }
    }

    /// The text of the field; empty if it states nothing.
    pub fn read(&self, traffic: &Traffic) -> String {
        let share = |share: fn(&PutShares) -> f64| {
            let share = traffic.puts.as_ref().map(share);
            share.map(|share| share.to_string())
        };
        let text = match self {
            TrafficField::Average => traffic.average.map(figures::rate_text),
            TrafficField::Creates => share(|puts| puts.creates),
            TrafficField::Updates => share(|puts| puts.updates),
            TrafficField::Deletes => share(|puts| puts.deletes),
            TrafficField::Items => traffic.items.map(|items| items.to_string()),
            TrafficField::Failed => traffic.failed.map(|failed| failed.to_string()),
            TrafficField::Skew(name) => traffic.parameters.get(name).map(Skew::to_string),
        };
        text.unwrap_or_default()
    }

    /// The shares of the puts with a typed share, or without it. Creates that are all but the updates and deletes stay so
    /// if those change. `None` if every put creates its item, and no share is stated.
    fn shared(&self, before: Option<PutShares>, typed: Option<f64>) -> Option<PutShares> {
        let mut puts = before.unwrap_or(PutShares {
            creates: 100.0,
            updates: 0.0,
            deletes: 0.0,
        });
        let rest = |puts: &PutShares| (100.0 - puts.updates - puts.deletes).max(0.0);
        let is_rest = puts.creates == rest(&puts);
        match self {
            TrafficField::Updates => puts.updates = typed.unwrap_or(0.0),
            TrafficField::Deletes => puts.deletes = typed.unwrap_or(0.0),
            _ => {}
        }
        match (self, typed) {
            (TrafficField::Creates, Some(creates)) => puts.creates = creates,
            (TrafficField::Creates, None) => puts.creates = rest(&puts),
            _ if is_rest => puts.creates = rest(&puts),
            _ => {}
        }
        (typed.is_some() || puts.creates < 100.0).then_some(puts)
    }

    /// Sets the field from typed text; an empty one states nothing, and empty creates are all puts but the updates and the
    /// deletes. The sum of the shares is not checked.
    ///
    /// # Errors
    ///
    /// What to enter instead; the traffic is then unchanged.
    pub fn write(&self, traffic: &mut Traffic, typed: &str) -> Result<(), Refused> {
        match self {
            TrafficField::Average => traffic.average = optional(typed, figures::rate)?,
            TrafficField::Creates | TrafficField::Updates | TrafficField::Deletes => {
                let share = optional(typed, figures::percent)?;
                traffic.puts = self.shared(traffic.puts, share);
            }
            TrafficField::Items => traffic.items = optional(typed, figures::number)?,
            TrafficField::Failed => traffic.failed = optional(typed, figures::percent)?,
            TrafficField::Skew(name) => match optional(typed, figures::skew)? {
                Some(skew) => drop(traffic.parameters.insert(name.clone(), skew)),
                None => drop(traffic.parameters.remove(name)),
            },
        }
        Ok(())
    }

    /// The command that sets the field of an access pattern from typed text.
    ///
    /// # Errors
    ///
    /// What to enter instead.
    pub fn typed(
        &self,
        design: &Design,
        id: AccessPatternId,
        typed: &str,
    ) -> Result<Command, Refused> {
        let mut traffic = design
            .workload
            .patterns
            .get(&id)
            .cloned()
            .unwrap_or_default();
        self.write(&mut traffic, typed)?;
        Ok(Command::Workload(WorkloadEdit::Traffic {
            id,
            traffic: Box::new(traffic),
            field: self.name(),
        }))
    }
}

/// A field of the volume of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VolumeField {
    /// Items now.
    Items,
    /// Items added per month.
    Growth,
    /// Days until Time to Live deletes an item.
    Retention,
    /// Average size of an item, in bytes.
    Bytes,
}

impl VolumeField {
    /// All fields, in the order of the form.
    pub const ALL: [VolumeField; 4] = [
        VolumeField::Items,
        VolumeField::Growth,
        VolumeField::Retention,
        VolumeField::Bytes,
    ];

    /// The label of the field.
    pub fn label(self) -> &'static str {
        match self {
            VolumeField::Items => "Items now",
            VolumeField::Growth => "Growth per month",
            VolumeField::Retention => "Retention in days",
            VolumeField::Bytes => "Item size in bytes",
        }
    }

    /// What undo calls the field.
    fn name(self) -> &'static str {
        match self {
            VolumeField::Items => "number of items",
            VolumeField::Growth => "growth",
            VolumeField::Retention => "retention",
            VolumeField::Bytes => "item size",
        }
    }

    /// What is assumed while the field is empty, in words.
    pub fn assumed(self) -> &'static str {
        match self {
            VolumeField::Items => "number of samples",
            VolumeField::Growth => "puts less deletes",
            VolumeField::Retention => "kept forever",
            VolumeField::Bytes => "from the samples",
        }
    }

    /// The text of the field; empty if it states nothing.
    pub fn read(self, volume: &Volume) -> String {
        let figure = match self {
            VolumeField::Items => volume.items,
            VolumeField::Growth => volume.growth,
            VolumeField::Retention => volume.retention,
            VolumeField::Bytes => volume.bytes,
        };
        figure.map_or(String::new(), |figure| figure.to_string())
    }

    /// Sets the field from typed text; an empty one states nothing.
    ///
    /// # Errors
    ///
    /// What to enter instead; the volume is then unchanged.
    pub fn write(self, volume: &mut Volume, typed: &str) -> Result<(), Refused> {
        match self {
            VolumeField::Items => volume.items = optional(typed, figures::number)?,
            VolumeField::Growth => volume.growth = optional(typed, figures::any_number)?,
            VolumeField::Retention => volume.retention = optional(typed, figures::number)?,
            VolumeField::Bytes => volume.bytes = optional(typed, figures::bytes)?,
        }
        Ok(())
    }

    /// The command that sets the field of an entity from typed text.
    ///
    /// # Errors
    ///
    /// What to enter instead.
    pub fn typed(self, design: &Design, id: EntityId, typed: &str) -> Result<Command, Refused> {
        let mut volume = design
            .workload
            .entities
            .get(&id)
            .copied()
            .unwrap_or_default();
        self.write(&mut volume, typed)?;
        Ok(Command::Workload(WorkloadEdit::Volume {
            id,
            volume,
            field: self.name(),
        }))
    }
}

/// Reads a figure; `None` for an empty text.
fn optional<T>(typed: &str, read: fn(&str) -> Result<T, Refused>) -> Result<Option<T>, Refused> {
    match typed.trim().is_empty() {
        true => Ok(None),
        false => read(typed).map(Some),
    }
}

/// The fields of an access pattern's traffic: those that its operation has, and those that state something.
pub fn fields_of(
    design: &Design,
    id: AccessPatternId,
    pattern: &AccessPattern,
) -> Vec<TrafficField> {
    let operation = &pattern.operation;
    let actions = operation.actions();
    let traffic = design.workload.patterns.get(&id);
    let mut fields = vec![TrafficField::Average];
    let puts = actions.iter().any(|action| action.put().is_some());
    if puts || traffic.is_some_and(|traffic| traffic.puts.is_some()) {
        fields.extend([
            TrafficField::Creates,
            TrafficField::Updates,
            TrafficField::Deletes,
        ]);
    }
    let is_list = matches!(operation, Operation::Query { .. } | Operation::Scan { .. });
    if is_list || traffic.is_some_and(|traffic| traffic.items.is_some()) {
        fields.push(TrafficField::Items);
    }
    let has_condition = actions.iter().any(|action| action.condition().is_some());
    if has_condition || traffic.is_some_and(|traffic| traffic.failed.is_some()) {
        fields.push(TrafficField::Failed);
    }
    let mut names = skewed_names(design, operation);
    for name in traffic
        .into_iter()
        .flat_map(|traffic| traffic.parameters.keys())
    {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    fields.extend(names.into_iter().map(TrafficField::Skew));
    fields
}

/// The parameters that decide which partition key a request is about, in the order of their use.
fn skewed_names(design: &Design, operation: &Operation) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    let mut templates: Vec<&str> = operation.keys().iter().map(|key| &*key.partition).collect();
    if let Operation::Query { partition, .. } = operation {
        templates.extend(partition.iter().map(String::as_str));
    }
    let put = operation.actions().iter().filter_map(WriteAction::put);
    let put: Vec<_> = put.filter_map(|id| design.entities.get(&id)).collect();
    for entity in put.iter().copied().map(Arc::as_ref) {
        let entries = entity.keys.values();
        templates.extend(entries.filter_map(|entry| entry.partition.as_deref()));
    }
    for text in templates {
        let parsed = template::parse(text).template;
        parsed.attributes().for_each(&mut add);
    }
    // Key attributes without a template.
    for entity in put {
        for index in entity.keys.keys() {
            for key in design
                .key(*index)
                .into_iter()
                .flat_map(|key| &key.partition)
            {
                if entity.attribute(&key.name).is_some() {
                    add(&key.name);
                }
            }
        }
    }
    let known = value_names(design, operation);
    names.retain(|name| known.contains(name));
    names
}

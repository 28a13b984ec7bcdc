//! A new attribute name in the access patterns. A pattern names attributes in two ways: as parameters, which its
//! sample's attributes fill, and in expressions and projections, where the items that it is about have them.

use super::super::refused::Refused;
use super::super::workload;
use super::attribute::rename_in_template;
use super::expression::{self, Names};
use crate::parameter_owner::{concerned, has, owns_parameter, with_key};
use keyfold_core::model::{
    AccessPattern, Design, EntityId, ItemKey, Operation, Read, Value, WriteAction,
};
use std::sync::Arc;

/// Carries the new name into the access patterns that mean this entity's attribute. Called before the entity itself
/// has the new name.
pub(super) fn rename(
    design: &mut Design,
    id: EntityId,
    old: &str,
    new: &str,
) -> Result<(), Refused> {
    let before = design.clone();
    let mut owners = Vec::new();
    for (pattern_id, pattern) in design.access_patterns.iter_mut() {
        let mut renaming = Renaming {
            design: &before,
            entity: id,
            old,
            new,
            concerned: concerned(&before, pattern),
            parameter: false,
            had_old: false,
            had_new: false,
        };
        renaming.parameter = owns_parameter(&before, id, old, pattern);
        let mut next = AccessPattern::clone(pattern);
        renaming.typed_in(&mut next);
        let refuse = |reason: &str| unusable(&pattern.name, reason);
        (renaming.pattern(&mut next)).map_err(|Refused(reason)| refuse(&reason))?;
        if renaming.parameter && renaming.had_old && renaming.had_new {
            return Err(refuse(&format!("it already has a parameter `{new}`")));
        }
        if renaming.parameter {
            owners.push(*pattern_id);
        }
        if next != **pattern {
            *pattern = Arc::new(next);
        }
    }
    workload::rename_parameter(design, &owners, old, new);
    Ok(())
}

/// Why a new name is refused that an access pattern cannot use.
pub(super) fn unusable(pattern: &str, reason: &str) -> Refused {
    Refused(format!(
        "the access pattern `{pattern}` cannot use the new name: {reason}"
    ))
}

/// What a parameter stands for: what is typed in, else the sample's value.
fn value(design: &Design, pattern: &AccessPattern, name: &str) -> Option<Value> {
    if let Some(value) = pattern.parameters.get(name) {
        return Some(value.clone());
    }
    let sample = pattern.sample?;
    let mut all = design.samples.values().flat_map(|samples| samples.iter());
    let sample = all.find(|other| other.id == sample)?;
    sample.values.get(name).cloned()
}

/// Whether the pattern puts an item of one of these entities, with an attribute of this name.
fn puts(
    design: &Design,
    pattern: &AccessPattern,
    name: &str,
    wanted: &dyn Fn(EntityId) -> bool,
) -> bool {
    let mut put = pattern
        .operation
        .actions()
        .iter()
        .filter_map(WriteAction::put);
    put.any(|entity| wanted(entity) && has(design, entity, name))
}

struct Renaming<'a> {
    /// The design before.
    design: &'a Design,
    entity: EntityId,
    old: &'a str,
    new: &'a str,
    concerned: Vec<EntityId>,
    /// Whether the parameter of the old name is the entity's.
    parameter: bool,
    /// Whether the pattern has a parameter of the old name, and of the new one.
    had_old: bool,
    had_new: bool,
}

impl Renaming<'_> {
    /// The parameters that are typed in. An item that the pattern puts takes its attributes from the parameters of the
    /// same names: a put that would lose one through the renaming gets it typed in, and a typed in one that has become
    /// needless, because the parameter has the same value, goes.
    fn typed_in(&mut self, pattern: &mut AccessPattern) {
        let (old, new) = (self.old, self.new);
        let (old_value, new_value) = (
            value(self.design, pattern, old),
            value(self.design, pattern, new),
        );
        let own = puts(self.design, pattern, old, &|entity| entity == self.entity);
        let others = puts(self.design, pattern, old, &|entity| entity != self.entity);
        if !self.parameter {
            if let (true, Some(value), None) = (own, old_value, new_value) {
                pattern.parameters.insert(new.to_owned(), value);
            }
            return;
        }
        let same = old_value == new_value;
        match pattern.parameters.remove(old) {
            // The sample has the value under the new name.
            None if same => drop(pattern.parameters.remove(new)),
            Some(value) if !same => {
                self.had_old = true;
                self.had_new = pattern.parameters.contains_key(new);
                pattern.parameters.insert(new.to_owned(), value);
            }
            _ => self.had_new = !same && pattern.parameters.contains_key(new),
        }
        if let (true, Some(value)) = (others, old_value) {
            pattern.parameters.insert(old.to_owned(), value);
        }
    }

    /// Whether the old name, in a place about these entities, is the attribute that is renamed and nothing else.
    fn means(&self, about: &[EntityId]) -> bool {
        let others = |id: &EntityId| *id != self.entity && has(self.design, *id, self.old);
        about.contains(&self.entity) && !about.iter().any(others)
    }

    /// The entities that can have this key: those with these very templates, else all that the pattern is about.
    fn about(&self, key: &ItemKey) -> Vec<EntityId> {
        let exact = with_key(self.design, key);
        match exact.is_empty() {
            true => self.concerned.clone(),
            false => exact,
        }
    }

    fn pattern(&mut self, pattern: &mut AccessPattern) -> Result<(), Refused> {
        match &mut pattern.operation {
            Operation::GetItem { key, read } => {
                let about = self.about(key);
                self.key(key)?;
                self.read(read, &about)
            }
            Operation::Query {
                partition,
                sort,
                read,
                ..
            } => {
                for text in partition {
                    self.template(text)?;
                }
                for condition in sort {
                    self.template(&mut condition.value)?;
                    if let Some(upper) = &mut condition.upper {
                        self.template(upper)?;
                    }
                }
                let about = self.concerned.clone();
                self.read(read, &about)
            }
            Operation::Scan { read, .. } => {
                let about = self.concerned.clone();
                self.read(read, &about)
            }
            Operation::BatchGetItem { keys, read } => {
                for key in keys {
                    self.key(key)?;
                }
                let about = self.concerned.clone();
                self.read(read, &about)
            }
            Operation::TransactGetItems { keys } => {
                keys.iter_mut().try_for_each(|key| self.key(key))
            }
            Operation::TransactWriteItems { actions } => {
                (actions.iter_mut()).try_for_each(|action| self.action(action))
            }
            Operation::Write(action) => self.action(action),
        }
    }

    fn action(&mut self, action: &mut WriteAction) -> Result<(), Refused> {
        match action {
            WriteAction::PutItem { entity, condition } => {
                let about = [*entity];
                self.condition(condition, &about)
            }
            WriteAction::UpdateItem {
                key,
                update,
                condition,
            } => {
                let about = self.about(key);
                self.key(key)?;
                self.expression(update, &about)?;
                self.condition(condition, &about)
            }
            WriteAction::DeleteItem { key, condition } => {
                let about = self.about(key);
                self.key(key)?;
                self.condition(condition, &about)
            }
            WriteAction::ConditionCheck { key, condition } => {
                let about = self.about(key);
                self.key(key)?;
                self.expression(condition, &about)
            }
        }
    }

    fn key(&mut self, key: &mut ItemKey) -> Result<(), Refused> {
        self.template(&mut key.partition)?;
        key.sort.as_mut().map_or(Ok(()), |sort| self.template(sort))
    }

    fn template(&mut self, text: &mut String) -> Result<(), Refused> {
        let parsed = keyfold_core::template::parse(text).template;
        self.had_new |= parsed.attributes().any(|name| name == self.new);
        self.had_old |= parsed.attributes().any(|name| name == self.old);
        match self.parameter {
            true => rename_in_template(text, self.old, self.new),
            false => Ok(()),
        }
    }

    fn read(&mut self, read: &mut Read, about: &[EntityId]) -> Result<(), Refused> {
        self.condition(&mut read.filter, about)?;
        if !about.contains(&self.entity) {
            return Ok(());
        }
        let renamed = expression::rename_paths(&read.projection, self.old, self.new);
        let renamed = renamed.map_err(Refused)?;
        if self.means(about) {
            read.projection = renamed;
            return Ok(());
        }
        // Another of the entities still has the old name.
        for path in renamed {
            if !read.projection.contains(&path) {
                read.projection.push(path);
            }
        }
        Ok(())
    }

    fn condition(
        &mut self,
        condition: &mut Option<String>,
        about: &[EntityId],
    ) -> Result<(), Refused> {
        (condition.as_mut()).map_or(Ok(()), |text| self.expression(text, about))
    }

    fn expression(&mut self, text: &mut String, about: &[EntityId]) -> Result<(), Refused> {
        let names = Names {
            old: self.old,
            new: self.new,
            attribute: self.means(about),
            parameter: self.parameter,
        };
        let renamed = expression::rename(text, names).map_err(Refused)?;
        self.had_old |= renamed.had_old_parameter;
        self.had_new |= renamed.had_new_parameter;
        *text = renamed.text;
        Ok(())
    }
}

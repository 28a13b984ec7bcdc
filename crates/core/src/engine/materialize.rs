//! Turns samples into items: renders the keys and finds what DynamoDB would refuse.

use super::plan::{EntityPlan, EntryPlan, KeyPlan, WritePlan};
use super::problem::{Problem, ProblemKind};
use super::written::ValueRef;
use crate::model::{AttributeType, IndexId, Sample, Value, by_rank, limits};
use crate::template::{RenderError, render_value};
use std::sync::Arc;

/// An item under construction, with its problems.
pub(super) struct Draft<'a> {
    plan: &'a EntityPlan,
    sample: &'a Arc<Sample>,
    written: Vec<Option<Value>>,
    /// Size in bytes of the sample's attributes that written values replace.
    replaced: usize,
    problems: Vec<Problem>,
}

impl Draft<'_> {
    /// The values that the plan writes for a sample, and the problems of its item.
    pub fn of(plan: &EntityPlan, sample: &Arc<Sample>) -> (Vec<Option<Value>>, Vec<Problem>) {
        let mut draft = Draft {
            plan,
            sample,
            written: vec![None; plan.names.len()],
            replaced: 0,
            problems: Vec::new(),
        };
        draft.write_type();
        for entry in &plan.entries {
            draft.write_entry(entry);
        }
        for key in &plan.keys {
            draft.check_key(key);
        }
        draft.check_types();
        draft.check_allowed();
        draft.check_size();
        let problems = by_rank(draft.problems, |problem| {
            // What is wrong with the item as a whole comes last.
            let part = problem.part.map_or(2, |part| part as u32);
            [problem.index.0, part, 0, 0]
        });
        (draft.written, problems)
    }

    fn write_type(&mut self) {
        if let Some((slot, value)) = &self.plan.type_attribute {
            let name = &self.plan.names[*slot];
            let sampled = self.plan.stored(self.sample, name);
            self.replaced += sampled.map_or(0, |sampled| name.len() + sampled.size());
            if let Some(other) = sampled
                && other != value
            {
                self.problems.push(Problem {
                    kind: ProblemKind::Replaced,
                    index: IndexId::PRIMARY,
                    part: None,
                    attribute: name.clone(),
                    template: None,
                    message: format!(
                        "the table's type attribute is `{}` and replaces the sample's `{}`",
                        value.to_text(),
                        other.to_text()
                    ),
                });
            }
            self.written[*slot] = Some(value.clone());
        }
    }

    /// Writes the key attributes of one entry, all or none.
    fn write_entry(&mut self, entry: &EntryPlan) {
        let holds = (entry.when.iter()).all(|condition| {
            condition.holds(self.plan.lookup_stored(self.sample, &condition.attribute))
        });
        if !holds {
            return;
        }
        // A key with templates has one partition key attribute and at most one sort key attribute.
        let mut rendered = [None, None];
        let mut failed = Vec::new();
        for (write, rendered) in entry.writes.iter().zip(&mut rendered) {
            match self.render(write) {
                Ok(value) => *rendered = Some(value),
                // An item that lacks a value is not in the index: sparse index.
                Err(error) if error.is_absent() && !entry.index.is_primary() => return,
                Err(error) => failed.push(self.plan.problem(entry.index, write, &error)),
            }
        }
        // The key of a secondary index is written completely or not at all; of a primary key, show what there is.
        if failed.is_empty() || entry.index.is_primary() {
            for (write, value) in entry.writes.iter().zip(rendered) {
                if let Some(value) = value {
                    self.write(entry.index, write, value);
                }
            }
        }
        self.problems.append(&mut failed);
    }

    fn render(&self, write: &WritePlan) -> Result<Value, RenderError> {
        let lookup = |name: &str| self.plan.lookup(self.sample, name);
        let (template, policy) = (&write.parsed.template, &self.plan.policy);
        // The length is checked with the type, whether a template or the sample supplies the value.
        render_value(template, write.kind.into(), policy, &lookup, usize::MAX)
    }

    fn write(&mut self, index: IndexId, write: &WritePlan, value: Value) {
        let name = &self.plan.names[write.slot];
        let (kind, other) = if let Some(other) = &self.written[write.slot] {
            (ProblemKind::Conflict, other)
        } else if let Some(other) = self.plan.stored(self.sample, name) {
            self.replaced += name.len() + other.size();
            (ProblemKind::Replaced, other)
        } else {
            self.written[write.slot] = Some(value);
            return;
        };
        if *other != value {
            let (value, other) = (value.to_text(), other.to_text());
            self.problems.push(Problem {
                kind,
                index,
                part: Some(write.part),
                attribute: name.clone(),
                template: Some(write.text.clone()),
                message: match kind {
                    ProblemKind::Conflict => {
                        format!("it renders `{value}`, but another key sets `{name}` to `{other}`")
                    }
                    _ => format!("it renders `{value}`, which replaces the sample's `{other}`"),
                },
            });
        }
        if kind == ProblemKind::Replaced {
            self.written[write.slot] = Some(value);
        }
    }

    /// Checks a key attribute as DynamoDB does on a put, whether a template or the sample supplies it.
    fn check_key(&mut self, key: &KeyPlan) {
        let value = (key.slot)
            .and_then(|slot| self.written[slot].as_ref())
            .or_else(|| self.plan.stored(self.sample, &key.name));
        let wanted = AttributeType::from(key.kind);
        let (kind, message) = match value {
            None if !key.index.is_primary() => return,
            // The template's own problem is more specific.
            None if self.is_reported(key) => return,
            None => (
                ProblemKind::Missing,
                "every item needs it: add a template to the entity, or a value to the sample"
                    .to_owned(),
            ),
            Some(value) if value.kind() != wanted => (
                ProblemKind::WrongType,
                format!(
                    "the key is of type {wanted}, but the value is of type {}",
                    value.kind()
                ),
            ),
            Some(value) => match value.size() {
                0 => (
                    ProblemKind::Empty,
                    "a key attribute must not be empty".to_owned(),
                ),
                bytes if bytes > key.max_bytes => (
                    ProblemKind::TooLong,
                    format!(
                        "the value has {bytes} bytes; DynamoDB allows at most {} in a {}",
                        key.max_bytes,
                        key.part.label()
                    ),
                ),
                _ => return,
            },
        };
        let by_template = key.slot.is_some_and(|slot| self.written[slot].is_some());
        let template = by_template.then(|| self.plan.template_of(key)).flatten();
        self.problems.push(Problem {
            kind,
            index: key.index,
            part: Some(key.part),
            attribute: key.name.clone(),
            template: template.map(str::to_owned),
            message,
        });
    }

    /// Compares the sample's values with the types that the entity declares. NULL matches any type.
    fn check_types(&mut self) {
        for (name, wanted) in &self.plan.types {
            let found = self.sample.values.get(name).map(Value::kind);
            let Some(found) = found.filter(|kind| kind != wanted && *kind != AttributeType::Null)
            else {
                continue;
            };
            self.problems.push(Problem {
                kind: ProblemKind::OtherType,
                index: IndexId::PRIMARY,
                part: None,
                attribute: name.clone(),
                template: None,
                message: format!(
                    "the attribute is of type {wanted}, but this value is of type {found}"
                ),
            });
        }
    }

    /// Finds sets without elements and attributes without a name.
    fn check_allowed(&mut self) {
        let stored = self.sample.values.iter();
        let stored = stored.filter(|(name, _)| !self.plan.is_key_only(name));
        let mut refused = Vec::new();
        for (name, value) in stored {
            let message = match (name.is_empty(), has_empty_set(value)) {
                (true, _) => "an attribute has no name: DynamoDB needs at least one character",
                (_, true) => {
                    "a set has no elements: DynamoDB needs at least one. Leave the set out"
                }
                _ => continue,
            };
            refused.push(Problem {
                kind: ProblemKind::NotAllowed,
                index: IndexId::PRIMARY,
                part: None,
                attribute: name.clone(),
                template: None,
                message: message.to_owned(),
            });
        }
        self.problems.append(&mut refused);
    }

    /// What the item has under a name: what is written, else the sample's value.
    fn value(&self, name: &str) -> Option<ValueRef<'_>> {
        let slot = self.plan.names.iter().position(|other| other == name);
        let written = slot.and_then(|slot| self.written[slot].as_ref());
        let value = written.or_else(|| self.plan.stored(self.sample, name));
        value.map(ValueRef::Value)
    }

    /// All attributes of the item, in no certain order.
    fn attributes(&self) -> impl Iterator<Item = (&str, ValueRef<'_>)> {
        let written = (self.plan.names.iter().zip(&self.written))
            .filter_map(|(name, value)| Some((name.as_str(), ValueRef::Value(value.as_ref()?))));
        let is_written = |name: &str| {
            let slot = self.plan.names.iter().position(|other| other == name);
            slot.is_some_and(|slot| self.written[slot].is_some())
        };
        let sampled = (self.sample.values.iter())
            .filter(move |(name, _)| !is_written(name) && !self.plan.is_key_only(name))
            .map(|(name, value)| (name.as_str(), ValueRef::Value(value)));
        written.chain(sampled)
    }

    fn is_reported(&self, key: &KeyPlan) -> bool {
        (self.problems.iter())
            .any(|problem| problem.index == key.index && problem.part == Some(key.part))
    }

    fn check_size(&mut self) {
        let written = (self.plan.names.iter().zip(&self.written))
            .filter_map(|(name, value)| Some(name.len() + value.as_ref()?.size()));
        let key_only = (self.sample.values.iter())
            .filter(|(name, _)| self.plan.is_key_only(name))
            .map(|(name, value)| name.len() + value.size());
        let stored = self.sample.values.size() - key_only.sum::<usize>();
        let size = stored + written.sum::<usize>() - self.replaced;
        let mut local = 0;
        if !self.plan.local.is_empty() {
            // Problems that keep the item out of the table are reported on their own; the size counts all the same.
            let get = |name: &str| self.value(name);
            let holding = (self.plan.local.iter()).filter(|index| index.holds_values(&get));
            local = holding.map(|index| index.size_of(self.attributes())).sum();
        }
        if size + local <= limits::ITEM_BYTES {
            return;
        }
        let entries = match local {
            0 => String::new(),
            bytes => format!(" and {bytes} in its LSIs"),
        };
        self.problems.push(Problem {
            kind: ProblemKind::ItemTooLarge,
            index: IndexId::PRIMARY,
            part: None,
            attribute: String::new(),
            template: None,
            message: format!(
                "the item has {size} bytes{entries}; DynamoDB allows at most {} in total",
                limits::ITEM_BYTES
            ),
        });
    }
}

/// Whether a value is or contains a set without elements.
pub(super) fn has_empty_set(value: &Value) -> bool {
    match value {
        Value::Ss(set) => set.is_empty(),
        Value::Ns(set) => set.is_empty(),
        Value::Bs(set) => set.is_empty(),
        Value::L(values) => values.iter().any(has_empty_set),
        Value::M(values) => values.values().any(has_empty_set),
        _ => false,
    }
}

impl EntityPlan {
    /// The value that a template reads under a name: the sample's value, or the type attribute.
    fn lookup<'a>(&'a self, sample: &'a Sample, name: &str) -> Option<&'a Value> {
        let sampled = sample.values.get(name);
        sampled.or_else(|| self.type_value(name))
    }

    /// The value that a condition reads under a name: like [`EntityPlan::lookup`], but of what items store.
    fn lookup_stored<'a>(&'a self, sample: &'a Sample, name: &str) -> Option<&'a Value> {
        self.stored(sample, name).or_else(|| self.type_value(name))
    }

    /// The sample's value that its item stores under a name, unless the plan writes the attribute.
    fn stored<'a>(&self, sample: &'a Sample, name: &str) -> Option<&'a Value> {
        (sample.values.get(name)).filter(|_| !self.is_key_only(name))
    }

    fn problem(&self, index: IndexId, write: &WritePlan, error: &RenderError) -> Problem {
        let (kind, message) = match (error, write.parsed.errors.first()) {
            (RenderError::Malformed, Some(error)) => (ProblemKind::Template, error.message.clone()),
            (RenderError::Malformed, None) => (ProblemKind::Template, error.to_string()),
            (RenderError::EmptyKey, _) => (ProblemKind::Empty, error.to_string()),
            (RenderError::TooLong { .. }, _) => (ProblemKind::TooLong, error.to_string()),
            _ if error.is_absent() => (ProblemKind::Missing, error.to_string()),
            _ => (ProblemKind::Render, error.to_string()),
        };
        Problem {
            kind,
            index,
            part: Some(write.part),
            attribute: self.names[write.slot].clone(),
            template: Some(write.text.clone()),
            message,
        }
    }

    /// The template that writes this key attribute for this index.
    fn template_of(&self, key: &KeyPlan) -> Option<&str> {
        let entry = (self.entries.iter()).find(|entry| entry.index == key.index)?;
        let write = (entry.writes.iter())
            .find(|write| write.part == key.part && Some(write.slot) == key.slot)?;
        Some(&write.text)
    }
}

//! Applies a fix as one step.

use super::super::command::edit::edit;
use super::super::command::{Command, FixEdit, Refused};
use super::{merge, patterns, templates, ulid};
use keyfold_core::engine::key_sources;
use keyfold_core::lint::Fix;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Attribute, AttributeId, AttributeType, Autoscaling, Billing,
    CardId, Design, EntityId, Index, IndexId, KeyType, Operation, ProvisionedThroughput, Recovery,
    Table,
};
use keyfold_core::template;
use std::sync::Arc;

/// The label of a button that applies a fix where its finding is, without a preview: ``Add attribute `total` ``. `None` for
/// fixes that delete something or change more than one template.
pub fn repair_label(design: &Design, fix: &Fix) -> Option<String> {
    match fix {
        Fix::AddAttribute(_, name) => Some(format!("Add attribute `{name}`")),
        Fix::Require(entity, id) | Fix::Store(entity, id) => {
            let name = &design.entities.get(entity)?.attribute_by_id(*id)?.name;
            Some(match fix {
                Fix::Store(..) => format!("Store `{name}`"),
                _ => format!("Make `{name}` required"),
            })
        }
        Fix::SetTemplate { text, .. } => Some(format!("Change to `{text}`")),
        _ => None,
    }
}

/// What fixes that are applied together do to a deployed table, in a sentence or two.
pub fn safety(fixes: &[Fix]) -> &'static str {
    let mut unsafe_ones = fixes.iter().filter(|fix| !fix.is_safe()).peekable();
    if unsafe_ones.peek().is_none() {
        "Stored items keep their keys. Nothing is deleted."
    } else if unsafe_ones.all(|fix| matches!(fix, Fix::Project(..))) {
        "No projection can be changed: a deployed GSI is deleted and built again, and an LSI needs a new table."
    } else {
        "Changes or deletes stored data. Apply it to an empty table, or together with a migration."
    }
}

/// Returns the command that applies a fix.
pub fn command(fix: Fix) -> Command {
    Command::Fix(FixEdit {
        fix: Box::new(fix),
        apply: apply_fix,
    })
}

/// Applies a fix. After a refusal the design may hold a part of it: work on a copy.
pub(super) fn apply_fix(design: &mut Design, fix: Fix) -> Result<(), Refused> {
    match fix {
        Fix::SetTemplate {
            entity,
            index,
            part,
            text,
        } => templates::set(design, entity, index, part, text),
        Fix::Shard {
            entity,
            index,
            attribute,
            count,
        } => templates::shard(design, entity, index, &attribute, count),
        Fix::Ulid { entity, time, id } => ulid::use_ulid(design, entity, &time, &id),
        Fix::MergeIndexes { into, from } => merge::merge(design, into, &from),
        Fix::Require(entity, id) => attribute(design, entity, id, "required", &|attribute| {
            attribute.required = true;
        }),
        Fix::Store(entity, id) => edit(design, Command::SetKeyOnly(entity, id, false)),
        Fix::AddAttribute(entity, name) => {
            let kind = type_in_keys(design, entity, &name);
            let mut attribute = Attribute::new(AttributeId(0), name, kind);
            attribute.required = true;
            edit(design, Command::AddAttribute(entity, attribute))
        }
        Fix::Retype(entity, id, kind) => attribute(design, entity, id, "type", &|attribute| {
            attribute.kind = kind;
            attribute.format = None;
        }),
        Fix::DeleteIndex(index) => edit(design, Command::Delete(vec![CardId::Index(index)])),
        Fix::LeaveIndex(entity, index) => edit(design, Command::LeaveIndex(entity, index)),
        Fix::Project(id, projection) => index(design, id, "projection", &|index| {
            index.projection = projection.clone();
        }),
        Fix::TypeAttribute(name) => table(design, "type attribute", &|table| {
            table.type_attribute = Some(name.clone());
        }),
        Fix::Recovery => table(design, "recovery", &|table| {
            table.recovery = Some(Recovery::default());
        }),
        Fix::DeletionProtection => table(design, "deletion protection", &|table| {
            table.deletion_protection = true;
        }),
        Fix::Autoscale(IndexId::PRIMARY) => table(design, "capacity", &|table| {
            if let Billing::Provisioned(given) = &mut table.billing {
                autoscale(given);
            }
        }),
        Fix::Autoscale(id) => index(design, id, "capacity", &|index| {
            if let Some(given) = &mut index.provisioned {
                autoscale(given);
            }
        }),
        Fix::SortCondition { pattern, at, text } => self::pattern(design, pattern, &|pattern| {
            if let Operation::Query { sort, .. } = &mut pattern.operation
                && let Some(condition) = sort.get_mut(at)
            {
                condition.value.clone_from(&text);
            }
        }),
        Fix::Alias(pattern, word) => self::pattern(design, pattern, &|pattern| {
            patterns::alias(pattern, &word);
        }),
        Fix::Eventual(pattern) => self::pattern(design, pattern, &|pattern| {
            if let Some(read) = pattern.operation.read_mut() {
                read.consistent = false;
            }
        }),
        Fix::RemoveValues(pattern, names) => self::pattern(design, pattern, &|pattern| {
            for name in &names {
                pattern.parameters.remove(name);
            }
        }),
    }
}

/// The type of a new attribute: that of a key attribute of type N or B whose template names it, else S.
fn type_in_keys(design: &Design, entity: EntityId, name: &str) -> AttributeType {
    let Some(entity) = design.entities.get(&entity) else {
        return AttributeType::S;
    };
    let mut kinds = key_sources::templates(design, entity)
        .filter(|key| template::parse(key.text).template.uses(name))
        .map(|key| key.attribute.kind);
    let other = kinds.find(|kind| *kind != KeyType::S);
    other.map_or(AttributeType::S, AttributeType::from)
}

fn attribute(
    design: &mut Design,
    entity: EntityId,
    id: AttributeId,
    field: &'static str,
    change: &dyn Fn(&mut Attribute),
) -> Result<(), Refused> {
    let owner = design.entities.get(&entity);
    let found = owner.and_then(|owner| owner.attribute_by_id(id));
    let mut attribute = found.cloned().ok_or_else(|| gone("attribute"))?;
    change(&mut attribute);
    let attribute = Box::new(attribute);
    edit(
        design,
        Command::UpdateAttribute {
            entity,
            attribute,
            field,
        },
    )
}

fn index(
    design: &mut Design,
    id: IndexId,
    field: &'static str,
    change: &dyn Fn(&mut Index),
) -> Result<(), Refused> {
    let index = design.indexes.get(&id).ok_or_else(|| gone("index"))?;
    let mut index = Box::new(Index::clone(index));
    change(&mut index);
    edit(design, Command::UpdateIndex { id, index, field })
}

fn table(
    design: &mut Design,
    field: &'static str,
    change: &dyn Fn(&mut Table),
) -> Result<(), Refused> {
    let mut table = Box::new(Table::clone(&design.table));
    change(&mut table);
    edit(design, Command::UpdateTable { table, field })
}

fn pattern(
    design: &mut Design,
    id: AccessPatternId,
    change: &dyn Fn(&mut AccessPattern),
) -> Result<(), Refused> {
    let pattern = design.access_patterns.get_mut(&id);
    change(Arc::make_mut(
        pattern.ok_or_else(|| gone("access pattern"))?,
    ));
    Ok(())
}

pub(super) fn gone(what: &str) -> Refused {
    Refused(format!("this {what} no longer exists"))
}

/// Scaling from what is given to ten times that.
fn autoscale(given: &mut ProvisionedThroughput) {
    let scaling = |units: u64| Autoscaling {
        min: units,
        max: units.saturating_mul(10),
        ..Autoscaling::default()
    };
    let (read, write) = (scaling(given.read), scaling(given.write));
    given.read_scaling.get_or_insert(read);
    given.write_scaling.get_or_insert(write);
}

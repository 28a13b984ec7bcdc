//! Reports on the tables of a review.

use super::{Found, Table};
use crate::found::{first, key_of, key_text, samples};
use keyfold_core::engine::key_sources::templates;
use keyfold_core::import::report::{EntityReport, KeyReport, TableReport, TemplateReport};
use keyfold_core::model::{Design, Entity, EntityId, IndexId};
use keyfold_infer::{Entity as Inferred, Item, Rule};

impl Table {
    /// What the table is now.
    pub(super) fn reported(&self) -> TableReport {
        let design = &self.design;
        let entities = match &self.found {
            Some(found) => {
                let entities = found.draft.inferred().entities.iter();
                let entities = entities.zip(found.draft.ids());
                entities
                    .map(|(entity, id)| found.reported(design, *id, entity))
                    .collect()
            }
            None => (design.entities.iter())
                .map(|(id, entity)| defined(design, *id, entity))
                .collect(),
        };
        let lost_type = self.type_attribute.iter();
        let notes = lost_type
            .filter(|_| design.table.type_attribute.is_none())
            .map(|name| {
                format!(
                    "`{name}` becomes an ordinary attribute: names of entities differ from its values."
                )
            });
        TableReport {
            name: design.name.clone(),
            indexes: design.indexes.len(),
            patterns: design.access_patterns.len(),
            samples: samples(design),
            entities,
            notes: notes.collect(),
        }
    }
}

impl Found {
    fn reported(&self, design: &Design, id: u32, entity: &Inferred) -> EntityReport {
        let items = entity.items.len();
        let primary = || entity.rules.iter().filter(|rule| rule.key == 0);
        let fewest = primary().map(|rule| rule.explained as usize).min();
        let outside = primary().map(|rule| rule.unexplained as usize).max();
        let templates: Vec<TemplateReport> = (entity.rules.iter())
            .map(|rule| self.template(design, rule))
            .collect();
        let key_only = entity.attributes.iter().filter(|own| own.key_only);
        EntityReport {
            id,
            name: entity.name.clone(),
            items,
            explained: Some(match entity.is_rest {
                true => 0,
                false => fewest.map_or(items, |fewest| fewest.min(items)),
            }),
            outside: outside.unwrap_or(0),
            is_rest: entity.is_rest,
            free_keys: free_keys(design, &templates),
            templates,
            key_only: key_only.map(|own| own.name.clone()).collect(),
            examples: self.keys(design, first(&entity.items), None),
            can_merge: self.draft.ids().len() > 1,
            can_split: items > 1 || outside > Some(0),
            split_by: self.draft.dividing(id),
        }
    }

    fn template(&self, design: &Design, rule: &Rule) -> TemplateReport {
        let index = design.index_ids().nth(rule.key);
        TemplateReport {
            key: rule.attribute.clone(),
            index: index.and_then(|index| index_name(design, index)),
            template: rule.template.clone(),
            explained: rule.explained as usize,
            misfits: rule.unexplained as usize,
            unexplained: self.keys(design, &rule.examples, Some(&rule.attribute)),
        }
    }

    /// The keys of the items at these positions.
    fn keys(&self, design: &Design, positions: &[usize], attribute: Option<&str>) -> Vec<String> {
        let items = positions
            .iter()
            .filter_map(|at| self.draft.items().get(*at));
        let key = |item: &Item| key_text(&key_of(design, item, attribute));
        items.map(key).collect()
    }
}

/// An entity that a file describes.
fn defined(design: &Design, id: EntityId, entity: &Entity) -> EntityReport {
    let items = design.samples_of(id).len();
    let templates: Vec<TemplateReport> = templates(design, entity)
        .map(|template| TemplateReport {
            key: template.attribute.name.clone(),
            index: index_name(design, template.index),
            template: template.text.to_owned(),
            explained: items,
            misfits: 0,
            unexplained: Vec::new(),
        })
        .collect();
    let key_only = entity.attributes.iter().filter(|own| own.key_only);
    EntityReport {
        id: id.0,
        name: entity.name.clone(),
        items,
        explained: None,
        outside: 0,
        is_rest: false,
        free_keys: free_keys(design, &templates),
        templates,
        key_only: key_only.map(|own| own.name.clone()).collect(),
        examples: Vec::new(),
        can_merge: false,
        can_split: false,
        split_by: Vec::new(),
    }
}

/// The key attributes that can have a template, each with the first index that has it.
pub(super) fn key_attributes(design: &Design) -> Vec<(&str, IndexId)> {
    let mut found: Vec<(&str, IndexId, bool)> = Vec::new();
    for (index, key) in (design.index_ids()).filter_map(|id| Some((id, design.key(id)?))) {
        for attribute in key.attributes() {
            if found.iter().all(|(name, ..)| *name != attribute.name) {
                found.push((&attribute.name, index, !key.is_multi_attribute()));
            }
        }
    }
    let can_have = found.into_iter().filter(|(.., can_have)| *can_have);
    can_have.map(|(name, index, _)| (name, index)).collect()
}

/// The key attributes without a template that can get one.
fn free_keys(design: &Design, templates: &[TemplateReport]) -> Vec<KeyReport> {
    let all = key_attributes(design).into_iter();
    let free = all.filter(|(name, _)| templates.iter().all(|template| template.key != *name));
    free.map(|(name, index)| KeyReport {
        key: name.to_owned(),
        index: index_name(design, index),
    })
    .collect()
}

fn index_name(design: &Design, index: IndexId) -> Option<String> {
    (!index.is_primary()).then(|| design.index_name(index).to_owned())
}

//! The keys of an entity whose file says, attribute by attribute, what writes the key attributes.

use crate::form::FoundTable;
use keyfold_core::model::{Attribute, Condition, IndexEntry, KeyAttribute};

/// A template with the conditions under which it has a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The template.
    pub template: String,
    /// The conditions.
    pub when: Vec<Condition>,
}

/// The keys of an entity in the table, and in each index for whose key it has all attributes. `templates` has those of key
/// attributes, by name; other key attributes are the entity's own.
pub fn entity_keys(
    table: &FoundTable,
    attributes: &[Attribute],
    templates: &[(String, Made)],
) -> Vec<(Option<String>, IndexEntry)> {
    let made = |name: &str| templates.iter().find(|(other, _)| other == name);
    let own = |name: &str| attributes.iter().any(|attribute| attribute.name == name);
    let indexes = table.indexes.iter();
    let all = indexes.map(|index| (Some(&index.name), &index.key));
    let mut keys = Vec::new();
    for (index, key) in std::iter::once((None, &table.table.key)).chain(all) {
        let mut attributes = key.attributes();
        let is_in = attributes.all(|key| made(&key.name).is_some() || own(&key.name));
        if index.is_some() && !is_in {
            continue;
        }
        let side = |attributes: &[KeyAttribute]| {
            let (_, made) = made(&attributes.first()?.name)?;
            Some(made.template.clone())
        };
        let mut when = Vec::new();
        for key in key.attributes() {
            for condition in made(&key.name).iter().flat_map(|(_, made)| &made.when) {
                if index.is_some() && !when.contains(condition) {
                    when.push(condition.clone());
                }
            }
        }
        let entry = IndexEntry {
            partition: side(&key.partition),
            sort: side(&key.sort),
            when,
        };
        keys.push((index.cloned(), entry));
    }
    keys
}

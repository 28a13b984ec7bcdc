//! The facts about an access pattern that the rules use: its compiled key conditions, and the entities that it can find.

use super::entity_facts::{Compiled, EntityFacts, KeyFacts, is_text};
use crate::engine::key_condition::{KeyCondition, parameter_attribute};
use crate::engine::languages;
use crate::model::{
    AccessPattern, AccessPatternId, Design, EntityId, KeyPart, SortedSet, entities_of,
};
use crate::template::TooLarge;
use std::cell::RefCell;
use std::sync::Arc;

/// One key condition of an access pattern, and which entities it can find.
#[derive(Debug)]
pub struct ConditionFacts {
    /// The condition.
    pub key: KeyCondition,
    /// The entities whose items it can find, including those in `unsure`.
    pub finds: SortedSet<EntityId>,
    /// The entities that it may find: the templates are too large to decide.
    pub unsure: SortedSet<EntityId>,
}

/// An access pattern, compiled.
#[derive(Debug)]
pub struct PatternFacts {
    /// Its id.
    pub id: AccessPatternId,
    /// The pattern.
    pub pattern: Arc<AccessPattern>,
    /// The intended entities, each once.
    pub intended: Vec<EntityId>,
    /// Its key conditions. A Scan and a put have none.
    pub conditions: Vec<ConditionFacts>,
    /// Its parameters that are not attributes of an intended entity.
    strange: Vec<String>,
}

impl PatternFacts {
    /// Compiles a pattern of the design; [`PatternFacts::meet`] then determines what it finds. A parameter has the shape of
    /// its [`parameter_attribute`]. Without such an attribute, it can be any text.
    pub fn new(design: &Design, id: AccessPatternId, pattern: &Arc<AccessPattern>) -> PatternFacts {
        let mut intended = Vec::new();
        for entity in entities_of(pattern) {
            if !intended.contains(&entity) {
                intended.push(entity);
            }
        }
        let strange = RefCell::new(Vec::<String>::new());
        let shapes = |name: &str| {
            let found = parameter_attribute(design, pattern, name);
            let mut strange = strange.borrow_mut();
            if (found.is_none() || intended.is_empty()) && !strange.iter().any(|it| it == name) {
                strange.push(name.to_owned());
            }
            found.map(|attribute| languages::shape(languages::resolved(design, attribute)))
        };
        let conditions = KeyCondition::all(design, &pattern.operation, &shapes);
        let conditions = conditions.into_iter().map(|key| ConditionFacts {
            key,
            finds: SortedSet::new(),
            unsure: SortedSet::new(),
        });
        PatternFacts {
            id,
            pattern: pattern.clone(),
            conditions: conditions.collect(),
            strange: strange.into_inner(),
            intended,
        }
    }

    /// Its parameters that are not attributes of an intended entity, each once.
    pub fn strange(&self) -> &[String] {
        &self.strange
    }

    /// Whether the shape of its parameters depends on an entity, in one of these designs.
    pub fn looks_at(&self, entity: EntityId, designs: [&Design; 2]) -> bool {
        let has = |name: &String| {
            let mut found = designs.iter().filter_map(|d| d.entities.get(&entity));
            found.any(|entity| entity.attribute(name).is_some())
        };
        let is_any = self.intended.is_empty();
        self.intended.contains(&entity) || is_any && self.strange.iter().any(has)
    }

    /// Determines again whether the pattern can find items of an entity.
    pub fn meet(&mut self, entity: &EntityFacts) {
        for condition in &mut self.conditions {
            let found = condition.can_find(entity);
            match found {
                Ok(false) => condition.finds.remove(&entity.id),
                Ok(true) | Err(TooLarge) => condition.finds.insert(entity.id),
            };
            match found {
                Ok(_) => condition.unsure.remove(&entity.id),
                Err(TooLarge) => condition.unsure.insert(entity.id),
            };
        }
    }

    /// Removes a deleted entity.
    pub fn forget(&mut self, entity: EntityId) {
        for condition in &mut self.conditions {
            condition.finds.remove(&entity);
            condition.unsure.remove(&entity);
        }
    }

    /// Whether one of its conditions can find items of the entity.
    pub fn finds(&self, entity: EntityId) -> bool {
        (self.conditions.iter()).any(|condition| condition.finds.contains(&entity))
    }
}

impl ConditionFacts {
    /// Whether it can find items of an entity. Fails if the templates are too large to decide.
    fn can_find(&self, entity: &EntityFacts) -> Result<bool, TooLarge> {
        let entry = entity.entry(self.key.index);
        let Some(entry) = entry.filter(|entry| entry.is_whole() && entity.is_stored()) else {
            return Ok(false);
        };
        let mut found = Ok(true);
        for part in [KeyPart::Partition, KeyPart::Sort] {
            for (at, key) in entry.side(part).enumerate() {
                let (Some(own), Some(test)) = (value(key), self.key.test(part, at)) else {
                    continue;
                };
                match test.passes(own) {
                    Ok(true) => {}
                    Ok(false) => return Ok(false),
                    Err(TooLarge) => found = Err(TooLarge),
                }
            }
        }
        found
    }
}

/// What an entity has in a key attribute of type S; of another type any value is possible.
fn value(key: &KeyFacts) -> Option<&Compiled> {
    key.value.as_deref().filter(|_| is_text(key))
}

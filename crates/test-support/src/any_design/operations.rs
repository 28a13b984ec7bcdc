//! Access patterns of random designs.

use super::Maker;
use keyfold_core::engine::query::expression::Name;
use keyfold_core::model::*;
use keyfold_core::model::{SortedMap, SortedSet};
use std::sync::Arc;

/// Filter and condition expressions; DynamoDB does not accept all of them.
const CONDITIONS: [&str; 15] = [
    "status = :status",
    "attribute_not_exists(PK)",
    "#type = :x AND size(n) > :n",
    "n BETWEEN :a AND :b",
    "id IN (:a, :b, :c)",
    "contains(status, :s) OR NOT begins_with(id, :p)",
    "a.b[0].c <> :v",
    "attribute_type(id, :t)",
    "version = :version",
    "`tick` = :x",
    "\"q\" = '*/'",
    "a = ",
    "",
    "((((a = :a))))",
    "\"first name\" = :x AND \"a:b\" <> :y",
];

const UPDATES: [&str; 8] = [
    "SET status = :status",
    "SET n = n + :one, updatedAt = :now REMOVE ttl",
    "ADD n :one DELETE tags :gone",
    "SET a.b[1] = if_not_exists(a.b[1], :x)",
    "SET l = list_append(l, :more)",
    "SET #type = :t",
    "SET",
    "nonsense ` */ ${x}",
];

impl Maker {
    pub(super) fn access_patterns(&mut self, design: &mut Design) {
        let mut names = SortedSet::new();
        let samples: Vec<SampleId> = design
            .samples
            .values()
            .flat_map(|samples| samples.iter().map(|sample| sample.id))
            .collect();
        let entities: Vec<EntityId> = design.entities.keys().copied().collect();
        for _ in 0..self.below(7) {
            let operation = self.operation(design, &entities);
            let mut pattern = AccessPattern {
                name: self.label(&mut names),
                description: self.text(),
                operation,
                entities: entities
                    .iter()
                    .copied()
                    .filter(|_| self.one_in(2))
                    .collect(),
                sample: None,
                parameters: SortedMap::new(),
                rate: [None, Some(0.0), Some(12.5), Some(1e9)][self.below(4)],
            };
            if !samples.is_empty() && !self.one_in(3) {
                pattern.sample = Some(samples[self.below(samples.len())]);
            }
            for _ in 0..self.below(3) {
                let name = match self.below(3) {
                    0 => "status".to_owned(),
                    1 => self.attribute_name(),
                    _ => self.text(),
                };
                let value = self.any_value(1);
                pattern.parameters.insert(name, value);
            }
            let id = AccessPatternId(design.take_id());
            design.access_patterns.insert(id, Arc::new(pattern));
        }
    }

    fn operation(&mut self, design: &Design, entities: &[EntityId]) -> Operation {
        match self.below(8) {
            0 => Operation::GetItem {
                key: self.item_key(design),
                read: self.read(),
            },
            1..=3 => self.query(design),
            4 => Operation::Scan {
                index: self.index(design),
                limit: self.limit(),
                read: self.read(),
            },
            5 => {
                let keys = (0..self.below(4)).map(|_| self.item_key(design)).collect();
                match self.one_in(2) {
                    true => Operation::TransactGetItems { keys },
                    false => Operation::BatchGetItem {
                        keys,
                        read: self.read(),
                    },
                }
            }
            // A condition check is an action of a transaction.
            6 => match self.action(design, entities) {
                check @ WriteAction::ConditionCheck { .. } => Operation::TransactWriteItems {
                    actions: vec![check],
                },
                write => Operation::Write(write),
            },
            _ => {
                let actions = (0..self.below(4))
                    .map(|_| self.action(design, entities))
                    .collect();
                Operation::TransactWriteItems { actions }
            }
        }
    }

    fn index(&mut self, design: &Design) -> IndexId {
        let all: Vec<IndexId> = design.index_ids().collect();
        all[self.below(all.len())]
    }

    fn query(&mut self, design: &Design) -> Operation {
        let index = self.index(design);
        let key = design.key(index).expect("an index").clone();
        let mut partition = Vec::new();
        for attribute in &key.partition {
            partition.push(self.key_value(design, &attribute.name));
        }
        // The number of conditions does not always match the key's attributes.
        match self.below(12) {
            10 => _ = partition.pop(),
            11 => partition.push("more".to_owned()),
            _ => {}
        }
        let mut sort = Vec::new();
        for attribute in &key.sort {
            if self.one_in(4) {
                break;
            }
            let operator = SortOperator::ALL[self.below(7)];
            let value = self.key_value(design, &attribute.name);
            let upper = (operator == SortOperator::Between) != self.one_in(12);
            let upper = upper.then(|| self.key_value(design, &attribute.name));
            sort.push(SortCondition {
                operator,
                value,
                upper,
            });
        }
        Operation::Query {
            index,
            partition,
            sort,
            descending: self.one_in(2),
            limit: self.limit(),
            read: self.read(),
        }
    }

    /// A value for a key attribute: often what an entity writes there, else any template.
    fn key_value(&mut self, design: &Design, attribute: &str) -> String {
        let mut templates = Vec::new();
        for entity in design.entities.values() {
            for (index, entry) in &entity.keys {
                let Some(key) = design.key(*index) else {
                    continue;
                };
                if key.partition[0].name == attribute {
                    templates.extend(entry.partition.clone());
                }
                if key.sort.first().is_some_and(|sort| sort.name == attribute) {
                    templates.extend(entry.sort.clone());
                }
            }
        }
        match templates.len() {
            count if count > 0 && !self.one_in(4) => {
                let template = templates.swap_remove(self.below(count));
                // A prefix of it, for `begins_with`.
                match self.one_in(3) {
                    true => template
                        .split_inclusive('#')
                        .next()
                        .unwrap_or_default()
                        .to_owned(),
                    false => template,
                }
            }
            _ => {
                let names = [self.attribute_name(), attribute.to_owned()];
                self.template(&names)
            }
        }
    }

    fn item_key(&mut self, design: &Design) -> ItemKey {
        let key = design.table.key.clone();
        let partition = self.key_value(design, &key.partition[0].name);
        let sort = key.sort.first().filter(|_| !self.one_in(10));
        let sort = sort.map(|sort| self.key_value(design, &sort.name));
        ItemKey { partition, sort }
    }

    fn limit(&mut self) -> Option<u32> {
        [None, None, Some(1), Some(0), Some(u32::MAX)][self.below(5)]
    }

    fn read(&mut self) -> Read {
        Read {
            consistent: self.one_in(3),
            filter: self.one_in(3).then(|| self.of(&CONDITIONS).to_owned()),
            projection: (0..self.below(4).saturating_sub(1))
                .map(|_| Name::of(&self.attribute_name()).to_string())
                .collect(),
        }
    }

    fn some_condition(&mut self) -> Option<String> {
        self.one_in(2).then(|| self.of(&CONDITIONS).to_owned())
    }

    fn action(&mut self, design: &Design, entities: &[EntityId]) -> WriteAction {
        match self.below(4) {
            0 if !entities.is_empty() => {
                let entity = entities[self.below(entities.len())];
                WriteAction::PutItem {
                    entity,
                    condition: self.some_condition(),
                }
            }
            0 | 1 => WriteAction::UpdateItem {
                key: self.item_key(design),
                update: self.of(&UPDATES).to_owned(),
                condition: self.some_condition(),
            },
            2 => WriteAction::DeleteItem {
                key: self.item_key(design),
                condition: self.some_condition(),
            },
            _ => WriteAction::ConditionCheck {
                key: self.item_key(design),
                condition: self.of(&CONDITIONS).to_owned(),
            },
        }
    }
}

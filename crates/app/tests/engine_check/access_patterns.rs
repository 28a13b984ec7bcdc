//! Sends the library's access patterns to the engine as requests: each read returns items, and each write succeeds.

use crate::dynamo::{Db, create_table};
use crate::ours::wire;
use keyfold_app::{Command, apply};
use keyfold_core::engine::{EntityPlan, materialize_all, view};
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::library::{self, find};
use keyfold_core::model::{
    AccessPattern, Attribute, Design, EntityId, IndexId, ItemKey, KeyAttribute, Operation, Read,
    Sample, SampleId, SortOperator, SortedMap, Value, WriteAction,
};
use keyfold_core::template::{parse, render_value};
use keyfold_test_support::key_designs::{key_only, natural_keys};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// Values of a pattern's placeholders: its own parameters, or the values of its sample.
fn parameters(design: &Design, pattern: &AccessPattern) -> SortedMap<String, Value> {
    let mut samples = design.samples.values().flat_map(|samples| samples.iter());
    let sample = samples.find(|sample| Some(sample.id) == pattern.sample);
    let mut values = sample.map_or_else(SortedMap::new, |sample| sample.values.to_map());
    values.extend(pattern.parameters.clone());
    values
}

/// Builds the requests of a pattern.
struct Request<'a> {
    design: &'a Design,
    values: SortedMap<String, Value>,
    place: String,
}

impl Request<'_> {
    fn value(&self, name: &str) -> &Value {
        let value = self.values.get(name);
        value.unwrap_or_else(|| panic!("{}: no value for {name}", self.place))
    }

    fn render(&self, key: &KeyAttribute, text: &str) -> Json {
        let lookup = |name: &str| Some(self.value(name));
        let policy = &self.design.delimiter;
        let parsed = parse(text);
        assert!(parsed.errors.is_empty(), "{}: {text}", self.place);
        render_value(&parsed.template, key.kind.into(), policy, &lookup, 2048)
            .unwrap_or_else(|error| panic!("{}: {text}: {error}", self.place))
            .to_dynamodb_json()
    }

    fn key(&self, key: &ItemKey) -> Json {
        let schema = &self.design.table.key;
        let mut map = Map::new();
        let partition = &schema.partition[0];
        map.insert(
            partition.name.clone(),
            self.render(partition, &key.partition),
        );
        assert_eq!(
            key.sort.is_some(),
            !schema.sort.is_empty(),
            "{}",
            self.place
        );
        if let Some(text) = &key.sort {
            let sort = &schema.sort[0];
            map.insert(sort.name.clone(), self.render(sort, text));
        }
        Json::Object(map)
    }

    /// Adds the names (`#status` is the attribute `status`) and values (`:now` is the parameter `now`) that an
    /// expression uses.
    fn expression(&self, request: &mut Json, member: &str, text: &str) {
        request[member] = json!(text);
        let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '#' | ':' | '_')));
        for word in words {
            if let Some(name) = word.strip_prefix('#') {
                request["ExpressionAttributeNames"][word] = json!(name);
            } else if let Some(name) = word.strip_prefix(':') {
                request["ExpressionAttributeValues"][word] = self.value(name).to_dynamodb_json();
            }
        }
    }

    fn read(&self, request: &mut Json, read: &Read) {
        if read.consistent {
            request["ConsistentRead"] = json!(true);
        }
        if let Some(filter) = &read.filter {
            self.expression(request, "FilterExpression", filter);
        }
        assert!(read.projection.is_empty(), "{}: not used yet", self.place);
    }

    /// The Query request, and whether to read further pages.
    fn query(&self, operation: &Operation) -> Json {
        let Operation::Query {
            index,
            partition,
            sort,
            descending,
            limit: _,
            read,
        } = operation
        else {
            panic!("{}: not a query", self.place);
        };
        let mut request = json!({ "ScanIndexForward": !descending });
        if !index.is_primary() {
            request["IndexName"] = json!(self.design.index_name(*index));
        }
        let schema = self.design.key(*index).expect("the index exists");
        assert_eq!(partition.len(), schema.partition.len(), "{}", self.place);
        let mut terms = Vec::new();
        let mut number = 0;
        let mut operand = |request: &mut Json, key: &KeyAttribute, text: &str| {
            number += 1;
            request["ExpressionAttributeNames"][format!("#k{number}")] = json!(key.name);
            request["ExpressionAttributeValues"][format!(":k{number}")] = self.render(key, text);
            (format!("#k{number}"), format!(":k{number}"))
        };
        for (key, text) in schema.partition.iter().zip(partition) {
            let (name, value) = operand(&mut request, key, text);
            terms.push(format!("{name} = {value}"));
        }
        assert!(sort.len() <= schema.sort.len(), "{}", self.place);
        for (key, condition) in schema.sort.iter().zip(sort) {
            let (name, value) = operand(&mut request, key, &condition.value);
            terms.push(match condition.operator {
                SortOperator::BeginsWith => format!("begins_with({name}, {value})"),
                SortOperator::Between => {
                    let upper = condition.upper.as_ref().expect("between has two bounds");
                    let (_, upper) = operand(&mut request, key, upper);
                    format!("{name} BETWEEN {value} AND {upper}")
                }
                operator => format!("{name} {} {value}", operator.symbol()),
            });
        }
        request["KeyConditionExpression"] = json!(terms.join(" AND "));
        // The engine treats a name that only the second operand uses as unused.
        let used = terms.join(" ");
        let names = request["ExpressionAttributeNames"].as_object_mut().unwrap();
        names.retain(|name, _| {
            used.split(|c: char| !c.is_alphanumeric() && c != '#')
                .any(|w| w == name)
        });
        self.read(&mut request, read);
        request
    }

    /// A write of a transaction, with the table name.
    fn action(&self, action: &WriteAction) -> Json {
        let mut request = json!({ "TableName": self.design.table.name });
        let condition = match action {
            WriteAction::PutItem { entity, condition } => {
                request["Item"] = self.item(*entity);
                condition.as_ref()
            }
            WriteAction::UpdateItem {
                key,
                update,
                condition,
            } => {
                request["Key"] = self.key(key);
                self.expression(&mut request, "UpdateExpression", update);
                condition.as_ref()
            }
            WriteAction::DeleteItem { key, condition } => {
                request["Key"] = self.key(key);
                condition.as_ref()
            }
            WriteAction::ConditionCheck { key, condition } => {
                request["Key"] = self.key(key);
                Some(condition)
            }
        };
        if let Some(condition) = condition {
            self.expression(&mut request, "ConditionExpression", condition);
        }
        let kind = match action {
            WriteAction::PutItem { .. } => "Put",
            WriteAction::UpdateItem { .. } => "Update",
            WriteAction::DeleteItem { .. } => "Delete",
            WriteAction::ConditionCheck { .. } => "ConditionCheck",
        };
        json!({ kind: request })
    }

    /// The item to put: the entity's attributes among the parameters, with its keys.
    fn item(&self, entity: EntityId) -> Json {
        let attributes = &self.design.entities[&entity].attributes;
        let values = (attributes.iter())
            .filter_map(|a| Some((a.name.clone(), self.values.get(&a.name)?.clone())))
            .collect();
        let id = SampleId(0);
        let item = EntityPlan::new(self.design, entity).item(&Arc::new(Sample { id, values }));
        assert_eq!(item.problems(), [], "{}", self.place);
        for attribute in attributes.iter().filter(|attribute| attribute.required) {
            assert!(
                item.known(&attribute.name).is_some(),
                "{}: {}",
                self.place,
                attribute.name
            );
        }
        wire(&item.to_map())
    }
}

/// A table with all items of the design, except those that the pattern creates.
fn filled(design: &Design, without: &[Json]) -> Db {
    let db = create_table(&cloudformation(design).text);
    let items: Vec<_> = materialize_all(design).into_values().collect();
    for row in view(design, IndexId::PRIMARY, &items).rows.iter() {
        let item = wire(&row.item.to_map());
        let same = |other: &Json| {
            design
                .table
                .key
                .attributes()
                .all(|k| other[&k.name] == item[&k.name])
        };
        if !without.iter().any(same) {
            db.put(&item);
        }
    }
    db
}

/// The items that the pattern reads from a table with all samples.
fn read(design: &Design, pattern: &AccessPattern) -> Vec<Json> {
    let request = Request {
        design,
        values: parameters(design, pattern),
        place: format!("{}: {}", design.name, pattern.name),
    };
    let db = filled(design, &[]);
    match &pattern.operation {
        Operation::GetItem { key, read } => {
            let mut get = json!({ "Key": request.key(key) });
            request.read(&mut get, read);
            db.get(get).into_iter().collect()
        }
        operation => {
            let query = request.query(operation);
            db.query(query)
                .unwrap_or_else(|error| panic!("{}: {error}", request.place))
        }
    }
}

fn write(design: &Design, pattern: &AccessPattern, actions: &[WriteAction]) {
    let request = Request {
        design,
        values: parameters(design, pattern),
        place: format!("{}: {}", design.name, pattern.name),
    };
    let mut new = Vec::new();
    for action in actions {
        if let WriteAction::PutItem { entity, condition } = action
            && condition
                .as_deref()
                .is_some_and(|text| text.starts_with("attribute_not_exists("))
        {
            new.push(request.item(*entity));
        }
    }
    let db = filled(design, &new);
    let before = db.scan(None);
    for action in actions {
        if let WriteAction::UpdateItem { key, .. } | WriteAction::DeleteItem { key, .. } = action {
            let key = request.key(key);
            assert!(
                db.get(json!({ "Key": key })).is_some(),
                "{}: {key}",
                request.place
            );
        }
    }
    let transaction: Vec<Json> = actions
        .iter()
        .map(|action| request.action(action))
        .collect();
    (db.transact_write(&transaction)).unwrap_or_else(|error| panic!("{}: {error}", request.place));
    assert!(db.scan(None) != before, "{}: writes nothing", request.place);
}

fn type_of(design: &Design, item: &Json) -> String {
    let name = design
        .table
        .type_attribute
        .as_ref()
        .expect("the library uses one");
    item[name]["S"]
        .as_str()
        .expect("each item has a type")
        .to_owned()
}

/// Runs the pattern; a read must return an item of each of its entities.
fn try_out(design: &Design, access: &AccessPattern) {
    match &access.operation {
        Operation::GetItem { .. } | Operation::Query { .. } => {
            let found = read(design, access);
            let place = format!("{}: {}", design.name, access.name);
            for entity in &access.entities {
                let name = &design.entities[entity].name;
                let there = found.iter().any(|item| {
                    let projected = !item.as_object().unwrap().contains_key("type");
                    projected || type_of(design, item) == *name
                });
                assert!(there, "{place} returns no {name}: {found:?}");
            }
        }
        Operation::Write(action) => write(design, access, std::slice::from_ref(action)),
        Operation::TransactWriteItems { actions } => write(design, access, actions),
        other => panic!("{}: {} is not tried", access.name, other.name()),
    }
}

#[test]
fn every_library_access_pattern_reads_or_writes_items() {
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        for access in design.access_patterns.values() {
            try_out(&design, access);
        }
    }
}

#[test]
fn access_patterns_with_natural_keys_and_key_only_attributes_read_and_write_items() {
    for design in [natural_keys(), key_only()] {
        for access in design.access_patterns.values() {
            try_out(&design, access);
        }
    }
}

/// Whether another entity has an attribute with this name that is a natural key: then the key keeps its name.
fn feeds_a_shared_key(design: &Design, id: EntityId, name: &str) -> bool {
    let mut keys = design.index_ids().filter_map(|index| design.key(index));
    let mut others = design.entities.iter().filter(|(other, _)| **other != id);
    keys.any(|key| key.attributes().any(|key| key.name == name))
        && others.any(|(_, other)| other.attribute(name).is_some())
}

#[test]
fn renamed_access_patterns_still_work() {
    for entry in library::patterns() {
        let design = entry.design().unwrap();
        for (id, entity) in &design.entities {
            for attribute in &entity.attributes {
                if feeds_a_shared_key(&design, *id, &attribute.name) {
                    continue;
                }
                let command = Command::UpdateAttribute {
                    entity: *id,
                    attribute: Box::new(Attribute {
                        name: "renamed".into(),
                        ..attribute.clone()
                    }),
                    field: "name",
                };
                let next = apply(&design, command).unwrap();
                for (id, access) in &next.access_patterns {
                    if *access != design.access_patterns[id] {
                        try_out(&next, access);
                    }
                }
            }
        }
    }
}

/// The types of the items that an access pattern returns.
fn types(pattern: &str, access: &str) -> Vec<String> {
    let design = find(pattern).unwrap().design().unwrap();
    let access = (design.access_patterns.values()).find(|other| other.name == access);
    let found = read(&design, access.expect("the pattern exists"));
    found.iter().map(|item| type_of(&design, item)).collect()
}

#[test]
fn a_prefix_query_returns_the_items_below_it() {
    let all = ["Project", "Task", "Comment", "Task", "Project"];
    assert_eq!(types("saas-hierarchy", "List projects of a tenant"), all);
    let below = ["Task", "Comment", "Task"];
    assert_eq!(types("saas-hierarchy", "List tasks of a project"), below);
    assert_eq!(
        types("saas-hierarchy", "List comments of a task"),
        ["Comment"]
    );
}

#[test]
fn a_status_index_without_the_tenant_crosses_tenants() {
    let tenants = |pattern: &str| {
        let design = find(pattern).unwrap().design().unwrap();
        let mut all = design.access_patterns.values();
        let access = all
            .find(|access| access.name == "List orders by status")
            .unwrap();
        let items = read(&design, access);
        let tenant = |item: &Json| item["tenantId"]["S"].as_str().unwrap().to_owned();
        items.iter().map(tenant).collect::<Vec<_>>()
    };
    assert_eq!(tenants("saas-orders"), ["globex", "acme"]);
    assert_eq!(tenants("saas-orders-scoped"), ["acme"]);
}

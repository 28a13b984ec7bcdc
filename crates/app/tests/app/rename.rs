//! Renaming attributes and entities: every use gets the new name in one undo step, or the command is refused and
//! nothing changes.

use keyfold_app::patterns::key_condition_offers::new_pattern;
use keyfold_app::{Command, Document, PatternEdit, Refused, apply, suggest};
use keyfold_core::engine::query::expression::Name;
use keyfold_core::engine::{materialize_all, view};
use keyfold_core::library::{self, find};
use keyfold_core::model::*;
use keyfold_core::persist::to_json;
use keyfold_test_support::cases;
use proptest::prelude::*;

fn library_design(name: &str) -> Design {
    find(name).expect("in the library").design().expect("sound")
}

/// The command that renames an attribute.
fn renaming(design: &Design, entity: &str, old: &str, new: &str) -> Command {
    let id = design.entity_named(entity).expect("the entity exists");
    let attribute = design.entities[&id]
        .attribute(old)
        .expect("it has this attribute");
    Command::UpdateAttribute {
        entity: id,
        attribute: Box::new(Attribute {
            name: new.to_owned(),
            ..attribute.clone()
        }),
        field: "name",
    }
}

fn renamed(design: &Design, entity: &str, old: &str, new: &str) -> Design {
    let next = apply(design, renaming(design, entity, old, new));
    let next = next.unwrap_or_else(|refused| panic!("{entity}.{old}: {refused}"));
    assert_eq!(validate_invariants(&next), []);
    next
}

fn refusal(design: &Design, entity: &str, old: &str, new: &str) -> String {
    match apply(design, renaming(design, entity, old, new)) {
        Err(Refused(reason)) => reason,
        Ok(_) => panic!("{entity}.{old} was renamed to {new}"),
    }
}

fn pattern<'d>(design: &'d Design, name: &str) -> &'d AccessPattern {
    let mut all = design.access_patterns.values();
    all.find(|pattern| pattern.name == name)
        .unwrap_or_else(|| panic!("no pattern {name}"))
}

/// The lines of the design's file that a rename changed, without samples.
fn new_lines(before: &Design, after: &Design) -> Vec<String> {
    let (before, after) = (to_json(before), to_json(after));
    let mut known: Vec<&str> = before.lines().map(str::trim).collect();
    let mut new = Vec::new();
    for line in after.lines().map(str::trim) {
        match known.iter().position(|other| *other == line) {
            Some(at) => drop(known.swap_remove(at)),
            None if line.starts_with(r#"{ "id": "s"#) => {}
            None => new.push(line.to_owned()),
        }
    }
    new
}

#[test]
fn renaming_an_attribute_updates_templates_and_can_be_undone() {
    let design = library_design("saas-multi-tenant");
    let mut document = Document::new(design.clone());
    let command = renaming(&design, "Project", "projectId", "number");
    assert!(!document.run(command, 0.0).unwrap().is_empty());
    let project = &document.design().entities[&design.entity_named("Project").unwrap()];
    let templates: Vec<&str> = (project.keys.values())
        .flat_map(|entry| entry.partition.iter().chain(&entry.sort))
        .map(String::as_str)
        .filter(|text| text.contains("{number}"))
        .collect();
    assert_eq!(templates, ["PROJECT#{createdAt}#{number}"; 2]);
    let get = pattern(document.design(), "Get project by ID");
    assert!(format!("{get:?}").contains("PROJECT#{createdAt}#{number}"));
    let before = keys(&design);
    assert_eq!(keys(document.design()), before, "the keys did not change");
    assert!(document.undo().is_some());
    assert!(document.undo().is_none(), "one step");
    let next_id = document.design().next_id;
    assert_eq!(document.design(), &Design { next_id, ..design });
}

/// All rendered keys of the table and the indexes.
fn keys(design: &Design) -> Vec<String> {
    let items: Vec<_> = materialize_all(design).into_values().collect();
    let mut keys = Vec::new();
    for index in design.index_ids() {
        let view = view(design, index, &items);
        assert_eq!(view.failed, []);
        let key = design.key(index).expect("listed");
        for row in view.rows.iter() {
            let values = key
                .attributes()
                .map(|a| row.item.get(&a.name).map(|value| value.to_text()));
            keys.push(format!("{index} {:?}", values.collect::<Vec<_>>()));
        }
    }
    keys
}

/// Every library attribute can be renamed. Then no use of it has the old name, no item is lost, and no access
/// pattern needs a parameter that its sample lacks.
#[test]
fn every_library_attribute_can_be_renamed_and_renamed_back() {
    for entry in library::patterns() {
        let design = entry.design().unwrap();
        let before = keys(&design);
        for (id, entity) in &design.entities {
            for attribute in &entity.attributes {
                let place = format!("{}: {}.{}", entry.name, entity.name, attribute.name);
                let next = renamed(&design, &entity.name, &attribute.name, "renamed_1");
                // A natural key that other entities use too keeps its name: the items of this entity leave the
                // index.
                let shared = (design.index_ids()).any(|index| {
                    let mut all = design.key(index).unwrap().attributes();
                    all.any(|key| key.name == attribute.name)
                }) && (design.entities.iter())
                    .any(|(other, e)| other != id && e.attribute(&attribute.name).is_some());
                if !shared {
                    assert_eq!(keys(&next), before, "{place}");
                }
                for (pattern_id, pattern) in &next.access_patterns {
                    let known = |design: &Design| {
                        let pattern = &design.access_patterns[pattern_id];
                        unknown_parameters(design, pattern)
                    };
                    assert_eq!(known(&next), known(&design), "{place}: {}", pattern.name);
                }
                let back = renamed(&next, &entity.name, "renamed_1", &attribute.name);
                if !shared {
                    assert_eq!(to_json(&back), to_json(&design), "{place}");
                }
            }
        }
    }
}

/// Parameters in the pattern's templates without a value from its sample or its own parameters.
fn unknown_parameters(design: &Design, pattern: &AccessPattern) -> usize {
    let mut texts = Vec::new();
    match &pattern.operation {
        Operation::GetItem { key, .. } => {
            texts.push(&key.partition);
            texts.extend(&key.sort);
        }
        Operation::Query {
            partition, sort, ..
        } => {
            texts.extend(partition);
            for condition in sort {
                texts.push(&condition.value);
                texts.extend(&condition.upper);
            }
        }
        _ => {}
    }
    let mut samples = design.samples.values().flat_map(|samples| samples.iter());
    let sample = samples.find(|sample| Some(sample.id) == pattern.sample);
    let known = |name: &str| {
        pattern.parameters.contains_key(name)
            || sample.is_some_and(|sample| sample.values.contains_key(name))
    };
    let parsed = texts
        .iter()
        .map(|text| keyfold_core::template::parse(text).template);
    parsed
        .map(|template| template.attributes().filter(|name| !known(name)).count())
        .sum()
}

/// Design, entity, old name, new name, and the changed lines of the design's file.
type Case<'a> = (&'a str, &'a str, &'a str, &'a str, &'a [&'a str]);

#[test]
fn an_attribute_is_renamed_only_where_it_is_meant() {
    let cases: &[Case<'_>] = &[
        // A typed parameter in an update and a condition of another entity's item.
        (
            "e-commerce",
            "OrderItem",
            "amount",
            "number",
            &[
                r#""name": "number","#,
                r#""update": "SET stock = stock - :number","#,
                r#""condition": "stock >= :number""#,
                r#""parameters": { "itemId": "01", "number": 1, "price": { "N": "49.9" }, "productId": "789" }"#,
            ],
        ),
        // Product also has a price, which does not change: "Place an order" uses the item's.
        (
            "e-commerce",
            "OrderItem",
            "price",
            "unitPrice",
            &[
                r#""name": "unitPrice","#,
                // Too long for one line now.
                r#""parameters": {"#,
                r#""amount": 1,"#,
                r#""itemId": "01","#,
                r#""productId": "789","#,
                r#""unitPrice": { "N": "49.9" }"#,
                "}",
            ],
        ),
        (
            "e-commerce",
            "Product",
            "price",
            "unitPrice",
            &[r#""name": "unitPrice","#],
        ),
        // A condition of a sparse index, and `#status` in an update.
        (
            "e-commerce",
            "Order",
            "status",
            "state",
            &[
                r#""name": "state","#,
                r#""partition": "STATUS#{state}","#,
                r#""when": [{ "attribute": "state", "test": { "equals": "PENDING" } }]"#,
                r##""operation": { "query": { "index": "i1", "partition": ["STATUS#{state}"] } },"##,
                r##""update": "SET #state = :shipped REMOVE GSI1PK, GSI1SK","##,
                r##""condition": "#state = :pending""##,
            ],
        ),
        // An attribute of the updated item, not of the item put in the same transaction.
        (
            "multi-branch-finance",
            "Report",
            "totalAmount",
            "sum",
            &[
                r#""name": "sum","#,
                r#""update": "ADD sum :amount, transactionCount :one""#,
            ],
        ),
        // A projection, and a reserved word, which needs a `#` name.
        (
            "session-store",
            "Session",
            "device",
            "agent",
            &[
                r#""projection": { "include": ["agent", "expiresAt"] },"#,
                r#""name": "agent","#,
            ],
        ),
        // The TTL attribute, with the filter and the conditions that use it.
        (
            "session-store",
            "Session",
            "expiresAt",
            "2end",
            &[
                r#""ttlAttribute": "2end""#,
                r#""projection": { "include": ["device", "2end"] },"#,
                r#""name": "2end","#,
                r##""query": { "index": "i1", "partition": ["USER#{userId}"], "filter": "#2end > :now" }"##,
                r##""update": "SET #2end = :until","##,
                r##""condition": "#2end > :now""##,
            ],
        ),
        // The sort key attribute of an LSI, a natural key.
        (
            "iot-device-log",
            "StateChange",
            "recordedAt",
            "at",
            &[
                r#""sort": [{ "name": "at", "type": "S" }]"#,
                r#""projection": { "include": ["deviceId", "state", "at"] },"#,
                r#""name": "at","#,
                r#""primary": { "partition": "DEVICE#{deviceId}", "sort": "STATE#{state}#{at}" },"#,
                r#""i2": { "partition": "OPERATOR#{operatorId}", "sort": "{at}#{deviceId}" },"#,
                r#""i3": { "partition": "ESCALATED#{escalatedTo}", "sort": "{state}#{at}" }"#,
                r#""key": { "partition": "DEVICE#{deviceId}", "sort": "STATE#{state}#{at}" },"#,
            ],
        ),
        // The key attributes of a multi-attribute index; the queries use the parameters.
        (
            "tournament-multi-attribute",
            "Match",
            "region",
            "area",
            &[
                r#""partition": [{ "name": "tournamentId", "type": "S" }, { "name": "area", "type": "S" }],"#,
                r#""name": "area","#,
                r#""operation": { "query": { "index": "i1", "partition": ["{tournamentId}", "{area}"] } },"#,
                r#""partition": ["{tournamentId}", "{area}"],"#,
                r#""partition": ["{tournamentId}", "{area}"],"#,
                r#""partition": ["{tournamentId}", "{area}"],"#,
            ],
        ),
        // Both entities have a round: the key attribute keeps its name until the second entity is renamed too.
        (
            "tournament-multi-attribute",
            "Participation",
            "round",
            "stage",
            &[r#""name": "stage","#],
        ),
    ];
    for (name, entity, old, new, expected) in cases {
        let design = library_design(name);
        let next = renamed(&design, entity, old, new);
        assert_eq!(
            new_lines(&design, &next),
            *expected,
            "{name}: {entity}.{old}"
        );
    }
}

#[test]
fn a_shared_key_attribute_is_renamed_with_the_last_entity() {
    let design = library_design("tournament-multi-attribute");
    let next = renamed(&design, "Participation", "round", "stage");
    let next = renamed(&next, "Match", "round", "stage");
    for index in next.indexes.values() {
        let names: Vec<&str> = index.key.attributes().map(|a| a.name.as_str()).collect();
        assert!(
            names.contains(&"stage") && !names.contains(&"round"),
            "{names:?}"
        );
    }
    assert_eq!(keys(&next), keys(&design));
}

/// The table with other names of its key attributes, the type attribute and the first index's key attributes.
fn with_key_names(design: &Design, rename: &dyn Fn(&str) -> String) -> Result<Design, Refused> {
    let renamed = |key: &KeySchema| {
        let mut key = key.clone();
        for attribute in key.partition.iter_mut().chain(&mut key.sort) {
            attribute.name = rename(&attribute.name);
        }
        key
    };
    let mut table = Table::clone(&design.table);
    table.key = renamed(&table.key);
    table.type_attribute = table.type_attribute.as_deref().map(rename);
    let table = Box::new(table);
    let mut next = apply(
        design,
        Command::UpdateTable {
            table,
            field: "key",
        },
    )?;
    for (id, index) in &design.indexes {
        let index = Box::new(Index {
            key: match index.kind {
                // An LSI has followed the table already.
                IndexKind::Lsi => KeySchema {
                    partition: next.table.key.partition.clone(),
                    ..renamed(&index.key)
                },
                IndexKind::Gsi => renamed(&index.key),
            },
            ..Index::clone(index)
        });
        next = apply(
            &next,
            Command::UpdateIndex {
                id: *id,
                index,
                field: "key",
            },
        )?;
    }
    assert_eq!(validate_invariants(&next), []);
    Ok(next)
}

#[test]
fn key_attributes_are_renamed_in_expressions() {
    let mut shop = library_design("e-commerce");
    let product = shop.entity_named("Product").unwrap();
    let set = AccessPattern {
        operation: Operation::Write(WriteAction::UpdateItem {
            key: ItemKey {
                partition: "PRODUCT#{productId}".into(),
                sort: Some("PRODUCT#{productId}".into()),
            },
            update: "SET GSI1PK = :GSI1PK, title = :title".into(),
            condition: Some("attribute_exists(PK) AND #type = :type".into()),
        }),
        entities: vec![product],
        name: "Set title".into(),
        ..AccessPattern::clone(pattern(&shop, "Get product"))
    };
    let id = AccessPatternId(shop.take_id());
    shop.access_patterns.insert(id, set.into());
    let type_name = shop.table.type_attribute.clone().unwrap();
    let lower = |name: &str| match name {
        name if name == type_name => "kind".to_owned(),
        name => name.to_lowercase(),
    };
    let next = with_key_names(&shop, &lower).unwrap();
    let Operation::Write(WriteAction::UpdateItem {
        update, condition, ..
    }) = &next.access_patterns[&id].operation
    else {
        panic!("an update");
    };
    // A parameter keeps its name.
    assert_eq!(update, "SET gsi1pk = :GSI1PK, title = :title");
    let wanted = format!(
        "attribute_exists(pk) AND #{} = :type",
        if type_name == "type" { "kind" } else { "type" }
    );
    assert_eq!(condition.as_deref(), Some(wanted.as_str()));
    // Other characters than letters, digits and _ stand in quotes.
    let next = with_key_names(&shop, &|name| format!("my-{name}")).unwrap();
    let Operation::Write(WriteAction::UpdateItem { update, .. }) =
        &next.access_patterns[&id].operation
    else {
        panic!("an update");
    };
    assert_eq!(update, "SET \"my-GSI1PK\" = :GSI1PK, title = :title");
    // What cannot stand in an expression is refused.
    let Err(Refused(reason)) = with_key_names(&shop, &|name| format!("my\"{name}")) else {
        panic!("`my\"PK` is in an expression");
    };
    assert!(
        reason.contains("cannot be part of an expression"),
        "{reason}"
    );
}

/// The design's access patterns and keys as text, to be searched for names.
fn expressions_and_keys(design: &Design) -> String {
    let patterns = design.access_patterns.values();
    let patterns = patterns.flat_map(|pattern| pattern.operation.actions());
    let conditions = patterns.filter_map(|action| action.condition().map(str::to_owned));
    let keys = design
        .indexes
        .values()
        .flat_map(|index| index.key.attributes());
    let keys = keys.map(|attribute| attribute.name.clone());
    conditions.chain(keys).collect::<Vec<_>>().join(" / ")
}

/// `PK` is the sort key of an inverted index, too.
#[test]
fn a_key_attribute_of_several_keys_is_renamed_with_the_table() {
    let network = library_design("social-network");
    let before = expressions_and_keys(&network);
    assert!(
        before.contains("(PK)") && before.contains("/ SK / PK"),
        "{before}"
    );
    let id = network.index_named("Inverted").unwrap();
    let mut index = Index::clone(&network.indexes[&id]);
    index.key.sort[0].name = "X".into();
    let command = Command::UpdateIndex {
        id,
        index: Box::new(index),
        field: "key",
    };
    let next = apply(&network, command).unwrap();
    // The index reads another attribute: the table's keeps its name.
    assert_eq!(
        expressions_and_keys(&next),
        before.replace("/ SK / PK", "/ SK / X")
    );
    let mut table = Table::clone(&network.table);
    table.key.partition[0].name = "pk".into();
    let command = Command::UpdateTable {
        table: Box::new(table),
        field: "key",
    };
    let next = apply(&network, command).unwrap();
    assert_eq!(validate_invariants(&next), []);
    assert_eq!(
        expressions_and_keys(&next),
        before.replace("PK", "pk").replace("GSI1pk", "GSI1PK")
    );
}

/// While a name is typed it may be that of another attribute.
#[test]
fn a_key_name_that_is_typed_renames_only_what_had_the_first_one() {
    let mut design = library_design("e-commerce");
    let order = design.entity_named("Order").unwrap();
    let id = AccessPatternId(design.take_id());
    let put = WriteAction::PutItem {
        entity: order,
        condition: Some("attribute_not_exists(PK) AND attribute_not_exists(GSI1PK) AND attribute_not_exists(status)".into()),
    };
    let pattern = AccessPattern {
        name: "Create".into(),
        operation: Operation::Write(put),
        ..AccessPattern::clone(pattern(&design, "Get product"))
    };
    design.access_patterns.insert(id, pattern.into());
    let id_of_index = *design.indexes.keys().next().unwrap();
    let mut document = Document::new(design.clone());
    let mut now = 0.0;
    // Slower than what is one undo step.
    for name in ["P", "PK", "PKs", "status", "statu", "statuses"] {
        now += 5000.0;
        let mut own = Index::clone(&document.design().indexes[&id_of_index]);
        own.key.partition[0].name = name.into();
        let index = Box::new(own);
        let command = Command::UpdateIndex {
            id: id_of_index,
            index,
            field: "key",
        };
        document.run(command, now).unwrap();
        assert_eq!(validate_invariants(document.design()), []);
    }
    let pattern = &document.design().access_patterns[&id];
    let condition = pattern.operation.actions()[0].condition().unwrap();
    assert_eq!(
        condition,
        "attribute_not_exists(PK) AND attribute_not_exists(statuses) AND attribute_not_exists(status)"
    );
}

#[test]
fn key_attributes_of_every_library_design_are_renamed_and_renamed_back() {
    for pattern in library::patterns() {
        let design = pattern.design().expect("sound");
        let names: Vec<String> = (design.index_ids())
            .filter_map(|index| design.key(index))
            .flat_map(|key| key.attributes().map(|attribute| attribute.name.clone()))
            .collect();
        let is_owned = |name: &str| {
            let mut all = design.entities.values();
            all.any(|entity| entity.attribute(name).is_some())
        };
        // An attribute of an entity is renamed at the entity.
        let to = |name: &str| match names.iter().any(|own| own == name) && !is_owned(name) {
            true => format!("{name}x"),
            false => name.to_owned(),
        };
        let from = |name: &str| match name.strip_suffix('x') {
            Some(stem) if names.iter().any(|own| own == stem) && !is_owned(stem) => stem.to_owned(),
            _ => name.to_owned(),
        };
        let next = with_key_names(&design, &to).unwrap();
        for (id, pattern) in &next.access_patterns {
            let verdict = |design: &Design| {
                keyfold_core::proof::prove(
                    &keyfold_core::engine::query::TableSnapshot::of(design),
                    *id,
                )
                .map(|proof| proof.verdict)
            };
            assert_eq!(verdict(&next), verdict(&design), "{}", pattern.name);
        }
        let back = with_key_names(&next, &from).unwrap();
        assert_eq!(to_json(&back), to_json(&design), "{}", pattern.title);
    }
}

#[test]
fn partial_names_rename_no_key_attribute() {
    let mut design = library_design("iot-device-log");
    let id = design.entity_named("Device").unwrap();
    let log = design.entity_named("StateChange").unwrap();
    design = apply(&design, Command::Delete(vec![CardId::Entity(log)])).unwrap();
    let attribute = Attribute::new(AttributeId(0), "attribute", AttributeType::S);
    design = apply(&design, Command::AddAttribute(id, attribute)).unwrap();
    let keys = |design: &Design| {
        let keys = design
            .index_ids()
            .filter_map(|index| design.key(index).cloned());
        (keys.collect::<Vec<_>>(), design.table.ttl_attribute.clone())
    };
    let expected = keys(&design);
    let mut before = "attribute";
    for name in ["recordedAt", "recordedAtNoon", "expiresAt", "expiresAtNoon"] {
        design = renamed(&design, "Device", before, name);
        before = name;
    }
    assert_eq!(keys(&design), expected);
}

#[test]
fn a_rename_that_cannot_reach_every_use_is_refused() {
    let cases = [
        (
            "activity-log",
            "Event",
            "timestamp",
            "from",
            "the access pattern `List activity between two instants of a month` cannot use the new name: \
             it already has a parameter `from`",
        ),
        (
            "session-store",
            "Session",
            "expiresAt",
            "ends\"at",
            "the access pattern `List live sessions of a user` cannot use the new name: `ends\"at` cannot be part of an \
             expression: it contains a quote",
        ),
        (
            "iot-device-log",
            "StateChange",
            "recordedAt",
            "PK",
            "`recordedAt` is a key attribute of by-time: `PK` occurs twice in this key",
        ),
        (
            "tournament-multi-attribute",
            "Match",
            "region",
            "tournamentId",
            "Match has another attribute called `tournamentId`",
        ),
        (
            "tournament-multi-attribute",
            "Match",
            "bracket",
            "round ",
            "an attribute name must not start or end with a space",
        ),
    ];
    for (name, entity, old, new, reason) in cases {
        assert_eq!(
            refusal(&library_design(name), entity, old, new),
            reason,
            "{name}: {old}"
        );
    }
    let long = "x".repeat(256);
    let reason = refusal(
        &library_design("iot-device-log"),
        "StateChange",
        "recordedAt",
        &long,
    );
    assert!(
        reason.contains("by-time") && reason.contains("255 bytes"),
        "{reason}"
    );
}

#[test]
fn other_puts_keep_their_values() {
    let design = library_design("e-commerce");
    let parameters = |design: &Design| {
        let place = pattern(design, "Place an order");
        let typed = place.parameters.iter();
        let typed = typed.map(|(name, value)| format!("{name} {}", value.to_text()));
        (typed.collect::<Vec<_>>(), format!("{:?}", place.operation))
    };
    let (typed, operation) = parameters(&design);
    assert_eq!(
        typed,
        ["amount 1", "itemId 01", "price 49.9", "productId 789"]
    );

    // The parameter belongs to the order; the item that is put gets its own.
    let next = renamed(&design, "OrderItem", "orderId", "order");
    let (after, same) = parameters(&next);
    assert_eq!(
        after,
        [
            "amount 1",
            "itemId 01",
            "order 456",
            "price 49.9",
            "productId 789"
        ]
    );
    assert_eq!(same, operation);
    assert_eq!(
        parameters(&renamed(&next, "OrderItem", "order", "orderId")).0,
        typed
    );

    // The reverse: the order's parameter is renamed, the item keeps its value.
    let next = renamed(&design, "Order", "orderId", "order");
    let (after, _) = parameters(&next);
    assert_eq!(
        after,
        [
            "amount 1",
            "itemId 01",
            "orderId 456",
            "price 49.9",
            "productId 789"
        ]
    );
    let both = renamed(&next, "OrderItem", "orderId", "order");
    assert_eq!(parameters(&both).0, typed, "with the same name again");
    assert_eq!(
        parameters(&renamed(&next, "Order", "order", "orderId")).0,
        typed
    );
}

fn pattern_of(operation: Operation, entities: &[EntityId]) -> AccessPattern {
    AccessPattern {
        name: "Try".into(),
        description: String::new(),
        operation,
        entities: entities.to_vec(),
        sample: None,
        parameters: [].into(),
        rate: None,
    }
}

/// The expression of a Scan over two entities with `status`, or over one, after renaming Order.status.
fn expression_after(text: &str, new: &str, both: bool) -> Result<String, String> {
    let mut design = library_design("saas-orders");
    let order = design.entity_named("Order").unwrap();
    let user = design.entity_named("User").unwrap();
    let owner = std::sync::Arc::make_mut(design.entities.get_mut(&user).unwrap());
    owner.attributes[3].name = "status".into();
    design.access_patterns.clear();
    let operation = Operation::Scan {
        index: IndexId::PRIMARY,
        limit: None,
        read: Read {
            consistent: false,
            filter: Some(text.into()),
            projection: vec!["status".into(), "total".into()],
        },
    };
    let id = AccessPatternId(design.take_id());
    let about: &[EntityId] = if both { &[order, user] } else { &[order] };
    design
        .access_patterns
        .insert(id, pattern_of(operation, about).into());
    assert_eq!(validate_invariants(&design), []);
    let next = apply(&design, renaming(&design, "Order", "status", new)).map_err(|r| r.0)?;
    assert_eq!(validate_invariants(&next), []);
    let Operation::Scan { read, .. } = &next.access_patterns[&id].operation else {
        panic!("still a scan");
    };
    let names: Vec<&str> = read.projection.iter().map(String::as_str).collect();
    let new = &*Name::of(new).to_string();
    match both {
        true => assert_eq!(names, ["status", "total", new]),
        false => assert_eq!(names, [new, "total"]),
    }
    Ok(read.filter.clone().unwrap())
}

/// The paths of a projection after renaming Order.status to `state`.
fn paths_after(paths: &[&str]) -> Vec<String> {
    let mut design = library_design("saas-orders");
    let order = design.entity_named("Order").unwrap();
    design.access_patterns.clear();
    let operation = Operation::Scan {
        index: IndexId::PRIMARY,
        limit: None,
        read: Read {
            projection: paths.iter().map(|path| (*path).to_owned()).collect(),
            ..Read::default()
        },
    };
    let id = AccessPatternId(design.take_id());
    (design.access_patterns).insert(id, pattern_of(operation, &[order]).into());
    let next = apply(&design, renaming(&design, "Order", "status", "state")).unwrap();
    assert_eq!(validate_invariants(&next), []);
    next.access_patterns[&id]
        .operation
        .read()
        .unwrap()
        .projection
        .clone()
}

#[test]
fn expressions_are_renamed_by_token() {
    for (text, expected) in [
        ("status = :status", "state = :state"),
        (
            "#status = :s AND attribute_exists(status)",
            "#state = :s AND attribute_exists(state)",
        ),
        (
            "statuses = :statuses OR my_status > status2",
            "statuses = :statuses OR my_status > status2",
        ),
        (
            "address.status = :a AND status.code = :b",
            "address.status = :a AND state.code = :b",
        ),
        ("status(total) = :a", "status(total) = :a"),
        ("status  IN(:a,:b)", "state  IN(:a,:b)"),
        ("größestatus = :a", "größestatus = :a"),
        ("contains (status, :x)", "contains (state, :x)"),
        ("status[0] = :a", "state[0] = :a"),
        (
            "\"status\" = :a AND my.\"status\" = :b AND \"my status\" = :c",
            "\"state\" = :a AND my.\"status\" = :b AND \"my status\" = :c",
        ),
        ("address.#status = :a", "address.#status = :a"),
        ("", ""),
        ("= # : status . status", "= # : state . status"),
        ("(= # , status", "(= # , state"),
    ] {
        assert_eq!(
            expression_after(text, "state", false).as_deref(),
            Ok(expected),
            "{text}"
        );
    }
    let keyword = expression_after("status = :a", "between", false);
    assert_eq!(keyword.as_deref(), Ok("#between = :a"));
    let quoted = expression_after("#status = :a AND size(status) > :b", "my state", false);
    assert_eq!(
        quoted.as_deref(),
        Ok("\"my state\" = :a AND size(\"my state\") > :b")
    );
    let parameter = expression_after("status = :status", "my-state", false);
    assert!(parameter.is_err_and(|reason| reason.contains("cannot be the name of a parameter")));
    assert_eq!(
        paths_after(&["status.code", "total", "#status", "my.status"]),
        ["state.code", "total", "#state", "my.status"]
    );
    assert_eq!(
        paths_after(&["status", "state", "total", "total"]),
        ["state", "total", "total"]
    );
    // If two entities have the attribute, it is ambiguous.
    assert_eq!(
        expression_after("status = :a", "state", true).as_deref(),
        Ok("status = :a")
    );
}

#[test]
fn a_pattern_without_entities_belongs_to_the_entities_of_its_keys() {
    let key = || ItemKey {
        partition: "TENANT#{tenantId}".into(),
        sort: Some("ORDER#{orderId}".into()),
    };
    let read = Read::default;
    let condition = || Some("attribute_exists(total) AND tenantId = {tenantId}".into());
    for operation in [
        Operation::GetItem {
            key: key(),
            read: read(),
        },
        Operation::BatchGetItem {
            keys: vec![key()],
            read: read(),
        },
        Operation::TransactGetItems { keys: vec![key()] },
        Operation::Write(WriteAction::UpdateItem {
            key: key(),
            update: "SET total = {total}".into(),
            condition: condition(),
        }),
        Operation::TransactWriteItems {
            actions: vec![WriteAction::DeleteItem {
                key: key(),
                condition: condition(),
            }],
        },
    ] {
        let mut design = library_design("saas-orders");
        design.access_patterns.clear();
        let id = AccessPatternId(design.take_id());
        let pattern = pattern_of(operation, &[]);
        design.access_patterns.insert(id, pattern.clone().into());
        let next = renamed(&design, "Order", "tenantId", "customer");
        let shown = format!("{:?}", next.access_patterns[&id]);
        assert!(
            shown.contains("TENANT#{customer}") && !shown.contains("tenantId"),
            "{shown}"
        );
        let next = renamed(&design, "User", "tenantId", "customer");
        assert_eq!(*next.access_patterns[&id], pattern);
    }
}

proptest! {
    #![proptest_config(cases(256))]

    /// Any expression: no panic, and renaming back restores the text.
    #[test]
    fn any_expression_can_be_renamed_and_renamed_back(
        text in "([a-z]{1,3}|status|#status|:status|\"status\"|\\PC|[ .,()=<>#:]|AND|ADD){0,12}"
    ) {
        prop_assume!(!text.contains("state9"));
        if let Ok(renamed) = expression_after(&text, "state9", false) {
            let restored = renamed.replace("state9", "status");
            prop_assert_eq!(restored, text);
        }
    }
}

fn new_entity(name: &str) -> (Design, EntityId) {
    let command = Command::AddEntity {
        name: name.into(),
        at: Point::default(),
    };
    let design = apply(&Design::new("New"), command).unwrap();
    let id = design.entity_named(name).unwrap();
    (design, id)
}

fn rename_entity(design: &Design, id: EntityId, name: &str) -> Design {
    let next = apply(design, Command::RenameEntity(id, name.into())).unwrap();
    assert_eq!(validate_invariants(&next), []);
    next
}

#[test]
fn keys_of_a_new_entity_follow_its_name_while_typing() {
    let (design, id) = new_entity("Entity");
    let mut document = Document::new(design.clone());
    for end in 1..="Invoice".len() {
        let command = Command::RenameEntity(id, "Invoice"[..end].into());
        document.run(command, end as f64 * 100.0).unwrap();
        assert_eq!(validate_invariants(document.design()), []);
    }
    assert_eq!(
        keys(document.design()),
        [r#"primary [Some("INVOICE#invoice-1"), Some("METADATA")]"#]
    );
    let entity = &document.design().entities[&id];
    let names: Vec<&str> = entity.attributes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["invoiceId"]);
    assert_eq!(
        entity.attributes[0].id,
        design.entities[&id].attributes[0].id
    );
    document.undo().unwrap();
    assert_eq!(document.design().entities, design.entities);
    assert_eq!(document.design().samples, design.samples);
}

#[test]
fn two_new_entities_do_not_collide() {
    let (design, first) = new_entity("Entity");
    let design = rename_entity(&design, first, "Invoice");
    let command = Command::AddEntity {
        name: suggest::entity_name(&design),
        at: Point::default(),
    };
    let design = apply(&design, command).unwrap();
    let second = design.entity_named("Entity").unwrap();
    let design = rename_entity(&design, second, "Line");
    assert_eq!(
        keys(&design),
        [
            r#"primary [Some("INVOICE#invoice-1"), Some("METADATA")]"#,
            r#"primary [Some("LINE#line-1"), Some("METADATA")]"#,
        ]
    );
}

/// A partial name can make the entity's own id equal to the id in the shared partition key.
#[test]
fn a_partial_name_can_equal_the_shared_id() {
    let command = Command::AddEntity {
        name: "Entity".into(),
        at: Point::default(),
    };
    let mut design = apply(&library_design("saas-multi-tenant"), command).unwrap();
    let tenant = design.entity_named("Tenant").unwrap();
    design = rename_entity(&design, tenant, "Customer");
    let id = design.entity_named("Entity").unwrap();
    let number = design.samples_of(id)[0].id;
    for name in ["T", "Tenan", "Tenant", "Tenant n", "Tenant note"] {
        design = rename_entity(&design, id, name);
        let keys = keys(&design);
        assert!(keys.len() > 7, "{keys:?}");
    }
    let entity = &design.entities[&id];
    let names: Vec<&str> = entity.attributes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["tenantId", "tenantNoteId"]);
    assert_eq!(
        entity.keys[&IndexId::PRIMARY],
        IndexEntry::pair("TENANT#{tenantId}", "TENANT_NOTE#{tenantNoteId}")
    );
    let sample = &design.samples_of(id)[0];
    assert_eq!(sample.id, number);
    assert_eq!(sample.values["tenantId"], "t_01".into());
    assert_eq!(sample.values["tenantNoteId"], "tenantNote-1".into());
    assert_eq!(sample.values.len(), 2);
}

#[test]
fn edited_parts_are_not_renamed() {
    let (design, id) = new_entity("Entity");
    let edits: [Command; 4] = [
        Command::SetTemplate {
            entity: id,
            index: IndexId::PRIMARY,
            part: KeyPart::Sort,
            text: Some("HEAD".into()),
        },
        Command::AddAttribute(
            id,
            Attribute::new(AttributeId(0), "total", AttributeType::N),
        ),
        renaming(&design, "Entity", "entityId", "number"),
        Command::JoinIndex(id, IndexId::PRIMARY, IndexEntry::pair("X#{entityId}", "Y")),
    ];
    for edit in edits {
        let edited = apply(&design, edit.clone()).unwrap();
        let next = rename_entity(&edited, id, "Invoice");
        let (before, after) = (&edited.entities[&id], &next.entities[&id]);
        assert_eq!(
            (&before.keys, &before.attributes),
            (&after.keys, &after.attributes),
            "{edit:?}"
        );
        assert_eq!(edited.samples, next.samples);
        assert_eq!(after.name, "Invoice");
    }
    // The description and the hue do not matter; values typed by the user stay.
    let sample = design.samples_of(id)[0].id;
    let described = apply(&design, Command::DescribeEntity(id, "Sums".into())).unwrap();
    let value = Command::SetValue {
        entity: id,
        sample,
        attribute: "entityId".into(),
        value: Some("2026/17".into()),
    };
    let next = rename_entity(&apply(&described, value).unwrap(), id, "Invoice");
    assert_eq!(
        keys(&next),
        [r#"primary [Some("INVOICE#2026/17"), Some("METADATA")]"#]
    );
}

#[test]
fn a_renamed_automatic_id_can_be_a_reference() {
    let mut design = Design::new("Forge");
    for name in ["User", "Repo"] {
        let (name, at) = (name.into(), Point::default());
        design = apply(&design, Command::AddEntity { name, at }).unwrap();
    }
    let repo = design.entity_named("Repo").unwrap();
    let format = |design: &Design, name: &str| {
        let attribute = design.entities[&repo].attribute(name);
        attribute.unwrap().format.clone()
    };
    assert_eq!(format(&design, "repoId"), Some(Format::Ulid));
    design = renamed(&design, "User", "userId", "username");
    design = renamed(&design, "Repo", "repoId", "owner");
    assert_eq!(format(&design, "owner"), None);
    let references: Vec<String> = keyfold_app::references::lines(&design)
        .into_iter()
        .map(|line| format!("{} -> {}", line.from, line.to))
        .collect();
    assert_eq!(references, ["Repo.owner -> User.username"]);

    // A format that somebody set stays.
    for (name, set) in [("repoId", Format::Uuid), ("traceId", Format::Ulid)] {
        let mut attribute = design.entities[&repo].attribute("owner").unwrap().clone();
        attribute.name = name.to_owned();
        attribute.format = Some(set.clone());
        let command = Command::UpdateAttribute {
            entity: repo,
            attribute: Box::new(attribute),
            field: "format",
        };
        let edited = apply(&design, command).unwrap();
        assert_eq!(format(&edited, name), Some(set.clone()));
        assert_eq!(
            format(&renamed(&edited, "Repo", name, "owner"), "owner"),
            Some(set)
        );
    }
}

#[test]
fn renaming_library_entities_keeps_their_keys() {
    for entry in library::patterns() {
        let design = entry.design().unwrap();
        for (id, entity) in &design.entities {
            let next = rename_entity(&design, *id, "Another name");
            let after = &next.entities[id];
            assert_eq!(
                (&after.keys, &after.attributes),
                (&entity.keys, &entity.attributes)
            );
            assert_eq!(next.samples, design.samples);
            assert_eq!(next.access_patterns, design.access_patterns);
        }
    }
}

#[test]
fn a_new_entity_keeps_its_keys_if_something_uses_them() {
    let (design, id) = new_entity("Order");
    let operation = Operation::GetItem {
        key: ItemKey {
            partition: "ORDER#{orderId}".into(),
            sort: Some("METADATA".into()),
        },
        read: Read::default(),
    };
    let pattern = AccessPattern {
        entities: vec![id],
        ..new_pattern("Get order".into(), operation.clone())
    };
    let add = Command::Pattern(PatternEdit::Add(Box::new(pattern)));
    let design = apply(&design, add).unwrap();
    let renamed = rename_entity(&design, id, "Invoice");
    assert_eq!(renamed.entities[&id].keys, design.entities[&id].keys);
    let pattern = renamed.access_patterns.values().next().unwrap();
    assert_eq!(pattern.operation, operation);
}

#[test]
fn the_type_attribute_is_renamed_in_templates_conditions_and_projections() {
    let text = "design Shop

table Shop (PK)
  type-attribute type

gsi GSI1 (GSI1PK) include type, title

entity Order
  id string
  title string
  key ORDER#{id}
  index GSI1 TYPE#{type} when type = Order

pattern All
  Query index GSI1 TYPE#{type}
  filter title = :type
  returns Order
  parameter type = Order
";
    let lowered = keyfold_core::text::lower(&keyfold_core::text::parse(text), None);
    assert_eq!(lowered.errors(), 0, "{:?}", lowered.problems);
    let mut table = Table::clone(&lowered.design.table);
    table.type_attribute = Some("kind".into());
    let command = Command::UpdateTable {
        table: Box::new(table),
        field: "type attribute",
    };
    let renamed = apply(&lowered.design, command).unwrap();
    let printed = keyfold_core::text::print(&renamed);
    for line in [
        "include kind, title",
        "TYPE#{kind} when kind = Order",
        "Query index GSI1 TYPE#{kind}",
        "parameter kind = Order",
        "filter title = :kind",
    ] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
}

/// Renames an attribute as typed, letter by letter, with a pause.
fn typed(design: &Design, entity: &str, old: &str, new: &str) -> Document {
    let mut document = Document::new(design.clone());
    let id = design.entity_named(entity).unwrap();
    let attribute = design.entities[&id].attribute(old).unwrap().id;
    for end in 1..=new.len() {
        let now = document.design().entities[&id].attribute_by_id(attribute);
        let command = Command::UpdateAttribute {
            entity: id,
            attribute: Box::new(Attribute {
                name: new[..end].to_owned(),
                ..now.unwrap().clone()
            }),
            field: "name",
        };
        // A name that is taken is refused, and the next letter follows.
        let _ = document.run(command, end as f64 * 2000.0);
        assert_eq!(validate_invariants(document.design()), []);
    }
    document
}

/// On the way to its name, an attribute has names of other attributes, of a key, of a placeholder and of the type.
#[test]
fn a_half_typed_name_takes_nothing_of_another_one() {
    const DESIGN: &str = "design Half

table t (PK, SK)

gsi byCode (code)
gsi byType (GSI2PK, GSI2SK) include status, note

entity A
  id string
  status string
  key A#{id}#{order} / A

entity B
  id string
  code string
  note string
  draft? string
  key B#{id}#{order} / B
  index byType TYPE#{type} / {note}

  | id  | code | note |
  | b-1 | c    | n    |

pattern bs
  Query index byType TYPE#{type}
  filter type = :type
  returns B
";
    let parsed = keyfold_core::text::parse(DESIGN);
    let design = keyfold_core::text::lower(&parsed, None).design;
    assert_eq!(validate_invariants(&design), []);
    for (old, new) in [
        ("code", "statusCode"),
        ("note", "statusNote"),
        ("draft", "orderDate"),
        ("draft", "typeOfNote"),
        ("draft", "codeDraft"),
        ("draft", "notes"),
    ] {
        let at_once = renamed(&design, "B", old, new);
        let mut document = typed(&design, "B", old, new);
        assert_eq!(
            to_json(document.design()),
            to_json(&at_once),
            "{old} to {new}"
        );
        // Undone as one field, in as many steps as there were pauses.
        while document.undo().is_some() {}
        assert_eq!(to_json(document.design()), to_json(&design));
        // Typed back, it leaves nothing behind.
        let mut document = typed(&design, "B", old, new);
        let id = design.entity_named("B").unwrap();
        let attribute = design.entities[&id].attribute(old).unwrap().clone();
        let back = Command::UpdateAttribute {
            entity: id,
            attribute: Box::new(attribute),
            field: "name",
        };
        document.run(back, 1e6).unwrap();
        assert_eq!(to_json(document.design()), to_json(&design));
        assert_eq!(document.undo_label(), None);
    }
}

#[test]
fn a_name_that_samples_have_a_value_of_is_refused() {
    let mut design = library_design("saas-orders");
    let user = design.entity_named("User").unwrap();
    let samples = design.samples.get_mut(&user).unwrap();
    let sample = std::sync::Arc::make_mut(&mut std::sync::Arc::make_mut(samples)[0]);
    sample.values.insert("nick".into(), Value::S("Al".into()));
    let reason = refusal(&design, "User", "email", "nick");
    assert!(
        reason.contains("already have a value of `nick`"),
        "{reason}"
    );
}

#[test]
fn a_key_that_is_the_type_is_renamed_with_it() {
    const DESIGN: &str = "design Types

table t (PK, SK)

gsi byType (type, SK)

entity Order
  id string
  key ORDER#{id} / ORDER
";
    let parsed = keyfold_core::text::parse(DESIGN);
    let design = keyfold_core::text::lower(&parsed, None).design;
    let mut table = (*design.table).clone();
    table.type_attribute = Some("kind".into());
    let command = Command::UpdateTable {
        table: Box::new(table),
        field: "type attribute",
    };
    let next = apply(&design, command).unwrap();
    assert_eq!(validate_invariants(&next), []);
    let index = next.index_named("byType").unwrap();
    assert_eq!(next.indexes[&index].key.partition[0].name, "kind");
}

#[test]
fn an_own_attribute_of_the_old_name_keeps_only_its_uses_of_the_type() {
    const DESIGN: &str = "design Types

table t (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK) include type

entity Event
  id string
  type string
  key EVENT#{id} / EVENT
  index GSI1 EVENT#{type} / {id}

entity Order
  id string
  key ORDER#{id} / ORDER
  index GSI1 TYPE#{type} / {id}

pattern events
  Scan
  filter type = :type
  returns Event

pattern orders
  Query index GSI1 TYPE#{type}
  filter type = :type
  returns Order

pattern all
  Scan
  filter type = :type
  returns Event, Order
";
    let parsed = keyfold_core::text::parse(DESIGN);
    let design = keyfold_core::text::lower(&parsed, None).design;
    assert_eq!(validate_invariants(&design), []);
    let mut table = (*design.table).clone();
    table.type_attribute = Some("entityType".into());
    let command = Command::UpdateTable {
        table: Box::new(table),
        field: "type attribute",
    };
    let next = apply(&design, command).unwrap();
    assert_eq!(validate_invariants(&next), []);
    insta::assert_snapshot!(keyfold_core::text::print(&next));
}

//! Writes: our preview of items, capacity and refusals matches the engine.
//!
//! Where the engine (dynoxide 3.2.0) and the documentation differ, we follow the documentation: see `queries` and
//! [`documented`].

use crate::ours;
use crate::queries::{self, Both};
use crate::random_expressions::{Expression, condition, joined, path, set, value, with_values};
use crate::random_queries::{filled, keys, other_attributes};
use keyfold_core::engine::query::{Attributes, Change, Preview, Rejection};
use keyfold_core::model::{Design, IndexId, Value};
use keyfold_test_support::cases;
use keyfold_test_support::tables::{self, key, table, values};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index as Pick, select, subsequence};
use serde_json::{Value as Json, json};

/// The page of AWS's documentation for requests that we refuse and the engine accepts.
fn documented(rejection: &Rejection, in_transaction: bool) -> Option<&'static str> {
    match rejection {
        Rejection::Canceled(reasons) => {
            let mut all = reasons.iter().flatten();
            all.find_map(|reason| documented(reason, in_transaction))
        }
        // In a transaction the engine checks the values of ADD, DELETE, + and list_append only where they are
        // applied.
        Rejection::Expression(error) if in_transaction => {
            let messages = [
                "needs a set",
                "a number or a set",
                "need numbers",
                "needs lists",
            ];
            let known = messages
                .iter()
                .any(|message| error.message.contains(message));
            known
                .then_some("Update expressions: ADD, DELETE, SET")
                .or(queries::documented(rejection))
        }
        // There it allows REMOVE of a key, although it refuses SET of one.
        Rejection::ChangesKey { .. } if in_transaction => Some("API reference: Update"),
        other => queries::documented(other),
    }
}

fn assigned() -> impl Strategy<Value = Expression> {
    let operand = || prop_oneof![path(), value().prop_map(Expression::value)];
    let lists = || {
        prop_oneof![
            path(),
            vec(value(), 0..2).prop_map(|list| Expression::value(Value::L(list))),
        ]
    };
    let numbers = || {
        prop_oneof![
            3 => path(),
            3 => (-3..3i64).prop_map(|number| Expression::value(number.into())),
            1 => value().prop_map(Expression::value),
        ]
    };
    fn value_of(text: &str, values: Vec<Value>) -> Expression {
        Expression {
            text: text.to_owned(),
            values,
        }
    }
    prop_oneof![
        4 => operand(),
        3 => (numbers(), select(vec!["@ + @", "@ - @"]), numbers())
            .prop_map(|(left, form, right)| joined(form, &[&left, &right])),
        2 => (path(), operand()).prop_map(|(path, other)| joined("if_not_exists(@, @)", &[&path, &other])),
        2 => (path(), numbers()).prop_map(|(path, number)| {
            let zero = value_of("?", vec![0.into()]);
            joined("if_not_exists(@, @) + @", &[&path, &zero, &number])
        }),
        2 => (lists(), lists()).prop_map(|(first, second)| joined("list_append(@, @)", &[&first, &second])),
    ]
}

fn list(
    word: &'static str,
    one: impl Strategy<Value = Expression> + 'static,
) -> BoxedStrategy<Expression> {
    let clause = move |all: Vec<Expression>| {
        let mut text = word.to_owned();
        let mut values = Vec::new();
        for (at, one) in all.into_iter().enumerate() {
            text.push_str(if at == 0 { " " } else { ", " });
            text.push_str(&one.text);
            values.extend(one.values);
        }
        Expression { text, values }
    };
    vec(one, 1..3).prop_map(clause).boxed()
}

/// An update of one or two clauses, sometimes of a key attribute.
fn update() -> impl Strategy<Value = Expression> {
    let target = || {
        let keys = select(vec!["k0", "k3", "k7", "PK", "extra", "doc.c", "doc.b[7]"]);
        prop_oneof![4 => path(), 1 => keys.prop_map(|name| Expression { text: name.to_owned(), values: Vec::new() })]
    };
    let with_value = || {
        let fitting = prop_oneof![
            3 => (-3..3i64).prop_map(Value::from),
            3 => set(),
            1 => value(),
        ];
        (target(), fitting)
            .prop_map(|(path, value)| joined("@ @", &[&path, &Expression::value(value)]))
    };
    let set = (target(), assigned()).prop_map(|(path, value)| joined("@ = @", &[&path, &value]));
    let clause = prop_oneof![
        5 => list("SET", set),
        2 => list("REMOVE", target()),
        2 => list("ADD", with_value()),
        2 => list("DELETE", with_value()),
    ];
    (clause.clone(), prop::option::weighted(0.3, clause)).prop_map(|(first, second)| match second {
        Some(second) => joined("@ @", &[&first, &second]),
        None => first,
    })
}

/// A write, as numbers that select parts of any design.
#[derive(Debug, Clone)]
struct Asked {
    kind: usize,
    item: Pick,
    new: bool,
    others: Attributes,
    update: Expression,
    condition: Option<Expression>,
}

fn asked() -> impl Strategy<Value = Asked> {
    let condition = prop::option::weighted(0.3, condition());
    let new = prop::bool::weighted(0.3);
    (
        0..6usize,
        any::<Pick>(),
        new,
        other_attributes(),
        update(),
        condition,
    )
        .prop_map(|(kind, item, new, others, update, condition)| Asked {
            kind,
            item,
            new,
            others,
            update,
            condition,
        })
}

/// The operation and its request, without the table.
fn request(design: &Design, asked: &Asked, keys: &[Attributes]) -> (&'static str, Json) {
    let samples: Vec<Attributes> = (design.samples.values())
        .flat_map(|samples| samples.iter().map(|sample| sample.values.to_map()))
        .collect();
    let values = match asked.new {
        true => asked.item.get(keys),
        false => asked.item.get(&samples),
    };
    let names = design.table.key.attributes().map(|key| &key.name);
    let key: Attributes = names
        .map(|name| (name.clone(), values[name].clone()))
        .collect();
    let (operation, mut request) = match asked.kind {
        0 => ("DeleteItem", json!({ "Key": ours::wire(&key) })),
        1 => {
            let mut item = asked.item.get(keys).clone();
            item.extend(key);
            item.extend(asked.others.clone());
            ("PutItem", json!({ "Item": ours::wire(&item) }))
        }
        _ => {
            let mut request = json!({ "Key": ours::wire(&key) });
            with_values(&mut request, "UpdateExpression", &asked.update);
            ("UpdateItem", request)
        }
    };
    if let Some(condition) = &asked.condition {
        with_values(&mut request, "ConditionExpression", condition);
    }
    (operation, request)
}

/// Compares the item stored under a key and the consumed capacity after a write to the engine.
fn compare(both: &Both, preview: &Preview, answer: &Json, place: &str, requests: &[Json]) {
    let capacity = match &answer["ConsumedCapacity"] {
        Json::Array(all) => &all[0],
        one => one,
    };
    let units = capacity["CapacityUnits"].as_f64().expect("asked for");
    let changes = || preview.changes.iter().zip(requests);
    if !changes().any(removes_nothing) {
        assert_eq!(preview.units, units, "{place}");
    }
    for (change, _) in changes().filter(|change| !removes_nothing(*change)) {
        let stored = both.db.get(json!({ "Key": ours::wire(&change.key) }));
        let stored = stored.as_ref().map(ours::attributes);
        assert_eq!(change.after, stored, "{place}");
        for entry in &change.entries {
            if entry.index != IndexId::PRIMARY {
                let index = both.stored.design().index_name(entry.index);
                let same = |item: &&Json| {
                    let item = ours::attributes(item);
                    change
                        .key
                        .iter()
                        .all(|(name, value)| item.get(name) == Some(value))
                };
                let all = both.db.scan(Some(index));
                let found = all.iter().find(same).map(ours::attributes);
                assert_eq!(entry.after, found, "{place}: {index}");
            }
        }
    }
}

/// Reverts a write in the engine.
fn restore(both: &Both, key: &Attributes) {
    match both.stored.item(key).unwrap() {
        Some(item) => both.db.put(&ours::wire(&item.to_map())),
        None => {
            let request = json!({ "Key": ours::wire(key) });
            both.db.ask("DeleteItem", request).unwrap();
        }
    }
}

/// The primary key in a request.
fn key_of(design: &Design, request: &Json) -> Attributes {
    let named = match &request["Key"] {
        Json::Null => &request["Item"],
        key => key,
    };
    let mut key = ours::attributes(named);
    key.retain(|name, _| design.table.key.attributes().any(|own| own.name == *name));
    key
}

/// The outcome of a write or transaction on both sides.
#[derive(PartialEq)]
enum Outcome {
    Done,
    Refused,
    /// Only we refuse it, for a documented reason.
    OursOnly,
}

/// Compares our preview of a write with what the engine did.
fn judge(
    both: &Both,
    ours: Result<Preview, Rejection>,
    engine: Result<Json, String>,
    place: &str,
    requests: &[Json],
    in_transaction: bool,
) -> Outcome {
    match (ours, engine) {
        (Ok(preview), Ok(answer)) => {
            compare(both, &preview, &answer, place, requests);
            Outcome::Done
        }
        (Err(ours), Err(engine)) => {
            let failed = engine.contains("conditional request failed")
                || engine.contains("ConditionalCheckFailed");
            // We report errors of the request itself first.
            assert!(
                failed || !fails_a_condition(&ours),
                "{place}: {ours}, but {engine}"
            );
            Outcome::Refused
        }
        (Err(ours), Ok(_)) if documented(&ours, in_transaction).is_some() => Outcome::OursOnly,
        (Err(ours), Ok(_)) => panic!("{place}: {ours}"),
        // DynamoDB accepts any path in an update that only removes, if there is no item. The engine checks the path.
        (Ok(preview), Err(_)) if (preview.changes.iter().zip(requests)).any(removes_nothing) => {
            Outcome::OursOnly
        }
        (Ok(_), Err(engine)) => panic!("{place}: but {engine}"),
    }
}

/// Whether a change is that of an update that only removes, where there is no item. DynamoDB creates none; the engine does.
fn removes_nothing((change, request): (&Change, &Json)) -> bool {
    let update = request["UpdateExpression"].as_str();
    let only_removes = |update: &str| {
        let mut words = update.split_whitespace();
        !update.is_empty() && !words.any(|word| ["SET", "ADD"].contains(&word))
    };
    change.before.is_none() && change.after.is_none() && update.is_some_and(only_removes)
}

fn fails_a_condition(rejection: &Rejection) -> bool {
    match rejection {
        Rejection::ConditionFailed => true,
        Rejection::Canceled(reasons) => reasons.iter().flatten().any(fails_a_condition),
        _ => false,
    }
}

/// Clauses that update elements of the same list.
fn list_update() -> impl Strategy<Value = Expression> {
    let target = || {
        let places = [
            "b", "b[0]", "b[1]", "b[2]", "b[3]", "b[7]", "b[0].a", "b[0][0]", "b[1].a",
        ];
        select(places.to_vec()).prop_map(|place| Expression {
            text: format!("doc.{place}"),
            values: Vec::new(),
        })
    };
    let element = || element().prop_map(Expression::value);
    let pair = move || (target(), element());
    let clauses = (
        list(
            "SET",
            pair().prop_map(|(path, value)| joined("@ = @", &[&path, &value])),
        ),
        list("REMOVE", target()),
        list(
            "ADD",
            pair().prop_map(|(path, value)| joined("@ @", &[&path, &value])),
        ),
        list(
            "DELETE",
            pair().prop_map(|(path, value)| joined("@ @", &[&path, &value])),
        ),
    );
    let orders = select(vec![[0, 1], [0, 2], [0, 3], [1, 0], [1, 2], [1, 3], [2, 3]]);
    (clauses, orders).prop_map(|((set, remove, add, delete), order)| {
        let all = [set, remove, add, delete];
        joined("@ @", &order.map(|at| &all[at]))
    })
}

fn element() -> impl Strategy<Value = Value> {
    let texts = subsequence(vec!["a".to_owned(), "b".to_owned()], 1..=2);
    prop_oneof![
        2 => (-3..3i64).prop_map(Value::from),
        2 => texts.prop_map(|texts| Value::Ss(texts.into_iter().collect())),
        1 => Just(Value::L(vec![1.into()])),
        1 => Just(Value::M(values([("a", 1.into())]))),
    ]
}

fn case(writes: usize) -> impl Strategy<Value = (Design, Vec<Asked>, Vec<Attributes>)> {
    filled().prop_flat_map(move |design| {
        let keys = vec(keys(&design), 3);
        (Just(design), vec(asked(), writes), keys)
    })
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn random_writes_match_the_engine((design, all, keys) in case(24)) {
        let both = Both::new("random", &design);
        for asked in &all {
            let (operation, request) = request(&design, asked, &keys);
            let place = format!("{operation} {request}");
            let ours = ours::write(&both.stored, operation, &request);
            let engine = both.db.ask(operation, request.clone());
            let requests = std::slice::from_ref(&request);
            if judge(&both, ours, engine, &place, requests, false) != Outcome::Refused {
                // Ours was only a preview.
                restore(&both, &key_of(&design, &request));
            }
        }
    }

    #[test]
    fn list_updates_match_the_engine(
        elements in vec(element(), 0..4),
        updates in vec(list_update(), 48),
    ) {
        let own = values([("PK", "p".into())]);
        let mut item = own.clone();
        item.extend(values([("doc", Value::M(values([("b", Value::L(elements))])))]));
        let both = Both::new("list", &tables::filled(table(key(&["PK"], &[]), []), [item]));
        for update in &updates {
            let mut request = json!({ "Key": ours::wire(&own) });
            with_values(&mut request, "UpdateExpression", update);
            let ours = ours::write(&both.stored, "UpdateItem", &request);
            let engine = both.db.ask("UpdateItem", request.clone());
            let requests = std::slice::from_ref(&request);
            let place = request.to_string();
            if judge(&both, ours, engine, &place, requests, false) != Outcome::Refused {
                restore(&both, &own);
            }
        }
    }

    #[test]
    fn random_transactions_match_the_engine(
        (design, all, keys) in case(24),
        sizes in vec(1..4usize, 12),
        checks in vec(any::<bool>(), 24),
    ) {
        let both = Both::new("random", &design);
        let mut all = all.iter().zip(checks);
        for size in sizes {
            let mut actions = Vec::new();
            for (asked, check) in all.by_ref().take(size) {
                let (operation, mut request) = request(&design, asked, &keys);
                request["TableName"] = json!(both.db.table());
                let kind = match operation {
                    "DeleteItem" if check && request["ConditionExpression"].is_string() => "ConditionCheck",
                    other => other.trim_end_matches("Item"),
                };
                actions.push(json!({ kind: request }));
            }
            if actions.is_empty() {
                break;
            }
            let place = format!("{actions:?}");
            let ours = ours::transact_write(&both.stored, &actions);
            let engine = both.db.ask("TransactWriteItems", json!({ "TransactItems": actions }));
            let requests: Vec<Json> = (actions.iter())
                .map(|action| action.as_object().unwrap().values().next().unwrap().clone())
                .collect();
            if judge(&both, ours, engine, &place, &requests, true) != Outcome::Refused {
                for action in &actions {
                    let request = action.as_object().unwrap().values().next().unwrap();
                    restore(&both, &key_of(&design, request));
                }
            }
        }
    }
}

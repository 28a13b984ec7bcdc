//! Changing the type of an attribute: values are converted if nothing is lost, and others are reported.

use keyfold_app::retype::{convert, preview};
use keyfold_app::{Command, Document, apply};
use keyfold_core::library::{self, find};
use keyfold_core::model::AttributeType::{B, Bool, Bs, L, M, N, Ns, Null, S, Ss};
use keyfold_core::model::*;
use keyfold_test_support::cases;
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

fn value(json: serde_json::Value) -> Value {
    Value::from_dynamodb_json(&json).expect("DynamoDB JSON")
}

#[test]
fn values_are_converted_without_loss() {
    for (from, to) in [
        (json!({"S": "42"}), json!({"N": "42"})),
        (json!({"S": "-0.5"}), json!({"N": "-0.5"})),
        (json!({"S": "true"}), json!({"BOOL": true})),
        (json!({"S": "null"}), json!({"NULL": true})),
        (json!({"S": "aGk="}), json!({"B": "aGk="})),
        (json!({"S": "red"}), json!({"SS": ["red"]})),
        (json!({"S": "red"}), json!({"L": [{"S": "red"}]})),
        (json!({"N": "7"}), json!({"NS": ["7"]})),
        (json!({"N": "7"}), json!({"L": [{"N": "7"}]})),
        (json!({"B": "aGk="}), json!({"BS": ["aGk="]})),
        (json!({"BOOL": false}), json!({"L": [{"BOOL": false}]})),
        (
            json!({"M": {"a": {"N": "1"}}}),
            json!({"L": [{"M": {"a": {"N": "1"}}}]}),
        ),
        (
            json!({"SS": ["a", "b"]}),
            json!({"L": [{"S": "a"}, {"S": "b"}]}),
        ),
        (
            json!({"NS": ["2", "10"]}),
            json!({"L": [{"N": "2"}, {"N": "10"}]}),
        ),
        (json!({"SS": ["a", "b"]}), json!({"S": "[\"a\",\"b\"]"})),
        (json!({"M": {"a": {"N": "1"}}}), json!({"S": "{\"a\":1}"})),
        (json!({"L": []}), json!({"S": "[]"})),
    ] {
        let (from, to) = (value(from), value(to));
        assert_eq!(convert(&from, to.kind()).as_ref(), Ok(&to), "{from:?}");
        assert_eq!(
            convert(&to, from.kind()).as_ref(),
            Ok(&from),
            "{to:?} and back"
        );
    }
    // JSON with spaces keeps its meaning.
    let spaced = Value::S(r#" { "a" : [1, "x"] } "#.into());
    let map = value(json!({"M": {"a": {"L": [{"N": "1"}, {"S": "x"}]}}}));
    assert_eq!(convert(&spaced, M), Ok(map));
    let set = value(json!({"SS": ["a", "b"]}));
    assert_eq!(
        convert(&Value::S(r#"["b", "a"]"#.into()), L).map(|v| v.kind()),
        Ok(L)
    );
    assert_eq!(convert(&Value::S(r#"["a", "b"]"#.into()), Ss), Ok(set));
}

#[test]
fn lossy_conversions_are_refused_with_a_reason() {
    for (from, to, reason) in [
        (json!({"S": "many"}), N, "not a number"),
        (json!({"S": "007"}), N, "it would become `7`"),
        (json!({"S": "1.50"}), N, "it would become `1.5`"),
        (json!({"S": " 5"}), N, "it would become `5`"),
        (json!({"S": ""}), N, "not a number"),
        (json!({"S": ""}), Null, "it would become `null`"),
        (
            json!({"S": "yes"}),
            Bool,
            "`yes` is not a boolean: type true or false",
        ),
        (json!({"S": "TRUE"}), Bool, "it would become `true`"),
        (json!({"S": "x"}), M, "this is not JSON"),
        (
            json!({"N": "1"}),
            Bool,
            "a value of type number cannot be converted to type boolean",
        ),
        (
            json!({"N": "1234"}),
            B,
            "a value of type number cannot be converted to type binary",
        ),
        (
            json!({"BOOL": true}),
            N,
            "a value of type boolean cannot be converted to type number",
        ),
        (
            json!({"NULL": true}),
            N,
            "a value of type null cannot be converted to type number",
        ),
        (
            json!({"N": "1"}),
            Ss,
            "a value of type number cannot be converted to type string set",
        ),
        (
            json!({"SS": ["1"]}),
            N,
            "a value of type string set cannot be converted to type number",
        ),
        (
            json!({"SS": ["1"]}),
            Ns,
            "a value of type string set cannot be converted to type number set",
        ),
        (
            json!({"L": [{"S": "b"}, {"S": "a"}]}),
            Ss,
            "it would become `[\"a\",\"b\"]`",
        ),
        (
            json!({"L": [{"S": "a"}, {"S": "a"}]}),
            Ss,
            "a value of type list cannot be converted to type string set",
        ),
        (
            json!({"L": []}),
            Bs,
            "a value of type list cannot be converted to type binary set",
        ),
        (
            json!({"L": [{"S": "a"}, {"N": "1"}]}),
            Ns,
            "a value of type list cannot be converted to type number set",
        ),
        (
            json!({"M": {}}),
            N,
            "a value of type map cannot be converted to type number",
        ),
        (json!({"S": "[1]"}), M, ""),
    ] {
        let from = value(from);
        let error = convert(&from, to).expect_err(&format!("{from:?} to {to}"));
        assert!(error.contains(reason), "{from:?} to {to}: {error}");
    }
}

#[test]
fn conversions_respect_the_nesting_limit() {
    let nested = |levels: usize| {
        (0..levels).fold(Value::Null, |inner, _| {
            Value::M([("k".to_owned(), inner)].into())
        })
    };
    assert!(convert(&nested(31), L).is_ok());
    let error = convert(&nested(32), L).expect_err("33 levels");
    assert_eq!(
        error,
        "a value of type map cannot be converted to type list"
    );
}

fn retyped(
    design: &Design,
    entity: &str,
    attribute: &str,
    kind: AttributeType,
) -> (EntityId, Command) {
    let id = design.entity_named(entity).expect("the entity exists");
    let before = design.entities[&id]
        .attribute(attribute)
        .expect("it has the attribute");
    let attribute = Attribute {
        kind,
        ..before.clone()
    };
    let command = Command::UpdateAttribute {
        entity: id,
        attribute: Box::new(attribute),
        field: "type",
    };
    (id, command)
}

fn library_design(name: &str) -> Design {
    find(name).expect("in the library").design().expect("sound")
}

/// Changes the type, checks the preview against the result, and returns the design and the report.
fn retype(design: &Design, entity: &str, name: &str, kind: AttributeType) -> (Design, Vec<String>) {
    let (id, command) = retyped(design, entity, name, kind);
    let attribute = design.entities[&id].attribute(name).unwrap().id;
    let told = preview(design, id, attribute, kind).expect("the attribute exists");
    let next = apply(design, command).expect("a type can always be changed");
    assert_eq!(validate_invariants(&next), []);
    let right = |design: &Design| {
        let samples = design.samples_of(id).iter();
        let values = samples.filter_map(|sample| sample.values.get(name));
        values.filter(|value| value.kind() == kind).count()
    };
    assert_eq!(
        told.converted,
        right(&next) - right(design),
        "{entity}.{name}"
    );
    // Afterwards the same function lists the values that still have another type.
    let after = preview(&next, id, attribute, kind).unwrap();
    assert_eq!((after.converted, &after.kept), (0, &told.kept));
    assert_eq!(after.remarks, [""; 0]);
    (next, told.lines())
}

#[test]
fn samples_formats_and_conditions_are_converted_or_reported() {
    // Design, entity, attribute, type, and messages.
    type Case<'a> = (&'a str, &'a str, &'a str, AttributeType, &'a [&'a str]);
    let cases: &[Case<'_>] = &[
        (
            "e-commerce",
            "Order",
            "orderId",
            N,
            &[
                "3 values converted",
                "OrderItem.orderId refers to this attribute and is of type S",
            ],
        ),
        (
            "e-commerce",
            "OrderItem",
            "itemId",
            N,
            &[
                "sample 1 keeps `01`: it would become `1`",
                "sample 2 keeps `02`: it would become `2`",
            ],
        ),
        (
            "e-commerce",
            "User",
            "userId",
            N,
            &[
                "1 value converted",
                "Order.userId refers to this attribute and is of type S",
            ],
        ),
        (
            "e-commerce",
            "Order",
            "status",
            Bool,
            &[
                "sample 1 keeps `PENDING`: `PENDING` is not a boolean: type true or false",
                "sample 2 keeps `SHIPPED`: `SHIPPED` is not a boolean: type true or false",
                "sample 3 keeps `PENDING`: `PENDING` is not a boolean: type true or false",
                "`PENDING` is removed from the format: `PENDING` is not a boolean: type true or false",
                "`SHIPPED` is removed from the format: `SHIPPED` is not a boolean: type true or false",
                "`DELIVERED` is removed from the format: `DELIVERED` is not a boolean: type true or false",
                "the format `One of` is removed: it does not generate values of type BOOL",
                "`PENDING` is removed from the condition of GSI1: `PENDING` is not a boolean: type true or false",
                "the condition of GSI1 on `status` is removed",
            ],
        ),
        ("e-commerce", "Order", "status", Ss, &["3 values converted"]),
        (
            "theatre-catalogue",
            "Show",
            "featured",
            S,
            &["4 values converted"],
        ),
        (
            "tournament-multi-attribute",
            "Match",
            "round",
            S,
            &[
                "5 values converted",
                "the format `Whole number` is removed: it does not generate values of type S",
                "`round` is a key attribute of MatchesByRegion, of type N",
                "`round` is a key attribute of MatchesOfPlayer, of type N",
            ],
        ),
        (
            "theatre-catalogue",
            "ShowGenre",
            "rating",
            S,
            &[
                "7 values converted",
                "the format `Reference` is removed: it does not generate values of type S",
            ],
        ),
    ];
    for (name, entity, attribute, kind, expected) in cases {
        let design = library_design(name);
        let (_, lines) = retype(&design, entity, attribute, *kind);
        assert_eq!(lines, *expected, "{name}: {entity}.{attribute}");
    }
}

#[test]
fn conditions_are_converted_with_their_attribute() {
    let design = library_design("theatre-catalogue");
    let (next, _) = retype(&design, "Show", "featured", S);
    let show = &next.entities[&next.entity_named("Show").unwrap()];
    let index = next.index_named("GSI2").unwrap();
    assert_eq!(show.keys[&index].when[0].test, Test::Equals("true".into()));
    let format = &show.attribute("featured").unwrap().format;
    let Some(Format::OneOf(choices)) = format else {
        panic!("{format:?}");
    };
    assert_eq!((&choices[0].value, choices[0].weight), (&"false".into(), 4));
}

#[test]
fn typed_parameters_are_converted() {
    let design = library_design("e-commerce");
    let (next, _) = retype(&design, "OrderItem", "amount", S);
    let mut all = next.access_patterns.values();
    let place = all
        .find(|pattern| pattern.name == "Place an order")
        .unwrap();
    assert_eq!(place.parameters["amount"], "1".into());
}

#[test]
fn retyping_is_one_undo_step_and_shares_unchanged_parts() {
    let design = library_design("e-commerce");
    let (id, command) = retyped(&design, "Order", "orderId", N);
    let mut document = Document::new(design.clone());
    document.run(command, 0.0).unwrap();
    for (other, samples) in &document.design().samples {
        assert_eq!(Arc::ptr_eq(samples, &design.samples[other]), *other != id);
    }
    document.undo().unwrap();
    assert_eq!(document.design().samples, design.samples);
    assert_eq!(document.design().entities, design.entities);
    assert!(document.undo().is_none());
}

#[test]
fn a_rename_and_a_new_type_can_be_combined() {
    let design = library_design("e-commerce");
    let (id, _) = retyped(&design, "Order", "orderId", N);
    let before = design.entities[&id].attribute("orderId").unwrap();
    let attribute = Attribute {
        name: "number".into(),
        kind: N,
        ..before.clone()
    };
    let command = Command::UpdateAttribute {
        entity: id,
        attribute: Box::new(attribute),
        field: "both",
    };
    let next = apply(&design, command).unwrap();
    assert_eq!(validate_invariants(&next), []);
    assert_eq!(next.samples_of(id)[0].values["number"], 456.into());
    assert_eq!(next.samples_of(id)[0].values.get("orderId"), None);
}

#[test]
fn every_library_attribute_can_take_every_type_and_return() {
    for entry in library::patterns() {
        let design = entry.design().unwrap();
        for entity in design.entities.values() {
            for attribute in &entity.attributes {
                for kind in AttributeType::ALL {
                    let (next, _) = retype(&design, &entity.name, &attribute.name, kind);
                    let (back, _) = retype(&next, &entity.name, &attribute.name, attribute.kind);
                    let place = format!("{}: {}.{}", entry.name, entity.name, attribute.name);
                    assert_eq!(back.samples, design.samples, "{place} by {kind}");
                }
            }
        }
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        "-?[1-9][0-9]{0,20}\\.[0-9]{0,8}[1-9]"
    ]
    .prop_map(|text| text.parse::<Number>().expect("a number"));
    let scalar = prop_oneof![
        "\\PC{0,6}|[0-9]{1,4}|true|null|\\[\"a\"\\]|\\{\\}".prop_map(Value::S),
        number.clone().prop_map(Value::N),
        prop::collection::vec(any::<u8>(), 0..5).prop_map(Value::B),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        prop::collection::btree_set("[ab]{1,2}", 1..3)
            .prop_map(|all| Value::Ss(all.into_iter().collect())),
        prop::collection::btree_set(number, 1..3)
            .prop_map(|all| Value::Ns(all.into_iter().collect())),
        prop::collection::btree_set(prop::collection::vec(any::<u8>(), 1..3), 1..3)
            .prop_map(|all| Value::Bs(all.into_iter().collect())),
    ];
    scalar.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::L),
            prop::collection::btree_map("[ab]{1,2}|S|N", inner, 0..3)
                .prop_map(|all| Value::M(all.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn conversions_can_be_reversed(value in any_value(), to in 0..AttributeType::ALL.len()) {
        let kind = AttributeType::ALL[to];
        if let Ok(converted) = convert(&value, kind) {
            prop_assert_eq!(converted.kind(), kind);
            let back = convert(&converted, value.kind());
            // JSON typed by the user is normalized.
            let respelled = matches!(value, Value::S(_)) && matches!(kind, L | M | Ss | Ns | Bs);
            prop_assert!(back == Ok(value.clone()) || respelled, "{:?} {:?} {:?}", value, converted, back);
        }
    }
}

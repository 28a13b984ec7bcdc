//! The form that generates samples.

use keyfold_app::formats::describe;
use keyfold_app::generate_form::{entity_options, preview, requested_rows, summary};
use keyfold_app::{Command, SampleEdits, apply};
use keyfold_core::engine::generate::{Amount, Request, examples, generate};
use keyfold_core::library::patterns;
use keyfold_core::model::*;

fn pattern(name: &str) -> Design {
    let pattern = patterns().iter().find(|pattern| pattern.name == name);
    pattern.expect("in the library").design().expect("sound")
}

fn name(design: &Design, id: EntityId) -> &str {
    &design.entities[&id].name
}

fn id(design: &Design, name: &str) -> EntityId {
    let found = design.entities.iter().find(|(_, e)| e.name == name);
    *found.expect("an entity of this name").0
}

#[test]
fn the_form_defaults_to_a_few_rows_per_parent() {
    let design = pattern("e-commerce");
    let starts: Vec<String> = entity_options(&design)
        .iter()
        .map(|offer| {
            assert_eq!(offer.obstacle, None);
            let per = offer.start.per.map_or("in all", |id| name(&design, id));
            let entity = name(&design, offer.start.entity);
            format!("{entity}: {} {per}", offer.start.count)
        })
        .collect();
    insta::assert_snapshot!(starts.join("\n"), @r"
    User: 10 in all
    Order: 3 User
    OrderItem: 3 Order
    Product: 10 in all
    ");
}

#[test]
fn the_defaults_can_be_generated_for_every_library_design() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        for replace in [false, true] {
            let request = Request {
                amounts: entity_options(&design)
                    .iter()
                    .map(|offer| offer.start)
                    .collect(),
                replace,
                seed: 1,
            };
            let counts = requested_rows(&design, &request);
            let generated = generate(&design, &request);
            let generated = generated.unwrap_or_else(|why| panic!("{}: {why}", pattern.name));
            for (amount, count) in request.amounts.iter().zip(counts) {
                let made = generated
                    .added
                    .iter()
                    .filter(|(id, _)| *id == amount.entity);
                let (made, name) = (made.count() as u64, name(&design, amount.entity));
                // Fewer parents than requested mean fewer children.
                let fell_short = !generated.remarks.is_empty();
                assert!(
                    made == count || made < count && fell_short,
                    "{}: {made} of {count} {name}, {:?}",
                    pattern.name,
                    generated.remarks
                );
            }
            let edits = SampleEdits::from(generated);
            let next = apply(&design, Command::EditSamples(Box::new(edits))).expect("sound");
            assert_eq!(validate_invariants(&next), []);
        }
    }
}

#[test]
fn the_preview_matches_the_generated_rows() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let request = Request {
            amounts: entity_options(&design)
                .iter()
                .map(|offer| offer.start)
                .collect(),
            replace: false,
            seed: 1,
        };
        let generated = generate(&design, &request).expect("can be");
        let made = |amount: &Amount| {
            let added = generated.added.iter();
            added.filter(|(id, _)| *id == amount.entity).count() as u64
        };
        let told = preview(&design, &request);
        let made: Vec<u64> = request.amounts.iter().map(made).collect();
        assert_eq!(told.rows, made, "{}", pattern.name);
        assert_eq!(told.remarks, generated.remarks, "{}", pattern.name);
    }
    // Only two tenants are possible, so there are fewer children.
    let design = pattern("saas-orders");
    let request = Request {
        amounts: entity_options(&design)
            .iter()
            .map(|offer| offer.start)
            .collect(),
        replace: false,
        seed: 1,
    };
    let told = preview(&design, &request);
    assert!(told.rows < requested_rows(&design, &request), "{told:?}");
    assert_ne!(told.remarks, [""; 0]);
    // Large requests are not generated to count them.
    let amounts = vec![Amount {
        entity: id(&design, "Tenant"),
        count: 1001,
        per: None,
    }];
    let many = Request { amounts, ..request };
    assert_eq!(preview(&design, &many).rows, [1001]);
}

#[test]
fn the_preview_counts_what_the_generator_makes() {
    let design = pattern("e-commerce");
    let (user, order) = (id(&design, "User"), id(&design, "Order"));
    let users = design.samples_of(user).len() as u64;
    let amount = |entity, count, per| Amount { entity, count, per };
    for (amounts, replace, expected) in [
        (vec![amount(order, 1000, None)], false, vec![1000]),
        (vec![amount(order, 4, Some(user))], false, vec![4 * users]),
        (
            vec![amount(order, 4, Some(user)), amount(user, 6, None)],
            false,
            vec![4 * (users + 6), 6],
        ),
        (
            vec![amount(order, 4, Some(user)), amount(user, 6, None)],
            true,
            vec![24, 6],
        ),
    ] {
        let request = Request {
            amounts,
            replace,
            seed: 1,
        };
        assert_eq!(requested_rows(&design, &request), expected, "{request:?}");
    }
    let request = Request {
        amounts: vec![amount(user, 2, None), amount(order, 3, Some(user))],
        replace: true,
        seed: 1,
    };
    let generated = generate(&design, &request).expect("it can");
    assert_eq!(
        summary(&design, &generated),
        "8 rows generated: 6 Order, 2 User. Undo reverts this."
    );
}

#[test]
fn entities_that_refer_to_each_other_are_not_both_children() {
    let mut design = pattern("e-commerce");
    let (user, order) = (id(&design, "User"), id(&design, "Order"));
    let mut attribute = Attribute::new(AttributeId(0), "lastOrder", AttributeType::S);
    attribute.format = Some(Format::Reference {
        entity: order,
        attribute: "orderId".into(),
        distribution: Distribution::Uniform,
    });
    design = apply(&design, Command::AddAttribute(user, attribute)).expect("sound");
    let starts = entity_options(&design);
    let per = |id| {
        starts
            .iter()
            .find(|o| o.start.entity == id)
            .map(|o| o.start.per)
    };
    assert_eq!(per(user), Some(Some(order)));
    assert_eq!(per(order), Some(None), "its user waits for it already");
}

#[test]
fn formats_have_descriptions_and_examples() {
    let mut design = pattern("e-commerce");
    let (user, order) = (id(&design, "User"), id(&design, "Order"));
    let timestamps = |from: &str, to: &str| Format::Timestamp {
        from: from.into(),
        to: to.into(),
    };
    let decimal = |min: &str, places| Format::Decimal {
        min: min.into(),
        max: "9.5".into(),
        places,
    };
    let choice = |text: &str| Choice {
        value: Value::S(text.into()),
        weight: 1,
    };
    let mut lines = Vec::new();
    for (kind, format) in [
        (
            AttributeType::S,
            timestamps("2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z"),
        ),
        (
            AttributeType::S,
            timestamps("2026-12-31T00:00:00Z", "2026-01-01T00:00:00Z"),
        ),
        (AttributeType::N, Format::Integer { min: -3, max: 3 }),
        (AttributeType::N, decimal("1", 2)),
        (AttributeType::N, decimal("1.25", 1)),
        (
            AttributeType::S,
            Format::OneOf(vec![choice("red"), choice("green")]),
        ),
        (AttributeType::S, Format::Constant(Value::S("v1".into()))),
        (
            AttributeType::S,
            Format::Sequence {
                prefix: "ORD-".into(),
                start: 7,
                digits: 3,
            },
        ),
        (AttributeType::S, Format::PersonName),
    ] {
        let mut attribute = Attribute::new(AttributeId(0), "thing", kind);
        let words = describe(&design, &format);
        attribute.format = Some(format);
        let shown = match examples(&design, order, &attribute, 3) {
            Ok(values) => values
                .iter()
                .map(Value::to_text)
                .collect::<Vec<_>>()
                .join(" | "),
            Err(why) => format!("error: {why}"),
        };
        assert_eq!(
            examples(&design, order, &attribute, 3),
            examples(&design, order, &attribute, 3)
        );
        lines.push(format!("{words} -> {shown}"));
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
    Timestamp 2026-01-01 to 2026-12-31 -> 2026-05-28T16:59:20Z | 2026-11-28T16:32:00Z | 2026-11-26T12:13:18Z
    Timestamp 2026-12-31 to 2026-01-01T00:00:00Z -> error: its range ends (2026-01-01T00:00:00Z) before it starts (2026-12-31T00:00:00Z)
    Whole number -3 to 3 -> -1 | 3 | 1
    Decimal number 1 to 9.5 -> 4.44 | 8.73 | 8.68
    Decimal number 1.25 to 9.5 -> error: `1.25` is not a number with at most 1 digits after the decimal point
    One of red, green -> red | green
    Constant v1 -> v1
    Sequence from ORD-007 -> ORD-007 | ORD-008 | ORD-009
    Person name -> Lin Patel | Diego Smith | Rosa Ahmed
    ");

    // Examples of a reference are existing values, or otherwise future ones.
    let mut attribute = Attribute::new(AttributeId(0), "userId", AttributeType::S);
    let own = design.entities[&user].attributes[0].name.clone();
    let reference = Format::Reference {
        entity: user,
        attribute: own.clone(),
        distribution: Distribution::Uniform,
    };
    assert_eq!(
        describe(&design, &reference),
        format!("Reference User.{own}")
    );
    attribute.format = Some(reference);
    let known: Vec<Value> = (design.samples_of(user).iter())
        .map(|sample| sample.values[&own].clone())
        .take(3)
        .collect();
    assert_eq!(examples(&design, order, &attribute, 3), Ok(known));
    design.samples.clear();
    let of_user = design.entities[&user].attributes[0].clone();
    let to_come = examples(&design, user, &of_user, 3);
    assert_eq!(to_come.as_ref().map(Vec::len), Ok(3));
    assert_eq!(examples(&design, order, &attribute, 3), to_come);
}

#[test]
fn every_attribute_of_the_library_has_examples() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        for (id, entity) in &design.entities {
            for attribute in &entity.attributes {
                let values = examples(&design, *id, attribute, 3);
                let values = values.unwrap_or_else(|why| panic!("{}: {why}", pattern.name));
                assert!(!values.is_empty(), "{}: {}", pattern.name, attribute.name);
                let fits = |v: &Value| v.kind() == attribute.kind || *v == Value::Null;
                assert!(values.iter().all(fits), "{}: {values:?}", attribute.name);
            }
        }
    }
}

//! The form that generates samples.

use keyfold_app::generate_form::{
    entity_options, has_only_first_samples, preview, requested_rows, summary,
};
use keyfold_app::sample_format::describe;
use keyfold_app::{Command, SampleEdits, apply, suggest};
use keyfold_core::engine::generate::{Amount, Request, examples, generate, references};
use keyfold_core::engine::{materialize_all, view};
use keyfold_core::library::patterns;
use keyfold_core::model::*;
use keyfold_test_support::github::github;

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
fn an_attribute_that_is_in_no_key_makes_no_rows_per_parent() {
    let mut design = pattern("e-commerce");
    // The keys of an order without its user, which stays an attribute.
    let order = id(&design, "Order");
    let entity = std::sync::Arc::make_mut(design.entities.get_mut(&order).expect("there is one"));
    let entry = entity.keys.get_mut(&IndexId::PRIMARY).expect("it has keys");
    entry.partition = Some("ORDER#{orderId}".into());
    let user = entity.attributes.iter_mut().find(|a| a.name == "userId");
    user.expect("it has one").format = None;
    let options = entity_options(&design);
    let option = options.iter().find(|option| option.start.entity == order);
    let option = option.expect("it is offered");
    assert_eq!((option.start.count, option.start.per), (10, None));
    assert_eq!(
        option.parents,
        [id(&design, "User")],
        "it can still be chosen"
    );
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
fn entities_that_refer_to_each_other_are_counted_in_the_order_in_which_they_are_made() {
    let text = "design Shows

table Shows (PK)

entity Show
  showId ulid
  handle -> HandleGuard.handle
  key SHOW#{showId}

  | showId | handle |
  | s1     | one    |
  | s2     | two    |

entity HandleGuard
  handle string
  showId -> Show
  key HANDLE#{handle}

  | handle | showId |
  | one    | s1     |
  | two    | s2     |
";
    let lowered = keyfold_core::text::lower(&keyfold_core::text::parse(text), None);
    assert!(lowered.problems.is_empty(), "{:?}", lowered.problems);
    let design = lowered.design;
    let (show, guard) = (id(&design, "Show"), id(&design, "HandleGuard"));
    let each = |entity, count, per| Amount {
        entity,
        count,
        per: Some(per),
    };
    let request = Request {
        amounts: vec![each(show, 400, guard), each(guard, 1, show)],
        replace: false,
        seed: 1,
    };
    // The guards of the shows are made afterwards.
    let told = preview(&design, &request);
    assert_eq!(told.rows, [800, 802]);
    let made = generate(&design, &request).expect("it can be");
    let shows = made.added.iter().filter(|(entity, _)| *entity == show);
    assert_eq!(shows.count(), 800);
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
        "8 samples generated: 6 Order, 2 User."
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

#[test]
fn a_chain_of_a_thousand_parents_can_be_requested() {
    let mut design = Design::new("Chain");
    let ids: Vec<EntityId> = (0..1000).map(|_| EntityId(design.take_id())).collect();
    for (at, id) in ids.iter().enumerate() {
        // Each refers to the next one, so that the order of generation is the reverse of the ids' order.
        let mut entity = Entity::new(format!("E{at}"), 0);
        let attributes = [format!("e{at}Id"), format!("e{}Id", at + 1)];
        for name in attributes {
            let attribute = AttributeId(design.take_id());
            (entity.attributes).push(Attribute::new(attribute, name, AttributeType::S));
        }
        let sort = format!("E{}#{{e{}Id}}", at + 1, at + 1);
        let entry = IndexEntry::pair(format!("E{at}#{{e{at}Id}}"), sort);
        entity.keys.insert(IndexId::PRIMARY, entry);
        design.entities.insert(*id, entity.into());
    }
    let mut amounts: Vec<Amount> = entity_options(&design).iter().map(|o| o.start).collect();
    assert_eq!(amounts[0].per, Some(ids[1]));
    for amount in &mut amounts {
        amount.count = 1;
    }
    let request = Request {
        amounts,
        replace: false,
        seed: 1,
    };
    assert_eq!(requested_rows(&design, &request), vec![1; 1000]);
    let generated = generate(&design, &request).expect("no cycle");
    assert_eq!(generated.added.len(), 1000);
    assert_eq!(generated.added[0].0, ids[999], "parents first");
}

/// The references of a design, one per line: `Order.userId -> User.userId`.
fn references_of(design: &Design) -> String {
    let lines = references(design).into_iter().map(|reference| {
        format!(
            "{}.{} -> {}.{}",
            name(design, reference.entity),
            reference.attribute,
            name(design, reference.target),
            reference.target_attribute
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn references_follow_from_names_and_templates() {
    insta::assert_snapshot!(references_of(&github()), @r"
    Membership.orgName -> Organization.orgName
    Membership.username -> User.username
    Repo.owner -> User.username
    Issue.owner -> Repo.owner
    Issue.repo -> Repo.repoName
    Issue.creator -> User.username
    Pull request.owner -> Repo.owner
    Pull request.repo -> Repo.repoName
    Pull request.creator -> User.username
    Issue comment.owner -> User.username
    Issue comment.repo -> Repo.repoName
    Issue comment.issueNumber -> Issue.issueNumber
    Issue comment.author -> User.username
    Star.owner -> Repo.owner
    Star.repo -> Repo.repoName
    Star.username -> User.username
    Fork.originalOwner -> Repo.owner
    Fork.repo -> Repo.repoName
    Fork.forkOwner -> User.username
    Gist.owner -> User.username
    ");
}

#[test]
fn only_samples_that_nobody_edited_are_first_samples() {
    let mut design = Design::new("Shop");
    for name in ["User", "Order"] {
        let at = Point { x: 0, y: 0 };
        let name = name.into();
        design = apply(&design, Command::AddEntity { name, at }).expect("a free name");
    }
    assert!(has_only_first_samples(&design));
    let (user, sample) = (
        id(&design, "User"),
        design.samples_of(id(&design, "User"))[0].id,
    );
    let attribute = design.entities[&user].attributes[0].name.clone();
    let set = Command::SetValue {
        entity: user,
        sample,
        attribute: attribute.clone(),
        value: Some(Value::from("alice")),
    };
    let edited = apply(&design, set).expect("a value");
    assert!(!has_only_first_samples(&edited), "{attribute} was entered");
    let values = suggest::next_sample(&design, user);
    let second = apply(&design, Command::AddSample(user, values)).expect("a sample");
    assert!(!has_only_first_samples(&second));
}

#[test]
fn the_defaults_fill_item_collections() {
    let design = github();
    let request = Request {
        amounts: entity_options(&design).iter().map(|o| o.start).collect(),
        replace: true,
        seed: 1,
    };
    let generated = generate(&design, &request).expect("it can be generated");
    assert_eq!(generated.remarks, Vec::<String>::new());
    let edits = SampleEdits::from(generated);
    let design = apply(&design, Command::EditSamples(Box::new(edits))).expect("sound");
    assert_eq!(validate_invariants(&design), []);
    let items: Vec<_> = materialize_all(&design).into_values().collect();
    let mut lines = Vec::new();
    for index in design.index_ids() {
        let view = view(&design, index, &items);
        assert_eq!(view.failed.len(), 0);
        let (rows, groups) = (view.rows.len(), view.groups.len());
        let mixed = view.groups.iter().filter(|group| {
            let rows = group.rows.clone().filter_map(|at| view.rows.get(at));
            SortedSet::from_iter(rows.map(|row| row.item.entity)).len() > 1
        });
        lines.push(format!(
            "{}: {rows} rows in {groups} collections, {} with several entities",
            design.index_name(index),
            mixed.count()
        ));
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
    Table: 560 rows in 109 collections, 50 with several entities
    GSI1: 246 rows in 10 collections, 10 with several entities
    GSI2: 226 rows in 111 collections, 0 with several entities
    ");
    // Every value of a reference is a value of what it refers to.
    for reference in references(&design) {
        let values = |id: EntityId, name: &str| -> SortedSet<Value> {
            let samples = design.samples_of(id).iter();
            SortedSet::from_iter(samples.filter_map(|sample| sample.values.get(name).cloned()))
        };
        let targets = values(reference.target, &reference.target_attribute);
        for value in values(reference.entity, &reference.attribute).iter() {
            assert!(targets.contains(value), "{reference:?}: {value:?}");
        }
    }
    // Together, too: an issue is in a repository that its owner has.
    let pairs = |entity: &str, [first, second]: [&str; 2]| -> SortedSet<[Value; 2]> {
        let samples = design.samples_of(id(&design, entity)).iter();
        let value = |sample: &Sample, name: &str| sample.values.get(name).cloned();
        SortedSet::from_iter(
            samples.filter_map(|sample| Some([value(sample, first)?, value(sample, second)?])),
        )
    };
    let repos = pairs("Repo", ["owner", "repoName"]);
    for (entity, owner) in [
        ("Issue", "owner"),
        ("Pull request", "owner"),
        ("Issue comment", "owner"),
        ("Star", "owner"),
        ("Fork", "originalOwner"),
    ] {
        for pair in pairs(entity, [owner, "repo"]).iter() {
            assert!(repos.contains(pair), "{entity}: {pair:?}");
        }
    }
    // Users star the repositories of others, and comment on them.
    let starred = pairs("Star", ["owner", "username"]);
    assert!(starred.iter().any(|[owner, user]| owner != user));
    let commented = pairs("Issue comment", ["owner", "author"]);
    assert!(commented.iter().any(|[owner, author]| owner != author));
}

/// Measures 1000 entities with keys of one shape, and with keys of their own; run with
/// `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed_with_1000_entities() {
    let mut alike = Design::new("Alike");
    for at in 0..1000 {
        let id = EntityId(alike.take_id());
        let mut entity = Entity::new(format!("E{at}"), 0);
        for name in ["account", "group", "createdAt", "ownerId"] {
            let attribute = AttributeId(alike.take_id());
            (entity.attributes).push(Attribute::new(attribute, name, AttributeType::S));
        }
        let entry = IndexEntry::pair("ACCOUNT#{account}#{group}", format!("E{at}#{{createdAt}}"));
        entity.keys.insert(IndexId::PRIMARY, entry);
        alike.entities.insert(id, entity.into());
    }
    for design in [alike, keyfold_app::stress::design(1000)] {
        let started = std::time::Instant::now();
        let options = entity_options(&design);
        println!("{}: options in {:?}", design.name, started.elapsed());
        let request = Request {
            amounts: options.iter().map(|o| o.start).collect(),
            replace: true,
            seed: 1,
        };
        let started = std::time::Instant::now();
        let generated = generate(&design, &request).expect("it can be generated");
        let rows = generated.added.len();
        println!("{}: {rows} rows in {:?}", design.name, started.elapsed());
    }
}

//! Generated samples.

use keyfold_core::engine::generate::{
    Amount, Generated, Generator, MAX_ROWS, Parent, Request, generate, guess, obstacle, parents,
};
use keyfold_core::engine::{materialize_all, view};
use keyfold_core::library::patterns;
use keyfold_core::model::*;
use keyfold_core::model::{SortedMap, SortedSet};
use keyfold_test_support::{cases, with_samples};
use keyfold_test_support::{designs::full_design, template_designs};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::sync::Arc;

fn pattern(name: &str) -> Design {
    let pattern = patterns().iter().find(|pattern| pattern.name == name);
    pattern.expect("in the library").design().expect("sound")
}

/// Requests `count` rows of each entity that can have rows.
fn each(design: &Design, count: u32) -> Request {
    let able = design
        .entities
        .keys()
        .filter(|id| obstacle(design, **id).is_none());
    let amounts = able.map(|id| Amount {
        entity: *id,
        count,
        per: None,
    });
    Request {
        amounts: amounts.collect(),
        replace: true,
        seed: 7,
    }
}

/// The design with the generated rows.
fn applied(design: &Design, generated: &Generated) -> Design {
    with_samples(design, &generated.removed, generated.added.clone())
}

fn table(design: &Design) -> String {
    let mut text = String::new();
    for (id, entity) in &design.entities {
        let _ = writeln!(text, "{}", entity.name);
        for sample in design.samples_of(*id) {
            let values = sample
                .values
                .iter()
                .map(|(name, value)| format!("{name}={}", value.to_text()));
            let _ = writeln!(text, "  {}", values.collect::<Vec<_>>().join(" | "));
        }
    }
    text
}

#[test]
fn the_patterns() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let generated = generate(&design, &each(&design, 3)).expect("it can be generated");
        insta::with_settings!({ snapshot_suffix => pattern.name }, {
            insta::assert_snapshot!(table(&applied(&design, &generated)));
        });
    }
}

/// A shop whose attributes have no format, so that everything is guessed.
fn shop() -> Design {
    let mut design = Design::new("Shop");
    let index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "GSI1SK"));
    let gsi = IndexId(design.take_id());
    design.indexes.insert(gsi, Arc::new(index));
    let entities: [(&str, &str, &str, &str, &str); 5] = [
        (
            "Tenant",
            "TENANT#{tenantId}",
            "META",
            "tenantId! name plan",
            "",
        ),
        (
            "Customer",
            "TENANT#{tenantId}",
            "CUSTOMER#{customerId}",
            "tenantId! customerId! name! email createdAt age:N",
            "EMAIL#{email}",
        ),
        (
            "Product",
            "TENANT#{tenantId}",
            "PRODUCT#{sku}",
            "tenantId! sku! title price:N stock:N tags:SS active:BOOL photo:B",
            "",
        ),
        (
            "Order",
            "CUSTOMER#{customerId}",
            "ORDER#{createdAt:date}#{orderId}",
            "tenantId! customerId! orderId! createdAt! shippedAt status total:N",
            "STATUS#{status}",
        ),
        (
            "Order item",
            "ORDER#{orderId}",
            "ITEM#{line:pad(3)}",
            "tenantId! customerId! orderId! line:N! sku quantity:N",
            "",
        ),
    ];
    for (name, partition, sort, attributes, in_index) in entities {
        let id = EntityId(design.take_id());
        let mut entity = Entity::new(name, 0);
        entity
            .keys
            .insert(IndexId::PRIMARY, IndexEntry::pair(partition, sort));
        if !in_index.is_empty() {
            let mut entry = IndexEntry::pair(in_index, sort);
            if name == "Order" {
                let test = Test::Equals("PENDING".into());
                entry.when = vec![Condition {
                    attribute: "status".into(),
                    test,
                }];
            }
            entity.keys.insert(gsi, entry);
        }
        for text in attributes.split(' ') {
            let (rest, required) = match text.strip_suffix('!') {
                Some(rest) => (rest, true),
                None => (text, false),
            };
            let (name, kind) = rest.split_once(':').unwrap_or((rest, "S"));
            let kind = AttributeType::from_word(kind).expect("a type");
            let attribute = Attribute {
                required,
                ..Attribute::new(AttributeId(design.take_id()), name, kind)
            };
            entity.attributes.push(attribute);
        }
        design.entities.insert(id, Arc::new(entity));
    }
    assert_eq!(validate_invariants(&design), []);
    design
}

fn entity(design: &Design, name: &str) -> EntityId {
    design.entity_named(name).expect("there is one")
}

fn parents_of(design: &Design, id: EntityId) -> Vec<(EntityId, String)> {
    let mut all = parents(design).into_iter();
    let (_, parents) = all.find(|(entity, _)| *entity == id).expect("it has them");
    let pair = |parent: Parent| (parent.entity, parent.attribute);
    parents.into_iter().map(pair).collect()
}

fn amount(design: &Design, name: &str, count: u32, per: Option<&str>) -> Amount {
    Amount {
        entity: entity(design, name),
        count,
        per: per.map(|per| entity(design, per)),
    }
}

fn request(amounts: Vec<Amount>) -> Request {
    Request {
        amounts,
        replace: false,
        seed: 1,
    }
}

/// The values of some attributes in all rows of an entity, without rows that lack one.
fn values(design: &Design, name: &str, attributes: &[&str]) -> Vec<Vec<Value>> {
    let rows = design.samples_of(entity(design, name)).iter();
    let values = rows.map(|row| {
        attributes
            .iter()
            .map(|name| row.values.get(name).cloned())
            .collect()
    });
    values
        .collect::<Vec<Option<Vec<Value>>>>()
        .into_iter()
        .flatten()
        .collect()
}

/// Checks that every item is stored and that primary keys are distinct.
fn all_stored(design: &Design) {
    let items: Vec<_> = materialize_all(design).into_values().collect();
    let table = view(design, IndexId::PRIMARY, &items);
    let failed = table
        .failed
        .iter()
        .flat_map(|item| item.problems().iter().map(|p| p.describe("Table")));
    assert_eq!(failed.collect::<Vec<_>>(), Vec::<String>::new());
    assert!(
        table.rows.iter().all(|row| !row.collides),
        "keys must differ"
    );
}

#[test]
fn a_design_without_formats() {
    let design = shop();
    let generated = generate(&design, &each(&design, 6)).expect("it can be generated");
    assert_eq!(generated.remarks, Vec::<String>::new());
    let design = applied(&design, &generated);
    all_stored(&design);
    insta::assert_snapshot!(table(&design));
}

#[test]
fn a_thousand_orders_match_their_customers() {
    let design = shop();
    let amounts = vec![
        amount(&design, "Order item", 3, Some("Order")),
        amount(&design, "Order", 20, Some("Customer")),
        amount(&design, "Customer", 50, None),
        amount(&design, "Tenant", 4, None),
        amount(&design, "Product", 40, None),
    ];
    let generated = generate(&design, &request(amounts)).expect("it can be generated");
    assert_eq!(generated.remarks, Vec::<String>::new());
    let design = applied(&design, &generated);
    all_stored(&design);
    let orders = values(&design, "Order", &["orderId", "customerId", "tenantId"]);
    assert_eq!(orders.len(), 1000);
    let customers: SortedSet<_> = values(&design, "Customer", &["customerId", "tenantId"])
        .into_iter()
        .collect();
    let mut count: SortedMap<&[Value], u32> = SortedMap::new();
    for order in &orders {
        assert!(customers.contains(&order[1..]), "{order:?}");
        *count.entry(&order[1..]).or_default() += 1;
    }
    assert_eq!(count.len(), 50);
    assert!(count.values().all(|count| *count == 20));
    // An order's items have the order's customer and tenant, and a product of that tenant.
    let items = values(
        &design,
        "Order item",
        &["orderId", "customerId", "tenantId"],
    );
    let orders: SortedSet<_> = orders.into_iter().collect();
    assert_eq!(items.len(), 3000);
    assert!(items.iter().all(|item| orders.contains(item)));
    let products: SortedSet<_> = values(&design, "Product", &["sku", "tenantId"])
        .into_iter()
        .collect();
    let bought = values(&design, "Order item", &["sku", "tenantId"]);
    assert!(!bought.is_empty() && bought.iter().all(|item| products.contains(item)));
    // Some orders are pending, and only those are in the sparse index.
    let items: Vec<_> = materialize_all(&design).into_values().collect();
    let index = view(&design, design.index_named("GSI1").expect("there"), &items);
    let pending = values(&design, "Order", &["status"])
        .iter()
        .filter(|v| v[0] == Value::from("PENDING"))
        .count();
    assert!(pending > 0 && pending < 900, "{pending}");
    let of_orders = index
        .rows
        .iter()
        .filter(|row| row.item.entity == entity(&design, "Order"));
    assert_eq!(of_orders.count(), pending);
    // Times are in order, and an optional attribute is sometimes missing.
    let times = values(&design, "Order", &["createdAt", "shippedAt"]);
    assert!(times.iter().all(|times| times[0] <= times[1]));
    assert!((750..950).contains(&times.len()), "{}", times.len());
}

#[test]
fn added_rows_refer_to_existing_rows() {
    let design = pattern("saas-multi-tenant");
    let generated =
        generate(&design, &request(vec![amount(&design, "User", 5, None)])).expect("it can");
    let design = applied(&design, &generated);
    all_stored(&design);
    let ids: Vec<String> = values(&design, "User", &["userId"])
        .iter()
        .map(|v| v[0].to_text())
        .collect();
    assert_eq!(
        ids,
        ["u_01", "u_02", "u_03", "u_04", "u_05", "u_06", "u_07"]
    );
    let tenants: SortedSet<_> = values(&design, "Tenant", &["tenantId"])
        .into_iter()
        .collect();
    assert!(
        values(&design, "User", &["tenantId"])
            .iter()
            .all(|id| tenants.contains(id))
    );
    // The same seed gives different people when added again.
    let again =
        generate(&design, &request(vec![amount(&design, "User", 500, None)])).expect("it can");
    let design = applied(&design, &again);
    all_stored(&design);
    let emails: SortedSet<_> = values(&design, "User", &["email"]).into_iter().collect();
    assert_eq!(emails.len(), 507);
}

#[test]
fn replacing_removes_the_old_rows() {
    let design = pattern("saas-multi-tenant");
    let mut request = request(vec![
        amount(&design, "Tenant", 3, None),
        amount(&design, "User", 4, None),
    ]);
    request.replace = true;
    let generated = generate(&design, &request).expect("it can");
    assert_eq!(
        generated
            .removed
            .iter()
            .map(|(_, ids)| ids.len())
            .sum::<usize>(),
        4
    );
    let after = applied(&design, &generated);
    assert_eq!(values(&after, "Tenant", &["tenantId"]).len(), 3);
    assert_eq!(values(&after, "User", &["userId"]).len(), 4);
    assert_eq!(values(&after, "Project", &["projectId"]).len(), 2);
    // Requesting zero rows with replacement empties an entity.
    request.amounts[1].count = 0;
    let after = applied(&design, &generate(&design, &request).expect("it can"));
    assert_eq!(values(&after, "User", &["userId"]).len(), 0);
}

#[test]
fn adding_rows_or_attributes_keeps_other_values() {
    let design = shop();
    let rows = |design: &Design, count: u32| {
        let amounts = vec![
            amount(design, "Tenant", 4, None),
            amount(design, "Customer", count, None),
        ];
        generate(design, &request(amounts)).expect("it can").added
    };
    let few = rows(&design, 10);
    let many = rows(&design, 60);
    assert_eq!(few, many[..few.len()]);

    let mut wider = design.clone();
    let id = entity(&design, "Customer");
    let customer = Arc::make_mut(wider.entities.get_mut(&id).expect("there"));
    customer.attributes.insert(
        0,
        Attribute::new(AttributeId(wider.next_id), "note", AttributeType::S),
    );
    wider.next_id += 1;
    let without = |rows: Vec<(EntityId, Values)>| {
        let strip = |(id, mut values): (EntityId, Values)| {
            values.remove("note");
            (id, values)
        };
        rows.into_iter().map(strip).collect::<Vec<_>>()
    };
    assert_eq!(without(rows(&wider, 60)), many);

    let mut other = request(vec![amount(&design, "Tenant", 4, None)]);
    let first = generate(&design, &other).expect("it can");
    assert_eq!(generate(&design, &other), Ok(first.clone()));
    other.seed = 2;
    assert_ne!(generate(&design, &other), Ok(first));
}

#[test]
fn slices_give_the_same_rows_as_one_run() {
    let design = shop();
    let request = each(&design, 40);
    let whole = generate(&design, &request).expect("it can");
    let mut generator = Generator::new(&design, &request).expect("it can");
    assert_eq!((generator.done(), generator.total()), (0, 200));
    let mut slices = 0;
    while generator.advance(7).expect("it can") {
        slices += 1;
        assert!(generator.done() <= generator.total());
    }
    assert!(slices > 25);
    assert_eq!(generator.done(), 200);
    assert_eq!(generator.finish(), whole);
}

#[test]
fn names_of_a_stay_are_dates() {
    let design = shop();
    for (name, is_date) in [
        ("checkIn", true),
        ("check_out", true),
        ("arrival", true),
        ("logIn", false),
        ("out", false),
    ] {
        let attribute = Attribute::new(AttributeId(0), name, AttributeType::S);
        let format = guess(&design, entity(&design, "Order"), &attribute);
        assert_eq!(
            matches!(format, Some(Format::Date { .. })),
            is_date,
            "{name}: {format:?}"
        );
    }
}

#[test]
fn parents_without_samples_are_reported() {
    // The reference to the creator is optional.
    let mut design = pattern("saas-multi-tenant");
    design.samples = SortedMap::default();
    let id = entity(&design, "Project");
    let project = Arc::make_mut(design.entities.get_mut(&id).expect("there is one"));
    project.keys.retain(|index, _| index.is_primary());
    let creator = project
        .attributes
        .iter_mut()
        .find(|a| a.name == "createdBy");
    creator.expect("there is one").required = false;
    let amounts = vec![
        amount(&design, "Tenant", 2, None),
        amount(&design, "Project", 3, Some("User")),
    ];
    let generated = generate(&design, &request(amounts)).expect("it can");
    assert_eq!(generated.added.len(), 2);
    let said = "Project: no samples, because User has none";
    assert_eq!(generated.remarks, [said]);
}

#[test]
fn an_exhausted_key_is_reported() {
    // One subscription per tenant, twelve reports per branch.
    let design = pattern("saas-multi-tenant");
    let amounts = vec![
        amount(&design, "Tenant", 50, None),
        amount(&design, "Subscription", 60, None),
    ];
    let generated = generate(&design, &request(amounts)).expect("it can");
    let said = "Subscription: 51 of 60 samples, because its primary key consists of `tenantId`, which has no more values";
    assert_eq!(generated.remarks, [said]);
    let after = applied(&design, &generated);
    all_stored(&after);
    let tenants: SortedSet<_> = values(&after, "Subscription", &["tenantId"])
        .into_iter()
        .collect();
    assert_eq!(tenants.len(), 52);

    let design = pattern("multi-branch-finance");
    let amounts = vec![
        amount(&design, "Branch", 3, None),
        amount(&design, "Report", 20, Some("Branch")),
    ];
    let generated = generate(&design, &request(amounts)).expect("it can");
    // The first branch already has one report.
    assert_eq!(generated.remarks.len(), 1);
    assert!(
        generated.remarks[0].starts_with("Report: 59 of 100 samples"),
        "{:?}",
        generated.remarks
    );
    all_stored(&applied(&design, &generated));

    let mut design = shop();
    let id = entity(&design, "Tenant");
    let tenant = Arc::make_mut(design.entities.get_mut(&id).expect("there"));
    tenant
        .keys
        .insert(IndexId::PRIMARY, IndexEntry::pair("SETTINGS", "SETTINGS"));
    let generated =
        generate(&design, &request(vec![amount(&design, "Tenant", 9, None)])).expect("it can");
    assert_eq!(
        generated.remarks,
        ["Tenant: 1 of 9 samples, because its primary key is the same for every sample"]
    );
}

/// The shop with the format of one attribute set.
fn with_format(name: &str, attribute: &str, format: Format) -> Design {
    let mut design = shop();
    let id = entity(&design, name);
    let changed = Arc::make_mut(design.entities.get_mut(&id).expect("there"));
    let found = changed.attributes.iter_mut().find(|a| a.name == attribute);
    found.expect("there").format = Some(format);
    design
}

#[test]
fn a_primary_key_that_another_index_writes_is_no_obstacle() {
    let mut design = Design::new("Inverted");
    design.next_id = 10;
    let inverted = Index::new("Inverted", IndexKind::Gsi, KeySchema::pair("SK", "PK"));
    design.indexes.insert(IndexId(1), Arc::new(inverted));
    let mut entity = Entity::new("User", 0);
    let entry = IndexEntry::pair("PROFILE#{kind}", "USER#{userId}");
    entity.keys.insert(IndexId(1), entry);
    design.entities.insert(EntityId(2), Arc::new(entity));
    assert_eq!(obstacle(&design, EntityId(2)), None);
    let generated = generate(&design, &each(&design, 3)).expect("it has keys");
    let items = materialize_all(&applied(&design, &generated));
    assert_eq!(items[&EntityId(2)].len(), 3);
    for item in items[&EntityId(2)].iter() {
        assert!(item.is_stored(), "{:?}", item.problems());
    }
}

#[test]
fn impossible_requests_are_refused_with_a_reason() {
    let mut said = String::new();
    let mut refuse = |design: &Design, amounts: Vec<Amount>| {
        let error = generate(design, &request(amounts)).expect_err("it cannot");
        let _ = writeln!(said, "{error}");
    };
    let design = shop();
    refuse(&design, vec![amount(&design, "Order", 1, None)]);
    refuse(&design, vec![amount(&design, "Tenant", 1, Some("Order"))]);
    refuse(
        &design,
        vec![
            amount(&design, "Tenant", 1, None),
            amount(&design, "Tenant", 2, None),
        ],
    );
    refuse(
        &design,
        vec![Amount {
            entity: EntityId(999),
            count: 1,
            per: None,
        }],
    );
    let most = u32::try_from(MAX_ROWS).expect("it fits");
    refuse(
        &design,
        vec![
            amount(&design, "Tenant", most, None),
            amount(&design, "Customer", 1, None),
        ],
    );
    let full = full_design();
    refuse(&full, vec![amount(&full, "Bare", 1, None)]);
    let date = |from: &str, to: &str| Format::Date {
        from: from.into(),
        to: to.into(),
    };
    for (attribute, format) in [
        ("name", date("yesterday", "2026-02-01")),
        ("name", date("2026-02-30", "2026-03-01")),
        ("name", date("2026-02-02", "2026-02-01")),
        ("name", Format::Integer { min: 2, max: 1 }),
        (
            "name",
            Format::Decimal {
                min: "a".into(),
                max: "1".into(),
                places: 2,
            },
        ),
        (
            "name",
            Format::Decimal {
                min: "0.125".into(),
                max: "1".into(),
                places: 2,
            },
        ),
        (
            "name",
            Format::Decimal {
                min: "2".into(),
                max: "1".into(),
                places: 0,
            },
        ),
        ("name", Format::OneOf(vec![])),
        ("tenantId", Format::Constant("a#b".into())),
        ("tenantId", Format::Constant(Value::Null)),
        ("tenantId", Format::Constant("".into())),
    ] {
        let design = with_format("Tenant", attribute, format);
        refuse(&design, vec![amount(&design, "Tenant", 2, None)]);
    }
    let design = with_format(
        "Order item",
        "line",
        Format::Integer {
            min: 1000,
            max: 9999,
        },
    );
    let mut amounts: Vec<Amount> = design
        .entities
        .keys()
        .map(|id| Amount {
            entity: *id,
            count: 2,
            per: None,
        })
        .collect();
    refuse(&design, amounts.clone());
    let reference = |to: &str, attribute: &str| Format::Reference {
        entity: entity(&shop(), to),
        attribute: attribute.into(),
        distribution: Distribution::Uniform,
    };
    let design = with_format("Tenant", "tenantId", reference("Order", "orderId"));
    refuse(&design, amounts.clone());
    amounts.truncate(1);
    let design = with_format("Tenant", "tenantId", reference("Order", "nothing"));
    refuse(&design, amounts.clone());
    let gone = Format::Reference {
        entity: EntityId(999),
        attribute: "id".into(),
        distribution: Distribution::Uniform,
    };
    let design = with_format("Tenant", "tenantId", gone);
    refuse(&design, amounts);
    insta::assert_snapshot!(said);
}

#[test]
fn a_category_refers_to_an_earlier_category() {
    let mut design = with_format(
        "Tenant",
        "name",
        Format::Reference {
            entity: entity(&shop(), "Tenant"),
            attribute: "tenantId".into(),
            distribution: Distribution::Uniform,
        },
    );
    let id = entity(&design, "Tenant");
    let rows = |design: &Design| {
        let generated =
            generate(design, &request(vec![amount(design, "Tenant", 30, None)])).expect("it can");
        let rows = generated.added.into_iter();
        rows.map(|(_, values)| (values["tenantId"].clone(), values.get("name").cloned()))
            .collect::<Vec<_>>()
    };
    let mut seen = SortedSet::new();
    for (own, other) in rows(&design) {
        assert!(other.is_none_or(|other| seen.contains(&other)));
        seen.insert(own);
    }
    // If every row needs a reference, the first row can only refer to itself.
    let tenant = Arc::make_mut(design.entities.get_mut(&id).expect("there"));
    tenant.attributes[1].required = true;
    let rows = rows(&design);
    assert_eq!(rows[0].1.as_ref(), Some(&rows[0].0));
    assert!(rows.iter().all(|(_, other)| other.is_some()));
}

#[test]
fn an_optional_reference_breaks_a_cycle() {
    let to_order = Format::Reference {
        entity: entity(&shop(), "Order"),
        attribute: "orderId".into(),
        distribution: Distribution::Skewed,
    };
    // A customer's last order is optional.
    let design = with_format("Customer", "email", to_order);
    let generated = generate(&design, &each(&design, 5)).expect("it can");
    all_stored(&applied(&design, &generated));
}

#[test]
fn a_skewed_distribution_repeats_a_few_values() {
    let spread = |distribution| {
        let format = Format::Reference {
            entity: entity(&shop(), "Tenant"),
            attribute: "tenantId".into(),
            distribution,
        };
        let design = with_format("Customer", "tenantId", format);
        let amounts = vec![
            amount(&design, "Tenant", 100, None),
            amount(&design, "Customer", 2000, None),
        ];
        let generated = generate(&design, &request(amounts)).expect("it can");
        let mut counts: SortedMap<Value, u32> = SortedMap::new();
        for (_, values) in generated.added.iter().skip(100) {
            *counts.entry(values["tenantId"].clone()).or_default() += 1;
        }
        let mut counts: Vec<u32> = counts.into_values().collect();
        counts.sort_unstable();
        (counts.len(), counts[counts.len() - 1])
    };
    let (used, most) = spread(Distribution::Uniform);
    assert!(used == 100 && most < 50, "{used} {most}");
    let (used, most) = spread(Distribution::Skewed);
    assert!(used > 80 && most > 200, "{used} {most}");
}

#[test]
fn values_have_their_format() {
    let check = |format: Format, fits: &dyn Fn(&str) -> bool| {
        let mut design = with_format("Tenant", "name", format.clone());
        let id = entity(&design, "Tenant");
        Arc::make_mut(design.entities.get_mut(&id).expect("there")).attributes[1].required = true;
        let generated = generate(
            &design,
            &request(vec![amount(&design, "Tenant", 300, None)]),
        )
        .expect("it can");
        let mut different = SortedSet::new();
        for (_, values) in &generated.added {
            let text = values["name"].to_text();
            assert!(fits(&text), "{format:?} gave {text:?}");
            different.insert(text);
        }
        different.len()
    };
    let upper = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase() && !"ILOU".contains(c);
    assert_eq!(
        check(Format::Ulid, &|t| t.len() == 26
            && t.starts_with("01K") | t.starts_with("01M")
            && t.chars().all(upper)),
        300
    );
    assert_eq!(
        check(Format::Ksuid, &|t| t.len() == 27
            && t.chars().all(|c| c.is_ascii_alphanumeric())),
        300
    );
    let uuid = |t: &str| {
        t.split('-').map(str::len).eq([8, 4, 4, 4, 12])
            && t.as_bytes()[14] == b'4'
            && "89ab".contains(t.as_bytes()[19] as char)
            && t.chars()
                .all(|c| c == '-' || c.is_ascii_hexdigit() && !c.is_ascii_uppercase())
    };
    assert_eq!(check(Format::Uuid, &uuid), 300);
    assert_eq!(
        check(Format::Email, &|t| t.contains(".")
            && t.split('@')
                .nth(1)
                .is_some_and(|d| d.starts_with("example."))),
        300
    );
    assert_eq!(
        check(Format::PersonName, &|t| t.split(' ').count() == 2),
        300
    );
    assert_eq!(check(Format::Company, &|t| t.split(' ').count() >= 2), 300);
    assert!(check(Format::Word, &|t| !t.is_empty() && !t.contains(' ')) > 20);
    assert!(check(Format::Sentence, &|t| t.split(' ').count() == 4) > 200);
    let (from, to) = ("2024-02-27".to_owned(), "2024-03-02".to_owned());
    let dates = [
        "2024-02-27",
        "2024-02-28",
        "2024-02-29",
        "2024-03-01",
        "2024-03-02",
    ];
    assert_eq!(check(Format::Date { from, to }, &|t| dates.contains(&t)), 5);
    let (from, to) = (
        "1969-12-31T23:59:58Z".to_owned(),
        "1970-01-01T00:00:01Z".to_owned(),
    );
    let times = [
        "1969-12-31T23:59:58Z",
        "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00Z",
        "1970-01-01T00:00:01Z",
    ];
    assert_eq!(
        check(Format::Timestamp { from, to }, &|t| times.contains(&t)),
        4
    );
    assert_eq!(
        check(Format::Integer { min: -2, max: 2 }, &|t| (-2..=2)
            .contains(&t.parse::<i64>().expect("a number"))),
        5
    );
    assert_eq!(
        check(
            Format::Integer {
                min: i64::MIN,
                max: i64::MAX
            },
            &|t| t.parse::<i64>().is_ok()
        ),
        300
    );
    let decimal = |min: &str, max: &str, places| Format::Decimal {
        min: min.into(),
        max: max.into(),
        places,
    };
    assert_eq!(
        check(decimal("-0.1", "0.1", 1), &|t| ["-0.1", "0", "0.1"]
            .contains(&t)),
        3
    );
    let wide = "9999999999999999999999999999999999";
    assert_eq!(
        check(decimal("0", wide, 3), &|t| t.parse::<f64>().is_ok()),
        300
    );
    let choices = [("a", 0), ("b", 1), ("c", 3)].map(|(value, weight)| Choice {
        value: value.into(),
        weight,
    });
    assert_eq!(
        check(Format::OneOf(choices.into()), &|t| t == "b" || t == "c"),
        2
    );
    assert_eq!(
        check(Format::Constant(true.to_string().as_str().into()), &|t| t
            == "true"),
        1
    );
    let sequence = Format::Sequence {
        prefix: "x".into(),
        start: 9,
        digits: 2,
    };
    assert_eq!(
        check(sequence, &|t| t.len() >= 3 && t.starts_with('x')),
        300
    );
}

#[test]
fn guesses() {
    let mut design = shop();
    let owner = |name: &str| entity(&design, name);
    let said = [
        (
            "Tenant",
            "name tenantId plan ownerEmail website country phone",
        ),
        (
            "Customer",
            "customerId tenantId name firstName lastName email createdAt birthDate age:N city language isActive:BOOL loyaltyPoints:N",
        ),
        (
            "Product",
            "sku title description price:N currency stock:N category photo:B tags:SS sizes:L meta:M rating:N barcode",
        ),
        (
            "Order",
            "orderId customerId customerName createdBy status total:N updated_at expiresAt:N ttl:N paymentMethod nothing:NULL accountId warehouse_id parentOrderId",
        ),
        (
            "Order item",
            "orderItemId orderId quantity:N line:N unknown x:N",
        ),
    ];
    let mut text = String::new();
    for (name, attributes) in said {
        let _ = writeln!(text, "{name}");
        for attribute in attributes.split(' ') {
            let (attribute, kind) = attribute.split_once(':').unwrap_or((attribute, "S"));
            let kind = AttributeType::from_word(kind).expect("a type");
            let attribute = Attribute::new(AttributeId(0), attribute, kind);
            let format = guess(&design, owner(name), &attribute);
            let _ = writeln!(text, "  {} {kind}: {format:?}", attribute.name);
        }
    }
    insta::assert_snapshot!(text);

    // Existing values override a guess from the name.
    let id = owner("Tenant");
    let known = |design: &mut Design, texts: &[&str]| {
        let samples = texts.iter().map(|text| Sample {
            id: SampleId(design.take_id()),
            values: [("name".to_owned(), Value::from(*text))].into(),
        });
        let samples = samples.map(Arc::new).collect();
        design.samples.insert(id, Arc::new(samples));
        let attribute = design.entities[&id].attribute("name").expect("there");
        guess(design, id, attribute)
    };
    let sequence = Some(Format::Sequence {
        prefix: "u_".into(),
        start: 3,
        digits: 2,
    });
    assert_eq!(known(&mut design, &["u_07", "u_03"]), sequence);
    let ulid = "01KGC6WBM07ZK3N0QAWX4T5RMB";
    assert_eq!(known(&mut design, &[ulid]), Some(Format::Ulid));
    let few = known(&mut design, &["gold", "gold", "iron", "gold", "iron"]);
    let choice = |value: &str, weight| Choice {
        value: value.into(),
        weight,
    };
    assert_eq!(
        few,
        Some(Format::OneOf(vec![choice("gold", 3), choice("iron", 2)]))
    );
    assert_eq!(
        known(&mut design, &["Acme", "Globex"]),
        Some(Format::Company)
    );
}

#[test]
fn the_parents_of_an_entity() {
    let design = shop();
    let named = |name: &str| {
        let parents = parents_of(&design, entity(&design, name)).into_iter();
        parents
            .map(|(id, by)| format!("{} by {by}", design.entities[&id].name))
            .collect::<Vec<_>>()
    };
    assert_eq!(named("Tenant"), Vec::<String>::new());
    assert_eq!(
        named("Order"),
        ["Tenant by tenantId", "Customer by customerId"]
    );
    assert_eq!(
        named("Order item"),
        [
            "Tenant by tenantId",
            "Customer by customerId",
            "Order by orderId",
            "Product by sku"
        ]
    );
}

#[test]
fn a_reference_copies_only_from_its_own_row() {
    // The buyer must be a customer with an order, although the reviewed product also refers to a customer.
    let mut design = shop();
    let reference = |design: &Design, name: &str, attribute: &str| {
        Some(Format::Reference {
            entity: entity(design, name),
            attribute: attribute.into(),
            distribution: Distribution::Uniform,
        })
    };
    let to_customer = reference(&design, "Customer", "customerId");
    let product = entity(&design, "Product");
    let product = Arc::make_mut(design.entities.get_mut(&product).expect("there"));
    let title = product.attributes.iter_mut().find(|a| a.name == "title");
    title.expect("there").format = to_customer;
    let mut review = Entity::new("Review", 0);
    let keys = IndexEntry::pair("REVIEW#{reviewId}", "META");
    review.keys.insert(IndexId::PRIMARY, keys);
    for (name, format) in [
        ("reviewId", None),
        ("sku", None),
        ("buyer", reference(&design, "Order", "customerId")),
    ] {
        let id = AttributeId(design.take_id());
        review.attributes.push(Attribute {
            required: true,
            format,
            ..Attribute::new(id, name, AttributeType::S)
        });
    }
    let id = EntityId(design.take_id());
    design.entities.insert(id, Arc::new(review));
    let amounts = vec![
        amount(&design, "Tenant", 1, None),
        amount(&design, "Customer", 40, None),
        amount(&design, "Order", 3, None),
        amount(&design, "Product", 40, None),
        amount(&design, "Review", 50, None),
    ];
    let generated = generate(&design, &request(amounts)).expect("it can");
    let design = applied(&design, &generated);
    all_stored(&design);
    let buyers: SortedSet<_> = values(&design, "Order", &["customerId"])
        .into_iter()
        .collect();
    let reviews = values(&design, "Review", &["buyer"]);
    assert!(reviews.len() == 50 && reviews.iter().all(|buyer| buyers.contains(buyer)));
}

/// Measures the generation of 100,000 rows; run with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed_with_100_000_rows() {
    let design = shop();
    let amounts = vec![
        amount(&design, "Tenant", 10, None),
        amount(&design, "Product", 990, None),
        amount(&design, "Customer", 3000, None),
        amount(&design, "Order", 8, Some("Customer")),
        amount(&design, "Order item", 3, Some("Order")),
    ];
    let started = std::time::Instant::now();
    let generated = generate(&design, &request(amounts)).expect("it can");
    println!("{} rows in {:?}", generated.added.len(), started.elapsed());
    assert_eq!(generated.added.len(), 100_000);
}

fn any_format() -> impl Strategy<Value = Option<Format>> {
    let entity = prop::sample::select(vec![1_u32, 2, 3, 4]).prop_map(EntityId);
    let name = prop::sample::select(vec!["id", "ownerId", "at", "count", "word"]);
    let date = prop::sample::select(vec!["2026-01-02", "2026-02-01T10:00:00Z", "2025-01-01"]);
    let value = prop_oneof![
        Just(Value::from("a#b")),
        Just(Value::from("ok")),
        Just(Value::from(3)),
        Just(Value::Null)
    ];
    prop_oneof![
        12 => Just(None),
        1 => prop::sample::select(vec![Format::Ulid, Format::Ksuid, Format::Uuid, Format::Email, Format::PersonName, Format::Company, Format::Word, Format::Sentence]).prop_map(Some),
        1 => date.clone().prop_map(|to| Some(Format::Date { from: "2026-01-01".into(), to: to.into() })),
        1 => date.prop_map(|to| Some(Format::Timestamp { from: "2026-01-01T09:00:00Z".into(), to: to.into() })),
        1 => (-20..20_i64, 0..40_i64).prop_map(|(min, range)| Some(Format::Integer { min, max: min + range })),
        1 => (0..3_u8).prop_map(|places| Some(Format::Decimal { min: "-1.5".into(), max: "20".into(), places })),
        1 => prop::collection::vec((value, 1..3_u32), 1..4).prop_map(|c| Some(Format::OneOf(c.into_iter().map(|(value, weight)| Choice { value, weight }).collect()))),
        1 => ("[a-z#_]{0,3}", 0..200_u64, 0..4_u8).prop_map(|(prefix, start, digits)| Some(Format::Sequence { prefix, start, digits })),
        2 => (entity, name, any::<bool>()).prop_map(|(entity, name, skewed)| Some(Format::Reference {
            entity,
            attribute: name.into(),
            distribution: if skewed { Distribution::Skewed } else { Distribution::Uniform },
        })),
    ]
}

fn any_design() -> impl Strategy<Value = Design> {
    let kind = prop_oneof![20 => Just(None), 1 => prop::sample::select(AttributeType::ALL.to_vec()).prop_map(Some)];
    let attribute = (kind, any_format(), any::<bool>());
    let key = prop::sample::select(vec![
        "A#{id}",
        "{ownerId}",
        "B#{ownerId}#{id}",
        "{at:date}#{id}",
        "{count:pad(2)}",
        "{count:desc(3)}#{word:lower}",
        "CONST",
        "{word}",
        "{missing}#{id:first(4)}",
        "X#{at:month}",
    ]);
    let key = prop_oneof![40 => key, 1 => Just("{bad:nonsense}")];
    let entity = (
        prop::collection::vec(attribute, 5),
        key.clone(),
        key.clone(),
        prop::option::of((key.clone(), key)),
    );
    let delimiter = prop::sample::select(vec!["#", "#", "#", "-", "", " ", "a", "::"]);
    (
        prop::collection::vec(entity, 1..5),
        delimiter,
        any::<bool>(),
    )
        .prop_map(|(entities, delimiter, encode)| {
            let mut design = Design::new("Any");
            design.next_id = 100;
            design.delimiter = Arc::new(DelimiterPolicy {
                delimiter: delimiter.into(),
                on_conflict: if encode {
                    OnDelimiter::PercentEncode
                } else {
                    OnDelimiter::Reject
                },
            });
            let index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "at"));
            design.indexes.insert(IndexId(50), Arc::new(index));
            for ((attributes, partition, sort, in_index), number) in entities.into_iter().zip(1..) {
                let mut entity =
                    Entity::new(["User", "Owner", "Order", "Item"][number as usize - 1], 0);
                for ((kind, format, required), name) in attributes
                    .into_iter()
                    .zip(["id", "ownerId", "at", "count", "word"])
                {
                    // A key attribute has the key's type.
                    let kind = match name {
                        "at" => AttributeType::S,
                        "count" => kind.unwrap_or(AttributeType::N),
                        _ => kind.unwrap_or_default(),
                    };
                    let id = AttributeId(design.take_id());
                    entity.attributes.push(Attribute {
                        required,
                        format,
                        ..Attribute::new(id, name, kind)
                    });
                }
                entity
                    .keys
                    .insert(IndexId::PRIMARY, IndexEntry::pair(partition, sort));
                if let Some((partition, _)) = in_index {
                    entity.keys.insert(
                        IndexId(50),
                        IndexEntry {
                            partition: Some(partition.into()),
                            ..IndexEntry::default()
                        },
                    );
                }
                design.entities.insert(EntityId(number), Arc::new(entity));
            }
            assert_eq!(validate_invariants(&design), []);
            design
        })
}

/// Generates rows, checks them, and returns the design with them.
fn checked(design: &Design, request: &Request) -> Result<Design, String> {
    let generated = generate(design, request)?;
    assert_eq!(generate(design, request).as_ref(), Ok(&generated));
    let after = applied(design, &generated);
    let items = materialize_all(&after);
    let new = generated.added.len();
    let mut keys = SortedSet::new();
    let mut count = 0;
    for (id, items) in &items {
        let added = generated.added.iter().filter(|(of, _)| of == id).count();
        for item in items.iter().skip(items.len() - added) {
            assert!(item.is_stored(), "{:?}", item.problems());
            count += 1;
        }
        for item in items.iter().filter(|item| item.is_stored()) {
            let key: Vec<_> = design
                .table
                .key
                .attributes()
                .map(|key| item.get(&key.name).map(|value| value.to_value()))
                .collect();
            let is_new = keys.insert(key);
            assert!(is_new || items.len() > added, "a key must not occur twice");
        }
        for attribute in &design.entities[id].attributes {
            let Some(Format::Reference {
                entity,
                attribute: to,
                ..
            }) = &attribute.format
            else {
                continue;
            };
            let known: SortedSet<Option<String>> = after
                .samples_of(*entity)
                .iter()
                .map(|s| s.values.get(to).map(Value::to_text))
                .collect();
            let samples = after.samples_of(*id);
            for sample in samples.iter().skip(samples.len() - added) {
                if let Some(value) = sample.values.get(&attribute.name) {
                    assert!(
                        known.contains(&Some(value.to_text())),
                        "{} refers to nothing",
                        attribute.name
                    );
                }
            }
        }
    }
    assert_eq!(count, new);
    Ok(after)
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn generated_rows_are_stored_and_match(
        design in any_design(),
        counts in prop::collection::vec((0..12_u32, prop::option::of(0..4_u32)), 4),
        seed in any::<u64>(),
        replace in any::<bool>(),
    ) {
        let amounts = design.entities.keys().zip(counts).map(|(id, (count, per))| {
            let per = per.map(|n| EntityId(n + 1)).filter(|per| parents_of(&design, *id).iter().any(|(p, _)| p == per));
            Amount { entity: *id, count, per }
        });
        let request = Request { amounts: amounts.collect(), replace, seed };
        match checked(&design, &request) {
            Err(message) => prop_assert!(!message.is_empty()),
            // Again, on top of the generated rows.
            Ok(after) => { let _ = checked(&after, &request); }
        }
    }

}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn library_designs_can_be_generated(seed in any::<u64>(), count in 0..30_u32, replace in any::<bool>()) {
        let known = patterns().iter().map(|pattern| pattern.design().expect("sound"));
        let own = template_designs::all().into_iter().map(|(_, design)| design);
        for design in known.chain(own).chain([shop(), full_design()]) {
            let request = Request { seed, replace, ..each(&design, count) };
            let after = checked(&design, &request);
            prop_assert!(after.is_ok(), "{}: {:?}", design.name, after.err());
        }
    }
}

#[test]
fn samples_that_refer_to_replaced_ones_are_named() {
    let text = "design Shop

table shop (PK, SK)

entity User
  userId ulid
  key USER#{userId} / USER

  | userId |
  | u-1    |
  | u-2    |

entity Order
  orderId string
  userId  string
  key ORDER#{orderId} / ORDER

  | orderId | userId |
  | o-1     | u-1    |
  | o-2     | u-2    |
  | o-3     | other  |
";
    let lowered = keyfold_core::text::lower(&keyfold_core::text::parse(text), None);
    let design = lowered.design;
    let [user, order] = ["User", "Order"].map(|name| design.entity_named(name).expect(name));
    let request = |entities: &[EntityId], replace| Request {
        amounts: (entities.iter())
            .map(|entity| Amount {
                entity: *entity,
                count: 3,
                per: None,
            })
            .collect(),
        replace,
        seed: 1,
    };
    let remarks = |entities: &[EntityId], replace| {
        let request = request(entities, replace);
        generate(&design, &request).expect("it can be").remarks
    };
    let said = "2 samples of Order refer to removed samples of User: generate Order too";
    assert_eq!(remarks(&[user], true), [said]);
    let generator = Generator::new(&design, &request(&[user], true)).expect("it can be");
    assert_eq!(generator.orphans(), [said]);
    assert_eq!(remarks(&[user], false), [""; 0]);
    assert_eq!(remarks(&[user, order], true), [""; 0]);
    // The same seed makes the same users again.
    let first = generate(&design, &request(&[user], true)).expect("it can be");
    let mut again = applied(&design, &first);
    let id = again.samples[&user][0].values.get("userId").cloned();
    let orders = Arc::make_mut(again.samples.get_mut(&order).expect("there"));
    Arc::make_mut(&mut orders[0])
        .values
        .insert("userId".into(), id.expect("an ID"));
    let second = generate(&again, &request(&[user], true)).expect("it can be");
    assert_eq!(second.remarks, [""; 0]);
}

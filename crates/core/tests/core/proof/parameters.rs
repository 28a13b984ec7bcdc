//! The values and types of parameters.

use super::{add, design, query, texts};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::model::*;
use keyfold_core::proof::{Outcome, Source, Verdict, bind, parameter_type, prove};
use std::sync::Arc;

#[test]
fn parameters_use_typed_values_then_the_sample_then_any_fitting_sample() {
    let mut saas = design("saas-multi-tenant");
    let operation = query(
        &saas,
        "Table",
        &["TENANT#{tenantId}"],
        &["begins_with PROJECT#{createdAt:month}"],
    );
    let id = add(&mut saas, &["Project"], operation);
    let with = |change: &dyn Fn(&mut AccessPattern)| {
        let mut pattern = AccessPattern::clone(&saas.access_patterns[&id]);
        change(&mut pattern);
        let binding = bind(&saas, &pattern);
        let found = binding.parameters.into_iter();
        found
            .map(|p| (p.name, p.value, p.source))
            .collect::<Vec<_>>()
    };
    let project = saas.entity_named("Project").unwrap();
    let samples = saas.samples_of(project);
    let [first, second] = samples else {
        panic!("two projects");
    };
    let of = |sample: &Sample, name: &str| {
        (
            name.to_owned(),
            sample.values.get(name).cloned(),
            Source::Sample(sample.id),
        )
    };
    assert_eq!(
        with(&|_| {}),
        [of(first, "tenantId"), of(first, "createdAt")]
    );
    assert_eq!(
        with(&|p| p.sample = Some(second.id)),
        [of(second, "tenantId"), of(second, "createdAt")]
    );
    let typed = Value::from("t_02");
    assert_eq!(
        with(&|p| {
            p.parameters.insert("tenantId".into(), typed.clone());
        })[0],
        ("tenantId".to_owned(), Some(typed.clone()), Source::Typed)
    );
    // A chosen sample without the value leaves the parameter open: the proof reports it and continues by analysis.
    let tenant = saas.samples_of(saas.entity_named("Tenant").unwrap())[0].id;
    Arc::make_mut(saas.access_patterns.get_mut(&id).unwrap()).sample = Some(tenant);
    let proof = prove(&TableSnapshot::of(&saas), id).unwrap();
    assert_eq!(proof.verdict, Verdict::Served);
    assert!(matches!(proof.outcome, Outcome::Nothing));
    assert_eq!(
        texts(&proof),
        ["not run: `createdAt` has no value: type one, or choose a sample that has it"]
    );
}

/// A parameter that is called like no attribute has the type of what it is compared with or assigned to.
#[test]
fn an_expression_says_the_type_of_its_parameters() {
    let mut shop = design("e-commerce");
    let product = shop.entity_named("Product").unwrap();
    shop.next_id = 10_000;
    let add_attribute = |entity: &mut Entity, id: u32, name: &str, kind: AttributeType| {
        let attribute = Attribute::new(AttributeId(id), name, kind);
        entity.attributes.push(attribute);
    };
    let entity = Arc::make_mut(shop.entities.get_mut(&product).unwrap());
    for (number, (name, kind)) in [
        ("amount", AttributeType::N),
        ("words", AttributeType::Ss),
        ("pages", AttributeType::L),
        ("label", AttributeType::S),
    ]
    .into_iter()
    .enumerate()
    {
        add_attribute(entity, 9000 + number as u32, name, kind);
    }
    let of = |update: &str, condition: Option<&str>, name: &str| {
        let mut shop = shop.clone();
        let key = ItemKey {
            partition: "PRODUCT#{productId}".into(),
            sort: Some("PRODUCT#{productId}".into()),
        };
        let operation = Operation::Write(WriteAction::UpdateItem {
            key,
            update: update.into(),
            condition: condition.map(str::to_owned),
        });
        let id = add(&mut shop, &["Product"], operation);
        parameter_type(&shop, &shop.access_patterns[&id], name)
    };
    use AttributeType::{L, N, S, Ss};
    for (update, name, kind) in [
        ("SET amount = amount - :one", "one", Some(N)),
        (
            "SET amount = if_not_exists(amount, :zero) + :inc",
            "zero",
            Some(N),
        ),
        (
            "SET amount = if_not_exists(amount, :zero) + :inc",
            "inc",
            Some(N),
        ),
        ("SET amount = :new, label = :text", "new", Some(N)),
        ("SET amount = :new, label = :text", "text", Some(S)),
        ("ADD amount :delta", "delta", Some(N)),
        ("ADD words :more", "more", Some(Ss)),
        ("DELETE words :less", "less", Some(Ss)),
        ("SET pages = list_append(pages, :next)", "next", Some(L)),
        // What is in a map or a list has no type in a design.
        ("SET pages[0] = :first", "first", None),
        // A parameter that is called like an attribute has the attribute's type.
        ("SET label = :amount", "amount", Some(N)),
    ] {
        assert_eq!(of(update, None, name), kind, "{update} {name}");
    }
    for (condition, name, kind) in [
        ("amount >= :one", "one", Some(N)),
        (":one < amount AND label = :text", "one", Some(N)),
        ("amount BETWEEN :low AND :high", "high", Some(N)),
        ("NOT amount IN (:a, :b)", "b", Some(N)),
        ("size(words) > :count", "count", Some(N)),
        ("contains(words, :word)", "word", Some(S)),
        ("begins_with(label, :start)", "start", Some(S)),
        ("attribute_type(amount, :type_of)", "type_of", Some(S)),
        ("attribute_exists(amount)", "nothing", None),
    ] {
        let update = "SET label = :label";
        assert_eq!(of(update, Some(condition), name), kind, "{condition}");
    }
}

/// The items of a transaction are of several entities: what the first sample lacks comes from others that agree with it.
#[test]
fn a_transaction_takes_values_from_a_sample_of_each_entity() {
    let mut shop = design("e-commerce");
    let [item, product] = ["OrderItem", "Product"].map(|name| shop.entity_named(name).unwrap());
    let key = ItemKey {
        partition: "PRODUCT#{productId}".into(),
        sort: Some("PRODUCT#{productId}".into()),
    };
    let check = WriteAction::ConditionCheck {
        key,
        condition: "title = :title AND stock > :none".into(),
    };
    let put = WriteAction::PutItem {
        entity: item,
        condition: None,
    };
    let actions = vec![put, check];
    let operation = Operation::TransactWriteItems { actions };
    let id = add(&mut shop, &["OrderItem", "Product"], operation);
    let binding = bind(&shop, &shop.access_patterns[&id]);
    let first = &shop.samples_of(item)[0];
    assert_eq!(binding.value("itemId"), first.values.get("itemId"));
    assert_eq!(binding.unbound(), ["none"]);
    let of_first = first.values.get("productId");
    let mut products = shop.samples_of(product).iter();
    let own = products.find(|sample| sample.values.get("productId") == of_first);
    let own = own.expect("the product of the item");
    assert_eq!(binding.value("title"), own.values.get("title"));
    for parameter in &binding.parameters {
        let source = match parameter.name.as_str() {
            "none" => Source::Nowhere,
            "title" => Source::Sample(own.id),
            _ => Source::Sample(first.id),
        };
        assert_eq!(parameter.source, source, "{}", parameter.name);
    }
}

/// An update that sets what is there would change nothing: it takes the value of another sample.
#[test]
fn an_update_sets_another_value_than_the_sample_has() {
    let shop = design("e-commerce");
    let product = shop.entity_named("Product").unwrap();
    let bound = |update: &str, condition: Option<&str>, change: &dyn Fn(&mut Design)| {
        let mut shop = shop.clone();
        let operation = Operation::Write(WriteAction::UpdateItem {
            key: ItemKey {
                partition: "PRODUCT#{productId}".into(),
                sort: Some("PRODUCT#{productId}".into()),
            },
            update: update.into(),
            condition: condition.map(str::to_owned),
        });
        let id = add(&mut shop, &["Product"], operation);
        change(&mut shop);
        (bind(&shop, &shop.access_patterns[&id]), id)
    };
    let samples = shop.samples_of(product);
    let (first, other) = (&samples[0], &samples[1]);
    assert_ne!(first.values.get("title"), other.values.get("title"));
    let (binding, id) = bound("SET title = :title", None, &|_| ());
    assert_eq!(binding.value("productId"), first.values.get("productId"));
    assert_eq!(binding.value("title"), other.values.get("title"));
    let title = |binding: &keyfold_core::proof::Binding| {
        let mut all = binding.parameters.iter();
        all.find(|parameter| parameter.name == "title")
            .unwrap()
            .source
    };
    assert_eq!(title(&binding), Source::Sample(other.id));
    // A typed value stays, and what a condition, a key or a sum uses is that of the item.
    let typed = Value::S("Atlas".into());
    let (binding, _) = bound("SET title = :title", None, &|shop| {
        let pattern = Arc::make_mut(shop.access_patterns.get_mut(&id).unwrap());
        pattern.parameters.insert("title".into(), typed.clone());
    });
    assert_eq!(binding.value("title"), Some(&typed));
    for (update, condition) in [
        ("SET title = :title", Some("title <> :title")),
        ("SET title = if_not_exists(title, :title)", None),
        ("SET productId = :productId", None),
    ] {
        let (binding, _) = bound(update, condition, &|_| ());
        for name in ["title", "productId"] {
            let value = binding.value(name);
            assert_eq!(value, first.values.get(name), "{update} {condition:?}");
        }
        let unchanged = condition.map(|_| "title").into_iter().collect::<Vec<_>>();
        assert_eq!(binding.unchanged, unchanged, "{update}");
    }
    // Of the item that a typed key addresses.
    let (binding, _) = bound("SET title = :title", None, &|shop| {
        let pattern = Arc::make_mut(shop.access_patterns.get_mut(&id).unwrap());
        let value = other.values.get("productId").unwrap().clone();
        pattern.parameters.insert("productId".into(), value);
    });
    assert_eq!(binding.value("title"), first.values.get("title"));
    assert_ne!(binding.value("title"), other.values.get("title"));
    // Without another value the binding says so.
    let (binding, _) = bound("SET title = :title", None, &|shop| {
        let samples = Arc::make_mut(shop.samples.get_mut(&product).unwrap());
        samples.truncate(1);
    });
    assert_eq!(binding.value("title"), first.values.get("title"));
    assert_eq!(binding.unchanged, ["title"]);
}

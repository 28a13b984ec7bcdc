//! The reasons for impossible, unserved and excessive reads.

use super::{add, design, items, proof_of, query, reached, texts};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::model::*;
use keyfold_core::proof::{Outcome, Verdict, prove, read_requirement};
use std::sync::Arc;

/// Returns the verdict of a Query, and its first reason.
fn judged(
    design: &Design,
    entities: &[&str],
    index: &str,
    partition: &[&str],
    sort: &[&str],
) -> (Verdict, String) {
    let proof = proof_of(design, entities, query(design, index, partition, sort));
    let reason = texts(&proof)
        .first()
        .copied()
        .unwrap_or_default()
        .to_owned();
    (proof.verdict, reason)
}

#[test]
fn a_partition_key_accepts_no_prefix() {
    let mut tenants = design("theatre-catalogue");
    let show = tenants.entity_named("Show").unwrap();
    let entity = Arc::make_mut(tenants.entities.get_mut(&show).unwrap());
    let keys = entity.keys.get_mut(&IndexId::PRIMARY).unwrap();
    keys.partition = Some("TENANT#acme#SHOW#{showId}".into());
    let (verdict, reason) = judged(&tenants, &["Show"], "Table", &["TENANT#acme#SHOW#"], &[]);
    assert_eq!(verdict, Verdict::Impossible);
    assert_eq!(
        reason,
        "partition keys of `Show` in the table only begin with `TENANT#acme#SHOW#`, such as \
         `TENANT#acme#SHOW#cats`: the partition key `PK` only supports `=`, not `begins_with`: \
         DynamoDB finds an item collection by the hash of its whole partition key value"
    );
    let (verdict, _) = judged(
        &tenants,
        &["Show"],
        "Table",
        &["TENANT#acme#SHOW#{showId}"],
        &[],
    );
    assert_eq!(verdict, Verdict::Served);
}

/// `2026-03-01#o_1` sorts after `2026-03-01`.
#[test]
fn an_upper_bound_excludes_the_keys_that_begin_with_it() {
    let mut shop = design("e-commerce");
    let order = shop.entity_named("Order").unwrap();
    let entity = Arc::make_mut(shop.entities.get_mut(&order).unwrap());
    let keys = entity.keys.get_mut(&IndexId::PRIMARY).unwrap();
    let partition = keys.partition.clone().unwrap();
    keys.sort = Some("{status}#{orderId}".into());
    let judged = |sort: &str| judged(&shop, &["Order"], "Table", &[&partition], &[sort]);
    let (verdict, reason) = judged("<= {status}");
    assert_eq!(verdict, Verdict::Unserved);
    assert!(
        reason.starts_with("does not return the item whose values it uses")
            && reason.ends_with("end the upper bound with `#~`"),
        "{reason}"
    );
    for sort in [
        "<= {status}#~",
        ">= {status}",
        "< {status}",
        "between {status} and {status}#~",
    ] {
        let (verdict, reason) = judged(sort);
        assert!(
            !reason.contains("whose values it uses"),
            "{sort}: {verdict:?} {reason}"
        );
    }
}

/// A literal number is the value of a key of type N, as in a request.
#[test]
fn a_number_is_the_condition_of_a_numeric_key() {
    let matches = design("tournament-multi-attribute");
    let all = ["{tournamentId}", "{region}"];
    let rounds = |sort: &str| {
        let query = query(&matches, "MatchesByRegion", &all, &[sort]);
        let proof = proof_of(&matches, &["Match"], query);
        let Outcome::Read(read) = &proof.outcome else {
            return format!("{:?}: {}", proof.verdict, texts(&proof).join(", "));
        };
        format!("{:?}: {} items", proof.verdict, read.items.len())
    };
    insta::assert_snapshot!(
        [
            "= {round}",
            ">= 0",
            "between 0 and 1000.0",
            "between 10 and 9",
            "= FINAL",
        ]
        .map(|sort| format!("{sort} | {}", rounds(sort)))
        .join("\n")
    );
}

/// Another key would get the same values.
#[test]
fn nothing_is_suggested_for_reversed_bounds() {
    let saas = design("saas-multi-tenant");
    let partition = ["TENANT#{tenantId}"];
    let suggested = |bounds: &str| {
        let proof = proof_of(
            &saas,
            &["User"],
            query(&saas, "Table", &partition, &[bounds]),
        );
        assert_eq!(proof.verdict, Verdict::Impossible, "{bounds}");
        proof.suggestions.len()
    };
    assert_eq!(suggested("between USER#z and USER#a"), 0);
    assert_ne!(suggested("begins_with "), 0);
}

#[test]
fn requests_that_dynamodb_rejects_are_impossible() {
    let saas = design("saas-multi-tenant");
    let matches = design("tournament-multi-attribute");
    let index = "MatchesByRegion";
    let of = |design: &Design, entity: &str, index: &str, partition: &[&str], sort: &[&str]| {
        let (verdict, reason) = judged(design, &[entity], index, partition, sort);
        assert_eq!(verdict, Verdict::Impossible, "{reason}");
        reason
    };
    let all = ["{tournamentId}", "{region}"];
    for (reason, part) in [
        (
            of(&matches, "Match", index, &all[..1], &[]),
            "`region` has no value",
        ),
        (
            of(
                &matches,
                "Match",
                index,
                &all,
                &[">= {round}", "= {bracket}"],
            ),
            "only the last",
        ),
        (
            of(&matches, "Match", index, &all, &["begins_with {round}"]),
            "is a number",
        ),
        (
            of(
                &saas,
                "User",
                "Table",
                &["TENANT#{tenantId}"],
                &["begins_with "],
            ),
            "is empty",
        ),
        (
            of(
                &saas,
                "User",
                "Table",
                &["TENANT#{tenantId}"],
                &["between USER#z and USER#a"],
            ),
            "above",
        ),
        (
            of(
                &saas,
                "User",
                "Table",
                &["TENANT#{tenantId}"],
                &["= a", "= b"],
            ),
            "more conditions",
        ),
    ] {
        assert!(reason.contains(part), "{part}: {reason}");
    }
}

fn with_read(mut operation: Operation, change: impl Fn(&mut Read)) -> Operation {
    if let Operation::Query { read, .. }
    | Operation::Scan { read, .. }
    | Operation::GetItem { read, .. } = &mut operation
    {
        change(read);
    }
    operation
}

#[test]
fn a_gsi_supports_no_strongly_consistent_read() {
    let saas = design("saas-multi-tenant");
    let operation = query(&saas, "GSI1", &["USER_EMAIL#{email}"], &[]);
    let strong = with_read(operation.clone(), |read| read.consistent = true);
    let proof = proof_of(&saas, &["User"], strong);
    assert_eq!(proof.verdict, Verdict::Impossible);
    assert!(
        texts(&proof)[0].contains("only eventually consistent reads"),
        "{:?}",
        texts(&proof)
    );
    // The suggestion is an eventually consistent read.
    assert_eq!(proof.suggestions[0].operation, operation);
}

#[test]
fn filters_and_too_many_keys() {
    let saas = design("saas-multi-tenant");
    let key = |number: usize| ItemKey {
        partition: "TENANT#{tenantId}".into(),
        sort: Some(format!("USER#{number}")),
    };
    let get = Operation::GetItem {
        key: key(1),
        read: Read::default(),
    };
    let filtered = with_read(get, |read| read.filter = Some("plan = :plan".into()));
    let proof = proof_of(&saas, &["User"], filtered);
    assert_eq!(proof.verdict, Verdict::Impossible);
    let keys = (0..101).map(key).collect();
    let batch = Operation::BatchGetItem {
        keys,
        read: Read::default(),
    };
    let proof = proof_of(&saas, &["User"], batch);
    assert_eq!(proof.verdict, Verdict::Impossible);
    assert!(texts(&proof)[0].contains("101 keys"), "{:?}", texts(&proof));
    let wrong = with_read(query(&saas, "Table", &["TENANT#{tenantId}"], &[]), |read| {
        read.filter = Some("sk = :tenantId".into());
    });
    assert_eq!(
        proof_of(&saas, &["User"], wrong).verdict,
        Verdict::Impossible
    );
}

/// The reason names the place, and no key is suggested, because none would help.
#[test]
fn an_invalid_expression_is_impossible_for_all_values() {
    let saas = design("saas-multi-tenant");
    let users = || {
        query(
            &saas,
            "Table",
            &["TENANT#{tenantId}"],
            &["begins_with USER#"],
        )
    };
    let filtered = |filter: &str| with_read(users(), |read| read.filter = Some(filter.into()));
    let returning = with_read(users(), |read| {
        read.projection = vec!["name".into(), "name.first".into()];
    });
    let update = |update: &str, condition: &str| {
        Operation::Write(WriteAction::UpdateItem {
            key: ItemKey {
                partition: "TENANT#{tenantId}".into(),
                sort: Some("USER#{userId}".into()),
            },
            update: update.into(),
            condition: Some(condition.into()),
        })
    };
    for (operation, reason) in [
        (
            filtered("role ="),
            "the filter: column 7: expected an attribute at the end",
        ),
        (
            filtered("role IN (:unknown"),
            "the filter: column 18: expected `)` at the end",
        ),
        (
            filtered("sk > :unknown"),
            "`sk` is a key attribute, so the filter of a Query cannot test it: use the key condition",
        ),
        (
            returning,
            "the projection expression: the paths `name` and `name.first` overlap",
        ),
        (
            with_read(users(), |read| {
                read.projection = vec!["name.first".into(), "name[1]".into()];
            }),
            "the projection expression: the paths `name.first` and `name[1]` conflict: one needs a map where the other needs a list",
        ),
        (
            update(
                "SET log = list_append(log, list_append(:b, :c))",
                "a = :unknown",
            ),
            "the update: column 28: `list_append` cannot have `list_append` in it",
        ),
        (
            update("SET", "a = :unknown"),
            "the update: column 4: expected an attribute at the end",
        ),
        (
            update("SET a = :unknown", "a = (:b"),
            "the condition: column 5: expected an attribute, not `(`",
        ),
    ] {
        let proof = proof_of(&saas, &["User"], operation);
        assert_eq!(proof.verdict, Verdict::Impossible, "{reason}");
        let worst = (proof.reasons.iter()).filter(|r| r.verdict == Verdict::Impossible);
        let worst: Vec<&str> = worst.map(|reason| reason.text.as_str()).collect();
        assert_eq!(worst, [reason]);
        assert_eq!(proof.suggestions, []);
    }
    let requirement = Operation::Query {
        index: IndexId::PRIMARY,
        partition: vec![],
        sort: vec![],
        descending: false,
        limit: None,
        read: Read {
            filter: Some("sk = :sk".into()),
            ..Read::default()
        },
    };
    assert_eq!(
        proof_of(&saas, &["User"], requirement).verdict,
        Verdict::Unserved,
        "a read requirement has no key"
    );
}

#[test]
fn unmatched_conditions_are_unserved() {
    let saas = design("saas-multi-tenant");
    let tenant = ["TENANT#{tenantId}"];
    for (entity, index, partition, sort, reason) in [
        (
            "Subscription",
            "GSI1",
            &["USER_EMAIL#{email}"],
            &[][..],
            "`Subscription` is not in `GSI1`",
        ),
        (
            "User",
            "Table",
            &["STATUS#{status}"],
            &[],
            "no `pk` of `User` in the table is `STATUS#{status}`",
        ),
        (
            "User",
            "Table",
            &tenant,
            &["begins_with ORDER#"],
            "no `sk` of `User` in the table matches begins_with `ORDER#`",
        ),
        (
            "User",
            "Table",
            &["TENANT#{"],
            &[],
            "`TENANT#{`, column 8: ",
        ),
    ] {
        let (verdict, said) = judged(&saas, &[entity], index, partition, sort);
        assert_eq!(verdict, Verdict::Unserved, "{said}");
        assert!(said.starts_with(reason), "{said}");
    }
    let nobody = judged(&saas, &[], "Table", &["NOBODY"], &[]);
    assert_eq!(
        nobody,
        (Verdict::Unserved, "no entity has a matching key".to_owned())
    );
    let update = Operation::Write(WriteAction::UpdateItem {
        key: ItemKey {
            partition: "TENANT#{tenantId}".into(),
            sort: Some("ORDER#{userId}".into()),
        },
        update: "SET plan = :tenantId".into(),
        condition: None,
    });
    let proof = proof_of(&saas, &[], update);
    assert_eq!(proof.verdict, Verdict::Unserved);
}

#[test]
fn a_requirement_is_unserved_until_a_key_is_chosen() {
    let saas = design("saas-multi-tenant");
    let proof = proof_of(
        &saas,
        &["User"],
        read_requirement(&["role"], None, false).unwrap(),
    );
    assert_eq!(
        (proof.verdict, &texts(&proof)[..]),
        (Verdict::Unserved, &["no key is chosen yet"][..])
    );
    assert!(matches!(proof.outcome, Outcome::Nothing));
    assert!(read_requirement(&["a b"], None, false).is_err());
}

#[test]
fn queries_that_find_unintended_entities_read_too_much() {
    let saas = design("saas-multi-tenant");
    let whole = proof_of(
        &saas,
        &["User"],
        query(&saas, "Table", &["TENANT#{tenantId}"], &[]),
    );
    assert_eq!(whole.verdict, Verdict::ReadsTooMuch);
    assert_eq!(
        reached(&saas, &whole),
        ["!Tenant", "!Subscription", "User", "!Project"]
    );
    // Without named entities, all of them are intended.
    let all = proof_of(
        &saas,
        &[],
        query(&saas, "Table", &["TENANT#{tenantId}"], &[]),
    );
    assert_eq!(all.verdict, Verdict::Served);
    let scan = Operation::Scan {
        index: IndexId::PRIMARY,
        limit: None,
        read: Read {
            filter: Some("#role = :role".into()),
            ..Read::default()
        },
    };
    let scan = proof_of(&saas, &["User"], scan);
    assert_eq!(scan.verdict, Verdict::ReadsTooMuch);
    assert!(
        texts(&scan)
            .iter()
            .any(|text| text.contains("the filter discards 6 of 7")),
        "{:?}",
        texts(&scan)
    );
    assert_eq!(items(&scan, "userId"), ["u_01"]);
    // Scanning a sparse index is normal.
    let theatre = design("e-commerce");
    let of_index = Operation::Scan {
        index: theatre.index_named("GSI1").unwrap(),
        limit: None,
        read: Read::default(),
    };
    let both = proof_of(&theatre, &["Order", "Product"], of_index.clone());
    assert_eq!(both.verdict, Verdict::Served, "{:?}", texts(&both));
    assert_eq!(
        proof_of(&theatre, &["Order"], of_index).verdict,
        Verdict::ReadsTooMuch
    );
}

#[test]
fn incomplete_prefixes_read_too_much() {
    let saas = design("saas-hierarchy");
    let open = "begins_with PROJECT#{projectId}";
    let (_, reason) = judged(
        &saas,
        &["Project", "Task", "Comment"],
        "Table",
        &["TENANT#{tenantId}"],
        &[open],
    );
    assert!(
        reason.contains("`PROJECT#a` also finds items of `PROJECT#aa`"),
        "{reason}"
    );
    // A parameter of its own is text to search for.
    let search = "begins_with PROJECT#{prefix}";
    let (verdict, reason) = judged(
        &saas,
        &["Project", "Task", "Comment"],
        "Table",
        &["TENANT#{tenantId}"],
        &[search],
    );
    assert_eq!(verdict, Verdict::Served, "{reason}");
}

#[test]
fn a_query_by_the_shard_of_a_value_reads_too_much() {
    let scores = design("leaderboard");
    let of = |sort: &[&str]| {
        let partition = "GAME#{gameId}#{playerId:shard(4)}";
        judged(&scores, &["Score"], "GSI1", &[partition], sort)
    };
    let (verdict, reason) = of(&[]);
    assert_eq!(verdict, Verdict::ReadsTooMuch);
    assert_eq!(
        reason,
        "`{playerId:shard(4)}` is the same for many values of `playerId`, so the query also finds the items of others"
    );
    // The whole value is in the condition, too.
    assert_eq!(of(&["= {score:desc(10)}#{playerId}"]).0, Verdict::Served);
    // One shard is meant.
    let (verdict, _) = judged(&scores, &["Score"], "GSI1", &["GAME#{gameId}#{shard}"], &[]);
    assert_eq!(verdict, Verdict::Served);
}

#[test]
fn optional_attributes_in_an_index_key_leave_items_out() {
    let mut saas = design("saas-orders");
    let order = saas.entity_named("Order").unwrap();
    let entity = Arc::make_mut(saas.entities.get_mut(&order).unwrap());
    for name in ["status", "createdAt"] {
        let attribute = entity.attributes.iter_mut().find(|a| a.name == name);
        attribute.unwrap().required = false;
    }
    let of = |sort: &[&str]| {
        let operation = query(&saas, "GSI1", &["STATUS#{status}"], sort);
        let proof = proof_of(&saas, &["Order"], operation);
        assert_eq!(proof.verdict, Verdict::Served);
        texts(&proof)
            .into_iter()
            .map(String::from)
            .collect::<Vec<_>>()
    };
    // The status has a value in each item that the query asks for.
    let text =
        "items of `Order` without `createdAt` are not in `GSI1`, so the query does not find them";
    assert_eq!(of(&[]), [text]);
    assert_eq!(of(&["begins_with ORDER#"]), [text]);
    assert_eq!(of(&["begins_with ORDER#{createdAt:date}"]), [""; 0]);
    assert_eq!(of(&["between ORDER#2026 and ORDER#2027"]), [""; 0]);
}

#[test]
fn updates_report_stale_index_keys() {
    let mut orders = design("saas-orders");
    let update = Operation::Write(WriteAction::UpdateItem {
        key: ItemKey {
            partition: "TENANT#{tenantId}".into(),
            sort: Some("ORDER#{orderId}".into()),
        },
        update: "SET #status = :shipped".into(),
        condition: None,
    });
    let id = add(&mut orders, &["Order"], update);
    let pattern = Arc::make_mut(orders.access_patterns.get_mut(&id).unwrap());
    pattern
        .parameters
        .insert("shipped".into(), "shipped".into());
    let proof = prove(&TableSnapshot::of(&orders), id).unwrap();
    assert_eq!(proof.verdict, Verdict::Served);
    assert_eq!(
        texts(&proof),
        [
            "leaves `GSI1PK` of `GSI1` unchanged, although it depends on `status`: set it in the same update"
        ]
    );
}

#[test]
fn an_update_of_what_decides_the_primary_key_is_told_to_put() {
    let mut orders = design("saas-orders");
    let order = orders.entity_named("Order").unwrap();
    let entity = Arc::make_mut(orders.entities.get_mut(&order).unwrap());
    let keys = entity.keys.get_mut(&IndexId::PRIMARY).unwrap();
    keys.sort = Some("ORDER#{orderId}#{status}".into());
    let update = Operation::Write(WriteAction::UpdateItem {
        key: ItemKey {
            partition: "TENANT#{tenantId}".into(),
            sort: Some("ORDER#{orderId}#{status}".into()),
        },
        update: "SET #status = :shipped".into(),
        condition: None,
    });
    let id = add(&mut orders, &["Order"], update);
    let pattern = Arc::make_mut(orders.access_patterns.get_mut(&id).unwrap());
    (pattern.parameters).insert("shipped".into(), "shipped".into());
    let proof = prove(&TableSnapshot::of(&orders), id).unwrap();
    let said = texts(&proof);
    assert!(
        said.iter()
            .any(|text| text.starts_with("changes `status`, which decides `SK`")),
        "{said:?}"
    );
    assert!(
        !said.iter().any(|text| text.starts_with("leaves `SK`")),
        "{said:?}"
    );
}

#[test]
fn a_sparse_index_may_omit_the_requested_items() {
    let mut shop = design("e-commerce");
    let operation = query(&shop, "GSI1", &["STATUS#{status}"], &[]);
    let id = add(&mut shop, &["Order"], operation);
    let pattern = Arc::make_mut(shop.access_patterns.get_mut(&id).unwrap());
    pattern.parameters.insert("status".into(), "SHIPPED".into());
    let proof = prove(&TableSnapshot::of(&shop), id).unwrap();
    assert_eq!(proof.verdict, Verdict::Unserved);
    assert_eq!(
        texts(&proof),
        [
            "`Order` is not in `GSI1` if `status` is `SHIPPED`: its index entry has a condition",
            "returns nothing on the samples",
        ]
    );
}

#[test]
fn what_would_fit_into_one_page_is_read_in_several() {
    let mut saas = design("saas-multi-tenant");
    let entity = saas.entity_named("User").unwrap();
    let user = saas.samples_of(entity)[0].clone();
    let mut many: Vec<Arc<Sample>> = Vec::new();
    for number in 0..20 {
        let mut sample = Sample::clone(&user);
        sample.id = SampleId(saas.take_id());
        sample
            .values
            .insert("userId".into(), Value::S(format!("u_{number:03}")));
        sample
            .values
            .insert("note".into(), Value::S("x".repeat(100_000)));
        sample.values.insert(
            "role".into(),
            if number < 15 { "admin" } else { "member" }.into(),
        );
        many.push(Arc::new(sample));
    }
    saas.samples.insert(entity, Arc::new(many));
    saas.access_patterns.clear();
    let mut operation = query(
        &saas,
        "Table",
        &["TENANT#{tenantId}"],
        &["begins_with USER#"],
    );
    let all = proof_of(&saas, &["User"], operation.clone());
    assert_eq!(all.verdict, Verdict::Served, "{:?}", texts(&all));
    let Outcome::Read(read) = &all.outcome else {
        panic!("it reads");
    };
    assert_eq!((read.items.len(), read.pages, read.more), (20, 2, false));
    operation = with_read(operation, |read| {
        read.filter = Some("userId < :last AND attribute_exists(email)".into());
    });
    let id = add(&mut saas, &["User"], operation);
    let pattern = Arc::make_mut(saas.access_patterns.get_mut(&id).unwrap());
    pattern.parameters.insert("last".into(), "u_010".into());
    let proof = prove(&TableSnapshot::of(&saas), id).unwrap();
    assert_eq!(proof.verdict, Verdict::ReadsTooMuch);
    assert_eq!(
        texts(&proof),
        ["takes 2 requests for items that fit on one page"]
    );
}

#[test]
fn a_read_that_misses_the_sample_whose_values_it_uses_is_unserved() {
    let mut saas = design("saas-multi-tenant-ulid");
    let project = saas.entity_named("Project").unwrap();
    let entity = Arc::make_mut(saas.entities.get_mut(&project).unwrap());
    let keys = entity.keys.get_mut(&IndexId::PRIMARY).unwrap();
    keys.sort = Some("PROJECT#{projectId:lower}".into());
    let key = |sort: &str| Operation::GetItem {
        key: ItemKey {
            partition: "TENANT#{tenantId}".into(),
            sort: Some(sort.into()),
        },
        read: Read::default(),
    };
    let proof = proof_of(&saas, &["Project"], key("PROJECT#{projectId:lower}"));
    assert_eq!(proof.verdict, Verdict::Served);
    let proof = proof_of(&saas, &["Project"], key("PROJECT#{projectId}"));
    assert_eq!(proof.verdict, Verdict::Unserved);
    insta::assert_debug_snapshot!(texts(&proof));
    let list = |sort| query(&saas, "Table", &["TENANT#{tenantId}"], sort);
    let proof = proof_of(
        &saas,
        &["Project"],
        list(&["begins_with PROJECT#{projectId}"]),
    );
    assert_eq!(proof.verdict, Verdict::Unserved);
    // A range may leave the sample out on purpose.
    let proof = proof_of(&saas, &["Project"], list(&["> PROJECT#{projectId:lower}"]));
    assert_ne!(proof.verdict, Verdict::Unserved);
}

/// A transaction of puts that writes no item of an intended entity does not serve it.
#[test]
fn puts_of_other_entities_do_not_serve() {
    let shop = design("e-commerce");
    let entity = |name: &str| shop.entity_named(name).unwrap();
    let put = |name: &str| WriteAction::PutItem {
        entity: entity(name),
        condition: None,
    };
    for (actions, verdict) in [
        (vec![put("Order")], Verdict::Unserved),
        (vec![put("Order"), put("Product")], Verdict::Served),
    ] {
        let operation = Operation::TransactWriteItems { actions };
        let proof = proof_of(&shop, &["Product"], operation);
        assert_eq!(proof.verdict, verdict);
        if verdict == Verdict::Unserved {
            assert_eq!(texts(&proof), ["it writes no item of `Product`"]);
        }
    }
}

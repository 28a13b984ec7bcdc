//! The tenant policy, evaluated like in IAM: wildcards, policy variables, conditions on the keys of a request with
//! several keys or none.

use keyfold_core::export::Format;
use keyfold_core::export::cloudformation::{Options, tree};
use keyfold_core::export::iam::{NoTenant, find_tenant, iam, remark, tenant};
use keyfold_core::library;
use keyfold_core::model::*;
use keyfold_core::persist::from_json;
use keyfold_test_support::cases;
use keyfold_test_support::designs::full_design;
use keyfold_test_support::proofs;
use proptest::prelude::*;

use serde_json::Value;
use std::sync::Arc;

/// A request to DynamoDB for IAM. `keys` are the partition key values; a Scan has none.
struct Request<'a> {
    action: &'a str,
    resource: &'a str,
    keys: &'a [&'a str],
}

/// Whether a policy allows a request of a principal with this tag. IAM denies everything else.
fn allows(policy: &Value, tag: (&str, &str), request: &Request) -> bool {
    policy["Statement"]
        .as_array()
        .unwrap()
        .iter()
        .any(|statement| {
            assert_eq!(statement["Effect"], "Allow");
            let any = |member: &str, value: &str| {
                texts(&statement[member])
                    .iter()
                    .any(|pattern| like(value, pattern, tag))
            };
            any("Action", request.action)
                && any("Resource", request.resource)
                && holds(&statement["Condition"], tag, request)
        })
}

fn holds(condition: &Value, tag: (&str, &str), request: &Request) -> bool {
    let Some(operators) = condition.as_object() else {
        return condition.is_null();
    };
    operators.iter().all(|(operator, keys)| {
        let keys = keys.as_object().unwrap();
        keys.iter().all(|(key, wanted)| {
            assert_eq!(key, "dynamodb:LeadingKeys");
            match operator.as_str() {
                // True for a request without any key.
                "ForAllValues:StringLike" => request.keys.iter().all(|value| {
                    texts(wanted)
                        .iter()
                        .any(|pattern| like(value, pattern, tag))
                }),
                "Null" => (wanted == "true") == request.keys.is_empty(),
                other => panic!("{other} is not supported"),
            }
        })
    })
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(items) => items.iter().map(|item| item.as_str().unwrap()).collect(),
        one => vec![one.as_str().unwrap()],
    }
}

#[derive(Clone)]
enum Piece {
    Char(char),
    One,
    Many,
}

/// `StringLike`: `*` is any text, `?` any character, `${aws:PrincipalTag/x}` the tag, `${*}` an asterisk. A variable's
/// value contains no wildcards.
fn like(value: &str, pattern: &str, (tag, tenant): (&str, &str)) -> bool {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        if let Some((name, tail)) = rest
            .strip_prefix("${")
            .and_then(|rest| rest.split_once('}'))
        {
            match name {
                "*" | "?" | "$" => pieces.extend(name.chars().map(Piece::Char)),
                name if name == format!("aws:PrincipalTag/{tag}") => {
                    pieces.extend(tenant.chars().map(Piece::Char));
                }
                // A variable without a value: the condition does not hold.
                _ => return false,
            }
            rest = tail;
            continue;
        }
        pieces.push(match c {
            '*' => Piece::Many,
            '?' => Piece::One,
            c => Piece::Char(c),
        });
        rest = &rest[c.len_utf8()..];
    }
    matches(&value.chars().collect::<Vec<_>>(), &pieces)
}

fn matches(value: &[char], pieces: &[Piece]) -> bool {
    match (value, pieces) {
        (value, [Piece::Many, more @ ..]) => {
            (0..=value.len()).any(|skipped| matches(&value[skipped..], more))
        }
        ([_, value @ ..], [Piece::One, more @ ..]) => matches(value, more),
        ([c, value @ ..], [Piece::Char(wanted), more @ ..]) if c == wanted => matches(value, more),
        (value, pieces) => value.is_empty() && pieces.is_empty(),
    }
}

fn pattern(name: &str) -> Design {
    library::find(name).unwrap().design().unwrap()
}

fn policy(design: &Design) -> Value {
    serde_json::from_str(&iam(design).text).unwrap()
}

const ACTIONS: [&str; 7] = [
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchGetItem",
    "BatchWriteItem",
];

#[test]
fn the_evaluator_supports_wildcards() {
    let like = |value, pattern| like(value, pattern, ("t", "a*"));
    assert!(like("TENANT#acme2", "TENANT#acme*") && like("abc", "a?c") && like("", "*"));
    assert!(like("a*#x", "${aws:PrincipalTag/t}#*") && !like("ab#x", "${aws:PrincipalTag/t}#*"));
    assert!(like("*", "${*}") && !like("x", "${*}") && !like("x", "${aws:userid}"));
}

#[test]
fn a_role_accesses_only_its_tenants_items() {
    for name in [
        "saas-multi-tenant-overloaded",
        "multi-branch-finance",
        "tenant-table-iam",
        "activity-log",
    ] {
        let design = pattern(name);
        let policy = policy(&design);
        let table = format!(
            "arn:aws:dynamodb:eu-central-1:111122223333:table/{}",
            design.table.name
        );
        let ask = |action: &str, resource: &str, keys: &[&str]| {
            let action = format!("dynamodb:{action}");
            let request = Request {
                action: &action,
                resource,
                keys,
            };
            allows(&policy, ("tenantId", "acme"), &request)
        };
        for action in ACTIONS {
            assert!(ask(action, &table, &["TENANT#acme"]), "{name} {action}");
            assert!(
                ask(action, &table, &["TENANT#acme#ORDERS", "TENANT#acme"]),
                "{name} {action}"
            );
            for keys in [
                &["TENANT#acme2"][..],
                &["TENANT#acme2#ORDERS"],
                &["TENANT#acm"],
                &["TENANT#"],
                &["TENANT#*"],
                &["XTENANT#acme"],
                &["TENANT#acme", "TENANT#acme2"],
                &["USER_EMAIL#acme"],
                &[],
            ] {
                assert!(!ask(action, &table, keys), "{name} {action} {keys:?}");
            }
            assert!(
                !ask(action, &format!("{table}2"), &["TENANT#acme"]),
                "{name}"
            );
        }
        for action in [
            "Scan",
            "PartiQLSelect",
            "ExportTableToPointInTime",
            "DeleteTable",
            "UpdateTable",
        ] {
            assert!(!ask(action, &table, &[]), "{name} {action}");
            assert!(
                !ask(action, &format!("{table}/index/GSI1"), &[]),
                "{name} {action}"
            );
        }
        for index in design.indexes.values() {
            let index = format!("{table}/index/{}", index.name);
            assert!(!ask("Query", &index, &["TENANT#acme2"]), "{name}");
            assert!(!ask("Query", &index, &["TENANT#acme2#X"]), "{name}");
            assert!(!ask("Query", &index, &[]), "{name}");
        }
        let nobody = Request {
            action: "dynamodb:GetItem",
            resource: &table,
            keys: &["TENANT#"],
        };
        assert!(
            !allows(&policy, ("other", "acme"), &nobody),
            "{name}: no tag, no access"
        );
    }
}

#[test]
fn an_entity_with_an_empty_template_has_no_keys_to_hold() {
    let mut design = pattern("saas-multi-tenant");
    let of_tenants = policy(&design);
    let mut draft = Entity::new("Draft", 0);
    let entry = IndexEntry::pair("", "DRAFT");
    draft.keys.insert(IndexId::PRIMARY, entry);
    design.entities.insert(EntityId(9999), Arc::new(draft));
    assert_eq!(policy(&design), of_tenants);
}

#[test]
fn an_index_is_allowed_if_its_keys_begin_with_the_tenant() {
    let mut design = pattern("saas-multi-tenant-overloaded");
    let said = tenant(&design).unwrap();
    assert_eq!(said.grants.len(), 1);
    assert_eq!(
        said.left_out,
        ["Not allowed: queries of GSI1, because none of its partition keys starts with tenantId."]
    );
    // Scoped: every key of the index begins with the tenant.
    for entity in design.entities.values_mut() {
        for (index, entry) in Arc::make_mut(entity).keys.iter_mut() {
            if let (false, Some(partition)) = (index.is_primary(), &mut entry.partition) {
                *partition = format!("T*#{{tenantId}}#{partition}");
            }
        }
    }
    let policy = policy(&design);
    let index = "arn:aws:dynamodb:eu-central-1:111122223333:table/saas/index/GSI1";
    let ask = |key: &str| {
        let request = Request {
            action: "dynamodb:Query",
            resource: index,
            keys: &[key],
        };
        allows(&policy, ("tenantId", "acme"), &request)
    };
    assert!(ask("T*#acme#USER#u1") && ask("T*#acme"));
    assert!(!ask("T*#acme2#USER#u1") && !ask("TX#acme#USER#u1") && !ask("TENANT#acme"));
    // A write can have the index key of any tenant.
    let open = "A write can have the key of another tenant in GSI1: LeadingKeys tests only the partition key of the table. Set index keys in trusted code only, or use the read-only policy.";
    assert_eq!(tenant(&design).unwrap().left_out, [open]);
    assert_eq!(remark(&design).as_deref(), Some(open));
    let mut readers = design.clone();
    Arc::make_mut(&mut readers.export_options).read_only = true;
    assert_eq!(remark(&readers), None);
    // One entity's keys that could match another tenant's pattern close the index.
    let (_, entity) = design.entities.iter_mut().next().unwrap();
    let entry = IndexEntry::pair("T*#{name}", "x");
    let gsi = *design.indexes.keys().next().unwrap();
    Arc::make_mut(entity).keys.insert(gsi, entry);
    let said = tenant(&design).unwrap();
    assert_eq!(said.grants.len(), 1);
    assert!(
        said.left_out[0].contains("could match another tenant's pattern"),
        "{:?}",
        said.left_out
    );
}

#[test]
fn a_key_of_only_the_tenant_id_has_no_wildcard() {
    let mut design = Design::new("Plain");
    let id = EntityId(design.take_id());
    let mut entity = Entity::new("Thing", 0);
    entity
        .keys
        .insert(IndexId::PRIMARY, IndexEntry::pair("{tenantId}", "{id}"));
    design.entities.insert(id, Arc::new(entity));
    let said = tenant(&design).unwrap();
    assert_eq!(said.grants[0].patterns, ["${aws:PrincipalTag/tenantId}"]);
}

#[test]
fn without_a_tenant_the_policy_is_for_the_application() {
    let policy = policy(&pattern("blog"));
    let ask = |action: &str, resource: &str| {
        let action = format!("dynamodb:{action}");
        let resource = format!("arn:aws:dynamodb:eu-central-1:1:table/{resource}");
        let request = Request {
            action: &action,
            resource: &resource,
            keys: &["POST#1"],
        };
        allows(&policy, ("x", "y"), &request)
    };
    let table = &pattern("blog").table.name;
    assert!(ask("PutItem", table) && ask("Query", &format!("{table}/index/GSI1")));
    assert!(
        !ask("Scan", table)
            && !ask("Query", "other")
            && !ask("PutItem", &format!("{table}/index/GSI1"))
    );
}

#[test]
fn every_policy_is_json_and_only_that_of_an_application_that_scans_allows_scans() {
    let mut designs: Vec<Design> = (library::patterns().iter())
        .map(|pattern| pattern.design().unwrap())
        .collect();
    designs.push(full_design());
    designs.push(Design::new("Empty"));
    for design in designs {
        let text = iam(&design).text;
        let policy: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(policy["Version"], "2012-10-17");
        let mut operations = design.access_patterns.values().map(|one| &one.operation);
        let scans = operations.any(|one| matches!(one, Operation::Scan { .. }));
        let is_application = matches!(find_tenant(&design), Err(NoTenant::Nobody(_)));
        let allows_scans = text.contains("\"dynamodb:Scan\"");
        assert_eq!(allows_scans, scans && is_application, "{text}");
        assert!(!text.contains("dynamodb:*\""), "{text}");
    }
}

#[test]
fn the_template_contains_the_policy_only_if_chosen() {
    let design = pattern("tenant-table-iam");
    for wanted in [false, true] {
        let tree = tree(
            &design,
            Options {
                tenant_policy: wanted,
            },
        );
        let text = keyfold_core::export::yaml::document(&tree).text;
        assert_eq!(text.contains("AWS::IAM::ManagedPolicy"), wanted);
        assert_eq!(text.contains("TenantPolicyArn"), wanted);
    }
}

/// A design whose entities have these partition key templates, and whose tenant is `t`.
fn keyed(delimiter: &str, templates: &[String]) -> Design {
    let mut design = Design::new("Keyed");
    design.delimiter = Arc::new(DelimiterPolicy {
        delimiter: delimiter.to_owned(),
        ..DelimiterPolicy::default()
    });
    design.export_options = Arc::new(ExportOptions {
        tenant: TenantAttribute::Attribute("t".to_owned()),
        ..ExportOptions::default()
    });
    for (number, template) in templates.iter().enumerate() {
        let id = EntityId(design.take_id());
        let mut entity = Entity::new(format!("E{number}"), 0);
        let entry = IndexEntry::pair(template, "{id}");
        entity.keys.insert(IndexId::PRIMARY, entry);
        design.entities.insert(id, Arc::new(entity));
    }
    design
}

/// All texts of up to `most` of these characters, the empty one first.
fn words(alphabet: &str, most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..most {
        let longer = |word: &String| {
            let word = word.clone();
            alphabet.chars().map(move |c| format!("{word}{c}"))
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.clone());
    }
    all
}

fn partition_template(delimiter: &'static str) -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["A", "B", "AB", "{t}", "{t}", "{t}", "{x}"]);
    prop::collection::vec(part, 1..4).prop_map(move |parts| parts.join(delimiter))
}

fn keyed_design() -> impl Strategy<Value = (&'static str, Vec<String>)> {
    prop::sample::select(vec!["#", ":", "::", "-", ""]).prop_flat_map(|delimiter| {
        let templates = prop::collection::vec(partition_template(delimiter), 1..4);
        (Just(delimiter), templates)
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_tag_allows_items_of_another_tenant((delimiter, templates) in keyed_design()) {
        let design = keyed(delimiter, &templates);
        let text = iam(&design).text;
        let refused = text.contains("Deny");
        prop_assert_eq!(refused, tenant(&design).is_none());
        prop_assert_eq!(refused, text.contains("TenantsCannotBeIsolated"));
        let policy: Value = serde_json::from_str(&text).unwrap();
        let resource = format!("arn:aws:dynamodb:eu-central-1:1:table/{}", design.table.name);
        let ask = |tag: &str, key: &str| {
            let request = Request { action: "dynamodb:GetItem", resource: &resource, keys: &[key] };
            allows(&policy, ("t", tag), &request)
        };
        // A tag contains no `#`; it can contain the other delimiters.
        let tags = words("AB:-", 4);
        let values = words("AB:-", 2);
        let mut opened = 0;
        for template in &templates {
            let parsed = keyfold_core::template::parse(template).template;
            let led = parsed.attributes().next() == Some("t");
            for value in values.iter().filter(|value| !value.is_empty()) {
                for other in ["A", "BA"] {
                    let of = |name: &str| match name {
                        "t" => Some(keyfold_core::model::Value::S(value.clone())),
                        _ => Some(keyfold_core::model::Value::S(other.to_owned())),
                    };
                    let values: SortedMap<String, keyfold_core::model::Value> =
                        parsed.attributes().filter_map(|name| Some((name.to_owned(), of(name)?))).collect();
                    let rendered = keyfold_core::template::render(&parsed, &design.delimiter, &|name| values.get(name));
                    let Ok(key) = rendered else { continue };
                    for tag in tags.iter().filter(|_| !refused) {
                        let own = led && tag == value;
                        let is_open = ask(tag, &key);
                        prop_assert!(own || !is_open, "{} opens {} of {:?}", tag, key, templates);
                        opened += usize::from(is_open);
                    }
                }
            }
        }
        prop_assert!(refused || opened > 0, "{:?}", templates);
    }
}

/// The letters and digits of a text, which is all that an ID of a statement can say of it.
fn letters(text: &str) -> String {
    let kept = text.chars().filter(char::is_ascii_alphanumeric);
    kept.collect::<String>().to_lowercase()
}

/// What the ID of the first statement says.
fn said(policy: &Value) -> String {
    letters(policy["Statement"][0]["Sid"].as_str().unwrap())
}

#[test]
fn a_tenant_that_a_policy_cannot_compare_is_refused() {
    let of = |key: &str| {
        let text = format!(
            "design Notes\n\ntable Notes (PK, SK)\n\nentity Note\n  tenantId string\n  noteId string\n  key {key} / NOTE\n"
        );
        keyfold_core::text::lower(&keyfold_core::text::parse(&text), None).design
    };
    let refused = |key: &str| match find_tenant(&of(key)) {
        Err(NoTenant::Refused(reason)) => reason,
        other => panic!("{key}: {other:?}"),
    };
    for key in [
        "TENANT#{tenantId:lower}",
        "TENANT#{tenantId:first(2)}#NOTE#{noteId}",
        "{tenantId}{noteId}",
    ] {
        assert!(refused(key).contains(&format!("`{key}`")), "{key}");
        let policy = iam(&of(key)).text;
        assert!(policy.contains("\"Deny\"") && !policy.contains("\"Allow\""));
        // The whole table is a choice.
        let mut whole = of(key);
        Arc::make_mut(&mut whole.export_options).tenant = TenantAttribute::Nobody;
        assert!(iam(&whole).text.contains("\"Allow\""));
    }
    let tenant = find_tenant(&of("TENANT#{tenantId}")).expect("it can be compared");
    assert_eq!(tenant.attribute, "tenantId");
    // One key of many is not the design's tenant.
    let mut orders = of("ORDER#{noteId}");
    let lookup = of("EMAIL#{tenantId:lower}").entities.into_iter();
    let next = orders.take_id();
    orders
        .entities
        .extend(lookup.map(|(_, entity)| (EntityId(next), entity)));
    assert!(matches!(find_tenant(&orders), Err(NoTenant::Nobody(None))));
    // A tenant behind another value is none of the role's.
    assert!(matches!(
        find_tenant(&of("NOTE#{noteId}#{tenantId:lower}")),
        Err(NoTenant::Nobody(None))
    ));
}

#[test]
fn a_tenant_prefix_matches_no_other_tenant() {
    let design = from_json(include_str!("../../fixtures/iam-prefix.keyfold.json")).unwrap();
    let text = iam(&design).text;
    assert!(
        text.contains("\"Deny\"") && !text.contains("\"Allow\""),
        "{text}"
    );
    let Err(NoTenant::Refused(reason)) = find_tenant(&design) else {
        panic!("it is refused");
    };
    assert!(
        reason.contains("a role with the tag `DOC` could use `TENANT#DOC#"),
        "{reason}"
    );
    let policy: Value = serde_json::from_str(&text).unwrap();
    assert!(said(&policy).contains(&letters(&reason)));
    // The template omits it, with the reason.
    let mut wanted = design.clone();
    Arc::make_mut(&mut wanted.export_options).tenant_policy = true;
    let files = Format::named("cloudformation").unwrap().files(&wanted);
    let text = &files[0].code.text;
    assert!(
        text.contains("The tenant policy is omitted: keys of"),
        "{text}"
    );
    assert!(!text.contains("ManagedPolicy"), "{text}");
}

#[test]
fn separable_tenants_are_accepted() {
    for (delimiter, templates) in [
        ("#", &["TENANT#{t}", "TENANT#{t}#DOC", "USER#{x}"][..]),
        (":", &["TENANT:{t}"]),
        ("#", &["{t}", "{t}#ORDER"]),
        ("#", &["TENANT#{t}#{x}", "DOC#{t}", "CURRENCY"]),
    ] {
        let templates: Vec<String> = templates.iter().map(|text| (*text).to_owned()).collect();
        assert!(
            tenant(&keyed(delimiter, &templates)).is_some(),
            "{templates:?}"
        );
    }
    for (delimiter, templates) in [
        ("#", &["TENANT#{t}", "TENANT#DOC#{t}"][..]),
        ("#", &["{t}", "DOC#{t}"]),
        (":", &["TENANT:{t}:DOC"]),
        ("#", &["TENANT#{t}", "TENANT#"]),
        ("#", &["TENANT#{t}", "TENANT#ALL"]),
        ("#", &["TENANT#{t}", "{x}"]),
    ] {
        let templates: Vec<String> = templates.iter().map(|text| (*text).to_owned()).collect();
        assert!(
            tenant(&keyed(delimiter, &templates)).is_none(),
            "{templates:?}"
        );
    }
}

#[test]
fn a_table_wide_policy_has_a_remark_if_most_keys_have_an_owner() {
    let mut design = keyed(
        "#",
        &["SITE#{t}".into(), "SITE#{t}#A".into(), "HELP#{x}".into()],
    );
    Arc::make_mut(&mut design.export_options).tenant = TenantAttribute::Automatic;
    assert_eq!(said(&policy(&design)), "wholetablenotonetenant");
    let remark = remark(&design).unwrap();
    let words = "This policy covers the whole table, not one tenant: ";
    assert!(remark.starts_with(words), "{remark}");
    assert!(remark.contains("but not those of E2"), "{remark}");
    Arc::make_mut(&mut design.export_options).tenant = TenantAttribute::Nobody;
    let policy: Value = serde_json::from_str(&iam(&design).text).unwrap();
    assert_eq!(said(&policy), "table");
}

/// Keys by user may belong to roles of users or to the application: a policy that allows too little would break it.
#[test]
fn an_attribute_is_the_tenant_by_itself_only_if_its_name_says_so() {
    let keys = ["USER#{t}".into(), "USER#{t}#ORDER".into()];
    let mut design = keyed("#", &keys);
    Arc::make_mut(&mut design.export_options).tenant = TenantAttribute::Automatic;
    assert_eq!(said(&policy(&design)), "wholetablenotonetenant");
    let remark = letters(&remark(&design).unwrap());
    assert!(
        remark.contains("allpartitionkeysstartwithtwhose"),
        "{remark}"
    );
    assert!(remark.contains("chooseitasthetenant"), "{remark}");
    Arc::make_mut(&mut design.export_options).tenant = TenantAttribute::Attribute("t".into());
    assert_eq!(policy(&design)["Statement"][0]["Sid"], "TableOfTenant");
}

#[test]
fn a_tenants_policy_names_the_indexes_that_it_leaves_out() {
    let design = pattern("saas-multi-tenant");
    let tenant = keyfold_core::export::iam::tenant(&design).expect("a tenant");
    let policy = policy(&design);
    assert!(policy["Id"].is_null(), "identity-based policies have none");
    let remark = said(&policy);
    for reason in &tenant.left_out {
        assert!(remark.contains(&letters(reason)), "{reason}");
    }
    let sid = policy["Statement"][0]["Sid"].as_str().unwrap();
    assert!(
        sid.starts_with("TableOfTenantNotAllowedQueriesOfGSI1"),
        "{sid}"
    );
    assert!(sid.chars().all(|c| c.is_ascii_alphanumeric()), "{sid}");
    assert!(
        !tenant.left_out.is_empty(),
        "its GSI has keys of all tenants"
    );
}

/// Adds an access pattern that scans the table or an index. Returns its name.
fn add_scan(design: &mut Design, index: IndexId) -> String {
    let operation = Operation::Scan {
        index,
        limit: None,
        read: Read::default(),
    };
    let id = proofs::add(design, &[], operation);
    design.access_patterns[&id].name.clone()
}

#[test]
fn an_application_scans_only_what_an_access_pattern_scans() {
    let mut design = pattern("saas-multi-tenant");
    Arc::make_mut(&mut design.export_options).tenant = TenantAttribute::Nobody;
    let index = *design.indexes.keys().next().unwrap();
    let name = design.indexes[&index].name.clone();
    let table = format!("arn:aws:dynamodb:eu-west-1:1:table/{}", design.table.name);
    let of_index = format!("{table}/index/{name}");
    let scans = |design: &Design, resource: &str| {
        let policy = policy(design);
        let request = Request {
            action: "dynamodb:Scan",
            resource,
            keys: &[],
        };
        allows(&policy, ("tenantId", "a"), &request)
    };
    assert!(!scans(&design, &table) && !scans(&design, &of_index));
    let mut of_table = design.clone();
    add_scan(&mut of_table, IndexId::PRIMARY);
    assert!(scans(&of_table, &table) && !scans(&of_table, &of_index));
    let mut of_the_index = design;
    add_scan(&mut of_the_index, index);
    assert!(!scans(&of_the_index, &table) && scans(&of_the_index, &of_index));
}

#[test]
fn a_tenants_policy_allows_no_scan_and_says_so() {
    let mut design = pattern("tenant-table-iam");
    let name = add_scan(&mut design, IndexId::PRIMARY);
    let policy = policy(&design);
    let remark = said(&policy);
    let reason = format!("Not allowed: {name}, because a scan reads the items of every tenant.");
    assert!(remark.contains(&letters(&reason)), "{remark}");
    assert!(!policy.to_string().contains("Scan\""), "{policy}");
}

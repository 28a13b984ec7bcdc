//! The change plan: its text, and that its steps lead to the new design within CloudFormation's rules.

use super::template_read::design as any_design;
use keyfold_core::export::change_plan::{ChangePlan, StepKind, Version, change_plan, text};
use keyfold_core::export::cloudformation::read::{read, tree};
use keyfold_core::export::cloudformation::{cloudformation, cloudformation_json};
use keyfold_core::library;
use keyfold_core::model::*;
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

fn pattern(name: &str) -> Design {
    library::find(name).unwrap().design().unwrap()
}

pub fn plan(old: &Design, new: &Design) -> ChangePlan {
    let (old, new) = (
        Version::of_design(old.clone()),
        Version::of_design(new.clone()),
    );
    change_plan(&old, &new)
}

pub fn template(design: &Design, json: bool) -> Version {
    let text = match json {
        true => cloudformation_json(design).text,
        false => cloudformation(design).text,
    };
    Version::of_template(read(&tree(&text).unwrap(), None).unwrap())
}

pub fn edit_table(design: &mut Design) -> &mut Table {
    Arc::make_mut(&mut design.table)
}

/// The GSIs of the template of a step.
fn indexes(design: &Design) -> Vec<Index> {
    let version = template(design, false);
    let all = version.design.indexes.values();
    all.filter(|index| index.kind == IndexKind::Gsi)
        .map(|index| Index::clone(index))
        .collect()
}

/// The table and the indexes of the template of a design, without warm throughput and what has no order.
fn table_of(design: &Design) -> (Table, SortedMap<String, Index>) {
    let read = template(design, false).design;
    let mut table = Table::clone(&read.table);
    table.warm_throughput = None;
    table
        .replicas
        .sort_by(|one, other| one.region.cmp(&other.region));
    let indexes = read.indexes.values().map(|index| {
        let mut index = Index::clone(index);
        index.warm_throughput = None;
        if let Projection::Include(names) = &mut index.projection {
            names.sort();
        }
        (index.name.clone(), index)
    });
    (table, indexes.collect())
}

/// Checks CloudFormation's rules: each update creates or deletes at most one index, changes no index key or projection,
/// gives no attribute two types, and keeps keys and local secondary indexes. The last template is the new design's, but for warm
/// throughput, which is never lowered.
pub fn check(old: &Design, new: &Design, plan: &ChangePlan) {
    if !plan.replacement.is_empty() {
        let kinds: Vec<&StepKind> = plan.steps.iter().map(|step| &step.kind).collect();
        assert_eq!(kinds, [&StepKind::NewTable]);
        return;
    }
    let mut before = indexes(old);
    let most = before.len().max(limits::GSIS_PER_TABLE);
    for step in &plan.steps {
        let after = indexes(&step.design);
        let changes_indexes = matches!(
            step.kind,
            StepKind::CreateIndex(_) | StepKind::DeleteIndex(_)
        );
        let has = |list: &[Index], index: &Index| list.iter().any(|other| other.name == index.name);
        let come = after.iter().filter(|index| !has(&before, index)).count();
        let go = before.iter().filter(|index| !has(&after, index)).count();
        let most_here = usize::from(changes_indexes);
        assert_eq!(
            come + go,
            most_here,
            "{:?}: {come} come, {go} go",
            step.kind
        );
        for index in &after {
            let same = before.iter().find(|other| other.name == index.name);
            assert!(
                same.is_none_or(|same| same.key == index.key),
                "{:?}",
                step.kind
            );
            if let Some(same) = same {
                assert_eq!(same.projection, index.projection, "{:?}", step.kind);
            }
            for other in &after {
                for one in index.key.attributes() {
                    let twin = other.key.attributes().find(|other| other.name == one.name);
                    assert!(
                        twin.is_none_or(|twin| twin.kind == one.kind),
                        "{:?}",
                        step.kind
                    );
                }
            }
        }
        assert!(after.len() <= most);
        before = after;
    }
    if plan.steps.is_empty() {
        // Nothing but warm throughput, which is never lowered, may differ.
        assert_eq!(table_of(old), table_of(new));
    }
    if let Some(last) = plan.steps.last() {
        let turned_off = old.table.ttl_attribute.as_ref();
        match turned_off.filter(|_| new.table.ttl_attribute.is_none()) {
            // A template without the specification would leave TTL on.
            Some(attribute) => assert!(
                last.template().text.contains("Enabled: false"),
                "TTL on {attribute} stays on"
            ),
            None => {
                let mut last = last.clone();
                edit_table(&mut last.design).warm_throughput = new.table.warm_throughput;
                for (id, index) in &new.indexes {
                    let last = last.design.indexes.get_mut(id).unwrap();
                    Arc::make_mut(last).warm_throughput = index.warm_throughput;
                }
                assert_eq!(last.template(), cloudformation(new));
            }
        }
    }
}

#[test]
fn equal_designs_need_no_changes() {
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        let plan = plan(&design, &design);
        assert!(
            plan.is_empty() && plan.remarks.is_empty(),
            "{}",
            pattern.name
        );
        assert_eq!(text(&plan).text, "No changes.\n");
        for json in [false, true] {
            let from = change_plan(
                &template(&design, json),
                &Version::of_design(design.clone()),
            );
            assert!(
                from.is_empty() && from.replacement.is_empty(),
                "{}: {from:?}",
                pattern.name
            );
        }
    }
}

/// A global table has settings of one Region inside its replicas, also those of an index.
#[test]
fn changes_inside_replicas_are_settings() {
    let design = |table: &str, index: &str, replica: &str| {
        let kms = "  encryption kms alias/own\n";
        written(&format!(
            "table orders (PK, SK)\n{kms}  replica eu-west-1{replica}\n{table}\ngsi GSI1 (GSI1PK, GSI1SK)\n{index}\n"
        ))
    };
    let (limit, capacity) = ("  max-throughput read 5", "  provisioned read 5, write 5");
    for (old, new, line) in [
        (
            design("", "", " kms A"),
            design("", "", " kms B"),
            "eu-west-1: SSESpecification: {\"KMSMasterKeyId\": \"A\"} becomes {\"KMSMasterKeyId\": \"B\"}",
        ),
        (
            design("", "", ""),
            design("", limit, ""),
            "eu-west-1: GSI1: ReadOnDemandThroughputSettings: {\"MaxReadRequestUnits\": 5} is added",
        ),
        (
            design(capacity, capacity, ""),
            design(capacity, "  provisioned read 6, write 5", ""),
            "own Region: GSI1: ReadProvisionedThroughputSettings: {\"ReadCapacityUnits\": 5} becomes {\"ReadCapacityUnits\": 6}",
        ),
        (
            design("", "  contributor-insights", ""),
            design("", "", ""),
            "eu-west-1: GSI1: ContributorInsightsSpecification:",
        ),
    ] {
        let plan = plan(&old, &new);
        check(&old, &new, &plan);
        let text = text(&plan).text;
        let words: Vec<&str> = text.split_whitespace().collect();
        let wanted: Vec<&str> = line.split_whitespace().collect();
        assert!(
            words.join(" ").contains(&wanted.join(" ")),
            "{line}\n{text}"
        );
    }
}

/// The Regions of a strongly consistent table stay as they are.
#[test]
fn replicas_of_a_strongly_consistent_table_do_not_change_one_by_one() {
    let design = |replicas: [&str; 2]| {
        let [one, other] = replicas;
        written(&format!(
            "table orders (PK, SK)\n  replica {one}\n  replica {other}\n  multi-region-consistency strong\n"
        ))
    };
    let (old, new) = (
        design(["eu-west-1", "eu-west-2"]),
        design(["eu-west-1", "eu-west-3"]),
    );
    let reasons = plan(&old, &new).replacement;
    assert_eq!(
        reasons,
        [
            "The replicas change. A table with multi-Region strong consistency keeps the Regions that it was created with."
        ]
    );
    let turned = design(["eu-west-2", "eu-west-1"]);
    assert!(plan(&old, &turned).replacement.is_empty());
    let mut single = old.clone();
    edit_table(&mut single).replicas.clear();
    let text = text(&plan(&old, &single)).text;
    assert!(
        text.contains("First remove both replicas in one update: eu-west-1, eu-west-2."),
        "{text}"
    );
}

#[test]
fn three_indexes_become_one() {
    let (old, new) = (
        pattern("saas-multi-tenant"),
        pattern("saas-multi-tenant-overloaded"),
    );
    let by_design = plan(&old, &new);
    check(&old, &new, &by_design);
    insta::assert_snapshot!("three_indexes_become_one", text(&by_design).text);
    // The template alone does not determine the items.
    let by_template = change_plan(&template(&old, false), &Version::of_design(new.clone()));
    check(&old, &new, &by_template);
    insta::assert_snapshot!("from_a_template_to_one_index", text(&by_template).text);
    let kinds = |plan: &ChangePlan| {
        plan.steps
            .iter()
            .map(|step| step.kind.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&by_design), kinds(&by_template));
}

#[test]
fn changed_keys_are_written_again() {
    let (old, new) = (
        pattern("saas-multi-tenant-overloaded"),
        pattern("saas-multi-tenant-ulid"),
    );
    insta::assert_snapshot!(text(&plan(&old, &new)).text);
}

#[test]
fn changed_conditions_names_and_types_are_planned() {
    let old = pattern("e-commerce");
    let mut new = old.clone();
    for entity in new.entities.values_mut() {
        let entity = Arc::make_mut(entity);
        if entity.name == "User" {
            entity.name = "Person".into();
        }
        for (index, entry) in entity.keys.iter_mut() {
            if !index.is_primary() && entity.name == "Order" {
                entry.when = vec![Condition {
                    attribute: "status".into(),
                    test: Test::Exists,
                }];
            }
        }
    }
    let renamed = text(&plan(&old, &new)).text;
    edit_table(&mut new).type_attribute = Some("kind".into());
    let gone = pattern("blog");
    let other = [
        renamed,
        text(&plan(&old, &new)).text,
        text(&plan(&gone, &new)).text,
    ];
    insta::assert_snapshot!(other.join("\n"));
}

/// A design from text.
pub fn written(text: &str) -> Design {
    let lowered = keyfold_core::text::lower(&keyfold_core::text::parse(text), None);
    assert!(lowered.problems.is_empty(), "{:?}", lowered.problems);
    lowered.design
}

pub const ORDERS: &str = "design Orders

table orders (PK, SK)
  ttl expiresAt

gsi GSI1 (GSI1PK, GSI1SK)
gsi byScore (customerId, score N)

entity Order
  customerId string
  orderId string
  score number
  status string
  expiresAt number
  key       CUSTOMER#{customerId} / ORDER#{orderId}
  index GSI1 STATUS#{status} / {orderId} when status = OPEN
  index byScore
";

/// The changes to items, in words.
pub fn items(old: &Design, new: &Design) -> String {
    let plan = plan(old, new);
    check(old, new, &plan);
    text(&plan).text
}

/// Renames an attribute as the page does: in the templates, too.
fn rename(design: &mut Design, from: &str, to: &str) {
    for entity in design.entities.values_mut() {
        let entity = Arc::make_mut(entity);
        for attribute in &mut entity.attributes {
            if attribute.name == from {
                attribute.name = to.into();
            }
        }
        for (_, entry) in entity.keys.iter_mut() {
            for part in entry.partition.iter_mut().chain(&mut entry.sort) {
                *part = part.replace(&format!("{{{from}}}"), &format!("{{{to}}}"));
            }
            for condition in &mut entry.when {
                if condition.attribute == from {
                    condition.attribute = to.into();
                }
            }
        }
    }
}
/// A rename changes no key: nothing is moved, and the values are copied.
#[test]
fn renamed_attributes_are_copied_and_their_keys_stay() {
    let old = written(ORDERS);
    let mut new = old.clone();
    rename(&mut new, "orderId", "number");
    rename(&mut new, "status", "state");
    rename(&mut new, "expiresAt", "endsAt");
    edit_table(&mut new).ttl_attribute = Some("endsAt".into());
    insta::assert_snapshot!(items(&old, &new));
}

#[test]
fn another_type_is_written_again() {
    let old = written(ORDERS);
    let mut new = written(
        &ORDERS
            .replace("score N", "score")
            .replace("score number", "score string"),
    );
    let with_type = items(&old, &new);
    // The table's key is a template.
    new = written(
        &ORDERS
            .replace("(PK, SK)", "(PK, SK N)")
            .replace("ORDER#{orderId}", "{orderId}"),
    );
    let old = written(&ORDERS.replace("ORDER#{orderId}", "{orderId}"));
    insta::assert_snapshot!([with_type, items(&old, &new)].join("\n"));
}

#[test]
fn conditions_of_index_entries_are_said() {
    let without = ORDERS.replace(
        "  index GSI1 STATUS#{status} / {orderId} when status = OPEN\n",
        "",
    );
    let other = ORDERS.replace("when status = OPEN", "when status = OPEN and score exists");
    let always = ORDERS.replace(" when status = OPEN", "");
    let rewritten = ORDERS.replace("STATUS#{status} /", "ST#{status} /");
    let there = written(ORDERS);
    let all = [
        items(&written(&without), &there),
        items(&there, &written(&other)),
        items(&there, &written(&always)),
        items(&there, &written(&rewritten)),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

/// A condition decides on what its templates write, never on data that items have anyway.
#[test]
fn a_changed_condition_removes_no_data() {
    let natural = ORDERS.replace("gsi GSI1 (GSI1PK, GSI1SK)", "gsi GSI1 (GSI1PK, score N)");
    let natural = natural.replace("STATUS#{status} / {orderId} when", "STATUS#{status} when");
    let other = natural.replace(
        "when status = OPEN",
        "when status = OPEN and customerId exists",
    );
    let plan = plan(&written(&natural), &written(&other));
    let names: Vec<&str> = (plan.data.iter())
        .flat_map(|change| change.attributes.iter().map(|one| one.attribute.as_str()))
        .collect();
    assert_eq!(names, ["GSI1PK"], "{plan:?}");
}

#[test]
fn another_delimiter_policy_is_no_empty_plan() {
    let old = written(ORDERS);
    let mut new = old.clone();
    Arc::make_mut(&mut new.delimiter).on_conflict = OnDelimiter::PercentEncode;
    insta::assert_snapshot!(items(&old, &new));
}

/// Between the updates, tenants may query the indexes that are there: those that stay, and those that go last.
#[test]
fn each_update_keeps_the_tenants_access() {
    let old = written(
        "design Tenants

table tenants (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)
gsi GSI2 (GSI2PK, GSI2SK)
gsi GSI3 (GSI3PK, GSI3SK)

entity Task
  tenantId string
  taskId string
  state string
  key       TENANT#{tenantId} / TASK#{taskId}
  index GSI1 TENANT#{tenantId}#TASKS / {taskId}
  index GSI2 TENANT#{tenantId}#{state} / {taskId}
  index GSI3 TENANT#{tenantId}#ALL / {state}
",
    );
    let mut old = old;
    Arc::make_mut(&mut old.export_options).tenant_policy = true;
    let mut new = old.clone();
    // The first and the third go; the second stays, and another one comes.
    let mut gone: Vec<IndexId> = new.indexes.keys().copied().collect();
    gone.remove(1);
    for id in &gone {
        new.indexes.remove(id);
        for (_, entity) in new.entities.iter_mut() {
            Arc::make_mut(entity).keys.remove(id);
        }
    }
    let id = IndexId(new.take_id());
    let index = Index::new("GSI4", IndexKind::Gsi, KeySchema::pair("GSI4PK", "GSI4SK"));
    new.indexes.insert(id, Arc::new(index));
    for (_, entity) in new.entities.iter_mut() {
        let entry = IndexEntry::pair("TENANT#{tenantId}#NEW", "{taskId}");
        Arc::make_mut(entity).keys.insert(id, entry);
    }
    let plan = plan(&old, &new);
    check(&old, &new, &plan);
    assert_eq!(plan.steps.len(), 3);
    for step in &plan.steps {
        let text = step.template().text;
        for index in step.design.indexes.values() {
            let resource = format!("${{Table.Arn}}/index/{}", index.name);
            assert!(text.contains(&resource), "{:?}: {resource}", step.kind);
        }
    }
    // The keys of all tenants change: the policy does, too.
    let mut other = new.clone();
    for (_, entity) in other.entities.iter_mut() {
        for (_, entry) in Arc::make_mut(entity).keys.iter_mut() {
            entry.partition = entry
                .partition
                .as_ref()
                .map(|text| text.replace("TENANT#", "T#"));
        }
    }
    insta::assert_snapshot!(items(&new, &other));
}

/// A plan from a template of somebody else's stack says that its own templates would delete that stack's resources.
#[test]
fn a_plan_for_another_stack_is_not_to_be_deployed_there() {
    let design = pattern("blog");
    let own = cloudformation(&design).text;
    let plan = |template: &str| {
        let old = Version::of_template(read(&tree(template).unwrap(), None).unwrap());
        change_plan(&old, &Version::of_design(design.clone()))
    };
    let warns = |remark: &String| remark.starts_with("Do not deploy");
    assert!(!plan(&own).remarks.iter().any(warns));
    let other = own.replace("\n  Table:\n", "\n  Posts:\n").replace(
        "\nResources:\n",
        "\nResources:\n  Work:\n    Type: AWS::Lambda::Function\n",
    );
    let said = plan(&other).remarks;
    let warning = said.iter().find(|remark| warns(remark)).expect("a warning");
    assert!(warning.contains("(Posts, Work)"), "{warning}");
}

#[test]
fn consistency_between_regions_is_for_good() {
    let mut old = pattern("blog");
    edit_table(&mut old).replicas = vec![Replica {
        region: "eu-west-1".into(),
        kms_key: None,
    }];
    let mut new = old.clone();
    edit_table(&mut new).multi_region_consistency = MultiRegionConsistency::Strong;
    for before in [&old, &pattern("blog")] {
        let plan = plan(before, &new);
        check(before, &new, &plan);
        assert_eq!(plan.replacement.len(), 1, "{plan:?}");
    }
}

#[test]
fn settings_change_in_place() {
    let old = pattern("blog");
    let mut new = old.clone();
    let table = edit_table(&mut new);
    table.billing = Billing::Provisioned(ProvisionedThroughput {
        read_scaling: Some(Autoscaling::default()),
        ..ProvisionedThroughput::default()
    });
    table.deletion_protection = true;
    table.stream = Some(StreamView::KeysOnly);
    table.ttl_attribute = Some("expiresAt".into());
    let there = plan(&old, &new);
    check(&old, &new, &there);
    let mut other = new.clone();
    let table = edit_table(&mut other);
    table.ttl_attribute = Some("endsAt".into());
    table.stream = Some(StreamView::NewImage);
    let on = plan(&new, &other);
    check(&new, &other, &on);
    assert_eq!(on.steps.len(), 2, "TTL is off before it is on again");
    assert_eq!(on.steps[0].design.table.ttl_attribute, None);
    let back = plan(&other, &old);
    check(&other, &old, &back);
    insta::assert_snapshot!([text(&there).text, text(&on).text, text(&back).text].join("\n"));
}

#[test]
fn incompatible_changes_need_a_new_table() {
    let old = pattern("saas-multi-tenant-overloaded");
    let mut said = String::new();
    type Edit = fn(&mut Design);
    let edits: [(&str, Edit); 4] = [
        ("name", |design| edit_table(design).name = "other".into()),
        ("key", |design| edit_table(design).key.sort.clear()),
        ("type", |design| {
            edit_table(design).key.sort[0].kind = KeyType::N;
        }),
        ("local", |design| {
            let id = IndexId(design.take_id());
            let key = KeySchema::pair("pk", "createdAt");
            design
                .indexes
                .insert(id, Arc::new(Index::new("by-time", IndexKind::Lsi, key)));
        }),
    ];
    for (name, edit) in edits {
        let mut new = old.clone();
        edit(&mut new);
        let there = plan(&old, &new);
        assert_eq!(there.steps.len(), 1, "{name}");
        assert_eq!(there.steps[0].kind, StepKind::NewTable);
        assert_eq!(there.steps[0].template(), cloudformation(&new));
        said.push_str(&format!("{name}\n{}\n", text(&there).text));
        if name == "local" {
            let mut changed = new.clone();
            let (_, index) = changed.indexes.iter_mut().next_back().unwrap();
            Arc::make_mut(index).projection = Projection::KeysOnly;
            for (one, other) in [(&new, &old), (&new, &changed)] {
                let back = plan(one, other);
                assert_eq!(back.replacement.len(), 1);
                said.push_str(&format!("{}\n", back.replacement[0]));
            }
        }
    }
    insta::assert_snapshot!(said);
}

#[test]
fn replicas_change_one_per_update() {
    let replica = |region: &str| Replica {
        region: region.into(),
        kms_key: None,
    };
    let mut old = pattern("blog");
    edit_table(&mut old).replicas = vec![replica("eu-west-1"), replica("eu-west-2")];
    let mut new = old.clone();
    edit_table(&mut new).replicas = vec![
        replica("eu-west-2"),
        replica("us-east-1"),
        replica("us-west-2"),
    ];
    let there = plan(&old, &new);
    check(&old, &new, &there);
    let regions: Vec<Vec<&str>> = (there.steps.iter())
        .map(|step| {
            step.design
                .table
                .replicas
                .iter()
                .map(|replica| replica.region.as_str())
                .collect()
        })
        .collect();
    assert_eq!(
        regions,
        [
            vec!["eu-west-2"],
            vec!["eu-west-2", "us-east-1"],
            vec!["eu-west-2", "us-east-1", "us-west-2"]
        ]
    );
    let local = pattern("blog");
    let up = plan(&local, &new);
    assert_eq!(up.steps[0].kind, StepKind::Import);
    insta::assert_snapshot!(
        [
            text(&there).text,
            text(&up).text,
            text(&plan(&new, &local)).text
        ]
        .join("\n")
    );
}

/// An index that keeps its name is deleted before it is created again, and so is one whose attribute another index has
/// with another type. With 20 indexes, one is deleted before another is created.
#[test]
fn conflicting_indexes_are_deleted_first() {
    let index = |name: &str, partition: &str| {
        Arc::new(Index::new(
            name,
            IndexKind::Gsi,
            KeySchema::pair(partition, "SK"),
        ))
    };
    let with = |indexes: &[Arc<Index>]| {
        let mut design = Design::new("Ways");
        for index in indexes {
            let id = IndexId(design.take_id());
            design.indexes.insert(id, index.clone());
        }
        design
    };
    let number = |name: &str, partition: &str| {
        let mut index = Index::clone(&index(name, partition));
        index.key.partition[0].kind = KeyType::N;
        Arc::new(index)
    };
    let kinds = |old: &Design, new: &Design| -> Vec<String> {
        let plan = plan(old, new);
        check(old, new, &plan);
        let name = |step: &keyfold_core::export::change_plan::PlanStep| match &step.kind {
            StepKind::CreateIndex(name) => format!("+{name}"),
            StepKind::DeleteIndex(name) => format!("-{name}"),
            other => format!("{other:?}"),
        };
        plan.steps.iter().map(name).collect()
    };
    let old = with(&[index("one", "a"), index("two", "b"), index("old", "c")]);
    let renewed = with(&[index("one", "x"), index("two", "b"), index("new", "d")]);
    assert_eq!(kinds(&old, &renewed), ["+new", "-one", "+one", "-old"]);
    let typed = with(&[number("one", "a"), number("six", "b"), index("old", "c")]);
    assert_eq!(kinds(&old, &typed), ["-one", "+one", "-two", "+six"]);
    let full: Vec<_> = (0..20)
        .map(|n| index(&format!("g{n:02}"), &format!("p{n}")))
        .collect();
    let mut other = full.clone();
    other[3] = index("x03", "q3");
    other[4] = index("x04", "q4");
    assert_eq!(
        kinds(&with(&full), &with(&other)),
        ["-g03", "+x03", "-g04", "+x04"]
    );
}

proptest! {
    #![proptest_config(cases(150))]
    #[test]
    fn any_two_designs_have_a_plan(mut old in any_design(), new in any_design(), near in any::<bool>()) {
        if near {
            // The same table name and key, so that the table is not replaced.
            let (name, key) = (new.table.name.clone(), new.table.key.clone());
            let table = edit_table(&mut old);
            (table.name, table.key) = (name, key);
            table.replicas = new.table.replicas.clone();
            old.indexes.retain(|_, index| index.kind == IndexKind::Gsi);
            for index in new.indexes.values().filter(|index| index.kind == IndexKind::Lsi) {
                let id = IndexId(old.take_id());
                old.indexes.insert(id, index.clone());
            }
        }
        let plan = plan(&old, &new);
        check(&old, &new, &plan);
        for json in [false, true] {
            let from = change_plan(&template(&old, json), &Version::of_design(new.clone()));
            prop_assert_eq!(from.steps.len(), plan.steps.len());
            prop_assert_eq!(&from.replacement, &plan.replacement);
        }
        let _ = text(&plan);
    }
}

//! A template reads back as the table that it was exported from.

use crate::cfn_lint::judged;
use keyfold_core::export::change_plan::{Version, change_plan};
use keyfold_core::export::cloudformation::read::{ReadTable, read, tree};
use keyfold_core::export::cloudformation::{cloudformation, cloudformation_json};
use keyfold_core::model::*;
use keyfold_test_support::cases;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::sync::Arc;

fn read_text(text: &str) -> ReadTable {
    read(&tree(text).unwrap(), None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The table and the indexes of a design, as far as a template contains them.
fn table_and_indexes(design: &Design) -> (Table, Vec<Index>) {
    let mut table = Table::clone(&design.table);
    table.type_attribute = None;
    let meant =
        |most: Option<MaxRequestUnits>| most.filter(|most| *most != MaxRequestUnits::default());
    let warm =
        |warm: Option<WarmThroughput>| warm.filter(|warm| *warm != WarmThroughput::default());
    table.warm_throughput = warm(table.warm_throughput);
    table.resource_policy = (table.resource_policy.as_deref())
        .and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok())
        .filter(|value| value.is_object())
        .map(|value| value.to_string());
    let global = !table.replicas.is_empty();
    if global {
        let strong = table.multi_region_consistency == MultiRegionConsistency::Strong;
        let view = table.stream.filter(|_| strong);
        table.stream = Some(view.unwrap_or(StreamView::NewAndOldImages));
        let own = match &table.encryption {
            Encryption::CustomerManaged(key) => Some(key.clone()),
            _ => None,
        };
        // Fixed write capacity is a target with equal bounds.
        let fixed = |units: &mut ProvisionedThroughput| {
            let write = units.write;
            units.write_scaling = units.write_scaling.filter(|target| {
                (target.min, target.max, target.target_percent) != (write, write, 70)
            });
        };
        if let Billing::Provisioned(units) = &mut table.billing {
            fixed(units);
        }
        for replica in &mut table.replicas {
            replica.kms_key = own
                .as_ref()
                .map(|own| replica.kms_key.clone().unwrap_or(own.clone()));
        }
    } else {
        table.multi_region_consistency = MultiRegionConsistency::Eventual;
    }
    let mut indexes = Vec::new();
    for kind in [IndexKind::Gsi, IndexKind::Lsi] {
        for index in design.indexes.values().filter(|index| index.kind == kind) {
            let mut index = Index::clone(index);
            index.description.clear();
            let keys: Vec<String> = (table.key.attributes().chain(index.key.attributes()))
                .map(|key| key.name.clone())
                .collect();
            if let Projection::Include(names) = &mut index.projection {
                let mut seen = keys;
                names.retain(|name| {
                    let is_new = !seen.contains(name);
                    seen.push(name.clone());
                    is_new
                });
                if names.is_empty() {
                    index.projection = Projection::KeysOnly;
                }
            }
            match &table.billing {
                Billing::OnDemand(_) => {
                    index.provisioned = None;
                    index.max_request_units = meant(index.max_request_units);
                }
                Billing::Provisioned(units) => {
                    index.max_request_units = None;
                    index.provisioned = index.provisioned.filter(|own| own != units);
                }
            }
            index.warm_throughput = warm(index.warm_throughput);
            if kind == IndexKind::Lsi {
                (index.provisioned, index.max_request_units) = (None, None);
                (index.warm_throughput, index.contributor_insights) = (None, None);
            }
            indexes.push(index);
        }
    }
    (table, indexes)
}

pub fn check(name: &str, design: &Design) {
    let yaml = cloudformation(design).text;
    let mut read = read_text(&yaml);
    assert_eq!(
        read,
        read_text(&cloudformation_json(design).text),
        "{name}: YAML and JSON"
    );
    assert!(
        read.named && read.remarks.is_empty(),
        "{name}: {:?}",
        read.remarks
    );
    let compact = |text: &String| {
        serde_json::from_str::<serde_json::Value>(text)
            .unwrap()
            .to_string()
    };
    read.table.resource_policy = read.table.resource_policy.as_ref().map(compact);
    let (table, indexes) = table_and_indexes(design);
    assert_eq!(read.table, table, "{name}\n{yaml}");
    assert_eq!(read.indexes, indexes, "{name}\n{yaml}");
    // So the plan to the design itself has no steps.
    let plan = change_plan(
        &Version::of_template(read_text(&yaml)),
        &Version::of_design(design.clone()),
    );
    let steps: Vec<_> = plan.steps.iter().map(|step| &step.changes).collect();
    assert!(
        plan.replacement.is_empty() && steps.is_empty(),
        "{name}: {steps:?}"
    );
}

#[test]
fn every_template_reads_back_as_its_table() {
    for (name, design) in judged() {
        check(&name, &design);
    }
}

/// Templates as people, SDKs and consoles write them.
#[test]
fn handwritten_templates_are_read() {
    let read = read_text(
        "AWSTemplateFormatVersion: 2010-09-09\n\
         Parameters:\n  Env: {Type: String, Default: dev}\n  Read: {Type: Number, Default: 7}\n\
         Conditions:\n  Prod: !Equals [!Ref Env, prod]\n  NotProd: !Not [!Condition Prod]\n\
         Mappings:\n  Sizes:\n    dev: {write: 3}\n\
         Resources:\n  Bucket:\n    Type: AWS::S3::Bucket\n  Orders:\n    Type: AWS::DynamoDB::Table\n    Properties:\n\
         \x20     TableName: !Join ['-', [orders, !Ref Env]]\n\
         \x20     AttributeDefinitions:\n      - {AttributeName: id, AttributeType: S}\n      - {AttributeName: n, AttributeType: N}\n\
         \x20     KeySchema:\n      - {AttributeName: id, KeyType: HASH}\n\
         \x20     ProvisionedThroughput:\n        ReadCapacityUnits: !Ref Read\n        WriteCapacityUnits: !FindInMap [Sizes, !Ref Env, write]\n\
         \x20     DeletionProtectionEnabled: !If [Prod, true, false]\n\
         \x20     TimeToLiveSpecification: !If [NotProd, {AttributeName: ttl, Enabled: true}, !Ref AWS::NoValue]\n\
         \x20     SSESpecification: {SSEEnabled: true, SSEType: KMS, KMSMasterKeyId: !GetAtt Key.Arn}\n\
         \x20     GlobalSecondaryIndexes:\n      - IndexName: !Sub 'by-n'\n        KeySchema: [{AttributeName: n, KeyType: HASH}]\n\
         \x20       Projection: {ProjectionType: ALL}\n        ProvisionedThroughput: {ReadCapacityUnits: '1', WriteCapacityUnits: 1}\n",
    );
    assert_eq!(
        (read.resource.as_str(), read.table.name.as_str()),
        ("Orders", "orders-dev")
    );
    let Billing::Provisioned(units) = &read.table.billing else {
        panic!("{:?}", read.table.billing)
    };
    assert_eq!((units.read, units.write), (7, 3));
    assert!(!read.table.deletion_protection);
    assert_eq!(read.table.ttl_attribute.as_deref(), Some("ttl"));
    assert_eq!(
        read.table.encryption,
        Encryption::CustomerManaged(r#"{"Fn::GetAtt": ["Key","Arn"]}"#.replace(",", ", "))
    );
    assert_eq!(read.indexes[0].name, "by-n");
    assert_eq!(read.indexes[0].key.partition[0].kind, KeyType::N);

    let unnamed = read_text(
        r#"{"Resources": {"T": {"Type": "AWS::DynamoDB::Table", "Properties": {
            "TableName": {"Fn::ImportValue": "name"}, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "B"}],
            "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]}}}}"#,
    );
    assert!(!unnamed.named);
}

#[test]
fn invalid_tables_are_rejected_with_their_place() {
    let table = |properties: &str| {
        format!(
            r#"{{"Resources": {{"T": {{"Type": "AWS::DynamoDB::Table", "Properties": {properties}}}}}}}"#
        )
    };
    let two = r#"{"Type": "AWS::DynamoDB::Table", "Properties": {}}"#;
    let mut table_and_indexes = String::new();
    for text in [
        "a: b".to_owned(),
        "[1".to_owned(),
        "{".to_owned(),
        r#"{"Resources": {}}"#.to_owned(),
        format!(r#"{{"Resources": {{"A": {two}, "B": {two}}}}}"#),
        table("{}"),
        table(r#"{"KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]}"#),
        table(r#"{"KeySchema": [{"AttributeName": {"Ref": "X"}, "KeyType": "HASH"}]}"#),
        table(
            r#"{"AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "X"}],
                "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]}"#,
        ),
        table(
            r#"{"AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "a", "KeyType": "SORT"}]}"#,
        ),
        table(
            r#"{"AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
                "GlobalSecondaryIndexes": [{"KeySchema": []}]}"#,
        ),
    ] {
        let error = tree(&text)
            .and_then(|tree| read(&tree, None))
            .expect_err(&text);
        table_and_indexes.push_str(&error);
        table_and_indexes.push('\n');
    }
    let template = tree(&format!(r#"{{"Resources": {{"A": {two}}}}}"#)).unwrap();
    table_and_indexes.push_str(&read(&template, Some("B")).unwrap_err());
    insta::assert_snapshot!(table_and_indexes);
}

fn key_type(name: &str) -> KeyType {
    KeyType::ALL[name.len() % 3]
}

const NAMES: [&str; 12] = [
    "PK",
    "SK",
    "on",
    "2010-09-09",
    "a b",
    "ключ",
    "=",
    "it's",
    "<<",
    "GSI1PK",
    "~",
    "0x1f",
];

fn key(partition: usize, sort: usize) -> impl Strategy<Value = KeySchema> {
    subsequence(NAMES.to_vec(), partition + sort)
        .prop_shuffle()
        .prop_map(move |names| {
            let attributes = names.iter().map(|name| KeyAttribute {
                name: (*name).to_owned(),
                kind: key_type(name),
            });
            let mut partition_key: Vec<_> = attributes.collect();
            let sort = partition_key.split_off(partition);
            KeySchema {
                partition: partition_key,
                sort,
            }
        })
}

fn scaling() -> impl Strategy<Value = Option<Autoscaling>> {
    let target = (1..10u64, 10..900u64, 20..90u8);
    prop::option::of(target.prop_map(|(min, max, target_percent)| Autoscaling {
        min,
        max,
        target_percent,
    }))
}

fn units() -> impl Strategy<Value = ProvisionedThroughput> {
    (1..50u64, 1..50u64, scaling(), scaling()).prop_map(
        |(read, write, read_scaling, write_scaling)| ProvisionedThroughput {
            read,
            write,
            read_scaling,
            write_scaling,
        },
    )
}

fn limit() -> impl Strategy<Value = MaxRequestUnits> {
    (prop::option::of(1..999u64), prop::option::of(1..999u64))
        .prop_map(|(read, write)| MaxRequestUnits { read, write })
}

fn insights() -> impl Strategy<Value = Option<ContributorInsights>> {
    prop::option::of(select(vec![
        ContributorInsights::AccessedAndThrottledKeys,
        ContributorInsights::ThrottledKeys,
    ]))
}

fn table() -> impl Strategy<Value = Table> {
    let billing = prop_oneof![
        limit().prop_map(Billing::OnDemand),
        units().prop_map(Billing::Provisioned),
    ];
    let views = [
        StreamView::KeysOnly,
        StreamView::NewImage,
        StreamView::OldImage,
        StreamView::NewAndOldImages,
    ];
    let encryption = prop_oneof![
        Just(Encryption::AwsOwned),
        Just(Encryption::AwsManaged),
        Just(Encryption::CustomerManaged("alias/x: y".into())),
    ];
    let replica = prop::option::of(Just("alias/of-region".to_owned()));
    let replicas = prop::option::of(prop::collection::vec(replica, 1..3));
    let first = (
        "[a-zA-Z0-9_.-]{3,255}",
        key(1, 1),
        billing,
        prop::option::of(select(NAMES.to_vec())),
    );
    let second = (
        prop::option::of(select(views.to_vec())),
        prop::option::of(prop::option::of(1..36u8)),
        encryption,
    );
    let third = (
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        insights(),
        replicas,
        any::<bool>(),
    );
    (first, second, third).prop_map(
        |(
            (name, key, billing, ttl),
            (stream, recovery, encryption),
            (class, protected, kinesis, insights, replicas, strong),
        )| {
            let mut table = Table::new(name);
            (table.key, table.billing, table.ttl_attribute) =
                (key, billing, ttl.map(str::to_owned));
            (table.stream, table.encryption) = (stream, encryption);
            table.recovery = recovery.map(|days| Recovery { days });
            (table.deletion_protection, table.contributor_insights) = (protected, insights);
            if class {
                table.class = TableClass::StandardInfrequentAccess;
                table.tags.insert("on: off".into(), "yes".into());
                table.warm_throughput = Some(WarmThroughput {
                    read: Some(12_000),
                    write: None,
                });
            }
            if kinesis {
                let arn = "arn:aws:kinesis:us-east-1:1:stream/x".to_owned();
                table.kinesis = Some(KinesisStream {
                    arn,
                    microseconds: protected,
                });
                table.resource_policy = Some(r#"{"Version":"2012-10-17"}"#.into());
            }
            let regions = ["eu-central-1", "eu-west-1"];
            for (region, kms_key) in regions.iter().zip(replicas.into_iter().flatten()) {
                table.replicas.push(Replica {
                    region: (*region).to_owned(),
                    kms_key,
                });
            }
            if strong && !table.replicas.is_empty() {
                table.multi_region_consistency = MultiRegionConsistency::Strong;
            }
            table
        },
    )
}

fn index() -> impl Strategy<Value = Index> {
    let projection = prop_oneof![
        Just(Projection::All),
        Just(Projection::KeysOnly),
        subsequence(NAMES.to_vec(), 0..5)
            .prop_map(|names| Projection::Include(names.into_iter().map(str::to_owned).collect())),
    ];
    let key = (1..=3usize, 0..=3usize).prop_flat_map(|(partition, sort)| key(partition, sort));
    let own = (
        prop::option::of(units()),
        prop::option::of(limit()),
        insights(),
    );
    ("[a-zA-Z0-9_.-]{3,8}", key, projection, own).prop_map(
        |(name, key, projection, (units, limit, insights))| Index {
            projection,
            provisioned: units,
            max_request_units: limit,
            contributor_insights: insights,
            ..Index::new(name, IndexKind::Gsi, key)
        },
    )
}

/// Any table with GSIs and LSIs.
pub fn design() -> impl Strategy<Value = Design> {
    let local = prop::option::of(select(NAMES.to_vec()));
    (table(), prop::collection::vec(index(), 0..4), local).prop_map(|(table, indexes, local)| {
        let mut design = Design::new("Any: 'design'");
        let mut all = indexes;
        if let Some(name) = local.filter(|name| *name != table.key.partition[0].name) {
            let sort = KeyAttribute {
                name: name.to_owned(),
                kind: key_type(name),
            };
            let key = KeySchema {
                partition: table.key.partition.clone(),
                sort: vec![sort],
            };
            all.push(Index::new("local.index", IndexKind::Lsi, key));
        }
        design.table = Arc::new(table);
        for index in all {
            if design.index_named(&index.name).is_none() {
                let id = IndexId(design.take_id());
                design.indexes.insert(id, Arc::new(index));
            }
        }
        design
    })
}

proptest! {
    #![proptest_config(cases(200))]
    #[test]
    fn any_design_reads_back_from_its_template(design in design()) {
        prop_assert_eq!(validate_invariants(&design), []);
        check("any", &design);
    }
}

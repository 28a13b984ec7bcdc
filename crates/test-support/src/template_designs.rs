//! Hand-built designs that together use every property of a CloudFormation template. Shared with the engine check.

use keyfold_core::model::*;
use std::sync::Arc;

/// All of them, each with a name for files and messages.
pub fn all() -> Vec<(&'static str, Design)> {
    vec![
        ("minimal", minimal()),
        ("on_demand", on_demand()),
        ("kitchen_sink", kitchen_sink()),
        ("awkward", awkward()),
        ("global", global()),
        ("long_name", long_name()),
    ]
}

/// A new design.
fn minimal() -> Design {
    Design::new("Orders")
}

/// On-demand with maximum throughput, two overloaded GSIs, an LSI, TTL and a stream.
fn on_demand() -> Design {
    let mut design = Design::new("Shop");
    design.description = "Customers, orders\nand carts of one shop.".into();
    let table = Arc::make_mut(&mut design.table);
    table.billing = Billing::OnDemand(MaxRequestUnits {
        read: Some(1000),
        write: Some(500),
    });
    table.ttl_attribute = Some("expiresAt".into());
    table.stream = Some(StreamView::NewAndOldImages);
    table.recovery = Some(Recovery::default());
    table.encryption = Encryption::AwsManaged;
    let mut first = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "GSI1SK"));
    first.max_request_units = Some(MaxRequestUnits {
        read: Some(200),
        write: None,
    });
    add(&mut design, first);
    // The table's own keys swapped, without further sort key attributes.
    let mut inverted = Index::new("inverted", IndexKind::Gsi, KeySchema::pair("SK", "PK"));
    inverted.projection = Projection::KeysOnly;
    add(&mut design, inverted);
    let mut by_time = Index::new(
        "by-time",
        IndexKind::Lsi,
        KeySchema::pair("PK", "createdAt"),
    );
    by_time.projection = Projection::Include(vec!["total".into(), "PK".into(), "total".into()]);
    add(&mut design, by_time);
    design
}

/// Provisioned, with every property set.
fn kitchen_sink() -> Design {
    let mut design = Design::new("Kitchen sink");
    let table = Arc::make_mut(&mut design.table);
    table.name = "kitchen.sink_1-a".into();
    table.billing = Billing::Provisioned(ProvisionedThroughput {
        read: 20,
        write: 10,
        read_scaling: Some(Autoscaling {
            min: 5,
            max: 400,
            target_percent: 60,
        }),
        write_scaling: Some(Autoscaling::default()),
    });
    table.class = TableClass::StandardInfrequentAccess;
    table.ttl_attribute = Some("ttl".into());
    table.stream = Some(StreamView::KeysOnly);
    table.recovery = Some(Recovery { days: Some(14) });
    table.encryption = Encryption::CustomerManaged("alias/tables".into());
    table.deletion_protection = true;
    table.warm_throughput = Some(WarmThroughput {
        read: Some(13000),
        write: Some(5000),
    });
    table.contributor_insights = Some(ContributorInsights::ThrottledKeys);
    table.kinesis = Some(KinesisStream {
        arn: "arn:aws:kinesis:us-east-1:111122223333:stream/changes".into(),
        microseconds: true,
    });
    table.resource_policy = Some(POLICY.into());
    for (key, value) in [
        ("on", "yes"),
        ("since", "2010-09-09"),
        ("team", "Store: front"),
        ("x", ""),
    ] {
        table.tags.insert(key.into(), value.into());
    }
    let mut multi = Index::new(
        "by-region.and-status",
        IndexKind::Gsi,
        KeySchema {
            partition: vec![KeyAttribute::text("region"), KeyAttribute::text("status")],
            sort: vec![
                KeyAttribute {
                    name: "amount".into(),
                    kind: KeyType::N,
                },
                KeyAttribute::text("orderId"),
            ],
        },
    );
    multi.projection = Projection::Include(vec!["customer".into(), "note".into()]);
    multi.contributor_insights = Some(ContributorInsights::AccessedAndThrottledKeys);
    multi.warm_throughput = Some(WarmThroughput {
        read: None,
        write: Some(4000),
    });
    multi.provisioned = Some(ProvisionedThroughput {
        read: 7,
        write: 8,
        read_scaling: None,
        write_scaling: Some(Autoscaling {
            min: 8,
            max: 80,
            target_percent: 70,
        }),
    });
    add(&mut design, multi);
    // The name would give its scaling the same logical ids as the index above.
    let mut partition_only = Index::new(
        "byRegion-AndStatus",
        IndexKind::Gsi,
        KeySchema::pair("hash", ""),
    );
    partition_only.key.sort.clear();
    partition_only.key.partition[0].kind = KeyType::B;
    add(&mut design, partition_only);
    for (name, sort) in [("by-amount", "amount"), ("by-note", "note")] {
        let mut local = Index::new(name, IndexKind::Lsi, KeySchema::pair("PK", sort));
        if sort == "amount" {
            local.key.sort[0].kind = KeyType::N;
        }
        local.projection = Projection::KeysOnly;
        add(&mut design, local);
    }
    design
}

/// Names that YAML would misread, replicas, a policy that is not JSON, a description beyond the limit.
fn awkward() -> Design {
    let mut design = Design::new("No: \"yes\" # 'maybe'");
    design.description = "ünïcode ".repeat(200);
    let table = Arc::make_mut(&mut design.table);
    table.name = "2010-09-09".into();
    table.key = KeySchema::pair("no", "=");
    table.ttl_attribute = Some("~".into());
    table.resource_policy = Some("{\"Version\": \"2012-10-17\",\n oops}".into());
    table.replicas = vec![Replica {
        region: "eu-central-1".into(),
        kms_key: None,
    }];
    table.warm_throughput = Some(WarmThroughput::default());
    let mut index = Index::new("1_000", IndexKind::Gsi, KeySchema::pair("<<", "on"));
    index.projection = Projection::Include(vec![
        "null".into(),
        "0x1f".into(),
        "a #b".into(),
        "ключ".into(),
    ]);
    add(&mut design, index);
    let mut keys_only = Index::new("...", IndexKind::Gsi, KeySchema::pair("'", "\""));
    keys_only.projection = Projection::Include(vec!["no".into()]);
    add(&mut design, keys_only);
    design
}

/// The kitchen sink with replicas.
fn global() -> Design {
    let mut design = kitchen_sink();
    design.name = "Global kitchen sink".into();
    let table = Arc::make_mut(&mut design.table);
    table.stream = None;
    table.replicas = vec![
        Replica {
            region: "ap-southeast-2".into(),
            kms_key: Some("alias/tables-of-sydney".into()),
        },
        Replica {
            region: "ap-northeast-1".into(),
            kms_key: None,
        },
    ];
    table.multi_region_consistency = MultiRegionConsistency::Strong;
    design
}

/// A table whose name leaves no room for a stage.
fn long_name() -> Design {
    let mut design = Design::new("Long name");
    Arc::make_mut(&mut design.table).name = "n".repeat(254);
    design
}

const POLICY: &str = r#"{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "ReadFromReporting",
      "Effect": "Allow",
      "Principal": { "AWS": "arn:aws:iam::111122223333:role/reporting" },
      "Action": ["dynamodb:GetItem", "dynamodb:Query"],
      "Resource": "*",
      "Condition": { "Bool": { "aws:SecureTransport": "true" } }
    }
  ]
}"#;

fn add(design: &mut Design, index: Index) {
    let id = IndexId(design.take_id());
    design.indexes.insert(id, Arc::new(index));
}

//! Tables and indexes of random designs.

use super::Maker;
use keyfold_core::model::SortedSet;
use keyfold_core::model::*;
use std::sync::Arc;

/// A KMS key by alias, ARN and id.
const KMS_KEYS: [&str; 3] = [
    "alias/orders",
    "arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
    "1234abcd-12ab-34cd-56ef-1234567890ab",
];

impl Maker {
    /// A key attribute; its name has one type in the whole design.
    fn key_attribute(&mut self, taken: &mut SortedSet<String>) -> KeyAttribute {
        let mut name = self.attribute_name();
        while !taken.insert(name.clone()) {
            name = format!("key{}", taken.len());
        }
        let kind = match self.below(4) {
            0..=2 => KeyType::S,
            _ => KeyType::ALL[self.below(3)],
        };
        let kind = *self.key_types.entry(name.clone()).or_insert(kind);
        KeyAttribute { name, kind }
    }

    fn key(&mut self, partition: usize, sort: usize) -> KeySchema {
        let mut taken = SortedSet::new();
        let mut of = |count| (0..count).map(|_| self.key_attribute(&mut taken)).collect();
        KeySchema {
            partition: of(partition),
            sort: of(sort),
        }
    }

    pub(super) fn table(&mut self, design: &mut Design) {
        let mut table = Table::new(self.resource_name(&mut SortedSet::new()));
        let sort = usize::from(!self.one_in(4));
        table.key = self.key(1, sort);
        table.type_attribute = match self.below(4) {
            0 | 1 => Some("type".to_owned()),
            2 => Some(self.attribute_name()),
            _ => None,
        };
        table.billing = match self.below(2) {
            0 => Billing::OnDemand(self.most()),
            _ => Billing::Provisioned(self.units()),
        };
        if self.one_in(3) {
            table.class = TableClass::StandardInfrequentAccess;
        }
        table.ttl_attribute = self.one_in(3).then(|| self.attribute_name());
        let views = [
            StreamView::KeysOnly,
            StreamView::NewImage,
            StreamView::OldImage,
            StreamView::NewAndOldImages,
        ];
        table.stream = self.one_in(2).then(|| views[self.below(4)]);
        table.recovery = (self.one_in(2)).then(|| Recovery {
            days: self.one_in(2).then(|| 1 + self.below(35) as u8),
        });
        table.encryption = match self.below(4) {
            0 | 1 => Encryption::AwsOwned,
            2 => Encryption::AwsManaged,
            _ => Encryption::CustomerManaged(self.of(&KMS_KEYS).to_owned()),
        };
        table.deletion_protection = self.one_in(2);
        table.warm_throughput = self.one_in(4).then(|| self.warm());
        table.contributor_insights = self.insights();
        table.kinesis = self.one_in(4).then(|| KinesisStream {
            arn: "arn:aws:kinesis:us-east-1:111122223333:stream/x-1".to_owned(),
            microseconds: self.one_in(2),
        });
        const POLICIES: [&str; 4] = [
            r#"{"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow","Principal":{"AWS":"111122223333"},
                "Action":"dynamodb:GetItem","Resource":"*","Condition":{"StringLike":{"aws:userid":"${aws:x} 'y' %{z}"}}}]}"#,
            "[]",
            "{",
            "",
        ];
        table.resource_policy = self.one_in(4).then(|| self.of(&POLICIES).to_owned());
        for _ in 0..self.below(4) {
            let (key, value) = (self.text(), self.text());
            table.tags.insert(key, value);
        }
        if self.one_in(4) {
            for region in ["eu-central-1", "eu-west-1", "us-west-2"]
                .iter()
                .take(1 + self.below(3))
            {
                let kms_key = self.one_in(3).then(|| self.of(&KMS_KEYS).to_owned());
                table.replicas.push(Replica {
                    region: (*region).to_owned(),
                    kms_key,
                });
            }
            if self.one_in(3) {
                table.multi_region_consistency = MultiRegionConsistency::Strong;
            }
        }
        design.table = Arc::new(table);
    }

    pub(super) fn indexes(&mut self, design: &mut Design) {
        let mut names = SortedSet::new();
        for _ in 0..self.below(5) {
            // A table without a sort key cannot have LSIs.
            let local = self.one_in(4) && !design.table.key.sort.is_empty();
            let name = self.resource_name(&mut names);
            let key = match local {
                true => {
                    let mut taken = SortedSet::from([design.table.key.partition[0].name.clone()]);
                    let sort = vec![self.key_attribute(&mut taken)];
                    KeySchema {
                        partition: design.table.key.partition.clone(),
                        sort,
                    }
                }
                false => match self.below(4) {
                    0..=1 => self.key(1, 1),
                    2 => self.key(1, 0),
                    _ => {
                        let (partition, sort) = (1 + self.below(4), self.below(5));
                        self.key(partition, sort)
                    }
                },
            };
            let mut index = Index::new(
                name,
                if local {
                    IndexKind::Lsi
                } else {
                    IndexKind::Gsi
                },
                key,
            );
            index.projection = match self.below(3) {
                0 => Projection::All,
                1 => Projection::KeysOnly,
                _ => {
                    Projection::Include((0..self.below(5)).map(|_| self.attribute_name()).collect())
                }
            };
            index.description = self.text();
            index.provisioned = self.one_in(3).then(|| self.units());
            index.max_request_units = self.one_in(3).then(|| self.most());
            index.warm_throughput = self.one_in(4).then(|| self.warm());
            index.contributor_insights = self.insights();
            let id = IndexId(design.take_id());
            design.indexes.insert(id, Arc::new(index));
        }
    }

    fn figure(&mut self) -> u64 {
        [1, 5, 40_000, u64::from(u32::MAX)][self.below(4)]
    }

    fn most(&mut self) -> MaxRequestUnits {
        MaxRequestUnits {
            read: self.one_in(3).then(|| self.figure()),
            write: self.one_in(3).then(|| self.figure()),
        }
    }

    fn warm(&mut self) -> WarmThroughput {
        WarmThroughput {
            read: self.one_in(2).then(|| self.figure()),
            write: self.one_in(2).then(|| self.figure()),
        }
    }

    fn units(&mut self) -> ProvisionedThroughput {
        ProvisionedThroughput {
            read: self.figure(),
            write: self.figure(),
            read_scaling: self.scaling(),
            write_scaling: self.scaling(),
        }
    }

    fn scaling(&mut self) -> Option<Autoscaling> {
        self.one_in(2).then(|| {
            let (one, other) = (self.figure(), self.figure());
            Autoscaling {
                min: one.min(other),
                max: one.max(other),
                target_percent: 20 + self.below(71) as u8,
            }
        })
    }

    fn insights(&mut self) -> Option<ContributorInsights> {
        match self.below(4) {
            2 => Some(ContributorInsights::AccessedAndThrottledKeys),
            3 => Some(ContributorInsights::ThrottledKeys),
            _ => None,
        }
    }
}

//! Reads the table of a template, its indexes and settings.

use super::super::super::tree::{Map, Node};
use super::super::super::{json, yaml_reader};
use super::super::functions::{Assumed, Functions, call, child, text};
use super::super::template::TENANT_POLICY;
use super::properties::Props;
use super::scaling::{Owners, global_units, scaling};
use crate::model::{
    Billing, ContributorInsights, Encryption, Index, IndexKind, KeyAttribute, KeySchema, KeyType,
    KinesisStream, MaxRequestUnits, MultiRegionConsistency, Projection, ProvisionedThroughput,
    Recovery, Replica, StreamView, Table, TableClass, WarmThroughput,
};

/// The settings of a replica that a design has for all replicas together.
const REPLICA_SETTINGS: [&str; 10] = [
    "TableClass",
    "PointInTimeRecoverySpecification",
    "DeletionProtectionEnabled",
    "ContributorInsightsSpecification",
    "KinesisStreamSpecification",
    "ResourcePolicy",
    "Tags",
    "ReadProvisionedThroughputSettings",
    "ReadOnDemandThroughputSettings",
    "GlobalSecondaryIndexes",
];

/// A table read from a template.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadTable {
    /// The resource's logical id.
    pub resource: String,
    /// Whether its name is known: not if CloudFormation generates it or a function computes it.
    pub named: bool,
    /// The table.
    pub table: Table,
    /// Its indexes, GSIs first, each kind in the order of the template.
    pub indexes: Vec<Index>,
    /// Whether the table is deleted with its stack, which is the default of a template.
    pub delete_with_stack: bool,
    /// Whether the template has a tenant policy with the name that Keyfold uses.
    pub tenant_policy: bool,
    /// The logical ids of the resources that Keyfold's template of the table would not have.
    pub others: Vec<String>,
    /// What could not be read.
    pub remarks: Vec<String>,
    /// The defaults and conditions of the template that decided a value.
    pub assumed: Assumed,
}

/// Parses a template's text, YAML or JSON.
///
/// # Errors
/// The position of the first error, and the reason.
pub fn tree(text: &str) -> Result<Map, String> {
    let text = text.trim_start_matches('\u{feff}');
    let node = match text.trim_start().starts_with('{') {
        true => Node::from_json(text)?,
        false => yaml_reader::read(text).map_err(|error| error.to_string())?,
    };
    match node {
        Node::Map(map) if matches!(map.get("Resources"), Some(Node::Map(_))) => Ok(map),
        _ => Err("not a CloudFormation template: it has no Resources".to_owned()),
    }
}

/// Reads the table of a template: the resource with this name, or the only table.
///
/// # Errors
/// There is no such table, there are several, or its keys cannot be determined; the message names the place.
pub fn read(root: &Map, resource: Option<&str>) -> Result<ReadTable, String> {
    let resources = child(root, "Resources").ok_or("the template has no Resources")?;
    let mut tables = Vec::new();
    let mut names = Vec::new();
    for (name, node) in resources.pairs() {
        let Node::Map(map) = node else { continue };
        let kind = map.get("Type").and_then(text).unwrap_or_default();
        if !matches!(
            kind.as_str(),
            "AWS::DynamoDB::Table" | "AWS::DynamoDB::GlobalTable"
        ) {
            continue;
        }
        names.push(name);
        if resource.is_none_or(|wanted| wanted == name) {
            tables.push((name, map, kind.ends_with("GlobalTable")));
        }
    }
    let [(name, map, global)] = tables.as_slice() else {
        return Err(match (resource, names.is_empty()) {
            (_, true) => "the template has no AWS::DynamoDB::Table or GlobalTable".to_owned(),
            (Some(wanted), _) => format!(
                "the template has no table `{wanted}`. Its tables: {}",
                names.join(", ")
            ),
            (None, _) => format!(
                "the template has several tables. Choose one: {}",
                names.join(", ")
            ),
        });
    };
    let functions = Functions::new(root);
    let place = format!("Resources.{name}.Properties");
    let properties = map
        .get("Properties")
        .and_then(|node| functions.resolve(node));
    let Some(Node::Map(properties)) = properties else {
        return Err(format!("{place} is missing"));
    };
    let mut read = read_properties(&properties, place, *global)?;
    read.resource = (*name).to_owned();
    let deletion = map.get("DeletionPolicy").and_then(text);
    read.delete_with_stack = !deletion.is_some_and(|word| word.starts_with("Retain"));
    read.tenant_policy = resources.get(TENANT_POLICY).is_some();
    for (id, node) in resources.pairs() {
        let Node::Map(map) = node else { continue };
        let kind = map.get("Type").and_then(text).unwrap_or_default();
        let is_scaling = kind.starts_with("AWS::ApplicationAutoScaling::");
        if id != *name && id != TENANT_POLICY && !is_scaling {
            read.others.push(id.to_owned());
        }
    }
    let owners = Owners {
        tables: &names,
        is_global: *global,
    };
    scaling(resources, &functions, &owners, &mut read);
    read.inherit_capacity();
    read.assumed = functions.assumed();
    Ok(read)
}

/// Reads the properties of a table or a global table, without auto scaling by other resources. `place` is their path.
///
/// # Errors
/// Its keys cannot be determined; the message names the place.
pub fn read_properties(
    properties: &Map,
    place: impl Into<String>,
    global: bool,
) -> Result<ReadTable, String> {
    let mut reader = Reader {
        remarks: Vec::new(),
    };
    let props = Props {
        map: properties,
        place: place.into(),
    };
    let mut read = reader.table(&props, global)?;
    read.remarks = reader.remarks;
    Ok(read)
}

impl ReadTable {
    /// Lets the indexes with the same figures as the table inherit them.
    fn inherit_capacity(&mut self) {
        if let Billing::Provisioned(units) = &self.table.billing {
            for index in &mut self.indexes {
                if index.provisioned.as_ref() == Some(units) {
                    index.provisioned = None;
                }
            }
        }
    }
}

/// Whether a function gives the Region of the stack.
fn is_own_region(node: &Node) -> bool {
    let Some((name, argument)) = call(node) else {
        return false;
    };
    let argument = text(argument);
    matches!(
        (name, argument.as_deref()),
        ("Ref", Some("AWS::Region")) | ("Sub", Some("${AWS::Region}"))
    )
}

struct Reader {
    remarks: Vec<String>,
}

impl Reader {
    fn table(&mut self, props: &Props, global: bool) -> Result<ReadTable, String> {
        let mut types = Vec::new();
        for definition in props.list("AttributeDefinitions") {
            types.push((
                definition.known("AttributeName")?,
                definition.known("AttributeType")?,
            ));
        }
        let name = props.map.get("TableName");
        let named = name.is_some_and(|name| text(name).is_some());
        let mut table = Table::new(name.and_then(text).unwrap_or_default());
        table.key = key(props, &types)?;
        table.type_attribute = None;
        let own = match global {
            true => self.replicas(props, &mut table),
            false => None,
        };
        let region = own.as_ref().unwrap_or(props);
        let provisioned = props.text("BillingMode").as_deref() != Some("PAY_PER_REQUEST");
        table.billing = match (provisioned, global) {
            (true, false) => Billing::Provisioned(self.units(props)),
            (true, true) => Billing::Provisioned(global_units(props, region)),
            (false, false) => Billing::OnDemand(limits(props).unwrap_or_default()),
            (false, true) => Billing::OnDemand(global_limits(props, region).unwrap_or_default()),
        };
        self.settings(props, region, &mut table);
        let mut indexes = Vec::new();
        for (member, kind) in [
            ("GlobalSecondaryIndexes", IndexKind::Gsi),
            ("LocalSecondaryIndexes", IndexKind::Lsi),
        ] {
            for entry in props.list(member) {
                let name = entry.known("IndexName")?;
                let mut index = Index::new(&name, kind, key(&entry, &types)?);
                index.projection = projection(&entry)?;
                let of_replica = region.list("GlobalSecondaryIndexes").into_iter();
                let mut own =
                    of_replica.filter(|own| own.text("IndexName").as_ref() == Some(&name));
                let own = own.next().filter(|_| global);
                if kind == IndexKind::Gsi {
                    let region = own.as_ref().unwrap_or(&entry);
                    index.warm_throughput = warm(&entry);
                    index.contributor_insights = insights(region);
                    match (provisioned, global) {
                        (true, false) => index.provisioned = Some(self.units(&entry)),
                        (true, true) => index.provisioned = Some(global_units(&entry, region)),
                        (false, false) => index.max_request_units = limits(&entry),
                        (false, true) => index.max_request_units = global_limits(&entry, region),
                    }
                }
                indexes.push(index);
            }
        }
        Ok(ReadTable {
            resource: String::new(),
            named,
            table,
            indexes,
            delete_with_stack: true,
            tenant_policy: false,
            others: Vec::new(),
            remarks: Vec::new(),
            assumed: Assumed::new(),
        })
    }

    /// Reads the other Regions, and returns the replica of the stack's own Region.
    fn replicas<'p>(&mut self, props: &Props<'p>, table: &mut Table) -> Option<Props<'p>> {
        let mut own = None;
        let mut others = Vec::new();
        let all = props.list("Replicas");
        let is_only = all.len() == 1;
        for replica in all {
            let node = replica.map.get("Region");
            match node.and_then(text) {
                Some(region) => others.push((region, replica)),
                None if is_only || node.is_some_and(is_own_region) => own = Some(replica),
                None => self.remarks.push(format!(
                    "{}.Region cannot be determined: the replica is left out",
                    replica.place
                )),
            }
        }
        if own.is_none() && !others.is_empty() {
            let (region, first) = others.remove(0);
            self.remarks.push(format!(
                "the stack's own Region is assumed to be the first replica's, {region}"
            ));
            own = Some(first);
        }
        for (region, replica) in others {
            if let Some(own) = &own {
                self.note_differences(own, &replica);
            }
            let sse = replica.under("SSESpecification");
            table.replicas.push(Replica {
                region,
                kms_key: sse.and_then(|sse| sse.text("KMSMasterKeyId")),
            });
        }
        if props.text("MultiRegionConsistency").as_deref() == Some("STRONG") {
            table.multi_region_consistency = MultiRegionConsistency::Strong;
        }
        own
    }

    /// Notes the settings in which a replica differs from that of the stack's own Region.
    fn note_differences(&mut self, own: &Props, replica: &Props) {
        for member in REPLICA_SETTINGS {
            let of = |props: &Props| props.map.get(member).cloned().unwrap_or(Node::Null);
            let (own, other) = (of(own), of(replica));
            // A Kinesis data stream and a resource policy belong to one Region.
            let is_regional = matches!(member, "KinesisStreamSpecification" | "ResourcePolicy");
            if own != other && !(is_regional && other == Node::Null) {
                let what = match other {
                    Node::Null => "is missing, unlike".to_owned(),
                    other => format!("is {}, unlike", json::line(&other)),
                };
                self.remarks.push(format!(
                    "{}.{member} {what} in the stack's own Region, and is left out: in a design, a replica has the settings of its table",
                    replica.place
                ));
            }
        }
    }

    fn units(&mut self, props: &Props) -> ProvisionedThroughput {
        let throughput = props.under("ProvisionedThroughput");
        let mut of = |key: &str| {
            let units = throughput.as_ref().and_then(|units| units.number(key));
            units.unwrap_or_else(|| {
                self.remarks.push(format!(
                    "{}.ProvisionedThroughput.{key} cannot be determined and is set to 5",
                    props.place
                ));
                5
            })
        };
        ProvisionedThroughput {
            read: of("ReadCapacityUnits"),
            write: of("WriteCapacityUnits"),
            read_scaling: None,
            write_scaling: None,
        }
    }

    fn settings(&mut self, props: &Props, region: &Props, table: &mut Table) {
        table.warm_throughput = warm(props);
        if region.text("TableClass").as_deref() == Some("STANDARD_INFREQUENT_ACCESS") {
            table.class = TableClass::StandardInfrequentAccess;
        }
        let ttl = props.under("TimeToLiveSpecification");
        let ttl = ttl.filter(|ttl| ttl.holds("Enabled"));
        table.ttl_attribute = ttl.and_then(|ttl| ttl.text("AttributeName"));
        let stream = props.under("StreamSpecification");
        table.stream = stream.and_then(|stream| {
            Some(match stream.text("StreamViewType")?.as_str() {
                "KEYS_ONLY" => StreamView::KeysOnly,
                "NEW_IMAGE" => StreamView::NewImage,
                "OLD_IMAGE" => StreamView::OldImage,
                _ => StreamView::NewAndOldImages,
            })
        });
        let recovery = region.under("PointInTimeRecoverySpecification");
        let recovery = recovery.filter(|recovery| recovery.holds("PointInTimeRecoveryEnabled"));
        table.recovery = recovery.map(|recovery| Recovery {
            days: recovery
                .number("RecoveryPeriodInDays")
                .and_then(|days| u8::try_from(days).ok()),
        });
        let sse = props.under("SSESpecification");
        if let Some(sse) = sse.filter(|sse| sse.holds("SSEEnabled")) {
            let of_region = region.under("SSESpecification");
            let key = sse.text("KMSMasterKeyId");
            let key = key.or_else(|| of_region.and_then(|sse| sse.text("KMSMasterKeyId")));
            table.encryption = match key {
                Some(key) => Encryption::CustomerManaged(key),
                None => Encryption::AwsManaged,
            };
        }
        table.deletion_protection = region.holds("DeletionProtectionEnabled");
        table.contributor_insights = insights(region);
        table.kinesis = region
            .under("KinesisStreamSpecification")
            .and_then(|kinesis| {
                let precision = kinesis.text("ApproximateCreationDateTimePrecision");
                Some(KinesisStream {
                    arn: kinesis.text("StreamArn")?,
                    microseconds: precision.as_deref() == Some("MICROSECOND"),
                })
            });
        let policy = region.under("ResourcePolicy");
        let document = policy.and_then(|policy| policy.map.get("PolicyDocument").cloned());
        table.resource_policy = document.map(|document| json::line(&document));
        for tag in region.list("Tags") {
            if let (Some(key), Some(value)) = (tag.text("Key"), tag.text("Value")) {
                table.tags.insert(key, value);
            }
        }
    }
}

pub(super) fn key(props: &Props, types: &[(String, String)]) -> Result<KeySchema, String> {
    let mut key = KeySchema {
        partition: Vec::new(),
        sort: Vec::new(),
    };
    for part in props.list("KeySchema") {
        let name = part.known("AttributeName")?;
        let kind = types.iter().find(|(other, _)| *other == name);
        let Some((_, letter)) = kind else {
            return Err(format!(
                "{}.AttributeName: AttributeDefinitions has no `{name}`",
                part.place
            ));
        };
        let kind = KeyType::ALL
            .into_iter()
            .find(|kind| kind.letter() == letter);
        let Some(kind) = kind else {
            return Err(format!(
                "AttributeDefinitions: the type of `{name}` is `{letter}`, not S, N or B"
            ));
        };
        let attribute = KeyAttribute { name, kind };
        match part.known("KeyType")?.as_str() {
            "HASH" => key.partition.push(attribute),
            "RANGE" => key.sort.push(attribute),
            other => {
                return Err(format!(
                    "{}.KeyType is `{other}`, not HASH or RANGE",
                    part.place
                ));
            }
        }
    }
    if key.partition.is_empty() {
        return Err(format!("{}.KeySchema has no HASH attribute", props.place));
    }
    Ok(key)
}

fn projection(index: &Props) -> Result<Projection, String> {
    let Some(projection) = index.under("Projection") else {
        return Ok(Projection::All);
    };
    Ok(match projection.text("ProjectionType").as_deref() {
        None | Some("ALL") => Projection::All,
        Some("KEYS_ONLY") => Projection::KeysOnly,
        Some("INCLUDE") => {
            let mut names = Vec::new();
            if let Some(Node::List(items)) = projection.map.get("NonKeyAttributes") {
                for item in items {
                    names.extend(text(item));
                }
            }
            Projection::Include(names)
        }
        Some(other) => {
            return Err(format!(
                "{}.ProjectionType is `{other}`, not ALL, KEYS_ONLY or INCLUDE",
                projection.place
            ));
        }
    })
}

fn warm(props: &Props) -> Option<WarmThroughput> {
    let warm = props.under("WarmThroughput")?;
    Some(WarmThroughput {
        read: warm.number("ReadUnitsPerSecond"),
        write: warm.number("WriteUnitsPerSecond"),
    })
}

fn limits(props: &Props) -> Option<MaxRequestUnits> {
    let most = props.under("OnDemandThroughput")?;
    Some(MaxRequestUnits {
        read: most.number("MaxReadRequestUnits"),
        write: most.number("MaxWriteRequestUnits"),
    })
}

fn global_limits(props: &Props, region: &Props) -> Option<MaxRequestUnits> {
    let write = props.under("WriteOnDemandThroughputSettings");
    let read = region.under("ReadOnDemandThroughputSettings");
    if write.is_none() && read.is_none() {
        return None;
    }
    Some(MaxRequestUnits {
        read: read.and_then(|read| read.number("MaxReadRequestUnits")),
        write: write.and_then(|write| write.number("MaxWriteRequestUnits")),
    })
}

fn insights(props: &Props) -> Option<ContributorInsights> {
    let insights = props.under("ContributorInsightsSpecification")?;
    if !insights.holds("Enabled") {
        return None;
    }
    Some(match insights.text("Mode").as_deref() {
        Some("THROTTLED_KEYS") => ContributorInsights::ThrottledKeys,
        _ => ContributorInsights::AccessedAndThrottledKeys,
    })
}

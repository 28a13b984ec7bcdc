//! The table as all infrastructure formats, Workbench and the Markdown document need it, worked out from the design:
//! which attributes the keys define, what each index projects, which capacity it gets, what scales, and what a format
//! cannot express. CloudFormation, CDK, Terraform, create-table and the change plan start here. No format's syntax is in
//! it.

use super::format::Format;
use super::options::LIVE_FUNCTIONS;
use super::tree::Node;
use super::writer::one_line;
use crate::model::{
    Autoscaling, Billing, ContributorInsights, Design, Encryption, Index, IndexKind, KeyAttribute,
    KeySchema, MaxRequestUnits, MultiRegionConsistency, Projection, ProvisionedThroughput, Replica,
    SortedSet, StreamView, Table, WarmThroughput, limits, policy_part,
};

/// The content of the template of a design.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<'a> {
    /// The design's name.
    pub design: &'a str,
    /// The design's description.
    pub description: &'a str,
    /// The table, for properties that need no conversion.
    pub table: &'a Table,
    /// The attributes of all keys, each once, in order of first use: the table's, then each index's.
    pub attributes: Vec<&'a KeyAttribute>,
    /// Capacity of the table.
    pub throughput: Throughput<'a>,
    /// Global secondary indexes, in the order of their ids.
    pub global: Vec<GlobalIndex<'a>>,
    /// Local secondary indexes, in the order of their ids.
    pub local: Vec<SecondaryIndex<'a>>,
    /// Scaling of table and indexes, in the order of the resources. CloudFormation's and the CDK's global tables have it inside.
    pub scaling: Vec<Scaling<'a>>,
    /// The names of all indexes, each with the beginning of the logical ids that are made for it.
    pub stems: Vec<(String, &'a str)>,
    /// Whether the table is deleted with its stack.
    pub delete_with_stack: bool,
    /// The resource policy, or why it cannot be part of the template.
    pub policy: Option<Result<Node, String>>,
    /// Whether CloudFormation may evaluate functions in the policy.
    pub live_functions: bool,
    /// The attribute for which the template turns TTL off; `None` if it was never on.
    pub ttl_off: Option<&'a str>,
}

/// Capacity of the table or of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throughput<'a> {
    /// Per request, with upper limits if any is set.
    OnDemand(Option<MaxRequestUnits>),
    /// Per hour of capacity.
    Provisioned(&'a ProvisionedThroughput),
}

/// What every secondary index has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondaryIndex<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its key.
    pub key: &'a KeySchema,
    /// What it holds besides keys.
    pub projection: Projection,
}

/// A global secondary index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalIndex<'a> {
    /// Name, key, projection.
    pub index: SecondaryIndex<'a>,
    /// Its capacity.
    pub throughput: Throughput<'a>,
    /// Warm throughput, if any is set.
    pub warm: Option<WarmThroughput>,
    /// Contributor Insights, if on.
    pub insights: Option<ContributorInsights>,
}

/// Target tracking of one dimension of the table or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scaling<'a> {
    /// Beginning of the logical ids: letters and digits, unique for this table or index and dimension.
    pub logical_id: String,
    /// The index; `None`: the table itself.
    pub index: Option<&'a str>,
    /// Which units scale.
    pub dimension: Dimension,
    /// Bounds and target.
    pub target: Autoscaling,
}

/// What scales.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// Read capacity units.
    Read,
    /// Write capacity units.
    Write,
}

impl Dimension {
    /// `Read` or `Write`, as CloudFormation's names begin.
    pub fn word(self) -> &'static str {
        match self {
            Dimension::Read => "Read",
            Dimension::Write => "Write",
        }
    }
}

/// Longest stage name, where the table's name leaves room for it.
const STAGE_CHARS: usize = 32;

impl Plan<'_> {
    /// The view type of the stream; `None` if there is none. Eventually consistent replicas need new and old images, whatever
    /// the design says (global tables, DynamoDB Developer Guide). CloudFormation wants a stream for all global tables, so all
    /// exports have one.
    pub fn stream(&self) -> Option<StreamView> {
        let table = self.table;
        let strong = table.multi_region_consistency == MultiRegionConsistency::Strong;
        match table.stream {
            view if table.replicas.is_empty() => view,
            Some(view) if strong => Some(view),
            _ => Some(StreamView::NewAndOldImages),
        }
    }

    /// Most characters that a stage may have, so that `NAME-STAGE` is a name that DynamoDB takes; 0 if the table's
    /// name leaves no room for a stage.
    pub fn stage_chars(&self) -> usize {
        let taken = self.table.name.len() + 1;
        limits::RESOURCE_NAME_CHARS
            .end()
            .saturating_sub(taken)
            .min(STAGE_CHARS)
    }

    /// Most characters that the name before the stage may have.
    pub fn name_chars(&self) -> usize {
        let longest = *limits::RESOURCE_NAME_CHARS.end();
        match self.stage_chars() {
            0 => longest,
            stage => longest - 1 - stage,
        }
    }

    /// Whether the table has replicas in other Regions.
    pub fn is_global(&self) -> bool {
        !self.table.replicas.is_empty()
    }

    /// The customer managed key of a replica: its own, else the table's. `None` if the table has none: then a replica has none
    /// either.
    pub fn replica_key<'p>(&'p self, replica: &'p Replica) -> Option<&'p str> {
        match &self.table.encryption {
            Encryption::CustomerManaged(key) => Some(replica.kms_key.as_deref().unwrap_or(key)),
            Encryption::AwsOwned | Encryption::AwsManaged => None,
        }
    }

    /// A note for each replica that has the table's key, because the design has none for it, and for each whose key is omitted,
    /// because the table has none.
    pub fn replica_key_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for replica in &self.table.replicas {
            let region = one_line(&replica.region);
            match (&replica.kms_key, self.replica_key(replica)) {
                (None, Some(key)) => notes.push(format!(
                    "The design has no key for the replica in {region}: it uses {}, which must exist there.",
                    one_line(key)
                )),
                (Some(key), None) => notes.push(format!(
                    "The key {} of the replica in {region} is omitted: a replica has a key only if the table has a customer managed key.",
                    one_line(key)
                )),
                _ => {}
            }
        }
        notes
    }

    /// A note on the settings that replicas lack: `missing`, and those that only the template of a stack can set there.
    pub fn missing_in_replicas(&self, mut missing: Vec<String>) -> Option<String> {
        let table = self.table;
        let insights = table.contributor_insights.is_some()
            || self.global.iter().any(|index| index.insights.is_some());
        for (is_set, name) in [
            (insights, "Contributor Insights"),
            (table.kinesis.is_some(), "the Kinesis data stream"),
            (table.resource_policy.is_some(), "the resource policy"),
        ] {
            missing.extend(is_set.then(|| name.to_owned()));
        }
        (self.is_global() && !missing.is_empty()).then(|| {
            format!(
                "These settings are of this Region only. Set them in the Region of each replica, too: {}.",
                missing.join(", ")
            )
        })
    }
}

/// Works out the plan of a design.
pub fn plan(design: &Design) -> Plan<'_> {
    let table = &*design.table;
    let of_kind = |kind| {
        let indexes = design.indexes.values().map(|index| &**index);
        indexes.filter(move |index| index.kind == kind)
    };
    let global: Vec<_> = of_kind(IndexKind::Gsi)
        .map(|index| GlobalIndex {
            index: secondary(table, index),
            throughput: index_throughput(table, index),
            warm: warm(index.warm_throughput),
            insights: index.contributor_insights,
        })
        .collect();
    let local: Vec<_> = of_kind(IndexKind::Lsi)
        .map(|index| secondary(table, index))
        .collect();
    let throughput = match &table.billing {
        Billing::OnDemand(most) => Throughput::OnDemand(some_limit(Some(*most))),
        Billing::Provisioned(units) => Throughput::Provisioned(units),
    };
    let keys = std::iter::once(&table.key)
        .chain(global.iter().map(|global| global.index.key))
        .chain(local.iter().map(|local| local.key));
    let names =
        (global.iter().map(|global| global.index.name)).chain(local.iter().map(|local| local.name));
    let mut taken = SortedSet::new();
    let stems: Vec<_> = names
        .map(|name| (logical_stem(name, &mut taken), name))
        .collect();
    Plan {
        design: &design.name,
        description: &design.description,
        table,
        attributes: attributes(keys),
        throughput,
        scaling: scaling(table, throughput, &global, &stems),
        stems,
        global,
        local,
        delete_with_stack: design.export_options.delete_with_stack,
        policy: table.resource_policy.as_deref().map(policy),
        live_functions: design.export_options.live_functions,
        ttl_off: None,
    }
}

/// Why an export of an infrastructure format lacks the resource policy of the design; `None` if it has it, or there is none.
pub fn omitted_policy(design: &Design, format: Format) -> Option<String> {
    let plan = plan(design);
    match format.name {
        "cloudformation" | "cloudformation-json" | "cdk" => plan.stack_policy()?.err(),
        "terraform" | "create-table" => plan.policy?.err(),
        _ => None,
    }
}

impl Plan<'_> {
    /// The resource policy for a stack, or why it cannot be part of one: CloudFormation would evaluate functions in it.
    pub fn stack_policy(&self) -> Option<Result<&Node, String>> {
        let text = self.table.resource_policy.as_deref()?;
        match policy_part(text).filter(|_| !self.live_functions) {
            Some(part) => Some(Err(format!(
                "CloudFormation would evaluate `{part}`; choose \"{LIVE_FUNCTIONS}\" if it is intended"
            ))),
            None => Some(self.policy.as_ref()?.as_ref().map_err(String::clone)),
        }
    }
}

/// Returns the warm throughput if it has a value.
pub fn warm(warm: Option<WarmThroughput>) -> Option<WarmThroughput> {
    warm.filter(|warm| warm.read.is_some() || warm.write.is_some())
}

fn some_limit(most: Option<MaxRequestUnits>) -> Option<MaxRequestUnits> {
    most.filter(|most| most.read.is_some() || most.write.is_some())
}

fn index_throughput<'a>(table: &'a Table, index: &'a Index) -> Throughput<'a> {
    match &table.billing {
        Billing::OnDemand(_) => Throughput::OnDemand(some_limit(index.max_request_units)),
        Billing::Provisioned(units) => {
            Throughput::Provisioned(index.provisioned.as_ref().unwrap_or(units))
        }
    }
}

fn secondary<'a>(table: &Table, index: &'a Index) -> SecondaryIndex<'a> {
    SecondaryIndex {
        name: &index.name,
        key: &index.key,
        projection: projection(table, index),
    }
}

/// What an index projects, without what every index holds anyway (its keys and the table's) and without
/// repetitions: DynamoDB refuses INCLUDE with an empty list and a name that stands twice.
fn projection(table: &Table, index: &Index) -> Projection {
    let Projection::Include(names) = &index.projection else {
        return index.projection.clone();
    };
    let keys = table.key.attributes().chain(index.key.attributes());
    let mut seen = SortedSet::from_iter(keys.map(|key| key.name.as_str()));
    let rest: Vec<String> = names
        .iter()
        .filter(|name| seen.insert(name))
        .cloned()
        .collect();
    if rest.is_empty() {
        Projection::KeysOnly
    } else {
        Projection::Include(rest)
    }
}

/// Whether two indexes hold the same attributes.
pub fn same_projection(old_table: &Table, old: &Index, new_table: &Table, new: &Index) -> bool {
    match (projection(old_table, old), projection(new_table, new)) {
        (Projection::Include(old), Projection::Include(new)) => {
            old.len() == new.len() && old.iter().all(|name| new.contains(name))
        }
        (old, new) => old == new,
    }
}

fn attributes<'a>(keys: impl Iterator<Item = &'a KeySchema>) -> Vec<&'a KeyAttribute> {
    let mut seen = SortedSet::new();
    keys.flat_map(KeySchema::attributes)
        .filter(|attribute| seen.insert(&attribute.name))
        .collect()
}

/// How the writes of a table with replicas scale: DynamoDB creates a replica only if they do, so fixed capacity becomes equal
/// bounds.
pub fn global_writes(units: u64, scaling: Option<Autoscaling>) -> Autoscaling {
    let fixed = Autoscaling {
        min: units,
        max: units,
        ..Autoscaling::default()
    };
    scaling.unwrap_or(fixed)
}

fn scaling<'a>(
    table: &Table,
    throughput: Throughput<'a>,
    global: &[GlobalIndex<'a>],
    stems: &[(String, &'a str)],
) -> Vec<Scaling<'a>> {
    let indexes = (global.iter().zip(stems))
        .map(|(global, (stem, name))| (stem.as_str(), Some(*name), global.throughput));
    let mut scaling = Vec::new();
    for (stem, index, throughput) in std::iter::once(("Table", None, throughput)).chain(indexes) {
        let Throughput::Provisioned(units) = throughput else {
            continue;
        };
        let write = match table.replicas.is_empty() {
            true => units.write_scaling,
            false => Some(global_writes(units.write, units.write_scaling)),
        };
        for (dimension, target) in [
            (Dimension::Read, units.read_scaling),
            (Dimension::Write, write),
        ] {
            if let Some(target) = target {
                scaling.push(Scaling {
                    logical_id: format!("{stem}{}", dimension.word()),
                    index,
                    dimension,
                    target,
                });
            }
        }
    }
    scaling
}

/// A logical id must be letters and digits, at most 255: `Index` and the index's name in that alphabet, with a
/// number where two names would be the same.
fn logical_stem(name: &str, taken: &mut SortedSet<String>) -> String {
    let mut stem = String::from("Index");
    for part in name.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut chars = part.chars();
        stem.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        stem.push_str(chars.as_str());
    }
    stem.truncate(200);
    let mut unique = stem.clone();
    let mut number = 2;
    while !taken.insert(unique.clone()) {
        unique = format!("{stem}{number}");
        number += 1;
    }
    unique
}

fn policy(text: &str) -> Result<Node, String> {
    match Node::from_json(text) {
        Ok(Node::Map(map)) => Ok(Node::Map(map)),
        Ok(_) => Err("it is not a JSON object".into()),
        Err(error) => Err(format!("it is not valid JSON: {error}")),
    }
}

//! The lines of the table, the indexes and the export options.

use super::super::cursor::write_name;
use super::super::description::quoted;
use super::super::keywords::{EXPORT_FLAGS, INSIGHTS, STREAMS, type_word};
use super::super::node::Node;
use super::super::syntax::SyntaxKind;
use super::canvas::quote_lines;
use crate::model::{
    Autoscaling, Billing, ContributorInsights, DelimiterPolicy, Design, Encryption, Index, IndexId,
    IndexKind, KeyAttribute, KeySchema, KeyType, MultiRegionConsistency, OnDelimiter, Projection,
    ProvisionedThroughput, Table, TableClass, TenantAttribute,
};

/// `(PK, SK)`, or `(a, b / c, d)` for multi-attribute keys.
fn key_schema(key: &KeySchema) -> String {
    let list = |attributes: &[KeyAttribute]| {
        let all: Vec<String> = attributes.iter().map(key_attribute).collect();
        all.join(", ")
    };
    let (partition, sort) = (list(&key.partition), list(&key.sort));
    match (key.partition.len(), key.sort.len()) {
        (1, 0) => format!("({partition})"),
        (1, 1) => format!("({partition}, {sort})"),
        (_, 0) => format!("({partition} /)"),
        _ => format!("({partition} / {sort})"),
    }
}

fn key_attribute(key: &KeyAttribute) -> String {
    let name = write_name(&key.name, &["/"]);
    match key.kind {
        KeyType::S => name,
        kind => [&name, " ", type_word(kind.into())].concat(),
    }
}

pub(super) fn setting(word: &str, rest: impl Into<String>) -> Node {
    Node::new(word, SyntaxKind::Setting, word).rest(rest)
}

/// The table with its settings.
pub fn table(design: &Design) -> Node {
    let table = &*design.table;
    let head = [&table.name, " ", &key_schema(&table.key)].concat();
    let mut node = Node::new("table", SyntaxKind::Table, "table").rest(head);
    let out = &mut node.children;
    if *design.delimiter != DelimiterPolicy::default() {
        let mut rest = write_name(&design.delimiter.delimiter, &["percent-encode"]);
        if design.delimiter.on_conflict == OnDelimiter::PercentEncode {
            rest.push_str(" percent-encode");
        }
        out.push(setting("delimiter", rest));
    }
    let usual = Table::new("table");
    if table.type_attribute != usual.type_attribute {
        let name = (table.type_attribute.as_ref()).map(|name| write_name(name, &["none"]));
        let name = name.unwrap_or_else(|| "none".to_owned());
        out.push(setting("type-attribute", name));
    }
    if let Some(name) = &table.ttl_attribute {
        out.push(setting("ttl", write_name(name, &[])));
    }
    if let Some(view) = table.stream {
        let found = STREAMS.iter().find(|(_, other)| *other == view);
        out.push(setting("stream", found.map_or("", |(word, _)| word)));
    }
    if let Some(recovery) = table.recovery {
        let days = recovery.days.map(|days| format!("{days} days"));
        out.push(setting("point-in-time-recovery", days.unwrap_or_default()));
    }
    if table.deletion_protection {
        out.push(setting("deletion-protection", ""));
    }
    let billing = match &table.billing {
        Billing::OnDemand(most) if most.read.is_some() || most.write.is_some() => {
            Some(setting("max-throughput", units(most.read, most.write)))
        }
        Billing::OnDemand(_) => None,
        Billing::Provisioned(throughput) => Some(setting("provisioned", provisioned(throughput))),
    };
    // Each billing mode takes the place of another.
    out.extend(billing.map(|node| Node {
        key: "billing".to_owned(),
        ..node
    }));
    if let Some(warm) = table.warm_throughput {
        out.push(setting("warm-throughput", units(warm.read, warm.write)));
    }
    if table.class == TableClass::StandardInfrequentAccess {
        out.push(setting("table-class", "standard-infrequent-access"));
    }
    match &table.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => out.push(setting("encryption", "aws-managed")),
        Encryption::CustomerManaged(key) => {
            out.push(setting(
                "encryption",
                ["kms ", &write_name(key, &[])].concat(),
            ));
        }
    }
    out.extend(table.contributor_insights.map(insights));
    if let Some(stream) = &table.kinesis {
        let mut rest = write_name(&stream.arn, &[]);
        if stream.microseconds {
            rest.push_str(" microseconds");
        }
        out.push(setting("kinesis", rest));
    }
    for (number, replica) in table.replicas.iter().enumerate() {
        let mut rest = write_name(&replica.region, &[]);
        if let Some(key) = &replica.kms_key {
            rest = [&rest, " kms ", &write_name(key, &[])].concat();
        }
        let mut node = setting("replica", rest);
        node.key = format!("replica#{number}");
        out.push(node);
    }
    if table.multi_region_consistency == MultiRegionConsistency::Strong {
        out.push(setting("multi-region-consistency", "strong"));
    }
    for (tag, value) in &table.tags {
        let rest = [&write_name(tag, &["="]), " = ", &write_name(value, &[])].concat();
        let mut node = setting("tag", rest);
        node.key = format!("tag:{tag}");
        out.push(node);
    }
    if let Some(policy) = &table.resource_policy {
        let mut node = setting("resource-policy", "");
        match quote_lines(policy).filter(|_| !policy.is_empty()) {
            Some(lines) => node.children = lines,
            None => node.rest = quoted(policy),
        }
        out.push(node);
    }
    node
}

fn insights(mode: ContributorInsights) -> Node {
    let found = INSIGHTS.iter().find(|(_, other)| *other == mode);
    setting("contributor-insights", found.map_or("", |(word, _)| word))
}

fn units(read: Option<u64>, write: Option<u64>) -> String {
    let read = read.map(|units| format!("read {units}"));
    let write = write.map(|units| format!("write {units}"));
    let parts: Vec<String> = read.into_iter().chain(write).collect();
    parts.join(", ")
}

fn provisioned(throughput: &ProvisionedThroughput) -> String {
    let scaled = |scaling: Option<Autoscaling>| {
        scaling.map_or(String::new(), |scaling| {
            let Autoscaling {
                min,
                max,
                target_percent,
            } = scaling;
            format!(" autoscaling {min} to {max} at {target_percent}%")
        })
    };
    let ProvisionedThroughput {
        read,
        write,
        read_scaling,
        write_scaling,
    } = throughput;
    let (read_scaling, write_scaling) = (scaled(*read_scaling), scaled(*write_scaling));
    format!("read {read}{read_scaling}, write {write}{write_scaling}")
}

/// An index with its settings.
pub fn index(id: IndexId, index: &Index) -> Node {
    let (kind, word) = match index.kind {
        IndexKind::Gsi => (SyntaxKind::Gsi, "gsi"),
        IndexKind::Lsi => (SyntaxKind::Lsi, "lsi"),
    };
    let projection = match &index.projection {
        Projection::All => String::new(),
        Projection::KeysOnly => " keys-only".to_owned(),
        Projection::Include(names) => {
            let names: Vec<String> = names.iter().map(|name| write_name(name, &[])).collect();
            let space = if names.is_empty() { "" } else { " " };
            [" include", space, &names.join(", ")].concat()
        }
    };
    let head = [&index.name, " ", &key_schema(&index.key), &projection].concat();
    let mut node = Node::new(id.to_string(), kind, word).rest(head);
    index.description.clone_into(&mut node.description);
    if let Some(throughput) = &index.provisioned {
        node.children
            .push(setting("provisioned", provisioned(throughput)));
    }
    if let Some(most) = index.max_request_units {
        let rest = units(most.read, most.write);
        node.children.push(setting("max-throughput", rest));
    }
    if let Some(warm) = index.warm_throughput {
        let rest = units(warm.read, warm.write);
        node.children.push(setting("warm-throughput", rest));
    }
    node.children
        .extend(index.contributor_insights.map(insights));
    node
}

/// The export options; `None` if all have their defaults.
pub fn exports(design: &Design) -> Option<Node> {
    let options = &*design.export_options;
    let mut node = Node::new("exports", SyntaxKind::Exports, "exports");
    let out = &mut node.children;
    for (word, field, _) in EXPORT_FLAGS {
        if *field(&mut options.clone()) {
            out.push(setting(word, ""));
        }
    }
    match &options.tenant {
        TenantAttribute::Automatic => {}
        TenantAttribute::Nobody => out.push(setting("tenant", "none")),
        TenantAttribute::Attribute(name) => {
            out.push(setting("tenant", write_name(name, &["none"])));
        }
    }
    if let Some(tag) = &options.tenant_tag {
        out.push(setting("tenant-tag", write_name(tag, &[])));
    }
    (!node.children.is_empty()).then_some(node)
}

//! The table: its settings, capacity and indexes, and the keys of each index.

use super::super::api_names::{indexes, insights_mode, projection, stream_view};
use super::super::entity_keys::{Source, entity_keys};
use super::super::table_plan::{Plan, Throughput};
use super::super::writer::CodeWriter;
use super::markup::{Cell, heading, paragraphs, table};
use crate::model::{
    Autoscaling, Design, Encryption, IndexEntry, IndexId, KeyAttribute, KeyPart, OnDelimiter,
    ProvisionedThroughput, TableClass,
};

pub(super) fn settings(out: &mut CodeWriter, design: &Design, plan: &Plan) {
    let table_of = plan.table;
    heading(out, 2, "Table");
    let mut rows = vec![
        vec![Cell::words("Name"), Cell::code(table_of.name.as_str())],
        vec![
            Cell::words("Partition key"),
            key_cell(&table_of.key.partition),
        ],
    ];
    let mut row = |name: &str, cell: Cell| rows.push(vec![Cell::words(name), cell]);
    if !table_of.key.sort.is_empty() {
        row("Sort key", key_cell(&table_of.key.sort));
    }
    if let Some(name) = &table_of.type_attribute {
        row("Type attribute", Cell::code(name.as_str()));
    }
    row("Delimiter", Cell::code(design.delimiter.delimiter.as_str()));
    if design.delimiter.on_conflict == OnDelimiter::PercentEncode {
        row("Delimiter in values", Cell::words("percent-encoded"));
    }
    row("Capacity", Cell::words(capacity(plan.throughput)));
    if table_of.class == TableClass::StandardInfrequentAccess {
        row("Table class", Cell::words("Standard-Infrequent Access"));
    }
    if let Some(name) = &table_of.ttl_attribute {
        row("Time to Live (TTL)", Cell::code(name.as_str()));
    }
    if let Some(view) = table_of.stream {
        row("DynamoDB stream", Cell::code(stream_view(view)));
    }
    if let Some(kinesis) = &table_of.kinesis {
        row("Kinesis data stream", Cell::code(kinesis.arn.as_str()));
    }
    if let Some(recovery) = table_of.recovery {
        let days = recovery.days.unwrap_or(35);
        row(
            "Point-in-time recovery",
            Cell::words(format!("{days} days")),
        );
    }
    match &table_of.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => row("Encryption", Cell::words("AWS managed key")),
        Encryption::CustomerManaged(key) => row("Encryption", Cell::code(key.as_str())),
    }
    if table_of.deletion_protection {
        row("Deletion protection", Cell::words("on"));
    }
    if let Some(mode) = table_of.contributor_insights {
        row("Contributor Insights", Cell::code(insights_mode(mode)));
    }
    if !table_of.replicas.is_empty() {
        let regions: Vec<String> = table_of.replicas.iter().map(|r| r.region.clone()).collect();
        row("Replicas", Cell::Codes(regions));
    }
    for (key, value) in &table_of.tags {
        row("Tag", Cell::code([key, "=", value].concat()));
    }
    table(out, &["Setting", "Value"], &rows);
}

fn key_cell(attributes: &[KeyAttribute]) -> Cell {
    let mut texts = Vec::new();
    for attribute in attributes {
        texts.push([&attribute.name, " (", attribute.kind.letter(), ")"].concat());
    }
    Cell::Codes(texts)
}

fn capacity(throughput: Throughput) -> String {
    match throughput {
        Throughput::OnDemand(None) => "on-demand".to_owned(),
        Throughput::OnDemand(Some(most)) => {
            let mut text = "on-demand".to_owned();
            for (units, what) in [(most.read, "read"), (most.write, "write")] {
                if let Some(units) = units {
                    text.push_str(&format!(", at most {units} {what} units per second"));
                }
            }
            text
        }
        Throughput::Provisioned(ProvisionedThroughput {
            read,
            write,
            read_scaling,
            write_scaling,
        }) => {
            let of = |units: &u64, scaling: &Option<Autoscaling>| match scaling {
                None => units.to_string(),
                Some(Autoscaling {
                    min,
                    max,
                    target_percent,
                }) => {
                    format!("{units} ({min} to {max} at {target_percent}%)")
                }
            };
            let (read, write) = (of(read, read_scaling), of(write, write_scaling));
            [
                "provisioned: ",
                &read,
                " read and ",
                &write,
                " write capacity units",
            ]
            .concat()
        }
    }
}

pub(super) fn index_table(out: &mut CodeWriter, plan: &Plan) {
    let mut rows = Vec::new();
    for (index, global) in indexes(plan) {
        let (kind, names) = projection(&index.projection);
        let kind = match names.is_empty() {
            true => Cell::code(kind),
            false => Cell::Codes(names.to_vec()),
        };
        rows.push(vec![
            Cell::words(index.name),
            Cell::words(if global.is_some() { "GSI" } else { "LSI" }),
            key_cell(&index.key.partition),
            key_cell(&index.key.sort),
            kind,
        ]);
    }
    if rows.is_empty() {
        return;
    }
    heading(out, 2, "Indexes");
    table(
        out,
        &["Index", "Kind", "Partition key", "Sort key", "Projection"],
        &rows,
    );
}

/// Writes the entities of an index with their templates.
pub(super) fn keys(out: &mut CodeWriter, design: &Design, index: IndexId) {
    let Some(key) = design.key(index) else {
        return;
    };
    let mut head = vec!["Entity"];
    head.extend(key.attributes().map(|key| key.name.as_str()));
    let of_entities = design.entities.values();
    let is_sparse = of_entities.clone().any(|entity| {
        let entry = entity.keys.get(&index);
        entry.is_some_and(|entry| !entry.when.is_empty())
    });
    if is_sparse {
        head.push("When");
    }
    let mut rows = Vec::new();
    for entity in of_entities {
        let keys = entity_keys(design, entity);
        if !keys.iter().any(|key| key.index == index) {
            continue;
        }
        let natural = IndexEntry::default();
        let entry = entity.keys.get(&index).unwrap_or(&natural);
        let mut row = vec![Cell::words(entity.name.as_str())];
        for key in keys {
            let templates = [&entry.partition, &entry.sort];
            for field in key.fields.iter().filter(|_| key.index == index) {
                // Without its own template: the template of another index, or the item's own attribute.
                row.push(Cell::code(match &field.source {
                    Source::Template(template) => template.to_string(),
                    Source::Own => ["{", &field.attribute.name, "}"].concat(),
                    Source::None(_) => match field.part {
                        KeyPart::Partition => templates[0].clone().unwrap_or_default(),
                        KeyPart::Sort => templates[1].clone().unwrap_or_default(),
                    },
                }));
            }
        }
        if is_sparse {
            row.push(Cell::Codes(
                entry.when.iter().map(ToString::to_string).collect(),
            ));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return;
    }
    heading(out, 3, &["Keys of ", design.index_name(index)].concat());
    let description = design
        .indexes
        .get(&index)
        .map_or("", |index| &index.description);
    paragraphs(out, description);
    table(out, &head, &rows);
}

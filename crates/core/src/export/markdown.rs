//! The design as a document in Markdown, for those who review or build it: table, indexes, who is in them by which
//! templates, entities, access patterns, coverage, sample items, and the picture beside it.

mod patterns;
mod samples;
mod text;

use super::cloudformation::plan::{Plan, Throughput, plan};
use super::entity_keys::{Source, entity_keys};
use super::words::{indexes, insights_mode, projection, stream_view};
use super::writer::CodeWriter;
use super::{Code, computed};
use crate::engine::Computed;
use crate::lint::{Linter, Report};
use crate::model::{
    Autoscaling, Condition, Design, Encryption, IndexId, KeyAttribute, KeyPart, OnDelimiter,
    ProvisionedThroughput, TableClass, Test, file_stem,
};
use crate::slices::pause;
use text::{Cell, heading, paragraphs, table};

/// The document of a design. Its picture is the design's export as SVG, in a file of the table's name.
pub async fn markdown(design: &Design) -> Code {
    let plan = plan(design);
    let options = &design.export_options;
    let mut out = CodeWriter::new();
    let title = ["# ", &text::words(&design.name)].concat();
    out.tag(super::Tag::Keyword, title.trim_end()).end_line();
    paragraphs(&mut out, &design.description);
    let picture = file_stem(&design.table.name).replace(' ', "%20");
    if !options.without_picture {
        out.end_line();
        out.put(&["![The design on its canvas](", &picture, ".svg)"].concat())
            .end_line();
    }
    settings(&mut out, design, &plan);
    index_table(&mut out, &plan);
    for index in design.index_ids() {
        pause().await;
        keys(&mut out, design, index);
    }
    pause().await;
    entities(&mut out, design);
    let computed = computed(design).await;
    patterns::write(&mut out, design, &computed).await;
    if !options.without_findings {
        let report = linted(design, &computed).await;
        findings(&mut out, design, &report);
    }
    if !options.without_samples {
        samples::write(&mut out, design, &computed).await;
    }
    paragraphs(
        &mut out,
        "Made by Keyfold: change the design and export again.",
    );
    out.finish()
}

fn settings(out: &mut CodeWriter, design: &Design, plan: &Plan) {
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
        row("Entity's name in", Cell::code(name.as_str()));
    }
    row("Delimiter", Cell::code(design.delimiter.delimiter.as_str()));
    if design.delimiter.on_conflict == OnDelimiter::PercentEncode {
        row(
            "A value with the delimiter",
            Cell::words("is percent-encoded"),
        );
    }
    row("Capacity", Cell::words(capacity(plan.throughput)));
    if table_of.class == TableClass::StandardInfrequentAccess {
        row("Class", Cell::words("Standard, infrequent access"));
    }
    if let Some(name) = &table_of.ttl_attribute {
        row("Time to live", Cell::code(name.as_str()));
    }
    if let Some(view) = table_of.stream {
        row("Stream", Cell::code(stream_view(view)));
    }
    if let Some(kinesis) = &table_of.kinesis {
        row("Kinesis stream", Cell::code(kinesis.arn.as_str()));
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
        Throughput::OnDemand(None) => "on demand".to_owned(),
        Throughput::OnDemand(Some(most)) => {
            let mut text = "on demand".to_owned();
            for (units, what) in [(most.read, "read"), (most.write, "write")] {
                if let Some(units) = units {
                    text.push_str(&format!(", at most {units} {what} units a second"));
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
                    format!("{units} ({min} to {max} at {target_percent} %)")
                }
            };
            let (read, write) = (of(read, read_scaling), of(write, write_scaling));
            ["provisioned: ", &read, " read and ", &write, " write units"].concat()
        }
    }
}

fn index_table(out: &mut CodeWriter, plan: &Plan) {
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
        &["Index", "Kind", "Partition key", "Sort key", "Holds"],
        &rows,
    );
}

/// Who is in an index, by which templates.
fn keys(out: &mut CodeWriter, design: &Design, index: IndexId) {
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
        let Some(entry) = entity.keys.get(&index) else {
            continue;
        };
        let mut row = vec![Cell::words(entity.name.as_str())];
        for key in entity_keys(design, entity) {
            let templates = [&entry.partition, &entry.sort];
            for field in key.fields.iter().filter(|_| key.index == index) {
                // Without a template of its own: that of another index, or the item's own attribute.
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
            row.push(Cell::Codes(entry.when.iter().map(condition).collect()));
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

/// What the linter says, in slices.
async fn linted(design: &Design, computed: &Computed) -> Report {
    let mut linter = Linter::default();
    linter.begin(design, computed.items());
    loop {
        pause().await;
        if let Some(report) = linter.step() {
            return report;
        }
    }
}

/// What the linter says; then what of it is accepted, and why.
fn findings(out: &mut CodeWriter, design: &Design, report: &Report) {
    let (mut open, mut accepted) = (Vec::new(), Vec::new());
    for finding in &report.findings {
        let mut row = vec![
            Cell::words(finding.code),
            Cell::words(finding.severity.label()),
            Cell::words(finding.place.describe(design)),
            Cell::marked(&finding.message),
        ];
        match &finding.silenced {
            None => open.push(row),
            Some(reason) => {
                row.push(Cell::words(reason.as_str()));
                accepted.push(row);
            }
        }
    }
    let head = ["Rule", "Severity", "Where", "What", "Why it is accepted"];
    if !open.is_empty() {
        heading(out, 2, "Findings");
        table(out, &head[..4], &open);
    }
    if !accepted.is_empty() {
        heading(out, 2, "Accepted findings");
        table(out, &head, &accepted);
    }
}

fn condition(condition: &Condition) -> String {
    let name = condition.attribute.as_str();
    match &condition.test {
        Test::Equals(value) => [name, " = ", &value.to_text()].concat(),
        Test::NotEquals(value) => [name, " ≠ ", &value.to_text()].concat(),
        Test::OneOf(values) => {
            let values: Vec<String> = values.iter().map(|value| value.to_text()).collect();
            [name, " is one of ", &values.join(", ")].concat()
        }
        Test::Exists => [name, " is there"].concat(),
        Test::Missing => [name, " is not there"].concat(),
    }
}

fn entities(out: &mut CodeWriter, design: &Design) {
    heading(out, 2, "Entities");
    if design.entities.is_empty() {
        paragraphs(out, "None yet.");
    }
    for entity in design.entities.values() {
        heading(out, 3, &entity.name);
        paragraphs(out, &entity.description);
        let mut rows = Vec::new();
        for attribute in &entity.attributes {
            rows.push(vec![
                Cell::code(attribute.name.as_str()),
                Cell::words(attribute.kind.label()),
                Cell::words(if attribute.required { "yes" } else { "" }),
                Cell::words(attribute.description.as_str()),
            ]);
        }
        table(
            out,
            &["Attribute", "Type", "Required", "Description"],
            &rows,
        );
    }
}

//! The table and its settings.

use super::super::cursor::{Cursor, Spot};
use super::super::keywords::{self, CONSISTENCY, STREAMS, TABLE_CLASSES};
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::blocks::{Lower, twice};
use super::index::key_schema;
use super::likely_mistakes;
use super::lowered::Part;
use super::throughput::{insights, one_of, provisioned, units};
use crate::model::{
    Billing, Encryption, KinesisStream, MaxRequestUnits, OnDelimiter, Recovery, Replica, Table,
    WarmThroughput, limits, name,
};
use std::sync::Arc;

impl Lower<'_> {
    /// Reads the table; returns its name.
    pub(super) fn table(&mut self, blocks: &[&Statement]) -> Option<String> {
        let block = self.only(blocks, "table")?;
        self.key(block, "table");
        let mut table = Table::new("table");
        let name = self.block_name(block, "the name of the table", name::check_resource);
        if let Some(name) = &name {
            table.name = name.text.clone();
            self.mark(name.range.clone(), Part::Table, true);
        }
        let mut cursor = Cursor::after(block, 2, &self.problems);
        if name.is_some() && !cursor.is_done() {
            let range = cursor.here();
            let key = key_schema(&mut cursor);
            cursor.finish();
            match key {
                _ if cursor.failed => {}
                Some(key) if key.partition.len() == 1 && key.sort.len() <= 1 => table.key = key,
                Some(_) => cursor.error(
                    range,
                    "a table has one partition key attribute and at most one sort key attribute"
                        .to_owned(),
                ),
                None => {}
            }
        }
        self.design.table = Arc::new(table);
        let mut seen = Vec::new();
        for setting in &block.children {
            self.table_setting(setting, &mut seen);
        }
        name.map(|name| name.text)
    }

    fn table_setting(&mut self, setting: &Statement, seen: &mut Vec<String>) {
        let word = keywords::normal(setting.word());
        let mut key = word.clone();
        let mut cursor = Cursor::after(setting, 1, &self.problems);
        let table = Arc::make_mut(&mut self.design.table);
        let group = match word.as_str() {
            "on-demand" | "provisioned" | "max-throughput" => "billing",
            "tag" | "replica" => "",
            other => other,
        };
        if !group.is_empty() {
            if group == "billing" {
                key = group.to_owned();
            }
            if seen.iter().any(|other| other == group) {
                let message = match group {
                    "billing" => "the table already has a billing mode".to_owned(),
                    _ => format!("`{word}` is set twice"),
                };
                return cursor.error(setting.code(), message);
            }
            seen.push(group.to_owned());
        }
        match word.as_str() {
            "delimiter" => {
                let delimiter = cursor.name("a delimiter such as `#`, or `\"\"` for none");
                let encodes = cursor.word("percent-encode");
                if let Some(delimiter) = delimiter {
                    let policy = Arc::make_mut(&mut self.design.delimiter);
                    policy.delimiter = delimiter.text;
                    policy.on_conflict = match encodes {
                        true => OnDelimiter::PercentEncode,
                        false => OnDelimiter::Reject,
                    };
                }
            }
            "type-attribute" => match cursor.word("none") {
                true => table.type_attribute = None,
                false => {
                    if let Some(name) = attribute_name(&mut cursor) {
                        table.type_attribute = Some(name.text);
                    }
                }
            },
            "ttl" => {
                if let Some(name) = attribute_name(&mut cursor) {
                    table.ttl_attribute = Some(name.text);
                }
            }
            "stream" => table.stream = one_of(&mut cursor, &STREAMS),
            "point-in-time-recovery" => {
                let mut recovery = Recovery::default();
                if !cursor.is_done() {
                    let range = cursor.here();
                    recovery.days = cursor.number("a number of days");
                    cursor.word("days");
                    if (recovery.days).is_some_and(|days| !limits::RECOVERY_DAYS.contains(&days)) {
                        let message = "the point-in-time recovery period is 1 to 35 days";
                        cursor.error(range, message.to_owned());
                    }
                }
                if !cursor.failed {
                    table.recovery = Some(recovery);
                }
            }
            "deletion-protection" => table.deletion_protection = true,
            "on-demand" => table.billing = Billing::default(),
            "max-throughput" => {
                if let Some((read, write)) = units(&mut cursor) {
                    table.billing = Billing::OnDemand(MaxRequestUnits { read, write });
                }
            }
            "provisioned" => {
                if let Some(units) = provisioned(&mut cursor) {
                    table.billing = Billing::Provisioned(units);
                }
            }
            "warm-throughput" => {
                if let Some((read, write)) = units(&mut cursor) {
                    table.warm_throughput = Some(WarmThroughput { read, write });
                }
            }
            "table-class" => {
                if let Some(class) = one_of(&mut cursor, &TABLE_CLASSES) {
                    table.class = class;
                }
            }
            "encryption" => {
                let encryption = match () {
                    () if cursor.word("aws-owned") => Some(Encryption::AwsOwned),
                    () if cursor.word("aws-managed") => Some(Encryption::AwsManaged),
                    () if cursor.word("kms") => {
                        let key = cursor.name("the ID, ARN or alias of a KMS key");
                        key.map(|key| Encryption::CustomerManaged(key.text))
                    }
                    () => {
                        cursor.expected("`aws-owned`, `aws-managed`, or `kms` and a key");
                        None
                    }
                };
                table.encryption = encryption.unwrap_or_default();
            }
            "contributor-insights" => table.contributor_insights = insights(&mut cursor),
            "kinesis" => {
                if let Some(arn) = cursor.name("the ARN of a Kinesis data stream") {
                    let microseconds = cursor.word("microseconds");
                    table.kinesis = Some(KinesisStream {
                        arn: arn.text,
                        microseconds,
                    });
                }
            }
            "resource-policy" => {
                let text = match cursor.is_done() {
                    true => quoted_lines(setting),
                    false => cursor
                        .name("lines that begin with `>`")
                        .map(|text| text.text),
                };
                table.resource_policy = text;
            }
            "tag" => {
                let tag = cursor.name("the key of a tag");
                equals(&mut cursor);
                let value = cursor.name("the value of the tag");
                if let (Some(tag), Some(value)) = (tag, value) {
                    key = format!("tag:{}", tag.text);
                    if table.tags.contains_key(&tag.text) {
                        cursor.error(tag.range, twice("tag", &tag.text));
                    } else if table.tags.len() >= limits::TAGS {
                        let message = format!("a table can have at most {} tags", limits::TAGS);
                        cursor.error(tag.range, message);
                    } else {
                        table.tags.insert(tag.text, value.text);
                    }
                }
            }
            "replica" => {
                if let Some(region) = cursor.name("an AWS Region such as `eu-central-1`") {
                    let kms = cursor.word("kms");
                    let kms_key = kms.then(|| cursor.name("the ID, ARN or alias of a KMS key"));
                    if (table.replicas.iter()).any(|other| other.region == region.text) {
                        let message = format!(
                            "the table already has a replica in `{}`: remove one of them",
                            region.text
                        );
                        return cursor.error(region.range, message);
                    }
                    key = format!("replica#{}", table.replicas.len());
                    table.replicas.push(Replica {
                        region: region.text,
                        kms_key: kms_key.flatten().map(|key| key.text),
                    });
                }
            }
            "multi-region-consistency" => {
                if let Some(level) = one_of(&mut cursor, &CONSISTENCY) {
                    table.multi_region_consistency = level;
                }
            }
            _ => {
                let message = likely_mistakes::setting(setting.word(), &keywords::TABLE_SETTINGS);
                cursor.error(setting.code(), message);
            }
        }
        cursor.finish();
        if !cursor.failed {
            for (number, quote) in setting.children.iter().enumerate() {
                self.keys[quote.number] = Some(format!("line#{number}"));
            }
            self.keys[setting.number] = Some(key);
        }
    }
}

/// The text of the lines below a statement that begin with `>`, without space at their ends; `None` without such lines.
pub(super) fn quoted_lines(statement: &Statement) -> Option<String> {
    let lines: Vec<&str> = (statement.children.iter())
        .filter(|child| child.kind == SyntaxKind::Quote)
        .map(|line| line.tokens.get(1).map_or("", |text| text.text))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Takes `=`.
pub(super) fn equals(cursor: &mut Cursor) {
    if !cursor.word("=") {
        cursor.expected("`=` between spaces");
    }
}

/// Takes the name of an attribute, and checks it.
pub(super) fn attribute_name(cursor: &mut Cursor) -> Option<Spot> {
    let name = cursor.name("the name of an attribute")?;
    match name::check_attribute(&name.text) {
        Ok(()) => Some(name),
        Err(error) => {
            cursor.error(name.range, error.to_string());
            None
        }
    }
}

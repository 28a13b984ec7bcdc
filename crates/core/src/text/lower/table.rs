//! The table, its indexes, silenced findings and export options.

use super::super::cursor::{Cursor, Spot};
use super::super::keywords::{self, CONSISTENCY, INSIGHTS, STREAMS, TABLE_CLASSES};
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::identity::{New, Old, assign};
use super::{Lower, Part, twice};
use crate::lint::Place;
use crate::model::{
    AttributeType, Autoscaling, Billing, ContributorInsights, Encryption, EntityId, Index, IndexId,
    IndexKind, KeyAttribute, KeyPart, KeySchema, KeyType, KinesisStream, MaxRequestUnits,
    OnDelimiter, Projection, ProvisionedThroughput, Recovery, Replica, SampleId, Silenced, Table,
    TenantAttribute, WarmThroughput, limits, name,
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
        let mut cursor = Cursor::after(block, 2, &mut self.problems);
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
        if !block.description.is_empty() {
            let place = block.trailing.clone().or(block.lead.first().cloned());
            self.warn(
                place.unwrap_or(block.code()),
                "a table has no description: describe the `design`",
            );
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
        let mut problems = std::mem::take(&mut self.problems);
        let mut cursor = Cursor::after(setting, 1, &mut problems);
        let table = Arc::make_mut(&mut self.design.table);
        let group = match word.as_str() {
            "on-demand" | "provisioned" | "max-throughput" => "billing",
            "tag" | "replica" => "",
            other => other,
        };
        if !group.is_empty() {
            if seen.iter().any(|other| other == group) {
                let message = match group {
                    "billing" => "the table already has a billing mode".to_owned(),
                    _ => format!("`{word}` is set twice"),
                };
                cursor.error(setting.code(), message);
                self.problems = problems;
                return;
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
                let words: Vec<String> = (keywords::TABLE_SETTINGS.iter())
                    .map(|(word, _)| format!("`{word}`"))
                    .collect();
                cursor.error(
                    setting.code(),
                    format!(
                        "unknown setting `{}`: expected {}",
                        setting.word(),
                        words.join(", ")
                    ),
                );
            }
        }
        cursor.finish();
        if !cursor.failed {
            for (number, quote) in setting.children.iter().enumerate() {
                self.keys[quote.number] = Some(format!("line#{number}"));
            }
            self.keys[setting.number] = Some(key);
        }
        self.problems = problems;
    }

    pub(super) fn indexes(&mut self, blocks: &[&Statement]) {
        let mut known: Vec<(&Statement, Index)> = Vec::new();
        for block in blocks {
            let Some(name) = self.block_name(block, "the name of the index", name::check_resource)
            else {
                continue;
            };
            if known.iter().any(|(_, index)| index.name == name.text) {
                self.error(name.range, twice("index", &name.text));
                continue;
            }
            let others = known.iter().map(|(_, index)| &index.key);
            let others: Vec<KeyAttribute> = (others.chain([&self.design.table.key]))
                .flat_map(|key| key.attributes().cloned())
                .collect();
            if let Some(index) = self.index_head(block, &name, &others) {
                known.push((block, index));
            }
        }
        let old: Vec<Old<IndexId>> = (self.previous.indexes.iter())
            .map(|(id, index)| Old {
                id: *id,
                name: index.name.clone(),
                content: format!("{:?}{:?}", index.kind, index.key),
            })
            .collect();
        let new: Vec<New> = (known.iter())
            .map(|(_, index)| New {
                name: index.name.clone(),
                content: format!("{:?}{:?}", index.kind, index.key),
            })
            .collect();
        let ids = assign(&new, &old);
        for ((block, mut index), id) in known.into_iter().zip(ids) {
            let id = id.unwrap_or_else(|| IndexId(self.design.take_id()));
            self.key(block, id.to_string());
            if let Some(name) = block.tokens.get(1) {
                self.mark(name.range.clone(), Part::Index(id), true);
            }
            index.description.clone_from(&block.description);
            for setting in &block.children {
                self.index_setting(setting, &mut index);
            }
            self.design.indexes.insert(id, Arc::new(index));
        }
    }

    /// The kind, the key and the projection of an index. `known` are the attributes of other keys.
    fn index_head(
        &mut self,
        block: &Statement,
        name: &Spot,
        known: &[KeyAttribute],
    ) -> Option<Index> {
        let table = self.design.table.key.clone();
        let mut cursor = Cursor::after(block, 2, &mut self.problems);
        let range = cursor.here();
        let mut key = key_schema(&mut cursor)?;
        let kind = match block.kind {
            SyntaxKind::Lsi => IndexKind::Lsi,
            _ => IndexKind::Gsi,
        };
        let most = limits::MULTI_ATTRIBUTE_KEYS;
        match kind {
            IndexKind::Lsi => {
                // A single attribute is the sort key: the partition key is always the table's.
                if key.partition.len() == 1 && key.sort.is_empty() {
                    key.sort = std::mem::replace(&mut key.partition, table.partition.clone());
                }
                if key.partition.first().map(|key| &key.name)
                    == table.partition.first().map(|key| &key.name)
                {
                    key.partition.clone_from(&table.partition);
                }
                let repeats =
                    (key.sort.iter()).any(|sort| key.partition.iter().any(|p| p.name == sort.name));
                if key.partition != table.partition || key.sort.len() != 1 || repeats {
                    let partition = table.partition.first().map_or("", |key| &*key.name);
                    let message = format!(
                        "an LSI has the partition key of the table and a sort key of its own: write `({partition}, ATTRIBUTE)`"
                    );
                    cursor.error(range.clone(), message);
                }
            }
            IndexKind::Gsi => {
                if key.partition.is_empty() || key.partition.len() > most || key.sort.len() > most {
                    let message = format!(
                        "a GSI has 1 to {most} partition key attributes and at most {most} sort key attributes"
                    );
                    cursor.error(range.clone(), message);
                }
            }
        }
        for attribute in key.attributes() {
            let other = (known.iter()).find(|other| other.name == attribute.name);
            if other.is_some_and(|other| other.kind != attribute.kind) {
                let message = format!(
                    "key attribute `{}` has a different type in another key: use one type per attribute",
                    attribute.name
                );
                cursor.error(range.clone(), message);
            }
        }
        let mut index = Index::new(name.text.clone(), kind, key);
        if cursor.word("keys-only") || cursor.word("KEYS_ONLY") {
            index.projection = Projection::KeysOnly;
        } else if cursor.word("include") || cursor.word("INCLUDE") {
            let mut included = Vec::new();
            let names = match cursor.is_done() {
                true => Vec::new(),
                false => cursor.names("the name of an attribute"),
            };
            for name in names {
                match name::check_key_attribute(&name.text) {
                    Ok(()) => included.push(name.text),
                    Err(error) => cursor.error(name.range, error.to_string()),
                }
            }
            index.projection = Projection::Include(included);
        } else if !cursor.is_done() && !cursor.word("all") && !cursor.word("ALL") {
            cursor.expected("`all`, `keys-only` or `include` and attributes");
        }
        cursor.finish();
        if cursor.failed {
            return None;
        }
        Some(index)
    }

    fn index_setting(&mut self, setting: &Statement, index: &mut Index) {
        let word = keywords::normal(setting.word());
        let mut cursor = Cursor::after(setting, 1, &mut self.problems);
        let taken = match word.as_str() {
            "provisioned" => index.provisioned.is_some(),
            "max-throughput" => index.max_request_units.is_some(),
            "warm-throughput" => index.warm_throughput.is_some(),
            "contributor-insights" => index.contributor_insights.is_some(),
            _ => {
                let message = format!(
                    "unknown setting `{}`: expected `provisioned`, `max-throughput`, `warm-throughput` or `contributor-insights`",
                    setting.word()
                );
                return cursor.error(setting.code(), message);
            }
        };
        if taken {
            return cursor.error(setting.code(), format!("`{word}` is set twice"));
        }
        match word.as_str() {
            "provisioned" => index.provisioned = provisioned(&mut cursor),
            "max-throughput" => {
                let units = units(&mut cursor);
                index.max_request_units =
                    units.map(|(read, write)| MaxRequestUnits { read, write });
            }
            "warm-throughput" => {
                let units = units(&mut cursor);
                index.warm_throughput = units.map(|(read, write)| WarmThroughput { read, write });
            }
            _ => index.contributor_insights = insights(&mut cursor),
        }
        cursor.finish();
        if !cursor.failed {
            self.key(setting, word);
        }
    }

    pub(super) fn silenced(&mut self, blocks: &[&Statement]) {
        for block in blocks {
            let mut cursor = Cursor::after(block, 1, &mut self.problems);
            let code = cursor.name("the code of a rule, such as `T001`");
            let written = code.is_some().then(|| written_place(&mut cursor)).flatten();
            cursor.finish();
            let failed = cursor.failed;
            let (Some(code), Some(written), false) = (code, written, failed) else {
                continue;
            };
            if let Some(place) = self.place(&written) {
                let number = self.design.silenced.len();
                self.key(block, format!("silence#{number}"));
                Arc::make_mut(&mut self.design.silenced).push(Silenced {
                    code: code.text,
                    place,
                    reason: block.description.clone(),
                });
            }
        }
    }

    /// The place of a finding, as the design stores it.
    fn place(&mut self, written: &WrittenPlace) -> Option<String> {
        let place = match written {
            WrittenPlace::Raw(raw) => return Some(raw.clone()),
            WrittenPlace::Table => Place::Table,
            WrittenPlace::Index(name) => Place::Index(self.index_named(name)?),
            WrittenPlace::Pattern(name) => {
                let found = (self.design.access_patterns.iter())
                    .find(|(_, pattern)| pattern.name == name.text);
                let found = found.map(|(id, _)| *id);
                match found {
                    Some(id) => {
                        self.mark(name.range.clone(), Part::Pattern(id), false);
                        Place::Pattern(id)
                    }
                    None => {
                        let message = format!("unknown access pattern `{}`", name.text);
                        self.error(name.range.clone(), message);
                        return None;
                    }
                }
            }
            WrittenPlace::Entity(name) => Place::Entity(self.entity_named(name)?),
            WrittenPlace::Entry(name, index, part) => {
                let entity = self.entity_named(name)?;
                let index = match index {
                    Some(index) => self.index_named(index)?,
                    None => IndexId::PRIMARY,
                };
                match part {
                    Some(part) => Place::Template(entity, index, *part),
                    None => Place::Entry(entity, index),
                }
            }
            WrittenPlace::Attribute(name, attribute) => {
                let id = self.entity_named(name)?;
                let entity = self.design.entities.get(&id);
                let found = entity.and_then(|entity| entity.attribute(&attribute.text));
                match found.map(|attribute| attribute.id) {
                    Some(found) => {
                        self.mark(attribute.range.clone(), Part::Attribute(id, found), false);
                        Place::Attribute(id, found)
                    }
                    None => {
                        let message =
                            format!("`{}` has no attribute `{}`", name.text, attribute.text);
                        self.error(attribute.range.clone(), message);
                        return None;
                    }
                }
            }
            WrittenPlace::Sample(name, row) => {
                let id = self.entity_named(name)?;
                Place::Sample(id, self.sample_at(id, name, row)?)
            }
        };
        Some(place.to_string())
    }

    /// The sample with this number, counted from 1.
    pub(super) fn sample_at(
        &mut self,
        entity: EntityId,
        name: &Spot,
        row: &Spot,
    ) -> Option<SampleId> {
        let rows = self.sample_rows.get(&entity);
        let at = row.text.parse::<usize>().ok()?.checked_sub(1);
        let sample = at.and_then(|at| rows?.get(at).copied());
        match sample {
            Some(sample) => self.mark(row.range.clone(), Part::Sample(entity, sample), false),
            None => {
                let count = rows.map_or(0, Vec::len);
                let message = format!(
                    "`{}` has no sample {}: it has {count}, counted from 1",
                    name.text, row.text
                );
                self.error(row.range.clone(), message);
            }
        }
        sample
    }

    pub(super) fn exports(&mut self, blocks: &[&Statement]) {
        let Some(block) = self.only(blocks, "exports") else {
            return;
        };
        self.key(block, "exports");
        Cursor::after(block, 1, &mut self.problems).finish();
        let mut options = (*self.design.export_options).clone();
        for line in &block.children {
            let mut cursor = Cursor::after(line, 1, &mut self.problems);
            let word = keywords::normal(line.word());
            let before = options.clone();
            match word.as_str() {
                "delete-with-stack" => options.delete_with_stack = true,
                "tenant-policy" => options.tenant_policy = true,
                "read-only" => options.read_only = true,
                "live-functions" => options.live_functions = true,
                "without-tests" => options.without_tests = true,
                "without-sdk" => options.without_sdk = true,
                "without-picture" => options.without_picture = true,
                "without-findings" => options.without_findings = true,
                "without-samples" => options.without_samples = true,
                "tenant" => match cursor.word("none") {
                    true => options.tenant = TenantAttribute::Nobody,
                    false => {
                        if let Some(name) = attribute_name(&mut cursor) {
                            options.tenant = TenantAttribute::Attribute(name.text);
                        }
                    }
                },
                "tenant-tag" => {
                    options.tenant_tag = cursor.name("the name of a tag").map(|tag| tag.text);
                }
                _ => {
                    let message = format!("unknown export option `{}`", line.word());
                    cursor.error(line.code(), message);
                }
            }
            cursor.finish();
            if let Err((_, error)) = options.check() {
                cursor.error(line.code(), error.to_string());
            }
            if cursor.failed {
                options = before;
            } else {
                self.key(line, word);
            }
        }
        self.design.export_options = Arc::new(options);
    }
}

/// The place of a finding as a line writes it.
enum WrittenPlace {
    Raw(String),
    Table,
    Index(Spot),
    Pattern(Spot),
    Entity(Spot),
    /// The index, `None` for the table; then the key part.
    Entry(Spot, Option<Spot>, Option<KeyPart>),
    Attribute(Spot, Spot),
    Sample(Spot, Spot),
}

fn written_place(cursor: &mut Cursor) -> Option<WrittenPlace> {
    if cursor.word("table") {
        return Some(WrittenPlace::Table);
    }
    if cursor.word("place") {
        let place = cursor.name("a place");
        return place.map(|place| WrittenPlace::Raw(place.text));
    }
    if cursor.word("index") {
        return cursor.name("the name of an index").map(WrittenPlace::Index);
    }
    if cursor.word("pattern") {
        return (cursor.name("the name of an access pattern")).map(WrittenPlace::Pattern);
    }
    if !cursor.word("entity") {
        cursor.expected("`table`, `index`, `entity` or `pattern` and a name");
        return None;
    }
    let entity = cursor.name("the name of an entity")?;
    if cursor.word("attribute") {
        let attribute = cursor.name("the name of an attribute")?;
        return Some(WrittenPlace::Attribute(entity, attribute));
    }
    if cursor.word("sample") {
        let range = cursor.here();
        let number: usize = cursor.number("the number of a sample")?;
        let text = number.to_string();
        return Some(WrittenPlace::Sample(entity, Spot { text, range }));
    }
    if !cursor.word("/") {
        return Some(WrittenPlace::Entity(entity));
    }
    let index = match cursor.word("key") {
        true => None,
        false => Some(cursor.name("`key` or the name of an index")?),
    };
    let mut part = None;
    if cursor.word("/") {
        part = match () {
            () if cursor.word("partition") => Some(KeyPart::Partition),
            () if cursor.word("sort") => Some(KeyPart::Sort),
            () => {
                cursor.expected("`partition` or `sort`");
                return None;
            }
        };
    }
    Some(WrittenPlace::Entry(entity, index, part))
}

/// The text of the lines below a statement that begin with `>`; `None` without such lines.
pub(super) fn quoted_lines(statement: &Statement) -> Option<String> {
    let lines: Vec<&str> = (statement.children.iter())
        .filter(|child| child.kind == SyntaxKind::Quote)
        .map(|line| line.tokens.get(1).map_or("", |text| text.text))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
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

/// Takes one of these words, in AWS's spelling too.
fn one_of<T: Copy>(cursor: &mut Cursor, words: &[(&str, T)]) -> Option<T> {
    let token = cursor.peek();
    let normal = token.map(|token| keywords::normal(token.text));
    let found = words
        .iter()
        .find(|(word, _)| normal.as_deref() == Some(*word));
    match found {
        Some((_, value)) => {
            cursor.take();
            Some(*value)
        }
        None => {
            let words: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            cursor.expected(&words.join(" or "));
            None
        }
    }
}

fn insights(cursor: &mut Cursor) -> Option<ContributorInsights> {
    match cursor.is_done() {
        true => Some(ContributorInsights::AccessedAndThrottledKeys),
        false => one_of(cursor, &INSIGHTS),
    }
}

/// `read 5, write 5`, each optional.
fn units(cursor: &mut Cursor) -> Option<(Option<u64>, Option<u64>)> {
    let (mut read, mut write) = (None, None);
    while !cursor.is_done() && !cursor.failed {
        match () {
            () if read.is_none() && cursor.word("read") => {
                read = cursor.number("a number of units per second");
            }
            () if write.is_none() && cursor.word("write") => {
                write = cursor.number("a number of units per second");
            }
            () => cursor.expected("`read` or `write` and a number"),
        }
        if !cursor.is_done() && !cursor.punctuation(SyntaxKind::Comma) {
            cursor.expected("`,`");
        }
    }
    (!cursor.failed).then_some((read, write))
}

/// `read 5 autoscaling 5 to 100 at 70%, write 5`
fn provisioned(cursor: &mut Cursor) -> Option<ProvisionedThroughput> {
    let mut out = ProvisionedThroughput::default();
    let (mut read, mut write) = (false, false);
    while !cursor.is_done() && !cursor.failed {
        match () {
            () if !read && cursor.word("read") => {
                read = true;
                out.read = cursor.number("a number of capacity units").unwrap_or(5);
                out.read_scaling = autoscaling(cursor);
            }
            () if !write && cursor.word("write") => {
                write = true;
                out.write = cursor.number("a number of capacity units").unwrap_or(5);
                out.write_scaling = autoscaling(cursor);
            }
            () => cursor.expected("`read` or `write` and a number"),
        }
        if !cursor.is_done() && !cursor.punctuation(SyntaxKind::Comma) {
            cursor.expected("`,` or `autoscaling`");
        }
    }
    (!cursor.failed).then_some(out)
}

fn autoscaling(cursor: &mut Cursor) -> Option<Autoscaling> {
    if !cursor.word("autoscaling") {
        return None;
    }
    let mut scaling = Autoscaling {
        min: cursor.number("the minimum units")?,
        ..Autoscaling::default()
    };
    if !cursor.word("to") {
        cursor.expected("`to` and the maximum units");
    }
    scaling.max = cursor.number("the maximum units")?;
    if cursor.word("at") {
        let percent = cursor.peek().map(|token| token.text.trim_end_matches('%'));
        match percent.and_then(|percent| percent.parse().ok()) {
            Some(percent) => {
                cursor.take();
                scaling.target_percent = percent;
            }
            None => cursor.expected("the target utilization, such as `70%`"),
        }
    }
    Some(scaling)
}

/// `(PK, SK)`, or `(a, b / c, d)` with several attributes: the partition key before the slash, the sort key after.
fn key_schema(cursor: &mut Cursor) -> Option<KeySchema> {
    if !cursor.punctuation(SyntaxKind::LeftParen) {
        cursor.expected("the key in parentheses, such as `(PK, SK)`");
        return None;
    }
    let (mut first, mut second, mut slash) = (Vec::new(), Vec::new(), false);
    let mut names: Vec<String> = Vec::new();
    while !cursor.punctuation(SyntaxKind::RightParen) {
        if !slash && cursor.word("/") {
            slash = true;
            continue;
        }
        let name = cursor.name("the name of a key attribute")?;
        let checks = [name::check_attribute, name::check_key_attribute];
        if let Some(error) = checks.iter().find_map(|check| check(&name.text).err()) {
            cursor.error(name.range, error.to_string());
            return None;
        }
        if names.contains(&name.text) {
            let message = format!("`{}` occurs twice in one key", name.text);
            cursor.error(name.range, message);
            return None;
        }
        names.push(name.text.clone());
        let mut kind = KeyType::S;
        let token = cursor.peek().filter(|token| token.kind == SyntaxKind::Word);
        if let Some(word) = token.filter(|token| token.text != "/") {
            kind = match keywords::attribute_type(word.text) {
                Some(AttributeType::S) => KeyType::S,
                Some(AttributeType::N) => KeyType::N,
                Some(AttributeType::B) => KeyType::B,
                _ => {
                    cursor.expected("`string`, `number` or `binary`, `,` or `)`");
                    return None;
                }
            };
            cursor.take();
        }
        let part = if slash { &mut second } else { &mut first };
        part.push(KeyAttribute {
            name: name.text,
            kind,
        });
        let ends = cursor
            .peek()
            .is_some_and(|token| token.kind == SyntaxKind::RightParen || token.is("/"));
        if !ends && !cursor.punctuation(SyntaxKind::Comma) {
            cursor.expected("`,` or `)`");
            return None;
        }
    }
    if !slash && first.len() == 2 {
        second = first.split_off(1);
    } else if !slash && first.len() > 2 {
        cursor.error(
            cursor.here(),
            "put `/` between the attributes of the partition key and those of the sort key"
                .to_owned(),
        );
        return None;
    }
    Some(KeySchema {
        partition: first,
        sort: second,
    })
}

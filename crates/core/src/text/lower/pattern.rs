//! Access patterns: an operation with its keys, and the lines that belong to it.

use super::super::cursor::{Cursor, Spot};
use super::super::keywords::{PATTERN_PARTS, operation};
use super::super::projection;
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::blocks::{Lower, twice};
use super::entity::template;
use super::formats::{take_value, value_of};
use super::identity::Known;
use super::likely_mistakes;
use super::lowered::Part;
use super::table::equals;
use crate::model::{
    AccessPattern, AccessPatternId, EntityId, IndexId, ItemKey, Operation, Read, SortCondition,
    SortOperator, SortedMap, Traffic, WriteAction, name,
};
use std::sync::Arc;

/// The words that a template of an access pattern must quote.
pub(in crate::text) const RESERVED: [&str; 15] = [
    "/",
    "when",
    "and",
    "index",
    "descending",
    "limit",
    "consistent",
    "begins_with",
    "between",
    "=",
    "<",
    "<=",
    ">",
    ">=",
    "!=",
];

impl Lower<'_> {
    pub(super) fn patterns(&mut self, blocks: &[&Statement]) {
        let mut known: Vec<(&Statement, Spot, AccessPattern, Traffic)> = Vec::new();
        for block in blocks {
            let what = "the name of the access pattern";
            let Some(name) = self.block_name(block, what, name::check_label) else {
                continue;
            };
            Cursor::after(block, 2, &self.problems).finish();
            if known.iter().any(|(_, other, ..)| other.text == name.text) {
                self.error(name.range, twice("access pattern", &name.text));
                continue;
            }
            if let Some((pattern, traffic)) = self.pattern(block, &name) {
                known.push((block, name, pattern, traffic));
            }
        }
        let identity = |pattern: &AccessPattern| {
            let content = format!("{:?}", pattern.operation);
            Known::new(&pattern.name, content)
        };
        let old: Vec<_> = (self.previous.access_patterns.iter())
            .map(|(id, pattern)| (*id, identity(pattern)))
            .collect();
        let new: Vec<Known> = (known.iter())
            .map(|(_, _, pattern, _)| identity(pattern))
            .collect();
        let ids = self.ids(&new, &old, AccessPatternId);
        for ((block, name, pattern, traffic), id) in known.into_iter().zip(ids) {
            self.key(block, id.to_string());
            self.mark(name.range, Part::Pattern(id), true);
            self.unknown_skews(block, &pattern);
            self.design.access_patterns.insert(id, Arc::new(pattern));
            self.set_traffic(id, traffic);
        }
    }

    fn pattern(&mut self, block: &Statement, name: &Spot) -> Option<(AccessPattern, Traffic)> {
        let mut traffic = Traffic::default();
        let mut draft: Option<Operation> = None;
        let mut pattern = AccessPattern {
            name: name.text.clone(),
            description: block.description.clone(),
            operation: Operation::TransactGetItems { keys: Vec::new() },
            entities: Vec::new(),
            sample: None,
            parameters: SortedMap::new(),
            rate: None,
        };
        // An operation that is not understood is reported at its line.
        let mut failed = false;
        let mut seen: Vec<&str> = Vec::new();
        for line in block.descendants() {
            match line.kind {
                SyntaxKind::Operation => self.operation(line, &mut draft),
                SyntaxKind::BatchKey => self.batch_key(line, &mut draft),
                SyntaxKind::Part => {
                    let word = line.word();
                    let repeats = matches!(word, "parameter" | "condition" | "update" | "skew");
                    if seen.contains(&word) && !repeats {
                        self.error(line.code(), format!("`{word}` is set twice"));
                    } else {
                        seen.push(word);
                        match word {
                            "average" | "puts" | "items" | "failed" | "skew" => {
                                self.traffic_line(line, &mut traffic);
                            }
                            _ => self.part(line, &mut pattern, &mut draft),
                        }
                    }
                }
                _ => {}
            }
            // A part with an unknown word may have been meant as the operation.
            let is_known = (PATTERN_PARTS.iter()).any(|(word, _)| *word == line.word());
            failed |=
                line.kind == SyntaxKind::Operation || line.kind == SyntaxKind::Part && !is_known;
        }
        match draft {
            Some(operation) => pattern.operation = operation,
            None => {
                if !failed {
                    let message =
                        "expected an operation in the lines below, such as `GetItem` or `Query`";
                    self.error(block.code(), message.to_owned());
                }
                return None;
            }
        }
        Some((pattern, traffic))
    }

    /// A line with an operation: the pattern's own, or an action of its transaction.
    fn operation(&mut self, line: &Statement, draft: &mut Option<Operation>) {
        let Some(word) = operation(line.word()) else {
            return;
        };
        let is_action = matches!(
            word,
            "PutItem" | "UpdateItem" | "DeleteItem" | "ConditionCheck"
        );
        match draft {
            Some(Operation::TransactWriteItems { actions }) if is_action => {
                if let Some(action) = self.action(line, word) {
                    self.key(line, format!("action#{}", actions.len()));
                    actions.push(action);
                }
            }
            Some(Operation::TransactWriteItems { .. }) => {
                let message = "a transaction holds `PutItem`, `UpdateItem`, `DeleteItem` and `ConditionCheck`";
                self.error(line.code(), message.to_owned());
            }
            Some(_) => {
                let message = "an access pattern has one operation: write `TransactWriteItems` above several writes";
                self.error(line.code(), message.to_owned());
            }
            None if word == "ConditionCheck" => {
                let message = "DynamoDB checks conditions in transactions only: write `TransactWriteItems` above `ConditionCheck`";
                self.error(line.code(), message.to_owned());
            }
            None => {
                *draft = match is_action {
                    true => self.action(line, word).map(Operation::Write),
                    false => self.read_line(line, word),
                };
                if draft.is_some() {
                    self.key(line, "operation");
                }
            }
        }
    }

    /// Reads the line of an operation that is no single write; `None` after an error. The lines below fill its lists.
    fn read_line(&mut self, line: &Statement, word: &str) -> Option<Operation> {
        let mut index = IndexId::PRIMARY;
        let (is_query, takes_index) = (word == "Query", matches!(word, "Query" | "Scan"));
        let mut cursor = Cursor::after(line, 1, &self.problems);
        if takes_index && cursor.word("index") {
            let name = cursor.name("the name of an index")?;
            index = self.index_named(&name)?;
        }
        // An index by its name alone. A partition key can be one word too, but then the line goes on otherwise.
        if takes_index
            && index.is_primary()
            && let Some(token) = cursor.peek()
            && self.is_index(token.text)
            && cursor
                .second()
                .is_none_or(|next| !next.is("/") && !RESERVED.contains(&next.text))
            && (cursor.second().is_some() || !is_query)
        {
            let message = format!("write `index {}` for the index", token.text);
            cursor.error(token.range.clone(), message);
            return None;
        }
        let mut key = None;
        let (mut partition, mut sort) = (Vec::new(), Vec::new());
        match word {
            "GetItem" => key = item_key(&mut cursor),
            "Query" => (partition, sort) = query_key(&mut cursor),
            _ => {}
        }
        let (mut descending, mut limit, mut read) = (false, None, Read::default());
        while !cursor.is_done() && !cursor.failed {
            let takes_consistent = !matches!(word, "TransactGetItems" | "TransactWriteItems");
            match () {
                () if is_query && !descending && cursor.word("descending") => descending = true,
                () if takes_index && limit.is_none() && cursor.word("limit") => {
                    limit = cursor.number("a number of items");
                }
                () if takes_consistent && !read.consistent && cursor.word("consistent") => {
                    read.consistent = true;
                }
                () if is_query && cursor.peek().is_some_and(|token| token.is("=")) => {
                    let message = "the condition on the partition key is always `=`: write only its value, such as `USER#{userId}`";
                    cursor.error(cursor.here(), message.to_owned());
                }
                () if is_query && partition.is_empty() => {
                    cursor.expected(
                        "the partition key first, such as `USER#{userId} / begins_with ORDER#`",
                    );
                }
                () => cursor.expected(match word {
                    "Query" => "`descending`, `limit`, `consistent` or the end of the line",
                    "Scan" => "`index`, `limit`, `consistent` or the end of the line",
                    "GetItem" | "BatchGetItem" => "`consistent` or the end of the line",
                    _ => "the end of the line",
                }),
            }
        }
        if cursor.failed {
            return None;
        }
        if is_query && partition.is_empty() {
            let message =
                "a Query needs the partition key, such as `USER#{userId} / begins_with ORDER#`";
            self.warn(line.code(), message);
        }
        Some(match word {
            "GetItem" => Operation::GetItem { key: key?, read },
            "Query" => Operation::Query {
                index,
                partition,
                sort,
                descending,
                limit,
                read,
            },
            "Scan" => Operation::Scan { index, limit, read },
            "BatchGetItem" => Operation::BatchGetItem {
                keys: Vec::new(),
                read,
            },
            "TransactGetItems" => Operation::TransactGetItems { keys: Vec::new() },
            _ => Operation::TransactWriteItems {
                actions: Vec::new(),
            },
        })
    }

    fn action(&mut self, line: &Statement, word: &str) -> Option<WriteAction> {
        let mut cursor = Cursor::after(line, 1, &self.problems);
        if word == "PutItem" {
            let name = cursor.name("the name of an entity")?;
            cursor.finish();
            if cursor.failed {
                return None;
            }
            let entity = self.entity_named(&name)?;
            return Some(WriteAction::PutItem {
                entity,
                condition: None,
            });
        }
        let key = item_key(&mut cursor)?;
        cursor.finish();
        if cursor.failed {
            return None;
        }
        Some(match word {
            "UpdateItem" => WriteAction::UpdateItem {
                key,
                update: String::new(),
                condition: None,
            },
            "DeleteItem" => WriteAction::DeleteItem {
                key,
                condition: None,
            },
            _ => WriteAction::ConditionCheck {
                key,
                condition: String::new(),
            },
        })
    }

    fn batch_key(&mut self, line: &Statement, draft: &mut Option<Operation>) {
        let mut cursor = Cursor::after(line, 1, &self.problems);
        match draft {
            Some(Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys }) => {
                let key = item_key(&mut cursor);
                cursor.finish();
                if let Some(key) = key.filter(|_| !cursor.failed) {
                    self.key(line, format!("key#{}", keys.len()));
                    keys.push(key);
                }
            }
            _ => cursor.error(
                line.code(),
                "`key` is a line of `BatchGetItem` or `TransactGetItems`".to_owned(),
            ),
        }
    }

    fn part(
        &mut self,
        line: &Statement,
        pattern: &mut AccessPattern,
        draft: &mut Option<Operation>,
    ) {
        let word = line.word();
        let mut cursor = Cursor::after(line, 1, &self.problems);
        let mut key = word.to_owned();
        match word {
            "filter" | "attributes" => {
                let Some(
                    Operation::GetItem { read, .. }
                    | Operation::Query { read, .. }
                    | Operation::Scan { read, .. }
                    | Operation::BatchGetItem { read, .. },
                ) = draft
                else {
                    let message = format!("`{word}` belongs below a read, such as `Query`");
                    return cursor.error(line.code(), message);
                };
                if word == "filter" {
                    read.filter = cursor.name("a filter expression").map(|spot| spot.text);
                } else {
                    let names = cursor.names("the name of an attribute");
                    read.projection = (names.into_iter())
                        .map(|name| projection::read(&self.design, name.text))
                        .collect();
                }
            }
            "condition" | "update" => {
                let action = match draft {
                    Some(Operation::Write(action)) => Some(action),
                    Some(Operation::TransactWriteItems { actions }) => actions.last_mut(),
                    _ => None,
                };
                let Some(action) = action else {
                    let message = format!("`{word}` belongs below a write, such as `UpdateItem`");
                    return cursor.error(line.code(), message);
                };
                let text = match word {
                    "update" => cursor.name("an update expression, such as `SET a = :a`"),
                    _ => cursor.name("a condition expression"),
                };
                if let Some(text) = text
                    && let Err(message) = set_expression(action, word, text.text)
                {
                    cursor.error(line.code(), message);
                }
            }
            "returns" | "writes" => {
                let names = cursor.names("the name of an entity");
                cursor.finish();
                let found: Vec<EntityId> = (names.iter())
                    .filter_map(|name| self.entity_named(name))
                    .collect();
                if !cursor.failed {
                    pattern.entities.extend(found);
                    self.key(line, "entities");
                }
                return;
            }
            "sample" => {
                let name = cursor.name("the name of an entity");
                let range = cursor.here();
                let number: Option<usize> = name
                    .is_some()
                    .then(|| cursor.number("the number of a sample, counted from 1"))
                    .flatten();
                cursor.finish();
                if let (Some(name), Some(number), false) = (name, number, cursor.failed)
                    && let Some(entity) = self.entity_named(&name)
                {
                    let row = Spot {
                        text: number.to_string(),
                        range,
                    };
                    pattern.sample = self.sample_at(entity, &name, &row);
                    self.key(line, "sample");
                }
                return;
            }
            "parameter" => {
                let (name, value) = match cursor.assignment() {
                    Some((name, value)) => (Some(name), value_of(&mut cursor, &value, None)),
                    None => {
                        let name = cursor.name("the name of a parameter");
                        if name.is_some() {
                            equals(&mut cursor);
                        }
                        let value = match cursor.failed {
                            true => None,
                            false => take_value(&mut cursor, None, "a value"),
                        };
                        (name, value)
                    }
                };
                if let (Some(name), Some(value)) = (name, value) {
                    key = format!("parameter:{}", name.text);
                    if pattern.parameters.contains_key(&name.text) {
                        let message = format!("parameter `{}` is set twice", name.text);
                        cursor.error(name.range, message);
                    } else {
                        pattern.parameters.insert(name.text, value);
                    }
                }
            }
            "rate" => {
                let range = cursor.here();
                let rate: Option<f64> = cursor.number("a number of calls per second");
                if cursor.word("per") && !cursor.word("second") {
                    cursor.expected("`second`");
                }
                match rate {
                    Some(rate) if !rate.is_finite() || rate < 0.0 => {
                        let message = "a rate must be 0 or more requests per second";
                        cursor.error(range, message.to_owned());
                    }
                    rate => pattern.rate = rate,
                }
            }
            _ => {
                cursor.error(line.code(), likely_mistakes::part(word));
            }
        }
        cursor.finish();
        if !cursor.failed {
            self.key(line, key);
        }
    }
}

fn set_expression(action: &mut WriteAction, word: &str, text: String) -> Result<(), String> {
    let twice = || Err(format!("`{word}` is set twice"));
    match (action, word) {
        (WriteAction::UpdateItem { update, .. }, "update") => match update.is_empty() {
            true => *update = text,
            false => return twice(),
        },
        (_, "update") => return Err("only `UpdateItem` takes an `update`".to_owned()),
        (WriteAction::ConditionCheck { condition, .. }, _) => match condition.is_empty() {
            true => *condition = text,
            false => return twice(),
        },
        (
            WriteAction::PutItem { condition, .. }
            | WriteAction::UpdateItem { condition, .. }
            | WriteAction::DeleteItem { condition, .. },
            _,
        ) => match condition {
            None => *condition = Some(text),
            Some(_) => return twice(),
        },
    }
    Ok(())
}

/// `PARTITION / SORT`
fn item_key(cursor: &mut Cursor) -> Option<ItemKey> {
    let Some(partition) = template(cursor, &RESERVED) else {
        cursor.expected("the partition key, such as `USER#{userId}`");
        return None;
    };
    let mut sort = None;
    if cursor.word("/") {
        sort = template(cursor, &RESERVED);
        if sort.is_none() {
            cursor.expected("the sort key, such as `ORDER#{orderId}`");
            return None;
        }
    }
    Some(ItemKey {
        partition: partition.text,
        sort: sort.map(|sort| sort.text),
    })
}

/// `PARTITION / begins_with SORT`; with multi-attribute keys several of each, between commas.
fn query_key(cursor: &mut Cursor) -> (Vec<String>, Vec<SortCondition>) {
    let (mut partition, mut sort) = (Vec::new(), Vec::new());
    while let Some(part) = template(cursor, &RESERVED) {
        partition.push(part.text);
        if !cursor.punctuation(SyntaxKind::Comma) {
            break;
        }
    }
    if !cursor.word("/") {
        return (partition, sort);
    }
    loop {
        let operator = match cursor.peek() {
            Some(token) if token.kind == SyntaxKind::Word => SortOperator::from_symbol(token.text),
            _ => None,
        };
        if operator.is_some() {
            cursor.take();
        }
        let Some(value) = template(cursor, &RESERVED) else {
            cursor.expected("the sort key, such as `begins_with ORDER#`");
            return (partition, sort);
        };
        let mut upper = None;
        if cursor.word("and") {
            upper = template(cursor, &RESERVED);
            if upper.is_none() {
                cursor.expected("the upper bound");
                return (partition, sort);
            }
        }
        sort.push(SortCondition {
            operator: operator.unwrap_or(SortOperator::Equal),
            value: value.text,
            upper: upper.map(|upper| upper.text),
        });
        if !cursor.punctuation(SyntaxKind::Comma) {
            return (partition, sort);
        }
    }
}

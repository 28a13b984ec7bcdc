//! Access patterns: an operation with its keys, and the lines that belong to it.

use super::super::cursor::{Cursor, Spot};
use super::super::keywords::{OperationWord, PATTERN_PARTS, operation};
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::attributes::{take_value, value_of};
use super::entity::template;
use super::identity::Known;
use super::table::equals;
use super::{Lower, Part, twice};
use crate::model::{
    AccessPattern, AccessPatternId, EntityId, IndexId, ItemKey, Operation, Read, SortCondition,
    SortOperator, SortedMap, WriteAction, name,
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

/// An operation while its lines are read.
struct Draft {
    word: OperationWord,
    index: IndexId,
    partition: Vec<String>,
    sort: Vec<SortCondition>,
    descending: bool,
    limit: Option<u32>,
    read: Read,
    keys: Vec<ItemKey>,
    actions: Vec<WriteAction>,
}

impl Draft {
    fn operation(self) -> Option<Operation> {
        let mut keys = self.keys.into_iter();
        let mut actions = self.actions.into_iter();
        Some(match self.word {
            OperationWord::GetItem => Operation::GetItem {
                key: keys.next()?,
                read: self.read,
            },
            OperationWord::Query => Operation::Query {
                index: self.index,
                partition: self.partition,
                sort: self.sort,
                descending: self.descending,
                limit: self.limit,
                read: self.read,
            },
            OperationWord::Scan => Operation::Scan {
                index: self.index,
                limit: self.limit,
                read: self.read,
            },
            OperationWord::BatchGetItem => Operation::BatchGetItem {
                keys: keys.collect(),
                read: self.read,
            },
            OperationWord::TransactGetItems => Operation::TransactGetItems {
                keys: keys.collect(),
            },
            OperationWord::TransactWriteItems => Operation::TransactWriteItems {
                actions: actions.collect(),
            },
            _ => Operation::Write(actions.next()?),
        })
    }
}

impl Lower<'_> {
    pub(super) fn patterns(&mut self, blocks: &[&Statement]) {
        let mut known: Vec<(&Statement, Spot, AccessPattern)> = Vec::new();
        for block in blocks {
            let what = "the name of the access pattern";
            let Some(name) = self.block_name(block, what, name::check_label) else {
                continue;
            };
            Cursor::after(block, 2, &mut self.problems).finish();
            if known.iter().any(|(_, other, _)| other.text == name.text) {
                self.error(name.range, twice("access pattern", &name.text));
                continue;
            }
            if let Some(pattern) = self.pattern(block, &name) {
                known.push((block, name, pattern));
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
            .map(|(_, _, pattern)| identity(pattern))
            .collect();
        let ids = self.ids(&new, &old, AccessPatternId);
        for ((block, name, pattern), id) in known.into_iter().zip(ids) {
            self.key(block, id.to_string());
            self.mark(name.range, Part::Pattern(id), true);
            self.design.access_patterns.insert(id, Arc::new(pattern));
        }
    }

    fn pattern(&mut self, block: &Statement, name: &Spot) -> Option<AccessPattern> {
        let mut draft: Option<Draft> = None;
        let mut pattern = AccessPattern {
            name: name.text.clone(),
            description: block.description.clone(),
            operation: Operation::TransactGetItems { keys: Vec::new() },
            entities: Vec::new(),
            sample: None,
            parameters: SortedMap::new(),
            rate: None,
        };
        let mut failed = false;
        let mut seen: Vec<&str> = Vec::new();
        for line in block.descendants() {
            let problems = self.problems.len();
            match line.kind {
                SyntaxKind::Operation => self.operation(line, &mut draft),
                SyntaxKind::BatchKey => self.batch_key(line, &mut draft),
                SyntaxKind::Part => {
                    let word = line.word();
                    let repeats = matches!(word, "parameter" | "condition" | "update");
                    if seen.contains(&word) && !repeats {
                        self.error(line.code(), format!("`{word}` is set twice"));
                    } else {
                        seen.push(word);
                        self.part(line, &mut pattern, &mut draft);
                    }
                }
                _ => {}
            }
            failed |= line.kind == SyntaxKind::Operation && self.problems.len() > problems;
        }
        match draft.and_then(Draft::operation) {
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
        Some(pattern)
    }

    /// A line with an operation: the pattern's own, or an action of its transaction.
    fn operation(&mut self, line: &Statement, draft: &mut Option<Draft>) {
        let Some(word) = operation(line.word()) else {
            return;
        };
        let is_action = matches!(
            word,
            OperationWord::PutItem
                | OperationWord::UpdateItem
                | OperationWord::DeleteItem
                | OperationWord::ConditionCheck
        );
        if let Some(open) = draft {
            if open.word != OperationWord::TransactWriteItems || !is_action {
                let message = match open.word {
                    OperationWord::TransactWriteItems => {
                        "a transaction holds `PutItem`, `UpdateItem`, `DeleteItem` and `ConditionCheck`"
                    }
                    _ => {
                        "an access pattern has one operation: write `TransactWriteItems` above several writes"
                    }
                };
                return self.error(line.code(), message.to_owned());
            }
            if let Some(action) = self.action(line, word) {
                self.key(line, format!("action#{}", open.actions.len()));
                open.actions.push(action);
            }
            return;
        }
        let mut open = Draft {
            word,
            index: IndexId::PRIMARY,
            partition: Vec::new(),
            sort: Vec::new(),
            descending: false,
            limit: None,
            read: Read::default(),
            keys: Vec::new(),
            actions: Vec::new(),
        };
        if is_action {
            let Some(action) = self.action(line, word) else {
                return;
            };
            open.actions.push(action);
        } else if !self.read_line(line, word, &mut open) {
            return;
        }
        self.key(line, "operation");
        *draft = Some(open);
    }

    /// Reads the line of a read; returns whether it has no error.
    fn read_line(&mut self, line: &Statement, word: OperationWord, open: &mut Draft) -> bool {
        let mut words = 1;
        let takes_index = matches!(word, OperationWord::Query | OperationWord::Scan);
        let mut cursor = Cursor::after(line, 1, &mut self.problems);
        if takes_index && cursor.word("index") {
            words = 3;
            let name = cursor.name("the name of an index");
            let Some(index) = name.and_then(|name| self.index_named(&name)) else {
                return false;
            };
            open.index = index;
        }
        let mut cursor = Cursor::after(line, words, &mut self.problems);
        match word {
            OperationWord::GetItem => open.keys.extend(item_key(&mut cursor)),
            OperationWord::Query => query_key(&mut cursor, open),
            _ => {}
        }
        while !cursor.is_done() && !cursor.failed {
            let is_query = word == OperationWord::Query;
            match () {
                () if is_query && !open.descending && cursor.word("descending") => {
                    open.descending = true;
                }
                () if takes_index && open.limit.is_none() && cursor.word("limit") => {
                    open.limit = cursor.number("a number of items");
                }
                () if word != OperationWord::TransactGetItems
                    && word != OperationWord::TransactWriteItems
                    && !open.read.consistent
                    && cursor.word("consistent") =>
                {
                    open.read.consistent = true;
                }
                () => cursor.expected(match word {
                    OperationWord::Query => {
                        "`descending`, `limit`, `consistent` or the end of the line"
                    }
                    OperationWord::Scan => "`index`, `limit`, `consistent` or the end of the line",
                    OperationWord::GetItem | OperationWord::BatchGetItem => {
                        "`consistent` or the end of the line"
                    }
                    _ => "the end of the line",
                }),
            }
        }
        !cursor.failed
    }

    fn action(&mut self, line: &Statement, word: OperationWord) -> Option<WriteAction> {
        let mut cursor = Cursor::after(line, 1, &mut self.problems);
        if word == OperationWord::PutItem {
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
            OperationWord::UpdateItem => WriteAction::UpdateItem {
                key,
                update: String::new(),
                condition: None,
            },
            OperationWord::DeleteItem => WriteAction::DeleteItem {
                key,
                condition: None,
            },
            _ => WriteAction::ConditionCheck {
                key,
                condition: String::new(),
            },
        })
    }

    fn batch_key(&mut self, line: &Statement, draft: &mut Option<Draft>) {
        let mut cursor = Cursor::after(line, 1, &mut self.problems);
        match draft {
            Some(open)
                if matches!(
                    open.word,
                    OperationWord::BatchGetItem | OperationWord::TransactGetItems
                ) =>
            {
                let key = item_key(&mut cursor);
                cursor.finish();
                if let Some(key) = key.filter(|_| !cursor.failed) {
                    self.key(line, format!("key#{}", open.keys.len()));
                    open.keys.push(key);
                }
            }
            _ => cursor.error(
                line.code(),
                "`key` is a line of `BatchGetItem` or `TransactGetItems`".to_owned(),
            ),
        }
    }

    fn part(&mut self, line: &Statement, pattern: &mut AccessPattern, draft: &mut Option<Draft>) {
        let word = line.word();
        let mut cursor = Cursor::after(line, 1, &mut self.problems);
        let mut key = word.to_owned();
        match word {
            "filter" | "attributes" => {
                let open = draft.as_mut().filter(|open| {
                    matches!(
                        open.word,
                        OperationWord::GetItem
                            | OperationWord::Query
                            | OperationWord::Scan
                            | OperationWord::BatchGetItem
                    )
                });
                let Some(open) = open else {
                    let message = format!("`{word}` belongs below a read, such as `Query`");
                    return cursor.error(line.code(), message);
                };
                if word == "filter" {
                    open.read.filter = cursor.name("a filter expression").map(|spot| spot.text);
                } else {
                    let names = cursor.names("the name of an attribute");
                    open.read.projection = names.into_iter().map(|name| name.text).collect();
                }
            }
            "condition" | "update" => {
                let action = draft.as_mut().and_then(|open| open.actions.last_mut());
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
                let failed = cursor.failed;
                let found: Vec<EntityId> = (names.iter())
                    .filter_map(|name| self.entity_named(name))
                    .collect();
                if !failed {
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
                let failed = cursor.failed;
                if let (Some(name), Some(number), false) = (name, number, failed)
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
                let words: Vec<String> = (PATTERN_PARTS.iter())
                    .map(|(word, _)| format!("`{word}`"))
                    .collect();
                let message = format!(
                    "expected an operation such as `Query`, or {}, found `{word}`",
                    words.join(", ")
                );
                cursor.error(line.code(), message);
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
fn query_key(cursor: &mut Cursor, open: &mut Draft) {
    while let Some(partition) = template(cursor, &RESERVED) {
        open.partition.push(partition.text);
        if !cursor.punctuation(SyntaxKind::Comma) {
            break;
        }
    }
    if !cursor.word("/") {
        return;
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
            return;
        };
        let mut upper = None;
        if cursor.word("and") {
            upper = template(cursor, &RESERVED);
            if upper.is_none() {
                return cursor.expected("the upper bound");
            }
        }
        open.sort.push(SortCondition {
            operator: operator.unwrap_or(SortOperator::Equal),
            value: value.text,
            upper: upper.map(|upper| upper.text),
        });
        if !cursor.punctuation(SyntaxKind::Comma) {
            return;
        }
    }
}

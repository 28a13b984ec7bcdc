//! Indexes, and the keys of the table and of indexes.

use super::super::cursor::{Cursor, Spot};
use super::super::keywords;
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::blocks::{Lower, twice};
use super::identity::Known;
use super::likely_mistakes;
use super::lowered::Part;
use super::throughput::{insights, provisioned, units};
use crate::model::{
    AttributeType, Index, IndexId, IndexKind, KeyAttribute, KeySchema, KeyType, MaxRequestUnits,
    Projection, WarmThroughput, limits, name,
};
use std::sync::Arc;

impl Lower<'_> {
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
            match self.index_head(block, &name, &others) {
                Some(index) => known.push((block, index)),
                None => self.broken_indexes.push(name.text),
            }
        }
        let identity = |index: &Index| {
            let content = format!("{:?}{:?}", index.kind, index.key);
            Known::new(&index.name, content)
        };
        let old: Vec<_> = (self.previous.indexes.iter())
            .map(|(id, index)| (*id, identity(index)))
            .collect();
        let new: Vec<Known> = known.iter().map(|(_, index)| identity(index)).collect();
        let ids = self.ids(&new, &old, IndexId);
        for ((block, mut index), id) in known.into_iter().zip(ids) {
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
        let mut cursor = Cursor::after(block, 2, &self.problems);
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
        let mut cursor = Cursor::after(setting, 1, &self.problems);
        let taken = match word.as_str() {
            "provisioned" => index.provisioned.is_some(),
            "max-throughput" => index.max_request_units.is_some(),
            "warm-throughput" => index.warm_throughput.is_some(),
            "contributor-insights" => index.contributor_insights.is_some(),
            _ => {
                let message = likely_mistakes::setting(setting.word(), &keywords::INDEX_SETTINGS);
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
}

/// `(PK, SK)`, or `(a, b / c, d)` with several attributes: the partition key before the slash, the sort key after.
pub(super) fn key_schema(cursor: &mut Cursor) -> Option<KeySchema> {
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

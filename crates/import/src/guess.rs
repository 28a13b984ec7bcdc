//! Guesses the key of a table from its items alone: from the usual names of key attributes, and from values that
//! identify an item.

use crate::form::{FoundItem, FoundTable, Notes};
use keyfold_core::engine::generate::name_meanings::is_time;
use keyfold_core::model::{
    AttributeType, Index, IndexKind, KeyAttribute, KeySchema, KeyType, SortedMap, SortedSet, Table,
    Value,
};
use rustc_hash::FxHashSet;

/// Usual names of partition keys, in lower case and without `_`, `-` and `:`.
const PARTITION: [&str; 5] = ["pk", "partitionkey", "hashkey", "partition", "hash"];
/// Usual names of sort keys.
const SORT: [&str; 5] = ["sk", "sortkey", "rangekey", "sort", "range"];

/// Makes a table of items. The notes say what was guessed.
///
/// # Errors
///
/// Why no key fits.
pub fn table(name: &str, items: Vec<FoundItem>, guessed: &mut Notes) -> Result<FoundTable, String> {
    let columns = columns(&items);
    let everywhere = |column: &&Column| column.count == items.len();
    let named = |names: &[&str]| {
        let mut complete = columns.iter().filter(everywhere);
        complete.find(|column| names.contains(&plain(&column.name).as_str()))
    };
    let identifies = |key: &[&Column]| {
        let mut seen = FxHashSet::default();
        items.iter().all(|item| {
            let values: Vec<Option<&Value>> = key
                .iter()
                .map(|column| item.values.get(&column.name))
                .collect();
            seen.insert(values)
        })
    };
    let key: Vec<&Column> = match (named(&PARTITION), named(&SORT)) {
        (Some(partition), Some(sort)) => vec![partition, sort],
        (Some(partition), None) if identifies(&[partition]) => vec![partition],
        (partition, _) => {
            let mut candidates: Vec<&Column> = columns.iter().filter(everywhere).collect();
            // Names of ids come first, then of times; otherwise the order of the names.
            candidates.sort_by_key(|column| {
                let plain = plain(&column.name);
                (
                    !plain.ends_with("id"),
                    plain != "ts" && !is_time(&column.name),
                )
            });
            let firsts = partition.map_or(candidates.clone(), |column| vec![column]);
            // A time may identify the items, but an id and the time are the key.
            let is_id = |column: &&&Column| plain(&column.name).ends_with("id");
            let ids: Vec<&Column> = firsts.iter().filter(is_id).copied().collect();
            let found = [&ids, &firsts].into_iter().find_map(|firsts| {
                let single = firsts.iter().find(|column| identifies(&[column]));
                let pair = || {
                    firsts.iter().find_map(|first| {
                        let others = candidates.iter().filter(|other| other.name != first.name);
                        let mut others = others.take(20);
                        let second = others.find(|second| identifies(&[first, second]))?;
                        Some(vec![*first, *second])
                    })
                };
                single.map(|column| vec![*column]).or_else(pair)
            });
            found.ok_or(
                "the key of the table cannot be determined: no attribute or pair of attributes that all items have identifies them. Add a file that defines the table",
            )?
        }
    };
    let mut table = Table::new(name);
    table.type_attribute = None;
    table.key = schema(&key[..1], &key[1..]);
    let names: Vec<String> = key
        .iter()
        .map(|column| format!("`{}`", column.name))
        .collect();
    guessed.add(
        "the items",
        format!(
            "the file does not define the key of the table: Keyfold assumes {}",
            names.join(", ")
        ),
    );
    let indexes = indexes(&columns, &table.key, guessed);
    let place = "the items";
    let mut found = FoundTable::new(place, table, indexes);
    found.items = items;
    Ok(found)
}

/// An attribute that can be part of a key.
struct Column {
    name: String,
    kind: KeyType,
    count: usize,
}

/// The attributes whose values are all of one type that a key can have.
fn columns(items: &[FoundItem]) -> Vec<Column> {
    let mut columns: SortedMap<&str, (Option<KeyType>, usize)> = SortedMap::new();
    for item in items {
        for (name, value) in &item.values {
            let kind = match value.kind() {
                AttributeType::S => Some(KeyType::S),
                AttributeType::N => Some(KeyType::N),
                AttributeType::B => Some(KeyType::B),
                _ => None,
            };
            let column = columns.entry(name).or_insert((kind, 0));
            column.1 += 1;
            if column.0 != kind {
                column.0 = None;
            }
        }
    }
    let of = |(name, (kind, count)): (&str, (Option<KeyType>, usize))| {
        Some(Column {
            name: name.to_owned(),
            kind: kind?,
            count,
        })
    };
    columns.into_iter().filter_map(of).collect()
}

/// A name without what separates words.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_ascii_alphanumeric());
    letters.collect::<String>().to_ascii_lowercase()
}

fn schema(partition: &[&Column], sort: &[&Column]) -> KeySchema {
    let attributes = |columns: &[&Column]| {
        let of = |column: &&Column| KeyAttribute {
            name: column.name.clone(),
            kind: column.kind,
        };
        columns.iter().map(of).collect()
    };
    KeySchema {
        partition: attributes(partition),
        sort: attributes(sort),
    }
}

/// The indexes whose keys have names such as `gsi1pk` and `LSI1SK`.
fn indexes(columns: &[Column], key: &KeySchema, guessed: &mut Notes) -> Vec<Index> {
    let mut stems = SortedSet::new();
    for column in columns {
        if let Some((stem, _)) = index_part(&column.name) {
            stems.insert(stem);
        }
    }
    let mut indexes = Vec::new();
    for stem in &stems {
        let of = |wanted: bool| {
            let mut own = columns.iter();
            own.find(|column| index_part(&column.name) == Some((stem.clone(), wanted)))
        };
        let sort: Vec<&Column> = of(false).into_iter().collect();
        let (kind, schema) = match (of(true), stem.starts_with("LSI")) {
            (Some(partition), false) => (IndexKind::Gsi, schema(&[partition], &sort)),
            (None, true) => {
                let mut schema = schema(&[], &sort);
                schema.partition.clone_from(&key.partition);
                (IndexKind::Lsi, schema)
            }
            _ => continue,
        };
        let names: Vec<&str> = schema.attributes().map(|key| key.name.as_str()).collect();
        guessed.add(
            "the items",
            format!(
                "{} are taken as the key of an index {stem}",
                names.join(", ")
            ),
        );
        indexes.push(Index::new(stem, kind, schema));
    }
    indexes
}

/// The index of a key attribute, and whether this is its partition key: `gsi1pk` gives `GSI1`.
fn index_part(name: &str) -> Option<(String, bool)> {
    let plain = plain(name);
    if !plain.starts_with("gsi") && !plain.starts_with("lsi") {
        return None;
    }
    let is_partition = PARTITION.iter().find_map(|end| plain.strip_suffix(end));
    let (stem, is_partition) = match is_partition {
        Some(stem) => (stem, true),
        None => (SORT.iter().find_map(|end| plain.strip_suffix(end))?, false),
    };
    let digits = &stem[3..];
    digits
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| (stem.to_uppercase(), is_partition))
}

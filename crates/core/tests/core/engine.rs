//! Samples become items and views, including difficult data.

use keyfold_core::engine::{
    EntityPlan, IndexContent, Item, ProblemKind, Row, ValueRef, View, materialize, materialize_all,
    view,
};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Condition, DelimiterPolicy, Design, Entity, EntityId,
    Index, IndexEntry, IndexId, IndexKind, KeyAttribute, KeySchema, KeyType, OnDelimiter,
    Projection, Sample, SampleId, SortedMap, Test, Value,
};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

/// Builds a design in a few words. The table's key is `PK`, `SK`.
struct Build(Design);

impl Build {
    fn new() -> Self {
        let mut design = Design::new("Test");
        Arc::make_mut(&mut design.table).type_attribute = None;
        Build(design)
    }

    fn table(mut self, change: impl Fn(&mut keyfold_core::model::Table)) -> Self {
        change(Arc::make_mut(&mut self.0.table));
        self
    }

    fn policy(mut self, delimiter: &str, on_conflict: OnDelimiter) -> Self {
        self.0.delimiter = Arc::new(DelimiterPolicy {
            delimiter: delimiter.into(),
            on_conflict,
        });
        self
    }

    fn index(
        mut self,
        name: &str,
        kind: IndexKind,
        key: KeySchema,
        projection: Projection,
    ) -> Self {
        let id = IndexId(self.0.take_id());
        let index = Index {
            projection,
            ..Index::new(name, kind, key)
        };
        self.0.indexes.insert(id, Arc::new(index));
        self
    }

    fn gsi(self, name: &str, partition: &str, sort: &str) -> Self {
        self.index(
            name,
            IndexKind::Gsi,
            KeySchema::pair(partition, sort),
            Projection::All,
        )
    }

    /// Entries are `Table` or an index's name, with a partition key template and a sort key template; `-` for no
    /// template.
    fn entity(mut self, name: &str, entries: &[(&str, &str, &str)]) -> Self {
        let mut entity = Entity::new(name, 0);
        let template = |text: &str| (text != "-").then(|| text.to_owned());
        for (index, partition, sort) in entries {
            let entry = IndexEntry {
                partition: template(partition),
                sort: template(sort),
                when: Vec::new(),
            };
            entity.keys.insert(index_id(&self.0, index), entry);
        }
        let id = EntityId(self.0.take_id());
        self.0.entities.insert(id, Arc::new(entity));
        self
    }

    /// Adds a condition to the last entity's entry in this index.
    fn when(mut self, index: &str, attribute: &str, test: Test) -> Self {
        let index = index_id(&self.0, index);
        let entity = self.0.entities.values_mut().last().expect("an entity");
        let entry = Arc::make_mut(entity)
            .keys
            .get_mut(&index)
            .expect("an entry");
        entry.when.push(Condition {
            attribute: attribute.into(),
            test,
        });
        self
    }

    /// Adds attributes to the last entity.
    fn attributes(mut self, names: &[&str]) -> Self {
        let first = self.0.next_id;
        self.0.next_id += names.len() as u32;
        let entity = self.0.entities.values_mut().last().expect("an entity");
        let attributes = names
            .iter()
            .zip(first..)
            .map(|(name, id)| Attribute::new(AttributeId(id), *name, AttributeType::S));
        Arc::make_mut(entity).attributes.extend(attributes);
        self
    }

    /// Adds a sample of the last entity, in the file's JSON.
    fn sample(mut self, values: &str) -> Self {
        let id = SampleId(self.0.take_id());
        let values = serde_json::from_str(values).unwrap_or_else(|e| panic!("{values}: {e}"));
        let entity = *self.0.entities.keys().last().expect("an entity");
        let samples = self.0.samples.entry(entity).or_default();
        Arc::make_mut(samples).push(Arc::new(Sample { id, values }));
        self
    }

    fn view(&self, index: &str) -> View {
        let items: Vec<_> = materialize_all(&self.0).into_values().collect();
        view(&self.0, index_id(&self.0, index), &items)
    }

    /// Checks the values of these attributes, one row per line; `-` for a missing value, `!` before a row that
    /// collides.
    fn check_rows(&self, index: &str, attributes: &[&str], expected: &[&str]) -> &Self {
        let view = self.view(index);
        let cell = |item: &Item, name: &str| {
            item.get(name)
                .map_or("-".to_owned(), |value| value.to_text())
        };
        let rows: Vec<String> = (view.rows.iter())
            .map(|row| {
                let cells: Vec<String> = attributes
                    .iter()
                    .map(|name| cell(&row.item, name))
                    .collect();
                format!(
                    "{}{}",
                    if row.collides { "!" } else { "" },
                    cells.join(" | ")
                )
            })
            .collect();
        assert_eq!(rows, expected, "{index}");
        // Item collections are the runs of equal partition key values, in order.
        let covered: Vec<usize> = view
            .groups
            .iter()
            .flat_map(|group| group.rows.clone())
            .collect();
        assert_eq!(covered, (0..view.rows.len()).collect::<Vec<_>>());
        for group in &view.groups {
            let content = view.content.as_ref().expect("there is the index");
            for row in group.rows.clone().filter_map(|at| view.rows.get(at)) {
                let keys = content.key().partition.iter();
                let values: Vec<Value> = keys
                    .map(|key| row.item.get(&key.name).expect("a key").to_value())
                    .collect();
                assert_eq!(values, view.partition(group));
            }
        }
        self
    }

    /// Checks all problems of all items, one per line: `x` before those that prevent storage.
    fn check_problems(&self, expected: &[&str]) -> &Self {
        let items: Vec<Item> = materialize_all(&self.0)
            .values()
            .flat_map(|list| list.iter().collect::<Vec<_>>())
            .collect();
        let problems: Vec<String> = (items.iter().flat_map(|item| item.problems()))
            .map(|problem| {
                let mark = if problem.stops() { "x " } else { "" };
                format!(
                    "{mark}{}",
                    problem.describe(self.0.index_name(problem.index))
                )
            })
            .collect();
        assert_eq!(problems, expected);
        for item in items {
            assert_eq!(
                item.is_stored(),
                !item.problems().iter().any(|problem| problem.stops())
            );
        }
        self
    }
}

fn index_id(design: &Design, name: &str) -> IndexId {
    match name {
        "Table" => IndexId::PRIMARY,
        name => design
            .index_named(name)
            .unwrap_or_else(|| panic!("no index {name}")),
    }
}

fn key(partition: &[(&str, KeyType)], sort: &[(&str, KeyType)]) -> KeySchema {
    let attribute = |(name, kind): &(&str, KeyType)| KeyAttribute {
        name: (*name).into(),
        kind: *kind,
    };
    KeySchema {
        partition: partition.iter().map(attribute).collect(),
        sort: sort.iter().map(attribute).collect(),
    }
}

#[test]
fn strings_sort_by_utf8_bytes() {
    let mut build = Build::new().entity("E", &[("Table", "P", "{s}")]);
    for text in [
        "a", "B", "é", "z", "🦀", "\u{ffff}", "a#", "aa", "10", "9", "~",
    ] {
        build = build.sample(&format!(r#"{{"s": "{text}"}}"#));
    }
    let expected = [
        "10", "9", "B", "a", "a#", "aa", "z", "~", "é", "\u{ffff}", "🦀",
    ];
    build.check_rows("Table", &["SK"], &expected);
}

#[test]
fn numbers_sort_by_value_and_binary_by_unsigned_bytes() {
    let mut build = Build::new()
        .table(|table| table.key = key(&[("PK", KeyType::S)], &[("SK", KeyType::N)]))
        .index(
            "Bytes",
            IndexKind::Gsi,
            key(&[("PK", KeyType::S)], &[("b", KeyType::B)]),
            Projection::All,
        )
        .entity("E", &[("Table", "P", "{n}")]);
    for (number, bytes) in [
        ("10", "/w=="),
        ("9", "AA=="),
        ("-1", "fw=="),
        ("-10", "gA=="),
        ("0.5", "AAA="),
        ("1e20", "AQ=="),
    ] {
        build = build.sample(&format!(
            r#"{{"n": {{"N": "{number}"}}, "b": {{"B": "{bytes}"}}}}"#
        ));
    }
    build
        .check_problems(&[])
        .check_rows(
            "Table",
            &["SK"],
            &["-10", "-1", "0.5", "9", "10", "100000000000000000000"],
        )
        .check_rows(
            "Bytes",
            &["b"],
            &["AA==", "AAA=", "AQ==", "fw==", "gA==", "/w=="],
        );
}

#[test]
fn index_rows_sort_by_index_key_then_table_key() {
    Build::new()
        .gsi("GSI1", "g", "h")
        .entity("B", &[("Table", "{p}", "{s}")])
        .sample(r#"{"p": "2", "s": "1", "g": "G", "h": "1"}"#)
        .sample(r#"{"p": "1", "s": "2", "g": "G", "h": "1"}"#)
        .entity("A", &[("Table", "{p}", "{s}")])
        .sample(r#"{"p": "1", "s": "1", "g": "G", "h": "1"}"#)
        .sample(r#"{"p": "9", "s": "1", "g": "G", "h": "0"}"#)
        .sample(r#"{"p": "0", "s": "0", "g": "H", "h": "0"}"#)
        .check_rows(
            "GSI1",
            &["g", "h", "PK", "SK"],
            &[
                "G | 0 | 9 | 1",
                "G | 1 | 1 | 1",
                "G | 1 | 1 | 2",
                "G | 1 | 2 | 1",
                "H | 0 | 0 | 0",
            ],
        );
}

#[test]
fn an_incomplete_primary_key_prevents_storage() {
    Build::new()
        .entity("Full", &[("Table", "P#{p}", "S#{s}")])
        .sample(r#"{"p": "1", "s": "1"}"#)
        .sample(r#"{"s": "1"}"#)
        .sample(r#"{"p": "", "s": "1"}"#)
        .sample(r#"{"p": {"L": []}, "s": "1#2"}"#)
        .entity("NoSort", &[("Table", "P#{p}", "-")])
        .sample(r#"{"p": "1"}"#)
        .sample(r#"{"p": "1", "SK": "plain"}"#)
        .sample(r#"{"p": "1", "SK": 7}"#)
        .sample(r#"{"p": "1", "SK": ""}"#)
        .entity("Broken", &[("Table", "P#{p", "{s:nope}")])
        .sample(r#"{"p": "1", "s": "1"}"#)
        .entity("NoKeys", &[])
        .sample(r#"{"PK": "a", "SK": "b"}"#)
        .sample("{}")
        .check_rows("Table", &["PK", "SK"], &["P#1 | S#1", "P#1 | plain", "a | b"])
        .check_problems(&[
            "x Table partition key `PK`: template `P#{p}`: `p` has no value",
            "x Table partition key `PK`: template `P#{p}`: `p` is empty",
            "x Table partition key `PK`: template `P#{p}`: `p` is of type L, which cannot be part of a key: use a string, number or boolean",
            "x Table sort key `SK`: template `S#{s}`: `s` is `1#2`, which contains the delimiter `#`: the design rejects such values",
            "x Table sort key `SK`: every item needs it: add a template to the entity, or a value to the sample",
            "x Table sort key `SK`: the key is of type S, but the value is of type N",
            "x Table sort key `SK`: a key attribute must not be empty",
            "x Table partition key `PK`: template `P#{p`: this placeholder is not closed: add }, or write {{ for a brace in the key",
            "x Table sort key `SK`: template `{s:nope}`: there is no modifier `nope`: use one of lower, upper, date, month, year, pad(n), pad(n,d), desc(n), first(n), shard(n)",
            "x Table partition key `PK`: every item needs it: add a template to the entity, or a value to the sample",
            "x Table sort key `SK`: every item needs it: add a template to the entity, or a value to the sample",
        ]);
}

#[test]
fn a_long_template_is_truncated_in_a_problem() {
    let long = format!("P#{}{{p}}", "ä".repeat(100));
    let shown = format!("P#{}…", "ä".repeat(58));
    Build::new()
        .entity("E", &[("Table", &long, "S")])
        .sample("{}")
        .check_problems(&[&format!(
            "x Table partition key `PK`: template `{shown}`: `p` has no value"
        )]);
}

#[test]
fn a_missing_index_value_leaves_the_item_out_of_the_index() {
    Build::new()
        .gsi("GSI1", "g", "h")
        .entity("E", &[("Table", "P", "{s}"), ("GSI1", "G#{a}", "{b}")])
        .sample(r#"{"s": "1", "a": "x", "b": "y"}"#)
        .sample(r#"{"s": "2", "a": "x"}"#)
        .sample(r#"{"s": "3", "b": "y"}"#)
        .sample(r#"{"s": "4", "a": "", "b": "y"}"#)
        .sample(r#"{"s": "5", "a": null, "b": "y"}"#)
        .check_problems(&[])
        .check_rows("GSI1", &["SK"], &["1"])
        .check_rows(
            "Table",
            &["SK", "g", "h"],
            &[
                "1 | G#x | y",
                "2 | - | -",
                "3 | - | -",
                "4 | - | -",
                "5 | - | -",
            ],
        );
}

#[test]
fn an_item_with_a_failing_index_template_is_stored() {
    Build::new()
        .gsi("GSI1", "g", "h")
        .entity("E", &[("Table", "P", "{s}"), ("GSI1", "G#{a}", "{d:date}")])
        .sample(r#"{"s": "1", "a": "x", "d": "2026-01-02T03:04:05Z"}"#)
        .sample(r#"{"s": "2", "a": "x#y", "d": "2026-01-02"}"#)
        .sample(r#"{"s": "3", "a": "x", "d": "yesterday"}"#)
        .entity("Broken", &[("Table", "P", "{s}"), ("GSI1", "G", "{d:}")])
        .sample(r#"{"s": "4", "d": "2026-01-02"}"#)
        .check_rows("GSI1", &["SK", "h"], &["1 | 2026-01-02"])
        .check_rows("Table", &["SK", "g"], &["1 | G#x", "2 | -", "3 | -", "4 | -"])
        .check_problems(&[
            "GSI1 partition key `g`: template `G#{a}`: `a` is `x#y`, which contains the delimiter `#`: the design rejects such values",
            "GSI1 sort key `h`: template `{d:date}`: `d` cannot be used with date: `yesterday` is not an ISO 8601 date or timestamp such as 2026-03-01 or 2026-03-01T09:30:00Z",
            "GSI1 sort key `h`: template `{d:}`: a modifier is missing here: use one of lower, upper, date, month, year, pad(n), pad(n,d), desc(n), first(n), shard(n)",
        ]);
}

#[test]
fn items_follow_the_designs_delimiter_policy() {
    let entity = |build: Build| {
        build
            .entity("E", &[("Table", "P::{a}", "{s}")])
            .sample(r#"{"a": "x::y#z", "s": "one::placeholder"}"#)
    };
    entity(Build::new().policy("::", OnDelimiter::PercentEncode)).check_rows(
        "Table",
        &["PK", "SK"],
        &["P::x%3A%3Ay#z | one::placeholder"],
    );
    entity(Build::new().policy("", OnDelimiter::Reject)).check_rows(
        "Table",
        &["PK"],
        &["P::x::y#z"],
    );
    entity(Build::new().policy("::", OnDelimiter::Reject))
        .check_rows("Table", &["PK"], &[])
        .check_problems(&[
            "x Table partition key `PK`: template `P::{a}`: `a` is `x::y#z`, which contains the delimiter `::`: the design rejects such values",
        ]);
}

#[test]
fn conditions_make_an_index_sparse() {
    let pending = || Test::Equals(Value::from("PENDING"));
    let build = Build::new()
        .gsi("GSI1", "g", "h")
        .entity("E", &[("Table", "P", "{s}"), ("GSI1", "{status}", "{s}")])
        .when("GSI1", "status", pending())
        .when("GSI1", "hidden", Test::Missing)
        .sample(r#"{"s": "1", "status": "PENDING"}"#)
        .sample(r#"{"s": "2", "status": "DONE"}"#)
        .sample(r#"{"s": "3"}"#)
        .sample(r#"{"s": "4", "status": "PENDING", "hidden": true}"#)
        // A condition that does not hold also hides an error.
        .sample(r#"{"s": "5", "status": "A#B"}"#);
    build
        .check_problems(&[])
        .check_rows("GSI1", &["SK"], &["1"]);
    let view = build.view("GSI1");
    assert_eq!((view.in_index(), view.total), (1, 5));

    let tests = [
        (Test::NotEquals(Value::from("x")), vec!["2"]),
        (
            Test::OneOf(vec![Value::from("x"), Value::Bool(true)]),
            vec!["1"],
        ),
        (Test::Exists, vec!["1", "2"]),
        (Test::Missing, vec!["3"]),
        (Test::Equals(Value::Bool(true)), vec![]),
    ];
    for (test, expected) in tests {
        Build::new()
            .gsi("GSI1", "g", "h")
            .entity("E", &[("Table", "P", "{s}"), ("GSI1", "G", "{s}")])
            .when("GSI1", "a", test)
            .sample(r#"{"s": "1", "a": "x"}"#)
            .sample(r#"{"s": "2", "a": "y"}"#)
            .sample(r#"{"s": "3"}"#)
            .check_rows("GSI1", &["SK"], &expected);
    }
}

#[test]
fn an_inverted_index_needs_no_templates() {
    Build::new()
        .gsi("Inverted", "SK", "PK")
        .entity("Member", &[("Table", "USER#{u}", "GROUP#{g}")])
        .sample(r#"{"u": "1", "g": "b"}"#)
        .sample(r#"{"u": "2", "g": "a"}"#)
        .sample(r#"{"u": "1", "g": "a"}"#)
        .check_rows(
            "Table",
            &["PK", "SK"],
            &["USER#1 | GROUP#a", "USER#1 | GROUP#b", "USER#2 | GROUP#a"],
        )
        .check_rows(
            "Inverted",
            &["SK", "PK"],
            &["GROUP#a | USER#1", "GROUP#a | USER#2", "GROUP#b | USER#1"],
        );
}

#[test]
fn an_lsi_shares_the_partition_key() {
    let lsi = |name: &str, sort| key(&[("PK", KeyType::S)], &[(name, sort)]);
    Build::new()
        .index(
            "ByDate",
            IndexKind::Lsi,
            lsi("l", KeyType::S),
            Projection::All,
        )
        .index(
            "ByAmount",
            IndexKind::Lsi,
            lsi("amount", KeyType::N),
            Projection::KeysOnly,
        )
        .entity("E", &[("Table", "P", "{s}"), ("ByDate", "-", "{d:date}")])
        .sample(r#"{"s": "1", "d": "2026-02-01", "amount": 5}"#)
        .sample(r#"{"s": "2", "d": "2026-01-01", "amount": -5}"#)
        .sample(r#"{"s": "3"}"#)
        .check_problems(&[])
        .check_rows(
            "ByDate",
            &["PK", "l", "SK"],
            &["P | 2026-01-01 | 2", "P | 2026-02-01 | 1"],
        )
        .check_rows("ByAmount", &["amount", "SK"], &["-5 | 2", "5 | 1"]);
}

#[test]
fn a_multi_attribute_key_uses_plain_attributes() {
    use KeyType::{N, S};
    let several = key(
        &[("tournament", S), ("region", S)],
        &[("round", S), ("match", N)],
    );
    Build::new()
        .index("GSI1", IndexKind::Gsi, several, Projection::KeysOnly)
        .entity(
            "Match",
            &[("Table", "MATCH#{id}", "META"), ("GSI1", "-", "-")],
        )
        .sample(r#"{"id": "1", "tournament": "T", "region": "EU", "round": "SEMI", "match": 10}"#)
        .sample(r#"{"id": "2", "tournament": "T", "region": "EU", "round": "SEMI", "match": 9}"#)
        .sample(r#"{"id": "3", "tournament": "T", "region": "EU", "round": "FINAL", "match": 11}"#)
        .sample(r#"{"id": "4", "tournament": "T", "region": "AS", "round": "SEMI", "match": 1}"#)
        .sample(r#"{"id": "5", "tournament": "T", "region": "EU", "round": "SEMI"}"#)
        .sample(r#"{"id": "6", "tournament": "T", "region": "EU", "round": "SEMI", "match": "12"}"#)
        .check_rows(
            "GSI1",
            &["tournament", "region", "round", "match", "PK"],
            &[
                "T | AS | SEMI | 1 | MATCH#4",
                "T | EU | FINAL | 11 | MATCH#3",
                "T | EU | SEMI | 9 | MATCH#2",
                "T | EU | SEMI | 10 | MATCH#1",
            ],
        )
        .check_problems(&[
            "x GSI1 sort key `match`: the key is of type N, but the value is of type S",
        ]);
}

#[test]
fn plain_attributes_can_supply_index_keys() {
    // Bare has no entry for GSI1, but its items have plain attributes with the names of its keys.
    Build::new()
        .gsi("GSI1", "email", "type")
        .table(|table| table.type_attribute = Some("type".into()))
        .entity("Bare", &[("Table", "P", "{s}")])
        .sample(r#"{"s": "1", "email": "b@x"}"#)
        .sample(r#"{"s": "2"}"#)
        .entity("Own", &[("Table", "P", "{s}"), ("GSI1", "{email:lower}", "-")])
        .sample(r#"{"s": "3", "email": "A@X", "type": "mine"}"#)
        .check_rows("GSI1", &["email", "type", "SK"], &["a@x | Own | 3", "b@x | Bare | 1"])
        .check_problems(&[
            "`type`: the table's type attribute is `Own` and replaces the sample's `mine`",
            "GSI1 partition key `email`: template `{email:lower}`: it renders `a@x`, which replaces the sample's `A@X`",
        ]);
}

#[test]
fn two_entries_that_write_one_attribute_must_agree() {
    Build::new()
        .gsi("GSI1", "g", "h")
        .gsi("GSI2", "g", "k")
        .entity("E", &[("Table", "P", "{s}"), ("GSI1", "A#{s}", "1"), ("GSI2", "{x}#{s}", "2")])
        .sample(r#"{"s": "1", "x": "A"}"#)
        .sample(r#"{"s": "2", "x": "B"}"#)
        .check_rows("Table", &["SK", "g"], &["1 | A#1", "2 | A#2"])
        .check_problems(&[
            "GSI2 partition key `g`: template `{x}#{s}`: it renders `B#2`, but another key sets `g` to `A#2`",
        ]);
}

#[test]
fn the_type_attribute_can_be_a_key() {
    Build::new()
        .table(|table| table.type_attribute = Some("type".into()))
        .gsi("ByType", "type", "SK")
        .entity("User", &[("Table", "{type}#{id}", "S#{id}")])
        .sample(r#"{"id": "1"}"#)
        .entity("Order", &[("Table", "P", "{id}")])
        .sample(r#"{"id": "7"}"#)
        .check_problems(&[])
        .check_rows(
            "ByType",
            &["type", "SK", "PK"],
            &["Order | 7 | P", "User | S#1 | User#1"],
        );
}

#[test]
fn key_lengths_count_utf8_bytes() {
    let sample = |name: &str, bytes: usize| {
        assert_eq!(bytes % 2, 0);
        format!(
            r#"{{"p": "p", "s": "s", "{name}": "{}"}}"#,
            "é".repeat(bytes / 2)
        )
    };
    Build::new()
        .gsi("GSI1", "g", "h")
        .gsi("Inverted", "SK", "PK")
        .entity("E", &[("Table", "{p}", "{s}"), ("GSI1", "{g}", "{h}")])
        .sample(&sample("s", 1024))
        .sample(&sample("s", 1026))
        .sample(&sample("p", 1026))
        .sample(&sample("p", 2050))
        .sample(&sample("g", 2050))
        .check_problems(&[
            "x Table sort key `SK`: template `{s}`: the value has 1026 bytes; DynamoDB allows at most 1024 in a sort key",
            "x Inverted sort key `PK`: the value has 1026 bytes; DynamoDB allows at most 1024 in a sort key",
            "x Table partition key `PK`: template `{p}`: the value has 2050 bytes; DynamoDB allows at most 2048 in a partition key",
            "x Inverted sort key `PK`: the value has 2050 bytes; DynamoDB allows at most 1024 in a sort key",
            "x GSI1 partition key `g`: the value has 2050 bytes; DynamoDB allows at most 2048 in a partition key",
        ]);
}

#[test]
fn an_item_with_its_lsi_entries_has_at_most_400_kb() {
    let lsi = key(&[("PK", KeyType::S)], &[("l", KeyType::S)]);
    let big = |bytes: usize, rest: &str| format!(r#"{{"a": "{}"{rest}}}"#, "x".repeat(bytes));
    // PK, SK, their values P and S, and the name `a`: 7 bytes.
    let limit = 400 * 1024 - 7;
    let build = Build::new()
        .entity("E", &[("Table", "P", "S")])
        .sample(&big(limit, ""))
        .sample(&big(limit + 1, ""));
    build.check_problems(&["x the item has 409601 bytes; DynamoDB allows at most 409600 in total"]);
    let items = materialize_all(&build.0)[&EntityId(1)].clone();
    let item = items.iter().next().expect("one");
    assert_eq!(item.size(), 400 * 1024);

    Build::new()
        .index("LSI1", IndexKind::Lsi, lsi, Projection::All)
        .entity("E", &[("Table", "P", "S")])
        .sample(&big(300_000, ""))
        .sample(&big(300_000, r#", "l": "1""#))
        .check_problems(&[
            "x the item has 300009 bytes and 300009 in its LSIs; DynamoDB allows at most 409600 in total",
        ]);
}

#[test]
fn equal_primary_keys_collide() {
    Build::new()
        .gsi("GSI1", "g", "SK")
        .entity("A", &[("Table", "P", "{s}")])
        .sample(r#"{"s": "1", "g": "x"}"#)
        .sample(r#"{"s": "2", "g": "x"}"#)
        .entity("B", &[("Table", "P", "{s}")])
        .sample(r#"{"s": "1", "g": "x"}"#)
        .sample(r#"{"s": "0", "g": "x"}"#)
        .sample(r#"{"s": "1", "g": "y"}"#)
        .check_rows(
            "Table",
            &["SK", "g"],
            &["0 | x", "!1 | x", "!1 | x", "!1 | y", "2 | x"],
        )
        .check_rows(
            "GSI1",
            &["g", "SK"],
            &["x | 0", "x | 1", "x | 1", "x | 2", "y | 1"],
        );

    Build::new()
        .table(|table| table.key = key(&[("PK", KeyType::S)], &[]))
        .entity("A", &[("Table", "{s}", "-")])
        .sample(r#"{"s": "1"}"#)
        .sample(r#"{"s": "2"}"#)
        .sample(r#"{"s": "1"}"#)
        .check_rows("Table", &["PK"], &["!1", "!1", "2"]);
}

fn check_columns(view: &View, expected: &[&str]) {
    let columns: Vec<String> = view
        .columns
        .iter()
        .map(|c| format!("{} {:?}", c.name, c.role))
        .collect();
    assert_eq!(columns, expected);
}

#[test]
fn columns_start_with_keys_and_show_only_projected_attributes() {
    let include = Projection::Include(vec!["y".into(), "h".into()]);
    let build = Build::new()
        .table(|table| table.type_attribute = Some("type".into()))
        .gsi("GSI1", "g", "h")
        .index(
            "Keys",
            IndexKind::Gsi,
            KeySchema::pair("h", "g"),
            Projection::KeysOnly,
        )
        .index(
            "Some",
            IndexKind::Gsi,
            key(&[("z", KeyType::S)], &[]),
            include,
        )
        .entity("A", &[("Table", "P", "{b}"), ("GSI1", "{b}", "{b}")])
        .attributes(&["b", "a"])
        .sample(r#"{"b": "1", "undeclared": true}"#)
        .entity("Z", &[("Table", "P", "{z}")])
        .attributes(&["z", "a", "y"])
        .sample(r#"{"z": "2", "y": "3"}"#)
        .entity("NoItems", &[("Table", "P", "{q}")])
        .attributes(&["q"]);
    let table = build.view("Table");
    check_columns(
        &table,
        &[
            "PK Partition",
            "SK Sort",
            "type Type",
            "g OtherKey",
            "h OtherKey",
            "z OtherKey",
            "b Attribute",
            "a Attribute",
            "y Attribute",
            "undeclared Attribute",
        ],
    );
    let first = table.rows.get(0).expect("there");
    let cell = |column: usize| first.item.get(&table.columns[column].name);
    assert_eq!(cell(1).map(ValueRef::to_value), Some(Value::from("1")));
    assert_eq!((cell(5), table.rows.get(9)), (None, None));
    check_columns(
        &build.view("GSI1"),
        &[
            "g Partition",
            "h Sort",
            "PK TableKey",
            "SK TableKey",
            "type Type",
            "b Attribute",
            "a Attribute",
            "undeclared Attribute",
        ],
    );
    let keys = &["h Partition", "g Sort", "PK TableKey", "SK TableKey"];
    check_columns(&build.view("Keys"), keys);
    let some = build.view("Some");
    check_columns(
        &some,
        &["z Partition", "PK TableKey", "SK TableKey", "y Attribute"],
    );

    let content = some.content.as_ref().expect("the index is there");
    let first = some.rows.get(0).expect("there");
    let shown: Vec<&str> = content
        .attributes(&first.item)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(shown, ["z", "PK", "SK", "y"]);
    // z2 + PKP + SK2 + y3
    assert_eq!(content.size(&first.item), 10);
}

#[test]
fn refused_items_are_listed_separately() {
    let build = Build::new()
        .gsi("GSI1", "g", "h")
        .entity("A", &[("Table", "{p}", "1"), ("GSI1", "G", "H")])
        .sample("{}")
        .sample(r#"{"p": "1"}"#);
    for index in ["Table", "GSI1"] {
        let view = build.view(index);
        assert_eq!((view.in_index(), view.failed.len(), view.total), (1, 1, 2));
        assert_eq!(view.failed[0].problems()[0].kind, ProblemKind::Missing);
    }
}

#[test]
fn an_item_combines_sample_and_written_attributes() {
    let build = Build::new()
        .table(|table| table.type_attribute = Some("m".into()))
        .entity("E", &[("Table", "P", "{s}")])
        .sample(r#"{"a": 1, "s": "x", "z": {"SS": ["1"]}, "SK": "other", "m": "E"}"#);
    let items = materialize_all(&build.0)[&EntityId(1)].clone();
    let item = items.iter().next().expect("one");
    let attributes: Vec<String> = item
        .to_map()
        .iter()
        .map(|(name, value)| format!("{name}={}", value.to_text()))
        .collect();
    assert_eq!(
        attributes,
        ["PK=P", "SK=x", "a=1", "m=E", "s=x", r#"z=["1"]"#]
    );
    for (name, _) in item.attributes() {
        assert_eq!(
            item.is_written(name),
            ["PK", "SK", "m"].contains(&name),
            "{name}"
        );
    }
    assert_eq!(item.get("nothing"), None);
}

#[test]
fn an_empty_design_has_an_empty_view() {
    let design = Design::new("Empty");
    let empty = view(&design, IndexId::PRIMARY, &[]);
    assert_eq!(
        (empty.in_index(), empty.total, empty.groups.len()),
        (0, 0, 0)
    );
    assert_eq!(empty.columns.len(), 3, "PK, SK, type");
    let unknown = view(&design, IndexId(9), &[]);
    assert!(unknown.content.is_none() && unknown.columns.is_empty());
    assert_eq!(IndexContent::new(&design, IndexId(9)), None);
    assert!(EntityPlan::new(&design, EntityId(9)).errors().is_empty());
}

#[test]
fn a_plan_reports_template_errors() {
    let build = Build::new()
        .gsi("GSI1", "g", "h")
        .entity("E", &[("Table", "{a", "ok"), ("GSI1", "ok", "{}{b:wat}")]);
    let plan = EntityPlan::new(&build.0, *build.0.entities.keys().next().expect("one"));
    let errors: Vec<String> = (plan.errors().iter())
        .map(|error| format!("{} {:?} {:?}", error.index, error.part, error.error.span))
        .collect();
    assert_eq!(
        errors,
        ["primary Partition 0..2", "i1 Sort 0..2", "i1 Sort 5..8"]
    );
}

proptest! {
    #![proptest_config(cases(256))]

    /// The order is that of the keys' bytes, whatever prefixes the keys share and wherever they end.
    #[test]
    fn rows_sort_by_whole_keys(
        common in "[a\u{0}#]{0,3}",
        keys in prop::collection::vec(("[a\u{0}é]{1,3}", "[ab\u{0}]{0,20}", "[a\u{0}]{0,2}"), 0..30),
    ) {
        let mut build = Build::new().gsi("GSI1", "SK", "PK").entity("E", &[("Table", "{p}", "{s}")]);
        let entity = *build.0.entities.keys().last().expect("one");
        let samples = keys.iter().zip(10..).map(|((p, s, end), id)| {
            let values = [("p", format!("{common}{p}")), ("s", format!("x{common}{s}{end}"))];
            let values = values.map(|(name, text)| (name.to_owned(), Value::S(text)));
            Arc::new(Sample { id: SampleId(id), values: values.into() })
        });
        let samples: Vec<_> = samples.collect();
        build.0.delimiter = Arc::new(DelimiterPolicy { delimiter: String::new(), on_conflict: OnDelimiter::Reject });
        build.0.samples.insert(entity, Arc::new(samples));
        for (index, first, second) in [("Table", "PK", "SK"), ("GSI1", "SK", "PK")] {
            let view = build.view(index);
            prop_assert_eq!(view.rows.len(), keys.len());
            let value = |row: &Row, name| row.item.get(name).map(ValueRef::to_value);
            let rows: Vec<_> = view.rows.iter().map(|row| (value(&row, first), value(&row, second), row.item.id())).collect();
            let mut expected = rows.clone();
            expected.sort();
            prop_assert_eq!(&rows, &expected);
            let mut partitions: Vec<_> = rows.iter().map(|row| row.0.clone()).collect();
            partitions.dedup();
            let groups: Vec<_> = view.groups.iter().map(|group| view.partition(group).into_iter().next()).collect();
            prop_assert_eq!(groups, partitions);
        }
    }
}

/// Measures the work behind one edit with 100,000 items; run with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed_with_100_000_items() {
    let mut build = Build::new()
        .table(|table| table.type_attribute = Some("type".into()))
        .gsi("GSI1", "GSI1PK", "GSI1SK")
        .entity(
            "Order",
            &[
                ("Table", "TENANT#{tenantId}", "ORDER#{createdAt}#{orderId}"),
                ("GSI1", "CUSTOMER#{customerId}", "ORDER#{createdAt}"),
            ],
        )
        .attributes(&[
            "tenantId",
            "orderId",
            "customerId",
            "createdAt",
            "status",
            "amount",
        ]);
    let entity = *build.0.entities.keys().last().expect("one");
    let mut state = 1u64;
    let mut random = |most: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % most
    };
    let samples = (0..100_000)
        .map(|i| {
            let values = [
                ("tenantId", Value::S(format!("t_{:04}", random(500)))),
                ("orderId", Value::S(format!("o_{i:08}"))),
                ("customerId", Value::S(format!("c_{:06}", random(20_000)))),
                (
                    "createdAt",
                    Value::S(format!("2026-{:02}-{:02}", 1 + random(12), 1 + random(28))),
                ),
                ("status", Value::from("PENDING")),
                ("amount", Value::from(random(100_000) as i64)),
            ];
            let values: SortedMap<_, _> =
                values.map(|(name, value)| (name.to_owned(), value)).into();
            Arc::new(Sample {
                id: SampleId(1000 + i),
                values: values.into(),
            })
        })
        .collect();
    build.0.samples.insert(entity, Arc::new(samples));
    for _ in 0..3 {
        let start = std::time::Instant::now();
        let plan = EntityPlan::new(&build.0, entity);
        let items = Arc::new(materialize(&plan, build.0.samples_of(entity)));
        let materialized = start.elapsed();
        let table = view(&build.0, IndexId::PRIMARY, std::slice::from_ref(&items));
        let viewed = start.elapsed();
        let index = view(&build.0, IndexId(1), &[items]);
        println!(
            "materialize {materialized:?}, table {:?} ({} groups), GSI1 {:?} ({} groups)",
            viewed - materialized,
            table.groups.len(),
            start.elapsed() - viewed,
            index.groups.len()
        );
        assert_eq!(
            AttributeType::S,
            table.partition(&table.groups[0])[0].kind()
        );
    }
}

#[test]
fn a_value_of_another_type_is_reported_and_stored() {
    let mut design = keyfold_core::library::find("saas-multi-tenant")
        .and_then(|pattern| pattern.design().ok())
        .expect("the library can be read");
    let user = design.entity_named("User").expect("there");
    let before = materialize_all(&design)[&user].clone();
    assert!(before.iter().all(|item| item.problems().is_empty()));

    let entity = Arc::make_mut(design.entities.get_mut(&user).expect("there"));
    for attribute in &mut entity.attributes {
        if attribute.name == "name" {
            attribute.kind = AttributeType::N;
        }
    }
    for item in materialize_all(&design)[&user].iter() {
        assert!(item.is_stored());
        let said: Vec<String> = item
            .problems()
            .iter()
            .map(|p| p.describe("Table"))
            .collect();
        assert_eq!(
            said,
            ["`name`: the attribute is of type N, but this value is of type S"]
        );
    }
}

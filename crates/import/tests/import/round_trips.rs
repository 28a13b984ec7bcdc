//! What Keyfold exports, an import reads back: the table, its indexes and its items.

use super::{import, left_out};
use keyfold_core::engine::materialize_all;
use keyfold_core::export::{Format, samples};
use keyfold_core::library;
use keyfold_core::model::{
    Billing, Design, Index, IndexKind, MaxRequestUnits, MultiRegionConsistency, Projection,
    SortedMap, Table, Value,
};
use keyfold_core::persist::to_json;
use keyfold_core::text::print;
use keyfold_import::{Import, combine, design, read};
use keyfold_test_support::designs::full_design;
use keyfold_test_support::key_designs::{key_only, natural_keys};
use keyfold_test_support::texts;

fn designs() -> Vec<(String, Design)> {
    let mut all: Vec<(String, Design)> = (library::patterns().iter())
        .map(|pattern| (pattern.name.to_owned(), pattern.design().expect("a design")))
        .collect();
    all.push(("everything".to_owned(), full_design()));
    all.push(("replicas".to_owned(), provisioned_with_replicas()));
    all.push(("key-only".to_owned(), key_only()));
    all.push(("natural-keys".to_owned(), natural_keys()));
    all
}

/// A table with replicas whose writes do not scale, and one index whose writes do.
fn provisioned_with_replicas() -> Design {
    texts::read(
        "design Replicas

table replicas (PK, SK)
  stream new-and-old-images
  provisioned read 5, write 7
  replica eu-west-1
  replica eu-west-2

gsi GSI1 (GSI1PK, GSI1SK)
gsi GSI2 (GSI2PK, GSI2SK)
  provisioned read 5, write 9 autoscaling 9 to 90 at 60%
",
    )
}

/// The table and its indexes as far as a definition of a table contains them.
fn defined(table: &Table, indexes: &[Index]) -> (Table, Vec<Index>) {
    let mut table = table.clone();
    table.type_attribute = None;
    if table.replicas.is_empty() {
        table.multi_region_consistency = MultiRegionConsistency::Eventual;
    }
    table.resource_policy = (table.resource_policy.as_deref())
        .map(|text| serde_json::from_str::<serde_json::Value>(text).expect("JSON"))
        .map(|policy| policy.to_string());
    let mut indexes = indexes.to_vec();
    for index in &mut indexes {
        index.description.clear();
        if matches!(table.billing, Billing::OnDemand(_)) {
            index.provisioned = None;
            index.max_request_units =
                (index.max_request_units).filter(|most| *most != MaxRequestUnits::default());
        } else {
            index.max_request_units = None;
        }
        if let Billing::Provisioned(units) = &table.billing
            && index.provisioned.as_ref() == Some(units)
        {
            index.provisioned = None;
        }
        if let Projection::Include(names) = &mut index.projection {
            let keys = table.key.attributes().chain(index.key.attributes());
            let keys: Vec<&String> = keys.map(|key| &key.name).collect();
            names.retain(|name| !keys.contains(&name));
        }
    }
    indexes.sort_by_key(|index| index.kind);
    (table, indexes)
}

fn of_design(design: &Design) -> (Table, Vec<Index>) {
    let indexes: Vec<Index> = design
        .indexes
        .values()
        .map(|index| (**index).clone())
        .collect();
    defined(&design.table, &indexes)
}

/// The design that the only table of an import gives.
fn made(name: &str, import: &Import) -> Design {
    let [table] = import.tables.as_slice() else {
        panic!("{name}: {import:#?}");
    };
    design(table)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .design
}

/// Imports all files of an export.
fn files(format: &str, design: &Design) -> Import {
    let files = Format::named(format).expect("a format").files(design);
    let read_file = |file: &keyfold_core::export::File| {
        let import = read(&file.name, file.code.text.as_bytes(), None);
        let import = import.unwrap_or_else(|error| panic!("{}: {error}", file.name));
        (file.name.clone(), import)
    };
    let all = files.iter().filter(|file| !file.name.ends_with(".sh"));
    combine(all.map(read_file).collect())
}

fn items(design: &Design) -> Vec<SortedMap<String, Value>> {
    let mut all = Vec::new();
    for items in materialize_all(design).values() {
        for item in items.iter().filter(|item| item.is_stored()) {
            let attributes = item.attributes().into_iter();
            all.push(SortedMap::from_iter(attributes.map(|(name, value)| {
                (name.to_owned(), value.value().into_owned())
            })));
        }
    }
    all.sort();
    all
}

fn found_items(import: &Import) -> Vec<SortedMap<String, Value>> {
    let tables = import.tables.iter().flat_map(|table| &table.items);
    let mut all: Vec<_> = tables.map(|item| item.values.clone()).collect();
    all.sort();
    all
}

#[test]
fn a_design_comes_back_from_its_own_file() {
    for (name, design) in designs() {
        let import = import(&name, &to_json(&design));
        assert_eq!(import.designs, [design], "{name}");
        assert_eq!(left_out(&import), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn templates_come_back() {
    for (name, design) in designs() {
        for format in ["cloudformation", "cloudformation-json"] {
            let import = files(format, &design);
            assert_eq!(left_out(&import), Vec::<String>::new(), "{name} {format}");
            let mut expected = of_design(&design);
            let back = made(&name, &import);
            if !design.table.replicas.is_empty() {
                // A global table has a stream, and the keys of replicas.
                expected.0.stream = back.table.stream;
                expected.0.replicas.clone_from(&back.table.replicas);
                expected.0.billing = back.table.billing.clone();
            }
            let back = of_design(&back);
            assert_eq!(back.0, expected.0, "{name} {format}");
            assert_eq!(back.1, expected.1, "{name} {format}");
        }
    }
}

#[test]
fn terraform_comes_back() {
    for (name, design) in designs() {
        let import = files("terraform", &design);
        assert_eq!(left_out(&import), Vec::<String>::new(), "{name}");
        assert_eq!(
            of_design(&made(&name, &import)),
            of_design(&design),
            "{name}"
        );
    }
}

#[test]
fn workbench_models_come_back() {
    for (name, design) in designs() {
        let import = files("workbench", &design);
        assert_eq!(left_out(&import), Vec::<String>::new(), "{name}");
        let back = made(&name, &import);
        assert_eq!(back.name, design.name);
        assert_eq!(back.table.key, design.table.key, "{name}");
        let of = |design: &Design| {
            let supported = design
                .indexes
                .values()
                .filter(|i| !i.key.is_multi_attribute());
            let keys =
                supported.map(|i| (i.name.clone(), i.kind, i.key.clone(), i.projection.clone()));
            let mut keys: Vec<_> = keys.collect();
            keys.sort_by_key(|(_, kind, ..)| *kind);
            keys
        };
        if name != "everything" {
            assert_eq!(of(&back), of(&design), "{name}");
        }
        let mut distinct = items(&design);
        distinct.dedup();
        assert_eq!(found_items(&import), distinct, "{name}");
    }
}

#[test]
fn create_table_requests_come_back() {
    for (name, design) in designs() {
        let import = files("create-table", &design);
        assert_eq!(left_out(&import), Vec::<String>::new(), "{name}");
        let (mut table, indexes) = of_design(&made(&name, &import));
        let expected = of_design(&design);
        if !design.table.replicas.is_empty() {
            table.stream = expected.0.stream;
        }
        assert_eq!(table, expected.0, "{name}");
        assert_eq!(indexes, expected.1, "{name}");
    }
}

#[test]
fn items_come_back() {
    for (name, design) in designs() {
        let text = samples::dynamodb_json(&design, None);
        if text.is_empty() {
            continue;
        }
        let import = import("items.json", &text);
        assert_eq!(found_items(&import), items(&design), "{name}");
        let mut stored = items(&design);
        stored.dedup();
        if !stored.is_empty() {
            assert_eq!(
                found_items(&files("batch-write", &design)),
                stored,
                "{name}"
            );
        }
    }
}

#[test]
fn csv_comes_back() {
    for (name, design) in designs() {
        let entities = design.entities.keys().map(|id| Some(*id));
        for entity in entities.chain([None]) {
            let mut part = design.clone();
            if let Some(entity) = entity {
                part.samples.retain(|id, _| *id == entity);
            }
            let expected = items(&part);
            if expected.is_empty() {
                continue;
            }
            let text = samples::csv(&design, entity);
            let import = import("items.csv", &text);
            assert_eq!(found_items(&import), expected, "{name}\n{text}");
            assert_eq!(left_out(&import), Vec::<String>::new(), "{name}");
        }
    }
}

#[test]
fn the_key_of_items_is_guessed() {
    for (name, design) in designs() {
        let text = samples::dynamodb_json(&design, None);
        if text.is_empty() || name == "everything" {
            continue;
        }
        let import = import("items.json", &text);
        let table = &import.tables[0].table;
        let of = |table: &Table| -> Vec<String> {
            table.key.attributes().map(|key| key.name.clone()).collect()
        };
        assert_eq!(of(table), of(&design.table), "{name}");
    }
}

#[test]
fn an_id_and_a_time_are_the_key_of_measurements() {
    let text = r#"[
      { "deviceId": "d1", "ts": 1, "humidity": 30, "temperature": 20 },
      { "deviceId": "d1", "ts": 2, "humidity": 31, "temperature": 21 },
      { "deviceId": "d2", "ts": 3, "humidity": 32, "temperature": 22 }
    ]"#;
    let import = import("items.json", text);
    let key = import.tables[0].table.key.attributes();
    let names: Vec<&str> = key.map(|key| key.name.as_str()).collect();
    assert_eq!(names, ["deviceId", "ts"]);
}

/// The entities with their attributes and templates, as text. The order of keys and the ids do not count.
fn entities(design: &Design, is_with_types: bool) -> Vec<String> {
    let mut all = Vec::new();
    for entity in design.entities.values() {
        let mut text = format!("{}:", entity.name);
        for attribute in &entity.attributes {
            let kind = if is_with_types {
                attribute.kind.word()
            } else {
                ""
            };
            text.push_str(&format!(
                " {}{}{}{}",
                attribute.name,
                kind,
                if attribute.required { "!" } else { "" },
                if attribute.key_only { "(key-only)" } else { "" },
            ));
        }
        for (index, entry) in &entity.keys {
            text.push_str(&format!(
                "\n  {}: {:?} {:?} {:?}",
                design.index_name(*index),
                entry.partition,
                entry.sort,
                entry.when
            ));
        }
        all.push(text);
    }
    all
}

/// The indexes with their keys and projections as text, in the order of their names.
fn indexes(design: &Design) -> Vec<String> {
    let of = |keys: &[keyfold_core::model::KeyAttribute]| {
        let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
        names.join(" + ")
    };
    let all = design.indexes.values().map(|index| {
        let key = [of(&index.key.partition), of(&index.key.sort)].join(" / ");
        format!(
            "{} {:?} ({key}) {:?}",
            index.name, index.kind, index.projection
        )
    });
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

/// The indexes that came back otherwise, or not at all.
fn changed_indexes(name: &str, back: &Design, design: &Design) -> String {
    let (ours, theirs) = (indexes(back), indexes(design));
    let missing = theirs.iter().filter(|index| !ours.contains(index));
    let more = ours.iter().filter(|index| !theirs.contains(index));
    let lines = (missing.map(|index| format!("{name}: - {index}\n")))
        .chain(more.map(|index| format!("{name}: + {index}\n")));
    lines.collect()
}

/// The entities of a design that came back otherwise, or not at all.
fn changed(name: &str, back: &Design, design: &Design) -> String {
    let mut said = String::new();
    let (ours, theirs) = (entities(back, false), entities(design, false));
    for theirs in theirs.iter().filter(|entity| !ours.contains(entity)) {
        let name_of = |text: &str| text.split(':').next().map(str::to_owned);
        let same = ours.iter().find(|ours| name_of(ours) == name_of(theirs));
        let ours = same.map_or("nothing", |ours| ours);
        said.push_str(&format!("{name}\n- {theirs}\n+ {ours}\n"));
    }
    said
}

#[test]
fn onetable_schemas_come_back() {
    let mut said = String::new();
    for (name, design) in designs() {
        let import = files("onetable", &design);
        for line in left_out(&import) {
            said.push_str(&format!("{name}: {line}\n"));
        }
        let back = made(&name, &import);
        assert_eq!(back.table.key, design.table.key, "{name}");
        said.push_str(&changed(&name, &back, &design));
        said.push_str(&changed_indexes(&name, &back, &design));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn electrodb_entities_come_back() {
    let mut said = String::new();
    for (name, design) in designs() {
        let files_of = Format::named("electrodb").expect("a format").files(&design);
        if files_of[0].code.text.contains("supports no entity") {
            continue;
        }
        let import = files("electrodb", &design);
        for line in left_out(&import) {
            said.push_str(&format!("{name}: {line}\n"));
        }
        let back = made(&name, &import);
        assert_eq!(back.table.key, design.table.key, "{name}");
        assert_eq!(back.table.name, design.table.name, "{name}");
        said.push_str(&changed(&name, &back, &design));
        said.push_str(&changed_indexes(&name, &back, &design));
    }
    insta::assert_snapshot!(said);
}

/// The access patterns as text, without what the schema has no place for, each with the letters of its name.
fn patterns(design: &Design) -> Vec<(String, String)> {
    let mut design = design.clone();
    for pattern in design.access_patterns.values_mut() {
        let pattern = std::sync::Arc::make_mut(pattern);
        (pattern.sample, pattern.rate) = (None, None);
        pattern.parameters = SortedMap::default();
        pattern.description.clear();
    }
    let text = print(&design);
    let blocks = text.split("\n\n").filter_map(|block| {
        let (name, rest) = block.strip_prefix("pattern ")?.split_once('\n')?;
        let letters = name
            .to_lowercase()
            .replace(|c: char| !c.is_alphanumeric(), "");
        Some((letters, rest.trim_end().to_owned()))
    });
    blocks.collect()
}

#[test]
fn mcp_schemas_come_back() {
    let mut said = String::new();
    let mut all = designs();
    all.push(("schema".to_owned(), texts::aws_mcp()));
    for (name, design) in all {
        let import = files("aws-mcp", &design);
        for line in left_out(&import) {
            said.push_str(&format!("{name}: {line}\n"));
        }
        let back = made(&name, &import);
        assert_eq!(back.table.name, design.table.name, "{name}");
        let of = |design: &Design| {
            let indexes = design.indexes.values();
            let global = indexes.filter(|index| index.kind == IndexKind::Gsi);
            let parts = global
                .map(|index| format!("{} {:?} {:?}", index.name, index.key, index.projection));
            parts
                .chain([format!("{:?}", design.table.key)])
                .collect::<Vec<_>>()
        };
        for theirs in of(&design) {
            if !of(&back).contains(&theirs) {
                said.push_str(&format!("{name}\n- {theirs}\n"));
            }
        }
        said.push_str(&changed(&name, &back, &design));
        let ours = patterns(&back);
        for (letters, theirs) in patterns(&design) {
            let same = ours.iter().find(|(other, _)| *other == letters);
            let ours = same.map_or("nothing", |(_, ours)| ours);
            if ours != theirs {
                said.push_str(&format!("{name} {letters}\n- {theirs}\n+ {ours}\n"));
            }
        }
    }
    insta::assert_snapshot!(said);
}

//! Joins the content of several files: a definition of a table, its settings, its items.

use crate::form::{FoundTable, Import, LooseItems, Notes};
use crate::same_table::{Origin, Tables};
use crate::terraform::joined::joined;
use crate::{guess, settings};
use keyfold_core::import::items::csv;
use keyfold_core::model::AttributeType;
use keyfold_core::model::design::table_name_for;

/// Joins what was read from files, each with its name. Items without a table go to the only table, or to the only one
/// whose key they have; without any table, the names and values of their attributes suggest the key.
pub fn combine(files: Vec<(String, Import)>) -> Import {
    let are_several = files.len() > 1;
    let mut all = Import::default();
    let mut notes = Notes::default();
    let mut loose: Vec<LooseItems> = Vec::new();
    let mut pending = Vec::new();
    let stem = files.first().map(|(name, _)| file_stem(name));
    let mut tables = Tables::default();
    let files: Vec<(Option<String>, Import)> = (files.into_iter())
        .map(|(name, import)| (Some(name), import))
        .collect();
    for (name, mut import) in joined(files) {
        if let Some(name) = name.filter(|_| are_several) {
            with_file(&name, &mut import);
        }
        let origin = Origin::of(&import.formats);
        if all.name.is_empty() {
            all.name = std::mem::take(&mut import.name);
        }
        for format in import.formats {
            if !all.formats.contains(&format) {
                all.formats.push(format);
            }
        }
        all.designs.extend(import.designs);
        notes.0.extend(import.left_out);
        all.assumed.extend(import.assumed);
        pending.extend(import.settings);
        for table in import.tables {
            tables.add(table, origin, &mut notes);
        }
        for group in import.loose {
            match loose
                .iter_mut()
                .find(|other| (&other.table, other.is_typed) == (&group.table, group.is_typed))
            {
                Some(other) => other.items.extend(group.items),
                None => loose.push(group),
            }
        }
    }
    all.tables = tables.0.into_iter().map(|(table, _)| table).collect();
    settings::apply(pending, &mut all.tables, &mut notes);
    for group in loose {
        place_items(
            &mut all,
            group,
            stem.as_deref().unwrap_or_default(),
            &mut notes,
        );
    }
    if all.name.is_empty() {
        all.name = stem.unwrap_or_default();
    }
    all.left_out = notes.0;
    all
}

/// Puts the name of the file before all places.
fn with_file(name: &str, import: &mut Import) {
    let notes = import.left_out.iter_mut().chain(&mut import.assumed);
    let places = (notes.map(|note| &mut note.place))
        .chain(import.tables.iter_mut().map(|table| &mut table.place))
        .chain(import.settings.iter_mut().map(|setting| &mut setting.place));
    for place in places {
        *place = format!("{name}: {place}");
    }
    for table in &mut import.tables {
        let entities = table.entities.iter_mut().map(|entity| &mut entity.place);
        let patterns = table.patterns.iter_mut().map(|pattern| &mut pattern.place);
        for place in entities.chain(patterns) {
            *place = format!("{name}: {place}");
        }
    }
    let of_tables = import.tables.iter_mut().flat_map(|table| &mut table.items);
    let of_groups = import.loose.iter_mut().flat_map(|group| &mut group.items);
    for item in of_tables.chain(of_groups) {
        item.place = format!("{name}: {}", item.place);
    }
}

/// The name of a file without folders and endings.
fn file_stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.split('.').next().unwrap_or(file).to_owned()
}

fn place_items(all: &mut Import, mut group: LooseItems, stem: &str, notes: &mut Notes) {
    let place = match (group.items.first(), group.items.len()) {
        (Some(first), 1) => first.place.clone(),
        (Some(first), many) => format!("{} and {} more items", first.place, many - 1),
        (None, _) => return,
    };
    let fits = |table: &&mut FoundTable| {
        let mut keys = table.table.key.attributes();
        keys.all(|key| {
            group
                .items
                .iter()
                .all(|item| item.values.contains_key(&key.name))
        })
    };
    let owner = match &group.table {
        Some(name) => all
            .tables
            .iter_mut()
            .find(|table| table.table.name == *name),
        None if all.tables.len() == 1 => all.tables.first_mut(),
        None => {
            let mut fitting = all.tables.iter_mut().filter(fits);
            fitting.next().filter(|_| fitting.next().is_none())
        }
    };
    if let Some(table) = owner {
        if !group.is_typed {
            let keys = table.indexes.iter().map(|index| &index.key);
            for key in std::iter::once(&table.table.key).chain(keys) {
                for attribute in key.attributes() {
                    let kind = AttributeType::from(attribute.kind);
                    csv::retype(&mut group.items, &attribute.name, kind);
                }
            }
        }
        return table.items.extend(group.items);
    }
    if group.table.is_none() && !all.tables.is_empty() {
        return notes.add(
            place,
            "left out: the items fit none or several of the tables",
        );
    }
    let name = group.table.as_deref().unwrap_or(stem);
    let mut guessed = Notes::default();
    match guess::table(&table_name_for(name), group.items, &mut guessed) {
        Ok(table) => {
            all.tables.push(table);
            all.assumed.extend(guessed.0);
        }
        Err(why) => notes.add(place, format!("left out: {why}")),
    }
}

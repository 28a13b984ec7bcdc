//! Reads files of other tools.

mod bad_input;
mod electrodb;
mod formats;
mod inferred;
mod items;
mod onetable;
mod review;
mod round_trips;
mod scripts;
mod several_files;
mod templates;
mod terraform;
mod toolbox;
mod workbench;

use keyfold_core::engine::materialize_all;
use keyfold_core::model::{Design, Sample, SampleId, SortedMap, Value};
use keyfold_import::{Import, combine, read};
use std::sync::Arc;

/// Reads one file that must be usable, as the command line does.
pub fn import(name: &str, text: &str) -> Import {
    let import = read(name, text.as_bytes(), None);
    let import = import.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    combine(vec![(name.to_owned(), import)])
}

/// What was left out, as lines.
pub fn left_out(import: &Import) -> Vec<String> {
    import.left_out.iter().map(ToString::to_string).collect()
}

/// The attributes of the only item that a sample of the entity gives.
pub fn item_of(
    design: &Design,
    entity: &str,
    values: &[(&str, Value)],
) -> SortedMap<String, Value> {
    let mut design = design.clone();
    let found = design.entities.iter().find(|(_, one)| one.name == entity);
    let id = *found.expect("the entity").0;
    let values = values.iter().cloned();
    let sample = Sample {
        id: SampleId(design.take_id()),
        values: values
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    };
    design.samples.insert(id, Arc::new(vec![Arc::new(sample)]));
    let items = materialize_all(&design);
    let item = items[&id].iter().next().expect("an item");
    let attributes = item.attributes().into_iter();
    SortedMap::from_iter(
        attributes.map(|(name, value)| (name.to_owned(), value.value().into_owned())),
    )
}

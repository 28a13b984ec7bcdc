//! From samples to views, and what an edit takes.

use crate::shortest;
use keyfold::app::stress;
use keyfold::domain::engine::{EntityPlan, materialise, materialise_all, view};
use keyfold::domain::model::{Design, EntityId, IndexEntry, IndexId};
use std::fmt::Write;
use std::sync::Arc;

pub fn engine(items: u32) -> String {
    let mut out = String::new();
    let mut line = |what: &str, ms: f64| {
        let _ = writeln!(out, "{what:<44}{ms:>9.2} ms");
    };
    let design = stress::items(items);
    let texts: Vec<String> = (design.samples.values().flat_map(|s| s.iter()))
        .map(|sample| format!("{:?}", sample.values.values().last()))
        .collect();
    line("fixed: sort as many short texts", shortest(5, || {
        let mut texts = texts.clone();
        texts.sort();
        texts
    }));
    line("materialise", shortest(5, || materialise_all(&design)));
    let all: Vec<_> = materialise_all(&design).into_values().collect();
    for index in design.index_ids() {
        let name = design.index_name(index);
        line(&format!("view of {name}"), shortest(5, || view(&design, index, &all)));
    }
    for name in ["Order", "Line"] {
        let id = design.entity_named(name).expect("there");
        let edited = edited(&design, id);
        let count = edited.samples_of(id).len();
        line(&format!("{name}: template edit, {count} items"), shortest(5, || {
            let plan = EntityPlan::new(&edited, id);
            let mut all = all.clone();
            let at = design.entities.keys().position(|other| *other == id).expect("there");
            all[at] = Arc::new(materialise(&plan, edited.samples_of(id)));
            view(&edited, IndexId::PRIMARY, &all)
        }));
    }
    out
}

fn edited(design: &Design, id: EntityId) -> Design {
    let mut design = design.clone();
    let entity = Arc::make_mut(design.entities.get_mut(&id).expect("there"));
    entity.keys.insert(IndexId::PRIMARY, IndexEntry::pair("TENANT#{tenantId}", "X#{orderId}#{amount:pad(4)}"));
    design
}

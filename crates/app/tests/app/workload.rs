//! Commands of the workload. After each command the design is valid, and undo restores the previous one.

use keyfold_app::document::MERGE_MS;
use keyfold_app::{
    Command, Diff, Document, PatternEdit, Refused, WorkloadEdit, apply, card_clipboard, diff,
};
use keyfold_core::library;
use keyfold_core::lint::Linter;
use keyfold_core::model::*;
use keyfold_core::persist::{from_json, to_json};

fn design() -> Design {
    library::find("saas-multi-tenant")
        .unwrap()
        .design()
        .unwrap()
}

fn first(design: &Design) -> AccessPatternId {
    *design.access_patterns.keys().next().unwrap()
}

/// Runs a command; checks that the design is valid, that its file reads back, and that undo restores it.
fn run(design: &Design, command: Command) -> Design {
    let mut document = Document::new(design.clone());
    let shown = format!("{command:?}");
    let changed = document
        .run(command, 0.0)
        .unwrap_or_else(|refused| panic!("{shown}: {refused}"));
    let next = document.design().clone();
    assert_eq!(validate_invariants(&next), [], "{shown}");
    assert_eq!(from_json(&to_json(&next)).unwrap(), next, "{shown}");
    if !changed.is_empty() {
        document.undo().unwrap();
        assert_eq!(document.design().workload, design.workload, "{shown}");
        document.redo().unwrap();
        assert_eq!(document.design().workload, next.workload);
    }
    next
}

fn refused(design: &Design, edit: WorkloadEdit) -> String {
    match apply(design, Command::Workload(edit)) {
        Err(Refused(reason)) => reason,
        Ok(_) => panic!("it succeeded"),
    }
}

fn average(rate: f64) -> Traffic {
    Traffic {
        average: Some(Rate::PerSecond(rate)),
        ..Traffic::default()
    }
}

fn traffic(id: AccessPatternId, traffic: Traffic) -> WorkloadEdit {
    WorkloadEdit::Traffic {
        id,
        traffic: Box::new(traffic),
        field: "average rate".into(),
    }
}

fn volume(id: EntityId, items: Option<f64>) -> WorkloadEdit {
    WorkloadEdit::Volume {
        id,
        volume: Volume {
            items,
            ..Volume::default()
        },
        field: "item count",
    }
}

#[test]
fn traffic_and_volumes_are_set_and_taken_away() {
    let design = design();
    let (id, entity) = (first(&design), *design.entities.keys().next().unwrap());
    let set = run(&design, Command::Workload(traffic(id, average(20.0))));
    let set = run(&set, Command::Workload(volume(entity, Some(1e6))));
    assert_eq!(set.workload.patterns[&id], average(20.0));
    assert_eq!(set.workload.entities[&entity].items, Some(1e6));
    let gone = run(&set, Command::Workload(traffic(id, Traffic::default())));
    let gone = run(&gone, Command::Workload(volume(entity, None)));
    assert!(gone.workload.is_empty());
    assert_eq!(to_json(&gone), to_json(&design));
}

#[test]
fn prices_leave_traffic_and_volumes_alone() {
    let design = design();
    let set = run(
        &design,
        Command::Workload(traffic(first(&design), average(20.0))),
    );
    let prices = Workload {
        region: Some("eu-west-1".into()),
        prices: SortedMap::from([("storage".to_owned(), 0.283)]),
        ..Workload::default()
    };
    let edit = |workload: &Workload| WorkloadEdit::Prices {
        workload: Box::new(workload.clone()),
        field: "Region".into(),
    };
    let priced = run(&set, Command::Workload(edit(&prices)));
    assert_eq!(priced.workload.patterns, set.workload.patterns);
    assert_eq!(priced.workload.region.as_deref(), Some("eu-west-1"));
    let bad = Workload {
        prices: SortedMap::from([("storage".to_owned(), f64::NAN)]),
        ..prices
    };
    assert_eq!(
        refused(&priced, edit(&bad)),
        "a price in US dollars must be 0 or more, and at most 10^15"
    );
}

#[test]
fn figures_that_cannot_be_are_refused() {
    let design = design();
    let id = first(&design);
    assert_eq!(
        refused(&design, traffic(id, average(f64::NAN))),
        "an average rate must be 0 or more, and at most 10^15"
    );
    assert_eq!(
        refused(&design, traffic(AccessPatternId(9999), average(1.0))),
        "this access pattern no longer exists"
    );
    assert_eq!(
        refused(&design, volume(EntityId(9999), Some(1.0))),
        "this entity no longer exists"
    );
}

#[test]
fn the_workload_follows_its_access_pattern() {
    let design = design();
    let id = first(&design);
    let name = |design: &Design, id| design.access_patterns[&id].name.clone();
    let set = run(&design, Command::Workload(traffic(id, average(20.0))));
    let pattern = |edit| Command::Pattern(edit);
    let moved = run(&set, pattern(PatternEdit::Move(id, 2)));
    let (now, _) = moved.workload.patterns.iter().next().unwrap();
    assert_eq!(moved.workload.patterns.len(), 1);
    assert_eq!(name(&moved, *now), name(&set, id));
    let copied = run(&set, pattern(PatternEdit::Duplicate(id)));
    assert_eq!(copied.workload.patterns.len(), 2);
    for traffic in copied.workload.patterns.values() {
        assert_eq!(*traffic, average(20.0));
    }
    let ids: Vec<_> = copied.workload.patterns.keys().copied().collect();
    assert!(name(&copied, ids[1]).starts_with(&name(&copied, ids[0])));
    let gone = run(&set, pattern(PatternEdit::Delete(id)));
    assert!(gone.workload.is_empty());
}

#[test]
fn the_workload_goes_with_what_is_deleted() {
    let mut design = design();
    for id in Vec::from_iter(design.access_patterns.keys().copied()) {
        design = run(&design, Command::Workload(traffic(id, average(1.0))));
    }
    for id in Vec::from_iter(design.entities.keys().copied()) {
        design = run(&design, Command::Workload(volume(id, Some(10.0))));
    }
    for card in Vec::from_iter(design.cards()) {
        design = run(&design, Command::Delete(vec![card]));
    }
    assert!(design.workload.entities.is_empty());
    let with: Vec<_> = design.workload.patterns.keys().collect();
    assert_eq!(with, Vec::from_iter(design.access_patterns.keys()));
}

#[test]
fn renaming_an_attribute_renames_the_skew_of_the_parameter() {
    let design = design();
    let found = design.access_patterns.iter().find_map(|(id, pattern)| {
        let names = keyfold_core::proof::bind(&design, pattern).parameters;
        let name = &names.first()?.name;
        let owner = |entity: &EntityId| design.entities[entity].attribute(name);
        let entity = pattern.entities.iter().find(|id| owner(id).is_some())?;
        Some((*id, *entity, owner(entity)?.clone()))
    });
    let (id, entity, attribute) = found.expect("a pattern whose parameter is an attribute");
    let skew = Skew {
        values: None,
        shape: Shape::Largest(80.0),
    };
    let skewed = Traffic {
        parameters: SortedMap::from([(attribute.name.clone(), skew)]),
        ..Traffic::default()
    };
    let set = run(&design, Command::Workload(traffic(id, skewed)));
    let renamed = Attribute {
        name: "renamed".into(),
        ..attribute
    };
    let next = run(
        &set,
        Command::UpdateAttribute {
            entity,
            attribute: Box::new(renamed),
            field: "name",
        },
    );
    let names: Vec<_> = next.workload.patterns[&id].parameters.keys().collect();
    let shown = keyfold_core::proof::bind(&next, &next.access_patterns[&id]).parameters;
    let is_known = shown.iter().any(|parameter| parameter.name == *names[0]);
    assert!(names.len() == 1 && is_known, "{names:?} {shown:?}");
}

#[test]
fn a_copied_entity_has_its_volume() {
    let design = design();
    let entity = *design.entities.keys().next().unwrap();
    let set = run(&design, Command::Workload(volume(entity, Some(7.0))));
    let cards = SortedSet::from_iter([CardId::Entity(entity)]);
    let text = card_clipboard::copy(&set, &cards).unwrap();
    let clip = card_clipboard::read(&text).unwrap();
    let paste = Command::Paste {
        clip: Box::new(clip),
        at: Point { x: 0, y: 0 },
        duplicates: false,
    };
    let pasted = run(&set, paste);
    assert_eq!(pasted.workload.entities.len(), 2);
    for volume in pasted.workload.entities.values() {
        assert_eq!(volume.items, Some(7.0));
    }
}

#[test]
fn edits_of_one_figure_are_one_undo_step() {
    let design = design();
    let id = first(&design);
    let mut document = Document::new(design.clone());
    for (at, rate) in [2.0, 20.0, 200.0].into_iter().enumerate() {
        let command = Command::Workload(traffic(id, average(rate)));
        document.run(command, at as f64 * MERGE_MS / 2.0).unwrap();
    }
    assert_eq!(document.undo_label(), Some("change average rate"));
    document.undo().unwrap();
    assert!(document.design().workload.is_empty());
}

#[test]
fn only_the_workload_changes_with_the_workload() {
    let design = design();
    let set = apply(
        &design,
        Command::Workload(traffic(first(&design), average(20.0))),
    )
    .unwrap();
    let only = Diff {
        workload: true,
        ..Diff::default()
    };
    assert_eq!(diff(&design, &set), only);
    // Findings do not depend on it.
    let mut linter = Linter::default();
    let before = linter.lint(&design);
    assert_eq!(linter.lint(&set).findings, before.findings);
}

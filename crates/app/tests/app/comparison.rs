//! Designs compared in slices, their picture, and a merged design as one step.

use keyfold_app::comparison::{Compared, DifferencesPicture, Known, compare};
use keyfold_app::picture::PictureOptions;
use keyfold_app::{Command, Document, merge, stress};
use keyfold_compare::{ChangeKind, Report, Side, matched, matched_with_remarks};
use keyfold_core::library::{find, patterns};
use keyfold_core::model::{CardId, Design, Entity, EntityId, Point};
use keyfold_core::slices::Slices;
use keyfold_core::text;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

fn pattern(name: &str) -> Design {
    find(name).expect("a pattern").design().expect("valid")
}

fn with_ids(design: &Design) -> Compared {
    Compared {
        design: design.clone(),
        has_ids: true,
    }
}

/// What was told, the report and the number of steps.
fn compared(old: Compared, new: Compared) -> (Vec<String>, Report, usize) {
    let told = Rc::new(RefCell::new(Vec::new()));
    let tell = {
        let told = told.clone();
        move |known: Known<'_>| {
            told.borrow_mut().push(match known {
                Known::Changes(report) => {
                    assert_eq!(report.outcome(), [], "the effects come later");
                    format!("{} sections", report.changes().len())
                }
                Known::Picture(_) => "picture".to_owned(),
            });
        }
    };
    let mut work = Slices::new(compare(old, new, tell));
    let mut steps = 1;
    loop {
        if let Some(report) = work.step() {
            return (told.take(), report, steps);
        }
        steps += 1;
    }
}

#[test]
fn changes_and_picture_are_told_first_and_the_report_is_the_whole_one() {
    let old = pattern("saas-multi-tenant");
    let overloaded = pattern("saas-multi-tenant-overloaded");
    for (new, has_ids) in [(&overloaded, false), (&old, true)] {
        let compared_new = Compared {
            has_ids,
            ..with_ids(new)
        };
        let (told, report, _) = compared(with_ids(&old), compared_new);
        let (new, remarks) = matched_with_remarks(&old, new, has_ids);
        let mut whole = Report::new(&old, &new);
        whole.remarks = remarks;
        assert_eq!(report.text(), whole.text());
        let mut wanted = vec![format!("{} sections", whole.changes().len())];
        if !whole.is_empty() {
            wanted.push("picture".to_owned());
        }
        assert_eq!(told, wanted);
    }
}

#[test]
fn larger_designs_are_compared_in_more_steps() {
    let renamed = |design: &Design| {
        let mut design = design.clone();
        design.table = Arc::new(keyfold_core::model::Table {
            name: "other".to_owned(),
            ..(*design.table).clone()
        });
        design
    };
    let [few, many] = [4, 24].map(|count| {
        let design = stress::design(count);
        let (_, report, steps) = compared(with_ids(&design), with_ids(&renamed(&design)));
        assert!(!report.is_empty());
        steps
    });
    assert!(many > few * 3, "{few} and {many} steps");
}

#[test]
fn the_picture_marks_cards_by_sign_and_word_also_in_layers() {
    let old = pattern("saas-multi-tenant");
    let mut new = old.clone();
    let id = EntityId(new.take_id());
    new.entities.insert(id, Entity::new("Invoice", 0).into());
    let (gone, _) = old.entities.iter().next().expect("an entity");
    keyfold_app::apply(&new, Command::Delete(vec![CardId::Entity(*gone)]))
        .map(|after| new = after)
        .expect("it can be deleted");
    let report = Report::new(&old, &new);
    let picture = DifferencesPicture::new(&report);
    let options = PictureOptions::default();
    let whole = picture.svg(options);
    // The marks of cards begin with an outline.
    let marked = |svg: &str, kind: ChangeKind| {
        let mark = format!(">{} {}</text>", kind.sign(), kind.label());
        let marks = svg.lines().filter(|line| line.starts_with("<g><rect"));
        marks.filter(|line| line.ends_with(&mark)).count()
    };
    for kind in [ChangeKind::Added, ChangeKind::Removed] {
        assert_eq!(marked(&whole, kind), 1, "{kind:?}");
        let layers = picture.layers(options, 3);
        let last = layers.len() - 1;
        assert!(last > 0);
        for (at, layer) in layers.iter().enumerate() {
            assert_eq!(marked(layer, kind), usize::from(at == last));
        }
    }
}

/// The pattern with a wire added, one removed and one changed.
fn wires_differ() -> (Design, Design) {
    let old = pattern("saas-multi-tenant-overloaded");
    let mut new = old.clone();
    let index = *new.indexes.keys().next().expect("an index");
    let ids: Vec<EntityId> = new.entities.keys().copied().collect();
    let [of_index, without]: [Vec<EntityId>; 2] = [true, false].map(|is_in| {
        let in_index = |id: &&EntityId| new.entities[id].keys.contains_key(&index) == is_in;
        ids.iter().filter(in_index).copied().collect()
    });
    let entry = new.entities[&of_index[0]].keys[&index].clone();
    let keys = |design: &mut Design, id: EntityId, change: &dyn Fn(&mut Entity)| {
        change(Arc::make_mut(
            design.entities.get_mut(&id).expect("an entity"),
        ));
    };
    keys(&mut new, of_index[0], &|entity| {
        entity.keys.remove(&index);
    });
    keys(&mut new, of_index[1], &|entity| {
        let entry = entity.keys.get_mut(&index).expect("it is in the index");
        entry.partition = Some("OTHER".into());
    });
    keys(&mut new, without[0], &|entity| {
        entity.keys.insert(index, entry.clone());
    });
    (old, new)
}

#[test]
fn the_picture_marks_wires_by_sign_and_word_and_shows_removed_ones() {
    let (old, new) = wires_differ();
    let report = Report::of_changes(&old, &new);
    let picture = DifferencesPicture::new(&report);
    let options = PictureOptions::default();
    let whole = picture.svg(options);
    insta::assert_snapshot!(whole);
    for (kind, cards) in [
        (ChangeKind::Added, 0),
        (ChangeKind::Removed, 0),
        (ChangeKind::Changed, 3),
    ] {
        let mark = format!(">{} {}</text>", kind.sign(), kind.label());
        assert_eq!(whole.matches(&mark).count(), cards + 1, "{mark}");
        let title = format!(", GSI1: {}</title>", kind.label());
        assert_eq!(whole.matches(&title).count(), 1, "{title}");
        let layers = picture.layers(options, 3);
        let (last, others) = layers.split_last().expect("layers");
        assert_eq!(last.matches(&title).count(), 1);
        assert!(others.iter().all(|layer| !layer.contains(&title)));
    }
    // The wire that was removed is there, with dashes.
    let dashed = |svg: &str| {
        let lines = svg.lines().filter(|line| line.starts_with("<path d="));
        lines
            .filter(|line| line.contains("stroke-width=\"3\"") && line.contains("stroke-dasharray"))
            .count()
    };
    assert_eq!(dashed(&whole), 1);
    let unmarked = keyfold_app::picture::svg(&new, options);
    assert_eq!(dashed(&unmarked), 0);
    // The report of equal designs marks nothing.
    let (same, marks) = Report::of_changes(&new, &new).picture();
    assert_eq!((same, marks), (new, keyfold_compare::Marks::default()));
}

#[test]
fn the_wires_of_added_and_removed_cards_are_marked_too() {
    let old = pattern("saas-multi-tenant-overloaded");
    let index = *old.indexes.keys().next().expect("an index");
    let of_index = old.entities.values();
    let of_index = of_index.filter(|entity| entity.keys.contains_key(&index));
    let wires = of_index.count();
    let command = Command::Delete(vec![CardId::Index(index)]);
    let new = keyfold_app::apply(&old, command).expect("it can be deleted");
    for (from, to, kind) in [
        (&old, &new, ChangeKind::Removed),
        (&new, &old, ChangeKind::Added),
    ] {
        let report = Report::of_changes(from, to);
        let (both, marks) = report.picture();
        assert_eq!(
            marks.wires.values().filter(|one| **one == kind).count(),
            wires
        );
        let drawn = both.entities.values();
        let drawn = drawn.filter(|entity| entity.keys.contains_key(&index));
        assert_eq!(drawn.count(), wires);
        let svg = DifferencesPicture::new(&report).svg(PictureOptions::default());
        let title = format!(", GSI1: {}</title>", kind.label());
        assert_eq!(svg.matches(&title).count(), wires);
    }
}

#[test]
fn cards_of_a_text_without_places_stand_where_they_stood() {
    for pattern in patterns() {
        let old = pattern.design().expect("valid");
        let mut bare = old.clone();
        bare.layout = Arc::default();
        let printed = text::print(&bare);
        let read = text::lower(&text::parse(&printed), None).design;
        let report = Report::of_changes(&old, &matched(&old, &read, false));
        let (both, _) = report.picture();
        for (card, place) in old.layout.iter() {
            assert_eq!(both.layout.get(card), Some(place), "{}", pattern.name);
        }
    }
}

#[test]
fn a_merged_design_is_one_step_of_undo() {
    let base = pattern("saas-multi-tenant");
    let ids: Vec<EntityId> = base.entities.keys().copied().collect();
    let rename = |design: &Design, id: EntityId, name: &str| {
        let command = Command::RenameEntity(id, name.to_owned());
        keyfold_app::apply(design, command).expect("a free name")
    };
    let theirs = rename(&rename(&base, ids[1], "Theirs"), ids[2], "Both");
    let mut document = Document::new(base.clone());
    document
        .run(Command::RenameEntity(ids[0], "Ours".to_owned()), 0.0)
        .expect("a free name");
    document
        .run(
            Command::Move(vec![(CardId::Entity(ids[3]), Point::from((9, 9)))]),
            10_000.0,
        )
        .expect("a card");
    let ours = document.design().clone();
    let merged = merge(&base, &ours, &theirs, &|_| Side::Ours);
    assert_eq!(merged.conflicts, []);
    let command = Command::Replace {
        text: None,
        label: "merge",
        design: Box::new(merged.design.clone()),
    };
    let changed = document.run(command, 20_000.0).expect("it is valid");
    assert!(!changed.is_empty());
    let names = |design: &Design| {
        ids.iter()
            .take(3)
            .map(|id| design.entities[id].name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(document.design()), ["Ours", "Theirs", "Both"]);
    assert_eq!(document.undo_label(), Some("merge"));
    // What the merge left alone is the same part, so that the page draws nothing of it again.
    assert!(Arc::ptr_eq(
        &document.design().entities[&ids[3]],
        &ours.entities[&ids[3]]
    ));
    document.undo();
    assert_eq!(document.design(), &ours);
}

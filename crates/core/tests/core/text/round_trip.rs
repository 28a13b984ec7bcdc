//! What is printed is read as the same design.

use keyfold_core::model::{
    AccessPatternId, AttributeId, CardId, Design, EntityId, Format, IndexId, NoteId, SampleId,
    SortedMap, WriteAction, validate_invariants,
};
use keyfold_core::text::{Lowered, describe, lower, parse, print};
use keyfold_test_support::any_design::any_design;
use keyfold_test_support::cases;
use keyfold_test_support::designs::{all_options, full_design};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

#[test]
fn the_attributes_that_a_read_returns_are_names_in_quotes_as_in_expressions() {
    let attributes = r#"attributes "a-b", set, "dot.ted", address.city, "list[0]", total"#;
    let text = format!(
        "design Docs\n\ntable Docs (PK)\n\nentity E\n  id string\n  \"a-b\" string\n  \"set\" string\n  \"dot.ted\" string\n  address map\n  total number\n\n  key  E#{{id}}\n\npattern Get\n  GetItem E#{{id}}\n  {attributes}\n  returns E\n"
    );
    let lowered = lower(&parse(&text), None);
    assert_eq!(errors(&text, &lowered), "", "{text}");
    let pattern = lowered.design.access_patterns.values().next().unwrap();
    let read = pattern.operation.read().unwrap();
    assert_eq!(
        read.projection,
        [
            "\"a-b\"",
            "#set",
            "\"dot.ted\"",
            "address.city",
            "list[0]",
            "total"
        ]
    );
    let printed = check(&lowered.design);
    let words = "attributes a-b, set, dot.ted, address.city, list[0], total";
    assert!(printed.contains(words), "{printed}");
}

/// Checks that the text of a design means the design, with its ids if it is known.
pub fn check(design: &Design) -> String {
    assert_eq!(validate_invariants(design), []);
    let text = print(design);
    let tree = parse(&text);
    assert_eq!(tree.text(), text);
    let known = lower(&tree, Some(design));
    assert_eq!(errors(&text, &known), "", "{text}");
    if known.design != *design {
        let lines = |design: &Design| {
            let json = keyfold_core::persist::to_json(design);
            json.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let (left, right) = (lines(&known.design), lines(design));
        let differ = left
            .iter()
            .zip(&right)
            .filter(|(left, right)| left != right);
        let shown: Vec<String> = differ.take(5).map(|pair| format!("{pair:#?}")).collect();
        panic!("{}\n{text}", shown.join("\n"));
    }
    let fresh = lower(&tree, None);
    assert_eq!(errors(&text, &fresh), "", "{text}");
    // The place of a silenced finding that does not exist is an id.
    if !text.contains(" place \"") {
        assert_eq!(print(&fresh.design), text);
    }
    assert_eq!(renumbered(&fresh.design), renumbered(design), "{text}");
    text
}

fn errors(text: &str, lowered: &Lowered) -> String {
    let errors = lowered.problems.iter().filter(|problem| problem.is_error);
    describe(text, &errors.cloned().collect::<Vec<_>>())
}

/// The design with ids in the order of its parts.
fn renumbered(design: &Design) -> Design {
    let mut ids: BTreeMap<u32, u32> = BTreeMap::new();
    let mut next = 0;
    let mut take = |id: u32| {
        next += 1;
        ids.insert(id, next);
    };
    design.indexes.keys().for_each(|id| take(id.0));
    for (id, entity) in &design.entities {
        take(id.0);
        entity.attributes.iter().for_each(|a| take(a.id.0));
    }
    for samples in design.samples.values() {
        samples.iter().for_each(|sample| take(sample.id.0));
    }
    design.access_patterns.keys().for_each(|id| take(id.0));
    design.notes.keys().for_each(|id| take(id.0));
    let new = |id: u32| ids.get(&id).copied().unwrap_or(id);
    let index = |id: IndexId| {
        if id.is_primary() {
            id
        } else {
            IndexId(new(id.0))
        }
    };
    let mut out = design.clone();
    out.next_id = 0;
    out.indexes = design
        .indexes
        .iter()
        .map(|(id, value)| (index(*id), value.clone()))
        .collect();
    out.entities = SortedMap::new();
    for (id, entity) in &design.entities {
        let mut entity = (**entity).clone();
        for attribute in &mut entity.attributes {
            attribute.id = AttributeId(new(attribute.id.0));
            if let Some(Format::Reference { entity, .. }) = &mut attribute.format {
                *entity = EntityId(new(entity.0));
            }
        }
        entity.keys = entity
            .keys
            .iter()
            .map(|(id, entry)| (index(*id), entry.clone()))
            .collect();
        out.entities.insert(EntityId(new(id.0)), Arc::new(entity));
    }
    out.samples = SortedMap::new();
    for (id, samples) in &design.samples {
        let mut samples = (**samples).clone();
        for sample in &mut samples {
            Arc::make_mut(sample).id = SampleId(new(sample.id.0));
        }
        out.samples.insert(EntityId(new(id.0)), Arc::new(samples));
    }
    out.access_patterns = SortedMap::new();
    for (id, pattern) in &design.access_patterns {
        use keyfold_core::model::Operation;
        let mut pattern = (**pattern).clone();
        pattern
            .entities
            .iter_mut()
            .for_each(|id| *id = EntityId(new(id.0)));
        pattern.sample = pattern.sample.map(|id| SampleId(new(id.0)));
        for action in pattern.operation.actions_mut() {
            if let WriteAction::PutItem { entity, .. } = action {
                *entity = EntityId(new(entity.0));
            }
        }
        if let Operation::Query { index: of, .. } | Operation::Scan { index: of, .. } =
            &mut pattern.operation
        {
            *of = index(*of);
        }
        out.access_patterns
            .insert(AccessPatternId(new(id.0)), Arc::new(pattern));
    }
    out.notes = design
        .notes
        .iter()
        .map(|(id, note)| (NoteId(new(id.0)), note.clone()))
        .collect();
    let workload = Arc::make_mut(&mut out.workload);
    workload.patterns = (design.workload.patterns.iter())
        .map(|(id, traffic)| (AccessPatternId(new(id.0)), traffic.clone()))
        .collect();
    workload.entities = (design.workload.entities.iter())
        .map(|(id, volume)| (EntityId(new(id.0)), *volume))
        .collect();
    let layout = design.layout.iter().map(|(card, at)| {
        let card = match *card {
            CardId::Index(id) => CardId::Index(index(id)),
            CardId::Entity(id) => CardId::Entity(EntityId(new(id.0))),
            CardId::Note(id) => CardId::Note(NoteId(new(id.0))),
        };
        (card, *at)
    });
    out.layout = Arc::new(layout.collect());
    // The text names the parts of a place; ids in it are new ones.
    let mut silenced = (*design.silenced).clone();
    silenced
        .iter_mut()
        .for_each(|silenced| silenced.place.clear());
    out.silenced = Arc::new(silenced);
    out
}

#[test]
fn a_design_with_everything() {
    insta::assert_snapshot!(check(&full_design()));
}

#[test]
fn all_export_options() {
    let mut design = Design::new("Orders");
    design.export_options = Arc::new(all_options());
    insta::assert_snapshot!(check(&design));
}

#[test]
fn an_empty_design() {
    insta::assert_snapshot!(check(&Design::new("Orders")));
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn any_design_is_read_as_it_was_printed(design in any_design()) {
        check(&design);
    }
}

#[test]
fn a_name_that_begins_with_quotes_and_a_comment_is_quoted() {
    let mut design = full_design();
    let entity = design.entities.values_mut().next().expect("an entity");
    Arc::make_mut(entity).name = "\"a\"//b".to_owned();
    check(&design);
}

#[test]
fn an_attribute_can_be_called_volume() {
    let text = "entity E\n  volume number\n  volume 5 items\n\nentity F\n  volume | 5\n\nentity G\n  \
        volume 5 | 6\n\nentity H\n  volume\n";
    let design = lower(&parse(text), None).design;
    check(&design);
    for entity in design.entities.values() {
        assert_eq!(entity.attributes[0].name, "volume", "{}", entity.name);
    }
    let volumes: Vec<_> = design.workload.entities.values().collect();
    assert_eq!((volumes.len(), volumes[0].items), (1, Some(5.0)));
}

#[test]
fn any_range_of_timestamps_is_read_as_it_was_printed() {
    let ends = [
        "2024-01-01T00:00:00Z",
        "2024)01-01T00:00:00Z",
        "2024-12-31T23:59:59Z",
        "2024|12-31T23:59:59Z",
        "2024-01-01",
        "2024-01-01T09:00:00Z",
        "to",
        "",
    ];
    for from in ends {
        for to in ends {
            let mut design = full_design();
            let entity = design.entities.values_mut().next().expect("an entity");
            let attribute = &mut Arc::make_mut(entity).attributes[0];
            attribute.format = Some(Format::Timestamp {
                from: from.into(),
                to: to.into(),
            });
            let text = print(&design);
            let read = lower(&parse(&text), Some(&design)).design;
            let format = &read.entities.values().next().expect("an entity").attributes[0].format;
            let written = &design
                .entities
                .values()
                .next()
                .expect("an entity")
                .attributes[0]
                .format;
            assert_eq!(format, written, "{text}");
        }
    }
}

#[test]
fn a_word_with_leading_zeros_stays_a_text() {
    let text = "design Docs\n\ntable Docs (PK)\n\nentity E\n  id string\n\n  key  E#{id}\n\npattern Get\n  GetItem E#{zip}#{n}#{half}\n  parameter zip = 00501\n  parameter n = 501\n  parameter half = 0.5\n  returns E\n";
    let lowered = lower(&parse(text), None);
    assert_eq!(errors(text, &lowered), "");
    let pattern = lowered.design.access_patterns.values().next().unwrap();
    let parameters = pattern.parameters.iter();
    let parameters: Vec<_> = parameters
        .map(|(name, value)| format!("{name} {}", value.to_dynamodb_json()))
        .collect();
    assert_eq!(
        parameters,
        [
            r#"half {"N":"0.5"}"#,
            r#"n {"N":"501"}"#,
            r#"zip {"S":"00501"}"#
        ]
    );
    let printed = check(&lowered.design);
    assert!(printed.contains("zip = 00501"), "{printed}");
}

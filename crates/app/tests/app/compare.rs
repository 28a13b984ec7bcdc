//! Comparing and merging designs that commands changed.

use crate::commands::{any_command, at, saas};
use keyfold_app::{Command, apply as run_command, merge};
use keyfold_compare::{Conflict, Merged, Reason, Side, apply, diff};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, CardId, Design, Index, IndexEntry, IndexId, IndexKind,
    KeyPart, KeySchema, SortedMap, Value, validate_invariants,
};
use keyfold_core::text;
use keyfold_test_support::cases;
use proptest::prelude::*;

/// The design after those of the commands that are not refused.
fn after(design: &Design, commands: &[Command]) -> Design {
    let run =
        |design: Design, command: &Command| run_command(&design, command.clone()).unwrap_or(design);
    commands.iter().fold(design.clone(), run)
}

fn commands(most: usize) -> impl Strategy<Value = Vec<Command>> {
    prop::collection::vec(any_command(), 0..most)
}

fn check_equal(found: &Design, wanted: &Design) -> Result<(), TestCaseError> {
    let rest = diff(found, wanted);
    prop_assert!(rest.is_empty(), "{:#?}", rest.changes);
    Ok(())
}

/// Edits that touch only one entity of the design, and new parts whose names begin with a letter of their own.
fn edits_of(entity: usize, letter: char) -> impl Strategy<Value = Vec<Command>> {
    let entity = *saas().entities.keys().nth(entity).expect("an entity");
    let name = "[a-z]{1,4}".prop_map(move |name| format!("{letter}{name}"));
    let attribute = |name| Attribute::new(AttributeId(0), name, AttributeType::S);
    let index = move |name: String| {
        let key = KeySchema::pair(format!("{name}P"), format!("{name}S"));
        Box::new(Index::new(format!("{name}-index"), IndexKind::Gsi, key))
    };
    let own = saas().entities[&entity].attributes.clone();
    let own = prop::sample::select(own);
    let part = prop_oneof![Just(KeyPart::Partition), Just(KeyPart::Sort)];
    let sample = saas().samples_of(entity)[0].id;
    let edit = prop_oneof![
        name.clone()
            .prop_map(move |name| Command::AddAttribute(entity, attribute(name))),
        name.clone()
            .prop_map(move |name| Command::DescribeEntity(entity, name)),
        name.clone().prop_map(move |name| Command::AddIndex {
            index: index(name),
            at: at(5, 7)
        }),
        name.clone()
            .prop_map(move |text| Command::AddNote { text, at: at(1, 2) }),
        (part, name.clone()).prop_map(move |(part, text)| Command::SetTemplate {
            entity,
            index: IndexId::PRIMARY,
            part,
            text: Some(text),
        }),
        name.clone().prop_map(move |value| {
            Command::AddSample(entity, SortedMap::from([(value.clone(), Value::S(value))]))
        }),
        (own.clone(), name).prop_map(move |(attribute, value)| Command::SetValue {
            entity,
            sample,
            attribute: attribute.name,
            value: Some(Value::S(value)),
        }),
        (own.clone(), 0..9_usize).prop_map(move |(attribute, to)| Command::MoveAttribute(
            entity,
            attribute.id,
            to
        )),
        own.prop_map(move |attribute| Command::DeleteAttribute(entity, attribute.id)),
        (-50..50_i32).prop_map(move |x| Command::Move(vec![(CardId::Entity(entity), at(x, x))])),
        Just(Command::DeleteSamples(vec![(entity, vec![sample])])),
    ];
    prop::collection::vec(edit, 0..12)
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn what_a_difference_says_leads_to_the_new_design(first in commands(20), second in commands(20)) {
        let old = after(&saas(), &first);
        let new = after(&old, &second);
        let changes = diff(&old, &new);
        prop_assert_eq!(apply(&old, &changes), Ok(new.clone()));
        let is_same = Design { next_id: old.next_id, ..new } == old;
        prop_assert_eq!(changes.is_empty(), is_same);
    }

    #[test]
    fn a_merge_with_one_edited_side_is_that_side(first in commands(10), edits in commands(20)) {
        let base = after(&saas(), &first);
        let edited = after(&base, &edits);
        for (ours, theirs) in [(&edited, &base), (&base, &edited), (&edited, &edited)] {
            let Merged { design, conflicts, .. } = merge(&base, ours, theirs, &|_| Side::Ours);
            prop_assert_eq!(conflicts, vec![]);
            check_equal(&design, &edited)?;
        }
    }

    #[test]
    fn a_merge_of_edits_of_different_parts_is_both(a in edits_of(0, 'a'), b in edits_of(1, 'b')) {
        let base = saas();
        let (ours, theirs) = (after(&base, &a), after(&base, &b));
        let both = after(&ours, &b);
        let Merged { design, conflicts, .. } = merge(&base, &ours, &theirs, &|_| Side::Ours);
        prop_assert_eq!(conflicts, vec![]);
        // A card that grows moves those below: the places of cards depend on all edits.
        let mut design = design;
        design.layout = both.layout.clone();
        check_equal(&design, &both)?;
    }

    #[test]
    fn a_merge_of_any_edits_is_valid_and_takes_the_chosen_sides(
        a in commands(25),
        b in commands(25),
        sides in any::<u64>(),
    ) {
        let base = saas();
        let (ours, theirs) = (after(&base, &a), after(&base, &b));
        let choose = |conflict: &Conflict| {
            let number = conflict.path.len() + format!("{:?}", conflict.part).len();
            if sides >> (number % 64) & 1 == 0 { Side::Ours } else { Side::Theirs }
        };
        let Merged { design, conflicts, .. } = merge(&base, &ours, &theirs, &choose);
        prop_assert_eq!(validate_invariants(&design), vec![]);
        for conflict in conflicts {
            // What breaks an invariant takes edits of other parts with it, which are reported without being asked for.
            if !matches!(conflict.reason, Reason::Invalid(_)) {
                prop_assert_eq!(choose(&conflict), conflict.taken);
            }
        }
        // An edit of one side in a part that the other left alone is in the result.
        if let Merged { conflicts, design, .. } = merge(&base, &ours, &theirs, &|_| Side::Ours)
            && conflicts.is_empty()
        {
            let kept = diff(&base, &design).changes;
            for change in diff(&base, &ours).changes {
                prop_assert!(change.is_order() || kept.contains(&change), "{change:#?}");
            }
        }
    }
}

/// A design of one entity, with a template that its text can have edited.
fn orders() -> Design {
    let text = "design Shop

table Shop (PK, SK)

gsi GSI1 (GSI1PK)

entity Order
  user string
  number string
  key U#{user} / ORDER#{number}

pattern Get
  GetItem U#{user} / ORDER#{number}
  returns Order
";
    text::lower(&text::parse(text), None).design
}

/// The design with another name for the attribute at this place.
fn renamed(design: &Design, at: usize, name: &str) -> Design {
    let (id, entity) = design.entities.iter().next().expect("an entity");
    let attribute = Attribute {
        name: name.to_owned(),
        ..entity.attributes[at].clone()
    };
    let command = Command::UpdateAttribute {
        entity: *id,
        attribute: Box::new(attribute),
        field: "name",
    };
    run_command(design, command).expect("it can be renamed")
}

/// The design with the entity in the index, by this template.
fn joined(design: &Design, partition: &str) -> Design {
    let (id, _) = design.entities.iter().next().expect("an entity");
    let (index, _) = design.indexes.iter().next().expect("an index");
    let entry = IndexEntry {
        partition: Some(partition.to_owned()),
        ..IndexEntry::default()
    };
    run_command(design, Command::JoinIndex(*id, *index, entry)).expect("it can join")
}

fn partition_in_index(design: &Design) -> Option<String> {
    let entity = design.entities.values().next()?;
    let index = design.indexes.keys().next()?;
    entity.keys.get(index)?.partition.clone()
}

#[test]
fn a_new_name_is_carried_into_what_the_other_side_wrote_with_the_old_one() {
    let base = orders();
    let with_name = renamed(&base, 1, "orderNumber");
    let with_entry = joined(&base, "NUMBER#{number}");
    for (ours, theirs) in [(&with_name, &with_entry), (&with_entry, &with_name)] {
        let Merged {
            design, conflicts, ..
        } = merge(&base, ours, theirs, &|_| Side::Ours);
        assert_eq!(conflicts, []);
        let partition = partition_in_index(&design);
        assert_eq!(partition.as_deref(), Some("NUMBER#{orderNumber}"));
    }
    // The old name is another attribute now.
    let (id, _) = base.entities.iter().next().expect("an entity");
    let anew = Attribute::new(AttributeId(0), "number", AttributeType::N);
    let anew = run_command(&with_name, Command::AddAttribute(*id, anew)).expect("it is free");
    for (ours, theirs) in [(&anew, &with_entry), (&with_entry, &anew)] {
        let merged = merge(&base, ours, theirs, &|_| Side::Ours);
        assert_eq!(merged.conflicts, []);
        let partition = partition_in_index(&merged.design);
        assert_eq!(partition.as_deref(), Some("NUMBER#{orderNumber}"));
        let entity = &merged.design.entities[id];
        assert_eq!(
            entity.attribute("number").map(|a| a.kind),
            Some(AttributeType::N)
        );
    }
    // Both chose the same name.
    let both = merge(
        &base,
        &with_name,
        &joined(&with_name, "N#{orderNumber}"),
        &|_| Side::Ours,
    );
    assert_eq!(both.conflicts, []);
    assert_eq!(
        partition_in_index(&both.design).as_deref(),
        Some("N#{orderNumber}")
    );
}

#[test]
fn a_deleted_attribute_that_the_other_side_uses_is_a_conflict() {
    let base = orders();
    let (id, entity) = base.entities.iter().next().expect("an entity");
    let number = entity.attributes[1].id;
    let gone = run_command(&base, Command::DeleteAttribute(*id, number)).expect("it is there");
    let with_entry = joined(&base, "NUMBER#{number}");
    for taken in [Side::Ours, Side::Theirs] {
        let merged = merge(&base, &gone, &with_entry, &|_| taken);
        let [conflict] = &merged.conflicts[..] else {
            panic!("{:?}", merged.conflicts);
        };
        let deleted = Side::Ours;
        assert!(
            matches!(&conflict.reason, Reason::Used { deleted: side, .. } if *side == deleted),
            "{conflict:?}"
        );
        let is_there = merged.design.entities[id].attribute("number").is_some();
        assert_eq!(is_there, taken == Side::Theirs);
        assert_eq!(partition_in_index(&merged.design).is_some(), is_there);
    }
}

#[test]
fn two_new_names_of_one_attribute_are_conflicts_and_lose_no_other_edit() {
    let base = orders();
    let (id, _) = base.entities.iter().next().expect("an entity");
    let describe = Command::DescribeEntity(*id, "Kept".into());
    let ours = run_command(&renamed(&base, 1, "a"), describe).expect("a description");
    let theirs = joined(&renamed(&base, 1, "b"), "NUMBER#{b}");
    for sides in 0..16_u32 {
        let choose = |conflict: &Conflict| {
            let number = conflict.path.len() + format!("{:?}", conflict.part).len();
            match sides >> (number % 4) & 1 {
                0 => Side::Ours,
                _ => Side::Theirs,
            }
        };
        let merged = merge(&base, &ours, &theirs, &choose);
        assert!(!merged.conflicts.is_empty());
        assert_eq!(merged.design.entities[id].description, "Kept");
        let partition = partition_in_index(&merged.design);
        assert_eq!(partition.as_deref(), Some("NUMBER#{b}"));
    }
}

//! Merging what two tabs made of a design: what is stored keeps its ids, and what a tab holds of its own parts follows.

use crate::any_command::any_command;
use crate::commands::{at, saas, sound};
use keyfold_app::grid::SheetOptions;
use keyfold_app::moved_ids::{HoldsIds, follow_draft};
use keyfold_app::viewport::Selection;
use keyfold_app::{Command, MergedTabs, PatternEdit, apply, diff, merge_tabs};
use keyfold_compare::{NewIds, Side};
use keyfold_core::lint::Place;
use keyfold_core::model::*;
use keyfold_test_support::cases;
use proptest::prelude::*;
use rustc_hash::FxHashSet;

/// What both tabs began with, and the design after the commands of each: of this one, then of the one that stored it.
fn tabs(ours: &[Command], theirs: &[Command]) -> [Design; 3] {
    let base = saas();
    let after = |commands: &[Command]| {
        (commands.iter().cloned()).fold(base.clone(), |design, command| {
            apply(&design, command).expect("it is not refused")
        })
    };
    [base.clone(), after(ours), after(theirs)]
}

fn merged(ours: &[Command], theirs: &[Command]) -> ([Design; 3], MergedTabs) {
    let designs = tabs(ours, theirs);
    let merged = merge_tabs(&designs[0], &designs[1], &designs[2], Side::Ours);
    sound(&merged.design);
    assert!(!merged.is_conflict);
    (designs, merged)
}

fn followed<T: HoldsIds>(mut held: T, moved: &NewIds) -> T {
    held.follow(moved);
    held
}

fn add_entity(name: &str) -> Command {
    Command::AddEntity {
        name: name.into(),
        at: at(0, 0),
    }
}

fn entity(design: &Design, name: &str) -> EntityId {
    design.entity_named(name).expect("the entity is there")
}

#[test]
fn the_stored_entity_keeps_its_id_and_the_selection_follows_the_own_one() {
    let ([_, ours, theirs], both) = merged(&[add_entity("Mine")], &[add_entity("Stored")]);
    let (mine, stored) = (entity(&ours, "Mine"), entity(&theirs, "Stored"));
    assert_eq!(mine, stored);
    assert_eq!(both.design.entities[&stored], theirs.entities[&stored]);

    let selection = Selection::from([CardId::Entity(mine), CardId::Index(IndexId::PRIMARY)]);
    let now = entity(&both.design, "Mine");
    assert_ne!(now, stored);
    assert_eq!(
        followed(selection, &both.moved),
        Selection::from([CardId::Entity(now), CardId::Index(IndexId::PRIMARY)])
    );
    let wire = (mine, IndexId::PRIMARY);
    assert_eq!(
        followed(Some(wire), &both.moved),
        Some((now, IndexId::PRIMARY))
    );
    let shown = SheetOptions {
        hidden_entities: SortedSet::from([mine]),
        ..SheetOptions::default()
    };
    let shown = followed(shown, &both.moved);
    assert_eq!(shown.hidden_entities, SortedSet::from([now]));
    // The attribute that a new entity begins with, and the sample.
    let sample = ours.samples_of(mine).first().map(|sample| sample.id);
    if let Some(sample) = sample {
        let sample = both.moved.sample(sample);
        assert!(
            both.design
                .samples_of(now)
                .iter()
                .any(|own| own.id == sample)
        );
    }
}

/// An entity that both added under one name is one entity.
#[test]
fn an_entity_of_both_has_the_id_that_is_stored() {
    let ours = [add_entity("Mine"), add_entity("Both")];
    let [base, ours, theirs] = tabs(&ours, &[add_entity("Both")]);
    let both = merge_tabs(&base, &ours, &theirs, Side::Ours);
    sound(&both.design);
    let (own, stored) = (entity(&ours, "Both"), entity(&theirs, "Both"));
    assert_ne!(own, stored);
    assert_eq!(entity(&both.design, "Both"), stored);
    assert_eq!(both.moved.entity(own), stored);
    let mine = both.moved.entity(entity(&ours, "Mine"));
    assert_eq!(entity(&both.design, "Mine"), mine);
}

#[test]
fn without_new_parts_of_the_other_tab_nothing_moves() {
    let (_, both) = merged(
        &[add_entity("Mine")],
        &[Command::RenameDesign("Stored".into())],
    );
    assert!(both.moved.is_empty());
}

#[test]
fn a_stored_attribute_keeps_its_id() {
    let user = entity(&saas(), "User");
    let add = |name: &str| {
        let attribute = Attribute::new(AttributeId(0), name, AttributeType::S);
        Command::AddAttribute(user, attribute)
    };
    let ([_, ours, theirs], both) = merged(&[add("mine")], &[add("stored")]);
    let id = |design: &Design, name| design.entities[&user].attribute(name).unwrap().id;
    assert_eq!(id(&ours, "mine"), id(&theirs, "stored"));
    assert_eq!(id(&both.design, "stored"), id(&theirs, "stored"));
    assert_eq!(
        id(&both.design, "mine"),
        both.moved.attribute(id(&ours, "mine"))
    );
    let place = Place::Attribute(user, id(&ours, "mine"));
    let now = Place::Attribute(user, id(&both.design, "mine"));
    assert_eq!(followed(place, &both.moved), now);
}

#[test]
fn a_stored_index_keeps_its_id() {
    let add = |name: &str| {
        let index = saas().indexes.values().next().map(|index| Index {
            name: name.into(),
            ..Index::clone(index)
        });
        Command::AddIndex {
            index: Box::new(index.expect("the design has an index")),
            at: at(0, 0),
        }
    };
    let ([_, ours, theirs], both) = merged(&[add("mine")], &[add("stored")]);
    let id = |design: &Design, name: &str| {
        let mut indexes = design.indexes.iter();
        *indexes.find(|(_, index)| index.name == name).unwrap().0
    };
    assert_eq!(id(&ours, "mine"), id(&theirs, "stored"));
    assert_eq!(id(&both.design, "stored"), id(&theirs, "stored"));
    assert_eq!(
        id(&both.design, "mine"),
        both.moved.index(id(&ours, "mine"))
    );
    assert_eq!(both.moved.index(IndexId::PRIMARY), IndexId::PRIMARY);
}

#[test]
fn a_stored_access_pattern_keeps_its_id() {
    let add = |name: &str| {
        let mut pattern = AccessPattern::clone(saas().access_patterns.values().next().unwrap());
        pattern.name = name.into();
        Command::Pattern(PatternEdit::Add(Box::new(pattern)))
    };
    let ([_, ours, theirs], both) = merged(&[add("mine")], &[add("stored")]);
    let id = |design: &Design, name: &str| {
        let mut patterns = design.access_patterns.iter();
        *patterns
            .find(|(_, pattern)| pattern.name == name)
            .unwrap()
            .0
    };
    assert_eq!(id(&ours, "mine"), id(&theirs, "stored"));
    assert_eq!(id(&both.design, "stored"), id(&theirs, "stored"));
    let now = Some(id(&both.design, "mine"));
    assert_eq!(followed(Some(id(&ours, "mine")), &both.moved), now);
}

#[test]
fn a_stored_sample_keeps_its_id_and_a_draft_follows_the_own_one() {
    let user = entity(&saas(), "User");
    let add = |id: &str| {
        let values = SortedMap::from([("userId".to_owned(), Value::S(id.into()))]);
        Command::AddSample(user, values)
    };
    let ([_, ours, theirs], both) = merged(&[add("mine")], &[add("stored")]);
    let id = |design: &Design, value: &str| {
        let samples = design.samples_of(user);
        let is_it = |sample: &&std::sync::Arc<Sample>| {
            sample.values.get("userId") == Some(&Value::S(value.into()))
        };
        samples.iter().find(is_it).unwrap().id
    };
    assert_eq!(id(&ours, "mine"), id(&theirs, "stored"));
    assert_eq!(id(&both.design, "stored"), id(&theirs, "stored"));
    let mine = id(&both.design, "mine");
    let rows = FxHashSet::from_iter([id(&ours, "mine")]);
    assert_eq!(followed(rows, &both.moved), FxHashSet::from_iter([mine]));

    let draft = |sample| Command::SetValue {
        entity: user,
        sample,
        attribute: "name".into(),
        value: Some(Value::S("half".into())),
    };
    let mut typed = draft(id(&ours, "mine"));
    follow_draft(&mut typed, &both.moved);
    assert_eq!(typed, draft(mine));
}

#[test]
fn a_stored_note_keeps_its_id_and_a_draft_follows_the_own_one() {
    let add = |text: &str, x| Command::AddNote {
        text: text.into(),
        at: at(x, 0),
    };
    let ([_, ours, theirs], both) = merged(&[add("mine", 0)], &[add("stored", 500)]);
    let id = |design: &Design, text: &str| {
        let mut notes = design.notes.iter();
        *notes.find(|(_, note)| note.text == text).unwrap().0
    };
    assert_eq!(id(&ours, "mine"), id(&theirs, "stored"));
    assert_eq!(id(&both.design, "stored"), id(&theirs, "stored"));
    let mut draft = Command::SetNoteText(id(&ours, "mine"), "half".into());
    follow_draft(&mut draft, &both.moved);
    assert_eq!(
        draft,
        Command::SetNoteText(id(&both.design, "mine"), "half".into())
    );
}

/// The later side is still the one whose edit stays.
#[test]
fn the_later_side_is_taken_where_both_changed_the_same() {
    let rename = |name: &str| Command::RenameDesign(name.into());
    let [base, ours, theirs] = tabs(&[rename("mine")], &[rename("stored")]);
    for (later, name) in [(Side::Ours, "mine"), (Side::Theirs, "stored")] {
        let merged = merge_tabs(&base, &ours, &theirs, later);
        assert!(merged.is_conflict);
        assert_eq!(merged.design.name, name);
    }
}

/// The ids of all cards.
fn cards(design: &Design) -> FxHashSet<CardId> {
    let entities = design.entities.keys().map(|id| CardId::Entity(*id));
    let indexes = design.indexes.keys().map(|id| CardId::Index(*id));
    let notes = design.notes.keys().map(|id| CardId::Note(*id));
    entities.chain(indexes).chain(notes).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    /// Whatever both tabs do, the merged design is valid. What only one of them has is in it, under the stored or the new id.
    #[test]
    fn any_edits_of_two_tabs_merge(
        ours in proptest::collection::vec(any_command(), 1..12),
        theirs in proptest::collection::vec(any_command(), 1..12),
    ) {
        let base = saas();
        let after = |commands: &[Command]| {
            (commands.iter().cloned()).fold(base.clone(), |design, command| {
                apply(&design, command).unwrap_or(design)
            })
        };
        let (ours, theirs) = (after(&ours), after(&theirs));
        for later in [Side::Ours, Side::Theirs] {
            let merged = merge_tabs(&base, &ours, &theirs, later);
            prop_assert_eq!(validate_invariants(&merged.design), vec![]);
            if merged.is_conflict {
                continue;
            }
            let (old, now) = (cards(&base), cards(&merged.design));
            for card in cards(&theirs).difference(&old) {
                prop_assert!(now.contains(card), "{} is stored", card);
            }
            for card in cards(&ours).difference(&old) {
                prop_assert!(now.contains(&merged.moved.card(*card)), "{} is ours", card);
            }
        }
        let alone = merge_tabs(&base, &base, &theirs, Side::Ours);
        prop_assert!(alone.moved.is_empty() && diff(&alone.design, &theirs).is_empty());
    }
}

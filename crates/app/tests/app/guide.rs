//! The guided tours: following the instructions completes every step, and no step is done before.

use keyfold_app::guide::{
    FIRST_DESIGN, GuideState, GuideTab, OVERLOADING, Tour, overloading_start,
};
use keyfold_app::patterns::key_condition_offers::{missing, new_pattern, starters};
use keyfold_app::{Command, PatternEdit, SampleEdits, ValueEdit, apply, suggest};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::model::*;
use keyfold_core::proof::{self, Verdict};

/// A tour that is being followed.
struct Follow {
    tour: Tour,
    design: Design,
    tab: GuideTab,
    only: bool,
    step: usize,
}

impl Follow {
    fn new(tour: Tour, design: Design) -> Follow {
        Follow {
            tour,
            design,
            tab: GuideTab::Items(IndexId::PRIMARY),
            only: false,
            step: 0,
        }
    }

    fn run(&mut self, command: Command) {
        self.design = apply(&self.design, command).unwrap_or_else(|refused| panic!("{refused}"));
        assert!(validate_invariants(&self.design).is_empty());
    }

    fn template(&mut self, entity: &str, index: IndexId, part: KeyPart, text: &str) {
        let entity = self.entity(entity);
        self.run(Command::SetTemplate {
            entity,
            index,
            part,
            text: Some(text.into()),
        });
    }

    fn add_attribute(&mut self, entity: &str, name: &str) {
        let entity = self.entity(entity);
        let attribute = Attribute::new(AttributeId(0), name, AttributeType::S);
        self.run(Command::AddAttribute(entity, attribute));
    }

    fn type_into(&mut self, entity: &str, row: usize, attribute: &str, value: &str) {
        let entity = self.entity(entity);
        let sample = self.design.samples_of(entity)[row].id;
        let value = ValueEdit {
            entity,
            sample,
            attribute: attribute.into(),
            value: Some(Value::S(value.into())),
        };
        self.run(Command::EditSamples(Box::new(SampleEdits {
            label: "edit cell",
            values: vec![value],
            ..Default::default()
        })));
    }

    fn wire_to_empty(&mut self, entity: &str) -> IndexId {
        let entity = self.entity(entity);
        let index = suggest::new_index(&self.design, IndexKind::Gsi);
        let entry = suggest::entry_for(&self.design, entity, &index);
        self.run(Command::AddIndexFor {
            index: Box::new(index),
            at: Point { x: 0, y: 0 },
            entity,
            entry,
        });
        self.design.index_named("GSI1").expect("GSI1")
    }

    fn entity(&self, name: &str) -> EntityId {
        self.design.entity_named(name).expect("an entity")
    }

    /// The step that comes next, and that it is the only one that was done.
    fn is_at(&mut self, step: usize, title: &str) {
        let design = &self.design;
        let served = |id: AccessPatternId| {
            let proof = proof::prove(&TableSnapshot::of(design), id);
            proof.is_some_and(|proof| proof.verdict == Verdict::Served)
        };
        let state = GuideState {
            design,
            tab: self.tab,
            only: self.only,
            served: &served,
        };
        assert_eq!(
            self.tour.next_step(self.step, &state),
            step,
            "before {title}"
        );
        let next = self.tour.steps.get(step).map_or("", |step| step.title);
        assert_eq!(next, title);
        self.step = step;
    }
}

#[test]
fn each_step_of_the_first_design_is_done_by_following_its_instructions() {
    let primary = IndexId::PRIMARY;
    let at = Point { x: 0, y: 0 };
    let add = |name: &str| Command::AddEntity {
        name: name.into(),
        at,
    };
    let mut it = Follow::new(FIRST_DESIGN, Design::new("First"));
    it.is_at(0, "Add an entity");
    it.run(add("Entity"));
    it.is_at(0, "Add an entity");
    let entity = it.entity("Entity");
    it.run(Command::RenameEntity(entity, "User".into()));
    it.is_at(1, "Add an attribute");
    it.add_attribute("User", "attribute");
    it.is_at(1, "Add an attribute");
    it.add_attribute("User", "email");
    it.is_at(2, "Add a second entity");
    it.run(add("Order"));
    it.is_at(3, "Give the order its user");
    it.add_attribute("Order", "userId");
    it.is_at(4, "Share an item collection");
    it.template("Order", primary, KeyPart::Partition, "USER#{userId}");
    it.is_at(4, "Share an item collection");
    it.template("Order", primary, KeyPart::Sort, "ORDER#{orderId");
    it.is_at(4, "Share an item collection");
    it.template("Order", primary, KeyPart::Sort, "ORDER#{orderId}");
    it.is_at(5, "Join an order to its user");
    it.type_into("Order", 0, "userId", "user-1");
    it.is_at(6, "Add an index");
    let gsi = it.wire_to_empty("User");
    let user = it.entity("User");
    let entry = &it.design.entities[&user].keys[&gsi];
    assert_eq!(entry.partition.as_deref(), Some("EMAIL#{email}"));
    it.is_at(7, "Fill the index");
    it.tab = GuideTab::Items(gsi);
    it.is_at(7, "Fill the index");
    it.type_into("User", 0, "email", "ana@example.com");
    it.is_at(8, "Prove an access pattern");
    let offered = missing(&it.design, &starters(&it.design));
    assert!(!offered.is_empty());
    for pattern in offered {
        let mut other = Follow::new(FIRST_DESIGN, it.design.clone());
        (other.tab, other.step) = (GuideTab::AccessPatterns, 8);
        other.run(Command::Pattern(PatternEdit::Add(Box::new(pattern))));
        other.is_at(9, "Export the design");
        other.tab = GuideTab::Exports;
        other.is_at(10, "");
    }
}

#[test]
fn each_step_of_the_tour_of_overloading_is_done_by_following_its_instructions() {
    let start = overloading_start().expect("a design");
    assert!(validate_invariants(&start).is_empty());
    let mut it = Follow::new(OVERLOADING, start);
    it.is_at(0, "Look at one entity's keys");
    it.only = true;
    it.is_at(1, "Add an index for users");
    it.only = false;
    let gsi = it.wire_to_empty("User");
    it.is_at(2, "Overload the index");
    let project = it.entity("Project");
    let entry = suggest::index_entry(&it.design, project, gsi);
    assert_eq!(entry.partition.as_deref(), Some("STATUS#{status}"));
    it.run(Command::JoinIndex(project, gsi, entry));
    it.is_at(3, "See both in one index");
    it.tab = GuideTab::Items(gsi);
    it.is_at(4, "Prove a question about users");
    it.tab = GuideTab::AccessPatterns;
    for (step, entity, attribute, next) in [
        (5, "User", "email", "Prove a question about projects"),
        (6, "Project", "status", "Make it sparse"),
    ] {
        let operation = proof::read_requirement(&[attribute], None, false);
        let mut pattern = new_pattern(attribute.into(), operation.expect("an operation"));
        pattern.entities = vec![it.entity(entity)];
        it.run(Command::Pattern(PatternEdit::Add(Box::new(pattern))));
        // The step needs the suggestion that it names.
        let now = OVERLOADING.steps[step - 1];
        it.is_at(step - 1, now.title);
        let (pattern, _) = it
            .design
            .access_patterns
            .last_key_value()
            .expect("it is there");
        let pattern = *pattern;
        let proof = proof::prove(&TableSnapshot::of(&it.design), pattern).expect("a proof");
        let named = |text: &str| now.how.contains(&format!("“{}”", text.replace('`', "")));
        let mut all = proof.suggestions.into_iter();
        it.run(Command::ApplySuggestion {
            pattern,
            suggestion: Box::new(all.find(|one| named(&one.text)).expect("a suggestion")),
            at: Point { x: 0, y: 0 },
        });
        it.is_at(step, next);
    }
    let active = Condition {
        attribute: "status".into(),
        test: Test::Equals(Value::S("active".into())),
    };
    it.run(Command::SetConditions(project, gsi, vec![active]));
    it.is_at(7, "Check the coverage");
    it.tab = GuideTab::Coverage;
    it.is_at(8, "");
}

#[test]
fn done_steps_stay_done() {
    let mut it = Follow::new(FIRST_DESIGN, Design::new("Empty"));
    it.step = 3;
    it.is_at(3, "Give the order its user");
}

//! The guided first design: following the instructions completes every step.

use keyfold_app::guide::{GuideState, STEPS, next_step};
use keyfold_app::{Command, apply, suggest};
use keyfold_core::model::*;

fn seen(design: &Design) -> GuideState<'_> {
    GuideState {
        design,
        items: Some(IndexId::PRIMARY),
        exports: false,
    }
}

fn run(design: &Design, command: Command) -> Design {
    let design = apply(design, command).unwrap_or_else(|refused| panic!("{refused}"));
    assert!(validate_invariants(&design).is_empty());
    design
}

fn template(entity: EntityId, index: IndexId, part: KeyPart, text: &str) -> Command {
    Command::SetTemplate {
        entity,
        index,
        part,
        text: Some(text.into()),
    }
}

#[test]
fn each_step_is_done_by_following_its_instructions() {
    let at = Point { x: 0, y: 0 };
    let add = |name: &str| Command::AddEntity {
        name: name.into(),
        at,
    };
    let mut design = Design::new("First");
    assert_eq!(next_step(0, seen(&design)), 0);

    design = run(&design, add("User"));
    let user = design.entity_named("User").unwrap();
    assert_eq!(next_step(0, seen(&design)), 1);

    let email = Attribute::new(AttributeId(0), "email", AttributeType::S);
    design = run(&design, Command::AddAttribute(user, email));
    assert_eq!(next_step(1, seen(&design)), 2);

    design = run(&design, add("Order"));
    let order = design.entity_named("Order").unwrap();
    assert_eq!(next_step(2, seen(&design)), 3);

    let primary = IndexId::PRIMARY;
    design = run(
        &design,
        template(user, primary, KeyPart::Partition, "USER#{userId}"),
    );
    design = run(
        &design,
        template(order, primary, KeyPart::Partition, "USER#{userId}"),
    );
    design = run(
        &design,
        template(order, primary, KeyPart::Sort, "ORDER#{orderId}"),
    );
    assert_eq!(next_step(3, seen(&design)), 4);

    let index = suggest::new_index(&design, IndexKind::Gsi);
    let entry = suggest::entry_for(&design, user, &index);
    design = run(
        &design,
        Command::AddIndexFor {
            index: Box::new(index),
            at,
            entity: user,
            entry,
        },
    );
    let gsi = design.index_named("GSI1").unwrap();
    design = run(
        &design,
        template(user, gsi, KeyPart::Partition, "EMAIL#{email}"),
    );
    assert_eq!(next_step(4, seen(&design)), 5);

    let looking = |items, exports| GuideState {
        design: &design,
        items,
        exports,
    };
    assert_eq!(next_step(5, looking(Some(gsi), false)), 6);
    assert_eq!(next_step(6, looking(None, true)), STEPS.len());
}

#[test]
fn done_steps_stay_done() {
    let design = keyfold_core::library::find("e-commerce")
        .unwrap()
        .design()
        .unwrap();
    assert_eq!(next_step(0, seen(&design)), 5);
    assert_eq!(next_step(3, seen(&Design::new("Empty"))), 3);
}

//! The guided first design: its steps, and when each step is done. A step is done as soon as the design meets its
//! condition, however the user got there. The guide never edits the design.

use keyfold_core::model::{Design, Entity, IndexId, IndexKind};
use keyfold_core::template;

/// What the steps check.
#[derive(Debug, Clone, Copy)]
pub struct GuideState<'a> {
    /// The open design.
    pub design: &'a Design,
    /// The table or index shown in the live table, if one is shown.
    pub items: Option<IndexId>,
    /// Whether the exports are visible.
    pub exports: bool,
}

/// A step of the guide.
#[derive(Debug, Clone, Copy)]
pub struct GuideStep {
    /// The task, in a few words.
    pub title: &'static str,
    /// How to do it, and why.
    pub how: &'static str,
    /// Whether the step is done.
    pub done: fn(GuideState) -> bool,
}

/// All steps, in order.
pub const STEPS: &[GuideStep] = &[
    GuideStep {
        title: "Add an entity",
        how: "Press E, or drag Entity from the left onto the canvas, and type a name such as User. \
              An entity is a type of item in the table.",
        done: |state| !state.design.entities.is_empty(),
    },
    GuideStep {
        title: "Add an attribute",
        how: "Select the card, choose “Add attribute” in the inspector, and name it email.",
        done: |state| any(state.design, |entity| entity.attributes.len() >= 2),
    },
    GuideStep {
        title: "Add a second entity",
        how: "Add an entity such as Order. Each entity gets its own keys, and a sample in the table below.",
        done: |state| state.design.entities.len() >= 2,
    },
    GuideStep {
        title: "Share an item collection",
        how: "Select Order. Set its partition key template to that of User, USER#{userId}, and its sort key template \
              to ORDER#{orderId}. One Query then reads a user with all orders.",
        done: |state| shares_partition(state.design),
    },
    GuideStep {
        title: "Add an index",
        how: "Drag from the port at the right of User's header to an empty spot to add a GSI. Then set its partition \
              key template to EMAIL#{email}.",
        done: |state| {
            any(state.design, |entity| {
                let secondary = entity.keys.iter().filter(|(index, _)| !index.is_primary());
                secondary.into_iter().any(|(_, entry)| {
                    let template = entry.partition.as_deref().map(template::parse);
                    template.is_some_and(|parsed| parsed.template.attributes().next().is_some())
                })
            }) && state
                .design
                .indexes
                .values()
                .any(|index| index.kind == IndexKind::Gsi)
        },
    },
    GuideStep {
        title: "View the index",
        how: "Choose the index's tab below the canvas. It shows the items that have the index keys, in index order.",
        done: |state| state.items.is_some_and(|index| !index.is_primary()),
    },
    GuideStep {
        title: "Export the design",
        how: "Choose Export for CloudFormation and Rust key builders, ready to use.",
        done: |state| state.exports,
    },
];

/// Returns the number of the next step that is not done, starting at `from` and counting from 0; the number of steps
/// if all are done. Earlier steps stay done even if the user deletes what they made.
pub fn next_step(from: usize, state: GuideState) -> usize {
    let ahead = STEPS.iter().skip(from);
    from + ahead.take_while(|step| (step.done)(state)).count()
}

fn any(design: &Design, fits: impl Fn(&Entity) -> bool) -> bool {
    design.entities.values().any(|entity| fits(entity))
}

/// Whether two entities have the same partition key template, and it has a placeholder.
fn shares_partition(design: &Design) -> bool {
    let partition = |entity: &Entity| entity.keys.get(&IndexId::PRIMARY)?.partition.clone();
    let texts: Vec<String> = design
        .entities
        .values()
        .filter_map(|e| partition(e))
        .collect();
    (texts.iter().enumerate()).any(|(at, text)| {
        let has_placeholder = template::parse(text).template.attributes().next().is_some();
        has_placeholder && texts[at + 1..].contains(text)
    })
}

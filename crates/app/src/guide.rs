//! The guided first design: what a newcomer does, step by step, and when each step is done. A step counts as done as
//! soon as the design shows it, however it was reached; nothing is done in the person's place.

use keyfold_core::model::{Design, Entity, IndexId, IndexKind};
use keyfold_core::template;

/// What a step looks at.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The open design.
    pub design: &'a Design,
    /// The table or index whose items are shown, if any are.
    pub items: Option<IndexId>,
    /// Whether the exports are shown.
    pub exports: bool,
}

/// A step of the guide.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// What is to be done, in a few words.
    pub title: &'static str,
    /// How, and what it is good for.
    pub how: &'static str,
    /// Whether it is done.
    pub done: fn(Seen) -> bool,
}

/// The steps, in order.
pub const STEPS: &[Step] = &[
    Step {
        title: "Add an entity",
        how: "Press E, or drag Entity from the left onto the canvas, and type a name such as User. \
              An entity is a kind of item in the one table.",
        done: |seen| !seen.design.entities.is_empty(),
    },
    Step {
        title: "Give it an attribute",
        how: "With the card selected, choose “Add attribute” in the inspector and call it email.",
        done: |seen| any(seen.design, |entity| entity.attributes.len() >= 2),
    },
    Step {
        title: "Add what it owns",
        how: "Add a second entity, such as Order. Each brings keys of its own and a row in the table below.",
        done: |seen| seen.design.entities.len() >= 2,
    },
    Step {
        title: "Put both into one item collection",
        how: "Select Order and make its partition key template the same as that of User, USER#{userId}, and its sort \
              key ORDER#{orderId}. One Query then reads a user with all orders.",
        done: |seen| shares_partition(seen.design),
    },
    Step {
        title: "Look up by something else",
        how: "Drag from the port at the right of User's head to an empty spot: a new GSI. Then make its partition key \
              template EMAIL#{email}.",
        done: |seen| {
            any(seen.design, |entity| {
                let secondary = entity.keys.iter().filter(|(index, _)| !index.is_primary());
                secondary.into_iter().any(|(_, entry)| {
                    let template = entry.partition.as_deref().map(template::parse);
                    template.is_some_and(|parsed| parsed.template.attributes().next().is_some())
                })
            }) && seen
                .design
                .indexes
                .values()
                .any(|index| index.kind == IndexKind::Gsi)
        },
    },
    Step {
        title: "See the index as DynamoDB holds it",
        how: "Choose the index's tab below the canvas: only the items that have its keys are in it, in its order.",
        done: |seen| seen.items.is_some_and(|index| !index.is_primary()),
    },
    Step {
        title: "Take it with you",
        how: "Choose Export: CloudFormation and Rust key builders, ready to use.",
        done: |seen| seen.exports,
    },
];

/// The step that comes next, by its number from 0, counting on from `from`; the number of steps once all are done.
/// A step that was done before stays done, even when what it made is gone.
pub fn next(from: usize, seen: Seen) -> usize {
    let ahead = STEPS.iter().skip(from);
    from + ahead.take_while(|step| (step.done)(seen)).count()
}

fn any(design: &Design, fits: impl Fn(&Entity) -> bool) -> bool {
    design.entities.values().any(|entity| fits(entity))
}

/// Whether two entities have the same partition key template, with a placeholder in it.
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

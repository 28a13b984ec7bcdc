//! The references of a design as a list: each is accepted, refused or left as a guess. To accept one sets it as the format
//! of its attribute; to refuse one sets the format that the attribute would have without it. The canvas draws those that
//! are not refused.

use super::{Command, Refused};
use keyfold_core::engine::generate::{self, Reference, ReferenceChoice};
use keyfold_core::model::{AttributeType, Design, Distribution, EntityId, Format};

/// Explains a design without references.
pub const NONE: &str = "No references: no attribute refers to another entity. Name an attribute after the ID of that entity, such as userId, or use the same key template.";

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceLine {
    /// The reference.
    pub reference: Reference,
    /// The referring attribute: `Issue.creator`.
    pub from: String,
    /// The attribute referred to: `User.username`.
    pub to: String,
}

/// Returns all references, in the order of the entities and their attributes.
pub fn lines(design: &Design) -> Vec<ReferenceLine> {
    let line = |reference: Reference| {
        let [from, to] = [reference.entity, reference.target].map(|id| name(design, id));
        ReferenceLine {
            from: format!("{from}.{}", reference.attribute),
            to: format!("{to}.{}", reference.target_attribute),
            reference,
        }
    };
    generate::references(design).into_iter().map(line).collect()
}

/// Returns the references that are not refused, in the same order.
pub fn drawn(design: &Design) -> Vec<Reference> {
    let all = generate::references(design).into_iter();
    all.filter(|reference| reference.choice != ReferenceChoice::Refused)
        .collect()
}

/// Returns the label of a reference on the canvas, such as `Order.userId → User`.
pub fn label(design: &Design, reference: &Reference) -> String {
    format!(
        "{}.{} → {}",
        name(design, reference.entity),
        reference.attribute,
        name(design, reference.target)
    )
}

/// Returns the entities that refer to others, in the order of the references, and to what: `refers to User by userId`.
pub fn descriptions(design: &Design, references: &[Reference]) -> Vec<(EntityId, String)> {
    let mut all: Vec<(EntityId, String)> = Vec::new();
    for reference in references {
        let to = format!(
            "{} by {}",
            name(design, reference.target),
            reference.attribute
        );
        match all.last_mut() {
            Some((id, text)) if *id == reference.entity => {
                text.push_str(", ");
                text.push_str(&to);
            }
            _ => all.push((reference.entity, format!("refers to {to}"))),
        }
    }
    all
}

fn name(design: &Design, id: EntityId) -> &str {
    let entity = design.entities.get(&id);
    entity.map_or("", |entity| entity.name.as_str())
}

/// Returns the command for a choice about a reference.
///
/// # Errors
/// The attribute no longer exists.
pub fn choose(
    design: &Design,
    reference: &Reference,
    choice: ReferenceChoice,
) -> Result<Command, Refused> {
    let entity = design.entities.get(&reference.entity);
    let attribute = entity.and_then(|entity| entity.attribute(&reference.attribute));
    let mut attribute = Box::new(
        attribute
            .cloned()
            .ok_or_else(|| Refused("this attribute no longer exists".into()))?,
    );
    attribute.format = match choice {
        ReferenceChoice::Guessed => None,
        ReferenceChoice::Accepted => Some(Format::Reference {
            entity: reference.target,
            attribute: reference.target_attribute.clone(),
            distribution: Distribution::Uniform,
        }),
        ReferenceChoice::Refused => Some(
            generate::guess_without_reference(design, reference.entity, &attribute).unwrap_or(
                match attribute.kind {
                    AttributeType::N => Format::Integer { min: 1, max: 100 },
                    _ => Format::Word,
                },
            ),
        ),
    };
    Ok(Command::UpdateAttribute {
        entity: reference.entity,
        attribute,
        field: "format",
    })
}

/// Returns the command that accepts all guessed references as one step; `None` if there are none.
pub fn accept_all(design: &Design) -> Option<Command> {
    let guessed = generate::references(design).into_iter();
    let guessed = guessed.filter(|reference| reference.choice == ReferenceChoice::Guessed);
    let commands: Vec<Command> = guessed
        .filter_map(|reference| choose(design, &reference, ReferenceChoice::Accepted).ok())
        .collect();
    (!commands.is_empty()).then_some(Command::Together {
        label: "accept references",
        commands,
    })
}

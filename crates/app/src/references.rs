//! The references of a design as a list: each is accepted, refused or left as a guess. To accept one sets it as the format
//! of its attribute; to refuse one sets the format that the attribute would have without it.

use super::{Command, Refused};
use keyfold_core::engine::generate::{self, Reference, ReferenceChoice};
use keyfold_core::model::{AttributeType, Design, Distribution, Format};

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
        let name = |id| {
            design
                .entities
                .get(&id)
                .map_or("", |entity| entity.name.as_str())
        };
        ReferenceLine {
            from: format!("{}.{}", name(reference.entity), reference.attribute),
            to: format!("{}.{}", name(reference.target), reference.target_attribute),
            reference,
        }
    };
    generate::references(design).into_iter().map(line).collect()
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

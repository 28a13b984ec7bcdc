//! What a position means: a part of the design, found by the marks of the text or by a placeholder.

use keyfold_core::model::{Attribute, Entity, EntityId};
use keyfold_core::template;
use keyfold_core::text::{Lowered, Parse, Part, SyntaxKind, token_at};
use std::ops::Range;
use std::sync::Arc;

/// A part of the design and the bytes that name it.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    /// The bytes.
    pub range: Range<usize>,
    /// The part.
    pub part: Part,
}

/// Returns the part at a byte: an attribute in a placeholder or a condition, else the smallest part that is marked there.
pub fn symbol_at(parse: &Parse, lowered: &Lowered, offset: usize) -> Option<Symbol> {
    let marked = lowered.part_at(offset);
    let is_name = |part: &Part| {
        let parts = matches!(
            part,
            Part::Template(..) | Part::Entry(..) | Part::Sample(..)
        );
        !parts
    };
    if let Some(mark) = marked.filter(|mark| is_name(&mark.part)) {
        return Some(Symbol {
            range: mark.range.clone(),
            part: mark.part.clone(),
        });
    }
    attribute_at(parse, lowered, offset).or_else(|| {
        marked.map(|mark| Symbol {
            range: mark.range.clone(),
            part: mark.part.clone(),
        })
    })
}

/// The attribute that a word at a position names: a placeholder of a template, or a condition of an index.
fn attribute_at(parse: &Parse, lowered: &Lowered, offset: usize) -> Option<Symbol> {
    let token = token_at(parse, offset).filter(|token| token.kind() == SyntaxKind::Word)?;
    let start = usize::from(token.text_range().start());
    let text = token.text();
    let at = offset - start;
    let parsed = template::parse(text).template;
    let placeholder = (parsed.placeholders())
        .find(|placeholder| placeholder.span.start <= at && at <= placeholder.span.end);
    let name = match placeholder {
        Some(placeholder) => {
            let from = placeholder.span.start;
            let inside = text[placeholder.span.clone()].find(&placeholder.attribute)?;
            from + inside..from + inside + placeholder.attribute.len()
        }
        None if token.parent()?.kind() == SyntaxKind::Key => 0..text.len(),
        None => return None,
    };
    let entities = entities_at(lowered, offset);
    let (entity, attribute) = entities.into_iter().find_map(|(id, entity)| {
        let attribute: &Attribute = entity.attribute(&text[name.clone()])?;
        Some((id, attribute.id))
    })?;
    Some(Symbol {
        range: start + name.start..start + name.end,
        part: Part::Attribute(entity, attribute),
    })
}

/// Returns the entities whose attributes the line at a byte can name: the entity of the block; in an access pattern, its
/// entities before the others.
pub fn entities_at(lowered: &Lowered, offset: usize) -> Vec<(EntityId, &Arc<Entity>)> {
    let design = &lowered.design;
    let is_block = |part: &Part| {
        matches!(
            part,
            Part::Table | Part::Index(_) | Part::Entity(_) | Part::Pattern(_)
        )
    };
    let blocks = (lowered.marks.iter())
        .filter(|mark| mark.is_definition && is_block(&mark.part) && mark.range.start <= offset);
    let block = blocks.max_by_key(|mark| mark.range.start);
    let mut all: Vec<(EntityId, &Arc<Entity>)> = design
        .entities
        .iter()
        .map(|(id, entity)| (*id, entity))
        .collect();
    match block.map(|mark| &mark.part) {
        Some(Part::Entity(id)) => all.retain(|(other, _)| other == id),
        Some(Part::Pattern(id)) => {
            let pattern = design.access_patterns.get(id);
            let intended = |id: &EntityId| pattern.is_some_and(|p| p.entities.contains(id));
            all.sort_by_key(|(id, _)| !intended(id));
        }
        _ => {}
    }
    all
}

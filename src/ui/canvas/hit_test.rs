//! Maps an element of the canvas to its card or wire, by its attributes.

use crate::ui::dom::element::closest;
use crate::ui::state::navigate::FIRST_FIELD;
use keyfold_app::route::Wire;
use keyfold_core::lint::Place;
use keyfold_core::model::{CardId, Design, KeyPart};
use web_sys::Element;

/// Returns the card that an element is, or is in.
pub fn card_under(element: &Element) -> Option<CardId> {
    let card = closest(element, "[data-card]")?;
    card.get_attribute("data-card")?.parse().ok()
}

/// Returns the wire that an element is, or is part of.
pub fn wire_under(element: &Element) -> Option<Wire> {
    let wire = closest(element, "[data-wire]")?.get_attribute("data-wire")?;
    let (entity, index) = wire.split_once('-')?;
    Some((entity.parse().ok()?, index.parse().ok()?))
}

/// Returns the selector of the inspector's field for a line of a card; of the first field if the line has none of its
/// own.
pub fn field_of(design: &Design, element: &Element) -> String {
    let place = line_place(design, element);
    place.map_or(FIRST_FIELD.to_owned(), |place| {
        format!(".inspector [data-place=\"{place}\"] input[type=text]")
    })
}

/// Returns the place of a line of an entity's card: an attribute or a key template.
fn line_place(design: &Design, element: &Element) -> Option<Place> {
    let Some(CardId::Entity(id)) = card_under(element) else {
        return None;
    };
    let entity = design.entities.get(&id)?;
    if let Some(line) = closest(element, ".attributes [data-follow]") {
        let attribute = entity.attribute(&line.get_attribute("data-follow")?)?;
        return Some(Place::Attribute(id, attribute.id));
    }
    let group = closest(element, ".card-group")?;
    let line = closest(element, ".key-row")?;
    let place_among = |element: &Element, siblings: &str| {
        let all = element
            .parent_element()?
            .query_selector_all(siblings)
            .ok()?;
        (0..all.length()).position(|at| {
            all.get(at)
                .is_some_and(|other| other.is_same_node(Some(element)))
        })
    };
    let (index, entry) = entity
        .keys
        .iter()
        .nth(place_among(&group, ".card-group")?)?;
    let parts = [
        (KeyPart::Partition, &entry.partition),
        (KeyPart::Sort, &entry.sort),
    ];
    let mut written = parts.into_iter().filter(|(_, text)| text.is_some());
    let (part, _) = written.nth(place_among(&line, ".key-row")?)?;
    Some(Place::Template(id, *index, part))
}

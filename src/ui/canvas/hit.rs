//! What an element of the canvas stands for: cards and wires say it in attributes.

use crate::domain::model::{CardId, EntityId, IndexId};
use web_sys::Element;

/// A wire: an entity's entry in an index.
pub type Wire = (EntityId, IndexId);

/// The element itself or the nearest one around it that the selector fits.
pub fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

/// The card that an element is, or is in.
pub fn card_under(element: &Element) -> Option<CardId> {
    let card = closest(element, "[data-card]")?;
    card.get_attribute("data-card")?.parse().ok()
}

/// The wire that an element is, or is part of.
pub fn wire_under(element: &Element) -> Option<Wire> {
    let wire = closest(element, "[data-wire]")?.get_attribute("data-wire")?;
    let (entity, index) = wire.split_once('-')?;
    Some((entity.parse().ok()?, index.parse().ok()?))
}

//! Adding access patterns, and going to the new one.

use crate::ui::dom::focus::focus_in_sight_soon;
use crate::ui::state::page_state::{PageState, Tab};
use crate::ui::state::store::Store;
use keyfold_app::patterns::key_condition_offers::new_pattern;
use keyfold_app::suggest::free_name;
use keyfold_app::{Command, PatternEdit};
use keyfold_core::model::{AccessPattern, CardId, Design};
use keyfold_core::proof::read_requirement;
use leptos::prelude::SetValue;

/// Opens the access patterns and adds one.
pub fn add_access_pattern(store: Store, page: PageState) {
    page.show(Tab::AccessPatterns);
    add(store);
}

/// Adds an access pattern for the selected entity or a likely one, without any known attributes. The first entity that the
/// user presses takes its place.
pub(super) fn add(store: Store) {
    let pattern = store.with(|design| {
        let taken = |name: &str| design.access_patterns.values().any(|p| p.name == name);
        let name = free_name("New access pattern", taken);
        let mut pattern = new_pattern(name, wished());
        let selected = store.selection.with_untracked(|cards| {
            let mut entities = cards.iter().filter_map(|card| match card {
                CardId::Entity(id) => Some(*id),
                _ => None,
            });
            entities.next().filter(|_| entities.next().is_none())
        });
        pattern
            .entities
            .extend(selected.or_else(|| newest_entity(design)));
        pattern
    });
    let guess = pattern.entities.first().copied();
    add_pattern(store, pattern);
    let proofs = store.proofs;
    (proofs.guess).set_value(proofs.selected.get_untracked().zip(guess));
    proofs.detail.set(true);
    focus_in_sight_soon(".pattern-editor input".into());
}

fn wished() -> keyfold_core::model::Operation {
    read_requirement(&[], None, false).unwrap_or_else(|_| keyfold_core::model::Operation::Scan {
        index: keyfold_core::model::IndexId::PRIMARY,
        limit: None,
        read: Default::default(),
    })
}

/// Returns the likely entity of a new access pattern if none is selected: the last one without an access pattern, else the last one.
fn newest_entity(design: &Design) -> Option<keyfold_core::model::EntityId> {
    let is_free = |id| !(design.access_patterns.values()).any(|p| p.entities.contains(id));
    let mut ids = design.entities.keys().rev();
    (ids.clone().find(|id| is_free(id)))
        .or_else(|| ids.next())
        .copied()
}

pub(super) fn add_pattern(store: Store, pattern: AccessPattern) {
    store.perform(Command::Pattern(PatternEdit::Add(Box::new(pattern))));
    select_last(store);
}

pub(super) fn add_all(store: Store, patterns: Vec<AccessPattern>) {
    store.perform(Command::Pattern(PatternEdit::AddAll(patterns)));
    select_last(store);
}

fn select_last(store: Store) {
    let last = store.with(|design| design.access_patterns.keys().next_back().copied());
    store.proofs.selected.set(last);
}

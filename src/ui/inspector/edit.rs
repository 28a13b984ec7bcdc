//! How fields read and change the design. A field for one property of a table, an index or an attribute edits a copy
//! of the whole and passes it to a command.

use crate::ui::reactive::erased::{Memo, memo};
use crate::ui::reactive::later::next_frame_with;
use crate::ui::state::store::{EntityNode, IndexNode, Store};
use crate::ui::widgets::field::Commit;
use keyfold_app::{Command, Refused};
use keyfold_core::model::{Attribute, AttributeId, EntityId, Index, IndexId, Table};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};

/// The result of changing a copy.
pub type Edited = Result<(), Refused>;

/// A change of a copy; boxed, so that the code around it is compiled once for all fields.
type Change<'a, T> = Box<dyn FnOnce(&mut T) -> Edited + 'a>;

/// How an entered text changes a copy, boxed for the same reason.
type Write<T> = Box<dyn Fn(&mut T, String) -> Edited + Send + Sync>;

/// Returns a property of the table.
pub fn table<T>(store: Store, read: impl Fn(&Table) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    memo(move |_| store.table.with(|table| read(table)))
}

/// Changes one property of the table.
pub fn edit_table(
    store: Store,
    field: &'static str,
    change: impl FnOnce(&mut Table) -> Edited,
) -> Edited {
    update_table(store, field, Box::new(change))
}

fn update_table(store: Store, field: &'static str, change: Change<Table>) -> Edited {
    let mut table = store.with(|design| Table::clone(&design.table));
    change(&mut table)?;
    store.run(Command::UpdateTable {
        table: Box::new(table),
        field,
    })
}

/// Returns the commit of a field for one property of the table.
pub fn set_table(
    store: Store,
    field: &'static str,
    write: impl Fn(&mut Table, String) -> Edited + Send + Sync + 'static,
) -> Commit {
    table_commit(store, field, Box::new(write))
}

fn table_commit(store: Store, field: &'static str, write: Write<Table>) -> Commit {
    Callback::new(move |text| edit_table(store, field, |table| write(table, text)))
}

/// Returns the commit of a switch for one property of the table.
pub fn switch_table(
    store: Store,
    field: &'static str,
    write: impl Fn(&mut Table, bool) + Send + Sync + 'static,
) -> Callback<bool> {
    table_switch(store, field, Box::new(write))
}

type Switch = Box<dyn Fn(&mut Table, bool) + Send + Sync>;

fn table_switch(store: Store, field: &'static str, write: Switch) -> Callback<bool> {
    Callback::new(move |on| {
        let done = edit_table(store, field, |table| {
            write(table, on);
            Ok(())
        });
        store.complain_if_refused(done);
    })
}

/// Returns a property of an index.
pub fn index<T>(node: &IndexNode, read: impl Fn(&Index) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    let index = node.index.clone();
    memo(move |_| index.with(|index| read(index)))
}

/// Changes one property of an index.
pub fn edit_index(
    store: Store,
    id: IndexId,
    field: &'static str,
    change: impl FnOnce(&mut Index) -> Edited,
) -> Edited {
    update_index(store, id, field, Box::new(change))
}

fn update_index(store: Store, id: IndexId, field: &'static str, change: Change<Index>) -> Edited {
    let index = store.with(|design| design.indexes.get(&id).map(|index| Index::clone(index)));
    let mut index = index.ok_or_else(|| Refused("this index no longer exists".into()))?;
    change(&mut index)?;
    store.run(Command::UpdateIndex {
        id,
        index: Box::new(index),
        field,
    })
}

/// Returns the commit of a field for one property of an index.
pub fn set_index(
    store: Store,
    id: IndexId,
    field: &'static str,
    write: impl Fn(&mut Index, String) -> Edited + Send + Sync + 'static,
) -> Commit {
    index_commit(store, id, field, Box::new(write))
}

fn index_commit(store: Store, id: IndexId, field: &'static str, write: Write<Index>) -> Commit {
    Callback::new(move |text| edit_index(store, id, field, |index| write(index, text)))
}

/// Returns an attribute of an entity; the last known one while the row of a deleted attribute is removed.
pub fn attribute(node: &EntityNode, id: AttributeId) -> Memo<Attribute> {
    let entity = node.entity.clone();
    memo(move |last: Option<&Attribute>| {
        let found = entity.with(|e| e.attribute_by_id(id).cloned());
        found
            .or_else(|| last.cloned())
            .unwrap_or_else(|| Attribute::new(id, "", Default::default()))
    })
}

/// Changes one property of an attribute.
pub fn edit_attribute(
    store: Store,
    entity: EntityId,
    id: AttributeId,
    field: &'static str,
    change: impl FnOnce(&mut Attribute) -> Edited,
) -> Edited {
    update_attribute(store, entity, id, field, Box::new(change))
}

fn update_attribute(
    store: Store,
    entity: EntityId,
    id: AttributeId,
    field: &'static str,
    change: Change<Attribute>,
) -> Edited {
    let found = store.with(|design| {
        let entity = design.entities.get(&entity)?;
        entity.attribute_by_id(id).cloned()
    });
    let mut attribute = found.ok_or_else(|| Refused("this attribute no longer exists".into()))?;
    change(&mut attribute)?;
    store.run(Command::UpdateAttribute {
        entity,
        attribute: Box::new(attribute),
        field,
    })
}

/// Returns the commit of a field for one property of an attribute.
pub fn set_attribute(
    store: Store,
    entity: EntityId,
    id: AttributeId,
    field: &'static str,
    write: impl Fn(&mut Attribute, String) -> Edited + Send + Sync + 'static,
) -> Commit {
    attribute_commit(store, entity, id, field, Box::new(write))
}

fn attribute_commit(
    store: Store,
    entity: EntityId,
    id: AttributeId,
    field: &'static str,
    write: Write<Attribute>,
) -> Commit {
    Callback::new(move |text| edit_attribute(store, entity, id, field, |a| write(a, text)))
}

/// Returns the options of a select with fixed words.
pub fn options(words: &[(&str, &str)]) -> Signal<Vec<(String, String)>> {
    let owned = |(value, text): &(&str, &str)| ((*value).to_owned(), (*text).to_owned());
    Signal::stored(words.iter().map(owned).collect())
}

/// Focuses the last element of the inspector that the selector finds, once it is mounted, and selects the text of a
/// field.
pub fn focus_last_soon(selector: String) {
    next_frame_with(format!(".inspector {selector}"), |selector| {
        let found = document().query_selector_all(&selector);
        let last = found
            .ok()
            .and_then(|all| all.item(all.length().checked_sub(1)?));
        let Some(element) = last else { return };
        // First the focus, which scrolls to the element: in Chromium `select` also focuses, but does not scroll.
        if let Some(element) = element.dyn_ref::<HtmlElement>() {
            let _ = element.focus();
        }
        if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
            input.select();
        }
    });
}

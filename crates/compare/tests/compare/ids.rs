//! Whether ids mean the same parts, and what is taken as the same without them.

use keyfold_compare::{matched_for_merge, matched_with_remarks, share_ids};
use keyfold_core::model::{Attribute, AttributeId, Design, Note, NoteId};
use keyfold_core::text;
use std::sync::Arc;

const ORDERS: &str = "table orders (PK, SK)

gsi byStatus (status, number)

entity Order
  customerId string
  number string
  status string
  note string
  key C#{customerId} / O#{number}

entity Customer
  customerId string
  name string
  email string
  key C#{customerId} / META
";

fn read(text: &str) -> Design {
    text::lower(&text::parse(text), None).design
}

/// The id of an attribute of Order.
fn id(design: &Design, name: &str) -> Option<AttributeId> {
    let order = design.entity_named("Order")?;
    Some(design.entities[&order].attribute(name)?.id)
}

fn edit(design: &mut Design, change: impl FnOnce(&mut Vec<Attribute>)) {
    let order = design.entity_named("Order").unwrap();
    let entity = design.entities.get_mut(&order).unwrap();
    change(&mut Arc::make_mut(entity).attributes);
}

#[test]
fn equal_notes_do_not_make_ids_doubtful() {
    let mut design = read(ORDERS);
    for _ in 0..2 {
        let id = NoteId(design.take_id());
        let note = Note {
            text: String::new(),
            hue: 1,
        };
        design.notes.insert(id, Arc::new(note));
    }
    assert!(share_ids(&design, &design));
}

/// A part that was made again has a new id; one whose id went to another part means that the ids are numbers of a text.
#[test]
fn ids_mean_the_same_if_a_part_was_deleted_and_made_again() {
    let old = read(ORDERS);
    let mut again = old.clone();
    let fresh = AttributeId(again.take_id());
    edit(&mut again, |attributes| attributes[3].id = fresh);
    assert!(share_ids(&old, &again));
    let (same, remarks) = matched_with_remarks(&old, &again, true);
    assert_eq!((same, remarks), (again, vec![]));
    // Many parts.
    let mut many = old.clone();
    for at in 0..4 {
        let fresh = AttributeId(many.take_id());
        edit(&mut many, |attributes| attributes[at].id = fresh);
    }
    assert!(!share_ids(&old, &many));
    // The new attribute takes the number of the next one, and so on.
    let longer = read(&ORDERS.replace("  email string\n", "  city string\n  email string\n"));
    assert!(!share_ids(&old, &longer));
}

/// In a merge, what one side renamed is renamed on the other: an attribute is never taken as another one.
#[test]
fn a_merge_knows_attributes_by_their_name_only() {
    let old = read(ORDERS);
    let new = read(&ORDERS.replace("number", "orderUlid"));
    let merged = matched_for_merge(&old, &new, false);
    assert_ne!(id(&merged, "orderUlid"), id(&old, "number"));
    let status = id(&merged, "status");
    assert!(status.is_some() && status == id(&old, "status"));
    let (compared, remarks) = matched_with_remarks(&old, &new, false);
    assert_eq!(id(&compared, "orderUlid"), id(&old, "number"));
    assert_eq!(
        remarks,
        [
            "Order: `orderUlid` is taken as the new name of `number`. If it is other data, every key with it must be rewritten."
        ]
    );
}

/// Attributes with other uses in keys are other attributes.
#[test]
fn the_use_in_keys_tells_attributes_apart() {
    let old = read(ORDERS);
    for (text, is_renamed) in [
        (ORDERS.replace("number", "orderUlid"), true),
        // Both parts of the key are renamed.
        (
            ORDERS
                .replace("number", "orderUlid")
                .replace("status", "state"),
            true,
        ),
        (
            ORDERS
                .replace("O#{number}", "ULID#{number}")
                .replace("number", "orderUlid"),
            false,
        ),
        (
            ORDERS
                .replace("  number string", "  orderUlid string")
                .replace("O#{number}", "O#{note}"),
            false,
        ),
        (
            ORDERS
                .replace("(status, number)", "(number, status)")
                .replace("number", "orderUlid"),
            false,
        ),
    ] {
        let (compared, _) = matched_with_remarks(&old, &read(&text), false);
        let is_same = id(&compared, "orderUlid") == id(&old, "number");
        assert_eq!(is_same, is_renamed, "{text}");
    }
}

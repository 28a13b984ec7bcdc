//! Merges in which one side deletes an attribute that the other side begins to use outside templates.

use keyfold_compare::{Side, merge};
use keyfold_core::model::{
    Design, Index, IndexId, IndexKind, KeyAttribute, KeySchema, Projection, validate_invariants,
};
use keyfold_core::text;
use std::sync::Arc;

const ORDERS: &str = "table orders (PK, SK)

gsi byStatus (status, id)

entity Order
  id string
  status string
  score string
  place string
  key O#{id} / META

entity Line
  id string
  score string
  key O#{id} / LINE
";

fn read(text: &str) -> Design {
    text::lower(&text::parse(text), None).design
}

fn without(design: &Design, entity: &str, name: &str) -> Design {
    let mut design = design.clone();
    let id = design.entity_named(entity).unwrap();
    let entity = Arc::make_mut(design.entities.get_mut(&id).unwrap());
    entity.attributes.retain(|attribute| attribute.name != name);
    design
}

fn add_index(design: &mut Design, partition: &str, sort: &[&str]) {
    let mut key = KeySchema::pair(partition, "id");
    key.sort = sort.iter().map(|name| KeyAttribute::text(*name)).collect();
    let id = IndexId(design.take_id());
    let index = Index::new("byScore", IndexKind::Gsi, key);
    design.indexes.insert(id, Arc::new(index));
}

/// Merges both ways round: the deletion is taken, or the use.
fn check(name: &str, base: &Design, deleted: &Design, used: &Design, by: &str) {
    assert_eq!(validate_invariants(used), vec![], "{name}");
    for side in [Side::Ours, Side::Theirs] {
        let merged = merge(base, deleted, used, &|_| side);
        let said: Vec<String> = (merged.conflicts.iter())
            .map(|conflict| merged.describe(base, deleted, conflict))
            .collect();
        assert_eq!(said.len(), 1, "{name}: {said:?}");
        assert!(
            said[0].contains(&format!("deleted in ours, used in theirs by {by}")),
            "{name}: {said:?}"
        );
        let design = &merged.design;
        assert_eq!(validate_invariants(design), vec![], "{name}");
        let wanted = match side {
            Side::Ours => deleted,
            Side::Theirs => used,
        };
        assert_eq!(
            design.table.ttl_attribute, wanted.table.ttl_attribute,
            "{name}"
        );
        assert_eq!(design.indexes, wanted.indexes, "{name}");
        assert_eq!(design.entities, wanted.entities, "{name}");
        // What has nothing to do with it stays.
        assert_eq!(design.table.tags, used.table.tags, "{name}");
    }
}

#[test]
fn a_deleted_attribute_that_the_other_side_uses_is_a_conflict() {
    let base = read(ORDERS);
    let deleted = without(&base, "Order", "place");

    let mut natural = base.clone();
    add_index(&mut natural, "place", &["id"]);
    check("natural key", &base, &deleted, &natural, "byScore");

    let mut several = base.clone();
    add_index(&mut several, "score", &["place", "id"]);
    check("multi-attribute key", &base, &deleted, &several, "byScore");

    let mut projected = base.clone();
    for index in projected.indexes.values_mut() {
        Arc::make_mut(index).projection = Projection::Include(vec!["place".into()]);
    }
    check("projection", &base, &deleted, &projected, "byStatus");

    let mut timed = base.clone();
    let table = Arc::make_mut(&mut timed.table);
    table.ttl_attribute = Some("place".into());
    table.tags.insert("team".into(), "shop".into());
    check("time to live", &base, &deleted, &timed, "Table");
}

/// Another entity has the attribute: the use is about that one.
#[test]
fn a_use_that_other_entities_serve_is_no_conflict() {
    let base = read(ORDERS);
    let deleted = without(&base, "Order", "score");
    let mut used = base.clone();
    Arc::make_mut(&mut used.table).ttl_attribute = Some("score".into());
    for index in used.indexes.values_mut() {
        Arc::make_mut(index).projection = Projection::Include(vec!["score".into()]);
    }
    let merged = merge(&base, &deleted, &used, &|_| Side::Ours);
    assert_eq!(merged.conflicts, vec![]);
    assert_eq!(merged.design.table, used.table);
    // Lines have no status and were never in this index.
    let lines = without(&base, "Line", "score");
    let mut keyed = base.clone();
    add_index(&mut keyed, "status", &["score"]);
    assert_eq!(
        merge(&base, &lines, &keyed, &|_| Side::Ours).conflicts,
        vec![]
    );
    // An attribute that the side itself does not have is its own affair.
    let mut own = deleted.clone();
    add_index(&mut own, "status", &["score"]);
    let merged = merge(&base, &deleted, &own, &|_| Side::Ours);
    assert_eq!(merged.conflicts, vec![]);
}

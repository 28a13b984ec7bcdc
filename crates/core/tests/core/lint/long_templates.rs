//! Findings of very long templates: a message quotes a part, so that many errors do not fill the memory.

use keyfold_core::lint::lint;
use keyfold_core::model::{Entity, EntityId, IndexEntry, IndexId};
use std::sync::Arc;

#[test]
fn a_message_quotes_a_part_of_a_long_template() {
    let mut design = keyfold_core::library::patterns()[0].design().unwrap();
    let id = EntityId(design.next_id);
    design.next_id += 1;
    let mut entity = Entity::new("Broken", 0);
    let entry = IndexEntry {
        partition: Some("}a".repeat(3000)),
        sort: Some("{unknown}".repeat(1000)),
        when: Vec::new(),
    };
    entity.keys.insert(IndexId::PRIMARY, entry);
    design.entities.insert(id, Arc::new(entity));
    let report = lint(&design);
    let messages: Vec<&str> = (report
        .findings
        .iter()
        .map(|finding| finding.message.as_str()))
    .filter(|message| message.contains("Broken"))
    .collect();
    assert!(messages.len() >= 4000, "{}", messages.len());
    assert!(messages.iter().all(|message| message.len() < 400));
}

//! What writes the key attributes of an entity's items.

use keyfold_core::engine::key_sources::{
    EmptyText, KeySource, OwnAttribute, Preferred, has_template, is_in_index, is_replaced,
    key_source, source_in, stored_source, stored_template, templates,
};
use keyfold_core::model::*;
use std::sync::Arc;

/// A table with key `PK` and `SK`; GSI 1 and GSI 2 share the partition key `G`, GSI 3 has the key `owner` and `SK`.
fn design() -> Design {
    let mut design = Design::new("Shared");
    let gsi = |name: &str, key| Arc::new(Index::new(name, IndexKind::Gsi, key));
    for (id, sort) in [(1, "A"), (2, "B")] {
        let index = gsi(&format!("GSI{id}"), KeySchema::pair("G", sort));
        design.indexes.insert(IndexId(id), index);
    }
    let index = gsi("GSI3", KeySchema::pair("owner", "SK"));
    design.indexes.insert(IndexId(3), index);
    design
}

fn entity(entries: &[(IndexId, Option<&str>, Option<&str>)]) -> Entity {
    let mut entity = Entity::new("User", 0);
    let owner = Attribute::new(AttributeId(5), "owner", AttributeType::N);
    entity.attributes.push(owner);
    for (index, partition, sort) in entries {
        let entry = IndexEntry {
            partition: partition.map(str::to_owned),
            sort: sort.map(str::to_owned),
            when: Vec::new(),
        };
        entity.keys.insert(*index, entry);
    }
    entity
}

fn source(entity: &Entity, name: &str, preferred: Preferred, empty: EmptyText) -> Option<String> {
    let design = design();
    let own = OwnAttribute::OfAnyType;
    let source = key_source(&design, entity, name, preferred, empty, own);
    source.text().map(|text| text.into_owned())
}

#[test]
fn the_lowest_index_wins_unless_another_is_preferred() {
    let entity = entity(&[
        (IndexId(1), Some("ONE#{id}"), None),
        (IndexId(2), Some("TWO#{id}"), None),
    ]);
    let of = |preferred| source(&entity, "G", preferred, EmptyText::Counts);
    assert_eq!(of(Preferred::Lowest).as_deref(), Some("ONE#{id}"));
    let preferred = Preferred::Index(IndexId(2));
    assert_eq!(of(preferred).as_deref(), Some("TWO#{id}"));
    let without = Preferred::Index(IndexId::PRIMARY);
    assert_eq!(of(without).as_deref(), Some("ONE#{id}"));

    let design = design();
    let stored = stored_template(&design, &entity, "G").map(|template| template.index);
    assert_eq!(stored, Some(IndexId(1)));
    let stored = stored_source(&design, &entity, "G");
    assert_eq!(stored.text().as_deref(), Some("ONE#{id}"));
    let in_second = source_in(&design, &entity, IndexId(2), "G");
    assert_eq!(in_second.text().as_deref(), Some("TWO#{id}"));
}

#[test]
fn an_empty_template_counts_or_is_skipped() {
    let entity = entity(&[
        (IndexId(1), Some(""), None),
        (IndexId(2), Some("TWO#{id}"), None),
        (IndexId(3), Some(""), None),
    ]);
    let of = |name, empty| source(&entity, name, Preferred::Lowest, empty);
    assert_eq!(of("G", EmptyText::Counts).as_deref(), Some(""));
    assert_eq!(of("G", EmptyText::Skipped).as_deref(), Some("TWO#{id}"));
    assert_eq!(of("owner", EmptyText::Counts).as_deref(), Some(""));
    assert_eq!(of("owner", EmptyText::Skipped).as_deref(), Some("{owner}"));
    assert!(has_template(&design(), &entity, "owner"));
    assert!(!has_template(&design(), &entity, "SK"));
}

#[test]
fn the_items_own_attribute_supplies_a_key_without_a_template() {
    let (design, entity) = (design(), entity(&[]));
    let of = |name, own| {
        let (preferred, empty) = (Preferred::Lowest, EmptyText::Counts);
        key_source(&design, &entity, name, preferred, empty, own)
    };
    let any = OwnAttribute::OfAnyType;
    assert!(matches!(of("owner", any), KeySource::Attribute(own) if own.name == "owner"));
    assert!(matches!(of("PK", any), KeySource::Nothing));
    let number = OwnAttribute::OfType(KeyType::N);
    assert!(matches!(of("owner", number), KeySource::Attribute(_)));
    let text = OwnAttribute::OfType(KeyType::S);
    assert!(matches!(of("owner", text), KeySource::Nothing));
}

#[test]
fn a_template_that_renders_no_key_is_none() {
    let (design, broken) = (design(), entity(&[(IndexId(1), Some("USER#{"), Some(""))]));
    for name in ["G", "A"] {
        let source = stored_source(&design, &broken, name);
        assert!(matches!(source, KeySource::Template(_)), "{name}");
        assert_eq!(source.template(), None, "{name}");
    }
}

#[test]
fn templates_come_in_the_order_of_the_indexes() {
    let entity = entity(&[
        (IndexId(2), Some("TWO"), Some("B")),
        (IndexId::PRIMARY, Some("P"), Some("S")),
        (IndexId(1), None, Some("A")),
    ]);
    let design = design();
    let all: Vec<(IndexId, KeyPart, &str)> = templates(&design, &entity)
        .map(|template| (template.index, template.part, template.text))
        .collect();
    let expected = [
        (IndexId::PRIMARY, KeyPart::Partition, "P"),
        (IndexId::PRIMARY, KeyPart::Sort, "S"),
        (IndexId(1), KeyPart::Sort, "A"),
        (IndexId(2), KeyPart::Partition, "TWO"),
        (IndexId(2), KeyPart::Sort, "B"),
    ];
    assert_eq!(all, expected);
}

#[test]
fn a_template_that_copies_the_attribute_of_its_name_is_a_natural_key() {
    let design = design();
    let mut natural = entity(&[(IndexId(3), Some("{owner}"), None)]);
    // The key is of type S, the attribute of type N: the template makes a text of it.
    assert!(is_replaced(&design, &natural, "owner"));
    natural.attributes[0].kind = AttributeType::S;
    assert!(!is_replaced(&design, &natural, "owner"));
    // Under a condition it is not always a key.
    let entry = natural.keys.get_mut(&IndexId(3)).unwrap();
    entry.when.push(Condition {
        attribute: "owner".into(),
        test: Test::Exists,
    });
    assert!(is_replaced(&design, &natural, "owner"));
}

/// Every item has the type attribute, with the entity's name.
#[test]
fn the_type_attribute_is_a_source() {
    let mut design = design();
    let by_type = Index::new("byType", IndexKind::Gsi, KeySchema::pair("type", "A"));
    design.indexes.insert(IndexId(4), Arc::new(by_type));
    let mut entity = entity(&[(IndexId(1), Some("G"), Some("{id}"))]);
    entity.name = "User {x}".to_owned();
    let source = stored_source(&design, &entity, "type");
    assert_eq!(source.text().as_deref(), Some("User {{x}}"));
    assert!(is_in_index(&design, &entity, IndexId(4)));
    let table = Arc::make_mut(&mut design.table);
    table.type_attribute = None;
    assert!(stored_source(&design, &entity, "type").text().is_none());
    assert!(!is_in_index(&design, &entity, IndexId(4)));
}

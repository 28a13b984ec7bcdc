//! Small designs with exact sizes and rates.

use keyfold_core::library;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Attribute, AttributeId, AttributeType, Design, Entity,
    EntityId, Index, IndexEntry, IndexId, IndexKind, ItemKey, KeySchema, Operation, Rate, Read,
    Sample, SampleId, Traffic, Value, Values, Volume, WriteAction,
};
use std::sync::Arc;

pub const ORDER: EntityId = EntityId(1);
pub const GET: AccessPatternId = AccessPatternId(20);
pub const PUT: AccessPatternId = AccessPatternId(21);
pub const GSI: IndexId = IndexId(30);

/// An entity whose item has exactly this size, read by GET and written by PUT, without rates.
pub fn design(bytes: usize) -> Design {
    let mut design = Design::new("Shop");
    Arc::make_mut(&mut design.table).type_attribute = None;
    let mut order = Entity::new("Order", 0);
    for (number, name) in ["orderId", "status", "note"].into_iter().enumerate() {
        let id = AttributeId(10 + number as u32);
        let mut attribute = Attribute::new(id, name, AttributeType::S);
        attribute.required = true;
        order.attributes.push(attribute);
    }
    order.keys.insert(
        IndexId::PRIMARY,
        IndexEntry::pair("ORDER#{orderId}", "ORDER"),
    );
    design.entities.insert(ORDER, order.into());
    set_note(&mut design, String::new());
    let size = keyfold_core::engine::materialize_all(&design)[&ORDER]
        .iter()
        .next()
        .unwrap()
        .size();
    set_note(&mut design, "x".repeat(bytes - size));
    let key = ItemKey {
        partition: "ORDER#{orderId}".into(),
        sort: Some("ORDER".into()),
    };
    let read = Read::default();
    add(
        &mut design,
        GET,
        "Get order",
        Operation::GetItem { key, read },
    );
    let put = WriteAction::PutItem {
        entity: ORDER,
        condition: None,
    };
    add(&mut design, PUT, "Put order", Operation::Write(put));
    design.next_id = 100;
    design
}

fn set_note(design: &mut Design, note: String) {
    let mut values = Values::new();
    values.insert("orderId".into(), Value::from("o_1"));
    values.insert("status".into(), Value::from("PENDING"));
    values.insert("note".into(), Value::S(note));
    let id = SampleId(40);
    design
        .samples
        .insert(ORDER, Arc::new(vec![Arc::new(Sample { id, values })]));
}

pub fn add(design: &mut Design, id: AccessPatternId, name: &str, operation: Operation) {
    let pattern = AccessPattern {
        name: name.into(),
        description: String::new(),
        operation,
        entities: vec![ORDER],
        sample: None,
        parameters: Default::default(),
        rate: None,
    };
    design.access_patterns.insert(id, pattern.into());
}

/// Sets the average and the peak rate, in requests per second.
pub fn rate(design: &mut Design, id: AccessPatternId, average: f64, peak: f64) {
    traffic(design, id).average = Some(Rate::PerSecond(average));
    Arc::make_mut(design.access_patterns.get_mut(&id).unwrap()).rate = Some(peak);
}

pub fn per_month(design: &mut Design, id: AccessPatternId, requests: f64) {
    traffic(design, id).average = Some(Rate::PerMonth(requests));
    Arc::make_mut(design.access_patterns.get_mut(&id).unwrap()).rate = None;
}

pub fn traffic(design: &mut Design, id: AccessPatternId) -> &mut Traffic {
    Arc::make_mut(&mut design.workload)
        .patterns
        .entry(id)
        .or_default()
}

/// Sets the items of the entity, without growth.
pub fn items(design: &mut Design, items: f64) {
    let volume = Arc::make_mut(&mut design.workload)
        .entities
        .entry(ORDER)
        .or_default();
    (volume.items, volume.growth) = (Some(items), Some(0.0));
}

/// Adds GSI1 with orders by status, and a Query of it.
pub fn by_status(design: &mut Design) {
    let index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "GSI1SK"));
    design.indexes.insert(GSI, index.into());
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    order
        .keys
        .insert(GSI, IndexEntry::pair("STATUS#{status}", "{orderId}"));
    let query = Operation::Query {
        index: GSI,
        partition: vec!["STATUS#{status}".into()],
        sort: Vec::new(),
        read: Read::default(),
        descending: false,
        limit: None,
    };
    add(design, AccessPatternId(22), "Orders by status", query);
}

/// The access pattern with a name.
pub fn named(design: &Design, name: &str) -> AccessPatternId {
    let mut all = design.access_patterns.iter();
    let found = all.find(|(_, pattern)| pattern.name == name);
    *found
        .unwrap_or_else(|| panic!("no access pattern {name}"))
        .0
}

/// The volume of an entity.
pub fn volume<'a>(design: &'a mut Design, entity: &str) -> &'a mut Volume {
    let found = (design.entities.iter()).find(|(_, own)| own.name == entity);
    let id = *found.unwrap_or_else(|| panic!("no entity {entity}")).0;
    let workload = Arc::make_mut(&mut design.workload);
    workload.entities.entry(id).or_default()
}

/// E-commerce of the library with this peak of "Place an order" (an order, its item and the stock of the product, in one
/// transaction), and no other traffic.
pub fn orders(peak: f64) -> Design {
    let mut shop = library::find("e-commerce").unwrap().design().unwrap();
    let place = named(&shop, "Place an order");
    for id in shop.access_patterns.keys().copied().collect::<Vec<_>>() {
        rate(&mut shop, id, 0.0, if id == place { peak } else { 0.0 });
    }
    shop
}

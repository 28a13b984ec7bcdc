//! Incremental computation, edit after edit: results equal those of a simple evaluation from scratch.

use crate::commands::{any_command, saas};
use keyfold_app::{Command, Document, stress};
use keyfold_core::engine::{
    Computed, EntityPlan, Item, Items, ValueRef, Work, find_duplicate_key, materialize_all,
};
use keyfold_core::model::{
    Design, EntityId, IndexId, KeyAttribute, KeyPart, OnDelimiter, SampleId, SortedMap, Value,
    compare_keys, validate_invariants,
};
use keyfold_core::template;
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

pub fn finished(before: &Arc<Computed>, design: &Design, index: IndexId) -> Arc<Computed> {
    let mut work = Work::new(before.clone(), design.clone(), Some(index));
    let mut last = 0.0;
    loop {
        let done = work.step();
        if let Some(done) = done {
            return Arc::new(done);
        }
        assert!(work.progress() >= last && work.progress() <= 1.0);
        last = work.progress();
    }
}

/// Compares the result with an evaluation that reuses nothing and sorts whole keys.
pub fn check(computed: &Computed, design: &Design, index: IndexId) {
    let fresh = materialize_all(design);
    assert!(computed.items().keys().eq(fresh.keys()));
    let mut all: Vec<Item> = Vec::new();
    for (id, items) in computed.items() {
        let ids: Vec<SampleId> = items.iter().map(|item| item.id()).collect();
        assert!(
            design
                .samples_of(*id)
                .iter()
                .map(|s| s.id)
                .eq(ids.iter().copied())
        );
        assert_eq!(items.len(), ids.len());
        assert!(items.iter().eq(fresh[id].iter()), "{id}");
        // One by one, so that no item can share the result of another.
        let plan = EntityPlan::new(design, *id);
        for item in items.iter() {
            assert_eq!(item, plan.item(item.sample()));
            check_item(design, *id, &item);
        }
        check_runs(items);
        check_twins(design, items);
        all.extend(items.iter());
    }
    let view = computed.view().expect("it was requested");
    let refused: Vec<Item> = all
        .iter()
        .filter(|item| !item.is_stored())
        .cloned()
        .collect();
    let Some(key) = design.key(index) else {
        assert!(view.content.is_none() && view.rows.is_empty());
        return;
    };
    assert_eq!(view.failed, refused);
    assert_eq!(view.total, all.len());
    let has = |item: &Item, key: &KeyAttribute| {
        (item.get(&key.name)).is_some_and(|v| v.kind() == key.kind.into() && v.size() > 0)
    };
    all.retain(|item| item.is_stored() && key.attributes().all(|key| has(item, key)));
    let value = |item: &Item, name: &str| item.get(name).expect("a key").to_value();
    let compare = |left: &Item, right: &Item, keys: &mut dyn Iterator<Item = &KeyAttribute>| {
        let orders =
            keys.map(|key| compare_keys(&value(left, &key.name), &value(right, &key.name)));
        orders.fold(std::cmp::Ordering::Equal, |all, order| all.then(order))
    };
    all.sort_by(|left, right| {
        let keys = &mut key.attributes().chain(design.table.key.attributes());
        compare(left, right, keys)
    });
    assert!(view.rows.iter().map(|row| row.item).eq(all.iter().cloned()));
    let same =
        |left: usize, right: usize| compare(&all[left], &all[right], &mut key.attributes()).is_eq();
    for (at, row) in view.rows.iter().enumerate() {
        let near = (at > 0 && same(at - 1, at)) || (at + 1 < all.len() && same(at, at + 1));
        assert_eq!(row.collides, near && index.is_primary());
    }
    let mut groups: Vec<(Vec<Value>, usize)> = Vec::new();
    for item in &all {
        let partition: Vec<Value> = key.partition.iter().map(|k| value(item, &k.name)).collect();
        match groups.last_mut() {
            Some(last) if last.0 == partition => last.1 += 1,
            _ => groups.push((partition, 1)),
        }
    }
    let found = view
        .groups
        .iter()
        .map(|g| (view.partition(g), g.rows.len()));
    assert!(groups.into_iter().eq(found));
}

/// Finds the items with problems; adjacent items with the same problems are grouped.
fn check_runs(items: &Items) {
    let failing: Vec<Item> = items.iter().filter(|i| !i.problems().is_empty()).collect();
    assert_eq!(items.with_problems(), failing.len());
    let mut rest = &failing[..];
    for (first, count) in items.runs_with_problems() {
        let (run, others) = rest.split_at(count);
        assert_eq!(run[0], first);
        assert!(run.iter().all(|item| item.problems() == first.problems()));
        rest = others;
    }
    assert!(rest.is_empty());
}

/// Finds the first item with the key of an earlier one.
fn check_twins(design: &Design, items: &Items) {
    let key = &design.table.key;
    let mut met: SortedMap<String, Item> = SortedMap::new();
    let mut pairs = items.iter().filter(Item::is_stored).filter_map(|item| {
        let names = key.attributes().map(|key| &key.name);
        let values: Vec<_> = names.map(|name| item.get(name)).collect();
        let before = met.insert(format!("{values:?}"), item.clone());
        before.map(|before| [before, item])
    });
    assert_eq!(find_duplicate_key(items, key), pairs.next());
}

/// An item without problems has the keys that its templates render.
fn check_item(design: &Design, entity: EntityId, item: &Item) {
    if item.is_stored() {
        for key in design.table.key.attributes() {
            let value = item.get(&key.name).expect("stored items have a key");
            assert_eq!(value.kind(), key.kind.into());
        }
    }
    if !item.problems().is_empty() {
        return;
    }
    let entity = &design.entities[&entity];
    let sample = &item.sample().values;
    let name = Value::S(entity.name.clone());
    let lookup = |attribute: &str| {
        let is_type = design.table.type_attribute.as_deref() == Some(attribute);
        sample.get(attribute).or(is_type.then_some(&name))
    };
    for (index, entry) in &entity.keys {
        let Some(key) = design.key(*index) else {
            continue;
        };
        let sides = [
            (key.partition.first(), &entry.partition),
            (key.sort.first(), &entry.sort),
        ];
        let rendered: Vec<(&str, Option<Value>)> = (sides.into_iter())
            .filter_map(|(key, text)| Some((key?, text.as_ref()?)))
            .map(|(key, text)| {
                let template = template::parse(text).template;
                let kind = key.kind.into();
                let policy = &design.delimiter;
                let value = template::render_value(&template, kind, policy, &lookup, 2048);
                (key.name.as_str(), value.ok())
            })
            .collect();
        let holds = entry.when.iter().all(|c| c.holds(lookup(&c.attribute)));
        if holds && rendered.iter().all(|(_, value)| value.is_some()) {
            for (name, value) in rendered {
                assert_eq!(item.get(name), value.as_ref().map(ValueRef::Value));
            }
        }
    }
}

/// An edit of a large design: kind, position, text.
fn edited(design: &Design, (what, place, text): (u8, usize, String)) -> Command {
    let entities: Vec<EntityId> = design.entities.keys().copied().collect();
    let Some(entity) = entities.get(place % entities.len().max(1)).copied() else {
        let at = keyfold_core::model::Point { x: 0, y: 0 };
        return Command::AddEntity {
            name: "New".into(),
            at,
        };
    };
    let indexes: Vec<IndexId> = design.index_ids().collect();
    let index = indexes[place / 7 % indexes.len()];
    let samples = design.samples_of(entity);
    let sample = samples
        .get(place.wrapping_mul(31) % samples.len().max(1))
        .map(|s| s.id);
    let part = if place.is_multiple_of(2) {
        KeyPart::Partition
    } else {
        KeyPart::Sort
    };
    match (what, sample) {
        (0 | 1, _) => Command::SetTemplate {
            entity,
            index,
            part,
            text: Some(text),
        },
        (2, Some(sample)) => Command::SetValue {
            entity,
            sample,
            attribute: ["orderId", "tenantId", "PK", "amount", "new"][place % 5].into(),
            value: (!text.is_empty()).then_some(Value::S(text)),
        },
        (3, Some(sample)) => {
            let at = samples
                .iter()
                .position(|s| s.id == sample)
                .unwrap_or_default();
            let some = samples[at..]
                .iter()
                .take(1 + place % 40)
                .map(|s| s.id)
                .collect();
            Command::DeleteSamples(vec![(entity, some)])
        }
        (4, _) => Command::LeaveIndex(entity, index),
        (5, _) => Command::RenameEntity(entity, format!("E{place}")),
        _ => {
            let values = samples.first().map(|s| s.values.to_map());
            Command::AddSample(
                entity,
                values.unwrap_or_else(|| SortedMap::from([("a".into(), "b".into())])),
            )
        }
    }
}

proptest! {
    #![proptest_config(cases(48))]

    /// Random designs and commands; sometimes another index is viewed, and sometimes the computation is interrupted.
    #[test]
    fn incremental_results_equal_results_from_scratch(
        commands in prop::collection::vec((any_command(), 0_u32..6, 0_usize..9), 1..30),
    ) {
        let mut document = Document::new(saas());
        let mut computed = Arc::new(Computed::nothing());
        let mut index = IndexId::PRIMARY;
        for (number, (command, other, steps)) in commands.into_iter().enumerate() {
            let _ = document.run(command, number as f64 * 1e6);
            if other > 3 {
                index = document.design().index_ids().nth(other as usize - 4).unwrap_or(index);
            }
            let mut given_up = Work::new(computed.clone(), document.design().clone(), Some(index));
            for _ in 0..steps {
                given_up.step();
            }
            computed = finished(&computed, document.design(), index);
            check(&computed, document.design(), index);
        }
        prop_assert!(validate_invariants(document.design()).is_empty());
    }
}

proptest! {
    #![proptest_config(cases(6))]

    /// The same with entities that have more items than one step computes.
    #[test]
    fn incremental_results_are_right_with_many_items(
        edits in prop::collection::vec(
            (0_u8..8, 0_usize..100_000, "X?(\\{(orderId|number:pad\\(4\\)|status)\\})?#?(\\{tenantId\\}|[a-c]?)"),
            1..7,
        ),
        back in 0_usize..3,
    ) {
        let mut document = Document::new(stress::items(3300));
        let mut computed = Arc::new(Computed::nothing());
        let mut indexes: Vec<IndexId> = document.design().index_ids().collect();
        for (number, edit) in edits.into_iter().enumerate() {
            if edit.1.is_multiple_of(3) {
                indexes.rotate_left(1);
            }
            let command = edited(document.design(), edit);
            let _ = document.run(command, number as f64 * 1e6);
            computed = finished(&computed, document.design(), indexes[0]);
            check(&computed, document.design(), indexes[0]);
        }
        for _ in 0..back {
            document.undo();
        }
        computed = finished(&computed, document.design(), indexes[0]);
        check(&computed, document.design(), indexes[0]);
    }
}

proptest! {
    #![proptest_config(cases(64))]

    /// Letters are typed into templates and deleted, values contain delimiters, keys become too long.
    #[test]
    fn incremental_results_are_right_while_typing_templates(
        encoded in any::<bool>(),
        values in prop::collection::vec((0_usize..10_000, "[#%Ãa-c]{0,3}|[a]{2040}"), 0..4),
        letters in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), r"[#A-C%é]{0,2}|[b]{9}|\{|\}|\{(new|amount:pad\(3\))\}", 0_usize..2),
            1..12,
        ),
    ) {
        let mut design = stress::items(120);
        if encoded {
            Arc::make_mut(&mut design.delimiter).on_conflict = OnDelimiter::PercentEncode;
        }
        let mut document = Document::new(design);
        for (place, text) in values {
            let _ = document.run(edited(document.design(), (2, place, text)), 0.0);
        }
        let index = document.design().index_ids().last().unwrap_or(IndexId::PRIMARY);
        let mut computed = Arc::new(Computed::nothing());
        for (number, (which, at, typed, deleted)) in letters.into_iter().enumerate() {
            computed = finished(&computed, document.design(), index);
            let mut templates: Vec<(EntityId, IndexId, KeyPart, String)> = Vec::new();
            for (entity, about) in &document.design().entities {
                for (index, entry) in &about.keys {
                    let parts = [(KeyPart::Partition, &entry.partition), (KeyPart::Sort, &entry.sort)];
                    let some = parts.into_iter().filter_map(|(part, text)| Some((part, text.clone()?)));
                    templates.extend(some.map(|(part, text)| (*entity, *index, part, text)));
                }
            }
            let (entity, index, part, text) = which.get(&templates).clone();
            let mut text: Vec<char> = text.chars().collect();
            let at = at.index(text.len() + 1);
            let end = (at + deleted).min(text.len());
            text.splice(at..end, typed.chars());
            let text = Some(text.into_iter().collect());
            let command = Command::SetTemplate { entity, index, part, text };
            let _ = document.run(command, number as f64 * 1e6);
        }
        computed = finished(&computed, document.design(), index);
        check(&computed, document.design(), index);
        prop_assert!(validate_invariants(document.design()).is_empty());
    }
}

/// Checks that the result after each list of edits equals one from scratch. `first` are values of the entity's first
/// sample.
pub fn edits_are_right(
    entity: &str,
    first: &[(&str, Option<String>)],
    edits: &[&[(usize, KeyPart, &str)]],
) {
    let mut document = Document::new(stress::items(120));
    let entity = document.design().entity_named(entity).expect("there");
    let indexes: Vec<IndexId> = document.design().index_ids().collect();
    let sample = document.design().samples_of(entity)[0].id;
    for (attribute, value) in first {
        let value = value.clone().map(Value::S);
        let attribute = (*attribute).into();
        let command = Command::SetValue {
            entity,
            sample,
            attribute,
            value,
        };
        document.run(command, 0.0).expect("sound");
    }
    let last = indexes[indexes.len() - 1];
    let mut computed = finished(&Arc::new(Computed::nothing()), document.design(), last);
    for (number, edits) in edits.iter().enumerate() {
        for (index, part, text) in *edits {
            let (index, part, text) = (indexes[*index], *part, Some((*text).to_owned()));
            let command = Command::SetTemplate {
                entity,
                index,
                part,
                text,
            };
            document.run(command, number as f64 * 1e6).expect("sound");
        }
        computed = finished(&computed, document.design(), last);
        check(&computed, document.design(), last);
    }
}

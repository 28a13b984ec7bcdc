//! Templates typed letter by letter over many items: incremental results equal those of a simple evaluation from
//! scratch.

use crate::commands::set_template;
use crate::incremental::{check, edits_are_right, finished};
use keyfold_app::{Command, Document, stress};
use keyfold_core::engine::{Computed, Item, Work};
use keyfold_core::model::{
    Condition, Design, IndexId, KeyPart, SampleId, Test, Value, validate_invariants,
};
use std::sync::Arc;

#[test]
fn an_edit_updates_key_length_errors() {
    use KeyPart::Sort;
    let id = Some("a".repeat(1019));
    let edits: [&[_]; 4] = [
        &[(0, Sort, "USERS#{userId}")],
        &[(0, Sort, "USER#{userId}")],
        &[(0, Sort, "USER#{userId}#X")],
        &[(0, Sort, "US#{userId}#X")],
    ];
    edits_are_right("User", &[("userId", id)], &edits);
}

#[test]
fn typing_literals_keeps_missing_attribute_errors() {
    use KeyPart::{Partition, Sort};
    let edits: [&[_]; 4] = [
        &[(0, Sort, "LINES#{number}")],
        &[(0, Sort, "LINE#{number}")],
        &[(0, Partition, "T#{tenantId}")],
        &[(0, Sort, "{number}#LINE")],
    ];
    edits_are_right("Line", &[("number", None)], &edits);
}

#[test]
fn grouped_problems_equal_those_of_each_item() {
    use KeyPart::{Partition, Sort};
    // While typing: an error, attributes that no sample or only some samples have, and valid again.
    let edits: [&[_]; 8] = [
        &[(0, Sort, "ORDER#{")],
        &[(0, Sort, "ORDER#{nope}")],
        &[(0, Sort, "ORDER#{status}")],
        &[(0, Sort, "ORDER#{status}"), (1, Sort, "{createdAt")],
        &[
            (1, Partition, "{status}"),
            (2, Sort, "{or"),
            (0, Partition, "{nope}"),
        ],
        &[
            (0, Partition, "T#{tenantId}"),
            (0, Sort, "{createdAt:pad(3)}"),
        ],
        &[(0, Sort, "{status}"), (2, Partition, "{orderId:date}")],
        &[
            (0, Sort, "{orderId}"),
            (2, Sort, "{orderId}"),
            (1, Sort, "{orderId}"),
        ],
    ];
    for first in [
        &[][..],
        &[("status", None)],
        &[("status", None), ("orderId", Some("#".into()))],
        &[("createdAt", Some("x".repeat(2000))), ("new", None)],
        &[("PK", Some("own".into()))],
    ] {
        edits_are_right("Order", first, &edits);
    }
}

#[test]
fn conditions_affect_the_problems_of_an_item() {
    let mut document = Document::new(stress::items(120));
    let order = document.design().entity_named("Order").expect("there");
    let indexes: Vec<IndexId> = document.design().index_ids().collect();
    let samples: Vec<SampleId> = document
        .design()
        .samples_of(order)
        .iter()
        .map(|s| s.id)
        .collect();
    for (number, sample) in samples.iter().enumerate() {
        let value = [
            Some(Value::S("a".into())),
            Some(Value::S("b".into())),
            Some(Value::Null),
        ];
        let value = value[number % 3].clone();
        let command = Command::SetValue {
            entity: order,
            sample: *sample,
            attribute: "kind".into(),
            value,
        };
        document.run(command, 0.0).expect("sound");
    }
    for sample in &samples[..14] {
        let command = Command::SetValue {
            entity: order,
            sample: *sample,
            attribute: "createdAt".into(),
            value: None,
        };
        document.run(command, 0.0).expect("sound");
    }
    let mut computed = Arc::new(Computed::nothing());
    let tests = [Test::Equals(Value::S("a".into())), Test::Exists];
    for text in [
        "{",
        "{nope}",
        "{kind}",
        "{createdAt}#{nope}",
        "{kind}#{nope",
    ] {
        for (number, index) in indexes.iter().enumerate() {
            let entity = order;
            let (index, text) = (*index, Some(text.to_owned()));
            let command = Command::SetTemplate {
                entity,
                index,
                part: KeyPart::Sort,
                text,
            };
            document.run(command, 0.0).expect("sound");
            if let Some(test) = number.checked_sub(1).map(|at| tests[at].clone()) {
                let attribute = "kind".into();
                let when = vec![Condition { attribute, test }];
                let command = Command::SetConditions(entity, index, when);
                document.run(command, 0.0).expect("sound");
            }
            computed = finished(&computed, document.design(), IndexId::PRIMARY);
            check(&computed, document.design(), IndexId::PRIMARY);
        }
    }
}

#[test]
fn an_index_key_is_complete_or_absent() {
    use KeyPart::{Partition, Sort};
    let edits: [&[_]; 5] = [
        // It lacks the other attribute.
        &[(2, Sort, "{orderId}")],
        &[(2, Sort, "O#{orderId}")],
        // A literal in one, another value in the other.
        &[(2, Partition, "STATE#{status}"), (2, Sort, "{createdAt}")],
        &[(2, Partition, "ST#{status}"), (2, Sort, "C#{createdAt}")],
        &[(2, Partition, "ST#{orderId}")],
    ];
    edits_are_right("Order", &[("status", None)], &edits);
    edits_are_right("Order", &[("createdAt", None)], &edits);
}

#[test]
fn unaffected_items_are_reused() {
    let design = stress::items(2500);
    let before = finished(&Arc::new(Computed::nothing()), &design, IndexId::PRIMARY);
    let line = design.entity_named("Line").expect("there");
    let mut document = Document::new(design);
    let edit = set_template(line, "LINE#{orderId}#{number}");
    document.run(edit, 0.0).expect("sound");
    let after = finished(&before, document.design(), IndexId::PRIMARY);
    for (id, items) in after.items() {
        assert_eq!(Arc::ptr_eq(items, &before.items()[id]), *id != line);
    }
    check(&after, document.design(), IndexId::PRIMARY);
}

#[test]
fn completing_a_template_writes_no_other_key() {
    let mut document = Document::new(stress::items(2500));
    let line = document.design().entity_named("Line").expect("there");
    // Rows whose other key texts are cached.
    let texts = |computed: &Computed| -> Vec<*const u8> {
        let text = |item: Item| Some(item.get("GSI2PK")?.text()?.as_ptr());
        let items = computed.items()[&line].iter();
        items.map(|item| text(item).expect("a text")).collect()
    };
    let mut computed = Arc::new(Computed::nothing());
    let mut written = Vec::new();
    for text in ["L#{number}", "L#{number}#{orderId", "L#{number}#{orderId}"] {
        document.run(set_template(line, text), 0.0).expect("sound");
        computed = finished(&computed, document.design(), IndexId::PRIMARY);
        check(&computed, document.design(), IndexId::PRIMARY);
        written.push(texts(&computed));
    }
    assert!(written[0] == written[1] && written[1] == written[2]);
    assert!(validate_invariants(document.design()).is_empty());
}

fn steps(before: &Arc<Computed>, design: &Design) -> usize {
    let mut work = Work::new(before.clone(), design.clone(), Some(IndexId::PRIMARY));
    (1..).find(|_| work.step().is_some()).expect("it ends")
}

#[test]
fn items_return_in_order_after_a_template_is_fixed() {
    let mut document = Document::new(stress::items(3000));
    let line = document.design().entity_named("Line").expect("there");
    let user = document.design().entity_named("User").expect("there");
    let lines: Vec<SampleId> = (document.design().samples_of(line).iter())
        .map(|sample| sample.id)
        .collect();
    let mut computed = Arc::new(Computed::nothing());
    let mut then = |document: &Document| {
        computed = finished(&computed, document.design(), IndexId::PRIMARY);
        check(&computed, document.design(), IndexId::PRIMARY);
        computed.clone()
    };
    let mut now = 0.0;
    let mut run = |document: &mut Document, command| {
        now += 1e6;
        document.run(command, now).expect("sound");
    };
    then(&document);
    // Some items are absent before the others leave; some stay absent when they return.
    let no_number = |sample: SampleId| Command::SetValue {
        entity: line,
        sample,
        attribute: "number".into(),
        value: None,
    };
    run(&mut document, no_number(lines[7]));
    run(&mut document, no_number(lines[1900]));
    let whole = then(&document);
    run(&mut document, set_template(line, "Z{orderId"));
    let out = then(&document);
    run(&mut document, set_template(line, "Z{orderId}#{number}"));
    // They return in their previous order, and are not merged pair by pair.
    let (again, never_out) = (
        steps(&out, document.design()),
        steps(&whole, document.design()),
    );
    assert!(
        again <= never_out + 1,
        "{again}, and {never_out} if they had stayed"
    );
    then(&document);
    // Another entity's items, and fewer or more samples, while they are absent.
    run(&mut document, set_template(line, "{"));
    then(&document);
    run(&mut document, set_template(user, "{"));
    run(
        &mut document,
        Command::DeleteSamples(vec![(line, lines[10..1300].to_vec())]),
    );
    then(&document);
    document.undo();
    then(&document);
    run(&mut document, set_template(line, "{number}"));
    then(&document);
    run(&mut document, set_template(user, "U{userId}"));
    run(&mut document, set_template(line, "{number}{orderId}"));
    then(&document);
    assert!(validate_invariants(document.design()).is_empty());
}

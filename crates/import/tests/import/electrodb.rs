//! ElectroDB in the forms that public code has, also old ones. The items that the keys are compared with were made with
//! ElectroDB 3.9.3, from this script and a file with what it imports.

use super::{import, item_of, left_out};
use keyfold_core::model::{AttributeType, Choice, Design, Format, Projection, Value};
use keyfold_import::design;

const SCRIPT: &str = include_str!("fixtures/electrodb.ts");

fn designs() -> Vec<Design> {
    let import = import("electrodb.ts", SCRIPT);
    let made = |table| design(table).expect("a design");
    let made: Vec<_> = import.tables.iter().map(made).collect();
    assert!(made.iter().all(|made| made.left_out.is_empty()));
    made.into_iter().map(|made| made.design).collect()
}

#[test]
fn forms_of_public_code_are_read_and_the_rest_is_named() {
    let texts: Vec<String> = designs().iter().map(keyfold_core::text::print).collect();
    let import = import("electrodb.ts", SCRIPT);
    insta::assert_snapshot!(format!(
        "{}\n\n{}",
        left_out(&import).join("\n"),
        texts.join("\n")
    ));
}

#[test]
fn keys_of_old_and_scoped_forms_are_those_of_electrodb() {
    let designs = designs();
    for (entity, values, expected) in [
        (
            "Task",
            &[
                ("tenant", Value::from("Ten")),
                ("taskId", "T1".into()),
                ("kind", "Bug".into()),
            ][..],
            &[
                ("pk", Value::from("$app_live#taskid_t1")),
                ("sk", "$task_1".into()),
                ("gsi1pk", "$app_kinds#kind_bug".into()),
                ("gsi1sk", "$task_1#taskid_t1".into()),
                ("lsi1sk", "$task_1#tenant_ten".into()),
            ][..],
        ),
        (
            "order",
            &[
                ("id", "O1".into()),
                ("org", "Acme".into()),
                ("state", "new".into()),
            ],
            &[
                ("pk", "org#acme".into()),
                ("sk", "$order#id_o1".into()),
                ("pk2", "$shop_2#state_new".into()),
                ("sk2", "$order#id_o1".into()),
            ],
        ),
        (
            "flat",
            &[
                ("id", "A1".into()),
                ("n", 7.into()),
                ("AccountID", "acme".into()),
            ],
            &[
                ("pk", "$app$flat_1_z#id_a1".into()),
                ("n1", 7.into()),
                ("n2", "$flat_1#id_a1".into()),
                ("AccountID", "acme".into()),
                ("a2", "$flat_1#n_7".into()),
            ],
        ),
    ] {
        let has = |design: &&Design| design.entity_named(entity).is_some();
        let design = designs.iter().find(has).expect("the entity");
        let item = item_of(design, entity, values);
        for (name, value) in expected {
            assert_eq!(item.get(*name), Some(value), "{entity} {name}");
        }
    }
}

#[test]
fn that_an_index_is_an_lsi_is_an_assumption() {
    let table = r#""table": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}}"#;
    let local = r#""byMail": {"index": "ls1", "pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "l1", "composite": ["mail"]}}"#;
    for indexes in [[table, local], [local, table]] {
        let text = format!(
            r#"{{"model": {{"entity": "user", "version": "1", "service": "s"}}, "attributes": {{"id": {{"type": "string"}}, "mail": {{"type": "string"}}}}, "indexes": {{{}}}}}"#,
            indexes.join(", ")
        );
        let import = super::import("user.json", &text);
        assert_eq!(
            import.tables[0].indexes[0].kind,
            keyfold_core::model::IndexKind::Lsi
        );
        let assumed: Vec<String> = import.assumed.iter().map(ToString::to_string).collect();
        assert_eq!(
            assumed,
            [
                "indexes: the index ls1 has the partition key of the table and is taken to be an LSI, but may be a GSI: a template or DescribeTable says which"
            ]
        );
    }
}

/// An entity with an index that has these members.
fn entity(attributes: &str, index: &str) -> keyfold_import::Import {
    let text = format!(
        "new Entity({{ model: {{ entity: 'user', version: '1', service: 's' }}, \
         attributes: {{ id: {{ type: 'string' }}, {attributes} }}, indexes: {{ \
         main: {{ pk: {{ field: 'pk', composite: ['id'] }}, sk: {{ field: 'sk', composite: [] }} }}, \
         other: {{ index: 'gsi1', pk: {{ field: 'g', composite: ['id'] }}, {index} }} }} }}, {{ table: 'users' }})"
    );
    import("user.ts", &text)
}

#[test]
fn a_test_for_another_value_is_a_condition_only_of_an_attribute_that_exists() {
    let condition = |required: bool, test: &str| {
        let status = format!("status: {{ type: 'string', field: 'st', required: {required} }}");
        let import = entity(&status, &format!("condition: (item) => {test}"));
        let (_, key) = &import.tables[0].entities[0].keys[1];
        let when: Vec<String> = key.when.iter().map(ToString::to_string).collect();
        (when.join(" "), left_out(&import).len())
    };
    let known = ("st ≠ archived".to_owned(), 0);
    assert_eq!(
        condition(false, "item.status !== 'archived'"),
        (String::new(), 1)
    );
    assert_eq!(condition(true, "item.status !== 'archived'"), known);
    assert_eq!(
        condition(
            false,
            "item.status !== undefined && item.status !== 'archived'"
        ),
        known
    );
    // The function of a key has no value without what it needs.
    let key = |guard: &str| {
        let text = format!(
            "export default {{ indexes: {{ primary: {{ hash: 'pk' }}, gs1: {{ hash: 'g' }} }}, models: {{ A: {{ \
             pk: {{ type: String, value: 'A#${{id}}' }}, id: {{ type: String }}, status: {{ type: String }}, \
             g: {{ type: String, value: (item) => {guard} ? undefined : `S#${{item.status}}` }} }} }} }}"
        );
        let import = import("schema.ts", &text);
        let keys = &import.tables[0].entities[0].keys;
        let index = keys.iter().find(|(index, _)| index.is_some());
        index.map(|(_, key)| (key.partition.is_some(), key.when.len()))
    };
    assert_eq!(key("!(item.status !== 'archived')"), Some((false, 0)));
    for guard in ["isMissing(item.status)", "item.status === undefined"] {
        let guard = format!("{guard} || !(item.status !== 'archived')");
        assert_eq!(key(&guard), Some((true, 1)), "{guard}");
    }
}

#[test]
fn projections_have_the_names_in_items() {
    let import = entity(
        "name: { type: 'string', field: 'n' }, age: { type: 'number' }",
        "projection: ['name', 'age']",
    );
    assert_eq!(
        import.tables[0].indexes[0].projection,
        Projection::Include(vec!["n".to_owned(), "age".to_owned()])
    );
}

#[test]
fn choices_of_numbers_are_numbers() {
    let import = entity("level: { type: [1, 2, 3] }", "collection: 'all'");
    let attributes = &import.tables[0].entities[0].attributes;
    let level = attributes.iter().find(|one| one.name == "level");
    let level = level.expect("the attribute");
    let choices = [1, 2, 3].map(|n| Choice {
        value: n.into(),
        weight: 1,
    });
    assert_eq!(level.kind, AttributeType::N);
    assert_eq!(level.format, Some(Format::OneOf(choices.into())));
}

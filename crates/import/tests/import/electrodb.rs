//! ElectroDB in the forms that public code has, also old ones. The items that the keys are compared with were made with
//! ElectroDB 3.9.3, from this script and a file with what it imports.

use super::{import, item_of, left_out};
use keyfold_core::model::{Design, Value};
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

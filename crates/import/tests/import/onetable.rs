//! OneTable's fields as public code has them. The items were made with OneTable 2.7.7, from this script and a file with what
//! it imports.

use super::{import, item_of, left_out};
use keyfold_core::model::{AttributeType, Value};
use keyfold_import::design;

const SCRIPT: &str = include_str!("fixtures/onetable.ts");

#[test]
fn fields_are_read_as_far_as_a_design_has_them_and_the_rest_is_named() {
    let import = import("onetable.ts", SCRIPT);
    let made = design(&import.tables[0]).expect("a design");
    assert_eq!(made.left_out, []);
    insta::assert_snapshot!(format!(
        "{}\n\n{}",
        left_out(&import).join("\n"),
        keyfold_core::text::print(&made.design)
    ));
}

#[test]
fn items_are_stored_under_the_names_and_types_of_onetable() {
    let import = import("onetable.ts", SCRIPT);
    let design = design(&import.tables[0]).expect("a design").design;
    let user = item_of(
        &design,
        "User",
        &[
            ("orgId", "o1".into()),
            ("userId", "u1".into()),
            ("em", "a@x".into()),
            ("day", "2026-01-02T00:00:00.000Z".into()),
        ],
    );
    for (name, value) in [
        ("pk", "org#o1"),
        ("sk", "user#u1"),
        ("gs1pk", "email#a@x"),
        ("gs1sk", "User#"),
        ("em", "a@x"),
        ("day", "2026-01-02T00:00:00.000Z"),
        ("_t", "User"),
    ] {
        assert_eq!(user.get(name), Some(&Value::from(value)), "{name}");
    }
    assert_eq!(user.get("userId"), None, "only the key has it");
    let visit = item_of(
        &design,
        "Visit",
        &[
            ("orgId", "o1".into()),
            ("no", 7.into()),
            ("gone", 1_893_456_000.into()),
        ],
    );
    assert_eq!(visit.get("sk"), Some(&Value::from("visit#00007")));
    assert_eq!(design.table.ttl_attribute.as_deref(), Some("expires"));
    let kind = |entity: &str, name: &str| {
        let id = design.entity_named(entity).expect("the entity");
        design.type_of(id, name)
    };
    assert_eq!(kind("User", "expires"), Some(AttributeType::N));
    assert_eq!(kind("User", "born"), Some(AttributeType::S));
    assert_eq!(kind("User", "createdAt"), Some(AttributeType::S));
    assert_eq!(kind("User", "role"), Some(AttributeType::S));
}

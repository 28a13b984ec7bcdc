//! dynamodb-toolbox. The items that the keys are compared with were made with dynamodb-toolbox 2.10.6 and 0.9.5, from these
//! scripts.

use super::{import, item_of, left_out};
use keyfold_core::model::{Design, SortedMap, Value};
use keyfold_import::design;

const BUILT: &str = include_str!("fixtures/toolbox.ts");
const OBJECTS: &str = include_str!("fixtures/toolbox-0.js");

fn values(pairs: &[(&str, &str)]) -> SortedMap<String, Value> {
    SortedMap::from_iter(
        pairs
            .iter()
            .map(|(name, text)| ((*name).to_owned(), Value::from(*text))),
    )
}

fn read(name: &str, text: &str) -> Design {
    let import = import(name, text);
    assert_eq!(import.tables.len(), 1);
    let made = design(&import.tables[0]).expect("a design");
    assert_eq!(made.left_out, []);
    insta::assert_snapshot!(
        name,
        format!(
            "{}\n{}",
            left_out(&import).join("\n"),
            keyfold_core::text::print(&made.design)
        )
    );
    made.design
}

#[test]
fn entities_with_builders_have_the_keys_of_the_library() {
    let design = read("toolbox.ts", BUILT);
    let customer = item_of(
        &design,
        "Customer",
        &[
            ("customerId", "c1".into()),
            ("email", "A@x.com".into()),
            ("status", "active".into()),
        ],
    );
    assert_eq!(
        customer,
        values(&[
            ("PK", "CUSTOMER#c1"),
            ("SK", "PROFILE"),
            ("email", "A@x.com"),
            ("status", "active"),
            ("GSI1PK", "EMAIL#a@x.com"),
            ("GSI1SK", "CUSTOMER"),
            ("_et", "Customer"),
        ])
    );
    let order = item_of(
        &design,
        "Order",
        &[("c", "c1".into()), ("orderId", "o1".into())],
    );
    assert_eq!(
        order,
        values(&[
            ("c", "c1"),
            ("orderId", "o1"),
            ("_et", "Order"),
            ("PK", "CUSTOMER#c1"),
            ("SK", "ORDER#o1"),
        ])
    );
}

#[test]
fn entities_with_attributes_as_objects_have_the_keys_of_the_library() {
    let design = read("toolbox-0.js", OBJECTS);
    let customer = item_of(
        &design,
        "Customer",
        &[
            ("id", "c1".into()),
            ("status", "active".into()),
            ("date_added", "2020-01-01".into()),
            ("data", "Ann".into()),
        ],
    );
    assert_eq!(
        customer,
        values(&[
            ("pk", "CUST#c1"),
            ("sk", "active#2020-01-01"),
            ("status", "active"),
            ("date_added", "2020-01-01"),
            ("data", "Ann"),
            ("GSI1pk", "STATUS#active"),
            ("GSI1sk", "ALL"),
            ("_et", "Customer"),
        ])
    );
}

#[test]
fn a_table_of_another_file_is_assumed_from_the_key_of_an_entity() {
    let text = "import { Entity } from 'dynamodb-toolbox/entity'\nimport { T } from './table'\n\
        export const User = new Entity({ name: 'User', table: T, schema: item({ id: string().key(), at: computeIt() }), \
        computeKey: ({ id }) => ({ PK: `USER#${id}`, SK: 'USER' }), timestamps: false })\n\
        const Broken = new Entity({ name: 'Broken', table: T, schema: item({ id: string().key() }), computeKey: makeKey })";
    let import = import("user.ts", text);
    let assumed: Vec<String> = import.assumed.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(format!(
        "{}\n\n{}",
        assumed.join("\n"),
        left_out(&import).join("\n")
    ));
    let made = design(&import.tables[0]).expect("a design");
    assert_eq!(
        item_of(&made.design, "User", &[("id", "7".into())]),
        values(&[
            ("PK", "USER#7"),
            ("SK", "USER"),
            ("id", "7"),
            ("_et", "User")
        ])
    );
}

#[test]
fn entities_of_a_table_in_several_files_are_joined() {
    let table =
        "const T = new Table({ name: 'shop', partitionKey: { name: 'PK', type: 'string' } })\n";
    let entity = |name: &str| {
        format!(
            "{table}new Entity({{ name: '{name}', table: T, schema: item({{ id: string().key().savedAs('PK') }}) }})"
        )
    };
    let files = ["User", "Order", "User"].into_iter().map(|name| {
        let import = keyfold_import::read("a.ts", entity(name).as_bytes(), None);
        (format!("{name}.ts"), import.expect("readable"))
    });
    let import = keyfold_import::combine(files.collect());
    let entities = import.tables[0].entities.iter();
    let names: Vec<&str> = entities.map(|entity| entity.name.as_str()).collect();
    assert_eq!((import.tables.len(), names), (1, vec!["User", "Order"]));
    assert_eq!(
        left_out(&import),
        ["User.ts: line 2: left out: the table has another entity User"]
    );
}

#[test]
fn attributes_of_index_keys_and_composite_keys_are_those_of_the_library() {
    let text = "const { Table, Entity } = require('dynamodb-toolbox')\n\
        const T = new Table({ name: 'shop', partitionKey: 'pk', sortKey: 'sk', indexes: { GSI1: { partitionKey: 'GSI1pk', sortKey: 'GSI1sk' } } })\n\
        new Entity({ name: 'A', table: T, timestamps: false, attributes: { id: { partitionKey: true }, \
        sk: { sortKey: true, hidden: true, delimiter: '|' }, status: ['sk', 0], day: ['sk', 1], \
        email: { partitionKey: 'GSI1' }, createdAt: { sortKey: ['GSI1'] } } })\n\
        new Entity({ name: 'D', table: T, timestamps: false, attributes: { id: { partitionKey: true }, s: { sortKey: true }, \
        email: { partitionKey: 'GSI1', prefix: 'E#', suffix: '!' }, c: { sortKey: 'GSI1', default: (d) => `C#${d.email}` } } })\n\
        new Entity({ name: 'I', table: T, timestamps: false, attributes: { id: { partitionKey: true }, s: { sortKey: true }, \
        p: { partitionKey: 'GSI1' }, g: { sortKey: 'GSI1', delimiter: '/' }, status: ['g', 0], day: ['g', 1] } })\n";
    let import = import("a.js", text);
    let made = design(&import.tables[0]).expect("a design");
    assert_eq!((left_out(&import), made.left_out), (Vec::new(), Vec::new()));
    for (entity, given, expected) in [
        (
            "A",
            &[
                ("id", "1"),
                ("status", "a"),
                ("day", "d"),
                ("email", "e"),
                ("createdAt", "c"),
            ][..],
            &[
                ("pk", "1"),
                ("sk", "a|d"),
                ("status", "a"),
                ("day", "d"),
                ("GSI1pk", "e"),
                ("GSI1sk", "c"),
                ("_et", "A"),
            ][..],
        ),
        (
            "D",
            &[("id", "1"), ("s", "a"), ("email", "e")],
            &[
                ("pk", "1"),
                ("sk", "a"),
                ("GSI1pk", "E#e!"),
                ("GSI1sk", "C#e"),
                ("_et", "D"),
            ],
        ),
        (
            "I",
            &[
                ("id", "1"),
                ("s", "x"),
                ("p", "q"),
                ("status", "a"),
                ("day", "d"),
            ],
            &[
                ("pk", "1"),
                ("sk", "x"),
                ("status", "a"),
                ("day", "d"),
                ("GSI1pk", "q"),
                ("GSI1sk", "a/d"),
                ("_et", "I"),
            ],
        ),
    ] {
        let given: Vec<(&str, Value)> = (given.iter())
            .map(|(name, text)| (*name, Value::from(*text)))
            .collect();
        assert_eq!(item_of(&made.design, entity, &given), values(expected));
    }
}

//! Literals in TypeScript and JavaScript: ElectroDB and OneTable as people write them.

use super::{import, item_of, left_out};
use keyfold_core::model::{AttributeType, KeyType, Value};
use keyfold_import::design;

/// The keys that ElectroDB gives `item()` in this entity were made with ElectroDB 3.
const ELECTRODB: &str = r##"
import { Entity, type Schema } from 'electrodb';
import { client } from "./client";

/* The service's table. */
const table = process.env.TABLE ?? "tasks"; // a computed name
const TASKS = 'tasks' as const;
const common = { team: { type: "string", required: true } };

export const Task = new Entity<Schema<string, string, string>>(
  {
    model: { entity: `Task`, version: "1", service: "TaskApp" },
    attributes: {
      ...common,
      task: { type: "string", default: () => makeId({ a: 1, b: [2, 3] }), validate: /^[^#,}]*$/ },
      project: { type: "string", label: "prj" },
      points: { type: "number", },
      AccountID: { type: "string" },
      n: { type: "number", padding: { length: 5, char: "0" } },
      status: { type: ["open", "closed"] as const },
      secret: { type: "string", set: (value) => crypt(value) },
    },
    indexes: {
      primary: { pk: { field: "pk", composite: ["task"] }, sk: { field: "sk", composite: ["project", "points"] } },
      a: { index: "gsi1", collection: "assignments", pk: { field: "gsi1pk", composite: ["team"] }, sk: { field: "gsi1sk", composite: ["project"] } },
      b: { index: "gsi2", collection: "overview", type: "clustered", pk: { field: "gsi2pk", composite: ["team"], casing: "upper" }, sk: { field: "gsi2sk", composite: ["project"], casing: "none" } },
      c: { index: "gsi3", pk: { field: "AccountID", composite: ["AccountID"] }, sk: { field: "gsi3sk", composite: [] } },
      d: { index: "gsi4", collection: ["one", "two"], type: "clustered", pk: { field: "gsi4pk", composite: ["n"] }, sk: { field: "gsi4sk", composite: ["task"] } },
    },
  },
  { client, table: TASKS },
);
"##;

#[test]
fn keys_are_those_that_electrodb_composes() {
    let import = import("tasks.ts", ELECTRODB);
    insta::assert_snapshot!(left_out(&import).join("\n"));
    let made = design(&import.tables[0]).expect("a design");
    assert_eq!(made.left_out, []);
    let entity = made.design.entities.values().next().expect("an entity");
    assert_eq!(entity.attributes.len(), 8);
    let item = item_of(
        &made.design,
        "Task",
        &[
            ("team", "Green".into()),
            ("task", "T1".into()),
            ("project", "PrjA".into()),
            ("points", 7.into()),
            ("AccountID", "ab".into()),
            ("n", 42.into()),
        ],
    );
    for (name, value) in [
        ("pk", "$taskapp#task_t1"),
        ("sk", "$task_1#prj_prja#points_7"),
        ("gsi1pk", "$taskapp#team_green"),
        ("gsi1sk", "$assignments#task_1#prj_prja"),
        ("gsi2pk", "$TASKAPP#TEAM_GREEN"),
        ("gsi2sk", "$overview#prj_PrjA#Task_1"),
        ("gsi3sk", "$task_1"),
        ("gsi4pk", "$taskapp#n_00042"),
        ("gsi4sk", "$one#two#task_t1#task_1"),
        ("__edb_e__", "Task"),
        ("AccountID", "ab"),
    ] {
        assert_eq!(item.get(name), Some(&Value::from(value)), "{name}");
    }
}

const ONETABLE: &str = r##"
const { Table } = require('dynamodb-onetable')

const Match = {
    ulid: /^[0-9A-Z]{26}$/,
    email: /^(([^<>()[\]\\.,;:\s@"]+)*)@x$/,
}

const MySchema = {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    indexes: {
        primary: { hash: 'pk', sort: 'sk' },
        gs1: { hash: 'gs1pk', sort: 'gs1sk', project: ['name'], follow: true },
        ls1: { type: 'local', sort: 'rank' },
    },
    models: {
        Account: {
            pk: { type: String, value: 'account#${id}' },
            sk: { type: String, value: '${_type}#' },
            id: { type: String, generate: 'ulid', validate: Match.ulid },
            name: { type: String, required: true, unique: true },
            balance: { type: Number, default: 0 },
            rank: Number,
            status: { type: String, enum: ['idle', 'active'] },
            zip: { type: String, encrypt: true },
        },
        User: {
            pk: { type: String, value: 'account#${accountId}' },
            sk: { type: String, value: 'user#${number:6:0}' },
            gs1pk: { type: String, value: (item) => `USER#${item.email.toLowerCase()}` },
            gs1sk: { type: String, value: computeIt },
            accountId: { type: String },
            number: { type: Number },
            email: { type: String, validate: Match.email },
        },
    },
    params: { isoDates: true, timestamps: true },
}

export const table = new Table({ client, name: 'Shop', schema: MySchema, partial: true })
"##;

#[test]
fn onetable_schemas_are_read_as_people_write_them() {
    let import = import("schema.js", ONETABLE);
    insta::assert_snapshot!(left_out(&import).join("\n"));
    let table = &import.tables[0];
    assert_eq!(table.table.name, "Shop");
    assert_eq!(table.table.type_attribute.as_deref(), Some("_type"));
    assert_eq!(table.indexes[1].key.sort[0].kind, KeyType::N);
    let account = &table.entities[0];
    assert_eq!(account.keys[0].1.sort.as_deref(), Some("Account#"));
    assert_eq!(account.attributes[3].kind, AttributeType::N);
    let user = &table.entities[1];
    assert_eq!(user.keys[0].1.sort.as_deref(), Some("user#{number:pad(6)}"));
    design(table).expect("a design");
}

#[test]
fn enums_and_templates_of_constants_are_followed() {
    let import = import(
        "a.ts",
        r##"
const enum Index { First = "gsi1", Second = 'gsi2' }
const STAGE = "dev";
export enum Kind { A = "a", B = "b" }
new Entity({
  model: { entity: "Task", version: "1", service: `app-${STAGE}` },
  attributes: { id: { type: "string" }, kind: { type: [Kind.A, Kind.B] } },
  indexes: {
    a: { pk: { field: "pk", composite: ["id"] }, sk: { field: "sk", composite: [] } },
    b: { index: Index.First, pk: { field: "gsi1pk", composite: ["kind"] }, sk: { field: "gsi1sk", composite: [] } },
  },
}, { table: `${STAGE}-tasks` });
"##,
    );
    assert_eq!(left_out(&import), Vec::<String>::new());
    let table = &import.tables[0];
    assert_eq!(
        (table.table.name.as_str(), table.indexes[0].name.as_str()),
        ("dev-tasks", "gsi1")
    );
    let (_, primary) = &table.entities[0].keys[0];
    assert_eq!(primary.partition.as_deref(), Some("$app-dev#id_{id:lower}"));
}

#[test]
fn spreads_of_other_files_leave_the_rest_as_it_is() {
    let electrodb = import(
        "a.ts",
        r##"new Entity({
  ...base,
  model: { entity: "Task", version: "1", service: "app" },
  attributes: { id: { type: "string" } },
  indexes: { ...others, a: { pk: { field: "pk", composite: ["id"] } }, b: index("b") },
}, { table: "tasks" });"##,
    );
    let onetable = import(
        "b.ts",
        "export default { indexes: { primary: { hash: 'pk' }, ...others, b: index('b') }, models: { ...shared, A: { pk: { type: String, value: 'A#${id}' }, id: String } } }",
    );
    assert_eq!(
        electrodb.tables[0].entities.len() + onetable.tables[0].entities.len(),
        2
    );
    insta::assert_snapshot!(
        [left_out(&electrodb), left_out(&onetable)]
            .concat()
            .join("\n")
    );
}

#[test]
fn a_pasted_schema_is_recognized() {
    let import = import(
        "",
        "{ format: 'onetable:1.1.0', indexes: { primary: { hash: 'pk' } }, models: { A: { pk: { type: String, value: 'A#${id}' }, id: { type: String } } } }",
    );
    assert_eq!(import.tables[0].entities.len(), 1);
    let json = super::import(
        "schema.json",
        r#"{"indexes": {"primary": {"hash": "pk"}}, "models": {"A": {"pk": {"type": "string", "value": "A#${id}"}, "id": {"type": "string"}}}}"#,
    );
    assert_eq!(
        json.tables[0].entities[0].keys,
        import.tables[0].entities[0].keys
    );
}

#[test]
fn constants_that_repeat_constants_do_not_grow_without_end() {
    let mut text = String::from("const a0 = [1, 1, 1, 1];\n");
    for at in 1..60 {
        text.push_str(&format!(
            "const a{at} = [a{0}, a{0}, a{0}, a{0}];\n",
            at - 1
        ));
    }
    text.push_str("export default { indexes: { primary: { hash: a59 } }, models: {} };\n");
    let error = keyfold_import::read("a.ts", text.as_bytes(), None).expect_err("no hash");
    assert!(error.len() < 1000, "{error}");
    let itself = "const a = { b: a };\nnew Table({ schema: a });\n";
    keyfold_import::read("a.ts", itself.as_bytes(), None).expect_err("no schema");
}

#[test]
fn constants_in_functions_of_keys_are_not_attributes() {
    let entity = |head: &str, rest: &str| {
        format!(
            "{head}\nexport const Users = new Entity({{ name: 'User', table: T, schema: item({{ id: string().key(), mail: string() }}), {rest} }})\n"
        )
    };
    let head = "const USER_PREFIX = 'USER'\nconst NAMES = {{ profile: 'PROFILE' }}\nenum Kind {{ Mail = 'MAIL' }}\nconst mail = 'not this'\n\
        export const T = new Table({ name: 't', partitionKey: { name: 'PK', type: 'string' }, sortKey: { name: 'SK', type: 'string' } })"
        .replace("{{", "{").replace("}}", "}");
    let text = entity(
        &head,
        "computeKey: ({ id, mail: address }) => ({ PK: `${USER_PREFIX}#${id}`, SK: `${NAMES.profile}#${Kind.Mail}#${address}` })",
    );
    let import = super::import("users.ts", &text);
    let entity_of = &import.tables[0].entities[0];
    let (_, key) = &entity_of.keys[0];
    assert_eq!(key.partition.as_deref(), Some("USER#{id}"));
    assert_eq!(key.sort.as_deref(), Some("PROFILE#MAIL#{mail}"));
    let names: Vec<&str> = entity_of
        .attributes
        .iter()
        .map(|a| a.name.as_str())
        .collect();
    assert!(names.starts_with(&["id", "mail"]), "{names:?}");
    assert!(!names.contains(&"USER_PREFIX"), "{names:?}");
    // A constant of another file.
    let text = entity(
        &head,
        "computeKey: ({ id }) => ({ PK: `${IMPORTED}#${id}`, SK: NAMES.profile })",
    );
    let said = super::left_out(&super::import("users.ts", &text));
    assert_eq!(
        said,
        ["line 6: the entity is left out: computeKey.PK: `${IMPORTED}#${id}` is not a template"]
    );
}

#[test]
fn a_constant_in_the_value_of_a_field_is_resolved_or_noted() {
    let text = "import { FAR } from './far'\nconst NEAR = 'NEAR'\nexport default {\n\
        format: 'onetable:1.1.0', version: '0.0.1',\n\
        indexes: { primary: { hash: 'PK', sort: 'SK' }, gs1: { hash: 'G', sort: 'SK', follow: true } },\n\
        models: { User: { PK: { type: String, value: (item) => `${NEAR}#${item.id}` }, SK: { type: String, value: 'USER' },\n\
        G: { type: String, value: (item) => `${FAR}#${item.id}` }, id: { type: String, required: true } } } }";
    let import = super::import("schema.ts", text);
    let entity = &import.tables[0].entities[0];
    let keys: Vec<Option<&str>> = (entity.keys.iter())
        .map(|(_, key)| key.partition.as_deref())
        .collect();
    assert_eq!(keys[0], Some("NEAR#{id}"), "{keys:?}");
    let said = super::left_out(&import).join("\n");
    assert!(said.contains("is not a template"), "{said}");
    assert!(!entity.attributes.iter().any(|a| a.name == "FAR"));
}

#[test]
fn tables_without_a_literal_name_are_told_apart_by_the_code_for_it() {
    let entity = |name: &str, table: &str| {
        format!(
            "new Entity({{ model: {{ entity: '{name}', version: '1', service: 's' }}, attributes: {{ id: {{ type: 'string' }} }}, \
             indexes: {{ a: {{ pk: {{ field: 'pk', composite: ['id'] }} }} }} }}, {{ table: {table} }});\n"
        )
    };
    let electrodb = [
        "import { Entity } from 'electrodb'\n".to_owned(),
        entity("Order", "Resource.Orders.name"),
        entity("User", "Resource.Users.name"),
        entity("Line", "Resource.Orders.name"),
    ];
    let onetable = "import { Table } from 'dynamodb-onetable'\n\
        const schema = { indexes: { primary: { hash: 'pk' } }, models: { A: { pk: { type: String, value: 'A#${id}' }, id: { type: String } } } }\n\
        new Table({ name: process.env.A, schema })\nnew Table({ name: process.env.B, schema })\n";
    let toolbox = "import { Table, Entity } from 'dynamodb-toolbox'\n\
        const A = new Table({ name: process.env.A, partitionKey: { name: 'pk', type: 'string' } })\n\
        const B = new Table({ name: process.env.B, partitionKey: { name: 'pk', type: 'string' } })\n\
        new Entity({ name: 'Order', table: A, schema: item({ pk: string().key() }) })\n\
        new Entity({ name: 'User', table: B, schema: item({ pk: string().key() }) })\n";
    for (text, entities) in [
        (electrodb.concat().as_str(), ["Order Line", "User"]),
        (onetable, ["A", "A"]),
        (toolbox, ["Order", "User"]),
    ] {
        let import = import("a.ts", text);
        let tables = import.tables.iter().map(|table| {
            let entities = table.entities.iter();
            let entities: Vec<&str> = entities.map(|entity| entity.name.as_str()).collect();
            (
                table.name.as_str(),
                table.table.name.as_str(),
                entities.join(" "),
            )
        });
        let tables: Vec<_> = tables.collect();
        assert_eq!(
            tables,
            [
                ("Imported table", "Imported-table", entities[0].to_owned()),
                (
                    "Imported table 2",
                    "Imported-table-2",
                    entities[1].to_owned()
                ),
            ]
        );
    }
    // The table of an expression is the same in several files.
    let files = [("a.ts", &electrodb[1..3]), ("b.ts", &electrodb[2..4])].map(|(name, text)| {
        let text = electrodb[0].clone() + &text.concat();
        let import = keyfold_import::read(name, text.as_bytes(), None).expect("a table");
        (name.to_owned(), import)
    });
    let import = keyfold_import::combine(files.into());
    let entities = import.tables.iter().map(|table| table.entities.len());
    assert_eq!(entities.collect::<Vec<_>>(), [2, 1]);
}

//! A person changes what was found; nothing imported changes.

use super::support::*;
use super::{hostile, near_designs};
use keyfold_core::library::patterns;
use keyfold_core::model::Value;
use keyfold_infer::{Draft, Item, Schema, infer};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::fmt::Write as _;

/// An edit of a draft. Numbers choose among the entities or attributes that there are.
#[derive(Debug, Clone)]
enum Edit {
    Rename(usize, String),
    Merge(Vec<usize>),
    Split(usize, Option<String>),
    Template(usize, usize, Option<String>),
    /// A template that another entity has for the same key.
    Borrow(usize, usize, usize),
    Undo,
}

/// Makes the edit; whether it was possible.
fn edit(
    draft: &mut Draft,
    schema: &Schema,
    edit: &Edit,
    before: &mut Vec<keyfold_infer::State>,
) -> Result<(), String> {
    let id = |draft: &Draft, at: usize| {
        draft
            .ids()
            .get(at % draft.ids().len().max(1))
            .copied()
            .unwrap_or(0)
    };
    let keys: Vec<String> = (schema.keys())
        .flat_map(|key| key.attributes())
        .map(|key| key.name.clone())
        .collect();
    let state = draft.state();
    let done = match edit {
        Edit::Rename(at, name) => draft.rename(id(draft, *at), name),
        Edit::Merge(all) => {
            let ids: Vec<u32> = all.iter().map(|at| id(draft, *at)).collect();
            draft.merge(&ids)
        }
        Edit::Split(at, by) => draft.split(id(draft, *at), by.as_deref()),
        Edit::Template(at, key, text) => {
            draft.set_template(id(draft, *at), &keys[key % keys.len()], text.as_deref())
        }
        Edit::Borrow(at, key, other) => {
            let key = &keys[key % keys.len()];
            let entities = &draft.inferred().entities;
            let rules = entities
                .get(other % entities.len().max(1))
                .map(|entity| &entity.rules);
            let rule = rules.and_then(|rules| rules.iter().find(|rule| rule.attribute == *key));
            let template = rule.map(|rule| rule.template.clone());
            draft.set_template(id(draft, *at), key, template.as_deref())
        }
        Edit::Undo => {
            if let Some(state) = before.pop() {
                draft.restore(state);
            }
            return Ok(());
        }
    };
    if done.is_ok() {
        before.push(state);
    }
    done
}

/// Checks what holds whatever is edited.
fn assert_whole(draft: &Draft, schema: &Schema) {
    assert_come_back(schema, draft.items(), draft.inferred());
    let mut ids = draft.ids().to_vec();
    assert_eq!(ids.len(), draft.inferred().entities.len());
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), draft.ids().len(), "an id is given once");
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let names = ["User", "Order", "Other", "", " A ", "u1", "a\u{0}", "USER"];
    let attributes = ["id", "status", "type", "PK", "userId", "n", "nothing"];
    let templates = [
        "USER#{id}",
        "USER#{userId}",
        "{userId}",
        "{id}",
        "{PK}",
        "{SK}",
        "{",
        "",
        "X",
        "{id:lower}",
        "{a}{b}",
        "{n}",
        "#{x}#{y}",
        "{type}#{id}",
        "{createdAt:date}#{id}",
        "<id>",
        "{pkValue}#{rest}",
        "{{{id}",
        "ORDER#{a:b}",
        "{GSI1PK}",
    ];
    let choice = |all: Vec<&'static str>| prop::sample::select(all).prop_map(str::to_owned);
    let at = || 0usize..8;
    prop_oneof![
        1 => (at(), choice(names.to_vec())).prop_map(|(at, name)| Edit::Rename(at, name)),
        2 => prop::collection::vec(at(), 0..4).prop_map(Edit::Merge),
        2 => (at(), prop::option::of(choice(attributes.to_vec()))).prop_map(|(at, by)| Edit::Split(at, by)),
        4 => (at(), 0usize..6, prop::option::weighted(0.9, choice(templates.to_vec())))
            .prop_map(|(at, key, text)| Edit::Template(at, key, text)),
        2 => (at(), 0usize..6, at()).prop_map(|(at, key, other)| Edit::Borrow(at, key, other)),
        1 => Just(Edit::Undo),
    ]
}

fn assert_edits_keep_items(schema: Schema, items: Vec<Item>, edits: &[Edit]) {
    let found = infer(&schema, &items, &[]);
    let mut draft = Draft::new(schema.clone(), items, &[]);
    assert_eq!(draft.inferred(), &found);
    let mut before = Vec::new();
    for one in edits {
        let old = draft.inferred().clone();
        match edit(&mut draft, &schema, one, &mut before) {
            Ok(()) => assert_whole(&draft, &schema),
            Err(why) => {
                assert!(!why.is_empty());
                assert_eq!(draft.inferred(), &old, "a refused edit changes nothing");
            }
        }
    }
    if let Some(first) = before.into_iter().next() {
        draft.restore(first);
        assert_eq!(draft.inferred(), &found, "undo gives back what was found");
    }
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn edits_change_no_item(
        schema in near_designs::schema(),
        kinds in prop::collection::vec(near_designs::kind(), 1..4),
        edits in prop::collection::vec(any_edit(), 1..8),
    ) {
        let items = near_designs::items(&kinds, &schema);
        assert_edits_keep_items(schema, items, &edits);
    }

    #[test]
    fn edits_change_no_hostile_item(
        schema in hostile::schema(),
        items in prop::collection::vec(hostile::item(), 0..20),
        edits in prop::collection::vec(any_edit(), 1..8),
    ) {
        assert_edits_keep_items(schema, items, &edits);
    }
}

#[test]
fn every_edit_of_library_designs_keeps_their_items() {
    for pattern in patterns() {
        let design = pattern.design().expect("a design");
        let schema = Schema::of(&design);
        let items: Vec<Item> = items_of(&design)
            .into_iter()
            .map(|(_, item)| item)
            .collect();
        let mut draft = Draft::new(schema.clone(), items.clone(), &[]);
        let found = draft.inferred().clone();
        let start = draft.state();
        let ids = draft.ids().to_vec();
        for id in &ids {
            draft.rename(*id, &format!("New {id}")).expect("a new name");
        }
        assert_eq!(draft.ids(), ids, "{}", pattern.name);
        assert_whole(&draft, &schema);
        if ids.len() > 1 {
            draft.merge(&ids).expect("several entities");
            assert_eq!(draft.ids(), &ids[..1], "{}", pattern.name);
            assert_eq!(draft.inferred().entities[0].items.len(), items.len());
            assert_whole(&draft, &schema);
            draft.split(ids[0], None).expect("different keys");
            assert!(draft.ids().len() > 1, "{}", pattern.name);
            assert_whole(&draft, &schema);
        }
        draft.restore(start);
        assert_eq!(draft.inferred(), &found, "{}", pattern.name);
    }
}

/// The entities with their items, templates, and what these do not explain.
fn described(draft: &Draft) -> String {
    let mut text = String::new();
    let inferred = draft.inferred();
    for (id, entity) in draft.ids().iter().zip(&inferred.entities) {
        let key_only: Vec<&str> = (entity.attributes.iter())
            .filter(|own| own.key_only)
            .map(|own| own.name.as_str())
            .collect();
        let rest = if entity.is_rest { ", unexplained" } else { "" };
        let _ = write!(text, "{id} {}: {:?}{rest}", entity.name, entity.items);
        if !key_only.is_empty() {
            let _ = write!(text, ", only in keys: {}", key_only.join(" "));
        }
        text.push('\n');
        for rule in &entity.rules {
            let _ = writeln!(
                text,
                "  {} = {}: {} of {}",
                rule.attribute,
                rule.template,
                rule.explained,
                rule.explained + rule.unexplained
            );
        }
        for entry in entity.keys.iter().filter(|entry| !entry.when.is_empty()) {
            let when: Vec<String> = entry.when.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "  {} when {}", entry.key, when.join(", "));
        }
    }
    if let Some(attribute) = &inferred.type_attribute {
        let _ = writeln!(text, "type: {attribute}");
    }
    text
}

/// Items of users and orders; one order has an odd key.
fn shop() -> Draft {
    let user = |n: &str| {
        item(&[
            ("PK", &format!("USER#{n}")),
            ("SK", "PROFILE"),
            ("entityType", "User"),
            ("userId", n),
            ("name", "x"),
        ])
    };
    let order = |n: &str, sk: &str, status: &str| {
        item(&[
            ("PK", &format!("USER#{n}")),
            ("SK", sk),
            ("entityType", "Order"),
            ("userId", n),
            ("status", status),
        ])
    };
    let items = vec![
        user("u1"),
        user("u2"),
        order("u1", "ORDER#o1", "OPEN"),
        order("u1", "ORDER#o2", "PAID"),
        order("u2", "ORDER#o3", "OPEN"),
        order("u2", "ORDER#o4#b", "PAID"),
    ];
    Draft::new(table("PK", "SK"), items, &[])
}

/// An edit with its name.
type Named<'c> = (&'c str, &'c dyn Fn(&mut Draft) -> Result<(), String>);

/// Makes edits one by one, and shows the draft after each, or why it was refused.
fn told(mut draft: Draft, edits: &[Named]) -> String {
    let schema = table("PK", "SK");
    let mut text = described(&draft);
    for (name, edit) in edits {
        let _ = writeln!(text, "\n{name}");
        match edit(&mut draft) {
            Ok(()) => {
                assert_whole(&draft, &schema);
                text += &described(&draft);
            }
            Err(why) => {
                let _ = writeln!(text, "refused: {why}");
            }
        }
    }
    text
}

/// The id of an entity.
fn id(draft: &Draft, name: &str) -> u32 {
    let mut entities = draft.inferred().entities.iter();
    let at = entities.position(|entity| entity.name == name);
    draft.ids()[at.unwrap_or_else(|| panic!("{name} in\n{}", described(draft)))]
}

#[test]
fn entities_are_renamed_merged_and_split() {
    let text = told(
        shop(),
        &[
            ("merge User with itself", &|draft| {
                draft.merge(&[id(draft, "User"); 2])
            }),
            ("call Order User", &|draft| {
                draft.rename(id(draft, "Order"), "User")
            }),
            ("call Order nothing", &|draft| {
                draft.rename(id(draft, "Order"), " ")
            }),
            ("call User Member", &|draft| {
                draft.rename(id(draft, "User"), "Member")
            }),
            ("call it User again", &|draft| {
                draft.rename(id(draft, "Member"), "User")
            }),
            ("split User", &|draft| draft.split(id(draft, "User"), None)),
            ("split User by name", &|draft| {
                draft.split(id(draft, "User"), Some("name"))
            }),
            ("split User by nothing", &|draft| {
                draft.split(id(draft, "User"), Some("nothing"))
            }),
            ("split Order by status", &|draft| {
                draft.split(id(draft, "Order"), Some("status"))
            }),
            ("merge all", &|draft| {
                let all = draft.ids().to_owned();
                draft.merge(&all)
            }),
            ("split", &|draft| draft.split(draft.ids()[0], None)),
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn templates_are_set_and_removed() {
    let set = |draft: &mut Draft, entity: &str, key: &str, text: Option<&str>| {
        draft.set_template(id(draft, entity), key, text)
    };
    let text = told(
        shop(),
        &[
            ("typo", &|draft| {
                set(draft, "User", "PK", Some("USER#{userIdd}"))
            }),
            ("unknown with a modifier", &|draft| {
                set(draft, "User", "PK", Some("USER#{key:lower}"))
            }),
            ("not closed", &|draft| {
                set(draft, "User", "PK", Some("USER#{userId"))
            }),
            ("other literal", &|draft| {
                set(draft, "User", "PK", Some("MEMBER#{userId}"))
            }),
            ("other key", &|draft| {
                set(draft, "User", "GSI1PK", Some("{userId}"))
            }),
            ("from another key", &|draft| {
                set(draft, "User", "SK", Some("{PK}"))
            }),
            ("two values without a literal", &|draft| {
                set(draft, "Order", "SK", Some("{a}{b}"))
            }),
            ("another name for what only the key has", &|draft| {
                set(draft, "Order", "SK", Some("ORDER#{number}"))
            }),
            ("a literal that few have", &|draft| {
                set(draft, "Order", "SK", Some("ORDER#o4#{part}"))
            }),
            ("split off what it does not explain", &|draft| {
                draft.split(id(draft, "Order"), None)
            }),
            ("no sort key template", &|draft| {
                set(draft, "User", "SK", None)
            }),
            ("no template", &|draft| set(draft, "User", "PK", Some(" "))),
            ("a template again", &|draft| {
                set(draft, "User", "PK", Some("USER#{userId:first(2)}"))
            }),
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn what_no_template_explains_can_be_edited() {
    let mut items: Vec<Item> = Vec::new();
    for n in 0..6 {
        items.push(item(&[
            ("PK", &format!("USER#u{n}")),
            ("SK", "PROFILE"),
            ("name", "x"),
        ]));
    }
    for (pk, sk) in [("a b", "!"), ("c", "?d")] {
        items.push(item(&[("PK", pk), ("SK", sk)]));
    }
    let draft = Draft::new(table("PK", "SK"), items, &[]);
    let text = told(
        draft,
        &[
            ("call it Legacy", &|draft| {
                draft.rename(id(draft, "Other"), "Legacy")
            }),
            ("give it a template", &|draft| {
                draft.set_template(id(draft, "Legacy"), "SK", Some("{mark}"))
            }),
            ("a template that explains one", &|draft| {
                draft.set_template(id(draft, "Legacy"), "SK", Some("?{mark}"))
            }),
            ("merge", &|draft| {
                draft.merge(&[id(draft, "Other"), id(draft, "Profile")])
            }),
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn sparse_indexes_get_their_condition_with_their_templates() {
    let mut schema = table("PK", "SK");
    schema.indexes.push(keyfold_core::model::Index::new(
        "GSI1",
        keyfold_core::model::IndexKind::Gsi,
        keyfold_core::model::KeySchema::pair("GSI1PK", "GSI1SK"),
    ));
    let of = |n: usize| {
        let status = if n.is_multiple_of(2) { "OPEN" } else { "DONE" };
        let mut one = item(&[
            ("PK", &format!("TASK#t{n}")),
            ("SK", "TASK"),
            ("taskId", &format!("t{n}")),
            ("status", status),
        ]);
        if status == "OPEN" {
            one.insert("GSI1PK".into(), Value::from("TASKS#OPEN"));
            one.insert("GSI1SK".into(), Value::S(format!("t{n}")));
        }
        one
    };
    let mut draft = Draft::new(schema.clone(), (0..8).map(of).collect(), &[]);
    let mut text = described(&draft);
    let task = draft.ids()[0];
    for (key, template) in [
        ("GSI1SK", None),
        ("GSI1PK", None),
        ("GSI1PK", Some("TASKS#{status}")),
        ("GSI1SK", Some("{taskId}")),
    ] {
        draft.set_template(task, key, template).expect("a template");
        assert_whole(&draft, &schema);
        let _ = write!(text, "\n{key} = {template:?}\n{}", described(&draft));
    }
    insta::assert_snapshot!(text);
}

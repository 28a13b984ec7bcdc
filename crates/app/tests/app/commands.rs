//! Commands, diff and undo. Every command leaves a valid design.

use keyfold_app::attribute_list::Listed;
use keyfold_app::document::MERGE_MS;
use keyfold_app::sample_format::describe;
use keyfold_app::{
    Command, Diff, Document, Refused, SampleEdits, ValueEdit, apply, attribute_list, diff,
    several_entities, stress, suggest,
};
use keyfold_core::library;
use keyfold_core::model::SortedMap;
use keyfold_core::model::*;
use keyfold_test_support::cases;
use proptest::prelude::*;

pub use crate::any_command::any_command;

pub fn sound(design: &Design) {
    let violations = validate_invariants(design);
    assert!(violations.is_empty(), "{violations:#?}");
}

/// Runs commands and checks the invariants after each.
fn run(mut design: Design, commands: impl IntoIterator<Item = Command>) -> Design {
    for command in commands {
        let shown = format!("{command:?}");
        design = apply(&design, command).unwrap_or_else(|refused| panic!("{shown}: {refused}"));
        sound(&design);
    }
    design
}

fn refused(design: &Design, command: Command) -> String {
    match apply(design, command) {
        Err(Refused(reason)) => reason,
        Ok(_) => panic!("it succeeded"),
    }
}

pub fn saas() -> Design {
    library::find("saas-multi-tenant")
        .unwrap()
        .design()
        .unwrap()
}

pub fn at(x: i32, y: i32) -> Point {
    Point { x, y }
}

fn entity(design: &Design, name: &str) -> EntityId {
    design.entity_named(name).unwrap()
}

fn add_entity(name: &str) -> Command {
    Command::AddEntity {
        name: name.into(),
        at: at(0, 0),
    }
}

fn template(design: &Design, name: &str, index: IndexId) -> (Option<String>, Option<String>) {
    let entry = &design.entities[&entity(design, name)].keys[&index];
    (entry.partition.clone(), entry.sort.clone())
}

#[test]
fn a_new_entity_has_keys_an_id_and_a_sample() {
    let design = run(Design::new("Shop"), [add_entity("Order line")]);
    let id = entity(&design, "Order line");
    assert_eq!(
        template(&design, "Order line", IndexId::PRIMARY),
        (
            Some("ORDER_LINE#{orderLineId}".into()),
            Some("METADATA".into())
        )
    );
    assert_eq!(design.samples_of(id).len(), 1);
    assert!(design.samples_of(id)[0].values.contains_key("orderLineId"));
    assert_eq!(design.layout[&CardId::Entity(id)], at(0, 0));
}

/// The name of a table that nobody named is that of the design.
#[test]
fn the_first_name_of_a_design_names_its_table() {
    let named = |design: Design, name: &str| run(design, [Command::RenameDesign(name.into())]);
    let design = named(Design::new(Design::UNTITLED), "Untitled 2");
    assert_eq!(design.table.name, "Untitled");
    let design = named(design, "Crew rostering");
    assert_eq!(design.table.name, "Crew-rostering");
    assert_eq!(named(design, "Rostering").table.name, "Crew-rostering");
}

#[test]
fn tags_are_as_dynamodb_accepts_them() {
    let tagged = |key: &str, value: &str| {
        let mut table = Table::clone(&saas().table);
        table.tags.insert(key.into(), value.into());
        let command = Command::UpdateTable {
            table: Box::new(table),
            field: "tags",
        };
        apply(&saas(), command).map_err(|refused| refused.0)
    };
    for (key, value) in [
        ("team", ""),
        ("cost center", "Größe 7 +-=._:/@"),
        ("stage", "${Stage}"),
        (&"k".repeat(128), &"v".repeat(256)),
    ] {
        assert!(tagged(key, value).is_ok(), "{key}");
    }
    for (key, value, reason) in [
        ("", "x", "a tag needs a key"),
        ("a%b", "x", "`%` is not allowed in a tag key"),
        ("a", "50%", "`%` is not allowed in a tag value"),
        ("AWS:a", "x", "a tag key cannot start with `aws:`"),
        (&"k".repeat(129), "", "a tag key has at most 128 characters"),
        (
            "a",
            &"v".repeat(257),
            "a tag value has at most 256 characters",
        ),
    ] {
        let said = tagged(key, value).unwrap_err();
        assert!(said.starts_with(reason), "{said}");
    }
}

/// The table's name follows letter by letter, and one undo takes back both names.
#[test]
fn a_first_name_that_is_typed_is_one_step_with_that_of_the_table() {
    let mut document = Document::new(Design::new(Design::UNTITLED));
    for (at, name) in ["V", "Vet", "Vet clinics"].into_iter().enumerate() {
        // With a pause before the last letters.
        let now = [0.0, 1.0, 5.0 * MERGE_MS][at];
        (document.run(Command::RenameDesign(name.into()), now)).unwrap();
        assert!(validate_invariants(document.design()).is_empty());
    }
    assert_eq!(document.design().table.name, "Vet-clinics");
    document.leave_field();
    document.undo();
    assert_eq!(document.design().table.name, "Vet");
    document.undo();
    let first = document.design();
    assert_eq!(
        (&*first.name, &*first.table.name),
        (Design::UNTITLED, "Untitled")
    );
}

#[test]
fn a_new_entity_joins_the_shared_item_collection() {
    let design = run(saas(), [add_entity("Invoice")]);
    assert_eq!(
        template(&design, "Invoice", IndexId::PRIMARY),
        (
            Some("TENANT#{tenantId}".into()),
            Some("INVOICE#{invoiceId}".into())
        )
    );
    let sample = &design.samples_of(entity(&design, "Invoice"))[0];
    assert_eq!(
        sample.values["tenantId"],
        Value::S("t_01".into()),
        "an existing tenant"
    );
}

#[test]
fn a_new_index_has_no_key_attribute_of_another_index() {
    let mut design = Design::new("Shop");
    for name in ["GSI1", "GSI2"] {
        let index = suggest::new_index(&design, IndexKind::Gsi);
        assert_eq!(index.name, name);
        let (index, at) = (Box::new(index), Point::default());
        design = run(design, [Command::AddIndex { index, at }]);
    }
    let id = design.index_named("GSI1").unwrap();
    let mut renamed = Index::clone(&design.indexes[&id]);
    renamed.name = "ByStatus".into();
    let index = Box::new(renamed);
    let field = "name";
    design = run(design, [Command::UpdateIndex { id, index, field }]);
    let next = suggest::new_index(&design, IndexKind::Gsi);
    assert_eq!(
        (next.name.as_str(), next.key),
        ("GSI3", KeySchema::pair("GSI3PK", "GSI3SK"))
    );
}

#[test]
fn joining_an_index_suggests_templates_from_attributes() {
    let design = saas();
    let user = entity(&design, "User");
    let index = suggest::new_index(&design, IndexKind::Gsi);
    assert_eq!(index.name, "GSI4");
    assert_eq!(
        index.key,
        KeySchema::pair("gsi4pk", "gsi4sk"),
        "lower case, as the table's"
    );
    let entry = suggest::entry_for(&design, user, &index);
    // The design writes the email so in another entity's key.
    assert_eq!(
        entry,
        IndexEntry::pair("USER_EMAIL#{email}", "USER#{userId}")
    );
    let design = run(
        design,
        [Command::AddIndexFor {
            index: Box::new(index),
            at: at(1, 2),
            entity: user,
            entry: entry.clone(),
        }],
    );
    let id = design.index_named("GSI4").unwrap();
    assert_eq!(design.entities[&user].keys[&id], entry);
    let design = run(design, [Command::LeaveIndex(user, id)]);
    assert!(!design.entities[&user].keys.contains_key(&id));
}

#[test]
fn renaming_an_attribute_updates_every_use() {
    let design = saas();
    let project = entity(&design, "Project");
    let mut attribute = design.entities[&project]
        .attribute("createdAt")
        .unwrap()
        .clone();
    attribute.name = "startedAt".into();
    let design = run(
        design,
        [Command::UpdateAttribute {
            entity: project,
            attribute: Box::new(attribute),
            field: "name",
        }],
    );
    let (_, sort) = template(&design, "Project", IndexId::PRIMARY);
    assert_eq!(sort.unwrap(), "PROJECT#{startedAt}#{projectId}");
    for sample in design.samples_of(project) {
        assert!(sample.values.contains_key("startedAt"));
        assert!(!sample.values.contains_key("createdAt"));
    }
}

#[test]
fn deleting_a_card_deletes_its_dependents() {
    let design = saas();
    let user = entity(&design, "User");
    let gsi1 = design.index_named("GSI1").unwrap();
    let before = design.access_patterns.len();
    let design = run(
        design,
        [Command::Delete(vec![
            CardId::Entity(user),
            CardId::Index(gsi1),
            CardId::Index(IndexId::PRIMARY),
        ])],
    );
    assert!(!design.entities.contains_key(&user));
    assert!(!design.samples.contains_key(&user));
    assert!(!design.indexes.contains_key(&gsi1));
    assert!(
        design.layout.contains_key(&CardId::Index(IndexId::PRIMARY)),
        "the table does not change"
    );
    assert!(design.access_patterns.len() < before);
}

#[test]
fn a_transaction_stays_with_what_it_writes_of_other_entities() {
    let put = |design: &Design, name: &str| WriteAction::PutItem {
        entity: entity(design, name),
        condition: None,
    };
    let mut design = saas();
    let actions = vec![put(&design, "User"), put(&design, "Project")];
    let id = AccessPatternId(design.take_id());
    let pattern = AccessPattern {
        name: "Both".into(),
        description: String::new(),
        operation: Operation::TransactWriteItems { actions },
        entities: vec![],
        sample: None,
        parameters: [].into(),
        rate: None,
    };
    design.access_patterns.insert(id, pattern.into());
    sound(&design);
    let delete =
        |design: &Design, name| Command::Delete(vec![CardId::Entity(entity(design, name))]);
    // One that is about the deleted entity only, too, if it puts others.
    let mut about = AccessPattern::clone(&design.access_patterns[&id]);
    about.name = "About".into();
    about.entities = vec![entity(&design, "User")];
    let other = AccessPatternId(design.take_id());
    design.access_patterns.insert(other, about.into());
    let command = delete(&design, "User");
    let design = run(design, [command]);
    for id in [id, other] {
        let left = design.access_patterns[&id].operation.actions();
        assert_eq!(left, [put(&design, "Project")]);
    }
    let command = delete(&design, "Project");
    let design = run(design, [command]);
    assert!(!design.access_patterns.contains_key(&id));
}

#[test]
fn a_natural_key_gets_no_template() {
    let mut index = suggest::new_index(&saas(), IndexKind::Gsi);
    index.key = KeySchema::pair("kind", "email");
    let user = entity(&saas(), "User");
    let entry = suggest::entry_for(&saas(), user, &index);
    assert_eq!((entry.partition.is_some(), entry.sort), (true, None));
    // One of another type is none.
    index.key.sort[0].kind = KeyType::N;
    let entry = suggest::entry_for(&saas(), user, &index);
    assert!(entry.sort.is_some());
    // A template that is asked for keeps its values.
    index.key.sort[0].kind = KeyType::S;
    let (index, at) = (Box::new(index), Point::default());
    let design = run(saas(), [Command::AddIndex { index, at }]);
    let added = *design.indexes.keys().next_back().unwrap();
    let template = suggest::template(&design, user, added, KeyPart::Sort);
    assert_eq!(template, "{email}");
}

#[test]
fn a_local_index_needs_a_table_with_a_sort_key() {
    let mut table = Table::clone(&saas().table);
    table.key.sort.clear();
    let without = |table: &Table| Command::UpdateTable {
        table: Box::new(table.clone()),
        field: "sort key",
    };
    let add = |design: &Design| Command::AddIndex {
        index: Box::new(suggest::new_index(design, IndexKind::Lsi)),
        at: at(0, 0),
    };
    let design = run(saas(), [without(&table)]);
    let reason = refused(&design, add(&design));
    assert!(reason.contains("the table has no sort key"), "{reason}");
    let command = add(&saas());
    let design = run(saas(), [command]);
    let reason = refused(&design, without(&table));
    assert!(reason.contains("delete LSI1 first"), "{reason}");
}

#[test]
fn changes_that_dynamodb_refuses_are_refused_with_a_reason() {
    let design = saas();
    let user = entity(&design, "User");
    let mut table = (*design.table).clone();
    table.name = "no spaces".into();
    let update = |table: Table| Command::UpdateTable {
        table: Box::new(table),
        field: "name",
    };
    let mut short = (*design.table).clone();
    short.name = "ab".into();
    let mut twice = (*design.table).clone();
    twice.key = KeySchema::pair("pk", "pk");
    let mut retyped = (*design.table).clone();
    retyped.key.partition[0].name = "gsi1pk".into();
    retyped.key.partition[0].kind = KeyType::N;
    let reasons = [
        refused(&design, update(table)),
        refused(&design, update(short)),
        refused(&design, update(twice)),
        refused(&design, update(retyped)),
        refused(&design, Command::RenameEntity(user, "Tenant".into())),
        refused(&design, Command::RenameEntity(user, " ".into())),
        refused(&design, Command::RenameEntity(EntityId(9999), "X".into())),
        refused(&design, Command::RenameDesign(String::new())),
    ];
    insta::assert_debug_snapshot!(reasons);
}

#[test]
fn a_table_without_a_sort_key_drops_the_sort_templates() {
    let design = saas();
    let mut table = (*design.table).clone();
    table.key.sort.clear();
    let design = run(
        design,
        [Command::UpdateTable {
            table: Box::new(table),
            field: "sort key",
        }],
    );
    assert_eq!(template(&design, "User", IndexId::PRIMARY).1, None);
}

#[test]
fn a_local_index_follows_the_tables_partition_key() {
    let design = Design::new("Local");
    let index = Box::new(suggest::new_index(&design, IndexKind::Lsi));
    let design = run(
        design,
        [Command::AddIndex {
            index,
            at: at(0, 0),
        }],
    );
    let mut table = (*design.table).clone();
    table.key.partition[0].name = "tenant".into();
    let design = run(
        design,
        [Command::UpdateTable {
            table: Box::new(table),
            field: "partition key",
        }],
    );
    let lsi = design.index_named("LSI1").unwrap();
    assert_eq!(design.indexes[&lsi].key.partition[0].name, "tenant");
}

#[test]
fn a_change_shares_unchanged_parts() {
    let before = saas();
    let user = entity(&before, "User");
    let after = apply(&before, Command::SetHue(user, 7)).unwrap();
    let changed = diff(&before, &after);
    assert_eq!(changed.entities.changed, [user]);
    let rest = Diff {
        entities: Default::default(),
        ..changed
    };
    assert!(rest.is_empty(), "{rest:?}");
    for (id, entity) in &before.entities {
        let shared = std::sync::Arc::ptr_eq(entity, &after.entities[id]);
        assert_eq!(shared, *id != user);
    }
}

/// Edits the template of the table's sort key.
pub fn set_template(entity: EntityId, text: &str) -> Command {
    Command::SetTemplate {
        entity,
        index: IndexId::PRIMARY,
        part: KeyPart::Sort,
        text: Some(text.into()),
    }
}

#[test]
fn typing_that_restores_the_text_is_no_undo_step() {
    let design = saas();
    let user = entity(&design, "User");
    let mut document = Document::new(design.clone());
    document.run(set_template(user, "U"), 0.0).unwrap();
    let changed = document.run(set_template(user, "USER#{userId}"), 1.0);
    assert!(!changed.unwrap().is_empty());
    assert_eq!(document.design(), &design);
    assert_eq!(document.undo_label(), None);
    // Further typing is a step of its own.
    document.run(set_template(user, "V"), 2.0).unwrap();
    document.undo().unwrap();
    assert_eq!(document.design(), &design);

    // Pauses make several steps, which are removed together: nobody wants to undo half of a reverted edit.
    let tenant = entity(&design, "Tenant");
    document.run(set_template(tenant, "T"), 3.0).unwrap();
    for (at, text) in ["U", "US", "USER#{userId}"].into_iter().enumerate() {
        let now = 10.0 * MERGE_MS * (at + 1) as f64;
        document.run(set_template(user, text), now).unwrap();
    }
    document.undo().unwrap();
    assert_eq!(document.design(), &design);
    assert_eq!(document.undo_label(), None);

    // Leaving and reentering a field starts a new step.
    document.run(set_template(tenant, "T"), 0.0).unwrap();
    let typed = document.design().clone();
    document.leave_field();
    let (_, was) = template(&design, "Tenant", IndexId::PRIMARY);
    document
        .run(set_template(tenant, &was.unwrap()), 1.0)
        .unwrap();
    document.undo().unwrap();
    assert_eq!(document.design(), &typed);
}

#[test]
fn typing_in_one_field_is_one_step_until_a_pause() {
    let design = saas();
    let (user, tenant) = (entity(&design, "User"), entity(&design, "Tenant"));
    let mut document = Document::new(design);
    document.run(set_template(user, "U"), 0.0).unwrap();
    document.run(set_template(user, "US"), MERGE_MS).unwrap();
    document
        .run(set_template(user, "USE"), 2.0 * MERGE_MS)
        .unwrap();
    document.undo().unwrap();
    assert_eq!(
        template(document.design(), "User", IndexId::PRIMARY)
            .1
            .unwrap(),
        "USER#{userId}"
    );
    assert!(document.undo().is_none());
    document.redo().unwrap();
    assert_eq!(
        template(document.design(), "User", IndexId::PRIMARY)
            .1
            .unwrap(),
        "USE"
    );

    document
        .run(set_template(user, "A"), 10.0 * MERGE_MS)
        .unwrap();
    document
        .run(set_template(user, "B"), 11.1 * MERGE_MS)
        .unwrap();
    document
        .run(set_template(tenant, "C"), 11.2 * MERGE_MS)
        .unwrap();
    assert_eq!(document.undo_label(), Some("edit template"));
    for expected in ["B", "A", "USE"] {
        document.undo().unwrap();
        assert_eq!(
            template(document.design(), "User", IndexId::PRIMARY)
                .1
                .unwrap(),
            expected
        );
        sound(document.design());
    }
}

#[test]
fn small_moves_of_the_same_cards_are_one_step() {
    let design = saas();
    let cards = ["User", "Tenant"].map(|name| CardId::Entity(entity(&design, name)));
    let to = |card, x| Command::Move(vec![(card, Point { x, y: 0 })]);
    let mut document = Document::new(design);
    for x in 1..=5 {
        let now = f64::from(x) * 30.0;
        document.run(to(cards[0], 1000 + 4 * x), now).unwrap();
    }
    document.run(to(cards[1], 2000), 160.0).unwrap();
    // A drag leaves the field first.
    document.leave_field();
    document.run(to(cards[1], 2100), 170.0).unwrap();
    let place = |document: &Document, at: usize| document.design().layout[&cards[at]].x;
    for (user, tenant) in [(1020, 2100), (1020, 2000)] {
        assert_eq!((place(&document, 0), place(&document, 1)), (user, tenant));
        document.undo().unwrap();
    }
    assert_eq!(place(&document, 0), 1020);
    document.undo().unwrap();
    assert!(document.undo().is_none());
}

#[test]
fn a_command_without_effect_is_no_undo_step() {
    let design = saas();
    let user = entity(&design, "User");
    let mut document = Document::new(design);
    let changed = document
        .run(set_template(user, "USER#{userId}"), 0.0)
        .unwrap();
    assert!(changed.is_empty());
    assert!(document.undo_label().is_none());
}

#[test]
fn ids_are_not_reused_after_undo() {
    let mut document = Document::new(Design::new("Ids"));
    document.run(add_entity("First"), 0.0).unwrap();
    let first = entity(document.design(), "First");
    document.undo().unwrap();
    document.run(add_entity("Second"), 1.0).unwrap();
    assert_ne!(entity(document.design(), "Second"), first);
    sound(document.design());
}

#[test]
fn benchmark_designs_are_valid() {
    let design = stress::by_name("items:2000").expect("a name");
    sound(&design);
    assert_eq!(
        design.samples.values().map(|s| s.len()).sum::<usize>(),
        2000
    );
    assert_eq!(
        stress::by_name("7").map(|design| design.entities.len()),
        Some(7)
    );
    for name in ["", "items:", "items:x", "-1"] {
        assert!(stress::by_name(name).is_none(), "{name}");
    }
    let design = stress::design(40);
    sound(&design);
    assert_eq!((design.entities.len(), design.indexes.len()), (40, 5));
    assert!(design.samples.values().all(|samples| samples.len() == 10));
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn random_commands_leave_a_valid_design_and_can_be_undone(
        commands in proptest::collection::vec(any_command(), 1..60),
        from_library in any::<bool>(),
    ) {
        let first = if from_library { saas() } else { Design::new("Any") };
        let mut document = Document::new(first.clone());
        for (number, command) in commands.into_iter().enumerate() {
            let before = document.design().clone();
            let shown = format!("{command:?}");
            match document.run(command, number as f64 * 1e6) {
                Ok(changed) => {
                    prop_assert_eq!(changed, diff(&before, document.design()));
                    let violations = validate_invariants(document.design());
                    prop_assert!(violations.is_empty(), "{}: {:#?}", shown, violations);
                }
                Err(_) => prop_assert_eq!(document.design(), &before),
            }
        }
        let last = document.design().clone();
        while document.undo().is_some() {}
        prop_assert!(diff(&first, document.design()).is_empty());
        while document.redo().is_some() {}
        prop_assert!(diff(&last, document.design()).is_empty());
    }
}

#[test]
fn many_sample_edits_are_one_step_all_or_nothing() {
    let design = saas();
    let user = entity(&design, "User");
    let ids: Vec<SampleId> = design.samples_of(user).iter().map(|s| s.id).collect();
    let values = |name: &str| SortedMap::from([("name".to_owned(), Value::from(name))]);
    let edit = |sample, attribute: &str| ValueEdit {
        entity: user,
        sample,
        attribute: attribute.into(),
        value: Some("x".into()),
    };
    let edits = SampleEdits {
        label: "paste rows",
        removed: vec![(user, vec![ids[0]])],
        values: vec![edit(ids[1], "role"), edit(ids[1], "email")],
        added: vec![
            (user, values("Carol").into()),
            (user, values("Dave").into()),
        ],
    };
    let after = run(design.clone(), [Command::EditSamples(Box::new(edits))]);
    let samples = after.samples_of(user);
    assert_eq!(samples.len(), design.samples_of(user).len() + 1);
    assert_eq!(samples[0].id, ids[1]);
    assert_eq!(samples[0].values["role"], "x".into());
    assert_eq!(samples.last().unwrap().values["name"], "Dave".into());

    let gone = SampleEdits {
        values: vec![edit(ids[0], "role"), edit(SampleId(999_999), "role")],
        ..SampleEdits::default()
    };
    let reason = refused(&design, Command::EditSamples(Box::new(gone)));
    assert_eq!(reason, "this sample no longer exists");
    let nameless = SampleEdits {
        values: vec![edit(ids[0], "")],
        ..SampleEdits::default()
    };
    refused(&design, Command::EditSamples(Box::new(nameless)));
}

/// The attributes of the last entity, as `name:TYPE`, with `!` if required.
fn attributes_of_last(design: &Design) -> String {
    let entity = design.entities.values().next_back().expect("an entity");
    let shown = |a: &Attribute| {
        let required = if a.required { "!" } else { "" };
        format!("{}:{}{required}", a.name, a.kind.word())
    };
    entity
        .attributes
        .iter()
        .map(shown)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_pasted_list_becomes_attributes() {
    for (text, expected) in [
        ("owner\nrepoName\n", "owner:S repoName:S"),
        (
            "owner S\nstarCount N\nisPublic",
            "owner:S starCount:N isPublic:BOOL",
        ),
        (
            "owner, repoName, createdAt",
            "owner:S repoName:S createdAt:S",
        ),
        (
            "- owner: string\n- total: number,\n- tags: SS",
            "owner:S total:N tags:SS",
        ),
        ("owner\tvarchar(20)\npayload\tjsonb", "owner:S payload:M"),
        ("owner repoName starCount", "owner:S repoName:S starCount:N"),
        (
            "phoneNumber\nissueNumber\nphoneNumber",
            "phoneNumber:S issueNumber:N",
        ),
        (
            "tags: string set\nsizes number set\nphotos: set\nwhen: epoch\nkind: pet kind",
            "tags:SS sizes:NS photos:SS when:N kind:S",
        ),
        (
            "\"owner\": \"string\",\n\"total\": \"number\"",
            "owner:S total:N",
        ),
        (r#"["id", "name", "total"]"#, "id:S name:S total:N"),
        ("(id, name, total)", "id:S name:S total:N"),
        (
            "size S | M | L, kind: 'text' | 'number' | 'boolean'",
            "size:S kind:S",
        ),
        ("tags: Array<string | null>;", "tags:L"),
        (
            "#[derive(Debug, Clone)]\npub struct Trip {\n    pub(crate) tags: HashMap<String, f64>,\n    \
             #[serde(default)]\n    at: BTreeSet<u32>,\n}",
            "tags:M at:NS",
        ),
        (
            "type Trip @key(fields: \"id\") {\n  fare: Int! @deprecated(reason: \"a, b\")\n}",
            "fare:N",
        ),
        ("create table t (fare int, label text);", "fare:N label:S"),
        (
            "CREATE TABLE t\n(\n  key varchar(255),\n  fare int,\n  INDEX by_fare (fare)\n) ENGINE=InnoDB;",
            "key:S fare:N",
        ),
        (" , \n", ""),
        ("tip: number;\ndone: boolean;", "tip:N done:BOOL"),
        ("miles: number!\nheldUntil: number?", "miles:N heldUntil:N"),
        (
            "export interface Trip {\n  readonly tip?: number; // in cents\n  tags: string[];\n  meta: {\n    a: string;\n  };\n  \
             note: string | null;\n  seats: Set<number>;\n}",
            "tip:N tags:L meta:M note:S seats:NS",
        ),
        (
            "pub struct Trip {\n    pub fare: f64,\n    pub rider: Option<String>,\n    pub stops: Vec<u32>,\n}",
            "fare:N rider:S stops:L",
        ),
        (
            "type Trip { id: ID!, fare: Float!, at: [Int!]! }",
            "id:S fare:N at:L",
        ),
        (
            "CREATE TABLE trips (\n  fare numeric(10,2) NOT NULL DEFAULT 0,\n  label varchar(20), -- shown\n  PRIMARY KEY (label)\n);",
            "fare:N label:S",
        ),
    ] {
        let list = attribute_list::parse(text).into_iter();
        let shown: Vec<String> = list
            .map(|listed| format!("{}:{}", listed.name, listed.kind.word()))
            .collect();
        assert_eq!(shown.join(" "), expected, "{text:?}");
    }
}

#[test]
fn pasted_attributes_are_one_step() {
    let mut document = Document::new(Design::new("Pasted"));
    let at = Point { x: 0, y: 0 };
    document
        .run(
            Command::AddEntity {
                name: "Repo".into(),
                at,
            },
            0.0,
        )
        .unwrap();
    let id = *document.design().entities.keys().next().unwrap();
    let attribute = Attribute::new(AttributeId(0), "attribute", AttributeType::S);
    document
        .run(Command::AddAttribute(id, attribute), 1000.0)
        .unwrap();
    let before = document.design().clone();
    let renamed = before.entities[&id].attributes.last().map(|a| a.id);
    let list = attribute_list::parse("owner, repoId, starCount");
    let command = attribute_list::add(&before, id, renamed, &list).unwrap();
    document.run(command, 2000.0).unwrap();
    sound(document.design());
    assert_eq!(
        attributes_of_last(document.design()),
        "repoId:S! owner:S starCount:N"
    );
    let again = attribute_list::add(document.design(), id, None, &list).unwrap_err();
    assert_eq!(again.to_string(), "Repo has all these attributes");
    document.undo();
    assert_eq!(document.design().entities, before.entities);
    // An invalid name refuses all of them.
    let listed = |name: &str| Listed {
        name: name.to_owned(),
        kind: AttributeType::S,
        format: None,
    };
    let list = [listed("ok"), listed("")];
    let command = attribute_list::add(&before, id, None, &list).unwrap();
    refused(&before, command);
}

#[test]
fn a_pasted_list_gives_formats() {
    let at = Point { x: 0, y: 0 };
    let name = "Crew".into();
    let design = run(Design::new("Formats"), [Command::AddEntity { name, at }]);
    let id = *design.entities.keys().next().unwrap();
    let text = "startsAt timestamp\nborn: date\nmail email\nref ulid\nstatus OPEN*3 | TAKEN\nlevel: 1 | 2\n\
                open true | false, nothing | , owner string\n- stage A | B\n| born2 | date |";
    let list = attribute_list::parse(text);
    let add = attribute_list::add(&design, id, None, &list).unwrap();
    let design = run(design, [add]);
    let shown = |a: &Attribute| {
        let format = a.format.as_ref().map(|format| describe(&design, format));
        [&a.name, a.kind.word(), &format.unwrap_or_default()].join(" ")
    };
    let attributes = &design.entities[&id].attributes;
    let shown: Vec<String> = attributes.iter().skip(1).map(shown).collect();
    let expected = [
        "startsAt S Timestamp 2026-01-01 to 2026-12-31",
        "born S Date 2026-01-01 to 2026-12-31",
        "mail S Email",
        "ref S ULID",
        "status S One of OPEN, TAKEN",
        "level N One of 1, 2",
        "open BOOL One of true, false",
        "nothing S ",
        "owner S ",
        "stage S One of A, B",
        "born2 S Date 2026-01-01 to 2026-12-31",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn attributes_of_the_primary_key_are_required() {
    let at = Point { x: 0, y: 0 };
    let add = Command::AddEntity {
        name: "Repo".into(),
        at,
    };
    let design = run(Design::new("Keys"), [add]);
    let id = *design.entities.keys().next().unwrap();
    let list = attribute_list::parse("owner, name, size");
    let add = attribute_list::add(&design, id, None, &list).unwrap();
    let template = |part, text: &str| Command::SetTemplate {
        entity: id,
        index: IndexId::PRIMARY,
        part,
        text: Some(text.into()),
    };
    let design = run(
        design,
        [add, template(KeyPart::Partition, "REPO#{owner}#{name")],
    );
    assert_eq!(
        attributes_of_last(&design),
        "repoId:S! owner:S name:S size:N"
    );
    let design = run(
        design,
        [template(KeyPart::Partition, "REPO#{owner}#{name}#{late}")],
    );
    assert_eq!(
        attributes_of_last(&design),
        "repoId:S! owner:S! name:S! size:N"
    );
    // An attribute that is added later, too.
    let late = Attribute::new(AttributeId(0), "late", AttributeType::S);
    let design = run(design, [Command::AddAttribute(id, late)]);
    assert_eq!(
        attributes_of_last(&design),
        "repoId:S! owner:S! name:S! size:N late:S!"
    );
}

#[test]
fn several_entities_are_edited_as_one_step() {
    let mut document = Document::new(saas());
    let before = document.design().clone();
    let ids: Vec<EntityId> = before.entities.keys().copied().take(3).collect();
    let index = *before.indexes.keys().next().unwrap();
    let mut edit = |command: Command, time: f64| {
        document.run(command, time).unwrap();
        sound(document.design());
        let after = document.design().clone();
        document.undo();
        assert_eq!(document.design().entities, before.entities);
        after
    };
    let after = edit(several_entities::set_hue(&ids, 7), 0.0);
    assert!(ids.iter().all(|id| after.entities[id].hue == 7));
    let command =
        several_entities::add_attributes(&before, &ids, &attribute_list::parse("archived"));
    let after = edit(command.unwrap(), 1000.0);
    assert!(
        ids.iter()
            .all(|id| after.entities[id].attribute("archived").is_some())
    );
    let after = edit(
        several_entities::add_to_index(&before, &ids, index).unwrap(),
        2000.0,
    );
    assert!(
        ids.iter()
            .all(|id| after.entities[id].keys.contains_key(&index))
    );
    let again = several_entities::add_to_index(&after, &ids, index).unwrap_err();
    assert_eq!(
        again.to_string(),
        format!("all of them are in {} already", before.index_name(index))
    );
    let shared = several_entities::shared_attributes(&before, &ids);
    assert!(
        shared
            .iter()
            .any(|shared| shared.name == "tenantId" && shared.required == Some(true))
    );
    let after = edit(
        several_entities::require(&before, &ids, "tenantId", false).unwrap(),
        3000.0,
    );
    let shared = several_entities::shared_attributes(&after, &ids);
    assert!(
        shared
            .iter()
            .any(|shared| shared.name == "tenantId" && shared.required == Some(false))
    );
}

#[test]
fn a_change_of_a_key_that_removes_templates_is_announced() {
    let design = keyfold_core::library::find("e-commerce")
        .unwrap()
        .design()
        .unwrap();
    let id = *design.indexes.keys().next().unwrap();
    let index = Index::clone(&design.indexes[&id]);
    let with = |change: &dyn Fn(&mut KeySchema)| {
        let mut index = index.clone();
        change(&mut index.key);
        let index = Box::new(index);
        let command = Command::UpdateIndex {
            id,
            index,
            field: "key",
        };
        let said = keyfold_app::announcement::announcement(&design, &command);
        let next = apply(&design, command).unwrap();
        let templates = |design: &Design| -> usize {
            let entries = design
                .entities
                .values()
                .filter_map(|entity| entity.keys.get(&id));
            entries
                .flat_map(|entry| entry.partition.iter().chain(&entry.sort))
                .count()
        };
        (said, templates(&design) - templates(&next))
    };
    let entities = design
        .entities
        .values()
        .filter(|entity| entity.keys.contains_key(&id))
        .count();
    let (said, lost) = with(&|key| {
        key.partition.push(KeyAttribute::text("region"));
    });
    let wanted = format!("The key templates of {entities} entities are removed");
    assert_eq!((said, lost), (Some(wanted.clone()), 2 * entities));
    let (said, lost) = with(&|key| key.sort.clear());
    assert_eq!((said, lost), (Some(wanted), entities));
    let (said, lost) = with(&|key| key.sort[0].name = "other".into());
    assert_eq!((said, lost), (None, 0));
}

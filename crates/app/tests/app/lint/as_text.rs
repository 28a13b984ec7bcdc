//! Fixes of designs that are written as text.

use keyfold_app::patterns::fields;
use keyfold_app::patterns::form::FormField;
use keyfold_app::{Refused, apply, fixes, suggest};
use keyfold_core::engine::materialize_all;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::lint::{Fix, lint};
use keyfold_core::model::*;
use keyfold_core::proof::{Verdict, prove};
use keyfold_test_support::texts::read_without_errors as design;

/// The messages of the findings with this code, and their fixes.
fn found(design: &Design, code: &str) -> Vec<(String, Option<Fix>)> {
    let report = lint(design);
    let of_code = report.findings.iter().filter(|found| found.code == code);
    of_code
        .map(|found| (found.message.clone(), found.fix.clone()))
        .collect()
}

/// The fix of the only finding with this code.
fn fix(design: &Design, code: &str) -> Fix {
    let found = found(design, code);
    let [(_, Some(fix))] = &found[..] else {
        panic!("{found:?}");
    };
    fix.clone()
}

fn fixed(design: &Design, code: &str) -> Result<Design, Refused> {
    let next = apply(design, fixes::command(fix(design, code)))?;
    assert_eq!(validate_invariants(&next), []);
    Ok(next)
}

fn pattern<'a>(design: &'a Design, name: &str) -> (AccessPatternId, &'a AccessPattern) {
    let mut all = design.access_patterns.iter();
    let (id, pattern) = all.find(|(_, pattern)| pattern.name == name).expect(name);
    (*id, pattern)
}

fn verdict(design: &Design, name: &str) -> Verdict {
    let stored = TableSnapshot::of(design);
    prove(&stored, pattern(design, name).0)
        .expect("there")
        .verdict
}

/// The values of an attribute in an entity's samples.
fn values(design: &Design, entity: &str, attribute: &str) -> Vec<String> {
    let samples = design.samples_of(design.entity_named(entity).expect(entity));
    let values = samples
        .iter()
        .map(|sample| sample.values.get(attribute).expect(attribute));
    values.map(Value::to_text).collect()
}

const TENANTS: &str = "design Tenants

table Tenants (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)

entity Account
  tenantId string
  key TENANT#{tenantId} / ACCOUNT

entity User
  tenantId string
  userId   string
  email    string
  key        TENANT#{tenantId} / USER#{userId}
  index GSI1 EMAIL#{email} / USER

  | tenantId | userId | email |
  | t        | u      | a@b.c |
";

#[test]
fn what_a_fix_adds_before_a_template_is_added_before_conditions_with_other_parameters() {
    let text = "
pattern Log in
  Query index GSI1 EMAIL#{loginEmail}
  returns User
  sample User 1
  parameter loginEmail = a@b.c
";
    let design = design(&format!("{TENANTS}{text}"));
    assert_eq!(verdict(&design, "Log in"), Verdict::Served);
    let fixed = fixed(&design, "T001").expect("carried out");
    let Operation::Query { partition, .. } = &pattern(&fixed, "Log in").1.operation else {
        panic!("no query");
    };
    assert_eq!(partition[..], ["TENANT#{tenantId}#EMAIL#{loginEmail}"]);
    assert_eq!(verdict(&fixed, "Log in"), Verdict::Served);
}

#[test]
fn a_preview_names_access_patterns_that_a_fix_leaves_unserved() {
    // A fix of one entity does not change what finds another one, too.
    let text = "
entity Contact
  contactId string
  email     string
  key        CONTACT#{contactId} / CONTACT
  index GSI1 EMAIL#{email} / CONTACT

  | contactId | email |
  | c         | a@b.c |

pattern Ann
  Query index GSI1 EMAIL#{email}
  returns User, Contact
";
    let design = design(&format!("{TENANTS}{text}"));
    let fix = fix(&design, "T001");
    let said = fixes::preview(&design, &fix).expect("carried out").changes;
    let all = fixes::preview_all(&design, &[fix]).preview.changes;
    assert_eq!(said, all);
    let first = (
        said[0].what.as_str(),
        said[0].before.as_deref(),
        said[0].after.as_deref(),
    );
    assert_eq!(
        first,
        (
            "access pattern Ann, verdict",
            Some("served"),
            Some("unserved")
        )
    );
}

#[test]
fn numbers_are_padded_for_all_samples() {
    let text = |rows: &str| {
        design(&format!(
            "design Scores

table Scores (PK, SK)

entity Score
  game   string
  points number
  key GAME#{{game}} / {{points}}

  | game | points |
{rows}"
        ))
    };
    let padded = [
        ("  | g | 7 |\n", "{points:pad(10)}"),
        ("  | g | 1700000000000 |\n  | g | 5 |\n", "{points:pad(13)}"),
        ("  | g | 2.25 |\n  | g | 10 |\n", "{points:pad(10,2)}"),
    ];
    for (rows, sort) in padded {
        let fixed = fixed(&text(rows), "K010").expect("carried out");
        let entity = fixed.entities.values().next().expect("one");
        assert_eq!(entity.keys[&IndexId::PRIMARY].sort.as_deref(), Some(sort));
        let items = materialize_all(&fixed);
        assert!(
            items
                .values()
                .all(|items| items.iter().all(|item| item.is_stored())),
            "{rows}"
        );
    }
    for (rows, advice) in [
        ("  | g | -3 |\n", "negative numbers"),
        (
            "  | g | 12345678901234567890123456789.5 |\n  | g | 0.12345678901 |\n",
            "too many digits",
        ),
    ] {
        let found = found(&text(rows), "K010");
        let [(message, None)] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(message.contains(advice), "{message}");
    }
}

/// Projects, whose IDs tasks have by a guess, and comments by a chosen reference to tasks.
fn projects(rows: &str) -> Design {
    design(&format!(
        "design Projects

table Projects (PK, SK)

entity Project
  team      string
  projectId string
  createdAt timestamp
  key T#{{team}} / PROJECT#{{createdAt}}#{{projectId}}

  | team | projectId | createdAt  |
{rows}

entity Task
  taskId    string
  projectId string
  key TASK#{{taskId}} / TASK

  | taskId | projectId |
  | t1     | p1        |

entity Comment
  commentId string
  about     -> Task.projectId
  key COMMENT#{{commentId}} / COMMENT

  | commentId | about |
  | c1        | p1    |

pattern Tasks
  Scan
  filter projectId = :projectId
  returns Task
  parameter projectId = p1
"
    ))
}

#[test]
fn guessed_references_and_references_to_references_follow_a_ulid() {
    let before =
        projects("  | a | p1 | 2026-02-01 |\n  | a | p2 | 2026-02-02 |\n  | b | p2 | 2026-02-03 |");
    let after = fixed(&before, "K016").expect("carried out");
    let ids = values(&after, "Project", "projectId");
    assert!(ids.iter().all(|id| id.len() == 26), "{ids:?}");
    assert_eq!(values(&after, "Task", "projectId"), ids[..1]);
    assert_eq!(values(&after, "Comment", "about"), ids[..1]);
    let parameters = &pattern(&after, "Tasks").1.parameters;
    assert_eq!(parameters["projectId"].to_text(), ids[0]);
    // Two projects with the ID p2 have ULIDs of their own times, and nothing refers to them.
    assert_ne!(ids[1], ids[2]);
}

#[test]
fn an_id_of_different_times_that_is_referred_to_has_no_ulid() {
    let before = projects("  | a | p1 | 2026-02-01 |\n  | b | p1 | 2026-02-02 |");
    let refused = fixed(&before, "K016").expect_err("two times").to_string();
    assert!(
        refused.contains("`projectId` p1 with different times"),
        "{refused}"
    );
}

#[test]
fn only_the_time_of_creation_can_be_that_of_a_ulid() {
    let with = |time: &str, ask: &str| {
        design(&format!(
            "design Tasks

table Tasks (PK, SK)

entity Task
  team   string
  taskId string
  {time} timestamp
  key T#{{team}} / TASK#{{{time}}}#{{taskId}}

pattern Get
  GetItem T#{{team}} / TASK#{{{time}}}#{{taskId}}
  returns Task
{ask}"
        ))
    };
    for (time, count) in [
        ("createdAt", 1),
        ("placed_at", 1),
        ("timestamp", 1),
        ("dueDate", 0),
        ("scheduledAt", 0),
        ("updatedAt", 0),
    ] {
        assert_eq!(found(&with(time, ""), "K016").len(), count, "{time}");
    }
    // ULIDs have the order of their times.
    let newest = "\npattern Newest\n  Query T#{team} / begins_with TASK# descending limit 1\n  returns Task\n";
    assert_eq!(found(&with("createdAt", newest), "K016").len(), 1);
}

#[test]
fn an_index_that_is_read_is_not_deleted_or_left() {
    let with = |entry: &str, ask: &str| {
        design(&format!(
            "design Users

table Users (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)

entity User
  userId string
  active boolean
  key        USER#{{userId}} / USER
{entry}

pattern Get
  Query{ask} USER#{{userId}}
  returns User
"
        ))
    };
    let copy = "  index GSI1 USER#{userId} / USER";
    let left = fixed(&with(copy, ""), "I004").expect("carried out");
    assert!(found(&left, "I004").is_empty());
    let read = found(&with(copy, " index GSI1"), "I004");
    let [(message, None)] = &read[..] else {
        panic!("{read:?}");
    };
    assert!(
        message.contains("Let the access pattern that reads it there read the table"),
        "{message}"
    );
    let sparse = "  index GSI1 USER#{userId} / USER when active = true";
    assert_eq!(found(&with(sparse, ""), "I004"), []);
    let gone = fixed(&with("", ""), "I001").expect("carried out");
    assert!(gone.indexes.is_empty());
    let read = found(&with("", " index GSI1"), "I001");
    let [(message, None)] = &read[..] else {
        panic!("{read:?}");
    };
    assert!(message.contains("An access pattern reads it"), "{message}");
}

#[test]
fn a_projection_cannot_be_changed_safely() {
    let project = Fix::Project(IndexId(1), Projection::All);
    assert!(!project.is_safe());
    let recovery = Fix::Recovery;
    let said = fixes::safety(&[project.clone(), recovery.clone()]);
    assert!(said.contains("an LSI needs a new table"), "{said}");
    assert!(fixes::safety(&[recovery]).contains("Nothing is deleted"));
    let delete = Fix::DeleteIndex(IndexId(1));
    assert!(fixes::safety(&[project, delete]).starts_with("Changes or deletes"));
}

#[test]
fn an_alias_leaves_functions_and_texts_of_the_same_name() {
    let design = design(
        "design Files

table Files (PK, SK)

entity File
  fileId string
  size   number
  tags   string-set
  key FILE#{fileId} / FILE

pattern Large
  Scan
  filter size = :size AND size(tags) > :n AND tags <> :size
  returns File
",
    );
    let fixed = fixed(&design, "A006").expect("carried out");
    let read = pattern(&fixed, "Large").1.operation.read().expect("a read");
    assert_eq!(
        read.filter.as_deref(),
        Some("#size = :size AND size(tags) > :n AND tags <> :size")
    );
}

#[test]
fn a_new_attribute_has_the_type_of_the_key_that_names_it() {
    let design = design(
        "design Logs

table Logs (PK, SK number)

entity Log
  logId string
  key LOG#{logId} / {at}
",
    );
    let fixed = fixed(&design, "K002").expect("carried out");
    let entity = fixed.entities.values().next().expect("one");
    let kind = |name: &str| entity.attribute(name).expect(name).kind;
    assert_eq!(kind("at"), AttributeType::N);
    assert_eq!(found(&fixed, "K005"), []);
}

#[test]
fn a_new_update_changes_no_natural_key() {
    let design = design(
        "design Users

table Users (email, SK)

entity User
  email string
  name  string
  key   - / USER

pattern Rename
  Scan
  returns User
",
    );
    let mut rename = pattern(&design, "Rename").1.clone();
    fields::write(&design, &mut rename, FormField::Kind, "UpdateItem").expect("it can be");
    let [action] = rename.operation.actions() else {
        panic!("no update");
    };
    assert_eq!(action.update(), Some("SET name = :name"));
}

#[test]
fn the_sort_key_of_an_index_has_no_time_that_items_may_lack() {
    let open = "\n  | taskId | completedAt |\n  | 1 | 2026-01-01 |\n  | 2 | |\n";
    let done = "\n  | taskId | completedAt |\n  | 1 | 2026-01-01 |\n";
    let (with, without) = ("TASK#{completedAt}#{taskId}", "TASK#{taskId}");
    for (mark, rows, sort) in [
        ("?", "", without),
        ("?", open, without),
        ("?", done, with),
        ("", "", with),
    ] {
        let design = design(&format!(
            "design Tasks

table Tasks (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)

entity Task
  taskId      string
  assigneeId  string
  completedAt{mark} timestamp
  key TASK#{{taskId}} / TASK
{rows}"
        ));
        let (task, index) = (design.entities.keys().next(), design.indexes.keys().next());
        let entry = suggest::index_entry(&design, *task.expect("one"), *index.expect("one"));
        assert_eq!(entry.sort.as_deref(), Some(sort), "{mark}{rows}");
    }
}

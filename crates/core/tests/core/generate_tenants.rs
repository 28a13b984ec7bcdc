//! Generated samples of designs with several tenants: what rows refer to belongs to their own tenant.

use keyfold_core::engine::generate::{Amount, Generated, Request, generate};
use keyfold_core::model::{Design, SortedMap, SortedSet, Values};
use keyfold_core::text::{lower, parse};

fn design(text: &str) -> Design {
    lower(&parse(text), None).design
}

/// Generates rows of entities: the name, the number of rows and the parent that they are generated per.
fn rows(design: &Design, amounts: &[(&str, u32, Option<&str>)]) -> Generated {
    let entity = |name: &str| design.entity_named(name).expect("there is one");
    let amounts = amounts.iter().map(|(name, count, per)| Amount {
        entity: entity(name),
        count: *count,
        per: per.map(entity),
    });
    let request = Request {
        amounts: amounts.collect(),
        replace: false,
        seed: 1,
    };
    let generated = generate(design, &request).expect("it can be generated");
    assert_eq!(generate(design, &request).as_ref(), Ok(&generated));
    generated
}

fn of<'a>(design: &Design, generated: &'a Generated, name: &str) -> Vec<&'a Values> {
    let id = design.entity_named(name);
    let rows = generated.added.iter().filter(|(of, _)| Some(*of) == id);
    rows.map(|(_, values)| values).collect()
}

/// The texts of some attributes of a row; empty for those that it lacks.
fn texts(row: &Values, names: &[&str]) -> Vec<String> {
    let text = |name: &&str| row.get(name).map_or(String::new(), |value| value.to_text());
    names.iter().map(text).collect()
}

/// Checks that each row has a pair of the other entity's rows, and returns the number of rows that refer to one.
fn refer(rows: &[&Values], own: [&str; 2], others: &[&Values], names: [&str; 2]) -> usize {
    let known: SortedSet<_> = others.iter().map(|row| texts(row, &names)).collect();
    let referring = rows.iter().filter(|row| row.contains_key(own[1]));
    let pairs = referring.map(|row| texts(row, &own));
    pairs
        .inspect(|pair| assert!(known.contains(pair), "{own:?} {pair:?}"))
        .count()
}

#[test]
fn rows_share_the_id_of_a_tenant_that_is_no_entity() {
    let with_formats = "
entity User
  orgId   ulid
  userId  ulid
  key  ORG#{orgId} / USER#{userId}

entity Order
  orgId    sequence o-1
  orderId  ulid
  userId   -> User
  key  ORG#{orgId} / ORDER#{orderId}
";
    let with_samples = "
entity User
  orgId   string
  userId  string
  key  ORG#{orgId} / USER#{userId}

  | orgId | userId |
  | t_01  | u_01   |
  | t_02  | u_02   |

entity Order
  orgId    string
  orderId  string
  userId   string
  key  ORG#{orgId} / ORDER#{orderId}

  | orgId | orderId | userId |
  | t_01  | o_01    | u_01   |
  | t_02  | o_02    | u_02   |
";
    for text in [with_formats, with_samples] {
        let design = design(text);
        let generated = rows(&design, &[("User", 20, None), ("Order", 50, None)]);
        let mut users = of(&design, &generated, "User");
        let kept = design.samples_of(design.entity_named("User").expect("there"));
        users.extend(kept.iter().map(|sample| &sample.values));
        let orders = of(&design, &generated, "Order");
        let names = ["orgId", "userId"];
        assert_eq!(refer(&orders, names, &users, names), 50);
    }
}

#[test]
fn entities_without_references_share_the_ids_of_tenants() {
    let design = design(
        "
entity User
  orgId   ulid
  userId  ulid
  key  ORG#{orgId} / USER#{userId}

entity Product
  orgId      ulid
  productId  ulid
  key  ORG#{orgId} / PRODUCT#{productId}

entity Order
  orgId       ulid
  orderId     ulid
  userId      -> User
  productId?  -> Product
  key  ORG#{orgId} / ORDER#{orderId}
",
    );
    let amounts = [
        ("User", 5, None),
        ("Product", 30, None),
        ("Order", 50, None),
    ];
    let generated = rows(&design, &amounts);
    assert_eq!(generated.remarks, [""; 0]);
    let [users, products, orders] =
        ["User", "Product", "Order"].map(|name| of(&design, &generated, name));
    let orgs = |rows: &[&Values]| -> SortedSet<_> {
        rows.iter().map(|row| texts(row, &["orgId"])).collect()
    };
    assert_eq!(orgs(&products), orgs(&users));
    let names = ["orgId", "userId"];
    assert_eq!(refer(&orders, names, &users, names), 50);
    let names = ["orgId", "productId"];
    assert!(refer(&orders, names, &products, names) > 30);
}

#[test]
fn rows_do_not_share_ids_outside_keys_or_constants() {
    let design = design(
        "
entity User
  orgId       = a
  userId      ulid
  externalId  ulid
  key  ORG#{orgId} / USER#{userId}

entity Order
  orgId       = b
  orderId     ulid
  externalId  ulid
  userId      -> User
  key  ORG#{orgId} / ORDER#{orderId}
",
    );
    let generated = rows(&design, &[("User", 5, None), ("Order", 20, None)]);
    let orders = of(&design, &generated, "Order");
    let different: SortedSet<_> = (orders.iter())
        .map(|row| texts(row, &["externalId", "orgId"]))
        .collect();
    assert_eq!(different.len(), 20);
    assert!(different.iter().all(|texts| texts[1] == "b"));
}

#[test]
fn a_row_refers_to_an_earlier_row_of_its_own_tenant() {
    let design = design(
        "
entity Tenant
  tenantId  ulid
  key  TENANT#{tenantId} / META

entity User
  tenantId  -> Tenant
  userId    ulid
  key  TENANT#{tenantId} / USER#{userId}

entity Category
  tenantId           string
  categoryId         string
  userId?            string
  parentCategoryId?  string
  key  TENANT#{tenantId} / CATEGORY#{categoryId}

entity Note
  tenantId      string
  noteId        string
  parentNoteId  string
  key  NOTE#{noteId} / META
",
    );
    let amounts = [
        ("Tenant", 10, None),
        ("User", 2, Some("Tenant")),
        ("Category", 5, Some("Tenant")),
        ("Note", 3, Some("Tenant")),
    ];
    let generated = rows(&design, &amounts);
    assert_eq!(generated.remarks, [""; 0]);
    let categories = of(&design, &generated, "Category");
    let own = ["tenantId", "parentCategoryId"];
    let referring = refer(&categories, own, &categories, ["tenantId", "categoryId"]);
    // The first one of each tenant has none, and a few others neither.
    assert!((25..=40).contains(&referring), "{referring}");
    // A required one refers to the row itself if there is no other.
    let notes = of(&design, &generated, "Note");
    let own = ["tenantId", "parentNoteId"];
    assert_eq!(refer(&notes, own, &notes, ["tenantId", "noteId"]), 30);
    let itself = |row: &&&Values| row["noteId"] == row["parentNoteId"];
    assert_eq!(notes.iter().filter(itself).count(), 10);
}

const TASKS: &str = "
entity Tenant
  tenantId  ulid
  key  TENANT#{tenantId} / META

entity Project
  tenantId   -> Tenant
  projectId  ulid
  key  TENANT#{tenantId} / PROJECT#{projectId}

entity User
  tenantId  -> Tenant
  userId    ulid
  key  TENANT#{tenantId} / USER#{userId}

entity Task
  tenantId   -> Tenant
  projectId  -> Project
  userId?    -> User
  taskId     sequence task-1
  key  PROJECT#{projectId} / TASK#{taskId}
";
const OF_TASKS: [(&str, u32, Option<&str>); 4] = [
    ("Tenant", 10, None),
    ("User", 3, None),
    ("Project", 3, Some("Tenant")),
    ("Task", 3, Some("Project")),
];

#[test]
fn an_optional_reference_for_which_nothing_fits_stays_empty() {
    let design = design(TASKS);
    let generated = rows(&design, &OF_TASKS);
    assert_eq!(generated.remarks, [""; 0]);
    let users = of(&design, &generated, "User");
    let tasks = of(&design, &generated, "Task");
    assert_eq!(tasks.len(), 90);
    let names = ["tenantId", "userId"];
    let referring = refer(&tasks, names, &users, names);
    assert!((10..=27).contains(&referring), "{referring}");
    // No number is lost to attempts that cannot succeed.
    let numbers: Vec<_> = tasks.iter().map(|row| row["taskId"].to_text()).collect();
    assert_eq!((&*numbers[0], &*numbers[89]), ("task-1", "task-90"));
}

#[test]
fn a_required_reference_for_which_nothing_fits_is_reported() {
    let design = design(&TASKS.replace("userId?", "userId"));
    let generated = rows(&design, &OF_TASKS);
    let users = of(&design, &generated, "User");
    let tenants: SortedSet<_> = users.iter().map(|row| texts(row, &["tenantId"])).collect();
    let users: SortedMap<_, _> = (users.iter())
        .map(|row| (texts(row, &["userId"]), texts(row, &["tenantId"])))
        .collect();
    // Tasks of tenants with users match, also after one that does not.
    let mut wrong = 0;
    for task in of(&design, &generated, "Task") {
        let tenant = texts(task, &["tenantId"]);
        let matches = users[&texts(task, &["userId"])] == tenant;
        assert_eq!(matches, tenants.contains(&tenant));
        wrong += usize::from(!matches);
    }
    let said = format!(
        "Task: `userId` of {wrong} of 90 samples does not match `tenantId`, because no User fits: generate more samples of User"
    );
    assert_eq!(generated.remarks, [said]);
}

#[test]
fn a_slot_has_no_appointment_of_another_clinic() {
    let design = design(
        "
entity Clinic
  clinicId  ulid
  key  CLINIC#{clinicId} / META

entity Practitioner
  clinicId        -> Clinic
  practitionerId  ulid
  key  CLINIC#{clinicId} / PRACTITIONER#{practitionerId}

entity Patient
  clinicId   -> Clinic
  patientId  ulid
  key  CLINIC#{clinicId} / PATIENT#{patientId}

entity Appointment
  clinicId        -> Clinic
  practitionerId  -> Practitioner
  patientId       -> Patient
  appointmentId   ulid
  key  CLINIC#{clinicId} / APPOINTMENT#{appointmentId}

entity Slot
  clinicId        -> Clinic
  practitionerId  -> Practitioner
  appointmentId?  -> Appointment
  patientId       -> Patient
  startsAt        timestamp
  key  PRACTITIONER#{practitionerId} / SLOT#{startsAt}
",
    );
    let amounts = [
        ("Clinic", 4, None),
        ("Practitioner", 5, Some("Clinic")),
        ("Patient", 3, Some("Clinic")),
        ("Appointment", 10, None),
        ("Slot", 6, Some("Practitioner")),
    ];
    let generated = rows(&design, &amounts);
    assert_eq!(generated.remarks, [""; 0]);
    let slots = of(&design, &generated, "Slot");
    let appointments = of(&design, &generated, "Appointment");
    let patients = of(&design, &generated, "Patient");
    assert_eq!(slots.len(), 120);
    for name in ["clinicId", "practitionerId", "patientId"] {
        let names = [name, "appointmentId"];
        assert!((1..70).contains(&refer(&slots, names, &appointments, names)));
    }
    let names = ["clinicId", "patientId"];
    assert_eq!(refer(&slots, names, &patients, names), 120);
}

#[test]
fn enumerated_keys_refer_to_matching_rows() {
    // A key of two references has few values: each of the 3 users with the 2 projects of its tenant.
    let design = design(&TASKS.replace(
        "key  PROJECT#{projectId} / TASK#{taskId}",
        "key  PROJECT#{projectId} / USER#{userId}",
    ));
    let amounts = [
        ("Tenant", 4, None),
        ("User", 3, None),
        ("Project", 2, Some("Tenant")),
        ("Task", 40, None),
    ];
    let generated = rows(&design, &amounts);
    let users = of(&design, &generated, "User");
    let tasks = of(&design, &generated, "Task");
    let names = ["tenantId", "userId"];
    assert_eq!(refer(&tasks, names, &users, names), 6);
    assert_eq!(generated.remarks.len(), 1);
    assert!(generated.remarks[0].starts_with("Task: 6 of 40 samples"));
}

#[test]
fn two_ids_that_are_no_entities_belong_together() {
    for tenant in ["ulid", "-> Tenant"] {
        let design = design(&format!(
            "
entity Tenant
  tenantId  ulid
  key  T#{{tenantId}} / TENANT

entity User
  tenantId  {tenant}
  siteId    ulid
  userId    ulid
  key  T#{{tenantId}}#S#{{siteId}} / USER#{{userId}}

entity Product
  tenantId   {tenant}
  siteId     ulid
  productId  ulid
  key  T#{{tenantId}}#S#{{siteId}} / PRODUCT#{{productId}}
"
        ));
        let amounts = [
            ("Tenant", 5, None),
            ("User", 20, None),
            ("Product", 40, None),
        ];
        let generated = rows(&design, &amounts);
        let (users, products) = (
            of(&design, &generated, "User"),
            of(&design, &generated, "Product"),
        );
        let names = ["tenantId", "siteId"];
        assert_eq!(refer(&products, names, &users, names), 40, "{tenant}");
    }
}

#[test]
fn a_row_has_its_own_id_for_lookups() {
    let design = design(
        "
gsi GSI1 (GSI1PK)

entity User
  userId      ulid
  externalId  ulid
  key  USER#{userId} / META
  index GSI1 EXT#{externalId}

entity Order
  orderId     ulid
  userId      -> User
  externalId  ulid
  key  ORDER#{orderId} / META
  index GSI1 EXT#{externalId}
",
    );
    let generated = rows(&design, &[("User", 3, None), ("Order", 30, None)]);
    let ids = of(&design, &generated, "Order").into_iter();
    let ids: SortedSet<_> = ids.map(|row| texts(row, &["externalId"])).collect();
    assert_eq!(ids.len(), 30);
}

#[test]
fn rows_that_can_have_no_key_are_reported() {
    let by_user = TASKS
        .replace("userId?", "userId")
        .replace("/ TASK#{taskId}", "/ USER#{userId}");
    let design = design(&by_user);
    let generated = rows(&design, &OF_TASKS);
    let tasks = of(&design, &generated, "Task");
    let users = of(&design, &generated, "User");
    let names = ["tenantId", "userId"];
    assert_eq!(refer(&tasks, names, &users, names), tasks.len());
    let said = generated.remarks.join("\n");
    assert!(said.contains("because no User fits"), "{said}");
}

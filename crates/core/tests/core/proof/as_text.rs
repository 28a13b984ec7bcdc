//! Verdicts and findings of designs that are written as text.

use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::lint::{Severity, lint};
use keyfold_core::model::Design;
use keyfold_core::persist::{from_json, to_json};
use keyfold_core::proof::{Outcome, Proof, Verdict, prove};
use keyfold_core::text::{lower, parse};
use keyfold_test_support::proofs::{items, texts};

pub use keyfold_test_support::texts::read_without_errors as design;

/// The proof of the access pattern of this name.
pub fn proof(design: &Design, name: &str) -> Proof {
    let mut all = design.access_patterns.iter();
    let (id, _) = all.find(|(_, pattern)| pattern.name == name).expect(name);
    prove(&TableSnapshot::of(design), *id).expect("it is there")
}

/// The findings with this code: severity and message.
pub fn found(design: &Design, code: &str) -> Vec<(Severity, String)> {
    (lint(design).findings.into_iter())
        .filter(|finding| finding.code == code)
        .map(|finding| (finding.severity, finding.message.clone()))
        .collect()
}

#[test]
fn the_conditions_of_an_index_entry_say_which_keys_there_are() {
    let design = design(
        "design Jobs

table Jobs (PK)

gsi GS1 (G1PK, G1SK)
gsi GS2 (G2PK)

entity Job
  id string
  status OPEN | CLOSED | FAILED
  key       J#{id}
  index GS1 ST#{status} / {id} when status = OPEN
  index GS2 ST#{status:lower} when status in (OPEN, FAILED)

  | id | status |
  | a  | OPEN   |
  | b  | CLOSED |

pattern Open
  Query index GS1 ST#OPEN
  returns Job

pattern Closed
  Query index GS1 ST#CLOSED
  returns Job

pattern Failed
  Query index GS2 ST#failed
  returns Job

pattern Closed in lower case
  Query index GS2 ST#closed
  returns Job
",
    );
    for (name, verdict) in [
        ("Open", Verdict::Served),
        ("Closed", Verdict::Unserved),
        ("Failed", Verdict::Served),
        ("Closed in lower case", Verdict::Unserved),
    ] {
        let proof = proof(&design, name);
        assert_eq!(proof.verdict, verdict, "{name}: {:?}", texts(&proof));
    }
    let closed = proof(&design, "Closed");
    assert_eq!(
        texts(&closed)[0],
        "no `G1PK` of `Job` in `GS1` is `ST#CLOSED`, given the conditions of its index entry"
    );
    assert_eq!(found(&design, "A001").len(), 2);
}

#[test]
fn dynamodb_rejects_an_item_whose_attribute_is_the_key_of_an_index_with_another_type() {
    let design = design(
        "design Jobs

table Jobs (PK)

gsi GS1 (rank)

entity Job
  id string
  rank? number
  key J#{id}

  | id | rank |
  | a  | 3    |
  | b  |      |

pattern Put with rank
  PutItem Job
  writes Job
  sample Job 1

pattern Put without
  PutItem Job
  writes Job
  sample Job 2
",
    );
    let with = proof(&design, "Put with rank");
    assert_eq!(with.verdict, Verdict::Impossible, "{:?}", texts(&with));
    let without = proof(&design, "Put without");
    assert_eq!(without.verdict, Verdict::Served, "{:?}", texts(&without));
    let findings = found(&design, "K005");
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].0, Severity::Error);
}

#[test]
fn an_lsi_fetches_what_is_asked_for_and_its_filter_sees_only_what_it_projects() {
    let design = design(
        "design Jobs

table Jobs (PK, SK)

lsi LS1 (PK, rank number) keys-only

entity Job
  id string
  name string
  rank number
  key J#{id} / JOB

  | id | name | rank |
  | a  | x    | 1    |

pattern Fetched
  Query index LS1 J#a
  attributes name, rank
  returns Job

pattern Filtered
  Query index LS1 J#a
  filter name = :name
  returns Job
  parameter name = x

pattern Both
  Query index LS1 J#a
  filter name = :name
  attributes name
  returns Job
  parameter name = x
",
    );
    let fetched = proof(&design, "Fetched");
    assert_eq!(fetched.verdict, Verdict::Served);
    let said =
        "0.5 of the 1 read units fetch attributes from the table that the index does not project";
    assert!(texts(&fetched).contains(&said), "{:?}", texts(&fetched));
    assert!(items(&proof(&design, "Filtered"), "id").is_empty());
    assert_eq!(items(&proof(&design, "Both"), "id"), ["a"]);
    let told: Vec<_> = (found(&design, "A004").into_iter())
        .map(|(severity, message)| {
            let what = message.split(", ").nth(2).map(str::to_owned);
            (severity, what.unwrap_or(message))
        })
        .collect();
    let fetches = "so DynamoDB fetches it from the table";
    assert_eq!(
        told,
        [
            (Severity::Warning, fetches.to_owned()),
            (
                Severity::Error,
                "so the filter does not see it. Add it to the projection.".to_owned()
            ),
            (Severity::Warning, fetches.to_owned()),
        ]
    );
}

#[test]
fn a_tilde_does_not_end_a_range_of_texts_that_are_not_ascii() {
    let text = "design Logs

table Logs (PK, SK)

entity Log
  user string
  day date
  name string
  key U#{user} / D#{day}#{name}

  | user | day        | name |
  | u    | 2026-01-01 | a    |
  | u    | 2026-01-02 | élan |
  | u    | 2026-01-03 | zed  |

pattern Range
  Query U#u / between D#2026-01-01 and D#2026-01-02#~
  returns Log
";
    let tilde = proof(&design(text), "Range");
    assert_eq!(tilde.verdict, Verdict::Unserved);
    assert_eq!(
        texts(&tilde)[0],
        "does not return `D#2026-01-02#élan`, which sorts after `~`. End the upper bound with `$` in place of `#~`: it sorts directly after `#`"
    );
    let cured = proof(&design(&text.replace("#~", "$")), "Range");
    assert_eq!(cured.verdict, Verdict::Served, "{:?}", texts(&cured));
    assert_eq!(items(&cured, "name"), ["a", "élan"]);
    let ascii = proof(&design(&text.replace("élan", "elan")), "Range");
    assert_eq!(ascii.verdict, Verdict::Served, "{:?}", texts(&ascii));
    // A bound without an end can be meant so: a remark.
    let short = proof(&design(&text.replace("#~", "")), "Range");
    assert_eq!(short.verdict, Verdict::Served);
    assert_eq!(
        texts(&short)[0],
        "does not return `D#2026-01-02#élan`, which begins with the upper bound and sorts after it: to include it, end the upper bound with `#~`"
    );
    let text = text.replace("#{name}\n", "T{name}\n");
    let other = proof(&design(&text), "Range");
    assert_eq!(other.verdict, Verdict::Served);
    assert_eq!(
        texts(&other)[0],
        "does not return `D#2026-01-02Télan`, which sorts after `#~`: to include it, end the upper bound with `~` in place of `#~`"
    );
    let months = text.replace("2026-01-01 and D#2026-01-02#~", "2026-01 and D#2026-01");
    let months = proof(&design(&months), "Range");
    let remark = "does not return `D#2026-01-01Ta`, which begins with the upper bound and sorts after it: to include it, end the upper bound with `~`";
    assert!(texts(&months).contains(&remark), "{:?}", texts(&months));
    // A key that only begins alike is another one.
    let ids = text
        .replace("D#{day}T{name}", "V#{name}#{day}")
        .replace("élan", "a1")
        .replace("D#2026-01-01 and D#2026-01-02", "V#a# and V#a")
        .replace("V#", "VISITORS#");
    let alike = proof(&design(&ids), "Range");
    assert_eq!(items(&alike, "name"), ["a"]);
    assert_eq!(texts(&alike), [""; 0]);
    let later = "/ > D#2026-01-02\n";
    let text = text.replace("D#{day}T", "D#{day}#");
    let text = text.replace("/ between D#2026-01-01 and D#2026-01-02#~\n", later);
    let later = proof(&design(&text), "Range");
    assert_eq!(items(&later, "name"), ["élan", "zed"]);
    assert_eq!(
        texts(&later)[0],
        "returns `D#2026-01-02#élan`, which begins with the bound and sorts after it: to leave it out, end the bound with `#~`"
    );
}

/// Without the conditions of the entry an item has the value of its own attribute of the same name.
#[test]
fn conditions_do_not_restrict_a_key_that_items_store_themselves() {
    let design = design(
        "design Jobs

table Jobs (PK)

gsi ByStatus (status)

entity Job
  id string
  status OPEN | CLOSED
  key J#{id}
  index ByStatus {status} when status = OPEN

  | id | status |
  | a  | CLOSED |

pattern Closed
  Query index ByStatus CLOSED
  returns Job
",
    );
    let closed = proof(&design, "Closed");
    assert_eq!(closed.verdict, Verdict::Served, "{:?}", texts(&closed));
    assert_eq!(items(&closed, "id"), ["a"]);
    assert_eq!(found(&design, "A001"), []);
}

#[test]
fn an_expression_that_dynamodb_rejects_for_the_values_that_are_set_is_a_finding() {
    let design = design(
        "design Shop

table Shop (PK)

entity Order
  id string
  total number
  key O#{id}

  | id | total |
  | a  | 5     |

pattern Begins
  Query O#{id}
  filter begins_with(total, :start)
  parameter start = 5
  returns Order

pattern Between
  Query O#{id}
  filter total between :low and :high
  parameter low = 9
  parameter high = 2
  returns Order

pattern Fitting
  Query O#{id}
  filter total between :low and :high
  parameter low = 2
  parameter high = 9
  returns Order

pattern Unset
  Query O#{id}
  filter total > :least
  returns Order
",
    );
    for name in ["Begins", "Between"] {
        assert_eq!(proof(&design, name).verdict, Verdict::Impossible, "{name}");
    }
    for name in ["Fitting", "Unset"] {
        assert_eq!(proof(&design, name).verdict, Verdict::Served, "{name}");
    }
    let messages: Vec<String> = (found(&design, "A009").into_iter())
        .map(|(_, message)| message)
        .collect();
    assert_eq!(
        messages,
        [
            "`Begins`: DynamoDB rejects the request: the filter: `begins_with` needs a string or binary, not a value of type N.",
            "`Between`: DynamoDB rejects the request: the filter: the lower bound `9` of `BETWEEN` is greater than its upper bound `2`."
        ]
    );
}

#[test]
fn no_key_is_suggested_in_place_of_a_filter_that_no_key_can_express() {
    let design = design(
        "design Parcels

table Parcels (PK, SK)

gsi GS1 (G1PK, G1SK)

entity Parcel
  tenantId string
  parcelId string
  status string
  weight number
  key       T#{tenantId} / P#{parcelId}
  index GS1 T#{tenantId}#S#{status} / {parcelId}

  | tenantId | parcelId | status | weight |
  | acme     | p1       | OPEN   | 5      |
  | acme     | p2       | OPEN   | 50     |
  | acme     | p3       | OPEN   | 6      |
  | acme     | p4       | DONE   | 60     |
  | acme     | p5       | DONE   | 60     |
  | acme     | p6       | DONE   | 60     |

pattern Named
  Query index GS1 T#{tenantId}#S#{status}
  filter contains(parcelId, :part)
  returns Parcel
  sample Parcel 1
  parameter part = 2

pattern Heavy
  Query index GS1 T#{tenantId}#S#{status}
  filter weight >= :least
  returns Parcel
  sample Parcel 1
  parameter least = 10

pattern Open
  Query T#{tenantId}
  filter status = :status AND weight < :most
  returns Parcel
  sample Parcel 1
  parameter most = 6
",
    );
    let suggested = |name: &str| -> Vec<String> {
        let proof = proof(&design, name);
        assert_eq!(proof.verdict, Verdict::ReadsTooMuch, "{name}");
        proof.suggestions.into_iter().map(|it| it.text).collect()
    };
    assert_eq!(suggested("Named"), [""; 0]);
    assert_eq!(
        suggested("Heavy"),
        [
            "add a GSI for `Parcel` with `TENANT#{tenantId}#STATUS#{status}` / `{weight:pad(10)}#{parcelId}`"
        ]
    );
    assert_eq!(
        suggested("Open"),
        ["Read it through `GS1`, which already serves it"]
    );
}

#[test]
fn a_limit_before_a_filter_and_an_update_of_no_item_are_remarked_on() {
    let design = design(
        "design Parcels

table Parcels (PK, SK)

entity Parcel
  tenantId string
  parcelId string
  weight number
  key T#{tenantId} / P#{parcelId}

  | tenantId | parcelId | weight |
  | acme     | p1       | 5      |
  | acme     | p2       | 50     |

pattern First heavy
  Query T#{tenantId} limit 1
  filter weight > :least
  returns Parcel
  parameter tenantId = acme
  parameter least = 10

pattern Forget
  UpdateItem T#{tenantId} / P#{parcelId}
    update REMOVE weight
  writes Parcel
  parameter tenantId = acme
  parameter parcelId = p9

pattern Forget inside
  UpdateItem T#{tenantId} / P#{parcelId}
    update REMOVE address.city
  writes Parcel
  parameter tenantId = acme
  parameter parcelId = p9

pattern Weigh
  UpdateItem T#{tenantId} / P#{parcelId}
    update SET weight = :weight
  writes Parcel
  parameter tenantId = acme
  parameter parcelId = p9
  parameter weight = 7

pattern Weigh more
  UpdateItem T#{tenantId} / P#{parcelId}
    update SET weight = weight + :more
  writes Parcel
  parameter tenantId = acme
  parameter parcelId = p9
  parameter more = 2
",
    );
    let reasons = |name: &str| -> Vec<String> {
        let proof = proof(&design, name);
        texts(&proof).into_iter().map(str::to_owned).collect()
    };
    assert!(
        (reasons("First heavy").iter())
            .any(|it| it.starts_with("the limit applies before the filter")),
        "{:?}",
        reasons("First heavy")
    );
    let nothing = "no item of the samples has the key of the update, which only removes: DynamoDB changes nothing";
    for name in ["Forget", "Forget inside"] {
        assert_eq!(reasons(name), [nothing]);
        let proof = proof(&design, name);
        let Outcome::Written(preview) = &proof.outcome else {
            panic!("{:?}", proof.outcome);
        };
        assert_eq!(preview.changes[0].after, None);
        assert_eq!(preview.units, 1.0);
    }
    assert_eq!(
        reasons("Weigh"),
        [
            "no item of the samples has the key of the update: DynamoDB creates one, with the key and what the update sets"
        ]
    );
    // With an item that has the weight it succeeds.
    assert_eq!(proof(&design, "Weigh more").verdict, Verdict::Served);
    assert_eq!(
        reasons("Weigh more"),
        ["rejected on the samples: `weight`: the item has no attribute `weight`"]
    );
}

/// The sample of a pattern gives the values of its placeholders. A fixed value can be that of other items.
#[test]
fn a_range_with_fixed_values_need_not_have_the_sample() {
    let design = design(
        "design Flights

table Flights (PK, SK)

entity Seat
  flightId string
  row integer 1 to 99
  letter string
  status FREE | TAKEN
  contact? map
  key FLIGHT#{flightId} / SEAT#{row:pad(2)}{letter}#{status}

  | flightId | row | letter | status | contact        |
  | f1       | 2   | A      | FREE   | {\"name\": \"x\"} |
  | f1       | 3   | B      | TAKEN  |                |
  | f1       | 31  | C      | FREE   |                |

pattern Behind
  Query FLIGHT#{flightId} / between SEAT#03 and SEAT#30
  returns Seat
  sample Seat 1

pattern Row three
  Query FLIGHT#{flightId} / begins_with SEAT#03
  returns Seat
  sample Seat 1

pattern Rows
  Query FLIGHT#{flightId} / between SEAT#{from:pad(2)} and SEAT#{to:pad(2)}
  returns Seat
  parameter flightId = f1
  parameter from = 3
  parameter to = 31

pattern Call
  UpdateItem FLIGHT#{flightId} / SEAT#{row:pad(2)}{letter}#{status}
    update SET contact.phone = :phone
  writes Seat
  sample Seat 2
  parameter phone = 1
",
    );
    for name in ["Behind", "Row three"] {
        assert_eq!(proof(&design, name).verdict, Verdict::Served, "{name}");
    }
    assert!(
        texts(&proof(&design, "Rows")).contains(
            &"does not return `SEAT#31C#FREE`, which begins with the upper bound and sorts after it: to include it, end the upper bound with `~`"
        )
    );
    let call = proof(&design, "Call");
    assert_eq!(call.verdict, Verdict::Served);
    assert_eq!(
        texts(&call),
        ["rejected on the samples: `contact.phone`: the item has no attribute `contact`"]
    );
}

#[test]
fn an_update_that_sets_one_of_two_index_keys_is_remarked_on() {
    let design = design(
        "design Tickets

table Tickets (PK, SK)
gsi GSI1 (GSI1PK, GSI1SK)

entity Ticket
  ticketId string
  team? string
  key TICKET#{ticketId} / TICKET
  index GSI1 TEAM#{team} / TICKET#{ticketId} when team exists

  | ticketId | team |
  | t1       |      |
  | t2       | red  |

pattern Assign
  UpdateItem TICKET#{ticketId} / TICKET
    update SET team = :team, GSI1PK = :group
  writes Ticket
  parameter ticketId = t1
  parameter team = blue
  parameter group = TEAM#blue

pattern Reassign
  UpdateItem TICKET#{ticketId} / TICKET
    update SET team = :team, GSI1PK = :group
  writes Ticket
  parameter ticketId = t2
  parameter team = blue
  parameter group = TEAM#blue

pattern Assign whole
  UpdateItem TICKET#{ticketId} / TICKET
    update SET team = :team, GSI1PK = :group, GSI1SK = :ticket
  writes Ticket
  parameter ticketId = t1
  parameter team = blue
  parameter group = TEAM#blue
  parameter ticket = TICKET#t1

pattern Assign to no team
  UpdateItem TICKET#{ticketId} / TICKET
    update SET team = :team, GSI1PK = :team
  writes Ticket
  parameter ticketId = t2
  parameter team = red
",
    );
    let remark = "sets `GSI1PK`, but the item has no `GSI1SK`: it is not in `GSI1`";
    let is_remarked = |name: &str| {
        texts(&proof(&design, name))
            .into_iter()
            .any(|text| text == remark)
    };
    assert!(is_remarked("Assign"));
    assert!(!is_remarked("Reassign"));
    assert!(!is_remarked("Assign whole"));
    let reasons = |name: &str| -> Vec<String> {
        let proof = proof(&design, name);
        texts(&proof).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(reasons("Assign whole"), [""; 0]);
    assert_eq!(
        reasons("Assign to no team"),
        ["sets `GSI1PK` of `GSI1` to `red`, but its template gives `TEAM#red`"]
    );
}

#[test]
fn what_dynamodb_accepts_but_nobody_means_is_a_remark() {
    let design = design(
        "design Scans

table Scans (PK, SK)

entity Scan
  parcel string
  at timestamp
  weight number
  note string
  tags string-set
  key P#{parcel} / S#{at}

  | parcel | at                   | weight | note |
  | p      | 2026-01-01T00:00:00Z | 1      | a    |

pattern Literal
  Query P#{parcel} / between S#:from and S#:to
  returns Scan

pattern Hour
  Query P#{parcel} / between S#{from}:00 and S#{to}:00
  returns Scan
  parameter from = 1
  parameter to = 2

pattern Text for a number
  Query P#{parcel}
  filter weight > :w
  returns Scan
  parameter w = \"5\"

pattern Number for a text
  UpdateItem P#{parcel} / S#{at}
    update SET note = :n ADD tags :tags
  writes Scan
  parameter n = 1
  parameter tags = {\"SS\":[\"a\"]}
",
    );
    let remarks = |name| texts(&proof(&design, name)).join("\n");
    let literal = remarks("Literal");
    for name in ["from", "to"] {
        let text = format!("`:{name}` is text in a key: for a parameter write `{{{name}}}`");
        assert!(literal.contains(&text), "{literal}");
    }
    let hour = remarks("Hour");
    assert!(!hour.contains("is text in a key"), "{hour}");
    let number = remarks("Text for a number");
    let text = "the value of `:w` is a String, but the expression has it with a Number";
    assert!(number.contains(text), "{number}");
    let text = "the value of `:n` is a Number, but the expression has it with a String";
    let update = remarks("Number for a text");
    assert!(
        update.contains(text) && !update.contains(":tags"),
        "{update}"
    );
}

/// DynamoDB has no request for it.
#[test]
fn a_condition_check_of_its_own_is_refused_in_text_and_a_transaction_in_a_file() {
    let text = "design Checks

table Checks (PK)

entity User
  id string
  key U#{id}

pattern Check
  TransactWriteItems
    ConditionCheck U#{id}
      condition attribute_exists(PK)
";
    let sound = design(text);
    let alone = text
        .replace("  TransactWriteItems\n", "")
        .replace("    ConditionCheck", "  ConditionCheck")
        .replace("      condition", "    condition");
    let problems = lower(&parse(&alone), None).problems;
    assert!(
        problems[0].message.contains("in transactions only"),
        "{problems:?}"
    );
    let json: serde_json::Value = serde_json::from_str(&to_json(&sound)).unwrap();
    let mut old = json.clone();
    let patterns = old["accessPatterns"].as_object_mut().unwrap();
    let operation = &mut patterns.values_mut().next().unwrap()["operation"];
    *operation = operation["transactWriteItems"]["actions"][0].clone();
    let read = from_json(&old.to_string()).unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&to_json(&read)).unwrap(),
        json
    );
}

#[test]
fn a_sparse_index_is_suggested_only_if_the_pattern_tests_its_condition() {
    let design = design(
        "design Desk

table Desk (PK, SK)

gsi ByState (GSI1PK, GSI1SK)
gsi ByStatus (GSI2PK, GSI2SK)

entity Tenant
  tenantId string
  key T#{tenantId} / META

  | tenantId |
  | t        |

entity Note
  tenantId string
  noteId string
  key T#{tenantId} / NOTE#{noteId}

  | tenantId | noteId |
  | t        | 1      |
  | t        | 2      |

entity Ticket
  tenantId string
  ticketId string
  status string
  key T#{tenantId} / TICKET#{ticketId}
  index ByState T#{tenantId} / {ticketId} when status != closed
  index ByStatus T#{tenantId}#{status} / {ticketId} when status != closed

  | tenantId | ticketId | status |
  | t        | 1        | open   |

pattern All
  Query T#{tenantId}
  returns Ticket
  sample Ticket 1

pattern Open
  Query T#{tenantId}
  filter status = :status
  returns Ticket
  sample Ticket 1
",
    );
    let reads = |name: &str, index: &str| {
        let text = format!("Read it through `{index}`");
        let found = proof(&design, name).suggestions;
        found.iter().any(|it| it.text.contains(&text))
    };
    assert!(!reads("All", "ByState") && reads("Open", "ByStatus"));
}

#[test]
fn an_optional_attribute_that_is_not_tested_is_in_no_suggested_key() {
    let text = |index: &str| {
        format!(
            "design Tasks

table Tasks (PK, SK)

gsi Done (DonePK, DoneSK)

entity Task
  taskId       string
  assigneeId   string
  completedAt? timestamp
  key TASK#{{taskId}} / TASK
{index}
  | taskId | assigneeId | completedAt |
  | 1      | a          | 2026-01-01  |
  | 2      | a          |             |

pattern Tasks of an assignee
  Query
  filter assigneeId = :assigneeId
  returns Task
  sample Task 1

pattern Tasks done in a month
  Query
  filter assigneeId = :assigneeId AND completedAt BETWEEN :from AND :to
  returns Task
  sample Task 1
  parameter from = 2026-01-01
  parameter to = 2026-01-31
"
        )
    };
    let suggested = |design: &Design, name: &str| -> Vec<String> {
        let found = proof(design, name).suggestions.into_iter();
        found.map(|it| it.text).collect()
    };
    let none = design(&text(""));
    let all = suggested(&none, "Tasks of an assignee");
    assert!(
        !all.is_empty() && all.iter().all(|text| text.contains("/ `TASK#{taskId}`")),
        "{all:?}"
    );
    let done = suggested(&none, "Tasks done in a month");
    assert!(
        done.iter()
            .any(|text| text.contains("{completedAt}#{taskId}")),
        "{done:?}"
    );
    let with = design(&text(
        "  index Done ASSIGNEE#{assigneeId} / {completedAt}#{taskId}\n",
    ));
    let reads = |name: &str| {
        let found = suggested(&with, name);
        found.iter().any(|text| text.contains("through `Done`"))
    };
    assert!(!reads("Tasks of an assignee") && reads("Tasks done in a month"));
}

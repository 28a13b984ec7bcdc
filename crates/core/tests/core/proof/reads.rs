//! Suggestions and verdicts that depend on order, on fixed values, on types and on what an index projects.

use super::as_text::{design, found, proof};
use keyfold_core::lint::{Linter, lint};
use keyfold_core::model::{Design, Operation, SampleId};
use keyfold_core::proof::{Proof, Verdict};
use keyfold_core::text::{lower, parse};
use keyfold_test_support::proofs::{items, texts};
use std::sync::Arc;

/// What is suggested for the access pattern of this name, each as its text and the operation that it leads to.
fn suggested(proof: &Proof) -> Vec<String> {
    let all = proof.suggestions.iter();
    all.map(|suggestion| suggestion.text.clone()).collect()
}

const SCORES: &str = "design Scores

table Scores (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)

entity Score
  player string
  game string
  score number
  key P#{player} / G#{game}
  index GSI1 GAME#{game} / {score:desc(4)}#{player}

  | player | game | score |
  | a      | x    | 100   |
  | b      | x    | 500   |
  | c      | x    | 900   |

";

#[test]
fn a_suggested_range_has_the_order_of_the_key() {
    let scores = |pattern: &str| design(&format!("{SCORES}{pattern}"));
    // Descending numbers: the bounds change places, and the first is the greatest.
    let between = scores(
        "pattern Between
  Query
  filter #game = :game AND #score BETWEEN :from AND :to
  returns Score
  parameter game = x
  parameter from = 100
  parameter to = 500
",
    );
    let between = proof(&between, "Between");
    assert_eq!(between.verdict, Verdict::Unserved);
    let Operation::Query {
        sort, descending, ..
    } = &between.suggestions[0].operation
    else {
        panic!("{:?}", between.suggestions);
    };
    assert_eq!(sort[0].value, "{to:desc(4)}");
    assert_eq!(sort[0].upper.as_deref(), Some("{from:desc(4)}#~"));
    assert!(descending);
    // The same range of a pattern that reads the index by itself.
    let own = scores(
        "pattern Own
  Query index GSI1 GAME#{game} / between {to:desc(4)} and {from:desc(4)}#~
  returns Score
  parameter game = x
  parameter from = 100
  parameter to = 500
",
    );
    let own = proof(&own, "Own");
    assert_eq!(own.verdict, Verdict::Served, "{:?}", texts(&own));
    assert_eq!(items(&own, "player"), ["b", "a"]);
    // The text of a number without padding, a shard or a part of a value has another order.
    for key in [
        "{score}#{player}",
        "{score:shard(4)}#{player}",
        "{score:first(1)}#{player}",
    ] {
        let other = SCORES.replace("{score:desc(4)}#{player}", key);
        let other = design(&format!(
            "{other}pattern Between
  Query
  filter #game = :game AND #score BETWEEN :from AND :to
  returns Score
"
        ));
        let all = suggested(&proof(&other, "Between"));
        assert!(
            !all.iter().any(|text| text.contains("already serves")),
            "{key}: {all:?}"
        );
    }
}

#[test]
fn a_suggested_key_takes_all_numbers_of_the_samples() {
    let orders = |totals: [&str; 3]| {
        let [a, b, c] = totals;
        design(&format!(
            "design Shop

table Shop (PK, SK)

entity Order
  user string
  order string
  total number
  key U#{{user}} / O#{{order}}

  | user | order | total |
  | u    | 1     | {a}   |
  | u    | 2     | {b}   |
  | u    | 3     | {c}   |

pattern Between
  Query
  filter #user = :user AND #total BETWEEN :from AND :to
  returns Order
"
        ))
    };
    let decimals = suggested(&proof(&orders(["59.9", "12.25", "240"]), "Between"));
    assert!(
        decimals[0].contains("`{total:pad(10,2)}#{order}`"),
        "{decimals:?}"
    );
    let whole = suggested(&proof(&orders(["59", "12", "240"]), "Between"));
    assert!(whole[0].contains("`{total:pad(10)}#{order}`"), "{whole:?}");
    // No text has the order of negative numbers.
    assert_eq!(
        suggested(&proof(&orders(["59", "-12", "240"]), "Between")),
        [""; 0]
    );
}

#[test]
fn a_parameter_at_the_place_of_another_attribute_reads_other_items() {
    let tree = design(
        "design Forum

table Forum (PK)

gsi GSI1 (GSI1PK, GSI1SK)

entity Comment
  commentId string
  parentId string
  createdAt timestamp
  key COMMENT#{commentId}
  index GSI1 PARENT#{parentId} / {createdAt}

  | commentId | parentId | createdAt            |
  | c1        | p1       | 2026-01-01T00:00:00Z |
  | c2        | c1       | 2026-01-02T00:00:00Z |

pattern Replies
  Query index GSI1 PARENT#{commentId}
  returns Comment
",
    );
    let replies = proof(&tree, "Replies");
    assert_eq!(replies.verdict, Verdict::Served, "{:?}", texts(&replies));
    assert_eq!(items(&replies, "commentId"), ["c2"]);
}

#[test]
fn one_of_two_samples_with_the_same_key_is_the_item() {
    let twice = design(
        "design Shop

table Shop (PK)

entity User
  userId string
  name string
  key USER#{userId}

  | userId | name |
  | u      | a    |
  | u      | b    |

pattern Get
  GetItem USER#{userId}
  returns User
",
    );
    let get = proof(&twice, "Get");
    assert_eq!(get.verdict, Verdict::Served, "{:?}", texts(&get));
}

#[test]
fn a_pattern_that_names_no_entity_may_read_another_one_than_its_sample() {
    let shop = design(
        "design Shop

table Shop (PK, SK)

entity Order
  userId string
  orderId string
  key USER#{userId} / ORDER#{orderId}

  | userId | orderId |
  | u      | 1       |

entity User
  userId string
  key USER#{userId} / PROFILE

  | userId |
  | u      |

pattern Profile
  GetItem USER#{userId} / PROFILE
",
    );
    let profile = proof(&shop, "Profile");
    assert_eq!(profile.verdict, Verdict::Served, "{:?}", texts(&profile));
}

#[test]
fn a_text_is_no_value_of_a_numeric_key() {
    let logs = |pattern: &str| {
        design(&format!(
            "design Logs

table Logs (PK, createdAt number)

entity Log
  user string
  createdAt number
  state string
  key U#{{user}}

  | user | createdAt | state |
  | u    | 1         | x     |

{pattern}"
        ))
    };
    for sort in [
        ">= ORDER#{createdAt}",
        "= {state}",
        "between {createdAt} and 9{createdAt}",
    ] {
        let design = logs(&format!(
            "pattern P\n  Query U#{{user}} / {sort}\n  returns Log\n"
        ));
        let judged = proof(&design, "P");
        assert_eq!(
            judged.verdict,
            Verdict::Impossible,
            "{sort}: {:?}",
            texts(&judged)
        );
        assert_eq!(found(&design, "A009").len(), 1, "{sort}");
    }
    let item = logs("pattern P\n  GetItem U#{user} / N#{createdAt}\n  returns Log\n");
    assert_eq!(proof(&item, "P").verdict, Verdict::Impossible);
    // A value that is set counts for itself; a number and a numeric attribute fit.
    for sort in [">= {createdAt}", "= 1", ">= {from}\n  parameter from = 1"] {
        let design = logs(&format!(
            "pattern P\n  Query U#{{user}} / {sort}\n  returns Log\n"
        ));
        let judged = proof(&design, "P");
        assert_eq!(
            judged.verdict,
            Verdict::Served,
            "{sort}: {:?}",
            texts(&judged)
        );
        assert_eq!(found(&design, "A009"), [], "{sort}");
    }
}

const ORDERS: &str = "design Shop

table Shop (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK) keys-only

entity Order
  userId string
  orderId string
  status OPEN | CLOSED
  createdAt timestamp
  shippedAt? timestamp
  total number
  key USER#{userId} / ORDER#{orderId}
  index GSI1 USER#{userId} / STATUS#{status}#{createdAt}

  | userId | orderId | status | createdAt            | shippedAt            | total |
  | u      | 1       | OPEN   | 2026-01-01T00:00:00Z |                      | 5     |
  | u      | 2       | CLOSED | 2026-01-02T00:00:00Z | 2026-01-03T00:00:00Z | 7     |

";

#[test]
fn a_fixed_value_is_not_forgotten() {
    let orders = |pattern: &str| design(&format!("{ORDERS}{pattern}"));
    // The primary key does not know the status.
    let open = orders(
        "pattern Open
  Query index GSI1 USER#{userId} / begins_with STATUS#OPEN# consistent
  returns Order
",
    );
    let open = proof(&open, "Open");
    assert_eq!(open.verdict, Verdict::Impossible);
    assert_eq!(
        suggested(&open),
        ["Read it through `GSI1` with eventually consistent reads"]
    );
    // Neither does a partition key for orders of all states.
    let joined = ORDERS.replace(
        "  index GSI1 USER#{userId} / STATUS#{status}#{createdAt}\n",
        "",
    );
    let joined = design(&format!(
        "{joined}pattern Open
  Query index GSI1 STATUS#OPEN
  returns Order
"
    ));
    assert_eq!(suggested(&proof(&joined, "Open")), [""; 0]);
    // A text that only names the kind of items is no value.
    let all = ORDERS.replace(
        "  index GSI1 USER#{userId} / STATUS#{status}#{createdAt}\n",
        "",
    );
    let all = design(&format!(
        "{all}pattern All
  Query index GSI1 ORDERS
  returns Order
"
    ));
    assert!(suggested(&proof(&all, "All"))[0].contains("`ORDERS`"));
}

#[test]
fn a_filter_for_any_value_stays_unless_the_key_has_the_attribute() {
    let shipped = design(&format!(
        "{ORDERS}pattern Shipped
  Scan
  filter userId = :userId AND attribute_exists(shippedAt)
  returns Order
"
    ));
    let shipped = proof(&shipped, "Shipped");
    let first = &shipped.suggestions[0];
    assert!(first.text.contains("the primary key"), "{first:?}");
    let read = first.operation.read().expect("a read");
    assert_eq!(read.filter.as_deref(), Some("attribute_exists(shippedAt)"));
}

#[test]
fn what_a_gsi_does_not_project_is_neither_served_nor_suggested() {
    let orders = |pattern: &str| design(&format!("{ORDERS}{pattern}"));
    // No sample has a value for the parameter, so it is not run.
    let totals = orders(
        "pattern Totals
  Query index GSI1 USER#{someone}
  attributes total
  returns Order
",
    );
    let totals = proof(&totals, "Totals");
    assert_eq!(totals.verdict, Verdict::Impossible);
    assert_eq!(
        suggested(&totals),
        ["add `total` to the projection of `GSI1`"]
    );
    for read in ["attributes total", "filter total > :least"] {
        let needed = match read.strip_prefix("filter ") {
            Some(filter) => format!("filter userId = :userId AND status = :status AND {filter}"),
            None => format!("filter userId = :userId AND status = :status\n  {read}"),
        };
        let open = orders(&format!(
            "pattern Open\n  Query\n  {needed}\n  returns Order\n"
        ));
        let all = suggested(&proof(&open, "Open"));
        assert!(
            !all.iter().any(|text| text.contains("through `GSI1`")),
            "{read}: {all:?}"
        );
    }
}

#[test]
fn operators_that_dynamodb_rejects_are_impossible_without_values() {
    let matches = design(
        "design Matches

table Matches (PK)

gsi GSI1 (region / round, bracket)

entity Match
  id string
  region string
  round string
  bracket string
  key M#{id}

pattern Range
  Query index GSI1 {region} / >= {round}, = {bracket}
  returns Match
",
    );
    let range = proof(&matches, "Range");
    assert_eq!(range.verdict, Verdict::Impossible, "{:?}", texts(&range));
    assert_eq!(found(&matches, "A009").len(), 1);
}

#[test]
fn the_order_of_samples_does_not_decide_about_a_sparse_index() {
    let orders = |sample: &str| {
        design(&format!(
            "design Shop

table Shop (PK)

gsi GSI1 (GSI1PK)

entity Order
  orderId string
  userId string
  status PENDING | SHIPPED
  key ORDER#{{orderId}}
  index GSI1 USER#{{userId}}#{{status}} when status = PENDING

  | orderId | userId | status  |
  | 1       | u      | SHIPPED |
  | 2       | u      | PENDING |

pattern Pending
  Query index GSI1 USER#{{userId}}#{{status}}
  returns Order
{sample}"
        ))
    };
    let pending = proof(&orders(""), "Pending");
    assert_eq!(pending.verdict, Verdict::Served, "{:?}", texts(&pending));
    assert_eq!(items(&pending, "orderId"), ["2"]);
    assert!(
        pending.parameters.iter().all(|parameter| {
            parameter.source != keyfold_core::proof::Source::Sample(SampleId(0))
        })
    );
    // A sample that is chosen counts.
    let shipped = proof(&orders("  sample Order 1\n"), "Pending");
    assert_eq!(shipped.verdict, Verdict::Unserved);
}

#[test]
fn a_value_without_the_modifiers_of_the_key_is_unserved() {
    let waiting = |text: &str| {
        design(&format!(
            "design Clinic

table Clinic (PK, SK)

entity Waiting
  clinic string
  priority number
  email string
  key C#{{clinic}} / {{priority:desc(3)}}#{{email:lower}}

  | clinic | priority | email |
  | c      | 5        | a@b.c |
  | c      | 300      | d@e.f |

pattern P
  Query C#{{clinic}} / {text}
  returns Waiting
"
        ))
    };
    let upper = "= {priority:desc(3)}#{email}\n  parameter email = Ann@X.com";
    for sort in [
        upper,
        "< {priority}",
        ">= {least}\n  parameter least = 5",
        "= {priority:desc(3)}#{email}",
    ] {
        let design = waiting(sort);
        let judged = proof(&design, "P");
        assert_eq!(
            judged.verdict,
            Verdict::Unserved,
            "{sort}: {:?}",
            texts(&judged)
        );
        assert!(
            texts(&judged)
                .iter()
                .any(|text| text.ends_with("use the same modifiers"))
        );
        assert_eq!(found(&design, "A001").len(), 1, "{sort}");
    }
    // A text that is set may be what the modifiers make of a value.
    let set = "= {priority:desc(3)}#{email}\n  parameter email = a@b.c\n  parameter priority = 5";
    for sort in [
        "< {priority:desc(3)}",
        "begins_with {priority:desc(3)}#{email:lower}",
        set,
    ] {
        let design = waiting(sort);
        let judged = proof(&design, "P");
        assert_ne!(
            judged.verdict,
            Verdict::Unserved,
            "{sort}: {:?}",
            texts(&judged)
        );
        assert_eq!(found(&design, "A001"), [], "{sort}");
    }
}

/// The other way around: modifiers that the key does not have.
#[test]
fn modifiers_that_the_key_does_not_have_are_unserved() {
    let games = |query: &str| {
        design(&format!(
            "design Games

table Games (PK, SK)

entity Score
  createdAt string
  rank number
  code string
  key DAY#{{createdAt}} / SCORE#{{rank}}#{{code:first(4)}}

  | createdAt            | rank | code   |
  | 2026-03-01T10:00:00Z | 42   | abcdef |

pattern P
  Query {query}
  returns Score
"
        ))
    };
    for query in [
        "DAY#{createdAt:date}",
        "DAY#{createdAt} / between SCORE#{from:pad(5)} and SCORE#{to:pad(5)}",
        "DAY#{createdAt} / >= SCORE#{rank:pad(5)}",
        "DAY#{createdAt} / = SCORE#{rank}#{code:first(2)}",
        "DAY#{createdAt} / begins_with SCORE#{rank:first(1)}#{code:first(2)}",
        "DAY#{createdAt:date}\n  parameter createdAt = 2026-03-01T10:00:00Z",
    ] {
        let design = games(query);
        let judged = proof(&design, "P");
        let said = texts(&judged);
        assert_eq!(judged.verdict, Verdict::Unserved, "{query}: {said:?}");
        let same = |text: &&&str| text.ends_with("use the same modifiers");
        assert_eq!(said.iter().filter(same).count(), 1, "{query}: {said:?}");
        assert_eq!(found(&design, "A001").len(), 1, "{query}");
    }
    for query in [
        "DAY#{createdAt} / begins_with SCORE#{rank}#{code:first(2)}",
        "DAY#{createdAt} / between SCORE#{rank}#{code:first(2)} and SCORE#{rank}#{code:first(2)}~",
        "DAY#{createdAt} / begins_with SCORE#{rank:first(1)}",
        "DAY#{createdAt} / >= SCORE#{from}",
        // A date that is set may be one of the values.
        "DAY#{createdAt:date}\n  parameter createdAt = 2026-03-01",
    ] {
        let design = games(query);
        let judged = proof(&design, "P");
        let said = texts(&judged);
        assert_ne!(judged.verdict, Verdict::Unserved, "{query}: {said:?}");
        assert_eq!(found(&design, "A001"), [], "{query}");
    }
}

/// Parameters that an intended entity has no attribute for are not those of an entity that has.
#[test]
fn a_parameter_is_no_attribute_of_an_entity_that_is_not_meant() {
    let travel = design(
        "design Travel

table Travel (PK, SK)

entity Flight
  from BER | LHR
  to BER | LHR
  key FLIGHT#{from} / {to}

entity Booking
  user string
  createdAt timestamp
  key USER#{user} / BOOKING#{createdAt}

  | user | createdAt            |
  | u    | 2026-03-01T10:00:00Z |

pattern Bookings
  Query USER#{user} / between BOOKING#{from} and BOOKING#{to}
  returns Booking
  parameter user = u
  parameter from = 2026-01-01
  parameter to = 2027-01-01
",
    );
    let bookings = proof(&travel, "Bookings");
    let said = texts(&bookings);
    assert_eq!(bookings.verdict, Verdict::Served, "{said:?}");
    assert_eq!(items(&bookings, "user"), ["u"]);
    assert_eq!(found(&travel, "A001"), []);
}

/// An order and an invoice, whose keys in GSI1 are alike, so that a Query of one also reads the other.
fn alike(pattern: &str) -> Design {
    design(&format!(
        "design Shop

table Shop (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)

entity Order
  tenantId string
  orderId string
  status string
  createdAt timestamp
  key ORDER#{{orderId}} / ORDER
  index GSI1 TENANT#{{tenantId}} / STATUS#{{status}}#{{createdAt}}

entity Invoice
  tenantId string
  invoiceId string
  state string
  issuedAt timestamp
  key INVOICE#{{invoiceId}} / INVOICE
  index GSI1 TENANT#{{tenantId}} / STATUS#{{state}}#{{issuedAt}}

pattern P
  Query {pattern}
  returns Order
"
    ))
}

/// The key conditions of the suggestions for each of these sort conditions of a Query.
fn key_conditions(sorts: &[&str]) -> String {
    let shown = |operation: &Operation| match operation {
        Operation::Query {
            partition, sort, ..
        } => {
            let sort = sort.iter().map(|test| {
                let upper = test.upper.as_ref();
                let upper = upper.map_or(String::new(), |upper| format!(" and {upper}"));
                format!(" / {} {}{upper}", test.operator.symbol(), test.value)
            });
            partition.concat() + &sort.collect::<String>()
        }
        other => other.name().to_owned(),
    };
    let line = |sort: &&str| {
        let query = format!("index GSI1 TENANT#{{tenantId}} / {sort}");
        let proof = proof(&alike(&query), "P");
        assert_eq!(proof.verdict, Verdict::ReadsTooMuch, "{:?}", texts(&proof));
        let all = proof.suggestions.iter();
        let mut all: Vec<_> = all.map(|suggestion| shown(&suggestion.operation)).collect();
        if all.is_empty() {
            all.push("nothing".to_owned());
        }
        format!("{sort}\n  {}", all.join("\n  "))
    };
    let lines: Vec<String> = sorts.iter().map(line).collect();
    lines.join("\n")
}

/// What both bounds have is known; the range is that of the last attribute.
#[test]
fn a_suggested_range_is_that_of_the_last_placeholder() {
    let suggested = key_conditions(&[
        "between STATUS#{status}#{from} and STATUS#{status}#{to}",
        "between STATUS#{status}#{from} and STATUS#{status}#~",
        "between STATUS#{status}# and STATUS#{status}#{to}~",
        "between STATUS#{status} and STATUS#{status}~",
        "between STATUS#{first} and STATUS#{last}",
        // Not the range of one attribute.
        "between STATUS#{first}#{from} and STATUS#{last}#{to}",
        "between STATUS#{first}#{from} and STATUS#{last}",
        "between STATUS#{prefix} and STATUS#{prefix}~",
    ]);
    insta::assert_snapshot!(suggested);
}

#[test]
fn a_prefix_of_a_value_is_not_the_value() {
    let suggested = key_conditions(&[
        "begins_with STATUS#{status}",
        "begins_with STATUS#{wanted}#",
        "begins_with STATUS#{prefix}",
    ]);
    insta::assert_snapshot!(suggested);
}

/// Both values must hold, so one stays in the filter.
#[test]
fn a_second_value_of_a_known_attribute_is_not_forgotten() {
    let of = |filter: &str| {
        let query = format!(
            "index GSI1 TENANT#{{tenantId}} / begins_with STATUS#{{status}}#\n  filter {filter}"
        );
        let proof = proof(&alike(&query), "P");
        let all = proof.suggestions.iter();
        let reads = all.filter_map(|suggestion| suggestion.operation.read());
        let filters: Vec<_> = reads
            .map(|read| read.filter.clone().unwrap_or_default())
            .collect();
        assert!(!filters.is_empty(), "{filter}");
        filters
    };
    for filter in of("#status = :other") {
        assert_eq!(filter, "#status = :other");
    }
    for filter in of("#status = :status") {
        assert_eq!(filter, "");
    }
}

#[test]
fn the_type_attribute_in_a_template_is_the_name_of_the_entity() {
    let mut teams = design(
        "design Teams

table Teams (PK, SK)

entity User
  id string
  key {type}#{id} / PROFILE

entity Team
  id string
  key {type}#{id} / PROFILE

pattern User
  Query User#{id}
  returns User

pattern Team
  Query User#{id}
  returns Team
",
    );
    assert_eq!(proof(&teams, "User").verdict, Verdict::Served);
    assert_eq!(proof(&teams, "Team").verdict, Verdict::Unserved);
    assert_eq!(found(&teams, "A002"), []);
    assert_eq!(found(&teams, "A001").len(), 1);
    assert_eq!(found(&teams, "K006"), []);
    // The linter follows another type attribute.
    let mut linter = Linter::default();
    linter.lint(&teams);
    Arc::make_mut(&mut teams.table).type_attribute = Some("kind".into());
    assert_eq!(linter.lint(&teams).findings, lint(&teams).findings);
}

/// A text key cannot hold binary, so no item has such a key.
#[test]
fn a_binary_attribute_is_in_no_key_of_type_string() {
    let files = |table: &str, key: &str, pattern: &str| {
        design(&format!(
            "design Files

table Files ({table})

entity File
  id string
  hash binary
  {key}

pattern P
  Query {pattern}
  returns File
"
        ))
    };
    let text = files("PK, SK", "key FILE#{hash} / FILE", "FILE#{hash}");
    assert_eq!(proof(&text, "P").verdict, Verdict::Unserved);
    assert_eq!(found(&text, "A001").len(), 1);
    let own = files("hash binary, id", "", "{hash}");
    let own = proof(&own, "P");
    assert_eq!(own.verdict, Verdict::Served, "{:?}", texts(&own));
    // A new index would get a text key.
    let scan = files("PK, SK", "key FILE#{id} / FILE", "\n  filter #hash = :hash");
    let scan = proof(&scan, "P");
    assert_eq!(scan.verdict, Verdict::Unserved);
    assert_eq!(suggested(&scan), [""; 0]);
}

/// An index has only items that the table can store.
#[test]
fn an_entity_without_a_primary_key_is_in_no_index() {
    for key in ["", "\n  key USER#{id} / {id:first()}"] {
        let users = |operation: &str| {
            let text = format!(
                "design Users

table Users (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)

entity User
  id string
  email string{key}
  index GSI1 MAIL#{{email}} / USER

pattern P
  {operation}
  returns User
"
            );
            lower(&parse(&text), None).design
        };
        for operation in [
            "Query index GSI1 MAIL#{email}",
            "Scan index GSI1",
            "Query\n  filter email = :email",
        ] {
            let judged = proof(&users(operation), "P");
            let said = texts(&judged);
            assert_eq!(judged.verdict, Verdict::Unserved, "{operation}: {said:?}");
            assert!(
                said.contains(&"`User` has no primary key"),
                "{operation}: {said:?}"
            );
            assert_eq!(suggested(&judged), [""; 0], "{operation}");
        }
    }
}

#[test]
fn an_item_that_is_put_and_changed_in_one_transaction_is_rejected() {
    let slots = |actions: &str| {
        design(&format!(
            "design Clinic

table Clinic (PK, SK)

entity Slot
  doctor string
  start string
  taken boolean
  key SLOT#{{doctor}} / {{start}}

pattern Book
  TransactWriteItems
{actions}
  writes Slot
"
        ))
    };
    let put = "    PutItem Slot";
    let delete = "    DeleteItem SLOT#{doctor} / {start}";
    let other = "    DeleteItem SLOT#{doctor} / {before}";
    for actions in [[put, delete], [delete, put], [put, put]] {
        let design = slots(&actions.join("\n"));
        assert_eq!(
            proof(&design, "Book").verdict,
            Verdict::Impossible,
            "{actions:?}"
        );
        assert_eq!(found(&design, "A009").len(), 1, "{actions:?}");
    }
    let design = slots(&[put, other].join("\n"));
    assert_eq!(proof(&design, "Book").verdict, Verdict::Served);
}

#[test]
fn a_batch_has_at_most_100_keys() {
    let keys: Vec<String> = (0..101).map(|at| format!("    key U#{at}")).collect();
    let batch = |keys: &[String]| {
        design(&format!(
            "design Shop

table Shop (PK)

entity User
  id string
  key U#{{id}}

pattern Users
  BatchGetItem
{}
  returns User
",
            keys.join("\n")
        ))
    };
    assert_eq!(proof(&batch(&keys), "Users").verdict, Verdict::Impossible);
    assert_eq!(proof(&batch(&keys[1..]), "Users").verdict, Verdict::Served);
}

#[test]
fn the_beginning_of_a_value_needs_not_all_its_modifiers() {
    let days = design(
        "design Logs

table Logs (PK, SK)

entity Log
  user string
  createdAt timestamp
  zip string
  key U#{user} / DAY#{createdAt:date}#{zip:first(5)}

  | user | createdAt            | zip    |
  | u    | 2026-01-02T00:00:00Z | 123456 |

pattern Month
  Query U#{user} / begins_with DAY#{createdAt:month}
  returns Log

pattern Zip
  Query U#{user} / begins_with DAY#{createdAt:date}#{zip:first(3)}
  returns Log
",
    );
    for name in ["Month", "Zip"] {
        let judged = proof(&days, name);
        assert!(judged.verdict.is_served(), "{name}: {:?}", texts(&judged));
        assert_eq!(items(&judged, "user"), ["u"]);
    }
    assert_eq!(found(&days, "A001"), []);
}

#[test]
fn what_an_index_projects_says_nothing_of_its_keys() {
    let nothing = design(&format!(
        "{ORDERS}pattern None\n  Query index GSI1 NOPE#{{x}}\n  parameter x = 1\n"
    ));
    assert_eq!(proof(&nothing, "None").verdict, Verdict::Unserved);
    // An LSI fetches the items, and then the filter sees them.
    let local = ORDERS
        .replace(
            "gsi GSI1 (GSI1PK, GSI1SK) keys-only",
            "lsi LS1 (PK, createdAt) keys-only",
        )
        .replace(
            "  index GSI1 USER#{userId} / STATUS#{status}#{createdAt}\n",
            "",
        );
    let local = design(&format!(
        "{local}pattern Large
  Query index LS1 USER#{{userId}}
  attributes total
  filter total > :least
  returns Order
  parameter least = 5
"
    ));
    let large = proof(&local, "Large");
    assert!(large.verdict.is_served(), "{:?}", texts(&large));
    assert_eq!(items(&large, "total"), ["7"]);
    // Both what is returned and what is filtered by are added.
    let both = design(&format!(
        "{ORDERS}pattern Both
  Query index GSI1 USER#{{userId}}
  attributes total
  filter shippedAt > :since
  returns Order
  parameter since = 2026
"
    ));
    let both = proof(&both, "Both");
    assert_eq!(both.verdict, Verdict::Impossible);
    assert_eq!(
        suggested(&both),
        ["add `total` and `shippedAt` to the projection of `GSI1`"]
    );
}

/// An LSI supports strongly consistent reads.
#[test]
fn an_lsi_is_not_suggested_with_eventually_consistent_reads() {
    let local = ORDERS
        .replace("gsi GSI1 (GSI1PK, GSI1SK) keys-only", "lsi LS1 (PK, LS1SK)")
        .replace(
            "index GSI1 USER#{userId} / STATUS#{status}#{createdAt}",
            "index LS1 / {createdAt}#{orderId}",
        );
    let orders = design(&format!(
        "{local}pattern Until
  Query index LS1 USER#{{userId}} / <= {{createdAt}} consistent
  returns Order
"
    ));
    let until = proof(&orders, "Until");
    // Its bound is before the key of the order itself.
    assert_eq!(until.verdict, Verdict::Unserved, "{:?}", texts(&until));
    assert_eq!(
        suggested(&until),
        ["Change the key condition: `LS1` already serves it"]
    );
}

#[test]
fn a_parameter_may_be_the_attribute_of_any_entity() {
    let games = design(
        "design Games

table Games (PK, score number)

entity Quiz
  quiz string
  score string
  key QUIZ#{quiz} / {rank}
  rank number

entity Game
  game string
  score number
  key GAME#{game}

pattern Best
  Query GAME#{game} / >= {score}
",
    );
    let best = proof(&games, "Best");
    assert_ne!(best.verdict, Verdict::Impossible, "{:?}", texts(&best));
}

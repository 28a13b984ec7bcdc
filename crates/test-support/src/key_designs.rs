//! Designs with natural keys and with key-only attributes, for tests of all exports.

use keyfold_core::model::{Design, validate_invariants};
use keyfold_core::text::{lower, parse};

/// Natural keys alone, beside templates, and in indexes of all kinds; no line says that the entities are in them.
pub fn natural_keys() -> Design {
    read(
        "design Natural keys
table accounts (AccountID, SK)
gsi ByEmail (email)
gsi ByStatus (status, dueDate)
gsi ByAmount (currency, amount number)
lsi ByDueDate (AccountID, dueDate)
entity Account
  AccountID  sequence acc-01
  email      email
  key  / PROFILE
  | AccountID | email         |
  | acc-01    | ada@test.test |
  | acc-02    | bob@test.test |
entity Payment
  AccountID  -> Account
  SK         sequence pay-0001
  status     OPEN | PAID
  dueDate?   date
  currency   EUR | USD
  amount     integer 1 to 500
  | AccountID | SK       | status | dueDate    | currency | amount |
  | acc-01    | pay-0001 | OPEN   | 2026-02-01 | EUR      | 90     |
  | acc-01    | pay-0002 | PAID   |            | USD      | 250    |
  | acc-02    | pay-0001 | OPEN   | 2026-03-01 | USD      | 8      |
pattern Payments of an account
  Query {AccountID}
  returns Account, Payment
  sample Payment 1
pattern Open payments
  Query index ByStatus {status} / {dueDate}
  returns Payment
  sample Payment 1
",
    )
}

/// Key-only attributes of all types that keys hold, plain and padded, beside stored ones.
pub fn key_only() -> Design {
    read(
        "design Key-only attributes
table chat (PK, SK)
gsi GSI1 (GSI1PK, GSI1SK)
gsi ByLevel (level number)
entity Room
  roomId  sequence r-01 key-only
  topic   word
  key  ROOM#{roomId} / ROOM
  | roomId | topic |
  | r-01   | rust  |
  | r-02   | keys  |
entity Message
  roomId  -> Room key-only
  sentAt  timestamp key-only  /// Sorts the messages of a room.
  number  integer 1 to 999 key-only
  pinned  boolean key-only
  author  word
  email?  email key-only
  text?   sentence
  key         ROOM#{roomId} / MSG#{sentAt}#{number:pad(4)}#{pinned}
  index GSI1  AUTHOR#{author} / {sentAt}#{email:lower}
  | roomId | sentAt               | number | pinned | author | email         | text |
  | r-01   | 2026-02-01T10:00:00Z | 7      | true   | ada    | ada@test.test | Hi   |
  | r-01   | 2026-02-01T10:00:05Z | 12     | false  | bob    |               |      |
  | r-02   | 2026-02-02T08:30:00Z | 7      | false  | ada    | Ada@test.test | Bye  |
entity Badge
  badgeId  sequence b-01 key-only
  level    integer 1 to 5 key-only  /// A key attribute of ByLevel, but items do not have it.
  key  BADGE#{badgeId} / LEVEL#{level:desc(2)}
  | badgeId | level |
  | b-01    | 3     |
pattern Messages of a room
  Query ROOM#{roomId} / begins_with MSG#
  returns Message
  sample Message 1
pattern Post
  PutItem Message
    condition attribute_not_exists(PK)
  writes Message
  sample Message 1
",
    )
}

fn read(text: &str) -> Design {
    let lowered = lower(&parse(text), None);
    assert!(lowered.problems.is_empty(), "{:?}", lowered.problems);
    assert_eq!(validate_invariants(&lowered.design), []);
    lowered.design
}

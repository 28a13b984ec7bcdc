//! The designs for the tests of the Rust export that are written as text.

use keyfold_core::model::Design;
use keyfold_test_support::texts::read;

/// Numbers that are padded in a key first, and plain later.
pub fn padded_then_plain() -> Design {
    read(
        "design PaddedThenPlain

table games (PK, SK)
gsi byLevel (GSI1PK, level number)
gsi byRest (GSI2PK, rest number)
gsi byPrice (GSI3PK, price number)

entity Game
  gameId string
  level integer 1 to 99
  rest integer 1 to 99
  price number

  key GAME#{gameId} / GAME
  index byLevel LEVEL#{level:pad(3)}
  index byRest REST#{rest:desc(3)}
  index byPrice PRICE#{price:pad(3,2)}

  | gameId | level | rest | price |
  | g-1    | 7     | 1    | 2.50  |

pattern Two levels
  TransactGetItems
    key A#{level:pad(3)} / X
    key B#{level} / X
  sample Game 1

pattern Two prices
  TransactGetItems
    key A#{price:pad(3,2)} / X
    key B#{price} / X
  sample Game 1
",
    )
}

/// Two indexes with one partition key attribute, which only the entry of the first writes, under a condition. The sort key
/// of the first has an optional value.
pub fn shared_under_condition() -> Design {
    read(
        "design SharedUnderCondition

table orders (PK, SK)
gsi GSI1 (GSI1PK, GSI1SK)
gsi GSI2 (GSI1PK, GSI2SK)

entity Order
  orderId string
  open boolean
  createdAt? timestamp
  total integer 1 to 9

  key ORDER#{orderId} / ORDER
  index GSI1 OPEN / {createdAt} when open = true
  index GSI2 / {total:pad(8)}

  | orderId | open  | createdAt            | total |
  | o-1     | true  | 2026-03-01T10:00:00Z | 1     |
  | o-2     | false | 2026-03-01T10:00:00Z | 2     |
  | o-3     | true  |                      | 3     |
",
    )
}

/// An index whose partition key attribute is the type attribute, and an attribute named like a key attribute that a template
/// writes.
pub fn keyed_by_type() -> Design {
    read(
        "design KeyedByType

table orders (PK, SK)
gsi byType (type, GSI1SK)
gsi byOwner (owner, createdAt)

entity Order {x}
  orderId string
  owner string
  createdAt timestamp

  key ORDER#{orderId} / ORDER
  index byType / {createdAt}
  index byOwner OWNER#{owner}

  | orderId | owner | createdAt            |
  | o-1     | u-1   | 2026-03-01T10:00:00Z |
",
    )
}

/// Sparse indexes whose conditions are on whether values exist that are no text.
pub fn sparse_by_existence() -> Design {
    read(
        "design SparseByExistence

table photos (PK, SK)
gsi byTags (GSI1PK, GSI1SK)
gsi byPending (GSI2PK, GSI2SK)
gsi byLabel (GSI3PK, GSI3SK)

entity Photo
  photoId string
  tags? list
  labels? string-set
  thumbnail? binary

  key PHOTO#{photoId} / PHOTO
  index byTags TAGGED / {photoId} when tags exists
  index byPending PENDING / {photoId} when thumbnail missing
  index byLabel LABELED / {photoId} when labels exists

  | photoId | tags    | thumbnail |
  | p-1     | [\"a\"] | aGk=      |
  | p-2     |         |           |
",
    )
}

//! What is a literal, what a value, and how both are named.

use super::support::*;
use keyfold_infer::{Hint, Item, infer};

#[test]
fn names_between_literals_of_capitals_are_values() {
    let mut items = Vec::new();
    for owner in ["alice", "bob"] {
        for repo in ["dynamodb", "serverless"] {
            for n in ["1", "2"] {
                items.push(item(&[
                    ("PK", &format!("REPO#{owner}#{repo}")),
                    ("SK", &format!("COMMENT#{n}")),
                    ("text", "hi"),
                ]));
                items.push(item(&[
                    ("PK", &format!("{owner}#ISSUES")),
                    ("SK", &format!("ISSUE#{repo}{n}")),
                    ("title", "hi"),
                ]));
            }
        }
    }
    assert_eq!(
        shown(&table("PK", "SK"), &items),
        [
            "Comment 0: REPO#{repoId}#{repoId2} | COMMENT#{commentId}",
            "Issue 0: {pkValue}#ISSUES | ISSUE#{issueId}",
        ]
    );
}

#[test]
fn entities_are_named_once_after_what_their_keys_repeat() {
    let mut items = Vec::new();
    for n in 0..4 {
        let (order, bill) = (format!("ORDER#o{n}"), format!("BILL#b{n}"));
        for (pk, sk, more) in [
            (&order, &format!("ITEM#i{n}"), "quantity"),
            (&order, &order, "total"),
            (&order, &bill, "share"),
            (&bill, &bill, "sum"),
        ] {
            items.push(item(&[("PK", pk), ("SK", sk), (more, "5")]));
        }
        items.push(item(&[
            ("PK", &format!("PRODUCT#p{n}")),
            ("SK", "ITEM"),
            ("price", "5"),
        ]));
    }
    let names: Vec<String> = (infer_all(&table("PK", "SK"), &items).entities.into_iter())
        .map(|entity| entity.name)
        .collect();
    assert_eq!(names, ["Bill", "OrderBill", "Item", "Order", "Product"]);
}

#[test]
fn a_partition_key_without_literals_is_named_after_the_item_that_it_is() {
    let mut items = Vec::new();
    for user in ["5f0c9a1e", "77b2d0c4", "0e1d2c3b"] {
        items.push(item(&[("PK", user), ("SK", "USER"), ("name", "Ada")]));
        for order in ["91", "92"] {
            let sk = format!("ORDER#{user}-{order}");
            items.push(item(&[("PK", user), ("SK", &sk), ("total", "5")]));
        }
    }
    let schema = table("PK", "SK");
    assert_eq!(
        shown(&schema, &items),
        [
            "Order 0: {userId} | ORDER#{orderId}",
            "User 0: {userId} | USER"
        ]
    );
    // With two such items, either could be the one.
    items.push(item(&[
        ("PK", "5f0c9a1e"),
        ("SK", "SETTINGS"),
        ("theme", "dark"),
    ]));
    assert_eq!(
        shown(&schema, &items)[0],
        "Order 0: {pkValue} | ORDER#{orderId}"
    );
}

#[test]
fn a_version_after_a_letter_is_a_version() {
    let mut items = Vec::new();
    for doc in ["d1", "d2", "d3"] {
        for version in ["v0", "v1", "v12"] {
            items.push(item(&[
                ("PK", &format!("DOC#{doc}")),
                ("SK", version),
                ("body", "x"),
            ]));
        }
    }
    assert_eq!(
        shown(&table("PK", "SK"), &items),
        ["Doc 0: DOC#{docId} | v{version}"]
    );
}

#[test]
fn a_long_value_that_is_twice_in_a_key_is_one_attribute() {
    let id = "5f0c9a1e-77b2-4d0c-8e1d-2c3b4a596877";
    let items = [item(&[
        ("PK", &format!("USER#{id}")),
        ("SK", &format!("PROFILE#{id}")),
        ("name", "Ada"),
    ])];
    assert_eq!(
        shown(&table("PK", "SK"), &items),
        ["Profile 0: USER#{userId} | PROFILE#{userId}"]
    );
}

#[test]
fn a_general_word_before_a_value_of_its_own_names_an_entity() {
    let mut items = Vec::new();
    for post in ["p1", "p2", "p3"] {
        let pk = format!("POST#{post}");
        items.push(item(&[
            ("PK", &pk),
            ("SK", &format!("#METADATA#{post}")),
            ("title", "x"),
        ]));
        for counter in ["likes", "views"] {
            items.push(item(&[
                ("PK", &pk),
                ("SK", &format!("COUNTER#{counter}")),
                ("value", "5"),
            ]));
        }
    }
    assert_eq!(
        shown(&table("PK", "SK"), &items),
        [
            "Counter 0: POST#{postId} | COUNTER#{counterId}",
            "Post 0: POST#{postId} | #METADATA#{postId}",
        ]
    );
}

#[test]
fn names_at_several_places_of_a_key_are_values() {
    for (user, profile, follows) in [
        ("USER", "PROFILE", "FOLLOWS"),
        ("user", "profile", "follows"),
    ] {
        let mut items = Vec::new();
        for (one, other) in [("ada", "grace"), ("grace", "linus"), ("linus", "ada")] {
            let pk = format!("{user}#{one}");
            items.push(item(&[
                ("PK", &pk),
                ("SK", &format!("{profile}#{one}")),
                ("bio", "x"),
            ]));
            if user == "USER" {
                items.push(item(&[
                    ("PK", &pk),
                    ("SK", &format!("{follows}#{other}")),
                    ("since", "x"),
                ]));
            }
        }
        let lines = shown(&table("PK", "SK"), &items);
        let profiles = format!("Profile 0: {user}#{{userId}} | {profile}#{{userId}}");
        assert_eq!(lines.last(), Some(&profiles));
        assert_eq!(lines.len(), if user == "USER" { 2 } else { 1 }, "{lines:?}");
    }
}

#[test]
fn items_without_literals_are_named_after_their_values_or_the_table() {
    let bookmarks: Vec<Item> = ["a", "b", "c"]
        .map(|page| {
            let url = format!("https://example.com/{page}");
            item(&[("customerId", "123"), ("sk", &url), ("url", &url)])
        })
        .to_vec();
    assert_eq!(
        shown(&table("customerId", "sk"), &bookmarks),
        ["Url 0: - | {url}"]
    );
    let mut schema = table("Id", "at");
    schema.table = "reply-table".into();
    let replies = [item(&[
        ("Id", "a b#c d"),
        ("at", "2026-03-01T00:00:00.000Z"),
        ("text", "hi"),
    ])];
    assert_eq!(shown(&schema, &replies), ["Reply 0: - | -"]);
}

#[test]
fn a_key_that_is_twice_the_same_is_named_after_its_last_literal() {
    let items: Vec<Item> = (0..4)
        .map(|n| {
            let key = format!("ORDER#o{}#ITEM#i{n}", n / 2);
            item(&[("PK", &key), ("SK", &key), ("price", "5")])
        })
        .collect();
    let key = "ORDER#{orderId}#ITEM#{itemId}";
    assert_eq!(
        shown(&table("PK", "SK"), &items),
        [format!("Item 0: {key} | {key}")]
    );
}

#[test]
fn values_of_keys_have_the_names_that_the_source_gives_to_the_keys() {
    let mut items = Vec::new();
    for n in 0..6 {
        let (customer, order) = (format!("C#{}", n % 3), format!("O#{n}"));
        items.push(item(&[("PK", &customer), ("SK", &order), ("total", "5")]));
    }
    let found = |partition: &str, sort: &str| {
        let hint = Hint {
            name: "Order".into(),
            items: (0..6).collect(),
            partition: Some(partition.into()),
            sort: Some(sort.into()),
            ..Hint::default()
        };
        let found = infer(&table("PK", "SK"), &items, &[hint]);
        assert_come_back(&table("PK", "SK"), &items, &found);
        lines_found(&found)
    };
    let wanted = ["Order 0: C#{customer} | O#{number}"];
    assert_eq!(found("customer", "number"), wanted);
    assert_eq!(found("C#<customer>", "O#{number}"), wanted);
    // A name that is taken, the key's own, or none of a value says nothing.
    let usual = ["Order 0: C#{cId} | O#{oId}"];
    assert_eq!(found("total", "SK"), usual);
    assert_eq!(found("Customer or account", "<a>#<b>"), usual);
}

//! Parsing of typed text; conditions and formats in forms.

use keyfold_app::field_input::{self, match_rows};
use keyfold_app::sample_format::FormatKind;
use keyfold_app::sparse_condition::{self, Operator};
use keyfold_app::template_completion::{
    Insertion, completions, insert, is_unfinished, partial_name_at,
};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Condition, Design, Entity, EntityId, Format, Test, Value,
};
use std::sync::Arc;

fn inserted(text: &str, caret: u32) -> Insertion {
    Insertion {
        text: text.into(),
        selection: caret..caret,
    }
}

#[test]
fn a_placeholder_is_inserted_at_the_caret() {
    let at = |text, start, end| insert(text, start..end, "userId");
    assert_eq!(at("", 0, 0), inserted("{userId}", 8));
    assert_eq!(at("USER#", 5, 5), inserted("USER#{userId}", 13));
    assert_eq!(at("A#B", 2, 2), inserted("A#{userId}B", 10));
    assert_eq!(at("A#old#B", 2, 5), inserted("A#{userId}#B", 10));
    // A partial name is completed, with or without a closing brace.
    assert_eq!(at("USER#{us", 8, 8), inserted("USER#{userId}", 13));
    assert_eq!(at("USER#{}", 6, 6), inserted("USER#{userId}", 13));
    // A doubled brace is text, and so is the rest of a deleted placeholder.
    assert_eq!(at("{{x", 3, 3), inserted("{{x{userId}", 11));
    assert_eq!(at("{a}", 3, 3), inserted("{a}{userId}", 11));
    // Browsers count UTF-16 units.
    assert_eq!(at("🙂#", 3, 3), inserted("🙂#{userId}", 11));
    assert_eq!(at("ab", 9, 9), inserted("ab{userId}", 10));
}

#[test]
fn a_placeholder_is_unfinished_until_closed_and_left() {
    for (text, caret, unfinished) in [
        ("", 0, false),
        ("USER#", 5, false),
        ("USER#{", 6, true),
        ("USER#{us", 8, true),
        // Also with the caret elsewhere.
        ("USER#{us", 2, true),
        ("A#{us#{b}", 5, true),
        ("A#${us", 6, true),
        ("{userId}", 8, false),
        ("{userId}", 3, false),
        // An empty placeholder and a partial modifier are errors once the caret has left.
        ("A#{}", 3, true),
        ("A#{}", 4, false),
        ("{a:lo}", 5, true),
        ("{a:lo}", 6, false),
        ("{a:lo}#B", 8, false),
        // Literal braces.
        ("{{us", 4, false),
        ("a}b", 3, false),
    ] {
        assert_eq!(is_unfinished(text, caret), unfinished, "{text} at {caret}");
    }
}

#[test]
fn a_completion_replaces_the_whole_name() {
    let at = |text, caret, name| insert(text, caret..caret, name);
    assert_eq!(at("{usOld}#A", 3, "userId"), inserted("{userId}#A", 8));
    assert_eq!(at("{us#{b}", 3, "userId"), inserted("{userId}#{b}", 8));
    assert_eq!(at("{us:upper}", 3, "userId"), inserted("{userId:upper}", 7));
    assert_eq!(at("{a:lo|date}", 5, "lower"), inserted("{a:lower|date}", 8));
    assert_eq!(at("{a:", 3, "date"), inserted("{a:date}", 8));
    assert_eq!(
        at("{a:upper|fi}", 11, "date"),
        inserted("{a:upper|date}", 14)
    );
    // Without a closing brace before the next placeholder, the following text is not part of the name.
    let before_text = "{USER:{userId}";
    assert_eq!(
        at(before_text, 1, "tenantId"),
        inserted("{tenantId}USER:{userId}", 10)
    );
    assert_eq!(
        at("{ten:A|{userId}:x", 4, "tenantId"),
        inserted("{tenantId}:A|{userId}:x", 10)
    );
    // The argument of a modifier is selected.
    let argument = |text: &str, selection| Insertion {
        text: text.into(),
        selection,
    };
    assert_eq!(at("{a:p", 4, "pad(n)"), argument("{a:pad(n)}", 7..8));
    assert_eq!(
        at("{a:p}#B", 4, "pad(n,d)"),
        argument("{a:pad(n,d)}#B", 7..10)
    );
    // Attribute names can have parentheses.
    assert_eq!(at("{f", 2, "f(x)"), inserted("{f(x)}", 6));
}

proptest::proptest! {
    #[test]
    fn a_name_can_be_inserted_anywhere(text in "[a{}:|<$🙂#]{0,12}", start in 0_u32..16, length in 0_u32..16) {
        let Insertion { text: after, selection } = insert(&text, start..start + length, "userId");
        proptest::prop_assert!(after.contains("userId"), "{after}");
        proptest::prop_assert!(selection.end <= after.encode_utf16().count() as u32);
    }
}

#[test]
fn typing_in_a_placeholder_offers_completions() {
    let attributes = ["tenantId", "userId", "Identity"].map(String::from);
    let offered = |text: &str| {
        let caret = text.encode_utf16().count() as u32;
        partial_name_at(text, caret).map(|begun| {
            let offers = completions(&begun, &attributes).into_iter();
            offers.map(|offer| offer.name).collect::<Vec<_>>().join(" ")
        })
    };
    assert_eq!(offered("USER#").as_deref(), None);
    assert_eq!(
        offered("USER#{").as_deref(),
        Some("tenantId userId Identity")
    );
    // Prefix matches come first.
    assert_eq!(
        offered("USER#{id").as_deref(),
        Some("Identity tenantId userId")
    );
    assert_eq!(offered("{i").as_deref(), Some("Identity"));
    assert_eq!(offered("{US").as_deref(), Some("userId"));
    assert_eq!(offered("{nothing").as_deref(), Some(""));
    assert_eq!(offered("{userId}").as_deref(), None);
    assert_eq!(offered("{{").as_deref(), None);
    assert_eq!(offered("{{{us").as_deref(), Some("userId"));
    assert_eq!(offered("${us").as_deref(), Some("userId"));
    assert_eq!(offered("{at:da").as_deref(), Some("date"));
    assert_eq!(offered("{at:date|p").as_deref(), Some("pad(n) pad(n,d)"));
    assert_eq!(offered("{at:da|pe").as_deref(), Some("upper"));
    // An exact match comes before longer names.
    let similar = ["idOld", "myId", "ID"].map(String::from);
    let first = &completions(&partial_name_at("{id", 3).unwrap(), &similar)[0];
    assert_eq!(first.name, "ID");
    // The caret decides, not the end of the text.
    assert_eq!(partial_name_at("{us}#A", 2).unwrap().typed, "u");
    assert_eq!(partial_name_at("🙂{us", 4).unwrap().typed, "u");
}

#[test]
fn rows_survive_a_rename_and_keep_their_order() {
    let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    let rows = |rows: &[(u32, &str)]| {
        (rows.iter().map(|(id, name)| (*id, (*name).to_owned()))).collect::<Vec<_>>()
    };
    let start = match_rows(&[], &names(&["b", "d"]));
    assert_eq!(start, rows(&[(0, "b"), (1, "d")]));
    // `d` becomes `a`, which sorts first.
    let renamed = match_rows(&start, &names(&["a", "b"]));
    assert_eq!(renamed, rows(&[(0, "b"), (1, "a")]));
    let added = match_rows(&renamed, &names(&["a", "aa", "b"]));
    assert_eq!(added, rows(&[(0, "b"), (1, "a"), (2, "aa")]));
    let removed = match_rows(&added, &names(&["a", "aa"]));
    assert_eq!(removed, rows(&[(1, "a"), (2, "aa")]));
}

#[test]
fn numbers_dates_and_regions_are_checked() {
    assert_eq!(field_input::whole_number(" 5 ", 1..=9).unwrap(), 5);
    for bad in ["", "0", "10", "-1", "1.5", "x"] {
        let message = field_input::whole_number(bad, 1..=9)
            .unwrap_err()
            .to_string();
        assert_eq!(message, "enter a whole number from 1 to 9", "{bad}");
    }
    assert_eq!(
        field_input::optional_whole_number(" ", 1..=9).unwrap(),
        None
    );
    assert_eq!(field_input::integer("-5").unwrap(), -5);
    assert_eq!(field_input::decimal(" 1.50 ").unwrap(), "1.50");
    assert!(field_input::decimal("one").is_err());
    assert!(field_input::day("2026-02-28").is_ok());
    for bad in ["2026-02-30", "2026-2-3", "2026-03-01T", ""] {
        assert!(field_input::day(bad).is_err(), "{bad}");
    }
    assert!(field_input::timestamp("2026-03-01T09:30:00Z").is_ok());
    for bad in ["2026-03-01", "2026-03-01T25:30:00Z", "2026-03-01 09:30:00 "] {
        assert!(field_input::timestamp(bad).is_err(), "{bad}");
    }
    for good in ["eu-central-1", "us-gov-west-1", "ap-southeast-7"] {
        assert!(field_input::region(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "eu",
        "eu-1",
        "eu-central",
        "eu-central-",
        "EU-central-1",
    ] {
        assert!(field_input::region(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_policy_is_a_json_object_with_statements() {
    assert_eq!(field_input::policy_problem(r#"{"Statement": []}"#), None);
    for bad in ["{", "[]", "{}", "text"] {
        assert!(field_input::policy_problem(bad).is_some(), "{bad}");
    }
}

fn attribute(number: u32, name: &str, kind: AttributeType) -> Attribute {
    Attribute::new(AttributeId(number), name, kind)
}

/// `User` (userId, age) and `Order` (userId, orderId, paid).
fn shop() -> Design {
    use AttributeType::{Bool, N, S};
    let mut design = Design::new("Shop");
    let mut user = Entity::new("User", 0);
    user.attributes = vec![attribute(3, "userId", S), attribute(4, "age", N)];
    let mut order = Entity::new("Order", 1);
    order.attributes = vec![
        attribute(5, "orderId", S),
        attribute(6, "userId", S),
        attribute(7, "paid", Bool),
    ];
    order.attributes[0].required = true;
    order.attributes[1].required = true;
    design.entities.insert(EntityId(1), Arc::new(user));
    design.entities.insert(EntityId(2), Arc::new(order));
    design
}

#[test]
fn changing_the_operator_keeps_values() {
    let first = || Value::from("first");
    let equals = Operator::Equals.test(&Test::Exists, first());
    assert_eq!(equals, Test::Equals(first()));
    let paid = Test::Equals("paid".into());
    let one_of = Operator::OneOf.test(&paid, first());
    assert_eq!(one_of, Test::OneOf(vec!["paid".into()]));
    let two = sparse_condition::with_values(&one_of, vec!["a".into(), "b".into()]);
    assert_eq!(two, Test::OneOf(vec!["a".into(), "b".into()]));
    let not = Operator::NotEquals.test(&two, first());
    assert_eq!(not, Test::NotEquals("a".into()));
    assert_eq!(Operator::Missing.test(&two, first()), Test::Missing);
    for operator in Operator::ALL {
        let test = operator.test(&paid, first());
        assert_eq!(Operator::of(&test), operator);
    }
}

#[test]
fn conditions_default_to_optional_attributes_and_follow_the_type() {
    let design = shop();
    let order = EntityId(2);
    let first = sparse_condition::first_condition(&design.entities[&order]).unwrap();
    assert_eq!(
        (first.attribute.as_str(), &first.test),
        ("paid", &Test::Exists)
    );
    let about = |attribute: &str, test| {
        let condition = Condition {
            attribute: "orderId".into(),
            test,
        };
        sparse_condition::with_attribute(&design, order, &condition, attribute.into()).test
    };
    let text = Test::Equals("x".into());
    assert_eq!(about("userId", text.clone()), text);
    assert_eq!(about("paid", text), Test::Equals(Value::Bool(true)));
    assert_eq!(about("paid", Test::Missing), Test::Missing);
}

#[test]
fn every_format_kind_makes_its_own_format() {
    let design = shop();
    let (order, user) = (EntityId(2), EntityId(1));
    let id = design.entities[&order].attributes[1].clone();
    for kind in FormatKind::ALL {
        let format = kind.default_format(&design, order, &id);
        assert_eq!(FormatKind::of(&format), *kind);
    }
    let reference = FormatKind::Reference.default_format(&design, order, &id);
    assert!(
        matches!(&reference, Format::Reference { entity, attribute, .. }
            if *entity == user && attribute == "userId"),
        "{reference:?}"
    );
    assert!(FormatKind::Ulid.fits(AttributeType::S));
    assert!(!FormatKind::Ulid.fits(AttributeType::N));
    assert!(FormatKind::Integer.fits(AttributeType::N));
}

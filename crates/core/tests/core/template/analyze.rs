//! Collisions, prefix bleed, ambiguity and key length.

use super::{encode, reject, snapshot, template};
use keyfold_core::model::value::AttributeType;
use keyfold_core::template::*;
use keyfold_test_support::cases;
use proptest::prelude::*;

fn shapes() -> Shapes {
    let chars = |range, min, max| {
        ValueShape::text(Form::Chars {
            allowed: vec![range],
            min,
            max,
        })
    };
    [
        ("ulid", ValueShape::text(Form::Ulid)),
        ("uuid", ValueShape::text(Form::Uuid)),
        ("day", ValueShape::text(Form::Date)),
        ("at", ValueShape::text(Form::Timestamp)),
        (
            "status",
            ValueShape::text(Form::OneOf(vec!["OPEN".into(), "CLOSED".into()])),
        ),
        (
            "small",
            ValueShape::number(Form::Integer { min: 5, max: 120 }),
        ),
        (
            "signed",
            ValueShape::number(Form::Integer { min: -12, max: 3 }),
        ),
        ("num", ValueShape::number(Form::Any)),
        (
            "flag",
            ValueShape {
                kind: AttributeType::Bool,
                form: Form::Any,
            },
        ),
        (
            "list",
            ValueShape {
                kind: AttributeType::L,
                form: Form::Any,
            },
        ),
        ("code", chars('a'..='z', 2, Some(4))),
    ]
    .map(|(name, shape)| (name.to_owned(), shape))
    .into()
}

#[test]
fn collisions() {
    let pairs = [
        ("USER#{id}", "ORDER#{id}"),
        ("USER#{id}", "USER#{other}"),
        ("USER#{id}", "{any}"),
        ("USER#{id}", "USER#PROFILE"),
        ("USER#{id}", "USER#{a}#{b}"),
        ("{a}#{b}", "{a}#{b}#{c}"),
        ("{a}#", "{a}#{b}"),
        ("A{x}", "AB{x}"),
        ("A#{status}", "A#{flag}"),
        ("A#{status}", "A#OPEN"),
        ("A#{status:lower}", "A#OPEN"),
        ("A#{status:lower}", "A#open"),
        ("A#{status:first(2)}", "A#CL"),
        ("A#{ulid}", "A#{uuid}"),
        ("A#{ulid:lower}", "A#{ulid}"),
        ("A#{day}", "A#{at}"),
        ("A#{at:date}", "A#{day}"),
        ("A#{at:month}", "A#{day}"),
        ("A#{day}", "A#2026-02-30"),
        ("A#{day}", "A#2026-02-28"),
        ("A#{small}", "A#4"),
        ("A#{small}", "A#120"),
        ("A#{small}", "A#121"),
        ("A#{small:pad(3)}", "A#099"),
        ("A#{small:pad(3)}", "A#121"),
        ("A#{small:desc(3)}", "A#879"),
        ("A#{small:desc(3)}", "A#995"),
        ("A#{small:pad(2)}", "A#120"),
        ("A#{small:pad(2)}", "A#99"),
        ("A#{signed}", "A#-12"),
        ("A#{signed}", "A#-0"),
        ("A#{signed}", "A#-13"),
        ("A#{signed}", "A#3"),
        ("A#{num}", "A#0.50"),
        ("A#{num}", "A#-0.05"),
        ("A#{num}", "A#007"),
        ("A#{num}", "A#-0"),
        ("A#{num:pad(2,1)}", "A#07.0"),
        ("A#{any:shard(10)}", "A#9"),
        ("A#{any:shard(10)}", "A#10"),
        ("A#{list}", "A#{any}"),
        ("A#{code}", "A#a"),
        ("A#{code}", "A#{code:upper}"),
        ("{a", "{a}"),
        ("", "{a}"),
        ("A", "A"),
        ("A#{any:upper}", "A#a"),
        ("A#{any:first(2)}", "A#{code}"),
        ("A#{any:first(2)}", "A#abc"),
    ];
    let lines = pairs.map(|(a, b)| {
        let [a_keys, b_keys] =
            [a, b].map(|text| KeyLanguage::new(&parse(text).template, &shapes(), &reject()));
        let found = a_keys.collides(&b_keys).unwrap();
        assert_eq!(
            found.is_some(),
            b_keys.collides(&a_keys).unwrap().is_some(),
            "{a} and {b}"
        );
        format!("{a} and {b} => {}", found.unwrap_or_else(|| "never".into()))
    });
    snapshot("collisions", &lines.join("\n"));
}

#[test]
fn the_policy_decides_whether_a_value_can_contain_the_delimiter() {
    let shapes = Shapes::new();
    let check = |policy: &DelimiterPolicy, a: &str, b: &str, expect: Option<&str>| {
        assert_eq!(
            collide(&template(a), &shapes, &template(b), &shapes, policy)
                .unwrap()
                .as_deref(),
            expect,
            "{a} {b}"
        );
    };
    check(&reject(), "A#{x}", "A#{x}#{y}", None);
    check(&encode(), "A#{x}", "A#{x}#{y}", None);
    check(&encode(), "A#{x}", "A#%", None);
    check(&encode(), "A#{x}", "A#%25", Some("A#%25"));
    let none = DelimiterPolicy {
        delimiter: String::new(),
        ..reject()
    };
    check(&none, "A#{x}", "A#{x}#{y}", Some("A#a#a"));
}

#[test]
fn prefixes() {
    let pairs = [
        ("USER#", "USER#{id}"),
        ("USER", "USERGROUP#{id}"),
        ("USER#", "USERGROUP#{id}"),
        ("ORDER#{id}", "ORDER#{id}#ITEM#{n}"),
        ("ORDER#{id}#", "ORDER#{id}"),
        ("ORDER#{id}#ITEM#", "ORDER#{id}#{any}"),
        ("ORDER#{status}", "ORDER#OPENED"),
        ("ORDER#{status}#", "ORDER#OPENED"),
        ("{any}", "USER#{id}"),
        ("D#{at:month}", "D#{at}"),
        ("D#{at:year}-1", "D#{day}"),
        ("D#{at:year}-2", "D#{day}"),
        ("", "X"),
    ];
    let lines = pairs.map(|(prefix, text)| {
        let [prefix_t, t] = [prefix, text].map(template);
        let found = prefix_matches(&prefix_t, &shapes(), &t, &shapes(), &reject()).unwrap();
        format!(
            "{prefix:?} in {text} => {}",
            found.unwrap_or_else(|| "never".into())
        )
    });
    snapshot("prefixes", &lines.join("\n"));
}

#[test]
fn open_prefixes() {
    let check = |text: &str, expect: Option<(&str, &str)>| {
        let found = open_prefix(&template(text), &shapes(), &reject()).unwrap();
        assert_eq!(
            found.as_ref().map(|(a, b)| (a.as_str(), b.as_str())),
            expect,
            "{text}"
        );
    };
    check("USER#{id}", Some(("USER#a", "USER#aa")));
    check("USER#{id}#", None);
    check("USER#{ulid}", None);
    check("USER#{status}", None);
    check("N#{small}", Some(("N#5", "N#50")));
    check("N#{small:pad(3)}", None);
    check("USER#", None);
}

#[test]
fn ambiguities() {
    let texts = [
        "{a}#{b}",
        "{a}{b}",
        "{a}-{b}",
        "{a}#",
        "{a}",
        "A#{a}#B#{b}",
        "{ulid}{a}",
        "{a}{ulid}",
        "{a}-{ulid}",
        "{uuid}-{a}",
        "{a}-{status}",
        "{status}{status}",
        "{small}{a}",
        "{small:pad(3)}{a}",
        "{code}{code}",
        "{code}{small}",
        "{day}{at}",
        "{a:first(3)}{b}",
        "{a:date}{b}",
        "STATIC",
    ];
    let lines = texts.map(|text| {
        let found = ambiguity(&template(text), &shapes(), &reject()).unwrap();
        format!(
            "{text} => {}",
            found.map_or("certain".into(), |a| a.message)
        )
    });
    snapshot("ambiguities", &lines.join("\n"));
}

#[test]
fn lengths() {
    let check = |text: &str, policy: &DelimiterPolicy, expect: Option<usize>| {
        assert_eq!(
            max_length(&template(text), &shapes(), policy),
            expect,
            "{text}"
        );
    };
    check("ÄB#", &reject(), Some(4));
    check("U#{any}", &reject(), None);
    check("U#{ulid}", &reject(), Some(28));
    check("{uuid}", &reject(), Some(36));
    check("{status}#{code}", &reject(), Some(11));
    check(
        "{at}",
        &reject(),
        Some("2026-03-01T10:00:00.123456789+01:00".len()),
    );
    check("{any:first(3)}", &reject(), Some(12));
    check("{any:shard(100)}", &reject(), Some(2));
    check("{signed}", &reject(), Some(3));
    check("{num}", &reject(), Some(170));
    check("#{num:pad(10)}", &reject(), Some(11));
    check("{any:date}", &reject(), Some(10));
    check("U#{any:first(2)}", &encode(), Some(2 + 8));
    let dash = DelimiterPolicy {
        delimiter: "-".into(),
        ..encode()
    };
    check("U-{signed}", &dash, Some(2 + 5));
    check("U-{num}", &dash, Some(2 + 510));
}

/// All keys of a template. `{a}` and `{b}` are texts of at most three characters of the alphabet, `{e}` is one of two
/// texts.
fn all_keys(t: &Template, policy: &DelimiterPolicy) -> Vec<String> {
    let alphabet = ["x", "#", "-"];
    let mut texts: Vec<String> = vec![String::new()];
    for start in [0, 1, 4] {
        let longer: Vec<String> = texts[start..]
            .iter()
            .flat_map(|text| alphabet.map(|c| format!("{text}{c}")))
            .collect();
        texts.extend(longer);
    }
    let texts = &texts[1..];
    assert_eq!(texts.len(), 39);
    t.segments
        .iter()
        .fold(vec![String::new()], |keys, segment| {
            let parts: Vec<String> = match segment {
                Segment::Literal { text, .. } => vec![text.clone()],
                Segment::Placeholder(p) if p.attribute == "e" => vec!["x".into(), "x-".into()],
                Segment::Placeholder(_) => texts.to_vec(),
                Segment::Broken { .. } => Vec::new(),
            };
            let single = t.is_single_placeholder() || matches!(segment, Segment::Literal { .. });
            let allowed = parts
                .into_iter()
                .filter(|part| single || !part.contains(&policy.delimiter))
                .collect::<Vec<_>>();
            keys.iter()
                .flat_map(|key| allowed.iter().map(move |part| format!("{key}{part}")))
                .collect()
        })
}

fn brute_shapes() -> Shapes {
    let text = ValueShape::text(Form::Chars {
        allowed: vec!['x'..='x', '#'..='#', '-'..='-'],
        min: 1,
        max: Some(3),
    });
    let list = ValueShape::text(Form::OneOf(vec!["x".into(), "x-".into()]));
    [
        ("a".to_owned(), text.clone()),
        ("b".to_owned(), text),
        ("e".to_owned(), list),
    ]
    .into()
}

fn small_template() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec!["{a}", "{e}", "#", "-", "x", "#x"]);
    (
        prop::collection::vec(piece.clone(), 0..3),
        prop::collection::vec(piece, 0..2),
    )
        .prop_map(|(first, second)| {
            format!(
                "{}{}",
                first.concat(),
                second.concat().replace("{a}", "{b}")
            )
        })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_automata_agree_with_brute_force(
        a in small_template(),
        b in small_template(),
        delimiter in prop::sample::select(vec!["#", "#x", "--"]),
    ) {
        let policy = DelimiterPolicy { delimiter: delimiter.into(), ..reject() };
        let [a, b] = [a, b].map(|text| template(&text));
        let [all_a, all_b] = [&a, &b].map(|t| all_keys(t, &policy).into_iter().filter(|k| !k.is_empty()).collect::<Vec<_>>());
        let [keys_a, keys_b] = [&a, &b].map(|t| KeyLanguage::new(t, &brute_shapes(), &policy));
        let set_b: std::collections::BTreeSet<&String> = all_b.iter().collect();

        let collision = keys_a.collides(&keys_b).unwrap();
        prop_assert_eq!(collision.is_some(), all_a.iter().any(|key| set_b.contains(key)));
        if let Some(example) = collision {
            prop_assert!(all_a.contains(&example) && set_b.contains(&example));
        }

        // The keys are sorted, so those with a prefix follow it directly.
        let begins = |prefix: &String| set_b.range::<&String, _>(prefix..).next().is_some_and(|key| key.starts_with(prefix.as_str()));
        let bleed = keys_a.is_prefix_in(&keys_b).unwrap();
        prop_assert_eq!(bleed.is_some(), all_a.iter().any(begins));
        if let Some(example) = bleed {
            prop_assert!(set_b.contains(&example) && all_a.iter().any(|prefix| example.starts_with(prefix.as_str())));
        }

        let set_a: std::collections::BTreeSet<&String> = all_a.iter().collect();
        let extended = |prefix: &&String| set_a.range::<&String, _>((std::ops::Bound::Excluded(*prefix), std::ops::Bound::Unbounded))
            .next().is_some_and(|key| key.starts_with(prefix.as_str()));
        prop_assert_eq!(keys_a.open_prefix().unwrap().is_some(), set_a.iter().any(extended));

        // A key that two sets of values render occurs twice.
        let twice = all_a.len() != set_a.len();
        prop_assert_eq!(keys_a.ambiguity().unwrap().is_some(), twice, "{}", a);
        prop_assert_eq!(keys_a.max_length(), Some(all_a.iter().map(String::len).max().unwrap_or(0)));
    }
}

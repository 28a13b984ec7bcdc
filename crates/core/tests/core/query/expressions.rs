//! Expressions: parsing, error messages, and round trips through text.

use super::{condition, values};
use keyfold_core::engine::ValueRef;
use keyfold_core::engine::query::expression::{
    Aliases, Assigned, Binder, Comparator, Condition, Name, Operand, Path, PathStep, Term, Update,
    apply, holds, is_plain, parse_condition, parse_projection, parse_update, project,
    uses_of_condition, uses_of_update,
};
use keyfold_core::model::{SortedMap, Value, reserved};
use keyfold_test_support::cases;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn errors_name_their_place() {
    for (text, message) in [
        ("", "column 1: the expression is empty"),
        (
            "a",
            "column 2: expected a comparison, `BETWEEN` or `IN` at the end",
        ),
        ("a = ", "column 5: expected an attribute at the end"),
        ("a = :b OR", "column 10: expected an attribute at the end"),
        ("a = 5", "column 5: expected an attribute, not `5`"),
        ("a == :b", "column 4: expected an attribute, not `=`"),
        ("a = 'x'", "column 5: `'` is not allowed in an expression"),
        ("a = : b", "column 5: expected a name after `:`"),
        (
            "a[x] = :b",
            "column 3: expected the number of a list element, not `x`",
        ),
        (
            "a[01] = :b",
            "column 3: expected the number of a list element, not `01`",
        ),
        ("a.[0] = :b", "column 3: expected an attribute, not `[`"),
        ("(a = :b", "column 8: expected `)` at the end"),
        ("a = :b)", "column 7: expected the end, not `)`"),
        (
            "((a = :b))",
            "column 1: remove these redundant parentheses: DynamoDB rejects them",
        ),
        (
            "a BETWEEN :b :c",
            "column 14: expected `AND` and the upper bound, not `:c`",
        ),
        ("a IN :b", "column 6: expected `(`, not `:b`"),
        (
            "attribute_exists(:a)",
            "column 18: expected an attribute, not `:a`",
        ),
        ("begins_with(a)", "column 14: expected `,`, not `)`"),
        (
            "size(a)",
            "column 8: expected a comparison, `BETWEEN` or `IN` at the end",
        ),
        ("NOT", "column 4: expected an attribute at the end"),
        ("SET = :b", "column 1: expected an attribute, not `SET`"),
        (
            "first-name = :b",
            "column 6: write the name `first-name` in quotes: `\"first-name\"`",
        ),
        (
            "a - b = :c",
            "column 3: expected a comparison, `BETWEEN` or `IN`, not `-`",
        ),
        (
            "\"\" = :b",
            "column 1: expected an attribute's name in quotes",
        ),
        (
            "a = \"b",
            "column 5: expected an attribute's name in quotes",
        ),
        (
            "a \"b c\"",
            "column 3: expected a comparison, `BETWEEN` or `IN`, not `\"b c\"`",
        ),
        (
            "list_append(a, :b) = :c",
            "column 1: `list_append` is only allowed in SET, not in a condition",
        ),
        (
            "BEGINS_WITH(a, :b)",
            "column 1: unknown function `BEGINS_WITH`: use attribute_exists, attribute_not_exists, attribute_type, begins_with, contains or size, in lowercase",
        ),
    ] {
        assert_eq!(
            parse_condition(text).unwrap_err().to_string(),
            message,
            "{text}"
        );
    }
    for (text, message) in [
        (
            "a = :b",
            "column 1: expected `SET`, `REMOVE`, `ADD` or `DELETE`, not `a`",
        ),
        ("SET a", "column 6: expected `=` at the end"),
        ("SET a = :b,", "column 12: expected an attribute at the end"),
        (
            "SET a = :b + :c + :d",
            "column 17: expected `SET`, `REMOVE`, `ADD` or `DELETE`, not `+`",
        ),
        (
            "ADD a b",
            "column 7: expected a value such as `:x`, not `b`",
        ),
        (
            "SET a = :b REMOVE c SET d = :e",
            "column 21: `SET` occurs twice: combine both clauses",
        ),
        (
            "SET a = if_not_exists(:b, :c)",
            "column 23: expected an attribute, not `:b`",
        ),
        (
            "SET a = size(b)",
            "column 9: `size` is not allowed here: SET accepts if_not_exists and list_append",
        ),
    ] {
        assert_eq!(
            parse_update(text).unwrap_err().to_string(),
            message,
            "{text}"
        );
    }
    assert_eq!(
        parse_projection("a,, b").unwrap_err().to_string(),
        "column 3: expected an attribute, not `,`"
    );
}

#[test]
fn an_expression_has_limits() {
    let long = format!("a = :{}", "b".repeat(4091));
    assert!(parse_condition(&long).is_ok());
    let error = parse_condition(&format!("{long}c")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the expression has 4097 bytes; DynamoDB allows at most 4096"
    );
    // Deep, but not too deep for the stack.
    let nested = |depth: usize| format!("{}a = :b{}", "NOT (".repeat(depth), ")".repeat(depth));
    assert!(parse_condition(&nested(140)).is_ok());
    assert!(
        parse_condition(&nested(160))
            .unwrap_err()
            .to_string()
            .contains("300 operators")
    );
    let chain = |count: usize| vec!["a=:b"; count].join(" OR ");
    assert!(parse_condition(&chain(150)).is_ok());
    assert!(parse_condition(&chain(151)).is_err());
}

#[test]
fn a_name_in_quotes_is_an_attribute() {
    let text = r#""first-name" = :n AND contains("to do"."a:b", :x)"#;
    let condition = parse_condition(text).unwrap();
    assert_eq!(condition.to_string(), text);
    assert_eq!(
        uses_of_condition(&condition).attributes(),
        ["first-name", "to do"]
    );
    let mut aliases = Aliases::default();
    assert_eq!(
        aliases.condition(&condition).to_string(),
        "#firstname = :n AND contains(#todo.#ab, :x)"
    );
    assert_eq!(aliases.names["#firstname"], "first-name");
    let paths = parse_projection(r#"a, "b, c"[0]"#).unwrap();
    let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
    assert_eq!(paths, ["a", r#""b, c"[0]"#]);
    for (name, written) in [
        ("status", "status"),
        ("set", "#set"),
        ("_id", "#_id"),
        ("first-name", r#""first-name""#),
        ("größe", "größe"),
    ] {
        assert_eq!(Name::of(name).to_string(), written);
    }
}

/// DynamoDB accepts a value as the first operand of `attribute_type`, but not of the tests whether something exists.
#[test]
fn the_type_of_a_value_can_be_tested() {
    let values = values([
        ("v", Value::from(1)),
        ("n", Value::S("N".into())),
        ("s", Value::S("S".into())),
    ]);
    for (text, wanted) in [
        ("attribute_type(:v, :n)", true),
        ("attribute_type(:v, :s)", false),
        ("attribute_type(:s, :s)", true),
        ("attribute_type(absent, :s)", false),
    ] {
        assert_eq!(parse_condition(text).unwrap().to_string(), text);
        assert_eq!(
            holds(&condition(text, &values), &|_| None),
            wanted,
            "{text}"
        );
    }
    for (text, message) in [
        (
            "attribute_exists(:v)",
            "column 18: expected an attribute, not `:v`",
        ),
        (
            "attribute_not_exists(:v)",
            "column 22: expected an attribute, not `:v`",
        ),
        (
            "attribute_type(size(a), :n)",
            "column 28: `attribute_type` needs an attribute or a value",
        ),
    ] {
        assert_eq!(parse_condition(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn not_binds_before_and_and_and_before_or() {
    let is = |name: &str| format!("{name} = :t");
    let holds = |text: &str, a: bool, b: bool, c: bool| {
        let item = values([
            ("a", Value::Bool(a)),
            ("b", Value::Bool(b)),
            ("c", Value::Bool(c)),
        ]);
        let bound = condition(text, &values([("t", Value::Bool(true))]));
        holds(&bound, &|name| item.get(name).map(ValueRef::Value))
    };
    let (a, b, c) = (is("a"), is("b"), is("c"));
    for bits in 0..8 {
        let [x, y, z] = [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0];
        assert_eq!(holds(&format!("{a} OR {b} AND {c}"), x, y, z), x || y && z);
        assert_eq!(
            holds(&format!("({a} OR {b}) AND {c}"), x, y, z),
            (x || y) && z
        );
        assert_eq!(holds(&format!("NOT {a} AND {b}"), x, y, z), !x && y);
        assert_eq!(holds(&format!("not {a} or {b}"), x, y, z), !x || y);
    }
}

#[test]
fn comparing_an_attribute_with_itself_is_refused() {
    let given = values([("v", 1.into())]);
    let bind = |text: &str| Binder::new(&given).condition(&parse_condition(text).unwrap());
    for text in [
        "a = a",
        "a.b IN (:v, a.b)",
        "contains(size(a), size(a))",
        "#a < a",
    ] {
        let error = bind(text).unwrap_err();
        assert!(error.message.contains("with itself"), "{text}: {error}");
    }
    for text in ["a = b", "a = size(a)", "a.b = a", ":v = :v"] {
        assert!(bind(text).is_ok(), "{text}");
    }
}

#[test]
fn an_expression_lists_the_names_and_values_it_uses() {
    let uses = uses_of_condition(
        &parse_condition("#status = :a AND b.c[0] > :a OR size(d) < :e").unwrap(),
    );
    assert_eq!(uses.attributes(), ["b", "d", "status"]);
    assert_eq!(uses.values, ["a", "e"]);
    let update = parse_update("SET a = if_not_exists(b, :x) + :y REMOVE c.d ADD e :z").unwrap();
    assert_eq!(uses_of_update(&update).attributes(), ["a", "b", "c", "e"]);
    assert_eq!(uses_of_update(&update).values, ["x", "y", "z"]);
    let targets: Vec<String> = update.targets().map(|path| path.to_string()).collect();
    assert_eq!(targets, ["a", "c.d", "e"]);
}

#[test]
fn names_not_allowed_in_a_request_get_aliases() {
    let mut aliases = Aliases::default();
    let condition = parse_condition("status = :s AND plain.name = :ü OR #plain > :s").unwrap();
    assert_eq!(
        aliases.condition(&condition).to_string(),
        "#status = :s AND plain.#name = :a OR plain > :s"
    );
    assert_eq!(aliases.name("a-b"), "#ab");
    assert_eq!(aliases.name("ab"), "ab");
    assert_eq!(aliases.name("a.b"), "#ab2");
    assert_eq!(aliases.name("a-b"), "#ab");
    assert_eq!(aliases.name("日本"), "#a");
    let names: Vec<_> = aliases
        .names
        .iter()
        .map(|(alias, name)| format!("{alias} {name}"))
        .collect();
    assert_eq!(
        names,
        [
            "#a 日本",
            "#ab a-b",
            "#ab2 a.b",
            "#name name",
            "#status status"
        ]
    );
    let values: Vec<_> = aliases
        .values
        .iter()
        .map(|(alias, name)| format!("{alias} {name}"))
        .collect();
    assert_eq!(values, [":a ü", ":s s"]);
    let update = aliases.update(&parse_update("SET total = :s REMOVE data[2]").unwrap());
    assert_eq!(update.to_string(), "SET #total = :s REMOVE #data[2]");
}

#[test]
fn reserved_words_are_known() {
    assert_eq!(reserved::words().count(), 573);
    assert!(reserved::words().is_sorted());
    for word in ["status", "Name", "ZONE", "abort", "timestamp"] {
        assert!(reserved::is_reserved(word) && !is_plain(word), "{word}");
    }
    for word in ["tenantId", "PK", "", "statuses", "stat us"] {
        assert!(!reserved::is_reserved(word), "{word}");
    }
    assert!(is_plain("tenantId") && is_plain("PK") && is_plain("a_1"));
    assert!(
        !is_plain("_a") && !is_plain("1a") && !is_plain("a-b") && !is_plain("é") && !is_plain("")
    );
}

#[test]
fn an_update_reads_the_item_before_it() {
    let item = values([
        ("a", 1.into()),
        ("b", 2.into()),
        ("list", Value::L(vec!["x".into(), "y".into(), "z".into()])),
        ("tags", Value::Ss(["m".to_owned()].into())),
    ]);
    let given = values([
        ("one", 1.into()),
        ("v", "v".into()),
        ("m", Value::Ss(["m".to_owned()].into())),
    ]);
    for (update, after) in [
        ("SET a = b, b = a", r#"{"a":2,"b":1}"#),
        ("SET a = a + :one, b = (b - :one) - a", r#"{"a":2,"b":0}"#),
        (
            "SET list[9] = :v, list[0] = :one",
            r#"{"list":[1,"y","z","v"]}"#,
        ),
        ("REMOVE list[0], list[1]", r#"{"list":["z"]}"#),
        (
            "SET list = list_append(list, list)",
            r#"{"list":["x","y","z","x","y","z"]}"#,
        ),
        ("DELETE tags :m", r#"{"tags":null}"#),
        ("ADD c :one, a :one", r#"{"a":2,"c":1}"#),
        ("SET c = if_not_exists(c, a)", r#"{"c":1}"#),
    ] {
        let bound = Binder::new(&given)
            .update(&parse_update(update).unwrap())
            .unwrap();
        let applied = apply(&bound, &item).unwrap();
        let wanted: SortedMap<String, serde_json::Value> = serde_json::from_str(after).unwrap();
        let mut expected = item.clone();
        for (name, json) in wanted {
            match json {
                serde_json::Value::Null => expected.remove(&name),
                serde_json::Value::Array(_) => {
                    let list =
                        Value::from_text(keyfold_core::model::AttributeType::L, &json.to_string());
                    expected.insert(name, list.unwrap())
                }
                json => expected.insert(name, serde_json::from_value(json).unwrap()),
            };
        }
        assert_eq!(applied, expected, "{update}");
    }
}

#[test]
fn a_projection_selects_paths_and_compacts_lists() {
    let inner = values([("a", 1.into()), ("b", 2.into())]);
    let list = Value::L(vec!["x".into(), Value::M(inner.clone()), "z".into()]);
    let item = values([
        ("list", list),
        ("map", Value::M(inner)),
        ("plain", "p".into()),
    ]);
    let take = |text: &str| {
        let taken = project(&parse_projection(text).unwrap(), &item);
        Value::M(taken).to_text()
    };
    for (text, taken) in [
        ("plain, absent", r#"{"plain":"p"}"#),
        ("list[2], list[0]", r#"{"list":["x","z"]}"#),
        ("list[1].b, map.a", r#"{"list":[{"b":2}],"map":{"a":1}}"#),
        ("map.b, map.a, map.c", r#"{"map":{"a":1,"b":2}}"#),
        ("map.a.x, list[9], plain[0], plain.x", "{}"),
        ("map", r#"{"map":{"a":1,"b":2}}"#),
    ] {
        assert_eq!(take(text), taken, "{text}");
    }
}

fn name() -> impl Strategy<Value = Name> {
    (
        select(vec![
            "a",
            "b1",
            "status",
            "size",
            "_x",
            "x_Y",
            "first-name",
            "a b: #1.",
        ]),
        any::<bool>(),
    )
        .prop_map(|(text, alias)| Name {
            text: text.to_owned(),
            // Other characters need quotes.
            alias: alias || text.contains(['-', ' ']),
        })
}

fn path() -> impl Strategy<Value = Path> {
    let step = prop_oneof![
        name().prop_map(PathStep::Field),
        select(vec![0, 1, 10, 4_000_000]).prop_map(PathStep::Element),
    ];
    (name(), vec(step, 0..3)).prop_map(|(attribute, steps)| Path { attribute, steps })
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        3 => path().prop_map(Operand::Path),
        3 => select(vec!["v", "V_1", "9"]).prop_map(|name| Operand::Value(name.to_owned())),
        1 => path().prop_map(Operand::Size),
    ]
}

fn any_condition() -> impl Strategy<Value = Condition> {
    let comparators = vec![
        Comparator::Equal,
        Comparator::NotEqual,
        Comparator::Less,
        Comparator::LessOrEqual,
        Comparator::Greater,
        Comparator::GreaterOrEqual,
    ];
    let typed = operand().prop_filter("a path or a value", |operand| {
        !matches!(operand, Operand::Size(_))
    });
    let single = prop_oneof![
        (operand(), select(comparators), operand())
            .prop_map(|(a, b, c)| Condition::Compare(a, b, c)),
        (operand(), operand(), operand()).prop_map(|(a, b, c)| Condition::Between(a, b, c)),
        (operand(), vec(operand(), 1..4)).prop_map(|(a, b)| Condition::In(a, b)),
        path().prop_map(Condition::Exists),
        path().prop_map(Condition::NotExists),
        (typed, operand()).prop_map(|(a, b)| Condition::Type(a, b)),
        (operand(), operand()).prop_map(|(a, b)| Condition::BeginsWith(a, b)),
        (operand(), operand()).prop_map(|(a, b)| Condition::Contains(a, b)),
    ];
    single.prop_recursive(6, 24, 2, |inner| {
        let pair = || (inner.clone(), inner.clone());
        prop_oneof![
            pair().prop_map(|(a, b)| Condition::And(Box::new(a), Box::new(b))),
            pair().prop_map(|(a, b)| Condition::Or(Box::new(a), Box::new(b))),
            inner.clone().prop_map(|a| Condition::Not(Box::new(a))),
        ]
    })
}

fn any_update() -> impl Strategy<Value = Update> {
    let value = || {
        prop_oneof![
            path().prop_map(Operand::Path),
            Just(Operand::Value("v".to_owned())),
        ]
    };
    let term = value()
        .prop_map(Term::Operand)
        .prop_recursive(3, 8, 2, |inner| {
            let boxed = || inner.clone().prop_map(Box::new);
            let sum = (inner.clone(), inner.clone());
            prop_oneof![
                (path(), boxed()).prop_map(|(a, b)| Term::IfNotExists(a, b)),
                // DynamoDB does not nest it.
                (boxed(), boxed())
                    .prop_filter("list_append in itself", |(a, b)| {
                        ![a, b]
                            .iter()
                            .any(|side| matches!(***side, Term::ListAppend(..)))
                    })
                    .prop_map(|(a, b)| Term::ListAppend(a, b)),
                sum.prop_map(|(a, b)| Term::Group(Box::new(Assigned::Sum(a, b)))),
            ]
        });
    let assigned = prop_oneof![
        term.clone().prop_map(Assigned::Term),
        (term.clone(), term.clone()).prop_map(|(a, b)| Assigned::Sum(a, b)),
        (term.clone(), term).prop_map(|(a, b)| Assigned::Difference(a, b)),
    ];
    let with_value = || vec((path(), Just(Operand::Value("v".to_owned()))), 0..3);
    (
        vec((path(), assigned), 1..3),
        vec(path(), 0..3),
        with_value(),
        with_value(),
    )
        .prop_map(|(set, remove, add, delete)| Update {
            set,
            remove,
            add,
            delete,
        })
}

/// Tokens of the language in any order.
fn soup() -> impl Strategy<Value = String> {
    let words = vec![
        "a",
        "#b",
        ":c",
        "(",
        ")",
        "[",
        "]",
        "0",
        "7",
        ".",
        ",",
        "=",
        "<>",
        "<",
        ">=",
        "+",
        "-",
        "AND",
        "OR",
        "NOT",
        "BETWEEN",
        "IN",
        "SET",
        "REMOVE",
        "ADD",
        "DELETE",
        "size",
        "contains",
        "begins_with",
        "attribute_exists",
        "attribute_type",
        "if_not_exists",
        "list_append",
        "é",
        "'",
        "\u{0}",
    ];
    vec(select(words), 0..24).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn conditions_round_trip_as_text(condition in any_condition()) {
        let text = condition.to_string();
        prop_assert_eq!(parse_condition(&text), Ok(condition), "{}", text);
    }

    #[test]
    fn updates_round_trip_as_text(update in any_update()) {
        let text = update.to_string();
        prop_assert_eq!(parse_update(&text), Ok(update), "{}", text);
    }

    #[test]
    fn any_text_parses_or_is_refused_at_a_place(text in prop_oneof![soup(), "\\PC{0,40}", any::<String>()]) {
        let errors = [
            parse_condition(&text).err(),
            parse_update(&text).err(),
            parse_projection(&text).err(),
        ];
        for error in errors.into_iter().flatten() {
            let span = error.span.expect("short texts are refused at a place");
            prop_assert!(text.get(span).is_some(), "{:?} {}", text, error.message);
        }
        if let Ok(condition) = parse_condition(&text) {
            prop_assert_eq!(parse_condition(&condition.to_string()), Ok(condition));
        }
        if let Ok(update) = parse_update(&text) {
            prop_assert_eq!(parse_update(&update.to_string()), Ok(update));
        }
    }
}

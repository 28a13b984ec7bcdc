//! Random conditions and updates, as text with their values.

use crate::awkward::number;
use keyfold_core::model::{Number, Value};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

/// The text of an expression with `?` for each value, and the values.
#[derive(Debug, Clone)]
pub struct Expression {
    pub text: String,
    pub values: Vec<Value>,
}

impl Expression {
    fn path(text: &str) -> Expression {
        Expression {
            text: text.to_owned(),
            values: Vec::new(),
        }
    }

    pub fn value(value: Value) -> Expression {
        Expression {
            text: "?".to_owned(),
            values: vec![value],
        }
    }
}

/// One expression made of several, inserted at each `@` of `form`.
pub fn joined(form: &str, parts: &[&Expression]) -> Expression {
    let mut pieces = form.split('@');
    let mut text = pieces.next().unwrap().to_owned();
    let mut values = Vec::new();
    for (part, piece) in parts.iter().zip(pieces) {
        text.push_str(&part.text);
        text.push_str(piece);
        values.extend(part.values.clone());
    }
    Expression { text, values }
}

/// Adds an expression to a request, with its values and the one name that needs an alias.
pub fn with_values(request: &mut Json, member: &str, expression: &Expression) {
    let mut text = String::new();
    let sign = member.chars().next().unwrap().to_ascii_lowercase();
    let mut pieces = expression.text.split('?');
    text.push_str(pieces.next().unwrap());
    for (at, (value, piece)) in expression.values.iter().zip(pieces).enumerate() {
        let name = format!(":{sign}{at}");
        request["ExpressionAttributeValues"][&name] = value.to_dynamodb_json();
        text.push_str(&name);
        text.push_str(piece);
    }
    if text.contains("#s") {
        request["ExpressionAttributeNames"]["#s"] = json!("status");
    }
    request[member] = json!(text);
}

/// Any value; few of each type, so that some are equal.
pub fn value() -> BoxedStrategy<Value> {
    let text = select(vec!["a", "ab", "abc", "b", "é", "😀", ""]).prop_map(str::to_owned);
    let bytes = vec(select(vec![0u8, 97, 255]), 0..3);
    let scalar = prop_oneof![
        4 => text.prop_map(Value::S),
        4 => numbers().prop_map(Value::N),
        1 => bytes.clone().prop_map(Value::B),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
        3 => set(),
    ];
    prop_oneof![
        8 => scalar.clone(),
        1 => vec(scalar.clone(), 0..3).prop_map(Value::L),
        1 => prop::collection::btree_map(select(vec!["a".to_owned(), "b".to_owned()]), scalar, 0..3)
            .prop_map(|all| Value::M(all.into_iter().collect())),
    ]
    .boxed()
}

fn numbers() -> impl Strategy<Value = Number> {
    select(vec!["-1", "0", "1", "1.25", "2", "3"]).prop_map(|text| {
        let Value::N(number) = number(text) else {
            unreachable!()
        };
        number
    })
}

/// A set of any type.
pub fn set() -> impl Strategy<Value = Value> {
    let words = select(vec!["a", "ab", "abc", "b", "é", "😀"]).prop_map(str::to_owned);
    let bytes = vec(select(vec![0u8, 97, 255]), 1..3);
    prop_oneof![
        btree_set(words, 1..3).prop_map(|all| Value::Ss(all.into_iter().collect())),
        btree_set(numbers(), 1..3).prop_map(|all| Value::Ns(all.into_iter().collect())),
        btree_set(bytes, 1..3).prop_map(|all| Value::Bs(all.into_iter().collect())),
    ]
}

/// A map with the fields `a` and `b`; `b` may be a list.
pub fn document() -> impl Strategy<Value = Value> {
    let list = vec(value(), 0..4).prop_map(Value::L);
    let present = |value| prop::option::weighted(0.8, value);
    (present(value()), present(list.boxed())).prop_map(|(a, b)| {
        let fields = [("a", a), ("b", b)];
        let fields = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::M(fields.collect())
    })
}

/// Paths into an item; some do not exist.
pub fn path() -> impl Strategy<Value = Expression> {
    select(vec![
        "note", "#s", "doc", "doc.a", "doc.b", "doc.b[0]", "doc.b[2]", "absent", "note.a",
    ])
    .prop_map(Expression::path)
}

fn operand() -> impl Strategy<Value = Expression> {
    prop_oneof![
        5 => path(),
        5 => value().prop_map(Expression::value),
        1 => path().prop_map(|path| joined("size(@)", &[&path])),
    ]
}

fn single() -> impl Strategy<Value = Expression> {
    let types = select(vec![
        "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS", "X",
    ]);
    let kind = types.prop_map(|word| Expression::value(Value::S(word.to_owned())));
    prop_oneof![
        6 => (operand(), select(vec!["=", "<>", "<", "<=", ">", ">="]), operand())
            .prop_map(|(left, comparator, right)| joined(&format!("@ {comparator} @"), &[&left, &right])),
        1 => (operand(), operand(), operand())
            .prop_map(|(of, low, high)| joined("@ BETWEEN @ AND @", &[&of, &low, &high])),
        1 => (operand(), operand(), operand())
            .prop_map(|(of, first, second)| joined("@ IN (@, @)", &[&of, &first, &second])),
        1 => path().prop_map(|path| joined("attribute_exists(@)", &[&path])),
        1 => path().prop_map(|path| joined("attribute_not_exists(@)", &[&path])),
        1 => (path(), kind).prop_map(|(path, kind)| joined("attribute_type(@, @)", &[&path, &kind])),
        1 => (operand(), operand()).prop_map(|(of, part)| joined("begins_with(@, @)", &[&of, &part])),
        2 => (operand(), operand()).prop_map(|(of, part)| joined("contains(@, @)", &[&of, &part])),
        // A reserved word without an alias, which is refused.
        1 => value().prop_map(|value| joined("status = @", &[&Expression::value(value)])),
    ]
}

/// A condition of a few comparisons.
pub fn condition() -> impl Strategy<Value = Expression> {
    single().prop_recursive(3, 6, 2, |inner| {
        let forms = select(vec![
            "@ AND @",
            "@ OR @",
            "(@) AND @",
            "@ OR (@)",
            "NOT @ AND @",
            "(@ OR @)",
        ]);
        prop_oneof![
            3 => (inner.clone(), forms, inner.clone())
                .prop_map(|(left, form, right)| joined(form, &[&left, &right])),
            1 => inner.clone().prop_map(|inner| joined("NOT @", &[&inner])),
            1 => inner.prop_map(|inner| joined("NOT (@)", &[&inner])),
        ]
    })
}

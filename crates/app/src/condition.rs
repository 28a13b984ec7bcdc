//! Conditions of sparse index entries, as a form edits them: an attribute, an operator, values.

use keyfold_core::model::{AttributeType, Condition, Design, Entity, EntityId, Test, Value};

/// How a condition compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Equal to a value.
    Equals,
    /// Not equal to a value.
    NotEquals,
    /// One of several values.
    OneOf,
    /// There.
    Exists,
    /// Not there.
    Missing,
}

impl Operator {
    /// All of them, in the order of a menu.
    pub const ALL: [Operator; 5] = [
        Operator::Equals,
        Operator::NotEquals,
        Operator::OneOf,
        Operator::Exists,
        Operator::Missing,
    ];

    /// What a menu calls it.
    pub fn label(self) -> &'static str {
        match self {
            Operator::Equals => "equals",
            Operator::NotEquals => "not equal to",
            Operator::OneOf => "one of",
            Operator::Exists => "exists",
            Operator::Missing => "is missing",
        }
    }

    /// The operator of a test.
    pub fn of(test: &Test) -> Operator {
        match test {
            Test::Equals(_) => Operator::Equals,
            Test::NotEquals(_) => Operator::NotEquals,
            Test::OneOf(_) => Operator::OneOf,
            Test::Exists => Operator::Exists,
            Test::Missing => Operator::Missing,
        }
    }

    /// The test with this operator. It keeps the values of `test`, as far as it has some, or begins with `first`.
    pub fn test(self, test: &Test, first: Value) -> Test {
        let mut values = values(test).to_vec();
        if values.is_empty() {
            values.push(first);
        }
        match self {
            Operator::OneOf => Test::OneOf(values),
            Operator::Exists => Test::Exists,
            Operator::Missing => Test::Missing,
            Operator::Equals => Test::Equals(values.swap_remove(0)),
            Operator::NotEquals => Test::NotEquals(values.swap_remove(0)),
        }
    }
}

/// The values that a test compares with.
pub fn values(test: &Test) -> &[Value] {
    match test {
        Test::Equals(value) | Test::NotEquals(value) => std::slice::from_ref(value),
        Test::OneOf(values) => values,
        Test::Exists | Test::Missing => &[],
    }
}

/// The test with other values; an operator of one value takes the first, and one of none stays as it is.
pub fn with_values(test: &Test, values: Vec<Value>) -> Test {
    match (test, values.first().cloned()) {
        (Test::OneOf(_), _) => Test::OneOf(values),
        (Test::Equals(_), Some(first)) => Test::Equals(first),
        (Test::NotEquals(_), Some(first)) => Test::NotEquals(first),
        _ => test.clone(),
    }
}

/// The type of an entity's attribute; text for one that it does not declare.
pub fn kind_of(entity: &Entity, attribute: &str) -> AttributeType {
    (entity.attribute(attribute)).map_or(AttributeType::S, |attribute| attribute.kind)
}

/// A first value to compare an attribute with: one that a sample has, else the simplest of its type.
pub fn first_value(design: &Design, id: EntityId, attribute: &str) -> Value {
    let sampled = (design.samples_of(id).iter()).find_map(|sample| sample.values.get(attribute));
    if let Some(value) = sampled {
        return value.clone();
    }
    let kind = (design.entities.get(&id)).map_or(AttributeType::S, |e| kind_of(e, attribute));
    simplest(kind)
}

/// The simplest value of a type.
pub fn simplest(kind: AttributeType) -> Value {
    match kind {
        AttributeType::S => Value::S(String::new()),
        AttributeType::N => Value::N(0.into()),
        AttributeType::B => Value::B(Vec::new()),
        AttributeType::Bool => Value::Bool(true),
        AttributeType::Null => Value::Null,
        AttributeType::L => Value::L(Vec::new()),
        AttributeType::M => Value::M([].into()),
        AttributeType::Ss => Value::Ss([].into()),
        AttributeType::Ns => Value::Ns([].into()),
        AttributeType::Bs => Value::Bs([].into()),
    }
}

/// A first condition for an entry: that an optional attribute, the likeliest to be missing, exists.
pub fn first_condition(entity: &Entity) -> Option<Condition> {
    let optional = entity.attributes.iter().find(|a| !a.required);
    let attribute = optional.or(entity.attributes.first())?;
    Some(Condition {
        attribute: attribute.name.clone(),
        test: Test::Exists,
    })
}

/// The condition about another attribute. Values of the wrong type do not come along.
pub fn about(design: &Design, id: EntityId, condition: &Condition, attribute: String) -> Condition {
    let kind = (design.entities.get(&id)).map_or(AttributeType::S, |e| kind_of(e, &attribute));
    let fits = values(&condition.test).iter().all(|v| v.kind() == kind);
    let test = if fits {
        condition.test.clone()
    } else {
        let first = first_value(design, id, &attribute);
        with_values(&condition.test, vec![first])
    };
    Condition { attribute, test }
}

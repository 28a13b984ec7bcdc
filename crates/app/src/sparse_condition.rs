//! Conditions of sparse index entries as a form edits them: an attribute, an operator, values.

use keyfold_core::model::{AttributeType, Condition, Design, Entity, EntityId, Test, Value};

/// The operator of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Equal to a value.
    Equals,
    /// Not equal to a value.
    NotEquals,
    /// One of several values.
    OneOf,
    /// The attribute exists.
    Exists,
    /// The attribute is missing.
    Missing,
}

impl Operator {
    /// All operators, in menu order.
    pub const ALL: [Operator; 5] = [
        Operator::Equals,
        Operator::NotEquals,
        Operator::OneOf,
        Operator::Exists,
        Operator::Missing,
    ];

    /// The label in the menu.
    pub fn label(self) -> &'static str {
        match self {
            Operator::Equals => "equals",
            Operator::NotEquals => "not equal to",
            Operator::OneOf => "one of",
            Operator::Exists => "exists",
            Operator::Missing => "is missing",
        }
    }

    /// Returns the operator of a test.
    pub fn of(test: &Test) -> Operator {
        match test {
            Test::Equals(_) => Operator::Equals,
            Test::NotEquals(_) => Operator::NotEquals,
            Test::OneOf(_) => Operator::OneOf,
            Test::Exists => Operator::Exists,
            Test::Missing => Operator::Missing,
        }
    }

    /// Returns a test with this operator. It keeps the values of `test`; if there are none, it uses `first`.
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

/// Returns the values that a test compares with.
pub fn values(test: &Test) -> &[Value] {
    match test {
        Test::Equals(value) | Test::NotEquals(value) => std::slice::from_ref(value),
        Test::OneOf(values) => values,
        Test::Exists | Test::Missing => &[],
    }
}

/// Returns the test with other values. An operator with one value takes the first; an operator without values is
/// unchanged.
pub fn with_values(test: &Test, values: Vec<Value>) -> Test {
    match (test, values.first().cloned()) {
        (Test::OneOf(_), _) => Test::OneOf(values),
        (Test::Equals(_), Some(first)) => Test::Equals(first),
        (Test::NotEquals(_), Some(first)) => Test::NotEquals(first),
        _ => test.clone(),
    }
}

/// Returns the type of an attribute; string if the entity does not declare it.
pub fn kind_of(entity: &Entity, attribute: &str) -> AttributeType {
    (entity.attribute(attribute)).map_or(AttributeType::S, |attribute| attribute.kind)
}

/// Returns a value to start a comparison with: the first sample value of the attribute, or the default of its type.
pub fn first_value(design: &Design, id: EntityId, attribute: &str) -> Value {
    let sampled = (design.samples_of(id).iter()).find_map(|sample| sample.values.get(attribute));
    if let Some(value) = sampled {
        return value.clone();
    }
    let kind = (design.entities.get(&id)).map_or(AttributeType::S, |e| kind_of(e, attribute));
    default_value(kind)
}

/// Returns the default value of a type: empty, 0 or true.
pub fn default_value(kind: AttributeType) -> Value {
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

/// Returns a condition to start with: the first optional attribute exists. `None` if the entity has no attributes.
pub fn first_condition(entity: &Entity) -> Option<Condition> {
    let optional = entity.attributes.iter().find(|a| !a.required);
    let attribute = optional.or(entity.attributes.first())?;
    Some(Condition {
        attribute: attribute.name.clone(),
        test: Test::Exists,
    })
}

/// Returns the condition for another attribute. Values of the wrong type are replaced.
pub fn with_attribute(
    design: &Design,
    id: EntityId,
    condition: &Condition,
    attribute: String,
) -> Condition {
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

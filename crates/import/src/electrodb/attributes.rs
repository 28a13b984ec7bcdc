//! The attributes of an entity. Source: "Attributes", ElectroDB documentation.

use crate::cursor::{Members, found};
use crate::form::Notes;
use crate::script::{call_of, function, is_unknown_member};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{Attribute, AttributeId, AttributeType, Choice, Format, Value};
use keyfold_core::template::Segment;

/// Members of an attribute that a design has no place for. Other members besides those that are read only say how ElectroDB
/// behaves.
const LOST: [&str; 7] = [
    "default",
    "validate",
    "watch",
    "set",
    "get",
    "items",
    "properties",
];

/// How the tests begin that Keyfold writes for numbers in keys: of whole numbers of at most so many digits, beside a padding,
/// and of decimals without an exponent.
const NUMBER_TESTS: [&str; 2] = [
    "=> value === undefined || /^(?:0|[1-9]",
    "=> value === undefined || /^-?\\d+(?:",
];

/// The attributes of an entity.
#[derive(Debug, Default)]
pub struct Attributes {
    /// Those that are stored.
    pub list: Vec<Attribute>,
    /// For each name in the schema: the stored name.
    pub fields: Vec<(String, String)>,
    /// Labels in composite keys, other than the name.
    pub labels: Vec<(String, String)>,
    /// Leading zeros in keys.
    pub padding: Vec<(String, u8)>,
    /// Those that only hold the result of modifiers on another: what they stand for.
    pub computed: Vec<(String, Segment)>,
    /// The members that are left out: `email.validate`.
    lost: Vec<String>,
}

impl Attributes {
    /// Reads the attributes of a schema. `given` has the values that callers compute, by name.
    pub fn read(from: &Members, given: Option<&Node>, notes: &mut Notes) -> Attributes {
        let mut read = Attributes::default();
        for (name, node) in from.map.pairs() {
            if !is_unknown_member(name) {
                from.skip(&[name]);
                read.add(name, node, from, given, notes);
            }
        }
        from.finish(notes);
        if !read.lost.is_empty() {
            let why = format!(
                "left out, because a design has no functions and no types in maps and lists: {}",
                read.lost.join(", ")
            );
            notes.add(&from.path, why);
        }
        read
    }

    fn add(
        &mut self,
        name: &str,
        node: &Node,
        parent: &Members,
        given: Option<&Node>,
        notes: &mut Notes,
    ) {
        let shorthand;
        let map = match node {
            Node::Map(map) if call_of(node).is_none() => map,
            // `name: "string"` and `status: ["a", "b"]`
            other => {
                shorthand = Map::new().with("type", other.clone());
                &shorthand
            }
        };
        let from = Members::new(map, parent.path_of(name));
        if let Some(segment) = computed(&from, name, given) {
            self.computed.push((name.to_owned(), segment));
            from.skip(&["type", "required", "watch", "set", "readOnly", "hidden"]);
            return from.finish(notes);
        }
        let stored = from.text("field", notes).unwrap_or_else(|| name.to_owned());
        self.fields.push((name.to_owned(), stored.clone()));
        if let Some(label) = from.text("label", notes) {
            self.labels.push((name.to_owned(), label));
        }
        if let Some(padding) = from.under("padding", notes) {
            let length = padding.number("length", notes);
            let is_zero = padding.text("char", notes).as_deref() == Some("0");
            match length
                .and_then(|length| u8::try_from(length).ok())
                .filter(|_| is_zero)
            {
                Some(length) => self.padding.push((name.to_owned(), length)),
                None => notes.add(
                    padding.path,
                    "this padding is left out: only zeros are known",
                ),
            }
        }
        let (kind, choices) = kind(&from, notes);
        let mut attribute = Attribute::new(AttributeId(0), stored, kind);
        attribute.required = from.flag("required", notes).unwrap_or(false);
        if !choices.is_empty() {
            attribute.format = Some(Format::OneOf(choices));
        }
        let is_lost = |member: &&&str| match from.get(member) {
            // They say what a padding, or the use in a key, says already.
            Some(Node::Code(code))
                if **member == "validate"
                    && NUMBER_TESTS.iter().any(|test| code.contains(test)) =>
            {
                false
            }
            Some(Node::Code(code)) => !code.starts_with('/'),
            Some(node) => match **member {
                // The type of a set has a place.
                "items" => kind != AttributeType::Ss && kind != AttributeType::Ns,
                "default" => call_of(node).is_some(),
                "validate" => false,
                _ => true,
            },
            None => false,
        };
        let lost = LOST.iter().filter(is_lost);
        self.lost
            .extend(lost.map(|member| format!("{name}.{member}")));
        from.skip(&["readOnly", "hidden", "cast"]);
        from.finish(notes);
        self.list.push(attribute);
    }

    /// Adds an attribute that keys have and the schema does not declare here.
    pub fn declare(&mut self, name: &str, is_required: bool) {
        let is_computed = self.computed.iter().any(|(other, _)| other == name);
        if is_computed || self.fields.iter().any(|(other, _)| other == name) {
            return;
        }
        self.fields.push((name.to_owned(), name.to_owned()));
        let mut attribute = Attribute::new(AttributeId(0), name, AttributeType::S);
        attribute.required = is_required;
        self.list.push(attribute);
    }
}

/// The value that an attribute stands for, if it only applies modifiers to another.
fn computed(from: &Members, name: &str, given: Option<&Node>) -> Option<Segment> {
    let found = match from.map.get("set") {
        Some(Node::Code(code)) if from.map.get("watch").is_some() => function::computed(code)?,
        _ => {
            let Some(Node::Map(given)) = given else {
                return None;
            };
            match given.get(name)? {
                Node::Code(code) => function::expression(code, "item =>")?,
                _ => return None,
            }
        }
    };
    match found.template.segments.as_slice() {
        [only @ Segment::Placeholder(placeholder)] if placeholder.attribute != name => {
            Some(only.clone())
        }
        _ => None,
    }
}

/// The type of an attribute, and its choices.
fn kind(from: &Members, notes: &mut Notes) -> (AttributeType, Vec<Choice>) {
    let node = from.get("type");
    // `CustomAttributeType<Status>("string")`
    let custom = node
        .and_then(call_of)
        .filter(|call| call.name == "CustomAttributeType")
        .and_then(|call| call.arguments.first());
    let word = match custom.or(node) {
        Some(Node::Text(word)) => word.as_str(),
        Some(Node::List(values)) => {
            let choice = |value| Choice { value, weight: 1 };
            let texts = values.iter().filter_map(|value| match value {
                Node::Text(text) => Some(choice(Value::S(text.clone()))),
                _ => None,
            });
            let numbers = values.iter().filter_map(|value| match value {
                Node::Number(text) => Some(choice(Value::N(text.parse().ok()?))),
                _ => None,
            });
            let numbers: Vec<Choice> = numbers.collect();
            return match numbers.len() == values.len() && !numbers.is_empty() {
                true => (AttributeType::N, numbers),
                false => (AttributeType::S, texts.collect()),
            };
        }
        None => "any",
        Some(other) => {
            let why = format!("{}. The attribute is a string", found("a type", other));
            notes.add(from.path_of("type"), why);
            "string"
        }
    };
    let kind = match word {
        "string" => AttributeType::S,
        "number" => AttributeType::N,
        "boolean" => AttributeType::Bool,
        "list" => AttributeType::L,
        "map" | "any" => AttributeType::M,
        "set" => match from.get("items") {
            Some(Node::Text(word)) if word == "number" => AttributeType::Ns,
            _ => AttributeType::Ss,
        },
        other => {
            notes.add(
                from.path_of("type"),
                format!("not a type: `{other}`. The attribute is a string"),
            );
            AttributeType::S
        }
    };
    (kind, Vec::new())
}

//! What a generated function takes and makes: the parameters that a set of templates needs, the fields that stand
//! in the key, and the values that they are put together to. Built once, then written by `values` and `keys`.

use super::names::{Namespace, snake};
use crate::model::number::Number;
use crate::model::{AttributeType, DelimiterPolicy, KeyType, OnDelimiter, SortedMap};
use crate::template::{Modifier, Placeholder, Segment, Template, ValueShape, ambiguity};

/// Gives the type of an attribute.
pub(super) type Kinds<'a> = &'a dyn Fn(&str) -> AttributeType;

/// The Rust type in which the caller gives an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParamType {
    /// A text: `impl Into<Cow<str>>` for a key, `&str` for a function.
    Text,
    /// `impl Into<Number>`.
    Number,
    /// `u64`: a number of which every use pads to whole digits.
    Int,
    /// `bool`.
    Bool,
    /// `impl Into<Vec<u8>>`.
    Bytes,
}

/// One parameter: an attribute.
#[derive(Debug, Clone)]
pub(super) struct Param {
    pub attribute: String,
    pub name: String,
    pub kind: ParamType,
}

/// How a field is kept and written into the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The text of the key: a `Cow` of the caller's, or a `String` that is made of a value.
    Text,
    /// A `Number`, written as it is.
    Number,
    /// A `u64`, padded to so many digits.
    Pad(u8),
    /// A `u64`, complemented to so many digits.
    Desc(u8),
    /// A `Number`, padded to so many digits before and after the point.
    Decimal(u8, u8),
    /// A `bool`.
    Bool,
    /// A `Vec<u8>`.
    Bytes,
}

/// One field: an attribute with one chain of modifiers.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Place of its parameter in [`Scope::params`].
    pub param: usize,
    pub name: String,
    pub modifiers: Vec<Modifier>,
    pub form: Form,
    /// Whether the delimiter must not stand in its text.
    pub strict: bool,
}

impl Field {
    /// Whether it is the caller's text as it stands, which need not be copied.
    pub fn is_borrowed(&self, scope: &Scope) -> bool {
        let text = scope.params[self.param].kind == ParamType::Text;
        text && self.form == Form::Text && self.modifiers.is_empty()
    }

    /// Whether the attribute's value can be read from it.
    pub fn is_whole(&self) -> bool {
        self.form != Form::Text || self.modifiers.is_empty()
    }
}

/// One piece of a value.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Text that stands in every key.
    Literal(String),
    /// A field's place in [`Scope::fields`], and whether it is percent-encoded here.
    Field {
        /// The place.
        place: usize,
        /// Whether the delimiter is percent-encoded.
        encoded: bool,
    },
}

/// One value of a key attribute, or a bound of it.
#[derive(Debug, Clone)]
pub(super) struct Value {
    /// Constant that holds the key attribute's name.
    pub constant: String,
    /// The template, as the design's author reads it.
    pub template: String,
    pub kind: KeyType,
    pub max_bytes: usize,
    pub pieces: Vec<Piece>,
    /// Whether a key can be taken apart into its fields from left to right.
    pub splits: bool,
}

impl Value {
    /// The text of a template without placeholders.
    pub fn fixed(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The fields in it, by place.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Field { place, .. } => Some(*place),
            Piece::Literal(_) => None,
        })
    }
}

/// What a value is made from.
#[derive(Debug, Clone)]
pub(super) struct Input {
    pub constant: String,
    pub kind: KeyType,
    pub max_bytes: usize,
    pub template: Template,
}

/// What a generated function takes and makes.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub params: Vec<Param>,
    pub fields: Vec<Field>,
    pub values: Vec<Value>,
    pub encodes: bool,
    /// Whether a derived text of digits, dashes and points may hold the delimiter.
    pub awkward: bool,
}

impl Scope {
    /// Plans the parameters, fields and values of some templates. `kind` gives an attribute's type. The error says
    /// why no Rust can be written for them.
    pub fn new(
        inputs: &[Input],
        policy: &DelimiterPolicy,
        kind: Kinds,
        names: &mut Namespace,
    ) -> Result<Scope, String> {
        for input in inputs {
            check(input, kind)?;
        }
        let params = params(inputs, kind, names);
        let mut scope = Scope {
            params,
            fields: Vec::new(),
            values: Vec::new(),
            encodes: policy.on_conflict == OnDelimiter::PercentEncode
                && !policy.delimiter.is_empty(),
            awkward: concerns(policy, "0123456789-."),
        };
        for input in inputs {
            let strict = !policy.delimiter.is_empty() && !input.template.is_single_placeholder();
            for placeholder in input.template.placeholders() {
                scope.field(placeholder, strict, names);
            }
        }
        for field in &mut scope.fields {
            field.form = form(field, scope.params[field.param].kind, policy);
        }
        scope.values = inputs
            .iter()
            .map(|input| scope.value(input, policy, kind))
            .collect();
        Ok(scope)
    }

    /// Adds the field of a placeholder, if it is not there yet.
    fn field(&mut self, placeholder: &Placeholder, strict: bool, names: &mut Namespace) {
        if let Some(place) = self.place(placeholder) {
            self.fields[place].strict |= strict;
            return;
        }
        let Some(param) = self
            .params
            .iter()
            .position(|param| param.attribute == placeholder.attribute)
        else {
            return;
        };
        let base = &self.params[param].name;
        // The first number in a key goes by the attribute's name; a derived text says what it is.
        let number = matches!(self.params[param].kind, ParamType::Int | ParamType::Number)
            && matches!(
                placeholder.modifiers.as_slice(),
                [Modifier::Pad(_) | Modifier::Desc(_) | Modifier::PadDecimal { .. }]
            );
        let plain = placeholder.modifiers.is_empty() || number;
        let name = if plain && !self.fields.iter().any(|field| field.name == *base) {
            base.clone()
        } else {
            let words: Vec<_> = placeholder.modifiers.iter().map(modifier_word).collect();
            names.take(format!(
                "{}_{}",
                base.trim_end_matches('_'),
                if words.is_empty() {
                    "text".to_owned()
                } else {
                    words.join("_")
                }
            ))
        };
        self.fields.push(Field {
            param,
            name,
            modifiers: placeholder.modifiers.clone(),
            form: Form::Text,
            strict,
        });
    }

    /// The place of a placeholder's field.
    fn place(&self, placeholder: &Placeholder) -> Option<usize> {
        self.fields.iter().position(|field| {
            self.params[field.param].attribute == placeholder.attribute
                && field.modifiers == placeholder.modifiers
        })
    }

    fn value(&self, input: &Input, policy: &DelimiterPolicy, kind: Kinds) -> Value {
        let single = input.template.is_single_placeholder();
        let pieces = (input.template.segments.iter()).filter_map(|segment| match segment {
            Segment::Literal { text, .. } => Some(Piece::Literal(text.clone())),
            Segment::Placeholder(placeholder) => {
                let place = self.place(placeholder)?;
                let encoded = self.encodes && !single && self.fields[place].form == Form::Text;
                Some(Piece::Field { place, encoded })
            }
            Segment::Broken { .. } => None,
        });
        Value {
            constant: input.constant.clone(),
            template: input.template.to_string(),
            kind: input.kind,
            max_bytes: input.max_bytes,
            pieces: pieces.collect(),
            splits: splits(&input.template, policy, kind),
        }
    }

    /// Whether any field is the caller's text as it stands.
    pub fn is_borrowed(&self) -> bool {
        self.fields.iter().any(|field| field.is_borrowed(self))
    }

    /// Whether a parameter's value can be read from a field.
    pub fn is_readable(&self, param: usize) -> bool {
        self.fields
            .iter()
            .any(|field| field.param == param && field.is_whole())
    }

    /// The fields that parsing takes from the key: of each parameter one that holds its whole value, else all.
    pub fn sources(&self) -> Vec<usize> {
        let mut read = SortedMap::new();
        for (place, field) in self.fields.iter().enumerate() {
            if field.is_whole() {
                read.entry(field.param).or_insert(place);
            }
        }
        (0..self.fields.len())
            .filter(|place| {
                read.get(&self.fields[*place].param)
                    .is_none_or(|source| source == place)
            })
            .collect()
    }
}

fn modifier_word(modifier: &Modifier) -> String {
    let text = modifier.to_string();
    text.split('(').next().unwrap_or_default().to_owned()
}

/// Whether a template can be put into Rust at all.
fn check(input: &Input, kind: Kinds) -> Result<(), String> {
    let template = &input.template;
    if template.segments.is_empty() {
        return Err("the template is empty".to_owned());
    }
    if let (KeyType::N, [Segment::Literal { text, .. }]) =
        (input.kind, template.segments.as_slice())
        && text.parse::<Number>().is_ok()
    {
        return Ok(());
    }
    if input.kind != KeyType::S && !template.is_single_placeholder() {
        return Err(format!(
            "a key of type {} takes a template of one placeholder",
            input.kind.letter()
        ));
    }
    for Placeholder {
        attribute,
        modifiers,
        ..
    } in template.placeholders()
    {
        let of = kind(attribute);
        let mismatch = || {
            Err(format!(
                "`{attribute}` is of type {of}, and the key of type {}",
                input.kind.letter()
            ))
        };
        match (input.kind, of, modifiers.as_slice()) {
            (KeyType::S, AttributeType::S | AttributeType::N | AttributeType::Bool, _) => {}
            (KeyType::S, ..) => {
                return Err(format!(
                    "`{attribute}` is of type {of}, which cannot stand in a key"
                ));
            }
            (KeyType::N, AttributeType::N, []) => {}
            (KeyType::N, AttributeType::S | AttributeType::N, [.., Modifier::Shard(_)]) => {}
            (KeyType::N, _, [_, ..]) => {
                return Err(format!(
                    "of `{attribute}` in a key of type N only the plain number or a shard is a number"
                ));
            }
            (KeyType::B, AttributeType::B, []) => {}
            _ => return mismatch(),
        }
    }
    Ok(())
}

/// The attributes in the order in which they are first used.
fn params(inputs: &[Input], kind: Kinds, names: &mut Namespace) -> Vec<Param> {
    let placeholders = || {
        inputs
            .iter()
            .flat_map(|input| input.template.placeholders())
    };
    let mut params: Vec<Param> = Vec::new();
    for Placeholder { attribute, .. } in placeholders() {
        if params.iter().any(|param| param.attribute == *attribute) {
            continue;
        }
        let whole_digits = || {
            placeholders()
                .filter(|other| other.attribute == *attribute)
                .all(|other| {
                    matches!(
                        other.modifiers.as_slice(),
                        [Modifier::Pad(_) | Modifier::Desc(_)]
                    )
                })
        };
        params.push(Param {
            attribute: attribute.clone(),
            name: names.take(snake(attribute, "attribute")),
            kind: match kind(attribute) {
                AttributeType::N if whole_digits() => ParamType::Int,
                AttributeType::N => ParamType::Number,
                AttributeType::Bool => ParamType::Bool,
                AttributeType::B => ParamType::Bytes,
                _ => ParamType::Text,
            },
        });
    }
    params
}

/// How a field is kept. A number or a boolean whose text may contain the delimiter is kept as text.
fn form(field: &Field, kind: ParamType, policy: &DelimiterPolicy) -> Form {
    let plain = !field.strict || !concerns(policy, "0123456789-.truefals");
    match (kind, field.modifiers.as_slice()) {
        (ParamType::Number, []) if plain => Form::Number,
        (ParamType::Int, [Modifier::Pad(digits)]) if plain => Form::Pad(*digits),
        (ParamType::Int, [Modifier::Desc(digits)]) if plain => Form::Desc(*digits),
        (ParamType::Number, [Modifier::PadDecimal { digits, decimals }]) if plain => {
            Form::Decimal(*digits, *decimals)
        }
        (ParamType::Bool, []) if plain => Form::Bool,
        (ParamType::Bytes, _) => Form::Bytes,
        _ => Form::Text,
    }
}

/// Whether a text of these characters may contain the delimiter.
pub(super) fn may_hold(delimiter: &str, characters: &str) -> bool {
    !delimiter.is_empty() && delimiter.chars().all(|c| characters.contains(c))
}

/// Whether the policy has something to say on texts of these characters.
fn concerns(policy: &DelimiterPolicy, characters: &str) -> bool {
    match policy.on_conflict {
        OnDelimiter::Reject => may_hold(&policy.delimiter, characters),
        OnDelimiter::PercentEncode => policy.delimiter.contains(|c| characters.contains(c)),
    }
}

/// Whether a key splits at the literals between its placeholders: each of them contains the delimiter, which no
/// value does, and the analysis finds no other way to read a key.
fn splits(template: &Template, policy: &DelimiterPolicy, kind: Kinds) -> bool {
    let last = template.segments.len().saturating_sub(1);
    let placeholder =
        |at: usize| matches!(template.segments.get(at), Some(Segment::Placeholder(_)));
    let separated = (0..last).filter(|at| placeholder(*at)).all(|at| {
        let closes = !template.segments[at + 1..]
            .iter()
            .any(|later| matches!(later, Segment::Placeholder(_)));
        match &template.segments[at + 1] {
            Segment::Literal { text, .. } => {
                closes || (!policy.delimiter.is_empty() && text.contains(&policy.delimiter))
            }
            _ => false,
        }
    });
    // Formats are left out: the generated code checks types, not formats.
    let shape = |name: &str| {
        (
            name.to_owned(),
            ValueShape {
                kind: kind(name),
                ..ValueShape::default()
            },
        )
    };
    let shapes = SortedMap::from_iter(template.attributes().map(shape));
    separated && ambiguity(template, &shapes, policy) == Ok(None)
}

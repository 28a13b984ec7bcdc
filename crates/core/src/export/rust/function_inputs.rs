//! The inputs and outputs of a generated function: the parameters that a set of templates needs, the fields of the key,
//! and the values composed of them. Built once, then written by `values` and `keys`.

use super::names::{Namespace, snake};
use crate::model::number::Number;
use crate::model::{AttributeType, DelimiterPolicy, KeyType, OnDelimiter, SortedMap};
use crate::template::{Modifier, Placeholder, Segment, Template, ValueShape, ambiguity};

/// Returns the type of an attribute.
pub(super) type TypeOf<'a> = &'a dyn Fn(&str) -> AttributeType;

/// The Rust type of a parameter for an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParamType {
    /// A text: `impl Into<Cow<str>>` for a key, `&str` for a function.
    Text,
    /// `impl Into<Number>`.
    Number,
    /// `u64`: a number that every use pads to whole digits.
    Int,
    /// `bool`.
    Bool,
    /// `impl Into<Vec<u8>>`.
    Bytes,
}

/// A parameter for an attribute.
#[derive(Debug, Clone)]
pub(super) struct Param {
    pub attribute: String,
    pub name: String,
    pub kind: ParamType,
}

/// The representation of a field, and how the key contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The text of the key: the caller's text as a `Cow`, or a `String` computed from a value.
    Text,
    /// A `Number`, written without changes.
    Number,
    /// A `u64`, padded to this number of digits.
    Pad(u8),
    /// A `u64`, complemented to this number of digits.
    Desc(u8),
    /// A `Number`, padded to these numbers of digits before and after the point.
    Decimal(u8, u8),
    /// A `bool`.
    Bool,
    /// A `Vec<u8>`.
    Bytes,
}

/// One field: an attribute with one chain of modifiers.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Index of its parameter in [`Scope::params`].
    pub param: usize,
    pub name: String,
    pub modifiers: Vec<Modifier>,
    pub form: Form,
    /// Whether its text must not contain the delimiter.
    pub strict: bool,
}

impl Field {
    /// Whether it is the caller's unchanged text, which need not be copied.
    pub fn is_borrowed(&self, scope: &Scope) -> bool {
        let text = scope.params[self.param].kind == ParamType::Text;
        text && self.form == Form::Text && self.modifiers.is_empty()
    }

    /// Whether it contains the attribute's whole value.
    pub fn is_whole(&self) -> bool {
        self.form != Form::Text || self.modifiers.is_empty()
    }
}

/// A part of a value.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Text that every key contains.
    Literal(String),
    /// A field, and whether it is percent-encoded here.
    Field {
        /// The index in [`Scope::fields`].
        place: usize,
        /// Whether the delimiter is percent-encoded.
        encoded: bool,
    },
}

/// A value of a key attribute, or a bound of it.
#[derive(Debug, Clone)]
pub(super) struct Value {
    /// The constant of the key attribute's name.
    pub constant: String,
    /// The template, as shown to the design's author.
    pub template: String,
    pub kind: KeyType,
    pub max_bytes: usize,
    pub pieces: Vec<Piece>,
    /// Whether a key can be split into its fields from left to right.
    pub splits: bool,
}

impl Value {
    /// Returns the text of a template without placeholders.
    pub fn fixed(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns the indexes of its fields.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Field { place, .. } => Some(*place),
            Piece::Literal(_) => None,
        })
    }
}

/// The source of a value: a template for a key attribute.
#[derive(Debug, Clone)]
pub(super) struct Input {
    pub constant: String,
    pub kind: KeyType,
    pub max_bytes: usize,
    pub template: Template,
}

/// The inputs and outputs of a generated function.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub params: Vec<Param>,
    pub fields: Vec<Field>,
    pub values: Vec<Value>,
    pub encodes: bool,
    /// Whether a derived text of digits, dashes and points can contain the delimiter.
    pub awkward: bool,
}

impl Scope {
    /// Plans the parameters, fields and values of some templates. `kind` returns an attribute's type. The error says
    /// why no Rust code can be written for them.
    pub fn new(
        inputs: &[Input],
        policy: &DelimiterPolicy,
        kind: TypeOf,
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
                scope.field(inputs, placeholder, strict, names);
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

    /// Adds the field of a placeholder, unless it exists.
    fn field(
        &mut self,
        inputs: &[Input],
        placeholder: &Placeholder,
        strict: bool,
        names: &mut Namespace,
    ) {
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
        // The plain value has the attribute's name; without one, the first padded number has it. Any other derived text
        // has a name of its own.
        let is_plain = |other: &Placeholder| {
            other.attribute == placeholder.attribute && other.modifiers.is_empty()
        };
        let has_plain = (inputs.iter()).any(|input| input.template.placeholders().any(is_plain));
        let number = !has_plain
            && matches!(self.params[param].kind, ParamType::Int | ParamType::Number)
            && matches!(
                placeholder.modifiers.as_slice(),
                [Modifier::Pad(_) | Modifier::Desc(_) | Modifier::PadDecimal { .. }]
            );
        let named = placeholder.modifiers.is_empty() || number;
        let name = if named && !self.fields.iter().any(|field| field.name == *base) {
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

    /// Returns the index of a placeholder's field.
    fn place(&self, placeholder: &Placeholder) -> Option<usize> {
        self.fields.iter().position(|field| {
            self.params[field.param].attribute == placeholder.attribute
                && field.modifiers == placeholder.modifiers
        })
    }

    fn value(&self, input: &Input, policy: &DelimiterPolicy, kind: TypeOf) -> Value {
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

    /// Whether any field is the caller's unchanged text.
    pub fn is_borrowed(&self) -> bool {
        self.fields.iter().any(|field| field.is_borrowed(self))
    }

    /// Whether some field contains a parameter's whole value.
    pub fn is_readable(&self, param: usize) -> bool {
        self.fields
            .iter()
            .any(|field| field.param == param && field.is_whole())
    }

    /// Returns the fields that parsing reads from the key: per parameter one with its whole value, else all.
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

/// Checks whether Rust code can be written for a template.
fn check(input: &Input, kind: TypeOf) -> Result<(), String> {
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
            "a key of type {} needs a template with exactly one placeholder",
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
                "`{attribute}` is of type {of}, but the key is of type {}",
                input.kind.letter()
            ))
        };
        match (input.kind, of, modifiers.as_slice()) {
            (KeyType::S, AttributeType::S | AttributeType::N | AttributeType::Bool, _) => {}
            (KeyType::S, ..) => {
                return Err(format!(
                    "`{attribute}` is of type {of}, which does not fit a key"
                ));
            }
            (KeyType::N, AttributeType::N, []) => {}
            (KeyType::N, AttributeType::S | AttributeType::N, [.., Modifier::Shard(_)]) => {}
            (KeyType::N, _, [_, ..]) => {
                return Err(format!(
                    "a key of type N accepts `{attribute}` only as the plain number or a shard"
                ));
            }
            (KeyType::B, AttributeType::B, []) => {}
            _ => return mismatch(),
        }
    }
    Ok(())
}

/// Returns the attributes in the order of their first use.
fn params(inputs: &[Input], kind: TypeOf, names: &mut Namespace) -> Vec<Param> {
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

/// Returns the representation of a field. A number or boolean whose text can contain the delimiter is a text.
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

/// Whether a text of these characters can contain the delimiter.
pub(super) fn may_hold(delimiter: &str, characters: &str) -> bool {
    !delimiter.is_empty() && delimiter.chars().all(|c| characters.contains(c))
}

/// Whether the delimiter policy affects texts of these characters.
fn concerns(policy: &DelimiterPolicy, characters: &str) -> bool {
    match policy.on_conflict {
        OnDelimiter::Reject => may_hold(&policy.delimiter, characters),
        OnDelimiter::PercentEncode => policy.delimiter.contains(|c| characters.contains(c)),
    }
}

/// Whether a key can be split at the literals between its placeholders: each contains the delimiter, which no value
/// does, and the analysis finds no second reading of a key.
fn splits(template: &Template, policy: &DelimiterPolicy, kind: TypeOf) -> bool {
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
    // Ignore formats: the generated code checks types, not formats.
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

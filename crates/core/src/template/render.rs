//! Renders an item's key from a template and the item's values.

use super::ast::{Placeholder, Segment, Template};
use super::delimiter_policy::{DelimiterPolicy, OnDelimiter};
use super::modifier::{apply_all, pad_number};
use crate::model::value::{AttributeType, Value};
use std::fmt;

/// Returns the value of an attribute; `None` if the item does not have it.
pub type Lookup<'l, 'v> = &'l dyn Fn(&str) -> Option<&'v Value>;

/// Why an item has no key. `Display` names the attribute and says what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderError {
    /// The item does not have the attribute.
    Missing {
        /// The attribute.
        attribute: String,
    },
    /// The attribute's value is an empty string or empty binary.
    Empty {
        /// The attribute.
        attribute: String,
    },
    /// The attribute's type cannot be part of a text.
    NotText {
        /// The attribute.
        attribute: String,
        /// Its type.
        kind: AttributeType,
    },
    /// A modifier does not accept the attribute's value.
    Modifier {
        /// The attribute.
        attribute: String,
        /// The modifier as written.
        modifier: String,
        /// The reason.
        message: String,
    },
    /// The attribute's value contains the delimiter.
    ContainsDelimiter {
        /// The attribute.
        attribute: String,
        /// What the placeholder would have rendered.
        value: String,
        /// The delimiter.
        delimiter: String,
    },
    /// The key exceeds DynamoDB's limit.
    TooLong {
        /// Length of the key in bytes.
        bytes: usize,
        /// Maximum length in bytes.
        max: usize,
    },
    /// The key would be empty because the template is empty.
    EmptyKey,
    /// The template has an error.
    Malformed,
    /// The key attribute's type differs from what the template renders.
    WrongType {
        /// The key attribute's type.
        expected: AttributeType,
        /// What is wrong and what to do.
        message: String,
    },
}

impl RenderError {
    /// Whether the item only lacks a value: a missing or empty attribute, or NULL. Such an item is left out of an index
    /// (sparse index); any other error is a problem.
    pub fn is_absent(&self) -> bool {
        matches!(
            self,
            Self::Missing { .. }
                | Self::Empty { .. }
                | Self::NotText {
                    kind: AttributeType::Null,
                    ..
                }
        )
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { attribute } => write!(f, "`{attribute}` has no value"),
            Self::Empty { attribute } => write!(f, "`{attribute}` is empty"),
            Self::NotText { attribute, kind } => {
                write!(
                    f,
                    "`{attribute}` is of type {kind}, which cannot be part of a key: use a string, number or boolean"
                )
            }
            Self::Modifier {
                attribute,
                modifier,
                message,
            } => {
                write!(f, "`{attribute}` cannot be used with {modifier}: {message}")
            }
            Self::ContainsDelimiter {
                attribute,
                value,
                delimiter,
            } => {
                write!(
                    f,
                    "`{attribute}` is `{value}`, which contains the delimiter `{delimiter}`: the design rejects such values"
                )
            }
            Self::TooLong { bytes, max } => {
                write!(f, "the key is {bytes} bytes long; DynamoDB allows {max}")
            }
            Self::EmptyKey => {
                f.write_str("the template is empty, and DynamoDB rejects an empty key")
            }
            Self::Malformed => f.write_str("the template has an error"),
            Self::WrongType { message, .. } => f.write_str(message),
        }
    }
}

impl std::error::Error for RenderError {}

/// Renders a key of type S. Accepts S, N and BOOL values; a missing or empty value is an error. Does not check the
/// key's length: see [`render_value`].
pub fn render(
    template: &Template,
    policy: &DelimiterPolicy,
    lookup: Lookup,
) -> Result<String, RenderError> {
    // Enough for most keys: ids have up to 36 bytes.
    const PLACEHOLDER_BYTES: usize = 32;
    let length = template.segments.iter().map(|segment| match segment {
        Segment::Literal { text, .. } => text.len(),
        _ => PLACEHOLDER_BYTES,
    });
    let mut key = String::with_capacity(length.sum());
    render_into(template, policy, lookup, &mut key)?;
    Ok(key)
}

/// Like [`render`], but appends the key to `out`, so that a buffer can be reused. After an error `out` may contain a
/// part of the key.
pub fn render_into(
    template: &Template,
    policy: &DelimiterPolicy,
    lookup: Lookup,
    out: &mut String,
) -> Result<(), RenderError> {
    let exempt = policy.exempts(template);
    for segment in &template.segments {
        match segment {
            Segment::Literal { text, .. } => out.push_str(text),
            Segment::Broken { .. } => return Err(RenderError::Malformed),
            Segment::Placeholder(placeholder) => {
                let start = out.len();
                write_placeholder(placeholder, lookup, out)?;
                if !exempt {
                    if policy.on_conflict == OnDelimiter::PercentEncode {
                        policy.encode_from(out, start);
                    }
                    if policy.conflicts_from(out, start) {
                        return Err(RenderError::ContainsDelimiter {
                            attribute: placeholder.attribute.clone(),
                            value: out[start..].to_owned(),
                            delimiter: policy.delimiter.clone(),
                        });
                    }
                }
            }
        }
    }
    Ok(())
}

/// Renders the value of a key attribute of type S, N or B, of at most `max_bytes` bytes. For N and B the template must
/// be exactly one placeholder; for B without modifiers. The length of a number is not checked.
pub fn render_value(
    template: &Template,
    kind: AttributeType,
    policy: &DelimiterPolicy,
    lookup: Lookup,
    max_bytes: usize,
) -> Result<Value, RenderError> {
    let value = match kind {
        AttributeType::S => Value::S(render(template, policy, lookup)?),
        AttributeType::N | AttributeType::B => render_single(template, kind, lookup)?,
        _ => {
            return Err(wrong_type(
                kind,
                format!("a key attribute must be of type S, N or B, not {kind}"),
            ));
        }
    };
    let bytes = match &value {
        Value::S(text) => text.len(),
        Value::B(bytes) => bytes.len(),
        _ => return Ok(value),
    };
    match bytes {
        0 => Err(RenderError::EmptyKey),
        _ if bytes > max_bytes => Err(RenderError::TooLong {
            bytes,
            max: max_bytes,
        }),
        _ => Ok(value),
    }
}

/// As [`render_value`], for the value of a key condition: there a literal number is a value of type N, too.
///
/// # Errors
///
/// As of [`render_value`]; and a text without placeholders that is no number, for N.
pub fn render_condition_value(
    template: &Template,
    kind: AttributeType,
    policy: &DelimiterPolicy,
    lookup: Lookup,
    max_bytes: usize,
) -> Result<Value, RenderError> {
    if kind != AttributeType::N || !template.is_static() {
        return render_value(template, kind, policy, lookup, max_bytes);
    }
    let text = template.leading_literal();
    (text.parse().map(Value::N))
        .map_err(|error| wrong_type(kind, format!("`{text}` is not a number: {error}")))
}

fn render_single(
    template: &Template,
    kind: AttributeType,
    lookup: Lookup,
) -> Result<Value, RenderError> {
    let placeholder = match template.segments.as_slice() {
        [] => return Err(RenderError::EmptyKey),
        [Segment::Placeholder(placeholder)] => placeholder,
        _ if template.is_broken() => return Err(RenderError::Malformed),
        _ => {
            return Err(wrong_type(
                kind,
                format!("the template of a key of type {kind} must be exactly one placeholder"),
            ));
        }
    };
    let attribute = &placeholder.attribute;
    let value = lookup(attribute).ok_or_else(|| RenderError::Missing {
        attribute: attribute.clone(),
    })?;
    let mismatch = || {
        wrong_type(
            kind,
            format!(
                "`{attribute}` is of type {}, but the key is of type {kind}",
                value.kind()
            ),
        )
    };
    match (kind, value, placeholder.modifiers.first()) {
        (_, Value::Null, _) => Err(RenderError::NotText {
            attribute: attribute.clone(),
            kind: AttributeType::Null,
        }),
        (AttributeType::N, Value::N(number), None) => Ok(Value::N(number.clone())),
        (AttributeType::N, _, Some(_)) => {
            let mut text = String::new();
            write_placeholder(placeholder, lookup, &mut text)?;
            let number = text.parse().map_err(|error| {
                wrong_type(
                    kind,
                    format!("`{attribute}` renders `{text}`, but the key is of type N: {error}"),
                )
            })?;
            Ok(Value::N(number))
        }
        (AttributeType::B, Value::B(bytes), None) if bytes.is_empty() => Err(RenderError::Empty {
            attribute: attribute.clone(),
        }),
        (AttributeType::B, Value::B(bytes), None) => Ok(Value::B(bytes.clone())),
        (AttributeType::B, Value::B(_), Some(modifier)) => Err(RenderError::Modifier {
            attribute: attribute.clone(),
            modifier: modifier.to_string(),
            message: "modifiers need text, but the value is binary".to_owned(),
        }),
        _ => Err(mismatch()),
    }
}

fn wrong_type(expected: AttributeType, message: String) -> RenderError {
    RenderError::WrongType { expected, message }
}

/// Appends the modified value of a placeholder, without applying the delimiter policy.
#[inline]
fn write_placeholder(
    placeholder: &Placeholder,
    lookup: Lookup,
    out: &mut String,
) -> Result<(), RenderError> {
    let Placeholder {
        attribute,
        modifiers,
        ..
    } = placeholder;
    let number_text;
    let text = match lookup(attribute) {
        None => {
            return Err(RenderError::Missing {
                attribute: attribute.clone(),
            });
        }
        Some(Value::S(text)) if text.is_empty() => {
            return Err(RenderError::Empty {
                attribute: attribute.clone(),
            });
        }
        Some(Value::S(text)) if modifiers.is_empty() => {
            out.push_str(text);
            return Ok(());
        }
        Some(Value::S(text)) => text.as_str(),
        Some(Value::Bool(true)) => "true",
        Some(Value::Bool(false)) => "false",
        Some(Value::N(number)) if modifiers.is_empty() => {
            number.write_to(out);
            return Ok(());
        }
        Some(Value::N(number)) if pad_number(number, modifiers, out) => return Ok(()),
        Some(Value::N(number)) => {
            let mut text = String::with_capacity(24);
            number.write_to(&mut text);
            number_text = text;
            &number_text
        }
        Some(other) => {
            return Err(RenderError::NotText {
                attribute: attribute.clone(),
                kind: other.kind(),
            });
        }
    };
    apply_all(modifiers, text, out).map_err(|(modifier, message)| RenderError::Modifier {
        attribute: attribute.clone(),
        modifier: modifier.to_string(),
        message,
    })
}

//! Functions that compute keys: `(item) => item.a === undefined ? undefined : \`USER#${lower(item.name)}\``. Those that our
//! exports write are read back as templates with modifiers and conditions; of others, plain templates.

use super::lex::{Kind, Token, tokens};
use super::parameters::Parameters;
use super::text::{expression_end, next_expression, unescaped, unquoted};
use keyfold_core::model::{Condition, Test, Value};
use keyfold_core::template::{Modifier, Placeholder, Segment, Template};

/// What a function computes.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// The template.
    pub template: Template,
    /// The conditions under which it has a value.
    pub when: Vec<Condition>,
    /// Whether values are percent-encoded.
    pub is_encoded: bool,
}

/// Reads a function; none if it does anything else than composing a text.
pub fn computed(code: &str) -> Option<Computed> {
    let all = tokens(code);
    let arrow = all.iter().position(|token| token.is("=>"))?;
    let parameters = Parameters::before(&all, arrow);
    let mut body = &all[arrow + 1..];
    if let ([first, second, ..], Some(last)) = (body, body.last())
        && first.is("{")
        && second.is("return")
        && last.is("}")
    {
        body = &body[2..body.len() - 1];
        body = body.strip_suffix_if(|token| token.is(";"));
    }
    let (head, rest) = split_undefined(body);
    let guards = split(head, "||");
    let needed: Vec<String> = (guards.iter())
        .flat_map(|part| missing(part, &parameters))
        .collect();
    let mut when = Vec::new();
    for part in guards {
        when.extend(guard(part, &parameters, &|name| {
            needed.iter().any(|other| other == name)
        })?);
    }
    let mut reader = Reader {
        parameters,
        is_encoded: false,
    };
    let template = reader.text(rest)?;
    Some(Computed {
        template,
        when,
        is_encoded: reader.is_encoded,
    })
}

/// Reads an expression within a function, of which the parameters are needed: `utc(item.createdAt, 10)` in `(item) =>`.
pub fn expression(code: &str, function: &str) -> Option<Computed> {
    let all = tokens(function);
    let arrow = all.iter().position(|token| token.is("=>"))?;
    let mut reader = Reader {
        parameters: Parameters::before(&all, arrow),
        is_encoded: false,
    };
    let template = reader.text(&tokens(code))?;
    Some(Computed {
        template,
        when: Vec::new(),
        is_encoded: reader.is_encoded,
    })
}

/// Reads a condition: `(item) => item.featured === true`. Attributes that items always have exist in any test.
pub fn conditions(code: &str, exists: &dyn Fn(&str) -> bool) -> Option<Vec<Condition>> {
    let all = tokens(code);
    let arrow = all.iter().position(|token| token.is("=>"))?;
    tests(&all[arrow + 1..], &Parameters::before(&all, arrow), exists)
}

trait StripSuffix<T> {
    fn strip_suffix_if(&self, test: impl Fn(&T) -> bool) -> &Self;
}

impl<T> StripSuffix<T> for [T] {
    fn strip_suffix_if(&self, test: impl Fn(&T) -> bool) -> &Self {
        match self.split_last() {
            Some((last, rest)) if test(last) => rest,
            _ => self,
        }
    }
}

/// Splits `head ? undefined : rest`; the head is empty without it.
fn split_undefined<'t, 'a>(body: &'t [Token<'a>]) -> (&'t [Token<'a>], &'t [Token<'a>]) {
    let at = body
        .windows(3)
        .position(|three| three[0].is("?") && three[1].is("undefined") && three[2].is(":"));
    match at {
        Some(at) => (&body[..at], &body[at + 3..]),
        None => (&[], body),
    }
}

/// Splits at a symbol outside of brackets.
pub(super) fn split<'t, 'a>(all: &'t [Token<'a>], symbol: &str) -> Vec<&'t [Token<'a>]> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    for (at, token) in all.iter().enumerate() {
        match token.text {
            _ if token.kind != Kind::Symbol => {}
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            text if depth == 0 && text == symbol => {
                parts.push(&all[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < all.len() {
        parts.push(&all[start..]);
    }
    parts
}

/// The attributes without which there is no value: `item.a === undefined`, `!item.a` and `isMissing(item.a, item.b)`.
fn missing(part: &[Token], parameters: &Parameters) -> Vec<String> {
    match part {
        [name, open, inside @ .., close]
            if name.is("isMissing") && open.is("(") && close.is(")") =>
        {
            let values = split(inside, ",").into_iter();
            values.filter_map(|one| parameters.attribute(one)).collect()
        }
        [not, rest @ ..] if not.is("!") => parameters.attribute(rest).into_iter().collect(),
        _ => match split_comparison(part) {
            Some((left, "===", [word])) if word.is("undefined") => {
                parameters.attribute(left).into_iter().collect()
            }
            _ => Vec::new(),
        },
    }
}

/// The conditions in one reason for no value: a missing value is none.
fn guard(
    part: &[Token],
    parameters: &Parameters,
    exists: &dyn Fn(&str) -> bool,
) -> Option<Vec<Condition>> {
    match part {
        [name, ..] if name.is("isMissing") => Some(Vec::new()),
        [not, open, inside @ .., close] if not.is("!") && open.is("(") && close.is(")") => {
            tests(inside, parameters, exists)
        }
        [not, rest @ ..] if not.is("!") => parameters.attribute(rest).map(|_| Vec::new()),
        _ => match split_comparison(part) {
            Some((left, "===", [word])) if word.is("undefined") => {
                parameters.attribute(left).map(|_| Vec::new())
            }
            _ => None,
        },
    }
}

/// Conditions joined by `&&`. `!==` also holds for an item without the attribute, unlike its condition in a design: none,
/// unless the attribute exists.
fn tests(
    all: &[Token],
    parameters: &Parameters,
    exists: &dyn Fn(&str) -> bool,
) -> Option<Vec<Condition>> {
    let mut conditions: Vec<Condition> = Vec::new();
    for part in split(all, "&&") {
        let part = match part {
            [open, inside @ .., close] if open.is("(") && close.is(")") => inside,
            part => part,
        };
        let test = one_test(part, parameters)?;
        let is_of = |other: &Condition| other.attribute == test.attribute;
        let is_not = matches!(test.test, Test::NotEquals(_));
        let is_there = (conditions.iter()).any(|other| is_of(other) && other.test != Test::Missing);
        if is_not && !is_there && !exists(&test.attribute) {
            return None;
        }
        // `a !== undefined && a !== "x"` is one test.
        let mut of_existence = conditions.iter_mut();
        match of_existence.find(|other| is_of(other) && other.test == Test::Exists) {
            Some(other) if is_not => *other = test,
            _ => conditions.push(test),
        }
    }
    Some(conditions)
}

fn one_test(part: &[Token], parameters: &Parameters) -> Option<Condition> {
    // `["a", "b"].some((other) => other === item.status)`
    if let Some(some) = part.iter().position(|token| token.is("some"))
        && part.first()?.is("[")
    {
        let close = part[..some].iter().rposition(|token| token.is("]"))?;
        let mut values = Vec::new();
        for value in split(&part[1..close], ",") {
            values.push(constant(value)?);
        }
        let arrow = part.iter().rposition(|token| token.is("=>"))?;
        let (_, _, right) = split_comparison(&part[arrow + 1..part.len() - 1])?;
        return Some(Condition {
            attribute: parameters.attribute(right)?,
            test: Test::OneOf(values),
        });
    }
    let (left, operator, right) = split_comparison(part)?;
    let attribute = parameters.attribute(left)?;
    let is_undefined = matches!(right, [word] if word.is("undefined"));
    let test = match (operator, is_undefined) {
        ("===", true) => Test::Missing,
        ("!==", true) => Test::Exists,
        ("===", false) => Test::Equals(constant(right)?),
        _ => Test::NotEquals(constant(right)?),
    };
    Some(Condition { attribute, test })
}

fn split_comparison<'t, 'a>(
    all: &'t [Token<'a>],
) -> Option<(&'t [Token<'a>], &'a str, &'t [Token<'a>])> {
    let at = all
        .iter()
        .position(|token| token.is("===") || token.is("!=="))?;
    Some((&all[..at], all[at].text, &all[at + 1..]))
}

fn constant(all: &[Token]) -> Option<Value> {
    match all {
        [token] => match token.kind {
            Kind::Text => Some(Value::S(unquoted(token.text)?)),
            Kind::Number => token.text.parse().ok().map(Value::N),
            Kind::Name => match token.text {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                "null" => Some(Value::Null),
                _ => None,
            },
            _ => None,
        },
        [minus, number] if minus.is("-") && number.kind == Kind::Number => {
            format!("-{}", number.text).parse().ok().map(Value::N)
        }
        _ => None,
    }
}

struct Reader {
    parameters: Parameters,
    is_encoded: bool,
}

impl Reader {
    /// A template, a text, or a single value.
    fn text(&mut self, all: &[Token]) -> Option<Template> {
        let mut template = Template::default();
        match all {
            [only] if only.kind == Kind::Template => {
                self.template(only.text, &mut template)?;
            }
            [only] if only.kind == Kind::Text => {
                template.segments.push(literal(unquoted(only.text)?));
            }
            _ => template.segments.push(self.placeholder(all, 8)?),
        }
        Some(template)
    }

    fn template(&mut self, source: &str, template: &mut Template) -> Option<()> {
        let inside = source.strip_prefix('`')?.strip_suffix('`')?;
        let mut rest = inside;
        let mut text = String::new();
        loop {
            let start = next_expression(rest);
            text.push_str(&unescaped(&rest[..start.unwrap_or(rest.len())]));
            let Some(start) = start else { break };
            if !text.is_empty() {
                template.segments.push(literal(std::mem::take(&mut text)));
            }
            let end = expression_end(&rest[start + 2..])?;
            let code = &rest[start + 2..start + 2 + end];
            template.segments.push(self.placeholder(&tokens(code), 8)?);
            rest = &rest[start + 3 + end..];
        }
        if !text.is_empty() {
            template.segments.push(literal(text));
        }
        Some(())
    }

    /// A value with modifiers.
    fn placeholder(&mut self, all: &[Token], depth: usize) -> Option<Segment> {
        let depth = depth.checked_sub(1)?;
        if let Some(attribute) = self.parameters.attribute(all) {
            return Some(Segment::Placeholder(Placeholder {
                attribute,
                modifiers: Vec::new(),
                span: 0..0,
            }));
        }
        if let [value @ .., dot, name, open, close] = all
            && dot.is(".")
            && open.is("(")
            && close.is(")")
        {
            let modifier = match name.text {
                "toLowerCase" => Some(Modifier::Lower),
                "toUpperCase" => Some(Modifier::Upper),
                "toString" => None,
                _ => return None,
            };
            return modified(self.placeholder(value, depth)?, modifier);
        }
        let [function, open, inside @ .., close] = all else {
            return None;
        };
        if function.kind != Kind::Name || !open.is("(") || !close.is(")") {
            return None;
        }
        let parts = split(inside, ",");
        let [value, arguments @ ..] = parts.as_slice() else {
            return None;
        };
        let mut numbers = Vec::new();
        for argument in arguments {
            match argument {
                [number] if number.kind == Kind::Number => {
                    numbers.push(number.text.parse::<u32>().ok()?);
                }
                _ => {}
            }
        }
        let small = |at: usize| u8::try_from(*numbers.get(at)?).ok();
        let modifier = match (function.text, numbers.as_slice()) {
            ("String", []) => None,
            ("encode", []) => {
                self.is_encoded = true;
                None
            }
            ("lower", []) => Some(Modifier::Lower),
            ("upper", []) => Some(Modifier::Upper),
            ("utc", [10]) => Some(Modifier::Date),
            ("utc", [7]) => Some(Modifier::Month),
            ("utc", [4]) => Some(Modifier::Year),
            ("pad", [_]) => Some(Modifier::Pad(small(0)?)),
            ("padDecimal", [_, _]) => Some(Modifier::PadDecimal {
                digits: small(0)?,
                decimals: small(1)?,
            }),
            ("desc", [_]) => Some(Modifier::Desc(small(0)?)),
            ("first", [count]) => Some(Modifier::First(*count)),
            ("shard", [count]) => Some(Modifier::Shard(*count)),
            _ => return None,
        };
        modified(self.placeholder(value, depth)?, modifier)
    }
}

fn modified(segment: Segment, modifier: Option<Modifier>) -> Option<Segment> {
    let Segment::Placeholder(mut placeholder) = segment else {
        return None;
    };
    placeholder.modifiers.extend(modifier);
    Some(Segment::Placeholder(placeholder))
}

/// A literal part of a template.
pub fn literal(text: String) -> Segment {
    Segment::Literal { text, span: 0..0 }
}

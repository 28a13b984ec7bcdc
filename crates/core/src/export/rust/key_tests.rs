//! Writes the tests of the generated file. The app itself renders the expected keys from the samples.

use super::function_inputs::{Input, Param, ParamType, Scope, may_hold};
use super::names::{Namespace, snake};
use super::patterns::{Kind, PatternPlan};
use super::plan::{KeyPlan, Plan, Shards};
use super::source::{Source, escape, quote};
use crate::model::{EntityId, OnDelimiter, Sample, SortOperator, Value};
use crate::slices::pause;
use crate::template::render_condition_value;
use std::sync::Arc;

/// The maximum number of samples per entity in the tests.
pub(super) const MAX_SAMPLES: usize = 20;

/// Writes the module of tests; nothing if there are none.
pub(super) async fn write_tests(src: &mut Source, plan: &Plan<'_>, patterns: &[PatternPlan<'_>]) {
    let tests = tests(plan, patterns).await;
    if tests.is_empty() {
        return;
    }
    src.line("");
    src.line("#[cfg(test)]");
    src.open("mod tests {");
    src.line("use super::*;");
    for (name, statements) in tests {
        pause().await;
        write_test(src, &name, statements);
    }
    src.close("}");
}

/// Writes the same tests as a file of the crate's `tests` folder.
pub(super) async fn write_integration_tests(
    src: &mut Source,
    plan: &Plan<'_>,
    patterns: &[PatternPlan<'_>],
    module: &str,
) {
    src.line("//! Compares the keys of the design's samples with those in Keyfold.");
    let tests = tests(plan, patterns).await;
    if tests.is_empty() {
        return;
    }
    src.line("");
    src.line(&format!("use {module}::*;"));
    for (name, statements) in tests {
        pause().await;
        write_test(src, &name, statements);
    }
}

/// Writes a test.
pub(super) fn write_test(src: &mut Source, name: &str, statements: Vec<Statement>) {
    src.line("");
    src.line("#[test]");
    src.open(&format!("fn {name}() -> Result<(), KeyError> {{"));
    for statement in statements {
        statement.write(src);
    }
    src.line("Ok(())");
    src.close("}");
}

/// Returns the tests of all keys and access patterns that have any.
async fn tests(plan: &Plan<'_>, patterns: &[PatternPlan<'_>]) -> Vec<(String, Vec<Statement>)> {
    // A test with the name of a function would shadow it.
    let mut names = Namespace::default();
    for pattern in patterns {
        names.take(pattern.name.clone());
    }
    let mut tests: Vec<(String, Vec<Statement>)> = Vec::new();
    for key in &plan.keys {
        pause().await;
        tests.push((names.take(snake(&key.name, "key")), key_test(plan, key)));
    }
    for pattern in patterns {
        pause().await;
        tests.push((
            names.take(format!("{}_request", pattern.name.trim_end_matches('_'))),
            pattern_test(plan, pattern),
        ));
    }
    tests.retain(|(_, statements)| !statements.is_empty());
    tests
}

/// A statement of a test.
pub(super) enum Statement {
    /// `let name = callee(args)?;`, as its head, its arguments and its tail.
    Call(String, Vec<String>, &'static str),
    /// `assert_eq!(left, right);`
    Equal(String, String),
    /// Any other line that is short enough.
    Line(String),
}

impl Statement {
    fn write(self, src: &mut Source) {
        match self {
            Statement::Call(head, args, tail) => src.call(&head, &args, tail),
            Statement::Equal(left, right) => src.macro_call("assert_eq!(", &[left, right], ");"),
            Statement::Line(line) => src.line(&line),
        }
    }
}

/// Returns the value of an attribute for a template.
pub(super) type Lookup<'l> = &'l dyn Fn(&str) -> Option<&'l Value>;

fn key_test(plan: &Plan, key: &KeyPlan) -> Vec<Statement> {
    let mut statements = Vec::new();
    let type_value = plan
        .design
        .entities
        .get(&key.entity)
        .map(|entity| Value::from(entity.name.as_str()));
    let mut first = None;
    for sample in plan.design.samples_of(key.entity).iter().take(MAX_SAMPLES) {
        let lookup = |name: &str| {
            let entity = || {
                type_value
                    .as_ref()
                    .filter(|_| plan.design.table.is_type_attribute(name))
            };
            sample.values.get(name).or_else(entity)
        };
        let expected: Option<Vec<Value>> = key
            .inputs
            .iter()
            .map(|input| expected(plan, input, &lookup))
            .collect();
        let Some((expected, args)) = expected.zip(args(&key.scope, &lookup)) else {
            continue;
        };
        statements.push(constructor(key, &args));
        statements.extend(compare(plan, key, &expected));
        first.get_or_insert(args);
    }
    if let Some(args) = first {
        if let Some(shards) = &key.shards {
            statements.extend(shards_test(key, shards, &args));
        }
        statements.extend(delimiter_test(plan, key, args));
    }
    statements
}

/// Checks the number of shards, and that one of them is the key of the first sample.
fn shards_test(key: &KeyPlan, shards: &Shards, args: &[String]) -> Vec<Statement> {
    let mut own = Vec::new();
    for param in &shards.scope.params {
        let place = key
            .scope
            .params
            .iter()
            .position(|other| other.attribute == param.attribute);
        own.extend(place.map(|place| args[place].clone()));
    }
    let call = |head: &str, args: &[String]| {
        Statement::Call(format!("let {head} = {}::", key.name), args.to_vec(), ")?;")
    };
    let with = |statement: Statement, method: &str| match statement {
        Statement::Call(head, args, tail) => {
            Statement::Call(format!("{head}{method}("), args, tail)
        }
        other => other,
    };
    vec![
        with(call("key", args), "new"),
        with(call("shards", &own), "pk_shards"),
        Statement::Line(format!("assert_eq!(shards.len(), {});", shards.count)),
        Statement::Line("assert!(shards.contains(&key.pk()));".to_owned()),
    ]
}

/// Compares the key in the variable `key` with the values, and parses it.
fn compare(plan: &Plan, key: &KeyPlan, expected: &[Value]) -> Vec<Statement> {
    let mut statements = Vec::new();
    for (method, value) in key.methods.iter().zip(expected) {
        let value = match value {
            Value::B(bytes) => byte_literal(bytes),
            other => quote(&other.to_text()),
        };
        statements.push(Statement::Equal(format!("key.{method}()"), value));
    }
    if key.methods.is_empty() && !expected.iter().any(|value| matches!(value, Value::B(_))) {
        let text: Vec<_> = expected.iter().map(Value::to_text).collect();
        statements.push(Statement::Equal(
            "key.to_string()".to_owned(),
            quote(&text.join(" | ")),
        ));
    }
    if key.parses() {
        let parts: Vec<_> = key
            .methods
            .iter()
            .map(|method| format!("&key.{method}()"))
            .collect();
        let parts = parts.join(", ");
        statements.push(Statement::Equal(
            format!("{}::parse({parts})?", key.name),
            "key".to_owned(),
        ));
        if key.index.is_primary() {
            statements.push(Statement::Call(
                "let any = AnyKey::parse(".to_owned(),
                vec![parts],
                match plan.is_borrowed() {
                    true => ")?.into_owned();",
                    false => ")?;",
                },
            ));
            statements.push(Statement::Line(
                "assert_eq!(any.attributes(), key.attributes());".to_owned(),
            ));
        }
    }
    statements
}

fn constructor(key: &KeyPlan, args: &[String]) -> Statement {
    if key.scope.fields.is_empty() {
        Statement::Line(format!("let key = {};", key.name))
    } else {
        Statement::Call(
            format!("let key = {}::new(", key.name),
            args.to_vec(),
            ")?;",
        )
    }
}

/// Checks the treatment of the delimiter in an id.
fn delimiter_test(plan: &Plan, key: &KeyPlan, mut args: Vec<String>) -> Vec<Statement> {
    let policy = &plan.design.delimiter;
    let strict = |param: usize| {
        let fields = || {
            key.scope
                .fields
                .iter()
                .filter(move |field| field.param == param)
        };
        fields().all(|field| field.modifiers.is_empty()) && fields().any(|field| field.strict)
    };
    let place = (key.scope.params.iter().enumerate())
        .find(|(place, param)| param.kind == ParamType::Text && strict(*place))
        .map(|(place, _)| place);
    let Some(place) = place else {
        return Vec::new();
    };
    args[place] = quote(&format!("a{}b", policy.delimiter));
    match policy.on_conflict {
        OnDelimiter::Reject => vec![
            Statement::Call(format!("let refused = {}::new(", key.name), args, ");"),
            Statement::Line(
                "assert!(matches!(refused, Err(KeyError::ContainsDelimiter { .. })));".to_owned(),
            ),
        ],
        OnDelimiter::PercentEncode
            if key.parses() && !may_hold(&policy.delimiter, "%0123456789ABCDEF") =>
        {
            let mut statements = vec![constructor(key, &args)];
            statements.extend(compare(plan, key, &[]).into_iter().take(1));
            statements
        }
        OnDelimiter::PercentEncode => Vec::new(),
    }
}

fn pattern_test(plan: &Plan, planned: &PatternPlan) -> Vec<Statement> {
    let pattern = planned.pattern;
    let sample: Option<(EntityId, &Arc<Sample>)> = pattern.sample.and_then(|id| {
        (plan.design.samples.iter())
            .flat_map(|(entity, samples)| samples.iter().map(|sample| (*entity, sample)))
            .find(|(_, sample)| sample.id == id)
    });
    let lookup = |name: &str| {
        let of_sample = || sample.and_then(|(_, sample)| sample.values.get(name));
        pattern.parameters.get(name).or_else(of_sample)
    };
    let expected: Option<Vec<Value>> = planned
        .inputs
        .iter()
        .map(|input| expected(plan, input, &lookup))
        .collect();
    let Some((expected, args)) = expected.zip(args(&planned.scope, &lookup)) else {
        return Vec::new();
    };
    if expected.iter().any(|value| matches!(value, Value::B(_))) {
        return Vec::new();
    }
    let tail = if planned.scope.fields.is_empty() {
        ");"
    } else {
        ")?;"
    };
    let call = |variable: &str| {
        Statement::Call(
            format!("let {variable} = {}(", planned.name),
            args.clone(),
            tail,
        )
    };
    let text = |name: &str, place: usize| {
        Statement::Call(
            format!("let {name} = String::from("),
            vec![quote(&expected[place].to_text())],
            ");",
        )
    };
    let made = |name: &str, place: usize| {
        format!("KeyValue::{}({name})", planned.inputs[place].kind.letter())
    };
    let mut statements = Vec::new();
    match &planned.kind {
        Kind::Query {
            partition, sort, ..
        } => {
            statements.push(call("query"));
            statements.push(text("pk", 0));
            statements.push(Statement::Equal(
                "query.partition.1".to_owned(),
                made("pk", 0),
            ));
            if let Some(condition) = sort.last() {
                let at = partition + sort.len() - 1;
                statements.push(text("sk", at));
                let mut bounds = vec![made("sk", at)];
                if condition.operator == SortOperator::Between {
                    statements.push(text("upper", at + 1));
                    bounds.push(made("upper", at + 1));
                }
                let head = format!("let sort = SortCondition::{:?}(", condition.operator);
                statements.push(Statement::Call(head, bounds, ");"));
                let constant = &planned.scope.values[at].constant;
                statements.push(Statement::Equal(
                    "query.sort".to_owned(),
                    format!("Some(({constant}, sort))"),
                ));
            }
        }
        Kind::Keys { count, single } => {
            let per_key = expected.len() / count;
            statements.push(call(if *single { "key" } else { "keys" }));
            for (place, _) in expected.iter().enumerate() {
                let (key, part) = (place / per_key, place % per_key);
                let name = if part == 0 { "pk" } else { "sk" };
                statements.push(text(name, place));
                let found = if *single {
                    format!("key[{part}].1")
                } else {
                    format!("keys[{key}][{part}].1")
                };
                statements.push(Statement::Equal(found, made(name, place)));
            }
        }
    }
    statements
}

/// Returns the value that the app renders; `None` if it reports an error.
pub(super) fn expected(plan: &Plan, input: &Input, lookup: Lookup) -> Option<Value> {
    render_condition_value(
        &input.template,
        input.kind.into(),
        &plan.design.delimiter,
        lookup,
        input.max_bytes,
    )
    .ok()
}

/// Returns the arguments of a call; `None` if a value does not fit its type.
fn args(scope: &Scope, lookup: Lookup) -> Option<Vec<String>> {
    scope
        .params
        .iter()
        .map(|param| arg(param, lookup(&param.attribute)?))
        .collect()
}

fn arg(param: &Param, value: &Value) -> Option<String> {
    match (param.kind, value) {
        (ParamType::Text, Value::S(_) | Value::N(_)) => Some(quote(&value.to_text())),
        (ParamType::Int, Value::N(number)) => number
            .to_string()
            .parse::<u64>()
            .ok()
            .map(|number| number.to_string()),
        (ParamType::Number, Value::N(number)) => match number.as_i64() {
            Some(number) => Some(format!("{number}_i64")),
            None => Some(format!("\"{number}\".parse::<Number>()?")),
        },
        (ParamType::Bool, Value::Bool(truth)) => Some(truth.to_string()),
        (ParamType::Bytes, Value::B(bytes)) => Some(byte_literal(bytes)),
        _ => None,
    }
}

/// Returns `b"…"` as a slice of any length.
pub(super) fn byte_literal(bytes: &[u8]) -> String {
    let text: String = bytes
        .iter()
        .map(|byte| match byte {
            b' '..=b'~' => escape(&char::from(*byte).to_string()),
            other => format!("\\x{other:02x}"),
        })
        .collect();
    format!("b\"{text}\"")
}

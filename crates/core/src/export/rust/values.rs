//! Writes the bodies of generated functions: from parameters to checked fields, from fields to the text of a key, and
//! from a key back to fields.

use super::function_inputs::{Field, Form, ParamType, Piece, Scope, Value};
use super::source::{Source, escape_format, quote};
use crate::model::KeyType;
use crate::template::Modifier;

/// Returns the parameters of a signature. `kept`: whether texts are stored, so that the caller can pass owned ones.
pub(super) fn signature(scope: &Scope, kept: bool) -> Vec<String> {
    let text = match (kept, scope.is_borrowed()) {
        (false, _) => "&str",
        (true, true) => "impl Into<Cow<'a, str>>",
        (true, false) => "&str",
    };
    let kind = |kind| match kind {
        ParamType::Text => text,
        ParamType::Number => "impl Into<Number>",
        ParamType::Int => "u64",
        ParamType::Bool => "bool",
        ParamType::Bytes => "impl Into<Vec<u8>>",
    };
    let param =
        |param: &super::function_inputs::Param| format!("{}: {}", param.name, kind(param.kind));
    scope.params.iter().map(param).collect()
}

/// Writes the checked fields from the parameters: `let tenant_id = part::text("tenantId", tenant_id)?;`.
pub(super) fn write_fields(src: &mut Source, scope: &Scope) {
    for param in 0..scope.params.len() {
        write_param(src, scope, param, false);
    }
}

/// Writes the fields of one parameter. `typed`: whether a number is a `Number` already.
pub(super) fn write_param(src: &mut Source, scope: &Scope, place: usize, typed: bool) {
    let param = &scope.params[place];
    let of: Vec<&Field> = scope
        .fields
        .iter()
        .filter(|field| field.param == place)
        .collect();
    let (name, label) = (&param.name, quote(&param.attribute));
    let base = |src: &mut Source, helper| {
        let head = format!("let {name} = {}(", src.part(helper));
        src.call(&head, &[label.clone(), name.clone()], ")?;");
    };
    match param.kind {
        ParamType::Text => {
            let strict = of
                .iter()
                .any(|field| field.modifiers.is_empty() && field.strict);
            base(src, if strict { "text" } else { "present" });
        }
        ParamType::Number if !typed => src.line(&format!("let {name}: Number = {name}.into();")),
        ParamType::Bytes => base(src, "bytes"),
        ParamType::Number | ParamType::Int | ParamType::Bool => {}
    }
    // The field with the parameter's name comes last: the others still need the parameter.
    let (own, others): (Vec<&Field>, Vec<&Field>) =
        of.iter().partition(|field| field.name == *name);
    for field in others.into_iter().chain(own) {
        write_field(src, scope, field);
    }
}

fn write_field(src: &mut Source, scope: &Scope, field: &Field) {
    let param = &scope.params[field.param];
    let (name, label) = (&field.name, quote(&param.attribute));
    match field.form {
        Form::Pad(digits) | Form::Desc(digits) => {
            let head = format!("let {name} = {}(", src.part("int"));
            src.call(
                &head,
                &[label, param.name.clone(), digits.to_string()],
                ")?;",
            );
        }
        Form::Decimal(digits, decimals) => {
            let head = format!("let {name} = {}(", src.part("decimal"));
            let args = [
                label,
                format!("&{}", param.name),
                digits.to_string(),
                decimals.to_string(),
            ];
            src.call(&head, &args, ")?;");
        }
        Form::Text if param.kind == ParamType::Text && field.modifiers.is_empty() => {}
        Form::Text => {
            let mut input = match param.kind {
                ParamType::Text => format!("&{}", param.name),
                ParamType::Number => format!("{}.as_str()", param.name),
                _ => format!("&{}.to_string()", param.name),
            };
            for modifier in &field.modifiers {
                write_modifier(src, name, modifier, &label, &input);
                input = format!("&{name}");
            }
            if field.strict && (scope.awkward || !is_numeric(&field.modifiers, param.kind)) {
                let head = format!("let {name} = {}(", src.part("text"));
                let owned = || input.trim_start_matches('&').to_owned();
                let made = if field.modifiers.is_empty() {
                    owned()
                } else {
                    name.clone()
                };
                src.call(&head, &[label, made], ")?.into_owned();");
            } else if field.modifiers.is_empty() {
                src.line(&format!(
                    "let {name} = {}.to_owned();",
                    input.trim_start_matches('&')
                ));
            }
        }
        Form::Number | Form::Bool | Form::Bytes => {}
    }
}

/// Whether a text consists of digits, dashes and points.
fn is_numeric(modifiers: &[Modifier], kind: ParamType) -> bool {
    let text = |modifier: &&Modifier| {
        !matches!(
            modifier,
            Modifier::Lower | Modifier::Upper | Modifier::First(_)
        )
    };
    match modifiers.iter().rfind(|modifier| text(modifier)) {
        Some(_) => true,
        None => matches!(kind, ParamType::Number | ParamType::Int),
    }
}

fn write_modifier(src: &mut Source, name: &str, modifier: &Modifier, label: &str, input: &str) {
    let (helper, labeled, numbers): (_, _, Vec<u32>) = match *modifier {
        Modifier::Lower => ("lower", false, vec![]),
        Modifier::Upper => ("upper", false, vec![]),
        Modifier::Date => ("date", true, vec![]),
        Modifier::Month => ("month", true, vec![]),
        Modifier::Year => ("year", true, vec![]),
        Modifier::Pad(digits) => ("pad", true, vec![digits.into()]),
        Modifier::PadDecimal { digits, decimals } => {
            ("pad_decimal", true, vec![digits.into(), decimals.into()])
        }
        Modifier::Desc(digits) => ("complement", true, vec![digits.into()]),
        Modifier::First(count) => ("first", false, vec![count]),
        Modifier::Shard(count) => ("shard", false, vec![count]),
    };
    let mut args = Vec::new();
    if labeled {
        args.push(label.to_owned());
    }
    args.push(input.to_owned());
    args.extend(numbers.iter().map(u32::to_string));
    let head = format!("let {name} = {}(", src.part(helper));
    src.call(&head, &args, if labeled { ")?;" } else { ");" });
}

/// Writes an expression or a statement with the text (S and N) or the bytes (B) of a key attribute between `head` and
/// `tail`. Its fields are at `owner` (`self.` or nothing).
pub(super) fn write_value(
    src: &mut Source,
    scope: &Scope,
    value: &Value,
    owner: &str,
    head: &str,
    tail: &str,
) {
    match value.pieces.as_slice() {
        [Piece::Literal(text)] => {
            return src.call(
                &format!("{head}String::from("),
                &[quote(text)],
                &format!("){tail}"),
            );
        }
        [Piece::Field { place, .. }] => {
            let field = &scope.fields[*place];
            let access = format!("{owner}{}", field.name);
            match field.form {
                Form::Bytes => {
                    return src.line(&format!("{head}{access}.clone(){tail}"));
                }
                Form::Text | Form::Number | Form::Bool => {
                    return src.line(&format!("{head}{access}.to_string(){tail}"));
                }
                Form::Desc(_) | Form::Decimal(..) => {
                    let call = piece(src, field, false, owner).1;
                    return src.line(&format!("{head}{}{tail}", call.unwrap_or_default()));
                }
                Form::Pad(_) => {}
            }
        }
        _ => {}
    }
    let mut literal = String::new();
    let mut args = Vec::new();
    for part in &value.pieces {
        match part {
            Piece::Literal(text) => literal.push_str(&escape_format(text)),
            Piece::Field { place, encoded } => {
                let (placeholder, arg) = piece(src, &scope.fields[*place], *encoded, owner);
                literal.push_str(&placeholder);
                args.extend(arg);
            }
        }
    }
    src.format(head, &format!("\"{literal}\""), &args, tail);
}

/// Returns a field in a format string, and its argument if it needs one.
fn piece(src: &mut Source, field: &Field, encoded: bool, owner: &str) -> (String, Option<String>) {
    let access = format!("{owner}{}", field.name);
    let plain = |spec: String| match owner {
        "" => (format!("{{{access}{spec}}}"), None),
        _ => (format!("{{{spec}}}"), Some(access.clone())),
    };
    match field.form {
        Form::Text if encoded => (
            "{}".to_owned(),
            Some(format!("{}(&{access})", src.part("encode"))),
        ),
        Form::Pad(digits) => plain(format!(":0{digits}")),
        Form::Desc(digits) => (
            "{}".to_owned(),
            Some(format!("{}({access}, {digits})", src.part("desc"))),
        ),
        Form::Decimal(digits, decimals) => {
            let call = format!("{}(&{access}, {digits}, {decimals})", src.part("fixed"));
            ("{}".to_owned(), Some(call))
        }
        Form::Text | Form::Number | Form::Bool | Form::Bytes => plain(String::new()),
    }
}

/// Writes the check of a key's length, only for S: a number has no limit, and bytes are checked directly.
pub(super) fn write_length(src: &mut Source, value: &Value, bytes: &str) {
    if value.fixed().is_none() && value.kind != KeyType::N {
        let head = format!("{}(", src.part("fits"));
        src.call(
            &head,
            &[
                value.constant.clone(),
                bytes.to_owned(),
                value.max_bytes.to_string(),
            ],
            ")?;",
        );
    }
}

/// Writes the body of `parse`, which splits the values in the variables `names`.
pub(super) fn write_parse(src: &mut Source, scope: &Scope, names: &[&str], methods: &[&str]) {
    let sources = scope.sources();
    let mut bound: Vec<(usize, bool)> = Vec::new();
    for (value, name) in scope.values.iter().zip(names) {
        write_split(src, scope, value, name, &sources, &mut bound);
    }
    if scope.fields.is_empty() {
        return src.line("Ok(Self)");
    }
    let simple = scope
        .params
        .iter()
        .enumerate()
        .all(|(param, _)| scope.is_readable(param));
    let mut args = Vec::new();
    for (place, encoded) in &bound {
        let field = &scope.fields[*place];
        if *encoded {
            let head = format!("let {} = {}(", field.name, src.part("decode"));
            src.call(&head, std::slice::from_ref(&field.name), ");");
        }
        let text = format!("{}{}", if *encoded { "&" } else { "" }, field.name);
        if field.is_whole() {
            write_read(src, scope, field, text);
        } else {
            write_read_derived(src, scope, field, text);
        }
    }
    for (place, param) in scope.params.iter().enumerate() {
        let read = scope
            .sources()
            .into_iter()
            .find(|source| scope.fields[*source].param == place);
        args.extend(read.map(|read| scope.fields[read].name.clone()));
        if !simple
            && scope.is_readable(place)
            && let Some(read) = read
        {
            if scope.fields[read].name != param.name {
                src.line(&format!(
                    "let {} = {};",
                    param.name, scope.fields[read].name
                ));
            }
            write_param(src, scope, place, true);
        }
    }
    let checked = scope
        .fields
        .iter()
        .any(|field| !field.modifiers.is_empty() || field.form != Form::Text)
        || bound.iter().any(|(_, encoded)| *encoded)
        || scope.values.iter().flat_map(Value::places).count() > scope.fields.len();
    if simple && !checked {
        return src.call("Self::new(", &args, ")");
    }
    if simple {
        src.call("let key = Self::new(", &args, ")?;");
    } else {
        let fields: Vec<_> = scope
            .fields
            .iter()
            .map(|field| field.name.clone())
            .collect();
        src.fields("let key = Self {", &fields, "};");
    }
    for ((value, name), method) in scope.values.iter().zip(names).zip(methods) {
        if value.kind != KeyType::B && value.fixed().is_none() {
            let head = format!("{}(", src.part("equal"));
            src.call(
                &head,
                &[
                    value.constant.clone(),
                    (*name).to_owned(),
                    format!("&key.{method}()"),
                ],
                ")?;",
            );
        }
    }
    src.line("Ok(key)");
}

/// Binds the source fields of one value to variables of their names. Skips a field that is bound already: the
/// comparison of the whole key finds any difference.
fn write_split(
    src: &mut Source,
    scope: &Scope,
    value: &Value,
    name: &str,
    sources: &[usize],
    bound: &mut Vec<(usize, bool)>,
) {
    if value.fixed().is_some() {
        let head = format!("{}(", src.part("equal"));
        return src.call(
            &head,
            &[
                value.constant.clone(),
                name.to_owned(),
                format!("Self::{}", name.to_uppercase()),
            ],
            ")?;",
        );
    }
    let mut before = String::new();
    let mut after: Vec<String> = Vec::new();
    let mut variables = Vec::new();
    for piece in &value.pieces {
        match piece {
            Piece::Literal(text) => match after.last_mut() {
                Some(last) => last.push_str(text),
                None => before.push_str(text),
            },
            Piece::Field { place, encoded } => {
                after.push(String::new());
                if sources.contains(place) && !bound.iter().any(|(other, _)| other == place) {
                    bound.push((*place, *encoded));
                    variables.push(scope.fields[*place].name.clone());
                } else {
                    variables.push("_".to_owned());
                }
            }
        }
    }
    if variables.iter().all(|variable| variable == "_") {
        return;
    }
    if value.pieces.len() == 1 {
        return src.line(&format!("let {} = {name};", variables[0]));
    }
    let after: Vec<_> = after.iter().map(|text| quote(text)).collect();
    let head = format!("let [{}] = {}(", variables.join(", "), src.part("split"));
    let args = [
        value.constant.clone(),
        name.to_owned(),
        quote(&before),
        format!("[{}]", after.join(", ")),
    ];
    src.call(&head, &args, ")?;");
}

/// Converts `text`, of a field with the whole value, to the constructor's type.
fn write_read(src: &mut Source, scope: &Scope, field: &Field, text: String) {
    let param = &scope.params[field.param];
    let (name, label) = (&field.name, quote(&param.attribute));
    let (helper, numbers) = match (field.form, param.kind) {
        (Form::Number, _) | (Form::Text, ParamType::Number) => ("number", vec![]),
        (Form::Pad(digits), _) => ("read_int", vec![digits]),
        (Form::Desc(digits), _) => ("read_desc", vec![digits]),
        (Form::Decimal(digits, decimals), _) => ("read_decimal", vec![digits, decimals]),
        (Form::Bool, _) | (Form::Text, ParamType::Bool) => ("read_bool", vec![]),
        (Form::Text | Form::Bytes, _) => return,
    };
    let mut args = vec![label, text];
    args.extend(numbers.iter().map(u8::to_string));
    let head = format!("let {name} = {}(", src.part(helper));
    src.call(&head, &args, ")?;");
}

/// Checks `text`, of a field with part of the value.
fn write_read_derived(src: &mut Source, scope: &Scope, field: &Field, text: String) {
    let param = &scope.params[field.param];
    let (name, label) = (&field.name, quote(&param.attribute));
    let shape = match field.modifiers.last() {
        Some(Modifier::Date) => Some("0000-00-00".to_owned()),
        Some(Modifier::Month) => Some("0000-00".to_owned()),
        Some(Modifier::Year) => Some("0000".to_owned()),
        Some(Modifier::Pad(digits) | Modifier::Desc(digits)) => Some("0".repeat((*digits).into())),
        Some(Modifier::PadDecimal { digits, decimals }) => Some(format!(
            "{}.{}",
            "0".repeat((*digits).into()),
            "0".repeat((*decimals).into())
        )),
        _ => None,
    };
    match (shape, field.modifiers.last()) {
        (Some(shape), _) => {
            let head = format!("let {name} = {}(", src.part("shape"));
            src.call(&head, &[label, text, quote(&shape)], ")?;");
        }
        (None, Some(Modifier::Shard(count))) => {
            let head = format!("let {name} = {}(", src.part("below"));
            src.call(&head, &[label, text, count.to_string()], ")?;");
        }
        (None, Some(modifier @ (Modifier::Lower | Modifier::Upper | Modifier::First(_)))) => {
            write_modifier(src, name, modifier, &label, &text);
            let helper = if field.strict { "text" } else { "present" };
            let head = format!("let {name} = {}(", src.part(helper));
            src.call(&head, &[label, name.clone()], ")?.into_owned();");
        }
        _ => {}
    }
}

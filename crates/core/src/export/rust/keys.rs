//! Writes the key structs: fields, checking constructor, texts of the key, prefixes, parsing.

use super::function_inputs::{Form, Scope, Value};
use super::patterns::{Kind, PatternPlan};
use super::plan::{KeyPlan, Plan};
use super::source::{Source, code, prose, quote};
use super::values::{signature, write_fields, write_length, write_param, write_parse, write_value};
use crate::model::{IndexId, KeyType};

/// Writes one key struct and its methods.
pub(super) fn write_key(src: &mut Source, plan: &Plan, key: &KeyPlan, patterns: &[PatternPlan]) {
    let Some(entity) = plan.design.entities.get(&key.entity) else {
        return;
    };
    let name = code(&entity.name);
    if key.index.is_primary() {
        src.doc(&format!("Primary key of {name}: {}.", key.templates()));
        if !entity.description.trim().is_empty() {
            src.line("///");
            src.doc(&prose(&entity.description));
        }
    } else {
        let index = code(plan.design.index_name(key.index));
        src.doc(&format!(
            "Key of {name} in the index {index}: {}.",
            key.templates()
        ));
    }
    if let Some(when) = &key.when {
        src.line("///");
        src.doc(&format!("Only for items with {when}; other items are not in the index. The constructor does not check this."));
    }
    if !key.parses() && !key.methods.is_empty() {
        src.line("///");
        src.doc("There is no `parse`, because the end of a value in this key is ambiguous.");
    }
    let served = served(key, patterns);
    if !served.is_empty() {
        src.line("///");
        src.doc(&format!("Access patterns: {}.", served.join(", ")));
    }
    src.line(match key.scope.fields.is_empty() {
        true => "#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]",
        false => "#[derive(Debug, Clone, PartialEq, Eq, Hash)]",
    });
    write_struct(src, key);
    src.line("");
    if key
        .scope
        .fields
        .iter()
        .any(|field| field.name.starts_with("from_") || field.name.starts_with("into_"))
    {
        src.line("#[allow(clippy::wrong_self_convention)]");
    }
    match key.scope.is_borrowed() {
        true => src.open(&format!("impl<'a> {}<'a> {{", key.name)),
        false => src.open(&format!("impl {} {{", key.name)),
    }
    if key.index.is_primary() {
        src.doc("The entity's name.");
        src.assign("pub const ENTITY: &'static str", &quote(&entity.name));
        src.line("");
    }
    for (value, method) in key.scope.values.iter().zip(&key.methods) {
        if let Some(text) = value.fixed() {
            src.doc(&format!(
                "The {} of every key.",
                code(attribute(plan, &value.constant))
            ));
            src.assign(
                &format!("pub const {}: &'static str", method.to_uppercase()),
                &quote(text),
            );
            src.line("");
        }
    }
    if !key.scope.fields.is_empty() {
        write_new(src, key);
        write_accessors(src, &key.scope);
    }
    for (place, method) in key.methods.iter().enumerate() {
        write_part(src, plan, key, place, method);
    }
    write_prefixes(src, key);
    write_shards(src, plan, key);
    write_attributes(src, plan, key);
    if key.parses() {
        write_parse_method(src, key);
    }
    write_into_owned(src, key);
    src.close("}");
    src.line("");
    write_display(src, key);
}

/// Returns the key attribute that a constant names.
pub(super) fn attribute<'a>(plan: &'a Plan, constant: &str) -> &'a str {
    let found = plan.attributes.iter().find(|(_, other)| other == constant);
    found.map_or("", |(name, _)| name)
}

/// Returns the key's type, with a lifetime if it has one.
pub(super) fn typed(key: &KeyPlan, lifetime: &str) -> String {
    match key.scope.is_borrowed() {
        true => format!("{}<{lifetime}>", key.name),
        false => key.name.clone(),
    }
}

fn write_struct(src: &mut Source, key: &KeyPlan) {
    if key.scope.fields.is_empty() {
        return src.line(&format!("pub struct {};", key.name));
    }
    src.open(&format!("pub struct {} {{", typed(key, "'a")));
    for field in &key.scope.fields {
        let kind = match field.form {
            Form::Text if field.is_borrowed(&key.scope) => "Cow<'a, str>",
            Form::Text => "String",
            Form::Number | Form::Decimal(..) => "Number",
            Form::Pad(_) | Form::Desc(_) => "u64",
            Form::Bool => "bool",
            Form::Bytes => "Vec<u8>",
        };
        src.line(&format!("{}: {kind},", field.name));
    }
    src.close("}");
}

fn write_new(src: &mut Source, key: &KeyPlan) {
    let scope = &key.scope;
    src.doc("Creates the key. Fails if a value is not valid in it.");
    src.allow_many_arguments(scope.params.len());
    src.signature(
        "pub fn new(",
        &signature(scope, true),
        ") -> Result<Self, KeyError> {",
    );
    write_fields(src, scope);
    let fields: Vec<_> = scope
        .fields
        .iter()
        .map(|field| field.name.clone())
        .collect();
    src.fields("let key = Self {", &fields, "};");
    for (place, value) in scope.values.iter().enumerate() {
        let bytes = match (key.methods.get(place), value.kind) {
            (Some(method), KeyType::S) => format!("key.{method}().len()"),
            _ => {
                let field = value
                    .places()
                    .next()
                    .map_or("", |place| scope.fields[place].name.as_str());
                format!("key.{field}.len()")
            }
        };
        let numeric = key.methods.is_empty()
            && value
                .places()
                .any(|place| scope.fields[place].form != Form::Text);
        if !numeric || value.kind == KeyType::B {
            write_length(src, value, &bytes);
        }
    }
    src.line("Ok(key)");
    src.close("}");
}

fn write_accessors(src: &mut Source, scope: &Scope) {
    for field in &scope.fields {
        let attribute = code(&scope.params[field.param].attribute);
        src.line("");
        if field.is_whole() {
            src.doc(&format!("The {attribute} in the key."));
        } else {
            let modifiers: Vec<_> = field.modifiers.iter().map(ToString::to_string).collect();
            src.doc(&format!(
                "The part of {attribute} in the key: {}.",
                code(&modifiers.join("|"))
            ));
        }
        let (kind, borrow) = match field.form {
            Form::Text => ("&str", "&"),
            Form::Number | Form::Decimal(..) => ("&Number", "&"),
            Form::Pad(_) | Form::Desc(_) => ("u64", ""),
            Form::Bool => ("bool", ""),
            Form::Bytes => ("&[u8]", "&"),
        };
        src.open(&format!("pub fn {}(&self) -> {kind} {{", field.name));
        src.line(&format!("{borrow}self.{}", field.name));
        src.close("}");
    }
    src.line("");
}

fn write_part(src: &mut Source, plan: &Plan, key: &KeyPlan, place: usize, method: &str) {
    let value = &key.scope.values[place];
    src.doc(&format!(
        "The value of {}: {}.",
        code(attribute(plan, &value.constant)),
        code(&value.template)
    ));
    let kind = if value.kind == KeyType::B {
        "Vec<u8>"
    } else {
        "String"
    };
    src.open(&format!("pub fn {method}(&self) -> {kind} {{"));
    match value.fixed() {
        Some(_) => src.line(&format!("Self::{}.to_owned()", method.to_uppercase())),
        None => write_value(src, &key.scope, value, "self.", "", ""),
    }
    src.close("}");
    src.line("");
}

fn write_prefixes(src: &mut Source, key: &KeyPlan) {
    for prefix in &key.prefixes {
        let value = prefix.value();
        src.doc(&format!(
            "For `begins_with` on the sort key: {}.",
            code(&value.template)
        ));
        src.allow_many_arguments(prefix.scope.params.len());
        match value.fixed() {
            Some(text) => {
                src.open(&format!("pub fn {}() -> &'static str {{", prefix.method));
                src.line(&quote(text));
            }
            None => {
                let head = format!("pub fn {}(", prefix.method);
                src.signature(
                    &head,
                    &signature(&prefix.scope, false),
                    ") -> Result<String, KeyError> {",
                );
                write_fields(src, &prefix.scope);
                write_value(src, &prefix.scope, value, "", "let prefix = ", ";");
                write_length(src, value, "prefix.len()");
                src.line("Ok(prefix)");
            }
        }
        src.close("}");
        src.line("");
    }
}

/// Returns links to the functions of the access patterns that read or write this key's entity here.
fn served(key: &KeyPlan, patterns: &[PatternPlan]) -> Vec<String> {
    let mut links = Vec::new();
    for planned in patterns {
        let index = match &planned.kind {
            Kind::Query { index, .. } => *index,
            Kind::Keys { .. } => IndexId::PRIMARY,
        };
        if index == key.index && planned.pattern.entities.contains(&key.entity) {
            links.push(format!("[`{}`]", planned.name));
        }
    }
    links
}

/// Writes the partition keys of all shards, for one query each.
fn write_shards(src: &mut Source, plan: &Plan, key: &KeyPlan) {
    let Some(shards) = &key.shards else { return };
    let value = &shards.scope.values[0];
    let name = code(attribute(plan, &value.constant));
    let count = shards.count;
    src.doc("The number of shards.");
    src.line(&format!("pub const SHARDS: u64 = {count};"));
    src.line("");
    src.doc(&format!(
        "Returns the value of {name} in every shard, for one query each: {}.",
        code(&value.template)
    ));
    let mut params = signature(&shards.scope, false);
    params.retain(|param| *param != format!("{}: u64", shards.variable));
    src.allow_many_arguments(shards.scope.params.len());
    let tail = ") -> Result<Vec<String>, KeyError> {";
    src.signature("pub fn pk_shards(", &params, tail);
    for (place, param) in shards.scope.params.iter().enumerate() {
        if param.name != shards.variable {
            write_param(src, &shards.scope, place, false);
        }
    }
    src.line("let mut shards = Vec::new();");
    src.open(&format!("for {} in 0..Self::SHARDS {{", shards.variable));
    write_value(src, &shards.scope, value, "", "let pk = ", ";");
    write_length(src, value, "pk.len()");
    src.line("shards.push(pk);");
    src.close("}");
    src.line("Ok(shards)");
    src.close("}");
    src.line("");
}

fn write_attributes(src: &mut Source, plan: &Plan, key: &KeyPlan) {
    src.doc("Returns the key attributes of the item: names and values.");
    let values = &key.scope.values;
    let alias =
        key.index.is_primary() && values.len() == plan.design.table.key.attributes().count();
    match alias {
        true => src.open("pub fn attributes(&self) -> PrimaryKey {"),
        false => src.open(&format!(
            "pub fn attributes(&self) -> [(&'static str, KeyValue); {}] {{",
            values.len()
        )),
    }
    let pair = |(place, value): (usize, &Value)| {
        let made = match key.methods.get(place) {
            Some(method) => format!("self.{method}()"),
            None => {
                let field = value.places().next().map(|place| &key.scope.fields[place]);
                let method = match field.is_some_and(|field| field.form == Form::Bytes) {
                    true => "clone",
                    false => "to_string",
                };
                format!(
                    "self.{}.{method}()",
                    field.map_or("", |field| field.name.as_str())
                )
            }
        };
        format!(
            "({}, KeyValue::{}({made}))",
            value.constant,
            value.kind.letter()
        )
    };
    let pairs: Vec<_> = values.iter().enumerate().map(pair).collect();
    src.call("[", &pairs, "]");
    src.close("}");
}

fn write_parse_method(src: &mut Source, key: &KeyPlan) {
    src.line("");
    src.doc("Parses the key of a stored item. Fails if it has another form.");
    src.signature(
        "pub fn parse(",
        &parse_params(key, key.scope.is_borrowed()),
        ") -> Result<Self, KeyError> {",
    );
    write_parse(src, &key.scope, &key.methods, &key.methods);
    src.close("}");
}

/// Returns the parameters of `parse`. `borrowed`: whether the parsed key borrows from them.
pub(super) fn parse_params(key: &KeyPlan, borrowed: bool) -> Vec<String> {
    let mut params = Vec::new();
    for (value, method) in key.scope.values.iter().zip(&key.methods) {
        let kind = match (value.kind == KeyType::B, borrowed) {
            (true, _) => "&[u8]",
            (false, true) => "&'a str",
            (false, false) => "&str",
        };
        params.push(format!("{method}: {kind}"));
    }
    params
}

/// Writes the conversion to a key that owns its texts.
fn write_into_owned(src: &mut Source, key: &KeyPlan) {
    if !key.scope.is_borrowed() {
        return;
    }
    src.line("");
    src.doc("Converts to a key that owns its text.");
    src.open(&format!(
        "pub fn into_owned(self) -> {} {{",
        typed(key, "'static")
    ));
    src.open(&format!("{} {{", key.name));
    for field in &key.scope.fields {
        let name = &field.name;
        match field.is_borrowed(&key.scope) {
            true => src.call(
                &format!("{name}: Cow::Owned("),
                &[format!("self.{name}.into_owned()")],
                "),",
            ),
            false => src.line(&format!("{name}: self.{name},")),
        }
    }
    src.close("}");
    src.close("}");
}

fn write_display(src: &mut Source, key: &KeyPlan) {
    src.open(&format!("impl fmt::Display for {} {{", typed(key, "'_")));
    src.open("fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {");
    let shown = |value: &Value| {
        if value.kind == KeyType::B {
            "{:?}"
        } else {
            "{}"
        }
    };
    match (key.scope.values.as_slice(), key.methods.as_slice()) {
        ([pk, sk], [..]) if key.methods.len() == 2 => {
            src.line(&format!(
                "write!(f, \"{} | {}\", self.pk(), self.sk())",
                shown(pk),
                shown(sk)
            ));
        }
        (values, methods) => {
            for (place, value) in values.iter().enumerate() {
                let field = value
                    .places()
                    .next()
                    .map_or("", |place| key.scope.fields[place].name.as_str());
                let made = methods
                    .first()
                    .map_or(format!("self.{field}"), |method| format!("self.{method}()"));
                let between = if place == 0 { "" } else { " | " };
                let end = if place + 1 < values.len() { "?;" } else { "" };
                src.line(&format!(
                    "write!(f, \"{between}{}\", {made}){end}",
                    shown(value)
                ));
            }
        }
    }
    src.close("}");
    src.close("}");
}

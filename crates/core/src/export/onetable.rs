//! OneTable: a schema and a table in TypeScript, whose keys have the same bytes as the app's.
//!
//! A key is a OneTable value template if that supports everything it needs. Otherwise (modifiers other than leading
//! zeros, conditions, encoded values) it is a function, which OneTable calls for a field whose value is `true`.

use super::Code;
use super::entity_keys::{
    DECIMAL, EntityKey, Source, Steps, checked_part, condition, entity_keys,
    has_placeholder_in_text, is_number_in_text, number_of, property, stored_as_key, validation,
    write_functions,
};
use super::literal::{self, Style};
use super::tree::{Map, Node};
use super::typescript::quoted;
use super::typescript::{self, Checked, in_backticks, inherited, is_inherited, line};
use super::writer::CodeWriter;
use super::writer::one_line;
use crate::engine::key_sources::is_replaced;
use crate::model::{
    AttributeType, Condition, Design, Entity, Index, IndexKind, KeyType, Projection,
};
use crate::slices::pause;
use crate::template::{Segment, Template};

/// OneTable's name for the primary key.
const PRIMARY: &str = "primary";

/// Writes the file of a design.
pub async fn onetable(design: &Design) -> Code {
    let mut out = CodeWriter::new();
    head(&mut out, design);
    let key = design.table.key.attributes().map(|key| key.name.as_str());
    let mut names = key.chain(design.table.type_attribute.as_deref());
    if let Some(name) = names.find(|name| is_inherited(name)) {
        typescript::comment(
            &mut out,
            &format!(
                "OneTable does not support this table: {name} is a property of every JavaScript object."
            ),
        );
        line(&mut out, "export {};");
        return out.finish();
    }
    line(&mut out, "import { Table } from \"dynamodb-onetable\";");
    let mut models = Map::new();
    let mut computed = Map::new();
    let mut called = Vec::new();
    for entity in design.entities.values() {
        pause().await;
        let mut functions = Map::new();
        match fields(design, entity, &mut functions, &mut called) {
            Ok(fields) => models.add(&entity.name, fields),
            Err(why) => {
                models.comment(one_line(&format!("{} is omitted: {why}.", entity.name)));
                continue;
            }
        }
        if !functions.is_empty() {
            computed.add(&entity.name, functions);
        }
    }
    let mut params = Map::new().with("isoDates", true);
    params.add("timestamps", false);
    params.add_some("typeField", design.table.type_attribute.as_deref());
    params.add("separator", design.delimiter.delimiter.as_str());
    let schema = Map::new()
        .with("format", "onetable:1.1.0")
        .with("version", "1.0.0")
        .with("indexes", indexes(design))
        .with("models", models)
        .with("params", params);
    out.end_line();
    typescript::code(&mut out, "export const schema = ");
    literal::write_in_slices(&mut out, &schema.into(), Style::TypeScript, 11).await;
    line(&mut out, " as const;");
    write_functions(&mut out, &called);
    let has_computed = !computed.is_empty();
    if has_computed {
        out.end_line();
        typescript::comment(
            &mut out,
            "Keys that OneTable templates cannot express; undefined if a value is missing.",
        );
        typescript::code(
            &mut out,
            "const keys: Record<string, Record<string, (item: any) => string | undefined>> = ",
        );
        literal::write_in_slices(&mut out, &computed.into(), Style::TypeScript, 1).await;
        line(&mut out, ";");
        out.end_line();
        line(
            &mut out,
            "function isMissing(...values: unknown[]): boolean {",
        );
        line(
            &mut out,
            "  return values.some((value) => value === undefined || value === null || value === \"\");",
        );
        line(&mut out, "}");
    }
    out.end_line();
    line(&mut out, "export const table = new Table({");
    out.indent(2);
    line(
        &mut out,
        &["name: ", &quoted(&design.table.name), ","].concat(),
    );
    line(&mut out, "schema,");
    line(&mut out, "partial: false,");
    if has_computed {
        line(
            &mut out,
            "value: (model, field, item) => keys[(model as any).name]?.[field]?.(item) as string,",
        );
    }
    out.dedent(2);
    line(&mut out, "});");
    out.finish()
}

fn head(out: &mut CodeWriter, design: &Design) {
    typescript::head(
        out,
        design,
        "Give the table a client: table.setClient(...).",
    );
    if design.table.type_attribute.is_none() {
        typescript::comment(
            out,
            "OneTable adds the attribute _type to each item: the name of its model.",
        );
    }
    for index in design.indexes.values() {
        if let Some(why) = left_out(index) {
            typescript::comment(out, &format!("The index {} is omitted: {why}.", index.name));
        }
    }
}

/// Returns why OneTable does not support an index. Its items are in the index nevertheless.
fn left_out(index: &Index) -> Option<&'static str> {
    if index.key.is_multi_attribute() {
        return Some("OneTable supports keys of at most two attributes");
    }
    if index.key.attributes().any(|key| is_inherited(&key.name)) {
        return Some("its key has a name that every JavaScript object has");
    }
    (index.name == PRIMARY).then_some("OneTable uses this name for the primary key")
}

fn indexes(design: &Design) -> Map {
    let mut indexes = Map::new();
    let all = design
        .index_ids()
        .filter_map(|id| Some((id, design.key(id)?)));
    for (id, key) in all {
        let secondary = design.indexes.get(&id);
        if secondary.is_some_and(|index| left_out(index).is_some()) {
            continue;
        }
        let mut index = Map::new();
        let is_local = secondary.is_some_and(|index| index.kind == IndexKind::Lsi);
        match is_local {
            true => index.add("type", "local"),
            false => index.add_some("hash", key.partition.first().map(|key| key.name.as_str())),
        }
        index.add_some("sort", key.sort.first().map(|key| key.name.as_str()));
        match secondary.map(|index| &index.projection) {
            None => {}
            Some(Projection::All) => index.add("project", "all"),
            Some(Projection::KeysOnly) => index.add("project", "keys"),
            Some(Projection::Include(names)) => {
                index.add("project", Node::texts(names));
            }
        }
        let name = secondary.map_or(PRIMARY, |index| &index.name);
        indexes.add(name, index);
    }
    indexes
}

/// Returns the fields of an entity: its keys, then its attributes.
fn fields<'d>(
    design: &'d Design,
    entity: &'d Entity,
    functions: &mut Map,
    called: &mut Vec<&'static str>,
) -> Result<Map, String> {
    let mut fields = Map::new();
    let mut written: Vec<&str> = Vec::new();
    let mut checked: Vec<(String, Checked)> = Vec::new();
    let mut padded: Vec<(String, u8)> = Vec::new();
    let keys = entity_keys(design, entity);
    if !keys.iter().any(|key| key.index.is_primary()) {
        return Err("it has no primary key".to_owned());
    }
    if let Some(name) = inherited(design, entity) {
        return Err(format!("{name} is a property of every JavaScript object"));
    }
    if let Some(why) = stored_as_key(design, entity) {
        return Err(why);
    }
    for key in &keys {
        if design
            .key(key.index)
            .is_some_and(|key| key.is_multi_attribute())
        {
            continue;
        }
        if let Some(why) = obstacle(design, entity, key) {
            if key.index.is_primary() {
                return Err(why);
            }
            let name = design.index_name(key.index);
            fields.comment(one_line(&format!("Not in {name}: {why}.")));
            continue;
        }
        if !key.when.is_empty() {
            fields.comment(
                "An update that ends the condition leaves the keys: remove them in the same update, with its parameter remove.",
            );
        }
        let optional = key.optional(entity);
        let optional: Vec<&str> = optional.iter().map(|a| a.name.as_str()).collect();
        for field in &key.fields {
            let name = field.attribute.name.as_str();
            let Source::Template(template) = &field.source else {
                continue;
            };
            if written.contains(&name) {
                continue;
            }
            written.push(name);
            for placeholder in template.placeholders() {
                let part = checked_part(template, placeholder, &design.delimiter);
                checked.extend(part.map(|part| (placeholder.attribute.clone(), part)));
            }
            let kind = match field.attribute.kind {
                KeyType::N => "Number",
                _ => "String",
            };
            let mut object = Map::new().with("type", Node::code(kind));
            let is_whole = optional.iter().all(|name| template.uses(name)) && key.when.is_empty();
            match native(design, template).filter(|_| is_whole) {
                Some(text) => {
                    object.add("value", text.as_str());
                    padded.extend(template.placeholders().filter_map(|placeholder| {
                        let steps = Steps::of(template, placeholder, &design.delimiter);
                        Some((placeholder.attribute.clone(), steps.only_padding()?))
                    }));
                }
                None => {
                    object.add("value", true);
                    let made = function(design, template, &key.when, &optional, called);
                    functions.add(name, made);
                }
            }
            fields.add(name, object);
        }
    }
    for attribute in &entity.attributes {
        let name = attribute.name.as_str();
        if written.contains(&name) || design.table.is_type_attribute(name) {
            continue;
        }
        let kind = match attribute.kind {
            AttributeType::S => "String",
            AttributeType::N => "Number",
            AttributeType::B => "ArrayBuffer",
            AttributeType::Bool => "Boolean",
            AttributeType::L => "Array",
            AttributeType::M => "Object",
            AttributeType::Ss | AttributeType::Ns | AttributeType::Bs => "Set",
            AttributeType::Null => "String",
        };
        let mut object = Map::new().with("type", Node::code(kind));
        if attribute.kind == AttributeType::Null {
            object.add("nulls", true);
        }
        if attribute.required {
            object.add("required", true);
        }
        if attribute.key_only {
            match encoded(design, &keys, name).filter(|_| attribute.kind == AttributeType::S) {
                Some(place) => object.add("encode", place),
                None => fields.comment(one_line(&format!(
                    "{name} is key-only, but OneTable stores it in items: it cannot parse it back."
                ))),
            }
        }
        let own = padded.iter().filter(|(padded, _)| padded == name);
        let fits = own.map(|(_, digits)| *digits).min();
        let fits = fits
            .map(number_of)
            .or_else(|| is_number_in_text(attribute, &keys).then(|| DECIMAL.to_owned()));
        let fits = fits.map(Node::Code);
        if let Some(pattern) = fits.or_else(|| validation(design, attribute, &checked)) {
            object.add("validate", pattern);
        }
        fields.add(name, object);
    }
    Ok(fields)
}

/// Returns where OneTable finds the value of a key-only attribute: a key attribute of the table, the delimiter, and the
/// place of the value between the delimiters. `None` if the value does not stand alone there.
fn encoded(design: &Design, keys: &[EntityKey], name: &str) -> Option<Node> {
    let policy = &design.delimiter;
    let delimiter = policy.delimiter.as_str();
    let primary = keys.iter().find(|key| key.index.is_primary())?;
    for field in &primary.fields {
        let Source::Template(template) = &field.source else {
            continue;
        };
        let mut place: u64 = 0;
        let mut found = None;
        for (at, segment) in template.segments.iter().enumerate() {
            match segment {
                Segment::Literal { text, .. } => place += text.matches(delimiter).count() as u64,
                Segment::Placeholder(placeholder) => {
                    let literal = |at: usize| match template.segments.get(at) {
                        Some(Segment::Literal { text, .. }) => Some(text.as_str()),
                        _ => None,
                    };
                    let starts = at == 0 || literal(at - 1).is_some_and(|t| t.ends_with(delimiter));
                    let ends = at + 1 == template.segments.len()
                        || literal(at + 1).is_some_and(|t| t.starts_with(delimiter));
                    // A value that may contain the delimiter moves the places after it.
                    if checked_part(template, placeholder, policy).is_none() {
                        break;
                    }
                    let is_whole = placeholder.modifiers.is_empty();
                    if placeholder.attribute == name && is_whole && starts && ends {
                        found = Some(place);
                    }
                }
                Segment::Broken { .. } => return None,
            }
        }
        if let Some(place) = found {
            let key = field.attribute.name.as_str();
            return Some(Node::List(vec![key.into(), delimiter.into(), place.into()]));
        }
    }
    None
}

/// Returns why OneTable does not support a key of the entity.
fn obstacle(design: &Design, entity: &Entity, key: &EntityKey) -> Option<String> {
    if let Some(why) = key.empty {
        return Some(why.to_owned());
    }
    for field in &key.fields {
        match &field.source {
            Source::None(why) => return Some((*why).to_owned()),
            Source::Own => {}
            Source::Template(template) => {
                let uses_type = |name: &String| template.uses(name);
                if design.table.type_attribute.as_ref().is_some_and(uses_type) {
                    return Some("its template contains the type attribute".to_owned());
                }
                let mut names = template.attributes();
                if let Some(name) = names.find(|name| is_replaced(design, entity, name)) {
                    return Some(format!(
                        "its template has {name}, which a template writes itself"
                    ));
                }
                let mut names = template.attributes();
                if let Some(name) = names.find(|name| entity.attribute(name).is_none()) {
                    return Some(format!(
                        "its template has {name}, which is not an attribute of the entity"
                    ));
                }
            }
        }
        if design.table.is_type_attribute(&field.attribute.name) {
            return Some("its key is the type attribute".to_owned());
        }
    }
    for test in &key.when {
        if condition(test).is_none() {
            let name = &test.attribute;
            return Some(format!(
                "its condition on {name} has a value that JavaScript cannot write as a constant"
            ));
        }
    }
    None
}

/// Returns the template as a OneTable value template, if it can express it.
fn native(design: &Design, template: &Template) -> Option<String> {
    if has_placeholder_in_text(template) {
        return None;
    }
    let mut text = String::new();
    for segment in &template.segments {
        match segment {
            Segment::Literal { text: literal, .. } => text.push_str(literal),
            Segment::Placeholder(placeholder) => {
                let steps = Steps::of(template, placeholder, &design.delimiter);
                let name = placeholder.attribute.as_str();
                // OneTable would read these as a path into a value.
                if name.contains(['.', '[', ']', '$']) {
                    return None;
                }
                match (steps.is_empty(), steps.only_padding()) {
                    (true, _) => text.push_str(&["${", name, "}"].concat()),
                    (_, Some(digits)) => text.push_str(&format!("${{{name}:{digits}:0}}")),
                    _ => return None,
                }
            }
            Segment::Broken { .. } => return None,
        }
    }
    Some(text)
}

/// Returns a function from an item to the key.
fn function(
    design: &Design,
    template: &Template,
    when: &[&Condition],
    optional: &[&str],
    called: &mut Vec<&'static str>,
) -> Node {
    let mut text = String::new();
    let mut values: Vec<String> = optional.iter().map(|name| property("item", name)).collect();
    for segment in &template.segments {
        match segment {
            Segment::Literal { text: literal, .. } => text.push_str(&in_backticks(literal)),
            Segment::Placeholder(placeholder) => {
                let steps = Steps::of(template, placeholder, &design.delimiter);
                called.extend(steps.functions());
                let value = property("item", &placeholder.attribute);
                text.push_str(&["${", &steps.call(&value), "}"].concat());
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            Segment::Broken { .. } => {}
        }
    }
    let mut tests = Vec::new();
    if !values.is_empty() {
        tests.push(["isMissing(", &values.join(", "), ")"].concat());
    }
    for test in when {
        if let Some(test) = condition(test) {
            tests.push(["!(", &test, ")"].concat());
        }
    }
    let key = ["`", &text, "`"].concat();
    let body = match tests.is_empty() {
        true => key,
        false => [&tests.join(" || "), " ? undefined : ", &key].concat(),
    };
    Node::Code(["(item) => ", &body].concat())
}

//! Writes the items: a struct per entity with its attributes and methods for its keys, and the changes that an update
//! must make so that no index key goes stale.

use super::conditions::{never, write_conditions};
use super::function_inputs::{Form, Param, ParamType};
use super::keys::typed;
use super::names::{Namespace, snake};
use super::plan::{KeyPlan, Plan};
use super::source::{Source, code, prose, quote};
use crate::engine::key_sources::{entries_of_key, has_template, templates_in};
use crate::model::{AttributeType, Entity, EntityId};
use crate::slices::pause;
use crate::template::parse;

/// The items of one entity.
#[derive(Debug)]
pub(super) struct ItemPlan {
    pub entity: EntityId,
    /// Name of the struct.
    pub name: String,
    pub fields: Vec<ItemField>,
    /// Index of the primary key among the plan's keys.
    pub key: usize,
    /// Indexes of the secondary index keys among the plan's keys, with their methods.
    pub indexes: Vec<(usize, String)>,
}

/// An attribute of an item.
#[derive(Debug)]
pub(super) struct ItemField {
    pub attribute: String,
    pub name: String,
    pub kind: AttributeType,
    pub required: bool,
    /// Whether items do not store it.
    pub key_only: bool,
    /// The key attributes that contain its value.
    pub keys: Vec<String>,
}

impl ItemField {
    /// Whether the type is an `Option`. A set is not: an empty set counts as missing.
    pub fn is_option(&self) -> bool {
        !self.required && !self.is_set()
    }

    fn is_set(&self) -> bool {
        matches!(
            self.kind,
            AttributeType::Ss | AttributeType::Ns | AttributeType::Bs
        )
    }

    /// Returns an expression for the value as an `Option`, `None` if it is missing or empty; nothing if it is always there.
    /// `number` is the method that takes a number out: `as_ref` or `clone`.
    fn sparse(&self, number: &str) -> Option<String> {
        let name = &self.name;
        Some(match (self.kind, self.required) {
            (AttributeType::S, true) => format!("filled(Some(self.{name}.as_str()))"),
            (AttributeType::S, false) => format!("filled(self.{name}.as_deref())"),
            (AttributeType::B, true) => format!("filled_bytes(Some(&self.{name}))"),
            (AttributeType::B, false) => format!("filled_bytes(self.{name}.as_ref())"),
            (AttributeType::N, false) => format!("self.{name}.{number}()"),
            (AttributeType::Bool, false) => format!("self.{name}"),
            _ => return None,
        })
    }

    fn rust_type(&self) -> String {
        let kind = match self.kind {
            AttributeType::S => "String",
            AttributeType::N => "Number",
            AttributeType::B => "Bytes",
            AttributeType::Bool => "bool",
            AttributeType::Null => "()",
            AttributeType::L => "Vec<Value>",
            AttributeType::M => "BTreeMap<String, Value>",
            AttributeType::Ss => "Vec<String>",
            AttributeType::Ns => "Vec<Number>",
            AttributeType::Bs => "Vec<Bytes>",
        };
        match self.is_option() {
            true => format!("Option<{kind}>"),
            false => kind.to_owned(),
        }
    }
}

impl ItemPlan {
    /// Returns an expression for the value of a field, of the variable `key` with the primary key; `None` if the key does
    /// not hold the whole value.
    pub fn restored(&self, plan: &Plan, field: &ItemField) -> Option<String> {
        let scope = &plan.keys[self.key].scope;
        let of_key = |found: &&super::function_inputs::Field| {
            scope.params[found.param].attribute == field.attribute && found.is_whole()
        };
        let found = scope.fields.iter().find(of_key)?;
        let accessor = format!("key.{}()", found.name);
        let value = match (field.kind, found.form) {
            (AttributeType::S, Form::Text) => format!("String::from({accessor})"),
            (AttributeType::N, Form::Number | Form::Decimal(..)) => format!("{accessor}.clone()"),
            (AttributeType::N, Form::Pad(_) | Form::Desc(_)) => format!("Number::from({accessor})"),
            (AttributeType::Bool, Form::Bool) => accessor,
            (AttributeType::B, Form::Bytes) => format!("Bytes({accessor}.to_vec())"),
            _ => return None,
        };
        Some(match field.is_option() {
            true => format!("Some({value})"),
            false => value,
        })
    }
}

/// Plans the items of all entities with a primary key.
pub(super) async fn plan_items(plan: &Plan<'_>) -> Vec<ItemPlan> {
    let mut items = Vec::new();
    for (place, key) in plan.keys.iter().enumerate() {
        pause().await;
        if !key.index.is_primary() {
            continue;
        }
        let Some(entity) = plan.design.entities.get(&key.entity) else {
            continue;
        };
        let mut methods =
            Namespace::without(&["key", "key_attributes", "key_update", "set_from_key"]);
        let mut indexes = Vec::new();
        for (place, other) in plan.keys.iter().enumerate() {
            if other.entity == key.entity && !other.index.is_primary() {
                let index = snake(plan.design.index_name(other.index), "index");
                let name = methods.take(format!("{}_key", index.trim_end_matches('_')));
                indexes.push((place, name));
            }
        }
        items.push(ItemPlan {
            entity: key.entity,
            name: format!("{}Item", key.variant),
            fields: fields(plan, key.entity, entity),
            key: place,
            indexes,
        });
    }
    items
}

/// Returns the entity's attributes, and those that only its templates name.
fn fields(plan: &Plan, id: EntityId, entity: &Entity) -> Vec<ItemField> {
    let mut names = Namespace::default();
    let mut fields: Vec<ItemField> = Vec::new();
    for attribute in &entity.attributes {
        fields.push(ItemField {
            attribute: attribute.name.clone(),
            name: names.take(snake(&attribute.name, "attribute")),
            kind: attribute.kind,
            required: attribute.required,
            key_only: attribute.key_only,
            keys: Vec::new(),
        });
    }
    for key in plan.keys.iter().filter(|key| key.entity == id) {
        for param in &key.scope.params {
            if is_type(plan, param)
                || fields
                    .iter()
                    .any(|field| field.attribute == param.attribute)
            {
                continue;
            }
            fields.push(ItemField {
                attribute: param.attribute.clone(),
                name: names.take(snake(&param.attribute, "attribute")),
                kind: match param.kind {
                    ParamType::Text => AttributeType::S,
                    ParamType::Number | ParamType::Int => AttributeType::N,
                    ParamType::Bool => AttributeType::Bool,
                    ParamType::Bytes => AttributeType::B,
                },
                required: false,
                key_only: false,
                keys: Vec::new(),
            });
        }
        for value in &key.scope.values {
            let name = super::keys::attribute(plan, &value.constant);
            for place in value.places() {
                let param = &key.scope.params[key.scope.fields[place].param];
                for field in &mut fields {
                    let is_new = !field.keys.iter().any(|key| key == name);
                    if field.attribute == param.attribute && field.attribute != name && is_new {
                        field.keys.push(name.to_owned());
                    }
                }
            }
        }
    }
    fields
}

/// Whether a parameter is the type attribute.
fn is_type(plan: &Plan, param: &Param) -> bool {
    plan.design.table.is_type_attribute(&param.attribute)
}

/// Writes the structs and their methods.
pub(super) async fn write_items(src: &mut Source, plan: &Plan<'_>, items: &[ItemPlan]) {
    for item in items {
        pause().await;
        src.line("");
        write_item(src, plan, item);
    }
}

fn write_item(src: &mut Source, plan: &Plan, item: &ItemPlan) {
    let Some(entity) = plan.design.entities.get(&item.entity) else {
        return;
    };
    src.doc(&format!("An item of {}.", code(&entity.name)));
    if !entity.description.trim().is_empty() {
        src.line("///");
        src.doc(&prose(&entity.description));
    }
    src.line("#[derive(Debug, Clone, PartialEq, Default)]");
    src.attribute(
        "cfg_attr",
        "serde",
        "derive",
        &[
            "serde::Serialize".to_owned(),
            "serde::Deserialize".to_owned(),
        ],
    );
    if item.fields.is_empty() {
        src.line(&format!("pub struct {} {{}}", item.name));
    } else {
        src.open(&format!("pub struct {} {{", item.name));
        for field in &item.fields {
            write_field(src, plan, item, entity, field);
        }
        src.close("}");
    }
    src.line("");
    src.open(&format!("impl {} {{", item.name));
    write_key(src, plan, item, &plan.keys[item.key], "key", entity);
    write_set_from_key(src, plan, item);
    for (place, method) in &item.indexes {
        src.line("");
        write_key(src, plan, item, &plan.keys[*place], method, entity);
    }
    src.close("}");
    src.line("");
    src.open(&format!("impl Item for {} {{", item.name));
    let key = &plan.keys[item.key].name;
    src.line(&format!("const ENTITY: &'static str = {key}::ENTITY;"));
    src.line("");
    let mut own = Vec::new();
    for (name, constant) in &plan.attributes {
        let is_own = |field: &ItemField| field.attribute == *name && !field.key_only;
        if item.fields.iter().any(is_own) && !has_template(plan.design, entity, name) {
            own.push(constant.clone());
        }
    }
    src.call("const OWN: &'static [&'static str] = &[", &own, "];");
    src.line("");
    src.open("fn key_attributes(&self) -> Result<Vec<(&'static str, KeyValue)>, KeyError> {");
    src.line("let mut attributes = Vec::new();");
    src.line("extend(&mut attributes, self.key()?.attributes());");
    for (_, method) in &item.indexes {
        src.open(&format!("if let Some(key) = self.{method}()? {{"));
        src.line("extend(&mut attributes, key.attributes());");
        src.close("}");
    }
    if plan.design.table.type_attribute.is_some() {
        src.line("let entity = KeyValue::S(String::from(Self::ENTITY));");
        src.line("extend(&mut attributes, [(TYPE_ATTRIBUTE, entity)]);");
    }
    src.line("Ok(attributes)");
    src.close("}");
    src.close("}");
}

fn write_field(src: &mut Source, plan: &Plan, item: &ItemPlan, entity: &Entity, field: &ItemField) {
    let attribute = entity.attribute(&field.attribute);
    let description = attribute.map_or("", |attribute| attribute.description.as_str());
    let mut text = format!("The attribute {}.", code(&field.attribute));
    if !description.trim().is_empty() {
        text.push(' ');
        text.push_str(&prose(description));
    }
    src.doc(&text);
    if !field.keys.is_empty() {
        let keys: Vec<_> = field.keys.iter().map(|key| code(key)).collect();
        src.line("///");
        src.doc(&format!("Part of {}.", keys.join(", ")));
    }
    if field.key_only {
        src.line("///");
        src.doc(match item.restored(plan, field) {
            Some(_) => "Not stored: after a read, `set_from_key` sets it.",
            None => "Not stored, and not in the primary key: a read item lacks it.",
        });
        let skip = ["skip".to_owned()];
        src.attribute("cfg_attr", "serde", "serde", &skip);
        return src.line(&format!("pub {}: {},", field.name, field.rust_type()));
    }
    let mut serde = Vec::new();
    if field.name != field.attribute {
        serde.push(format!("rename = {}", quote(&field.attribute)));
    }
    if !field.required {
        let skip = match field.is_set() {
            true => "Vec::is_empty",
            false => "Option::is_none",
        };
        serde.push("default".to_owned());
        serde.push(format!("skip_serializing_if = {}", quote(skip)));
    }
    if !serde.is_empty() {
        src.attribute("cfg_attr", "serde", "serde", &serde);
    }
    let set = match field.kind {
        AttributeType::Ss => "string_set",
        AttributeType::Ns => "number_set",
        AttributeType::Bs => "binary_set",
        _ => "",
    };
    if !set.is_empty() {
        let with = format!("with = {}", quote(&format!("serde_dynamo::{set}")));
        src.attribute("cfg_attr", "serde_dynamo", "serde", &[with]);
    }
    src.line(&format!("pub {}: {},", field.name, field.rust_type()));
}

/// Writes the method for a key: of the table, or of an index, which may not contain the item.
fn write_key(
    src: &mut Source,
    plan: &Plan,
    item: &ItemPlan,
    key: &KeyPlan,
    method: &str,
    entity: &Entity,
) {
    let primary = key.index.is_primary();
    let made = match primary {
        true => {
            src.doc(
                "Returns the primary key, or an error that names the attribute without a value.",
            );
            typed(key, "'_")
        }
        false => {
            src.doc(&format!(
                "Returns the key in {}, or `None` if the item is not in that index.",
                code(plan.design.index_name(key.index))
            ));
            format!("Option<{}>", typed(key, "'_"))
        }
    };
    src.signature(
        &format!("pub fn {method}("),
        &["&self".to_owned()],
        &format!(") -> Result<{made}, KeyError> {{"),
    );
    if !primary {
        let entries = entries_of_key(plan.design, entity, key.index);
        if let Some(condition) = (entries.iter()).find_map(|(_, entry)| never(item, entry)) {
            let name = code(&condition.attribute);
            let why = format!(
                "No item is in the index: the condition is on {name}, which is not stored."
            );
            src.comment("//", &why);
            src.line("Ok(None)");
            return src.close("}");
        }
        for (_, entry) in &entries {
            write_conditions(src, item, entry);
        }
        for field in also_needed(plan, item, key, entity) {
            if let Some(value) = field.sparse("as_ref") {
                src.open(&format!("if {value}.is_none() {{"));
                src.line("return Ok(None);");
                src.close("}");
            }
        }
    }
    let mut args = Vec::new();
    for param in &key.scope.params {
        let field = item
            .fields
            .iter()
            .find(|field| field.attribute == param.attribute);
        match field {
            None => src.line(&format!("let {} = Self::ENTITY;", param.name)),
            Some(field) if primary => write_needed(src, field, param),
            Some(field) => write_sparse(src, field, param),
        }
        args.push(param.name.clone());
    }
    let (open, close) = if primary {
        ("", "")
    } else {
        ("Ok(Some(", "))")
    };
    if key.scope.fields.is_empty() {
        let (open, close) = if primary { ("Ok(", ")") } else { (open, close) };
        src.line(&format!("{open}{}{close}", key.name));
    } else if primary {
        src.call(&format!("{}::new(", key.name), &args, ")");
    } else {
        src.call(&format!("let key = {}::new(", key.name), &args, ")?;");
        src.line("Ok(Some(key))");
    }
    src.close("}");
}

/// Returns the fields that the key itself does not contain, but the templates of the entries that write it do: without one
/// of them the item has no such key.
pub(super) fn also_needed<'i>(
    plan: &Plan,
    item: &'i ItemPlan,
    key: &KeyPlan,
    entity: &Entity,
) -> Vec<&'i ItemField> {
    let mut templates = Vec::new();
    for (index, _) in entries_of_key(plan.design, entity, key.index) {
        let of_entry = templates_in(plan.design, entity, index);
        templates.extend(of_entry.map(|template| parse(template.text).template));
    }
    let needs = |field: &&ItemField| {
        let name = &field.attribute;
        let in_key = (key.scope.params.iter()).any(|param| param.attribute == *name);
        !in_key && templates.iter().any(|template| template.uses(name))
    };
    item.fields.iter().filter(needs).collect()
}

/// Writes the method that sets the attributes that only the primary key holds.
fn write_set_from_key(src: &mut Source, plan: &Plan, item: &ItemPlan) {
    let key_only = item.fields.iter().filter(|field| field.key_only);
    let mut set = Vec::new();
    for field in key_only {
        if let Some(value) = item.restored(plan, field) {
            set.push((format!("self.{}", field.name), value));
        }
    }
    if set.is_empty() {
        return;
    }
    src.line("");
    src.doc("Sets the attributes that are not stored from the primary key of a read item.");
    let key = typed(&plan.keys[item.key], "'_");
    src.signature(
        "pub fn set_from_key(",
        &["&mut self".to_owned(), format!("key: &{key}")],
        ") {",
    );
    for (field, value) in &set {
        src.assign(field, value);
    }
    src.close("}");
}

/// Writes a value that the primary key needs.
fn write_needed(src: &mut Source, field: &ItemField, param: &Param) {
    let (name, own) = (&param.name, &field.name);
    let label = quote(&field.attribute);
    if field.required {
        match param.kind {
            ParamType::Text => src.line(&format!("let {name} = self.{own}.as_str();")),
            ParamType::Number => src.line(&format!("let {name} = self.{own}.clone();")),
            ParamType::Int => src.call(
                &format!("let {name} = whole("),
                &[label, format!("&self.{own}")],
                ")?;",
            ),
            ParamType::Bool => src.line(&format!("let {name} = self.{own};")),
            ParamType::Bytes => src.line(&format!("let {name} = self.{own}.0.as_slice();")),
        }
        return;
    }
    let value = match param.kind {
        ParamType::Text => format!("self.{own}.as_deref()"),
        ParamType::Number => format!("self.{own}.clone()"),
        ParamType::Int => format!("self.{own}.as_ref()"),
        ParamType::Bool => format!("self.{own}"),
        ParamType::Bytes => format!("filled_bytes(self.{own}.as_ref())"),
    };
    src.call(
        &format!("let {name} = needed("),
        &[label.clone(), value],
        ")?;",
    );
    if param.kind == ParamType::Int {
        src.call(
            &format!("let {name} = whole("),
            &[label, name.clone()],
            ")?;",
        );
    }
}

/// Writes a value that the index key needs; without it, the item is not in the index.
fn write_sparse(src: &mut Source, field: &ItemField, param: &Param) {
    let number = match param.kind {
        ParamType::Number => "clone",
        _ => "as_ref",
    };
    let Some(value) = field.sparse(number) else {
        return write_needed(src, field, param);
    };
    let name = &param.name;
    let arms = ["Some(value) => value,", "None => return Ok(None),"];
    src.choose(&format!("let {name}"), &value, &arms);
    if param.kind == ParamType::Int {
        src.call(
            &format!("let {name} = whole("),
            &[quote(&field.attribute), name.clone()],
            ")?;",
        );
    }
}

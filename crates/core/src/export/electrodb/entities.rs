//! The entities with their attributes, and the service that joins them.

use super::super::Code;
use super::super::entity_keys::{DECIMAL, Steps, number_of, property, validation, write_functions};
use super::super::literal::{self, Style};
use super::super::tree::{Map, Node};
use super::super::typescript::{self, Checked, identifier, line, quoted, unique};
use super::super::writer::{CodeWriter, one_line};
use crate::engine::key_sources::is_replaced;
use crate::model::{Attribute, AttributeType, Design, Entity, file_stem};
use crate::slices::pause;

/// Writes the file of a design.
pub async fn electrodb(design: &Design) -> Code {
    let mut out = CodeWriter::new();
    let mut models = Vec::new();
    let mut taken: Vec<String> = RESERVED_NAMES
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    for entity in design.entities.values() {
        pause().await;
        let mut model = Model::new(design, entity);
        model.variable = identifier(&entity.name, true, &mut taken);
        let function = typescript::lower_first(&model.variable) + "Keys";
        model.function = unique(function, &mut taken);
        models.push(model);
    }
    head(&mut out, design);
    let had: Vec<&Model> = (models.iter())
        .filter(|model| model.refused.is_none())
        .collect();
    if had.is_empty() {
        typescript::comment(&mut out, "ElectroDB supports no entity of the design.");
        for model in &models {
            model.write(&mut out);
        }
        return out.finish();
    }
    if had.iter().any(|model| !model.computed.is_empty()) {
        let what = "An attribute with watch is part of a key: ElectroDB computes it from other attributes, stores it and accepts it in queries.";
        typescript::comment(&mut out, what);
    }
    line(&mut out, "import { Entity, Service } from \"electrodb\";");
    out.end_line();
    let table = quoted(&design.table.name);
    line(&mut out, &["export const table = ", &table, ";"].concat());
    let mut called: Vec<&str> = Vec::new();
    for model in &had {
        for computed in &model.computed {
            called.extend(computed.steps.functions());
        }
    }
    write_functions(&mut out, &called);
    for model in &models {
        pause().await;
        out.end_line();
        model.write(&mut out);
    }
    out.end_line();
    let mut members = Map::new();
    for model in &had {
        members.add(&model.variable, Node::code(&model.variable));
    }
    typescript::code(&mut out, "export const service = new Service(");
    literal::write(&mut out, &members.into(), Style::TypeScript, 11);
    line(&mut out, ", { table });");
    out.finish()
}

/// Names that the file itself uses.
const RESERVED_NAMES: [&str; 20] = [
    "Array",
    "BigInt",
    "Date",
    "Entity",
    "Error",
    "Number",
    "Service",
    "String",
    "TextEncoder",
    "desc",
    "encode",
    "first",
    "lower",
    "pad",
    "padDecimal",
    "service",
    "shard",
    "table",
    "upper",
    "utc",
];

fn head(out: &mut CodeWriter, design: &Design) {
    typescript::head(
        out,
        design,
        "Comments mark what is omitted because ElectroDB does not support it.",
    );
    if design.table.type_attribute.is_none() {
        typescript::comment(
            out,
            "ElectroDB adds the attributes __edb_e__ (entity) and __edb_v__ (version) to each item.",
        );
    } else {
        typescript::comment(
            out,
            "ElectroDB adds the attribute __edb_v__ (version) to each item, and reads only items that have it.",
        );
    }
}

/// An entity of the export.
pub(super) struct Model<'d> {
    pub(super) design: &'d Design,
    pub(super) entity: &'d Entity,
    /// The name of its constant.
    pub(super) variable: String,
    /// The name of the function that computes the values the caller must pass.
    pub(super) function: String,
    /// The attributes computed from others.
    pub(super) computed: Vec<Computed<'d>>,
    /// The attributes with leading zeros in keys, and their number of digits.
    pub(super) padded: Vec<(&'d str, u8)>,
    /// The numbers that keys contain as text.
    pub(super) decimals: Vec<&'d str>,
    /// The attributes whose values must not contain the delimiter, once for each placeholder.
    pub(super) checked: Vec<(&'d str, Checked)>,
    /// Its indexes.
    pub(super) indexes: Map,
    /// What makes each key attribute of its indexes: ElectroDB requires the same in all of them.
    pub(super) sides: Vec<(String, Map)>,
    /// Why the entity is omitted.
    pub(super) refused: Option<String>,
}

/// An attribute that holds the result of modifiers on another.
pub(super) struct Computed<'d> {
    pub(super) name: String,
    pub(super) from: &'d Attribute,
    pub(super) steps: Steps,
    /// Attributes without which it has no value either.
    pub(super) guards: Vec<&'d Attribute>,
    /// Whether it is part of the primary key: ElectroDB requires callers to pass such values.
    pub(super) given: bool,
}

impl Computed<'_> {
    fn attribute(&self) -> Map {
        let kind = match self.from.kind {
            AttributeType::N if self.steps.is_empty() => "number",
            AttributeType::Bool if self.steps.is_empty() => "boolean",
            _ => "string",
        };
        let mut object = Map::new().with("type", kind);
        if self.given {
            object.add("required", true);
            return object;
        }
        let (mut watched, mut missing) = (Vec::new(), Vec::new());
        for attribute in [self.from].iter().chain(&self.guards) {
            let value = property("item", &attribute.name);
            watched.push(attribute.name.as_str());
            missing.push(match attribute.kind {
                AttributeType::S => ["!", &value].concat(),
                _ => [&value, " === undefined"].concat(),
            });
        }
        let call = self.steps.call(&property("item", &self.from.name));
        let set = [
            "(_, item) => ",
            &missing.join(" || "),
            " ? undefined : ",
            &call,
        ];
        object.add("watch", Node::texts(watched));
        object.add("set", Node::Code(set.concat()));
        object
    }
}

impl Model<'_> {
    fn write(&self, out: &mut CodeWriter) {
        if let Some(why) = &self.refused {
            let name = one_line(&self.entity.name);
            typescript::comment(out, &one_line(&format!("{name} is omitted: {why}.")));
            return;
        }
        typescript::comment(out, &self.entity.description);
        let head = ["export const ", &self.variable, " = new Entity("].concat();
        line(out, &head);
        out.indent(2);
        let model = Map::new()
            .with("entity", self.entity.name.as_str())
            .with("version", "1")
            .with("service", file_stem(&self.design.table.name).as_str());
        let schema = Map::new()
            .with("model", model)
            .with("attributes", self.attributes())
            .with("indexes", self.indexes.clone());
        literal::write(out, &schema.into(), Style::TypeScript, 1);
        out.put(",").end_line();
        let mut options = Map::new().with("table", Node::code("table"));
        if let Some(name) = &self.design.table.type_attribute {
            let identifiers = Map::new().with("entity", name.as_str());
            options.add("identifiers", identifiers.with("version", "__edb_v__"));
        }
        literal::write(out, &options.into(), Style::TypeScript, 1);
        out.put(",").end_line();
        out.dedent(2);
        line(out, ");");
        let given: Vec<&Computed> = self
            .computed
            .iter()
            .filter(|computed| computed.given)
            .collect();
        if given.is_empty() {
            return;
        }
        let function = &self.function;
        out.end_line();
        let usage = ["put({ ...item, ...", function, "(item) })"].concat();
        let why = "ElectroDB does not compute attributes of a primary key, so pass them:";
        typescript::comment(out, &[why, " ", &usage].concat());
        line(
            out,
            &["export function ", function, "(item: any) {"].concat(),
        );
        let mut values = Map::new();
        for computed in given {
            let value = property("item", &computed.from.name);
            values.add(&computed.name, Node::Code(computed.steps.call(&value)));
        }
        out.indent(2);
        typescript::code(out, "return ");
        literal::write(out, &values.into(), Style::TypeScript, 1);
        line(out, ";");
        out.dedent(2);
        line(out, "}");
    }

    fn attributes(&self) -> Map {
        let mut attributes = Map::new();
        for attribute in &self.entity.attributes {
            let name = attribute.name.as_str();
            let is_type = self.design.table.is_type_attribute(name);
            if is_type || is_replaced(self.design, self.entity, name) {
                continue;
            }
            if attribute.key_only {
                attributes.comment(one_line(&format!(
                    "{name} is key-only, but ElectroDB stores it in items: it does not parse keys back."
                )));
            }
            attributes.add(name, self.attribute(attribute));
        }
        for computed in &self.computed {
            attributes.add(&computed.name, computed.attribute());
        }
        attributes
    }

    fn attribute(&self, attribute: &Attribute) -> Map {
        let mut object = Map::new();
        match attribute.kind {
            AttributeType::S => object.add("type", "string"),
            AttributeType::N => object.add("type", "number"),
            AttributeType::Bool => object.add("type", "boolean"),
            AttributeType::L => {
                object.add("type", "list");
                object.add("items", Map::new().with("type", "any"));
            }
            AttributeType::Ss | AttributeType::Ns => {
                object.add("type", "set");
                let of_text = attribute.kind == AttributeType::Ss;
                object.add("items", if of_text { "string" } else { "number" });
            }
            AttributeType::M | AttributeType::B | AttributeType::Null | AttributeType::Bs => {
                object.add("type", "any");
            }
        }
        if attribute.required {
            object.add("required", true);
        }
        let padding = self.padded.iter().find(|(name, _)| *name == attribute.name);
        if let Some((_, digits)) = padding {
            let padding = Map::new().with("length", u64::from(*digits));
            object.add("padding", padding.with("char", "0"));
        }
        // A number is tested by a function.
        let is_decimal = self.decimals.contains(&attribute.name.as_str());
        let pattern = padding.map(|(_, digits)| number_of(*digits));
        let pattern = pattern.or_else(|| is_decimal.then(|| DECIMAL.to_owned()));
        let fits = pattern.map(|pattern| {
            Node::Code(format!(
                "(value: number) => value === undefined || {pattern}.test(String(value))"
            ))
        });
        if let Some(test) = fits.or_else(|| validation(self.design, attribute, &self.checked)) {
            object.add("validate", test);
        }
        object
    }
}

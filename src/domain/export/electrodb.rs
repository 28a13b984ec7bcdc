//! ElectroDB: entities and a service in TypeScript, whose keys have the bytes that the app renders.
//!
//! Every key has its template and `casing: "none"`. What a modifier makes of a value is an attribute of its own, which
//! ElectroDB computes from the other (`watch` and `set`), stores and takes in queries; leading zeros alone are its
//! `padding`. An index or an entity that ElectroDB cannot have is left out, and a comment says why.

use super::Code;
use super::create_table::one_line;
use super::entity_keys::{
    EntityKey, KeyField, Source, Steps, condition, entity_keys, has_placeholder_in_text,
    is_checked, property, write_functions, written,
};
use super::literal::{self, Literal, Object, Style, quoted};
use super::script::{self, identifier, line, unique, without};
use super::writer::CodeWriter;
use crate::domain::model::{
    Attribute, AttributeType, DelimiterPolicy, Design, Entity, IndexId, IndexKind, KeyPart,
    KeyType, OnDelimiter, Projection, file_stem,
};
use crate::domain::template::{Segment, Template};

/// The file of a design.
pub fn electrodb(design: &Design) -> Code {
    let mut out = CodeWriter::new();
    let mut models = Vec::new();
    let mut taken: Vec<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
    for entity in design.entities.values() {
        let mut model = Model::new(design, entity);
        model.variable = identifier(&entity.name, true, &mut taken);
        let function = script::lower_first(&model.variable) + "Keys";
        model.function = unique(function, &mut taken);
        models.push(model);
    }
    head(&mut out, design);
    if models.iter().all(|model| model.refused.is_some()) {
        script::comment(&mut out, "No entity of the design can be had.");
        for model in &models {
            model.write(&mut out);
        }
        return out.finish();
    }
    if models.iter().any(|model| !model.computed.is_empty()) {
        let what = "An attribute with watch is a part of a key: ElectroDB makes it of others, stores it and takes it in queries.";
        script::comment(&mut out, what);
    }
    line(&mut out, "import { Entity, Service } from \"electrodb\";");
    out.end_line();
    let table = quoted(&design.table.name);
    line(&mut out, &["export const table = ", &table, ";"].concat());
    let mut called: Vec<&str> = Vec::new();
    for model in &models {
        for computed in &model.computed {
            called.extend(computed.steps.functions());
        }
    }
    write_functions(&mut out, &called);
    for model in &models {
        out.end_line();
        model.write(&mut out);
    }
    out.end_line();
    let all: Vec<&Model> = models
        .iter()
        .filter(|model| model.refused.is_none())
        .collect();
    let mut members = Object::new();
    for model in &all {
        members.add(&model.variable, Literal::code(&model.variable));
    }
    script::code(&mut out, "export const service = new Service(");
    literal::write(&mut out, &members.into(), Style::TypeScript, 11);
    line(&mut out, ", { table });");
    out.finish()
}

/// Names of the file itself.
const TAKEN: [&str; 20] = [
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
    let name = one_line(&design.name);
    script::comment(
        out,
        &format!("Made by Keyfold from the design {name}: change the design and export again."),
    );
    script::comment(
        out,
        "The keys have the same bytes as in Keyfold. What ElectroDB cannot do is said where it is left out.",
    );
    if design.delimiter.on_conflict == OnDelimiter::Reject && !design.delimiter.delimiter.is_empty()
    {
        script::comment(
            out,
            "A value that stands in a key must not contain the delimiter: validate refuses it.",
        );
    }
    if design.table.type_attribute.is_none() {
        script::comment(
            out,
            "ElectroDB adds the attributes __edb_e__ and __edb_v__ to each item: the entity and its version.",
        );
    } else {
        script::comment(
            out,
            "ElectroDB adds the attribute __edb_v__ to each item, and takes only items that have it for its own.",
        );
    }
}

/// An entity as ElectroDB has it.
struct Model<'d> {
    design: &'d Design,
    entity: &'d Entity,
    /// What its constant is called.
    variable: String,
    /// What the function is called that makes what has to be given.
    function: String,
    /// Attributes that are made of others.
    computed: Vec<Computed<'d>>,
    /// Attributes with leading zeros in keys, and to how many digits.
    padded: Vec<(&'d str, u8)>,
    /// Attributes whose values must not contain the delimiter.
    checked: Vec<&'d str>,
    /// Its indexes.
    indexes: Object,
    /// Why there is no such entity.
    refused: Option<String>,
}

/// An attribute that holds what modifiers make of another.
struct Computed<'d> {
    name: String,
    from: &'d Attribute,
    steps: Steps,
    /// Attributes without which it is missing as well.
    guards: Vec<&'d Attribute>,
    /// Whether it stands in the primary key: ElectroDB wants those given.
    given: bool,
}

impl Computed<'_> {
    fn attribute(&self) -> Object {
        let kind = match self.from.kind {
            AttributeType::N if self.steps.is_empty() => "number",
            AttributeType::Bool if self.steps.is_empty() => "boolean",
            _ => "string",
        };
        let mut object = Object::new().with("type", kind);
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
        object.add("watch", Literal::texts(watched));
        object.add("set", Literal::Code(set.concat()));
        object
    }
}

impl<'d> Model<'d> {
    fn new(design: &'d Design, entity: &'d Entity) -> Model<'d> {
        let mut model = Model {
            design,
            entity,
            variable: String::new(),
            function: String::new(),
            computed: Vec::new(),
            padded: Vec::new(),
            checked: Vec::new(),
            indexes: Object::new(),
            refused: None,
        };
        let keys = entity_keys(design, entity);
        if !keys.iter().any(|key| key.index.is_primary()) {
            model.refused = Some("it has no primary key".to_owned());
        }
        model.padded = padded(design, entity, &keys);
        let mut names = vec!["primary".to_owned()];
        for key in &keys {
            let is_primary = key.index.is_primary();
            match (model.index(key), is_primary) {
                (Ok(index), true) => model.indexes.add("primary", index),
                (Ok(index), false) => {
                    let name = design.index_name(key.index);
                    let name = unique(identifier(name, false, &mut Vec::new()), &mut names);
                    model.indexes.add(&name, index);
                }
                (Err(why), true) => model.refused = Some(why),
                (Err(why), false) => {
                    let name = design.index_name(key.index);
                    model.indexes.comment(format!("Not in {name}: {why}."));
                }
            }
        }
        model
    }

    fn index(&mut self, key: &EntityKey<'d>) -> Result<Object, String> {
        let mut index = Object::new();
        let schema = self
            .design
            .key(key.index)
            .filter(|key| key.is_multi_attribute());
        let secondary = self.design.indexes.get(&key.index);
        if let Some(secondary) = secondary {
            index.add("index", secondary.name.as_str());
        }
        if schema.is_some() {
            index.add("type", "composite");
        }
        let optional = match key.index.is_primary() {
            true => Vec::new(),
            false => self.optional(key),
        };
        for (name, part) in [("pk", KeyPart::Partition), ("sk", KeyPart::Sort)] {
            let fields: Vec<&KeyField> = key.part(part).collect();
            let is_shared = |field: &&KeyField| self.is_shared(field);
            let optional = match fields.first().is_some_and(is_shared) {
                true => Vec::new(),
                false => optional.clone(),
            };
            if let (Some(_), false) = (schema, fields.is_empty()) {
                index.add(name, self.plain_side(&fields)?);
            } else if let [field] = fields.as_slice() {
                index.add(name, self.side(field, &optional)?);
            }
        }
        twice(&index)?;
        let is_constant = |field: &KeyField| match &field.source {
            Source::Template(template) => template.is_static(),
            _ => false,
        };
        if secondary.is_some() && key.fields.iter().all(is_constant) {
            return Err("ElectroDB writes no key without a placeholder".to_owned());
        }
        let mut tests = Vec::new();
        for test in key.when {
            let expression = condition(test);
            let why = || {
                format!(
                    "its condition on {} has a value that is no constant of JavaScript",
                    test.attribute
                )
            };
            tests.push(expression.ok_or_else(why)?);
        }
        if !tests.is_empty() && schema.is_some() {
            return Err("an index of plain attributes takes no condition".to_owned());
        }
        if !tests.is_empty() {
            let test = ["(item) => ", &tests.join(" && ")].concat();
            index.add("condition", Literal::Code(test));
        }
        if let Some(secondary) = secondary
            && secondary.kind == IndexKind::Gsi
        {
            index.add_some("projection", self.projection(&secondary.projection));
        }
        Ok(index)
    }

    /// Whether the key attribute is one of several indexes that the entity is in: ElectroDB wants it made the same way.
    fn is_shared(&self, field: &KeyField) -> bool {
        let in_index = |index: &&IndexId| {
            let key = self.design.key(**index);
            key.is_some_and(|key| key.attributes().any(|key| key.name == field.attribute.name))
        };
        self.entity.keys.keys().filter(in_index).count() > 1
    }

    /// What of the entity's attributes an index holds, where that is not all.
    fn projection(&self, projection: &Projection) -> Option<Literal> {
        let names = match projection {
            Projection::All => return None,
            Projection::KeysOnly => return Some("keys_only".into()),
            Projection::Include(names) => names,
        };
        let own = names
            .iter()
            .filter(|name| self.entity.attribute(name).is_some());
        let own: Vec<&str> = own.map(String::as_str).collect();
        Some(match own.is_empty() {
            true => "keys_only".into(),
            false => Literal::texts(own),
        })
    }

    /// A side of a multi-attribute key.
    fn plain_side(&mut self, fields: &[&KeyField<'d>]) -> Result<Object, String> {
        let mut names = Vec::new();
        for field in fields {
            match &field.source {
                Source::Own => names.push(Literal::from(field.attribute.name.as_str())),
                Source::Template(_) => {
                    return Err(format!("{} has a template", field.attribute.name));
                }
                Source::None(why) => return Err((*why).to_owned()),
            }
        }
        Ok(Object::new().with("composite", names))
    }

    /// The attributes in a key's templates that an item may lack: without one of them it has none of the key.
    fn optional(&self, key: &EntityKey) -> Vec<&'d Attribute> {
        let mut optional = Vec::new();
        for attribute in self
            .entity
            .attributes
            .iter()
            .filter(|attribute| !attribute.required)
        {
            let stands_in = |source: &Source| match source {
                Source::Template(template) => template.uses(&attribute.name),
                _ => false,
            };
            if key.fields.iter().any(|field| stands_in(&field.source)) {
                optional.push(attribute);
            }
        }
        optional
    }

    /// A side of any other key. ElectroDB begins a key whose values are not all there; so each value counts as missing
    /// where one of the optional ones is.
    fn side(&mut self, field: &KeyField<'d>, optional: &[&'d Attribute]) -> Result<Object, String> {
        let name = field.attribute.name.as_str();
        if self.design.table.type_attribute.as_deref() == Some(name) {
            return Err("the type attribute is its key".to_owned());
        }
        let template = match &field.source {
            Source::None(why) => return Err((*why).to_owned()),
            Source::Own => {
                let side = Object::new().with("field", name);
                return Ok(side
                    .with("composite", Literal::texts([name]))
                    .with("casing", "none"));
            }
            Source::Template(template) => template,
        };
        if has_placeholder_in_text(template) {
            return Err(format!("the template of {name} has ${{ in its text"));
        }
        let (mut composite, mut text) = (Vec::new(), String::new());
        let mut is_number = false;
        for segment in &template.segments {
            let Segment::Placeholder(placeholder) = segment else {
                if let Segment::Literal { text: literal, .. } = segment {
                    text.push_str(literal);
                }
                continue;
            };
            let attribute = self.entity.attribute(&placeholder.attribute);
            let attribute = attribute.ok_or_else(|| {
                format!(
                    "its template has {}, which is no attribute of the entity",
                    placeholder.attribute
                )
            })?;
            self.usable(attribute)?;
            let steps = Steps::of(template, placeholder, &self.design.delimiter);
            if is_checked(template, placeholder, &self.design.delimiter) {
                self.checked.push(&attribute.name);
            }
            let is_padded = self.padded.iter().any(|(name, _)| *name == attribute.name);
            let mut guards = optional.to_vec();
            guards.retain(|guard| guard.name != attribute.name);
            let of = match (steps.is_empty() || is_padded) && guards.is_empty() {
                true => attribute.name.clone(),
                false => self.compute(attribute, steps.clone(), guards),
            };
            is_number = steps.is_empty() && attribute.kind == AttributeType::N;
            text.push_str(&["${", &of, "}"].concat());
            composite.push(of);
        }
        let mut side = Object::new().with("field", name);
        side.add(
            "composite",
            Literal::texts(composite.iter().map(String::as_str)),
        );
        side.add("template", text.as_str());
        side.add("casing", "none");
        let is_single = template.is_single_placeholder();
        match field.attribute.kind {
            KeyType::N if !is_number => {
                return Err(format!("{name} is a number that a modifier makes"));
            }
            // A number alone would stay one.
            KeyType::S if is_number && is_single => side.add("cast", "string"),
            _ => {}
        }
        Ok(side)
    }

    /// Whether ElectroDB takes the attribute into a key.
    fn usable(&self, attribute: &Attribute) -> Result<(), String> {
        let is_key = |name: &str| {
            let mut keys = self
                .design
                .index_ids()
                .filter_map(|index| self.design.key(index));
            keys.any(|key| key.attributes().any(|key| key.name == name))
        };
        let is_taken = |name: &str| self.design.table.type_attribute.as_deref() == Some(name);
        match attribute.kind {
            AttributeType::S | AttributeType::N | AttributeType::Bool => {}
            kind => return Err(format!("{} is of type {kind}", attribute.name)),
        }
        let writes = |name: &str| written(self.design, self.entity, name);
        if is_taken(&attribute.name) || is_key(&attribute.name) && writes(&attribute.name) {
            return Err(format!(
                "{} is written by a template itself",
                attribute.name
            ));
        }
        Ok(())
    }

    /// The name of the attribute that holds what the steps make of this one.
    fn compute(
        &mut self,
        attribute: &'d Attribute,
        steps: Steps,
        guards: Vec<&'d Attribute>,
    ) -> String {
        for known in &self.computed {
            if known.from.name == attribute.name && known.steps == steps && known.guards == guards {
                return known.name.clone();
            }
        }
        let mut taken: Vec<String> = self
            .computed
            .iter()
            .map(|known| known.name.clone())
            .collect();
        for attribute in &self.entity.attributes {
            taken.push(attribute.name.clone());
        }
        for key in self
            .design
            .index_ids()
            .filter_map(|index| self.design.key(index))
        {
            taken.extend(key.attributes().map(|key| key.name.clone()));
        }
        taken.extend(self.design.table.type_attribute.clone());
        let mut name = attribute.name.clone() + &steps.suffix();
        for guard in &guards {
            name = [
                &name,
                "With",
                &identifier(&guard.name, true, &mut Vec::new()),
            ]
            .concat();
        }
        let name = unique(name, &mut taken);
        self.computed.push(Computed {
            name: name.clone(),
            from: attribute,
            steps,
            guards,
            given: self.indexes.is_empty(),
        });
        name
    }

    fn write(&self, out: &mut CodeWriter) {
        if let Some(why) = &self.refused {
            let name = one_line(&self.entity.name);
            script::comment(out, &one_line(&format!("{name} is left out: {why}.")));
            return;
        }
        script::comment(out, &self.entity.description);
        let head = ["export const ", &self.variable, " = new Entity("].concat();
        line(out, &head);
        out.indent(2);
        let model = Object::new()
            .with("entity", self.entity.name.as_str())
            .with("version", "1")
            .with("service", file_stem(&self.design.table.name).as_str());
        let schema = Object::new()
            .with("model", model)
            .with("attributes", self.attributes())
            .with("indexes", self.indexes.clone());
        literal::write(out, &schema.into(), Style::TypeScript, 1);
        out.put(",").end_line();
        let mut options = Object::new().with("table", Literal::code("table"));
        if let Some(name) = &self.design.table.type_attribute {
            let identifiers = Object::new().with("entity", name.as_str());
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
        let why = "ElectroDB computes no attribute of a primary key, so these are given:";
        script::comment(out, &[why, " ", &usage].concat());
        line(
            out,
            &["export function ", function, "(item: any) {"].concat(),
        );
        let mut values = Object::new();
        for computed in given {
            let value = property("item", &computed.from.name);
            values.add(&computed.name, Literal::Code(computed.steps.call(&value)));
        }
        out.indent(2);
        script::code(out, "return ");
        literal::write(out, &values.into(), Style::TypeScript, 1);
        line(out, ";");
        out.dedent(2);
        line(out, "}");
    }

    fn attributes(&self) -> Object {
        let mut attributes = Object::new();
        for attribute in &self.entity.attributes {
            let name = attribute.name.as_str();
            let is_type = self.design.table.type_attribute.as_deref() == Some(name);
            if is_type || written(self.design, self.entity, name) {
                continue;
            }
            attributes.add(name, self.attribute(attribute));
        }
        for computed in &self.computed {
            attributes.add(&computed.name, computed.attribute());
        }
        attributes
    }

    fn attribute(&self, attribute: &Attribute) -> Object {
        let mut object = Object::new();
        match attribute.kind {
            AttributeType::S => object.add("type", "string"),
            AttributeType::N => object.add("type", "number"),
            AttributeType::Bool => object.add("type", "boolean"),
            AttributeType::L => {
                object.add("type", "list");
                object.add("items", Object::new().with("type", "any"));
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
            let padding = Object::new().with("length", u64::from(*digits));
            object.add("padding", padding.with("char", "0"));
        }
        if attribute.kind == AttributeType::S && self.checked.contains(&attribute.name.as_str()) {
            let pattern = without(&self.design.delimiter.delimiter);
            object.add("validate", Literal::Code(pattern));
        }
        object
    }
}

/// The attributes that stand in keys with leading zeros and in no other way: that is what ElectroDB's padding is for.
fn padded<'d>(design: &Design, entity: &'d Entity, keys: &[EntityKey]) -> Vec<(&'d str, u8)> {
    let policy: &DelimiterPolicy = &design.delimiter;
    let mut padded = Vec::new();
    for attribute in &entity.attributes {
        let mut digits = None;
        let mut always = attribute.kind == AttributeType::N;
        for field in keys.iter().flat_map(|key| &key.fields) {
            let template: &Template = match &field.source {
                Source::Template(template) => template,
                Source::Own => {
                    always &= field.attribute.name != attribute.name;
                    continue;
                }
                Source::None(_) => continue,
            };
            for placeholder in template.placeholders() {
                if placeholder.attribute == attribute.name {
                    let padding = Steps::of(template, placeholder, policy).only_padding();
                    always &=
                        padding.is_some() && digits.is_none_or(|digits| Some(digits) == padding);
                    always &= !template.is_single_placeholder();
                    digits = padding.or(digits);
                }
            }
        }
        if let Some(digits) = digits.filter(|_| always) {
            padded.push((attribute.name.as_str(), digits));
        }
    }
    padded
}

/// ElectroDB takes an attribute on both sides of a key only where it is alone in the sort key.
fn twice(index: &Object) -> Result<(), String> {
    let names = |side: &str| -> Vec<String> {
        let mut names = Vec::new();
        for member in &index.0 {
            if let literal::Member::Pair(key, Literal::Object(members)) = member
                && key == side
            {
                for member in members {
                    if let literal::Member::Pair(key, Literal::List(items)) = member
                        && key == "composite"
                    {
                        for item in items {
                            if let Literal::Text(name) = item {
                                names.push(name.clone());
                            }
                        }
                    }
                }
            }
        }
        names
    };
    let (pk, sk) = (names("pk"), names("sk"));
    match pk.iter().find(|name| sk.contains(name)) {
        Some(name) if sk.len() > 1 => Err(format!(
            "{name} stands on both sides of its key, which ElectroDB takes only where it is all of the sort key"
        )),
        _ => Ok(()),
    }
}

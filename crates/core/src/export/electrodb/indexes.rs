//! The indexes of an entity for ElectroDB, and the attributes that they need.

use super::super::entity_keys::{
    EntityKey, KeyField, Source, Steps, checked_part, condition, entity_keys,
    has_placeholder_in_text, is_number_in_text, stored_as_key,
};
use super::super::tree::{Map, Node};
use super::super::typescript::{identifier, inherited, unique};
use super::entities::{Computed, Model};
use crate::engine::key_sources::is_replaced;
use crate::model::{
    Attribute, AttributeType, DelimiterPolicy, Design, Entity, IndexId, IndexKind, KeyPart,
    KeyType, Projection,
};
use crate::template::{Segment, Template};

impl<'d> Model<'d> {
    /// Determines which parts of an entity ElectroDB supports.
    pub(super) fn new(design: &'d Design, entity: &'d Entity) -> Model<'d> {
        let mut model = Model {
            design,
            entity,
            variable: String::new(),
            function: String::new(),
            computed: Vec::new(),
            padded: Vec::new(),
            decimals: Vec::new(),
            checked: Vec::new(),
            indexes: Map::new(),
            sides: Vec::new(),
            refused: None,
        };
        let keys = entity_keys(design, entity);
        if !keys.iter().any(|key| key.index.is_primary()) {
            model.refused = Some("it has no primary key".to_owned());
        }
        if let Some(name) = inherited(design, entity) {
            model.refused = Some(format!("{name} is a property of every JavaScript object"));
        }
        if let Some(why) = stored_as_key(design, entity) {
            model.refused = Some(why);
        }
        model.padded = padded(design, entity, &keys);
        let in_text = entity
            .attributes
            .iter()
            .filter(|a| is_number_in_text(a, &keys));
        model.decimals = in_text.map(|attribute| attribute.name.as_str()).collect();
        let mut names = vec!["primary".to_owned()];
        for key in &keys {
            let is_primary = key.index.is_primary();
            let (computed, checked) = (model.computed.len(), model.checked.len());
            match (model.index(key), is_primary) {
                (Ok(index), true) => model.indexes.add("primary", index),
                (Ok(index), false) => {
                    let name = design.index_name(key.index);
                    let name = unique(identifier(name, false, &mut Vec::new()), &mut names);
                    model.indexes.add(&name, index);
                }
                (Err(why), true) => model.refused = Some(why),
                (Err(why), false) => {
                    // Remove the attributes that only this index needed.
                    model.computed.truncate(computed);
                    model.checked.truncate(checked);
                    let name = design.index_name(key.index);
                    model.indexes.comment(format!("Not in {name}: {why}."));
                }
            }
        }
        model
    }

    fn index(&mut self, key: &EntityKey<'d>) -> Result<Map, String> {
        if let Some(why) = key.empty {
            return Err(why.to_owned());
        }
        let mut index = Map::new();
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
            false => key.optional(self.entity),
        };
        let mut sides = Vec::new();
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
                let side = self.side(field, &optional)?;
                let field = field.attribute.name.as_str();
                let known = self.sides.iter().find(|(other, _)| other == field);
                if known.is_some_and(|(_, other)| *other != side) {
                    return Err(format!("another index has another template for {field}"));
                }
                sides.push((field.to_owned(), side.clone()));
                index.add(name, side);
            }
        }
        check_shared_attributes(&index)?;
        let is_constant = |field: &KeyField| match &field.source {
            Source::Template(template) => template.is_static(),
            _ => false,
        };
        if secondary.is_some() && key.fields.iter().all(is_constant) {
            return Err("ElectroDB does not support keys without a placeholder".to_owned());
        }
        let mut tests = Vec::new();
        for &test in &key.when {
            let name = test.attribute.as_str();
            if self.entity.attribute(name).is_none() || is_replaced(self.design, self.entity, name)
            {
                return Err(format!(
                    "its condition is on {name}, which is not an attribute in ElectroDB"
                ));
            }
            let expression = condition(test);
            let why = || {
                format!(
                    "its condition on {} has a value that JavaScript cannot write as a constant",
                    test.attribute
                )
            };
            tests.push(expression.ok_or_else(why)?);
        }
        if !tests.is_empty() && schema.is_some() {
            return Err(
                "an index with multi-attribute keys does not support a condition".to_owned(),
            );
        }
        if !tests.is_empty() {
            index.comment(
                "An update that ends the condition leaves the keys: remove them in the same update.",
            );
            let test = ["(item) => ", &tests.join(" && ")].concat();
            index.add("condition", Node::Code(test));
        }
        if let Some(secondary) = secondary
            && secondary.kind == IndexKind::Gsi
        {
            index.add_some("projection", self.projection(&secondary.projection));
        }
        self.sides.extend(sides);
        Ok(index)
    }

    /// Whether several indexes of the entity share the key attribute: ElectroDB then requires the same template.
    fn is_shared(&self, field: &KeyField) -> bool {
        let in_index = |index: &&IndexId| {
            let key = self.design.key(**index);
            key.is_some_and(|key| key.attributes().any(|key| key.name == field.attribute.name))
        };
        self.entity.keys.keys().filter(in_index).count() > 1
    }

    /// Returns the entity's attributes that an index projects, if not all.
    fn projection(&self, projection: &Projection) -> Option<Node> {
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
            false => Node::texts(own),
        })
    }

    /// Returns one part of a multi-attribute key.
    fn plain_side(&mut self, fields: &[&KeyField<'d>]) -> Result<Map, String> {
        let mut names = Vec::new();
        for field in fields {
            match &field.source {
                Source::Own => names.push(Node::from(field.attribute.name.as_str())),
                Source::Template(_) => {
                    return Err(format!("{} has a template", field.attribute.name));
                }
                Source::None(why) => return Err((*why).to_owned()),
            }
        }
        Ok(Map::new().with("composite", names))
    }

    /// Returns one part of any other key. ElectroDB writes a partial key if values are missing, so each value counts as
    /// missing if an optional one is.
    fn side(&mut self, field: &KeyField<'d>, optional: &[&'d Attribute]) -> Result<Map, String> {
        let name = field.attribute.name.as_str();
        if self.design.table.is_type_attribute(name) {
            return Err("its key is the type attribute".to_owned());
        }
        let template = match &field.source {
            Source::None(why) => return Err((*why).to_owned()),
            Source::Own => {
                let side = Map::new().with("field", name);
                return Ok(side
                    .with("composite", Node::texts([name]))
                    .with("casing", "none"));
            }
            Source::Template(template) => template,
        };
        if has_placeholder_in_text(template) {
            return Err(format!("the template of {name} contains the text ${{"));
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
                    "its template has {}, which is not an attribute of the entity",
                    placeholder.attribute
                )
            })?;
            self.usable(attribute)?;
            let steps = Steps::of(template, placeholder, &self.design.delimiter);
            let checked = checked_part(template, placeholder, &self.design.delimiter);
            (self.checked).extend(checked.map(|part| (attribute.name.as_str(), part)));
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
        let mut side = Map::new().with("field", name);
        side.add(
            "composite",
            Node::texts(composite.iter().map(String::as_str)),
        );
        side.add("template", text.as_str());
        side.add("casing", "none");
        let is_single = template.is_single_placeholder();
        match field.attribute.kind {
            KeyType::N if !is_number => {
                return Err(format!("{name} is a number computed by a modifier"));
            }
            // Without cast, a single number would stay a number.
            KeyType::S if is_number && is_single => side.add("cast", "string"),
            _ => {}
        }
        Ok(side)
    }

    /// Whether ElectroDB supports the attribute in a key.
    fn usable(&self, attribute: &Attribute) -> Result<(), String> {
        let is_key = |name: &str| self.design.key_attribute(name).is_some();
        let is_taken = |name: &str| self.design.table.is_type_attribute(name);
        match attribute.kind {
            AttributeType::S | AttributeType::N | AttributeType::Bool => {}
            kind => return Err(format!("{} is of type {kind}", attribute.name)),
        }
        let writes = |name: &str| is_replaced(self.design, self.entity, name);
        if is_taken(&attribute.name) || is_key(&attribute.name) && writes(&attribute.name) {
            return Err(format!(
                "{} is itself written by a template",
                attribute.name
            ));
        }
        Ok(())
    }

    /// Returns the name of the attribute that holds the result of the modifiers on this one.
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
}

/// Returns the attributes that keys contain only with leading zeros: ElectroDB's padding is for these.
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

/// ElectroDB supports an attribute in both parts of a key only if it is the whole sort key.
fn check_shared_attributes(index: &Map) -> Result<(), String> {
    let names = |side: &str| -> Vec<&str> {
        let mut names = Vec::new();
        if let Some(Node::Map(side)) = index.get(side)
            && let Some(Node::List(items)) = side.get("composite")
        {
            for item in items {
                if let Node::Text(name) = item {
                    names.push(name.as_str());
                }
            }
        }
        names
    };
    let (pk, sk) = (names("pk"), names("sk"));
    match pk.iter().find(|name| sk.contains(name)) {
        Some(name) if sk.len() > 1 => Err(format!(
            "{name} is in both parts of its key, which ElectroDB supports only if it is the whole sort key"
        )),
        _ => Ok(()),
    }
}

//! The contents of the file with all names, planned before any line is written.

use super::function_inputs::{Form, Input, Scope, TypeOf, Value};
use super::names::{Namespace, pascal, screaming, snake};
use super::source::code;
use crate::engine::key_sources::{entries_of_key, indexes_of, source_in};
use crate::model::{
    AttributeType, DelimiterPolicy, Design, Entity, EntityId, IndexEntry, IndexId, KeyAttribute,
    KeyType, SortedMap, Test, limits,
};
use crate::slices::pause;
use crate::template::{Modifier, Segment, Template, parse};

/// Method names that a key has already, or that have another meaning in Rust.
const METHODS: [&str; 35] = [
    "new",
    "into_owned",
    "pk_shards",
    "parse",
    "pk",
    "sk",
    "attributes",
    "fmt",
    "to_string",
    "clone",
    "eq",
    "ne",
    "cmp",
    "hash",
    "into",
    "try_into",
    "from",
    "from_str",
    "as_ref",
    "as_mut",
    "borrow",
    "borrow_mut",
    "deref",
    "deref_mut",
    "default",
    "index",
    "next",
    "not",
    "neg",
    "drop",
    "len",
    "key",
    "type_id",
    "to_owned",
    "into_iter",
];

/// The contents of the file.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub design: &'a Design,
    /// The names of key attributes and their constants, in the order of the indexes.
    pub attributes: Vec<(String, String)>,
    /// The secondary indexes and their constants.
    pub indexes: SortedMap<IndexId, String>,
    /// The keys, by entity, primary key first.
    pub keys: Vec<KeyPlan>,
    /// The entities and keys without a key builder, with the reason.
    pub left_out: Vec<String>,
}

/// A key struct.
#[derive(Debug)]
pub(super) struct KeyPlan {
    pub entity: EntityId,
    pub index: IndexId,
    /// The name of the struct.
    pub name: String,
    /// The name of the variant of `AnyKey`.
    pub variant: String,
    pub scope: Scope,
    pub inputs: Vec<Input>,
    /// `pk` and `sk` for the values, or nothing: a multi-attribute key has no methods for its parts.
    pub methods: Vec<&'static str>,
    pub prefixes: Vec<Prefix>,
    /// The conditions under which an item is in the index, in words.
    pub when: Option<String>,
    /// The partition keys of all shards, if the key is sharded.
    pub shards: Option<Shards>,
}

/// The shards of a partition key: its template with the shard's number in place of the hash.
#[derive(Debug)]
pub(super) struct Shards {
    pub count: u64,
    pub scope: Scope,
    /// The variable that holds the number.
    pub variable: String,
}

/// A method that returns a prefix of the sort key.
#[derive(Debug)]
pub(super) struct Prefix {
    pub method: String,
    pub scope: Scope,
}

impl Prefix {
    pub fn value(&self) -> &Value {
        &self.scope.values[0]
    }
}

impl KeyPlan {
    /// Whether the key can be parsed.
    pub fn parses(&self) -> bool {
        !self.methods.is_empty()
            && self
                .scope
                .values
                .iter()
                .all(|value| value.fixed().is_some() || value.splits)
    }

    /// Formats the key's templates for readers.
    pub fn templates(&self) -> String {
        let templates: Vec<_> = self
            .scope
            .values
            .iter()
            .map(|value| code(&value.template))
            .collect();
        templates.join(" and ")
    }
}

impl<'a> Plan<'a> {
    /// Plans the keys of a design.
    pub async fn new(design: &'a Design) -> Self {
        let mut plan = Plan {
            design,
            attributes: Vec::new(),
            indexes: SortedMap::new(),
            keys: Vec::new(),
            left_out: Vec::new(),
        };
        plan.constants();
        plan.key_structs().await;
        plan
    }

    /// Whether `AnyKey` borrows from the text that it parses.
    pub fn is_borrowed(&self) -> bool {
        let mut keys = self.keys.iter();
        keys.any(|key| key.index.is_primary() && key.parses() && key.scope.is_borrowed())
    }

    fn constants(&mut self) {
        let mut names = Namespace::default();
        for key in self
            .design
            .index_ids()
            .filter_map(|index| self.design.key(index))
        {
            for attribute in key.attributes() {
                if !self
                    .attributes
                    .iter()
                    .any(|(name, _)| *name == attribute.name)
                {
                    let constant = names.take(format!("ATTR_{}", screaming(&attribute.name)));
                    self.attributes.push((attribute.name.clone(), constant));
                }
            }
        }
        for (id, index) in &self.design.indexes {
            let constant = names.take(format!("INDEX_{}", screaming(&index.name)));
            self.indexes.insert(*id, constant);
        }
    }

    /// Returns the constant of a key attribute's name.
    pub fn constant(&self, attribute: &str) -> String {
        let found = self.attributes.iter().find(|(name, _)| name == attribute);
        found.map_or_else(
            || "ATTR_UNNAMED".to_owned(),
            |(_, constant)| constant.clone(),
        )
    }

    async fn key_structs(&mut self) {
        let mut variants = Namespace::default();
        let mut types = Namespace::without(&["AnyKey", "PrimaryKey"]);
        let entities: Vec<_> = (self.design.entities.iter())
            .map(|(id, entity)| {
                (
                    *id,
                    &**entity,
                    variants.take(pascal(&entity.name, "Entity")),
                )
            })
            .collect();
        // Primary keys choose their names first.
        let primary: Vec<_> = entities
            .iter()
            .map(|(.., variant)| types.take(format!("{variant}Key")))
            .collect();
        for ((id, entity, variant), primary) in entities.into_iter().zip(primary) {
            pause().await;
            let indexes: Vec<_> = indexes_of(self.design, entity).collect();
            if !indexes.iter().any(|(index, _)| index.is_primary()) {
                self.left_out.push(format!(
                    "{}: it has no template for the primary key.",
                    code(&entity.name)
                ));
            }
            for (index, _) in indexes {
                let name = match index.is_primary() {
                    true => primary.clone(),
                    false => types.take(format!(
                        "{variant}{}Key",
                        pascal(self.design.index_name(index), "Index")
                    )),
                };
                match self.key(entity, index) {
                    Ok((scope, inputs, prefixes)) => self.keys.push(KeyPlan {
                        entity: id,
                        index,
                        name,
                        variant: variant.clone(),
                        methods: self.methods(index, inputs.len()),
                        shards: self.shards(entity, index, &inputs),
                        scope,
                        inputs,
                        prefixes,
                        when: when(&entries_of_key(self.design, entity, index)),
                    }),
                    Err(reason) => {
                        let place = match index.is_primary() {
                            true => "its primary key".to_owned(),
                            false => format!("its key in {}", code(self.design.index_name(index))),
                        };
                        self.left_out
                            .push(format!("{}, {place}: {reason}.", code(&entity.name)));
                    }
                }
            }
        }
    }

    /// Returns the shards of a partition key of type S; `None` if it is not sharded, or sharded by two values.
    fn shards(&self, entity: &Entity, index: IndexId, inputs: &[Input]) -> Option<Shards> {
        const VARIABLE: &str = "shard";
        let key = self
            .design
            .key(index)
            .filter(|key| !key.is_multi_attribute())?;
        let mut partition = inputs
            .first()
            .filter(|input| input.kind == KeyType::S)?
            .clone();
        let mut count = None;
        for segment in &mut partition.template.segments {
            let Segment::Placeholder(placeholder) = segment else {
                continue;
            };
            if placeholder.attribute == VARIABLE {
                return None;
            }
            if let Some(Modifier::Shard(shards)) = placeholder.modifiers.last() {
                if count.replace(u64::from(*shards)).is_some() {
                    return None;
                }
                placeholder.attribute = VARIABLE.to_owned();
                // So its type is a whole number, `u64`.
                placeholder.modifiers = vec![Modifier::Pad(1)];
            }
        }
        let count = count?;
        let kinds = |name: &str| match name {
            VARIABLE => AttributeType::N,
            name => kind_in(entity, name, key.attributes()),
        };
        let mut names = Namespace::without(&["pk", "shards"]);
        let scope = Scope::new(&[partition], &self.design.delimiter, &kinds, &mut names).ok()?;
        let of_shard = scope
            .params
            .iter()
            .find(|param| param.attribute == VARIABLE)?;
        let variable = of_shard.name.clone();
        let mut scope = scope;
        for field in &mut scope.fields {
            if field.name == variable {
                field.form = Form::Bool;
            }
        }
        scope.values[0].template = scope.values[0]
            .template
            .replace("{shard:pad(1)}", "{shard}");
        Some(Shards {
            count,
            scope,
            variable,
        })
    }

    fn methods(&self, index: IndexId, values: usize) -> Vec<&'static str> {
        match self.design.key(index) {
            Some(key) if !key.is_multi_attribute() => {
                ["pk", "sk"].into_iter().take(values).collect()
            }
            _ => Vec::new(),
        }
    }

    fn key(
        &self,
        entity: &Entity,
        index: IndexId,
    ) -> Result<(Scope, Vec<Input>, Vec<Prefix>), String> {
        let key = self.design.key(index).ok_or("there is no such index")?;
        let mut inputs = Vec::new();
        for (attributes, max_bytes) in [
            (&key.partition, limits::PARTITION_KEY_BYTES),
            (&key.sort, limits::SORT_KEY_BYTES),
        ] {
            for attribute in attributes {
                let template = self.template(entity, index, attribute)?;
                if attribute.kind != KeyType::S && template.is_static() {
                    let letter = attribute.kind.letter();
                    return Err(format!(
                        "a key of type {letter} needs a template with exactly one placeholder"
                    ));
                }
                inputs.push(self.input(attribute, max_bytes, template));
            }
        }
        let kinds = |name: &str| kind_in(entity, name, key.attributes());
        let policy = &self.design.delimiter;
        let mut names = Namespace::without(&METHODS);
        let scope = Scope::new(&inputs, policy, &kinds, &mut names)?;
        let mut prefixes = Vec::new();
        if let [_, sort] = inputs.as_slice()
            && !key.is_multi_attribute()
            && sort.kind == KeyType::S
        {
            prefixes = prefix_methods(sort, policy, &kinds, &mut names);
        }
        Ok((scope, inputs, prefixes))
    }

    /// Returns the input for a key attribute from its template.
    pub fn input(&self, attribute: &KeyAttribute, max_bytes: usize, template: Template) -> Input {
        Input {
            constant: self.constant(&attribute.name),
            kind: attribute.kind,
            max_bytes,
            template,
        }
    }

    /// Returns the template of a key attribute: the entry's own, that of another entry of the entity that writes the
    /// same attribute, or the plain attribute of that name.
    fn template(
        &self,
        entity: &Entity,
        index: IndexId,
        attribute: &KeyAttribute,
    ) -> Result<Template, String> {
        let name = attribute.name.as_str();
        let source = source_in(self.design, entity, index, name);
        match source.text() {
            Some(text) => parsed(&text),
            None => Err(format!("nothing writes its key attribute {}", code(name))),
        }
    }
}

/// Parses a template without errors.
pub(super) fn parsed(text: &str) -> Result<Template, String> {
    let parsed = parse(text);
    match parsed.errors.first() {
        Some(error) => Err(format!(
            "the template {} has an error: {}",
            code(text),
            error.message
        )),
        None => Ok(parsed.template),
    }
}

/// Returns the type of an attribute: as declared, or of a plain key attribute, or text.
fn kind_in<'k>(
    entity: &Entity,
    name: &str,
    mut keys: impl Iterator<Item = &'k KeyAttribute>,
) -> AttributeType {
    match (entity.attribute(name), keys.find(|key| key.name == name)) {
        (Some(attribute), _) => attribute.kind,
        (None, Some(key)) => key.kind.into(),
        (None, None) => AttributeType::S,
    }
}

/// How many segments of a template get prefixes. Each prefix has the parameters of those before it, so the code would grow
/// with the square of the template.
const MAX_PREFIX_SEGMENTS: usize = 64;

/// Returns the prefixes of a sort key: its first literal, and after each placeholder up to the last delimiter before
/// the next, so that `USER#1` never matches `USER#10`.
fn prefix_methods(
    sort: &Input,
    policy: &DelimiterPolicy,
    kinds: TypeOf,
    names: &mut Namespace,
) -> Vec<Prefix> {
    let mut prefixes: Vec<Prefix> = Vec::new();
    let segments = &sort.template.segments;
    let mut push = |segments: Vec<Segment>, after: Option<&str>, names: &mut Namespace| {
        let input = Input {
            template: Template { segments },
            ..sort.clone()
        };
        let mut params = Namespace::default();
        if let Ok(scope) = Scope::new(&[input], policy, kinds, &mut params) {
            let name = after.map_or("sk_prefix".to_owned(), |after| {
                format!("sk_prefix_{}", snake(after, "attribute"))
            });
            prefixes.push(Prefix {
                method: names.take(name),
                scope,
            });
        }
    };
    for (at, segment) in segments.iter().enumerate().take(MAX_PREFIX_SEGMENTS) {
        let Segment::Literal { text, span } = segment else {
            continue;
        };
        let before = at
            .checked_sub(1)
            .and_then(|before| match &segments[before] {
                Segment::Placeholder(placeholder) => Some(placeholder.attribute.as_str()),
                _ => None,
            });
        if before.is_none() && segments.len() > 1 {
            push(vec![segment.clone()], None, names);
        } else if before.is_some() && !policy.delimiter.is_empty() {
            let Some(found) = text.rfind(&policy.delimiter) else {
                continue;
            };
            let text = text[..found + policy.delimiter.len()].to_owned();
            let mut cut = segments[..at].to_vec();
            cut.push(Segment::Literal {
                text,
                span: span.clone(),
            });
            push(cut, before, names);
        }
    }
    prefixes
}

/// Describes the conditions of the entries that write a key in words.
fn when(entries: &[(IndexId, &IndexEntry)]) -> Option<String> {
    let conditions: Vec<String> = (entries.iter().flat_map(|(_, entry)| &entry.when))
        .map(|condition| {
            let name = code(&condition.attribute);
            match &condition.test {
                Test::Equals(value) => format!("{name} is {}", code(&value.to_text())),
                Test::NotEquals(value) => {
                    format!("{name} exists and is not {}", code(&value.to_text()))
                }
                Test::OneOf(values) => {
                    let values: Vec<_> =
                        values.iter().map(|value| code(&value.to_text())).collect();
                    format!("{name} is one of {}", values.join(", "))
                }
                Test::Exists => format!("{name} exists"),
                Test::Missing => format!("{name} does not exist"),
            }
        })
        .collect();
    (!conditions.is_empty()).then(|| conditions.join(" and "))
}

//! What a key condition can find, without any sample: of which entities it can match a key, by the languages of their
//! templates. Exact for text keys, but for two limits: places of one attribute are taken as independent, and so are the
//! condition's parameters (see [`template`]). A key of type N or B, which takes one plain value, can always match.

use crate::engine::languages::{KeyValues, key_templates, key_values, resolved, shape, values_of};
use crate::model::{
    AccessPattern, Design, EntityId, IndexId, ItemKey, KeyAttribute, KeyType, SortCondition,
    SortOperator, entities_of,
};
use crate::template::{self, KeyLanguage, Segment, Shapes, Template, TooLarge};

/// An entity of which a pattern can find items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The entity.
    pub entity: EntityId,
    /// Whether the pattern's author means it; true of all when none is named.
    pub meant: bool,
    /// A key that the pattern can find: each key attribute with a value, of a key of type N or B its template.
    pub example: Vec<(String, String)>,
}

/// How near a key condition comes to an entity's keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Match {
    /// It can find them; with an example of each key attribute.
    Found(Vec<(String, String)>),
    /// The entity is not in the index.
    NotInIndex,
    /// No key of it has such a partition; with the condition's key attribute. `begins`: some of its partition keys
    /// begin with what the condition asks for.
    OtherPartition {
        attribute: String,
        begins: Option<String>,
    },
    /// Its partition matches, but no sort key does; with the key attribute.
    OtherSort { attribute: String },
    /// The condition is not complete, or a template of it has an error.
    NoCondition,
    /// The templates are too large for an answer.
    Unknown,
}

/// A key condition whose templates are read once, to be asked for many entities.
pub(super) struct Asked {
    index: IndexId,
    partition: Vec<Text>,
    sort: Vec<(SortOperator, Text, Option<Text>)>,
    /// Whether every template can be read.
    pub whole: bool,
}

/// A template of a condition and what it can render.
pub(super) struct Text {
    pub template: Template,
    language: KeyLanguage,
}

impl Asked {
    /// Of a Query.
    pub fn query(
        design: &Design,
        pattern: &AccessPattern,
        index: IndexId,
        partition: &[String],
        sort: &[SortCondition],
    ) -> Asked {
        let text = |text: &String| read(design, pattern, text);
        let conditions = sort.iter().map(|condition| {
            let upper = condition.upper.as_ref().map(text);
            (condition.operator, text(&condition.value), upper)
        });
        let mut asked = Asked {
            index,
            partition: partition.iter().map(text).collect(),
            sort: conditions.collect(),
            whole: true,
        };
        let key = design.key(index);
        let ends = |text: &Text| !text.template.segments.is_empty() && !text.template.is_broken();
        asked.whole = key.is_some_and(|key| key.partition.len() == partition.len())
            && key.is_some_and(|key| key.sort.len() >= sort.len())
            && asked.partition.iter().all(ends)
            && (asked.sort.iter())
                .all(|(_, value, upper)| ends(value) && upper.as_ref().is_none_or(ends));
        asked
    }

    /// Of an item's primary key.
    pub fn key(design: &Design, pattern: &AccessPattern, key: &ItemKey) -> Asked {
        let sort = key.sort.iter().map(|text| SortCondition {
            operator: SortOperator::Equal,
            value: text.clone(),
            upper: None,
        });
        let sort: Vec<SortCondition> = sort.collect();
        let partition = std::slice::from_ref(&key.partition);
        Asked::query(design, pattern, IndexId::PRIMARY, partition, &sort)
    }

    /// How near it comes to an entity's keys.
    pub fn matches(&self, design: &Design, entity: EntityId) -> Match {
        let Some(entity) = design.entities.get(&entity) else {
            return Match::NotInIndex;
        };
        if !self.whole {
            return Match::NoCondition;
        }
        let (Some(key), Some(templates)) = (
            design.key(self.index),
            key_templates(design, entity, self.index),
        ) else {
            return Match::NotInIndex;
        };
        let mut own = key.attributes().zip(templates);
        let mut example = Vec::new();
        let mut unknown = false;
        for wanted in &self.partition {
            let Some((attribute, template)) = own.next() else {
                return Match::NoCondition;
            };
            // Most of the other entities' keys begin with other text, and need no closer look.
            if is_text(attribute) && !begin_alike(&template, &wanted.template) {
                return Match::OtherPartition {
                    attribute: attribute.name.clone(),
                    begins: None,
                };
            }
            let own = &values_of(design, entity, attribute, template);
            match equal(own, wanted) {
                Err(TooLarge) => unknown = true,
                Ok(Some(key)) => example.push((own.attribute.name.clone(), key)),
                Ok(None) => {
                    let begins = (own.language.as_ref())
                        .and_then(|language| wanted.language.is_prefix_in(language).ok()?);
                    return Match::OtherPartition {
                        attribute: own.attribute.name.clone(),
                        begins,
                    };
                }
            }
        }
        for (at, (attribute, template)) in own.enumerate() {
            let condition = self.sort.get(at);
            let is_range =
                |operator| !matches!(operator, SortOperator::Equal | SortOperator::BeginsWith);
            let may = condition.is_none_or(|(operator, value, _)| {
                !is_text(attribute)
                    || is_range(*operator)
                    || begin_alike(&template, &value.template)
            });
            let own = &values_of(design, entity, attribute, template);
            let found = match condition {
                _ if !may => Ok(None),
                Some((operator, value, upper)) => test(own, *operator, value, upper.as_ref()),
                None => any(own),
            };
            match found {
                Err(TooLarge) => unknown = true,
                Ok(Some(key)) => example.push((own.attribute.name.clone(), key)),
                Ok(None) => {
                    return Match::OtherSort {
                        attribute: own.attribute.name.clone(),
                    };
                }
            }
        }
        match unknown {
            true => Match::Unknown,
            false => Match::Found(example),
        }
    }

    /// The last sort condition, if it is a `begins_with`.
    pub fn prefix(&self) -> Option<&Text> {
        match self.sort.last() {
            Some((SortOperator::BeginsWith, value, _)) => Some(value),
            _ => None,
        }
    }

    /// The templates of the partition condition.
    pub fn partition(&self) -> &[Text] {
        &self.partition
    }
}

impl Text {
    /// Two texts that it can render, of which the first is the beginning of the second.
    pub fn open(&self) -> Result<Option<(String, String)>, TooLarge> {
        self.language.open_prefix()
    }
}

/// The entities that a condition can find, and those of which that is not known, in the order of their ids.
pub(super) fn reach(
    design: &Design,
    pattern: &AccessPattern,
    asked: &Asked,
) -> (Vec<Reach>, Vec<EntityId>) {
    let (mut reached, mut unsure) = (Vec::new(), Vec::new());
    for id in design.entities.keys() {
        match asked.matches(design, *id) {
            Match::Found(example) => reached.push(Reach {
                entity: *id,
                meant: is_meant(pattern, *id),
                example,
            }),
            Match::Unknown => unsure.push(*id),
            _ => {}
        }
    }
    (reached, unsure)
}

/// The entities whose items are in the table or an index, as far as their templates say.
pub(super) fn inhabitants(design: &Design, pattern: &AccessPattern, index: IndexId) -> Vec<Reach> {
    let ids = design.entities.keys();
    ids.filter_map(|id| inhabitant(design, pattern, index, *id))
        .collect()
}

/// An entity whose items are in the table or an index.
pub(super) fn inhabitant(
    design: &Design,
    pattern: &AccessPattern,
    index: IndexId,
    id: EntityId,
) -> Option<Reach> {
    let values = key_values(design, design.entities.get(&id)?, index)?;
    let mut example = Vec::new();
    for own in &values {
        // Which value it is does not matter here.
        let value = any(own).unwrap_or_else(|TooLarge| Some(own.template.to_string()))?;
        example.push((own.attribute.name.clone(), value));
    }
    Some(Reach {
        entity: id,
        meant: is_meant(pattern, id),
        example,
    })
}

fn is_text(attribute: &KeyAttribute) -> bool {
    attribute.kind == KeyType::S
}

/// Whether the fixed texts with which two templates begin leave it open that they render keys that begin alike.
fn begin_alike(left: &Template, right: &Template) -> bool {
    let (left, right) = (left.leading_literal(), right.leading_literal());
    left.starts_with(right) || right.starts_with(left)
}

/// Whether the pattern's author means the entity.
pub(super) fn is_meant(pattern: &AccessPattern, entity: EntityId) -> bool {
    let mut meant = entities_of(pattern).peekable();
    meant.peek().is_none() || meant.any(|id| id == entity)
}

/// Reads a template of a condition. A parameter looks like the attribute of its name that the pattern's entities have,
/// else any entity; one that no entity knows is any text.
fn read(design: &Design, pattern: &AccessPattern, text: &str) -> Text {
    let template = template::parse(text).template;
    let mut shapes = Shapes::new();
    for name in template.attributes() {
        let meant = entities_of(pattern).filter_map(|id| design.entities.get(&id));
        let mut all = meant.chain(design.entities.values());
        if let Some(attribute) = all.find_map(|entity| entity.attribute(name)) {
            shapes.insert(name.to_owned(), shape(resolved(design, attribute)));
        }
    }
    let language = KeyLanguage::new(&template, &shapes, &design.delimiter);
    Text { template, language }
}

/// Some value of a key attribute.
fn any(own: &KeyValues) -> Result<Option<String>, TooLarge> {
    match &own.language {
        Some(language) => language.within(None, None),
        None => Ok(Some(own.template.to_string())),
    }
}

/// A value that is what the condition asks for.
fn equal(own: &KeyValues, wanted: &Text) -> Result<Option<String>, TooLarge> {
    match &own.language {
        Some(language) => wanted.language.collides(language),
        None => Ok(Some(own.template.to_string())),
    }
}

/// A value that passes the test.
fn test(
    own: &KeyValues,
    operator: SortOperator,
    value: &Text,
    upper: Option<&Text>,
) -> Result<Option<String>, TooLarge> {
    let Some(language) = &own.language else {
        return Ok(Some(own.template.to_string()));
    };
    let bound = &value.language;
    match operator {
        SortOperator::Equal => bound.collides(language),
        SortOperator::BeginsWith => bound.is_prefix_in(language),
        SortOperator::Less => language.within(None, Some((bound, false))),
        SortOperator::LessOrEqual => language.within(None, Some((bound, true))),
        SortOperator::Greater => language.within(Some((bound, false)), None),
        SortOperator::GreaterOrEqual => language.within(Some((bound, true)), None),
        SortOperator::Between => {
            let upper = upper.map(|upper| (&upper.language, true));
            language.within(Some((bound, true)), upper)
        }
    }
}

/// Pairs the placeholders of a condition's template with those of a key's template that stand in the same place, as
/// far as the literals between them are the same. A literal of the condition may end early.
pub(super) fn aligned<'a>(
    condition: &'a Template,
    key: &'a Template,
) -> Vec<(&'a template::Placeholder, &'a template::Placeholder)> {
    let mut pairs = Vec::new();
    for (left, right) in condition.segments.iter().zip(&key.segments) {
        match (left, right) {
            (Segment::Placeholder(left), Segment::Placeholder(right)) => pairs.push((left, right)),
            (Segment::Literal { text: left, .. }, Segment::Literal { text: right, .. })
                if left == right => {}
            _ => break,
        }
    }
    pairs
}

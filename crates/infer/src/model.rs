//! What is found: entities with key templates, samples, and a report.

use super::schema::Item;
use keyfold_core::model::{AttributeType, Condition, DelimiterPolicy, Format};

/// What the items of a table show about its design.
#[derive(Debug, Clone, PartialEq)]
pub struct Inferred {
    /// The delimiter of the keys.
    pub delimiter: DelimiterPolicy,
    /// The attribute that holds the name of each item's entity; `None` if no attribute does for every item.
    pub type_attribute: Option<String>,
    /// The entities. Those without templates keep items that no template explains.
    pub entities: Vec<Entity>,
}

/// A kind of item.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// The name, unique among the entities.
    pub name: String,
    /// Number of items: of a profile, an estimate from its groups.
    pub count: u64,
    /// The attributes: those in keys first.
    pub attributes: Vec<Attribute>,
    /// The keys that items of the entity have, the primary key first.
    pub keys: Vec<Entry>,
    /// The items as samples: without the attributes that templates and the type attribute write, with the values that
    /// only keys have.
    pub samples: Vec<Item>,
    /// The positions of the items that the samples come from, in order.
    pub items: Vec<usize>,
    /// What was found, rule by rule.
    pub rules: Vec<Rule>,
    /// Whether the entity only keeps items that no template explains.
    pub is_rest: bool,
}

/// An attribute of an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// The type of most of its values.
    pub kind: AttributeType,
    /// Whether only keys have the value: the item has no such attribute.
    pub key_only: bool,
    /// Whether every item has it.
    pub required: bool,
    /// The format that all values have, if one is evident.
    pub format: Option<Format>,
}

/// The templates of an entity for a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key: 0 is the primary key, 1 the first index.
    pub key: usize,
    /// Template of the partition key attribute; `None` if the item's own attribute supplies it.
    pub partition: Option<String>,
    /// Template of the sort key attribute.
    pub sort: Option<String>,
    /// Conditions that an item must meet to be in the index.
    pub when: Vec<Condition>,
}

/// A template or a condition, and how many items it explains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The key: 0 is the primary key, 1 the first index.
    pub key: usize,
    /// The key attribute.
    pub attribute: String,
    /// The template.
    pub template: String,
    /// Number of items whose value it renders.
    pub explained: u64,
    /// Number of items that have another value: of this entity, or of others with the same type or the same primary key.
    pub unexplained: u64,
    /// The positions of up to three of them.
    pub examples: Vec<usize>,
}

/// Maximum number of examples of a rule.
pub(crate) const MISFITS: usize = 3;

/// Names that a source gives to kinds of items, such as the facets of NoSQL Workbench.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hint {
    /// The name.
    pub name: String,
    /// The attributes of such items, besides keys.
    pub attributes: Vec<String>,
    /// The positions of such items, if the source has them.
    pub items: Vec<usize>,
    /// What the source calls the partition key of such items: a name, or a template.
    pub partition: Option<String>,
    /// What it calls the sort key.
    pub sort: Option<String>,
}

//! What can be done about a finding, as data. `keyfold_app::fixes` carries it out as one command and shows it first.

use crate::model::{
    AccessPatternId, AttributeId, AttributeType, EntityId, IndexId, KeyPart, Projection,
};

/// A change that takes a finding away.
#[derive(Debug, Clone, PartialEq)]
pub enum Fix {
    /// Sets a template. Access patterns that have the old one, or its placeholders, get the new one.
    SetTemplate {
        /// The entity.
        entity: EntityId,
        /// The primary key or an index that it is in.
        index: IndexId,
        /// Which side of the key.
        part: KeyPart,
        /// The template as it shall be.
        text: String,
    },
    /// Spreads a partition key over so many values by the hash of an attribute; reads then ask each of them.
    Shard {
        /// The entity.
        entity: EntityId,
        /// The primary key or an index that it is in.
        index: IndexId,
        /// The attribute that is hashed.
        attribute: String,
        /// Number of shards.
        count: u32,
    },
    /// Makes an id a ULID and takes the time before it out of the entity's templates.
    Ulid {
        /// The entity.
        entity: EntityId,
        /// The attribute with the time.
        time: String,
        /// The id that follows it.
        id: String,
    },
    /// Moves all entries of some GSIs into another one and deletes them.
    MergeIndexes {
        /// The index that stays.
        into: IndexId,
        /// Those that go.
        from: Vec<IndexId>,
    },
    /// Says that every item has the attribute.
    Require(EntityId, AttributeId),
    /// Adds an attribute of type S.
    AddAttribute(EntityId, String),
    /// Gives an attribute another type.
    Retype(EntityId, AttributeId, AttributeType),
    /// Deletes a secondary index.
    DeleteIndex(IndexId),
    /// Takes an entity out of an index.
    LeaveIndex(EntityId, IndexId),
    /// Sets what an index projects.
    Project(IndexId, Projection),
    /// Sets the table's type attribute.
    TypeAttribute(String),
    /// Turns point-in-time recovery on.
    Recovery,
    /// Turns deletion protection on.
    DeletionProtection,
    /// Gives the provisioned capacity of the table (`primary`) or an index autoscaling.
    Autoscale(IndexId),
    /// Sets the text of one sort condition of a query.
    SortCondition {
        /// The access pattern.
        pattern: AccessPatternId,
        /// Which of its sort conditions, from 0.
        at: usize,
        /// The value's template as it shall be.
        text: String,
    },
    /// Writes a reserved word as `#word` in a pattern's expressions.
    Alias(AccessPatternId, String),
    /// Makes a read eventually consistent.
    Eventual(AccessPatternId),
}

impl Fix {
    /// What a button says: `merge GSI2, GSI3 into GSI1` without the names.
    pub fn title(&self) -> &'static str {
        match self {
            Fix::SetTemplate { .. } => "change template",
            Fix::Shard { .. } => "shard writes",
            Fix::Ulid { .. } => "use a ULID",
            Fix::MergeIndexes { .. } => "merge indexes",
            Fix::Require(..) => "make required",
            Fix::AddAttribute(..) => "add attribute",
            Fix::Retype(..) => "change type",
            Fix::DeleteIndex(_) => "delete index",
            Fix::LeaveIndex(..) => "leave index",
            Fix::Project(..) => "change projection",
            Fix::TypeAttribute(_) => "set type attribute",
            Fix::Recovery => "turn on recovery",
            Fix::DeletionProtection => "turn on deletion protection",
            Fix::Autoscale(_) => "add autoscaling",
            Fix::SortCondition { .. } => "end the prefix",
            Fix::Alias(..) => "write as #name",
            Fix::Eventual(_) => "read eventually consistent",
        }
    }

    /// Whether no stored item changes its keys and nothing is taken away. Other fixes are for tables without data, or
    /// go with a migration of it.
    pub fn is_safe(&self) -> bool {
        !matches!(
            self,
            Fix::SetTemplate { .. }
                | Fix::Shard { .. }
                | Fix::Ulid { .. }
                | Fix::MergeIndexes { .. }
                | Fix::Retype(..)
                | Fix::DeleteIndex(_)
                | Fix::LeaveIndex(..)
        )
    }
}

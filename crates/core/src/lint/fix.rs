//! Fixes of findings, as data. `keyfold_app::fixes` previews a fix and applies it as one command.

use crate::model::{
    AccessPatternId, AttributeId, AttributeType, EntityId, IndexId, KeyPart, Projection,
};

/// A change that resolves a finding.
#[derive(Debug, Clone, PartialEq)]
pub enum Fix {
    /// Sets a key template. Access patterns that use the old template, or its placeholders, change with it.
    SetTemplate {
        /// The entity.
        entity: EntityId,
        /// The primary key or the index.
        index: IndexId,
        /// The partition or the sort key.
        part: KeyPart,
        /// The new template.
        text: String,
    },
    /// Spreads a partition key over `count` values by the hash of an attribute. A read then queries every shard.
    Shard {
        /// The entity.
        entity: EntityId,
        /// The primary key or the index.
        index: IndexId,
        /// The attribute to hash.
        attribute: String,
        /// Number of shards.
        count: u32,
    },
    /// Makes an id a ULID and removes the time before it from the entity's templates.
    Ulid {
        /// The entity.
        entity: EntityId,
        /// The attribute that holds the time.
        time: String,
        /// The id that follows it.
        id: String,
    },
    /// Moves all entries of some GSIs into another GSI and deletes the empty ones.
    MergeIndexes {
        /// The index that stays.
        into: IndexId,
        /// The indexes to delete.
        from: Vec<IndexId>,
    },
    /// Makes an attribute required.
    Require(EntityId, AttributeId),
    /// Makes items store a key-only attribute.
    Store(EntityId, AttributeId),
    /// Adds a required attribute: of type S, or of the type of a number or binary key whose template names it.
    AddAttribute(EntityId, String),
    /// Changes the type of an attribute.
    Retype(EntityId, AttributeId, AttributeType),
    /// Deletes a secondary index.
    DeleteIndex(IndexId),
    /// Removes an entity from an index.
    LeaveIndex(EntityId, IndexId),
    /// Sets the projection of an index.
    Project(IndexId, Projection),
    /// Sets the table's type attribute.
    TypeAttribute(String),
    /// Turns point-in-time recovery on.
    Recovery,
    /// Turns deletion protection on.
    DeletionProtection,
    /// Adds auto scaling to the provisioned capacity of the table (`primary`) or an index.
    Autoscale(IndexId),
    /// Sets the value of one sort condition of a query.
    SortCondition {
        /// The access pattern.
        pattern: AccessPatternId,
        /// The position of the sort condition, from 0.
        at: usize,
        /// The new template of the value.
        text: String,
    },
    /// Writes a reserved word as `#word` in a pattern's expressions.
    Alias(AccessPatternId, String),
    /// Makes a read eventually consistent.
    Eventual(AccessPatternId),
    /// Removes the values of these parameters.
    RemoveValues(AccessPatternId, Vec<String>),
}

impl Fix {
    /// Returns the label of the button: `merge indexes`, without names.
    pub fn title(&self) -> &'static str {
        match self {
            Fix::SetTemplate { .. } => "change template",
            Fix::Shard { .. } => "add write sharding",
            Fix::Ulid { .. } => "use ULID",
            Fix::MergeIndexes { .. } => "merge indexes",
            Fix::Require(..) => "make attribute required",
            Fix::Store(..) => "store attribute",
            Fix::AddAttribute(..) => "add attribute",
            Fix::Retype(..) => "change type",
            Fix::DeleteIndex(_) => "delete index",
            Fix::LeaveIndex(..) => "remove entity from index",
            Fix::Project(..) => "change projection",
            Fix::TypeAttribute(_) => "set type attribute",
            Fix::Recovery => "turn on point-in-time recovery",
            Fix::DeletionProtection => "turn on deletion protection",
            Fix::Autoscale(_) => "add auto scaling",
            Fix::SortCondition { .. } => "end prefix with delimiter",
            Fix::Alias(..) => "use expression attribute name",
            Fix::Eventual(_) => "use eventually consistent reads",
            Fix::RemoveValues(..) => "remove value",
        }
    }

    /// Whether the fix changes no stored keys, deletes nothing, and a deployed table can take it as it is. Apply other
    /// fixes to tables without data, or together with a migration.
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
                // DynamoDB cannot change the projection of an index.
                | Fix::Project(..)
        )
    }
}

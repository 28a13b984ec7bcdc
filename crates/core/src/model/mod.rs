//! The document: a [`Design`] and its parts, as plain data with serde.
//!
//! This module holds what a design is and its invariants ([`invariants`]). What templates mean is in `template`, what
//! samples become in `engine`, how a design changes in `keyfold_app`, and the file format in `persist`.

pub mod access_pattern;
pub mod attribute;
mod cloudformation_functions;
pub mod delimiter;
pub mod design;
pub mod entity;
pub mod export_options;
mod hidden;
pub mod id;
pub mod index;
pub mod invariants;
mod json_fault;
pub mod layout;
pub mod limits;
pub mod name;
pub mod number;
mod operation_form;
pub mod ordered;
pub mod reserved;
pub mod sample;
pub mod table;
pub mod value;
mod words;
pub mod workload;

pub use access_pattern::{
    AccessPattern, ItemKey, Operation, Read, SortCondition, SortOperator, WriteAction,
};
pub use attribute::{Attribute, Choice, Distribution, Format};
pub use cloudformation_functions::{Live, inert, live_parts, policy_part};
pub use delimiter::{DelimiterPolicy, OnDelimiter};
pub use design::{Design, Note, Silenced};
pub use entity::{Condition, Entity, IndexEntry, Test};
pub use export_options::{ExportOptions, TenantAttribute};
pub use hidden::{escape_hidden, is_hidden, push_reference, shown, turns_text};
pub use id::{AccessPatternId, AttributeId, CardId, EntityId, IndexId, NoteId, SampleId};
pub use index::{Index, IndexKind, KeyAttribute, KeyPart, KeySchema, KeyType, Projection};
pub use invariants::{Violation, entities_of, validate_invariants};
pub use json_fault::{json_fault, json_fault_at};
pub use layout::{Layout, Point};
pub use name::{NameError, file_stem};
pub use number::Number;
pub use ordered::{SortedMap, SortedSet, by_rank, in_order};
pub use sample::{Sample, Values};
pub use table::{
    Autoscaling, Billing, ContributorInsights, Encryption, KinesisStream, MaxRequestUnits,
    MultiRegionConsistency, ProvisionedThroughput, Recovery, Replica, StreamView, Table,
    TableClass, WarmThroughput,
};
pub use value::{AttributeType, Value, compare_keys, item_size, kind_column};
pub use words::{camel_case, capital, id_name, is_time, screaming, short, words};
pub use workload::{
    FigureError, HOURS_PER_MONTH, PutShares, Rate, Shape, Skew, Traffic, Volume, Workload,
};

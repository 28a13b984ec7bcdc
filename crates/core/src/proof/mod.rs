//! Whether a design serves its access patterns, and how: [`prove`] gives each a [`Verdict`] from what its key
//! condition can find by analysis ([`ReachableEntity`]) and from what it does to the samples.
//!
//! - [`bind`] assigns values to a pattern's parameters; [`request`] builds the requests of the query engine.
//! - [`read_requirement`] builds an operation that states only a requirement: a Query without a partition key, whose filter names
//!   the known attributes. It is unserved until a key is chosen.
//! - A [`Suggestion`] names a key that would serve a pattern; `keyfold_app` applies it.
//! - [`partiql`] writes a read as a SELECT statement, and parses one.
//! - [`coverage`] compares the access patterns with the table and its indexes.
//!
//! The proof of one pattern depends only on that pattern, the keys of the design, the index that it reads and the
//! samples.
//!
//! ```
//! use keyfold_core::engine::query::TableSnapshot;
//! use keyfold_core::model::{
//!     AccessPattern, AccessPatternId, Attribute, AttributeId, AttributeType, Design, Entity, EntityId, IndexEntry,
//!     IndexId, Operation, Read,
//! };
//! use keyfold_core::proof::{Verdict, prove};
//!
//! let mut order = Entity::new("Order", 0);
//! order.attributes.push(Attribute::new(AttributeId(2), "orderId", AttributeType::S));
//! order.keys.insert(IndexId::PRIMARY, IndexEntry::pair("ORDER#{orderId}", "ORDER"));
//! let pattern = AccessPattern {
//!     name: "Get order".to_owned(),
//!     description: String::new(),
//!     operation: Operation::Query {
//!         index: IndexId::PRIMARY,
//!         partition: vec!["ORDER#{orderId}".to_owned()],
//!         sort: Vec::new(),
//!         read: Read::default(),
//!         descending: false,
//!         limit: None,
//!     },
//!     entities: vec![EntityId(1)],
//!     sample: None,
//!     parameters: Default::default(),
//!     rate: None,
//! };
//! let mut design = Design::new("shop");
//! design.entities.insert(EntityId(1), order.into());
//! design.access_patterns.insert(AccessPatternId(3), pattern.into());
//! let proof = prove(&TableSnapshot::of(&design), AccessPatternId(3)).unwrap();
//! assert_eq!(proof.verdict, Verdict::Served);
//! ```

mod analyze;
mod analyze_keys;
mod asked_partitions;
mod coverage;
mod missed;
mod parameters;
pub mod partiql;
mod prove;
mod reach;
mod read_requirement;
mod remarks;
mod request;
mod serve;
mod suggest;
mod verdict;

pub use coverage::{Cover, Coverage, coverage};
pub use parameters::{Binding, Parameter, Source, bind, parameter_type};
pub use prove::{prove, prove_pattern, verdict_of_keys};
pub use reach::ReachableEntity;
pub use read_requirement::{is_read_requirement, read_requirement};
pub use request::{NoRequest, Request, put, rendered, request};
pub use suggest::{SuggestedChange, Suggestion};
pub use verdict::Verdict;

use super::engine::Item;
use super::engine::query::Preview;

/// The result of the analysis of one access pattern.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The verdict: the worst of the reasons' verdicts.
    pub verdict: Verdict,
    /// The reasons for the verdict, and remarks, worst first. Remarks have the verdict [`Verdict::Served`].
    pub reasons: Vec<Reason>,
    /// The parameters and their values.
    pub parameters: Vec<Parameter>,
    /// The entities that it can return or write, by analysis, in the order of their ids.
    pub reachable: Vec<ReachableEntity>,
    /// Set if one request returns only part of the result.
    pub spread: Option<Spread>,
    /// The effect on the samples.
    pub outcome: Outcome,
    /// Better ways to serve the pattern, the best first.
    pub suggestions: Vec<Suggestion>,
}

/// One sentence about an access pattern, without a final period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The verdict that this reason leads to.
    pub verdict: Verdict,
    /// The sentence, with names in backticks.
    pub text: String,
}

/// A parameter that selects one of several partitions: the full result takes one query per value.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// The parameter: `shard`.
    pub parameter: String,
    /// The placeholder of the entity's template that the parameter stands for: `{orderId:shard(10)}`.
    pub placeholder: String,
    /// The number of queries for the full result; `None` for one query per month, day or year of a time span.
    pub queries: Option<u32>,
    /// The combined result of all queries on the samples; `None` if they did not run.
    pub whole: Option<ReadOutcome>,
}

/// The effect of an access pattern on the samples.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// None: no key is chosen, a parameter has no value, or DynamoDB rejects the request. The reasons say which.
    Nothing,
    /// The result of a read.
    Read(ReadOutcome),
    /// The result of a write: changes of the table and the indexes, their cost, and stale keys.
    Written(Box<Preview>),
}

/// The result of a read on the samples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOutcome {
    /// The returned items, in order: of all pages, or of the first page if there is a limit.
    pub items: Vec<Item>,
    /// The number of items read, before the filter.
    pub read: usize,
    /// The number of pages, which is the number of requests.
    pub pages: usize,
    /// The read capacity units of all pages.
    pub units: f64,
    /// The part of them that fetches attributes from the table that an LSI does not project.
    pub fetched: f64,
    /// Whether the limit may have cut off more items.
    pub more: bool,
    /// The number of items of unintended entities.
    pub unintended: usize,
}

//! Whether a design serves its access patterns, and how: [`prove`] gives each a [`Verdict`] from what its key
//! condition can find by analysis ([`Reach`]) and from what it does to the sample data.
//!
//! - [`bind`] gives a pattern's parameters their values; [`request`] makes the requests of the query engine.
//! - [`wish`] makes an operation that only says what is wanted: a Query without a partition, whose filter names the
//!   attributes that are known. It is unserved until a key is chosen.
//! - A [`Suggestion`] says which key would serve a pattern; `keyfold_app` carries it out.
//! - [`partiql`] writes a read as a SELECT statement, and reads one.
//! - [`coverage`] sets the access patterns against the table and its indexes.
//!
//! Proving one pattern looks at that pattern, the keys of the design and the index that it reads, at nothing else.

mod analyse;
mod cover;
mod expressions;
mod parameters;
pub mod partiql;
mod parts;
mod prove;
mod reach;
mod request;
mod serve;
mod suggest;
mod wish;

pub use cover::coverage;
pub use parameters::{Binding, Parameter, Source, bind, names};
pub use prove::{prove, prove_pattern};
pub use reach::Reach;
pub use request::{NoRequest, Request, put, rendered, request};
pub use wish::{is_wish, wish};

use super::engine::Item;
use super::engine::query::Preview;
use super::model::{AccessPatternId, EntityId, IndexEntry, IndexId, IndexKind, Operation};

/// Whether a design serves an access pattern. The order is from well to ill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// One request, or one for each page, returns what is wanted and little else.
    Served,
    /// What is wanted is returned, but more is read and paid than that.
    ReadsTooMuch,
    /// No key of the entities that are wanted is asked for.
    Unserved,
    /// DynamoDB refuses the request.
    Impossible,
}

impl Verdict {
    /// All of them, from well to ill.
    pub const ALL: [Verdict; 4] = [
        Verdict::Served,
        Verdict::ReadsTooMuch,
        Verdict::Unserved,
        Verdict::Impossible,
    ];

    /// The verdict in words.
    pub fn label(self) -> &'static str {
        match self {
            Verdict::Served => "served",
            Verdict::ReadsTooMuch => "served but reads too much",
            Verdict::Unserved => "unserved",
            Verdict::Impossible => "impossible",
        }
    }

    /// Its name in the command line's JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Served => "served",
            Verdict::ReadsTooMuch => "readsTooMuch",
            Verdict::Unserved => "unserved",
            Verdict::Impossible => "impossible",
        }
    }

    /// Whether the pattern returns what is wanted.
    pub fn is_served(self) -> bool {
        self <= Verdict::ReadsTooMuch
    }
}

/// All that is known of one access pattern.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The verdict: the worst of the reasons'.
    pub verdict: Verdict,
    /// What led to it and what else is to be known, worst first. Those of [`Verdict::Served`] are remarks.
    pub reasons: Vec<Reason>,
    /// The parameters and their values.
    pub parameters: Vec<Parameter>,
    /// The entities that it can return or write, by analysis, in the order of their ids.
    pub reach: Vec<Reach>,
    /// That one request is only a part of the whole.
    pub spread: Option<Spread>,
    /// What it does to the sample data.
    pub outcome: Outcome,
    /// How it could be served better, the best first.
    pub suggestions: Vec<Suggestion>,
}

/// One sentence on an access pattern, without the full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// What it makes of the pattern.
    pub verdict: Verdict,
    /// The sentence; names in backticks.
    pub text: String,
}

/// That a parameter stands for one of several partitions, so that the whole takes a query for each.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// The parameter: `shard`.
    pub parameter: String,
    /// The placeholder of the entity's template that it stands for: `{orderId:shard(10)}`.
    pub placeholder: String,
    /// How many queries the whole takes; `None`: one for each month, day or year of a span.
    pub queries: Option<u32>,
    /// What all the queries return of the sample data together; `None`: they were not carried out.
    pub whole: Option<ReadOutcome>,
}

/// What an access pattern does to the sample data.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Nothing: no operation is chosen yet, a parameter has no value, or DynamoDB refuses it. The reasons say which.
    Nothing,
    /// It reads.
    Read(ReadOutcome),
    /// It writes: what changes in the table and in each index, at which cost, and which keys go stale.
    Written(Box<Preview>),
}

/// What a read returns of the sample data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOutcome {
    /// The items that it returns, in order, over all pages; with a limit, of the first page.
    pub items: Vec<Item>,
    /// Number of items that were read, before the filter.
    pub read: usize,
    /// Number of pages, so of requests.
    pub pages: usize,
    /// Read units of all pages.
    pub units: f64,
    /// Whether there may be more behind the limit.
    pub more: bool,
    /// Those of the items whose entity is not meant.
    pub bled: usize,
}

/// A way to serve an access pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// What must be done to the design.
    pub step: Step,
    /// How the pattern then asks. With [`Step::NewIndex`] its index is [`IndexId::PRIMARY`] until the index is there:
    /// use [`Suggestion::operation`].
    pub operation: Operation,
    /// What it does, in one sentence without the full stop.
    pub text: String,
}

/// What a [`Suggestion`] does to the design, besides pointing the pattern at it.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Nothing: the table's primary key, or an index as it is, serves the pattern.
    AsItIs(IndexId),
    /// These entities join an index.
    Join(IndexId, Vec<(EntityId, IndexEntry)>),
    /// A new index of this kind, with these entities in it.
    NewIndex(IndexKind, Vec<(EntityId, IndexEntry)>),
}

/// The access patterns against the table and its indexes.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// The columns: the primary key, then the indexes.
    pub indexes: Vec<IndexId>,
    /// For each access pattern its verdict and a cell for each column.
    pub patterns: Vec<(AccessPatternId, Verdict, Vec<Cover>)>,
    /// For each entity whether it is in each column.
    pub entities: Vec<(EntityId, Vec<bool>)>,
    /// The secondary indexes that serve no access pattern.
    pub idle: Vec<IndexId>,
}

/// What an index does for an access pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// Nothing.
    No,
    /// The pattern reads it, and is served or reads too much.
    Serves,
    /// The pattern reads it, but is not served.
    Fails,
    /// The pattern writes entries of it.
    Writes,
    /// The pattern does not read it, but could as the keys are.
    Could,
}

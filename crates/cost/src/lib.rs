//! What a design costs and where it gets hot, from its access patterns, its samples and its workload.

#![warn(missing_docs)]

pub mod assume;
pub mod bill;
pub mod findings;
pub mod heat;
pub mod model;
pub mod prices;
pub mod report;
pub mod units;

pub use model::CostModel;
pub use report::Report;

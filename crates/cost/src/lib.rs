//! What a design costs and where it gets hot, from its access patterns, its samples and its workload.
//!
//! [`assume`] completes the workload, [`units`] counts the units of requests with the engine of the core, [`CostModel`] makes
//! loads of them, [`bill`] and [`heat`] judge the loads, and a [`Report`] has all in words.
//!
//! ```
//! use keyfold_core::library;
//! use keyfold_cost::prices::Prices;
//! use keyfold_cost::{CostModel, Report};
//!
//! let design = library::find("e-commerce").unwrap().design()?;
//! let report = Report::new(CostModel::of(&design), Prices::of(&design.workload), 12);
//! assert!(report.bill().total.is_complete());
//! # Ok::<(), keyfold_core::persist::FileError>(())
//! ```

#![warn(missing_docs)]

pub mod assume;
pub mod bill;
pub mod findings;
mod forms;
pub mod heat;
pub mod model;
pub mod prices;
pub mod report;
pub mod units;

pub use findings::lint;
pub use model::CostModel;
pub use report::Report;

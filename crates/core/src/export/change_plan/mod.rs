//! The change plan: the stack updates that lead from an earlier version of a design, or of its template, to the new
//! one. It reports what needs a new table, and which items must change.
//!
//! - `steps`: the updates in order, each with the complete template to deploy.
//! - `data`: keys that existing items lack or have in another form.
//! - [`text`]: the plan in words.
//!
//! Source: AWS::DynamoDB::Table and AWS::DynamoDB::GlobalTable, CloudFormation template reference ("Update requires",
//! one index created or deleted per update, one replica added or removed per update, TTL off before it changes its
//! attribute).

mod data;
mod new_table;
mod plan;
mod renamed;
mod settings;
mod steps;
mod text;
mod version;

pub use data::{DataChange, DataKind, Written};
pub use plan::{ChangePlan, PlanStep, StepKind, change_plan};
pub use text::{sentence, text, title};
pub use version::Version;

//! AWS CDK: a TypeScript construct that creates the table.
//!
//! It uses `Table`, which supports all settings of a table in one Region: fixed capacity of both kinds, Contributor
//! Insights of single indexes, the precision of Kinesis records and multi-attribute keys. `TableV2` supports none of
//! the first three, but only it creates replicas without a custom resource. So a design with replicas uses `TableV2`,
//! and comments list the unsupported settings.

mod capacity;
mod construct;
mod settings;

pub use construct::cdk;

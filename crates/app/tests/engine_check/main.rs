//! Checks exports and predictions against a DynamoDB engine: tables are created from exported templates, and items
//! are written and read.

mod access_patterns;
mod awkward;
mod dynamo;
mod formats;
mod library;
mod ours;
mod queries;
mod random_designs;
mod random_expressions;
mod random_queries;
mod random_reads;
mod refusals;
mod requests;
mod sizes;
mod template;
mod templates;
mod writes;

//! The exported template in a DynamoDB engine: the table is created from the template's text, items are put
//! and read back. What the design says must be what the engine says.

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

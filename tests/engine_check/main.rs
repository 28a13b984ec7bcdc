//! The exported template in a DynamoDB engine: the table is created from the template's text, items are put
//! and read back. What the design says must be what the engine says.

mod access_patterns;
mod awkward;
#[path = "../core/cases.rs"]
mod cases;
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
#[path = "../core/tables.rs"]
mod tables;
mod template;
#[path = "../core/template_designs.rs"]
mod template_designs;
mod templates;
mod writes;
#[path = "../core/yaml_reader.rs"]
mod yaml_reader;

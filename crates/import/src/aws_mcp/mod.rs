//! The files of AWS's DynamoDB MCP server (`awslabs-dynamodb-mcp-server`): `schema.json` with entities, key templates and
//! access patterns, and `dynamodb_data_model.json` with tables, items and access patterns.

mod data_model;
mod pattern;
mod schema;

pub use data_model::{is_data_model, read as read_data_model};
pub use schema::{is_schema, read as read_schema};

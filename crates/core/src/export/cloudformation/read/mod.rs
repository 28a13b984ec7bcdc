//! Reads a table and its indexes from a template, Keyfold's or any other. Skips what does not belong to the table or
//! does not fit into a design, with a remark.
//! Source of names and values: AWS::DynamoDB::Table and AWS::DynamoDB::GlobalTable, CloudFormation template reference.

mod properties;
mod scaling;
mod table;

pub use table::{ReadTable, read, read_properties, tree};

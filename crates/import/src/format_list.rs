//! The list of the formats that an import reads: plain data.

/// A format that an import reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Keyfold's own design, JSON or text.
    Keyfold,
    /// NoSQL Workbench.
    Workbench,
    /// CloudFormation, SAM, CDK's JSON, `serverless.yml`.
    CloudFormation,
    /// CreateTable requests, DescribeTable answers and other requests of the AWS CLI.
    Requests,
    /// Terraform: HCL, JSON syntax, `terraform show -json`.
    Terraform,
    /// `schema.json` and `dynamodb_data_model.json` of AWS's DynamoDB MCP server.
    AwsMcp,
    /// OneTable: schemas in JSON, TypeScript or JavaScript.
    OneTable,
    /// ElectroDB: entities and services in TypeScript or JavaScript, entities in JSON.
    ElectroDb,
    /// dynamodb-toolbox: tables and entities in TypeScript or JavaScript.
    Toolbox,
    /// Items as JSON.
    Items,
    /// Items as CSV.
    Csv,
}

/// All formats with their names on the command line and for people.
pub const FORMATS: [(Format, &str, &str); 11] = [
    (Format::Keyfold, "keyfold", "Keyfold design"),
    (Format::Workbench, "workbench", "NoSQL Workbench model"),
    (
        Format::CloudFormation,
        "cloudformation",
        "CloudFormation, SAM or CDK template, or serverless.yml",
    ),
    (
        Format::Requests,
        "aws-cli",
        "CreateTable request or DescribeTable answer",
    ),
    (
        Format::Terraform,
        "terraform",
        "Terraform file or the output of terraform show -json",
    ),
    (
        Format::AwsMcp,
        "aws-mcp",
        "Schema or data model of AWS's DynamoDB MCP server",
    ),
    (Format::OneTable, "onetable", "OneTable schema"),
    (
        Format::ElectroDb,
        "electrodb",
        "ElectroDB entities or service",
    ),
    (
        Format::Toolbox,
        "dynamodb-toolbox",
        "dynamodb-toolbox tables and entities",
    ),
    (
        Format::Items,
        "items",
        "Items in DynamoDB JSON or plain JSON",
    ),
    (Format::Csv, "csv", "Items in CSV"),
];

impl Format {
    /// The name for people.
    pub fn label(self) -> &'static str {
        let found = FORMATS.iter().find(|(format, ..)| *format == self);
        found.map_or("", |(_, _, label)| label)
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        let found = FORMATS.iter().find(|(format, ..)| *format == self);
        found.map_or("", |(_, name, _)| name)
    }
}

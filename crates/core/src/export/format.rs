//! The list of export formats: plain data.

use super::writer::Code;

/// One file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The file name; a format with folders separates them with `/`.
    pub name: String,
    /// The content.
    pub code: Code,
}

/// An export format: a row of [`FORMATS`]. Plain data, so that the list of formats does not pull in the code of the
/// exports: the app loads that on demand.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// The name in the app.
    pub label: &'static str,
    pub(super) kind: Kind,
    is_folder: bool,
}

/// What a format is; `formats.rs` has the function that writes it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    CloudFormation,
    CloudFormationJson,
    Terraform,
    Cdk,
    CreateTable,
    Iam,
    Rust,
    RustCrate,
    ElectroDb,
    OneTable,
    AwsMcp,
    BatchWrite,
    Workbench,
    Markdown,
}

/// All export formats, in the order in which the app lists them.
pub static FORMATS: [Format; 14] = [
    one("cloudformation", "CloudFormation", Kind::CloudFormation),
    one(
        "cloudformation-json",
        "CloudFormation JSON",
        Kind::CloudFormationJson,
    ),
    one("terraform", "Terraform", Kind::Terraform),
    one("cdk", "AWS CDK", Kind::Cdk),
    several("create-table", "AWS CLI", Kind::CreateTable),
    one("iam", "IAM policy", Kind::Iam),
    one("rust", "Rust", Kind::Rust),
    several("rust-crate", "Rust crate", Kind::RustCrate),
    one("electrodb", "ElectroDB", Kind::ElectroDb),
    one("onetable", "OneTable", Kind::OneTable),
    one("aws-mcp", "AWS MCP schema", Kind::AwsMcp),
    several("batch-write", "BatchWriteItem", Kind::BatchWrite),
    one("workbench", "NoSQL Workbench", Kind::Workbench),
    one("markdown", "Markdown", Kind::Markdown),
];

/// Creates a format with one file.
const fn one(name: &'static str, label: &'static str, kind: Kind) -> Format {
    Format {
        name,
        label,
        kind,
        is_folder: false,
    }
}

/// Creates a format with several files in a folder.
const fn several(name: &'static str, label: &'static str, kind: Kind) -> Format {
    Format {
        name,
        label,
        kind,
        is_folder: true,
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl Format {
    /// Returns the format with this name.
    pub fn named(name: &str) -> Option<Format> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// Whether the format has several files, which need a folder.
    pub fn is_folder(self) -> bool {
        self.is_folder
    }
}

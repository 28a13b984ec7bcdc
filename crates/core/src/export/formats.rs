//! The formats: their names, their file names, and the function that writes each.

use super::super::model::{Design, file_stem};
use super::super::slices::finish;
use super::aws_mcp;
use super::batch_write;
use super::cdk;
use super::cloudformation;
use super::create_table;
use super::electrodb;
use super::iam;
use super::markdown;
use super::onetable;
use super::rust;
use super::terraform;
use super::workbench;
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
    kind: Kind,
    is_folder: bool,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
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

    /// Exports the design: at least one file; all names differ.
    pub fn files(self, design: &Design) -> Vec<File> {
        finish(self.files_in_slices(design))
    }

    /// Like [`Format::files`], in slices.
    pub async fn files_in_slices(self, design: &Design) -> Vec<File> {
        let stem = file_stem(&design.table.name);
        let snake = stem.replace(['-', '.', ' '], "_").to_lowercase();
        let (name, code) = match self.kind {
            Kind::CreateTable => return create_table::create_table(design),
            Kind::RustCrate => return rust::rust_crate(design).await,
            Kind::BatchWrite => return batch_write::batch_write(design).await,
            Kind::CloudFormation => (stem + ".yaml", cloudformation::cloudformation(design)),
            Kind::CloudFormationJson => (
                stem + ".template.json",
                cloudformation::cloudformation_json(design),
            ),
            Kind::Terraform => (stem + ".tf", terraform::terraform(design)),
            Kind::Cdk => (stem + "-table.ts", cdk::cdk(design)),
            Kind::Iam => (stem + "-policy.json", iam::iam(design)),
            Kind::Rust => (snake + "_keys.rs", rust::rust(design).await),
            Kind::ElectroDb => (stem + "-entities.ts", electrodb::electrodb(design).await),
            Kind::OneTable => (stem + "-schema.ts", onetable::onetable(design).await),
            Kind::AwsMcp => (stem + "-schema.json", aws_mcp::aws_mcp(design).await),
            Kind::Workbench => (stem + "-workbench.json", workbench::workbench(design).await),
            Kind::Markdown => (stem + ".md", markdown::markdown(design).await),
        };
        vec![File { name, code }]
    }
}

//! Exports: one file or folder per format. Each format builds a plan and writes it with a [`writer::CodeWriter`].
//! Every export is a pure function of the design: the same design gives the same bytes.
//!
//! ```
//! use keyfold_core::export::Format;
//! use keyfold_core::model::Design;
//!
//! let format = Format::named("cloudformation").unwrap();
//! let files = format.files(&Design::new("shop"));
//! assert_eq!(files[0].name, "shop.yaml");
//! assert!(files[0].code.text.contains("AWS::DynamoDB::Table"));
//! ```

pub mod batch_write;
pub mod cdk;
pub mod change_plan;
pub mod cloudformation;
pub mod create_table;
pub mod electrodb;
mod entity_keys;
mod hcl;
pub mod iam;
pub mod json;
mod literal;
pub mod markdown;
pub mod onetable;
pub mod options;
pub mod requests;
pub mod rust;
pub mod samples;
mod script;
pub mod table_plan;
pub mod terraform;
pub mod tree;
mod words;
pub mod workbench;
pub mod writer;
pub mod yaml;
pub mod yaml_reader;

pub use writer::{Code, CodeWriter, Tag};

use super::engine::{Computed, Work};
use super::model::{Design, file_stem};
use super::slices::{finish, pause};
use std::pin::Pin;
use std::sync::Arc;

/// One file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The file name; a format with folders separates them with `/`.
    pub name: String,
    /// The content.
    pub code: Code,
}

/// An export format: a row of [`FORMATS`].
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// The name in the app.
    pub label: &'static str,
    output: Output,
}

/// How a format creates its files.
#[derive(Debug, Clone, Copy)]
enum Output {
    /// One file. In its name, `{stem}` is the table's name as a file name, `{snake}` the same in lower case with `_`.
    One(&'static str, Export<Code>),
    /// Several files in one folder.
    Several(Export<Vec<File>>),
}

/// A function that creates an export.
#[derive(Debug)]
enum Export<T: 'static> {
    /// Runs at once: its time hardly depends on the number of entities.
    AtOnce(fn(&Design) -> T),
    /// Runs in slices.
    InSlices(for<'d> fn(&'d Design) -> ExportFuture<'d, T>),
}

/// A running export.
type ExportFuture<'d, T> = Pin<Box<dyn Future<Output = T> + 'd>>;

impl<T> Clone for Export<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Export<T> {}

impl<T> Export<T> {
    async fn make(self, design: &Design) -> T {
        match self {
            Export::AtOnce(export) => export(design),
            Export::InSlices(export) => export(design).await,
        }
    }
}

/// All export formats, in the order in which the app lists them.
pub static FORMATS: [Format; 13] = [
    one(
        "cloudformation",
        "CloudFormation",
        "{stem}.yaml",
        Export::AtOnce(cloudformation::cloudformation),
    ),
    one(
        "cloudformation-json",
        "CloudFormation JSON",
        "{stem}.template.json",
        Export::AtOnce(cloudformation::cloudformation_json),
    ),
    one(
        "terraform",
        "Terraform",
        "{stem}.tf",
        Export::AtOnce(terraform::terraform),
    ),
    one(
        "cdk",
        "AWS CDK",
        "{stem}-table.ts",
        Export::AtOnce(cdk::cdk),
    ),
    several(
        "create-table",
        "AWS CLI",
        Export::AtOnce(create_table::create_table),
    ),
    one(
        "iam",
        "IAM policy",
        "{stem}-policy.json",
        Export::AtOnce(iam::iam),
    ),
    one(
        "rust",
        "Rust",
        "{snake}_keys.rs",
        Export::InSlices(|design| Box::pin(rust::rust(design))),
    ),
    several(
        "rust-crate",
        "Rust crate",
        Export::InSlices(|design| Box::pin(rust::rust_crate(design))),
    ),
    one(
        "electrodb",
        "ElectroDB",
        "{stem}-entities.ts",
        Export::InSlices(|design| Box::pin(electrodb::electrodb(design))),
    ),
    one(
        "onetable",
        "OneTable",
        "{stem}-schema.ts",
        Export::InSlices(|design| Box::pin(onetable::onetable(design))),
    ),
    several(
        "batch-write",
        "BatchWriteItem",
        Export::InSlices(|design| Box::pin(batch_write::batch_write(design))),
    ),
    one(
        "workbench",
        "NoSQL Workbench",
        "{stem}-workbench.json",
        Export::InSlices(|design| Box::pin(workbench::workbench(design))),
    ),
    one(
        "markdown",
        "Markdown",
        "{stem}.md",
        Export::InSlices(|design| Box::pin(markdown::markdown(design))),
    ),
];

/// Creates a format with one file.
const fn one(
    name: &'static str,
    label: &'static str,
    file: &'static str,
    export: Export<Code>,
) -> Format {
    let output = Output::One(file, export);
    Format {
        name,
        label,
        output,
    }
}

/// Creates a format with several files.
const fn several(name: &'static str, label: &'static str, export: Export<Vec<File>>) -> Format {
    let output = Output::Several(export);
    Format {
        name,
        label,
        output,
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
        matches!(self.output, Output::Several(_))
    }

    /// Exports the design: at least one file; all names differ.
    pub fn files(self, design: &Design) -> Vec<File> {
        finish(self.files_in_slices(design))
    }

    /// Like [`Format::files`], in slices.
    pub async fn files_in_slices(self, design: &Design) -> Vec<File> {
        match self.output {
            Output::Several(export) => export.make(design).await,
            Output::One(name, export) => {
                let stem = file_stem(&design.table.name);
                let snake = stem.replace(['-', '.', ' '], "_").to_lowercase();
                vec![File {
                    name: name.replace("{stem}", &stem).replace("{snake}", &snake),
                    code: export.make(design).await,
                }]
            }
        }
    }
}

/// Computes the items of a design's samples, in slices.
async fn computed(design: &Design) -> Computed {
    let mut work = Work::new(Arc::new(Computed::nothing()), design.clone(), None);
    loop {
        if let Some(computed) = work.step() {
            return computed;
        }
        pause().await;
    }
}

//! Exports: one folder or file per format, each from a plan to a [`writer::CodeWriter`].
//! Every export is a pure function of the design: the same design gives the same bytes.

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
pub mod terraform;
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

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name; with `/` between folders, where a format has some.
    pub name: String,
    /// What is in it.
    pub code: Code,
}

/// A format that a design is exported to: a row of [`FORMATS`].
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name in the command line.
    pub name: &'static str,
    /// Its name in the app.
    pub label: &'static str,
    made: Made,
}

/// How the files of a format are made.
#[derive(Debug, Clone, Copy)]
enum Made {
    /// One file. In its name, `{stem}` is the table's name as a file name, `{snake}` that in lower case with `_`.
    One(&'static str, Export<Code>),
    /// Files of one folder.
    Several(Export<Vec<File>>),
}

/// What makes an export.
#[derive(Debug)]
enum Export<T: 'static> {
    /// At once: it takes no longer with more entities, or little.
    AtOnce(fn(&Design) -> T),
    /// In slices.
    InSlices(for<'d> fn(&'d Design) -> Making<'d, T>),
}

/// An export in the making.
type Making<'d, T> = Pin<Box<dyn Future<Output = T> + 'd>>;

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

/// The formats that a design is exported to, in the order in which they are offered.
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

/// A format of one file.
const fn one(
    name: &'static str,
    label: &'static str,
    file: &'static str,
    export: Export<Code>,
) -> Format {
    let made = Made::One(file, export);
    Format { name, label, made }
}

/// A format of several files.
const fn several(name: &'static str, label: &'static str, export: Export<Vec<File>>) -> Format {
    let made = Made::Several(export);
    Format { name, label, made }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        FORMATS.into_iter().find(|format| format.name == name)
    }

    /// Whether it has several files, and so goes into a folder.
    pub fn is_folder(self) -> bool {
        matches!(self.made, Made::Several(_))
    }

    /// The design in this format: at least one file. Several have different names.
    pub fn files(self, design: &Design) -> Vec<File> {
        finish(self.files_in_slices(design))
    }

    /// As [`Format::files`], in slices.
    pub async fn files_in_slices(self, design: &Design) -> Vec<File> {
        match self.made {
            Made::Several(export) => export.make(design).await,
            Made::One(name, export) => {
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

/// The items of a design's samples, in slices.
async fn computed(design: &Design) -> Computed {
    let mut work = Work::new(Arc::new(Computed::nothing()), design.clone(), None);
    loop {
        if let Some(computed) = work.step() {
            return computed;
        }
        pause().await;
    }
}

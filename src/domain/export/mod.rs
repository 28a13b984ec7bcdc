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

use super::model::{Design, file_stem};

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
    One(&'static str, fn(&Design) -> Code),
    /// Files of one folder.
    Several(fn(&Design) -> Vec<File>),
}

/// The formats that a design is exported to, in the order in which they are offered.
pub static FORMATS: [Format; 13] = [
    one(
        "cloudformation",
        "CloudFormation",
        "{stem}.yaml",
        cloudformation::cloudformation,
    ),
    one(
        "cloudformation-json",
        "CloudFormation JSON",
        "{stem}.template.json",
        cloudformation::cloudformation_json,
    ),
    one("terraform", "Terraform", "{stem}.tf", terraform::terraform),
    one("cdk", "AWS CDK", "{stem}-table.ts", cdk::cdk),
    several("create-table", "AWS CLI", create_table::create_table),
    one("iam", "IAM policy", "{stem}-policy.json", iam::iam),
    one("rust", "Rust", "{snake}_keys.rs", rust::rust),
    several("rust-crate", "Rust crate", rust::rust_crate),
    one(
        "electrodb",
        "ElectroDB",
        "{stem}-entities.ts",
        electrodb::electrodb,
    ),
    one(
        "onetable",
        "OneTable",
        "{stem}-schema.ts",
        onetable::onetable,
    ),
    several("batch-write", "BatchWriteItem", batch_write::batch_write),
    one(
        "workbench",
        "NoSQL Workbench",
        "{stem}-workbench.json",
        workbench::workbench,
    ),
    one("markdown", "Markdown", "{stem}.md", markdown::markdown),
];

/// A format of one file.
const fn one(
    name: &'static str,
    label: &'static str,
    file: &'static str,
    export: fn(&Design) -> Code,
) -> Format {
    let made = Made::One(file, export);
    Format { name, label, made }
}

/// A format of several files.
const fn several(
    name: &'static str,
    label: &'static str,
    export: fn(&Design) -> Vec<File>,
) -> Format {
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
        match self.made {
            Made::Several(export) => export(design),
            Made::One(name, export) => {
                let stem = file_stem(&design.table.name);
                let snake = stem.replace(['-', '.', ' '], "_").to_lowercase();
                vec![File {
                    name: name.replace("{stem}", &stem).replace("{snake}", &snake),
                    code: export(design),
                }]
            }
        }
    }
}

//! Exports: one folder or file per format, each from a plan to a [`writer::CodeWriter`].
//! Every export is a pure function of the design: the same design gives the same bytes.

pub mod change_plan;
pub mod cloudformation;
pub mod iam;
pub mod json;
pub mod rust;
pub mod samples;
pub mod writer;
pub mod yaml;
pub mod yaml_reader;

pub use writer::{Code, Tag};

use super::model::Design;

/// The formats that a design is exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// A CloudFormation template in YAML.
    CloudFormation,
    /// A CloudFormation template in JSON.
    CloudFormationJson,
    /// An IAM policy in JSON.
    Iam,
    /// One Rust file of key builders.
    Rust,
}

impl Format {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Format; 4] = [
        Format::CloudFormation,
        Format::CloudFormationJson,
        Format::Iam,
        Format::Rust,
    ];

    /// Its name in the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::CloudFormation => "cloudformation",
            Format::CloudFormationJson => "cloudformation-json",
            Format::Iam => "iam",
            Format::Rust => "rust",
        }
    }

    /// Its name in the app.
    pub fn label(self) -> &'static str {
        match self {
            Format::CloudFormation => "CloudFormation",
            Format::CloudFormationJson => "CloudFormation JSON",
            Format::Iam => "IAM policy",
            Format::Rust => "Rust",
        }
    }

    /// What a file of this format is called, for a design that goes by `stem`.
    pub fn file_name(self, stem: &str) -> String {
        match self {
            Format::CloudFormation => format!("{stem}.yaml"),
            Format::CloudFormationJson => format!("{stem}.template.json"),
            Format::Iam => format!("{stem}-policy.json"),
            Format::Rust => format!(
                "{}_keys.rs",
                stem.replace(['-', '.', ' '], "_").to_lowercase()
            ),
        }
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The design in this format.
    pub fn export(self, design: &Design) -> Code {
        match self {
            Format::CloudFormation => cloudformation::cloudformation(design),
            Format::CloudFormationJson => cloudformation::cloudformation_json(design),
            Format::Iam => iam::iam(design),
            Format::Rust => rust::rust(design),
        }
    }
}

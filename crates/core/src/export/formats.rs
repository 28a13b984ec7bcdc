//! The file names of each format, and the function that writes it.

use super::super::model::{Design, file_stem};
use super::super::slices::finish;
use super::aws_mcp;
use super::batch_write;
use super::cdk;
use super::cloudformation;
use super::create_table;
use super::electrodb;
use super::format::{File, Format, Kind};
use super::iam;
use super::markdown;
use super::onetable;
use super::rust;
use super::terraform;
use super::workbench;

impl Format {
    /// Exports the design: at least one file; all names differ.
    pub fn files(self, design: &Design) -> Vec<File> {
        finish(self.files_in_slices(design))
    }

    /// Like [`Format::files`], in slices.
    pub async fn files_in_slices(self, design: &Design) -> Vec<File> {
        let stem = file_stem(&design.table.name);
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
            Kind::Rust => (module_name(&stem) + ".rs", rust::rust(design).await),
            Kind::ElectroDb => (stem + "-entities.ts", electrodb::electrodb(design).await),
            Kind::OneTable => (stem + "-schema.ts", onetable::onetable(design).await),
            Kind::AwsMcp => (stem + "-schema.json", aws_mcp::aws_mcp(design).await),
            Kind::Workbench => (stem + "-workbench.json", workbench::workbench(design).await),
            Kind::Markdown => (stem + ".md", markdown::markdown(design).await),
        };
        vec![File { name, code }]
    }
}

/// Returns a name for a module of Rust: it has no dashes and does not begin with a digit.
fn module_name(stem: &str) -> String {
    let snake = stem.replace(['-', '.', ' '], "_").to_lowercase();
    match snake.starts_with(|c: char| c.is_numeric()) {
        true => format!("table_{snake}_keys"),
        false => format!("{snake}_keys"),
    }
}

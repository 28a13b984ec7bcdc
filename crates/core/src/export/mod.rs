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

mod api_names;
pub mod aws_mcp;
pub mod batch_write;
pub mod cdk;
pub mod change_plan;
pub mod cloudformation;
pub mod create_table;
pub mod electrodb;
mod entity_keys;
mod format;
mod formats;
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
pub mod table_plan;
pub mod terraform;
pub mod tree;
mod typescript;
pub mod workbench;
pub mod writer;
pub mod yaml;
pub mod yaml_reader;

pub use format::{FORMATS, File, Format};
pub use writer::{Code, CodeWriter, Tag};

use super::engine::{Computed, Work};
use super::model::Design;
use super::slices::pause;
use std::sync::Arc;

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

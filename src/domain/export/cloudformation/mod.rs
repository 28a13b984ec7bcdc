//! CloudFormation: a template that makes the design's table.
//!
//! - [`plan`]: what the table needs, worked out from the design; no YAML in it.
//! - [`template`]: the plan as a tree of CloudFormation's properties.
//! - [`super::yaml`]: the tree as text.
//!
//! The table's name is the parameter `TableName`, by default the design's table name. The parameter `Stage` is
//! empty by default and then changes nothing; with `Stage=dev` the name becomes `NAME-dev`, so that several
//! stages of one design fit into one account. The table is retained when the stack is deleted or would replace
//! it. Replicas are not in the template: a global table is another resource type.

pub mod plan;
pub mod template;

use super::Code;
use super::yaml;
use crate::domain::model::Design;

/// The CloudFormation template of a design, as YAML.
pub fn cloudformation(design: &Design) -> Code {
    yaml::document(&template::template(&plan::plan(design)))
}

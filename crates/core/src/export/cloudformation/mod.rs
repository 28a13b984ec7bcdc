//! CloudFormation: a template that makes the design's table.
//!
//! - [`plan`]: what the table needs, worked out from the design; no YAML in it.
//! - [`table`], [`global`]: the plan as the properties of a table, or of a global table if it has replicas.
//! - [`template`]: parameters, resources and outputs around it.
//! - [`super::yaml`], [`super::json`]: the tree as text.
//! - [`read`]: a template, ours or another's, back to a table; [`functions`]: what its functions give.
//!
//! The table's name is the parameter `TableName`, by default the design's table name. The parameter `Stage` is
//! empty by default and then changes nothing; with `Stage=dev` the name becomes `NAME-dev`, so that several
//! stages of one design fit into one account. The table is retained when the stack would replace it, and when the stack
//! is deleted, unless the design says otherwise.

pub mod functions;
pub mod global;
pub mod plan;
pub mod read;
pub mod table;
pub mod template;

use super::yaml::Map;
use super::{Code, iam, json, yaml};
use crate::model::{Design, inert};

/// What may be in a template or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether a managed policy holds the roles of tenants to their items, where the keys allow it (see
    /// [`iam::tenant`]).
    pub tenant_policy: bool,
}

impl Options {
    /// What the design's author chose.
    pub fn of(design: &Design) -> Self {
        Options {
            tenant_policy: design.export_options.tenant_policy,
        }
    }
}

/// The CloudFormation template of a design, as YAML with short tags.
pub fn cloudformation(design: &Design) -> Code {
    yaml::document(&tree(design, Options::of(design)))
}

/// The same template as JSON.
pub fn cloudformation_json(design: &Design) -> Code {
    json::document(&tree(design, Options::of(design)))
}

/// The template of a design as a tree.
pub fn tree(design: &Design, options: Options) -> Map {
    let tenant = options.tenant_policy.then(|| iam::find_tenant(design));
    let missing = match &tenant {
        Some(Err(iam::NoTenant::Refused(reason))) => Some(reason.as_str()),
        Some(Err(iam::NoTenant::Nobody(reason))) => {
            let plain = "the partition keys of the table do not begin with a tenant";
            Some(reason.as_deref().unwrap_or(plain))
        }
        Some(Ok(_)) | None => None,
    };
    let design = &*inert(design);
    let held = tenant.as_ref().and_then(|tenant| tenant.as_ref().ok());
    let root = template::template(&plan::plan(design), held);
    match missing {
        Some(reason) => root
            .blank()
            .comment(format!("The tenants' policy is left out: {reason}.")),
        None => root,
    }
}

//! CloudFormation: a template that creates the design's table.
//!
//! - `super::table_plan`: the table's requirements, computed from the design; contains no YAML.
//! - [`table`], [`global`]: the plan as the properties of a table, or of a global table if it has replicas.
//! - [`template`]: the parameters, resources and outputs around it.
//! - [`super::yaml`], [`super::json`]: the tree as text.
//! - [`read`]: reads a table from a template, Keyfold's or any other; [`functions`]: evaluates its functions.
//!
//! The parameter `TableName` holds the table's name; its default is the design's table name. The parameter `Stage` is
//! empty by default. With `Stage=dev`, the name becomes `NAME-dev`, so that one account can hold several stages of a
//! design. The table is retained if the stack would replace it or is deleted, unless the design sets otherwise.

pub mod functions;
pub mod global;
pub mod read;
pub mod table;
pub mod template;

use super::iam::{NoTenant, Tenant};
use super::options::LIVE_FUNCTIONS;
use super::tree::{Map, Node};
use super::{Code, iam, json, table_plan, yaml};
use crate::model::{Design, inert, policy_part};

/// Optional parts of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether a managed policy restricts the roles of tenants to their items, if the keys allow it (see
    /// [`iam::tenant`]).
    pub tenant_policy: bool,
}

impl Options {
    /// Returns the options stored in the design.
    pub fn of(design: &Design) -> Self {
        Options {
            tenant_policy: design.export_options.tenant_policy,
        }
    }
}

/// Writes the CloudFormation template of a design as YAML with short tags.
pub fn cloudformation(design: &Design) -> Code {
    yaml::document(&tree(design, Options::of(design)))
}

/// Writes the same template as JSON.
pub fn cloudformation_json(design: &Design) -> Code {
    json::document(&tree(design, Options::of(design)))
}

/// Writes the template as YAML, with TTL turned off for an attribute that the deployed table has it on for.
pub fn with_ttl_off(design: &Design, attribute: &str) -> Code {
    yaml::document(&whole(design, Options::of(design), Some(attribute)))
}

/// Returns the template of a design as a tree.
pub fn tree(design: &Design, options: Options) -> Map {
    whole(design, options, None)
}

fn whole(design: &Design, options: Options, ttl_off: Option<&str>) -> Map {
    let tenant = options.tenant_policy.then(|| tenant(design));
    let design = &*inert(design);
    let held = tenant.as_ref().and_then(|tenant| tenant.as_ref().ok());
    let missing = tenant.as_ref().and_then(|tenant| tenant.as_ref().err());
    let mut plan = table_plan::plan(design);
    plan.ttl_off = ttl_off;
    let root = template::template(&plan, held);
    match missing {
        Some(reason) => root
            .with_blank()
            .with_comment(format!("The tenant policy is omitted: {reason}.")),
        None => root,
    }
}

/// The tenant that the managed policy of a template is for, or why the template has none.
pub fn tenant(design: &Design) -> Result<Tenant, String> {
    let tenant = iam::find_tenant(design).map_err(|none| match none {
        NoTenant::Refused(reason) | NoTenant::Nobody(Some(reason)) => reason,
        NoTenant::Nobody(None) => {
            "the partition keys of the table do not begin with a tenant".to_owned()
        }
    })?;
    // A Region of the usual length.
    let table = &design.table.name;
    let arn = format!("arn:aws:dynamodb:eu-central-1:111122223333:table/{table}");
    let resource = |index: Option<&str>| match index {
        None => Node::Text(arn.clone()),
        Some(index) => Node::Text(format!("{arn}/index/{index}")),
    };
    let policy = iam::document(&tenant, &resource);
    let too_long = iam::too_long(&policy);
    let policy = json::document(&policy).text;
    if !design.export_options.live_functions && policy_part(&policy).is_some() {
        return Err(format!(
            "a partition key contains a dynamic reference, which CloudFormation would replace; choose \"{LIVE_FUNCTIONS}\" if it is intended"
        ));
    }
    match too_long {
        Some(reason) => Err(reason),
        None => Ok(tenant),
    }
}

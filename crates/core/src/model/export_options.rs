//! What its author chose about the exports of a design: the few things that no property of the table says.

use super::limits;
use super::name::{NameError, check_attribute};
use serde::{Deserialize, Serialize};

/// Choices about the exports. What is not chosen is safe to deploy, and complete.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportOptions {
    /// Whether the table is deleted with the stack that made it; else it is retained.
    #[serde(default, skip_serializing_if = "is_off")]
    pub delete_with_stack: bool,
    /// Whether a CloudFormation template has a managed policy that holds the roles of tenants to their items.
    #[serde(default, skip_serializing_if = "is_off")]
    pub tenant_policy: bool,
    /// Which attribute is the tenant, for policies.
    #[serde(default, skip_serializing_if = "TenantAttribute::is_automatic")]
    pub tenant: TenantAttribute,
    /// The tag of a tenant's role that holds the tenant's value; `None`: it is called as the attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_tag: Option<String>,
    /// Whether policies allow reads alone.
    #[serde(default, skip_serializing_if = "is_off")]
    pub read_only: bool,
    /// Whether CloudFormation carries out functions in the resource policy, and dynamic references in any text.
    #[serde(default, skip_serializing_if = "is_off")]
    pub live_functions: bool,
    /// Whether Rust comes without its tests.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_tests: bool,
    /// Whether the Rust crate comes without the requests of aws-sdk-dynamodb.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_sdk: bool,
    /// Whether the document comes without its picture.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_picture: bool,
    /// Whether the document comes without the linter's findings.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_findings: bool,
    /// Whether the document comes without sample items.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_samples: bool,
}

/// Which attribute is the tenant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TenantAttribute {
    /// The one that the primary keys show, if they do.
    #[default]
    Automatic,
    /// None: policies are those of the whole application.
    Nobody,
    /// This one.
    Attribute(String),
}

impl TenantAttribute {
    fn is_automatic(&self) -> bool {
        *self == TenantAttribute::Automatic
    }
}

impl ExportOptions {
    /// Whether nothing is chosen.
    pub fn is_default(&self) -> bool {
        *self == ExportOptions::default()
    }

    /// Whether the names in it can be used; each wrong one with its field, as the file calls it.
    ///
    /// # Errors
    /// The field and what is wrong with it.
    pub fn check(&self) -> Result<(), (&'static str, NameError)> {
        if let TenantAttribute::Attribute(name) = &self.tenant {
            check_attribute(name).map_err(|error| ("tenant", error))?;
        }
        match &self.tenant_tag {
            Some(tag) => check_tag(tag).map_err(|error| ("tenantTag", error)),
            None => Ok(()),
        }
    }
}

/// Whether `name` can be the tag of a role, and stand in a policy variable: 1 to 128 of `A-Z a-z 0-9 _ . : / = + - @`.
/// Source: "Tags for IAM identities", IAM User Guide, which allows spaces as well.
fn check_tag(name: &str) -> Result<(), NameError> {
    let is_good = |c: char| c.is_ascii_alphanumeric() || "_.:/=+-@".contains(c);
    match name.is_empty() || name.len() > limits::TAG_KEY_CHARS || !name.chars().all(is_good) {
        true => Err(NameError::new(
            "a role's tag has 1 to 128 of A-Z, a-z, 0-9 and _ . : / = + - @",
        )),
        false => Ok(()),
    }
}

fn is_off(on: &bool) -> bool {
    !on
}

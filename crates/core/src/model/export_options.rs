//! The author's choices about exports that are not properties of the table.

use super::limits;
use super::name::{NameError, check_attribute};
use serde::{Deserialize, Serialize};

/// Choices about exports. The defaults are complete and safe to deploy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportOptions {
    /// Whether the table is deleted with its stack. By default it is retained.
    #[serde(default, skip_serializing_if = "is_off")]
    pub delete_with_stack: bool,
    /// Whether the CloudFormation template contains a managed policy that limits tenant roles to their own items.
    #[serde(default, skip_serializing_if = "is_off")]
    pub tenant_policy: bool,
    /// Which attribute identifies the tenant in policies.
    #[serde(default, skip_serializing_if = "TenantAttribute::is_automatic")]
    pub tenant: TenantAttribute,
    /// The tag of a tenant's role that holds the tenant's value; `None` for the name of the attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_tag: Option<String>,
    /// Whether policies allow only reads.
    #[serde(default, skip_serializing_if = "is_off")]
    pub read_only: bool,
    /// Whether CloudFormation evaluates functions in the resource policy and dynamic references in texts.
    #[serde(default, skip_serializing_if = "is_off")]
    pub live_functions: bool,
    /// Whether the Rust export omits its tests.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_tests: bool,
    /// Whether the Rust crate omits the requests for aws-sdk-dynamodb.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_sdk: bool,
    /// Whether the Markdown document omits the picture.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_picture: bool,
    /// Whether the Markdown document omits the linter's findings.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_findings: bool,
    /// Whether the Markdown document omits the samples.
    #[serde(default, skip_serializing_if = "is_off")]
    pub without_samples: bool,
}

/// Which attribute identifies the tenant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TenantAttribute {
    /// The attribute that the primary keys suggest, if any.
    #[default]
    Automatic,
    /// No attribute: policies cover the whole table.
    Nobody,
    /// The attribute with this name.
    Attribute(String),
}

impl TenantAttribute {
    fn is_automatic(&self) -> bool {
        *self == TenantAttribute::Automatic
    }
}

impl ExportOptions {
    /// Whether all options have their defaults.
    pub fn is_default(&self) -> bool {
        *self == ExportOptions::default()
    }

    /// Checks the names in the options.
    ///
    /// # Errors
    ///
    /// The first invalid field, by its name in the file, and what is wrong with it.
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

/// Checks that `name` can be a role tag and part of a policy variable: 1 to 128 of `A-Z a-z 0-9 _ . : / = + - @`.
/// Source: "Tags for IAM identities", IAM User Guide, which also allows spaces.
fn check_tag(name: &str) -> Result<(), NameError> {
    let is_good = |c: char| c.is_ascii_alphanumeric() || "_.:/=+-@".contains(c);
    match name.is_empty() || name.len() > limits::TAG_KEY_CHARS || !name.chars().all(is_good) {
        true => Err(NameError::new(
            "the name of a role tag has 1 to 128 characters: A-Z, a-z, 0-9 and _ . : / = + - @",
        )),
        false => Ok(()),
    }
}

fn is_off(on: &bool) -> bool {
    !on
}

//! Samples: the attribute values of one item of an entity, before its keys are rendered.

use super::{SampleId, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The attribute values of one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sample {
    /// Its identity.
    pub id: SampleId,
    /// Attribute name to value. An attribute that is not in it is missing from the item.
    #[serde(default)]
    pub values: BTreeMap<String, Value>,
}

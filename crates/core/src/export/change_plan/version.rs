//! A version to compare: a design, or the table of a template.

use super::super::cloudformation::read::ReadTable;
use super::super::cloudformation::template::TABLE;
use crate::model::{Design, IndexId, live_parts};
use std::sync::Arc;

/// A version to compare: a design, or a table read from a template.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The design; it has no entities if it comes from a template.
    pub design: Design,
    /// Whether its entities are known.
    pub has_entities: bool,
    /// Whether the table's name is known.
    pub named: bool,
    /// What could not be read.
    pub remarks: Vec<String>,
}

impl Version {
    /// Creates the version of a design.
    pub fn of_design(design: Design) -> Self {
        Version {
            design,
            has_entities: true,
            named: true,
            remarks: Vec::new(),
        }
    }

    /// Creates the version of a template's table.
    pub fn of_template(read: ReadTable) -> Self {
        let mut remarks = read.remarks;
        remarks.extend(foreign_stack(&read.resource, &read.others));
        let mut design = Design::new(read.resource);
        design.table = Arc::new(read.table);
        let options = Arc::make_mut(&mut design.export_options);
        options.delete_with_stack = read.delete_with_stack;
        options.tenant_policy = read.tenant_policy;
        for index in read.indexes {
            let id = IndexId(design.take_id());
            design.indexes.insert(id, Arc::new(index));
        }
        // A template that contains functions intends them.
        let live = !live_parts(&design).is_empty();
        Arc::make_mut(&mut design.export_options).live_functions = live;
        Version {
            design,
            has_entities: false,
            named: read.named,
            remarks,
        }
    }
}

/// A warning for a template whose stack is not Keyfold's: one of Keyfold's would delete its resources.
fn foreign_stack(table: &str, others: &[String]) -> Option<String> {
    let mut deleted: Vec<&str> = others.iter().map(String::as_str).collect();
    if table != TABLE {
        deleted.insert(0, table);
    }
    (!deleted.is_empty()).then(|| {
        format!(
            "Do not deploy the templates of this plan to the stack of the old one: CloudFormation would delete what they do not \
             contain ({}). Make the changes of each update in your own template instead.",
            deleted.join(", ")
        )
    })
}

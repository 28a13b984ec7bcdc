//! Settings of a table that a file keeps apart from its definition: other requests of the AWS CLI, other resources of
//! Terraform.

use crate::form::{FoundTable, Notes};
pub use crate::setting::{Setting, What};
use keyfold_core::export::table_plan::global_writes;
use keyfold_core::model::{Autoscaling, Billing, ProvisionedThroughput};

/// Applies settings to their tables, and notes those without one.
pub fn apply(settings: Vec<Setting>, tables: &mut [FoundTable], notes: &mut Notes) {
    for setting in settings {
        let mut owners = tables.iter_mut();
        let owner = owners.find(|table| table.table.name == setting.table);
        match owner {
            Some(table) => apply_to(setting, table, notes),
            None => {
                let why = format!(
                    "left out: the files do not define the table {}",
                    setting.table
                );
                notes.add(setting.place, why);
            }
        }
    }
    for found in tables
        .iter_mut()
        .filter(|found| !found.table.replicas.is_empty())
    {
        let of_table = match &mut found.table.billing {
            Billing::Provisioned(units) => Some(units),
            Billing::OnDemand(_) => None,
        };
        let of_indexes = (found.indexes.iter_mut()).filter_map(|index| index.provisioned.as_mut());
        for units in of_table.into_iter().chain(of_indexes) {
            // The writes of a table with replicas must scale: equal bounds are a fixed capacity.
            if units.write_scaling == Some(global_writes(units.write, None)) {
                units.write_scaling = None;
            }
        }
    }
}

fn apply_to(setting: Setting, found: &mut FoundTable, notes: &mut Notes) {
    let table = &mut found.table;
    match setting.what {
        What::Ttl(attribute) => table.ttl_attribute = attribute,
        What::Recovery(recovery) => table.recovery = recovery,
        What::Kinesis(stream) => table.kinesis = Some(stream),
        What::Policy(policy) => table.resource_policy = Some(policy),
        What::Insights(None, mode) => table.contributor_insights = Some(mode),
        What::Replicas(replicas, is_strong) => {
            table.replicas.extend(replicas);
            if is_strong {
                table.multi_region_consistency =
                    keyfold_core::model::MultiRegionConsistency::Strong;
            }
        }
        What::Insights(Some(name), mode) => {
            match found.indexes.iter_mut().find(|index| index.name == name) {
                Some(index) => index.contributor_insights = Some(mode),
                None => no_index(setting.place, &name, notes),
            }
        }
        What::Scaling {
            index,
            is_read,
            bounds,
            percent,
        } => {
            let units = match &index {
                None => match &mut table.billing {
                    Billing::Provisioned(units) => Some(units),
                    Billing::OnDemand(_) => None,
                },
                Some(name) => match found.indexes.iter_mut().find(|index| index.name == *name) {
                    Some(index) => index.provisioned.as_mut(),
                    None => return no_index(setting.place, name, notes),
                },
            };
            match units {
                Some(units) => scale(units, is_read, bounds, percent),
                None => notes.add(
                    setting.place,
                    "auto scaling is left out: the table is on-demand",
                ),
            }
        }
    }
}

fn no_index(place: String, name: &str, notes: &mut Notes) {
    notes.add(place, format!("left out: the table has no index {name}"));
}

fn scale(
    units: &mut ProvisionedThroughput,
    is_read: bool,
    bounds: Option<(u64, u64)>,
    percent: Option<u8>,
) {
    let target = match is_read {
        true => &mut units.read_scaling,
        false => &mut units.write_scaling,
    };
    let target = target.get_or_insert_with(Autoscaling::default);
    if let Some((min, max)) = bounds {
        (target.min, target.max) = (min, max);
    }
    target.target_percent = percent.unwrap_or(target.target_percent);
}

/// What a scalable target's resource id names: the table and the index.
pub fn scaled(resource_id: &str) -> Option<(String, Option<String>)> {
    let rest = resource_id.strip_prefix("table/")?;
    Some(match rest.split_once("/index/") {
        Some((table, index)) => (table.to_owned(), Some(index.to_owned())),
        None => (rest.to_owned(), None),
    })
}

//! The change plan from an earlier version, read from a design file or a CloudFormation template.

use keyfold_core::export::File;
use keyfold_core::export::change_plan::{Version, change_plan, text};
use keyfold_core::export::cloudformation::read;
use keyfold_core::model::Design;
use keyfold_core::persist::{from_json, to_json};

/// Reads an earlier version. `table` is the logical id of the table, for templates with several tables.
///
/// # Errors
///
/// Returns where the text cannot be read, and why.
pub fn read_version(source: &str, table: Option<&str>) -> Result<Version, String> {
    // Both can be JSON; only a template has `Resources`.
    let is_json = source
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{');
    if is_json && !has_resources(source) {
        let design = from_json(source).map_err(|error| error.to_string())?;
        return Ok(Version::of_design(design));
    }
    let tree = read::tree(source)?;
    Ok(Version::of_template(read::read(&tree, table)?))
}

fn has_resources(source: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(source)
        .is_ok_and(|value| value.get("Resources").is_some())
}

/// Returns the plan from an earlier version to the design as `plan.txt`, then the template of each update, in order.
pub fn plan_files(old: &Version, new: &Design) -> Vec<File> {
    let plan = change_plan(old, &Version::of_design(new.clone()));
    let mut files = vec![File {
        name: "plan.txt".to_owned(),
        code: text(&plan),
    }];
    for (number, step) in (1..).zip(&plan.steps) {
        files.push(File {
            name: format!("update-{number}.yaml"),
            code: step.template(),
        });
    }
    files
}

/// Returns the part of a design that [`plan_files`] needs as the earlier version, as a design file: no samples,
/// access patterns, notes, workload or layout.
pub fn version_text(design: &Design) -> String {
    let mut bare = design.clone();
    bare.samples = Default::default();
    bare.access_patterns = Default::default();
    bare.notes = Default::default();
    bare.layout = Default::default();
    bare.silenced = Default::default();
    bare.workload = Default::default();
    to_json(&bare)
}

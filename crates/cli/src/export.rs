//! `keyfold export`: one format, or all of them.

use crate::args::ExportArgs;
use crate::formats::ExportFormat;
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write, write_several};
use crate::samples::entity_named;
use keyfold_app::export::{all_files, files};
use keyfold_app::{arrange, picture};
use keyfold_core::export::table_plan::omitted_policy;
use keyfold_core::export::{FORMATS, Format, cloudformation, iam, json, options, samples, yaml};
use keyfold_core::model::Design;
use std::fmt::Write as _;

/// Prints or writes an export.
pub fn export(design: &Design, args: &ExportArgs) -> Result<Outcome, Refusal> {
    let (to, out) = (args.to, &args.out);
    if args.tenant_policy {
        let mut outcome = write(with_tenant_policy(design, to)?, out)?;
        if let ExportFormat::Files(format) = to {
            add_omitted_policy(design, format, &mut outcome);
        }
        return Ok(outcome);
    }
    if args.dark && !matches!(to, ExportFormat::Svg | ExportFormat::All) {
        return Err(option_is_for("--dark", "svg and all", to));
    }
    if args.entity.is_some() && !matches!(to, ExportFormat::Csv | ExportFormat::DynamoDbJson) {
        return Err(option_is_for("--entity", "csv and dynamodb-json", to));
    }
    let entity = || {
        let name = args.entity.as_ref();
        name.map(|name| entity_named(design, name)).transpose()
    };
    let drawn = picture::PictureOptions {
        dark: args.dark,
        ..Default::default()
    };
    match to {
        ExportFormat::Files(format) => export_format(design, format, out),
        ExportFormat::Svg => {
            let mut placed = design.clone();
            arrange::place_all(&mut placed);
            write(picture::svg(&placed, drawn), out)
        }
        ExportFormat::Csv => write(samples::csv(design, entity()?), out),
        ExportFormat::DynamoDbJson => write(samples::dynamodb_json(design, entity()?), out),
        ExportFormat::All => {
            let files = all_files(design, drawn, &mut |_, _| {});
            let mut outcome = match out {
                Destination::StandardOutput => return Err(no_folder("all", files.len())),
                Destination::Path(path) => write_several(&files, path)?,
            };
            for format in FORMATS {
                add_remarks(design, format, &mut outcome);
            }
            Ok(outcome)
        }
    }
}

fn export_format(design: &Design, format: Format, out: &Destination) -> Result<Outcome, Refusal> {
    let mut files = files(format, design);
    let is_empty = files.iter().all(|file| file.code.text.is_empty());
    let mut outcome = match (out, files.len()) {
        (Destination::Path(path), _) if format.is_folder() => write_several(&files, path)?,
        (Destination::StandardOutput, 2..) => return Err(no_folder(format.label, files.len())),
        _ => write(files.swap_remove(0).code.text, out)?,
    };
    add_remarks(design, format, &mut outcome);
    if is_empty {
        let _ = writeln!(
            outcome.remarks,
            "keyfold: {}: the design has no items, so there is nothing to write",
            format.label
        );
    }
    Ok(outcome)
}

/// Adds the remarks on an export, a line each.
fn add_remarks(design: &Design, format: Format, outcome: &mut Outcome) {
    add_omitted_policy(design, format, outcome);
    if options::has_policy(format, &design.export_options)
        && let Some(remark) = iam::remark(design)
    {
        let _ = writeln!(outcome.remarks, "keyfold: {}: {remark}", format.label);
    }
}

/// Says that the export lacks the resource policy of the design, which is a finding. Not each format has comments for it.
fn add_omitted_policy(design: &Design, format: Format, outcome: &mut Outcome) {
    if let Some(problem) = omitted_policy(design, format) {
        outcome.findings = true;
        let _ = writeln!(
            outcome.remarks,
            "keyfold: {}: the resource policy is omitted, because it has an error: {problem}",
            format.label
        );
    }
}

/// Returns the CloudFormation template with the policy for tenant roles.
fn with_tenant_policy(design: &Design, to: ExportFormat) -> Result<String, Refusal> {
    let options = cloudformation::Options {
        tenant_policy: true,
    };
    let tree = cloudformation::tree(design, options);
    let code = match to.name() {
        "cloudformation" => yaml::document(&tree),
        "cloudformation-json" => json::document(&tree),
        _ => {
            let formats = "cloudformation and cloudformation-json";
            return Err(option_is_for("--tenant-policy", formats, to));
        }
    };
    match iam::find_tenant(design) {
        // The policy can be too long, or have what CloudFormation would replace.
        Ok(_) => match cloudformation::tenant(design) {
            Ok(_) => Ok(code.text),
            Err(reason) => Err(Refusal(format!("--tenant-policy: {reason}"))),
        },
        Err(iam::NoTenant::Refused(reason)) => Err(Refusal(format!(
            "--tenant-policy: tenants cannot be isolated: {reason}"
        ))),
        Err(iam::NoTenant::Nobody(reason)) => {
            let reason = reason.unwrap_or_else(|| {
                "no tenant attribute. Begin the partition keys of the table with one.".to_owned()
            });
            Err(Refusal(format!("--tenant-policy: {reason}")))
        }
    }
}

fn option_is_for(option: &str, formats: &str, to: ExportFormat) -> Refusal {
    let to = to.name();
    Refusal(format!(
        "{option}: works only with --to {formats}, not with {to}"
    ))
}

fn no_folder(export: &str, files: usize) -> Refusal {
    Refusal(format!(
        "{export}: {files} files. Name a folder or a .zip file with --out."
    ))
}

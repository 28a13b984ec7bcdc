//! What the commands do.

use crate::args::{Command, HELP};
use crate::output::{write, write_several};
use crate::source::{find_pattern, read_design};
use crate::{Outcome, Refusal, lint, plan, prove, query, samples};
use keyfold_app::export::{ALL, everything};
use keyfold_app::picture;
use keyfold_core::engine::{
    EntityPlan, IndexContent, Item, Problem, ProblemKind, ValueRef, View, materialise_all, view,
};
use keyfold_core::export::{FORMATS, Format, cloudformation, iam, json, options, yaml};
use keyfold_core::library;
use keyfold_core::model::{Design, IndexId};
use std::fmt::Write as _;
use std::path::Path;

/// What `--to` calls the picture of the canvas.
const SVG: &str = "svg";

/// Runs one command.
pub fn run(command: Command) -> Result<Outcome, Refusal> {
    match command {
        Command::Help => Ok(said(HELP)),
        Command::Version => Ok(said(concat!("keyfold ", env!("CARGO_PKG_VERSION"), "\n"))),
        Command::Patterns => Ok(patterns()),
        Command::Pattern { name } => Ok(said(find_pattern(&name)?.json)),
        Command::Items { design, index } => items(&read_design(&design)?, index.as_deref()),
        Command::Export {
            design,
            to,
            out,
            dark,
            entity,
            tenant_policy,
        } => {
            let design = read_design(&design)?;
            match tenant_policy {
                true => write(with_tenant_policy(&design, &to)?, out.as_deref()),
                false => export(&design, &to, dark, entity.as_deref(), out.as_deref()),
            }
        }
        Command::Generate {
            design,
            wanted,
            out,
        } => samples::generated(&read_design(&design)?, &wanted, out.as_deref()),
        Command::ImportSamples {
            design,
            file,
            entity,
            out,
        } => samples::imported(&design, &file, entity.as_deref(), out.as_deref()),
        Command::Query { design, queries } => query::answered(&design, &queries),
        Command::Lint(asked) => lint::lint(&asked),
        Command::Check { design } => Ok(check(&read_design(&design)?)),
        Command::Prove { design, format } => {
            prove::proved(&read_design(&design)?, format.as_deref())
        }
        Command::Plan(versions) => plan::planned(&versions),
    }
}

fn said(text: &str) -> Outcome {
    Outcome {
        text: text.to_owned(),
        ..Outcome::default()
    }
}

fn patterns() -> Outcome {
    let all = library::patterns();
    let width = all
        .iter()
        .map(|pattern| pattern.name.len())
        .max()
        .unwrap_or_default();
    let mut text = String::new();
    let mut group = "";
    for pattern in all {
        if pattern.group != group {
            let space = if group.is_empty() { "" } else { "\n" };
            group = pattern.group;
            let _ = writeln!(text, "{space}{group}");
        }
        let (name, title, summary) = (pattern.name, pattern.title, pattern.summary);
        let _ = writeln!(text, "  {name:width$}  {title}: {summary}");
    }
    said(&text)
}

fn items(design: &Design, index: Option<&str>) -> Result<Outcome, Refusal> {
    let index = match index {
        None => IndexId::PRIMARY,
        Some(name) => design.index_named(name).ok_or_else(|| {
            let names: Vec<&str> = design
                .indexes
                .values()
                .map(|index| index.name.as_str())
                .collect();
            let names = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            Refusal(format!(
                "there is no index `{name}`; the design has: {names}"
            ))
        })?,
    };
    let view = view_of(design, index);
    let mut outcome = Outcome::default();
    for row in view.rows.iter() {
        if let Some(content) = &view.content {
            outcome.text.push_str(&line(content, &row.item));
        }
    }
    remark_failed(design, &view, &mut outcome);
    Ok(outcome)
}

/// Names the items that DynamoDB would refuse to store.
pub fn remark_failed(design: &Design, view: &View, outcome: &mut Outcome) {
    for item in &view.failed {
        for problem in item.problems().iter().filter(|problem| problem.stops()) {
            let _ = writeln!(
                outcome.remarks,
                "keyfold: not stored: {}",
                about(design, item, problem)
            );
        }
    }
    outcome.findings = !view.failed.is_empty();
}

pub fn view_of(design: &Design, index: IndexId) -> View {
    let items: Vec<_> = materialise_all(design).into_values().collect();
    view(design, index, &items)
}

/// The projected attributes of an item as one line of DynamoDB JSON, keys first.
fn line(content: &IndexContent, item: &Item) -> String {
    let attribute = |(name, value): &(&str, ValueRef)| {
        format!(
            "{}:{}",
            serde_json::Value::from(*name),
            value.value().to_dynamodb_json()
        )
    };
    let attributes: Vec<String> = content.attributes(item).iter().map(attribute).collect();
    format!("{{{}}}\n", attributes.join(","))
}

/// An export, printed or written. What is dark is a picture, what is of one entity are samples.
fn export(
    design: &Design,
    to: &str,
    dark: bool,
    entity: Option<&str>,
    out: Option<&Path>,
) -> Result<Outcome, Refusal> {
    let drawn = picture::Options {
        dark,
        ..Default::default()
    };
    if to == SVG && entity.is_none() {
        return write(picture::svg(design, drawn), out);
    }
    if to == ALL && entity.is_none() {
        let files = everything(design, drawn, &mut |_, _| {});
        let done = match out {
            Some(out) => write_several(&files, out)?,
            None => return Err(nowhere("all", files.len())),
        };
        let remarks = FORMATS.map(|format| remarks(design, format)).concat();
        return Ok(Outcome { remarks, ..done });
    }
    if dark {
        return Err(Refusal(format!(
            "--dark is for --to {SVG} and {ALL}, not {to}"
        )));
    }
    if let Some(export) = samples::export_named(to) {
        let entity = entity.map(|name| samples::entity_named(design, name));
        return write(export(design, entity.transpose()?), out);
    }
    let sample_formats = samples::EXPORTS.map(|(name, _)| name);
    if entity.is_some() {
        return Err(Refusal(format!(
            "--entity is for --to {}, not {to}",
            sample_formats.join(" and ")
        )));
    }
    let format = Format::named(to).ok_or_else(|| {
        let names = FORMATS.map(|format| format.name).join(", ");
        Refusal(format!(
            "there is no export to `{to}`; there is: {names}, {SVG}, {}, {ALL}",
            sample_formats.join(", ")
        ))
    })?;
    let mut files = format.files(design);
    let remarks = remarks(design, format);
    let done = match (out, files.len()) {
        (Some(out), _) if format.is_folder() => write_several(&files, out),
        (None, 2..) => Err(nowhere(format.label, files.len())),
        _ => write(files.swap_remove(0).code.text, out),
    };
    done.map(|outcome| Outcome { remarks, ..outcome })
}

/// What is to be said of an export besides its files, a line each.
fn remarks(design: &Design, format: Format) -> String {
    let mut remarks = String::new();
    if options::has_policy(format, &design.export_options)
        && let Some(remark) = iam::remark(design)
    {
        let _ = writeln!(remarks, "keyfold: {}: {remark}", format.label);
    }
    remarks
}

/// The template with the policy for the roles of tenants.
fn with_tenant_policy(design: &Design, to: &str) -> Result<String, Refusal> {
    let options = cloudformation::Options {
        tenant_policy: true,
    };
    let tree = cloudformation::tree(design, options);
    let code = match to {
        "cloudformation" => yaml::document(&tree),
        "cloudformation-json" => json::document(&tree),
        _ => {
            return Err(Refusal(format!(
                "--tenant-policy is for --to cloudformation and cloudformation-json, not {to}"
            )));
        }
    };
    let none = "no attribute is the tenant: the partition keys of the table do not begin with one";
    match iam::find_tenant(design) {
        Ok(_) => {}
        Err(iam::NoTenant::Refused(reason)) => {
            return Err(Refusal(format!(
                "--tenant-policy: tenants cannot be held apart: {reason}"
            )));
        }
        Err(iam::NoTenant::Nobody(reason)) => {
            let reason = reason.unwrap_or_else(|| none.to_owned());
            return Err(Refusal(format!("--tenant-policy: {reason}")));
        }
    }
    Ok(code.text)
}

fn nowhere(what: &str, files: usize) -> Refusal {
    Refusal(format!(
        "{what} has {files} files: name a folder for them with --out, or a .zip file"
    ))
}

/// One line for each thing that is wrong: templates, items, items that overwrite one another.
fn check(design: &Design) -> Outcome {
    let mut text = String::new();
    for (id, entity) in &design.entities {
        for error in EntityPlan::new(design, *id).errors() {
            let index = design.index_name(error.index);
            let (part, error) = (error.part.label(), &error.error);
            let column = error.span.start + 1;
            let _ = writeln!(
                text,
                "{}, {index} {part}, column {column}: {}",
                entity.name, error.message
            );
        }
    }
    let view = view_of(design, IndexId::PRIMARY);
    let rows: Vec<_> = view.rows.iter().collect();
    let stored = rows.iter().map(|row| &row.item);
    let mut all: Vec<&Item> = stored.chain(&view.failed).collect();
    all.sort_by_key(|item| (item.entity, item.id()));
    for item in all {
        // A template's mistake has been said once, above.
        for problem in item
            .problems()
            .iter()
            .filter(|problem| problem.kind != ProblemKind::Template)
        {
            let _ = writeln!(text, "{}", about(design, item, problem));
        }
    }
    for rows in rows
        .windows(2)
        .filter(|rows| rows[0].collides && rows[1].collides)
    {
        let keys = |item: &Item| {
            let values = design
                .table
                .key
                .attributes()
                .filter_map(|key| item.get(&key.name));
            values
                .map(|value| format!("`{}`", value.to_text()))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (first, second) = (&rows[0].item, &rows[1].item);
        if keys(first) == keys(second) {
            let (first, second) = (name(design, first), name(design, second));
            let _ = writeln!(
                text,
                "{first} and {second} have the same primary key {}: one overwrites the other",
                keys(&rows[0].item)
            );
        }
    }
    Outcome {
        findings: !text.is_empty(),
        text,
        remarks: String::new(),
    }
}

/// An item, for a reader: its entity and the sample's id.
fn name(design: &Design, item: &Item) -> String {
    let entity = design
        .entities
        .get(&item.entity)
        .map_or("", |entity| &entity.name);
    format!("{entity} {}", item.id())
}

fn about(design: &Design, item: &Item, problem: &Problem) -> String {
    let index = design.index_name(problem.index);
    format!("{}, {}", name(design, item), problem.describe(index))
}

//! The detection of a file's format, and the reading of one file.

use crate::form::{Import, Notes};
pub use crate::format_list::{FORMATS, Format};
use crate::script::Script;
use crate::source;
use crate::{
    aws_mcp, electrodb, onetable, requests, settings_requests, template, terraform, toolbox,
    workbench,
};
use keyfold_core::export::tree::Node;
use keyfold_core::export::yaml_reader;
use keyfold_core::import::items::{self, Items, csv, exact};
use keyfold_core::model::json_fault_at;
use keyfold_core::persist;
use keyfold_core::text as language;

/// Reads a file: of a format, or of the one that it looks like. The name of the file helps to detect its format.
///
/// # Errors
///
/// Why the file cannot be used: the line or path, and what was expected there.
pub fn read(name: &str, bytes: &[u8], format: Option<Format>) -> Result<Import, String> {
    let (text, _) = source::text(bytes)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.trim().is_empty() {
        return Err("the file is empty".to_owned());
    }
    let document = Document::parse(name.strip_suffix(".gz").unwrap_or(name), text, format)?;
    let format = match format {
        Some(format) => format,
        None => document.format().ok_or_else(|| {
            let labels: Vec<&str> = FORMATS.iter().map(|(.., label)| *label).collect();
            format!(
                "unknown format: expected one of these: {}",
                labels.join("; ")
            )
        })?,
    };
    let mut notes = Notes::default();
    let mut import = document.read(format, &mut notes)?;
    import.formats = vec![format];
    import.left_out.extend(notes.0);
    Ok(import)
}

/// A text, as far as its syntax is known.
struct Document<'a> {
    text: &'a str,
    syntax: Syntax,
}

enum Syntax {
    /// One JSON document, or YAML.
    Tree(Node),
    /// Several JSON documents, one after another.
    JsonLines,
    /// Keyfold's language.
    Language,
    /// Terraform's language.
    Hcl,
    /// Separated values.
    Csv,
    /// JavaScript or TypeScript.
    Script,
}

impl<'a> Document<'a> {
    fn parse(name: &str, text: &'a str, format: Option<Format>) -> Result<Document<'a>, String> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_json = text.trim_start().starts_with(['{', '[']);
        let syntax = match (ending.to_ascii_lowercase().as_str(), format) {
            ("tf" | "hcl", None) | (_, Some(Format::Terraform)) if !is_json => Syntax::Hcl,
            (_, Some(Format::Csv)) => Syntax::Csv,
            ("csv" | "tsv", None) if !is_json => Syntax::Csv,
            ("ts" | "tsx" | "mts" | "cts" | "js" | "mjs" | "cjs" | "jsx", None) => Syntax::Script,
            (_, Some(Format::OneTable | Format::ElectroDb | Format::Toolbox)) => {
                json(text).unwrap_or(Syntax::Script)
            }
            // An object literal looks like JSON.
            _ if is_json => json(text).or_else(|why| match script_format(text) {
                Some(_) => Ok(Syntax::Script),
                None => Err(why),
            })?,
            ("yml" | "yaml" | "template", None) | (_, Some(Format::CloudFormation)) => yaml(text)?,
            _ if text.contains("resource \"aws_dynamodb_table\"") => Syntax::Hcl,
            _ if text.contains("AWS::DynamoDB::") => yaml(text)?,
            _ if language::is_text(text) => Syntax::Language,
            _ if text.starts_with("$ion_1_0") => {
                return Err("expected DynamoDB JSON, found Amazon Ion: export the table in the format DynamoDB JSON".to_owned());
            }
            _ if script_format(text).is_some() => Syntax::Script,
            _ if csv::is_csv(text) => Syntax::Csv,
            // A text that is no YAML either is of no known format.
            _ => yaml(text).unwrap_or(Syntax::Tree(Node::Null)),
        };
        Ok(Document { text, syntax })
    }

    /// The format that the document looks like.
    fn format(&self) -> Option<Format> {
        match &self.syntax {
            Syntax::Language => Some(Format::Keyfold),
            Syntax::JsonLines => Some(Format::Items),
            Syntax::Csv => Some(Format::Csv),
            Syntax::Script => script_format(self.text),
            Syntax::Hcl => Some(Format::Terraform),
            Syntax::Tree(node) => of_tree(node),
        }
    }

    fn read(self, format: Format, notes: &mut Notes) -> Result<Import, String> {
        match (format, self.syntax) {
            (Format::Keyfold, syntax) => keyfold(self.text, &syntax, notes),
            (Format::Workbench, Syntax::Tree(node)) => workbench::read(&node, notes),
            (Format::CloudFormation, Syntax::Tree(node)) => template::read(&node, notes),
            (Format::Requests, Syntax::Tree(node)) => match settings_requests::is_setting(&node) {
                true => settings_requests::read(&node),
                false => requests::read(&node, notes),
            },
            (Format::Terraform, Syntax::Hcl) => terraform::read_hcl(self.text, notes),
            (Format::Terraform, Syntax::Tree(node)) => terraform::read_json(&node, notes),
            (Format::AwsMcp, Syntax::Tree(node)) => match aws_mcp::is_data_model(&node) {
                true => aws_mcp::read_data_model(&node, notes),
                false => aws_mcp::read_schema(&node, notes),
            },
            (Format::OneTable, Syntax::Tree(node)) => onetable::read(&node, notes),
            (Format::OneTable, Syntax::Script) => {
                onetable::read_script(&Script::new(self.text)?, notes)
            }
            (Format::ElectroDb, Syntax::Tree(node)) => electrodb::read(&node, notes),
            (Format::ElectroDb, Syntax::Script) => {
                electrodb::read_script(&Script::new(self.text)?, notes)
            }
            (Format::Toolbox, Syntax::Script) => {
                toolbox::read_script(&Script::new(self.text)?, notes)
            }
            (Format::Items, Syntax::Tree(_) | Syntax::JsonLines) => {
                loose(items::json::read(self.text)?, notes)
            }
            (Format::Csv, Syntax::Csv) => loose(csv::read(self.text)?, notes),
            (format, _) => Err(format!(
                "expected a file of this format: {}",
                format.label()
            )),
        }
    }
}

/// Parses the first JSON document.
fn json(text: &str) -> Result<Syntax, String> {
    let mut documents = serde_json::Deserializer::from_str(text).into_iter::<Node>();
    let first = documents.next();
    let is_only = text[documents.byte_offset()..].trim().is_empty();
    match first {
        Some(Ok(mut node)) if is_only => {
            exact(&mut node, text);
            Ok(Syntax::Tree(node))
        }
        Some(Ok(_)) => Ok(Syntax::JsonLines),
        Some(Err(error)) => Err(json_fault_at(&error)),
        None => Err("the file is empty".to_owned()),
    }
}

fn loose(items: Items, notes: &mut Notes) -> Result<Import, String> {
    if items.groups.is_empty() {
        return Err(match items.left_out.first() {
            Some(note) => format!("no item can be read. {note}"),
            None => "expected items, found none".to_owned(),
        });
    }
    Ok(Import {
        loose: items.noted(notes),
        ..Import::default()
    })
}

fn yaml(text: &str) -> Result<Syntax, String> {
    let node = yaml_reader::read_any(text).map_err(|error| error.to_string())?;
    Ok(Syntax::Tree(node))
}

/// The format of a script.
fn script_format(text: &str) -> Option<Format> {
    let script = Script::new(text).ok()?;
    let kinds = [
        (onetable::is_script(&script), Format::OneTable),
        (electrodb::is_script(&script), Format::ElectroDb),
        (toolbox::is_script(&script), Format::Toolbox),
    ];
    let found = kinds.into_iter().find(|(is_it, _)| *is_it);
    found.map(|(_, format)| format)
}

/// The format of a tree.
fn of_tree(node: &Node) -> Option<Format> {
    let is_design = matches!(node, Node::Map(map) if map.get("keyfold").is_some());
    let kinds: [(bool, Format); 9] = [
        (is_design, Format::Keyfold),
        (workbench::is_model(node), Format::Workbench),
        (onetable::is_schema(node), Format::OneTable),
        (electrodb::is_schema(node), Format::ElectroDb),
        (
            aws_mcp::is_schema(node) || aws_mcp::is_data_model(node),
            Format::AwsMcp,
        ),
        (template::is_template(node), Format::CloudFormation),
        (
            requests::is_request(node) || settings_requests::is_setting(node),
            Format::Requests,
        ),
        (terraform::is_terraform(node), Format::Terraform),
        (items::json::is_items(node), Format::Items),
    ];
    let found = kinds.into_iter().find(|(is_it, _)| *is_it);
    found.map(|(_, format)| format)
}

/// Reads a design of Keyfold.
fn keyfold(text: &str, syntax: &Syntax, notes: &mut Notes) -> Result<Import, String> {
    let design = match syntax {
        Syntax::Language => {
            let lowered = language::lower(&language::parse(text), None);
            if lowered.problems.iter().any(|problem| problem.is_error) {
                return Err(language::describe(text, &lowered.problems)
                    .trim_end()
                    .to_owned());
            }
            for line in language::describe(text, &lowered.problems).lines() {
                notes.add("the text", line);
            }
            lowered.design
        }
        _ => persist::from_json(text).map_err(|error| error.to_string())?,
    };
    Ok(Import {
        designs: vec![design],
        ..Import::default()
    })
}

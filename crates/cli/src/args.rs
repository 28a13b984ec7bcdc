//! The command line's words.

use crate::Refusal;
use crate::lint::{self, Fixes};
use lexopt::{Arg, Parser, ValueExt};
use std::path::PathBuf;

/// What `--help` prints.
pub const HELP: &str = "\
Design a DynamoDB single table by sight. This is its command line; the app runs in a browser.

Usage: keyfold COMMAND

Commands:
  patterns                       list the pattern library
  pattern NAME                   print the design file of a pattern
  items DESIGN [--index NAME]    print the items of the table or an index, one a line as DynamoDB JSON,
                                 in DynamoDB's order, with the attributes that are projected
  export DESIGN --to FORMAT [--out FILE]
                                 print or write an export: cloudformation, cloudformation-json, iam, terraform, cdk,
                                 create-table, rust, rust-crate, electrodb, onetable, batch-write, workbench,
                                 markdown, svg, csv, dynamodb-json, or all of them together: all
                                 all, create-table, rust-crate and batch-write are several files: name a folder with
                                 --out, or a .zip file
                                 Exports are as the design's options say; cloudformation has with --tenant-policy
                                 a policy for the roles of tenants in any case
                                 svg, a picture of the canvas, is light, or with --dark dark
                                 csv and dynamodb-json, the sample items, are of all entities, or with
                                 --entity NAME of one
  generate DESIGN [--each N] [--count ENTITY=N] [--per PARENT:ENTITY=N] [--replace] [--seed N] [--out FILE]
                                 print or write the design with sample data: so many rows of each entity, of
                                 one, or of one for each row of another that it refers to; added to the
                                 samples that are there, or with --replace instead of them
  import-samples DESIGN FILE [--entity NAME] [--out FILE]
                                 print or write the design with the items of a file added as samples: CSV, or
                                 DynamoDB JSON as exports, scans and batches have it
  query DESIGN QUERIES           print the primary keys of the items that each query returns, in order, as JSON;
                                 QUERIES is a JSON file: [{id, index?, pk, sk?, forward?, limit?}], where
                                 pk is a value or {ATTRIBUTE: value}, and sk {op, value, value2?} or
                                 [{attr, op, value, value2?}] with = < <= > >= between begins_with; values are
                                 plain JSON or DynamoDB JSON; a query that DynamoDB refuses gets an error
  check DESIGN                   say what is wrong with a design
  lint DESIGN [--format FORMAT] [--fix | --fix-all] [--out FILE]
                                 say what an expert reviewer would say: text, json or sarif; with --fix first do
                                 what takes findings away without changing a stored key or deleting anything, with
                                 --fix-all everything that can be done; the design goes back to its file or to FILE
  prove DESIGN [--format FORMAT] say for each access pattern whether the design serves it and what it does to the
                                 sample items, and which index covers which access pattern: text or json
  plan OLD NEW [--format text|json] [--table ID] [--step N] [--out FILE]
                                 print the stack updates that lead from one version to another, at most one
                                 index created or deleted in each, and what has to be written to the items;
                                 with --step N the template of that update. OLD and NEW are designs, or
                                 CloudFormation templates in YAML or JSON, whose table is the only one or --table
                                 Exit code: 0 if the table stays, 1 if it has to be made anew

DESIGN is a design file, `-` for standard input, or `pattern:NAME` for one of the library.
FILE after --out is written whole or not at all; `-` is standard output.

Options:
  -h, --help       print this
  -V, --version    print the version

Exit code: 0 if all is well, 1 if something is wrong with the design or one of its items or an access pattern is
not served, or a finding of warning or above is not silenced, 2 if the input cannot be used.
";

/// What is to be done.
#[derive(Debug)]
pub enum Command {
    /// Print [`HELP`].
    Help,
    /// Print the version.
    Version,
    /// List the library.
    Patterns,
    /// Print a library design's file.
    Pattern {
        /// The design's name.
        name: String,
    },
    /// Print the items of the table or an index.
    Items {
        /// Where the design comes from.
        design: PathBuf,
        /// The index's name; `None`: the table.
        index: Option<String>,
    },
    /// Export.
    Export {
        /// Where the design comes from.
        design: PathBuf,
        /// The format's name.
        to: String,
        /// The file to write; `None`: standard output.
        out: Option<PathBuf>,
        /// Whether a picture is dark.
        dark: bool,
        /// The name of the entity whose samples are exported; `None`: all.
        entity: Option<String>,
        /// Whether a template has the policy for the roles of tenants.
        tenant_policy: bool,
    },
    /// Generate samples.
    Generate {
        /// Where the design comes from.
        design: PathBuf,
        /// What to generate.
        wanted: Wanted,
        /// The file to write; `None`: standard output.
        out: Option<PathBuf>,
    },
    /// Read samples from a file.
    ImportSamples {
        /// Where the design comes from.
        design: PathBuf,
        /// Where the items come from.
        file: PathBuf,
        /// The name of the entity that they are of; `None`: they show it.
        entity: Option<String>,
        /// The file to write; `None`: standard output.
        out: Option<PathBuf>,
    },
    /// Carry out queries.
    Query {
        /// Where the design comes from.
        design: PathBuf,
        /// Where the queries come from.
        queries: PathBuf,
    },
    /// Lint a design.
    Lint(lint::Asked),
    /// Check a design.
    Check {
        /// Where the design comes from.
        design: PathBuf,
    },
    /// Prove the access patterns.
    Prove {
        /// Where the design comes from.
        design: PathBuf,
        /// The format's name; `None`: text.
        format: Option<String>,
    },
    /// Plan the way from one version to another.
    Plan(Versions),
}

/// What is compared, and how the plan is printed.
#[derive(Debug)]
pub struct Versions {
    /// Where the earlier version comes from.
    pub old: PathBuf,
    /// Where the later version comes from.
    pub new: PathBuf,
    /// `text` or `json`.
    pub format: String,
    /// The logical id of the table in a template of several.
    pub table: Option<String>,
    /// The number of the update whose template is wanted; `None`: the plan.
    pub step: Option<usize>,
    /// The file to write; `None`: standard output.
    pub out: Option<PathBuf>,
}

/// What samples to generate.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Rows of every entity.
    pub each: Option<u32>,
    /// `ENTITY=N`, as written.
    pub counts: Vec<String>,
    /// `PARENT:ENTITY=N`, as written.
    pub per: Vec<String>,
    /// Whether the samples that are there go.
    pub replace: bool,
    /// What chance begins with; 1 if it is not said.
    pub seed: Option<u64>,
}

/// The command that the arguments ask for.
pub fn parse(mut parser: Parser) -> Result<Command, Refusal> {
    read(&mut parser).map_err(|error| Refusal(format!("{error}; see keyfold --help")))
}

fn read(parser: &mut Parser) -> Result<Command, lexopt::Error> {
    let command = match parser.next()? {
        None => return Err("a command is missing".into()),
        Some(Arg::Short('h') | Arg::Long("help")) => return Ok(Command::Help),
        Some(Arg::Short('V') | Arg::Long("version")) => return Ok(Command::Version),
        Some(Arg::Value(command)) => command.string()?,
        Some(other) => return Err(other.unexpected()),
    };
    let options: &[&str] = match command.as_str() {
        "patterns" | "pattern" | "query" | "check" => &[],
        "items" => &["index"],
        "export" => &["to", "out", "dark", "entity", "tenant-policy"],
        "generate" => &["each", "count", "per", "replace", "seed", "out"],
        "import-samples" => &["entity", "out"],
        "prove" => &["format"],
        "plan" => &["format", "table", "step", "out"],
        "lint" => &["format", "fix", "fix-all", "out"],
        other => return Err(format!("there is no command `{other}`").into()),
    };
    let (mut operand, mut file, mut wanted) = (None, None, Wanted::default());
    let (mut index, mut to, mut out, mut dark, mut entity) = (None, None, None, false, None);
    let (mut tenant_policy, mut format, mut table, mut step) = (false, None, None, None);
    let mut fixes = Fixes::None;
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return Ok(Command::Help),
            Arg::Long(name) if !options.contains(&name) => return Err(arg.unexpected()),
            Arg::Long("index") => index = Some(parser.value()?.string()?),
            Arg::Long("to") => to = Some(parser.value()?.string()?),
            Arg::Long("out") => out = Some(parser.value()?),
            Arg::Long("dark") => dark = true,
            Arg::Long("format") => format = Some(parser.value()?.string()?),
            Arg::Long("fix") if fixes != Fixes::All => fixes = Fixes::Safe,
            Arg::Long("fix") => {}
            Arg::Long("fix-all") => fixes = Fixes::All,
            Arg::Long("entity") => entity = Some(parser.value()?.string()?),
            Arg::Long("each") => wanted.each = Some(parser.value()?.parse()?),
            Arg::Long("count") => wanted.counts.push(parser.value()?.string()?),
            Arg::Long("per") => wanted.per.push(parser.value()?.string()?),
            Arg::Long("replace") => wanted.replace = true,
            Arg::Long("tenant-policy") => tenant_policy = true,
            Arg::Long("table") => table = Some(parser.value()?.string()?),
            Arg::Long("step") => step = Some(parser.value()?.parse()?),
            Arg::Long("seed") => wanted.seed = Some(parser.value()?.parse()?),
            Arg::Value(value) if operand.is_none() && command != "patterns" => {
                operand = Some(PathBuf::from(value));
            }
            Arg::Value(value)
                if file.is_none()
                    && matches!(command.as_str(), "import-samples" | "query" | "plan") =>
            {
                file = Some(PathBuf::from(value));
            }
            other => return Err(other.unexpected()),
        }
    }
    if command == "patterns" {
        return Ok(Command::Patterns);
    }
    let out = match out {
        Some(out) if out.is_empty() => {
            return Err("--out needs the name of a file, or - for standard output".into());
        }
        // Its findings are there.
        Some(out) if out == "-" && command == "lint" => {
            return Err(
                "`lint` writes its findings to standard output: name a file with --out".into(),
            );
        }
        out => out.filter(|out| out != "-").map(PathBuf::from),
    };
    let what = match command.as_str() {
        "pattern" => "NAME",
        "plan" => "OLD and NEW",
        _ => "DESIGN",
    };
    let design = operand.ok_or_else(|| format!("`{command}` needs {what}"))?;
    Ok(match command.as_str() {
        "pattern" => Command::Pattern {
            name: design.to_string_lossy().into_owned(),
        },
        "items" => Command::Items { design, index },
        "export" => Command::Export {
            design,
            to: to.ok_or("`export` needs --to FORMAT")?,
            out,
            dark,
            entity,
            tenant_policy,
        },
        "plan" => Command::Plan(Versions {
            old: design,
            new: file.ok_or("`plan` needs OLD and NEW")?,
            format: format.unwrap_or_else(|| "text".to_owned()),
            table,
            step,
            out,
        }),
        "generate" => Command::Generate {
            design,
            wanted,
            out,
        },
        "import-samples" => Command::ImportSamples {
            design,
            file: file.ok_or("`import-samples` needs DESIGN and FILE")?,
            entity,
            out,
        },
        "query" => Command::Query {
            design,
            queries: file.ok_or("`query` needs DESIGN and QUERIES")?,
        },
        "prove" => Command::Prove { design, format },
        "lint" => Command::Lint(lint::Asked {
            design,
            format,
            fixes,
            out,
        }),
        _ => Command::Check { design },
    })
}

//! The command line's words.

use crate::Refusal;
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
                                 print or write an export: cloudformation, rust, svg
                                 svg, a picture of the canvas, is light, or with --dark dark
  check DESIGN                   say what is wrong with a design

DESIGN is a design file, `-` for standard input, or `pattern:NAME` for one of the library.

Options:
  -h, --help       print this
  -V, --version    print the version

Exit code: 0 if all is well, 1 if something is wrong with the design or one of its items, 2 if the input
cannot be used.
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
    },
    /// Check a design.
    Check {
        /// Where the design comes from.
        design: PathBuf,
    },
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
        "patterns" | "pattern" | "check" => &[],
        "items" => &["index"],
        "export" => &["to", "out", "dark"],
        other => return Err(format!("there is no command `{other}`").into()),
    };
    let mut operand = None;
    let (mut index, mut to, mut out, mut dark) = (None, None, None, false);
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return Ok(Command::Help),
            Arg::Long(name) if !options.contains(&name) => return Err(arg.unexpected()),
            Arg::Long("index") => index = Some(parser.value()?.string()?),
            Arg::Long("to") => to = Some(parser.value()?.string()?),
            Arg::Long("out") => out = Some(PathBuf::from(parser.value()?)),
            Arg::Long("dark") => dark = true,
            Arg::Value(value) if operand.is_none() && command != "patterns" => {
                operand = Some(PathBuf::from(value));
            }
            other => return Err(other.unexpected()),
        }
    }
    if command == "patterns" {
        return Ok(Command::Patterns);
    }
    let what = if command == "pattern" {
        "NAME"
    } else {
        "DESIGN"
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
        },
        _ => Command::Check { design },
    })
}

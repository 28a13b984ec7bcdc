//! The options and the help of `keyfold diff` and `keyfold merge`; see [`args`](crate::args).

use crate::formats::{DiffFormat, TakenSide};
use crate::output::Destination;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Compare two designs by meaning
///
/// Prints what was added, removed and changed, and what that does: items that get a different key, access patterns that
/// read more or fewer items, findings, stack updates. Parts are matched by ID. In text, and in files that do not come from
/// one design, they are matched by name.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: the designs differ.

Examples:
  keyfold diff old.json new.json
  keyfold diff old.keyfold new.keyfold --format markdown
  git show main:design.json | keyfold diff - design.json
  keyfold diff old.json new.json --format svg --out difference.svg")]
pub struct DiffArgs {
    /// Old design: file, `-` for standard input, or `pattern:NAME`
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    pub old: PathBuf,
    /// New design: file, `-` for standard input, or `pattern:NAME`
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub new: PathBuf,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: DiffFormat,
    /// File to write, `-` for standard output. Keyfold writes the file atomically
    #[arg(long, value_name = "FILE", default_value = "-", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub out: Destination,
}

/// Merge the edits of two designs that have a common base
///
/// Writes the merged design to OURS, as a merge driver of git does. The file keeps its form, JSON or text, and a text its
/// comments. Fields that only one side changed are taken. What both changed, or what one deleted and the other uses, is a
/// conflict: standard error lists the conflicts, and no file is written, unless `--take` chooses a side.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 1: there is a conflict, and no file was written.

Examples:
  keyfold merge base.json ours.json theirs.json
  keyfold merge base.json ours.json theirs.json --take theirs --out merged.json
  git config merge.keyfold.driver 'keyfold merge %O %A %B'")]
pub struct MergeArgs {
    /// Design that both sides come from: file, `-` for standard input, or `pattern:NAME`. An empty file if there is none
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath)]
    pub base: PathBuf,
    /// Our design: file, `-` for standard input, or `pattern:NAME`
    #[arg(value_name = "OURS", value_hint = ValueHint::FilePath)]
    pub ours: PathBuf,
    /// Their design: file, `-` for standard input, or `pattern:NAME`
    #[arg(value_name = "THEIRS", value_hint = ValueHint::FilePath)]
    pub theirs: PathBuf,
    /// File to write, `-` for standard output. By default it replaces OURS. Keyfold writes the file atomically
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, value_hint = ValueHint::FilePath)]
    pub out: Option<Destination>,
    /// Side to take in all conflicts
    #[arg(long, value_name = "SIDE")]
    pub take: Option<TakenSide>,
}

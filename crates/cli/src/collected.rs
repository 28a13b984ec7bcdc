//! The items of all files of `keyfold profile` and `keyfold infer`, as one profile.

use crate::args::ItemArgs;
use crate::formats::ImportFormat;
use crate::import::read_files;
use crate::outcome::{Outcome, Refusal};
use crate::stream::{Input, Lost, merge};
use keyfold_core::import::Note;
use keyfold_core::model::{Design, Table};
use keyfold_import::{FoundTable, Import, combine, design};
use keyfold_infer::{EXAMPLES, Profile, Schema};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// The version of profile files.
pub const VERSION: u8 = 1;
/// How a profile file begins.
const START: &[u8] = b"{\"keyfoldProfile\":";

/// A profile in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileFile<P> {
    #[serde(rename = "keyfoldProfile")]
    /// The version of its format.
    pub version: u8,
    /// The profile.
    pub profile: P,
}

/// Maximum size of a profile file. The bounds of a profile leave it smaller.
const PROFILE_BYTES: u64 = 512 << 20;
/// Maximum number of files whose first items tell the key.
const GUESSED_FILES: usize = 64;
/// Size of all first items together, in bytes.
const GUESSED_BYTES: usize = 1 << 20;

/// The items of all files.
pub struct Collected {
    /// A design of the table without entities.
    pub base: Design,
    /// The profile of the items.
    pub profile: Profile,
    /// What the files do not say and was guessed.
    pub assumed: Vec<Note>,
    /// What was left out.
    pub lost: Lost,
}

impl Collected {
    /// Reads items and profiles. Without a definition of the table, the files tell its key and its indexes.
    pub fn of(args: &ItemArgs) -> Result<Collected, Refusal> {
        let mut kept = Vec::new();
        let mut all = match &args.table {
            Some(path) => {
                let import = combine(read_files(&[path.to_owned()], ImportFormat(None))?);
                Collected::empty(table_of(import, &path.display().to_string())?)?
            }
            None => Collected::guessed(&args.files, &mut kept)?,
        };
        for path in &args.files {
            let known = kept.iter().position(|(other, _)| *other == path);
            let mut input = match known {
                Some(at) => kept.swap_remove(at).1,
                None => Input::open(path)?,
            };
            if input.head().is_empty() && args.table.is_some() {
                // A part of a table may have no items, as when an engine divides it.
            } else if input.head().starts_with(START) {
                let profile = read_profile(&mut input)?;
                merge(&mut all.profile, profile, &input.name)?;
            } else if input.has_lines() {
                all.lost.join(input.profile_lines(&mut all.profile)?);
            } else {
                let import = input.import_all()?;
                all.add(import, &input.name)?;
            }
        }
        Ok(all)
    }

    /// No items yet of the table that the first items of the files suggest, whatever the order of the files. A profile
    /// has the table. What can be read only once, such as standard input or a pipe, is left as it was, in `kept`.
    fn guessed<'a>(
        files: &'a [PathBuf],
        kept: &mut Vec<(&'a PathBuf, Input)>,
    ) -> Result<Collected, Refusal> {
        let mut files: Vec<&PathBuf> = files.iter().collect();
        files.sort();
        let step = files.len().div_ceil(GUESSED_FILES);
        let bytes = GUESSED_BYTES / files.len().div_ceil(step);
        let mut imports = Vec::new();
        for path in files.into_iter().step_by(step) {
            let mut input = Input::open(path)?;
            let is_profile = input.head().starts_with(START);
            if is_profile && is_read_once(path) {
                input.keep(PROFILE_BYTES)?;
            }
            let table = match is_profile {
                true => Some(of_schema(read_profile(&mut input)?.schema())),
                false => {
                    let import = match input.has_lines() {
                        true => input.import_head(bytes)?,
                        false => input.import_all()?,
                    };
                    imports.push((input.name.clone(), import));
                    None
                }
            };
            if is_read_once(path) {
                kept.push((path, input));
            }
            if let Some(table) = table {
                return Collected::empty(table);
            }
        }
        let name = match imports.as_slice() {
            [(name, _)] => name.clone(),
            several => format!("{} files", several.len()),
        };
        let mut import = combine(imports);
        let assumed = std::mem::take(&mut import.assumed);
        let all = Collected::empty(table_of(import, &name)?)?;
        Ok(Collected { assumed, ..all })
    }

    /// No items of a table yet.
    fn empty(mut table: FoundTable) -> Result<Collected, Refusal> {
        table.items.clear();
        table.facets.clear();
        table.entities.clear();
        table.patterns.clear();
        let base = design(&table).map_err(Refusal)?.design;
        Ok(Collected {
            profile: Profile::new(Schema::of(&base), EXAMPLES),
            base,
            assumed: Vec::new(),
            lost: Lost::default(),
        })
    }

    /// Adds the items of a file that was read whole.
    fn add(&mut self, import: Import, name: &str) -> Result<(), Refusal> {
        let key = &self.base.table.key;
        if let Some(other) = import.tables.iter().find(|table| table.table.key != *key) {
            return Err(Refusal(format!(
                "{name}: the table {} has a different key from the items read before it",
                other.name
            )));
        }
        let of_tables = import.tables.iter().flat_map(|table| &table.items);
        let of_groups = import.loose.iter().flat_map(|group| &group.items);
        let before = self.profile.items();
        for item in of_tables.chain(of_groups) {
            self.profile.add(&item.values);
        }
        self.lost.add(name, import.left_out);
        match self.profile.items() > before {
            true => Ok(()),
            false => Err(Refusal(format!(
                "{name}: expected items. Define the table with --table"
            ))),
        }
    }

    /// The outcome with the notes, which are findings if something is lost.
    pub fn with_remarks(&self, mut outcome: Outcome) -> Outcome {
        for note in self.assumed.iter().chain(&self.lost.notes) {
            let _ = writeln!(outcome.remarks, "keyfold: {note}");
        }
        let more = self.lost.count - self.lost.notes.len();
        if more > 0 {
            let _ = writeln!(outcome.remarks, "keyfold: and {more} more");
        }
        outcome.findings = self.lost.count > 0;
        outcome
    }
}

/// Whether a file can be read only once: standard input, a pipe.
fn is_read_once(path: &Path) -> bool {
    path == Path::new("-") || std::fs::metadata(path).is_ok_and(|file| !file.is_file())
}

fn read_profile(input: &mut Input) -> Result<Profile, Refusal> {
    let name = input.name.clone();
    let bytes = BufReader::new(input.bytes().take(PROFILE_BYTES));
    let file: ProfileFile<Profile> = serde_json::from_reader(bytes)
        .map_err(|error| Refusal(format!("{name}: this profile is incomplete or damaged: {error}. Write it again with `keyfold profile`")))?;
    match file.version {
        VERSION => Ok(file.profile),
        other => Err(Refusal(format!(
            "{name}: this profile has version {other}. This version of Keyfold reads version {VERSION}"
        ))),
    }
}

/// The only table of a file.
fn table_of(import: Import, name: &str) -> Result<FoundTable, Refusal> {
    let mut tables = import.tables;
    tables.extend(
        import
            .designs
            .iter()
            .map(|design| of_schema(&Schema::of(design))),
    );
    match tables.pop() {
        Some(table) if tables.is_empty() => Ok(table),
        Some(_) => Err(Refusal(format!(
            "{name}: expected one table, found {}",
            tables.len() + 1
        ))),
        None => {
            let why = import.left_out.iter().map(|note| format!("\n{note}"));
            let why: String = why.collect();
            Err(Refusal(format!("{name}: expected a table{why}")))
        }
    }
}

/// A table with these keys and nothing else.
fn of_schema(schema: &Schema) -> FoundTable {
    let mut table = Table::new(&schema.table);
    table.key = schema.key.clone();
    FoundTable::new("the profile", table, schema.indexes.clone())
}

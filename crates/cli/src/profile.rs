//! `keyfold profile` and `keyfold infer`: tables of any size, from their items.

use crate::args::{InferArgs, ItemArgs, ProfileArgs};
use crate::formats::{ImportFormat, ReportFormat};
use crate::found::{self, Found};
use crate::import::{read_files, write_designs};
use crate::outcome::{Outcome, Refusal};
use crate::output::{Destination, write};
use crate::stream::{Input, Lost, merge};
use keyfold_app::arrange::place_all;
use keyfold_core::import::samples::Note;
use keyfold_core::model::{Design, Table};
use keyfold_import::{FoundTable, Import, combine, design};
use keyfold_infer::{EXAMPLES, Profile, Schema, add_to, infer_profile};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Write as _;

/// The version of profile files.
const VERSION: u8 = 1;
/// How a profile file begins.
const START: &[u8] = b"{\"keyfoldProfile\":";

/// A profile in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileFile<P> {
    #[serde(rename = "keyfoldProfile")]
    version: u8,
    profile: P,
}

/// Prints or writes the profile of the items of files.
pub fn profile(args: &ProfileArgs) -> Result<Outcome, Refusal> {
    let all = Collected::of(&args.items)?;
    let file = ProfileFile {
        version: VERSION,
        profile: &all.profile,
    };
    let text = serde_json::to_string(&file).map_err(|error| Refusal(error.to_string()))?;
    let outcome = write(text + "\n", &args.items.out)?;
    Ok(all.with_remarks(outcome))
}

/// Prints or writes the design that the items of files or profiles show, or a report on it.
pub fn infer(args: &InferArgs) -> Result<Outcome, Refusal> {
    let all = Collected::of(&args.items)?;
    let inferred = infer_profile(&all.profile, &[]);
    let mut design = all.base.clone();
    add_to(&mut design, &inferred);
    place_all(&mut design);
    let found = [Found {
        design,
        inferred: Some(inferred),
    }];
    let mut outcome = match (&args.report, &args.items.out) {
        (Some(_), Destination::StandardOutput) => Outcome::default(),
        (_, out) => write_designs(&found, out)?,
    };
    match args.report {
        Some(ReportFormat::Text) => outcome.text = found::describe(&found),
        Some(ReportFormat::Json) => {
            let report = json!({
                "items": all.profile.items(),
                "tables": found::as_json(&found),
                "assumed": found::notes(&all.assumed),
                "leftOut": found::notes(&all.lost.notes),
            });
            outcome.text = format!("{report:#}\n");
        }
        None => {}
    }
    Ok(all.with_remarks(outcome))
}

/// The items of all files.
struct Collected {
    /// A design of the table without entities.
    base: Design,
    profile: Profile,
    assumed: Vec<Note>,
    lost: Lost,
}

impl Collected {
    /// Reads items and profiles. Without a definition of the table, the first file tells its key.
    fn of(args: &ItemArgs) -> Result<Collected, Refusal> {
        let mut all = match &args.table {
            Some(path) => {
                let import = combine(read_files(&[path.to_owned()], ImportFormat(None))?);
                Some(Collected::empty(table_of(
                    import,
                    &path.display().to_string(),
                )?)?)
            }
            None => None,
        };
        for path in &args.files {
            let mut input = Input::open(path)?;
            if input.head().starts_with(START) {
                let profile = read_profile(&mut input)?;
                let all = match &mut all {
                    Some(all) => all,
                    none => none.insert(Collected::empty(of_schema(profile.schema()))?),
                };
                merge(&mut all.profile, profile, &input.name)?;
            } else if input.has_lines() {
                let all = match &mut all {
                    Some(all) => all,
                    none => none.insert(Collected::guessed(input.import_head()?, &input.name)?),
                };
                all.lost.join(input.profile_lines(&mut all.profile)?);
            } else {
                let import = input.import_all()?;
                let all = match &mut all {
                    Some(all) => all,
                    none => none.insert(Collected::guessed(import.clone(), &input.name)?),
                };
                all.add(import, &input.name)?;
            }
        }
        all.ok_or_else(|| Refusal("name a file".to_owned()))
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

    /// No items yet of the table that a file describes, or whose items it has.
    fn guessed(import: Import, name: &str) -> Result<Collected, Refusal> {
        let mut import = combine(vec![(name.to_owned(), import)]);
        let assumed = std::mem::take(&mut import.assumed);
        let all = Collected::empty(table_of(import, name)?)?;
        Ok(Collected { assumed, ..all })
    }

    /// Adds the items of a file that was read whole.
    fn add(&mut self, import: Import, name: &str) -> Result<(), Refusal> {
        let key = &self.base.table.key;
        if let Some(other) = import.tables.iter().find(|table| table.table.key != *key) {
            return Err(Refusal(format!(
                "{name}: the table {} has another key than the items before",
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
    fn with_remarks(&self, mut outcome: Outcome) -> Outcome {
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

fn read_profile(input: &mut Input) -> Result<Profile, Refusal> {
    let bytes = input.all()?;
    let name = &input.name;
    let file: ProfileFile<Profile> = serde_json::from_slice(&bytes)
        .map_err(|error| Refusal(format!("{name}: not a whole profile: {error}")))?;
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

//! The pure core as the oracle of the walk through the page (`tests/walk/run.mjs`): it reads one question as a line of
//! JSON and answers with one line. What it says comes from the library's own functions; nothing is worked out here
//! a second time.
//!
//! - `show`: what the page must show of a design, given what is looked at.
//! - `check`: whether a design is what these commands make of the design before.
//! - `pattern`: the design file of a library pattern, as the page opens it.

mod change;
mod does;
mod show;

use keyfold_app::{placement, suggest};
use keyfold_core::lint::{Linter, Report};
use keyfold_core::model::Design;
use keyfold_core::{library, persist};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::io::{BufRead, Write};
use std::sync::{Arc, OnceLock};

/// A design, and what was asked of it so far.
pub struct Known {
    text: String,
    /// The design.
    pub design: Design,
    report: OnceLock<Report>,
}

impl Known {
    /// What the linter says of it.
    pub fn report(&self) -> &Report {
        self.report
            .get_or_init(|| keyfold_cost::lint(&mut Linter::default(), &self.design))
    }
}

/// The designs that were asked about last; most questions are about the one before.
#[derive(Default)]
pub struct Memory(Vec<Arc<Known>>);

impl Memory {
    /// How many designs are remembered.
    const MAX_KEPT: usize = 6;

    /// Reads a design file, or remembers it. The error is the reader's.
    pub fn design(&mut self, text: &str) -> Result<Arc<Known>, String> {
        if let Some(known) = self.0.iter().find(|known| known.text == text) {
            return Ok(known.clone());
        }
        let design = persist::from_json(text).map_err(|error| error.to_string())?;
        let known = Arc::new(Known {
            text: text.to_owned(),
            design,
            report: OnceLock::new(),
        });
        if self.0.len() == Self::MAX_KEPT {
            self.0.remove(0);
        }
        self.0.push(known.clone());
        Ok(known)
    }
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
enum Question {
    Show(Box<show::Looked>),
    Check(change::Check),
    Pattern { name: String, taken: Vec<String> },
    Patterns,
}

fn answer(memory: &mut Memory, line: &str) -> Result<Json, String> {
    let question: Question = serde_json::from_str(line).map_err(|error| error.to_string())?;
    match question {
        Question::Show(looked) => show::show(memory, &looked),
        Question::Check(check) => change::check(memory, &check),
        Question::Pattern { name, taken } => {
            let pattern = library::find(&name).ok_or("no such pattern")?;
            let mut design = pattern.design().map_err(|error| error.to_string())?;
            design.name = suggest::free_name(&design.name, |name| taken.iter().any(|t| t == name));
            placement::place_missing(&mut design);
            Ok(json!({ "text": persist::to_json(&design) }))
        }
        Question::Patterns => {
            let names: Vec<&str> = library::patterns().iter().map(|p| p.name).collect();
            Ok(json!(names))
        }
    }
}

fn main() -> std::io::Result<()> {
    let mut memory = Memory::default();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = match answer(&mut memory, &line?) {
            Ok(answer) => json!({ "ok": answer }),
            Err(error) => json!({ "error": error }),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

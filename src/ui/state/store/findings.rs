//! What the linter says of the design: looked for once an edit is shown and nothing was typed for a moment, in slices. Only
//! what an edit can have changed is looked at again. What is found stays shown until then.

use super::Store;
use crate::platform::{assets, clock};
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::state::finding_mark::{FieldMark, Mark};
use keyfold_app::fixes::{Preview, RowChanges, preview, row_changes};
use keyfold_app::problems::{FindingFilter, FindingId, FindingRow, filtered_findings};
use keyfold_app::{Diff, Refused};
use keyfold_core::engine::Work;
use keyfold_core::lint::{Finding, Fix, Linter, Place, Report, Severity};
use keyfold_core::model::{CardId, Design, IndexId};
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// How long a slice of work takes, in milliseconds.
const SLICE: f64 = 6.0;
/// How long nothing has been edited when it begins, in milliseconds.
const PAUSE: u64 = 120;
/// How long the items of a fix that is tried may take, in milliseconds.
const TRIAL: f64 = 60.0;
/// How many changed items of it are shown.
const ROWS: usize = 8;

/// The text of the explanations, which is served beside the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Docs {
    /// Nobody has asked for it.
    Unread,
    /// It is on its way.
    Coming,
    /// Here it is.
    Here(Arc<str>),
    /// It could not be read.
    Missing,
}

/// A fix that was tried, with what it does to the sample items.
pub struct Tried {
    /// What changes in the design.
    pub preview: Preview,
    /// What changes in the table; `None`: there are too many items to look at them here.
    pub rows: Option<RowChanges>,
}

/// The findings. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Findings {
    /// All of them, as they were found last.
    pub report: RwSignal<ByPtr<Report>>,
    /// Whether an edit was made since.
    pub stale: RwSignal<bool>,
    /// Which of them the list shows, and how.
    pub wanted: RwSignal<FindingFilter>,
    /// The finding that one is at.
    pub chosen: RwSignal<Option<FindingId>>,
    /// The explanations of the rules, once they were asked for.
    pub docs: RwSignal<Docs>,
    linter: StoredValue<Linter>,
    /// Counts the works: a slice of an earlier one does nothing.
    number: StoredValue<u64>,
}

impl Findings {
    /// Nothing found.
    pub(super) fn new() -> Findings {
        Findings {
            report: RwSignal::new(ByPtr(Arc::default())),
            stale: RwSignal::new(true),
            wanted: RwSignal::default(),
            chosen: RwSignal::new(None),
            docs: RwSignal::new(Docs::Unread),
            linter: StoredValue::new(Linter::default()),
            number: StoredValue::new(0),
        }
    }

    /// How many of this severity are not silenced.
    pub fn count(self, severity: Severity) -> usize {
        self.report.with(|report| report.count(severity))
    }

    /// How many are not silenced.
    pub fn open(self) -> usize {
        self.report.with(|report| report.open().count())
    }

    /// The mark of a place; `None`: there is nothing to say of it.
    pub fn at(self, place: Place) -> Option<Mark> {
        self.mark(&|finding| finding.place == place)
    }

    /// What is found at the text field of a place, and where in its text.
    pub fn of_field(self, place: Place) -> Option<FieldMark> {
        let mark = self.at(place)?;
        let span = self.report.with(|report| {
            let mut meant = report.open().filter(|finding| finding.place == place);
            meant.find_map(|finding| finding.span.clone())
        });
        Some(FieldMark { mark, span })
    }

    /// The mark of a card: all that is found at what it stands for.
    pub fn of_card(self, card: CardId) -> Option<Mark> {
        self.mark(&|finding| {
            finding.severity > Severity::Info && finding.place.card() == Some(card)
        })
    }

    /// The findings of an entity's entries in the table and the indexes: what its wires are marked with.
    pub fn of_wires(self, card: CardId) -> Vec<(IndexId, Mark)> {
        let mut wires: Vec<(IndexId, Mark)> = Vec::new();
        let mut indexes: Vec<IndexId> = Vec::new();
        let is_of = |finding: &Finding| {
            finding.severity > Severity::Info
                && finding.place.card() == Some(card)
                && finding.place.entity().is_some()
        };
        self.report.with(|report| {
            for finding in report.open().filter(|finding| is_of(finding)) {
                if let Some(index) = finding.place.index()
                    && !indexes.contains(&index)
                {
                    indexes.push(index);
                }
            }
        });
        for index in indexes {
            let mark = self.mark(&|finding| is_of(finding) && finding.place.index() == Some(index));
            wires.extend(mark.map(|mark| (index, mark)));
        }
        wires
    }

    /// The attributes of a sample's item that are meant, each with what is said first of it.
    pub fn of_cells(self, place: Place) -> Vec<(String, String)> {
        let mut cells: Vec<(String, String)> = Vec::new();
        self.report.with(|report| {
            for finding in report.open().filter(|finding| finding.place == place) {
                for name in &finding.attributes {
                    if !cells.iter().any(|(known, _)| known == name) {
                        let said = [finding.code, " ", &finding.message].concat();
                        cells.push((name.clone(), said));
                    }
                }
            }
        });
        cells
    }

    /// The attribute of a sample's item that the chosen finding means, else the first finding there.
    pub fn cell_of(self, place: Place) -> Option<String> {
        let chosen = self.chosen.get_untracked().map(|(code, ..)| code);
        self.report.with_untracked(|report| {
            let there = || report.findings.iter().filter(|f| f.place == place);
            let mut own = there().filter(|finding| Some(finding.code) == chosen);
            let finding = own.next().or_else(|| there().next())?;
            // The value comes after the key that is made of it.
            finding.attributes.last().cloned()
        })
    }

    fn mark(self, is_of: &dyn Fn(&Finding) -> bool) -> Option<Mark> {
        (self.report).with(|report| Mark::of(&mut report.open().filter(|finding| is_of(finding))))
    }
}

impl Store {
    /// The findings that the list shows, in its order.
    pub fn listed_findings(self) -> Vec<FindingRow> {
        let findings = self.findings;
        findings.report.with(|report| {
            findings.wanted.with(|wanted| {
                self.with(|design| filtered_findings(design, &report.findings, wanted))
            })
        })
    }

    /// Tries a fix on a copy of the design.
    pub fn try_fix(self, fix: &Fix) -> Result<Tried, Refused> {
        let preview = self.with(|design| preview(design, fix))?;
        let rows = self.computed().and_then(|before| {
            let start = clock::now();
            let mut work = Work::new(before.clone(), preview.after.clone(), None);
            while clock::now() - start < TRIAL {
                if let Some(after) = work.step() {
                    let old = |design: &Design| {
                        row_changes((design, &before), (&preview.after, &after), ROWS)
                    };
                    return Some(self.with(old));
                }
            }
            None
        });
        Ok(Tried { preview, rows })
    }

    /// Asks for the explanations of the rules, if they are not there.
    pub fn read_docs(self) {
        let docs = self.findings.docs;
        if docs.with_untracked(|docs| matches!(docs, Docs::Here(_) | Docs::Coming)) {
            return;
        }
        docs.set(Docs::Coming);
        (self.view).answer(assets::fetch_text("rules.md"), move |text| {
            docs.set(text.map_or(Docs::Missing, |text| Docs::Here(text.into())));
        });
    }

    /// Forgets all findings, for another design.
    pub(super) fn forget_findings(self) {
        let findings = self.findings;
        findings.linter.set_value(Linter::default());
        findings.report.set(ByPtr(Arc::default()));
        findings.chosen.set(None);
        self.lint_soon();
    }

    /// Takes note of a change. Where cards stand is no matter.
    pub(super) fn invalidate_findings(self, changed: &Diff) {
        let others = Diff {
            layout: Default::default(),
            notes: Default::default(),
            ..changed.clone()
        };
        if !others.is_empty() {
            self.lint_soon();
        }
    }

    fn lint_soon(self) {
        let findings = self.findings;
        findings.number.update_value(|number| *number += 1);
        if !findings.stale.get_untracked() {
            findings.stale.set(true);
        }
        let number = findings.number.get_value();
        let begin = move || self.lint_begin(number);
        self.view.after(Duration::from_millis(PAUSE), begin);
    }

    /// Takes the design up once its items are made.
    fn lint_begin(self, number: u64) {
        let findings = self.findings;
        if findings.number.try_get_value() != Some(number) {
            return;
        }
        match self.computed() {
            Some(computed) => {
                findings.linter.update_value(|linter| {
                    self.with(|design| linter.begin(design, computed.items()));
                });
                self.lint_on(number);
            }
            None => self.view.next_frame(move || self.lint_begin(number)),
        }
    }

    /// Works for a slice, and goes on soon until all is done.
    fn lint_on(self, number: u64) {
        let findings = self.findings;
        if findings.number.try_get_value() != Some(number) {
            return;
        }
        let start = clock::now();
        let mut done = None;
        findings.linter.update_value(|linter| {
            while done.is_none() && clock::now() - start < SLICE {
                done = linter.step();
            }
        });
        match done {
            Some(report) => self.show_findings(report),
            None => self.view.soon(move || self.lint_on(number)),
        }
    }

    fn show_findings(self, report: Report) {
        let findings = self.findings;
        findings.report.set(ByPtr(Arc::new(report)));
        findings.stale.set(false);
    }
}

//! The findings of the linter. It runs in slices once an edit is shown and the user pauses, and checks again only what
//! the edit can have changed. The previous findings stay visible until it is done.

use super::Store;
use crate::platform::{assets, clock};
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::on_demand::{on_demand, poll_once};
use crate::ui::reactive::sliced_task::{Progress, SlicedTask, When};
use crate::ui::state::finding_mark::{FieldMark, Mark};
use keyfold_app::fixes::{
    AllFixes, Preview, RowChanges, preview, preview_all_in_slices, row_changes,
};
use keyfold_app::problems::{FindingFilter, FindingId, FindingRow, filtered_findings};
use keyfold_app::{Diff, Refused};
use keyfold_compare::NewIds;
use keyfold_core::engine::{Items, Work};
use keyfold_core::lint::{Finding, Fix, Linter, Place, Report, Severity};
use keyfold_core::model::{CardId, Design, EntityId, IndexId, SortedMap};
use keyfold_core::slices::{Slices, pause};
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Pause after the last edit before the linter starts, in milliseconds.
const PAUSE: u64 = 120;
/// Time limit for computing the items of a tried fix, in milliseconds.
const TRIAL: f64 = 60.0;
/// Limit of changed items shown for a tried fix.
const ROWS: usize = 8;

/// Limit of samples with which the effect of the fixes of all findings of a rule is computed.
const FEW_SAMPLES: usize = 1000;

/// The explanations of the rules, a file served beside the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Docs {
    /// Not requested.
    Unread,
    /// Being read.
    Coming,
    /// The text.
    Here(Arc<str>),
    /// Could not be read.
    Missing,
}

/// A tried fix, with its effect on the samples.
pub struct Tried {
    /// What changes in the design.
    pub preview: Preview,
    /// What changes in the table; `None` if there are too many items to compare.
    pub rows: Option<RowChanges>,
}

/// The linter's functions.
#[derive(Clone, Copy)]
pub(super) struct LinterCode {
    begin: fn(&mut Linter, &Design, &SortedMap<EntityId, Arc<Items>>),
    step: fn(&mut Linter) -> Option<Report>,
    with_workload: fn(&Report, &Design, &[Arc<Finding>]) -> Report,
}

on_demand!(tools, linter_code: LinterCode = LinterCode {
    begin: Linter::begin,
    step: Linter::step,
    with_workload: Report::with_workload,
});

/// The findings. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Findings {
    /// The report of the last run, with the findings of the workload.
    pub report: RwSignal<ByPtr<Report>>,
    /// Whether the design was edited since.
    pub stale: RwSignal<bool>,
    /// Whether the open design was checked at least once: without its code the linter cannot run.
    pub checked: RwSignal<bool>,
    /// The filter of the list.
    pub wanted: RwSignal<FindingFilter>,
    /// The chosen finding.
    pub chosen: RwSignal<Option<FindingId>>,
    /// The explanations of the rules.
    pub docs: RwSignal<Docs>,
    /// The typed reasons of findings that are not silenced yet.
    pub reasons: StoredValue<Vec<(FindingId, String)>>,
    linter: StoredValue<Linter>,
    /// The report of the last run.
    linted: StoredValue<ByPtr<Report>>,
    /// The findings that follow from the workload, if one is stated.
    of_workload: StoredValue<Vec<Arc<Finding>>>,
    task: SlicedTask,
}

impl Findings {
    /// No findings.
    pub(super) fn new() -> Findings {
        Findings {
            report: RwSignal::new(ByPtr(Arc::default())),
            stale: RwSignal::new(true),
            checked: RwSignal::new(false),
            wanted: RwSignal::default(),
            chosen: RwSignal::new(None),
            docs: RwSignal::new(Docs::Unread),
            reasons: StoredValue::default(),
            linter: StoredValue::new(Linter::default()),
            linted: StoredValue::new(ByPtr(Arc::default())),
            of_workload: StoredValue::new(Vec::new()),
            task: SlicedTask::new(),
        }
    }

    /// The place of the chosen finding has other ids now.
    pub(super) fn follow_moved(self, moved: &NewIds) {
        if let Some((code, place, number)) = self.chosen.get_untracked() {
            self.chosen.set(Some((code, moved.place(place), number)));
        }
        self.reasons.update_value(|reasons| {
            for ((_, place, _), _) in reasons {
                *place = moved.place(*place);
            }
        });
    }

    /// The number of findings of this severity that are not silenced.
    pub fn count(self, severity: Severity) -> usize {
        self.report.with(|report| report.count(severity))
    }

    /// The number of findings that are not silenced.
    pub fn open(self) -> usize {
        self.report.with(|report| report.open().count())
    }

    /// The mark of a place; `None` if it has no findings.
    pub fn at(self, place: Place) -> Option<Mark> {
        self.mark(&|finding| finding.place == place)
    }

    /// The mark of the text field of a place, with the range in its text.
    pub fn of_field(self, place: Place) -> Option<FieldMark> {
        let mark = self.at(place)?;
        let span = self.report.with(|report| {
            let mut found = report.open().filter(|finding| finding.place == place);
            found.find_map(|finding| finding.span.clone())
        });
        Some(FieldMark { mark, span })
    }

    /// The mark of a card: the errors and warnings of its entity or index.
    pub fn of_card(self, card: CardId) -> Option<Mark> {
        self.mark(&|finding| {
            finding.severity > Severity::Info && finding.place.card() == Some(card)
        })
    }

    /// The marks of an entity's wires: its findings in the table and the indexes.
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

    /// The attributes of a sample's item that have findings, each with its first message.
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

    /// The attribute of a sample's item that the chosen finding is about, or otherwise the first finding there.
    pub fn cell_of(self, place: Place) -> Option<String> {
        let chosen = self.chosen.get_untracked().map(|(code, ..)| code);
        self.report.with_untracked(|report| {
            let there = || report.findings.iter().filter(|f| f.place == place);
            let mut own = there().filter(|finding| Some(finding.code) == chosen);
            let finding = own.next().or_else(|| there().next())?;
            // The value comes after the key that is rendered from it.
            finding.attributes.last().cloned()
        })
    }

    fn mark(self, is_of: &dyn Fn(&Finding) -> bool) -> Option<Mark> {
        (self.report).with(|report| Mark::of(&mut report.open().filter(|finding| is_of(finding))))
    }
}

impl Store {
    /// The listed findings, in the order of the list.
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
        let rows = self.rows_of(&preview);
        Ok(Tried { preview, rows })
    }

    /// The effect of a tried fix on the samples; `None` if there are too many items to compare.
    fn rows_of(self, preview: &Preview) -> Option<RowChanges> {
        self.computed().and_then(|before| {
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
        })
    }

    /// Tries the fixes of several findings on a copy of the design. The effect on the samples is only computed if the
    /// design is small.
    pub fn try_fixes(self, fixes: Vec<Fix>) -> Slices<(AllFixes, Option<RowChanges>)> {
        let design = self.with(Design::clone);
        Slices::new(async move {
            let samples = design.samples.values().map(|all| all.len()).sum::<usize>();
            let tried = preview_all_in_slices(design, fixes).await;
            pause().await;
            let rows = (samples <= FEW_SAMPLES)
                .then(|| self.rows_of(&tried.preview))
                .flatten();
            (tried, rows)
        })
    }

    /// Reads the explanations of the rules, if they are not read yet.
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

    /// Discards all findings, for another design.
    pub(super) fn forget_findings(self) {
        let findings = self.findings;
        findings.linter.set_value(Linter::default());
        findings.report.set(ByPtr(Arc::default()));
        findings.linted.set_value(ByPtr(Arc::default()));
        findings.of_workload.set_value(Vec::new());
        findings.chosen.set(None);
        findings.reasons.set_value(Vec::new());
        findings.checked.set(false);
        self.lint_soon();
    }

    /// Schedules the linter after a change. Positions of cards do not matter.
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
        if !self.findings.stale.get_untracked() {
            self.findings.stale.set(true);
        }
        self.lint(When::After(Duration::from_millis(PAUSE)));
    }

    /// Runs the linter once the items of the design are computed.
    fn lint(self, when: When) {
        let Findings { linter, task, .. } = self.findings;
        let mut step: Option<fn(&mut Linter) -> Option<Report>> = None;
        task.start(when, move |slice| {
            if step.is_none() {
                let Some(computed) = self.computed() else {
                    self.lint(When::NextFrame);
                    return Progress::Finished;
                };
                let Some(code) = self.loaded(linter_code, Store::lint) else {
                    return Progress::Finished;
                };
                linter.update_value(|linter| {
                    self.with(|design| (code.begin)(linter, design, computed.items()));
                });
                step = Some(code.step);
            }
            let mut done = None;
            linter.update_value(|linter| done = slice.run(|| step?(linter)));
            let Some(report) = done else {
                return Progress::Unfinished;
            };
            self.show_findings(report);
            Progress::Finished
        });
    }

    fn show_findings(self, report: Report) {
        let findings = self.findings;
        findings.linted.set_value(ByPtr(Arc::new(report)));
        self.show_report();
        findings.stale.set(false);
        findings.checked.set(true);
        if self.workload.with_untracked(|all| !all.is_empty()) {
            self.follow_workload(When::Now);
        }
    }

    /// Shows these findings of the workload in place of the ones before.
    pub(super) fn show_workload_findings(self, found: Vec<Arc<Finding>>) {
        let findings = self.findings;
        let is_same = findings.of_workload.with_value(|before| *before == found);
        if !is_same {
            findings.of_workload.set_value(found);
            if findings.checked.get_untracked() {
                self.show_report();
            }
        }
    }

    /// Shows the last run of the linter with the findings of the workload.
    fn show_report(self) {
        let findings = self.findings;
        let mut report = findings.linted.get_value();
        findings.of_workload.with_value(|found| {
            if let (false, Ok(Ok(code))) = (found.is_empty(), poll_once(linter_code())) {
                let all = self.with(|design| (code.with_workload)(&report.0, design, found));
                report = ByPtr(Arc::new(all));
            }
        });
        findings.report.set(report);
    }
}

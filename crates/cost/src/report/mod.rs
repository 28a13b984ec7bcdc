//! The bill and the heat of a design in words: as text, Markdown and CSV, and the difference of two reports.

mod sections;
mod write;

pub use crate::findings::{percent, whole};
pub use sections::{Section, short, signed};

use crate::CostModel;
use crate::bill::{
    Bill, BreakEven, IndexShare, Mode, Overloaded, PatternShare, Total, bill, break_even,
    index_shares, overloaded, pattern_shares,
};
use crate::findings::findings;
use crate::heat::{IndexHeat, heat};
use crate::prices::Prices;
use keyfold_core::engine::query::TableBuilder;
use keyfold_core::engine::{Computed, Work};
use keyfold_core::lint::Finding;
use keyfold_core::model::Design;
use keyfold_core::slices::pause;
use serde_json::{Value, json};
use std::sync::Arc;

/// Everything about cost and heat.
#[derive(Debug, Clone)]
pub struct Report {
    /// The load.
    pub model: CostModel,
    /// The prices.
    pub prices: Prices,
    /// The bills of [`Mode::ALL`], of this month.
    pub bills: Vec<Bill>,
    /// The totals of the design's own mode after 0, 1, 2 and more months.
    pub ahead: Vec<Total>,
    /// Where the capacity modes break even.
    pub break_even: BreakEven,
    /// The share of each access pattern at on-demand prices.
    pub patterns: Vec<PatternShare>,
    /// The share of the table and each index.
    pub indexes: Vec<IndexShare>,
    /// What overloading would save.
    pub overloaded: Vec<Overloaded>,
    /// The heat of the table and each GSI.
    pub heat: Vec<IndexHeat>,
    /// The findings, silenced ones too.
    pub findings: Vec<Arc<Finding>>,
}

impl Report {
    /// The report of a load with these prices, and the totals of some months ahead.
    pub fn new(model: CostModel, prices: Prices, months: u32) -> Report {
        let bills: Vec<Bill> = (Mode::ALL.into_iter())
            .map(|mode| bill(&model, &prices, mode, 0.0))
            .collect();
        let own = Mode::of(&model);
        let ahead = (0..=months)
            .map(|month| bill(&model, &prices, own, f64::from(month)).total)
            .collect();
        let heat = heat(&model);
        Report {
            ahead,
            break_even: break_even(&model, &prices, own.class),
            patterns: pattern_shares(&model, &prices),
            indexes: index_shares(&model, &prices),
            overloaded: overloaded(&model, &prices, own.class),
            findings: findings(&model, &heat, &bills),
            heat,
            bills,
            model,
            prices,
        }
    }

    /// The report of a design at its own prices, in slices.
    pub async fn in_slices(design: Design) -> Report {
        let mut work = Work::new(Arc::new(Computed::nothing()), design.clone(), None);
        let computed = loop {
            match work.step() {
                Some(computed) => break computed,
                None => pause().await,
            }
        };
        let lists: Vec<_> = computed.items().values().cloned().collect();
        let mut work = TableBuilder::new(None, design.clone(), &lists);
        let stored = loop {
            match work.step() {
                Some(stored) => break Arc::new(stored),
                None => pause().await,
            }
        };
        let prices = Prices::of(&design.workload);
        let model = CostModel::in_slices(stored, computed.items().clone(), design, None).await;
        pause().await;
        Report::new(model, prices, 0)
    }

    /// The bill of the design's own mode.
    pub fn bill(&self) -> &Bill {
        let own = Mode::of(&self.model);
        let at = Mode::ALL.iter().position(|mode| *mode == own);
        &self.bills[at.unwrap_or(0)]
    }

    /// The findings that are not silenced.
    pub fn open_findings(&self) -> impl Iterator<Item = &Arc<Finding>> {
        (self.findings.iter()).filter(|finding| finding.silenced.is_none())
    }

    /// For people.
    pub fn text(&self) -> String {
        write::text(&self.sections())
    }

    /// For documents and pull requests.
    pub fn markdown(&self) -> String {
        write::markdown(&self.sections())
    }

    /// A chapter of a document: the sections below a heading of the second level.
    pub fn chapter(&self) -> String {
        let mut text = "## Cost and heat\n\n".to_owned();
        for line in self.markdown().lines() {
            if line.starts_with("## ") {
                text.push('#');
            }
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// For spreadsheets: the sections one below the other.
    pub fn csv(&self) -> String {
        write::csv(&self.sections())
    }

    /// The difference to a later report, as text.
    pub fn diff_text(&self, new: &Report) -> String {
        write::text(&self.diff(new))
    }

    /// The difference to a later report, for a pull request.
    pub fn diff_markdown(&self, new: &Report) -> String {
        write::markdown(&self.diff(new))
    }

    /// The difference to a later report, as CSV.
    pub fn diff_csv(&self, new: &Report) -> String {
        write::csv(&self.diff(new))
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let design = &self.model.design;
        let patterns = self.patterns.iter().map(|share| {
            let name = &design.access_patterns[&share.pattern].name;
            json!({ "name": name, "share": share, "traffic": self.model.assumptions.patterns[&share.pattern] })
        });
        let uncounted = self.model.patterns.iter().filter_map(|(id, found)| {
            let reason = found.as_ref().err()?;
            Some(json!({ "name": design.access_patterns[id].name, "reason": reason }))
        });
        let indexes = (self.indexes.iter())
            .map(|share| json!({ "name": design.index_name(share.index), "share": share }));
        let heat = self.heat.iter().map(|heat| {
            let keys = heat.keys.iter().map(|key| {
                json!({
                    "template": key.template,
                    "read": key.hottest.read,
                    "write": key.hottest.write,
                    "bytes": key.hottest.bytes,
                    "throttlesAt": key.throttles_at,
                    "shards": key.shards,
                })
            });
            json!({
                "name": design.index_name(heat.index),
                "read": heat.read,
                "write": heat.write,
                "bound": heat.bound,
                "keys": keys.collect::<Value>(),
            })
        });
        let findings = self.open_findings().map(|finding| {
            json!({
                "code": finding.code,
                "place": finding.place.to_string(),
                "text": finding.message,
            })
        });
        json!({
            "region": self.prices.region,
            "priceDate": self.prices.date,
            "bills": self.bills,
            "ahead": self.ahead,
            "breakEven": self.break_even,
            "accessPatterns": patterns.collect::<Value>(),
            "uncounted": uncounted.collect::<Value>(),
            "indexes": indexes.collect::<Value>(),
            "overloaded": self.overloaded,
            "heat": heat.collect::<Value>(),
            "findings": findings.collect::<Value>(),
            "faults": self.faults(),
        })
    }

    /// Figures of the workload that cannot be used: one sentence for each, with its place.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = self.model.assumptions.faults.clone();
        faults.extend(Prices::faults(&self.model.design.workload));
        faults
    }
}

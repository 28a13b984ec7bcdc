//! What the design costs and where it gets hot, while a view shows it. The state belongs to that view, so that nothing of
//! it is loaded before. After an edit, what fits one slice is done at once: an edit of the workload shows in the same
//! frame, because the units of each access pattern stay known. The simulation of the partitions follows in slices.

use super::Store;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::sliced_task::{Progress, Slice, SlicedTask, When};
use keyfold_core::model::{Design, IndexId};
use keyfold_core::slices::{Slices, pause};
use keyfold_cost::heat::{IndexHeat, Simulation, simulate_in_slices};
use keyfold_cost::prices::Prices;
use keyfold_cost::{CostModel, Report};
use leptos::prelude::*;
use std::sync::Arc;

/// The seed of the simulation. Any other one is as good.
const SEED: u64 = 1;

/// What a view of the cost reads. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Costs {
    /// Everything about cost and heat; `None` until it is computed.
    pub report: RwSignal<Option<ByPtr<Report>>>,
    /// The simulated partitions of the table and each GSI.
    pub partitions: RwSignal<Vec<(IndexId, Simulation)>>,
    /// The last model with the value of `Proofs::basis` at that time.
    known: StoredValue<Option<(u64, Arc<CostModel>)>>,
    /// Whether the partitions are wanted.
    simulates: bool,
    work: StoredValue<Option<Slices<CostModel>>, LocalStorage>,
    task: SlicedTask,
    simulating: SlicedTask,
}

impl Store {
    /// What the design costs, with the totals of these months ahead, kept up to date until the reactive owner is disposed.
    /// The partitions only if it `simulates` them.
    pub fn look_at_costs(self, months: RwSignal<u32>, simulates: bool) -> Costs {
        let costs = Costs {
            report: RwSignal::new(None),
            partitions: RwSignal::default(),
            known: StoredValue::new(None),
            simulates,
            work: StoredValue::new_local(None),
            task: SlicedTask::new(),
            simulating: SlicedTask::new(),
        };
        effect(move || {
            self.opened.track();
            self.samples_changed.track();
            self.access_patterns.track();
            self.workload.track();
            let months = months.get();
            costs.simulating.cancel();
            costs.work.set_value(None);
            (costs.task).start(When::Now, move |slice| {
                match self.cost_slice(costs, months, slice) {
                    true => Progress::Finished,
                    false => Progress::Unfinished,
                }
            });
        });
        costs
    }

    /// Works for one slice. Returns whether all work is done.
    fn cost_slice(self, costs: Costs, months: u32, slice: &Slice) -> bool {
        if costs.work.with_value(Option::is_none) {
            let (Some(stored), Some(computed)) = (self.stored_items(slice), self.computed()) else {
                return false;
            };
            let basis = self.proofs.basis();
            let known = costs.known.get_value();
            let before = known.and_then(|(of, model)| (of == basis).then_some(model));
            let design = self.with(Clone::clone);
            let work = CostModel::in_slices(stored, computed.items().clone(), design, before);
            costs.work.set_value(Some(Slices::new(work)));
        }
        let mut found = None;
        costs.work.update_value(|work| {
            if let Some(work) = work {
                found = slice.run(|| work.step());
            }
        });
        let Some(model) = found else { return false };
        costs.work.set_value(None);
        let known = (self.proofs.basis(), Arc::new(model.clone()));
        costs.known.set_value(Some(known));
        let prices = Prices::of(&model.design.workload);
        let report = Report::new(model, prices, months);
        let heat = costs.simulates.then(|| report.heat.clone());
        costs.report.set(Some(ByPtr(Arc::new(report))));
        if let Some(heat) = heat {
            simulate(costs, heat);
        }
        true
    }
}

/// Simulates the partitions, after the figures are shown.
fn simulate(costs: Costs, heat: Vec<IndexHeat>) {
    let mut work = Slices::new(async move {
        let mut all = Vec::new();
        for one in heat {
            let index = one.index;
            all.push((index, simulate_in_slices(one, SEED).await));
            pause().await;
        }
        all
    });
    let work = move |slice: &Slice| match slice.run(|| work.step()) {
        None => Progress::Unfinished,
        Some(all) => {
            costs.partitions.set(all);
            Progress::Finished
        }
    };
    costs.simulating.start(When::Soon, work);
}

/// The report on another version of the design, such as one with shards, in slices.
pub fn report_of(design: Design) -> Slices<Report> {
    Slices::new(Report::in_slices(design))
}

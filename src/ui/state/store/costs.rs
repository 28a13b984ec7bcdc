//! What the design costs and where it gets hot, while a view shows it or the list of problems depends on it. All of them
//! read one computation, which is made when the first one asks, so that nothing of it is loaded before. After an edit, what
//! fits one slice is done at once: an edit of the workload shows in the same frame, because the units of each access
//! pattern stay known. The simulation of the partitions follows in slices.

use super::Store;
use super::shared_costs::{Costs, SharedCosts};
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, effect, memo};
use crate::ui::reactive::sliced_task::{Progress, Slice, SlicedTask, When};
use keyfold_core::model::Design;
use keyfold_core::slices::{Slices, pause};
use keyfold_cost::heat::{IndexHeat, simulate_in_slices};
use keyfold_cost::prices::Prices;
use keyfold_cost::{CostModel, Report};
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// The seed of the simulation. Any other one is as good.
const SEED: u64 = 1;
/// The months ahead at first.
const MONTHS: u32 = 12;
/// Pause after the last edit before the findings are computed while no view shows the cost, in milliseconds.
const PAUSE: u64 = 300;

impl Costs {
    fn new(store: Store) -> Costs {
        let costs = Costs {
            report: RwSignal::new(None),
            partitions: RwSignal::default(),
            months: RwSignal::new(MONTHS),
            known: StoredValue::new(None),
            views: RwSignal::new(0),
            simulating_views: RwSignal::new(0),
            finds: RwSignal::new(false),
            work: StoredValue::new_local(None),
            task: SlicedTask::new(),
            simulating: SlicedTask::new(),
        };
        let is_shown = memo(move |_| costs.views.get() > 0);
        let is_simulated = memo(move |_| costs.simulating_views.get() > 0);
        let is_found =
            memo(move |_| costs.finds.get() && store.workload.with(|all| !all.is_empty()));
        effect(move || {
            costs.simulating.cancel();
            costs.work.set_value(None);
            let when = match (is_shown.get(), is_found.get()) {
                (true, _) => When::Now,
                (false, true) => When::After(Duration::from_millis(PAUSE)),
                (false, false) => {
                    costs.task.cancel();
                    return costs.report.set(None);
                }
            };
            store.opened.track();
            store.samples_changed.track();
            store.access_patterns.track();
            store.workload.track();
            let (months, simulates) = (costs.months.get(), is_simulated.get());
            (costs.task).start(when, move |slice| {
                match store.cost_slice(costs, months, simulates, slice) {
                    true => Progress::Finished,
                    false => Progress::Unfinished,
                }
            });
        });
        effect(move || {
            let found = match is_found.get() {
                true => (costs.report).with(|report| Some(report.as_ref()?.findings.clone())),
                false => Some(Vec::new()),
            };
            if let (true, Some(found)) = (costs.finds.get(), found) {
                store.show_workload_findings(found);
            }
        });
        costs
    }
}

impl Store {
    /// What the design costs, kept up to date until the reactive owner is disposed. The partitions only if it `simulates`
    /// them.
    pub fn look_at_costs(self, simulates: bool) -> Costs {
        let costs = self.costs().unwrap_or_else(|| Costs::new(self));
        let count = move |by: i32| {
            let add = |views: RwSignal<u32>| {
                let _ = views.try_update(|views| *views = views.saturating_add_signed(by));
            };
            add(costs.views);
            if simulates {
                add(costs.simulating_views);
            }
        };
        count(1);
        on_cleanup(move || count(-1));
        costs
    }

    /// The computation that all views share; `None` if the page is gone.
    pub(super) fn costs(self) -> Option<Costs> {
        let SharedCosts { owner, costs } = self.shared_costs;
        costs.get_value().or_else(|| {
            let owner = owner.with_value(|owner| owner.as_ref()?.upgrade())?;
            let made = owner.with(|| Costs::new(self));
            costs.set_value(Some(made));
            Some(made)
        })
    }

    /// Works for one slice. Returns whether all work is done.
    fn cost_slice(self, costs: Costs, months: u32, simulates: bool, slice: &Slice) -> bool {
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
        let heat = simulates.then(|| report.heat.clone());
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

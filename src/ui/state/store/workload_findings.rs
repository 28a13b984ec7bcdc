//! Problems that follow from the workload. Their code is loaded once the open design states one.

use super::Store;
use crate::ui::reactive::on_demand::on_demand;
use crate::ui::reactive::sliced_task::When;

on_demand!(cost, workload_findings: fn(Store) = |store| {
    if let Some(costs) = store.costs() {
        costs.finds.set(true);
    }
});

impl Store {
    /// Loads what finds problems of the workload, and follows it from then on.
    pub(super) fn follow_workload(self, _: When) {
        if let Some(follow) = self.loaded(workload_findings, Store::follow_workload) {
            follow(self);
        }
    }
}

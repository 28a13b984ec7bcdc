//! The state of the computation of the cost, which all views share.

use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::sliced_task::SlicedTask;
use keyfold_core::model::IndexId;
use keyfold_core::slices::Slices;
use keyfold_cost::heat::Simulation;
use keyfold_cost::{CostModel, Report};
use leptos::prelude::*;
use leptos::reactive::owner::WeakOwner;
use std::sync::Arc;

/// The computation, once a view asked for it, and the reactive owner of the store, to which it belongs.
#[derive(Clone, Copy)]
pub(super) struct SharedCosts {
    pub owner: StoredValue<Option<WeakOwner>>,
    pub costs: StoredValue<Option<Costs>>,
}

impl SharedCosts {
    /// Nothing yet.
    pub(super) fn new() -> SharedCosts {
        let owner = Owner::current().map(|owner| owner.downgrade());
        SharedCosts {
            owner: StoredValue::new(owner),
            costs: StoredValue::new(None),
        }
    }
}

/// What a view of the cost reads. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Costs {
    /// Everything about cost and heat; `None` until it is computed.
    pub report: RwSignal<Option<ByPtr<Report>>>,
    /// The simulated partitions of the table and each GSI.
    pub partitions: RwSignal<Vec<(IndexId, Simulation)>>,
    /// How many months ahead the totals are computed.
    pub months: RwSignal<u32>,
    /// The last model with the value of `Proofs::basis` at that time.
    pub(super) known: StoredValue<Option<(u64, Arc<CostModel>)>>,
    /// The number of views.
    pub(super) views: RwSignal<u32>,
    /// The number of views that show the partitions.
    pub(super) simulating_views: RwSignal<u32>,
    /// Whether the list of problems follows the findings.
    pub(super) finds: RwSignal<bool>,
    pub(super) work: StoredValue<Option<Slices<CostModel>>, LocalStorage>,
    pub(super) task: SlicedTask,
    pub(super) simulating: SlicedTask,
}

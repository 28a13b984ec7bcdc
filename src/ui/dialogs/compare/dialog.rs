//! The dialog that compares two designs.

use super::result::{Comparison, Outcome};
use super::side::{Side, SideView, Source};
use crate::ui::designs::{Designs, use_designs};
use crate::ui::dialogs::modal::Dialog;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::store::Store;
use keyfold_app::workspace::DesignKey;
use leptos::prelude::*;

/// What opens the dialog. The code that loads with the page has only this. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct CompareForm {
    store: Store,
    open: RwSignal<bool>,
    /// What to begin with.
    before: StoredValue<Option<Source>>,
}

impl CompareForm {
    /// The closed dialog.
    pub fn new(store: Store) -> CompareForm {
        CompareForm {
            store,
            open: RwSignal::new(false),
            before: StoredValue::new(None),
        }
    }

    /// Opens the dialog with the open design and the one that was changed last besides it.
    pub fn open(self) {
        self.before.set_value(None);
        self.open.set(true);
    }

    /// Opens the dialog with the open design and what it is compared with, once the dialog that asks for it has closed and
    /// given back the focus.
    pub fn open_next(self, before: Source) {
        self.before.set_value(Some(before));
        self.store.view.next_frame(move || self.open.set(true));
    }
}

/// The form of the dialog, from the context.
pub fn use_comparing() -> CompareForm {
    expect_context()
}

/// The dialog.
#[component]
pub fn CompareDialog(
    /// The form.
    form: CompareForm,
) -> impl IntoView {
    view! {
        <Dialog open=form.open title="Compare designs" class="compare-dialog">
            {on_demand_view(compare_view, form)}
        </Dialog>
    }
}

on_demand!(tools, compare_view: Part<CompareForm> = |form| view! { <Form form=form /> }.into_any());

/// The stored design that was changed last, besides the open one.
fn newest_other(designs: Designs) -> Option<DesignKey> {
    let open = designs.open.get_untracked();
    let others = designs.entries().into_iter();
    others
        .filter(|entry| Some(entry.key) != open)
        .max_by(|a, b| a.changed().total_cmp(&b.changed()))
        .map(|entry| entry.key)
}

#[component]
fn Form(form: CompareForm) -> impl IntoView {
    focus_soon(".compare select".into());
    let designs = use_designs();
    let versions = RwSignal::new(Vec::new());
    let shown = designs.shown_version.get_untracked().map(|shown| shown.key);
    if let Some(key) = designs.open.get_untracked().or(shown) {
        View::new().answer(designs.versions(key), move |read| {
            // Without them, everything else can be compared.
            versions.set(read.unwrap_or_default());
        });
    }
    let newest = || newest_other(designs).map(Source::Stored);
    let before = form.before.get_value().or_else(newest);
    let before = Side::new("Before", before.unwrap_or(Source::Given), versions);
    let after = Side::new("After", Source::Open, versions);
    let comparison = Comparison::new();
    effect(move || {
        let both = (before.design.get(), after.design.get());
        match both {
            (Some(before), Some(after)) => comparison.begin(&before, &after),
            _ => comparison.clear(),
        }
    });
    view! {
        <div class="compare">
            <div class="compare-sides">
                <SideView side=before />
                <SideView side=after />
            </div>
            <Outcome comparison=comparison />
        </div>
    }
}

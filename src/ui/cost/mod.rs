//! What the design costs and where it gets hot: the total and what is missing from it, the bill, the shares, the heat, and
//! the workload that they follow from. `keyfold_cost` has every figure, `state/store/costs.rs` keeps them up to date.

mod assumed;
mod bars;
mod bill;
mod cure;
mod figure_field;
mod heat;
mod overview;
mod prices;
mod rows;
mod sections;
mod shares;
mod take;
pub mod workload_table;

use crate::ui::dom::focus::{focus_if_lost, has_focus_in};
use crate::ui::reactive::erased::memo;
use crate::ui::state::page_state::{PageState, Tab, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use bill::BillSection;
use heat::HeatSection;
use leptos::prelude::*;
use overview::Overview;
use sections::{SECTIONS, WORKLOAD, go_to};
use shares::Shares;
use take::TakeCost;
use workload_table::WorkloadTable;

/// The cost of the design.
#[component]
pub fn Cost() -> impl IntoView {
    let store = use_store();
    let page = use_page();
    let costs = store.look_at_costs(true);
    let report = costs.report;
    let state = memo(move |_| {
        let none = store.access_patterns.with(|all| all.is_empty());
        (none, report.with(Option::is_some))
    });
    let body = move || match state.get() {
        (true, _) => nothing(page),
        (false, false) => view! {
            <p class="cost-none" role="status">
                "Calculating…"
            </p>
        }
        .into_any(),
        (false, true) => {
            let link = |(id, title): (&'static str, &'static str)| {
                view! {
                    <li>
                        <button class="cost-link" on:click=move |_| go_to(id)>
                            {title}
                        </button>
                    </li>
                }
            };
            view! {
                <div class="cost-bar">
                    <nav aria-label="Sections">
                        <ul>{SECTIONS.map(link).collect_view()}</ul>
                    </nav>
                    <TakeCost report=report />
                </div>
                <div class="cost-page">
                    <Overview report=report months=costs.months />
                    <BillSection report=report />
                    <Shares report=report />
                    <HeatSection report=report partitions=costs.partitions />
                    <section class="cost-wide" aria-labelledby=WORKLOAD>
                        <h2 id=WORKLOAD tabindex="-1">
                            "Workload"
                        </h2>
                        <p class="hint">
                            "Figures in gray are assumed: rates are fixed assumptions, the rest follows from the samples. Type in a cell to set its figure."
                        </p>
                        <WorkloadTable report=report />
                    </section>
                </div>
            }
            .into_any()
        }
    };
    view! {
        <div class="cost">
            <div class="cost-frame">{body}</div>
        </div>
    }
}

/// What stands in place of the figures without access patterns.
fn nothing(page: PageState) -> AnyView {
    if has_focus_in(".cost") {
        focus_if_lost(".cost-none button");
    }
    view! {
        <div class="cost-none">
            <h2>"No access patterns"</h2>
            <p>
                "The cost follows from what the application reads and writes. Add an access pattern to see it."
            </p>
            <button class="button primary" on:click=move |_| page.show(Tab::AccessPatterns)>
                <Icon glyph=Glyph::Plus />
                "Add access patterns"
            </button>
        </div>
    }
    .into_any()
}

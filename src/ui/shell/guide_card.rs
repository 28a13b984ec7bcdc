//! The guided tours: a strip above the canvas, which covers nothing, shows the next step and detects when it is done.

use super::app_context::{AppContext, use_app};
use crate::ui::reactive::erased::{Show, effect};
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view, when_loaded};
use crate::ui::state::page_state::{Tab, TourPlace, is_small};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::guide::{
    FIRST_DESIGN, GuideState, GuideStep, GuideTab, OVERLOADING, Tour, overloading_start,
};
use keyfold_core::model::{Design, IndexId};
use keyfold_core::proof::Verdict;
use leptos::prelude::*;

/// Starts the guided first design in an empty design.
pub fn begin(app: AppContext) {
    begin_tour(app, 0);
}

/// Starts the tour of index overloading in a design of its own.
pub fn begin_overloading(app: AppContext) {
    begin_tour(app, 1);
}

/// A function that starts a tour.
type Starter = fn(AppContext, usize);

on_demand!(menus, starter: Starter = start);
on_demand!(menus, card: Part<AppContext> = |app| view! { <Card app=app /> }.into_any());

fn begin_tour(app: AppContext, tour: usize) {
    when_loaded(app.store.view, starter(), move |loaded| match loaded {
        Ok(start) => start(app, tour),
        Err(error) => {
            app.store.notices.error(error.to_string());
        }
    });
}

/// The tour with this number.
fn tour_of(number: usize) -> Tour {
    match number {
        0 => FIRST_DESIGN,
        _ => OVERLOADING,
    }
}

fn start(app: AppContext, tour: usize) {
    let page = app.page;
    page.guide.set(None);
    let is_empty = |design: &Design| design.entities.is_empty();
    match tour {
        0 if app.store.with(is_empty) => {}
        0 => app.designs.add_new(),
        _ => {
            if let Some(design) = overloading_start() {
                app.designs.add(design);
            }
        }
    }
    page.tab.set(Tab::Items(IndexId::PRIMARY));
    let opened = app.store.opened.get_untracked();
    page.guide.set(Some(TourPlace {
        tour,
        step: 0,
        opened,
    }));
    // Screen readers do not read a status whose text is there when it enters the page.
    let Some(first) = tour_of(tour).steps.first() else {
        return;
    };
    (app.store.spoken).set(format!("{}. {}", first.title, how(first)));
}

/// How to do a step here: a small screen has its regions on tabs, and often no keyboard.
fn how(step: &GuideStep) -> &'static str {
    match is_small() {
        true => step.small.unwrap_or(step.how),
        false => step.how,
    }
}

/// The strip while a tour runs.
#[component]
pub fn Guide() -> impl IntoView {
    let app = use_app();
    let guide = app.page.guide;
    view! { <Show when=move || guide.get().is_some()>{on_demand_view(card, app)}</Show> }
}

#[component]
fn Card(app: AppContext) -> impl IntoView {
    let (store, page) = (app.store, app.page);
    let place = page.guide;
    // Opening another design that is not empty ends the tour.
    effect(move || {
        let opened = store.opened.get();
        let is_other = place.with_untracked(|it| it.is_some_and(|it| it.opened != opened));
        if is_other && !store.with(|design| design.entities.is_empty()) {
            place.set(None);
        }
    });
    store.look_at_verdicts();
    effect(move || {
        store.revision.track();
        let tab = match (page.tab.get(), page.coverage.get()) {
            (Tab::Items(index), _) => GuideTab::Items(index),
            (Tab::AccessPatterns, true) => GuideTab::Coverage,
            (Tab::AccessPatterns, false) => GuideTab::AccessPatterns,
            (Tab::Exports, _) => GuideTab::Exports,
            (Tab::Problems | Tab::Cost | Tab::Text, _) => GuideTab::Other,
        };
        let only = app.tables.only.get().is_some();
        let Some(from) = place.get() else { return };
        let step = store.with(|design| {
            let served = |id| store.proofs.verdict(id) == Some(Verdict::Served);
            let state = GuideState {
                design,
                tab,
                only,
                served: &served,
            };
            tour_of(from.tour).next_step(from.step, &state)
        });
        if step != from.step {
            place.set(Some(TourPlace { step, ..from }));
            let next = tour_of(from.tour).steps.get(step);
            if next.is_some_and(|step| step.on_cards) {
                store.view.next_frame(move || app.canvas.fit());
            }
        }
    });
    let tour = move || tour_of(place.get().unwrap_or_default().tour);
    let at = move || place.get().unwrap_or_default().step;
    let count = move || tour().steps.len();
    let text = move || match tour().steps.get(at()) {
        Some(step) => (step.title, how(step)),
        None => (tour().end, tour().learned),
    };
    let skip = move |_| {
        place.update(|place| {
            if let Some(place) = place {
                place.step += 1;
            }
        });
    };
    view! {
        <aside class="guide" aria-label=move || tour().name>
            <div class="guide-text" role="status">
                <h2>{move || text().0}</h2>
                <p>{move || text().1}</p>
            </div>
            <div class="guide-side">
                <span class="guide-count">
                    {move || match at() {
                        at if at < count() => format!("Step {} of {}", at + 1, count()),
                        _ => "Done".to_owned(),
                    }}
                </span>
                <progress
                    max=move || count().to_string()
                    value=move || at().to_string()
                    aria-label="Steps completed"
                ></progress>
                <Show
                    when=move || at() < count()
                    fallback=move || {
                        (tour().name == FIRST_DESIGN.name)
                            .then(|| {
                                view! {
                                    <button
                                        class="button small"
                                        on:click=move |_| begin_overloading(app)
                                    >
                                        "Next tour"
                                    </button>
                                }
                            })
                    }
                >
                    <button class="button small quiet" on:click=skip>
                        "Skip step"
                    </button>
                </Show>
            </div>
            <button
                class="icon-button"
                aria-label="End guide"
                title="End guide"
                on:click=move |_| place.set(None)
            >
                <Icon glyph=Glyph::Close />
            </button>
        </aside>
    }
}

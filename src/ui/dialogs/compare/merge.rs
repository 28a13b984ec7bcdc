//! The dialog that merges the edits of another version into the open design: both come from one version. Where both changed
//! the same, a person chooses.

use super::report::Sections;
use crate::ui::designs::Designs;
use crate::ui::dialogs::modal::Dialog;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, effect, memo};
use crate::ui::reactive::gradual::gradually;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::store::Store;
use crate::ui::widgets::field::unique_id;
use crate::ui::widgets::in_code::in_code;
use keyfold_app::workspace::DesignKey;
use keyfold_app::{Command, merge};
use keyfold_compare::{
    Conflict, Merged, Part as DesignPart, Reason, Report, Side, matched_for_merge,
};
use keyfold_core::counted::counted;
use keyfold_core::model::Design;
use leptos::html::Input;
use leptos::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Another version of the open design.
#[derive(Clone)]
pub struct MergeRequest {
    /// The design whose edits are merged with the other version.
    pub key: DesignKey,
    /// The version that the open design and the other one come from. It shares the ids of the open design.
    pub base: Design,
    /// The other version.
    pub theirs: Design,
    /// Whether its ids may be those of `base`; a text has none.
    pub has_ids: bool,
    /// Where it is from, such as the name of a file.
    pub from: String,
    /// Called with the merged design once it is the open one.
    pub done: Callback<Design>,
}

/// What opens the dialog. The code that loads with the page has only this. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct MergeForm {
    store: Store,
    designs: Designs,
    open: RwSignal<bool>,
    request: StoredValue<Option<Arc<MergeRequest>>>,
}

impl MergeForm {
    /// The closed dialog.
    pub fn new(store: Store, designs: Designs) -> MergeForm {
        MergeForm {
            store,
            designs,
            open: RwSignal::new(false),
            request: StoredValue::new(None),
        }
    }

    /// Opens the dialog. The open design changes only once the person agrees, as one step of undo.
    pub fn open(self, request: MergeRequest) {
        self.request.set_value(Some(Arc::new(request)));
        self.open.set(true);
    }
}

/// The dialog.
#[component]
pub fn MergeDialog(
    /// The form.
    form: MergeForm,
) -> impl IntoView {
    view! {
        <Dialog open=form.open title="Merge changes" class="merge-dialog">
            {on_demand_view(merge_view, form)}
        </Dialog>
    }
}

on_demand!(tools, merge_view: Part<MergeForm> = |form| match form.request.get_value() {
    Some(request) => view! { <Form form=form request=request /> }.into_any(),
    None => ().into_any(),
});

/// The part and the field of a conflict.
type ConflictPlace = (DesignPart, Vec<String>);

fn place_of(conflict: &Conflict) -> ConflictPlace {
    (conflict.part.clone(), conflict.path.clone())
}

/// The merge with the sides chosen so far.
struct Tried {
    ours: Design,
    merged: Merged,
}

/// The dialog while it is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
struct MergeState {
    form: MergeForm,
    request: StoredValue<Arc<MergeRequest>>,
    /// The sides that were chosen for single conflicts.
    chosen: RwSignal<FxHashMap<ConflictPlace, Side>>,
    /// The side of the others.
    usual: RwSignal<Side>,
    tried: Memo<ByPtr<Tried>>,
    refused: RwSignal<String>,
}

impl MergeState {
    fn new(form: MergeForm, request: Arc<MergeRequest>) -> MergeState {
        let theirs = matched_for_merge(&request.base, &request.theirs, request.has_ids);
        let theirs = StoredValue::new(theirs);
        let request = StoredValue::new(request);
        let chosen = RwSignal::new(FxHashMap::default());
        let usual = RwSignal::new(Side::Ours);
        let tried = memo(move |_| {
            // Another tab can change the open design.
            form.store.revision.track();
            let ours = form.store.with(Design::clone);
            let usual = usual.get();
            let base = request.get_value();
            let merged = chosen.with(|chosen: &FxHashMap<_, _>| {
                let choose = |conflict: &Conflict| {
                    let side = chosen.get(&place_of(conflict));
                    side.copied().unwrap_or(usual)
                };
                theirs.with_value(|theirs| merge(&base.base, &ours, theirs, &choose))
            });
            ByPtr(Arc::new(Tried { ours, merged }))
        });
        MergeState {
            form,
            request,
            chosen,
            usual,
            tried,
            refused: RwSignal::default(),
        }
    }

    fn from(self) -> String {
        self.request.with_value(|request| request.from.clone())
    }

    fn choose(self, place: ConflictPlace, side: Side) {
        self.chosen.update(|chosen| {
            chosen.insert(place, side);
        });
    }

    fn choose_all(self, side: Side) {
        self.usual.set(side);
        self.chosen.set(FxHashMap::default());
    }

    /// The side whose edit is in the merged design.
    fn taken(self, place: &ConflictPlace) -> Option<Side> {
        self.tried.with(|tried| {
            let conflicts = tried.merged.conflicts.iter();
            let mut found = conflicts.filter(|conflict| place_of(conflict) == *place);
            found.next().map(|conflict| conflict.taken)
        })
    }

    fn merge(self) {
        let key = self.request.with_value(|request| request.key);
        if self.form.designs.open.get_untracked() != Some(key) {
            return self
                .refused
                .set("Not merged: another design was opened.".to_owned());
        }
        let design = self
            .tried
            .with_untracked(|tried| tried.merged.design.clone());
        let store = self.form.store;
        let command = Command::Replace {
            label: "merge",
            design: Box::new(design),
            text: None,
        };
        match store.run(command) {
            Ok(()) => {
                let request = self.request.get_value();
                self.form.open.set(false);
                let text = format!("Merged the changes of {}.", request.from);
                store.notices.offer_undo(text, move || store.undo());
                request.done.run(store.with(Design::clone));
            }
            Err(refused) => self.refused.set(format!("Not merged: {refused}.")),
        }
    }
}

#[component]
fn Form(form: MergeForm, request: Arc<MergeRequest>) -> impl IntoView {
    focus_soon(".merge .merge-now".into());
    let state = MergeState::new(form, request);
    let count = memo(move |_| state.tried.with(|tried| tried.merged.conflicts.len()));
    let drawn = gradually(move || count.get());
    let conflicts = move || {
        state.tried.with(|tried| {
            let conflicts = tried.merged.conflicts.iter().take(drawn.get());
            conflicts.map(place_of).collect::<Vec<_>>()
        })
    };
    let status = move || match count.get() {
        0 => "No conflicts.".to_owned(),
        1 => "1 conflict: choose a side.".to_owned(),
        count => format!("{count} conflicts: choose a side for each."),
    };
    let changes = move || {
        let sections = (state.tried)
            .with(|tried| Report::of_changes(&tried.ours, &tried.merged.design).changes());
        match sections.is_empty() {
            true => {
                view! { <p class="compare-none">"No changes. The open design has all edits."</p> }
                    .into_any()
            }
            false => view! { <Sections sections=sections /> }.into_any(),
        }
    };
    view! {
        <div class="merge">
            <div class="merge-body" role="region" aria-label="What is merged" tabindex="0">
                <p class="dialog-text">
                    {format!(
                        "{} and the open design have different edits. A merge keeps both.",
                        state.from(),
                    )}
                </p>
                <p role="status">{status}</p>
                <Show when=move || { count.get() > 1 }>
                    <div class="merge-all">
                        <button
                            type="button"
                            class="button small"
                            on:click=move |_| state.choose_all(Side::Ours)
                        >
                            "Keep the open design in all conflicts"
                        </button>
                        <button
                            type="button"
                            class="button small"
                            on:click=move |_| state.choose_all(Side::Theirs)
                        >
                            {format!("Take {} in all conflicts", state.from())}
                        </button>
                    </div>
                </Show>
                <For each=conflicts key=|place| place.clone() let:place>
                    <ConflictView state=state place=place />
                </For>
                <h3>"Changes to the open design"</h3>
                {changes}
            </div>
            <p class="compare-refused" role="alert">
                {move || state.refused.get()}
            </p>
            <footer class="samples-foot">
                <button type="button" class="button" on:click=move |_| form.open.set(false)>
                    "Cancel"
                </button>
                <button
                    type="button"
                    class="button primary merge-now"
                    on:click=move |_| state.merge()
                >
                    {move || match count.get() {
                        0 => "Merge".to_owned(),
                        count => {
                            format!(
                                "Merge with {} resolved",
                                counted(count, "conflict", "conflicts"),
                            )
                        }
                    }}
                </button>
            </footer>
        </div>
    }
}

/// A conflict with a choice.
#[component]
fn ConflictView(state: MergeState, place: ConflictPlace) -> impl IntoView {
    let from = state.from();
    // What it says stays, whichever side is chosen.
    let found = state.tried.with_untracked(|tried| {
        let mut conflicts = tried.merged.conflicts.iter();
        let conflict = conflicts.find(|conflict| place_of(conflict) == place)?;
        let request = state.request.get_value();
        let names = ["the open design", &*from];
        let words = tried
            .merged
            .words(&request.base, &tried.ours, conflict, names);
        Some((conflict.reason.clone(), words))
    });
    let Some((reason, words)) = found else {
        return ().into_any();
    };
    let [before, ours, theirs] = match (words.values, reason) {
        (Some([base, ours, theirs]), _) => [format!("Before: {base}"), ours, theirs],
        (None, Reason::Deleted(side) | Reason::Used { deleted: side, .. }) => {
            let what = |own| match own == side {
                true => "deleted".to_owned(),
                false => "kept".to_owned(),
            };
            [String::new(), what(Side::Ours), what(Side::Theirs)]
        }
        (None, _) => Default::default(),
    };
    let group = unique_id("conflict");
    let place = StoredValue::new(place);
    let radio = |side: Side, text: String| {
        let input: NodeRef<Input> = NodeRef::new();
        // An edit can depend on another conflict: the element shows what was taken.
        effect(move || {
            let taken = state.taken(&place.get_value());
            if let Some(input) = input.get() {
                input.set_checked(taken == Some(side));
            }
        });
        view! {
            <label>
                <input
                    node_ref=input
                    type="radio"
                    name=group.clone()
                    on:change=move |_| state.choose(place.get_value(), side)
                />
                <span>{in_code(&text)}</span>
            </label>
        }
    };
    view! {
        <fieldset class="merge-conflict">
            <legend>{in_code(&words.place)}</legend>
            {words.why.map(|why| view! { <p>{in_code(&why)}</p> })}
            {(!before.is_empty()).then(|| view! { <p>{in_code(&before)}</p> })}
            {radio(Side::Ours, format!("The open design: {ours}"))}
            {radio(Side::Theirs, format!("{from}: {theirs}"))}
        </fieldset>
    }
    .into_any()
}

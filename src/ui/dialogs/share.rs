//! The dialog that makes a link with the open design in it.

use super::modal::Dialog;
use crate::platform::address;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::copy_button::CopyButton;
use crate::ui::widgets::field::{Toggle, unique_id};
use keyfold_app::share_link::{self, LinkError};
use keyfold_core::counted::counted;
use leptos::prelude::*;

/// The dialog.
#[component]
pub fn ShareDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <Dialog open=open title="Share" class="share-dialog">
            {on_demand_view(form, open)}
        </Dialog>
    }
}

on_demand!(menus, form: Part<RwSignal<bool>> = |open| view! { <Form open=open /> }.into_any());

/// What can be copied.
#[derive(Debug, Clone, PartialEq)]
struct Made {
    link: String,
    embed: String,
    /// What to know of its length.
    length: String,
    is_long: bool,
}

fn make(store: Store, samples: bool) -> Result<Made, LinkError> {
    store.with(|design| {
        let fragment = share_link::encode(design, samples)?;
        let link = [&address::page(), &*fragment].concat();
        let embedded = [&address::page(), "?embed", &*fragment].concat();
        let has_samples = samples && design.samples.values().any(|samples| !samples.is_empty());
        let bare = has_samples.then(|| share_link::encode(design, false));
        let bare = bare.and_then(Result::ok);
        let shorter = bare.map(|bare| address::page().len() + bare.len());
        let advice = share_link::advice(link.len(), shorter);
        Ok(Made {
            embed: share_link::embed_code(&embedded, &design.name),
            is_long: advice.is_some(),
            length: advice.unwrap_or_else(|| format!("The link has {} characters.", link.len())),
            link,
        })
    })
}

#[component]
fn Form(open: RwSignal<bool>) -> impl IntoView {
    focus_soon(".share-dialog .copy-link".into());
    let store = use_store();
    let samples = store.with(|design| design.samples.values().map(|s| s.len()).sum::<usize>());
    let with_samples = RwSignal::new(true);
    let made = RwSignal::new(None::<Result<Made, String>>);
    let view = View::new();
    effect(move || {
        let with_samples = with_samples.get();
        made.set(None);
        // A large design takes a while.
        view.after_paint(move || {
            let result = make(store, with_samples).map_err(|error| error.to_string());
            made.set(Some(result));
        });
    });
    let of = move |read: fn(&Made) -> &String| {
        Signal::derive(move || {
            made.with(|made| match made {
                Some(Ok(made)) => read(made).clone(),
                _ => String::new(),
            })
        })
    };
    let length = of(|made| &made.length);
    let is_long = move || made.with(|made| matches!(made, Some(Ok(made)) if made.is_long));
    let refused = move || {
        made.with(|made| {
            let error = made.as_ref()?.as_ref().err()?;
            Some(view! {
                <p class="import-refused" role="alert">
                    {format!("No link was made: {error}")}
                </p>
            })
        })
    };
    view! {
        <div class="share">
            <p class="dialog-text">
                "The link contains the whole design as it is now, without the comments of its text. Anyone with the link can read the design and change a copy. Nothing is stored on a server."
            </p>
            {(samples > 0)
                .then(|| {
                    view! {
                        <Toggle
                            label=format!("Include {}", counted(samples, "sample", "samples"))
                            on=with_samples
                            commit=Callback::new(move |on| with_samples.set(on))
                        />
                    }
                })}
            {refused}
            {text_to_copy("Link", "copy-link", of(|made| &made.link))}
            <p class="share-length" class:long=is_long role="status">
                {move || length.get()}
            </p>
            {text_to_copy("Code for a web page", "copy-embed", of(|made| &made.embed))}
            <p class="dialog-text">
                "Shows the canvas and the table in an article or wiki that allows frames."
            </p>
            <footer class="samples-foot">
                <button type="button" class="button" on:click=move |_| open.set(false)>
                    "Close"
                </button>
            </footer>
        </div>
    }
}

/// A text with a button that copies it.
fn text_to_copy(label: &'static str, class: &'static str, text: Signal<String>) -> AnyView {
    let id = unique_id("share");
    view! {
        <div class="field share-text">
            <label for=id.clone()>{label}</label>
            <textarea
                id=id
                class="mono"
                rows="3"
                readonly=true
                spellcheck="false"
                prop:value=move || text.get()
                on:focus=move |event| {
                    event_target::<web_sys::HtmlTextAreaElement>(&event).select();
                }
            ></textarea>
            <CopyButton
                class=class
                caption="Copy"
                label=format!("Copy {}", label.to_lowercase())
                blocked="Blocked: press Ctrl+C"
                text=Callback::new(move |()| text.get_untracked())
                disabled=Signal::derive(move || text.with(String::is_empty))
            />
        </div>
    }
    .into_any()
}

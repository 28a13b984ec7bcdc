//! Accepting a finding with a reason, and undoing that.

use crate::ui::reactive::erased::RwSignal;
use crate::ui::state::navigate::focus_problem_list;
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::unique_id;
use keyfold_app::Command;
use keyfold_app::problems::FindingId;
use keyfold_core::model::Silenced;
use leptos::ev;
use leptos::prelude::*;

/// The form of an open finding, or the reason of a silenced one. Afterwards the list gets the keyboard focus.
#[component]
pub fn Silence(
    /// The finding.
    id: FindingId,
    /// Why it is silenced; `None` if it is open.
    silenced: Option<String>,
) -> impl IntoView {
    let store = use_store();
    let code = id.0;
    let place = id.1.to_string();
    if let Some(reason) = silenced {
        let take_back = move |_| {
            store.perform(Command::Unsilence {
                code: code.to_owned(),
                place: place.clone(),
            });
            focus_problem_list();
        };
        return view! {
            <div class="silence">
                <p>"Silenced: " <span class="silence-reason">{reason}</span></p>
                <button class="button small" on:click=take_back>
                    "Unsilence"
                </button>
            </div>
        }
        .into_any();
    }
    // It stays while another finding is chosen.
    let reasons = store.findings.reasons;
    let typed = reasons.with_value(|reasons| {
        let own = reasons.iter().find(|(of, _)| *of == id);
        own.map(|(_, reason)| reason.clone())
    });
    let reason = RwSignal::new(typed.unwrap_or_default());
    let keep = move |typed: String| {
        reasons.update_value(|reasons| {
            reasons.retain(|(of, _)| *of != id);
            if !typed.is_empty() {
                reasons.push((id, typed));
            }
        });
    };
    let error = RwSignal::new(None::<String>);
    let store_it = move || {
        let done = store.run(Command::Silence(Silenced {
            code: code.to_owned(),
            place: place.clone(),
            reason: reason.get_untracked().trim().to_owned(),
        }));
        match done {
            Ok(()) => {
                keep(String::new());
                store.say_done(format!("{code} silenced here."));
                focus_problem_list();
            }
            Err(refused) => error.set(Some(refused.to_string())),
        }
    };
    let field = unique_id("silence");
    let error_id = format!("{field}-error");
    view! {
        <form
            class="silence"
            on:submit=move |event: ev::SubmitEvent| {
                event.prevent_default();
                store_it();
            }
        >
            <label for=field.clone()>"Reason"</label>
            <div class="silence-line">
                <input
                    id=field
                    type="text"
                    class="plain-input"
                    data-draft=""
                    autocomplete="off"
                    placeholder="Why reviewers can ignore this finding"
                    aria-describedby=error_id.clone()
                    aria-invalid=move || error.with(Option::is_some).to_string()
                    prop:value=move || reason.get()
                    on:input=move |event| {
                        let typed = event_target_value(&event);
                        reason.set(typed.clone());
                        error.set(None);
                        keep(typed);
                    }
                />
                <button class="button small" type="submit">
                    "Silence"
                </button>
            </div>
            <div class="field-error" id=error_id aria-live="polite">
                {move || error.get().map(|text| view! { <p>{text}</p> })}
            </div>
        </form>
    }
    .into_any()
}

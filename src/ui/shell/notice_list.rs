//! The messages in a corner of the page, and the announcements to screen readers.

use crate::ui::reactive::erased::{For, memo};
use crate::ui::state::notices::{Notices, UNDO};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::in_code::sentence_in_code;
use leptos::prelude::*;

/// The messages in a corner of the page.
#[component]
pub fn NoticeList(notices: Notices) -> impl IntoView {
    view! {
        <div class="notices" role="status" aria-live="polite">
            <For each=move || notices.shown.get() key=|notice| notice.id let:notice>
                <div class="notice" class:error=notice.error>
                    <span class="notice-text">{sentence_in_code(&notice.text)}</span>
                    {notice
                        .download
                        .map(|(file, content)| {
                            view! {
                                <button
                                    class="button small"
                                    on:click=move |_| crate::platform::download::text(
                                        &file,
                                        &content,
                                    )
                                >
                                    "Download"
                                </button>
                            }
                        })}
                    {notice
                        .offer
                        .map(|(label, act)| {
                            view! {
                                <button
                                    class="button small"
                                    // The button in the top bar is named "Undo".
                                    aria-label=(label == UNDO).then_some("Undo last change")
                                    on:click=move |_| {
                                        notices.close(notice.id);
                                        act();
                                    }
                                >
                                    {label}
                                </button>
                            }
                        })}
                    <button
                        class="icon-button"
                        aria-label="Close message"
                        title="Close message"
                        on:click=move |_| notices.close(notice.id)
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </div>
            </For>
        </div>
    }
}

/// Announces changes that have no field to screen readers. It is outside the regions: on a small screen most of them
/// are hidden, and screen readers skip hidden content.
#[component]
pub fn Spoken() -> impl IntoView {
    let store = use_store();
    // Screen readers ignore a repeated text, so a repetition has one more space.
    let spoken = memo(move |before: Option<&String>| {
        let text = store.spoken.get();
        match before {
            Some(before) if *before == text && !text.is_empty() => text + "\u{a0}",
            _ => text,
        }
    });
    view! {
        <div class="spoken visually-hidden" role="status" aria-live="polite">
            {move || spoken.get()}
        </div>
    }
}

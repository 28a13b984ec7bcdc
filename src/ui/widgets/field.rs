//! Form fields of the inspector. A field shows the document's value. A value that the document refuses stays in the
//! field with the reason below it, and the document keeps the last valid value. If the field is left with a refused
//! text, it reverts to the value that it had on entry, because a half-typed name is not intended. The element of a
//! field stays the same while its value changes, so that it keeps focus and caret.

use crate::ui::dom::key_chords::is_command;
use crate::ui::reactive::erased::{For, Memo, RwSignal, effect, memo};
use keyfold_app::Refused;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use std::cell::Cell;
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};

/// An id for an element, unique in the page.
pub fn unique_id(stem: &str) -> String {
    thread_local! {
        static NEXT: Cell<u64> = const { Cell::new(0) };
    }
    let number = NEXT.with(|next| next.replace(next.get() + 1));
    format!("{stem}-{number}")
}

/// What fields need from the page, from the context. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct FieldHost {
    /// Counts the numberings of the design: in another one the same ids belong to other parts.
    pub design: RwSignal<u64>,
    /// Shows a message about a refused text.
    pub say: Callback<String>,
}

/// Returns the host of the fields from the context.
pub fn use_field_host() -> FieldHost {
    expect_context()
}

/// Stores a typed text; the field shows the error.
pub type Commit = Callback<String, Result<(), Refused>>;

/// The content of a field: the document's value, or a refused text.
#[derive(Clone, Copy)]
struct Draft {
    value: Memo<String>,
    refused: RwSignal<Option<(String, String)>>,
    /// The accepted text as it was typed, and the document's value of it: “0.” on the way to “0.5” is 0.
    written: RwSignal<Option<(String, String)>>,
    commit: Commit,
    /// The document's value when the field was entered, and the design, as counted by [`FieldHost::design`].
    held: StoredValue<(String, u64)>,
    host: FieldHost,
}

impl Draft {
    fn new(value: Signal<String>, commit: Commit) -> Self {
        let host = use_field_host();
        let value = memo(move |_| value.get());
        let refused = RwSignal::new(None);
        let draft = Draft {
            value,
            refused,
            written: RwSignal::new(None),
            commit,
            held: StoredValue::default(),
            host,
        };
        draft.entered();
        // If the document's value changes, a refused text is obsolete. So is the value on entry, unless it changed by what
        // was typed here.
        effect(move || {
            let now = value.get();
            refused.set(None);
            let written = draft.written.get_untracked();
            if written.is_none_or(|(_, written)| written != now) {
                draft.entered();
            }
        });
        // The inspector may replace the field before the browser's blur event.
        on_cleanup(move || {
            draft.left();
        });
        draft
    }

    fn entered(self) {
        let opened = self.host.design.get_untracked();
        self.held.set_value((self.value.get_untracked(), opened));
    }

    fn shown(self) -> String {
        if let Some((text, _)) = self.refused.get() {
            return text;
        }
        let value = self.value.get();
        match self.written.get() {
            Some((text, written)) if written == value => text,
            _ => value,
        }
    }

    fn error(self) -> Option<String> {
        (self.refused).with(|refused| Some(refused.as_ref()?.1.clone()))
    }

    fn is_refused(self) -> bool {
        self.refused.with(Option::is_some)
    }

    fn typed(self, text: String) {
        match self.commit.run(text.clone()) {
            Ok(()) => {
                (self.written).set(Some((text, self.value.get_untracked())));
                self.refused.set(None);
            }
            Err(refused) => self.refused.set(Some((text, refused.to_string()))),
        }
    }

    /// Undo drops a refused text first: the step before it is another change.
    fn key(self, event: &KeyboardEvent) {
        if is_command(event, "z")
            && !event.shift_key()
            && self.refused.with_untracked(Option::is_some)
        {
            event.prevent_default();
            self.refused.set(None);
        }
    }

    /// Reverts a refused text to the value on entry, and returns the document's value. `None` if the field was removed
    /// and its signals are gone.
    fn left(self) -> Option<String> {
        let refused = self.refused.try_get_untracked()?;
        self.written.set(None);
        if let Some((_, error)) = refused {
            let (held, opened) = self.held.get_value();
            self.refused.set(None);
            // In another numbering the same ids belong to other parts.
            if self.host.design.get_untracked() != opened {
                return self.value.try_get_untracked();
            }
            // A value that is not the field's own, such as a sample's, stays so.
            if self.value.get_untracked() != held {
                let _ = self.commit.run(held.clone());
            }
            self.host.say.run(format!("{error}. Reverted to “{held}”."));
        }
        self.value.try_get_untracked()
    }
}

/// The errors below a field.
#[component]
fn FieldError(id: String, #[prop(into)] message: Signal<Option<String>>) -> impl IntoView {
    view! {
        <div class="field-error" id=id aria-live="polite">
            {move || message.get().map(|message| view! { <p>{message}</p> })}
        </div>
    }
}

/// A one-line text field. Every keystroke that gives a valid value updates the document.
#[component]
pub fn TextField(
    /// Its label.
    #[prop(into)]
    label: Signal<String>,
    /// The document's value.
    #[prop(into)]
    value: Signal<String>,
    /// Stores each new text.
    commit: Commit,
    /// Shown while it is empty.
    #[prop(into, optional)]
    placeholder: String,
    /// Whether it holds a name or a key, shown in the monospaced font.
    #[prop(optional)]
    mono: bool,
    /// Whether it holds a number.
    #[prop(optional)]
    numeric: bool,
    /// Whether its label is for screen readers only.
    #[prop(optional)]
    bare: bool,
    /// A warning about an accepted value.
    #[prop(into, optional)]
    warning: Signal<Option<String>>,
) -> impl IntoView {
    let id = unique_id("field");
    let error_id = format!("{id}-error");
    let draft = Draft::new(value, commit);
    let message = Signal::derive(move || draft.error().or_else(|| warning.get()));
    view! {
        <div
            class="field"
            class:bare=bare
            class:numeric=numeric
            class:invalid=move || draft.is_refused()
            class:warned=move || !draft.is_refused() && warning.with(Option::is_some)
        >
            <label for=id.clone() class:visually-hidden=bare>
                {label}
            </label>
            <input
                id=id
                type="text"
                class:mono=mono
                spellcheck="false"
                autocomplete="off"
                inputmode=numeric.then_some("numeric")
                placeholder=placeholder
                prop:value=move || draft.shown()
                aria-invalid=move || draft.is_refused().to_string()
                aria-describedby=error_id.clone()
                on:focus=move |_| draft.entered()
                on:input=move |event| draft.typed(event_target_value(&event))
                on:keydown=move |event| draft.key(&event)
                on:blur=move |event| {
                    if let Some(value) = draft.left() {
                        event_target::<HtmlInputElement>(&event).set_value(&value);
                    }
                }
            />
            <FieldError id=error_id message=message />
        </div>
    }
}

/// A text field with several lines.
#[component]
pub fn TextArea(
    /// Its label.
    #[prop(into)]
    label: Signal<String>,
    /// The document's value.
    #[prop(into)]
    value: Signal<String>,
    /// Stores each new text.
    commit: Commit,
    /// Shown while it is empty.
    #[prop(into, optional)]
    placeholder: String,
    /// Whether it holds code, shown in the monospaced font.
    #[prop(optional)]
    mono: bool,
    /// Height in lines.
    #[prop(default = 2)]
    rows: u32,
    /// A warning about an accepted value.
    #[prop(into, optional)]
    warning: Signal<Option<String>>,
) -> impl IntoView {
    let id = unique_id("area");
    let error_id = format!("{id}-error");
    let draft = Draft::new(value, commit);
    let message = Signal::derive(move || draft.error().or_else(|| warning.get()));
    view! {
        <div
            class="field tall"
            class:invalid=move || draft.is_refused()
            class:warned=move || !draft.is_refused() && warning.with(Option::is_some)
        >
            <label for=id.clone()>{label}</label>
            <textarea
                id=id
                rows=rows
                class:mono=mono
                spellcheck=(!mono).to_string()
                placeholder=placeholder
                prop:value=move || draft.shown()
                aria-describedby=error_id.clone()
                on:focus=move |_| draft.entered()
                on:input=move |event| draft.typed(event_target_value(&event))
                on:keydown=move |event| draft.key(&event)
                on:blur=move |event| {
                    if let Some(value) = draft.left() {
                        event_target::<HtmlTextAreaElement>(&event).set_value(&value);
                    }
                }
            ></textarea>
            <FieldError id=error_id message=message />
        </div>
    }
}

/// The label of a group of options, and these: value and text of each.
pub type OptionGroup = (&'static str, Signal<Vec<(String, String)>>);

/// A choice from a list.
#[component]
pub fn Select(
    /// Its label.
    #[prop(into)]
    label: Signal<String>,
    /// The chosen option's value.
    #[prop(into)]
    value: Signal<String>,
    /// Value and text of each option.
    #[prop(into)]
    options: Signal<Vec<(String, String)>>,
    /// A group of further options. Without options, it is not shown.
    #[prop(optional, into)]
    group: Option<OptionGroup>,
    /// Stores the new choice; on refusal the field shows the error and returns to the previous choice.
    commit: Commit,
    /// Whether its label is for screen readers only.
    #[prop(optional)]
    bare: bool,
) -> impl IntoView {
    let id = unique_id("select");
    let error_id = format!("{id}-error");
    let value = memo(move |_| value.get());
    let options = memo(move |_| options.get());
    let group = group.map(|(label, options)| (label, memo(move |_| options.get())));
    let error = RwSignal::new(None::<String>);
    let select: NodeRef<leptos::html::Select> = NodeRef::new();
    // After the options are rendered: a select accepts only values of its options.
    effect(move || {
        options.track();
        if let Some((_, options)) = group {
            options.track();
        }
        let value = value.get();
        if let Some(select) = select.get() {
            select.set_value(&value);
        }
        error.set(None);
    });
    view! {
        <div class="field" class:bare=bare class:invalid=move || error.with(Option::is_some)>
            <label for=id.clone() class:visually-hidden=bare>
                {label}
            </label>
            <select
                node_ref=select
                id=id
                aria-describedby=error_id.clone()
                on:change=move |event| {
                    let refused = commit.run(event_target_value(&event)).err();
                    if refused.is_some() {
                        let select = event_target::<HtmlSelectElement>(&event);
                        select.set_value(&value.get_untracked());
                    }
                    error.set(refused.map(|refused| refused.to_string()));
                }
            >
                <For each=move || options.get() key=|option| option.clone() let:option>
                    <option value=option.0.clone() selected=option.0 == value.get_untracked()>
                        {option.1}
                    </option>
                </For>
                {group
                    .map(|(label, options)| {
                        view! {
                            <optgroup label=label hidden=move || options.with(Vec::is_empty)>
                                <For
                                    each=move || options.get()
                                    key=|option| option.clone()
                                    let:option
                                >
                                    <option value=option.0>{option.1}</option>
                                </For>
                            </optgroup>
                        }
                    })}
            </select>
            <FieldError id=error_id message=error />
        </div>
    }
}

/// A checkbox.
#[component]
pub fn Toggle(
    /// Its label.
    #[prop(into)]
    label: Signal<String>,
    /// Whether it is on.
    #[prop(into)]
    on: Signal<bool>,
    /// Stores the new state.
    commit: Callback<bool>,
    /// Whether its label is for screen readers only.
    #[prop(optional)]
    bare: bool,
) -> impl IntoView {
    let on = memo(move |_| on.get());
    view! {
        <label class="toggle" title=move || bare.then(|| label.get())>
            <input
                type="checkbox"
                prop:checked=move || on.get()
                on:change=move |event| {
                    commit.run(event_target_checked(&event));
                    if let Some(on) = on.try_get_untracked() {
                        event_target::<HtmlInputElement>(&event).set_checked(on);
                    }
                }
            />
            <span class:visually-hidden=bare>{label}</span>
        </label>
    }
}

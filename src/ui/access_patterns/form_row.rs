//! One field of an access pattern's form. All fields are the same component; their values and the effect of entered
//! text are in `keyfold_app::patterns`.

use crate::ui::reactive::erased::{Memo, RwSignal, memo};
use crate::ui::state::store::Store;
use crate::ui::widgets::field::{Commit, Select, TextArea, TextField, Toggle};
use crate::ui::widgets::template_field::TemplateField;
use keyfold_app::patterns::fields;
use keyfold_app::patterns::form::{FieldInput, FieldRow, FormField};
use keyfold_app::{Command, PatternEdit, Refused};
use keyfold_core::model::{AccessPattern, AccessPatternId};
use leptos::prelude::*;
use std::sync::Arc;

/// The access pattern of an editor; the last known one while the editor of a deleted access pattern is removed.
#[derive(Clone, Copy)]
pub struct Edited {
    /// The open design.
    pub store: Store,
    /// Which.
    pub id: AccessPatternId,
    /// Its current value.
    pub pattern: Memo<Arc<AccessPattern>>,
    /// The attributes that its templates are likely to use.
    pub names: Memo<Vec<String>>,
    /// The field focused last, which offers them.
    pub entered: RwSignal<Option<FormField>>,
}

impl Edited {
    /// Changes a copy and stores it; `field` names the change.
    pub fn change(
        self,
        field: &str,
        change: &dyn Fn(&mut AccessPattern) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let mut pattern = AccessPattern::clone(&self.pattern.get_untracked());
        change(&mut pattern)?;
        self.store.run(Command::Pattern(PatternEdit::Update {
            id: self.id,
            pattern: Box::new(pattern),
            field: field.to_owned(),
        }))
    }

    /// Like [`Edited::change`], for controls without a place for an error.
    pub fn change_or_say(
        self,
        field: &str,
        change: &dyn Fn(&mut AccessPattern) -> Result<(), Refused>,
    ) {
        self.store.complain_if_refused(self.change(field, change));
    }

    /// Stores the entered text of a field.
    fn write(self, slot: FormField, name: &str, typed: &str) -> Result<(), Refused> {
        let store = self.store;
        self.change(name, &|pattern| {
            store.with(|design| fields::write(design, pattern, slot, typed))
        })
    }
}

/// A field.
#[component]
pub fn FormRow(
    /// What it belongs to.
    edited: Edited,
    /// Which.
    row: FieldRow,
    /// The current options of a choice.
    #[prop(into, optional)]
    options: Signal<Vec<(String, String)>>,
) -> impl IntoView {
    let slot = row.slot;
    // A template has its full label; other fields have a short one.
    let label = match row.input {
        FieldInput::Template => row.label.clone(),
        _ => row.short.clone(),
    };
    let field = match slot {
        FormField::Name => "name".to_owned(),
        _ => row.label.clone(),
    };
    let value = memo(move |_| edited.pattern.with(|pattern| fields::read(pattern, slot)));
    let commit = {
        let field = field.clone();
        Commit::new(move |typed: String| edited.write(slot, &field, &typed))
    };
    match row.input {
        FieldInput::Template => {
            let problem = memo(move |_| {
                let pattern = edited.pattern.get();
                let store = edited.store;
                store.table.track();
                store.with(|design| fields::template_problem(design, &pattern, slot))
            });
            // The attributes stay afterwards: removing them would move the fields below under the pointer.
            let offering =
                memo(move |before| before == Some(&true) || edited.entered.get() == Some(slot));
            view! {
                <TemplateField
                    label=label
                    short=row.short
                    text=value
                    problem=problem
                    attributes=edited.names
                    offering=offering
                    on_enter=Callback::new(move |()| edited.entered.set(Some(slot)))
                    edit=Callback::new(move |typed: String| {
                        edited.store.complain_if_refused(edited.write(slot, &field, &typed));
                    })
                />
            }
            .into_any()
        }
        FieldInput::Text | FieldInput::Number | FieldInput::Expression => {
            let placeholder = match slot {
                FormField::Filter => "size > :least AND attribute_exists(title)",
                FormField::Condition(_) => "attribute_not_exists(PK)",
                FormField::Update(_) => "SET status = :status",
                FormField::Projection => "all attributes",
                FormField::Limit => "none",
                FormField::Rate => "requests per second",
                _ => "",
            };
            let warning = memo(move |_| {
                let pattern = edited.pattern.get();
                edited
                    .store
                    .with(|design| fields::expression_problem(design, &pattern, slot))
            });
            view! {
                <TextField
                    label=label
                    value=value
                    commit=commit
                    placeholder=placeholder
                    mono=row.input == FieldInput::Expression || slot == FormField::Projection
                    numeric=row.input == FieldInput::Number
                    warning=warning
                />
            }
            .into_any()
        }
        FieldInput::Area => {
            view! { <TextArea label=label value=value commit=commit rows=1 /> }.into_any()
        }
        FieldInput::Choice(_) => {
            view! { <Select label=label value=value options=options commit=commit /> }.into_any()
        }
        FieldInput::Toggle => view! {
            <Toggle
                label=label
                on=Signal::derive(move || value.with(|value| value == "true"))
                commit=Callback::new(move |on: bool| {
                    edited.store.complain_if_refused(edited.write(slot, &field, &on.to_string()));
                })
            />
        }
        .into_any(),
    }
}

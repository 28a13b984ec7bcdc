//! The options of a format. They are stored with the design.

use crate::ui::reactive::erased::{Memo, Show, memo};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::field::{Commit, Select, TextField, Toggle};
use keyfold_app::{Command, Refused};
use keyfold_core::export::options::{READ_ONLY, SWITCHES, Switch, has_policy};
use keyfold_core::export::{Format, iam};
use keyfold_core::model::{Design, ExportOptions, TenantAttribute};
use leptos::prelude::*;

/// The options of a format, in a row.
#[component]
pub fn Choices(
    /// The format.
    format: Format,
) -> impl IntoView {
    let store = use_store();
    let policy = memo(move |_| {
        store.revision.track();
        store.with(|design| has_policy(format, &design.export_options))
    });
    let mut toggles = Vec::new();
    for switch in &SWITCHES {
        if switch.is_of(format) {
            toggles.push(toggle(store, switch));
        }
    }
    view! {
        <div class="code-choices" role="group" aria-label=["Options for ", format.label].concat()>
            {toggles}
            <Show when=move || policy.get()>{toggle(store, &READ_ONLY)} <Tenant /></Show>
        </div>
    }
}

/// The current value of an option.
fn chosen(store: Store, read: impl Fn(&Design) -> String + Send + Sync + 'static) -> Memo<String> {
    memo(move |_| {
        store.revision.track();
        store.with(|design| read(design))
    })
}

fn change(
    store: Store,
    field: &'static str,
    change: &dyn Fn(&mut ExportOptions),
) -> Result<(), Refused> {
    let mut options = store.with(|design| ExportOptions::clone(&design.export_options));
    change(&mut options);
    let options = Box::new(options);
    store.run(Command::SetExportOptions { options, field })
}

fn toggle(store: Store, switch: &'static Switch) -> AnyView {
    let on = Signal::derive(move || {
        store.revision.track();
        store.with(|design| switch.is_on(&design.export_options))
    });
    let commit = Callback::new(move |on| {
        let set = change(store, switch.label, &|options| switch.set(options, on));
        if let Err(refused) = set {
            store.notices.complain(refused.to_string());
        }
    });
    view! { <Toggle label=switch.label on=on commit=commit /> }.into_any()
}

/// The values of [`TenantAttribute::Automatic`] and [`TenantAttribute::Nobody`] in the list. The value of an attribute
/// is its name after `=`.
const WORDS: [&str; 2] = ["automatic", "nobody"];

/// The options of the tenant whose data the policy allows.
#[component]
fn Tenant() -> impl IntoView {
    let store = use_store();
    let value = chosen(store, |design| match &design.export_options.tenant {
        TenantAttribute::Automatic => WORDS[0].to_owned(),
        TenantAttribute::Nobody => WORDS[1].to_owned(),
        TenantAttribute::Attribute(name) => ["=", name].concat(),
    });
    let offered = Signal::derive(move || {
        store.revision.track();
        store.with(offered)
    });
    let problem = chosen(store, |design| match &design.export_options.tenant {
        TenantAttribute::Nobody => String::new(),
        _ => iam::remark(design).unwrap_or_default(),
    });
    let tag = chosen(store, |design| {
        design.export_options.tenant_tag.clone().unwrap_or_default()
    });
    let set = Commit::new(move |word: String| {
        let tenant = match word.strip_prefix('=') {
            Some(name) => TenantAttribute::Attribute(name.to_owned()),
            None if word == WORDS[1] => TenantAttribute::Nobody,
            None => TenantAttribute::Automatic,
        };
        change(store, "tenant", &|options| options.tenant = tenant.clone())
    });
    let set_tag = Commit::new(move |tag: String| {
        let tag = tag.trim();
        let tag = (!tag.is_empty()).then(|| tag.to_owned());
        change(store, "tenant tag", &|options| {
            options.tenant_tag = tag.clone();
        })
    });
    view! {
        <Select label="Tenant" value=value options=offered commit=set />
        <TextField
            label="Role tag"
            mono=true
            placeholder="same as attribute"
            value=tag
            commit=set_tag
        />
        <p class="code-problem" role="status">
            {move || problem.get()}
        </p>
    }
}

/// The options of the list: automatic, whole table, and each attribute that can be the tenant.
fn offered(design: &Design) -> Vec<(String, String)> {
    let mut automatic = design.clone();
    automatic.export_options = Default::default();
    let found = match iam::find_tenant(&automatic) {
        Ok(tenant) => ["Automatic: ", &tenant.attribute].concat(),
        Err(iam::NoTenant::Nobody(_)) => "Automatic: whole table".to_owned(),
        Err(iam::NoTenant::Refused(_)) => "Automatic: nothing is allowed".to_owned(),
    };
    let mut list = vec![
        (WORDS[0].to_owned(), found),
        (WORDS[1].to_owned(), "Whole table".to_owned()),
    ];
    let mut names = iam::leading_attributes(design);
    if let TenantAttribute::Attribute(name) = &design.export_options.tenant
        && !names.contains(name)
    {
        names.push(name.clone());
    }
    for name in names {
        list.push((["=", &name].concat(), name));
    }
    list
}

//! The access patterns of the design with their key conditions.

use super::parts::template_text::TemplateText;
use super::store::{Store, use_store};
use crate::domain::model::{
    AccessPattern, IndexId, ItemKey, Operation, SortCondition, SortOperator, WriteAction,
};
use crate::ui::parts::erased::Show;
use leptos::prelude::*;

/// The list of access patterns.
#[component]
pub fn AccessPatterns() -> impl IntoView {
    let store = use_store();
    let rows = move || {
        store.access_patterns.with(|patterns| {
            (patterns.values())
                .map(|pattern| row(store, pattern))
                .collect_view()
        })
    };
    let none = move || store.access_patterns.with(|patterns| patterns.is_empty());
    view! {
        <div class="pattern-table" role="group" aria-label="Access patterns" tabindex="0">
            <Show
                when=move || !none()
                fallback=|| {
                    view! {
                        <p class="empty">
                            "This design has no access patterns. The patterns of the library bring theirs with them."
                        </p>
                    }
                }
            >
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Access pattern"</th>
                            <th scope="col">"Operation"</th>
                            <th scope="col">"On"</th>
                            <th scope="col">"Key condition"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </Show>
        </div>
    }
}

fn row(store: Store, pattern: &AccessPattern) -> impl IntoView + use<> {
    let on = (pattern.operation.index())
        .map(|index| store.with(|design| design.index_name(index).to_owned()));
    view! {
        <tr>
            <th scope="row">
                {pattern.name.clone()} <p class="pattern-text">{pattern.description.clone()}</p>
            </th>
            <td>{pattern.operation.name()}</td>
            <td>{on}</td>
            <td>{conditions(store, &pattern.operation)}</td>
        </tr>
    }
}

fn conditions(store: Store, operation: &Operation) -> Vec<AnyView> {
    match operation {
        Operation::GetItem { key, .. } => vec![item_key(store, key)],
        Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
            keys.iter().map(|key| item_key(store, key)).collect()
        }
        Operation::Query {
            index,
            partition,
            sort,
            descending,
            ..
        } => {
            let names = key_names(store, *index);
            let mut lines: Vec<AnyView> = (names.0.into_iter().zip(partition))
                .map(|(name, text)| condition(name, "=", text, None))
                .collect();
            lines.extend((names.1.into_iter().zip(sort)).map(|(name, c)| sort_condition(name, c)));
            if *descending {
                lines.push(view! { <span class="condition-note">"newest first"</span> }.into_any());
            }
            lines
        }
        Operation::Scan { .. } => Vec::new(),
        Operation::Write(action) => vec![write(store, action)],
        Operation::TransactWriteItems { actions } => {
            actions.iter().map(|action| write(store, action)).collect()
        }
    }
}

fn key_names(store: Store, index: IndexId) -> (Vec<String>, Vec<String>) {
    store.with(|design| {
        let names = |attributes: &[crate::domain::model::KeyAttribute]| {
            attributes.iter().map(|a| a.name.clone()).collect()
        };
        (design.key(index)).map_or_else(Default::default, |key| {
            (names(&key.partition), names(&key.sort))
        })
    })
}

fn item_key(store: Store, key: &ItemKey) -> AnyView {
    let (partition, sort) = key_names(store, IndexId::PRIMARY);
    let partition =
        (partition.into_iter().next()).map(|name| condition(name, "=", &key.partition, None));
    let sort = (sort.into_iter().next().zip(key.sort.as_ref()))
        .map(|(name, text)| condition(name, "=", text, None));
    view! { <>{partition} {sort}</> }.into_any()
}

fn sort_condition(name: String, sort: &SortCondition) -> AnyView {
    let upper = match sort.operator {
        SortOperator::Between => sort.upper.as_deref(),
        _ => None,
    };
    condition(name, sort.operator.symbol(), &sort.value, upper)
}

fn condition(name: String, operator: &'static str, text: &str, upper: Option<&str>) -> AnyView {
    let upper = upper.map(|text| {
        view! {
            <>
                <span class="operator">"and"</span>
                <TemplateText text=text />
            </>
        }
    });
    view! {
        <div class="condition">
            <code>{name}</code>
            <span class="operator">{operator}</span>
            <TemplateText text=text />
            {upper}
        </div>
    }
    .into_any()
}

fn write(store: Store, action: &WriteAction) -> AnyView {
    let key = match action {
        WriteAction::PutItem { entity, .. } => {
            let name = store
                .with(|design| (design.entities.get(entity)).map(|entity| entity.name.clone()));
            view! { <span>{name}</span> }.into_any()
        }
        WriteAction::UpdateItem { key, .. }
        | WriteAction::DeleteItem { key, .. }
        | WriteAction::ConditionCheck { key, .. } => item_key(store, key),
    };
    view! {
        <div class="condition">
            <span class="operator">{action.name()}</span>
            {key}
        </div>
    }
    .into_any()
}

//! One table of the workload: a row for each access pattern and each entity. Rows of a spreadsheet can be pasted into it.
//! `app::workload` has its logic.

use super::assumed::{of_entity, of_pattern};
use super::figure_field::FigureField;
use super::rows;
use super::sections::Shown;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::state::clipboard_notices;
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::workload::paste::paste;
use keyfold_app::workload::table::{self, ENTITY_COLUMNS, Row, RowId, pattern_columns};
use keyfold_core::model::Design;
use keyfold_cost::Report;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Element, HtmlInputElement, KeyboardEvent};

/// The traffic of all access patterns and the volumes of all entities.
#[component]
pub fn WorkloadTable(
    /// The report, for the figures of empty cells.
    report: Shown,
) -> impl IntoView {
    let store = use_store();
    let pattern_titles = pattern_columns().map(|(title, _)| title);
    let entity_titles = ENTITY_COLUMNS.map(|(title, _)| title);
    view! {
        <div
            class="workload-table"
            role="group"
            aria-label="Workload"
            on:keydown=move |event| go_by_key(&event)
            on:paste=move |event| paste_by_key(store, &event, None)
        >
            <div class="workload-tools">
                <button
                    class="button small"
                    title="Copy the table for a spreadsheet"
                    on:click=move |_| {
                        let text = store.with(table::copy);
                        let refused = clipboard_notices::BY_KEY;
                        clipboard_notices::copy(store.notices, text, refused, Box::new(|| ()));
                    }
                >
                    <Icon glyph=Glyph::Copy />
                    "Copy table"
                </button>
                <button
                    class="button small"
                    title="Paste rows of a spreadsheet: the name of an access pattern or an entity, then its figures"
                    on:click=move |_| {
                        let paste = move |text: &str| paste_rows(store, text, None);
                        clipboard_notices::paste(store.notices, Box::new(paste));
                    }
                >
                    "Paste rows"
                </button>
            </div>
            <Rows
                first="Access pattern"
                titles=pattern_titles.to_vec()
                report=report
                rows=patterns
            />
            <Rows first="Entity" titles=entity_titles.to_vec() report=report rows=entities />
        </div>
    }
}

/// Enter and the arrow keys go to the cell above or below, as in a spreadsheet.
fn go_by_key(event: &KeyboardEvent) {
    let is_up = match event.key().as_str() {
        "ArrowUp" => true,
        "ArrowDown" => false,
        "Enter" => event.shift_key(),
        _ => return,
    };
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() {
        return;
    }
    let target: Element = event_target(event);
    let Ok(Some(cell)) = target.closest("td") else {
        return;
    };
    let at = column_of(&cell);
    let row = cell.parent_element();
    let row = row.and_then(|row| match is_up {
        true => row.previous_element_sibling(),
        false => row.next_element_sibling(),
    });
    let field = row.and_then(|row| row.children().item(at)?.query_selector("input").ok()?);
    if let Some(field) = field {
        event.prevent_default();
        let field: HtmlInputElement = field.unchecked_into();
        let _ = field.focus();
        field.select();
    }
}

/// Pastes rows; a text of one figure goes into its field as in any other. The focus is in `cell`, or in none.
fn paste_by_key(store: Store, event: &ClipboardEvent, cell: Option<(RowId, usize)>) {
    let text = (event.clipboard_data()).and_then(|data| data.get_data("text/plain").ok());
    if let Some(text) = text.filter(|text| text.trim_end().contains(['\t', '\n'])) {
        event.prevent_default();
        event.stop_propagation();
        paste_rows(store, &text, cell);
    }
}

fn paste_rows(store: Store, text: &str, cell: Option<(RowId, usize)>) {
    match store.with(|design| paste(design, text, cell)) {
        Err(reason) => store.notices.error(reason),
        Ok(mut pasted) => {
            let done = pasted
                .command
                .take()
                .map_or(Ok(()), |command| store.run(command));
            match (done, pasted.refused.is_empty()) {
                (Ok(()), true) => store.notices.say(pasted.message()),
                (Ok(()), false) => store.notices.keep(pasted.message()),
                (done, _) => store.complain_if_refused(done),
            }
        }
    }
}

/// The rows of one kind.
#[component]
fn Rows(
    /// The title of the names.
    first: &'static str,
    /// The titles of the other columns.
    titles: Vec<&'static str>,
    /// The report.
    report: Shown,
    /// The rows.
    rows: fn(Store, Shown) -> Vec<(RowId, RowContent)>,
) -> impl IntoView {
    let store = use_store();
    let head = titles.iter().map(|title| {
        view! {
            <th role="columnheader" scope="col">
                {*title}
            </th>
        }
    });
    let head = head.collect_view();
    let titles = StoredValue::new(titles);
    view! {
        // The rows are grids: the roles are those that their elements have in a table.
        <table role="table">
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">
                        {first}
                    </th>
                    {head}
                </tr>
            </thead>
            <tbody role="rowgroup">
                {rows::rows(
                    move || rows(store, report),
                    move |id, row| {
                        view! { <TableRow store=store id=id row=row titles=titles /> }.into_any()
                    },
                )}
            </tbody>
        </table>
    }
}

/// A row, and the assumed figures of its cells; none before there is a report.
type RowContent = (Row, Vec<String>);

fn content(
    design: &Design,
    id: RowId,
    report: Shown,
    assumed: impl Fn(&Report) -> Option<Vec<String>>,
) -> Option<(RowId, RowContent)> {
    let row = table::row(design, id)?;
    let assumed = report.with(|report| assumed(report.as_ref()?));
    Some((id, (row, assumed.unwrap_or_default())))
}

/// The rows of the access patterns, which follow them and the workload.
fn patterns(store: Store, report: Shown) -> Vec<(RowId, RowContent)> {
    store.workload.track();
    store.access_patterns.track();
    store.with(|design| {
        let content = |id| content(design, RowId::Pattern(id), report, |it| of_pattern(it, id));
        (design.access_patterns.keys().copied())
            .filter_map(content)
            .collect()
    })
}

/// The rows of the entities, which follow their names and the workload.
fn entities(store: Store, report: Shown) -> Vec<(RowId, RowContent)> {
    store.workload.track();
    let ids = store.entity_ids.get();
    for id in &ids {
        if let Some(node) = store.entity(*id) {
            node.entity.track();
        }
    }
    store.with(|design| {
        let content = |id| content(design, RowId::Entity(id), report, |it| of_entity(it, id));
        ids.into_iter().filter_map(content).collect()
    })
}

#[component]
fn TableRow(
    store: Store,
    id: RowId,
    row: RwSignal<RowContent>,
    titles: StoredValue<Vec<&'static str>>,
) -> impl IntoView {
    let cells = titles.with_value(|titles| {
        let cells = titles.iter().enumerate().map(|(at, title)| {
            let title = *title;
            let label = move || row.with(|(row, _)| format!("{}, {title}", row.name));
            let stored = move || row.with(|(row, _)| row.cells.get(at).cloned());
            let set = move |text: &str| {
                let command = store.with(|design| table::typed(design, id, at, text))?;
                store.run(command)
            };
            view! {
                <td role="cell">
                    <FigureField
                        store=store
                        label=label
                        stored=move || stored().unwrap_or_default()
                        placeholder=move || row.with(|(_, assumed)| assumed.get(at).cloned())
                        set=set
                    />
                </td>
            }
        });
        cells.collect_view()
    });
    view! {
        <tr
            role="row"
            on:paste=move |event| {
                let at = figure_of(&event_target(&event));
                paste_by_key(store, &event, at.map(|at| (id, at)));
            }
        >
            <th role="rowheader" scope="row">
                {move || row.with(|(row, _)| row.name.clone())}
            </th>
            {cells}
        </tr>
    }
}

/// The number of the figure whose cell has an element.
fn figure_of(element: &Element) -> Option<usize> {
    let cell = element.closest("td").ok()??;
    // The name is the first.
    (column_of(&cell) as usize).checked_sub(1)
}

/// The number of a cell in its row.
fn column_of(cell: &Element) -> u32 {
    let before = |cell: &Element| cell.previous_element_sibling();
    std::iter::successors(before(cell), before).count() as u32
}

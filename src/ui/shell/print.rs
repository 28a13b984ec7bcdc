//! The design on paper: the picture of its canvas, and its tables. `style/print.css` shows it to printers only.

use super::app_context::{AppContext, use_app};
use crate::platform::raster::{ObjectUrl, svg_file};
use crate::ui::reactive::erased::Show;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use keyfold_app::picture::{PictureOptions, svg};
use keyfold_app::print::{PrintedTable, tables};
use leptos::ev;
use leptos::prelude::*;

/// Maximum number of printed items of the table and of each index.
const MAX_ROWS: usize = 200;

/// Opens the browser's print dialog once the pages are ready.
pub fn print(app: AppContext) {
    app.printing.set(false);
    app.store.view.next_frame(move || app.printing.set(true));
}

/// The pages while they are being printed.
#[component]
pub fn PrintedPages() -> impl IntoView {
    let app = use_app();
    let ended = window_event_listener(ev::Custom::<ev::Event>::new("afterprint"), move |_| {
        app.printing.set(false);
    });
    on_cleanup(move || ended.remove());
    view! {
        <Show when=move || app.printing.get()>
            <section class="print-pages" aria-label="Printed pages">
                {on_demand_view(pages, app)}
            </section>
        </Show>
    }
}

on_demand!(menus, pages: Part<AppContext> = |app| view! { <Pages app=app /> }.into_any());

#[component]
fn Pages(app: AppContext) -> impl IntoView {
    let store = app.store;
    let options = PictureOptions {
        dark: false,
        detail: store.detail.get_untracked(),
        groups: app.canvas.groups.get_untracked(),
        references: app.page.references.get_untracked(),
    };
    let picture = store.with(|design| svg(design, options));
    let url = svg_file(&picture).and_then(|file| ObjectUrl::new(&file));
    let source = url.as_ref().ok().map(|url| url.as_str().to_owned());
    // The URL is valid while the pages exist.
    let url = StoredValue::new_local(url.ok());
    let view = store.view;
    // The picture is not in the page before it is decoded.
    let print = move || {
        view.next_frame(move || {
            let _ = window().print();
        });
    };
    if source.is_none() {
        print();
    }
    on_cleanup(move || drop(url.try_update_value(Option::take)));
    let printed = store.with(|design| tables(design, MAX_ROWS));
    view! {
        <h1>{store.name.get_untracked()}</h1>
        <p>{store.with(|design| design.description.clone())}</p>
        <img src=source alt="" on:load=move |_| print() />
        {printed.iter().map(table).collect_view()}
    }
}

fn table(table: &PrintedTable) -> AnyView {
    let heads = (table.columns.iter())
        .map(|name| view! { <th scope="col">{name.clone()}</th> })
        .collect_view();
    let rows = (table.rows.iter())
        .map(|(entity, cells)| {
            let cells = (cells.iter())
                .map(|text| view! { <td>{text.clone()}</td> })
                .collect_view();
            view! {
                <tr>
                    <th scope="row">{entity.clone()}</th>
                    {cells}
                </tr>
            }
        })
        .collect_view();
    let more =
        (table.left_out > 0).then(|| format!("{} more items are not printed.", table.left_out));
    view! {
        <h2>{table.name.clone()}</h2>
        <table>
            <thead>
                <tr>
                    <th scope="col">"Entity"</th>
                    {heads}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        <p>{more}</p>
    }
    .into_any()
}

//! Rows of tables that follow the report.

use super::bars::bar;
use crate::ui::reactive::erased::{For, RwSignal};
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number, at the right.
    Number(String),
    /// A share with a bar: in thousandths, so that the bar changes only with what can be seen, and as text.
    Share(u32, String),
}

impl Cell {
    /// A share of the whole, from 0 up, with its text.
    pub fn share(share: f64, text: String) -> Cell {
        Cell::Share((share * 1000.0).ceil() as u32, text)
    }
}

/// The cells of a row.
pub fn cells(cells: &[Cell]) -> AnyView {
    let cell = |cell: &Cell| match cell {
        Cell::Text(text) => view! { <td>{text.clone()}</td> }.into_any(),
        Cell::Number(text) => view! { <td class="number">{text.clone()}</td> }.into_any(),
        Cell::Share(thousandths, text) => {
            let bar = bar(f64::from(*thousandths) / 1000.0);
            view! { <td class="cost-share">{bar} <span>{text.clone()}</span></td> }.into_any()
        }
    };
    cells.iter().map(cell).collect::<Vec<AnyView>>().into_any()
}

/// A row that begins with a name.
pub fn named<K>(_: K, row: RwSignal<(String, Vec<Cell>)>) -> AnyView {
    (move || row.with(named_row)).into_any()
}

fn named_row((name, others): &(String, Vec<Cell>)) -> AnyView {
    view! {
        <tr>
            <th scope="row">{name.clone()}</th>
            {cells(others)}
        </tr>
    }
    .into_any()
}

/// The rows of a table: what each is about, and what it shows. After an edit only the rows that show something else are told,
/// one by one: if each row asked for its part of all of them, one edit would cost the square of their number.
pub fn rows<K, R>(
    rows: impl Fn() -> Vec<(K, R)> + Send + Sync + 'static,
    show: impl Fn(K, RwSignal<R>) -> AnyView + Send + Sync + 'static,
) -> AnyView
where
    K: Debug + Clone + Ord + Send + Sync + 'static,
    R: Clone + PartialEq + Send + Sync + 'static,
{
    let shown: StoredValue<BTreeMap<K, RwSignal<R>>> = StoredValue::new(BTreeMap::new());
    let each = move || {
        let rows = rows();
        shown.with_value(|shown| {
            for (key, row) in &rows {
                if let Some(signal) = shown.get(key)
                    && signal.with_untracked(|last| last != row)
                {
                    signal.set(row.clone());
                }
            }
        });
        rows
    };
    let row = move |(key, row): (K, R)| {
        let signal = RwSignal::new(row);
        shown.update_value(|shown| {
            shown.insert(key.clone(), signal);
        });
        let gone = key.clone();
        on_cleanup(move || {
            let _ = shown.try_update_value(|shown| shown.remove(&gone));
        });
        show(key, signal)
    };
    view! { <For each=each key=|(key, _)| key.clone() children=row /> }.into_any()
}

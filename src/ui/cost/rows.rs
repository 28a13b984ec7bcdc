//! Rows of tables that follow the report.

use super::bars::bar;
use crate::ui::reactive::erased::{For, memo};
use leptos::prelude::*;
use std::fmt::Debug;
use std::sync::Arc;

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
    let cell = |cell: &Cell| {
        match cell.clone() {
        Cell::Text(text) => view! { <td>{text}</td> }.into_any(),
        Cell::Number(text) => view! { <td class="number">{text}</td> }.into_any(),
        Cell::Share(thousandths, text) => view! { <td class="cost-share">{bar(f64::from(thousandths) / 1000.0)} <span>{text}</span></td> }
        .into_any(),
    }
    };
    cells.iter().map(cell).collect::<Vec<AnyView>>().into_any()
}

/// A row that begins with a name.
pub fn named<K>(_: &K, (name, others): &(String, Vec<Cell>)) -> AnyView {
    view! {
        <tr>
            <th scope="row">{name.clone()}</th>
            {cells(others)}
        </tr>
    }
    .into_any()
}

/// The rows of a table: what each is about, and what it shows. After an edit, only those that show something else are built
/// again, and in place, so that they keep the keyboard focus.
pub fn rows<K, R>(
    rows: impl Fn() -> Vec<(K, R)> + Send + Sync + 'static,
    show: impl Fn(&K, &R) -> AnyView + Send + Sync + 'static,
) -> AnyView
where
    K: Debug + Clone + PartialEq + Send + Sync + 'static,
    R: Clone + PartialEq + Send + Sync + 'static,
{
    let all = memo(move |_| rows());
    let keys = memo(move |_| {
        let keys = |rows: &Vec<(K, R)>| rows.iter().map(|(key, _)| key.clone()).collect();
        all.with::<Vec<K>>(keys)
    });
    let show = Arc::new(show);
    let row = move |key: K| {
        let (show, of) = (Arc::clone(&show), key.clone());
        let shown = memo(move |last: Option<&Option<R>>| {
            let find = |rows: &Vec<(K, R)>| {
                let mut rows = rows.iter();
                rows.find_map(|(key, row)| (*key == of).then(|| row.clone()))
            };
            all.with(find).or_else(|| last.cloned().flatten())
        });
        (move || shown.with(|row| row.as_ref().map(|row| show(&key, row)))).into_any()
    };
    view! { <For each=move || keys.get() key=K::clone children=row /> }.into_any()
}

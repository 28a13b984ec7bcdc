//! Leptos's building blocks behind boxed functions. Leptos compiles all of a building block anew for every
//! closure that it is given; behind a box it is compiled once for each type of value, and the app that a browser
//! has to load is smaller. A module takes them in place of Leptos's by importing them by name.

use leptos::prelude::*;
use std::fmt::Debug;
use std::sync::Arc;

/// A memo's function.
type Compute<T> = Box<dyn Fn(Option<&T>) -> T + Send + Sync>;

/// [`Memo::new`].
pub fn memo<T>(value: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    let value: Compute<T> = Box::new(value);
    Memo::new(value)
}

/// [`Effect::new`] for an effect that keeps nothing from run to run.
pub fn effect(mut run: impl FnMut() + 'static) {
    let run: Box<dyn FnMut(Option<()>)> = Box::new(move |_| run());
    Effect::new(run);
}

/// [`leptos::control_flow::Show`].
#[component(transparent)]
pub fn Show(
    /// What is shown while `when` holds.
    children: ChildrenFn,
    /// Whether it is shown.
    when: impl Fn() -> bool + Send + Sync + 'static,
    /// What is shown instead.
    #[prop(optional, into)]
    fallback: ViewFn,
) -> impl IntoView {
    let when: Compute<bool> = Box::new(move |_| when());
    let when = ArcMemo::new(when);
    let view: ViewOf = Box::new(move || {
        if when.get() {
            children()
        } else {
            fallback.run()
        }
    });
    view
}

type ViewOf = Box<dyn Fn() -> AnyView + Send>;

/// A row of [`For`]: what tells it from the others, and what makes its view.
type Row = (String, Box<dyn FnOnce() -> AnyView + Send>);

/// [`leptos::control_flow::For`]. Two keys are the same when their debug texts are.
#[component(transparent)]
pub fn For<IF, I, T, EF, N, KF, K>(
    /// The items.
    each: IF,
    /// What tells an item from the others.
    key: KF,
    /// An item's view.
    children: EF,
) -> impl IntoView
where
    IF: Fn() -> I + Send + 'static,
    I: IntoIterator<Item = T>,
    T: Send + 'static,
    EF: Fn(T) -> N + Send + Sync + 'static,
    N: IntoView + 'static,
    KF: Fn(&T) -> K + Send + 'static,
    K: Debug,
{
    let children = Arc::new(children);
    rows(Box::new(move || {
        let row = |item: T| -> Row {
            let children = Arc::clone(&children);
            let name = format!("{:?}", key(&item));
            (name, Box::new(move || children(item).into_any()))
        };
        each().into_iter().map(row).collect()
    }))
}

fn rows(rows: Box<dyn Fn() -> Vec<Row> + Send>) -> AnyView {
    let view = |row: Row| row.1();
    view! { <leptos::control_flow::For each=rows key=|row| row.0.clone() children=view /> }
        .into_any()
}

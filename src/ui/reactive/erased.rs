//! Leptos's building blocks behind boxed functions. Leptos compiles all of a building block anew for every
//! closure that it is given; behind a box it is compiled once for each type of value, and the app that a browser
//! has to load is smaller. A module takes them in place of Leptos's by importing them by name.

use leptos::prelude::*;
use std::any::Any;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

/// A closure that is shared. A box of `dyn Fn` would have a function that consumes it as well, which nobody calls and no
/// tool can take out of the app.
trait Ask<A, R> {
    fn ask(&self, of: A) -> R;
}

impl<A, R, F: Fn(A) -> R> Ask<A, R> for F {
    fn ask(&self, of: A) -> R {
        self(of)
    }
}

/// As [`Ask`], for a closure that changes what it holds.
trait Tell<A> {
    fn tell(&mut self, what: A);
}

impl<A, F: FnMut(A)> Tell<A> for F {
    fn tell(&mut self, what: A) {
        self(what);
    }
}

/// A value of any type that can be compared.
trait Held: Any + Send + Sync {
    fn is_same(&self, other: &dyn Held) -> bool;
}

impl<T: PartialEq + Send + Sync + 'static> Held for T {
    fn is_same(&self, other: &dyn Held) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }
}

/// What a memo holds.
#[derive(Clone)]
struct Kept(Arc<dyn Held>);

impl Kept {
    fn of<T: 'static>(&self) -> &T {
        let held: &dyn Any = &*self.0;
        held.downcast_ref().expect("a memo holds what it computes")
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Kept) -> bool {
        self.0.is_same(&*other.0)
    }
}

/// [`leptos::prelude::Memo`], which is compiled once for all types of value. A handle: copying it costs nothing.
pub struct Memo<T> {
    kept: leptos::prelude::Memo<Kept>,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Memo<T> {}

/// A memo's function.
type Compute = Box<dyn for<'a> Ask<Option<&'a Kept>, Kept> + Send + Sync>;

/// A memo that computes this from its last value.
pub fn memo<T>(value: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    let compute = move |last: Option<&Kept>| Kept(Arc::new(value(last.map(Kept::of))));
    Memo {
        kept: kept(Box::new(compute)),
        value: PhantomData,
    }
}

fn kept(compute: Compute) -> leptos::prelude::Memo<Kept> {
    leptos::prelude::Memo::new(move |last| compute.ask(last))
}

impl<T: 'static> Memo<T> {
    /// What this makes of the value, which is followed.
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        read(self.kept.get().of())
    }

    /// As [`Memo::with`], without following it.
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        read(self.kept.get_untracked().of())
    }

    /// As [`Memo::with_untracked`]; nothing if the memo is gone with the view that made it.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        Some(read(self.kept.try_get_untracked()?.of()))
    }

    /// Follows the value.
    pub fn track(self) {
        self.kept.track();
    }
}

impl<T: Clone + 'static> Memo<T> {
    /// The value, which is followed.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// The value, which is not followed.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// As [`Memo::get_untracked`]; nothing if the memo is gone with the view that made it.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

impl<T: Clone + Send + Sync + 'static> From<Memo<T>> for Signal<T> {
    fn from(memo: Memo<T>) -> Signal<T> {
        Signal::derive(move || memo.get())
    }
}

/// What a signal holds: a value of any type.
type Holder = Box<dyn Any + Send + Sync>;

/// [`leptos::prelude::RwSignal`], which is compiled once for all types of value. A handle: copying it costs nothing.
pub struct RwSignal<T> {
    held: leptos::prelude::RwSignal<Holder>,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for RwSignal<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RwSignal<T> {}

impl<T> PartialEq for RwSignal<T> {
    fn eq(&self, other: &Self) -> bool {
        self.held == other.held
    }
}

impl<T: Default + Send + Sync + 'static> Default for RwSignal<T> {
    fn default() -> Self {
        RwSignal::new(T::default())
    }
}

type Reading = <leptos::prelude::RwSignal<Holder> as ReadUntracked>::Value;

/// What a signal holds, to be read; followed if `follows`. Nothing if it is gone with the view that made it.
fn reading(held: leptos::prelude::RwSignal<Holder>, follows: bool) -> Option<Reading> {
    match follows {
        true => held.try_read(),
        false => held.try_read_untracked(),
    }
}

/// Lets `write` change what a signal holds, unless that is gone with the view that made it.
fn writing(
    held: leptos::prelude::RwSignal<Holder>,
    notifies: bool,
    write: &mut dyn for<'a> Tell<&'a mut dyn Any>,
) {
    if !notifies {
        if let Some(mut guard) = held.try_write_untracked() {
            write.tell(&mut **guard);
        }
    } else if let Some(mut guard) = held.try_write() {
        write.tell(&mut **guard);
    }
}

const GONE: &str = "a signal is used while its view is there";

impl<T: Send + Sync + 'static> RwSignal<T> {
    /// A signal of this value.
    pub fn new(value: T) -> RwSignal<T> {
        RwSignal {
            held: leptos::prelude::RwSignal::new(Box::new(value)),
            value: PhantomData,
        }
    }

    #[inline(always)]
    fn read<U>(self, follows: bool, read: impl FnOnce(&T) -> U) -> Option<U> {
        let held = reading(self.held, follows)?;
        Some(read(held.downcast_ref()?))
    }

    #[inline(always)]
    fn write<U>(self, notifies: bool, write: impl FnOnce(&mut T) -> U) -> Option<U> {
        let mut write = Some(write);
        let mut made = None;
        writing(self.held, notifies, &mut |held: &mut dyn Any| {
            made = held
                .downcast_mut()
                .zip(write.take())
                .map(|(value, write)| write(value));
        });
        made
    }

    /// What this makes of the value, which is followed.
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.read(true, read).expect(GONE)
    }

    /// As [`RwSignal::with`], without following it.
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.read(false, read).expect(GONE)
    }

    /// As [`RwSignal::with_untracked`]; nothing if the signal is gone with the view that made it.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.read(false, read)
    }

    /// Follows the value.
    pub fn track(self) {
        self.held.track();
    }

    /// Sets the value, unless the signal is gone with the view that made it.
    pub fn set(self, value: T) {
        self.write(true, |held| *held = value);
    }

    /// Changes the value, unless the signal is gone with the view that made it.
    pub fn update(self, change: impl FnOnce(&mut T)) {
        self.write(true, change);
    }

    /// As [`RwSignal::update`]; what the change answers.
    pub fn try_update<U>(self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        self.write(true, change)
    }

    /// As [`RwSignal::update`], without telling those who follow the value.
    pub fn update_untracked<U>(self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        self.write(false, change)
    }
}

impl<T: Clone + Send + Sync + 'static> RwSignal<T> {
    /// The value, which is followed.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// The value, which is not followed.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// As [`RwSignal::get_untracked`]; nothing if the signal is gone with the view that made it.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

impl<T: Clone + Send + Sync + 'static> From<RwSignal<T>> for Signal<T> {
    fn from(signal: RwSignal<T>) -> Signal<T> {
        Signal::derive(move || signal.get())
    }
}

/// [`Effect::new`] for an effect that keeps nothing from run to run.
pub fn effect(mut run: impl FnMut() + 'static) {
    follow(Box::new(move |()| run()));
}

fn follow(mut run: Box<dyn Tell<()>>) {
    Effect::new(move |_: Option<()>| run.tell(()));
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
    let when = memo(move |_| when());
    shown(Box::new(move |()| {
        if when.get() {
            children()
        } else {
            fallback.run()
        }
    }))
}

fn shown(view: Box<dyn Ask<(), AnyView> + Send>) -> AnyView {
    (move || view.ask(())).into_any()
}

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
    rows(Box::new(move |()| {
        let row = |item: T| -> Row {
            let children = Arc::clone(&children);
            let name = format!("{:?}", key(&item));
            (name, Box::new(move || children(item).into_any()))
        };
        each().into_iter().map(row).collect()
    }))
}

fn rows(rows: Box<dyn Ask<(), Vec<Row>> + Send>) -> AnyView {
    let rows = move || rows.ask(());
    let view = |row: Row| row.1();
    view! { <leptos::control_flow::For each=rows key=|row| row.0.clone() children=view /> }
        .into_any()
}

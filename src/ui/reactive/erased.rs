//! Leptos's building blocks behind boxed functions. Leptos compiles a building block again for each closure; behind a
//! box it is compiled only once, which makes the app smaller. A module uses them instead of Leptos's by importing them
//! by name.

use leptos::prelude::*;
use std::any::Any;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

/// A shared closure. A box of `dyn Fn` would also have a consuming function that is never called but that no tool
/// removes from the app.
trait Ask<A, R> {
    fn ask(&self, of: A) -> R;
}

impl<A, R, F: Fn(A) -> R> Ask<A, R> for F {
    fn ask(&self, of: A) -> R {
        self(of)
    }
}

/// As [`Ask`], for a closure that changes its captured values.
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

/// The value of a memo.
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

/// A [`leptos::prelude::Memo`] that is compiled once for all types of value. A handle: copying it costs nothing.
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

/// Returns a memo that computes its value from its last value.
pub fn memo<T>(value: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    let compute = move |last: Option<&Kept>| Kept(Arc::new(value(last.map(Kept::of))));
    Memo {
        kept: new_memo(Box::new(compute)),
        value: PhantomData,
    }
}

fn new_memo(compute: Compute) -> leptos::prelude::Memo<Kept> {
    leptos::prelude::Memo::new(move |last| compute.ask(last))
}

impl<T: 'static> Memo<T> {
    /// Returns the result of `read` on the value, and subscribes to it.
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        read(self.kept.get().of())
    }

    /// As [`Memo::with`], without subscribing.
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        read(self.kept.get_untracked().of())
    }

    /// As [`Memo::with_untracked`]; `None` if the memo is gone with its view.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        Some(read(self.kept.try_get_untracked()?.of()))
    }

    /// Subscribes to the value.
    pub fn track(self) {
        self.kept.track();
    }
}

impl<T: Clone + 'static> Memo<T> {
    /// Returns the value, and subscribes to it.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// Returns the value without subscribing to it.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// As [`Memo::get_untracked`]; `None` if the memo is gone with its view.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

impl<T: Clone + Send + Sync + 'static> From<Memo<T>> for Signal<T> {
    fn from(memo: Memo<T>) -> Signal<T> {
        Signal::derive(move || memo.get())
    }
}

/// The value of a signal, of any type.
type Holder = Box<dyn Any + Send + Sync>;

/// A [`leptos::prelude::RwSignal`] that is compiled once for all types of value. A handle: copying it costs nothing.
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

/// The value of a signal, for reading; subscribes to it if `follows`. `None` if the signal is gone with its view.
fn reading(held: leptos::prelude::RwSignal<Holder>, follows: bool) -> Option<Reading> {
    match follows {
        true => held.try_read(),
        false => held.try_read_untracked(),
    }
}

/// Lets `write` change the value of a signal, unless the signal is gone with its view.
fn writing(held: leptos::prelude::RwSignal<Holder>, write: &mut dyn for<'a> Tell<&'a mut dyn Any>) {
    if let Some(mut guard) = held.try_write() {
        write.tell(&mut **guard);
    }
}

const GONE: &str = "a signal is used while its view is there";

impl<T: Send + Sync + 'static> RwSignal<T> {
    /// Returns a signal with this value.
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
    fn write<U>(self, write: impl FnOnce(&mut T) -> U) -> Option<U> {
        let mut write = Some(write);
        let mut made = None;
        writing(self.held, &mut |held: &mut dyn Any| {
            made = held
                .downcast_mut()
                .zip(write.take())
                .map(|(value, write)| write(value));
        });
        made
    }

    /// Returns the result of `read` on the value, and subscribes to it.
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.read(true, read).expect(GONE)
    }

    /// As [`RwSignal::with`], without subscribing.
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.read(false, read).expect(GONE)
    }

    /// As [`RwSignal::with_untracked`]; `None` if the signal is gone with its view.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.read(false, read)
    }

    /// Subscribes to the value.
    pub fn track(self) {
        self.held.track();
    }

    /// Sets the value, unless the signal is gone with its view.
    pub fn set(self, value: T) {
        self.write(|held| *held = value);
    }

    /// Changes the value, unless the signal is gone with its view.
    pub fn update(self, change: impl FnOnce(&mut T)) {
        self.write(change);
    }

    /// As [`RwSignal::update`], and returns the result of `change`.
    pub fn try_update<U>(self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        self.write(change)
    }
}

impl<T: Clone + Send + Sync + 'static> RwSignal<T> {
    /// Returns the value, and subscribes to it.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// Returns the value without subscribing to it.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// As [`RwSignal::get_untracked`]; `None` if the signal is gone with its view.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

impl<T: Clone + Send + Sync + 'static> From<RwSignal<T>> for Signal<T> {
    fn from(signal: RwSignal<T>) -> Signal<T> {
        Signal::derive(move || signal.get())
    }
}

/// [`Effect::new`] for an effect without a value.
pub fn effect(mut run: impl FnMut() + 'static) {
    follow(Box::new(move |()| run()));
}

fn follow(mut run: Box<dyn Tell<()>>) {
    Effect::new(move |_: Option<()>| run.tell(()));
}

/// As [`leptos::control_flow::Show`].
#[component(transparent)]
pub fn Show(
    /// The content while `when` holds.
    children: ChildrenFn,
    /// Whether the content is shown.
    when: impl Fn() -> bool + Send + Sync + 'static,
    /// The content while `when` does not hold.
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

/// A row of [`For`]: its key as text, and the function that makes its view.
type Row = (String, Box<dyn FnOnce() -> AnyView + Send>);

/// As [`leptos::control_flow::For`]. Keys are compared by their debug texts.
#[component(transparent)]
pub fn For<IF, I, T, EF, N, KF, K>(
    /// The items.
    each: IF,
    /// The key of an item.
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

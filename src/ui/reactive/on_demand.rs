//! Code that is loaded on demand. The release build, `scripts/build`, has the feature `split`: it moves such code
//! from the first wasm file into files of its own. In all other builds it is in the one file and there at once.

use super::erased::RwSignal;
use super::later::View;
use leptos::prelude::*;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// The file with the code could not be loaded. Loading it again starts a new request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadError;

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("this part of Keyfold did not load. Check the connection and try again")
    }
}

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for LoadError {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        LoadError
    }
}

/// A function that is being loaded.
pub type Loading<T> = Pin<Box<dyn Future<Output = Result<T, LoadError>>>>;

/// A function that builds a view from an argument.
pub type Part<A = ()> = fn(A) -> AnyView;

/// Declares a function that loads a function, or several in a struct: `on_demand!(file, NAME: Type = value)`. All that
/// only the value needs goes into a file of this name. Only references to functions split the code: a `static`
/// with function pointers that the first file uses keeps them there.
macro_rules! on_demand {
    ($(#[$doc:meta])* $file:ident, $name:ident: $kind:ty = $value:expr) => {
        $(#[$doc])*
        pub(crate) fn $name() -> $crate::ui::reactive::on_demand::Loading<$kind> {
            #[cfg(feature = "split")]
            {
                #[allow(
                    unsafe_code,
                    improper_ctypes_definitions,
                    reason = "the generated code calls the other file; both are compiled together"
                )]
                mod inner {
                    use super::*;
                    use $crate::ui::reactive::on_demand::LoadError;
                    #[wasm_split_helpers::wasm_split($file, fallible)]
                    pub fn $name() -> Result<$kind, LoadError> {
                        Ok($value)
                    }
                }
                Box::pin(inner::$name())
            }
            #[cfg(not(feature = "split"))]
            {
                let value: $kind = $value;
                Box::pin(std::future::ready(Ok(value)))
            }
        }
    };
}
pub(crate) use on_demand;

/// Returns what is loaded, or what is still loading.
pub fn poll_once<T>(mut loading: Loading<T>) -> Result<Result<T, LoadError>, Loading<T>> {
    let mut context = Context::from_waker(Waker::noop());
    match loading.as_mut().poll(&mut context) {
        Poll::Ready(result) => Ok(result),
        Poll::Pending => Err(loading),
    }
}

/// Calls `then` with what is loaded: now if it is there, otherwise once it is loaded and if the view still exists.
pub fn when_loaded<T: 'static>(
    view: View,
    loading: Loading<T>,
    then: impl FnOnce(Result<T, LoadError>) + 'static,
) {
    match poll_once(loading) {
        Ok(result) => then(result),
        Err(loading) => view.answer(loading, then),
    }
}

/// Shows a view: now if its code is there, otherwise once it is loaded. A load that fails shows a message with a button
/// that tries again.
pub fn on_demand_view<A: Copy + Send + 'static>(
    part: fn() -> Loading<Part<A>>,
    argument: A,
) -> AnyView {
    let view = View::new();
    let loaded: RwSignal<Option<Result<Part<A>, LoadError>>> = RwSignal::new(None);
    let load = move || when_loaded(view, part(), move |result| loaded.set(Some(result)));
    load();
    let again = move |_| {
        loaded.set(None);
        load();
    };
    let shown = move || match loaded.get() {
        Some(Ok(part)) => untrack(|| part(argument)),
        None => view! {
            <p class="on-demand" role="status">
                "Loading…"
            </p>
        }
        .into_any(),
        Some(Err(LoadError)) => view! {
            <div class="on-demand" role="alert">
                <p>"This part of Keyfold did not load. Check the connection and try again."</p>
                <button class="button" on:click=again>
                    "Try again"
                </button>
            </div>
        }
        .into_any(),
    };
    shown.into_any()
}

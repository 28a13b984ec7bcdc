//! Locks that the tabs with this page hold. The browser releases those of a tab that is gone, however it ended:
//! <https://w3c.github.io/web-locks/>. `web-sys` has them only as an unstable API.

use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// A lock that this tab holds until this is dropped.
pub struct Held {
    release: Option<Function>,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            let _ = release.call0(&JsValue::NULL);
        }
    }
}

/// Holds the lock with this name, which no other tab holds. Without locks in the browser this does nothing.
pub fn hold(name: &str) -> Held {
    let mut release = None;
    let until = Promise::new(&mut |resolve, _| release = Some(resolve));
    let granted = Closure::once_into_js(move |_lock: JsValue| until);
    if let Some((locks, request)) = method("request")
        && let Ok(asked) = request.call2(&locks, &JsValue::from_str(name), &granted)
    {
        // It is rejected if the page is left first: nothing is lost.
        spawn_local(async move {
            let _ = JsFuture::from(Promise::resolve(&asked)).await;
        });
    }
    Held { release }
}

/// Whether a tab holds the lock with this name; `None` if the browser does not say.
pub async fn is_held(name: &str) -> Option<bool> {
    let (locks, query) = method("query")?;
    let asked: Promise = query.call0(&locks).ok()?.dyn_into().ok()?;
    let all = JsFuture::from(asked).await.ok()?;
    let is_in = |list: &str| {
        let list: Array = get(&all, list)?.dyn_into().ok()?;
        let has_name = |lock: JsValue| get(&lock, "name")?.as_string().filter(|it| it == name);
        Some(list.iter().any(|lock| has_name(lock).is_some()))
    };
    Some(is_in("held")? || is_in("pending")?)
}

/// The lock manager and one of its methods. Outside a secure context there is none.
fn method(name: &str) -> Option<(JsValue, Function)> {
    let locks = get(&window().navigator(), "locks")?;
    let method = get(&locks, name)?.dyn_into().ok()?;
    Some((locks, method))
}

fn get(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &JsValue::from_str(name)).ok()
}

//! What the browser stores of the page: the database of designs and the local storage.

use super::{run_script, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Storage;

/// The browser's local storage.
pub fn storage() -> Storage {
    window().local_storage().unwrap().expect("local storage")
}

/// Runs `body` on the open database `db`, which resolves with `done`; without a database it resolves with nothing.
async fn in_database(body: &str) -> JsValue {
    let script = format!(
        "return new Promise((done) => {{
            const request = indexedDB.open('keyfold');
            // It is not for the test to make one.
            request.onupgradeneeded = () => request.transaction.abort();
            request.onerror = (event) => {{ event.preventDefault(); done(); }};
            request.onsuccess = () => {{
                const db = request.result;
                const all = [...db.objectStoreNames];
                if (all.length === 0) return done();
                const transaction = db.transaction(all, 'readwrite');
                {body}
                transaction.addEventListener('complete', () => {{ db.close(); done(result); }});
            }};
        }});"
    );
    let promise = js_sys::Function::new_no_args(&script).call0(&JsValue::NULL);
    JsFuture::from(promise.unwrap().unchecked_into::<js_sys::Promise>())
        .await
        .unwrap()
}

/// Removes all that the page has stored, as on a first visit.
pub async fn clear_storage() {
    make_room();
    storage().clear().unwrap();
    window()
        .session_storage()
        .unwrap()
        .unwrap()
        .clear()
        .unwrap();
    in_database("let result; for (const name of all) transaction.objectStore(name).clear();").await;
}

/// The file texts of all stored designs, each with its key.
pub async fn stored_designs() -> Vec<(String, String)> {
    let read = "let result = [];
        const store = transaction.objectStore('designs');
        store.openCursor().onsuccess = ({ target }) => {
            if (!target.result) return;
            const { key, value } = target.result;
            // Undo histories and texts in the language have keys of their own.
            if (!key.includes(':')) result.push(key, value);
            target.result.continue();
        };";
    let texts = js_sys::Array::from(&in_database(read).await).to_vec();
    let text = |value: &JsValue| value.as_string().unwrap();
    texts
        .chunks(2)
        .map(|pair| (text(&pair[0]), text(&pair[1])))
        .collect()
}

/// Puts another text in place of a stored design's.
pub async fn spoil_design(key: &str, text: &str) {
    let put = "let result; transaction.objectStore('designs').put(TEXT, KEY);";
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    in_database(
        &put.replace("TEXT", &quoted(text))
            .replace("KEY", &quoted(key)),
    )
    .await;
}

/// From now on the browser has no room for anything.
pub fn fill_storage() {
    run_script(
        "const full = () => { throw new DOMException('no room', 'QuotaExceededError'); };
         window.kept = window.kept ?? [IDBObjectStore.prototype.put, Storage.prototype.setItem];
         IDBObjectStore.prototype.put = full;
         Storage.prototype.setItem = full;",
    );
}

/// From now on it has room again.
pub fn make_room() {
    run_script(
        "if (window.kept) [IDBObjectStore.prototype.put, Storage.prototype.setItem] = window.kept;
         window.kept = undefined;",
    );
}

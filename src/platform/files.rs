//! Files on the disk that can be written in place: the File System Access API,
//! <https://wicg.github.io/file-system-access/>, through `src/files/files.js`.

use super::script;
use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, File};

/// The file with the script, served beside the page.
const FILE: &str = "files.js";

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method, js_name = fileOf)]
    fn file_of(this: &Module, key: &str) -> Promise;
    #[wasm_bindgen(method)]
    fn remember(this: &Module, key: &str, handle: &Handle, text: &str) -> Promise;
    #[wasm_bindgen(method)]
    fn forget(this: &Module, key: &str) -> Promise;
    #[wasm_bindgen(method, js_name = keyOf)]
    fn key_of(this: &Module, handle: &Handle) -> Promise;
    #[wasm_bindgen(method)]
    fn choose(this: &Module) -> Promise;
    #[wasm_bindgen(method, js_name = chooseNew)]
    fn choose_new(this: &Module, name: &str) -> Promise;
    #[wasm_bindgen(method)]
    fn read(this: &Module, handle: &Handle, ask: bool) -> Promise;
    #[wasm_bindgen(method)]
    fn write(this: &Module, handle: &Handle, text: &str) -> Promise;
    #[wasm_bindgen(method, js_name = whenLaunched)]
    fn when_launched(this: &Module, open: &Function);

    /// A file on the disk.
    #[derive(Debug, Clone)]
    pub type Handle;
    #[wasm_bindgen(method, getter)]
    /// The file's name.
    pub fn name(this: &Handle) -> String;
}

/// Whether the browser lets a page write files in place.
pub fn is_there() -> bool {
    let has = |name: &str| Reflect::has(&window(), &name.into()).unwrap_or_default();
    has("showOpenFilePicker") && has("showSaveFilePicker")
}

/// A dropped file, and what the browser will answer with: its handle.
pub type Dropped = (File, Promise);

/// The dropped files with their handles, where the browser has these. Only the event of the drop can ask for them.
pub fn dropped(transfer: &DataTransfer) -> Vec<Dropped> {
    let items = transfer.items();
    let item = |at: u32| {
        let item = items.get(at).filter(|item| item.kind() == "file")?;
        let ask = Reflect::get(&item, &"getAsFileSystemHandle".into()).ok()?;
        let ask: Function = ask.dyn_into().ok()?;
        let file = item.get_as_file().ok()??;
        Some((file, ask.call0(&item).ok()?.dyn_into().ok()?))
    };
    (0..items.length()).filter_map(item).collect()
}

/// The handle of a dropped file; `None` if the browser has none.
pub async fn handle(asked: Promise) -> Option<Handle> {
    let handle = JsFuture::from(asked).await.ok()?;
    let kind = Reflect::get(&handle, &"kind".into()).ok()?;
    (kind.as_string()? == "file").then(|| handle.unchecked_into())
}

/// Whether the page is in a window of its own: that of the installed app, which the system can give files to open.
pub fn is_app_window() -> bool {
    let query = window().match_media("(display-mode: standalone)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// The access to files.
pub struct Files(Module);

/// What the browser says of a request that failed.
pub type Failure = String;

impl Files {
    /// Loads the script.
    ///
    /// # Errors
    ///
    /// That it did not load.
    pub async fn load() -> Result<Files, Failure> {
        let module = script::load(FILE).await;
        let module = module.ok_or("this part of Keyfold did not load")?;
        Ok(Files(module.unchecked_into()))
    }

    /// The file of a design, with the text that it had when it was last read or written.
    pub async fn file_of(&self, key: u64) -> Option<(Handle, String)> {
        let file = JsFuture::from(self.0.file_of(&key.to_string()))
            .await
            .ok()?;
        let field = |name: &str| Reflect::get(&file, &name.into()).ok();
        let text = field("text")?.as_string()?;
        Some((field("handle")?.unchecked_into(), text))
    }

    /// Remembers the file of a design, with its text. If that fails, the next visit does not know of it.
    pub async fn remember(&self, key: u64, handle: &Handle, text: &str) {
        let _ = JsFuture::from(self.0.remember(&key.to_string(), handle, text)).await;
    }

    /// Forgets the file of a design.
    pub async fn forget(&self, key: u64) {
        let _ = JsFuture::from(self.0.forget(&key.to_string())).await;
    }

    /// The design that is kept in a file.
    pub async fn key_of(&self, handle: &Handle) -> Option<u64> {
        let key = JsFuture::from(self.0.key_of(handle)).await.ok()?;
        key.as_string()?.parse().ok()
    }

    /// The files that a person chooses; none if they cancel.
    ///
    /// # Errors
    ///
    /// What the browser says.
    pub async fn choose(&self) -> Result<Vec<Handle>, Failure> {
        let chosen = JsFuture::from(self.0.choose()).await.map_err(said)?;
        let chosen: Array = chosen.unchecked_into();
        Ok(chosen.iter().map(JsCast::unchecked_into).collect())
    }

    /// The file that a person names; `None` if they cancel.
    ///
    /// # Errors
    ///
    /// What the browser says.
    pub async fn choose_new(&self, name: &str) -> Result<Option<Handle>, Failure> {
        let chosen = JsFuture::from(self.0.choose_new(name))
            .await
            .map_err(said)?;
        Ok((!chosen.is_undefined()).then(|| chosen.unchecked_into()))
    }

    /// The text of a file; `None` if the browser would have to ask for it and `ask` is false, or the answer is no.
    ///
    /// # Errors
    ///
    /// What the browser says, such as that the file is gone.
    pub async fn read(&self, handle: &Handle, ask: bool) -> Result<Option<String>, Failure> {
        let text = JsFuture::from(self.0.read(handle, ask))
            .await
            .map_err(said)?;
        Ok(text.as_string())
    }

    /// Writes a file, all or nothing. Returns whether the person allows it.
    ///
    /// # Errors
    ///
    /// What the browser says.
    pub async fn write(&self, handle: &Handle, text: &str) -> Result<bool, Failure> {
        let written = JsFuture::from(self.0.write(handle, text))
            .await
            .map_err(said)?;
        Ok(written.is_truthy())
    }

    /// Calls `open` with the files that the system opens with the installed app.
    pub fn when_launched(&self, mut open: impl FnMut(Vec<Handle>) + 'static) {
        let open = Closure::<dyn FnMut(Array)>::new(move |handles: Array| {
            open(handles.iter().map(JsCast::unchecked_into).collect());
        });
        self.0.when_launched(open.as_ref().unchecked_ref());
        // The browser calls it as long as the page is open.
        open.forget();
    }
}

fn said(error: JsValue) -> Failure {
    let message = Reflect::get(&error, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string());
    message.unwrap_or_else(|| "the browser does not say why".into())
}

//! Reading a file that was chosen in a field.

use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

/// Hands over the name and the text of the chosen file, or `None` if the browser cannot read it. The field is empty
/// afterwards, so that the same file can be chosen again.
pub fn read_chosen(field: NodeRef<Input>, take: Box<dyn FnOnce(String, Option<String>)>) {
    let input = field.get_untracked();
    let chosen = input.as_ref().and_then(|input| input.files()?.get(0));
    let Some(chosen) = chosen else { return };
    spawn_local(async move {
        let text = JsFuture::from(chosen.text()).await.ok();
        take(chosen.name(), text.and_then(|text| text.as_string()));
        if let Some(input) = input {
            input.set_value("");
        }
    });
}

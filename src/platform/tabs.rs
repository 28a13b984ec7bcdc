//! Messages between browser tabs with this page.

use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::{BroadcastChannel, MessageEvent};

/// A channel to the other tabs, closed on drop. Browsers without `BroadcastChannel` send nothing.
pub struct TabChannel {
    channel: Option<BroadcastChannel>,
    /// Called by the browser.
    _hear: Closure<dyn FnMut(MessageEvent)>,
}

impl TabChannel {
    /// Opens the channel. Calls `hear` with each text that another tab sends.
    pub fn new(mut hear: impl FnMut(String) + 'static) -> TabChannel {
        let hear = Closure::new(move |event: MessageEvent| {
            if let Some(text) = event.data().as_string() {
                hear(text);
            }
        });
        let channel = BroadcastChannel::new("keyfold").ok();
        if let Some(channel) = &channel {
            channel.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        }
        TabChannel {
            channel,
            _hear: hear,
        }
    }

    /// Sends a text to the other tabs.
    pub fn send(&self, text: &str) {
        if let Some(channel) = &self.channel {
            let _ = channel.post_message(&JsValue::from_str(text));
        }
    }
}

impl Drop for TabChannel {
    fn drop(&mut self) {
        if let Some(channel) = &self.channel {
            channel.close();
        }
    }
}

//! A picture of several SVG documents, one above the other: the browser draws several small ones without a long pause.

use crate::platform::raster::{self, ObjectUrl};
use crate::ui::reactive::erased::{For, RwSignal};
use crate::ui::reactive::later::View;
use leptos::prelude::*;
use std::sync::Arc;

/// Cards per layer: the browser draws them in a few milliseconds.
pub const CARDS: usize = 6;

/// A layer: its SVG text and its object URL.
#[derive(Clone)]
struct Layer {
    text: Arc<str>,
    url: Arc<ObjectUrl>,
}

/// The layers. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct LayeredPicture {
    shown: RwSignal<Vec<Layer>>,
    /// Counts the pictures: only the last is drawn.
    number: StoredValue<u64>,
    view: View,
    failed: Callback<()>,
}

impl LayeredPicture {
    /// No layers. `failed` is called if the browser cannot make an image. Call this where [`View::new`] may be called.
    pub fn new(failed: Callback<()>) -> LayeredPicture {
        LayeredPicture {
            shown: RwSignal::new(Vec::new()),
            number: StoredValue::new(0),
            view: View::new(),
            failed,
        }
    }

    /// Whether nothing is drawn yet.
    pub fn is_empty(self) -> bool {
        self.shown.with_untracked(Vec::is_empty)
    }

    /// Draws no further layer of the last picture.
    pub fn stop(self) {
        self.number.update_value(|number| *number += 1);
    }

    /// Removes the picture.
    pub fn clear(self) {
        self.stop();
        self.shown.set(Vec::new());
    }

    /// Shows these SVG documents: per frame, one that is not shown yet.
    pub fn show(self, texts: Vec<String>) {
        self.stop();
        self.show_from(self.number.get_value(), 0, texts);
    }

    fn show_from(self, of: u64, mut at: usize, texts: Vec<String>) {
        if self.number.get_value() != of {
            return;
        }
        let is_shown = |at: usize| {
            (self.shown)
                .with_untracked(|layers| layers.get(at).is_some_and(|l| *l.text == texts[at]))
        };
        while at < texts.len() && is_shown(at) {
            at += 1;
        }
        let Some(text) = texts.get(at) else {
            if self.shown.with_untracked(Vec::len) > texts.len() {
                self.shown.update(|layers| layers.truncate(texts.len()));
            }
            return;
        };
        match raster::svg_file(text).and_then(|file| ObjectUrl::new(&file)) {
            Ok(url) => self.shown.update(|layers| {
                // Dropping the replaced layer releases its URL.
                layers.splice(
                    at..(at + 1).min(layers.len()),
                    [Layer {
                        text: text.as_str().into(),
                        url: Arc::new(url),
                    }],
                );
            }),
            Err(_) => return self.failed.run(()),
        }
        self.view
            .next_frame(move || self.show_from(of, at + 1, texts));
    }
}

/// The images of the layers, for an element of the class `picture`.
#[component]
pub fn Layers(
    /// The picture.
    picture: LayeredPicture,
) -> impl IntoView {
    let shown = picture.shown;
    let count = move || shown.with(Vec::len);
    let source = move |at: usize| {
        shown.with(|layers| layers.get(at).map(|layer| layer.url.as_str().to_owned()))
    };
    view! {
        <For each=move || 0..count() key=|at| *at let(at)>
            <img src=move || source(at) alt="" />
        </For>
    }
}

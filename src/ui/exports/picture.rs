//! The canvas as a picture: a preview that follows the design, and files to download.

use super::panel_state::PictureTheme;
use crate::platform::raster;
use crate::ui::canvas::handle::{CanvasHandle, use_canvas};
use crate::ui::reactive::erased::{Memo, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::state::clipboard_notices;
use crate::ui::state::page_state::{PageState, use_page};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::layered_picture::{CARDS, LayeredPicture, Layers};
use keyfold_app::picture::{PictureOptions, svg, svg_layers};
use keyfold_core::model::file_stem;
use leptos::prelude::*;
use std::time::Duration;

/// Pause after the last edit before the picture is drawn again, in milliseconds.
const PAUSE: u64 = 400;

/// The current options; subscribes to the theme and to how the canvas shows the design, not to the design.
fn options(
    store: Store,
    page: PageState,
    canvas: CanvasHandle,
    dark: Memo<bool>,
) -> PictureOptions {
    PictureOptions {
        dark: dark.get(),
        detail: store.detail.get(),
        groups: canvas.groups.get(),
        references: page.references.get(),
    }
}

fn file_name(store: Store, extension: &str) -> String {
    let stem = store.with(|design| file_stem(&design.table.name));
    format!("{stem}.{extension}")
}

/// Reports that the browser could not generate the file.
fn failed(store: Store) {
    store
        .notices
        .error("The browser could not create this file. Try the SVG, or a smaller design.");
}

/// Length of a picture's text, in bytes, above which a PNG takes long.
const LARGE: usize = 500_000;

fn save_png(store: Store, text: String) {
    if text.len() > LARGE {
        store
            .notices
            .say("Creating the PNG. A picture of this size takes a while.");
    }
    // Another design may be open once it is there.
    let name = file_name(store, "png");
    let made = async move { raster::png(&text).await };
    store.view.answer(made, move |made| {
        let saved = made.and_then(|made| {
            raster::download(&name, &made.file)?;
            Ok(made.scale)
        });
        match saved {
            Ok(scale) if scale < 1.995 => store.notices.say(format!(
                "The picture is too large for a PNG at twice its size. This PNG is at {:.0}%; \
                 the SVG is sharp at any size.",
                scale * 100.0
            )),
            Ok(_) => {}
            Err(_) => failed(store),
        }
    });
}

/// Theme and files, for the bar above the preview.
#[component]
pub fn PictureBar(
    /// The chosen theme.
    chosen: PictureTheme,
) -> impl IntoView {
    let (store, page, canvas) = (use_store(), use_page(), use_canvas());
    let dark = memo(move |_| chosen.dark());
    let text =
        move || untrack(|| store.with(|design| svg(design, options(store, page, canvas, dark))));
    let choice = move |label: &'static str, is_dark: bool| {
        view! {
            <button
                aria-pressed=move || (dark.get() == is_dark).to_string()
                on:click=move |_| chosen.0.set(Some(is_dark))
            >
                {label}
            </button>
        }
    };
    let save_svg = move |_| {
        let file = raster::svg_file(&text());
        let saved = file.and_then(|file| raster::download(&file_name(store, "svg"), &file));
        if saved.is_err() {
            failed(store);
        }
    };
    view! {
        <div class="segmented" role="group" aria-label="Picture theme">
            {choice("Light", false)}
            {choice("Dark", true)}
        </div>
        <button
            class="button small"
            title="Copy the picture as SVG text"
            on:click=move |_| clipboard_notices::copy(
                store.notices,
                text(),
                clipboard_notices::BY_HAND,
                Box::new(|| {}),
            )
        >
            <Icon glyph=Glyph::Copy />
            "Copy SVG"
        </button>
        <button class="button small" title="Download as an SVG file" on:click=save_svg>
            <Icon glyph=Glyph::Download />
            "Download SVG"
        </button>
        <button
            class="button small"
            title="Download as a PNG file, at twice the size"
            on:click=move |_| save_png(store, text())
        >
            <Icon glyph=Glyph::Download />
            "Download PNG"
        </button>
    }
}

/// The preview.
#[component]
pub fn PicturePreview(
    /// The chosen theme.
    chosen: PictureTheme,
) -> impl IntoView {
    let store = use_store();
    let page = use_page();
    let canvas = use_canvas();
    let dark = memo(move |_| chosen.dark());
    let preview = LayeredPicture::new(Callback::new(move |()| failed(store)));
    let (view, number) = (View::new(), StoredValue::new(0_u64));
    let place = NodeRef::<leptos::html::Div>::new();
    // Draws only if visible, and only after a pause in editing: a picture takes the browser long.
    let draw = move || {
        let place = place.get_untracked();
        if place.is_none_or(|div| div.offset_width() == 0) {
            return;
        }
        let options = untrack(|| options(store, page, canvas, dark));
        let texts = store.with(|design| svg_layers(design, options, CARDS));
        preview.show(texts);
    };
    effect(move || {
        store.revision.track();
        page.panel.track();
        page.pane.track();
        options(store, page, canvas, dark);
        preview.stop();
        number.update_value(|number| *number += 1);
        let of = number.get_value();
        let draw = move || {
            if number.get_value() == of {
                draw();
            }
        };
        match preview.is_empty() {
            true => view.next_frame(draw),
            false => {
                view.after(Duration::from_millis(PAUSE), draw);
            }
        }
    });
    view! {
        <div
            class="picture"
            class:dark=move || dark.get()
            role="img"
            aria-label=move || format!("Canvas of {}", store.name.get())
            node_ref=place
        >
            <Layers picture=preview />
        </div>
    }
}

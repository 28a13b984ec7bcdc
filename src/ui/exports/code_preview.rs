//! The preview of code: only the visible lines of a long text are in the page.

use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{For, Memo, RwSignal, memo};
use crate::ui::reactive::observers::on_resize;
use keyfold_app::export::{Listing, Piece};
use keyfold_app::grid::visible_lines;
use keyfold_core::export::{Code, Tag};
use leptos::ev;
use leptos::html::Pre;
use leptos::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use web_sys::{HtmlElement, Selection};

/// Height of a line, in CSS pixels; `exports.css` repeats it.
const LINE: f64 = 18.0;
/// Space above the first line and below the last, in CSS pixels; `exports.css` repeats it.
const SPACE: f64 = 12.0;
/// Lines in the page beyond the visible ones, on each side.
const OVERSCAN: usize = 12;
/// Limit of lines that stay in the page for a selection larger than the visible part.
const MAX_LINES: usize = 2000;

/// A line in the page: the pointer of its text, its number, its pieces.
type Line = (usize, usize, Vec<(Option<Tag>, String)>);

/// A text with syntax colors. Ctrl+A selects the whole text, not only the lines in the page.
#[component]
pub fn Preview(
    /// Its accessible name.
    label: &'static str,
    /// The text; `None` before it is generated.
    listing: Memo<Option<ByPtr<Listing>>>,
    /// Whether a newer text is being generated.
    #[prop(into)]
    busy: Signal<bool>,
) -> impl IntoView {
    let frame: NodeRef<Pre> = NodeRef::new();
    let scrolled = RwSignal::new(0.0);
    let height = RwSignal::new(600.0);
    // Whether the whole text is selected, including the lines that are not in the page.
    let all = RwSignal::new(false);
    let element = move || frame.get_untracked().map(HtmlElement::from);
    on_resize(
        move || frame.get().map(Into::into),
        move || {
            if let Some(frame) = element() {
                height.set(f64::from(frame.client_height()));
            }
        },
    );
    let count = memo(move |_| listing.with(|listing| listing.as_ref().map_or(0, |l| l.lines())));
    let range = memo(move |before: Option<&Range<usize>>| {
        let count = count.get();
        let seen = visible_lines(scrolled.get() - SPACE, height.get(), LINE, count, OVERSCAN);
        match before.filter(|_| element().is_some_and(|frame| has_selection(&frame))) {
            Some(before) => {
                let both = seen.start.min(before.start)..seen.end.max(before.end).min(count);
                if both.len() > MAX_LINES { seen } else { both }
            }
            None => seen,
        }
    });
    let lines = move || {
        // Read before the range, which depends on it.
        let listing = listing.get();
        let range = range.get();
        let Some(ByPtr(listing)) = listing else {
            return Vec::new();
        };
        let text = Arc::as_ptr(&listing) as usize;
        let line = |at: usize| -> Line {
            let own = |(tag, piece): Piece| (tag, piece.to_owned());
            (text, at, listing.line(at).into_iter().map(own).collect())
        };
        range.map(line).collect::<Vec<_>>()
    };
    let space = move |lines: usize| format!("{}px", lines as f64 * LINE);
    let key = move |event: ev::KeyboardEvent| {
        let command = event.ctrl_key() || event.meta_key();
        match event.key().as_str() {
            "a" | "A" if command => {
                event.prevent_default();
                event.stop_propagation();
                if let Some(selection) = selection() {
                    let _ = selection.remove_all_ranges();
                }
                all.set(true);
            }
            "Escape" if all.get_untracked() => {
                event.stop_propagation();
                all.set(false);
            }
            _ => {}
        }
    };
    let copied = move |event: ev::ClipboardEvent| {
        let data = event.clipboard_data().filter(|_| all.get_untracked());
        let text = listing.with_untracked(|listing| Some(listing.as_ref()?.code.text.clone()));
        if let Some((data, text)) = data.zip(text)
            && data.set_data("text/plain", &text).is_ok()
        {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    view! {
        <pre
            node_ref=frame
            class="code long"
            class:all=move || all.get()
            tabindex="0"
            role="region"
            aria-label=label
            aria-busy=move || busy.get().to_string()
            on:scroll=move |_| {
                if let Some(frame) = element() {
                    scrolled.set(f64::from(frame.scroll_top()));
                }
            }
            on:keydown=key
            on:copy=copied
            on:pointerdown=move |_| all.set(false)
            on:blur=move |_| all.set(false)
        >
            <code
                style:padding-top=move || space(range.with(|range| range.start))
                style:padding-bottom=move || space(
                    count.get().saturating_sub(range.with(|range| range.end)),
                )
                style:min-width=move || {
                    let width = listing.with(|listing| listing.as_ref().map_or(0, |l| l.width()));
                    format!("{width}ch")
                }
            >
                <For each=lines key=|(text, at, _)| (*text, *at) let((_, _, pieces))>
                    <span>
                        {pieces.into_iter().map(|(tag, text)| piece(tag, text)).collect_view()}
                    </span>
                </For>
            </code>
        </pre>
    }
}

fn selection() -> Option<Selection> {
    leptos::prelude::window().get_selection().ok().flatten()
}

/// Whether text is selected in the element.
fn has_selection(element: &HtmlElement) -> bool {
    selection().is_some_and(|selection| {
        !selection.is_collapsed() && element.contains(selection.anchor_node().as_ref())
    })
}

/// A short text with syntax colors.
pub fn highlighted(code: &Code) -> Vec<AnyView> {
    let mut pieces = Vec::with_capacity(code.spans.len() * 2 + 1);
    let mut at = 0;
    for (span, tag) in &code.spans {
        pieces.push(piece(None, code.text[at..span.start].to_owned()));
        pieces.push(piece(Some(*tag), code.text[span.clone()].to_owned()));
        at = span.end;
    }
    pieces.push(piece(None, code.text[at..].to_owned()));
    pieces
}

fn piece(tag: Option<Tag>, text: String) -> AnyView {
    let class = match tag {
        None => return text.into_any(),
        Some(Tag::Added) => return view! { <ins>{text}</ins> }.into_any(),
        Some(Tag::Removed) => return view! { <del>{text}</del> }.into_any(),
        Some(Tag::Comment) => "c-comment",
        Some(Tag::Keyword) => "c-keyword",
        Some(Tag::Type) => "c-type",
        Some(Tag::Function) => "c-function",
        Some(Tag::Key) => "c-key",
        Some(Tag::Text) => "c-text",
        Some(Tag::Number) => "c-number",
    };
    view! { <span class=class>{text}</span> }.into_any()
}

//! The field that has the focus while a merge gives parts other ids: it is left first, so that what was typed is stored for the
//! part that it was typed for, and typing goes on in the field of the same part.

use super::focus::{Awaited, is_shown};
use crate::ui::reactive::later::next_frame_with;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlTextAreaElement};

/// What is built again.
const FORMS: &str = ".inspector, [data-content=tab-access-patterns], [data-content=tab-cost]";
/// The regions that it is in.
const REGIONS: &str = ".inspector, .panel";

/// A text field that was left.
pub struct LeftField {
    field: Element,
    region: HtmlElement,
    name: String,
    caret: Option<u32>,
    _awaited: Awaited,
}

impl LeftField {
    /// Leaves the focused text field, if it will be built again.
    pub fn leave() -> Option<LeftField> {
        let field = document().active_element()?;
        field.closest(FORMS).ok()??;
        let region = field.closest(REGIONS).ok()??.dyn_into().ok()?;
        let caret = caret(&field)?;
        let name = name(&field);
        let _ = field.unchecked_ref::<HtmlElement>().blur();
        Some(LeftField {
            field,
            region,
            name,
            caret,
            _awaited: Awaited::new(),
        })
    }

    /// Goes on in the field of the same name and text once the regions are built, if there is only one, else in the region.
    pub fn enter_again(self) {
        next_frame_with(self, |left| {
            let text = text(&left.field);
            let is_it = |other: &Element| name(other) == left.name && self::text(other) == text;
            let same = match left.field.is_connected() {
                true => vec![left.field.clone()],
                false => fields(&left.region).into_iter().filter(is_it).collect(),
            };
            match same.as_slice() {
                [field] => enter(field, left.caret),
                _ => {
                    let _ = left.region.focus();
                }
            }
        });
    }
}

fn fields(region: &Element) -> Vec<Element> {
    let Ok(all) = region.query_selector_all("input, textarea") else {
        return Vec::new();
    };
    let all = (0..all.length()).filter_map(|at| all.get(at)?.dyn_into::<Element>().ok());
    all.filter(is_shown).collect()
}

/// The label of a field.
fn name(field: &Element) -> String {
    let label = || {
        let label = document().query_selector(&format!("label[for=\"{}\"]", field.id()));
        label.ok().flatten()?.text_content()
    };
    field
        .get_attribute("aria-label")
        .or_else(label)
        .unwrap_or_default()
}

fn text(field: &Element) -> Option<String> {
    let line = field
        .dyn_ref::<HtmlInputElement>()
        .map(HtmlInputElement::value);
    line.or_else(|| Some(field.dyn_ref::<HtmlTextAreaElement>()?.value()))
}

/// Where the cursor of a text field is; `None` for another element.
fn caret(field: &Element) -> Option<Option<u32>> {
    match field.dyn_ref::<HtmlInputElement>() {
        Some(line) if matches!(&*line.type_(), "checkbox" | "radio") => None,
        Some(line) => Some(line.selection_end().ok().flatten()),
        None => {
            let area = field.dyn_ref::<HtmlTextAreaElement>()?;
            Some(area.selection_end().ok().flatten())
        }
    }
}

fn enter(field: &Element, caret: Option<u32>) {
    let _ = field.unchecked_ref::<HtmlElement>().focus();
    let Some(at) = caret else { return };
    if let Some(line) = field.dyn_ref::<HtmlInputElement>() {
        let _ = line.set_selection_range(at, at);
    } else if let Some(area) = field.dyn_ref::<HtmlTextAreaElement>() {
        let _ = area.set_selection_range(at, at);
    }
}

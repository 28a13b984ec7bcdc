//! Highlighting of attributes: while the pointer or the keyboard focus is on a placeholder, a cell or a wire, the same
//! attributes are highlighted in templates, cards, the table and the exported code.
//!
//! Nothing is redrawn for it. One rule of a style sheet of its own names the highlighted attributes, and in the code the
//! browser highlights ranges of text. In the sheet of the page, each change would make the browser read all rules again.

use crate::ui::canvas::hit_test::wire_under;
use crate::ui::dom::element::{closest, target_of};
use crate::ui::dom::tints::keep_tints;
use crate::ui::state::store::Store;
use js_sys::{Array, Function, Reflect};
use keyfold_app::route::Wire;
use keyfold_core::export::rust::field_name;
use keyfold_core::template;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::{JsCast, JsValue};
use web_sys::{CssStyleSheet, Element, Event, Node};

/// The HTML attributes that name the attribute shown by placeholders and rows of cards, and by table cells.
const SHOWS: [&str; 2] = ["data-follow", "data-column"];

/// What is highlighted.
#[derive(Debug, Clone, PartialEq, Default)]
struct Lit {
    names: Vec<String>,
    /// Whether table cells are highlighted too: not if the pointer or the focus is in their column.
    cells: bool,
}
/// Limit of highlighted ranges of code.
const MAX_RANGES: u32 = 2000;

/// Follows the pointer and the focus until the reactive owner is disposed. The tints of attributes are kept when the page closes.
pub fn bind(store: Store) {
    let lit = StoredValue::new(Lit::default());
    let light = move |now: Lit| {
        if lit.with_value(|before| *before != now) {
            show(&now, lit.with_value(|before| !before.names.is_empty()));
            lit.set_value(now);
        }
    };
    let follow = move |event: &Event| {
        let target = target_of(event);
        light(
            target
                .map(|target| shown_by(store, &target))
                .unwrap_or_default(),
        );
    };
    let over = window_event_listener(ev::pointerover, move |event| follow(&event));
    let focus = window_event_listener(ev::focusin, move |event| {
        // The table itself has the focus only until its cell is in the page.
        let target = target_of(&event);
        if !target.is_some_and(|target| target.has_attribute("data-grid")) {
            follow(&event);
        }
    });
    let leave = window_event_listener(ev::pagehide, |_| keep_tints());
    on_cleanup(move || {
        over.remove();
        focus.remove();
        leave.remove();
    });
}

/// The attributes that an element shows.
fn shown_by(store: Store, element: &Element) -> Lit {
    for attribute in SHOWS {
        let found = closest(element, &format!("[{attribute}]"));
        if let Some(name) = found.and_then(|found| found.get_attribute(attribute)) {
            return Lit {
                names: vec![name],
                cells: attribute != SHOWS[1],
            };
        }
    }
    let names = wire_under(element).map(|wire| carried(store, wire));
    Lit {
        names: names.unwrap_or_default(),
        cells: true,
    }
}

/// The attributes of a wire: those of the index's key and those in the entity's templates for it.
fn carried(store: Store, (entity, index): Wire) -> Vec<String> {
    store.with(|design| {
        let key = design.key(index);
        let mut names: Vec<String> = (key.into_iter())
            .flat_map(|key| key.attributes())
            .map(|attribute| attribute.name.clone())
            .collect();
        let entity = design.entities.get(&entity);
        if let Some(entry) = entity.and_then(|entity| entity.keys.get(&index)) {
            for text in entry.partition.iter().chain(&entry.sort) {
                let template = template::parse(text).template;
                names.extend(template.attributes().map(str::to_owned));
            }
            names.extend(
                entry
                    .when
                    .iter()
                    .map(|condition| condition.attribute.clone()),
            );
        }
        names
    })
}

/// Highlights these attributes and no others. `replaces`: whether any are highlighted now.
fn show(lit: &Lit, replaces: bool) {
    let names = &lit.names;
    SHEET.with(|sheet| {
        let Ok(sheet) = sheet else { return };
        if replaces {
            let _ = sheet.delete_rule(0);
        }
        if !names.is_empty() {
            let _ = sheet.insert_rule(&rule(lit));
        }
    });
    let _ = show_in_code(names);
}

thread_local! {
    /// The style sheet with the rule.
    static SHEET: Result<CssStyleSheet, JsValue> = sheet();
}

/// Adds an empty style sheet to the page.
fn sheet() -> Result<CssStyleSheet, JsValue> {
    let sheet = CssStyleSheet::new()?;
    let name = JsValue::from("adoptedStyleSheets");
    let all = Array::from(&Reflect::get(&document(), &name)?);
    all.push(&sheet);
    Reflect::set(&document(), &name, &all)?;
    Ok(sheet)
}

fn rule(lit: &Lit) -> String {
    let shows = &SHOWS[..if lit.cells { 2 } else { 1 }];
    let mut selectors = Vec::new();
    for name in &lit.names {
        // Escaped, so that any name stays within the quotes.
        let name: String = (name.chars())
            .map(|c| format!("\\{:x} ", u32::from(c)))
            .collect();
        selectors.extend(
            shows
                .iter()
                .map(|attribute| format!("[{attribute}=\"{name}\"]")),
        );
    }
    let all = selectors.join(",");
    format!(":is({all}){{outline:2px solid var(--accent)!important;outline-offset:-1px!important}}")
}

/// Highlights the names in the exported code. Does nothing in browsers without text highlights.
fn show_in_code(names: &[String]) -> Result<(), JsValue> {
    let get = |object: &JsValue, name: &str| Reflect::get(object, &name.into());
    let highlights = get(&get(&window(), "CSS")?, "highlights")?;
    if highlights.is_undefined() {
        return Ok(());
    }
    let ranges = match document().query_selector(".code code")? {
        Some(code) => ranges(&code, names)?,
        None => Array::new(),
    };
    let constructor: Function = get(&window(), "Highlight")?.dyn_into()?;
    let highlight = Reflect::construct(&constructor, &ranges)?;
    let set: Function = get(&highlights, "set")?.dyn_into()?;
    set.call2(&highlights, &"follow".into(), &highlight)?;
    Ok(())
}

/// Adds the text nodes inside a node, in document order.
fn texts_of(node: &Node, texts: &mut Vec<Node>) {
    if node.node_type() == Node::TEXT_NODE {
        texts.push(node.clone());
    }
    let children = node.child_nodes();
    for child in (0..children.length()).filter_map(|at| children.get(at)) {
        texts_of(&child, texts);
    }
}

/// The ranges of the names, and of their field names, in the code that is in the page.
fn ranges(code: &Element, names: &[String]) -> Result<Array, JsValue> {
    let ranges = Array::new();
    let mut words: Vec<String> = names.to_vec();
    words.extend(names.iter().map(|name| field_name(name)));
    words.dedup();
    let mut texts = Vec::new();
    texts_of(code, &mut texts);
    for text in texts {
        let content = text.node_value().unwrap_or_default();
        for word in &words {
            for (start, found) in content.match_indices(word.as_str()) {
                let end = start + found.len();
                let inside = |c: char| c.is_alphanumeric() || c == '_';
                let before = content[..start].chars().next_back().is_some_and(inside);
                if before || content[end..].chars().next().is_some_and(inside) {
                    continue;
                }
                let units = |text: &str| text.encode_utf16().count() as u32;
                let range = document().create_range()?;
                let from = units(&content[..start]);
                range.set_start(&text, from)?;
                range.set_end(&text, from + units(found))?;
                ranges.push(&range);
                if ranges.length() >= MAX_RANGES {
                    return Ok(ranges);
                }
            }
        }
    }
    Ok(ranges)
}

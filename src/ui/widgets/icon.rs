//! Icons: line drawings on a 16 by 16 grid. They are decorative: the button around an icon has the accessible name.

use keyfold_core::lint::Severity;
use leptos::prelude::*;
use leptos::wasm_bindgen::UnwrapThrowExt;
use web_sys::Element;

/// The namespace of SVG.
const SVG: &str = "http://www.w3.org/2000/svg";

macro_rules! glyphs {
    ($($(#[$doc:meta])* $name:ident => $path:literal,)*) => {
        /// The icons.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Glyph { $($(#[$doc])* $name,)* }

        impl Glyph {
            fn path(self) -> &'static str {
                match self { $(Glyph::$name => $path,)* }
            }
        }
    };
}

glyphs! {
    /// A cross.
    Close => "M4 4l8 8M12 4l-8 8",
    /// A plus.
    Plus => "M8 3v10M3 8h10",
    /// A bin.
    Trash => "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M7 7v3.5M9 7v3.5",
    /// An arrow bent back.
    Undo => "M6 4L3 7l3 3M3 7h6.5a3.5 3.5 0 0 1 0 7H7",
    /// An arrow bent forward.
    Redo => "M10 4l3 3-3 3M13 7H6.5a3.5 3.5 0 0 0 0 7H9",
    /// Four corners.
    Fit => "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
    /// A minus.
    Minus => "M3 8h10",
    /// Two sheets.
    Copy => "M6 6h7v7H6zM3 10V3h7",
    /// An arrow down onto a line.
    Download => "M8 3v7M5 7.5L8 10.5l3-3M3 13h10",
    /// An arrow up from a line.
    Upload => "M8 10.5V3.5M5 6l3-3 3 3M3 13h10",
    /// An open book.
    Library => "M8 4.5C6.5 3.5 4.5 3.2 2.5 3.5v8.7c2-.3 4 0 5.5 1 1.5-1 3.5-1.3 5.5-1V3.5c-2-.3-4 0-5.5 1zM8 4.5v8.7",
    /// A sun.
    Sun => "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
    /// A moon.
    Moon => "M13 9.6A5.6 5.6 0 0 1 6.4 3 5.3 5.3 0 1 0 13 9.6z",
    /// Half light, half dark.
    System => "M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3",
    /// A downward angle.
    ChevronDown => "M4 6.5l4 4 4-4",
    /// A rightward angle.
    ChevronRight => "M6.5 4l4 4-4 4",
    /// An upward angle.
    ChevronUp => "M4 9.5l4-4 4 4",
    /// A card with lines.
    Entity => "M2.5 3h11v10h-11zM2.5 6.2h11M5 8.6h6M5 10.8h4",
    /// Lines that narrow.
    Index => "M3 4h10M3 8h7M3 12h4M12 8.5V13M10 11l2 2 2-2",
    /// An arrow from one box to another.
    Reference => "M2.5 2.5h4.5v4.5H2.5zM9 9h4.5v4.5H9zM4.7 7v4.3H9M7.2 9.5L9 11.3l-1.8 1.8",
    /// A flame.
    Heat => "M8 2c.5 2.5 4 4 4 7.5a4 4 0 0 1-8 0C4 8 4.8 6.8 5.8 6c.2 1 .6 1.6 1.2 2C6.8 6 7 3.8 8 2z",
    /// A sheet with a folded corner.
    Note => "M3 3h10v6.5L9.5 13H3zM13 9.5H9.5V13M5.5 6h5M5.5 8.5h2.5",
    /// A grid.
    Table => "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.5 3v10",
    /// A funnel.
    Filter => "M2.5 3.5h11L9.5 8.2V13l-3-1.8v-3z",
    /// A magnifying glass.
    Search => "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.3 3.3",
    /// Lines of text under a magnifying glass.
    Find => "M2.5 3.5h11M2.5 7h3.5M2.5 10.5h3.5M10 6.8a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8zM12.2 11.8l1.8 1.8",
    /// A question mark.
    Help => "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.3 6.4c.2-1 .9-1.5 1.8-1.5 1 0 1.7.6 1.7 1.5 0 1.2-1.7 1.3-1.7 2.6M8 11.2v.2",
    /// A triangle with a mark.
    Warning => "M8 2.5L14 13H2zM8 6.5v3M8 11.2v.2",
    /// A cross in a circle.
    Error => "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6 6l4 4M10 6l-4 4",
    /// A small i in a circle.
    Info => "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.6V11M8 5.2v.1",
    /// A tick.
    Check => "M3 8.5l3.2 3.2L13 5",
    /// Angle brackets.
    Code => "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5",
    /// Two ends and a line.
    Wire => "M3.5 9.8a1.8 1.8 0 1 0 0 .1zM12.5 6.2a1.8 1.8 0 1 0 0-.1zM5.2 9.2c2.5-.5 2.6-2.6 5.6-3",
    /// Two links of a chain.
    Link => "M6.4 9.6l3.2-3.2M7.2 4.9l1.4-1.4a2.75 2.75 0 0 1 3.9 3.9l-1.4 1.4M8.8 11.1l-1.4 1.4a2.75 2.75 0 0 1-3.9-3.9l1.4-1.4",
    /// Two halves and a line between them.
    Compare => "M6 3H2.5v10H6M10 3h3.5v10H10M8 1.5v13",
    /// A die.
    Die => "M4.5 2.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM5.5 5.5h.1M10.5 5.5h.1M8 8h.1M5.5 10.5h.1M10.5 10.5h.1",
    /// Rows and a spark.
    Generate => "M2.5 5h5M2.5 8.5h6M2.5 12h11M11.5 2v5M9 4.5h5",
    /// A clock whose hand goes back.
    History => "M3 8a5 5 0 1 1 1.6 3.7M3 4.5V8h3.5M8 5.5V8l2 1.3",
    /// Three dots.
    More => "M3.5 8h.1M8 8h.1M12.5 8h.1",
}

/// An icon, drawn in the text color.
#[component]
pub fn Icon(
    /// Which one.
    glyph: Glyph,
) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d=glyph.path() />
        </svg>
    }
}

/// An icon as an element, for views drawn without Leptos.
pub fn element(glyph: Glyph) -> Element {
    let make = |tag: &str, attributes: &[(&str, &str)]| {
        let element = (document().create_element_ns(Some(SVG), tag)).expect_throw("it is a name");
        for (name, value) in attributes {
            let _ = element.set_attribute(name, value);
        }
        element
    };
    let icon = make(
        "svg",
        &[
            ("class", "icon"),
            ("viewBox", "0 0 16 16"),
            ("aria-hidden", "true"),
            ("focusable", "false"),
        ],
    );
    let _ = icon.append_child(&make("path", &[("d", glyph.path())]));
    icon
}

/// The icon of a severity: each has its own shape.
pub fn severity_glyph(severity: Severity) -> Glyph {
    match severity {
        Severity::Error => Glyph::Error,
        Severity::Warning => Glyph::Warning,
        Severity::Info => Glyph::Info,
    }
}

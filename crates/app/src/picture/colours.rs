//! The colours of a picture: those of `style/tokens.css` in plain sRGB, which every viewer knows. A test holds the
//! two together.

/// A colour as `#rrggbb`.
pub type Colour = &'static str;

/// One of the hues of entities and attributes.
#[derive(Debug)]
pub struct Hue {
    /// Wires and the strip on a card (`--hue-strong`).
    pub strong: Colour,
    /// The head of a card (`--hue-soft`).
    pub soft: Colour,
    /// The ground of chips and badges (`--hue-chip`).
    pub chip: Colour,
    /// Text on any of the two grounds (`--hue-text`).
    pub text: Colour,
}

/// The colours of one theme; each field is called as its token.
#[derive(Debug)]
pub struct Theme {
    /// Behind the cards (`--canvas`).
    pub canvas: Colour,
    /// Cards (`--surface`).
    pub surface: Colour,
    /// Heads of index cards (`--surface-2`).
    pub surface_2: Colour,
    /// Lines inside a card (`--line`).
    pub line: Colour,
    /// Outlines of cards, wires to the table (`--line-strong`).
    pub line_strong: Colour,
    /// Text (`--text`).
    pub text: Colour,
    /// Text of less weight (`--text-2`).
    pub text_2: Colour,
    /// Text of least weight (`--text-3`).
    pub text_3: Colour,
    /// What is wrong (`--error`).
    pub error: Colour,
    /// The hues, in the order of `.hue-0` to `.hue-11`.
    pub hues: [Hue; 12],
}

const fn hue(strong: Colour, soft: Colour, chip: Colour, text: Colour) -> Hue {
    Hue {
        strong,
        soft,
        chip,
        text,
    }
}

/// The light theme.
pub static LIGHT: Theme = Theme {
    canvas: "#f6f7f9",
    surface: "#ffffff",
    surface_2: "#f6f7f9",
    line: "#e3e6eb",
    line_strong: "#c9ced7",
    text: "#15181e",
    text_2: "#525a68",
    text_3: "#646c7a",
    error: "#b42318",
    hues: [
        hue("#3475c4", "#e1f0ff", "#cde7ff", "#174276"),
        hue("#ae5c00", "#feeadb", "#ffddc1", "#673200"),
        hue("#008d5f", "#ddf5e9", "#c3f1dc", "#005235"),
        hue("#9c54a1", "#f9e8fa", "#f8d9f9", "#5c2d5f"),
        hue("#887400", "#f3efd9", "#ede6bc", "#4f4200"),
        hue("#7563c0", "#eeecff", "#e3dfff", "#433773"),
        hue("#b84d49", "#ffe7e4", "#ffd7d2", "#6e2826"),
        hue("#008a9b", "#d8f5f8", "#baf0f6", "#00505b"),
        hue("#588418", "#e8f3de", "#d9edc6", "#304c03"),
        hue("#af4d80", "#ffe7f1", "#ffd6ea", "#68284a"),
        hue("#0081b6", "#dbf3ff", "#c0ecff", "#004a6d"),
        hue("#936d24", "#f9edd9", "#f8e1bc", "#5e3a00"),
    ],
};

/// The dark theme.
pub static DARK: Theme = Theme {
    canvas: "#0e1013",
    surface: "#16181d",
    surface_2: "#1c1f25",
    line: "#2a2e36",
    line_strong: "#3d434e",
    text: "#e8eaee",
    text_2: "#a6aebb",
    text_3: "#8f97a5",
    error: "#ff8a80",
    hues: [
        hue("#6aa7f4", "#1b2a3c", "#223956", "#b4dbff"),
        hue("#df8f48", "#372414", "#4e3015", "#ffcca2"),
        hue("#3fbe90", "#142f24", "#124230", "#a5e9ca"),
        hue("#cd87d1", "#332234", "#482d49", "#f3c6f5"),
        hue("#b8a636", "#2d2911", "#3f380e", "#e3d99c"),
        hue("#a495f0", "#28253b", "#383255", "#d6cfff"),
        hue("#eb827b", "#3a211f", "#532b28", "#ffc4bd"),
        hue("#00bbcb", "#0b2e32", "#004147", "#96e7f1"),
        hue("#89b559", "#222d17", "#2d3e1b", "#c6e3ab"),
        hue("#e181b0", "#38212c", "#4f2a3c", "#ffc2df"),
        hue("#32b3e6", "#112c39", "#0d3d51", "#a0e2ff"),
        hue("#c69e58", "#332710", "#48340e", "#f4d29b"),
    ],
};

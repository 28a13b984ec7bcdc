//! The colors of a picture: those of `style/tokens.css` as plain sRGB, which every viewer supports. A test compares
//! the two.

/// A color as `#rrggbb`.
pub type Color = &'static str;

/// A hue of entities and attributes.
#[derive(Debug)]
pub struct Hue {
    /// Wires and the strip on a card (`--hue-strong`).
    pub strong: Color,
    /// Header of a card (`--hue-soft`).
    pub soft: Color,
    /// Background of chips and badges (`--hue-chip`).
    pub chip: Color,
    /// Text on either background (`--hue-text`).
    pub text: Color,
}

/// The colors of a theme. The fields are named like the CSS tokens.
#[derive(Debug)]
pub struct Theme {
    /// Canvas background (`--canvas`).
    pub canvas: Color,
    /// Cards (`--surface`).
    pub surface: Color,
    /// Headers of index cards (`--surface-2`).
    pub surface_2: Color,
    /// Lines inside a card (`--line`).
    pub line: Color,
    /// Outlines of badges (`--line-strong`).
    pub line_strong: Color,
    /// Outlines of cards (`--line-field`).
    pub line_field: Color,
    /// Text (`--text`).
    pub text: Color,
    /// Secondary text (`--text-2`).
    pub text_2: Color,
    /// Tertiary text and wires to the table (`--text-3`).
    pub text_3: Color,
    /// Errors (`--error`).
    pub error: Color,
    /// The hues, in the order of `.hue-0` to `.hue-11`.
    pub hues: [Hue; 12],
}

const fn hue(strong: Color, soft: Color, chip: Color, text: Color) -> Hue {
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
    line_field: "#8b93a1",
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
    line_field: "#666e7c",
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

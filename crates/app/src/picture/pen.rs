//! Writes SVG: the few shapes of a picture. It uses only attributes that old viewers know, and no style sheets,
//! classes, scripts or external files.

use super::colors::Color;
use super::escape::escape;
use crate::fit_text::text_width;

/// Font attribute of plain text. Each list ends with a font that any viewer has.
pub const SANS: &str =
    " font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif\"";
/// Font attribute of monospaced text.
pub const MONO: &str = " font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\"";
/// [`MONO`] in bold.
pub const MONO_BOLD: &str =
    " font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-weight=\"600\"";

/// Style of a text.
#[derive(Clone, Copy)]
pub struct TextStyle {
    /// Color.
    pub fill: Color,
    /// Font size, in pixels.
    pub size: f64,
    /// Further attributes, each starting with a space.
    pub more: &'static str,
}

/// An SVG document being written.
pub struct Pen {
    /// The output so far.
    pub out: String,
}

impl Pen {
    /// Writes trusted markup.
    pub fn raw(&mut self, markup: &str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Writes text from the design, escaped.
    pub fn plain(&mut self, text: &str) -> &mut Self {
        escape(&mut self.out, text);
        self
    }

    /// Writes a number, rounded to tenths.
    pub fn number(&mut self, number: f64) -> &mut Self {
        let tenths = (number * 10.0).round() as i64;
        if tenths < 0 {
            self.out.push('-');
        }
        self.out.push_str(&(tenths.abs() / 10).to_string());
        if tenths % 10 != 0 {
            self.out.push('.');
            self.out.push_str(&(tenths.abs() % 10).to_string());
        }
        self
    }

    /// Writes an attribute with a number.
    pub fn attribute(&mut self, name: &str, value: f64) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").number(value).raw("\"")
    }

    /// Draws a rectangle with corner radius `round`.
    pub fn rect(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), round: f64, fill: Color) {
        self.raw("<rect").attribute("x", x).attribute("y", y);
        self.attribute("width", w).attribute("height", h);
        if round > 0.0 {
            self.attribute("rx", round);
        }
        self.raw(" fill=\"").raw(fill).raw("\"/>");
    }

    /// Draws the outline of a rectangle, one pixel wide, inside its bounds.
    pub fn outline(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), round: f64, stroke: Color) {
        self.raw("<rect")
            .attribute("x", x + 0.5)
            .attribute("y", y + 0.5);
        self.attribute("width", w - 1.0)
            .attribute("height", h - 1.0);
        self.attribute("rx", round - 0.5);
        self.raw(" fill=\"none\" stroke=\"").raw(stroke).raw("\"/>");
    }

    /// Draws a line across a card, from its left edge.
    pub fn rule(&mut self, y: f64, width: f64, stroke: Color) {
        self.raw("<path d=\"M0 ").number(y).raw("h").number(width);
        self.raw("\" fill=\"none\" stroke=\"")
            .raw(stroke)
            .raw("\"/>");
    }

    /// Draws text that starts at `x` on baseline `y`.
    pub fn text(&mut self, x: f64, y: f64, look: TextStyle, text: &str) {
        self.raw("<text").attribute("x", x).attribute("y", y);
        self.look(look).raw(">").plain(text).raw("</text>\n");
    }

    /// Draws a piece of a line of text at `x`, exactly as wide as estimated whatever the font, so that chips and
    /// their texts stay together.
    pub fn span(&mut self, x: f64, look: TextStyle, text: &str) {
        let length = text_width(text, look.size);
        self.raw("<tspan").attribute("x", x);
        if length > 0.0 {
            self.attribute("textLength", length);
            self.raw(" lengthAdjust=\"spacingAndGlyphs\"");
        }
        self.raw(" fill=\"").raw(look.fill).raw("\"").raw(look.more);
        self.raw(">").plain(text).raw("</tspan>");
    }

    /// Writes the attributes of a text style.
    pub fn look(&mut self, look: TextStyle) -> &mut Self {
        self.attribute("font-size", look.size);
        self.raw(" fill=\"").raw(look.fill).raw("\"").raw(look.more)
    }

    /// Writes the title of the current group.
    pub fn title(&mut self, text: &str) {
        self.raw("<title>").plain(text).raw("</title>\n");
    }
}

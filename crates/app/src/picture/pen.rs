//! The pen that writes SVG: the few shapes that a picture consists of. Only attributes that the oldest viewers know,
//! no style sheet, no class, no script, nothing from elsewhere.

use super::colours::Colour;
use super::text::{escape, width};

/// The attribute of text in words. Every list ends in what any viewer has.
pub const SANS: &str =
    " font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif\"";
/// The attribute of text in a monospaced font.
pub const MONO: &str = " font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\"";
/// [`MONO`], and in bold.
pub const MONO_BOLD: &str =
    " font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-weight=\"600\"";

/// How a piece of text looks.
#[derive(Clone, Copy)]
pub struct Look {
    /// Its colour.
    pub fill: Colour,
    /// Size of the font, in pixels.
    pub size: f64,
    /// Further attributes, each after a space.
    pub more: &'static str,
}

/// A picture that is being drawn.
pub struct Pen {
    /// What is written so far.
    pub out: String,
}

impl Pen {
    /// Markup of our own.
    pub fn raw(&mut self, markup: &str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// A text from the design.
    pub fn plain(&mut self, text: &str) -> &mut Self {
        escape(&mut self.out, text);
        self
    }

    /// A number, to a tenth.
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

    /// An attribute whose value is a number.
    pub fn attribute(&mut self, name: &str, value: f64) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").number(value).raw("\"")
    }

    /// A rectangle with round corners; `more` is further attributes.
    pub fn rect(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), round: f64, fill: Colour) {
        self.raw("<rect").attribute("x", x).attribute("y", y);
        self.attribute("width", w).attribute("height", h);
        if round > 0.0 {
            self.attribute("rx", round);
        }
        self.raw(" fill=\"").raw(fill).raw("\"/>");
    }

    /// The outline of a rectangle, one pixel wide, within its bounds.
    pub fn outline(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), round: f64, stroke: Colour) {
        self.raw("<rect")
            .attribute("x", x + 0.5)
            .attribute("y", y + 0.5);
        self.attribute("width", w - 1.0)
            .attribute("height", h - 1.0);
        self.attribute("rx", round - 0.5);
        self.raw(" fill=\"none\" stroke=\"").raw(stroke).raw("\"/>");
    }

    /// A line across a card, from its left edge.
    pub fn rule(&mut self, y: f64, width: f64, stroke: Colour) {
        self.raw("<path d=\"M0 ").number(y).raw("h").number(width);
        self.raw("\" fill=\"none\" stroke=\"")
            .raw(stroke)
            .raw("\"/>");
    }

    /// A text that begins at `x`, on the line `y`.
    pub fn text(&mut self, x: f64, y: f64, look: Look, text: &str) {
        self.raw("<text").attribute("x", x).attribute("y", y);
        self.look(look).raw(">").plain(text).raw("</text>\n");
    }

    /// A piece of a line of text, at a place of its own and exactly as wide as the estimate, whichever font the
    /// viewer has: so that chips and their texts stay together.
    pub fn span(&mut self, x: f64, look: Look, text: &str) {
        let length = width(text, look.size);
        self.raw("<tspan").attribute("x", x);
        if length > 0.0 {
            self.attribute("textLength", length);
            self.raw(" lengthAdjust=\"spacingAndGlyphs\"");
        }
        self.raw(" fill=\"").raw(look.fill).raw("\"").raw(look.more);
        self.raw(">").plain(text).raw("</tspan>");
    }

    /// The attributes of a look.
    pub fn look(&mut self, look: Look) -> &mut Self {
        self.attribute("font-size", look.size);
        self.raw(" fill=\"").raw(look.fill).raw("\"").raw(look.more)
    }

    /// What a viewer says of the group that was just begun.
    pub fn title(&mut self, text: &str) {
        self.raw("<title>").plain(text).raw("</title>\n");
    }
}

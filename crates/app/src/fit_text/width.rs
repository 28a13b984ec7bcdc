//! The width of a text, and a text cut to a width: in pictures, on cards and in cells.

use std::borrow::Cow;

/// Width of a monospaced character, relative to the font size. Proportional text is rarely wider.
const ADVANCE: f64 = 0.6;

/// Number of cells of a character: 2 for East Asian scripts and emoji, 0 for combining characters.
fn cells(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1_f300..=0x1_f64f
        | 0x1_f680..=0x1_f6ff
        | 0x1_f900..=0x1_f9ff
        | 0x2_0000..=0x3_fffd => 2,
        _ => 1,
    }
}

/// Returns the width of a text in pixels, for a font size of `font_px` pixels: exact for common monospaced fonts, an
/// upper estimate for most text in other fonts.
pub fn text_width(text: &str, font_px: f64) -> f64 {
    text.chars().map(cells).sum::<usize>() as f64 * ADVANCE * font_px
}

/// Returns the text if it is at most `width_px` wide in a font of `font_px` pixels; otherwise its start and an
/// ellipsis. The ellipsis is there even if nothing fits.
pub fn truncate(text: &str, width_px: f64, font_px: f64) -> Cow<'_, str> {
    // A little more, because sums of tenths are not exact.
    let room = ((width_px + 0.01) / (ADVANCE * font_px)) as usize;
    let (mut taken, mut end) = (0, 0);
    for (at, c) in text.char_indices() {
        taken += cells(c);
        if taken > room {
            let kept = text[..end].trim_end_matches('\u{200d}');
            return format!("{kept}…").into();
        }
        if taken < room {
            end = at + c.len_utf8();
        }
    }
    text.into()
}

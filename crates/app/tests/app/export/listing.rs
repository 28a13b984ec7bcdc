//! Texts split into lines.

use keyfold_app::export::Listing;
use keyfold_core::export::{Code, Tag};
use keyfold_core::slices::finish;

/// The lines of a listing, each piece after the letter of its tag.
fn lines(listing: &Listing) -> Vec<String> {
    let piece = |(tag, text): (Option<Tag>, &str)| match tag {
        None => text.to_owned(),
        Some(tag) => format!("<{tag:?} {text}>"),
    };
    (0..listing.lines())
        .map(|at| listing.line(at).into_iter().map(piece).collect())
        .collect()
}

#[test]
fn a_line_has_its_pieces_and_line_ending() {
    let code = Code {
        text: "let x;\n\n// äß\nlast".to_owned(),
        spans: vec![(0..3, Tag::Keyword), (8..15, Tag::Comment)],
    };
    let listing = finish(Listing::new(code));
    assert_eq!(
        lines(&listing),
        ["<Keyword let> x;\n", "\n", "<Comment // äß>\n", "last"]
    );
    assert_eq!(
        listing.width(),
        7,
        "a letter that is not ASCII counts twice"
    );
    assert!(listing.line(4).is_empty());
}

#[test]
fn a_multi_line_piece_is_split_at_line_endings() {
    let listing = finish(Listing::of_changes("a\nb\nc\nd\n", "a\nx\ny\nc\nd\n"));
    assert_eq!(
        lines(&listing),
        [
            "  a\n",
            "<Removed - b\n>",
            "<Added + x\n>",
            "<Added + y\n>",
            "  c\n",
            "  d\n"
        ]
    );
}

#[test]
fn an_empty_text_has_no_lines() {
    let listing = finish(Listing::new(Code::default()));
    assert_eq!((listing.lines(), listing.width()), (0, 0));
}

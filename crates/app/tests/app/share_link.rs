//! Links that contain a design.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateEncoder;
use keyfold_app::share_link::{
    CHATS, LinkError, MAX_BYTES, MAX_LENGTH, advice, decode, embed_code, encode, is_link,
};
use keyfold_core::library::patterns;
use keyfold_core::model::{Design, Sample, SampleId, Value, validate_invariants};
use keyfold_test_support::any_design::any_design;
use keyfold_test_support::cases;
use keyfold_test_support::designs::full_design;
use proptest::prelude::*;
use proptest::sample::Index;
use std::io::Read;
use std::sync::Arc;

/// An address of 60 characters.
const ADDRESS: &str = "https://keyfold.tools.engineering.example.com/designs/table/";

/// The fragment with this text in place of a design file, with its checksum.
fn of_text(mut text: impl Read) -> String {
    let mut bytes = Vec::new();
    let encoder = DeflateEncoder::new(&mut text, Compression::best()).read_to_end(&mut bytes);
    encoder.expect("deflated");
    of_data(&URL_SAFE_NO_PAD.encode(bytes))
}

fn of_data(data: &str) -> String {
    let mut crc = flate2::Crc::new();
    crc.update(data.as_bytes());
    format!("#v1.{data}.{:08x}", crc.sum())
}

/// The design without samples, as a person makes it.
fn bare(design: &Design) -> Design {
    let mut bare = design.clone();
    for (id, samples) in &design.samples {
        let gone: Vec<SampleId> = samples.iter().map(|sample| sample.id).collect();
        bare.remove_samples(*id, &gone);
    }
    bare
}

#[test]
fn links_of_the_library_are_short_and_open_to_the_same_design() {
    assert_eq!(ADDRESS.len(), 60);
    let mut lengths = String::new();
    for pattern in patterns() {
        let design = pattern.design().expect("a design");
        assert!(!design.layout.is_empty(), "{}", pattern.name);
        let link = |samples| format!("{ADDRESS}{}", encode(&design, samples).expect("a link"));
        let (with, without) = (link(true), link(false));
        assert!(with.len() < 8192, "{}: {}", pattern.name, with.len());
        assert_eq!(decode(&with).as_ref(), Ok(&design), "{}", pattern.name);
        assert_eq!(decode(&without), Ok(bare(&design)), "{}", pattern.name);
        let (name, with, without) = (pattern.name, with.len(), without.len());
        lengths += &format!("{name:30} {with:5} {without:5}\n");
    }
    insta::assert_snapshot!(lengths);
}

#[test]
fn a_fragment_has_no_characters_that_a_program_escapes_or_leaves_out() {
    let fragment = encode(&full_design(), true).expect("a link");
    let (start, rest) = fragment.split_at(4);
    assert_eq!(start, "#v1.");
    assert!(
        rest.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    );
    let end = fragment.rsplit_once('.').expect("a checksum").1;
    assert!(end.len() == 8 && end.bytes().all(|byte| byte.is_ascii_hexdigit()));
}

#[test]
fn surrounding_space_does_not_matter() {
    let design = full_design();
    let fragment = encode(&design, true).expect("a link");
    assert_eq!(decode(&format!(" {ADDRESS}{fragment}\r\n")), Ok(design));
}

#[test]
fn links_that_cannot_be_opened() {
    let fragment = encode(&full_design(), true).expect("a link");
    let whole = format!("{ADDRESS}{fragment}");
    let mut said = String::new();
    for (what, link) in [
        ("nothing", String::new()),
        ("no fragment", ADDRESS.to_owned()),
        ("another fragment", format!("{ADDRESS}#intro")),
        ("another fragment", format!("{ADDRESS}#v")),
        ("another fragment", format!("{ADDRESS}#version")),
        ("version 0", fragment.replace("#v1", "#v0")),
        ("no version", fragment.replace("#v1", "#v99999999999")),
        ("a newer version", fragment.replace("#v1", "#v2")),
        ("a newer version", "#v10".to_owned()),
        ("cut off", whole[..whole.len() - 1].to_owned()),
        ("cut off", whole[..200].to_owned()),
        ("cut off", "#v1.".to_owned()),
        ("cut off", "#v1".to_owned()),
        ("longer", format!("{whole}.")),
        (
            "letters in upper case",
            whole.to_uppercase().replace("#V", "#v"),
        ),
        ("not base64", of_data("a+b/")),
        ("not deflated", of_data("____")),
        ("not UTF-8", of_text(&b"\xff\xfe"[..])),
        ("no JSON", of_text(&b"hello"[..])),
        ("no design", of_text(&b"[]"[..])),
        ("a newer file", of_text(&br#"{"keyfold": 99}"#[..])),
        (
            "an invalid design",
            of_text(&br#"{"keyfold": 1, "name": ""}"#[..]),
        ),
        ("long", format!("#v1.{}", "A".repeat(MAX_LENGTH))),
        (
            "large",
            of_text(std::io::repeat(b' ').take(MAX_BYTES as u64 + 1)),
        ),
    ] {
        let error = decode(&link).expect_err(what).to_string();
        said += &format!("{what}: {error}\n");
    }
    insta::assert_snapshot!(said);
}

#[test]
fn a_design_that_is_too_large_is_refused_when_the_link_is_made() {
    let mut design = patterns()[0].design().expect("a design");
    let entity = *design.entities.keys().next().expect("an entity");
    let mut with_text = |text: String| {
        let sample = Sample {
            id: SampleId(design.take_id()),
            values: [("note".to_owned(), Value::S(text))].into(),
        };
        let samples = vec![Arc::new(sample)];
        design.samples.insert(entity, Arc::new(samples));
        design.clone()
    };
    let large = with_text("x".repeat(MAX_BYTES));
    assert_eq!(encode(&large, true), Err(LinkError::TooLarge));
    assert!(encode(&large, false).is_ok());
    // Text that does not deflate.
    let mut state = 1_u32;
    let noise = (0..1_000_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b' ' + (state >> 24) as u8 % 64)
    });
    let long = with_text(noise.collect());
    assert_eq!(encode(&long, true), Err(LinkError::TooLong));
}

#[test]
fn advice_names_the_chats_and_what_helps() {
    assert_eq!(advice(CHATS[0].max_length, Some(100)), None);
    let mut said = String::new();
    for (length, without) in [(2001, None), (4001, Some(3000)), (7169, Some(7000))] {
        said += &advice(length, without).expect("advice");
        said.push('\n');
    }
    insta::assert_snapshot!(said);
}

#[test]
fn links_are_told_from_files() {
    for link in ["https://a.b/#v1.x.y", "http://127.0.0.1:8080/", " #v1."] {
        assert!(is_link(link), "{link}");
    }
    for other in [
        "design.json",
        "-",
        "pattern:blog",
        "{}",
        "// text",
        "# a comment",
        "",
    ] {
        assert!(!is_link(other), "{other}");
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn any_design_opens_as_it_was_sent(design in any_design()) {
        let fragment = encode(&design, true).expect("a link");
        prop_assert_eq!(decode(&fragment), Ok(design.clone()));
        let fragment = encode(&design, false).expect("a link");
        let opened = decode(&fragment).expect("a design");
        prop_assert_eq!(validate_invariants(&opened), []);
        prop_assert_eq!(opened, bare(&design));
    }

    #[test]
    fn a_changed_link_is_refused_or_opens_to_the_same_design(
        edits in prop::collection::vec((any::<Index>(), 0..40usize, "[A-Za-z0-9._#-]{0,3}|\\PC{0,3}"), 1..4),
    ) {
        let design = patterns()[0].design().expect("a design");
        let mut link = encode(&design, true).expect("a link");
        for (at, length, new) in edits {
            let start = link.floor_char_boundary(at.index(link.len() + 1));
            let end = link.floor_char_boundary((start + length).min(link.len()));
            link.replace_range(start..end.max(start), &new);
        }
        if let Ok(opened) = decode(&link) {
            prop_assert_eq!(opened, design);
        }
    }

    #[test]
    fn any_text_is_refused(text in "#v1\\.[A-Za-z0-9_-]{0,200}(\\.[0-9a-f]{8})?|#?\\PC{0,80}") {
        prop_assert!(decode(&text).is_err());
    }
}

#[test]
fn the_code_for_a_page_has_no_markup_of_the_design() {
    let code = embed_code("https://example.com/?embed#v1.a.b", "A \"b\" <script>&");
    assert_eq!(
        code,
        "<iframe src=\"https://example.com/?embed#v1.a.b\" title=\"A &quot;b&quot; &lt;script&gt;&amp;\" width=\"100%\" height=\"600\" style=\"border: 0\" loading=\"lazy\"></iframe>"
    );
}

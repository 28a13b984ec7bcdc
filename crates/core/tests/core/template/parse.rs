//! Parsing templates and writing them.

use super::{snapshot, template};
use keyfold_core::template::{MODIFIERS, Segment, Template, parse};
use keyfold_test_support::cases;
use proptest::prelude::*;

/// The segments and errors of a text, one per line, each with the text that it spans.
fn describe(text: &str) -> String {
    let parsed = parse(text);
    let mut lines = vec![format!("{text:?} => {:?}", parsed.template.to_string())];
    lines.extend(
        parsed
            .template
            .segments
            .iter()
            .map(|segment| match segment {
                Segment::Literal {
                    text: literal,
                    span,
                } => format!("  literal {literal:?} of {:?}", &text[span.clone()]),
                Segment::Placeholder(p) => format!(
                    "  placeholder {} {:?} of {:?}",
                    p.attribute,
                    p.modifiers,
                    &text[p.span.clone()]
                ),
                Segment::Broken { text: broken, .. } => format!("  broken {broken:?}"),
            }),
    );
    lines.extend(
        parsed
            .errors
            .iter()
            .map(|e| format!("  error at {:?}: {}", &text[e.span.clone()], e.message)),
    );
    lines.join("\n")
}

#[test]
fn valid_texts_parse() {
    let right = [
        "",
        "USER",
        "{id}",
        "USER#{id}",
        "{ id : lower | first( 3 ) }",
        "${id}",
        "U#${tenantId}#<userId>",
        "<a.b-c_d:date>",
        "a < b > c",
        "<>",
        "<a b>",
        "$",
        "$5#{id}",
        "$${id}",
        "$<id>",
        "${{id}}",
        "{{{id}}}",
        "{{}}",
        "{first name}",
        "{ns:pad(3,2)|shard(8)}",
        "{größe}→{x}",
        "<größe>",
        "{a}{b}",
        "{#tag}",
    ];
    snapshot("templates", &right.map(describe).join("\n"));
}

#[test]
fn invalid_texts_report_errors() {
    let wrong = [
        "{",
        "}",
        "{}",
        "{ }",
        "${}",
        "{id",
        "USER#{id#ORDER#{x}",
        "a}b",
        "{id}}",
        "{:lower}",
        "{id:}",
        "{id:lower|}",
        "{id:bogus}",
        "<id:bogus>",
        "{id|lower}",
        "{id:pad}",
        "{id:pad(0)}",
        "{id:pad(39)}",
        "{id:pad(30,9)}",
        "{id:pad(1,2,3)}",
        "{id:pad(x)}",
        "{id:pad(5}",
        "{id:lower()}",
        "{id:desc(99)}",
        "{id:first(0)}",
        "{id:shard(0)}",
        "{id:shard(4294967296)}",
        "{a:x|lower|y}",
        "{a:LOWER}",
    ];
    snapshot("template_errors", &wrong.map(describe).join("\n"));
}

#[test]
fn renaming_an_attribute_changes_every_placeholder() {
    let mut t = template("A#${id:lower}#$<other>#{id}");
    assert_eq!(t.rename_attribute("id", "userId"), Ok(2));
    assert_eq!(t.to_string(), "A#{userId:lower}#$${other}#{userId}");
    assert_eq!(
        t,
        template(&t.to_string()),
        "spans must refer to the canonical text"
    );
    assert_eq!(
        t.attributes().collect::<Vec<_>>(),
        ["userId", "other", "userId"]
    );
    assert_eq!(t.rename_attribute("nobody", "x"), Ok(0));
    for bad in ["", " a", "a:b", "a}", "a|b"] {
        assert!(t.rename_attribute("userId", bad).is_err(), "{bad}");
    }
    assert!(t.uses("userId"));
    assert!(template("{a}").is_single_placeholder());
    assert!(!template("{a}{b}").is_single_placeholder());
    assert!(template("METADATA").is_static());
    assert_eq!(t.leading_literal(), "A#");
}

#[test]
fn every_listed_modifier_parses() {
    for (form, _) in MODIFIERS {
        template(&format!(
            "{{a:{}}}",
            form.replace(['n', 'd'], "3")
                .replace("3ate", "date")
                .replace("mo3th", "month")
                .replace("pa3", "pad")
                .replace("3esc", "desc")
                .replace("shar3", "shard")
        ));
    }
}

/// Texts with many characters that matter to the parser.
fn noisy() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{", "}", "{{", "}}", "$", "${", "<", ">", ":", "|", "a", "b1", "#", " ", "é", "lower",
        "pad(3)", "pad(", ")", "first(2)", "\n",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..14).prop_map(|v| v.concat()),
        ".{0,20}"
    ]
}

fn without_spans(t: &Template) -> Vec<String> {
    let one = |segment: &Segment| match segment {
        Segment::Literal { text, .. } => format!("literal {text}"),
        Segment::Placeholder(p) => format!("placeholder {p}"),
        Segment::Broken { text, .. } => format!("broken {text}"),
    };
    t.segments.iter().map(one).collect()
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn every_text_parses_and_its_segments_cover_it(text in noisy()) {
        let parsed = parse(&text);
        let mut end = 0;
        for segment in &parsed.template.segments {
            prop_assert_eq!(segment.span().start, end);
            prop_assert!(segment.span().end > end);
            end = segment.span().end;
        }
        prop_assert_eq!(end, text.len());
        prop_assert_eq!(parsed.errors.is_empty(), !parsed.template.is_broken());
        for error in &parsed.errors {
            prop_assert!(text.get(error.span.clone()).is_some());
        }
    }

    #[test]
    fn the_canonical_text_gives_the_same_template(text in noisy()) {
        let parsed = parse(&text);
        let canonical = parsed.template.to_string();
        let again = parse(&canonical);
        prop_assert_eq!(without_spans(&again.template), without_spans(&parsed.template));
        prop_assert_eq!(again.template.to_string(), canonical);
        prop_assert_eq!(again.errors.len(), parsed.errors.len());
    }
}

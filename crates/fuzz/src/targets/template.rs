//! Key templates.

use keyfold_core::model::{AttributeType, DelimiterPolicy, OnDelimiter, SortedMap, Value};
use keyfold_core::template::{KeyLanguage, Shapes, parse, render, render_value};

/// Words of templates.
pub const TEMPLATE_WORDS: &[&str] = &[
    "{a}",
    "{n}",
    "{missing}",
    "${a}",
    "<a>",
    "{a:",
    ":lower",
    "|upper",
    ":pad(10)",
    ":pad(0)",
    ":date",
    ":month",
    ":year",
    ":desc",
    ":desc(18)",
    ":first(3)",
    ":first(2048)",
    ":shard(10)",
    ":shard(65536)",
    "#",
    "##",
    "\n",
    "{{",
    "}}",
    "%23",
    "USER#",
    "4294967296",
    "😀",
];

/// Parses, renders and analyzes the template in the first line, beside the template in the second line. The third line is a
/// key to parse back.
pub fn template(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let mut line = || lines.next().unwrap_or_default();
    let (text, other, key) = (line(), line(), line());
    let parsed = parse(text);
    for error in &parsed.errors {
        assert!(text.get(error.span.clone()).is_some(), "{error:?}");
    }
    let broken = parsed.template.segments.iter();
    let broken = broken.filter(|segment| text.get(segment.span()).is_none());
    assert_eq!(broken.count(), 0, "a segment is no part of the text");
    let template = &parsed.template;
    let values: SortedMap<String, Value> = [
        ("a".to_owned(), Value::from("x-1")),
        ("n".to_owned(), Value::from(-7)),
        ("createdAt".to_owned(), Value::from("2026-02-01T10:00:00Z")),
        ("long".to_owned(), Value::S("é#%".repeat(900))),
        ("yes".to_owned(), Value::Bool(true)),
    ]
    .into();
    let lookup = |name: &str| values.get(name);
    for on_conflict in [OnDelimiter::Reject, OnDelimiter::PercentEncode] {
        let delimiter = "#".to_owned();
        let policy = DelimiterPolicy {
            delimiter,
            on_conflict,
        };
        let language = KeyLanguage::new(template, &Shapes::new(), &policy);
        let second = KeyLanguage::new(&parse(other).template, &Shapes::new(), &policy);
        let _ = language.ambiguity();
        let _ = language.open_prefix();
        let _ = (language.collides(&second), language.collides_apart(&second));
        let _ = (
            language.is_prefix_in(&second),
            second.is_prefix_in(&language),
        );
        let _ = language.parse_back(key);
        if let Ok(rendered) = render(template, &policy, &lookup) {
            let longest = language.max_length();
            assert!(
                longest.is_none_or(|longest| rendered.len() <= longest),
                "{rendered}"
            );
            let _ = language.parse_back(&rendered);
        }
        for kind in [AttributeType::S, AttributeType::N, AttributeType::B] {
            let _ = render_value(template, kind, &policy, &lookup, 2048);
        }
    }
    parsed.errors.is_empty()
}

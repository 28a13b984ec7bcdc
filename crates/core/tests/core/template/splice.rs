//! Splices: an edit of one literal, made in the texts that were rendered before it.

use super::{encode, item, reject, template};
use keyfold_core::template::{DelimiterPolicy, Splice, parse, render};
use proptest::prelude::*;
use serde_json::json;

/// What becomes of the key that `old` renders of an item; `None`: it has to be rendered.
fn spliced(
    old: &str,
    new: &str,
    policy: &DelimiterPolicy,
    values: serde_json::Value,
) -> Option<String> {
    let (old, new) = (parse(old).template, parse(new).template);
    let item = item(values);
    let lookup = |name: &str| item.get(name);
    let key = render(&old, policy, &lookup).expect("a key");
    let splice = Splice::between(&old, &new, policy)?;
    let text = splice.apply(&key)?.concat();
    assert_eq!(text.len() as isize - key.len() as isize, splice.growth());
    Some(text)
}

#[test]
fn an_edit_of_one_literal_is_made_in_the_text() {
    let same = |old: &str, new: &str, expect: &str| {
        let values = json!({"a": "x-1", "b": "ö", "c": "ORD"});
        for policy in [reject(), encode()] {
            let found = spliced(old, new, &policy, values.clone());
            assert_eq!(found.as_deref(), Some(expect), "{old} to {new}");
        }
    };
    // The first literal and the last, and where there was none.
    same("A#{a}", "AB#{a}", "AB#x-1");
    same("{a}#{b}", "P#{a}#{b}", "P#x-1#ö");
    same("A#{a}#{b}", "{a}#{b}", "x-1#ö");
    same("A#{a}#{b}", "A#{a}#{b}#END", "A#x-1#ö#END");
    same("A#{a}#é", "A#{a}#", "A#x-1#");
    // One between, found by its delimiter; a value may be what the literal is.
    same("A#{a}#ORD#{c}", "A#{a}#ORDER#{c}", "A#x-1#ORDER#ORD");
    same(
        "A#B#{a}-ORD#{c}#{b}",
        "A#B#{a}-OR#{c}#{b}",
        "A#B#x-1-OR#ORD#ö",
    );
    same(
        "{c}#{c}#ORD#{c}#{a}",
        "{c}#{c}#_#{c}#{a}",
        "ORD#ORD#_#ORD#x-1",
    );
    // Modifiers are what they were, and braces are text.
    same(
        "A#{c:lower}#{{#{a:first(1)}",
        "A#{c:lower}#}}#{a:first(1)}",
        "A#ord#}#x",
    );
    same("CONST", "CON", "CON");
}

#[test]
fn any_other_edit_has_to_be_rendered() {
    let values = json!({"a": "1", "b": "2"});
    let none = |old: &str, new: &str, delimiter: &str| {
        let policy = DelimiterPolicy {
            delimiter: delimiter.into(),
            ..reject()
        };
        let found = spliced(old, new, &policy, values.clone());
        assert_eq!(found, None, "{old} to {new}");
    };
    // Another value, another modifier, one more, none.
    none("A#{a}", "A#{b}", "#");
    none("A#{a}", "A#{a:upper}", "#");
    none("A#{a}", "A#{a}{b}", "#");
    none("A#{a}", "A#", "#");
    // Two literals, or the same ones.
    none("A#{a}#B", "B#{a}#C", "#");
    none("A#{a}", "A#{a}", "#");
    // A template that is broken.
    none("A#{a}", "A#{a", "#");
    // Nothing tells where the literal is.
    none("{a}-{b}", "{a}_{b}", "#");
    none("{a}{b}", "{a}#{b}", "#");
    none("{a}#{b}", "{a}##{b}", "");
    none("{a}::{b}", "{a}:{b}", "::");
    // The delimiter is allowed in a value that stands alone, and only there.
    none("{a}", "A#{a}", "#");
    none("A#{a}", "{a}", "#");
}

proptest! {
    /// Where there is a splice, it gives what is rendered.
    #[test]
    fn a_splice_gives_what_is_rendered(
        old in r"(A|é|#|B#C|\{a\}#?|\{b:upper\}|#\{c:first\(2\)\}){1,7}",
        at in any::<prop::sample::Index>(),
        typed in "[#A-C%é]{0,2}",
        deleted in 0_usize..3,
        values in prop::collection::vec("[#A-C%é0-9]{1,5}|[A-C]{1,3}", 3),
        encoded in any::<bool>(),
    ) {
        let policy = if encoded { encode() } else { reject() };
        let mut letters: Vec<char> = old.chars().collect();
        let at = at.index(letters.len() + 1);
        let end = (at + deleted).min(letters.len());
        letters.splice(at..end, typed.chars());
        let (old, new) = (template(&old), parse(&letters.iter().collect::<String>()).template);
        let item = item(json!({"a": values[0], "b": values[1], "c": values[2]}));
        let lookup = |name: &str| item.get(name);
        if let Ok(key) = render(&old, &policy, &lookup)
            && let Some(splice) = Splice::between(&old, &new, &policy)
        {
            let text = splice.apply(&key).map(|parts| parts.concat());
            prop_assert_eq!(text, render(&new, &policy, &lookup).ok());
        }
    }
}

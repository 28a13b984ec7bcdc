//! Splices: an edit of one literal, applied to texts that were rendered before.

use super::{encode, item, reject, template};
use keyfold_core::template::{DelimiterPolicy, Splice, parse, render};
use proptest::prelude::*;
use serde_json::json;

/// Applies the splice to the key that `old` renders from an item; `None` if the key must be rendered again.
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
fn an_edit_of_one_literal_is_spliced() {
    let same = |old: &str, new: &str, expect: &str| {
        let values = json!({"a": "x-1", "b": "ö", "c": "ORD"});
        for policy in [reject(), encode()] {
            let found = spliced(old, new, &policy, values.clone());
            assert_eq!(found.as_deref(), Some(expect), "{old} to {new}");
        }
    };
    // The first literal, the last one, and a new one.
    same("A#{a}", "AB#{a}", "AB#x-1");
    same("{a}#{b}", "P#{a}#{b}", "P#x-1#ö");
    same("A#{a}#{b}", "{a}#{b}", "x-1#ö");
    same("A#{a}#{b}", "A#{a}#{b}#END", "A#x-1#ö#END");
    same("A#{a}#é", "A#{a}#", "A#x-1#");
    // A literal in between, located by its delimiter; a value may equal the literal.
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
    // Modifiers stay, and braces are text.
    same(
        "A#{c:lower}#{{#{a:first(1)}",
        "A#{c:lower}#}}#{a:first(1)}",
        "A#ord#}#x",
    );
    same("CONST", "CON", "CON");
}

#[test]
fn other_edits_need_rendering() {
    let values = json!({"a": "1", "b": "2"});
    let none = |old: &str, new: &str, delimiter: &str| {
        let policy = DelimiterPolicy {
            delimiter: delimiter.into(),
            ..reject()
        };
        let found = spliced(old, new, &policy, values.clone());
        assert_eq!(found, None, "{old} to {new}");
    };
    // A different value, a different modifier, an additional placeholder, a removed one.
    none("A#{a}", "A#{b}", "#");
    none("A#{a}", "A#{a:upper}", "#");
    none("A#{a}", "A#{a}{b}", "#");
    none("A#{a}", "A#", "#");
    // Two literals, or none.
    none("A#{a}#B", "B#{a}#C", "#");
    none("A#{a}", "A#{a}", "#");
    // A broken template.
    none("A#{a}", "A#{a", "#");
    // The literal cannot be located.
    none("{a}-{b}", "{a}_{b}", "#");
    none("{a}{b}", "{a}#{b}", "#");
    none("{a}#{b}", "{a}##{b}", "");
    none("{a}::{b}", "{a}:{b}", "::");
    // A value may contain the delimiter only if it is the whole key.
    none("{a}", "A#{a}", "#");
    none("A#{a}", "{a}", "#");
}

proptest! {
    /// A splice gives the same text as rendering.
    #[test]
    fn a_splice_equals_rendering(
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

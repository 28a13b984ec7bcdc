//! Long templates, and values that can contain a repeated literal: the analysis answers, or reports that the templates
//! are too large. It must never take unbounded time or memory.

use super::{reject, template};
use keyfold_core::template::{KeyLanguage, ParseBackError, Shapes, TooLarge};

fn language(text: &str) -> KeyLanguage {
    KeyLanguage::new(&template(text), &Shapes::new(), &reject())
}

fn letters(count: usize) -> String {
    "a".repeat(count)
}

#[test]
fn a_repetitive_literal_at_the_end_is_analyzed() {
    for count in [4_000, 16_000] {
        let long = language(&format!("ITEM#{{itemId}}{}", letters(count)));
        assert_eq!(long.ambiguity(), Ok(None));
        let example = long.collides(&long).unwrap().unwrap();
        assert_eq!(example, format!("ITEM#a{}", letters(count)));
        let found = long.parse_back(&example).unwrap();
        assert_eq!(found["itemId"].text, "a");
        let other = language(&format!("ITEM#{{id}}{}b", letters(count)));
        assert_eq!(long.collides(&other), Ok(None));
        let (short, longer) = language("ITEM#{id}").open_prefix().unwrap().unwrap();
        assert_eq!((short.as_str(), longer.as_str()), ("ITEM#a", "ITEM#aa"));
        let key = language("ITEM#{id}").is_prefix_in(&long).unwrap().unwrap();
        assert_eq!(key, example);
    }
}

#[test]
fn an_ambiguity_within_a_long_literal_is_found() {
    for count in [4_000, 16_000] {
        let long = language(&format!("{{a}}{}{{b}}", letters(count)));
        let ambiguity = long.ambiguity().unwrap().unwrap();
        assert_eq!(ambiguity.example, letters(count + 3));
        assert!(ambiguity.message.len() < 300, "{}", ambiguity.message);
        let lengths = ambiguity.readings.map(|values| {
            values
                .iter()
                .map(|(_, text)| text.len())
                .collect::<Vec<_>>()
        });
        assert_eq!(lengths, [[1, 2], [2, 1]]);
        assert_eq!(
            long.parse_back(&ambiguity.example),
            Err(ParseBackError::Ambiguous)
        );
    }
}

#[test]
fn questions_beyond_the_budget_return_too_large() {
    let [left, right] = ["x", "y"].map(|apart| {
        let many = letters(4_000);
        language(&format!("{{a}}{many}{{b}}#{apart}#{{c}}{many}{{d}}"))
    });
    assert_eq!(left.collides(&right), Err(TooLarge));
    assert_eq!(right.collides(&left), Err(TooLarge));
    // Shorter templates get an answer.
    let [left, right] = ["x", "y"].map(|apart| {
        let many = letters(40);
        language(&format!("{{a}}{many}{{b}}#{apart}#{{c}}{many}{{d}}"))
    });
    assert_eq!(left.collides(&right), Ok(None));
    // A range runs three automata side by side.
    let text = format!("ITEM#{{id}}{}", letters(20));
    let (own, bound) = (language(&text), language(&format!("{text}b")));
    let range = Some((&bound, true));
    let found = own.within(range, range).unwrap().unwrap();
    assert_eq!(found, format!("ITEM#a{}", letters(20)));
    let text = format!("{{a}}{}{{b}}", letters(4_000));
    let (own, bound) = (language(&text), language(&format!("{text}#x")));
    let range = Some((&bound, true));
    assert_eq!(own.within(range, range), Err(TooLarge));
}

/// In time that grows with its length, not with the cube of it.
#[test]
fn a_long_delimiter_that_repeats_itself_is_analyzed() {
    let mut policy = reject();
    let pairs = "ab".repeat(2_000);
    policy.delimiter = format!("{pairs}c");
    let long = KeyLanguage::new(&template("X{x}"), &Shapes::new(), &policy);
    assert_eq!(long.ambiguity(), Ok(None));
    for value in [&format!("ab{pairs}"), &format!("ab{pairs}ac"), "c"] {
        let found = long.parse_back(&format!("X{value}"));
        assert_eq!(&found.unwrap()["x"].text, value);
    }
    for value in [&policy.delimiter, &format!("abab{}", policy.delimiter)] {
        let found = long.parse_back(&format!("X{value}"));
        assert!(
            matches!(found, Err(ParseBackError::NoMatch { .. })),
            "{found:?}"
        );
    }
}

#[test]
fn chained_modifiers_stay_within_the_size_limit() {
    let case = vec!["upper|lower"; 20].join("|");
    let many = language(&format!("A#{{x:{case}}}"));
    assert_eq!(many.collides(&many), Err(TooLarge));
    assert_eq!(many.ambiguity(), Err(TooLarge));
    assert_eq!(many.open_prefix(), Err(TooLarge));
    assert_eq!(many.max_length(), None);
    assert_eq!(many.within(None, None), Err(TooLarge));
    assert_eq!(language("A#{x}").is_prefix_in(&many), Err(TooLarge));
    assert_eq!(many.parse_back("A#x"), Err(ParseBackError::TooLarge));
    let first = ["first(2048)|upper"; 4].join("|");
    assert_eq!(
        language(&format!("{{x:{first}}}")).ambiguity(),
        Err(TooLarge)
    );
    // Each one alone is analyzed.
    for modifier in ["upper", "lower", "first(2048)", "first(20)|lower"] {
        let one = language(&format!("A#{{x:{modifier}}}#"));
        assert_eq!(one.ambiguity(), Ok(None), "{modifier}");
    }
}

#[test]
fn many_adjacent_placeholders_are_analyzed() {
    let row = language(&"{a}{b}{c}".repeat(100));
    assert!(row.ambiguity().unwrap().is_some());
    assert_eq!(row.collides(&row).unwrap().unwrap().len(), 300);
    let apart = language(&"{a}#{b}#{c}#".repeat(100));
    assert_eq!(apart.ambiguity(), Ok(None));
}

//! Templates that are long, or of which a value can hold what a literal repeats: answers where there are some, and
//! else the word that there are none. What these tests cannot bear is time and memory without end.

use super::{reject, template};
use keyfold_core::template::{KeyLanguage, ParseBackError, Shapes, TooLarge};

fn language(text: &str) -> KeyLanguage {
    KeyLanguage::new(&template(text), &Shapes::new(), &reject())
}

fn letters(count: usize) -> String {
    "a".repeat(count)
}

#[test]
fn a_literal_that_repeats_itself_is_no_trouble_at_the_end() {
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
fn what_would_take_too_long_is_said() {
    let [left, right] = ["x", "y"].map(|apart| {
        let many = letters(4_000);
        language(&format!("{{a}}{many}{{b}}#{apart}#{{c}}{many}{{d}}"))
    });
    assert_eq!(left.collides(&right), Err(TooLarge));
    assert_eq!(right.collides(&left), Err(TooLarge));
    // What is shorter is answered.
    let [left, right] = ["x", "y"].map(|apart| {
        let many = letters(40);
        language(&format!("{{a}}{many}{{b}}#{apart}#{{c}}{many}{{d}}"))
    });
    assert_eq!(left.collides(&right), Ok(None));
    // A range looks at three side by side.
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

#[test]
fn modifiers_do_not_multiply_without_end() {
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
    // Each of them alone is known.
    for modifier in ["upper", "lower", "first(2048)", "first(20)|lower"] {
        let one = language(&format!("A#{{x:{modifier}}}#"));
        assert_eq!(one.ambiguity(), Ok(None), "{modifier}");
    }
}

#[test]
fn many_placeholders_in_a_row() {
    let row = language(&"{a}{b}{c}".repeat(100));
    assert!(row.ambiguity().unwrap().is_some());
    assert_eq!(row.collides(&row).unwrap().unwrap().len(), 300);
    let apart = language(&"{a}#{b}#{c}#".repeat(100));
    assert_eq!(apart.ambiguity(), Ok(None));
}

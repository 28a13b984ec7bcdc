//! Delimited text: CSV and spreadsheet clipboards.

use keyfold_core::delimited::{Row, detect_separator, read, rows, write};
use keyfold_test_support::cases;
use proptest::prelude::*;

#[test]
fn fields_parse_as_spreadsheets_write_them() {
    let cases: &[(&str, char, &[&[&str]])] = &[
        ("", ',', &[]),
        ("a", ',', &[&["a"]]),
        ("a,b\r\n1,2\r\n", ',', &[&["a", "b"], &["1", "2"]]),
        ("a,b\n1,2", ',', &[&["a", "b"], &["1", "2"]]),
        ("a\rb\r", ',', &[&["a"], &["b"]]),
        (",\n", ',', &[&["", ""]]),
        ("\n\n", ',', &[&[""], &[""]]),
        ("a\tb,c\n", '\t', &[&["a", "b,c"]]),
        ("\"a,b\",\"c\"\"d\"\n", ',', &[&["a,b", "c\"d"]]),
        ("\"two\nlines\"\tx\r\n", '\t', &[&["two\nlines", "x"]]),
        ("\"\",x\n", ',', &[&["", "x"]]),
        // A quote inside an unquoted field is an ordinary character.
        ("5\" disk,b\n", ',', &[&["5\" disk", "b"]]),
        // Text after the closing quote belongs to the field.
        ("\"a\"b,c\n", ',', &[&["ab", "c"]]),
        // The quote is never closed: the rest of the table must not end up in one field.
        ("\"a,b\nc,d\n", ',', &[&["\"a", "b"], &["c", "d"]]),
        ("größe;🦀\n", ';', &[&["größe", "🦀"]]),
        (" a , b ", ',', &[&[" a ", " b "]]),
    ];
    for (text, separator, expected) in cases {
        assert_eq!(read(text, *separator), *expected, "{text:?}");
    }
}

#[test]
fn rows_know_their_lines() {
    let read = rows("a,b\n\"1\r\n2\",\"3\n4\"\n\nx,\"y", ',');
    let row = |line, fields: &[&str]| Row {
        line,
        fields: fields.iter().map(|field| (*field).to_owned()).collect(),
    };
    let expected = [
        row(1, &["a", "b"]),
        row(2, &["1\r\n2", "3\n4"]),
        row(5, &[""]),
        row(6, &["x", "\"y"]),
    ];
    assert_eq!(read.rows, expected);
    assert_eq!(read.unclosed, Some(6));
}

#[test]
fn quotes_are_written_where_they_are_needed() {
    let row: Vec<String> = ["plain", "a,b", "say \"hi\"", "two\nlines", "", "=1+1"]
        .map(str::to_owned)
        .into();
    let csv = "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",,=1+1\r\n";
    assert_eq!(write(std::slice::from_ref(&row), ','), csv);
    let tabs = "plain\ta,b\t\"say \"\"hi\"\"\"\t\"two\nlines\"\t\t=1+1\n";
    assert_eq!(write(&[row], '\t'), tabs);
}

#[test]
fn the_separator_is_detected_in_the_first_row() {
    for (text, expected) in [
        ("", ','),
        ("one", ','),
        ("a,b\n1;2;3", ','),
        ("a;b;c,d\n", ';'),
        ("a\tb\n", '\t'),
        ("\"x;y;z\",b\n", ','),
        ("\"a,\nb,c\";d;e", ';'),
    ] {
        assert_eq!(detect_separator(text), expected, "{text:?}");
    }
}

/// Text with many characters that matter to the codec.
fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        r#"[ab,;"\t\r\n]{0,8}"#,
        any::<String>(),
        Just("\u{feff}".to_owned()),
    ]
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn written_rows_read_back(
        rows in prop::collection::vec(prop::collection::vec(field(), 1..5), 0..5),
        separator in prop::sample::select(&[',', ';', '\t'][..]),
    ) {
        prop_assert_eq!(read(&write(&rows, separator), separator), rows);
    }

    #[test]
    fn any_text_is_rows(text in field(), separator in prop::sample::select(&[',', ';', '\t'][..])) {
        let once = read(&text, separator);
        prop_assert!(once.iter().all(|row| !row.is_empty()));
        let again = read(&write(&once, separator), separator);
        prop_assert_eq!(again, once);
        let lines: Vec<usize> = rows(&text, separator).rows.iter().map(|row| row.line).collect();
        prop_assert!(lines.is_sorted());
        detect_separator(&text);
    }
}

#[test]
fn many_unclosed_quotes_are_read() {
    let text = "\"a,\"\",\"\"\"\"\n".repeat(100_000) + "\"";
    assert!(!read(&text, ',').is_empty());
}

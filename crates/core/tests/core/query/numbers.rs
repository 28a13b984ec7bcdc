//! Sums and differences of DynamoDB's numbers.

use keyfold_core::model::Number;
use keyfold_core::model::number::NumberError;
use keyfold_test_support::cases;
use proptest::prelude::*;

fn number(text: &str) -> Number {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn sums_are_exact_or_refused() {
    for (left, right, sum) in [
        ("0.1", "0.2", "0.3"),
        ("-1", "1", "0"),
        ("5", "-7.5", "-2.5"),
        ("0", "-3", "-3"),
        ("1e125", "0", "1e125"),
        ("1e38", "-1", "99999999999999999999999999999999999999"),
        ("99999999999999999999999999999999999999", "1", "1e38"),
        ("1e-130", "1e-130", "2e-130"),
        ("9e125", "-9e125", "0"),
    ] {
        assert_eq!(
            number(left).plus(&number(right)),
            Ok(number(sum)),
            "{left} + {right}"
        );
        assert_eq!(
            number(right).plus(&number(left)),
            Ok(number(sum)),
            "{right} + {left}"
        );
        assert_eq!(
            number(sum).minus(&number(right)),
            Ok(number(left)),
            "{sum} - {right}"
        );
    }
    for (left, right) in [
        ("1e38", "1"),
        ("1e125", "1e-130"),
        ("99999999999999999999999999999999999999", "0.1"),
        ("-1e60", "3"),
    ] {
        let sum = number(left).plus(&number(right));
        assert!(
            matches!(sum, Err(NumberError::TooManyDigits(_))),
            "{left} + {right}: {sum:?}"
        );
    }
    assert_eq!(
        number("9e125").plus(&number("1e125")),
        Err(NumberError::TooLarge)
    );
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn sums_match_integer_arithmetic(left in any::<i64>(), right in any::<i64>(), places in 0..20u32) {
        let text = |value: i128| format!("{value}e-{places}");
        let sum = i128::from(left) + i128::from(right);
        let difference = i128::from(left) - i128::from(right);
        let (left, right) = (number(&text(left.into())), number(&text(right.into())));
        prop_assert_eq!(left.plus(&right), Ok(number(&text(sum))));
        prop_assert_eq!(left.minus(&right), Ok(number(&text(difference))));
    }
}

//! DynamoDB's number type: a decimal of up to 38 significant digits, exact, ordered by value. The only arithmetic is
//! that of update expressions.

use super::limits;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Largest power of ten of a number's first digit: `9.99…E+125`. Source: "Data types", Amazon DynamoDB Developer Guide.
pub const MAX_EXPONENT: i64 = 125;
/// Smallest power of ten of a number's first digit: `1E-130`.
/// Source: "Data types", Amazon DynamoDB Developer Guide.
pub const MIN_EXPONENT: i64 = -130;

/// A DynamoDB number. Numbers with equal values are equal, however they were written (`1.50` is `1.5`, `-0` is `0`).
/// `Display` writes what DynamoDB returns: plain decimal notation without needless zeros.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Parts);

/// The value is `±coefficient * 10^exponent`, in canonical form: the coefficient is not a multiple of ten, zero has the
/// sign `+` and the exponent 0, and a number is `Small` if it fits. Designs hold very many values, and each takes as
/// much memory as the largest variant.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Parts {
    /// A 64-bit coefficient, low half first.
    Small {
        coefficient: [u32; 2],
        exponent: i16,
        negative: bool,
    },
    Large(Box<Large>),
}

/// A number that does not fit [`Parts::Small`].
#[derive(Clone, PartialEq, Eq, Hash)]
struct Large {
    coefficient: u128,
    exponent: i16,
    negative: bool,
}

#[cfg(target_pointer_width = "32")]
const _: () = assert!(size_of::<super::value::Value>() == 16);

/// Why a text is not a DynamoDB number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The text is not a decimal number.
    NotANumber,
    /// The number has this many significant digits, more than DynamoDB keeps.
    TooManyDigits(usize),
    /// The magnitude is `1E+126` or more.
    TooLarge,
    /// The number is not zero but its magnitude is below `1E-130`.
    TooSmall,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => {
                write!(f, "not a number: type a number such as 42, -3.5 or 6.02e23")
            }
            Self::TooManyDigits(digits) => write!(
                f,
                "{digits} significant digits, but DynamoDB keeps {}; shorten it or store it as a string",
                limits::NUMBER_DIGITS
            ),
            Self::TooLarge => write!(
                f,
                "too large; DynamoDB's numbers are below 1E+{}",
                MAX_EXPONENT + 1
            ),
            Self::TooSmall => write!(
                f,
                "too close to zero; DynamoDB's smallest magnitude is 1E{MIN_EXPONENT}"
            ),
        }
    }
}

impl std::error::Error for NumberError {}

impl Number {
    fn new(coefficient: u128, exponent: i16, negative: bool) -> Self {
        Self(match u64::try_from(coefficient) {
            Ok(small) => Parts::Small {
                coefficient: [small as u32, (small >> 32) as u32],
                exponent,
                negative,
            },
            Err(_) => Parts::Large(Box::new(Large {
                coefficient,
                exponent,
                negative,
            })),
        })
    }

    fn coefficient(&self) -> u128 {
        match &self.0 {
            Parts::Small { coefficient, .. } => {
                u128::from(coefficient[0]) | u128::from(coefficient[1]) << 32
            }
            Parts::Large(large) => large.coefficient,
        }
    }

    fn exponent(&self) -> i16 {
        match &self.0 {
            Parts::Small { exponent, .. } => *exponent,
            Parts::Large(large) => large.exponent,
        }
    }

    fn is_negative(&self) -> bool {
        match &self.0 {
            Parts::Small { negative, .. } => *negative,
            Parts::Large(large) => large.negative,
        }
    }

    /// Number of significant digits; 0 for zero.
    pub fn digits(&self) -> usize {
        let coefficient = self.coefficient();
        // 64-bit arithmetic is much faster, and nearly every number fits.
        let digits = match u64::try_from(coefficient) {
            Ok(small) => small.checked_ilog10(),
            Err(_) => coefficient.checked_ilog10(),
        };
        digits.map_or(0, |power| power as usize + 1)
    }

    /// Appends the text that `Display` writes.
    pub fn write_to(&self, out: &mut String) {
        if self.is_negative() {
            out.push('-');
        }
        let coefficient = self.coefficient();
        let large;
        let mut small = [0; 20];
        let digits = match u64::try_from(coefficient) {
            Ok(value) => decimal(value, &mut small),
            Err(_) => {
                large = coefficient.to_string();
                &large
            }
        };
        let decimals = usize::try_from(-i32::from(self.exponent())).unwrap_or(0);
        match digits.len().checked_sub(decimals) {
            Some(whole) if whole > 0 => {
                out.push_str(&digits[..whole]);
                if decimals > 0 {
                    out.push('.');
                    out.push_str(&digits[whole..]);
                }
            }
            _ => {
                out.push_str("0.");
                push_zeros(out, decimals - digits.len());
                out.push_str(digits);
            }
        }
        push_zeros(out, usize::try_from(self.exponent()).unwrap_or(0));
    }

    /// The number as a `u32`, if it is a whole number that fits.
    pub fn as_u32(&self) -> Option<u32> {
        match self.0 {
            Parts::Small {
                coefficient: [low, 0],
                exponent,
                negative: false,
            } => low.checked_mul(10u32.checked_pow(exponent.try_into().ok()?)?),
            _ => None,
        }
    }

    /// The number as an `i64`, if it is a whole number that fits.
    pub fn as_i64(&self) -> Option<i64> {
        let scale = 10i128.checked_pow(u32::try_from(self.exponent()).ok()?)?;
        let magnitude = i128::try_from(self.coefficient())
            .ok()?
            .checked_mul(scale)?;
        i64::try_from(if self.is_negative() {
            -magnitude
        } else {
            magnitude
        })
        .ok()
    }

    /// The nearest float; with more than 15 digits it may be off by one step. Uses the JSON reader, which is linked
    /// anyway: the standard library's float parser would add 10 KB to the code that a browser loads.
    pub fn to_f64(&self) -> Option<f64> {
        serde_json::from_str(&self.to_string()).ok()
    }

    /// The number's share of an item's size, in bytes: 1, plus half a byte per significant digit, plus 1 for a minus
    /// sign; at most 21. Source: "Item sizes and formats", Amazon DynamoDB Developer Guide, which calls the figure
    /// approximate.
    pub fn size(&self) -> usize {
        1 + self.digits().div_ceil(2) + usize::from(self.is_negative())
    }

    /// The sum; an error if it is not a DynamoDB number.
    pub fn plus(&self, other: &Self) -> Result<Self, NumberError> {
        let (high, low) = match self.exponent() >= other.exponent() {
            true => (self, other),
            false => (other, self),
        };
        if high.coefficient() == 0 {
            return Ok(low.clone());
        }
        if low.coefficient() == 0 {
            return Ok(high.clone());
        }
        // In units of the smaller last digit. A sum that does not fit has more than 38 digits, because that digit is
        // not zero.
        let too_many = NumberError::TooManyDigits(limits::NUMBER_DIGITS + 1);
        let shift = u32::from(high.exponent().abs_diff(low.exponent()));
        let scaled = (10u128.checked_pow(shift))
            .and_then(|power| high.coefficient().checked_mul(power))
            .ok_or(too_many)?;
        let small = low.coefficient();
        let (coefficient, negative) = match high.is_negative() == low.is_negative() {
            true => {
                let sum = scaled.checked_add(small).ok_or(too_many)?;
                (sum, high.is_negative())
            }
            false if scaled >= small => (scaled - small, high.is_negative()),
            false => (small - scaled, low.is_negative()),
        };
        Self::canonical(coefficient, low.exponent(), negative)
    }

    /// The difference; an error if it is not a DynamoDB number.
    pub fn minus(&self, other: &Self) -> Result<Self, NumberError> {
        let negative = other.coefficient() != 0 && !other.is_negative();
        self.plus(&Self::new(other.coefficient(), other.exponent(), negative))
    }

    /// The canonical number with this value; an error if DynamoDB has none.
    fn canonical(
        mut coefficient: u128,
        mut exponent: i16,
        negative: bool,
    ) -> Result<Self, NumberError> {
        if coefficient == 0 {
            return Ok(Self::default());
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        let number = Self::new(coefficient, exponent, negative);
        match (number.digits(), number.magnitude()) {
            (digits, _) if digits > limits::NUMBER_DIGITS => {
                Err(NumberError::TooManyDigits(digits))
            }
            (_, magnitude) if magnitude > MAX_EXPONENT => Err(NumberError::TooLarge),
            (_, magnitude) if magnitude < MIN_EXPONENT => Err(NumberError::TooSmall),
            _ => Ok(number),
        }
    }

    /// The number as bytes whose order is the numbers' order.
    pub fn order_bytes(&self) -> [u8; 19] {
        let mut bytes = [0; 19];
        if self.coefficient() != 0 {
            // Positive numbers sort above zero; the digits fill 127 bits.
            bytes[0] = 1;
            bytes[1..3].copy_from_slice(&((self.magnitude() - MIN_EXPONENT) as u16).to_be_bytes());
            bytes[3..].copy_from_slice(&self.coefficient_38_digits().to_be_bytes());
        }
        bytes[0] |= 0x80;
        if self.is_negative() {
            bytes = bytes.map(|byte| !byte);
        }
        bytes
    }

    /// The coefficient extended to 38 digits, so that two of them compare digit by digit.
    fn coefficient_38_digits(&self) -> u128 {
        self.coefficient() * 10u128.pow((limits::NUMBER_DIGITS - self.digits()) as u32)
    }

    /// The power of ten of the first digit.
    fn magnitude(&self) -> i64 {
        i64::from(self.exponent()) + self.digits() as i64 - 1
    }

    /// Orders two numbers by magnitude, their signs ignored.
    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        if self.coefficient() == 0 || other.coefficient() == 0 {
            return self.coefficient().cmp(&other.coefficient());
        }
        self.magnitude().cmp(&other.magnitude()).then_with(|| {
            self.coefficient_38_digits()
                .cmp(&other.coefficient_38_digits())
        })
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::new(0, 0, false)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (false, false) => self.cmp_magnitude(other),
            (true, true) => other.cmp_magnitude(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        let mut coefficient = u128::from(value.unsigned_abs());
        let mut exponent = 0;
        while coefficient != 0 && coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        Self::new(coefficient, exponent, value < 0)
    }
}

impl FromStr for Number {
    type Err = NumberError;

    /// Reads `42`, `-3.50`, `+.5`, `6.02e23`. No white space, no separators, no `Infinity`.
    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction)
        {
            return Err(NumberError::NotANumber);
        }

        // The digits from the first to the last nonzero one, and the number of zeros that follow.
        let mut coefficient = 0u128;
        let mut digits = 0usize;
        let mut zeros = 0usize;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if byte == b'0' {
                zeros += usize::from(digits > 0);
                continue;
            }
            digits += zeros + 1;
            if digits <= limits::NUMBER_DIGITS {
                coefficient = coefficient * 10u128.pow(zeros as u32 + 1) + u128::from(byte - b'0');
            }
            zeros = 0;
        }
        if digits == 0 {
            return Ok(Self::default());
        }
        if digits > limits::NUMBER_DIGITS {
            return Err(NumberError::TooManyDigits(digits));
        }
        let exponent = exponent
            .saturating_sub(fraction.len() as i64)
            .saturating_add(zeros as i64);
        let magnitude = exponent.saturating_add(digits as i64 - 1);
        if magnitude > MAX_EXPONENT {
            return Err(NumberError::TooLarge);
        }
        if magnitude < MIN_EXPONENT {
            return Err(NumberError::TooSmall);
        }
        let exponent = i16::try_from(exponent).map_err(|_| NumberError::TooSmall)?;
        Ok(Self::new(coefficient, exponent, negative))
    }
}

/// Parses the exponent after `e`. One too long for an `i64` is far outside the range anyway.
fn parse_exponent(text: &str) -> Result<i64, NumberError> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::NotANumber);
    }
    let value = digits.parse().unwrap_or(i64::MAX / 2);
    Ok(if negative { -value } else { value })
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_to(&mut text);
        f.write_str(&text)
    }
}

/// The decimal digits of `value`, written to the end of `buffer`.
fn decimal(mut value: u64, buffer: &mut [u8; 20]) -> &str {
    let mut start = buffer.len();
    loop {
        start -= 1;
        buffer[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    str::from_utf8(&buffer[start..]).unwrap_or_default()
}

fn push_zeros(out: &mut String, count: usize) {
    (0..count).for_each(|_| out.push('0'));
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

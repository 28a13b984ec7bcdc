//! Generates one value of a format, or of a type without a format.

use super::calendar;
use super::rng::{Rng, scattered};
use crate::model::{AttributeType, Format, SortedMap, SortedSet, Value};

/// First names, the last names that are combined with them, and the domains that RFC 2606 reserves for examples.
pub(super) const FIRST: &str = "Alice|Amir|Anna|Ben|Carla|Chen|Clara|Daniel|Diego|Elena|Emil|Fatima|Felix|Grace|Hana|Hugo|Ines|\
    Ivan|Jonas|Julia|Kofi|Lara|Leo|Lin|Luca|Maria|Maya|Milan|Nadia|Noah|Nora|Omar|Paul|Priya|Rosa|Sam|Sofia|Tariq|\
    Yara|Zoe";
pub(super) const LAST: &str = "Adams|Ahmed|Baker|Bauer|Berg|Brown|Costa|Diaz|Dubois|Evans|Fischer|Garcia|Haas|Hansen|Ito|Jensen|\
    Khan|Kim|Klein|Lopez|Meyer|Mori|Murphy|Nagy|Novak|Okafor|Park|Patel|Petrov|Reyes|Rossi|Sato|Silva|Singh|Smith|\
    Tanaka|Varga|Walker|Weber|Wong";
const DOMAINS: &str = "example.com|example.org|example.net";
const STEMS: &str = "Northwind|Bluebird|Redwood|Silverline|Granite|Summit|Harbor|Cedar|Lakeside|Ironbridge|Brightside|\
    Copper|Evergreen|Falcon|Horizon|Keystone|Maple|Meridian|Pioneer|Quartz|Riverside|Stonegate|Sunrise|Westfield";
const BUSINESSES: &str =
    "Trading|Labs|Logistics|Foods|Media|Systems|Energy|Travel|Design|Health|Works|Partners";
const VERBS: &str = "Review|Plan|Update|Prepare|Check|Improve|Discuss|Send|Replace|Confirm|Finish|Order|Measure|Test|\
    Publish|Archive";
const ADJECTIVES: &str = "annual|blue|compact|daily|early|final|green|internal|large|modern|new|open|quarterly|quiet|\
    small|urgent";
const NOUNS: &str = "budget|bridge|catalog|contract|garden|guide|harbor|invoice|kitchen|lamp|letter|market|notebook|\
    office|package|photo|plan|project|report|river|roadmap|sample|schedule|shelf|station|summary|ticket|travel|update|\
    window|workshop|yard";

/// Number of persons before a name repeats.
const PERSONS: u64 = 1600;

/// What a value depends on besides its format.
pub(super) struct Context<'a> {
    /// The random stream of this value.
    pub rng: Rng,
    /// Index of the row in its entity, from 0. It makes names distinct.
    pub row: u64,
    /// Gives each entity a different order of names.
    pub salt: u64,
    /// Name of the person that the row is about.
    pub person: Option<String>,
    /// Creation time of the row in seconds since 1970. Ids contain it, and other times are later.
    pub since: Option<i64>,
    /// A delimiter that free text must not contain; may be empty.
    pub delimiter: &'a str,
    /// Whether to capitalize words, because they are names.
    pub capital: bool,
}

/// A value of a format in the attribute's type; `None` if the format has none of that type. Sequences and references
/// depend on other rows and are not handled here.
pub(super) fn of_format(format: &Format, kind: AttributeType, mut at: Context) -> Option<Value> {
    let rng = &mut at.rng;
    let text = match format {
        Format::Ulid => ulid(rng, at.since),
        Format::Ksuid => ksuid(rng, at.since),
        Format::Uuid => uuid(rng),
        Format::Email => without_delimiter(email(rng, at.person, at.row, at.salt), at.delimiter),
        Format::PersonName => without_delimiter(person(at.row, at.salt), at.delimiter),
        Format::Company => without_delimiter(company(at.row, at.salt), at.delimiter),
        Format::Word => without_delimiter(word(rng, at.capital), at.delimiter),
        Format::Sentence => without_delimiter(sentence(rng), at.delimiter),
        Format::Date { from, to } => {
            let (from, to) = (calendar::seconds(from)?, calendar::seconds(to)?);
            let from = later(from, to, at.since).div_euclid(calendar::DAY);
            let days = to.div_euclid(calendar::DAY).checked_sub(from)?;
            calendar::date((from + rng.below(days as u64 + 1) as i64) * calendar::DAY)
        }
        Format::Timestamp { from, to } => {
            let (from, to) = (calendar::seconds(from)?, calendar::seconds(to)?);
            let from = later(from, to, at.since);
            calendar::timestamp(from + rng.below((to - from) as u64 + 1) as i64)
        }
        Format::Integer { min, max } => {
            let range = max.abs_diff(*min).checked_add(1);
            let step = match range {
                Some(range) => rng.below(range),
                None => rng.next(),
            };
            min.wrapping_add_unsigned(step).to_string()
        }
        Format::Decimal { min, max, places } => {
            let (low, high) = (scaled(min, *places)?, scaled(max, *places)?);
            let range = u128::try_from(high.checked_sub(low)?).ok()?;
            let step = rng.below_wide(range + 1);
            unscaled(low + step as i128, *places)
        }
        Format::OneOf(choices) => {
            let total = choices.iter().map(|choice| u64::from(choice.weight)).sum();
            let mut left = rng.below(total);
            let choice = choices.iter().find(|choice| {
                let weight = u64::from(choice.weight);
                let found = left < weight;
                left = left.saturating_sub(weight);
                found
            })?;
            return converted(kind, &choice.value);
        }
        Format::Constant(value) => return converted(kind, value),
        Format::Sequence { .. } | Format::Reference { .. } => return None,
    };
    converted(kind, &Value::S(text))
}

/// Number of values of a format, if they can be enumerated: the first choice of [`Rng::below`] then enumerates them.
pub(super) fn count(format: &Format) -> Option<u64> {
    match format {
        Format::Word => Some(NOUNS.split('|').count() as u64),
        Format::Date { from, to } => {
            let days =
                calendar::seconds(to)?.checked_sub(calendar::seconds(from)?)? / calendar::DAY;
            u64::try_from(days).ok()?.checked_add(1)
        }
        Format::Timestamp { from, to } => {
            let range = calendar::seconds(to)?.checked_sub(calendar::seconds(from)?)?;
            u64::try_from(range).ok()?.checked_add(1)
        }
        Format::Integer { min, max } => max.abs_diff(*min).checked_add(1),
        Format::Decimal { min, max, places } => {
            let range = scaled(max, *places)?.checked_sub(scaled(min, *places)?)?;
            u64::try_from(range).ok()?.checked_add(1)
        }
        Format::OneOf(choices) => Some(choices.iter().map(|choice| u64::from(choice.weight)).sum()),
        Format::Constant(_) => Some(1),
        _ => None,
    }
}

/// Why a format has no values at all.
pub(super) fn check(format: &Format) -> Result<(), String> {
    let (ordered, from, to) = match format {
        Format::Date { from, to } | Format::Timestamp { from, to } => {
            for text in [from, to] {
                calendar::seconds(text).ok_or_else(|| {
                    format!("`{text}` is not a date: write 2026-01-31 or 2026-01-31T09:30:00Z")
                })?;
            }
            let ordered = calendar::seconds(from) <= calendar::seconds(to);
            (ordered, from.clone(), to.clone())
        }
        Format::Integer { min, max } => (min <= max, min.to_string(), max.to_string()),
        Format::Decimal { min, max, places } => {
            for text in [min, max] {
                scaled(text, *places).ok_or_else(|| {
                    format!("`{text}` is not a number with at most {places} digits after the decimal point")
                })?;
            }
            let ordered = scaled(min, *places) <= scaled(max, *places);
            (ordered, min.clone(), max.clone())
        }
        Format::OneOf(choices) if choices.iter().all(|choice| choice.weight == 0) => {
            return Err("there are no values to choose from: add a value of weight 1".into());
        }
        _ => return Ok(()),
    };
    match ordered {
        true => Ok(()),
        false => Err(format!("its range ends ({to}) before it starts ({from})")),
    }
}

/// A value of a type that no format supports.
pub(super) fn of_type(kind: AttributeType, rng: &mut Rng) -> Value {
    let bytes = |rng: &mut Rng| rng.next().to_be_bytes()[..6].to_vec();
    let count = 1 + rng.below(3);
    match kind {
        AttributeType::S => Value::S(word(rng, false)),
        AttributeType::N => Value::N((1 + rng.below(100) as i64).into()),
        AttributeType::Bool => Value::Bool(rng.below(2) == 1),
        AttributeType::Null => Value::Null,
        AttributeType::B => Value::B(bytes(rng)),
        AttributeType::L => Value::L((0..count).map(|_| Value::S(word(rng, false))).collect()),
        AttributeType::M => {
            let fields = [
                ("name", Value::S(word(rng, true))),
                ("count", Value::N((rng.below(100) as i64).into())),
            ];
            Value::M(SortedMap::from_iter(
                fields.map(|(name, value)| (name.to_owned(), value)),
            ))
        }
        AttributeType::Ss => Value::Ss(SortedSet::from_iter((0..count).map(|_| word(rng, false)))),
        AttributeType::Ns => Value::Ns(SortedSet::from_iter(
            (0..count).map(|_| (1 + rng.below(100) as i64).into()),
        )),
        AttributeType::Bs => Value::Bs(SortedSet::from_iter((0..count).map(|_| bytes(rng)))),
    }
}

/// Converts the value to this type; `None` if that is impossible. NULL matches any type.
pub(super) fn converted(kind: AttributeType, value: &Value) -> Option<Value> {
    if value.kind() == kind || *value == Value::Null {
        return Some(value.clone());
    }
    match (kind, value) {
        (AttributeType::S, _) => Some(Value::S(value.to_text())),
        (AttributeType::N | AttributeType::Bool, Value::S(text)) => {
            Value::from_text(kind, text).ok()
        }
        _ => None,
    }
}

/// The start of the part of a range that is after a time.
fn later(from: i64, to: i64, since: Option<i64>) -> i64 {
    from.max(since.unwrap_or(from)).min(to)
}

fn without_delimiter(text: String, delimiter: &str) -> String {
    match delimiter {
        "" => text,
        delimiter => text.replace(delimiter, ""),
    }
}

fn nth(list: &str, at: u64) -> &str {
    list.split('|').nth(at as usize).unwrap_or_default()
}

/// The name of a row's person: the first [`PERSONS`] are distinct.
fn person(row: u64, salt: u64) -> String {
    let at = scattered(row, PERSONS, salt);
    let lasts = LAST.split('|').count() as u64;
    format!("{} {}", nth(FIRST, at / lasts), nth(LAST, at % lasts))
}

fn email(rng: &mut Rng, name: Option<String>, row: u64, salt: u64) -> String {
    let name = name.unwrap_or_else(|| person(row, salt));
    let mut text = String::new();
    for c in name.chars() {
        match c {
            ' ' if !text.is_empty() => text.push('.'),
            c if c.is_ascii_alphanumeric() => text.push(c.to_ascii_lowercase()),
            _ => {}
        }
    }
    if row >= PERSONS {
        text.push_str(&(row / PERSONS + 1).to_string());
    }
    text + "@" + rng.one_of(DOMAINS)
}

fn company(row: u64, salt: u64) -> String {
    let (stems, businesses) = (STEMS.split('|').count(), BUSINESSES.split('|').count());
    let count = (stems * businesses) as u64;
    let at = scattered(row, count, salt);
    let (stem, business) = (at % stems as u64, at / stems as u64);
    let mut text = format!("{} {}", nth(STEMS, stem), nth(BUSINESSES, business));
    if row >= count {
        text = format!("{text} {}", row / count + 1);
    }
    text
}

fn word(rng: &mut Rng, capital: bool) -> String {
    let word = rng.one_of(NOUNS);
    if !capital {
        return word.to_owned();
    }
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

fn sentence(rng: &mut Rng) -> String {
    let (verb, adjective) = (rng.one_of(VERBS), rng.one_of(ADJECTIVES));
    format!("{verb} the {adjective} {}", rng.one_of(NOUNS))
}

/// A time for an id: the row's own, or one in 2026.
fn id_time(rng: &mut Rng, since: Option<i64>) -> u64 {
    const START_OF_2026: u64 = 1_767_225_600;
    let any = START_OF_2026 + rng.below(365 * calendar::DAY as u64);
    since.and_then(|s| u64::try_from(s).ok()).unwrap_or(any)
}

/// 48 bits of milliseconds and 80 random bits in Crockford's base 32. Source: the ULID specification.
fn ulid(rng: &mut Rng, since: Option<i64>) -> String {
    let milliseconds = id_time(rng, since) * 1000 + rng.below(1000);
    let random = (u128::from(rng.next()) << 16) | u128::from(rng.next() >> 48);
    ulid_of(milliseconds, random)
}

/// The ULID of milliseconds since 1970 (the low 48 bits) and 80 random bits.
pub(super) fn ulid_of(milliseconds: u64, random: u128) -> String {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let bits = (u128::from(milliseconds) << 80) | random;
    (0..26)
        .rev()
        .map(|place| char::from(DIGITS[(bits >> (5 * place)) as usize & 31]))
        .collect()
}

/// 32 bits of seconds since 2014-05-13T16:53:20Z and 128 random bits in base 62. Source: segmentio/ksuid.
fn ksuid(rng: &mut Rng, since: Option<i64>) -> String {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let seconds = id_time(rng, since).saturating_sub(1_400_000_000) as u32;
    let (high, low) = (rng.next(), rng.next());
    let mut words = [
        seconds,
        (high >> 32) as u32,
        high as u32,
        (low >> 32) as u32,
        low as u32,
    ];
    let mut text = [b'0'; 27];
    for digit in text.iter_mut().rev() {
        let mut rest = 0;
        for word in &mut words {
            let value = (rest << 32) | u64::from(*word);
            *word = (value / 62) as u32;
            rest = value % 62;
        }
        *digit = DIGITS[rest as usize];
    }
    text.map(char::from).into_iter().collect()
}

/// 122 random bits, the version and the variant. Source: RFC 9562, section 5.4.
fn uuid(rng: &mut Rng) -> String {
    let (high, low) = (rng.next(), rng.next());
    let high = (high & !0xf000) | 0x4000;
    let low = (low & !(3 << 62)) | (2 << 62);
    let bits = (u128::from(high) << 64) | u128::from(low);
    let mut text = format!("{bits:032x}");
    for at in [20, 16, 12, 8] {
        text.insert(at, '-');
    }
    text
}

/// The number times `10^places`; `None` unless it is a plain decimal number with at most that many places.
fn scaled(text: &str, places: u8) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let missing = usize::from(places).checked_sub(fraction.len())?;
    if whole.is_empty()
        || !all_digits(whole)
        || !all_digits(fraction)
        || whole.len() + usize::from(places) > 37
    {
        return None;
    }
    let number: i128 = format!("{whole}{fraction}{}", "0".repeat(missing))
        .parse()
        .ok()?;
    Some(if negative { -number } else { number })
}

/// The number divided by `10^places`, without needless zeros.
fn unscaled(number: i128, places: u8) -> String {
    let places = usize::from(places);
    let digits = format!("{:0width$}", number.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if number < 0 { "-" } else { "" };
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

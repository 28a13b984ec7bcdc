//! Dates and times as numbers, in UTC and without leap seconds.

/// Seconds per day.
pub(super) const DAY: i64 = 86_400;

/// The seconds since 1970 of `YYYY-MM-DD` (midnight) or `YYYY-MM-DDThh:mm:ssZ`; `None` for any other text or a date
/// that does not exist.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to)?;
        let all = digits.bytes().all(|b| b.is_ascii_digit());
        all.then(|| digits.parse::<i64>().ok())?
    };
    let is = |at: usize, byte: u8| text.as_bytes().get(at) == Some(&byte);
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let day_number = days(year, month, day);
    if !is(4, b'-') || !is(7, b'-') || civil(day_number) != (year, month, day) {
        return None;
    }
    let midnight = day_number * DAY;
    if text.len() == 10 {
        return Some(midnight);
    }
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let shaped = is(10, b'T') && is(13, b':') && is(16, b':') && is(19, b'Z') && text.len() == 20;
    (shaped && hour < 24 && minute < 60 && second < 60)
        .then_some(midnight + hour * 3600 + minute * 60 + second)
}

/// Formats seconds since 1970 as `YYYY-MM-DD`.
pub(super) fn date(seconds: i64) -> String {
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    format!("{year:04}-{month:02}-{day:02}")
}

/// Formats seconds since 1970 as `YYYY-MM-DDThh:mm:ssZ`.
pub(super) fn timestamp(seconds: i64) -> String {
    let time = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{}T{hour:02}:{minute:02}:{second:02}Z", date(seconds))
}

/// Days since 1970-01-01. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a number of days since 1970-01-01. Same source, `civil_from_days`.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    (year + era * 400 + i64::from(month <= 2), month, day)
}

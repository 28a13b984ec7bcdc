//! The UTC date of an ISO 8601 date or timestamp. Week dates and ordinal dates are not supported.

/// A calendar date: year 0 to 9999, month, day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    pub year: u32,
    pub month: u32,
    pub day: u32,
}

/// The UTC date of `2026-03-01` or `2026-03-01T23:30:00+02:00`. Seconds, fraction and offset are optional; a timestamp
/// without an offset is in UTC. The error says what is wrong.
pub(super) fn utc_date(text: &str) -> Result<Date, String> {
    let wrong = || {
        format!(
            "`{text}` is not an ISO 8601 date or timestamp such as 2026-03-01 or 2026-03-01T09:30:00Z"
        )
    };
    let mut reader = Reader {
        bytes: text.as_bytes(),
    };
    let date = reader.date().ok_or_else(wrong)?;
    if !is_a_day(date) {
        return Err(format!("`{text}` is a day that does not exist"));
    }
    if reader.bytes.is_empty() {
        return Ok(date);
    }
    let (minutes, offset) = reader.time().ok_or_else(wrong)?;
    let moved = match minutes - offset {
        ..0 => day_before(date),
        0..MINUTES_PER_DAY => Some(date),
        _ => day_after(date),
    };
    moved.ok_or_else(|| format!("`{text}` is outside the years 0000 to 9999 in UTC"))
}

/// Checks that the text is an ISO 8601 date or timestamp of an existing day. The error says what is wrong.
pub fn check_iso(text: &str) -> Result<(), String> {
    utc_date(text).map(|_| ())
}

/// The same date or timestamp one day later: `2026-03-01T09:30` after `2026-02-28T09:30`. `None` unless the text begins
/// with a day that exists, or if the next day is after the year 9999.
pub fn next_day(text: &str) -> Option<String> {
    let mut reader = Reader {
        bytes: text.as_bytes(),
    };
    let date = reader.date().filter(|date| is_a_day(*date))?;
    if reader.bytes.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let Date { year, month, day } = day_after(date)?;
    Some(format!("{year:04}-{month:02}-{day:02}{}", &text[10..]))
}

const MINUTES_PER_DAY: i32 = 24 * 60;

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn date(&mut self) -> Option<Date> {
        let year = self.digits(4)?;
        self.one_of(b"-")?;
        let month = self.digits(2)?;
        self.one_of(b"-")?;
        Some(Date {
            year,
            month,
            day: self.digits(2)?,
        })
    }

    /// The time part of a timestamp: minutes since midnight, and the offset from UTC in minutes.
    fn time(&mut self) -> Option<(i32, i32)> {
        self.one_of(b"Tt ")?;
        let minutes = self.hours_and_minutes(true)?;
        if self.one_of(b":").is_some() && self.digits(2)? > 60 {
            return None;
        } else if self.one_of(b".,").is_some() {
            self.digits(1)?;
            while self.digits(1).is_some() {}
        }
        let offset = match self.one_of(b"Zz+-") {
            Some(b'+') => self.hours_and_minutes(false)?,
            Some(b'-') => -self.hours_and_minutes(false)?,
            _ => 0,
        };
        self.bytes.is_empty().then_some((minutes, offset))
    }

    /// `09:30`; in an offset also `0930` and `09`.
    fn hours_and_minutes(&mut self, strict: bool) -> Option<i32> {
        let hours = self.digits(2)?;
        let minutes = match self.one_of(b":") {
            None if strict => return None,
            None if self.bytes.is_empty() => 0,
            _ => self.digits(2)?,
        };
        (hours < 24 && minutes < 60).then_some((hours * 60 + minutes) as i32)
    }

    fn digits(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.bytes.split_at_checked(count)?;
        let value = digits.iter().try_fold(0, |sum, b| {
            b.is_ascii_digit().then(|| sum * 10 + u32::from(b - b'0'))
        })?;
        self.bytes = rest;
        Some(value)
    }

    fn one_of(&mut self, allowed: &[u8]) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        allowed.contains(first).then(|| {
            self.bytes = rest;
            *first
        })
    }
}

/// Whether the date is in the calendar.
fn is_a_day(date: Date) -> bool {
    (1..=12).contains(&date.month) && (1..=days_in_month(date)).contains(&date.day)
}

fn days_in_month(date: Date) -> u32 {
    match date.month {
        2 if date.year.is_multiple_of(4)
            && (!date.year.is_multiple_of(100) || date.year.is_multiple_of(400)) =>
        {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn day_before(date: Date) -> Option<Date> {
    let Date { year, month, day } = date;
    let last_of = |year, month| {
        let first = Date {
            year,
            month,
            day: 1,
        };
        Date {
            day: days_in_month(first),
            ..first
        }
    };
    match (month, day) {
        (_, 2..) => Some(Date {
            day: day - 1,
            ..date
        }),
        (2.., _) => Some(last_of(year, month - 1)),
        _ => Some(last_of(year.checked_sub(1)?, 12)),
    }
}

fn day_after(date: Date) -> Option<Date> {
    let Date { year, month, day } = date;
    if day < days_in_month(date) {
        Some(Date {
            day: day + 1,
            ..date
        })
    } else if month < 12 {
        Some(Date {
            month: month + 1,
            day: 1,
            ..date
        })
    } else {
        (year < 9999).then_some(Date {
            year: year + 1,
            month: 1,
            day: 1,
        })
    }
}

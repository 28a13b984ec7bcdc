//! Time.

/// Milliseconds since the page was opened; never decreases.
pub fn now() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |performance| performance.now())
}

/// Milliseconds since 1970.
pub fn unix_millis() -> f64 {
    js_sys::Date::now()
}

/// The local date and time now: `2026-11-21 12:39`.
pub fn date_time() -> String {
    written(&js_sys::Date::new_0())
}

/// A local date and time, from milliseconds since 1970: `2026-11-21 12:39`.
pub fn date_time_of(millis: f64) -> String {
    written(&js_sys::Date::new(&millis.into()))
}

fn written(now: &js_sys::Date) -> String {
    format!(
        "{}-{:02}-{:02} {:02}:{:02}",
        now.get_full_year(),
        now.get_month() + 1,
        now.get_date(),
        now.get_hours(),
        now.get_minutes()
    )
}

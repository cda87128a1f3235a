//! The platform's clock, and its knowledge of time zones (`Intl.DateTimeFormat`).

use std::cell::Cell;

use js_sys::{Array, Date, Function, Intl, Object, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::ports::Clock;

/// The platform's clock.
#[derive(Debug, Default, Clone)]
pub struct PlatformClock {
    /// Added to the platform's time; only test hooks set it.
    shift_millis: Cell<i64>,
    /// The time at which it stands still; only test hooks set it.
    fixed_millis: Cell<Option<i64>>,
}

impl PlatformClock {
    /// How far it is ahead of the platform.
    pub fn shift_millis(&self) -> i64 {
        self.shift_millis.get()
    }

    /// Moves it.
    #[cfg(feature = "test-hooks")]
    pub fn shift(&self, shift_millis: i64) {
        self.shift_millis.set(shift_millis);
        self.fixed_millis.set(None);
    }

    /// Stops it.
    #[cfg(feature = "test-hooks")]
    pub fn fix(&self, millis: i64) {
        self.fixed_millis.set(Some(millis));
    }
}

impl Clock for PlatformClock {
    fn now_millis(&self) -> i64 {
        self.fixed_millis
            .get()
            .unwrap_or_else(|| Date::now() as i64 + self.shift_millis.get())
    }

    fn offset_minutes(&self, zone: &str, at_millis: i64) -> Option<i32> {
        if zone == "UTC" {
            return Some(0);
        }
        // Offsets such as "+05:00" are zones for Intl, but not names a person means; IANA names have letters.
        if !zone.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let formatted = long_offset(zone, at_millis).ok()?;
        parse_long_offset(&formatted)
    }
}

/// What the platform prints for the zone at the instant, ending in `GMT+02:00`.
fn long_offset(zone: &str, at_millis: i64) -> Result<String, JsValue> {
    let options = Object::new();
    Reflect::set(&options, &"timeZone".into(), &zone.into())?;
    Reflect::set(&options, &"timeZoneName".into(), &"longOffset".into())?;
    // The constructor throws a RangeError for an unknown zone, so it is called where the exception can be caught.
    let intl = Reflect::get(&js_sys::global(), &"Intl".into())?;
    let constructor: Function = Reflect::get(&intl, &"DateTimeFormat".into())?.dyn_into()?;
    let format: Intl::DateTimeFormat =
        Reflect::construct(&constructor, &Array::of2(&"en-US".into(), &options))?.unchecked_into();
    let date = Date::new(&JsValue::from_f64(at_millis as f64));
    let text = format.format().call1(&JsValue::UNDEFINED, &date)?;
    text.as_string().ok_or(JsValue::UNDEFINED)
}

/// Minutes of `…GMT+02:00`, `…GMT-04:56:02`, `…GMT`.
fn parse_long_offset(formatted: &str) -> Option<i32> {
    let (_, offset) = formatted.rsplit_once("GMT")?;
    if offset.is_empty() {
        return Some(0);
    }
    let (sign, digits) = match offset.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-" | "\u{2212}", digits) => (-1, digits),
        _ => return None,
    };
    let mut parts = digits.split(':').map(str::parse::<i32>);
    let (hours, minutes) = (parts.next()?.ok()?, parts.next()?.ok()?);
    Some(sign * (hours * 60 + minutes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_as_the_platform_prints_them() {
        let printed = [
            ("3/29/2026, GMT+02:00", Some(120)),
            ("3/10/2026, GMT", Some(0)),
            ("3/10/2026, GMT-03:30", Some(-210)),
            ("1/1/1880, GMT-04:56:02", Some(-296)),
            ("3/10/2026, UTC", None),
        ];
        for (text, minutes) in printed {
            assert_eq!(parse_long_offset(text), minutes, "{text}");
        }
    }
}

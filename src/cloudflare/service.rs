//! What calls to the platform's services have in common: finding the binding, a time limit, and what a failure means.

use futures_util::future::{Either, select};
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use worker::Env;

use crate::ports::ServiceFailure;

/// A binding by its name, if there is one.
pub fn binding(env: &Env, name: &str) -> Option<JsValue> {
    Reflect::get(env.as_ref(), &name.into())
        .ok()
        .filter(|binding| !binding.is_undefined() && !binding.is_null())
}

/// Sets a property of a fresh object, which cannot fail.
pub fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// What the call's promise gives, unless it takes too long. The call itself cannot be taken back; what it still does is for
/// the caller to reckon with.
pub async fn within(
    milliseconds: u32,
    call: impl FnOnce() -> std::result::Result<JsValue, JsValue>,
) -> std::result::Result<JsValue, ServiceFailure> {
    let promise = Promise::resolve(&call().map_err(|error| failure(&error))?);
    let timer = Timer::of(milliseconds);
    match select(JsFuture::from(promise), JsFuture::from(timer.rings.clone())).await {
        Either::Left((answer, _)) => answer.map_err(|error| failure(&error)),
        Either::Right(_) => Err(ServiceFailure::Late),
    }
}

/// `setTimeout` as it is: where the platform takes after Node it gives back an object and not the number that the worker crate's
/// `Delay` expects.
struct Timer {
    rings: Promise,
    id: JsValue,
}

impl Timer {
    fn of(milliseconds: u32) -> Timer {
        let mut id = JsValue::UNDEFINED;
        let rings = Promise::new(&mut |ring, _| {
            if let Some(set) = global_function("setTimeout") {
                let wait = JsValue::from_f64(f64::from(milliseconds));
                id = set
                    .call2(&JsValue::UNDEFINED, &ring, &wait)
                    .unwrap_or(JsValue::UNDEFINED);
            }
        });
        Timer { rings, id }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(clear) = global_function("clearTimeout") {
            let _ = clear.call1(&JsValue::UNDEFINED, &self.id);
        }
    }
}

fn global_function(name: &str) -> Option<Function> {
    Reflect::get(&js_sys::global(), &name.into())
        .ok()?
        .dyn_into()
        .ok()
}

fn failure(error: &JsValue) -> ServiceFailure {
    let text = |name: &str| {
        Reflect::get(error, &name.into())
            .ok()
            .and_then(|value| value.as_string())
            .unwrap_or_default()
    };
    meaning(&text("name"), &text("message"))
}

/// What an exception means. Workers AI and Vectorize put a number and a sentence into the message: see "Errors" in the
/// documentation of Workers AI, and the 400xx of Vectorize, which are all about what was sent.
fn meaning(name: &str, message: &str) -> ServiceFailure {
    // Both begin with their number; further on a message may repeat what was sent.
    let lower: String = message.chars().take(80).collect();
    let lower = lower.to_ascii_lowercase();
    let has = |word: &str| lower.contains(word);
    let number = |wanted: u32| numbers(&lower).any(|number| number == wanted);
    if has("daily free allocation") || number(3036) || number(4006) {
        ServiceFailure::Quota
    } else if number(3040) || number(429) || has("capacity") || has("rate limit") || has("too many")
    {
        ServiceFailure::Busy
    } else if number(3007) || number(3008) || number(408) || has("timeout") || has("timed out") {
        ServiceFailure::Late
    } else if let Some(code) =
        numbers(&lower).find(|number| REFUSALS.iter().any(|range| range.contains(number)))
    {
        ServiceFailure::Refused(format!("error {code}"))
    } else if name == "InvalidInputError" || has("bad input") || has("invalid") {
        ServiceFailure::Refused("it calls the input invalid".to_owned())
    } else {
        ServiceFailure::Unreachable
    }
}

/// Numbers that say the request itself is at fault: Workers AI's own, HTTP's as Workers AI repeats them, and Vectorize's.
const REFUSALS: [std::ops::RangeInclusive<u32>; 7] = [
    3003..=3003,
    3006..=3006,
    3039..=3042,
    5004..=5007,
    5016..=5021,
    400..=413,
    40_000..=40_999,
];

/// The whole numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.split(|character: char| !character.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_up_day_is_told_from_a_busy_minute() {
        let said = [
            (
                "3036: you have used up your daily free allocation of 10,000 neurons, please upgrade to Cloudflare's Workers Paid plan",
                ServiceFailure::Quota,
            ),
            (
                "4006: you have used up your daily free allocation of 10,000 neurons",
                ServiceFailure::Quota,
            ),
            (
                "3040: Capacity temporarily exceeded, please try again.",
                ServiceFailure::Busy,
            ),
            ("429 Too Many Requests", ServiceFailure::Busy),
            ("3007: Request timeout", ServiceFailure::Late),
            ("Network connection lost.", ServiceFailure::Unreachable),
            ("", ServiceFailure::Unreachable),
        ];
        for (message, failure) in said {
            assert_eq!(meaning("Error", message), failure, "{message}");
        }
    }

    #[test]
    fn a_refusal_names_its_number_and_never_repeats_the_text() {
        let refused = |message: &str| meaning("AiError", message);
        assert_eq!(
            refused("5006: Error: oneOf at '/' not met: my cat sleeps"),
            ServiceFailure::Refused("error 5006".into())
        );
        assert_eq!(
            refused("VECTOR_QUERY_ERROR (code = 40025): max top K is 50, but got 60"),
            ServiceFailure::Refused("error 40025".into())
        );
        assert_eq!(
            meaning("InvalidInputError", "my cat"),
            ServiceFailure::Refused("it calls the input invalid".into())
        );
    }
}

//! The platform: the only code that names workers-rs types. The Worker (`edge`) verifies and forwards, the Durable
//! Object (`object`) owns the data; `sql`, `clock`, `random`, `internet`, `ai` and
//! `vectorize` implement the ports. What stands here is translation,
//! short enough to check by eye.

pub mod ai;
pub mod callers;
pub mod clock;
pub mod edge;
pub mod forward;
pub mod headers;
pub mod held;
pub mod internet;
pub mod log;
pub mod object;
pub mod random;
pub mod service;
pub mod sql;
pub mod streams;
#[cfg(feature = "test-hooks")]
pub mod test_hooks;
pub mod vectorize;

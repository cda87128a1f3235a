//! Randomness from the platform's `crypto.getRandomValues`.

use crate::error::{Error, Result};
use crate::ports::Random;

/// The platform's source.
pub struct PlatformRandom;

impl Random for PlatformRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        getrandom::fill(bytes).map_err(|error| Error::internal(format!("no randomness: {error}")))
    }
}

//! The map of the vault: memories as points on a sheet, what means the same close together, and the hills that form named
//! by their own words. Pure: vectors and texts in, places and names out.
//!
//! [`sheet::lay_out`] places the points, [`hills::find`] tells which of them form a hill, and [`names::name`] finds the words
//! that set a hill apart. The same input gives the same map; work is bounded by counts, never by a clock, so that 10,000
//! points take about a second and no more. It only draws: nothing is decided by it, and what it does not understand (a text
//! without a vector) lies at the edge rather than being left out.

pub mod hills;
pub mod names;
pub mod neighbours;
pub mod sheet;

/// A place on the sheet: 0 to 1 from the left and from the top.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
}

/// Numbers that look like chance and are the same each time (xorshift).
#[derive(Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new() -> Chance {
        Chance(0x9e37_79b9_7f4a_7c15)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A whole number below `count`, 0 for none.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (((self.next() >> 32) * count as u64) >> 32) as usize
    }

    /// A number from -1 to 1.
    pub(crate) fn around_zero(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

#[cfg(test)]
mod tests;

//! The product of two rows of bytes: the loop in which a scan of all vectors spends its time. Written out for WebAssembly's
//! 128-bit lanes, since a build for size leaves it to one number at a time.

/// The sum of the products of numbers in the same place, as far as the shorter row goes. Exact for rows of up to 130,000
/// numbers (2^31 over the square of 128).
#[inline]
pub(super) fn dot(first: &[i8], second: &[i8]) -> i32 {
    let length = first.len().min(second.len());
    let (first, second) = (
        first.get(..length).unwrap_or_default(),
        second.get(..length).unwrap_or_default(),
    );
    let ((firsts, first_rest), (seconds, second_rest)) =
        (first.as_chunks::<16>(), second.as_chunks::<16>());
    sixteens(firsts, seconds) + one_by_one(first_rest, second_rest)
}

/// The products of one row with each of many, added to `products` in their order.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn dots<'a, const N: usize>(
    asked: &[i8; N],
    rows: impl Iterator<Item = &'a [i8; N]>,
    products: &mut Vec<i32>,
) {
    products.extend(rows.map(|row| dot(asked, row)));
}

/// The products of one row with each of many, added to `products` in their order. The one row is spread over lanes once for all,
/// and no call is made for each of the others.
#[cfg(target_arch = "wasm32")]
#[target_feature(enable = "simd128")]
pub(super) fn dots<'a, const N: usize>(
    asked: &[i8; N],
    rows: impl Iterator<Item = &'a [i8; N]>,
    products: &mut Vec<i32>,
) {
    use core::arch::wasm32::{
        i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane, i32x4_splat, v128, v128_load,
    };
    let (asked, asked_rest) = asked.as_chunks::<16>();
    // SAFETY (both loads): the pointer is to 16 readable bytes, and a load needs no alignment.
    let asked: Vec<(v128, v128)> = (asked.iter())
        .map(|sixteen| unsafe { v128_load(sixteen.as_ptr().cast()) })
        .map(|lanes| {
            (
                i16x8_extend_low_i8x16(lanes),
                i16x8_extend_high_i8x16(lanes),
            )
        })
        .collect();
    for row in rows {
        let (row, rest) = row.as_chunks::<16>();
        let mut sums = i32x4_splat(0);
        for ((low, high), sixteen) in asked.iter().zip(row) {
            let lanes = unsafe { v128_load(sixteen.as_ptr().cast()) };
            let low = i32x4_dot_i16x8(*low, i16x8_extend_low_i8x16(lanes));
            let high = i32x4_dot_i16x8(*high, i16x8_extend_high_i8x16(lanes));
            sums = i32x4_add(sums, i32x4_add(low, high));
        }
        let sum = i32x4_extract_lane::<0>(sums)
            + i32x4_extract_lane::<1>(sums)
            + i32x4_extract_lane::<2>(sums)
            + i32x4_extract_lane::<3>(sums);
        products.push(sum + one_by_one(asked_rest, rest));
    }
}

fn one_by_one(first: &[i8], second: &[i8]) -> i32 {
    first
        .iter()
        .zip(second)
        .map(|(first, second)| i32::from(i16::from(*first) * i16::from(*second)))
        .sum()
}

#[cfg(not(target_arch = "wasm32"))]
fn sixteens(first: &[[i8; 16]], second: &[[i8; 16]]) -> i32 {
    one_by_one(first.as_flattened(), second.as_flattened())
}

#[cfg(target_arch = "wasm32")]
#[target_feature(enable = "simd128")]
fn sixteens(first: &[[i8; 16]], second: &[[i8; 16]]) -> i32 {
    use core::arch::wasm32::{
        i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane, i32x4_splat, v128_load,
    };
    let mut sums = i32x4_splat(0);
    for (first, second) in first.iter().zip(second) {
        // SAFETY: both point to 16 readable bytes, and a load needs no alignment.
        let (first, second) = unsafe {
            (
                v128_load(first.as_ptr().cast()),
                v128_load(second.as_ptr().cast()),
            )
        };
        let low = i32x4_dot_i16x8(
            i16x8_extend_low_i8x16(first),
            i16x8_extend_low_i8x16(second),
        );
        let high = i32x4_dot_i16x8(
            i16x8_extend_high_i8x16(first),
            i16x8_extend_high_i8x16(second),
        );
        sums = i32x4_add(sums, i32x4_add(low, high));
    }
    i32x4_extract_lane::<0>(sums)
        + i32x4_extract_lane::<1>(sums)
        + i32x4_extract_lane::<2>(sums)
        + i32x4_extract_lane::<3>(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_products_are_those_of_each() {
        let rows = [[1i8; 20], [-3; 20]];
        let mut products = Vec::new();
        dots(&[2; 20], rows.iter(), &mut products);
        assert_eq!(products, [40, -120]);
    }

    #[test]
    fn every_length_is_summed_to_its_end() {
        let row = |length: usize| -> Vec<i8> {
            (0..length)
                .map(|place| (place * 37 % 255) as u8 as i8)
                .collect()
        };
        for length in [0, 1, 15, 16, 17, 256, 1_024, 1_027] {
            let (first, mut second) = (row(length), row(length));
            second.reverse();
            let wanted: i32 = first
                .iter()
                .zip(&second)
                .map(|(first, second)| i32::from(*first) * i32::from(*second))
                .sum();
            assert_eq!(dot(&first, &second), wanted, "{length}");
        }
        assert_eq!(dot(&[-128; 16], &[-128; 16]), 262_144);
        assert_eq!(dot(&[2, 3], &[5]), 10);
    }
}

//! What the token table promises.

use super::*;
use crate::embed::TABLE;

/// Two pieces, "a" and "ab", with rows of threes and of minus threes.
fn small() -> Vec<u8> {
    let mut table = b"SEM3".to_vec();
    table.extend([0, 1, 2, 0, 2, 0, 0, 0, 3, 0, 0, 0]); // 256 numbers, 2 bits, 2 pieces, 3 nodes
    table.extend([0, b'a', b'b', 1, 1, 0, 0b110]); // labels, child counts, ends
    table.extend([255, 239, 255, 223, 0, 7, 1, 2]); // scales 1 and 1/2, weights 1 and 1/4, costs 256 and 519
    table.extend([0xff, 0x00].repeat(64));
    table
}

#[test]
fn a_table_is_read() {
    let table = small();
    let model = Model::load(&table).unwrap();
    assert_eq!(model.pieces(), 2);
    assert_eq!((model.find("a"), model.find("ab")), (Some(0), Some(1)));
    assert_eq!(
        (model.find(""), model.find("b"), model.find("abc")),
        (None, None, None)
    );
    assert_eq!(
        (model.scale(1), model.weight(1), model.cost(1)),
        (0.5, 0.25, 519)
    );
    assert_eq!((model.row(0), model.row(1)), ([3; DIMS], [-3; DIMS]));
}

#[test]
fn a_piece_the_table_does_not_have_weighs_nothing() {
    let table = small();
    let model = Model::load(&table).unwrap();
    assert_eq!(
        (model.scale(2), model.weight(2), model.cost(2)),
        (0.0, 0.0, 0)
    );
    assert_eq!(model.row(2), [0; DIMS]);
}

#[test]
fn a_damaged_table_is_refused_at_every_length() {
    let table = small();
    for length in 0..table.len() {
        assert_eq!(
            Model::load(&table[..length]).err(),
            Some(Refused::CutOff),
            "{length}"
        );
    }
    for (place, byte, reason) in [
        (3, b'1', Refused::Format),
        (4, 1, Refused::Shape),
        (6, 4, Refused::Shape),
        (8, 3, Refused::CutOff),
        (12, 0, Refused::Trie),
        (14, 255, Refused::Trie),
        (20, 2, Refused::Trie),
        (22, 0b010, Refused::Trie),
    ] {
        let mut damaged = small();
        damaged[place] = byte;
        assert_eq!(Model::load(&damaged).err(), Some(reason), "byte {place}");
    }
}

#[test]
fn the_table_compiled_in_is_whole() {
    let model = Model::load(TABLE).unwrap();
    assert_eq!(model.pieces(), 40_443);
    assert_eq!(
        model.find("▁coffee").map(|piece| model.cost(piece)),
        Some(2_982)
    );
}

#[test]
fn rows_are_turned_whatever_their_number() {
    for pieces in [0, 1, TURNED_ROWS - 1, TURNED_ROWS, 2 * TURNED_ROWS + 3] {
        let byte = |piece: usize, place: usize| (piece * 7 + place * 31) as u8;
        let columns: Vec<u8> = (0..ROW_BYTES)
            .flat_map(|place| (0..pieces).map(move |piece| byte(piece, place)))
            .collect();
        let rows = turned(&columns, pieces);
        assert_eq!(rows.len(), pieces);
        for (piece, row) in rows.iter().enumerate() {
            assert_eq!(*row, std::array::from_fn(|place| byte(piece, place)));
        }
    }
}

#[test]
fn weights_are_sixteenth_powers_of_two() {
    for code in 0..=255u8 {
        let expected = ((f32::from(code) - 255.0) / 16.0).exp2();
        let value = from_log(Some(&code));
        assert!(
            (value / expected - 1.0).abs() < 1e-6,
            "{code}: {value} {expected}"
        );
    }
}

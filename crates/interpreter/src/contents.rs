//! The bytes of one object.
//!
//! Most bytes are *plain*: a known number, in a flat array. A mask says which; what else a byte can be stands in a sparse map
//! by offset: pointers into objects, single bytes of such pointers, copies of undefined bytes, unbounded integers that do
//! not fit their width. A byte that is neither plain nor in the map is undefined and has never been copied from elsewhere: its token is the
//! object's first token plus its offset, so that fresh memory costs nothing. Writes cut what they overlap: the rest of a
//! pointer stays as its single bytes, the rest of an unbounded integer is torn.

use dashu::integer::IBig;
use smallvec::SmallVec;

use crate::sparse::Sparse;
use crate::value::{Byte, Pointer, Token};

/// What is not a plain byte.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Special {
    /// A whole pointer of this many bytes.
    Ptr(Pointer, u8),
    /// A byte of a pointer.
    Frag(Pointer, u8),
    /// So many undefined bytes with successive tokens.
    Undef(Token, u64),
    /// A byte with some undefined bits.
    Part { token: Token, mask: u8, value: u8 },
    /// An unbounded integer: value, width, bytes.
    Cell(Box<(IBig, u16)>, u8),
    /// A byte of a cell that is gone.
    Torn,
}

impl Special {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Special::Ptr(_, len) | Special::Cell(_, len) => u64::from(*len),
            Special::Undef(_, len) => *len,
            Special::Frag(..) | Special::Part { .. } | Special::Torn => 1,
        }
    }

    /// The byte at an index of it.
    fn byte(&self, index: u64) -> Byte {
        match self {
            Special::Ptr(pointer, _) => Byte::Frag(*pointer, index as u8),
            Special::Frag(pointer, at) => Byte::Frag(*pointer, *at),
            Special::Undef(first, _) => Byte::Undef(first.wrapping_add(index)),
            Special::Part { token, mask, value } => Byte::Part { token: *token, mask: *mask, value: *value },
            Special::Cell(..) | Special::Torn => Byte::Torn,
        }
    }

    /// The part from `from` to before `to`, as pieces with their place within it.
    fn cut(&self, from: u64, to: u64) -> SmallVec<[(u64, Special); 8]> {
        if from >= to {
            return SmallVec::new();
        }
        if from == 0 && to == self.len() {
            return smallvec::smallvec![(0, self.clone())];
        }
        if let Special::Undef(first, _) = self {
            return smallvec::smallvec![(from, Special::Undef(first.wrapping_add(from), to - from))];
        }
        (from..to).filter_map(|at| Some((at, Special::of_byte(self.byte(at))?))).collect()
    }

    fn of_byte(byte: Byte) -> Option<Special> {
        Some(match byte {
            Byte::Known(_) => return None,
            Byte::Undef(token) => Special::Undef(token, 1),
            Byte::Part { token, mask, value } => Special::Part { token, mask, value },
            Byte::Frag(pointer, at) => Special::Frag(pointer, at),
            Byte::Torn => Special::Torn,
        })
    }
}

/// A run of bytes taken out of an object, to be put into another.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Plain(Box<[u8]>),
    Special(Special),
}

/// The bytes of an object.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    size: u64,
    /// Empty until the first write: reads as zeros.
    bytes: SmallVec<[u8; 16]>,
    /// One bit a byte: plain. Not kept while all bytes are plain or none is.
    mask: SmallVec<[u64; 2]>,
    /// How many bytes are not plain.
    missing: u64,
    special: Sparse,
    first_token: Token,
}

impl Contents {
    /// Undefined bytes, whose tokens start at `first_token`.
    pub(crate) fn undefined(size: u64, first_token: Token) -> Self {
        Self {
            size,
            bytes: SmallVec::new(),
            mask: SmallVec::new(),
            missing: size,
            special: Sparse::default(),
            first_token,
        }
    }

    /// Zeros.
    pub(crate) fn zeroed(size: u64, first_token: Token) -> Self {
        Self { missing: 0, ..Self::undefined(size, first_token) }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn first_token(&self) -> Token {
        self.first_token
    }

    /// True if bytes have been set aside.
    pub(crate) fn has_bytes(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// How many bytes of the interpreter's memory are in use for the object.
    pub(crate) fn footprint(&self) -> u64 {
        self.bytes.len() as u64 + self.special.len() as u64 * 48
    }

    /// The specials, by offset.
    pub(crate) fn specials(&self) -> impl Iterator<Item = (u64, &Special)> {
        self.special.iter()
    }

    /// True if all bytes of the range are plain.
    #[inline]
    pub(crate) fn is_plain(&self, offset: u64, len: u64) -> bool {
        self.missing == 0 || (self.missing < self.size && self.run(offset, offset + len) == (true, offset + len))
    }

    /// Whether the byte at `from` is plain, and where before `to` that changes. Only while some bytes are plain and some not.
    fn run(&self, from: u64, to: u64) -> (bool, u64) {
        if self.missing == 0 || self.missing == self.size {
            return (self.missing == 0, to);
        }
        let (mut word, bit) = ((from / 64) as usize, from % 64);
        let plain = self.mask[word] >> bit & 1 == 1;
        let flipped = |word: usize| if plain { !self.mask[word] } else { self.mask[word] };
        let mut changes = flipped(word) & (u64::MAX << bit);
        while changes == 0 {
            word += 1;
            if word as u64 * 64 >= to {
                return (plain, to);
            }
            changes = flipped(word);
        }
        (plain, (word as u64 * 64 + u64::from(changes.trailing_zeros())).min(to))
    }

    fn mark(&mut self, offset: u64, len: u64, plain: bool) {
        if len == 0 || (plain && self.missing == 0) || (!plain && self.missing == self.size) {
            return;
        }
        if len == self.size {
            self.missing = if plain { 0 } else { self.size };
            return;
        }
        if self.missing == 0 || self.missing == self.size {
            let words = self.size.div_ceil(64) as usize;
            let fill = if self.missing == 0 { u64::MAX } else { 0 };
            self.mask.clear();
            self.mask.resize(words, fill);
        }
        let (mut at, end) = (offset, offset + len);
        while at < end {
            let (word, bit) = ((at / 64) as usize, at % 64);
            let count = (64 - bit).min(end - at);
            let ones = (u64::MAX >> (64 - count)) << bit;
            let before = self.mask[word];
            self.mask[word] = if plain { before | ones } else { before & !ones };
            let changed = u64::from((before ^ self.mask[word]).count_ones());
            self.missing = if plain { self.missing - changed } else { self.missing + changed };
            at += count;
        }
    }

    /// Removes what the range overlaps from the map; what stands out stays.
    fn cut_specials(&mut self, start: u64, end: u64) {
        if self.special.is_empty() {
            return;
        }
        let before = self.special.before(start).filter(|(at, special)| at + special.len() > start);
        let mut overlapping: SmallVec<[u64; 4]> = before.map(|(at, _)| at).into_iter().collect();
        overlapping.extend(self.special.range(start, end).map(|(at, _)| at));
        for at in overlapping {
            let Some(special) = self.special.remove(at) else { continue };
            let kept = special.cut(0, start.saturating_sub(at).min(special.len()));
            let rest = special.cut(end.saturating_sub(at).min(special.len()), special.len());
            for (index, piece) in kept.into_iter().chain(rest) {
                self.special.insert(at + index, piece);
            }
        }
    }

    /// Sets bytes aside, all zero. The caller has asked for the room.
    pub(crate) fn allocate(&mut self) {
        if self.bytes.is_empty() {
            let size = self.size as usize;
            if size <= 16 {
                self.bytes.resize(size, 0);
            } else {
                // Zeroed by the system when first touched.
                self.bytes = SmallVec::from_vec(vec![0; size]);
            }
        }
    }

    /// The plain bytes of a range as a little-endian number; at most 16.
    #[inline]
    pub(crate) fn read_plain(&self, offset: u64, len: u64) -> u128 {
        let start = offset as usize;
        let Some(bytes) = self.bytes.get(start..start + len as usize) else { return 0 };
        match bytes {
            [a] => u128::from(*a),
            [a, b, c, d] => u128::from(u32::from_le_bytes([*a, *b, *c, *d])),
            [a, b, c, d, e, f, g, h] => u128::from(u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h])),
            _ => {
                let mut all = [0; 16];
                all[..bytes.len()].copy_from_slice(bytes);
                u128::from_le_bytes(all)
            }
        }
    }

    /// One plain byte.
    pub(crate) fn plain_byte(&self, offset: u64) -> u8 {
        self.bytes.get(offset as usize).copied().unwrap_or(0)
    }

    /// Writes the low bytes of a number; at most 16. Bytes have been set aside.
    #[inline]
    pub(crate) fn write_plain(&mut self, offset: u64, len: u64, bits: u128) {
        self.make_plain(offset, len);
        let start = offset as usize;
        let Some(bytes) = self.bytes.get_mut(start..start + len as usize) else { return };
        match bytes.len() {
            1 => bytes[0] = bits as u8,
            4 => bytes.copy_from_slice(&(bits as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&(bits as u64).to_le_bytes()),
            len => bytes.copy_from_slice(&bits.to_le_bytes()[..len]),
        }
    }

    #[inline]
    fn make_plain(&mut self, offset: u64, len: u64) {
        if self.missing != 0 {
            self.cut_specials(offset, offset + len);
            self.mark(offset, len, true);
        }
    }

    /// Writes plain bytes. Room has been set aside.
    pub(crate) fn write_bytes(&mut self, offset: u64, data: &[u8]) {
        self.make_plain(offset, data.len() as u64);
        let start = offset as usize;
        if let Some(bytes) = self.bytes.get_mut(start..start + data.len()) {
            bytes.copy_from_slice(data);
        }
    }

    /// Fills a range with one plain byte. Room has been set aside.
    pub(crate) fn fill(&mut self, offset: u64, len: u64, byte: u8) {
        self.make_plain(offset, len);
        let start = offset as usize;
        if let Some(bytes) = self.bytes.get_mut(start..start + len as usize) {
            bytes.fill(byte);
        }
    }

    /// Writes something special.
    pub(crate) fn write_special(&mut self, offset: u64, special: Special) {
        if let (Special::Ptr(new, len), Some(Special::Ptr(old, old_len))) = (&special, self.special.get_mut(offset))
            && len == old_len
        {
            *old = *new;
            return;
        }
        let len = special.len();
        self.cut_specials(offset, offset + len);
        self.mark(offset, len, false);
        self.special.insert(offset, special);
    }

    /// Writes a byte of any kind. Room has been set aside.
    pub(crate) fn write_byte(&mut self, offset: u64, byte: Byte) {
        match (byte, Special::of_byte(byte)) {
            (_, Some(special)) => self.write_special(offset, special),
            (Byte::Known(known), None) => self.write_plain(offset, 1, known.into()),
            (Byte::Undef(_) | Byte::Part { .. } | Byte::Frag(..) | Byte::Torn, None) => {}
        }
    }

    /// The special that stands exactly at `offset`.
    #[inline]
    pub(crate) fn special_at(&self, offset: u64) -> Option<&Special> {
        self.special.get(offset)
    }

    /// The byte at `offset`, whatever it is.
    pub(crate) fn byte_at(&self, offset: u64) -> Byte {
        if self.run(offset, offset + 1).0 {
            return Byte::Known(self.plain_byte(offset));
        }
        match self.special.before(offset + 1) {
            Some((at, special)) if at + special.len() > offset => special.byte(offset - at),
            Some(_) | None => Byte::Undef(self.first_token.wrapping_add(offset)),
        }
    }

    /// What a range holds, with the place of each piece within it.
    pub(crate) fn pieces(&self, offset: u64, len: u64) -> Vec<(u64, Piece)> {
        let (mut at, end) = (offset, offset + len);
        let mut pieces = Vec::new();
        while at < end {
            let (plain, until) = self.run(at, end);
            if plain {
                let bytes = self.bytes.get(at as usize..until as usize);
                let bytes = bytes.map_or_else(|| vec![0; (until - at) as usize].into(), Box::from);
                pieces.push((at - offset, Piece::Plain(bytes)));
            } else {
                self.special_pieces(at, until, |place, special| {
                    pieces.push((place - offset, Piece::Special(special)));
                });
            }
            at = until;
        }
        pieces
    }

    /// The pieces of a range without plain bytes.
    fn special_pieces(&self, from: u64, to: u64, mut give: impl FnMut(u64, Special)) {
        let before = self.special.before(from).filter(|(at, special)| at + special.len() > from);
        let mut done = from;
        for (at, special) in before.into_iter().chain(self.special.range(from, to)) {
            if at > done {
                give(done, Special::Undef(self.first_token.wrapping_add(done), at - done));
            }
            let last = (at + special.len()).min(to);
            for (index, piece) in special.cut(from.saturating_sub(at), last - at) {
                give(at + index, piece);
            }
            done = last;
        }
        if done < to {
            give(done, Special::Undef(self.first_token.wrapping_add(done), to - done));
        }
    }

    /// Puts pieces at `offset`. Room has been set aside.
    pub(crate) fn put(&mut self, offset: u64, pieces: Vec<(u64, Piece)>) {
        for (at, piece) in pieces {
            match piece {
                Piece::Plain(bytes) => self.write_bytes(offset + at, &bytes),
                Piece::Special(special) => self.write_special(offset + at, special),
            }
        }
    }

    /// Forgets everything.
    pub(crate) fn drop_bytes(&mut self) {
        self.bytes = SmallVec::new();
        self.mask = SmallVec::new();
        self.special = Sparse::default();
        self.missing = self.size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ObjectId;

    const TARGET: Pointer = Pointer::Object { id: ObjectId(9), offset: 4 };

    fn undefined(size: u64) -> Contents {
        let mut contents = Contents::undefined(size, 1000);
        contents.allocate();
        contents
    }

    #[test]
    fn fresh_bytes_are_undefined_and_become_plain() {
        let mut contents = undefined(200);
        assert_eq!(contents.byte_at(7), Byte::Undef(1007));
        contents.write_plain(60, 8, 0x0102_0304_0506_0708);
        assert!(contents.is_plain(60, 8) && !contents.is_plain(59, 2) && !contents.is_plain(67, 2));
        assert_eq!(contents.read_plain(60, 8), 0x0102_0304_0506_0708);
        contents.fill(0, 200, 3);
        assert!(contents.is_plain(0, 200));
    }

    #[test]
    fn a_pointer_that_is_partly_overwritten_leaves_its_bytes() {
        let mut contents = undefined(16);
        contents.write_special(4, Special::Ptr(TARGET, 8));
        contents.write_plain(6, 2, 0xffff);
        assert_eq!(contents.byte_at(5), Byte::Frag(TARGET, 1));
        assert_eq!(contents.byte_at(6), Byte::Known(0xff));
        assert_eq!(contents.byte_at(8), Byte::Frag(TARGET, 4));
        assert_eq!(contents.byte_at(12), Byte::Undef(1012));
    }

    #[test]
    fn a_cell_that_is_partly_overwritten_is_torn() {
        let mut contents = undefined(8);
        contents.write_special(0, Special::Cell(Box::new((IBig::from(1) << 40, 32)), 4));
        contents.write_plain(3, 1, 0);
        assert_eq!(contents.byte_at(0), Byte::Torn);
        assert_eq!(contents.byte_at(3), Byte::Known(0));
    }

    #[test]
    fn pieces_copy_everything() {
        let mut from = undefined(40);
        from.write_plain(0, 4, 7);
        from.write_special(8, Special::Ptr(TARGET, 8));
        from.write_special(20, Special::Undef(5, 6));
        let mut to = Contents::zeroed(64, 5000);
        to.allocate();
        to.put(10, from.pieces(2, 30));
        for at in 0..30 {
            assert_eq!(to.byte_at(10 + at), from.byte_at(2 + at), "{at}");
        }
        assert_eq!(to.byte_at(9), Byte::Known(0));
        assert_eq!(to.byte_at(40), Byte::Known(0));
        assert_eq!(to.special_at(16), Some(&Special::Ptr(TARGET, 8)));
    }

    #[test]
    fn plain_and_special_bytes_mix_in_any_order() {
        let mut contents = Contents::zeroed(300, 0);
        contents.allocate();
        let mut model: Vec<Byte> = vec![Byte::Known(0); 300];
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..4000 {
            let (seed, at) = (random.u64(..u64::MAX - 8), random.u64(..290));
            match random.u32(..4) {
                0 => {
                    contents.write_plain(at, 4, 0x0505_0505);
                    model[at as usize..at as usize + 4].fill(Byte::Known(5));
                }
                1 => {
                    contents.write_special(at, Special::Ptr(TARGET, 8));
                    (0..8).for_each(|index| model[at as usize + index] = Byte::Frag(TARGET, index as u8));
                }
                2 => {
                    contents.write_special(at, Special::Undef(seed, 3));
                    (0..3).for_each(|index| model[at as usize + index] = Byte::Undef(seed + index as u64));
                }
                _ => {
                    let pieces = contents.pieces(at, 10);
                    contents.put(280 - at.min(280), pieces);
                    let copy = model[at as usize..at as usize + 10].to_vec();
                    let to = 280 - at.min(280) as usize;
                    model[to..to + 10].copy_from_slice(&copy);
                }
            }
        }
        for (at, byte) in model.iter().enumerate() {
            assert_eq!(contents.byte_at(at as u64), *byte, "{at}");
        }
    }
}

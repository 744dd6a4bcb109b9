//! Reading: from the modification graph back to a value.
//!
//! A read walks from the newest version to the first bytes. A write is skipped if no offset lets the two meet, taken if they
//! are the same place, and otherwise becomes a choice between its value and what lies before it, one for each distance at which
//! they can meet: known low bits of the distance (alignment) leave one or none for well-typed programs. Reads at unknown
//! offsets of first bytes choose among the cells by the bits of the offset if there are few, and are made consistent with
//! each other pair by pair (Ackermann) if there are many. Results are kept, so that a version is read once for each offset.
//!
//! Exact where it answers at all; where first bytes are too many to choose from, the value is left open, which allows more
//! than the program does and is noted as imprecise.

use belay_logic::bv::TermId;

use super::Store;
use super::content::{MAX_CELL, Node, StoredValue, VersionId, Wanted, overlapping};
use super::execution::Execution;
use super::trie::Trie;
use super::value::{Base, Value};

/// A read at an unknown offset chooses among at most so many places by itself.
pub(super) const MAX_CHOICES: u64 = 64;

impl Store<'_> {
    /// Bytes, least significant first, as one number.
    pub(super) fn number_of_bytes(&mut self, bytes: &[TermId]) -> TermId {
        let mut bytes = bytes.iter();
        let first = bytes.next().copied().unwrap_or_else(|| self.terms.number(8, 0));
        bytes.fold(first, |number, byte| self.terms.concat(*byte, number))
    }

    pub(super) fn constant_offset(&self, offset: TermId) -> Option<u64> {
        self.terms.as_const(offset).and_then(|bits| bits.to_u128()).and_then(|at| u64::try_from(at).ok())
    }

    /// The distances from a write of `size` bytes to a read of `wanted` bytes at which they share a byte.
    pub(super) fn meeting_distances(&mut self, offset: TermId, wanted: u32, at: TermId, size: u32) -> Vec<i64> {
        let difference = self.terms.sub(offset, at);
        let facts = *self.terms.facts(difference);
        let (reads, writes) = (*self.terms.facts(offset), *self.terms.facts(at));
        if reads.umax + u128::from(wanted) <= writes.umin || writes.umax + u128::from(size) <= reads.umin {
            return Vec::new();
        }
        let known = (facts.zeros | facts.ones).trailing_ones().min(8);
        let period = 1i64 << known;
        let residue = facts.ones as i64 & (period - 1);
        let possible = |distance: &i64| {
            distance.rem_euclid(period) == residue
                && i128::from(*distance) >= facts.smin
                && i128::from(*distance) <= facts.smax
        };
        (1 - i64::from(wanted)..i64::from(size)).filter(possible).collect()
    }

    /// True if a read of `size` bytes at `distance` from the start of a range of `len` bytes is inside or outside as a whole.
    fn is_whole(&mut self, distance: TermId, len: TermId, size: u32) -> bool {
        let (from, length) = (*self.terms.facts(distance), *self.terms.facts(len));
        let size = u128::from(size);
        let steps = |zeros: u32| zeros >= 64 || (1u128 << zeros).is_multiple_of(size);
        let aligned = steps(from.trailing_zeros()) && steps(length.trailing_zeros());
        let begins_inside = from.umax + size <= length.umin;
        let width = from.width();
        let top = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let begins_outside = from.umin >= length.umax && from.umax <= top - (size - 1);
        aligned || begins_inside || begins_outside
    }

    /// The places at which a read can be: the first, the distance between two, and how many there are.
    pub(super) fn places(&self, limit: u64, offset: TermId, wanted: Wanted) -> (u64, u32, u64) {
        let facts = self.terms.facts(offset);
        let known = (facts.zeros | facts.ones).trailing_ones().min(12);
        let first = facts.ones as u64 & ((1 << known) - 1);
        let last = u64::try_from(facts.umax).unwrap_or(u64::MAX).min(limit.saturating_sub(wanted.size.into()));
        let count = if last < first { 0 } else { ((last - first) >> known).saturating_add(1) };
        (first, known, count)
    }
}

impl Execution<'_, '_> {
    /// Byte `index` of a stored value.
    pub(super) fn byte_of(&mut self, value: Value, index: u32) -> TermId {
        let bits = self.number_of(value);
        let width = self.store.terms.width(bits);
        let (low, high) = (8 * index, 8 * index + 7);
        if high < width {
            return self.store.terms.extract(high, low, bits);
        }
        if low >= width {
            return self.store.terms.number(8, 0);
        }
        let part = self.store.terms.extract(width - 1, low, bits);
        self.store.terms.zext(part, 8)
    }

    /// A value as what a read wants.
    pub(super) fn as_wanted(&mut self, value: Value, wanted: Wanted) -> Value {
        match (value, wanted.pointer) {
            (Value::Bits(bits), true) => {
                let bits = self.store.fit_width(bits, 8 * wanted.size);
                Value::Ptr(self.store.pointers.single(&mut self.store.terms, Base::Bare, bits))
            }
            (Value::Bits(bits), false) => Value::Bits(self.store.fit_width(bits, 8 * wanted.size)),
            (Value::Ptr(pointer) | Value::Addr(pointer), true) => Value::Ptr(pointer),
            (Value::Ptr(pointer) | Value::Addr(pointer), false) => self.address_integer(pointer),
        }
    }

    /// Reads `wanted` at `offset`, which is inside the object; no byte from `limit` on is.
    pub(super) fn read(&mut self, version: VersionId, limit: u64, offset: TermId, wanted: Wanted) -> Value {
        if let Some(known) = self.contents.reads.get(&(version, offset, wanted)) {
            return *known;
        }
        let constant = self.store.constant_offset(offset);
        let value = match self.contents.node(version).clone() {
            Node::Start(start) => self.read_start(start, limit, offset, wanted),
            Node::Cells { cells, base } => match constant {
                Some(at) => self.read_cells(&cells, base, limit, at, wanted),
                None => self.read_among_cells(version, (&cells, base), limit, offset, wanted),
            },
            Node::Store { before, offset: at, value, size } => {
                self.read_over(before, limit, offset, wanted, (at, value, size))
            }
            Node::Fill { before, offset: at, len, byte } => {
                let inside = |encoder: &mut Self, _: TermId, wanted: Wanted| {
                    let bytes = vec![byte; wanted.size as usize];
                    let number = encoder.store.number_of_bytes(&bytes);
                    encoder.as_wanted(Value::Bits(number), wanted)
                };
                self.read_range(before, limit, offset, wanted, (at, len), &inside)
            }
            Node::Copy { before, offset: at, len, source, from, limit: source_limit } => {
                let inside = |encoder: &mut Self, distance: TermId, wanted: Wanted| {
                    let place = encoder.store.terms.add(from, distance);
                    encoder.read(source, source_limit, place, wanted)
                };
                self.read_range(before, limit, offset, wanted, (at, len), &inside)
            }
            Node::Join { condition, then, otherwise } => {
                let a = self.read(then, limit, offset, wanted);
                let b = self.read(otherwise, limit, offset, wanted);
                self.select(condition, a, b)
            }
        };
        self.contents.reads.insert((version, offset, wanted), value);
        self.instantiate_claims(version, offset, wanted, value);
        self.instantiate_every(version, offset, wanted);
        value
    }

    /// Reads each byte by itself.
    pub(super) fn read_bytes(
        &mut self,
        offset: TermId,
        wanted: Wanted,
        mut byte: impl FnMut(&mut Self, u32, TermId) -> Value,
    ) -> Value {
        let mut bytes = Vec::with_capacity(wanted.size as usize);
        for index in 0..wanted.size {
            let step = self.store.address_number(u64::from(index));
            let place = self.store.terms.add(offset, step);
            let value = byte(self, index, place);
            bytes.push(self.byte_of(value, 0));
        }
        let number = self.store.number_of_bytes(&bytes);
        self.as_wanted(Value::Bits(number), wanted)
    }

    fn read_cells(&mut self, cells: &Trie<StoredValue>, base: VersionId, limit: u64, at: u64, wanted: Wanted) -> Value {
        let offset = self.store.address_number(at);
        let Some(start) = u32::try_from(at).ok().filter(|at| at.checked_add(64).is_some()) else {
            return self.read(base, limit, offset, wanted);
        };
        if let Some(cell) = cells.get(start).filter(|cell| cell.size == wanted.size) {
            return self.as_wanted(cell.value, wanted);
        }
        let found = overlapping(cells, start, wanted.size);
        if found.is_empty() {
            return self.read(base, limit, offset, wanted);
        }
        let one = Wanted { size: 1, pointer: false };
        self.read_bytes(offset, wanted, |encoder, index, place| {
            let at = start + index;
            let cell = found.iter().find(|(begin, cell)| *begin <= at && at < begin + cell.size);
            match cell {
                Some((begin, cell)) => Value::Bits(encoder.byte_of(cell.value, at - begin)),
                None => encoder.read(base, limit, place, one),
            }
        })
    }

    /// A read at an unknown offset of a map of cells: a choice among places if they are few, else cell by cell.
    fn read_among_cells(
        &mut self,
        version: VersionId,
        (cells, base): (&Trie<StoredValue>, VersionId),
        limit: u64,
        offset: TermId,
        wanted: Wanted,
    ) -> Value {
        let entries = cells.entries();
        let rests_on_start = matches!(self.contents.node(base), Node::Start(_));
        if rests_on_start && self.store.places(limit, offset, wanted).2 <= MAX_CHOICES.max(2 * entries.len() as u64) {
            return self
                .choose_place(limit, offset, wanted, |encoder, place| encoder.read(version, limit, place, wanted));
        }
        let mut value = self.read(base, limit, offset, wanted);
        for (at, cell) in entries {
            let place = self.store.address_number(u64::from(at));
            value = self.over(value, (base, limit), offset, wanted, (place, cell.value, cell.size));
        }
        value
    }

    fn read_over(
        &mut self,
        before: VersionId,
        limit: u64,
        offset: TermId,
        wanted: Wanted,
        write: (TermId, Value, u32),
    ) -> Value {
        let distances = self.store.meeting_distances(offset, wanted.size, write.0, write.2);
        if let [0] = distances.as_slice()
            && offset == write.0
            && wanted.size == write.2
        {
            return self.as_wanted(write.1, wanted);
        }
        let value = self.read(before, limit, offset, wanted);
        self.over(value, (before, limit), offset, wanted, write)
    }

    /// `value`, read from before a write, with what the write changes of it.
    fn over(
        &mut self,
        value: Value,
        (before, limit): (VersionId, u64),
        offset: TermId,
        wanted: Wanted,
        (at, written, size): (TermId, Value, u32),
    ) -> Value {
        let mut result = value;
        for distance in self.store.meeting_distances(offset, wanted.size, at, size) {
            let difference = self.store.terms.sub(offset, at);
            let expected = self.store.address_number(distance as u64);
            let meets = self.store.terms.eq(difference, expected);
            if self.store.terms.is_false(meets) {
                continue;
            }
            if distance == 0 {
                self.require_digits(offset, at, meets);
            }
            let mixed = self.mix((before, limit), offset, wanted, (written, size), distance);
            result = self.select(meets, mixed, result);
        }
        result
    }

    /// What is read if the read starts `distance` bytes after the write.
    fn mix(
        &mut self,
        (before, limit): (VersionId, u64),
        offset: TermId,
        wanted: Wanted,
        (written, size): (Value, u32),
        distance: i64,
    ) -> Value {
        if distance == 0 && wanted.size == size {
            return self.as_wanted(written, wanted);
        }
        let one = Wanted { size: 1, pointer: false };
        self.read_bytes(offset, wanted, |encoder, index, place| {
            match u32::try_from(distance + i64::from(index)).ok().filter(|index| *index < size) {
                Some(index) => Value::Bits(encoder.byte_of(written, index)),
                None => encoder.read(before, limit, place, one),
            }
        })
    }

    /// A read over a range that was filled or copied.
    fn read_range(
        &mut self,
        before: VersionId,
        limit: u64,
        offset: TermId,
        wanted: Wanted,
        (at, len): (TermId, TermId),
        inside: &dyn Fn(&mut Self, TermId, Wanted) -> Value,
    ) -> Value {
        let distance = self.store.terms.sub(offset, at);
        let begins = self.store.terms.ult(distance, len);
        let one = Wanted { size: 1, pointer: false };
        if wanted.size > 1 && !self.store.is_whole(distance, len, wanted.size) {
            return self.read_bytes(offset, wanted, |encoder, _, place| {
                encoder.read_range(before, limit, place, one, (at, len), inside)
            });
        }
        match self.store.terms.as_bool(begins) {
            Some(true) => inside(self, distance, wanted),
            Some(false) => self.read(before, limit, offset, wanted),
            None => {
                let outside = self.read(before, limit, offset, wanted);
                let inside = inside(self, distance, wanted);
                self.select(begins, inside, outside)
            }
        }
    }

    /// A choice among all places, by the bits of the offset.
    pub(super) fn choose_place(
        &mut self,
        limit: u64,
        offset: TermId,
        wanted: Wanted,
        mut at: impl FnMut(&mut Self, TermId) -> Value,
    ) -> Value {
        let (first, known, count) = self.store.places(limit, offset, wanted);
        let mut values = Vec::with_capacity(count as usize);
        for index in 0..count.max(1) {
            let place = self.store.address_number(first + (index << known));
            values.push(at(self, place));
        }
        let bits = (count.max(1) - 1).checked_ilog2().map_or(0, |highest| highest + 1);
        self.choose_by_bits(&values, offset, known, bits)
    }

    fn choose_by_bits(&mut self, values: &[Value], offset: TermId, shift: u32, bits: u32) -> Value {
        if values.len() == 1 || bits == 0 {
            return values[0];
        }
        let half = 1usize << (bits - 1);
        if values.len() <= half {
            return self.choose_by_bits(values, offset, shift, bits - 1);
        }
        let low = self.choose_by_bits(&values[..half], offset, shift, bits - 1);
        let high = self.choose_by_bits(&values[half..], offset, shift, bits - 1);
        let bit = shift + bits - 1;
        let bit = self.store.terms.extract(bit, bit, offset);
        self.select(bit, high, low)
    }
}

/// The longest value must fit a cell.
const _: () = assert!(MAX_CELL >= 16);

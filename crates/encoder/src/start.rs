//! Reading an object's first bytes: undefined ones, initialisers, the program's arguments.
//!
//! At a known offset the bytes are variables or constants of their own. At an unknown one they are chosen by the bits of the offset if
//! there are few; otherwise the read gets a variable of its own, and any two reads of one object must agree on the bytes that
//! they share (Ackermann's reduction of the theory of arrays). Leaving such a constraint out allows more than the program
//! does, which is sound for proofs and noted as imprecise.

use belay_ir::Target;
use belay_logic::bv::TermId;

use super::Store;
use super::content::{Start, Wanted};
use super::execution::Execution;
use super::read::MAX_CHOICES;
use super::value::{Base, Case, Value};

/// A read at an unknown offset chooses among at most so many constants.
const MAX_CONSTANTS: u64 = 4096;
/// Reads of one object's first bytes are made consistent up to this many.
const MAX_CONSISTENT: usize = 256;

impl Store<'_> {
    fn undefined_as(&mut self, number: TermId, wanted: Wanted) -> Value {
        if wanted.pointer {
            return Value::Ptr(self.pointers.single(&mut self.terms, Base::Undefined, number));
        }
        Value::Bits(number)
    }
}

impl Execution<'_, '_> {
    pub(super) fn read_start(&mut self, start: Start, limit: u64, offset: TermId, wanted: Wanted) -> Value {
        let constant = self.store.constant_offset(offset);
        match (start, constant) {
            (Start::Zero, _) => {
                let zero = self.store.terms.number(8 * wanted.size, 0);
                self.as_wanted(Value::Bits(zero), wanted)
            }
            (Start::Undefined(object), Some(at)) => {
                let offsets = (0..u64::from(wanted.size)).map(|index| at.wrapping_add(index));
                let bytes: Vec<TermId> = offsets.map(|at| self.undefined_byte(object, at)).collect();
                let number = self.store.number_of_bytes(&bytes);
                self.store.undefined_as(number, wanted)
            }
            (Start::Global(global), Some(at)) => self.read_initialiser(global, at, wanted),
            (Start::Arguments, _) => self.read_arguments(offset, wanted),
            (Start::String(object), _) => self.read_string_bytes(object, offset, wanted),
            (Start::Undefined(_), None) if self.store.places(limit, offset, wanted).2 <= MAX_CHOICES => self
                .choose_place(limit, offset, wanted, |encoder, place| encoder.read_start(start, limit, place, wanted)),
            (Start::Global(_), None) if self.store.places(limit, offset, wanted).2 <= MAX_CONSTANTS => self
                .choose_place(limit, offset, wanted, |encoder, place| encoder.read_start(start, limit, place, wanted)),
            (Start::Havoc(_), _) => {
                let number = self.lazy_read(start, offset, wanted.size);
                self.as_wanted(Value::Bits(number), wanted)
            }
            (Start::Undefined(_), None) => {
                let number = self.lazy_read(start, offset, wanted.size);
                self.store.undefined_as(number, wanted)
            }
            (Start::Global(_), None) => {
                self.imprecise("a table too large to choose from");
                let number = self.lazy_read(start, offset, wanted.size);
                self.as_wanted(Value::Bits(number), wanted)
            }
        }
    }

    /// A value of its own for the offset, equal to those of other reads at the same place.
    pub(super) fn lazy_read(&mut self, start: Start, offset: TermId, size: u32) -> TermId {
        let number = self.store.names.lazy(&mut self.store.terms, start, offset, size);
        let earlier = self.contents.lazy.entry(start).or_default().clone();
        if earlier.iter().any(|(at, length, _)| *at == offset && *length == size) {
            return number;
        }
        if earlier.len() >= MAX_CONSISTENT {
            self.imprecise("too many reads at unknown places of an uninitialised object");
            return number;
        }
        let constants = self.contents.constants.get(&start).cloned().unwrap_or_default();
        for (at, length, value) in earlier.iter().chain(&constants) {
            self.make_consistent((offset, size, number), (*at, *length, *value));
        }
        self.contents.lazy.entry(start).or_default().push((offset, size, number));
        number
    }

    /// An undefined byte at a known offset, equal to what reads at unknown offsets find there.
    fn undefined_byte(&mut self, object: super::object::ObjectId, at: u64) -> TermId {
        let byte = self.store.names.byte(&mut self.store.terms, object, at);
        let start = Start::Undefined(object);
        if self.contents.seen_bytes.insert((object, at)) {
            let offset = self.store.address_number(at);
            let reads = self.contents.lazy.get(&start).cloned().unwrap_or_default();
            for read in reads {
                self.make_consistent((offset, 1, byte), read);
            }
            self.contents.constants.entry(start).or_default().push((offset, 1, byte));
        }
        byte
    }

    /// Requires two reads to agree on the bytes that they share.
    fn make_consistent(&mut self, (x, n, a): (TermId, u32, TermId), (y, m, b): (TermId, u32, TermId)) {
        for distance in self.store.meeting_distances(x, n, y, m) {
            let difference = self.store.terms.sub(x, y);
            let expected = self.store.address_number(distance as u64);
            let meets = self.store.terms.eq(difference, expected);
            if distance == 0 {
                self.require_digits(x, y, meets);
            }
            for index in 0..n {
                let Ok(other) = u32::try_from(distance + i64::from(index)) else { continue };
                if other < m {
                    let (p, q) = (self.byte_of(Value::Bits(a), index), self.byte_of(Value::Bits(b), other));
                    let equal = self.store.terms.eq(p, q);
                    let required = self.store.terms.implies(meets, equal);
                    self.store.require(required);
                }
            }
        }
    }

    fn read_initialiser(&mut self, global: belay_ir::GlobalId, at: u64, wanted: Wanted) -> Value {
        let program = self.store.program;
        let Some(init) = &program.globals[global].init else {
            let zero = self.store.terms.number(8 * wanted.size, 0);
            return self.as_wanted(Value::Bits(zero), wanted);
        };
        let pointer_bytes = program.layout.pointer_bytes();
        let touches = |offset: u64| offset < at + u64::from(wanted.size) && at < offset + pointer_bytes;
        let relocation = init.relocations.iter().find(|relocation| touches(relocation.offset));
        match relocation {
            Some(relocation) if relocation.offset == at && u64::from(wanted.size) == pointer_bytes => {
                let offset = self.store.address_number(relocation.addend as u64);
                let base = Base::Object(match relocation.target {
                    Target::Global(global) => self.store.global_object(global),
                    Target::Func(function) => self.store.function_object(function),
                });
                let pointer = self.store.pointers.single(&mut self.store.terms, base, offset);
                self.as_wanted(Value::Ptr(pointer), wanted)
            }
            Some(_) => {
                let offset = self.store.address_number(at);
                let word = Wanted { size: pointer_bytes as u32, pointer: true };
                self.read_bytes(offset, wanted, |encoder, index, _| {
                    let at = at + u64::from(index);
                    let covering = init.relocations.iter().find(|r| r.offset <= at && at < r.offset + pointer_bytes);
                    match covering {
                        Some(relocation) => {
                            let whole = encoder.read_initialiser(global, relocation.offset, word);
                            Value::Bits(encoder.byte_of(whole, (at - relocation.offset) as u32))
                        }
                        None => Value::Bits(encoder.store.terms.number(8, initial_byte(&init.bytes, at))),
                    }
                })
            }
            None => {
                let bytes = (0..u64::from(wanted.size)).rev();
                let number = bytes.fold(0, |number, index| number << 8 | initial_byte(&init.bytes, at + index));
                let number = self.store.terms.number(8 * wanted.size, number);
                self.as_wanted(Value::Bits(number), wanted)
            }
        }
    }

    /// The pointer at an offset of `argv`.
    fn read_arguments(&mut self, offset: TermId, wanted: Wanted) -> Value {
        let pointer_bytes = self.store.program.layout.pointer_bytes();
        if u64::from(wanted.size) != pointer_bytes
            || self.store.terms.facts(offset).trailing_zeros() < pointer_bytes.ilog2()
        {
            self.give_up_here("argv is read otherwise than pointer by pointer");
            let zero = self.store.terms.number(8 * wanted.size, 0);
            return self.as_wanted(Value::Bits(zero), wanted);
        }
        let Some(count) = self.store.argument_count else {
            let zero = self.store.terms.number(8 * wanted.size, 0);
            return self.as_wanted(Value::Bits(zero), wanted);
        };
        let width = self.store.address_width();
        let count = self.store.terms.zext(count, width);
        let mut cases = Vec::new();
        let mut covered = self.store.terms.boolean(false);
        for index in 0..super::entry::MAX_STRINGS {
            let place = self.store.address_number(u64::from(index) * pointer_bytes);
            let here = self.store.terms.eq(offset, place);
            let number = self.store.address_number(index.into());
            let exists = self.store.terms.ult(number, count);
            let guard = self.store.terms.and(here, exists);
            if self.store.terms.is_false(guard) {
                continue;
            }
            covered = self.store.terms.or(covered, guard);
            let zero = self.store.address_number(0);
            cases.push(Case { guard, base: Base::Object(self.store.argument_string(index)), offset: zero });
        }
        let size = self.store.address_number(pointer_bytes);
        let end = self.store.terms.mul(count, size);
        let null = self.store.terms.eq(offset, end);
        let zero = self.store.address_number(0);
        cases.push(Case { guard: null, base: Base::Bare, offset: zero });
        let covered = self.store.terms.or(covered, null);
        let uncovered = self.store.terms.not(covered);
        self.give_up_if(uncovered, "more arguments are looked at than Belay follows");
        let pointer = self.store.pointers.make(cases);
        self.as_wanted(Value::Ptr(pointer), wanted)
    }

    /// Bytes of a string whose length and content are open.
    fn read_string_bytes(&mut self, object: super::object::ObjectId, offset: TermId, wanted: Wanted) -> Value {
        self.read_bytes(offset, wanted, |encoder, _, place| {
            let byte = encoder.lazy_read(Start::String(object), place, 1);
            let Some(size) = encoder.store.names.object(object).size else { return Value::Bits(byte) };
            let one = encoder.store.address_number(1);
            let len = encoder.store.terms.sub(size, one);
            let zero = encoder.store.terms.number(8, 0);
            let is_zero = encoder.store.terms.eq(byte, zero);
            let (before, at_end) = (encoder.store.terms.ult(place, len), encoder.store.terms.eq(place, len));
            let not_zero = encoder.store.terms.not(is_zero);
            let inside = encoder.store.terms.implies(before, not_zero);
            let last = encoder.store.terms.implies(at_end, is_zero);
            encoder.store.require(inside);
            encoder.store.require(last);
            Value::Bits(byte)
        })
    }
}

fn initial_byte(bytes: &[u8], at: u64) -> u128 {
    usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0).into()
}

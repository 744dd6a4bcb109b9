//! Comparing and computing with addresses.
//!
//! What SOUNDNESS answers without looking at where objects lie is encoded exactly: places in one object by their offsets, places
//! inside objects that lived together as different, null as different from every object. All else goes by the object's address, a
//! variable with the alignment of the object. That objects do not overlap is stated for static ones only, so such answers
//! allow more than the program does: fine for proofs, and noted as imprecise.

use belay_ir::{BinaryOp, IntPredicate};
use belay_logic::bv::TermId;

use belay_invariants::ObjectKind;
use belay_rules::sign_extend;

use super::Store;
use super::execution::Execution;
use super::object::{ObjectId, Origin};
use super::unrolling::RunQuestion;
use super::value::{Base, Case, MAX_CASES, PointerId, Value};

impl Store<'_> {
    /// A value as a pointer.
    pub(crate) fn as_pointer(&mut self, value: Value) -> PointerId {
        match value {
            Value::Ptr(pointer) | Value::Addr(pointer) => pointer,
            Value::Bits(bits) => {
                let width = self.address_width();
                let bits = self.fit_width(bits, width);
                self.pointers.single(&mut self.terms, Base::Bare, bits)
            }
        }
    }

    /// The null pointer.
    pub(crate) fn null(&mut self) -> PointerId {
        let zero = self.address_number(0);
        self.pointers.single(&mut self.terms, Base::Bare, zero)
    }

    /// A pointer to the start of an object.
    pub(crate) fn pointer_to(&mut self, object: ObjectId) -> PointerId {
        let zero = self.address_number(0);
        self.pointers.single(&mut self.terms, Base::Object(object), zero)
    }

    /// Static objects do not overlap, and none reaches the last address.
    fn keep_apart(&mut self, object: ObjectId, address: TermId) {
        let Some(extent) = self.constant_extent(object) else { return };
        let width = self.address_width();
        let last = self.terms.number(width, u128::MAX);
        let extent_term = self.address_number(extent);
        let highest = self.terms.sub(last, extent_term);
        let reaches = self.terms.ule(address, highest);
        self.require(reaches);
        let end = self.terms.add(address, extent_term);
        for other in (0..self.static_count()).map(ObjectId).filter(|other| *other != object) {
            let (Some(start), Some(size)) = (self.names.known_address(other), self.constant_extent(other)) else {
                continue;
            };
            if !self.is_static(object) || (self.is_literal(object) && self.is_literal(other)) {
                continue;
            }
            let size = self.address_number(size);
            let other_end = self.terms.add(start, size);
            let (below, above) = (self.terms.ule(end, start), self.terms.ule(other_end, address));
            let apart = self.terms.or(below, above);
            self.require(apart);
        }
    }

    fn is_literal(&self, object: ObjectId) -> bool {
        matches!(self.names.object(object).kind, ObjectKind::Global(global) if self.program.globals[global].literal)
    }

    fn constant_extent(&self, object: ObjectId) -> Option<u64> {
        let size = self.terms.as_const(self.names.object(object).size?)?.to_u128()?;
        u64::try_from(size).ok().map(|size| size.max(1)).filter(|size| *size < 1 << 31)
    }

    /// The bytes that an object takes at its address: one at least.
    fn extent(&mut self, object: ObjectId) -> TermId {
        let one = self.address_number(1);
        let Some(size) = self.names.object(object).size else { return one };
        let zero = self.address_number(0);
        let empty = self.terms.eq(size, zero);
        self.terms.ite(empty, one, size)
    }

    /// Offsets are signed, whatever the comparison.
    fn compare_offsets(&mut self, op: IntPredicate, a: TermId, b: TermId) -> TermId {
        let signed = match op {
            IntPredicate::Eq | IntPredicate::Ne => op,
            IntPredicate::Ult | IntPredicate::Slt => IntPredicate::Slt,
            IntPredicate::Ule | IntPredicate::Sle => IntPredicate::Sle,
            IntPredicate::Ugt | IntPredicate::Sgt => IntPredicate::Sgt,
            IntPredicate::Uge | IntPredicate::Sge => IntPredicate::Sge,
        };
        self.compare_numbers(signed, a, b)
    }

    /// Whether the places may be one because both are in literals, which may lie over each other.
    fn may_share(&self, a: (ObjectId, TermId), b: (ObjectId, TermId)) -> bool {
        let (ObjectKind::Global(x), ObjectKind::Global(y)) = (self.names.object(a.0).kind, self.names.object(b.0).kind)
        else {
            return false;
        };
        let (x, y) = (&self.program.globals[x], &self.program.globals[y]);
        let width = self.address_width();
        let known =
            |term: TermId| self.terms.as_const(term)?.to_u128().map(|bits| sign_extend(width as u16, bits) as i64);
        match (known(a.1), known(b.1)) {
            (Some(i), Some(j)) => x.may_share(i, y, j),
            (_, _) => x.literal && y.literal,
        }
    }
}

impl Execution<'_, '_> {
    pub(crate) fn select_pointer(&mut self, condition: TermId, a: PointerId, b: PointerId) -> PointerId {
        let selected = self.store.pointers.select(&mut self.store.terms, condition, a, b);
        let cases = self.store.pointers.cases(selected);
        if cases.len() <= MAX_CASES {
            return selected;
        }
        let dropped: Vec<TermId> = cases[MAX_CASES..].iter().map(|case| case.guard).collect();
        let dropped = self.store.terms.or_all(dropped);
        self.give_up_if(dropped, "a pointer with more targets than Belay follows");
        self.store.pointers.make(cases[..MAX_CASES].to_vec())
    }

    /// An integer that is the address of a pointer.
    pub(crate) fn address_integer(&mut self, pointer: PointerId) -> Value {
        let is_place = |case: &Case| matches!(case.base, Base::Object(_) | Base::Mark);
        if self.store.pointers.cases(pointer).iter().any(is_place) {
            return Value::Addr(pointer);
        }
        Value::Bits(self.number_of(Value::Ptr(pointer)))
    }

    /// A value as a number: addresses become the numbers that they are.
    pub(crate) fn number_of(&mut self, value: Value) -> TermId {
        let pointer = match value {
            Value::Bits(bits) => return bits,
            Value::Ptr(pointer) | Value::Addr(pointer) => pointer,
        };
        let cases = self.store.pointers.cases(pointer);
        let mut number = None;
        for case in cases.iter().rev() {
            let here = self.number_of_case(case);
            number = Some(match number {
                None => here,
                Some(rest) => self.store.terms.ite(case.guard, here, rest),
            });
        }
        number.unwrap_or_else(|| self.store.address_number(0))
    }

    fn number_of_case(&mut self, case: &Case) -> TermId {
        match case.base {
            Base::Bare | Base::Undefined => case.offset,
            Base::Object(object) => {
                self.exposed.insert(object);
                self.place_number(object, case.offset)
            }
            Base::Mark => {
                self.give_up_if(case.guard, "a saved stack pointer is used as a number");
                case.offset
            }
        }
    }

    fn place_number(&mut self, object: ObjectId, offset: TermId) -> TermId {
        let address = self.address_of(object);
        let align = self.store.names.object(object).align;
        self.out.note_event(self.here, RunQuestion::Address { term: address, align, span: self.at.span });
        self.store.terms.add(address, offset)
    }

    /// Where an object lies.
    fn address_of(&mut self, object: ObjectId) -> TermId {
        self.addresses_matter = true;
        self.imprecise("the address of an object is used as a number");
        if let Some(known) = self.store.names.known_address(object) {
            return known;
        }
        let (width, align) = (self.store.address_width(), self.store.names.object(object).align);
        let zeros = if align.is_power_of_two() { align.trailing_zeros().min(16) } else { 0 };
        let high = self.store.terms.variable(format!("address of {object}"), width - zeros);
        let address = match zeros {
            0 => high,
            zeros => {
                let low = self.store.terms.number(zeros, 0);
                self.store.terms.concat(high, low)
            }
        };
        let zero = self.store.terms.number(width, 0);
        let not_null = self.store.terms.ne(address, zero);
        self.store.require(not_null);
        self.store.names.set_address(object, address);
        self.store.keep_apart(object, address);
        address
    }

    /// Compares two pointers, or integers that are addresses.
    pub(crate) fn compare_pointers(&mut self, op: IntPredicate, a: PointerId, b: PointerId) -> TermId {
        let (left, right) = (self.store.pointers.cases(a), self.store.pointers.cases(b));
        let mut result = None;
        for x in left.iter().rev() {
            for y in right.iter().rev() {
                let guard = self.store.terms.and(x.guard, y.guard);
                if self.store.terms.is_false(guard) {
                    continue;
                }
                let holds = self.compare_cases(op, x, y);
                result = Some(match result {
                    None => holds,
                    Some(rest) => self.store.terms.ite(guard, holds, rest),
                });
            }
        }
        result.unwrap_or_else(|| self.store.terms.boolean(false))
    }

    fn compare_cases(&mut self, op: IntPredicate, x: &Case, y: &Case) -> TermId {
        match (x.base, y.base) {
            (Base::Object(a), Base::Object(b)) if a == b => self.store.compare_offsets(op, x.offset, y.offset),
            (Base::Object(a), Base::Object(b)) => self.compare_objects(op, (a, x.offset), (b, y.offset)),
            (Base::Object(a), Base::Bare | Base::Undefined) => self.compare_bare(op, (a, x.offset), y.offset),
            (Base::Bare | Base::Undefined, Base::Object(b)) => {
                self.compare_bare(op.mirrored(), (b, y.offset), x.offset)
            }
            (Base::Bare | Base::Undefined, Base::Bare | Base::Undefined) => {
                self.uses(x.offset);
                self.uses(y.offset);
                self.store.compare_numbers(op, x.offset, y.offset)
            }
            (Base::Mark, _) | (_, Base::Mark) => {
                self.give_up_here("a saved stack pointer is compared");
                self.fresh(1, Origin::Internal)
            }
        }
    }

    fn compare_objects(&mut self, op: IntPredicate, a: (ObjectId, TermId), b: (ObjectId, TermId)) -> TermId {
        if let IntPredicate::Eq | IntPredicate::Ne = op {
            let (extent_a, extent_b) = (self.store.extent(a.0), self.store.extent(b.0));
            let (inside_a, inside_b) = (self.store.terms.ult(a.1, extent_a), self.store.terms.ult(b.1, extent_b));
            let met = self.lived_together(a.0, b.0);
            let met = if self.store.may_share(a, b) { self.store.terms.boolean(false) } else { met };
            let differ = self.store.terms.and_all([inside_a, inside_b, met]);
            let known = self.store.terms.boolean(op == IntPredicate::Ne);
            if self.store.terms.is_true(differ) {
                return known;
            }
            let open = self.compare_by_address(op, a, b);
            return self.store.terms.ite(differ, known, open);
        }
        self.compare_by_address(op, a, b)
    }

    fn compare_by_address(&mut self, op: IntPredicate, a: (ObjectId, TermId), b: (ObjectId, TermId)) -> TermId {
        let (x, y) = (self.place_number(a.0, a.1), self.place_number(b.0, b.1));
        self.store.compare_numbers(op, x, y)
    }

    /// Whether the lives of two objects met: the earlier was alive when the later was born.
    fn lived_together(&mut self, a: ObjectId, b: ObjectId) -> TermId {
        let (Some(x), Some(y)) = (self.births.get(&a), self.births.get(&b)) else {
            return self.store.terms.boolean(self.store.is_static(a) || self.store.is_static(b));
        };
        let alive = if x.0 < y.0 { y.1.get(a.0) } else { x.1.get(b.0) };
        alive.map_or_else(|| self.store.terms.boolean(false), |living| living.alive)
    }

    fn compare_bare(&mut self, op: IntPredicate, (object, offset): (ObjectId, TermId), number: TermId) -> TermId {
        self.uses(number);
        let known = match op {
            IntPredicate::Eq | IntPredicate::Ult | IntPredicate::Ule => false,
            IntPredicate::Ne | IntPredicate::Ugt | IntPredicate::Uge => true,
            IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge => {
                let place = self.place_number(object, offset);
                return self.store.compare_numbers(op, place, number);
            }
        };
        let (extent, zero) = (self.store.extent(object), self.store.address_number(0));
        let (in_reach, is_null) = (self.store.terms.ule(offset, extent), self.store.terms.eq(number, zero));
        let certain = self.store.terms.and(in_reach, is_null);
        let known = self.store.terms.boolean(known);
        if self.store.terms.is_true(certain) {
            return known;
        }
        let place = self.place_number(object, offset);
        let open = self.store.compare_numbers(op, place, number);
        self.store.terms.ite(certain, known, open)
    }

    /// Arithmetic on integers at least one of which is an address, as far as it needs no look at where objects lie.
    pub(crate) fn address_arithmetic(&mut self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        match (op, a, b) {
            (BinaryOp::Add, Value::Addr(place), Value::Bits(by))
            | (BinaryOp::Add, Value::Bits(by), Value::Addr(place)) => {
                Some(Value::Addr(self.store.pointers.move_pointer(&mut self.store.terms, place, by)))
            }
            (BinaryOp::Sub, Value::Addr(place), Value::Bits(by)) => {
                let back = self.store.terms.neg(by);
                Some(Value::Addr(self.store.pointers.move_pointer(&mut self.store.terms, place, back)))
            }
            (BinaryOp::Sub, Value::Addr(p), Value::Addr(q)) => Some(Value::Bits(self.distance(p, q))),
            (BinaryOp::And, Value::Addr(place), Value::Bits(mask))
            | (BinaryOp::And, Value::Bits(mask), Value::Addr(place)) => self.mask_pointer(place, mask),
            (BinaryOp::URem, Value::Addr(place), Value::Bits(modulus)) => {
                self.store.terms.as_const(modulus)?.exponent()?;
                let one = self.store.address_number(1);
                let mask = self.store.terms.sub(modulus, one);
                self.mask_pointer(place, mask)
            }
            (
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::UDiv
                | BinaryOp::SDiv
                | BinaryOp::URem
                | BinaryOp::SRem
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor,
                _,
                _,
            ) => None,
        }
    }

    /// `p - q`.
    fn distance(&mut self, p: PointerId, q: PointerId) -> TermId {
        let (left, right) = (self.store.pointers.cases(p), self.store.pointers.cases(q));
        let mut result = None;
        for x in left.iter().rev() {
            for y in right.iter().rev() {
                let guard = self.store.terms.and(x.guard, y.guard);
                if self.store.terms.is_false(guard) {
                    continue;
                }
                let same = x.base == y.base && x.base != Base::Mark;
                let (from, to) = match same {
                    true => (x.offset, y.offset),
                    false => (self.number_of_case(x), self.number_of_case(y)),
                };
                let difference = self.store.terms.sub(from, to);
                result = Some(match result {
                    None => difference,
                    Some(rest) => self.store.terms.ite(guard, difference, rest),
                });
            }
        }
        result.unwrap_or_else(|| self.store.address_number(0))
    }

    /// `place & mask` within what the alignment of all its objects shows.
    fn mask_pointer(&mut self, place: PointerId, mask: TermId) -> Option<Value> {
        let Some(constant) = self.store.terms.as_const(mask) else { return Some(self.mask_by_choice(place, mask)) };
        let bits = constant.to_u128()?;
        let cases = self.store.pointers.cases(place);
        let low = |object: ObjectId| {
            let align = self.store.names.object(object).align;
            if align.is_power_of_two() { u128::from(align - 1) } else { 0 }
        };
        let all = (1u128 << self.store.address_width()) - 1;
        let known = |case: &Case| match case.base {
            Base::Object(object) => bits <= low(object) || (bits | low(object)) == all,
            Base::Bare | Base::Undefined => true,
            Base::Mark => false,
        };
        if !cases.iter().all(known) {
            return None;
        }
        let stays = |case: &Case| matches!(case.base, Base::Object(object) if bits > low(object));
        let kept: Vec<bool> = cases.iter().map(stays).collect();
        let mut masked = Vec::with_capacity(cases.len());
        for (case, stays) in cases.iter().zip(kept) {
            let base = if stays { case.base } else { Base::Bare };
            masked.push(Case { guard: case.guard, base, offset: self.store.terms.and(case.offset, mask) });
        }
        let mut merged: Vec<Case> = Vec::new();
        for case in masked {
            match merged.iter_mut().find(|other| other.base == case.base) {
                Some(other) => {
                    other.offset = self.store.terms.ite(case.guard, case.offset, other.offset);
                    other.guard = self.store.terms.or(other.guard, case.guard);
                }
                None => merged.push(case),
            }
        }
        let pointer = self.store.pointers.make(merged);
        Some(self.address_integer(pointer))
    }

    /// `place & mask` of a mask that is not known. Where it is all ones the result is the place itself, as in a run; elsewhere it is the number that the address and the mask give. (A run keeps
    /// the place also where the mask clears no bits but those that alignment shows to be clear. A number in its stead is of the same value, and where it leads is not known: an access through it has no
    /// verdict, so nothing is proved that way that a run would not do.)
    fn mask_by_choice(&mut self, place: PointerId, mask: TermId) -> Value {
        let none = self.store.address_number(0);
        let all = self.store.terms.not(none);
        let keeps = self.store.terms.eq(mask, all);
        let number = self.number_of(Value::Addr(place));
        let masked = Value::Bits(self.store.terms.and(number, mask));
        self.select(keeps, Value::Addr(place), masked)
    }
}

//! Comparing and computing with places.
//!
//! Places in one object compare by their offsets. Places inside different objects that lived together differ. What else is asked
//! is answered from what every allowed address has in common (not null, aligned, the object does not reach the last
//! address), and only if that leaves it open by choosing addresses.

use belay_ir::{BinaryOp, IntPredicate};

use crate::integers::{Integers, holds, holds_by, mask};
use crate::memory::Life;
use crate::observer::Observer;
use crate::report::ObjectKind;
use crate::run::{Res, Run};
use crate::value::{ObjectId, Pointer, Value};
use belay_rules::sign_extend;

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// Compares two places.
    pub(crate) fn compare_places(&mut self, op: IntPredicate, a: Pointer, b: Pointer) -> Res<bool> {
        match (a, b) {
            (Pointer::Object { id: x, offset: i }, Pointer::Object { id: y, offset: j }) => {
                if x == y {
                    return Ok(holds(op, i.cmp(&j)));
                }
                if let Some(differ) = equality(op)
                    && self.both_inside((x, i), (y, j))?
                {
                    if self.may_share((x, i), (y, j)) {
                        return self.unknown("whether two string literals share their bytes is open");
                    }
                    return Ok(differ);
                }
            }
            (Pointer::Object { id, offset }, Pointer::Bare(address)) => {
                if let Some(answer) = self.known_against(op, id, offset, address)? {
                    return Ok(answer);
                }
            }
            (Pointer::Bare(address), Pointer::Object { id, offset }) => {
                if let Some(answer) = self.known_against(op.mirrored(), id, offset, address)? {
                    return Ok(answer);
                }
            }
            (Pointer::Bare(_), Pointer::Bare(_)) | (Pointer::Mark(_), _) | (_, Pointer::Mark(_)) => {}
        }
        let (a, b) = (self.place_address(a)?, self.place_address(b)?);
        Ok(self.compare_addresses(op, a, b))
    }

    fn compare_addresses(&self, op: IntPredicate, a: u64, b: u64) -> bool {
        let width = self.program.layout.pointer_bits();
        let signed = |address: u64| sign_extend(width, address.into());
        holds_by(op, a.cmp(&b), signed(a).cmp(&signed(b)))
    }

    /// True if both are literals that may lie over each other in such a way that the places are one.
    fn may_share(&self, a: (ObjectId, i64), b: (ObjectId, i64)) -> bool {
        let literal = |id: ObjectId| match self.memory.object(id).kind {
            ObjectKind::Global(global) => Some(&self.program.globals[global]),
            _ => None,
        };
        literal(a.0).zip(literal(b.0)).is_some_and(|(x, y)| x.may_share(a.1, y, b.1))
    }

    /// True if both places are inside their objects, and the objects lived together.
    fn both_inside(&mut self, a: (ObjectId, i64), b: (ObjectId, i64)) -> Res<bool> {
        for (id, _) in [a, b] {
            if self.memory.object(id).life == Life::Lazy {
                self.settle(id)?;
            }
        }
        let inside = |(id, offset): (ObjectId, i64)| {
            let object = self.memory.object(id);
            // How far an object without a size goes is unknown, but its start is inside.
            (offset as u64) < object.extent()
        };
        Ok(inside(a) && inside(b) && self.memory.object(a.0).coexisted(self.memory.object(b.0)))
    }

    /// Compares a place with an integer address, if all allowed addresses of the object agree on the answer.
    fn known_against(&mut self, op: IntPredicate, id: ObjectId, offset: i64, address: u64) -> Res<Option<bool>> {
        if self.memory.object(id).address.is_some() {
            return Ok(None);
        }
        if offset != 0 && self.memory.object(id).life == Life::Lazy {
            self.settle(id)?;
        }
        let object = self.memory.object(id);
        let extent = object.extent();
        let aligned = address.wrapping_sub(offset as u64).is_multiple_of(object.align);
        let in_reach = offset as u64 <= extent;
        let lowest = i128::from(object.align) + i128::from(offset);
        let highest = i128::from(self.memory.last_address()) - i128::from(extent) + i128::from(offset);
        let address = i128::from(address);
        let impossible = !aligned || (in_reach && (address < lowest || address > highest));
        Ok(match op {
            IntPredicate::Eq | IntPredicate::Ne if impossible => Some(op == IntPredicate::Ne),
            IntPredicate::Ugt | IntPredicate::Uge if in_reach && address < lowest => Some(true),
            IntPredicate::Ult | IntPredicate::Ule if in_reach && address < lowest => Some(false),
            IntPredicate::Ugt | IntPredicate::Uge if in_reach && address > highest => Some(false),
            IntPredicate::Ult | IntPredicate::Ule if in_reach && address > highest => Some(true),
            IntPredicate::Eq
            | IntPredicate::Ne
            | IntPredicate::Ult
            | IntPredicate::Ule
            | IntPredicate::Ugt
            | IntPredicate::Uge
            | IntPredicate::Slt
            | IntPredicate::Sle
            | IntPredicate::Sgt
            | IntPredicate::Sge => None,
        })
    }

    /// The place so many bytes further.
    #[inline]
    pub(crate) fn move_pointer(&self, pointer: Pointer, by: i64) -> Pointer {
        match pointer {
            Pointer::Object { id, offset } => {
                Pointer::Object { id, offset: self.memory.wrap_offset(offset.wrapping_add(by)) }
            }
            Pointer::Bare(address) => Pointer::Bare(self.memory.wrap(address.wrapping_add(by as u64))),
            Pointer::Mark(mark) => Pointer::Mark(mark),
        }
    }

    /// An integer that is the address of `pointer`.
    pub(crate) fn address_int(&self, pointer: Pointer) -> Value<M::Int> {
        match pointer {
            Pointer::Bare(address) => Value::Int(M::from_bits(self.program.layout.pointer_bits(), address.into())),
            Pointer::Object { .. } | Pointer::Mark(_) => Value::Addr(pointer),
        }
    }

    /// Arithmetic on integers at least one of which is an address, as far as it needs no choice.
    pub(crate) fn address_arithmetic(
        &self,
        op: BinaryOp,
        a: &Value<M::Int>,
        b: &Value<M::Int>,
    ) -> Option<Value<M::Int>> {
        let width = self.program.layout.pointer_bits();
        let known = |value: &Value<M::Int>| match value {
            Value::Int(int) => M::bits(width, int),
            _ => None,
        };
        match (op, a, b) {
            (BinaryOp::Add, Value::Addr(place), other) | (BinaryOp::Add, other, Value::Addr(place)) => {
                Some(Value::Addr(self.move_pointer(*place, known(other)? as i64)))
            }
            (BinaryOp::Sub, Value::Addr(place), Value::Int(_)) => {
                Some(Value::Addr(self.move_pointer(*place, (known(b)? as i64).wrapping_neg())))
            }
            (
                BinaryOp::Sub,
                Value::Addr(Pointer::Object { id: x, offset: i }),
                Value::Addr(Pointer::Object { id: y, offset: j }),
            ) if x == y => {
                let difference = i.wrapping_sub(*j) as u64;
                Some(Value::Int(M::from_bits(width, u128::from(difference) & mask(width))))
            }
            (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, Value::Addr(place), other)
            | (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, other, Value::Addr(place)) => {
                self.mask_pointer(op, *place, known(other)? as u64)
            }
            (BinaryOp::URem, Value::Addr(place), other) => {
                let modulus = known(other)? as u64;
                modulus.is_power_of_two().then(|| self.mask_pointer(BinaryOp::And, *place, modulus - 1))?
            }
            _ => None,
        }
    }

    /// Bit operations on an address within what its object's alignment shows.
    fn mask_pointer(&self, op: BinaryOp, place: Pointer, bits: u64) -> Option<Value<M::Int>> {
        let Pointer::Object { id, offset } = place else { return None };
        let align = self.memory.object(id).align;
        if !align.is_power_of_two() {
            return None;
        }
        let low = align - 1;
        let width = self.program.layout.pointer_bits();
        let at =
            |offset: u64| Some(Value::Addr(Pointer::Object { id, offset: self.memory.wrap_offset(offset as i64) }));
        let offset = offset as u64;
        match op {
            BinaryOp::And if bits <= low => Some(Value::Int(M::from_bits(width, u128::from(offset & bits)))),
            BinaryOp::And if self.memory.wrap(bits | low) == self.memory.last_address() => {
                at(offset & (bits | !self.memory.last_address()))
            }
            BinaryOp::Or if bits <= low => at(offset | bits),
            BinaryOp::Xor if bits <= low => at(offset ^ bits),
            _ => None,
        }
    }
}

/// For `==` and `!=`: what it says of places that differ.
fn equality(op: IntPredicate) -> Option<bool> {
    match op {
        IntPredicate::Eq => Some(false),
        IntPredicate::Ne => Some(true),
        IntPredicate::Ult
        | IntPredicate::Ule
        | IntPredicate::Ugt
        | IntPredicate::Uge
        | IntPredicate::Slt
        | IntPredicate::Sle
        | IntPredicate::Sgt
        | IntPredicate::Sge => None,
    }
}

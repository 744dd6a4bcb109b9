//! Sums of the first elements of an array, as rows of invariants mention them: `sum == a[0] + … + a[i - 1]`.
//!
//! **Idea.** The sum of the first n elements is a function of what the array holds and of n. Each version of an object has a function of its own, of which
//! finitely many values are looked at; each value is a variable. Required of these is what recursion says: the sum of no elements is 0, the sum of n + 1
//! is the sum of n and the element at n, equal n have equal sums. Where a version is a choice between two, so is its sum; where it is another version
//! with one element written, the sum differs by what that element differs.
//!
//! Where a condition is to be shown, the sum of n + 1 elements is written out if n is one of the numbers looked at: what is on both sides then vanishes by
//! itself, where solvers that see bits would have to add up. That there is an element at n is to be shown then as well, so that the condition only gets stronger.
//!
//! **Soundness.** For an object with room for r elements and what it holds, let the sum for n be that of the first min(max(n, 0), r) elements, modulo 2^width: a total function of
//! the content and n. So a condition over such sums says something definite of a state, whatever version of the object stands for the content there. For
//! each run, the values of this function satisfy all that is required here: the step from n to n + 1 is required only where n is not negative and
//! the element at n is inside the object, and a write that a run gets past is inside the object. Pairs that are not related to each other allow more than there is.

use belay_ir::{CastOp, InstId};
use belay_logic::bv::TermId;

use super::Store;
use super::content::{Node, VersionId, Wanted};
use super::execution::Execution;
use super::ready::{Held, Ready};
use super::state::State;
use super::value::Value;
use belay_invariants::{Formula, PrefixSum};

/// Which numbers of an object are added up, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Addends {
    size: u32,
    stride: u32,
    /// Where the first one is.
    base: u64,
    signed: bool,
    width: u32,
    /// The size of the object, and the greatest that it can be.
    room: TermId,
    limit: u64,
}

/// How many elements, as they are counted and as a wide number, and their sum.
pub(super) type KnownTotal = (TermId, TermId, TermId);

impl Addends {
    /// True if the numbers fill the object from its start on.
    fn are_dense(&self) -> bool {
        self.stride == self.size && self.base == 0
    }
}

/// Values of one sum that are related to each other at most.
const MAX_RELATED: usize = 48;
/// Writes and choices that a sum is followed through at most.
const DEPTH: u32 = 12;
/// The bits in which numbers of elements are compared.
const COUNT_BITS: u32 = 64;

impl Store<'_> {
    /// That two numbers are equal, with all that is subtracted on one side added on the other: so that the same equation is the same term.
    pub(super) fn balance(&mut self, x: TermId, y: TermId) -> TermId {
        let difference = self.terms.sub(x, y);
        let (constant, summands) = self.terms.summands(difference);
        let zero = self.terms.number(self.terms.width(x), 0);
        let (mut left, mut right) = (zero, self.terms.constant(constant.wrapping_neg()));
        for (atom, factor) in summands {
            let negative = factor.to_i128().is_some_and(|factor| factor < 0);
            let factor = self.terms.constant(if negative { factor.wrapping_neg() } else { factor });
            let multiple = self.terms.mul(atom, factor);
            let side = if negative { &mut right } else { &mut left };
            *side = self.terms.add(*side, multiple);
        }
        self.terms.eq(left, right)
    }

    /// Whether a write is of one of the numbers as a whole.
    fn is_addend(&self, addends: Addends, offset: TermId, size: u32) -> bool {
        let zeros = self.terms.facts(offset).trailing_zeros();
        addends.are_dense() && size == addends.size && zeros >= size.trailing_zeros()
    }

    /// A number as it is added.
    fn addend(&mut self, addends: Addends, number: TermId) -> TermId {
        let cast = if addends.signed { CastOp::SExt } else { CastOp::ZExt };
        self.resize(cast, addends.width, number)
    }

    /// Whether one number is the other and 1, as far as it shows.
    fn follows(&mut self, count: TermId, next: TermId) -> bool {
        if self.terms.width(count) != self.terms.width(next) {
            return false;
        }
        let difference = self.terms.sub(next, count);
        self.terms.as_const(difference).is_some_and(|difference| difference.is_one())
    }
}

impl Execution<'_, '_> {
    /// The value of a sum in a state.
    pub(super) fn total_of(&mut self, state: &State, carried: &[InstId], total: &PrefixSum) -> Option<TermId> {
        let Formula::Element(first) = &total.first else { return None };
        let held = self.find_element(state, carried, first)?;
        let base = self.store.constant_offset(held.base)?;
        let Ready::Term(count) = self.ready(state, carried, &total.count, &mut Vec::new())? else { return None };
        let sensible = (8 * held.size..=128).contains(&total.width) && self.store.terms.width(count) <= COUNT_BITS;
        let whole = held.strides.is_empty() && total.stride >= held.size && base < 1 << 32;
        let addends = Addends {
            size: held.size,
            stride: total.stride,
            base,
            signed: total.signed,
            width: total.width,
            room: held.room,
            limit: held.limit,
        };
        (sensible && whole).then(|| self.total_in(held.version, addends, count, DEPTH))
    }

    /// A condition that a state has to show, stronger than it is said: sums are written out as far as they go on from known ones, and there are the elements for that.
    pub(super) fn write_out(
        &mut self,
        state: &State,
        carried: &[InstId],
        condition: &Formula,
        elements: &mut Vec<Held>,
    ) -> Option<Ready> {
        self.written_out = Some(Vec::new());
        let condition = self.ready(state, carried, condition, elements);
        let asked = self.written_out.take().unwrap_or_default();
        match condition? {
            Ready::Term(holds) if !asked.is_empty() => {
                let holds = self.store.is_true(holds);
                let asked = self.store.terms.and_all(asked);
                Some(Ready::Term(self.store.terms.and(asked, holds)))
            }
            // Elements at indices and sums in one condition are not supported.
            _ if !asked.is_empty() => None,
            condition => Some(condition),
        }
    }

    /// The sum of the first elements that a version holds.
    fn total_in(&mut self, version: VersionId, addends: Addends, count: TermId, depth: u32) -> TermId {
        let Some(depth) = depth.checked_sub(1) else { return self.total_at(version, addends, count) };
        match self.contents.node(version).clone() {
            Node::Join { condition, then, otherwise } => {
                let a = self.total_in(then, addends, count, depth);
                let b = self.total_in(otherwise, addends, count, depth);
                self.store.terms.ite(condition, a, b)
            }
            Node::Store { before, offset, value: Value::Bits(value), size }
                if self.store.is_addend(addends, offset, size) =>
            {
                let sum = self.total_in(before, addends, count, depth);
                let difference = self.encode_difference(before, addends, count, (offset, value));
                self.store.terms.add(sum, difference)
            }
            Node::Cells { cells, base } => {
                let entries = cells.entries();
                let mut differences = Vec::new();
                for (at, cell) in entries {
                    let offset = self.store.address_number(at.into());
                    let Value::Bits(value) = cell.value else { return self.total_at(version, addends, count) };
                    if !self.store.is_addend(addends, offset, cell.size) {
                        return self.total_at(version, addends, count);
                    }
                    differences.push(self.encode_difference(base, addends, count, (offset, value)));
                }
                let sum = self.total_in(base, addends, count, depth);
                differences.into_iter().fold(sum, |sum, difference| self.store.terms.add(sum, difference))
            }
            Node::Store { .. } | Node::Start(_) | Node::Copy { .. } | Node::Fill { .. } => {
                self.total_at(version, addends, count)
            }
        }
    }

    /// What a write of one element adds to a sum.
    fn encode_difference(
        &mut self,
        before: VersionId,
        addends: Addends,
        count: TermId,
        (offset, value): (TermId, TermId),
    ) -> TermId {
        let wanted = Wanted { size: addends.size, pointer: false };
        let old = self.read(before, addends.limit, offset, wanted);
        let old = self.number_of(old);
        let value = self.store.fit_width(value, 8 * addends.size);
        let (old, new) = (self.store.addend(addends, old), self.store.addend(addends, value));
        let difference = self.store.terms.sub(new, old);
        let shift = self.store.terms.number(self.store.terms.width(offset), addends.size.trailing_zeros().into());
        let index = self.store.terms.lshr(offset, shift);
        let (index, count) =
            (self.store.terms.zext(index, COUNT_BITS + 1), self.store.terms.sext(count, COUNT_BITS + 1));
        let counts = self.store.terms.slt(index, count);
        let nothing = self.store.terms.number(addends.width, 0);
        self.store.terms.ite(counts, difference, nothing)
    }

    /// The sum of a version: a variable; while sums are written out, the sum of one element less and that element.
    fn total_at(&mut self, version: VersionId, addends: Addends, count: TermId) -> TermId {
        let known = self.contents.totals.get(&(version, addends)).cloned().unwrap_or_default();
        let before = match self.written_out {
            Some(_) => known.into_iter().find(|(other, ..)| self.store.follows(*other, count)),
            None => None,
        };
        let Some((less, _, sum)) = before else { return self.total_variable(version, addends, count) };
        let next = self.store.terms.sext(count, COUNT_BITS);
        let asked = self.may_add(addends, less, next);
        if let Some(all) = &mut self.written_out {
            all.push(asked);
        }
        let element = self.addend_at(version, addends, less);
        self.store.terms.add(sum, element)
    }

    fn total_variable(&mut self, version: VersionId, addends: Addends, count: TermId) -> TermId {
        let wide = self.store.terms.sext(count, COUNT_BITS);
        let known = self.contents.totals.get(&(version, addends)).cloned().unwrap_or_default();
        if let Some((.., sum)) = known.iter().find(|(_, other, _)| *other == wide) {
            return *sum;
        }
        let sum = self.store.terms.variable("sum", addends.width);
        self.contents.totals.entry((version, addends)).or_default().push((count, wide, sum));
        let zero = self.store.terms.number(COUNT_BITS, 0);
        let (none, nothing) = (self.store.terms.sle(wide, zero), self.store.terms.number(addends.width, 0));
        let is_zero = self.store.terms.eq(sum, nothing);
        let required = self.store.terms.implies(none, is_zero);
        self.store.require(required);
        for (other, other_wide, other_sum) in known.into_iter().rev().take(MAX_RELATED) {
            let (same, equal) = (self.store.terms.eq(wide, other_wide), self.store.terms.eq(sum, other_sum));
            let required = self.store.terms.implies(same, equal);
            self.store.require(required);
            if self.store.follows(other, count) {
                self.relate(version, addends, (other, other_sum), (wide, sum));
            } else if self.store.follows(count, other) {
                self.relate(version, addends, (count, sum), (other_wide, other_sum));
            }
        }
        sum
    }

    /// Requires that a sum with one element more is greater by that element.
    fn relate(
        &mut self,
        version: VersionId,
        addends: Addends,
        (count, sum): (TermId, TermId),
        (next, greater): (TermId, TermId),
    ) {
        let asked = self.may_add(addends, count, next);
        if self.store.terms.is_false(asked) {
            return;
        }
        let element = self.addend_at(version, addends, count);
        let expected = self.store.terms.add(sum, element);
        let holds = self.store.terms.eq(greater, expected);
        let required = self.store.terms.implies(asked, holds);
        self.store.require(required);
    }

    /// Whether a number of elements is followed by `next`, and there is one more element.
    fn may_add(&mut self, addends: Addends, count: TermId, next: TermId) -> TermId {
        // Wide enough for all products of a number of elements with a stride.
        let width = COUNT_BITS + 40;
        let number = |encoder: &mut Self, value: u64| encoder.store.terms.number(width, value.into());
        let (index, next) = (self.store.terms.sext(count, width), self.store.terms.sext(next, width));
        let one = number(self, 1);
        let after = self.store.terms.add(index, one);
        let follows = self.store.terms.eq(after, next);
        let zero = number(self, 0);
        let natural = self.store.terms.sle(zero, index);
        let stride = number(self, addends.stride.into());
        let distance = self.store.terms.mul(index, stride);
        let past = number(self, addends.base + u64::from(addends.size));
        let end = self.store.terms.add(distance, past);
        let room = self.store.terms.zext(addends.room, width);
        let inside = self.store.terms.sle(end, room);
        self.store.terms.and_all([follows, natural, inside])
    }

    /// The element after so many ones, as it is added; what it is if there is none does not matter.
    fn addend_at(&mut self, version: VersionId, addends: Addends, count: TermId) -> TermId {
        // Modulo 2^w, in the form that the program's own addresses have.
        let index = self.store.resize(CastOp::SExt, self.store.address_width(), count);
        let (stride, base) =
            (self.store.address_number(addends.stride.into()), self.store.address_number(addends.base));
        let distance = self.store.terms.mul(index, stride);
        let offset = self.store.terms.add(distance, base);
        let element = self.read(version, addends.limit, offset, Wanted { size: addends.size, pointer: false });
        let element = self.number_of(element);
        self.store.addend(addends, element)
    }
}

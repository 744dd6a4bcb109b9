//! Loop heads that are reached again in the same state: candidates for runs that never end.
//!
//! **Idea.** (2LS paper, section 6.3: singleton recurrent sets by unrolling.) While loops are unrolled, each state that comes back to a head is compared with those
//! that the head had in earlier rounds of the same execution of the loop. A model of "both are the same" is a run that, given the inputs of the
//! rounds in between again and again, never ends.
//!
//! **Soundness.** None is claimed: what a run does with those inputs the interpreter says. So values that are hard to compare may count as equal or as different.

use belay_ir::{FuncId, InstId, Op};
use belay_logic::bv::TermId;

use super::Store;
use super::content::Wanted;
use super::execution::Execution;
use super::object::ObjectId;
use super::state::{Living, State};
use super::value::{Base, PointerId, Value};

/// Cases of two pointers that are compared at most.
const MAX_CASES: usize = 64;
/// Words of an object that are compared at most.
const MAX_WORDS: u64 = 32;
/// Earlier rounds that a state is compared with at most.
pub(super) const MAX_HEADS: usize = 48;

/// A head that is reached again.
#[derive(Clone, Copy, Debug)]
pub struct Lasso {
    /// When it is, in the same state.
    pub condition: TermId,
    /// The questions from here on are asked again and again,
    pub from: usize,
    /// up to here.
    pub to: usize,
}

impl Store<'_> {
    fn same_value(&mut self, a: Value, b: Value) -> Option<TermId> {
        match (a, b) {
            (Value::Bits(x), Value::Bits(y)) if self.terms.width(x) == self.terms.width(y) => Some(self.terms.eq(x, y)),
            (Value::Ptr(x), Value::Ptr(y)) | (Value::Addr(x), Value::Addr(y)) => self.same_pointer(x, y),
            (Value::Bits(_) | Value::Ptr(_) | Value::Addr(_), _) => None,
        }
    }

    fn same_pointer(&mut self, a: PointerId, b: PointerId) -> Option<TermId> {
        if a == b {
            return Some(self.terms.boolean(true));
        }
        let (left, right) = (self.pointers.cases(a), self.pointers.cases(b));
        if left.len() * right.len() > MAX_CASES {
            return None;
        }
        let mut any = Vec::new();
        for x in left.iter() {
            for y in right.iter().filter(|y| y.base == x.base && x.base != Base::Undefined) {
                let offset = self.terms.eq(x.offset, y.offset);
                any.push(self.terms.and_all([x.guard, y.guard, offset]));
            }
        }
        Some(self.terms.or_all(any))
    }
}

impl Execution<'_, '_> {
    /// How many questions there are so far.
    pub(super) fn questions(&self) -> usize {
        self.out.events.len()
    }

    /// Notes where a state at a head is one of the earlier ones.
    pub(super) fn note_lassos(
        &mut self,
        function: FuncId,
        carried: &[InstId],
        earlier: &[(State, usize)],
        state: &State,
    ) {
        let arrives = self.guards.term(state.guard);
        for (head, from) in earlier {
            let Some(same) = self.same_state(function, carried, head, state) else { continue };
            let condition = self.store.terms.and(arrives, same);
            if !self.store.terms.is_false(condition) {
                let (from, to) = (*from, self.questions());
                self.out.lassos.push(Lasso { condition, from, to });
            }
        }
    }

    fn same_state(&mut self, function: FuncId, carried: &[InstId], a: &State, b: &State) -> Option<TermId> {
        let mut same = self.store.terms.boolean(true);
        let body = &self.store.program.functions[function];
        for inst in carried.iter().filter(|inst| !matches!(body.insts[**inst].op, Op::Alloca { .. })) {
            let (Some(x), Some(y)) = (a.registers.get(inst.0), b.registers.get(inst.0)) else { continue };
            let equal = self.store.same_value(x, y)?;
            same = self.store.terms.and(same, equal);
            if self.store.terms.is_false(same) {
                return None;
            }
        }
        for (key, x, y) in a.memory.differences(&b.memory) {
            let equal = self.same_living(ObjectId(key), x, y)?;
            same = self.store.terms.and(same, equal);
        }
        Some(same)
    }

    fn same_living(&mut self, object: ObjectId, a: Option<Living>, b: Option<Living>) -> Option<TermId> {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (None, Some(b)) if self.store.is_static(object) => (self.initial(object), b),
            (Some(a), None) if self.store.is_static(object) => (a, self.initial(object)),
            (Some(one), None) | (None, Some(one)) => return Some(self.store.terms.not(one.alive)),
            (None, None) => return Some(self.store.terms.boolean(true)),
        };
        let same = self.same_contents(object, a, b)?;
        let alike = self.store.terms.eq(a.alive, b.alive);
        let dead = self.store.terms.not(a.alive);
        let either = self.store.terms.or(dead, same);
        Some(self.store.terms.and(alike, either))
    }

    fn same_contents(&mut self, object: ObjectId, a: Living, b: Living) -> Option<TermId> {
        let ((left, base), (right, other)) =
            (self.contents.split_layers(a.version), self.contents.split_layers(b.version));
        let limit = self.store.greatest_size(object);
        let mut places: Vec<(u64, u32)> = Vec::new();
        if base == other {
            for (at, x, y) in left.differences(&right) {
                let size = x.map_or(0, |cell| cell.size).max(y.map_or(0, |cell| cell.size));
                places.push((at.into(), size));
            }
        } else {
            let word: u32 = [8, 4, 2, 1].into_iter().find(|word| limit.is_multiple_of(u64::from(*word)))?;
            let words = limit / u64::from(word);
            if words > MAX_WORDS {
                return None;
            }
            places.extend((0..words).map(|index| (index * u64::from(word), word)));
        }
        if places.len() as u64 > MAX_WORDS {
            return None;
        }
        let mut same = self.store.terms.boolean(true);
        for (at, size) in places {
            let place = self.store.address_number(at);
            let wanted = Wanted { size, pointer: false };
            let (x, y) = (self.read(a.version, limit, place, wanted), self.read(b.version, limit, place, wanted));
            let equal = self.store.same_value(x, y)?;
            same = self.store.terms.and(same, equal);
        }
        Some(same)
    }
}

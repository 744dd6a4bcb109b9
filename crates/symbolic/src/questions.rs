//! What programs ask about pointers in a verifier's words: whether so many bytes may be read or written, how large the object is, where in it a pointer stands, whether
//! it is a heap block. The meaning is the interpreter's.
//!
//! *Why it is sound.* A question changes nothing; each answer here is the one that the interpreter gives in every state that is represented, or any value at all.
//! An access of `n` bytes at offset `o` of an object of `s` bytes is valid if and only if the object is alive, is not constant where it is written, and
//! `0 <= o`, `0 <= n` and `o + n <= s`: the interpreter compares without sign, where a negative `o` or `n` is larger than any object. Sizes, offsets and
//! lengths are numbers that every state has, so that the states are told apart by the comparison. Of no bytes at an invalid place
//! nobody says whether they may be accessed: any answer then. A null pointer may not be accessed, and stands at offset 0 of nothing. Pointers of which
//! nothing is known (they may be null, dead, bare addresses) get any answer, and so do objects of unknown life or size.

use belay_ir::{Builtin, Type};
use belay_linear::LinExpr;

use super::builtins::Site;
use super::condition::Truth;
use super::knowledge::constant;
use super::machine::{Machine, Step};
use super::state::{AllocId, AllocKind, Life, State, Value};
use super::values::set;

impl Machine<'_> {
    /// The answer to a question about a pointer.
    pub(super) fn ask_about_pointer(
        &mut self,
        builtin: Builtin,
        mut state: State,
        site: &Site<'_>,
    ) -> Step<Vec<State>> {
        let pointer = self.argument(&mut state, site, 0);
        let number = match builtin {
            Builtin::Readable | Builtin::Writable => {
                let answer = self.may_be_accessed(&mut state, &pointer, builtin == Builtin::Writable, site)?;
                return self.answered(state, answer, site);
            }
            _ => self.stands(&mut state, &pointer, builtin, site)?,
        };
        match number {
            Some(number) => set(&mut state, site.id, number),
            None => self.give_anything(&mut state, site.id, site.ty),
        }
        Ok(vec![state])
    }

    /// The states after a question: those in which the answer is yes, and those in which it is no.
    fn answered(&mut self, mut state: State, answer: Option<Truth>, site: &Site<'_>) -> Step<Vec<State>> {
        let Some(answer) = answer else {
            self.give_anything(&mut state, site.id, site.ty);
            return Ok(vec![state]);
        };
        let mut states = Vec::new();
        for yes in [true, false] {
            for mut state in state.clone().assuming(&answer, yes, true, self.oracle)? {
                set(&mut state, site.id, Value::Int(constant(yes.into())));
                states.push(state);
            }
        }
        Ok(states)
    }

    /// Whether an access is valid; none if that is not known.
    fn may_be_accessed(
        &mut self,
        state: &mut State,
        pointer: &Value,
        writes: bool,
        site: &Site<'_>,
    ) -> Step<Option<Truth>> {
        let Value::Int(len) = self.argument(state, site, 1) else { return Ok(None) };
        if !state.knowledge.non_negative(&len, self.oracle)? {
            return Ok(None);
        }
        let is_some = state.knowledge.non_negative(&len.minus(&constant(1)), self.oracle)?;
        let never = is_some.then_some(Truth::Known(false));
        let Value::Pointer(alloc, offset) = pointer else {
            return Ok(never.filter(|_| *pointer == Value::Null));
        };
        let Some((size, life)) = self.extent(state, *alloc) else { return Ok(None) };
        let is_constant = matches!(alloc, AllocId::Global(id) if self.program.globals[*id].constant);
        match life {
            Life::Live if writes && is_constant => return Ok(never),
            Life::Live => {}
            Life::Dead => return Ok(never),
            Life::Maybe => return Ok(None),
        }
        let room = size.minus(offset).minus(&len);
        let is_inside =
            state.knowledge.non_negative(offset, self.oracle)? && state.knowledge.non_negative(&room, self.oracle)?;
        Ok(match is_inside {
            true => Some(Truth::Known(true)),
            false if !is_some => None,
            false => {
                let both = (Box::new(Truth::AtLeast(offset.clone())), Box::new(Truth::AtLeast(room)));
                Some(Truth::And(both.0, both.1))
            }
        })
    }

    /// The size of an object, where a pointer stands in it, whether it is a heap block; none if that is not known.
    fn stands(&mut self, state: &mut State, pointer: &Value, builtin: Builtin, site: &Site<'_>) -> Step<Option<Value>> {
        let width = site.ty.and_then(Type::int_width).unwrap_or(64);
        let number: Option<LinExpr> = match (builtin, pointer) {
            (Builtin::PointerOffset | Builtin::IsHeapBlock, Value::Null) => Some(constant(0)),
            (Builtin::PointerOffset, Value::Pointer(_, offset)) => Some(offset.clone()),
            (Builtin::WholeSize, Value::Pointer(alloc, _)) => {
                self.extent(state, *alloc).filter(|(_, life)| *life == Life::Live).map(|(size, _)| size)
            }
            (Builtin::IsHeapBlock, Value::Pointer(AllocId::Global(_), _)) => Some(constant(0)),
            (Builtin::IsHeapBlock, Value::Pointer(alloc, _)) => match state.allocations.get(alloc).map(|it| it.kind) {
                Some(AllocKind::Heap) => Some(constant(1)),
                Some(AllocKind::Stack { .. }) => Some(constant(0)),
                Some(AllocKind::Argument | AllocKind::Either) | None => None,
            },
            _ => None,
        };
        match number {
            Some(number) => Ok(Some(Value::Int(self.fitted(state, number, width)?))),
            None => Ok(None),
        }
    }
}

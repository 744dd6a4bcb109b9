//! Calls that recur: a function that is entered with the arguments and the memory with which it was entered before, by an activation that is still to return.
//!
//! What an activation does depends on its arguments and on the memory that it can get at, and on its choices; not on its callers' registers, nor on objects that no
//! pointer leads to. So the inner activation can do what the outer one has done up to here, which is to enter the function once more. The stack has no end: neither has the run.
//!
//! As for states that recur ([`crate::recur`]) there is one snapshot, at distances that double, and it is given up when its activation returns.

use belay_base::Id;
use belay_ir::FuncId;

use crate::integers::Integers;
use crate::memory::Memory;
use crate::observer::Observer;
use crate::recur::{Pairing, can_be_repeated};
use crate::report::RunEnd;
use crate::run::{Res, Run, Stop};
use crate::value::{ObjectId, Value};

/// Callers among which a function is looked for before it is taken for a recursive one.
const MAX_CALLERS: usize = 64;

/// A function as it was entered.
#[derive(Debug)]
struct Entered<Int> {
    function: FuncId,
    args: Vec<Value<Int>>,
    memory: Memory,
    /// The frames, its own included.
    depth: usize,
    steps: u64,
    choices: usize,
}

/// The search for a call that recurs.
#[derive(Debug)]
pub(crate) struct Reentry<Int> {
    calls: u64,
    next: u64,
    entered: Option<Box<Entered<Int>>>,
}

impl<Int> Default for Reentry<Int> {
    fn default() -> Self {
        Self { calls: 0, next: 1, entered: None }
    }
}

impl<Int> Reentry<Int> {
    /// So many frames are left.
    pub(crate) fn returned(&mut self, frames: usize) {
        if self.entered.as_ref().is_some_and(|entered| entered.depth > frames) {
            (self.entered, self.next) = (None, self.calls + 1);
        }
    }
}

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// At the entry of a function.
    #[cold]
    pub(crate) fn look_for_reentry(&mut self) -> Res<()> {
        let Some(mut state) = self.recurrence.take() else { return Ok(()) };
        state.reentry.calls += 1;
        let (span, function) = (self.span(), self.code.function);
        let (found, work) = self.reenters(&mut state.reentry);
        state.work += work;
        if let Some((start, inputs)) = found {
            let period = self.steps - start;
            let end = RunEnd::Recurs { start, period, span, function, inputs, nested: true };
            return Err(Box::new(Stop::End(end)));
        }
        let callers = self.frames.iter().rev().skip(1).take(MAX_CALLERS);
        let is_recursive = || callers.into_iter().any(|frame| frame.code.function == function);
        let work = self.state_work();
        if state.reentry.calls >= state.reentry.next && self.is_affordable(state.work + work) && is_recursive() {
            state.work += work;
            state.reentry.next = state.reentry.calls * 2;
            state.reentry.entered = self.is_small().then(|| Box::new(self.note_entered()));
        }
        self.recurrence = Some(state);
        Ok(())
    }

    fn arguments(&self) -> &[Value<M::Int>] {
        let count = self.program.functions[self.code.function].params.len();
        &self.registers[self.base..][..count]
    }

    fn note_entered(&self) -> Entered<M::Int> {
        Entered {
            function: self.code.function,
            args: self.arguments().to_vec(),
            memory: self.memory.clone(),
            depth: self.frames.len(),
            steps: self.steps,
            choices: self.choices.len(),
        }
    }

    /// When the function was entered like this, and how many inputs ago; and the work of finding out.
    fn reenters(&self, state: &mut Reentry<M::Int>) -> (Option<(u64, usize)>, u64) {
        let Some(entered) = &state.entered else { return (None, 0) };
        let since = self.choices.get(entered.choices..).unwrap_or_default();
        let args = self.arguments();
        let differs =
            |(a, b): (&Value<M::Int>, &Value<M::Int>)| matches!((a, b), (Value::Int(a), Value::Int(b)) if a != b);
        if entered.function != self.code.function
            || entered.depth >= self.frames.len()
            || self.program.functions[entered.function].variadic
            || entered.args.iter().zip(args).any(differs)
        {
            return (None, 1);
        }
        let inputs = since.len();
        if !since.iter().all(can_be_repeated) {
            state.entered = None;
            return (None, 1);
        }
        let mut pairing = Pairing::new(&entered.memory, &self.memory, entered.memory.writes);
        let equal = entered.args.iter().zip(args).all(|(a, b)| pairing.values(a, b))
            && pairing.walk()
            && (0..self.program.globals.len()).all(|at| pairing.objects(ObjectId::new(at), ObjectId::new(at)))
            && pairing.walk()
            && pairing.tokens_agree()
            && pairing.lives_agree();
        (equal.then_some((entered.steps, inputs)), 8 + pairing.work)
    }
}

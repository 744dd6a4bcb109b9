//! Functions that call themselves, cut like loops: see [`super::cut`] for the idea.
//!
//! **Idea.** The outermost activation of such a function (the *root*) stands for all of them: its arguments are those of its caller, or, where
//! a free variable `again` holds, arbitrary ones of which the rows of the cut hold. A further call below the root is not entered: the rows
//! are checked of its arguments, and what it returns is arbitrary but for the rows of results, which speak of arguments and result. They
//! are checked where the root returns; where `again` holds, nothing follows.
//!
//! **Soundness.** Take the first bad moment of a run, as in [`super::cut`]. For each root that is active then, let `A` be the innermost activation of
//! its function, with `again` false if that is the root itself, and else with the arguments of `A` in the place of the root's. The run
//! of `A` up to the moment is followed by the root's body: what it reads is its arguments, its own objects, and memory that is
//! as it was when the root was entered, because everywhere where a further call is made or the root returns a memory that differs in
//! anything but the activations' own locals is a frame_violation, as is an argument that is no number and not the root's own. Locals of the activations
//! between the root and `A` exist in the run and not here, but nothing that `A` can reach points to them. Calls below `A` have
//! returned, for `A` is the innermost: at those returns their rows of results were kept, for the moment is the first; so the
//! arbitrary result can be theirs. A root that has returned is followed with `again` false.
//!
//! **Where it gives up.** Recursion that changes memory or passes pointers on; what is judged at the end of a run (lost blocks).

use std::rc::Rc;

use belay_ir::{FuncId, Function, Property, Type};
use belay_logic::bv::TermId;

use super::Res;
use super::call::Call;
use super::cut::Broken;
use super::execution::Execution;
use super::flow::{Activation, Returned};
use super::object::{ObjectId, Origin};
use super::state::{Memory, State};
use super::value::Value;
use belay_invariants::ObjectKind;
use belay_invariants::{Bound, Cut, CutPlace, FrameViolation, Row};

const MEMORY: &str = "the recursion changes memory";
const POINTERS: &str = "a recursive call passes more than numbers";

/// The outermost activation of a function that is cut.
#[derive(Debug)]
pub struct Root {
    place: CutPlace,
    cut: Cut,
    again: TermId,
    args: Rc<[Value]>,
    memory: Memory,
}

impl Execution<'_, '_> {
    /// The place of a call below the activation at hand, as a cut.
    fn call_place(&self, target: FuncId, call: &Call<'_>) -> CutPlace {
        let mut calls = self.call_path();
        calls.push((call.inst, target));
        CutPlace { calls, function: target, head: Function::ENTRY }
    }

    /// What is judged at the end of a run is not asked where a root returns.
    fn may_cut_calls(&self) -> bool {
        let at_end = |property| matches!(property, Property::ValidMemtrack | Property::MemCleanup);
        self.cutting.is_some_and(|cutting| !at_end(cutting.property))
    }

    /// The place of the outermost activation of a function, where that may be cut.
    pub(super) fn outermost(&self, target: FuncId) -> Option<CutPlace> {
        let depth = self.frames.iter().position(|frame| frame.function == target)?;
        // The program's entry is not called.
        if depth == 0 || !self.may_cut_calls() {
            return None;
        }
        let calls = self.frames[..=depth].iter().map(|frame| (frame.call, frame.function)).collect();
        Some(CutPlace { calls, function: target, head: Function::ENTRY })
    }

    /// Makes a call of a function that is cut; `None` if it is to be entered as usual.
    pub(super) fn call_cut(
        &mut self,
        state: &mut State,
        target: FuncId,
        call: &Call<'_>,
    ) -> Res<Option<Option<Returned>>> {
        let above = self.frames.iter().find(|frame| frame.function == target).and_then(|frame| frame.root.clone());
        if let Some(root) = above {
            return Ok(Some(self.call_again(state, target, call, &root)));
        }
        let Some(cutting) = self.cutting.filter(|_| self.may_cut_calls()) else { return Ok(None) };
        let place = self.call_place(target, call);
        let Some(cut) = cutting.cuts.get(&place).cloned() else { return Ok(None) };
        let function = &self.store.program.functions[target];
        let more = function.variadic || call.args.len() > function.params.len();
        if more || function.params.iter().any(|param| param.byval.is_some()) {
            self.out.note_misfit(&place, FrameViolation::Never(POINTERS));
            return Ok(None);
        }
        self.call_root(state, (place, cut), call).map(Some)
    }

    /// Enters the root.
    fn call_root(&mut self, state: &State, (place, cut): (CutPlace, Cut), call: &Call<'_>) -> Res<Option<Returned>> {
        let (target, site, early) = (place.function, self.at.site, self.early);
        let params = self.store.program.functions[target].params.len();
        let again = self.fresh(1, Origin::Internal);
        let mut args = Vec::with_capacity(params);
        for arg in &call.args[..params] {
            args.push(match *arg {
                Value::Bits(bits) => {
                    let any = self.fresh(self.store.terms.width(bits), Origin::Internal);
                    Value::Bits(self.store.terms.ite(again, any, bits))
                }
                Value::Ptr(_) | Value::Addr(_) => *arg,
            });
        }
        let args: Rc<[Value]> = args.into();
        let mut entry = State { guard: state.guard, registers: Default::default(), memory: state.memory.clone() };
        for row in &cut.rows {
            let holds = self.row_of_call(&entry, row, &args, None).unwrap_or_else(|| self.store.terms.boolean(true));
            let holds = self.store.terms.implies(again, holds);
            self.assume(&mut entry, holds);
        }
        let memory = entry.memory.clone();
        let root = Rc::new(Root { place, cut, again, args: Rc::clone(&args), memory });
        let activation = Activation::plain(target, args.to_vec(), Some(site));
        let returned = self.run_function(Activation { root: Some(Rc::clone(&root)), ..activation }, entry)?;
        self.early = early;
        let Some(mut returned) = returned else { return Ok(None) };
        self.here = self.guards.term(returned.state.guard);
        if !root.memory.differences(&returned.state.memory).is_empty() {
            self.out.note_misfit(&root.place, FrameViolation::Never(MEMORY));
        }
        let result = returned.results.first().copied();
        self.check_rows(&mut returned.state, &root, &root.cut.results, &args, result);
        let once = self.store.terms.not(root.again);
        self.assume(&mut returned.state, once);
        Ok(Some(returned))
    }

    /// A further call below the root: checked, and its result arbitrary.
    fn call_again(&mut self, state: &mut State, target: FuncId, call: &Call<'_>, root: &Root) -> Option<Returned> {
        let function = &self.store.program.functions[target];
        if call.args.len() > function.params.len() {
            self.out.note_misfit(&root.place, FrameViolation::Never(POINTERS));
        }
        let args: Rc<[Value]> = call.args[..function.params.len()].into();
        for (arg, own) in args.iter().zip(root.args.iter()) {
            let numbers = matches!((arg, own), (Value::Bits(_), Value::Bits(_)));
            if !numbers && arg != own {
                self.out.note_misfit(&root.place, FrameViolation::Never(POINTERS));
            }
        }
        for (key, before, after) in root.memory.differences(&state.memory) {
            let own =
                before.is_none() && after.is_some() && self.store.names.object(ObjectId(key)).kind == ObjectKind::Stack;
            if !own {
                self.out.note_misfit(&root.place, FrameViolation::Never(MEMORY));
            }
        }
        self.check_rows(state, root, &root.cut.rows, &args, None);
        if self.observed.is_some() {
            let entered = State { guard: state.guard, registers: Default::default(), memory: root.memory.clone() };
            let before = self.observe_call(&root.place, &entered, &root.args);
            let after = self.observe_call(&root.place, state, &args);
            self.note_round(&root.place, self.early, before, after);
        }
        let mut results = Vec::new();
        for ty in &function.results {
            if *ty == Type::Ptr {
                self.out.note_misfit(&root.place, FrameViolation::Never(POINTERS));
            }
            let width = self.store.bits_of(*ty);
            results.push(Value::Bits(self.fresh(width.into(), Origin::Internal)));
        }
        for row in &root.cut.results {
            let result = results.first().copied();
            let holds = self.row_of_call(state, row, &args, result).unwrap_or_else(|| self.store.terms.boolean(true));
            self.assume(state, holds);
        }
        let after = State { guard: state.guard, registers: Default::default(), memory: state.memory.clone() };
        (!self.is_dead(state)).then_some(Returned { state: after, results })
    }

    fn row_of_call(&mut self, state: &State, row: &Row, args: &Rc<[Value]>, result: Option<Value>) -> Option<TermId> {
        self.call_values = Some((Rc::clone(args), result));
        let holds = self.row_holds(state, row);
        self.call_values = None;
        holds
    }

    /// Notes where rows do not hold, and goes on where they do.
    fn check_rows(&mut self, state: &mut State, root: &Root, rows: &[Row], args: &Rc<[Value]>, result: Option<Value>) {
        let asked = self.store.terms.not(self.early);
        let arrives = self.store.terms.and(self.here, asked);
        for (index, row) in rows.iter().enumerate() {
            let holds = self.row_of_call(state, row, args, result).unwrap_or_else(|| self.store.terms.boolean(false));
            let fails = self.store.terms.not(holds);
            let condition = self.store.terms.and(arrives, fails);
            if !self.store.terms.is_false(condition) {
                self.call_values = Some((Rc::clone(args), result));
                let sum = self.row_sum(state, row);
                self.call_values = None;
                let number = match row.bound {
                    Bound::Parameter(number) => Some(number),
                    Bound::Constant(_) => None,
                };
                let place = root.place.clone();
                self.out.broken.push(Broken { place, row: index, condition, arrives, sum, number });
            }
            self.assume(state, holds);
        }
    }
}

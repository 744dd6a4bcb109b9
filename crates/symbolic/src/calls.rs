//! Calls, returns, the end of a run, and functions with a built-in meaning.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::Span;
use belay_ir::{Callee, FuncId, FuncKind, Function, InstId, ObligationId, Operand, Type, has_called_type};
use belay_linear::LinExpr;

use super::asked::AskedFor;
use super::builtins::Site;
use super::knowledge::constant;
use super::machine::{Halt, MAX_DEPTH, Machine, Step};
use super::memory::Validity;
use super::probe::Suspicion;
use super::state::{AllocKind, Allocation, Frame, State, Value};
use super::values::set;

/// Targets of one call through an unknown pointer at most.
const MAX_TARGETS: usize = 16;
/// How the models of its arithmetic are called.
const LONG_DOUBLE: &str = "__belay_x87_";

impl<'m> Machine<'m> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn call(
        &mut self,
        mut state: State,
        caller: &'m Function,
        id: InstId,
        callee: &Callee,
        args: &[Operand],
        obligation: Option<ObligationId>,
        span: Span,
    ) -> Step<Vec<State>> {
        let site = Site { id, args, ty: caller.insts[id].ty, obligation, span };
        let targets = match callee {
            Callee::Direct(target) => {
                let function = &self.program.functions[*target];
                if function.is_defined() && !has_called_type(function, caller, id, self.program.layout) {
                    return Err(other_type(function, span));
                }
                return self.call_of(state, *target, &site);
            }
            Callee::Indirect(operand, indirect) => match self.value(&mut state, *operand) {
                Value::Function(mut targets) => {
                    // A run that calls a function of another type has no verdict: no proof may cover it.
                    let all = targets.len();
                    targets.retain(|target| self.is_called_as(caller, *target, &site));
                    if targets.len() < all {
                        self.doubt(*indirect, span);
                        self.broken.get_or_insert(span);
                    }
                    targets
                }
                Value::Null => {
                    self.doubt(*indirect, span);
                    self.suspect(Suspicion::Obligation(*indirect), &state);
                    self.broken.get_or_insert(span);
                    return Ok(Vec::new());
                }
                Value::Int(_) | Value::Truth(_) | Value::Pointer(..) | Value::Address(..) | Value::Top => {
                    self.doubt(*indirect, span);
                    self.suspect(Suspicion::Obligation(*indirect), &state);
                    // Calls of something else are not followed, and what comes after them is not known.
                    if self.goes_on {
                        self.broken.get_or_insert(span);
                    }
                    self.possible_targets(caller, &site)?
                }
            },
        };
        let mut done = Vec::new();
        for target in targets {
            let function = &self.program.functions[target];
            if !has_called_type(function, caller, id, self.program.layout) {
                return Err(other_type(function, span));
            }
            done.extend(self.call_of(state.clone(), target, &site)?);
        }
        Ok(done)
    }

    /// What a call through a pointer can reach at all: a run in which it is something else, a function of another type for instance, ends
    /// there, as by any invalid access. That it does not is the call's obligation, which is doubted.
    fn possible_targets(&self, caller: &Function, site: &Site<'_>) -> Step<BTreeSet<FuncId>> {
        let all = self.prepared.graph.address_taken();
        let targets: BTreeSet<FuncId> =
            all.iter().copied().filter(|target| self.is_called_as(caller, *target, site)).collect();
        // A path that is looked at for a violation is none if what it calls is a guess.
        let is_guess = self.probing() && targets.len() < all.len();
        if targets.is_empty() || targets.len() > MAX_TARGETS || is_guess {
            return Err(Halt::Unable("a call through a pointer that is not known".to_owned(), site.span));
        }
        Ok(targets)
    }

    /// True if a function has the type that a call of it takes for granted.
    fn is_called_as(&self, caller: &Function, target: FuncId, site: &Site<'_>) -> bool {
        has_called_type(&self.program.functions[target], caller, site.id, self.program.layout)
    }

    fn call_of(&mut self, mut state: State, target: FuncId, site: &Site<'_>) -> Step<Vec<State>> {
        let function = &self.program.functions[target];
        match function.kind {
            // Arithmetic of `long double` in integers: it changes nothing and ends, so that any result covers it. Paths that are to show a
            // violation go through it.
            FuncKind::Defined if function.is_model && function.name.starts_with(LONG_DOUBLE) && !self.probing() => {
                self.give_anything(&mut state, site.id, site.ty);
                Ok(vec![state])
            }
            FuncKind::Defined => {
                if let Some(states) = self.string_function(&state, function, site)? {
                    return Ok(states);
                }
                let entered = self.enter(state, target, function, site.args, site.obligation, site.span)?;
                if self.prepared.graph.is_recursive(target) && !self.probing() {
                    return self.activate(entered, site.id, site.span);
                }
                Ok(entered)
            }
            FuncKind::Builtin(builtin) => self.builtin(state, builtin, target, site),
            FuncKind::Extern => {
                if function.results.contains(&Type::Ptr) || self.config.externs == belay_ir::Externs::Refuse {
                    return Err(Halt::Unable(format!("{} has no body and no model", function.name), site.span));
                }
                if let Some(ty) = site.ty {
                    let value = self.asked_for(&mut state, AskedFor::Arbitrary(ty), ty, site.span);
                    set(&mut state, site.id, value);
                }
                Ok(vec![state])
            }
        }
    }

    pub(super) fn give_anything(&mut self, state: &mut State, id: InstId, ty: Option<Type>) {
        if let Some(ty) = ty {
            let value = self.anything(state, ty);
            set(state, id, value);
        }
    }

    fn enter(
        &mut self,
        mut state: State,
        target: FuncId,
        function: &'m Function,
        args: &[Operand],
        obligation: Option<ObligationId>,
        span: Span,
    ) -> Step<Vec<State>> {
        // Which arguments went through `...` is not told apart where a recursive function is entered.
        let by_itself = self.prepared.graph.is_recursive(target) && !self.probing();
        if state.frames.len() >= MAX_DEPTH || (function.variadic && by_itself) {
            return Err(Halt::Unable(format!("the call of {} is not followed", function.name), span));
        }
        let depth = state.frames.len();
        let mut params = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let Some(arg) = args.get(index) else {
                return Err(Halt::Unable(format!("{} gets too few arguments", function.name), span));
            };
            let mut value = self.value(&mut state, *arg);
            if let Some((size, align)) = param.byval {
                let size = constant(i128::from(size));
                if let Some(id) = obligation {
                    let Some(accessed) = self.access(state, &value, &size, false, id, span)? else {
                        return Ok(Vec::new());
                    };
                    state = accessed.state;
                    if accessed.validity == Validity::Open {
                        value = Value::Top;
                    }
                }
                value = self.copied(&mut state, &value, (size, align.max(1).into()), depth)?;
            }
            params.push(value);
        }
        if function.variadic {
            let rest = args.get(function.params.len()..).unwrap_or_default();
            params.push(self.lay_out(&mut state, rest, depth, span)?);
        }
        let frame = Frame { function: target, block: Function::ENTRY, index: 0, params, values: BTreeMap::new() };
        state.frames.push(frame);
        Ok(vec![state])
    }

    /// A struct passed by value: a stack object of the callee with the same cells.
    fn copied(&mut self, state: &mut State, from: &Value, (size, align): (LinExpr, u64), depth: usize) -> Step<Value> {
        let kind = AllocKind::Stack { depth, inst: InstId(u32::MAX), dynamic: false };
        let made = state.allocate(Allocation { kind, align, ..Allocation::block(size.clone(), false) });
        if let Value::Pointer(alloc, start) = from {
            let cells: Vec<_> = state.cells.iter().filter(|cell| cell.alloc == *alloc).cloned().collect();
            for cell in cells {
                let at = cell.offset.minus(start);
                let rest = size.minus(&at).minus(&constant(i128::from(cell.width)));
                if state.knowledge.non_negative(&at, self.oracle)?
                    && state.knowledge.non_negative(&rest, self.oracle)?
                {
                    self.note_cell(state, made, at, cell.width, cell.value);
                }
            }
        }
        Ok(Value::Pointer(made, constant(0)))
    }

    /// Returns to the caller, or ends the run.
    pub(super) fn give_back(&mut self, mut state: State, values: &[Operand], span: Span) -> Step<Vec<State>> {
        let results: Vec<Value> = values.iter().map(|operand| self.value(&mut state, *operand)).collect();
        let here = state.frames.len() - 1;
        self.end_frame(&mut state, here)?;
        if here == 0 && self.in_activation(&state) {
            return self.end_activation(state, results);
        }
        state.frames.pop();
        let Some(frame) = state.frames.last_mut() else {
            self.ended(&state, span)?;
            return Ok(Vec::new());
        };
        let body = &self.program.functions[frame.function].blocks[frame.block];
        let call = body.insts.get(frame.index).copied();
        frame.index += 1;
        if let (Some(call), [result]) = (call, results.as_slice()) {
            frame.values.insert(call, result.clone());
        }
        Ok(vec![state])
    }
}

fn other_type(function: &Function, span: Span) -> Halt {
    Halt::Unable(format!("{} is called with another type than it has", function.name), span)
}

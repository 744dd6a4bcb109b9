//! Calls, returns, the end of a run, and functions with a built-in meaning.

use std::collections::BTreeMap;

use belay_base::Span;
use belay_ir::{Callee, FuncId, FuncKind, Function, InstId, ObligationId, Operand, Type};
use belay_logic::simplex::LinExpr;

use super::builtins::Site;
use super::knowledge::constant;
use super::machine::{Halt, MAX_DEPTH, Machine, Step};
use super::state::{AllocKind, Allocation, Frame, Life, State, Value};
use super::values::set;

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
        let target = match callee {
            Callee::Direct(target) => *target,
            Callee::Indirect(operand, indirect) => match self.value(&mut state, *operand) {
                Value::Function(target) => target,
                Value::Int(_)
                | Value::Truth(_)
                | Value::Pointer(..)
                | Value::Address(..)
                | Value::Null
                | Value::Top => {
                    self.doubt(*indirect, span);
                    return Err(Halt::Unable("a call through a pointer that is not known".to_owned(), span));
                }
            },
        };
        let function = &self.program.functions[target];
        let ty = caller.insts[id].ty;
        match function.kind {
            FuncKind::Defined => {
                let entered = self.enter(state, target, function, args, obligation, span)?;
                if self.graph.is_recursive(target) {
                    return self.activate(entered, id, span);
                }
                Ok(entered)
            }
            FuncKind::Builtin(builtin) => {
                let site = Site { id, args, ty, obligation, span };
                self.builtin(state, builtin, target, &site)
            }
            FuncKind::Extern => {
                if function.results.contains(&Type::Ptr) || self.config.havoc_externs {
                    return Err(Halt::Unable(format!("{} has no body and no model", function.name), span));
                }
                self.give_anything(&mut state, id, ty);
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
        if state.frames.len() >= MAX_DEPTH || function.variadic {
            return Err(Halt::Unable(format!("the call of {} is not followed", function.name), span));
        }
        let depth = state.frames.len();
        let mut params = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let Some(arg) = args.get(index) else {
                return Err(Halt::Unable(format!("{} gets too few arguments", function.name), span));
            };
            let mut value = self.value(&mut state, *arg);
            if let Some((size, _)) = param.byval {
                let size = constant(i128::from(size));
                if let Some(id) = obligation {
                    match self.access(state, &value, &size, false, id, span)? {
                        Some(next) => state = next,
                        None => return Ok(Vec::new()),
                    }
                }
                value = self.copied(&mut state, &value, size, depth)?;
            }
            params.push(value);
        }
        let frame = Frame { function: target, block: Function::ENTRY, index: 0, params, values: BTreeMap::new() };
        state.frames.push(frame);
        Ok(vec![state])
    }

    /// A struct passed by value: a stack object of the callee with the same cells.
    fn copied(&mut self, state: &mut State, from: &Value, size: LinExpr, depth: usize) -> Step<Value> {
        let kind = AllocKind::Stack { depth, inst: InstId(u32::MAX), dynamic: false };
        let made = state.allocate(Allocation { kind, size: size.clone(), life: Life::Live, zeroed: false });
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
        self.end_frame(&mut state, here);
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

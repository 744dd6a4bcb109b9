//! Calls, returns, the end of a run, and functions with a built-in meaning.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::Span;
use belay_ir::{Builtin, Callee, FuncId, FuncKind, Function, InstId, ObligationId, Operand, Property, Type};
use belay_logic::simplex::LinExpr;

use super::arithmetic::{note, scaled};
use super::condition::Truth;
use super::knowledge::{as_constant, constant};
use super::machine::{Halt, MAX_DEPTH, Machine, Step, set};
use super::state::{AllocId, AllocKind, Allocation, Frame, Life, State, Value};

/// A call of a built-in function.
struct Site<'a> {
    id: InstId,
    args: &'a [Operand],
    ty: Option<Type>,
    obligation: Option<ObligationId>,
    span: Span,
}

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
            FuncKind::Defined => self.enter(state, target, function, args, obligation, span),
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

    fn give_anything(&mut self, state: &mut State, id: InstId, ty: Option<Type>) {
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
        if self.graph.is_recursive(target) {
            return Err(Halt::Unable(format!("{} is recursive", function.name), span));
        }
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
        state.frames.pop();
        let Some(frame) = state.frames.last_mut() else {
            self.ended(&state, true, span);
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

    /// The run is over: looks at the heap blocks that are left.
    fn ended(&mut self, state: &State, cleans_up: bool, span: Span) {
        let left: Vec<AllocId> = state
            .allocations
            .iter()
            .filter(|(_, allocation)| allocation.kind == AllocKind::Heap && allocation.life != Life::Dead)
            .map(|(id, _)| *id)
            .collect();
        if cleans_up && (!left.is_empty() || state.forgot_block) {
            self.leak(Property::MemCleanup, span);
        }
        let reached = reachable(state);
        if state.forgot_block || left.iter().any(|id| !reached.contains(id)) {
            self.leak(Property::ValidMemtrack, span);
        }
    }

    fn builtin(&mut self, mut state: State, builtin: Builtin, target: FuncId, site: &Site<'_>) -> Step<Vec<State>> {
        match builtin {
            Builtin::Malloc => self.malloc(state, site),
            Builtin::Calloc => self.calloc(state, site),
            Builtin::Realloc => self.realloc(state, site),
            Builtin::Free => {
                let pointer = self.argument(&mut state, site, 0);
                let freed = self.free(state, &pointer, site)?;
                Ok(freed.into_iter().collect())
            }
            Builtin::Strlen => {
                let pointer = self.argument(&mut state, site, 0);
                let length = self.string_length(&mut state, &pointer, site.obligation, site.span)?;
                let width = site.ty.and_then(Type::int_width).unwrap_or(64);
                let length = self.fitted(&mut state, length, width)?;
                set(&mut state, site.id, Value::Int(length));
                Ok(vec![state])
            }
            Builtin::Abort | Builtin::ExitNow | Builtin::Exit => {
                self.ended(&state, matches!(builtin, Builtin::Exit | Builtin::ExitNow), site.span);
                Ok(Vec::new())
            }
            Builtin::AssertFail | Builtin::ErrorCall => {
                site.obligation.into_iter().for_each(|id| self.doubt(id, site.span));
                self.ended(&state, false, site.span);
                Ok(Vec::new())
            }
            Builtin::Assert | Builtin::Precondition => {
                let truth = self.not_null(&mut state, site)?;
                if !state.clone().assuming(&truth, false, true, self.oracle)?.is_empty() {
                    site.obligation.into_iter().for_each(|id| self.doubt(id, site.span));
                    self.ended(&state, false, site.span);
                }
                Ok(state.assuming(&truth, true, true, self.oracle)?)
            }
            Builtin::Assume => {
                let truth = self.not_null(&mut state, site)?;
                Ok(state.assuming(&truth, true, true, self.oracle)?)
            }
            Builtin::Nondet => {
                self.give_anything(&mut state, site.id, site.ty);
                let name = &self.program.functions[target].name;
                if (name.ends_with("bool") || name.ends_with("Bool"))
                    && let Some(Value::Int(expr)) = super::machine::lookup(&state, site.id)
                {
                    note(&mut state, expr.clone());
                    note(&mut state, constant(1).minus(&expr));
                }
                Ok(vec![state])
            }
            Builtin::Printf | Builtin::Fprintf => self.print(state, usize::from(builtin == Builtin::Fprintf), site),
            Builtin::Puts | Builtin::Fputs | Builtin::Perror => {
                let pointer = self.argument(&mut state, site, 0);
                self.string_length(&mut state, &pointer, site.obligation, site.span)?;
                self.give_anything(&mut state, site.id, site.ty);
                Ok(vec![state])
            }
            Builtin::Sprintf
            | Builtin::Snprintf
            | Builtin::Vprintf
            | Builtin::Vfprintf
            | Builtin::Vsprintf
            | Builtin::Vsnprintf => {
                site.obligation.into_iter().for_each(|id| self.doubt(id, site.span));
                self.erase(&mut state, &Value::Top, &constant(0))?;
                self.give_anything(&mut state, site.id, site.ty);
                Ok(vec![state])
            }
            Builtin::Putchar | Builtin::Sqrt | Builtin::Sqrtf => {
                self.give_anything(&mut state, site.id, site.ty);
                Ok(vec![state])
            }
            Builtin::Approximate => Ok(vec![state]),
            Builtin::SameObject => {
                let (a, b) = (self.argument(&mut state, site, 0), self.argument(&mut state, site, 1));
                match (a, b) {
                    (Value::Pointer(a, _), Value::Pointer(b, _)) => {
                        set(&mut state, site.id, Value::Int(constant(i128::from(a == b))));
                    }
                    (_, _) => self.give_anything(&mut state, site.id, site.ty),
                }
                Ok(vec![state])
            }
            Builtin::ObjectSize => {
                let pointer = self.argument(&mut state, site, 0);
                let width = site.ty.and_then(Type::int_width).unwrap_or(64);
                let Some(obligation) = site.obligation else {
                    self.give_anything(&mut state, site.id, site.ty);
                    return Ok(vec![state]);
                };
                let next = self.access(state, &pointer, &constant(0), false, obligation, site.span)?;
                let Some(mut state) = next else { return Ok(Vec::new()) };
                let size = match &pointer {
                    Value::Pointer(alloc, offset) => self.extent(&state, *alloc).map(|(size, _)| size.minus(offset)),
                    _ => None,
                };
                match size {
                    Some(size) => {
                        let size = self.fitted(&mut state, size, width)?;
                        set(&mut state, site.id, Value::Int(size));
                    }
                    None => self.give_anything(&mut state, site.id, site.ty),
                }
                Ok(vec![state])
            }
        }
    }

    fn argument(&mut self, state: &mut State, site: &Site<'_>, index: usize) -> Value {
        match site.args.get(index) {
            Some(operand) => self.value(state, *operand),
            None => Value::Top,
        }
    }

    fn size_argument(&mut self, state: &mut State, site: &Site<'_>, index: usize) -> Step<LinExpr> {
        let size = match site.args.get(index) {
            Some(operand) => self.int(state, *operand),
            None => state.fresh(),
        };
        self.as_size(state, size)
    }

    /// Whether the first argument is not zero.
    fn not_null(&mut self, state: &mut State, site: &Site<'_>) -> Step<Truth> {
        Ok(match self.argument(state, site, 0) {
            Value::Int(expr) => Truth::equal(&expr, &constant(0)).negated(true),
            Value::Truth(truth) => truth,
            Value::Null => Truth::Known(false),
            Value::Function(_) => Truth::Known(true),
            Value::Pointer(..) | Value::Address(..) | Value::Top => Truth::Unknown,
        })
    }

    fn heap_block(&mut self, state: &mut State, size: LinExpr, zeroed: bool) -> AllocId {
        state.allocate(Allocation { kind: AllocKind::Heap, size, life: Life::Live, zeroed })
    }

    /// The state with a block as the call's result, and the one without if allocations may fail.
    fn allocated(&mut self, mut state: State, site: &Site<'_>, size: LinExpr, zeroed: bool, fails: bool) -> Vec<State> {
        let mut states = Vec::new();
        if fails || self.config.malloc_may_fail {
            let mut failed = state.clone();
            set(&mut failed, site.id, Value::Null);
            states.push(failed);
        }
        let id = self.heap_block(&mut state, size, zeroed);
        set(&mut state, site.id, Value::Pointer(id, constant(0)));
        states.push(state);
        states
    }

    fn malloc(&mut self, mut state: State, site: &Site<'_>) -> Step<Vec<State>> {
        let size = self.size_argument(&mut state, site, 0)?;
        Ok(self.allocated(state, site, size, false, false))
    }

    fn calloc(&mut self, mut state: State, site: &Site<'_>) -> Step<Vec<State>> {
        let (count, each) = (self.size_argument(&mut state, site, 0)?, self.size_argument(&mut state, site, 1)?);
        let product = match (as_constant(&count), as_constant(&each)) {
            (_, Some(factor)) => Some(scaled(&count, factor)),
            (Some(factor), _) => Some(scaled(&each, factor)),
            (None, None) => None,
        };
        let bits = self.program.layout.pointer_bits();
        if let Some(product) = product
            && self.fits(&state, &product, bits)?
        {
            return Ok(self.allocated(state, site, product, true, false));
        }
        let size = state.fresh();
        note(&mut state, size.clone());
        Ok(self.allocated(state, site, size, true, true))
    }

    /// Ends a block: `None` if the run ends there.
    fn free(&mut self, state: State, pointer: &Value, site: &Site<'_>) -> Step<Option<State>> {
        let after = self.freed(state, pointer, site)?;
        if after.is_none() {
            self.broken.get_or_insert(site.span);
        }
        Ok(after)
    }

    fn freed(&mut self, mut state: State, pointer: &Value, site: &Site<'_>) -> Step<Option<State>> {
        let doubt = |machine: &mut Self| site.obligation.into_iter().for_each(|id| machine.doubt(id, site.span));
        match pointer {
            Value::Null => Ok(Some(state)),
            Value::Pointer(alloc, offset) => {
                let Some(allocation) = state.allocations.get(alloc).cloned() else {
                    doubt(self);
                    return Ok(None);
                };
                let at_start = state.knowledge.zero(offset, self.oracle)?;
                if allocation.kind != AllocKind::Heap || allocation.life == Life::Dead {
                    doubt(self);
                    return Ok(None);
                }
                if allocation.life != Life::Live || !at_start {
                    doubt(self);
                    match state.with_zero(offset.clone(), self.oracle)? {
                        Some(next) => state = next,
                        None => return Ok(None),
                    }
                }
                state.cells.retain(|cell| cell.alloc != *alloc);
                if let Some(allocation) = state.allocations.get_mut(alloc) {
                    allocation.life = Life::Dead;
                }
                Ok(Some(state))
            }
            Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Function(_) | Value::Top => {
                doubt(self);
                for allocation in state.allocations.values_mut().filter(|known| known.kind == AllocKind::Heap) {
                    allocation.life = Life::Maybe;
                }
                Ok(Some(state))
            }
        }
    }

    /// The new block is another object; `realloc(p, 0)` frees and gives null.
    fn realloc(&mut self, mut state: State, site: &Site<'_>) -> Step<Vec<State>> {
        let pointer = self.argument(&mut state, site, 0);
        let size = self.size_argument(&mut state, site, 1)?;
        if pointer == Value::Null {
            return Ok(self.allocated(state, site, size, false, false));
        }
        let mut kept = Vec::new();
        if let Value::Pointer(alloc, _) = &pointer {
            for cell in state.cells.iter().filter(|cell| cell.alloc == *alloc) {
                let rest = size.minus(&cell.offset).minus(&constant(i128::from(cell.width)));
                if state.knowledge.non_negative(&rest, self.oracle)? {
                    kept.push(cell.clone());
                }
            }
        }
        let may_fail = self.config.malloc_may_fail;
        let unchanged = may_fail.then(|| state.clone());
        let Some(freed) = self.free(state, &pointer, site)? else { return Ok(Vec::new()) };
        let mut states = Vec::new();
        if let Some(mut unchanged) = unchanged {
            set(&mut unchanged, site.id, Value::Null);
            states.push(unchanged);
        }
        if !freed.knowledge.non_negative(&size.minus(&constant(1)), self.oracle)? {
            let mut nothing = freed.clone();
            set(&mut nothing, site.id, Value::Null);
            states.push(nothing);
        }
        let mut state = freed;
        let id = self.heap_block(&mut state, size, false);
        for cell in kept {
            self.note_cell(&mut state, id, cell.offset, cell.width, cell.value);
        }
        set(&mut state, site.id, Value::Pointer(id, constant(0)));
        states.push(state);
        Ok(states)
    }

    /// Output with a format that reads no memory beyond itself.
    fn print(&mut self, mut state: State, at: usize, site: &Site<'_>) -> Step<Vec<State>> {
        let format = self.argument(&mut state, site, at);
        let plain = match &format {
            Value::Pointer(AllocId::Global(id), offset) if as_constant(offset) == Some(0) => {
                let global = &self.program.globals[*id];
                let bytes = global.init.as_ref().map(|init| init.bytes.as_slice()).unwrap_or_default();
                global.constant && bytes.last() == Some(&0) && is_plain(bytes, site.args.len().saturating_sub(at + 1))
            }
            _ => false,
        };
        if !plain {
            site.obligation.into_iter().for_each(|id| self.doubt(id, site.span));
            // `%n` writes.
            self.erase(&mut state, &Value::Top, &constant(0))?;
        }
        self.give_anything(&mut state, site.id, site.ty);
        Ok(vec![state])
    }
}

/// True if each conversion prints a number, and there are enough of those.
fn is_plain(format: &[u8], args: usize) -> bool {
    let mut conversions = 0;
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        let kind = bytes.by_ref().find(|byte| !b"0123456789+-# .lhzjt".contains(byte));
        match kind {
            Some(b'%') => {}
            Some(b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'p' | b'f' | b'g' | b'e' | b'F' | b'G' | b'E') => {
                conversions += 1;
            }
            Some(_) | None => return false,
        }
    }
    conversions <= args
}

/// The objects that globals and stack objects lead to; values in registers do not count, since the frame may not use them again.
fn reachable(state: &State) -> BTreeSet<AllocId> {
    let mut found: BTreeSet<AllocId> = BTreeSet::new();
    let mut todo: Vec<AllocId> = Vec::new();
    let target = |value: &Value| match value {
        Value::Pointer(id, _) | Value::Address(id, _) => Some(*id),
        Value::Int(_) | Value::Truth(_) | Value::Null | Value::Function(_) | Value::Top => None,
    };
    let roots = |id: &AllocId| match id {
        AllocId::Global(_) => true,
        AllocId::Made(_) => state.allocations.get(id).is_some_and(|known| known.kind != AllocKind::Heap),
    };
    todo.extend(state.cells.iter().filter(|cell| roots(&cell.alloc)).filter_map(|cell| target(&cell.value)));
    while let Some(id) = todo.pop() {
        if found.insert(id) {
            todo.extend(state.cells.iter().filter(|cell| cell.alloc == id).filter_map(|cell| target(&cell.value)));
        }
    }
    found
}

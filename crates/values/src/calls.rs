//! Calls: what functions get and give, and what built-in ones do. The soundness argument is that of [`crate::eval`].

use belay_ir::{
    Builtin, Callee, Externs, FuncId, FuncKind, Function, InstId, Op, Operand, OverflowOp, Type, has_called_type,
};

use crate::eval::{At, Evaluator, Flow};
use crate::map::{Update, ValueMap};
use crate::range::Range;
use crate::value::{Base, Pointer, Value};

/// A call with what it is given.
struct Call<'c> {
    at: At,
    inst: InstId,
    caller: &'c Function,
    args: &'c [Operand],
    values: Vec<Value>,
    ty: Option<Type>,
}

impl Evaluator<'_> {
    /// The functions that a call may enter, all of its type, and whether there may be others of which nothing is known.
    pub fn targets(&self, map: &ValueMap, at: At, inst: InstId) -> (Vec<FuncId>, bool) {
        let caller = &self.program.functions[at.function];
        let Op::Call { callee, .. } = &caller.insts[inst].op else { return (Vec::new(), false) };
        match callee {
            Callee::Direct(id) => (vec![*id], false),
            Callee::Indirect(pointer, _) => {
                let pointer = self.value(map, at, *pointer).pointer();
                let fits =
                    |id: &FuncId| has_called_type(&self.program.functions[*id], caller, inst, self.program.layout);
                if pointer.unknown {
                    let others = self.address_taken.iter().copied();
                    return (others.filter(|id| fits(id)).collect(), true);
                }
                let named = pointer.targets.keys().filter_map(|base| match base {
                    Base::Function(id) => Some(*id),
                    Base::Global(_) | Base::Stack(..) | Base::Copy(..) | Base::Heap(..) | Base::Arguments => None,
                });
                (named.collect(), false)
            }
        }
    }

    pub(crate) fn call(&self, map: &ValueMap, at: At, inst: InstId, out: &mut Vec<Update>) -> Flow {
        let caller = &self.program.functions[at.function];
        let Op::Call { args, .. } = &caller.insts[inst].op else { return Flow::GoesOn };
        let values: Vec<Value> = args.iter().map(|arg| self.value(map, at, *arg)).collect();
        if values.iter().any(Value::is_nothing) {
            return Flow::Ends;
        }
        let call = Call { at, inst, caller, args, values, ty: caller.insts[inst].ty };
        let (targets, is_open) = self.targets(map, at, inst);
        if is_open {
            // An address that is made of a number may be that of a function of another type.
            out.push(Update::NoVerdict(
                at.function,
                inst,
                "a call through a pointer of which nothing is known".to_owned(),
            ));
        }
        let (mut flow, mut result) = (Flow::Ends, Value::Nothing);
        for target in targets {
            let function = &self.program.functions[target];
            let outcome = match function.kind {
                FuncKind::Defined => self.call_defined(map, &call, target, out),
                FuncKind::Builtin(builtin) => self.call_builtin(map, &call, builtin, target, out),
                FuncKind::Extern => self.call_extern(&call, function, out),
            };
            if let Some(value) = outcome {
                flow = Flow::GoesOn;
                result = result.join(&value);
            }
        }
        if let (Some(ty), Flow::GoesOn) = (call.ty, flow) {
            out.push(Update::Register(at.function, inst, result.typed(ty)));
        }
        flow
    }

    /// What a function that is entered gives back; nothing if it does not return.
    fn call_defined(&self, map: &ValueMap, call: &Call<'_>, target: FuncId, out: &mut Vec<Update>) -> Option<Value> {
        let function = &self.program.functions[target];
        if !has_called_type(function, call.caller, call.inst, self.program.layout) {
            let why = format!("{} is called with another type than it has", function.name);
            out.push(Update::NoVerdict(call.at.function, call.inst, why));
            return None;
        }
        out.push(Update::Enter(target));
        for (index, (param, value)) in (0..).zip(function.params.iter().zip(&call.values)) {
            let Some((size, _)) = param.byval else {
                out.push(Update::Param(target, index, value.clone().typed(param.ty)));
                continue;
            };
            let own = Base::Copy(target, index);
            out.push(Update::Param(target, index, Value::Pointer(Pointer::to(own, self.offset(0)))));
            if size > 0 {
                self.copy(
                    map,
                    &Pointer::to(own, self.offset(0)),
                    Some(&value.pointer()),
                    &self.offset(size.into()),
                    out,
                );
            }
        }
        let values = map.function(target)?;
        if !values.returns {
            return None;
        }
        let ty = call.ty.unwrap_or(Type::BOOL);
        Some(self.result(values.results.first(), function.results.first().copied(), ty))
    }

    /// A result as the caller takes it. C leaves open what a function without one gives.
    fn result(&self, value: Option<&Value>, given: Option<Type>, expected: Type) -> Value {
        match (value, given) {
            (Some(value), Some(given)) if given == expected => value.clone(),
            (Some(_), _) => Value::any(expected),
            (None, _) => Value::undefined(expected),
        }
    }

    /// One of several results.
    pub(crate) fn extract(&self, map: &ValueMap, at: At, call: InstId, index: u32, ty: Type) -> Value {
        let (targets, _) = self.targets(map, at, call);
        let mut value = Value::Nothing;
        for target in targets {
            let function = &self.program.functions[target];
            let here = match (function.kind, map.function(target)) {
                (FuncKind::Defined, Some(values)) if values.returns => {
                    let given = function.results.get(index as usize).copied();
                    self.result(values.results.get(index as usize), given, ty)
                }
                (FuncKind::Defined, _) => Value::Nothing,
                (FuncKind::Builtin(_) | FuncKind::Extern, _) => Value::any(ty),
            };
            value = value.join(&here);
        }
        value
    }

    /// A function without body and model: an arbitrary number.
    fn call_extern(&self, call: &Call<'_>, function: &Function, out: &mut Vec<Update>) -> Option<Value> {
        let returns_pointer = call.ty == Some(Type::Ptr) || function.results.contains(&Type::Ptr);
        if returns_pointer || self.config.externs == Externs::Refuse {
            let why = format!("{} has no body and no model", function.name);
            out.push(Update::NoVerdict(call.at.function, call.inst, why));
            return None;
        }
        Some(Value::any(call.ty.unwrap_or(Type::BOOL)))
    }

    // A table: one arm a built-in.
    fn call_builtin(
        &self,
        map: &ValueMap,
        call: &Call<'_>,
        builtin: Builtin,
        target: FuncId,
        out: &mut Vec<Update>,
    ) -> Option<Value> {
        let any = Value::any(call.ty.unwrap_or(Type::BOOL));
        let pointer = |index: usize| call.values.get(index).map(Value::pointer).unwrap_or_else(Pointer::unknown);
        match builtin {
            Builtin::Malloc => self.allocate(call, self.size_of(call, 0), out),
            Builtin::AlignedBlock => self.allocate(call, self.size_of(call, 1), out),
            Builtin::Calloc => {
                let (count, size) = (self.size_of(call, 0), self.size_of(call, 1));
                let fits = Range::overflows(OverflowOp::Mul, false, &count, &size) == Some(false);
                let product = Range::binary(belay_ir::BinaryOp::Mul, &count, &size);
                let product = if fits { product } else { Range::any(self.address_width()) };
                let made = self.allocate(call, product, out);
                if fits { made } else { made.map(|value| value.join(&Value::Pointer(Pointer::null()))) }
            }
            Builtin::Realloc => {
                self.release(&pointer(0), out);
                let made = self.allocate(call, self.size_of(call, 1), out);
                made.map(|value| value.join(&Value::Pointer(Pointer::null())))
            }
            Builtin::Free => {
                self.release(&pointer(0), out);
                Some(any)
            }
            Builtin::Strlen => {
                let most = self.longest(map, &pointer(0));
                let ty = call.ty.unwrap_or(self.program.layout.address_type());
                let Type::Int(width) = ty else { return Some(any) };
                Some(Value::Number(most.map_or(Range::any(width), |most| Range::unsigned(width, 0, most))))
            }
            Builtin::Abort | Builtin::Exit | Builtin::ExitNow | Builtin::AssertFail | Builtin::ErrorCall => None,
            Builtin::Assert | Builtin::Assume | Builtin::Precondition => {
                let is_false = match call.values.first() {
                    Some(Value::Number(range)) => range.as_truth() == Some(false),
                    _ => false,
                };
                (!is_false).then_some(any)
            }
            Builtin::Nondet => {
                let is_bool = belay_rules::gives_truth(&self.program.functions[target].name);
                match call.ty {
                    Some(Type::Int(width)) if is_bool && width <= 64 => {
                        Some(Value::Number(Range::unsigned(width, 0, 1)))
                    }
                    _ => Some(any),
                }
            }
            Builtin::Printf | Builtin::Fprintf | Builtin::Vprintf | Builtin::Vfprintf => {
                self.write_counts(call, if matches!(builtin, Builtin::Printf | Builtin::Vprintf) { 0 } else { 1 }, out);
                Some(any)
            }
            Builtin::Sprintf | Builtin::Vsprintf => {
                self.overwrite(map, &pointer(0), out);
                self.write_counts(call, 1, out);
                Some(any)
            }
            Builtin::Snprintf | Builtin::Vsnprintf => {
                self.overwrite(map, &pointer(0), out);
                self.write_counts(call, 2, out);
                Some(any)
            }
            Builtin::Puts
            | Builtin::Fputs
            | Builtin::Putchar
            | Builtin::Perror
            | Builtin::Sqrt
            | Builtin::Sqrtf
            | Builtin::SameObject
            | Builtin::ObjectSize
            | Builtin::Readable
            | Builtin::Writable
            | Builtin::WholeSize
            | Builtin::PointerOffset
            | Builtin::IsHeapBlock
            | Builtin::Foreign
            | Builtin::Approximate => Some(any),
        }
    }

    fn size_of(&self, call: &Call<'_>, index: usize) -> Range {
        let width = self.address_width();
        call.values.get(index).and_then(|value| value.number(width)).unwrap_or(Range::any(width))
    }

    fn allocate(&self, call: &Call<'_>, size: Range, out: &mut Vec<Update>) -> Option<Value> {
        let base = Base::Heap(call.at.function, call.inst);
        let (least, most) = size.unsigned_bounds();
        let limit = (1i128 << (self.address_width() - 1)) - 1;
        let limit = self.config.largest_block.map_or(limit, |largest| limit.min(largest.into()));
        let may_fail = self.config.malloc_may_fail || (most > limit && !self.config.huge_allocations_succeed);
        let most = u64::try_from(most).unwrap_or(u64::MAX);
        out.push(Update::Size(base, u64::try_from(least).unwrap_or(0), most));
        Some(Value::Pointer(Pointer { null: may_fail, ..Pointer::to(base, self.offset(0)) }))
    }

    fn release(&self, pointer: &Pointer, out: &mut Vec<Update>) {
        out.extend(pointer.unknown.then_some(Update::Free(None)));
        out.extend(pointer.targets.keys().map(|base| Update::Free(Some(*base))));
    }

    /// The greatest length of a string that a pointer may lead to.
    fn longest(&self, map: &ValueMap, pointer: &Pointer) -> Option<i128> {
        if pointer.unknown {
            return None;
        }
        let room = |base: &Base| self.size(map, *base).map(|(_, most)| i128::from(most).max(1) - 1);
        pointer.targets.keys().map(room).try_fold(0, |most, here| here.map(|here| most.max(here)))
    }

    /// `%n` writes through an argument: what a format that is not known might do.
    fn write_counts(&self, call: &Call<'_>, format: usize, out: &mut Vec<Update>) {
        let is_harmless = call.args.get(format).is_some_and(|format| match format {
            Operand::Global { global, offset } => {
                let text = u64::try_from(*offset).ok().and_then(|at| self.program.globals[*global].constant_text(at));
                text.is_some_and(|text| {
                    belay_rules::format::parse(&text).is_some_and(|parts| {
                        parts.iter().all(|part| match part {
                            belay_rules::format::Part::Text(_) => true,
                            belay_rules::format::Part::Spec(spec) => spec.conversion != b'n',
                        })
                    })
                })
            }
            _ => false,
        });
        if !is_harmless {
            out.push(Update::Wild);
        }
    }
}

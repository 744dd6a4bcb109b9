//! The instructions. One loop over decoded code; each arm handles the common case, a known number or address, and leaves the
//! rest to colder code.

use belay_ir::{BinaryOp, CastOp, Op, Type};

use crate::code::{Code, EdgeId, Inst, Slot, Switch};
use crate::integers::{Arith, Integers};
use crate::observer::{Event, Observer};
use crate::report::RunEnd;
use crate::run::{Res, Run, Stop};
use crate::value::{Pointer, Value};

impl<'i, M: Integers, O: Observer> Run<'i, M, O> {
    /// Runs the innermost frame, and what it calls, until the floor is reached.
    pub(crate) fn interpret(&mut self) -> Res<()> {
        let mut code: &'i Code = self.code;
        let mut pc = self.pc;
        loop {
            self.pc = pc;
            if !self.observer.on_step() {
                return Err(Box::new(Stop::End(RunEnd::Exhausted(belay_base::Exhausted::Steps))));
            }
            match code.insts[pc] {
                Inst::Binary { op, width, dst, a, b } => {
                    let value = match (self.get(a), self.get(b)) {
                        (Value::Int(x), Value::Int(y)) => match M::binary(op, width, x, y) {
                            Arith::Value(value) => {
                                if M::UNBOUNDED {
                                    self.count(M::weight(&value))?;
                                }
                                Value::Int(value)
                            }
                            Arith::Arbitrary => self.arbitrary(Type::Int(width), None)?,
                            Arith::DivisionByZero => return self.division_by_zero(),
                        },
                        _ => self.binary_slow(op, width, a, b)?,
                    };
                    self.set(dst, value);
                }
                Inst::CompareInt { op, width, dst, a, b } => {
                    let holds = match (self.get(a), self.get(b)) {
                        (Value::Int(x), Value::Int(y)) => M::compare(op, width, x, y),
                        _ => self.compare_slow(op, width, a, b)?,
                    };
                    self.set_bool(dst, holds);
                }
                Inst::ComparePtr { op, dst, a, b } => {
                    let (x, y) = match (self.get(a), self.get(b)) {
                        (Value::Ptr(x), Value::Ptr(y)) => (*x, *y),
                        _ => (self.choose_pointer(a)?, self.choose_pointer(b)?),
                    };
                    let holds = self.compare_places(op, x, y)?;
                    self.set_bool(dst, holds);
                }
                Inst::Load { dst, ty, ptr, obligation } => {
                    let value = self.load(ptr, ty, obligation)?;
                    self.set(dst, value);
                }
                Inst::Store { ptr, value, ty, obligation } => self.store(ptr, value, ty, obligation)?,
                Inst::PtrAdd { dst, base, offset } => {
                    let value = match (self.get(base), self.get(offset)) {
                        (Value::Ptr(pointer), Value::Int(by)) => match M::bits(self.address_width(), by) {
                            Some(by) => Value::Ptr(self.move_pointer(*pointer, self.as_offset(by))),
                            None => return self.unknown("an offset that does not fit an address"),
                        },
                        _ => self.ptr_add_slow(base, offset)?,
                    };
                    self.set(dst, value);
                }
                Inst::Cast { op, from, to, dst, value } => {
                    let value = self.cast(op, from, to, value)?;
                    self.set(dst, value);
                }
                Inst::Select { dst, cond, then, otherwise } => {
                    let chosen = if self.truth(cond)? { then } else { otherwise };
                    let value = self.take(chosen);
                    self.set(dst, value);
                }
                Inst::Overflows { op, signed, width, dst, a, b } => {
                    let (x, y) = (self.int(a, width)?, self.int(b, width)?);
                    match M::overflows(op, signed, width, &x, &y) {
                        Some(overflows) => self.set_bool(dst, overflows),
                        None => {
                            let value = self.arbitrary(Type::BOOL, None)?;
                            self.set(dst, value);
                        }
                    }
                }
                Inst::Unary { op, width, dst, value } => {
                    let int = self.int(value, width)?;
                    let value = match M::unary(op, width, &int) {
                        Some(value) => Value::Int(value),
                        None => self.arbitrary(Type::Int(width), None)?,
                    };
                    self.set(dst, value);
                }
                Inst::FloatBinary { op, ty, dst, a, b } => {
                    let value = self.float_binary(op, ty, a, b)?;
                    self.set(dst, value);
                }
                Inst::FloatUnary { op, ty, dst, value } => {
                    let value = self.float_unary(op, ty, value)?;
                    self.set(dst, value);
                }
                Inst::FloatFma { ty, dst, operands } => {
                    let value = self.float_fma(ty, operands)?;
                    self.set(dst, value);
                }
                Inst::FloatCompare { op, ty, dst, a, b } => {
                    let holds = self.float_compare(op, ty, a, b)?;
                    self.set_bool(dst, holds);
                }
                Inst::Arbitrary { dst, ty, uninit } => {
                    let value = if uninit { self.fresh_undefined(ty) } else { self.arbitrary(ty, None)? };
                    self.set(dst, value);
                }
                // Undefined values are fixed to begin with.
                Inst::Freeze { dst, value } => {
                    let value = self.take(value);
                    self.set(dst, value);
                }
                Inst::Alloca { dst, size, align, scoped, dynamic, entry } => {
                    let size = self.size(size)?;
                    let value = self.alloca(size, align, scoped, dynamic, entry);
                    self.set(dst, value);
                }
                Inst::LifetimeStart { object } => self.lifetime_start(object),
                Inst::LifetimeEnd { object } => self.lifetime_end(object),
                Inst::StackSave { dst } => {
                    let mark = self.stack_mark();
                    self.set(dst, mark);
                }
                Inst::StackRestore { mark } => self.stack_restore(mark)?,
                Inst::MemCopy { dst, src, len, overlap, obligation } => {
                    self.mem_copy(dst, src, len, overlap, obligation)?;
                }
                Inst::MemSet { dst, byte, len, obligation } => self.mem_set(dst, byte, len, obligation)?,
                Inst::Check { cond, obligation } => {
                    if !self.truth(cond)? {
                        self.check_failed(obligation)?;
                    }
                }
                Inst::VaStart { list, obligation } => self.va_start(list, obligation)?,
                Inst::VaCopy { dst, src, obligation } => self.va_copy(dst, src, obligation)?,
                Inst::VaEnd => {}
                Inst::Unsupported => return self.unsupported(),
                Inst::Call { site } => {
                    if self.call(&code.calls[site as usize])? {
                        code = self.code;
                        pc = self.pc;
                        continue;
                    }
                }
                Inst::Jump { edge } => {
                    pc = self.follow(code, edge)?;
                    continue;
                }
                Inst::Branch { cond, then, otherwise } => {
                    let taken = self.truth(cond)?;
                    if O::EVENTS {
                        self.tell(Event::Branch { taken });
                    }
                    let edge = if taken { then } else { otherwise };
                    self.observer.on_edge(code.edge_number(edge));
                    pc = self.follow(code, edge)?;
                    continue;
                }
                Inst::Switch { index } => {
                    let edge = self.switch(&code.switches[index as usize])?;
                    self.observer.on_edge(code.edge_number(edge));
                    pc = self.follow(code, edge)?;
                    continue;
                }
                Inst::Return { first, count } => {
                    if self.leave(first as usize, count as usize)? {
                        return Ok(());
                    }
                    code = self.code;
                    pc = self.pc;
                }
                Inst::Unreachable => return self.unknown("control reaches code that the compiler marked unreachable"),
            }
            pc += 1;
        }
    }

    #[inline]
    pub(crate) fn set_bool(&mut self, dst: u32, holds: bool) {
        self.set(dst, Value::Int(M::from_bits(1, holds.into())));
    }

    #[inline]
    pub(crate) fn address_width(&self) -> u16 {
        self.program.layout.pointer_bits()
    }

    /// The bits of an integer of address width as a distance.
    #[inline]
    pub(crate) fn as_offset(&self, bits: u128) -> i64 {
        self.memory.wrap_offset(bits as i64)
    }

    /// Goes along an edge; the place it leads to.
    #[inline]
    fn follow(&mut self, code: &'i Code, edge: EdgeId) -> Res<usize> {
        let edge = &code.edges[edge as usize];
        self.count(edge.cost.into())?;
        let moves = &code.moves[edge.moves.0 as usize..edge.moves.1 as usize];
        if edge.tangled {
            let values: smallvec::SmallVec<[_; 8]> = moves.iter().map(|(_, src)| self.take(*src)).collect();
            for ((dst, _), value) in moves.iter().zip(values) {
                self.set(*dst, value);
            }
        } else {
            for (dst, src) in moves {
                let value = self.take(*src);
                self.set(*dst, value);
            }
        }
        if edge.back && self.recurrence.is_some() {
            self.pc = edge.pc as usize;
            self.look_for_recurrence()?;
        }
        if O::STATES {
            self.show_block(code, edge.pc as usize);
        }
        Ok(edge.pc as usize)
    }

    fn switch(&mut self, switch: &Switch) -> Res<EdgeId> {
        let int = self.int(switch.value, switch.width)?;
        let found = M::stored_bits(switch.width, &int)
            .and_then(|bits| switch.cases.binary_search_by_key(&bits, |(case, _)| *case).ok());
        if O::EVENTS {
            self.tell(Event::Branch { taken: found.is_some() });
        }
        Ok(found.map_or(switch.default, |index| switch.cases[index].1))
    }

    #[cold]
    fn unsupported<T>(&self) -> Res<T> {
        let inst = self.origin().and_then(|origin| origin.inst);
        let what = inst.map(|inst| &self.program.functions[self.code.function].insts[inst].op);
        match what {
            Some(Op::Unsupported { what }) => self.unknown(what.clone()),
            Some(_) | None => self.unknown("unsupported instruction"),
        }
    }

    #[cold]
    fn division_by_zero<T>(&self) -> Res<T> {
        self.unknown("division by zero where the program form has no obligation")
    }

    #[cold]
    fn binary_slow(&mut self, op: BinaryOp, width: u16, a: Slot, b: Slot) -> Res<Value<M::Int>> {
        let (x, y) = (self.take(a), self.take(b));
        if width == self.address_width()
            && let Some(value) = self.address_arithmetic(op, &x, &y)
        {
            return Ok(value);
        }
        if let Some(value) = self.undefined_binary(op, width, &x, &y) {
            return Ok(value);
        }
        let (x, y) = (self.force_int(x, width)?, self.force_int(y, width)?);
        match M::binary(op, width, &x, &y) {
            Arith::Value(value) => Ok(Value::Int(value)),
            Arith::Arbitrary => self.arbitrary(Type::Int(width), None),
            Arith::DivisionByZero => self.division_by_zero(),
        }
    }

    #[cold]
    fn compare_slow(&mut self, op: belay_ir::IntPredicate, width: u16, a: Slot, b: Slot) -> Res<bool> {
        let (x, y) = (self.take(a), self.take(b));
        let place = |value: &Value<M::Int>| match value {
            Value::Addr(place) | Value::Ptr(place) => Some(*place),
            Value::Int(int) => M::bits(width, int).map(|bits| Pointer::Bare(bits as u64)),
            Value::F32(_) | Value::F64(_) | Value::Raw(_) | Value::Bits(_) | Value::Undef(_) => None,
        };
        if width == self.address_width()
            && let (Some(x), Some(y)) = (place(&x), place(&y))
        {
            return self.compare_places(op, x, y);
        }
        let (x, y) = (self.force_int(x, width)?, self.force_int(y, width)?);
        Ok(M::compare(op, width, &x, &y))
    }

    #[cold]
    fn ptr_add_slow(&mut self, base: Slot, offset: Slot) -> Res<Value<M::Int>> {
        let width = self.address_width();
        let int = self.int(offset, width)?;
        let Some(bits) = M::bits(width, &int) else {
            return self.unknown("an offset that does not fit an address");
        };
        let by = self.as_offset(bits);
        let value = self.take(base);
        if by == 0 {
            return Ok(value);
        }
        match (self.force_pointer(value.clone())?, value) {
            (Some(pointer), _) => Ok(Value::Ptr(self.move_pointer(pointer, by))),
            (None, Value::Raw(bytes)) => Ok(Value::Raw(self.memory.derive(bytes, by))),
            (None, _) => Ok(self.fresh_undefined(Type::Ptr)),
        }
    }

    #[inline]
    fn cast(&mut self, op: CastOp, from: Type, to: Type, slot: Slot) -> Res<Value<M::Int>> {
        if let (Value::Int(int), Type::Int(from), Type::Int(to)) = (self.get(slot), from, to) {
            let result = match op {
                CastOp::Trunc => M::trunc(from, to, int),
                CastOp::ZExt => M::zext(from, int),
                CastOp::SExt => Some(M::sext(from, to, int)),
                CastOp::Bitcast => Some(int.clone()),
                CastOp::FloatToSigned
                | CastOp::FloatToUnsigned
                | CastOp::SignedToFloat
                | CastOp::UnsignedToFloat
                | CastOp::FloatToFloat
                | CastOp::PtrToInt
                | CastOp::IntToPtr => return self.cast_slow(op, Type::Int(from), Type::Int(to), slot),
            };
            return match result {
                Some(int) => Ok(Value::Int(int)),
                None => self.arbitrary(Type::Int(to), None),
            };
        }
        self.cast_slow(op, from, to, slot)
    }
}

//! Vectors, element by element: a vector in a register is as many scalars, and an operation on vectors is that operation on each of them (LLVM's
//! language reference says no more). Two floats are an exception in how they travel, see `leaves.rs`; they are taken apart here and put together again.

use belay_ir::{BinaryOp, CastOp, IntPredicate, Op, Operand, Type};

use super::function::{FunctionTranslator, Leaves};
use super::leaves::{is_float_pair, is_vector};
use crate::llvm::{LLVMValueKind, Ty, Value};

impl FunctionTranslator<'_, '_> {
    /// The elements of a vector.
    pub(super) fn elements(&mut self, value: Value) -> Vec<Operand> {
        let leaves = self.leaves(value);
        if !is_float_pair(self.module.layout, value.ty()) {
            return leaves.into_vec();
        }
        match leaves.first() {
            None | Some(Operand::Undef(_)) => vec![Operand::Undef(Type::F32); 2],
            Some(pair) => {
                let bits = self.convert(CastOp::Bitcast, *pair, Type::Int(64));
                self.split_bits(bits, 64, Type::F32, 2)
            }
        }
    }

    /// The vector of these elements.
    pub(super) fn vector(&mut self, ty: Ty, elements: Vec<Operand>) -> Leaves {
        if !is_float_pair(self.module.layout, ty) {
            return Leaves::from_vec(elements);
        }
        let bits = self.join_bits(&elements, 64);
        Leaves::from_elem(self.convert(CastOp::Bitcast, bits, Type::F64), 1)
    }

    /// An operation on each element; the operands that are no vectors are the same for all.
    pub(super) fn elementwise(
        &mut self,
        inst: Value,
        operands: &[Value],
        compute: impl Fn(&mut Self, &[Operand]) -> Option<Operand>,
    ) -> Leaves {
        let count = inst.ty().vector_len() as usize;
        let lanes: Vec<Vec<Operand>> = operands
            .iter()
            .map(|operand| match is_vector(operand.ty()) {
                true => self.elements(*operand),
                false => vec![self.scalar(*operand); count],
            })
            .collect();
        let mut results = Vec::with_capacity(count);
        for index in 0..count {
            let Some(args) = lanes.iter().map(|lane| lane.get(index).copied()).collect::<Option<Vec<_>>>() else {
                return self.unhandled("vector operation".to_owned(), inst.ty());
            };
            match compute(self, &args) {
                Some(result) => results.push(result),
                None => return self.unhandled("vector operation".to_owned(), inst.ty()),
            }
        }
        self.vector(inst.ty(), results)
    }

    pub(super) fn extract_element(&mut self, inst: Value) -> Leaves {
        let elements = self.elements(inst.operand(0));
        let index = self.scalar(inst.operand(1));
        let Some(first) = elements.first().copied() else { return self.undefined(inst.ty()) };
        let ty = self.operand_type(first);
        self.check_subscript(index, elements.len());
        let chosen = match index.as_int() {
            // Beyond the end the result is poison.
            Some(at) => elements.get(at as usize).copied().unwrap_or(Operand::Undef(ty)),
            None => {
                let beyond = self.emit(Op::Arbitrary { uninit: None }, ty);
                elements.iter().enumerate().fold(beyond, |otherwise, (at, element)| {
                    let cond = self.is_index(index, at);
                    self.emit(Op::Select { cond, then: *element, otherwise }, ty)
                })
            }
        };
        Leaves::from_elem(chosen, 1)
    }

    pub(super) fn insert_element(&mut self, inst: Value) -> Leaves {
        let elements = self.elements(inst.operand(0));
        let (new, index) = (self.scalar(inst.operand(1)), self.scalar(inst.operand(2)));
        let ty = self.operand_type(new);
        self.check_subscript(index, elements.len());
        let changed = elements.into_iter().enumerate().map(|(at, old)| match index.as_int() {
            Some(place) if place == at as u128 => new,
            Some(_) => old,
            None => {
                let cond = self.is_index(index, at);
                self.emit(Op::Select { cond, then: new, otherwise: old }, ty)
            }
        });
        let changed = changed.collect();
        self.vector(inst.ty(), changed)
    }

    fn is_index(&mut self, index: Operand, at: usize) -> Operand {
        let width = self.operand_type(index).int_width().unwrap_or(32);
        self.emit(Op::Compare { op: IntPredicate::Eq, lhs: index, rhs: Operand::int(width, at as u128) }, Type::BOOL)
    }

    pub(super) fn shuffle(&mut self, inst: Value) -> Leaves {
        let mut both = self.elements(inst.operand(0));
        both.extend(self.elements(inst.operand(1)));
        let Some(ty) = both.first().map(|element| self.operand_type(*element)) else {
            return self.undefined(inst.ty());
        };
        let chosen = inst.mask().into_iter().map(|at| both.get(at as usize).copied().unwrap_or(Operand::Undef(ty)));
        let chosen = chosen.collect();
        self.vector(inst.ty(), chosen)
    }

    /// `llvm.vector.reduce.…`: one operation from the first element to the last.
    pub(super) fn reduce(&mut self, base: &str, inst: Value) -> Option<Leaves> {
        let kind = base.strip_prefix("vector.reduce.")?.split('.').next()?;
        let args = inst.arguments();
        let vector = args.iter().copied().find(|arg| is_vector(arg.ty()))?;
        let start = args.iter().copied().find(|arg| !is_vector(arg.ty()));
        let mut elements = self.elements(vector);
        if let Some(start) = start {
            elements.insert(0, self.scalar(start));
        }
        let (first, rest) = elements.split_first()?;
        let ty = self.operand_type(*first);
        let mut result = *first;
        for element in rest {
            let args = [result, *element];
            result = match kind {
                "smax" => self.extreme(IntPredicate::Sgt, &args, ty),
                "smin" => self.extreme(IntPredicate::Slt, &args, ty),
                "umax" => self.extreme(IntPredicate::Ugt, &args, ty),
                "umin" => self.extreme(IntPredicate::Ult, &args, ty),
                "fadd" => self.emit(float(belay_ir::FloatBinaryOp::Add, args), ty),
                "fmul" => self.emit(float(belay_ir::FloatBinaryOp::Mul, args), ty),
                _ => {
                    let op = match kind {
                        "add" => BinaryOp::Add,
                        "mul" => BinaryOp::Mul,
                        "and" => BinaryOp::And,
                        "or" => BinaryOp::Or,
                        "xor" => BinaryOp::Xor,
                        _ => return None,
                    };
                    self.emit(Op::Binary { op, lhs: args[0], rhs: args[1] }, ty)
                }
            };
        }
        Some(Leaves::from_elem(result, 1))
    }

    /// A bitcast from or to a vector, by way of all its bits.
    pub(super) fn bitcast_vector(&mut self, inst: Value) -> Leaves {
        let from_value = inst.operand(0);
        let (from, to) = (self.elements_of(from_value), self.element_types(inst.ty()));
        let widths = |types: &[Type]| types.iter().map(|ty| bit_width(*ty)).collect::<Option<Vec<u16>>>();
        let from_types: Vec<Type> = from.iter().map(|element| self.operand_type(*element)).collect();
        let refuse = |this: &mut Self| this.unhandled("a vector read as another type".to_owned(), inst.ty());
        if from_types == to {
            return self.vector_or_scalar(inst.ty(), from);
        }
        let (Some(from_widths), Some(to_widths)) = (widths(&from_types), widths(&to)) else { return refuse(self) };
        let total: u32 = from_widths.iter().map(|width| u32::from(*width)).sum();
        let is_even = to_widths.windows(2).all(|pair| pair[0] == pair[1])
            && from_widths.windows(2).all(|pair| pair[0] == pair[1]);
        if total > 128 || !is_even || total != to_widths.iter().map(|width| u32::from(*width)).sum::<u32>() {
            return refuse(self);
        }
        let bits = self.join_bits(&from, total as u16);
        let parts = self.split_bits(bits, total as u16, to[0], to.len());
        self.vector_or_scalar(inst.ty(), parts)
    }

    fn elements_of(&mut self, value: Value) -> Vec<Operand> {
        if is_vector(value.ty()) { self.elements(value) } else { self.leaves(value).into_vec() }
    }

    fn element_types(&self, ty: Ty) -> Vec<Type> {
        if is_float_pair(self.module.layout, ty) { vec![Type::F32; 2] } else { self.module.types(ty) }
    }

    fn vector_or_scalar(&mut self, ty: Ty, elements: Vec<Operand>) -> Leaves {
        if is_vector(ty) { self.vector(ty, elements) } else { Leaves::from_vec(elements) }
    }

    /// The elements as one number, the first in its lowest bits.
    fn join_bits(&mut self, elements: &[Operand], total: u16) -> Operand {
        let whole = Type::Int(total);
        let mut result: Option<Operand> = None;
        let mut at = 0u16;
        for element in elements {
            let ty = self.operand_type(*element);
            let width = bit_width(ty).unwrap_or(total);
            let bits = match ty {
                Type::F32 | Type::F64 => self.convert(CastOp::Bitcast, *element, Type::Int(width)),
                Type::Int(_) | Type::Ptr => *element,
            };
            let wide = if width == total { bits } else { self.convert(CastOp::ZExt, bits, whole) };
            let placed = match at {
                0 => wide,
                _ => {
                    let rhs = Operand::int(total, u128::from(at));
                    self.emit(Op::Binary { op: BinaryOp::Shl, lhs: wide, rhs }, whole)
                }
            };
            result = Some(match result {
                None => placed,
                Some(lhs) => self.emit(Op::Binary { op: BinaryOp::Or, lhs, rhs: placed }, whole),
            });
            at += width;
        }
        result.unwrap_or(Operand::Undef(whole))
    }

    fn split_bits(&mut self, bits: Operand, total: u16, ty: Type, count: usize) -> Vec<Operand> {
        let width = bit_width(ty).unwrap_or(total);
        let mut parts = Vec::with_capacity(count);
        for index in 0..count as u16 {
            let shifted = match index {
                0 => bits,
                _ => {
                    let rhs = Operand::int(total, u128::from(index * width));
                    self.emit(Op::Binary { op: BinaryOp::LShr, lhs: bits, rhs }, Type::Int(total))
                }
            };
            let part = if width == total { shifted } else { self.convert(CastOp::Trunc, shifted, Type::Int(width)) };
            parts.push(match ty {
                Type::F32 | Type::F64 => self.convert(CastOp::Bitcast, part, ty),
                Type::Int(_) | Type::Ptr => part,
            });
        }
        parts
    }

    /// A constant vector.
    pub(super) fn vector_constant(&mut self, value: Value) -> Leaves {
        debug_assert!(value.kind() != LLVMValueKind::LLVMInstructionValueKind);
        let mut elements = Vec::new();
        for index in 0.. {
            let Some(element) = value.element(index) else { break };
            elements.extend(self.constant(element));
        }
        self.vector(value.ty(), elements)
    }
}

fn float(op: belay_ir::FloatBinaryOp, args: [Operand; 2]) -> Op {
    Op::FloatBinary { op, lhs: args[0], rhs: args[1] }
}

/// The bits of a scalar; `None` of a pointer, whose bits are not all that it is.
fn bit_width(ty: Type) -> Option<u16> {
    match ty {
        Type::Int(width) => Some(width),
        Type::F32 => Some(32),
        Type::F64 => Some(64),
        Type::Ptr => None,
    }
}

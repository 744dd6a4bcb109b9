//! A small machine for the tests, apart from the interpreter proper: machine integers, every undefined value is 0. Addresses
//! are an object's number (from 1) and an offset; 0 is null.

use belay_base::IdVec;

use belay_ir::{
    BinaryOp, BlockId, CastOp, DataLayout, DataModel, Function, InstId, IntPredicate, ObligationId, Op, Operand,
    OverflowOp, Terminator, Type,
};

/// How a run ends.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum End {
    Returned(u128),
    InvalidAccess,
    DividedByZero,
    OutOfSteps,
}

/// What a run shows.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Run {
    pub(super) violated: Vec<ObligationId>,
    pub(super) end: End,
}

struct Object {
    bytes: Vec<u8>,
    alive: bool,
}

struct Machine<'a> {
    function: &'a Function,
    argument: u128,
    values: IdVec<InstId, u128>,
    objects: Vec<Object>,
    violated: Vec<ObligationId>,
}

pub(super) fn run(function: &Function, argument: u128, steps: usize) -> Run {
    let values = IdVec::filled(0, function.insts.len());
    let mut machine = Machine { function, argument, values, objects: vec![], violated: vec![] };
    let mut at = (None, Function::ENTRY);
    let mut left = steps;
    let end = loop {
        match machine.block(at.0, at.1, &mut left) {
            Ok(next) => at = (Some(at.1), next),
            Err(end) => break end,
        }
    };
    Run { violated: machine.violated, end }
}

fn signed(width: u16, value: u128) -> i128 {
    let unused = 128 - u32::from(width);
    ((value << unused) as i128) >> unused
}

impl Machine<'_> {
    fn block(&mut self, from: Option<BlockId>, block: BlockId, left: &mut usize) -> Result<BlockId, End> {
        let body = &self.function.blocks[block];
        let mut phis = Vec::new();
        for inst in &body.insts {
            if let Op::Phi { incoming } = &self.function.insts[*inst].op {
                let entry = incoming.iter().find(|(block, _)| Some(*block) == from).expect("verified");
                phis.push((*inst, self.operand(entry.1)));
            }
        }
        phis.into_iter().for_each(|(inst, value)| self.values[inst] = value);
        for inst in &body.insts {
            *left = left.checked_sub(1).ok_or(End::OutOfSteps)?;
            self.instruction(*inst)?;
        }
        *left = left.checked_sub(1).ok_or(End::OutOfSteps)?;
        match &body.term {
            Terminator::Jump(target) => Ok(*target),
            Terminator::Branch { cond, then, otherwise } => {
                Ok(if self.operand(*cond) != 0 { *then } else { *otherwise })
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(*value);
                Ok(cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, target)| *target))
            }
            Terminator::Return(values) => Err(End::Returned(self.operand(values[0]))),
            Terminator::Unreachable { .. } => panic!("the generator makes none"),
        }
    }

    fn operand(&self, operand: Operand) -> u128 {
        match operand {
            Operand::Inst(id) => self.values[id],
            Operand::Param(_) => self.argument,
            Operand::Int { value, .. } => value,
            Operand::Null | Operand::Undef(_) => 0,
            Operand::F32(_) | Operand::F64(_) | Operand::Global { .. } | Operand::Func(_) => panic!("not generated"),
        }
    }

    // A table: one arm an instruction.
    fn instruction(&mut self, inst: InstId) -> Result<(), End> {
        let ty = self.function.insts[inst].ty;
        let width = ty.and_then(Type::int_width).unwrap_or(64);
        let result = match &self.function.insts[inst].op {
            Op::Binary { op, lhs, rhs } => self.binary(*op, width, *lhs, *rhs)?,
            Op::Overflows { op: OverflowOp::Add, signed: true, lhs, rhs } => {
                let (a, b) = (self.operand(*lhs) as u32 as i32, self.operand(*rhs) as u32 as i32);
                a.checked_add(b).is_none().into()
            }
            Op::Compare { op, lhs, rhs } => {
                let width = self.function.operand_type(*lhs).and_then(Type::int_width).unwrap_or(64);
                compare(*op, width, self.operand(*lhs), self.operand(*rhs)).into()
            }
            Op::Cast { op: CastOp::SExt, value } => {
                let from = self.function.operand_type(*value).and_then(Type::int_width).expect("an integer");
                signed(from, self.operand(*value)) as u128
            }
            Op::Cast { op: CastOp::ZExt | CastOp::Trunc, value } => self.operand(*value),
            Op::PtrAdd { base, offset } => {
                let base = self.operand(*base);
                (base & !0xffff_ffff) | (base.wrapping_add(self.operand(*offset)) & 0xffff_ffff)
            }
            Op::Select { cond, then, otherwise } => {
                self.operand(if self.operand(*cond) != 0 { *then } else { *otherwise })
            }
            Op::Phi { .. } => return Ok(()),
            Op::Arbitrary { .. } => 0,
            Op::Alloca { size, scoped, .. } => self.new_object(self.operand(*size) as usize, !*scoped),
            Op::LifetimeStart { object } => {
                self.start(*object);
                return Ok(());
            }
            Op::LifetimeEnd { object } => {
                let number = (self.values[*object] >> 32) as usize;
                self.objects[number - 1].alive = false;
                return Ok(());
            }
            Op::Load { ptr, obligation, .. } => {
                let size = DataLayout::new(DataModel::Lp64).store_size(ty.expect("a load gives a value")) as usize;
                let bytes = self.bytes(*ptr, size, *obligation)?;
                let mut value = [0; 16];
                value[..size].copy_from_slice(bytes);
                u128::from_le_bytes(value)
            }
            Op::Store { ptr, value, obligation, .. } => {
                let ty = self.function.operand_type(*value).expect("a value is stored");
                let size = DataLayout::new(DataModel::Lp64).store_size(ty) as usize;
                let value = self.operand(*value).to_le_bytes();
                self.bytes(*ptr, size, *obligation)?.copy_from_slice(&value[..size]);
                return Ok(());
            }
            Op::MemSet { dst, byte, len, obligation } => {
                let (byte, len) = (self.operand(*byte) as u8, self.operand(*len) as usize);
                self.bytes(*dst, len, *obligation)?.fill(byte);
                return Ok(());
            }
            Op::Check { cond, obligation } => {
                if self.operand(*cond) == 0 {
                    self.violated.push(*obligation);
                }
                return Ok(());
            }
            other => panic!("the generator makes no {other:?}"),
        };
        self.values[inst] = Operand::int(width, result).as_int().expect("an integer");
        Ok(())
    }

    fn binary(&self, op: BinaryOp, width: u16, lhs: Operand, rhs: Operand) -> Result<u128, End> {
        let (a, b) = (self.operand(lhs), self.operand(rhs));
        let (sa, sb) = (signed(width, a), signed(width, b));
        let divides = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
        if divides && b == 0 {
            return Err(End::DividedByZero);
        }
        Ok(match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::UDiv => a / b,
            BinaryOp::URem => a % b,
            BinaryOp::SDiv => sa.wrapping_div(sb) as u128,
            BinaryOp::SRem => sa.wrapping_rem(sb) as u128,
            BinaryOp::Shl => {
                if b < width.into() {
                    a << b
                } else {
                    0
                }
            }
            BinaryOp::LShr => {
                if b < width.into() {
                    a >> b
                } else {
                    0
                }
            }
            BinaryOp::AShr => {
                if b < width.into() {
                    (sa >> b) as u128
                } else {
                    0
                }
            }
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
        })
    }

    fn new_object(&mut self, size: usize, alive: bool) -> u128 {
        self.objects.push(Object { bytes: vec![0; size], alive });
        (self.objects.len() as u128) << 32
    }

    /// A new life is a new object under the old name.
    fn start(&mut self, object: InstId) {
        let number = (self.values[object] >> 32) as usize;
        self.objects[number - 1].alive = false;
        let size = self.objects[number - 1].bytes.len();
        self.values[object] = self.new_object(size, true);
    }

    fn bytes(&mut self, ptr: Operand, size: usize, obligation: ObligationId) -> Result<&mut [u8], End> {
        let address = self.operand(ptr);
        let (number, offset) = ((address >> 32) as usize, (address & 0xffff_ffff) as usize);
        let object = self.objects.get_mut(number.wrapping_sub(1)).filter(|object| object.alive);
        match object.and_then(|object| object.bytes.get_mut(offset..offset + size)) {
            Some(bytes) => Ok(bytes),
            None => {
                self.violated.push(obligation);
                Err(End::InvalidAccess)
            }
        }
    }
}

fn compare(op: IntPredicate, width: u16, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(width, a), signed(width, b));
    match op {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Slt => sa < sb,
        IntPredicate::Sle => sa <= sb,
        IntPredicate::Sgt => sa > sb,
        IntPredicate::Sge => sa >= sb,
    }
}

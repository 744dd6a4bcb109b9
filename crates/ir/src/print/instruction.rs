//! Instructions and terminators as text.

use crate::inst::{Callee, Op, Terminator};
use crate::operator::{
    BinaryOp, CastOp, FloatBinaryOp, FloatPredicate, FloatUnaryOp, IntPredicate, OverflowOp, UnaryOp,
};
use crate::program::{BlockId, InstId, Operand};

use super::{Printer, function_name};

impl Printer<'_> {
    /// One instruction, with its obligations in brackets.
    pub(super) fn instruction(&self, id: InstId) -> String {
        let inst = &self.function.insts[id];
        let mut text = inst.ty.map_or(String::new(), |_| format!("{id} = "));
        if inst.ty.is_none() && matches!(inst.op, Op::Call { .. }) {
            text = format!("{id}: ");
        }
        text += &self.operation(id, &inst.op);
        for obligation in inst.op.obligations() {
            let known = self.program.obligations.get(obligation).is_some();
            let name = if known { self.program.obligation_name(obligation) } else { obligation.to_string() };
            text += &format!(" [{name}]");
        }
        text
    }

    fn operation(&self, id: InstId, op: &Op) -> String {
        match op {
            Op::Binary { op, lhs, rhs } => self.two(binary_name(*op), *lhs, *rhs),
            Op::Overflows { op, signed, lhs, rhs } => self.two(overflow_name(*op, *signed), *lhs, *rhs),
            Op::Unary { op, value } => format!("{} {}", unary_name(*op), self.typed(*value)),
            Op::Compare { op, lhs, rhs } => self.two(&format!("cmp {}", predicate_name(*op)), *lhs, *rhs),
            Op::FloatBinary { op, lhs, rhs } => self.two(float_binary_name(*op), *lhs, *rhs),
            Op::FloatUnary { op, value } => format!("{} {}", float_unary_name(*op), self.typed(*value)),
            Op::FloatFma { a, b, c } => format!("fma {}, {}, {}", self.typed(*a), self.operand(*b), self.operand(*c)),
            Op::FloatCompare { op, lhs, rhs } => self.two(&format!("fcmp {}", float_predicate_name(*op)), *lhs, *rhs),
            Op::Cast { op, value } => format!("{} {} to {}", cast_name(*op), self.typed(*value), self.result(id)),
            Op::PtrAdd { base, offset } => format!("ptradd {}, {}", self.operand(*base), self.operand(*offset)),
            Op::Select { cond, then, otherwise } => {
                format!("select {}, {}, {}", self.operand(*cond), self.typed(*then), self.operand(*otherwise))
            }
            Op::Phi { incoming } => format!("phi {} {}", self.result(id), self.incoming(incoming)),
            Op::Arbitrary { uninit } => format!("arbitrary {}{}", self.result(id), self.uninit(*uninit)),
            Op::Freeze { value } => format!("freeze {}", self.typed(*value)),
            Op::Alloca { size, align, scoped, dynamic } => {
                let flags = [(*scoped, ", scoped"), (*dynamic, ", dynamic")];
                let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, name)| *name).collect();
                format!("alloca {}, align {align}{flags}", self.operand(*size))
            }
            Op::LifetimeStart { object } => format!("lifetime.start {object}"),
            Op::LifetimeEnd { object } => format!("lifetime.end {object}"),
            Op::StackSave => "stacksave".into(),
            Op::StackRestore { mark } => format!("stackrestore {}", self.operand(*mark)),
            Op::Load { ptr, align, volatile, .. } => {
                let ptr = self.operand(*ptr);
                format!("load{} {}, {ptr}, align {align}", volatile_name(*volatile), self.result(id))
            }
            Op::Store { ptr, value, align, volatile, .. } => {
                let (value, ptr) = (self.typed(*value), self.operand(*ptr));
                format!("store{} {value}, {ptr}, align {align}", volatile_name(*volatile))
            }
            Op::MemCopy { dst, src, len, overlap, .. } => {
                let name = if *overlap { "memmove" } else { "memcpy" };
                format!("{name} {}, {}, {}", self.operand(*dst), self.operand(*src), self.typed(*len))
            }
            Op::MemSet { dst, byte, len, .. } => {
                format!("memset {}, {}, {}", self.operand(*dst), self.operand(*byte), self.typed(*len))
            }
            Op::Call { callee, args, variadic, byval_args, .. } => {
                self.call(id, callee, args, *variadic as usize, byval_args)
            }
            Op::Extract { call, index } => format!("extract {} {call}, {index}", self.result(id)),
            Op::VaStart { list, .. } => format!("va_start {}", self.operand(*list)),
            Op::VaCopy { dst, src, .. } => format!("va_copy {}, {}", self.operand(*dst), self.operand(*src)),
            Op::VaEnd { list } => format!("va_end {}", self.operand(*list)),
            Op::Check { cond, .. } => format!("check {}", self.operand(*cond)),
            Op::Unsupported { what } => format!("unsupported: {what}"),
        }
    }

    fn two(&self, name: &str, lhs: Operand, rhs: Operand) -> String {
        format!("{name} {}, {}", self.typed(lhs), self.operand(rhs))
    }

    fn incoming(&self, incoming: &[(BlockId, Operand)]) -> String {
        let entries: Vec<String> =
            incoming.iter().map(|(from, value)| format!("[{from}: {}]", self.operand(*value))).collect();
        entries.join(", ")
    }

    fn uninit(&self, local: Option<u32>) -> String {
        match local.and_then(|index| self.function.locals.get(index as usize)) {
            Some(local) => format!(" (uninitialised {})", local.name),
            None => String::new(),
        }
    }

    fn call(
        &self,
        id: InstId,
        callee: &Callee,
        args: &[Operand],
        variadic: usize,
        byval: &[(u32, u64, u32)],
    ) -> String {
        let target = match callee {
            Callee::Direct(id) => function_name(self.program, *id),
            Callee::Indirect(target, _) => self.operand(*target),
        };
        let fixed = args.len().saturating_sub(variadic);
        let mut shown: Vec<String> = args.iter().map(|arg| self.typed(*arg)).collect();
        for (index, size, align) in byval {
            if let Some(arg) = shown.get_mut(*index as usize) {
                *arg += &format!(" byval({size}, align {align})");
            }
        }
        if variadic > 0 {
            shown.insert(fixed, "...".into());
        }
        format!("call {} {target}({})", self.result(id), shown.join(", "))
    }

    /// How a block ends.
    pub(super) fn terminator(&self, term: &Terminator) -> String {
        match term {
            Terminator::Jump(target) => format!("jump {target}"),
            Terminator::Branch { cond, then, otherwise } => {
                format!("branch {}, {then}, {otherwise}", self.operand(*cond))
            }
            Terminator::Switch { value, cases, default } => {
                let width = self.function.operand_type(*value).and_then(|ty| ty.int_width()).unwrap_or(128);
                let case = |(value, to): &(u128, BlockId)| format!("{}: {to}, ", super::signed(width, *value));
                let cases: String = cases.iter().map(case).collect();
                format!("switch {} [{cases}default: {default}]", self.typed(*value))
            }
            Terminator::Return(values) => {
                let values: Vec<String> = values.iter().map(|value| self.typed(*value)).collect();
                if values.is_empty() { "return".into() } else { format!("return {}", values.join(", ")) }
            }
            Terminator::Unreachable { held } => {
                let held: Vec<String> = held.iter().map(|value| self.typed(*value)).collect();
                if held.is_empty() { "unreachable".into() } else { format!("unreachable, held {}", held.join(", ")) }
            }
        }
    }
}

fn volatile_name(volatile: bool) -> &'static str {
    if volatile { " volatile" } else { "" }
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::UDiv => "udiv",
        BinaryOp::SDiv => "sdiv",
        BinaryOp::URem => "urem",
        BinaryOp::SRem => "srem",
        BinaryOp::Shl => "shl",
        BinaryOp::LShr => "lshr",
        BinaryOp::AShr => "ashr",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
    }
}

fn overflow_name(op: OverflowOp, signed: bool) -> &'static str {
    match (op, signed) {
        (OverflowOp::Add, true) => "sadd.overflows",
        (OverflowOp::Sub, true) => "ssub.overflows",
        (OverflowOp::Mul, true) => "smul.overflows",
        (OverflowOp::Add, false) => "uadd.overflows",
        (OverflowOp::Sub, false) => "usub.overflows",
        (OverflowOp::Mul, false) => "umul.overflows",
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::CountOnes => "ctpop",
        UnaryOp::LeadingZeros => "ctlz",
        UnaryOp::TrailingZeros => "cttz",
        UnaryOp::ByteSwap => "bswap",
        UnaryOp::BitReverse => "bitreverse",
    }
}

fn predicate_name(op: IntPredicate) -> &'static str {
    match op {
        IntPredicate::Eq => "eq",
        IntPredicate::Ne => "ne",
        IntPredicate::Ult => "ult",
        IntPredicate::Ule => "ule",
        IntPredicate::Ugt => "ugt",
        IntPredicate::Uge => "uge",
        IntPredicate::Slt => "slt",
        IntPredicate::Sle => "sle",
        IntPredicate::Sgt => "sgt",
        IntPredicate::Sge => "sge",
    }
}

fn float_binary_name(op: FloatBinaryOp) -> &'static str {
    match op {
        FloatBinaryOp::Add => "fadd",
        FloatBinaryOp::Sub => "fsub",
        FloatBinaryOp::Mul => "fmul",
        FloatBinaryOp::Div => "fdiv",
        FloatBinaryOp::Rem => "frem",
        FloatBinaryOp::Min => "fmin",
        FloatBinaryOp::Max => "fmax",
        FloatBinaryOp::CopySign => "copysign",
    }
}

fn float_unary_name(op: FloatUnaryOp) -> &'static str {
    match op {
        FloatUnaryOp::Neg => "fneg",
        FloatUnaryOp::Abs => "fabs",
        FloatUnaryOp::Sqrt => "sqrt",
        FloatUnaryOp::Floor => "floor",
        FloatUnaryOp::Ceil => "ceil",
        FloatUnaryOp::Trunc => "ftrunc",
        FloatUnaryOp::Round => "round",
        FloatUnaryOp::RoundEven => "roundeven",
    }
}

fn float_predicate_name(op: FloatPredicate) -> &'static str {
    match op {
        FloatPredicate::False => "false",
        FloatPredicate::Oeq => "oeq",
        FloatPredicate::Ogt => "ogt",
        FloatPredicate::Oge => "oge",
        FloatPredicate::Olt => "olt",
        FloatPredicate::Ole => "ole",
        FloatPredicate::One => "one",
        FloatPredicate::Ord => "ord",
        FloatPredicate::Uno => "uno",
        FloatPredicate::Ueq => "ueq",
        FloatPredicate::Ugt => "ugt",
        FloatPredicate::Uge => "uge",
        FloatPredicate::Ult => "ult",
        FloatPredicate::Ule => "ule",
        FloatPredicate::Une => "une",
        FloatPredicate::True => "true",
    }
}

fn cast_name(op: CastOp) -> &'static str {
    match op {
        CastOp::Trunc => "trunc",
        CastOp::ZExt => "zext",
        CastOp::SExt => "sext",
        CastOp::FloatToSigned => "fptosi",
        CastOp::FloatToUnsigned => "fptoui",
        CastOp::SignedToFloat => "sitofp",
        CastOp::UnsignedToFloat => "uitofp",
        CastOp::FloatToFloat => "fpcast",
        CastOp::PtrToInt => "ptrtoint",
        CastOp::IntToPtr => "inttoptr",
        CastOp::Bitcast => "bitcast",
    }
}

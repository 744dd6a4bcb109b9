//! LLVM's intrinsic functions.

use belay_ir::{
    BinaryOp, Builtin, Callee, CastOp, FloatBinaryOp, FloatUnaryOp, IntPredicate, ObligationDetail, Op, Operand,
    OverflowOp, Property, Type, UnaryOp,
};

use super::function::{FunctionTranslator, Leaves};
use super::leaves::{is_move_only, is_vector, move_only_name};
use super::x87::is_x87;
use crate::llvm::{LLVMTypeKind, Value};

impl FunctionTranslator<'_, '_> {
    /// Translates a call of the intrinsic `name` (`llvm.sadd.with.overflow.i32`).
    pub(super) fn intrinsic(&mut self, inst: Value, name: &str) -> Leaves {
        let base = name.strip_prefix("llvm.").unwrap_or(name);
        if is_no_op(base) {
            return self.undefined(inst.ty());
        }
        let args = inst.arguments();
        if base == "assume" {
            self.promise(args[0]);
            return Leaves::new();
        }
        if is_x87(inst.ty()) && args.iter().all(|arg| is_x87(arg.ty())) {
            let scalars: Vec<Operand> = args.iter().map(|arg| self.scalar(*arg)).collect();
            if let Some(value) = self.x87_intrinsic(base, &scalars) {
                return Leaves::from_elem(value, 1);
            }
        }
        if let Some(odd) = args.iter().map(|arg| arg.ty()).chain([inst.ty()]).find(|ty| is_move_only(*ty)) {
            return self.refuse_intrinsic(inst, move_only_name(odd));
        }
        if args.iter().any(|arg| is_vector(arg.ty())) {
            return self.vector_intrinsic(inst, base, &args);
        }
        let is_wide = |arg: &Value| arg.ty().kind() == LLVMTypeKind::LLVMIntegerTypeKind && arg.ty().int_width() > 128;
        if args.iter().any(is_wide) {
            return self.unsupported(format!("llvm.{base}"), inst.ty());
        }
        if let Some(leaves) = self.memory_intrinsic(inst, base, &args) {
            return leaves;
        }
        if let Some(leaves) = self.overflow_intrinsic(base, &args) {
            return leaves;
        }
        let scalars: Vec<Operand> = args.iter().map(|arg| self.scalar(*arg)).collect();
        if let Some(value) = self.int_intrinsic(base, &scalars).or_else(|| self.float_intrinsic(base, &scalars)) {
            return Leaves::from_elem(value, 1);
        }
        self.other_intrinsic(inst, base, &scalars)
    }

    /// An intrinsic that is not handled: if it touches no memory, its result is any.
    fn refuse_intrinsic(&mut self, inst: Value, what: String) -> Leaves {
        match inst.callee().touches_no_memory() && !inst.ty().is_void() {
            true => self.unhandled(what, inst.ty()),
            false => self.unsupported(what, inst.ty()),
        }
    }

    /// An intrinsic on vectors: that on scalars, element by element, or a reduction.
    fn vector_intrinsic(&mut self, inst: Value, base: &str, args: &[Value]) -> Leaves {
        if let Some(result) = self.reduce(base, inst) {
            return result;
        }
        let scalar = prefix(base);
        if !is_vector(inst.ty()) || !is_elementwise(scalar) {
            return self.refuse_intrinsic(inst, format!("llvm.{base}"));
        }
        self.elementwise(inst, args, |this, args| {
            this.int_intrinsic(scalar, args).or_else(|| this.float_intrinsic(scalar, args))
        })
    }

    /// C says nothing of a run in which an assumption of the optimiser is false: that it holds is an obligation.
    fn promise(&mut self, cond: Value) {
        let cond = self.scalar(cond);
        if cond.as_int() != Some(1) {
            let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Promise("__builtin_assume"));
            self.emit_effect(Op::Check { cond, obligation });
        }
    }

    fn memory_intrinsic(&mut self, inst: Value, base: &str, args: &[Value]) -> Option<Leaves> {
        match prefix(base) {
            "lifetime.start" | "lifetime.end" => {
                // LLVM 22 has the object as the only argument, older bitcode a size before it.
                let object = self.find_marked_object(*args.last()?);
                let Some(object) = object else {
                    self.emit_effect(Op::Unsupported { what: "lifetime marker of no stack object".to_owned() });
                    return Some(Leaves::new());
                };
                let start = base.starts_with("lifetime.start");
                self.emit_effect(if start { Op::LifetimeStart { object } } else { Op::LifetimeEnd { object } });
            }
            "memcpy" | "memmove" => {
                let is_volatile = args.get(3).is_some_and(|flag| self.scalar(*flag).as_int() == Some(1));
                let size = self.scalar(args[2]).as_int().and_then(|size| u64::try_from(size).ok());
                let is_partly = self.may_have_volatile_member(args[1], size);
                if self.is_changed_by_others(is_volatile || is_partly, args[1]) {
                    self.emit_effect(Op::Unsupported { what: "a volatile struct is copied".to_owned() });
                }
                let (dst, src, len) = (self.scalar(args[0]), self.scalar(args[1]), self.scalar(args[2]));
                let len = self.length(len);
                self.check_aligned(dst, inst.argument_align(0));
                self.check_aligned(src, inst.argument_align(1));
                // A struct assignment may name the same object twice, which the intrinsic allows: exact overlap is harmless.
                self.mem_copy(dst, src, len, true);
            }
            "memset" => {
                let (dst, byte, len) = (self.scalar(args[0]), self.scalar(args[1]), self.scalar(args[2]));
                let len = self.length(len);
                self.check_aligned(dst, inst.argument_align(0));
                self.mem_set(dst, byte, len);
            }
            "va_start" => {
                let list = self.scalar(args[0]);
                let obligation =
                    self.obligation(Property::ValidDeref, ObligationDetail::LibraryCall("va_start".into()));
                self.emit_effect(Op::VaStart { list, obligation });
            }
            "va_copy" => {
                let (dst, src) = (self.scalar(args[0]), self.scalar(args[1]));
                let obligation = self.obligation(Property::ValidDeref, ObligationDetail::LibraryCall("va_copy".into()));
                self.emit_effect(Op::VaCopy { dst, src, obligation });
            }
            "va_end" => {
                let list = self.scalar(args[0]);
                self.emit_effect(Op::VaEnd { list });
            }
            "stacksave" => return Some(Leaves::from_elem(self.emit(Op::StackSave, Type::Ptr), 1)),
            "stackrestore" => {
                let mark = self.scalar(args[0]);
                self.emit_effect(Op::StackRestore { mark });
            }
            _ => return None,
        }
        Some(Leaves::new())
    }

    /// The length of an intrinsic copy, brought to address width (unsigned).
    fn length(&mut self, len: Operand) -> Operand {
        let address = self.module.program.layout.address_type();
        match (self.operand_type(len), address) {
            (Type::Int(from), Type::Int(to)) if from < to => self.convert(CastOp::ZExt, len, address),
            (Type::Int(from), Type::Int(to)) if from > to => self.convert(CastOp::Trunc, len, address),
            (_, _) => len,
        }
    }

    fn overflow_intrinsic(&mut self, base: &str, args: &[Value]) -> Option<Leaves> {
        let (signed, op, binary) = match prefix(base) {
            "sadd.with.overflow" => (true, OverflowOp::Add, BinaryOp::Add),
            "uadd.with.overflow" => (false, OverflowOp::Add, BinaryOp::Add),
            "ssub.with.overflow" => (true, OverflowOp::Sub, BinaryOp::Sub),
            "usub.with.overflow" => (false, OverflowOp::Sub, BinaryOp::Sub),
            "smul.with.overflow" => (true, OverflowOp::Mul, BinaryOp::Mul),
            "umul.with.overflow" => (false, OverflowOp::Mul, BinaryOp::Mul),
            _ => return None,
        };
        let (lhs, rhs) = (self.scalar(args[0]), self.scalar(args[1]));
        let ty = self.operand_type(lhs);
        let value = self.emit(Op::Binary { op: binary, lhs, rhs }, ty);
        let overflows = self.emit(Op::Overflows { op, signed, lhs, rhs }, Type::BOOL);
        Some(Leaves::from_slice(&[value, overflows]))
    }

    fn int_intrinsic(&mut self, base: &str, args: &[Operand]) -> Option<Operand> {
        let ty = args.first().map(|arg| self.operand_type(*arg))?;
        let unary = |op| Op::Unary { op, value: args[0] };
        let op = match prefix(base) {
            "ctpop" => unary(UnaryOp::CountOnes),
            "ctlz" => {
                self.exclude_poison_of(args, |_| 0);
                return Some(self.counted_zeros(UnaryOp::LeadingZeros, args, ty));
            }
            "cttz" => {
                self.exclude_poison_of(args, |_| 0);
                return Some(self.counted_zeros(UnaryOp::TrailingZeros, args, ty));
            }
            "bswap" => unary(UnaryOp::ByteSwap),
            "bitreverse" => unary(UnaryOp::BitReverse),
            "smax" => return Some(self.extreme(IntPredicate::Sgt, args, ty)),
            "smin" => return Some(self.extreme(IntPredicate::Slt, args, ty)),
            "umax" => return Some(self.extreme(IntPredicate::Ugt, args, ty)),
            "umin" => return Some(self.extreme(IntPredicate::Ult, args, ty)),
            "abs" => {
                self.exclude_poison_of(args, |width| 1 << (width - 1));
                return self.absolute(args[0], ty);
            }
            "sadd.sat" => return self.saturated(OverflowOp::Add, BinaryOp::Add, true, args, ty),
            "uadd.sat" => return self.saturated(OverflowOp::Add, BinaryOp::Add, false, args, ty),
            "ssub.sat" => return self.saturated(OverflowOp::Sub, BinaryOp::Sub, true, args, ty),
            "usub.sat" => return self.saturated(OverflowOp::Sub, BinaryOp::Sub, false, args, ty),
            "fshl" => return self.funnel_shift(true, args, ty),
            "fshr" => return self.funnel_shift(false, args, ty),
            "expect" | "expect.with.probability" => return Some(args[0]),
            _ => return None,
        };
        Some(self.emit(op, ty))
    }

    /// The number of zeros before the first one. Of 0 the compiler's functions (`__builtin_clz`) give an undefined value, as the processor's instruction does, if the last argument says so.
    fn counted_zeros(&mut self, op: UnaryOp, args: &[Operand], ty: Type) -> Operand {
        let number = self.emit(Op::Unary { op, value: args[0] }, ty);
        let (Type::Int(width), Some(1)) = (ty, args.get(1).and_then(|flag| flag.as_int())) else { return number };
        let cond =
            self.emit(Op::Compare { op: IntPredicate::Eq, lhs: args[0], rhs: Operand::int(width, 0) }, Type::BOOL);
        self.emit(Op::Select { cond, then: Operand::Undef(ty), otherwise: number }, ty)
    }

    /// The operand that wins the comparison.
    pub(super) fn extreme(&mut self, op: IntPredicate, args: &[Operand], ty: Type) -> Operand {
        let cond = self.emit(Op::Compare { op, lhs: args[0], rhs: args[1] }, Type::BOOL);
        self.emit(Op::Select { cond, then: args[0], otherwise: args[1] }, ty)
    }

    fn absolute(&mut self, value: Operand, ty: Type) -> Option<Operand> {
        let zero = Operand::int(ty.int_width()?, 0);
        let cond = self.emit(Op::Compare { op: IntPredicate::Slt, lhs: value, rhs: zero }, Type::BOOL);
        let negated = self.emit(Op::Binary { op: BinaryOp::Sub, lhs: zero, rhs: value }, ty);
        Some(self.emit(Op::Select { cond, then: negated, otherwise: value }, ty))
    }

    /// The sum or difference, or the end of the type that it runs over.
    fn saturated(
        &mut self,
        overflow: OverflowOp,
        op: BinaryOp,
        signed: bool,
        args: &[Operand],
        ty: Type,
    ) -> Option<Operand> {
        let (width, lhs, rhs) = (ty.int_width()?, args[0], args[1]);
        let plain = self.emit(Op::Binary { op, lhs, rhs }, ty);
        let overflows = self.emit(Op::Overflows { op: overflow, signed, lhs, rhs }, Type::BOOL);
        let half = 1u128 << (width - 1);
        let end = match (signed, op) {
            // Both run over on the side of the first operand's sign.
            (true, _) => {
                let zero = Operand::int(width, 0);
                let negative = self.emit(Op::Compare { op: IntPredicate::Slt, lhs, rhs: zero }, Type::BOOL);
                let (least, most) = (Operand::int(width, half), Operand::int(width, half - 1));
                self.emit(Op::Select { cond: negative, then: least, otherwise: most }, ty)
            }
            (false, BinaryOp::Sub) => Operand::int(width, 0),
            (false, _) => Operand::int(width, half - 1 + half),
        };
        Some(self.emit(Op::Select { cond: overflows, then: end, otherwise: plain }, ty))
    }

    /// The high (or low) half of `high:low` shifted left (or right) by `amount mod width`; no part is shifted by the full width.
    fn funnel_shift(&mut self, left: bool, args: &[Operand], ty: Type) -> Option<Operand> {
        let width = ty.int_width()?;
        let number = |value: u16| Operand::int(width, u128::from(value));
        let amount = self.emit(Op::Binary { op: BinaryOp::URem, lhs: args[2], rhs: number(width) }, ty);
        let rest = self.emit(Op::Binary { op: BinaryOp::Sub, lhs: number(width - 1), rhs: amount }, ty);
        let (up, down, pre_up, pre_down) =
            if left { (amount, rest, number(0), number(1)) } else { (rest, amount, number(1), number(0)) };
        let high = self.emit(Op::Binary { op: BinaryOp::Shl, lhs: args[0], rhs: pre_up }, ty);
        let high = self.emit(Op::Binary { op: BinaryOp::Shl, lhs: high, rhs: up }, ty);
        let low = self.emit(Op::Binary { op: BinaryOp::LShr, lhs: args[1], rhs: pre_down }, ty);
        let low = self.emit(Op::Binary { op: BinaryOp::LShr, lhs: low, rhs: down }, ty);
        Some(self.emit(Op::Binary { op: BinaryOp::Or, lhs: high, rhs: low }, ty))
    }

    fn float_intrinsic(&mut self, base: &str, args: &[Operand]) -> Option<Operand> {
        let ty = args.first().map(|arg| self.operand_type(*arg))?;
        let unary = |op| Op::FloatUnary { op, value: args[0] };
        let binary = |op| Op::FloatBinary { op, lhs: args[0], rhs: args[1] };
        let op = match prefix(base) {
            "fabs" => unary(FloatUnaryOp::Abs),
            "sqrt" => unary(FloatUnaryOp::Sqrt),
            "floor" => unary(FloatUnaryOp::Floor),
            "ceil" => unary(FloatUnaryOp::Ceil),
            "trunc" => unary(FloatUnaryOp::Trunc),
            "round" => unary(FloatUnaryOp::Round),
            "rint" | "nearbyint" => {
                self.require_nearest(Operand::int(32, 0));
                unary(FloatUnaryOp::RoundEven)
            }
            "roundeven" => unary(FloatUnaryOp::RoundEven),
            "copysign" => binary(FloatBinaryOp::CopySign),
            "minnum" => binary(FloatBinaryOp::Min),
            "maxnum" => binary(FloatBinaryOp::Max),
            "fma" => Op::FloatFma { a: args[0], b: args[1], c: args[2] },
            "fmuladd" => {
                let lhs = self.emit(Op::FloatBinary { op: FloatBinaryOp::Mul, lhs: args[0], rhs: args[1] }, ty);
                Op::FloatBinary { op: FloatBinaryOp::Add, lhs, rhs: args[2] }
            }
            "is.fpclass" => return self.float_class(args[0], args[1].as_int()?, ty),
            _ => return None,
        };
        Some(self.emit(op, ty))
    }

    /// `llvm.is.fpclass`: whether the value is in one of the classes of the mask.
    fn float_class(&mut self, value: Operand, mask: u128, ty: Type) -> Option<Operand> {
        let (width, exponent, fraction) = match ty {
            Type::F32 => (32u16, 0x7f80_0000u128, 0x7f_ffffu128),
            Type::F64 => (64, 0x7ff0_0000_0000_0000, 0xf_ffff_ffff_ffff),
            Type::Int(_) | Type::Ptr => return None,
        };
        let bits = self.convert(CastOp::Bitcast, value, Type::Int(width));
        let quiet = exponent | ((fraction + 1) >> 1);
        let sign = 1u128 << (width - 1);
        // Each class is a range of bit patterns; the mask's bits are in LLVM's order, from signalling NaN to +infinity.
        let nan = |low: u128, high: u128| vec![(low, high), (low | sign, high | sign)];
        let ranges: [Vec<(u128, u128)>; 10] = [
            nan(exponent | 1, quiet - 1),
            nan(quiet, exponent | fraction),
            vec![(sign | exponent, sign | exponent)],
            vec![(sign | (fraction + 1), sign | (exponent - 1))],
            vec![(sign | 1, sign | fraction)],
            vec![(sign, sign)],
            vec![(0, 0)],
            vec![(1, fraction)],
            vec![(fraction + 1, exponent - 1)],
            vec![(exponent, exponent)],
        ];
        let mut result = Operand::bool(false);
        let chosen = ranges.into_iter().enumerate().filter(|(index, _)| mask >> index & 1 == 1);
        for (low, high) in chosen.flat_map(|(_, class)| class) {
            result = self.in_range(result, bits, width, low, high);
        }
        Some(result)
    }

    /// `earlier || low <= bits <= high`, unsigned.
    fn in_range(&mut self, earlier: Operand, bits: Operand, width: u16, low: u128, high: u128) -> Operand {
        let above =
            self.emit(Op::Compare { op: IntPredicate::Uge, lhs: bits, rhs: Operand::int(width, low) }, Type::BOOL);
        let below =
            self.emit(Op::Compare { op: IntPredicate::Ule, lhs: bits, rhs: Operand::int(width, high) }, Type::BOOL);
        let both = self.emit(Op::Binary { op: BinaryOp::And, lhs: above, rhs: below }, Type::BOOL);
        self.emit(Op::Binary { op: BinaryOp::Or, lhs: earlier, rhs: both }, Type::BOOL)
    }

    fn other_intrinsic(&mut self, inst: Value, base: &str, args: &[Operand]) -> Leaves {
        match prefix(base) {
            "trap" | "ubsantrap" | "debugtrap" => {
                self.call_abort();
                Leaves::new()
            }
            "is.constant" => Leaves::from_elem(Operand::bool(false), 1),
            "objectsize" => {
                // Unknown at compile time: the documented answers are 0 and -1.
                let width = inst.ty().int_width() as u16;
                let least = args.get(1).and_then(|arg| arg.as_int()) == Some(1);
                Leaves::from_elem(Operand::int(width, if least { 0 } else { u128::MAX }), 1)
            }
            "threadlocal.address" | "ptr.annotation" | "launder.invariant.group" | "strip.invariant.group" => {
                args.first().map(|arg| Leaves::from_elem(*arg, 1)).unwrap_or_default()
            }
            "get.rounding" => {
                self.require_nearest(Operand::int(32, 0));
                Leaves::from_elem(Operand::int(32, 1), 1)
            }
            _ => self.refuse_intrinsic(inst, format!("llvm.{base}")),
        }
    }

    pub(super) fn call_abort(&mut self) {
        let id = self.module.builtin_id("abort", Builtin::Abort, &[], None);
        let callee = Callee::Direct(id);
        self.emit_effect(Op::Call { callee, args: Vec::new(), variadic: 0, byval_args: Vec::new(), obligation: None });
    }
}

/// True for the intrinsics that on vectors are themselves on each element.
fn is_elementwise(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "ctpop",
        "ctlz",
        "cttz",
        "bswap",
        "bitreverse",
        "smax",
        "smin",
        "umax",
        "umin",
        "abs",
        "fshl",
        "fshr",
        "sadd.sat",
        "uadd.sat",
        "ssub.sat",
        "usub.sat",
        "fabs",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "roundeven",
        "copysign",
        "minnum",
        "maxnum",
        "fma",
        "fmuladd",
    ];
    NAMES.contains(&name)
}

/// Markers for the optimiser that say nothing about what the program does.
fn is_no_op(base: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "dbg.",
        "donothing",
        "prefetch",
        "var.annotation",
        "experimental.noalias.scope.decl",
        "invariant.start",
        "invariant.end",
        "fake.use",
        "sideeffect",
        "pseudoprobe",
        "codeview.annotation",
        "clear_cache",
    ];
    PREFIXES.iter().any(|prefix| base.starts_with(prefix))
}

/// The intrinsic's name without its type suffixes: `ctpop` for `ctpop.i32`, `memcpy` for `memcpy.p0.p0.i64`.
fn prefix(base: &str) -> &str {
    let is_type = |part: &str| {
        let element = part.strip_prefix('v').map_or(part, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        let part = if element.is_empty() { part } else { element };
        let rest = part.trim_start_matches(['i', 'p', 'f', 'v']);
        matches!(part, "inline") || (rest.len() < part.len() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut end = base.len();
    while let Some(dot) = base[..end].rfind('.') {
        if !is_type(&base[dot + 1..end]) {
            break;
        }
        end = dot;
    }
    &base[..end]
}

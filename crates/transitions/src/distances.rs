//! Pointers as numbers: how far each is from one that does not change.
//!
//! *Idea.* A loop that walks through a buffer compares a pointer with one that stays: `for (; p != end; p++)`. Whether it ends is a question about the distance `end - p`, which is
//! a number like any other. [`measure`] makes of a function the same function with integers for pointers: each is its distance from an *origin*, a pointer of the function that
//! is the same in all of the part that is looked at, as a machine integer of the width of an address.
//!
//! **Why that keeps every run.** Addresses are such integers: a run may be given an address for each object such that all that it computes and compares agrees with them. For places in one
//! object are equal if their offsets are, which are computed modulo the number of addresses; places inside of objects that live together differ, as their addresses do; and everything else is answered by
//! addresses (`interpreter`, `places.rs`). So `p + n` has the address of `p` and `n` more, `p - q` is the difference of the addresses, and `p == q` holds if and only if they are equal, all modulo 2^w; and so it is with
//! distances from one fixed address. Of `<` that is not so: within one object it compares offsets, else addresses, and these need not agree beyond an object's bounds. But what is less is not equal: `p < q` is
//! *any truth value that is false if they are equal*, and `p <= q` *any that is true if they are equal*. That holds of valid and invalid pointers alike, so that nothing here rests on an access.
//!
//! Numbers in memory are those of the program: a global whose address the function uses for anything but an access by its name stays one of which that is seen ([`View::named_globals`]).
//!
//! What a load, a call or a cast gives, and the address of an object, may be any distance; that of the null pointer is one that does not change, a parameter more. The name of a stack object is its present life: another one each time that it is used. Only for machine integers.

use belay_base::Span;
use belay_ir::{
    BinaryOp, BlockId, CastOp, Cfg, Dominators, FuncId, Function, GlobalId, Inst, InstId, IntPredicate, LoopNest, Op,
    Operand, Param, Program, Type, ops,
};

use super::part::Part;

/// The pointer from which distances are measured, and whether they are those from it or those to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A parameter; `true` for `p - origin`, `false` for `origin - p`.
    Param(u32, bool),
    /// The value of an instruction, likewise.
    Value(InstId, bool),
    /// The place at this offset in a global, likewise.
    Global(GlobalId, i64, bool),
}

impl Origin {
    fn operand(self) -> Operand {
        match self {
            Origin::Param(param, _) => Operand::Param(param),
            Origin::Value(inst, _) => Operand::Inst(inst),
            Origin::Global(global, offset, _) => Operand::Global { global, offset },
        }
    }

    fn is_upward(self) -> bool {
        match self {
            Origin::Param(_, upward) | Origin::Value(_, upward) | Origin::Global(_, _, upward) => upward,
        }
    }
}

/// True if the origin is a pointer that has one value in each activation of the part: a parameter, or what is computed outside of the loop, or, for all of a function, outside of all loops.
pub fn is_origin(function: &Function, (part, head): (Part, BlockId), origin: Origin) -> bool {
    let inst = match origin {
        Origin::Param(param, _) => return function.params.get(param as usize).is_some_and(|it| it.ty == Type::Ptr),
        Origin::Value(inst, _) => inst,
        // A global lies where it lies as long as the program runs.
        Origin::Global(..) => return true,
    };
    let Some(found) = function.insts.get(inst) else { return false };
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let Some(id) = nest.headed_by(head) else { return false };
    let Some((block, _)) = function.placed_insts().find(|(_, placed)| *placed == inst) else { return false };
    let outside = match part {
        Part::Loop => !nest.contains(id, block),
        Part::Function => nest.iter().all(|(id, _)| !nest.contains(id, block)),
    };
    found.ty == Some(Type::Ptr) && !is_name(function, Operand::Inst(inst)) && outside
}

/// True for the name of a stack object.
fn is_name(function: &Function, operand: Operand) -> bool {
    matches!(operand, Operand::Inst(inst) if matches!(function.insts[inst].op, Op::Alloca { .. }))
}

/// The program in which the pointers of one function are distances. It is to be looked at as a transition system, not run.
pub fn measure(program: &Program, id: FuncId, origin: Origin) -> Program {
    let mut measured = program.clone();
    let width = program.layout.pointer_bits();
    let view = View { function: &program.functions[id], origin, width };
    let function = &mut measured.functions[id];
    for param in function.params.iter_mut().filter(|param| param.ty == Type::Ptr) {
        param.ty = Type::Int(width);
    }
    function.params.push(Param { name: "null".to_owned(), ty: Type::Int(width), byval: None });
    for block in function.blocks.ids().collect::<Vec<_>>() {
        let old = std::mem::take(&mut function.blocks[block].insts);
        let phis = old.iter().take_while(|inst| matches!(view.function.insts[**inst].op, Op::Phi { .. })).count();
        // Whose address is used may be written to in other ways than by its name: that has to be seen, whatever becomes of the instruction that uses it.
        let named: Vec<Operand> = old.iter().flat_map(|inst| view.named_globals(*inst)).collect();
        let mut new = Vec::with_capacity(old.len());
        old[..phis].iter().for_each(|inst| view.rewrite(function, *inst, &mut new));
        view.use_addresses(function, &named, &mut new);
        old[phis..].iter().for_each(|inst| view.rewrite(function, *inst, &mut new));
        function.blocks[block].insts = new;
    }
    measured
}

/// The function as it was.
struct View<'f> {
    function: &'f Function,
    origin: Origin,
    width: u16,
}

impl View<'_> {
    fn is_pointer(&self, operand: Operand) -> bool {
        self.function.operand_type(operand) == Some(Type::Ptr)
    }

    /// The distance of a pointer.
    fn distance(&self, operand: Operand) -> Operand {
        if operand == self.origin.operand() {
            return Operand::int(self.width, 0);
        }
        match operand {
            Operand::Inst(_) if is_name(self.function, operand) => Operand::Undef(Type::Int(self.width)),
            Operand::Inst(_) | Operand::Param(_) | Operand::Int { .. } => operand,
            Operand::Null => Operand::Param(self.function.params.len() as u32),
            Operand::Global { global, offset } => self.place(global, offset),
            Operand::F32(_) | Operand::F64(_) | Operand::Func(_) | Operand::Undef(_) => {
                Operand::Undef(Type::Int(self.width))
            }
        }
    }

    /// The distance of a place in a global: known if the origin is another in the same one.
    fn place(&self, global: GlobalId, offset: i64) -> Operand {
        match self.origin {
            Origin::Global(own, from, upward) if own == global => {
                let beyond = i128::from(offset) - i128::from(from);
                let distance = if upward { beyond } else { -beyond };
                Operand::int(self.width, distance as u128)
            }
            Origin::Global(..) | Origin::Param(..) | Origin::Value(..) => Operand::Undef(Type::Int(self.width)),
        }
    }

    /// An argument: a number, the name of something static, or anything.
    fn handed_on(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Inst(_) | Operand::Param(_) if self.is_pointer(operand) => Operand::Undef(Type::Int(self.width)),
            Operand::Inst(_)
            | Operand::Param(_)
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_)
            | Operand::Undef(_) => operand,
        }
    }

    fn value(&self, operand: Operand) -> Operand {
        if self.is_pointer(operand) { self.distance(operand) } else { operand }
    }

    /// The globals that an instruction names for more than a direct access to a number.
    fn named_globals(&self, inst: InstId) -> Vec<Operand> {
        let Inst { op, ty, .. } = &self.function.insts[inst];
        let accessed = if let Op::Load { ptr, .. } = op {
            (*ty != Some(Type::Ptr)).then_some(*ptr)
        } else if let Op::Store { ptr, value, .. } = op {
            (!self.is_pointer(*value)).then_some(*ptr)
        } else {
            None
        };
        let mut named = Vec::new();
        op.for_each_operand(|operand| {
            if matches!(operand, Operand::Global { .. }) && accessed != Some(*operand) {
                named.push(*operand);
            }
        });
        named
    }

    /// Instructions that use these addresses.
    fn use_addresses(&self, function: &mut Function, globals: &[Operand], placed: &mut Vec<InstId>) {
        for value in globals {
            let op = Op::Cast { op: CastOp::PtrToInt, value: *value };
            placed.push(function.insts.push(Inst { op, ty: Some(Type::Int(self.width)), span: Span::NONE }));
        }
    }

    /// The instruction as one on distances, and what it needs before it.
    fn rewrite(&self, function: &mut Function, inst: InstId, placed: &mut Vec<InstId>) {
        let Inst { op, ty, span } = self.function.insts[inst].clone();
        // What is stored is loaded as anything.
        if let Op::Store { value, .. } = &op
            && self.is_pointer(*value)
        {
            return;
        }
        let op = match op {
            // Calls are passed over: of a pointer that is handed on nothing is asked.
            Op::Call { callee, args, variadic, byval_args, obligation } => {
                let args = args.into_iter().map(|arg| self.handed_on(arg)).collect();
                Op::Call { callee, args, variadic, byval_args, obligation }
            }
            Op::Compare { op, lhs, rhs } if self.is_pointer(lhs) || self.is_pointer(rhs) => {
                self.compare(function, (op, lhs, rhs), span, placed)
            }
            Op::Binary { op: BinaryOp::Sub, lhs, rhs } => {
                self.difference(lhs, rhs).unwrap_or(Op::Binary { op: BinaryOp::Sub, lhs, rhs })
            }
            Op::Cast { op: CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast, .. } => {
                Op::Arbitrary { uninit: None }
            }
            op if ty == Some(Type::Ptr) => self.moved(op),
            op => op,
        };
        function.insts[inst] = Inst { op, ty: ty.map(|ty| self.numeric(ty)), span };
        placed.push(inst);
    }

    fn numeric(&self, ty: Type) -> Type {
        match ty {
            Type::Ptr => Type::Int(self.width),
            Type::Int(_) | Type::F32 | Type::F64 => ty,
        }
    }

    /// A comparison of pointers.
    fn compare(
        &self,
        function: &mut Function,
        (op, lhs, rhs): (IntPredicate, Operand, Operand),
        span: Span,
        placed: &mut Vec<InstId>,
    ) -> Op {
        let (lhs, rhs) = (self.value(lhs), self.value(rhs));
        let (same, connective) = match op {
            IntPredicate::Eq | IntPredicate::Ne => return Op::Compare { op, lhs, rhs },
            IntPredicate::Ult | IntPredicate::Ugt | IntPredicate::Slt | IntPredicate::Sgt => {
                (IntPredicate::Ne, BinaryOp::And)
            }
            IntPredicate::Ule | IntPredicate::Uge | IntPredicate::Sle | IntPredicate::Sge => {
                (IntPredicate::Eq, BinaryOp::Or)
            }
        };
        let mut add = |op: Op| {
            let inst = function.insts.push(Inst { op, ty: Some(Type::BOOL), span });
            placed.push(inst);
            Operand::Inst(inst)
        };
        let same = add(Op::Compare { op: same, lhs, rhs });
        let any = add(Op::Arbitrary { uninit: None });
        Op::Binary { op: connective, lhs: same, rhs: any }
    }

    /// The difference of two pointers.
    fn difference(&self, lhs: Operand, rhs: Operand) -> Option<Op> {
        let (a, b) = (self.distance(self.address(lhs)?), self.distance(self.address(rhs)?));
        let (lhs, rhs) = if self.origin.is_upward() { (a, b) } else { (b, a) };
        Some(Op::Binary { op: BinaryOp::Sub, lhs, rhs })
    }

    /// The pointer whose whole address an integer is.
    fn address(&self, operand: Operand) -> Option<Operand> {
        let Operand::Inst(inst) = operand else { return None };
        let found = &self.function.insts[inst];
        match &found.op {
            Op::Cast { op: CastOp::PtrToInt, value }
                if found.ty == Some(Type::Int(self.width)) && !is_name(self.function, *value) =>
            {
                Some(*value)
            }
            ops!(values)
            | ops!(memory)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => None,
        }
    }

    /// What gives a pointer gives its distance.
    fn moved(&self, op: Op) -> Op {
        match op {
            Op::PtrAdd { base, offset } => {
                let op = if self.origin.is_upward() { BinaryOp::Add } else { BinaryOp::Sub };
                Op::Binary { op, lhs: self.distance(base), rhs: offset }
            }
            Op::Phi { incoming } => {
                Op::Phi { incoming: incoming.into_iter().map(|(from, value)| (from, self.distance(value))).collect() }
            }
            Op::Select { cond, then, otherwise } => {
                Op::Select { cond, then: self.distance(then), otherwise: self.distance(otherwise) }
            }
            Op::Freeze { value } => Op::Freeze { value: self.distance(value) },
            ops!(arithmetic)
            | ops!(floats)
            | ops!(memory)
            | Op::Cast { .. }
            | Op::Arbitrary { .. }
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => Op::Arbitrary { uninit: None },
        }
    }
}

//! What a function that is checked by itself may find in static storage, and what it may write: two functions that the C of entry states declares get
//! their bodies here, where all variables are known, and each write gets an assertion after it.
//!
//! `__belay_any_globals()` gives every variable of the user's files any value. A proof covers all of them. A run has no verdict where it
//! reads one that other files can't name, or one that may hold a pointer, before it has been written: no caller need be able to bring that value about. Variables
//! that are constant keep theirs. `errno` is any number, which any caller can bring about; the rest of the state that models of the library have is as at the start of a program, which verdicts
//! say ([`Program::untouched_library`]).
//!
//! `__belay_is_static(p)`: whether `p` points into such a variable.
//!
//! `__belay_frame(p, n)`, if the program defines it, is called after each write of `n` bytes at `p`, by whatever function, but for writes to objects that
//! the same function declares: these are alive only after the function of interest was entered, so that no frame excludes them. Library functions that are
//! built in and write are refused.
//!
//! `__belay_only_looks(f)` stands before each call of `f` in a clause: nothing where `f` changes nothing, and what ends the run without a verdict otherwise.

use belay_base::Span;
use belay_ir::{
    BinaryOp, Block, Builtin, Callee, FuncId, FuncKind, Function, Inst, InstId, Op, Operand, Program, Terminator, Type,
    changes_nothing, ops,
};
use rustc_hash::FxHashSet;

use super::Translator;
use crate::models::{ERRNO_NUMBER, OVERWRITE};

/// Gives all variables any value.
pub const ANY_GLOBALS: &str = "__belay_any_globals";
const IS_STATIC: &str = "__belay_is_static";
const FRAME: &str = "__belay_frame";

/// Asks that clauses change nothing.
pub const ONLY_LOOKS: &str = "__belay_only_looks";

/// True for the functions whose bodies are made here.
pub fn is_about_statics(name: &str) -> bool {
    matches!(name, ANY_GLOBALS | IS_STATIC)
}

/// Refuses what clauses call if it may do more than look.
pub fn refuse_effects(program: &mut Program) {
    let Some(only_looks) = program.function_named(ONLY_LOOKS) else { return };
    let asked = |op: &Op| match op {
        Op::Call { callee: Callee::Direct(callee), args, .. } if *callee == only_looks => Some(args.first().copied()),
        Op::Call { .. }
        | ops!(values)
        | ops!(memory)
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => None,
    };
    for id in program.functions.ids().collect::<Vec<_>>() {
        let placed: Vec<InstId> = program.functions[id].placed_insts().map(|(_, inst)| inst).collect();
        for inst in placed {
            let Some(function) = asked(&program.functions[id].insts[inst].op) else { continue };
            let name = match function {
                Some(Operand::Func(called)) if changes_nothing(program, called) => None,
                Some(Operand::Func(called)) => Some(program.functions[called].name.clone()),
                Some(_) | None => Some("a function by its address".to_owned()),
            };
            match name {
                None => program.functions[id].blocks.iter_mut().for_each(|block| block.insts.retain(|at| *at != inst)),
                Some(name) => {
                    let what = format!("a clause calls {name}, which may do more than look");
                    program.functions[id].insts[inst].op = Op::Unsupported { what };
                }
            }
        }
    }
}

impl Translator<'_> {
    /// Gives the functions about static storage their bodies.
    pub(super) fn describe_statics(&mut self, user_globals: &FxHashSet<String>) {
        let mut statics: Vec<_> = self.globals.iter().map(|(value, id)| (*id, *value)).collect();
        statics.sort_by_key(|(id, _)| *id);
        statics.retain(|(id, value)| {
            let global = &self.program.globals[*id];
            let is_own = global.name.contains("__belay_") || super::is_stream(*value);
            !global.constant && !is_own && user_globals.contains(&global.name)
        });
        if let Some(id) = self.program.function_named(ANY_GLOBALS) {
            let foreign = self.builtin_id("__belay_foreign", Builtin::Foreign, &[Type::Ptr], None);
            let mut body = Vec::new();
            for (global, value) in &statics {
                let target = Operand::Global { global: *global, offset: 0 };
                body.push((self.any_value(target, self.program.globals[*global].size), None));
                if value.is_local() || self.leads_on(*value) {
                    body.push((call(foreign, vec![target]), None));
                }
            }
            let numbers = self.program.globals.iter_enumerated().filter(|(_, global)| global.name == ERRNO_NUMBER);
            let numbers: Vec<_> = numbers.map(|(id, global)| (id, global.size)).collect();
            for (global, size) in numbers {
                body.push((self.any_value(Operand::Global { global, offset: 0 }, size), None));
            }
            set_body(&mut self.program.functions[id], body, |_| Vec::new());
        }
        if let Some(id) = self.program.function_named(IS_STATIC) {
            let same = self.builtin_id(
                "__belay_same_object",
                Builtin::SameObject,
                &[Type::Ptr, Type::Ptr],
                Some(Type::Int(32)),
            );
            let mut body: Vec<(Op, Option<Type>)> = Vec::new();
            for (index, (global, _)) in statics.iter().enumerate() {
                let target = Operand::Global { global: *global, offset: 0 };
                body.push((call(same, vec![Operand::Param(0), target]), Some(Type::Int(32))));
                if index > 0 {
                    let before = if index == 1 { 0 } else { 2 * index as u32 - 2 };
                    let (lhs, rhs) = (Operand::Inst(InstId(before)), Operand::Inst(InstId(2 * index as u32 - 1)));
                    body.push((Op::Binary { op: BinaryOp::Or, lhs, rhs }, Some(Type::Int(32))));
                }
            }
            set_body(&mut self.program.functions[id], body, |last| {
                vec![last.map_or(Operand::int(32, 0), Operand::Inst)]
            });
        }
    }

    fn any_value(&self, target: Operand, size: Option<u64>) -> Op {
        match (self.program.function_named(OVERWRITE), size, self.program.layout.address_type()) {
            (Some(overwrite), Some(size), Type::Int(width)) => {
                call(overwrite, vec![target, Operand::int(width, size.into())])
            }
            _ => Op::Unsupported { what: "a global of unknown size".to_owned() },
        }
    }
}

fn call(function: FuncId, args: Vec<Operand>) -> Op {
    Op::Call { callee: Callee::Direct(function), args, variadic: 0, byval_args: Vec::new(), obligation: None }
}

/// One block of instructions, in order.
fn set_body(function: &mut Function, body: Vec<(Op, Option<Type>)>, result: impl Fn(Option<InstId>) -> Vec<Operand>) {
    function.kind = FuncKind::Defined;
    function.is_model = true;
    let insts: Vec<InstId> =
        body.into_iter().map(|(op, ty)| function.insts.push(Inst { op, ty, span: Span::NONE })).collect();
    let term = Terminator::Return(result(insts.last().copied()));
    function.blocks.push(Block { name: "entry".to_owned(), insts, term, term_span: Span::NONE });
}

/// Puts the assertion about frames after each write.
pub fn check_writes(program: &mut Program) {
    let Some(frame) = program.function_named(FRAME).filter(|id| program.functions[*id].is_defined()) else { return };
    program.functions[frame].is_model = true;
    let pointer_bytes = program.layout.pointer_bytes();
    let Type::Int(width) = program.layout.address_type() else { return };
    let builtins: Vec<Option<Builtin>> = program
        .functions
        .iter()
        .map(|function| match function.kind {
            FuncKind::Builtin(builtin) => Some(builtin),
            FuncKind::Defined | FuncKind::Extern => None,
        })
        .collect();
    for (id, function) in program.functions.ids().collect::<Vec<_>>().into_iter().zip(program.functions.iter_mut()) {
        if id == frame || function.builds_entry() || is_about_statics(&function.name) || !function.is_defined() {
            continue;
        }
        for block in function.blocks.ids().collect::<Vec<_>>() {
            let mut insts = Vec::new();
            for inst in std::mem::take(&mut function.blocks[block].insts) {
                let span = function.insts[inst].span;
                let size = |bytes: u64| Operand::int(width, bytes.into());
                let check = match &function.insts[inst].op {
                    Op::Store { ptr, value, .. } => {
                        let bytes =
                            function.operand_type(*value).map_or(pointer_bytes, |ty| bytes_of(ty, pointer_bytes));
                        (!is_own(function, *ptr)).then(|| call(frame, vec![*ptr, size(bytes)]))
                    }
                    Op::MemCopy { dst, len, .. } | Op::MemSet { dst, len, .. } => {
                        (!is_own(function, *dst)).then(|| call(frame, vec![*dst, *len]))
                    }
                    Op::Call { callee: Callee::Direct(callee), .. } => match builtins[callee.0 as usize] {
                        Some(Builtin::Sprintf | Builtin::Snprintf | Builtin::Vsprintf | Builtin::Vsnprintf) => {
                            Some(Op::Unsupported { what: "a formatted write under an assigns clause".to_owned() })
                        }
                        Some(_) | None => None,
                    },
                    Op::VaStart { list: dst, .. } | Op::VaCopy { dst, .. } => (!is_own(function, *dst)).then(|| {
                        Op::Unsupported { what: "a list of arguments written under an assigns clause".to_owned() }
                    }),
                    // What is called through a pointer checks its own writes; the others write nothing.
                    Op::Call { callee: Callee::Indirect(..), .. }
                    | ops!(values)
                    | ops!(lives)
                    | Op::Load { .. }
                    | Op::VaEnd { .. }
                    | Op::Extract { .. }
                    | Op::Check { .. }
                    | Op::Unsupported { .. } => None,
                };
                // A write that is invalid says so itself: of a pointer that leads nowhere a frame can't be asked.
                insts.push(inst);
                insts.extend(check.map(|op| function.insts.push(Inst { op, ty: None, span })));
            }
            function.blocks[block].insts = insts;
        }
    }
}

fn bytes_of(ty: Type, pointer_bytes: u64) -> u64 {
    match ty {
        Type::Int(width) => u64::from(width).div_ceil(8),
        Type::F32 => 4,
        Type::F64 => 8,
        Type::Ptr => pointer_bytes,
    }
}

/// True for a place in an object that the function itself declares.
fn is_own(function: &Function, mut place: Operand) -> bool {
    loop {
        let Operand::Inst(id) = place else { return false };
        match &function.insts[id].op {
            Op::PtrAdd { base, .. } => place = *base,
            Op::Alloca { .. } => return true,
            _ => return false,
        }
    }
}

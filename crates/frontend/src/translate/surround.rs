//! What stands around calls of the library that have a built-in meaning: they know neither streams nor `errno`.
//!
//! - **Streams.** Before output to a stream a model looks whether that is one and is open (C17 7.21.3p4), as the models of other functions on streams do themselves.
//!   `stdout` and its kin need no look where the program closes no stream and does not assign to them.
//! - **`errno`**, in programs that ask for it. An allocation that gives null sets `ENOMEM` (POSIX). Any other call may set it to a positive number though nothing failed
//!   (C17 7.5p3; stdio does, when it finds that a stream is no terminal): proofs cover that, and no violation rests on it. Whether one did is decided before the next
//!   read, so that runs that write `errno` first need not decide it. Sound since every read is seen: where the address of `errno` is used for anything but a load or a
//!   store right there, it is decided at the call instead.

use std::collections::BTreeSet;

use belay_base::Span;
use belay_ir::{
    Builtin, Callee, FuncId, FuncKind, Function, Global, GlobalId, Inst, InstId, Op, Operand, Program, Target, Type,
};

use crate::models::{
    CLOSE, ERRNO, ERRNO_AFTER, ERRNO_ALLOCATED, ERRNO_LAZILY, ERRNO_READ, ERRNO_WRITE, OUTPUT_RESULT, STDOUT_OPEN,
    STREAM, TO_STDOUT, WRITERS, set_option,
};

/// Functions with a model that do not speak of `errno` where they succeed.
const SILENT: &[&str] = &["fopen", "fclose", "fflush", "fgets", "fgetc", "getc", "getchar", "fread", "fwrite"];

/// What is called around calls of the library.
struct Around<'p> {
    program: &'p Program,
    stream: Option<FuncId>,
    /// What looks at `stdout`, where the program may close it.
    stdout_open: Option<FuncId>,
    /// Streams that need no look.
    sure: BTreeSet<GlobalId>,
    errno: Option<(FuncId, FuncId)>,
    /// Whether streams are those whose content is fixed, which say themselves where they succeed.
    is_fixed: bool,
    /// What gives the result of output that may fail.
    output: Option<FuncId>,
    /// Where `errno` is, what is called before it is read and before it is written, if that decides what calls did to it.
    lazily: Option<(FuncId, FuncId, FuncId)>,
}

/// Surrounds the calls in the program's own functions, and in those that stand behind the addresses of library functions (`wrappers`).
pub fn surround_calls(program: &mut Program, wrappers: &[FuncId]) {
    let errno = program.function_named(ERRNO_ALLOCATED).zip(program.function_named(ERRNO_AFTER));
    let named = |name: &str| program.function_named(name);
    let lazily = named(ERRNO).zip(named(ERRNO_READ)).zip(named(ERRNO_WRITE));
    let is_seen = errno_is_seen(program);
    let lazily = lazily.map(|((errno, read), write)| (errno, read, write)).filter(|_| is_seen);
    let around = Around {
        lazily,
        output: named(OUTPUT_RESULT),
        stdout_open: named(STDOUT_OPEN),
        is_fixed: program.globals.iter().any(|global| global.name == "__belay_files"),
        program,
        stream: program.function_named(STREAM),
        sure: sure_streams(program),
        errno: errno.filter(|_| asks_for_errno(program)),
    };
    let is_own = |id: FuncId, function: &Function| !function.is_model || wrappers.contains(&id);
    let own = program.functions.iter_enumerated();
    let own = own.filter(|(id, function)| function.is_defined() && is_own(*id, function));
    let changed: Vec<(FuncId, Function)> =
        own.filter_map(|(id, function)| around.surround(function).map(|changed| (id, changed))).collect();
    for (id, function) in changed {
        program.functions[id] = function;
    }
    set_option(program, ERRNO_LAZILY, is_seen);
}

/// True if the program uses the address of `errno` to load from it and to store to it only.
fn errno_is_seen(program: &Program) -> bool {
    let Some(errno) = program.function_named(ERRNO) else { return true };
    let own = program.functions.iter().filter(|function| !function.is_model);
    own.flat_map(|function| {
        let asked = function.insts.iter_enumerated().filter(|(_, inst)| callee(&inst.op) == Some(errno));
        asked.map(move |(id, _)| (function, id))
    })
    .all(|(function, id)| uses_of(function, id).is_some())
        && !program.functions.iter().any(|function| takes_address(function, errno))
        && !program.globals.iter().any(|global| holds_address(global, errno))
}

fn takes_address(function: &Function, of: FuncId) -> bool {
    let mut found = false;
    let mut look = |operand: &Operand| found |= *operand == Operand::Func(of);
    function.insts.iter().for_each(|inst| inst.op.for_each_operand(&mut look));
    function.blocks.iter().for_each(|block| block.term.for_each_operand(&mut look));
    found
}

fn holds_address(global: &Global, of: FuncId) -> bool {
    let relocations = global.init.iter().flat_map(|init| &init.relocations);
    relocations.into_iter().any(|relocation| relocation.target == Target::Func(of))
}

/// Whether what is at the address that `id` gives is read; `None` if it is used otherwise than by loads and stores.
fn uses_of(function: &Function, id: InstId) -> Option<bool> {
    let (mut reads, mut other) = (false, false);
    let is_it = |operand: &Operand| *operand == Operand::Inst(id);
    for inst in function.insts.iter() {
        match &inst.op {
            Op::Load { ptr, .. } => reads |= is_it(ptr),
            Op::Store { value, .. } => other |= is_it(value),
            op => op.for_each_operand(|operand| other |= is_it(operand)),
        }
    }
    for block in function.blocks.iter() {
        block.term.for_each_operand(|operand| other |= is_it(operand));
        // Behind another call the value may be a new one.
        let from = block.insts.iter().skip_while(|inst| **inst != id).skip(1);
        let mut behind = from.skip_while(|inst| !matches!(function.insts[**inst].op, Op::Call { .. }));
        other |= behind.any(|inst| matches!(&function.insts[*inst].op, Op::Load { ptr, .. } if is_it(ptr)));
        let is_there = block.insts.contains(&id);
        let reads_it = |inst: &&InstId| matches!(&function.insts[**inst].op, Op::Load { ptr, .. } if is_it(ptr));
        other |= !is_there && block.insts.iter().any(|inst| reads_it(&inst));
    }
    (!other).then_some(reads)
}

fn asks_for_errno(program: &Program) -> bool {
    let Some(errno) = program.function_named(ERRNO) else { return false };
    let asks = |function: &Function| function.insts.iter().any(|inst| callee(&inst.op) == Some(errno));
    program.functions.iter().filter(|function| !function.is_model).any(asks)
}

fn callee(op: &Op) -> Option<FuncId> {
    match op {
        Op::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        _ => None,
    }
}

/// The standard streams, if none is closed or assigned to.
fn sure_streams(program: &Program) -> BTreeSet<GlobalId> {
    if program.function_named(CLOSE).is_some() {
        return BTreeSet::new();
    }
    let is_standard = |name: &str| matches!(name, "stdin" | "stdout" | "stderr");
    let standard = program.globals.iter_enumerated().filter(|(_, global)| is_standard(&global.name));
    let mut sure: BTreeSet<GlobalId> = standard.map(|(id, _)| id).collect();
    // A load is all that may look at them.
    let mut look = |operand: &Operand| {
        if let Operand::Global { global, .. } = operand {
            sure.remove(global);
        }
    };
    for function in program.functions.iter() {
        let others = function.insts.iter().filter(|inst| !matches!(inst.op, Op::Load { .. }));
        others.for_each(|inst| inst.op.for_each_operand(&mut look));
        function.blocks.iter().for_each(|block| block.term.for_each_operand(&mut look));
    }
    for relocation in
        program.globals.iter().filter_map(|global| global.init.as_ref()).flat_map(|init| &init.relocations)
    {
        match relocation.target {
            Target::Global(global) => drop(sure.remove(&global)),
            Target::Func(_) => {}
        }
    }
    sure
}

impl Around<'_> {
    fn surround(&self, function: &Function) -> Option<Function> {
        let mut changed = function.clone();
        for (block, body) in function.blocks.iter_enumerated() {
            let mut insts = Vec::new();
            for inst in &body.insts {
                insts.extend(self.before(function, *inst).map(|call| changed.insts.push(call)));
                insts.push(*inst);
                insts.extend(self.replace_result(function, *inst, &mut changed));
                insts.extend(self.after(function, *inst).map(|call| changed.insts.push(call)));
            }
            changed.blocks[block].insts = insts;
        }
        (changed.insts.len() > function.insts.len()).then_some(changed)
    }

    /// The result of output that may fail, in place of what the built-in function gives.
    fn replace_result(&self, function: &Function, inst: InstId, changed: &mut Function) -> Option<InstId> {
        let output = self.output?;
        let Inst { op, span, ty } = &function.insts[inst];
        let Op::Call { callee: Callee::Direct(callee), .. } = op else { return None };
        let FuncKind::Builtin(builtin) = self.program.functions[*callee].kind else { return None };
        if !is_output(builtin) || *ty != Some(Type::Int(32)) {
            return None;
        }
        let result = Operand::Inst(inst);
        let id = changed.insts.push(call(output, vec![Operand::Undef(Type::Int(32))], Some(Type::Int(32)), *span));
        let replace = |operand: &mut Operand| {
            if *operand == result {
                *operand = Operand::Inst(id);
            }
        };
        changed.insts.iter_mut().for_each(|other| other.op.for_each_operand_mut(replace));
        changed.blocks.iter_mut().for_each(|block| block.term.for_each_operand_mut(replace));
        if let Op::Call { args, .. } = &mut changed.insts[id].op {
            args[0] = result;
        }
        Some(id)
    }

    fn before(&self, function: &Function, inst: InstId) -> Option<Inst> {
        let Inst { op, span, .. } = &function.insts[inst];
        let Op::Call { callee: Callee::Direct(callee), args, .. } = op else { return None };
        if let Some((_, read, write)) = self.lazily.filter(|(errno, ..)| errno == callee) {
            return Some(match uses_of(function, inst)? {
                true => call(read, Vec::new(), None, *span),
                false => call(write, Vec::new(), Some(Type::Ptr), *span),
            });
        }
        let called = &self.program.functions[*callee];
        let builtin = matches!(called.kind, FuncKind::Builtin(_));
        if builtin && TO_STDOUT.contains(&called.name.as_str()) {
            return self.stdout_open.map(|look| call(look, Vec::new(), None, *span));
        }
        let (_, at) = WRITERS.iter().find(|(name, _)| builtin && called.name == *name)?;
        let stream = *args.get(*at)?;
        let is_pointer = function.operand_type(stream) == Some(Type::Ptr);
        let look = self.stream.filter(|_| is_pointer && !self.is_sure(function, stream))?;
        Some(call(look, vec![stream], Some(Type::Ptr), *span))
    }

    fn is_sure(&self, function: &Function, stream: Operand) -> bool {
        let Operand::Inst(inst) = stream else { return false };
        match function.insts[inst].op {
            Op::Load { ptr: Operand::Global { global, offset: 0 }, .. } => self.sure.contains(&global),
            _ => false,
        }
    }

    fn after(&self, function: &Function, inst: InstId) -> Option<Inst> {
        let (allocated, after) = self.errno?;
        let Inst { op, span, ty } = &function.insts[inst];
        let Op::Call { callee: Callee::Direct(callee), args, .. } = op else { return None };
        let called = &self.program.functions[*callee];
        let FuncKind::Builtin(builtin) = called.kind else {
            let is_silent = called.is_model && !self.is_fixed && SILENT.contains(&called.name.as_str());
            return is_silent.then(|| call(after, Vec::new(), None, *span));
        };
        let bits = self.program.layout.pointer_bits();
        let size = match builtin {
            Builtin::Malloc => args.first(),
            Builtin::Realloc => args.get(1),
            // Null is never what there is instead of an empty block.
            Builtin::Calloc => Some(&Operand::Int { width: bits, value: 1 }),
            // The root of a negative number sets it (C17 7.12.1p2, where `math_errhandling` says so).
            Builtin::Sqrt | Builtin::Sqrtf => return Some(call(after, Vec::new(), None, *span)),
            _ => return is_output(builtin).then(|| call(after, Vec::new(), None, *span)),
        };
        let size = *size.filter(|size| function.operand_type(**size) == Some(Type::Int(bits)))?;
        (*ty == Some(Type::Ptr)).then(|| call(allocated, vec![Operand::Inst(inst), size], None, *span))
    }
}

fn is_output(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Printf
            | Builtin::Fprintf
            | Builtin::Vprintf
            | Builtin::Vfprintf
            | Builtin::Puts
            | Builtin::Fputs
            | Builtin::Putchar
            | Builtin::Perror
    )
}

fn call(callee: FuncId, args: Vec<Operand>, ty: Option<Type>, span: Span) -> Inst {
    let callee = Callee::Direct(callee);
    Inst { op: Op::Call { callee, args, variadic: 0, byval_args: Vec::new(), obligation: None }, ty, span }
}

//! Runs that never end, by a proof that a run can't end.
//!
//! A closed recurrent set (Chen, Cook, Fuhs, Nimkar, O'Hearn, TACAS 2014) over bit-vectors is an invariant that no way out of a loop agrees
//! with. So the question whether the program need not end becomes one of safety: fix the inputs, each place that asks getting the same
//! value for ever; make every end of a run a violation (returning from the entry function, `exit` and `abort`, an assumption that fails, a division by
//! zero); and prove that none is reached. Nor may a signed operation overflow on which the course of the run depends: the value would wrap and the run go on,
//! but a loop that goes on only because its counter overflows is one that many would say ends. A violated assertion and an invalid access end a run as well: they are violations already. The
//! program with fixed inputs has a run, since every program has; that run never ends, and it is one of the program.
//!
//! Undefined bytes all get one value, which is a choice that a run may make. Inputs that are not fixed, addresses and failing allocations stay
//! open: the proof covers all of them. The proof is by k-induction and checked as such, but here the second solver must agree. The interpreter
//! follows the beginning of the run.

use std::collections::BTreeSet;

use belay_base::{Budget, Exhausted};
use belay_expression::{Binary, Expr};
use belay_interpreter::{FixedInput, Interpreter, RunEnd, RunReport, Seeded};
use belay_ir::{
    BinaryOp, BlockId, Builtin, Callee, FuncId, FuncKind, Function, Inst, InstId, IntPredicate, IntegerModel,
    Obligation, ObligationDetail, ObligationId, Op, Operand, OverflowOp, Program, Property, Standing, Terminator, Type,
};
use belay_passes::pipeline;
use belay_rules::{Choice, ChoiceSource, Request, RequestKind, Scalar};
use dashu::base::RemEuclid;
use dashu::integer::IBig;

use crate::answerer::Answerer;
use crate::endless::Recurrence;
use crate::induction::{self, Induction};
use crate::task::Task;
use crate::unrolled::Recheck;

/// A run that can't end.
#[derive(Clone, PartialEq, Debug)]
pub struct Unending {
    /// What the inputs are, by place.
    pub fixed: Fixed,
    /// Why no end is reached then.
    pub induction: Induction,
}

/// Choices that are made beforehand.
#[derive(Clone, PartialEq, Debug)]
pub struct Fixed {
    /// The inputs of some places.
    pub inputs: Vec<FixedInput>,
    /// Every undefined byte.
    pub fill: u8,
}

/// Instructions of the replay, and of what is shown of it.
const REPLAY_STEPS: u64 = 300_000;
const SHOWN_STEPS: u64 = 2_000;

/// Checks that the program with fixed inputs has no run that ends; the beginning of its run.
pub fn check(task: &Task<'_>, claim: &Unending, budget: &Budget) -> Result<(RunReport, Vec<Recurrence>), String> {
    let program = without_end(task.program, task.config.entry, task.integers(), &claim.fixed)?;
    let closed = Task { program: &program, simplified: &program, config: task.config.clone() };
    match induction::check(&closed, Property::UnreachCall, &claim.induction, Answerer::Second, budget)? {
        Recheck::Done => {}
        Recheck::Skipped(reason) => return Err(reason),
    }
    let interpreter = Interpreter::new(task.program, task.config.clone());
    let mut source = Given::new(&claim.fixed);
    let report = interpreter.run(&mut source, &budget.slice(REPLAY_STEPS));
    // Whether an input is within its type shows when the interpreter is given it.
    if !source.used.iter().all(|used| *used) {
        return Err("a fixed input is never asked for".to_owned());
    }
    match &report.end {
        RunEnd::Exhausted(Exhausted::Steps) | RunEnd::Recurs { .. } => {
            let beginning = interpreter.run(&mut Given::new(&claim.fixed), &budget.slice(SHOWN_STEPS));
            Ok((beginning, describe(&program, claim)))
        }
        end => Err(format!("the run does not go on but ends with {end:?}")),
    }
}

fn describe(program: &Program, claim: &Unending) -> Vec<Recurrence> {
    let input = |input: &FixedInput| {
        let Choice::Input(value) = &input.choice else { return None };
        let text = value.to_string();
        let number = Expr::name(text.rsplit(' ').next().unwrap_or_default());
        Some(Expr::binary(Binary::Equal, Expr::call(input.name.as_deref()?, Vec::new()), number))
    };
    let states: Vec<Expr> = claim.fixed.inputs.iter().filter_map(input).collect();
    let loops = claim.induction.cutting.cuts.keys().map(|place| {
        let (function, span) = crate::ranking::locate(program, (place.function, place.head));
        Recurrence { function, span, states: states.clone() }
    });
    loops.collect()
}

/// Gives the fixed choices, and others from a seed.
struct Given<'f> {
    fixed: &'f Fixed,
    used: Vec<bool>,
    rest: Seeded,
}

impl<'f> Given<'f> {
    fn new(fixed: &'f Fixed) -> Self {
        Given { fixed, used: vec![false; fixed.inputs.len()], rest: Seeded::new(0) }
    }
}

impl ChoiceSource for Given<'_> {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        let known = self.fixed.inputs.iter().position(|input| input.answers(request));
        match (&request.kind, known) {
            (_, Some(index)) => {
                self.used[index] = true;
                Some(self.fixed.inputs[index].choice.clone())
            }
            (RequestKind::Undefined, None) => Some(Choice::Undefined(self.fixed.fill)),
            (_, None) => self.rest.choose(request),
        }
    }
}

/// The program, simplified, with fixed choices, in which every end of a run violates `unreach-call`.
pub fn without_end(program: &Program, entry: FuncId, integers: IntegerModel, fixed: &Fixed) -> Result<Program, String> {
    if integers != IntegerModel::Machine {
        return Err("not in the unbounded model".to_owned());
    }
    let bearing = bearing(program, entry, integers)?;
    let mut closed = program.clone();
    for obligation in closed.obligations.iter_mut() {
        if obligation.detail == ObligationDetail::DivisionByZero {
            obligation.property = Property::UnreachCall;
        }
    }
    for id in closed.functions.ids().collect::<Vec<_>>() {
        if closed.functions[id].is_defined() {
            close(&mut closed, id, id == entry, fixed, &bearing);
        }
    }
    pipeline(&mut closed, integers).map_err(|error| error.to_string())?;
    for function in closed.functions.iter_mut() {
        for inst in function.insts.iter_mut() {
            if let (Op::Arbitrary { uninit: Some(_) }, Some(Type::Int(width))) = (&inst.op, inst.ty) {
                let value = u128::from_le_bytes([fixed.fill; 16]);
                inst.op = Op::Freeze { value: int(width, value) };
            }
        }
    }
    pipeline(&mut closed, integers).map_err(|error| error.to_string())?;
    Ok(closed)
}

fn int(width: u16, bits: u128) -> Operand {
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    Operand::Int { width, value: bits & mask }
}

fn close(program: &mut Program, id: FuncId, is_entry: bool, fixed: &Fixed, bearing: &BTreeSet<(FuncId, InstId)>) {
    for block in program.functions[id].blocks.ids().collect::<Vec<_>>() {
        let insts = std::mem::take(&mut program.functions[id].blocks[block].insts);
        for inst in insts {
            // An error label is no end: only `unreach-call` knows it, and in this program that asks for ends.
            if is_error_mark(program, id, inst) {
                continue;
            }
            if bearing.contains(&(id, inst)) {
                forbid_overflow(program, (id, block), inst);
            }
            let builtin = called_builtin(program, id, inst);
            match builtin {
                Some((Builtin::Nondet, _)) => fix(program, id, inst, fixed),
                Some((Builtin::Assume, Some(cond))) => check_nonzero(program, (id, block), inst, cond),
                Some((builtin, _)) if builtin.ends_run() => forbid(program, (id, block), inst),
                Some(_) | None => {}
            }
            program.functions[id].blocks[block].insts.push(inst);
        }
        if is_entry && matches!(program.functions[id].blocks[block].term, Terminator::Return(_)) {
            let span = program.functions[id].blocks[block].term_span;
            let obligation = oblige(program, id, span);
            let op = Op::Check { cond: int(1, 0), obligation };
            push(program, (id, block), Inst { op, ty: None, span });
        }
    }
}

fn is_error_mark(program: &Program, id: FuncId, inst: InstId) -> bool {
    let Op::Check { obligation, .. } = &program.functions[id].insts[inst].op else { return false };
    matches!(program.obligations[*obligation].detail, ObligationDetail::ErrorReached(_))
}

/// Makes it a violation if a signed operation overflows. Operations that do not look whether they do are not signed.
fn forbid_overflow(program: &mut Program, place: (FuncId, BlockId), inst: InstId) {
    let function = &program.functions[place.0];
    let Some(overflows) = checked_overflow(function, inst) else { return };
    let span = function.insts[inst].span;
    let obligation = oblige(program, place.0, span);
    let overflows = push(program, place, Inst { op: overflows, ty: Some(Type::BOOL), span });
    let fits = Op::Binary { op: BinaryOp::Xor, lhs: Operand::Inst(overflows), rhs: int(1, 1) };
    let fits = push(program, place, Inst { op: fits, ty: Some(Type::BOOL), span });
    push(program, place, Inst { op: Op::Check { cond: Operand::Inst(fits), obligation }, ty: None, span });
}

/// Whether an operation overflows, if the program itself looks.
fn checked_overflow(function: &Function, inst: InstId) -> Option<Op> {
    let Op::Binary { op, lhs, rhs } = function.insts[inst].op else { return None };
    let op = match op {
        BinaryOp::Add => OverflowOp::Add,
        BinaryOp::Sub => OverflowOp::Sub,
        BinaryOp::Mul => OverflowOp::Mul,
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => return None,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => return None,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => return None,
    };
    let overflows = Op::Overflows { op, signed: true, lhs, rhs };
    function.insts.iter().any(|other| other.op == overflows).then_some(overflows)
}

/// The operations that what a run does depends on, whatever its inputs: what is left when nobody looks whether they overflow.
fn bearing(program: &Program, entry: FuncId, integers: IntegerModel) -> Result<BTreeSet<(FuncId, InstId)>, String> {
    let mut rest = program.clone();
    for function in rest.functions.iter_mut() {
        for inst in function.insts.iter_mut() {
            if let Op::Overflows { signed: true, .. } = inst.op {
                inst.op = Op::Freeze { value: int(1, 0) };
            }
        }
    }
    // What a run gives back at its end is no part of its course.
    for block in rest.functions[entry].blocks.iter_mut() {
        if let Terminator::Return(values) = &mut block.term {
            for value in values.iter_mut() {
                if let Some(width) = program.functions[entry].operand_type(*value).and_then(Type::int_width) {
                    *value = int(width, 0);
                }
            }
        }
    }
    pipeline(&mut rest, integers).map_err(|error| error.to_string())?;
    let ids: Vec<FuncId> = rest.functions.ids().collect();
    let placed = ids.into_iter().flat_map(|id| {
        let placed: Vec<InstId> = rest.functions[id].placed_insts().map(|(_, inst)| inst).collect();
        placed.into_iter().map(move |inst| (id, inst))
    });
    Ok(placed.collect())
}

fn push(program: &mut Program, (id, block): (FuncId, BlockId), inst: Inst) -> InstId {
    let function = &mut program.functions[id];
    let inst = function.insts.push(inst);
    function.blocks[block].insts.push(inst);
    inst
}

/// The built-in function that an instruction calls, and its first argument.
fn called_builtin(program: &Program, id: FuncId, inst: InstId) -> Option<(Builtin, Option<Operand>)> {
    let Op::Call { callee: Callee::Direct(callee), args, .. } = &program.functions[id].insts[inst].op else {
        return None;
    };
    match program.functions[*callee].kind {
        FuncKind::Builtin(builtin) => Some((builtin, args.first().copied())),
        FuncKind::Defined | FuncKind::Extern => None,
    }
}

fn fix(program: &mut Program, id: FuncId, inst: InstId, fixed: &Fixed) {
    let instruction = &program.functions[id].insts[inst];
    let Op::Call { callee: Callee::Direct(callee), .. } = &instruction.op else { return };
    let name = &program.functions[*callee].name;
    let here = |input: &&FixedInput| input.span == instruction.span && input.name.as_ref() == Some(name);
    let given = fixed.inputs.iter().find(here).map(|input| &input.choice);
    if let (Some(Choice::Input(Scalar::Int { width, value })), Some(Type::Int(own))) = (given, instruction.ty)
        && *width == own
    {
        let bits = value.clone().rem_euclid(&(IBig::from(1) << usize::from(own)));
        let value = int(own, u128::try_from(&bits).unwrap_or_default());
        program.functions[id].insts[inst].op = Op::Freeze { value };
    }
}

fn oblige(program: &mut Program, function: FuncId, span: belay_base::Span) -> ObligationId {
    let same = |known: &&Obligation| known.function == function && known.property == Property::UnreachCall;
    let number = program.obligations.iter().filter(same).map(|known| known.number).max().unwrap_or(0) + 1;
    let detail = ObligationDetail::ErrorCall("the end of the run".to_owned());
    program.obligations.push(Obligation {
        property: Property::UnreachCall,
        function,
        number,
        span,
        detail,
        standing: Standing::Asked,
    })
}

/// Makes what comes here a violation.
fn forbid(program: &mut Program, place: (FuncId, BlockId), inst: InstId) {
    let span = program.functions[place.0].insts[inst].span;
    let obligation = oblige(program, place.0, span);
    push(program, place, Inst { op: Op::Check { cond: int(1, 0), obligation }, ty: None, span });
}

/// Makes an assumption an obligation.
fn check_nonzero(program: &mut Program, place: (FuncId, BlockId), inst: InstId, value: Operand) {
    let function = &program.functions[place.0];
    let span = function.insts[inst].span;
    let Some(width) = function.operand_type(value).and_then(Type::int_width) else {
        return forbid(program, place, inst);
    };
    let obligation = oblige(program, place.0, span);
    let cond = if width == 1 {
        value
    } else {
        let op = Op::Compare { op: IntPredicate::Ne, lhs: value, rhs: int(width, 0) };
        Operand::Inst(push(program, place, Inst { op, ty: Some(Type::BOOL), span }))
    };
    push(program, place, Inst { op: Op::Check { cond, obligation }, ty: None, span });
}

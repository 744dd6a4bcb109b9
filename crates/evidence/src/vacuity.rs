//! Proofs that say nothing: every run was assumed away, or none meets the precondition.
//!
//! Both are questions of safety about a changed program. In the one every end of a run but a failed assumption violates `unreach-call`: returning from the
//! entry function, `exit` and its kin, a division by zero. A failed assertion does already. A proof of `unreach-call` by
//! unrolling then shows that every run ends at an assumption: it also excludes runs beyond its bounds, endless ones among them, and
//! invalid accesses. Other proofs would not exclude the former, and do not count. In the other program the call of the function that the user asked about
//! is the violation, and any proof will do.

use belay_ir::{
    Builtin, Callee, ENTRY_BUILDER, FuncId, FuncKind, Inst, InstId, Obligation, ObligationDetail, Op, Operand, Program,
    Property, Standing, Terminator, ops,
};
use belay_passes::pipeline;

use crate::structure;
use crate::task::Task;
use crate::verdict::{Answer, Assumption, Proof, Verdict};

/// What a proof may be empty of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vacuity {
    /// Every run ends at an assumption that does not hold.
    Assumptions,
    /// No run meets the precondition.
    Precondition,
}

/// A program in which `unreach-call` says that the proofs of another are empty.
pub struct Closed {
    program: Program,
    simplified: Program,
    of: Vacuity,
}

impl Closed {
    /// The program for this question; none if the question does not arise.
    pub fn new(task: &Task<'_>, of: Vacuity) -> Option<Closed> {
        let mut program = task.program.clone();
        match of {
            Vacuity::Assumptions => {
                if !assumes(task) {
                    return None;
                }
                forbid_ends(&mut program, task.config.entry);
            }
            Vacuity::Precondition => forbid_entering(&mut program)?,
        }
        let mut simplified = program.clone();
        pipeline(&mut simplified, task.config.integers).ok()?;
        Some(Closed { program, simplified, of })
    }

    /// What to verify.
    pub fn task(&self, original: &Task<'_>) -> Task<'_> {
        Task { program: &self.program, simplified: &self.simplified, config: original.config.clone() }
    }

    /// Whether these verdicts about it show that the other program's proofs are empty.
    pub fn is_shown(&self, verdicts: &[Verdict]) -> bool {
        verdicts.iter().any(|verdict| match (verdict.answer(), self.of) {
            (Answer::True(Proof::Unrolled(_)), Vacuity::Assumptions) => is_certain(verdict),
            (Answer::True(_), Vacuity::Precondition) => is_certain(verdict),
            (Answer::True(_) | Answer::False(_) | Answer::Unknown(_), _) => false,
        })
    }
}

/// `unreach-call` of runs up to their first invalid access; there is none where all are followed by unrolling, as an invalid access speaks against that proof.
fn is_certain(verdict: &Verdict) -> bool {
    verdict.property() == Property::UnreachCall
        && !verdict.assumptions().iter().any(|assumption| matches!(assumption, Assumption::NotRechecked(_)))
}

/// True if the program can come to an assumption.
fn assumes(task: &Task<'_>) -> bool {
    let functions = &task.simplified.functions;
    structure::reachable(task).iter().any(|id| functions[*id].kind == FuncKind::Builtin(Builtin::Assume))
}

fn forbid_ends(program: &mut Program, entry: FuncId) {
    for obligation in program.obligations.iter_mut() {
        if obligation.detail == ObligationDetail::DivisionByZero {
            obligation.property = Property::UnreachCall;
        }
    }
    for id in program.functions.ids().collect::<Vec<_>>() {
        for block in program.functions[id].blocks.ids().collect::<Vec<_>>() {
            let insts = std::mem::take(&mut program.functions[id].blocks[block].insts);
            for inst in insts {
                if ends_run(program, id, inst) {
                    forbid(program, id, block);
                }
                program.functions[id].blocks[block].insts.push(inst);
            }
            if id == entry && matches!(program.functions[id].blocks[block].term, Terminator::Return(_)) {
                forbid(program, id, block);
            }
        }
    }
}

/// The builder of the entry state calls library functions, and last of all the function that the user asked about.
fn forbid_entering(program: &mut Program) -> Option<()> {
    let id = program.function_named(ENTRY_BUILDER)?;
    let function = &program.functions[id];
    let is_call = |inst: &InstId| matches!(function.insts[*inst].op, Op::Call { .. });
    let is_user = |inst: &InstId| match callee(program, id, *inst) {
        Some(callee) => program.functions[callee].is_defined() && !program.functions[callee].is_model,
        None => true,
    };
    let calls = function.blocks.ids().flat_map(|block| {
        let insts = function.blocks[block].insts.iter().copied();
        insts.enumerate().map(move |(at, inst)| (block, at, inst))
    });
    let entering: Vec<_> = calls.filter(|(_, _, inst)| is_call(inst) && is_user(inst)).collect();
    let (block, at) = match entering.as_slice() {
        // clang leaves out what a constant condition excludes: then nothing needs to be forbidden.
        [] => return Some(()),
        [(block, at, _)] => (block, at),
        [_, _, ..] => return None,
    };
    let rest = program.functions[id].blocks[*block].insts.split_off(*at);
    forbid(program, id, *block);
    program.functions[id].blocks[*block].insts.extend(rest);
    Some(())
}

fn callee(program: &Program, id: FuncId, inst: InstId) -> Option<FuncId> {
    match &program.functions[id].insts[inst].op {
        Op::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        ops!(values)
        | ops!(memory)
        | Op::Call { .. }
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => None,
    }
}

fn ends_run(program: &Program, id: FuncId, inst: InstId) -> bool {
    callee(program, id, inst).is_some_and(|callee| match program.functions[callee].kind {
        FuncKind::Builtin(builtin) => builtin.ends_run(),
        FuncKind::Defined | FuncKind::Extern => false,
    })
}

/// What comes here violates `unreach-call`.
fn forbid(program: &mut Program, function: FuncId, block: belay_ir::BlockId) {
    let same = |known: &&Obligation| known.function == function && known.property == Property::UnreachCall;
    let number = program.obligations.iter().filter(same).map(|known| known.number).max().unwrap_or(0) + 1;
    let (property, span) = (Property::UnreachCall, program.functions[function].blocks[block].term_span);
    let detail = ObligationDetail::ErrorCall("the end of the run".to_owned());
    let obligation =
        program.obligations.push(Obligation { property, function, number, span, detail, standing: Standing::Asked });
    let op = Op::Check { cond: Operand::bool(false), obligation };
    let inst = program.functions[function].insts.push(Inst { op, ty: None, span });
    program.functions[function].blocks[block].insts.push(inst);
}

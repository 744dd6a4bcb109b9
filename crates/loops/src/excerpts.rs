//! Ranking functions of one loop in an excerpt of the program: the loop alone, or its function (`transitions`' `part.rs` says why that suffices), with pointers as their distances from
//! those that the loop compares others with and does not change, and with the bodies of what it calls.
//!
//! The smallest system first: most loops count, and what they count is tested in them. Gives up where what was known before the function was entered matters.

use belay_base::Budget;
use belay_evidence::{Excerpt, Excerpted, LoopPlace, LoopProof, Origin, Others, Part, Task};
use belay_ir::{Callee, CastOp, Cfg, Dominators, Function, IntegerModel, LoopId, LoopNest, Op, Operand, Type};
use belay_its::{Outcome, prove};
use belay_transitions::is_origin;

/// Pointers that are tried as origins, in both directions each.
const MAX_ORIGINS: usize = 2;

/// Ranking functions of a loop in an excerpt, if some are found within so many steps for each.
pub(crate) fn rank(task: &Task<'_>, place: LoopPlace, steps: u64, budget: &Budget) -> Option<LoopProof> {
    let plain = Excerpt { part: Part::Loop, inlined: false, origin: None };
    let own = plain.of(task.simplified, place).ok()?;
    rank_with(task, &own, steps, budget).or_else(|| {
        if !calls_functions(task, own.function(), place) {
            return None;
        }
        let inlined = Excerpt { inlined: true, ..plain }.of(task.simplified, place).ok()?;
        rank_with(task, &inlined, steps, budget)
    })
}

/// The same, calls inlined as they are here.
fn rank_with(task: &Task<'_>, seen: &Excerpted<'_>, steps: u64, budget: &Budget) -> Option<LoopProof> {
    let nest = nest_of(seen.function());
    let id = nest.headed_by(seen.place.head)?;
    let origins = find_origins(task, seen, (&nest, id));
    let has_inner =
        nest.iter().any(|(inner, found)| inner != id && found.heads.iter().all(|head| nest.contains(id, *head)));
    let measured = |part: Part| origins.iter().map(move |origin| (part, Some(*origin)));
    let plain = [(Part::Loop, None), (Part::Function, None)];
    let tried = plain.into_iter().chain(measured(Part::Loop)).chain(measured(Part::Function));
    for (part, origin) in tried {
        let others: &[Others] = match (part, has_inner) {
            (Part::Loop, false) => &[Others::Counted],
            (Part::Loop, true) | (Part::Function, _) => &[Others::Havocked, Others::Counted],
        };
        let view = seen.look(part, origin);
        let found = others.iter().find_map(|others| rank_in(task, &view, *others, &budget.slice(steps)));
        if found.is_some() {
            return found;
        }
    }
    None
}

fn rank_in(task: &Task<'_>, view: &Excerpted<'_>, others: Others, budget: &Budget) -> Option<LoopProof> {
    let (_, system) = view.system(task, others).ok()?;
    match prove(&system, budget) {
        Outcome::Terminates(certificate) => Some(LoopProof::InExcerpt(view.excerpt(), others, certificate)),
        Outcome::NonTerminating(_) | Outcome::GaveUp(_) => None,
    }
}

fn nest_of(function: &Function) -> LoopNest {
    let cfg = Cfg::new(function);
    LoopNest::new(&cfg, &Dominators::new(&cfg))
}

/// True if a function with a body is called in the loop.
fn calls_functions(task: &Task<'_>, function: &Function, place: LoopPlace) -> bool {
    let nest = nest_of(function);
    let Some(id) = nest.headed_by(place.head) else { return false };
    let calls = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(callee), .. } if task.simplified.functions[*callee].is_defined());
    function.placed_insts().any(|(block, inst)| nest.contains(id, block) && calls(&function.insts[inst].op))
}

/// The pointers that the loop does not change and compares others with, or subtracts.
fn find_origins(task: &Task<'_>, seen: &Excerpted<'_>, (nest, id): (&LoopNest, LoopId)) -> Vec<Origin> {
    if task.integers() != IntegerModel::Machine {
        return Vec::new();
    }
    let function = seen.function();
    let mut found: Vec<Origin> = Vec::new();
    for (_, inst) in function.placed_insts().filter(|(block, _)| nest.contains(id, *block)) {
        for operand in compared(function, &function.insts[inst].op) {
            let both = [false, true].map(|upward| match operand {
                Operand::Param(param) => Some(Origin::Param(param, upward)),
                Operand::Inst(value) => Some(Origin::Value(value, upward)),
                Operand::Global { global, offset } => Some(Origin::Global(global, offset, upward)),
                Operand::Int { .. } | Operand::F32(_) | Operand::F64(_) => None,
                Operand::Null | Operand::Func(_) | Operand::Undef(_) => None,
            });
            let fits = |origin: &Origin| is_origin(function, (Part::Loop, seen.place.head), *origin);
            for origin in both.into_iter().flatten().filter(fits) {
                if !found.contains(&origin) {
                    found.push(origin);
                }
            }
        }
    }
    found.truncate(2 * MAX_ORIGINS);
    found
}

/// The pointers that an instruction compares or makes a number of.
fn compared(function: &Function, op: &Op) -> Vec<Operand> {
    let operands = match op {
        Op::Compare { lhs, rhs, .. } => vec![*lhs, *rhs],
        Op::Cast { op: CastOp::PtrToInt, value } => vec![*value],
        _ => Vec::new(),
    };
    operands.into_iter().filter(|operand| function.operand_type(*operand) == Some(Type::Ptr)).collect()
}

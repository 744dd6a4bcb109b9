//! Which variables are held where a run ends amid a function, behind `exit`, `abort` or a failed assertion.
//!
//! A run that ends there ends with what its stack objects hold: a block that only the variable `a` leads to is not lost. In registers nothing would say so, since nobody uses
//! the variable afterwards. So the terminator of such a block names the pointers that promoted variables hold at its end.
//!
//! *Why it is sound.* A slot is held at the end of a block only if its object is alive there: on every path the last marker begins a life. Then the object of the program as
//! translated contains that very value, and what it leads to can be reached. Further up in the block, and in blocks above it, the value is used only as
//! far as it will be in the slot at the end: it stands in the slot already, or in another object that is alive since it is read later, or in a register that is stored
//! later. All of these are roots of the program as translated, too.
//!
//! *Which ones.* All would do; but a value that is held is live, and must be kept track of. So only those are named that are used on another way on from a block that
//! dominates the end: as if the call came back.

use belay_base::IdVec;
use rustc_hash::{FxHashMap, FxHashSet};

use belay_ir::{BlockId, Cfg, Dominators, Function, Op, Operand, Terminator, Type};

use super::rename::definitions_and_live;
use super::{Action, Variable};

/// The slots, numbered through all variables, that are held at the end of each block.
pub(super) fn by_block(
    function: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    variables: &[Variable],
) -> IdVec<BlockId, Vec<usize>> {
    let mut held = IdVec::from_iter(function.blocks.ids().map(|_| Vec::new()));
    let ends: Vec<(BlockId, Vec<BlockId>)> = cfg
        .reverse_postorder()
        .iter()
        .filter(|block| ends_run(function, **block))
        .map(|block| (*block, other_ways(cfg, dominators, *block)))
        .collect();
    if ends.is_empty() {
        return held;
    }
    let slots = variables.iter().flat_map(|variable| variable.slots.iter().map(move |slot| (variable, *slot)));
    for (number, (variable, slot)) in slots.enumerate().filter(|(_, (_, slot))| slot.ty == Type::Ptr) {
        let (_, live) = definitions_and_live(variable, slot, cfg, &[]);
        for (block, ways) in &ends {
            if ways.iter().any(|way| live.contains(way)) && is_alive_at_end(variable, cfg, *block) {
                held[*block].push(number);
            }
        }
    }
    held
}

/// True of what may be a pointer to a heap block; an object of the function's own is a root by itself, and would look as if its address were used.
pub(super) fn may_lead_to_heap(function: &Function, value: Operand) -> bool {
    match value {
        Operand::Param(_) => true,
        Operand::Inst(inst) => match &function.insts[inst].op {
            Op::Alloca { .. } => false,
            Op::PtrAdd { base, .. } => may_lead_to_heap(function, *base),
            _ => true,
        },
        Operand::Int { .. }
        | Operand::F32(_)
        | Operand::F64(_)
        | Operand::Null
        | Operand::Global { .. }
        | Operand::Func(_)
        | Operand::Undef(_) => false,
    }
}

/// True of a block with a call after which nothing comes.
fn ends_run(function: &Function, block: BlockId) -> bool {
    let body = &function.blocks[block];
    let calls = || body.insts.iter().any(|inst| matches!(function.insts[*inst].op, Op::Call { .. }));
    matches!(body.term, Terminator::Unreachable { .. }) && calls()
}

/// Where runs go on from the blocks that dominate this one, if not towards it.
fn other_ways(cfg: &Cfg, dominators: &Dominators, block: BlockId) -> Vec<BlockId> {
    let mut found = Vec::new();
    let mut below = block;
    while let Some(above) = dominators.immediate(below) {
        found.extend(cfg.successors(above).iter().filter(|next| **next != below));
        below = above;
    }
    found
}

/// True if on every path to the end of a block the last marker begins a life.
fn is_alive_at_end(variable: &Variable, cfg: &Cfg, end: BlockId) -> bool {
    let mut last_marker: FxHashMap<BlockId, Action> = FxHashMap::default();
    for event in variable.events.iter().filter(|event| event.action.is_marker()) {
        last_marker.insert(event.block, event.action);
    }
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut todo = vec![end];
    while let Some(block) = todo.pop() {
        if !seen.insert(block) {
            continue;
        }
        match last_marker.get(&block) {
            Some(Action::Begin) => {}
            None if block != Function::ENTRY => todo.extend(cfg.predecessors(block)),
            Some(_) | None => return false,
        }
    }
    true
}

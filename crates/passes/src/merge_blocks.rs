//! Makes blocks as long as they can be: a block that only jumps on is skipped, and a block is joined with its only successor if it is
//! that block's only predecessor.
//!
//! Sound because both keep the sequence of instructions that each run executes. A skipped block has no instructions, so only
//! phis could tell that control came through it: it is skipped only if its target has none. Cycles of blocks that only jump
//! keep one of them, so that a run that never ends still does not. A phi with one entry is that entry's value.

use belay_base::IdVec;

use crate::remove_unreachable::remove_unreachable_blocks;
use crate::substitution::{Substitution, capture, is_stable};
use belay_ir::{BlockId, Cfg, DataLayout, Function, InstId, Op, Operand, Program, Terminator};

/// Merges the blocks of every function.
pub fn merge_blocks(program: &mut Program) {
    let layout = program.layout;
    program.functions.iter_mut().for_each(|function| merge_function(function, layout));
}

fn merge_function(function: &mut Function, layout: DataLayout) {
    if function.blocks.is_empty() {
        return;
    }
    skip_empty_blocks(function);
    remove_unreachable_blocks(function);
    join_chains(function, layout);
    remove_unreachable_blocks(function);
}

fn skip_empty_blocks(function: &mut Function) {
    let targets = skip_targets(function);
    for block in function.blocks.iter_mut() {
        block.term.for_each_successor_mut(|target| *target = targets[*target]);
        let mut successors = block.term.successors().into_iter();
        if let Some(first) = successors.next().filter(|first| successors.all(|other| other == *first)) {
            block.term = Terminator::Jump(first);
        }
    }
}

/// For each block the one to go to instead: the end of the chain of empty blocks that starts there.
fn skip_targets(function: &Function) -> IdVec<BlockId, BlockId> {
    let mut targets: IdVec<BlockId, Option<BlockId>> = IdVec::filled(None, function.blocks.len());
    for start in function.blocks.ids() {
        let mut path = Vec::new();
        let mut at = start;
        let end = loop {
            if let Some(known) = targets[at] {
                break known;
            }
            // Until the end is known, a block of the path stands for itself: that is where a cycle stops.
            targets[at] = Some(at);
            match next_of_empty(function, at) {
                Some(next) => path.push(std::mem::replace(&mut at, next)),
                None => break at,
            }
        };
        for block in path {
            targets[block] = Some(end);
        }
    }
    targets.ids().map(|id| targets[id].unwrap_or(id)).collect()
}

/// Where a block without instructions jumps, if nothing there depends on where control came from. An entry of a phi
/// that belongs to the block itself would be such a dependence.
fn next_of_empty(function: &Function, block: BlockId) -> Option<BlockId> {
    let body = &function.blocks[block];
    let Terminator::Jump(target) = body.term else { return None };
    let target_has_phi = function.blocks[target].insts.first().is_some_and(|inst| is_phi(function, *inst));
    (body.insts.is_empty() && target != block && !target_has_phi).then_some(target)
}

fn is_phi(function: &Function, inst: InstId) -> bool {
    matches!(function.insts[inst].op, Op::Phi { .. })
}

fn join_chains(function: &mut Function, layout: DataLayout) {
    let cfg = Cfg::new(function);
    let mut substitution = Substitution::new(function);
    let mut joined_into: IdVec<BlockId, BlockId> = function.blocks.ids().collect();
    for block in cfg.reverse_postorder() {
        if joined_into[*block] != *block {
            continue;
        }
        while let Some(next) = only_successor(function, &cfg, *block) {
            join(function, &mut substitution, layout, *block, next);
            joined_into[next] = *block;
        }
    }
    for inst in function.insts.iter_mut() {
        if let Op::Phi { incoming } = &mut inst.op {
            for (from, _) in incoming {
                *from = joined_into.get(*from).copied().unwrap_or(*from);
            }
        }
    }
    substitution.apply(function);
}

/// The block that `block` jumps to, if nothing else goes there.
fn only_successor(function: &Function, cfg: &Cfg, block: BlockId) -> Option<BlockId> {
    match function.blocks[block].term {
        // The graph is that before joining: the one predecessor may by now be part of `block`.
        Terminator::Jump(target) if target != block && cfg.predecessors(target).len() == 1 => Some(target),
        Terminator::Jump(_)
        | Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Unreachable { .. } => None,
    }
}

fn join(function: &mut Function, substitution: &mut Substitution, layout: DataLayout, block: BlockId, next: BlockId) {
    let insts = std::mem::take(&mut function.blocks[next].insts);
    for inst in insts {
        match single_value(&function.insts[inst].op) {
            Some(value) if is_stable(function, value) => substitution.replace(inst, value),
            Some(value) => {
                function.insts[inst].op = capture(value, layout);
                function.blocks[block].insts.push(inst);
            }
            None => function.blocks[block].insts.push(inst),
        }
    }
    let term = std::mem::replace(&mut function.blocks[next].term, Terminator::UNREACHABLE);
    function.blocks[block].term = term;
    function.blocks[block].term_span = function.blocks[next].term_span;
}

/// The value of a phi with one entry.
fn single_value(op: &Op) -> Option<Operand> {
    if let Op::Phi { incoming } = op { incoming.first().map(|(_, value)| *value) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, I32, obligations_of};
    use belay_ir::{BinaryOp, Type, print_program, verify_program};

    fn check(b: Builder, blocks: usize) -> Program {
        let mut program = b.finish();
        let before = obligations_of(&program);
        merge_blocks(&mut program);
        assert_eq!(verify_program(&program), Ok(()), "{}", print_program(&program));
        assert_eq!(obligations_of(&program), before);
        assert_eq!(
            program.functions.iter().next().map(|f| f.blocks.len()),
            Some(blocks),
            "{}",
            print_program(&program)
        );
        program
    }

    #[test]
    fn a_chain_becomes_one_block() {
        let mut b = Builder::new(3, &[I32]);
        b.jump(2);
        let phi = b.at(2).phi(I32, &[(0, Operand::Param(0))]);
        let sum = b.binary(BinaryOp::Add, phi, phi);
        b.jump(1);
        b.at(1).check(Operand::bool(false));
        b.ret(sum);
        let program = check(b, 1);
        assert!(print_program(&program).contains("add i32 $p0, $p0"));
    }

    #[test]
    fn empty_blocks_are_skipped_unless_a_phi_needs_them() {
        let mut b = Builder::new(4, &[Type::BOOL]);
        b.branch(Operand::Param(0), 1, 2);
        b.at(1).jump(3);
        b.at(2).jump(3);
        b.at(3).check(Operand::bool(false));
        check(b, 1);
        let mut b = Builder::new(4, &[Type::BOOL]);
        b.branch(Operand::Param(0), 1, 2);
        b.at(1).jump(3);
        b.at(2).jump(3);
        let phi = b.at(3).phi(I32, &[(1, Operand::int(32, 1)), (2, Operand::int(32, 2))]);
        b.ret(phi);
        check(b, 4);
    }

    #[test]
    fn an_endless_loop_of_jumps_stays() {
        let mut b = Builder::new(4, &[]);
        b.jump(1);
        b.at(1).jump(2);
        b.at(2).jump(3);
        b.at(3).jump(1);
        let program = check(b, 2);
        let function = program.functions.iter().next().expect("one function");
        assert_eq!(Cfg::new(function).successors(BlockId(1)), [BlockId(1)]);
    }
}

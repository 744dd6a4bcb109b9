//! Takes tests of merged truth values apart: where control comes from a block for which the value is known, it goes on at once to where the test
//! leads. C's `a && b` and `a || b` are translated to such a merge; without it the ways of the two tests stay apart, each in a
//! block that the rest of the loop is dominated by.
//!
//! Sound because each run executes the same instructions but for the phi and the test. The block that is passed by consists of one phi, so nothing that is
//! used later is computed in it (the phi itself is used by its test and by phis of the targets alone, which get the known value). What is defined where
//! it dominates the target also dominates the block that control now comes from: a way through that block to the target was a way through the
//! merge before. The head of a loop is left alone, so that loops keep their one way in; and a target that control already reaches from the same
//! block by another edge, since its phis could not tell the two edges apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::remove_unreachable::remove_unreachable_blocks;
use belay_ir::{BlockId, Cfg, Dominators, Function, InstId, Op, Operand, Program, Terminator};

/// Takes apart what can be in every function.
pub fn thread_tests(program: &mut Program) {
    program.functions.iter_mut().for_each(thread_function);
}

/// A block that does nothing but test a merged value.
struct Test {
    block: BlockId,
    phi: InstId,
    then: BlockId,
    otherwise: BlockId,
}

fn thread_function(function: &mut Function) {
    if function.blocks.is_empty() {
        return;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let tests: Vec<Test> = function.blocks.ids().filter_map(|block| test_at(function, block)).collect();
    let used = find_used_elsewhere(function, &tests);
    for test in &tests {
        let is_head = cfg.predecessors(test.block).iter().any(|latch| dominators.dominates(test.block, *latch));
        if !is_head && !used.contains(&test.phi) {
            pass_by(function, test);
        }
    }
    remove_unreachable_blocks(function);
}

fn test_at(function: &Function, block: BlockId) -> Option<Test> {
    let body = &function.blocks[block];
    let ([phi], Terminator::Branch { cond, then, otherwise }) = (body.insts.as_slice(), &body.term) else {
        return None;
    };
    let is_phi = matches!(function.insts[*phi].op, Op::Phi { .. });
    let (then, otherwise) = (*then, *otherwise);
    let plain = then != otherwise && then != block && otherwise != block;
    (is_phi && plain && *cond == Operand::Inst(*phi)).then_some(Test { block, phi: *phi, then, otherwise })
}

/// The values that something else uses than their test and, for the edge from it, the phis of its targets.
fn find_used_elsewhere(function: &Function, tests: &[Test]) -> BTreeSet<InstId> {
    let at: BTreeMap<InstId, BlockId> = tests.iter().map(|test| (test.phi, test.block)).collect();
    let mut used = BTreeSet::new();
    let mut note = |operand: &Operand, from: Option<BlockId>| {
        if let Operand::Inst(phi) = operand
            && let Some(block) = at.get(phi)
            && from != Some(*block)
        {
            used.insert(*phi);
        }
    };
    for (_, inst) in function.placed_insts() {
        match &function.insts[inst].op {
            Op::Phi { incoming } => incoming.iter().for_each(|(from, operand)| note(operand, Some(*from))),
            op => op.for_each_operand(|operand| note(operand, None)),
        }
    }
    for (block, body) in function.blocks.iter_enumerated() {
        body.term.for_each_operand(|operand| note(operand, Some(block)));
    }
    used
}

/// Sends control from each block for which the value is known to where the test leads.
fn pass_by(function: &mut Function, test: &Test) {
    let Op::Phi { incoming } = function.insts[test.phi].op.clone() else { return };
    let mut kept = Vec::new();
    for (from, value) in incoming {
        let target = match value {
            Operand::Int { value: 0, .. } => Some(test.otherwise),
            Operand::Int { .. } => Some(test.then),
            _ => None,
        };
        let reached = |target: &BlockId| function.blocks[from].term.successors().contains(target);
        match target.filter(|target| !reached(target)) {
            Some(target) => redirect(function, test, from, target, value),
            None => kept.push((from, value)),
        }
    }
    function.insts[test.phi].op = Op::Phi { incoming: kept };
}

fn redirect(function: &mut Function, test: &Test, from: BlockId, target: BlockId, known: Operand) {
    function.blocks[from].term.for_each_successor_mut(|successor| {
        if *successor == test.block {
            *successor = target;
        }
    });
    for inst in function.blocks[target].insts.clone() {
        let Op::Phi { incoming } = &mut function.insts[inst].op else { break };
        let through = incoming.iter().find(|(block, _)| *block == test.block).map(|(_, value)| *value);
        incoming.extend(through.map(|value| (from, if value == Operand::Inst(test.phi) { known } else { value })));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, I32, obligations_of};
    use belay_ir::{Type, print_program, verify_program};

    fn check(b: Builder, expected: &[&str], absent: &[&str]) {
        let mut program = b.finish();
        let before = obligations_of(&program);
        thread_tests(&mut program);
        let text = print_program(&program);
        assert_eq!(verify_program(&program), Ok(()), "{text}");
        assert_eq!(obligations_of(&program), before);
        expected.iter().for_each(|line| assert!(text.contains(line), "{line} is missing\n{text}"));
        absent.iter().for_each(|line| assert!(!text.contains(line), "{line} is there\n{text}"));
    }

    /// `p0 && p1`, tested in block 2.
    fn conjunction(blocks: usize) -> Builder {
        let mut b = Builder::new(blocks, &[Type::BOOL, Type::BOOL]);
        b.branch(Operand::Param(0), 1, 2);
        b.at(1).jump(2);
        let both = b.at(2).phi(Type::BOOL, &[(0, Operand::bool(false)), (1, Operand::Param(1))]);
        b.branch(both, 3, 4);
        b
    }

    #[test]
    fn a_known_value_needs_no_test() {
        let mut b = conjunction(5);
        b.at(3).ret(Operand::int(32, 1));
        b.at(4).ret(Operand::int(32, 2));
        check(b, &["branch $p0, bb1, bb4"], &[]);
    }

    #[test]
    fn phis_of_the_target_get_what_came_through_the_test() {
        let mut b = conjunction(5);
        b.at(3).jump(4);
        let merged = b.at(4).phi(I32, &[(2, Operand::int(32, 7)), (3, Operand::int(32, 8))]);
        b.ret(merged);
        check(b, &["branch $p0, bb1, bb4", "[bb0: 7]"], &[]);
    }

    #[test]
    fn a_value_that_is_used_later_keeps_its_merge() {
        let mut b = Builder::new(5, &[Type::BOOL, Type::BOOL]);
        b.branch(Operand::Param(0), 1, 2);
        b.at(1).jump(2);
        let both = b.at(2).phi(Type::BOOL, &[(0, Operand::bool(false)), (1, Operand::Param(1))]);
        b.branch(both, 3, 4);
        b.at(3).check(both);
        b.ret(Operand::int(32, 1));
        b.at(4).ret(Operand::int(32, 2));
        check(b, &["branch $p0, bb1, bb2"], &[]);
    }

    #[test]
    fn the_head_of_a_loop_stays() {
        let mut b = Builder::new(4, &[Type::BOOL]);
        b.jump(1);
        let flag = b.at(1).phi(Type::BOOL, &[(0, Operand::bool(true)), (2, Operand::Param(0))]);
        b.branch(flag, 2, 3);
        b.at(2).jump(1);
        b.at(3).ret(Operand::int(32, 0));
        check(b, &["[bb0: true]"], &[]);
    }
}

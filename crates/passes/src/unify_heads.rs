//! Gives every loop one way in: control that enters or re-enters a loop with several heads goes through a new block, which
//! carries the number of the head and goes on there.
//!
//! Sound because each run executes the same instructions in the same order. Every edge to a head becomes an edge to a block of its own
//! (so that phis can tell the edges of one block apart), from there to the new block, and from there, by the edge's
//! number, to the head that it led to. The phis of all heads move to the new block, before the switch: their entries are those of
//! the edge that is taken, and for edges to other heads a value that nothing uses. For let `phi` belong to head `a`, and a use of it be
//! executed after control came in by head `b`: `a` dominates the use, and `b`, which can be entered from outside, is not dominated
//! by `a`; so control has come through `a` in between, and `phi` was set anew there.
//!
//! Values keep dominating their uses: let `x` dominate `y` before. A path to `y` in the new graph that avoids `x` would, from the last head
//! on it, be a path of the old one; that head can be reached from outside without `x` unless `x` lies outside and dominates all ways in, and
//! then the new path has met it too.

use belay_ir::{
    Block, BlockId, Cfg, Dominators, Function, Inst, InstId, LoopNest, Op, Operand, Program, Terminator, Type,
};

/// Loops of one function that are given one way in, at most: what is generated can hold thousands.
const MAX_LOOPS: usize = 200;
/// The width of the number of a head.
const WIDTH: u16 = 32;

/// Gives every loop of every function one way in.
pub fn unify_heads(program: &mut Program) {
    for function in program.functions.iter_mut().filter(|function| !function.blocks.is_empty()) {
        for _ in 0..MAX_LOOPS {
            let Some(heads) = several_heads(function) else { break };
            unify(function, &heads);
        }
    }
}

/// The heads of an outermost loop that has several.
fn several_heads(function: &Function) -> Option<Vec<BlockId>> {
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    nest.iter().find(|(_, found)| found.irreducible && found.heads.len() > 1).map(|(_, found)| found.heads.clone())
}

fn unify(function: &mut Function, heads: &[BlockId]) {
    let reachable = Cfg::new(function);
    let ways = split_ways(function, heads, &reachable);
    let phis = take_phis(function, heads);
    for (inst, head) in &phis {
        let filler = function.insts[*inst].ty.map_or(Operand::int(WIDTH, 0), filler);
        let Op::Phi { incoming } = std::mem::replace(&mut function.insts[*inst].op, Op::Phi { incoming: Vec::new() })
        else {
            continue;
        };
        let entry = |way: &Way| {
            let value = incoming.iter().find(|(from, _)| *from == way.from).map(|(_, value)| *value);
            (way.block, if way.head == *head { value.unwrap_or(filler) } else { filler })
        };
        let incoming = ways.iter().map(entry).collect();
        function.insts[*inst].op = Op::Phi { incoming };
    }
    let number = |head: BlockId| heads.iter().position(|known| *known == head).unwrap_or_default() as u128;
    let numbers = ways.iter().map(|way| (way.block, Operand::int(WIDTH, number(way.head)))).collect();
    let span = function.blocks[heads[0]].term_span;
    let which = function.insts.push(Inst { op: Op::Phi { incoming: numbers }, ty: Some(Type::Int(WIDTH)), span });
    let Some((last, others)) = heads.split_last() else { return };
    let term = Terminator::Switch {
        value: Operand::Inst(which),
        cases: others.iter().map(|head| (number(*head), *head)).collect(),
        default: *last,
    };
    let insts = phis.iter().map(|(inst, _)| *inst).chain([which]).collect();
    let head = function.blocks.push(Block { name: "ways_in".to_owned(), insts, term, term_span: span });
    for way in &ways {
        function.blocks[way.block].term = Terminator::Jump(head);
    }
}

/// An edge to a head, through a block of its own.
struct Way {
    from: BlockId,
    head: BlockId,
    block: BlockId,
}

/// Puts a block on each edge to a head.
fn split_ways(function: &mut Function, heads: &[BlockId], cfg: &Cfg) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for from in cfg.reverse_postorder().to_vec() {
        for head in heads {
            if !cfg.successors(from).contains(head) {
                continue;
            }
            let span = function.blocks[from].term_span;
            let way =
                Block { name: "way_in".to_owned(), insts: Vec::new(), term: Terminator::Jump(*head), term_span: span };
            let block = function.blocks.push(way);
            function.blocks[from].term.for_each_successor_mut(|target| {
                if target == head {
                    *target = block;
                }
            });
            ways.push(Way { from, head: *head, block });
        }
    }
    ways
}

/// Takes the phis out of the heads.
fn take_phis(function: &mut Function, heads: &[BlockId]) -> Vec<(InstId, BlockId)> {
    let mut phis = Vec::new();
    for head in heads {
        let insts = std::mem::take(&mut function.blocks[*head].insts);
        let (taken, left): (Vec<InstId>, Vec<InstId>) =
            insts.into_iter().partition(|inst| matches!(function.insts[*inst].op, Op::Phi { .. }));
        phis.extend(taken.into_iter().map(|inst| (inst, *head)));
        function.blocks[*head].insts = left;
    }
    phis
}

/// Some value that nothing uses.
fn filler(ty: Type) -> Operand {
    match ty {
        Type::Int(width) => Operand::int(width, 0),
        Type::F32 => Operand::F32(0.0),
        Type::F64 => Operand::F64(0.0),
        Type::Ptr => Operand::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remove_unreachable::remove_unreachable_blocks;
    use crate::testing::{Builder, I32, function_of_edges, obligations_of, random_edges};
    use belay_ir::{BinaryOp, print_program, verify_program};

    fn check(b: Builder) -> Program {
        let mut program = b.finish();
        let before = obligations_of(&program);
        unify_heads(&mut program);
        assert_eq!(verify_program(&program), Ok(()), "{}", print_program(&program));
        assert_eq!(obligations_of(&program), before);
        let function = program.functions.iter().next().expect("one function");
        assert_eq!(several_heads(function), None, "{}", print_program(&program));
        program
    }

    #[test]
    fn two_ways_into_one_loop() {
        let mut b = Builder::new(5, &[Type::BOOL, I32]);
        b.branch(Operand::Param(0), 1, 2);
        let x = b.at(1).phi(I32, &[(0, Operand::int(32, 1)), (2, Operand::Param(1))]);
        let sum = b.binary(BinaryOp::Add, x, x);
        b.jump(2);
        let y = b.at(2).phi(I32, &[(0, Operand::int(32, 3)), (1, sum)]);
        b.branch(Operand::Param(0), 1, 3);
        b.at(3).ret(y);
        b.at(4).ret(Operand::int(32, 0));
        let program = check(b);
        let text = print_program(&program);
        assert!(text.contains("switch"), "{text}");
    }

    #[test]
    fn both_targets_of_one_branch() {
        let mut b = Builder::new(4, &[Type::BOOL]);
        b.branch(Operand::Param(0), 1, 2);
        b.at(1).branch(Operand::Param(0), 2, 3);
        b.at(2).branch(Operand::Param(0), 1, 2);
        b.at(3).check(Operand::bool(false));
        b.ret(Operand::int(32, 0));
        check(b);
    }

    #[test]
    fn random_graphs_get_one_way_in() {
        let mut changed = 0;
        for seed in 0..300 {
            let mut function = function_of_edges(&random_edges(seed, 9));
            remove_unreachable_blocks(&mut function);
            let blocks = function.blocks.len();
            let mut program = Builder::new(1, &[]).program;
            program.functions.push(function);
            unify_heads(&mut program);
            assert_eq!(verify_program(&program), Ok(()), "{}", print_program(&program));
            let function = program.functions.iter().next_back().expect("just added");
            assert_eq!(several_heads(function), None, "{}", print_program(&program));
            changed += u32::from(function.blocks.len() > blocks);
        }
        assert!(changed > 30, "{changed} of the graphs had a loop with several ways in");
    }

    #[test]
    fn loops_with_one_way_in_stay_as_they_are() {
        let natural = || {
            let mut b = Builder::new(3, &[Type::BOOL]);
            b.jump(1);
            b.at(1).branch(Operand::Param(0), 1, 2);
            b.at(2).ret(Operand::int(32, 0));
            b
        };
        assert_eq!(print_program(&check(natural())), print_program(&natural().finish()));
    }
}

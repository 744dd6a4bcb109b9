//! Drops blocks that the entry does not reach, and renumbers the others.
//!
//! Sound because no run enters such a block: obligations in it cannot be violated, and the entries of phis that belong to
//! it never count. A block is unreachable only by the graph; conditions play no part here (see `simplify`).

use belay_base::IdVec;

use crate::substitution::prune_names;
use belay_ir::{BlockId, Cfg, Function, Op, Program};

/// Drops the unreachable blocks of every function.
pub fn remove_unreachable(program: &mut Program) {
    program.functions.iter_mut().for_each(remove_unreachable_blocks);
}

/// Drops the unreachable blocks of one function.
pub(super) fn remove_unreachable_blocks(function: &mut Function) {
    let cfg = Cfg::new(function);
    if cfg.reverse_postorder().len() == function.blocks.len() {
        return;
    }
    let mut renumbered: IdVec<BlockId, Option<BlockId>> = IdVec::filled(None, function.blocks.len());
    let mut kept = IdVec::new();
    for (block, body) in function.blocks.iter_enumerated() {
        if cfg.is_reachable(block) {
            renumbered[block] = Some(kept.next_id());
            kept.push(body.clone());
        }
    }
    function.blocks = kept;
    for block in function.blocks.iter_mut() {
        block.term.for_each_successor_mut(|target| {
            *target = renumbered[*target].expect("a reachable block goes to reachable blocks");
        });
        for inst in &block.insts {
            if let Op::Phi { incoming } = &mut function.insts[*inst].op {
                incoming.retain_mut(|(from, _)| match renumbered[*from] {
                    Some(new) => {
                        *from = new;
                        true
                    }
                    None => false,
                });
            }
        }
    }
    prune_names(function);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, I32, obligations_of};
    use belay_ir::{Operand, verify_program};

    #[test]
    fn phis_lose_the_entries_of_dropped_blocks() {
        let mut b = Builder::new(4, &[I32]);
        b.jump(3);
        b.at(1).check(Operand::bool(false));
        b.jump(2);
        b.at(2).jump(3);
        let phi = b.at(3).phi(I32, &[(0, Operand::Param(0)), (2, Operand::int(32, 5))]);
        let kept = b.check(Operand::bool(false));
        b.ret(phi);
        let mut program = b.finish();
        remove_unreachable(&mut program);
        assert_eq!(verify_program(&program), Ok(()));
        assert_eq!(program.functions.iter().next().map(|f| f.blocks.len()), Some(2));
        assert_eq!(obligations_of(&program), [kept]);
    }
}

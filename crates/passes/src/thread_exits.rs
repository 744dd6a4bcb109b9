//! Ways out of a block with variables of its own go where they lead. For a `return`, `break`, `continue` or `goto` out of such a block clang notes a number in a
//! variable of its own, goes to a block that ends the lives, and switches on the number there:
//!
//! ```text
//! bb3: store 1, %exit; jump bb5                    bb3: store 1, %exit; lifetime.end %x; jump bb8
//! bb4: store 0, %exit; jump bb5            →       bb4: store 0, %exit; lifetime.end %x; jump bb6
//! bb5: lifetime.end %x; switch (load %exit) [0: bb6, 1: bb8, default: bb9 (unreachable)]
//! ```
//!
//! Taken apart, the ways are what the programmer wrote: no merge of states that have nothing in common, and no code that nothing reaches. It comes before
//! promotion, while values that meet in the block are still in memory and need no phis.
//!
//! Sound because each run executes the same instructions in the same order but for the load and the switch. The variable's address is used by loads and stores of
//! all of it alone, none of them volatile, so what the load gives is what was stored last, and the load is valid: the object has no
//! lifetime markers and stands in the entry block. A block whose last store to it is a constant and that goes nowhere but to the switch therefore goes on where the switch
//! leads for the constant. Between the two are ends of lives only, which are repeated. What dominates the switch dominates every block before it, so the targets' phis may have the same values
//! from there; the loaded value itself is used by nothing but the switch. Heads of loops stay, so that loops keep their one way in.

use std::collections::BTreeMap;

use crate::remove_unreachable::remove_unreachable_blocks;
use belay_ir::ops;
use belay_ir::{BlockId, Cfg, Dominators, Function, InstId, Op, Operand, Program, Terminator, Type};

/// Threads the exits of every function.
pub fn thread_exits(program: &mut Program) {
    program.functions.iter_mut().filter(|function| !function.blocks.is_empty()).for_each(thread_function);
}

/// A block that ends lives and switches on what was noted.
struct Exit {
    variable: InstId,
    ends: Vec<InstId>,
    cases: Vec<(u128, BlockId)>,
    default: BlockId,
}

fn thread_function(function: &mut Function) {
    let exits = find_exits(function);
    if exits.is_empty() {
        return;
    }
    for block in function.blocks.ids() {
        // A way leads through as many of these blocks as it leaves, each once.
        for _ in 0..exits.len() {
            if !thread(function, &exits, block) {
                break;
            }
        }
    }
    remove_unreachable_blocks(function);
}

fn find_exits(function: &Function) -> BTreeMap<BlockId, Exit> {
    let is_switch = |block: &belay_ir::Block| matches!(block.term, Terminator::Switch { .. });
    if !function.blocks.iter().any(is_switch) {
        return BTreeMap::new();
    }
    let uses = Uses::new(function);
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let is_head = |block: BlockId| cfg.predecessors(block).iter().any(|latch| dominators.dominates(block, *latch));
    let exits = function.blocks.ids().filter_map(|block| Some((block, exit_at(function, &uses, block)?)));
    exits.filter(|(block, _)| !is_head(*block)).collect()
}

fn exit_at(function: &Function, uses: &Uses, block: BlockId) -> Option<Exit> {
    let body = &function.blocks[block];
    let Terminator::Switch { value: Operand::Inst(load), cases, default } = &body.term else { return None };
    let Op::Load { ptr: Operand::Inst(variable), .. } = function.insts[*load].op else { return None };
    let ends: Vec<InstId> = body.insts.iter().filter(|inst| *inst != load).copied().collect();
    let only_ends = ends.iter().all(|inst| matches!(function.insts[*inst].op, Op::LifetimeEnd { .. }));
    let here = ends.len() + 1 == body.insts.len();
    let fits = only_ends && here && uses.is_used_once(*load) && uses.is_plain(function, variable);
    fits.then(|| Exit { variable, ends, cases: cases.clone(), default: *default })
}

/// Sends control from `block`, if it goes to an exit with a known number, to where that leads.
fn thread(function: &mut Function, exits: &BTreeMap<BlockId, Exit>, block: BlockId) -> bool {
    let Terminator::Jump(merge) = function.blocks[block].term else { return false };
    let Some(exit) = exits.get(&merge).filter(|_| merge != block) else { return false };
    let Some(number) = last_stored(function, block, exit.variable) else { return false };
    let target = exit.cases.iter().find(|(case, _)| *case == number).map_or(exit.default, |(_, target)| *target);
    for end in &exit.ends {
        let copy = function.insts.push(function.insts[*end].clone());
        function.blocks[block].insts.push(copy);
    }
    function.blocks[block].term = Terminator::Jump(target);
    for inst in function.blocks[target].insts.clone() {
        let Op::Phi { incoming } = &mut function.insts[inst].op else { break };
        let through = incoming.iter().find(|(from, _)| *from == merge).map(|(_, value)| *value);
        incoming.extend(through.map(|value| (block, value)));
    }
    true
}

/// The constant that the block stores last to the variable.
fn last_stored(function: &Function, block: BlockId, variable: InstId) -> Option<u128> {
    // Nothing but a store through its own name changes the variable.
    let stored = |inst: &InstId| match &function.insts[*inst].op {
        Op::Store { ptr: Operand::Inst(written), value, .. } if *written == variable => Some(*value),
        ops!(values)
        | ops!(memory)
        | Op::Call { .. }
        | Op::Extract { .. }
        | Op::Check { .. }
        | Op::Unsupported { .. } => None,
    };
    function.blocks[block].insts.iter().rev().find_map(stored)?.as_int()
}

/// How often values are used, and how the addresses of objects are.
struct Uses {
    count: BTreeMap<InstId, usize>,
    /// Of these, loads and stores of 32 bits through the value itself.
    accesses: BTreeMap<InstId, usize>,
}

impl Uses {
    fn new(function: &Function) -> Self {
        let mut uses = Self { count: BTreeMap::new(), accesses: BTreeMap::new() };
        for (_, inst) in function.placed_insts() {
            let op = &function.insts[inst].op;
            op.for_each_operand(|operand| uses.note(*operand));
            op.refers_to().into_iter().for_each(|named| uses.note(Operand::Inst(named)));
            uses.note_access(function, inst);
        }
        for block in function.blocks.iter() {
            block.term.for_each_operand(|operand| uses.note(*operand));
        }
        uses
    }

    fn note(&mut self, operand: Operand) {
        if let Operand::Inst(inst) = operand {
            *self.count.entry(inst).or_default() += 1;
        }
    }

    /// Any other use of an address is one that is no access: it is counted, and rules the object out.
    fn note_access(&mut self, function: &Function, inst: InstId) {
        let accessed = match &function.insts[inst].op {
            Op::Load { ptr, volatile: false, .. } if function.insts[inst].ty == Some(NUMBER) => *ptr,
            Op::Store { ptr, value: Operand::Int { width, .. }, volatile: false, .. }
                if Type::Int(*width) == NUMBER =>
            {
                *ptr
            }
            ops!(values)
            | ops!(memory)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => return,
        };
        if let Operand::Inst(variable) = accessed {
            *self.accesses.entry(variable).or_default() += 1;
        }
    }

    fn is_used_once(&self, inst: InstId) -> bool {
        self.count.get(&inst) == Some(&1)
    }

    /// True if the object is a number that lives as long as the function and is only read, or written with constants.
    fn is_plain(&self, function: &Function, variable: InstId) -> bool {
        let Op::Alloca { size, scoped: false, dynamic: false, .. } = function.insts[variable].op else { return false };
        let in_entry = function.blocks.iter().next().is_some_and(|entry| entry.insts.contains(&variable));
        size.as_int() == Some(4) && in_entry && self.count.get(&variable) == self.accesses.get(&variable)
    }
}

/// The type of the number that clang notes.
const NUMBER: Type = Type::Int(32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, I32};
    use belay_ir::{print_program, verify_program};

    /// Control comes to block 3 after 0 or what `second` says was noted, and goes on to block 4 or 5.
    fn clean_up(second: Operand) -> Builder {
        let mut b = Builder::new(7, &[Type::BOOL, I32]);
        let object = b.local("x", 4, true);
        let number = b.local("", 4, false);
        b.branch(Operand::Param(0), 1, 2);
        b.at(1).store(Operand::Inst(number), Operand::int(32, 0));
        b.jump(3);
        b.at(2).store(Operand::Inst(number), second);
        b.jump(3);
        b.at(3).push(Op::LifetimeEnd { object }, None);
        let way = b.load(Operand::Inst(number), I32);
        let cases = vec![(0, BlockId(4)), (1, BlockId(5))];
        b.end(Terminator::Switch { value: way, cases, default: BlockId(6) });
        b.at(4).jump(5);
        let result = b.at(5).phi(I32, &[(3, Operand::Param(1)), (4, Operand::int(32, 3))]);
        b.ret(result);
        b.at(6).end(Terminator::UNREACHABLE);
        b
    }

    fn threaded(b: Builder) -> String {
        let mut program = b.finish();
        thread_exits(&mut program);
        let text = print_program(&program);
        assert_eq!(verify_program(&program), Ok(()), "{text}");
        text
    }

    #[test]
    fn ways_out_go_where_they_lead_and_lives_end_on_each() {
        let text = threaded(clean_up(Operand::int(32, 1)));
        assert!(!text.contains("switch") && !text.contains("unreachable"), "{text}");
        assert_eq!(text.matches("lifetime.end").count(), 2, "{text}");
        assert!(text.contains("[bb2: $p1]"), "{text}");
    }

    #[test]
    fn a_number_without_a_case_goes_to_the_default() {
        let text = threaded(clean_up(Operand::int(32, 7)));
        assert!(!text.contains("switch") && text.contains("unreachable"), "{text}");
    }

    #[test]
    fn what_is_not_a_constant_keeps_its_switch() {
        assert!(threaded(clean_up(Operand::Param(1))).contains("switch"));
    }

    #[test]
    fn a_variable_whose_address_is_used_keeps_its_switch() {
        let mut b = clean_up(Operand::int(32, 1));
        b.at(4).store(Operand::Inst(InstId(0)), Operand::Inst(InstId(1)));
        assert!(threaded(b).contains("switch"));
    }
}

//! Switches on a value that is one of a few constants lose the ways that none of them takes. clang translates every way out of a block with variables of its own
//! to a switch on a number that it has set before, with code that nothing reaches for all other numbers.
//!
//! Sound because a phi has the value of one of its entries: if all of them are constants (or phis of which the same holds), no other value is ever
//! switched on. An undefined entry is no constant. Where every constant has a case of its own the last of these becomes the default, so that each
//! value still goes where it went.

use std::collections::BTreeSet;

use belay_ir::{BlockId, Function, InstId, Op, Operand, Terminator};

/// A value may be one of so many constants at most; more are looked at for no gain.
const MOST_CONSTANTS: usize = 64;

/// The switch without the cases, and without the default, that no value of `value` takes; `None` if it has none of these.
pub(super) fn narrow(
    function: &Function,
    value: Operand,
    cases: &[(u128, BlockId)],
    default: BlockId,
) -> Option<Terminator> {
    let mut found = Found::default();
    found.add(function, value)?;
    let mut kept: Vec<(u128, BlockId)> =
        cases.iter().filter(|(case, _)| found.constants.contains(case)).copied().collect();
    let covered = kept.len() == found.constants.len();
    if !covered && kept.len() == cases.len() {
        return None;
    }
    let last = if covered { kept.pop() } else { None };
    let default = last.map_or(default, |(_, target)| target);
    Some(if kept.is_empty() { Terminator::Jump(default) } else { Terminator::Switch { value, cases: kept, default } })
}

/// The constants that a value may be.
#[derive(Default)]
struct Found {
    constants: BTreeSet<u128>,
    phis: BTreeSet<InstId>,
}

impl Found {
    fn add(&mut self, function: &Function, value: Operand) -> Option<()> {
        if let Some(constant) = value.as_int() {
            self.constants.insert(constant);
            return (self.constants.len() <= MOST_CONSTANTS).then_some(());
        }
        let Operand::Inst(phi) = value else { return None };
        let Op::Phi { incoming } = &function.insts[phi].op else { return None };
        if self.phis.len() > MOST_CONSTANTS || !self.phis.insert(phi) {
            return (self.phis.len() <= MOST_CONSTANTS).then_some(());
        }
        incoming.iter().try_for_each(|(_, value)| self.add(function, *value))
    }
}

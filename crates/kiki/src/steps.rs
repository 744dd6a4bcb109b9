//! How far a round moves what a loop changes, where that is the same in every round, and where it begins. Nothing rests on it: it proposes rows.

use belay_invariants::{Atom, Variable};
use belay_ir::{BlockId, Cfg, Dominators, Function, LoopNest, Op, Operand, Type, steps};

/// A variable that each round moves by the same number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The variable.
    pub atom: Atom,
    /// By how much.
    pub step: i64,
    /// Its value before the first round.
    pub start: Begins,
}

/// What a variable is before the first round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Begins {
    /// A constant, or (it may be) the start of an object.
    Constant,
    /// This.
    With(Atom),
    /// Something that has no name at the head.
    Unnamed,
}

/// Those of these variables of a loop that are moved.
pub fn steps_of(function: &Function, head: BlockId, (changed, fixed): (&[Atom], &[Atom])) -> Vec<Step> {
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let Some(id) = nest.headed_by(head) else { return Vec::new() };
    let steps = steps(function, &nest, id);
    let step = |atom: &Atom| {
        let phi = atom.variable.register()?;
        let Op::Phi { incoming } = &function.insts[phi].op else { return None };
        let mut starts = incoming.iter().filter(|(block, _)| !nest.contains(id, *block)).map(|(_, start)| *start);
        let start = starts.next().filter(|start| starts.all(|other| other == *start));
        let start = start.map_or(Begins::Unnamed, |start| begins(function, (atom, fixed), start));
        let step = steps.get(&phi).copied().filter(|step| *step != 0)?;
        Some(Step { atom: atom.clone(), step, start })
    };
    changed.iter().filter_map(step).collect()
}

fn begins(function: &Function, (atom, fixed): (&Atom, &[Atom]), start: Operand) -> Begins {
    let variable = match (start, &atom.variable) {
        (Operand::Inst(inst), Variable::Offset(_)) => Variable::Offset(inst),
        (Operand::Inst(inst), _) => Variable::Register(inst),
        (Operand::Param(index), Variable::Register(_)) => {
            let is_number = function.params.get(index as usize).is_some_and(|param| matches!(param.ty, Type::Int(_)));
            let start = Atom { variable: Variable::Param(index), signed: atom.signed };
            return if is_number { Begins::With(start) } else { Begins::Unnamed };
        }
        _ => return Begins::Constant,
    };
    let has_name = fixed.iter().any(|other| other.variable == variable);
    if has_name { Begins::With(Atom { variable, signed: atom.signed }) } else { Begins::Unnamed }
}

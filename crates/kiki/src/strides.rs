//! How far a round moves what a loop changes, where that is the same in every round, and where it begins. Nothing rests on it: it proposes rows.

use belay_invariants::{Atom, Variable};
use belay_ir::{BlockId, Cfg, Dominators, Function, LoopNest, Op, Operand, Type, strides};

/// A variable that each round moves by the same number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stride {
    /// The variable.
    pub atom: Atom,
    /// By how much.
    pub step: i64,
    /// Its value before the first round, unless that is a constant.
    pub start: Option<Atom>,
}

/// Those of these variables of a loop that are moved, and begin with a constant, or with what has a name.
pub fn strides_of(function: &Function, head: BlockId, (changed, fixed): (&[Atom], &[Atom])) -> Vec<Stride> {
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let Some(id) = nest.headed_by(head) else { return Vec::new() };
    let steps = strides(function, &nest, id);
    let stride = |atom: &Atom| {
        let phi = atom.variable.register()?;
        let Op::Phi { incoming } = &function.insts[phi].op else { return None };
        let mut starts = incoming.iter().filter(|(block, _)| !nest.contains(id, *block)).map(|(_, start)| *start);
        let start = starts.next().filter(|start| starts.all(|other| other == *start))?;
        let start = start_of(function, atom, start)?;
        let has_name = |start: &Atom| matches!(start.variable, Variable::Param(_)) || fixed.contains(start);
        let step = steps.get(&phi).copied().filter(|step| *step != 0)?;
        start.iter().all(has_name).then_some(Stride { atom: atom.clone(), step, start })
    };
    changed.iter().filter_map(stride).collect()
}

/// What names the value before the first round: nothing if that is a constant, or (it may be) the start of an object.
fn start_of(function: &Function, atom: &Atom, start: Operand) -> Option<Option<Atom>> {
    let named = |variable| Some(Some(Atom { variable, signed: atom.signed }));
    match (start, &atom.variable) {
        (Operand::Inst(inst), Variable::Offset(_)) => named(Variable::Offset(inst)),
        (Operand::Inst(inst), _) => named(Variable::Register(inst)),
        (Operand::Param(index), Variable::Register(_)) => {
            let is_number = function.params.get(index as usize).is_some_and(|param| matches!(param.ty, Type::Int(_)));
            if is_number { named(Variable::Param(index)) } else { None }
        }
        _ => Some(None),
    }
}

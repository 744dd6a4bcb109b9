//! Values that stand for others, gathered first and put in place in one walk over the function.

use belay_base::IdVec;

use belay_ir::{DataLayout, Function, InstId, Op, Operand};

/// True if both are the same value whenever they are computed. An undefined constant is not: each use of it is arbitrary. Floats
/// compare by their bits, since `0.0 == -0.0` and a NaN equals nothing.
pub(super) fn same_value(a: Operand, b: Operand) -> bool {
    match (a, b) {
        (Operand::F32(a), Operand::F32(b)) => a.to_bits() == b.to_bits(),
        (Operand::F64(a), Operand::F64(b)) => a.to_bits() == b.to_bits(),
        (Operand::Undef(_), Operand::Undef(_)) => false,
        (
            Operand::Inst(_)
            | Operand::Param(_)
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Global { .. }
            | Operand::Func(_)
            | Operand::Undef(_),
            _,
        ) => a == b,
    }
}

/// True if the operand means the same wherever it is used. The name of a stack object with lifetime markers does not: it stands
/// for the object's present life, so a use of it must not be moved to where another life may have begun. What was computed from
/// it, if only by adding 0, is an address in the life it was computed in.
pub(super) fn is_stable(function: &Function, operand: Operand) -> bool {
    let Operand::Inst(id) = operand else { return true };
    !matches!(function.insts[id].op, Op::Alloca { scoped: true, .. })
}

/// The address that `name` stands for here and now, kept for later.
pub(super) fn capture(name: Operand, layout: DataLayout) -> Op {
    Op::PtrAdd { base: name, offset: Operand::int(layout.pointer_bits(), 0) }
}

/// Which operand replaces the value of which instruction.
#[derive(Debug)]
pub(super) struct Substitution {
    to: IdVec<InstId, Option<Operand>>,
}

impl Substitution {
    /// Nothing is replaced yet.
    pub(super) fn new(function: &Function) -> Self {
        Self { to: IdVec::filled(None, function.insts.len()) }
    }

    /// Makes room for instructions that were added since.
    pub(super) fn grow(&mut self, function: &Function) {
        while self.to.len() < function.insts.len() {
            self.to.push(None);
        }
    }

    /// Replaces the value of `inst` by a stable one, whose own chain `inst` must not be part of.
    pub(super) fn replace(&mut self, inst: InstId, value: Operand) {
        self.to[inst] = Some(value);
    }

    /// True if the value of `inst` is replaced.
    pub(super) fn replaces(&self, inst: InstId) -> bool {
        self.to.get(inst).is_some_and(Option::is_some)
    }

    /// What stands in the end for `operand`. Shortens the chain that it follows.
    pub(super) fn resolve(&mut self, operand: Operand) -> Operand {
        let mut chain = smallvec::SmallVec::<[InstId; 4]>::new();
        let mut at = operand;
        while let Operand::Inst(id) = at {
            let Some(next) = self.to.get(id).copied().flatten() else { break };
            chain.push(id);
            at = next;
        }
        for id in chain {
            self.to[id] = Some(at);
        }
        at
    }

    /// Puts the replacements into every operand of what stands in blocks, and hands on names.
    pub(super) fn apply(&mut self, function: &mut Function) {
        let Function { blocks, insts, .. } = function;
        for block in blocks.iter_mut() {
            for inst in &block.insts {
                insts[*inst].op.for_each_operand_mut(|operand| *operand = self.resolve(*operand));
            }
            block.term.for_each_operand_mut(|operand| *operand = self.resolve(*operand));
        }
        self.hand_on_names(function);
    }

    /// A value that stands for a named one takes over its name, unless it has its own.
    fn hand_on_names(&mut self, function: &mut Function) {
        let replaced: Vec<(InstId, u32)> =
            function.value_names.iter().copied().filter(|(inst, _)| self.replaces(*inst)).collect();
        function.value_names.retain(|(inst, _)| !self.replaces(*inst));
        for (inst, local) in replaced {
            if let Operand::Inst(heir) = self.resolve(Operand::Inst(inst)) {
                name_value(&mut function.value_names, heir, local);
            }
        }
        sort_names(&mut function.value_names);
    }
}

/// Names a value, to be put in order with [`sort_names`].
pub(super) fn name_value(names: &mut Vec<(InstId, u32)>, inst: InstId, local: u32) {
    names.push((inst, local));
}

/// Puts names in order; where a value got several, the first given stays.
pub(super) fn sort_names(names: &mut Vec<(InstId, u32)>) {
    names.sort_by_key(|(inst, _)| *inst);
    names.dedup_by_key(|(inst, _)| *inst);
}

/// Forgets the names of values and the stack objects of locals that stand in no block any more.
pub(super) fn prune_names(function: &mut Function) {
    let mut placed = IdVec::filled(false, function.insts.len());
    for (_, inst) in function.placed_insts() {
        placed[inst] = true;
    }
    function.value_names.retain(|(inst, _)| placed[*inst]);
    for local in &mut function.locals {
        local.alloca = local.alloca.filter(|alloca| placed[*alloca]);
    }
}

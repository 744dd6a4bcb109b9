//! A value of the program followed back to what it is made of.

use belay_invariants::Formula;
use belay_invariants::ObjectKind;
use belay_invariants::{ObjectKey, Variable};
use belay_ir::{BlockId, CastOp, InstId, IntPredicate, LoopId, Op, Operand, Terminator, Type};

use super::Miner;

/// Operations of a condition at most, on one way.
pub(super) const MAX_DEPTH: u32 = 10;

/// What is read as the value of an expression.
#[derive(Clone, Copy)]
pub(super) enum View<'c> {
    /// For any indices: counters of nested loops, of which this is the outermost.
    Index { of: LoopId, counters: &'c [InstId] },
    /// At the head of a loop: its variables are as they are there, those of inner loops as these begin.
    Head(LoopId),
    /// Outside of loops: choices are as they were made.
    Decision,
}

impl Miner<'_> {
    /// A number as a condition.
    pub(super) fn condition(&self, operand: Operand, view: View<'_>) -> Option<Formula> {
        let mut formula = self.formula(operand, view, MAX_DEPTH)?;
        while let Formula::Cast(CastOp::ZExt | CastOp::SExt, _, inner) = formula {
            formula = *inner;
        }
        let is_truth = matches!(formula, Formula::Compare(..)) || self.width_of(&formula) == Some(1);
        if is_truth {
            return Some(formula);
        }
        let zero = Formula::Number { width: self.width_of(&formula)?, value: 0 };
        Some(Formula::Compare(IntPredicate::Ne, Box::new(formula), Box::new(zero)))
    }

    fn width_of(&self, formula: &Formula) -> Option<u32> {
        match formula {
            Formula::Number { width, .. } | Formula::Index { width, .. } | Formula::Cast(_, width, _) => Some(*width),
            Formula::Element(element) => Some(8 * element.size),
            Formula::PrefixSum(total) => Some(total.width),
            Formula::Variable(Variable::Register(inst)) => self.function.insts[*inst].ty?.int_width().map(u32::from),
            Formula::Variable(Variable::Param(index)) => {
                self.function.params.get(*index as usize)?.ty.int_width().map(u32::from)
            }
            Formula::Variable(Variable::Cell { size, .. }) => Some(8 * size),
            Formula::Variable(_) => None,
            Formula::Binary(_, a, _) => self.width_of(a),
            Formula::Compare(..) => Some(1),
            Formula::Select(parts) => self.width_of(&parts[1]),
        }
    }

    pub(super) fn formula(&self, operand: Operand, view: View<'_>, depth: u32) -> Option<Formula> {
        let depth = depth.checked_sub(1)?;
        let inst = match operand {
            Operand::Int { width, value } => return Some(Formula::Number { width: width.into(), value }),
            Operand::Param(index) => return self.number(Variable::Param(index), self.function.operand_type(operand)?),
            Operand::Inst(inst) => inst,
            _ => return None,
        };
        let ty = self.function.insts[inst].ty?;
        let width = u32::from(ty.int_width()?);
        let inner = |operand: Operand| self.formula(operand, view, depth).map(Box::new);
        match self.op(inst) {
            Op::Load { ptr: Operand::Global { global, offset: 0 }, .. }
                if self.program.globals[*global].size == Some(u64::from(width) / 8) =>
            {
                let kind = ObjectKind::Global(*global);
                let object = ObjectKey { kind, calls: Vec::new(), inst: InstId(u32::MAX), number: 0 };
                self.number(Variable::Cell { object, offset: 0, size: width / 8 }, ty)
            }
            _ if !self.is_inside(inst, view) => self.number(Variable::Register(inst), ty),
            Op::Phi { incoming } => match (view, self.nest.headed_by(self.block_of(inst)?)) {
                (View::Index { counters, .. }, _) if counters.contains(&inst) => {
                    let dimension = counters.iter().position(|counter| *counter == inst)? as u32;
                    Some(Formula::Index { dimension, width })
                }
                (View::Head(id), Some(headed)) if headed == id => self.number(Variable::Register(inst), ty),
                (View::Head(_), Some(inner)) => {
                    let mut outside = incoming.iter().filter(|(from, _)| !self.nest.contains(inner, *from));
                    let (_, first) = outside.next()?;
                    self.formula(*first, view, depth)
                }
                (View::Index { .. }, Some(_)) => None,
                (View::Decision, _) => None,
                (View::Index { .. } | View::Head(_), None) => self.describe_choice(inst, incoming, view, depth),
            },
            Op::Load { ptr, .. } => self.element(*ptr, ty, view),
            Op::Binary { op, lhs, rhs } => Some(Formula::Binary(*op, inner(*lhs)?, inner(*rhs)?)),
            Op::Compare { op, lhs, rhs } => Some(Formula::Compare(*op, inner(*lhs)?, inner(*rhs)?)),
            Op::Cast { op: op @ (CastOp::Trunc | CastOp::ZExt | CastOp::SExt), value } => {
                Some(Formula::Cast(*op, width, inner(*value)?))
            }
            Op::Freeze { value } => self.formula(*value, view, depth),
            Op::Select { cond, then, otherwise } => {
                Some(Formula::Select(Box::new([*inner(*cond)?, *inner(*then)?, *inner(*otherwise)?])))
            }
            _ => self.find_kept(inst, ty, view),
        }
    }

    /// The element that the loop stores a value to: from then on the value is what stands there.
    fn find_kept(&self, value: InstId, ty: Type, view: View<'_>) -> Option<Formula> {
        let View::Index { of, .. } = view else { return None };
        let insts = self.nest.get(of).blocks.iter().flat_map(|block| &self.function.blocks[*block].insts);
        insts.into_iter().find_map(|inst| match self.op(*inst) {
            Op::Store { ptr, value: stored, .. } if *stored == Operand::Inst(value) => self.element(*ptr, ty, view),
            _ => None,
        })
    }

    fn number(&self, variable: Variable, ty: Type) -> Option<Formula> {
        matches!(ty, Type::Int(1..=64)).then_some(Formula::Variable(variable))
    }

    pub(super) fn block_of(&self, inst: InstId) -> Option<BlockId> {
        self.blocks.get(&inst).copied()
    }

    /// Whether an instruction stands in the loop of the view.
    pub(super) fn is_inside(&self, inst: InstId, view: View<'_>) -> bool {
        match view {
            View::Index { of: id, .. } | View::Head(id) => {
                self.block_of(inst).is_none_or(|block| self.nest.contains(id, block))
            }
            View::Decision => {
                let op = self.op(inst);
                matches!(op, Op::Binary { .. } | Op::Compare { .. } | Op::Cast { .. } | Op::Select { .. })
            }
        }
    }

    /// A choice between two ways that part and meet again: `a || b`, `a ? b : c`.
    fn describe_choice(
        &self,
        phi: InstId,
        incoming: &[(BlockId, Operand)],
        view: View<'_>,
        depth: u32,
    ) -> Option<Formula> {
        let [(first, a), (second, b)] = incoming else { return None };
        let meeting = self.block_of(phi)?;
        let only = |block: BlockId| match self.cfg.predecessors(block) {
            [one] => Some(*one),
            _ => None,
        };
        // The block that decides, and the value on its `then` side.
        let (fork, then_side, other_side) = [(*first, *second, *a, *b), (*second, *first, *b, *a)]
            .into_iter()
            .find_map(|(early, late, direct, through)| {
                let fork =
                    if only(late) == Some(early) { early } else { only(early).filter(|f| only(late) == Some(*f))? };
                let Terminator::Branch { then, otherwise, .. } = self.function.blocks[fork].term else { return None };
                let to_early = if fork == early { meeting } else { early };
                match (then == to_early, otherwise == to_early) {
                    (true, false) => Some((fork, direct, through)),
                    (false, true) => Some((fork, through, direct)),
                    _ => None,
                }
            })?;
        let Terminator::Branch { cond, .. } = self.function.blocks[fork].term else { return None };
        let part = |operand| self.formula(operand, view, depth);
        Some(Formula::Select(Box::new([part(cond)?, part(then_side)?, part(other_side)?])))
    }
}

//! Conditions of the program about the elements of arrays: what it asserts of them, what it stores, what it asks. Each is a candidate for what
//! holds of all elements that a loop has been at (or not yet).
//!
//! A condition is followed back from where it is used to what it is made of: the elements at the counter of the loop it stands in, the counter itself, and
//! numbers from outside. What is not of this form is left out; nothing rests on it, as candidates that are not kept are dropped.

use belay_ir::{
    BinaryOp, BlockId, Callee, CastOp, Cfg, Dominators, FuncId, Function, InstId, IntPredicate, LiveValue, Liveness,
    LoopId, LoopNest, ObligationId, Op, Operand, Program, Property, Terminator, Type,
};
use belay_semantics::encode::cut::{ObjectKey, Segment, Variable};
use belay_semantics::encode::formula::{Array, Every, Formula};
use belay_semantics::encode::object::ObjectKind;

use super::atoms::segment_of;

/// Conditions of one function at most.
const MAX_CONDITIONS: usize = 12;
/// Ends of one loop at most.
const MAX_ENDS: usize = 3;
/// Decisions on the way to an assertion at most.
const MAX_GUARDS: usize = 2;
/// Operations of a condition at most, on one way.
const MAX_DEPTH: u32 = 10;

/// What may hold of many elements whenever the loop at `head` is reached again.
pub(super) fn candidates(program: &Program, function: FuncId, head: BlockId) -> Vec<Every> {
    let body = &program.functions[function];
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let nest = LoopNest::new(&cfg, &dominators);
    let Some(id) = nest.headed_by(head) else { return Vec::new() };
    let miner = Miner { program, function: body, cfg: &cfg, dominators: &dominators, nest: &nest };
    let liveness = Liveness::new(body, &cfg);
    let live = |inst: InstId| liveness.live_in(head).contains(&LiveValue::Inst(inst));
    let known = |inst: InstId| live(inst) || body.blocks[head].insts.contains(&inst);
    let mut conditions = miner.conditions();
    let used = miner.arrays_of(id);
    conditions.retain(|condition| arrays(condition).iter().any(|array| used.contains(array)));
    conditions.retain(|condition| registers(condition).into_iter().all(known));
    if conditions.is_empty() {
        return Vec::new();
    }
    conditions.truncate(MAX_CONDITIONS);
    let mut found: Vec<Every> = miner.last_test(id, head).into_iter().collect();
    for end in miner.ends(id, head) {
        for condition in &conditions {
            let every = |rest| Every { segments: end.clone(), rest, condition: condition.clone() };
            found.extend([every(false), every(true)]);
        }
    }
    found
}

/// The registers that a formula mentions.
fn registers(formula: &Formula) -> Vec<InstId> {
    match formula {
        Formula::Number { .. } | Formula::Index(_) => Vec::new(),
        Formula::Element(Array::Register(inst), _) => vec![*inst],
        Formula::Element(..) => Vec::new(),
        Formula::Variable(Variable::Register(inst)) => vec![*inst],
        Formula::Variable(_) => Vec::new(),
        Formula::Binary(_, a, b) | Formula::Compare(_, a, b) => [registers(a), registers(b)].concat(),
        Formula::Cast(_, _, a) => registers(a),
        Formula::Select(parts) => parts.iter().flat_map(registers).collect(),
    }
}

fn arrays(formula: &Formula) -> Vec<Array> {
    match formula {
        Formula::Element(array, _) => vec![*array],
        Formula::Number { .. } | Formula::Index(_) | Formula::Variable(_) => Vec::new(),
        Formula::Binary(_, a, b) | Formula::Compare(_, a, b) => [arrays(a), arrays(b)].concat(),
        Formula::Cast(_, _, a) => arrays(a),
        Formula::Select(parts) => parts.iter().flat_map(arrays).collect(),
    }
}

/// The condition with the opposite meaning.
fn negated(condition: &Formula) -> Formula {
    match condition {
        Formula::Compare(op, a, b) => Formula::Compare(op.negated(), a.clone(), b.clone()),
        other => {
            let one = Formula::Number { width: 1, value: 1 };
            Formula::Binary(BinaryOp::Xor, Box::new(other.clone()), Box::new(one))
        }
    }
}

/// Whether a formula rises (1) or falls (-1) with a variable, as far as it shows.
fn slope(formula: &Formula, variable: InstId) -> i32 {
    let of = |formula: &Formula| slope(formula, variable);
    match formula {
        Formula::Variable(Variable::Register(inst)) => i32::from(*inst == variable),
        Formula::Binary(BinaryOp::Add, a, b) => (of(a) + of(b)).signum(),
        Formula::Binary(BinaryOp::Sub, a, b) => (of(a) - of(b)).signum(),
        Formula::Binary(BinaryOp::Mul | BinaryOp::Shl, a, b) if matches!(**b, Formula::Number { .. }) => of(a),
        Formula::Cast(_, _, a) => of(a),
        _ => 0,
    }
}

/// The formula with another in the place of a variable.
fn replaced(formula: &Formula, variable: &Variable, by: &Formula) -> Formula {
    let inner = |formula: &Formula| Box::new(replaced(formula, variable, by));
    match formula {
        Formula::Variable(found) if found == variable => by.clone(),
        Formula::Number { .. } | Formula::Index(_) | Formula::Element(..) | Formula::Variable(_) => formula.clone(),
        Formula::Binary(op, a, b) => Formula::Binary(*op, inner(a), inner(b)),
        Formula::Compare(op, a, b) => Formula::Compare(*op, inner(a), inner(b)),
        Formula::Cast(op, width, a) => Formula::Cast(*op, *width, inner(a)),
        Formula::Select(parts) => Formula::Select(Box::new(parts.each_ref().map(|part| *inner(part)))),
    }
}

/// That a condition holds where another does.
fn implied(guard: &Formula, condition: &Formula) -> Formula {
    let yes = Formula::Number { width: 1, value: 1 };
    Formula::Select(Box::new([guard.clone(), condition.clone(), yes]))
}

/// What is read as the value of an expression.
#[derive(Clone, Copy)]
enum View {
    /// For any index: the counter of a loop is the index.
    Index { of: LoopId, counter: InstId },
    /// At the head of a loop: its variables are as they are there, those of inner loops as these begin.
    Head(LoopId),
    /// Outside of loops: choices are as they were made.
    Decision,
}

struct Miner<'p> {
    program: &'p Program,
    function: &'p Function,
    cfg: &'p Cfg,
    dominators: &'p Dominators,
    nest: &'p LoopNest,
}

impl Miner<'_> {
    fn op(&self, inst: InstId) -> &Op {
        &self.function.insts[inst].op
    }

    /// The arrays that a loop reads or writes.
    fn arrays_of(&self, id: LoopId) -> Vec<Array> {
        let insts = self.nest.get(id).blocks.iter().flat_map(|block| &self.function.blocks[*block].insts);
        let address = |inst: &InstId| match self.op(*inst) {
            Op::Store { ptr, .. } | Op::Load { ptr, .. } => self.address(*ptr),
            _ => None,
        };
        insts.filter_map(address).map(|(array, ..)| array).collect()
    }

    /// The conditions of all loops: what is asserted, then what is stored, then what is asked.
    fn conditions(&self) -> Vec<Formula> {
        let (mut asserted, mut stored, mut asked) = (Vec::new(), Vec::new(), Vec::new());
        for (id, found) in self.nest.iter() {
            let Some(head) = found.head() else { continue };
            for counter in self.counters(head) {
                let view = View::Index { of: id, counter };
                let guards = self.guards(head);
                for block in &found.blocks {
                    for inst in &self.function.blocks[*block].insts {
                        match self.op(*inst) {
                            Op::Call { callee: Callee::Direct(callee), args, obligation, .. }
                                if obligation.is_some_and(|id| self.is_assertion(id)) || self.asserts(*callee) =>
                            {
                                let Some(condition) = args.first().and_then(|arg| self.condition(*arg, view)) else {
                                    continue;
                                };
                                asserted.extend(guards.iter().map(|guard| implied(guard, &condition)));
                                asserted.push(condition);
                            }
                            Op::Store { ptr, value, .. } => stored.extend(self.stored(*ptr, *value, view)),
                            _ => {}
                        }
                    }
                    if let Terminator::Branch { cond, .. } = &self.function.blocks[*block].term
                        && let Some(condition) = self.condition(*cond, view)
                    {
                        asked.extend([negated(&condition), condition]);
                    }
                }
            }
        }
        let mut found: Vec<Formula> = Vec::new();
        for condition in asserted.into_iter().chain(stored).chain(asked) {
            if !arrays(&condition).is_empty() && !found.contains(&condition) {
                found.push(condition);
            }
        }
        found
    }

    /// What was decided on the way to a loop.
    fn guards(&self, head: BlockId) -> Vec<Formula> {
        let mut found = Vec::new();
        for (block, decides) in self.function.blocks.iter_enumerated() {
            let Terminator::Branch { cond, then, otherwise } = decides.term else { continue };
            let leads = |to: BlockId| self.cfg.predecessors(to) == [block] && self.dominators.dominates(to, head);
            let taken = match (leads(then), leads(otherwise)) {
                (true, false) => true,
                (false, true) => false,
                _ => continue,
            };
            let Some(condition) = self.condition(cond, View::Decision) else { continue };
            let condition = if taken { condition } else { negated(&condition) };
            // A loop's own test says nothing that its end does not.
            if self.nest.innermost(block).is_none() && !registers(&condition).is_empty() {
                found.push(condition);
            }
        }
        found.truncate(MAX_GUARDS);
        found
    }

    fn is_assertion(&self, id: ObligationId) -> bool {
        self.program.obligations[id].property == Property::UnreachCall
    }

    /// Whether a function fails where its argument is 0.
    fn asserts(&self, callee: FuncId) -> bool {
        self.program.functions[callee].params.len() == 1 && self.may_fail(callee, 2)
    }

    /// Whether an assertion stands in a function, or in one that it calls.
    fn may_fail(&self, function: FuncId, depth: u32) -> bool {
        let body = &self.program.functions[function];
        body.placed_insts().any(|(_, inst)| match &body.insts[inst].op {
            Op::Call { obligation: Some(id), .. } | Op::Check { obligation: id, .. } => self.is_assertion(*id),
            Op::Call { callee: Callee::Direct(inner), .. } => depth > 0 && self.may_fail(*inner, depth - 1),
            _ => false,
        })
    }

    /// The head's variables that rounds move by a constant.
    fn counters(&self, head: BlockId) -> Vec<InstId> {
        let phis = self.function.blocks[head].insts.iter().copied();
        phis.filter(|phi| matches!(self.op(*phi), Op::Phi { .. }))
            .filter(|phi| segment_of(self.function, *phi, *phi, 3).is_some())
            .collect()
    }

    /// That the loop's test held in the round before, as far as its counter shows that.
    fn last_test(&self, id: LoopId, head: BlockId) -> Option<Every> {
        let Terminator::Branch { cond, then, otherwise } = self.function.blocks[head].term else { return None };
        let test = self.condition(cond, View::Head(id))?;
        let test = match (self.nest.contains(id, then), self.nest.contains(id, otherwise)) {
            (true, false) => test,
            (false, true) => negated(&test),
            _ => return None,
        };
        let mut counters = self.counters(head).into_iter().filter(|counter| registers(&test).contains(counter));
        let counter = counters.next()?;
        let Op::Phi { incoming } = self.op(counter) else { return None };
        let (_, next) = incoming.iter().find(|(from, _)| self.nest.contains(id, *from))?;
        let Operand::Inst(next) = next else { return None };
        let back = match self.op(*next) {
            Op::Binary { op, lhs, rhs: Operand::Int { width, value } } if *lhs == Operand::Inst(counter) => {
                let opposite = if *op == BinaryOp::Add { BinaryOp::Sub } else { BinaryOp::Add };
                let step = Formula::Number { width: (*width).into(), value: *value };
                let now = Formula::Variable(Variable::Register(counter));
                matches!(op, BinaryOp::Add | BinaryOp::Sub)
                    .then(|| Formula::Binary(opposite, Box::new(now), Box::new(step)))?
            }
            _ => return None,
        };
        let condition = replaced(&test, &Variable::Register(counter), &back);
        Some(Every { segments: Vec::new(), rest: false, condition })
    }

    /// Where the elements end that a loop has been at: at one side, or at both.
    fn ends(&self, id: LoopId, head: BlockId) -> Vec<Vec<(Segment, Formula)>> {
        let mut found: Vec<(Segment, Formula)> = Vec::new();
        let mut moving: Vec<(InstId, i32)> = Vec::new();
        for counter in self.counters(head) {
            if let (Some(segment), Some(Type::Int(2..=64))) =
                (segment_of(self.function, counter, counter, 3), self.function.insts[counter].ty)
            {
                moving.push((counter, if segment == Segment::Above { -1 } else { 1 }));
                found.push((segment, Formula::Variable(Variable::Register(counter))));
            }
        }
        for block in &self.nest.get(id).blocks {
            for inst in &self.function.blocks[*block].insts {
                let (Op::Store { ptr, .. } | Op::Load { ptr, .. }) = self.op(*inst) else { continue };
                let Some((_, _, index)) = self.address(*ptr) else { continue };
                let Some(end) = self.formula(self.plain(index), View::Head(id), MAX_DEPTH) else { continue };
                let way: i32 = moving.iter().map(|(counter, way)| way * slope(&end, *counter)).sum();
                let segment = if way < 0 { Segment::Above } else { Segment::Below };
                if way != 0 && !found.contains(&(segment, end.clone())) {
                    found.push((segment, end));
                }
            }
        }
        let of = |wanted: Segment| found.iter().find(|(segment, _)| *segment == wanted).cloned();
        let both = of(Segment::Below).zip(of(Segment::Above)).map(|(below, above)| vec![below, above]);
        found.truncate(MAX_ENDS);
        found.into_iter().map(|end| vec![end]).chain(both).collect()
    }

    /// What a store makes true of the element, if that does not depend on what it was.
    fn stored(&self, ptr: Operand, value: Operand, view: View) -> Option<Formula> {
        let element = self.element(ptr, self.function.operand_type(value)?, view)?;
        let value = self.formula(value, view, MAX_DEPTH)?;
        let itself = arrays(&element).first().copied();
        let again = arrays(&value).into_iter().any(|array| Some(array) == itself);
        (!again).then(|| Formula::Compare(IntPredicate::Eq, Box::new(element), Box::new(value)))
    }

    /// A number as a condition.
    fn condition(&self, operand: Operand, view: View) -> Option<Formula> {
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
            Formula::Number { width, .. } | Formula::Index(width) | Formula::Cast(_, width, _) => Some(*width),
            Formula::Element(_, size) => Some(8 * size),
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

    fn formula(&self, operand: Operand, view: View, depth: u32) -> Option<Formula> {
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
                (View::Index { counter, .. }, _) if counter == inst => Some(Formula::Index(width)),
                (View::Head(id), Some(headed)) if headed == id => self.number(Variable::Register(inst), ty),
                (View::Head(_), Some(inner)) => {
                    let mut outside = incoming.iter().filter(|(from, _)| !self.nest.contains(inner, *from));
                    let (_, first) = outside.next()?;
                    self.formula(*first, view, depth)
                }
                (View::Index { .. }, Some(_)) => None,
                (View::Decision, _) => None,
                (View::Index { .. } | View::Head(_), None) => self.chosen(inst, incoming, view, depth),
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
            _ => self.kept_in(inst, ty, view),
        }
    }

    /// The element that the loop stores a value to: from then on the value is what stands there.
    fn kept_in(&self, value: InstId, ty: Type, view: View) -> Option<Formula> {
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

    fn block_of(&self, inst: InstId) -> Option<BlockId> {
        self.function.blocks.iter_enumerated().find(|(_, block)| block.insts.contains(&inst)).map(|(id, _)| id)
    }

    /// Whether an instruction stands in the loop of the view.
    fn is_inside(&self, inst: InstId, view: View) -> bool {
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
    fn chosen(&self, phi: InstId, incoming: &[(BlockId, Operand)], view: View, depth: u32) -> Option<Formula> {
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

    /// The element that an address is of, if its index is the counter.
    fn element(&self, ptr: Operand, ty: Type, view: View) -> Option<Formula> {
        let (array, scale, index) = self.address(ptr)?;
        let size = u32::from(ty.int_width()?) / 8;
        let View::Index { counter, .. } = view else { return None };
        let is_counter = self.plain(index) == Operand::Inst(counter);
        (is_counter && size == scale && matches!(size, 1 | 2 | 4 | 8)).then_some(Formula::Element(array, size))
    }

    /// An operand without the casts that make it wider.
    fn plain(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Inst(inst) => match self.op(inst) {
                Op::Cast { op: CastOp::SExt | CastOp::ZExt, value } => self.plain(*value),
                _ => operand,
            },
            _ => operand,
        }
    }

    /// An address as an array, the size of its elements, and an index.
    fn address(&self, ptr: Operand) -> Option<(Array, u32, Operand)> {
        let Operand::Inst(inst) = ptr else { return None };
        let Op::PtrAdd { base, offset } = self.op(inst) else { return None };
        let array = match base {
            Operand::Inst(inst) => Array::Register(*inst),
            Operand::Param(index) => Array::Param(*index),
            Operand::Global { global, offset: 0 } => Array::Global(*global),
            _ => return None,
        };
        let scaled = match offset {
            Operand::Inst(inst) => match self.op(*inst) {
                Op::Binary { op: BinaryOp::Mul, lhs, rhs: Operand::Int { value, .. } } => {
                    Some((u32::try_from(*value).ok()?, *lhs))
                }
                Op::Binary { op: BinaryOp::Shl, lhs, rhs: Operand::Int { value, .. } } if *value < 8 => {
                    Some((1 << value, *lhs))
                }
                _ => None,
            },
            _ => None,
        };
        let (scale, index) = scaled.unwrap_or((1, *offset));
        Some((array, scale, index))
    }
}

//! Conditions of the program about the elements of arrays: what it asserts of them, what it stores, what it asks. Each is a candidate for what
//! holds of all elements that a loop has been at (or not yet).
//!
//! A condition is followed back from where it is used to what it is made of: the elements at the counter of the loop it stands in, the counter itself, and
//! numbers from outside. What is not of this form is left out; nothing rests on it, as candidates that are not kept are dropped.

use belay_invariants::ObjectKind;
use belay_invariants::{Array, Element, ForAll, Formula, Limit};
use belay_invariants::{Cut, CutPlace, IndexRange, Variable};
use belay_ir::{
    BinaryOp, BlockId, Callee, Cfg, Dominators, FuncId, Function, InstId, IntPredicate, LiveValue, Liveness, LoopId,
    LoopNest, ObligationId, Op, Operand, Program, Property, Terminator, Type,
};
use rustc_hash::FxHashMap;

mod address;
mod expression;
mod nested;
mod shape;
mod sums;

use super::atoms::segment_of;
use expression::{MAX_DEPTH, View};
use shape::{arrays, elements, imply, indices, negated, registers, renumber, replace_variable, slope};

/// Functions that are larger are not looked through.
const MAX_INSTS: usize = 20_000;
/// Conditions of one function at most.
const MAX_CONDITIONS: usize = 12;
/// Ends of one loop at most.
const MAX_ENDS: usize = 3;
/// Decisions on the way to an assertion at most.
const MAX_GUARDS: usize = 2;

/// What may hold of many elements whenever the loop at `head` is reached again.
pub(super) fn candidates(program: &Program, place: &CutPlace, cut: &Cut) -> Vec<ForAll> {
    let (function, head) = (place.function, place.head);
    let body = &program.functions[function];
    if body.insts.len() > MAX_INSTS {
        return Vec::new();
    }
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let nest = LoopNest::new(&cfg, &dominators);
    let Some(id) = nest.headed_by(head) else { return Vec::new() };
    let blocks = body.placed_insts().map(|(block, inst)| (inst, block)).collect();
    let miner = Miner { program, function: body, blocks, cfg: &cfg, dominators: &dominators, nest: &nest };
    let liveness = Liveness::new(body, &cfg);
    let live = |inst: InstId| liveness.live_in(head).contains(&LiveValue::Inst(inst));
    let known = |inst: InstId| live(inst) || body.blocks[head].insts.contains(&inst);
    let used = miner.arrays_of(id);
    let is_of_use = |condition: &Condition| {
        let formula = &condition.formula;
        arrays(formula).iter().any(|array| used.contains(array))
            && (condition.asked_in.contains(&id) || miner.may_change(id, cut, &miner.as_at(id, head, formula)))
    };
    let conditions = miner.conditions().into_iter().filter(is_of_use).map(|condition| condition.formula);
    let (single, nested): (Vec<Formula>, Vec<Formula>) = conditions.partition(|condition| condition.dimensions() <= 1);
    let mut found: Vec<ForAll> = miner.sums(head);
    found.retain(|every| all_registers(every).into_iter().all(known));
    for every in nested.iter().filter_map(|condition| miner.before(id, head, condition)) {
        if !found.contains(&every) && all_registers(&every).into_iter().all(known) {
            found.push(every);
        }
    }
    found.truncate(MAX_CONDITIONS);
    let mut single: Vec<Formula> =
        single.into_iter().filter(|condition| registers(condition).into_iter().all(known)).collect();
    single.truncate(MAX_CONDITIONS);
    if single.is_empty() && found.is_empty() {
        return Vec::new();
    }
    found.extend(miner.last_test(id, head));
    for end in miner.ends(id, head) {
        for condition in &single {
            let segments: Vec<Vec<Limit>> = end
                .iter()
                .map(|(segment, end)| vec![Limit { dimension: 0, side: (*segment).into(), end: end.clone() }])
                .collect();
            let every =
                |rest| ForAll { within: Vec::new(), segments: segments.clone(), rest, condition: condition.clone() };
            found.extend([every(false), every(true)]);
        }
    }
    found
}

/// Whether a row says which sum over arrays a variable is.
pub(super) fn says_sum_of(every: &ForAll, variable: &Variable) -> bool {
    match &every.condition {
        Formula::Compare(IntPredicate::Eq, a, b) => **a == Formula::Variable(variable.clone()) && b.has_prefix_sum(),
        _ => false,
    }
}

/// The registers that a row mentions.
fn all_registers(every: &ForAll) -> Vec<InstId> {
    let limits = every.within.iter().chain(every.segments.iter().flatten());
    limits.flat_map(|limit| registers(&limit.end)).chain(registers(&every.condition)).collect()
}

/// A function, and what its loops are.
struct Miner<'p> {
    program: &'p Program,
    function: &'p Function,
    /// Where each instruction stands.
    blocks: FxHashMap<InstId, BlockId>,
    cfg: &'p Cfg,
    dominators: &'p Dominators,
    nest: &'p LoopNest,
}

/// Conditions by where they were found.
#[derive(Default)]
struct Mined {
    asserted: Vec<Formula>,
    stored: Vec<Formula>,
    /// With the loop that asks.
    asked: Vec<(LoopId, Formula)>,
}

/// A condition, and the loops whose branches ask for it.
struct Condition {
    formula: Formula,
    asked_in: Vec<LoopId>,
}

impl Mined {
    /// Adds others, as far as they are wanted.
    fn add(&mut self, others: Mined, wanted: impl Fn(Formula) -> Option<Formula>) {
        self.asserted.extend(others.asserted.into_iter().filter_map(&wanted));
        self.stored.extend(others.stored.into_iter().filter_map(&wanted));
        self.asked.extend(others.asked.into_iter().filter_map(|(id, condition)| Some((id, wanted(condition)?))));
    }
}

/// Whether an element is at its index, in an array of its size.
fn is_plain(element: &Element) -> bool {
    *element == Element::at_index(element.array, element.size)
}

impl Miner<'_> {
    fn op(&self, inst: InstId) -> &Op {
        &self.function.insts[inst].op
    }

    /// The arrays that a loop reads or writes.
    fn arrays_of(&self, id: LoopId) -> Vec<Array> {
        let insts = self.nest.get(id).blocks.iter().flat_map(|block| &self.function.blocks[*block].insts);
        let array = |inst: &InstId| match self.op(*inst) {
            Op::Store { ptr, .. } | Op::Load { ptr, .. } => self.array_of(*ptr),
            _ => None,
        };
        insts.filter_map(array).collect()
    }

    /// The conditions of all loops: what is asserted, then what is stored, then what is asked.
    fn conditions(&self) -> Vec<Condition> {
        let mut mined = Mined::default();
        for (id, found) in self.nest.iter() {
            let Some(head) = found.head() else { continue };
            let mut single = Mined::default();
            for counter in self.counters(head) {
                self.mine((id, head), &found.blocks, View::Index { of: id, counters: &[counter] }, &mut single);
            }
            mined.add(single, |condition| (!self.is_of_one_round(id, &condition)).then_some(condition));
            if found.parent.is_some()
                && let Some((of, counters)) = self.counters_around(head)
            {
                let own: Vec<BlockId> =
                    found.blocks.iter().copied().filter(|block| self.nest.innermost(*block) == Some(id)).collect();
                let mut nested = Mined::default();
                self.mine((id, head), &own, View::Index { of, counters: &counters }, &mut nested);
                mined.add(nested, |condition| {
                    let used = indices(&condition);
                    (used.len() > 1).then(|| renumber(&condition, &used))
                });
            }
        }
        let mut found: Vec<Condition> = Vec::new();
        let told = mined.asserted.into_iter().chain(mined.stored).map(|formula| (formula, Vec::new()));
        for (formula, asked_in) in told.chain(mined.asked.into_iter().map(|(id, formula)| (formula, vec![id]))) {
            match found.iter_mut().find(|condition| condition.formula == formula) {
                Some(known) => known.asked_in.extend(asked_in),
                None if arrays(&formula).is_empty() => {}
                None => found.push(Condition { formula, asked_in }),
            }
        }
        // Elements at the counter itself first.
        found.sort_by_key(|condition| elements(&condition.formula).iter().any(|element| !is_plain(element)));
        found
    }

    /// Whether a loop may change what a condition is about; if not, the condition holds in each round as it does on the way in.
    fn may_change(&self, id: LoopId, cut: &Cut, condition: &Formula) -> bool {
        let changed = |array: &Array| {
            cut.objects.iter().any(|object| match (array, object.kind) {
                (Array::Global(global), kind) => kind == ObjectKind::Global(*global),
                (Array::Register(inst), ObjectKind::Stack) if self.is_alloca(*inst) => {
                    object.inst == *inst || !self.is_alloca(object.inst)
                }
                (Array::Register(inst), ObjectKind::Heap) if matches!(self.op(*inst), Op::Call { .. }) => {
                    object.inst == *inst || object.calls.len() > 1
                }
                (Array::Register(_) | Array::Param(_), _) => true,
            })
        };
        let moves = |inst: InstId| self.blocks.get(&inst).is_some_and(|block| self.nest.contains(id, *block));
        arrays(condition).iter().any(changed) || registers(condition).into_iter().any(moves)
    }

    fn is_alloca(&self, inst: InstId) -> bool {
        self.blocks.contains_key(&inst) && matches!(self.op(inst), Op::Alloca { .. })
    }

    /// Whether a condition is about elements that are others in each round of a loop around.
    fn is_of_one_round(&self, id: LoopId, condition: &Formula) -> bool {
        let around = self.nest.get(id).parent;
        let changes = |inst: InstId| {
            let block = self.blocks.get(&inst);
            around.zip(block).is_some_and(|(around, block)| self.nest.contains(around, *block))
        };
        elements(condition).iter().any(|element| registers(&element.base).into_iter().any(changes))
    }

    /// The conditions in some blocks.
    fn mine(&self, (id, head): (LoopId, BlockId), blocks: &[BlockId], view: View<'_>, mined: &mut Mined) {
        let guards = self.guards(head);
        for block in blocks {
            for inst in &self.function.blocks[*block].insts {
                match self.op(*inst) {
                    Op::Call { callee: Callee::Direct(callee), args, obligation, .. }
                        if obligation.is_some_and(|id| self.is_assertion(id)) || self.asserts(*callee) =>
                    {
                        let Some(condition) = args.first().and_then(|arg| self.condition(*arg, view)) else {
                            continue;
                        };
                        mined.asserted.extend(guards.iter().map(|guard| imply(guard, &condition)));
                        mined.asserted.push(condition);
                    }
                    Op::Store { ptr, value, .. } => mined.stored.extend(self.describe_stored(*ptr, *value, view)),
                    _ => {}
                }
            }
            if let Terminator::Branch { cond, .. } = &self.function.blocks[*block].term
                && let Some(condition) = self.condition(*cond, view)
            {
                mined.asked.extend([(id, negated(&condition)), (id, condition)]);
            }
        }
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
    fn last_test(&self, id: LoopId, head: BlockId) -> Option<ForAll> {
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
        let condition = replace_variable(&test, &Variable::Register(counter), &back);
        Some(ForAll { within: Vec::new(), segments: Vec::new(), rest: false, condition })
    }

    /// Where the elements end that a loop has been at: at one side, or at both.
    fn ends(&self, id: LoopId, head: BlockId) -> Vec<Vec<(IndexRange, Formula)>> {
        let mut found: Vec<(IndexRange, Formula)> = Vec::new();
        let mut moving: Vec<(InstId, i32)> = Vec::new();
        for counter in self.counters(head) {
            if let (Some(segment), Some(Type::Int(2..=64))) =
                (segment_of(self.function, counter, counter, 3), self.function.insts[counter].ty)
            {
                moving.push((counter, if segment == IndexRange::Above { -1 } else { 1 }));
                found.push((segment, Formula::Variable(Variable::Register(counter))));
            }
        }
        for block in &self.nest.get(id).blocks {
            for inst in &self.function.blocks[*block].insts {
                let (Op::Store { ptr, .. } | Op::Load { ptr, .. }) = self.op(*inst) else { continue };
                let Some(index) = self.index_of(*ptr) else { continue };
                let Some(end) = self.formula(self.plain(index), View::Head(id), MAX_DEPTH) else { continue };
                let way: i32 = moving.iter().map(|(counter, way)| way * slope(&end, *counter)).sum();
                let segment = if way < 0 { IndexRange::Above } else { IndexRange::Below };
                if way != 0 && !found.contains(&(segment, end.clone())) {
                    found.push((segment, end));
                }
            }
        }
        let of = |wanted: IndexRange| found.iter().find(|(segment, _)| *segment == wanted).cloned();
        let both = of(IndexRange::Below).zip(of(IndexRange::Above)).map(|(below, above)| vec![below, above]);
        found.truncate(MAX_ENDS);
        found.into_iter().map(|end| vec![end]).chain(both).collect()
    }

    /// What a store makes true of the element, if that does not depend on what it was.
    fn describe_stored(&self, ptr: Operand, value: Operand, view: View<'_>) -> Option<Formula> {
        let element = self.element(ptr, self.function.operand_type(value)?, view)?;
        let value = self.formula(value, view, MAX_DEPTH)?;
        let itself = arrays(&element).first().copied();
        let again = arrays(&value).into_iter().any(|array| Some(array) == itself);
        (!again).then(|| Formula::Compare(IntPredicate::Eq, Box::new(element), Box::new(value)))
    }
}

//! The search for a map: from a map that describes nothing, function by function, until every step is allowed for.
//!
//! Functions wait in a list, callers before callees, and are looked at again where something changed that they read. Bounds that go on growing are moved to the next constant
//! that the program compares with, and then to the end of the type. What was moved too far is then taken back by steps that compute the whole map anew from itself.
//! Where contents were blurred by bounds that were too wide for a while, a second search within the first one's result starts with empty contents.
//!
//! **Soundness.** None needed here: [`crate::judge`] checks the result.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted};
use belay_ir::{CallGraph, FuncId, Function, InstId, Op, Operand, Program, Terminator};
use belay_rules::Config;

use crate::eval::{At, Evaluator, Flow};
use crate::map::{FunctionValues, Update, ValueMap};
use crate::value::{Base, Value};
use narrow::narrow;

mod narrow;

/// Changes of a slot before its bounds are widened.
const PATIENCE: u32 = 3;

/// Why there is no map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A run that gets here has no verdict.
    NoVerdict(FuncId, InstId, String),
    /// Out of time or steps.
    Exhausted(Exhausted),
}

/// Searches for a map that describes every state.
pub fn search(program: &Program, config: &Config, budget: &Budget) -> Result<ValueMap, Failure> {
    let evaluator = Evaluator::new(program, config.clone());
    let thresholds = collect_thresholds(program);
    let first = Search::new(&evaluator, &thresholds, None, budget).run()?;
    let first = narrow(&evaluator, first, budget)?;
    let second = Search::new(&evaluator, &thresholds, Some(&first), budget).run()?;
    // What is allowed for by the first map need not be by the second, whose contents are cut otherwise: from there on without a limit.
    let second = Search::new(&evaluator, &thresholds, None, budget).go_on(second)?;
    narrow(&evaluator, second, budget)
}

/// Constants that values are compared with, and their neighbours; sizes of objects.
fn collect_thresholds(program: &Program) -> Vec<i128> {
    let mut found: BTreeSet<i128> = BTreeSet::from([-1, 0, 1]);
    let mut note = |operand: &Operand| {
        if let Operand::Int { width, value } = operand
            && *width <= 64
        {
            let (value, modulus) = (*value as i128, 1i128 << *width);
            let signed = if value >= modulus / 2 { value - modulus } else { value };
            for value in [value, signed] {
                found.extend([value - 1, value, value + 1]);
            }
        }
    };
    for function in program.functions.iter() {
        for inst in function.insts.iter() {
            if let Op::Compare { lhs, rhs, .. } = &inst.op {
                note(lhs);
                note(rhs);
            }
            if let Op::Alloca { size, .. } = &inst.op {
                note(size);
            }
        }
        for block in function.blocks.iter() {
            if let Terminator::Switch { value, cases, .. } = &block.term
                && let Some(belay_ir::Type::Int(width)) = function.operand_type(*value)
            {
                cases.iter().for_each(|(case, _)| note(&Operand::int(width, *case)));
            }
        }
    }
    let sizes: Vec<i128> = program.globals.iter().filter_map(|global| global.size).map(i128::from).collect();
    found.extend(sizes);
    for width in [8u32, 16, 32] {
        found.extend([(1i128 << width) - 1, (1i128 << (width - 1)) - 1, -(1i128 << (width - 1))]);
    }
    found.into_iter().collect()
}

/// A slot of the map whose bounds grow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Slot {
    Register(FuncId, InstId),
    Param(FuncId, u32),
    Result(FuncId, u32),
    Cell(Base),
}

/// Which of a function's values are meant: how they are read and written.
type List = (fn(&FunctionValues) -> &[Value], fn(&mut FunctionValues) -> &mut [Value]);

const REGISTERS: List = (|of| &of.registers, |of| &mut of.registers);
const PARAMS: List = (|of| &of.params, |of| &mut of.params);
const RESULTS: List = (|of| &of.results, |of| &mut of.results);

struct Search<'s, 'p> {
    evaluator: &'s Evaluator<'p>,
    thresholds: &'s [i128],
    within: Option<&'s ValueMap>,
    budget: &'s Budget,
    map: ValueMap,
    changes: BTreeMap<Slot, u32>,
    /// Functions to look at, by their place in the order.
    waiting: BTreeSet<(usize, FuncId)>,
    order: Vec<usize>,
    callers: BTreeMap<FuncId, BTreeSet<FuncId>>,
    readers: BTreeMap<Base, BTreeSet<FuncId>>,
    all_readers: BTreeSet<FuncId>,
    /// What was copied from where.
    copies: BTreeMap<Base, BTreeSet<Base>>,
    has_changed: bool,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        evaluator: &'s Evaluator<'p>,
        thresholds: &'s [i128],
        within: Option<&'s ValueMap>,
        budget: &'s Budget,
    ) -> Search<'s, 'p> {
        let program = evaluator.program;
        let graph = CallGraph::new(program);
        // Components come callees first.
        let order = program.functions.ids().map(|id| usize::MAX - graph.component(id)).collect();
        Search {
            evaluator,
            thresholds,
            within,
            budget,
            map: ValueMap::new(program),
            changes: BTreeMap::new(),
            waiting: BTreeSet::new(),
            order,
            callers: BTreeMap::new(),
            readers: BTreeMap::new(),
            all_readers: BTreeSet::new(),
            copies: BTreeMap::new(),
            has_changed: false,
        }
    }

    fn run(mut self) -> Result<ValueMap, Failure> {
        let mut updates = Vec::new();
        self.evaluator.start(&mut updates);
        for update in updates.drain(..) {
            self.apply(update)?;
        }
        self.settle()?;
        if self.within.is_some() {
            Ok(self.map)
        } else {
            let map = std::mem::take(&mut self.map);
            self.go_on(map)
        }
    }

    /// Looks at functions as long as some wait.
    fn settle(&mut self) -> Result<(), Failure> {
        while let Some((_, id)) = self.waiting.pop_first() {
            self.look_at(id)?;
        }
        Ok(())
    }

    /// From a map on, all functions again until none changes anything.
    fn go_on(mut self, map: ValueMap) -> Result<ValueMap, Failure> {
        self.map = map;
        loop {
            self.has_changed = false;
            let entered = self.evaluator.program.functions.ids().filter(|id| self.map.function(*id).is_some());
            let entered: Vec<FuncId> = entered.collect();
            entered.into_iter().for_each(|id| self.wait(id));
            self.settle()?;
            if !self.has_changed {
                return Ok(self.map);
            }
        }
    }

    fn wait(&mut self, id: FuncId) {
        self.waiting.insert((self.order[id.0 as usize], id));
    }

    /// One function, until its own registers stay as they are.
    fn look_at(&mut self, id: FuncId) -> Result<(), Failure> {
        let evaluator = self.evaluator;
        let Some(shape) = evaluator.shape(id) else { return Ok(()) };
        let function = &evaluator.program.functions[id];
        let mut updates = Vec::new();
        loop {
            let mut changes = false;
            for block in shape.cfg.reverse_postorder() {
                if !self.map.is_reached(id, *block) {
                    continue;
                }
                self.budget.spend(function.blocks[*block].insts.len() as u64 / 16 + 1).map_err(Failure::Exhausted)?;
                let mut flow = Flow::GoesOn;
                for (at, inst) in function.blocks[*block].insts.iter().enumerate() {
                    let at = At { function: id, block: *block, at };
                    self.note_reads(at, *inst);
                    flow = evaluator.step(&self.map, at, *inst, &mut updates);
                    for update in updates.drain(..) {
                        let is_own = matches!(&update, Update::Register(..) | Update::Reach(..));
                        changes |= self.apply(update)? && is_own;
                    }
                    if flow == Flow::Ends {
                        break;
                    }
                }
                if flow == Flow::GoesOn {
                    evaluator.leave(&self.map, id, *block, &mut updates);
                    for update in updates.drain(..) {
                        let is_own = matches!(&update, Update::Reach(..));
                        changes |= self.apply(update)? && is_own;
                    }
                }
            }
            if !changes {
                return Ok(());
            }
        }
    }

    /// Notes what a function depends on.
    fn note_reads(&mut self, at: At, inst: InstId) {
        match &self.evaluator.program.functions[at.function].insts[inst].op {
            Op::Load { ptr, .. } => {
                let pointer = self.evaluator.value(&self.map, at, *ptr).pointer();
                for base in pointer.targets.keys() {
                    self.readers.entry(*base).or_default().insert(at.function);
                }
                self.all_readers.insert(at.function);
            }
            Op::Call { .. } => {
                let (targets, _) = self.evaluator.targets(&self.map, at, inst);
                for target in targets {
                    self.callers.entry(target).or_default().insert(at.function);
                }
            }
            belay_ir::ops!(values)
            | belay_ir::ops!(lives)
            | Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | belay_ir::ops!(variadic)
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {}
        }
    }

    fn patience(&mut self, slot: Slot) -> bool {
        let count = self.changes.entry(slot).or_default();
        *count += 1;
        *count > PATIENCE
    }

    fn grow(&mut self, slot: Slot, known: &Value, value: &Value) -> Value {
        let is_head = match slot {
            // Only where values come around again.
            Slot::Register(id, inst) => {
                matches!(self.evaluator.program.functions[id].insts[inst].op, Op::Phi { .. })
            }
            Slot::Param(..) | Slot::Result(..) | Slot::Cell(_) => true,
        };
        if is_head && self.patience(slot) { known.widen(value, self.thresholds) } else { known.join(value) }
    }

    /// A value within what the first search found.
    fn limit(&self, value: Value, of: impl Fn(&FunctionValues) -> Option<&Value>, id: FuncId) -> Value {
        match self.within.and_then(|within| within.function(id)).and_then(of) {
            Some(limit) => value.meet(limit),
            None => value,
        }
    }

    /// Makes the map allow for a step; true if it changed.
    fn apply(&mut self, update: Update) -> Result<bool, Failure> {
        if self.map.covers(&update) {
            return Ok(false);
        }
        match update {
            Update::NoVerdict(function, inst, why) => return Err(Failure::NoVerdict(function, inst, why)),
            Update::Enter(id) => {
                let values = fresh(&self.evaluator.program.functions[id]);
                self.map.functions[id] = Some(Box::new(values));
                self.wait(id);
            }
            Update::Reach(..) | Update::Free(_) | Update::Size(..) => note_plain(&mut self.map, &update),
            Update::Return(id) => {
                note_plain(&mut self.map, &update);
                self.wake_callers(id);
            }
            Update::Register(id, inst, value) => {
                let value = self.limit(value, |values| values.registers.get(inst.0 as usize), id);
                if !self.grow_in(Slot::Register(id, inst), (id, inst.0 as usize), &value, REGISTERS) {
                    return Ok(false);
                }
            }
            Update::Param(id, index, value) => {
                if !self.grow_in(Slot::Param(id, index), (id, index as usize), &value, PARAMS) {
                    return Ok(false);
                }
                self.wait(id);
            }
            Update::Result(id, index, value) => {
                if !self.grow_in(Slot::Result(id, index), (id, index as usize), &value, RESULTS) {
                    return Ok(false);
                }
                self.wake_callers(id);
            }
            Update::Write(base, places, value) => {
                let widens = self.patience(Slot::Cell(base)) && self.changes[&Slot::Cell(base)] > 64;
                let (evaluator, thresholds) = (self.evaluator, self.thresholds);
                let contents = self.map.contents.entry(base).or_default();
                let combine = |a: &Value, b: &Value| if widens { a.widen(b, thresholds) } else { a.join(b) };
                contents.write(&places, &value, |places, like| evaluator.start_value(base, places, like), combine);
                self.wake_readers(base);
            }
            Update::Copy(base, link) => {
                self.map.contents.entry(base).or_default().link(&link);
                self.copies.entry(link.base.unwrap_or(base)).or_default().insert(base);
                self.wake_readers(base);
            }
            Update::Wild => {
                self.map.wild = true;
                let readers: Vec<FuncId> = self.all_readers.iter().copied().collect();
                readers.into_iter().for_each(|id| self.wait(id));
            }
        }
        self.has_changed = true;
        Ok(true)
    }

    /// Lets one of a function's values grow; false if it is the same as before.
    fn grow_in(&mut self, slot: Slot, (id, index): (FuncId, usize), value: &Value, (all, all_mut): List) -> bool {
        let known = self.map.function(id).and_then(|values| all(values).get(index)).cloned();
        let grown = self.grow(slot, &known.clone().unwrap_or_default(), value);
        let grown = self.limit(grown, |values| all(values).get(index), id);
        if known.as_ref() == Some(&grown) {
            return false;
        }
        if let Some(values) = &mut self.map.functions[id] {
            all_mut(values)[index] = grown;
        }
        true
    }

    fn wake_callers(&mut self, id: FuncId) {
        let callers: Vec<FuncId> = self.callers.get(&id).into_iter().flatten().copied().collect();
        callers.into_iter().for_each(|id| self.wait(id));
    }

    /// Those who read a base, and what was copied from it.
    fn wake_readers(&mut self, base: Base) {
        let (mut changed, mut todo) = (BTreeSet::from([base]), vec![base]);
        while let Some(from) = todo.pop() {
            let copies = self.copies.get(&from).into_iter().flatten();
            todo.extend(copies.filter(|to| changed.insert(**to)).copied());
        }
        let readers: BTreeSet<FuncId> =
            changed.iter().filter_map(|base| self.readers.get(base)).flatten().copied().collect();
        readers.into_iter().for_each(|id| self.wait(id));
    }
}

fn fresh(function: &Function) -> FunctionValues {
    let mut reached = vec![false; function.blocks.len()];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    FunctionValues {
        params: vec![Value::Nothing; function.params.len()],
        registers: vec![Value::Nothing; function.insts.len()],
        results: vec![Value::Nothing; function.results.len()],
        returns: false,
        reached,
    }
}

/// Updates that need no joining.
fn note_plain(map: &mut ValueMap, update: &Update) {
    match update {
        Update::Reach(id, block) => {
            if let Some(reached) =
                map.functions[*id].as_mut().and_then(|values| values.reached.get_mut(block.0 as usize))
            {
                *reached = true;
            }
        }
        Update::Return(id) => {
            if let Some(values) = &mut map.functions[*id] {
                values.returns = true;
            }
        }
        Update::Free(base) => drop(map.freed.insert(*base)),
        Update::Size(base, least, most) => {
            let known = map.sizes.entry(*base).or_insert((*least, *most));
            *known = (known.0.min(*least), known.1.max(*most));
        }
        Update::Wild => map.wild = true,
        Update::Enter(_)
        | Update::Register(..)
        | Update::Param(..)
        | Update::Result(..)
        | Update::Write(..)
        | Update::Copy(..)
        | Update::NoVerdict(..) => {}
    }
}

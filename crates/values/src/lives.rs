//! Which objects are alive whenever a pointer to them is used.
//!
//! **Claim.** Let the map describe all states (the claim of [`crate::eval`]). If [`Lives::holds`] says so of a base, then whenever a run uses a pointer whose target, by the
//! map, may be an object of this base, that object is alive.
//!
//! *Static objects* always are. *Blocks* are if no call that gives blocks back may be given one of this base.
//!
//! *Stack objects* of a function `f`, and copies of structs that it is given. Let `a` be the activation that made the object. Say that a place is *young* if it belongs to `a` or
//! to an activation that was entered while `a` was active. Required is (1) that no result of `f` may be a pointer to the base, and (2) that contents which may hold such
//! pointers are those of stack objects and copies of functions `g` that cannot reach `f` by calls, or `f` itself where it cannot reach
//! itself. Then pointers to the object are only in registers and stack objects of young activations, which by the order of the stack are gone when `a` is: by induction over
//! the steps of a run. A pointer is copied from register to register of one activation, to a parameter of a younger one, by a result to an older one, or through memory. The result
//! is one of `f` itself, which (1) excludes, or of a younger activation than `a`, which returns to one that is `a` or younger. A place in memory that holds it is
//! in a stack object of some `g`; were its activation older than `a` then `g` would reach `f`. Reading an object that is dead ends the run.
//!
//! Where the object has *lifetime markers* it may die before `a` does. An object with one start, which stands in no loop, has one life in each activation. Then required is further (A) that
//! instructions which name the `Alloca` itself stand where on every way the last marker is a start, (B) that no other use of a register of `f` that may point to the object, no read of `f` from
//! contents that may hold such a pointer, and, if there are such contents, no call of `f` can come after an end. So a pointer to the object is made in its life, by (A), and is not used after it, by (B), neither in `f` nor,
//! as younger activations run while `f` stands at a call, in them.
//!
//! Where there are several lives, required is (3) that contents which may hold the pointer are those of functions other than `f`, (4)
//! that at no marker of the object a register of `f` that may hold a pointer to it is still used later, the `Alloca` itself apart, and (5) that on every way from
//! the entry of `f` to a use of such a register the last marker is a start. So a pointer that is used was made in the life that is on: between its making and its use
//! there is no marker by (4), and the use is in that life by (5); uses in younger activations happen while `f` stands at a call that was given the pointer, or one from
//! whose stack it can be had, which is a use too: so (5) is required of every call in `f` as well, if contents may hold the pointer.
//! Objects of unknown number (`alloca`, arrays of variable length) are never claimed to be alive.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{BlockId, CallGraph, FuncId, Function, InstId, LiveValue, Liveness, Op, Operand};

use crate::eval::Evaluator;
use crate::map::ValueMap;
use crate::shape::Shape;
use crate::value::{Base, Value};

/// Which objects are alive where pointers to them are used.
pub struct Lives<'e, 'p> {
    evaluator: &'e Evaluator<'p>,
    map: &'e ValueMap,
    graph: CallGraph,
    /// Whose contents may hold pointers to a base.
    holders: BTreeMap<Base, BTreeSet<Base>>,
    reaches: RefCell<BTreeMap<FuncId, BTreeSet<FuncId>>>,
    known: RefCell<BTreeMap<Base, bool>>,
}

impl<'e, 'p> Lives<'e, 'p> {
    /// Looks at what a map says.
    pub fn new(evaluator: &'e Evaluator<'p>, map: &'e ValueMap) -> Lives<'e, 'p> {
        let graph = CallGraph::new(evaluator.program);
        let holders = find_holders(map);
        Lives { evaluator, map, graph, holders, reaches: RefCell::default(), known: RefCell::default() }
    }

    /// Whether the objects of a base are alive where pointers to them are used.
    pub fn holds(&self, base: Base) -> bool {
        if let Some(known) = self.known.borrow().get(&base) {
            return *known;
        }
        let holds = match base {
            Base::Global(_) => true,
            Base::Heap(..) => !self.map.freed.contains(&None) && !self.map.freed.contains(&Some(base)),
            Base::Function(_) | Base::Arguments => false,
            Base::Copy(function, _) => self.stays_young(base, function),
            Base::Stack(function, inst) => {
                self.stays_young(base, function) && self.is_in_its_life(base, function, inst)
            }
        };
        self.known.borrow_mut().insert(base, holds);
        holds
    }

    /// Conditions (1) and (2).
    fn stays_young(&self, base: Base, function: FuncId) -> bool {
        if self.map.wild {
            // What is written anywhere is read as anything, but may be read by the checks of others.
            return false;
        }
        let Some(values) = self.map.function(function) else { return true };
        if values.results.iter().any(|result| leads_to(result, base)) {
            return false;
        }
        let holders = self.holders.get(&base);
        holders.into_iter().flatten().all(|holder| match holder {
            Base::Stack(other, _) | Base::Copy(other, _) => !self.can_reach(*other, function),
            Base::Global(_) | Base::Function(_) | Base::Heap(..) | Base::Arguments => false,
        })
    }

    /// Whether a call chain of at least one call leads from one function to another.
    fn can_reach(&self, from: FuncId, to: FuncId) -> bool {
        // Destructors run below any function that ends the program.
        if !self.evaluator.program.destructors.is_empty() {
            return true;
        }
        let mut reaches = self.reaches.borrow_mut();
        let all = reaches.entry(from).or_insert_with(|| {
            let roots = self.graph.callees(from);
            self.graph.reachable_from(&roots).into_iter().collect()
        });
        all.contains(&to)
    }

    /// Conditions (3) to (5) where there are lifetime markers.
    fn is_in_its_life(&self, base: Base, id: FuncId, inst: InstId) -> bool {
        let function = &self.evaluator.program.functions[id];
        let Op::Alloca { scoped, dynamic, .. } = &function.insts[inst].op else { return false };
        if *dynamic {
            return false;
        }
        let marks =
            |op: &Op| matches!(op, Op::LifetimeStart { object } | Op::LifetimeEnd { object } if *object == inst);
        let is_marked = function.placed_insts().any(|(_, at)| marks(&function.insts[at].op));
        if !scoped && !is_marked {
            // One object for each time that the instruction is executed: once, in the entry block.
            return function.blocks[Function::ENTRY].insts.contains(&inst);
        }
        if self.has_one_life(base, id, inst) {
            return true;
        }
        let holders = self.holders.get(&base);
        let is_held = holders.is_some_and(|holders| !holders.is_empty());
        let own = |holder: &Base| matches!(holder, Base::Stack(other, _) | Base::Copy(other, _) if *other == id);
        if holders.into_iter().flatten().any(own) {
            return false;
        }
        self.crosses_no_mark(base, id, inst) && self.is_used_alive(base, id, inst, is_held)
    }

    /// Conditions (A) and (B).
    fn has_one_life(&self, base: Base, id: FuncId, inst: InstId) -> bool {
        let Some(shape) = self.evaluator.shape(id) else { return false };
        let function = &self.evaluator.program.functions[id];
        let is_start = |at: &InstId| matches!(&function.insts[*at].op, Op::LifetimeStart { object } if *object == inst);
        let starts: Vec<BlockId> =
            function.placed_insts().filter(|(_, at)| is_start(at)).map(|(block, _)| block).collect();
        let [start] = starts.as_slice() else { return false };
        if shape.nest.innermost(*start).is_some() {
            return false;
        }
        let holders = self.holders.get(&base);
        let is_held = holders.is_some_and(|holders| !holders.is_empty());
        let alive = self.alive_at_starts(shape, function, inst);
        let ended = self.ended_at_starts(shape, function, inst);
        shape.cfg.reverse_postorder().iter().filter(|block| self.map.is_reached(id, **block)).all(|block| {
            let (mut is_alive, mut has_ended) = (alive[block.0 as usize], ended[block.0 as usize]);
            function.blocks[*block].insts.iter().all(|at| {
                let op = &function.insts[*at].op;
                match op {
                    Op::LifetimeStart { object } if *object == inst => is_alive = true,
                    Op::LifetimeEnd { object } if *object == inst => (is_alive, has_ended) = (false, true),
                    _ => {}
                }
                let (mut names, mut uses) = (false, is_held && matches!(op, Op::Call { .. }));
                op.for_each_operand(|operand| {
                    names |= *operand == Operand::Inst(inst);
                    uses |= self.may_lead(base, id, *operand);
                    let reads = |holder: &Base| self.may_lead(*holder, id, *operand);
                    uses |= is_held && holders.into_iter().flatten().any(reads);
                });
                (!names || is_alive) && (!uses || !has_ended)
            })
        })
    }

    /// Where an object may have ended, at the start of each block.
    fn ended_at_starts(&self, shape: &Shape, function: &Function, inst: InstId) -> Vec<bool> {
        let ends = |block: BlockId| {
            function.blocks[block]
                .insts
                .iter()
                .any(|at| matches!(&function.insts[*at].op, Op::LifetimeEnd { object } if *object == inst))
        };
        let mut ended = vec![false; function.blocks.len()];
        let mut changes = true;
        while changes {
            changes = false;
            for block in shape.cfg.reverse_postorder() {
                let out = ended[block.0 as usize] || ends(*block);
                for to in shape.cfg.successors(*block) {
                    if out && !ended[to.0 as usize] {
                        (ended[to.0 as usize], changes) = (true, true);
                    }
                }
            }
        }
        ended
    }

    fn may_lead(&self, base: Base, id: FuncId, operand: Operand) -> bool {
        leads_to(&self.evaluator.plain(self.map, id, operand), base)
    }

    /// Condition (4).
    fn crosses_no_mark(&self, base: Base, id: FuncId, inst: InstId) -> bool {
        let Some(shape) = self.evaluator.shape(id) else { return false };
        let function = &self.evaluator.program.functions[id];
        let liveness = Liveness::new(function, &shape.cfg);
        for (block, body) in function.blocks.iter_enumerated() {
            if !self.map.is_reached(id, block) {
                continue;
            }
            for (at, mark) in body.insts.iter().enumerate() {
                let is_mark = matches!(&function.insts[*mark].op,
                    Op::LifetimeStart { object } | Op::LifetimeEnd { object } if *object == inst);
                if !is_mark {
                    continue;
                }
                let is_pointer = |live: &LiveValue| {
                    let operand = match live {
                        LiveValue::Inst(id) if *id == inst => return false,
                        LiveValue::Inst(id) => Operand::Inst(*id),
                        LiveValue::Param(index) => Operand::Param(*index),
                    };
                    self.may_lead(base, id, operand)
                };
                if liveness.live_after(function, block, at).iter().any(is_pointer) {
                    return false;
                }
            }
        }
        true
    }

    /// Where an object is alive on all ways, at the start of each block.
    fn alive_at_starts(&self, shape: &Shape, function: &Function, inst: InstId) -> Vec<bool> {
        let after = |block: BlockId, mut alive: bool| {
            for at in &function.blocks[block].insts {
                match &function.insts[*at].op {
                    Op::LifetimeStart { object } if *object == inst => alive = true,
                    Op::LifetimeEnd { object } if *object == inst => alive = false,
                    _ => {}
                }
            }
            alive
        };
        // Alive at the start of a block: on all ways.
        let mut alive: Vec<bool> = vec![true; function.blocks.len()];
        alive[Function::ENTRY.0 as usize] = false;
        let mut changes = true;
        while changes {
            changes = false;
            for block in shape.cfg.reverse_postorder() {
                let out = after(*block, alive[block.0 as usize]);
                for to in shape.cfg.successors(*block) {
                    if !out && alive[to.0 as usize] {
                        (alive[to.0 as usize], changes) = (false, true);
                    }
                }
            }
        }
        alive
    }

    /// Condition (5).
    fn is_used_alive(&self, base: Base, id: FuncId, inst: InstId, is_held: bool) -> bool {
        let Some(shape) = self.evaluator.shape(id) else { return false };
        let function = &self.evaluator.program.functions[id];
        let alive = self.alive_at_starts(shape, function, inst);
        shape.cfg.reverse_postorder().iter().filter(|block| self.map.is_reached(id, **block)).all(|block| {
            let mut is_alive = alive[block.0 as usize];
            for at in &function.blocks[*block].insts {
                let op = &function.insts[*at].op;
                match op {
                    Op::LifetimeStart { object } if *object == inst => is_alive = true,
                    Op::LifetimeEnd { object } if *object == inst => is_alive = false,
                    _ => {}
                }
                // Moving a pointer about is no use of the object.
                let mut uses = is_held && matches!(op, Op::Call { .. });
                if matches!(
                    op,
                    Op::Load { .. } | Op::Call { .. } | Op::Store { .. } | Op::MemCopy { .. } | Op::MemSet { .. }
                ) || matches!(op, belay_ir::ops!(variadic))
                {
                    op.for_each_operand(|operand| uses |= self.may_lead(base, id, *operand));
                }
                if uses && !is_alive {
                    return false;
                }
            }
            true
        })
    }
}

fn leads_to(value: &Value, base: Base) -> bool {
    match value {
        Value::Pointer(pointer) => pointer.targets.contains_key(&base),
        Value::Nothing | Value::Number(_) | Value::Any => false,
    }
}

/// Whose contents may hold pointers to what: cells, and what was copied from others.
fn find_holders(map: &ValueMap) -> BTreeMap<Base, BTreeSet<Base>> {
    let mut holders: BTreeMap<Base, BTreeSet<Base>> = BTreeMap::new();
    for (base, contents) in &map.contents {
        for value in contents.segments.iter().flat_map(|segment| segment.cells.values()).map(|cell| &cell.value) {
            if let Value::Pointer(pointer) = value {
                for target in pointer.targets.keys() {
                    holders.entry(*target).or_default().insert(*base);
                }
            }
        }
    }
    let copies: Vec<(Base, Base)> = map
        .contents
        .iter()
        .flat_map(|(base, contents)| contents.links.iter().filter_map(|link| link.base.map(|from| (from, *base))))
        .collect();
    loop {
        let mut changes = false;
        for held in holders.values_mut() {
            for (from, to) in &copies {
                changes |= held.contains(from) && held.insert(*to);
            }
        }
        if !changes {
            return holders;
        }
    }
}

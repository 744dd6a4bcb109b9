//! Phis and renaming for the objects chosen.

use belay_base::{IdVec, Span};
use rustc_hash::FxHashSet;

use crate::substitution::{Substitution, capture, is_stable, name_value, sort_names};
use belay_ir::{BlockId, Cfg, DataLayout, Dominators, Function, Inst, InstId, Op, Operand, Terminator, Type};

use super::{Action, Slot, Variable, held};

/// Rewrites the function without the variables' stack objects.
pub(super) fn promote(function: &mut Function, layout: DataLayout, cfg: &Cfg, variables: &[Variable]) {
    let dominators = &Dominators::new(cfg);
    let held = held::by_block(function, cfg, dominators, variables);
    let phis = place_phis(function, cfg, dominators, variables, &held);
    let slots: usize = variables.iter().map(|variable| variable.slots.len()).sum();
    let mut renaming = Renaming {
        substitution: Substitution::new(function),
        steps: steps(function, variables),
        function,
        layout,
        variables,
        phis,
        held,
        current: vec![None; slots],
        undo: Vec::new(),
        names: Vec::new(),
    };
    renaming.walk(cfg, dominators);
    let Renaming { mut substitution, names, .. } = renaming;
    // A variable's own values are called after it, and not after what they are copied to.
    function.value_names.extend(names);
    sort_names(&mut function.value_names);
    substitution.grow(function);
    substitution.apply(function);
    let promoted: FxHashSet<InstId> = variables.iter().map(|variable| variable.alloca).collect();
    for local in &mut function.locals {
        local.alloca = local.alloca.filter(|alloca| !promoted.contains(alloca));
    }
}

/// A phi that was placed for a slot of a variable, both by number.
#[derive(Clone, Copy)]
struct PlacedPhi {
    variable: usize,
    slot: usize,
    inst: InstId,
}

/// Slots are numbered through all variables.
fn place_phis(
    function: &mut Function,
    cfg: &Cfg,
    dominators: &Dominators,
    variables: &[Variable],
    held: &IdVec<BlockId, Vec<usize>>,
) -> IdVec<BlockId, Vec<PlacedPhi>> {
    let frontiers = dominators.frontiers(cfg);
    let mut phis = IdVec::from_iter(function.blocks.ids().map(|_| Vec::new()));
    let owners = variables.iter().enumerate();
    let slots = owners.flat_map(|(owner, variable)| variable.slots.iter().map(move |slot| (owner, *slot)));
    for (number, (variable, slot)) in slots.enumerate() {
        let ends: Vec<BlockId> =
            held.iter_enumerated().filter(|(_, held)| held.contains(&number)).map(|(id, _)| id).collect();
        let (mut definitions, live) = definitions_and_live(&variables[variable], slot, cfg, &ends);
        let mut placed = FxHashSet::default();
        while let Some(block) = definitions.pop() {
            for join in &frontiers[block] {
                if live.contains(join) && placed.insert(*join) {
                    let phi = Inst { op: Op::Phi { incoming: vec![] }, ty: Some(slot.ty), span: Span::NONE };
                    phis[*join].push(PlacedPhi { variable, slot: number, inst: function.insts.push(phi) });
                    definitions.push(*join);
                }
            }
        }
    }
    phis
}

/// The blocks that define the slot, and those at whose start its value is still needed; it is at the end of `ends`, too.
pub(super) fn definitions_and_live(
    variable: &Variable,
    slot: Slot,
    cfg: &Cfg,
    ends: &[BlockId],
) -> (Vec<BlockId>, FxHashSet<BlockId>) {
    let mut definitions = Vec::new();
    let mut defined = FxHashSet::default();
    let mut exposed = Vec::new();
    for event in &variable.events {
        if event.action == Action::Load(slot.offset) && !defined.contains(&event.block) {
            exposed.push(event.block);
        } else if event.action.defines(slot) && defined.insert(event.block) {
            definitions.push(event.block);
        }
    }
    exposed.extend(ends.iter().filter(|block| !defined.contains(*block)));
    let mut live = FxHashSet::default();
    while let Some(block) = exposed.pop() {
        if live.insert(block) {
            exposed.extend(cfg.predecessors(block).iter().filter(|above| !defined.contains(*above)));
        }
    }
    (definitions, live)
}

/// What an instruction does to a promoted object: variable, number of its first slot, action.
type Step = (usize, usize, Action);

fn steps(function: &Function, variables: &[Variable]) -> IdVec<InstId, Option<Step>> {
    let mut steps = IdVec::filled(None, function.insts.len());
    let mut first_slot = 0;
    for (number, variable) in variables.iter().enumerate() {
        for event in &variable.events {
            steps[event.inst] = Some((number, first_slot, event.action));
        }
        first_slot += variable.slots.len();
    }
    steps
}

struct Renaming<'a> {
    function: &'a mut Function,
    layout: DataLayout,
    variables: &'a [Variable],
    phis: IdVec<BlockId, Vec<PlacedPhi>>,
    /// The slots whose values are held at the end of each block.
    held: IdVec<BlockId, Vec<usize>>,
    steps: IdVec<InstId, Option<Step>>,
    substitution: Substitution,
    /// The value of each slot where the walk stands; none before the first definition.
    current: Vec<Option<Operand>>,
    /// What to put back on the way up the dominator tree.
    undo: Vec<(usize, Option<Operand>)>,
    names: Vec<(InstId, u32)>,
}

/// The walk of the dominator tree, on a stack of its own.
enum Visit {
    Enter(BlockId),
    /// Take back definitions down to this length of the undo list.
    Leave(usize),
}

impl Renaming<'_> {
    fn walk(&mut self, cfg: &Cfg, dominators: &Dominators) {
        let mut stack = vec![Visit::Enter(Function::ENTRY)];
        while let Some(visit) = stack.pop() {
            match visit {
                Visit::Enter(block) => {
                    stack.push(Visit::Leave(self.undo.len()));
                    self.rename_block(block);
                    for next in cfg.successors(block) {
                        self.feed_phis(block, *next);
                    }
                    stack.extend(dominators.children(block).iter().rev().map(|child| Visit::Enter(*child)));
                }
                Visit::Leave(length) => {
                    for (slot, value) in self.undo.drain(length..).rev() {
                        self.current[slot] = value;
                    }
                }
            }
        }
    }

    fn rename_block(&mut self, block: BlockId) {
        let old = std::mem::take(&mut self.function.blocks[block].insts);
        let mut new = Vec::with_capacity(old.len());
        for index in 0..self.phis[block].len() {
            let PlacedPhi { variable, slot, inst } = self.phis[block][index];
            new.push(inst);
            self.define(slot, Operand::Inst(inst));
            self.name(variable, inst);
        }
        for inst in old {
            match self.steps.get(inst).copied().flatten() {
                Some((variable, first, action)) => self.act(inst, variable, first, action, &mut new),
                None => new.push(inst),
            }
        }
        self.function.blocks[block].insts = new;
        let values = self.held[block].iter().filter_map(|slot| self.current[*slot]);
        let values: Vec<Operand> = values.filter(|value| held::may_lead_to_heap(self.function, *value)).collect();
        if let Terminator::Unreachable { held } = &mut self.function.blocks[block].term {
            for value in values {
                if !held.contains(&value) {
                    held.push(value);
                }
            }
        }
    }

    fn act(&mut self, inst: InstId, variable: usize, first: usize, action: Action, new: &mut Vec<InstId>) {
        let slots = &self.variables[variable].slots;
        let at = |offset: u64| first + slots.partition_point(|slot| slot.offset < offset);
        match action {
            Action::End | Action::Address => {}
            Action::Begin => {
                for (number, slot) in (first..).zip(slots) {
                    let fresh = self.fresh_value(inst, variable, *slot, new);
                    self.define(number, fresh);
                }
            }
            Action::Load(offset) => {
                let value = self.current[at(offset)].expect("the allocation dominates each load");
                self.substitution.replace(inst, value);
            }
            Action::Store(offset) => {
                if let Op::Store { value, .. } = self.function.insts[inst].op {
                    let value = self.substitution.resolve(value);
                    let value = self.keep_store(inst, value, new);
                    self.define(at(offset), value);
                    if let Operand::Inst(stored) = value {
                        self.name(variable, stored);
                    }
                }
            }
            Action::Fill { byte, .. } => {
                for (number, slot) in (first..).zip(slots).filter(|(_, slot)| action.defines(**slot)) {
                    self.define(number, slot.fill(byte).expect("the analysis has seen that it gives a value"));
                }
            }
        }
    }

    /// A value that can be used later: the name of a stack object is its present life only.
    fn keep_store(&mut self, store: InstId, value: Operand, new: &mut Vec<InstId>) -> Operand {
        if is_stable(self.function, value) {
            return value;
        }
        let (op, span) = (capture(value, self.layout), self.function.insts[store].span);
        let copy = self.function.insts.push(Inst { op, ty: Some(Type::Ptr), span });
        new.push(copy);
        Operand::Inst(copy)
    }

    /// The undefined value that a life starts with: fixed from here on, unless it is an address.
    fn fresh_value(&mut self, at: InstId, variable: usize, slot: Slot, new: &mut Vec<InstId>) -> Operand {
        if slot.ty == Type::Ptr {
            return Operand::Undef(Type::Ptr);
        }
        let op = Op::Arbitrary { uninit: self.variables[variable].local };
        let inst = self.function.insts.push(Inst { op, ty: Some(slot.ty), span: self.function.insts[at].span });
        new.push(inst);
        Operand::Inst(inst)
    }

    fn define(&mut self, slot: usize, value: Operand) {
        self.undo.push((slot, self.current[slot].replace(value)));
    }

    fn feed_phis(&mut self, from: BlockId, to: BlockId) {
        for phi in &self.phis[to] {
            let value = self.current[phi.slot].expect("a slot is live only where its allocation dominates");
            if let Op::Phi { incoming } = &mut self.function.insts[phi.inst].op {
                incoming.push((from, value));
            }
        }
    }

    fn name(&mut self, variable: usize, inst: InstId) {
        let Variable { is_scalar: true, local: Some(local), .. } = self.variables[variable] else { return };
        if self.function.value_names.binary_search_by_key(&inst, |(id, _)| *id).is_err() {
            name_value(&mut self.names, inst, local);
        }
    }
}

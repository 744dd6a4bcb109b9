//! Heap blocks at the end of a run: which were not freed, and which can't be reached any more.
//!
//! A block is reachable if a pointer to it stands in a root (a global, a live stack object, a value that a frame still needs, the
//! result) or in a reachable block. The pointers that an object may hold are found at the offsets at which its modification
//! graph ever put one; what stands there at the end is read back with its conditions. Reachability is then the least solution of one
//! equation a block, computed by as many rounds as there are blocks. A lost block stays lost, so this look at the end
//! decides for all states of the run; runs that end by a violation are not looked at, which is why a proof needs that there is none.

use std::collections::BTreeSet;

use belay_ir::{InstId, LiveValue, Property};
use belay_logic::bv::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Store;
use super::content::{Node, VersionId, Wanted};
use super::execution::Execution;
use super::object::ObjectId;
use super::state::State;
use super::unrolling::Goal;
use super::value::{Base, Value};
use belay_invariants::ObjectKind;

/// How a run ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The entry function returned.
    Return,
    /// `exit`.
    Exit,
    /// `_exit`.
    ExitNow,
    /// `abort`.
    Abort,
}

/// Objects in which pointers are looked for at every aligned offset are at most this large.
const MAX_SEARCHED: u64 = 2048;
/// More heap blocks than this are not followed.
const MAX_BLOCKS: usize = 96;

/// Where pointers may stand in an object.
#[derive(Default)]
struct Slots {
    offsets: BTreeSet<u64>,
    /// True if one may stand anywhere.
    anywhere: bool,
}

impl Store<'_> {
    fn heap_blocks(&self, state: &State) -> Vec<(ObjectId, TermId)> {
        let blocks = state.memory.entries().into_iter().map(|(key, living)| (ObjectId(key), living.alive));
        blocks.filter(|(id, _)| self.names.object(*id).kind == ObjectKind::Heap).collect()
    }

    fn heap_targets(&self, value: Value) -> Vec<(ObjectId, TermId)> {
        let (Value::Ptr(pointer) | Value::Addr(pointer)) = value else { return Vec::new() };
        let cases = self.pointers.cases(pointer);
        let target = |base: Base| match base {
            Base::Object(object) if self.names.object(object).kind == ObjectKind::Heap => Some(object),
            Base::Object(_) | Base::Bare | Base::Undefined | Base::Mark => None,
        };
        cases.iter().filter_map(|case| target(case.base).map(|object| (object, case.guard))).collect()
    }

    fn reach(&mut self, value: Value, when: TermId, reached: &mut FxHashMap<ObjectId, TermId>) {
        for (object, guard) in self.heap_targets(value) {
            let condition = self.terms.and(when, guard);
            let no = self.terms.boolean(false);
            let before = reached.get(&object).copied().unwrap_or(no);
            reached.insert(object, self.terms.or(before, condition));
        }
    }

    fn add_edges(
        &mut self,
        from: ObjectId,
        value: Value,
        alive: TermId,
        edges: &mut Vec<(ObjectId, ObjectId, TermId)>,
    ) {
        for (to, guard) in self.heap_targets(value) {
            edges.push((from, to, self.terms.and(alive, guard)));
        }
    }

    fn close(
        &mut self,
        edges: &[(ObjectId, ObjectId, TermId)],
        rounds: usize,
        reached: &mut FxHashMap<ObjectId, TermId>,
    ) {
        for _ in 0..rounds {
            let mut changed = false;
            for (from, to, condition) in edges {
                let Some(source) = reached.get(from).copied() else { continue };
                let through = self.terms.and(source, *condition);
                let no = self.terms.boolean(false);
                let before = reached.get(to).copied().unwrap_or(no);
                let after = self.terms.or(before, through);
                if after != before {
                    reached.insert(*to, after);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }
}

impl Execution<'_, '_> {
    /// Checks the heap where a run ends.
    pub(crate) fn check_end(&mut self, state: &State, end: End, results: &[Value]) {
        self.here = self.guards.term(state.guard);
        let blocks = self.store.heap_blocks(state);
        if blocks.is_empty() {
            return;
        }
        if self.wants(Property::MemCleanup) {
            let any = self.store.terms.or_all(blocks.iter().map(|(_, alive)| *alive).collect::<Vec<_>>());
            let condition = self.store.terms.and(self.here, any);
            self.note_violation(Goal::NotFreed, condition, false);
        }
        if self.wants(Property::ValidMemtrack) {
            if end != End::Return {
                self.imprecise("locals that are not used any more may still hold a block");
            }
            let roots = self.root_values(results, self.frames.len());
            self.check_lost(state, &roots, &blocks);
        }
    }

    /// Checks that no heap block is lost in a call of an assumption that fails: what was lost before was lost in a state that was reached.
    pub(super) fn check_assumption(&mut self, state: &State, failed: TermId) {
        let blocks = self.store.heap_blocks(state);
        if blocks.is_empty() || !self.wants(Property::ValidMemtrack) {
            return;
        }
        let mut state = state.clone();
        let here = self.here;
        self.assume(&mut state, failed);
        if !self.is_dead(&state) {
            let roots = self.root_values(&[], self.frames.len());
            self.check_lost(&state, &roots, &blocks);
        }
        self.here = here;
    }

    /// Checks that no heap block is lost where a cut loop goes round again: its run may never end.
    pub(super) fn check_head(&mut self, state: &State, carried: &[InstId], params: &[u32]) {
        let blocks = self.store.heap_blocks(state);
        if blocks.is_empty() {
            return;
        }
        let mut roots = self.root_values(&[], self.frames.len().saturating_sub(1));
        roots.extend(carried.iter().filter_map(|inst| state.registers.get(inst.0)));
        if let Some(frame) = self.frames.last() {
            roots.extend(params.iter().filter_map(|param| frame.args.get(*param as usize).copied()));
        }
        self.check_lost(state, &roots, &blocks);
    }

    fn wants(&self, property: Property) -> bool {
        self.wanted.contains(&property)
    }

    fn check_lost(&mut self, state: &State, roots: &[Value], blocks: &[(ObjectId, TermId)]) {
        let yes = self.store.terms.boolean(true);
        if blocks.len() > MAX_BLOCKS {
            self.note_undecided(Property::ValidMemtrack, yes, "more heap blocks than Belay follows");
            return;
        }
        let mut reached: FxHashMap<ObjectId, TermId> = FxHashMap::default();
        let mut edges: Vec<(ObjectId, ObjectId, TermId)> = Vec::new();
        for value in roots {
            self.store.reach(*value, yes, &mut reached);
        }
        for (key, living) in state.memory.entries() {
            let id = ObjectId(key);
            let Some(held) = self.collect_held(living.version, id) else {
                self.note_undecided(Property::ValidMemtrack, yes, "where an object holds pointers is not known");
                return;
            };
            let is_block = self.store.names.object(id).kind == ObjectKind::Heap;
            for value in held {
                if is_block {
                    self.store.add_edges(id, value, living.alive, &mut edges);
                } else {
                    self.store.reach(value, living.alive, &mut reached);
                }
            }
        }
        self.store.close(&edges, blocks.len(), &mut reached);
        self.judge(blocks, &reached);
    }

    /// The values that the outer frames still need, and the results.
    fn root_values(&mut self, results: &[Value], frames: usize) -> Vec<Value> {
        let mut values = results.to_vec();
        for index in 0..frames {
            let frame = &self.frames[index];
            let (function, (block, at)) = (frame.function, frame.at);
            let shape = self.store.flows.of(function);
            let live = shape.liveness.live_after(&self.store.program.functions[function], block, at);
            let frame = &self.frames[index];
            for value in live {
                match value {
                    LiveValue::Param(param) => values.extend(frame.args.get(param as usize)),
                    LiveValue::Inst(inst) => {
                        values.extend(frame.registers.get(inst.0));
                        let extracts = shape.extracts.get(&inst).into_iter().flatten();
                        values.extend(extracts.filter_map(|(extract, _)| frame.registers.get(extract.0)));
                    }
                }
            }
        }
        values
    }

    fn judge(&mut self, blocks: &[(ObjectId, TermId)], reached: &FxHashMap<ObjectId, TermId>) {
        for (object, alive) in blocks {
            let no = self.store.terms.boolean(false);
            let reached = reached.get(object).copied().unwrap_or(no);
            let not_reached = self.store.terms.not(reached);
            let lost = self.store.terms.and(*alive, not_reached);
            if self.exposed.contains(object) {
                self.note_undecided(
                    Property::ValidMemtrack,
                    lost,
                    "a block's address was used as a number: it may be hidden in one",
                );
            } else {
                let condition = self.store.terms.and(self.here, lost);
                self.note_violation(Goal::Lost, condition, false);
            }
        }
    }

    /// The pointers that an object holds; `None` if they can't be listed.
    fn collect_held(&mut self, version: VersionId, object: ObjectId) -> Option<Vec<Value>> {
        let limit = self.store.greatest_size(object);
        let mut slots = Slots::default();
        self.find_slots(version, 0, &mut slots, &mut FxHashSet::default());
        let pointer_bytes = self.store.program.layout.pointer_bytes();
        if slots.anywhere {
            if limit > MAX_SEARCHED {
                return None;
            }
            slots.offsets.extend((0..limit).step_by(pointer_bytes as usize));
        }
        let wanted = Wanted { size: pointer_bytes as u32, pointer: true };
        let inside = slots.offsets.into_iter().filter(|offset| offset + pointer_bytes <= limit);
        let mut held = Vec::new();
        for offset in inside {
            let offset = self.store.address_number(offset);
            held.push(self.read(version, limit, offset, wanted));
        }
        Some(held)
    }

    /// The offsets, moved by `shift`, at which a version or one before it was given a pointer.
    fn find_slots(&self, version: VersionId, shift: i64, slots: &mut Slots, seen: &mut FxHashSet<(VersionId, i64)>) {
        if slots.anywhere || !seen.insert((version, shift)) {
            return;
        }
        let add = |slots: &mut Slots, offset: u64| {
            if let Some(offset) = offset.checked_add_signed(shift) {
                slots.offsets.insert(offset);
            }
        };
        let constant =
            |term: TermId| self.store.terms.as_const(term).and_then(|bits| bits.to_u128()).map(|bits| bits as u64);
        match self.contents.node(version) {
            Node::Start(_) => {}
            Node::Cells { cells, base } => {
                for (offset, cell) in cells.entries() {
                    if !matches!(cell.value, Value::Bits(_)) {
                        add(slots, offset.into());
                    }
                }
                self.find_slots(*base, shift, slots, seen);
            }
            Node::Store { before, offset, value, .. } => {
                if !matches!(value, Value::Bits(_)) {
                    match constant(*offset) {
                        Some(offset) => add(slots, offset),
                        None => slots.anywhere = true,
                    }
                }
                self.find_slots(*before, shift, slots, seen);
            }
            Node::Copy { before, offset, source, from, .. } => {
                match (constant(*offset), constant(*from)) {
                    (Some(to), Some(from)) => {
                        self.find_slots(*source, shift + to as i64 - from as i64, slots, seen);
                    }
                    (Some(_), None) | (None, _) => {
                        let mut inner = Slots::default();
                        self.find_slots(*source, 0, &mut inner, &mut FxHashSet::default());
                        slots.anywhere |= inner.anywhere || !inner.offsets.is_empty();
                    }
                }
                self.find_slots(*before, shift, slots, seen);
            }
            Node::Fill { before, .. } => self.find_slots(*before, shift, slots, seen),
            Node::Join { then, otherwise, .. } => {
                self.find_slots(*then, shift, slots, seen);
                self.find_slots(*otherwise, shift, slots, seen);
            }
        }
    }
}

//! The back edge of a cut loop: whether the state that arrives is one of those that the cut describes, and keeps the invariants.
//! See [`super::cut`] for what rests on this.

use belay_ir::{FuncId, InstId, LiveValue, Op, Property};
use belay_logic::bv::TermId;
use rustc_hash::FxHashSet;

use super::Store;
use super::content::{Node, Start, StoredValue, VersionId};
use super::cut::Broken;
use super::execution::Execution;
use super::havoc::CutLoop;
use super::object::ObjectId;
use super::state::{Living, State};
use super::value::{Base, PointerId, Value};
use belay_invariants::{BaseKey, Bound, Cut, CutPlace, FrameViolation, Havoc, ObjectKey, Relation, Row};

const KEEPS: &str = "the loop keeps a pointer to an object that it made";
const LIVES: &str = "the loop changes which objects are alive";
const POINTERS: &str = "the loop changes an object that holds pointers at unknown places";

impl Store<'_> {
    /// What would describe a value; `None` if nothing does.
    fn havoc_for(&self, value: Value, frame_violations: &mut Vec<FrameViolation>) -> Option<Havoc> {
        match value {
            Value::Bits(_) => Some(Havoc::Number),
            Value::Ptr(pointer) | Value::Addr(pointer) => self.pointer_havoc(pointer, frame_violations),
        }
    }

    fn pointer_havoc(&self, pointer: PointerId, frame_violations: &mut Vec<FrameViolation>) -> Option<Havoc> {
        let mut zeros = self.address_width();
        let mut bases = std::collections::BTreeSet::new();
        for case in self.pointers.cases(pointer).iter() {
            zeros = zeros.min(self.terms.facts(case.offset).trailing_zeros());
            let key = match case.base {
                Base::Object(object) => self.names.key_of(object).cloned().map(BaseKey::Object),
                Base::Bare => Some(BaseKey::Bare),
                Base::Undefined => Some(BaseKey::Undefined),
                Base::Mark => None,
            };
            let Some(key) = key else {
                frame_violations.push(FrameViolation::Never(KEEPS));
                return None;
            };
            bases.insert(key);
        }
        Some(Havoc::Pointer { bases, zeros: zeros.min(4) })
    }

    /// What is missing for a value to be one that `havoc` describes.
    fn misfit_of(
        &self,
        head: &State,
        value: Value,
        havoc: &Havoc,
        frame_violations: &mut Vec<FrameViolation>,
    ) -> Option<Havoc> {
        match (havoc, value) {
            (Havoc::Number, Value::Bits(_)) => None,
            (Havoc::Number, Value::Ptr(_) | Value::Addr(_)) => self.havoc_for(value, frame_violations),
            (Havoc::Pointer { bases, zeros }, Value::Bits(_)) => {
                (!bases.contains(&BaseKey::Bare) || *zeros > 0).then_some(Havoc::Number)
            }
            (Havoc::Pointer { bases, zeros }, Value::Ptr(pointer) | Value::Addr(pointer)) => {
                let there = self.bases_of(head, bases);
                let cases = self.pointers.cases(pointer);
                let aligned = cases.iter().all(|case| self.terms.facts(case.offset).trailing_zeros() >= *zeros);
                if aligned && cases.iter().all(|case| there.contains(&case.base)) {
                    return None;
                }
                let wanted = self.pointer_havoc(pointer, frame_violations)?;
                let Havoc::Pointer { bases: needed, .. } = &wanted else { return Some(wanted) };
                if aligned && needed.is_subset(bases) {
                    // Of the right kind, but made in the loop.
                    frame_violations.push(FrameViolation::Never(KEEPS));
                    return None;
                }
                Some(wanted)
            }
        }
    }
}

impl Execution<'_, '_> {
    /// Checks a state that arrives at the head again; `masked` says when this copy is not asked about invariants.
    pub(super) fn arrive(
        &mut self,
        (place, cut): (&CutPlace, &Cut),
        carried: &[InstId],
        cut_loop: &CutLoop,
        state: &mut State,
        masked: TermId,
    ) {
        self.here = self.guards.term(state.guard);
        let mut frame_violations = Vec::new();
        self.check_registers(cut, place.function, carried, cut_loop, state, &mut frame_violations);
        for (key, x, y) in cut_loop.head.memory.differences(&state.memory) {
            self.check_object(cut, &cut_loop.head, ObjectId(key), (x, y), &mut frame_violations);
        }
        for frame_violation in frame_violations {
            self.out.note_misfit(place, frame_violation);
        }
        let (asked, arrives) = (self.store.terms.not(masked), self.here);
        for (index, row) in cut.rows.iter().enumerate() {
            let when = self.store.terms.and(arrives, asked);
            if self.look(state, row, true, when) {
                continue;
            }
            let (concerned, holds, sum) = self.encode_kept(state, carried, row);
            let fails = self.store.terms.not(holds);
            let condition = self.store.terms.and_all([arrives, fails, asked]);
            if !self.store.terms.is_false(condition) {
                let arrives = self.store.terms.and_all([arrives, asked, concerned]);
                let number = match row.bound {
                    Bound::Parameter(number) => Some(number),
                    Bound::Constant(_) => None,
                };
                let place = place.clone();
                self.out.broken.push(Broken { place, row: index, condition, arrives, sum, number });
            }
            // Only the first moment at which something goes wrong counts.
            self.assume(state, holds);
        }
        let tracks = self.cutting.is_some_and(|cutting| cutting.property == Property::ValidMemtrack);
        if tracks {
            let shape = self.store.flows.of(place.function);
            let live = shape.liveness.live_in(place.head).iter();
            let params: Vec<u32> = live
                .filter_map(|value| match value {
                    LiveValue::Param(index) => Some(*index),
                    LiveValue::Inst(_) => None,
                })
                .collect();
            let early = std::mem::replace(&mut self.early, masked);
            self.check_head(state, carried, &params);
            self.early = early;
        }
    }

    /// Whether a row is kept in a state that arrives: when it says something, whether that holds, and the sum that it bounds.
    fn encode_kept(&mut self, state: &State, carried: &[InstId], row: &Row) -> (TermId, TermId, Option<TermId>) {
        let (yes, no) = (self.store.terms.boolean(true), self.store.terms.boolean(false));
        match &row.relation {
            Relation::Each(_) => match self.arbitrary_element(state, row) {
                Some((concerned, holds, sum)) => (concerned, holds, Some(sum)),
                None => (yes, no, None),
            },
            Relation::ForAll(_) => match self.arbitrary_index(state, carried, row) {
                Some((concerned, holds)) => (concerned, holds, None),
                None => {
                    let claimed = self.store.bound(row.bound, 1);
                    (yes, self.store.terms.not(claimed), None)
                }
            },
            Relation::AtMost(_)
            | Relation::Equal(..)
            | Relation::Differ(..)
            | Relation::Residue { .. }
            | Relation::Float { .. }
            | Relation::BlockedCubes { .. } => {
                (yes, self.row_holds(state, row).unwrap_or(no), self.row_sum(state, row))
            }
        }
    }

    fn check_registers(
        &mut self,
        cut: &Cut,
        function: FuncId,
        carried: &[InstId],
        cut_loop: &CutLoop,
        state: &State,
        frame_violations: &mut Vec<FrameViolation>,
    ) {
        let body = &self.store.program.functions[function];
        for (key, before, after) in cut_loop.head.registers.differences(&state.registers) {
            let inst = InstId(key);
            let op = &body.insts[inst].op;
            if let (Op::Alloca { .. }, Some(before)) = (op, before) {
                self.check_life(cut, inst, (before, after), (&cut_loop.head, state), frame_violations);
                continue;
            }
            if !carried.contains(&inst) {
                continue;
            }
            let Some(after) = after else {
                frame_violations.push(FrameViolation::Never("a value is lost"));
                continue;
            };
            match cut.registers.get(&inst) {
                Some(havoc) => {
                    if let Some(havoc) = self.store.misfit_of(&cut_loop.head, after, havoc, frame_violations) {
                        frame_violations.push(FrameViolation::Register(inst, havoc));
                    }
                }
                None if matches!(op, Op::Phi { .. }) => {
                    let havoc = self.store.havoc_for(after, frame_violations);
                    frame_violations.extend(havoc.map(|havoc| FrameViolation::Register(inst, havoc)));
                }
                None => frame_violations.push(FrameViolation::Never("a value that is no loop variable changes")),
            }
        }
    }

    /// A local that began a new life must be dead again, as it was.
    fn check_life(
        &mut self,
        cut: &Cut,
        inst: InstId,
        (before, after): (Value, Option<Value>),
        (head, state): (&State, &State),
        frame_violations: &mut Vec<FrameViolation>,
    ) {
        let dead = |encoder: &Self, value: Option<Value>, state: &State| {
            let Some(Value::Ptr(pointer)) = value else { return false };
            let cases = encoder.store.pointers.cases(pointer);
            cases.iter().all(|case| matches!(case.base, Base::Object(id) if state.memory.get(id.0).is_none()))
        };
        if !dead(self, Some(before), head) || !dead(self, after, state) {
            frame_violations.push(FrameViolation::Never(LIVES));
        } else if !cut.lives.contains(&inst) {
            frame_violations.push(FrameViolation::Life(inst));
        }
    }

    fn check_object(
        &mut self,
        cut: &Cut,
        head: &State,
        object: ObjectId,
        (before, after): (Option<Living>, Option<Living>),
        frame_violations: &mut Vec<FrameViolation>,
    ) {
        let is_static = self.store.is_static(object);
        let (before, after) = match (before, after) {
            (Some(before), Some(after)) => (before, after),
            (None, Some(after)) if is_static => (self.initial(object), after),
            (Some(_), None) | (None, Some(_)) => {
                frame_violations.push(FrameViolation::Never(LIVES));
                return;
            }
            (None, None) => return,
        };
        if before.alive != after.alive {
            frame_violations.push(FrameViolation::Never(LIVES));
            return;
        }
        if before.version == after.version {
            return;
        }
        let Some(key) = self.store.names.key_of(object).cloned() else {
            frame_violations.push(FrameViolation::Never(LIVES));
            return;
        };
        if cut.objects.contains(&key) {
            if self.may_hold_pointers(after.version, &mut FxHashSet::default()) {
                frame_violations.push(FrameViolation::Never(POINTERS));
            }
            return;
        }
        let ((left, base), (right, other)) =
            (self.contents.split_layers(before.version), self.contents.split_layers(after.version));
        if base != other {
            frame_violations.push(FrameViolation::Object(key));
            return;
        }
        let written: Vec<_> = left.differences(&right);
        self.check_cells(cut, head, &key, written, frame_violations);
    }

    /// Whether what was written to an object at known places is what the cut says of it.
    fn check_cells(
        &mut self,
        cut: &Cut,
        head: &State,
        key: &ObjectKey,
        written: Vec<(u32, Option<StoredValue>, Option<StoredValue>)>,
        frame_violations: &mut Vec<FrameViolation>,
    ) {
        for (at, x, y) in written {
            let listed = cut.cells.get(&(key.clone(), at));
            let (size, havoc) = match (x, y, listed) {
                (_, Some(y), Some((size, havoc))) if y.size == *size => {
                    (y.size, self.store.misfit_of(head, y.value, havoc, frame_violations))
                }
                (x, Some(y), None) if x.is_none_or(|x| x.size == y.size) => {
                    (y.size, self.store.havoc_for(y.value, frame_violations))
                }
                (_, _, _) => {
                    frame_violations.push(FrameViolation::Object(key.clone()));
                    continue;
                }
            };
            if let Some(havoc) = havoc {
                frame_violations.push(FrameViolation::Cell { object: key.clone(), offset: at, size, havoc });
            }
        }
    }

    /// Whether a version may hold something that is no number.
    fn may_hold_pointers(&self, version: VersionId, seen: &mut FxHashSet<VersionId>) -> bool {
        if !seen.insert(version) {
            return false;
        }
        let is_number = |value: &Value| matches!(value, Value::Bits(_));
        match self.contents.node(version) {
            Node::Start(Start::Global(global)) => {
                self.store.program.globals[*global].init.as_ref().is_some_and(|init| !init.relocations.is_empty())
            }
            Node::Start(Start::Arguments) => true,
            Node::Start(Start::Undefined(_) | Start::Zero | Start::String(_) | Start::Havoc(_)) => false,
            Node::Cells { cells, base } => {
                cells.entries().iter().any(|(_, cell)| !is_number(&cell.value)) || self.may_hold_pointers(*base, seen)
            }
            Node::Store { before, value, .. } => !is_number(value) || self.may_hold_pointers(*before, seen),
            Node::Copy { before, source, .. } => {
                self.may_hold_pointers(*source, seen) || self.may_hold_pointers(*before, seen)
            }
            Node::Fill { before, .. } => self.may_hold_pointers(*before, seen),
            Node::Join { then, otherwise, .. } => {
                self.may_hold_pointers(*then, seen) || self.may_hold_pointers(*otherwise, seen)
            }
        }
    }
}

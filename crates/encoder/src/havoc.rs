//! The head of a cut loop: the state of the way in, or an arbitrary one. See [`super::cut`] for why this is sound.

use std::collections::BTreeSet;

use belay_ir::InstId;
use belay_logic::bv::float::Format;
use belay_logic::bv::{Bits, TermId};
use rustc_hash::FxHashMap;

use super::Store;
use super::content::{Start, Wanted};
use super::cut::{HeadState, Looked};
use super::execution::{Execution, Position};
use super::object::{InstanceId, Object, ObjectId, Origin, Site};
use super::state::{Living, State};
use super::value::{Base, Case, Value};
use belay_invariants::ObjectKind;
use belay_invariants::{
    Atom, BaseKey, Bound, CallPath, Cube, Cut, CutPlace, FrameViolation, Havoc, Literal, ObjectKey, Relation, Row, Sum,
    Variable,
};

/// The instruction of what is made up at a head.
const AT_HEAD: InstId = InstId(u32::MAX - 1);

/// The bits of the number of rounds, as many as what is moved by them has at most.
const ROUNDS_WIDTH: u32 = 64;

/// A cut loop that is being executed.
#[derive(Clone, Debug)]
pub struct CutLoop {
    /// Whether its rounds begin in an arbitrary state.
    pub again: TermId,
    /// The state at the head of the first copy.
    pub head: State,
    /// What is observed at that head, and as many rounds later as a stride has.
    pub observed: (Vec<Option<TermId>>, Vec<Option<TermId>>),
}

impl Store<'_> {
    /// The objects of a key that a state knows.
    pub(super) fn objects_of(&self, state: &State, key: &ObjectKey) -> Vec<ObjectId> {
        let known = |id: &ObjectId| self.is_static(*id) || state.memory.get(id.0).is_some();
        self.names.objects_of(key).iter().copied().filter(known).collect()
    }

    /// What a changed pointer may point to at a head.
    pub(super) fn bases_of<'k>(&self, head: &State, keys: impl IntoIterator<Item = &'k BaseKey>) -> Vec<Base> {
        let mut bases = Vec::new();
        for key in keys {
            match key {
                BaseKey::Object(key) => bases.extend(self.objects_of(head, key).into_iter().map(Base::Object)),
                BaseKey::Bare => bases.push(Base::Bare),
                BaseKey::Undefined => bases.push(Base::Undefined),
            }
        }
        bases
    }

    /// The names of which a state has one object.
    fn single_objects(&self, state: &State) -> BTreeSet<ObjectKey> {
        let entries = state.memory.entries();
        let keys = entries.iter().filter_map(|(id, _)| self.names.key_of(ObjectId(*id)));
        keys.filter(|key| self.objects_of(state, key).len() == 1).cloned().collect()
    }

    /// Whether the values of sums are a combination.
    pub fn is_in(&mut self, sums: &[TermId], cube: &Cube) -> TermId {
        let mut all = self.terms.boolean(true);
        for (sum, literal) in cube {
            let holds = match (sums.get(*sum), literal) {
                (None, _) => self.terms.boolean(false),
                (Some(sum), Literal::Is(value)) => self.has_value(*sum, *value),
                (Some(sum), Literal::IsNot(values)) => {
                    let any = values.iter().map(|value| self.has_value(*sum, *value)).collect::<Vec<_>>();
                    let any = self.terms.or_all(any);
                    self.terms.not(any)
                }
            };
            all = self.terms.and(all, holds);
        }
        all
    }

    fn has_value(&mut self, term: TermId, value: i128) -> TermId {
        let width = self.terms.width(term);
        let most = 1i128 << (width - 1);
        if !(-most..most).contains(&value) {
            return self.terms.boolean(false);
        }
        let constant = self.terms.constant(Bits::from_signed(width, value));
        self.terms.eq(term, constant)
    }

    pub(super) fn bound(&mut self, bound: Bound, width: u32) -> TermId {
        match bound {
            Bound::Constant(value) => {
                let most = (1i128 << (width - 1).min(126)) - 1;
                let least = if width == 1 { 0 } else { -most - 1 };
                self.terms.number(width, value.clamp(least, most.max(1)) as u128)
            }
            Bound::Parameter(number) => {
                let terms = &mut self.terms;
                *self.parameters.entry(number).or_insert_with(|| terms.variable(format!("bound {number}"), width))
            }
        }
    }

    fn float_bound(&mut self, bound: Bound, format: Format) -> TermId {
        let width = format.width();
        match bound {
            Bound::Constant(place) => {
                let bits = match i64::try_from(place) {
                    Ok(place) => format.encoding_at(place),
                    Err(_) if place < 0 => format.encoding_at(i64::MIN),
                    Err(_) => format.quiet_nan(),
                };
                self.terms.number(width, bits)
            }
            Bound::Parameter(_) => self.bound(bound, width),
        }
    }

    /// The variable of a parameter, if a row used it.
    pub fn parameter(&self, number: u32) -> Option<TermId> {
        self.parameters.get(&number).copied()
    }
}

impl Execution<'_, '_> {
    /// The activation at hand.
    pub(super) fn call_path(&self) -> CallPath {
        self.frames.iter().map(|frame| (frame.call, frame.function)).collect()
    }

    /// Makes the state that of any round.
    pub(super) fn cut_head(
        &mut self,
        (place, cut): (&CutPlace, &Cut),
        carried: &[InstId],
        instance: InstanceId,
        state: &mut State,
    ) -> CutLoop {
        self.at = Position::new(Site { instance, inst: AT_HEAD }, self.at.span);
        self.here = self.guards.term(state.guard);
        let again = self.fresh(1, Origin::Internal);
        let entry = state.clone();
        let numbers = self.havoc_registers((place, cut), &entry, again, state);
        // Others keep a value of an earlier execution of the loop: what an arrival shows of them says nothing of what they are at the head.
        if cut.rows.iter().flat_map(|row| row.relation.registers()).any(|inst| !carried.contains(&inst)) {
            let why = FrameViolation::Never("an invariant is about a value that the head does not have");
            self.out.note_misfit(place, why);
        }
        let objects = self.store.single_objects(&entry);
        self.out.heads.push(HeadState { place: place.clone(), again, numbers, objects });
        for inst in &cut.lives {
            self.havoc_life(state, *inst, again);
        }
        for ((key, offset), (size, havoc)) in &cut.cells {
            for object in self.store.objects_of(&entry, key) {
                self.havoc_cell(state, &entry, object, (*offset, *size), havoc, again);
            }
        }
        let mut made = FxHashMap::default();
        for object in cut.objects.iter().flat_map(|key| self.store.objects_of(&entry, key)).collect::<Vec<_>>() {
            self.store.havocs += 1;
            let arbitrary = self.contents.start(Start::Havoc(self.store.havocs));
            made.insert(object, arbitrary);
            let living = self.living(state, object);
            let limit = self.store.greatest_size(object);
            let version = self.joined(again, arbitrary, living.version, limit);
            state.memory.set(object.0, Living { version, ..living });
        }
        let head = state.clone();
        self.claim_elements(cut, &head, &made, again);
        self.claim_every(cut, carried, state, &made, again);
        for row in &cut.rows {
            let when = self.store.terms.and(self.here, again);
            if self.look(state, row, false, when) {
                continue;
            }
            let holds = self.row_holds(state, row).unwrap_or_else(|| self.store.terms.boolean(true));
            let holds = self.store.terms.implies(again, holds);
            self.assume(state, holds);
        }
        CutLoop { again, head, observed: Default::default() }
    }

    /// The values of the head's phis; of those that are numbers, what they are on the way in and in the arbitrary round.
    fn havoc_registers(
        &mut self,
        (place, cut): (&CutPlace, &Cut),
        entry: &State,
        again: TermId,
        state: &mut State,
    ) -> Vec<(InstId, TermId, TermId)> {
        let mut numbers = Vec::new();
        let (steps, mut rounds) = (self.store.flows.of(place.function).steps_at(place.head), None);
        for (inst, havoc) in &cut.registers {
            let Some(before) = entry.registers.get(inst.0) else { continue };
            let moved = steps.get(inst).and_then(|step| self.moved_value(before, *step, &mut rounds));
            let value = moved.unwrap_or_else(|| self.havoc_value(entry, before, havoc));
            if let (Value::Bits(before), Value::Bits(value)) = (before, value) {
                numbers.push((*inst, before, value));
            }
            let value = self.select(again, value, before);
            state.registers.set(inst.0, value);
        }
        numbers
    }

    /// What each round moves by the same number, after so many rounds as all that is moved so has in common: `before + step * rounds`. See [`super::cut`].
    fn moved_value(&mut self, before: Value, step: i64, rounds: &mut Option<TermId>) -> Option<Value> {
        let width = match before {
            Value::Bits(bits) => self.store.terms.width(bits),
            Value::Ptr(_) => self.store.address_width(),
            Value::Addr(_) => return None,
        };
        if width > ROUNDS_WIDTH {
            return None;
        }
        let count = match *rounds {
            Some(count) => count,
            None => *rounds.insert(self.fresh(ROUNDS_WIDTH, Origin::Internal)),
        };
        let terms = &mut self.store.terms;
        let count = terms.extract(width - 1, 0, count);
        let step = terms.constant(Bits::from_signed(width, step.into()));
        let distance = terms.mul(count, step);
        Some(match before {
            Value::Bits(bits) => Value::Bits(terms.add(bits, distance)),
            Value::Ptr(pointer) | Value::Addr(pointer) => {
                Value::Ptr(self.store.pointers.move_pointer(terms, pointer, distance))
            }
        })
    }

    /// An arbitrary value in the place of `before`.
    fn havoc_value(&mut self, entry: &State, before: Value, havoc: &Havoc) -> Value {
        let Havoc::Pointer { bases, zeros } = havoc else {
            let width = match before {
                Value::Bits(bits) => self.store.terms.width(bits),
                Value::Ptr(_) | Value::Addr(_) => self.store.address_width(),
            };
            return Value::Bits(self.fresh(width, Origin::Internal));
        };
        let width = self.store.address_width();
        let zeros = (*zeros).min(width - 1);
        let high = self.fresh(width - zeros, Origin::Internal);
        let offset = match zeros {
            0 => high,
            zeros => {
                let low = self.store.terms.number(zeros, 0);
                self.store.terms.concat(high, low)
            }
        };
        let bases = self.store.bases_of(entry, bases);
        let bits = (bases.len().max(2) as u32 - 1).ilog2() + 1;
        let which = self.fresh(bits, Origin::Internal);
        let mut left = self.store.terms.boolean(true);
        let mut cases = Vec::with_capacity(bases.len());
        for (index, base) in bases.iter().enumerate() {
            let number = self.store.terms.number(bits, index as u128);
            let chosen = if index + 1 == bases.len() { left } else { self.store.terms.eq(which, number) };
            let guard = self.store.terms.and(left, chosen);
            let other = self.store.terms.not(chosen);
            left = self.store.terms.and(left, other);
            cases.push(Case { guard, base: *base, offset });
        }
        let pointer = self.store.pointers.make(cases);
        match before {
            Value::Ptr(_) => Value::Ptr(pointer),
            Value::Bits(_) | Value::Addr(_) => Value::Addr(pointer),
        }
    }

    /// A local that is dead at the head: its last life was another object than on the way in.
    fn havoc_life(&mut self, state: &mut State, alloca: InstId, again: TermId) {
        let Some(Value::Ptr(before)) = state.registers.get(alloca.0) else { return };
        let Some(Base::Object(object)) = self.store.pointers.cases(before).first().map(|case| case.base) else {
            return;
        };
        let object: Object = self.store.names.object(object);
        self.at.made += 1;
        let id = self.store.names.object_at(self.at.site, self.at.made, object);
        let pointer = self.store.pointer_to(id);
        let value = self.select_pointer(again, pointer, before);
        state.registers.set(alloca.0, Value::Ptr(value));
    }

    fn havoc_cell(
        &mut self,
        state: &mut State,
        entry: &State,
        object: ObjectId,
        (offset, size): (u32, u32),
        havoc: &Havoc,
        again: TermId,
    ) {
        let living = self.living(state, object);
        let limit = self.store.greatest_size(object);
        let place = self.store.address_number(offset.into());
        let wanted = Wanted { size, pointer: matches!(havoc, Havoc::Pointer { .. }) };
        let before = self.read(living.version, limit, place, wanted);
        let value = self.havoc_value(entry, before, havoc);
        let value = self.select(again, value, before);
        let version = self.written(living.version, place, value, size);
        state.memory.set(object.0, Living { version, ..living });
    }

    /// Whether a row holds in a state; `None` if it says nothing there.
    pub(super) fn row_holds(&mut self, state: &State, row: &Row) -> Option<TermId> {
        match &row.relation {
            Relation::AtMost(_) => {
                let total = self.row_sum(state, row)?;
                let bound = self.store.bound(row.bound, self.store.terms.width(total));
                Some(self.store.terms.sle(total, bound))
            }
            Relation::Equal(a, b) | Relation::Differ(a, b) => {
                let (x, y) = (self.atom(state, a)?, self.atom(state, b)?);
                let width = self.store.terms.width(x).max(self.store.terms.width(y)) + 1;
                let wide = |encoder: &mut Self, term, signed| match signed {
                    true => encoder.store.terms.sext(term, width),
                    false => encoder.store.terms.zext(term, width),
                };
                let (x, y) = (wide(self, x, a.signed), wide(self, y, b.signed));
                let equal = self.store.terms.eq(x, y);
                let holds =
                    if matches!(row.relation, Relation::Equal(..)) { equal } else { self.store.terms.not(equal) };
                let claimed = self.store.bound(row.bound, 1);
                Some(self.store.terms.implies(claimed, holds))
            }
            Relation::Residue { atom, bits, value } => {
                let number = self.atom(state, atom)?;
                let bits = (*bits).min(self.store.terms.width(number));
                let low = self.store.terms.extract(bits - 1, 0, number);
                let value = self.store.terms.number(bits, (*value).into());
                let holds = self.store.terms.eq(low, value);
                let claimed = self.store.bound(row.bound, 1);
                Some(self.store.terms.implies(claimed, holds))
            }
            Relation::Float { width, .. } => {
                let number = self.row_sum(state, row)?;
                let format = Format::of_width(*width)?;
                let bound = self.store.float_bound(row.bound, format);
                // No bound is said by a NaN.
                let none = self.store.terms.float_is_nan(format, bound);
                let (nan, above) =
                    (self.store.terms.float_is_nan(format, number), self.store.terms.float_less(format, bound, number));
                let outside = self.store.terms.or(nan, above);
                let inside = self.store.terms.not(outside);
                Some(self.store.terms.or(none, inside))
            }
            // Used where elements are read, checked for an arbitrary one.
            Relation::Each(_) | Relation::ForAll(_) => None,
            Relation::BlockedCubes { sums, cubes } => {
                let values = self.sums(state, sums)?;
                let any = cubes.iter().map(|cube| self.store.is_in(&values, cube)).collect::<Vec<_>>();
                let any = self.store.terms.or_all(any);
                Some(self.store.terms.not(any))
            }
        }
    }

    /// Notes the values of a row whose combinations are searched for; false if it is no such row.
    pub(super) fn look(&mut self, state: &State, row: &Row, arrives: bool, when: TermId) -> bool {
        let (Relation::BlockedCubes { sums, .. }, Bound::Parameter(number)) = (&row.relation, row.bound) else {
            return false;
        };
        let sums = self.sums(state, sums);
        self.out.looked.push(Looked { number, arrives, when, sums });
        true
    }

    fn sums(&mut self, state: &State, sums: &[Sum]) -> Option<Vec<TermId>> {
        sums.iter().map(|sum| self.sum(state, sum)).collect()
    }

    /// The sum that a row bounds, wide enough not to overflow.
    pub(super) fn row_sum(&mut self, state: &State, row: &Row) -> Option<TermId> {
        if let Relation::Float { variable, width, minus } = &row.relation {
            let number = self.atom(state, &Atom { variable: variable.clone(), signed: true })?;
            let format = Format::of_width(*width).filter(|_| self.store.terms.width(number) == *width)?;
            return Some(if *minus { self.store.terms.float_neg(format, number) } else { number });
        }
        let Relation::AtMost(sum) = &row.relation else { return None };
        self.sum(state, sum)
    }

    fn sum(&mut self, state: &State, sum: &Sum) -> Option<TermId> {
        let mut terms = Vec::new();
        for (minus, atom) in sum {
            terms.push((*minus, self.atom(state, atom)?, atom.signed));
        }
        let widest = terms.iter().map(|(_, term, _)| self.store.terms.width(*term)).max()?;
        let width = widest + 2 + sum.len().max(1).ilog2();
        let mut total = self.store.terms.number(width, 0);
        for (minus, term, signed) in terms {
            let term = if signed { self.store.terms.sext(term, width) } else { self.store.terms.zext(term, width) };
            total = if minus { self.store.terms.sub(total, term) } else { self.store.terms.add(total, term) };
        }
        Some(total)
    }

    pub(super) fn atom(&mut self, state: &State, atom: &Atom) -> Option<TermId> {
        let value = match &atom.variable {
            Variable::Register(inst) => state.registers.get(inst.0)?,
            Variable::Param(index) => {
                let args =
                    self.call_values.as_ref().map(|(args, _)| args).or(self.frames.last().map(|frame| &frame.args));
                args?.get(*index as usize).copied()?
            }
            Variable::Result => self.call_values.as_ref()?.1?,
            Variable::Positive(index) => {
                let param = Atom { variable: Variable::Param(*index), signed: true };
                let number = self.atom(state, &param)?;
                let zero = self.store.terms.number(self.store.terms.width(number), 0);
                let negative = self.store.terms.slt(number, zero);
                Value::Bits(self.store.terms.ite(negative, zero, number))
            }
            // A state at a head does not say.
            Variable::Last(_) => return None,
            Variable::Cell { object, offset, size } => {
                let objects = self.store.objects_of(state, object);
                let [object] = objects.as_slice() else { return None };
                let living = self.living(state, *object);
                let limit = self.store.greatest_size(*object);
                let place = self.store.address_number((*offset).into());
                self.read(living.version, limit, place, Wanted { size: *size, pointer: false })
            }
            Variable::Offset(inst) => {
                let (Value::Ptr(pointer) | Value::Addr(pointer)) = state.registers.get(inst.0)? else { return None };
                let cases = self.store.pointers.cases(pointer);
                let (last, others) = cases.split_last()?;
                let mut offset = last.offset;
                for case in others.iter().rev() {
                    offset = self.store.terms.ite(case.guard, case.offset, offset);
                }
                Value::Bits(offset)
            }
        };
        match value {
            Value::Bits(bits) if self.store.terms.width(bits) <= 64 => Some(bits),
            Value::Bits(_) | Value::Ptr(_) | Value::Addr(_) => None,
        }
    }

    /// The key of an object made by the instruction at hand.
    pub(super) fn object_key(&self, kind: ObjectKind) -> ObjectKey {
        ObjectKey { kind, calls: self.call_path(), inst: self.at.site.inst, number: self.at.made }
    }
}

//! Access to memory: which accesses are valid, and what they do.

use belay_ir::{ObligationId, Type};
use belay_logic::bv::TermId;

use super::Store;
use super::content::{Node, Start, Wanted};
use super::execution::Execution;
use super::object::ObjectId;
use super::state::{Living, State};
use super::unrolling::Goal;
use super::value::{Base, Case, PointerId, Value};
use belay_invariants::ObjectKind;

/// A valid place of an access.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// When the access is there.
    pub guard: TermId,
    /// The object.
    pub object: ObjectId,
    /// Where in it.
    pub offset: TermId,
}

/// An access to be checked.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// How many bytes, of address width.
    pub len: TermId,
    /// True for a write.
    pub write: bool,
    /// What is violated if it is invalid.
    pub obligation: Option<ObligationId>,
}

impl Store<'_> {
    pub(crate) fn static_count(&self) -> u32 {
        (self.program.globals.len() + self.program.functions.len()) as u32
    }

    /// True if an object lives from the start to the end.
    pub(crate) fn is_static(&self, object: ObjectId) -> bool {
        let kind = self.names.object(object).kind;
        match kind {
            ObjectKind::Global(_)
            | ObjectKind::Function(_)
            | ObjectKind::Arguments
            | ObjectKind::String(_)
            | ObjectKind::EntryBytes(_) => true,
            ObjectKind::Stack | ObjectKind::Heap => false,
        }
    }

    /// The greatest size that an object can have.
    pub(crate) fn greatest_size(&self, object: ObjectId) -> u64 {
        let size = self.names.object(object).size.map(|size| self.terms.facts(size).umax);
        size.and_then(|size| u64::try_from(size).ok()).unwrap_or(u64::MAX)
    }

    /// The pointer, without its cases where nothing is accessed.
    fn guard(&mut self, pointer: PointerId, nothing: TermId) -> PointerId {
        if self.terms.is_false(nothing) {
            return pointer;
        }
        let something = self.terms.not(nothing);
        let cases = self.pointers.cases(pointer);
        let guarded = cases.iter().map(|case| Case { guard: self.terms.and(case.guard, something), ..*case }).collect();
        self.pointers.make(guarded)
    }
}

impl Execution<'_, '_> {
    /// A static object at the start.
    pub(crate) fn initial(&mut self, object: ObjectId) -> Living {
        let start = match self.store.names.object(object).kind {
            ObjectKind::Global(global) if self.store.program.globals[global].init.is_some() => Start::Global(global),
            ObjectKind::Arguments => Start::Arguments,
            ObjectKind::String(_) => Start::String(object),
            ObjectKind::Global(_)
            | ObjectKind::Function(_)
            | ObjectKind::Stack
            | ObjectKind::Heap
            | ObjectKind::EntryBytes(_) => Start::Undefined(object),
        };
        Living { version: self.contents.start(start), alive: self.store.terms.boolean(true) }
    }

    /// An object as a state sees it.
    pub(crate) fn living(&mut self, state: &State, object: ObjectId) -> Living {
        match state.memory.get(object.0) {
            Some(living) => living,
            None if self.store.is_static(object) => self.initial(object),
            None => {
                let version = self.contents.start(Start::Undefined(object));
                Living { version, alive: self.store.terms.boolean(false) }
            }
        }
    }

    /// Checks an access through a pointer and gives the places where it can be; the run goes on only if it is valid.
    pub(crate) fn access(&mut self, state: &mut State, pointer: PointerId, access: Access) -> Vec<Place> {
        let (places, invalid) = self.possible_places(state, pointer, access);
        self.violate(state, access.obligation.map(Goal::Obligation), invalid, true);
        places
    }

    /// The same where the run goes on in any case: the places are those of a valid access, and the condition says when it is not.
    fn access_beyond(&mut self, state: &mut State, pointer: PointerId, access: Access) -> (Vec<Place>, TermId) {
        let (mut places, invalid) = self.possible_places(state, pointer, access);
        let valid = self.store.terms.not(invalid);
        for place in &mut places {
            place.guard = self.store.terms.and(place.guard, valid);
        }
        (places, invalid)
    }

    /// The places where an access can be, and when it is invalid.
    fn possible_places(&mut self, state: &mut State, pointer: PointerId, access: Access) -> (Vec<Place>, TermId) {
        let cases = self.store.pointers.cases(pointer);
        let mut places = Vec::with_capacity(cases.len());
        let mut invalid = Vec::new();
        for case in cases.iter() {
            let valid = self.case_is_valid(state, case, access);
            let not_valid = self.store.terms.not(valid);
            invalid.push(self.store.terms.and(case.guard, not_valid));
            if let Base::Object(object) = case.base
                && !self.store.terms.is_false(valid)
            {
                places.push(Place { guard: case.guard, object, offset: case.offset });
            }
        }
        let invalid = self.store.terms.or_all(invalid);
        (places, invalid)
    }

    /// Whether an access through this case of a pointer is valid. A number that may be an object's address ends the run as unknown.
    pub(crate) fn case_is_valid(&mut self, state: &mut State, case: &Case, access: Access) -> TermId {
        match case.base {
            Base::Object(object) => match self.store.names.object(object).size {
                Some(size) => self.is_valid(state, object, case.offset, size, access),
                None => {
                    self.leave_if(state, case.guard, "access to an object whose size the program does not give");
                    self.store.terms.boolean(false)
                }
            },
            Base::Bare => {
                if self.addresses_matter {
                    let zero = self.store.address_number(0);
                    let not_null = self.store.terms.ne(case.offset, zero);
                    let open = self.store.terms.and(case.guard, not_null);
                    self.leave_if(state, open, "access through an integer that may be an address");
                }
                self.store.terms.boolean(false)
            }
            Base::Undefined => self.store.terms.boolean(false),
            Base::Mark => {
                self.leave_if(state, case.guard, "access through a saved stack pointer");
                self.store.terms.boolean(false)
            }
        }
    }

    /// SOUNDNESS's rule: alive, `n <= s && o <= s - n`, and writable if written.
    fn is_valid(&mut self, state: &State, object: ObjectId, offset: TermId, size: TermId, access: Access) -> TermId {
        if access.write && self.store.names.object(object).constant {
            return self.store.terms.boolean(false);
        }
        let alive = self.living(state, object).alive;
        let fits = self.store.terms.ule(access.len, size);
        let room = self.store.terms.sub(size, access.len);
        let inside = self.store.terms.ule(offset, room);
        self.store.terms.and_all([alive, fits, inside])
    }

    /// Reads a value of a type.
    pub(crate) fn load(&mut self, state: &mut State, pointer: PointerId, ty: Type, obligation: ObligationId) -> Value {
        let size = self.store.program.layout.store_size(ty);
        let len = self.store.address_number(size);
        let access = Access { len, write: false, obligation: Some(obligation) };
        let wanted = Wanted { size: size as u32, pointer: ty == Type::Ptr };
        // Where a pointer is read, one more that is invalid would spoil the cases of all others.
        if !self.goes_on() || ty == Type::Ptr {
            let places = self.access(state, pointer, access);
            let value = self.read_places(state, &places, wanted);
            return self.as_type(value, ty);
        }
        let (places, invalid) = self.access_beyond(state, pointer, access);
        let value = self.read_places(state, &places, wanted);
        let value = self.as_type(value, ty);
        if self.store.terms.is_false(invalid) {
            return value;
        }
        let anything = self.arbitrary(ty);
        self.select(invalid, anything, value)
    }

    /// What stands at one of several places.
    pub(crate) fn read_places(&mut self, state: &State, places: &[Place], wanted: Wanted) -> Value {
        let mut value = None;
        for place in places.iter().rev() {
            let living = self.living(state, place.object);
            let limit = self.store.greatest_size(place.object);
            let here = self.read(living.version, limit, place.offset, wanted);
            value = Some(match value {
                None => here,
                Some(rest) => self.select(place.guard, here, rest),
            });
        }
        value.unwrap_or_else(|| {
            let zero = self.store.terms.number(8 * wanted.size, 0);
            Value::Bits(zero)
        })
    }

    /// A value that was read, as a value of a type.
    pub(crate) fn as_type(&mut self, value: Value, ty: Type) -> Value {
        match ty {
            Type::Ptr => Value::Ptr(self.store.as_pointer(value)),
            Type::Int(width) => match value {
                Value::Addr(_) if u32::from(width) == self.store.address_width() => value,
                Value::Ptr(pointer) if u32::from(width) == self.store.address_width() => self.address_integer(pointer),
                Value::Bits(_) | Value::Ptr(_) | Value::Addr(_) => {
                    let number = self.number_of(value);
                    Value::Bits(self.store.fit_width(number, width.into()))
                }
            },
            Type::F32 => {
                let number = self.number_of(value);
                Value::Bits(self.store.fit_width(number, 32))
            }
            Type::F64 => {
                let number = self.number_of(value);
                Value::Bits(self.store.fit_width(number, 64))
            }
        }
    }

    /// Writes a value of a type.
    pub(crate) fn store(
        &mut self,
        state: &mut State,
        pointer: PointerId,
        value: Value,
        ty: Type,
        obligation: Option<ObligationId>,
    ) {
        let size = self.store.program.layout.store_size(ty);
        let len = self.store.address_number(size);
        let access = Access { len, write: true, obligation };
        let places = match self.goes_on() {
            true => self.access_beyond(state, pointer, access).0,
            false => self.access(state, pointer, access),
        };
        let value = match value {
            Value::Bits(bits) => Value::Bits(self.store.fit_width(bits, 8 * size as u32)),
            Value::Ptr(_) | Value::Addr(_) => value,
        };
        self.update(state, &places, |encoder, living, place| {
            encoder.written(living.version, place.offset, value, size as u32)
        });
    }

    /// Gives the object at one of several places a new version.
    pub(crate) fn update(
        &mut self,
        state: &mut State,
        places: &[Place],
        mut change: impl FnMut(&mut Self, Living, &Place) -> super::content::VersionId,
    ) {
        for place in places {
            let living = self.living(state, place.object);
            let changed = change(self, living, place);
            let limit = self.store.greatest_size(place.object);
            let version = self.joined(place.guard, changed, living.version, limit);
            state.memory.set(place.object.0, Living { version, ..living });
        }
    }

    /// Copies a block.
    pub(crate) fn copy_block(
        &mut self,
        state: &mut State,
        (dst, src, len): (PointerId, PointerId, TermId),
        overlap: bool,
        obligation: Option<ObligationId>,
    ) {
        let zero = self.store.address_number(0);
        let nothing = self.store.terms.eq(len, zero);
        if self.store.terms.is_true(nothing) {
            return;
        }
        let (from, to) = (self.store.guard(src, nothing), self.store.guard(dst, nothing));
        let sources = self.access(state, from, Access { len, write: false, obligation });
        let targets = self.access(state, to, Access { len, write: true, obligation });
        if !overlap {
            self.check_overlap(state, &sources, &targets, len, obligation);
        }
        let memory = state.memory.clone();
        let before = State { guard: state.guard, registers: state.registers.clone(), memory };
        self.update(state, &targets, |encoder, living, target| {
            let mut version = living.version;
            let limit = encoder.store.greatest_size(target.object);
            for source in &sources {
                let origin = encoder.living(&before, source.object);
                let node = Node::Copy {
                    before: living.version,
                    offset: target.offset,
                    len,
                    source: origin.version,
                    from: source.offset,
                    limit: encoder.store.greatest_size(source.object),
                };
                let copied = encoder.contents.push(node);
                version = encoder.joined(source.guard, copied, version, limit);
            }
            version
        });
    }

    fn check_overlap(
        &mut self,
        state: &mut State,
        sources: &[Place],
        targets: &[Place],
        len: TermId,
        obligation: Option<ObligationId>,
    ) {
        let mut overlapping = self.store.terms.boolean(false);
        for source in sources {
            for target in targets.iter().filter(|target| target.object == source.object) {
                let both = self.store.terms.and(source.guard, target.guard);
                let (forward, back) = (
                    self.store.terms.sub(target.offset, source.offset),
                    self.store.terms.sub(source.offset, target.offset),
                );
                let (near, also_near) = (self.store.terms.ult(forward, len), self.store.terms.ult(back, len));
                let meets = self.store.terms.or(near, also_near);
                let apart = self.store.terms.ne(source.offset, target.offset);
                let bad = self.store.terms.and_all([both, meets, apart]);
                overlapping = self.store.terms.or(overlapping, bad);
            }
        }
        self.violate(state, obligation.map(Goal::Obligation), overlapping, true);
    }

    /// Fills a block.
    pub(crate) fn fill_block(
        &mut self,
        state: &mut State,
        (dst, byte, len): (PointerId, TermId, TermId),
        obligation: Option<ObligationId>,
    ) {
        let zero = self.store.address_number(0);
        let nothing = self.store.terms.eq(len, zero);
        if self.store.terms.is_true(nothing) {
            return;
        }
        let to = self.store.guard(dst, nothing);
        let targets = self.access(state, to, Access { len, write: true, obligation });
        self.update(state, &targets, |encoder, living, target| {
            encoder.contents.push(Node::Fill { before: living.version, offset: target.offset, len, byte })
        });
    }
}

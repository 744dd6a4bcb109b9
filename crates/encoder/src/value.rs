//! Values: numbers are terms, addresses are guarded cases.
//!
//! A pointer lists what it can point to: for each object (and for "a bare number", "undefined") the condition under which it
//! points there and the offset. An access is then encoded against those objects only, which is the origin tracking of section
//! IV-B of the memory model paper made the representation itself. The conditions of one pointer exclude each other and
//! one of them holds wherever the pointer is a value of the run.
//!
//! An integer made from a pointer stays one (`Addr`) as long as it is moved, compared, added to or masked within its alignment, as
//! SOUNDNESS says; what else is asked of it makes it a number, by the object's address.

use std::rc::Rc;

use belay_logic::bv::{TermId, TermStore};
use rustc_hash::FxHashMap;

use super::object::ObjectId;

/// A list of cases in one [`Pointers`]. Equal lists have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PointerId(u32);

/// A value of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// An integer, or the bits of a float.
    Bits(TermId),
    /// An address.
    Ptr(PointerId),
    /// An integer of address width that is an address.
    Addr(PointerId),
}

/// What a case of a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Base {
    /// Into (or around) an object; the offset counts from its start.
    Object(ObjectId),
    /// Nothing known: the offset is the whole address.
    Bare,
    /// An undefined pointer, which is invalid; the offset is the number that its bytes are.
    Undefined,
    /// A mark of the stack; the offset is its number.
    Mark,
}

/// One of the things that a pointer can point to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// When it does.
    pub guard: TermId,
    /// What it is.
    pub base: Base,
    /// Where in it, of address width.
    pub offset: TermId,
}

/// More cases than this are not followed.
pub const MAX_CASES: usize = 160;

/// All pointers.
#[derive(Debug, Default)]
pub struct Pointers {
    lists: Vec<Rc<[Case]>>,
    known: FxHashMap<Rc<[Case]>, PointerId>,
}

impl Pointers {
    /// The pointer with these cases.
    pub fn make(&mut self, cases: Vec<Case>) -> PointerId {
        let cases: Rc<[Case]> = cases.into();
        if let Some(known) = self.known.get(&cases) {
            return *known;
        }
        let id = PointerId(self.lists.len() as u32);
        self.lists.push(Rc::clone(&cases));
        self.known.insert(cases, id);
        id
    }

    /// The pointer with one case.
    pub fn single(&mut self, terms: &mut TermStore, base: Base, offset: TermId) -> PointerId {
        let guard = terms.boolean(true);
        self.make(vec![Case { guard, base, offset }])
    }

    /// The cases.
    pub fn cases(&self, pointer: PointerId) -> Rc<[Case]> {
        Rc::clone(&self.lists[pointer.0 as usize])
    }

    /// `a` if `condition` holds, else `b`. Cases that point into the same object become one.
    pub fn select(&mut self, terms: &mut TermStore, condition: TermId, a: PointerId, b: PointerId) -> PointerId {
        if a == b {
            return a;
        }
        let (left, right) = (self.cases(a), self.cases(b));
        let no = terms.boolean(false);
        let mut cases = Vec::with_capacity(left.len() + right.len());
        for case in left.iter() {
            let merged = match right.iter().find(|other| other.base == case.base) {
                Some(other) => Case {
                    guard: terms.ite(condition, case.guard, other.guard),
                    base: case.base,
                    offset: terms.ite(condition, case.offset, other.offset),
                },
                None => Case { guard: terms.ite(condition, case.guard, no), ..*case },
            };
            cases.push(merged);
        }
        for case in right.iter().filter(|case| left.iter().all(|other| other.base != case.base)) {
            cases.push(Case { guard: terms.ite(condition, no, case.guard), ..*case });
        }
        cases.retain(|case| !terms.is_false(case.guard));
        self.make(cases)
    }

    /// The pointer `distance` bytes further.
    pub fn move_pointer(&mut self, terms: &mut TermStore, pointer: PointerId, distance: TermId) -> PointerId {
        if terms.as_const(distance).is_some_and(|value| value.is_zero()) {
            return pointer;
        }
        let moved = |terms: &mut TermStore, case: &Case| match case.base {
            Base::Object(_) | Base::Bare | Base::Undefined => {
                Case { offset: terms.add(case.offset, distance), ..*case }
            }
            Base::Mark => *case,
        };
        let cases = self.cases(pointer).iter().map(|case| moved(terms, case)).collect();
        self.make(cases)
    }
}

//! Formulas about elements ([`super::formula`]) with the numbers and arrays of one state.

use belay_ir::{BinaryOp, CastOp, InstId, IntPredicate};
use belay_logic::bv::TermId;

use super::Store;
use super::content::VersionId;
use super::execution::Execution;
use super::object::ObjectId;
use super::state::State;
use super::value::{Base, Value};
use belay_invariants::{Array, Element, Formula};
use belay_invariants::{Atom, Variable};

/// A formula with the numbers and arrays of one state.
#[derive(Clone, Debug)]
pub(super) enum Ready {
    Term(TermId),
    Index(u32, u32),
    Element(usize),
    Binary(BinaryOp, Box<Ready>, Box<Ready>),
    Compare(IntPredicate, Box<Ready>, Box<Ready>),
    Cast(CastOp, u32, Box<Ready>),
    Select(Box<[Ready; 3]>),
}

/// An element of an array in one state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Held {
    pub(super) object: ObjectId,
    pub(super) version: VersionId,
    pub(super) size: u32,
    pub(super) strides: Vec<(u32, i64)>,
    pub(super) base: TermId,
    pub(super) room: TermId,
    pub(super) limit: u64,
}

impl Held {
    /// Whether two elements have the same offset in their arrays.
    pub(super) fn is_at_place_of(&self, other: &Held) -> bool {
        self.strides == other.strides && self.base == other.base
    }
}

impl Store<'_> {
    /// The object that a pointer is the beginning of.
    fn object_begun_by(&mut self, value: Value) -> Option<ObjectId> {
        let (Value::Ptr(pointer) | Value::Addr(pointer)) = value else { return None };
        let cases = self.pointers.cases(pointer);
        let [case] = &*cases else { return None };
        match (case.base, self.constant_offset(case.offset)) {
            (Base::Object(object), Some(0)) => Some(object),
            (Base::Object(_) | Base::Bare | Base::Undefined | Base::Mark, _) => None,
        }
    }

    /// Whether a number is not 0.
    pub(super) fn is_true(&mut self, value: TermId) -> TermId {
        let zero = self.terms.number(self.terms.width(value), 0);
        self.terms.ne(value, zero)
    }

    /// Arithmetic that has a value for all operands.
    pub(super) fn total(&mut self, op: BinaryOp, x: TermId, y: TermId) -> Option<TermId> {
        if self.terms.width(x) != self.terms.width(y) {
            return None;
        }
        Some(match op {
            BinaryOp::Add => self.terms.add(x, y),
            BinaryOp::Sub => self.terms.sub(x, y),
            BinaryOp::Mul => self.terms.mul(x, y),
            BinaryOp::UDiv => self.terms.udiv(x, y),
            BinaryOp::SDiv => self.terms.sdiv(x, y),
            BinaryOp::URem => self.terms.urem(x, y),
            BinaryOp::SRem => self.terms.srem(x, y),
            BinaryOp::Shl => self.terms.shl(x, y),
            BinaryOp::LShr => self.terms.lshr(x, y),
            BinaryOp::AShr => self.terms.ashr(x, y),
            BinaryOp::And => self.terms.and(x, y),
            BinaryOp::Or => self.terms.or(x, y),
            BinaryOp::Xor => self.terms.xor(x, y),
        })
    }

    /// A number with another width.
    pub(super) fn resize(&mut self, op: CastOp, width: u32, x: TermId) -> TermId {
        match op {
            CastOp::SExt if width > self.terms.width(x) => self.terms.sext(x, width),
            _ => self.fit_width(x, width),
        }
    }
}

impl Execution<'_, '_> {
    /// The formula in a state; constant parts are terms.
    pub(super) fn ready(
        &mut self,
        state: &State,
        carried: &[InstId],
        formula: &Formula,
        elements: &mut Vec<Held>,
    ) -> Option<Ready> {
        let both = |encoder: &mut Self, a: &Formula, b: &Formula, elements: &mut Vec<Held>| {
            let x = encoder.ready(state, carried, a, elements)?;
            Some((x, encoder.ready(state, carried, b, elements)?))
        };
        Some(match formula {
            Formula::Number { width, value } => Ready::Term(self.store.terms.number(*width, *value)),
            Formula::Index { dimension, width } => Ready::Index(*dimension, *width),
            Formula::Element(element) => {
                let held = self.find_element(state, carried, element)?;
                elements.push(held);
                Ready::Element(elements.len() - 1)
            }
            Formula::PrefixSum(total) => Ready::Term(self.total_of(state, carried, total)?),
            Formula::Variable(variable) => {
                if matches!(variable, Variable::Register(inst) if !carried.contains(inst)) {
                    return None;
                }
                let atom = Atom { variable: variable.clone(), signed: true };
                Ready::Term(self.atom(state, &atom)?)
            }
            Formula::Binary(op, a, b) => match both(self, a, b, elements)? {
                (Ready::Term(x), Ready::Term(y)) => Ready::Term(self.store.total(*op, x, y)?),
                (x, y) => Ready::Binary(*op, Box::new(x), Box::new(y)),
            },
            Formula::Compare(op, a, b) => match both(self, a, b, elements)? {
                (Ready::Term(x), Ready::Term(y)) if self.store.terms.width(x) == self.store.terms.width(y) => {
                    Ready::Term(match op {
                        IntPredicate::Eq if formula.has_prefix_sum() => self.store.balance(x, y),
                        _ => self.store.compare_numbers(*op, x, y),
                    })
                }
                (Ready::Term(_), Ready::Term(_)) => return None,
                (x, y) => Ready::Compare(*op, Box::new(x), Box::new(y)),
            },
            Formula::Cast(op, width, a) => match self.ready(state, carried, a, elements)? {
                Ready::Term(x) => Ready::Term(self.store.resize(*op, *width, x)),
                x => Ready::Cast(*op, *width, Box::new(x)),
            },
            Formula::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.ready(state, carried, condition, elements)?;
                let (then, otherwise) = both(self, then, otherwise, elements)?;
                match (condition, then, otherwise) {
                    (Ready::Term(condition), Ready::Term(x), Ready::Term(y)) => {
                        let condition = self.store.is_true(condition);
                        let same = self.store.terms.width(x) == self.store.terms.width(y);
                        Ready::Term(same.then(|| self.store.terms.ite(condition, x, y))?)
                    }
                    (condition, then, otherwise) => Ready::Select(Box::new([condition, then, otherwise])),
                }
            }
        })
    }

    /// An element of the object that a pointer is the beginning of.
    pub(super) fn find_element(&mut self, state: &State, carried: &[InstId], element: &Element) -> Option<Held> {
        let object = match element.array {
            Array::Register(inst) => {
                let value = carried.contains(&inst).then(|| state.registers.get(inst.0)).flatten()?;
                self.store.object_begun_by(value)?
            }
            Array::Param(index) => {
                let value = self.frames.last()?.args.get(index as usize).copied()?;
                self.store.object_begun_by(value)?
            }
            Array::Global(global) => self.store.global_object(global),
        };
        let Ready::Term(base) = self.ready(state, carried, &element.base, &mut Vec::new())? else { return None };
        let base = self.store.resize(CastOp::SExt, self.store.address_width(), base);
        let room = self.store.names.object(object).size?;
        let version = self.living(state, object).version;
        let limit = self.store.greatest_size(object);
        Some(Held { object, version, size: element.size, strides: element.strides.clone(), base, room, limit })
    }
}

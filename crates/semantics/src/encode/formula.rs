//! What holds of every element of a segment, as the program itself computes it: `c[j] == a[j] - b[j]`, `a[j] >= least || a[j] == 0`.
//!
//! **Idea.** The templates of [`super::element`] bound one element by a number. What a program asserts of its arrays often says more; so a row may hold a
//! condition that was found in the program, over the index, the elements of arrays at this index, and numbers at the head. Rows of
//! this kind are used and checked as those of [`super::element`]: at each read of one of the arrays as it was at the head, the condition is
//! required for the index read; where the head is reached again, it is asked of an arbitrary index.
//!
//! A condition without index says something of the numbers at the head alone.
//!
//! **Soundness.** As there. A condition is a total function of the numbers it mentions (shifts and divisions as the logic defines them), so that what
//! was checked of a state is what is required of it. Of registers only those may occur that are carried into the head: others keep a value of an
//! earlier round. An array is one whole object; a row whose arrays are not known says nothing, and is not kept where it is asked for.

use belay_ir::{BinaryOp, CastOp, GlobalId, InstId, IntPredicate};
use belay_logic::bv::TermId;
use rustc_hash::FxHashMap;

use super::Encoder;
use super::content::{VersionId, Wanted};
use super::cut::{Atom, Cut, Relation, Row, Segment, Variable};
use super::object::{ObjectId, Origin};
use super::state::State;
use super::value::{Base, Value};

/// A condition or a number, for an index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// A constant.
    Number {
        /// Its bits.
        width: u32,
        /// Its value.
        value: u128,
    },
    /// The low bits of the index.
    Index(u32),
    /// The element at the index, of an array with elements of so many bytes, a power of 2.
    Element(Array, u32),
    /// A number at the head.
    Variable(Variable),
    /// Arithmetic.
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
    /// A comparison.
    Compare(IntPredicate, Box<Formula>, Box<Formula>),
    /// An integer made wider or narrower.
    Cast(CastOp, u32, Box<Formula>),
    /// One of two, by a condition.
    Select(Box<[Formula; 3]>),
}

impl Formula {
    /// True if the value depends on the index.
    pub fn is_about_elements(&self) -> bool {
        match self {
            Formula::Index(_) | Formula::Element(..) => true,
            Formula::Number { .. } | Formula::Variable(_) => false,
            Formula::Binary(_, a, b) | Formula::Compare(_, a, b) => a.is_about_elements() || b.is_about_elements(),
            Formula::Cast(_, _, a) => a.is_about_elements(),
            Formula::Select(parts) => parts.iter().any(Formula::is_about_elements),
        }
    }
}

/// The pointer to the first element of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Array {
    /// The value of an instruction.
    Register(InstId),
    /// A parameter.
    Param(u32),
    /// A static object.
    Global(GlobalId),
}

/// A condition of every element of a segment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Every {
    /// Which indices: those below or above one of these numbers; all if there is none.
    pub segments: Vec<(Segment, Formula)>,
    /// Whether the other indices are meant.
    pub rest: bool,
    /// The condition.
    pub condition: Formula,
}

/// A formula with the numbers and arrays of one state.
#[derive(Clone, Debug)]
enum Ready {
    Term(TermId),
    Index(u32),
    Element(usize, u32),
    Binary(BinaryOp, Box<Ready>, Box<Ready>),
    Compare(IntPredicate, Box<Ready>, Box<Ready>),
    Cast(CastOp, u32, Box<Ready>),
    Select(Box<[Ready; 3]>),
}

/// An array in one state.
#[derive(Clone, Copy, Debug)]
struct Held {
    object: ObjectId,
    version: VersionId,
    size: u32,
    room: TermId,
    limit: u64,
}

/// A row as terms of one state.
#[derive(Clone, Debug)]
pub(crate) struct EveryClaim {
    /// When the row speaks of the state.
    when: TermId,
    arrays: Vec<Held>,
    segments: Vec<(Segment, TermId)>,
    rest: bool,
    condition: Ready,
}

/// Claims that a claim's own reads bring up are followed so far.
const DEPTH: u32 = 16;
/// The number of the variable for an arbitrary index, beyond those of other variables.
const ARBITRARY: u32 = (1 << 24) + 64;
/// Bits of an index that are 0, so that no offset overflows.
const HEADROOM: u32 = 3;
/// Indices are compared in so many bits more than they have.
const SPARE: u32 = 4;

impl Encoder<'_> {
    /// Notes what the rows of a cut say of the arrays at the head: those in `made` hold an arbitrary content, the others what they held on the way in.
    pub(super) fn claim_every(
        &mut self,
        cut: &Cut,
        carried: &[InstId],
        head: &mut State,
        made: &FxHashMap<ObjectId, VersionId>,
        again: TermId,
    ) {
        for row in &cut.rows {
            let Relation::Every(every) = &row.relation else { continue };
            let Some(mut claim) = self.every(head, carried, row, every) else { continue };
            claim.when = self.terms.and(claim.when, again);
            if let (Ready::Term(value), true) = (&claim.condition, claim.segments.is_empty()) {
                let holds = self.is_true(*value);
                let required = self.terms.implies(claim.when, holds);
                self.assume(head, required);
                continue;
            }
            let claim = std::rc::Rc::new(claim);
            let mut versions: Vec<(VersionId, u32)> = Vec::new();
            for held in &claim.arrays {
                let version = made.get(&held.object).copied().unwrap_or(held.version);
                if !versions.contains(&(version, held.size)) {
                    versions.push((version, held.size));
                    self.every_claims.entry(version).or_default().push((held.size, claim.clone()));
                }
            }
        }
    }

    /// Requires what is claimed of an array for the index of an element that was read.
    pub(super) fn instantiate_every(&mut self, version: VersionId, offset: TermId, wanted: Wanted) {
        let Some(claims) = self.every_claims.get(&version).cloned() else { return };
        if self.every_depth == DEPTH {
            return;
        }
        self.every_depth += 1;
        for (_, claim) in claims.into_iter().filter(|(size, _)| *size == wanted.size) {
            let low = self.terms.number(self.terms.width(offset), wanted.size.trailing_zeros().into());
            let index = self.terms.lshr(offset, low);
            let back = self.terms.shl(index, low);
            let aligned = self.terms.eq(back, offset);
            let inside = self.is_among(&claim, index);
            let asked = self.terms.and_all([claim.when, aligned, inside]);
            if self.terms.is_false(asked) {
                continue;
            }
            let value = self.at_index(&claim, &claim.condition, index, Some((wanted.size, offset)));
            let Some(value) = value else { continue };
            let holds = self.is_true(value);
            let required = self.terms.implies(asked, holds);
            self.require(required);
        }
        self.every_depth -= 1;
    }

    /// Whether a row holds for an arbitrary index of a state: when it says something, and whether that is so.
    pub(super) fn arbitrary_index(&mut self, state: &State, carried: &[InstId], row: &Row) -> Option<(TermId, TermId)> {
        let Relation::Every(every) = &row.relation else { return None };
        let claim = self.every(state, carried, row, every)?;
        let counted = std::mem::replace(&mut self.fresh, ARBITRARY);
        let number = self.fresh(self.address_width() - HEADROOM, Origin::Internal);
        self.fresh = counted;
        let index = self.terms.zext(number, self.address_width());
        let inside = self.is_among(&claim, index);
        let asked = self.terms.and(claim.when, inside);
        let value = self.at_index(&claim, &claim.condition, index, None)?;
        let holds = self.is_true(value);
        Some((asked, self.terms.implies(asked, holds)))
    }

    fn every(&mut self, state: &State, carried: &[InstId], row: &Row, every: &Every) -> Option<EveryClaim> {
        let mut arrays = Vec::new();
        let condition = self.ready(state, carried, &every.condition, &mut arrays)?;
        let mut segments = Vec::new();
        for (segment, end) in &every.segments {
            let Ready::Term(end) = self.ready(state, carried, end, &mut Vec::new())? else { return None };
            segments.push((*segment, end));
        }
        let when = self.bound(row.bound, 1);
        Some(EveryClaim { when, arrays, segments, rest: every.rest, condition })
    }

    /// The formula in a state; constant parts are terms.
    fn ready(&mut self, state: &State, carried: &[InstId], formula: &Formula, arrays: &mut Vec<Held>) -> Option<Ready> {
        let both = |encoder: &mut Self, a: &Formula, b: &Formula, arrays: &mut Vec<Held>| {
            let x = encoder.ready(state, carried, a, arrays)?;
            Some((x, encoder.ready(state, carried, b, arrays)?))
        };
        Some(match formula {
            Formula::Number { width, value } => Ready::Term(self.terms.number(*width, *value)),
            Formula::Index(width) => Ready::Index(*width),
            Formula::Element(array, size) => {
                let held = self.array_at(state, carried, *array, *size)?;
                arrays.push(held);
                Ready::Element(arrays.len() - 1, *size)
            }
            Formula::Variable(variable) => {
                if matches!(variable, Variable::Register(inst) if !carried.contains(inst)) {
                    return None;
                }
                let atom = Atom { variable: variable.clone(), signed: true };
                Ready::Term(self.atom(state, &atom)?)
            }
            Formula::Binary(op, a, b) => match both(self, a, b, arrays)? {
                (Ready::Term(x), Ready::Term(y)) => Ready::Term(self.total(*op, x, y)?),
                (x, y) => Ready::Binary(*op, Box::new(x), Box::new(y)),
            },
            Formula::Compare(op, a, b) => match both(self, a, b, arrays)? {
                (Ready::Term(x), Ready::Term(y)) if self.terms.width(x) == self.terms.width(y) => {
                    Ready::Term(self.compare_numbers(*op, x, y))
                }
                (Ready::Term(_), Ready::Term(_)) => return None,
                (x, y) => Ready::Compare(*op, Box::new(x), Box::new(y)),
            },
            Formula::Cast(op, width, a) => match self.ready(state, carried, a, arrays)? {
                Ready::Term(x) => Ready::Term(self.resize(*op, *width, x)),
                x => Ready::Cast(*op, *width, Box::new(x)),
            },
            Formula::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.ready(state, carried, condition, arrays)?;
                let (then, otherwise) = both(self, then, otherwise, arrays)?;
                match (condition, then, otherwise) {
                    (Ready::Term(condition), Ready::Term(x), Ready::Term(y)) => {
                        let condition = self.is_true(condition);
                        let same = self.terms.width(x) == self.terms.width(y);
                        Ready::Term(same.then(|| self.terms.ite(condition, x, y))?)
                    }
                    (condition, then, otherwise) => Ready::Select(Box::new([condition, then, otherwise])),
                }
            }
        })
    }

    /// The object that a pointer is the beginning of.
    fn array_at(&mut self, state: &State, carried: &[InstId], array: Array, size: u32) -> Option<Held> {
        let value = match array {
            Array::Register(inst) => carried.contains(&inst).then(|| state.registers.get(inst.0)).flatten()?,
            Array::Param(index) => self.frames.last()?.args.get(index as usize).copied()?,
            Array::Global(global) => {
                let object = self.global_object(global);
                return self.held_object(state, object, size);
            }
        };
        let (Value::Ptr(pointer) | Value::Addr(pointer)) = value else { return None };
        let cases = self.pointers.cases(pointer);
        let [case] = &*cases else { return None };
        match (case.base, self.constant_offset(case.offset)) {
            (Base::Object(object), Some(0)) => self.held_object(state, object, size),
            (Base::Object(_) | Base::Bare | Base::Undefined | Base::Mark, _) => None,
        }
    }

    fn held_object(&mut self, state: &State, object: ObjectId, size: u32) -> Option<Held> {
        let room = self.names.object(object).size?;
        let version = self.living(state, object).version;
        Some(Held { object, version, size, room, limit: self.greatest_size(object) })
    }

    /// Whether an index is one of the segment and inside all arrays.
    fn is_among(&mut self, claim: &EveryClaim, index: TermId) -> TermId {
        let width = self.terms.width(index) + SPARE;
        let wide = self.terms.zext(index, width);
        // An arbitrary index is not beyond this, so that nothing is claimed there either.
        let top = self.terms.width(index);
        let high = self.terms.extract(top - 1, top - HEADROOM, index);
        let zero = self.terms.number(HEADROOM, 0);
        let mut all = vec![self.terms.eq(high, zero)];
        for held in &claim.arrays {
            let size = self.terms.number(width, held.size.into());
            let begin = self.terms.mul(wide, size);
            let end = self.terms.add(begin, size);
            let room = self.terms.zext(held.room, width);
            all.push(self.terms.ule(end, room));
        }
        let mut inside = Vec::new();
        for (segment, end) in &claim.segments {
            let end = self.terms.sext(*end, width);
            inside.push(match segment {
                Segment::Below | Segment::BelowOffset => self.terms.slt(wide, end),
                Segment::Above => self.terms.slt(end, wide),
            });
        }
        if !inside.is_empty() {
            let inside = self.terms.or_all(inside);
            all.push(if claim.rest { self.terms.not(inside) } else { inside });
        }
        self.terms.and_all(all)
    }

    /// The value of a formula at an index; `known` is the offset of the elements of one size, if there is one.
    fn at_index(
        &mut self,
        claim: &EveryClaim,
        ready: &Ready,
        index: TermId,
        known: Option<(u32, TermId)>,
    ) -> Option<TermId> {
        match ready {
            Ready::Term(term) => Some(*term),
            Ready::Index(width) => Some(self.resized(index, *width)),
            Ready::Element(array, size) => {
                let held = claim.arrays.get(*array)?;
                let offset = match known {
                    Some((known, offset)) if known == *size => offset,
                    Some(_) | None => {
                        let shift = self.terms.number(self.terms.width(index), size.trailing_zeros().into());
                        self.terms.shl(index, shift)
                    }
                };
                let value = self.read(held.version, held.limit, offset, Wanted { size: *size, pointer: false });
                match value {
                    Value::Bits(bits) => Some(bits),
                    Value::Ptr(_) | Value::Addr(_) => None,
                }
            }
            Ready::Binary(op, a, b) => {
                let (x, y) = (self.at_index(claim, a, index, known)?, self.at_index(claim, b, index, known)?);
                self.total(*op, x, y)
            }
            Ready::Compare(op, a, b) => {
                let (x, y) = (self.at_index(claim, a, index, known)?, self.at_index(claim, b, index, known)?);
                (self.terms.width(x) == self.terms.width(y)).then(|| self.compare_numbers(*op, x, y))
            }
            Ready::Cast(op, width, a) => {
                let x = self.at_index(claim, a, index, known)?;
                Some(self.resize(*op, *width, x))
            }
            Ready::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.at_index(claim, condition, index, known)?;
                let condition = self.is_true(condition);
                let x = self.at_index(claim, then, index, known)?;
                let y = self.at_index(claim, otherwise, index, known)?;
                (self.terms.width(x) == self.terms.width(y)).then(|| self.terms.ite(condition, x, y))
            }
        }
    }

    fn is_true(&mut self, value: TermId) -> TermId {
        let zero = self.terms.number(self.terms.width(value), 0);
        self.terms.ne(value, zero)
    }

    /// Arithmetic that has a value for all operands.
    fn total(&mut self, op: BinaryOp, x: TermId, y: TermId) -> Option<TermId> {
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

    fn resize(&mut self, op: CastOp, width: u32, x: TermId) -> TermId {
        match op {
            CastOp::SExt if width > self.terms.width(x) => self.terms.sext(x, width),
            _ => self.resized(x, width),
        }
    }
}

//! What is known of all elements of an array at the head of a cut loop: rows of the form "for every index below `i`, the element is at
//! most 5", "is equal to the element of another array", and the like.
//!
//! **Idea.** Such a row says something for each of unboundedly many places. It is *used* where the array as it was at the head is read:
//! each such read gets the row's claim for its own offset, and no other claim is needed, as nothing else depends on the content. It is
//! *checked* where the head is reached again, for an arbitrary index: a variable that stands in no other place, so that if the claim can't
//! fail for it, it fails for none. This is the usual treatment of the array property fragment (Bradley, Manna and Sipma,
//! *What's decidable about arrays?*, 2006): instantiation at the indices read, a fresh index where the claim is to be shown.
//!
//! **Soundness.** A claim is required of the variables only where `again` holds, that is for a state that came to the head before; all
//! its elements in the segment satisfy the row, for that was checked at the arrival ([`super::cut`]). A loop that a run does not
//! come to has `again` false. Reads of another size, and of objects that share their key with others, get no claim, which allows more than
//! the program does. Only elements inside the object are spoken of.

use belay_logic::bv::TermId;
use rustc_hash::FxHashMap;

use super::Store;
use super::content::{VersionId, Wanted};
use super::execution::Execution;
use super::object::{ObjectId, Origin};
use super::state::State;
use super::value::Value;
use belay_invariants::{Against, Cut, Elements, IndexRange, Relation, Row};

/// The place of an element.
#[derive(Clone, Copy, Debug)]
struct At {
    offset: TermId,
    index: TermId,
}

/// The parts of a row that do not depend on the element, as terms of one state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    /// When the row speaks of the state.
    again: TermId,
    size: u32,
    /// The end of the segment, and what it is compared with.
    end: Option<(IndexRange, TermId)>,
    /// The size of the object.
    room: TermId,
    minus: bool,
    against: AgainstTerm,
    bound: TermId,
    /// The width of sums.
    width: u32,
}

#[derive(Clone, Copy, Debug)]
enum AgainstTerm {
    Nothing,
    Index,
    Number(TermId),
    Content(VersionId, u64),
}

/// Numbers of the variables for arbitrary elements, beyond those of other variables.
const ARBITRARY: u32 = 1 << 24;

/// Indices, offsets and numbers are compared in so many bits more than the widest of them has.
const SPARE: u32 = 4;

impl Store<'_> {
    fn widen(&mut self, term: TermId, signed: bool, width: u32) -> TermId {
        if signed { self.terms.sext(term, width) } else { self.terms.zext(term, width) }
    }

    fn element_at(&mut self, claim: &Claim, offset: TermId) -> At {
        let shift = self.terms.number(self.terms.width(offset), claim.size.trailing_zeros().into());
        let index = self.terms.lshr(offset, shift);
        At { offset: self.widen(offset, false, claim.width), index: self.widen(index, false, claim.width) }
    }

    /// Whether an element is inside the object and the segment.
    fn is_in_segment(&mut self, claim: &Claim, at: At) -> TermId {
        let width = self.terms.width(at.offset);
        let room = self.terms.zext(claim.room, width);
        let size = self.terms.number(width, claim.size.into());
        let after = self.terms.add(at.offset, size);
        let fits = self.terms.ule(after, room);
        let aligned = match claim.size.trailing_zeros() {
            0 => self.terms.boolean(true),
            shift => {
                let low = self.terms.extract(shift - 1, 0, at.offset);
                let zero = self.terms.number(shift, 0);
                self.terms.eq(low, zero)
            }
        };
        let before = match claim.end {
            None => self.terms.boolean(true),
            Some((IndexRange::Below, end)) => self.terms.slt(at.index, end),
            Some((IndexRange::Above, end)) => self.terms.slt(end, at.index),
            Some((IndexRange::BelowOffset, end)) => self.terms.slt(at.offset, end),
        };
        self.terms.and_all([fits, aligned, before])
    }
}

impl Execution<'_, '_> {
    /// Notes what the rows of a cut say of what objects hold at the head: those in `made` an arbitrary content, the others what they held on
    /// the way in.
    pub(super) fn claim_elements(
        &mut self,
        cut: &Cut,
        head: &State,
        made: &FxHashMap<ObjectId, VersionId>,
        again: TermId,
    ) {
        for row in &cut.rows {
            let Relation::Each(elements) = &row.relation else { continue };
            let objects = self.store.objects_of(head, &elements.object);
            let [object] = objects.as_slice() else { continue };
            let version = made.get(object).copied().unwrap_or_else(|| self.living(head, *object).version);
            if let Some(claim) = self.claim(head, row, elements, again) {
                self.claims.entry(version).or_default().push(claim);
            }
        }
    }

    /// Requires what is claimed of the content of a head for a value that was read from it.
    pub(super) fn instantiate_claims(&mut self, version: VersionId, offset: TermId, wanted: Wanted, value: Value) {
        let (Some(claims), Value::Bits(number)) = (self.claims.get(&version).cloned(), value) else { return };
        for claim in claims.into_iter().filter(|claim| claim.size == wanted.size) {
            let at = self.store.element_at(&claim, offset);
            let inside = self.store.is_in_segment(&claim, at);
            let asked = self.store.terms.and(claim.again, inside);
            if self.store.terms.is_false(asked) {
                continue;
            }
            let sum = self.element_sum(&claim, at, number);
            let holds = self.store.terms.sle(sum, claim.bound);
            let required = self.store.terms.implies(asked, holds);
            self.store.require(required);
        }
    }

    /// Whether a row holds of an arbitrary element in a state: when it is in the segment, and the sum that is bounded; `None` if the row says
    /// nothing there.
    pub(super) fn arbitrary_element(&mut self, state: &State, row: &Row) -> Option<(TermId, TermId, TermId)> {
        let Relation::Each(elements) = &row.relation else { return None };
        let objects = self.store.objects_of(state, &elements.object);
        let [object] = objects.as_slice() else { return None };
        let yes = self.store.terms.boolean(true);
        let claim = self.claim(state, row, elements, yes)?;
        // One arbitrary element serves all rows of an arrival.
        let counted = std::mem::replace(&mut self.at.fresh, ARBITRARY + elements.size);
        let shift = elements.size.trailing_zeros();
        let high = self.fresh(self.store.address_width() - shift, Origin::Internal);
        self.at.fresh = counted;
        let offset = match shift {
            0 => high,
            shift => {
                let low = self.store.terms.number(shift, 0);
                self.store.terms.concat(high, low)
            }
        };
        let at = self.store.element_at(&claim, offset);
        let inside = self.store.is_in_segment(&claim, at);
        let living = self.living(state, *object);
        let limit = self.store.greatest_size(*object);
        let wanted = Wanted { size: elements.size, pointer: false };
        let Value::Bits(number) = self.read(living.version, limit, offset, wanted) else { return None };
        let sum = self.element_sum(&claim, at, number);
        let within = self.store.terms.sle(sum, claim.bound);
        let holds = self.store.terms.implies(inside, within);
        Some((inside, holds, sum))
    }

    fn claim(&mut self, state: &State, row: &Row, elements: &Elements, again: TermId) -> Option<Claim> {
        let objects = self.store.objects_of(state, &elements.object);
        let room = self.store.names.object(*objects.first()?).size?;
        let width = self.sum_width(state, elements)?;
        let end = match &elements.segment {
            None => None,
            Some((segment, atom)) => {
                let term = self.atom(state, atom)?;
                Some((*segment, self.store.widen(term, atom.signed, width)))
            }
        };
        let against = match &elements.against {
            Against::Nothing => AgainstTerm::Nothing,
            Against::Index => AgainstTerm::Index,
            Against::Atom(atom) => {
                let term = self.atom(state, atom)?;
                AgainstTerm::Number(self.store.widen(term, atom.signed, width))
            }
            Against::Object(key) => {
                let others = self.store.objects_of(state, key);
                let [other] = others.as_slice() else { return None };
                AgainstTerm::Content(self.living(state, *other).version, self.store.greatest_size(*other))
            }
        };
        let bound = self.store.bound(row.bound, width);
        Some(Claim { again, size: elements.size, end, room, minus: elements.minus, against, bound, width })
    }

    /// The width in which a row is computed: the same wherever the row is used, as the types of its parts are.
    fn sum_width(&mut self, state: &State, elements: &Elements) -> Option<u32> {
        let mut widest = self.store.address_width().max(8 * elements.size);
        let against = match &elements.against {
            Against::Atom(atom) => Some(atom),
            Against::Nothing | Against::Index | Against::Object(_) => None,
        };
        for atom in elements.segment.iter().map(|(_, atom)| atom).chain(against) {
            let term = self.atom(state, atom)?;
            widest = widest.max(self.store.terms.width(term));
        }
        Some(widest + SPARE)
    }

    /// The sum that a row bounds, for one element.
    fn element_sum(&mut self, claim: &Claim, at: At, number: TermId) -> TermId {
        let element = self.store.widen(number, true, claim.width);
        let against = match claim.against {
            AgainstTerm::Nothing => self.store.terms.number(claim.width, 0),
            AgainstTerm::Index => at.index,
            AgainstTerm::Number(number) => number,
            AgainstTerm::Content(version, limit) => {
                let wanted = Wanted { size: claim.size, pointer: false };
                let offset = self.store.terms.extract(self.store.address_width() - 1, 0, at.offset);
                let other = self.read(version, limit, offset, wanted);
                let other = self.number_of(other);
                self.store.widen(other, true, claim.width)
            }
        };
        if claim.minus { self.store.terms.sub(against, element) } else { self.store.terms.sub(element, against) }
    }
}

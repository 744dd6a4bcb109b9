//! Rows that say something of many elements at once ([`ForAll`]): how they are used and checked.
//!
//! **Idea.** The templates of [`super::element`] bound one element by a number. What a program asserts of its arrays often says more; so a row may hold a
//! condition that was found in the program, over some indices, the elements of arrays at places that are linear in these, and numbers at the head. Rows of
//! this kind are used and checked as those of [`super::element`]: at each read of one of the arrays as it was at the head, the condition is
//! required for the indices of the element read; where the head is reached again, it is asked of arbitrary indices.
//!
//! With several indices (nested loops over `m[j][k]`) the indices of a read are seen in its offset, which is a sum of multiples of other terms:
//! those whose factor is the stride of an index are taken for that index. No division is needed.
//!
//! A condition without index says something of the numbers at the head alone.
//!
//! **Soundness.** As there. A row means: for all numbers from 0 up to 2^(w - 3) in the place of the indices (w the width of an address), if these keep the row's
//! limits and all elements mentioned are inside their arrays, the condition holds. Offsets are computed modulo 2^w, limits and conditions as
//! total functions of the numbers they mention (shifts and divisions as the logic defines them); so what was checked of a state for arbitrary indices is what may
//! be required of it for *any* indices. Which are taken at a read is a matter of what is useful only; they are required to be in the range that the arbitrary ones have.
//! Of registers only those may occur that are carried into the head: others keep a value of an
//! earlier round. An array is one whole object; a row whose arrays are not known says nothing, and is not kept where it is asked for.

use std::rc::Rc;

use belay_ir::InstId;
use belay_logic::bv::{Bits, TermId};
use rustc_hash::FxHashMap;

use super::Store;
use super::content::{VersionId, Wanted};
use super::execution::Execution;
use super::object::{ObjectId, Origin};
use super::ready::{Held, Ready};
use super::state::State;
use super::value::Value;
use belay_invariants::{Cut, Relation, Row};
use belay_invariants::{ForAll, Limit, Side};

/// A row as terms of one state.
#[derive(Clone, Debug)]
pub(crate) struct EveryClaim {
    /// When the row speaks of the state.
    when: TermId,
    dimensions: u32,
    elements: Vec<Held>,
    within: Vec<(u32, Side, TermId)>,
    segments: Vec<Vec<(u32, Side, TermId)>>,
    rest: bool,
    condition: Ready,
}

/// What a row is made terms for.
#[derive(Clone, Copy)]
enum Use {
    Required,
    Shown,
}

/// A claim, and the element of it that an array is read for.
pub(crate) type Trigger = (usize, Rc<EveryClaim>);

/// Indices of an instance of a claim, and where one of its elements is known to be.
struct At {
    indices: Vec<TermId>,
    known: Option<(usize, TermId)>,
}

/// Claims that a claim's own reads bring up are followed so far.
const DEPTH: u32 = 16;
/// The number of the variable for an arbitrary index, beyond those of other variables.
const ARBITRARY: u32 = (1 << 24) + 64;
/// Bits of an index that are 0, so that no offset of an array of numbers overflows.
const HEADROOM: u32 = 3;
/// Indices are compared in so many bits more than they have.
const SPARE: u32 = 4;

impl Store<'_> {
    /// Where an element is.
    fn offset_of(&mut self, held: &Held, indices: &[TermId]) -> TermId {
        let width = self.address_width();
        let mut offset = held.base;
        for (dimension, stride) in &held.strides {
            let Some(index) = indices.get(*dimension as usize) else { continue };
            let stride = self.terms.constant(Bits::from_signed(width, (*stride).into()));
            let step = self.terms.mul(*index, stride);
            offset = self.terms.add(offset, step);
        }
        offset
    }

    /// Indices with which an element may well be at an offset; `None` if there are none to be seen.
    fn indices_of(&mut self, held: &Held, dimensions: u32, offset: TermId) -> Option<Vec<TermId>> {
        let width = self.terms.width(offset);
        if let ([(0, stride)], 1) = (held.strides.as_slice(), dimensions)
            && *stride == i64::from(held.size)
            && self.constant_offset(held.base) == Some(0)
        {
            let low = self.terms.number(width, held.size.trailing_zeros().into());
            return Some(vec![self.terms.lshr(offset, low)]);
        }
        let difference = self.terms.sub(offset, held.base);
        let (constant, mut atoms) = self.terms.summands(difference);
        let mut left = constant.to_i128()?;
        let mut strides = held.strides.clone();
        strides.sort_by_key(|(_, stride)| -stride.abs());
        let mut indices = vec![None; dimensions as usize];
        for (dimension, stride) in strides {
            let factor = Bits::from_signed(width, stride.into());
            let found = atoms.iter().position(|(_, known)| *known == factor).map(|at| atoms.swap_remove(at).0);
            // What is left goes to the largest strides.
            let more = if stride == 0 { 0 } else { left / i128::from(stride) };
            left -= more * i128::from(stride);
            let more = self.terms.constant(Bits::from_signed(width, more));
            let index = found.map_or(more, |found| self.terms.add(found, more));
            *indices.get_mut(dimension as usize)? = Some(index);
        }
        atoms.is_empty().then(|| indices.into_iter().collect()).flatten()
    }

    /// Whether indices keep the limits and all elements are inside their arrays.
    fn is_among(&mut self, claim: &EveryClaim, at: &At) -> TermId {
        let mut all = Vec::new();
        for index in &at.indices {
            // Arbitrary indices are not beyond this, so that nothing is claimed there either.
            let top = self.terms.width(*index);
            let high = self.terms.extract(top - 1, top - HEADROOM, *index);
            let zero = self.terms.number(HEADROOM, 0);
            all.push(self.terms.eq(high, zero));
        }
        for (number, held) in claim.elements.iter().enumerate() {
            let begin = self.element_offset(claim, number, at);
            let width = self.terms.width(begin) + SPARE;
            let begin = self.terms.zext(begin, width);
            let size = self.terms.number(width, held.size.into());
            let end = self.terms.add(begin, size);
            let room = self.terms.zext(held.room, width);
            all.push(self.terms.ule(end, room));
        }
        let within = self.keeps(&claim.within, at);
        all.push(within);
        if !claim.segments.is_empty() {
            let inside: Vec<TermId> = claim.segments.iter().map(|segment| self.keeps(segment, at)).collect();
            let inside = self.terms.or_all(inside);
            all.push(if claim.rest { self.terms.not(inside) } else { inside });
        }
        self.terms.and_all(all)
    }

    /// Whether indices keep some limits.
    fn keeps(&mut self, limits: &[(u32, Side, TermId)], at: &At) -> TermId {
        let mut all = Vec::new();
        for (dimension, side, end) in limits {
            let Some(index) = at.indices.get(*dimension as usize).copied() else { continue };
            let width = self.terms.width(index).max(self.terms.width(*end)) + SPARE;
            let (index, end) = (self.terms.zext(index, width), self.terms.sext(*end, width));
            all.push(match side {
                Side::Below => self.terms.slt(index, end),
                Side::UpTo => self.terms.sle(index, end),
                Side::At => self.terms.eq(index, end),
                Side::From => self.terms.sle(end, index),
                Side::Above => self.terms.slt(end, index),
            });
        }
        self.terms.and_all(all)
    }

    /// Where an element of a claim is.
    fn element_offset(&mut self, claim: &EveryClaim, number: usize, at: &At) -> TermId {
        let held = &claim.elements[number];
        match at.known {
            Some((known, offset)) if held.is_at_place_of(&claim.elements[known]) => offset,
            Some(_) | None => self.offset_of(held, &at.indices),
        }
    }
}

impl Execution<'_, '_> {
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
            let Relation::ForAll(every) = &row.relation else { continue };
            let Some(mut claim) = self.every(head, carried, row, every, Use::Required) else { continue };
            claim.when = self.store.terms.and(claim.when, again);
            if let (Ready::Term(value), true, true) =
                (&claim.condition, claim.segments.is_empty(), claim.within.is_empty())
            {
                let holds = self.store.is_true(*value);
                let required = self.store.terms.implies(claim.when, holds);
                self.assume(head, required);
                continue;
            }
            let claim = Rc::new(claim);
            for (index, held) in claim.elements.iter().enumerate() {
                if claim.elements[..index].contains(held) {
                    continue;
                }
                let version = made.get(&held.object).copied().unwrap_or(held.version);
                self.for_all_claims.entry(version).or_default().push((index, claim.clone()));
            }
        }
    }

    /// Requires what is claimed of an array for the indices of an element that was read.
    pub(super) fn instantiate_every(&mut self, version: VersionId, offset: TermId, wanted: Wanted) {
        let Some(claims) = self.for_all_claims.get(&version).cloned() else { return };
        if self.for_all_depth == DEPTH {
            return;
        }
        self.for_all_depth += 1;
        for (element, claim) in claims.into_iter().filter(|(of, claim)| claim.elements[*of].size == wanted.size) {
            let held = claim.elements[element].clone();
            let Some(indices) = self.store.indices_of(&held, claim.dimensions, offset) else { continue };
            let expected = self.store.offset_of(&held, &indices);
            let there = self.store.terms.eq(expected, offset);
            let at = At { indices, known: Some((element, offset)) };
            let inside = self.store.is_among(&claim, &at);
            let asked = self.store.terms.and_all([claim.when, there, inside]);
            if self.store.terms.is_false(asked) {
                continue;
            }
            let Some(value) = self.at_indices(&claim, &claim.condition, &at) else { continue };
            let holds = self.store.is_true(value);
            let required = self.store.terms.implies(asked, holds);
            self.store.require(required);
        }
        self.for_all_depth -= 1;
    }

    /// Whether a row holds for arbitrary indices of a state: when it says something, and whether that is so.
    pub(super) fn arbitrary_index(&mut self, state: &State, carried: &[InstId], row: &Row) -> Option<(TermId, TermId)> {
        let Relation::ForAll(every) = &row.relation else { return None };
        let claim = self.every(state, carried, row, every, Use::Shown)?;
        let mut indices = Vec::new();
        for dimension in 0..claim.dimensions {
            let counted = std::mem::replace(&mut self.at.fresh, ARBITRARY + dimension);
            let number = self.fresh(self.store.address_width() - HEADROOM, Origin::Internal);
            self.at.fresh = counted;
            indices.push(self.store.terms.zext(number, self.store.address_width()));
        }
        let at = At { indices, known: None };
        let inside = self.store.is_among(&claim, &at);
        let asked = self.store.terms.and(claim.when, inside);
        let value = self.at_indices(&claim, &claim.condition, &at)?;
        let holds = self.store.is_true(value);
        Some((asked, self.store.terms.implies(asked, holds)))
    }

    fn every(
        &mut self,
        state: &State,
        carried: &[InstId],
        row: &Row,
        every: &ForAll,
        use_of: Use,
    ) -> Option<EveryClaim> {
        let mut elements = Vec::new();
        let condition = match use_of {
            Use::Required => self.ready(state, carried, &every.condition, &mut elements)?,
            Use::Shown => self.write_out(state, carried, &every.condition, &mut elements)?,
        };
        let limits = |encoder: &mut Self, limits: &[Limit]| {
            let mut found = Vec::new();
            for limit in limits {
                let Ready::Term(end) = encoder.ready(state, carried, &limit.end, &mut Vec::new())? else { return None };
                found.push((limit.dimension, limit.side, end));
            }
            Some(found)
        };
        let within = limits(self, &every.within)?;
        let segments = every.segments.iter().map(|segment| limits(self, segment)).collect::<Option<_>>()?;
        let when = self.store.bound(row.bound, 1);
        let dimensions = every.dimensions();
        self.has_nested_rows |= dimensions > 1;
        Some(EveryClaim { when, dimensions, elements, within, segments, rest: every.rest, condition })
    }

    /// The value of a formula at indices.
    fn at_indices(&mut self, claim: &EveryClaim, ready: &Ready, at: &At) -> Option<TermId> {
        match ready {
            Ready::Term(term) => Some(*term),
            Ready::Index(dimension, width) => {
                let index = at.indices.get(*dimension as usize).copied()?;
                Some(self.store.fit_width(index, *width))
            }
            Ready::Element(number) => {
                let offset = self.store.element_offset(claim, *number, at);
                let held = &claim.elements[*number];
                let value = self.read(held.version, held.limit, offset, Wanted { size: held.size, pointer: false });
                match value {
                    Value::Bits(bits) => Some(bits),
                    Value::Ptr(_) | Value::Addr(_) => None,
                }
            }
            Ready::Binary(op, a, b) => {
                let (x, y) = (self.at_indices(claim, a, at)?, self.at_indices(claim, b, at)?);
                self.store.total(*op, x, y)
            }
            Ready::Compare(op, a, b) => {
                let (x, y) = (self.at_indices(claim, a, at)?, self.at_indices(claim, b, at)?);
                (self.store.terms.width(x) == self.store.terms.width(y)).then(|| self.store.compare_numbers(*op, x, y))
            }
            Ready::Cast(op, width, a) => {
                let x = self.at_indices(claim, a, at)?;
                Some(self.store.resize(*op, *width, x))
            }
            Ready::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.at_indices(claim, condition, at)?;
                let condition = self.store.is_true(condition);
                let x = self.at_indices(claim, then, at)?;
                let y = self.at_indices(claim, otherwise, at)?;
                (self.store.terms.width(x) == self.store.terms.width(y)).then(|| self.store.terms.ite(condition, x, y))
            }
        }
    }
}

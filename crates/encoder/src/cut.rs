//! Loops that are cut: what the encoder is told of them, and what it says back.
//!
//! **Idea.** Instead of being unrolled to its end, a loop is entered at an arbitrary round: at its head the values that the loop
//! changes are either those of the way in (round 0) or arbitrary ones (round 1 or later), as a free variable `again` says,
//! and then `k` rounds of the body are executed. A run that is in round `n` of the loop corresponds to the copies as follows: if `n < k`, to
//! copy `n` after the way in; otherwise to copy `k - 1`, with the state of round `n - k + 1` as the arbitrary one. So a run that
//! leaves the loop after an arbitrary start leaves it from the last copy, and the edges that leave earlier copies are closed where
//! `again` holds; likewise what goes wrong in round `n` goes wrong in the last copy, and what an earlier copy would violate after an
//! arbitrary start is not asked ([`Execution::early`](super::execution::Execution)), but assumed not to happen. That is *k-induction*.
//!
//! **Source.** Kroening, Malík, Schrammel and Vojnar, *2LS for program analysis*, sections 4.2 (loops cut at the back edge, the loop-select
//! guard) and 5 (k-induction with k-invariants). **Differences**: which values a loop changes is not found by an analysis beforehand but
//! stated ([`Cut`]) and checked where the back edge arrives, bit for bit on the terms; lives of objects are values
//! of the state like others; the arbitrary state stands for rounds 1 and later only, and all loops are cut at once.
//!
//! **Soundness.** Claim: if no violation, unwinding condition, unknown and broken invariant of a cut unrolling is possible and it has no
//! frame_violation, no run of the program violates the property. Suppose a run does something of that kind (violates an obligation of the
//! property or one that ends the run, gets where nothing is known, or comes to a loop head in a state that the [`Cut`] does not describe),
//! and take the first such moment. For each loop execution before it, let the variables be as said above. By induction over the parts of
//! the run that the copies stand for, every term has the value that the run computes and every guard on the way holds:
//!
//! - *At a head of an arbitrary round*: everything that the round's state holds and that the cut does not list is as it was on the way in,
//!   and what the cut lists is a free variable that can take the state's value: a number any number, a pointer any of the listed
//!   objects (all of which exist at the head) with any offset of the stated alignment. This is what the arrival check makes sure
//!   of for the run's states: a register, cell or object that differs from the head and is not listed, a pointer to something not
//!   listed (in particular to an object born in the loop), an object whose life began or ended in between, all are frame_violations; and until the first
//!   bad moment the run's states were arrivals of this very unrolling, by the same correspondence. The invariants hold of the state, for
//!   they were checked at the arrival and the moment is the first.
//! - *What each round moves by the same number* ([`belay_ir::steps`]) is, in round `n`, what it was on the way in plus `n` times that number, in its own bits; so one free number, `n`
//!   modulo 2^64, says what all of these are, and nothing of the run's states is lost. The way in of this execution of the loop is fixed while its rounds are made. A pointer stays in its object.
//! - *Path conditions* of before the loop speak of values that are fixed since, so they still hold; what later rounds assumed is forgotten.
//! - *Undefined bytes* are fixed once they are chosen; in an arbitrary state they are numbers like others. An undefined pointer is listed as
//!   such, or is a number without provenance, which is as invalid.
//! - *Addresses*: that a bare number may be an object's address is decided by whether an address was ever looked at, and in a loop that
//!   may happen further down; so an unrolling in which this changes is executed again with the stronger assumption.
//! - *Contents at unknown offsets*: an object that is listed as a whole holds arbitrary bytes. It must not hold pointers, before
//!   or after; so numbers represent all it can hold.
//! - *Rows about elements* speak of all elements of a segment at once: see [`super::element`] and [`super::for_all`]; of sums over arrays: `prefix_sum.rs`.
//! - *An obligation of the property ends the run* here even where execution would go on after it, since only the first violation counts.
//!
//! The moment itself then is a condition of the unrolling that is not masked: it happens in the last copy of each cut loop around it,
//! or in a copy after the way in. So it is possible, against the assumption. Endless runs are covered, as every finite part of
//! a run is. What is judged only where a run ends (lost blocks) is judged at cut heads as well, since an endless run never ends.
//!
//! **Where it gives up.** A loop that keeps an object it made alive, ends a life of one it found, keeps pointers to what it made, or changes an object
//! that holds pointers at unknown places is not cut. Recursion is cut likewise: [`super::recursion`].

use std::collections::BTreeSet;

use belay_invariants::{CutPlace, ObjectKey};
use belay_ir::InstId;
use belay_logic::bv::TermId;

/// An invariant that may not hold where a head is reached again.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The loop.
    pub place: CutPlace,
    /// Which row.
    pub row: usize,
    /// The condition.
    pub condition: TermId,
    /// When a state arrives of which the row is asked.
    pub arrives: TermId,
    /// The sum that is bounded, in the state that arrives.
    pub sum: Option<TermId>,
    /// The number of the row's parameter, if it has one.
    pub number: Option<u32>,
}

/// The head of a cut loop: its numbers on the way in and in an arbitrary round.
#[derive(Clone, Debug)]
pub struct HeadState {
    /// The loop.
    pub place: CutPlace,
    /// Whether its rounds begin in an arbitrary state.
    pub again: TermId,
    /// The loop's variables: what they are on the way in, and in the arbitrary state.
    pub numbers: Vec<(InstId, TermId, TermId)>,
    /// The objects with a name of their own that exist there.
    pub objects: BTreeSet<ObjectKey>,
}

/// A state at a head in which a row's sums are looked at whose combinations are searched for.
#[derive(Clone, Debug)]
pub struct Looked {
    /// The row's parameter.
    pub number: u32,
    /// True for a state that arrives, false for the arbitrary one that a round begins with.
    pub arrives: bool,
    /// When it is reached and the row speaks of it.
    pub when: TermId,
    /// The sums; `None` if some has no value there.
    pub sums: Option<Vec<TermId>>,
}

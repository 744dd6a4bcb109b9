//! Loops that are cut: what the encoder is told of them, and what it says back.
//!
//! **Idea.** Instead of being unrolled to its end, a loop is entered at an arbitrary round: at its head the values that the loop
//! changes are either those of the way in (round 0) or arbitrary ones (round 1 or later), as a free variable `again` says,
//! and then `k` rounds of the body are executed. A run that is in round `n` of the loop corresponds to the copies as follows: if `n < k`, to
//! copy `n` after the way in; otherwise to copy `k - 1`, with the state of round `n - k + 1` as the arbitrary one. So a run that
//! leaves the loop after an arbitrary start leaves it from the last copy, and the edges that leave earlier copies are closed where
//! `again` holds; likewise what goes wrong in round `n` goes wrong in the last copy, and what an earlier copy would violate after an
//! arbitrary start is not asked ([`Encoder::early`](super::Encoder)), but assumed not to happen. That is *k-induction*.
//!
//! **Source.** Kroening, Malík, Schrammel and Vojnar, *2LS for program analysis*, sections 4.2 (loops cut at the back edge, the loop-select
//! guard) and 5 (k-induction with k-invariants). **Differences**: which values a loop changes is not found by an analysis beforehand but
//! stated ([`Cut`]) and checked where the back edge arrives, bit for bit on the terms; lives of objects are values
//! of the state like others; the arbitrary state stands for rounds 1 and later only, and all loops are cut at once.
//!
//! **Soundness.** Claim: if no violation, unwinding condition, unknown and broken invariant of a cut unrolling is possible and it has no
//! misfit, no run of the program violates the property. Suppose a run does something of that kind (violates an obligation of the
//! property or one that ends the run, gets where nothing is known, or comes to a loop head in a state that the [`Cut`] does not describe),
//! and take the first such moment. For each loop execution before it, let the variables be as said above. By induction over the parts of
//! the run that the copies stand for, every term has the value that the run computes and every guard on the way holds:
//!
//! - *At a head of an arbitrary round*: everything that the round's state holds and that the cut does not list is as it was on the way in,
//!   and what the cut lists is a free variable that can take the state's value: a number any number, a pointer any of the listed
//!   objects (all of which exist at the head) with any offset of the stated alignment. This is what the arrival check makes sure
//!   of for the run's states: a register, cell or object that differs from the head and is not listed, a pointer to something not
//!   listed (in particular to an object born in the loop), an object whose life began or ended in between, all are misfits; and until the first
//!   bad moment the run's states were arrivals of this very unrolling, by the same correspondence. The invariants hold of the state, for
//!   they were checked at the arrival and the moment is the first.
//! - *Path conditions* of before the loop speak of values that are fixed since, so they still hold; what later rounds assumed is forgotten.
//! - *Undefined bytes* are fixed once they are chosen; in an arbitrary state they are numbers like others. An undefined pointer is listed as
//!   such, or is a number without provenance, which is as invalid.
//! - *Addresses*: that a bare number may be an object's address is decided by whether an address was ever looked at, and in a loop that
//!   may happen further down; so an unrolling in which this changes is executed again with the stronger assumption.
//! - *Contents at unknown offsets*: an object that is listed as a whole holds arbitrary bytes. It must not hold pointers, before
//!   or after; so numbers represent all it can hold.
//! - *Rows about elements* speak of all elements of a segment at once: see [`super::element`] and [`super::every`]; of sums over arrays: `total.rs`.
//! - *An obligation of the property ends the run* here even where execution would go on after it, since only the first violation counts.
//!
//! The moment itself then is a condition of the unrolling that is not masked: it happens in the last copy of each cut loop around it,
//! or in a copy after the way in. So it is possible, against the assumption. Endless runs are covered, as every finite part of
//! a run is. What is judged only where a run ends (lost blocks) is judged at cut heads as well, since an endless run never ends.
//!
//! **Where it gives up.** A loop that keeps an object it made alive, ends a life of one it found, keeps pointers to what it made, or changes an object
//! that holds pointers at unknown places is not cut. Recursion is cut likewise: [`super::recursion`].

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{BlockId, FuncId, InstId, Property};
use belay_logic::bv::TermId;

use super::formula::Every;
use super::object::ObjectKind;

/// Activations from the outside in: the call instruction and the function that it entered.
pub type CallPath = Vec<(InstId, FuncId)>;

/// A loop of one activation, or a function that calls itself, by its outermost activation and its entry block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CutPlace {
    /// The activation.
    pub calls: CallPath,
    /// The function.
    pub function: FuncId,
    /// The head of the loop.
    pub head: BlockId,
}

/// Objects by where they are made, whatever the rounds of the loops around.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectKey {
    /// What they are.
    pub kind: ObjectKind,
    /// The activation that makes them; empty for static ones.
    pub calls: CallPath,
    /// The instruction.
    pub inst: InstId,
    /// Which of those that the instruction makes.
    pub number: u32,
}

/// What a changed pointer may point to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BaseKey {
    /// Objects that exist at the head.
    Object(ObjectKey),
    /// A bare number.
    Bare,
    /// An undefined pointer.
    Undefined,
}

/// What a changed value may be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Havoc {
    /// Any number.
    Number,
    /// A pointer, or an integer that is an address.
    Pointer {
        /// To one of these.
        bases: BTreeSet<BaseKey>,
        /// At an offset with so many low zero bits.
        zeros: u32,
    },
}

/// What a loop changes, and what is known of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cut {
    /// Values of the head's phis.
    pub registers: BTreeMap<InstId, Havoc>,
    /// Locals whose lives begin and end in the loop.
    pub lives: BTreeSet<InstId>,
    /// Values in memory at known places: object and offset, and size.
    pub cells: BTreeMap<(ObjectKey, u32), (u32, Havoc)>,
    /// Objects changed at unknown places.
    pub objects: BTreeSet<ObjectKey>,
    /// What holds whenever the head is reached again; of a function, of the arguments of each further call.
    pub rows: Vec<Row>,
    /// Of a function: what holds of the arguments and the result of each call.
    pub results: Vec<Row>,
}

/// A value at a loop head.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Variable {
    /// The value of an instruction.
    Register(InstId),
    /// A parameter of the function.
    Param(u32),
    /// A number in memory.
    Cell { object: ObjectKey, offset: u32, size: u32 },
    /// The offset of a pointer.
    Offset(InstId),
    /// What a call returns.
    Result,
    /// A parameter, or 0 where that is negative.
    Positive(u32),
    /// What an instruction of the loop gave in the round that ends; only in measures.
    Last(InstId),
}

/// A value as an integer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// The value.
    pub variable: Variable,
    /// Whether its bits are read as signed.
    pub signed: bool,
}

/// A bound of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// A variable of this number, to be searched for.
    Parameter(u32),
    /// A number.
    Constant(i128),
}

/// What a row says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// The sum of the atoms, each negated if marked so, is at most the bound.
    AtMost(Sum),
    /// Two atoms are equal; the bound says whether this is claimed (1) or not (0).
    Equal(Atom, Atom),
    /// Two atoms differ; the bound says whether this is claimed.
    Differ(Atom, Atom),
    /// The low bits of an atom are those of a number; the bound says whether this is claimed.
    Residue {
        /// The atom.
        atom: Atom,
        /// How many bits.
        bits: u32,
        /// The number.
        value: u32,
    },
    /// A variable is a float of so many bits, and a number; it, negated if marked, is at most the bound, which is the
    /// [place](belay_logic::bv::float::Format::place) of a number of that format.
    Float {
        /// The variable.
        variable: Variable,
        /// The bits of its format.
        width: u32,
        /// Whether it is negated.
        minus: bool,
    },
    /// Something holds of many elements of an array.
    Each(Elements),
    /// A condition of the program holds for many indices; the bound says whether this is claimed.
    Every(Every),
    /// The values of these sums are none of these combinations. While the combinations are searched for, the bound is a parameter and the row says
    /// nothing: see [`Looked`].
    Never {
        /// The sums.
        sums: Vec<Sum>,
        /// What does not occur.
        cubes: Vec<Cube>,
    },
}

impl Relation {
    /// True if it is about a sum over an array.
    pub fn has_total(&self) -> bool {
        matches!(self, Relation::Every(every) if every.condition.has_total())
    }
}

/// A combination of values: what is said of some of the sums, by number.
pub type Cube = Vec<(usize, Literal)>;

/// What a combination says of one sum.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Literal {
    /// It has this value.
    Is(i128),
    /// It has none of these values.
    IsNot(Vec<i128>),
}

/// A sum of atoms, each negated if marked so.
pub type Sum = Vec<(bool, Atom)>;

/// What a row says of the elements of an array: (element - against), negated if marked so, is at most the bound, for every element of
/// the segment that is inside the object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Elements {
    /// The array.
    pub object: ObjectKey,
    /// The size of an element, a power of 2.
    pub size: u32,
    /// Which elements; all if there is none.
    pub segment: Option<(Segment, Atom)>,
    /// Whether the difference is negated.
    pub minus: bool,
    /// What the element is compared with.
    pub against: Against,
}

/// Which elements a row is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Segment {
    /// Those with an index below a number.
    Below,
    /// Those with an index above a number.
    Above,
    /// Those at an offset below a number.
    BelowOffset,
}

/// What elements are compared with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Against {
    /// 0.
    Nothing,
    /// The index of the element.
    Index,
    /// A number at the head.
    Atom(Atom),
    /// The element of another array at the same offset.
    Object(ObjectKey),
}

/// A row of an invariant. Sums are computed in more bits than they need, so that they never overflow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What it says.
    pub relation: Relation,
    /// Of which bound.
    pub bound: Bound,
}

/// How loops are cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cutting {
    /// The copies of each body.
    pub k: u32,
    /// The property at stake: the first violation of it ends a run.
    pub property: Property,
    /// The loops.
    pub cuts: BTreeMap<CutPlace, Cut>,
}

/// How a state that arrives at a head is none of those that the cut describes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Misfit {
    /// A phi changes.
    Register(InstId, Havoc),
    /// A local begins a new life.
    Life(InstId),
    /// A cell changes.
    Cell { object: ObjectKey, offset: u32, size: u32, havoc: Havoc },
    /// An object changes at unknown places.
    Object(ObjectKey),
    /// Something changes that no cut can describe.
    Never(&'static str),
}

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

impl Cut {
    /// The cut that also describes what did not fit; false if there is none.
    pub fn widen(&mut self, misfit: &Misfit) -> bool {
        match misfit {
            Misfit::Register(inst, havoc) => {
                let known = self.registers.remove(inst);
                self.registers.insert(*inst, known.map_or(havoc.clone(), |known| known.joined(havoc)));
            }
            Misfit::Life(inst) => {
                self.lives.insert(*inst);
            }
            Misfit::Cell { object, offset, size, havoc } => {
                let place = (object.clone(), *offset);
                let value = match self.cells.remove(&place) {
                    Some((known, before)) if known == *size => (known, before.joined(havoc)),
                    Some(_) => return self.widen(&Misfit::Object(object.clone())),
                    None => (*size, havoc.clone()),
                };
                self.cells.insert(place, value);
            }
            Misfit::Object(object) => {
                self.cells.retain(|(of, _), _| of != object);
                self.objects.insert(object.clone());
            }
            Misfit::Never(_) => return false,
        }
        true
    }
}

impl Havoc {
    fn joined(self, other: &Havoc) -> Havoc {
        match (self, other) {
            (Havoc::Number, Havoc::Number) => Havoc::Number,
            (Havoc::Number, pointer @ Havoc::Pointer { .. }) => Havoc::number_pointer().joined(pointer),
            (pointer @ Havoc::Pointer { .. }, Havoc::Number) => pointer.joined(&Havoc::number_pointer()),
            (Havoc::Pointer { mut bases, zeros }, Havoc::Pointer { bases: more, zeros: also }) => {
                bases.extend(more.iter().cloned());
                Havoc::Pointer { bases, zeros: zeros.min(*also) }
            }
        }
    }

    fn number_pointer() -> Havoc {
        Havoc::Pointer { bases: [BaseKey::Bare].into_iter().collect(), zeros: 0 }
    }
}

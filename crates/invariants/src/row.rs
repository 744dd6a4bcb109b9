//! Rows: what is claimed of the values at a loop head.

use belay_ir::InstId;

use crate::formula::ForAll;
use crate::place::ObjectKey;

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
    /// What an instruction of the loop gave in the round that ends; only in rankings.
    Last(InstId),
}

impl Variable {
    /// The instruction whose value it is, or is a part of.
    pub fn register(&self) -> Option<InstId> {
        match self {
            Variable::Register(inst) | Variable::Offset(inst) => Some(*inst),
            Variable::Param(_)
            | Variable::Cell { .. }
            | Variable::Result
            | Variable::Positive(_)
            | Variable::Last(_) => None,
        }
    }
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
    ForAll(ForAll),
    /// The values of these sums are none of these combinations. While the combinations are searched for, the bound is a parameter and the row says
    /// nothing: see [`Looked`].
    BlockedCubes {
        /// The sums.
        sums: Vec<Sum>,
        /// What does not occur.
        cubes: Vec<Cube>,
    },
}

impl Relation {
    /// The registers whose values a row is about; those of conditions ([`Relation::ForAll`]) are looked at where they are made terms.
    pub fn registers(&self) -> Vec<InstId> {
        let mut atoms: Vec<&Atom> = Vec::new();
        let mut variables: Vec<&Variable> = Vec::new();
        match self {
            Relation::AtMost(sum) => atoms.extend(sum.iter().map(|(_, atom)| atom)),
            Relation::Equal(a, b) | Relation::Differ(a, b) => atoms.extend([a, b]),
            Relation::Residue { atom, .. } => atoms.push(atom),
            Relation::Float { variable, .. } => variables.push(variable),
            Relation::Each(elements) => {
                atoms.extend(elements.segment.iter().map(|(_, atom)| atom));
                match &elements.against {
                    Against::Atom(atom) => atoms.push(atom),
                    Against::Nothing | Against::Index | Against::Object(_) => {}
                }
            }
            Relation::ForAll(_) => {}
            Relation::BlockedCubes { sums, .. } => atoms.extend(sums.iter().flatten().map(|(_, atom)| atom)),
        }
        variables.extend(atoms.into_iter().map(|atom| &atom.variable));
        variables.into_iter().filter_map(Variable::register).collect()
    }

    /// True if it is about a sum over an array.
    pub fn has_prefix_sum(&self) -> bool {
        matches!(self, Relation::ForAll(every) if every.condition.has_prefix_sum())
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
    pub segment: Option<(IndexRange, Atom)>,
    /// Whether the difference is negated.
    pub minus: bool,
    /// What the element is compared with.
    pub against: Against,
}

/// Which elements a row is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IndexRange {
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

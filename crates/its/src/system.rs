//! Integer transition systems as data.
//!
//! All variables are mathematical integers. A transition is taken in a state of its source where
//! some values of its *extra* variables satisfy the guard; each variable then gets the value of its
//! update. An arbitrary relation between old and new values fits this form: see
//! [`Transition::from_relation`]. A run starts in the start location with arbitrary values.

use belay_base::{Id, IdVec, id_type};
use belay_linear::{Rat, Var};

use crate::poly::Poly;

id_type!(
    /// A location.
    LocId,
    "l"
);
id_type!(
    /// A transition.
    TransId,
    "t"
);

/// How a polynomial compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sign {
    /// `poly >= 0`
    NonNegative,
    /// `poly = 0`
    Zero,
}

/// `poly >= 0` or `poly = 0`. Over the integers `<`, `>` and `≤` are of this form; `≠` takes two
/// transitions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The left-hand side.
    pub poly: Poly,
    /// How it compares with zero.
    pub sign: Sign,
}

impl Atom {
    /// `poly >= 0`.
    pub fn non_negative(poly: Poly) -> Atom {
        Atom { poly, sign: Sign::NonNegative }
    }

    /// `poly = 0`.
    pub fn zero(poly: Poly) -> Atom {
        Atom { poly, sign: Sign::Zero }
    }

    /// `left >= right`.
    pub fn at_least(left: &Poly, right: &Poly) -> Atom {
        Atom::non_negative(left.minus(right))
    }

    /// `left > right`.
    pub fn greater(left: &Poly, right: &Poly) -> Atom {
        Atom::non_negative(left.minus(right).minus(&Poly::constant(1)))
    }

    /// `left = right`.
    pub fn equal(left: &Poly, right: &Poly) -> Atom {
        Atom::zero(left.minus(right))
    }

    /// The atom with each variable replaced.
    pub fn substitute(&self, image: impl Fn(Var) -> Poly) -> Atom {
        Atom { poly: self.poly.substitute(image), sign: self.sign }
    }

    /// True if the atom holds where `value` gives the variables' values.
    pub fn holds(&self, value: impl Fn(Var) -> Rat) -> bool {
        let sum = self.poly.evaluate(value);
        match self.sign {
            Sign::NonNegative => !sum.is_negative(),
            Sign::Zero => sum.is_zero(),
        }
    }
}

/// A guarded update between two locations. With `n` program variables, `Var(i)` for `i < n` is the
/// `i`-th one's old value and `Var(n + j)` the `j`-th extra variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The source.
    pub from: LocId,
    /// The target.
    pub to: LocId,
    /// When the transition can be taken: all of these hold.
    pub guard: Vec<Atom>,
    /// The new value of each program variable.
    pub update: Vec<Poly>,
    /// How many extra variables there are: values chosen anew each time.
    pub extras: u32,
}

impl Transition {
    /// The transition that takes `relation`, in which `Var(i)` is an old value, `Var(n + i)` a new one
    /// and `Var(2n + j)` an extra variable.
    pub fn from_relation(vars: usize, (from, to): (LocId, LocId), relation: Vec<Atom>, extras: u32) -> Transition {
        let update = (0..vars).map(|i| Poly::var(Var::new(vars + i))).collect();
        let extras = extras + u32::try_from(vars).expect("fewer than 2^32 variables");
        Transition { from, to, guard: relation, update, extras }
    }

    /// The successor of `state` with these values of the extra variables, if the guard holds.
    pub fn step(&self, state: &[Rat], extras: &[Rat]) -> Option<Vec<Rat>> {
        let value = |var: Var| match state.get(var.index()) {
            Some(value) => value.clone(),
            None => extras.get(var.index() - state.len()).cloned().unwrap_or_default(),
        };
        let enabled = self.guard.iter().all(|atom| atom.holds(value));
        enabled.then(|| self.update.iter().map(|poly| poly.evaluate(value)).collect())
    }
}

/// Makes a [`Var`] from an index.
pub trait VarExt {
    /// The variable with this index.
    fn new(index: usize) -> Self;
}

impl VarExt for Var {
    fn new(index: usize) -> Self {
        Var(u32::try_from(index).expect("fewer than 2^32 variables"))
    }
}

/// An integer transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Its {
    /// The program variables' names.
    pub vars: Vec<String>,
    /// The locations' names.
    pub locations: IdVec<LocId, String>,
    /// Where runs start, with arbitrary values.
    pub start: LocId,
    /// The transitions.
    pub transitions: IdVec<TransId, Transition>,
}

/// Why an [`Its`] is not well-formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// The start location does not exist.
    Start,
    /// A transition's end does not exist.
    Location(TransId),
    /// A transition does not update exactly the program variables.
    Arity(TransId),
    /// A transition mentions a variable that it does not have.
    Variable(TransId),
    /// A coefficient is not an integer.
    Coefficient(TransId),
}

impl Its {
    /// Checks that all indices are in range and all coefficients integers.
    pub fn validate(&self) -> Result<(), Malformed> {
        if self.locations.get(self.start).is_none() {
            return Err(Malformed::Start);
        }
        self.transitions.iter_enumerated().try_for_each(|(id, transition)| self.validate_transition(id, transition))
    }

    fn validate_transition(&self, id: TransId, transition: &Transition) -> Result<(), Malformed> {
        let known = |location| self.locations.get(location).is_some();
        if !known(transition.from) || !known(transition.to) {
            return Err(Malformed::Location(id));
        }
        if transition.update.len() != self.vars.len() {
            return Err(Malformed::Arity(id));
        }
        let limit = self.vars.len() + transition.extras as usize;
        let guards = transition.guard.iter().map(|atom| &atom.poly);
        for poly in guards.chain(&transition.update) {
            if poly.vars().any(|var| var.index() >= limit) {
                return Err(Malformed::Variable(id));
            }
            if poly.terms().iter().any(|(_, coefficient)| !coefficient.is_integer()) {
                return Err(Malformed::Coefficient(id));
            }
        }
        Ok(())
    }

    /// The name of a variable as seen in a transition: a program variable's, or `extraN`.
    pub fn var_name(&self, var: Var) -> String {
        match self.vars.get(var.index()) {
            Some(name) => name.clone(),
            None => format!("extra{}", var.index() - self.vars.len()),
        }
    }

    /// The transitions that leave `location`, in order.
    pub fn outgoing(&self, location: LocId) -> impl Iterator<Item = (TransId, &Transition)> {
        self.transitions.iter_enumerated().filter(move |(_, t)| t.from == location)
    }

    /// A system without locations' names given: `l0`, `l1`, …
    pub fn with_locations(vars: Vec<String>, locations: usize, start: LocId) -> Its {
        let locations = (0..locations).map(|i| LocId::new(i).to_string()).collect();
        Its { vars, locations, start, transitions: IdVec::new() }
    }
}

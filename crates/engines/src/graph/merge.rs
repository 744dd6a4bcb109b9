//! Generalisation: the least state we can express that represents two (Def. 7 and the strategy after it).
//!
//! *Idea.* What both states have becomes slots ([`super::pairing`]); the equalities are those of the affine hull
//! ([`super::basis`]); the inequalities are bounds of [`super::templates`], found by linear optimisation over each state: octagonal
//! forms of the free slots, differences of offsets and sizes, and the constraints that the older state has.
//!
//! *Lists* ([`super::lists`]): chains of blocks become segments where that keeps pointers that would be lost otherwise.
//!
//! *Why it stops.* The frames are fixed; values, objects and cells are only ever lost, or become parts of segments, of which there are no more
//! than places that lead to them; with those fixed the dimension of the
//! hull only grows, at most to the number of slots, and with that fixed each stride is only replaced by a divisor of it.
//! So all three change finitely often. (Only the first [`CURIOSITY`] merges at a place may add cells.) While they stay as they are, after [`PATIENCE`] merges at a place no new bound is made up: a
//! constraint stays or goes, and every chain of merges is finite.

use belay_base::{Budget, Exhausted};
use belay_ir::{IntegerModel, Program};
use belay_logic::simplex::{Constraint, Domain, LinExpr, Optimum, Rat, Simplex};
use belay_semantics::symbolic::{State, Value};

use super::basis::Basis;
use super::numbers::bounds;
use super::pairing::{Curiosity, Folding, Paired, Slot, pair};
use super::templates::{applied, templates};

/// Merges at one place that may make up new bounds.
pub const PATIENCE: u32 = 3;

/// Merges at one place that may look for numbers in memory of which a state says nothing.
const CURIOSITY: u32 = 10;

/// How often a place has been merged.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Age {
    /// In all.
    merges: u32,
    /// Since the shape of its state last changed.
    visits: u32,
}

impl Age {
    /// Whether the place is young enough for its state to speak of more.
    pub fn is_curious(self) -> bool {
        self.merges < CURIOSITY
    }

    /// One more merge that leaves all as it is but adds cells.
    pub fn older(self) -> Age {
        Age { merges: self.merges + 1, ..self }
    }
}

/// A state that represents both. The older one has been merged so often before.
pub fn merge(
    program: &Program,
    integers: IntegerModel,
    (old, age): (&State, Age),
    new: &State,
    budget: &Budget,
) -> Result<(State, Age), Exhausted> {
    let curiosity = if age.is_curious() { Curiosity::Kept } else { Curiosity::None };
    let Paired { mut state, slots, found, .. } = folded(program, old, new, curiosity);
    let basis = Basis::new(&slots);
    let before = Basis::new(&pair(program, old, old, Folding::Blocks, Curiosity::None).slots);
    let changed = before.exprs.len() != slots.len()
        || before.free.len() != basis.free.len()
        || before.strides() != basis.strides();
    let visits = if changed { 0 } else { age.visits + 1 };
    let mut sides = [Side::new(old, &slots, &basis, 0), Side::new(new, &slots, &basis, 1)];
    if integers == IntegerModel::Machine {
        for number in &found {
            bounds(&number.number, number.width).into_iter().for_each(|bound| sides[number.side].simplex.assert(bound));
        }
    }
    let mut accepted = Simplex::new(Domain::Integer);
    let mut kept: Vec<Constraint> = basis.equations.clone();
    basis.equations.iter().for_each(|equation| accepted.assert(equation.clone()));
    for template in templates(&slots, &basis, old, new, visits, integers) {
        let Some(bound) = lower_bound(&mut sides, &template.expr, budget)? else { continue };
        if template.fixed && (&bound + template.expr.offset()).is_negative() {
            continue;
        }
        let offset = if template.fixed { template.expr.offset().clone() } else { -&bound };
        let expr = LinExpr::new(template.expr.terms().iter().cloned(), offset);
        if expr.is_constant() || implied(&mut accepted, &expr, budget)? {
            continue;
        }
        accepted.assert(Constraint::ge(expr.clone()));
        kept.push(Constraint::ge(expr));
    }
    state.for_each_expr_mut(|expr| *expr = basis.translate(expr));
    state.knowledge.constraints = kept;
    state.names = basis.names(&slots);
    state.next_var = state.names.len() as u32;
    state.origin = Vec::new();
    Ok((state, Age { merges: age.merges + 1, visits }))
}

/// The common part in which the fewest pointers are lost, and after that the fewest lists follow each other: of those it is not known
/// whether the second is empty where the first is not. Blocks one by one, or lists first.
fn folded(program: &Program, old: &State, new: &State, curiosity: Curiosity) -> Paired {
    let cost = |paired: &Paired| {
        let segments = &paired.state.segments;
        let leads_on = |value: &Value| matches!(value, Value::Pointer(next, _) if segments.contains_key(next));
        (paired.lost, segments.values().filter(|segment| leads_on(&segment.target)).count())
    };
    let mut best = pair(program, old, new, Folding::Blocks, curiosity);
    for folding in [Folding::Lists, Folding::Tails] {
        if cost(&best) == (0, 0) {
            break;
        }
        let next = pair(program, old, new, folding, curiosity);
        if cost(&next) < cost(&best) {
            best = next;
        }
    }
    best
}

/// True if `expr ≥ 0` follows already.
fn implied(accepted: &mut Simplex, expr: &LinExpr, budget: &Budget) -> Result<bool, Exhausted> {
    Ok(match accepted.minimise(expr, budget)? {
        Optimum::Infeasible(_) => true,
        Optimum::Unbounded => false,
        Optimum::Value { value, .. } => !value.ceil().is_negative(),
    })
}

/// One of the two states, to be optimised over.
struct Side {
    simplex: Simplex,
    values: Vec<LinExpr>,
}

impl Side {
    fn new(state: &State, slots: &[Slot], basis: &Basis, side: usize) -> Side {
        let mut simplex = Simplex::new(Domain::Integer);
        state.knowledge.constraints.iter().for_each(|constraint| simplex.assert(constraint.clone()));
        Side { simplex, values: basis.values(slots, side) }
    }

    /// The least value of the template without its constant.
    fn least(&mut self, template: &LinExpr, budget: &Budget) -> Result<Least, Exhausted> {
        let form = LinExpr::new(template.terms().iter().cloned(), Rat::ZERO);
        let objective = applied(&form, &self.values);
        if objective.is_constant() {
            return Ok(Least::At(objective.offset().clone()));
        }
        Ok(match self.simplex.minimise(&objective, budget)? {
            Optimum::Infeasible(_) => Least::NoState,
            Optimum::Unbounded => Least::Unbounded,
            Optimum::Value { value, .. } => Least::At(value.ceil()),
        })
    }
}

/// The least value of a form over a state.
enum Least {
    NoState,
    Unbounded,
    At(Rat),
}

fn lower_bound(sides: &mut [Side; 2], template: &LinExpr, budget: &Budget) -> Result<Option<Rat>, Exhausted> {
    let [left, right] = sides;
    Ok(match (left.least(template, budget)?, right.least(template, budget)?) {
        (Least::Unbounded, _) | (_, Least::Unbounded) | (Least::NoState, Least::NoState) => None,
        (Least::At(bound), Least::NoState) | (Least::NoState, Least::At(bound)) => Some(bound),
        (Least::At(left), Least::At(right)) => Some(left.min(right)),
    })
}

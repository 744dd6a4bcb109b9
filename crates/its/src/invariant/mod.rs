//! Numeric invariants by template polyhedra.
//!
//! *Idea.* (2LS paper, section 6.1; Sankaranarayanan, Sipma, Manna, VMCAI 2005.) An abstract state bounds
//! a fixed list of linear forms from below: the variables and their negations (intervals), sums and
//! differences of variables that are compared (octagons), and the guards' own forms. One step minimises
//! each form after a block by linear programming; bounds that keep falling are widened to a guard's
//! constant and then to minus infinity; two rounds of narrowing follow.
//!
//! *Why sound.* The result is a post-fixpoint: each bound is the least value over a relaxation, rounded
//! up to an integer. The certificate checker proves it inductive again.
//!
//! *Where it gives up.* Disjunctive facts, coefficients that no guard suggests, and more forms than
//! [`templates::MAX_FORMS`].

mod fixpoint;
mod templates;

use belay_base::{Budget, Exhausted};
use belay_linear::{LinExpr, Rat};

use crate::poly::Poly;
use crate::preprocess::{Block, Work, relevant_variables};
use crate::ranking::Invariants;
use crate::system::Atom;
use fixpoint::{Fixpoint, LowerBounds};

/// Invariants for all cells, on what the guards of the blocks `open` depend on.
pub(crate) fn infer(work: &Work, open: &[usize], budget: &Budget) -> Result<Invariants, Exhausted> {
    let guarded: Vec<&Block> = open.iter().map(|index| &work.blocks[*index]).collect();
    let relevant = relevant_variables(&guarded, &work.blocks, work.vars, &work.observed);
    let forms = templates::forms(work, &relevant);
    let mut fixpoint = Fixpoint::new(work, &forms);
    fixpoint.ascend(budget)?;
    fixpoint.descend(budget)?;
    Ok(fixpoint.states.iter().map(|state| atoms(&forms, state)).collect())
}

/// The state as atoms; what the bounds of single variables imply is left out.
fn atoms(forms: &[LinExpr], state: &LowerBounds) -> Vec<Atom> {
    let Some(bounds) = state else {
        return vec![Atom::non_negative(Poly::constant(-1))];
    };
    let single = |form: &LinExpr| form.terms().len() == 1;
    let implied = |form: &LinExpr, bound: &Rat| {
        let mut least = Some(Rat::ZERO);
        for (var, coefficient) in form.terms() {
            let unit = if coefficient.is_negative() { Rat::MINUS_ONE } else { Rat::ONE };
            let part = LinExpr::new([(*var, unit)], Rat::ZERO);
            let known = forms.iter().position(|form| *form == part).and_then(|i| bounds[i].clone());
            least = least.zip(known).map(|(sum, known)| &sum + &(&known * &coefficient.abs()));
        }
        least.is_some_and(|least| least >= *bound)
    };
    let mut result = Vec::new();
    for (form, bound) in forms.iter().zip(bounds) {
        let Some(bound) = bound else { continue };
        if single(form) || !implied(form, bound) {
            result.push(Atom::non_negative(Poly::from(&form.plus_constant(&-bound))));
        }
    }
    result
}

//! Fixing inputs: each extra variable of a block becomes a polynomial over the program variables.
//!
//! Values that keep a variable unchanged, that meet a guard (now or next time) with equality, or small
//! constants, are what endless runs need most often.

use belay_linear::{Rat, Var};

use crate::poly::Poly;
use crate::preprocess::Block;
use crate::system::{Sign, VarExt};

/// Combinations tried for one block.
const MAX_FIXINGS: usize = 12;

/// The block with all extra variables fixed, in several ways.
pub(super) fn all_fixings(block: &Block) -> Vec<Block> {
    let mut partial = vec![block.clone()];
    for index in (block.vars()..block.width()).rev() {
        let var = Var::new(index);
        let mut next: Vec<Block> = Vec::new();
        for fixed in &partial {
            for value in candidates(fixed, var) {
                let mut more = fixed.clone();
                more.substitute(var, &value);
                if possible(&more) && !next.contains(&more) {
                    next.push(more);
                }
            }
        }
        next.truncate(MAX_FIXINGS);
        partial = next;
    }
    for fixed in &mut partial {
        fixed.extras = 0;
    }
    partial
}

/// True unless some atom is plainly false.
fn possible(block: &Block) -> bool {
    block.guard.iter().all(|atom| {
        let constant = atom.poly.offset();
        let plain = atom.poly == Poly::constant(constant.clone());
        let holds = match atom.sign {
            Sign::NonNegative => !constant.is_negative(),
            Sign::Zero => constant.is_zero(),
        };
        !plain || holds
    })
}

/// Values for `var`, which may mention the extra variables before it: those that keep a variable as it
/// is, those that meet a guard with equality now or next time, constants.
fn candidates(block: &Block, var: Var) -> Vec<Poly> {
    let updates = block.update.iter().enumerate();
    let changes = updates.map(|(index, value)| value.minus(&Poly::var(Var::new(index))));
    let keep = changes.filter_map(|change| solve(&change, var));
    let boundary = block.guard.iter().filter_map(|atom| solve(&atom.poly, var));
    // What the guard will compare next time round, if the block is a cycle.
    let ahead = block.guard.iter().filter(|_| block.from == block.to);
    let ahead = ahead.filter(|atom| atom.poly.vars().all(|other| other.index() < block.vars()));
    let ahead = ahead.filter_map(|atom| solve(&block.after(atom).poly, var));
    let constants = [0, 1, -1].map(|value: i64| Poly::constant(value));
    let mut found: Vec<Poly> = Vec::new();
    for value in keep.chain(boundary).chain(ahead).chain(constants) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The value of `var` where `poly` is zero, if it is a polynomial with integer coefficients that
/// mentions no later extra variable.
fn solve(poly: &Poly, var: Var) -> Option<Poly> {
    let coefficient = poly.coefficient(var);
    if !coefficient.abs().is_one() {
        return None;
    }
    let rest = poly.add_scaled(&-&coefficient, &Poly::var(var));
    let solution = rest.scaled(&-&coefficient);
    let usable = solution.vars().all(|other| other.index() < var.index());
    let integral = solution.terms().iter().all(|(_, a): &(_, Rat)| a.is_integer());
    (usable && integral).then_some(solution)
}

//! Equality substitution and clean-up of a block's guard.
//!
//! `c·e + p = 0` with `c = ±1` and an extra variable `e` outside `p` determines `e`: it is replaced by
//! `∓p`, which loses no integer solution and adds none. An extra variable that no update mentions and that has a
//! single least value `e ≥ p` is replaced by `p`: whatever other atoms allow some `e` then allow this one. Linear atoms are divided by their
//! coefficients' common divisor with the constant rounded; duplicates and trivial atoms go.

use belay_linear::{Rat, Var};

use super::Block;
use crate::poly::Poly;
use crate::system::{Atom, Sign, VarExt};

/// Simplifies in place; false if the guard has no solution.
pub(super) fn simplify(block: &mut Block) -> bool {
    while let Some((position, var, value)) = defining_equality(block) {
        block.guard.swap_remove(position);
        block.substitute(var, &value);
    }
    let mut guard: Vec<Atom> = Vec::with_capacity(block.guard.len());
    for atom in std::mem::take(&mut block.guard) {
        match round_atom(atom) {
            Rounded::True => {}
            Rounded::False => return false,
            Rounded::Atom(atom) => add_strongest(&mut guard, atom),
        }
    }
    block.guard = guard;
    if let Some((var, value)) = (block.vars()..block.width()).rev().find_map(|index| extreme(block, Var::new(index))) {
        block.substitute(var, &value);
        return simplify(block);
    }
    drop_unused_extras(block);
    true
}

/// The least value of an extra variable that only bounds mention, one of them from below; or the greatest, likewise.
fn extreme(block: &Block, var: Var) -> Option<(Var, Poly)> {
    if block.update.iter().any(|poly| poly.mentions(var)) {
        return None;
    }
    let mut bounds = [Vec::new(), Vec::new()];
    for atom in block.guard.iter().filter(|atom| atom.poly.mentions(var)) {
        let coefficient = atom.poly.coefficient(var);
        let rest = atom.poly.add_scaled(&-&coefficient, &Poly::var(var));
        if atom.sign != Sign::NonNegative || rest.mentions(var) {
            return None;
        }
        let bound = coefficient.abs().is_one().then(|| rest.scaled(&-&coefficient));
        bounds[usize::from(coefficient.is_negative())].push(bound);
    }
    bounds.iter().find_map(|side| match side.as_slice() {
        [Some(value)] => Some((var, value.clone())),
        _ => None,
    })
}

/// The position of an equality, the extra variable that it defines, and the value.
fn defining_equality(block: &Block) -> Option<(usize, Var, Poly)> {
    let equalities = block.guard.iter().enumerate().filter(|(_, atom)| atom.sign == Sign::Zero);
    for (position, atom) in equalities {
        for index in (block.vars()..block.width()).rev() {
            let var = Var::new(index);
            let coefficient = atom.poly.coefficient(var);
            if !coefficient.abs().is_one() {
                continue;
            }
            let rest = atom.poly.add_scaled(&-&coefficient, &Poly::var(var));
            if !rest.mentions(var) {
                return Some((position, var, rest.scaled(&-&coefficient)));
            }
        }
    }
    None
}

pub(crate) enum Rounded {
    True,
    False,
    Atom(Atom),
}

/// The atom with coprime coefficients.
pub(crate) fn round_atom(atom: Atom) -> Rounded {
    let constant = atom.poly.offset();
    let rest = atom.poly.minus(&Poly::constant(constant.clone()));
    let divisor = rest.terms().iter().fold(Rat::ZERO, |gcd, (_, a)| gcd.gcd(a));
    let Some(scale) = divisor.recip() else {
        let holds = match atom.sign {
            Sign::NonNegative => !constant.is_negative(),
            Sign::Zero => constant.is_zero(),
        };
        return if holds { Rounded::True } else { Rounded::False };
    };
    let constant = &constant * &scale;
    let constant = match atom.sign {
        Sign::NonNegative => constant.floor(),
        Sign::Zero if constant.is_integer() => constant,
        Sign::Zero => return Rounded::False,
    };
    let poly = rest.scaled(&scale).plus(&Poly::constant(constant));
    Rounded::Atom(Atom { poly, sign: atom.sign })
}

/// Adds the atom; of two inequalities that differ by a constant the stronger stays.
fn add_strongest(guard: &mut Vec<Atom>, atom: Atom) {
    for known in guard.iter_mut().filter(|known| known.sign == atom.sign) {
        let Some(distance) = known.poly.distance(&atom.poly) else { continue };
        if distance.is_zero() {
            return;
        }
        if atom.sign == Sign::NonNegative {
            if distance.is_positive() {
                *known = atom;
            }
            return;
        }
    }
    guard.push(atom);
}

/// Extras that neither guard nor update mentions can have any value: zero.
fn drop_unused_extras(block: &mut Block) {
    let (vars, extras) = (block.vars(), block.extras);
    let mut used = vec![false; extras];
    let polys = block.guard.iter().map(|atom| &atom.poly).chain(&block.update);
    for index in polys.flat_map(Poly::vars).filter_map(|var| var.index().checked_sub(vars)) {
        used[index] = true;
    }
    if used.iter().all(|used| *used) {
        return;
    }
    let renamed = |index: usize| used[..index].iter().filter(|used| **used).count();
    let image = |var: Var| match var.index().checked_sub(vars) {
        None => Poly::var(var),
        Some(extra) if used[extra] => Poly::var(Var::new(vars + renamed(extra))),
        Some(_) => Poly::default(),
    };
    let guards = block.guard.iter_mut().map(|atom| &mut atom.poly);
    for poly in guards.chain(&mut block.update).chain(&mut block.recover) {
        *poly = poly.substitute(image);
    }
    block.extras = renamed(extras);
}

//! Looks for transition invariants: which forms get smaller along which walks of a component.
//!
//! The forms are what the guards bound and the variables that the blocks move; each block is compared before and after by the simplex, and
//! the relations are composed until nothing new comes up. Gives up at [`MAX_FORMS`] or [`MAX_RELATIONS`], or where a relation that repeats makes nothing
//! smaller that is bounded.

use std::collections::BTreeSet;

use belay_base::{Budget, Exhausted};
use belay_linear::{LinExpr, Var};

use super::Invariants;
use crate::evidence::{CellId, Change, Premises, SizeChange, TransitionInvariant};
use crate::poly::Poly;
use crate::preprocess::Block;
use crate::system::{Atom, Sign, VarExt};

const MAX_FORMS: usize = 8;
const MAX_BLOCKS: usize = 24;
const MAX_RELATIONS: usize = 300;

pub(super) fn search(
    cells: &BTreeSet<CellId>,
    blocks: &[&Block],
    invariants: &Invariants,
    budget: &Budget,
) -> Result<Option<TransitionInvariant>, Exhausted> {
    let forms = forms(cells, blocks, invariants);
    if forms.is_empty() || blocks.len() > MAX_BLOCKS {
        return Ok(None);
    }
    let mut steps: Vec<SizeChange> = Vec::new();
    for block in blocks {
        let step = compare(block, &forms, invariants, budget)?;
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    let mut relations: BTreeSet<SizeChange> = BTreeSet::new();
    let mut open = steps.clone();
    while let Some(walk) = open.pop() {
        if relations.contains(&walk) {
            continue;
        }
        budget.spend(1)?;
        if relations.len() == MAX_RELATIONS || repeats(&walk) && !falls(&walk) {
            return Ok(None);
        }
        open.extend(steps.iter().filter(|step| step.from == walk.to).map(|step| then(&walk, step)));
        relations.insert(walk);
    }
    Ok(Some(TransitionInvariant { cells: cells.clone(), forms, relations }))
}

/// What guards and invariants bound, then the variables that change.
fn forms(cells: &BTreeSet<CellId>, blocks: &[&Block], invariants: &Invariants) -> Vec<LinExpr> {
    let mut found: Vec<LinExpr> = Vec::new();
    let mut add = |expr: LinExpr| {
        let same = |known: &LinExpr| known.plus_constant(&-known.offset()) == expr.plus_constant(&-expr.offset());
        match found.iter().position(same) {
            // The greater one is bounded wherever the other is.
            Some(at) if found[at].offset() < expr.offset() => found[at] = expr,
            Some(_) => {}
            None if found.len() < MAX_FORMS => found.push(expr),
            None => {}
        }
    };
    let moved = |block: &Block, index: usize| block.update[index] != Poly::var(Var::new(index));
    let moves = |expr: &LinExpr| blocks.iter().any(|b| expr.terms().iter().any(|(var, _)| moved(b, var.index())));
    let vars = blocks.first().map_or(0, |block| block.vars());
    let bounds = |atom: &Atom| {
        let linear = atom.poly.to_linear().filter(|e| e.terms().iter().all(|(var, _)| var.index() < vars));
        let linear = linear.filter(|expr| moves(expr));
        let negated = linear.as_ref().filter(|_| atom.sign == Sign::Zero).map(LinExpr::negated);
        linear.into_iter().chain(negated)
    };
    blocks.iter().flat_map(|block| &block.guard).flat_map(bounds).for_each(&mut add);
    cells.iter().flat_map(|cell| &invariants[*cell]).flat_map(bounds).for_each(&mut add);
    let changing = (0..vars).filter(|index| blocks.iter().any(|block| moved(block, *index)));
    changing.map(|index| LinExpr::var(Var::new(index))).for_each(add);
    found
}

/// How the forms after a block compare with those before it.
fn compare(
    block: &Block,
    forms: &[LinExpr],
    invariants: &Invariants,
    budget: &Budget,
) -> Result<SizeChange, Exhausted> {
    let before: Vec<Poly> = forms.iter().map(Poly::from).collect();
    let after: Vec<Poly> = before.iter().map(|form| form.substitute(|var| block.update[var.index()].clone())).collect();
    let known = [invariants[block.from].as_slice(), &block.guard].concat();
    let pairs = before.iter().flat_map(|form| after.iter().map(|later| form.minus(later)));
    let goals: Vec<Poly> = before.iter().cloned().chain(pairs).collect();
    let mut premises = Premises::new(block.width(), &known, &goals);
    let mut holds = |goal: &Poly| premises.entail_non_negative(goal, budget);
    let mut relation = SizeChange { from: block.from, to: block.to, changes: Vec::new(), bounded: Vec::new() };
    for form in &before {
        relation.bounded.push(holds(form)?);
        let mut row = Vec::new();
        for later in &after {
            let drop = form.minus(later);
            row.push(match holds(&drop)? {
                false => Change::Any,
                true if holds(&drop.minus(&Poly::constant(1)))? => Change::Less,
                true => Change::AtMost,
            });
        }
        relation.changes.push(row);
    }
    Ok(relation)
}

/// A walk and one block more.
fn then(walk: &SizeChange, step: &SizeChange) -> SizeChange {
    let count = walk.bounded.len();
    let (mut changes, mut bounded) = (vec![vec![Change::Any; count]; count], walk.bounded.clone());
    for (i, row) in walk.changes.iter().enumerate() {
        for (middle, first) in row.iter().enumerate().filter(|(_, first)| **first != Change::Any) {
            bounded[i] |= step.bounded[middle];
            for (j, second) in step.changes[middle].iter().enumerate().filter(|(_, second)| **second != Change::Any) {
                changes[i][j] = changes[i][j].max(*first).max(*second);
            }
        }
    }
    SizeChange { from: walk.from, to: step.to, changes, bounded }
}

fn repeats(walk: &SizeChange) -> bool {
    walk.from == walk.to && then(walk, walk) == *walk
}

fn falls(walk: &SizeChange) -> bool {
    (0..walk.bounded.len()).any(|form| walk.bounded[form] && walk.changes[form][form] == Change::Less)
}

//! Ranking functions that are read off guards.
//!
//! *Idea.* Where a loop goes on while `e >= 0` and some block makes `e` smaller, `e` is what is asked for (Colón and Sipma, TACAS 2001, look at guards in the same way). What `e` is at the
//! component's other cells follows by the updates of the blocks, backwards; then what each block subtracts is a number, or the guard is none of this kind.
//!
//! *Our difference.* This is for components whose linear programs are large: hundreds of premises, most of which are bounds of types. No program is solved at all.
//!
//! *Why it is sound.* It only proposes; certificates are checked.

use std::collections::{BTreeMap, BTreeSet};

use belay_linear::{LinExpr, Rat};

use super::Invariants;
use super::synthesis::Ranked;
use crate::evidence::CellId;
use crate::poly::Poly;
use crate::preprocess::Block;
use crate::system::Sign;

/// Components with so many premises are large.
const MANY_PREMISES: usize = 200;

/// True if the linear programs of a component are large.
pub(super) fn is_large(blocks: &[&Block], invariants: &Invariants) -> bool {
    blocks.iter().map(|block| block.guard.len() + invariants[block.from].len()).sum::<usize>() >= MANY_PREMISES
}

/// The functions that make the most blocks strict.
pub(super) fn search(
    vars: usize,
    cells: &BTreeSet<CellId>,
    blocks: &[&Block],
    invariants: &Invariants,
) -> Option<Ranked> {
    let mut seen: BTreeSet<(CellId, String)> = BTreeSet::new();
    let mut best: Option<Ranked> = None;
    for block in blocks {
        for premise in premises(block, invariants) {
            let seed = without_offset(premise);
            let is_usable = seed.is_linear() && !seed.terms().is_empty() && seed.vars().all(|var| var.index() < vars);
            if !is_usable || !seen.insert((block.from, seed.display(|var| var.index().to_string()))) {
                continue;
            }
            let found = extend(vars, cells, blocks, (block.from, seed)).and_then(|shapes| {
                let strict = strict(blocks, &shapes)?;
                bounded(blocks, invariants, (&shapes, cells), strict)
            });
            if found
                .as_ref()
                .is_some_and(|found| best.as_ref().is_none_or(|best| found.strict.len() > best.strict.len()))
            {
                best = found;
            }
        }
    }
    best
}

/// What is at least zero where a block is taken.
fn premises<'a>(block: &'a Block, invariants: &'a Invariants) -> impl Iterator<Item = &'a Poly> {
    let all = block.guard.iter().chain(&invariants[block.from]);
    all.filter(|atom| atom.sign == Sign::NonNegative).map(|atom| &atom.poly)
}

fn without_offset(poly: &Poly) -> Poly {
    poly.minus(&Poly::constant(poly.offset()))
}

/// The seed at its cell, and what it becomes at the others.
fn extend(
    vars: usize,
    cells: &BTreeSet<CellId>,
    blocks: &[&Block],
    (at, seed): (CellId, Poly),
) -> Option<BTreeMap<CellId, Poly>> {
    let mut shapes = BTreeMap::from([(at, seed)]);
    while shapes.len() < cells.len() {
        let known = shapes.len();
        for block in blocks {
            if let Some(after) = shapes.get(&block.to)
                && !shapes.contains_key(&block.from)
            {
                let before = without_offset(&after.substitute(|var| block.update[var.index()].clone()));
                if !before.is_linear() || before.vars().any(|var| var.index() >= vars) {
                    return None;
                }
                shapes.insert(block.from, before);
            }
        }
        if shapes.len() == known {
            return None;
        }
    }
    Some(shapes)
}

/// The blocks that make the functions smaller; none if some block may make them larger.
fn strict(blocks: &[&Block], shapes: &BTreeMap<CellId, Poly>) -> Option<Vec<usize>> {
    let mut strict = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let after = shapes.get(&block.to)?.substitute(|var| block.update[var.index()].clone());
        let drop = shapes.get(&block.from)?.distance(&after)?;
        if drop.is_negative() {
            return None;
        }
        if drop >= Rat::ONE {
            strict.push(index);
        }
    }
    Some(strict)
}

/// The functions with a number added that makes them natural where strict blocks are taken, as far as their guards say so.
fn bounded(
    blocks: &[&Block],
    invariants: &Invariants,
    (shapes, cells): (&BTreeMap<CellId, Poly>, &BTreeSet<CellId>),
    mut strict: Vec<usize>,
) -> Option<Ranked> {
    let offset = |block: &Block| {
        let shape = shapes.get(&block.from)?;
        premises(block, invariants).filter_map(|premise| premise.distance(shape)).min()
    };
    strict.retain(|index| offset(blocks[*index]).is_some());
    let most = strict.iter().filter_map(|index| offset(blocks[*index])).max()?;
    let function = |cell: &CellId| -> Option<Vec<LinExpr>> {
        Some(vec![shapes.get(cell)?.plus(&Poly::constant(most.clone())).to_linear()?])
    };
    let functions = cells.iter().map(function).collect::<Option<Vec<_>>>()?;
    Some(Ranked { functions, strict })
}

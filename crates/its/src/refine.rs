//! Control-flow refinement: locations are split by the sign of what guards compare.
//!
//! *Idea.* (Gulwani, Jain, Koskinen, PLDI 2009; Doménech, Gallagher, Genaim, "Control-flow refinement by
//! partial evaluation", TPLP 2019.) A loop with several phases or alternating branches often has no
//! lexicographic linear argument, but its phases have: each cell of a loop head is one phase, and ranking
//! functions may differ from cell to cell. The first generation splits by the guards of the
//! component's blocks, later ones also by whether what a guard compares rises, and by the guards one
//! block ahead.
//!
//! *Why sound.* Cells are the leaves of a decision tree, so they cover the location; every block is
//! copied for each pair of cells and dropped only if its guard then has no solution. The certificate
//! carries the tree, and each cell keeps the invariants that blocks were dropped by.
//!
//! *Where it gives up.* At [`MAX_CELLS`] or [`MAX_BLOCKS`].

use std::collections::BTreeSet;

use belay_base::{Budget, Exhausted, IdVec};
use belay_linear::{LinExpr, Rat, Var};

use crate::evidence::{CellId, Partition, Premises};
use crate::poly::Poly;
use crate::preprocess::{Block, Component, Work, WorkCell};
use crate::ranking::Invariants;
use crate::system::{Atom, Sign};

const MAX_PREDICATES: usize = 4;
const MAX_CELLS: usize = 40;
const MAX_BLOCKS: usize = 240;

/// A new cell: which one it is part of, and what distinguishes it.
struct Leaf {
    parent: CellId,
    region: Vec<Atom>,
}

/// The system with the components' cells split; `None` if there is nothing to split by or too much.
pub(crate) fn refine(
    work: &Work,
    invariants: &Invariants,
    components: &[Component],
    generation: usize,
    budget: &Budget,
) -> Result<Option<Work>, Exhausted> {
    let mut leaves: IdVec<CellId, Leaf> = IdVec::new();
    let mut trees: IdVec<CellId, Partition> = IdVec::new();
    for cell in work.cells.ids() {
        let component = components.iter().find(|(cells, _)| cells.contains(&cell));
        let predicates = match component {
            Some((_, blocks)) => predicates(work, invariants, cell, blocks, generation, budget)?,
            None => Vec::new(),
        };
        let root = Leaf { parent: cell, region: Vec::new() };
        trees.push(split(root, &predicates, &invariants[cell], work.vars, &mut leaves, budget)?);
    }
    if leaves.len() == work.cells.len() || leaves.len() > MAX_CELLS {
        return Ok(None);
    }
    let Some(blocks) = copy_blocks(work, invariants, &leaves, budget)? else {
        return Ok(None);
    };
    let cell = |leaf: &Leaf| WorkCell {
        location: work.cells[leaf.parent].location,
        inherited: invariants[leaf.parent].clone(),
    };
    let partitions = work.partitions.iter();
    let partitions = partitions.map(|(at, tree)| (*at, replace_leaves(tree, &trees))).collect();
    Ok(Some(Work {
        vars: work.vars,
        start: work.start,
        partitions,
        cells: leaves.iter().map(cell).collect(),
        blocks,
        relevant: work.relevant.clone(),
        observed: work.observed.clone(),
    }))
}

/// The tree with each old cell replaced by its own tree.
pub(crate) fn replace_leaves(tree: &Partition, trees: &IdVec<CellId, Partition>) -> Partition {
    match tree {
        Partition::Cell(cell) => trees[*cell].clone(),
        Partition::Split { expr, non_negative, negative } => Partition::Split {
            expr: expr.clone(),
            non_negative: Box::new(replace_leaves(non_negative, trees)),
            negative: Box::new(replace_leaves(negative, trees)),
        },
    }
}

/// Splits a leaf by all predicates that do not hold throughout it.
fn split(
    leaf: Leaf,
    predicates: &[LinExpr],
    invariant: &[Atom],
    vars: usize,
    leaves: &mut IdVec<CellId, Leaf>,
    budget: &Budget,
) -> Result<Partition, Exhausted> {
    for (index, expr) in predicates.iter().enumerate() {
        let known = [invariant, &leaf.region].concat();
        let mut premises = Premises::new(vars, &known, &[]);
        let (inside, outside) = sides(expr);
        if premises.entail(&inside, budget)? || premises.entail(&outside, budget)? {
            continue;
        }
        let mut side = |atom: Atom| {
            let region = [leaf.region.as_slice(), &[atom]].concat();
            let part = Leaf { parent: leaf.parent, region };
            split(part, &predicates[index + 1..], invariant, vars, leaves, budget)
        };
        let non_negative = Box::new(side(inside)?);
        let negative = Box::new(side(outside)?);
        return Ok(Partition::Split { expr: expr.clone(), non_negative, negative });
    }
    Ok(Partition::Cell(leaves.push(leaf)))
}

fn sides(expr: &LinExpr) -> (Atom, Atom) {
    let poly = Poly::from(expr);
    let below = poly.scaled(&Rat::MINUS_ONE).minus(&Poly::constant(1));
    (Atom::non_negative(poly), Atom::non_negative(below))
}

/// What to split a cell by.
fn predicates(
    work: &Work,
    invariants: &Invariants,
    cell: CellId,
    component: &[usize],
    generation: usize,
    budget: &Budget,
) -> Result<Vec<LinExpr>, Exhausted> {
    let blocks: Vec<&Block> = component.iter().map(|index| &work.blocks[*index]).collect();
    let leaving: Vec<&Block> = blocks.iter().copied().filter(|block| block.from == cell).collect();
    let own = leaving.iter().flat_map(|block| block.guard.iter().cloned());
    let ahead = leaving.iter().flat_map(|block| {
        let next = blocks.iter().filter(|next| next.from == block.to);
        next.flat_map(|next| next.guard.iter().filter(|atom| over(atom, work.vars))).map(|atom| block.after(atom))
    });
    let rising = leaving.iter().flat_map(|block| {
        let own = block.guard.iter().filter(|atom| over(atom, work.vars));
        own.map(|atom| Atom::non_negative(block.after(atom).poly.minus(&atom.poly)))
    });
    let ahead: Vec<Atom> = if generation > 0 { rising.chain(ahead).collect() } else { Vec::new() };
    let mut found: Vec<LinExpr> = Vec::new();
    for expr in own.chain(ahead).flat_map(|atom| expressions(&atom, work.vars)) {
        let mirrored = expr.negated().plus_constant(&Rat::MINUS_ONE);
        if found.contains(&expr) || found.contains(&mirrored) {
            continue;
        }
        if found.len() < MAX_PREDICATES && separates(&expr, &leaving, invariants, budget)? {
            found.push(expr);
        }
    }
    Ok(found)
}

fn over(atom: &Atom, vars: usize) -> bool {
    atom.poly.vars().all(|var| var.index() < vars)
}

/// The expressions over the program variables whose sign decides the atom; where it has products, the signs of their factors.
fn expressions(atom: &Atom, vars: usize) -> Vec<LinExpr> {
    if !over(atom, vars) {
        return Vec::new();
    }
    let Some(expr) = atom.poly.to_linear() else {
        let products = atom.poly.terms().iter().map(|(monomial, _)| monomial.factors()).filter(|f| f.len() > 1);
        let factors: BTreeSet<Var> = products.flatten().copied().collect();
        let signs = |var: Var| [LinExpr::var(var), LinExpr::var(var).plus_constant(&Rat::MINUS_ONE)];
        return factors.into_iter().flat_map(signs).collect();
    };
    match (expr.is_constant(), atom.sign) {
        (true, _) => Vec::new(),
        (false, Sign::NonNegative) => vec![expr],
        (false, Sign::Zero) => vec![expr.clone(), expr.negated()],
    }
}

/// True if some block that leaves the cell does not fix the expression's sign to be the same as all
/// others do.
fn separates(expr: &LinExpr, leaving: &[&Block], invariants: &Invariants, budget: &Budget) -> Result<bool, Exhausted> {
    let (inside, _) = sides(expr);
    for block in leaving {
        let premises = [invariants[block.from].as_slice(), &block.guard].concat();
        if !Premises::new(block.width(), &premises, &[]).entail(&inside, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Every block for each pair of new cells, if it may be taken.
fn copy_blocks(
    work: &Work,
    invariants: &Invariants,
    leaves: &IdVec<CellId, Leaf>,
    budget: &Budget,
) -> Result<Option<Vec<Block>>, Exhausted> {
    let parts = |cell| leaves.iter_enumerated().filter(move |(_, leaf)| leaf.parent == cell);
    let mut copies = Vec::new();
    for block in &work.blocks {
        for (from, source) in parts(block.from) {
            let Some(narrowed) = block.restrict(&source.region) else {
                continue;
            };
            let known = &invariants[block.from];
            if !feasible(&narrowed, known, budget)? {
                continue;
            }
            for (to, target) in parts(block.to) {
                let arrived: Vec<Atom> = target.region.iter().map(|atom| narrowed.after(atom)).collect();
                let Some(mut copy) = narrowed.restrict(&arrived) else {
                    continue;
                };
                if target.region.is_empty() || feasible(&copy, known, budget)? {
                    (copy.from, copy.to) = (from, to);
                    copies.push(copy);
                }
            }
        }
        if copies.len() > MAX_BLOCKS {
            return Ok(None);
        }
    }
    Ok(Some(copies))
}

fn feasible(block: &Block, invariant: &[Atom], budget: &Budget) -> Result<bool, Exhausted> {
    let premises = [invariant, &block.guard].concat();
    Ok(!Premises::new(block.width(), &premises, &[]).contradictory(budget)?)
}

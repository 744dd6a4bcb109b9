//! Ranking functions of one component by Farkas' lemma.
//!
//! Each condition "premises ⇒ `g ≥ c`", with `g` linear in the unknown coefficients, holds over the
//! rationals if and only if `g - c` is a non-negative combination of the premises plus a non-negative
//! constant (or the premises contradict each other, which blocks' do not): linear constraints on the
//! coefficients and the multipliers, solved by the simplex over the rationals (Podelski and
//! Rybalchenko, VMCAI 2004). Integer premises are rounded beforehand, products of variables are
//! columns of their own.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Exhausted};
use belay_linear::{Answer, Constraint, LinExpr, NumberDomain, Rat, Rel, Simplex, Var};

use super::Invariants;
use crate::evidence::{CellId, Linearised, Premises};
use crate::poly::Poly;
use crate::preprocess::Block;
use crate::system::{Atom, VarExt};

/// Functions for each cell, and the blocks that they make strict.
pub(super) struct Ranked {
    pub functions: Vec<Vec<LinExpr>>,
    pub strict: Vec<usize>,
}

/// A block as linear constraints and updates.
struct LinearBlock {
    from: usize,
    to: usize,
    constraints: Vec<Constraint>,
    update: Vec<LinExpr>,
    premises: Vec<Atom>,
}

pub(super) struct Synthesis<'a> {
    vars: usize,
    /// The program variables that functions may mention.
    active: Vec<usize>,
    cells: usize,
    sources: &'a [&'a Block],
    blocks: Vec<LinearBlock>,
}

/// Factors larger than this are hard to read.
const PLAIN: i64 = 10_000;

/// True if the factors of the functions, as integers, are small.
fn is_plain(functions: &[Vec<LinExpr>]) -> bool {
    functions.iter().flatten().all(|function| {
        let factors = || function.terms().iter().map(|(_, factor)| factor);
        let scale = factors().map(Rat::denominator).max().unwrap_or(Rat::ONE);
        factors().all(|factor| (&factor.abs() * &scale) <= Rat::from(PLAIN))
    })
}

/// An expression over a block's columns whose coefficients are linear in the unknowns.
type Parametric = BTreeMap<Option<Var>, LinExpr>;

impl<'a> Synthesis<'a> {
    pub fn new(vars: usize, cells: &BTreeSet<CellId>, sources: &'a [&'a Block], invariants: &Invariants) -> Self {
        let number = |cell: CellId| cells.iter().position(|c| *c == cell).unwrap_or_default();
        let linear = |block: &&Block| {
            let premises = [invariants[block.from].as_slice(), &block.guard].concat();
            let mut linearised = Linearised::new(block.width(), &premises, &block.update);
            let update = block.update.iter().map(|poly| linearised.linear(poly)).collect();
            let constraints = linearised.constraints;
            let (from, to) = (number(block.from), number(block.to));
            LinearBlock { from, to, constraints, update, premises }
        };
        let blocks: Vec<LinearBlock> = sources.iter().map(linear).collect();
        let active = active_variables(vars, &blocks);
        Synthesis { vars, active, cells: cells.len(), sources, blocks }
    }

    /// Functions that make all blocks strict, or else some block.
    pub fn search(&self, depth: usize, budget: &Budget) -> Result<Option<Ranked>, Exhausted> {
        let all: Vec<usize> = (0..self.blocks.len()).collect();
        let whole = self.solve(depth, &all, budget)?.map(|functions| Ranked { functions, strict: all });
        if whole.as_ref().is_some_and(|ranked| is_plain(&ranked.functions)) {
            return Ok(whole);
        }
        let alike = self.alike();
        if alike.len() == 1 {
            return Ok(whole);
        }
        let alone = alike.iter().filter(|class| class.len() > 1).flatten().map(|index| vec![*index]);
        for wanted in alike.iter().cloned().chain(alone) {
            // Instead of one function with large factors several plain ones, one after the other.
            let found = self.solve(depth, &wanted, budget)?;
            if let Some(functions) = found.filter(|functions| whole.is_none() || is_plain(functions)) {
                let strict = self.strict_blocks(&functions, &wanted, budget)?;
                return Ok(Some(Ranked { functions, strict }));
            }
        }
        Ok(whole)
    }

    /// The blocks, those with the same update together: what makes one strict by its update mostly does so for all, and a
    /// nested function may increase on one that is not strict.
    fn alike(&self) -> Vec<Vec<usize>> {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for (index, source) in self.sources.iter().enumerate() {
            let same =
                |other: &Block| (other.from, other.to) == (source.from, source.to) && other.update == source.update;
            match classes.iter_mut().find(|class| class.first().is_some_and(|first| same(self.sources[*first]))) {
                Some(class) => class.push(index),
                None => classes.push(vec![index]),
            }
        }
        classes
    }

    /// The unknown for a cell's function: a coefficient, or (`None`) the constant.
    fn unknown(&self, depth: usize, cell: usize, level: usize, active: Option<usize>) -> Var {
        let width = self.active.len() + 1;
        let offset = active.unwrap_or(self.active.len());
        Var::new((cell * depth + level) * width + offset)
    }

    fn solve(&self, depth: usize, strict: &[usize], budget: &Budget) -> Result<Option<Vec<Vec<LinExpr>>>, Exhausted> {
        let mut system = System {
            simplex: Simplex::new(NumberDomain::Rational),
            next: self.cells * depth * (self.active.len() + 1),
        };
        for (index, block) in self.blocks.iter().enumerate() {
            for (goal, least) in self.conditions(depth, block, strict.contains(&index)) {
                system.require(&block.constraints, &goal, &least);
            }
        }
        match system.simplex.check(budget)? {
            Answer::Sat(model) => Ok(Some(self.read_functions(depth, &model))),
            Answer::Unsat(_) | Answer::Unknown => Ok(None),
        }
    }

    /// What a block demands: each expression is at least the number.
    fn conditions(&self, depth: usize, block: &LinearBlock, strict: bool) -> Vec<(Parametric, Rat)> {
        let before = |level| self.before(depth, block, level);
        let mut conditions = Vec::new();
        for level in 0..depth {
            let mut drop = before(level);
            add(&mut drop, &Rat::MINUS_ONE, &self.after(depth, block, level));
            if strict && level > 0 {
                add(&mut drop, &Rat::ONE, &before(level - 1));
            }
            conditions.push((drop, if strict { Rat::ONE } else { Rat::ZERO }));
        }
        if strict {
            conditions.push((before(depth - 1), Rat::ZERO));
        }
        conditions
    }

    fn before(&self, depth: usize, block: &LinearBlock, level: usize) -> Parametric {
        let unknown = |active| LinExpr::var(self.unknown(depth, block.from, level, active));
        let vars = self.active.iter().enumerate();
        let mut result: Parametric = vars.map(|(i, var)| (Some(Var::new(*var)), unknown(Some(i)))).collect();
        result.insert(None, unknown(None));
        result
    }

    fn after(&self, depth: usize, block: &LinearBlock, level: usize) -> Parametric {
        let unknown = |active| LinExpr::var(self.unknown(depth, block.to, level, active));
        let mut result = Parametric::from([(None, unknown(None))]);
        for (index, var) in self.active.iter().enumerate() {
            let value = &block.update[*var];
            let columns = value.terms().iter().map(|(column, a)| (Some(*column), a));
            for (column, factor) in columns.chain([(None, value.offset())]) {
                let entry = result.entry(column).or_default();
                *entry = entry.add_scaled(factor, &unknown(Some(index)));
            }
        }
        result
    }

    fn read_functions(&self, depth: usize, model: &[Rat]) -> Vec<Vec<LinExpr>> {
        let value = |var: Var| model.get(var.index()).cloned().unwrap_or_default();
        let function = |cell, level| {
            let terms = self
                .active
                .iter()
                .enumerate()
                .map(|(index, var)| (Var::new(*var), value(self.unknown(depth, cell, level, Some(index)))));
            LinExpr::new(terms, value(self.unknown(depth, cell, level, None)))
        };
        (0..self.cells).map(|cell| (0..depth).map(|level| function(cell, level)).collect()).collect()
    }

    /// `wanted`, and the other blocks for which the functions happen to be strict too.
    fn strict_blocks(
        &self,
        functions: &[Vec<LinExpr>],
        wanted: &[usize],
        budget: &Budget,
    ) -> Result<Vec<usize>, Exhausted> {
        let mut strict = Vec::new();
        for (index, block) in self.blocks.iter().enumerate() {
            if wanted.contains(&index) || self.is_strict(functions, index, block, budget)? {
                strict.push(index);
            }
        }
        Ok(strict)
    }

    fn is_strict(
        &self,
        functions: &[Vec<LinExpr>],
        index: usize,
        block: &LinearBlock,
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        let source = self.sources[index];
        let before: Vec<Poly> = functions[block.from].iter().map(Poly::from).collect();
        let after = |f: &LinExpr| Poly::from(f).substitute(|v| source.update[v.index()].clone());
        let mut goals = Vec::new();
        for (level, function) in functions[block.to].iter().enumerate() {
            let mut drop = before[level].minus(&after(function)).minus(&Poly::constant(1));
            if level > 0 {
                drop = drop.plus(&before[level - 1]);
            }
            goals.push(drop);
        }
        goals.extend(before.last().cloned());
        let mut premises = Premises::new(self.vars + source.extras, &block.premises, &goals);
        for goal in &goals {
            if !premises.entail_non_negative(goal, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Variables that some constraint or non-trivial update of the component mentions.
fn active_variables(vars: usize, blocks: &[LinearBlock]) -> Vec<usize> {
    let mut active = vec![false; vars];
    for block in blocks {
        let mentioned = block.constraints.iter().flat_map(|c| c.expr.terms());
        let changed = block.update.iter().enumerate();
        let changed = changed.filter(|(i, value)| **value != LinExpr::var(Var::new(*i)));
        let changed = changed.flat_map(|(_, value)| value.terms());
        for (var, _) in mentioned.chain(changed).filter(|(var, _)| var.index() < vars) {
            active[var.index()] = true;
        }
    }
    (0..vars).filter(|index| active[*index]).collect()
}

fn add(target: &mut Parametric, factor: &Rat, other: &Parametric) {
    for (column, coefficient) in other {
        let entry = target.entry(*column).or_default();
        *entry = entry.add_scaled(factor, coefficient);
    }
}

/// The linear program that is being built; unknowns first, then multipliers.
struct System {
    simplex: Simplex,
    next: usize,
}

impl System {
    /// Demands that `premises` entail `goal ≥ least`.
    fn require(&mut self, premises: &[Constraint], goal: &Parametric, least: &Rat) {
        let mut residue = goal.clone();
        for premise in premises {
            let multiplier = Var::new(self.next);
            self.next += 1;
            let columns = premise.expr.terms().iter().map(|(column, a)| (Some(*column), a));
            for (column, factor) in columns.chain([(None, premise.expr.offset())]) {
                let entry = residue.entry(column).or_default();
                *entry = entry.add_scaled(&-factor, &LinExpr::var(multiplier));
            }
            match premise.rel {
                Rel::Ge | Rel::Gt => self.simplex.assert(Constraint::ge(LinExpr::var(multiplier))),
                Rel::Eq => {}
            }
        }
        for (column, coefficient) in residue {
            self.simplex.assert(match column {
                Some(_) => Constraint::eq(coefficient),
                None => Constraint::ge(coefficient.plus_constant(&-least)),
            });
        }
    }
}

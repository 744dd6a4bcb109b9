//! Which linear forms the abstract states bound.

use belay_linear::{LinExpr, Rat, Var};

use crate::poly::Poly;
use crate::preprocess::{Block, Work};
use crate::system::VarExt;

/// At most so many forms are bounded.
pub(super) const MAX_FORMS: usize = 96;

/// The forms over `relevant` variables, each with its negation: intervals first, then guards, then
/// octagons.
pub(super) fn forms(work: &Work, relevant: &[bool]) -> Vec<LinExpr> {
    let mut forms = Forms { relevant, found: Vec::new() };
    for index in collect_used_variables(work) {
        forms.add(LinExpr::var(Var::new(index)));
    }
    for (x, y) in collect_observed_pairs(work) {
        forms.add(LinExpr::new([(x, Rat::ONE), (y, Rat::MINUS_ONE)], Rat::ZERO));
    }
    let guards: Vec<LinExpr> = guard_forms(work).collect();
    for guard in &guards {
        forms.add(guard.clone());
    }
    for guard in &guards {
        let vars: Vec<Var> = guard.terms().iter().map(|(var, _)| *var).collect();
        for (position, x) in vars.iter().enumerate() {
            for y in &vars[position + 1..] {
                forms.add(LinExpr::new([(*x, Rat::ONE), (*y, Rat::MINUS_ONE)], Rat::ZERO));
                forms.add(LinExpr::new([(*x, Rat::ONE), (*y, Rat::ONE)], Rat::ZERO));
            }
        }
    }
    for form in work.blocks.iter().flat_map(arriving_forms) {
        forms.add(form);
    }
    for (x, y) in collect_copied_pairs(work) {
        forms.add(LinExpr::new([(x, Rat::ONE), (y, Rat::MINUS_ONE)], Rat::ZERO));
    }
    forms.found
}

/// Each observed variable with the last of its location.
fn collect_observed_pairs(work: &Work) -> impl Iterator<Item = (Var, Var)> + '_ {
    work.observed.values().filter_map(|vars| vars.split_last()).flat_map(|(last, others)| {
        let others = others.iter().filter(move |other| *other != last);
        others.map(|other| (*last, *other))
    })
}

struct Forms<'a> {
    relevant: &'a [bool],
    found: Vec<LinExpr>,
}

impl Forms<'_> {
    fn add(&mut self, form: LinExpr) {
        let relevant = form.terms().iter().all(|(var, _)| self.relevant[var.index()]);
        let wanted = relevant && !form.is_constant() && self.found.len() < MAX_FORMS;
        if wanted && !self.found.contains(&form) {
            self.found.push(form.negated());
            self.found.push(form);
        }
    }
}

fn collect_used_variables(work: &Work) -> Vec<usize> {
    let mut used = vec![false; work.vars];
    for block in &work.blocks {
        let guards = block.guard.iter().map(|atom| &atom.poly);
        let changed = block.update.iter().enumerate();
        let changed = changed.filter(|(i, value)| **value != Poly::var(Var::new(*i)));
        let changed = changed.map(|(_, value)| value);
        for var in guards.chain(changed).flat_map(Poly::vars).filter(|v| v.index() < work.vars) {
            used[var.index()] = true;
        }
    }
    (0..work.vars).filter(|index| used[*index]).collect()
}

/// The variable parts of linear guards over program variables.
fn guard_forms(work: &Work) -> impl Iterator<Item = LinExpr> + '_ {
    work.blocks.iter().flat_map(|block| &block.guard).filter_map(|atom| {
        let expr = atom.poly.to_linear()?;
        let ours = expr.terms().iter().all(|(var, _)| var.index() < work.vars);
        ours.then(|| expr.plus_constant(&-expr.offset()))
    })
}

/// Pairs of variables one of which gets the other's value, give or take a constant.
fn collect_copied_pairs(work: &Work) -> impl Iterator<Item = (Var, Var)> + '_ {
    let updates = work.blocks.iter().flat_map(|block| block.update.iter().enumerate());
    updates.filter_map(|(index, value)| {
        let expr = value.to_linear()?;
        match expr.terms() {
            [(source, a)] if a.is_one() && source.index() < work.vars && source.index() != index => {
                Some((Var::new(index), *source))
            }
            _ => None,
        }
    })
}

/// What a block's guard on its inputs says about the variables that they end up in.
fn arriving_forms(block: &Block) -> Vec<LinExpr> {
    let target = |input: Var| {
        let value = Poly::var(input);
        block.update.iter().position(|update| *update == value).map(Var::new)
    };
    let vars = block.vars();
    let guards = block.guard.iter().filter(|atom| atom.poly.vars().any(|v| v.index() >= vars));
    let mut forms = Vec::new();
    for expr in guards.filter_map(|atom| atom.poly.to_linear()) {
        let terms = expr.terms().iter().map(|(var, a)| Some((target(*var)?, a.clone())));
        let terms: Option<Vec<_>> = terms.collect();
        forms.extend(terms.map(|terms| LinExpr::new(terms, Rat::ZERO)));
    }
    for (x, first) in block.update.iter().enumerate() {
        let from_input = first.vars().any(|var| var.index() >= vars);
        let others = block.update.iter().enumerate().skip(x + 1);
        let close = others.filter(|(_, other)| {
            let difference = first.minus(other);
            from_input && difference == Poly::constant(difference.offset())
        });
        let form = |y| LinExpr::new([(Var::new(x), Rat::ONE), (Var::new(y), Rat::MINUS_ONE)], Rat::ZERO);
        forms.extend(close.map(|(y, _)| form(y)));
    }
    forms
}

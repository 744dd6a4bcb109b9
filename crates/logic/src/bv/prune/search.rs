//! The search for a model, or for a cover of the space by regions without one.

use belay_base::{Budget, Exhausted};

use super::super::eval::{Evaluator, Model};
use super::super::float::Format;
use super::super::term::{Term, TermId, TermStore, VarId};
use super::super::value::Bits;
use super::range::{FloatRange, last_below};
use super::region::{Cut, Domain, Region, Sample, Split, SplitTree, encoding};
use super::tape::{Entry, Operation, Sets, Slot, Tape};

/// Operations on conditions at most.
const MAX_ENTRIES: usize = 20_000;
/// So many entries are computed in a step of the budget.
const ENTRIES_PER_STEP: u64 = 100;
/// The ends of a region are tried as models in the first so many regions, the middle further on too.
const CORNERED: u64 = 64;

/// What was found.
#[derive(Clone, Debug)]
pub enum Pruned {
    /// There is no model.
    Empty(Cover),
    /// A model.
    Model(Model),
    /// Nothing within the limit, or nothing to do with floats.
    Open,
}

/// Why there is no model.
#[derive(Clone, Debug)]
pub struct Cover {
    /// With these cuts, some condition is false in each part.
    pub tree: SplitTree,
    /// Those of the given conditions that are.
    pub used: Vec<TermId>,
}

/// How a search is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// About so many steps.
    pub steps: u64,
    /// Whether the cuts are wanted: else variables that a condition equates with constants are not cut but fixed from the start.
    pub certified: bool,
}

/// Looks for a model of all `conditions`.
pub fn prune(store: &TermStore, conditions: &[TermId], effort: Effort, budget: &Budget) -> Result<Pruned, Exhausted> {
    if !store.has_floats() {
        return Ok(Pruned::Open);
    }
    let given = conditions;
    let conditions = conjuncts(store, given);
    if conditions.iter().any(|condition| store.is_false(*condition)) {
        return Ok(Pruned::Open);
    }
    let fixed: Vec<(VarId, Bits, TermId)> =
        if effort.certified { Vec::new() } else { conditions.iter().filter_map(|id| equated(store, *id)).collect() };
    let conditions: Vec<TermId> =
        conditions.into_iter().filter(|id| !fixed.iter().any(|(_, _, by)| by == id)).collect();
    let Some(tape) = Tape::new(store, &conditions, MAX_ENTRIES) else { return Ok(Pruned::Open) };
    let scales = vec![0.0; tape.variables.len()];
    let used = vec![false; conditions.len()];
    let step = 1 + tape.entries.len() as u64 / ENTRIES_PER_STEP;
    let work = effort.steps;
    Search {
        store,
        conditions: &conditions,
        tape: &tape,
        fixed: &fixed,
        scales,
        used,
        sets: Sets::default(),
        step,
        work,
        regions: 0,
    }
    .run(given, budget)
}

/// The conditions with conjunctions taken apart.
fn conjuncts(store: &TermStore, conditions: &[TermId]) -> Vec<TermId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack: Vec<TermId> = conditions.iter().rev().copied().collect();
    let mut found = Vec::new();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) || store.is_true(id) {
            continue;
        }
        match store.term(id) {
            Term::And(a, b) if store.float_note(id).is_none() => stack.extend([b, a]),
            _ => found.push(id),
        }
    }
    found
}

/// The variable that a condition gives one value.
fn equated(store: &TermStore, condition: TermId) -> Option<(VarId, Bits, TermId)> {
    let Term::Eq(a, b) = store.term(condition) else { return None };
    let Term::Var(variable) = store.term(a) else { return None };
    Some((variable, store.as_const(b)?, condition))
}

struct Search<'s> {
    store: &'s TermStore,
    conditions: &'s [TermId],
    tape: &'s Tape,
    /// Variables with one value, and the condition that says so.
    fixed: &'s [(VarId, Bits, TermId)],
    /// How wide each variable was when it was first cut for its width.
    scales: Vec<f64>,
    /// Which conditions were false in some region.
    used: Vec<bool>,
    sets: Sets,
    /// Steps of one evaluation.
    step: u64,
    work: u64,
    regions: u64,
}

impl Search<'_> {
    fn run(mut self, given: &[TermId], budget: &Budget) -> Result<Pruned, Exhausted> {
        let mut tree = Vec::new();
        let mut stack = vec![self.start()];
        let mut done = 0;
        while let Some(region) = stack.pop() {
            done += self.step;
            if done > self.work {
                return Ok(Pruned::Open);
            }
            budget.spend(self.step)?;
            self.regions += 1;
            self.sets.evaluate(self.tape, &region);
            if self.is_empty() {
                tree.push(None);
                continue;
            }
            let split = self.suggestion(&region);
            if let Some(model) = self.sampled(&region) {
                return Ok(Pruned::Model(model));
            }
            let halves = split.and_then(|(variable, cut)| Some((variable, cut, region.halves(variable, cut)?)));
            // A region that can't be cut and where the conditions are not decided: the evaluation is too coarse.
            let Some((variable, cut, (low, high))) = halves else { return Ok(Pruned::Open) };
            tree.push(Some(Split { variable: self.tape.variables[variable].id, cut }));
            stack.extend([high, low]);
        }
        let is_used = |condition: &&TermId| {
            let parts = conjuncts(self.store, &[**condition]);
            parts.iter().any(|part| self.conditions.iter().zip(&self.used).any(|(known, used)| *used && known == part))
        };
        let fixing = self.fixing();
        let used = given.iter().filter(|id| is_used(id) || fixing.contains(id)).copied().collect();
        Ok(Pruned::Empty(Cover { tree: SplitTree(tree), used }))
    }

    /// All values of the variables, but for those that are fixed.
    fn start(&self) -> Region {
        let mut region = Region::all(&self.tape.variables);
        for (variable, domain) in self.tape.variables.iter().zip(&mut region.domains) {
            if let Some((_, value, _)) = self.fixed.iter().find(|(fixed, _, _)| *fixed == variable.id) {
                *domain = domain.fixed(*value);
            }
        }
        region
    }

    /// The conditions that fix variables which the used conditions depend on.
    fn fixing(&self) -> Vec<TermId> {
        let used = self.tape.roots.iter().zip(&self.used).filter(|(_, used)| **used).map(|(root, _)| *root);
        let mut stack: Vec<Slot> = used.collect();
        let mut seen = vec![false; self.tape.entries.len()];
        let mut found = Vec::new();
        while let Some(slot) = stack.pop() {
            if std::mem::replace(&mut seen[slot], true) {
                continue;
            }
            let entry = self.tape.entries[slot];
            if let Entry::Variable(index) = entry {
                let variable = self.tape.variables[index].id;
                found.extend(self.fixed.iter().filter(|(fixed, _, _)| *fixed == variable).map(|(_, _, by)| *by));
            }
            all_operands(entry, &mut stack);
        }
        found
    }

    /// True if some condition is false throughout.
    fn is_empty(&mut self) -> bool {
        let is_false = |index: &usize| self.sets.truth(self.tape.roots[*index]) == Some(false);
        let all = 0..self.tape.roots.len();
        let known = all.clone().filter(|index| self.used[*index]).find(is_false);
        let Some(found) = known.or_else(|| all.clone().find(is_false)) else { return false };
        self.used[found] = true;
        true
    }

    /// A point of the region that is a model.
    fn sampled(&mut self, region: &Region) -> Option<Model> {
        let which: &[Sample] = match self.regions {
            0..CORNERED => &[Sample::Middle, Sample::Low, Sample::High],
            _ => &[Sample::Middle],
        };
        which.iter().find_map(|sample| self.model_at(region, *sample))
    }

    fn model_at(&mut self, region: &Region, sample: Sample) -> Option<Model> {
        let variables = self.tape.variables.iter().zip(&region.domains);
        let values: Vec<_> = variables.map(|(variable, domain)| domain.sample(variable.width, sample)).collect();
        let domains = region.domains.iter().zip(&values).map(|(domain, value)| domain.point(*value)).collect();
        let mut sets = std::mem::take(&mut self.sets);
        sets.evaluate(self.tape, &Region { domains });
        let holds = self.tape.roots.iter().all(|root| sets.truth(*root) == Some(true));
        self.sets = sets;
        if !holds {
            return None;
        }
        let mut model = Model::new();
        for (variable, value) in self.tape.variables.iter().zip(values) {
            model.set(variable.id, value);
        }
        for (variable, value, _) in self.fixed {
            model.set(*variable, *value);
        }
        let mut evaluator = Evaluator::new(model);
        let fixing = self.fixed.iter().map(|(_, _, by)| by);
        let all = self.conditions.iter().chain(fixing).all(|condition| evaluator.holds(self.store, *condition));
        all.then(|| evaluator.model().clone())
    }

    /// Where to cut: at a number that an undecided comparison compares a variable with, otherwise the widest variable that matters.
    fn suggestion(&mut self, region: &Region) -> Option<(usize, Cut)> {
        let undecided = self.tape.roots.iter().copied().filter(|root| self.sets.truth(*root).is_none());
        let mut stack: Vec<Slot> = undecided.collect();
        stack.reverse();
        let mut seen = vec![false; self.tape.entries.len()];
        let mut active: Vec<usize> = Vec::new();
        let (mut nan, mut threshold) = (None, None);
        while let Some(slot) = stack.pop() {
            if std::mem::replace(&mut seen[slot], true) || self.sets.is_point(slot) {
                continue;
            }
            let entry = self.tape.entries[slot];
            if let Some((variable, cut)) = self.threshold(region, entry) {
                match cut {
                    Cut::Nan => nan.get_or_insert((variable, cut)),
                    Cut::Float(_) | Cut::Unsigned(_) | Cut::Signed(_) => threshold.get_or_insert((variable, cut)),
                };
            }
            if let Entry::Variable(variable) = entry {
                // A truth value is a case distinction, after which less may matter.
                if self.tape.variables[variable].width == 1 {
                    return Some((variable, Cut::Unsigned(0)));
                }
                active.push(variable);
            }
            self.operands(entry, &mut stack);
        }
        nan.or(threshold).or_else(|| self.widest(region, &active))
    }

    fn widest(&mut self, region: &Region, active: &[usize]) -> Option<(usize, Cut)> {
        let mut best: Option<(f64, usize, Cut)> = None;
        for variable in active {
            let domain = &region.domains[*variable];
            let Some(cut) = domain.middle() else { continue };
            let width = domain.width();
            let scale = &mut self.scales[*variable];
            if *scale == 0.0 && width.is_finite() {
                *scale = width;
            }
            let score = if width.is_finite() { width / *scale } else { f64::INFINITY };
            if best.is_none_or(|(known, _, _)| score > known) {
                best = Some((score, *variable, cut));
            }
        }
        best.map(|(_, variable, cut)| (variable, cut))
    }

    /// The operands that the set of an entry depends on here.
    fn operands(&self, entry: Entry, stack: &mut Vec<Slot>) {
        let Entry::Choose(c, a, b) = entry else { return all_operands(entry, stack) };
        match self.sets.truth(c) {
            Some(true) => stack.push(a),
            Some(false) => stack.push(b),
            None => stack.extend([b, a, c]),
        }
    }

    /// A cut that decides a comparison of a variable with something known.
    fn threshold(&self, region: &Region, entry: Entry) -> Option<(usize, Cut)> {
        match entry {
            Entry::IsNan(a) => {
                let float = self.float_variable(region, a)?;
                float.range.nan.then_some((float.variable, Cut::Nan))
            }
            Entry::Less(a, b) => {
                let left = self.float_variable(region, a);
                let right = self.float_variable(region, b);
                let left = left.and_then(|left| self.float_cut(left, self.sets.float(b), false));
                left.or_else(|| right.and_then(|right| self.float_cut(right, self.sets.float(a), true)))
            }
            Entry::Equal(a, b) => {
                let known = |variable: Slot, other: Slot| {
                    let Entry::Variable(variable) = self.tape.entries[variable] else { return None };
                    let value = self.sets.facts(other)?.pinned()?.to_u128()?;
                    let cuts = [value.checked_sub(1), Some(value)];
                    let fits = |cut: &Cut| region.domains[variable].halves(*cut).is_some();
                    cuts.into_iter().flatten().map(Cut::Unsigned).find(fits).map(|cut| (variable, cut))
                };
                known(a, b).or_else(|| known(b, a))
            }
            Entry::BelowUnsigned(a, b) => self.integer_cut(region, a, b, false),
            Entry::BelowSigned(a, b) => self.integer_cut(region, a, b, true),
            Entry::Fits { signed, width, arg } => {
                let float = self.float_variable(region, arg)?;
                if float.range.nan {
                    return Some((float.variable, Cut::Nan));
                }
                let above = 2f64.powi(if signed { width as i32 - 1 } else { width as i32 });
                let least = if signed { -above } else { 0.0 };
                let cuts = [least - 1.0, above].map(|at| encoding(float.format, last_below(float.format, at, false)));
                let fits = |cut: &Cut| region.domains[float.variable].halves(*cut).is_some();
                cuts.into_iter().map(Cut::Float).find(fits).map(|cut| (float.variable, cut))
            }
            Entry::Constant(_)
            | Entry::Variable(_)
            | Entry::Not(_)
            | Entry::And(..)
            | Entry::Xor(..)
            | Entry::Choose(..)
            | Entry::Operation(..)
            | Entry::Number(..)
            | Entry::Value(..)
            | Entry::Undefined(..)
            | Entry::Truncated { .. }
            | Entry::ToBits(..)
            | Entry::ToFloat(..)
            | Entry::ToBool(_) => None,
        }
    }

    /// `a < b` with a variable on one side: cut below `b`, or at `a`.
    fn integer_cut(&self, region: &Region, a: Slot, b: Slot, signed: bool) -> Option<(usize, Cut)> {
        let value = |slot: Slot| {
            let bits = self.sets.facts(slot)?.pinned()?;
            if signed { bits.to_i128() } else { bits.to_u128().and_then(|value| i128::try_from(value).ok()) }
        };
        let (slot, value, greater) = match (value(a), value(b)) {
            (None, Some(limit)) => (a, limit, false),
            (Some(limit), None) => (b, limit, true),
            (None, None) | (Some(_), Some(_)) => return None,
        };
        self.integer_cut_at(region, slot, value, greater, signed)
    }

    /// The cut that decides whether an entry is less than a value, or greater, if it is a variable, perhaps extended or negated.
    fn integer_cut_at(
        &self,
        region: &Region,
        mut slot: Slot,
        mut value: i128,
        mut greater: bool,
        mut signed: bool,
    ) -> Option<(usize, Cut)> {
        let variable = loop {
            match self.tape.entries[slot] {
                Entry::Variable(variable) => break variable,
                Entry::Choose(c, a, b) => slot = if self.sets.truth(c)? { a } else { b },
                Entry::Operation(Term::Sext { arg, .. }, _) if signed => slot = arg.0 as usize,
                Entry::Operation(Term::Zext { arg, .. }, _) => (slot, signed) = (arg.0 as usize, false),
                Entry::Operation(Term::Neg(arg), _) if signed => {
                    (slot, value, greater) = (arg.0 as usize, value.checked_neg()?, !greater);
                }
                _ => return None,
            }
        };
        let at = if greater { value } else { value.checked_sub(1)? };
        let cut = if signed { Cut::Signed(at) } else { Cut::Unsigned(u128::try_from(at).ok()?) };
        region.domains[variable].halves(cut).map(|_| (variable, cut))
    }

    /// The variable that an entry is, perhaps negated or in a wider format.
    fn float_variable(&self, region: &Region, slot: Slot) -> Option<FloatVariable> {
        let (mut slot, mut negated) = (slot, false);
        loop {
            match self.tape.entries[slot] {
                Entry::Variable(variable) => {
                    let Domain::Float(format, range) = region.domains[variable] else { return None };
                    return Some(FloatVariable { variable, format, range, negated });
                }
                Entry::Value(_, Operation::Neg(inner)) => (slot, negated) = (inner, !negated),
                Entry::Value(Format::DOUBLE, Operation::Convert(inner)) => slot = inner,
                Entry::Choose(c, a, b) => slot = if self.sets.truth(c)? { a } else { b },
                _ => return None,
            }
        }
    }

    /// The cut that decides the comparison of a variable with a number.
    fn float_cut(&self, float: FloatVariable, other: FloatRange, greater: bool) -> Option<(usize, Cut)> {
        if float.range.nan {
            return Some((float.variable, Cut::Nan));
        }
        if !other.is_point() {
            return None;
        }
        // Of `x < c` the last number below `c`, of `c < x` the last that is not above it.
        let (limit, inclusive) = match float.negated {
            false => (other.low, greater),
            true => (-other.low, !greater),
        };
        let cut = Cut::Float(encoding(float.format, last_below(float.format, limit, inclusive)));
        Domain::Float(float.format, float.range).halves(cut).map(|_| (float.variable, cut))
    }
}

/// A variable in a comparison.
#[derive(Clone, Copy)]
struct FloatVariable {
    variable: usize,
    format: Format,
    range: FloatRange,
    negated: bool,
}

/// The operands of an entry.
fn all_operands(entry: Entry, stack: &mut Vec<Slot>) {
    match entry {
        Entry::Constant(_) | Entry::Variable(_) => {}
        Entry::Not(a)
        | Entry::IsNan(a)
        | Entry::ToBits(_, a)
        | Entry::ToFloat(_, a)
        | Entry::ToBool(a)
        | Entry::Truncated { arg: a, .. }
        | Entry::Fits { arg: a, .. } => stack.push(a),
        Entry::And(a, b)
        | Entry::Xor(a, b)
        | Entry::Equal(a, b)
        | Entry::BelowUnsigned(a, b)
        | Entry::BelowSigned(a, b)
        | Entry::Less(a, b) => stack.extend([b, a]),
        Entry::Choose(c, a, b) => stack.extend([b, a, c]),
        Entry::Operation(term, _) => stack.extend(term.operands().map(|id| id.0 as usize)),
        Entry::Number(_, operation) | Entry::Value(_, operation) | Entry::Undefined(_, operation) => match operation {
            Operation::Add(a, b) | Operation::Mul(a, b) | Operation::Div(a, b) => stack.extend([b, a]),
            Operation::Fma(a, b, c) => stack.extend([c, b, a]),
            Operation::Sqrt(a)
            | Operation::Neg(a)
            | Operation::Abs(a)
            | Operation::Convert(a)
            | Operation::FromInt(_, a)
            | Operation::Round(_, a) => stack.push(a),
        },
    }
}

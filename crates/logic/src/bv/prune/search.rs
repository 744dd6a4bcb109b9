//! The search for a model, or for a cover of the space by regions without one.

use belay_base::{Budget, Exhausted};

use super::super::eval::{Evaluator, Model};
use super::super::term::{Term, TermId, TermStore, VarId};
use super::super::value::Bits;
use super::region::{Paving, Region, Sample, Split};
use super::sets::Sets;
use super::suggest::all_operands;
use super::tape::{Entry, Slot, Tape};

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
    pub tree: Paving,
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
    let fixed: Vec<(VarId, Bits, TermId)> = if effort.certified {
        Vec::new()
    } else {
        conditions.iter().filter_map(|id| find_equation(store, *id)).collect()
    };
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
fn find_equation(store: &TermStore, condition: TermId) -> Option<(VarId, Bits, TermId)> {
    let Term::Eq(a, b) = store.term(condition) else { return None };
    let Term::Var(variable) = store.term(a) else { return None };
    Some((variable, store.as_const(b)?, condition))
}

pub(super) struct Search<'s> {
    store: &'s TermStore,
    conditions: &'s [TermId],
    pub(super) tape: &'s Tape,
    /// Variables with one value, and the condition that says so.
    fixed: &'s [(VarId, Bits, TermId)],
    /// How wide each variable was when it was first cut for its width.
    pub(super) scales: Vec<f64>,
    /// Which conditions were false in some region.
    used: Vec<bool>,
    pub(super) sets: Sets,
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
            if let Some(model) = self.sample(&region) {
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
        Ok(Pruned::Empty(Cover { tree: Paving(tree), used }))
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
    fn sample(&mut self, region: &Region) -> Option<Model> {
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
}

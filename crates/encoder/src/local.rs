//! A cut unrolling in parts, one for each outermost cut loop with the code after it, so that each loop is asked about by itself.
//!
//! **Idea.** Where loops are cut, a loop's head is as good as an entry: what the loop does to its variables is said by the cut and its invariants. What is still
//! dragged along is the condition under which control gets to the head, which holds all of the program before. A part replaces that condition by a
//! variable ([`LocalCopy`]), so that the questions about a loop are as large as the loop, and their cost grows with the number
//! of loops and not with its square. Where the condition matters (a test before the loop), a part can be taken together with a number of parts before it.
//!
//! **Source.** Kroening, Sharygina, Tonetta, Tsitovich and Wintersteiger, *Loop summarization using state and transition invariants*, sections 4.5 and 4.6:
//! innermost loops first, each replaced by its summary. **Differences**: a nest is one part, inner loops cut within outer ones; what comes before is not
//! forgotten altogether, as values (not conditions) are followed back to where they come from.
//!
//! **Soundness.** A part's conditions with fewer constraints and some terms replaced by variables are satisfiable if the originals are ([`LocalCopy`]
//! says why). Each condition of the unrolling belongs to exactly one part, for the parts are the ranges between the lengths that the lists of conditions
//! had at the outermost heads. So if nothing is possible in any part, whatever the number of parts that each was taken with, nothing is possible in the unrolling.

use belay_logic::bv::{LocalCopy, Term, TermId, TermStore, VarId};
use rustc_hash::FxHashSet;

use super::{Store, Unrolling};

/// Where a cut loop is entered that stands in no other: the condition, and how many conditions of each kind there were by then.
#[derive(Clone, Copy, Debug)]
pub struct PartStart {
    /// When the head is reached from outside.
    pub guard: TermId,
    violations: usize,
    unwound: usize,
    unknowns: usize,
    broken: usize,
    rounds: usize,
}

impl Unrolling {
    /// How many parts there are: what comes before the first outermost head is one as well.
    pub fn parts(&self) -> usize {
        self.starts.len() + 1
    }

    pub(super) fn start_part(&mut self, guard: TermId) {
        self.starts.push(PartStart {
            guard,
            violations: self.violations.len(),
            unwound: self.unwound.len(),
            unknowns: self.unknowns.len(),
            broken: self.broken.len(),
            rounds: self.rounds.len(),
        });
    }

    /// The conditions of one part.
    fn part(&self, part: usize) -> Unrolling {
        let (start, end) = (part.checked_sub(1).and_then(|at| self.starts.get(at)), self.starts.get(part));
        let slice = |of: fn(&PartStart) -> usize, all: usize| start.map_or(0, of)..end.map_or(all, of);
        Unrolling {
            violations: self.violations[slice(|at| at.violations, self.violations.len())].to_vec(),
            unwound: self.unwound[slice(|at| at.unwound, self.unwound.len())].to_vec(),
            unknowns: self.unknowns[slice(|at| at.unknowns, self.unknowns.len())].to_vec(),
            broken: self.broken[slice(|at| at.broken, self.broken.len())].to_vec(),
            rounds: self.rounds[slice(|at| at.rounds, self.rounds.len())].to_vec(),
            ..Unrolling::default()
        }
    }

    /// The conditions under which control gets to the parts up to this one, less the last `with`.
    fn guards_before(&self, part: usize, with: usize) -> FxHashSet<TermId> {
        let many = part.saturating_sub(with).min(self.starts.len());
        self.starts[..many].iter().map(|start| start.guard).collect()
    }

    fn map_terms(&mut self, mut of: impl FnMut(TermId) -> TermId) {
        self.violations.iter_mut().for_each(|one| one.condition = of(one.condition));
        self.unwound.iter_mut().for_each(|one| one.condition = of(one.condition));
        self.unknowns.iter_mut().for_each(|one| one.condition = of(one.condition));
        for one in &mut self.broken {
            (one.condition, one.arrives) = (of(one.condition), of(one.arrives));
            one.sum = one.sum.map(&mut of);
        }
        for one in &mut self.rounds {
            one.arrives = of(one.arrives);
            one.before.iter_mut().chain(&mut one.after).for_each(|term| *term = term.map(&mut of));
        }
    }
}

impl<'p> Store<'p> {
    /// One part of an unrolling with terms of its own, together with so many parts before it. The store that holds them is there to be asked.
    pub fn local(&self, unrolling: &Unrolling, part: usize, with: usize) -> (Store<'p>, Unrolling) {
        let mut local = Store::new(self.program, self.config.clone());
        let mut terms = TermStore::new();
        let mut of_part = unrolling.part(part);
        local.constraints = self.copy_part(unrolling, (part, with), &mut of_part, &mut terms, |number, term| {
            local.parameters.insert(number, term);
        });
        local.terms = terms;
        (local, of_part)
    }

    /// One part of an unrolling in a store that others share, and what holds of its variables.
    pub fn part_into(
        &self,
        unrolling: &Unrolling,
        part: (usize, usize),
        terms: &mut TermStore,
    ) -> (Unrolling, Vec<TermId>) {
        let mut of_part = unrolling.part(part.0);
        let constraints = self.copy_part(unrolling, part, &mut of_part, terms, |_, _| {});
        (of_part, constraints)
    }

    fn copy_part(
        &self,
        unrolling: &Unrolling,
        (part, with): (usize, usize),
        of_part: &mut Unrolling,
        terms: &mut TermStore,
        mut parameter: impl FnMut(u32, TermId),
    ) -> Vec<TermId> {
        let cut = unrolling.guards_before(part, with);
        let mut copy = LocalCopy::new(&self.terms, &cut);
        of_part.map_terms(|term| copy.copy(term, terms));
        for (number, term) in &self.parameters {
            if let Some(known) = copy.known(*term) {
                parameter(*number, known);
            }
        }
        // What is required of variables that do not occur here says nothing.
        let mut constraints = Vec::new();
        for constraint in &self.constraints {
            let variables = self.variables_of(*constraint);
            if variables.iter().all(|variable| copy.known(self.terms.variable_term(*variable)).is_some()) {
                constraints.push(copy.copy(*constraint, terms));
            }
        }
        constraints
    }

    fn variables_of(&self, constraint: TermId) -> Vec<VarId> {
        let (mut stack, mut seen) = (vec![constraint], FxHashSet::default());
        let mut variables = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                let made = self.terms.term(term);
                variables.extend(if let Term::Var(variable) = made { Some(variable) } else { None });
                stack.extend(made.operands());
            }
        }
        variables
    }
}

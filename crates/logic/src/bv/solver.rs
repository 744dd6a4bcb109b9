//! Satisfiability of terms: one incremental CaDiCaL under the bit-blaster.
//!
//! Assertions stay for the solver's life, assumptions for one query; what belongs to a scope that
//! ends is asserted under a guard ([`BvSolver::assert_implied`]) and the guard assumed. Terms are
//! translated when a query needs them, so asserting costs nothing and translation runs under the
//! query's budget.
//!
//! **Evidence.** "Satisfiable" comes with a model of the variables; [`BvSolver::find_violated`] evaluates
//! every assertion under it without the blaster, and debug builds do so after each such answer.
//! "Unsatisfiable" comes with the assumptions that suffice; who needs it checked prints the same
//! terms with [`super::smtlib`] for another solver.
//!
//! **Budget.** A query costs one step and one more for each conflict. The conflict limit makes the
//! answer reproducible; the clock only interrupts. After an interruption the solver is as usable
//! as before.

use belay_base::queries;
use belay_base::{Budget, Exhausted};
use rustsat::solvers::{
    ControlSignal, GetInternalStats, LimitConflicts, Solve, SolveIncremental, SolverResult, Terminate,
};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::CaDiCaL;

use super::blast::Blaster;
use super::eval::{Evaluator, Model};
use super::prune::{Effort, Pruned, prune};
use super::term::{Term, TermId, TermStore};
use super::value::Bits;

/// Questions about floats are put to branch and prune for so many steps and to SAT for so many conflicts, in turns: which of the two is
/// better at it can't be told beforehand. The first turn is as long as translating the terms for SAT would be.
const FIRST_TURN: (u64, u64) = (2_000, 200_000);
const TURNS: [(u64, u64); 3] = [(0, 300), (20_000, 3_000), (400_000, u64::MAX)];

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatResult {
    /// There is a model: see [`BvSolver::value`].
    Sat,
    /// There is none: see [`BvSolver::core`].
    Unsat,
}

/// What a solver has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BvStatistics {
    /// Variables of the propositional formula.
    pub variables: u64,
    /// Clauses of the propositional formula, without learned ones.
    pub clauses: u64,
    /// Conflicts over all queries.
    pub conflicts: u64,
    /// Queries, including those that ran out of budget.
    pub queries: u64,
}

#[derive(Clone, Copy, Debug)]
struct Assertion {
    guard: Option<TermId>,
    term: TermId,
}

/// An incremental solver for the terms of one [`TermStore`].
#[derive(Default)]
pub struct BvSolver {
    sat: CaDiCaL<'static, 'static>,
    blaster: Blaster,
    assertions: Vec<Assertion>,
    /// How many assertions the SAT solver has.
    translated: usize,
    assumptions: Vec<TermId>,
    answer: Option<Answer>,
    clauses: u64,
    queries: u64,
    store: Option<u64>,
    /// Floats are left to SAT too.
    only_sat: bool,
}

enum Answer {
    Sat(Evaluator),
    Unsat(Vec<TermId>),
}

impl BvSolver {
    /// A solver without assertions.
    pub fn new() -> Self {
        let mut solver = Self::default();
        let _ = solver.sat.set_option("lucky", 0);
        solver
    }

    /// A solver that gives floats to SAT as well.
    #[cfg(test)]
    pub(super) fn only_sat() -> Self {
        Self { only_sat: true, ..Self::new() }
    }

    /// A solver for many easy questions about one formula: it does not simplify the formula, which pays only if there is a long search, and
    /// costs each time that a question brings new terms.
    pub fn for_many_questions() -> Self {
        let mut solver = Self::new();
        for option in ["preprocesslight", "inprocessing"] {
            let _ = solver.sat.set_option(option, 0);
        }
        solver
    }

    /// Requires the Boolean term from now on.
    pub fn assert(&mut self, term: TermId) {
        self.assertions.push(Assertion { guard: None, term });
        self.answer = None;
    }

    /// Requires `term` in every query in which `guard` holds.
    pub fn assert_implied(&mut self, guard: TermId, term: TermId) {
        self.assertions.push(Assertion { guard: Some(guard), term });
        self.answer = None;
    }

    /// Asks for a model of all assertions and all `assumptions`.
    pub fn check(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<SatResult, Exhausted> {
        let _question = queries::begin(queries::Layer::Sat);
        let serial = *self.store.get_or_insert(store.serial());
        assert_eq!(serial, store.serial(), "a solver answers for the terms of one store");
        self.queries += 1;
        self.answer = None;
        budget.spend(1)?;
        budget.check_clock()?;
        self.assumptions = assumptions.to_vec();
        let turns: &[(u64, u64)] = if store.has_floats() { &TURNS } else { &[(0, u64::MAX)] };
        let mut answer = None;
        let mut literals = Vec::new();
        for (steps, conflicts) in turns {
            let steps = if *steps == 0 { (store.len() as u64).clamp(FIRST_TURN.0, FIRST_TURN.1) } else { *steps };
            if let Some(answer) = self.try_pruning(store, steps, budget)? {
                return Ok(answer);
            }
            if literals.is_empty() {
                self.translate_assertions(store, budget)?;
                literals = self.assumption_literals(store, assumptions, budget)?;
                self.flush_clauses();
            }
            answer = self.solve_briefly(&literals, *conflicts, budget)?;
            if answer.is_some() {
                break;
            }
        }
        let Some(answer) = answer else { return Err(Exhausted::Steps) };
        match answer {
            SatResult::Sat => {
                self.answer = Some(Answer::Sat(Evaluator::new(self.read_model(store))));
                debug_assert_eq!(self.find_violated(store), None, "the model does not satisfy this term");
                Ok(SatResult::Sat)
            }
            SatResult::Unsat => {
                self.answer = Some(Answer::Unsat(self.read_core(&literals)));
                Ok(SatResult::Unsat)
            }
        }
    }

    /// The answer by branch and prune, if it finds one within some steps.
    fn try_pruning(&mut self, store: &TermStore, steps: u64, budget: &Budget) -> Result<Option<SatResult>, Exhausted> {
        if self.only_sat || !store.has_floats() {
            return Ok(None);
        }
        // What is asserted under a guard counts where the guard is assumed; leaving an assertion out is no harm to "no model".
        let asserted = self.assertions.iter().filter(|assertion| {
            assertion.guard.is_none_or(|guard| store.is_true(guard) || self.assumptions.contains(&guard))
        });
        let conditions: Vec<TermId> =
            asserted.map(|assertion| assertion.term).chain(self.assumptions.iter().copied()).collect();
        match prune(store, &conditions, Effort { steps, certified: false }, budget)? {
            Pruned::Empty(cover) => {
                let core = self.assumptions.iter().copied().filter(|term| cover.used.contains(term)).collect();
                self.answer = Some(Answer::Unsat(core));
                Ok(Some(SatResult::Unsat))
            }
            Pruned::Model(model) => {
                self.answer = Some(Answer::Sat(Evaluator::new(model)));
                if self.find_violated(store).is_some() {
                    self.answer = None;
                    return Ok(None);
                }
                Ok(Some(SatResult::Sat))
            }
            Pruned::Open => Ok(None),
        }
    }

    /// The answer of the SAT solver, if it needs no more conflicts.
    fn solve_briefly(
        &mut self,
        literals: &[Lit],
        conflicts: u64,
        budget: &Budget,
    ) -> Result<Option<SatResult>, Exhausted> {
        let slice = budget.slice(conflicts);
        let before = slice.left();
        let answer = self.solve(literals, &slice);
        budget.spend(before - slice.left())?;
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(Exhausted::Steps) if budget.left() > 0 && conflicts < u64::MAX => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn translate_assertions(&mut self, store: &TermStore, budget: &Budget) -> Result<(), Exhausted> {
        while let Some(&assertion) = self.assertions.get(self.translated) {
            let guard = assertion.guard.map(|guard| self.literal(store, guard, budget)).transpose()?;
            for conjunct in conjuncts(store, assertion.term) {
                let literal = self.literal(store, conjunct, budget)?;
                match guard {
                    Some(guard) => self.blaster.gates().clause(&[!guard, literal]),
                    None => self.blaster.gates().clause(&[literal]),
                }
            }
            self.translated += 1;
        }
        Ok(())
    }

    fn assumption_literals(
        &mut self,
        store: &TermStore,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<Lit>, Exhausted> {
        assumptions.iter().map(|&assumption| self.literal(store, assumption, budget)).collect()
    }

    fn literal(&mut self, store: &TermStore, condition: TermId, budget: &Budget) -> Result<Lit, Exhausted> {
        assert_eq!(store.width(condition), 1, "only Boolean terms can be required");
        self.blaster.translate(store, condition, budget)?;
        Ok(self.blaster.literals(store, condition).expect("it was just translated")[0])
    }

    fn flush_clauses(&mut self) {
        let (sat, count) = (&mut self.sat, &mut self.clauses);
        self.blaster.gates().drain_clauses(|clause| {
            if sat.add_clause_ref(clause).is_err() {
                out_of_memory();
            }
            *count += 1;
        });
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<SatResult, Exhausted> {
        let before = self.sat.conflicts() as u64;
        let limit = u32::try_from(budget.left()).ok().filter(|&limit| i32::try_from(limit).is_ok());
        self.sat.limit_conflicts(limit).expect("the conflict limit exists and fits");
        // A slice carries the deadline and the cancel flag without borrowing the budget.
        let clock = budget.slice(0);
        self.sat.attach_terminator(move || match clock.check_clock() {
            Ok(()) => ControlSignal::Continue,
            Err(_) => ControlSignal::Terminate,
        });
        let Ok(result) = self.sat.solve_assumps(assumptions) else { out_of_memory() };
        self.sat.detach_terminator();
        let spent = budget.spend(self.sat.conflicts() as u64 - before);
        match result {
            SolverResult::Sat => Ok(SatResult::Sat),
            SolverResult::Unsat => Ok(SatResult::Unsat),
            SolverResult::Interrupted => {
                budget.check_clock()?;
                spent?;
                Err(Exhausted::Steps)
            }
        }
    }

    fn read_model(&self, store: &TermStore) -> Model {
        let mut model = Model::new();
        for &(variable, term) in self.blaster.variables() {
            let literals = self.blaster.literals(store, term).expect("listed variables are translated");
            let width = store.width(term);
            let bits = literals.iter().zip(0..).filter(|&(&literal, _)| self.is_true(literal));
            let value = bits.fold(Bits::zero(width), |value, (_, index)| value.or(Bits::power_of_two(width, index)));
            model.set(variable, value);
        }
        model
    }

    /// A literal that the solver left open may have either value.
    fn is_true(&self, literal: Lit) -> bool {
        self.sat.lit_val(literal).expect("there is a model") == TernaryVal::True
    }

    fn read_core(&mut self, literals: &[Lit]) -> Vec<TermId> {
        let failed = self.sat.core().expect("there is a core");
        let assumed = self.assumptions.iter().zip(literals);
        assumed.filter(|&(_, &literal)| failed.contains(&!literal)).map(|(&term, _)| term).collect()
    }

    /// After [`SatResult::Unsat`]: assumptions that cannot hold together with the assertions, in
    /// the order they were given. Empty if the assertions contradict each other, and before.
    pub fn core(&self) -> &[TermId] {
        match &self.answer {
            Some(Answer::Unsat(core)) => core,
            Some(Answer::Sat(_)) | None => &[],
        }
    }

    /// After [`SatResult::Sat`]: the value of any term under the model, also of terms that the
    /// query did not mention. Variables it did not mention are zero. `None` without a model.
    pub fn value(&mut self, store: &TermStore, term: TermId) -> Option<Bits> {
        match &mut self.answer {
            Some(Answer::Sat(evaluator)) => Some(evaluator.eval(store, term)),
            Some(Answer::Unsat(_)) | None => None,
        }
    }

    /// After [`SatResult::Sat`]: the values of the variables.
    pub fn model(&self) -> Option<&Model> {
        match &self.answer {
            Some(Answer::Sat(evaluator)) => Some(evaluator.model()),
            Some(Answer::Unsat(_)) | None => None,
        }
    }

    /// After [`SatResult::Sat`]: an assertion or assumption that the model does not satisfy. There
    /// is none unless the blaster or the SAT solver is wrong.
    pub fn find_violated(&mut self, store: &TermStore) -> Option<TermId> {
        let Some(Answer::Sat(evaluator)) = &mut self.answer else { return None };
        let mut violates = |assertion: &Assertion| {
            assertion.guard.is_none_or(|guard| evaluator.holds(store, guard)) && !evaluator.holds(store, assertion.term)
        };
        let assertion = self.assertions.iter().find(|&assertion| violates(assertion)).map(|assertion| assertion.term);
        let assumptions = self.assumptions.iter().copied();
        assertion.or_else(|| assumptions.into_iter().find(|&term| violates(&Assertion { guard: None, term })))
    }

    /// What the solver has done so far.
    pub fn statistics(&self) -> BvStatistics {
        BvStatistics {
            variables: u64::from(self.blaster.variable_count()),
            clauses: self.clauses,
            conflicts: self.sat.conflicts() as u64,
            queries: self.queries,
        }
    }
}

/// The conjuncts of a Boolean term, so that each becomes a clause of its own.
pub(super) fn conjuncts(store: &TermStore, term: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = vec![term];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let Term::And(a, b) = store.term(id) {
            stack.extend([b, a]);
        } else {
            found.push(id);
        }
    }
    found
}

/// The only way in which the SAT solver fails. Ends the process as any other allocation that fails does, so that the memory limit is named as the reason.
fn out_of_memory() -> ! {
    std::alloc::handle_alloc_error(std::alloc::Layout::new::<Lit>())
}

//! Leaping counterexamples: violations behind loops of millions of rounds, without unrolling them.
//!
//! **Idea.** Loops are cut ([`belay_encoder::cut`]) with two copies of each body, and the arbitrary state at a head is tied to the state on the way in by the
//! [closed form](closed_form) of what the rounds compute linearly and a variable that counts them. A model of a violation then
//! leaps over all rounds but the last two; the first of these stays in the loop, so that a test that changes its mind once was passed in all rounds before. The
//! model's inputs are given to the interpreter, which makes every round.
//!
//! **Source.** Kroening, Sharygina, Tonetta, Tsitovich and Wintersteiger, *Loop summarization using state and transition invariants*, section 4.7. **Difference**:
//! theirs are shown to the user as they are; here a leap is a guess until the run has been made.
//!
//! **Soundness.** None needed here: what is claimed is a run of the interpreter, which the checker makes again.
//!
//! **Where it gives up.** What a loop changes otherwise than linearly is left open, and so are inputs of rounds that are leapt over: then the
//! run goes elsewhere, and the leap is only named as a suspect.

mod closed_form;

use std::collections::BTreeMap;

use belay_base::{Budget, Span};
use belay_encoder::cut::HeadState;
use belay_encoder::{Goal, Stop, Store, Unrolling};
use belay_evidence::{Claimed, GaveUp, Outcome, Task, Trace, Why, locate};
use belay_interpreter::Interpreter;
use belay_ir::{IntegerModel, Program, Property};
use belay_logic::bv::{BvSolver, SatResult, TermId};

use crate::bmc::replay::{Filling, ModelAnswers};
use crate::kiki;
use closed_form::Affine;

/// Rounds that a leap may have, in powers of 2: short ones are sooner confirmed.
const LEAPS: [u32; 3] = [10, 18, 24];
/// Models that are tried for each.
const TRIES: u32 = 3;
/// Steps of one run.
const RUN_STEPS: u64 = 400_000_000;

/// Looks for violations of the properties.
pub(crate) fn search(
    task: &Task<'_>,
    properties: &[Property],
    steps: u64,
    budget: &Budget,
) -> Vec<(Property, Outcome)> {
    if task.integers() == IntegerModel::Unbounded {
        return Vec::new();
    }
    let whole = budget.slice(u64::MAX);
    let (config, programs) = (&task.config, (task.program, task.simplified));
    let work = move || {
        let task = Task { program: programs.0, simplified: programs.1, config: config.clone() };
        let each = properties.iter().enumerate().map(|(at, property)| {
            let turn = whole.share(100 / (properties.len() - at) as u32, u64::MAX);
            let (slice, runs) = (turn.slice(steps), turn.slice(RUN_STEPS));
            let outcome = Leaper::new(&task, *property, &slice).and_then(|leaper| match leaper {
                Some(mut leaper) => leaper.search(&slice, &runs),
                None => Ok(None),
            });
            // Out of steps: nothing to say.
            Some((*property, outcome.unwrap_or(None)?))
        });
        each.flatten().collect()
    };
    kiki::on_large_stack(work).unwrap_or_default()
}

/// The cut program, with its heads tied to the ways in.
struct Leaper<'t> {
    task: &'t Task<'t>,
    property: Property,
    store: Store<'t>,
    unrolling: Unrolling,
    solver: BvSolver,
    /// What may be violated.
    goals: Vec<TermId>,
    /// The loops that may be leapt over, whether they are, and the number of rounds.
    leaps: Vec<(HeadState, TermId)>,
}

impl<'t> Leaper<'t> {
    fn new(task: &'t Task<'t>, property: Property, budget: &Budget) -> Result<Option<Self>, Stop> {
        let Some((mut store, unrolling)) = kiki::cut_open(task, property, 2, budget)? else { return Ok(None) };
        let of = |goal: Goal| match goal {
            Goal::Obligation(id) => task.simplified.obligations[id].judged(),
            Goal::Lost => Some(Property::ValidMemtrack),
            Goal::NotFreed => Some(Property::MemCleanup),
        };
        let violations = unrolling.violations.iter().filter(|violated| of(violated.goal) == Some(property));
        let goals: Vec<TermId> = violations.map(|violated| violated.condition).collect();
        let mut solver = BvSolver::new();
        store.constraints.iter().for_each(|constraint| solver.assert(*constraint));
        let mut leaps = Vec::new();
        for head in &unrolling.heads {
            let rounds = store.terms.variable("rounds", closed_form::COUNT_BITS);
            let ties = tie(task.simplified, head, rounds, &mut store);
            ties.into_iter().for_each(|tied| solver.assert(tied));
            leaps.push((head.clone(), rounds));
        }
        Ok(Some(Self { task, property, store, unrolling, solver, goals, leaps }))
    }

    /// A run that violates the property, or a leap that may do so; nothing if there is neither.
    fn search(&mut self, budget: &Budget, runs: &Budget) -> Result<Option<Outcome>, Stop> {
        let any = self.store.terms.or_all(self.goals.clone());
        if self.store.terms.is_false(any) {
            return Ok(None);
        }
        let mut suspect = None;
        for bits in LEAPS {
            let short = self.limit(bits);
            for _ in 0..TRIES {
                let asked: Vec<TermId> = short.iter().copied().chain([any]).collect();
                budget.spend(self.solver.statistics().clauses / 50)?;
                if self.solver.check(&self.store.terms, &asked, budget)? == SatResult::Unsat {
                    break;
                }
                if let Some(trace) = self.replay(runs) {
                    return Ok(Some(Outcome::refuted(trace)));
                }
                suspect = self.describe().or(suspect);
                self.block();
            }
        }
        Ok(suspect.map(|(span, words)| Outcome::GaveUp(GaveUp::at(span, Why::Searched, words))))
    }

    /// That no leap has more than so many rounds.
    fn limit(&mut self, bits: u32) -> Vec<TermId> {
        let terms = &mut self.store.terms;
        let most = terms.number(closed_form::COUNT_BITS, 1 << bits);
        self.leaps.iter().map(|(_, rounds)| terms.ult(*rounds, most)).collect()
    }

    /// Runs the program with the model's inputs; the run's choices if that violates the property.
    fn replay(&mut self, runs: &Budget) -> Option<Trace> {
        let answers = ModelAnswers::new(&self.store, &mut self.solver, &self.unrolling);
        let interpreter = Interpreter::new(self.task.program, self.task.config.clone());
        let report = interpreter.run(&mut answers.source(Filling::Next), &runs.slice(u64::MAX));
        let found = report.violation_of(self.property).map(Claimed::of);
        found.map(|claimed| Trace { choices: report.choices.clone(), claimed })
    }

    fn number(&mut self, term: TermId) -> u128 {
        self.solver.value(&self.store.terms, term).and_then(|bits| bits.to_u128()).unwrap_or(0)
    }

    /// The model's leaps: which loop, and how many rounds.
    fn taken(&mut self) -> BTreeMap<usize, u128> {
        let leaps: Vec<(TermId, TermId)> = self.leaps.iter().map(|(head, rounds)| (head.again, *rounds)).collect();
        let mut taken = BTreeMap::new();
        for (index, (again, rounds)) in leaps.into_iter().enumerate() {
            if self.number(again) == 1 {
                taken.insert(index, self.number(rounds));
            }
        }
        taken
    }

    /// The longest leap of the model, in words.
    fn describe(&mut self) -> Option<(Span, String)> {
        let (index, rounds) = self.taken().into_iter().max_by_key(|(_, rounds)| *rounds)?;
        let place = &self.leaps.get(index)?.0.place;
        let (name, span) = locate(self.task.simplified, (place.function, place.head));
        let rounds = rounds + 1;
        let words = format!(
            "a violation is possible after {rounds} rounds of the loop at {name}:{}, which no run confirms",
            span.line
        );
        Some((span, words))
    }

    /// Rules out the numbers of rounds of the model.
    fn block(&mut self) {
        let taken = self.taken();
        let terms = &mut self.store.terms;
        let mut differs = Vec::new();
        for (index, rounds) in taken {
            let (head, count) = &self.leaps[index];
            let number = terms.number(closed_form::COUNT_BITS, rounds);
            let (other, stays) = (terms.ne(*count, number), terms.not(head.again));
            differs.extend([other, stays]);
        }
        let any = terms.or_all(differs);
        self.solver.assert(any);
    }
}

/// That the arbitrary state at a head is the one after so many rounds, as far as these are linear.
fn tie(program: &Program, head: &HeadState, rounds: TermId, store: &mut Store<'_>) -> Vec<TermId> {
    let function = &program.functions[head.place.function];
    let terms = &mut store.terms;
    let zero = terms.number(closed_form::COUNT_BITS, 0);
    let some = terms.ne(rounds, zero);
    let mut ties = vec![terms.implies(head.again, some)];
    for (inst, before, value) in &head.numbers {
        let Some(affine) = Affine::of_rounds(function, head.place.head, *inst) else { continue };
        let after = affine.repeated(terms, *before, rounds);
        let equal = terms.eq(*value, after);
        ties.push(terms.implies(head.again, equal));
    }
    ties
}

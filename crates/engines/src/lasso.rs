//! *lasso*: inputs with which a loop comes back to a state, found by a SAT solver (2LS paper, section 6.3: singleton recurrent sets by unrolling).
//!
//! The program is unrolled further and further, and the solver is asked whether some loop head has the same state in two rounds ([`belay_encoder::lasso`]). The inputs
//! of the model, those between the two rounds repeated, are given to the interpreter, which has to come back to a state itself: variables that the
//! simplified program does not have any more may need a further turn of the cycle for that. Where drawn inputs fail (state machines that stop for
//! most inputs), these lead through. In the unbounded integer model the unrolling is still one of machine integers; it only proposes.
//!
//! Gives up when the steps are used up, and after some models that are no runs.

use belay_base::Budget;
use belay_encoder::lasso::Lasso;
use belay_encoder::{Bounds, Encoder, Stop, Unrolling};
use belay_evidence::{Claimed, Task, Trace};
use belay_interpreter::{Interpreter, RunEnd};
use belay_ir::{IntegerModel, Property};
use belay_logic::bv::{BvSolver, SatResult};

use crate::bmc::replay::{Filling, ModelAnswers};

/// The encoder recurses over calls and memory.
const STACK_BYTES: usize = 512 << 20;
/// Rounds of each loop, one attempt after the other: first,
pub const SHALLOW: &[u32] = &[2, 4, 8, 16];
/// and when nothing else has helped.
pub const DEEP: &[u32] = &[32];
/// Rounds of a loop that certainly goes on.
const CERTAIN: u32 = 40;
/// How often the inputs of the cycle are given.
const TURNS: usize = 4;
/// Models that may turn out to be no runs.
const MAX_DOUBTS: usize = 6;
/// Instructions of a run.
const RUN_STEPS: u64 = 400_000;
/// A conflict in a formula of this many clauses costs two steps.
const CLAUSES_PER_STEP: u64 = 50_000;

/// A run that comes back to a state, if one is found within the budget by so many rounds of each loop.
pub fn search(task: &Task<'_>, depths: &[u32], budget: &Budget) -> Option<Trace> {
    let slice = budget.slice(u64::MAX);
    let (config, programs) = (&task.config, (task.program, task.simplified));
    let work = move || {
        let task = Task { program: programs.0, simplified: programs.1, config: config.clone() };
        Search::new(&task, &slice).run(depths)
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("lasso".to_owned()).stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, work).map(|handle| handle.join()) {
            Ok(Ok(found)) => found,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        }
    })
}

struct Search<'t> {
    encoder: Encoder<'t>,
    solver: BvSolver,
    interpreter: Interpreter<'t>,
    budget: &'t Budget,
    asserted: usize,
    doubts: usize,
}

impl<'t> Search<'t> {
    fn new(task: &'t Task<'t>, budget: &'t Budget) -> Self {
        let mut machine = task.config.clone();
        machine.integers = IntegerModel::Machine;
        let mut encoder = Encoder::new(task.simplified, machine);
        encoder.wanted = Vec::new();
        encoder.lassos = true;
        let mut config = task.config.clone();
        config.recurrence = true;
        let interpreter = Interpreter::new(task.program, config);
        Self { encoder, solver: BvSolver::new(), interpreter, budget, asserted: 0, doubts: 0 }
    }

    fn run(mut self, depths: &[u32]) -> Option<Trace> {
        for depth in depths {
            let mut bounds = Bounds::new(*depth);
            bounds.certain = CERTAIN;
            let unrolling = self.encoder.unroll(&bounds, self.budget).ok()?;
            for constraint in &self.encoder.store.constraints[self.asserted..] {
                self.solver.assert(*constraint);
            }
            self.asserted = self.encoder.store.constraints.len();
            if let Some(trace) = self.try_models(&unrolling).ok()? {
                return Some(trace);
            }
            if self.doubts >= MAX_DOUBTS || unrolling.unwound.is_empty() {
                return None;
            }
        }
        None
    }

    /// Looks for a model that is a run.
    fn try_models(&mut self, unrolling: &Unrolling) -> Result<Option<Trace>, Stop> {
        let mut left: Vec<Lasso> = unrolling.lassos.clone();
        while self.doubts < MAX_DOUBTS {
            let any = self.encoder.store.terms.or_all(left.iter().map(|lasso| lasso.condition));
            if self.encoder.store.terms.is_false(any) || !self.possible(any)? {
                return Ok(None);
            }
            let holds = |search: &mut Self, lasso: &Lasso| {
                search.solver.value(&search.encoder.store.terms, lasso.condition).is_some_and(|bits| bits.is_one())
            };
            let Some(at) = (0..left.len()).find(|index| holds(self, &left[*index])) else { return Ok(None) };
            let lasso = left.remove(at);
            if let Some(trace) = self.follow(unrolling, lasso) {
                return Ok(Some(trace));
            }
            self.doubts += 1;
        }
        Ok(None)
    }

    fn possible(&mut self, condition: belay_logic::bv::TermId) -> Result<bool, Stop> {
        let factor = 1 + self.solver.statistics().clauses / CLAUSES_PER_STEP;
        let slice = self.budget.slice(self.budget.left() / factor);
        let before = slice.left();
        let answer = self.solver.check(&self.encoder.store.terms, &[condition], &slice);
        self.budget.spend(factor.saturating_mul(before - slice.left()))?;
        Ok(answer? == SatResult::Sat)
    }

    /// Runs the program with the inputs of the model.
    fn follow(&mut self, unrolling: &Unrolling, lasso: Lasso) -> Option<Trace> {
        let events = &unrolling.events;
        let cycle = events.get(lasso.from..lasso.to)?;
        let again = std::iter::repeat_n(cycle, TURNS).flatten();
        let asked = events.get(..lasso.to)?.iter().chain(again);
        let answers = ModelAnswers::along(&self.encoder.store, &mut self.solver, unrolling, asked);
        for filling in [Filling::Next, Filling::Zero] {
            let report = self.interpreter.run(&mut answers.source(filling), &self.budget.slice(RUN_STEPS));
            let overflows = report.violation_of(Property::NoOverflow).is_some();
            if matches!(report.end, RunEnd::Recurs { .. }) && !overflows {
                return Some(Trace { choices: report.choices, claimed: Claimed::Recurrence });
            }
            if !answers.has_undefined() {
                break;
            }
        }
        None
    }
}

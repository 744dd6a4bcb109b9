//! Violations on paths of the graph that are not generalised.
//!
//! *Idea.* Paths are executed symbolically from the start, loops as often as they turn; a state that seems to violate something is solved for the
//! choices of a run, and the interpreter makes the run; and so is the first state of each path that comes to new code. Loops that always turn the same way cost nothing but steps; where a path forks the
//! side that leads to code seen less often comes first, so that loops are left after 0, 1, 2, 3… turns.
//!
//! *Sound* because only what the interpreter has seen is claimed, with its choices as the evidence. *Gives up* after a fixed number of steps: violations that
//! need many turns of loops that depend on inputs are not found.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use belay_base::{Budget, Exhausted};
use belay_evidence::{Claimed, Task, Trace};
use belay_interpreter::Interpreter;
use belay_ir::{BlockId, FuncId, Property};
use belay_rules::{Choice, Scalar};
use belay_symbolic::{Certified, Halt, Prober, State, Suspect, Suspicion};

use super::guess::{Floats, Guess, Model};

/// Suspects of one place that are looked at.
const MAX_TRIES: u32 = 6;
/// Paths that wait at most.
const MAX_PATHS: usize = 3000;
/// Steps of the run that a suspect is given.
const RUN_STEPS: u64 = 2_000_000;
/// Steps of a run that is made because its path comes to new code.
const TRIAL_STEPS: u64 = 100_000;
/// How often a block counts as new.
const MAX_RUNS_OF_BLOCK: u64 = 2;
/// Such runs at most.
const MAX_RUNS: u32 = 200;
/// What memory that nobody has set holds, beyond what a path asked for.
const FILLINGS: [u8; 2] = [0, b'a'];

/// Runs that violate some of the `wanted` properties.
pub fn refute(task: &Task<'_>, wanted: &[Property], steps: u64, budget: &Budget) -> Vec<(Property, Trace)> {
    let slice = budget.slice(steps);
    let mut oracle = Certified::new(&slice);
    let mut prober = Prober::new(task.simplified, &task.config, &mut oracle, &slice);
    let mut search = Search {
        task,
        budget: &slice,
        wanted: wanted.to_vec(),
        found: Vec::new(),
        tries: BTreeMap::new(),
        visits: BTreeMap::new(),
        paths: Paths::default(),
        runs: 0,
    };
    // Where the steps are used up, what was found is found.
    if let Ok(start) = prober.start() {
        let _ = search.run(&mut prober, start);
    }
    search.found
}

/// Paths that wait, those with the least cost first, the newest of them first.
#[derive(Default)]
struct Paths {
    order: BinaryHeap<(Reverse<u64>, u64)>,
    states: BTreeMap<u64, (u64, State)>,
    next: u64,
}

impl Paths {
    fn push(&mut self, cost: u64, state: State) {
        self.order.push((Reverse(cost), self.next));
        self.states.insert(self.next, (cost, state));
        self.next += 1;
    }

    fn pop(&mut self) -> Option<(u64, State)> {
        let (_, number) = self.order.pop()?;
        self.states.remove(&number)
    }
}

struct Search<'t> {
    task: &'t Task<'t>,
    budget: &'t Budget,
    wanted: Vec<Property>,
    found: Vec<(Property, Trace)>,
    tries: BTreeMap<Suspicion, u32>,
    /// How often each block was entered at a fork.
    visits: BTreeMap<(FuncId, BlockId), u64>,
    paths: Paths,
    /// Runs made because their path came to new code.
    runs: u32,
}

impl Search<'_> {
    fn run(&mut self, prober: &mut Prober<'_>, start: State) -> Result<(), Exhausted> {
        self.paths.push(0, start);
        while let Some((cost, state)) = self.paths.pop() {
            self.budget.check_clock()?;
            let next = match prober.follow(state) {
                Ok(next) => next,
                // Other paths may get further.
                Err(Halt::Unable(..) | Halt::Unrepresented | Halt::TooManyPaths | Halt::WritesAnywhere) => Vec::new(),
                Err(Halt::Exhausted(why)) => return Err(why),
            };
            for suspect in prober.take_suspects() {
                self.look_at(&suspect)?;
            }
            if self.wanted.is_empty() {
                return Ok(());
            }
            let forks = next.len() > 1;
            for state in next {
                let cost = cost + if forks { self.cost_of(&state)? } else { 0 };
                if self.paths.states.len() < MAX_PATHS {
                    self.paths.push(cost, state);
                }
            }
        }
        Ok(())
    }

    /// What it costs to go on with one side of a fork. Where code is new a run is made to see what comes of it.
    fn cost_of(&mut self, state: &State) -> Result<u64, Exhausted> {
        let Some(frame) = state.frames.last() else { return Ok(0) };
        let visits = self.visits.entry((frame.function, frame.block)).or_default();
        *visits += 1;
        let cost = u64::from(visits.ilog2());
        if *visits <= MAX_RUNS_OF_BLOCK && self.runs < MAX_RUNS {
            self.runs += 1;
            self.make_runs(state, TRIAL_STEPS)?;
        }
        Ok(cost)
    }

    fn look_at(&mut self, suspect: &Suspect) -> Result<(), Exhausted> {
        let property = suspect.what.property(self.task.simplified);
        let tries = self.tries.entry(suspect.what).or_default();
        if !property.is_some_and(|property| self.wanted.contains(&property)) || *tries >= MAX_TRIES {
            return Ok(());
        }
        *tries += 1;
        self.make_runs(&suspect.state, RUN_STEPS)
    }

    /// Makes runs of a path's choices, and keeps those that violate something.
    fn make_runs(&mut self, state: &State, steps: u64) -> Result<(), Exhausted> {
        let Some(model) = Model::of(state, self.budget)? else { return Ok(()) };
        for floats in Floats::ways() {
            let mut asked_for_floats = false;
            for filling in FILLINGS {
                let Some(mut guess) = Guess::new(state, &model, filling, floats) else { return Ok(()) };
                let choices = self.make_run(&mut guess, steps);
                let is_float = |scalar: &Scalar| matches!(scalar, Scalar::F32(_) | Scalar::F64(_));
                asked_for_floats |= choices.iter().any(|choice| match choice {
                    Choice::Input(scalar) | Choice::Arbitrary(scalar) => is_float(scalar),
                    _ => false,
                });
                let undefined = choices.iter().any(|choice| matches!(choice, Choice::Undefined(_)));
                if self.wanted.is_empty() || !undefined {
                    break;
                }
            }
            if self.wanted.is_empty() || !asked_for_floats {
                break;
            }
        }
        Ok(())
    }

    /// Makes a run, and keeps it if it violates something. Its choices.
    fn make_run(&mut self, guess: &mut Guess, steps: u64) -> Vec<Choice> {
        let interpreter = Interpreter::new(self.task.program, self.task.config.clone());
        let report = interpreter.run(guess, &self.budget.slice(steps));
        for property in self.wanted.clone() {
            if let Some(violation) = report.violation_of(property) {
                let trace = Trace { choices: report.choices.clone(), claimed: Claimed::of(violation) };
                self.found.push((property, trace));
                self.wanted.retain(|other| *other != property);
            }
        }
        report.choices
    }
}

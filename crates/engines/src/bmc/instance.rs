//! The one instance of bounded model checking of a task: a thread that keeps its terms, its solver and its bounds between questions.
//!
//! The schedule asks more than once, first for a shallow search and, if induction did not settle everything, for a deep one. The second
//! answer goes on where the first stopped: with the bounds reached, the clauses learned, and the doubts noted. Each question brings
//! a budget of its own and the thread works only while it is asked, so that the answers are those of one sequential
//! computation, the same for the same input.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use belay_base::Budget;
use belay_evidence::{GaveUp, Outcome, Task, Why};
use belay_ir::{Program, Property};
use belay_rules::Config;

use super::{Depth, Engine};

/// The encoder recurses over calls and over the modification graph.
pub(super) const STACK_BYTES: usize = 512 << 20;

struct Question {
    properties: Vec<Property>,
    depth: Depth,
    budget: Budget,
}

struct Answer {
    outcomes: BTreeMap<Property, Outcome>,
    left: u64,
}

struct Running<'scope> {
    questions: Sender<Question>,
    answers: Receiver<Answer>,
    thread: ScopedJoinHandle<'scope, ()>,
}

/// Bounded model checking of one task, which starts when it is first asked.
pub struct Instance<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    program: &'env Program,
    simplified: &'env Program,
    config: &'env Config,
    running: Option<Running<'scope>>,
}

impl<'scope, 'env> Instance<'scope, 'env> {
    /// The instance of a task.
    pub fn new(scope: &'scope Scope<'scope, 'env>, task: &'env Task<'_>) -> Self {
        Self { scope, program: task.program, simplified: task.simplified, config: &task.config, running: None }
    }

    /// Checks the properties within a budget, up to a depth. The answers are in the order of the properties.
    pub fn check(&mut self, properties: &[Property], depth: Depth, budget: &Budget) -> Vec<(Property, Outcome)> {
        let mut outcomes = self.ask(properties, depth, budget);
        let missing = || Outcome::GaveUp(GaveUp::because(Why::Limit, "no thread for the engine"));
        properties.iter().map(|property| (*property, outcomes.remove(property).unwrap_or_else(missing))).collect()
    }

    fn ask(&mut self, properties: &[Property], depth: Depth, budget: &Budget) -> BTreeMap<Property, Outcome> {
        let Some(running) = self.running.take().or_else(|| self.start()) else { return BTreeMap::new() };
        let question = Question { properties: properties.to_vec(), depth, budget: budget.slice(u64::MAX) };
        let answer = running.questions.send(question).ok().and_then(|()| running.answers.recv().ok());
        let Some(answer) = answer else {
            if let Err(panic) = running.thread.join() {
                std::panic::resume_unwind(panic);
            }
            return BTreeMap::new();
        };
        self.running = Some(running);
        let _ = budget.spend(budget.left().saturating_sub(answer.left));
        answer.outcomes
    }

    fn start(&self) -> Option<Running<'scope>> {
        let (questions, asked) = channel::<Question>();
        let (answer, answers) = channel();
        let (config, program, simplified) = (self.config, self.program, self.simplified);
        let work = move || {
            let task = Task { program, simplified, config: config.clone() };
            let mut engine = Engine::new(&task);
            while let Ok(Question { properties, depth, budget }) = asked.recv() {
                let outcomes = engine.answer(&properties, depth, budget);
                let left = engine.budget.left();
                if answer.send(Answer { outcomes, left }).is_err() {
                    break;
                }
            }
        };
        let thread = Builder::new().name("bmc".to_owned()).stack_size(STACK_BYTES).spawn_scoped(self.scope, work);
        thread.ok().map(|thread| Running { questions, answers, thread })
    }
}

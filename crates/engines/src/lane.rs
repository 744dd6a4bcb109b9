//! A lane works off rows of the schedule. It keeps what an engine keeps between its rows, and decides nothing: what it comes to goes to the session.

use std::sync::Arc;
use std::thread::Scope;

use belay_base::Budget;
use belay_evidence::{Fact, Outcome, Selection, Task, Trace, Why};
use belay_ir::{IntegerModel, Property};

use crate::bmc::{Depth, Instance};
use crate::limits::{EngineName, Options};
use crate::schedule::{Facts, Row, Work};
use crate::session::Wanted;
use crate::tester::Effort;
use crate::{graph, its, kiki, lasso, leap, nontermination, structural, tester, values};

/// What a row came to.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// What it says; what it has nothing to say of is left out.
    pub outcomes: Vec<(Property, Outcome)>,
    /// Drawn runs were cut off: longer ones may show more.
    pub cut_off: bool,
    /// What it shows that is not all of a property.
    pub learnt: Option<Arc<Fact>>,
}

impl From<Vec<(Property, Outcome)>> for Done {
    fn from(outcomes: Vec<(Property, Outcome)>) -> Self {
        Done { outcomes, ..Done::default() }
    }
}

/// Works off rows.
pub(crate) struct Lane<'scope, 'env> {
    task: &'env Task<'env>,
    bmc: Instance<'scope, 'env>,
    kiki: kiki::Options,
}

impl<'scope, 'env> Lane<'scope, 'env> {
    pub(crate) fn new(scope: &'scope Scope<'scope, 'env>, task: &'env Task<'env>, options: &Options) -> Self {
        Self { task, bmc: Instance::new(scope, task), kiki: options.kiki }
    }

    /// Another lane for the same task.
    pub(crate) fn beside(&self, scope: &'scope Scope<'scope, 'env>) -> Self {
        Self { task: self.task, bmc: Instance::new(scope, self.task), kiki: self.kiki }
    }

    /// Does a row's work on the properties wanted, with what is known already, within a budget.
    pub(crate) fn perform(&mut self, row: &Row, wanted: &Wanted, known: Option<&Arc<Fact>>, budget: &Budget) -> Done {
        let Some(fact) = known.filter(|_| row.facts == Facts::Takes) else {
            return self.work(row.work, self.task, wanted, budget);
        };
        let selection = Selection::given(self.task, &fact.obligations);
        let mut done = self.work(row.work, &selection.task(self.task), wanted, budget);
        let rest_on = |(property, outcome): (Property, Outcome)| (property, outcome.resting_on(fact));
        done.outcomes = done.outcomes.into_iter().map(rest_on).collect();
        done
    }

    /// The same; `given` is the task with what is known already, for those that take it.
    fn work(&mut self, work: Work, given: &Task<'_>, wanted: &Wanted, budget: &Budget) -> Done {
        let properties = properties_of(wanted);
        let each = |engine: &dyn Fn(Property) -> Outcome| -> Done {
            properties.iter().map(|property| (*property, engine(*property))).collect::<Vec<_>>().into()
        };
        match work {
            // The run is the checker's, which keeps it.
            Work::Execute { .. } => Done::default(),
            Work::Structure => each(&|property| structural::prove(self.task, property)),
            Work::Values { steps } => values::prove(self.task, &properties, &budget.slice(steps)).into(),
            Work::SteadyRuns { effort } => each(&|_| nontermination::search(self.task, effort, budget)),
            Work::NeverEnding { effort, steps } => {
                each(&|_| nontermination::search_longer(self.task, effort, steps, budget))
            }
            Work::RankTransitions { steps } => each(&|property| its::prove(self.task, property, steps, budget)),
            Work::Draw { effort } => self.draw(&properties, effort, budget),
            Work::Explore { steps } => self.explore(&properties, steps, budget),
            Work::Probe { steps } => claim_refuted(graph::refute(self.task, &properties, steps, budget)).into(),
            Work::Unroll { depth, steps } => {
                // What is unrolled serves all, what is asked of it does not.
                let steps = steps.saturating_mul(properties.len() as u64);
                self.unroll(&properties, depth, &budget.slice(steps)).into()
            }
            Work::Summarise { steps } => kiki::summarise(given, &properties, &budget.slice(steps)).into(),
            Work::Leap { steps } => leap::search(self.task, &properties, steps, budget).into(),
            Work::Induct { steps } => kiki::check(given, &properties, self.kiki, &budget.slice(steps)).into(),
            Work::InductAgain { steps } => self.induct_again(given, wanted, &budget.slice(steps)).into(),
            Work::RankBits { steps } => each(&|_| kiki::rank(self.task, self.kiki, &budget.slice(steps))),
            Work::Lasso { depths, steps } => {
                let found = lasso::search(self.task, depths, &budget.slice(steps));
                claim_refuted(found.map(|trace| (Property::Termination, trace))).into()
            }
        }
    }

    fn draw(&self, properties: &[Property], effort: Effort, budget: &Budget) -> Done {
        let tested = tester::find_violations(self.task, properties, effort, budget);
        Done { outcomes: claim_refuted(tested.found), cut_off: tested.cut_off, learnt: None }
    }

    /// One symbolic execution graph for all properties.
    fn explore(&self, properties: &[Property], steps: u64, budget: &Budget) -> Done {
        let explored = graph::explore_for(self.task, properties, steps, budget);
        let outcome = |property: Property| match &explored {
            Ok(explored) => graph::claim(self.task, explored, property, steps, budget),
            Err(gave_up) => Outcome::GaveUp(gave_up.clone()),
        };
        let outcomes = properties.iter().map(|property| (*property, outcome(*property))).collect();
        let learnt = explored.as_ref().ok().and_then(|explored| explored.fact(self.task)).map(Arc::new);
        let cut_off = match &explored {
            Ok(explored) => explored.is_unfinished(),
            Err(gave_up) => gave_up.why == Why::Limit,
        };
        Done { outcomes, cut_off, learnt }
    }

    fn unroll(&mut self, properties: &[Property], depth: Depth, budget: &Budget) -> Vec<(Property, Outcome)> {
        self.bmc.check(properties, depth, budget)
    }

    /// Each property by itself, with the attempts that did not come to an end.
    fn induct_again(&self, task: &Task<'_>, wanted: &Wanted, budget: &Budget) -> Vec<(Property, Outcome)> {
        let again = wanted.iter().enumerate().flat_map(|(at, (property, unfinished))| {
            let options = kiki::Options { only: Some(*unfinished), ..self.kiki };
            let turn = budget.share(100 / (wanted.len() - at) as u32, u64::MAX);
            kiki::check(task, &[*property], options, &turn)
        });
        again.collect()
    }
}

fn properties_of(wanted: &Wanted) -> Vec<Property> {
    wanted.iter().map(|(property, _)| *property).collect()
}

fn claim_refuted(found: impl IntoIterator<Item = (Property, Trace)>) -> Vec<(Property, Outcome)> {
    found.into_iter().map(|(property, trace)| (property, Outcome::refuted(trace))).collect()
}

impl Row {
    /// True if it may take so long that what is known before it is kept.
    pub(crate) fn may_take_long(&self) -> bool {
        match self.work {
            Work::Execute { .. }
            | Work::Structure
            | Work::Values { .. }
            | Work::SteadyRuns { .. }
            | Work::RankTransitions { .. } => false,
            Work::Draw { .. }
            | Work::NeverEnding { .. }
            | Work::Explore { .. }
            | Work::Probe { .. }
            | Work::Unroll { .. }
            | Work::Summarise { .. }
            | Work::Leap { .. }
            | Work::Induct { .. }
            | Work::InductAgain { .. }
            | Work::RankBits { .. }
            | Work::Lasso { .. } => true,
        }
    }
}

impl Work {
    /// True if this work may answer the question, where `named` are the engines that the user asked for.
    pub(crate) fn answers(&self, property: Property, integers: IntegerModel, named: Option<&[EngineName]>) -> bool {
        let is_termination = property == Property::Termination;
        match self {
            Work::Execute { .. } | Work::Structure | Work::Explore { .. } => true,
            Work::SteadyRuns { .. } | Work::NeverEnding { .. } | Work::RankTransitions { .. } | Work::Lasso { .. } => {
                is_termination
            }
            Work::RankBits { .. } => is_termination && integers == IntegerModel::Machine,
            // Runs that never end have an engine of their own.
            Work::Draw { .. } => {
                !is_termination || named.is_some_and(|named| !named.contains(&EngineName::Nontermination))
            }
            Work::Probe { .. }
            | Work::Unroll { .. }
            | Work::Summarise { .. }
            | Work::Leap { .. }
            | Work::Induct { .. }
            | Work::InductAgain { .. } => !is_termination,
            Work::Values { .. } => !is_termination && integers == IntegerModel::Machine,
        }
    }
}

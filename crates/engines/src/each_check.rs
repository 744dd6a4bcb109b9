//! Every check by itself: which hold, which are violated, each by a run of its own, and which are open.
//!
//! What answers many at once comes first. What the session said of a property counts for its checks; one map of values shows all that it does not doubt, in
//! time that is linear in the program; drawn runs show violations of several; one symbolic execution graph shows all that it does not doubt. What is left is asked about in groups, each a session of its own on a copy of the
//! program that asks about no other check ([`belay_evidence::Selection`] says why that is an answer): a proof settles the group, a violation takes
//! one check out of it, and a group of which nothing is known is halved. So a check that nobody can decide costs a logarithm of sessions and hides no
//! other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use belay_base::{Budget, Span};
use belay_evidence::{Answer, CheckVerdict, Checker, Claim, Proof, Selection, Task, Trace, Unknown, Verdict, checks};
use belay_ir::{IntegerModel, ObligationId, Property};

use crate::graph;
use crate::limits::{EngineName, Options};
use crate::schedule::{GRAPH_STEPS, VALUE_STEPS};
use crate::session::Session;
use crate::tester::{self, Effort};
use crate::values;

/// Drawn runs for all checks together.
const DRAWN: Effort = Effort { runs: 400, steps: 100_000, total: 4_000_000 };

/// Answers for each check of the properties that the verdicts are about; `known` are verdicts on some checks. A property of which a check turns out to be violated gets that verdict.
pub fn verify_each_check(
    task: &Task<'_>,
    verdicts: &mut [Verdict],
    known: Vec<Verdict>,
    options: &Options,
    budget: &Budget,
) -> Vec<CheckVerdict> {
    let properties: Vec<Property> = verdicts.iter().map(Verdict::property).collect();
    let all = checks(task, &properties);
    let unasked = Unknown { reason: "time limit reached".into(), span: Span::NONE, within: None };
    let open = all.iter().map(|id| (*id, unasked.clone())).collect();
    let checker = Checker::new(task, budget);
    let mut each = EachCheck { task, checker, options, budget, open, answers: BTreeMap::new() };
    verdicts.iter().cloned().chain(known).for_each(|verdict| each.take(verdict));
    each.read_values();
    each.draw();
    each.explore();
    for (at, property) in properties.iter().enumerate() {
        let share = budget.share(100 / (properties.len() - at) as u32, u64::MAX);
        each.ask_in_groups(*property, &share);
    }
    each.blame(verdicts);
    all.into_iter().map(|id| each.answer(id)).collect()
}

struct EachCheck<'t> {
    task: &'t Task<'t>,
    checker: Checker<'t>,
    options: &'t Options,
    budget: &'t Budget,
    /// Checks without an answer, and why.
    open: BTreeMap<ObligationId, Unknown>,
    answers: BTreeMap<ObligationId, CheckVerdict>,
}

impl EachCheck<'_> {
    fn answer(&self, id: ObligationId) -> CheckVerdict {
        let unknown = || {
            let why = self.open.get(&id);
            let reason = why.map_or_else(|| "no engine was asked".into(), |why| why.reason.clone());
            CheckVerdict::unknown(self.task, id, reason, why.map_or(Span::NONE, |why| why.span))
        };
        self.answers.get(&id).cloned().unwrap_or_else(unknown)
    }

    fn open_of(&self, property: Property) -> Vec<ObligationId> {
        let of = |id: &&ObligationId| self.task.program.obligations[**id].property == property;
        self.open.keys().filter(of).copied().collect()
    }

    /// Notes what a verdict of the checker says of checks that are open.
    fn take(&mut self, verdict: Verdict) {
        for answer in CheckVerdict::read(self.task, &Arc::new(verdict)) {
            if self.open.remove(&answer.obligation()).is_some() {
                self.answers.insert(answer.obligation(), answer);
            }
        }
    }

    /// Has a violation checked on the program itself; true if it settles an open check.
    fn refute(&mut self, property: Property, trace: Trace) -> bool {
        let before = self.open.len();
        if let Ok(verdict) = self.checker.check(Claim::run(property, trace)) {
            self.take(verdict);
        }
        self.open.len() < before
    }

    fn may_use(&self, engine: EngineName) -> bool {
        self.options.engines.as_ref().is_none_or(|named| named.contains(&engine))
    }

    fn draw(&mut self) {
        if self.open.is_empty() || !self.may_use(EngineName::Tester) {
            return;
        }
        let wanted: BTreeSet<ObligationId> = self.open.keys().copied().collect();
        let share = self.budget.share(15, u64::MAX);
        for (id, trace) in tester::find_each(self.task, &wanted, DRAWN, &share) {
            self.refute(self.task.program.obligations[id].property, trace);
        }
    }

    /// One map of values for all: what it does not doubt holds.
    fn read_values(&mut self) {
        let is_machine = self.task.integers() == IntegerModel::Machine;
        if self.open.is_empty() || !is_machine || !self.may_use(EngineName::Values) {
            return;
        }
        let share = self.budget.share(30, VALUE_STEPS);
        let Ok((map, judged)) = values::find(self.task, &share) else { return };
        let shown = self.open.keys().filter(|id| !judged.doubts.contains(id)).copied().collect();
        self.take_shown(&shown, &Proof::Values(map));
    }

    /// Has a proof of some checks checked.
    fn take_shown(&mut self, shown: &BTreeSet<ObligationId>, proof: &Proof) {
        let selection = Selection::of(self.task, shown);
        let task = selection.task(self.task);
        let checker = Checker::new(&task, self.budget);
        let properties: BTreeSet<Property> = shown.iter().map(|id| task.program.obligations[*id].property).collect();
        for property in properties {
            if let Ok(verdict) = checker.check(Claim::proof(property, proof.clone())) {
                self.take(verdict);
            }
        }
    }

    /// One graph for all: what it does not doubt holds.
    fn explore(&mut self) {
        if self.open.is_empty() || !self.may_use(EngineName::Graph) {
            return;
        }
        let share = self.budget.share(30, u64::MAX);
        let Ok(explored) = graph::explore(self.task, GRAPH_STEPS, &share) else { return };
        let shown: BTreeSet<ObligationId> =
            self.open.keys().filter(|id| !explored.doubts().contains_key(id)).copied().collect();
        let certificate = explored.without_ranking();
        self.take_shown(&shown, &Proof::Graph(Box::new(certificate)));
    }

    /// Groups of checks of one property, halved as long as nothing is known of them.
    fn ask_in_groups(&mut self, property: Property, budget: &Budget) {
        let mut groups = vec![self.open_of(property)];
        while let Some(group) = groups.pop() {
            let group: Vec<ObligationId> = group.into_iter().filter(|id| self.open.contains_key(id)).collect();
            if group.is_empty() || budget.check_clock().is_err() {
                continue;
            }
            let parts = groups.len() as u32 + if group.len() > 1 { 2 } else { 1 };
            match self.ask(property, &group, &budget.share(100 / parts, u64::MAX)) {
                GroupOutcome::Settled => {}
                GroupOutcome::Fewer => groups.push(group),
                GroupOutcome::Open if group.len() == 1 => {}
                GroupOutcome::Open => {
                    let (first, second) = group.split_at(group.len() / 2);
                    groups.extend([second.to_vec(), first.to_vec()]);
                }
            }
        }
    }

    /// One session about a group of checks.
    fn ask(&mut self, property: Property, group: &[ObligationId], budget: &Budget) -> GroupOutcome {
        let selection = Selection::of(self.task, &group.iter().copied().collect());
        let task = selection.task(self.task);
        // Graph and map have said what they can.
        let is_spent = |name: &EngineName| matches!(name, EngineName::Graph | EngineName::Values);
        let engines = EngineName::ALL.into_iter().filter(|name| !is_spent(name) && self.may_use(*name));
        let options = Options { engines: Some(engines.collect()), ..self.options.clone() };
        let (verdicts, _) = Session::new(&task, &[property], options, budget).verify(&mut |_| {});
        let Some(verdict) = verdicts.into_iter().next() else { return GroupOutcome::Open };
        match verdict.answer() {
            Answer::True(_) => self.take(verdict),
            Answer::False(counterexample) => {
                let trace = counterexample.trace.clone();
                return if self.refute(property, trace) { GroupOutcome::Fewer } else { GroupOutcome::Open };
            }
            Answer::Unknown(why) => {
                for id in group {
                    self.open.insert(*id, why.clone());
                }
                return GroupOutcome::Open;
            }
        }
        GroupOutcome::Settled
    }

    /// A property of which a check is violated is violated.
    fn blame(&self, verdicts: &mut [Verdict]) {
        for verdict in verdicts.iter_mut().filter(|verdict| !matches!(verdict.answer(), Answer::False(_))) {
            let violated = self
                .answers
                .values()
                .map(CheckVerdict::verdict)
                .find(|found| found.property() == verdict.property() && matches!(found.answer(), Answer::False(_)));
            if let Some(violated) = violated {
                *verdict = violated.clone();
            }
        }
    }
}

/// What a session about a group came to.
enum GroupOutcome {
    /// All of them hold.
    Settled,
    /// One of them is violated.
    Fewer,
    /// Nothing is known.
    Open,
}

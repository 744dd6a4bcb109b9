//! How far nothing is violated: the bound up to which everything was looked at, as the rest of an *unknown*, and one bound on request.
//!
//! Of a bound that was looked at in full it is known that no run within it violates an open property: the encoding covers all of those runs. Runs may go further, so that
//! this answers no question about the program. Bounds are kept for each loop by itself: what counts is the least of those that runs can go beyond; a loop that
//! they can't go beyond is followed to its end.

use belay_base::{Budget, Span};
use belay_encoder::{Bounds, Stop, Unrolling, UnwindPlace};
use belay_evidence::{Checker, Claim, Outcome, Task, Verdict, Why, Within};
use belay_ir::{IntegerModel, Property};
use belay_logic::bv::TermId;

use super::{Engine, gave_up, instance};

/// Looks for violations within so many rounds of loops and nested calls, and no further: for each property a verdict, which is *unknown* where nothing is violated
/// but runs may go further, and says how far that is.
pub fn verify_within(task: &Task<'_>, properties: &[Property], within: Within, budget: &Budget) -> Vec<Verdict> {
    let checker = Checker::new(task, budget);
    let verify = |property: Property| {
        if property == Property::Termination || task.integers() == IntegerModel::Unbounded {
            return Verdict::unknown(property, "no question that a bound answers", Span::NONE);
        }
        let outcome = std::thread::scope(|scope| {
            let (program, simplified, config) = (task.program, task.simplified, &task.config);
            let slice = budget.slice(u64::MAX);
            let work = move || {
                let task = Task { program, simplified, config: config.clone() };
                Engine::new(&task).answer_within(property, within, slice)
            };
            let thread = std::thread::Builder::new().name("bmc".to_owned()).stack_size(instance::STACK_BYTES);
            thread.spawn_scoped(scope, work).ok().and_then(|thread| thread.join().ok())
        });
        match outcome {
            None => Verdict::unknown(property, "no thread for the engine", Span::NONE),
            Some(Err(bounds)) => {
                let reason =
                    format!("runs may go beyond {} rounds or {} nested calls", within.rounds(), within.calls());
                checker.check_within(property, &bounds, within, &reason, Span::NONE)
            }
            Some(Ok(Outcome::Claims(evidence))) => match checker.check(Claim { property, evidence }) {
                Ok(verdict) => verdict,
                Err(refusal) => Verdict::unknown(property, refusal.to_string(), Span::NONE),
            },
            Some(Ok(Outcome::GaveUp(why) | Outcome::Moot(why))) => Verdict::unknown(property, why.reason, why.span),
        }
    };
    properties.iter().map(|property| verify(*property)).collect()
}

impl Engine<'_> {
    /// Says how far nothing is violated of what stays open. Of a property with a possible violation that is not confirmed that is not known.
    pub(super) fn note_completed(&mut self) {
        let Some(within) = self.completed.map(|rounds| Within::searched(rounds, rounds)) else { return };
        let doubted: Vec<Property> = self.doubts.keys().filter_map(|goal| self.property_of(*goal)).collect();
        for (property, outcome) in &mut self.outcomes {
            if let Outcome::GaveUp(gave_up) = outcome
                && *property != Property::Termination
                && !doubted.contains(property)
            {
                gave_up.within = Some(within);
            }
        }
    }

    /// One bound on request, no further: what was found, and for what stays open the bounds, if nothing within them is violated.
    fn answer_within(&mut self, property: Property, within: Within, budget: Budget) -> Result<Outcome, Bounds> {
        self.budget = budget;
        self.encoder.wanted = vec![property];
        self.open = vec![property];
        self.is_asked_within = true;
        self.outcomes.clear();
        self.bounds = Bounds::new(within.rounds());
        self.bounds.certain = self.bounds.certain.max(within.calls());
        let functions = self.task.simplified.functions.ids();
        self.bounds.of.extend(functions.map(|id| (UnwindPlace::Recursion(id), within.calls())));
        let bounds = self.bounds.clone();
        match self.round() {
            Ok(Some(_)) if self.completed.is_some() && self.doubts.is_empty() => return Err(bounds),
            Ok(_) => {}
            Err(stop) => {
                let outcome = self.give_up(stop);
                self.close_all(&outcome);
            }
        }
        let unsettled =
            || gave_up(Span::NONE, Why::NotHandled, "a violation within the bound is possible but not confirmed");
        Ok(self.outcomes.remove(&property).unwrap_or_else(unsettled))
    }

    /// Notes the bound up to which nothing is violated: the least of the places that runs can go beyond. Whether runs within it get where nothing is known is
    /// asked on request only.
    pub(super) fn note_bound(&mut self, next: &Bounds, unrolling: &Unrolling) -> Result<(), Stop> {
        let open: Vec<TermId> = unrolling.unknowns.iter().map(|unknown| unknown.condition).collect();
        if !open.is_empty() && (!self.is_asked_within || self.possible(open)?) {
            return Ok(());
        }
        let unwound = unrolling.unwound.iter().map(|unwound| unwound.place);
        let grown = unwound.filter(|place| next.at(*place) > self.bounds.at(*place));
        let least = grown.map(|place| self.bounds.at(place)).min();
        self.completed = least.map(|least| least.min(self.bounds.certain)).or(self.completed);
        Ok(())
    }
}

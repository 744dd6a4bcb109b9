//! The cycles of a graph one by one: why its transition system need not be ranked as a whole.
//!
//! **Idea.** A graph of many loops is one large component as soon as a loop of `main` goes round all of it, and ranking functions for all of it at once are dear.
//! But each cycle can be asked about by itself, and a loop that counts needs no question at all.
//!
//! **Decomposition.** Let `S` be a component of the system: locations with all transitions between them. Some locations of it are its *heads*: those at which
//! activations of recursive functions begin, if it has such; else all cases of one place that is the head of a loop inside which all of `S` stands; else those of
//! any place. The transitions of `S` that arrive at a head are its *rounds*. Without them `S` falls apart into smaller components, which are
//! decomposed likewise: its *inner* ones.
//!
//! **Claim.** If for each of these components no run makes infinitely many rounds while it stays there, the system has no infinite run that a run of the program
//! makes: what such a run passes infinitely often lies in one component at the outermost level; if it makes no more rounds of that from some point on, it stays in an inner
//! one, and so on; and there is no innermost one without rounds.
//!
//! **Why the rounds are finitely many** is shown for each component in one of two ways.
//!
//! - *By a system.* It begins at a head with any values that the state there allows, and has the transitions of `S`. Entering an inner component chooses a number; each of
//!   its rounds takes one away and needs one. A run with infinitely many rounds of `S` leaves each inner component after finitely many of that one's rounds, since it comes back to a
//!   head, which is in none of them. So it is an infinite run of this system, with the right numbers chosen; a certificate shows that there is none.
//! - *By the loop alone* ([`LoopProof`]): no run of the program makes infinitely many rounds of an activation of that loop. This is used only if all of `S` stands inside the loop, in
//!   the same frame, and if every loop head that execution passed has a state. Then a round of `S` is a round of one activation of the loop. For a transition between two
//!   places inside that leaves the frame, or the loop, and comes back, passes a cycle in the code of an outer frame, or one of the same frame that is not inside the loop. Each such cycle passes the head of a
//!   loop further out, which has a state, so that the transition would have ended there; and that place is not inside. Recursive functions have a state where they begin, which is not inside either.
//!
//! *Incomplete*: the system of a component says nothing of what was known before it was entered but what the states say.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Components, IdVec};
use belay_expression::Expr;
use belay_ir::FuncId;
use belay_its::evidence::{TerminationCertificate, check_termination};
use belay_its::{Atom, Its, LocId, Poly, Sign, TransId, Transition, VarExt};
use belay_linear::{Rel, Var};
use belay_symbolic::{Cases, Key, State, is_entry};

use super::Verified;
use crate::alone::Edit;
use crate::loops::{EndingLoops, LoopPlace, LoopProof, Nests, nest_of};
use crate::task::Task;

/// Why a cycle makes finitely many rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CycleProof {
    /// Its loop ends, whatever else is done.
    Loop(LoopProof),
    /// Its system has no infinite run.
    System(TerminationCertificate),
}

/// A proof about one cycle of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedCycle {
    /// The place of its heads, or the first of them.
    pub at: Key,
    /// Why it ends.
    pub proof: CycleProof,
}

/// A cycle of a graph, and what has to be shown of it.
#[derive(Clone, Debug)]
pub struct GraphCycle {
    /// The place of its heads, or the first of them.
    pub at: Key,
    /// The loop whose rounds are those of the cycle, if it is one.
    pub alone: Option<LoopPlace>,
    /// The system that must have no infinite run.
    pub system: Its,
}

/// A component.
struct Component {
    at: Key,
    alone: Option<LoopPlace>,
    locations: BTreeSet<LocId>,
    heads: BTreeSet<LocId>,
    /// The components inside it: those of these numbers.
    inner: std::ops::Range<usize>,
}

struct Decomposition<'d> {
    task: &'d Task<'d>,
    verified: &'d Verified,
    its: &'d Its,
    nests: Nests,
    found: Vec<Component>,
}

/// A location that stands for no place.
const NO_PLACE: &str = "a cycle of the graph that passes no place";

/// The cycles of a system whose locations are those of a graph, outer ones before those inside them.
pub fn cycles(task: &Task<'_>, verified: &Verified, its: &Its, states: &Cases) -> Result<Vec<GraphCycle>, String> {
    let places = verified.places.iter().flatten().flat_map(|(key, _)| key);
    let functions: BTreeSet<FuncId> = places.map(|(function, _, _)| *function).collect();
    let nests = functions.into_iter().map(|id| (id, nest_of(&task.simplified.functions[id]))).collect();
    let mut whole = Decomposition { task, verified, its, nests, found: Vec::new() };
    let all: Vec<TransId> = its.transitions.ids().collect();
    whole.decompose(&all)?;
    let all: Vec<usize> = (0..whole.found.len()).collect();
    all.into_iter().map(|number| whole.cycle(number, states)).collect()
}

impl Decomposition<'_> {
    /// Finds the components of some transitions, and those inside them.
    fn decompose(&mut self, transitions: &[TransId]) -> Result<(), String> {
        for locations in self.components(transitions) {
            let inside = |id: &&TransId| {
                let Transition { from, to, .. } = &self.its.transitions[**id];
                locations.contains(from) && locations.contains(to)
            };
            let own: Vec<TransId> = transitions.iter().filter(inside).copied().collect();
            if own.is_empty() {
                continue;
            }
            let (at, alone, heads) = self.heads(&locations).ok_or(NO_PLACE)?;
            let rest: Vec<TransId> =
                own.into_iter().filter(|id| !heads.contains(&self.its.transitions[*id].to)).collect();
            let number = self.found.len();
            self.found.push(Component { at, alone, locations, heads, inner: number + 1..number + 1 });
            self.decompose(&rest)?;
            self.found[number].inner = number + 1..self.found.len();
        }
        Ok(())
    }

    fn components(&self, transitions: &[TransId]) -> Vec<BTreeSet<LocId>> {
        let ends = |id: &TransId| [self.its.transitions[*id].from, self.its.transitions[*id].to];
        let locations: BTreeSet<LocId> = transitions.iter().flat_map(ends).collect();
        let locations: Vec<LocId> = locations.into_iter().collect();
        let number: BTreeMap<LocId, usize> = locations.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); locations.len()];
        for id in transitions {
            let [from, to] = ends(id);
            targets[number[&from]].push(number[&to]);
        }
        let mut search = Components::new(locations.len());
        (0..locations.len()).for_each(|root| search.search_from(root, |node| targets[node].iter().copied()));
        search.take().into_iter().map(|one| one.into_iter().map(|node| locations[node]).collect()).collect()
    }

    fn key(&self, location: LocId) -> Option<&Key> {
        self.verified.places.get(location)?.as_ref().map(|(key, _)| key)
    }

    /// The heads of a component, their place, and the loop that it is.
    fn heads(&self, locations: &BTreeSet<LocId>) -> Option<(Key, Option<LoopPlace>, BTreeSet<LocId>)> {
        let keys: BTreeSet<&Key> = locations.iter().filter_map(|location| self.key(*location)).collect();
        let of = |wanted: &dyn Fn(&Key) -> bool| {
            let heads = locations.iter().filter(|location| self.key(**location).is_some_and(wanted));
            heads.copied().collect::<BTreeSet<LocId>>()
        };
        if let Some(entry) = keys.iter().find(|key| is_entry(&self.task.config, key)) {
            return Some(((*entry).clone(), None, of(&|key| is_entry(&self.task.config, key))));
        }
        let around = |head: &&&Key| keys.iter().all(|key| self.is_inside(key, head));
        let outermost = keys.iter().find(around);
        let chosen: Key = (*outermost.or(keys.first())?).clone();
        let loop_of = |key: &Key| key.last().map(|(function, head, _)| LoopPlace { function: *function, head: *head });
        let alone = outermost.and_then(|key| loop_of(key)).filter(|_| !self.verified.skips_heads);
        let heads = of(&|key| *key == chosen);
        Some((chosen, alone, heads))
    }

    /// True if a place is inside the loop that has a head at another, and in the same frame or in one above it.
    fn is_inside(&self, key: &Key, head: &Key) -> bool {
        let Some(((function, block, _), outer)) = head.split_last() else { return false };
        let Some(nest) = self.nests.get(function) else { return false };
        let Some(id) = nest.headed_by(*block).filter(|id| nest.get(*id).heads.len() == 1) else { return false };
        let frame = key.get(outer.len());
        key.starts_with(outer) && frame.is_some_and(|(own, at, _)| own == function && nest.contains(id, *at))
    }

    fn cycle(&self, number: usize, states: &Cases) -> Result<GraphCycle, String> {
        let component = &self.found[number];
        let inner: Vec<&Component> = self.found[component.inner.clone()].iter().collect();
        let own = self.its.vars.len();
        let edit = Edit { own, counters: inner.len() };
        let mut transitions: IdVec<TransId, Transition> = IdVec::new();
        for head in &component.heads {
            transitions.push(self.begin(*head, &edit, states).ok_or(NO_PLACE)?);
        }
        let is_own = |end: LocId| component.locations.contains(&end);
        for transition in self.its.transitions.iter().filter(|it| is_own(it.from) && is_own(it.to)) {
            let Transition { from, to, .. } = transition;
            let mut changed = edit.widen(transition);
            for (counter, inside) in inner.iter().enumerate().filter(|(_, inside)| inside.locations.contains(to)) {
                if !inside.locations.contains(from) {
                    changed = edit.choose(changed, counter);
                } else if inside.heads.contains(to) {
                    changed = edit.count(changed, counter);
                }
            }
            transitions.push(changed);
        }
        let counters = (0..inner.len()).map(|at| format!("rounds{at}"));
        let vars = self.its.vars.iter().cloned().chain(counters).collect();
        let locations = self.its.locations.clone();
        let system = Its { vars, locations, start: self.its.start, transitions };
        Ok(GraphCycle { at: component.at.clone(), alone: component.alone, system })
    }

    /// The transition from the start to a head, with any values that its state allows.
    fn begin(&self, head: LocId, edit: &Edit, states: &Cases) -> Option<Transition> {
        let (key, case) = self.verified.places.get(head)?.as_ref()?;
        let state: &State = states.get(key)?.get(*case)?;
        let (width, count) = (edit.own + edit.counters, state.names.len());
        let fresh = |index: usize| Poly::var(Var::new(width + index));
        let guard = state.knowledge.constraints.iter().filter_map(|constraint| {
            // What a state knows of other variables says nothing of those that it passes on.
            let own = constraint.expr.terms().iter().all(|(var, _)| var.index() < count);
            let poly = Poly::from(&constraint.expr).substitute(|var| fresh(var.index()));
            own.then(|| match constraint.rel {
                Rel::Ge => Atom { poly, sign: Sign::NonNegative },
                Rel::Gt => Atom::greater(&poly, &Poly::constant(0)),
                Rel::Eq => Atom { poly, sign: Sign::Zero },
            })
        });
        let update = (0..width).map(|index| if index < count { fresh(index) } else { Poly::constant(0) }).collect();
        let extras = u32::try_from(count).ok()?;
        Some(Transition { from: self.its.start, to: head, guard: guard.collect(), update, extras })
    }
}

/// Checks that the proofs show that each cycle ends, in the order of the cycles (several may have heads at one place); gives the loops that end by themselves, and why.
pub(super) fn check(
    task: &Task<'_>,
    cycles: &[GraphCycle],
    proofs: &[RankedCycle],
    budget: &Budget,
) -> Result<Vec<(LoopPlace, Vec<Expr>)>, String> {
    let (mut by_themselves, mut ending) = (Vec::new(), None);
    if cycles.len() != proofs.len() {
        return Err("not one proof for each cycle".to_owned());
    }
    for (cycle, proof) in cycles.iter().zip(proofs) {
        if cycle.at != proof.at {
            return Err("a proof about another cycle".to_owned());
        }
        match &proof.proof {
            CycleProof::System(certificate) => {
                check_termination(&cycle.system, certificate, budget).map_err(|rejection| rejection.to_string())?;
            }
            CycleProof::Loop(proof) => {
                let place = cycle.alone.ok_or("the cycle is not the rounds of one loop")?;
                let known = match ending.take() {
                    Some(known) => known,
                    None => EndingLoops::new(task)?,
                };
                let because = ending.insert(known).check(place, proof, budget)?;
                by_themselves.push((place, because));
            }
        }
    }
    Ok(by_themselves)
}

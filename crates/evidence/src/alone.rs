//! The transition system of a program in which only one loop can go round for ever. What it is for, and why it has every run that stays in that loop, is said in
//! `loops.rs`.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::IdVec;
use belay_ir::{BlockId, CallGraph, FuncId, Function, LoopId};
use belay_its::{Atom, Its, Poly, Transition, VarExt};
use belay_linear::Var;
use belay_transitions::Extracted;

use crate::loops::{LoopPlace, Nests, nest_of};

/// What becomes of the other loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// They may leave anything in the variables that they change.
    Havocked,
    /// They make a number of rounds that is chosen before the first.
    Counted,
}

/// Something that goes round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Cycle {
    Loop(FuncId, LoopId),
    Recursion(usize),
}

/// What a transition does to a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Enters(Cycle),
    Round(Cycle),
}

/// The system in which only the loop at `place` can go round for ever.
pub fn alone(extracted: &Extracted, place: LoopPlace, others: Others) -> Result<Its, String> {
    let view = View::new(extracted)?;
    let own = view.nests.get(&place.function).and_then(|nest| nest.headed_by(place.head));
    let own = Cycle::Loop(place.function, own.ok_or("there is no such loop")?);
    let roles: Vec<Option<Role>> = extracted
        .its
        .transitions
        .iter()
        .map(|transition| view.role(transition).filter(|role| role.cycle() != own))
        .collect();
    let is_counted = |cycle: &Cycle| others == Others::Counted || matches!(cycle, Cycle::Recursion(_));
    let rounds = roles.iter().flatten().filter(|role| matches!(role, Role::Round(_)));
    let cycles: BTreeSet<Cycle> = rounds.map(|role| role.cycle()).collect();
    let counters: BTreeMap<Cycle, usize> =
        cycles.into_iter().filter(is_counted).enumerate().map(|(at, cycle)| (cycle, at)).collect();
    let mut its = extracted.its.clone();
    its.vars.extend(counters.values().map(|at| format!("rounds{at}")));
    its.transitions = IdVec::new();
    let edit = Edit { own: extracted.its.vars.len(), counters: counters.len() };
    for (transition, role) in extracted.its.transitions.iter().zip(roles) {
        let widened = edit.widen(transition);
        its.transitions.push(match role {
            None => widened,
            Some(Role::Enters(cycle)) if counters.contains_key(&cycle) => edit.choose(widened, counters[&cycle]),
            Some(Role::Round(cycle)) if counters.contains_key(&cycle) => edit.count(widened, counters[&cycle]),
            Some(Role::Enters(cycle)) => edit.havoc(widened, &view.collect_changed(cycle)),
            Some(Role::Round(_)) => continue,
        });
    }
    Ok(its)
}

impl Role {
    fn cycle(self) -> Cycle {
        match self {
            Role::Enters(cycle) | Role::Round(cycle) => cycle,
        }
    }
}

struct View<'e> {
    extracted: &'e Extracted,
    graph: CallGraph,
    nests: Nests,
}

impl<'e> View<'e> {
    fn new(extracted: &'e Extracted) -> Result<Self, String> {
        let functions = extracted.places.iter().flatten().map(|(function, _)| *function);
        let functions: BTreeSet<FuncId> = functions.collect();
        let nests: Nests = functions.into_iter().map(|id| (id, nest_of(&extracted.program.functions[id]))).collect();
        // A jump to the entry block would look like a call.
        if nests.values().any(|nest| nest.iter().any(|(_, found)| found.heads.contains(&Function::ENTRY))) {
            return Err("a loop begins with its function".to_owned());
        }
        // Of a loop with several ways in, passing from one head to another need not be a round.
        if nests.values().any(|nest| nest.iter().any(|(_, found)| found.heads.len() > 1)) {
            return Err("a loop has several ways in".to_owned());
        }
        Ok(Self { extracted, graph: CallGraph::new(&extracted.program), nests })
    }

    fn ends(&self, transition: &Transition) -> [Option<(FuncId, BlockId)>; 2] {
        [transition.from, transition.to].map(|location| self.extracted.places.get(location).copied().flatten())
    }

    fn role(&self, transition: &Transition) -> Option<Role> {
        let [from, to] = self.ends(transition);
        let (function, block) = to?;
        if block == Function::ENTRY {
            let component = self.graph.component(function);
            let inside = from.is_some_and(|(caller, _)| self.graph.component(caller) == component);
            let cycle = Cycle::Recursion(component);
            return self.graph.is_recursive(function).then_some(if inside {
                Role::Round(cycle)
            } else {
                Role::Enters(cycle)
            });
        }
        let nest = self.nests.get(&function)?;
        let id = nest.headed_by(block)?;
        let cycle = Cycle::Loop(function, id);
        let inside = from.is_some_and(|(caller, before)| caller == function && nest.contains(id, before));
        Some(if inside { Role::Round(cycle) } else { Role::Enters(cycle) })
    }

    /// The variables that a loop may change.
    fn collect_changed(&self, cycle: Cycle) -> BTreeSet<usize> {
        let Cycle::Loop(function, id) = cycle else { return (0..self.extracted.its.vars.len()).collect() };
        let nest = &self.nests[&function];
        let inside = |end: &Option<(FuncId, BlockId)>| {
            end.is_some_and(|(holder, block)| holder == function && nest.contains(id, block))
        };
        let within =
            self.extracted.its.transitions.iter().filter(|transition| self.ends(transition).iter().all(inside));
        let updates = within.flat_map(|transition| transition.update.iter().enumerate());
        updates.filter(|(index, value)| **value != Poly::var(Var::new(*index))).map(|(index, _)| index).collect()
    }
}

/// Transitions with more variables.
pub(crate) struct Edit {
    /// The system's own variables.
    pub(crate) own: usize,
    /// How many are added.
    pub(crate) counters: usize,
}

impl Edit {
    /// The same transition, which leaves the counters alone.
    pub(crate) fn widen(&self, transition: &Transition) -> Transition {
        let (own, counters) = (self.own, self.counters);
        let image = |var: Var| Poly::var(if var.index() < own { var } else { Var::new(var.index() + counters) });
        let update = transition.update.iter().map(|value| value.substitute(image));
        Transition {
            guard: transition.guard.iter().map(|atom| atom.substitute(image)).collect(),
            update: update.chain((0..counters).map(|at| Poly::var(Var::new(own + at)))).collect(),
            ..*transition
        }
    }

    fn fresh(&self, transition: &mut Transition) -> Poly {
        transition.extras += 1;
        Poly::var(Var::new(self.own + self.counters + transition.extras as usize - 1))
    }

    /// Any number of rounds.
    pub(crate) fn choose(&self, mut transition: Transition, counter: usize) -> Transition {
        let value = self.fresh(&mut transition);
        transition.update[self.own + counter] = value;
        transition
    }

    /// One round fewer.
    pub(crate) fn count(&self, mut transition: Transition, counter: usize) -> Transition {
        let left = Poly::var(Var::new(self.own + counter));
        transition.guard.push(Atom::greater(&left, &Poly::constant(0)));
        transition.update[self.own + counter] = left.minus(&Poly::constant(1));
        transition
    }

    /// Any values of these variables.
    fn havoc(&self, mut transition: Transition, changed: &BTreeSet<usize>) -> Transition {
        for index in changed {
            let value = self.fresh(&mut transition);
            transition.update[*index] = value;
        }
        transition
    }
}

//! Random systems, executed and compared with the verdicts.
//!
//! A system said to terminate must not have a cycle among its small states, nor run on and on; one said
//! not to is run along its recurrent set.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Id};
use belay_its::evidence::RecurrentSet;
use belay_its::{Atom, Its, LocId, Outcome, Poly, Transition, VarExt, ari, prove};
use belay_linear::{Rat, Var};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn linear(&mut self, width: usize, terms: u64) -> Poly {
        let mut poly = Poly::constant(self.between(-3, 3));
        for _ in 0..terms {
            let var = Poly::var(Var::new(self.below(width as u64) as usize));
            let var = if self.below(12) == 0 { var.times(&var) } else { var };
            poly = poly.add_scaled(&Rat::from(self.between(-2, 2)), &var);
        }
        poly
    }

    fn transition(&mut self, vars: usize, from: LocId, to: LocId) -> Transition {
        let extras = u32::from(self.below(4) == 0);
        let width = vars + extras as usize;
        let mut guard = Vec::new();
        for _ in 0..self.between(1, 2) {
            let poly = self.linear(width, 2);
            guard.push(if self.below(8) == 0 { Atom::zero(poly) } else { Atom::non_negative(poly) });
        }
        let update = (0..vars).map(|index| match self.below(4) {
            0 => Poly::var(Var::new(index)),
            1 => self.linear(width, 2),
            _ => Poly::var(Var::new(index)).plus(&Poly::constant(self.between(-2, 1))),
        });
        let update = update.collect();
        Transition { from, to, guard, update, extras }
    }

    fn system(&mut self) -> Its {
        let vars = self.between(1, 3) as usize;
        let locations = self.between(2, 4) as usize;
        let names = (0..vars).map(|i| format!("x{i}")).collect();
        let mut its = Its::with_locations(names, locations, LocId(0));
        let entry = self.transition(vars, LocId(0), LocId(1));
        its.transitions.push(entry);
        for _ in 0..self.between(1, 4) {
            let end = |r: &mut Random| LocId::new(r.between(1, locations as i64 - 1) as usize);
            let (from, to) = (end(self), end(self));
            let transition = self.transition(vars, from, to);
            its.transitions.push(transition);
        }
        its
    }
}

type State = (LocId, Vec<Rat>);

fn successors(its: &Its, (location, values): &State) -> Vec<State> {
    let mut found = Vec::new();
    for (_, transition) in its.outgoing(*location) {
        let choices: Vec<Vec<Rat>> = match transition.extras {
            0 => vec![Vec::new()],
            _ => (-3..=3).map(|value| vec![Rat::from(value)]).collect(),
        };
        for extras in choices {
            found.extend(transition.step(values, &extras).map(|next| (transition.to, next)));
        }
    }
    found
}

fn small(state: &State) -> bool {
    state.1.iter().all(|value| value.abs() <= Rat::from(12))
}

/// True if some small initial state reaches a cycle of small states.
fn has_small_cycle(its: &Its) -> bool {
    let vars = its.vars.len();
    let mut open: Vec<State> = vec![(its.start, Vec::new())];
    for _ in 0..vars {
        let extend = |(l, v): State| (-3..=3).map(move |x| (l, [v.clone(), vec![Rat::from(x)]].concat()));
        open = open.into_iter().flat_map(extend).collect();
    }
    let mut edges: BTreeMap<State, BTreeSet<State>> = BTreeMap::new();
    while let Some(state) = open.pop() {
        if edges.contains_key(&state) || edges.len() > 1500 {
            continue;
        }
        let next: BTreeSet<State> = successors(its, &state).into_iter().filter(small).collect();
        open.extend(next.iter().cloned());
        edges.insert(state, next);
    }
    // Peel off states without successors; what is left contains a cycle.
    loop {
        let dead: Vec<State> = edges
            .iter()
            .filter(|(_, next)| next.iter().all(|n| !edges.contains_key(n)))
            .map(|(s, _)| s.clone())
            .collect();
        if dead.is_empty() {
            return !edges.is_empty();
        }
        dead.iter().for_each(|state| drop(edges.remove(state)));
    }
}

/// Walks along the set's moves for a while.
fn walk(its: &Its, set: &RecurrentSet) {
    let (mut location, mut state) = (its.start, set.initial.clone());
    for (id, extras) in &set.stem {
        state = its.transitions[*id].step(&state, extras).expect("the stem runs");
        location = its.transitions[*id].to;
    }
    for _ in 0..30 {
        assert!(set.states[&location].iter().all(|a| a.holds(|v| state[v.index()].clone())));
        let moved = set.moves.iter().find_map(|step| {
            let values: Vec<Rat> = step.choices.iter().map(|c| c.evaluate(|v| state[v.index()].clone())).collect();
            let mut values = values.as_slice();
            let mut here = (location, state.clone());
            for id in &step.path {
                let transition = its.transitions.get(*id).filter(|t| t.from == here.0)?;
                let (mine, rest) = values.split_at(transition.extras as usize);
                here = (transition.to, transition.step(&here.1, mine)?);
                values = rest;
            }
            Some(here)
        });
        (location, state) = moved.expect("some move is possible");
        if state.iter().any(|value| value.to_i64().is_none()) {
            return;
        }
    }
}

/// A run from a random small state, random choices; the number of steps, at most `limit`.
fn run(its: &Its, random: &mut Random, limit: usize) -> usize {
    let values = its.vars.iter().map(|_| Rat::from(random.between(-5, 5))).collect();
    let mut state: State = (its.start, values);
    for step in 0..limit {
        let next = successors(its, &state);
        // Squares grow beyond all bounds.
        let huge = |value: &Rat| value.to_i64().is_none_or(|v| v.abs() > 1_000_000_000);
        if next.is_empty() || state.1.iter().any(huge) {
            return step;
        }
        state = next[random.below(next.len() as u64) as usize].clone();
    }
    limit
}

fn is_linear(its: &Its) -> bool {
    its.transitions.iter().all(|transition| {
        let guards = transition.guard.iter().map(|atom| &atom.poly);
        guards.chain(&transition.update).all(Poly::is_linear)
    })
}

#[test]
fn verdicts_agree_with_runs() {
    let rounds = std::env::var("SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(800);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut counts = [0usize; 3];
    for round in 0..rounds {
        let its = random.system();
        let began = std::time::Instant::now();
        let outcome = prove(&its, &Budget::steps(1_000_000));
        let spent = began.elapsed();
        if spent.as_millis() > 500 {
            eprintln!("round {round} took {spent:?}:\n{}", ari::write(&its));
        }
        match outcome {
            Outcome::Terminates(_) => {
                counts[0] += 1;
                assert!(!has_small_cycle(&its), "round {round} has a cycle:\n{}", ari::write(&its));
                let steps = (0..5).map(|_| run(&its, &mut random, 2000)).max();
                assert_ne!(steps, Some(2000), "round {round} runs on:\n{}", ari::write(&its));
            }
            Outcome::NonTerminating(set) => {
                counts[1] += 1;
                walk(&its, &set);
            }
            Outcome::GaveUp(reason) => {
                counts[2] += 1;
                let text = format!("{reason:?}");
                // About products the checker may know less than the search; about linear systems not.
                let rejected = text.contains("Rejected") && is_linear(&its);
                assert!(!rejected, "round {round}: {text}\n{}", ari::write(&its));
                if std::env::var("SOAK_UNKNOWN").is_ok() {
                    eprintln!("; round {round}: {text}\n{}", ari::write(&its));
                }
            }
        }
        assert_eq!(ari::read(&ari::write(&its)).map(|read| read.transitions.len()), Ok(its.transitions.len()));
    }
    eprintln!("terminates, loops, unknown: {counts:?}");
}

impl Random {
    /// A machine with a state, the state to return to, and a flag that may change or not; all that happens happens among small numbers.
    fn machine(&mut self) -> Its {
        let (states, steady) = (self.between(3, 9), self.below(2) == 0);
        let names = ["state", "next", "flag"].map(str::to_owned).to_vec();
        let mut its = Its::with_locations(names, 3, LocId(0));
        let var = |index| Poly::var(Var::new(index));
        let own = || (0..3).map(var).collect::<Vec<Poly>>();
        let entry = vec![Poly::constant(0), var(1), var(2)];
        its.transitions.push(Transition { from: LocId(0), to: LocId(1), guard: Vec::new(), update: entry, extras: 0 });
        for _ in 0..self.between(4, 50) {
            let mut update = own();
            // Mostly forward, so that some machines stop.
            let here = self.between(0, states - 1);
            let ahead = |random: &mut Random| match random.below(10) {
                0 => random.between(0, states),
                _ => random.between(here + 1, states),
            };
            match self.below(4) {
                0 => update[0] = var(1),
                1 => (update[0], update[1]) = (Poly::constant(ahead(self)), Poly::constant(ahead(self))),
                _ => update[0] = Poly::constant(ahead(self)),
            }
            if !steady && self.below(6) == 0 {
                update[2] = Poly::constant(self.between(-1, 1));
            }
            let mut guard = vec![Atom::equal(&var(0), &Poly::constant(here))];
            let compared = var(1 + self.below(2) as usize).minus(&Poly::constant(self.between(-1, 2)));
            match self.below(4) {
                0 => guard.push(Atom::zero(compared)),
                1 => guard.push(Atom::non_negative(compared)),
                _ => {}
            }
            // Some go by way of another place.
            let (from, to) = if self.below(5) == 0 { (LocId(1), LocId(2)) } else { (LocId(1), LocId(1)) };
            its.transitions.push(Transition { from, to, guard, update, extras: 0 });
        }
        its.transitions.push(Transition { from: LocId(2), to: LocId(1), guard: Vec::new(), update: own(), extras: 0 });
        its
    }
}

/// Of machines it is known exactly whether they stop, but for the numbers that they begin with.
#[test]
fn machines_stop_as_said() {
    let rounds = std::env::var("SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut counts = [0usize; 4];
    for round in 0..rounds {
        let its = random.machine();
        let goes_round = has_small_cycle(&its);
        match prove(&its, &Budget::steps(300_000)) {
            Outcome::Terminates(_) => {
                counts[0] += 1;
                assert!(!goes_round, "round {round} has a cycle:\n{}", ari::write(&its));
            }
            Outcome::NonTerminating(set) => {
                counts[1] += 1;
                walk(&its, &set);
            }
            Outcome::GaveUp(reason) => {
                counts[if goes_round { 2 } else { 3 }] += 1;
                assert!(!format!("{reason:?}").contains("Rejected"), "round {round}: {reason:?}\n{}", ari::write(&its));
            }
        }
    }
    eprintln!("terminates, loops, unknown and loops, unknown: {counts:?}");
    assert!(counts[0] > rounds / 20, "machines that stop are recognised: {counts:?}");
}

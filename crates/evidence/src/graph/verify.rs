//! What states at cut points show: the code between them executed anew, each arrival found to be represented.
//!
//! If the initial state and every arrival is an instance of one of the states given for its place, the states given represent all that
//! runs can be in at those places (Theorem 10): by induction over the places that a run passes, the state it is in there is among those of one of
//! them, and execution from that one covers what the run does next; what was not doubted on the way holds in every run. Each arrival is a
//! transition between the variables of two states (Def. 12), and every infinite run passes infinitely many places, since execution
//! between them ended: if the system has no infinite run, the program has none.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Id, IdVec, Span};
use belay_expression::Missing;
use belay_ir::{BlockId, FuncId, InstId, ObligationId, Op, Program, Property};
use belay_its::{Atom, Its, LocId, Poly, Sign, Transition, VarExt};
use belay_linear::{LinExpr, Rel, Var};

use crate::loops::nest_of;
use belay_rules::Config;
use belay_symbolic::{
    AllocId, ArrayRange, Cases, Halt, Key, Machine, Pairing, State, Step, Summary, Value, instance, is_entry, is_exit,
};

/// What was found.
#[derive(Debug)]
pub struct Verified {
    /// The obligations that were not shown.
    pub doubts: BTreeMap<ObligationId, Span>,
    /// The properties of heap blocks that were not shown.
    pub leaks: BTreeMap<Property, Span>,
    /// Where a path ends at an invalid access or free.
    pub broken: Option<Span>,
    /// What was missing for those, where the machine explains.
    pub missing: BTreeMap<ObligationId, Missing>,
    /// True if execution passed the head of a loop for which there is no state.
    pub skips_heads: bool,
    /// True if a recursive function was called while a heap block may have been live.
    pub blocks_at_calls: bool,
    /// True if a block was not shown to be smaller than any address space, or taken to be so.
    pub bounds_blocks: bool,
    /// The cycles.
    pub its: Its,
    /// The place behind each location, and which of its states; none for the start.
    pub places: IdVec<LocId, Option<(Key, usize)>>,
}

impl Verified {
    /// What was missing for the first obligation of a property that was not shown.
    pub fn missing(&self, program: &Program, property: Property) -> Option<&Missing> {
        let doubted = |id: &&ObligationId| program.obligations[**id].judged() == Some(property);
        self.doubts.keys().find(doubted).and_then(|id| self.missing.get(id))
    }

    /// True if some access or free was not shown to be valid.
    pub fn doubts_memory(&self, program: &Program) -> bool {
        let of_memory =
            |id: &ObligationId| matches!(program.obligations[*id].property, Property::ValidDeref | Property::ValidFree);
        self.broken.is_some() || self.doubts.keys().any(of_memory)
    }

    /// The cycles inside activations of recursive functions, if `valid-memtrack` needs that they end.
    ///
    /// Elsewhere a block that is lost is missed at the next cut point. An activation does not know what its callers hold: of what it was given, and of what
    /// the state at its entry does not list, its own states do not say whether it can be reached. The caller's state says that, after the return. So
    /// either every activation ends, or no block is live when one begins.
    pub fn activations(&self, config: &Config) -> Option<Its> {
        let inside = |location: LocId| {
            let function =
                self.places[location].as_ref().and_then(|(key, _)| key.first()).map(|(function, _, _)| *function);
            function.is_some_and(|function| function != config.entry)
        };
        let mut its = self.its.clone();
        its.transitions = IdVec::new();
        for transition in self.its.transitions.iter().filter(|transition| inside(transition.to)) {
            // An activation may begin at any time.
            let from = if inside(transition.from) { transition.from } else { its.start };
            its.transitions.push(Transition { from, ..transition.clone() });
        }
        self.blocks_at_calls.then_some(its)
    }

    /// What of a property was not shown: an obligation's name or what else, and the place.
    pub fn doubt(&self, program: &Program, property: Property) -> Option<(String, Span)> {
        if let Some(span) = self.leaks.get(&property) {
            return Some((format!("that no block is left ({property})"), *span));
        }
        let doubted = |(id, _): &(&ObligationId, &Span)| program.obligations[**id].judged() == Some(property);
        let obligation = self.doubts.iter().find(doubted).map(|(id, span)| (program.obligation_name(*id), *span));
        obligation.or_else(|| {
            self.broken.map(|span| ("what follows an invalid access, or code marked unreachable".to_owned(), span))
        })
    }
}

/// Checks that `states` represent every run at their places.
pub fn verify(machine: &mut Machine<'_>, states: &Cases) -> Step<Verified> {
    let width = states.values().flatten().map(|state| state.names.len()).max().unwrap_or(0);
    let vars = (0..width).map(|index| format!("x{index}")).collect();
    let mut its = Its { vars, locations: IdVec::new(), start: LocId::new(0), transitions: IdVec::new() };
    let mut places: IdVec<LocId, Option<(Key, usize)>> = IdVec::new();
    its.locations.push("start".to_owned());
    places.push(None);
    let mut locations: BTreeMap<(&Key, usize), LocId> = BTreeMap::new();
    for (key, case) in states.iter().flat_map(|(key, cases)| (0..cases.len()).map(move |case| (key, case))) {
        locations.insert((key, case), its.locations.push(format!("l{}", places.len())));
        places.push(Some((key.clone(), case)));
    }
    let heads = Heads::new(machine.program);
    let is_cut = |key: &Key| {
        let is_kept = states.contains_key(key);
        if !is_kept {
            heads.pass(key);
        }
        is_kept
    };
    let initial = machine.start()?;
    let mut sources = vec![(LocId::new(0), initial)];
    machine.summaries = Summary::all(states);
    for (key, case, state) in each(machine, states)? {
        let source = ready(key, state)?;
        if is_entry(machine.config, key) {
            sources.push((locations[&(key, case)], source.begun()));
            continue;
        }
        if !is_exit(key) {
            sources.push((locations[&(key, case)], source));
        }
        if state.forgot_block {
            machine.leak(Property::ValidMemtrack, Span::NONE);
            machine.leak(Property::MemCleanup, Span::NONE);
        }
    }
    for (from, source) in sources {
        let known = source.origin.len();
        for arrival in machine.run(source, &is_cut)? {
            let key = arrival.key();
            let Some(cases) = states.get(&key) else {
                return Err(Halt::Unable("a place without a state".to_owned(), Span::NONE));
            };
            let Some((case, pairing)) = find_representing(machine, cases, &arrival)? else {
                return Err(Halt::Unrepresented);
            };
            let edge = (from, locations[&(&key, case)]);
            its.transitions.push(transition(edge, width, known, cases[case].names.len(), &arrival, &pairing));
        }
    }
    let (doubts, leaks) = (machine.doubts.clone(), machine.leaks.clone());
    let missing = std::mem::take(&mut machine.missing);
    let (broken, blocks_at_calls, bounds_blocks) = (machine.broken, machine.blocks_at_calls, machine.bounds_blocks);
    let skips_heads = heads.skipped.get();
    Ok(Verified { doubts, leaks, broken, missing, skips_heads, blocks_at_calls, bounds_blocks, its, places })
}

/// Watches for loop heads that are passed.
struct Heads<'p> {
    program: &'p Program,
    of: RefCell<BTreeMap<FuncId, BTreeSet<BlockId>>>,
    skipped: Cell<bool>,
}

impl<'p> Heads<'p> {
    fn new(program: &'p Program) -> Heads<'p> {
        Heads { program, of: RefCell::default(), skipped: Cell::new(false) }
    }

    /// Control is at a place that has no state.
    fn pass(&self, key: &Key) {
        let Some((function, block, index)) = key.last() else { return };
        let body = &self.program.functions[*function];
        let is_phi = |inst: &&InstId| matches!(body.insts[**inst].op, Op::Phi { .. });
        // Later places of the block come after what it calls: the head was passed before.
        if body.blocks[*block].insts.iter().take_while(is_phi).count() != *index {
            return;
        }
        let mut known = self.of.borrow_mut();
        let heads = known.entry(*function).or_insert_with(|| {
            let nest = nest_of(body);
            nest.iter().flat_map(|(_, found)| found.heads.iter().copied()).collect()
        });
        if heads.contains(block) {
            self.skipped.set(true);
        }
    }
}

/// The states of all places. What calls a recursive function goes on with each state of its exit, and is given names by the one of its entry.
fn each<'s>(machine: &Machine<'_>, states: &'s Cases) -> Step<Vec<(&'s Key, usize, &'s State)>> {
    if states.iter().any(|(key, cases)| is_entry(machine.config, key) && cases.len() != 1) {
        return Err(Halt::Unable("several states of a call".to_owned(), Span::NONE));
    }
    Ok(states
        .iter()
        .flat_map(|(key, cases)| cases.iter().enumerate().map(move |(at, state)| (key, at, state)))
        .collect())
}

/// Which of the states represents an arrival, and how.
fn find_representing(machine: &mut Machine<'_>, cases: &[State], arrival: &State) -> Step<Option<(usize, Pairing)>> {
    for (case, general) in cases.iter().enumerate() {
        if let Some(pairing) = instance(general, arrival, machine.config.integers, machine.oracle)? {
            return Ok(Some((case, pairing)));
        }
    }
    Ok(None)
}

/// A given state made ready to be executed: its counters are not taken on trust.
fn ready(key: &Key, given: &State) -> Step<State> {
    let mut state = given.clone();
    if state.key() != *key || state.frames.is_empty() {
        return Err(Halt::Unable("a state of another place".to_owned(), Span::NONE));
    }
    let mut lists: Vec<AllocId> = state.segments.keys().copied().collect();
    lists.extend(state.segments.values().filter_map(|segment| segment.tail.as_ref()).map(|tail| tail.id));
    let distinct: BTreeSet<AllocId> = lists.iter().copied().collect();
    let is_object = |id: &AllocId| state.allocations.contains_key(id) || matches!(id, AllocId::Global(_));
    if distinct.len() != lists.len() || lists.iter().any(is_object) {
        return Err(Halt::Unable("an object that is a list as well".to_owned(), Span::NONE));
    }
    if !state.ranges.iter().all(ArrayRange::is_well_formed) {
        return Err(Halt::Unable("elements of no width".to_owned(), Span::NONE));
    }
    let count = state.names.len();
    state.origin = Vec::new();
    state.pending = Vec::new();
    state.next_var = state.first_free().max(count as u32);
    state.origin = (0..count).map(|index| LinExpr::var(Var::new(index))).collect();
    // Pointers to objects that are gone have names as well: a new object must not take one of those.
    let mut made = given.next_alloc;
    let mut see = |id: &AllocId| match id {
        AllocId::Made(number) => made = made.max(number.saturating_add(1)),
        AllocId::Global(_) => {}
    };
    state.allocations.keys().chain(&lists).for_each(&mut see);
    state.cells.iter().for_each(|cell| see(&cell.alloc));
    state.for_each_value_mut(|value| match value {
        Value::Pointer(id, _) | Value::Address(id, _) => see(id),
        Value::Int(_) | Value::Truth(_) | Value::Null | Value::Function(_) | Value::Top => {}
    });
    state.next_alloc = made;
    Ok(state)
}

/// One arrival as a transition: the variables of the state it came from, what the path knows, and the values of the
/// variables of the state that represents it.
fn transition(
    (from, to): (LocId, LocId),
    width: usize,
    known: usize,
    targets: usize,
    arrival: &State,
    pairing: &Pairing,
) -> Transition {
    let mut numbering = Numbering { width, columns: BTreeMap::new(), extras: 0 };
    for (index, origin) in arrival.origin.iter().enumerate().take(known) {
        if *origin == LinExpr::var(Var::new(index)) {
            numbering.columns.insert(Var::new(index), Var::new(index));
        }
    }
    let mut guard = Vec::new();
    for (index, origin) in arrival.origin.iter().enumerate().take(known) {
        if *origin != LinExpr::var(Var::new(index)) {
            guard.push(Atom::equal(&Poly::var(Var::new(index)), &numbering.poly(origin)));
        }
    }
    for constraint in &arrival.knowledge.constraints {
        let poly = numbering.poly(&constraint.expr);
        guard.push(match constraint.rel {
            Rel::Ge => Atom { poly, sign: Sign::NonNegative },
            Rel::Gt => Atom::greater(&poly, &Poly::constant(0)),
            Rel::Eq => Atom { poly, sign: Sign::Zero },
        });
    }
    let zero = LinExpr::constant(0);
    let image = |index: usize| pairing.image.get(index).cloned().flatten().unwrap_or_else(|| zero.clone());
    let update = (0..width)
        .map(|index| if index < targets { numbering.poly(&image(index)) } else { Poly::constant(0) })
        .collect();
    Transition { from, to, guard, update, extras: numbering.extras }
}

struct Numbering {
    width: usize,
    columns: BTreeMap<Var, Var>,
    extras: u32,
}

impl Numbering {
    fn poly(&mut self, expr: &LinExpr) -> Poly {
        let mut terms = Vec::new();
        for (var, factor) in expr.terms() {
            let column = *self.columns.entry(*var).or_insert_with(|| {
                self.extras += 1;
                Var::new(self.width + self.extras as usize - 1)
            });
            terms.push((column, factor.clone()));
        }
        Poly::from(&LinExpr::new(terms, expr.offset().clone()))
    }
}

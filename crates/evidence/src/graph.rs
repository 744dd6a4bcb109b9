//! Symbolic execution graphs: the certificate and its check.
//!
//! The certificate gives one or several states for each cut point. The check starts from the program alone: it executes from the initial state and from
//! each given state to the next cut points, with the step of `symbolic` and entailment of its own (the simplex, each of
//! whose refutations has to pass the Farkas check), and finds each arrival to be an instance of a state given for its place. Then every
//! run is represented (one that comes to something for which there is no rule is found on the way, and refuses the certificate), so that an obligation that no path doubted holds; and if the cycles' transition system has no
//! infinite run, by a ranking certificate checked as all are, or cycle by cycle ([`cycles`]), neither has the program.

use belay_base::Budget;
use belay_expression::Expr;
use belay_ir::{BlockId, FuncId, Property};
use belay_its::evidence::{TerminationCertificate, check_termination};
use belay_its::{Its, Poly};
use belay_linear::LinExpr;
use belay_symbolic::{Cases, Certified, Machine, Names};

mod parts;
mod verify;

pub use parts::{CycleProof, GraphCycle, RankedCycle, cycles};
pub use verify::{Verified, verify};

use crate::loops::LoopPlace;

use crate::ranking::{RankedLoop, locate};
use crate::task::Task;

/// The states of a finished graph at its cut points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphCertificate {
    /// The states of each cut point.
    pub states: Cases,
    /// Whether they were found, and are to be executed, with sums in two states where one may not fit its type ([`Machine::splits_sums`]).
    pub splits_sums: bool,
    /// Why its cycles end, if that is claimed, or those inside recursive functions, if that is needed.
    pub ranking: Option<GraphRanking>,
}

/// Why the cycles of a graph end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphRanking {
    /// Its system has no infinite run.
    Whole(TerminationCertificate),
    /// Each of them ends.
    Cycles(Vec<RankedCycle>),
}

/// A graph whose states were found to represent all runs, and what it shows.
pub struct Checked {
    states: Cases,
    splits_sums: bool,
    /// Whether runs go on after an invalid access.
    goes_on: bool,
    /// Whether blocks are taken to be no larger than an address space.
    small_blocks: bool,
    verified: Verified,
}

impl Checked {
    /// True if what was shown takes it for granted that no block is larger than an address space.
    pub fn needs_small_blocks(&self) -> bool {
        self.small_blocks && self.verified.bounds_blocks
    }

    /// True if a property may be shown where blocks are taken to be no larger than that.
    fn lacks_small_blocks(&self, task: &Task<'_>, property: Property) -> bool {
        !self.small_blocks && self.verified.bounds_blocks && self.verified.doubt(task.simplified, property).is_some()
    }

    fn is_of(&self, certificate: &GraphCertificate, goes_on: bool) -> bool {
        self.goes_on == goes_on && self.splits_sums == certificate.splits_sums && self.states == certificate.states
    }
}

/// Checks that the graph shows `property`; gives what gets smaller, by loop. A graph that was the last to be checked is not executed again.
pub fn check(
    task: &Task<'_>,
    property: Property,
    certificate: &GraphCertificate,
    known: &mut Option<Checked>,
    budget: &Budget,
) -> Result<Vec<RankedLoop>, String> {
    let goes_on = property == Property::Termination;
    let mut checked = match known.take().filter(|checked| checked.is_of(certificate, goes_on)) {
        Some(checked) => Ok(checked),
        None => represent(task, certificate, (goes_on, false), budget),
    };
    // Counters would stop where memory does: no proof of termination rests on the size of blocks.
    if !goes_on && checked.as_ref().map_or(true, |checked| checked.lacks_small_blocks(task, property)) {
        checked = represent(task, certificate, (goes_on, true), budget);
    }
    let checked = checked?;
    let Checked { verified, .. } = known.insert(checked);
    if let Some((name, _)) = verified.doubt(task.simplified, property) {
        return Err(format!("the graph does not show {name}"));
    }
    if property == Property::Termination {
        let ranking = certificate.ranking.as_ref().ok_or("no ranking functions")?;
        let alone = check_ranking(task, verified, &verified.its, (&certificate.states, ranking), budget)?;
        let mut ranked = Ranked { task, verified, certificate, found: Vec::new(), seen: Vec::new() };
        match ranking {
            GraphRanking::Whole(whole) => ranked.describe(whole),
            GraphRanking::Cycles(cycles) => cycles.iter().for_each(|cycle| ranked.describe_cycle(cycle)),
        }
        alone.into_iter().for_each(|(place, because)| ranked.describe_loop(place, because));
        return Ok(ranked.found.into_iter().map(|(_, ranked)| ranked).collect());
    }
    if property == Property::ValidMemtrack
        && let Some(its) = verified.activations(&task.config)
    {
        let ranking = certificate.ranking.as_ref().ok_or("a recursive function may hold a lost block for ever")?;
        check_ranking(task, verified, &its, (&certificate.states, ranking), budget)?;
    }
    Ok(Vec::new())
}

/// Checks that a system over the places of a graph has no infinite run; gives the loops that end by themselves.
fn check_ranking(
    task: &Task<'_>,
    verified: &Verified,
    its: &Its,
    (states, ranking): (&Cases, &GraphRanking),
    budget: &Budget,
) -> Result<Vec<(LoopPlace, Vec<Expr>)>, String> {
    match ranking {
        GraphRanking::Whole(certificate) => {
            check_termination(its, certificate, budget).map_err(|rejection| rejection.to_string())?;
            Ok(Vec::new())
        }
        GraphRanking::Cycles(proofs) => {
            let cycles = cycles(task, verified, its, states)?;
            parts::check(task, &cycles, proofs, budget)
        }
    }
}

/// Executes from every state of the certificate.
fn represent(
    task: &Task<'_>,
    certificate: &GraphCertificate,
    (goes_on, small_blocks): (bool, bool),
    budget: &Budget,
) -> Result<Checked, String> {
    let mut oracle = Certified::new(budget);
    let mut machine = Machine::new(task.simplified, &task.config, &mut oracle, budget);
    (machine.goes_on, machine.small_blocks) = (goes_on, small_blocks);
    machine.splits_sums = certificate.splits_sums;
    let verified = verify(&mut machine, &certificate.states).map_err(|halt| halt.to_string())?;
    let (states, splits_sums) = (certificate.states.clone(), certificate.splits_sums);
    Ok(Checked { states, splits_sums, goes_on, small_blocks, verified })
}

/// What gets smaller, by loop.
struct Ranked<'r> {
    task: &'r Task<'r>,
    verified: &'r Verified,
    certificate: &'r GraphCertificate,
    found: Vec<((FuncId, BlockId), RankedLoop)>,
    seen: Vec<(usize, LinExpr)>,
}

impl Ranked<'_> {
    fn describe_cycle(&mut self, cycle: &RankedCycle) {
        match &cycle.proof {
            CycleProof::System(certificate) => self.describe(certificate),
            CycleProof::Loop(_) => {}
        }
    }

    fn number(&mut self, place: (FuncId, BlockId)) -> usize {
        let program = self.task.simplified;
        self.found.iter().position(|(known, _)| *known == place).unwrap_or_else(|| {
            self.found.push((place, RankedLoop::new(locate(program, place))));
            self.found.len() - 1
        })
    }

    fn describe_loop(&mut self, place: LoopPlace, because: Vec<Expr>) {
        let at = self.number((place.function, place.head));
        let known = &mut self.found[at].1.functions;
        for function in because {
            if !known.contains(&function) {
                known.push(function);
            }
        }
    }

    fn describe(&mut self, ranking: &TerminationCertificate) {
        for (cell, expr, part) in ranking.functions() {
            let location = ranking.cells[cell].location;
            let Some((key, case)) = self.verified.places.get(location).and_then(|place| place.as_ref()) else {
                continue;
            };
            let state = self.certificate.states.get(key).and_then(|cases| cases.get(*case));
            let (Some((function, block, _)), Some(state)) = (key.last(), state) else { continue };
            // The rounds of a cycle inside another have no name.
            if expr.terms().iter().any(|(var, _)| var.index() >= self.verified.its.vars.len()) {
                continue;
            }
            let names = Names::new(self.task.simplified, self.task.integers(), state);
            // What has no name in C is called by its number.
            let unnamed = || Expr::Name(Poly::from(expr).display(|var| format!("x{}", var.0)));
            let function_of = names.number(expr).unwrap_or_else(unnamed);
            let form = expr.plus_constant(&-expr.offset());
            let at = self.number((*function, *block));
            if !self.seen.contains(&(at, form.clone())) && !self.found[at].1.part(part).contains(&function_of) {
                self.seen.push((at, form));
                self.found[at].1.part(part).push(function_of);
            }
        }
    }
}

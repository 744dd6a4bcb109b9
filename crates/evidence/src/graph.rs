//! Symbolic execution graphs: the certificate and its check.
//!
//! The certificate gives one or several states for each cut point. The check starts from the program alone: it executes from the initial state and from
//! each given state to the next cut points, with the step of `symbolic` and entailment of its own (the simplex, each of
//! whose refutations has to pass the Farkas check), and finds each arrival to be an instance of a state given for its place. Then every
//! run is represented (one that comes to something for which there is no rule is found on the way, and refuses the certificate), so that an obligation that no path doubted holds; and if the cycles' transition system has no
//! infinite run, by a ranking certificate checked as all are, neither has the program.

use belay_base::Budget;
use belay_ir::{BlockId, FuncId, Property};
use belay_its::Poly;
use belay_its::evidence::{TerminationCertificate, check_termination};
use belay_linear::LinExpr;
use belay_symbolic::{Cases, Certified, Machine, Names};

mod verify;

pub use verify::{Verified, verify};

use crate::ranking::{RankedLoop, locate};
use crate::task::Task;

/// The states of a finished graph at its cut points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphCertificate {
    /// The states of each cut point.
    pub states: Cases,
    /// Why its cycles end, if that is claimed, or those inside recursive functions, if that is needed.
    pub ranking: Option<TerminationCertificate>,
}

/// A graph whose states were found to represent all runs, and what it shows.
pub struct Checked {
    states: Cases,
    /// Whether runs go on after an invalid access.
    goes_on: bool,
    verified: Verified,
}

impl Checked {
    fn is_of(&self, certificate: &GraphCertificate, goes_on: bool) -> bool {
        self.goes_on == goes_on && self.states == certificate.states
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
    let checked = match known.take().filter(|checked| checked.is_of(certificate, goes_on)) {
        Some(checked) => checked,
        None => represent(task, certificate, goes_on, budget)?,
    };
    let Checked { verified, .. } = known.insert(checked);
    if let Some((name, _)) = verified.doubt(task.simplified, property) {
        return Err(format!("the graph does not show {name}"));
    }
    if property == Property::Termination {
        let ranking = certificate.ranking.as_ref().ok_or("no ranking functions")?;
        check_termination(&verified.its, ranking, budget).map_err(|rejection| rejection.to_string())?;
        return Ok(describe(task, verified, certificate, ranking));
    }
    if property == Property::ValidMemtrack
        && let Some(its) = verified.activations(&task.config)
    {
        let ranking = certificate.ranking.as_ref().ok_or("a recursive function may hold a lost block for ever")?;
        check_termination(&its, ranking, budget).map_err(|rejection| rejection.to_string())?;
    }
    Ok(Vec::new())
}

/// Executes from every state of the certificate.
fn represent(
    task: &Task<'_>,
    certificate: &GraphCertificate,
    goes_on: bool,
    budget: &Budget,
) -> Result<Checked, String> {
    let mut oracle = Certified::new(budget);
    let mut machine = Machine::new(task.simplified, &task.config, &mut oracle, budget);
    machine.goes_on = goes_on;
    let verified = verify(&mut machine, &certificate.states).map_err(|halt| halt.to_string())?;
    Ok(Checked { states: certificate.states.clone(), goes_on, verified })
}

fn describe(
    task: &Task<'_>,
    verified: &Verified,
    certificate: &GraphCertificate,
    ranking: &TerminationCertificate,
) -> Vec<RankedLoop> {
    let program = task.simplified;
    let mut ranked: Vec<((FuncId, BlockId), RankedLoop)> = Vec::new();
    let mut seen: Vec<(usize, LinExpr)> = Vec::new();
    for (cell, expr, part) in ranking.functions() {
        let location = ranking.cells[cell].location;
        let Some((key, case)) = verified.places.get(location).and_then(|place| place.as_ref()) else { continue };
        let state = certificate.states.get(key).and_then(|cases| cases.get(*case));
        let (Some((function, block, _)), Some(state)) = (key.last(), state) else { continue };
        let place = (*function, *block);
        let at = ranked.iter().position(|(known, _)| *known == place).unwrap_or_else(|| {
            ranked.push((place, RankedLoop::new(locate(program, place))));
            ranked.len() - 1
        });
        let names = Names::new(program, task.integers(), state);
        let text = names.number(expr).unwrap_or_else(|| Poly::from(expr).display(|var| format!("x{}", var.0)));
        let form = expr.plus_constant(&-expr.offset());
        if !seen.contains(&(at, form.clone())) && !ranked[at].1.part(part).contains(&text) {
            seen.push((at, form));
            ranked[at].1.part(part).push(text);
        }
    }
    ranked.into_iter().map(|(_, ranked)| ranked).collect()
}

//! Why the cycles of a graph end, one by one (`evidence`'s `graph::parts` says what has to be shown of each, and why that suffices).

use belay_base::Budget;
use belay_evidence::{CycleProof, GaveUp, GraphCycle, GraphRanking, RankedCycle, Task, Verified, Why, cycles, locate};
use belay_its::{GaveUp as ItsGaveUp, Its, Outcome, prove};
use belay_loops::ByLoop;
use belay_symbolic::Cases;

/// Proofs that each cycle ends, or why one is missing.
pub(super) fn rank_cycles(
    task: &Task<'_>,
    verified: &Verified,
    (its, states): (&Its, &Cases),
    steps: u64,
    budget: &Budget,
) -> Result<GraphRanking, GaveUp> {
    let cycles = cycles(task, verified, its, states).map_err(|reason| GaveUp::because(Why::NoInvariant, reason))?;
    let mut loops = ByLoop::new(task);
    let mut proofs: Vec<RankedCycle> = Vec::new();
    // Inner ones first: they cost less, and where one does not end nothing is shown.
    for cycle in cycles.iter().rev() {
        let proof = rank(cycle, &mut loops, steps, budget).ok_or_else(|| open(task, cycle))?;
        proofs.push(RankedCycle { at: cycle.at.clone(), proof });
    }
    proofs.reverse();
    Ok(GraphRanking::Cycles(proofs))
}

fn rank(cycle: &GraphCycle, loops: &mut ByLoop<'_>, steps: u64, budget: &Budget) -> Option<CycleProof> {
    if let Some(counted) = cycle.alone.and_then(|place| loops.count(place)) {
        return Some(CycleProof::Loop(counted));
    }
    match prove(&cycle.system, &budget.slice(steps)) {
        Outcome::Terminates(certificate) => return Some(CycleProof::System(certificate)),
        Outcome::NonTerminating(_) | Outcome::GaveUp(ItsGaveUp::Exhausted(_) | ItsGaveUp::Inconclusive { .. }) => {}
        Outcome::GaveUp(ItsGaveUp::Malformed(_) | ItsGaveUp::Rejected(_)) => return None,
    }
    cycle.alone.and_then(|place| loops.rank(place, steps, budget)).map(CycleProof::Loop)
}

fn open(task: &Task<'_>, cycle: &GraphCycle) -> GaveUp {
    let place = cycle.at.last().map(|(function, block, _)| locate(task.simplified, (*function, *block)));
    match place {
        Some((name, span)) => {
            GaveUp::at(span, Why::NoInvariant, format!("no ranking function found for a cycle of the graph in {name}"))
        }
        None => GaveUp::because(Why::NoInvariant, "no ranking function found for a cycle of the graph"),
    }
}

//! Termination by ranking functions: the check, and what the functions say in the program's own names.

use belay_base::Budget;
use belay_ir::{BlockId, FuncId};
use belay_its::Poly;
use belay_its::evidence::{TerminationCertificate, check_termination};
use belay_semantics::transitions::{Extracted, extract};

use crate::structure;
use crate::task::Task;

/// A loop head and what gets smaller from visit to visit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedLoop {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The functions, most significant first, over the variables' names.
    pub functions: Vec<String>,
}

/// Extracts the transition system anew and checks the ranking functions on it, with code that shares nothing with the search but
/// the system's data type and the simplex, whose answers are certified. Gives the functions by loop.
pub fn check(
    task: &Task<'_>,
    certificate: &TerminationCertificate,
    budget: &Budget,
) -> Result<Vec<RankedLoop>, String> {
    if let Some((reason, _)) = structure::uncovered(task) {
        return Err(reason);
    }
    let extracted = extract(task.simplified, task.config.entry, task.integers())?;
    check_termination(&extracted.its, certificate, budget).map_err(|rejection| rejection.to_string())?;
    Ok(describe(&extracted, certificate))
}

fn describe(extracted: &Extracted, certificate: &TerminationCertificate) -> Vec<RankedLoop> {
    let mut ranked: Vec<RankedLoop> = Vec::new();
    for step in &certificate.steps {
        for (cell, functions) in &step.functions {
            let location = certificate.cells[*cell].location;
            let Some((function, block)) = extracted.places.get(location).copied().flatten() else { continue };
            let at = match ranked.iter().position(|known| known.function == function && known.block == block) {
                Some(at) => at,
                None => {
                    ranked.push(RankedLoop { function, block, functions: Vec::new() });
                    ranked.len() - 1
                }
            };
            for expr in functions {
                let text = Poly::from(expr).display(|var| plain_name(extracted, var.index()));
                if !ranked[at].functions.contains(&text) {
                    ranked[at].functions.push(text);
                }
            }
        }
    }
    ranked
}

/// The C name of a variable, without the number that keeps names apart where that is not needed.
pub(crate) fn plain_name(extracted: &Extracted, index: usize) -> String {
    let base = |name: &str| name.rsplit_once('_').map_or(name.to_owned(), |(base, _)| base.to_owned());
    let Some(full) = extracted.its.vars.get(index) else { return format!("input{index}") };
    let short = base(full);
    let function = |index: usize| match extracted.sources[index] {
        belay_semantics::transitions::Source::Inst(id, _) | belay_semantics::transitions::Source::Param(id, _) => {
            Some(id)
        }
        belay_semantics::transitions::Source::Global(_) => None,
    };
    let clashes = extracted.its.vars.iter().enumerate().any(|(other, name)| {
        other != index && short == "v" && base(name) == short && function(other) == function(index)
    });
    if clashes { full.clone() } else { short }
}

//! Termination by ranking functions: the check, and what the functions say in the program's own names.

use belay_base::{Budget, Span};
use belay_ir::{BlockId, FuncId, Program};
use belay_its::Poly;
use belay_its::evidence::{TerminationCertificate, check_termination};
use belay_semantics::transitions::{Extracted, extract};

use crate::structure;
use crate::task::Task;

/// A loop head and what gets smaller from visit to visit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedLoop {
    /// The name of the function that it stands in.
    pub function: String,
    /// Where it stands.
    pub span: Span,
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
    let mut ranked: Vec<((FuncId, BlockId), RankedLoop)> = Vec::new();
    for step in &certificate.steps {
        for (cell, functions) in &step.functions {
            let location = certificate.cells[*cell].location;
            let Some(place) = extracted.places.get(location).copied().flatten() else { continue };
            let at = ranked.iter().position(|(known, _)| *known == place).unwrap_or_else(|| {
                let (function, span) = locate(&extracted.program, place);
                ranked.push((place, RankedLoop { function, span, functions: Vec::new() }));
                ranked.len() - 1
            });
            for expr in functions {
                let text = Poly::from(expr).display(|var| plain_name(extracted, var.index()));
                if !ranked[at].1.functions.contains(&text) {
                    ranked[at].1.functions.push(text);
                }
            }
        }
    }
    ranked.into_iter().map(|(_, ranked)| ranked).collect()
}

/// Where a block of the program with inlined calls comes from: the function, and the block's first known place.
pub(crate) fn locate(program: &Program, (function, block): (FuncId, BlockId)) -> (String, Span) {
    let holder = &program.functions[function];
    let body = &holder.blocks[block];
    let spans = body.insts.iter().map(|inst| holder.insts[*inst].span).chain([body.term_span]);
    let span = spans.into_iter().find(|span| span.is_known()).unwrap_or(holder.span);
    // C's functions do not nest: the one that starts last before the place holds it.
    let before = program.functions.iter().filter(|function| {
        function.is_defined()
            && function.span.is_known()
            && function.span.file == span.file
            && function.span.line <= span.line
    });
    let name = before.max_by_key(|function| function.span.line).map_or(&holder.name, |function| &function.name);
    (name.clone(), span)
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

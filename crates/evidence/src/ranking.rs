//! Termination by ranking functions: the check, and what the functions say in the program's own names.

use belay_base::{Budget, Span};
use belay_expression::{Addend, Expr, add_up};
use belay_ir::{BlockId, Cfg, Dominators, FuncId, LoopNest, Program};
use belay_its::evidence::{Part, TerminationCertificate, check_termination};
use belay_linear::{LinExpr, Rat, Var};
use belay_transitions::{Extracted, Summaries, extract_with};

use crate::structure;
use crate::task::Task;

/// Ranking functions for the program's transition system, and what they take for granted of calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// The functions, with supporting invariants. The invariant where a summarised function returns is its summary.
    pub certificate: TerminationCertificate,
    /// What holds of the results of calls that are not inlined.
    pub summaries: Summaries,
}

/// A loop head and what gets smaller from visit to visit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedLoop {
    /// The name of the function that it stands in.
    pub function: String,
    /// Where it stands.
    pub span: Span,
    /// The functions, most significant first, over the variables' names.
    pub functions: Vec<Expr>,
    /// Functions one of which gets smaller where none of the others does, whatever turns follow each other.
    pub one_of: Vec<Expr>,
}

impl RankedLoop {
    /// Nothing known yet of a loop.
    pub(crate) fn new((function, span): (String, Span)) -> RankedLoop {
        RankedLoop { function, span, functions: Vec::new(), one_of: Vec::new() }
    }

    /// Where a function of this kind is noted.
    pub(crate) fn part(&mut self, part: Part) -> &mut Vec<Expr> {
        match part {
            Part::InOrder => &mut self.functions,
            Part::OneOf => &mut self.one_of,
        }
    }
}

/// Extracts the transition system anew and checks the ranking functions on it, with code that shares nothing with the search but
/// the system's data type and the simplex, whose answers are certified. Gives the functions by loop.
pub fn check(task: &Task<'_>, ranking: &Ranking, budget: &Budget) -> Result<Vec<RankedLoop>, String> {
    let Ranking { certificate, summaries } = ranking;
    if let Some((reason, _)) = structure::find_uncovered(task).or_else(|| structure::find_marked_unreachable(task)) {
        return Err(reason);
    }
    let extracted = extract_with(task.simplified, task.config.entry, task.integers(), summaries)?;
    check_summaries(&extracted, ranking)?;
    check_termination(&extracted.its, certificate, budget).map_err(|rejection| rejection.to_string())?;
    Ok(describe(&extracted, certificate))
}

/// Each summary that the system uses is an invariant of where its function's returns end.
fn check_summaries(extracted: &Extracted, ranking: &Ranking) -> Result<(), String> {
    for (function, returns) in &extracted.returns {
        let summary = ranking.summaries.get(function).ok_or("a summary is missing")?;
        let atoms = returns.in_system(summary).ok_or("a summary mentions what is not followed")?;
        if !ranking.certificate.partitions.contains_key(&returns.location) {
            return Err("nothing is shown of a summarised function's returns".to_owned());
        }
        let mut cells = ranking.certificate.cells.iter().filter(|cell| cell.location == returns.location);
        if !cells.all(|cell| atoms.iter().all(|atom| cell.invariant.contains(atom))) {
            return Err("a summary is not among the invariants".to_owned());
        }
    }
    Ok(())
}

fn describe(extracted: &Extracted, certificate: &TerminationCertificate) -> Vec<RankedLoop> {
    let mut ranked: Vec<((FuncId, BlockId), RankedLoop)> = Vec::new();
    let mut seen: Vec<(usize, LinExpr)> = Vec::new();
    for (cell, expr, part) in certificate.functions() {
        let location = certificate.cells[cell].location;
        let Some(place) = extracted.places.get(location).copied().flatten() else { continue };
        let at = ranked.iter().position(|(known, _)| *known == place).unwrap_or_else(|| {
            ranked.push((place, RankedLoop::new(locate(&extracted.program, place))));
            ranked.len() - 1
        });
        let same = |known: &LinExpr| known.plus_constant(&-known.offset()) == expr.plus_constant(&-expr.offset());
        if !seen.iter().any(|(place, known)| *place == at && same(known)) {
            seen.push((at, expr.clone()));
            ranked[at].1.part(part).extend(over_variables(extracted, expr));
        }
    }
    ranked.into_iter().map(|(_, ranked)| ranked).collect()
}

/// The function with whole coefficients that have no common divisor: `n - i`, `254 - x`, `2*m + n`. What is added last is rounded down. `None` if its
/// numbers are too large to be written.
pub(crate) fn over_variables(extracted: &Extracted, expr: &LinExpr) -> Option<Expr> {
    let mut scale = Rat::ONE;
    for (_, a) in expr.terms() {
        scale = &scale * &(&scale * a).denominator();
    }
    let divisor = expr.terms().iter().fold(Rat::ZERO, |gcd, (_, a)| gcd.gcd(&(a * &scale)));
    let scale = divisor.recip().map_or(scale.clone(), |inverse| &scale * &inverse);
    let part = |(var, a): &(Var, Rat)| Some((number(&(a * &scale))?, variable(extracted, var.index())));
    let mut parts = expr.terms().iter().map(part).collect::<Option<Vec<Addend>>>()?;
    parts.sort_by_key(|(factor, _)| *factor < 0);
    Some(add_up(&parts, number(&(expr.offset() * &scale).floor())?))
}

/// A whole number that is not too large to be written.
pub(crate) fn number(value: &Rat) -> Option<i128> {
    value.is_integer().then(|| value.to_string().parse().ok()).flatten()
}

/// Where a block of the program with inlined calls comes from: the function, and the first known place of the loop that it is in or of itself.
pub fn locate(program: &Program, (function, block): (FuncId, BlockId)) -> (String, Span) {
    let holder = &program.functions[function];
    let cfg = Cfg::new(holder);
    // People look for a loop where it begins, whatever block of it the argument is about.
    let around = LoopNest::new(&cfg, &Dominators::new(&cfg));
    let head = around.innermost(block).and_then(|found| around.get(found).head());
    let body = &holder.blocks[head.unwrap_or(block)];
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

/// A variable by its C name, without the number that keeps names apart where that is not needed.
pub(crate) fn variable(extracted: &Extracted, index: usize) -> Expr {
    let base = |name: &str| name.rsplit_once('_').map_or(name.to_owned(), |(base, _)| base.to_owned());
    let Some(full) = extracted.its.vars.get(index) else { return Expr::Name(format!("input{index}")) };
    let short = base(full);
    let function = |index: usize| match extracted.sources[index] {
        belay_transitions::Source::Inst(id, _) | belay_transitions::Source::Param(id, _) => Some(id),
        belay_transitions::Source::Global(_) | belay_transitions::Source::Result(_) => None,
    };
    let clashes = extracted.its.vars.iter().enumerate().any(|(other, name)| {
        other != index && short == "v" && base(name) == short && function(other) == function(index)
    });
    let name = Expr::Name(if clashes { full.clone() } else { short });
    // What is read otherwise than it is declared says so.
    match extracted.casts.get(index).copied().flatten() {
        Some(cast) => Expr::cast(cast, name),
        None => name,
    }
}

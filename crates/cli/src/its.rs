//! `belay its`: whether an integer transition system ends, as another tool wrote it or `belay ir --ari`.

use std::path::Path;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_its::evidence::{Part, RecurrentSet, TerminationCertificate};
use belay_its::{Atom, GaveUp, Its, LocId, Outcome, Poly, Sign, ari, prove};

use crate::arguments::ItsOptions;
use crate::failure::{exit, failure};
use crate::sandbox::{Died, Response, SandboxLimits, in_child};

/// Steps of the search.
const STEPS: u64 = 100_000_000;

/// Reads the system and answers.
pub fn its(options: &ItsOptions) -> Response {
    let limits = SandboxLimits { seconds: options.time_limit.max(1), mebibytes: options.memory_limit };
    let answered = in_child(limits, |progress| {
        progress.say("reading the system");
        answer(&options.file, options.time_limit)
    });
    answered.unwrap_or_else(|died| match died {
        Died::Time => unknown("time limit reached"),
        Died::Memory => unknown("memory limit reached"),
        Died::Interrupted => failure(exit::INTERRUPTED, "interrupted"),
        Died::Crash(what) => failure(exit::INTERNAL, &what),
    })
}

fn answer(file: &Path, seconds: u64) -> Response {
    let start = Instant::now();
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return failure(exit::INPUT, &format!("cannot read {}: {error}", file.display())),
    };
    let its = match ari::read(&text) {
        Ok(its) => its,
        Err(error) => return failure(exit::INPUT, &format!("{}: {error}", file.display())),
    };
    let budget = Budget::steps(STEPS).until(start + Duration::from_secs(seconds).mul_f64(0.9));
    match prove(&its, &budget) {
        Outcome::Terminates(certificate) => respond(exit::PROVED, "true", &describe_ranking(&its, &certificate)),
        Outcome::NonTerminating(set) => respond(exit::VIOLATED, "false(termination)", &endless(&its, &set)),
        Outcome::GaveUp(GaveUp::Exhausted(why)) => unknown(&why.to_string()),
        Outcome::GaveUp(GaveUp::Inconclusive { locations }) => {
            let names: Vec<&str> = locations.iter().filter_map(|at| Some(its.locations.get(*at)?.as_str())).collect();
            unknown(&format!("no ranking function found for the cycles through {}", names.join(", ")))
        }
        Outcome::GaveUp(GaveUp::Malformed(reason)) => {
            failure(exit::INPUT, &format!("{}: not well-formed: {reason:?}", file.display()))
        }
        Outcome::GaveUp(GaveUp::Rejected(rejection)) => failure(exit::INTERNAL, &rejection.to_string()),
    }
}

fn respond(code: u8, verdict: &str, lines: &[String]) -> Response {
    let told: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    let short = verdict.split('(').next().unwrap_or(verdict);
    let output = format!("termination: {short}\n{told}\nVERDICT termination {verdict}\n");
    Response { code, output: output.into_bytes(), errors: Vec::new() }
}

fn unknown(reason: &str) -> Response {
    respond(exit::UNKNOWN, &format!("unknown({reason})"), &[reason.to_owned()])
}

fn text(its: &Its, poly: &Poly) -> String {
    poly.display(|var| its.vars.get(var.index()).cloned().unwrap_or_else(|| format!("input{}", var.index())))
}

/// What gets smaller, a line for each location.
fn describe_ranking(its: &Its, certificate: &TerminationCertificate) -> Vec<String> {
    let mut lines: Vec<(LocId, [Vec<String>; 2])> = Vec::new();
    for (cell, function, part) in certificate.functions() {
        let location = certificate.cells[cell].location;
        let at = lines.iter().position(|(known, _)| *known == location).unwrap_or_else(|| {
            lines.push((location, Default::default()));
            lines.len() - 1
        });
        let told = text(its, &Poly::from(function));
        let parts = &mut lines[at].1[usize::from(part == Part::OneOf)];
        if !parts.contains(&told) {
            parts.push(told);
        }
    }
    let line = |(location, [ordered, one_of]): (LocId, [Vec<String>; 2])| {
        let ordered = (!ordered.is_empty()).then(|| format!("({}) gets smaller", ordered.join(", ")));
        let related = (!one_of.is_empty())
            .then(|| format!("one of {} gets smaller in each sequence of turns", one_of.join(", ")));
        let parts: Vec<String> = ordered.into_iter().chain(related).collect();
        format!("{}: {}", its.locations[location], parts.join(", then "))
    };
    lines.into_iter().map(line).collect()
}

/// How an endless run begins, and what holds in it again and again.
fn endless(its: &Its, set: &RecurrentSet) -> Vec<String> {
    let start: Vec<String> =
        its.vars.iter().zip(&set.initial).map(|(name, value)| format!("{name} = {value}")).collect();
    let atom = |atom: &Atom| {
        let sign = match atom.sign {
            Sign::NonNegative => ">=",
            Sign::Zero => "=",
        };
        format!("{} {sign} 0", text(its, &atom.poly))
    };
    let states = set.states.iter().map(|(location, atoms)| {
        let atoms: Vec<String> = atoms.iter().map(atom).collect();
        format!("{}: {} again and again", its.locations[*location], atoms.join(" and "))
    });
    let stem = format!("from {} in {} steps", start.join(", "), set.stem.len());
    std::iter::once(stem).chain(states).collect()
}

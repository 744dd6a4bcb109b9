//! The answer for people: one paragraph a question, then one line a verdict.

use belay_evidence::{Assumption, Counterexample, Fact, Proof, RankedLoop, Task, Verdict};
use belay_expression::in_c;
use belay_ir::{Externs, Property};

use crate::checks::render_checks;
use crate::excerpt::{excerpt, indent};
use crate::expressions::write_all;
use crate::findings::{Combined, Findings, NamedQuestion, explain, one_line};
use crate::headline::{Headline, headline};
use crate::invariants::invariants;
use crate::loops::render_loops;
use crate::story::tell;
use crate::words::place;

/// How much to say.
#[derive(Clone, Copy, Default, Debug)]
pub struct Style {
    /// The whole run of a counterexample rather than a screenful.
    pub verbose: bool,
    /// What the engines did.
    pub stats: bool,
}

/// The report as text.
pub fn render_text(findings: &Findings<'_>, style: Style) -> String {
    let program = findings.task.program;
    let mut text = String::new();
    for note in &program.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    for asked in findings.questions {
        text.push_str(&paragraph(findings, asked, style));
    }
    text.push_str(&render_checks(findings, style.verbose));
    text.push_str(&render_loops(findings, style.verbose));
    if style.stats {
        text.push_str(&stats(findings));
    }
    for asked in findings.questions {
        for line in findings.list_assumptions(asked) {
            let line = line.strip_prefix("assuming ").unwrap_or(&line);
            text.push_str(&format!("ASSUMING {} {line}\n", asked.name));
        }
    }
    for asked in findings.questions {
        text.push_str(&format!("VERDICT {} {}\n", asked.name, findings.answer(asked).verdict()));
    }
    text
}

/// The answer where the analysis gave none.
pub fn render_unknown(questions: &[NamedQuestion], reason: &str, json: bool) -> String {
    let reason = one_line(reason);
    if json {
        return crate::json::render_unknown(questions, &reason);
    }
    questions.iter().map(|asked| format!("VERDICT {} unknown({reason})\n", asked.name)).collect()
}

/// What is said about a question.
pub fn paragraph(findings: &Findings<'_>, asked: &NamedQuestion, style: Style) -> String {
    let program = findings.task.program;
    match findings.answer(asked) {
        Combined::True(verdicts) => {
            let mut text = format!("{}: true\n", asked.name);
            for line in proofs(findings, &verdicts) {
                text.push_str(&format!("  {line}\n"));
            }
            text + "\n"
        }
        Combined::False(verdict, counterexample) => {
            let story = tell(findings.task, counterexample, style.verbose);
            format!("{}{}\n", first_lines(findings.task, asked, verdict, counterexample), indent(&story, 2))
        }
        Combined::Unknown(verdict, unknown) => {
            let part = if asked.properties.len() > 1 { format!(" ({})", verdict.property()) } else { String::new() };
            let place = indent(&excerpt(program, unknown.span), 2);
            format!("{}: unknown{part}\n  {}\n{place}\n", asked.name, explain(unknown))
        }
    }
}

fn first_lines(task: &Task<'_>, asked: &NamedQuestion, verdict: &Verdict, counterexample: &Counterexample) -> String {
    let program = task.program;
    let id = match counterexample.violation.as_ref().and_then(|violation| violation.obligation) {
        Some(obligation) => program.obligation_name(obligation),
        None => format!("program.{}", verdict.property()),
    };
    let Headline { what, span, .. } = headline(task, counterexample);
    let place = indent(&excerpt(program, span), 2);
    format!("{}: false ({}) [{id}]\n  {what}\n{place}", asked.name, verdict.property())
}

/// Why the parts of a question hold, each reason once.
fn proofs(findings: &Findings<'_>, verdicts: &[&Verdict]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for verdict in verdicts {
        let belay_evidence::Answer::True(proof) = verdict.answer() else { continue };
        let proof = std::iter::once(describe_proof(verdict.property(), proof));
        for line in
            proof.chain(list_known(findings, verdict)).chain(ranks(findings, verdict)).chain(assumptions(verdict))
        {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// A proof in a line.
pub fn describe_proof(property: Property, proof: &Proof) -> String {
    match proof {
        Proof::Execution => "the program takes no input, and its only run was made".to_owned(),
        Proof::NoObligation => format!("nothing that can be reached could violate {property}"),
        Proof::CountedLoops(loops) if loops.is_empty() => "there is neither loop nor recursion".to_owned(),
        Proof::CountedLoops(_) => "no recursion, and every loop is counted".to_owned(),
        Proof::Loops(_) => "no recursion, and every loop ends whatever the others do".to_owned(),
        Proof::Unrolled(unrolled) => {
            let bounds = &unrolled.bounds;
            let k = bounds.of.values().copied().max().unwrap_or(bounds.default);
            format!("all runs are within {k} rounds of each loop, and none violates {property}")
        }
        Proof::Induction(induction) if induction.parts.is_some() => {
            let loops = induction.cutting.cuts.len();
            format!("by {loops} summar{} of loops, checked one by one", if loops == 1 { "y" } else { "ies" })
        }
        Proof::Induction(induction) => {
            let (k, loops) = (induction.cutting.k, induction.cutting.cuts.len());
            format!("by {k}-induction over {loops} loop{}, checked", if loops == 1 { "" } else { "s" })
        }
        Proof::Descent(descent) => {
            let loops = descent.rankings.len();
            format!("measures that descend in {loops} loop{}, checked", if loops == 1 { "" } else { "s" })
        }
        Proof::Graph(certificate) => {
            let places = certificate.states.len();
            let states: usize = certificate.states.values().map(Vec::len).sum();
            let cases = if states > places { format!(", {states} states") } else { String::new() };
            let plural = if places == 1 { "" } else { "s" };
            format!("a symbolic execution graph, checked ({places} cut point{plural}{cases})")
        }
        Proof::Given(given) => {
            let fact = |fact: &Fact| {
                let count = fact.obligations.len();
                format!(
                    "{count} check{} by {}",
                    if count == 1 { "" } else { "s" },
                    describe_proof(property, &fact.proof)
                )
            };
            let facts: Vec<String> = given.facts.iter().map(fact).collect();
            format!("{}; the rest {}", facts.join("; "), describe_proof(property, &given.proof))
        }
        Proof::Values(map) => {
            let functions = map.functions.iter().flatten().count();
            let plural = if functions == 1 { "" } else { "s" };
            format!("by what every value may be, each of {functions} function{plural} looked at once, checked")
        }
        Proof::Ranking(ranking) => {
            format!("ranking functions, checked ({} steps)", ranking.certificate.length())
        }
    }
}

/// What is known of each loop, a line each; once for all questions that rest on the same graph.
pub fn list_known(findings: &Findings<'_>, verdict: &Verdict) -> Vec<String> {
    let by_graph = |verdict: &Verdict| matches!(verdict.answer(), belay_evidence::Answer::True(Proof::Graph(_)));
    let first = findings.verdicts.iter().find(|verdict| by_graph(verdict)).map(Verdict::property);
    if by_graph(verdict) && first != Some(verdict.property()) {
        return Vec::new();
    }
    let invariants = invariants(findings.task, verdict);
    let mut lines: Vec<String> =
        invariants.iter().take(MAX_LOOPS).filter_map(|known| known.sentence(findings.task.simplified)).collect();
    if invariants.len() > MAX_LOOPS {
        lines.push(format!("… and {} more loops", invariants.len() - MAX_LOOPS));
    }
    lines
}

/// Loops whose invariants are shown.
const MAX_LOOPS: usize = 16;

/// What gets smaller, a line for each loop.
pub fn ranks(findings: &Findings<'_>, verdict: &Verdict) -> Vec<String> {
    let line = |ranked: &RankedLoop| {
        let at = place(findings.task.simplified, ranked.span).unwrap_or_else(|| ranked.function.clone());
        let ordered = match ranked.functions.as_slice() {
            [] => None,
            [one] => Some(format!("{} gets smaller", in_c(one))),
            several => Some(format!("({}) in lexicographic order gets smaller", write_all(several).join(", "))),
        };
        let related = one_of(ranked).map(|forms| format!("{forms} gets smaller whatever turns follow each other"));
        let parts: Vec<String> = ordered.into_iter().chain(related).collect();
        format!("{at}: terminates, {}", parts.join(", then "))
    };
    verdict.ranks().iter().map(line).collect()
}

/// What a transition invariant says of a loop: `one of x, y`.
pub fn one_of(ranked: &RankedLoop) -> Option<String> {
    match ranked.one_of.as_slice() {
        [] => None,
        [form] => Some(in_c(form)),
        several => Some(format!("one of {}", write_all(several).join(", "))),
    }
}

/// What a proof takes for granted, a line each.
pub fn assumptions(verdict: &Verdict) -> Vec<String> {
    verdict.assumptions().iter().map(describe_assumption).collect()
}

/// How the line of a proof begins that speaks of no run; who reads the lines of another run of Belay knows it by this.
pub const OF_NO_RUN: &str = "of no run";

/// An assumption in a line.
pub fn describe_assumption(assumption: &Assumption) -> String {
    match assumption {
        Assumption::MemorySafety => "assuming memory safety".to_owned(),
        Assumption::Arguments => "assuming that argc is at least 1 (--argc-may-be-zero)".to_owned(),
        Assumption::SmallBlocks => "assuming that no block has more than 2^56 bytes".to_owned(),
        Assumption::NotRechecked(reason) => format!("not re-checked: {reason}"),
        Assumption::EveryRunAssumedAway => {
            format!("{OF_NO_RUN}: each ends at an assumption that does not hold, so that this says nothing")
        }
        Assumption::Replaced(names) => format!(
            "assuming that these, which are taken by their contracts, return, leave no heap block behind that is lost and leave the state of the library (errno, streams) as it is: {}",
            names.join(", ")
        ),
        Assumption::Constants(names) => {
            format!("assuming that these, which are declared const, are not written where their addresses went: {}", names.join(", "))
        }
        Assumption::LibraryStart => {
            "assuming that what the library remembers (streams and the like; errno is any number) is as at the start of a program where the function is called".to_owned()
        }
        Assumption::Externs(Externs::Pure | Externs::Refuse, names) => {
            format!("assuming that these return and change nothing: {}", names.join(", "))
        }
        Assumption::Externs(Externs::Havoc, names) => format!(
            "assuming that these return (declared noreturn: end the run), free nothing, keep no pointer, call nothing of the program, leave the state of the library (streams) as it is and write nothing that is const: {}",
            names.join(", ")
        ),
    }
}

fn stats(findings: &Findings<'_>) -> String {
    let mut text = String::new();
    for (engine, time) in findings.stats {
        text.push_str(&format!("stats: {engine} {:.3} s\n", time.as_secs_f64()));
    }
    for (solver, count, time) in findings.queries {
        text.push_str(&format!("stats: {solver} answered {count} questions in {:.3} s\n", time.as_secs_f64()));
    }
    text + &format!("stats: total {:.3} s\n\n", findings.elapsed.as_secs_f64())
}

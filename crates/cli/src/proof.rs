//! `--proof FILE`: what is stored is tried before anything is searched for, and what is proved is stored.

use std::path::Path;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_evidence::{Checker, Evidence, Proof, Refusal, Refutations, Selection, Task, Verdict};
use belay_ir::Property;
use belay_proofs::{Effort, Header, Origin, ProofFile, StoredClaim, StoredOpen};
use belay_report::{Findings, describe_assumption};
use clap::ValueEnum;

use crate::arguments::{CheckOptions, ProgramOptions, RuleOptions};

/// What a stored proof still shows.
#[derive(Default)]
pub struct Known {
    /// Of whole properties.
    pub properties: Vec<Verdict>,
    /// Of groups of checks.
    pub groups: Vec<Verdict>,
    /// What is as open as it was.
    pub open: Vec<Verdict>,
    /// What is to be said about it.
    pub notes: String,
}

/// Tries what is stored, if there is a file. One that can't be used is no failure: everything is searched for then.
pub fn try_stored(
    file: &Path,
    task: &Task<'_>,
    origin: &Origin,
    wanted: &[Property],
    effort: &Effort,
    budget: &Budget,
) -> Known {
    let Ok(text) = std::fs::read_to_string(file) else { return Known::default() };
    let note = |what: String| format!("belay: note: {}: {what}\n", file.display());
    let read = Header::read(&text).and_then(|header| header.claims(task).map(|claims| (header, claims)));
    let (header, (stored, left_out)) = match read {
        Ok(read) => read,
        Err(bad) => return Known { notes: note(format!("not used: {bad}")), ..Known::default() },
    };
    let mut known = Known::default();
    let mut refused = left_out.len();
    let checker = Checker::new(task, budget);
    for stored in stored.claims.into_iter().filter(|stored| wanted.contains(&stored.claim.property)) {
        let group = stored.asked.is_some();
        match check_claim(task, &checker, stored, None, budget) {
            Ok(verdict) if group => known.groups.push(verdict),
            Ok(verdict) => known.properties.push(verdict),
            Err(_) => refused += 1,
        }
    }
    for run in stored.runs.into_iter().filter(|run| wanted.contains(&run.property)) {
        match checker.check_stored(run) {
            Ok(verdict) => known.properties.push(verdict),
            Err(_) => refused += 1,
        }
    }
    let changes = header.origin.changes(origin);
    if changes.is_empty() && refused == 0 {
        let open = stored.open.map(|open| open.verdicts(task, effort)).unwrap_or_default();
        let is_open = |verdict: &Verdict| known.properties.iter().all(|one| one.property() != verdict.property());
        known.open = open.into_iter().filter(|one| wanted.contains(&one.property()) && is_open(one)).collect();
    }
    known.notes = changes.into_iter().map(|change| note(change.to_string())).collect();
    let held = known.properties.len() + known.groups.len();
    known.notes.push_str(&note(format!("{held} of {} stored claims hold", held + refused)));
    if !known.open.is_empty() {
        let what = "what was open is left open: nothing has changed (a higher --time-limit searches again)";
        known.notes.push_str(&note(what.to_owned()));
    }
    known
}

/// Checks a claim from a file; one about some obligations on the copy of the program that asks about no others.
pub fn check_claim(
    task: &Task<'_>,
    checker: &Checker<'_>,
    stored: StoredClaim,
    refutations: Option<&Refutations>,
    budget: &Budget,
) -> Result<Verdict, Refusal> {
    let Some(asked) = &stored.asked else { return checker.check_stored(stored.claim) };
    let selection = Selection::of(task, asked);
    let task = selection.task(task);
    let checker = Checker::new(&task, budget);
    match refutations {
        Some(known) => checker.with_refutations(known).check_stored(stored.claim),
        None => checker.check_stored(stored.claim),
    }
}

/// Time for refutations, at most: without them the next check of the file takes longer, and that is all.
const REFUTING: Duration = Duration::from_secs(3);

/// Looks for refutations of what the claims come down to.
fn record_refutations(task: &Task<'_>, file: &ProofFile, budget: &Budget) {
    let time = budget.time_left().map_or(REFUTING, |left| left.min(REFUTING));
    let budget = Budget::unlimited().until(Instant::now() + time);
    for StoredClaim { claim, asked, .. } in &file.claims {
        let asks_a_solver = match &claim.evidence {
            Evidence::Proof(Proof::Unrolled(_) | Proof::Induction(_) | Proof::Descent(_) | Proof::Given(_)) => true,
            Evidence::Proof(
                Proof::Execution
                | Proof::NoObligation
                | Proof::CountedLoops(_)
                | Proof::Loops(_)
                | Proof::Ranking(_)
                | Proof::Graph(_)
                | Proof::Values(_),
            )
            | Evidence::Run(_)
            | Evidence::RecurrentSet(_)
            | Evidence::Unending(_) => false,
        };
        if asks_a_solver && budget.check_clock().is_ok() {
            match asked {
                None => Checker::record_refutations(task, claim.clone(), &file.refutations, &budget),
                Some(asked) => {
                    let selection = Selection::of(task, asked);
                    let task = selection.task(task);
                    Checker::record_refutations(&task, claim.clone(), &file.refutations, &budget);
                }
            }
        }
    }
}

/// How hard this search is.
pub fn effort(options: &CheckOptions) -> Effort {
    // Beyond what a file may say, nothing is told apart.
    const MOST: u64 = 1 << 20;
    let CheckOptions { unwind, call_depth, each_check, each_loop, engines, domain, no_k_induction, .. } = options;
    let engines: Vec<String> = engines.iter().map(name).collect();
    let domain = domain.map(|domain| domain.name());
    Effort {
        seconds: u32::try_from(options.time_limit.min(MOST)).unwrap_or(u32::MAX),
        mebibytes: u32::try_from(options.memory_limit.min(MOST)).unwrap_or(u32::MAX),
        search: format!(
            "{unwind:?} {call_depth:?} {each_check} {each_loop} {} {domain:?} {no_k_induction}",
            engines.join(",")
        ),
    }
}

/// Writes what was proved, what was violated, and what was left open.
pub fn write(
    file: &Path,
    findings: &Findings<'_>,
    origin: &Origin,
    effort: Option<Effort>,
    budget: &Budget,
) -> Result<(), String> {
    let describe = |verdict: &Verdict| verdict.assumptions().iter().map(describe_assumption).collect();
    let mut proved = ProofFile::new(
        findings.verdicts,
        findings.checks.unwrap_or_default(),
        findings.loops.unwrap_or_default(),
        describe,
    )
    .with_runs(findings.verdicts);
    if proved.is_empty() {
        return Err("note: nothing is proved: no proof is written".to_owned());
    }
    proved.open = effort.map(|effort| StoredOpen::new(findings.task, findings.verdicts, effort));
    if let Some(earlier) = std::fs::read_to_string(file).ok().and_then(|text| Header::read(&text).ok()) {
        proved.refutations = Refutations::after(&earlier.refutations());
    }
    record_refutations(findings.task, &proved, budget);
    let text = proved.print(findings.task, origin);
    std::fs::write(file, text).map_err(|error| format!("error: cannot write {}: {error}", file.display()))
}

/// The options that a proof stores.
pub fn stored_options(program: &ProgramOptions, rules: &RuleOptions) -> Vec<String> {
    let ProgramOptions {
        files: _,
        target,
        chosen: _,
        data_model,
        database,
        function,
        strings,
        arrays,
        objects,
        nullable,
        preconditions,
        enforce,
        replace,
        check_alignment,
        rules: reading,
        externs,
        endless_input,
        surroundings,
        stubs,
        removed,
        object_bits,
        nondet_static,
        flags,
    } = program;
    let RuleOptions { integers, malloc_may_fail, argc_may_be_zero, huge_allocations_succeed } = rules;
    let mut options = vec![
        types_of(target.as_deref(), data_model),
        enforce.as_ref().map_or_else(|| format!("--function={function}"), |name| format!("--enforce={name}")),
        format!("--rules={}", name(reading)),
        format!("--object-bits={object_bits}"),
        format!("--integers={}", name(integers)),
    ];
    options.extend(externs.iter().map(|externs| format!("--externs={}", name(externs))));
    options.extend(strings.iter().map(|string| format!("--string={string}")));
    options.extend(arrays.iter().map(|array| format!("--array={array}")));
    options.extend(objects.iter().map(|place| format!("--object={place}")));
    options.extend(nullable.iter().map(|place| format!("--nullable={place}")));
    options.extend(preconditions.iter().map(|condition| format!("--precondition={condition}")));
    options.extend(replace.iter().map(|function| format!("--replace={function}")));
    options.extend(stubs.iter().map(|file| format!("--stubs={}", file.display())));
    options.extend(removed.iter().map(|function| format!("--remove-body={function}")));
    let switches = [
        (*nondet_static, "--nondet-static"),
        (*check_alignment, "--check-alignment"),
        (*endless_input, "--endless-input"),
        (*malloc_may_fail, "--malloc-may-fail"),
        (*argc_may_be_zero, "--argc-may-be-zero"),
        (*huge_allocations_succeed, "--huge-allocations-succeed"),
    ];
    options.extend(switches.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name.to_owned()));
    options.extend(surroundings.stored());
    options.extend(database.iter().map(|database| format!("-p={}", database.display())));
    if !flags.is_empty() {
        options.push("--".to_owned());
        options.extend(flags.iter().cloned());
    }
    options
}

/// The machine that the program is for.
fn types_of(target: Option<&str>, data_model: &impl ValueEnum) -> String {
    target.map_or_else(|| format!("--data-model={}", name(data_model)), |triple| format!("--target={triple}"))
}

fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// What a proof was made from.
pub fn origin(task: &Task<'_>, program: &ProgramOptions, rules: &RuleOptions) -> Origin {
    let files = program.files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    Origin::new(task.program, files, stored_options(program, rules))
}

//! `belay recheck`: a stored proof checked again by the checkers alone.
//!
//! The options come from the file, so that the program is read as it was. Flags for clang do not, beyond those that only look for headers and define macros: clang loads
//! code that some of its flags name, and the file may be anybody's.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_evidence::{Checker, LoopVerdict, Refusal, Task, Verdict};
use belay_proofs::{Header, ProofFile};
use belay_report::describe_assumption;
use clap::Parser;

use crate::arguments::{RecheckOptions, StoredOptions};
use crate::failure::{exit, failure};
use crate::sandbox::{Died, Progress, Response, SandboxLimits, in_child};
use crate::{contracted, proof, source};

/// Checks a proof again.
pub fn recheck(options: &RecheckOptions) -> Response {
    let limits = SandboxLimits { seconds: options.time_limit, mebibytes: options.memory_limit };
    match in_child(limits, |progress| recheck_file(options, progress)) {
        Ok(response) => response,
        Err(Died::Time) => failure(exit::UNKNOWN, "time limit reached: the proof is not confirmed"),
        Err(Died::Memory) => failure(exit::UNKNOWN, "memory limit reached: the proof is not confirmed"),
        Err(Died::Interrupted) => failure(exit::INTERRUPTED, "interrupted: the proof is not confirmed"),
        Err(Died::Crash(what)) => failure(exit::INTERNAL, &format!("internal error: {what}")),
    }
}

fn recheck_file(options: &RecheckOptions, progress: &mut Progress) -> Response {
    let start = Instant::now();
    let text = match std::fs::read_to_string(&options.file) {
        Ok(text) => text,
        Err(error) => return failure(exit::INPUT, &format!("{}: {error}", options.file.display())),
    };
    let unfit = |why: String| failure(exit::INPUT, &format!("{}: {why}", options.file.display()));
    let header = match Header::read(&text) {
        Ok(header) => header,
        Err(bad) => return unfit(bad.to_string()),
    };
    let stored = match options_of(options, &header) {
        Ok(stored) => stored,
        Err(why) => return unfit(why),
    };
    progress.say("reading the program");
    let program = match source::load(&stored.program) {
        Ok(program) => program,
        Err(response) => return response,
    };
    let mut simplified = program.clone();
    if let Err(error) = belay_passes::pipeline(&mut simplified, stored.rules.integers.into()) {
        return failure(exit::INTERNAL, &format!("a pass broke the program: {error}"));
    }
    let config = source::entry(&program, &stored.program)
        .and_then(|entry| source::config(&program, entry, &stored.program, &stored.rules, options.memory_limit));
    let config = match config {
        Ok(config) => config,
        Err(response) => return response,
    };
    let task = Task { program: &program, simplified: &simplified, config };
    let read = start.elapsed();
    let limit = Duration::from_secs(options.time_limit).mul_f64(0.9);
    let budget = Budget::unlimited().until(start + limit);
    progress.say("checking the proof");
    match header.claims(&task) {
        Err(bad) => unfit(bad.to_string()),
        Ok((file, left_out)) => {
            let mut report = Report::new(&header, &task, &stored);
            left_out.iter().for_each(|bad| report.refuse("a claim", &bad.to_string()));
            report.check(&task, file, &budget);
            if options.stats {
                let checking = start.elapsed().saturating_sub(read);
                report.text.push_str(&format!(
                    "reading {:.3} s, checking {:.3} s\n",
                    read.as_secs_f64(),
                    checking.as_secs_f64()
                ));
            }
            report.finish()
        }
    }
}

/// The options that the proof was made with, sources and flags those of the command line if there are any.
fn options_of(options: &RecheckOptions, header: &Header) -> Result<StoredOptions, String> {
    let given = header.origin.options().iter().cloned();
    let parsed = StoredOptions::try_parse_from(std::iter::once("belay".to_owned()).chain(given));
    let mut stored = parsed.map_err(|_| "its options are none of Belay's".to_owned())?;
    if !stored.program.files.is_empty() {
        return Err("its options are none of Belay's".to_owned());
    }
    source::choose_target(&mut stored.program).map_err(|_| "clang knows nothing of its target".to_owned())?;
    stored.program.files = header.origin.files().iter().map(PathBuf::from).collect();
    let own_flags = std::mem::take(&mut stored.program.flags);
    let own_database = stored.program.database.take();
    if !options.sources.is_empty() {
        stored.program.files.clone_from(&options.sources);
    }
    if options.database.is_some() {
        stored.program.database.clone_from(&options.database);
    } else if own_database.is_some() {
        return Err("it was made with a compilation database: say which with -p".to_owned());
    }
    let is_harmless = |flag: &String| ["-I", "-D", "-U", "-std="].iter().any(|prefix| flag.starts_with(prefix));
    stored.program.flags = match options.flags.is_empty() {
        false => options.flags.clone(),
        true if own_flags.iter().all(is_harmless) => own_flags,
        true => {
            let flags = own_flags.join(" ");
            return Err(format!("it was made with flags that are not taken from a file: say them after -- ({flags})"));
        }
    };
    Ok(stored)
}

/// What is said in the end.
struct Report {
    text: String,
    accepted: usize,
    refused: usize,
}

impl Report {
    fn new(header: &Header, task: &Task<'_>, stored: &StoredOptions) -> Report {
        let origin = &header.origin;
        let now = proof::origin(task, &stored.program, &stored.rules);
        let (functions, globals) = origin.size();
        let mut text = format!(
            "a proof by version {} about {functions} functions and {globals} static objects\n  {}\n",
            origin.version(),
            origin.options().join(" ")
        );
        let changes = origin.changes(&now);
        if changes.is_empty() {
            text.push_str("  nothing has changed since\n");
        }
        changes.iter().for_each(|change| text.push_str(&format!("  changed: {change}\n")));
        Report { text, accepted: 0, refused: 0 }
    }

    fn accept(&mut self, what: &str, how: &str) {
        self.accepted += 1;
        self.text.push_str(&format!("{what}: accepted{how}\n"));
    }

    fn refuse(&mut self, what: &str, why: &str) {
        self.refused += 1;
        self.text.push_str(&format!("{what}: refused: {why}\n"));
    }

    fn check(&mut self, task: &Task<'_>, file: ProofFile, budget: &Budget) {
        let known = &file.refutations;
        let checker = Checker::new(task, budget).with_refutations(known);
        let mut verdicts: Vec<(String, Verdict, Vec<String>)> = Vec::new();
        for stored in file.claims {
            let property = stored.claim.property;
            let what = match &stored.asked {
                None => property.to_string(),
                Some(asked) => format!("{property} ({} checks)", asked.len()),
            };
            if stored.is_of_others {
                self.text.push_str(&format!("  changed: the obligations of {property}\n"));
            }
            let assumed = stored.assumptions.clone();
            match proof::check_claim(task, &checker, stored, Some(known), budget) {
                Ok(verdict) => verdicts.push((what, verdict, assumed)),
                Err(refusal) => self.refuse(&what, &reason(&refusal)),
            }
        }
        let whole = |verdict: &&(String, Verdict, Vec<String>)| verdict.1.asked().is_none();
        let proved: Vec<Verdict> = verdicts.iter().filter(whole).map(|(_, verdict, _)| verdict.clone()).collect();
        // A file need not hold the claim that clauses of contracts are kept; without it nothing else counts.
        let clauses_hold = contracted::clauses_hold(task.program, &proved);
        for (what, verdict, assumed) in verdicts {
            if !clauses_hold {
                self.refuse(&what, contracted::WITHHELD);
                continue;
            }
            let verdict = verdict.with_memory_safety_proved(&proved);
            let now: Vec<String> = verdict.assumptions().iter().map(describe_assumption).collect();
            let new: Vec<String> = now.into_iter().filter(|assumption| !assumed.contains(assumption)).collect();
            let all: Vec<String> = assumed.into_iter().chain(new).collect();
            let how = if all.is_empty() { String::new() } else { format!(", {}", all.join(", ")) };
            self.accept(&what, &how);
        }
        for stored in file.loops.into_iter().filter(|_| clauses_hold) {
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                LoopVerdict::ends(task, stored.place, &stored.proof, budget)
            }));
            let what = format!("a loop of {}", task.simplified.functions[stored.place.function].name);
            match checked {
                Ok(Ok(_)) => self.accept(&what, ""),
                Ok(Err(why)) => self.refuse(&what, &why),
                Err(_) => self.refuse(&what, "it speaks of what the program does not have"),
            }
        }
    }

    fn finish(mut self) -> Response {
        let (accepted, all) = (self.accepted, self.accepted + self.refused);
        self.text.push_str(&format!("RECHECK {accepted} of {all} accepted\n"));
        let code = if self.refused == 0 && accepted > 0 { exit::PROVED } else { exit::UNKNOWN };
        Response { code, output: self.text.into_bytes(), errors: Vec::new() }
    }
}

fn reason(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Rejected(why) | Refusal::Unconfirmed(why) => why.clone(),
        Refusal::Disputed => refusal.to_string(),
    }
}

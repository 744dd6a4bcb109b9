//! One program checked: what is read, what is known already, what the engines find, and what is written of it.

use std::time::{Duration, Instant};

use belay_base::{Budget, Exhausted, Span};
use belay_engines::{
    EngineName, Options as EngineOptions, Progress as SessionProgress, Session, SessionStats, bmc::verify_within,
    verify_each_check, verify_each_loop,
};
use belay_evidence::{Answer, Task, Verdict, Within};
use belay_ir::{Program, Property};
use belay_proofs::Origin;
use belay_report::{Findings, NamedQuestion};
use belay_rules::Config;

use super::{join_verdicts, needed_properties, respond, without_empty_proofs, write_page, write_witness};
use crate::arguments::CheckOptions;
use crate::failure::{exit, failure};
use crate::proof::Known;
use crate::sandbox::{Progress, Response};
use crate::undescribed::Gap;
use crate::{contracted, described, proof, replay, source, undescribed};

/// Of a hundred parts of the time, what the session gets where single checks or loops come after it.
const SESSION_SHARE: u32 = 40;

/// What is checked.
pub(super) struct Subject {
    program: Program,
    simplified: Program,
    config: Config,
    /// What the description of an entry leaves open.
    gap: Option<Gap>,
    /// What is taken for granted of places that are described.
    taken: Option<String>,
}

impl Subject {
    /// Reads the program, or says why it can't be.
    pub(super) fn read(options: &CheckOptions) -> Result<Subject, Response> {
        let mut program = source::load(&options.program)?;
        let mut entry = source::entry(&program, &options.program)?;
        let bare = undescribed::load(&program, entry, &options.program);
        let pointer_bytes = usize::from(program.layout.pointer_bits() / 8);
        let places = described::is_stated(&options.program).then_some(Gap::Places(pointer_bytes));
        let gap = bare.map(|bare| {
            (program, entry) = (bare.program, bare.entry);
            Gap::Parameter(bare.pointer)
        });
        let mut simplified = program.clone();
        belay_passes::pipeline(&mut simplified, options.rules.integers.into())
            .map_err(|error| failure(exit::INTERNAL, &format!("a pass broke the program: {error}")))?;
        let config = source::config(&program, entry, &options.program, &options.rules, options.memory_limit)?;
        let taken = described::taken(&options.program);
        Ok(Subject { program, simplified, config, gap: gap.or(places), taken })
    }
}

/// One run of the command.
pub(super) struct Verification<'r> {
    options: &'r CheckOptions,
    questions: &'r [NamedQuestion],
    subject: &'r Subject,
    task: Task<'r>,
    start: Instant,
    budget: Budget,
    engines: EngineOptions,
}

impl<'r> Verification<'r> {
    /// Nothing is known yet.
    pub(super) fn new(
        options: &'r CheckOptions,
        questions: &'r [NamedQuestion],
        subject: &'r Subject,
        start: Instant,
    ) -> Self {
        let Subject { program, simplified, config, .. } = subject;
        let task = Task { program, simplified, config: config.clone() };
        // The answer is printed before the limit, not at it.
        let limit = Duration::from_secs(options.time_limit).mul_f64(0.9);
        let budget = Budget::unlimited().until(start + limit).within(options.memory_limit << 20);
        let mut engines = EngineOptions { threads: options.threads(), ..EngineOptions::default() };
        if !options.engines.is_empty() {
            engines.engines = Some(options.engines.iter().map(|name| EngineName::from(*name)).collect());
        }
        engines.kiki.domain = options.domain;
        engines.kiki.k_induction = !options.no_k_induction;
        Self { options, questions, subject, task, start, budget, engines }
    }

    /// Asks, and says and writes what came of it.
    pub(super) fn run(&self, progress: &mut Progress) -> Response {
        let (options, program) = (self.options, &self.subject.program);
        let origin = options.proof.as_ref().map(|_| proof::origin(&self.task, &options.program, &options.rules));
        let Known { properties: mut known, groups, open, notes } = self.read_stored(origin.as_ref(), progress);
        if !self.asks_by_parts() {
            known.extend(open);
        }
        let (found, stats) = self.find(&known, progress);
        let mut verdicts = join_verdicts(known, found, &needed_properties(self.questions));
        verdicts = contracted::withhold(program, verdicts);
        if let Some(gap) = &self.subject.gap {
            verdicts = undescribed::withhold(verdicts, gap);
        }
        // What single checks and loops come to would rest on clauses that may fail.
        let by_themselves = contracted::clauses_hold(program, &verdicts);
        let checks = (options.each_check && by_themselves).then(|| {
            progress.say("each check");
            verify_each_check(&self.task, &mut verdicts, groups, &self.engines, &self.budget)
        });
        let termination = verdicts.iter().find(|verdict| verdict.property() == Property::Termination);
        let loops = termination.filter(|_| options.each_loop && by_themselves).map(|termination| {
            progress.say("each loop");
            verify_each_loop(&self.task, termination, &self.budget)
        });
        let verdicts = match without_empty_proofs(&self.task, &options.program, verdicts, &self.budget) {
            Ok(verdicts) => verdicts,
            Err(response) => return response,
        };
        let found = self.findings(&verdicts);
        let (stats, queries) = (&stats.engines[..], &stats.queries[..]);
        let findings = Findings { checks: checks.as_deref(), loops: loops.as_deref(), stats, queries, ..found };
        let mut response = respond(options, &findings);
        response.errors.extend(notes.into_bytes());
        response.errors.extend(undescribed::advise(&verdicts, self.subject.gap.as_ref()));
        if self.asks_by_parts() && !by_themselves {
            let note = "belay: note: no answers by check or loop, as some clause of a contract may fail\n";
            response.errors.extend(note.as_bytes());
        }
        self.write(&findings, origin.as_ref(), &mut response);
        response
    }

    /// Whether single checks or loops are asked about.
    fn asks_by_parts(&self) -> bool {
        self.options.each_check || self.options.each_loop
    }

    /// What a stored proof shows, if there is one.
    fn read_stored(&self, origin: Option<&Origin>, progress: &mut Progress) -> Known {
        let known = self.options.proof.as_ref().zip(origin).map(|(file, origin)| {
            progress.say("the stored proof");
            let (asked, effort) = (needed_properties(self.questions), proof::effort(self.options));
            proof::try_stored(file, &self.task, origin, &asked, &effort, &self.budget)
        });
        known.unwrap_or_default()
    }

    /// Asks the engines about what is not known.
    fn find(&self, known: &[Verdict], progress: &mut Progress) -> (Vec<Verdict>, SessionStats) {
        let is_open = |property: &Property| known.iter().all(|verdict| verdict.property() != *property);
        let open: Vec<Property> = needed_properties(self.questions).into_iter().filter(is_open).collect();
        if let Some(rounds) = self.options.unwind {
            let within = Within::searched(rounds, self.options.call_depth.unwrap_or(rounds));
            progress.say("bmc");
            return (verify_within(&self.task, &open, within, &self.budget), SessionStats::default());
        }
        // What has to be asked as well is part of each question: a violation answers without it.
        let asked_with =
            |question: &NamedQuestion| contracted::properties(&self.subject.program, question.properties.clone());
        let together = self.questions.iter().map(asked_with).collect();
        // What single checks need comes after what the session says of all of them.
        let first = self.budget.share(if self.asks_by_parts() { SESSION_SHARE } else { 100 }, u64::MAX);
        let mut properties = contracted::properties(&self.subject.program, open);
        if self.subject.gap.is_some() {
            properties = undescribed::properties(properties);
        }
        let session = Session::new(&self.task, &properties, self.engines.clone(), &first).with_questions(together);
        // What is found there counts only once all is known.
        let is_final = self.subject.gap.is_none() && !self.subject.program.checks_contracts;
        session.verify(&mut |news| match news {
            SessionProgress::Engine { name, decided, checks } => {
                progress.say_decided(decided, checks);
                progress.say(name);
            }
            SessionProgress::Answered(verdicts) if is_final => say_answered(progress, verdicts),
            SessionProgress::Known { verdicts, open } if is_final => {
                let so_far = |reason: &str| self.respond_so_far(known, verdicts, open, reason);
                progress.keep(&so_far("time or memory limit reached"), &so_far("interrupted"));
            }
            SessionProgress::Answered(_) | SessionProgress::Known { .. } => {}
        })
    }

    /// The answer if nothing more is found.
    fn respond_so_far(&self, known: &[Verdict], verdicts: &[Verdict], open: &[Property], reason: &str) -> Response {
        let open = open.iter().map(|property| Verdict::unknown(*property, reason, Span::NONE));
        let verdicts = verdicts.iter().cloned().chain(open).collect();
        let verdicts = join_verdicts(known.to_vec(), verdicts, &needed_properties(self.questions));
        respond(self.options, &self.findings(&verdicts))
    }

    /// What is found, without answers by parts and without statistics.
    fn findings<'f>(&'f self, verdicts: &'f [Verdict]) -> Findings<'f> {
        let (task, questions, taken) = (&self.task, self.questions, self.subject.taken.as_deref());
        let (checks, loops, stats, queries) = (None, None, &[][..], &[][..]);
        Findings { checks, loops, task, questions, verdicts, stats, queries, elapsed: self.start.elapsed(), taken }
    }

    /// Writes the files that were asked for.
    fn write(&self, findings: &Findings<'_>, origin: Option<&Origin>, response: &mut Response) {
        let options = self.options;
        let written = [
            options.witness.as_ref().map(|file| write_witness(options, file, findings)),
            options.proof.as_ref().zip(origin).map(|(file, origin)| {
                // Who interrupts has not searched.
                let searched = self.budget.check_clock() != Err(Exhausted::Interrupted);
                proof::write(file, findings, origin, searched.then(|| proof::effort(options)), &self.budget)
            }),
            options.html.as_ref().map(|file| write_page(file, findings)),
        ];
        for message in written.into_iter().flatten().filter_map(Result::err) {
            response.code = if message.starts_with("error") { exit::INPUT } else { response.code };
            response.errors.extend(format!("belay: {message}\n").into_bytes());
        }
        let Some(folder) = &options.replay else { return };
        match replay::write(options, folder, findings) {
            Ok(notes) => response.errors.extend(notes.into_bytes()),
            Err(message) => {
                response.code = exit::INPUT;
                response.errors.extend(format!("belay: error: {message}\n").into_bytes());
            }
        }
    }
}

/// Says what properties came to.
fn say_answered(progress: &mut Progress, verdicts: &[Verdict]) {
    for verdict in verdicts {
        let word = match verdict.answer() {
            Answer::True(_) => "true",
            Answer::False(_) => "false",
            Answer::Unknown(_) => continue,
        };
        progress.say_answered(verdict.property().name(), word);
    }
}

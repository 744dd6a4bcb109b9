//! Descriptions that are tried: each is proved or refuted by the engines, and conditions on numbers are looked for where runs violate something.

use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_engines::{Options as EngineOptions, Progress, Session};
use belay_evidence::{Answer, Assumption, Task, Verdict};
use belay_frontend::{Contracts, Entry, Stated};
use belay_ir::{Program, Property};
use belay_report::{because, describe_assumption};
use belay_rules::Choice;

use crate::arguments::CheckOptions;
use crate::contracted;
use crate::source;
use belay_callers::learn::{self, Condition};

/// Cases of a condition that are proved one by one, at most.
const MOST_CASES: usize = 4;

/// A description that was tried.
pub struct Tried {
    /// What callers keep.
    pub requires: Vec<String>,
    /// What came of it.
    pub verdicts: Vec<Verdict>,
}

impl Tried {
    /// Every property is proved.
    pub fn is_proved(&self) -> bool {
        self.verdicts.iter().all(|verdict| matches!(verdict.answer(), Answer::True(_)))
    }

    /// What the proofs take for granted, a line each; memory safety, which counts together with them, aside.
    pub fn assumptions(&self) -> Vec<String> {
        let all = self.verdicts.iter().flat_map(|verdict| verdict.assumptions());
        let mut lines: Vec<String> =
            all.filter(|one| **one != Assumption::MemorySafety).map(describe_assumption).collect();
        lines.sort();
        lines.dedup();
        lines
    }

    /// What is proved.
    pub fn proved(&self) -> Vec<Verdict> {
        self.verdicts.iter().filter(|verdict| matches!(verdict.answer(), Answer::True(_))).cloned().collect()
    }

    /// The properties that are not proved.
    pub fn open(&self) -> impl Iterator<Item = Property> {
        let open = self.verdicts.iter().filter(|verdict| !matches!(verdict.answer(), Answer::True(_)));
        open.map(|verdict| verdict.property())
    }

    /// The properties that are violated.
    pub fn violated(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|verdict| matches!(verdict.answer(), Answer::False(_)))
    }
}

/// What came of it, property by property.
pub fn summary(verdicts: &[Verdict]) -> String {
    let said = verdicts.iter().map(|verdict| {
        let how = match verdict.answer() {
            Answer::True(_) => "holds".to_owned(),
            Answer::False(_) => "violated".to_owned(),
            Answer::Unknown(unknown) => because(&unknown.reason).lines().next().unwrap_or_default().to_owned(),
        };
        format!("{} {how}", verdict.property().name())
    });
    said.collect::<Vec<_>>().join(", ")
}

/// A function that descriptions are tried of.
pub struct Trial<'a> {
    pub options: &'a CheckOptions,
    pub entry: &'a Entry,
    /// Places whose blocks the function must not free.
    pub alive: Vec<String>,
    /// Parameters that say how much there is where pointers lead.
    pub lengths: Vec<String>,
}

impl Trial<'_> {
    /// Proves or refutes properties under a description of which something is known.
    pub fn attempt(
        &self,
        properties: &[Property],
        (requires, known): (&[String], &[Verdict]),
        share: Duration,
    ) -> Result<Vec<Verdict>, String> {
        let program = self.load(requires)?;
        // Where nothing is said, all that is violated is wanted. Else numbers may still be missing, but under a description that lets an access go wrong nothing more is shown.
        let until = if requires.is_empty() { Until::Decided } else { Until::AccessViolated };
        let mut found = judge(self.options, &program, (properties, known), (share, until))?;
        found.retain(|verdict| known.iter().all(|other| other.property() != verdict.property()));
        Ok(found)
    }

    /// The places whose blocks are alive at the end, if that is shown: then they are not freed, wherever they come from.
    pub fn shown_alive(self, requires: &[String], share: Duration) -> Vec<String> {
        if self.alive.is_empty() {
            return Vec::new();
        }
        let asked = [Property::UnreachCall];
        let found = self.attempt(&asked, (requires, &[]), share).unwrap_or_default();
        let is_shown = |verdict: &Verdict| {
            verdict.property() == Property::UnreachCall && matches!(verdict.answer(), Answer::True(_))
        };
        if found.iter().any(is_shown) { self.alive } else { Vec::new() }
    }

    fn load(&self, requires: &[String]) -> Result<Program, String> {
        let name = self.entry.name.clone();
        let stated = Stated { requires: requires.to_vec(), any_globals: true, alive: self.alive.clone() };
        let contracts = Contracts { enforce: Some(name), stated: Some(stated), ..Contracts::default() };
        let source = source::source(&self.options.program, None, contracts);
        let mut program = belay_frontend::load(&source).map_err(|error| error.to_string())?;
        if let Some(entry) = program.function_named(belay_ir::ENTRY_BUILDER) {
            belay_passes::remove_uncalled(&mut program, entry);
        }
        Ok(program)
    }
}

/// When a program has been looked at enough.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// All is decided.
    Decided,
    /// Some access or free is violated: the rest is left open then.
    AccessViolated,
}

/// Proves or refutes properties of a program with an entry of its own. Where its clauses are among what is known to hold, they need not be shown again.
pub fn judge(
    options: &CheckOptions,
    program: &Program,
    (properties, known): (&[Property], &[Verdict]),
    (share, until): (Duration, Until),
) -> Result<Vec<Verdict>, String> {
    let start = Instant::now();
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, options.rules.integers.into()).map_err(|error| error.to_string())?;
    let entry = program.function_named(belay_ir::ENTRY_BUILDER).or_else(|| program.function_named("main"));
    let id = entry.ok_or("the entry is missing")?;
    let config = source::config(program, id, &options.program, &options.rules, options.memory_limit)
        .map_err(|_| "its configuration is wrong".to_owned())?;
    let task = Task { program, simplified: &simplified, config };
    let budget = Budget::unlimited().until(start + share);
    let engines = EngineOptions { threads: 1, ..EngineOptions::default() };
    let properties = contracted::properties(program, properties.to_vec());
    let is_violated = |verdict: &Verdict| {
        let property = verdict.property();
        matches!(verdict.answer(), Answer::False(_)) && matches!(property, Property::ValidDeref | Property::ValidFree)
    };
    let (verdicts, _) = Session::new(&task, &properties, engines, &budget).verify(&mut |progress| match progress {
        Progress::Answered(found) if until == Until::AccessViolated && found.iter().any(is_violated) => budget.cancel(),
        Progress::Answered(_) | Progress::Known { .. } | Progress::Engine { .. } => {}
    });
    let all = [known, &verdicts].concat();
    Ok(if contracted::clauses_hold(program, &all) { verdicts } else { contracted::withhold(program, verdicts) })
}

/// Looks for a condition on numbers under which what is violated is not.
pub fn with_numbers(
    trial: &Trial<'_>,
    properties: &[Property],
    tried: &Tried,
    (start, limit): (Instant, Duration),
) -> Option<Tried> {
    tried.violated().next()?;
    let (options, entry) = (trial.options, trial.entry);
    let program = trial.load(&tried.requires).ok()?;
    let id = program.function_named(belay_ir::ENTRY_BUILDER)?;
    let config = source::config(&program, id, &options.program, &options.rules, options.memory_limit).ok()?;
    let mut samples = learn::Samples::draw(&program, &config, entry, properties)?;
    let prober = learn::Prober::new(&program, &config, properties);
    tried.violated().for_each(|verdict| samples.add_violating(numbers_of(verdict)));
    samples.refine(&prober);
    for _ in 0..6 {
        let condition: Condition = samples.separate().filter(|condition| !condition.confines(&trial.lengths))?;
        let case = |atoms: Vec<String>| {
            let requires = [tried.requires.clone(), atoms].concat();
            let verdicts = trial.attempt(properties, (&requires, &[]), limit.div_f64(4.0)).ok()?;
            Some(Tried { requires, verdicts })
        };
        // A disjunction holds in the union of its cases: what is proved in each is proved.
        let open = condition
            .cases()
            .into_iter()
            .take(MOST_CASES + 1)
            .map(case)
            .find(|now| now.as_ref().is_none_or(|now| !now.is_proved()));
        if open.is_none() && condition.cases().len() <= MOST_CASES {
            let requires = [tried.requires.clone(), condition.clauses()].concat();
            return Some(Tried { requires, verdicts: Vec::new() });
        }
        let violating: Vec<Vec<i128>> = open??.violated().map(numbers_of).collect();
        if violating.is_empty() || start.elapsed() > limit {
            return None;
        }
        violating.into_iter().for_each(|numbers| samples.add_violating(numbers));
        samples.refine(&prober);
    }
    None
}

/// The numbers that a violating run was given, the entry's parameters first.
fn numbers_of(verdict: &Verdict) -> Vec<i128> {
    let Answer::False(found) = verdict.answer() else { return Vec::new() };
    let number = |choice: &Choice| match choice {
        Choice::Input(belay_rules::Scalar::Int { value, .. }) => i128::try_from(value.clone()).ok(),
        _ => None,
    };
    found.trace.choices.iter().map_while(number).collect()
}

/// The numbers that a violating run was given, by the names of the parameters.
pub fn given(entry: &Entry, verdict: &Verdict) -> String {
    let numbers = numbers_of(verdict);
    let named = entry.params.iter().filter(|param| learn::is_number(&param.desugared)).zip(numbers);
    let given: Vec<String> =
        named.map(|(param, number)| format!("{} = {}", param.name, learn::read_as(&param.desugared, number))).collect();
    if given.is_empty() { String::new() } else { format!(" with {}", given.join(", ")) }
}

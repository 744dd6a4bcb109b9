//! What there is to report: the questions, and the verdicts that answer them.

use std::time::Duration;

use belay_evidence::{Answer, Assumption, CheckVerdict, Counterexample, LoopVerdict, Task, Unknown, Verdict};
use belay_ir::Property;

use crate::expressions::because;
use crate::text::describe_assumption;

/// A question under one name: a property, or `memsafety`, which is three.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedQuestion {
    /// The name that it was asked by.
    pub name: &'static str,
    /// The properties behind it.
    pub properties: Vec<Property>,
}

/// Everything that was found out.
#[derive(Clone, Copy)]
pub struct Findings<'a> {
    /// What was verified.
    pub task: &'a Task<'a>,
    /// What was asked.
    pub questions: &'a [NamedQuestion],
    /// A verdict for each property behind the questions.
    pub verdicts: &'a [Verdict],
    /// Each check by itself, if somebody asked.
    pub checks: Option<&'a [CheckVerdict]>,
    /// Each loop by itself, if somebody asked.
    pub loops: Option<&'a [LoopVerdict]>,
    /// Which engine ran for how long.
    pub stats: &'a [(&'static str, Duration)],
    /// Which solver was asked how often, and how long its answers took.
    pub queries: &'a [(&'static str, u64, Duration)],
    /// The time since the start.
    pub elapsed: Duration,
    /// What the description of the entry function takes for granted of its callers.
    pub taken: Option<&'a str>,
}

/// An answer in one word, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Word {
    /// Proved.
    True,
    /// Not known.
    Unknown,
    /// Violated.
    False,
}

/// The answer to a question, made up of the verdicts behind it.
pub enum Combined<'a> {
    /// All hold.
    True(Vec<&'a Verdict>),
    /// This one is violated.
    False(&'a Verdict, &'a Counterexample),
    /// This one is open; none is violated.
    Unknown(&'a Verdict, &'a Unknown),
}

impl Combined<'_> {
    /// The answer in one word.
    pub fn word(&self) -> Word {
        match self {
            Combined::True(_) => Word::True,
            Combined::False(..) => Word::False,
            Combined::Unknown(..) => Word::Unknown,
        }
    }

    /// `true`, `false(valid-free)` or `unknown(reason)`, on one line.
    pub fn verdict(&self) -> String {
        match self {
            Combined::True(_) => "true".to_owned(),
            Combined::False(verdict, _) => format!("false({})", verdict.property()),
            Combined::Unknown(_, unknown) => format!("unknown({})", one_line(&explain(unknown))),
        }
    }
}

/// The reason, and how far nothing is violated.
pub fn explain(unknown: &Unknown) -> String {
    let Some(within) = unknown.within else { return because(&unknown.reason) };
    let (rounds, calls) = (within.rounds(), within.calls());
    let checked = if within.is_rechecked() { ", checked" } else { "" };
    let plural = |number: u32| if number == 1 { "" } else { "s" };
    format!(
        "{}; no violation in the first {rounds} round{} of any loop and {calls} nested call{}{checked}",
        because(&unknown.reason),
        plural(rounds),
        plural(calls)
    )
}

/// Text without line breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl<'a> Findings<'a> {
    /// The answer to a question. Of several violations the earliest in its run counts.
    pub fn answer(&self, asked: &NamedQuestion) -> Combined<'a> {
        let mut proved = Vec::new();
        let mut violated: Option<(&Verdict, &Counterexample)> = None;
        let mut open = None;
        for verdict in self.verdicts.iter().filter(|verdict| asked.properties.contains(&verdict.property())) {
            match verdict.answer() {
                Answer::True(_) => proved.push(verdict),
                Answer::False(counterexample) => {
                    if violated.is_none_or(|(_, earlier)| step(counterexample) < step(earlier)) {
                        violated = Some((verdict, counterexample));
                    }
                }
                Answer::Unknown(unknown) => open = open.or(Some((verdict, unknown))),
            }
        }
        match (violated, open) {
            (Some((verdict, counterexample)), _) => Combined::False(verdict, counterexample),
            (None, Some((verdict, unknown))) => Combined::Unknown(verdict, unknown),
            (None, None) => Combined::True(proved),
        }
    }

    /// What a proof rests on beyond the rules, a line each. Memory safety is no assumption where it was proved as well.
    pub fn list_assumptions(&self, asked: &NamedQuestion) -> Vec<String> {
        let Combined::True(verdicts) = self.answer(asked) else { return Vec::new() };
        let is_proved = |property| {
            let mut of = self.verdicts.iter().filter(|verdict| verdict.property() == property);
            of.any(|verdict| matches!(verdict.answer(), Answer::True(_)))
        };
        let is_safe = is_proved(Property::ValidDeref) && is_proved(Property::ValidFree);
        let mut lines: Vec<String> = self.taken.into_iter().map(str::to_owned).collect();
        for assumption in verdicts.iter().flat_map(|verdict| verdict.assumptions()) {
            let line = describe_assumption(assumption);
            let is_shown = is_safe && *assumption == Assumption::MemorySafety;
            if !is_shown && !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    /// True if some proof rests on an assumption.
    pub fn assumes(&self) -> bool {
        self.questions.iter().any(|asked| !self.list_assumptions(asked).is_empty())
    }

    /// The worst answer: violated before unknown before proved.
    pub fn worst(&self) -> Word {
        self.questions.iter().map(|asked| self.answer(asked).word()).max().unwrap_or(Word::Unknown)
    }
}

fn step(counterexample: &Counterexample) -> u64 {
    counterexample.violation.as_ref().map_or(u64::MAX, |violation| violation.step)
}

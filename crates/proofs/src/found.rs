//! What else was found, kept beside the proofs so that the next check need not look for it again: runs that violate a property, and what was left open.
//!
//! A run is replayed like any other claim of one. That something was open before says nothing of the program, so it can't be wrong; it is taken up only where
//! all that it came from is the same, the text of the sources included, and no more time or memory may be spent than was then.

use belay_base::{FileId, Id, Span};
use belay_evidence::{Answer, Claim, Claimed, Evidence, Reason, Reasons, Task, Trace, Verdict};
use belay_expression::{Binary, Expr, Facts, ForAll, Missing, Unary};
use belay_ir::{Program, Property};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::names::Names;
use crate::stored::{Bad, Parts, Stored, object};

stored_enum!(Claimed { Obligation(id), Lost, NotFreed, Recurrence, Endless });
stored_enum!(Unary { Minus, Not, AddressOf, Target });
stored_enum!(Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Differs,
    And,
    Or
});
stored_enum!(Expr {
    Name(name),
    Integer(number),
    Float(bits, single),
    Unary(op, operand),
    Binary(op, operands),
    Cast(to, value),
    Member(object, path),
    MemberOf(pointer, path),
    Element(parts),
    SomeElement(array),
    Call(name, arguments),
    Select(parts),
    ForAll(all),
    SumOf(parts),
    MoreCombinations(count),
    SomeDistance
});
stored_struct!(ForAll { condition, indices, which });
stored_struct!(Facts { conditions, ghosts });
stored_enum!(Missing { Pointer, Condition(condition, known), Bounds(of) });
stored_struct!(Reason { what, missing });

impl Stored for Reasons {
    fn store(&self, names: &Names<'_>) -> Json {
        self.0.store(names)
    }

    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        Vec::load(json, names).map(Reasons)
    }
}

/// Choices of a run that are kept at most.
const MOST_CHOICES: usize = 100_000;

/// A question that was left open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredUnknown {
    /// What it is about.
    pub property: Property,
    /// Why.
    pub reason: Reasons,
    file: String,
    line: u32,
    column: u32,
}
stored_struct!(StoredUnknown { property, reason, file, line, column });

/// How hard a search was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Seconds that it was given.
    pub seconds: u32,
    /// MiB that it was given.
    pub mebibytes: u32,
    /// Engines and what they were told, in words.
    pub search: String,
}
stored_struct!(Effort { seconds, mebibytes, search });

/// What was left open, by which effort, for which sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredOpen {
    /// The effort.
    pub effort: Effort,
    sources: String,
    unknown: Vec<StoredUnknown>,
}
stored_struct!(StoredOpen { effort, sources, unknown });

impl StoredOpen {
    /// What these verdicts leave open.
    pub fn new(task: &Task<'_>, verdicts: &[Verdict], effort: Effort) -> StoredOpen {
        let program = task.program;
        let unknown = verdicts.iter().filter_map(|verdict| {
            let Answer::Unknown(unknown) = verdict.answer() else { return None };
            let span = unknown.span;
            Some(StoredUnknown {
                property: verdict.property(),
                reason: unknown.reason.clone(),
                file: program.files.path(span.file).filter(|_| span.is_known()).unwrap_or_default().to_owned(),
                line: span.line,
                column: span.column,
            })
        });
        StoredOpen { effort, sources: digest_sources(program), unknown: unknown.collect() }
    }

    /// The verdicts that such an effort would come to again.
    pub fn verdicts(&self, task: &Task<'_>, effort: &Effort) -> Vec<Verdict> {
        let Effort { seconds, mebibytes, search } = effort;
        let is_no_more =
            *seconds <= self.effort.seconds && *mebibytes <= self.effort.mebibytes && *search == self.effort.search;
        if !is_no_more || self.sources != digest_sources(task.program) {
            return Vec::new();
        }
        let mut files = task.program.files.clone();
        let mut verdict = |open: &StoredUnknown| {
            let span = Span { file: files.intern(&open.file), line: open.line, column: open.column };
            let span = if open.file.is_empty() { Span::NONE } else { span };
            Verdict::unknown(open.property, open.reason.clone(), span)
        };
        self.unknown.iter().map(&mut verdict).collect()
    }
}

/// A run as text, if it is one that a replay alone shows.
pub(crate) fn store_run(claim: &Claim, names: &Names<'_>) -> Option<Json> {
    let Claim { property, evidence: Evidence::Run(Trace { choices, claimed }) } = claim else { return None };
    if choices.len() > MOST_CHOICES || *claimed == Claimed::Endless {
        return None;
    }
    let choices: Vec<String> = choices.iter().map(ToString::to_string).collect();
    Some(object([
        ("property", property.store(names)),
        ("claimed", claimed.store(names)),
        ("choices", choices.store(names)),
    ]))
}

/// A run that is claimed to violate a property.
pub(crate) fn load_run(json: &Json, names: &Names<'_>) -> Result<Claim, Bad> {
    let mut parts = Parts::of_struct(json, "run")?;
    let (property, claimed) = (parts.field("property", names)?, parts.field("claimed", names)?);
    let texts: Vec<String> = parts.field("choices", names)?;
    parts.finish()?;
    if texts.len() > MOST_CHOICES {
        return Err(Bad::new("a run has too many choices"));
    }
    let choices = texts.iter().map(|text| text.parse().map_err(|_| Bad::new(format!("no choice: {text}"))));
    let trace = Trace { choices: choices.collect::<Result<_, Bad>>()?, claimed };
    Ok(Claim { property, evidence: Evidence::Run(trace) })
}

/// The text of all sources and headers that can be read.
fn digest_sources(program: &Program) -> String {
    let mut digest = Sha256::new();
    for path in (0..).map_while(|number| program.files.path(FileId::new(number))) {
        digest.update(path.as_bytes());
        digest.update(std::fs::read(path).unwrap_or_default());
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

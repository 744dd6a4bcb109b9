//! `--function F` without a word on what F's pointers lead to.
//!
//! Such a pointer gets an arbitrary value that is invalid to access: some caller passes it. A violation of anything but memory safety on a run that has made no access
//! through it is one whatever the pointer is, unless it rests on an address that no program is given. A proof counts only where valid accesses are proved as well, because then no run makes such an access; everything else
//! depends on what the pointer leads to, and is unknown.
//!
//! Where something is said by `--object` and its kin the same holds of every pointer of which nothing is said, be it a parameter or a member of what is described. A violation of memory
//! safety is one there if it is an access beyond an object, or if the run has chosen no value that could be such a pointer.

use belay_base::Span;
use belay_evidence::{Answer, Counterexample, Verdict};
use belay_frontend::{Contracts, Stated};
use belay_interpreter::Fault;
use belay_ir::{ENTRY_BUILDER, FuncId, Program, Property, Type};
use belay_rules::Choice;

use crate::arguments::ProgramOptions;
use crate::source;

/// What is not said.
pub enum Gap {
    /// Where this parameter leads, or any other.
    Parameter(String),
    /// Where places lead that are not described, if there are such; and the bytes of a pointer.
    Places(usize),
}

impl Gap {
    fn reason(&self) -> String {
        match self {
            Gap::Parameter(pointer) => format!("what the entry function's parameter {pointer} points to, is not given"),
            Gap::Places(_) => "where a pointer leads that is not described, is not given".to_owned(),
        }
    }
}

/// The program with an entry that gives pointers any value.
pub struct Bare {
    pub program: Program,
    pub entry: FuncId,
    /// The first pointer of which nothing is said.
    pub pointer: String,
}

/// Loads the program anew if its entry has pointers and nothing is said of them.
pub fn load(program: &Program, entry: FuncId, options: &ProgramOptions) -> Option<Bare> {
    let is_told = [&options.strings, &options.arrays, &options.preconditions].iter().any(|given| !given.is_empty());
    let function = &program.functions[entry];
    if is_told || options.enforce.is_some() || function.name == "main" || function.name == ENTRY_BUILDER {
        return None;
    }
    let pointer = function.params.iter().find(|param| param.ty == Type::Ptr && param.byval.is_none())?.name.clone();
    let stated = Some(Stated { requires: Vec::new(), any_globals: false, alive: Vec::new() });
    let contracts = Contracts {
        enforce: Some(options.function.clone()),
        replace: options.replace.clone(),
        stated,
        ..Contracts::default()
    };
    let program = belay_frontend::load(&source::source(options, None, contracts)).ok()?;
    let entry = program.function_named(ENTRY_BUILDER)?;
    Some(Bare { program, entry, pointer })
}

/// What has to be asked as well.
pub fn properties(mut asked: Vec<Property>) -> Vec<Property> {
    asked.extend([Property::ValidDeref, Property::ValidFree]);
    asked.sort();
    asked.dedup();
    asked
}

fn both_undefined(one: &Choice, next: &Choice) -> bool {
    matches!((one, next), (Choice::Undefined(_), Choice::Undefined(_)))
}

/// True if undefined bytes, of which the values of such pointers are made, may be an address that no program is given: one in the upper half, where of two
/// addresses the greater less the smaller is negative. The last one (`MAP_FAILED`) is a value that programs do use.
fn has_strange_address(bytes: &[Choice]) -> bool {
    bytes.chunks_exact(8).any(|word| {
        let is_last = word.iter().all(|byte| *byte == Choice::Undefined(0xff));
        !is_last && matches!(word.last(), Some(Choice::Undefined(0x80..)))
    })
}

fn is_beyond_object(found: &Counterexample) -> bool {
    found.violation.as_ref().is_some_and(|violation| matches!(violation.fault, Fault::OutOfBounds { .. }))
}

/// True if undefined bytes that follow each other are as many as a pointer has. What lies in a block that is described is undefined until it is written, and so is a
/// parameter of which nothing is said; a pointer that was read from there is such bytes.
fn may_be_pointer(bytes: &[Choice], size: usize) -> bool {
    let is_undefined = bytes.first().is_some_and(|byte| matches!(byte, Choice::Undefined(_)));
    is_undefined && bytes.len() >= size
}

/// What to do about verdicts that are withheld, on one line.
pub fn advise(verdicts: &[Verdict], gap: Option<&Gap>) -> Vec<u8> {
    let is_open = |verdict: &Verdict| match verdict.answer() {
        Answer::Unknown(unknown) => unknown.reason.ends_with("is not given"),
        Answer::True(_) | Answer::False(_) => false,
    };
    let gap = gap.filter(|_| verdicts.iter().any(is_open));
    let line = gap.map(|gap| match gap {
        Gap::Parameter(pointer) => format!(
            "belay: note: say what {pointer} leads to with --array {pointer}=LENGTH, --string {pointer} or --object {pointer}, or let --each-function look for what is needed\n"
        ),
        Gap::Places(_) => "belay: note: say what pointers lead to with --object PLACE, --string PLACE or --array PLACE=LENGTH, or let --each-function look for what is needed\n".to_owned(),
    });
    line.unwrap_or_default().into_bytes()
}

/// Only the verdicts that hold whatever the pointers lead to.
pub fn withhold(verdicts: Vec<Verdict>, gap: &Gap) -> Vec<Verdict> {
    let is_proved = |property: Property| {
        verdicts.iter().any(|verdict| verdict.property() == property && matches!(verdict.answer(), Answer::True(_)))
    };
    let is_safe = is_proved(Property::ValidDeref) && is_proved(Property::ValidFree);
    let is_refuted = verdicts
        .iter()
        .any(|verdict| verdict.property() == Property::ValidDeref && matches!(verdict.answer(), Answer::False(_)));
    let keeps = |verdict: &Verdict| match verdict.answer() {
        Answer::True(_) => is_safe,
        Answer::False(found) => {
            let is_of_memory = matches!(
                verdict.property(),
                Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack | Property::MemCleanup
            );
            let mut chosen = found.trace.choices.chunk_by(both_undefined);
            match (is_of_memory, gap) {
                (true, Gap::Parameter(_)) => false,
                // An access beyond an object goes through a pointer into it, which undefined bytes never are.
                (true, Gap::Places(_)) if is_beyond_object(found) => !chosen.any(has_strange_address),
                (true, Gap::Places(size)) => !chosen.any(|bytes| may_be_pointer(bytes, *size)),
                (false, _) => !chosen.any(has_strange_address),
            }
        }
        // Where every run goes wrong at the pointer, the rest is open for the same reason.
        Answer::Unknown(_) => !is_refuted || matches!(gap, Gap::Places(_)),
    };
    let reason = gap.reason();
    let withheld = |verdict: Verdict| match keeps(&verdict) {
        true => verdict,
        false => Verdict::unknown(verdict.property(), reason.clone(), Span::NONE),
    };
    verdicts.into_iter().map(withheld).collect()
}

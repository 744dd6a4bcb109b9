//! A violation's run for the page: the steps as they are told, and what each of them does to variables and to the heap, so that the page can show the state
//! after any of them.

use belay_base::Span;
use belay_evidence::{Counterexample, Task};
use belay_interpreter::{Event, ObjectInfo, ObjectKind, Shown};
use serde::Serialize;

use crate::headline::{Headline, headline};
use crate::story::{Teller, watch_events};

/// Steps that are shown.
const MOST_STEPS: usize = 2_000;
/// Effects that are kept.
const MOST_EFFECTS: usize = 50_000;

#[derive(Serialize)]
pub struct RunData {
    title: String,
    steps: Vec<StepData>,
    /// What happened before the first step that is shown.
    before: Vec<Effect>,
    left_out: usize,
    forever: bool,
}

#[derive(Serialize)]
struct StepData {
    file: Option<usize>,
    line: u32,
    depth: usize,
    text: String,
    effects: Vec<Effect>,
}

/// What a step does.
#[derive(Clone, Serialize)]
#[serde(tag = "does", rename_all = "lowercase")]
enum Effect {
    /// A function is entered.
    Enter { name: String },
    /// It is left, and its variables end.
    Leave,
    /// A place has a value now.
    Set { of: String, place: String, value: String, to: Option<String> },
    /// A heap block is made.
    Make { block: u64, size: Option<u64> },
    /// It is freed.
    Free { block: u64 },
}

/// The run, with what it does.
pub fn record(
    task: &Task<'_>,
    counterexample: &Counterexample,
    title: String,
    file: impl Fn(Span) -> Option<usize>,
) -> RunData {
    let mut effects: Vec<(usize, Effect)> = Vec::new();
    let story = watch_events(task, counterexample, MOST_STEPS, &mut |teller, event| {
        let step = teller.told().saturating_sub(1);
        if effects.len() < MOST_EFFECTS {
            effects.extend(effect(teller, event).map(|effect| (step, effect)));
        }
    });
    let skipped = if story.forever { 0 } else { story.left_out };
    let mut steps: Vec<StepData> = story
        .steps
        .iter()
        .map(|step| StepData {
            file: file(step.span),
            line: step.span.line,
            depth: step.depth,
            text: step.text.clone(),
            effects: Vec::new(),
        })
        .collect();
    let mut before = Vec::new();
    for (step, effect) in effects {
        match step.checked_sub(skipped).and_then(|at| steps.get_mut(at)) {
            Some(step) => step.effects.push(effect),
            None if step < skipped => before.push(effect),
            None => {}
        }
    }
    if counterexample.violation.is_some() {
        let Headline { what, span, .. } = headline(task, counterexample);
        let depth = steps.last().map_or(0, |step| step.depth);
        steps.push(StepData { file: file(span), line: span.line, depth, text: what, effects: Vec::new() });
    }
    RunData { title, steps, before, left_out: story.left_out, forever: story.forever }
}

fn effect(teller: &Teller<'_>, event: &Event) -> Option<Effect> {
    match event {
        Event::Call { function, .. } => Some(Effect::Enter { name: teller.function(*function).to_owned() }),
        Event::Return { .. } => Some(Effect::Leave),
        Event::Store { target, value } => {
            let (place, ctype) = teller.place_name(target)?;
            let to = match value {
                Shown::Place(object, _) => Some(owner(object)),
                Shown::Int(..) | Shown::F32(_) | Shown::F64(_) | Shown::Null | Shown::Address(_) | Shown::Undefined => {
                    None
                }
            };
            let place = match target.object.kind {
                ObjectKind::Heap(_) => format!("+{}", target.offset),
                _ => place,
            };
            Some(Effect::Set { of: owner(&target.object), place, value: teller.value(value, ctype), to })
        }
        Event::Alloc(object) => match object.kind {
            ObjectKind::Heap(block) => Some(Effect::Make { block, size: object.size }),
            _ => None,
        },
        Event::Free(object) => match object.kind {
            ObjectKind::Heap(block) => Some(Effect::Free { block }),
            _ => None,
        },
        Event::Branch { .. } | Event::Choice { .. } => None,
    }
}

/// Whose place it is: a heap block, the variables of a call, or static ones.
fn owner(object: &ObjectInfo) -> String {
    match object.kind {
        ObjectKind::Heap(number) => format!("block {number}"),
        ObjectKind::Stack(..) | ObjectKind::ByValue(..) | ObjectKind::Variadic(_) => "locals".to_owned(),
        ObjectKind::Global(_)
        | ObjectKind::Function(_)
        | ObjectKind::Arguments
        | ObjectKind::ArgumentString(_)
        | ObjectKind::EntryArgument(_) => "globals".to_owned(),
    }
}

//! What a counterexample shows and where, as far as one line and one place can say it.

use belay_base::Span;
use belay_evidence::{Counterexample, Task};
use belay_interpreter::RunEnd;
use belay_ir::{FuncId, Program};

use crate::expressions::write_all;
use crate::words::{describe_violation, violation_place};

/// A violation in one line.
pub struct Headline {
    /// What went wrong.
    pub what: String,
    /// Where it is to be shown.
    pub span: Span,
    /// The function around that place.
    pub function: Option<String>,
}

/// What a counterexample shows.
pub fn headline(task: &Task<'_>, counterexample: &Counterexample) -> Headline {
    let program = task.program;
    let name = |id: FuncId| program.functions[id].name.clone();
    match (&counterexample.violation, &counterexample.report.end) {
        (Some(violation), _) => {
            let at = violation_place(task, counterexample);
            Headline {
                what: describe_violation(program, violation),
                span: at.map_or(Span::NONE, |at| at.span),
                function: at.map(|at| name(at.function)),
            }
        }
        (None, RunEnd::Recurs { span, function, .. }) => {
            Headline { what: recurs(program, &counterexample.report.end), span: *span, function: Some(name(*function)) }
        }
        (None, _) => endless(counterexample),
    }
}

/// A run that comes back to a state.
fn recurs(program: &Program, end: &RunEnd) -> String {
    let RunEnd::Recurs { period, inputs, nested, function, .. } = end else { return NEVER_ENDS.to_owned() };
    let given = match inputs {
        0 => String::new(),
        1 => " as long as it gets the same input again".to_owned(),
        _ => format!(" as long as it gets the same {inputs} inputs again"),
    };
    let what = match nested {
        true => format!("{} calls itself for ever with the same arguments", program.functions[*function].name),
        false if *period == 1 => "its state recurs with every instruction".to_owned(),
        false => format!("its state recurs every {period} instructions"),
    };
    format!("{NEVER_ENDS}: {what}{given}")
}

const NEVER_ENDS: &str = "the program never ends";

/// A run that never ends without repeating itself: where, and what keeps it going.
fn endless(counterexample: &Counterexample) -> Headline {
    let Some(recurrence) = counterexample.recurrences.first() else {
        return Headline { what: NEVER_ENDS.to_owned(), span: Span::NONE, function: None };
    };
    let kept = if recurrence.states.is_empty() {
        String::new()
    } else {
        format!(" with {}", write_all(&recurrence.states).join(", "))
    };
    Headline {
        what: format!("{NEVER_ENDS}: {} comes back to this place for ever{kept}", recurrence.function),
        span: recurrence.span,
        function: Some(recurrence.function.clone()),
    }
}

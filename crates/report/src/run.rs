//! What `belay run` says when the run is over.

use belay_interpreter::{RunEnd, RunReport};
use belay_ir::Program;

use crate::words::{describe_violation, user_place};

/// How a run ended, what it violated and, if asked for, which choices it made.
pub fn describe_run(program: &Program, report: &RunReport, with_choices: bool) -> String {
    let mut text = String::new();
    if with_choices {
        for choice in &report.choices {
            text.push_str(&format!("choice: {choice}\n"));
        }
    }
    for violation in &report.violations {
        let place = user_place(program, &violation.stack).map(|entry| program.files.describe(entry.span));
        let place = place.unwrap_or_else(|| "end of the program".to_owned());
        text.push_str(&format!("{place}: {}: {}\n", violation.property, describe_violation(program, violation)));
    }
    text.push_str(&format!("{} after {} instructions\n", describe_end(program, &report.end), report.steps));
    text
}

fn describe_end(program: &Program, end: &RunEnd) -> String {
    match end {
        RunEnd::Returned(Some(code)) => format!("returned {code}"),
        RunEnd::Returned(None) => "returned".to_owned(),
        RunEnd::Exited(Some(code)) => format!("exited with {code}"),
        RunEnd::Exited(None) => "exited".to_owned(),
        RunEnd::Aborted => "aborted".to_owned(),
        RunEnd::Violated => "ended by a violation".to_owned(),
        RunEnd::AssumptionFailed => "ended: an assumption does not hold".to_owned(),
        RunEnd::NeedsChoice { request } => {
            format!("stopped for want of an input at {}", program.files.describe(request.span))
        }
        RunEnd::BadChoice { request, choice } => {
            format!("stopped: `{choice}` is no answer at {}", program.files.describe(request.span))
        }
        RunEnd::Unknown { reason, span, .. } => format!("stopped at {}: {reason}", program.files.describe(*span)),
        RunEnd::Exhausted(why) => format!("cut off: {why}"),
        RunEnd::Recurs { function, nested: true, .. } => {
            let name = &program.functions[*function].name;
            format!("never ends: {name} calls itself for ever with the same arguments; found")
        }
        RunEnd::Recurs { period, span, .. } => {
            format!(
                "never ends: the state at {} recurs every {period} instructions; found",
                program.files.describe(*span)
            )
        }
    }
}

//! `belay run`.

use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_interpreter::{Inputs, Interpreter};
use belay_report::describe_run;
use dashu::integer::IBig;

use crate::arguments::RunOptions;
use crate::failure::{exit, failure};
use crate::sandbox::{Died, Response, SandboxLimits, in_child};
use crate::source;

/// Interprets the program: its output goes to standard output, how it ended to standard error.
pub fn run(options: &RunOptions) -> Response {
    let limits = SandboxLimits { seconds: options.time_limit, mebibytes: options.memory_limit };
    in_child(limits, |progress| {
        progress.say("running");
        interpret(options)
    })
    .unwrap_or_else(|died| match died {
        Died::Time => failure(exit::UNKNOWN, "time limit reached"),
        Died::Memory => failure(exit::UNKNOWN, "memory limit reached"),
        Died::Interrupted => failure(exit::INTERRUPTED, "interrupted"),
        Died::Crash(what) => failure(exit::INTERNAL, &what),
    })
}

fn interpret(options: &RunOptions) -> Response {
    let start = Instant::now();
    let program = match source::load(&options.program) {
        Ok(program) => program,
        Err(response) => return response,
    };
    let entry = match source::entry(&program, &options.program) {
        Ok(entry) => entry,
        Err(response) => return response,
    };
    let numbers: Result<Vec<IBig>, _> = options.inputs.iter().map(|text| text.trim().parse::<IBig>()).collect();
    let Ok(numbers) = numbers else { return failure(exit::USAGE, "--inputs takes whole numbers") };
    let mut inputs = Inputs::new(numbers, options.seed);
    let config = source::config(&program, entry, &options.program, &options.rules, options.memory_limit);
    let mut config = match config {
        Ok(config) => config,
        Err(response) => return response,
    };
    config.output_limit = 64 << 20;
    let budget = Budget::steps(options.max_steps).until(start + Duration::from_secs(options.time_limit));
    let report = Interpreter::new(&program, config).run(&mut inputs, &budget);
    let mut errors = report.errors.clone();
    errors.extend(describe_run(&program, &report, options.choices).into_bytes());
    let code = match (report.violations.is_empty(), report.is_complete()) {
        (false, _) => exit::VIOLATED,
        (true, true) => exit::PROVED,
        (true, false) => exit::UNKNOWN,
    };
    Response { code, output: report.output.clone(), errors }
}

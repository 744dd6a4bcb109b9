//! `belay ir`.

use belay_ir::{Op, Program, print_program};

use belay_transitions::extract;

use crate::arguments::IrOptions;
use crate::failure::{exit, failure};
use crate::sandbox::{Died, Response, SandboxLimits, in_child};
use crate::source;

/// Prints the program. What can't be translated is an error here, at its line; the rest is printed all the same.
pub fn ir(options: &IrOptions) -> Response {
    let limits = SandboxLimits { seconds: 600, mebibytes: 16_000 };
    in_child(limits, |progress| {
        progress.say("translating");
        translate(options)
    })
    .unwrap_or_else(|died| match died {
        Died::Time => failure(exit::INTERNAL, "translation takes too long"),
        Died::Memory => failure(exit::INTERNAL, "translation needs too much memory"),
        Died::Interrupted => failure(exit::INTERRUPTED, "interrupted"),
        Died::Crash(what) => failure(exit::INTERNAL, &what),
    })
}

fn translate(options: &IrOptions) -> Response {
    let mut program = match source::load(&options.program) {
        Ok(program) => program,
        Err(response) => return response,
    };
    if (options.simplified || options.ari)
        && let Err(error) = belay_passes::pipeline(&mut program, options.integers.into())
    {
        return failure(exit::INTERNAL, &error.to_string());
    }
    if options.ari {
        return transition_system(options, &program);
    }
    let errors = list_refused(&program);
    let code = if errors.is_empty() { exit::PROVED } else { exit::INPUT };
    Response { code, output: print_program(&program).into_bytes(), errors: errors.into_bytes() }
}

fn transition_system(options: &IrOptions, program: &Program) -> Response {
    let entry = match source::entry(program, &options.program) {
        Ok(entry) => entry,
        Err(response) => return response,
    };
    match extract(program, entry, options.integers.into()) {
        Ok(extracted) => {
            let output = belay_its::ari::write(&extracted.its).into_bytes();
            Response { code: exit::PROVED, output, errors: Vec::new() }
        }
        Err(reason) => failure(exit::INPUT, &reason),
    }
}

/// The constructs of the program itself that are not handled. A model has some for rare cases, which matter to a run that comes there.
fn list_refused(program: &Program) -> String {
    let mut text = String::new();
    for function in program.functions.iter() {
        for (_, id) in function.placed_insts() {
            let inst = &function.insts[id];
            let is_model = program.files.path(inst.span.file).is_some_and(belay_frontend::is_model_file);
            if let Op::Unsupported { what } = &inst.op
                && !is_model
            {
                let place = program.files.describe(inst.span);
                text.push_str(&format!("belay: error: {place}: unsupported in {}: {what}\n", function.name));
            }
        }
    }
    text
}

//! `belay graph`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use belay_base::Budget;
use belay_engines::{GRAPH_STEPS, graph};
use belay_evidence::Task;
use belay_report::{Drawn, Picture, because, render_html, render_svg};

use crate::arguments::GraphOptions;
use crate::failure::{exit, failure};
use crate::sandbox::{Died, Progress, Response, SandboxLimits, in_child};
use crate::source;

/// Draws the graph. One that is not finished is drawn as far as it came, and the answer says why: exit code 5.
pub fn graph(options: &GraphOptions) -> Response {
    let limits = SandboxLimits { seconds: options.time_limit, mebibytes: options.memory_limit };
    in_child(limits, |progress| draw_graph(options, progress).unwrap_or_else(|response| response)).unwrap_or_else(
        |died| match died {
            Died::Time => failure(exit::UNKNOWN, "time limit reached"),
            Died::Memory => failure(exit::UNKNOWN, "memory limit reached"),
            Died::Interrupted => failure(exit::INTERRUPTED, "interrupted"),
            Died::Crash(what) => failure(exit::INTERNAL, &what),
        },
    )
}

fn draw_graph(options: &GraphOptions, progress: &mut Progress) -> Result<Response, Response> {
    let start = Instant::now();
    progress.say("reading the program");
    let program = source::load(&options.program)?;
    let entry = source::entry(&program, &options.program)?;
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, options.rules.integers.into())
        .map_err(|error| failure(exit::INTERNAL, &format!("a pass broke the program: {error}")))?;
    let config = source::config(&program, entry, &options.program, &options.rules, options.memory_limit)?;
    let task = Task { program: &program, simplified: &simplified, config };
    // Half of the time is for the drawing.
    let budget = Budget::unlimited().until(start + Duration::from_secs(options.time_limit).mul_f64(0.5));
    progress.say("graph");
    let steps = GRAPH_STEPS;
    let drawing = graph::draw(&task, steps, options.max_states, &budget)
        .map_err(|why| failure(exit::UNKNOWN, &format!("there is no graph: {}", because(&why.reason))))?;
    progress.say("drawing");
    let unfinished = drawing.unfinished.as_ref().map(|why| {
        let at = if why.span.is_known() { format!(" ({})", program.files.describe(why.span)) } else { String::new() };
        format!("{}{at}", because(&why.reason))
    });
    let name = title(options);
    let picture = Picture::new(Drawn {
        task: &task,
        name: &name,
        graph: &drawing.graph,
        verdicts: &drawing.verdicts,
        unfinished: unfinished.as_deref(),
    });
    let written = write(&options.output, &picture)?;
    let counted = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    let states = counted(picture.states(), "state", "states");
    let boxes = counted(picture.boxes(), "box", "boxes");
    let mut output = format!("{}: {states} in {boxes}\n", written.join(" and "));
    picture.summary().iter().for_each(|line| output.push_str(&format!("{line}\n")));
    let whole = unfinished.is_none() && !drawing.graph.cut_off;
    let code = if whole { exit::PROVED } else { exit::UNKNOWN };
    Ok(Response { code, output: output.into_bytes(), errors: Vec::new() })
}

/// The files, and the function where it is not `main`.
fn title(options: &GraphOptions) -> String {
    let files: Vec<String> = options.program.files.iter().map(|file| file.display().to_string()).collect();
    match options.program.function.as_str() {
        "main" => files.join(" "),
        function => format!("{function} of {}", files.join(" ")),
    }
}

/// Writes the picture where it was asked for; the names of the files.
fn write(output: &Path, picture: &Picture) -> Result<Vec<String>, Response> {
    let extension = output.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let files: Vec<(PathBuf, String)> = match extension.as_deref() {
        _ if output.is_dir() => both(output, picture),
        Some("svg") => vec![(output.to_owned(), render_svg(picture))],
        Some("html" | "htm") => vec![(output.to_owned(), render_html(picture))],
        Some(other) => {
            let message = format!("{}: a picture is .svg or .html, not .{other}", output.display());
            return Err(failure(exit::USAGE, &message));
        }
        None => {
            std::fs::create_dir_all(output).map_err(|error| unwritable(output, &error))?;
            both(output, picture)
        }
    };
    let mut names = Vec::new();
    for (path, content) in files {
        std::fs::write(&path, content).map_err(|error| unwritable(&path, &error))?;
        names.push(path.display().to_string());
    }
    Ok(names)
}

fn both(folder: &Path, picture: &Picture) -> Vec<(PathBuf, String)> {
    vec![(folder.join("graph.svg"), render_svg(picture)), (folder.join("graph.html"), render_html(picture))]
}

fn unwritable(path: &Path, error: &std::io::Error) -> Response {
    failure(exit::USAGE, &format!("cannot write {}: {error}", path.display()))
}

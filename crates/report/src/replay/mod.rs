//! Native replays: a violation as a small program that the user's own compiler builds, with what the run was given written down in C. It refers to
//! the program's sources and to nothing of Belay's, so that it can be kept as a regression test.

mod harness;
mod inputs;
mod reasons;
mod shrink;

use belay_base::Span;
use belay_evidence::{Counterexample, Task};
use belay_interpreter::{Fault, RunEnd};
use belay_ir::{ENTRY_BUILDER, IntegerModel, Property};

use crate::headline::headline;
use harness::{harness, makefile};
use inputs::{Given, collect_given};
pub use reasons::Reason;

/// How the program is compiled.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The files, by paths that hold from anywhere.
    pub files: Vec<String>,
    /// The user's flags.
    pub flags: Vec<String>,
    /// The function that it starts at.
    pub function: String,
    /// The arguments, with the name of the program, if they are fixed.
    pub arguments: Option<Vec<String>>,
    /// What standard input holds, if that is fixed.
    pub stdin: Option<Vec<u8>>,
    /// Whether the program runs in a copy of a folder, `files`.
    pub in_folder: bool,
}

/// A file of a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayFile {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub content: Vec<u8>,
}

/// What a replay is expected to show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The property that is violated.
    pub property: Property,
    /// The file, without its folder, and the line that sanitizers name.
    pub place: Option<(String, u32)>,
    /// What happens there.
    pub what: String,
    /// What is to be said if it does not show.
    pub otherwise: Reason,
}

/// Instructions that a run may have that is replayed natively.
const MOST_STEPS: u64 = 200_000_000;

/// The files of a replay, or why there are none.
pub fn render_replay(
    task: &Task<'_>,
    property: Property,
    counterexample: &Counterexample,
    sources: &Sources,
) -> Result<Vec<ReplayFile>, &'static str> {
    if task.integers() == IntegerModel::Unbounded {
        return Err("a machine has no unbounded integers");
    }
    if task.program.functions[task.config.entry].name == ENTRY_BUILDER {
        return Err("what the function is given is described, not built by the program");
    }
    let steps = counterexample.violation.as_ref().map_or(counterexample.report.steps, |violation| violation.step);
    if steps > MOST_STEPS {
        return Err("the run is too long");
    }
    let choices = shrink::shrink(task, property, counterexample);
    let (mut given, report) = collect_given(task, &choices, counterexample.trace.claimed, MOST_STEPS);
    if let Some(arguments) = &sources.arguments {
        given.argc = u32::try_from(arguments.len()).ok();
        given.argv = (0..).zip(arguments.iter().map(|text| text.as_bytes().to_vec())).collect();
    }
    if let Some(stdin) = &sources.stdin {
        given.stdin.clone_from(stdin);
    }
    let expected = expect(task, property, counterexample, &given);
    let ends_in_main = matches!(report.end, RunEnd::Returned(_));
    let files = vec![
        ReplayFile { name: "harness.c", content: harness(task, &given, &expected, sources, ends_in_main).into_bytes() },
        ReplayFile { name: "Makefile", content: makefile(task, &given, sources).into_bytes() },
        ReplayFile { name: "stdin.txt", content: given.stdin.clone() },
        ReplayFile { name: "expected.txt", content: expected.to_text().into_bytes() },
    ];
    Ok(files)
}

fn expect(task: &Task<'_>, property: Property, counterexample: &Counterexample, given: &Given) -> Expected {
    let at = headline(task, counterexample);
    let fault = counterexample.violation.as_ref().map(|violation| &violation.fault);
    // A leak is named by its allocation.
    let span = match fault {
        Some(Fault::Lost(object) | Fault::NotFreed(object)) => object.made_at,
        Some(_) | None => at.span,
    };
    let of_fault = fault.and_then(reasons::reason_of);
    // One value can be had everywhere: 0, or the compilers' own pattern.
    let is_filled = given.undefined.iter().all(|byte| matches!(byte, 0 | 0xaa)) && given.undefined.len() < 2;
    let undefined = (!is_filled).then_some(Reason::UninitialisedBytes);
    let obstacle = given.obstacles.first().copied();
    let otherwise = obstacle.or(undefined).or(of_fault).unwrap_or(Reason::WentAnotherWay);
    Expected { property, place: place(task, span), what: at.what, otherwise }
}

fn place(task: &Task<'_>, span: Span) -> Option<(String, u32)> {
    let path = task.program.files.path(span.file).filter(|_| span.is_known())?;
    Some((path.rsplit('/').next().unwrap_or(path).to_owned(), span.line))
}

impl Expected {
    /// As lines of a key and a value.
    pub fn to_text(&self) -> String {
        let place = self.place.as_ref().map(|(file, line)| format!("at: {file}:{line}\n")).unwrap_or_default();
        let what = self.what.replace('\n', " ");
        format!("property: {}\n{place}what: {what}\notherwise: {}\n", self.property, self.otherwise.id())
    }

    /// Reads what [`Expected::to_text`] has written.
    pub fn from_text(text: &str) -> Option<Expected> {
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        let property = Property::ALL.into_iter().find(|property| Some(property.name()) == value("property"))?;
        let place = value("at").and_then(|at| at.rsplit_once(':'));
        let place = place.and_then(|(file, line)| Some((file.to_owned(), line.parse().ok()?)));
        let what = value("what").unwrap_or_default().to_owned();
        Some(Expected { property, place, what, otherwise: Reason::from_id(value("otherwise")?)? })
    }
}

/// Whether the violation showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reproduced {
    /// It did.
    Natively,
    /// It did not.
    NotVisible(Reason),
    /// The harness does not build; what the compiler says.
    NotBuilt(String),
}

/// What came of a replay, in a line.
pub fn describe_replay(folder: &str, expected: &Expected, reproduced: &Reproduced) -> String {
    format!("{folder}: {}: {}\n", expected.property, replay_words(reproduced))
}

/// The same without the place.
pub fn replay_words(reproduced: &Reproduced) -> String {
    match reproduced {
        Reproduced::Natively => "reproduced natively".to_owned(),
        Reproduced::NotVisible(reason) => format!("not visible natively, because {}", reason.words()),
        Reproduced::NotBuilt(message) => format!("does not build: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_read_again() {
        let place = Some(("a:b.c".to_owned(), 7));
        let what = "write of 4 bytes".to_owned();
        let expected = Expected { property: Property::ValidDeref, place, what, otherwise: Reason::NeighbouringObject };
        assert_eq!(Expected::from_text(&expected.to_text()), Some(expected));
        assert_eq!(Expected::from_text("property: beauty\n"), None);
    }
}

//! What a run was given, sorted by who gives it natively: functions that the harness defines, arguments, standard input, allocations.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Span};
use belay_evidence::{Claimed, Task};
use belay_interpreter::{Event, Interpreter, ObjectKind, Observer, RunEnd, RunReport, Script, Shown};
use belay_ir::{FuncId, FuncKind, Program};
use belay_rules::{Choice, Request, Scalar};

use super::reasons::Reason;

/// What was given to a run.
#[derive(Clone, Default, Debug)]
pub struct Given {
    /// The results of functions, by name, in order.
    pub results: BTreeMap<String, Vec<Scalar>>,
    /// The arguments of the entry function, other than `main`'s.
    pub parameters: Vec<Scalar>,
    /// `argc`.
    pub argc: Option<u32>,
    /// The strings of `argv`, by index.
    pub argv: BTreeMap<u32, Vec<u8>>,
    /// What standard input holds.
    pub stdin: Vec<u8>,
    /// Of each allocation of the program whether it fails.
    pub failing: Vec<bool>,
    /// The bytes of uninitialised memory that mattered.
    pub undefined: BTreeSet<u8>,
    /// Why the native run may go another way.
    pub obstacles: BTreeSet<Reason>,
    /// Of a run that never ends: how many of the last results of a function come again and again.
    pub period: BTreeMap<String, usize>,
}

/// Watches the run that these choices make.
pub fn collect_given(task: &Task<'_>, choices: &[Choice], claimed: Claimed, steps: u64) -> (Given, RunReport) {
    let mut watcher = Watcher {
        program: task.program,
        calls: Vec::new(),
        model: None,
        seen: BTreeMap::new(),
        forced: BTreeSet::new(),
        given: Given::default(),
        order: Vec::new(),
        ended: false,
    };
    let mut config = task.config.clone();
    config.recurrence = claimed == Claimed::Recurrence;
    let mut script = Script::new(choices.iter().cloned());
    let budget = Budget::steps(steps.max(1));
    let report = Interpreter::new(task.program, config).run_observed(&mut script, &mut watcher, &budget);
    match report.end {
        RunEnd::Recurs { inputs, .. } => watcher.come_again(inputs),
        _ if claimed == Claimed::Endless => watcher.go_on(),
        _ => {}
    }
    (watcher.finish(), report)
}

/// A library function that the program has called, while it runs.
struct Model {
    function: FuncId,
    depth: usize,
    draws: bool,
    writes: bool,
}

struct Watcher<'p> {
    program: &'p Program,
    calls: Vec<FuncId>,
    model: Option<Model>,
    /// The results of library functions.
    seen: BTreeMap<String, Vec<Option<Scalar>>>,
    /// Library functions whose results are inputs.
    forced: BTreeSet<String>,
    given: Given,
    /// The functions that gave inputs and what they gave, in order.
    order: Vec<(String, Scalar)>,
    /// Standard input has come to its end.
    ended: bool,
}

/// Library functions that read standard input byte by byte, in the end by `fgetc`.
const READERS: &[&str] =
    &["getchar", "fgetc", "getc", "_IO_getc", "fgets", "gets", "getline", "getdelim", "__getdelim"];

impl Watcher<'_> {
    fn name(&self, function: FuncId) -> &str {
        &self.program.functions[function].name
    }

    fn choose(&mut self, request: &Request, choice: &Choice) {
        if let Some(model) = &mut self.model {
            model.draws = true;
            if matches!(choice, Choice::AllocFails(true)) {
                self.given.obstacles.insert(Reason::LibraryInput);
            }
        }
        let is_inside = self.model.is_some();
        match choice {
            Choice::Input(value) if !is_inside => match &request.name {
                Some(name) if self.is_function(name) => self.result(name.clone(), value.clone()),
                Some(_) | None => self.given.parameters.push(value.clone()),
            },
            Choice::Arbitrary(value) if !is_inside => match &request.name {
                Some(name) if self.is_function(name) => self.result(name.clone(), value.clone()),
                Some(_) | None => drop(self.given.obstacles.insert(Reason::ArbitraryValue)),
            },
            Choice::Input(_) | Choice::Arbitrary(_) => {}
            Choice::Undefined(byte) => drop(self.given.undefined.insert(*byte)),
            Choice::Address(_) => drop(self.given.obstacles.insert(Reason::AddressChoice)),
            Choice::AllocFails(fails) if !is_inside => self.given.failing.push(*fails),
            Choice::AllocFails(_) => {}
            Choice::ArgCount(count) => self.given.argc = Some(*count),
            Choice::ArgString(bytes) => {
                let next = self.given.argv.len() as u32;
                let index = match request.kind {
                    belay_rules::RequestKind::ArgString { index } => index,
                    _ => next,
                };
                self.given.argv.insert(index, bytes.clone());
            }
        }
    }

    fn is_function(&self, name: &str) -> bool {
        self.program.function_named(name).is_some_and(|id| self.program.functions[id].kind != FuncKind::Defined)
    }

    fn result(&mut self, name: String, value: Scalar) {
        self.order.push((name.clone(), value.clone()));
        self.given.results.entry(name).or_default().push(value);
    }

    /// The last inputs are given again and again.
    fn come_again(&mut self, inputs: usize) {
        for (name, _) in self.order.iter().rev().take(inputs) {
            *self.given.period.entry(name.clone()).or_default() += 1;
        }
    }

    /// The beginning of a run that need never end: where its last inputs come in rounds, they go on to do so, and one round is enough to say which. Whether that keeps the native run going, it
    /// shows itself.
    fn go_on(&mut self) {
        let Some((round, repeated)) = last_rounds(&self.order) else { return };
        self.come_again(round);
        for (name, count) in &self.given.period {
            if let Some(results) = self.given.results.get_mut(name) {
                results.truncate(results.len() - count * repeated);
            }
        }
    }

    fn call(&mut self, function: FuncId, args: &[Shown]) {
        let is_model = self.program.functions[function].is_model;
        if is_model && self.model.is_none() {
            self.model = Some(Model { function, depth: self.calls.len(), draws: false, writes: false });
        }
        // Only standard input can be given; a scan says where it reads, the others where `fgetc` does.
        let name = self.name(function);
        let reads = name == "fgetc" || name.starts_with("__belay_scan_") && !args.is_empty();
        let is_standard =
            matches!(args.first(), Some(Shown::Place(object, _)) if object.name.as_deref() == Some("standard_input"));
        if reads && !is_standard {
            self.given.obstacles.insert(Reason::LibraryInput);
        }
        self.calls.push(function);
    }

    fn returned(&mut self, function: FuncId, results: &[Shown]) {
        self.calls.pop();
        let result = results.first().and_then(scalar);
        let name = self.name(function).to_owned();
        match (name.as_str(), &result) {
            ("fgetc", Some(Scalar::Int { value, .. })) => match u8::try_from(value) {
                Ok(_) if self.ended => drop(self.given.obstacles.insert(Reason::LibraryInput)),
                Ok(byte) => self.given.stdin.push(byte),
                Err(_) => self.ended = true,
            },
            ("__belay_scan_text", _) => self.given.stdin.push(b'\n'),
            _ => {}
        }
        let Some(model) = self.model.take_if(|model| model.depth == self.calls.len()) else { return };
        let is_reader = READERS.contains(&name.as_str()) || name.starts_with("__belay_scan_");
        if model.draws && !is_reader {
            if model.writes || result.is_none() {
                self.given.obstacles.insert(Reason::LibraryInput);
            } else {
                self.forced.insert(name.clone());
            }
        }
        if !is_reader && model.function == function {
            self.seen.entry(name).or_default().push(result);
        }
    }

    fn store(&mut self, kind: ObjectKind, value: &Shown) {
        let innermost = self.calls.last().map(|id| self.name(*id).to_owned()).unwrap_or_default();
        let program = self.program;
        let Some(model) = &mut self.model else { return };
        // What a model keeps for itself is no effect that the program sees.
        let is_own = match kind {
            ObjectKind::Stack(function, _) => program.functions[function].is_model,
            ObjectKind::Global(id) => !program.globals[id].span.is_known() || is_of_model(program, id),
            _ => false,
        };
        model.writes |= !is_own;
        let Some(value) = scalar(value).filter(|_| !is_own) else { return };
        match (innermost.as_str(), value) {
            ("__belay_scan_text", Scalar::Int { value, .. }) => {
                self.given
                    .stdin
                    .extend(u8::try_from(&(value & dashu::integer::IBig::from(255))).ok().filter(|byte| *byte != 0));
            }
            (name, Scalar::Int { value, .. }) if name.starts_with("__belay_scan_i") => {
                self.given.stdin.extend(format!("{value}\n").into_bytes());
            }
            (name, Scalar::F64(value)) if name.starts_with("__belay_scan_f") => {
                self.given.stdin.extend(format!("{value:?}\n").into_bytes());
            }
            (name, Scalar::F32(value)) if name.starts_with("__belay_scan_f") => {
                self.given.stdin.extend(format!("{value:?}\n").into_bytes());
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Given {
        for name in &self.forced {
            let results = self.seen.remove(name).unwrap_or_default().into_iter().flatten().collect();
            self.given.results.insert(name.clone(), results);
        }
        self.given
    }
}

/// Inputs of a round that are looked for.
const LONGEST_ROUND: usize = 64;

/// How long the rounds are in which the longest end of a list comes, three of them or more, and how often the first of them comes again.
fn last_rounds<T: PartialEq>(list: &[T]) -> Option<(usize, usize)> {
    let repeated = |round: usize| (round..list.len()).rev().take_while(|at| list[*at] == list[at - round]).count();
    let rounds = (1..=LONGEST_ROUND.min(list.len() / 3)).map(|round| (round, repeated(round)));
    let enough = rounds.filter(|(round, repeated)| repeated / round >= 2);
    let longest = enough.max_by_key(|(round, repeated)| (round + repeated, std::cmp::Reverse(*round)))?;
    Some((longest.0, longest.1 / longest.0))
}

/// Models' own files lie under the folder that they are compiled in; the program's globals are declared in its own.
fn is_of_model(program: &Program, id: belay_ir::GlobalId) -> bool {
    let path = program.files.path(program.globals[id].span.file).unwrap_or_default();
    !std::path::Path::new(path).exists()
}

impl Observer for Watcher<'_> {
    fn event(&mut self, _span: Span, _depth: usize, event: Event) {
        match event {
            Event::Call { function, args } => self.call(function, &args),
            Event::Return { function, results } => self.returned(function, &results),
            Event::Store { target, value } => self.store(target.object.kind, &value),
            Event::Choice { request, choice } => self.choose(&request, &choice),
            Event::Branch { .. } | Event::Alloc(_) | Event::Free(_) => {}
        }
    }
}

fn scalar(value: &Shown) -> Option<Scalar> {
    match value {
        Shown::Int(width, value) => Some(Scalar::Int { width: *width, value: value.clone() }),
        Shown::F32(value) => Some(Scalar::F32(*value)),
        Shown::F64(value) => Some(Scalar::F64(*value)),
        Shown::Null | Shown::Address(_) | Shown::Place(..) | Shown::Undefined => None,
    }
}

#[cfg(test)]
mod tests {
    use super::last_rounds;

    #[test]
    fn rounds_are_found_at_the_end() {
        assert_eq!(last_rounds(&[0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1]), Some((4, 2)));
        assert_eq!(last_rounds(&[3, 1, 1, 1, 1]), Some((1, 3)));
        assert_eq!(last_rounds(&[1, 2, 3, 4, 5, 6]), None);
        assert_eq!(last_rounds(&[0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1]), Some((4, 3)));
        assert_eq!(last_rounds(&[7, 7]), None);
        assert_eq!(last_rounds::<u8>(&[]), None);
    }
}

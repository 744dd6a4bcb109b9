//! The inputs of a run as assumptions about variables: `x == 5` at the statement after `x = __VERIFIER_nondet_int();`. Inputs that no variable
//! gets, or after which no statement begins on a line of its own, are left out: a validator then searches for them itself.

use belay_base::{Budget, Span};
use belay_evidence::{Claimed, Counterexample, Task};
use belay_interpreter::{Event, Interpreter, ObjectKind, Observer, Script, Shown, Target};
use belay_ir::{CType, FuncId, Op, Program, Terminator};
use belay_rules::{Choice, RequestKind};
use dashu::integer::IBig;

use crate::excerpt::source_line;

/// Something that is known of a variable at a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The line; its column does not count.
    pub span: Span,
    /// In C.
    pub condition: String,
}

/// Waypoints of a witness.
const MOST: usize = 1000;

/// What variables got from the run's inputs, in order.
pub fn inputs(task: &Task<'_>, counterexample: &Counterexample) -> Vec<Known> {
    let mut watcher = Watcher { program: task.program, calls: Vec::new(), drawn: None, known: Vec::new() };
    let mut config = task.config.clone();
    config.recurrence = counterexample.trace.claimed == Claimed::Recurrence;
    let steps = counterexample.violation.as_ref().map_or(counterexample.report.steps, |violation| violation.step);
    let mut script = Script::new(counterexample.trace.choices.iter().cloned());
    Interpreter::new(task.program, config).run_observed(&mut script, &mut watcher, &Budget::steps(steps.max(1)));
    watcher.known
}

struct Watcher<'p> {
    program: &'p Program,
    calls: Vec<FuncId>,
    /// Where the last input was drawn that no variable has got yet.
    drawn: Option<Span>,
    known: Vec<Known>,
}

impl Watcher<'_> {
    fn store(&mut self, span: Span, target: &Target, value: &Shown) {
        let Some(drawn) = self.drawn.take() else { return };
        let Some(&function) = self.calls.last() else { return };
        // The variable that gets an input stands on the input's own line; a variable that gets another value there is no less known.
        if drawn.line != span.line || drawn.file != span.file || self.known.len() >= MOST {
            return;
        }
        let Some(after) = line_after(self.program, function, span) else { return };
        let Some((name, ctype)) = variable(self.program, function, target) else { return };
        if let Some(value) = constant(value, ctype) {
            self.known.push(Known { span: after, condition: format!("{name} == {value}") });
        }
    }
}

impl Observer for Watcher<'_> {
    fn event(&mut self, span: Span, _depth: usize, event: Event) {
        match event {
            Event::Call { function, .. } => self.calls.push(function),
            Event::Return { .. } => {
                self.calls.pop();
            }
            Event::Choice { request, choice } => {
                let in_model = self.calls.last().is_some_and(|id| self.program.functions[*id].is_model);
                let is_input = matches!((request.kind, choice), (RequestKind::Input { .. }, Choice::Input(_)));
                self.drawn = (is_input && !in_model).then_some(span);
            }
            Event::Store { target, value } => self.store(span, &target, &value),
            Event::Branch { .. } | Event::Alloc(_) | Event::Free(_) => {}
        }
    }
}

/// The variable that is stored to as a whole, if the name means it throughout the function.
fn variable(program: &Program, function: FuncId, target: &Target) -> Option<(String, CType)> {
    let size = belay_ir::DataLayout::new(program.layout.model).store_size(target.ty).max(1);
    if target.offset != 0 || target.object.size != Some(size) {
        return None;
    }
    let name = target.object.name.clone()?;
    let locals = || program.functions[function].locals.iter().filter(|local| local.name == name);
    match target.object.kind {
        ObjectKind::Stack(owner, _) if owner == function && locals().count() == 1 => {
            locals().next().map(|local| (name.clone(), local.ctype))
        }
        ObjectKind::Global(id) if locals().count() == 0 && !program.globals[id].literal => {
            Some((name.clone(), program.globals[id].ctype))
        }
        _ => None,
    }
}

/// A number as C writes it.
fn constant(value: &Shown, ctype: CType) -> Option<String> {
    match value {
        Shown::Int(width, number) if *width <= 64 => Some(integer(*width, number, ctype)),
        Shown::F64(number) if number.is_finite() => Some(format!("{number:?}")),
        Shown::F32(number) if number.is_finite() => Some(format!("{number:?}f")),
        Shown::Int(..)
        | Shown::F32(_)
        | Shown::F64(_)
        | Shown::Null
        | Shown::Address(_)
        | Shown::Place(..)
        | Shown::Undefined => None,
    }
}

fn integer(width: u16, number: &IBig, ctype: CType) -> String {
    let is_unsigned = matches!(ctype, CType::Unsigned | CType::Bool);
    let suffix = match (width > 32, is_unsigned) {
        (false, false) => "",
        (false, true) => "U",
        (true, false) => "LL",
        (true, true) => "ULL",
    };
    if is_unsigned && *number < IBig::ZERO {
        return format!("{}{suffix}", number + (IBig::ONE << usize::from(width)));
    }
    // The least number has no literal of its own.
    if *number == -(IBig::ONE << (usize::from(width) - 1)) && width >= 32 {
        return format!("(-{}{suffix} - 1)", -(number + IBig::ONE));
    }
    if *number < IBig::ZERO { format!("({number}{suffix})") } else { format!("{number}{suffix}") }
}

/// The line of the statement after the store at this place.
fn line_after(program: &Program, function: FuncId, store: Span) -> Option<Span> {
    let body = &program.functions[function];
    let is_store =
        |inst: &belay_ir::InstId| body.insts[*inst].span == store && matches!(body.insts[*inst].op, Op::Store { .. });
    let (block, index) = body
        .blocks
        .iter_enumerated()
        .find_map(|(id, block)| block.insts.iter().position(is_store).map(|index| (id, index)))?;
    let found = &body.blocks[block];
    let spans = found.insts[index + 1..].iter().map(|inst| body.insts[*inst].span).chain([found.term_span]);
    let mut next = { spans }.find(|span| span.is_known() && span.line != store.line);
    if let (None, Terminator::Jump(target)) = (next, &found.term) {
        next = Some(crate::invariants::block_span(body, *target)).filter(|span| span.line != store.line);
    }
    // What follows in the text is what follows in the run: not the head of a loop around, nor the end of a block.
    let next = next.filter(|span| span.file == store.file && span.line > store.line)?;
    let text = source_line(program, next)?;
    let begins = |start: &str| text.trim_start().starts_with(start);
    (!["}", "else", "case", "default", "{"].iter().any(|start| begins(start))).then_some(next)
}

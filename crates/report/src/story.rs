//! The run that leads to a violation, as a person would tell it: inputs, calls indented, assignments to variables by their
//! C names, allocations. The replay is watched a second time; what happens inside library models is left out.

use std::collections::VecDeque;

use belay_base::{Budget, Span};
use belay_evidence::{Claimed, Counterexample, Task};
use belay_interpreter::{Event, Interpreter, ObjectInfo, ObjectKind, Observer, Script, Shown, Target};
use belay_ir::{CType, DataLayout, FuncId, Member, Program};
use belay_rules::{Choice, Request, RequestKind, Scalar};

use dashu::integer::IBig;

use crate::words::{count_bytes, describe_object, place};

/// Lines of a story that is not asked for in full: a screenful.
const SCREENFUL: usize = 24;
/// Lines of a full story.
const FULL: usize = 100_000;

/// One thing that happened in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where, as far as that is known.
    pub span: Span,
    /// The calls of the user's own functions around it.
    pub depth: usize,
    /// What happened.
    pub text: String,
}

/// A run as it is told.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Story {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// How many more there were: before these, or after them if the run never ends.
    pub left_out: usize,
    /// The run never ends.
    pub forever: bool,
}

/// The run behind a counterexample, as text.
pub fn tell(task: &Task<'_>, counterexample: &Counterexample, verbose: bool) -> String {
    let most = if verbose { FULL } else { SCREENFUL };
    let story = watch(task, counterexample, most);
    let mut text = String::from("the run:\n");
    if story.left_out > 0 && !story.forever {
        text.push_str(&format!("  … {} earlier steps (--verbose shows them)\n", story.left_out));
    }
    for step in &story.steps {
        let at = place(task.program, step.span).map(|place| format!("{place}: ")).unwrap_or_default();
        text.push_str(&format!("  {}{at}{}\n", "  ".repeat(step.depth), step.text));
    }
    if story.forever {
        text.push_str("  … and so on for ever\n");
    }
    text
}

/// The run behind a counterexample: its last steps, or its first ones if it never ends, at most so many.
pub fn watch(task: &Task<'_>, counterexample: &Counterexample, most: usize) -> Story {
    watch_events(task, counterexample, most, &mut |_, _| {})
}

/// The same, and `also` sees each event after it was told.
pub fn watch_events(
    task: &Task<'_>,
    counterexample: &Counterexample,
    most: usize,
    also: &mut dyn FnMut(&Teller<'_>, &Event),
) -> Story {
    let mut teller = Teller::new(task.program, most);
    teller.forever = counterexample.violation.is_none();
    let mut watcher = Watcher { teller, also };
    let mut config = task.config.clone();
    config.recurrence = counterexample.trace.claimed == Claimed::Recurrence;
    let steps = counterexample.violation.as_ref().map_or(counterexample.report.steps, |violation| violation.step);
    let mut script = Script::new(counterexample.trace.choices.iter().cloned());
    Interpreter::new(task.program, config).run_observed(&mut script, &mut watcher, &Budget::steps(steps.max(1)));
    watcher.teller.finish()
}

/// Tells, and shows others what is told.
struct Watcher<'p, 'a> {
    teller: Teller<'p>,
    also: &'a mut dyn FnMut(&Teller<'_>, &Event),
}

impl Observer for Watcher<'_, '_> {
    fn event(&mut self, span: Span, _depth: usize, event: Event) {
        self.teller.tell(span, &event);
        (self.also)(&self.teller, &event);
    }
}

/// Puts events into words.
pub struct Teller<'p> {
    program: &'p Program,
    most: usize,
    lines: VecDeque<Step>,
    left_out: usize,
    calls: Vec<FuncId>,
    /// The run never ends: its beginning is what matters.
    forever: bool,
    /// Uninitialised bytes that the last line is about.
    bytes: Option<(Span, Vec<u8>)>,
}

/// Calls within each other are indented so far.
const MOST_INDENTED: usize = 20;

impl<'p> Teller<'p> {
    fn new(program: &'p Program, most: usize) -> Self {
        Self { program, most, lines: VecDeque::new(), left_out: 0, calls: Vec::new(), forever: false, bytes: None }
    }

    fn say(&mut self, span: Span, text: &str) {
        self.bytes = None;
        if self.forever && self.lines.len() >= self.most {
            self.left_out += 1;
            return;
        }
        let told =
            |id: &&FuncId| !self.program.functions[**id].is_model && !self.program.functions[**id].builds_entry();
        // Runs may be in a million calls.
        let depth = self.calls.iter().filter(told).take(MOST_INDENTED).count();
        self.lines.push_back(Step { span, depth, text: text.to_owned() });
        if self.lines.len() > self.most {
            self.lines.pop_front();
            self.left_out += 1;
        }
    }

    /// True while the state is built that the function of interest starts in.
    fn at_entry(&self) -> bool {
        self.calls.last().is_some_and(|id| self.program.functions[*id].builds_entry())
    }

    fn in_model(&self) -> bool {
        self.calls.last().is_some_and(|id| self.program.functions[*id].is_model)
    }

    fn finish(self) -> Story {
        Story { steps: self.lines.into(), left_out: self.left_out, forever: self.forever }
    }

    fn call(&mut self, span: Span, function: FuncId, args: &[Shown]) {
        let callee = &self.program.functions[function];
        if !self.in_model() && !callee.builds_entry() {
            let span = if self.at_entry() { Span::NONE } else { span };
            let shown: Vec<String> = callee
                .params
                .iter()
                .zip(args)
                .map(|(param, value)| format!("{} = {}", param.name, self.value(value, CType::Signed)))
                .collect();
            let text = format!("call {}({})", callee.name, shown.join(", "));
            self.say(span, &text);
        }
        self.calls.push(function);
    }

    fn returned(&mut self, span: Span, function: FuncId, results: &[Shown]) {
        if self.calls.last() == Some(&function) {
            self.calls.pop();
        }
        let of_interest = !self.in_model() && !self.program.functions[function].builds_entry();
        if let ([value], true) = (results, of_interest) {
            let span = if self.at_entry() { Span::NONE } else { span };
            let text =
                format!("{} returns {}", self.program.functions[function].name, self.value(value, CType::Signed));
            self.say(span, &text);
        }
    }

    fn store(&mut self, span: Span, target: &Target, value: &Shown) {
        if self.in_model() || self.at_entry() || !span.is_known() {
            return;
        }
        let Some((name, ctype)) = self.place_name(target) else { return };
        let text = format!("{name} = {}", self.value(value, ctype));
        self.say(span, &text);
    }

    /// How C would name the place, and how its values are shown.
    pub fn place_name(&self, target: &Target) -> Option<(String, CType)> {
        let size = DataLayout::new(self.program.layout.model).store_size(target.ty).max(1);
        let whole = target.offset == 0 && target.object.size == Some(size);
        let ctype = self.ctype_of(&target.object);
        if let Some(named) = self.member_name(target, size) {
            return Some(named);
        }
        match (&target.object.name, target.object.kind) {
            (Some(name), _) if whole => Some((name.clone(), ctype)),
            (Some(name), _) if target.offset % size as i64 == 0 => {
                Some((format!("{name}[{}]", target.offset / size as i64), CType::Signed))
            }
            (Some(name), _) => Some((format!("{name} + {} bytes", target.offset), CType::Signed)),
            (None, ObjectKind::Heap(number)) => {
                Some((format!("block {number} at offset {}", target.offset), CType::Signed))
            }
            (None, _) => None,
        }
    }

    /// The member of a struct that a place is or lies in: `s.next`, `s.text[2]`.
    fn member_name(&self, target: &Target, size: u64) -> Option<(String, CType)> {
        let ObjectKind::Stack(function, alloca) = target.object.kind else { return None };
        let locals = &self.program.functions[function].locals;
        let local = locals.iter().find(|local| local.alloca == Some(alloca))?;
        let offset = u64::try_from(target.offset).ok()?;
        let holds = |member: &&Member| {
            member.offset <= offset && offset.saturating_add(size) <= member.offset.saturating_add(member.size)
        };
        let member = local.members.iter().filter(holds).min_by_key(|member| member.size)?;
        let whole = format!("{}.{}", local.name, member.path);
        let inside = offset - member.offset;
        match (member.size == size, inside % size) {
            (true, _) => Some((whole, member.ctype)),
            (false, 0) => Some((format!("{whole}[{}]", inside / size), CType::Signed)),
            (false, _) => Some((format!("{whole} + {}", count_bytes(inside)), CType::Signed)),
        }
    }

    fn ctype_of(&self, object: &ObjectInfo) -> CType {
        match object.kind {
            ObjectKind::Global(id) => self.program.globals[id].ctype,
            ObjectKind::Stack(function, alloca) => {
                let locals = &self.program.functions[function].locals;
                locals.iter().find(|local| local.alloca == Some(alloca)).map_or(CType::Signed, |local| local.ctype)
            }
            ObjectKind::Function(_)
            | ObjectKind::ByValue(..)
            | ObjectKind::Variadic(_)
            | ObjectKind::Heap(_)
            | ObjectKind::Arguments
            | ObjectKind::ArgumentString(_)
            | ObjectKind::EntryArgument(_) => CType::Signed,
        }
    }

    /// A value in words.
    pub fn value(&self, value: &Shown, ctype: CType) -> String {
        match value {
            Shown::Int(width, number) => show_int(*width, number, ctype),
            Shown::F32(number) => format!("{number}"),
            Shown::F64(number) => format!("{number}"),
            Shown::Null => "NULL".to_owned(),
            Shown::Address(address) => format!("{address:#x}"),
            Shown::Place(object, offset) => self.pointer(object, *offset),
            Shown::Undefined => "(uninitialised)".to_owned(),
        }
    }

    fn pointer(&self, object: &ObjectInfo, offset: i64) -> String {
        let base = match (object.kind, &object.name) {
            (ObjectKind::Heap(number), _) => match object.size {
                Some(size) => format!("block {number} ({})", count_bytes(size)),
                None => format!("block {number}"),
            },
            (ObjectKind::Global(_), Some(name)) if name.starts_with(".str") => "a string literal".to_owned(),
            (_, Some(name)) => format!("&{name}"),
            (_, None) => describe_object(self.program, object),
        };
        match offset {
            0 => base,
            offset if offset < 0 => format!("{base} - {}", offset.unsigned_abs()),
            offset => format!("{base} + {offset}"),
        }
    }

    fn choice(&mut self, span: Span, request: &Request, choice: &Choice) {
        if let (RequestKind::Undefined, Choice::Undefined(byte)) = (&request.kind, choice) {
            return self.uninitialised(span, *byte);
        }
        let name = request.name.as_deref().map(|name| format!("{name} = ")).unwrap_or_default();
        let text = match (&request.kind, choice) {
            (_, Choice::Input(value)) => format!("input {name}{}", show_scalar(value)),
            (_, Choice::Arbitrary(value)) => format!("arbitrary {name}{}", show_scalar(value)),
            (_, Choice::ArgString(bytes)) if request.name.is_some() => {
                format!("input {name}\"{}\"", bytes.escape_ascii())
            }
            (_, Choice::AllocFails(true)) => "the allocation fails".to_owned(),
            (_, Choice::AllocFails(false)) => return,
            (_, choice) => format!("{choice}"),
        };
        let span = if self.at_entry() { Span::NONE } else { span };
        self.say(span, &text);
    }

    /// The bytes of one value in one line.
    fn uninitialised(&mut self, span: Span, byte: u8) {
        let mut bytes = match self.bytes.take() {
            Some((at, bytes)) if at == span => {
                self.lines.pop_back();
                bytes
            }
            Some(_) | None => Vec::new(),
        };
        bytes.push(byte);
        let shown = || bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        let text = match bytes.as_slice() {
            [byte] => format!("an uninitialised byte is {byte}"),
            several if several.iter().all(|other| *other == byte) => {
                format!("{} uninitialised bytes are {byte}", several.len())
            }
            _ => format!("uninitialised bytes are {}", shown()),
        };
        self.say(span, &text);
        self.bytes = Some((span, bytes));
    }

    fn allocation(&mut self, span: Span, object: &ObjectInfo) {
        if let ObjectKind::Heap(number) = object.kind {
            let size = object.size.map(|size| format!(" of {}", count_bytes(size))).unwrap_or_default();
            self.say(span, &format!("block {number}{size} is allocated"));
        }
    }
}

impl Teller<'_> {
    fn tell(&mut self, span: Span, event: &Event) {
        match event {
            Event::Call { function, args } => self.call(span, *function, args),
            Event::Return { function, results } => self.returned(span, *function, results),
            Event::Store { target, value } => self.store(span, target, value),
            Event::Branch { .. } => {}
            Event::Choice { request, choice } => self.choice(span, request, choice),
            Event::Alloc(object) => self.allocation(span, object),
            Event::Free(object) => {
                if let ObjectKind::Heap(number) = object.kind {
                    self.say(span, &format!("block {number} is freed"));
                }
            }
        }
    }

    /// How many steps were told so far, those that were left out too.
    pub fn told(&self) -> usize {
        self.lines.len() + self.left_out
    }

    /// The name of a function.
    pub fn function(&self, id: FuncId) -> &str {
        &self.program.functions[id].name
    }
}

fn show_int(width: u16, number: &IBig, ctype: CType) -> String {
    let zero = IBig::ZERO;
    let unsigned = || if *number < zero { number + (IBig::ONE << usize::from(width)) } else { number.clone() };
    match ctype {
        CType::Unsigned => unsigned().to_string(),
        CType::Bool => if *number == zero { "false" } else { "true" }.to_owned(),
        CType::Char => match u8::try_from(&unsigned()) {
            Ok(byte) if byte.is_ascii_graphic() || byte == b' ' => format!("'{}'", byte as char),
            Ok(_) | Err(_) => number.to_string(),
        },
        CType::Signed | CType::Float | CType::Pointer | CType::Aggregate => number.to_string(),
    }
}

fn show_scalar(value: &Scalar) -> String {
    match value {
        Scalar::Int { value, .. } => value.to_string(),
        Scalar::F32(value) => value.to_string(),
        Scalar::F64(value) => value.to_string(),
    }
}

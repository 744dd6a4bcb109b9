//! One run: its state, how it starts and ends, what it asks and what it reports. The instructions are in `exec`, calls in
//! `calls`, library functions in `builtins`.

use std::collections::BTreeSet;

use belay_base::{Budget, Id, Span};
use belay_ir::{FuncId, ObligationId, Operand, Program, Property, Target, Type};
use dashu::integer::IBig;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::code::{Code, Origin, Slot};
use crate::integers::Integers;
use crate::interpreter::Interpreter;
use crate::memory::{Memory, TooMuchMemory};
use crate::observer::{Event, Observer};
use crate::recur::Recurrence;
use crate::report::{Fault, RunEnd, RunReport, StackEntry, Violation};
use crate::sources::in_width;
use crate::value::{Byte, ObjectId, Pointer, Token, Value};
use belay_rules::{Choice, ChoiceSource, Config, Request, RequestKind, Scalar};

/// Why the interpreter stops where it stands.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The run has ended.
    End(RunEnd),
    /// `exit` was called: destructors are still to run.
    Exit(Option<IBig>),
}

/// A result, or the end of the run.
pub(crate) type Res<T> = Result<T, Box<Stop>>;

/// An argument that went through `...`.
#[derive(Clone, Debug)]
pub(crate) struct Variadic<Int> {
    pub(crate) ty: Type,
    pub(crate) value: Value<Int>,
    /// For a struct: size and alignment; the value is the address of the callee's own copy.
    pub(crate) byval: Option<(u64, u32)>,
}

/// What a variadic call brought along.
#[derive(Clone, Debug)]
pub(crate) struct VariadicFrame<Int> {
    pub(crate) args: Vec<Variadic<Int>>,
    /// The object that `va_start` laid them out in.
    pub(crate) area: Option<ObjectId>,
}

/// A function call that has not returned.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'i, Int> {
    pub(crate) code: &'i Code,
    /// Where it stands; of the innermost frame, see [`Run::pc`].
    pub(crate) pc: usize,
    pub(crate) base: usize,
    pub(crate) constants: usize,
    /// Where its objects start in [`Run::stack_objects`].
    pub(crate) objects: usize,
    pub(crate) variadic: Option<Box<VariadicFrame<Int>>>,
}

/// An object whose undefined bytes stand for `argc`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LazyCount {
    /// The tokens of its bytes.
    pub(crate) first: Token,
    pub(crate) len: u64,
    pub(crate) chosen: Option<u32>,
}

/// A run.
pub(crate) struct Run<'i, M: Integers, O: Observer> {
    pub(crate) interpreter: &'i Interpreter<'i>,
    pub(crate) program: &'i Program,
    pub(crate) config: &'i Config,
    source: &'i mut dyn ChoiceSource,
    pub(crate) observer: &'i mut O,
    budget: &'i Budget,
    pub(crate) memory: Memory,
    pub(crate) registers: Vec<Value<M::Int>>,
    pub(crate) constants: Vec<Value<M::Int>>,
    constant_bases: Vec<Option<usize>>,
    pub(crate) frames: Vec<Frame<'i, M::Int>>,
    /// Objects that end with a frame (true: made by a dynamic alloca), but for those of entry blocks.
    pub(crate) stack_objects: Vec<(ObjectId, bool)>,
    /// What the innermost frame runs, and where.
    pub(crate) code: &'i Code,
    pub(crate) pc: usize,
    pub(crate) base: usize,
    pub(crate) constant_base: usize,
    /// The frame count at which `interpret` returns.
    pub(crate) floor: usize,
    /// The results of the function that returned to the floor.
    pub(crate) returned: SmallVec<[(Value<M::Int>, Type); 2]>,
    /// How many destructors were started.
    destructors: usize,
    pub(crate) steps: u64,
    spent: u64,
    poll_at: u64,
    pub(crate) choices: Vec<Choice>,
    pub(crate) violations: Vec<Violation>,
    violated: FxHashSet<ObligationId>,
    pub(crate) externs: BTreeSet<FuncId>,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
    pub(crate) argument_count: Option<LazyCount>,
    pub(crate) recurrence: Option<Box<Recurrence<M::Int>>>,
}

/// How many steps go by between two looks at the budget.
const POLL_STEPS: u64 = 4096;

impl<'i, M: Integers, O: Observer> Run<'i, M, O> {
    pub(crate) fn new(
        interpreter: &'i Interpreter<'i>,
        source: &'i mut dyn ChoiceSource,
        observer: &'i mut O,
        budget: &'i Budget,
    ) -> Self {
        let program = interpreter.program;
        let config = &interpreter.config;
        let mut run = Self {
            interpreter,
            program,
            config,
            source,
            observer,
            budget,
            memory: Memory::new(program.layout.pointer_bytes(), config.memory_limit),
            registers: Vec::new(),
            constants: Vec::new(),
            constant_bases: vec![None; program.functions.len()],
            frames: Vec::new(),
            stack_objects: Vec::new(),
            code: interpreter.no_code(),
            pc: 0,
            base: 0,
            constant_base: 0,
            floor: 0,
            returned: SmallVec::new(),
            destructors: 0,
            steps: 0,
            spent: 0,
            poll_at: 0,
            choices: Vec::new(),
            violations: Vec::new(),
            violated: FxHashSet::default(),
            externs: BTreeSet::new(),
            output: Vec::new(),
            errors: Vec::new(),
            argument_count: None,
            recurrence: config.recurrence.then(Box::default),
        };
        run.make_statics();
        run
    }

    /// Runs to an end.
    pub(crate) fn run(mut self) -> RunReport {
        let end = match self.execute() {
            Ok(end) => end,
            Err(stop) => self.finish(*stop),
        };
        let (steps, choices) = (self.steps, std::mem::take(&mut self.choices));
        let _ = self.budget.spend(self.steps - self.spent);
        let mut maybe_lost = Vec::new();
        self.check_heap(&end, &mut maybe_lost);
        RunReport {
            end,
            violations: self.violations,
            maybe_lost,
            choices,
            steps,
            externs: self.externs,
            output: self.output,
            errors: self.errors,
        }
    }

    pub(crate) fn execute(&mut self) -> Res<RunEnd> {
        self.initialise_globals()?;
        for constructor in &self.program.constructors {
            self.start(*constructor, Vec::new())?;
        }
        let args = self.entry_arguments()?;
        self.start(self.config.entry, args)?;
        let code = match self.returned.first() {
            Some((Value::Int(value), Type::Int(width))) => Some(M::signed(*width, value)),
            Some(_) | None => None,
        };
        while let Some(destructor) = self.next_destructor() {
            self.start(destructor, Vec::new())?;
        }
        Ok(RunEnd::Returned(code))
    }

    /// After `exit`, destructors run on top of the frames that are still there.
    pub(crate) fn finish(&mut self, stop: Stop) -> RunEnd {
        let status = match stop {
            Stop::End(end) => return end,
            Stop::Exit(status) => status,
        };
        while let Some(destructor) = self.next_destructor() {
            match self.start(destructor, Vec::new()).map_err(|stop| *stop) {
                Ok(()) | Err(Stop::Exit(_)) => {}
                Err(Stop::End(end)) => return end,
            }
        }
        RunEnd::Exited(status)
    }

    /// The destructor that is next; each runs once, even if it calls `exit`.
    fn next_destructor(&mut self) -> Option<FuncId> {
        let next = self.program.destructors.get(self.destructors).copied();
        self.destructors += 1;
        next
    }

    /// The value of an operand.
    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> &Value<M::Int> {
        if slot.is_constant() {
            &self.constants[self.constant_base + slot.index()]
        } else {
            &self.registers[self.base + slot.index()]
        }
    }

    /// The value of an operand, to be kept: an undefined constant becomes undefined bytes.
    #[inline]
    pub(crate) fn take(&mut self, slot: Slot) -> Value<M::Int> {
        match self.get(slot) {
            Value::Undef(ty) => self.fresh_undefined(*ty),
            value => value.clone(),
        }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, register: u32, value: Value<M::Int>) {
        self.registers[self.base + register as usize] = value;
    }

    /// An undefined value.
    pub(crate) fn fresh_undefined(&mut self, ty: Type) -> Value<M::Int> {
        let size = self.memory.store_size(ty);
        let first = self.memory.fresh_tokens(size);
        Value::Raw((0..size).map(|at| Byte::Undef(first + at)).collect())
    }

    /// Where the constants of a function stand in [`Run::constants`].
    pub(crate) fn constant_base_of(&mut self, code: &Code) -> usize {
        if let Some(base) = self.constant_bases[code.function.index()] {
            return base;
        }
        let base = self.constants.len();
        for operand in &code.constants {
            let value = self.constant(*operand);
            self.constants.push(value);
        }
        self.constant_bases[code.function.index()] = Some(base);
        base
    }

    fn constant(&self, operand: Operand) -> Value<M::Int> {
        match operand {
            Operand::Int { width, value } => Value::Int(M::from_bits(width, value)),
            Operand::F32(value) => Value::F32(value),
            Operand::F64(value) => Value::F64(value),
            Operand::Null => Value::Ptr(Pointer::NULL),
            Operand::Global { global, offset } => Value::Ptr(self.static_pointer(Target::Global(global), offset)),
            Operand::Func(function) => Value::Ptr(self.static_pointer(Target::Func(function), 0)),
            Operand::Undef(ty) => Value::Undef(ty),
            // Registers are no constants.
            Operand::Inst(_) | Operand::Param(_) => Value::Undef(Type::BOOL),
        }
    }

    /// Where the run stands, if it stands anywhere.
    pub(crate) fn origin(&self) -> Option<&'i Origin> {
        if self.frames.is_empty() { None } else { self.code.origins.get(self.pc) }
    }

    pub(crate) fn span(&self) -> Span {
        self.origin().map_or(Span::NONE, |origin| origin.span)
    }

    pub(crate) fn function(&self) -> Option<FuncId> {
        self.frames.last().map(|frame| frame.code.function)
    }

    /// The call stack, innermost first.
    pub(crate) fn stack(&self) -> Vec<StackEntry> {
        const SHOWN: usize = 1000;
        let depth = self.frames.len();
        let place = |(index, frame): (usize, &Frame<'i, M::Int>)| {
            let pc = if index + 1 == depth { self.pc } else { frame.pc };
            let span = frame.code.origins.get(pc).map_or(Span::NONE, |origin| origin.span);
            StackEntry { function: frame.code.function, span }
        };
        self.frames.iter().enumerate().rev().take(SHOWN).map(place).collect()
    }

    /// The run has no verdict.
    #[cold]
    pub(crate) fn unknown<T>(&self, reason: impl Into<String>) -> Res<T> {
        let (span, function) = (self.span(), self.function());
        Err(Box::new(Stop::End(RunEnd::Unknown { reason: reason.into(), span, function })))
    }

    /// Turns a lack of memory into the end of the run.
    #[inline]
    pub(crate) fn fits<T>(&self, result: Result<T, TooMuchMemory>) -> Res<T> {
        match result {
            Ok(value) => Ok(value),
            Err(TooMuchMemory) => self.unknown("the program's memory is larger than Belay's limit"),
        }
    }

    /// Records a violation, once for each obligation.
    #[cold]
    pub(crate) fn record(&mut self, property: Property, obligation: Option<ObligationId>, fault: Fault) {
        let is_asked = |id: ObligationId| self.program.obligations[id].is_asked();
        if obligation.is_some_and(|obligation| !is_asked(obligation) || !self.violated.insert(obligation)) {
            return;
        }
        let (stack, step) = (self.stack(), self.steps);
        self.violations.push(Violation { property, obligation, fault, stack, step });
    }

    /// A violation that ends the run.
    #[cold]
    pub(crate) fn violate<T>(&mut self, obligation: Option<ObligationId>, fault: Fault) -> Res<T> {
        let Some(id) = obligation else {
            return self.unknown("an invalid access where the program form has no obligation");
        };
        let property = self.program.obligations[id].property;
        self.record(property, obligation, fault);
        Err(Box::new(Stop::End(RunEnd::Violated)))
    }

    /// Makes a choice.
    #[cold]
    pub(crate) fn choose(&mut self, kind: RequestKind, name: Option<String>) -> Res<Choice> {
        let request = Request { kind, span: self.span(), name };
        let Some(choice) = self.source.choose(&request) else {
            return Err(Box::new(Stop::End(RunEnd::NeedsChoice { request })));
        };
        if !request.kind.matches(&choice) || !self.in_range(&request.kind, &choice) {
            return self.bad_choice(request, choice);
        }
        self.choices.push(choice.clone());
        if O::EVENTS {
            let event = Event::Choice { request, choice: choice.clone() };
            self.observer.event(self.span(), self.frames.len(), event);
        }
        Ok(choice)
    }

    pub(crate) fn bad_choice<T>(&self, request: Request, choice: Choice) -> Res<T> {
        Err(Box::new(Stop::End(RunEnd::BadChoice { request, choice })))
    }

    fn in_range(&self, kind: &RequestKind, choice: &Choice) -> bool {
        let (Choice::Input(Scalar::Int { width, value }) | Choice::Arbitrary(Scalar::Int { width, value })) = choice
        else {
            return true;
        };
        match kind {
            RequestKind::Input { range: Some((least, greatest)), .. } if M::UNBOUNDED || *greatest == IBig::from(1) => {
                let wide = self.config.wide_inputs && *least < IBig::ZERO;
                wide || value >= least && value <= greatest
            }
            RequestKind::Input { .. }
            | RequestKind::Undefined
            | RequestKind::Address { .. }
            | RequestKind::AllocFails { .. }
            | RequestKind::Arbitrary { .. }
            | RequestKind::ArgCount { .. }
            | RequestKind::ArgString { .. } => M::UNBOUNDED || in_width(*width, value),
        }
    }

    /// An arbitrary value of a type; a pointer is undefined.
    pub(crate) fn arbitrary(&mut self, ty: Type, name: Option<String>) -> Res<Value<M::Int>> {
        if ty == Type::Ptr {
            return Ok(self.fresh_undefined(ty));
        }
        match self.choose(RequestKind::Arbitrary { ty }, name)? {
            Choice::Arbitrary(scalar) => Ok(Self::value_of(&scalar)),
            Choice::Input(_)
            | Choice::Undefined(_)
            | Choice::Address(_)
            | Choice::AllocFails(_)
            | Choice::ArgCount(_)
            | Choice::ArgString(_) => self.unknown("a choice of another kind"),
        }
    }

    pub(crate) fn value_of(scalar: &Scalar) -> Value<M::Int> {
        match scalar {
            Scalar::Int { width, value } => Value::Int(M::from_big(*width, value)),
            Scalar::F32(value) => Value::F32(*value),
            Scalar::F64(value) => Value::F64(*value),
        }
    }

    /// Counts the steps of a block (or of a long built-in operation).
    #[inline]
    pub(crate) fn count(&mut self, steps: u64) -> Res<()> {
        self.steps += steps;
        if self.steps >= self.poll_at { self.poll() } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self) -> Res<()> {
        let due = self.steps - self.spent;
        self.spent = self.steps;
        if let Err(exhausted) = self.budget.spend(due) {
            return Err(Box::new(Stop::End(RunEnd::Exhausted(exhausted))));
        }
        // At least one step is left, or the next block is refused.
        self.poll_at = self.steps + self.budget.left().clamp(1, POLL_STEPS);
        if self.memory.wants_sweep() {
            self.sweep();
        }
        let registers = self.registers.len() * size_of::<Value<M::Int>>();
        let frames = self.frames.len() * size_of::<Frame<'_, M::Int>>();
        let small = self.memory.used() + (registers + frames) as u64 <= self.config.memory_limit;
        self.fits(if small { Ok(()) } else { Err(TooMuchMemory) })
    }

    /// Looks for dead objects that nothing refers to.
    fn sweep(&mut self) {
        let mut kept = vec![false; self.memory.object_count()];
        let mut keep = |value: &Value<M::Int>| match value {
            Value::Ptr(Pointer::Object { id, .. }) | Value::Addr(Pointer::Object { id, .. }) => kept[id.index()] = true,
            Value::Raw(bytes) => bytes.iter().for_each(|byte| {
                if let Byte::Frag(Pointer::Object { id, .. }, _) = byte {
                    kept[id.index()] = true;
                }
            }),
            Value::Ptr(_)
            | Value::Addr(_)
            | Value::Int(_)
            | Value::F32(_)
            | Value::F64(_)
            | Value::Bits(_)
            | Value::Undef(_) => {}
        };
        self.registers.iter().for_each(&mut keep);
        self.returned.iter().for_each(|(value, _)| keep(value));
        for variadic in self.frames.iter().filter_map(|frame| frame.variadic.as_ref()) {
            variadic.args.iter().for_each(|arg| keep(&arg.value));
        }
        self.stack_objects.iter().for_each(|(id, _)| kept[id.index()] = true);
        self.memory.sweep(kept, self.registers.len());
    }
}

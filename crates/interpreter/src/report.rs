//! What a run reports: how it ended, what it violated, which choices it made. Data only; other crates put it into words.

use std::collections::BTreeSet;

use belay_base::{Exhausted, Span};
use belay_ir::{FuncId, GlobalId, InstId, ObligationId, Property};
use dashu::integer::IBig;

use belay_rules::{Choice, Request};

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The entry function returned; its result, if it is a known integer.
    Returned(Option<IBig>),
    /// `exit` and its kin were called, with this status if it is known.
    Exited(Option<IBig>),
    /// `abort` was called.
    Aborted,
    /// The last of the violations ended the run.
    Violated,
    /// An assumption was false: the run ends silently. What it violated before counts.
    AssumptionFailed,
    /// The source of choices had no answer.
    NeedsChoice {
        /// What was asked.
        request: Request,
    },
    /// The source's answer was not one to this question (another kind, out of range, an address that is taken).
    BadChoice {
        /// What was asked.
        request: Request,
        /// What it answered.
        choice: Choice,
    },
    /// The run reached something that has no meaning here: it has no verdict.
    Unknown {
        /// What it was.
        reason: String,
        /// Where.
        span: Span,
        /// In which function.
        function: Option<FuncId>,
    },
    /// The budget was used up.
    Exhausted(Exhausted),
    /// The run came back to an earlier state without a choice in between but inputs: given them again, it never ends.
    Recurs {
        /// The steps made when the state first occurred.
        start: u64,
        /// The steps from there to its recurrence; other recurrences may lie between.
        period: u64,
        /// Where the state recurs: a loop, or the function that is called.
        span: Span,
        /// That function, or the one with the loop.
        function: FuncId,
        /// How many inputs the run took in one period; taking the same ones again and again, it never ends.
        inputs: usize,
        /// True if it is a call that recurs, within itself.
        nested: bool,
    },
}

/// A finished run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunReport {
    /// How it ended.
    pub end: RunEnd,
    /// What it violated, in order; an obligation occurs once, at its first violation.
    pub violations: Vec<Violation>,
    /// Lost heap blocks whose address was used as an integer: whether they can be reached is unknown.
    pub maybe_lost: Vec<ObjectInfo>,
    /// All choices, in order.
    pub choices: Vec<Choice>,
    /// The instructions executed.
    pub steps: u64,
    /// The functions without body or model that were called.
    pub externs: BTreeSet<FuncId>,
    /// What it printed, up to the configured limit.
    pub output: Vec<u8>,
    /// What it printed on `stderr`.
    pub errors: Vec<u8>,
}

impl RunReport {
    /// The first violation of a property.
    pub fn violation_of(&self, property: Property) -> Option<&Violation> {
        self.violations.iter().find(|violation| violation.property == property)
    }

    /// True if the run violates memory safety, lost blocks aside.
    pub fn breaks_memory(&self) -> bool {
        self.violation_of(Property::ValidDeref).or(self.violation_of(Property::ValidFree)).is_some()
    }

    /// True if a failed assertion or an error call has ended the run.
    pub fn fails_assertion(&self) -> bool {
        self.end == RunEnd::Violated && self.violations.iter().any(|found| found.fault.is_failed_assertion())
    }

    /// The violation of this obligation.
    pub fn violation_at(&self, obligation: ObligationId) -> Option<&Violation> {
        self.violations.iter().find(|violation| violation.obligation == Some(obligation))
    }

    /// True if the run got to an end of its own: no other run exists if it made no choice.
    pub fn is_complete(&self) -> bool {
        match self.end {
            RunEnd::Returned(_)
            | RunEnd::Exited(_)
            | RunEnd::Aborted
            | RunEnd::Violated
            | RunEnd::AssumptionFailed
            | RunEnd::Recurs { .. } => true,
            RunEnd::NeedsChoice { .. } | RunEnd::BadChoice { .. } | RunEnd::Unknown { .. } | RunEnd::Exhausted(_) => {
                false
            }
        }
    }
}

/// A frame of a call stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackEntry {
    /// The function.
    pub function: FuncId,
    /// Where in it the run stands.
    pub span: Span,
}

/// One violation.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// The property violated.
    pub property: Property,
    /// The obligation; `None` for `valid-memtrack` and `memcleanup`, which belong to the whole program.
    pub obligation: Option<ObligationId>,
    /// What went wrong.
    pub fault: Fault,
    /// The calls that led there, innermost first.
    pub stack: Vec<StackEntry>,
    /// How many steps the run had made, counted by blocks.
    pub step: u64,
}

/// What an invalid access wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// How many bytes.
    pub len: u64,
    /// True for a write.
    pub write: bool,
}

/// What went wrong at a violation.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// The bytes are not all inside the object.
    OutOfBounds {
        /// The object.
        object: ObjectInfo,
        /// Where the access starts, from the object's start.
        offset: i64,
        /// What was wanted.
        access: Access,
    },
    /// The null pointer, or an address within the first page.
    Null {
        /// The address: 0, or a small offset from it.
        address: u64,
        /// What was wanted.
        access: Access,
    },
    /// An integer address at which no object lies.
    WildAddress {
        /// The address.
        address: u64,
        /// What was wanted.
        access: Access,
    },
    /// An undefined pointer.
    UndefinedPointer {
        /// What was wanted.
        access: Access,
    },
    /// The object's life has ended (see [`ObjectInfo::ended`]) or has not begun.
    Dangling {
        /// The object.
        object: ObjectInfo,
        /// Where the access starts, from the object's start.
        offset: i64,
        /// What was wanted.
        access: Access,
    },
    /// A write to a constant object.
    ReadOnly {
        /// The object.
        object: ObjectInfo,
        /// Where the write starts.
        offset: i64,
        /// What was wanted.
        access: Access,
    },
    /// Source and destination of a `memcpy` overlap.
    Overlap {
        /// The object that both are in.
        object: ObjectInfo,
        /// The two offsets: destination, source.
        offsets: (i64, i64),
        /// How many bytes.
        len: u64,
    },
    /// An access at an address that is no multiple of what its type asks for.
    Misaligned {
        /// The object and the offset in it, if it points into one.
        place: Option<(ObjectInfo, i64)>,
        /// Where that is, if it was decided.
        address: Option<u64>,
        /// What it should be a multiple of.
        align: u32,
    },
    /// A call through a pointer that is not a function's address; the object that it points into, if any.
    NotAFunction(Option<ObjectInfo>),
    /// `free` of something that is not the start of a heap block.
    BadFree {
        /// The object, if it points into one.
        object: Option<ObjectInfo>,
        /// Its offset in there.
        offset: i64,
    },
    /// `free` of a block that was freed before.
    DoubleFree(ObjectInfo),
    /// A signed operation overflows; the operands, where they can be found.
    Overflow(Option<Operands>),
    /// The divisor is 0; the dividend, where it can be found.
    DivisionByZero(Option<Operands>),
    /// A shift out of range.
    Shift(Option<Operands>),
    /// A float that does not fit its integer type.
    FloatCast(Option<f64>),
    /// A failed assertion.
    Assertion,
    /// An error function was called.
    ErrorCall,
    /// An error label was reached, or an error function that has a body was entered; the run goes on.
    ErrorReached,
    /// What the program promises to the compiler, or C asks of an array's length, does not hold.
    Promise,
    /// A library function's precondition, in its own words.
    Precondition(Option<String>),
    /// The heap block cannot be reached any more.
    Lost(ObjectInfo),
    /// The heap block was not freed at the end.
    NotFreed(ObjectInfo),
}

impl Fault {
    /// True for a failed assertion and an error call, which end the run as `abort` does.
    pub fn is_failed_assertion(&self) -> bool {
        matches!(self, Fault::Assertion | Fault::ErrorCall)
    }
}

/// The operands of a violated operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operands {
    /// The left one, as a signed number.
    pub lhs: IBig,
    /// The right one, as a signed number.
    pub rhs: IBig,
    /// The width of their type.
    pub width: u16,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A static object.
    Global(GlobalId),
    /// A function's code.
    Function(FuncId),
    /// A stack object of an `Alloca` of a function.
    Stack(FuncId, InstId),
    /// A function's own copy of a struct parameter.
    ByValue(FuncId, u32),
    /// What a function got through `...`.
    Variadic(FuncId),
    /// A block from `malloc` and its kin; its number among them, from 1.
    Heap(u64),
    /// `argv`, or the environment.
    Arguments,
    /// A string of `argv`, or of the environment.
    ArgumentString(u32),
    /// What a pointer parameter of the entry function points to.
    EntryArgument(u32),
}

/// How a life ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndedBy {
    /// `free` or `realloc`.
    Free,
    /// The function returned.
    Return,
    /// The block of its declaration ended, or began anew.
    Scope,
    /// The life has not begun yet.
    Unborn,
}

/// An object, described for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// What it is.
    pub kind: ObjectKind,
    /// The C name of the variable, function or parameter.
    pub name: Option<String>,
    /// Its size; `None` if the program does not say.
    pub size: Option<u64>,
    /// Where it was allocated or declared.
    pub made_at: Span,
    /// Its end, and where that was.
    pub ended: Option<(EndedBy, Span)>,
    /// The calls that led to its allocation are at `made_at` in this function.
    pub made_in: Option<FuncId>,
}

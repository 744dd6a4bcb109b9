//! Violations as sentences.

use belay_base::{Budget, Span};
use belay_evidence::{Counterexample, Task};
use belay_interpreter::{
    Access, EndedBy, Fault, Interpreter, ObjectInfo, ObjectKind, Operands, StackEntry, Violation, locate_leak,
};
use belay_ir::{ObligationDetail, Program};

/// Where a violation is to be shown: the innermost place in the user's own code.
pub fn user_place(program: &Program, stack: &[StackEntry]) -> Option<StackEntry> {
    let own = |entry: &&StackEntry| entry.span.is_known() && !program.functions[entry.function].is_model;
    stack.iter().find(own).or(stack.first()).copied()
}

/// Where a counterexample's violation is to be shown. A lost block is shown where it was lost, or else where it was allocated.
pub fn violation_place(task: &Task<'_>, counterexample: &Counterexample) -> Option<StackEntry> {
    let violation = counterexample.violation.as_ref()?;
    let (Fault::Lost(object) | Fault::NotFreed(object)) = &violation.fault else {
        return user_place(task.program, &violation.stack);
    };
    let lost = match (&violation.fault, object.kind) {
        (Fault::Lost(_), ObjectKind::Heap(number)) => {
            let interpreter = Interpreter::new(task.program, task.config.clone());
            locate_leak(&interpreter, &counterexample.trace.choices, number, &Budget::steps(LEAK_STEPS))
        }
        (_, _) => None,
    };
    let made = object.made_in.map(|function| StackEntry { function, span: object.made_at });
    lost.and_then(|stack| user_place(task.program, &stack)).filter(|entry| entry.span.is_known()).or(made)
}

/// How many instructions the search for the place of a leak may repeat.
const LEAK_STEPS: u64 = 50_000_000;

/// What went wrong, in one sentence.
pub fn describe_violation(program: &Program, violation: &Violation) -> String {
    let within = violation.stack.first().filter(|entry| program.functions[entry.function].is_model);
    let within = within.map(|entry| format!(" (in {})", program.functions[entry.function].name)).unwrap_or_default();
    let detail = violation.obligation.map(|id| &program.obligations[id].detail);
    format!("{}{within}", describe_fault(program, &violation.fault, detail))
}

fn describe_place(program: &Program, place: Option<&(ObjectInfo, i64)>) -> String {
    match place {
        Some((object, 0)) => format!("access to {}", describe_object(program, object)),
        Some((object, offset)) => format!("access at offset {offset} of {}", describe_object(program, object)),
        None => "access".to_owned(),
    }
}

fn describe_fault(program: &Program, fault: &Fault, detail: Option<&ObligationDetail>) -> String {
    match fault {
        Fault::OutOfBounds { object, offset, access } => {
            format!("{} {}", describe_access(*access), out_of_bounds(program, object, *offset, *access))
        }
        Fault::Null { address: 0, access } => format!("{} through a null pointer", describe_access(*access)),
        Fault::Null { address, access } => {
            format!("{} through a null pointer plus {address} bytes", describe_access(*access))
        }
        Fault::WildAddress { address, access } => {
            format!("{} at address {address:#x}, where nothing lies", describe_access(*access))
        }
        Fault::UndefinedPointer { access } => format!("{} through an uninitialised pointer", describe_access(*access)),
        Fault::Dangling { object, access, .. } => {
            format!(
                "{} of {}, {}",
                describe_access(*access),
                describe_object(program, object),
                describe_end(program, object)
            )
        }
        Fault::ReadOnly { object, access, .. } => {
            format!("{} to {}, which is constant", describe_access(*access), describe_object(program, object))
        }
        Fault::Overlap { object, len, .. } => {
            format!("copy of {len} bytes between overlapping parts of {}", describe_object(program, object))
        }
        Fault::Misaligned { place, address, align } => {
            let place = describe_place(program, place.as_ref());
            let address = address.map_or_else(String::new, |address| format!(" {address:#x}"));
            format!("{place} at an address{address} that is no multiple of {align}")
        }
        Fault::NotAFunction(Some(object)) => {
            format!("call of {}, which is no function", describe_object(program, object))
        }
        Fault::NotAFunction(None) => "call through a pointer that is not a function's address".to_owned(),
        Fault::BadFree { object: Some(object), offset } => bad_free(program, object, *offset),
        Fault::BadFree { object: None, .. } => "free of a pointer that is no heap block's".to_owned(),
        Fault::DoubleFree(object) => {
            format!("free of {}, {}", describe_object(program, object), describe_end(program, object))
        }
        Fault::Overflow(operands) => operation(detail, operands.as_ref()),
        Fault::DivisionByZero(operands) => operation(detail, operands.as_ref()),
        Fault::Shift(operands) => operation(detail, operands.as_ref()),
        Fault::FloatCast(Some(value)) => format!("{value} does not fit the integer type it is converted to"),
        Fault::FloatCast(None) | Fault::Assertion | Fault::ErrorCall | Fault::ErrorReached | Fault::Promise => {
            detail.map_or_else(|| "violation".to_owned(), ObligationDetail::violation)
        }
        Fault::Precondition(Some(what)) => format!("precondition violated: {what}"),
        Fault::Precondition(None) => "precondition of a library function violated".to_owned(),
        Fault::Lost(object) => {
            format!("{} can no longer be reached, and was not freed", describe_object(program, object))
        }
        Fault::NotFreed(object) => {
            format!("{} is not freed at the end of the program", describe_object(program, object))
        }
    }
}

fn describe_access(access: Access) -> String {
    format!("{} of {}", if access.write { "write" } else { "read" }, count_bytes(access.len))
}

/// So many bytes, in words.
pub(crate) fn count_bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

fn out_of_bounds(program: &Program, object: &ObjectInfo, offset: i64, access: Access) -> String {
    let name = describe_object(program, object);
    let Some(size) = object.size else { return format!("at offset {offset} of {name}") };
    if offset < 0 {
        return format!("{} before {name}", count_bytes(offset.unsigned_abs()));
    }
    let start = offset.unsigned_abs();
    let end = start.saturating_add(access.len);
    if start >= size {
        let past = start - size;
        return if past == 0 {
            format!("just past the end of {name}")
        } else {
            format!("{} past the end of {name}", count_bytes(past))
        };
    }
    format!("at offset {offset} of {name}: {} too many", count_bytes(end - size))
}

fn bad_free(program: &Program, object: &ObjectInfo, offset: i64) -> String {
    let name = describe_object(program, object);
    match object.kind {
        ObjectKind::Heap(_) if offset < 0 => {
            format!("free of an address {} before {name}", count_bytes(offset.unsigned_abs()))
        }
        ObjectKind::Heap(_) => format!("free of an address {} into {name}", count_bytes(offset.unsigned_abs())),
        ObjectKind::Global(_)
        | ObjectKind::Function(_)
        | ObjectKind::Stack(..)
        | ObjectKind::ByValue(..)
        | ObjectKind::Variadic(_)
        | ObjectKind::Arguments
        | ObjectKind::ArgumentString(_)
        | ObjectKind::EntryArgument(_) => format!("free of {name}, which is not on the heap"),
    }
}

/// An object by name, size and where it comes from.
pub fn describe_object(program: &Program, object: &ObjectInfo) -> String {
    let size = object.size.map(|size| format!(" ({})", count_bytes(size))).unwrap_or_default();
    let made = place(program, object.made_at).map(|place| format!(" allocated at {place}")).unwrap_or_default();
    match (&object.kind, &object.name) {
        (ObjectKind::Heap(_), _) => {
            let size = object.size.map(|size| format!(" of {}", count_bytes(size))).unwrap_or_default();
            format!("the heap block{size}{made}")
        }
        (ObjectKind::Function(_), Some(name)) => format!("the function {name}"),
        (ObjectKind::Global(_), Some(name)) if name.starts_with(".str") => format!("a string literal{size}"),
        (ObjectKind::Arguments, _) => "argv".to_owned(),
        (ObjectKind::ArgumentString(index), _) => format!("argv[{index}]{size}"),
        (ObjectKind::Variadic(_), _) => "the variable arguments".to_owned(),
        (_, Some(name)) => format!("`{name}`{size}"),
        (_, None) => format!("an object{size}"),
    }
}

fn describe_end(program: &Program, object: &ObjectInfo) -> String {
    let Some((by, span)) = object.ended else { return "whose life has not begun".to_owned() };
    let at = place(program, span).map(|place| format!(" at {place}")).unwrap_or_default();
    match by {
        EndedBy::Free => format!("which was freed{at}"),
        EndedBy::Return => format!("whose function has returned{at}"),
        EndedBy::Scope => format!("whose block has ended{at}"),
        EndedBy::Unborn => "whose life has not begun".to_owned(),
    }
}

/// `line 12`, or `other.c:12` for another file than the first.
pub fn place(program: &Program, span: Span) -> Option<String> {
    span.is_known().then(|| match program.files.path(span.file) {
        Some(path) if span.file.0 != 0 => format!("{path}:{}", span.line),
        Some(_) | None => format!("line {}", span.line),
    })
}

fn operation(detail: Option<&ObligationDetail>, operands: Option<&Operands>) -> String {
    let what = detail.map_or_else(|| "arithmetic violation".to_owned(), ObligationDetail::violation);
    let symbol = match detail {
        Some(ObligationDetail::SignedAdd) => Some("+"),
        Some(ObligationDetail::SignedSub) => Some("-"),
        Some(ObligationDetail::SignedMul) => Some("*"),
        Some(ObligationDetail::DivisionOverflow | ObligationDetail::DivisionByZero) => Some("/"),
        Some(ObligationDetail::SignedNeg) => None,
        Some(_) | None => None,
    };
    match (symbol, operands) {
        (Some(symbol), Some(operands)) => {
            format!("{what}: {} {symbol} {} in {} bits", operands.lhs, operands.rhs, operands.width)
        }
        (None, Some(operands)) if detail == Some(&ObligationDetail::SignedNeg) => {
            format!("{what}: -({}) in {} bits", operands.rhs, operands.width)
        }
        (None, Some(operands)) => format!("{what}: {} by {} in {} bits", operands.lhs, operands.rhs, operands.width),
        (_, None) => what,
    }
}

//! The rules that results of a SARIF log name. Ids are stable: people suppress and count by them. One is added with a new [`Fault`], none is
//! renamed.

use belay_evidence::Counterexample;
use belay_interpreter::{EndedBy, Fault, ObjectInfo};

/// A kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// What results name.
    pub id: &'static str,
    /// One sentence.
    pub short: &'static str,
    /// What it means and what to do.
    pub help: &'static str,
}

macro_rules! rules {
    ($($name:ident = $id:literal, $short:literal, $help:literal;)*) => {
        $(const $name: Rule = Rule { id: $id, short: $short, help: $help };)*
        /// All rules, in a fixed order.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

rules! {
    OUT_OF_BOUNDS = "valid-deref/out-of-bounds", "An access reaches beyond its object.",
        "The bytes read or written are not all inside one object (CWE-125, CWE-787). Compare the offset with the object's size; the run shows both.";
    NULL = "valid-deref/null-pointer", "An access goes through a null pointer.",
        "The pointer is null, or null plus a small offset (CWE-476). Test it before the access, or see to it that it is set.";
    WILD = "valid-deref/wild-pointer", "An access goes to an address at which no object lies.",
        "The pointer was made from an integer (CWE-822). C gives such an access a meaning only if an object lies there.";
    UNINITIALISED = "valid-deref/uninitialised-pointer", "An access goes through an uninitialised pointer.",
        "The pointer was never given a value on this run (CWE-824).";
    AFTER_FREE = "valid-deref/use-after-free", "Freed memory is accessed.",
        "The heap block was freed before the access (CWE-416). The related locations show where it was allocated and where it was freed.";
    AFTER_SCOPE = "valid-deref/use-after-scope", "A variable is accessed whose life has ended or not begun.",
        "The variable's block or function has ended, or its declaration has not been reached (CWE-562, CWE-825). Nothing may point to it any more.";
    CONSTANT = "valid-deref/write-to-constant", "A constant object is written to.",
        "String literals and objects that are defined const must not be written to.";
    OVERLAP = "valid-deref/overlapping-copy", "Source and destination of a copy overlap.",
        "memcpy and its kin need objects that do not overlap; memmove does not.";
    MISALIGNED = "valid-deref/misaligned-access", "An access is not aligned as its type asks for.",
        "Asked with --check-alignment only. The compiler may take the alignment of the type for granted.";
    NO_FUNCTION = "valid-deref/call-of-no-function", "A call goes through a pointer that is not a function's address.",
        "The pointer does not hold the address of a function of the program.";
    PROMISE = "valid-deref/broken-promise", "What the program promises to the compiler does not hold.",
        "__builtin_unreachable is reached, __builtin_assume is given a falsehood, a function that is declared not to return returns, an object that is declared const is written, or an array has no length.";
    PRECONDITION = "valid-deref/library-precondition", "The precondition of a library function does not hold.",
        "The C standard asks for more than the call gives; the message names what.";
    BAD_FREE = "valid-free/invalid-free", "Something is freed that is not the start of a heap block.",
        "free and realloc take null or what malloc and its kin returned (CWE-590, CWE-761).";
    DOUBLE_FREE = "valid-free/double-free", "A heap block is freed twice.",
        "The block was freed before (CWE-415). The related locations show where it was allocated and where it was freed first.";
    LOST = "valid-memtrack/memory-leak", "A heap block can no longer be reached, and was not freed.",
        "The last pointer to the block is gone (CWE-401). The location is where it was lost, the related one where it was allocated.";
    NOT_FREED = "memcleanup/not-freed", "A heap block is not freed when the program ends.",
        "The block is live at the end, reachable or not.";
    OVERFLOW = "no-overflow/signed-overflow", "A signed operation overflows.",
        "The result is not representable in the type (CWE-190). Test the operands before, use a wider type, or an unsigned one where wrapping is meant.";
    DIVISION = "arithmetic/division-by-zero", "An integer is divided by zero.",
        "The divisor of / or % is 0 (CWE-369).";
    SHIFT = "arithmetic/shift-out-of-range", "A shift is out of range.",
        "The amount is negative or not less than the width, or a signed left shift is of a negative value or loses bits.";
    FLOAT = "arithmetic/float-out-of-range", "A float does not fit the integer type it is converted to.",
        "The integral part of the value is not representable in the type.";
    ASSERTION = "unreach-call/assertion-fails", "An assertion fails.",
        "The asserted condition is false on this run.";
    ERROR_CALL = "unreach-call/error-reached", "An error function or label is reached.",
        "reach_error, __VERIFIER_error or an error label is reached on this run.";
    ENDLESS = "termination/endless-run", "The program need not end.",
        "The run shown never ends: its state recurs, or it stays in a set of states that it need never leave (CWE-835).";
    UNDECIDED = "not-decided", "A property is neither proved nor violated.",
        "Belay does not know. The message gives the reason; it is no defect of the program.";
}

/// The rule of a violation.
pub fn rule_of(counterexample: &Counterexample) -> Rule {
    let Some(violation) = &counterexample.violation else { return ENDLESS };
    match &violation.fault {
        Fault::OutOfBounds { .. } => OUT_OF_BOUNDS,
        Fault::Null { .. } => NULL,
        Fault::WildAddress { .. } => WILD,
        Fault::UndefinedPointer { .. } => UNINITIALISED,
        Fault::Dangling { object, .. } => after_end(object),
        Fault::ReadOnly { .. } => CONSTANT,
        Fault::Overlap { .. } => OVERLAP,
        Fault::Misaligned { .. } => MISALIGNED,
        Fault::NotAFunction(_) => NO_FUNCTION,
        Fault::BadFree { .. } => BAD_FREE,
        Fault::DoubleFree(_) => DOUBLE_FREE,
        Fault::Overflow(_) => OVERFLOW,
        Fault::DivisionByZero(_) => DIVISION,
        Fault::Shift(_) => SHIFT,
        Fault::FloatCast(_) => FLOAT,
        Fault::Assertion => ASSERTION,
        Fault::ErrorCall | Fault::ErrorReached => ERROR_CALL,
        Fault::Promise => PROMISE,
        Fault::Precondition(_) => PRECONDITION,
        Fault::Lost(_) => LOST,
        Fault::NotFreed(_) => NOT_FREED,
    }
}

fn after_end(object: &ObjectInfo) -> Rule {
    match object.ended {
        Some((EndedBy::Free, _)) => AFTER_FREE,
        Some((EndedBy::Return | EndedBy::Scope | EndedBy::Unborn, _)) | None => AFTER_SCOPE,
    }
}

/// The rule of what is not known.
pub fn undecided_rule() -> Rule {
    UNDECIDED
}

/// The object that a violation is about, if it is about one.
pub fn object_of(fault: &Fault) -> Option<&ObjectInfo> {
    match fault {
        Fault::OutOfBounds { object, .. }
        | Fault::Dangling { object, .. }
        | Fault::ReadOnly { object, .. }
        | Fault::Overlap { object, .. }
        | Fault::DoubleFree(object)
        | Fault::Lost(object)
        | Fault::NotFreed(object) => Some(object),
        Fault::Misaligned { place, .. } => place.as_ref().map(|(object, _)| object),
        Fault::NotAFunction(object) | Fault::BadFree { object, .. } => object.as_ref(),
        Fault::Null { .. }
        | Fault::WildAddress { .. }
        | Fault::UndefinedPointer { .. }
        | Fault::Overflow(_)
        | Fault::DivisionByZero(_)
        | Fault::Shift(_)
        | Fault::FloatCast(_)
        | Fault::Assertion
        | Fault::ErrorCall
        | Fault::ErrorReached
        | Fault::Promise
        | Fault::Precondition(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RULES.len());
    }
}

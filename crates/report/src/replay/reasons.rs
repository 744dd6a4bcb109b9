//! Why a violation may not show when the program runs natively. The list is closed: a replay that does not reproduce names one of these.

use belay_interpreter::{EndedBy, Fault};

/// Why a violation is not visible natively.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// The access lands in another object, where sanitizers see nothing wrong.
    NeighbouringObject,
    /// The memory of a dead local is still there.
    StaleStack,
    /// The memory of a freed block was given to another one.
    ReusedBlock,
    /// The pointer is whatever the memory held before.
    UninitialisedPointer,
    /// The run needs certain bytes in memory that was never set.
    UninitialisedBytes,
    /// The run needs an object at a certain address.
    AddressChoice,
    /// The run needs a result of a library function that can't be forced.
    LibraryInput,
    /// An operation or a function gives a value that C leaves open.
    ArbitraryValue,
    /// A copy of the last pointer still lies somewhere.
    StalePointer,
    /// No sanitizer looks for this.
    NotChecked,
    /// A constant object lies in memory that can be written to.
    WritableConstant,
    /// The program's own error function ends nothing and says nothing.
    SilentErrorFunction,
    /// The run takes too long natively.
    TooLong,
    /// The sanitizers stop the run at another place first.
    StopsElsewhere,
    /// None of the others is known to apply.
    WentAnotherWay,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 15] = [
        Reason::NeighbouringObject,
        Reason::StaleStack,
        Reason::ReusedBlock,
        Reason::UninitialisedPointer,
        Reason::UninitialisedBytes,
        Reason::AddressChoice,
        Reason::LibraryInput,
        Reason::ArbitraryValue,
        Reason::StalePointer,
        Reason::NotChecked,
        Reason::WritableConstant,
        Reason::SilentErrorFunction,
        Reason::TooLong,
        Reason::StopsElsewhere,
        Reason::WentAnotherWay,
    ];

    /// The name in files.
    pub fn id(self) -> &'static str {
        match self {
            Reason::NeighbouringObject => "neighbouring-object",
            Reason::StaleStack => "stale-stack",
            Reason::ReusedBlock => "reused-block",
            Reason::UninitialisedPointer => "uninitialised-pointer",
            Reason::UninitialisedBytes => "uninitialised-bytes",
            Reason::AddressChoice => "address-choice",
            Reason::LibraryInput => "library-input",
            Reason::ArbitraryValue => "arbitrary-value",
            Reason::StalePointer => "stale-pointer",
            Reason::NotChecked => "not-checked",
            Reason::WritableConstant => "writable-constant",
            Reason::SilentErrorFunction => "silent-error-function",
            Reason::TooLong => "too-long",
            Reason::StopsElsewhere => "stops-elsewhere",
            Reason::WentAnotherWay => "went-another-way",
        }
    }

    /// The reason of a name.
    pub fn from_id(id: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.id() == id)
    }

    /// In words: `not visible natively, because …`.
    pub fn words(self) -> &'static str {
        match self {
            Reason::NeighbouringObject => "the access lands in a neighbouring object",
            Reason::StaleStack => "the memory of the dead local is still there",
            Reason::ReusedBlock => "the memory of the freed block was given to another one",
            Reason::UninitialisedPointer => "an uninitialised pointer holds whatever lay there before",
            Reason::UninitialisedBytes => "the run needs certain bytes in memory that was never set",
            Reason::AddressChoice => "the run needs an object at a certain address",
            Reason::LibraryInput => "the run needs a result of a library function that can't be forced",
            Reason::ArbitraryValue => "the run needs a value that C leaves open",
            Reason::StalePointer => "a stale copy of the pointer still lies in memory",
            Reason::NotChecked => "no sanitizer looks for this",
            Reason::WritableConstant => "the constant object lies in memory that can be written to",
            Reason::SilentErrorFunction => "the program's own error function ends nothing and says nothing",
            Reason::TooLong => "the run takes too long",
            Reason::StopsElsewhere => "the sanitizers stop the run at another place first",
            Reason::WentAnotherWay => "the native program went another way",
        }
    }
}

/// Why a violation of this kind may not show, if the run itself goes the same way; `None` for those that always show.
pub fn reason_of(fault: &Fault) -> Option<Reason> {
    match fault {
        Fault::OutOfBounds { .. } | Fault::NotAFunction(Some(_)) => Some(Reason::NeighbouringObject),
        Fault::Dangling { object, .. } => Some(match object.ended {
            Some((EndedBy::Free, _)) => Reason::ReusedBlock,
            Some((EndedBy::Return | EndedBy::Scope | EndedBy::Unborn, _)) | None => Reason::StaleStack,
        }),
        Fault::UndefinedPointer { .. } => Some(Reason::UninitialisedPointer),
        Fault::WildAddress { .. } | Fault::NotAFunction(None) => Some(Reason::AddressChoice),
        Fault::ReadOnly { .. } => Some(Reason::WritableConstant),
        Fault::Lost(_) | Fault::NotFreed(_) => Some(Reason::StalePointer),
        Fault::Overlap { .. } | Fault::Misaligned { .. } | Fault::Precondition(_) | Fault::Promise => {
            Some(Reason::NotChecked)
        }
        Fault::ErrorReached => Some(Reason::SilentErrorFunction),
        Fault::BadFree { object: None, .. } => Some(Reason::UninitialisedPointer),
        Fault::BadFree { object: Some(_), .. }
        | Fault::DoubleFree(_)
        | Fault::Null { .. }
        | Fault::Overflow(_)
        | Fault::DivisionByZero(_)
        | Fault::Shift(_)
        | Fault::FloatCast(_)
        | Fault::Assertion
        | Fault::ErrorCall => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_again() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_id(reason.id()), Some(reason));
            assert!(!reason.words().is_empty());
        }
    }
}

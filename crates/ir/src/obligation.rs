//! Obligations: the places where C can go wrong, each with a stable id, a property and a source span.

use std::fmt;

use belay_base::{Span, id_type};

use crate::program::FuncId;

id_type!(
    /// An obligation of the program.
    ObligationId,
    "o"
);

/// What can be asked of a program. `memsafety` is the first three together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// Every access is to live memory within one object.
    ValidDeref,
    /// Every `free` is of a live heap block, by the address that the allocation returned.
    ValidFree,
    /// In every state every live heap block can still be reached.
    ValidMemtrack,
    /// Every heap block is freed when the program ends.
    MemCleanup,
    /// No signed addition, subtraction, multiplication, division or negation overflows.
    NoOverflow,
    /// No division by zero, shift out of range or float-to-integer conversion out of range.
    Arithmetic,
    /// No assertion fails and no error function is called.
    UnreachCall,
    /// Every run ends.
    Termination,
}

impl Property {
    /// All properties, in the order in which they are reported.
    pub const ALL: [Property; 8] = [
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::MemCleanup,
        Property::NoOverflow,
        Property::Arithmetic,
        Property::UnreachCall,
        Property::Termination,
    ];

    /// Those that hold if their obligations do: the others speak of the heap at a run's end, or of whether there is one.
    pub const OF_OBLIGATIONS: [Property; 5] =
        [Property::ValidDeref, Property::ValidFree, Property::NoOverflow, Property::Arithmetic, Property::UnreachCall];

    /// True if what violates it is an invalid access or free, after which nothing is known of a run.
    pub fn is_of_memory(self) -> bool {
        match self {
            Property::ValidDeref | Property::ValidFree => true,
            Property::ValidMemtrack
            | Property::MemCleanup
            | Property::NoOverflow
            | Property::Arithmetic
            | Property::UnreachCall
            | Property::Termination => false,
        }
    }

    /// The name on the command line and in verdicts.
    pub fn name(self) -> &'static str {
        match self {
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::MemCleanup => "memcleanup",
            Property::NoOverflow => "no-overflow",
            Property::Arithmetic => "arithmetic",
            Property::UnreachCall => "unreach-call",
            Property::Termination => "termination",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What exactly must hold at an obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObligationDetail {
    /// The bytes read are valid.
    Load,
    /// The bytes written are valid and writable.
    Store,
    /// Source and destination of a block copy are valid (and, for `memcpy`, do not overlap).
    MemCopy,
    /// The destination of a block fill is valid.
    MemSet,
    /// The address accessed is a multiple of this many bytes; asked only where the user wants it.
    Alignment(u32),
    /// The address called is that of a function.
    IndirectCall,
    /// The memory that a built-in library function touches is valid.
    LibraryCall(String),
    /// A precondition that a library model states.
    Precondition,
    /// What the program promises to the compiler, so that C says nothing of runs that break it; the function by which it does:
    /// `__builtin_unreachable`, `__builtin_assume`, `goto *`, `const`, subscripts of a `vector`.
    Promise(&'static str),
    /// The length of a variable-length array is greater than zero.
    ArrayLength,
    /// The pointer passed to `free` or `realloc` is a live heap block's.
    Free,
    /// Signed `+` does not overflow.
    SignedAdd,
    /// Signed `-` does not overflow.
    SignedSub,
    /// Signed `*` does not overflow.
    SignedMul,
    /// Negation does not overflow.
    SignedNeg,
    /// A value that is not negative, shifted left by an amount in range, is representable.
    SignedShl,
    /// An operation on an element of a vector, or on a part of a complex integer, does not overflow, should its type be signed: the instruction does not say.
    OfUnknownSign,
    /// The quotient of a signed division is representable.
    DivisionOverflow,
    /// The divisor is not zero.
    DivisionByZero,
    /// The shift amount, and for signed values the result, is in range.
    Shift,
    /// The float fits the integer type it is converted to.
    FloatCast,
    /// The asserted condition, as far as its text is known.
    Assertion(Option<String>),
    /// The error function of this name is not called.
    ErrorCall(String),
    /// An error label is not reached, or an error function with a body not entered; what is said if it is. To the other
    /// properties this is code like any other.
    ErrorReached(String),
}

/// One place where the program can violate a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The property at stake.
    pub property: Property,
    /// The function that contains it.
    pub function: FuncId,
    /// Counts the function's obligations of this property from 1, in source order.
    pub number: u32,
    /// Where it stands.
    pub span: Span,
    /// What must hold.
    pub detail: ObligationDetail,
    /// Whether it is asked about.
    pub standing: Standing,
}

/// What a program, or a copy of it, asks about an obligation. Runs are the same whatever it is, ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Whether a run violates it.
    Asked,
    /// Nothing: a violation is none of the property's.
    Unasked,
    /// Nothing, since it is shown already that no run violates it: who proves something may take that for granted.
    Shown,
}

impl Obligation {
    /// True if it is asked about.
    pub fn is_asked(&self) -> bool {
        self.standing == Standing::Asked
    }

    /// The property that a violation speaks against; none if nobody asks about this obligation.
    pub fn judged(&self) -> Option<Property> {
        self.is_asked().then_some(self.property)
    }
}

impl ObligationDetail {
    /// What a violation is, as a phrase for people.
    pub fn violation(&self) -> String {
        match self {
            ObligationDetail::Load => "invalid read".into(),
            ObligationDetail::Store => "invalid write".into(),
            ObligationDetail::MemCopy => "invalid block copy".into(),
            ObligationDetail::MemSet => "invalid block fill".into(),
            ObligationDetail::Alignment(bytes) => format!("access at an address that is no multiple of {bytes}"),
            ObligationDetail::IndirectCall => "call through an invalid function pointer".into(),
            ObligationDetail::LibraryCall(name) => format!("invalid access in {name}"),
            ObligationDetail::Precondition => "precondition of a library function violated".into(),
            ObligationDetail::Promise("__builtin_unreachable") => "__builtin_unreachable is reached".into(),
            ObligationDetail::Promise("goto *") => "goto * to an address that is no label of the function".into(),
            ObligationDetail::Promise("vector") => "a subscript of a vector is beyond its elements".into(),
            ObligationDetail::Promise("const") => "an object that is declared const is written".into(),
            ObligationDetail::Promise(name) => format!("what {name} promises does not hold"),
            ObligationDetail::ArrayLength => "an array of no length is declared".into(),
            ObligationDetail::Free => "invalid free".into(),
            ObligationDetail::SignedAdd => "signed addition overflows".into(),
            ObligationDetail::SignedSub => "signed subtraction overflows".into(),
            ObligationDetail::SignedMul => "signed multiplication overflows".into(),
            ObligationDetail::SignedNeg => "negation overflows".into(),
            ObligationDetail::SignedShl => "signed left shift overflows".into(),
            ObligationDetail::OfUnknownSign => {
                "an operation on a vector or a complex integer overflows, if that is signed".into()
            }
            ObligationDetail::DivisionOverflow => "signed division overflows".into(),
            ObligationDetail::DivisionByZero => "division by zero".into(),
            ObligationDetail::Shift => "shift out of range".into(),
            ObligationDetail::FloatCast => "float does not fit the integer type".into(),
            ObligationDetail::Assertion(Some(text)) => format!("assertion `{text}` fails"),
            ObligationDetail::Assertion(None) => "assertion fails".into(),
            ObligationDetail::ErrorCall(name) => format!("error function {name} is called"),
            ObligationDetail::ErrorReached(what) => what.clone(),
        }
    }

    /// Whether a failed check ends the run. After an overflow and its kin the run goes on with another value; and what stands
    /// behind an error label is the program's own code, of which only `unreach-call` knows that it should not be reached.
    pub fn ends_run(&self) -> bool {
        match self {
            ObligationDetail::SignedAdd
            | ObligationDetail::SignedSub
            | ObligationDetail::SignedMul
            | ObligationDetail::SignedNeg
            | ObligationDetail::SignedShl
            | ObligationDetail::OfUnknownSign
            | ObligationDetail::DivisionOverflow
            | ObligationDetail::Shift
            | ObligationDetail::FloatCast
            | ObligationDetail::ErrorReached(_) => false,
            ObligationDetail::DivisionByZero
            | ObligationDetail::Assertion(_)
            | ObligationDetail::ErrorCall(_)
            | ObligationDetail::Precondition
            | ObligationDetail::Promise(_)
            | ObligationDetail::ArrayLength
            | ObligationDetail::Load
            | ObligationDetail::Store
            | ObligationDetail::MemCopy
            | ObligationDetail::MemSet
            | ObligationDetail::Alignment(_)
            | ObligationDetail::IndirectCall
            | ObligationDetail::LibraryCall(_)
            | ObligationDetail::Free => true,
        }
    }
}

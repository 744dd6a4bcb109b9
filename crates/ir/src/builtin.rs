//! Library functions whose meaning is built in rather than modelled in C: those that make or end
//! objects, end the run, are inputs, assertions or output, and a few where a loop would cost precision.

use crate::obligation::Property;

/// A function with a built-in meaning; each execution gives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `malloc`.
    Malloc,
    /// `calloc`.
    Calloc,
    /// `realloc`.
    Realloc,
    /// `__belay_aligned_block(alignment, size)`: a block whose address is a multiple of the alignment, a power of two.
    AlignedBlock,
    /// `free`.
    Free,
    /// `strlen`.
    Strlen,
    /// `abort`: ends the run at once.
    Abort,
    /// `exit`: runs destructors, ends the run.
    Exit,
    /// `_exit`, `_Exit`, `quick_exit`: ends the run at once.
    ExitNow,
    /// `__assert_fail` and its kin: a failed assertion, ends the run.
    AssertFail,
    /// `__VERIFIER_error`, `reach_error`: an error call, ends the run.
    ErrorCall,
    /// `__VERIFIER_assert`, `__CPROVER_assert`: a violation if the first argument is 0, and then ends the run.
    Assert,
    /// `__VERIFIER_assume`, `__CPROVER_assume`: the run does not exist if the argument is 0.
    Assume,
    /// `__VERIFIER_nondet_…`: an arbitrary value of its result type.
    Nondet,
    /// `printf(format, …)`.
    Printf,
    /// `fprintf(stream, format, …)`, and `dprintf`.
    Fprintf,
    /// `sprintf(buffer, format, …)`.
    Sprintf,
    /// `snprintf(buffer, size, format, …)`.
    Snprintf,
    /// `vprintf(format, list)`.
    Vprintf,
    /// `vfprintf(stream, format, list)`.
    Vfprintf,
    /// `vsprintf(buffer, format, list)`.
    Vsprintf,
    /// `vsnprintf(buffer, size, format, list)`.
    Vsnprintf,
    /// `puts`.
    Puts,
    /// `fputs(string, stream)`.
    Fputs,
    /// `putchar`, `putc`, `fputc`: the character is the first argument.
    Putchar,
    /// `perror`: reads its string.
    Perror,
    /// `sqrt`.
    Sqrt,
    /// `sqrtf`.
    Sqrtf,
    /// `__belay_precondition(holds, what)`: what a model requires of its caller.
    Precondition,
    /// `__belay_same_object(p, q)`: 1 if both point into one object.
    SameObject,
    /// `__belay_object_size(p)`: the bytes from `p` to the end of its object.
    ObjectSize,
    /// `__CPROVER_r_ok(p, n)`: whether `n` bytes from `p` on may be read.
    Readable,
    /// `__CPROVER_w_ok(p, n)`, `__CPROVER_rw_ok(p, n)`: whether they may be written, and so read.
    Writable,
    /// `__CPROVER_OBJECT_SIZE(p)`: the size of the object that `p` points into, alive or not.
    WholeSize,
    /// `__CPROVER_POINTER_OFFSET(p)`: the bytes from the start of its object to `p`; 0 for null.
    PointerOffset,
    /// `__CPROVER_DYNAMIC_OBJECT(p)`: whether `p` points into a heap block, alive or not.
    IsHeapBlock,
    /// `__belay_foreign(p)`: what stands in the object that `p` points to was written by others: a run that reads it has no verdict.
    Foreign,
    /// `__belay_approximate(what)`: from here on the run may be none of the program's, because a model gives more results than the
    /// function that it stands for. A proof covers all of them; a run ends here without a verdict.
    Approximate,
}

impl Builtin {
    /// The built-in behind a C name, if there is one.
    pub fn from_name(name: &str) -> Option<Builtin> {
        Some(match name {
            "malloc" => Builtin::Malloc,
            "calloc" => Builtin::Calloc,
            "realloc" => Builtin::Realloc,
            "__belay_aligned_block" => Builtin::AlignedBlock,
            "free" | "cfree" => Builtin::Free,
            "strlen" => Builtin::Strlen,
            "abort" => Builtin::Abort,
            "exit" => Builtin::Exit,
            "_exit" | "_Exit" | "quick_exit" => Builtin::ExitNow,
            "__assert_fail" | "__assert_perror_fail" | "__assert" | "__assert_rtn" | "_assert" => Builtin::AssertFail,
            "__VERIFIER_error" | "reach_error" => Builtin::ErrorCall,
            "__VERIFIER_assert" | "__CPROVER_assert" | "assert" => Builtin::Assert,
            "__CPROVER_precondition" | "__CPROVER_postcondition" => Builtin::Assert,
            // LLBMC's, ESBMC's and LoopFrog's spellings.
            "__llbmc_assert" | "__ESBMC_assert" | "ASSERT" => Builtin::Assert,
            "__VERIFIER_assume" | "__CPROVER_assume" | "__llbmc_assume" | "__ESBMC_assume" => Builtin::Assume,
            "__CPROVER_r_ok" => Builtin::Readable,
            "__CPROVER_w_ok" | "__CPROVER_rw_ok" => Builtin::Writable,
            "__CPROVER_OBJECT_SIZE" => Builtin::WholeSize,
            "__CPROVER_POINTER_OFFSET" => Builtin::PointerOffset,
            "__CPROVER_DYNAMIC_OBJECT" => Builtin::IsHeapBlock,
            "printf" => Builtin::Printf,
            "fprintf" | "dprintf" => Builtin::Fprintf,
            "sprintf" => Builtin::Sprintf,
            "snprintf" => Builtin::Snprintf,
            "vprintf" => Builtin::Vprintf,
            "vfprintf" => Builtin::Vfprintf,
            "vsprintf" => Builtin::Vsprintf,
            "vsnprintf" => Builtin::Vsnprintf,
            "puts" => Builtin::Puts,
            "fputs" => Builtin::Fputs,
            "putchar" | "putc" | "fputc" => Builtin::Putchar,
            "perror" => Builtin::Perror,
            "sqrt" => Builtin::Sqrt,
            "sqrtf" => Builtin::Sqrtf,
            "__belay_precondition" => Builtin::Precondition,
            "__belay_same_object" => Builtin::SameObject,
            "__belay_object_size" => Builtin::ObjectSize,
            "__belay_foreign" => Builtin::Foreign,
            "__belay_approximate" => Builtin::Approximate,
            // What it gives it writes.
            "__VERIFIER_nondet_memory" => return None,
            _ if name.starts_with("__VERIFIER_nondet") => Builtin::Nondet,
            _ => return None,
        })
    }

    /// The property at stake when it is called, if any.
    pub fn property(self) -> Option<Property> {
        match self {
            Builtin::Free | Builtin::Realloc => Some(Property::ValidFree),
            Builtin::AssertFail | Builtin::ErrorCall | Builtin::Assert => Some(Property::UnreachCall),
            Builtin::Strlen
            | Builtin::Printf
            | Builtin::Fprintf
            | Builtin::Sprintf
            | Builtin::Snprintf
            | Builtin::Vprintf
            | Builtin::Vfprintf
            | Builtin::Vsprintf
            | Builtin::Vsnprintf
            | Builtin::Puts
            | Builtin::Fputs
            | Builtin::Perror
            | Builtin::Precondition
            | Builtin::ObjectSize => Some(Property::ValidDeref),
            Builtin::Malloc
            | Builtin::Calloc
            | Builtin::AlignedBlock
            | Builtin::Abort
            | Builtin::Exit
            | Builtin::ExitNow
            | Builtin::Assume
            | Builtin::Nondet
            | Builtin::Putchar
            | Builtin::Sqrt
            | Builtin::Sqrtf
            | Builtin::SameObject
            | Builtin::Readable
            | Builtin::Writable
            | Builtin::WholeSize
            | Builtin::PointerOffset
            | Builtin::IsHeapBlock
            | Builtin::Foreign
            | Builtin::Approximate => None,
        }
    }

    /// True if a call may make a heap block.
    pub fn makes_block(self) -> bool {
        match self {
            Builtin::Malloc | Builtin::Calloc | Builtin::Realloc | Builtin::AlignedBlock => true,
            Builtin::Free
            | Builtin::Strlen
            | Builtin::Abort
            | Builtin::Exit
            | Builtin::ExitNow
            | Builtin::AssertFail
            | Builtin::ErrorCall
            | Builtin::Assert
            | Builtin::Assume
            | Builtin::Nondet
            | Builtin::Printf
            | Builtin::Fprintf
            | Builtin::Sprintf
            | Builtin::Snprintf
            | Builtin::Vprintf
            | Builtin::Vfprintf
            | Builtin::Vsprintf
            | Builtin::Vsnprintf
            | Builtin::Puts
            | Builtin::Fputs
            | Builtin::Putchar
            | Builtin::Perror
            | Builtin::Sqrt
            | Builtin::Sqrtf
            | Builtin::Precondition
            | Builtin::SameObject
            | Builtin::ObjectSize
            | Builtin::Readable
            | Builtin::Writable
            | Builtin::WholeSize
            | Builtin::PointerOffset
            | Builtin::IsHeapBlock
            | Builtin::Foreign
            | Builtin::Approximate => false,
        }
    }

    /// True if a call never returns.
    pub fn ends_run(self) -> bool {
        matches!(self, Builtin::Abort | Builtin::Exit | Builtin::ExitNow | Builtin::AssertFail | Builtin::ErrorCall)
    }
}

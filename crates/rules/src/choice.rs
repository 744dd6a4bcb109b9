//! What a run may choose. C leaves inputs, undefined bytes, addresses and a few results open; the interpreter decides none
//! of them itself but asks a [`ChoiceSource`] and records the answer, so that a run is a function of its choices: the same
//! program with the same list goes the same way. Each choice has a text form (`input i32 -5`), which is what traces store.

use std::fmt;

use belay_base::Span;
use belay_ir::Type;
use dashu::integer::IBig;

/// A number of an integer or float type.
#[derive(Clone, Debug)]
pub enum Scalar {
    /// An integer of a width. In the machine model a value and that value plus 2^width are the same.
    Int {
        /// The width of its type.
        width: u16,
        /// The value.
        value: IBig,
    },
    /// A `float`.
    F32(f32),
    /// A `double`.
    F64(f64),
}

impl Scalar {
    /// An integer of `width` bits.
    pub fn int(width: u16, value: impl Into<IBig>) -> Self {
        Scalar::Int { width, value: value.into() }
    }

    /// The type of the number.
    pub fn ty(&self) -> Type {
        match self {
            Scalar::Int { width, .. } => Type::Int(*width),
            Scalar::F32(_) => Type::F32,
            Scalar::F64(_) => Type::F64,
        }
    }
}

/// Floats are equal if their bits are: a replay must not mistake one NaN or zero for another.
impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Scalar::Int { width: w, value: v }, Scalar::Int { width, value }) => w == width && v == value,
            (Scalar::F32(a), Scalar::F32(b)) => a.to_bits() == b.to_bits(),
            (Scalar::F64(a), Scalar::F64(b)) => a.to_bits() == b.to_bits(),
            (Scalar::Int { .. } | Scalar::F32(_) | Scalar::F64(_), _) => false,
        }
    }
}

impl Eq for Scalar {}

impl fmt::Display for Scalar {
    /// `i32 -5`, `float 0.1`, `double -inf`, `double nan:7ff8000000000000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Int { width, value } => write!(f, "i{width} {value}"),
            Scalar::F32(value) if value.is_nan() => write!(f, "float nan:{:08x}", value.to_bits()),
            Scalar::F32(value) => write!(f, "float {value:?}"),
            Scalar::F64(value) if value.is_nan() => write!(f, "double nan:{:016x}", value.to_bits()),
            Scalar::F64(value) => write!(f, "double {value:?}"),
        }
    }
}

/// One decision of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The result of `__VERIFIER_nondet_…`, or an argument of the entry function.
    Input(Scalar),
    /// An undefined byte, decided when a value first depends on it.
    Undefined(u8),
    /// Where an object lies, decided when it first matters.
    Address(u64),
    /// Whether an allocation fails.
    AllocFails(bool),
    /// The result of a function without a body, or of an operation whose result is arbitrary.
    Arbitrary(Scalar),
    /// `argc` (or the number of environment strings).
    ArgCount(u32),
    /// A string of `argv`: its bytes before the terminating 0, none of which is 0.
    ArgString(Vec<u8>),
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Input(value) => write!(f, "input {value}"),
            Choice::Undefined(byte) => write!(f, "undefined {byte:#04x}"),
            Choice::Address(address) => write!(f, "address {address:#x}"),
            Choice::AllocFails(true) => f.write_str("alloc fails"),
            Choice::AllocFails(false) => f.write_str("alloc succeeds"),
            Choice::Arbitrary(value) => write!(f, "arbitrary {value}"),
            Choice::ArgCount(count) => write!(f, "argc {count}"),
            Choice::ArgString(bytes) => write!(f, "argv \"{}\"", bytes.escape_ascii()),
        }
    }
}

/// A text that is not a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseChoiceError(pub String);

impl fmt::Display for ParseChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a choice: `{}`", self.0)
    }
}

impl std::error::Error for ParseChoiceError {}

impl std::str::FromStr for Choice {
    type Err = ParseChoiceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_choice(text.trim()).ok_or_else(|| ParseChoiceError(text.to_owned()))
    }
}

fn parse_choice(text: &str) -> Option<Choice> {
    let (kind, rest) = text.split_once(' ')?;
    Some(match kind {
        "input" => Choice::Input(parse_scalar(rest)?),
        "undefined" => Choice::Undefined(u8::from_str_radix(rest.strip_prefix("0x")?, 16).ok()?),
        "address" => Choice::Address(u64::from_str_radix(rest.strip_prefix("0x")?, 16).ok()?),
        "alloc" => match rest {
            "fails" => Choice::AllocFails(true),
            "succeeds" => Choice::AllocFails(false),
            _ => return None,
        },
        "arbitrary" => Choice::Arbitrary(parse_scalar(rest)?),
        "argc" => Choice::ArgCount(rest.parse().ok()?),
        "argv" => Choice::ArgString(unescape(rest.strip_prefix('"')?.strip_suffix('"')?)?),
        _ => return None,
    })
}

fn parse_scalar(text: &str) -> Option<Scalar> {
    let (ty, value) = text.split_once(' ')?;
    match ty {
        "float" => match value.strip_prefix("nan:") {
            Some(bits) => Some(Scalar::F32(f32::from_bits(u32::from_str_radix(bits, 16).ok()?))),
            None => value.parse().ok().map(Scalar::F32),
        },
        "double" => match value.strip_prefix("nan:") {
            Some(bits) => Some(Scalar::F64(f64::from_bits(u64::from_str_radix(bits, 16).ok()?))),
            None => value.parse().ok().map(Scalar::F64),
        },
        _ => {
            let width = ty.strip_prefix('i')?.parse().ok()?;
            (1..=Type::MAX_INT_WIDTH).contains(&width).then_some(())?;
            Some(Scalar::Int { width, value: value.parse().ok()? })
        }
    }
}

/// Undoes [`slice::escape_ascii`].
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut chars = text.bytes();
    while let Some(byte) = chars.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match chars.next()? {
            b't' => b'\t',
            b'r' => b'\r',
            b'n' => b'\n',
            b'x' => {
                let digits = [chars.next()?, chars.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            quoted @ (b'\\' | b'\'' | b'"') => quoted,
            _ => return None,
        });
    }
    Some(bytes)
}

/// What kind of decision is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestKind {
    /// An input of this type, within the range of its C type: [`Choice::Input`].
    Input {
        /// The type.
        ty: Type,
        /// For an integer, the least and the greatest value.
        range: Option<(IBig, IBig)>,
    },
    /// An undefined byte: [`Choice::Undefined`].
    Undefined,
    /// An object's address: [`Choice::Address`].
    Address {
        /// The object's size.
        size: u64,
        /// What the address must be a multiple of.
        align: u64,
        /// An address that is allowed: beyond those chosen so far.
        fresh: u64,
        /// The address of a dead object, if it is allowed too.
        reuse: Option<u64>,
    },
    /// Whether the allocation of so many bytes fails: [`Choice::AllocFails`].
    AllocFails {
        /// The size asked for.
        size: u64,
    },
    /// An arbitrary number: [`Choice::Arbitrary`].
    Arbitrary {
        /// Its type.
        ty: Type,
    },
    /// `argc`: [`Choice::ArgCount`].
    ArgCount {
        /// The least allowed.
        least: u32,
    },
    /// A string among the program's arguments: [`Choice::ArgString`].
    ArgString {
        /// Which of them.
        index: u32,
    },
}

impl RequestKind {
    /// True if `choice` is an answer to this, as far as its kind and type go.
    pub fn matches(&self, choice: &Choice) -> bool {
        match (self, choice) {
            (RequestKind::Input { ty, .. }, Choice::Input(value))
            | (RequestKind::Arbitrary { ty }, Choice::Arbitrary(value)) => value.ty() == *ty,
            (RequestKind::Undefined, Choice::Undefined(_))
            | (RequestKind::Address { .. }, Choice::Address(_))
            | (RequestKind::AllocFails { .. }, Choice::AllocFails(_)) => true,
            (RequestKind::ArgCount { least }, Choice::ArgCount(count)) => count >= least,
            (RequestKind::ArgString { .. }, Choice::ArgString(bytes)) => !bytes.contains(&0),
            (
                RequestKind::Input { .. }
                | RequestKind::Undefined
                | RequestKind::Address { .. }
                | RequestKind::AllocFails { .. }
                | RequestKind::Arbitrary { .. }
                | RequestKind::ArgCount { .. }
                | RequestKind::ArgString { .. },
                _,
            ) => false,
        }
    }
}

/// A question to a [`ChoiceSource`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// What is to be decided.
    pub kind: RequestKind,
    /// Where in the source it comes up.
    pub span: Span,
    /// The function whose result it is (`__VERIFIER_nondet_uint`), or the parameter, where there is one.
    pub name: Option<String>,
}

/// Who decides.
pub trait ChoiceSource {
    /// The answer, or `None` to stop the run there.
    fn choose(&mut self, request: &Request) -> Option<Choice>;
}

impl<S: ChoiceSource + ?Sized> ChoiceSource for &mut S {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        (**self).choose(request)
    }
}

/// True if a function gives inputs that are 0 or 1, whatever the width: a `_Bool` is handed over as a byte. Any other name gives all values of its type.
pub fn gives_truth(name: &str) -> bool {
    matches!(name.strip_prefix("__VERIFIER_nondet_"), Some("bool" | "_Bool"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_round_trip() {
        let choices = [
            Choice::Input(Scalar::int(32, -5)),
            Choice::Input(Scalar::F64(0.1)),
            Choice::Input(Scalar::F64(-0.0)),
            Choice::Input(Scalar::F32(f32::NEG_INFINITY)),
            Choice::Input(Scalar::F64(f64::from_bits(0xfff8_0000_0000_0001))),
            Choice::Undefined(7),
            Choice::Address(0x1000),
            Choice::AllocFails(true),
            Choice::AllocFails(false),
            Choice::Arbitrary(Scalar::int(128, IBig::from(1) << 120)),
            Choice::ArgCount(2),
            Choice::ArgString(b"a \"b\"\\\x01\xff\n'".to_vec()),
        ];
        for choice in choices {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        assert_eq!(Choice::Input(Scalar::int(32, -5)).to_string(), "input i32 -5");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "input", "input i32 x", "input i0 1", "undefined 7", "alloc maybe", "argv \"\\q\"", "argv a"] {
            assert!(text.parse::<Choice>().is_err(), "{text}");
        }
    }
}

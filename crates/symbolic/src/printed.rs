//! What a format prints: which arguments it takes, what it reads, and how many bytes come of it.
//!
//! *Sound*: a format is followed only if all of it is understood and every conversion has its argument; what `%s` reads is shown to be valid, or doubted. The number of bytes is the sum of those of
//! its parts, each of which is exact or a variable between bounds that hold for every value (C17 7.21.6.1):
//! - an integer of w bits has at most as many digits as the greatest one, and a sign, a base and what the precision asks for; no number of a type has more digits than a greater one, so that bounds of the value give bounds of the digits;
//! - a number v from 1 on has d digits to the base b with b^(d-1) <= v, hence (b - 1) (d - 1) <= v - 1, as (b - 1) n <= b^n - 1; one from 0 on has b (d - 1) <= v, as b n <= b^n from n = 1 on;
//! - a double has at most 309 digits before its point, and elsewhere an exponent of at most 3 digits;
//! - a string with a precision has at most so many bytes as either says; with padding a text is as long as the longer one of the field and itself.
//!
//! Where integers are unbounded their digits have no bound.

use belay_ir::{IntegerModel, Type};
use belay_linear::{LinExpr, Rat};
use belay_rules::format::{Count, Length, Part, Spec, parse};

use super::arithmetic::note;
use super::builtins::Site;
use super::knowledge::constant;
use super::machine::{Machine, Step};
use super::state::{AllocId, State, Value};
use super::variadic::Arguments;

/// Digits that tell small numbers from others: how many a number has is looked for only if it has no more.
const SMALL: u32 = 5;

/// What is printed.
pub(super) struct Printed {
    /// How many bytes; none if no bound is known, or nobody asks.
    pub(super) length: Option<LinExpr>,
    /// No more than this, if that is known.
    most: Option<u64>,
    /// None of them is 0.
    pub(super) is_text: bool,
}

impl Printed {
    fn text(length: LinExpr) -> Printed {
        Printed { length: Some(length), most: None, is_text: true }
    }

    fn exactly(bytes: u64) -> Printed {
        Printed { most: Some(bytes), ..Printed::text(constant(i128::from(bytes))) }
    }

    fn open() -> Printed {
        Printed { length: None, most: None, is_text: true }
    }

    fn followed_by(self, next: Printed) -> Printed {
        let length = self.length.zip(next.length).map(|(own, next)| own.plus(&next));
        Printed { length, most: None, is_text: self.is_text && next.is_text }
    }
}

/// A call with a format.
pub(super) struct Format<'a, 's> {
    pub(super) site: &'a Site<'s>,
    pub(super) arguments: Arguments,
    /// The object that is written to, from which nothing may be read.
    pub(super) written: Option<AllocId>,
    /// True if it matters how many bytes are printed.
    pub(super) counts: bool,
}

impl Machine<'_> {
    /// Looks at the arguments of a format, and at what it prints. `None` if it is not followed: an argument is missing, or is neither a number nor a string that can be read.
    pub(super) fn printed(
        &mut self,
        state: &mut State,
        text: &[u8],
        format: &mut Format<'_, '_>,
    ) -> Step<Option<Printed>> {
        let Some(parts) = parse(text) else { return Ok(None) };
        let mut all = Printed::text(constant(0));
        for part in parts {
            let next = match part {
                Part::Text(text) => Printed::exactly(text.len() as u64),
                Part::Spec(spec) => match self.conversion(state, &spec, format)? {
                    Some(printed) => printed,
                    None => return Ok(None),
                },
            };
            all = all.followed_by(next);
        }
        Ok(Some(all))
    }

    fn take(&mut self, state: &mut State, format: &mut Format<'_, '_>, ty: Type) -> Step<Option<Value>> {
        self.next_argument(state, &mut format.arguments, ty, format.site)
    }

    fn conversion(&mut self, state: &mut State, spec: &Spec, format: &mut Format<'_, '_>) -> Step<Option<Printed>> {
        let Some(width) = self.count(state, spec.width, format)? else { return Ok(None) };
        let Some(precision) = self.count(state, spec.precision, format)? else { return Ok(None) };
        let bare = match (spec.conversion, spec.length) {
            (b's', Length::Int) => self.printed_string(state, precision, format)?,
            (b'd' | b'i' | b'u' | b'o' | b'x' | b'X', _) => self.printed_integer(state, spec, precision, format)?,
            // A precision says nothing of a pointer or a character (C17 7.21.6.1p4), and glibc makes something of it.
            (b'p' | b'c', _) if !matches!(precision, Wanted::None) => None,
            (b'c', Length::Int) => {
                let taken = self.take(state, format, Type::Int(32))?;
                taken.map(|_| Printed { is_text: false, ..Printed::exactly(1) })
            }
            (b'p', _) => {
                let taken = self.take(state, format, Type::Ptr)?;
                taken.map(|_| self.between(state, (1, 20), format))
            }
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Length::Int | Length::Long) => {
                let taken = self.take(state, format, Type::F64)?;
                taken.map(|_| self.printed_float(state, spec.conversion, precision, format))
            }
            // A `long double` is one argument of a call; in memory its size depends on the machine.
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Length::LongDouble) => match format.arguments {
                Arguments::Call(_) => self.take(state, format, Type::F64)?.map(|_| Printed::open()),
                Arguments::Memory(..) => None,
            },
            // `%n` writes, and wide characters are read.
            (_, _) => None,
        };
        let Some(bare) = bare else { return Ok(None) };
        Ok(Some(match width {
            Wanted::None => bare,
            Wanted::Given(width) => self.padded(state, bare, width, format),
            Wanted::Argument(_) => Printed { length: None, most: None, ..bare },
        }))
    }

    /// A width or a precision.
    fn count(&mut self, state: &mut State, count: Option<Count>, format: &mut Format<'_, '_>) -> Step<Option<Wanted>> {
        Ok(match count {
            None => Some(Wanted::None),
            Some(Count::Given(number)) => Some(Wanted::Given(number)),
            Some(Count::Argument) => self.take(state, format, Type::Int(32))?.map(Wanted::Argument),
        })
    }

    /// As many bytes as a number between two others.
    fn between(&mut self, state: &mut State, (least, most): (u64, u64), format: &Format<'_, '_>) -> Printed {
        if !format.counts {
            return Printed::open();
        }
        let length = state.fresh();
        note(state, length.minus(&constant(i128::from(least))));
        note(state, constant(i128::from(most)).minus(&length));
        Printed { most: Some(most), ..Printed::text(length) }
    }

    fn padded(&mut self, state: &mut State, bare: Printed, width: u64, format: &Format<'_, '_>) -> Printed {
        let Some(own) = bare.length.as_ref().filter(|_| format.counts) else { return bare };
        if bare.most.is_some_and(|most| most <= width) {
            return Printed { is_text: bare.is_text, ..Printed::exactly(width) };
        }
        let (length, field) = (state.fresh(), constant(i128::from(width)));
        note(state, length.minus(own));
        note(state, length.minus(&field));
        note(state, own.plus(&field).minus(&length));
        if let Some(most) = bare.most {
            note(state, constant(i128::from(most)).minus(&length));
        }
        Printed { length: Some(length), ..bare }
    }

    fn printed_string(
        &mut self,
        state: &mut State,
        precision: Wanted,
        format: &mut Format<'_, '_>,
    ) -> Step<Option<Printed>> {
        let Some(pointer) = self.take(state, format, Type::Ptr)? else { return Ok(None) };
        if matches!(&pointer, Value::Pointer(alloc, _) if Some(*alloc) == format.written) {
            return Ok(None);
        }
        let limit = match precision {
            Wanted::None => {
                let length = self.string_length(state, &pointer, format.site.obligation, format.site.span)?;
                return Ok(Some(Printed::text(length)));
            }
            Wanted::Given(limit) => Some(constant(i128::from(limit))),
            // A negative precision is none.
            Wanted::Argument(Value::Int(limit)) if self.at_least(state, &limit, 0)? => Some(limit),
            Wanted::Argument(_) => None,
        };
        let string = self.shown_string(state, &pointer)?;
        if string.is_none() {
            let (Some(limit), Value::Pointer(alloc, offset)) = (&limit, &pointer) else { return Ok(None) };
            if !self.is_inside(state, *alloc, offset, limit)? {
                return Ok(None);
            }
        }
        if !format.counts {
            return Ok(Some(Printed::open()));
        }
        let length = state.fresh();
        note(state, length.clone());
        if let Some(string) = string {
            let whole = self.length_of(state, &string)?;
            note(state, whole.minus(&length));
        }
        limit.into_iter().for_each(|limit| note(state, limit.minus(&length)));
        Ok(Some(Printed::text(length)))
    }

    fn printed_integer(
        &mut self,
        state: &mut State,
        spec: &Spec,
        precision: Wanted,
        format: &mut Format<'_, '_>,
    ) -> Step<Option<Printed>> {
        let long = self.program.layout.pointer_bits();
        let (passed, width) = match spec.length {
            Length::Char => (32, 8),
            Length::Short => (32, 16),
            Length::Int => (32, 32),
            Length::Long | Length::Size => (long, long),
            Length::LongLong | Length::Max => (64, 64),
            Length::LongDouble => return Ok(None),
        };
        let Some(value) = self.take(state, format, Type::Int(passed))? else { return Ok(None) };
        if !format.counts || self.config.integers == IntegerModel::Unbounded {
            return Ok(Some(Printed::open()));
        }
        let most = most_digits(spec, width);
        match precision {
            Wanted::None if passed == width && !spec.plus && !spec.space && !spec.alternative => {
                self.printed_number(state, &value, (spec, most), format).map(Some)
            }
            Wanted::None => Ok(Some(self.between(state, (1, most), format))),
            // The value 0 prints nothing with precision 0; a sign or a base stands before the digits.
            Wanted::Given(precision) => Ok(Some(self.between(state, (0, most.max(precision + 2)), format))),
            Wanted::Argument(_) => Ok(Some(Printed::open())),
        }
    }

    /// A number without a precision, and without anything before its digits but a `-`.
    fn printed_number(
        &mut self,
        state: &mut State,
        value: &Value,
        (spec, most): (&Spec, u64),
        format: &Format<'_, '_>,
    ) -> Step<Printed> {
        let Value::Int(number) = value else { return Ok(self.between(state, (1, most), format)) };
        let positive = self.at_least(state, number, 0)?;
        let signed = matches!(spec.conversion, b'd' | b'i');
        // As unsigned a negative number is a great one.
        if !positive && !signed {
            return Ok(self.between(state, (1, most), format));
        }
        let mut digits = most;
        let sign = u64::from(!positive);
        for power in [SMALL].into_iter().chain(1..SMALL) {
            let greatest = constant(i128::from(base(spec)).pow(power) - 1);
            let is_below = self.at_least(state, &greatest.minus(number), 0)?;
            if is_below && (positive || self.at_least(state, &greatest.plus(number), 0)?) {
                digits = (u64::from(power) + sign).min(digits);
                if power < SMALL {
                    break;
                }
            } else if power == SMALL {
                break;
            }
        }
        let printed = self.between(state, (1, digits), format);
        if let Some(length) = printed.length.as_ref().filter(|_| positive) {
            let base = i64::from(base(spec));
            let (factor, least) = if self.at_least(state, number, 1)? { (base - 1, 1) } else { (base, 0) };
            let scaled = length.minus(&constant(1)).scaled(&Rat::from(factor));
            note(state, number.minus(&constant(least)).minus(&scaled));
        }
        Ok(printed)
    }

    fn printed_float(
        &mut self,
        state: &mut State,
        conversion: u8,
        precision: Wanted,
        format: &Format<'_, '_>,
    ) -> Printed {
        let precision = match precision {
            Wanted::None => 13,
            Wanted::Given(precision) => precision.max(13),
            Wanted::Argument(_) => return Printed::open(),
        };
        // A sign, a point, a base, zeros behind the point and an exponent.
        let most = if matches!(conversion, b'f' | b'F') { 309 + 2 } else { 16 } + precision;
        self.between(state, (1, most), format)
    }
}

/// A width or a precision as it is asked for.
enum Wanted {
    None,
    Given(u64),
    Argument(Value),
}

/// The most bytes that an integer of so many bits prints as, without precision.
fn most_digits(spec: &Spec, width: u16) -> u64 {
    let greatest = (1u128 << width) - 1;
    let base = u128::from(base(spec));
    let mut digits = 0;
    let mut rest = greatest;
    while rest > 0 {
        rest /= base;
        digits += 1;
    }
    // A sign, or a base.
    digits + if base == 10 { 1 } else { 2 }
}

fn base(spec: &Spec) -> u8 {
    match spec.conversion {
        b'o' => 8,
        b'x' | b'X' => 16,
        _ => 10,
    }
}

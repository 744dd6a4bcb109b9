//! The sources of choices: a script (replay), a seeded generator, a user's list of inputs, and none at all.

use std::collections::VecDeque;

use belay_ir::Type;
use dashu::base::BitTest;
use dashu::integer::IBig;

use belay_rules::{Choice, ChoiceSource, Request, RequestKind, Scalar};

/// Replays a list exactly and stops at its end. A choice of another kind than asked for is an error of the run.
#[derive(Clone, Debug)]
pub struct Script {
    choices: VecDeque<Choice>,
}

impl Script {
    /// The choices, in the order in which the run asks.
    pub fn new(choices: impl IntoIterator<Item = Choice>) -> Self {
        Self { choices: choices.into_iter().collect() }
    }

    /// How many were not asked for.
    pub fn left(&self) -> usize {
        self.choices.len()
    }
}

impl ChoiceSource for Script {
    fn choose(&mut self, _request: &Request) -> Option<Choice> {
        self.choices.pop_front()
    }
}

/// Decides nothing: the run ends where it would need a choice.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoChoice;

impl ChoiceSource for NoChoice {
    fn choose(&mut self, _request: &Request) -> Option<Choice> {
        None
    }
}

/// A deterministic generator (splitmix64; Steele, Lea, Flood 2014) that likes the values at which programs break.
#[derive(Clone, Debug)]
pub struct Seeded {
    state: u64,
}

/// How many arguments the generator gives a program at most, and how long they are.
const MAX_ARGUMENTS: u64 = 4;
const MAX_ARGUMENT_LENGTH: u64 = 12;

impl Seeded {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed ^ 0x5851_f42d_4c95_7f2d }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn int_in(&mut self, least: &IBig, greatest: &IBig) -> IBig {
        let wanted = match self.below(8) {
            0 => IBig::ZERO,
            1 => IBig::from(1),
            2 => IBig::from(-1),
            3 => least.clone(),
            4 => greatest.clone(),
            5 => IBig::from(self.below(33)) - IBig::from(8),
            6 => IBig::from(self.next() as i8),
            _ => {
                let span = greatest - least + IBig::from(1);
                let random = (IBig::from(self.next()) << 64) + IBig::from(self.next());
                least + random % span
            }
        };
        wanted.clamp(least.clone(), greatest.clone())
    }

    fn float(&mut self) -> f64 {
        match self.below(8) {
            0 => 0.0,
            1 => 1.0,
            2 => -1.0,
            3 => self.below(1000) as f64 / 8.0 - 50.0,
            4 => f64::INFINITY,
            5 => f64::NAN,
            6 => f64::MAX,
            _ => f64::from_bits(self.next()),
        }
    }

    fn scalar(&mut self, ty: Type, range: Option<&(IBig, IBig)>) -> Scalar {
        match ty {
            Type::F32 => Scalar::F32(self.float() as f32),
            Type::F64 => Scalar::F64(self.float()),
            Type::Int(width) => Scalar::Int { width, value: self.int_of(width, range) },
            // Requests are for numbers; an address is asked for as an integer.
            Type::Ptr => Scalar::Int { width: 64, value: IBig::ZERO },
        }
    }

    fn int_of(&mut self, width: u16, range: Option<&(IBig, IBig)>) -> IBig {
        match range {
            Some((least, greatest)) => self.int_in(least, greatest),
            None if width == 1 => IBig::from(self.below(2)),
            None => {
                let half = IBig::from(1) << (usize::from(width) - 1);
                self.int_in(&-half.clone(), &(half - IBig::from(1)))
            }
        }
    }

    fn argument(&mut self) -> Vec<u8> {
        let length = self.below(MAX_ARGUMENT_LENGTH + 1);
        (0..length).map(|_| b"0123456789-abcXYZ /.%s"[self.below(22) as usize]).collect()
    }
}

/// Draws as [`Seeded`] does, but after a while each place in the program that asks for an input gets the same one for ever: what a run
/// needs to come back to a state. The first values are the plainest ones.
#[derive(Clone, Debug)]
pub struct Steady {
    drawn: Seeded,
    /// How many inputs are drawn anew each time, and whether any is.
    free: u64,
    was_free: bool,
    plain: Option<i64>,
    /// Numbers that the program compares with.
    telling: Vec<IBig>,
    fixed: Vec<FixedInput>,
}

/// What a place in the program that asks for an input always gets.
#[derive(Clone, PartialEq, Debug)]
pub struct FixedInput {
    /// The place.
    pub span: belay_base::Span,
    /// The function that is asked.
    pub name: Option<String>,
    /// The input.
    pub choice: Choice,
}

impl FixedInput {
    /// True if this answers the request.
    pub fn answers(&self, request: &Request) -> bool {
        self.span == request.span && self.name == request.name && request.kind.matches(&self.choice)
    }
}

impl Steady {
    /// The source of this seed. The first few give every input the same small number; the others like the numbers in `telling`.
    pub fn new(seed: u64, telling: Vec<IBig>) -> Self {
        let mut drawn = Seeded::new(seed);
        let plain = [0, 1, -1, 2, 3, 10].get(usize::try_from(seed).unwrap_or(usize::MAX)).copied();
        let free = if plain.is_some() { 0 } else { drawn.below(2) * drawn.below(12) };
        Self { drawn, free, was_free: free > 0, plain, telling, fixed: Vec::new() }
    }
}

impl Steady {
    /// The inputs of this source, but for one or two places that get others.
    pub fn varied(&self, seed: u64) -> Self {
        let mut drawn = Seeded::new(seed);
        let mut fixed = self.fixed.clone();
        for _ in 0..1 + drawn.below(2) {
            if !fixed.is_empty() {
                fixed.remove(drawn.below(fixed.len() as u64) as usize);
            }
        }
        Self { drawn, free: 0, was_free: false, plain: None, telling: self.telling.clone(), fixed }
    }

    /// What each place gets, if that was so from the first input on.
    pub fn fixed(&self) -> Option<&[FixedInput]> {
        (!self.was_free).then_some(&self.fixed)
    }

    fn tells(&mut self) -> bool {
        !self.telling.is_empty() && self.drawn.below(3) == 0
    }
}

impl ChoiceSource for Steady {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        let repeats = matches!(request.kind, RequestKind::Input { .. } | RequestKind::Arbitrary { .. });
        if let Some(known) = self.fixed.iter().find(|known| repeats && known.answers(request)) {
            return Some(known.choice.clone());
        }
        let choice = match (&request.kind, self.plain) {
            (RequestKind::Input { ty: Type::Int(width), range }, Some(plain)) => {
                let value = match range {
                    Some((least, greatest)) => IBig::from(plain).clamp(least.clone(), greatest.clone()),
                    None if *width == 1 => IBig::from(plain & 1),
                    None => IBig::from(plain),
                };
                Choice::Input(Scalar::Int { width: *width, value })
            }
            (RequestKind::Input { ty: Type::Int(width), range }, None) if self.tells() => {
                let number = self.telling[self.drawn.below(self.telling.len() as u64) as usize].clone();
                let fits = range.as_ref().is_none_or(|(least, greatest)| *least <= number && number <= *greatest);
                if fits {
                    Choice::Input(Scalar::Int { width: *width, value: number })
                } else {
                    self.drawn.choose(request)?
                }
            }
            (_, _) => self.drawn.choose(request)?,
        };
        if repeats && self.free == 0 {
            self.fixed.push(FixedInput { span: request.span, name: request.name.clone(), choice: choice.clone() });
        }
        self.free = self.free.saturating_sub(1);
        Some(choice)
    }
}

impl ChoiceSource for Seeded {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        Some(match &request.kind {
            RequestKind::Input { ty, range } => Choice::Input(self.scalar(*ty, range.as_ref())),
            RequestKind::Undefined => Choice::Undefined(match self.below(4) {
                0 => 0,
                1 => 0xff,
                _ => self.next() as u8,
            }),
            RequestKind::Address { fresh, reuse, align, .. } => match reuse {
                Some(reuse) if self.below(2) == 0 => Choice::Address(*reuse),
                // No better aligned than it must be, as often as not.
                Some(_) | None if *align < 16 && self.below(2) == 0 => Choice::Address(fresh.saturating_add(*align)),
                Some(_) | None => Choice::Address(*fresh),
            },
            RequestKind::AllocFails { .. } => Choice::AllocFails(self.below(4) == 0),
            RequestKind::Arbitrary { ty } => Choice::Arbitrary(self.scalar(*ty, None)),
            RequestKind::ArgCount { least } => Choice::ArgCount(least + self.below(MAX_ARGUMENTS) as u32),
            RequestKind::ArgString { .. } => Choice::ArgString(self.argument()),
        })
    }
}

/// The inputs that a user gives, in order; everything else, and inputs beyond the list, from a seed.
#[derive(Clone, Debug)]
pub struct Inputs {
    values: VecDeque<IBig>,
    rest: Seeded,
}

impl Inputs {
    /// The given inputs, then those of the seed.
    pub fn new(values: impl IntoIterator<Item = IBig>, seed: u64) -> Self {
        Self { values: values.into_iter().collect(), rest: Seeded::new(seed) }
    }
}

impl ChoiceSource for Inputs {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        let RequestKind::Input { ty, .. } = request.kind else { return self.rest.choose(request) };
        let Some(value) = self.values.pop_front() else { return self.rest.choose(request) };
        Some(Choice::Input(match ty {
            Type::Int(width) => Scalar::Int { width, value },
            Type::F32 => Scalar::F32(value.to_f32().value()),
            Type::F64 | Type::Ptr => Scalar::F64(value.to_f64().value()),
        }))
    }
}

/// The range that a value of a C type has: by its width and the name of the function that gives it.
pub(crate) fn input_range(ty: Type, name: &str) -> Option<(IBig, IBig)> {
    let width = usize::from(ty.int_width()?);
    let one = IBig::from(1);
    let type_name = name.strip_prefix("__VERIFIER_nondet_").unwrap_or_default();
    if width == 1 || belay_rules::gives_truth(name) {
        return Some((IBig::ZERO, one));
    }
    let unsigned = type_name.starts_with('u') || matches!(type_name, "size_t" | "pointer" | "sector_t");
    Some(if unsigned {
        (IBig::ZERO, (one.clone() << width) - one)
    } else {
        (-(one.clone() << (width - 1)), (one.clone() << (width - 1)) - one)
    })
}

/// True if an integer of the machine's `width` can stand for `value`, read as signed or as unsigned.
pub(crate) fn in_width(width: u16, value: &IBig) -> bool {
    let bits = value.bit_len();
    let width = usize::from(width);
    match value.sign() {
        dashu::base::Sign::Positive => bits <= width,
        dashu::base::Sign::Negative => bits < width || *value == -(IBig::from(1) << (width - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belay_base::Span;

    fn input(name: &str, width: u16) -> Request {
        let kind = RequestKind::Input { ty: Type::Int(width), range: input_range(Type::Int(width), name) };
        Request { kind, span: Span::NONE, name: Some(name.into()) }
    }

    #[test]
    fn seeded_inputs_stay_in_their_range() {
        let mut source = Seeded::new(1);
        for (name, width, least, greatest) in [
            ("__VERIFIER_nondet_bool", 8, 0i64, 1i64),
            ("__VERIFIER_nondet_uchar", 8, 0, 255),
            ("__VERIFIER_nondet_char", 8, -128, 127),
            ("__VERIFIER_nondet_int", 32, i32::MIN.into(), i32::MAX.into()),
        ] {
            for _ in 0..200 {
                let Some(Choice::Input(Scalar::Int { value, .. })) = source.choose(&input(name, width)) else {
                    panic!("not an input")
                };
                assert!(value >= IBig::from(least) && value <= IBig::from(greatest), "{name} {value}");
            }
        }
    }

    #[test]
    fn a_seed_decides_everything() {
        let run = |seed| {
            let mut source = Seeded::new(seed);
            (0..20).map(|_| source.choose(&input("__VERIFIER_nondet_int", 32))).collect::<Vec<_>>()
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }

    #[test]
    fn widths_hold_signed_and_unsigned_values() {
        for (value, holds) in [(-128, true), (-129, false), (255, true), (256, false)] {
            assert_eq!(in_width(8, &IBig::from(value)), holds, "{value}");
        }
    }
}

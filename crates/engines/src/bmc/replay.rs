//! From a model to a run.
//!
//! A model gives every variable a value. The questions that the interpreter will ask were logged during execution, each with the
//! condition under which it comes up; those whose condition is true in the model are, in the order of the log, the
//! questions of the model's path. Inputs and arbitrary results are found by their place in the source, in order. Undefined
//! bytes are asked for where a value first depends on them, and so are they logged. The interpreter runs the program as translated, so
//! where the passes moved a question, the answers may not fit; then the run goes elsewhere and nothing is claimed.

use std::collections::VecDeque;

use belay_base::Span;
use belay_ir::Type;
use belay_logic::bv::{Bits, BvSolver, TermId};
use belay_rules::{Choice, ChoiceSource, Request, RequestKind, Scalar};
use dashu::integer::IBig;
use rustc_hash::FxHashSet;

use belay_encoder::unrolling::{ArgumentString, Event};
use belay_encoder::{RunQuestion, Store, Unrolling};

/// How undefined bytes are answered where the log has none for the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// With the next one logged for another place.
    Next,
    /// With 0.
    Zero,
}

#[derive(Clone, Debug)]
struct Answer {
    span: Span,
    ty: Type,
    bits: Bits,
}

/// Answers from a model.
#[derive(Clone, Debug, Default)]
pub struct ModelAnswers {
    inputs: VecDeque<Answer>,
    arbitrary: VecDeque<Answer>,
    undefined: VecDeque<(Span, u8)>,
    /// The bytes of the arbitrary values, for a program in which they are still in memory.
    never_set: VecDeque<u8>,
    failures: VecDeque<bool>,
    /// Where objects of an alignment lie.
    addresses: VecDeque<(Span, u64, u64)>,
    arguments: u32,
    strings: Vec<Vec<u8>>,
}

/// Strings in models longer than this are cut.
const MAX_STRING: u64 = 1 << 16;

/// Low bits of addresses are those of the model below this.
const PAGE: u64 = 4096;

impl ModelAnswers {
    /// The answers along the path of the model that `solver` has.
    pub fn new(store: &Store<'_>, solver: &mut BvSolver, unrolling: &Unrolling) -> Self {
        Self::along(store, solver, unrolling, &unrolling.events)
    }

    /// The answers to these questions.
    pub fn along<'e>(
        store: &Store<'_>,
        solver: &mut BvSolver,
        unrolling: &Unrolling,
        events: impl IntoIterator<Item = &'e Event>,
    ) -> Self {
        let mut answers = Self::default();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut value = |term: TermId| solver.value(&store.terms, term).unwrap_or(Bits::zero(1));
        for event in events {
            if !value(event.condition).is_one() {
                continue;
            }
            match event.asked {
                RunQuestion::Input { term, ty, span } => {
                    answers.inputs.push_back(Answer { span, ty, bits: value(term) })
                }
                RunQuestion::Arbitrary { term, ty, span } => {
                    let bits = value(term);
                    answers.never_set.extend(bytes_of(&bits));
                    answers.arbitrary.push_back(Answer { span, ty, bits });
                }
                RunQuestion::Address { term, align, span } => {
                    if seen.insert(term) {
                        let address = value(term).to_u128().unwrap_or(0) as u64;
                        answers.addresses.push_back((span, align, address));
                    }
                }
                RunQuestion::AllocFails { term } => answers.failures.push_back(value(term).is_one()),
                RunQuestion::Uses { term, span } => {
                    let used = store.undefined_in(term, |condition| value(condition).is_one());
                    for variable in used.into_iter().filter(|variable| seen.insert(*variable)) {
                        answers.undefined.extend(bytes_of(&value(variable)).into_iter().map(|byte| (span, byte)));
                    }
                }
            }
        }
        answers.arguments = store.argument_count().map_or(1, |count| value(count).to_u128().unwrap_or(1) as u32);
        answers.strings = (0..8).map(|index| string(unrolling.strings.get(&index), &mut value)).collect();
        answers
    }

    /// True if undefined bytes play a part.
    pub fn has_undefined(&self) -> bool {
        !self.undefined.is_empty()
    }

    /// A source of choices.
    pub fn source(&self, filling: Filling) -> ModelSource {
        ModelSource { left: self.clone(), filling, addresses: 0 }
    }
}

fn string(string: Option<&ArgumentString>, value: &mut impl FnMut(TermId) -> Bits) -> Vec<u8> {
    let Some(ArgumentString { size, reads }) = string else { return Vec::new() };
    let len = value(*size).to_u128().unwrap_or(1).saturating_sub(1).min(MAX_STRING.into()) as usize;
    let mut text = vec![b'a'; len];
    for (offset, byte) in reads {
        let (offset, byte) = (value(*offset).to_u128(), value(*byte).to_u128());
        if let (Some(offset), Some(byte)) = (offset, byte)
            && let Some(place) = usize::try_from(offset).ok().and_then(|offset| text.get_mut(offset))
            && byte != 0
        {
            *place = byte as u8;
        }
    }
    text
}

/// Answers the interpreter from a model.
#[derive(Clone, Debug)]
pub struct ModelSource {
    left: ModelAnswers,
    filling: Filling,
    addresses: u32,
}

impl ModelSource {
    /// How often an address was asked for: of those only the low bits are answered from the model.
    pub fn addresses(&self) -> u32 {
        self.addresses
    }

    fn undefined(&mut self, span: Span) -> u8 {
        let bytes = &mut self.left.undefined;
        let here = bytes.iter().position(|(at, _)| *at == span);
        let index = match (here, self.filling) {
            (Some(index), _) => Some(index),
            (None, Filling::Next) => (!bytes.is_empty()).then_some(0),
            (None, Filling::Zero) => None,
        };
        // What promotion made an arbitrary value is memory that was never set in the program as translated.
        let byte = index.and_then(|index| bytes.remove(index));
        byte.map(|(_, byte)| byte).or_else(|| self.left.never_set.pop_front()).unwrap_or(0)
    }
}

/// An address beyond `fresh` with the low bits of the model's: apart from what alignment shows, models know little of where objects lie.
fn place(fresh: u64, address: u64) -> Option<u64> {
    fresh.checked_next_multiple_of(PAGE)?.checked_add(address % PAGE)
}

/// The bytes in memory.
fn bytes_of(bits: &Bits) -> Vec<u8> {
    let bytes = bits.to_u128().unwrap_or(0).to_le_bytes();
    bytes[..(bits.width().div_ceil(8) as usize).min(bytes.len())].to_vec()
}

/// The first answer for the place, or the first of the type.
fn take(answers: &mut VecDeque<Answer>, span: Span, ty: Type) -> Option<Answer> {
    let fits = |answer: &Answer| answer.ty == ty;
    let exact = answers.iter().position(|answer| answer.span == span && fits(answer));
    let index = exact.or_else(|| answers.iter().position(fits))?;
    answers.remove(index)
}

fn scalar(ty: Type, bits: Option<Bits>, range: Option<&(IBig, IBig)>) -> Scalar {
    let number = bits.and_then(|bits| bits.to_u128()).unwrap_or(0);
    match ty {
        Type::F32 => Scalar::F32(f32::from_bits(number as u32)),
        Type::F64 => Scalar::F64(f64::from_bits(number as u64)),
        Type::Int(width) => {
            let unsigned = IBig::from(number);
            let signed = bits.and_then(|bits| bits.to_i128()).map_or(IBig::ZERO, IBig::from);
            let fits = range.is_some_and(|(least, greatest)| unsigned >= *least && unsigned <= *greatest);
            Scalar::Int { width, value: if fits { unsigned } else { signed } }
        }
        Type::Ptr => Scalar::Int { width: 64, value: IBig::from(number) },
    }
}

impl ChoiceSource for ModelSource {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        Some(match &request.kind {
            RequestKind::Input { ty, range } => {
                let answer = take(&mut self.left.inputs, request.span, *ty);
                Choice::Input(scalar(*ty, answer.map(|answer| answer.bits), range.as_ref()))
            }
            RequestKind::Arbitrary { ty } => {
                let answer = take(&mut self.left.arbitrary, request.span, *ty);
                Choice::Arbitrary(scalar(*ty, answer.map(|answer| answer.bits), None))
            }
            RequestKind::Undefined => Choice::Undefined(self.undefined(request.span)),
            RequestKind::Address { fresh, align, .. } => {
                self.addresses += 1;
                let fits = |(span, own, _): &(Span, u64, u64)| *span == request.span && own == align;
                let at = self.left.addresses.iter().position(fits);
                let address = at.and_then(|at| self.left.addresses.remove(at)).map(|(_, _, address)| address);
                Choice::Address(address.and_then(|address| place(*fresh, address)).unwrap_or(*fresh))
            }
            RequestKind::AllocFails { .. } => Choice::AllocFails(self.left.failures.pop_front().unwrap_or(false)),
            RequestKind::ArgCount { least } => Choice::ArgCount(self.left.arguments.max(*least)),
            RequestKind::ArgString { index } => {
                Choice::ArgString(self.left.strings.get(*index as usize).cloned().unwrap_or_default())
            }
        })
    }
}

//! From a suspect to a run's choices: numbers that satisfy what the state knows, and answers made of them.

use std::collections::VecDeque;

use belay_base::{Budget, Exhausted, Span};
use belay_ir::Type;
use belay_linear::{Answer, Constraint, LinExpr, NumberDomain, Rat, Simplex};
use belay_rules::{Choice, ChoiceSource, Request, RequestKind, Scalar};
use belay_symbolic::{AllocId, Asked, AskedFor, State};
use dashu::integer::IBig;

/// Answers within this are preferred, and sizes up to the other.
const SMALL: (i64, i64) = (100, 1 << 16);
/// Numbers that are asked to be small at most.
const MAX_WISHES: usize = 60;
/// Strings longer than this are not made.
const MAX_STRING: i64 = 1 << 20;

/// Numbers for the variables of a state.
pub(super) struct Model(Vec<Rat>);

impl Model {
    /// Numbers that satisfy what the state knows, small ones where that is possible.
    pub(super) fn of(state: &State, budget: &Budget) -> Result<Option<Model>, Exhausted> {
        let mut simplex = Simplex::new(NumberDomain::Integer);
        state.knowledge.constraints.iter().for_each(|known| simplex.assert(known.clone()));
        let Answer::Sat(mut model) = simplex.check(budget)? else { return Ok(None) };
        let sizes = state.allocations.values().map(|known| (&known.size, SMALL.1));
        let answers = state.asked.iter().map(|asked| (&asked.answer, SMALL.0));
        let wishes = sizes.chain(answers).filter(|(expr, _)| !expr.is_constant());
        for (expr, most) in wishes.take(MAX_WISHES) {
            let (above, below) = (expr.plus_constant(&Rat::from(most)), expr.negated().plus_constant(&Rat::from(most)));
            model = kept(&mut simplex, &[above, below], budget)?.unwrap_or(model);
        }
        for expr in &state.knowledge.apart {
            if !Model(model.clone()).value(expr).is_zero() {
                continue;
            }
            let sides = [expr.plus_constant(&Rat::MINUS_ONE), expr.negated().plus_constant(&Rat::MINUS_ONE)];
            let first = kept(&mut simplex, &sides[..1], budget)?;
            let Some(found) = (match first {
                Some(found) => Some(found),
                None => kept(&mut simplex, &sides[1..], budget)?,
            }) else {
                return Ok(None);
            };
            model = found;
        }
        let model = Model(model);
        let apart = state.knowledge.apart.iter().all(|expr| !model.value(expr).is_zero());
        Ok(apart.then_some(model))
    }

    fn value(&self, expr: &LinExpr) -> Rat {
        expr.evaluate(|var| self.0.get(var.index()).cloned().unwrap_or_default())
    }

    fn number(&self, expr: &LinExpr) -> Option<i64> {
        self.value(expr).to_i64()
    }
}

/// A model with these expressions not negative, which they stay from then on; none if there is no such.
fn kept(simplex: &mut Simplex, exprs: &[LinExpr], budget: &Budget) -> Result<Option<Vec<Rat>>, Exhausted> {
    simplex.push();
    exprs.iter().for_each(|expr| simplex.assert(Constraint::ge(expr.clone())));
    if let Answer::Sat(model) = simplex.check(budget)? {
        return Ok(Some(model));
    }
    simplex.pop();
    Ok(None)
}

/// Answers to the questions of a run, by kind and place; where there is none, something simple.
#[derive(Clone, Debug)]
pub(super) struct Guess {
    inputs: VecDeque<(Span, Type, i64)>,
    arbitrary: VecDeque<(Span, Type, i64)>,
    /// Bytes of memory that nobody has set, in the order in which they are read.
    memory: VecDeque<u8>,
    failures: VecDeque<bool>,
    count: u32,
    strings: Vec<(u32, Vec<u8>)>,
    /// What other memory holds.
    filling: u8,
    floats: Floats,
}

/// Floats that are tried: nothing is known of them but what comes of it.
const FLOATS: [f64; 8] = [0.0, 1.0, -1.0, 0.5, 1e3, -1e3, 1e300, f64::NAN];

/// How the floats of a run are chosen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Floats {
    way: usize,
    asked: usize,
}

impl Floats {
    /// All ways: each number for all floats, then different ones.
    pub(super) fn ways() -> impl Iterator<Item = Floats> {
        (0..2 * FLOATS.len()).map(|way| Floats { way, asked: 0 })
    }

    fn next(&mut self) -> f64 {
        let turn = if self.way < FLOATS.len() { 0 } else { self.asked };
        self.asked += 1;
        FLOATS[(self.way + turn) % FLOATS.len()]
    }
}

impl Guess {
    /// The answers along the path of a state. None if some are beyond what a run can be given.
    pub(super) fn new(state: &State, model: &Model, filling: u8, floats: Floats) -> Option<Guess> {
        let mut guess = Guess {
            inputs: VecDeque::new(),
            arbitrary: VecDeque::new(),
            memory: VecDeque::new(),
            failures: VecDeque::new(),
            count: 1,
            strings: Vec::new(),
            filling,
            floats,
        };
        let is_string = |id: &AllocId| {
            state.asked.iter().any(|asked| matches!(&asked.what, AskedFor::Length(_, string) if string == id))
        };
        for Asked { what, span, answer } in &state.asked {
            let number = model.number(answer)?;
            match what {
                AskedFor::Input(ty) => guess.inputs.push_back((*span, *ty, number)),
                AskedFor::Arbitrary(ty) => guess.arbitrary.push_back((*span, *ty, number)),
                AskedFor::Memory(alloc, _, _) if is_string(alloc) => {}
                AskedFor::Memory(_, _, width) => {
                    guess.memory.extend(number.to_le_bytes().into_iter().take(*width as usize));
                }
                AskedFor::Failure => guess.failures.push_back(number != 0),
                AskedFor::Count => guess.count = u32::try_from(number).ok()?,
                AskedFor::Length(index, alloc) => {
                    guess.strings.push((*index, string(state, model, *alloc, number)?));
                }
            }
        }
        Some(guess)
    }
}

/// The string behind a parameter: what was read of it, and letters elsewhere.
fn string(state: &State, model: &Model, alloc: AllocId, length: i64) -> Option<Vec<u8>> {
    let length = usize::try_from(length).ok().filter(|length| *length <= MAX_STRING as usize)?;
    let mut bytes = vec![b'a'; length];
    for asked in &state.asked {
        let AskedFor::Memory(own, offset, width) = &asked.what else { continue };
        if *own != alloc {
            continue;
        }
        let (at, value) = (model.number(offset)?, model.number(&asked.answer)?);
        for (index, byte) in value.to_le_bytes().into_iter().take(*width as usize).enumerate() {
            let place = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at + index));
            if let (Some(place), true) = (place, byte != 0) {
                *place = byte;
            }
        }
    }
    Some(bytes)
}

/// The first answer for the place, or the first of the type.
fn take(answers: &mut VecDeque<(Span, Type, i64)>, span: Span, ty: Type) -> Option<i64> {
    let exact = answers.iter().position(|(at, own, _)| *at == span && *own == ty);
    let index = exact.or_else(|| answers.iter().position(|(_, own, _)| *own == ty))?;
    answers.remove(index).map(|(_, _, number)| number)
}

/// A number as one of a type: where the range is that of an unsigned type, a negative one is what has the same bits.
fn scalar(ty: Type, number: i64, range: Option<&(IBig, IBig)>, floats: &mut Floats) -> Scalar {
    match ty {
        Type::F32 => Scalar::F32(floats.next() as f32),
        Type::F64 => Scalar::F64(floats.next()),
        Type::Int(width) => {
            let value = IBig::from(number);
            let unsigned = range.is_some_and(|(least, _)| value < *least);
            Scalar::Int { width, value: if unsigned { value + (IBig::from(1) << usize::from(width)) } else { value } }
        }
        Type::Ptr => Scalar::Int { width: 64, value: IBig::from(number) },
    }
}

impl ChoiceSource for Guess {
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        Some(match &request.kind {
            RequestKind::Input { ty, range } => {
                let number = take(&mut self.inputs, request.span, *ty).unwrap_or_default();
                Choice::Input(scalar(*ty, number, range.as_ref(), &mut self.floats))
            }
            RequestKind::Arbitrary { ty } => {
                let number = take(&mut self.arbitrary, request.span, *ty).unwrap_or_default();
                Choice::Arbitrary(scalar(*ty, number, None, &mut self.floats))
            }
            RequestKind::Undefined => Choice::Undefined(self.memory.pop_front().unwrap_or(self.filling)),
            RequestKind::Address { fresh, .. } => Choice::Address(*fresh),
            RequestKind::AllocFails { .. } => Choice::AllocFails(self.failures.pop_front().unwrap_or(false)),
            RequestKind::ArgCount { least } => Choice::ArgCount(self.count.max(*least)),
            RequestKind::ArgString { index } => {
                let known = self.strings.iter().find(|(own, _)| own == index);
                Choice::ArgString(known.map(|(_, bytes)| bytes.clone()).unwrap_or_default())
            }
        })
    }
}

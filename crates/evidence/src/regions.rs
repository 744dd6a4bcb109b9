//! Covers by regions: conditions over floats can't hold together, because the space of their variables can be cut into parts in each of
//! which one of them is false.
//!
//! The claim is the tree of cuts. The check walks it and evaluates the conditions on each part, with sets of values instead of
//! values: floats as all numbers between two and perhaps NaNs, bit-vectors as the bounds that `logic` keeps of terms, Booleans as true, false or
//! either. The parts cover all values by construction, since a cut divides what is there into what is below and what is above; so if every part makes
//! some condition false, there is no model. Nothing is shared with the search, neither the order of evaluation nor the arithmetic.
//!
//! What a float term computes is read off the note that was made where its circuit was built, as the circuit itself would be.
//! Rounding to nearest is monotone, so that the rounded operation on the ends of its operands' ranges gives the ends of its result's, in the order
//! that has -0 before +0; where some end gives a NaN, nothing is said of the numbers.

use belay_logic::bv::float::{FloatNote, FloatOperation, Format, Rounding};
use belay_logic::bv::prune::{Cut, SplitTree};
use belay_logic::bv::{Bits, Facts, Term, TermId, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms in the conditions at most, and parts times terms.
const MAX_TERMS: usize = 50_000;
const MAX_WORK: usize = 400_000_000;

/// All numbers from the first to the second, and the NaNs if the third says so; no numbers if the second is below the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Floats {
    low: f64,
    high: f64,
    nan: bool,
}

const EVERY_FLOAT: Floats = Floats { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
const ONLY_NAN: Floats = Floats { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };

/// A set of values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Set {
    Bool(Option<bool>),
    Floats(Floats),
    Bits(Facts),
}

fn number(format: Format, bits: u128) -> f64 {
    if format == Format::SINGLE { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

fn encoding(format: Format, x: f64) -> u128 {
    if format == Format::SINGLE { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) }
}

/// The next number above in the format, -0 before +0; the same for the last.
fn above(format: Format, x: f64) -> f64 {
    let bits = encoding(format, x);
    let sign = 1u128 << (format.width() - 1);
    match x {
        f64::INFINITY => x,
        _ if bits == sign => 0.0,
        _ if bits > sign => number(format, bits - 1),
        _ => number(format, bits + 1),
    }
}

fn format_of(width: u32) -> Option<Format> {
    [Format::SINGLE, Format::DOUBLE].into_iter().find(|format| format.width() == width)
}

impl Floats {
    pub(crate) fn between(low: f64, high: f64) -> Self {
        Self { low, high, nan: false }
    }

    pub(crate) fn contains(&self, x: f64) -> bool {
        if x.is_nan() { self.nan } else { self.low.total_cmp(&x).is_le() && x.total_cmp(&self.high).is_le() }
    }

    fn is_empty(&self) -> bool {
        self.low.total_cmp(&self.high).is_gt()
    }

    fn of_ends(ends: &[f64], nan: bool) -> Self {
        if ends.iter().any(|end| end.is_nan()) {
            return EVERY_FLOAT;
        }
        let low = ends.iter().copied().min_by(f64::total_cmp).unwrap_or(f64::INFINITY);
        let high = ends.iter().copied().max_by(f64::total_cmp).unwrap_or(f64::NEG_INFINITY);
        Self { low, high, nan }
    }

    fn join(self, other: Floats) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => Self { nan: self.nan || other.nan, ..other },
            (_, true) => Self { nan: self.nan || other.nan, ..self },
            (false, false) => {
                Self::of_ends(&[self.low, self.high, other.low, other.high], self.nan || other.nan)
            }
        }
    }

    /// By the ends of both; NaNs inside come only with infinities and zeros, which `risk` tells.
    fn combined(self, other: Floats, risk: bool, operation: impl Fn(f64, f64) -> f64) -> Self {
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        Self::of_ends(&ends.map(|(x, y)| operation(x, y)), self.nan || other.nan || risk)
    }

    fn unbounded(self) -> bool {
        self.low.is_infinite() || self.high.is_infinite()
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low, nan: self.nan }
    }

    fn magnitude(self) -> Self {
        match (self.low.is_sign_negative(), self.high.is_sign_negative()) {
            _ if self.is_empty() => self,
            (false, _) => self,
            (true, true) => self.negated(),
            (true, false) => Self::of_ends(&[0.0, -self.low, self.high], self.nan),
        }
    }

    fn of_facts(format: Format, facts: &Facts) -> Self {
        let sign = 1u128 << (format.width() - 1);
        let infinity = encoding(format, f64::INFINITY);
        if !facts.is_tracked() || facts.width() != format.width() || facts.umin < sign && facts.umax >= sign {
            return EVERY_FLOAT;
        }
        let (least, most) = (facts.umin & (sign - 1), facts.umax & (sign - 1));
        let positive = match least > infinity {
            true => ONLY_NAN,
            false => {
                Self { low: number(format, least), high: number(format, most.min(infinity)), nan: most > infinity }
            }
        };
        if facts.umin >= sign { positive.negated() } else { positive }
    }

    fn facts(self, format: Format) -> Facts {
        let width = format.width();
        if self.nan || self.is_empty() || self.low.is_sign_negative() != self.high.is_sign_negative() {
            return Facts::unknown(width);
        }
        let (a, b) = (encoding(format, self.low), encoding(format, self.high));
        Facts::between(width, a.min(b), a.max(b))
    }

    fn less(self, other: Floats) -> Option<bool> {
        if self.nan || other.nan || self.is_empty() || other.is_empty() {
            return None;
        }
        if self.high < other.low {
            return Some(true);
        }
        (self.low >= other.high).then_some(false)
    }

    fn is_nan(self) -> Option<bool> {
        if self.is_empty() { Some(true) } else { (!self.nan).then_some(false) }
    }

    fn fits(self, signed: bool, width: u32) -> Option<bool> {
        let limit = 2f64.powi(width as i32 - i32::from(signed));
        let fits = |x: f64| {
            let whole = x.trunc();
            whole < limit && if signed { whole >= -limit } else { whole >= 0.0 }
        };
        if self.is_empty() {
            return Some(false);
        }
        if fits(self.low) && fits(self.high) && !self.nan {
            return Some(true);
        }
        let (low, high) = (self.low.trunc(), self.high.trunc());
        (low >= limit || high < if signed { -limit } else { 0.0 }).then_some(false)
    }

    fn truncated(self, signed: bool, width: u32) -> Facts {
        match (self.fits(signed, width), signed) {
            (Some(true), true) => Facts::between_signed(width, self.low as i128, self.high as i128),
            (Some(true), false) => Facts::between(width, self.low as u128, self.high as u128),
            (Some(false) | None, _) => Facts::unknown(width),
        }
    }
}

/// The values that a float operation can have on sets of operands.
pub(crate) fn operate(format: Format, operation: FloatOperation, set: impl Fn(TermId) -> Set) -> Floats {
    let single = format == Format::SINGLE;
    let float = |id: TermId, format: Format| match set(id) {
        Set::Floats(floats) => floats,
        Set::Bits(facts) => Floats::of_facts(format, &facts),
        Set::Bool(_) => EVERY_FLOAT,
    };
    let of = |id: TermId| float(id, format);
    // One that is no number at all makes the result none.
    if !matches!(operation, FloatOperation::FromInt { .. }) {
        let from = if let FloatOperation::Convert { from, .. } = operation { from } else { format };
        if operation.operands().any(|id| float(id, from).is_empty()) {
            return ONLY_NAN;
        }
    }
    match operation {
        FloatOperation::Add(a, b) => {
            let (x, y) = (of(a), of(b));
            let sum = |x: f64, y: f64| if single { f64::from(x as f32 + y as f32) } else { x + y };
            // Infinities of different signs, one at an end of each.
            let risk = x.low == f64::NEG_INFINITY && y.high == f64::INFINITY
                || x.high == f64::INFINITY && y.low == f64::NEG_INFINITY;
            Floats::of_ends(&[sum(x.low, y.low), sum(x.high, y.high)], x.nan || y.nan || risk)
        }
        FloatOperation::Mul(a, b) => {
            let (x, y) = if a == b { (of(a).magnitude(), of(a).magnitude()) } else { (of(a), of(b)) };
            let product = |x: f64, y: f64| if single { f64::from(x as f32 * y as f32) } else { x * y };
            // A number times itself is no NaN, and its smallest square that of the smallest magnitude.
            let risk = a != b && (x.unbounded() && y.has_zero() || x.has_zero() && y.unbounded());
            match a == b {
                true => Floats::of_ends(&[product(x.low, x.low), product(x.high, x.high)], x.nan),
                false => x.combined(y, risk, product),
            }
        }
        FloatOperation::Div(a, b) => {
            let (x, y) = (of(a), of(b));
            let quotient = |x: f64, y: f64| if single { f64::from(x as f32 / y as f32) } else { x / y };
            if y.low.is_sign_negative() != y.high.is_sign_negative() {
                return EVERY_FLOAT;
            }
            let risk = x.unbounded() && y.unbounded() || x.has_zero() && y.has_zero();
            x.combined(y, risk, quotient)
        }
        FloatOperation::Fma(a, b, c) => {
            let (x, y, z) = (of(a), of(b), of(c));
            if x.unbounded() || y.unbounded() || z.unbounded() {
                return EVERY_FLOAT;
            }
            let fused = |x: f64, y: f64, z: f64| match single {
                true => f64::from((x as f32).mul_add(y as f32, z as f32)),
                false => x.mul_add(y, z),
            };
            let least = x.combined(y, z.nan, |x, y| fused(x, y, z.low));
            least.join(x.combined(y, z.nan, |x, y| fused(x, y, z.high)))
        }
        FloatOperation::Sqrt(a) => {
            let x = of(a);
            let root = |x: f64| if single { f64::from((x as f32).sqrt()) } else { x.sqrt() };
            if x.high < 0.0 {
                return ONLY_NAN;
            }
            let low = if x.low < 0.0 { -0.0 } else { x.low };
            Floats { low: root(low), high: root(x.high), nan: x.nan || x.low < 0.0 }
        }
        FloatOperation::Neg(a) => of(a).negated(),
        FloatOperation::Abs(a) => of(a).magnitude(),
        FloatOperation::Convert { from, arg } => {
            let x = float(arg, from);
            let nearest = |x: f64| if single { f64::from(x as f32) } else { x };
            Floats { low: nearest(x.low), high: nearest(x.high), nan: x.nan }
        }
        FloatOperation::FromInt { signed, arg } => {
            let Set::Bits(facts) = set(arg) else { return EVERY_FLOAT };
            if !facts.is_tracked() {
                return EVERY_FLOAT;
            }
            let (low, high) = match (signed, single) {
                (true, true) => (f64::from(facts.smin as f32), f64::from(facts.smax as f32)),
                (true, false) => (facts.smin as f64, facts.smax as f64),
                (false, true) => (f64::from(facts.umin as f32), f64::from(facts.umax as f32)),
                (false, false) => (facts.umin as f64, facts.umax as f64),
            };
            Floats::between(low, high)
        }
        FloatOperation::Round { rounding, arg } => {
            let x = of(arg);
            let whole = |x: f64| match rounding {
                Rounding::Floor => x.floor(),
                Rounding::Ceil => x.ceil(),
                Rounding::Trunc => x.trunc(),
                Rounding::HalfAway => x.round(),
                Rounding::HalfEven => x.round_ties_even(),
            };
            Floats { low: whole(x.low), high: whole(x.high), nan: x.nan }
        }
    }
}

/// The conditions, and sets for what they consist of.
struct Evaluation<'s> {
    store: &'s TermStore,
    /// Operands before the terms that use them.
    order: Vec<TermId>,
    place: FxHashMap<TermId, usize>,
    sets: Vec<Set>,
}

impl<'s> Evaluation<'s> {
    fn new(store: &'s TermStore, conditions: &[TermId]) -> Option<Self> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = conditions.to_vec();
        while let Some(id) = stack.pop() {
            if seen.len() > MAX_TERMS {
                return None;
            }
            if seen.insert(id) {
                match store.float_note(id) {
                    Some((note, _)) => stack.extend(note.operands()),
                    None => stack.extend(store.term(id).operands()),
                }
            }
        }
        let mut order: Vec<TermId> = seen.into_iter().collect();
        // A term's id is above those of its operands and of those that its note names.
        order.sort_unstable();
        let place = order.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        Some(Self { store, order, place, sets: Vec::new() })
    }

    fn set(&self, id: TermId) -> Set {
        self.place.get(&id).and_then(|place| self.sets.get(*place)).copied().unwrap_or(Set::Bool(None))
    }

    fn truth(&self, id: TermId) -> Option<bool> {
        match self.set(id) {
            Set::Bool(truth) => truth,
            Set::Bits(facts) => facts.pinned().filter(|bits| bits.width() == 1).map(Bits::is_one),
            Set::Floats(_) => None,
        }
    }

    fn floats(&self, format: Format, id: TermId) -> Floats {
        match self.set(id) {
            Set::Floats(floats) => floats,
            Set::Bits(facts) => Floats::of_facts(format, &facts),
            Set::Bool(_) => EVERY_FLOAT,
        }
    }

    fn facts(&self, id: TermId) -> Facts {
        let width = self.store.width(id);
        match (self.set(id), format_of(width)) {
            (Set::Bits(facts), _) => facts,
            (Set::Floats(floats), Some(format)) => floats.facts(format),
            (Set::Bool(Some(truth)), _) if width == 1 => Facts::of_constant(Bits::from_bool(truth)),
            (Set::Floats(_), None) | (Set::Bool(_), _) => Facts::unknown(width),
        }
    }

    /// Evaluates everything on a region; true if some condition is false there.
    fn refutes(&mut self, region: &FxHashMap<TermId, Set>, conditions: &[TermId]) -> bool {
        self.sets.clear();
        for index in 0..self.order.len() {
            let id = self.order[index];
            let set = region.get(&id).copied().unwrap_or_else(|| self.apply(id));
            self.sets.push(set);
        }
        conditions.iter().any(|condition| self.truth(*condition) == Some(false))
    }

    fn apply(&self, id: TermId) -> Set {
        if let Some((note, negated)) = self.store.float_note(id) {
            let set = self.noted(note);
            return match set {
                Set::Bool(truth) if negated => Set::Bool(truth.map(|truth| !truth)),
                set => set,
            };
        }
        let (term, width) = (self.store.term(id), self.store.width(id));
        match term {
            Term::Const(constant) => Set::Bits(Facts::of_constant(self.store.constant_value(constant))),
            Term::Var(_) => Set::Bits(Facts::unknown(width)),
            Term::Ite(c, a, b) => self.choice(c, a, b),
            Term::Not(a) if width == 1 => Set::Bool(self.truth(a).map(|truth| !truth)),
            Term::And(a, b) if width == 1 => Set::Bool(match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), other) | (other, Some(true)) => other,
                (None, None) => None,
            }),
            Term::Xor(a, b) if width == 1 => {
                Set::Bool(self.truth(a).and_then(|a| self.truth(b).map(|b| a != b)))
            }
            Term::Eq(a, b) => {
                let (a, b) = (self.facts(a), self.facts(b));
                let same = a.pinned().is_some() && a.pinned() == b.pinned();
                Set::Bool(if same { Some(true) } else { a.disjoint(&b).then_some(false) })
            }
            Term::Ult(a, b) => Set::Bool(self.facts(a).ult(&self.facts(b))),
            Term::Slt(a, b) => Set::Bool(self.facts(a).slt(&self.facts(b))),
            Term::Not(_)
            | Term::And(..)
            | Term::Xor(..)
            | Term::Neg(_)
            | Term::Add(..)
            | Term::Mul(..)
            | Term::Udiv(..)
            | Term::Urem(..)
            | Term::Shl(..)
            | Term::Lshr(..)
            | Term::Ashr(..)
            | Term::Concat(..)
            | Term::Extract { .. }
            | Term::Zext { .. }
            | Term::Sext { .. } => {
                let operands: Vec<(TermId, Facts)> = term.operands().map(|id| (id, self.facts(id))).collect();
                let nothing = Facts::unknown(1);
                let of = |id| operands.iter().find(|(known, _)| *known == id).map_or(&nothing, |(_, facts)| facts);
                Set::Bits(Facts::of_values(term, width, of))
            }
        }
    }

    fn choice(&self, c: TermId, a: TermId, b: TermId) -> Set {
        if let Some(truth) = self.truth(c) {
            return self.set(if truth { a } else { b });
        }
        match (self.set(a), self.set(b), format_of(self.store.width(a))) {
            (Set::Bool(x), Set::Bool(y), _) => Set::Bool(if x == y { x } else { None }),
            (Set::Floats(_), _, Some(format)) | (_, Set::Floats(_), Some(format)) => {
                Set::Floats(self.floats(format, a).join(self.floats(format, b)))
            }
            _ => Set::Bits(self.facts(a).join(&self.facts(b))),
        }
    }

    fn noted(&self, note: FloatNote) -> Set {
        let of = |format, operation| operate(format, operation, |id| self.as_operand(operation, id));
        match note {
            FloatNote::Value(format, operation) => Set::Floats(of(format, operation)),
            FloatNote::Number(format, operation) => {
                let floats = of(format, operation);
                Set::Floats(if floats.nan { EVERY_FLOAT } else { floats })
            }
            FloatNote::Undefined(format, operation) => Set::Bool(of(format, operation).is_nan()),
            FloatNote::IsNan(format, arg) => Set::Bool(self.floats(format, arg).is_nan()),
            FloatNote::Less(format, x, y) if x == y => {
                Set::Bool(self.floats(format, x).is_nan().filter(|nan| !nan))
            }
            FloatNote::Less(format, x, y) => Set::Bool(self.floats(format, x).less(self.floats(format, y))),
            FloatNote::Truncated { format, signed, width, arg } => {
                Set::Bits(self.floats(format, arg).truncated(signed, width))
            }
            FloatNote::Fits { format, signed, width, arg } => {
                Set::Bool(self.floats(format, arg).fits(signed, width))
            }
        }
    }

    /// Integers that are converted are wanted as such.
    fn as_operand(&self, operation: FloatOperation, id: TermId) -> Set {
        match operation {
            FloatOperation::FromInt { .. } => Set::Bits(self.facts(id)),
            _ => self.set(id),
        }
    }
}

/// The parts below and above a cut of what a variable can be.
fn halves(set: Set, format: Option<Format>, cut: Cut) -> Option<(Set, Set)> {
    let floats = || match (set, format) {
        (Set::Floats(floats), Some(format)) => Some((format, floats)),
        // Not cut before.
        (Set::Bits(facts), Some(format)) if facts == Facts::unknown(format.width()) => Some((format, EVERY_FLOAT)),
        _ => None,
    };
    Some(match cut {
        Cut::Nan => {
            let (_, floats) = floats()?;
            let nans = if floats.nan { ONLY_NAN } else { Floats { nan: false, ..ONLY_NAN } };
            (Set::Floats(Floats { nan: false, ..floats }), Set::Floats(nans))
        }
        Cut::Float(bits) => {
            let (format, floats) = floats()?;
            let at = number(format, bits.into());
            if at.is_nan() {
                return None;
            }
            let low = Floats { high: if floats.high.total_cmp(&at).is_lt() { floats.high } else { at }, ..floats };
            let from = above(format, at);
            // Above the greatest number there is none, and the NaNs stay below.
            let high = match at == f64::INFINITY {
                true => Floats { nan: false, ..ONLY_NAN },
                false => Floats { low: if floats.low.total_cmp(&from).is_gt() { floats.low } else { from }, ..floats },
            };
            (Set::Floats(low), Set::Floats(Floats { nan: false, ..high }))
        }
        Cut::Unsigned(at) => {
            let Set::Bits(facts) = set else { return None };
            let (low, high) = facts.cut_unsigned(at);
            (Set::Bits(low), Set::Bits(high))
        }
        Cut::Signed(at) => {
            let Set::Bits(facts) = set else { return None };
            let (low, high) = facts.cut_signed(at);
            (Set::Bits(low), Set::Bits(high))
        }
    })
}

/// True if the cuts show that the conditions can't hold together.
pub(crate) fn covers(store: &TermStore, conditions: &[TermId], tree: &SplitTree) -> bool {
    let Some(mut evaluation) = Evaluation::new(store, conditions) else { return false };
    if evaluation.order.len().saturating_mul(tree.0.len()) > MAX_WORK {
        return false;
    }
    let mut stack: Vec<FxHashMap<TermId, Set>> = vec![FxHashMap::default()];
    for split in &tree.0 {
        let Some(region) = stack.pop() else { return false };
        let Some(split) = split else {
            if evaluation.refutes(&region, conditions) {
                continue;
            }
            return false;
        };
        if !store.variables().any(|variable| variable == split.variable) {
            return false;
        }
        let term = store.variable_term(split.variable);
        let width = store.width(term);
        let before = region.get(&term).copied().unwrap_or(Set::Bits(Facts::unknown(width)));
        let Some((low, high)) = halves(before, format_of(width), split.cut) else { return false };
        let mut above = region.clone();
        above.insert(term, high);
        let mut below = region;
        below.insert(term, low);
        stack.extend([above, below]);
    }
    stack.is_empty()
}

//! The search for a list of rankings of one loop: see [`super::ranking`].

use belay_base::Budget;
use belay_encoder::Stop;
use belay_encoder::descent::Round;
use belay_invariants::Atom;
use belay_invariants::{MAX_COEFFICIENT, Point, RankingFunction};
use belay_linear::{Answer, Constraint, LinExpr, NumberDomain as Numbers, Optimum, Rat, Simplex, Var};
use belay_logic::bv::{Bits, TermId};

use super::rankings::Pool;
use super::synthesis::Found;

/// Levels of the lexicographic order at most.
const MAX_LEVELS: usize = 6;
/// Candidates that are asked about together.
const CHUNK: usize = 24;
/// Sums that are tried for a level at most.
const MAX_SUMS: usize = 10;
/// Coefficients that linear programming may choose.
const GREATEST: i64 = 1 << 12;

/// The observed variables before and after a round.
struct Sample {
    before: Vec<Option<Bits>>,
    after: Vec<Option<Bits>>,
}

/// A candidate with what it is before and after each round.
#[derive(Clone)]
struct Candidate {
    measure: RankingFunction,
    values: Vec<(TermId, TermId)>,
}

/// The search for the rankings of one loop.
pub struct Search<'a, 'p> {
    found: &'a mut Found<'p>,
    pool: &'a Pool,
    rounds: &'a [Round],
    /// When each round is gone and leaves the levels so far as they are.
    remaining: Vec<TermId>,
    samples: Vec<Sample>,
}

impl<'a, 'p> Search<'a, 'p> {
    /// For the rounds of one loop.
    pub fn new(found: &'a mut Found<'p>, pool: &'a Pool, rounds: &'a [Round]) -> Self {
        let remaining = rounds.iter().map(|round| round.arrives).collect();
        Self { found, pool, rounds, remaining, samples: Vec::new() }
    }

    /// The rankings, most significant first; `None` if none are found.
    pub fn run(mut self, budget: &Budget) -> Result<Option<Vec<RankingFunction>>, Stop> {
        let mut levels: Vec<RankingFunction> = Vec::new();
        for _ in 0..MAX_LEVELS {
            // Rounds that a level has dealt with say nothing about the next.
            self.samples.clear();
            if !self.sample(&self.remaining.clone(), budget)? {
                return self.reduce(levels, budget).map(Some);
            }
            let mut level = self.never_greater(&levels, budget)?;
            if !self.changes(&level, budget)? {
                level = match self.sum(budget)? {
                    Some(sum) => vec![sum],
                    None => return Ok(None),
                };
            }
            self.remaining = self.same(&level);
            levels.extend(level.into_iter().map(|candidate| candidate.measure));
        }
        Ok(None)
    }

    /// A round for which one of the conditions holds, which becomes the last sample.
    fn sample(&mut self, conditions: &[TermId], budget: &Budget) -> Result<bool, Stop> {
        if !self.found.possible(conditions, budget)? {
            return Ok(false);
        }
        let holds = conditions.iter().position(|condition| self.found.holds(*condition));
        let Some(round) = holds.map(|index| &self.rounds[index]) else { return Ok(true) };
        let (solver, terms) = (&mut self.found.solver, &self.found.store.terms);
        let mut read = |values: &[Option<TermId>]| {
            values.iter().map(|value| value.and_then(|term| solver.value(terms, term))).collect()
        };
        let sample = Sample { before: read(&round.before), after: read(&round.after) };
        self.samples.push(sample);
        Ok(true)
    }

    fn candidate(&mut self, measure: &RankingFunction) -> Option<Candidate> {
        let terms = &mut self.found.store.terms;
        let values = self.rounds.iter().map(|round| round.values(terms, &self.pool.atoms, measure));
        Some(Candidate { measure: measure.clone(), values: values.collect::<Option<_>>()? })
    }

    /// For each round: when it remains and makes one of these greater.
    fn greater(&mut self, candidates: &[Candidate]) -> Vec<TermId> {
        let terms = &mut self.found.store.terms;
        let round = |(index, remaining): (usize, &TermId)| {
            let any: Vec<TermId> =
                candidates.iter().map(|one| terms.slt(one.values[index].0, one.values[index].1)).collect();
            let any = terms.or_all(any);
            terms.and(*remaining, any)
        };
        self.remaining.iter().enumerate().map(round).collect()
    }

    /// For each round: when it remains and leaves all of these as they are.
    fn same(&mut self, candidates: &[Candidate]) -> Vec<TermId> {
        let terms = &mut self.found.store.terms;
        let round = |(index, remaining): (usize, &TermId)| {
            let all: Vec<TermId> =
                candidates.iter().map(|one| terms.eq(one.values[index].0, one.values[index].1)).collect();
            let all = terms.and_all(all);
            terms.and(*remaining, all)
        };
        self.remaining.iter().enumerate().map(round).collect()
    }

    /// Whether some remaining round changes one of these.
    fn changes(&mut self, candidates: &[Candidate], budget: &Budget) -> Result<bool, Stop> {
        if candidates.is_empty() {
            return Ok(false);
        }
        let same = self.same(candidates);
        let terms = &mut self.found.store.terms;
        let changing = self.remaining.iter().zip(same).map(|(remaining, same)| {
            let differs = terms.not(same);
            terms.and(*remaining, differs)
        });
        let changing: Vec<TermId> = changing.collect();
        self.found.possible(&changing, budget)
    }

    /// The candidates that no remaining round makes greater; as many as needed, if some suffice.
    fn never_greater(&mut self, known: &[RankingFunction], budget: &Budget) -> Result<Vec<Candidate>, Stop> {
        let mut kept: Vec<Candidate> = Vec::new();
        let pool = self.pool;
        let fresh: Vec<&RankingFunction> = pool.rankings.iter().filter(|measure| !known.contains(measure)).collect();
        for chunk in fresh.chunks(CHUNK) {
            let fitting: Vec<&RankingFunction> = chunk.iter().copied().filter(|measure| self.fits(measure)).collect();
            let mut candidates: Vec<Candidate> = Vec::new();
            for measure in fitting {
                candidates.extend(self.candidate(measure));
            }
            loop {
                let greater = self.greater(&candidates);
                if candidates.is_empty() || !self.sample(&greater, budget)? {
                    break;
                }
                let before = candidates.len();
                let last = self.samples.len().saturating_sub(1);
                candidates.retain(|one| self.fits_sample(&one.measure, last));
                if candidates.len() == before {
                    candidates.clear();
                }
            }
            if candidates.is_empty() {
                continue;
            }
            kept.extend(candidates);
            let same = self.same(&kept);
            if !self.found.possible(&same, budget)? {
                break;
            }
        }
        Ok(kept)
    }

    /// Whether no sample makes a measure greater.
    fn fits(&self, measure: &RankingFunction) -> bool {
        (0..self.samples.len()).all(|index| self.fits_sample(measure, index))
    }

    fn fits_sample(&self, measure: &RankingFunction, index: usize) -> bool {
        let Some(sample) = self.samples.get(index) else { return true };
        let value = |values: &[Option<Bits>]| evaluate(measure, |atom| self.value(values, atom));
        match (value(&sample.before), value(&sample.after)) {
            (Some(before), Some(after)) => after <= before,
            (None, _) | (_, None) => false,
        }
    }

    fn value(&self, values: &[Option<Bits>], atom: &Atom) -> Option<Bits> {
        let at = self.pool.atoms.iter().position(|known| known == atom)?;
        values.get(at).copied().flatten()
    }

    /// A sum with coefficients that no remaining round makes greater and some makes smaller.
    fn sum(&mut self, budget: &Budget) -> Result<Option<Candidate>, Stop> {
        for _ in 0..MAX_SUMS {
            let Some(measure) = self.fitting_sum(budget)? else { return Ok(None) };
            let Some(candidate) = self.candidate(&measure) else { return Ok(None) };
            let greater = self.greater(std::slice::from_ref(&candidate));
            if !self.sample(&greater, budget)? {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    /// A sum that no sample makes greater and as many as possible make smaller.
    fn fitting_sum(&self, budget: &Budget) -> Result<Option<RankingFunction>, Stop> {
        let atoms = &self.pool.changed;
        let mut simplex = Simplex::new(Numbers::Rational);
        let factor = |index: usize| Var(index as u32);
        for index in 0..atoms.len() {
            let bound = LinExpr::constant(GREATEST);
            simplex.assert(Constraint::ge(bound.plus(&LinExpr::var(factor(index)))));
            simplex.assert(Constraint::ge(bound.minus(&LinExpr::var(factor(index)))));
        }
        let mut gains = LinExpr::constant(0);
        for (number, sample) in self.samples.iter().enumerate() {
            let gain = LinExpr::var(Var((atoms.len() + number) as u32));
            let mut terms = Vec::new();
            for (index, atom) in atoms.iter().enumerate() {
                let read = |values: &[Option<Bits>]| number_of(self.value(values, atom)?, atom.signed);
                let (Some(before), Some(after)) = (read(&sample.before), read(&sample.after)) else { continue };
                terms.extend(Rat::parse_integer(&(before - after).to_string()).map(|change| (factor(index), change)));
            }
            let descent = LinExpr::new(terms, Rat::ZERO);
            simplex.assert(Constraint::ge(descent.minus(&gain)));
            simplex.assert(Constraint::ge(gain.clone()));
            simplex.assert(Constraint::ge(LinExpr::constant(1).minus(&gain)));
            gains = gains.plus(&gain);
        }
        match simplex.maximise(&gains, budget)? {
            Optimum::Value { value, .. } if value.is_positive() => {
                simplex.assert(Constraint::ge(gains.plus_constant(&-&value)));
            }
            Optimum::Value { .. } | Optimum::Infeasible(_) | Optimum::Unbounded => return Ok(None),
        }
        let Answer::Sat(model) = simplex.check(budget)? else { return Ok(None) };
        let factors: Vec<Rat> = (0..atoms.len()).map(|index| model.get(index).cloned().unwrap_or(Rat::ZERO)).collect();
        let Some(whole) = whole(&factors) else { return Ok(None) };
        let sum = whole.into_iter().zip(atoms.iter().cloned()).filter(|(factor, _)| *factor != 0).collect();
        Ok(Some(RankingFunction::Sum(sum)).filter(|measure| measure.is_modest() && self.fits(measure)))
    }

    /// The rankings without those that the others make superfluous.
    fn reduce(&mut self, rankings: Vec<RankingFunction>, budget: &Budget) -> Result<Vec<RankingFunction>, Stop> {
        let mut kept = rankings;
        for index in (0..kept.len()).rev() {
            let mut fewer = kept.clone();
            fewer.remove(index);
            let terms = &mut self.found.store.terms;
            let fails: Vec<TermId> =
                self.rounds.iter().map(|round| round.fails(terms, &self.pool.atoms, &fewer)).collect();
            if !self.found.possible(&fails, budget)? {
                kept = fewer;
            }
        }
        Ok(kept)
    }
}

/// Whole numbers in the same proportions, as far as they are small enough.
fn whole(factors: &[Rat]) -> Option<Vec<i64>> {
    let mut scale = Rat::ONE;
    for factor in factors {
        scale = &scale * &(&scale * factor).denominator();
    }
    let divisor = factors.iter().fold(Rat::ZERO, |gcd, factor| gcd.gcd(&(factor * &scale)));
    let scale = &scale * &divisor.recip()?;
    let whole = factors.iter().map(|factor| (factor * &scale).to_i64());
    whole.map(|factor| factor.filter(|factor| factor.abs() < MAX_COEFFICIENT)).collect()
}

/// Bits as a number.
fn number_of(bits: Bits, signed: bool) -> Option<i128> {
    if signed { bits.to_i128() } else { bits.to_u128().and_then(|number| i128::try_from(number).ok()) }
}

/// What a measure is of given values: what its term is.
fn evaluate(measure: &RankingFunction, value: impl Fn(&Atom) -> Option<Bits>) -> Option<i128> {
    let number = |atom: &Atom| number_of(value(atom)?, atom.signed);
    let sign = |minus: &bool, number: i128| if *minus { -number } else { number };
    match measure {
        RankingFunction::Sum(sum) => {
            let mut total = 0i128;
            for (factor, atom) in sum {
                total = total.checked_add(number(atom)?.checked_mul((*factor).into())?)?;
            }
            Some(total)
        }
        RankingFunction::Greatest(minus, atoms) => {
            let numbers: Vec<i128> = atoms.iter().map(number).collect::<Option<_>>()?;
            numbers.into_iter().max().map(|number| sign(minus, number))
        }
        RankingFunction::Least(minus, atoms) => {
            let numbers: Vec<i128> = atoms.iter().map(number).collect::<Option<_>>()?;
            numbers.into_iter().min().map(|number| sign(minus, number))
        }
        RankingFunction::Float(minus, atom) => {
            let bits = value(atom)?;
            let (number, top) = (bits.to_u128()?, 1u128 << (bits.width() - 1));
            let place = if number & top != 0 { number ^ (2 * top - 1) } else { number | top };
            Some(sign(minus, i128::try_from(place).ok()?))
        }
        RankingFunction::Distance(to, from) => {
            let width = measure.atoms().into_iter().map(|atom| value(atom).map(Bits::width)).next()??;
            let of = |point: &Point| match point {
                Point::Atom(atom) => value(atom).filter(|bits| bits.width() == width),
                Point::Number(number) => Some(Bits::from_signed(width, (*number).into())),
            };
            number_of(of(to)?.wrapping_sub(of(from)?), false)
        }
    }
}

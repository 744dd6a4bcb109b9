//! Ranges against this machine's arithmetic, and branch and prune against the SAT solver and random points.

use belay_base::Budget;

use super::super::eval::{Evaluator, Model};
use super::super::facts::Facts;
use super::super::float::{FloatNote, FloatOperation, Format, Rounding};
use super::super::solver::{BvSolver, SatResult};
use super::super::term::{TermId, TermStore, VarId};
use super::super::value::Bits;
use super::range::{FloatRange, key, last_below, next_down, next_up, of_key};
use super::region::{Cut, Region, VariableDomain};
use super::sets::Sets;
use super::tape::Tape;
use super::{Effort, Pruned, prune};

/// Random numbers: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Numbers of both formats at which something changes, in total order.
fn edges(format: Format) -> Vec<f64> {
    let tiny = if format == Format::SINGLE { f64::from(f32::from_bits(1)) } else { f64::from_bits(1) };
    let least = if format == Format::SINGLE { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    let most = if format == Format::SINGLE { f64::from(f32::MAX) } else { f64::MAX };
    let near = |x: f64| if format == Format::SINGLE { f64::from(x as f32) } else { x };
    let positive = [0.0, tiny, least, near(0.3), 0.5, 1.0, near(1.7), 3.0, near(1e10), most, f64::INFINITY];
    let mut edges: Vec<f64> = positive.iter().flat_map(|x| [-x, *x]).collect();
    edges.sort_by(f64::total_cmp);
    edges
}

/// All ranges between edges, some with NaNs.
fn ranges(format: Format) -> Vec<FloatRange> {
    let edges = edges(format);
    let mut found = vec![FloatRange::NAN];
    for (index, low) in edges.iter().enumerate() {
        for high in &edges[index..] {
            found.push(FloatRange { low: *low, high: *high, nan: (index + found.len()) % 3 == 0 });
        }
    }
    found
}

fn contains(range: &FloatRange, x: f64) -> bool {
    if x.is_nan() {
        return range.nan;
    }
    range.low.total_cmp(&x).is_le() && x.total_cmp(&range.high).is_le()
}

fn members(format: Format, range: &FloatRange) -> Vec<f64> {
    let nan = range.nan.then_some(f64::NAN);
    edges(format).into_iter().filter(|x| contains(range, *x)).chain(nan).collect()
}

fn single2(x: f64, y: f64, operation: fn(f32, f32) -> f32) -> f64 {
    f64::from(operation(x as f32, y as f32))
}

#[test]
fn results_lie_in_the_range_of_the_operation() {
    for format in [Format::SINGLE, Format::DOUBLE] {
        let single = format == Format::SINGLE;
        let ranges = ranges(format);
        let members: Vec<Vec<f64>> = ranges.iter().map(|range| self::members(format, range)).collect();
        for (a, xs) in ranges.iter().zip(&members) {
            for (b, ys) in ranges.iter().zip(&members) {
                let (sum, product, quotient) = (a.add(format, b), a.mul(format, b), a.div(format, b));
                let less = a.less(b);
                for x in xs {
                    for y in ys {
                        let (s, p, q) = match single {
                            true => (
                                single2(*x, *y, |x, y| x + y),
                                single2(*x, *y, |x, y| x * y),
                                single2(*x, *y, |x, y| x / y),
                            ),
                            false => (x + y, x * y, x / y),
                        };
                        assert!(contains(&sum, s), "{x} + {y} of {a:?} and {b:?}: {sum:?}");
                        assert!(contains(&product, p), "{x} * {y} of {a:?} and {b:?}: {product:?}");
                        assert!(contains(&quotient, q), "{x} / {y} of {a:?} and {b:?}: {quotient:?}");
                        assert!(less.is_none_or(|less| less == (x < y)), "{x} < {y} of {a:?} and {b:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn ends_of_sums_and_products_are_reached() {
    for format in [Format::SINGLE, Format::DOUBLE] {
        for a in ranges(format).iter().filter(|range| range.low.is_finite() && range.high.is_finite()) {
            for b in ranges(format).iter().filter(|range| range.low.is_finite() && range.high.is_finite()) {
                let sum = a.add(format, b);
                let ends = [(a.low, b.low), (a.high, b.high)].map(|(x, y)| match format == Format::SINGLE {
                    true => single2(x, y, |x, y| x + y),
                    false => x + y,
                });
                assert_eq!((sum.low.to_bits(), sum.high.to_bits()), (ends[0].to_bits(), ends[1].to_bits()));
                let product = a.mul(format, b);
                let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
                let corners = corners.map(|(x, y)| match format == Format::SINGLE {
                    true => single2(x, y, |x, y| x * y),
                    false => x * y,
                });
                let reached = |end: f64| corners.iter().any(|corner| corner.to_bits() == end.to_bits());
                assert!(reached(product.low) && reached(product.high), "{a:?} * {b:?} is {product:?}");
            }
        }
    }
}

#[test]
fn results_of_one_operand_lie_in_its_range() {
    const ROUNDINGS: [Rounding; 5] =
        [Rounding::Floor, Rounding::Ceil, Rounding::Trunc, Rounding::HalfAway, Rounding::HalfEven];
    let whole = |rounding: Rounding, x: f64| match rounding {
        Rounding::Floor => x.floor(),
        Rounding::Ceil => x.ceil(),
        Rounding::Trunc => x.trunc(),
        Rounding::HalfAway => x.round(),
        Rounding::HalfEven => x.round_ties_even(),
    };
    for format in [Format::SINGLE, Format::DOUBLE] {
        for a in ranges(format) {
            let facts = a.facts(format);
            for x in members(format, &a) {
                let root = if format == Format::SINGLE { f64::from((x as f32).sqrt()) } else { x.sqrt() };
                assert!(contains(&a.sqrt(format), root), "root of {x} in {a:?}");
                let square = if format == Format::SINGLE { single2(x, x, |x, y| x * y) } else { x * x };
                assert!(contains(&a.square(format), square), "square of {x} in {a:?}");
                assert!(contains(&a.negated(), -x) && contains(&a.absolute(), x.abs()), "{x} in {a:?}");
                assert!(contains(&a.convert(Format::SINGLE), f64::from(x as f32)), "{x} in {a:?} as float");
                for rounding in ROUNDINGS {
                    assert!(contains(&a.round(rounding), whole(rounding, x)), "{rounding:?} of {x} in {a:?}");
                }
                assert!(a.is_nan().is_none_or(|nan| nan == x.is_nan()));
                let bits = super::region::encoding(format, x).into();
                assert!(x.is_nan() || facts.umin <= bits && bits <= facts.umax, "encoding of {x} in {a:?}");
                assert!(contains(&FloatRange::of_facts(format, &facts), x), "{x} in {a:?} by its encoding");
                for (signed, width) in [(true, 32), (false, 32), (true, 8), (false, 64), (true, 128), (false, 128)] {
                    let most = 2f64.powi(width - i32::from(signed));
                    let least = if signed { -most } else { 0.0 };
                    let fits = x.trunc() >= least && x.trunc() < most;
                    assert!(a.fits(signed, width as u32).is_none_or(|known| known == fits), "{x} in {a:?}");
                    let whole = a.truncated(signed, width as u32);
                    if fits && signed {
                        assert!(whole.smin <= x as i128 && x as i128 <= whole.smax, "{x} of {a:?}");
                    } else if fits {
                        assert!(whole.umin <= x as u128 && x as u128 <= whole.umax, "{x} of {a:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn neighbours_and_limits() {
    for format in [Format::SINGLE, Format::DOUBLE] {
        for x in edges(format) {
            assert_eq!(of_key(format, key(format, x)).map(f64::to_bits), Some(x.to_bits()));
            if x != f64::INFINITY {
                let next = next_up(format, x);
                assert!(next.total_cmp(&x).is_gt());
                assert_eq!(next_down(format, next).to_bits(), x.to_bits());
            }
            let (below, at) = (last_below(format, x, false), last_below(format, x, true));
            assert!(at <= x && at.total_cmp(&x).is_ge());
            assert!(x == f64::NEG_INFINITY || below < x && next_up(format, below) >= x, "{below} below {x}");
        }
        assert_eq!(last_below(format, 0.0, false), -next_up(format, 0.0));
        assert_eq!(last_below(format, -0.0, true).to_bits(), 0.0f64.to_bits());
    }
    // Between two floats.
    assert_eq!(last_below(Format::SINGLE, 1.0 + f64::EPSILON, true), 1.0);
    assert_eq!(last_below(Format::SINGLE, 1.0 - f64::EPSILON, true), f64::from(1f32.next_down()));
}

/// Random float terms over variables.
struct Terms {
    store: TermStore,
    variables: Vec<VarId>,
    floats: Vec<TermId>,
}

const FORMAT: Format = Format::SINGLE;

impl Terms {
    fn new(random: &mut Random, depth: usize) -> Self {
        let mut store = TermStore::new();
        let mut floats: Vec<TermId> = ["x", "y"].map(|name| store.variable(name, 32)).to_vec();
        let variables = store.variables().collect();
        for x in [0.5f32, -3.0, 1e10] {
            floats.push(store.number(32, x.to_bits().into()));
        }
        let mut terms = Self { store, variables, floats };
        for _ in 0..depth {
            let term = terms.operation(random);
            terms.floats.push(term);
        }
        terms
    }

    fn some(&self, random: &mut Random) -> TermId {
        self.floats[random.below(self.floats.len())]
    }

    fn operation(&mut self, random: &mut Random) -> TermId {
        let (x, y) = (self.some(random), self.some(random));
        let store = &mut self.store;
        let result = match random.below(12) {
            0 | 1 => store.float_add(FORMAT, x, y),
            2 | 3 => store.float_mul(FORMAT, x, y),
            4 => store.float_div(FORMAT, x, y),
            5 => store.float_sub(FORMAT, x, y),
            6 => store.float_sqrt(FORMAT, x),
            7 => store.float_round(FORMAT, Rounding::Floor, x),
            8 => return store.float_neg(FORMAT, x),
            9 => return store.float_abs(FORMAT, x),
            10 => {
                let whole = store.float_to_int(FORMAT, true, 16, x);
                let zero = store.number(16, 0);
                let whole = store.ite(whole.fits, whole.bits, zero);
                return store.float_from_int(FORMAT, true, whole);
            }
            _ => {
                let less = store.float_less(FORMAT, x, y);
                return store.ite(less, x, y);
            }
        };
        let nan = self.store.number(32, 0x7fc0_0000);
        self.store.float_value(result, nan)
    }

    fn condition(&mut self, random: &mut Random) -> TermId {
        let (x, y) = (self.some(random), self.some(random));
        let (nan_x, nan_y) = (self.store.float_is_nan(FORMAT, x), self.store.float_is_nan(FORMAT, y));
        let nan = self.store.or(nan_x, nan_y);
        let ordered = self.store.not(nan);
        let less = self.store.float_less(FORMAT, x, y);
        match random.below(4) {
            0 => self.store.and(ordered, less),
            1 => {
                let not = self.store.not(less);
                self.store.and(ordered, not)
            }
            2 => self.store.or(nan, less),
            _ => nan_x,
        }
    }

    fn model(&self, values: &[f64]) -> Model {
        let mut model = Model::new();
        for (variable, value) in self.variables.iter().zip(values) {
            model.set(*variable, Bits::new(32, (*value as f32).to_bits().into()));
        }
        model
    }
}

#[test]
fn conditions_on_a_region_cover_its_points() {
    let mut random = Random(5);
    let all = ranges(FORMAT);
    let mut decided = 0;
    for _ in 0..300 {
        let mut terms = Terms::new(&mut random, 6);
        let conditions: Vec<TermId> = (0..6).map(|_| terms.condition(&mut random)).collect();
        let conditions: Vec<TermId> =
            conditions.into_iter().filter(|condition| terms.store.as_bool(*condition).is_none()).collect();
        let Some(tape) = Tape::new(&terms.store, &conditions, 10_000) else { continue };
        for _ in 0..40 {
            let mut region = Region::all(&tape.variables);
            let mut chosen = Vec::new();
            for (index, variable) in tape.variables.iter().enumerate() {
                // A variable that simplification left no float operation of is any bit-vector.
                let range = if variable.format.is_some() { all[random.below(all.len())] } else { FloatRange::ALL };
                if variable.format.is_some() {
                    region.domains[index] = VariableDomain::Float(FORMAT, range);
                }
                chosen.push((variable.id, members(FORMAT, &range)));
            }
            let mut sets = Sets::default();
            sets.evaluate(&tape, &region);
            for _ in 0..6 {
                let mut model = Model::new();
                for (variable, members) in &chosen {
                    let value = members[random.below(members.len())] as f32;
                    model.set(*variable, Bits::new(32, value.to_bits().into()));
                }
                let mut evaluator = Evaluator::new(model);
                for (condition, root) in conditions.iter().zip(&tape.roots) {
                    if let Some(truth) = sets.truth(*root) {
                        decided += 1;
                        assert_eq!(evaluator.holds(&terms.store, *condition), truth, "{region:?}");
                    }
                }
            }
        }
    }
    assert!(decided > 20_000, "only {decided} were decided");
}

#[test]
fn answers_agree_with_sat_and_with_points() {
    let mut random = Random(11);
    let (mut models, mut covers) = (0, 0);
    let budget = Budget::steps(100_000_000);
    for round in 0..240 {
        let mut terms = Terms::new(&mut random, 2);
        let mut conditions: Vec<TermId> = (0..3).map(|_| terms.condition(&mut random)).collect();
        // Bounds, as programs assume them.
        for variable in terms.variables.clone() {
            let x = terms.store.variable_term(variable);
            let limit = terms.store.number(32, 4f32.to_bits().into());
            let magnitude = terms.store.float_abs(FORMAT, x);
            conditions.push(terms.store.float_less(FORMAT, magnitude, limit));
        }
        match prune(&terms.store, &conditions, Effort { steps: 30_000, certified: round % 3 == 0 }, &budget) {
            Ok(Pruned::Model(model)) => {
                models += 1;
                let mut evaluator = Evaluator::new(model);
                assert!(conditions.iter().all(|condition| evaluator.holds(&terms.store, *condition)));
            }
            Ok(Pruned::Empty(cover)) => {
                covers += 1;
                assert!(!cover.tree.0.is_empty());
                let edges = edges(FORMAT);
                for _ in 0..300 {
                    let values = [edges[random.below(edges.len())], edges[random.below(edges.len())]];
                    let mut evaluator = Evaluator::new(terms.model(&values));
                    let used = cover.used.iter().all(|condition| evaluator.holds(&terms.store, *condition));
                    assert!(!used, "{values:?} is a model of what the cover says has none");
                }
                if round % 2 == 0 {
                    let mut solver = BvSolver::only_sat();
                    let answer = solver.check(&terms.store, &cover.used, &Budget::steps(3_000));
                    assert_ne!(answer, Ok(SatResult::Sat));
                }
            }
            Ok(Pruned::Open) => {}
            Err(why) => panic!("{why}"),
        }
    }
    assert!(models > 20 && covers > 20, "{models} models and {covers} covers");
}

#[test]
fn polynomials_are_bounded() {
    // 1.0f + 0.5f*x - 0.125f*x*x on [0, 1) is below 1.4 and reaches 1.3.
    let mut store = TermStore::new();
    let x = store.variable("x", 32);
    let number = |store: &mut TermStore, value: f32| store.number(32, value.to_bits().into());
    let nan = number(&mut store, f32::NAN);
    let (half, eighth, one) = (number(&mut store, 0.5), number(&mut store, 0.125), number(&mut store, 1.0));
    let times = |store: &mut TermStore, a: TermId, b: TermId| {
        let product = store.float_mul(FORMAT, a, b);
        store.float_value(product, nan)
    };
    let linear = times(&mut store, half, x);
    let square = times(&mut store, eighth, x);
    let square = times(&mut store, square, x);
    let sum = store.float_add(FORMAT, one, linear);
    let sum = store.float_value(sum, nan);
    let result = store.float_sub(FORMAT, sum, square);
    let result = store.float_value(result, nan);
    let zero = number(&mut store, 0.0);
    let is_nan = store.float_is_nan(FORMAT, x);
    let (some, negative, below) =
        (store.not(is_nan), store.float_less(FORMAT, x, zero), store.float_less(FORMAT, x, one));
    let positive = store.not(negative);
    let assumed = [some, positive, below];
    let mut ask = |limit: f32| {
        let limit = number(&mut store, limit);
        let above = store.float_less(FORMAT, limit, result);
        let conditions: Vec<TermId> = assumed.iter().copied().chain([above]).collect();
        prune(&store, &conditions, Effort { steps: 100_000, certified: true }, &Budget::unlimited())
    };
    assert!(matches!(ask(1.4), Ok(Pruned::Empty(_))));
    assert!(matches!(ask(1.37), Ok(Pruned::Model(_))));
}

#[test]
fn cuts_divide() {
    let all = VariableDomain::Float(FORMAT, FloatRange::ALL);
    let Some((VariableDomain::Float(_, numbers), VariableDomain::Float(_, nans))) = all.halves(Cut::Nan) else {
        panic!("no halves")
    };
    assert!(!numbers.nan && nans.nan && !nans.has_numbers());
    let zero = Cut::Float((-0f32).to_bits().into());
    let halves = VariableDomain::Float(FORMAT, numbers).halves(zero);
    let Some((VariableDomain::Float(_, below), VariableDomain::Float(_, above))) = halves else { panic!("no halves") };
    assert_eq!((below.high.to_bits(), above.low.to_bits()), ((-0f64).to_bits(), 0f64.to_bits()));
    assert!(VariableDomain::Bits(Facts::unknown(8)).halves(Cut::Unsigned(255)).is_none());
    assert!(VariableDomain::Bits(Facts::unknown(8)).halves(Cut::Signed(-1)).is_some());
}

#[test]
fn notes_name_older_terms() {
    let mut store = TermStore::new();
    let x = store.variable("x", 32);
    let negative = store.float_neg(FORMAT, x);
    assert_eq!(store.float_note(negative), Some((FloatNote::Value(FORMAT, FloatOperation::Neg(x)), false)));
    // Twice is the variable itself, which is noted as nothing.
    assert_eq!(store.float_neg(FORMAT, negative), x);
    assert_eq!(store.float_note(x), None);
}

//! Sets of floats against this machine's arithmetic, and covers against points.

use belay_base::Budget;
use belay_logic::bv::float::{FloatOperation, Format, Rounding};
use belay_logic::bv::prune::{Cut, Effort, Paving, Pruned, Split, prune};
use belay_logic::bv::{Bits, Evaluator, Facts, Model, TermId, TermStore, VarId};

use super::floats::{Floats, operate};
use super::{Set, covers};

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

/// Numbers at which something changes, in order.
fn edges() -> Vec<f32> {
    let positive = [0.0, f32::from_bits(1), f32::MIN_POSITIVE, 0.3, 0.5, 1.0, 1.7, 2.0, 1e10, f32::MAX, f32::INFINITY];
    let mut edges: Vec<f32> = positive.iter().flat_map(|x| [-x, *x]).collect();
    edges.sort_by(f32::total_cmp);
    edges
}

fn sets() -> Vec<Floats> {
    let edges = edges();
    let mut found = Vec::new();
    for (index, low) in edges.iter().enumerate() {
        for high in &edges[index..] {
            found.push(Floats { low: (*low).into(), high: (*high).into(), nan: found.len() % 4 == 0 });
        }
    }
    found
}

fn contains(set: &Floats, x: f32) -> bool {
    let x = f64::from(x);
    if x.is_nan() { set.nan } else { set.low.total_cmp(&x).is_le() && x.total_cmp(&set.high).is_le() }
}

fn members(set: &Floats) -> Vec<f32> {
    edges().into_iter().chain([f32::NAN]).filter(|x| contains(set, *x)).collect()
}

#[test]
fn results_lie_in_the_sets() {
    let (a, b) = (TermId(0), TermId(1));
    type Binary = (FloatOperation, fn(f32, f32) -> f32);
    let binary: [Binary; 4] = [
        (FloatOperation::Add(a, b), |x, y| x + y),
        (FloatOperation::Mul(a, b), |x, y| x * y),
        (FloatOperation::Div(a, b), |x, y| x / y),
        (FloatOperation::Fma(a, b, a), |x, y| x.mul_add(y, x)),
    ];
    type Unary = (FloatOperation, fn(f32) -> f32);
    let unary: [Unary; 8] = [
        (FloatOperation::Mul(a, a), |x| x * x),
        (FloatOperation::Sqrt(a), f32::sqrt),
        (FloatOperation::Neg(a), |x| -x),
        (FloatOperation::Abs(a), f32::abs),
        (FloatOperation::Round { rounding: Rounding::Floor, arg: a }, f32::floor),
        (FloatOperation::Round { rounding: Rounding::Ceil, arg: a }, f32::ceil),
        (FloatOperation::Round { rounding: Rounding::HalfEven, arg: a }, f32::round_ties_even),
        (FloatOperation::Round { rounding: Rounding::HalfAway, arg: a }, f32::round),
    ];
    let sets = sets();
    for x in &sets {
        for (operation, compute) in &unary {
            let result = operate(Format::SINGLE, *operation, |_| Set::Floats(*x));
            for value in members(x) {
                assert!(contains(&result, compute(value)), "{operation:?} of {value} in {x:?}: {result:?}");
            }
        }
        for y in &sets {
            for (operation, compute) in &binary {
                let set = |id| Set::Floats(if id == a { *x } else { *y });
                let result = operate(Format::SINGLE, *operation, set);
                for (p, q) in members(x).iter().flat_map(|p| members(y).into_iter().map(move |q| (*p, q))) {
                    assert!(
                        contains(&result, compute(p, q)),
                        "{operation:?} of {p} in {x:?}, {q} in {y:?}: {result:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn conversions_lie_in_the_sets() {
    let a = TermId(0);
    for set in sets() {
        let double =
            operate(Format::DOUBLE, FloatOperation::Convert { from: Format::SINGLE, arg: a }, |_| Set::Floats(set));
        let facts = set.facts(Format::SINGLE);
        for x in members(&set) {
            assert!(contains(&double, x), "{x} of {set:?}");
            assert!(x.is_nan() || facts.umin <= x.to_bits().into() && u128::from(x.to_bits()) <= facts.umax);
            assert!(contains(&Floats::of_facts(Format::SINGLE, &facts), x), "{x} of {set:?}");
            let fits = f64::from(x).trunc().abs() < 128.0 || f64::from(x).trunc() == -128.0;
            assert!(set.fits(true, 8).is_none_or(|known| known == fits), "{x} of {set:?}");
            let whole = set.truncated(true, 8);
            assert!(!fits || whole.smin <= x as i128 && x as i128 <= whole.smax, "{x} of {set:?}");
        }
    }
    for (low, high) in [(-5i128, 9i128), (-(1 << 40), 1 << 40), (0, 16_777_217)] {
        let facts = Facts::between_signed(64, low, high);
        let set = operate(Format::SINGLE, FloatOperation::FromInt { signed: true, arg: a }, |_| Set::Bits(facts));
        assert!([low, high, 0].iter().all(|x| contains(&set, *x as f32)));
    }
}

/// Conditions over two floats that are within [-2, 2].
struct Conditions {
    store: TermStore,
    variables: Vec<VarId>,
    conditions: Vec<TermId>,
}

fn conditions(random: &mut Random) -> Conditions {
    const FORMAT: Format = Format::SINGLE;
    let mut store = TermStore::new();
    let mut floats: Vec<TermId> = ["x", "y"].map(|name| store.variable(name, 32)).to_vec();
    let variables: Vec<VarId> = store.variables().collect();
    let nan = store.number(32, 0x7fc0_0000);
    let mut conditions = Vec::new();
    for x in floats.clone() {
        let limit = store.number(32, 2f32.to_bits().into());
        let magnitude = store.float_abs(FORMAT, x);
        conditions.push(store.float_less(FORMAT, magnitude, limit));
    }
    floats.push(store.number(32, 0.25f32.to_bits().into()));
    for _ in 0..3 {
        let (a, b) = (floats[random.below(floats.len())], floats[random.below(floats.len())]);
        let result = match random.below(4) {
            0 => store.float_add(FORMAT, a, b),
            1 => store.float_mul(FORMAT, a, b),
            2 => store.float_sub(FORMAT, a, b),
            _ => store.float_div(FORMAT, a, b),
        };
        floats.push(store.float_value(result, nan));
    }
    for _ in 0..2 {
        let (a, b) = (floats[random.below(floats.len())], floats[random.below(floats.len())]);
        let (nan, less) = (store.float_is_nan(FORMAT, a), store.float_less(FORMAT, a, b));
        let number = store.not(nan);
        conditions.push(store.and(number, less));
    }
    Conditions { store, variables, conditions }
}

fn is_model(given: &Conditions, x: f32, y: f32) -> bool {
    let mut model = Model::new();
    for (variable, value) in given.variables.iter().zip([x, y]) {
        model.set(*variable, Bits::new(32, value.to_bits().into()));
    }
    let mut evaluator = Evaluator::new(model);
    given.conditions.iter().all(|condition| evaluator.holds(&given.store, *condition))
}

#[test]
fn covers_are_accepted_and_damaged_ones_are_not() {
    let mut random = Random(3);
    let (mut accepted, mut found) = (0, 0);
    let effort = Effort { steps: 20_000, certified: true };
    let mut trees: Vec<Paving> = Vec::new();
    for _ in 0..300 {
        let given = conditions(&mut random);
        let (store, conditions) = (&given.store, &given.conditions);
        match prune(store, conditions, effort, &Budget::unlimited()) {
            Ok(Pruned::Empty(cover)) => {
                found += 1;
                accepted += usize::from(covers(store, conditions, &cover.tree));
                let mut cut_off = cover.tree.clone();
                cut_off.0.pop();
                assert!(!covers(store, conditions, &cut_off));
                let mut longer = cover.tree.clone();
                longer.0.push(None);
                assert!(!covers(store, conditions, &longer));
                trees.push(cover.tree);
            }
            // What has a model is covered by nothing.
            Ok(Pruned::Model(_)) => {
                assert!(trees.iter().all(|tree| !covers(store, conditions, tree)));
            }
            Ok(Pruned::Open) | Err(_) => {}
        }
        if trees.iter().any(|tree| covers(store, conditions, tree)) {
            let edges = edges();
            let pairs = edges.iter().flat_map(|x| edges.iter().map(move |y| (*x, *y)));
            assert!(pairs.into_iter().all(|(x, y)| !is_model(&given, x, y)));
        }
    }
    assert!(found > 20, "{found} covers");
    assert_eq!(accepted, found);
}

#[test]
fn strange_trees_are_refused() {
    let mut random = Random(8);
    let given = conditions(&mut random);
    let ints = {
        let mut store = TermStore::new();
        let x = store.variable("x", 8);
        let five = store.number(8, 5);
        let condition = store.ult(x, five);
        (store, condition)
    };
    let x = given.variables[0];
    let strange = [
        vec![],
        vec![None, None],
        vec![Some(Split { variable: VarId(99), cut: Cut::Nan }), None, None],
        vec![Some(Split { variable: x, cut: Cut::Float(u64::from(f32::NAN.to_bits())) }), None, None],
        vec![Some(Split { variable: x, cut: Cut::Unsigned(7) }), None],
    ];
    for tree in strange {
        assert!(!covers(&given.store, &given.conditions, &Paving(tree)));
    }
    let float_cut = Some(Split { variable: VarId(0), cut: Cut::Float(0) });
    assert!(!covers(&ints.0, &[ints.1], &Paving(vec![float_cut, None, None])));
}

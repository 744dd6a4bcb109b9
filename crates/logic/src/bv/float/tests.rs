//! The circuits against this machine's arithmetic: every pair of edge cases, and random operands, some of them close to each other.

use super::super::eval::{Evaluator, Model};
use super::super::solver::{BvSolver, SatResult};
use super::super::term::{TermId, TermStore};
use super::super::value::Bits;
use super::{Format, Rounded, Rounding};

/// Random numbers: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn mask(format: Format) -> u64 {
    u64::MAX >> (64 - format.width())
}

/// Zeros, subnormals, ones, halves, powers, the largest, infinities, NaNs, and their neighbours, of both signs.
fn edges(format: Format) -> Vec<u64> {
    let one = (format.bias() as u64) << format.fraction;
    let infinity = format.infinity() as u64;
    let unit = 1u64 << format.fraction;
    let around =
        [0, unit, one - unit, one, one + unit, one + 24 * unit, one + u64::from(format.fraction) * unit, infinity];
    let mut edges: Vec<u64> =
        around.iter().flat_map(|x| [x.wrapping_sub(1) & (mask(format) >> 1), *x, x + 1, x + 3]).collect();
    edges.extend([
        unit / 2,
        one + unit / 2,
        one + unit / 2 + 1,
        infinity | (unit / 2),
        one + 31 * unit,
        one + 63 * unit,
        one + 64 * unit,
    ]);
    let sign = 1u64 << (format.width() - 1);
    edges.iter().flat_map(|x| [*x, x | sign]).collect()
}

fn operand(format: Format, random: &mut Random, other: u64) -> u64 {
    let bits = random.next() & mask(format);
    let near = random.next() % 8;
    match near {
        // A near exponent, so that alignment and cancellation happen.
        0..=3 => {
            let exponent = (other >> format.fraction) & ((1 << format.exponent) - 1);
            let exponent = exponent.wrapping_add(random.next() % 7).wrapping_sub(3) & ((1 << format.exponent) - 1);
            (bits & !(((1 << format.exponent) - 1) << format.fraction)) | exponent << format.fraction
        }
        4 => other.wrapping_add(random.next() % 5).wrapping_sub(2) & mask(format),
        5 => edges(format)[random.next() as usize % edges(format).len()],
        _ => bits,
    }
}

fn native2(format: Format, x: u64, y: u64, single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64) -> (u64, bool) {
    if format == Format::SINGLE {
        let result = single(f32::from_bits(x as u32), f32::from_bits(y as u32));
        return (result.to_bits().into(), result.is_nan());
    }
    let result = double(f64::from_bits(x), f64::from_bits(y));
    (result.to_bits(), result.is_nan())
}

type Circuit = fn(&mut TermStore, Format, TermId, TermId) -> Rounded;
struct Operation {
    name: &'static str,
    circuit: Circuit,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
}

const OPERATIONS: &[Operation] = &[
    Operation { name: "+", circuit: TermStore::float_add, single: |x, y| x + y, double: |x, y| x + y },
    Operation { name: "-", circuit: TermStore::float_sub, single: |x, y| x - y, double: |x, y| x - y },
    Operation { name: "*", circuit: TermStore::float_mul, single: |x, y| x * y, double: |x, y| x * y },
    Operation { name: "/", circuit: TermStore::float_div, single: |x, y| x / y, double: |x, y| x / y },
    Operation {
        name: "sqrt",
        circuit: |s, f, x, _| s.float_sqrt(f, x),
        single: |x, _| x.sqrt(),
        double: |x, _| x.sqrt(),
    },
    Operation {
        name: "fma by itself",
        circuit: |s, f, x, y| s.float_fma(f, x, y, x),
        single: |x, y| x.mul_add(y, x),
        double: |x, y| x.mul_add(y, x),
    },
    Operation {
        name: "fma, the second operand subtracted from its product",
        circuit: |s, f, x, y| {
            let negative = s.float_neg(f, y);
            s.float_fma(f, x, y, negative)
        },
        single: |x, y| x.mul_add(y, -y),
        double: |x, y| x.mul_add(y, -y),
    },
    Operation {
        name: "the error of a rounded product",
        circuit: |s, f, x, y| {
            let product = s.float_mul(f, x, y);
            let negative = s.float_neg(f, product.bits);
            let error = s.float_fma(f, x, y, negative);
            Rounded { bits: error.bits, nan: s.or(product.nan, error.nan), operation: None }
        },
        single: |x, y| x.mul_add(y, -(x * y)),
        double: |x, y| x.mul_add(y, -(x * y)),
    },
    Operation {
        name: "floor",
        circuit: |s, f, x, _| s.float_round(f, Rounding::Floor, x),
        single: |x, _| x.floor(),
        double: |x, _| x.floor(),
    },
    Operation {
        name: "ceil",
        circuit: |s, f, x, _| s.float_round(f, Rounding::Ceil, x),
        single: |x, _| x.ceil(),
        double: |x, _| x.ceil(),
    },
    Operation {
        name: "trunc",
        circuit: |s, f, x, _| s.float_round(f, Rounding::Trunc, x),
        single: |x, _| x.trunc(),
        double: |x, _| x.trunc(),
    },
    Operation {
        name: "round",
        circuit: |s, f, x, _| s.float_round(f, Rounding::HalfAway, x),
        single: |x, _| x.round(),
        double: |x, _| x.round(),
    },
    Operation {
        name: "rint",
        circuit: |s, f, x, _| s.float_round(f, Rounding::HalfEven, x),
        single: |x, _| x.round_ties_even(),
        double: |x, _| x.round_ties_even(),
    },
];

struct Bench {
    store: TermStore,
    x: TermId,
    y: TermId,
}

impl Bench {
    fn new(width: u32) -> Bench {
        let mut store = TermStore::new();
        let (x, y) = (store.variable("x", width), store.variable("y", width));
        Bench { store, x, y }
    }

    fn eval<const N: usize>(&self, x: u64, y: u64, roots: [TermId; N]) -> [u128; N] {
        let mut model = Model::new();
        let mut variables = self.store.variables();
        let width = self.store.width(self.x);
        for value in [x, y] {
            model.set(variables.next().expect("two variables"), Bits::new(width, value.into()));
        }
        let mut evaluator = Evaluator::new(model);
        roots.map(|root| evaluator.eval(&self.store, root).to_u128().expect("at most 128 bits"))
    }
}

fn check(format: Format, operation: &Operation, pairs: impl Iterator<Item = (u64, u64)>) {
    let mut bench = Bench::new(format.width());
    let rounded = (operation.circuit)(&mut bench.store, format, bench.x, bench.y);
    for (x, y) in pairs {
        let [bits, nan] = bench.eval(x, y, [rounded.bits, rounded.nan]);
        let (expected, expected_nan) = native2(format, x, y, operation.single, operation.double);
        assert_eq!(nan == 1, expected_nan, "{x:#x} {} {y:#x}", operation.name);
        assert!(
            expected_nan || bits == u128::from(expected),
            "{x:#x} {} {y:#x}: {bits:#x}, not {expected:#x}",
            operation.name
        );
    }
}

fn random_pairs(format: Format, seed: u64, count: usize) -> impl Iterator<Item = (u64, u64)> {
    let mut random = Random(seed);
    std::iter::repeat_with(move || {
        let x = random.next() & mask(format);
        let x = operand(format, &mut random, x);
        (x, operand(format, &mut random, x))
    })
    .take(count)
}

fn check_all(seed: u64, count: usize) {
    for format in [Format::SINGLE, Format::DOUBLE] {
        for operation in OPERATIONS {
            check(format, operation, random_pairs(format, seed, count));
        }
    }
}

#[test]
fn edge_cases_agree_with_this_machine() {
    for format in [Format::SINGLE, Format::DOUBLE] {
        let edges = edges(format);
        for operation in OPERATIONS {
            check(format, operation, edges.iter().flat_map(|x| edges.iter().map(move |y| (*x, *y))));
        }
    }
}

#[test]
fn random_operands_agree_with_this_machine() {
    check_all(1, 2000);
}

#[test]
#[ignore = "millions of operands: minutes"]
fn many_random_operands_agree_with_this_machine() {
    check_all(2, 300_000);
    conversions(3, 300_000);
}

fn conversions(seed: u64, count: usize) {
    for format in [Format::SINGLE, Format::DOUBLE] {
        let values: Vec<u64> =
            edges(format).into_iter().chain(random_pairs(format, seed, count).map(|(x, _)| x)).collect();
        between_formats(format, &values);
        for width in [8, 32, 64] {
            to_integers(format, width, &values);
        }
    }
    let mut random = Random(seed);
    let mut integers =
        vec![0, 1, u64::MAX, 1 << 63, (1 << 53) + 1, (1 << 24) + 1, (1 << 25) + 3, u64::MAX - 1023, i64::MAX as u64];
    integers.extend((0..count).map(|_| random.next()).map(|bits| bits >> (bits % 60)));
    for format in [Format::SINGLE, Format::DOUBLE] {
        from_integers(format, &integers);
    }
}

fn between_formats(format: Format, values: &[u64]) {
    let mut bench = Bench::new(format.width());
    let x = bench.x;
    let other = if format == Format::SINGLE { Format::DOUBLE } else { Format::SINGLE };
    let made = bench.store.float_convert(format, other, x);
    for &value in values {
        let [bits, nan] = bench.eval(value, 0, [made.bits, made.nan]);
        let (expected, expected_nan) = if format == Format::SINGLE {
            let wide = f64::from(f32::from_bits(value as u32));
            (wide.to_bits(), wide.is_nan())
        } else {
            let narrow = f64::from_bits(value) as f32;
            (narrow.to_bits().into(), narrow.is_nan())
        };
        assert_eq!(nan == 1, expected_nan, "{value:#x}");
        assert!(expected_nan || bits == u128::from(expected), "{value:#x}: {bits:#x}, not {expected:#x}");
    }
}

fn to_integers(format: Format, width: u32, values: &[u64]) {
    let mut bench = Bench::new(format.width());
    let x = bench.x;
    let signed = bench.store.float_to_int(format, true, width, x);
    let unsigned = bench.store.float_to_int(format, false, width, x);
    for &value in values {
        let number = if format == Format::SINGLE { f32::from_bits(value as u32).into() } else { f64::from_bits(value) };
        let results = bench.eval(value, 0, [signed.fits, signed.bits, unsigned.fits, unsigned.bits]);
        let (half, whole) = (2f64.powi(width as i32 - 1), 2f64.powi(width as i32));
        let number: f64 = f64::trunc(number);
        let fits = [number >= -half && number < half, number >= 0.0 && number < whole];
        assert_eq!([results[0] == 1, results[2] == 1], fits, "{value:#x} as {width} bits");
        let expected = (number as i128 as u128) & ((1 << width) - 1);
        assert!(!fits[0] || results[1] == expected, "{value:#x} as {width} bits");
        assert!(!fits[1] || results[3] == expected, "{value:#x} as unsigned {width} bits");
    }
}

fn from_integers(format: Format, values: &[u64]) {
    let mut bench = Bench::new(64);
    let x = bench.x;
    let low = bench.store.extract(31, 0, x);
    let made = [(true, x), (false, x), (true, low), (false, low)]
        .map(|(signed, x)| bench.store.float_from_int(format, signed, x));
    for &value in values {
        let results = bench.eval(value, 0, made);
        let wide = [i128::from(value as i64), i128::from(value), i128::from(value as i32), i128::from(value as u32)];
        let expected = wide.map(|n| {
            u128::from(if format == Format::SINGLE { (n as f32).to_bits().into() } else { (n as f64).to_bits() })
        });
        assert_eq!(results, expected, "{value:#x}");
    }
}

#[test]
fn conversions_agree_with_this_machine() {
    conversions(4, 3000);
}

/// The blasted circuit gives what the evaluator gives: for a few operands no other result is possible, and an equation has its solution.
#[test]
fn the_solver_agrees() {
    let format = Format::SINGLE;
    for operation in &OPERATIONS[..6] {
        for (x, y) in random_pairs(format, 5, 12) {
            let mut bench = Bench::new(32);
            let rounded = (operation.circuit)(&mut bench.store, format, bench.x, bench.y);
            let (expected, nan) = native2(format, x, y, operation.single, operation.double);
            let store = &mut bench.store;
            let (a, b, c) = (store.number(32, x.into()), store.number(32, y.into()), store.number(32, expected.into()));
            let (fixed_x, fixed_y) = (store.eq(bench.x, a), store.eq(bench.y, b));
            let differs = if nan { store.not(rounded.nan) } else { store.ne(rounded.bits, c) };
            let query = store.and_all([fixed_x, fixed_y, differs]);
            let mut solver = BvSolver::new();
            let answer = solver.check(store, &[query], &belay_base::Budget::unlimited());
            assert_eq!(answer, Ok(SatResult::Unsat), "{x:#x} {} {y:#x}", operation.name);
        }
    }
}

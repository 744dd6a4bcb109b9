//! What the constructors must decide without a solver. Each line is a fact that memory checks
//! rely on; the random tests say that the rules are right, these that they fire.

use super::super::term::Term;
use super::super::{Evaluator, Model, TermId, TermStore, VarId};
use super::{Op, all_values};

struct Bench {
    store: TermStore,
}

impl Bench {
    fn new() -> Self {
        Self { store: TermStore::new() }
    }

    fn var(&mut self, width: u32) -> TermId {
        self.store.variable("x", width)
    }

    fn num(&mut self, width: u32, value: u128) -> TermId {
        self.store.number(width, value)
    }

    #[track_caller]
    fn holds(&self, condition: TermId) {
        assert!(self.store.is_true(condition), "left as {:?}", self.store.term(condition));
    }

    #[track_caller]
    fn fails(&self, condition: TermId) {
        assert!(self.store.is_false(condition), "left as {:?}", self.store.term(condition));
    }

    #[track_caller]
    fn is(&self, term: TermId, expected: TermId) {
        assert_eq!(term, expected, "{:?} is not {:?}", self.store.term(term), self.store.term(expected));
    }
}

#[test]
fn sums_cancel() {
    let mut t = Bench::new();
    let (a, b, four) = (t.var(64), t.var(64), t.num(64, 4));
    let moved = t.store.add(a, four);
    let difference = t.store.sub(moved, a);
    t.is(difference, four);
    let sum = t.store.add(moved, b);
    let back = t.store.sub(sum, b);
    t.is(back, moved);
    let scaled = t.store.mul(moved, four);
    let plain = t.store.mul(a, four);
    let (difference, sixteen) = (t.store.sub(scaled, plain), t.num(64, 16));
    t.is(difference, sixteen);
    let (double, twice, two) = (t.store.add(a, a), t.num(64, 2), a);
    let product = t.store.mul(two, twice);
    t.is(double, product);
    let not_a = t.store.not(a);
    let (sum, ones) = (t.store.add(a, not_a), t.num(64, u128::MAX));
    t.is(sum, ones);
}

#[test]
fn offsets_compare() {
    let mut t = Bench::new();
    let x = t.var(32);
    let (three, five) = (t.num(32, 3), t.num(32, 5));
    let (low, high) = (t.store.add(x, three), t.store.add(x, five));
    let (equal, differ) = (t.store.eq(low, high), t.store.ne(low, high));
    t.fails(equal);
    t.holds(differ);
    let byte = t.var(8);
    let index = t.store.zext(byte, 32);
    let (low, high) = (t.store.add(index, three), t.store.add(index, five));
    let (less, greater) = (t.store.ult(low, high), t.store.slt(high, low));
    t.holds(less);
    t.fails(greater);
    // x < x + 1 unless x is the greatest value.
    let (one, greatest) = (t.num(32, 1), t.num(32, 0x7FFF_FFFF));
    let next = t.store.add(x, one);
    let (less, not_greatest) = (t.store.slt(x, next), t.store.ne(x, greatest));
    t.is(less, not_greatest);
}

#[test]
fn bounds_decide() {
    let mut t = Bench::new();
    let byte = t.var(8);
    let index = t.store.zext(byte, 64);
    let (limit, eight) = (t.num(64, 300), t.num(64, 8));
    let in_bounds = t.store.ult(index, limit);
    t.holds(in_bounds);
    let offset = t.store.mul(index, eight);
    let end = t.store.add(offset, eight);
    let size = t.num(64, 2048);
    let fits = t.store.ule(end, size);
    t.holds(fits);
    let (remainder, ten) = (t.var(32), t.num(32, 10));
    let remainder = t.store.urem(remainder, ten);
    let small = t.store.ult(remainder, ten);
    t.holds(small);
    let x = t.var(32);
    let rest = t.store.srem(x, ten);
    let (small, minus_ten) = (t.store.slt(rest, ten), t.num(32, 10u128.wrapping_neg()));
    let large = t.store.slt(minus_ten, rest);
    t.holds(small);
    t.holds(large);
    let no_overflow = t.store.sadd_overflow(rest, ten);
    t.fails(no_overflow);
    let mask = t.num(32, 0xF0);
    let masked = t.store.and(x, mask);
    let (limit, aligned) = (t.num(32, 0xF1), t.num(32, 3));
    let (below, unaligned) = (t.store.ult(masked, limit), t.store.eq(masked, aligned));
    t.holds(below);
    t.fails(unaligned);
}

#[test]
fn bounds_move_to_the_unknown() {
    let mut t = Bench::new();
    let half = t.var(16);
    let x = t.store.zext(half, 64);
    let (four, hundred, size) = (t.num(64, 4), t.num(64, 100), t.num(64, 400));
    let offset = t.store.mul(x, four);
    let (scaled, plain) = (t.store.ult(offset, size), t.store.ult(x, hundred));
    t.is(scaled, plain);
    let (end, limit) = (t.store.add(offset, four), t.num(64, 404));
    let moved = t.store.ult(end, limit);
    t.is(moved, plain);
    let narrow_hundred = t.num(16, 100);
    let narrow = t.store.ult(half, narrow_hundred);
    t.is(plain, narrow);
}

#[test]
fn bytes_join_to_words() {
    let mut t = Bench::new();
    let word = t.var(32);
    let bytes: Vec<TermId> = (0..4).map(|i| t.store.extract(8 * i + 7, 8 * i, word)).collect();
    let joined = bytes.iter().skip(1).fold(bytes[0], |low, &high| t.store.concat(high, low));
    t.is(joined, word);
    let upper = t.store.concat(bytes[3], bytes[2]);
    let lower = t.store.concat(bytes[1], bytes[0]);
    let joined = t.store.concat(upper, lower);
    t.is(joined, word);
    // The same, written with shifts.
    let shifted = (0..4).fold(t.num(32, 0), |sum, i| {
        let byte = t.store.zext(bytes[i as usize], 32);
        let amount = t.store.number(32, 8 * i);
        let byte = t.store.shl(byte, amount);
        t.store.or(sum, byte)
    });
    t.is(shifted, word);
}

#[test]
fn conditional_writes_join_to_words() {
    let mut t = Bench::new();
    let (old, new) = (t.var(32), t.var(32));
    let conditions = [t.var(1), t.var(1)];
    let bytes: Vec<TermId> = (0..4)
        .map(|i| {
            let (old, new) = (t.store.extract(8 * i + 7, 8 * i, old), t.store.extract(8 * i + 7, 8 * i, new));
            let once = t.store.ite(conditions[0], new, old);
            t.store.ite(conditions[1], old, once)
        })
        .collect();
    let joined = bytes.iter().skip(1).fold(bytes[0], |low, &high| t.store.concat(high, low));
    let once = t.store.ite(conditions[0], new, old);
    let word = t.store.ite(conditions[1], old, once);
    t.is(joined, word);
}

#[test]
fn selections_collapse() {
    let mut t = Bench::new();
    let (c, d, x, y) = (t.var(1), t.var(1), t.var(8), t.var(8));
    let inner = t.store.ite(c, x, y);
    let outer = t.store.ite(c, inner, y);
    t.is(outer, inner);
    let not_c = t.store.not(c);
    let flipped = t.store.ite(not_c, y, x);
    t.is(flipped, inner);
    let (one, two, three) = (t.num(8, 1), t.num(8, 2), t.num(8, 3));
    let chosen = t.store.ite(c, one, two);
    let (is_one, is_three) = (t.store.eq(chosen, one), t.store.eq(chosen, three));
    t.is(is_one, c);
    t.fails(is_three);
    let below = t.store.ult(chosen, three);
    t.holds(below);
    let (yes, no) = (t.store.boolean(true), t.store.boolean(false));
    let both = t.store.ite(c, d, no);
    let and = t.store.and(c, d);
    t.is(both, and);
    let either = t.store.ite(c, yes, d);
    let or = t.store.or(c, d);
    t.is(either, or);
    let equal = t.store.eq(x, y);
    let same = t.store.ite(equal, x, y);
    t.is(same, y);
    // A chain over object numbers: not one of them, and exactly one of them.
    let chain = (0..10).fold(t.num(8, 100), |rest, i| {
        let (condition, object) = (t.var(1), t.num(8, i));
        t.store.ite(condition, object, rest)
    });
    let stranger = t.num(8, 55);
    let hit = t.store.eq(chain, stranger);
    t.fails(hit);
}

#[test]
fn truth_values_survive_a_round_trip() {
    let mut t = Bench::new();
    let (c, zero, one) = (t.var(1), t.num(32, 0), t.num(32, 1));
    let number = t.store.zext(c, 32);
    let (again, is_one) = (t.store.ne(number, zero), t.store.eq(number, one));
    t.is(again, c);
    t.is(is_one, c);
    let byte = t.store.extract(7, 0, number);
    let stored = t.store.zext(byte, 32);
    let again = t.store.slt(zero, stored);
    t.is(again, c);
}

#[test]
fn conditions_absorb() {
    let mut t = Bench::new();
    let (a, b) = (t.var(1), t.var(1));
    let (or, and) = (t.store.or(a, b), t.store.and(a, b));
    let absorbed = t.store.and(a, or);
    t.is(absorbed, a);
    let absorbed = t.store.or(a, and);
    t.is(absorbed, a);
    let not_a = t.store.not(a);
    let (none, all) = (t.store.and(not_a, and), t.store.or(a, not_a));
    t.fails(none);
    t.holds(all);
    let implied = t.store.implies(and, or);
    t.holds(implied);
}

#[test]
fn comparisons_of_one_term_combine() {
    let mut t = Bench::new();
    let x = t.var(32);
    let (five, ten) = (t.num(32, 5), t.num(32, 10));
    let (below_five, below_ten, is_five) = (t.store.ult(x, five), t.store.ult(x, ten), t.store.eq(x, five));
    let both = t.store.and(below_five, below_ten);
    t.is(both, below_five);
    let none = t.store.and(below_five, is_five);
    t.fails(none);
    let (at_least, at_most) = (t.store.ule(five, x), t.store.ule(x, five));
    let exactly = t.store.and(at_least, at_most);
    t.is(exactly, is_five);
    let (signed_below, signed_above) = (t.store.slt(x, five), t.store.slt(ten, x));
    let none = t.store.and(signed_below, signed_above);
    t.fails(none);
    let (not_negative, zero) = (t.store.sle(five, x), t.num(32, 0));
    let negative = t.store.slt(x, zero);
    let none = t.store.and(not_negative, negative);
    t.fails(none);
    let split = t.store.or(below_five, at_least);
    t.holds(split);
}

#[test]
fn equations_are_solved() {
    let mut t = Bench::new();
    let (x, y) = (t.var(32), t.var(32));
    let (three, six, two) = (t.num(32, 3), t.num(32, 6), t.num(32, 2));
    let tripled = t.store.mul(x, three);
    let (equal, solved) = (t.store.eq(tripled, six), t.store.eq(x, two));
    t.is(equal, solved);
    let doubled = t.store.mul(x, two);
    let odd = t.store.eq(doubled, three);
    t.fails(odd);
    let (difference, zero) = (t.store.sub(x, y), t.num(32, 0));
    let (vanishes, equal) = (t.store.eq(difference, zero), t.store.eq(x, y));
    t.is(vanishes, equal);
    let (left, right) = (t.store.sub(x, three), t.store.sub(y, three));
    let shifted = t.store.eq(left, right);
    t.is(shifted, equal);
}

#[test]
fn widening_and_narrowing_cancel() {
    let mut t = Bench::new();
    let (x, y) = (t.var(32), t.var(32));
    let (wide_x, wide_y) = (t.store.sext(x, 64), t.store.sext(y, 64));
    let wide_sum = t.store.add(wide_x, wide_y);
    let (narrow, sum) = (t.store.extract(31, 0, wide_sum), t.store.add(x, y));
    t.is(narrow, sum);
    let four = t.num(64, 4);
    let scaled = t.store.mul(wide_x, four);
    let narrow = t.store.extract(31, 0, scaled);
    let (four, is_product) = (t.num(32, 4), x);
    let product = t.store.mul(is_product, four);
    t.is(narrow, product);
    let (less, wide_less) = (t.store.slt(x, y), t.store.slt(wide_x, wide_y));
    t.is(wide_less, less);
}

#[test]
fn divisions_narrow() {
    let mut t = Bench::new();
    let (byte, ten) = (t.var(8), t.num(64, 10));
    let wide = t.store.zext(byte, 64);
    let quotient = t.store.udiv(wide, ten);
    let Term::Zext { arg, .. } = t.store.term(quotient) else { panic!("{:?}", t.store.term(quotient)) };
    assert!(t.store.width(arg) <= 8);
    let (x, eight) = (t.var(64), t.num(64, 8));
    let (quotient, three) = (t.store.udiv(x, eight), t.num(64, 3));
    let shifted = t.store.lshr(x, three);
    t.is(quotient, shifted);
}

/// Every comparison of `x · factor + offset` with every bound, for a short `x` in a wider word.
#[test]
fn moved_bounds_are_exact() {
    let (inner, width) = (3, 6);
    let comparisons = [Op::Ult, Op::Slt, Op::Ule, Op::Sle, Op::Eq];
    for (factor, offset) in (1..10).flat_map(|factor| [0, 1, 3, 7, 30, 57, 60, 63].map(|offset| (factor, offset))) {
        let mut store = TermStore::new();
        let x = store.variable("x", inner);
        let extended = [store.zext(x, width), store.sext(x, width)];
        let (factor, offset) = (store.number(width, factor), store.number(width, offset));
        for (bound, wide) in all_values(width).flat_map(|bound| extended.map(|wide| (bound, wide))) {
            let scaled = store.mul(wide, factor);
            let term = store.add(scaled, offset);
            let bound_term = store.constant(bound);
            for op in comparisons {
                let (left, right) = (op.build(&mut store, term, bound_term), op.build(&mut store, bound_term, term));
                for value in all_values(inner) {
                    let mut model = Model::new();
                    model.set(VarId(0), value);
                    let mut evaluator = Evaluator::new(model);
                    let number = evaluator.eval(&store, term);
                    assert_eq!(evaluator.eval(&store, left), op.value(number, bound), "{op:?} {number} {bound}");
                    assert_eq!(evaluator.eval(&store, right), op.value(bound, number), "{op:?} {bound} {number}");
                }
            }
        }
    }
}

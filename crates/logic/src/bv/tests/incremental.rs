//! Using one solver for many queries: assumptions, cores, models, guards, budgets, depth.

use std::time::{Duration, Instant};

use belay_base::{Budget, Exhausted};

use super::super::{Bits, BvSolver, SatResult, TermId, TermStore, VarId};

fn unlimited() -> Budget {
    Budget::unlimited()
}

#[test]
fn assumptions_hold_for_one_query() {
    let mut store = TermStore::new();
    let x = store.variable("x", 32);
    let (ten, twenty) = (store.number(32, 10), store.number(32, 20));
    let (below, above) = (store.ult(x, ten), store.ult(twenty, x));
    let mut solver = BvSolver::new();
    assert_eq!(solver.check(&store, &[below], &unlimited()), Ok(SatResult::Sat));
    assert!(solver.value(&store, x).unwrap().ult(Bits::new(32, 10)));
    assert_eq!(solver.check(&store, &[above], &unlimited()), Ok(SatResult::Sat));
    assert!(Bits::new(32, 20).ult(solver.value(&store, x).unwrap()));
    assert_eq!(solver.check(&store, &[below, above], &unlimited()), Ok(SatResult::Unsat));
    solver.assert(below);
    assert_eq!(solver.check(&store, &[above], &unlimited()), Ok(SatResult::Unsat));
    assert_eq!(solver.core(), [above]);
    assert_eq!(solver.check(&store, &[], &unlimited()), Ok(SatResult::Sat));
    assert_eq!(solver.core(), []);
}

#[test]
fn a_core_leaves_out_what_does_not_matter() {
    let mut store = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.variable(name, 16));
    let (x_below_y, y_below_z, z_below_x) = (store.slt(x, y), store.slt(y, z), store.slt(z, x));
    let seven = store.number(16, 7);
    let unrelated = store.variable("w", 16);
    let unrelated = store.eq(unrelated, seven);
    let assumptions = [x_below_y, unrelated, y_below_z, z_below_x];
    let mut solver = BvSolver::new();
    assert_eq!(solver.check(&store, &assumptions, &unlimited()), Ok(SatResult::Unsat));
    assert_eq!(solver.core(), [x_below_y, y_below_z, z_below_x]);
}

#[test]
fn constant_assumptions() {
    let mut store = TermStore::new();
    let (yes, no) = (store.boolean(true), store.boolean(false));
    let mut solver = BvSolver::new();
    assert_eq!(solver.check(&store, &[yes], &unlimited()), Ok(SatResult::Sat));
    assert_eq!(solver.check(&store, &[yes, no], &unlimited()), Ok(SatResult::Unsat));
    assert_eq!(solver.core(), [no]);
    assert_eq!(solver.check(&store, &[], &unlimited()), Ok(SatResult::Sat));
    solver.assert(no);
    assert_eq!(solver.check(&store, &[yes], &unlimited()), Ok(SatResult::Unsat));
    assert_eq!(solver.core(), []);
}

#[test]
fn a_guard_switches_an_assertion() {
    let mut store = TermStore::new();
    let (guard, x) = (store.variable("guard", 1), store.variable("x", 8));
    let (five, six) = (store.number(8, 5), store.number(8, 6));
    let (is_five, is_six) = (store.eq(x, five), store.eq(x, six));
    let mut solver = BvSolver::new();
    solver.assert_implied(guard, is_five);
    solver.assert(is_six);
    assert_eq!(solver.check(&store, &[guard], &unlimited()), Ok(SatResult::Unsat));
    assert_eq!(solver.core(), [guard]);
    assert_eq!(solver.check(&store, &[], &unlimited()), Ok(SatResult::Sat));
    assert_eq!(solver.value(&store, x), Some(Bits::new(8, 6)));
}

#[test]
fn a_model_values_terms_outside_the_query() {
    let mut store = TermStore::new();
    let (x, y) = (store.variable("x", 32), store.variable("y", 32));
    let (k, forty_two) = (store.number(32, 3), store.number(32, 42));
    let product = store.mul(x, k);
    let solved = store.eq(product, forty_two);
    let mut solver = BvSolver::new();
    solver.assert(solved);
    assert_eq!(solver.check(&store, &[], &unlimited()), Ok(SatResult::Sat));
    assert_eq!(solver.value(&store, x), Some(Bits::new(32, 14)));
    assert_eq!(solver.value(&store, y), Some(Bits::zero(32)));
    let sum = store.add(product, forty_two);
    assert_eq!(solver.value(&store, sum), Some(Bits::new(32, 84)));
    assert_eq!(solver.find_violated(&store), None);
}

#[test]
fn no_answer_without_a_query() {
    let mut store = TermStore::new();
    let x = store.variable("x", 8);
    let mut solver = BvSolver::new();
    assert_eq!(solver.value(&store, x), None);
    assert!(solver.model().is_none());
    assert_eq!(solver.core(), []);
}

/// `a · b = p` for a product of two primes, where `a` and `b` have half the bits: hard enough to
/// need search.
fn factoring(store: &mut TermStore, product: u128) -> TermId {
    let (a, b) = (store.variable("a", 40), store.variable("b", 40));
    let (a, b) = (store.zext(a, 80), store.zext(b, 80));
    let (left, right) = (store.mul(a, b), store.number(80, product));
    let one = store.number(80, 1);
    let conditions = [store.eq(left, right), store.ult(one, a), store.ult(one, b), store.ule(a, b)];
    store.and_all(conditions)
}

#[test]
fn steps_end_a_query_at_the_same_place() {
    let spent = |steps: u64| {
        let mut store = TermStore::new();
        let hard = factoring(&mut store, 999_999_000_001 * 1_000_000_000_039);
        let mut solver = BvSolver::new();
        solver.assert(hard);
        let budget = Budget::steps(steps);
        let answer = solver.check(&store, &[], &budget);
        (answer, budget.left(), solver.statistics())
    };
    let (answer, left, statistics) = spent(200);
    assert_eq!(answer, Err(Exhausted::Steps));
    assert!(left <= 1 && statistics.conflicts >= 198, "{left} left after {statistics:?}");
    assert_eq!(spent(200), (answer, left, statistics));
}

#[test]
fn a_deadline_interrupts_and_the_solver_goes_on() {
    let mut store = TermStore::new();
    let hard = factoring(&mut store, 999_999_000_001 * 1_000_000_000_039);
    let x = store.variable("x", 8);
    let seven = store.number(8, 7);
    let easy = store.eq(x, seven);
    let mut solver = BvSolver::new();
    let start = Instant::now();
    let budget = Budget::unlimited().until(start + Duration::from_millis(200));
    assert_eq!(solver.check(&store, &[hard], &budget), Err(Exhausted::Time));
    assert!(start.elapsed() < Duration::from_secs(10), "interrupted after {:?}", start.elapsed());
    assert_eq!(solver.value(&store, x), None);
    assert_eq!(solver.check(&store, &[easy], &unlimited()), Ok(SatResult::Sat));
    assert_eq!(solver.value(&store, x), Some(Bits::new(8, 7)));
}

#[test]
fn cancelling_stops_before_the_search() {
    let mut store = TermStore::new();
    let x = store.variable("x", 1);
    let budget = Budget::unlimited();
    budget.cancel();
    assert_eq!(BvSolver::new().check(&store, &[x], &budget), Err(Exhausted::Cancelled));
}

#[test]
#[should_panic(expected = "one store")]
fn terms_of_another_store_are_refused() {
    let (mut first, mut second) = (TermStore::new(), TermStore::new());
    let (x, y) = (first.variable("x", 1), second.variable("y", 1));
    let mut solver = BvSolver::new();
    let _ = solver.check(&first, &[x], &unlimited());
    let _ = solver.check(&second, &[y], &unlimited());
}

/// An unrolled loop: the value after 100,000 steps and the path to it, through every stage.
#[test]
fn very_deep_terms() {
    let mut store = TermStore::new();
    let inputs: Vec<TermId> = (0..7).map(|_| store.variable("input", 2)).collect();
    let mut sum = store.variable("start", 2);
    let mut path = store.boolean(true);
    for index in 0..100_000 {
        let grown = store.add(sum, inputs[index % 7]);
        let condition = store.ult(sum, inputs[index % 5]);
        path = store.and(path, condition);
        sum = store.ite(condition, grown, sum);
    }
    let (high, low) = (store.extract(1, 1, sum), store.extract(0, 0, sum));
    let swapped = store.concat(low, high);
    let start = store.variable_term(VarId(7));
    let goal = store.eq(swapped, start);
    let either = store.or(goal, path);
    let mut solver = BvSolver::new();
    solver.assert(either);
    assert_eq!(solver.check(&store, &[], &Budget::steps(10_000)), Ok(SatResult::Sat));
    assert!(super::super::smtlib::script(&store, &[either]).lines().count() > 300_000);
}

#[test]
fn statistics_count() {
    let mut store = TermStore::new();
    let (x, y) = (store.variable("x", 8), store.variable("y", 8));
    let less = store.ult(x, y);
    let mut solver = BvSolver::new();
    solver.assert(less);
    assert_eq!(solver.statistics().clauses, 0);
    for _ in 0..2 {
        assert_eq!(solver.check(&store, &[], &unlimited()), Ok(SatResult::Sat));
    }
    let statistics = solver.statistics();
    assert_eq!(statistics.queries, 2);
    assert!(statistics.variables > 16 && statistics.clauses > 24, "{statistics:?}");
}

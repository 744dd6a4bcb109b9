//! What a state says of elements is found in another one, whole or in part, and nothing else is.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use belay_base::Budget;
use belay_ir::IntegerModel;
use belay_linear::{LinExpr, Var};

use super::super::instance::instance;
use super::super::knowledge::{Certified, constant};
use super::super::segment::Content;
use super::super::state::{AllocId, Allocation, Cell, State, Value};
use super::ArrayRange;

const ARRAY: AllocId = AllocId::Made(0);

fn between(low: i128, high: i128) -> Content {
    Content::Between(Value::Int(constant(low)), Value::Int(constant(high)))
}

fn range(from: i128, to: i128, content: Content) -> ArrayRange {
    ArrayRange { alloc: ARRAY, from: constant(from), to: constant(to), step: 4, width: 4, content }
}

/// The only number of a state: between 1 and 8.
fn n() -> LinExpr {
    LinExpr::var(Var(0))
}

/// A block of 64 bytes, and ranges of it.
fn state(ranges: Vec<ArrayRange>) -> State {
    let mut state = State { next_alloc: 1, next_var: 1, ..State::default() };
    state.allocations.insert(ARRAY, Allocation::block(constant(64), false));
    state.at_least(n().minus(&constant(1)));
    state.at_least(constant(8).minus(&n()));
    state.given = vec![Value::Pointer(ARRAY, constant(0)), Value::Int(n())];
    state.ranges = ranges;
    state
}

fn elements(from: i128, to: i128, content: Content) -> State {
    state(vec![range(from, to, content)])
}

fn represents(general: &State, special: &State) -> bool {
    let budget = Budget::steps(1_000_000);
    instance(general, special, IntegerModel::Machine, &mut Certified::new(&budget)).unwrap().is_some()
}

#[test]
fn a_part_of_the_elements_is_found() {
    let special = elements(0, 32, between(1, 9));
    for (from, to) in [(0, 32), (0, 16), (8, 32), (8, 16), (16, 16)] {
        assert!(represents(&elements(from, to, between(1, 9)), &special), "{from}..{to}");
        assert!(represents(&elements(from, to, between(0, 10)), &special), "{from}..{to}");
    }
}

#[test]
fn more_than_the_elements_is_not_found() {
    let special = elements(8, 32, between(1, 9));
    for (from, to) in [(0, 32), (8, 36), (4, 12), (28, 36), (9, 17), (8, 30)] {
        assert!(!represents(&elements(from, to, between(1, 9)), &special), "{from}..{to}");
    }
    for (low, high) in [(2, 9), (1, 8), (9, 1)] {
        assert!(!represents(&elements(8, 32, between(low, high)), &special), "{low}..{high}");
    }
    let mut wider = elements(8, 32, between(1, 9));
    wider.ranges[0].step = 8;
    assert!(!represents(&wider, &special));
}

#[test]
fn elements_that_overlap_are_found_as_one() {
    let halves = || state(vec![range(0, 20, between(1, 9)), range(12, 32, between(2, 5))]);
    assert!(represents(&elements(0, 32, between(1, 9)), &halves()));
    assert!(!represents(&elements(0, 32, between(2, 5)), &halves()));
    let apart = state(vec![range(0, 12, between(1, 9)), range(16, 32, between(1, 9))]);
    assert!(!represents(&elements(0, 32, between(1, 9)), &apart));
}

#[test]
fn bounds_are_numbers_of_the_state() {
    let below = |most: LinExpr| Content::Between(Value::Int(constant(0)), Value::Int(most));
    let special = elements(0, 32, below(n().minus(&constant(1))));
    assert!(represents(&elements(0, 32, below(n())), &special));
    assert!(represents(&elements(0, 32, between(0, 7)), &special));
    assert!(!represents(&elements(0, 32, between(0, 6)), &special));
    assert!(!represents(&elements(0, 32, below(n().minus(&constant(2)))), &special));
}

#[test]
fn cells_and_zeros_are_elements() {
    let mut special = state(Vec::new());
    for (at, value) in [(0, 1), (4, 3)] {
        special.cells.push(Cell { alloc: ARRAY, offset: constant(at), width: 4, value: Value::Int(constant(value)) });
    }
    assert!(represents(&elements(0, 8, between(1, 3)), &special));
    assert!(!represents(&elements(0, 8, between(1, 2)), &special));
    assert!(!represents(&elements(0, 12, between(1, 3)), &special));
    special.allocations.get_mut(&ARRAY).unwrap().zeroed = true;
    assert!(represents(&elements(0, 12, between(0, 3)), &special));
    assert!(!represents(&elements(0, 12, between(1, 3)), &special));
    assert!(!represents(&elements(0, 68, between(0, 3)), &special));
}

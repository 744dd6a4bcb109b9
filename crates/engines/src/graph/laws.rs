//! The laws of generalisation, for families of concrete heaps that a loop would build: the join of two states represents both, and joining more and more of them stops.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use belay_base::Budget;
use belay_ir::{DataLayout, DataModel, IntegerModel, Program};
use belay_linear::LinExpr;
use belay_symbolic::{AllocId, Allocation, Cell, Certified, Names, State, Value, instance};

use super::merge::{WideningDelay, merge};
use super::thresholds::{Stops, Thresholds};

/// After so many joins nothing may change any more.
const MOST_JOINS: u32 = 12;

/// A heap that grows: so many blocks of 32 bytes, with what each holds at which offsets, and the pointers into it that the program has.
struct Family {
    name: &'static str,
    links: fn(u32, u32) -> Vec<(i64, Option<u32>)>,
    held: fn(u32) -> Vec<Option<u32>>,
}

fn next(at: u32, count: u32) -> Option<u32> {
    (at + 1 < count).then_some(at + 1)
}

fn child(at: u32, which: u32, count: u32) -> Option<u32> {
    Some(2 * at + which).filter(|child| *child < count)
}

fn first(count: u32) -> Option<u32> {
    (count > 0).then_some(0)
}

const FAMILIES: [Family; 4] = [
    Family { name: "list", links: |at, count| vec![(8, next(at, count))], held: |count| vec![first(count)] },
    Family {
        name: "list with its end",
        links: |at, count| vec![(8, next(at, count))],
        held: |count| vec![first(count), count.checked_sub(1)],
    },
    Family {
        name: "list both ways",
        links: |at, count| vec![(8, next(at, count)), (16, at.checked_sub(1))],
        held: |count| vec![first(count)],
    },
    Family {
        name: "tree",
        links: |at, count| vec![(8, child(at, 1, count)), (16, child(at, 2, count))],
        held: |count| vec![first(count)],
    },
];

fn place(block: Option<u32>) -> Value {
    block.map_or(Value::Null, |number| Value::Pointer(AllocId::Made(number), LinExpr::constant(0)))
}

impl Family {
    fn state(&self, count: u32) -> State {
        let mut state = State { next_alloc: count, ..State::default() };
        for at in 0..count {
            let alloc = AllocId::Made(at);
            state.allocations.insert(alloc, Allocation::block(LinExpr::constant(32), false));
            let cell = |offset: i64, width, value| Cell { alloc, offset: LinExpr::constant(offset), width, value };
            state.cells.push(cell(0, 4, Value::Int(LinExpr::constant(i64::from(at % 3)))));
            state.cells.extend((self.links)(at, count).into_iter().map(|(offset, to)| cell(offset, 8, place(to))));
        }
        state.given = (self.held)(count).into_iter().map(place).collect();
        state
    }
}

fn program() -> Program {
    Program::new(DataLayout::new(DataModel::default()))
}

fn represents(general: &State, special: &State) -> bool {
    let budget = Budget::steps(10_000_000);
    instance(general, special, IntegerModel::Machine, &mut Certified::new(&budget)).unwrap().is_some()
}

fn join(old: (&State, &WideningDelay), new: &State) -> (State, WideningDelay) {
    let (none, budget) = (Thresholds::default(), Budget::steps(10_000_000));
    let stops = Stops { all: &none, own: &none };
    merge(&program(), IntegerModel::Machine, old, new, stops, &budget).unwrap()
}

#[test]
fn the_join_is_an_upper_bound() {
    for family in &FAMILIES {
        for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
            let (left, right) = (family.state(a), family.state(b));
            let (joined, _) = join((&left, &WideningDelay::default()), &right);
            for special in [&left, &right] {
                assert!(represents(&joined, special), "{}: {a} and {b}\n{joined:#?}", family.name);
            }
        }
    }
}

/// What is represented needs no join, as in a loop; what stands in the end represents heaps of any size that were never seen.
#[test]
fn joining_more_and_more_stops() {
    for family in &FAMILIES {
        let (mut state, mut age, mut joins) = (family.state(0), WideningDelay::default(), 0);
        for count in 1..24 {
            let new = family.state(count);
            if !represents(&state, &new) {
                (state, age) = join((&state, &age), &new);
                joins += 1;
            }
            assert!(represents(&state, &new), "{}: {count}\n{state:#?}", family.name);
        }
        assert!(joins <= MOST_JOINS, "{}: {joins} joins", family.name);
        assert!(represents(&state, &family.state(40)), "{}\n{state:#?}", family.name);
    }
}

#[test]
fn what_was_folded_is_told_in_words() {
    for family in &FAMILIES {
        let (joined, _) = join((&family.state(0), &WideningDelay::default()), &family.state(4));
        let program = program();
        let told = Names::new(&program, IntegerModel::Machine, &joined).objects();
        assert_eq!(told.len(), joined.allocations.len() + joined.segments.len(), "{}", family.name);
        assert!(!joined.segments.is_empty(), "{}: nothing was folded\n{joined:#?}", family.name);
    }
}

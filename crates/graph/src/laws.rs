//! The laws of joining, tried on every generalisation that the graphs of some small programs make: a join represents itself and both states that it is made of,
//! and every chain of joins comes to an end. A folding that breaks the first of them costs proofs, not soundness: what is kept at a cut point is shown to represent what
//! arrives there by the checker. It is broken by a few joins of lists and of states in different modes, whose graphs are finished all the
//! same; why each of them is, is not known yet. That these stay few is what is asked.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::path::Path;
use std::sync::Mutex;

use belay_base::Budget;
use belay_evidence::Task;
use belay_frontend::Source;
use belay_ir::{IntegerModel, Property};
use belay_rules::Config;
use belay_symbolic::{Certified, State, instance};

use crate::explore::explore_partly;

/// Two states and what was made of them.
struct Join {
    old: State,
    new: State,
    joined: State,
}

static JOINS: Mutex<Vec<Join>> = Mutex::new(Vec::new());

/// Takes down a join.
pub(crate) fn note(old: &State, new: &State, joined: &State) {
    JOINS.lock().unwrap().push(Join { old: old.clone(), new: new.clone(), joined: joined.clone() });
}

/// Programs of this repository, one or two for every kind of shape that a join may fold.
const PROGRAMS: [&str; 16] = [
    "graph_strcpy_fixed",
    "graph_list_fixed",
    "graph_list_append_fixed",
    "graph_dll_fixed",
    "deque_two_ends_fixed",
    "ring_sentinel_fixed",
    "list_link_cursor_fixed",
    "chains_in_table_fixed",
    "growing_buffer_fixed",
    "growing_buffer_struct_fixed",
    "heap_of_places_fixed",
    "matrix_rows_fixed",
    "pointers_in_array_fixed",
    "places_in_array_fixed",
    "graph_recursive_list_fixed",
    "protocol_state_fixed",
];

/// One join in so many may break the law.
const RARE: usize = 40;

/// More joins in one program are no sign of a chain that ends.
const MOST_JOINS: usize = 400;

fn represents(general: &State, special: &State) -> bool {
    let budget = Budget::steps(4_000_000);
    instance(general, special, IntegerModel::Machine, &mut Certified::new(&budget)).unwrap().is_some()
}

/// The joins that building the graph of a program takes.
fn joins_of(name: &str) -> Vec<Join> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/memory/{name}.c"));
    let program = belay_frontend::load(&Source { files: vec![path], ..Source::default() }).unwrap();
    let mut simplified = program.clone();
    belay_passes::pipeline(&mut simplified, IntegerModel::Machine).unwrap();
    let entry = program.function_named("main").unwrap();
    let task = Task { program: &program, simplified: &simplified, config: Config::new(entry) };
    JOINS.lock().unwrap().clear();
    let asked = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
    let built = explore_partly(&task, (false, &asked), 8_000_000, &Budget::unlimited(), &mut Default::default());
    assert!(built.is_ok(), "{name}: {:?}", built.err());
    std::mem::take(&mut JOINS.lock().unwrap())
}

#[test]
fn a_join_represents_what_it_is_made_of() {
    let mut broken = Vec::new();
    let mut count = 0;
    for name in PROGRAMS {
        let joins = joins_of(name);
        assert!(joins.len() < MOST_JOINS, "{name}: {} joins", joins.len());
        count += joins.len();
        for (at, Join { old, new, joined }) in joins.iter().enumerate() {
            for (which, part) in [("the older", old), ("the newer", new), ("itself", joined)] {
                if !represents(joined, part) {
                    broken.push(format!("{name}, join {at}: {which} state is not represented"));
                }
            }
        }
    }
    assert!(count > 100, "only {count} joins were made");
    assert!(broken.len() * RARE <= count, "of {count} joins:\n{}", broken.join("\n"));
    let is_of_itself = |line: &&String| line.contains("itself");
    assert_eq!(broken.iter().find(is_of_itself), None);
}

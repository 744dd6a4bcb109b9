//! How many questions each solver was asked, and how long the answers took, for `--stats`. Counted over all threads; a question that a solver
//! asks itself on the way to an answer is part of that answer.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// Linear constraints: satisfiable or not.
    Simplex,
    /// Linear constraints: the least or greatest value of an expression.
    Optimum,
    /// Bit-vectors, by SAT.
    Sat,
    /// Z3 over its pipe.
    Smt,
}

impl Layer {
    /// All.
    pub const ALL: [Layer; 4] = [Layer::Simplex, Layer::Optimum, Layer::Sat, Layer::Smt];

    /// The name that people see.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Simplex => "simplex",
            Layer::Optimum => "linear optimum",
            Layer::Sat => "sat",
            Layer::Smt => "z3",
        }
    }
}

/// The questions put to one solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryCount {
    /// The solver.
    pub layer: Layer,
    /// How many.
    pub count: u64,
    /// How long the answers took together.
    pub time: Duration,
}

/// How many questions, and how many nanoseconds.
struct Count {
    number: AtomicU64,
    nanoseconds: AtomicU64,
}

static COUNTS: [Count; Layer::ALL.len()] =
    [const { Count { number: AtomicU64::new(0), nanoseconds: AtomicU64::new(0) } }; Layer::ALL.len()];

thread_local! {
    /// How many questions this thread is answering within each other.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// A question that is being answered; it is counted when this is dropped.
pub struct Question {
    layer: Layer,
    began: Instant,
}

/// Begins to answer a question.
pub fn begin(layer: Layer) -> Question {
    DEPTH.set(DEPTH.get() + 1);
    Question { layer, began: Instant::now() }
}

impl Drop for Question {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if DEPTH.get() == 0 {
            let count = &COUNTS[self.layer as usize];
            count.number.fetch_add(1, Ordering::Relaxed);
            count.nanoseconds.fetch_add(self.began.elapsed().as_nanos() as u64, Ordering::Relaxed);
        }
    }
}

/// What was asked so far, by solver; solvers that were not asked are left out.
pub fn count_queries() -> Vec<QueryCount> {
    let all = Layer::ALL.into_iter().map(|layer| {
        let Count { number, nanoseconds } = &COUNTS[layer as usize];
        let time = Duration::from_nanos(nanoseconds.load(Ordering::Relaxed));
        QueryCount { layer, count: number.load(Ordering::Relaxed), time }
    });
    all.filter(|asked| asked.count > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_within_a_question_counts_once() {
        let before = count_queries().len();
        assert_eq!(before, 0);
        {
            let _outer = begin(Layer::Optimum);
            drop(begin(Layer::Simplex));
        }
        drop(begin(Layer::Simplex));
        let counts: Vec<(Layer, u64)> = count_queries().iter().map(|asked| (asked.layer, asked.count)).collect();
        assert_eq!(counts, [(Layer::Simplex, 1), (Layer::Optimum, 1)]);
    }
}

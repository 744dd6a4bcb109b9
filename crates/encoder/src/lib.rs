//! The bit-precise encoder: what a program does within a bound, as terms over bit-vectors.
//!
//! **Idea.** The program is executed symbolically, with loops unrolled and calls inlined up to a bound, and with states merged where
//! control flow joins, so that the work is proportional to the unrolled program and not to its paths. Each execution of
//! an obligation gives a condition under which it is violated; each cut-off loop or call gives a condition under which a run
//! goes beyond the bound. Engines ask a solver about those conditions.
//!
//! **Source.** Merz, Sinz and Falke's memory model for bounded model checking of LLVM (section II-C: execution conditions, phi as
//! if-then-else; section III: the memory modification graph; Fig. 4: valid access, valid free, leaks; section IV-B: origins
//! of pointers). **Differences**: memory is split by object and pointers carry their objects ([`value`]), so that blocks never
//! overlap by construction and no array theory is left; writes at known places are kept as values ([`content`]); lives,
//! bounds and what ends a run are those of SOUNDNESS.md; conditions of joins are kept relative to where the paths
//! parted ([`guard`]).
//!
//! **Soundness.** Every run of the program that stays within the bound corresponds to an assignment of the variables under
//! which the guards along its path hold and every term has the value that the run computed. By induction over the order of
//! execution: each instruction's encoding has, for such an assignment, either the run's value, or (where the encoder leaves a
//! value open) a variable that can take it. What the encoder can't express ends the path and leaves a condition in
//! [`Unrolling::unknowns`]; so if violations, cut-offs and unknowns are all unsatisfiable, no run violates anything.
//! In the other direction a model need not be a run: [`Unrolling::imprecise`] says where, and models are replayed.
//!
//! **Where it gives up.** Irreducible loops, `sprintf`, remainders of floats (left open), addresses as numbers
//! (left open but for alignment), pointers with more than [`value::MAX_CASES`] targets.

pub mod access;
pub mod address;
pub mod arrival;
pub mod builtin;
pub mod call;
pub mod content;
pub mod cut;
pub mod descent;
mod digits;
pub mod element;
pub mod entry;
mod execution;
pub mod float;
pub mod flow;
pub mod for_all;
pub mod function_flow;
pub mod guard;
pub mod havoc;
pub mod heap;
pub mod instruction;
pub mod lasso;
pub mod leak;
mod local;
pub mod object;
pub mod output;
mod prefix_sum;
pub mod read;
mod ready;
pub mod recursion;
pub mod scalar;
pub mod start;
pub mod state;
mod store;
pub mod trie;
pub mod unrolling;
pub mod value;
mod variadic;

use belay_base::{Budget, Exhausted};
use belay_invariants::Cutting;
use belay_ir::{Program, Property};
use belay_rules::Config;

use execution::Execution;
pub use store::Store;
pub use unrolling::{Bounds, Goal, RunQuestion, Unrolling, UnwindPlace};

/// Why an unrolling was not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The budget.
    Exhausted(Exhausted),
    /// More terms than memory is meant for.
    TooLarge,
}

impl From<Exhausted> for Stop {
    fn from(why: Exhausted) -> Self {
        Stop::Exhausted(why)
    }
}

/// The result of a step that the budget may end.
pub type Res<T> = Result<T, Stop>;

/// Encodes one program, bound after bound, with one store of terms.
#[derive(Debug)]
pub struct Encoder<'p> {
    /// What lasts from one unrolling to the next.
    pub store: Store<'p>,
    /// The properties asked for: what the others would need at the end of a run is left out.
    pub wanted: Vec<Property>,
    /// What is looked at whenever a cut head is reached again, where that matters.
    pub observed: Option<descent::Observed>,
    /// Whether states that come back to loop heads are compared with earlier ones.
    pub lassos: bool,
}

impl<'p> Encoder<'p> {
    /// An encoder of `program`, which starts as `config` says.
    pub fn new(program: &'p Program, config: Config) -> Self {
        let store = Store::new(program, config);
        Self { store, wanted: Property::ALL.to_vec(), observed: None, lassos: false }
    }

    /// Executes the program within `bounds`.
    pub fn unroll(&mut self, bounds: &Bounds, budget: &Budget) -> Res<Unrolling> {
        Execution::new(self, bounds, None, budget).unroll(budget)
    }

    /// Executes the program within `bounds`, with loops cut. What is required of the variables is required of this execution alone: so the encoder is
    /// used up, and what is left is a store to be asked.
    pub fn unroll_cut(mut self, bounds: &Bounds, cutting: Cutting, budget: &Budget) -> Res<(Store<'p>, Unrolling)> {
        let unrolling = Execution::new(&mut self, bounds, Some(&cutting), budget).unroll(budget)?;
        if !unrolling.addresses_matter {
            return Ok((self.store, unrolling));
        }
        // An address may have been looked at in an earlier round than the code that comes before it.
        self.store = Store::new(self.store.program, self.store.config);
        let mut again = Execution::new(&mut self, bounds, Some(&cutting), budget);
        again.addresses_matter = true;
        let unrolling = again.unroll(budget)?;
        Ok((self.store, unrolling))
    }
}

//! Measures of the states at the heads of cut loops, which say that a loop ends.
//!
//! **Idea.** A *measure* is a number made of the state at a head. If from each round to the one that is `stride` rounds later the first of a list of
//! rankings that changes gets smaller, the loop ends: rankings take finitely many values, so that the lexicographic order on them has no
//! endless descent. Nothing has to bound a measure from below; but it must be computed in as many bits as it needs, or `-x` would
//! get smaller for ever in `signed char x; while (1) x++;`.
//!
//! **Source.** Kroening, Malík, Schrammel and Vojnar, *2LS for program analysis*, sections 6.1.3 and 6.2 (lexicographic ranking functions over bit-vectors,
//! widened templates); Kroening et al., *Loop summarization using state and transition invariants*, Table 5, rows 1 to 4 (variables, sums, greatest and
//! least ones; they are strict orders and so need neither well-foundedness nor compositionality checks). **Differences**: the distance from one variable to
//! another the way round that wrapping arithmetic goes is a measure too.
//!
//! **Soundness.** An endless run has an activation of a loop with endlessly many rounds, or endlessly many nested activations of one
//! function; for neither loops nor recursion are followed beyond their bounds but where they are cut ([`super::cut`]). Let `s0, s1, …` be the states at
//! that head. By the correspondence of `super::cut` there is for each `n` an assignment under which the head of the first copy holds
//! `sn`, the copies follow the run, and the last of them arrives with `s(n+k)`. Such an arrival is a [`Round`]: it holds what the
//! observed variables are at the first head and `stride <= k` rounds later; or, of instructions inside the loop, what they gave in the round that begins there
//! and in the one that begins `stride` rounds later (`stride < k` then). What the run leaves open (the offset of an undefined pointer) can be chosen the
//! same in the round that comes `stride` later, so that the values of a measure along `n, n + stride, …` are one sequence. An invalid access
//! ends a run; so does a violated assertion.
//!
//! Of a recursive function the states are the arguments, and a round leads from an activation to the next further call below it.

use std::collections::BTreeMap;
use std::rc::Rc;

use belay_logic::bv::{TermId, TermStore};

use super::execution::Execution;
use super::state::State;
use super::value::Value;
use belay_invariants::{Atom, CutPlace, RankingFunction, Variable};

/// What is looked at whenever a head is reached again.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Observed {
    /// How many rounds lie between the states that are compared: at least 1, at most the number of copies.
    pub stride: u32,
    /// The variables, by loop or recursive function.
    pub atoms: BTreeMap<CutPlace, Vec<Atom>>,
}

/// A way from a head to itself.
#[derive(Clone, Debug)]
pub struct Round {
    /// The loop.
    pub place: CutPlace,
    /// When it is gone.
    pub arrives: TermId,
    /// The observed variables at its beginning.
    pub before: Vec<Option<TermId>>,
    /// The same after `stride` rounds.
    pub after: Vec<Option<TermId>>,
}

impl Round {
    /// A measure before and after.
    pub fn values(&self, terms: &mut TermStore, atoms: &[Atom], measure: &RankingFunction) -> Option<(TermId, TermId)> {
        let find = |values: &[Option<TermId>], atom: &Atom| {
            let at = atoms.iter().position(|known| known == atom)?;
            values.get(at).copied().flatten()
        };
        let before = measure.term(terms, |atom| find(&self.before, atom))?;
        let after = measure.term(terms, |atom| find(&self.after, atom))?;
        Some((before, after))
    }

    /// When the round is gone and the rankings do not descend.
    pub fn fails(&self, terms: &mut TermStore, atoms: &[Atom], rankings: &[RankingFunction]) -> TermId {
        let mut descends = terms.boolean(false);
        // From the last to the first: smaller, or the same and what comes later descends.
        for measure in rankings.iter().rev() {
            let Some((before, after)) = self.values(terms, atoms, measure) else { return self.arrives };
            let less = terms.slt(after, before);
            let same = terms.eq(after, before);
            let later = terms.and(same, descends);
            descends = terms.or(less, later);
        }
        let stays = terms.not(descends);
        terms.and(self.arrives, stays)
    }
}

impl Execution<'_, '_> {
    fn collect_observed(&self, place: &CutPlace) -> Vec<Atom> {
        self.observed.as_ref().and_then(|observed| observed.atoms.get(place).cloned()).unwrap_or_default()
    }

    /// The variables that are looked at, in a state of a loop.
    pub(super) fn observe(&mut self, place: &CutPlace, state: &State) -> Vec<Option<TermId>> {
        self.collect_observed(place).iter().map(|atom| self.atom(state, atom)).collect()
    }

    /// What instructions gave in the round that ends with a state, among the variables that are looked at. An instruction of a block that
    /// every round executes once has the value of this round, whatever was joined since.
    pub(super) fn observe_round(&mut self, place: &CutPlace, state: &State, values: &mut [Option<TermId>]) {
        let shape = self.store.flows.of(place.function);
        let function = &self.store.program.functions[place.function];
        for (atom, value) in self.collect_observed(place).iter().zip(values) {
            let Variable::Last(inst) = atom.variable else { continue };
            let block = function.placed_insts().find(|(_, placed)| *placed == inst).map(|(block, _)| block);
            let executed = block.is_some_and(|block| shape.is_in_each_round(place.head, block));
            *value = match state.registers.get(inst.0) {
                Some(Value::Bits(bits)) if executed && self.store.terms.width(bits) <= 64 => Some(bits),
                Some(Value::Bits(_) | Value::Ptr(_) | Value::Addr(_)) | None => None,
            };
        }
    }

    /// The same of the arguments of a call.
    pub(super) fn observe_call(&mut self, place: &CutPlace, state: &State, args: &Rc<[Value]>) -> Vec<Option<TermId>> {
        self.call_values = Some((Rc::clone(args), None));
        let values = self.observe(place, state);
        self.call_values = None;
        values
    }

    /// Notes a way from a head to itself, unless it is not asked about.
    pub(super) fn note_round(
        &mut self,
        place: &CutPlace,
        masked: TermId,
        before: Vec<Option<TermId>>,
        after: Vec<Option<TermId>>,
    ) {
        let asked = self.store.terms.not(masked);
        let arrives = self.store.terms.and(self.here, asked);
        if !self.store.terms.is_false(arrives) {
            self.out.rounds.push(Round { place: place.clone(), arrives, before, after });
        }
    }
}

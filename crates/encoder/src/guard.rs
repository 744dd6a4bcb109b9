//! Path conditions.
//!
//! A guard is a conjunction, kept as a list of conjuncts that grows at branches and shares its beginning with the guards it
//! came from. At a join of `P ∧ A` and `P ∧ B` the shared beginning `P` is found by the lists, so that the joined guard is
//! `P ∧ (A ∨ B)` and a value that differs is chosen by `A` alone: after an `if` without `assume` or failing check, `A ∨ B` is true
//! and the guard is what it was before. Sound because in the joined state `P ∧ A` and `P ∧ B` exclude each other:
//! they are different ways through a deterministic program.

use belay_logic::bv::{TermId, TermStore};
use rustc_hash::FxHashMap;

/// A path condition of one [`Guards`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GuardId(u32);

#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: GuardId,
    literal: TermId,
    depth: u32,
    term: TermId,
}

/// How far up a guard is searched for a conjunct that is there already.
const SEARCHED: usize = 24;

/// All guards of an unrolling.
#[derive(Debug)]
pub struct Guards {
    entries: Vec<Entry>,
    known: FxHashMap<(GuardId, TermId), GuardId>,
}

/// What joining two guards gives.
#[derive(Clone, Copy, Debug)]
pub struct Joined {
    /// The condition of the joined state.
    pub guard: GuardId,
    /// True in the joined state exactly if the first guard holds.
    pub first: TermId,
}

impl Guards {
    /// The guard that always holds.
    pub const TRUE: GuardId = GuardId(0);

    /// Only [`Guards::TRUE`].
    pub fn new(terms: &mut TermStore) -> Self {
        let yes = terms.boolean(true);
        let root = Entry { parent: Self::TRUE, literal: yes, depth: 0, term: yes };
        Self { entries: vec![root], known: FxHashMap::default() }
    }

    /// The guard as one term.
    pub fn term(&self, guard: GuardId) -> TermId {
        self.entries[guard.0 as usize].term
    }

    fn entry(&self, guard: GuardId) -> Entry {
        self.entries[guard.0 as usize]
    }

    /// The guard with one more conjunct.
    pub fn and(&mut self, terms: &mut TermStore, guard: GuardId, literal: TermId) -> GuardId {
        if terms.is_true(literal) {
            return guard;
        }
        if let Some(known) = self.known.get(&(guard, literal)) {
            return *known;
        }
        let negation = terms.not(literal);
        let mut literal = literal;
        for above in self.ancestors(guard).take(SEARCHED) {
            if above == literal {
                return guard;
            }
            if above == negation {
                literal = terms.boolean(false);
                break;
            }
        }
        let before = self.entry(guard);
        let term = terms.and(before.term, literal);
        let id = GuardId(self.entries.len() as u32);
        self.entries.push(Entry { parent: guard, literal, depth: before.depth + 1, term });
        self.known.insert((guard, literal), id);
        id
    }

    fn ancestors(&self, guard: GuardId) -> impl Iterator<Item = TermId> + '_ {
        let mut at = guard;
        std::iter::from_fn(move || {
            if at == Self::TRUE {
                return None;
            }
            let entry = self.entry(at);
            at = entry.parent;
            Some(entry.literal)
        })
    }

    /// The condition under which one of two excluding guards holds.
    pub fn join(&mut self, terms: &mut TermStore, a: GuardId, b: GuardId) -> Joined {
        let (mut x, mut y) = (a, b);
        let (mut above_x, mut above_y) = (Vec::new(), Vec::new());
        while x != y {
            if self.entry(x).depth >= self.entry(y).depth {
                above_x.push(self.entry(x).literal);
                x = self.entry(x).parent;
            } else {
                above_y.push(self.entry(y).literal);
                y = self.entry(y).parent;
            }
        }
        let first = terms.and_all(above_x.into_iter().rev());
        let second = terms.and_all(above_y.into_iter().rev());
        let either = terms.or(first, second);
        Joined { guard: self.and(terms, x, either), first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diamond_gives_back_its_beginning() {
        let mut terms = TermStore::new();
        let mut guards = Guards::new(&mut terms);
        let (p, c) = (terms.variable("p", 1), terms.variable("c", 1));
        let before = guards.and(&mut terms, Guards::TRUE, p);
        let not_c = terms.not(c);
        let (a, b) = (guards.and(&mut terms, before, c), guards.and(&mut terms, before, not_c));
        let joined = guards.join(&mut terms, a, b);
        assert_eq!((joined.guard, joined.first), (before, c));
        let never = guards.and(&mut terms, a, not_c);
        assert!(terms.is_false(guards.term(never)));
    }
}

//! States and their joins.

use belay_ir::InstId;
use belay_logic::bv::TermId;

use super::content::VersionId;
use super::execution::Execution;
use super::guard::GuardId;
use super::object::ObjectId;
use super::trie::Trie;
use super::value::Value;

/// An object as a state sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Living {
    /// What it holds.
    pub version: VersionId,
    /// Whether it is alive.
    pub alive: TermId,
}

/// The objects of a state. One that is not listed is dead, or static and as it was at the start.
pub type Memory = Trie<Living>;

/// A state in one activation.
#[derive(Clone, Debug)]
pub struct State {
    /// When the run is here.
    pub guard: GuardId,
    /// The values of the activation's instructions.
    pub registers: Trie<Value>,
    /// The objects.
    pub memory: Memory,
}

impl Execution<'_, '_> {
    /// The join of two states of one activation, where `carried` lists the values that are still needed.
    pub(super) fn join_states(&mut self, a: State, b: State, carried: &[InstId]) -> State {
        if self.is_dead(&a) {
            return b;
        }
        if self.is_dead(&b) {
            return a;
        }
        let joined = self.guards.join(&mut self.store.terms, a.guard, b.guard);
        self.here = self.guards.term(joined.guard);
        let mut registers = a.registers.clone();
        if !a.registers.is_same(&b.registers) {
            for inst in carried {
                match (a.registers.get(inst.0), b.registers.get(inst.0)) {
                    (Some(x), Some(y)) if x != y => registers.set(inst.0, self.select(joined.first, x, y)),
                    (None, Some(y)) => registers.set(inst.0, y),
                    (Some(_), _) | (None, None) => {}
                }
            }
        }
        let memory = self.join_memories(joined.first, a.memory, &b.memory);
        State { guard: joined.guard, registers, memory }
    }

    fn join_memories(&mut self, first: TermId, a: Memory, b: &Memory) -> Memory {
        let mut memory = a.clone();
        let no = self.store.terms.boolean(false);
        for (key, x, y) in a.differences(b) {
            let object = ObjectId(key);
            let is_static = self.store.is_static(object);
            let absent = |encoder: &mut Self, other: Living| match is_static {
                true => encoder.initial(object),
                false => Living { version: other.version, alive: no },
            };
            let (x, y) = match (x, y) {
                (Some(x), Some(y)) => (x, y),
                (Some(x), None) => (x, absent(self, x)),
                (None, Some(y)) => (absent(self, y), y),
                (None, None) => continue,
            };
            let limit = self.store.greatest_size(object);
            let version = self.joined(first, x.version, y.version, limit);
            let alive = self.store.terms.ite(first, x.alive, y.alive);
            memory.set(key, Living { version, alive });
        }
        memory
    }
}

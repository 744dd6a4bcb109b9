//! Trees of the general state as blocks and segments of the special one.
//!
//! All links are followed from the place where the tree starts. The tree is found if they lead to blocks and segments of its form that nothing else uses, each reached
//! once, and beside null only to what its target is in the special state, just once. There is no choice: where the target is not
//! known yet the tree is not found.

use belay_base::Exhausted;
use belay_linear::LinExpr;

use super::super::knowledge::Entailment;
use super::super::segment::OwnList;
use super::super::state::{AllocId, Value};
use super::super::tree::Grown;
use super::zeros::nulled;
use super::{Matcher, Pairing, Sought};

impl Matcher<'_> {
    /// Finds a tree from its start.
    pub(in super::super) fn tree(
        &mut self,
        Sought { list, segment, start, todo }: &Sought<'_>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        let Some(target) = self.image(&segment.target).map(|target| nulled(&target)) else { return Ok(None) };
        let stops = |place: &Value| *place == target;
        let Some(grown) = self.special.grown(start, &segment.node, segment.back(), &stops) else { return Ok(None) };
        let Grown { nodes, exits, ends } = grown;
        let filled = match exits.as_slice() {
            [] => target == Value::Null,
            [only] => *only == target,
            [_, _, ..] => false,
        };
        if !filled || nodes.iter().any(|id| self.is_used(*id)) {
            return Ok(None);
        }
        let length = nodes.iter().fold(LinExpr::default(), |sum, id| sum.plus(&self.special.count_of(*id)));
        self.use_all(&nodes);
        self.pairing.firsts.extend(nodes.first().map(|first| (*list, *first)));
        self.equations.push((segment.length.clone(), length));
        let found = self.tail(segment, nodes.is_empty(), Some(ends)) && self.fields(&segment.fields, &nodes, oracle)?;
        if !found || !self.bound(oracle)? {
            return Ok(None);
        }
        self.cells(todo.to_vec(), tries, oracle)
    }

    /// True if a whole tree starts here that has no block that is used otherwise.
    pub(crate) fn own_tree(
        &mut self,
        tree: &OwnList,
        start: &Value,
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        let Some(Grown { nodes, exits, .. }) = self.special.grown(start, &tree.node, None, &|_| false) else {
            return Ok(false);
        };
        if !exits.is_empty() || nodes.iter().any(|id| self.is_used(*id)) {
            return Ok(false);
        }
        self.use_all(&nodes);
        self.fields(&tree.fields, &nodes, oracle)
    }

    fn is_used(&self, id: AllocId) -> bool {
        self.pairing.used.contains(&id) || self.taken.contains(&id)
    }

    fn use_all(&mut self, nodes: &[AllocId]) {
        let ends: Vec<AllocId> = nodes.iter().filter_map(|id| self.special.other_end(*id)).collect();
        self.pairing.used.extend(nodes.iter().copied().chain(ends));
    }
}

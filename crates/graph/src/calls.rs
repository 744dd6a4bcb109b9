//! Calls of recursive functions that know of more elements of an array than the state at the entry speaks of.
//!
//! What an activation is told of an array comes back with its exit; of the rest the caller knows nothing afterwards (see the crate `symbolic`, `recursion`). `sort(d, n)`, first called
//! with all `n` elements, says at its entry that there are `n`; and so `sort(d, k)`, a part of them, is represented, and what stands behind the `k`th is lost. With both in mind the entry
//! says that there are at least `n`.

use belay_linear::LinExpr;
use belay_symbolic::{AllocId, ArrayRange, Pairing, State, owns};

/// True if a call that is represented at an entry knows of elements, before or behind those that the entry speaks of, which it says nothing of.
pub(super) fn keeps_elements_back(entry: &State, call: &State, pairing: &Pairing) -> bool {
    let shared = |range: &&ArrayRange| !owns(&range.content);
    entry.ranges.iter().filter(shared).any(|range| {
        let id = match range.alloc {
            id @ AllocId::Global(_) => Some(id),
            id @ AllocId::Made(_) => pairing.allocs.get(&id).copied(),
        };
        let ends = (seen_as(&range.from, pairing), seen_as(&range.to, pairing));
        let (Some(id), (Some(from), Some(to))) = (id, ends) else { return false };
        let alike = |own: &&ArrayRange| own.alloc == id && own.step == range.step && own.width == range.width;
        let mut beside = call.ranges.iter().filter(shared).filter(alike);
        beside.any(|own| own.residue(&from) == Some(0) && (own.to != to || own.from != from) && own.to != own.from)
    })
}

/// What a number of the general state is in the special one.
fn seen_as(expr: &LinExpr, pairing: &Pairing) -> Option<LinExpr> {
    let mut sum = LinExpr::constant(expr.offset().clone());
    for (var, factor) in expr.terms() {
        sum = sum.add_scaled(factor, pairing.image.get(var.index())?.as_ref()?);
    }
    Some(sum)
}

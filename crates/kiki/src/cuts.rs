//! Which loops are cut, and what they change: found by executing and looking where the state that comes back differs.
//!
//! A loop is cut if a run may go on in it beyond the bound. Its cut first lists nothing; what arrives at the head and does not fit
//! is added, until all fits or something changes that no cut describes, and then the loop is unrolled as before. Each
//! step adds to finitely many registers, cells and objects, so that this ends.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{Budget, Span};
use belay_encoder::{Bounds, Stop};
use belay_invariants::{CutPlace, Cutting, FrameViolation};

use super::Engine;
use belay_evidence::{GaveUp, Why};

/// Executions of the program at most.
const MAX_ROUNDS: u32 = 60;

impl Engine<'_> {
    /// Cuts what must be cut; what prevents that if it can't be.
    pub(super) fn find_cuts(
        &self,
        bounds: &Bounds,
        cutting: &mut Cutting,
        budget: &Budget,
    ) -> Result<Option<GaveUp>, Stop> {
        for cut in cutting.cuts.values_mut() {
            cut.rows.clear();
            cut.results.clear();
        }
        let mut never: BTreeMap<CutPlace, &'static str> = BTreeMap::new();
        for _ in 0..MAX_ROUNDS {
            let (store, unrolling) = self.encoder().unroll_cut(bounds, cutting.clone(), budget)?;
            let mut changed = false;
            let mut dropped: BTreeSet<CutPlace> = BTreeSet::new();
            for (place, frame_violation) in &unrolling.frame_violations {
                changed = true;
                if let FrameViolation::Never(why) = frame_violation {
                    never.insert(place.clone(), why);
                    dropped.insert(place.clone());
                } else if let Some(cut) = cutting.cuts.get_mut(place) {
                    cut.widen(frame_violation);
                }
            }
            cutting.cuts.retain(|place, _| !dropped.contains(place));
            let mut blocked = None;
            for unwound in &unrolling.unwound {
                if store.terms.is_false(unwound.condition) {
                    continue;
                }
                let Some(place) = &unwound.cut else { continue };
                if let Some(why) = never.get(place) {
                    blocked = Some((*why, unwound.span));
                } else if !cutting.cuts.contains_key(place) {
                    cutting.cuts.insert(place.clone(), Default::default());
                    changed = true;
                }
            }
            if !changed {
                let open = |(why, span): (&str, Span)| {
                    GaveUp::at(span, Why::NoInvariant, format!("the loop can't be cut: {why}"))
                };
                return Ok(blocked.map(open));
            }
        }
        Ok(Some(GaveUp::because(Why::NoInvariant, "what the loops change was not found")))
    }
}

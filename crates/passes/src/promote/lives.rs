//! Whether each access falls into the life that it means.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use belay_ir::{BlockId, Cfg, InstId};

use super::{Action, Event, Variable};

/// True if no access may happen while the object is not alive: going back from each access, the last marker on every path
/// begins a life. The walk ends since the allocation dominates each access.
pub(super) fn always_alive(variable: &Variable, cfg: &Cfg) -> bool {
    let mut last_marker: FxHashMap<BlockId, Action> = FxHashMap::default();
    let mut exposed = Vec::new();
    for event in &variable.events {
        match last_marker.get(&event.block) {
            _ if event.action.is_marker() => {
                last_marker.insert(event.block, event.action);
            }
            _ if event.action == Action::Address => {}
            Some(Action::End) => return false,
            Some(_) => {}
            None => exposed.push(event.block),
        }
    }
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    while let Some(block) = exposed.pop() {
        if !seen.insert(block) {
            continue;
        }
        for above in cfg.predecessors(block) {
            match last_marker.get(above) {
                Some(Action::End) => return false,
                Some(_) => {}
                None => exposed.push(*above),
            }
        }
    }
    true
}

/// True if no life may begin between the computation of an address and its use. An allocation that is executed again needs no
/// look: whatever it dominates is computed again before it is used.
pub(super) fn addresses_are_current(variable: &Variable, cfg: &Cfg) -> bool {
    let restarts = |event: &Event| event.action == Action::Begin && event.inst != variable.alloca;
    if !variable.events.iter().any(restarts) {
        return true;
    }
    let ranges = ranges_by_block(&variable.events);
    let back_from = |address: InstId, events: &[Event]| {
        let found = events.iter().rev().find(|event| event.inst == address || restarts(event));
        found.map(|event| event.inst == address)
    };
    variable.events.iter().enumerate().all(|(index, event)| {
        let Some(address) = event.via else { return true };
        let own = ranges[&event.block].start..index;
        if let Some(current) = back_from(address, &variable.events[own]) {
            return current;
        }
        let mut seen = FxHashSet::default();
        let mut stack = cfg.predecessors(event.block).to_vec();
        while let Some(block) = stack.pop() {
            if !seen.insert(block) {
                continue;
            }
            match ranges.get(&block).and_then(|range| back_from(address, &variable.events[range.clone()])) {
                Some(true) => {}
                Some(false) => return false,
                None => stack.extend(cfg.predecessors(block)),
            }
        }
        true
    })
}

/// Where the events of each block stand; those of a block follow each other.
fn ranges_by_block(events: &[Event]) -> FxHashMap<BlockId, Range<usize>> {
    let mut ranges: FxHashMap<BlockId, Range<usize>> = FxHashMap::default();
    for (index, event) in events.iter().enumerate() {
        ranges.entry(event.block).or_insert(index..index).end = index + 1;
    }
    ranges
}

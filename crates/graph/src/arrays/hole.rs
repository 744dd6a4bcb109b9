//! Arrays with a hole: the element that an index names is about to be written, those before and behind it stand.
//!
//! `while (i > 0 && less(x, v[parent(i)])) { v[i] = v[parent(i)]; i = parent(i); } v[i] = x;` comes to its head with all elements but the last, which has not been
//! written yet, and comes back with all of them. As one range that is all but the last, and after the loop it is not known any more how far the elements go. As two ranges, before and behind the element at `i`, it
//! says the same in both states, and the write after the loop makes one of them.
//!
//! An element that something else leads to as well (`v[i] = x; while (i > 0 && less(x, v[parent(i)])) { swap(v, i, parent(i)); i = parent(i); }`) is a cell of its own in both states: what stands before it and
//! behind it are two ranges, each of which may be empty.

use belay_ir::Op;
use belay_linear::{LinExpr, Rat};
use belay_symbolic::{AllocId, State, Value};

use super::super::elements::is_at_least_zero;
use super::super::pairing::Pairer;
use super::leads;
use super::runs::{Class, Part, Run};

/// How a state's elements meet the one that an index names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meets {
    /// They end where it begins.
    EndsAt,
    /// They stand before and behind it.
    Around,
    /// It is one of them.
    Contains,
}

impl Pairer<'_> {
    /// Parts the runs of both states at the element that an index of the loop names, if one of them says nothing of it, and the other may.
    pub(super) fn part_at_hole(&self, (step, start): (u64, u64), left: Vec<Run>, right: Vec<Run>) -> [Vec<Run>; 2] {
        for (x, y) in self.indices() {
            let (x, y) = (place_of_index(&x, step, start), place_of_index(&y, step, start));
            let (own, other) = (without_element(&left, &x, step), without_element(&right, &y, step));
            let (Some(a), Some(b)) = (meets(self.left, &own, &x, step), meets(self.right, &other, &y, step)) else {
                continue;
            };
            let is_hole = |meets: Meets, place: &LinExpr| meets != Meets::Contains && !place.is_constant();
            if (a, b) != (Meets::EndsAt, Meets::EndsAt) && (is_hole(a, &x) || is_hole(b, &y)) {
                return [parted(own, &x, step, a), parted(other, &y, step, b)];
            }
        }
        [left, right]
    }

    /// Parts the runs of both states at an element that both look at, where each has at most one before it and one behind it.
    pub(super) fn part_at_held(&self, made: AllocId, step: u64, left: Vec<Run>, right: Vec<Run>) -> [Vec<Run>; 2] {
        let width = self.program.layout.pointer_bytes();
        let held = self.state.cells.iter().filter(|cell| cell.alloc == made && cell.width == width && leads(cell));
        for cell in held {
            let Some((x, y)) = self.sides_of(&cell.offset) else { continue };
            if let (Some(a), Some(b)) = (beside_element(&left, x, step), beside_element(&right, y, step)) {
                return parted_at((x, y), step, a, b);
            }
        }
        [left, right]
    }

    /// What a slot is in both states.
    pub(in super::super) fn sides_of(&self, slot: &LinExpr) -> Option<(&LinExpr, &LinExpr)> {
        let [(var, factor)] = slot.terms() else { return None };
        let own = self.slots.get(var.index()).filter(|_| factor.is_one() && slot.offset().is_zero())?;
        Some((&own.sides.0, &own.sides.1))
    }

    /// The numbers that the innermost loop changes from round to round, in both states.
    pub(super) fn indices(&self) -> Vec<(LinExpr, LinExpr)> {
        let (Some(left), Some(right)) = (self.left.frames.last(), self.right.frames.last()) else { return Vec::new() };
        let function = &self.program.functions[left.function];
        let phis =
            function.blocks[left.block].insts.iter().filter(|id| matches!(function.insts[**id].op, Op::Phi { .. }));
        let numbers = phis.filter_map(|id| match (left.values.get(id)?, right.values.get(id)?) {
            (Value::Int(a), Value::Int(b)) => Some((a.clone(), b.clone())),
            _ => None,
        });
        numbers.collect()
    }
}

/// The run that ends where an element begins, and the one that begins behind it, if there are no others.
fn beside_element<'r>(runs: &'r [Run], place: &LinExpr, step: u64) -> Option<[Option<&'r Run>; 2]> {
    let behind = place.plus(&LinExpr::constant(step as i64));
    let mut found = [None, None];
    for run in runs {
        let side = match (run.first(), run.last()) {
            (_, Some(last)) if last.to == *place => 0,
            (Some(first), _) if first.from == behind => 1,
            (_, _) => return None,
        };
        if found[side].replace(run).is_some() {
            return None;
        }
    }
    Some(found)
}

/// What both states have before an element and behind it; what only one of them has is empty in the other.
fn parted_at(
    (x, y): (&LinExpr, &LinExpr),
    step: u64,
    left: [Option<&Run>; 2],
    right: [Option<&Run>; 2],
) -> [Vec<Run>; 2] {
    let mut parted = [Vec::new(), Vec::new()];
    for (at, (a, b)) in left.into_iter().zip(right).enumerate() {
        let Some(class) = a.or(b).and_then(|run| run.first()).map(|part| part.class) else { continue };
        let ahead = LinExpr::constant(if at == 0 { 0 } else { step as i64 });
        let empty = |place: &LinExpr| -> Run {
            let place = place.plus(&ahead);
            vec![Part { from: place.clone(), to: place, contents: Vec::new(), class, ranges: Vec::new() }]
        };
        parted[0].push(a.cloned().unwrap_or_else(|| empty(x)));
        parted[1].push(b.cloned().unwrap_or_else(|| empty(y)));
    }
    parted
}

fn place_of_index(index: &LinExpr, step: u64, start: u64) -> LinExpr {
    index.scaled(&Rat::from(step as i64)).plus(&LinExpr::constant(start as i64))
}

/// Runs without the element at a place, where it stands alone: what was read there stays when it has moved on.
fn without_element(runs: &[Run], place: &LinExpr, step: u64) -> Vec<Run> {
    let behind = place.plus(&LinExpr::constant(step as i64));
    let is_element = |run: &Run| matches!(run.as_slice(), [only] if only.ranges.is_empty() && only.from == *place && only.to == behind);
    if runs.len() == 1 { runs.to_vec() } else { runs.iter().filter(|run| !is_element(run)).cloned().collect() }
}

fn meets(state: &State, runs: &[Run], place: &LinExpr, step: u64) -> Option<Meets> {
    let behind = place.plus(&LinExpr::constant(step as i64));
    let is_shared = |run: &Run| matches!(run.as_slice(), [only] if only.class == Class::Shared);
    match runs {
        [] if place.is_constant() => Some(Meets::EndsAt),
        [run] if is_shared(run) && run[0].to == *place => Some(Meets::EndsAt),
        [run] if is_shared(run) => {
            // Places of elements are a whole number of them apart.
            let part = LinExpr::constant(step as i64 - 1);
            let inside = [place.minus(&run[0].from), run[0].to.minus(&behind)];
            inside.iter().all(|rest| follows(state, &rest.plus(&part), DEPTH)).then_some(Meets::Contains)
        }
        [before, after] if is_shared(before) && is_shared(after) => {
            let (before, after) = if before[0].to == *place { (before, after) } else { (after, before) };
            (before[0].to == *place && after[0].from == behind).then_some(Meets::Around)
        }
        _ => None,
    }
}

fn parted(runs: Vec<Run>, place: &LinExpr, step: u64, meets: Meets) -> Vec<Run> {
    let behind = place.plus(&LinExpr::constant(step as i64));
    let empty = |place: &LinExpr| -> Run {
        let (from, to) = (place.clone(), place.clone());
        vec![Part { from, to, contents: Vec::new(), class: Class::Shared, ranges: Vec::new() }]
    };
    match (meets, runs.as_slice()) {
        (Meets::EndsAt, []) => vec![empty(place), empty(&behind)],
        (Meets::EndsAt, [run]) => vec![run.clone(), empty(&behind)],
        (Meets::Contains, [run]) => {
            let before = run.iter().map(|part| Part { to: place.clone(), ..part.clone() }).collect();
            let after = run.iter().map(|part| Part { from: behind.clone(), ..part.clone() }).collect();
            vec![before, after]
        }
        (Meets::Around, [first, _]) if first[0].to != *place => runs.into_iter().rev().collect(),
        (Meets::EndsAt | Meets::Contains | Meets::Around, _) => runs,
    }
}

/// Constraints that are added up at most to see that something follows.
const DEPTH: u32 = 2;

/// True if an expression is not negative by a few constraints.
pub(super) fn follows_from(state: &State, expr: &LinExpr) -> bool {
    follows(state, expr, DEPTH)
}

/// True if an expression is not negative by a few constraints together: what bounds one of its variables takes its place.
fn follows(state: &State, expr: &LinExpr, depth: u32) -> bool {
    if is_at_least_zero(state, expr) {
        return true;
    }
    let bounds = |known: &LinExpr| {
        expr.terms().iter().any(|(var, own)| {
            let factor = known.coefficient(*var);
            let bounds = !factor.is_zero() && factor.is_negative() == own.is_negative();
            bounds && follows(state, &expr.add_scaled(&-&(own / &factor), known), depth - 1)
        })
    };
    depth > 0 && state.knowledge.constraints.iter().any(|known| bounds(&known.expr))
}

//! Arrays of pointers, to functions among others, side by side: elements that follow each other in both states become a range (see `symbolic`'s `array`).
//!
//! What a state knows of an array is a number of *parts*: ranges, and cells whose pointer nothing else holds. Parts that end where another begins are a *run*, and
//! neighbours of one class (null, blocks of their own, places elsewhere) are one part. Runs of both states that begin or end at the same place are paired, and their parts in
//! order; a part that one state lacks is an empty one there. Where the classes do not follow each other alike, as after a write at any index, a run is one part.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_linear::{LinExpr, Rat};
use belay_symbolic::{AllocId, AllocKind, ArrayRange, Cell, Content, Life, State, Value, owns, place_of, residue};

use super::lists::Side;
use super::pairing::{Pairer, Remains, Slot, SlotKind};
use figures::is_pointers;
pub(super) use runs::is_at_least;
use runs::{Class, Group, Part, Run, aligned, around, chained, covers, in_terms_of, overlapped};

mod amid;
mod figures;
mod hole;
mod looks;
mod lost;
mod runs;
mod scale;

/// Blocks of fewer bytes with pointers at constant places are structs.
const MIN_ARRAY: u64 = 32;

/// How often each object is pointed to.
type References = BTreeMap<AllocId, usize>;

/// What two states know of arrays.
#[derive(Clone, Default)]
pub(super) struct Arrays {
    /// The objects of the left state that are arrays, with those of the right one.
    pub(super) pairs: BTreeMap<AllocId, AllocId>,
    /// Those that have been looked at.
    seen: BTreeSet<AllocId>,
    /// How often each object is pointed to, once that is asked.
    held: Rc<OnceCell<(References, References)>>,
    /// The ranges of each state that are part of one of the merged one.
    used: (BTreeSet<usize>, BTreeSet<usize>),
    /// Cells of both states that are one, since they are all that is known of single elements of an array.
    exposed: Vec<(usize, usize)>,
}

impl Arrays {
    pub(super) fn new(left: &State, right: &State) -> Arrays {
        let mut arrays = Arrays::default();
        let globals = |state: &State| {
            let of_cells = state.cells.iter().filter(|cell| leads(cell) && !cell.offset.is_constant());
            let words = state.ranges.iter().filter(|range| is_pointers(range));
            let ids = words.map(|range| range.alloc).chain(of_cells.map(|cell| cell.alloc));
            ids.filter(|id| matches!(id, AllocId::Global(_))).collect::<Vec<_>>()
        };
        arrays.pairs.extend(globals(left).into_iter().chain(globals(right)).map(|id| (id, id)));
        arrays
    }

    /// Ranges of a state that own blocks and were not paired.
    pub(super) fn lost(&self, state: &State, side: usize) -> usize {
        self.unpaired(state, side).filter(|range| range.owns()).count()
    }

    /// True if some of them own blocks of the heap.
    pub(super) fn lost_heap(&self, state: &State, side: usize) -> bool {
        self.unpaired(state, side).any(ArrayRange::owns_heap)
    }

    fn unpaired<'s>(&'s self, state: &'s State, side: usize) -> impl Iterator<Item = &'s ArrayRange> {
        let used = if side == 0 { &self.used.0 } else { &self.used.1 };
        state.ranges.iter().enumerate().filter(|(at, _)| !used.contains(at)).map(|(_, range)| range)
    }
}

fn references(state: &State) -> References {
    let mut found: References = BTreeMap::new();
    state.clone().for_each_value_mut(|value| {
        if let Value::Pointer(id, _) | Value::Address(id, _) = value {
            *found.entry(*id).or_default() += 1;
        }
    });
    found
}

fn leads(cell: &Cell) -> bool {
    matches!(cell.value, Value::Pointer(..) | Value::Null | Value::Function(_))
}

impl Pairer<'_> {
    /// True if a cell of one of the states is an element of an array.
    pub(super) fn is_element(&self, side: usize, cell: &Cell) -> bool {
        self.is_in_array(side, cell)
            && self.is_free(side, cell)
            && !self.is_exposed(side, cell)
            && !self.is_looked_at(side, cell)
    }

    /// True of a cell as wide as a pointer in an array of one of the states.
    pub(super) fn is_in_array(&self, side: usize, cell: &Cell) -> bool {
        let array = match side {
            0 => self.arrays.pairs.contains_key(&cell.alloc),
            _ => self.arrays.pairs.values().any(|id| *id == cell.alloc),
        };
        array && cell.width == self.program.layout.pointer_bytes()
    }

    pub(super) fn is_free(&self, side: usize, cell: &Cell) -> bool {
        let held = self.arrays.held.get_or_init(|| (references(self.left), references(self.right)));
        match side {
            0 => is_free(self.left, &held.0, cell),
            _ => is_free(self.right, &held.1, cell),
        }
    }

    /// True if the other state has a cell at this place whose pointer something else holds: then it is no element for either of them.
    fn is_looked_at(&self, side: usize, cell: &Cell) -> bool {
        let other = match side {
            0 => self.arrays.pairs.get(&cell.alloc).copied(),
            _ => self.arrays.pairs.iter().find(|(_, right)| **right == cell.alloc).map(|(left, _)| *left),
        };
        let (Some(other), false) = (other, cell.offset.is_constant()) else { return false };
        let Some(place) = self.beside(&cell.offset, side) else { return false };
        let state = if side == 0 { self.right } else { self.left };
        let here = |known: &&Cell| known.alloc == other && known.offset == place && known.width == cell.width;
        let known = state.cells.iter().find(here);
        known.is_some_and(|known| !self.is_free(1 - side, known) && !self.has_moved(side, known, cell))
    }

    /// True if what the other state has at the place of `cell` stands at another place of the array here.
    fn has_moved(&self, side: usize, known: &Cell, cell: &Cell) -> bool {
        let Value::Pointer(id, _) = &known.value else { return false };
        let beside = match side {
            0 => self.objects.iter().find(|(_, right)| *right == id).map(|(left, _)| *left),
            _ => self.objects.get(id).copied(),
        };
        let state = if side == 0 { self.left } else { self.right };
        let leads = |own: &Cell| matches!(&own.value, Value::Pointer(to, _) if Some(*to) == beside);
        !leads(cell) && state.cells.iter().any(|own| own.alloc == cell.alloc && leads(own))
    }

    /// Pairs the arrays that have not been paired yet; true if there was one.
    pub(super) fn arrays(&mut self) -> bool {
        let open = |(left, _): &(&AllocId, &AllocId)| !self.arrays.seen.contains(left);
        let Some((left, right)) = self.arrays.pairs.iter().find(open).map(|(a, b)| (*a, *b)) else { return false };
        self.arrays.seen.insert(left);
        let Some(made) = self.object(left, right) else { return true };
        let step = self.step_of(left, right);
        let start = self.start_of(left, right, step);
        let gaps = [self.gap(1, (left, right), start), self.gap(0, (left, right), start)];
        let (a, b) = (self.runs(0, left, (step, start), &gaps[0]), self.runs(1, right, (step, start), &gaps[1]));
        self.release(0, &a);
        self.release(1, &b);
        let [a, b] = self.part_at_held(made, step, a, b);
        let [a, b] = self.part_at_hole((step, start), a, b);
        for group in self.paired_runs((left, right), step, a, b) {
            self.range_of(made, step, group);
        }
        true
    }

    /// Elements hold their blocks alone: nothing else keeps those from being part of a shape.
    fn release(&mut self, side: usize, runs: &[Run]) {
        for content in runs.iter().flatten().flat_map(|part| &part.contents) {
            if let Content::Same(Value::Pointer(id, _)) = content {
                let held = if side == 0 { &mut self.lists.held.0 } else { &mut self.lists.held.1 };
                held.remove(id);
            }
        }
    }

    /// Bytes from one element to the next.
    fn step_of(&self, left: AllocId, right: AllocId) -> u64 {
        let width = self.program.layout.pointer_bytes();
        let of = |state: &State, id: AllocId| {
            state.ranges.iter().find(|range| range.alloc == id && is_pointers(range)).map(|range| range.step)
        };
        if let Some(step) = of(self.left, left).or_else(|| of(self.right, right)) {
            return step;
        }
        let mut divisor = Rat::ZERO;
        for (state, id) in [(self.left, left), (self.right, right)] {
            let own = state.cells.iter().filter(|cell| cell.alloc == id && leads(cell)).map(|cell| &cell.offset);
            let size = state.allocations.get(&id).map(|known| &known.size);
            for (_, factor) in own.chain(size).flat_map(|expr| expr.terms()) {
                divisor = divisor.gcd(factor);
            }
        }
        let step = divisor.to_i64().and_then(|step| u64::try_from(step).ok()).unwrap_or(0);
        let fits = |step: u64| step >= width && step.is_multiple_of(width) && step <= 256;
        if fits(step) { step } else { self.scale_of(left, right).unwrap_or(width) }
    }

    /// The offset of words in their elements.
    fn start_of(&self, left: AllocId, right: AllocId, step: u64) -> u64 {
        let sides = [(0, self.left, left), (1, self.right, right)];
        let mut offsets = sides.iter().flat_map(|(side, state, id)| {
            let words = state.ranges.iter().filter(|range| range.alloc == *id && is_pointers(range));
            let ranges = words.map(|range| &range.from);
            let own = |cell: &&Cell| {
                cell.alloc == *id && leads(cell) && cell.value != Value::Null && self.is_element(*side, cell)
            };
            ranges.chain(state.cells.iter().filter(own).map(|cell| &cell.offset))
        });
        offsets.find_map(|offset| residue(offset, step)).unwrap_or(0)
    }

    /// What a state knows of an array.
    fn runs(&self, side: usize, id: AllocId, (step, start): (u64, u64), gap: &Option<LinExpr>) -> Vec<Run> {
        let state = if side == 0 { self.left } else { self.right };
        let width = self.program.layout.pointer_bytes();
        let mut parts: Vec<Part> = Vec::new();
        for (number, range) in state.ranges.iter().enumerate() {
            if range.alloc == id && range.step == step && range.width == width && is_pointers(range) {
                let (from, to) = (range.from.clone(), range.to.clone());
                let class = class_of(state, id, &range.content);
                parts.push(Part { from, to, contents: vec![range.content.clone()], class, ranges: vec![number] });
            }
        }
        let ranged = !parts.is_empty();
        let shares = |part: &Part| !part.ranges.is_empty() && matches!(part.class, Class::Shared | Class::Null);
        for cell in state.cells.iter().filter(|cell| cell.alloc == id && self.is_element(side, cell)) {
            let to = cell.offset.plus(&LinExpr::constant(step as i64));
            let content = Content::Same(cell.value.clone());
            let class = class_of(state, id, &content);
            let from = cell.offset.clone();
            // What a range says of a place a cell need not say again.
            if !parts.iter().any(|part| part.from == from || (shares(part) && covers(state, part, &from, &to))) {
                parts.push(Part { from, to, contents: vec![content], class, ranges: Vec::new() });
            }
        }
        let zeroed = state.allocations.get(&id).filter(|known| known.zeroed && !ranged);
        let held = self.held_amid(side, id);
        if let Some(known) = zeroed
            && let Some(run) = self.amid_zeros(side, (id, held.as_ref()), (step, start), &known.size, &parts)
        {
            return match gap.as_ref().or(held.as_ref()) {
                Some(gap) => around(run, gap, step),
                None => vec![run],
            };
        }
        chained(overlapped(state, parts))
    }

    /// Runs of both states that are of the same elements.
    fn paired_runs(&self, ids: (AllocId, AllocId), step: u64, left: Vec<Run>, right: Vec<Run>) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut open: Vec<Option<Run>> = left.into_iter().map(Some).collect();
        let mut rest = Vec::new();
        for run in right {
            let meets = |other: &Option<Run>| other.as_ref().is_some_and(|other| self.meet(other, &run));
            match open.iter().position(meets).and_then(|at| open[at].take()) {
                Some(other) => groups.extend(aligned(ids, &other, &run)),
                None => rest.push(run),
            }
        }
        let open: Vec<Run> = open.into_iter().flatten().collect();
        if open.len() == rest.len() {
            groups.extend(open.iter().zip(&rest).flat_map(|(a, b)| aligned(ids, a, b)));
            return groups;
        }
        groups.extend(open.iter().filter_map(|run| self.alone(ids, run, (0, step))));
        groups.extend(rest.iter().filter_map(|run| self.alone(ids, run, (1, step))));
        groups
    }

    /// True if runs begin or end at the same place.
    fn meet(&self, left: &Run, right: &Run) -> bool {
        let ends = |run: &Run| Some((run.first()?.from.clone(), run.last()?.to.clone()));
        let (Some((from, to)), Some((other, end))) = (ends(left), ends(right)) else { return false };
        self.is_same_place(&from, &other) || self.is_same_place(&to, &end)
    }

    pub(super) fn is_same_place(&self, left: &LinExpr, right: &LinExpr) -> bool {
        if left.is_constant() || right.is_constant() {
            return left == right;
        }
        self.slots.iter().any(|slot| in_terms_of(left, &slot.sides.0, &slot.sides.1).as_ref() == Some(right))
    }

    /// The expression of the other state that is what one of `side` is, where a slot says so.
    pub(super) fn beside(&self, expr: &LinExpr, side: usize) -> Option<LinExpr> {
        self.beside_by(expr, side, |_| true)
    }

    /// The same, where a number or a pointer says so.
    fn counted_beside(&self, expr: &LinExpr, side: usize) -> Option<LinExpr> {
        self.beside_by(expr, side, |slot| {
            !matches!(slot.kind, SlotKind::CellOffset | SlotKind::Size | SlotKind::Length)
        })
    }

    fn beside_by(&self, expr: &LinExpr, side: usize, is_asked: impl Fn(&Slot) -> bool) -> Option<LinExpr> {
        if expr.is_constant() {
            return Some(expr.clone());
        }
        self.slots.iter().filter(|slot| is_asked(slot)).find_map(|slot| match side {
            0 => in_terms_of(expr, &slot.sides.0, &slot.sides.1),
            _ => in_terms_of(expr, &slot.sides.1, &slot.sides.0),
        })
    }

    /// A run that the other state lacks: there it is empty.
    fn alone(&self, ids: (AllocId, AllocId), run: &Run, (side, step): (usize, u64)) -> Option<Group> {
        let (from, to) = (&run.first()?.from, &run.last()?.to);
        // What is left of an earlier round says nothing where no number tells how far it goes.
        let is_counted = |place: &LinExpr| {
            let many = place.minus(from);
            self.slots.iter().any(|slot| {
                let by = slot.sides.1.minus(&slot.sides.0);
                let by = if side == 0 { by.negated() } else { by };
                slot.kind != SlotKind::CellOffset && by.scaled(&Rat::from(step as i64)) == many
            })
        };
        let is_told = |place: &LinExpr| match place.is_constant() {
            true => place == from || is_counted(place),
            false => self.beside_by(place, side, |slot| slot.kind != SlotKind::CellOffset).is_some(),
        };
        if run.iter().all(|part| part.class == Class::Shared) && !(is_told(from) && is_told(to)) {
            return None;
        }
        let place = self.beside(from, side).or_else(|| self.beside(to, side))?;
        let (own, other) = ((from.clone(), to.clone()), (place.clone(), place));
        let contents: Vec<Content> = run.iter().flat_map(|part| part.contents.clone()).collect();
        let ranges: Vec<usize> = run.iter().flat_map(|part| part.ranges.clone()).collect();
        Some(match side {
            0 => Group {
                left: own,
                right: other,
                contents: contents.into_iter().map(|it| (Side::Left(ids.0), it)).collect(),
                ranges: (ranges, Vec::new()),
            },
            _ => Group {
                left: other,
                right: own,
                contents: contents.into_iter().map(|it| (Side::Right(ids.1), it)).collect(),
                ranges: (Vec::new(), ranges),
            },
        })
    }

    /// True if elements begin at a place that both states speak of otherwise, or in a call.
    fn begins_somewhere(&self, left: &LinExpr, right: &LinExpr) -> bool {
        let counts = |slot: &&Slot| !matches!(slot.kind, SlotKind::CellOffset | SlotKind::Size | SlotKind::Length);
        let mut counted = self.slots.iter().filter(counts);
        let is_call = self.left.is_call() && self.right.is_call();
        is_call
            || left == right
            || counted.any(|slot| in_terms_of(left, &slot.sides.0, &slot.sides.1).as_ref() == Some(right))
    }

    /// True if there are elements already that own nothing and begin somewhere: more of them are what earlier rounds have left, and each round would leave more.
    fn is_left_over(&self, alloc: AllocId) -> bool {
        let begins_anywhere = |from: &LinExpr| self.sides_of(from).is_some_and(|(a, b)| !self.begins_somewhere(a, b));
        let mut own = self.state.ranges.iter().filter(|range| range.alloc == alloc && !owns(&range.content));
        self.remains == Remains::Dropped || own.any(|range| begins_anywhere(&range.from))
    }

    /// Adds a range for a group, if its contents have something in common.
    fn range_of(&mut self, alloc: AllocId, step: u64, group: Group) {
        let Group { left, right, contents, ranges } = group;
        if left.0 == left.1 && right.0 == right.1 {
            self.arrays.used.0.extend(ranges.0);
            self.arrays.used.1.extend(ranges.1);
            return;
        }
        let Some(content) = self.common_element(&contents) else { return };
        if !owns(&content) && !self.begins_somewhere(&left.0, &right.0) && self.is_left_over(alloc) {
            return;
        }
        self.arrays.used.0.extend(ranges.0);
        self.arrays.used.1.extend(ranges.1);
        let (left, right) = if owns(&content) { (left, right) } else { self.cut_short(left, right) };
        let number = self.state.ranges.len();
        let from = self.slot(&left.0, &right.0, SlotKind::CellOffset, format!("from{number}"));
        let to = self.slot(&left.1, &right.1, SlotKind::CellOffset, format!("to{number}"));
        let width = self.program.layout.pointer_bytes();
        self.state.ranges.push(ArrayRange { alloc, from, to, step, width, content });
    }
}

/// Blocks of an element that are looked at.
const MAX_FOLLOWED: usize = 16;

/// True if nothing but one cell leads to what a value leads to, and from there on to the blocks that are linked to it.
fn is_free(state: &State, held: &References, cell: &Cell) -> bool {
    let mut todo = vec![&cell.value];
    for _ in 0..MAX_FOLLOWED {
        let Some(value) = todo.pop() else { break };
        if !is_free_here(state, held, cell.alloc, value) {
            return false;
        }
        todo.extend(linked(state, value));
    }
    true
}

/// Where a segment goes on, and the blocks of the same size that a block leads to.
fn linked<'s>(state: &'s State, value: &Value) -> Vec<&'s Value> {
    let Value::Pointer(id, _) = value else { return Vec::new() };
    if let Some(segment) = state.segments.get(id) {
        return matches!(segment.target, Value::Pointer(..)).then_some(&segment.target).into_iter().collect();
    }
    let size_of = |id: &AllocId| match state.segments.get(id) {
        Some(segment) => Some(segment.node.size),
        None => {
            let block = state.allocations.get(id).filter(|known| known.kind == AllocKind::Heap);
            block.and_then(|known| place_of(&known.size))
        }
    };
    let own = size_of(id);
    let is_linked = |value: &Value| matches!(value, Value::Pointer(next, _) if own.is_some() && size_of(next) == own);
    state.cells.iter().filter(|cell| cell.alloc == *id).map(|cell| &cell.value).filter(|it| is_linked(it)).collect()
}

fn is_free_here(state: &State, held: &References, array: AllocId, value: &Value) -> bool {
    let alone = |id: &AllocId| held.get(id).copied().unwrap_or(0) <= 1;
    match value {
        Value::Null | Value::Function(_) => true,
        Value::Pointer(id, _) => match state.allocations.get(id) {
            Some(known) if known.kind == AllocKind::Heap => known.life == Life::Live && alone(id),
            Some(known) if known.kind == AllocKind::Argument => !is_given_array(state, array) || alone(id),
            Some(_) => true,
            None if state.segment_of(*id).is_some() => alone(id),
            None => matches!(id, AllocId::Global(_)),
        },
        Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Top => false,
    }
}

/// True of an array whose elements have objects of their own that the program was started with.
fn is_given_array(state: &State, array: AllocId) -> bool {
    let given = |content: &Content| matches!(content, Content::Block(block) if block.given);
    state.ranges.iter().any(|range| range.alloc == array && given(&range.content))
}

fn class_of(state: &State, array: AllocId, content: &Content) -> Class {
    match content {
        Content::Same(Value::Null) => Class::Null,
        Content::Same(Value::Pointer(id, _)) => {
            let block = state.allocations.get(id).is_some_and(|known| match known.kind {
                AllocKind::Heap => true,
                AllocKind::Argument => is_given_array(state, array),
                AllocKind::Stack { .. } | AllocKind::Either => false,
            });
            if block || state.segment_of(*id).is_some() { Class::Owned } else { Class::Shared }
        }
        Content::Own(_) | Content::Block(_) => Class::Owned,
        Content::Same(_) | Content::Among(_) | Content::Between(..) | Content::NonZero => Class::Shared,
    }
}

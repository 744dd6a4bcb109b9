//! Arrays of numbers side by side: what all elements that have been written are between.
//!
//! A range begins where a loop writes one element after another: one state has a number at a place where the other has none, and a counter has gone on by one. Or in an
//! object that was all 0, when a number stands at a place that nobody knows. Later on the ranges of both states are paired as those of pointers are, with the cells
//! that go on where they end.
//!
//! *Bounds*: a number of the program that is the same in both states, if all elements are known to be below it; otherwise constants. Those that grow go on to the next of a few, so
//! that they grow a few times only.

use std::collections::BTreeSet;

use belay_linear::{LinExpr, Rat};
use belay_symbolic::{AllocId, ArrayRange, Cell, Content, State, Value, place_of, residue};

use super::super::elements::{highest, lowest};
use super::super::lists::Side;
use super::super::pairing::{Pairer, Slot, SlotKind};
use super::super::texts::is_text;
use super::MIN_ARRAY;
use super::hole::follows_from;
use super::runs::{Class, Part, Run, chained, covers, in_terms_of, is_at_least, overlapped};

/// Where least numbers stop, and where greatest ones do.
const LEAST: [i64; 5] = [0, -1, i8::MIN as i64, i16::MIN as i64, i32::MIN as i64];
const GREATEST: [i64; 7] = [0, 1, 15, u8::MAX as i64, u16::MAX as i64, i32::MAX as i64, u32::MAX as i64];

/// True of elements that are numbers.
pub(super) fn is_figures(range: &ArrayRange) -> bool {
    matches!(range.content, Content::Between(..))
}

/// True of elements that are pointers.
pub(super) fn is_pointers(range: &ArrayRange) -> bool {
    !is_text(range) && !is_figures(range)
}

/// How the numbers of an array stand in it.
#[derive(Clone, Copy)]
struct Words {
    width: u64,
    step: u64,
}

/// Where elements begin and end.
type Ends = (LinExpr, LinExpr);

/// Parts of both states that are of the same elements.
type Found = (Run, Run);

impl Pairer<'_> {
    /// Keeps what all numbers between two places of an object are between.
    pub(in super::super) fn figures(&mut self) {
        let mut pairs: Vec<(AllocId, AllocId)> = self.objects.iter().map(|(a, b)| (*a, *b)).collect();
        let of_globals = [self.left, self.right].into_iter().flat_map(|state| {
            let numbers = state.cells.iter().filter(|cell| !cell.offset.is_constant() && is_number(cell));
            let ranges = state.ranges.iter().filter(|range| is_figures(range)).map(|range| range.alloc);
            ranges.chain(numbers.map(|cell| cell.alloc)).filter(|id| matches!(id, AllocId::Global(_)))
        });
        let mut globals: Vec<AllocId> = of_globals.collect();
        globals.sort();
        globals.dedup();
        pairs.extend(globals.into_iter().map(|id| (id, id)));
        for (left, right) in pairs {
            let found = match self.words_of_ranges(left, right) {
                Some(words) => self.met_figures((left, right), words).map(|found| (words, found)),
                None => self.begun_figures((left, right)),
            };
            if let Some((words, (a, b))) = found {
                self.keep_figures((left, right), words, (a, b));
            }
        }
    }

    fn words_of_ranges(&self, left: AllocId, right: AllocId) -> Option<Words> {
        let of = |state: &State, id: AllocId| {
            let range = state.ranges.iter().find(|range| range.alloc == id && is_figures(range))?;
            Some(Words { width: range.width, step: range.step })
        };
        of(self.left, left).or_else(|| of(self.right, right))
    }

    /// The elements of both states where one of them has a range.
    fn met_figures(&self, (left, right): (AllocId, AllocId), words: Words) -> Option<Found> {
        let (mut a, mut b) = (figures_of(self.left, left, words), figures_of(self.right, right, words));
        let ranged = |runs: &[Run]| runs.iter().position(|run| run.iter().any(|part| !part.ranges.is_empty()));
        match (ranged(&a), ranged(&b)) {
            (Some(x), Some(y)) => Some((a.swap_remove(x), b.swap_remove(y))),
            (Some(x), None) => {
                let run = a.swap_remove(x);
                let other = b.into_iter().find(|other| self.meet(&run, other)).or_else(|| self.none_beside(&run, 0))?;
                Some((run, other))
            }
            (None, Some(y)) => {
                let run = b.swap_remove(y);
                let other = a.into_iter().find(|other| self.meet(other, &run)).or_else(|| self.none_beside(&run, 1))?;
                Some((other, run))
            }
            (None, None) => None,
        }
    }

    /// No elements, where the run of the other state begins, or ends.
    fn none_beside(&self, run: &Run, side: usize) -> Option<Run> {
        let (from, to) = (&run.first()?.from, &run.last()?.to);
        let place = self.beside(from, side).or_else(|| self.beside(to, side))?;
        Some(nothing(place))
    }

    /// The elements of both states where neither has a range yet.
    fn begun_figures(&self, ids: (AllocId, AllocId)) -> Option<(Words, Found)> {
        let size = self.extents(ids)?;
        if place_of(&size).is_some_and(|size| size < MIN_ARRAY) {
            return None;
        }
        // Words of several widths are members of a structure.
        let both = [(self.left, ids.0), (self.right, ids.1)].into_iter();
        let cells = both.flat_map(|(state, id)| state.cells.iter().filter(move |cell| cell.alloc == id));
        let widths: BTreeSet<u64> = cells.map(|cell| cell.width).collect();
        if size.is_constant() && widths.len() > 1 {
            return None;
        }
        let mut cells = self.right.cells.iter().filter(|cell| cell.alloc == ids.1 && is_number(cell));
        cells.find_map(|cell| self.begun_at(ids, cell, &size))
    }

    fn begun_at(&self, ids: (AllocId, AllocId), cell: &Cell, size: &LinExpr) -> Option<(Words, Found)> {
        let width = cell.width;
        let amid_zeros = !cell.offset.is_constant();
        if amid_zeros && let Some(found) = self.among_zeros(ids, Words { width, step: width }) {
            return Some((Words { width, step: width }, found));
        }
        let step = size.terms().iter().fold(Rat::ZERO, |step, (_, factor)| step.gcd(factor));
        let step =
            step.to_i64().and_then(|step| u64::try_from(step).ok()).filter(|step| *step >= width && *step <= 256);
        let words = Words { width, step: step.unwrap_or(width) };
        let place = self.unmoved(&cell.offset)?;
        let known = |other: &Cell| other.alloc == ids.0 && other.offset == place && other.width == width;
        if self.left.cells.iter().any(known) || residue(&cell.offset, width) != Some(0) {
            return None;
        }
        let end = |place: &LinExpr| place.plus(&LinExpr::constant(words.step as i64));
        let steps = self.slots.iter().filter(|slot| is_counter(slot)).map(|slot| slot.sides.1.minus(&slot.sides.0));
        let mut steps = steps.filter(|step| step.is_constant()).filter_map(|step| step.offset().to_i64());
        let ahead = steps.find(|step| step.abs() == 1)?;
        let own = part(cell.offset.clone(), end(&cell.offset), vec![Content::Same(cell.value.clone())]);
        let before = nothing(if ahead == 1 { place } else { end(&place) });
        Some((words, (before, vec![own])))
    }

    /// A place of the right state that is the same in the left one.
    fn unmoved(&self, place: &LinExpr) -> Option<LinExpr> {
        let fixed = |slot: &&Slot| slot.sides.0 == slot.sides.1;
        let known = |var| self.slots.iter().filter(fixed).any(|slot| !slot.sides.0.coefficient(var).is_zero());
        place.terms().iter().all(|(var, _)| known(*var)).then(|| place.clone())
    }

    /// All words of an object that was 0 in both states, with what has been written since.
    fn among_zeros(&self, (left, right): (AllocId, AllocId), words: Words) -> Option<Found> {
        Some((zeros_of(self.left, left, words)?, zeros_of(self.right, right, words)?))
    }

    /// The ends of elements that own nothing, where one state knows of more than the other: as far as both go, if a number of both says how far that is.
    pub(super) fn cut_short(&self, mut left: Ends, mut right: Ends) -> (Ends, Ends) {
        // What a call gives away comes back as far as it is said: the caller goes on with the rest.
        if self.is_same_place(&left.1, &right.1) || (self.left.is_call() && self.right.is_call()) {
            return (left, right);
        }
        let goes_on = |state: &State, place: &LinExpr, ends: &Ends| {
            !place.is_constant()
                && follows_from(state, &place.minus(&ends.0))
                && follows_from(state, &ends.1.minus(place))
        };
        if let Some(place) = self.beside(&left.1, 0).filter(|place| goes_on(self.right, place, &right)) {
            right.1 = place;
        } else if let Some(place) = self.beside(&right.1, 1).filter(|place| goes_on(self.left, place, &left)) {
            left.1 = place;
        }
        (left, right)
    }

    fn extents(&self, (left, _): (AllocId, AllocId)) -> Option<LinExpr> {
        super::super::elements::extent(self.program, self.left, left)
    }

    fn keep_figures(&mut self, ids: (AllocId, AllocId), words: Words, (a, b): Found) {
        let ends = |run: &Run| Some((run.first()?.from.clone(), run.last()?.to.clone()));
        let (Some(left), Some(right)) = (ends(&a), ends(&b)) else { return };
        let (left, right) = self.cut_short(left, right);
        if left.0 == left.1 && right.0 == right.1 {
            return;
        }
        let of = |run: Run| run.into_iter().flat_map(|part| part.contents);
        let contents: Vec<(Side, Content)> = of(a).map(|it| (Side::Left(ids.0), it)).collect();
        let contents = contents.into_iter().chain(of(b).map(|it| (Side::Right(ids.1), it))).collect::<Vec<_>>();
        let Some((low, high)) = self.common_figures(&contents, words.width) else { return };
        let Some(alloc) = self.object(ids.0, ids.1) else { return };
        let number = self.state.ranges.len();
        let from = self.slot(&left.0, &right.0, SlotKind::CellOffset, format!("from{number}"));
        let to = self.slot(&left.1, &right.1, SlotKind::CellOffset, format!("to{number}"));
        let content = Content::Between(Value::Int(low), Value::Int(high));
        self.state.ranges.push(ArrayRange { alloc, from, to, step: words.step, width: words.width, content });
    }

    /// What numbers are between, as expressions over slots.
    fn common_figures(&mut self, contents: &[(Side, Content)], width: u64) -> Option<(LinExpr, LinExpr)> {
        let mut known: Option<(i64, i64)> = None;
        let mut all: Option<(i64, i64)> = None;
        for (side, content) in contents {
            let state = self.side(*side);
            let (low, high) = match content {
                Content::Same(Value::Int(number)) => (lowest(state, number)?, highest(state, number)),
                Content::Between(Value::Int(low), Value::Int(high)) => {
                    let found = (lowest(state, low)?, highest(state, high));
                    known = known.or(side.is_left().then_some(found));
                    found
                }
                _ => return None,
            };
            let (least, most) = all.unwrap_or((low, high));
            all = Some((least.min(low), most.max(high)));
        }
        let (mut low, mut high) = all?;
        let (before, behind) = known.unwrap_or((low, high));
        let varies = contents.iter().any(|(_, content)| match content {
            Content::Same(Value::Int(number)) | Content::Between(_, Value::Int(number)) => !number.is_constant(),
            _ => false,
        });
        let shared = (varies || high > behind).then(|| self.common_bound(contents, true)).flatten();
        if low < before {
            low = LEAST.into_iter().find(|least| *least <= low)?;
        }
        if high > behind && shared.is_none() {
            high = GREATEST.into_iter().find(|greatest| *greatest >= high)?;
        }
        let bits = 8 * u32::try_from(width).ok()?;
        let anything = i128::from(high) - i128::from(low) >= (1_i128 << bits) - 1;
        let (low, high) = (LinExpr::constant(low), LinExpr::constant(high));
        match shared {
            Some(slot) => Some((low, slot)),
            None => (!anything).then_some((low, high)),
        }
    }

    /// A number of both states, or one less, that no element is above: one that is the same in both, or, where it may, one that grows, as a greatest element does.
    pub(in super::super) fn common_bound(&mut self, contents: &[(Side, Content)], may_grow: bool) -> Option<LinExpr> {
        let is_bound = |(left, right): &(LinExpr, LinExpr)| {
            contents.iter().all(|(side, content)| {
                let most = match content {
                    Content::Same(Value::Int(number)) => number,
                    Content::Between(_, Value::Int(high)) => high,
                    _ => return false,
                };
                let bound = if side.is_left() { left } else { right };
                is_at_least(self.side(*side), &bound.minus(most))
            })
        };
        // The same variable may have another name in a state that is older, or a value.
        let fixed = |slot: &Slot| {
            let (a, b) = (&slot.sides.0, &slot.sides.1);
            let renamed = |a: &LinExpr, b: &LinExpr| match (a.terms(), b.terms()) {
                ([(_, one)], [(_, other)]) => one == other && a.offset() == b.offset(),
                ([(_, one)], []) | ([], [(_, one)]) => one.is_one(),
                (_, _) => false,
            };
            a == b || renamed(a, b)
        };
        let varies = |slot: &Slot| !(slot.sides.0.is_constant() && slot.sides.1.is_constant());
        let is_asked = |slot: &Slot| is_counter(slot) || (slot.kind == SlotKind::Size && !may_grow);
        let mut slots: Vec<&Slot> = self.slots.iter().filter(|slot| is_asked(slot) && varies(slot)).collect();
        slots.retain(|slot| may_grow || fixed(slot));
        slots.sort_by_key(|slot| !fixed(slot));
        let below = slots.into_iter().flat_map(|slot| [Rat::MINUS_ONE, Rat::ZERO].map(|by| (slot, by)));
        let bounds = below.map(|(slot, by)| (slot.sides.0.plus_constant(&by), slot.sides.1.plus_constant(&by)));
        let known = || own_bounds(contents).filter(|bounds| self.is_told(bounds) && is_bound(bounds));
        let (left, right) = { bounds }.find(is_bound).or_else(known)?;
        Some(self.slot(&left, &right, SlotKind::Offset, "most".to_owned()))
    }
}

impl Pairer<'_> {
    /// True of a number that is tied to another one in both states, such as the size of an object.
    fn is_told(&self, (left, right): &(LinExpr, LinExpr)) -> bool {
        self.slots.iter().any(|slot| {
            let (own, other) = (&slot.sides.0, &slot.sides.1);
            in_terms_of(left, own, other).as_ref() == Some(right)
                || in_terms_of(own, left, right).as_ref() == Some(other)
        })
    }
}

/// The bounds that both states have, where what they come from is forgotten.
fn own_bounds(contents: &[(Side, Content)]) -> Option<(LinExpr, LinExpr)> {
    let of = |left: bool| {
        let own = contents.iter().filter(|(side, _)| side.is_left() == left);
        own.filter_map(|(_, content)| match content {
            Content::Between(_, Value::Int(high)) if !high.is_constant() => Some(high.clone()),
            _ => None,
        })
        .next()
    };
    Some((of(true)?, of(false)?))
}

fn is_counter(slot: &Slot) -> bool {
    matches!(slot.kind, SlotKind::Register(_) | SlotKind::Content(_) | SlotKind::Given)
}

fn is_number(cell: &Cell) -> bool {
    matches!(cell.value, Value::Int(_))
}

fn part(from: LinExpr, to: LinExpr, contents: Vec<Content>) -> Part {
    Part { from, to, contents, class: Class::Shared, ranges: Vec::new() }
}

fn nothing(place: LinExpr) -> Run {
    vec![part(place.clone(), place, Vec::new())]
}

/// What a state knows of the numbers of an array.
fn figures_of(state: &State, id: AllocId, words: Words) -> Vec<Run> {
    let mut parts: Vec<Part> = Vec::new();
    for (number, range) in state.ranges.iter().enumerate() {
        if range.alloc == id && is_figures(range) && range.step == words.step && range.width == words.width {
            let own = part(range.from.clone(), range.to.clone(), vec![range.content.clone()]);
            parts.push(Part { ranges: vec![number], ..own });
        }
    }
    if parts.is_empty()
        && let Some(zeros) = zeros_of(state, id, words)
    {
        return vec![zeros];
    }
    for cell in state.cells.iter().filter(|cell| cell.alloc == id && cell.width == words.width && is_number(cell)) {
        let to = cell.offset.plus(&LinExpr::constant(words.step as i64));
        if !parts.iter().any(|part| covers(state, part, &cell.offset, &to)) {
            parts.push(part(cell.offset.clone(), to, vec![Content::Same(cell.value.clone())]));
        }
    }
    chained(overlapped(state, parts))
}

/// The words of an object that is still 0 where no number has been written.
fn zeros_of(state: &State, id: AllocId, words: Words) -> Option<Run> {
    let known = state.allocations.get(&id).filter(|known| known.zeroed)?;
    let own = state.cells.iter().filter(|cell| cell.alloc == id);
    let mut contents = vec![Content::Same(Value::Int(LinExpr::constant(0)))];
    for cell in own {
        let fits = cell.width == words.width && residue(&cell.offset, words.step) == Some(0) && is_number(cell);
        contents.push(Content::Same(fits.then(|| cell.value.clone())?));
    }
    let spare = residue(&known.size, words.step)?;
    let to = known.size.minus(&LinExpr::constant(spare as i64));
    Some(vec![part(LinExpr::constant(0), to, contents)])
}

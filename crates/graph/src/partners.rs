//! Which cells of two states are one: those at the same place, or at the same distance from the same thing; of a string, its end.

use belay_linear::{LinExpr, Rat};
use belay_symbolic::{AllocId, Cell, Value};

use super::arrays::is_at_least;
use super::pairing::{Pairer, Slot, SlotKind, is_zero};

impl Pairer<'_> {
    /// The cell of the right state that stands where `cell` stands in the left one: at the same distance from the same thing.
    pub(super) fn partner(&self, cell: &Cell, taken: &[bool]) -> Option<usize> {
        let alloc = match cell.alloc {
            AllocId::Global(_) => cell.alloc,
            AllocId::Made(_) => *self.objects.get(&cell.alloc)?,
        };
        if let Some(at) = self.exposed_beside(cell).filter(|at| !taken[*at]) {
            return Some(at);
        }
        let is_alike = |at: &usize| {
            let other = &self.right.cells[*at];
            other.width == cell.width && alike(&other.value, &cell.value) && !self.is_element(1, other)
        };
        let own = self.cells_of.right.get(&alloc).into_iter().flatten().copied();
        let alike: Vec<usize> = own.filter(is_alike).collect();
        let free: Vec<usize> = alike.iter().copied().filter(|at| !taken[*at]).collect();
        // A 0 that is one of the bytes at constant places may end the string as well.
        let may_share = free.is_empty() && ends_string(cell) && !cell.offset.is_constant();
        let ends = || alike.into_iter().filter(|at| ends_string(&self.right.cells[*at])).collect();
        let candidates: Vec<usize> = if may_share { ends() } else { free };
        if candidates.is_empty() {
            return None;
        }
        let offset = |at: &usize| &self.right.cells[*at].offset;
        let fixed = candidates.iter().find(|at| cell.offset.is_constant() && *offset(at) == cell.offset);
        // A 0 that ends a string is found where the string ends now, rather than in what stands at its place.
        let held = fixed.filter(|at| !ends_string(cell) || ends_string(&self.right.cells[**at]));
        let by_slot = || self.beside_slot(cell, &candidates);
        let same = || candidates.iter().find(|at| !cell.offset.is_constant() && *offset(at) == cell.offset);
        let element = || {
            let numbers = |slot: &&Slot| matches!(slot.kind, SlotKind::Register(_) | SlotKind::Content(_));
            self.slots
                .iter()
                .filter(numbers)
                .find_map(|slot| candidates.iter().find(|at| is_element_at(slot, &cell.offset, offset(at))))
        };
        let end = || {
            let ends = candidates.iter().map(|at| (*at, &self.right.cells[*at]));
            let theirs = self.last(ends.filter(|(_, other)| ends_string(other)).collect(), 1)?;
            let own = self.left.cells.iter().enumerate();
            let own = own.filter(|(_, other)| other.alloc == cell.alloc && ends_string(other)).collect();
            let own = &self.left.cells[self.last(own, 0)?];
            let moves = !own.offset.is_constant() || !self.right.cells[theirs].offset.is_constant();
            candidates.iter().find(|at| **at == theirs && moves && own == cell)
        };
        let scaled = || {
            let place = self.beside(&cell.offset, 0)?;
            candidates.iter().find(|at| !cell.offset.is_constant() && *offset(at) == place)
        };
        let counted = || candidates.iter().find(|at| self.is_counted_end(cell, &self.right.cells[**at]));
        let summed = || self.measured_end(cell, &candidates);
        let in_order = || candidates.iter().find(|at| self.comes_as(cell, **at, alloc));
        let known = held.or_else(counted).or_else(summed).or_else(by_slot).or_else(scaled).or_else(end).or(fixed);
        let known = known.or_else(in_order).or_else(|| self.leads_alike(cell, &candidates));
        // Variables of two states may have the same name by accident.
        known.or_else(same).or_else(element).copied()
    }

    /// The only element of an array that leads to what `cell` leads to, where something else leads there in both states.
    fn leads_alike<'c>(&self, cell: &Cell, candidates: &'c [usize]) -> Option<&'c usize> {
        let Value::Pointer(target, _) = &cell.value else { return None };
        let other = self.objects.get(target).filter(|_| self.is_in_array(0, cell))?;
        let leads = |at: &&usize| matches!(&self.right.cells[**at].value, Value::Pointer(id, _) if id == other);
        let mut found = candidates.iter().filter(leads);
        found.next().filter(|_| found.next().is_none())
    }

    /// True if two cells end a string where a number says so in both states, as the length that is kept beside a text does.
    fn is_counted_end(&self, left: &Cell, right: &Cell) -> bool {
        let counts = |slot: &Slot| {
            let counter = matches!(slot.kind, SlotKind::Register(_) | SlotKind::Content(_));
            counter && slot.sides.0 == left.offset && slot.sides.1 == right.offset
        };
        let moves = !left.offset.is_constant() || left.offset != right.offset;
        moves && ends_string(left) && ends_string(right) && self.slots.iter().any(counts)
    }

    /// The end of a string that is so many bytes behind a place, or behind a header, as a number says.
    fn measured_end<'c>(&self, cell: &Cell, candidates: &'c [usize]) -> Option<&'c usize> {
        let summed = candidates.iter().find(|at| self.is_summed_end(cell, &self.right.cells[**at]));
        summed.or_else(|| candidates.iter().find(|at| self.is_headed_end(cell, &self.right.cells[**at])))
    }

    /// True if two cells end a string as far behind a number in both states: the length of a text that stands behind what says how long it is.
    fn is_headed_end(&self, left: &Cell, right: &Cell) -> bool {
        let counts = |slot: &Slot| {
            let (own, other) = (left.offset.minus(&slot.sides.0), right.offset.minus(&slot.sides.1));
            let counter = matches!(slot.kind, SlotKind::Content(width) if width > 8);
            counter && own == other && own.is_constant() && own.offset().is_positive()
        };
        let moves = !left.offset.is_constant() || left.offset != right.offset;
        moves && ends_string(left) && ends_string(right) && self.slots.iter().any(counts)
    }

    /// True if two cells end a string so many bytes behind a place as a number says in both states: `s[n]`, where `s` moves as well.
    fn is_summed_end(&self, left: &Cell, right: &Cell) -> bool {
        let is_there = |place: &Slot, number: &Slot| {
            let (own, other) = (left.offset.minus(&place.sides.0), right.offset.minus(&place.sides.1));
            own == number.sides.0 && other == number.sides.1
        };
        let is_long = left.offset.terms().len() > 1 || right.offset.terms().len() > 1;
        is_long && ends_string(left) && ends_string(right) && self.any_sum(is_there)
    }

    /// True if two cells end strings and come as often behind others of their object that do, where both states have as many: the ends of two words in one line.
    fn comes_as(&self, left: &Cell, right: usize, alloc: AllocId) -> bool {
        let moves = |cell: &&Cell| ends_string(cell) && !cell.offset.is_constant();
        let own: Vec<&Cell> = self.left.cells.iter().filter(|cell| cell.alloc == left.alloc).filter(moves).collect();
        let others: Vec<&Cell> = self.right.cells.iter().filter(|cell| cell.alloc == alloc).filter(moves).collect();
        let place = own.iter().position(|cell| *cell == left);
        own.len() == others.len() && place.is_some_and(|place| *others[place] == self.right.cells[right])
    }

    /// True if a place and a number are as asked.
    fn any_sum(&self, is_asked: impl Fn(&Slot, &Slot) -> bool) -> bool {
        let numbers = || {
            let counts = |slot: &&Slot| matches!(slot.kind, SlotKind::Register(_) | SlotKind::Content(_));
            self.slots.iter().filter(counts)
        };
        let mut places = self.slots.iter().filter(|slot| slot.kind == SlotKind::Offset);
        places.any(|place| numbers().any(|number| is_asked(place, number)))
    }

    /// The candidate at the same distance from the same thing: the size of an object first, then where a pointer or a number leads.
    fn beside_slot<'c>(&self, cell: &Cell, candidates: &'c [usize]) -> Option<&'c usize> {
        let is_fixed = |slot: &&Slot| slot.sides.0.is_constant() && slot.sides.1.is_constant();
        let places = |slot: &&Slot| matches!(slot.kind, SlotKind::Offset | SlotKind::Register(_) | SlotKind::Given);
        let sizes = self.slots.iter().filter(|slot| slot.kind == SlotKind::Size);
        let slots = sizes.chain(self.slots.iter().filter(places)).filter(|slot| !is_fixed(slot));
        slots.filter(|slot| slot.sides.0.terms() == cell.offset.terms()).find_map(|slot| {
            let distance = cell.offset.offset() - slot.sides.0.offset();
            candidates.iter().find(|at| {
                let (other, side) = (&self.right.cells[**at].offset, &slot.sides.1);
                other.terms() == side.terms() && other.offset() - side.offset() == distance
            })
        })
    }

    /// The end of a string among cells that hold a 0: the only one whose place is no constant, or the only one of those that nothing points at, as where a walk has just come upon
    /// another; where all are at constants, the last.
    fn last(&self, ends: Vec<(usize, &Cell)>, side: usize) -> Option<usize> {
        let points = |slot: &Slot, cell: &Cell| {
            let own = if side == 0 { &slot.sides.0 } else { &slot.sides.1 };
            matches!(slot.kind, SlotKind::Offset | SlotKind::Register(_)) && own.terms() == cell.offset.terms()
        };
        let only = |ends: &[usize]| if let [end] = ends { Some(*end) } else { None };
        let moving = || ends.iter().filter(|(_, cell)| !cell.offset.is_constant());
        let all: Vec<usize> = moving().map(|(at, _)| *at).collect();
        if all.is_empty() {
            return ends.iter().max_by(|a, b| a.1.offset.offset().cmp(b.1.offset.offset())).map(|(at, _)| *at);
        }
        // `s[n]` is a place like `p` where `p` is `s + n`.
        let leads = |cell: &Cell| {
            let of = |slot: &Slot| if side == 0 { slot.sides.0.clone() } else { slot.sides.1.clone() };
            cell.offset.terms().len() > 1
                && self.any_sum(|place, number| of(place).plus(&of(number)).terms() == cell.offset.terms())
        };
        let unmarked = moving().filter(|(_, cell)| !self.slots.iter().any(|slot| points(slot, cell)) && !leads(cell));
        // Where the end has been cut off (`line[n - 1] = 0`), or the text was measured, the one that is behind the others.
        let farthest = || {
            let state = if side == 0 { self.left } else { self.right };
            let is_behind = |one: &Cell, other: &Cell| {
                let apart = one.offset.minus(&other.offset);
                is_at_least(state, &apart)
            };
            moving().find(|(_, one)| moving().all(|(_, other)| is_behind(one, other))).map(|(at, _)| *at)
        };
        let unmarked = || only(&unmarked.map(|(at, _)| *at).collect::<Vec<usize>>());
        only(&all).or_else(unmarked).or_else(farthest)
    }
}

/// True if two offsets are the same multiple of what a slot is in each state, at the same distance: the element that an index names,
/// or the byte that a length does.
fn is_element_at(slot: &Slot, left: &LinExpr, right: &LinExpr) -> bool {
    let (own, other) = (&slot.sides.0, &slot.sides.1);
    let factor = |expr: &LinExpr, index: &LinExpr| {
        let ((var, many), (same, one)) = (expr.terms().first()?, index.terms().first()?);
        (var == same).then(|| many / one)
    };
    let Some(factor) = factor(right, other).or_else(|| factor(left, own)) else { return false };
    let (left, right) = (left.add_scaled(&-&factor, own), right.add_scaled(&-&factor, other));
    factor.is_integer() && factor >= Rat::ONE && left.is_constant() && left == right
}

/// True if the values of two cells may have something in common.
fn alike(left: &Value, right: &Value) -> bool {
    let leads = |value: &Value| matches!(value, Value::Pointer(..) | Value::Null) || is_zero(value);
    std::mem::discriminant(left) == std::mem::discriminant(right) || (leads(left) && leads(right))
}

/// True if a cell ends a string.
pub(super) fn ends_string(cell: &Cell) -> bool {
    cell.width == 1 && is_zero(&cell.value)
}

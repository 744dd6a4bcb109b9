//! Arrays that are still 0, or were: what has been written between null pointers, and where an element is looked at.

use belay_linear::{LinExpr, Rat};
use belay_symbolic::{AllocId, Cell, Content, Value, place_of, residue};

use super::super::pairing::Pairer;
use super::leads;
use super::runs::{Class, Part, Run, joined};

impl Pairer<'_> {
    /// The element that a state looks at while the other has nothing but zeros in the array: its place there, the first one where nothing says which. It is a cell of both then, and no
    /// part of a range.
    pub(super) fn gap(&mut self, side: usize, (left, right): (AllocId, AllocId), start: u64) -> Option<LinExpr> {
        let (own, other) = if side == 0 { (left, right) } else { (right, left) };
        let (state, zeros) = if side == 0 { (self.left, self.right) } else { (self.right, self.left) };
        let bare = zeros.allocations.get(&other).is_some_and(|known| known.zeroed)
            && !zeros.cells.iter().any(|cell| cell.alloc == other)
            && !zeros.ranges.iter().any(|range| range.alloc == other);
        let looked_at = |cell: &&Cell| {
            cell.alloc == own && leads(cell) && !cell.offset.is_constant() && !self.is_element(side, cell)
        };
        let cell = state.cells.iter().find(looked_at).filter(|_| bare)?.clone();
        let place = self.beside(&cell.offset, side).unwrap_or_else(|| LinExpr::constant(start as i64));
        let null = Cell { alloc: other, offset: place.clone(), width: cell.width, value: Value::Null };
        if side == 0 {
            self.cell(&cell, &null)
        } else {
            self.cell(&null, &cell)
        }
        Some(place)
    }

    /// The place of the only element that a state looks at where that is no constant.
    pub(super) fn held_amid(&self, side: usize, id: AllocId) -> Option<LinExpr> {
        let state = if side == 0 { self.left } else { self.right };
        let looked_at = |cell: &&Cell| {
            cell.alloc == id && leads(cell) && !cell.offset.is_constant() && !self.is_element(side, cell)
        };
        let mut found = state.cells.iter().filter(looked_at);
        found.next().filter(|_| found.next().is_none()).map(|cell| cell.offset.clone())
    }

    /// Parts between null pointers, from the first word of an object that is still 0 to its last.
    pub(super) fn amid_zeros(
        &self,
        side: usize,
        (id, held): (AllocId, Option<&LinExpr>),
        (step, start): (u64, u64),
        size: &LinExpr,
        parts: &[Part],
    ) -> Option<Run> {
        let state = if side == 0 { self.left } else { self.right };
        let number = |number: u64| LinExpr::constant(number as i64);
        let (mut from, mut to) = (number(start), size.clone());
        let is_other = |cell: &&Cell| cell.alloc == id && !self.is_element(side, cell) && Some(&cell.offset) != held;
        for cell in state.cells.iter().filter(is_other) {
            let at = place_of(&cell.offset)?;
            let rest = residue(&cell.offset.minus(&from), step)?;
            if rest >= self.program.layout.pointer_bytes() && rest + cell.width <= step {
                continue;
            }
            let behind = |part: &Part| *part.from.offset() > Rat::from(at as i64);
            if parts.iter().all(behind) && !parts.is_empty() {
                let next = at + cell.width;
                let least = number(next + (start + step - next % step) % step);
                from = if least.offset() > from.offset() { least } else { from };
            } else {
                to = number(at);
            }
        }
        let spare = residue(&to.minus(&from), step)?;
        let to = to.minus(&number(spare));
        let null = |from: &LinExpr, to: &LinExpr| Part {
            from: from.clone(),
            to: to.clone(),
            contents: vec![Content::Same(Value::Null)],
            class: Class::Null,
            ranges: Vec::new(),
        };
        let mut ordered = parts.to_vec();
        if ordered.iter().all(|part| part.from.is_constant()) {
            ordered.sort_by(|a, b| a.from.offset().cmp(b.from.offset()));
        } else if ordered.len() > 1 {
            let contents = ordered.into_iter().flat_map(|part| part.contents);
            let contents = contents.chain([Content::Same(Value::Null)]).collect();
            return Some(vec![Part { from, to, contents, class: Class::Mixed, ranges: Vec::new() }]);
        }
        let mut run = Vec::new();
        let mut at = from;
        for part in ordered {
            if part.from != at {
                run.push(null(&at, &part.from));
            }
            at = part.to.clone();
            run.push(part);
        }
        if at != to {
            run.push(null(&at, &to));
        }
        // An object of no bytes has no elements.
        (!run.is_empty()).then(|| joined(run))
    }
}

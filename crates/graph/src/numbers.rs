//! Numbers in memory of which only one of two states speaks: memory that was never written has a content too, which stays as it is.
//!
//! Where one state has a cell with a number at a place that both have (a constant offset, or where a pointer or an index points), the other gets a variable for
//! what stands there. Where the newer state speaks of more than the older one, the older one gets the cell once it represents the newer one, and nothing
//! else changes. The merged state keeps the cell, and the checker finds a number for it in every state (see the crate `states`, `instance`).

use belay_ir::{IntegerModel, Program};
use belay_linear::{Constraint, LinExpr, Rat, Var};
use belay_symbolic::{AllocId, Cell, State, Value, known_number};

use super::pairing::{Curiosity, Folding, Found, GivenLists, Pairer, Phases, Plan, Remains, SlotKind, is_zero, pair};

/// Cells added by one merge at most.
const MAX_NUMBERS: usize = 12;

/// The older state with the numbers in memory that the newer one speaks of; none if it speaks of them already.
pub(super) fn with_numbers(program: &Program, integers: IntegerModel, old: &State, new: &State) -> Option<State> {
    let (phases, remains) = (Phases::Joined, Remains::Kept);
    let plan = Plan { folding: Folding::Blocks, order: GivenLists::First, phases, remains };
    let mut found = pair(program, (old, new), plan, Curiosity::Both).found;
    found.retain(|number| number.side == 0);
    let mut state = old.clone();
    for Found { alloc, place, width, .. } in &found {
        let number = state.fresh();
        state.names.push(format!("cell{}", state.cells.len()));
        if integers == IntegerModel::Machine {
            state.knowledge.constraints.extend(bounds(&number, *width));
        }
        state.cells.push(Cell { alloc: *alloc, offset: place.clone(), width: *width, value: Value::Int(number) });
    }
    (!found.is_empty()).then_some(state)
}

/// The bytes of an object that stand where a cell of another state does, if they are still 0 or part of a constant.
fn bytes_at(state: &State, id: AllocId, cell: &Cell) -> Option<Cell> {
    let own = || state.cells.iter().filter(|other| other.alloc == id);
    let apart = |other: &Cell| {
        let distance = other.offset.minus(&cell.offset);
        let (before, after) = (-&Rat::from(other.width as i64), Rat::from(cell.width as i64));
        distance.is_constant() && (*distance.offset() <= before || *distance.offset() >= after)
    };
    let zeroed = state.allocations.get(&id).is_some_and(|known| known.zeroed);
    let zeroed = zeroed && !state.ranges.iter().any(|range| range.alloc == id);
    let value = match (zeroed && own().all(apart), &cell.value) {
        (true, Value::Pointer(..) | Value::Null) => Value::Null,
        (true, Value::Int(_)) if is_member(state, id, cell) => Value::Int(LinExpr::default()),
        (false, Value::Int(_)) => Value::Int(known_number(own(), false, &cell.offset, cell.width)?),
        (_, _) => return None,
    };
    Some(Cell { alloc: id, value, ..cell.clone() })
}

/// The first byte of an object that is still 0.
fn first_zero(state: &State, id: AllocId) -> Option<Cell> {
    let known = state.allocations.get(&id).filter(|known| known.zeroed)?;
    let is_there = known.size.is_constant() && known.size.offset().is_positive();
    let cells = state.cells.iter().filter(|cell| cell.alloc == id);
    let first = Cell { alloc: id, offset: LinExpr::default(), width: 1, value: Value::Int(LinExpr::default()) };
    let is_bare = !state.ranges.iter().any(|range| range.alloc == id);
    (is_there && is_bare && known_number(cells, true, &first.offset, 1).is_some_and(|byte| is_zero(&Value::Int(byte))))
        .then_some(first)
}

/// The greatest object whose numbers are members rather than elements or text.
const MAX_STRUCTURE: i64 = 256;

/// True if a cell may be a member of a structure: a counter, a length.
fn is_member(state: &State, id: AllocId, cell: &Cell) -> bool {
    let small = |size: &LinExpr| size.is_constant() && *size.offset() <= Rat::from(MAX_STRUCTURE);
    cell.width > 1 && state.allocations.get(&id).is_some_and(|known| small(&known.size))
}

/// That a number is one of so many bytes.
pub(super) fn bounds(number: &LinExpr, width: u64) -> [Constraint; 2] {
    let quarter = Rat::from(1i64 << (8 * width.clamp(1, 8) - 2));
    let half = LinExpr::constant(&quarter + &quarter);
    [Constraint::ge(number.plus(&half)), Constraint::ge(half.minus(number).plus_constant(&Rat::MINUS_ONE))]
}

impl Pairer<'_> {
    /// What is still 0 in both states stays so beside the cells that they have: structures that begin with zeros, of which some members were written.
    pub(super) fn zeros(&mut self) {
        let pairs: Vec<(AllocId, AllocId)> = self.objects.iter().map(|(a, b)| (*a, *b)).collect();
        for (left, right) in pairs {
            if let Some((made, places)) = self.zeros_beside(left, right) {
                places.into_iter().for_each(|place| self.keep_anything(made, place));
                self.state.allocations.entry(made).and_modify(|known| known.zeroed = true);
            }
        }
    }

    /// The merged object of two structures that are still 0 beside some cells, and where those are that the merged state has not.
    fn zeros_beside(&self, left: AllocId, right: AllocId) -> Option<(AllocId, Vec<(i64, u64)>)> {
        let made = self.made_of(left)?;
        let sides = [(self.left, left), (self.right, right)];
        let is_structure = |(state, id): &(&State, AllocId)| {
            let known = state.allocations.get(id).filter(|known| known.zeroed && known.size.is_constant());
            known.is_some_and(|known| *known.size.offset() <= Rat::from(MAX_STRUCTURE))
                && !state.ranges.iter().any(|range| range.alloc == *id)
        };
        let is_new = self.state.allocations.get(&made).is_some_and(|known| !known.zeroed);
        let has_range = self.state.ranges.iter().any(|range| range.alloc == made);
        if !is_new || has_range || !sides.iter().all(is_structure) {
            return None;
        }
        let kept = self.state.cells.iter().filter(|cell| cell.alloc == made);
        let mut known: Vec<(i64, u64)> =
            kept.filter_map(|cell| Some((self.place_in_both(cell)?, cell.width))).collect();
        let mut missing = Vec::new();
        for (state, id) in sides {
            for cell in state.cells.iter().filter(|cell| cell.alloc == id) {
                let at = cell.offset.offset().to_i64().filter(|_| cell.offset.is_constant())?;
                let end = at + i64::try_from(cell.width).ok()?;
                let covers = |(from, width): &(i64, u64)| *from <= at && end <= from + *width as i64;
                let zero = is_zero(&cell.value) || cell.value == Value::Null;
                if !zero && !known.iter().any(covers) {
                    known.push((at, cell.width));
                    missing.push((at, cell.width));
                }
            }
        }
        Some((made, missing))
    }

    /// The constant place of a cell of the merged state.
    fn place_in_both(&self, cell: &Cell) -> Option<i64> {
        let [(var, _)] = cell.offset.terms() else { return None };
        let (left, right) = &self.slots.get(var.index())?.sides;
        (left == right && left.is_constant()).then(|| left.offset().to_i64())?
    }

    /// Adds that anything stands at a place.
    fn keep_anything(&mut self, alloc: AllocId, (at, width): (i64, u64)) {
        let place = LinExpr::constant(at);
        let offset = self.slot(&place, &place, SlotKind::CellOffset, format!("at{at}"));
        self.state.cells.push(Cell { alloc, offset, width, value: Value::Top });
    }

    /// Pairs cells that only one state speaks of with bytes of the other that are still 0, or part of a constant.
    pub(super) fn cells_beside_bytes(&mut self, done: &mut [bool], taken: &mut [bool]) -> bool {
        let mut found = false;
        for (at, cell) in self.left.cells.iter().enumerate().filter(|(_, cell)| cell.offset.is_constant()) {
            let other = self.partner_of(cell.alloc, 0);
            if self.is_element(0, cell) {
                continue;
            }
            if let (false, Some(bytes)) = (done[at], other.and_then(|id| bytes_at(self.right, id, cell))) {
                (done[at], found) = (true, true);
                self.cell(cell, &bytes);
            }
        }
        for (at, cell) in self.right.cells.iter().enumerate().filter(|(_, cell)| cell.offset.is_constant()) {
            let other = self.partner_of(cell.alloc, 1);
            if self.is_element(1, cell) {
                continue;
            }
            if let (false, Some(bytes)) = (taken[at], other.and_then(|id| bytes_at(self.left, id, cell))) {
                (taken[at], found) = (true, true);
                self.cell(&bytes, cell);
            }
        }
        found || self.ends_beside_zeros(done, taken)
    }

    /// Pairs the end of a string, at a place that moves, with the first byte of an object that is still 0.
    fn ends_beside_zeros(&mut self, done: &mut [bool], taken: &mut [bool]) -> bool {
        let mut found = false;
        for side in 0..2 {
            let (own, other) = if side == 0 { (self.left, self.right) } else { (self.right, self.left) };
            let known: &mut [bool] = if side == 0 { &mut *done } else { &mut *taken };
            for (at, cell) in own.cells.iter().enumerate() {
                let is_end = cell.width == 1 && !cell.offset.is_constant() && is_zero(&cell.value);
                if known[at] || !is_end || self.is_element(side, cell) {
                    continue;
                }
                let Some(first) = self.partner_of(cell.alloc, side).and_then(|id| first_zero(other, id)) else {
                    continue;
                };
                (known[at], found) = (true, true);
                let (left, right) = if side == 0 { (cell, &first) } else { (&first, cell) };
                self.cell(left, right);
            }
        }
        found
    }

    /// The object of the other state that an object is paired with.
    fn partner_of(&self, id: AllocId, side: usize) -> Option<AllocId> {
        match (id, side) {
            (AllocId::Global(_), _) => Some(id),
            (_, 0) => self.objects.get(&id).copied(),
            (_, _) => self.objects.iter().find(|(_, right)| **right == id).map(|(left, _)| *left),
        }
    }

    /// Adds cells that only one state has: `side` 0 is the left one. `known` are those that have been paired.
    pub(super) fn numbers(&mut self, side: usize, known: &[bool]) {
        let state = if side == 0 { self.left } else { self.right };
        for (cell, _) in state.cells.iter().zip(known).filter(|(_, known)| !**known) {
            if self.found.len() < MAX_NUMBERS {
                self.number_beside(cell, side);
            }
        }
    }

    /// Pairs a cell of one state with a number of the other one.
    fn number_beside(&mut self, cell: &Cell, side: usize) {
        let Value::Int(value) = &cell.value else { return };
        let object = match (cell.alloc, side) {
            (AllocId::Global(_), _) => Some((cell.alloc, cell.alloc)),
            (own, 0) => self.objects.get(&own).map(|other| (own, *other)),
            (own, _) => self.objects.iter().find(|(_, right)| **right == own).map(|(left, _)| (*left, own)),
        };
        let (Some((left, right)), true) = (object, (1..=8).contains(&cell.width)) else { return };
        let alloc = self.object(left, right);
        let other = if side == 0 { self.right } else { self.left };
        let (Some(alloc), Some(place)) = (alloc, self.other_place(cell, side)) else { return };
        let theirs = if side == 0 { right } else { left };
        let near = |known: &Cell| {
            let distance = known.offset.minus(&place);
            known.alloc == theirs
                && distance.is_constant()
                && *distance.offset() < Rat::from(8)
                && *distance.offset() > Rat::from(-8)
        };
        if other.cells.iter().any(near) {
            return;
        }
        let number = LinExpr::var(Var(other.next_var + self.found.len() as u32));
        self.found.push(Found {
            number: number.clone(),
            side: 1 - side,
            alloc: theirs,
            place: place.clone(),
            width: cell.width,
        });
        let order = |own: &LinExpr, beside: &LinExpr| match side {
            0 => (own.clone(), beside.clone()),
            _ => (beside.clone(), own.clone()),
        };
        let (values, places) = (order(value, &number), order(&cell.offset, &place));
        let at = self.state.cells.len();
        let kind = SlotKind::Content((8 * cell.width) as u16);
        let value = Value::Int(self.slot(&values.0, &values.1, kind, format!("cell{at}")));
        let offset = self.slot(&places.0, &places.1, SlotKind::CellOffset, format!("at{at}"));
        self.state.cells.push(Cell { alloc, offset, width: cell.width, value });
    }

    /// The place in the other state that is where a cell is: at the same constant, or where a slot says so in both.
    fn other_place(&self, cell: &Cell, side: usize) -> Option<LinExpr> {
        if cell.offset.is_constant() {
            return Some(cell.offset.clone());
        }
        let width = Rat::from(cell.width as i64);
        self.slots.iter().find_map(|slot| {
            let (own, other) = if side == 0 { (&slot.sides.0, &slot.sides.1) } else { (&slot.sides.1, &slot.sides.0) };
            match slot.kind {
                SlotKind::Offset if *own == cell.offset => Some(other.clone()),
                SlotKind::Register(_) if !own.is_constant() && own.scaled(&width) == cell.offset => {
                    Some(other.scaled(&width))
                }
                _ => None,
            }
        })
    }
}

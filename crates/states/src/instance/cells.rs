//! Cells of the general state as cells of the special one.
//!
//! A cell whose place is known is found at once. Where the place is a variable that nothing else gives a value, the cells of the object are tried: first in one go, each time
//! the one at a place of the same name or the first that fits, and if that leads nowhere, one after the other.

use belay_base::Exhausted;
use belay_ir::IntegerModel;
use belay_linear::{Constraint, LinExpr};

use super::super::knowledge::{Entailment, constant};
use super::super::state::{AllocId, Cell, Value};
use super::zeros::nulled;
use super::{Matcher, Pairing, solved};

impl Matcher<'_> {
    /// Finds the cells `todo` of the general state, those with a known place first, then checks what is left.
    pub(crate) fn cells(
        &mut self,
        mut todo: Vec<usize>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        if !self.evident(&mut todo, oracle)? {
            return Ok(None);
        }
        if let Some(list) = self.next_list() {
            return self.list(list, &todo, tries, oracle);
        }
        let Some((position, alloc)) = self.next_cell(&todo) else {
            return self.next_range_and(&todo, tries, oracle);
        };
        // What can be said already need not be found out anew for each way to go on.
        if !self.constraints_hold(oracle)? {
            return Ok(None);
        }
        if !std::mem::replace(&mut self.guessed, true)
            && let Some(found) = self.clone().straight(todo.clone(), tries, oracle)?
        {
            return Ok(Some(found));
        }
        let mut rest = todo;
        let at = rest.remove(position);
        for other in self.candidates(at, alloc) {
            if *tries == 0 {
                return Ok(None);
            }
            *tries -= 1;
            let mut attempt = self.clone();
            if !attempt.stands_at(at, other, oracle)? {
                continue;
            }
            if let Some(found) = attempt.cells(rest.clone(), tries, oracle)? {
                return Ok(Some(found));
            }
        }
        let cell = &self.general.cells[at];
        match self.instantiate(&cell.offset) {
            Some(_) if self.number_in_memory(&cell.value, cell.width) => self.cells(rest, tries, oracle),
            Some(_) => Ok(None),
            None => self.zero_somewhere((at, alloc), rest, tries, oracle),
        }
    }

    /// A number at an unknown place of an object that is still 0 is 0, and a pointer null; where that tells the place, it is looked for there like any other. Where nothing
    /// does, any place will do for it: the first. (Where the object has no bytes, a cell there says nothing: whoever uses a cell asks whether it is inside, see `shown_string`.)
    fn zero_somewhere(
        &mut self,
        (at, alloc): (usize, AllocId),
        mut rest: Vec<usize>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        let cell = &self.general.cells[at];
        let is_zeroed = self.special.allocations.get(&alloc).is_some_and(|known| known.zeroed);
        let zero = match cell.value {
            Value::Int(_) => Value::Int(constant(0)),
            Value::Pointer(..) | Value::Null => Value::Null,
            Value::Truth(_) | Value::Address(..) | Value::Function(_) | Value::Top => return Ok(None),
        };
        if *tries == 0 || !is_zeroed {
            return Ok(None);
        }
        *tries -= 1;
        let is_zero = self.value(&cell.value, &zero) && self.bound(oracle)?;
        if !is_zero {
            return Ok(None);
        }
        if self.instantiate(&cell.offset).is_none() {
            self.equations.push((cell.offset.clone(), constant(0)));
            if !self.bound(oracle)? || self.instantiate(&cell.offset).is_none() {
                return Ok(None);
            }
        }
        rest.push(at);
        self.cells(rest, tries, oracle)
    }

    /// The same, where the first cell that fits is the right one each time.
    fn straight(
        mut self,
        mut todo: Vec<usize>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        loop {
            if !self.evident(&mut todo, oracle)? {
                return Ok(None);
            }
            if let Some(list) = self.next_list() {
                return self.list(list, &todo, tries, oracle);
            }
            let Some((position, alloc)) = self.next_cell(&todo) else {
                match self.next_range(oracle)? {
                    Some(true) => continue,
                    None if todo.is_empty() => return self.finish(oracle),
                    Some(false) | None => return Ok(None),
                }
            };
            let at = todo.remove(position);
            let cell = &self.general.cells[at];
            let found = match self.candidates(at, alloc).first() {
                Some(other) => self.stands_at(at, *other, oracle)?,
                None => self.instantiate(&cell.offset).is_some() && self.number_in_memory(&cell.value, cell.width),
            };
            if !found {
                return Ok(None);
            }
        }
    }

    /// Finds the cells whose place is known in both states; false if one of them holds something else.
    fn evident(&mut self, todo: &mut Vec<usize>, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        for find in [Self::obvious, Self::implied] {
            loop {
                let before = todo.len();
                let mut rest = Vec::new();
                for at in std::mem::take(todo) {
                    let Some(value) = find(self, at) else {
                        rest.push(at);
                        continue;
                    };
                    if !self.value(&self.general.cells[at].value, &value) || !self.bound(oracle)? {
                        return Ok(false);
                    }
                }
                *todo = rest;
                if todo.len() == before {
                    break;
                }
            }
        }
        self.evident_ranges(oracle)
    }

    /// The cell to look for next, and the object of the special state in which it is: one whose place there is known, if there is such.
    fn next_cell(&self, todo: &[usize]) -> Option<(usize, AllocId)> {
        let placed = |at: usize| self.instantiate(&self.general.cells[at].offset).is_some();
        let with_object =
            || todo.iter().enumerate().filter_map(|(position, at)| Some((position, *at, self.object_of(*at)?)));
        let chosen = with_object().find(|(_, at, _)| placed(*at)).or_else(|| with_object().next());
        chosen.map(|(position, _, alloc)| (position, alloc))
    }

    /// The object of the special state in which a cell of the general one is.
    pub(crate) fn object_of(&self, at: usize) -> Option<AllocId> {
        match self.general.cells[at].alloc {
            id @ AllocId::Global(_) => Some(id),
            id @ AllocId::Made(_) => self.pairing.allocs.get(&id).copied(),
        }
    }

    /// The cells of an object of the special state that may be a cell of the general one; those at a place of the same name first.
    fn candidates(&self, at: usize, alloc: AllocId) -> Vec<usize> {
        let cell = &self.general.cells[at];
        let place = self.instantiate(&cell.offset);
        let elsewhere = |offset: &LinExpr| {
            let distance = place.as_ref().map(|place| place.minus(offset));
            distance.is_some_and(|distance| distance.is_constant() && !distance.offset().is_zero())
        };
        let fits = |other: &Cell| other.width == cell.width && !elsewhere(&other.offset);
        let own = self.cells_of.get(&alloc).into_iter().flatten().copied();
        let mut found: Vec<usize> = own.filter(|other| fits(&self.special.cells[*other])).collect();
        found.sort_by_key(|other| self.special.cells[*other].offset != cell.offset);
        found
    }

    /// Takes a cell of the general state as one of the special one.
    fn stands_at(&mut self, at: usize, other: usize, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let cell = &self.general.cells[at];
        let Cell { offset, value, .. } = self.special.cells[other].clone();
        self.equations.push((cell.offset.clone(), offset));
        Ok(self.value(&cell.value, &value) && self.bound(oracle)?)
    }

    /// Takes the value of a cell of the general state as the number that stands there in the special one, of which no more is known than its
    /// width; false if it is more than a variable that has no value yet.
    fn number_in_memory(&mut self, value: &Value, width: u64) -> bool {
        let Value::Int(expr) = value else { return false };
        let [(var, factor)] = expr.terms() else { return false };
        let open = self.pairing.image.get(var.index()).is_some_and(Option::is_none);
        let elsewhere = self.equations.iter().any(|(left, _)| !left.coefficient(*var).is_zero());
        if !open || elsewhere || !factor.abs().is_one() || !(1..=8).contains(&width) {
            return false;
        }
        let special = self.special.to_mut();
        let number = special.fresh();
        if self.integers == IntegerModel::Machine {
            let half = constant(1i128 << (8 * width - 1));
            special.knowledge.constraints.push(Constraint::ge(number.plus(&half)));
            special.knowledge.constraints.push(Constraint::ge(half.minus(&number).minus(&constant(1))));
        }
        self.pairing.next_var = special.next_var;
        let Some((var, image)) = solved(expr, &number) else { return false };
        self.pairing.image[var.index()] = Some(image);
        true
    }

    /// What stands where a cell of the general state is, if just one cell of the special state is at that place.
    fn obvious(&self, at: usize) -> Option<Value> {
        let cell = &self.general.cells[at];
        let alloc = self.object_of(at)?;
        let place = self.instantiate(&cell.offset)?;
        // That anything stands there is so in every state.
        if cell.value == Value::Top {
            return Some(Value::Top);
        }
        let here = |other: &&Cell| other.width == cell.width && other.offset == place;
        let own = self.cells_of.get(&alloc).into_iter().flatten().map(|at| &self.special.cells[*at]);
        let mut found = own.filter(here);
        let only = found.next().filter(|_| found.next().is_none())?;
        let value = match cell.value {
            Value::Null | Value::Pointer(..) => nulled(&only.value),
            _ => only.value.clone(),
        };
        let alike = std::mem::discriminant(&value) == std::mem::discriminant(&cell.value);
        alike.then_some(value)
    }
}

//! Ranges of the general state as elements of the special one.
//!
//! A range is *tiled*: from its first offset on, ranges and cells of the special state follow each other without a gap up to its end, each with a content that is among
//! those that the range allows. An object that is still 0 is tiled by null pointers, and by cells at the right places. Where an end of the range
//! is a variable that nothing else gives a value, it ends where a tile ends, the longest row of them first. Blocks that elements own are used once.

use belay_base::Exhausted;
use belay_linear::LinExpr;

use super::super::array::{ArrayRange, residue};
use super::super::element::{OwnBlock, Places, loses_owned, owns};
use super::super::knowledge::{Entailment, as_constant, constant};
use super::super::segment::{Content, at, find};
use super::super::state::{AllocId, Cell, Life, Value};
use super::zeros::nulled;
use super::{Matcher, Pairing, solved};

/// Tiles of a range at most.
const MAX_TILES: usize = 200;

impl Matcher<'_> {
    /// The object of the special state in which a range of the general one is.
    fn object_of_range(&self, range: &ArrayRange) -> Option<AllocId> {
        match range.alloc {
            id @ AllocId::Global(_) => Some(id),
            id @ AllocId::Made(_) => self.pairing.allocs.get(&id).copied(),
        }
    }

    /// Finds the ranges whose places are known; false if one of them is not there.
    pub(crate) fn evident_ranges(&mut self, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let mut rest = Vec::new();
        for number in std::mem::take(&mut self.ranges) {
            let range = &self.general.ranges[number];
            let ends = (self.instantiate(&range.from), self.instantiate(&range.to));
            // Where its elements may lead may be known only when other cells are found, as the end of a string is.
            if !self.are_places_known(&range.content) {
                rest.push(number);
                continue;
            }
            match (self.object_of_range(range), ends) {
                (Some(alloc), (Some(from), Some(to))) => {
                    let range = range.clone();
                    if !self.tile(&range, alloc, from, to, oracle)? || !self.bound(oracle)? {
                        return Ok(false);
                    }
                }
                (_, _) => rest.push(number),
            }
        }
        self.ranges = rest;
        Ok(true)
    }

    /// Finds one of the other ranges, by the first place that fits; none if there is no such range, false if it is not there.
    pub(crate) fn next_range(&mut self, oracle: &mut dyn Entailment) -> Result<Option<bool>, Exhausted> {
        let Some((range, alloc)) = self.take_range() else { return Ok(None) };
        for start in self.starts(&range, alloc) {
            for end in self.range_ends(&range, alloc, &start, oracle)? {
                let mut attempt = self.clone();
                if attempt.stands_between(&range, alloc, start.clone(), end, oracle)? {
                    *self = attempt;
                    return Ok(Some(true));
                }
            }
        }
        Ok(Some(false))
    }

    /// The same, where what is left, the cells `todo` among it, has to be found as well: all places are tried.
    pub(crate) fn next_range_and(
        &mut self,
        todo: &[usize],
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        let Some((range, alloc)) = self.take_range() else {
            return if todo.is_empty() { self.finish(oracle) } else { Ok(None) };
        };
        for start in self.starts(&range, alloc) {
            for end in self.range_ends(&range, alloc, &start, oracle)? {
                if *tries == 0 {
                    return Ok(None);
                }
                *tries -= 1;
                let mut attempt = self.clone();
                if attempt.stands_between(&range, alloc, start.clone(), end, oracle)?
                    && let Some(found) = attempt.cells(todo.to_vec(), tries, oracle)?
                {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// One of the ranges that are still to be found, and the object of the special state in which it is.
    fn take_range(&mut self) -> Option<(ArrayRange, AllocId)> {
        let known = |number: &usize| self.object_of_range(&self.general.ranges[*number]).is_some();
        let at = self.ranges.iter().position(known)?;
        let range = self.general.ranges[self.ranges.remove(at)].clone();
        let alloc = self.object_of_range(&range)?;
        Some((range, alloc))
    }

    /// Where a range may begin.
    fn starts(&self, range: &ArrayRange, alloc: AllocId) -> Vec<LinExpr> {
        if let Some(start) = self.instantiate(&range.from) {
            return vec![start];
        }
        let alike = |own: &&ArrayRange| own.alloc == alloc && own.step == range.step && own.width == range.width;
        let mut starts: Vec<LinExpr> = Vec::new();
        starts.extend(self.special.ranges.iter().filter(alike).map(|own| own.from.clone()));
        let leads = |cell: &&Cell| cell.alloc == alloc && cell.width == range.width;
        starts.extend(self.special.cells.iter().filter(leads).map(|cell| cell.offset.clone()));
        starts.extend(self.instantiate(&range.to));
        starts.truncate(MAX_TILES);
        starts
    }

    /// Where a range may end that begins at a place, the longest one first.
    fn range_ends(
        &self,
        range: &ArrayRange,
        alloc: AllocId,
        start: &LinExpr,
        oracle: &mut dyn Entailment,
    ) -> Result<Vec<LinExpr>, Exhausted> {
        if let Some(end) = self.instantiate(&range.to) {
            return Ok(vec![end]);
        }
        let mut ends = self.clone().tiles(range, alloc, start.clone(), oracle)?;
        // Zeros go on to the end of the object.
        let zeroed = self.special.allocations.get(&alloc).filter(|known| known.zeroed);
        if let Some(size) = zeroed.map(|known| &known.size)
            && let Some(spare) = residue(&size.minus(start), range.step)
        {
            ends.push(size.minus(&at(spare)));
        }
        ends.reverse();
        Ok(ends)
    }

    /// True if elements of the special state between two places are those of a range.
    fn stands_between(
        &mut self,
        range: &ArrayRange,
        alloc: AllocId,
        start: LinExpr,
        end: LinExpr,
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        self.equations.push((range.from.clone(), start.clone()));
        Ok(self.tile(range, alloc, start, end.clone(), oracle)?
            && self.is_end(range, end)
            && self.bound(oracle)?
            && self.constraints_hold(oracle)?)
    }

    /// Notes that a range ends at a place; false if its variable can't have such a value.
    fn is_end(&mut self, range: &ArrayRange, end: LinExpr) -> bool {
        let known = self.instantiate(&range.to).is_some();
        let fits = known || range.to.terms().len() > 1 || solved(&range.to, &end).is_some();
        self.equations.push((range.to.clone(), end));
        fits
    }

    /// The ends of the tiles from a place on, each the start of the next.
    fn tiles(
        &mut self,
        range: &ArrayRange,
        alloc: AllocId,
        from: LinExpr,
        oracle: &mut dyn Entailment,
    ) -> Result<Vec<LinExpr>, Exhausted> {
        let mut ends = vec![from];
        while let Some(place) = ends.last().filter(|_| ends.len() < MAX_TILES).cloned() {
            match self.next_tile(range, alloc, (&place, None), oracle)? {
                Some(next) => ends.push(next),
                None => break,
            }
        }
        Ok(ends)
    }

    /// True if tiles follow each other between two places.
    fn tile(
        &mut self,
        range: &ArrayRange,
        alloc: AllocId,
        from: LinExpr,
        to: LinExpr,
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        // Of no elements nothing is said.
        if self.special.knowledge.zero(&to.minus(&from), oracle)? {
            return Ok(true);
        }
        let zeroed = self.special.allocations.get(&alloc).is_some_and(|known| known.zeroed);
        if zeroed && range.content != Content::NonZero {
            return self.is_tiled_by_zeros(range, alloc, (&from, &to), oracle);
        }
        let mut place = from;
        for _ in 0..MAX_TILES {
            if self.special.knowledge.zero(&to.minus(&place), oracle)? {
                return Ok(true);
            }
            if self.tile_amid(range, alloc, (&place, Some(&to)), oracle)?.as_ref() == Some(&to) {
                return Ok(true);
            }
            match self.next_tile(range, alloc, (&place, Some(&to)), oracle)? {
                Some(next) => place = next,
                None => return Ok(false),
            }
        }
        Ok(false)
    }

    /// The end of the tile at a place, or where the range is to end, if the tile goes on behind that.
    fn next_tile(
        &mut self,
        range: &ArrayRange,
        alloc: AllocId,
        (place, limit): (&LinExpr, Option<&LinExpr>),
        oracle: &mut dyn Entailment,
    ) -> Result<Option<LinExpr>, Exhausted> {
        for (number, own) in self.special.clone().ranges.iter().enumerate() {
            let alike = own.alloc == alloc && own.step == range.step && own.width == range.width;
            let used = self.pairing.ranges.contains(&number);
            if !alike || used || !self.special.knowledge.zero(&own.from.minus(place), oracle)? {
                continue;
            }
            let empty = self.special.knowledge.non_negative(&own.from.minus(&own.to), oracle)?;
            if !empty && !self.element(&range.content, &own.content, oracle)? {
                continue;
            }
            self.pairing.ranges.insert(number);
            return Ok(Some(own.to.clone()));
        }
        let cells: Vec<usize> = self.cells_of.get(&alloc).into_iter().flatten().copied().collect();
        for cell in cells {
            let Cell { offset, width, value, .. } = self.special.cells[cell].clone();
            if width != range.width || !self.special.knowledge.zero(&offset.minus(place), oracle)? {
                continue;
            }
            if self.element(&range.content, &Content::Same(nulled(&value)), oracle)? {
                return Ok(Some(place.plus(&at(range.step))));
            }
        }
        self.tile_amid(range, alloc, (place, limit), oracle)
    }

    /// The same where a range that owns nothing begins before the place: its elements from there on are a range as well, and may be told of more than once. Where it may end there, too, they
    /// may be none: what is said of all of them holds all the same.
    fn tile_amid(
        &mut self,
        range: &ArrayRange,
        alloc: AllocId,
        (place, limit): (&LinExpr, Option<&LinExpr>),
        oracle: &mut dyn Entailment,
    ) -> Result<Option<LinExpr>, Exhausted> {
        for own in &self.special.clone().ranges {
            let alike = own.alloc == alloc && own.step == range.step && own.width == range.width;
            let rest = own.to.minus(place);
            if !alike
                || owns(&own.content)
                || own.to == *place
                || own.residue(place) != Some(0)
                || !self.special.knowledge.non_negative(&place.minus(&own.from), oracle)?
                || !self.special.knowledge.non_negative(&rest, oracle)?
                || !self.element(&range.content, &own.content, oracle)?
            {
                continue;
            }
            if let Some(limit) = limit
                && residue(&limit.minus(place), range.step) == Some(0)
                && self.special.knowledge.non_negative(&limit.minus(place), oracle)?
                && self.special.knowledge.non_negative(&own.to.minus(limit), oracle)?
            {
                return Ok(Some(limit.clone()));
            }
            return Ok(Some(own.to.clone()));
        }
        Ok(None)
    }

    /// True if the bytes between two places of an object that is still 0 are such elements.
    fn is_tiled_by_zeros(
        &mut self,
        range: &ArrayRange,
        alloc: AllocId,
        (from, to): (&LinExpr, &LinExpr),
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        let has_ranges = self.special.ranges.iter().any(|own| own.alloc == alloc);
        let Some(size) = self.special.allocations.get(&alloc).map(|known| known.size.clone()) else { return Ok(false) };
        let end = to.minus(&at(range.step - range.width));
        if has_ranges
            || !self.special.knowledge.non_negative(from, oracle)?
            || !self.special.knowledge.non_negative(&size.minus(&end), oracle)?
            || residue(&to.minus(from), range.step) != Some(0)
            || !self.special.knowledge.non_negative(&to.minus(from), oracle)?
            || !self.element(&range.content, &Content::Same(Value::Null), oracle)?
        {
            return Ok(false);
        }
        let cells: Vec<usize> = self.cells_of.get(&alloc).into_iter().flatten().copied().collect();
        for cell in cells {
            let Cell { offset, width, value, .. } = self.special.cells[cell].clone();
            let place = offset.minus(from);
            let beside =
                residue(&place, range.step).is_some_and(|rest| rest >= range.width && rest + width <= range.step);
            let before = place.negated().minus(&at(width));
            let known = &self.special.knowledge;
            // A cell that is 0 says no more than the rest of the object.
            let zero = nulled(&value) == Value::Null;
            if zero
                || beside
                || known.non_negative(&before, oracle)?
                || known.non_negative(&offset.minus(to), oracle)?
            {
                continue;
            }
            let fits = width == range.width && residue(&place, range.step) == Some(0);
            if !fits || !self.element(&range.content, &Content::Same(nulled(&value)), oracle)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same as for the content of a field, and the equations of it are looked at; what fails leaves all as it was.
    fn element(
        &mut self,
        general: &Content,
        special: &Content,
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        let mut attempt = self.clone();
        let holds = attempt.content(general, special, oracle)? && attempt.bound(oracle)?;
        if holds {
            *self = attempt;
        }
        Ok(holds)
    }

    /// True if a content of the special state is one of these places.
    pub(crate) fn among(
        &mut self,
        places: &Places,
        special: &Content,
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        let (first, last) = match special {
            Content::Same(value @ Value::Pointer(..)) => (value, value),
            Content::Among(own) if own.stride > 0 && own.stride.is_multiple_of(places.stride.max(1)) => {
                (&own.first, &own.last)
            }
            Content::Same(_)
            | Content::Between(..)
            | Content::NonZero
            | Content::Own(_)
            | Content::Among(_)
            | Content::Block(_) => {
                return Ok(false);
            }
        };
        let (Value::Pointer(general, low), Value::Pointer(other, high)) = (&places.first, &places.last) else {
            return Ok(false);
        };
        let (Value::Pointer(own, start), Value::Pointer(same, end)) = (first, last) else { return Ok(false) };
        if general != other
            || own != same
            || self.special.segment_of(*own).is_some()
            || !self.object(*general, *own)
            || places.stride == 0
        {
            return Ok(false);
        }
        self.bind();
        let (Some(low), Some(high)) = (self.instantiate(low), self.instantiate(high)) else { return Ok(false) };
        let known = &self.special.knowledge;
        Ok(residue(&start.minus(&low), places.stride) == Some(0)
            && known.non_negative(&start.minus(&low), oracle)?
            && known.non_negative(&high.minus(end), oracle)?)
    }

    /// True if a content of the special state leads to such a block.
    pub(crate) fn own_block(
        &mut self,
        block: &OwnBlock,
        special: &Content,
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        match special {
            Content::Same(Value::Null) => Ok(block.null),
            Content::Same(Value::Pointer(id, offset)) => {
                Ok(as_constant(offset) == Some(0) && self.is_own_block(block, *id, oracle)?)
            }
            Content::Block(own) => self.is_within(block, own, oracle),
            Content::Same(_) | Content::Between(..) | Content::NonZero | Content::Own(_) | Content::Among(_) => {
                Ok(false)
            }
        }
    }

    fn is_own_block(&mut self, block: &OwnBlock, id: AllocId, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let Some(known) = self.special.allocations.get(&id).cloned() else { return Ok(false) };
        let free = !self.pairing.used.contains(&id) && !self.taken.contains(&id);
        if known.kind != block.kind() || known.life != Life::Live || !free {
            return Ok(false);
        }
        self.pairing.used.insert(id);
        if !self.sizes(block, (&known.size, Some(&known.size)), oracle)? {
            return Ok(false);
        }
        if block.terminated && !self.is_terminated(id, &known.size, oracle)? {
            return Ok(false);
        }
        self.fields(&block.fields, &[id], oracle)
    }

    /// True if sizes between two numbers are those of a block of the general state.
    fn sizes(
        &mut self,
        block: &OwnBlock,
        (least, most): (&LinExpr, Option<&LinExpr>),
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        if let Value::Int(bound) = &block.least {
            // The only place that gives a variable its value.
            if self.instantiate(bound).is_none() {
                self.equations.push((bound.clone(), least.clone()));
                self.bind();
            }
            let Some(bound) = self.instantiate(bound) else { return Ok(false) };
            if !self.special.knowledge.non_negative(&least.minus(&bound), oracle)? {
                return Ok(false);
            }
        }
        match (&block.most, most) {
            (None, _) => Ok(true),
            (Some(Value::Int(bound)), Some(most)) => {
                let Some(bound) = self.instantiate(bound) else { return Ok(false) };
                self.special.knowledge.non_negative(&bound.minus(most), oracle)
            }
            (Some(_), _) => Ok(false),
        }
    }

    fn is_terminated(&self, id: AllocId, size: &LinExpr, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        for at in self.cells_of.get(&id).into_iter().flatten() {
            let cell = &self.special.cells[*at];
            let zero = matches!(&cell.value, Value::Int(number) if as_constant(number) == Some(0));
            if zero
                && cell.width == 1
                && self.special.knowledge.non_negative(&cell.offset, oracle)?
                && self.special.knowledge.non_negative(&size.minus(&cell.offset).minus(&constant(1)), oracle)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_within(&mut self, block: &OwnBlock, own: &OwnBlock, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let number = |value: &Value| match value {
            Value::Int(number) => Some(number.clone()),
            _ => None,
        };
        let most = own.most.as_ref().and_then(number);
        let Some(least) = number(&own.least) else { return Ok(false) };
        if (own.null && !block.null) || (block.terminated && !own.terminated) || own.given != block.given {
            return Ok(false);
        }
        if !self.sizes(block, (&least, most.as_ref()), oracle)? {
            return Ok(false);
        }
        self.pairing.loses_owned |= loses_owned(&block.fields, &own.fields);
        for field in &block.fields {
            let holds = match find(&own.fields, field.offset, field.width) {
                Some(content) => self.content(&field.content, content, oracle)?,
                None => false,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

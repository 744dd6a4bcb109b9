//! Heap blocks: allocation, release, and what is left at the end of a run.

use std::collections::BTreeSet;

use belay_base::Span;
use belay_ir::{IntegerModel, LiveValue, Operand, Property};
use belay_linear::LinExpr;

use super::arithmetic::scaled;
use super::array::ArrayRange;
use super::asked::AskedFor;
use super::builtins::Site;
use super::knowledge::{as_constant, constant};
use super::machine::{Machine, Step};
use super::probe::Suspicion;
use super::reach::{reachable, reachable_from, target};
use super::segment::at;
use super::state::{AllocId, AllocKind, Allocation, Life, State, Value};
use super::values::{lookup, set};

/// Bytes of a block at most, where pointers have 64 bits: more than any machine has addresses for a program, and so few that twice the sum of two lengths fits.
pub const MOST_BYTES: i128 = 1 << 56;

impl<'m> Machine<'m> {
    /// The run is over: looks at the heap blocks that are left.
    pub(super) fn ended(&mut self, state: &State, span: Span) -> Step<()> {
        let mut left: Vec<AllocId> = state
            .allocations
            .iter()
            .filter(|(_, allocation)| allocation.kind.may_be_heap() && allocation.life != Life::Dead)
            .map(|(id, _)| *id)
            .collect();
        for (id, segment) in &state.segments {
            if !self.at_least(state, &segment.length.negated(), 0)? {
                left.push(*id);
            }
        }
        let forgot = state.forgot_block || (self.in_activation(state) && self.allocates());
        if !left.is_empty() || forgot || self.has_owned(state)? {
            self.leak(Property::MemCleanup, span);
            self.suspect(Suspicion::Leak(Property::MemCleanup), state);
        }
        // A run that ends amid its functions (`exit`, `abort`, a failed assertion) ends with what their frames hold: a value that a frame would use
        // afterwards stands in a register that is still needed, or in one of its objects. What it would not use may have been overwritten.
        let reached = if state.frames.is_empty() { reachable(state) } else { self.reachable_here(state) };
        if forgot || left.iter().any(|id| !reached.contains(id)) {
            self.leak(Property::ValidMemtrack, span);
            self.suspect(Suspicion::Leak(Property::ValidMemtrack), state);
        }
        Ok(())
    }

    /// A state in which a run ends, or may end, other than by itself: a block that can't be reached in it was lost before.
    pub(super) fn judge_reachable(&mut self, state: &State, span: Span) -> Step<()> {
        let block = |known: &Allocation| known.kind.may_be_heap() && known.life != Life::Dead;
        let given = state.forgot_block || (self.in_activation(state) && self.allocates());
        if !given && state.segments.is_empty() && !state.allocations.values().any(block) {
            return Ok(());
        }
        let reached = self.reachable_here(state);
        let is_lost = |id: &AllocId| !reached.contains(id);
        let mut lost = given || state.allocations.iter().any(|(id, known)| block(known) && is_lost(id));
        for (_, segment) in state.segments.iter().filter(|(id, _)| is_lost(id)) {
            lost |= !self.at_least(state, &segment.length.negated(), 0)?;
        }
        if lost {
            self.leak(Property::ValidMemtrack, span);
            self.suspect(Suspicion::Leak(Property::ValidMemtrack), state);
        }
        Ok(())
    }

    /// The objects that can be reached in the middle of a block: values that the instruction at hand uses, and those that frames use after it, count.
    fn reachable_here(&self, state: &State) -> BTreeSet<AllocId> {
        let mut todo = Vec::new();
        if let Some(frame) = state.frames.last() {
            let function = &self.program.functions[frame.function];
            let inst = function.blocks[frame.block].insts.get(frame.index);
            let value = |operand: &Operand| match LiveValue::of(*operand)? {
                LiveValue::Param(index) => frame.params.get(index as usize).and_then(target),
                LiveValue::Inst(inst) => frame.values.get(&inst).and_then(target),
            };
            match inst {
                Some(inst) => function.insts[*inst].op.for_each_operand(|used| todo.extend(value(used))),
                // A run that ends at the end of a block ends with what is held there.
                None => function.blocks[frame.block].term.for_each_operand(|used| todo.extend(value(used))),
            }
        }
        for frame in &state.frames {
            let function = &self.program.functions[frame.function];
            let lives = self.prepared.liveness(frame.function, function);
            for live in lives.live_after(function, frame.block, frame.index) {
                todo.extend(match live {
                    LiveValue::Param(index) => frame.params.get(index as usize).and_then(target),
                    LiveValue::Inst(inst) => frame.values.get(&inst).and_then(target),
                });
            }
        }
        reachable_from(state, todo)
    }

    pub(super) fn heap_block(&mut self, state: &mut State, size: LinExpr, zeroed: bool) -> AllocId {
        state.allocate(Allocation::block(size, zeroed))
    }

    /// The state with a block as the call's result, and the one without if allocations may fail.
    pub(super) fn allocated(&mut self, mut state: State, site: &Site<'_>, size: LinExpr, zeroed: bool) -> Vec<State> {
        let mut states = Vec::new();
        if self.config.malloc_may_fail {
            states.push(self.asked_and_failed(&mut state, site));
        }
        let id = self.heap_block(&mut state, size, zeroed);
        set(&mut state, site.id, Value::Pointer(id, constant(0)));
        states.push(state);
        states
    }

    /// The state in which the run chose that the allocation fails; `state` becomes the other one.
    fn asked_and_failed(&mut self, state: &mut State, site: &Site<'_>) -> State {
        let mut failed = state.clone();
        self.asks(&mut failed, AskedFor::Failure, site.span, &constant(1));
        self.asks(state, AskedFor::Failure, site.span, &constant(0));
        set(&mut failed, site.id, Value::Null);
        failed
    }

    /// The state and the size, if so many bytes can be allocated in all its states.
    pub(super) fn surely_possible(&mut self, state: State, size: LinExpr) -> Step<Option<(State, LinExpr)>> {
        let sizes = self.part_by_size(state, size)?;
        Ok(sizes.possible.filter(|_| sizes.too_large.is_empty()))
    }

    /// Parts the states in which so many bytes can be allocated, with the size, from those in which they cannot: no allocator gives more
    /// than the greatest distance of two pointers. Numbers of states are signed, so that such a size is negative to machine integers.
    fn part_by_size(&mut self, mut state: State, size: LinExpr) -> Step<Sizes> {
        if self.config.huge_allocations_succeed {
            let size = self.as_size(&mut state, size)?;
            return Ok(Sizes { possible: Some((state, size)), too_large: Vec::new() });
        }
        let greatest = (1i128 << (self.program.layout.pointer_bits() - 1)) - 1;
        let largest = self.config.largest_block.map_or(greatest, |largest| greatest.min(largest.into()));
        let greatest = constant(largest);
        let mut too_large = Vec::new();
        let mut possible = Some(state);
        for bound in [size.clone(), greatest.minus(&size)] {
            let Some(state) = possible.take() else { break };
            if state.knowledge.non_negative(&bound, self.oracle)? {
                possible = Some(state);
                continue;
            }
            let beyond = bound.negated().minus(&constant(1));
            too_large.extend(state.clone().with_at_least(beyond, self.oracle)?);
            possible = state.with_at_least(bound, self.oracle)?;
        }
        let possible = match possible {
            Some(state) => Some((self.within_addresses(state, &size)?, size)),
            None => None,
        };
        Ok(Sizes { possible, too_large })
    }

    /// The states in which a block of this size is no larger than an address space of 64-bit pointers ([`MOST_BYTES`]), if there are any.
    ///
    /// *Sound*: this is done where the proof says that it takes it for granted ([`Machine::small_blocks`]), since no machine has so many addresses for a program. A capacity that is doubled or added to
    /// the length of a text can't wrap then. Sizes that are known are not looked at, nor where all are beyond: no path is left out for that alone. Whether a program
    /// ends must not rest on it, since its counters would stop where memory does; so where runs go on beyond invalid accesses, as they do in proofs of termination, nothing is assumed.
    fn within_addresses(&mut self, state: State, size: &LinExpr) -> Step<State> {
        let machine = self.config.integers == IntegerModel::Machine && self.program.layout.pointer_bits() == 64;
        let room = constant(MOST_BYTES).minus(size);
        if !machine || self.goes_on || self.probing() || size.is_constant() {
            return Ok(state);
        }
        if state.knowledge.non_negative(&room, self.oracle)? {
            return Ok(state);
        }
        let mut within = state.clone();
        if !within.knowledge.assume(room, self.oracle)? {
            return Ok(state);
        }
        self.bounds_blocks = true;
        Ok(if self.small_blocks { within } else { state })
    }

    /// A size as the program gives it: negative for one beyond the greatest signed number.
    fn signed_size(&mut self, state: &mut State, site: &Site<'_>, index: usize) -> LinExpr {
        match site.args.get(index) {
            Some(operand) => self.int(state, *operand),
            None => self.arbitrary(state, self.program.layout.pointer_bits()),
        }
    }

    pub(super) fn malloc(&mut self, mut state: State, site: &Site<'_>) -> Step<Vec<State>> {
        let size = self.signed_size(&mut state, site, 0);
        let sizes = self.part_by_size(state, size)?;
        Ok(self.allocated_if_possible(sizes, site, false))
    }

    /// An alignment that is not known promises nothing.
    pub(super) fn aligned_block(&mut self, mut state: State, site: &Site<'_>) -> Step<Vec<State>> {
        let align = self.signed_size(&mut state, site, 0);
        let align =
            as_constant(&align).and_then(|align| u64::try_from(align).ok()).filter(|align| align.is_power_of_two());
        let size = self.signed_size(&mut state, site, 1);
        let sizes = self.part_by_size(state, size)?;
        let mut states = self.allocated_if_possible(sizes, site, false);
        for state in &mut states {
            if let Some(Value::Pointer(id, _)) = lookup(state, site.id)
                && let Some(block) = state.allocations.get_mut(&id)
            {
                block.align = align.unwrap_or(1);
            }
        }
        Ok(states)
    }

    fn allocated_if_possible(&mut self, sizes: Sizes, site: &Site<'_>, zeroed: bool) -> Vec<State> {
        let mut states = sizes.too_large;
        states.iter_mut().for_each(|state| set(state, site.id, Value::Null));
        if let Some((state, size)) = sizes.possible {
            states.extend(self.allocated(state, site, size, zeroed));
        }
        states
    }

    pub(super) fn calloc(&mut self, mut state: State, site: &Site<'_>) -> Step<Vec<State>> {
        let (count, each) = (self.signed_size(&mut state, site, 0), self.signed_size(&mut state, site, 1));
        let product = match (as_constant(&count), as_constant(&each)) {
            (_, Some(factor)) => Some(scaled(&count, factor)),
            (Some(factor), _) => Some(scaled(&each, factor)),
            (None, None) => None,
        };
        let natural = self.at_least(&state, &count, 0)? && self.at_least(&state, &each, 0)?;
        if let Some(product) = product
            && natural
            && (!self.config.huge_allocations_succeed
                || self.fits(&state, &product, self.program.layout.pointer_bits())?)
        {
            let sizes = self.part_by_size(state, product)?;
            return Ok(self.allocated_if_possible(sizes, site, true));
        }
        // The product is not known, or a factor is beyond the greatest signed number: it may be a size, or none.
        let mut nothing = state.clone();
        set(&mut nothing, site.id, Value::Null);
        let size = self.arbitrary(&mut state, self.program.layout.pointer_bits());
        let sizes = self.part_by_size(state, size)?;
        let mut states = vec![nothing];
        if let Some((state, size)) = sizes.possible {
            states.extend(self.allocated(state, site, size, true));
        }
        Ok(states)
    }

    /// Ends a block: `None` if the run ends there.
    pub(super) fn free(&mut self, state: State, pointer: &Value, site: &Site<'_>) -> Step<Option<State>> {
        if self.goes_on {
            return self.freed_or_not(state, pointer, site).map(Some);
        }
        let after = self.freed(state, pointer, site)?;
        if after.is_none() {
            self.broken.get_or_insert(site.span);
        }
        Ok(after)
    }

    /// The same where runs go on: what is not sure to be freed may be.
    fn freed_or_not(&mut self, mut state: State, pointer: &Value, site: &Site<'_>) -> Step<State> {
        let Value::Pointer(alloc, offset) = pointer else {
            return Ok(self.freed(state.clone(), pointer, site)?.unwrap_or(state));
        };
        let known = state.allocations.get(alloc).map(|known| (known.kind, known.life));
        if known == Some((AllocKind::Heap, Life::Live)) && state.knowledge.zero(offset, self.oracle)? {
            return Ok(self.freed(state.clone(), pointer, site)?.unwrap_or(state));
        }
        self.doubt_call(&state, site);
        if let Some(known) = state.allocations.get_mut(alloc).filter(|known| known.kind.may_be_heap()) {
            known.life = if known.life == Life::Dead { Life::Dead } else { Life::Maybe };
        }
        Ok(state)
    }

    pub(super) fn freed(&mut self, mut state: State, pointer: &Value, site: &Site<'_>) -> Step<Option<State>> {
        match pointer {
            Value::Null => Ok(Some(state)),
            Value::Pointer(alloc, offset) => {
                let Some(allocation) = state.allocations.get(alloc).cloned() else {
                    self.doubt_call(&state, site);
                    return Ok(None);
                };
                let at_start = state.knowledge.zero(offset, self.oracle)?;
                // What is freed only if it is a block is not followed: no proof rests on a path that is broken off.
                if allocation.kind != AllocKind::Heap || allocation.life == Life::Dead {
                    self.doubt_call(&state, site);
                    return Ok(None);
                }
                if allocation.life != Life::Live || !at_start {
                    let mut inside = state.clone();
                    if allocation.life == Life::Live {
                        inside.knowledge.separate(offset.clone(), self.oracle)?;
                    }
                    self.doubt_call(&inside, site);
                    match state.with_zero(offset.clone(), self.oracle)? {
                        Some(next) => state = next,
                        None => return Ok(None),
                    }
                }
                state.cells.retain(|cell| cell.alloc != *alloc);
                self.lose_ranges_of(&mut state, *alloc)?;
                if let Some(allocation) = state.allocations.get_mut(alloc) {
                    // What a dead block holds nobody reads.
                    (allocation.life, allocation.zeroed) = (Life::Dead, false);
                }
                Ok(Some(state))
            }
            Value::Int(_) | Value::Truth(_) | Value::Address(..) | Value::Function(_) | Value::Top => {
                self.doubt_call(&state, site);
                state.may_be_freed();
                Ok(Some(state))
            }
        }
    }

    /// The new block is another object, made when the old one is dead: how they compare is open. `realloc(p, 0)` frees and gives null.
    pub(super) fn realloc(&mut self, mut state: State, site: &Site<'_>) -> Step<Vec<State>> {
        let is_null = self.argument(&mut state, site, 0) == Value::Null;
        let size = self.signed_size(&mut state, site, 1);
        let sizes = self.part_by_size(state, size)?;
        if is_null {
            return Ok(self.allocated_if_possible(sizes, site, false));
        }
        let mut states = Vec::new();
        for state in sizes.too_large {
            states.extend(self.kept_as_it_was(state, site)?);
        }
        if let Some((state, size)) = sizes.possible {
            states.extend(self.reallocated(state, size, site)?);
        }
        Ok(states)
    }

    /// A block that is too large was asked for: null, and the old block stays, if the pointer is to one that may be freed.
    fn kept_as_it_was(&mut self, mut state: State, site: &Site<'_>) -> Step<Option<State>> {
        let pointer = self.argument(&mut state, site, 0);
        if self.free(state.clone(), &pointer, site)?.is_none() {
            return Ok(None);
        }
        set(&mut state, site.id, Value::Null);
        Ok(Some(state))
    }

    fn reallocated(&mut self, mut state: State, size: LinExpr, site: &Site<'_>) -> Step<Vec<State>> {
        let pointer = self.argument(&mut state, site, 0);
        let mut kept = Vec::new();
        if let Value::Pointer(alloc, _) = &pointer {
            for cell in state.cells.iter().filter(|cell| cell.alloc == *alloc) {
                let rest = size.minus(&cell.offset).minus(&constant(i128::from(cell.width)));
                let inside = match state.allocations.get(alloc) {
                    Some(old) => old.size.minus(&cell.offset).minus(&constant(i128::from(cell.width))),
                    None => continue,
                };
                if state.knowledge.non_negative(&rest, self.oracle)?
                    && state.knowledge.non_negative(&inside, self.oracle)?
                    && state.knowledge.non_negative(&cell.offset, self.oracle)?
                {
                    kept.push(cell.clone());
                }
            }
        }
        let may_fail = self.config.malloc_may_fail;
        let unchanged = may_fail.then(|| state.clone());
        let elements = self.elements_that_stay(&mut state, &pointer, &size)?;
        let Some(mut freed) = self.free(state, &pointer, site)? else { return Ok(Vec::new()) };
        let is_freed = |alloc: &AllocId| freed.allocations.get(alloc).is_some_and(|old| old.life == Life::Dead);
        let moves = matches!(&pointer, Value::Pointer(alloc, _) if is_freed(alloc));
        if !moves {
            kept.clear();
        }
        let elements = if moves { elements } else { freed.forgetting(elements) };
        let mut states = Vec::new();
        if !freed.knowledge.non_negative(&size.minus(&constant(1)), self.oracle)? {
            let mut nothing = freed.clone();
            nothing.forgetting(elements.clone());
            set(&mut nothing, site.id, Value::Null);
            states.push(nothing);
        }
        let mut state = freed;
        if let Some(mut unchanged) = unchanged {
            self.asks(&mut unchanged, AskedFor::Failure, site.span, &constant(1));
            self.asks(&mut state, AskedFor::Failure, site.span, &constant(0));
            set(&mut unchanged, site.id, Value::Null);
            states.push(unchanged);
        }
        let id = self.heap_block(&mut state, size, false);
        for cell in kept {
            self.note_cell(&mut state, id, cell.offset, cell.width, cell.value);
        }
        state.ranges.extend(elements.into_iter().map(|range| ArrayRange { alloc: id, ..range }));
        set(&mut state, site.id, Value::Pointer(id, constant(0)));
        states.push(state);
        Ok(states)
    }

    /// The elements of a block that are in its first `size` bytes, taken from it.
    fn elements_that_stay(&mut self, state: &mut State, pointer: &Value, size: &LinExpr) -> Step<Vec<ArrayRange>> {
        let Value::Pointer(alloc, _) = pointer else { return Ok(Vec::new()) };
        let Some(old) = state.allocations.get(alloc).map(|old| old.size.clone()) else { return Ok(Vec::new()) };
        let mut stay = Vec::new();
        for range in std::mem::take(&mut state.ranges) {
            let end = range.to.minus(&at(range.step - range.width));
            let inside = range.alloc == *alloc
                && state.knowledge.non_negative(&range.from, self.oracle)?
                && state.knowledge.non_negative(&size.minus(&end), self.oracle)?
                && state.knowledge.non_negative(&old.minus(&end), self.oracle)?;
            if inside { stay.push(range) } else { state.ranges.push(range) }
        }
        Ok(stay)
    }
}

/// States by whether a block of a size can be allocated in them.
struct Sizes {
    possible: Option<(State, LinExpr)>,
    too_large: Vec<State>,
}

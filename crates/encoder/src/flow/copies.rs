//! The copies of cut loops: which executions are followed, and what is asked in which of them. See [`crate::cut`].

use std::rc::Rc;

use belay_ir::{BlockId, FuncId, InstId, LoopId};
use belay_logic::bv::TermId;

use super::{Agenda, Pending, loop_span};
use crate::execution::{Execution, Position};
use crate::havoc::CutLoop;
use crate::lasso::MAX_HEADS;
use crate::object::{ContextId, Iterations, Site};
use crate::state::State;
use belay_invariants::CutPlace;

/// The instruction of what is made up where a head is reached again.
const AT_ARRIVAL: InstId = InstId(u32::MAX - 2);

impl Execution<'_, '_> {
    /// Whether this execution is followed: the bound allows it, or it is a copy of a cut loop.
    pub(super) fn enters(&mut self, function: FuncId, agenda: &mut Agenda, next: &mut Pending) -> bool {
        let Some(id) = agenda.shape.nest.headed_by(next.block) else { return true };
        let Some(cutting) = self.cutting else {
            if self.lassos {
                self.compare_heads(function, agenda, id, next);
            }
            return self.may_enter(function, agenda, next);
        };
        let (calls, k) = (self.call_path(), cutting.k);
        let place = CutPlace { calls, function, head: next.block };
        let Some(cut) = cutting.cuts.get(&place).cloned() else {
            let before = self.out.unwound.len();
            let allowed = self.may_enter(function, agenda, next);
            for unwound in &mut self.out.unwound[before..] {
                unwound.cut = Some(place.clone());
            }
            return allowed;
        };
        let Some((copy, outer)) = next.iterations.split_last() else { return true };
        let key = (id, Iterations::from(outer));
        self.early = self.early_in(agenda, next.block, &next.iterations, Some(id));
        self.at.span = loop_span(&self.store.program.functions[function], next.block);
        let context = self.frames.last().map_or(ContextId(0), |frame| frame.context);
        let instance = self.store.names.instance(context, next.block, &next.iterations);
        let shape = Rc::clone(&agenda.shape);
        let carried = &shape.carried[next.block];
        let Some(mut cut_loop) = agenda.cuts.get(&key).cloned() else {
            if !self.is_in_cut(agenda, next.block, &next.iterations) {
                self.out.start_part(self.guards.term(next.state.guard));
            }
            let mut cut_loop = self.cut_head((&place, &cut), carried, instance, &mut next.state);
            cut_loop.observed.0 = self.observe(&place, &cut_loop.head);
            agenda.cuts.insert(key, cut_loop);
            return true;
        };
        let masked = if *copy < k { self.store.terms.or(self.early, cut_loop.again) } else { self.early };
        self.at = Position::new(Site { instance, inst: AT_ARRIVAL }, self.at.span);
        self.arrive((&place, &cut), carried, &cut_loop, &mut next.state, masked);
        if let Some(stride) = self.observed.map(|observed| observed.stride) {
            self.observe_copy(&place, &next.state, (*copy, stride), &mut cut_loop);
            agenda.cuts.insert(key, cut_loop.clone());
            if *copy == k {
                let (before, after) = cut_loop.observed;
                self.note_round(&place, masked, before, after);
            }
        }
        *copy < k && !self.is_dead(&next.state)
    }

    /// Keeps what is observed in the copies that a round is made of.
    fn observe_copy(&mut self, place: &CutPlace, state: &State, (copy, stride): (u32, u32), cut_loop: &mut CutLoop) {
        if copy == 1 {
            self.observe_round(place, state, &mut cut_loop.observed.0);
        }
        if copy == stride {
            cut_loop.observed.1 = self.observe(place, state);
        }
        if copy == stride + 1 {
            self.observe_round(place, state, &mut cut_loop.observed.1);
        }
    }

    /// Looks whether a head has had this state before.
    fn compare_heads(&mut self, function: FuncId, agenda: &mut Agenda, id: LoopId, next: &Pending) {
        let Some((_, outer)) = next.iterations.split_last() else { return };
        let shape = Rc::clone(&agenda.shape);
        let earlier = agenda.heads.entry((id, outer.into())).or_default();
        self.note_lassos(function, &shape.carried[next.block], earlier, &next.state);
        if earlier.len() < MAX_HEADS {
            earlier.push((next.state.clone(), self.questions()));
        }
    }

    /// Whether a block stands in a cut loop that has been entered, or in a cut function.
    pub(super) fn is_in_cut(&self, agenda: &Agenda, block: BlockId, iterations: &Iterations) -> bool {
        let mut around = agenda.shape.chains[block].iter().enumerate();
        self.frames.last().is_some_and(|frame| frame.is_inside)
            || around.any(|(depth, id)| agenda.cuts.contains_key(&(*id, iterations[..depth].into())))
    }

    /// When what happens in a block is not asked about: some cut loop around it, other than `except`, is in an early copy after an
    /// arbitrary start.
    pub(super) fn early_in(
        &mut self,
        agenda: &Agenda,
        block: BlockId,
        iterations: &Iterations,
        except: Option<LoopId>,
    ) -> TermId {
        let mut early = match self.frames.last() {
            Some(frame) => frame.early,
            None => self.store.terms.boolean(false),
        };
        let Some(k) = self.cutting.map(|cutting| cutting.k) else { return early };
        for (depth, id) in agenda.shape.chains[block].iter().enumerate() {
            if Some(*id) == except || iterations[depth] + 1 >= k {
                continue;
            }
            if let Some(cut_loop) = agenda.cuts.get(&(*id, iterations[..depth].into())) {
                early = self.store.terms.or(early, cut_loop.again);
            }
        }
        early
    }

    /// The condition under which an edge is followed: after an arbitrary start a cut loop is left from its last copy.
    pub(super) fn leaving(
        &mut self,
        agenda: &Agenda,
        (from, iterations): (BlockId, &Iterations),
        to: BlockId,
        condition: TermId,
    ) -> TermId {
        let Some(k) = self.cutting.map(|cutting| cutting.k) else { return condition };
        let mut condition = condition;
        for (depth, id) in agenda.shape.chains[from].iter().enumerate() {
            if agenda.shape.chains[to].get(depth) == Some(id) || iterations[depth] + 1 >= k {
                continue;
            }
            if let Some(cut_loop) = agenda.cuts.get(&(*id, iterations[..depth].into())) {
                let from_the_start = self.store.terms.not(cut_loop.again);
                condition = self.store.terms.and(condition, from_the_start);
            }
        }
        condition
    }
}

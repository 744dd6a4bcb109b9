//! One unrolling: a context that is made for it and goes with it.
//!
//! What is at hand while the program is executed within one bound: guards, contents of objects, active calls, the place, what is claimed at cut heads. It borrows the
//! [`Store`] that lasts; [`Execution::unroll`] takes it by value, so that nothing of one unrolling can be met in the next.

use belay_base::{Budget, Span};
use belay_invariants::Cutting;
use belay_ir::{InstId, Property, Standing};
use belay_logic::bv::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::content::{Contents, VersionId};
use super::descent::Observed;
use super::element::Claim;
use super::flow::Frame;
use super::for_all::Trigger;
use super::guard::Guards;
use super::object::{InstanceId, ObjectId, Origin, Site};
use super::state::{Memory, State};
use super::value::Value;
use super::{Bounds, Encoder, Goal, Res, RunQuestion, Stop, Store, Unrolling};

/// Terms beyond this number are too many for one task.
const MAX_TERMS: usize = 6_000_000;

/// The instruction at hand, and how much was created there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) site: Site,
    pub(crate) span: Span,
    /// Variables created here.
    pub(crate) fresh: u32,
    /// Objects created here.
    pub(crate) made: u32,
}

impl Position {
    /// A place at which nothing was created yet.
    pub(crate) fn new(site: Site, span: Span) -> Self {
        Self { site, span, fresh: 0, made: 0 }
    }
}

/// What belongs to one unrolling.
#[derive(Debug)]
pub(crate) struct Execution<'e, 'p> {
    pub(crate) store: &'e mut Store<'p>,
    pub(crate) wanted: &'e [Property],
    pub(crate) observed: Option<&'e Observed>,
    pub(crate) lassos: bool,
    pub(crate) bounds: &'e Bounds,
    /// How loops are cut, if they are.
    pub(crate) cutting: Option<&'e Cutting>,
    pub(crate) budget: Budget,
    pub(crate) guards: Guards,
    pub(crate) contents: Contents,
    pub(crate) out: Unrolling,
    pub(crate) frames: Vec<Frame>,
    pub(crate) births: FxHashMap<ObjectId, (u32, Memory)>,
    /// True once some object's address may have been chosen: then a bare number may be an object's address.
    pub(crate) addresses_matter: bool,
    pub(crate) exposed: FxHashSet<ObjectId>,
    pub(crate) at: Position,
    /// The condition under which the instruction at hand is executed.
    pub(crate) here: TermId,
    /// When what happens here is not asked: a copy of a cut loop before the last, after an arbitrary start.
    pub(crate) early: TermId,
    /// Whether what is executed stands in a cut loop or function.
    pub(crate) is_inside: bool,
    /// Arguments and result of the call that a row is evaluated for.
    pub(crate) call_values: Option<(std::rc::Rc<[Value]>, Option<Value>)>,
    /// What is claimed of what objects hold at cut heads.
    pub(crate) claims: FxHashMap<VersionId, Vec<Claim>>,
    /// What is claimed of all indices of arrays at heads, by the size of the elements.
    pub(crate) for_all_claims: FxHashMap<VersionId, Vec<Trigger>>,
    /// How many such claims are being instantiated within each other.
    pub(crate) for_all_depth: u32,
    /// Whether some row has several indices.
    pub(crate) has_nested_rows: bool,
    /// While sums over arrays are written out: what must hold for that.
    pub(crate) written_out: Option<Vec<TermId>>,
    /// Offsets that were compared by their digits.
    pub(crate) compared: FxHashSet<(TermId, TermId)>,
}

impl<'e, 'p> Execution<'e, 'p> {
    /// The context of one unrolling.
    pub(crate) fn new(
        encoder: &'e mut Encoder<'p>,
        bounds: &'e Bounds,
        cutting: Option<&'e Cutting>,
        budget: &Budget,
    ) -> Self {
        let store = &mut encoder.store;
        let guards = Guards::new(&mut store.terms);
        let (here, early) = (store.terms.boolean(true), store.terms.boolean(false));
        let nowhere = Site { instance: InstanceId(u32::MAX), inst: InstId(u32::MAX) };
        Self {
            store,
            wanted: &encoder.wanted,
            observed: encoder.observed.as_ref(),
            lassos: encoder.lassos,
            bounds,
            cutting,
            budget: budget.slice(u64::MAX),
            guards,
            contents: Contents::default(),
            out: Unrolling::default(),
            frames: Vec::new(),
            births: FxHashMap::default(),
            addresses_matter: false,
            exposed: FxHashSet::default(),
            at: Position::new(nowhere, Span::NONE),
            here,
            early,
            is_inside: false,
            call_values: None,
            claims: FxHashMap::default(),
            for_all_claims: FxHashMap::default(),
            for_all_depth: 0,
            has_nested_rows: false,
            written_out: None,
            compared: FxHashSet::default(),
        }
    }

    /// Executes the program; what it costs is taken from `budget`.
    pub(crate) fn unroll(mut self, budget: &Budget) -> Res<Unrolling> {
        let result = self.run_program();
        let spent = budget.left() - self.budget.left();
        budget.spend(spent)?;
        result?;
        self.out.addresses_matter = self.addresses_matter;
        self.out.strings = self.strings_looked_at();
        Ok(self.out)
    }

    /// A new variable at the place at hand.
    pub(crate) fn fresh(&mut self, width: u32, origin: Origin) -> TermId {
        self.at.fresh += 1;
        self.store.names.variable(&mut self.store.terms, self.at.site, self.at.fresh, width, origin)
    }

    /// Notes that what follows here allows more than the program does.
    pub(crate) fn imprecise(&mut self, reason: &'static str) {
        self.out.note_imprecise(self.here, reason, self.at.span);
    }

    /// Notes that where `condition` holds, what follows allows more than the program does.
    pub(crate) fn imprecise_if(&mut self, condition: TermId, reason: &'static str) {
        if !self.store.terms.is_false(condition) {
            self.out.note_imprecise(condition, reason, self.at.span);
        }
    }

    /// Notes that runs that get here and satisfy `condition` are not followed exactly any more.
    pub(crate) fn give_up_if(&mut self, condition: TermId, reason: &'static str) {
        let condition = self.store.terms.and(self.here, condition);
        if !self.store.terms.is_false(condition) {
            self.out.note_imprecise(condition, reason, self.at.span);
            self.out.note_unknown(condition, reason, self.at.span, None);
        }
    }

    /// Notes that runs that get here are not followed exactly any more.
    pub(crate) fn give_up_here(&mut self, reason: &'static str) {
        let yes = self.store.terms.boolean(true);
        self.give_up_if(yes, reason);
    }

    /// Ends the runs that get here and satisfy `condition`: nothing is known of them.
    pub(crate) fn leave_if(&mut self, state: &mut State, condition: TermId, reason: impl Into<String>) {
        let unknown = self.store.terms.and(self.here, condition);
        if !self.store.terms.is_false(unknown) {
            self.out.note_unknown(unknown, reason, self.at.span, None);
        }
        let stays = self.store.terms.not(condition);
        self.assume(state, stays);
    }

    /// Ends the runs that get here: nothing is known of them.
    pub(crate) fn leave(&mut self, state: &mut State, reason: impl Into<String>) {
        let yes = self.store.terms.boolean(true);
        self.leave_if(state, yes, reason);
    }

    /// Goes on only where `condition` holds.
    pub(crate) fn assume(&mut self, state: &mut State, condition: TermId) {
        state.guard = self.guards.and(&mut self.store.terms, state.guard, condition);
        self.here = self.guards.term(state.guard);
    }

    /// True if no run is left.
    pub(crate) fn is_dead(&self, state: &State) -> bool {
        self.store.terms.is_false(self.guards.term(state.guard))
    }

    /// Notes a violation where `violated` holds, and that it ends the run if `fatal`.
    pub(crate) fn violate(&mut self, state: &mut State, goal: Option<Goal>, violated: TermId, fatal: bool) {
        if self.store.terms.is_false(violated) {
            return;
        }
        if goal.is_some_and(|goal| self.is_shown(goal)) {
            let holds = self.store.terms.not(violated);
            return self.assume(state, holds);
        }
        let condition = self.store.terms.and(self.here, violated);
        let fatal = fatal || goal.is_some_and(|goal| self.ends_proof(goal));
        match goal {
            Some(goal) => {
                if self.goes_on() && self.store.is_of_memory(goal) {
                    self.note_undecided(
                        Property::Termination,
                        violated,
                        "no proof may rest on an invalid access that ends the run",
                    );
                }
                self.note_violation(goal, condition, fatal);
            }
            None => self.out.note_unknown(
                condition,
                "an invalid access where the program form has no obligation",
                self.at.span,
                None,
            ),
        }
        if fatal || goal.is_none() {
            let holds = self.store.terms.not(violated);
            self.assume(state, holds);
        }
    }

    /// True in proofs of termination: that an invalid access ends a run is nothing that they may rest on. Reads and writes go on, having read
    /// anything or written nothing; elsewhere such a proof needs that nothing is invalid.
    pub(crate) fn goes_on(&self) -> bool {
        self.cutting.is_some_and(|cutting| cutting.property == Property::Termination)
    }

    /// True if it is shown elsewhere that no run comes to violate it before an invalid access: what `belay_evidence`'s facts say. Where runs go on after one they say
    /// nothing.
    pub(crate) fn is_shown(&self, goal: Goal) -> bool {
        match goal {
            Goal::Obligation(id) => self.store.program.obligations[id].standing == Standing::Shown && !self.goes_on(),
            Goal::Lost | Goal::NotFreed => false,
        }
    }

    /// Notes a violation, unless it is one that is not asked about.
    pub(crate) fn note_violation(&mut self, goal: Goal, condition: TermId, fatal: bool) {
        let asked = self.store.terms.not(self.early);
        let condition = self.store.terms.and(condition, asked);
        self.out.note_violation(&self.store.terms, goal, condition, fatal);
    }

    /// True if only the first violation of the goal's property counts.
    fn ends_proof(&self, goal: Goal) -> bool {
        let Some(cutting) = self.cutting else { return false };
        match goal {
            Goal::Obligation(id) => self.store.program.obligations[id].judged() == Some(cutting.property),
            Goal::Lost | Goal::NotFreed => false,
        }
    }

    /// Notes that whether a property holds here is not decided.
    pub(crate) fn note_undecided(&mut self, property: Property, condition: TermId, reason: &'static str) {
        let condition = self.store.terms.and(self.here, condition);
        if !self.store.terms.is_false(condition) {
            self.out.note_unknown(condition, reason, self.at.span, Some(property));
        }
    }

    /// Logs that the run at hand depends on a term, so that undefined bytes in it are chosen now.
    pub(crate) fn uses(&mut self, term: TermId) {
        if self.store.names.depends_on_undefined(&self.store.terms, term) {
            self.out.note_event(self.here, RunQuestion::Uses { term, span: self.at.span });
        }
    }

    /// `then` if the condition holds, else `otherwise`.
    pub(crate) fn select(&mut self, condition: TermId, then: Value, otherwise: Value) -> Value {
        if then == otherwise || self.store.terms.is_true(condition) {
            return then;
        }
        if self.store.terms.is_false(condition) {
            return otherwise;
        }
        match (then, otherwise) {
            (Value::Bits(a), Value::Bits(b)) => Value::Bits(self.store.terms.ite(condition, a, b)),
            (Value::Ptr(a), Value::Ptr(b)) => Value::Ptr(self.select_pointer(condition, a, b)),
            (Value::Addr(_), _) | (_, Value::Addr(_)) => {
                let (a, b) = (self.store.as_pointer(then), self.store.as_pointer(otherwise));
                Value::Addr(self.select_pointer(condition, a, b))
            }
            (Value::Ptr(_), Value::Bits(_)) | (Value::Bits(_), Value::Ptr(_)) => {
                let (a, b) = (self.store.as_pointer(then), self.store.as_pointer(otherwise));
                Value::Ptr(self.select_pointer(condition, a, b))
            }
        }
    }

    /// Counts work.
    pub(crate) fn spend(&mut self, steps: u64) -> Res<()> {
        self.budget.spend(steps)?;
        // A step is a block and may build many terms: the clock is cheap beside it.
        self.budget.check_clock()?;
        if self.store.terms.len() > MAX_TERMS { Err(Stop::TooLarge) } else { Ok(()) }
    }
}

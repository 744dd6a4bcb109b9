//! The bit-precise encoder: what a program does within a bound, as terms over bit-vectors.
//!
//! **Idea.** The program is executed symbolically, with loops unrolled and calls inlined up to a bound, and with states merged where
//! control flow joins, so that the work is proportional to the unrolled program and not to its paths. Each execution of
//! an obligation gives a condition under which it is violated; each cut-off loop or call gives a condition under which a run
//! goes beyond the bound. Engines ask a solver about those conditions.
//!
//! **Source.** Merz, Sinz and Falke's memory model for bounded model checking of LLVM (section II-C: execution conditions, phi as
//! if-then-else; section III: the memory modification graph; Fig. 4: valid access, valid free, leaks; section IV-B: origins
//! of pointers). **Differences**: memory is split by object and pointers carry their objects ([`value`]), so that blocks never
//! overlap by construction and no array theory is left; writes at known places are kept as values ([`content`]); lives,
//! bounds and what ends a run are those of SOUNDNESS.md; conditions of joins are kept relative to where the paths
//! parted ([`guard`]).
//!
//! **Soundness.** Every run of the program that stays within the bound corresponds to an assignment of the variables under
//! which the guards along its path hold and every term has the value that the run computed. By induction over the order of
//! execution: each instruction's encoding has, for such an assignment, either the run's value, or (where the encoder leaves a
//! value open) a variable that can take it. What the encoder can't express ends the path and leaves a condition in
//! [`Unrolling::unknowns`]; so if violations, cut-offs and unknowns are all unsatisfiable, no run violates anything.
//! In the other direction a model need not be a run: [`Unrolling::imprecise`] says where, and models are replayed.
//!
//! **Where it gives up.** Irreducible loops, `sprintf`, remainders of floats (left open), addresses as numbers
//! (left open but for alignment), pointers with more than [`value::MAX_CASES`] targets.

pub mod access;
pub mod address;
pub mod arrival;
pub mod builtin;
pub mod call;
pub mod content;
pub mod cut;
pub mod descent;
mod digits;
pub mod element;
pub mod entry;
pub mod float;
pub mod flow;
pub mod for_all;
pub mod function_flow;
pub mod guard;
pub mod havoc;
pub mod heap;
pub mod instruction;
pub mod lasso;
pub mod leak;
mod local;
pub mod object;
pub mod output;
mod prefix_sum;
pub mod read;
mod ready;
pub mod recursion;
pub mod scalar;
pub mod start;
pub mod state;
pub mod trie;
pub mod unrolling;
pub mod value;
mod variadic;

use belay_base::{Budget, Exhausted, Span};
use belay_ir::{FuncId, GlobalId, Program, Property, Standing};
use belay_logic::bv::{Term, TermId, TermStore};
use belay_rules::Config;

use belay_invariants::{Cutting, ObjectKind};
use content::Contents;
use flow::Frame;
use function_flow::FunctionFlows;
use guard::Guards;
use object::{Names, Object, ObjectId, Origin, Site};
use state::State;
pub use unrolling::{Bounds, Goal, NumberRead, RunQuestion, Unrolling, UnwindPlace};
use value::{Pointers, Value};

/// Why an unrolling was not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The budget.
    Exhausted(Exhausted),
    /// More terms than memory is meant for.
    TooLarge,
}

impl From<Exhausted> for Stop {
    fn from(why: Exhausted) -> Self {
        Stop::Exhausted(why)
    }
}

/// The result of a step that the budget may end.
pub type Res<T> = Result<T, Stop>;

/// Terms beyond this number are too many for one task.
const MAX_TERMS: usize = 6_000_000;

/// Encodes one program, bound after bound, with one store of terms.
#[derive(Debug)]
pub struct Encoder<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    /// The terms.
    pub terms: TermStore,
    pub(crate) names: Names,
    pub(crate) pointers: Pointers,
    pub(crate) shapes: FunctionFlows<'p>,
    /// The properties asked for: what the others would need at the end of a run is left out.
    pub wanted: Vec<Property>,
    /// What is looked at whenever a cut head is reached again, where that matters.
    pub observed: Option<descent::Observed>,
    /// Whether states that come back to loop heads are compared with earlier ones.
    pub lassos: bool,
    /// What holds of the variables in every run; grows with every unrolling.
    pub constraints: Vec<TermId>,
    pub(crate) argument_count: Option<TermId>,
    pub(crate) argument_objects: entry::ArgumentObjects,
    // What belongs to one unrolling.
    pub(crate) guards: Guards,
    pub(crate) contents: Contents,
    pub(crate) out: Unrolling,
    pub(crate) bounds: Bounds,
    pub(crate) budget: Budget,
    pub(crate) frames: Vec<Frame>,
    pub(crate) births: rustc_hash::FxHashMap<ObjectId, (u32, state::Memory)>,
    /// True once some object's address may have been chosen: then a bare number may be an object's address.
    pub(crate) addresses_matter: bool,
    pub(crate) exposed: rustc_hash::FxHashSet<ObjectId>,
    pub(crate) site: Site,
    pub(crate) span: Span,
    pub(crate) fresh: u32,
    pub(crate) made: u32,
    /// How loops are cut, if they are.
    pub(crate) cutting: Option<Cutting>,
    /// When what happens here is not asked: a copy of a cut loop before the last, after an arbitrary start.
    pub(crate) early: TermId,
    /// Whether what is executed stands in a cut loop or function.
    pub(crate) is_inside: bool,
    pub(crate) havocs: u32,
    /// The root that the next activation is.
    pub(crate) next_root: Option<std::rc::Rc<recursion::Root>>,
    /// Arguments and result of the call that a row is evaluated for.
    pub(crate) call_values: Option<(std::rc::Rc<[Value]>, Option<Value>)>,
    /// What is claimed of what objects hold at cut heads.
    pub(crate) claims: rustc_hash::FxHashMap<content::VersionId, Vec<element::Claim>>,
    /// What is claimed of all indices of arrays at heads, by the size of the elements.
    pub(crate) for_all_claims: rustc_hash::FxHashMap<content::VersionId, Vec<for_all::Trigger>>,
    /// How many such claims are being instantiated within each other.
    pub(crate) for_all_depth: u32,
    /// Whether some row has several indices.
    pub(crate) has_nested_rows: bool,
    /// While sums over arrays are written out: what must hold for that.
    pub(crate) written_out: Option<Vec<TermId>>,
    /// Offsets that were compared by their digits.
    pub(crate) compared: rustc_hash::FxHashSet<(TermId, TermId)>,
    pub(crate) parameters: rustc_hash::FxHashMap<u32, TermId>,
    /// The condition under which the instruction at hand is executed.
    pub(crate) here: TermId,
}

impl<'p> Encoder<'p> {
    /// An encoder of `program`, which starts as `config` says.
    pub fn new(program: &'p Program, config: Config) -> Self {
        let mut terms = TermStore::new();
        let guards = Guards::new(&mut terms);
        let (here, early) = (terms.boolean(true), terms.boolean(false));
        let mut encoder = Self {
            program,
            config,
            terms,
            names: Names::default(),
            pointers: Pointers::default(),
            shapes: FunctionFlows::new(program),
            wanted: Property::ALL.to_vec(),
            observed: None,
            lassos: false,
            constraints: Vec::new(),
            argument_count: None,
            argument_objects: entry::ArgumentObjects::default(),
            guards,
            contents: Contents::default(),
            out: Unrolling::default(),
            bounds: Bounds::new(1),
            budget: Budget::steps(0),
            frames: Vec::new(),
            births: Default::default(),
            addresses_matter: false,
            exposed: Default::default(),
            site: Site { instance: object::InstanceId(u32::MAX), inst: belay_ir::InstId(u32::MAX) },
            span: Span::NONE,
            fresh: 0,
            made: 0,
            cutting: None,
            early,
            is_inside: false,
            havocs: 0,
            claims: Default::default(),
            for_all_claims: Default::default(),
            for_all_depth: 0,
            has_nested_rows: false,
            written_out: None,
            compared: Default::default(),
            next_root: None,
            call_values: None,
            parameters: Default::default(),
            here,
        };
        encoder.add_static_objects();
        encoder
    }

    /// Executes the program within `bounds`, with loops cut. Serves one such execution: what is required of the variables is required of it
    /// alone.
    pub fn unroll_cut(mut self, bounds: &Bounds, cutting: Cutting, budget: &Budget) -> Res<(Self, Unrolling)> {
        self.cutting = Some(cutting);
        let unrolling = self.execute_program(bounds, budget)?;
        if !self.addresses_matter {
            return Ok((self, unrolling));
        }
        // An address may have been looked at in an earlier round than the code that comes before it.
        let mut again = Encoder::new(self.program, self.config);
        again.wanted = self.wanted;
        again.observed = self.observed;
        again.cutting = self.cutting;
        again.addresses_matter = true;
        let unrolling = again.execute_program(bounds, budget)?;
        Ok((again, unrolling))
    }

    /// Executes the program within `bounds`.
    pub fn unroll(&mut self, bounds: &Bounds, budget: &Budget) -> Res<Unrolling> {
        self.addresses_matter = false;
        self.execute_program(bounds, budget)
    }

    fn execute_program(&mut self, bounds: &Bounds, budget: &Budget) -> Res<Unrolling> {
        self.guards = Guards::new(&mut self.terms);
        self.contents = Contents::default();
        self.out = Unrolling::default();
        self.bounds = bounds.clone();
        self.budget = budget.slice(u64::MAX);
        self.frames.clear();
        self.births.clear();
        self.exposed.clear();
        self.claims.clear();
        self.for_all_claims.clear();
        self.compared.clear();
        self.early = self.terms.boolean(false);
        self.is_inside = false;
        let result = self.run_program();
        let spent = budget.left() - self.budget.left();
        budget.spend(spent)?;
        result?;
        Ok(std::mem::take(&mut self.out))
    }

    /// The variables of undefined bytes that a term depends on under a model, in the order of their making: of a choice only what is
    /// chosen counts.
    pub fn undefined_in(&self, root: TermId, mut holds: impl FnMut(TermId) -> bool) -> Vec<TermId> {
        let (mut stack, mut seen) = (vec![root], rustc_hash::FxHashSet::default());
        let mut found = Vec::new();
        while let Some(term) = stack.pop() {
            if !self.names.may_depend_on_undefined(term) || !seen.insert(term) {
                continue;
            }
            if self.names.is_undefined(term) {
                found.push(term);
            }
            match self.terms.term(term) {
                Term::Ite(condition, then, otherwise) => {
                    stack.extend([condition, if holds(condition) { then } else { otherwise }]);
                }
                other => stack.extend(other.operands()),
            }
        }
        found.sort_unstable();
        found
    }

    fn add_static_objects(&mut self) {
        let width = self.address_width();
        for (id, global) in self.program.globals.iter_enumerated() {
            let size = global.size.map(|size| self.terms.number(width, size.into()));
            let kind = ObjectKind::Global(id);
            let align = u64::from(global.align.max(1));
            self.names.add_object(Object { kind, size, align, constant: global.constant, span: global.span });
        }
        let none = self.terms.number(width, 0);
        for (id, function) in self.program.functions.iter_enumerated() {
            let kind = ObjectKind::Function(id);
            let object = Object { kind, size: Some(none), align: 1, constant: true, span: function.span };
            self.names.add_object(object);
        }
    }

    pub(crate) fn global_object(&self, global: GlobalId) -> ObjectId {
        ObjectId(global.0)
    }

    pub(crate) fn function_object(&self, function: FuncId) -> ObjectId {
        ObjectId(self.program.globals.len() as u32 + function.0)
    }

    pub(crate) fn address_width(&self) -> u32 {
        self.program.layout.pointer_bits().into()
    }

    /// A constant of address width.
    pub(crate) fn address_number(&mut self, value: u64) -> TermId {
        let width = self.address_width();
        self.terms.number(width, value.into())
    }

    /// A new variable at the place at hand.
    pub(crate) fn fresh(&mut self, width: u32, origin: Origin) -> TermId {
        self.fresh += 1;
        self.names.variable(&mut self.terms, self.site, self.fresh, width, origin)
    }

    /// Requires something of the variables that every run satisfies.
    pub(crate) fn require(&mut self, condition: TermId) {
        if !self.terms.is_true(condition) {
            self.constraints.push(condition);
        }
    }

    /// Notes that what follows here allows more than the program does.
    pub(crate) fn imprecise(&mut self, reason: &'static str) {
        self.out.note_imprecise(self.here, reason, self.span);
    }

    /// Notes that where `condition` holds, what follows allows more than the program does.
    pub(crate) fn imprecise_if(&mut self, condition: TermId, reason: &'static str) {
        if !self.terms.is_false(condition) {
            self.out.note_imprecise(condition, reason, self.span);
        }
    }

    /// Notes that runs that get here and satisfy `condition` are not followed exactly any more.
    pub(crate) fn give_up_if(&mut self, condition: TermId, reason: &'static str) {
        let condition = self.terms.and(self.here, condition);
        if !self.terms.is_false(condition) {
            self.out.note_imprecise(condition, reason, self.span);
            self.out.note_unknown(condition, reason, self.span, None);
        }
    }

    /// Notes that runs that get here are not followed exactly any more.
    pub(crate) fn give_up_here(&mut self, reason: &'static str) {
        let yes = self.terms.boolean(true);
        self.give_up_if(yes, reason);
    }

    /// Ends the runs that get here and satisfy `condition`: nothing is known of them.
    pub(crate) fn leave_if(&mut self, state: &mut State, condition: TermId, reason: impl Into<String>) {
        let unknown = self.terms.and(self.here, condition);
        if !self.terms.is_false(unknown) {
            self.out.note_unknown(unknown, reason, self.span, None);
        }
        let stays = self.terms.not(condition);
        self.assume(state, stays);
    }

    /// Ends the runs that get here: nothing is known of them.
    pub(crate) fn leave(&mut self, state: &mut State, reason: impl Into<String>) {
        let yes = self.terms.boolean(true);
        self.leave_if(state, yes, reason);
    }

    /// Goes on only where `condition` holds.
    pub(crate) fn assume(&mut self, state: &mut State, condition: TermId) {
        state.guard = self.guards.and(&mut self.terms, state.guard, condition);
        self.here = self.guards.term(state.guard);
    }

    /// True if no run is left.
    pub(crate) fn is_dead(&self, state: &State) -> bool {
        self.terms.is_false(self.guards.term(state.guard))
    }

    /// Notes a violation where `violated` holds, and that it ends the run if `fatal`.
    pub(crate) fn violate(&mut self, state: &mut State, goal: Option<Goal>, violated: TermId, fatal: bool) {
        if self.terms.is_false(violated) {
            return;
        }
        if goal.is_some_and(|goal| self.is_shown(goal)) {
            let holds = self.terms.not(violated);
            return self.assume(state, holds);
        }
        let condition = self.terms.and(self.here, violated);
        let fatal = fatal || goal.is_some_and(|goal| self.ends_proof(goal));
        match goal {
            Some(goal) => {
                if self.goes_on() && self.is_of_memory(goal) {
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
                self.span,
                None,
            ),
        }
        if fatal || goal.is_none() {
            let holds = self.terms.not(violated);
            self.assume(state, holds);
        }
    }

    /// True in proofs of termination: that an invalid access ends a run is nothing that they may rest on. Reads and writes go on, having read
    /// anything or written nothing; elsewhere such a proof needs that nothing is invalid.
    pub(crate) fn goes_on(&self) -> bool {
        self.cutting.as_ref().is_some_and(|cutting| cutting.property == Property::Termination)
    }

    /// True if it is shown elsewhere that no run comes to violate it before an invalid access: what `belay_evidence`'s facts say. Where runs go on after one they say
    /// nothing.
    pub(crate) fn is_shown(&self, goal: Goal) -> bool {
        match goal {
            Goal::Obligation(id) => self.program.obligations[id].standing == Standing::Shown && !self.goes_on(),
            Goal::Lost | Goal::NotFreed => false,
        }
    }

    fn is_of_memory(&self, goal: Goal) -> bool {
        match goal {
            Goal::Obligation(id) => self.program.obligations[id].property.is_of_memory(),
            Goal::Lost | Goal::NotFreed => false,
        }
    }

    /// Notes a violation, unless it is one that is not asked about.
    pub(crate) fn note_violation(&mut self, goal: Goal, condition: TermId, fatal: bool) {
        let asked = self.terms.not(self.early);
        let condition = self.terms.and(condition, asked);
        self.out.note_violation(&self.terms, goal, condition, fatal);
    }

    /// True if only the first violation of the goal's property counts.
    fn ends_proof(&self, goal: Goal) -> bool {
        let Some(cutting) = &self.cutting else { return false };
        match goal {
            Goal::Obligation(id) => self.program.obligations[id].judged() == Some(cutting.property),
            Goal::Lost | Goal::NotFreed => false,
        }
    }

    /// Notes that whether a property holds here is not decided.
    pub(crate) fn note_undecided(&mut self, property: Property, condition: TermId, reason: &'static str) {
        let condition = self.terms.and(self.here, condition);
        if !self.terms.is_false(condition) {
            self.out.note_unknown(condition, reason, self.span, Some(property));
        }
    }

    /// Logs that the run at hand depends on a term, so that undefined bytes in it are chosen now.
    pub(crate) fn uses(&mut self, term: TermId) {
        if self.names.depends_on_undefined(&self.terms, term) {
            self.out.note_event(self.here, RunQuestion::Uses { term, span: self.span });
        }
    }

    /// The low bits of a number, or the number with zeros above.
    pub(crate) fn fit_width(&mut self, bits: TermId, width: u32) -> TermId {
        let has = self.terms.width(bits);
        if has > width { self.terms.extract(width - 1, 0, bits) } else { self.terms.zext(bits, width) }
    }

    /// `then` if the condition holds, else `otherwise`.
    pub(crate) fn select(&mut self, condition: TermId, then: Value, otherwise: Value) -> Value {
        if then == otherwise || self.terms.is_true(condition) {
            return then;
        }
        if self.terms.is_false(condition) {
            return otherwise;
        }
        match (then, otherwise) {
            (Value::Bits(a), Value::Bits(b)) => Value::Bits(self.terms.ite(condition, a, b)),
            (Value::Ptr(a), Value::Ptr(b)) => Value::Ptr(self.select_pointer(condition, a, b)),
            (Value::Addr(_), _) | (_, Value::Addr(_)) => {
                let (a, b) = (self.as_pointer(then), self.as_pointer(otherwise));
                Value::Addr(self.select_pointer(condition, a, b))
            }
            (Value::Ptr(_), Value::Bits(_)) | (Value::Bits(_), Value::Ptr(_)) => {
                let (a, b) = (self.as_pointer(then), self.as_pointer(otherwise));
                Value::Ptr(self.select_pointer(condition, a, b))
            }
        }
    }

    /// Counts work.
    pub(crate) fn spend(&mut self, steps: u64) -> Res<()> {
        self.budget.spend(steps)?;
        // A step is a block and may build many terms: the clock is cheap beside it.
        self.budget.check_clock()?;
        if self.terms.len() > MAX_TERMS { Err(Stop::TooLarge) } else { Ok(()) }
    }
}

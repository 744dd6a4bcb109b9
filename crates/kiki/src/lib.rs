//! *kiki*: k-induction with k-invariants.
//!
//! **Idea.** Loops are cut: the program is executed once with every loop entered at an arbitrary round and its body repeated `k` times, which
//! covers all runs ([`belay_encoder::cut`]). If no violation is possible then, under invariants that each round keeps, the
//! property holds. What a loop changes is found by executing and looking ([`cuts`]), the invariants by raising bounds of templates
//! until they are kept ([`synthesis`]), cheap templates first ([`domains`]), for growing `k`.
//!
//! **Source.** Kroening, Malík, Schrammel and Vojnar, *2LS for program analysis*, sections 5 and 6.1 and Fig. 11. **Differences**: violations
//! are left to bounded model checking, which this engine takes turns with; bounds are raised along the constants of the program and
//! lowered by binary search afterwards, where 2LS searches upwards, because a path that leaves a variable as it is lets that
//! search run off to the type's limit; only loops that the bound cuts off are cut, so that short counted loops stay exact.
//!
//! **Soundness.** See [`belay_encoder::cut`]; the evidence holds the cuts, `k` and the invariants, and the checker repeats all of it.
//!
//! **Where it gives up.** Recursion without bound; loops that build or take apart data structures; invariants that no template expresses.

mod atoms;
mod blocked_cubes;
mod candidates;
mod cuts;
mod descent;
mod domains;
mod loop_by_loop;
mod ranking;
mod rankings;
mod rows;
mod steps;
mod synthesis;

use std::cell::RefCell;
use std::collections::VecDeque;

use belay_base::{Budget, Exhausted, Span, activity};
use belay_encoder::{Bounds, Encoder, Goal, Stop, Store, Unrolling};
use belay_evidence::{Attempts, Evidence, GaveUp, Induction, Outcome, Proof, Task, Why, induction_question};
use belay_expression::Missing;
use belay_invariants::{Bound, Cutting};
use belay_ir::{IntegerModel, Property};
use belay_logic::bv::prune::pave;
use belay_logic::bv::{BvSolver, SatResult, TermId};

use atoms::Reads;
pub use domains::Domain;
pub use loop_by_loop::summarise;
pub use ranking::rank;
use rows::{BoundCandidate, Rows, Settled};
use synthesis::Found;

/// The encoder recurses over calls and over the modification graph.
const STACK_BYTES: usize = 512 << 20;
/// A loop that certainly goes on is cut after so many rounds.
const CERTAIN: u32 = 24;
/// So many candidates that are not kept are named.
const NAMED: usize = 3;
/// Bodies are copied at most so often.
const MAX_K: u32 = 6;

/// What the user chose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Only these templates.
    pub domain: Option<Domain>,
    /// Whether bodies are copied more than once.
    pub k_induction: bool,
    /// Only these attempts.
    pub only: Option<Attempts>,
}

impl Default for Options {
    fn default() -> Self {
        Self { domain: None, k_induction: true, only: None }
    }
}

/// Tries to prove the properties of a task within a budget, one after the other.
pub fn check(task: &Task<'_>, properties: &[Property], options: Options, budget: &Budget) -> Vec<(Property, Outcome)> {
    ask_each(task, properties, options, budget, |engine| engine.run())
}

/// Asks about each property. Each has the steps of the budget by itself, so that none is answered less well because others are asked about too; of the time that is left
/// each has its part, so that none waits for the others in vain.
fn ask_each(
    task: &Task<'_>,
    properties: &[Property],
    options: Options,
    budget: &Budget,
    ask: impl Fn(&Engine<'_>) -> Outcome + Send,
) -> Vec<(Property, Outcome)> {
    let slice = budget.slice(u64::MAX);
    let (config, programs) = (&task.config, (task.program, task.simplified));
    let work = move || {
        let task = Task { program: programs.0, simplified: programs.1, config: config.clone() };
        let mut outcomes: Vec<(Property, Outcome)> = Vec::new();
        for (at, property) in properties.iter().enumerate() {
            let share = slice.share(100 / (properties.len() - at) as u32, u64::MAX);
            let engine = Engine::new(&task, *property, options, &share);
            let outcome = same_question(*property, &outcomes).unwrap_or_else(|| ask(&engine));
            outcomes.push((*property, outcome));
        }
        outcomes
    };
    on_large_stack(work).unwrap_or_else(|error| {
        let gave_up = |property: &Property| (*property, Outcome::GaveUp(GaveUp::because(Why::Limit, error.clone())));
        properties.iter().map(gave_up).collect()
    })
}

/// The program with its loops cut and nothing known of them, each body copied `k` times; `None` if some loop can't be cut.
pub fn cut_open<'t>(
    task: &'t Task<'t>,
    property: Property,
    k: u32,
    budget: &Budget,
) -> Result<Option<(Store<'t>, Unrolling)>, Stop> {
    let engine = Engine::new(task, property, Options::default(), budget);
    let mut bounds = Bounds::new(1);
    bounds.certain = CERTAIN;
    let mut cutting = Cutting { k: 1, property, cuts: Default::default() };
    if engine.find_cuts(&bounds, &mut cutting, budget)?.is_some() || cutting.cuts.is_empty() {
        return Ok(None);
    }
    cutting.k = k;
    let mut encoder = Encoder::new(task.simplified, task.config.clone());
    encoder.wanted = vec![property];
    encoder.unroll_cut(&bounds, cutting, budget).map(Some)
}

/// Does something on a thread with a large stack; why not, if there is none to be had.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("kiki".to_owned()).stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, work).map(|handle| handle.join()) {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Err(error.to_string()),
        }
    })
}

/// Valid access and valid free need the same of every run.
fn same_question(property: Property, known: &[(Property, Outcome)]) -> Option<Outcome> {
    let other = match property {
        Property::ValidDeref => Property::ValidFree,
        Property::ValidFree => Property::ValidDeref,
        Property::ValidMemtrack
        | Property::MemCleanup
        | Property::NoOverflow
        | Property::Arithmetic
        | Property::UnreachCall
        | Property::Termination => return None,
    };
    let (_, outcome) = known.iter().find(|(known, _)| *known == other)?;
    Some(match outcome {
        Outcome::Claims(Evidence::Proof(Proof::Induction(induction))) => {
            let mut induction = induction.clone();
            induction.cutting.property = property;
            Outcome::proved(Proof::Induction(induction))
        }
        Outcome::Claims(_) | Outcome::GaveUp(_) | Outcome::Moot(_) => outcome.clone(),
    })
}

struct Engine<'t> {
    task: &'t Task<'t>,
    property: Property,
    options: Options,
    budget: &'t Budget,
    /// Numbers in memory that the program reads, seen when its loops were cut.
    read: RefCell<Reads>,
}

impl<'t> Engine<'t> {
    fn new(task: &'t Task<'t>, property: Property, options: Options, budget: &'t Budget) -> Self {
        Self { task, property, options, budget, read: RefCell::default() }
    }
}

impl Engine<'_> {
    fn run(&self) -> Outcome {
        if self.task.integers() == IntegerModel::Unbounded || self.property == Property::Termination {
            return Outcome::GaveUp(GaveUp::because(Why::NotAsked, "not a question for this engine"));
        }
        let mut bounds = Bounds::new(1);
        bounds.certain = if self.options.domain.is_none() { CERTAIN } else { 0 };
        let mut last = GaveUp::because(Why::Limit, "induction was not finished");
        let mut seen = false;
        let mut cutting = Cutting { k: 1, property: self.property, cuts: Default::default() };
        let mut unfinished: Attempts = 0;
        let only = self.options.only.unwrap_or(Attempts::MAX);
        let mut settled = Settled::new();
        let attempts = self.attempts().into_iter().enumerate().filter(|(number, _)| only >> number & 1 == 1);
        let mut attempts: VecDeque<(usize, (u32, Domain))> = attempts.collect();
        while let Some(mut attempt) = attempts.pop_front() {
            // Bounds of differences say nothing of sums over arrays, and cost much where there are such.
            if attempt.1 == (1, Domain::ZONES)
                && attempts.front().is_some_and(|(_, next)| *next == (1, Domain::CONDITIONS))
                && self.rows(&cutting, Domain::CONDITIONS).have_prefix_sums()
                && let Some(conditions) = attempts.pop_front()
            {
                attempts.push_front(std::mem::replace(&mut attempt, conditions));
            }
            let (number, (k, domain)) = attempt;
            cutting.k = k;
            let part = if domain.learns_from_states() || self.options.only.is_some() { 2 } else { 3 };
            activity::report("kiki", || {
                format!("{}: invariants of kind {}, k = {k}", self.property.name(), domain.name())
            });
            let slice = self.budget.slice(self.budget.left() / part);
            let before = slice.left();
            let result = self.attempt(&bounds, &mut cutting, domain, &mut settled, &slice);
            let _ = self.budget.spend(before - slice.left());
            match result {
                Ok(Ok(induction)) => return Outcome::proved(Proof::Induction(Box::new(induction))),
                // Why another template failed says more.
                Ok(Err(open)) if seen && open.why == Why::NotAsked => {}
                Ok(Err(open)) => (last, seen) = (open, true),
                Err(Stop::TooLarge) => {
                    return Outcome::GaveUp(GaveUp::at(last.span, Why::Limit, "the cut program is too large"));
                }
                Err(Stop::Exhausted(why)) => {
                    unfinished |= 1 << number;
                    if self.budget.check_clock().is_err() || self.budget.left() == 0 {
                        if why == Exhausted::Steps {
                            last.reason.also(why.to_string());
                        }
                        break;
                    }
                }
            }
        }
        Outcome::GaveUp(GaveUp { unfinished, ..last })
    }

    /// Copies and templates, cheap ones first.
    fn attempts(&self) -> Vec<(u32, Domain)> {
        let greatest = if self.options.k_induction { MAX_K } else { 1 };
        let Some(domain) = self.options.domain else {
            let order = [
                (1, Domain::HAVOC),
                (1, Domain::INTERVALS),
                (1, Domain::STEPS),
                (1, Domain::ZONES),
                (1, Domain::CONDITIONS),
                (1, Domain::ELEMENTS),
                (1, Domain::CUBES),
                (2, Domain::HAVOC),
                (2, Domain::ZONES),
                (2, Domain::CUBES),
                (1, Domain::EQUALITIES),
                (1, Domain::OCTAGONS),
                (2, Domain::ELEMENTS),
                (3, Domain::ZONES),
                (4, Domain::INTERVALS),
                (6, Domain::ZONES),
            ];
            return order.into_iter().filter(|(k, _)| *k <= greatest).collect();
        };
        (1..=greatest).map(|k| (k, domain)).collect()
    }

    /// The rows that a domain has for the cut loops.
    fn rows(&self, cutting: &Cutting, domain: Domain) -> Rows {
        Rows::new(self.task.simplified, cutting, &self.read.borrow(), domain)
    }

    fn encoder(&self) -> Encoder<'_> {
        let mut encoder = Encoder::new(self.task.simplified, self.task.config.clone());
        encoder.wanted = vec![self.property];
        encoder
    }

    /// One number of copies and one kind of template.
    fn attempt(
        &self,
        bounds: &Bounds,
        cutting: &mut Cutting,
        domain: Domain,
        settled: &mut Settled,
        budget: &Budget,
    ) -> Result<Result<Induction, GaveUp>, Stop> {
        if let Some(open) = self.find_cuts(bounds, cutting, budget)? {
            return Ok(Err(open));
        }
        let rows = self.rows(cutting, domain);
        if !rows.are_of_use() {
            return Ok(Err(GaveUp::because(Why::NotAsked, "no variable to state an invariant about")));
        }
        let (store, unrolling) = self.encoder().unroll_cut(bounds, rows.cutting().clone(), budget)?;
        let mut found = Found::new(store, unrolling, &rows);
        // Solvers have much to do with sums; what intervals say of the other variables is mostly known.
        if rows.have_prefix_sums() {
            found.values = rows.starts_at(settled);
        }
        if !found.settle(&rows, budget)? {
            return Ok(Err(GaveUp::because(Why::Limit, "no invariant was found in time")));
        }
        if domain.is_basic() {
            *settled = rows.collect_settled(&found.values);
        }
        let bad = self.bad_conditions(&found.unrolling);
        // Who asks for a domain wants to see what it finds.
        let shown = self.options.domain.is_some();
        if shown || found.possible(&bad, budget)? {
            found.lower(&rows, budget)?;
            let learned = domain.learns_from_states() && found.learn(&bad, budget)?;
            if !learned && found.possible(&bad, budget)? {
                return Ok(Err(self.open(&mut found, &rows, domain, cutting.k)));
            }
        }
        // Combinations were learned under all the bounds.
        let all = shown || domain.learns_from_states();
        let needed = if all { vec![true; found.values.len()] } else { found.find_needed(&bad, budget)? };
        let claim = |values: &[BoundCandidate]| {
            let mut rows = rows.clone();
            rows.fix(values, &needed, &found.heads);
            Induction { bounds: bounds.clone(), cutting: rows.cutting().clone(), cover: None, parts: None }
        };
        let induction = claim(&found.values);
        if !found.has_floats() {
            return Ok(Ok(induction));
        }
        // The strongest bounds may be kept by a hair's breadth, which regions do not show.
        for mut candidate in [induction.clone(), claim(&rows.loosen(&found.values))] {
            let (program, config) = (self.task.simplified, self.task.config.clone());
            let question = induction_question(program, config, self.property, &candidate, budget);
            candidate.cover = question.ok().and_then(|question| pave(&question.terms, &question.conditions, budget));
            if candidate.cover.is_some() {
                return Ok(Ok(candidate));
            }
        }
        Ok(Ok(induction))
    }

    /// The property that a violation speaks against, if somebody asks.
    fn property_of(&self, goal: Goal) -> Option<Property> {
        match goal {
            Goal::Obligation(id) => self.task.simplified.obligations[id].judged(),
            Goal::Lost => Some(Property::ValidMemtrack),
            Goal::NotFreed => Some(Property::MemCleanup),
        }
    }

    /// Whether a violation speaks against the proof: it is of the property, or ends the run by an invalid access or (for what is judged at
    /// the end) by anything but a failed assertion, where the heap is judged too.
    fn is_bad(&self, goal: Goal, fatal: bool) -> bool {
        // An endless run commits no violation that ends it.
        if self.property == Property::Termination {
            return false;
        }
        let Some(of) = self.property_of(goal) else { return false };
        let at_end = matches!(self.property, Property::ValidMemtrack | Property::MemCleanup);
        let breaks_memory = matches!(of, Property::ValidDeref | Property::ValidFree);
        of == self.property || fatal && (breaks_memory || at_end && of != Property::UnreachCall)
    }

    fn bad_conditions(&self, unrolling: &Unrolling) -> Vec<TermId> {
        let violations = unrolling.violations.iter().filter(|violated| self.is_bad(violated.goal, violated.fatal));
        let concerned = |of: Option<Property>| of.is_none_or(|of| of == self.property);
        let unknowns = unrolling.unknowns.iter().filter(|unknown| concerned(unknown.property));
        violations
            .map(|violated| violated.condition)
            .chain(unrolling.unwound.iter().map(|unwound| unwound.condition))
            .chain(unknowns.map(|unknown| unknown.condition))
            .collect()
    }

    /// What the model of a failed attempt shows.
    fn open(&self, found: &mut Found<'_>, rows: &Rows, domain: Domain, k: u32) -> GaveUp {
        let bounds = rows.unbounded(self.task.simplified, &found.values, NAMED);
        let missing = (!bounds.is_empty()).then_some(Missing::Bounds(bounds));
        let with = format!("with {} invariants, k = {k}", domain.name());
        let unrolling = found.unrolling.clone();
        for violated in unrolling.violations.iter().filter(|violated| self.is_bad(violated.goal, violated.fatal)) {
            if !found.holds(violated.condition) {
                continue;
            }
            let gave_up = match violated.goal {
                Goal::Obligation(id) => {
                    let obligation = &self.task.simplified.obligations[id];
                    let name = self.task.simplified.obligation_name(id);
                    GaveUp::at(obligation.span, Why::NoInvariant, format!("{name} is not shown {with}"))
                }
                Goal::Lost => {
                    GaveUp::because(Why::NoInvariant, format!("that no heap block is lost is not shown {with}"))
                }
                Goal::NotFreed => {
                    GaveUp::because(Why::NoInvariant, format!("that every heap block is freed is not shown {with}"))
                }
            };
            return gave_up.lacking(missing);
        }
        if let Some(unknown) = unrolling.unknowns.iter().find(|unknown| found.holds(unknown.condition)) {
            return GaveUp::at(unknown.span, Why::NotHandled, unknown.reason.clone());
        }
        let unwound = unrolling.unwound.iter().find(|unwound| found.holds(unwound.condition));
        let span = unwound.map_or(Span::NONE, |unwound| unwound.span);
        GaveUp::at(span, Why::NoInvariant, "a loop or recursion that is not cut may go on")
    }
}

/// The solver's view of a model.
pub(crate) fn truth(solver: &mut BvSolver, store: &Store<'_>, condition: TermId) -> bool {
    solver.value(&store.terms, condition).is_some_and(|bits| bits.is_one())
}

/// Whether some of the conditions can hold under assumptions.
pub(crate) fn possible(
    solver: &mut BvSolver,
    store: &mut Store<'_>,
    conditions: &[TermId],
    assumed: &[TermId],
    budget: &Budget,
) -> Result<bool, Stop> {
    let any = store.terms.or_all(conditions.iter().copied());
    if store.terms.is_false(any) {
        return Ok(false);
    }
    let mut all = assumed.to_vec();
    all.push(any);
    // Large formulas are slow to ask about even where there is nothing to search.
    budget.spend(solver.statistics().clauses / 20)?;
    Ok(solver.check(&store.terms, &all, budget)? == SatResult::Sat)
}

/// The bound that says nothing.
pub(crate) const NO_BOUND: Bound = Bound::Constant(i128::MAX);

//! Generalisation: the least state we can express that represents two (Def. 7 and the strategy after it).
//!
//! *Idea.* What both states have becomes slots ([`super::pairing`]); the equalities are those of the affine hull
//! ([`super::basis`]); the inequalities are bounds of [`super::templates`], found by linear optimisation over each state: octagonal
//! forms of the free slots, differences of offsets and sizes, and the constraints that the older state has.
//!
//! *Lists* ([`super::lists`]): chains of blocks become segments where that keeps pointers that would be lost otherwise.
//!
//! *Why it stops.* The frames are fixed; values, objects and cells are only ever lost, or become parts of segments, of which there are no more
//! than places that lead to them; with those fixed the dimension of the
//! hull only grows, at most to the number of slots, and with that fixed each stride is only replaced by a divisor of it.
//! So all three change finitely often. (Only the first [`CURIOSITY`] merges at a place may add cells; where a shape comes back all the same, that is no change.) While they stay as they are, after [`PATIENCE`] merges at a place (counted anew [`MAX_ENTRIES`] times at most) no new bound is made up: a
//! constraint stays or goes, or stops at one of finitely many numbers of the program ([`super::thresholds`]), of which those that hold of the merged state
//! held of the older one; and every chain of merges is finite.

use std::collections::BTreeSet;

use belay_base::{Budget, Exhausted};
use belay_ir::{IntegerModel, Program};
use belay_linear::{Constraint, LinExpr, NumberDomain, Optimum, Rat, Rel, Simplex, Var};
use belay_symbolic::{AllocId, Cell, State, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::basis::Basis;
use super::known::{Known, Ranges};
use super::modes::Modes;
use super::numbers::bounds;
use super::pairing::{
    Curiosity, Folding, GivenLists, GivenPlaces, Paired, Plan, Slot, SlotKind, Style, leads_into_lists, pair,
    was_given_lists,
};
use super::singles::{Guesses, without_guessed_links};
use super::templates::{Lasts, Template, Templates, applied, templates};
use super::thresholds::{Stops, Thresholds};

/// Merges at one place that may make up new bounds.
pub const PATIENCE: u32 = 3;

/// Merges at one place that may look for numbers in memory of which a state says nothing.
const CURIOSITY: u32 = 24;

/// How often patience begins anew at one place.
const MAX_ENTRIES: u32 = 8;

/// How often a place has been merged.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WideningDelay {
    /// In all.
    merges: u32,
    /// Since the shape of its state last changed.
    visits: u32,
    /// How often patience began anew as the loop was entered from outside.
    entries: u32,
    /// The shape of its state.
    shape: Shape,
    /// The shapes that it has had: one that comes back is no change, or two that take turns would have patience begin anew for ever.
    seen: Vec<Shape>,
}

impl WideningDelay {
    /// Before a merge with a state that enters the loop: what has changed in a loop around this one is looked at with some patience,
    /// whatever has changed in this one.
    pub fn entered(&self) -> WideningDelay {
        if self.entries >= MAX_ENTRIES {
            return self.clone();
        }
        WideningDelay { visits: self.visits.min(PATIENCE - 2), entries: self.entries + 1, ..self.clone() }
    }

    /// Whether the place is young enough for its state to speak of more.
    pub fn is_curious(&self) -> bool {
        self.merges < CURIOSITY
    }

    /// One more merge that leaves all as it is but adds so many cells with numbers.
    pub fn older(&self, cells: usize) -> WideningDelay {
        let Shape { slots, free, strides } = &self.shape;
        let strides = strides + &Rat::from(cells as i64);
        let shape = Shape { slots: slots + 2 * cells, free: free + cells, strides };
        WideningDelay { merges: self.merges + 1, shape, ..self.clone() }
    }

    /// After a merge that gives a state of a shape.
    fn after(&self, shape: Shape) -> WideningDelay {
        let same = self.merges == 0 || self.shape == shape || self.seen.contains(&shape);
        let visits = if same { self.visits + 1 } else { 0 };
        let mut seen = self.seen.clone();
        seen.extend((!seen.contains(&shape)).then(|| shape.clone()));
        WideningDelay { merges: self.merges + 1, visits, entries: self.entries, shape, seen }
    }
}

/// What of a state changes finitely often.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Shape {
    slots: usize,
    free: usize,
    /// The sum of all strides.
    strides: Rat,
}

impl Shape {
    fn new(basis: &Basis) -> Shape {
        let mut strides = Rat::ZERO;
        basis.strides().into_iter().for_each(|stride| strides += stride);
        Shape { slots: basis.exprs.len(), free: basis.free.len(), strides }
    }
}

/// A state that represents both. The older one has been merged so often before.
pub fn merge(
    program: &Program,
    integers: IntegerModel,
    (old, age): (&State, &WideningDelay),
    new: &State,
    (thresholds, style): (Stops<'_>, Style),
    budget: &Budget,
) -> Result<(State, WideningDelay), Exhausted> {
    let curiosity = if age.is_curious() { Curiosity::Kept } else { Curiosity::None };
    let open = |state: &State| if style.guesses == Guesses::Open { without_guessed_links(state) } else { None };
    let (open_old, open_new) = (open(old), open(new));
    let (old, new) = (open_old.as_ref().unwrap_or(old), open_new.as_ref().unwrap_or(new));
    let Paired { mut state, slots, found, products, .. } = folded(program, (old, new), (curiosity, style));
    let basis = Basis::new(&slots);
    let after = age.after(Shape::new(&basis));
    let mut sides = [Side::new(old, &slots, &basis, 0), Side::new(new, &slots, &basis, 1)];
    if integers == IntegerModel::Machine {
        for number in &found {
            sides[number.side].constraints.extend(bounds(&number.number, number.width));
        }
    }
    let Templates { made, stops, typed, known } =
        templates(&slots, &basis, old, new, after.visits, (integers, program.layout.pointer_bits()));
    let mut bounds = Bounds::new(sides, known, basis.equations.clone(), age.merges > 0);
    let held = landmarks(&slots, &basis).into_iter().chain(ends_of_texts(&state, &slots)).collect::<Vec<i64>>();
    let (of_all, of_counters) = (thresholds.all.with(held.clone()), thresholds.own.with(held));
    for template in &made {
        bounds.consider(template, budget)?;
    }
    for var in stops {
        bounds.stop(var, &basis.scale[var.index()], (&of_all, &of_counters), budget)?;
    }
    let ranges = Ranges::of(bounds.kept.iter().map(|constraint| &constraint.expr));
    for template in typed.iter().filter(|template| !ranges.imply(&template.expr)) {
        bounds.consider(template, budget)?;
    }
    let kept = thinned(bounds.kept);
    state.for_each_expr_mut(|expr| *expr = basis.translate(expr));
    state.knowledge.constraints = kept;
    state.knowledge.products =
        products.iter().filter_map(|known| known.map(|expr| Some(basis.translate(expr)))).collect();
    state.names = basis.names(&slots);
    state.next_var = state.names.len() as u32;
    state.origin = Vec::new();
    Ok((state, after))
}

/// What a merge of two states would lose: pointers, blocks, that a pointer to a block that leads nowhere is not null; and in how many modes they differ.
pub fn apart(program: &Program, old: &State, new: &State, (style, modes): (Style, &Modes)) -> (usize, usize) {
    let paired = folded(program, (old, new), (Curiosity::None, style));
    (paired.lost + paired.optional, modes.differ(&paired))
}

/// What is tried where blocks one by one lose something.
const FOLDINGS: [Folding; 7] = [
    Folding::Lists,
    Folding::Tails,
    Folding::Heads,
    Folding::HeadsAndTails,
    Folding::Beginnings,
    Folding::Trees,
    Folding::TreesAndHeads,
];

/// When lists that were given are looked at.
const GIVEN: [GivenLists; 3] = [GivenLists::First, GivenLists::Last, GivenLists::MemoryFirst];

/// How many lists that were given are given up for one pointer: a caller that gave away its list may not need its own pointer to it.
const LOSS: usize = 4;

/// The common part in which the fewest pointers are lost, and after that the fewest lists follow each other: of those it is not known
/// whether the second is empty where the first is not. Blocks one by one, or lists first.
///
/// Where pointers in memory are lost, the same once more without them: what else leads to the blocks they lead to may be all that matters, as where entries
/// move to another table while the old one still leads to them.
fn folded(program: &Program, (old, new): (&State, &State), (curiosity, style): (Curiosity, Style)) -> Paired {
    let best = folded_as_is(program, (old, new), (curiosity, style));
    if best.lost <= best.unlike.len() || best.unlike.is_empty() {
        return best;
    }
    let (mut left, mut right) = (old.clone(), new.clone());
    for (a, b) in &best.unlike {
        disregard(&mut left, a);
        disregard(&mut right, b);
    }
    let mut next = folded_as_is(program, (&left, &right), (curiosity, style));
    next.lost += best.unlike.len();
    if cost(&next, style) < cost(&best, style) { next } else { best }
}

/// Forgets what a cell holds.
fn disregard(state: &mut State, cell: &Cell) {
    for known in state.cells.iter_mut().filter(|known| *known == cell) {
        known.value = Value::Top;
    }
}

fn cost(paired: &Paired, style: Style) -> (usize, usize, usize) {
    let segments = &paired.state.segments;
    let leads_on = |value: &Value| matches!(value, Value::Pointer(next, _) if segments.contains_key(next));
    let nested = segments.values().filter(|segment| segment.nests()).count();
    let (lost, lost_given) = (paired.lost.saturating_sub(paired.lost_given), paired.lost_given);
    let following = segments.values().filter(|segment| leads_on(&segment.target)).count();
    match style.given {
        GivenPlaces::Kept => (LOSS * lost + lost_given, nested, following),
        GivenPlaces::Dropped => (lost, nested, LOSS * following + lost_given),
    }
}

fn folded_as_is(program: &Program, (old, new): (&State, &State), (curiosity, style): (Curiosity, Style)) -> Paired {
    let plan = |folding, order| Plan { folding, order, phases: style.phases, remains: style.remains };
    let mut best = pair(program, (old, new), plan(Folding::Blocks, GivenLists::First), curiosity);
    let orders = if was_given_lists(old, new) { &GIVEN[..] } else { &GIVEN[..1] };
    for (order, folding) in orders.iter().flat_map(|order| FOLDINGS.map(|folding| (order, folding))) {
        if cost(&best, style) == (0, 0, 0) {
            break;
        }
        if folding == Folding::Beginnings && !leads_into_lists(old, new) {
            continue;
        }
        let next = pair(program, (old, new), plan(folding, *order), curiosity);
        if cost(&next, style) < cost(&best, style) {
            best = next;
        }
    }
    best
}

/// Where a form stops.
struct Halting {
    least: Rat,
    /// True if it goes down by what is subtracted each time: a counter would stop at number after number of the program. It may stop at what
    /// the states hold, such as the size of a buffer that it fills.
    counts: bool,
}

/// How far numbers are apart at most that are one but for a constant, where a bound of one is to be found by a constant that the other meets.
const NEAR: i64 = 4;

/// How many times another one a number is at most that is to be found by a bound of the other.
const LARGE: i64 = 256;

/// The constants that both states hold, and the numbers before them; and what another number is then that differs from one by a constant (`i == len + 1`), or
/// of which one is a multiple (`len == 3 * i`).
fn landmarks(slots: &[Slot], basis: &Basis) -> Vec<i64> {
    let number = |slot: &Slot| match slot.kind {
        // Characters are no limits of anything.
        SlotKind::Content(8) => None,
        SlotKind::Register(_) | SlotKind::Content(_) if slot.sides.0 == slot.sides.1 && slot.sides.0.is_constant() => {
            slot.sides.0.offset().to_i64()
        }
        _ => None,
    };
    let held: BTreeSet<i64> = slots.iter().filter_map(number).collect();
    let held: BTreeSet<i64> = held.iter().flat_map(|number| [number.saturating_sub(1), *number]).collect();
    let mut found = held.clone();
    for (slot, expr) in slots.iter().zip(&basis.exprs) {
        let ([(_, factor)], Some(apart)) = (expr.terms(), expr.offset().to_i64()) else { continue };
        if !matches!(slot.kind, SlotKind::Register(_) | SlotKind::Content(_)) {
            continue;
        }
        match factor.to_i64() {
            Some(factor @ 2..=LARGE) => {
                found.extend(held.iter().map(|number| number.saturating_sub(apart).div_euclid(factor)));
            }
            Some(_) if apart != 0 && apart.abs() <= NEAR => {
                found.extend(held.iter().map(|number| number.saturating_sub(apart)));
            }
            Some(_) | None => {}
        }
    }
    found.into_iter().collect()
}

/// Bounds beyond which a number is that of a type, or comes from one.
const FAR: i64 = 1 << 30;

/// Without bounds of one form that are far away, where there is a stronger one and a weaker one: those of types, moved by one in each merge (`i <= n + 2147483648`), say nothing, and there may be dozens.
fn thinned(kept: Vec<Constraint>) -> Vec<Constraint> {
    let is_far = |known: &Constraint| known.rel == Rel::Ge && known.expr.offset().abs() >= Rat::from(FAR);
    let mut ends: FxHashMap<Vec<(Var, Rat)>, (Rat, Rat)> = FxHashMap::default();
    for known in kept.iter().filter(|known| is_far(known)) {
        let offset = known.expr.offset();
        let (least, most) = ends.entry(known.expr.terms().to_vec()).or_insert_with(|| (offset.clone(), offset.clone()));
        if offset < least {
            *least = offset.clone();
        }
        if offset > most {
            *most = offset.clone();
        }
    }
    let is_end = |known: &Constraint| {
        let ends = ends.get(known.expr.terms());
        ends.is_none_or(|(least, most)| [least, most].contains(&known.expr.offset()))
    };
    kept.into_iter().filter(|known| !is_far(known) || is_end(known)).collect()
}

/// Where texts end into which pointers lead that move, as those through a literal do: a constant in both states.
fn ends_of_texts(state: &State, slots: &[Slot]) -> Vec<i64> {
    let slot_of = |expr: &LinExpr| expr.terms().first().and_then(|(var, _)| slots.get(var.index()));
    let constant = |expr: &LinExpr| {
        let same = slot_of(expr).filter(|slot| slot.sides.0 == slot.sides.1 && slot.sides.0.is_constant());
        same.and_then(|slot| slot.sides.0.offset().to_i64())
    };
    let registers = || state.frames.iter().flat_map(|frame| frame.values.values().chain(&frame.params));
    let moves = |id: &AllocId| {
        let leads =
            |value: &Value| matches!(value, Value::Pointer(to, offset) if to == id && constant(offset).is_none());
        registers().any(leads)
    };
    let is_zero = |value: &Value| matches!(value, Value::Int(number) if constant(number) == Some(0));
    let ends = state.cells.iter().filter(|cell| cell.width == 1 && is_zero(&cell.value) && moves(&cell.alloc));
    ends.filter_map(|cell| constant(&cell.offset)).collect()
}

/// Finds the constraints of the merged state.
struct Bounds {
    sides: [Side; 2],
    known: Known,
    /// True if the older state has been merged: then what it lists does not follow from the rest of it.
    spare: bool,
    accepted: Simplex,
    kept: Vec<Constraint>,
    /// What was considered.
    seen: FxHashSet<LinExpr>,
}

impl Bounds {
    fn new(sides: [Side; 2], known: Known, equations: Vec<Constraint>, spare: bool) -> Bounds {
        let mut accepted = Simplex::new(NumberDomain::Integer);
        equations.iter().for_each(|equation| accepted.assert(equation.clone()));
        Bounds { sides, known, spare, accepted, kept: equations, seen: FxHashSet::default() }
    }

    /// Keeps what a template gives, if it holds in both states and says something new.
    fn consider(&mut self, template: &Template, budget: &Budget) -> Result<(), Exhausted> {
        let is_stronger = |known: &Constraint| {
            known.expr.terms() == template.expr.terms() && known.expr.offset() <= template.expr.offset()
        };
        if template.expr.is_constant() || (template.lasts == Lasts::Weaker && self.kept.iter().any(is_stronger)) {
            return Ok(());
        }
        let listed = template.fixed && (0..2).all(|side| self.known.holds(side, &template.expr));
        let expr = match template.fixed {
            _ if listed => template.expr.clone(),
            true if self.not_negative(&template.expr, budget)? => template.expr.clone(),
            true => return Ok(()),
            false => {
                let Some(bound) = lower_bound(&mut self.sides, &template.expr, budget)? else { return Ok(()) };
                LinExpr::new(template.expr.terms().iter().cloned(), -&bound)
            }
        };
        let lasting = (listed && self.spare) || template.lasts.keeps(&expr);
        if self.seen.insert(expr.clone()) && (lasting || !implied(&mut self.accepted, &expr, budget)?) {
            self.accepted.assert(Constraint::ge(expr.clone()));
            self.kept.push(Constraint::ge(expr));
        }
        Ok(())
    }

    /// Bounds a variable by numbers of the program; even where that follows from the rest, which may be given up later.
    fn stop(
        &mut self,
        var: Var,
        scale: &(Rat, Rat),
        (thresholds, of_counters): (&Thresholds, &Thresholds),
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let expr = LinExpr::var(var);
        // What moves otherwise is bounded by numbers of functions that its loop calls as well.
        if let Some(Halting { least, counts }) = self.halting(&expr, budget)? {
            let called = || of_counters.below(&least, scale);
            let own = if counts { None } else { thresholds.below(&least, scale) };
            if let Some(number) = own.into_iter().chain(called()).max() {
                self.keep(expr.plus_constant(&-&number));
            }
        }
        if let Some(Halting { least, counts }) = self.halting(&expr.negated(), budget)? {
            let most = -&least;
            let called = || of_counters.above(&most, scale);
            let own = thresholds.above(&most, scale).filter(|_| !counts || thresholds.holds_counters());
            if let Some(number) = own.into_iter().chain(called()).min() {
                self.keep(expr.negated().plus_constant(&number));
            }
        }
        Ok(())
    }

    /// The least value of a form over both states, if it has one.
    fn halting(&mut self, form: &LinExpr, budget: &Budget) -> Result<Option<Halting>, Exhausted> {
        let [old, new] = &mut self.sides;
        let step = applied(form, &new.values).minus(&applied(form, &old.values));
        let (Least::At(before), Least::At(after)) = (old.least(form, budget)?, new.least(form, budget)?) else {
            return Ok(None);
        };
        let counts = step.is_constant() && step.offset().is_negative() && after == &before + step.offset();
        Ok(Some(Halting { least: before.min(after), counts }))
    }

    fn keep(&mut self, expr: LinExpr) {
        let known = |other: &Constraint| other.expr.terms() == expr.terms() && other.expr.offset() <= expr.offset();
        if !self.kept.iter().any(known) {
            self.accepted.assert(Constraint::ge(expr.clone()));
            self.kept.push(Constraint::ge(expr));
        }
    }

    /// True if an expression is not negative in either state, and one of them has a solution.
    fn not_negative(&mut self, expr: &LinExpr, budget: &Budget) -> Result<bool, Exhausted> {
        let mut alive = false;
        for (side, state) in self.sides.iter_mut().enumerate() {
            if self.known.holds(side, expr) {
                alive = true;
                continue;
            }
            match state.least(expr, budget)? {
                Least::NoState => {}
                Least::At(bound) if !(&bound + expr.offset()).is_negative() => alive = true,
                Least::At(_) | Least::Unbounded => return Ok(false),
            }
        }
        Ok(alive)
    }
}

/// True if `expr ≥ 0` follows already. A bound of a single variable has to follow over the rationals, as it is optimised over those later.
fn implied(accepted: &mut Simplex, expr: &LinExpr, budget: &Budget) -> Result<bool, Exhausted> {
    Ok(match accepted.minimise(expr, budget)? {
        Optimum::Infeasible(_) => true,
        Optimum::Unbounded => false,
        Optimum::Value { value, .. } if expr.terms().len() == 1 => !value.is_negative(),
        Optimum::Value { value, .. } => !value.ceil().is_negative(),
    })
}

/// One of the two states, to be optimised over.
struct Side {
    constraints: Vec<Constraint>,
    /// Made when it is first asked.
    simplex: Option<Simplex>,
    values: Vec<LinExpr>,
}

impl Side {
    fn new(state: &State, slots: &[Slot], basis: &Basis, side: usize) -> Side {
        let constraints = state.knowledge.constraints.clone();
        Side { constraints, simplex: None, values: basis.values(slots, side) }
    }

    fn simplex(&mut self) -> &mut Simplex {
        let constraints = &self.constraints;
        self.simplex.get_or_insert_with(|| {
            let mut simplex = Simplex::new(NumberDomain::Integer);
            constraints.iter().for_each(|constraint| simplex.assert(constraint.clone()));
            simplex
        })
    }

    /// The least value of the template without its constant.
    fn least(&mut self, template: &LinExpr, budget: &Budget) -> Result<Least, Exhausted> {
        let form = LinExpr::new(template.terms().iter().cloned(), Rat::ZERO);
        let objective = applied(&form, &self.values);
        if objective.is_constant() {
            return Ok(Least::At(objective.offset().clone()));
        }
        Ok(match self.simplex().minimise(&objective, budget)? {
            Optimum::Infeasible(_) => Least::NoState,
            Optimum::Unbounded => Least::Unbounded,
            Optimum::Value { value, .. } => Least::At(value.ceil()),
        })
    }
}

/// The least value of a form over a state.
enum Least {
    NoState,
    Unbounded,
    At(Rat),
}

fn lower_bound(sides: &mut [Side; 2], template: &LinExpr, budget: &Budget) -> Result<Option<Rat>, Exhausted> {
    let [left, right] = sides;
    Ok(match (left.least(template, budget)?, right.least(template, budget)?) {
        (Least::Unbounded, _) | (_, Least::Unbounded) | (Least::NoState, Least::NoState) => None,
        (Least::At(bound), Least::NoState) | (Least::NoState, Least::At(bound)) => Some(bound),
        (Least::At(left), Least::At(right)) => Some(left.min(right)),
    })
}

//! When one state represents another: Def. 7's instantiation, found by walking both states side by side.
//!
//! Sound because it checks all that the general state says: each of its values, cells, sizes and lives is that of the special one
//! under the instantiation of its variables, and each of its constraints follows from what the special one knows. A list segment of the general state is
//! a chain of blocks and segments of the special one, none of them used twice, with as many blocks in all. A cell of the general state with a number that
//! nothing else depends on needs no cell of the special one: some number stands there in any case. Live blocks of the special state, those that belong to
//! others ([`loses_owned`](super::element::loses_owned)) among them, are blocks of the general one, unless that says that it does not list all.

mod arrays;
mod cells;
mod lists;
mod trees;
mod zeros;

#[cfg(test)]
mod laws;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use belay_base::Exhausted;
use belay_ir::IntegerModel;
use belay_linear::{Constraint, LinExpr, Var};

use super::condition::Truth;
use super::knowledge::{Entailment, as_constant, constant};
use super::segment::{ListSegment, place_of};
use super::state::{AllocId, Cell, Life, State, Value};
use zeros::nulled;

/// How the general state's variables and objects are those of the special one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairing {
    /// The value of each variable; none for one that nothing depends on.
    pub image: Vec<Option<LinExpr>>,
    /// The objects.
    pub allocs: BTreeMap<AllocId, AllocId>,
    /// What pointers to each segment of the general state are.
    pub starts: BTreeMap<AllocId, Value>,
    /// What pointers to the end of each segment are; none if that is not known.
    pub ends: BTreeMap<AllocId, Option<Value>>,
    /// The first block or segment of the chain behind each segment that is not empty.
    pub firsts: BTreeMap<AllocId, AllocId>,
    /// All blocks and segments of such chains, and the ends of those.
    pub used: BTreeSet<AllocId>,
    /// The ranges of the special state that are elements of one of the general state.
    pub ranges: BTreeSet<usize>,
    /// True if blocks that belong to those of a list, or to elements, are not among what the general state lists.
    pub loses_owned: bool,
    /// The first variable of the special state that is not in use, those for numbers that stand in its memory included.
    pub next_var: u32,
}

/// How often cells are tried.
const MAX_TRIES: u32 = 2000;

/// The instantiation by which `general` represents `special`, if one is found.
pub fn instance(
    general: &State,
    special: &State,
    integers: IntegerModel,
    oracle: &mut dyn Entailment,
) -> Result<Option<Pairing>, Exhausted> {
    if general.key() != special.key()
        || !special.written.is_subset(&general.written)
        || (special.forgot_block && !general.forgot_block)
        || (special.unknown_write && !general.unknown_write)
        || special.given.len() != general.given.len()
        || differ_plainly(general, special)
    {
        return Ok(None);
    }
    let image = vec![None; general.next_var as usize];
    let matcher = Matcher {
        general,
        special: Cow::Borrowed(special),
        integers,
        pairing: Pairing { image, next_var: special.next_var, ..Pairing::default() },
        equations: Vec::new(),
        lists: Vec::new(),
        unsettled: Vec::new(),
        ranges: (0..general.ranges.len()).collect(),
        taken: BTreeSet::new(),
        cells_of: Rc::new(cells_of(special)),
        open: Rc::new((0..general.knowledge.constraints.len()).collect()),
        guessed: false,
    };
    let Some(matcher) = matcher.frames() else { return Ok(None) };
    let mut matcher = matcher;
    if !matcher.bound(oracle)? {
        return Ok(None);
    }
    let mut tries = MAX_TRIES;
    let todo: Vec<usize> = (0..general.cells.len()).collect();
    matcher.cells(todo, &mut tries, oracle)
}

/// True if a variable of static storage holds one constant here and another one there: nothing is an instance of the other then, which is seen at once.
fn differ_plainly(general: &State, special: &State) -> bool {
    let number = |cell: &Cell| match &cell.value {
        Value::Int(expr) => as_constant(expr),
        _ => None,
    };
    let is_static = |cell: &&Cell| matches!(cell.alloc, AllocId::Global(_)) && cell.offset.is_constant();
    general.cells.iter().filter(is_static).any(|cell| {
        let same =
            |other: &&Cell| other.alloc == cell.alloc && other.width == cell.width && other.offset == cell.offset;
        let held = number(cell).zip(special.cells.iter().find(same).and_then(number));
        held.is_some_and(|(here, there)| here != there)
    })
}

/// A shape of the general state that is looked for in the special one.
pub(crate) struct Sought<'t> {
    /// Its name.
    list: AllocId,
    segment: ListSegment,
    /// Where it starts in the special state.
    start: Value,
    /// The cells that are still to be found.
    todo: &'t [usize],
}

#[derive(Clone)]
pub(crate) struct Matcher<'s> {
    general: &'s State,
    special: Cow<'s, State>,
    integers: IntegerModel,
    pairing: Pairing,
    equations: Vec<(LinExpr, LinExpr)>,
    /// Segments that are still to be found.
    lists: Vec<AllocId>,
    /// The ends of segments that are empty in the special state, with what stands before those, where it is not known yet what that is.
    unsettled: Vec<(AllocId, Value)>,
    /// Ranges that are still to be found.
    ranges: Vec<usize>,
    /// The objects of the special state that are paired.
    taken: BTreeSet<AllocId>,
    /// The cells of each object of the special state.
    cells_of: Rc<BTreeMap<AllocId, Vec<usize>>>,
    /// The constraints of the general state that are still to be checked.
    open: Rc<Vec<usize>>,
    /// True if the straight way has been tried.
    guessed: bool,
}

fn cells_of(state: &State) -> BTreeMap<AllocId, Vec<usize>> {
    let mut found: BTreeMap<AllocId, Vec<usize>> = BTreeMap::new();
    for (at, cell) in state.cells.iter().enumerate() {
        found.entry(cell.alloc).or_default().push(at);
    }
    found
}

impl Matcher<'_> {
    fn frames(mut self) -> Option<Self> {
        let state = self.special.clone();
        for (left, right) in self.general.given.iter().zip(&state.given) {
            self.value(left, right).then_some(())?;
        }
        for (general, special) in self.general.frames.iter().zip(&state.frames) {
            // At an exit they are the results: one that is not there would leave the caller with the value of the call before.
            (general.params.len() == special.params.len()).then_some(())?;
            for (left, right) in general.params.iter().zip(&special.params) {
                self.value(left, right).then_some(())?;
            }
            for (inst, left) in &general.values {
                match special.values.get(inst) {
                    Some(right) => self.value(left, right).then_some(())?,
                    None => matches!(left, Value::Top).then_some(())?,
                }
            }
        }
        Some(self)
    }

    fn value(&mut self, general: &Value, special: &Value) -> bool {
        match (general, special) {
            (Value::Top | Value::Truth(Truth::Unknown), _) => true,
            (Value::Int(left), Value::Int(right)) => {
                self.equations.push((left.clone(), right.clone()));
                true
            }
            (Value::Int(left), Value::Truth(Truth::Known(known))) => {
                self.equations.push((left.clone(), constant(i128::from(*known))));
                true
            }
            (Value::Pointer(list, at), start) if self.general.segments.contains_key(list) => {
                self.starts_at(*list, at, start)
            }
            (Value::Pointer(end, at), last) if self.general.segment_of(*end).is_some() => self.ends_at(*end, at, last),
            (Value::Pointer(a, left), Value::Pointer(b, right))
            | (Value::Address(a, left), Value::Address(b, right)) => {
                self.equations.push((left.clone(), right.clone()));
                self.object(*a, *b)
            }
            (Value::Null, Value::Null) => true,
            (Value::Null, Value::Int(zero)) => as_constant(zero) == Some(0),
            (Value::Function(left), Value::Function(right)) => right.is_subset(left),
            (_, _) => false,
        }
    }

    /// A pointer to a segment: all of them are the same.
    fn starts_at(&mut self, list: AllocId, at: &LinExpr, start: &Value) -> bool {
        let start = &nulled(start);
        let entry = self.general.segments.get(&list).map(|segment| segment.node.entry);
        if place_of(at) != entry || entry.is_none() {
            return false;
        }
        match self.pairing.starts.get(&list) {
            Some(known) => known == start,
            None => {
                self.pairing.starts.insert(list, start.clone());
                if !self.lists.contains(&list) {
                    self.lists.push(list);
                }
                true
            }
        }
    }

    fn object(&mut self, general: AllocId, special: AllocId) -> bool {
        let (AllocId::Made(_), AllocId::Made(_)) = (general, special) else { return general == special };
        if let Some(known) = self.pairing.allocs.get(&general) {
            return *known == special;
        }
        if self.pairing.used.contains(&special) || self.taken.contains(&special) {
            return false;
        }
        let (Some(left), Some(right)) =
            (self.general.allocations.get(&general), self.special.allocations.get(&special))
        else {
            return false;
        };
        let lives = left.life == Life::Maybe || left.life == right.life;
        let cells = self.cells_of.get(&special).into_iter().flatten().map(|at| &self.special.cells[*at]);
        let other_cells = left.zeroed
            && cells.into_iter().any(|cell| {
                let zero = match &cell.value {
                    Value::Int(expr) => as_constant(expr) == Some(0),
                    Value::Null => true,
                    _ => false,
                };
                !zero && !self.is_spoken_of(general, cell)
            });
        let has_ranges = self.special.ranges.iter().any(|range| range.alloc == special);
        let zeroed = !left.zeroed || (right.zeroed && !other_cells && !has_ranges);
        self.pairing.allocs.insert(general, special);
        self.taken.insert(special);
        self.equations.push((left.size.clone(), right.size.clone()));
        // Whoever is called need not know that what it gets is a heap block, unless it frees it.
        let kinds = left.kind == right.kind || (self.general.is_call() && right.kind.is_within(left.kind));
        kinds && lives && zeroed && left.align <= right.align
    }

    /// Gives variables that stand alone their value.
    fn bind(&mut self) {
        for (left, right) in &self.equations {
            if let Some((var, value)) = solved(left, right).or_else(|| self.solved_for_last(left, right))
                && let Some(open) = self.pairing.image.get_mut(var.index())
            {
                open.get_or_insert(value);
            }
        }
    }

    /// An equation solved for the only variable that has no value yet. (That the equation holds then is seen to as for any other.)
    fn solved_for_last(&self, left: &LinExpr, right: &LinExpr) -> Option<(Var, LinExpr)> {
        let (mut open, mut known) = (LinExpr::default(), LinExpr::constant(left.offset().clone()));
        for (var, factor) in left.terms() {
            match self.pairing.image.get(var.index())? {
                Some(value) => known = known.add_scaled(factor, value),
                None => open = open.add_scaled(factor, &LinExpr::var(*var)),
            }
        }
        solved(&open, &right.minus(&known))
    }

    /// Gives variables their values; false if an equation does not hold then.
    fn bound(&mut self, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        self.bind();
        self.equations_hold(oracle)
    }

    /// The value of an expression of the general state, if all its variables have one.
    fn instantiate(&self, expr: &LinExpr) -> Option<LinExpr> {
        let mut sum = LinExpr::constant(expr.offset().clone());
        for (var, factor) in expr.terms() {
            sum = sum.add_scaled(factor, self.pairing.image.get(var.index())?.as_ref()?);
        }
        Some(sum)
    }

    /// Checks the equations whose variables have values, and keeps the others for later.
    fn equations_hold(&mut self, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let mut open = Vec::new();
        for (left, right) in std::mem::take(&mut self.equations) {
            match self.instantiate(&left) {
                Some(value) if self.special.knowledge.zero(&value.minus(&right), oracle)? => {}
                Some(_) => return Ok(false),
                None => open.push((left, right)),
            }
        }
        self.equations = open;
        Ok(true)
    }

    /// Checks the constraints whose variables have values, and keeps the others for later.
    fn constraints_hold(&mut self, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let mut open = Vec::new();
        for at in self.open.iter() {
            let constraint = &self.general.knowledge.constraints[*at];
            let Some(expr) = self.instantiate(&constraint.expr) else {
                open.push(*at);
                continue;
            };
            let goal = Constraint { expr, rel: constraint.rel };
            if !self.special.knowledge.entails(&goal, oracle)? {
                return Ok(false);
            }
        }
        self.open = Rc::new(open);
        Ok(true)
    }

    /// Checks the constraints, and that no heap block is left out.
    fn finish(&mut self, oracle: &mut dyn Entailment) -> Result<Option<Pairing>, Exhausted> {
        if !self.equations_hold(oracle)? || !self.equations.is_empty() {
            return Ok(None);
        }
        if self.general.allocations.keys().any(|id| !self.pairing.allocs.contains_key(id))
            || self.general.segments.keys().any(|id| !self.pairing.starts.contains_key(id))
        {
            return Ok(None);
        }
        for (id, segment) in self.special.segments.iter().filter(|_| !self.general.forgot_block) {
            if !self.pairing.used.contains(id)
                && !self.special.knowledge.non_negative(&segment.length.negated(), oracle)?
            {
                return Ok(None);
            }
        }
        let left_out = self.special.allocations.iter().any(|(id, known)| {
            known.kind.may_be_heap()
                && known.life != Life::Dead
                && !self.pairing.used.contains(id)
                && !self.taken.contains(id)
        });
        if left_out && !self.general.forgot_block {
            return Ok(None);
        }
        if self.pairing.loses_owned && !self.general.forgot_block {
            return Ok(None);
        }
        if !self.ranges.is_empty() || (!self.general.forgot_block && self.leaves_elements(oracle)?) {
            return Ok(None);
        }
        if !self.constraints_hold(oracle)? || !self.open.is_empty() {
            return Ok(None);
        }
        for expr in &self.general.knowledge.apart {
            let Some(expr) = self.instantiate(expr) else { return Ok(None) };
            if !self.special.knowledge.non_zero(&expr, oracle)? {
                return Ok(None);
            }
        }
        for product in &self.general.knowledge.products {
            let Some(product) = product.map(|expr| self.instantiate(expr)) else { return Ok(None) };
            if !self.special.knowledge.is_product(&product, oracle)? {
                return Ok(None);
            }
        }
        Ok(Some(self.pairing.clone()))
    }
}

impl Matcher<'_> {
    /// True if elements may own blocks that the general state says nothing of.
    fn leaves_elements(&self, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let unused = self.special.ranges.iter().enumerate().filter(|(at, _)| !self.pairing.ranges.contains(at));
        for (_, range) in unused.filter(|(_, range)| range.owns_heap()) {
            if !self.special.knowledge.non_negative(&range.from.minus(&range.to), oracle)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// `left = right` solved for the only variable of `left`, if the solution has integer coefficients.
fn solved(left: &LinExpr, right: &LinExpr) -> Option<(Var, LinExpr)> {
    let [(var, factor)] = left.terms() else { return None };
    let value = right.plus_constant(&-left.offset()).scaled(&factor.recip()?);
    let whole = value.offset().is_integer() && value.terms().iter().all(|(_, factor)| factor.is_integer());
    whole.then_some((*var, value))
}
